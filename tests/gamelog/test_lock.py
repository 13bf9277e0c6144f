"""The folder's lock: alone to write, together to read, between processes and threads."""

import os
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from ludometrics.gamelog.lock import LOCK_FILE, FolderBusyError, FolderLock
from ludometrics.gamelog.transaction import PLAN, TRANSACTION

HOLD = """
import sys
from ludometrics.gamelog.lock import FolderLock
with getattr(FolderLock(sys.argv[1]), sys.argv[2])():
    print("held", flush=True)
    sys.stdin.read()
"""


def holder(folder: Path, kind: str) -> subprocess.Popen:
    process = subprocess.Popen(
        [sys.executable, "-c", HOLD, str(folder), kind],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdout.readline() == "held\n"
    return process


@pytest.mark.parametrize(
    "theirs, ours, together",
    [
        ("shared", "shared", True),
        ("shared", "exclusive", False),
        ("exclusive", "shared", False),
        ("exclusive", "exclusive", False),
    ],
)
def test_two_processes(tmp_path, theirs, ours, together):
    process = holder(tmp_path, theirs)
    try:
        lock = getattr(FolderLock(tmp_path, timeout_s=0.05), ours)
        if together:
            with lock():
                pass
        else:
            with (
                pytest.raises(FolderBusyError, match=r"another program held this folder for 0\.05 s"),
                lock(),
            ):
                pass
    finally:
        process.communicate("")
    with lock():  # free again
        pass


def test_a_killed_holder_keeps_nobody_out(tmp_path):
    process = holder(tmp_path, "exclusive")
    process.kill()
    process.wait()
    with FolderLock(tmp_path, timeout_s=1).exclusive():
        assert (tmp_path / LOCK_FILE).exists()


def test_replacing_a_data_file_does_not_free_the_lock(tmp_path):
    (tmp_path / "scores-2026-09-01.json").write_text("[]")
    process = holder(tmp_path, "exclusive")
    try:
        os.replace(tmp_path / "scores-2026-09-01.json", tmp_path / "scores-2026-09-02.json")
        with pytest.raises(FolderBusyError), FolderLock(tmp_path, timeout_s=0.05).exclusive():
            pass
    finally:
        process.communicate("")


def test_threads_are_kept_apart_as_well(tmp_path):
    inside, most = 0, 0

    def work() -> None:
        nonlocal inside, most
        for _ in range(20):
            with FolderLock(tmp_path).exclusive():
                inside += 1
                most = max(most, inside)
                inside -= 1

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert (inside, most) == (0, 1)


def test_a_reader_finishes_what_was_settled(tmp_path):
    room = tmp_path / TRANSACTION
    room.mkdir()
    (room / "0").write_bytes(b"new")
    (room / PLAN).write_text('[{"name": "a", "from": "0"}, {"name": "gone", "from": null}]')
    (tmp_path / "gone").write_text("old")
    with FolderLock(tmp_path).shared():
        assert (tmp_path / "a").read_bytes() == b"new"
        assert not (tmp_path / "gone").exists() and not room.exists()


def test_no_such_folder(tmp_path):
    with pytest.raises(FileNotFoundError, match="no such folder of games"):
        FolderLock(tmp_path / "misspelt")


@pytest.mark.skipif(os.name != "posix" or os.geteuid() == 0, reason="needs a user whom permissions bind")
def test_a_folder_that_may_only_be_read(tmp_path):
    tmp_path.chmod(0o500)
    try:
        with FolderLock(tmp_path).shared():
            assert os.listdir(tmp_path) == []
    finally:
        tmp_path.chmod(0o700)
