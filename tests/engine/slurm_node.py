"""A SLURM of one node, in a folder of its own: nothing in /etc is read or written, no accounting, any user."""

import getpass
import os
import shutil
import socket
import subprocess
import time
from pathlib import Path

PROGRAMS = ("munged", "slurmctld", "slurmd", "sbatch", "srun", "squeue", "sinfo", "scancel")
CONF = """ClusterName=toy
SlurmctldHost={host}(127.0.0.1)
SlurmctldPort={ports[0]}
SlurmdPort={ports[1]}
AuthType=auth/munge
AuthInfo=socket={folder}/munge.socket
CredType=cred/munge
SlurmUser={user}
SlurmdUser={user}
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool
SlurmctldLogFile={folder}/slurmctld.log
SlurmdLogFile={folder}/slurmd.log
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd.pid
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SwitchType=switch/none
MpiDefault=none
AccountingStorageType=accounting_storage/none
JobAcctGatherType=jobacct_gather/none
ReturnToService=2
MinJobAge=3600
NodeName={host} NodeAddr=127.0.0.1 CPUs=2 RealMemory=4000 State=UNKNOWN
PartitionName=debug Nodes={host} Default=YES MaxTime=02:00:00 State=UP
"""


def missing_programs() -> list[str]:
    """Name what of SLURM and munge is not installed here."""
    return [name for name in PROGRAMS if shutil.which(name, path=search_path()) is None]


def search_path() -> str:
    """Give the search path with the folders of daemons, which users often lack."""
    return os.pathsep.join([os.environ["PATH"], "/usr/local/sbin", "/usr/sbin", "/sbin"])


class SlurmNode:
    """Starts munged, slurmctld and slurmd on entry, and ends these three, and no others, on exit."""

    def __init__(self, folder: Path):
        self.folder = folder
        # A job's own srun must find the configuration too, but the executor's job step (0.6) drops SLURM_CONF.
        path = os.pathsep.join([str(folder / "bin"), search_path()])
        self.environment = {"SLURM_CONF": str(folder / "slurm.conf"), "PATH": path}
        self._daemons: list[subprocess.Popen] = []

    def __enter__(self):
        for name in ("state", "spool", "bin"):
            (self.folder / name).mkdir()
        srun = self.folder / "bin" / "srun"
        srun.write_text(
            f'#!/bin/sh\nSLURM_CONF="{self.folder}/slurm.conf" exec {shutil.which("srun")} "$@"\n'
        )
        srun.chmod(0o755)
        self.folder.chmod(0o755)
        key = self.folder / "munge.key"
        key.write_bytes(os.urandom(1024))
        key.chmod(0o400)
        host = socket.gethostname().split(".")[0]
        values = {"host": host, "folder": self.folder, "user": getpass.getuser(), "ports": free_ports(2)}
        (self.folder / "slurm.conf").write_text(CONF.format(**values))
        try:
            files = [f"--{name}-file={self.folder}/munge.{name}" for name in ("key", "log", "pid", "seed")]
            # --force: the folders above ours are as they are, and the key is of no use to anybody.
            self._start("munged", "--foreground", "--force", f"--socket={self.folder}/munge.socket", *files)
            wait_until(lambda: (self.folder / "munge.socket").exists())
            self._start("slurmctld", "-D", "-f", self.environment["SLURM_CONF"])
            self._start("slurmd", "-D", "-N", host, "-f", self.environment["SLURM_CONF"])
            wait_until(lambda: self.run("sinfo", "-h", "-o", "%T") == "idle")
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_):
        if len(self._daemons) == 3:
            self.run("scancel", f"--user={getpass.getuser()}")
            try:
                wait_until(lambda: not self.run("squeue", "-h", "-t", "RUNNING,COMPLETING,PENDING"), 30)
            except TimeoutError:
                pass
        for daemon in reversed(self._daemons):
            daemon.terminate()
            try:
                daemon.wait(20)
            except subprocess.TimeoutExpired:
                daemon.kill()
                daemon.wait()

    def run(self, *command: str) -> str:
        """Run one of SLURM's commands, and give what it says."""
        result = subprocess.run(
            command, env={**os.environ, **self.environment}, capture_output=True, text=True, timeout=60
        )
        return result.stdout.strip()

    def alive(self) -> bool:
        """Whether one of the daemons still runs."""
        return any(daemon.poll() is None for daemon in self._daemons)

    def logs(self) -> str:
        """Give the ends of the daemons' logs, for the message of a failed test."""
        return "\n".join(
            f"--- {path.name}\n{path.read_text(errors='replace')[-2000:]}"
            for path in sorted(self.folder.glob("*.log"))
        )

    def _start(self, *command: str) -> None:
        with (self.folder / f"{command[0]}.out").open("w") as out:
            environment = {**os.environ, **self.environment}
            self._daemons.append(
                subprocess.Popen(command, env=environment, stdout=out, stderr=subprocess.STDOUT)
            )


def free_ports(count: int) -> list[int]:
    """Pick ports that nobody listens on."""
    sockets = [socket.socket() for _ in range(count)]
    for item in sockets:
        item.bind(("127.0.0.1", 0))
    ports = [item.getsockname()[1] for item in sockets]
    for item in sockets:
        item.close()
    return ports


def wait_until(condition, seconds: float = 60) -> None:
    """Wait for a condition; TimeoutError if it does not come."""
    end = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > end:
            raise TimeoutError("SLURM did not get that far")
        time.sleep(0.2)
