"""Several files replaced as one: killed at any step, the folder is as before or as wanted."""

import os
import stat
from pathlib import Path

import pytest

from ludometrics.gamelog import transaction
from ludometrics.gamelog.lock import FolderLock
from ludometrics.gamelog.transaction import TRANSACTION, replace_files

OLD = {"a": b"old a", "b": b"old b", "live/c": b"old c"}
CHANGE = {"a": b"new a", "b": None, "live/c": None, "d": b"new d", "live/e": b"new e"}
NEW = {"a": b"new a", "d": b"new d", "live/e": b"new e"}
#: What the system is asked to do on the way; the process may end before each.
STEPS = ("replace", "fsync", "unlink", "mkdir")


class Killed(BaseException):
    """The process ends here."""


def fill(folder: Path) -> Path:
    (folder / "live").mkdir(parents=True)
    for name, content in OLD.items():
        (folder / name).write_bytes(content)
    return folder


def content(folder: Path) -> dict[str, bytes]:
    files = [path for path in folder.rglob("*") if path.is_file() and path.name != ".games.lock"]
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in files}


def kill_before(monkeypatch, step: int) -> None:
    done = 0

    def dies(call):
        def wrapped(*arguments, **options):
            nonlocal done
            done += 1
            if done > step:
                raise Killed
            return call(*arguments, **options)

        return wrapped

    for name in STEPS:
        monkeypatch.setattr(os, name, dies(getattr(os, name)))


def test_all_of_it(tmp_path):
    folder = fill(tmp_path / "data")
    replace_files(folder, CHANGE)
    assert content(folder) == NEW


def test_killed_at_every_step(tmp_path):
    outcomes, step = [], 0
    while True:
        folder = fill(tmp_path / str(step))
        with pytest.MonkeyPatch.context() as patch:
            kill_before(patch, step)
            try:
                replace_files(folder, CHANGE)
                finished = True
            except Killed:
                finished = False
        with FolderLock(folder).shared():
            pass
        with FolderLock(folder).exclusive():
            pass
        found = content(folder)
        assert found in (OLD, NEW), f"killed before step {step}: {found}"
        outcomes.append(found == NEW)
        if finished:
            break
        step += 1
    assert outcomes == sorted(outcomes) and outcomes[0] is False and outcomes[-1] is True
    assert len(outcomes) > 12


def test_killed_while_it_is_finished_by_another(tmp_path):
    folder = fill(tmp_path / "data")
    for step in range(2, 40):
        with pytest.MonkeyPatch.context() as patch:
            kill_before(patch, step)
            try:
                replace_files(folder, CHANGE)
            except Killed:
                continue
        break
    assert content(folder) == NEW


def test_permissions_stay(tmp_path):
    path = tmp_path / "a"
    path.write_bytes(b"1")
    path.chmod(0o640)
    replace_files(tmp_path, {"a": b"2"})
    assert stat.S_IMODE(path.stat().st_mode) == 0o640 and path.read_bytes() == b"2"


@pytest.mark.parametrize("name", ["../a", "/a", "a/b/c", "", ".transaction/x", "live/../../a", "a\\b", ".."])
def test_files_stay_inside_the_folder(tmp_path, name):
    folder = fill(tmp_path / "data")
    with pytest.raises(ValueError, match="it must be a file of the folder"):
        replace_files(folder, {"a": b"x", name: b"y"})
    assert content(folder) == OLD


def test_a_linked_folder_is_not_followed(tmp_path):
    (tmp_path / "elsewhere").mkdir()
    folder = tmp_path / "data"
    folder.mkdir()
    (folder / "live").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(ValueError, match="it must be a file of the folder"):
        replace_files(folder, {"live/a": b"x"})


@pytest.mark.parametrize(
    "plan", ["[", "{}", '[{"name": 3, "from": null}]', '[{"name": "../a", "from": null}]', "[7]"]
)
def test_a_plan_that_is_not_ours(tmp_path, plan):
    folder = fill(tmp_path / "data")
    (folder / TRANSACTION).mkdir()
    (folder / TRANSACTION / transaction.PLAN).write_text(plan)
    with pytest.raises(ValueError, match=r"nothing was changed|it must be a file of the folder"):
        transaction.finish_pending(folder)
    assert {name: content(folder)[name] for name in OLD} == OLD


def test_what_a_killed_writer_left_is_cleared_away(tmp_path):
    (tmp_path / f".scores-2026-09-01.json.{'0' * 16}.tmp").write_bytes(b"[")
    (tmp_path / ".scores-notes.tmp").write_bytes(b"mine")
    with FolderLock(tmp_path).exclusive():
        assert sorted(os.listdir(tmp_path)) == [".games.lock", ".scores-notes.tmp"]


def test_a_folder_is_not_replaced_by_a_file(tmp_path):
    folder = fill(tmp_path / "data")
    (folder / "d").mkdir()
    with pytest.raises(ValueError, match="is no file, and cannot be replaced"):
        replace_files(folder, CHANGE)
    assert content(folder) == OLD


def test_a_folder_that_may_not_be_written_is_told_before(tmp_path, monkeypatch):
    folder, access = fill(tmp_path / "data"), os.access
    monkeypatch.setattr(os, "access", lambda path, mode: Path(path).name != "live" and access(path, mode))
    with pytest.raises(PermissionError, match="may not be written"):
        replace_files(folder, CHANGE)
    monkeypatch.undo()
    assert content(folder) == OLD
