"""The command line: what it says and its exit statuses."""

import json
import re
import subprocess
import sys
from datetime import date
from pathlib import Path

import pytest
from click.testing import CliRunner

from ludometrics.gamelog.__main__ import main
from ludometrics.gamelog.daily import Game, file_name, write_day
from ludometrics.gamelog.finding import find_name
from ludometrics.gamelog.lock import FolderBusyError
from ludometrics.gamelog.store import today

TODAY = today("UTC")


def fill(folder: Path) -> Path:
    folder.mkdir()
    write_day(
        folder, date(2026, 9, 1), [Game("Ann", "Computer (Low)", "b", "easy"), Game("José", "Ann", "w")]
    )
    write_day(folder, TODAY, [Game("ANN", "Bob", "draw")])
    return folder


def run(*arguments: object, status: int = 0, stdin: str | None = None):
    done = CliRunner().invoke(main, [str(argument) for argument in arguments], input=stdin)
    assert done.exit_code == status, done.output + repr(done.exception)
    assert done.exception is None or isinstance(done.exception, SystemExit)
    return done


def test_check(tmp_path):
    folder = fill(tmp_path / "data")
    assert "3 rated games in 2 files; left out: 0 games, 0 whole files" in run("check", folder).output
    (folder / "scores-2026-09-02.json").write_text('[{"black": "Ann", "white": "Ann", "winner": "b"}]')
    (folder / "scores-2026-09-03.json").write_bytes(bytes(1408))
    (folder / "scores-old.json").write_text("[]")
    output = run("check", folder, status=1).output
    assert "scores-2026-09-02.json, game 1: " in output and "plays against itself" in output
    assert "scores-2026-09-03.json: " in output and "NUL" in output and "scores-old.json: " in output
    assert "left out: 1 game, 2 whole files" in output


def test_scores(tmp_path):
    folder = fill(tmp_path / "data")
    output = run("scores", folder, "--day", "2026-09-01", "--time-zone", "UTC").output
    assert output.splitlines()[0] == "2026-09-01, days in UTC"
    assert [line.split()[:3] for line in output.splitlines()[2:]] == [
        ["1", "ANN", "2"],
        ["2", "Computer", "(Low)"],
        ["3", "José", "1"],
    ]
    assert "ANN" in run("scores", folder, "--time-zone", "UTC").output
    assert "No rated games" in run("scores", folder, "--day", "2026-09-02").output


def test_ratings(tmp_path):
    folder = fill(tmp_path / "data")
    output = run("ratings", folder, "--prove").output
    assert re.search(r"1 +ANN +12\d\d\* +3 +\d{4} +\d+ to \d{4}\n", output)
    (folder / "scores-2026-09-03.json").write_text("")
    done = run("ratings", folder)
    assert done.output.endswith("1 file or game left out: see `check`\n")
    (tmp_path / "empty").mkdir()
    assert "No rated games yet" in run("ratings", tmp_path / "empty").output


def test_export(tmp_path):
    folder = fill(tmp_path / "data")
    out = tmp_path / "games.csv"
    assert "2 rows in" in run("export", folder, "--out", out, "--to", "2026-09-01", "--pseudonyms").output
    assert find_name("Ann", [out]) == () and (tmp_path / "games.json").exists()
    assert "must end in .csv" in run("export", folder, "--out", tmp_path / "x.txt", status=2).output
    run("export", folder, "--out", tmp_path / "none" / "x.csv", status=2)
    run("export", folder, "--out", out, "--what", "names", status=2)


def test_expire(tmp_path):
    folder = fill(tmp_path / "data")
    (folder / "scores-2020-01-01.json").write_text("[]")
    output = run("expire", folder, 365).output
    assert "scores-2020-01-01.json: 0 games" in output and "trial run" in output
    assert (folder / "scores-2020-01-01.json").exists()
    run("expire", folder, 365, "--dry-run")
    assert (folder / "scores-2020-01-01.json").exists()
    assert "trial run" not in run("expire", folder, 365, "--yes").output
    assert not (folder / "scores-2020-01-01.json").exists() and (folder / file_name(TODAY)).exists()
    run("expire", folder, 365, "--yes")


@pytest.mark.parametrize("days", ["-1", "0", "1.5", "ninety", "99999999999999999999", "1_0", "９０"])
def test_days_that_are_none(tmp_path, days):
    folder = fill(tmp_path / "data")
    run("expire", folder, "--yes", "--", days, status=2)
    assert (folder / file_name(TODAY)).exists()


def test_forget(tmp_path):
    folder = fill(tmp_path / "data")
    output = run("forget", folder, "ann").output
    assert (
        "3 games in 2 files would be changed" in output
        and "trial run" in output
        and find_name("ann", [folder])
    )
    output = run("forget", folder, "-", "--yes", "--operator", "secretary", stdin="aNN\n").output
    assert (
        re.search(r"The name is now \(removed-[0-9a-f]{8}\)\.", output)
        and "ann" not in output.casefold().split()
    )
    assert find_name("ann", [folder]) == ()
    (entry,) = [json.loads(line) for line in (folder / "audit.jsonl").read_text().splitlines()]
    assert entry["operator"] == "secretary"
    assert "no saved game" in run("forget", folder, "ann", "--yes", status=3).output
    run("forget", folder, "ann", "--yes", "--allow-unknown")
    assert "deleted" in run("forget", folder, "josé", "--yes", "--drop").output


def test_statuses_of_forget(tmp_path):
    folder = fill(tmp_path / "data")
    assert "cannot be removed" in run("forget", folder, "computer (LOW)", "--yes", status=2).output
    run("forget", folder, " ", status=2)
    run("forget", tmp_path / "none", "ann", status=2)
    run("forget", folder, "ann", "--time-zone", "Mars", status=2)
    run("forget", folder, "ann", "--also", tmp_path / "none", status=2)
    (folder / "scores-2026-09-04.json").write_text('[{"black": "Ann"')
    assert "Nothing was changed" in run("forget", folder, "ann", "--yes", status=4).output
    run("forget", folder, "ann", "--yes", "--allow-unknown", status=4)
    (folder / "scores-2026-09-04.json").rename(tmp_path / "old.bak")
    output = run("forget", folder, "ann", "--yes", "--also", tmp_path / "old.bak", status=5).output
    assert "old.bak" in output
    run("forget", folder, "ann", "--yes", "--also", tmp_path / "old.bak", "--allow-unknown", status=5)


def test_a_busy_folder(tmp_path, monkeypatch):
    def busy(folder, **_):
        raise FolderBusyError(f"{folder}: another program held it; try again")

    monkeypatch.setattr("ludometrics.gamelog.forgetting.held_alone", busy)
    assert "try again" in run("forget", fill(tmp_path / "data"), "ann", "--yes", status=1).output


def test_find_name(tmp_path):
    folder = fill(tmp_path / "data")
    output = run("find-name", "josé", folder, status=1).output
    assert "scores-2026-09-01.json (row 2): the name, 1 x" in output and "files searched" in output
    assert "searched" in run("find-name", "Nobody", folder).output
    run("find-name", "-", folder, stdin="Jose\u0301\n", status=1)
    run("find-name", "", folder, status=2)
    run("find-name", "josé", tmp_path / "none", status=2)
    run("find-name", "josé", status=2)


@pytest.mark.parametrize("command", [None, *main.commands])
def test_help(command):
    output = run(*filter(None, [command]), "--help").output
    assert "Usage" in output and (command is None or "DIR" in output or "PATH" in output)


def test_as_a_program(tmp_path):
    folder = fill(tmp_path / "data")
    done = subprocess.run(
        [sys.executable, "-m", "ludometrics.gamelog", "find-name", "José", str(folder)],
        capture_output=True,
        env={"PYTHONIOENCODING": "ascii", "PATH": ""},
    )
    assert done.returncode == 1 and b"2 files searched" in done.stdout and done.stderr == b""
