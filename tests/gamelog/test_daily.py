"""Daily files: names, round trip, errors that name file, row and value, and writing that cannot be half done."""

import json
import os
from datetime import date
from pathlib import Path

import pytest

from ludometrics.gamelog import Game, day_of_file, file_name, read_day, read_games, write_day
from ludometrics.provenance import sidecar

CASES = json.loads((Path(__file__).parents[1] / "data" / "gamelog" / "bad_days.json").read_text())
DAY = date(2026, 9, 1)
GAMES = [
    Game("Ann", "Computer (Medium)", "draw", "medium", "A"),
    Game("José", "Ann", "w"),
    Game("Computer (High)", "Straße O'Neil-(x.y)", "b", "hard"),
]


@pytest.mark.parametrize(
    "name",
    [
        "scores-2026-02-30.json",
        "scores-2026-9-1.json",
        "scores-2026-09-01.json.bak",
        "scores-old.json",
        "scores-２０２６-09-01.json",
        "scores-2026-09-01.json\n",
        "Scores-2026-09-01.json",
        "scores-0000-01-01.json",
    ],
)
def test_other_file_names_have_no_day(name):
    assert day_of_file(name) is None


def test_leap_day():
    assert day_of_file(file_name(date(2028, 2, 29))) == date(2028, 2, 29)
    assert day_of_file("scores-2026-02-29.json") is None


def test_round_trip(tmp_path):
    path = write_day(tmp_path, DAY, GAMES)
    assert path.name == "scores-2026-09-01.json" and read_day(path) == GAMES
    rows = json.loads(path.read_text(encoding="utf-8"))
    assert rows[1] == {"black": "José", "white": "Ann", "winner": "w"}
    assert os.listdir(tmp_path) == [path.name]


def test_a_day_without_games(tmp_path):
    assert read_day(write_day(tmp_path, DAY, [])) == []


def test_folder_is_read_by_day_and_order(tmp_path):
    write_day(tmp_path, date(2026, 9, 2), GAMES[1:])
    write_day(tmp_path, DAY, GAMES[:1])
    (tmp_path / "scores-old.json").write_text("no JSON")
    (tmp_path / "scores-2026-09-03.json").mkdir()
    assert read_games(tmp_path) == [(DAY, GAMES[0]), *((date(2026, 9, 2), game) for game in GAMES[1:])]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["desc"])
def test_bad_files_are_named(tmp_path, case):
    path = tmp_path / file_name(DAY)
    path.write_bytes(bytes.fromhex(case["hex"]) if "hex" in case else case["text"].encode())
    with pytest.raises(ValueError) as caught:
        read_day(path)
    assert path.name in str(caught.value) and case["message"] in str(caught.value)


def test_a_bad_game_writes_nothing(tmp_path):
    write_day(tmp_path, DAY, GAMES)
    with pytest.raises(ValueError, match="game 2: winner is 'black'"):
        write_day(tmp_path, DAY, [GAMES[0], Game("Ann", "Bob", "black")])
    assert read_day(tmp_path / file_name(DAY)) == GAMES
    assert len(os.listdir(tmp_path)) == 1


@pytest.mark.parametrize("step", ["fsync", "chmod", "replace"])
def test_a_crash_leaves_the_old_file(tmp_path, monkeypatch, step):
    write_day(tmp_path, DAY, GAMES)

    def crash(*_):
        raise OSError("disk full")

    monkeypatch.setattr(sidecar.os, step, crash)
    with pytest.raises(OSError, match="disk full"):
        write_day(tmp_path, DAY, GAMES[:1])
    monkeypatch.undo()
    assert read_day(tmp_path / file_name(DAY)) == GAMES
    assert len(os.listdir(tmp_path)) == 1


def test_a_folder_that_is_not_there_is_not_made(tmp_path):
    with pytest.raises(FileNotFoundError, match="no such folder of games"):
        write_day(tmp_path / "misspelt", DAY, GAMES)
    assert os.listdir(tmp_path) == []


def test_more_levels_where_they_are_named(tmp_path):
    game = Game("Ann", "Computer (7)", "b", level="7")
    with pytest.raises(ValueError, match="level is '7'"):
        write_day(tmp_path, DAY, [game])
    assert read_day(write_day(tmp_path, DAY, [game], levels=("7",)), levels=("7",)) == [game]


@pytest.mark.skipif(os.name != "posix", reason="modes of files are POSIX")
def test_an_existing_file_keeps_its_mode(tmp_path):
    path = write_day(tmp_path, DAY, GAMES)
    path.chmod(0o640)
    write_day(tmp_path, DAY, GAMES)
    assert path.stat().st_mode & 0o777 == 0o640
