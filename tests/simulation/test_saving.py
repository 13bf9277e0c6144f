"""Saved simulations: the daily files, the marker, and folders that are refused."""

import json
import os
from datetime import date

import pytest
from click.testing import CliRunner

from ludometrics.gamelog import Game, read_day, read_games, write_day
from ludometrics.simulation import saving
from ludometrics.simulation.__main__ import main
from ludometrics.simulation.saving import FolderInUseError, save_days

DAY = date(2026, 9, 1)
GAMES = [(DAY, Game("Ann", "Bob", "b")), (date(2026, 9, 2), Game("Bob", "Ann", "draw"))]
LEVELS = ("easy", "medium", "hard")


def save(folder, games=GAMES, **parameters):
    return save_days(folder, games, parameters=parameters, levels=LEVELS)


def listing(folder):
    return {path.name: path.read_bytes() for path in sorted(folder.iterdir())}


def test_round_trip_and_marker(tmp_path):
    folder = tmp_path / "new" / "sim_data"
    save(folder, seed=7)
    assert read_games(folder) == GAMES
    marker = json.loads((folder / "simulated.json").read_text())
    assert marker["parameters"] == {"seed": 7} and marker["complete"] is True
    assert list(marker["files"]) == ["scores-2026-09-01.json", "scores-2026-09-02.json"]


def test_a_second_run_replaces_the_first(tmp_path):
    save(tmp_path)
    save(tmp_path, GAMES[:1])
    assert sorted(os.listdir(tmp_path)) == ["scores-2026-09-01.json", "simulated.json"]
    first = listing(tmp_path)
    save(tmp_path, GAMES[:1])
    assert listing(tmp_path) == first


def test_real_games_are_never_touched(tmp_path):
    write_day(tmp_path, date(2026, 11, 30), [Game("Ann", "Bob", "w")])
    before = listing(tmp_path)
    with pytest.raises(FolderInUseError, match=r"scores-2026-11-30\.json was not simulated here"):
        save(tmp_path)
    assert listing(tmp_path) == before


def test_a_real_game_added_to_a_simulated_day_is_never_lost(tmp_path):
    save(tmp_path)
    write_day(tmp_path, DAY, [GAMES[0][1], Game("Eve", "Bob", "w")])
    before = listing(tmp_path)
    with pytest.raises(FolderInUseError, match="changed since"):
        save(tmp_path)
    assert listing(tmp_path) == before


def test_an_odd_daily_file_counts_as_real(tmp_path):
    (tmp_path / "scores-old.json").write_text("[]")
    with pytest.raises(FolderInUseError, match=r"scores-old\.json"):
        save(tmp_path)


@pytest.mark.parametrize("content", ["{}", "nonsense", '{"files": 3}', "[]"])
def test_another_programs_marker_is_refused(tmp_path, content):
    (tmp_path / "simulated.json").write_text(content)
    with pytest.raises(FolderInUseError, match="no marker"):
        save(tmp_path)


def test_a_marker_cannot_name_files_elsewhere(tmp_path):
    other = tmp_path / "other" / "scores-2026-01-01.json"
    other.parent.mkdir()
    other.write_text("[]")
    folder = tmp_path / "sim"
    folder.mkdir()
    (folder / "simulated.json").write_text(json.dumps({"files": {"../other/scores-2026-01-01.json": ["x"]}}))
    save(folder)
    assert other.exists()


@pytest.mark.parametrize("writes", [1, 2])
def test_a_run_cut_short_leaves_a_folder_for_the_next(tmp_path, monkeypatch, writes):
    save(tmp_path, [(DAY, Game("Old", "Bob", "b")), *GAMES[1:]])
    left = iter([True] * (writes - 1))

    def crash(*arguments, **options):
        if next(left, False):
            return write_day(*arguments, **options)
        raise OSError("disk full")

    monkeypatch.setattr(saving, "write_day", crash)
    with pytest.raises(OSError, match="disk full"):
        save(tmp_path)
    monkeypatch.undo()
    assert json.loads((tmp_path / "simulated.json").read_text())["complete"] is False
    save(tmp_path)
    assert read_games(tmp_path) == GAMES


def test_a_game_that_cannot_be_saved_writes_nothing(tmp_path):
    with pytest.raises(ValueError, match="level is 'top'"):
        save(tmp_path, [*GAMES, (date(2026, 9, 3), Game("Ann", "Bob", "b", "top"))])
    assert not list(tmp_path.iterdir())


def invoke(*arguments):
    return CliRunner().invoke(main, ["draughts-days", *map(str, arguments)])


def test_command_writes_days_and_repeats(tmp_path):
    done = [invoke("--out", tmp_path / name, "--days", 1, "--seed", 3) for name in ("one", "two")]
    assert done[0].exit_code == 0, done[0].output
    assert "32 games in 1 files" in done[0].output and "Computer (High)" in done[0].output
    assert "Distance from even, days 1-1" in done[0].output
    assert listing(tmp_path / "one") == listing(tmp_path / "two")
    games = read_day(tmp_path / "one" / "scores-2026-09-01.json")
    assert len(games) == 32 and {game.level for game in games} == {None, *LEVELS}


def test_command_plays_the_fair_design(tmp_path):
    done = invoke("--out", tmp_path, "--design", "fair")
    assert done.exit_code == 0, done.output
    assert "256 games in 1 file in" in done.output and "Version B" in done.output
    games = read_day(tmp_path / "scores-2026-10-01.json")
    assert [game.variant for game in games].count("A") == 128


def test_command_refuses_in_one_line_with_status_2(tmp_path):
    write_day(tmp_path, date(2026, 11, 30), [Game("Ann", "Bob", "w")])
    before = listing(tmp_path)
    done = invoke("--out", tmp_path, "--days", 1)
    assert done.exit_code == 2 and "was not simulated here" in done.output and "Traceback" not in done.output
    assert listing(tmp_path) == before
    (tmp_path / "file").write_text("x")
    assert invoke("--out", tmp_path / "file").exit_code == 2
    for bad in (("--days", 0), ("--rule", "best"), ("--seed", -1), ("--design", "unfair")):
        assert invoke("--out", tmp_path / "new", *bad).exit_code == 2
    assert not (tmp_path / "new").exists()
