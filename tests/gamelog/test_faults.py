"""Each fault found in the adaptive-draughts course's own handling of names and files, by running it: not here."""

import json
import os
import re
import threading
from datetime import UTC, date, datetime
from pathlib import Path

import pytest

from ludometrics.abtest import assign_by_hash, collect_games
from ludometrics.abtest.ledger import Ledger, assign, read_ledger
from ludometrics.gamelog import forgetting, lock
from ludometrics.gamelog.daily import Game, file_name, read_day, read_games, write_day
from ludometrics.gamelog.drift import rate_keys
from ludometrics.gamelog.expiry import expire
from ludometrics.gamelog.exports import export
from ludometrics.gamelog.finding import find_name
from ludometrics.gamelog.forgetting import forget
from ludometrics.gamelog.loading import load_log
from ludometrics.gamelog.lock import LOCK_FILE, FolderBusyError, FolderLock
from ludometrics.gamelog.names import LEVEL_NAMES, ReservedNameError
from ludometrics.gamelog.rated import RatedLog
from ludometrics.gamelog.snapshot import Rater
from ludometrics.gamelog.store import append_game

NOW = datetime(2026, 11, 30, 12, tzinfo=UTC)
DAY = date(2026, 11, 30)
MEDIUM = LEVEL_NAMES["medium"]


def run(folder: Path, name: str, **options) -> forgetting.Forgotten:
    return forget(folder, name, **{"dry_run": False, "now": NOW, "operator": "me"} | options)


def ratings(folder: Path):
    return rate_keys(load_log(folder, today=DAY).frame)


def files(folder: Path) -> dict[str, bytes]:
    return {
        path.name: path.read_bytes() for path in folder.iterdir() if path.is_file() and path.name != LOCK_FILE
    }


def test_fault_01_two_removed_people_are_not_one_player(tmp_path):
    write_day(tmp_path, DAY, [Game("Ann", "Zed", "b"), Game("Bob", "Zed", "w"), Game("Ann", "Bob", "draw")])
    before = ratings(tmp_path)
    one, two = run(tmp_path, "Ann").token, run(tmp_path, "Bob").token
    after = ratings(tmp_path)
    assert one != two and after["games"].tolist() == before["games"].tolist()
    assert (
        after.loc[[one, two, "zed"]].to_numpy().tolist()
        == before.loc[["ann", "bob", "zed"]].to_numpy().tolist()
    )
    # Nor are those whom the course's own program removed, all under one name.
    write_day(tmp_path, DAY, [Game("(removed)", "Zed", "b"), Game("(removed)", "Zed", "w")])
    assert ratings(tmp_path).index.tolist() == ["zed"] and load_log(tmp_path, today=DAY).left_out == ()


@pytest.mark.parametrize(
    "name", ["(removed)", "(REMOVED-7f3a91c2)", "Computer (High)", "ｃｏｍｐｕｔｅｒ (low)"]
)
def test_fault_02_nobody_can_take_a_reserved_name(tmp_path, name):
    with pytest.raises(ReservedNameError):
        append_game(tmp_path, Game(name, "Bob", "b"), DAY)
    with pytest.raises(ReservedNameError):
        append_game(tmp_path, Game("Ann", "Computer (High)", "b", level="easy"), DAY)
    # Where a file holds such a game all the same, it counts for nobody.
    rows = [{"black": "Computer (High)", "white": "Ann", "winner": "w"}]
    (tmp_path / file_name(DAY)).write_text(json.dumps(rows))
    log = load_log(tmp_path, today=DAY)
    assert log.frame.empty and "reserved" in log.left_out[0].reason


@pytest.mark.parametrize("name", ["Computer (Medium)", " computer  (MEDIUM)"])
def test_fault_03_a_level_cannot_be_forgotten(tmp_path, name):
    write_day(tmp_path, DAY, [Game("Ann", MEDIUM, "b", "medium", "A")] * 3)
    before = files(tmp_path)
    with pytest.raises(ReservedNameError):
        run(tmp_path, name)
    assert files(tmp_path) == before


def test_fault_04_the_date_is_that_of_the_file_not_of_a_folder_above(tmp_path):
    folder = tmp_path / "2020-01-01" / "scores-2020-01-01.json"
    folder.mkdir(parents=True)
    write_day(folder, DAY, [Game("Ann", "Bob", "b")])
    assert (
        expire(folder, 90, dry_run=False, now=NOW).files == {} and len(read_day(folder / file_name(DAY))) == 1
    )


@pytest.mark.parametrize("days", [-1, 0])
def test_fault_05_todays_file_cannot_expire(tmp_path, days):
    write_day(tmp_path, DAY, [Game("Ann", "Bob", "b")])
    with pytest.raises(ValueError, match="from 1 to"):
        expire(tmp_path, days, dry_run=False, now=NOW)
    assert expire(tmp_path, 1, dry_run=False, now=NOW).files == {}
    write_day(tmp_path, date(2020, 1, 1), [])
    assert expire(tmp_path, 1, now=NOW).dry_run  # unless it is asked to act
    assert set(files(tmp_path)) == {file_name(DAY), "scores-2020-01-01.json"}


def test_fault_06_one_odd_name_does_not_stop_the_expiry(tmp_path):
    odd = ["scores-2026-02-30.json", "scores-0000-00-00.json", "scores-.json"]
    for name in [*odd, "scores-2026-01-01.json", "scores-2026-03-01.json"]:
        (tmp_path / name).write_text("[]")
    done = expire(tmp_path, 90, dry_run=False, now=NOW)
    assert set(files(tmp_path)) == {*odd, "audit.jsonl"} and len(done.warnings) == 3


def test_fault_07_names_that_are_nearly_those_of_daily_files_do_not_stop_the_ratings(tmp_path):
    write_day(tmp_path, DAY, [Game("Ann", "Bob", "b")])
    odd = ["scores-old.json", "scores-2026-11-30.bak.json"]
    for name in odd:
        (tmp_path / name).write_text('["x"]')
    log = RatedLog(tmp_path, {"elo": Rater("elo")}, now=lambda: NOW)
    log.refresh()
    assert log.player("elo", "Ann").rating == 1216 and sorted(left.file for left in log.left_out) == sorted(
        odd
    )


@pytest.mark.parametrize(
    "content",
    [b"", b"[", b'[{"black": "Ann", "whi', bytes(1408), b"{}", b"\xff"],
    ids=["empty", "one sign", "cut", "NUL", "no array", "no text"],
)
def test_fault_08_a_broken_file_stops_neither_ratings_nor_saving(tmp_path, content):
    write_day(tmp_path, date(2026, 11, 29), [Game("Ann", "Bob", "b")])
    (tmp_path / file_name(DAY)).write_bytes(content)
    log = load_log(tmp_path, today=DAY)
    assert len(log.frame) == 1 and [left.file for left in log.left_out] == [file_name(DAY)]
    saved = append_game(tmp_path, Game("Cid", "Bob", "b"), DAY)
    assert saved.row == 1 and (tmp_path / saved.set_aside).read_bytes() == content
    assert len(load_log(tmp_path, today=DAY).frame) == 2


@pytest.mark.parametrize("step", range(3))
def test_fault_09_a_full_disk_loses_nothing(tmp_path, monkeypatch, step):
    write_day(tmp_path, DAY, [Game("Ann", "Bob", "b")])
    write_day(tmp_path, date(2026, 11, 29), [Game("Ann", "Bob", "b")])
    before, left, real = files(tmp_path), [step], os.fsync

    def full(number: int) -> None:
        left[0] -= 1
        if left[0] < 0:
            raise OSError(28, "No space left on device")
        real(number)

    with monkeypatch.context() as patch, pytest.raises(OSError, match="No space"):
        patch.setattr(os, "fsync", full)
        run(tmp_path, "Ann")
    assert files(tmp_path) == before
    assert run(tmp_path, "Ann").games == 2


def test_fault_10_no_game_is_lost_while_somebody_is_forgotten(tmp_path, monkeypatch):
    append_game(tmp_path, Game("Ann", "Bob", "b"), DAY)
    real, waiting = forgetting.commit, []

    def saved_meanwhile(*arguments, **options):
        # Between reading and writing another program wants to save a game: it has to wait.
        with pytest.raises(FolderBusyError):
            append_game(tmp_path, Game("Ann", "Cid", "b"), DAY, timeout_s=0.05)
        waiting.append(True)
        return real(*arguments, **options)

    monkeypatch.setattr(forgetting, "commit", saved_meanwhile)
    assert run(tmp_path, "Ann").games == 1 and waiting
    assert append_game(tmp_path, Game("Cid", "Bob", "b"), DAY).row == 2


def test_fault_11_the_lock_is_a_file_of_its_own_that_stays(tmp_path):
    append_game(tmp_path, Game("Ann", "Bob", "b"), DAY)
    inode = (tmp_path / LOCK_FILE).stat().st_ino
    day = (tmp_path / file_name(DAY)).stat().st_ino
    run(tmp_path, "Ann")
    expire(tmp_path, 1, dry_run=False, now=NOW)
    assert (tmp_path / LOCK_FILE).stat().st_ino == inode and (tmp_path / file_name(DAY)).stat().st_ino != day
    with FolderLock(tmp_path).exclusive():
        (tmp_path / file_name(DAY)).unlink()  # the day's file is another one now, the lock is not
        with pytest.raises(FolderBusyError), FolderLock(tmp_path, timeout_s=0.05).exclusive():
            pass


def test_fault_12_a_reader_never_sees_half_a_file(tmp_path):
    append_game(tmp_path, Game("Ann", "Bob", "b"), DAY)
    with FolderLock(tmp_path).exclusive():
        log = RatedLog(tmp_path, {}, now=lambda: NOW, timeout_s=0.05)
        with pytest.raises(FolderBusyError):
            log.refresh()
    seen, done = [], threading.Event()

    def read() -> None:
        while not done.is_set():
            seen.append(len(read_day(tmp_path / file_name(DAY))))  # even without the lock

    reader = threading.Thread(target=read)
    reader.start()
    for number in range(30):
        append_game(tmp_path, Game("Ann", "Bob", "b", id=str(number)), DAY)
    done.set()
    reader.join()
    assert seen == sorted(seen) and len(read_day(tmp_path / file_name(DAY))) == 31


def test_fault_13_without_a_lock_nothing_is_saved(tmp_path, monkeypatch):
    # The lock is a kept package's, which knows every system; where a folder cannot be locked, that is said.
    import portalocker

    assert "fcntl" not in vars(lock)

    def cannot(*_, **__):
        raise portalocker.LockException("not on this drive")

    monkeypatch.setattr(portalocker.Lock, "acquire", cannot)
    with pytest.raises(OSError, match="cannot be locked"):
        append_game(tmp_path, Game("Ann", "Bob", "b"), DAY)
    assert not (tmp_path / file_name(DAY)).exists()


@pytest.mark.parametrize(
    "saved, asked", [("Straße", "STRASSE"), ("José", "Jose\u0301"), ("ΣΟΦΟΣ", "σοφος"), ("Ａｎｎ", "ann")]
)
def test_fault_14_a_name_is_one_in_every_spelling(tmp_path, saved, asked):
    (tmp_path / file_name(DAY)).write_text(json.dumps([{"black": saved, "white": "Bob", "winner": "b"}]))
    done = run(tmp_path, asked)
    assert (done.games, done.status) == (1, 0) and find_name(saved, [tmp_path]) == ()


def test_fault_15_identity_is_the_same_everywhere(tmp_path):
    write_day(tmp_path, DAY, [Game("Ann", "Bob", "b"), Game("ann", "Bob", "b")])
    assert ratings(tmp_path).loc["ann", "games"] == 2
    ledger = Ledger(tmp_path / "assignments.jsonl")
    assert assign(ledger, "t", "Ann", design="hash") == assign(ledger, "t", "ANN", design="hash")
    assert assign_by_hash("t", "Ann") == assign_by_hash("t", " aNN")
    done = run(tmp_path, "ANN")
    assert (done.games, done.ledger_lines) == (2, 1) and ratings(tmp_path).index.tolist() == [
        done.token,
        "bob",
    ]


def test_fault_16_an_unknown_name_does_not_look_done(tmp_path):
    write_day(tmp_path, DAY, [Game("Ann", "Bob", "b")])
    before = files(tmp_path)
    done = run(tmp_path, "Amn")
    assert done.status == 3 and done.near == 1 and "misspelt" in done.text and files(tmp_path) == before


def test_fault_17_the_day_of_the_boundary_is_said_and_a_wrong_clock_shows(tmp_path):
    for name in ("scores-2026-08-31.json", "scores-2026-09-01.json", "scores-2031-01-01.json"):
        (tmp_path / name).write_text("[]")
    done = expire(tmp_path, 90, dry_run=False, now=NOW, time_zone="Europe/London")
    assert list(done.files) == ["scores-2026-08-31.json"]
    assert "before 2026-09-01" in done.text and "Europe/London" in done.text
    assert [warning for warning in done.warnings if "2031-01-01" in warning and "day to come" in warning]


def test_fault_18_names_in_other_places_are_removed_or_listed(tmp_path):
    folder, elsewhere = tmp_path / "data", tmp_path / "elsewhere"
    for each in (folder, elsewhere, folder / "live"):
        each.mkdir()
    write_day(folder, DAY, [Game("José", "Bob", "b")])
    export(folder, elsewhere / "games.csv", now=NOW)
    (folder / "live" / "7.json").write_text(json.dumps({"black": "José", "white": "Bob"}))
    (elsewhere / "notes.ipynb").write_text(json.dumps({"cells": [{"outputs": [{"text": ["Jos\u00e9\n"]}]}]}))
    (elsewhere / "access.log").write_text('"GET /match?name=Jos%C3%A9 HTTP/1.1" 200\n')
    (elsewhere / "figure.svg").write_text("<text>Jos&#233;</text>")
    done = run(folder, "José", also=[elsewhere])
    assert {hit.path.name for hit in done.left} == {
        "notes.ipynb",
        "access.log",
        "figure.svg",
    } and done.status == 5
    assert find_name("José", [folder]) == () and "told" in done.text and "Backups" in done.text


def test_fault_18_no_name_stands_in_an_address_of_the_page(tmp_path):
    pytest.importorskip("flask")
    from ludometrics.web.app import create_app

    application = create_app(tmp_path / "data")
    for rule in application.url_map.iter_rules():
        assert "name" not in rule.arguments or rule.rule.startswith("/static"), rule
        if re.search("match|game|forget", rule.rule):
            assert rule.methods <= {"POST", "OPTIONS"}, rule
    client = application.test_client()
    assert client.get("/match?name=Ann").status_code == 405
    assert client.post("/match?name=Ann", json={}).status_code == 400


def test_fault_19_nobody_plays_against_themselves(tmp_path):
    with pytest.raises(ValueError, match="plays against itself"):
        append_game(tmp_path, Game("Ann", "ANN", "b"), DAY)
    (tmp_path / file_name(DAY)).write_text(json.dumps([{"black": "Ann", "white": "ann", "winner": "b"}]))
    log = load_log(tmp_path, today=DAY)
    assert log.frame.empty and "plays against itself" in log.left_out[0].reason


def test_fault_20_a_forgotten_player_leaves_the_ab_test(tmp_path):
    games = [
        Game(name, MEDIUM, "b", "medium", variant)
        for name, variant in (("Ann", "A"), ("Bob", "B"), ("Cid", "B"))
    ]
    write_day(tmp_path, DAY, games)
    ledger = Ledger(tmp_path / "assignments.jsonl")
    for name in ("Ann", "Bob", "Cid"):
        assign(ledger, "t", name, design="hash")
    run(tmp_path, "Ann")
    run(tmp_path, "Bob")
    test = collect_games(read_games(tmp_path))
    assert test.games["player"].tolist() == ["Cid"] and test.left_out["of players who were removed"] == 2
    assert read_ledger(tmp_path / "assignments.jsonl")["player"].tolist() == ["cid"]
    assert assign(ledger, "t", "Dee", design="hash").player == "dee"  # the ledger goes on
