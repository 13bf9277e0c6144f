"""What is known of a table before it plays: earlier plays, familiarity, confidence, durations."""

import math
from dataclasses import replace
from datetime import datetime, timedelta

import pytest

from ludometrics.boardgames.context import (
    Duration,
    duration,
    experience,
)
from ludometrics.boardgames.factors import confidence_factor
from ludometrics.boardgames.factors import familiarity as share_of
from ludometrics.boardgames.records import Game, Person, Play, PlayLog, Seat
from ludometrics.boardgames.settings import EngineSettings

DAY = datetime(2026, 9, 1, 19)
AUTHOR = EngineSettings()
NAN = math.nan


def make_log(*tables, games=("g",), owner="", **fields):
    """A log of plays a day apart: each a game and its people; "?" is a guest."""
    plays = tuple(
        Play(str(number), game, DAY + timedelta(days=number), DAY, tuple(map(Seat, people)))
        for number, (game, people) in enumerate(tables)
    )
    everybody = sorted({person for _, people in tables for person in people})
    people = {key: Person(key, key.upper(), is_guest=key == "?") for key in everybody}
    return PlayLog({key: Game(key, key, **fields) for key in games}, people, plays, owner=owner)


def familiarity(log, settings):
    """Familiarity of each seat, a tuple a play."""
    return [tuple(map(float, share_of(row, settings))) for row in experience(log, settings)]


def rounded(rows):
    return [[None if math.isnan(value) else round(value, 6) for value in row] for row in rows]


def test_familiarity_follows_the_author():
    log = make_log(*[("g", "ab")] * 9)
    of_a = [row[0] for row in familiarity(log, AUTHOR)]
    assert of_a[0] == 0.0 and of_a[2] == 0.5 and of_a[8] == 0.8


def test_only_earlier_plays_of_that_game_by_that_person_count():
    log = make_log(("g", "ab"), ("h", "ac"), ("g", "cb"), ("g", "ac"), games=("g", "h"))
    assert rounded(experience(log, AUTHOR)) == [[0, 0], [0, 0], [0, 1], [1, 1]]
    third = 1 / 3
    assert familiarity(log, AUTHOR) == [(0.0, 0.0), (0.0, 0.0), (0.0, third), (third, third)]


def test_plays_before_a_season_count_as_well():
    log = make_log(*[("g", "ab")] * 4)
    season = log.between(log.plays[2].at.date())
    assert len(season.plays) == len(season.earlier) == 2
    assert rounded(experience(season, AUTHOR)) == [[2, 2], [3, 3]]
    assert rounded(experience(log.between(None, log.plays[1].at.date()), AUTHOR)) == [[0, 0], [1, 1]]


def test_plays_that_are_not_rated_count_as_well():
    log = make_log(("g", "a"), ("g", "ab"), ("g", "ab"), ("g", "ab"))
    kinds = [{}, {"ignored": True}, {"scoring": 6, "uses_teams": True}, {}]
    plays = [replace(play, **kind) for play, kind in zip(log.plays, kinds, strict=True)]
    assert rounded(experience(replace(log, plays=tuple(plays)), AUTHOR))[-1] == [3, 2]


def test_guests_and_the_unknown_have_none():
    log = make_log(("g", "a?"), ("?", "ab"), ("?", "ab"), ("g", "?a?"))
    log = replace(log, people={key: log.people[key] for key in "a?"})
    assert rounded(experience(log, AUTHOR)) == [[0, None], [None, None], [None, None], [None, 1, None]]


def test_somebody_who_sits_twice_has_played_once():
    log = make_log(("g", "aab"), ("g", "ab"))
    assert rounded(experience(log, AUTHOR)) == [[0, 0, 0], [1, 1]]


def test_editions_count_together():
    log = make_log(("g", "ab"), ("h", "ab"), ("i", "ab"), ("g", "ab"), games=("g", "h", "i"))
    editions = {"h": "g"}
    assert rounded(experience(log, AUTHOR, editions)) == [[0, 0], [1, 1], [0, 0], [2, 2]]
    assert rounded(experience(log, AUTHOR)) == [[0, 0], [0, 0], [0, 0], [1, 1]]


def test_the_owner_may_bring_earlier_plays():
    log = make_log(("g", "ab"), ("h", "ab"), games=("g", "h"), owner="a", played_before=4)
    assert rounded(experience(log, AUTHOR)) == [[0, 0], [0, 0]]
    counted = replace(AUTHOR, owner_experience=True)
    assert rounded(experience(log, counted)) == [[4, 0], [4, 0]]
    assert rounded(experience(log, counted, {"h": "g"})) == [[8, 0], [9, 1]]
    assert rounded(experience(replace(log, owner=""), counted)) == [[0, 0], [0, 0]]


def test_a_seat_marked_as_a_first_play_may_reset_that_seat():
    log = make_log(("g", "ab"), ("g", "ab"), ("g", "ab"))
    marked = replace(log.plays[1], seats=(Seat("a", new_player=True), Seat("b")))
    log = replace(log, plays=(log.plays[0], marked, log.plays[2]))
    assert rounded(experience(log, AUTHOR)) == [[0, 0], [1, 1], [2, 2]]
    assert rounded(experience(log, replace(AUTHOR, new_player_resets=True))) == [[0, 0], [0, 1], [2, 2]]


def test_the_half_is_a_setting():
    log = make_log(*[("g", "ab")] * 5)
    assert familiarity(log, replace(AUTHOR, familiarity_half=4.0))[4] == (0.5, 0.5)


@pytest.mark.parametrize(
    ("table", "by", "wanted"),
    [
        ([0.0, 0.0], "mean", 0.5),
        ([0.8, 0.8, 0.8], "mean", 0.9),
        ([0.0, 0.8], "mean", 0.7),
        ([0.0, 0.8], "least", 0.5),
        ([0.0, 0.8], "pair", 0.7),
        ([0.8, NAN, NAN], "mean", 0.9),
        ([NAN, 0.8, 0.5], "least", 0.75),
        ([NAN, NAN], "mean", 0.5),
        ([NAN, NAN], "least", 0.5),
    ],
    ids=[
        "newcomers",
        "eight plays each",
        "one of each",
        "the least",
        "pairs show the mean",
        "guests are left out",
        "guests are left out of the least",
        "only guests",
        "only guests, the least",
    ],
)
def test_confidence(table, by, wanted):
    (value,) = confidence_factor(table, [0, len(table)], replace(AUTHOR, confidence_by=by))
    assert value == pytest.approx(wanted, abs=1e-15)


@pytest.mark.parametrize(
    ("minutes", "stated", "wanted"),
    [
        (95, (30, 60), Duration(95.0, "logged")),
        (1, (30, 60), Duration(1.0, "logged")),
        (1440, (30, 60), Duration(1440.0, "logged")),
        (1441, (30, 60), Duration(45.0, "stated")),
        (0, (30, 60), Duration(45.0, "stated")),
        (-5, (30, 45), Duration(37.5, "stated")),
        (0, (0, 60), Duration(60.0, "stated")),
        (0, (60, 0), Duration(60.0, "stated")),
        (0, (0, 60_000), Duration(NAN, "unknown")),
        (0, (0, 0), Duration(NAN, "unknown")),
        (0, (-1, -1), Duration(NAN, "unknown")),
    ],
    ids=[
        "logged",
        "a minute",
        "a day",
        "a timer left running",
        "not logged",
        "negative",
        "only the most is stated",
        "only the least is stated",
        "weeks are stated",
        "nothing is known",
        "nonsense is stated",
    ],
)
def test_duration(minutes, stated, wanted):
    play = Play("1", "g", DAY, DAY, (), minutes=minutes)
    game = Game("g", "Game", min_minutes=stated[0], max_minutes=stated[1])
    assert repr(duration(play, game)) == repr(wanted)


def test_duration_without_a_game():
    play = Play("1", "", DAY, DAY, (), minutes=50)
    assert duration(play, None) == Duration(50.0, "logged")
    assert math.isnan(duration(replace(play, minutes=0), None).minutes)
