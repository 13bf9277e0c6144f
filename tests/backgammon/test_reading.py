"""Folders of mixed files: what is read, what is left out and said, and that no file stops the others."""

import gzip
import json
import os
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from gva_match import gva_match
from ludometrics.backgammon import reading
from ludometrics.backgammon.reading import MOST_MATCH_BYTES, problem_table, read_library
from ludometrics.backgammon.record_files import write_records
from ludometrics.backgammon.record_json import json_bytes
from ludometrics.backgammon.records import Library
from ludometrics.backgammon.side_tables import read_match_table
from record_worlds import record_world

pytest.importorskip("gvformat")
DATA = Path(__file__).parents[1] / "data" / "backgammon"
MATCH = ("gnubg_match.txt", "gnubg_match_002.txt", "gnubg_match_003.txt")


def put(folder: Path, *names: str, suffix: str = "") -> Path:
    """Copies of files that GNU Backgammon wrote, packed where the suffix says so."""
    folder.mkdir(parents=True, exist_ok=True)
    for name in names:
        content = (DATA / name).read_bytes()
        (folder / f"{name}{suffix}").write_bytes(gzip.compress(content) if suffix else content)
    return folder


def content_of(library: Library) -> bytes:
    return json_bytes(library) + repr(library.problems).encode()


def reasons(library: Library) -> dict[str, str]:
    return {Path(problem.source).name: problem.reason for problem in library.problems}


def test_mixed_folder(tmp_path):
    put(tmp_path / "gnubg", *MATCH)
    put(tmp_path / "gnubg" / "packed", "gnubg_session.sgf", suffix=".gz")
    (tmp_path / "analysis.gva").write_text(json.dumps(gva_match()), encoding="utf-8")
    write_records(record_world(1), tmp_path / "ours.csv.gz")
    (tmp_path / "notes.txt").write_text("Bring the clock.")
    (tmp_path / "matches.csv").write_text("match,date\ngnubg_match,2026-01-02\n")
    (tmp_path / ".hidden.sgf").write_text("(")
    library = read_library(tmp_path)
    names = [Path(match.source).name for match in library.matches]
    assert names == ["analysis.gva", "gnubg_match.txt", "gnubg_session.sgf.gz", "b.txt", "b.txt", "b.txt"]
    assert reasons(library)["notes.txt"] == "it is no file of matches that can be read here"
    assert set(np.unique(library.decisions.match)) == {0, 1, 2, 3, 4}
    table = problem_table(library)
    assert list(table.columns) == ["file", "where", "reason"]
    assert len(table) == len(library.problems)
    dated = read_library(tmp_path, matches=tmp_path / "matches.csv")
    assert dated.matches[1].date == "2026-01-02"
    assert content_of(
        read_library([tmp_path], matches=read_match_table(tmp_path / "matches.csv"))
    ) == content_of(dated)


def test_order_of_the_files_does_not_matter(tmp_path):
    put(tmp_path, *MATCH, "gnubg_session.txt", "gnubg_session_002.txt", "gnubg_match.sgf", "gnubg_match.mat")
    (tmp_path / "bad.gva").write_text("{")
    files = sorted(tmp_path.iterdir())
    wanted = content_of(read_library(files))
    assert content_of(read_library(files[::-1])) == wanted
    assert content_of(read_library([*files[3:], *files[:3], tmp_path, files[0]])) == wanted
    assert content_of(read_library(tmp_path)) == wanted


@pytest.mark.parametrize("suffix", ["", ".gz"])
def test_games_of_a_match_belong_together(tmp_path, suffix):
    library = read_library(put(tmp_path, *MATCH, suffix=suffix))
    (match,) = library.matches
    assert Path(match.source).name == f"gnubg_match.txt{suffix}"
    assert set(library.decisions.game.tolist()) == {1, 2, 3}
    plain = read_library(DATA / "gnubg_match.txt").decisions
    assert set(plain.game.tolist()) == {1}


def test_the_copy_that_says_most_is_kept(tmp_path):
    """The moves alone, five candidates, every candidate: the last one is kept, and what it lacks taken over."""
    put(tmp_path, *MATCH, "gnubg_match.mat", "gnubg_match.sgf")
    library = read_library(tmp_path)
    (match,) = library.matches
    assert Path(match.source).name == "gnubg_match.sgf"
    for name in ("gnubg_match.mat", "gnubg_match.txt"):
        assert reasons(library)[name] == f"the same match as {match.source}, left out"
    only_moves = read_library(tmp_path / "gnubg_match.mat")
    assert only_moves.matches[0].key == match.key
    write_records(
        replace(only_moves, matches=(replace(only_moves.matches[0], round="Final"),)), tmp_path / "a.json"
    )
    assert read_library(tmp_path).matches == (replace(match, round="Final"),)


def test_what_is_named_counts_whatever_its_name(tmp_path):
    for name, content in (
        ("a.xg", (DATA / "gnubg_match.sgf").read_bytes()),
        ("b", json.dumps(gva_match()).encode()),
    ):
        (tmp_path / name).write_bytes(content)
    assert len(read_library(tmp_path).matches) == 2


def test_nothing_stops_the_others(tmp_path):
    put(tmp_path, *MATCH)
    (tmp_path / "empty.sgf").touch()
    (tmp_path / "zeros.xg").write_bytes(bytes(5000))
    (tmp_path / "cut.sgf").write_bytes((DATA / "gnubg_match.sgf").read_bytes()[:900])
    (tmp_path / "cut.txt.gz").write_bytes(gzip.compress((DATA / MATCH[0]).read_bytes())[:2000])
    (tmp_path / "damaged.gz").write_bytes(b"\x1f\x8b\x08" + b"\xff" * 40)
    (tmp_path / "foreign.xg").write_bytes(b"PK\3\4 zip")
    (tmp_path / "wrong.csv").write_text("match,game,seat,kind,board\nm,1,0,checker,here\n")
    (tmp_path / "wrong.json").write_text('{"format": "ludometrics.backgammon.decisions", "version": 9}')
    with open(tmp_path / "large.sgf", "wb") as file:
        file.write((DATA / "gnubg_match.sgf").read_bytes()[:2000])
        file.truncate(MOST_MATCH_BYTES + (1 << 20))  # sparse
    library = read_library(tmp_path)
    assert "gnubg_match.txt" in [Path(match.source).name for match in library.matches]
    said = reasons(library)
    assert said["empty.sgf"] == said["zeros.xg"] == "it is empty"
    assert said["cut.txt.gz"].endswith("the packed file is cut short")
    assert said["damaged.gz"].startswith("it cannot be unpacked")
    assert "it is none of .xg" in said["foreign.xg"]
    assert said["wrong.csv"].startswith("row 2: ")
    assert said["wrong.json"].startswith("format is ")
    assert said["large.sgf"] == "it has 65 MB, allowed are 64"
    assert "cut.sgf" in said
    assert [problem.source for problem in library.problems if problem.source == ""] == []


def test_paths_that_are_none(tmp_path):
    library = read_library([tmp_path / "nowhere", tmp_path])
    assert [problem.reason for problem in library.problems] == ["there is no such file or folder"]
    assert library.matches == () and len(library.decisions) == 0
    assert problem_table(library).shape == (1, 3)


def test_links_and_pipes(tmp_path):
    outside = put(tmp_path / "outside", "gnubg_session.sgf")
    folder = put(tmp_path / "folder", *MATCH)
    (folder / "out.sgf").symlink_to(outside / "gnubg_session.sgf")
    (folder / "again.txt").symlink_to(folder / MATCH[0])
    (folder / "round").symlink_to(folder)
    (folder / "lost.sgf").symlink_to(folder / "nothing.sgf")
    os.mkfifo(folder / "pipe.sgf")
    library = read_library(folder)
    assert len(library.matches) == 1
    said = reasons(library)
    assert said["out.sgf"] == "a link out of the folder, not followed"
    assert said["round"] == "a link to a folder, not followed"
    assert said["pipe.sgf"] == "it is no regular file"
    assert said["lost.sgf"] == "there is no such file or folder"
    assert len(read_library(folder / "out.sgf").matches) == 1  # named by hand


def test_files_that_may_not_be_read(tmp_path, monkeypatch):
    put(tmp_path, *MATCH)

    def refuse(file):
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(reading, "head_of", refuse)
    library = read_library(tmp_path)
    assert set(reasons(library).values()) == {"it cannot be opened: Permission denied"}
    assert len(library.problems) == 3


def test_unexpected_faults_of_readers_are_reported(tmp_path, monkeypatch):
    put(tmp_path, *MATCH, "gnubg_session.sgf")

    def fail(sources):
        raise ZeroDivisionError("odd")

    monkeypatch.setattr(reading, "read_gnubg_text", fail)
    library = read_library(tmp_path)
    assert len(library.matches) == 1
    assert reasons(library)["gnubg_match.txt"] == "it cannot be read: ZeroDivisionError: odd"


def test_without_the_package(tmp_path, monkeypatch):
    put(tmp_path, *MATCH, "gnubg_match.mat")
    monkeypatch.setitem(sys.modules, "gvformat", None)
    library = read_library(tmp_path)
    assert len(library.matches) == 1
    assert 'pip install "ludometrics[backgammon]"' in reasons(library)["gnubg_match.mat"]


def test_progress_is_shown_where_wanted(tmp_path, capsys):
    put(tmp_path, *MATCH)
    read_library(tmp_path)
    assert capsys.readouterr().err == ""
    read_library(tmp_path, progress=True)
    assert "reading" in capsys.readouterr().err


def test_real_folder():
    """Matches of three programs, and many files that are none; two matches lie there twice in other formats."""
    folder = os.environ.get("LUDOMETRICS_EXTRA_DATA")
    if not folder or not Path(folder, "backgammon").is_dir():
        pytest.skip("LUDOMETRICS_EXTRA_DATA names no folder with backgammon: 1 folder of matches skipped")
    library = read_library(Path(folder, "backgammon"))
    names = [Path(match.source).name.split(".")[0] for match in library.matches]
    assert {"match8067917", "match10041414", "5nqfGw9bWG3deTaU"} <= set(names)
    copies = [
        problem.source for problem in library.problems if problem.reason.startswith("the same match as")
    ]
    assert sorted(Path(name).name for name in copies)[-2:] == ["match10041414.txt", "match8067917.txt"]
    assert len(set(names)) == len(names)
