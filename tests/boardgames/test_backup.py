"""Earlier exports kept beside the newest one, whatever happens on the way."""

from hashlib import sha256

import pytest

from ludometrics.boardgames import backup
from ludometrics.boardgames.backup import keep_previous


def contents(folder):
    return {path.name: path.read_text() for path in folder.iterdir()}


def kept_name(content, digits=12):
    return f"export.{sha256(content.encode()).hexdigest()[:digits]}.json"


@pytest.fixture
def export(tmp_path):
    path = tmp_path / "export.json"
    path.write_text("first")
    return path


def test_the_first_export_makes_the_folder(export, tmp_path):
    folder = tmp_path / "a" / "kept"
    assert keep_previous(export, folder) is None
    assert contents(folder) == {"export.json": "first"}


def test_the_same_export_again_changes_nothing(export, tmp_path):
    folder = tmp_path / "kept"
    keep_previous(export, folder)
    before = (folder / "export.json").stat().st_mtime_ns
    assert keep_previous(export, folder) is None
    assert contents(folder) == {"export.json": "first"}
    assert (folder / "export.json").stat().st_mtime_ns == before


def test_every_earlier_export_is_kept_once(export, tmp_path):
    folder = tmp_path / "kept"
    history = ("first", "second", "first", "third", "second")
    for content in history:
        export.write_text(content)
        kept = keep_previous(export, folder)
    assert kept == folder / kept_name("third")
    assert contents(folder) == {"export.json": "second"} | {
        kept_name(content): content for content in ("first", "second", "third")
    }
    assert export.read_text() == "second"


def test_an_export_in_the_folder_stays(export, tmp_path):
    assert keep_previous(export, tmp_path) is None
    assert contents(tmp_path) == {"export.json": "first"}


def test_a_kept_file_that_somebody_changed_is_not_written_over(export, tmp_path):
    folder = tmp_path / "kept"
    keep_previous(export, folder)
    (folder / kept_name("first")).write_text("notes")
    export.write_text("second")
    assert keep_previous(export, folder) == folder / kept_name("first", 64)
    assert contents(folder) == {
        "export.json": "second",
        kept_name("first"): "notes",
        kept_name("first", 64): "first",
    }


@pytest.mark.parametrize("step", [0, 1], ids=["before the copy", "before the new one"])
def test_stopped_on_the_way_nothing_is_lost(step, export, tmp_path, monkeypatch):
    folder = tmp_path / "kept"
    keep_previous(export, folder)
    export.write_text("second")
    write, calls = backup.write_bytes, iter(range(9))

    def stop(path, content):
        if next(calls) == step:
            raise OSError("disk full")
        return write(path, content)

    monkeypatch.setattr(backup, "write_bytes", stop)
    with pytest.raises(OSError, match="disk full"):
        keep_previous(export, folder)
    assert "first" in contents(folder).values()
    monkeypatch.undo()
    assert keep_previous(export, folder) == folder / kept_name("first")
    assert contents(folder) == {"export.json": "second", kept_name("first"): "first"}


def test_what_cannot_be_kept_is_named(export, tmp_path):
    empty, folder = tmp_path / "empty.json", tmp_path / "kept"
    empty.touch()
    with pytest.raises(ValueError, match=r"empty\.json: the file is empty"):
        keep_previous(empty, folder)
    with pytest.raises(ValueError, match=r"empty\.json: is a file: a folder for exports is wanted"):
        keep_previous(export, empty)
    (folder / "export.json").mkdir(parents=True)
    with pytest.raises(ValueError, match=r"export\.json: is a folder"):
        keep_previous(export, folder)
    assert list(folder.iterdir()) == [folder / "export.json"]
