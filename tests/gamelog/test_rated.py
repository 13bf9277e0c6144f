"""Ratings that keep up with a folder: whatever happens to it, they are those of a replay from the first game."""

import json
import math
import os
import subprocess
import sys
import threading
import time
from datetime import UTC, date, datetime, timedelta

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ludometrics.gamelog import (
    FolderBusyError,
    FolderLock,
    Game,
    UnratedGame,
    append_game,
    append_unrated,
    file_name,
    fold_name,
    write_day,
)
from ludometrics.gamelog import rated as rated_module
from ludometrics.gamelog.names import LEVEL_NAMES
from ludometrics.gamelog.rated import RatedLog, RatingsDifferError
from ludometrics.gamelog.rows import encode_rows, parse_rows
from ludometrics.gamelog.snapshot import Rater
from ludometrics.gamelog.transaction import replace_files
from ludometrics.ratings import (
    Glicko1Settings,
    PosteriorSettings,
    elo,
    glicko1,
    index_games,
    leaderboard,
    posterior,
)

DAY = date(2026, 9, 1)
NOW = datetime(2026, 9, 30, 12, tzinfo=UTC)
GLICKO = Glicko1Settings(start=1200, growth=18.0)
GRID = PosteriorSettings(start=1200, start_deviation=450, low=0, high=2600, step=100)
ANCHORS = {"easy": 1000.0, "medium": 1300.0, "l9": 1700.0}
RATERS = {
    "elo": Rater("elo"),
    "glicko": Rater("glicko1", GLICKO, anchors=ANCHORS),
    "match": Rater("posterior", GRID, anchors=ANCHORS),
}
PEOPLE = ("Ann", "ANN", "Bob", "José", "(removed)", "(removed-7f3a91c2)")


def rated_log(folder, raters=RATERS, now=NOW, trust_s=0.0, **options):
    return RatedLog(folder, raters, now=lambda: now, trust_s=trust_s, **options)


def game_of(first, second, winner, number=None):
    """A game of two people, or of a person and a level."""
    level = second if second in LEVEL_NAMES else None
    return Game(first, LEVEL_NAMES.get(second, second), winner, level, id=number)


def in_place(path, content):
    """Write as the course's program does: the file stays the same one."""
    with open(path, "r+b" if path.exists() else "w+b") as file:
        file.truncate()
        file.write(content)


def fill(folder, days=3):
    """Some days of games: people among themselves and against levels."""
    rng = np.random.default_rng(5)
    for number in range(days):
        games = [
            game_of(
                "Ann",
                ("Bob", "José", "easy", "medium", "l9")[rng.integers(5)],
                "bw"[rng.integers(2)],
                f"{number}-{row}",
            )
            for row in range(6)
        ]
        write_day(folder, DAY + timedelta(number), games)
    return DAY + timedelta(days - 1)


@pytest.fixture
def no_reload(monkeypatch):
    """Loading everything again fails the test, once it is asked to."""

    def forbid():
        def load(*_, **__):
            raise AssertionError("everything is loaded again")

        monkeypatch.setattr(rated_module, "load_games", load)

    return forbid


class Folder:
    """What may happen to a folder of games; `n` counts, so that every game has an id of its own."""

    def __init__(self, path):
        self.path, self.day, self.n = path, DAY, 0

    def files(self, kind="scores"):
        return sorted(self.path.glob(f"{kind}-????-??-??.json"))

    def game(self, first, second, winner):
        self.n += 1
        if fold_name(PEOPLE[first]) == fold_name((*PEOPLE, *LEVEL_NAMES)[second]):
            second = len(PEOPLE)
        return game_of(PEOPLE[first], (*PEOPLE, *LEVEL_NAMES)[second], winner, f"n{self.n}")

    def row(self, *pick):
        game = self.game(*pick)
        return {name: value for name, value in vars(game).items() if value is not None}

    def add(self, *pick):
        # Names of removed people cannot be saved anew, but stand in files.
        path = self.path / file_name(self.day)
        rows = parse_rows(path.read_bytes(), path.name) if path.exists() else []
        replace_files(self.path, {path.name: encode_rows([*rows, self.row(*pick)])})

    def add_in_place(self, *pick):
        path = self.path / file_name(self.day)
        rows = parse_rows(path.read_bytes(), path.name) if path.exists() else []
        in_place(path, json.dumps([*rows, self.row(*pick)], indent=2).encode())

    def new_day(self, first, *_):
        self.day += timedelta(1 + first)

    def edit(self, first, second, winner):
        path = self.files()[second % len(self.files())] if self.files() else self.path / file_name(self.day)
        rows = (
            parse_rows(path.read_bytes(), path.name) if path.exists() else [self.row(first, second, winner)]
        )
        if rows:
            rows[first % len(rows)]["winner"] = winner
        in_place(path, encode_rows(rows))

    def forget(self, first, *_):
        token = f"(removed-{self.n:08x})"
        contents = {}
        for path in self.files():
            rows = parse_rows(path.read_bytes(), path.name)
            for row in rows:
                for side in ("black", "white"):
                    if fold_name(row.get(side, "")) == fold_name(PEOPLE[first]) != "(removed)":
                        row[side] = token
            contents[path.name] = encode_rows(rows)
        replace_files(self.path, contents)

    def expire(self, *_):
        for path in self.files()[:1]:
            path.unlink()

    def repeat(self, *_):
        """A game that stands there already."""
        rows = [row for path in self.files() for row in parse_rows(path.read_bytes(), path.name)]
        path = self.path / file_name(self.day)
        if rows and path.exists():
            in_place(path, encode_rows([*parse_rows(path.read_bytes(), path.name), rows[0]]))

    def spoil(self, *pick):
        """A row that is no game, and a good one after it."""
        path = self.path / file_name(self.day)
        rows = parse_rows(path.read_bytes(), path.name) if path.exists() else []
        in_place(path, encode_rows([*rows, {"black": "Ann"}, self.row(*pick)]))

    def unrated(self, first, *_):
        append_unrated(self.path, UnratedGame("Ann", "Bob", "undo", id=f"u{self.n}-{first}"), self.day)

    def odd(self, first, *_):
        (self.path / f"scores-{first}.json").write_bytes(b"x")


STEPS = [
    "add",
    "add",
    "add",
    "add_in_place",
    "new_day",
    "edit",
    "forget",
    "expire",
    "repeat",
    "spoil",
    "unrated",
    "odd",
]
picks = st.tuples(st.integers(0, len(PEOPLE) - 1), st.integers(0, len(PEOPLE) + 11), st.sampled_from("bw"))


@settings(max_examples=40, deadline=None)
@given(
    steps=st.lists(st.tuples(st.sampled_from(STEPS), picks, st.booleans()), min_size=1, max_size=12),
    asked=st.sets(st.sampled_from(list(RATERS))),
    trust_s=st.sampled_from([0.0, 1.0]),
)
def test_whatever_happens_ratings_are_those_of_a_replay(steps, asked, trust_s, tmp_path_factory):
    path = tmp_path_factory.mktemp("games")
    folder, log = Folder(path), rated_log(path, trust_s=trust_s)
    for step, pick, look in steps:
        getattr(folder, step)(*pick)
        if look:
            log.refresh()
            for name in asked:
                log.player(name, "Ann")
    log.prove()


def test_games_at_the_end_are_rated_from_where_ratings_stand(tmp_path, no_reload):
    day = fill(tmp_path)
    log = rated_log(tmp_path)
    assert log.refresh() and not log.refresh()
    before, ratings = log.now, log.player("elo", "Ann")
    no_reload()
    append_game(tmp_path, game_of("Ann", "Zoë", "b", "x1"), day)
    assert log.refresh() and not log.refresh()
    append_game(tmp_path, game_of("Ann", "hard", "w", "x2"), day)
    append_game(tmp_path, game_of("Bob", "Zoë", "w", "x3"), day + timedelta(2))
    assert log.refresh() and not log.refresh()
    assert [log.player("elo", name).games for name in ("zoë", "Computer (High)")] == [2, 1]
    assert (log.now.n_games, before.n_games) == (before.n_games + 3, 18)
    # Who still reads the older one finds it as it was.
    assert before.player("elo", "Ann") == ratings and before.player("elo", "Zoë") is None
    assert before.player("glicko", "Zoë") is None


@pytest.mark.parametrize("change", ["unrated", "touch", "mode", "rewrite", "course"])
def test_what_changes_no_game_reloads_nothing(tmp_path, no_reload, change):
    day = fill(tmp_path)
    log = rated_log(tmp_path)
    log.refresh()
    before, path = log.now, tmp_path / file_name(DAY)
    no_reload()
    if change == "unrated":
        append_unrated(tmp_path, UnratedGame("Ann", "Bob", "undo", id="u"), day)
    elif change == "touch":
        os.utime(path)
    elif change == "mode":
        path.chmod(0o600)
    elif change == "rewrite":
        replace_files(tmp_path, {path.name: path.read_bytes()})
    else:
        rows = parse_rows((tmp_path / file_name(day)).read_bytes(), "day")
        in_place(tmp_path / file_name(day), encode_rows([*rows, rows[0] | {"id": "other"}]))
    assert log.refresh() == (change == "course")
    assert log.now.left_out == before.left_out == ()


def test_an_unrated_game_that_cannot_be_used_is_reported_and_forgotten_again(tmp_path, no_reload):
    fill(tmp_path)
    log = rated_log(tmp_path)
    log.refresh()
    no_reload()
    path = tmp_path / "unrated-2026-09-01.json"
    path.write_bytes(b"[3]")
    assert log.refresh() and [one.file for one in log.left_out] == [path.name]
    path.write_bytes(b"[]")
    assert log.refresh() and log.left_out == ()


@pytest.mark.parametrize(
    "end",
    [
        b",\n]\n",
        b"\n] x",
        b",\n3]\n",
        b",\n{]\n",
        b"\n]\n\n]",
        b' , {"black": "Ann", "white": "Bob"}]',
        b",\n\n]",
    ],
    ids=["a comma", "more", "a number", "half", "a bracket", "no winner", "a comma and lines"],
)
def test_an_end_that_is_none(tmp_path, end):
    """The part that is new is not taken for an array of its own where the whole is none."""
    day = fill(tmp_path)
    log = rated_log(tmp_path)
    log.refresh()
    path = tmp_path / file_name(day)
    in_place(path, path.read_bytes().rstrip()[:-1].rstrip() + end)
    assert log.refresh()
    log.prove()
    assert len(log.left_out) == 1 and log.left_out[0].row == (7 if b"Bob" in end else None)


def test_a_broken_day_comes_back(tmp_path):
    day = fill(tmp_path)
    path = tmp_path / file_name(day)
    content = path.read_bytes()
    log = rated_log(tmp_path)
    log.refresh()
    in_place(path, content[:-20])
    assert log.refresh() and log.now.n_games == 12 and log.left_out[0].file == path.name
    saved = append_game(tmp_path, game_of("Ann", "Bob", "b", "x"), day)
    assert log.refresh() and log.now.n_games == 13 and log.left_out[0].file == saved.set_aside
    log.prove()
    in_place(path, content)
    assert log.refresh() and log.now.n_games == 18
    log.prove()


def test_a_change_within_a_tick_of_the_clock_is_seen(tmp_path, monkeypatch):
    """As long as a file's times are those of a moment ago, they do not show that nothing was written since."""
    write_day(tmp_path, DAY, [Game("Ann", "Bob", "b")])
    moment = rated_module.time.time_ns()
    state = (1, 0o100644, 60, moment, moment)
    monkeypatch.setattr(rated_module, "scan_folder", lambda *_, **__: {file_name(DAY): state})
    monkeypatch.setattr(rated_module, "same_entries", lambda *_: True)
    log = rated_log(tmp_path)
    assert log.refresh() and log.player("elo", "Ann").rating == 1216
    write_day(tmp_path, DAY, [Game("Ann", "Bob", "w")])
    assert log.refresh() and log.player("elo", "Ann").rating == 1184
    monkeypatch.setattr(rated_module, "_TICK_NS", -(10**12))  # as if it were long ago
    assert not log.refresh()
    write_day(tmp_path, DAY, [Game("Ann", "Bob", "b")])
    assert not log.refresh()


def test_a_file_written_in_place_is_seen_after_a_while(tmp_path, monkeypatch):
    """At once, if it is the last day's; one that is replaced is always seen at once."""
    monkeypatch.setattr(rated_module, "_TICK_NS", 0)
    moment = [0.0]
    monkeypatch.setattr(rated_module.time, "monotonic", lambda: moment[0])
    day = fill(tmp_path)
    log = rated_log(tmp_path, trust_s=1.0)
    log.refresh()
    early, late = tmp_path / file_name(DAY), tmp_path / file_name(day)
    in_place(late, b"[]")
    assert log.refresh() and log.now.n_games == 12
    in_place(early, b"[]")
    moment[0] = 0.9
    assert not log.refresh()
    moment[0] = 1.0
    assert log.refresh() and log.now.n_games == 6
    write_day(tmp_path, DAY, [game_of("Ann", "Bob", "b")])
    assert log.refresh() and log.now.n_games == 7
    in_place(early, b"[]")
    log.prove()
    assert log.now.n_games == 6


def test_what_is_written_while_waiting_for_the_lock_is_seen(tmp_path, monkeypatch):
    day = fill(tmp_path)
    log = rated_log(tmp_path)
    scan, times = rated_module.scan_folder, []

    def scan_then_write(folder, *known, **near):
        states = scan(folder, *known, **near)
        if not times:
            append_game(tmp_path, game_of("Ann", "Bob", "b", "x"), day)
        times.append(states)
        return states

    monkeypatch.setattr(rated_module, "scan_folder", scan_then_write)
    assert log.refresh() and log.now.n_games == 19 and len(times) == 2


def test_a_day_comes(tmp_path):
    """At midnight in the time zone; in summer London is an hour ahead of UTC."""
    moment = [datetime(2026, 9, 1, 22, 59, tzinfo=UTC)]
    log = RatedLog(tmp_path, RATERS, now=lambda: moment[0])
    write_day(tmp_path, DAY, [Game("Ann", "Bob", "b")])
    write_day(tmp_path, DAY + timedelta(1), [Game("Ann", "Bob", "b")])
    assert log.refresh() and log.now.n_games == 1
    assert [one.reason for one in log.left_out] == ["its day is to come"]
    moment[0] += timedelta(minutes=1)
    assert log.refresh() and log.now.n_games == 2 and log.left_out == ()
    log.prove()


def test_elo_is_that_of_the_course(tmp_path):
    """A replay of all games by name, levels rated like players; the order is its leaderboard's."""
    fill(tmp_path)
    log = rated_log(tmp_path)
    rows = [
        row for path in sorted(tmp_path.glob("scores-*")) for row in parse_rows(path.read_bytes(), path.name)
    ]
    scores = [{"b": 1.0, "draw": 0.5, "w": 0.0}[row["winner"]] for row in rows]
    games = index_games([row["black"] for row in rows], [row["white"] for row in rows], scores)
    record = elo.replay(games.pairs, games.outcomes)
    board = leaderboard(
        dict(zip(games.players, record.ratings.tolist(), strict=True)),
        dict(zip(games.players, record.games.tolist(), strict=True)),
    )
    table = log.standings("elo")
    shown = zip(table["name"], table["rating"].round(), table["games"], table["provisional"], strict=True)
    assert list(shown) == [tuple(row) for row in board]
    ratings = dict(zip(table["name"], table["rating"], strict=True))
    assert ratings == dict(zip(games.players, record.ratings.tolist(), strict=True))
    assert table["deviation"].isna().all()
    assert table.set_index("name")["level"].dropna().to_dict() == {
        LEVEL_NAMES[level]: level for level in ("easy", "medium", "l9")
    }


def test_glicko_and_posterior_with_anchors(tmp_path):
    day = fill(tmp_path)
    log = rated_log(tmp_path)
    snapshot = log.now
    m = snapshot.n_players
    anchored = [list(LEVEL_NAMES).index(level) for level in ANCHORS]
    ratings, deviations = np.full(m, 1200.0), np.full(m, 350.0)
    ratings[anchored], deviations[anchored] = list(ANCHORS.values()), 0.0
    options = {"n_players": m, "ratings": ratings, "anchored": anchored}
    record = glicko1.replay(
        snapshot.pairs,
        snapshot.outcomes,
        times=snapshot.times,
        settings=GLICKO,
        deviations=deviations,
        **options,
    )
    player = log.player("glicko", "ann")
    at = snapshot.keys.index("ann")
    assert player.rating == record.ratings[at] and player.games == record.games[at] == 18
    aged = math.sqrt(record.variances[at] + 18.0**2 * (NOW.date() - day).days)
    assert player.deviation == pytest.approx(aged)
    whole = posterior.replay(snapshot.pairs, snapshot.outcomes, settings=GRID, **options)
    found = log.player("match", "ANN")
    assert (found.rating, found.deviation) == (whole.ratings[at], whole.deviations[at])
    table = log.standings("glicko").set_index("level")
    assert table.loc["medium", ["rating", "deviation"]].tolist() == [1300.0, 0.0]
    assert table["deviation"].min() == 0.0


def test_a_deviation_grows_with_absence(tmp_path):
    day = fill(tmp_path)
    early, late = (rated_log(tmp_path, now=datetime(2026, 9, day.day + n, 12, tzinfo=UTC)) for n in (0, 20))
    assert late.player("glicko", "Ann").deviation > early.player("glicko", "Ann").deviation + 1
    assert late.player("glicko", "Ann").rating == early.player("glicko", "Ann").rating
    assert late.player("glicko", "Computer (Medium)").deviation == 0


def test_games_are_rated_in_pieces_as_in_one(tmp_path, monkeypatch):
    fill(tmp_path)
    whole = rated_log(tmp_path).now.record("match")
    monkeypatch.setattr("ludometrics.gamelog.snapshot._AT_ONCE", {"posterior": 4})
    parts = rated_log(tmp_path).now.record("match")
    assert whole.weights.tobytes() == parts.weights.tobytes()
    assert whole.ratings.tobytes() == parts.ratings.tobytes()


def test_removed_people(tmp_path):
    """None is shown or found, each without a token is somebody else, and nobody's rating changes by a removal."""
    games = [
        Game("Ann", "Zed", "b"),
        Game("Bob", "Tom", "w"),
        Game("Zed", "Tom", "b"),
        Game("Ann", "Bob", "b"),
    ]
    write_day(tmp_path, DAY, games)
    log = rated_log(tmp_path)
    before = {name: log.player(name, "Ann") for name in RATERS} | {"bob": log.player("elo", "Bob")}
    text = (tmp_path / file_name(DAY)).read_text()
    for old, new in (("Zed", "(removed-00000001)"), ("Tom", "(removed-00000002)")):
        text = text.replace(old, new)
        in_place(tmp_path / file_name(DAY), text.encode())
        assert log.refresh()
        assert {name: log.player(name, "Ann") for name in RATERS} | {
            "bob": log.player("elo", "Bob")
        } == before
    assert set(log.standings("elo")["name"]) == {"Ann", "Bob"}
    assert log.player("elo", "(removed-00000001)") is None and log.met("(removed-00000001)", []) == ((), ())
    assert [row.name for row in log.day_table(DAY)] == ["Ann", "Bob"]
    write_day(tmp_path, DAY, [Game("(removed)", "(removed)", "b"), Game("(Removed)", "Ann", "b")])
    assert log.refresh() and log.now.n_players == len(LEVEL_NAMES) + 4
    assert log.player("elo", "(removed)") is None and log.player("elo", "Ann").rating == 1184
    log.prove()


def test_a_player_is_shown_as_last_spelt(tmp_path, no_reload):
    write_day(tmp_path, DAY, [game_of("ann", "medium", "b", "1"), game_of("Jose\u0301", "ANN", "b", "2")])
    log = rated_log(tmp_path)
    assert set(log.standings("elo")["name"]) == {"ANN", "Jose\u0301", "Computer (Medium)"}
    no_reload()
    append_game(tmp_path, Game("computer (MEDIUM)", "Ann", "b", "medium", id="3"), DAY)
    log.refresh()
    table = log.standings("elo").set_index("key")
    assert table.loc["ann", "name"] == "Ann" and table.loc["computer (medium)", "name"] == "Computer (Medium)"
    assert log.player("elo", " aNN ").games == 3 and log.player("elo", "Zoë") is None
    assert {row.name for row in log.day_table(DAY)} == set(table["name"])


def test_levels_met(tmp_path):
    games = [
        game_of("Ann", "easy", "b"),
        Game("Computer (9)", "ANN", "b", "l9"),
        game_of("Ann", "Bob", "b"),
        game_of("Ann", "hard", "draw"),
        game_of("Bob", "easy", "w"),
        game_of("Ann", "easy", "w"),
    ]
    write_day(tmp_path, DAY, games)
    log = rated_log(tmp_path)
    assert log.met("ann", LEVEL_NAMES) == (("easy", "l9", "hard", "easy"), (1.0, 0.0, 0.5, 0.0))
    assert log.met("Ann", ["l9", "easy"]) == (("easy", "l9", "easy"), (1.0, 0.0, 0.0))
    assert log.met("Bob", ["hard"]) == log.met("Zoë", LEVEL_NAMES) == ((), ())
    with pytest.raises(ValueError, match="level is 'top'"):
        log.met("Ann", ["top"])


def test_the_table_of_a_day(tmp_path):
    write_day(tmp_path, DAY, [Game("Ann", "Bob", "b"), Game("Bob", "Ann", "draw")])
    write_day(tmp_path, DAY + timedelta(1), [Game("Bob", "Ann", "b")])
    log = rated_log(tmp_path)
    assert [tuple(row) for row in log.day_table(DAY)] == [("Ann", 2, 1, 1, 0, 4), ("Bob", 2, 0, 1, 1, 1)]
    assert [row.name for row in log.day_table(DAY + timedelta(1))] == ["Bob", "Ann"]
    assert log.day_table(DAY + timedelta(2)) == []


def test_an_empty_folder_and_one_that_is_not_there(tmp_path):
    log = rated_log(tmp_path)
    assert log.refresh() and not log.refresh()
    assert log.player("match", "Ann") is None and log.standings("elo").empty and log.day_table(DAY) == []
    log.prove()
    with pytest.raises(FileNotFoundError):
        RatedLog(tmp_path / "misspelt", RATERS)


def test_an_index_that_disagrees_is_named(tmp_path):
    fill(tmp_path)
    log = rated_log(tmp_path)
    log.prove()
    record = log.now.record("elo")
    record.ratings[-1] = np.nextafter(record.ratings[-1], 9999.0)
    with pytest.raises(RatingsDifferError, match="ratings of rater 'elo'"):
        log.prove()


def test_a_busy_folder_leaves_the_ratings_as_they_were(tmp_path):
    day = fill(tmp_path)
    log = rated_log(tmp_path, timeout_s=0.05)
    before = log.now
    append_game(tmp_path, game_of("Ann", "Bob", "b", "x"), day)
    with FolderLock(tmp_path).exclusive(), pytest.raises(FolderBusyError):
        log.refresh()
    assert log.now is before
    assert log.refresh() and log.now.n_games == 19


def test_a_folder_without_change_is_not_locked(tmp_path, monkeypatch):
    fill(tmp_path)
    for path in tmp_path.glob("scores-*"):
        os.utime(path, ns=(1, 1))
    monkeypatch.setattr(rated_module, "_TICK_NS", -(10**12))  # as if it were long ago
    log = rated_log(tmp_path, timeout_s=0.05)
    log.refresh()
    with FolderLock(tmp_path).exclusive():
        assert not log.refresh()


@pytest.mark.parametrize(
    "arguments, message",
    [
        ({"system": "whr"}, "cannot be carried on"),
        ({"system": "elo", "settings": GLICKO}, "settings are Glicko1Settings: elo has EloSettings"),
        ({"system": "elo", "anchors": {"top": 1.0}}, "anchor 'top': allowed are 'easy'"),
        ({"system": "elo", "anchors": {"easy": math.nan}}, "anchor 'easy' is nan"),
        ({"system": "elo", "anchors": {"easy": True}}, "anchor 'easy' is True"),
    ],
    ids=["system", "settings", "level", "number", "bool"],
)
def test_raters_that_are_none(arguments, message):
    with pytest.raises(ValueError, match=message):
        Rater(**arguments)


def test_a_rater_that_is_not_there(tmp_path):
    log = rated_log(tmp_path)
    for ask in (log.standings, lambda name: log.player(name, "Ann")):
        with pytest.raises(ValueError, match="rater is 'whr': allowed are 'elo', 'glicko', 'match'"):
            ask("whr")


def test_many_readers_while_games_are_saved(tmp_path):
    """Whatever a reader holds is of one moment: every game has two players."""
    day = fill(tmp_path)
    log = rated_log(tmp_path)
    wrong, over = [], threading.Event()

    def read():
        while not over.is_set():
            snapshot = log.now
            for name in RATERS:
                if snapshot.record(name).games.sum() != 2 * snapshot.n_games:
                    wrong.append(name)
            if len(snapshot.keys) != snapshot.n_players or snapshot.day_table(day) is None:
                wrong.append("players")
            time.sleep(0.002)

    readers = [threading.Thread(target=read) for _ in range(3)]
    log.refresh()
    for reader in readers:
        reader.start()
    for number in range(12):
        append_game(tmp_path, game_of("Ann", f"New {number}", "b", f"x{number}"), day)
        log.refresh()
    over.set()
    for reader in readers:
        reader.join()
    assert not wrong and log.now.n_games == 30
    log.prove()


def test_two_processes(tmp_path):
    """One saves games, the other follows."""
    day = fill(tmp_path)
    log = rated_log(tmp_path)
    log.refresh()
    code = (
        "import sys; from datetime import date; from ludometrics.gamelog import Game, append_game\n"
        "for n in range(40):\n"
        "    append_game(sys.argv[1], Game('Ann', f'New {n % 7}', 'b', id=f'p{n}'), date.fromisoformat(sys.argv[2]))\n"
    )
    with subprocess.Popen([sys.executable, "-c", code, str(tmp_path), day.isoformat()]) as writer:
        seen = []
        while writer.poll() is None:
            log.refresh()
            seen.append(log.player("elo", "Ann").games)
    assert writer.returncode == 0 and seen == sorted(seen)
    log.refresh()
    assert log.now.n_games == 18 + 40
    log.prove()
