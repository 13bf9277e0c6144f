"""Games saved by many at once, each once, and nothing lost to a file that cannot be read."""

import json
import os
import subprocess
import sys
from dataclasses import replace
from datetime import UTC, date, datetime

import pytest

from ludometrics.gamelog import (
    Game,
    ReservedNameError,
    UnratedGame,
    append_game,
    append_unrated,
    encode_day,
    read_day,
    read_unrated,
    today,
)
from ludometrics.gamelog.lock import FolderBusyError, FolderLock
from ludometrics.provenance import sidecar

DAY = date(2026, 9, 1)
GAME = Game("Ann", "Computer (7)", "b", "l7", id="00ff", rules="repetitions=3")
FILE = "scores-2026-09-01.json"

WRITER = """
import sys
from datetime import date
from ludometrics.gamelog import Game, append_game
for number in range(50):
    append_game(sys.argv[1], Game("Ann", "Bob", "b", id=f"{sys.argv[2]}-{number}"), date(2026, 9, 1), timeout_s=60)
"""


def test_the_course_reads_what_is_written(tmp_path):
    append_game(tmp_path, GAME, DAY)
    append_game(tmp_path, Game("José", "Ann", "draw"), DAY)
    assert json.loads((tmp_path / FILE).read_text(encoding="utf-8")) == [
        {
            "black": "Ann",
            "white": "Computer (7)",
            "winner": "b",
            "level": "l7",
            "id": "00ff",
            "rules": "repetitions=3",
        },
        {"black": "José", "white": "Ann", "winner": "draw"},
    ]


def test_what_the_course_wrote_goes_on(tmp_path):
    rows = [{"black": "Ann", "white": "Computer (Low)", "winner": "b", "level": "easy", "their own": [1]}]
    (tmp_path / FILE).write_text(json.dumps(rows, indent=2))
    assert append_game(tmp_path, GAME, DAY)[:3] == (FILE, 2, True)
    assert json.loads((tmp_path / FILE).read_text())[0] == rows[0]


def test_eight_processes_append_four_hundred_games(tmp_path):
    writers = [subprocess.Popen([sys.executable, "-c", WRITER, tmp_path, str(n)]) for n in range(8)]
    assert [writer.wait() for writer in writers] == [0] * 8
    games = read_day(tmp_path / FILE)
    assert len(games) == 400 and len({game.id for game in games}) == 400


def test_a_retry_counts_once(tmp_path):
    assert append_game(tmp_path, GAME, DAY) == (FILE, 1, True, None)
    append_game(tmp_path, replace(GAME, id="01"), DAY)
    before = (tmp_path / FILE).read_bytes()
    assert append_game(tmp_path, GAME, DAY) == (FILE, 1, False, None)
    assert append_game(tmp_path, GAME, date(2026, 9, 2)) == (
        FILE,
        1,
        False,
        None,
    )  # the retry came after midnight
    assert (tmp_path / FILE).read_bytes() == before and not (tmp_path / "scores-2026-09-02.json").exists()


def test_another_game_under_the_same_id(tmp_path):
    append_game(tmp_path, GAME, DAY)
    with pytest.raises(
        ValueError, match=r"scores-2026-09-01.json, game 1: the id '00ff' is .* winner is 'b', not 'w'"
    ):
        append_game(tmp_path, replace(GAME, winner="w"), DAY)


@pytest.mark.parametrize(
    "content", [b"", b"\0" * 1408, b'[{"black": "Ann", "wh', b"[[[", b"{}", b"[" * 100_000]
)
def test_a_file_that_cannot_be_read_is_set_aside(tmp_path, content):
    (tmp_path / FILE).write_bytes(content)
    saved = append_game(tmp_path, GAME, DAY)
    assert saved == (FILE, 1, True, "scores-2026-09-01.broken-1.json")
    assert (tmp_path / saved.set_aside).read_bytes() == content and read_day(tmp_path / FILE) == [GAME]
    (tmp_path / FILE).write_bytes(b"once more")
    assert append_game(tmp_path, GAME, DAY).set_aside == "scores-2026-09-01.broken-2.json"


@pytest.mark.parametrize(
    "game",
    [
        Game("Computer (High)", "Ann", "b"),
        Game("computer  (HIGH)", "Ann", "b"),
        Game("(removed)", "Ann", "b"),
        Game("（Removed-12345678)", "Ann", "b"),
        Game("Ann", "Computer (High)", "b", "medium"),
        Game("Ann", "Bob", "b", "medium"),
        Game("Anonymous", "Bob", "b"),
    ],
)
def test_reserved_names_are_refused(tmp_path, game):
    with pytest.raises(ReservedNameError if "（" not in game.black else ValueError):
        append_game(tmp_path, game, DAY)
    assert not (tmp_path / FILE).exists()


@pytest.mark.parametrize(
    "black, white", [("Ann", "Ann"), ("Ann", " ANN"), ("Straße", "STRASSE"), ("Ann", "Ａｎｎ")]
)
def test_nobody_plays_against_themselves(tmp_path, black, white):
    with pytest.raises(ValueError, match="plays against itself"):
        append_game(tmp_path, Game(black, white, "b"), DAY)


def test_unrated_games_stand_apart_in_their_order(tmp_path):
    append_game(tmp_path, GAME, DAY)
    game = UnratedGame("Ann", "Computer (Medium)", "abandoned", level="medium", variant="A", id="7")
    assert append_unrated(tmp_path, game, DAY) == ("unrated-2026-09-01.json", 1, True, None)
    append_game(tmp_path, replace(GAME, id="8"), DAY)
    assert append_unrated(tmp_path, game, DAY).new is False  # more rated games since make it no other game
    assert read_unrated(tmp_path / "unrated-2026-09-01.json") == [replace(game, after=1)]
    assert len(read_day(tmp_path / FILE)) == 2


@pytest.mark.parametrize("step", ["replace", "fsync"])
def test_a_crash_leaves_the_old_file(tmp_path, monkeypatch, step):
    append_game(tmp_path, GAME, DAY)
    before = (tmp_path / FILE).read_bytes()

    def full(*arguments):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(sidecar.os, step, full)
    with pytest.raises(OSError, match="No space"):
        append_game(tmp_path, replace(GAME, id="9"), DAY)
    monkeypatch.undo()
    assert (tmp_path / FILE).read_bytes() == before
    assert sorted(os.listdir(tmp_path)) == [".games.lock", FILE]


def test_what_is_asked_before_can_stop_it(tmp_path):
    def refuse() -> None:
        raise LookupError("the game was removed")

    with pytest.raises(LookupError):
        append_game(tmp_path, GAME, DAY, before=refuse)
    assert not (tmp_path / FILE).exists()


def test_it_waits_and_says_so(tmp_path):
    with (
        FolderLock(tmp_path).exclusive(),
        pytest.raises(FolderBusyError, match="another program held this folder"),
    ):
        append_game(tmp_path, GAME, DAY, timeout_s=0.05)


@pytest.mark.parametrize("kind", ["link", "folder", "pipe"])
def test_what_is_no_ordinary_file_is_set_aside(tmp_path, kind):
    path, elsewhere = tmp_path / FILE, tmp_path / "elsewhere"
    elsewhere.write_text("[]")
    if kind == "link":
        path.symlink_to(elsewhere)
    elif kind == "folder":
        path.mkdir()
    elif not hasattr(os, "mkfifo"):
        pytest.skip("this system has no named pipes")
    else:
        os.mkfifo(path)
    assert append_game(tmp_path, GAME, DAY).set_aside == "scores-2026-09-01.broken-1.json"
    assert read_day(path) == [GAME] and elsewhere.read_text() == "[]"


def test_half_a_sign_does_not_stop_a_day(tmp_path):
    (tmp_path / FILE).write_text(r'[{"black": "\ud800", "white": "Bob", "winner": "b"}]')
    with pytest.raises(ValueError, match="holds half a sign"):
        read_day(tmp_path / FILE)
    assert append_game(tmp_path, GAME, DAY).set_aside


def test_the_day_is_that_of_an_explicit_zone():
    moment = datetime(2026, 10, 24, 23, 30, tzinfo=UTC)  # summer time ends that night
    assert today("Europe/London", now=moment) == date(2026, 10, 25)
    assert today("Pacific/Honolulu", now=moment) == date(2026, 10, 24)
    with pytest.raises(ValueError, match="time_zone is 'Europe/Lundon'"):
        today("Europe/Lundon")
    with pytest.raises(ValueError, match="it needs a time zone"):
        today(now=datetime(2026, 9, 1))


@pytest.mark.parametrize("indent", [None, 1])
def test_a_day_grows_as_if_written_at_once(tmp_path, indent):
    games = [
        replace(GAME, id=f"{number:02x}", black=name) for number, name in enumerate(("Ann", "José", "Bob"))
    ]
    (tmp_path / FILE).write_text(json.dumps([], indent=indent))
    for game in games:
        append_game(tmp_path, game, DAY)
    assert (tmp_path / FILE).read_bytes() == encode_day(games)


def test_a_number_without_end_is_an_error_with_a_name(tmp_path):
    (tmp_path / FILE).write_text(f"[{'9' * 5000}]")
    with pytest.raises(ValueError, match=r"^scores-2026-09-01\.json"):
        read_day(tmp_path / FILE)


@pytest.mark.parametrize("value", ["1e999", "-Infinity", "NaN", "[" * 900 + "]" * 900])
def test_what_could_not_be_written_again_is_not_read(tmp_path, value):
    row = f'{{"black": "Bo", "white": "Cy", "winner": "b", "x": {value}}}'
    (tmp_path / FILE).write_text(f"[{row}]")
    with pytest.raises(ValueError, match=r"no number that can be kept|more than 20 deep"):
        read_day(tmp_path / FILE)
    assert append_game(tmp_path, GAME, DAY).set_aside and read_day(tmp_path / FILE) == [GAME]
