"""The command line: everything in one run, all of it written or nothing, and one line for what is wrong."""

import csv
import io
import json
import os
import re
import shutil
import subprocess
import sys
import zipfile
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import yaml
from click.testing import CliRunner

from ludometrics.boardgames.__main__ import main
from ludometrics.boardgames.command import KEPT
from ludometrics.boardgames.outputs import write_together
from ludometrics.boardgames.payload_check import check_payload
from ludometrics.boardgames.records import Game, Person, Play, PlayLog, Seat
from ludometrics.boardgames.settings_text import read_settings
from ludometrics.boardgames.summary import align
from ludometrics.simulation.boardgame_export import compose_export, write_export
from ludometrics.simulation.boardgame_groups import simulate_group
from ludometrics.simulation.boardgame_worlds import GroupWorld

ROOT = Path(__file__).resolve().parents[2]
DATA = ROOT / "data"
SAMPLE = DATA / "board_night_sample.json"
TABLES = ("--complexity", DATA / "board_night_complexity.csv", "--skill", DATA / "board_night_skill.csv")
FILES = {
    "dashboard.html",
    "head_to_head.csv",
    "leaderboard.csv",
    "payload.json",
    "plays.csv",
    "rejected.csv",
    "weights.csv",
}
SMALL = GroupWorld(people=8, games=5, cooperative_games=1, plays=40, years=1.0, guests=0.2, lowest_games=1)
REAL = ("export_1550.json", "export_560.json", "export_old_596.json", "export_trimmed_118.json")


def call(*arguments):
    result = CliRunner().invoke(main, [str(argument) for argument in arguments])
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exc_info
    return result


def refused(*arguments):
    """The one line that an input gets which cannot be used."""
    result = call(*arguments)
    assert result.exit_code == 2 and result.stdout == "", result.output
    lines = result.stderr.splitlines()
    assert len(lines) == 1 and lines[0].startswith("Error: "), result.stderr
    return lines[0].removeprefix("Error: ")


def tree(folder):
    """Every file below a folder with its content."""
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def rows(path):
    content = path.read_bytes()
    # Without its mark a spreadsheet would take the encoding for another; tables with sidecars are for programs.
    assert content.startswith(b"\xef\xbb\xbf") or path.with_suffix(".json").exists()
    return list(csv.DictReader(io.StringIO(content.decode("utf-8-sig"))))


def write_log(plays, path, people="ab", **fields):
    """An export of a log with one game; plays as tuples of (key, seats)."""
    from datetime import datetime, timedelta

    start = datetime(2024, 1, 1, 20)
    made = tuple(
        Play(f"play{number:04d}", "g", start + timedelta(days=number), start + timedelta(days=number), seats)
        for number, seats in enumerate(plays)
    )
    log = PlayLog(
        {"g": Game("g", "Game", 9000001, **fields)}, {key: Person(key, key.upper()) for key in people}, made
    )
    return write_export(log, path, rng=np.random.default_rng(1))


@pytest.fixture(scope="module")
def small(tmp_path_factory):
    log = simulate_group(SMALL, rng=np.random.default_rng(1)).log
    return write_export(log, tmp_path_factory.mktemp("small") / "group.json", rng=np.random.default_rng(1))


@pytest.fixture(scope="module")
def done(tmp_path_factory):
    """A run over the sample, and what it printed."""
    folder = tmp_path_factory.mktemp("run") / "out"
    return folder, call(SAMPLE, *TABLES, "--out", folder)


@pytest.fixture(scope="module")
def payload(done):
    return json.loads((done[0] / "payload.json").read_bytes())


# Everything at once


def test_everything_is_made(done, payload):
    folder, result = done
    assert result.exit_code == 0 and result.stderr == ""
    assert {path.name for path in folder.iterdir()} == FILES | {KEPT}
    assert (folder / KEPT / SAMPLE.name).read_bytes() == SAMPLE.read_bytes()
    check_payload(payload, rounded=True)
    page = (folder / "dashboard.html").read_text(encoding="utf-8")
    assert page.startswith("<!doctype html>") or page.startswith("<!DOCTYPE html>")
    assert payload["group"]["games_without_weight"] == 0 and len(payload["checks"]) == 6
    assert {row["measure"] for row in payload["judgement"]} >= {"log_loss", "brier", "slope"}


def test_the_summary_says_what_counts(done, payload):
    text, group = done[1].stdout, payload["group"]
    assert f"{group['plays_logged']} plays logged, {group['plays_rated']} rated" in text
    assert f"Not rated: {group['plays_logged'] - group['plays_rated']} plays" in text
    for row in payload["rejections"]:
        assert re.search(rf"^ *{row['plays']}  {re.escape(row['meaning'])}$", text, re.MULTILINE)
    for row in payload["players"]:
        assert f"{row['rating']:.0f}  {row['low']:.0f} to {row['high']:.0f}" in re.sub("  +", "  ", text)
    assert "2 people are called 'Tam Meeple'" in text and "a coin has 0.693" in text
    assert all(row["check"] in text and row["note"] in text for row in payload["checks"])


def test_the_tables_are_those_of_the_payload(done, payload):
    folder = done[0]
    board = rows(folder / "leaderboard.csv")
    assert [row["name"] for row in board] == [row["name"] for row in payload["players"]]
    assert [float(row["rating"]) for row in board] == [row["rating"] for row in payload["players"]]
    left = rows(folder / "rejected.csv")
    assert [row["play"] for row in left] == [row["id"] for row in payload["play_log"] if not row["rated"]]
    assert all(row["meaning"] and row["reason"] for row in left)
    plays = rows(folder / "plays.csv")
    assert len(plays) == sum(len(row["seats"]) for row in payload["play_log"])
    moves = {
        (event["play"], seat["player"]): seat["change"]
        for event in payload["events"]
        for seat in event["seats"]
        if seat["player"]
    }
    name = {row["id"]: row["name"] for row in payload["players"]}
    found = {(row["play"], row["player"]): float(row["change"]) for row in plays if row["change"]}
    assert found == {(play, name[who]): change for (play, who), change in moves.items()}
    assert len(rows(folder / "head_to_head.csv")) == len(payload["head_to_head"])
    assert [row["game"] for row in rows(folder / "weights.csv")] == [row["name"] for row in payload["games"]]


def test_another_order_in_the_file_gives_the_same_bytes(small, tmp_path):
    content = json.loads(small.read_bytes())
    for table in ("games", "players", "plays", "locations"):
        content[table].reverse()
    (tmp_path / "other").mkdir()
    shuffled = tmp_path / "other" / small.name
    shuffled.write_text(json.dumps(content, ensure_ascii=False), encoding="utf-8")
    call("run", "--out", tmp_path / "one", small)
    call("--out", tmp_path / "two", shuffled)
    one, two = (tree(tmp_path / name) for name in ("one", "two"))
    assert FILES <= set(one) and all(one[name] == two[name] for name in FILES)


def test_the_module_runs_as_a_program_whatever_the_terminal(tmp_path):
    environment = os.environ | {"PYTHONIOENCODING": "ascii", "COLUMNS": "40"}
    command = [sys.executable, "-m", "ludometrics.boardgames", str(SAMPLE), "--out", "out"]
    ran = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True)
    assert ran.returncode == 0 and ran.stderr == "", ran.stderr
    assert "319 plays logged" in ran.stdout and "Zo\\xeb" in ran.stdout
    assert {path.name for path in (tmp_path / "out").iterdir()} == FILES | {KEPT}


# Choices


@pytest.mark.parametrize("names", ["initials", "pseudonyms"])
def test_no_real_name_stands_in_what_is_made(names, small, tmp_path):
    log = json.loads(small.read_bytes())
    for number, person in enumerate(log["players"]):
        person["name"] = f"Zaphkiel{number} Quorvath"
    for location in log["locations"]:
        location["name"] = "Zaphkiel's house"
    export = tmp_path / "Quorvath.json"
    export.write_text(json.dumps(log))
    result = call(export, "--out", tmp_path / "out", "--names", names, "--publish", tmp_path)
    assert result.exit_code == 0
    made = tree(tmp_path / "out") | {"site": (tmp_path / "board-night.json").read_bytes()}
    for name, content in made.items():
        if not name.startswith(KEPT):
            assert b"Zaphkiel" not in content and b"Quorvath" not in content, name
            assert not any(person["uuid"].lower().encode() in content.lower() for person in log["players"])
    # What the terminal shows is of those who ran it, but names are as wanted there too.
    assert "Zaphkiel" not in result.stdout


def test_a_season_is_rated_by_itself(small, tmp_path):
    whole = json.loads(small.read_bytes())
    days = sorted(play["playDate"][:10] for play in whole["plays"])
    first, last = days[10], days[30]
    result = call(small, "--out", tmp_path / "out", "--since", first, "--as-of", last, "--title", "Autumn")
    payload = json.loads((tmp_path / "out" / "payload.json").read_bytes())
    assert payload["group"]["since"] == first and payload["group"]["as_of"] == last
    assert payload["group"]["plays_logged"] == sum(first <= day <= last for day in days)
    assert result.stdout.startswith("Autumn: ")
    assert "no play lies between 2031-01-01" in refused(
        small, "--out", tmp_path / "x", "--since", "2031-01-01"
    )
    assert "the first must not be later" in refused(
        small, "--out", tmp_path / "x", "--since", last, "--as-of", first
    )


def test_settings_are_changed_by_name(small, tmp_path):
    changes = ("--preset", "bgelo", "--set", "use_margin=no", "--set", "floor=30")
    assert call(small, "--out", tmp_path / "out", *changes).exit_code == 0
    group = json.loads((tmp_path / "out" / "payload.json").read_bytes())["group"]
    assert group["preset"] == "bgelo, use_margin=no, floor=30"
    assert (group["settings"]["use_margin"], group["settings"]["floor"]) == (False, 30.0)


@pytest.mark.parametrize(
    "change, words",
    [
        ("floor", "field=value is needed"),
        ("flor=30", "'flor' is no setting; near it: 'floor'"),
        ("floor=low", "floor is 'low': a number is needed"),
        ("floor=4_5", "a number is needed"),
        ("floor=nan", "floor is nan"),
        ("floor=999", "floor <= deviation"),
        ("margin_plays=1.5", "a whole number is needed"),
        ("use_weight=2", "allowed are yes and no"),
        ("teams=mixed", "allowed are 'reject', 'across'"),
    ],
)
def test_a_setting_that_cannot_be_is_refused(change, words):
    with pytest.raises(ValueError, match=re.escape(words)):
        read_settings("tuned", [change])


def test_a_pipe_that_is_closed_is_no_refuted_check():
    command = [sys.executable, "-m", "ludometrics.boardgames", "check", str(SAMPLE)]
    reading, writing = os.pipe()
    os.close(reading)
    try:
        ran = subprocess.run(command, stdout=writing, stderr=subprocess.PIPE, text=True)
    finally:
        os.close(writing)
    assert (ran.returncode, ran.stderr) == (141, "")


def test_long_names_leave_the_rest_of_a_line_its_room(payload):
    from ludometrics.boardgames.summary import summary_lines

    names = ["N" * 40, "N" * 41, "이" * 21]
    players = [row | {"name": name} for row, name in zip(payload["players"], names, strict=False)]
    lines = [
        line for line in summary_lines(payload | {"players": players}) if " to " in line and "play" in line
    ]
    shown = [line.split()[1] for line in lines[-3:]]
    assert shown == ["N" * 40, "N" * 37 + "...", "이" * 18 + "..."]


def test_a_setting_given_twice_is_refused(small, tmp_path):
    said = refused(small, "--out", tmp_path / "out", "--set", "floor=30", "--set", "floor=40")
    assert "floor is given twice" in said and not (tmp_path / "out").exists()


def test_people_entered_twice_are_joined_and_editions_too(tmp_path):
    aliases, editions = tmp_path / "aliases.csv", tmp_path / "editions.csv"
    people = [p for p in json.loads(SAMPLE.read_bytes())["players"] if p["name"].lower().startswith("tam")]
    aliases.write_text(f"name,same_as\n{people[0]['uuid']},{people[1]['uuid']}\n")
    editions.write_text("game,base\nThimble Armada: Second Tide,Thimble Armada\n")
    out = tmp_path / "out"
    result = call(SAMPLE, "--out", out, *TABLES, "--aliases", aliases, "--editions", editions)
    payload = json.loads((out / "payload.json").read_bytes())
    assert result.exit_code == 0 and len(payload["players"]) == 9
    assert "2 people are called" not in result.stdout
    # Whoever sat there under both names is now twice at one table.
    twice = {row["reason"]: row["plays"] for row in payload["rejections"]}["duplicate_person"]
    assert twice > 1


def test_rows_of_a_table_that_name_no_game_are_told(small, tmp_path):
    skill = tmp_path / "skill.csv"
    skill.write_text("game,skill\nGame 1,0.5\nNo such game,0.5\n")
    result = call(small, "--out", tmp_path / "out", "--skill", skill)
    assert result.exit_code == 0 and "No such game is no game of the log" in result.stdout


# Weights


def test_complexities_come_from_the_cache_unless_a_table_says_otherwise(small, tmp_path):
    out, table = tmp_path / "out", tmp_path / "complexity.csv"
    out.mkdir()
    kept = {"9000001": {"complexity": 4.0, "fetched": ""}, "9000002": {"complexity": 2.0, "fetched": ""}}
    (out / "bgg_complexity.json").write_text(
        json.dumps({"schema": "ludometrics.bgg_complexity/1", "games": kept})
    )
    table.write_text("bgg_id,complexity\n9000002,3.5\n")
    assert call(small, "--out", out, "--complexity", table).exit_code == 0
    found = {row["bgg_id"]: row["complexity"] for row in rows(out / "weights.csv")}
    assert (found["9000001"], found["9000002"], found["9000003"]) == ("4.0", "3.5", "")


def test_without_a_token_nobody_is_asked_and_nothing_written(small, tmp_path, monkeypatch):
    monkeypatch.delenv("BGG_TOKEN", raising=False)
    said = refused(small, "--out", tmp_path / "out", "--refresh-weights")
    assert "BoardGameGeek answers nobody without a token" in said and not (tmp_path / "out").exists()
    assert "without a token" in refused("weights", small, "--cache", tmp_path / "cache.json")
    assert list(tmp_path.iterdir()) == []


def test_a_template_of_skill_lists_the_games_and_is_never_written_over(small, tmp_path):
    path = tmp_path / "skill.csv"
    assert call("weights", small, "--template", path).exit_code == 0
    written = rows(path)
    assert {row["game"] for row in written} <= {f"Game {n}" for n in range(1, 6)} and len(written) > 2
    path.write_text(path.read_text().replace(",\n", ",0.5\n", 1))
    before = path.read_bytes()
    assert "is there already" in refused("weights", small, "--template", path)
    assert path.read_bytes() == before
    assert "neither --template nor --cache" in refused("weights", small)


def test_a_template_of_aliases_lists_the_people(small, tmp_path):
    path = tmp_path / "aliases.csv"
    assert call("aliases", small, "--out", path).exit_code == 0
    assert {row["name"] for row in rows(path)} == {f"Person {n}" for n in range(1, 9)}
    assert "is there already" in refused("aliases", small, "--out", path)
    assert call(small, "--out", tmp_path / "out", "--aliases", path).exit_code == 0


# Several exports, and what was there before


def test_several_exports_are_one_log(tmp_path):
    log = simulate_group(SMALL, rng=np.random.default_rng(1)).log
    parts = replace(log, plays=log.plays[:25]), replace(log, plays=log.plays[15:])
    paths = [
        write_export(part, tmp_path / f"{number}.json", rng=np.random.default_rng(number))
        for number, part in enumerate(parts)
    ]
    whole = write_export(log, tmp_path / "whole.json", rng=np.random.default_rng(3))
    assert call(*paths, "--out", tmp_path / "a").exit_code == call(whole, "--out", tmp_path / "b").exit_code
    one, other = (json.loads((tmp_path / name / "payload.json").read_bytes()) for name in "ab")
    assert one["players"] == other["players"] and one["series"] == other["series"]
    assert {path.name for path in (tmp_path / "a" / KEPT).iterdir()} == {"0.json", "1.json"}
    # Copies are expected where exports overlap, and no fault.
    assert one["left_out"] and call(*paths, "--out", tmp_path / "a", "--strict").exit_code == 0


def test_what_an_export_was_before_is_kept(tmp_path):
    log = simulate_group(SMALL, rng=np.random.default_rng(1)).log
    export, out = tmp_path / "group.json", tmp_path / "out"
    write_export(replace(log, plays=log.plays[:30]), export, rng=np.random.default_rng(1))
    before = export.read_bytes()
    call(export, "--out", out)
    write_export(log, export, rng=np.random.default_rng(1))
    result = call(export, "--out", out)
    kept = [path for path in (out / KEPT).iterdir() if path.name != "group.json"]
    assert [path.read_bytes() for path in kept] == [before]
    assert f"Earlier export kept as {kept[0]}" in result.stdout
    assert (out / KEPT / "group.json").read_bytes() == export.read_bytes()
    # The kept export can be read itself.
    assert call(out / KEPT / "group.json", "--out", out).exit_code == 0


def test_two_exports_of_one_name_are_refused(small, tmp_path):
    (tmp_path / "other").mkdir()
    shutil.copy(small, tmp_path / "other" / small.name)
    said = refused(small, tmp_path / "other" / small.name, "--out", tmp_path / "out")
    assert "same name" in said and not (tmp_path / "out").exists()


def test_a_plain_table_of_plays_will_do(tmp_path):
    table = tmp_path / "plays.csv"
    lines = ["play,date,game,player,rank"]
    lines += [
        f"{n},2024-01-{n:02d},Go,{who},{r}" for n in range(1, 21) for r, who in ((1, "Ann"), (2, "Bob"))
    ]
    table.write_text("\n".join(lines) + "\n")
    result = call(table, "--out", tmp_path / "out")
    assert result.exit_code == 0 and "20 plays logged, 20 rated" in result.stdout


# Publishing


def test_the_payload_is_laid_into_a_site(small, tmp_path):
    site = tmp_path / "site"
    site.mkdir()
    (site / "board-night.json").write_text("old")
    result = call(small, "--out", tmp_path / "out", "--publish", site)
    assert f"Published as {site / 'board-night.json'}" in result.stdout
    assert tree(site) == {"board-night.json": (tmp_path / "out" / "payload.json").read_bytes()}
    call(small, "--out", tmp_path / "out", "--publish", site, "--publish-name", "night.json")
    assert set(tree(site)) == {"board-night.json", "night.json"}


@pytest.mark.parametrize("name", ["../out.json", "/out.json", "a/b.json", "..", ".json", "night.html", ""])
def test_nothing_is_published_outside_the_site(name, small, tmp_path):
    (tmp_path / "site").mkdir()
    said = refused(small, "--out", tmp_path / "out", "--publish", tmp_path / "site", "--publish-name", name)
    assert "a plain file name that ends in .json is needed" in said
    assert sorted(path.name for path in tmp_path.iterdir()) == ["site"]
    assert list((tmp_path / "site").iterdir()) == []


def test_a_site_must_be_there_and_a_link_is_not_followed(small, tmp_path):
    assert "is no folder" in refused(small, "--out", tmp_path / "out", "--publish", tmp_path / "no")
    site, other = tmp_path / "site", tmp_path / "other.json"
    site.mkdir()
    other.write_text("somebody else's")
    (site / "board-night.json").symlink_to(other)
    assert "is a link to another place" in refused(small, "--out", tmp_path / "out", "--publish", site)
    assert other.read_text() == "somebody else's" and not (tmp_path / "out").exists()


# What cannot be used


def bad_files(small, folder):
    """Files that are no exports, with what is said of each."""
    content = json.loads(small.read_bytes())
    text = small.read_text(encoding="utf-8")
    with zipfile.ZipFile(folder / "zip.json", "w") as packed:
        packed.write(small, "group.json")
    files = {
        "list.json": "[1, 2]",
        "other.json": '{"name": "pack", "version": 1}',
        "cut.json": text[: len(text) // 2],
        "empty.json": "",
        "no_plays.json": json.dumps(content | {"plays": []}),
        "words.json": "Dear all, the export is attached.",
        "strangers.json": json.dumps(content | {"players": []}),
        "notes.csv": "day,what\n2024-01-01,chess\n",
    }
    for name, own in files.items():
        (folder / name).write_text(own, encoding="utf-8")
    return {
        "list.json": "is no BG Stats export",
        "other.json": "it has no 'games'",
        "cut.json": "the file is cut off",
        "empty.json": "the file is empty",
        "no_plays.json": "plays is an empty list",
        "words.json": "not JSON at line 1",
        "strangers.json": "no playerRefId of its 40 plays",
        "notes.csv": "has no column 'play'",
        "zip.json": "is a zip",
        "missing.json": "there is no such file",
        ".": "is a folder",
    }


def test_a_file_that_is_no_export_is_told_in_one_line_and_nothing_touched(small, tmp_path):
    out, room = tmp_path / "out", tmp_path / "room"
    room.mkdir()
    assert call(small, "--out", out).exit_code == 0
    before = tree(out)
    for name, words in bad_files(small, room).items():
        said = refused(room / name, "--out", out)
        assert words in said and str(room / name) in said, said
        assert words in refused("check", room / name)
        assert words in refused("calibrate", room / name, "--out", room / "cal")
    assert tree(out) == before and not (room / "cal").exists()


@pytest.mark.parametrize("option", ["--complexity", "--skill", "--aliases", "--editions"])
def test_a_table_that_is_not_there_or_of_another_kind_is_told(option, small, tmp_path):
    out, table = tmp_path / "out", tmp_path / "table.csv"
    assert "table.csv" in refused(small, "--out", out, option, table)
    table.write_text("colour,shape\nred,round\n")
    said = refused(small, "--out", out, option, table)
    assert "table.csv" in said and "column" in said and not out.exists()


def test_unknown_references_and_rows_left_out_are_faults_where_that_is_wished(small, tmp_path):
    content = json.loads(small.read_bytes())
    content["plays"][0]["gameRefId"] = 4711
    export = tmp_path / "export.json"
    export.write_text(json.dumps(content))
    result = call(export, "--out", tmp_path / "out")
    assert result.exit_code == 0 and "names a game or a person that the log does not hold" in result.stdout
    said = refused(export, "--out", tmp_path / "strict", "--strict")
    assert "game 4711 is not in the log (--strict)" in said
    content["plays"][0] = {"uuid": "bad", "gameRefId": 1, "playDate": "long ago", "playerScores": []}
    export.write_text(json.dumps(content))
    assert "playDate is 'long ago'" in refused("check", export, "--strict")
    assert not (tmp_path / "strict").exists()
    assert call(small, "--out", tmp_path / "strict", "--strict").exit_code == 0


def test_what_is_read_is_never_written_over(small, tmp_path):
    skill = tmp_path / "weights.csv"
    skill.write_text("game,skill\nGame 1,0.5\n")
    assert "is read, and would be written over" in refused(small, "--out", tmp_path, "--skill", skill)
    assert "is read, and would be written over" in refused("check", small, "--out", small)
    assert [path.name for path in tmp_path.iterdir()] == ["weights.csv"]


def test_an_output_folder_that_cannot_be_one_is_told_before_anything_is_done(small, tmp_path):
    (tmp_path / "file").write_text("x")
    assert "is a file: a folder is needed" in refused(small, "--out", tmp_path / "file")
    (tmp_path / "out" / "plays.csv").mkdir(parents=True)
    assert "plays.csv: is a folder" in refused(small, "--out", tmp_path / "out")
    assert list((tmp_path / "out" / "plays.csv").iterdir()) == []


def test_a_failure_while_writing_leaves_what_was_there(tmp_path, monkeypatch):
    (tmp_path / "a").write_bytes(b"old")
    fsync = os.fsync
    calls = []

    def full(handle):
        calls.append(handle)
        if len(calls) == 2:
            raise OSError(28, "No space left on device")
        fsync(handle)

    monkeypatch.setattr("os.fsync", full)
    with pytest.raises(OSError, match="No space left") as caught:
        write_together({tmp_path / "a": b"new", tmp_path / "new" / "b": b"new"})
    assert caught.value.filename == str(tmp_path / "new" / "b")
    assert tree(tmp_path) == {"a": b"old"} and [path.name for path in tmp_path.iterdir()] == ["a"]


def test_a_missing_package_is_told_with_the_way_to_get_it(small, tmp_path, monkeypatch):
    for name in ("plotly", "plotly.offline"):
        monkeypatch.setitem(sys.modules, name, None)
    said = refused(small, "--out", tmp_path / "out")
    assert 'pip install "ludometrics[boardgames]"' in said and not (tmp_path / "out").exists()


def test_mistyped_commands_and_missing_options_are_told(tmp_path):
    result = call("chekc", SAMPLE)
    assert (
        result.exit_code == 2 and "'chekc' is neither a command nor a file; near it: 'check'" in result.stderr
    )
    result = call(SAMPLE)
    assert result.exit_code == 2 and "Missing option '--out'" in result.stderr
    assert call("--help").exit_code == call("run", "--help").exit_code == 0


def test_names_that_a_terminal_would_obey_are_shown_as_text(small, tmp_path):
    content = json.loads(small.read_bytes())
    for person in content["players"]:
        if not person["isAnonymous"]:
            person["name"] = '\x1b[31m=HYPERLINK("x")' + person["name"]
    export = tmp_path / "export.json"
    export.write_text(json.dumps(content))
    result = call(export, "--out", tmp_path / "out")
    assert result.exit_code == 0 and "\x1b" not in result.output
    names = {row["name"] for row in rows(tmp_path / "out" / "leaderboard.csv")}
    assert names and not any(name.startswith("=") for name in names)


def test_columns_stand_under_one_another_in_wide_scripts():
    assert align([("Ann", "9"), ("이말판", "10")], right=[1]) == ["Ann      9", "이말판  10"]
    assert align([]) == []


def test_a_log_of_one_play_has_a_page_and_nothing_to_judge(tmp_path):
    export = write_log([(Seat("a", rank=1), Seat("b", rank=2))], tmp_path / "one.json")
    result = call(export, "--out", tmp_path / "out")
    assert result.exit_code == 0 and "1 play logged, 1 rated, with 1 pair of known people" in result.stdout
    assert "too little data" in result.stdout
    nothing = write_log([(Seat("a", rank=1),)], tmp_path / "none.json")
    result = call(nothing, "--out", tmp_path / "none")
    assert result.exit_code == 0 and "1 play logged, 0 rated" in result.stdout


# Checks, calibration, workflow


def test_checks_that_hold_or_say_too_little_have_status_0(tmp_path):
    result = call("check", SAMPLE, *TABLES, "--out", tmp_path / "checks.csv")
    assert result.exit_code == 0 and "Tam" not in result.stdout
    table = rows(tmp_path / "checks.csv")
    assert len(table) == 6 and {row["verdict"] for row in table} <= {"supported", "undecided"}
    assert all(row["check"] in result.stdout for row in table)


def test_a_refuted_check_has_status_1(tmp_path):
    # Whoever won the last time loses: the favourite never wins.
    turns = [
        tuple(Seat(who, rank=1 + ((number + place) % 2)) for place, who in enumerate("ab"))
        for number in range(80)
    ]
    result = call("check", write_log(turns, tmp_path / "turns.json"))
    assert result.exit_code == 1 and re.search("discrimination  refuted", result.stdout)


def test_calibration_writes_tables_and_a_figure_without_names(tmp_path):
    world = replace(SMALL, plays=120)
    export = write_export(
        simulate_group(world, rng=np.random.default_rng(1)).log,
        tmp_path / "group.json",
        rng=np.random.default_rng(1),
    )
    result = call("calibrate", export, "--out", tmp_path / "out", "--replicates", 100)
    assert result.exit_code == 0 and "duration D" in result.stdout
    made = tree(tmp_path / "out")
    wanted = {"judgement.csv", "grid.csv", "ablation.csv", "choice.csv", "mechanisms.png", "mechanisms.svg"}
    assert wanted <= set(made)
    assert not any(b"Person 1" in content for content in made.values())
    grid = rows(tmp_path / "out" / "grid.csv")
    assert {"one at a time", "weight", "confidence"} <= {row["grid"] for row in grid}
    assert len(rows(tmp_path / "out" / "choice.csv")) == len({row["grid"] for row in grid})
    assert "-0.0000" not in result.stdout
    assert re.search(
        r"game weight W +no complexity or skill given +\+0\.0000  -$", result.stdout, re.MULTILINE
    )
    verdicts = {row["mechanism"]: row for row in rows(tmp_path / "out" / "ablation.csv")}
    idle = {name for name, row in verdicts.items() if float(row["changed"]) == 0.0}
    told = {"nothing to act on", "no complexity or skill given"}
    assert idle == {name for name, row in verdicts.items() if row["verdict"] in told}
    assert "margin G" not in idle


@pytest.mark.parametrize("plays", [1, 2])
def test_a_log_too_small_to_calibrate_is_told(plays, tmp_path):
    few = write_log([(Seat("a", rank=1), Seat("b", rank=2))] * plays, tmp_path / "few.json")
    said = refused("calibrate", few, "--out", tmp_path / "few")
    assert said == (
        f"{plays} rated play{'s' * (plays > 1)} with a decisive pair of known people: at least 3 are needed to "
        "compare settings"
    )
    assert not (tmp_path / "few").exists()


@pytest.mark.parametrize("preset", ["tuned", "bgelo"])
def test_a_log_of_cooperative_plays_is_not_calibrated(preset, tmp_path):
    plays = [(Seat("a", rank=1, winner=True), Seat("b", rank=2))] * 6
    path = write_log(plays, tmp_path / "few.json", cooperative=True)
    said = refused("calibrate", path, "--out", tmp_path / "few", "--preset", preset)
    gated = " behind the gate" if preset == "bgelo" else ""
    assert said.startswith(
        f"0 rated plays{gated} with a decisive pair of known people: at least 3 are needed"
    )


def test_the_workflow_is_yaml_with_pinned_actions_and_its_own_check_runs(tmp_path):
    path = tmp_path / ".github" / "workflows" / "board-night-check.yml"
    command = ("workflow", "--export", "plays/group.json", "--skill", "plays/skill.csv", "--out", path)
    assert call(*command).exit_code == call(*command).exit_code == 0
    content = yaml.safe_load(path.read_text(encoding="utf-8"))
    assert content[True]["push"]["paths"] == [
        ".github/workflows/board-night-check.yml",
        "plays/group.json",
        "plays/skill.csv",
    ]
    assert content["permissions"] == {"contents": "read"} and "secrets." not in path.read_text()
    steps = content["jobs"]["check"]["steps"]
    assert all(re.search("@[0-9a-f]{40}$", step["uses"]) for step in steps if "uses" in step)
    (tmp_path / "plays").mkdir()
    shutil.copy(SAMPLE, tmp_path / "plays" / "group.json")
    shutil.copy(DATA / "board_night_skill.csv", tmp_path / "plays" / "skill.csv")
    (script,) = [step["run"] for step in steps if step["name" if "name" in step else "uses"] == "Check"]
    environment = os.environ | content["env"] | {"GITHUB_STEP_SUMMARY": str(tmp_path / "summary.md")}
    environment["PATH"] = f"{Path(sys.executable).parent}{os.pathsep}{environment['PATH']}"
    shell = ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c"]
    ran = subprocess.run([*shell, script], cwd=tmp_path, env=environment, capture_output=True, text=True)
    assert ran.returncode == 0, ran.stdout + ran.stderr
    assert "calibration" in (tmp_path / "summary.md").read_text()
    assert len(rows(tmp_path / "checks.csv")) == 6


def test_a_workflow_of_another_name_runs_on_changes_of_itself(tmp_path):
    for folder, name, own in (
        (".github/workflows", "ours.yml", "ours.yml"),
        ("elsewhere", "ours.yml", "board-night-check.yml"),
    ):
        path = tmp_path / folder / name
        assert call("workflow", "--out", path).exit_code == 0
        paths = yaml.safe_load(path.read_text(encoding="utf-8"))[True]["push"]["paths"]
        assert paths == [f".github/workflows/{own}", "export.json"]
    assert "out is" in refused("workflow", "--out", tmp_path / ".github" / "workflows" / "a b.yml")


def test_a_workflow_is_not_written_over_and_takes_no_path_that_it_could_misread(tmp_path):
    path = tmp_path / "check.yml"
    path.write_text("name: mine\n")
    assert "something else in it" in refused("workflow", "--out", path)
    for export in ('a"; rm -rf b', "../export.json", "-x.json", "$(x).json", "a b.json", "/etc/passwd"):
        said = refused("workflow", "--export", export, "--out", tmp_path / "new.yml")
        assert "a path inside the repository is needed" in said
    assert path.read_text() == "name: mine\n" and not (tmp_path / "new.yml").exists()


# Real exports, which are nobody's to commit


@pytest.mark.parametrize("name", REAL)
def test_real_exports_go_through(name, tmp_path):
    folder = os.environ.get("LUDOMETRICS_EXTRA_DATA")
    found = sorted(Path(folder).rglob(name)) if folder else []
    if not found:
        pytest.skip(f"LUDOMETRICS_EXTRA_DATA names no folder with {name}: 1 of {len(REAL)} exports skipped")
    result = call(found[0], "--out", tmp_path / "out")
    assert result.exit_code == 0, result.output
    payload = json.loads((tmp_path / "out" / "payload.json").read_bytes())
    check_payload(payload, rounded=True)
    group = payload["group"]
    not_rated = sum(row["plays"] for row in payload["rejections"])
    assert group["plays_logged"] == group["plays_rated"] + not_rated == len(payload["play_log"])
    rated = {REAL[0]: 695, REAL[1]: 459, REAL[2]: 428, REAL[3]: 102}
    assert group["plays_rated"] == rated[name]


def test_the_composed_bytes_are_what_is_read(small):
    """The fixture is an export like any other: the tests above stand on it."""
    log = simulate_group(SMALL, rng=np.random.default_rng(1)).log
    assert compose_export(log, rng=np.random.default_rng(1)) == small.read_bytes()
