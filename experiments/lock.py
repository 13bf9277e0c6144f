"""One engine a folder, by a lock that the operating system lets go when its holder dies.

Snakemake's own lock stays behind after a kill -9 and then stops every later run; whether its holder still lives
cannot be told from it. Every engine that starts jobs therefore holds this one as well. Jobs may outlive an engine
that was killed, and would write old tables over newer ones: whoever takes the lock ends them first.

Standard library and psutil only, which Snakemake needs itself.
"""

import os
import re
import shutil
import subprocess
import time
from pathlib import Path
from typing import IO

import psutil

try:
    import fcntl
except ImportError:
    raise SystemExit(
        "the grids need Linux, macOS or Windows with WSL; a single notebook runs with papermill anywhere"
    ) from None

LOCK = Path(".snakemake/engine.lock")
SNAKEMAKE_LOCKS = Path(".snakemake/locks")
MARK = "LUDOMETRICS_ENGINE"  # jobs inherit it: the folder whose engine started them

_held: list[IO[str]] = []  # closing the file would let the lock go


class EngineRunning(RuntimeError):
    """Another engine works in this folder."""


class NoLocks(RuntimeError):
    """The file system cannot lock files, as on some clusters: then Snakemake's own lock has to do."""


def hold_engine_lock() -> None:
    """Hold the lock for as long as this process lives, and mark every process started from now on.

    Raises EngineRunning if another engine lives.
    """
    try:
        _held.append(_take())
        end_orphans()
    except NoLocks:
        pass
    os.environ[MARK] = os.getcwd()


def clear_up() -> list[str]:
    """Clear up after an engine that was killed, and say in a line each what was done.

    Raises EngineRunning if an engine lives: then nothing is stale.
    """
    done = []
    try:
        lock = _take()
    except NoLocks:
        hint = "no file locks here: if no run is alive, `snakemake --unlock` frees the folder"
        return [hint] if _snakemake_locked() else []
    with lock:
        if _snakemake_locked():
            shutil.rmtree(SNAKEMAKE_LOCKS)
            done.append("removed the lock of a run that was killed; its finished cells are kept")
            if cancel_cluster_jobs():
                done.append("cancelled the jobs that it had left in SLURM's queue")
        if count := end_orphans():
            done.append(f"ended the processes that it had left at work: {count}")
    return done


def end_orphans() -> int:
    """End what an engine of this folder left at work when it died, and count the processes.

    To be called with the lock held. Jobs on other machines are out of reach here.
    """
    ended = []
    for process in psutil.process_iter():
        try:
            if process.environ().get(MARK) == os.getcwd() and process.pid != os.getpid():
                process.kill()
                ended.append(process)
        except (psutil.Error, OSError):  # gone meanwhile, or somebody else's
            continue
    psutil.wait_procs(ended, timeout=30)
    return len(ended)


def cancel_cluster_jobs() -> bool:
    """Cancel what the last engines of this folder left in SLURM's queue, and say whether there was any."""
    if shutil.which("scancel") is None:
        return False
    logs = sorted(Path(".snakemake/log").glob("*.log"))[-5:]
    text = "".join(path.read_text(encoding="utf-8", errors="replace") for path in logs)
    # All jobs of a run bear its number as their name.
    names = re.findall(r"^SLURM run ID: (\S+)$", text, re.MULTILINE)
    queued = [name for name in names if _output(["squeue", "--noheader", "--name", name])]
    for name in queued:
        _output(["scancel", "--name", name])
        for _ in range(60):  # a job may take its time to end, and must not write beside its successor
            if _output(["squeue", "--noheader", "--name", name]):
                time.sleep(1)
    return bool(queued)


def _snakemake_locked() -> bool:
    return any(SNAKEMAKE_LOCKS.glob("*.lock"))


def _output(command: list[str]) -> str:
    return subprocess.run(
        command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    ).stdout.strip()


def _take() -> IO[str]:
    LOCK.parent.mkdir(exist_ok=True)
    lock = LOCK.open("a")
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        lock.close()
        raise EngineRunning(
            f"another run is at work in {Path.cwd()} (it holds {LOCK}); wait for it or end it first"
        ) from None
    except OSError as error:
        lock.close()
        raise NoLocks(f"{LOCK}: {error}") from None
    return lock
