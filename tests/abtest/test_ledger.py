"""The ledger: retries, torn and broken lines, crashes, several processes, and games held against it."""

import json
import os
import subprocess
import sys
import time
from datetime import UTC, datetime, timedelta, timezone

import pandas as pd
import pytest

from ludometrics.abtest import ledger as module
from ludometrics.abtest.assignment import assign_alternating, assign_blocked, assign_by_hash, assign_per_game
from ludometrics.abtest.ledger import Ledger, assign, compare_with_games, read_ledger
from ludometrics.abtest.ledger_lines import Assignment
from ludometrics.gamelog import lock

TEST = "medium-randomness"
NOON = datetime(2026, 9, 1, 12, tzinfo=UTC)
LINES = (
    '{"experiment": "t", "player": "ann", "game": 0, "variant": "A", "design": "game",'
    ' "time_utc": "2026-09-01T12:00:00Z"}\n'
    '{"experiment": "t", "player": "josé", "game": "", "variant": "B", "design": "hash",'
    ' "time_utc": "2026-09-01T13:00:00.5+01:00"}\n'
)


def at_noon() -> datetime:
    return NOON


@pytest.fixture
def ledger(tmp_path):
    return Ledger(tmp_path / "assignments.jsonl", now=at_noon)


@pytest.fixture
def broken(tmp_path):
    """A ledger file of any content."""

    def write(content: str | bytes):
        path = tmp_path / "assignments.jsonl"
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return path

    return write


def test_what_stands_in_the_file(ledger):
    cet = Ledger(ledger.path, now=lambda: NOON.astimezone(timezone(timedelta(hours=1))))
    cet.record(Assignment(TEST, "José ", "B", "blocked", block=4))
    assign(ledger, TEST, "Ann", design="game", game=3)
    lines = ledger.path.read_bytes().split(b"\n")
    assert len(lines) == 3 and lines[2] == b""
    assert [json.loads(line) for line in lines[:2]] == [
        {
            "experiment": TEST,
            "player": "josé",
            "game": "",
            "variant": "B",
            "design": "blocked",
            "time_utc": "2026-09-01T12:00:00+00:00",
            "block": 4,
        },
        {
            "experiment": TEST,
            "player": "ann",
            "game": 3,
            "variant": assign_per_game(TEST, "Ann", 3),
            "design": "game",
            "time_utc": "2026-09-01T12:00:00+00:00",
        },
    ]


def test_what_the_reader_gives(broken):
    table = read_ledger(broken(LINES))
    assert list(table.columns) == ["experiment", "player", "game", "variant", "design", "block", "time_utc"]
    assert table["player"].tolist() == ["ann", "josé"] and table["variant"].tolist() == ["A", "B"]
    assert table["game"].isna().tolist() == [False, True] and table["game"].iloc[0] == 0
    assert table["block"].isna().all()
    assert str(table["time_utc"].dtype) == "datetime64[us, UTC]"
    assert table["time_utc"].tolist() == [pd.Timestamp(NOON), pd.Timestamp(NOON) + pd.Timedelta("500ms")]


def test_an_empty_ledger_has_the_same_columns(broken):
    empty, full = (read_ledger(broken(content)) for content in ("", LINES))
    assert len(empty) == 0 and list(empty.columns) == list(full.columns)
    for column in ("game", "block", "time_utc"):
        assert empty[column].dtype == full[column].dtype


def test_each_design_deals_as_its_own_function_does(ledger):
    ratings = {f"P{number}": float(number) for number in range(6)}
    table = assign_blocked("blocks", ratings)
    for name in ratings:
        assert assign(ledger, "hash", name, design="hash").variant == assign_by_hash("hash", name)
        blocked = assign(ledger, "blocks", name.lower(), design="blocked", table=table)
        assert [blocked.block, blocked.variant] == table.loc[
            table["player"] == name, ["block", "variant"]
        ].to_numpy().tolist()[0]
        for game in range(4):
            dealt = assign(ledger, "games", name, design="game", game=game)
            assert dealt.variant == assign_per_game("games", name, game)
            for order in ("random", "fixed"):
                dealt = assign(ledger, order, name, design="alternate", game=game, order=order)
                assert dealt.variant == assign_alternating(order, name, game, order=order)
    assert len(read_ledger(ledger.path)) == 6 * (1 + 1 + 4 + 8)


def test_a_retry_is_recorded_once_and_keeps_its_time(ledger):
    first = assign(ledger, TEST, "Ann", design="game", game=0)
    later = Ledger(ledger.path, now=lambda: NOON + timedelta(days=1))
    assert assign(later, TEST, " ANN", design="game", game=0) == first
    assert later.record(Assignment(TEST, "ann", first.variant, "game", 0)) == first
    assert first.time_utc == NOON and ledger.path.read_bytes().count(b"\n") == 1


def test_what_is_recorded_counts_whichever_design_dealt_it(ledger):
    other = "AB"[assign_by_hash(TEST, "Ann") == "A"]
    ledger.record(Assignment(TEST, "Ann", other, "blocked"))
    assert assign(ledger, TEST, "Ann", design="hash").variant == other


@pytest.mark.parametrize(
    ("recorded", "refused", "message"),
    [
        (("A", "hash"), ("B", "hash"), "'ann' of 'medium-randomness' has version A, not B"),
        (("A", "game", 2), ("B", "game", 2), "has version A in game 2, not B"),
        (("A", "hash"), ("A", "game", 0), "has one version for the whole test, not a version for each game"),
        (
            ("A", "alternate", 0),
            ("A", "hash"),
            "has a version for each game, not one version for the whole test",
        ),
    ],
)
def test_contradictions_are_refused(ledger, recorded, refused, message):
    ledger.record(Assignment(TEST, "Ann", *recorded))
    content = ledger.path.read_bytes()
    with pytest.raises(ValueError, match=message):
        ledger.record(Assignment(TEST, "ANN", *refused))
    assert ledger.path.read_bytes() == content
    ledger.record(Assignment("another", "Ann", *refused))


def test_find(ledger):
    assert ledger.find(TEST, "Ann") is None
    assign(ledger, TEST, "Ann", design="game", game=1)
    assert ledger.find(TEST, "ann", game=1).variant == assign_per_game(TEST, "Ann", 1)
    assert ledger.find(TEST, "Ann", game=2) is None and ledger.find(TEST, "Ann") is None


def test_a_line_cut_anywhere_is_torn_and_written_again(ledger):
    for game in range(2):
        ledger.record(Assignment(TEST, "José", "A", "game", game))
    content = ledger.path.read_bytes()
    start = content.index(b"\n") + 1
    for cut in range(start, len(content)):
        ledger.path.write_bytes(content[:cut])
        if start < cut < len(content) - 1:
            with pytest.warns(
                UserWarning, match=rf"assignments.jsonl, line 2: torn after {cut - start} bytes"
            ):
                table = read_ledger(ledger.path)
        else:  # nothing of the line, or all of it but its end: a whole line is not lost
            table = read_ledger(ledger.path)
        assert len(table) == (2 if cut == len(content) - 1 else 1)
        Ledger(ledger.path, now=at_noon).record(Assignment(TEST, "josé", "A", "game", 1))
        assert ledger.path.read_bytes() in (content, content[:-1])
        ledger.record(Assignment(TEST, "Bob", "B", "game", 0))  # had read the whole file before
        assert ledger.path.read_bytes().startswith(content)
        assert read_ledger(ledger.path)["player"].tolist() == ["josé", "josé", "bob"]


def test_zeros_after_a_power_cut_are_torn(broken):
    path = broken(LINES.encode() + bytes(4096))
    with pytest.warns(UserWarning, match="line 3: torn after 4096 bytes"):
        assert len(read_ledger(path)) == 2
    assign(Ledger(path, now=at_noon), "t", "Bob", design="game", game=0)
    assert b"\0" not in path.read_bytes() and len(read_ledger(path)) == 3


@pytest.mark.parametrize("ending", ["", "\n"])
@pytest.mark.parametrize(
    ("change", "message"),
    [
        (('"variant": "B"', '"variant": "C"'), "variant is 'C': allowed are 'A', 'B'"),
        (('"variant"', '"version"'), "has no 'variant'"),
        (
            ('"design": "hash"', '"design": "coin"'),
            "design is 'coin': allowed are 'hash', 'blocked', 'game', 'alternate'",
        ),
        (('"game": ""', '"game": 3'), "game is 3: design 'hash' deals the whole test"),
        (
            ('"game": "", "variant": "B", "design": "hash"', '"game": -1, "variant": "B", "design": "game"'),
            "game is -1",
        ),
        (
            ('"game": "", "variant": "B", "design": "hash"', '"game": 1.0, "variant": "B", "design": "game"'),
            "game is 1.0",
        ),
        (('"design": "hash"', '"design": "hash", "block": 1'), "block is 1: design 'hash' has no blocks"),
        (('"josé"', '" "'), "neither may be empty"),
        (('"josé"', "7"), "name is 7: it must be text"),
        (('+01:00"', '"'), "needs a time zone"),
        (("2026-09-01T13", "yesterday"), "time_utc is 'yesterday"),
        (
            ('"2026-09-01T13:00:00.5+01:00"', "1788264000"),
            "time_utc is 1788264000: an ISO date and time is wanted",
        ),
        (('"josé", "game": ""', '"ANN", "game": ""'), "'ann' of 't' has a version for each game"),
        (
            (
                '"josé", "game": "", "variant": "B", "design": "hash"',
                '"ann", "game": 0, "variant": "B", "design": "game"',
            ),
            "'ann' of 't' has version A in game 0, not B",
        ),
    ],
)
def test_broken_lines_are_named(broken, change, message, ending):
    content = LINES[:-1] + ending
    assert content.count(change[0]) >= 1
    head, line = content.split("\n", 1)
    path = broken(head + "\n" + line.replace(*change))
    before = path.read_bytes()
    for use in (read_ledger, lambda path: assign(Ledger(path), "t", "Bob", design="hash")):
        with pytest.raises(ValueError) as caught:
            use(path)
        assert str(caught.value).startswith(f"{path}, line 2: ") and message in str(caught.value)
    assert path.read_bytes() == before


@pytest.mark.parametrize(
    ("line", "message"),
    [
        (b"", "not a line of JSON"),
        (b'{"experiment": "t"', "not a line of JSON"),
        (b'{"experiment": "\xff"}', "not a line of JSON"),
        (b"\0" * 40, "not a line of JSON"),
        (b"[]", "holds list where an object is wanted"),
        (b"null", "holds NoneType where an object is wanted"),
        (b"[" * 200_000, "holds lists within lists without end"),
    ],
)
def test_broken_lines_that_have_ended_are_not_torn(broken, line, message):
    path = broken(line + b"\n" + LINES.encode())
    with pytest.raises(ValueError, match=f"assignments.jsonl, line 1: {message}"):
        read_ledger(path)


def test_lists_without_end_in_the_last_line_are_torn(broken):
    with pytest.warns(UserWarning, match="line 3: torn after 200000 bytes"):
        assert len(read_ledger(broken(LINES.encode() + b"[" * 200_000))) == 2


def test_the_same_line_twice_counts_once(broken):
    assert len(read_ledger(broken(LINES + LINES))) == 2


def test_an_open_ledger_sees_what_happens_to_its_file(ledger):
    for name in ("Ann", "Bob"):
        assign(ledger, TEST, name, design="hash")
    lines = ledger.path.read_bytes().splitlines(keepends=True)
    other = ledger.path.with_name("other")
    other.write_bytes(lines[1])  # as a player is taken out: a new file under the old name
    os.replace(other, ledger.path)
    assert ledger.find(TEST, "Ann") is None and ledger.find(TEST, "Bob") is not None
    assign(ledger, TEST, "Cid", design="hash")
    assert ledger.find(TEST, "Cid") is not None
    other.write_bytes(
        ledger.path.read_bytes().replace(b'"bob"', b'"eve"')
    )  # as long, and with the same last line
    os.replace(other, ledger.path)
    assert ledger.find(TEST, "Bob") is None and ledger.find(TEST, "Eve") is not None
    ledger.path.write_bytes(lines[0])
    assert ledger.find(TEST, "Ann") is not None and ledger.find(TEST, "Bob") is None
    ledger.path.unlink()
    assert ledger.find(TEST, "Ann") is None
    assign(ledger, TEST, "Cid", design="hash")
    assert read_ledger(ledger.path)["player"].tolist() == ["cid"]


def test_a_failed_write_is_not_recorded(ledger, monkeypatch):
    assign(ledger, TEST, "Ann", design="game", game=0)

    def fail(_):
        raise OSError("disk full")

    monkeypatch.setattr(module.os, "fsync", fail)
    with pytest.raises(OSError, match="disk full"):
        assign(ledger, TEST, "Ann", design="game", game=1)
    monkeypatch.undo()
    assign(ledger, TEST, "Ann", design="game", game=1)
    assert read_ledger(ledger.path)["game"].tolist() == [0, 1]


def test_it_is_on_the_disk_before_it_is_returned(ledger, monkeypatch):
    forced = []
    sync = os.fsync
    monkeypatch.setattr(
        module.os, "fsync", lambda handle: (forced.append(os.fstat(handle).st_size), sync(handle))
    )
    assign(ledger, TEST, "Ann", design="hash")
    assert forced[-1] == ledger.path.stat().st_size > 0


def test_a_clock_without_a_zone_writes_nothing(tmp_path):
    ledger = Ledger(tmp_path / "assignments.jsonl", now=lambda: NOON.replace(tzinfo=None))
    with pytest.raises(ValueError, match="time_utc is 2026-09-01T12:00:00: it needs a time zone"):
        assign(ledger, TEST, "Ann", design="hash")
    assert ledger.path.read_bytes() == b""


def test_a_folder_that_is_not_there_is_not_made(tmp_path):
    with pytest.raises(FileNotFoundError, match="no such folder for a ledger"):
        Ledger(tmp_path / "misspelt" / "assignments.jsonl")
    assert os.listdir(tmp_path) == []


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"design": "coin"}, "design is 'coin'"),
        ({"design": "hash", "game": 1}, "game is 1: design 'hash' deals the whole test"),
        ({"design": "game"}, "design 'game' needs the number of the player's game"),
        ({"design": "alternate", "game": -1}, "game is -1"),
        ({"design": "alternate", "game": 1, "order": "AB"}, "order is 'AB'"),
        ({"design": "blocked"}, "a table of players goes with 'blocked'"),
        ({"design": "hash", "table": pd.DataFrame()}, "a table of players goes with 'blocked'"),
        ({"design": "blocked", "table": pd.DataFrame({"player": []})}, "table has no column 'variant'"),
        (
            {"design": "blocked", "table": pd.DataFrame({"player": ["Bob"], "variant": ["A"]})},
            "'Ann' is 0 times in the table",
        ),
        (
            {"design": "blocked", "table": pd.DataFrame({"player": ["ANN", "ann"], "variant": ["A", "B"]})},
            "'Ann' is 2 times in the table",
        ),
        (
            {"design": "blocked", "table": pd.DataFrame({"player": ["Ann"], "variant": ["C"]})},
            "variant is 'C'",
        ),
        ({"name": " ", "design": "hash"}, "neither may be empty"),
        ({"experiment": "", "design": "hash"}, "neither may be empty"),
    ],
)
def test_bad_values_are_named_and_nothing_is_written(ledger, arguments, message):
    with pytest.raises(ValueError, match=message):
        assign(ledger, **{"experiment": TEST, "name": "Ann", **arguments})
    assert not ledger.path.exists() or ledger.path.read_bytes() == b""


WRITER = """
import sys, time
from pathlib import Path
from ludometrics.abtest.ledger import Ledger, assign
folder, me = Path(sys.argv[1]), int(sys.argv[2])
own, shared = (Ledger(folder / f"{name}.jsonl", timeout_s=60) for name in ("own", "shared"))
(folder / f"ready-{me}").touch()
while not (folder / "go").exists():
    time.sleep(0.005)
for turn in range(25):
    assign(own, "test", f"P{me}", design="game", game=turn)
    assign(shared, "test", "Ann", design="alternate", game=(turn + 7 * me) % 25)
"""


def test_four_processes_write_whole_lines_and_none_twice(tmp_path):
    writers = [subprocess.Popen([sys.executable, "-c", WRITER, str(tmp_path), str(me)]) for me in range(4)]
    try:
        while len(list(tmp_path.glob("ready-*"))) < 4:
            assert all(writer.poll() is None for writer in writers)
            time.sleep(0.01)
        (tmp_path / "own.jsonl.lock").touch()
        inode = (tmp_path / "own.jsonl.lock").stat().st_ino
        (tmp_path / "go").touch()
        assert [writer.wait(60) for writer in writers] == [0] * 4
    finally:
        for writer in writers:
            writer.kill()
    for name, expected in (("own", 100), ("shared", 25)):
        assert (tmp_path / f"{name}.jsonl").read_bytes().count(b"\n") == expected
        table = read_ledger(tmp_path / f"{name}.jsonl")
        assert len(table) == expected and not table.duplicated(["player", "game"]).any()
    if lock._KEEP:
        assert (tmp_path / "own.jsonl.lock").stat().st_ino == inode, "the lock file was deleted"


def test_a_ledger_in_use_is_waited_for_and_then_given_up(ledger):
    impatient = Ledger(ledger.path, timeout_s=0.05)
    with ledger.held():
        done = subprocess.run(
            [
                sys.executable,
                "-c",
                "import sys\nfrom ludometrics.abtest.ledger import Ledger, assign\n"
                "try:\n    assign(Ledger(sys.argv[1], timeout_s=0.05), 't', 'Ann', design='hash')\n"
                "except TimeoutError as error:\n    print(error)",
                str(ledger.path),
            ],
            capture_output=True,
            text=True,
        )
    assert "assignments.jsonl.lock" in done.stdout, done.stderr
    assign(impatient, "t", "Ann", design="hash")


GAMES = pd.DataFrame(
    {
        "player": ["Ann", "ANN ", "Bob", "Bob", "Straße", "Cid"],
        "game": [0, 1, 0, 1, 5, 0],
        "variant": ["A", "A", "B", "A", "B", "A"],
    },
    index=[10, 11, 12, 13, 14, 15],
)


def test_games_that_were_not_played_as_recorded(ledger):
    for player, game, variant in [
        ("ann", 0, "A"),
        ("ann", 1, "B"),
        ("bob", 1, "A"),
        ("cid", 0, "A"),
        ("cid", 1, "A"),
    ]:
        ledger.record(Assignment("t", player, variant, "game", game))
    ledger.record(Assignment("t", "STRASSE", "A", "hash"))
    found = compare_with_games(read_ledger(ledger.path), GAMES)
    assert found.index.tolist() == [11, 12, 14]
    assert list(found.columns) == ["player", "game", "variant", "recorded", "problem"]
    assert found["player"].tolist() == ["ANN ", "Bob", "Straße"] and found["game"].tolist() == [1, 0, 5]
    assert found["problem"].tolist() == ["another version", "never recorded", "another version"]
    assert found["recorded"].isna().tolist() == [False, True, False]
    assert found["recorded"].dropna().tolist() == ["B", "A"] and found["variant"].tolist() == ["A", "B", "B"]


def test_games_without_numbers_and_players_with_one_version(ledger):
    ledger.record(Assignment("t", "Ann", "A", "hash"))
    games = GAMES[["player", "variant"]].head(3)
    found = compare_with_games(read_ledger(ledger.path), games)
    assert found.index.tolist() == [12] and found["game"].isna().all()
    ledger.record(Assignment("t", "Bob", "B", "hash"))
    fair = compare_with_games(read_ledger(ledger.path), games)
    assert (
        len(fair) == 0
        and list(fair.columns) == list(found.columns)
        and fair["game"].dtype == found["game"].dtype
    )


def test_a_ledger_frame_may_spell_names_its_own_way():
    ledger = pd.DataFrame(
        {"player": ["ANN", "Bob", "CID"], "game": [None, None, None], "variant": ["A", "B", "A"]}
    )
    assert compare_with_games(ledger, GAMES).index.tolist() == [13, 14]


def test_numbers_in_a_column_with_gaps(ledger):
    ledger.record(Assignment("t", "Ann", "A", "game", 3))
    games = pd.DataFrame({"player": ["Ann", "Ann"], "variant": ["A", "A"], "game": [3.0, float("nan")]})
    found = compare_with_games(read_ledger(ledger.path), games)
    assert found.index.tolist() == [1] and found["problem"].tolist() == ["never recorded"]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda ledger, games: (ledger, games.drop(columns="player")), "games has no column 'player'"),
        (lambda ledger, games: (ledger, games.drop(columns="variant")), "games has no column 'variant'"),
        (lambda ledger, games: (ledger, games.drop(columns="game")), "games has no column 'game'"),
        (lambda ledger, games: (ledger.drop(columns="game"), games), "ledger has no column 'game'"),
        (lambda ledger, games: (pd.concat([ledger, ledger.assign(experiment="u")]), games), "choose one"),
        (lambda ledger, games: (ledger, games.assign(variant="")), "game in row 10: variant is ''"),
        (lambda ledger, games: (ledger, games.assign(player=" ")), "game in row 10: player is ' '"),
        (lambda ledger, games: (ledger, games.assign(game=0.5)), "game in row 10: game is 0.5"),
    ],
)
def test_bad_tables_are_named(broken, change, message):
    ledger, games = change(read_ledger(broken(LINES)), GAMES)
    with pytest.raises(ValueError, match=message):
        compare_with_games(ledger, games)


def test_the_next_game_comes_after_the_highest(tmp_path):
    ledger = Ledger(tmp_path / "assignments.jsonl")
    assert ledger.next_game("test", "Ann") == 0
    for game in (0, 5, 2):
        assign(ledger, "test", "Ann", design="game", game=game)
    assign(ledger, "other", "Ann", design="hash")
    assert ledger.next_game("test", " ANN ") == 6 and ledger.next_game("other", "Ann") == 0
    assert Ledger(ledger.path).next_game("test", "ann") == 6
