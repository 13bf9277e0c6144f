"""The lock that tells a living engine from a dead one, and what is cleared up after a dead one."""

import errno
import os
import subprocess
import sys
import time

import psutil
import pytest

from lock import EngineRunning, clear_up, hold_engine_lock
from toy import ROOT

HOLDER = "import lock, time; lock.hold_engine_lock(); print('held', flush=True); {then}; time.sleep(60)"
ORPHAN = "import subprocess, sys; subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(60)'])"


@pytest.fixture
def holder(tmp_path, monkeypatch):
    """Start a process that holds the lock in a folder where Snakemake's lock lies as well."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("LUDOMETRICS_ENGINE", raising=False)
    (tmp_path / ".snakemake" / "locks").mkdir(parents=True)
    (tmp_path / ".snakemake" / "locks" / "0.input.lock").write_text("x")
    started = []

    def start(then="pass"):
        command = [sys.executable, "-c", HOLDER.format(then=then)]
        environment = {**os.environ, "PYTHONPATH": str(ROOT / "experiments")}
        started.append(subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True))
        assert started[-1].stdout.readline() == "held\n"
        return started[-1]

    yield start
    for process in started:
        process.kill()
        process.wait()
        process.stdout.close()


def locked(folder):
    return (folder / ".snakemake" / "locks").exists()


def marked(folder):
    found = []
    for process in psutil.process_iter():
        try:
            found += [process] if process.environ().get("LUDOMETRICS_ENGINE") == str(folder) else []
        except psutil.Error:
            continue
    return found


def test_a_living_engine_is_left_alone(holder, tmp_path):
    process = holder()
    with pytest.raises(
        EngineRunning, match=r"another run is at work in .* \(it holds \.snakemake/engine\.lock\)"
    ):
        clear_up()
    with pytest.raises(EngineRunning):
        hold_engine_lock()
    assert locked(tmp_path) and process.poll() is None
    assert "LUDOMETRICS_ENGINE" not in os.environ


def test_after_a_dead_one_all_is_cleared_up(holder, tmp_path):
    process = holder(then=ORPHAN)
    while not marked(tmp_path):
        time.sleep(0.02)
    process.kill()
    process.wait()
    assert len(marked(tmp_path)) == 1, "its child lives on, without the lock"
    assert clear_up() == [
        "removed the lock of a run that was killed; its finished cells are kept",
        "ended the processes that it had left at work: 1",
    ]
    assert not locked(tmp_path) and marked(tmp_path) == []
    assert clear_up() == [], "once is enough"


def test_without_file_locks_nothing_is_cleared_up(holder, tmp_path, monkeypatch):
    def refuse(*_):
        raise OSError(errno.ENOSYS, "Function not implemented")

    monkeypatch.setattr("fcntl.flock", refuse)
    (line,) = clear_up()
    assert "snakemake --unlock" in line and locked(tmp_path)
    monkeypatch.setenv("LUDOMETRICS_ENGINE", "")
    hold_engine_lock()  # the engine runs all the same
    (tmp_path / ".snakemake" / "locks" / "0.input.lock").unlink()
    assert clear_up() == []


def test_children_of_another_folder_are_left_alone(holder, tmp_path, monkeypatch):
    holder(then=ORPHAN)
    while not marked(tmp_path):
        time.sleep(0.02)
    (tmp_path / "other").mkdir()
    monkeypatch.chdir(tmp_path / "other")
    assert clear_up() == []
    assert len(marked(tmp_path)) == 1
    monkeypatch.chdir(tmp_path)
    for process in marked(tmp_path):
        process.kill()
