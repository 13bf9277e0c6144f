"""Finishing orders: a table of what real logs hold, what must be true of every play, and real logs where given."""

import json
import math
import os
from dataclasses import replace
from datetime import datetime
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st

from ludometrics.boardgames.bgstats import read_export
from ludometrics.boardgames.finishing import (
    FLAGS,
    REASONS,
    Order,
    Rejection,
    competition_ranks,
    count_flags,
    count_reasons,
    finish,
    finish_all,
)
from ludometrics.boardgames.records import MOST_SEATS, Game, Person, Play, PlayLog, Seat
from ludometrics.boardgames.settings import PRESETS, EngineSettings, preset

CASES = json.loads((Path(__file__).parents[1] / "data" / "boardgames" / "oddities.json").read_text("utf-8"))
DAY = datetime(2026, 9, 1, 19)
PEOPLE = {letter: Person(letter, letter.upper()) for letter in "abcdefghijkl"} | {
    "guest": Person("guest", "Guest", is_guest=True),
    "automaton": Person("automaton", "The bot", is_guest=True, is_automaton=True),
}
GAME = Game("g", "Game")


def read_case(case):
    """A play of the table, its game and its settings."""
    game = replace(GAME, **case.get("game", {}))
    seats = tuple(Seat(**seat) for seat in case["seats"])
    fields = {name: case[name] for name in ("scoring", "uses_teams", "ignored") if name in case}
    play = Play(case["uuid"], "g", DAY, DAY, seats, **fields)
    return play, game, preset(case.get("preset", "tuned"), **case.get("settings", {}))


def play_of(*seats, **fields):
    return Play("1", "g", DAY, DAY, seats, **fields)


def same(outcome, other):
    """Equality in which NaN equals NaN."""
    return repr(outcome) == repr(other)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["desc"])
def test_oddity(case):
    play, game, settings = read_case(case)
    outcome = finish(play, game, PEOPLE, settings)
    if "reason" in case:
        assert isinstance(outcome, Rejection) and outcome.reason == case["reason"]
        assert outcome.detail
        return
    assert isinstance(outcome, Order), outcome
    assert list(outcome.ranks) == case["ranks"]
    assert outcome.source == case["source"]
    assert list(outcome.flags) == case.get("flags", [])
    assert list(outcome.teams) == case.get("teams", [-1] * len(play.seats))
    if "values" in case:
        assert [None if math.isnan(score) else score for score in outcome.scores] == case["values"]


def test_the_table_has_every_oddity_and_every_reason_but_what_is_tested_below():
    assert {case["oddity"] for case in CASES} == set(range(15))
    assert len({case["uuid"] for case in CASES}) == len({case["desc"] for case in CASES}) == len(CASES)
    assert set(REASONS) - {case.get("reason") for case in CASES} == {"too_many_seats"}
    assert set(FLAGS) == {flag for case in CASES for flag in case.get("flags", [])}


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["desc"])
def test_turning_the_seats_round_turns_the_result_round(case):
    play, game, settings = read_case(case)
    outcome = finish(play, game, PEOPLE, settings)
    turned = finish(replace(play, seats=play.seats[::-1]), game, PEOPLE, settings)
    if isinstance(outcome, Rejection):
        assert turned.reason == outcome.reason
    else:
        back = turned._replace(ranks=turned.ranks[::-1], scores=turned.scores[::-1], teams=turned.teams[::-1])
        assert same(back, outcome)


def seats():
    seat = st.builds(
        Seat,
        person=st.just(""),
        score=st.sampled_from(["", "0", "3", "7", "3+4", "12-5", "word", "-2", "6,5"]),
        rank=st.sampled_from([0, 0, 1, 2, 3, 5]),
        winner=st.booleans(),
        team=st.sampled_from(["", "0", "1"]),
    )
    return st.lists(seat, min_size=2, max_size=6).map(
        lambda some: tuple(replace(one, person="abcdef"[n]) for n, one in enumerate(some))
    )


@st.composite
def situations(draw):
    game = Game("g", "Game", 0, *(draw(st.booleans()) for _ in range(4)))
    play = play_of(*draw(seats()), scoring=draw(st.integers(0, 6)), uses_teams=draw(st.booleans()))
    settings = EngineSettings(gate=draw(st.booleans()), teams=draw(st.sampled_from(["reject", "across"])))
    return play, game, settings


@hypothesis_settings(deadline=None)
@given(situations())
def test_ranks_are_a_competition_ranking_that_starts_at_1(situation):
    outcome = finish(*situation[:2], PEOPLE, situation[2])
    if isinstance(outcome, Order):
        assert min(outcome.ranks) == 1
        assert outcome.ranks == tuple(1 + sum(r < mine for r in outcome.ranks) for mine in outcome.ranks)
        assert outcome.source == "scores" or len(set(outcome.ranks)) > 1
        assert outcome.source in ("ranks", "scores", "flag")
        assert set(outcome.flags) <= set(FLAGS)
        assert ("full_tie" in outcome.flags) == (len(set(outcome.ranks)) == 1)
        assert outcome.direction != 0 or all(map(math.isnan, outcome.scores))
    else:
        assert outcome.reason in REASONS and outcome.detail


@hypothesis_settings(deadline=None)
@given(situations(), st.randoms())
def test_any_order_of_the_seats_gives_the_permuted_result(situation, random):
    play, game, settings = situation
    order = list(range(len(play.seats)))
    random.shuffle(order)
    shuffled = replace(play, seats=tuple(play.seats[place] for place in order))
    one, other = finish(play, game, PEOPLE, settings), finish(shuffled, game, PEOPLE, settings)
    if isinstance(one, Rejection):
        assert isinstance(other, Rejection) and other.reason == one.reason
    else:
        moved = {name: tuple(getattr(one, name)[n] for n in order) for name in ("ranks", "scores", "teams")}
        assert same(other, one._replace(**moved))


@hypothesis_settings(deadline=None)
@given(situations())
def test_the_gate_only_ever_takes_away(situation):
    play, game, settings = situation
    gated = finish(play, game, PEOPLE, replace(settings, gate=True))
    if isinstance(gated, Order):
        assert same(gated, finish(play, game, PEOPLE, replace(settings, gate=False)))


@hypothesis_settings(deadline=None)
@given(st.lists(st.integers(1, 6), min_size=2, max_size=6))
def test_dense_and_competition_ranks_give_the_same(ranks):
    dense = [sorted(set(ranks)).index(rank) + 1 for rank in ranks]
    proper = competition_ranks([-rank for rank in ranks])
    results = [
        finish(
            play_of(*(Seat("abcdef"[n], rank=r) for n, r in enumerate(given))), GAME, PEOPLE, EngineSettings()
        )
        for given in (ranks, dense, proper)
    ]
    if len(set(ranks)) > 1:
        assert [result.ranks for result in results] == [proper] * 3
    else:
        assert {result.reason for result in results} == {"no_order"}


def test_team_mates_finish_together_and_lowest_wins_is_turned_round():
    table = [Seat("a", "4", team="red"), Seat("b", "9", team="blue"), Seat("c", "4", team=" RED ")]
    play = play_of(*table, uses_teams=True)
    outcome = finish(play, replace(GAME, highest_wins=False), PEOPLE, EngineSettings(teams="across"))
    assert outcome.ranks == (1, 3, 1) and outcome.teams == (1, 0, 1)
    assert outcome.scores == (-4.0, -9.0, -4.0) and outcome.direction == -1


@pytest.mark.parametrize(
    ("scoring", "ranks", "source", "direction"),
    [(4, (2, 1), "scores", 1), (5, (1, 2), "scores", -1), (6, (2, 1), "flag", 0)],
    ids=["high", "low", "no points"],
)
def test_a_cooperative_scoring_keeps_its_direction_without_the_gate(scoring, ranks, source, direction):
    """The winner of 3 against 8 is marked as that scoring says; the other way round the mark would contradict."""
    table = Seat("a", "3", winner=scoring == 5), Seat("b", "8", winner=scoring != 5)
    outcome = finish(play_of(*table, scoring=scoring), GAME, PEOPLE, PRESETS["bgelo"])
    assert (outcome.ranks, outcome.source, outcome.direction) == (ranks, source, direction)
    shown = [None if math.isnan(score) else score for score in outcome.scores]
    assert shown == {1: [3, 8], -1: [-3, -8], 0: [None, None]}[direction]


def test_nothing_is_a_plain_zero_where_the_lowest_wins():
    outcome = finish(
        play_of(Seat("a", "0"), Seat("b", "2")), replace(GAME, highest_wins=False), PEOPLE, EngineSettings()
    )
    assert repr(outcome.scores) == "(0.0, -2.0)"


def test_a_guest_keeps_the_place_and_two_guests_are_two_seats():
    table = [Seat("guest", "9"), Seat("a", "8"), Seat("guest", "7"), Seat("b", "6")]
    assert finish(play_of(*table), GAME, PEOPLE, EngineSettings()).ranks == (1, 2, 3, 4)
    assert finish(play_of(*table[1::2]), GAME, PEOPLE, EngineSettings()).ranks == (1, 2)


def test_the_table_may_be_large_but_not_larger():
    people = {str(n): Person(str(n), str(n)) for n in range(MOST_SEATS + 1)}
    table = [Seat(key, score=key) for key in people]
    assert finish(play_of(*table[1:]), GAME, people, PRESETS["bgelo"]).ranks[-1] == 1
    outcome = finish(play_of(*table), GAME, people, PRESETS["bgelo"])
    assert outcome == Rejection("too_many_seats", f"{MOST_SEATS + 1} seats")


def test_what_the_log_does_not_hold_is_named():
    table = (Seat("a", "1"), Seat("b", "2"))
    nameless = play_of(*table, missing=("game 17", "player 4 at seat 2"))
    assert finish(nameless, None, PEOPLE, EngineSettings()) == Rejection(
        "unknown_reference", "game 17, player 4 at seat 2"
    )
    assert finish(play_of(*table), None, PEOPLE, PRESETS["bgelo"]) == Rejection("unknown_reference", "game")
    assert finish(play_of(*table, Seat("zoe", "3")), GAME, PEOPLE, EngineSettings()) == Rejection(
        "unknown_reference", "player at seat 3"
    )


def test_details_say_what_was_written():
    settings = EngineSettings()
    against = play_of(Seat("a", "15", winner=True), Seat("b", "9+9"))
    assert finish(against, GAME, PEOPLE, settings).detail == "winner at seat 1; scores 15, 9+9"
    word = play_of(Seat("a", "won"), Seat("b"))
    assert finish(word, GAME, PEOPLE, settings).detail == (
        "seat 1: score 'won' is neither a number nor a sum of numbers"
    )
    bare = play_of(Seat("a", rank=1), Seat("b"))
    assert finish(bare, GAME, PEOPLE, settings).detail == "ranks 1, 0; scores none, none"
    twice = play_of(Seat("a", "1"), Seat("b", "2"), Seat("a", "3"))
    assert finish(twice, GAME, PEOPLE, settings).detail == "seats 1 and 3"


def table_log():
    """The plays of the table that need no settings of their own, as a log; each with its own game."""
    cases = [case for case in CASES if "settings" not in case and "preset" not in case]
    rows = [read_case(case) for case in cases]
    games = {play.key: replace(game, key=play.key) for play, game, _ in rows}
    plays = tuple(replace(play, game=play.key) for play, _, _ in rows)
    return cases, PlayLog(games, PEOPLE, plays)


def test_reasons_and_flags_are_counted():
    cases, log = table_log()
    outcomes = finish_all(log, PRESETS["tuned"])
    assert [getattr(one, "reason", None) for one in outcomes] == [case.get("reason") for case in cases]
    counts = count_reasons(log, outcomes).set_index("reason")
    wanted = [case["reason"] for case in cases if "reason" in case]
    assert list(counts.index) == [key for key in REASONS if key in wanted]
    assert counts["plays"].to_dict() == {key: wanted.count(key) for key in counts.index}
    assert counts["meaning"].to_dict() == {key: REASONS[key] for key in counts.index}
    flags = count_flags(outcomes).set_index("flag")
    said = [flag for case in cases for flag in case.get("flags", [])]
    assert flags["plays"].to_dict() == {key: said.count(key) for key in FLAGS if key in said}


def test_what_only_the_gate_keeps_out_is_counted():
    _, log = table_log()
    gated = count_reasons(log, finish_all(log, PRESETS["tuned"])).set_index("reason")["orderable"]
    free = count_reasons(log, finish_all(log, PRESETS["bgelo"])).set_index("reason")["orderable"]
    kept_out = [key for key in gated.index if key.startswith(("cooperative", "team"))]
    assert gated[kept_out].to_dict() == {
        "cooperative_play": 1,
        "cooperative_game": 1,
        "cooperative_override": 1,
        "team_play": 1,
    }
    assert gated.drop(kept_out).sum() == free.sum() == 0
    rated = [
        sum(isinstance(one, Order) for one in finish_all(log, PRESETS[name])) for name in ("bgelo", "tuned")
    ]
    assert rated[0] - rated[1] == 4


def test_an_empty_log_has_no_reasons():
    log = PlayLog({}, {}, ())
    counts = count_reasons(log, finish_all(log, EngineSettings()))
    assert list(counts.columns) == ["reason", "meaning", "plays", "orderable"] and counts.empty
    assert list(count_flags([]).columns) == ["flag", "meaning", "plays"]


def test_outcomes_must_be_those_of_the_log():
    _, log = table_log()
    with pytest.raises(ValueError, match="1 outcomes for"):
        count_reasons(log, [Rejection("ignored", "ignored")])


#: Rated plays of real exports behind the gate, as counted before this module was written.
REAL = {"export_1550": 695, "export_560": 459, "export_old_596": 428, "export_trimmed_118": 102}


@pytest.mark.parametrize("name", REAL)
def test_rated_plays_of_real_exports(name):
    folder = os.environ.get("LUDOMETRICS_EXTRA_DATA")
    if not folder:
        pytest.skip("LUDOMETRICS_EXTRA_DATA names no folder of exports: 1 of 4 exports skipped")
    path = Path(folder, "bgstats", f"{name}.json")
    if not path.exists():
        pytest.skip(f"{path.name} is not in the folder of exports: 1 of 4 exports skipped")
    log = read_export(path)
    outcomes = finish_all(log, PRESETS["tuned"])
    rated = sum(isinstance(outcome, Order) for outcome in outcomes)
    assert rated == REAL[name]
    assert rated + count_reasons(log, outcomes)["plays"].sum() == len(log.plays)
    free = sum(isinstance(outcome, Order) for outcome in finish_all(log, PRESETS["bgelo"]))
    assert free >= rated
