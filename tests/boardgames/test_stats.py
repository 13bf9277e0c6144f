"""What a rated log says of its plays and players, by hand and by property."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ludometrics.boardgames.engine import rate_log
from ludometrics.boardgames.records import Game, Seat
from ludometrics.boardgames.settings import EngineSettings
from ludometrics.boardgames.stats import (
    appearances,
    by_person,
    playing_clock,
    rating_series,
    resolved_pairs,
    seat_results,
    share_bounds,
    tally,
    win_credit,
)
from ludometrics.evaluation import share_interval
from small_logs import GUEST, make_log, make_play, random_log

#: Sums of the same numbers in another order.
TOLERANCE = 1e-9
DUEL = EngineSettings(use_weight=False, use_confidence=False, use_margin=False, use_duration=False)
#: Ways of rating that change which seats and pairs there are.
WAYS = {
    "author": EngineSettings(),
    "no gate": EngineSettings(gate=False),
    "teams": EngineSettings(teams="across"),
    "no guests": EngineSettings(guests="drop"),
    "skip": EngineSettings(unresolved="skip", confidence_by="pair"),
}
each_way = pytest.mark.parametrize("way", WAYS.values(), ids=WAYS)


def rated_of(*plays, way=DUEL, **more):
    return rate_log(make_log(plays, **more), way)


def tallies(rated):
    return {key: tally(rows, rated.log.plays) for key, rows in by_person(appearances(rated)).items()}


@settings(deadline=None)
@given(st.integers(1, 500), st.data())
def test_bounds_of_wins_are_wilsons(n, data):
    count = data.draw(st.integers(0, n))
    expected = share_interval(count, n)
    assert share_bounds(count, n) == pytest.approx((expected.low, expected.high), abs=1e-12)


@settings(deadline=None)
@given(st.floats(0, 1), st.integers(1, 300))
def test_bounds_hold_the_share_and_stay_inside(share, n):
    low, high = share_bounds(share * n, n)
    assert 0.0 <= low <= share * n / n <= high <= 1.0


def test_a_duel_and_a_table_with_a_guest():
    rated = rated_of(
        make_play(1, "go", [("a", 1), ("b", 2)], minutes=90),
        make_play(2, "go", [("a", 2), ("b", 3), (GUEST, 1)], hours=24, minutes=30),
    )
    first = rated.ratings.after[0] - rated.ratings.before[0]
    assert first == pytest.approx(67.344991, abs=1e-6)  # even duel of newcomers, by Glickman's formula
    results = seat_results(rated)
    # Seats stand by person, the guest before a and b; each has two pairs.
    assert results.pairs.tolist() == [1, 1, 2, 2, 2]
    assert results.actual.tolist() == [1, 0, 2, 1, 0]
    assert results.expected[:2].tolist() == pytest.approx([0.5, 0.5])
    assert results.expected[2:].sum() == pytest.approx(3.0)
    assert playing_clock(rated).tolist() == [1.5, 2.0]
    total = tallies(rated)
    assert set(total) == {"a", "b"}
    assert (total["a"].pairs, total["a"].points) == (3, 2.0)
    assert (total["b"].pairs, total["b"].points, total["b"].wins) == (3, 0.0, 0)
    assert total["a"].fair == pytest.approx(1 / 2 + 1 / 3)


def test_the_line_of_a_late_comer_starts_where_the_clock_then_stood():
    rated = rated_of(
        make_play(1, "go", [("a", 1), ("b", 2)], minutes=90),
        make_play(2, "go", [("a", 1), ("b", 2)], hours=24),  # of unknown length: adds nothing
        make_play(3, "go", [("c", 1), ("a", 2)], hours=48, minutes=30),
    )
    lines = rating_series(rated)
    assert lines["a"].hours == [0.0, 1.5, 1.5, 2.0] and lines["a"].play == [-1, 0, 1, 2]
    assert lines["c"].hours == [1.5, 2.0] and lines["c"].play == [-1, 2]
    assert lines["c"].rating[0] == 1000.0 and lines["c"].deviation[0] == 180.0
    assert lines["c"].at[0] == lines["c"].at[1] == rated.log.plays[2].at


def test_flags_have_the_win_and_ranks_the_rating():
    """Somebody flagged who is not ranked best has the credit, by the author's rule."""
    play = make_play(1, "go", [Seat("a", rank=1), Seat("b", rank=2, winner=True), Seat("c", rank=3)])
    rated = rated_of(play)
    assert win_credit(play, rated.outcomes[0]) == (False, True, False)
    assert {key: row.wins for key, row in tallies(rated).items()} == {"a": 0, "b": 1, "c": 0}
    assert rated.ratings.rating[0] > rated.ratings.rating[1]


@pytest.mark.parametrize(
    "seats, wins",
    [
        ([Seat("a", rank=1), Seat("b", rank=1), Seat("c", rank=3)], "ab"),
        ([Seat("a", score="9"), Seat("b", score="9", winner=True), Seat("c", score="3")], "b"),
        ([Seat("a", winner=True), Seat("b", winner=True), Seat("c")], "ab"),
        ([Seat("a", score="4"), Seat("b", score="4")], "ab"),
    ],
    ids=["shared first place", "tie broken by flag", "two flags", "full tie"],
)
def test_who_wins(seats, wins):
    rated = rated_of(make_play(1, "go", seats))
    assert {key for key, row in tallies(rated).items() if row.wins} == set(wins)


def test_cooperative_and_competitive_rates_are_kept_apart():
    coop = Game("coop", "Coop", cooperative=True)
    won = [Seat("a", winner=True), Seat("b", winner=True)]
    rated = rated_of(
        make_play(1, "coop", won),
        make_play(2, "coop", [Seat("a", rank=1), Seat("b", rank=1)], hours=1),  # won, said by ranks
        make_play(3, "coop", [Seat("a", rank=2), Seat("b", rank=2)], hours=2),  # lost, said by ranks
        make_play(4, "coop", [("a", ""), ("b", "")], hours=3),  # lost
        make_play(5, "coop", won, hours=4, ignored=True),
        make_play(6, "coop", [Seat("a", winner=True)], hours=5),  # alone
        make_play(7, "go", won, hours=6, scoring=6),  # cooperative for once
        make_play(8, "go", [("a", 2), ("b", 1)], hours=7),
        games=[coop],
    )
    total = tallies(rated)["a"]
    assert (total.cooperative_plays, total.cooperative_wins) == (5, 3)
    assert (total.plays_logged, total.plays_rated, total.contests, total.wins) == (8, 1, 1, 0)


def test_without_the_gate_a_rated_cooperative_play_is_no_contest():
    coop = Game("coop", "Coop", cooperative=True)
    seats = [Seat("a", winner=True), Seat("b"), Seat("c")]
    rated = rated_of(make_play(1, "coop", seats), way=EngineSettings(gate=False), games=[coop])
    total = tallies(rated)["a"]
    assert (total.plays_rated, total.contests, total.wins) == (1, 0, 0)
    assert (total.cooperative_plays, total.cooperative_wins, total.pairs) == (1, 1, 2)


def test_ignored_and_rejected_plays_count_in_plays_and_hours_only():
    rated = rated_of(
        make_play(1, "go", [("a", 1), ("b", 2)], minutes=60, ignored=True),
        make_play(2, "go", [("a", ""), ("b", "")], hours=1, minutes=30),
        make_play(3, "go", [("a", 1), ("a", 2)], hours=2, minutes=30),  # twice at one table
    )
    total = tallies(rated)["a"]
    assert (total.plays_logged, total.plays_rated, total.minutes, total.pairs) == (3, 0, 120.0, 0)
    assert rating_series(rated) == {}


def test_the_order_among_losers_by_flag_is_unknown():
    rated = rated_of(make_play(1, "go", [Seat("a", winner=True), Seat("b"), Seat("c")]))
    assert resolved_pairs(rated).tolist() == [True, True, False]
    assert {key: (row.pairs, row.points) for key, row in tallies(rated).items()} == {
        "a": (2, 2.0),
        "b": (1, 0.0),
        "c": (1, 0.0),
    }


def test_team_mates_are_no_pair_and_share_the_chance_of_a_win():
    seats = [Seat(p, rank=1 + n // 2, team=str(n // 2)) for n, p in enumerate("abcd")]
    rated = rated_of(make_play(1, "go", seats, uses_teams=True), way=WAYS["teams"])
    assert resolved_pairs(rated).sum() == 4
    assert tallies(rated)["a"].fair == 0.5


@each_way
@settings(max_examples=15, deadline=None)
@given(seed=st.integers(0, 10**6))
def test_sums_agree_however_they_are_made(way, seed):
    rated = rate_log(random_log(np.random.default_rng(seed)), way)
    schedule, ratings = rated.schedule, rated.ratings
    results, kept = seat_results(rated), resolved_pairs(rated)
    # The engine scores the pairs of known players among the resolved ones.
    known = (schedule.person[ratings.pair_seats] >= 0).all(axis=1)
    assert (ratings.scored == kept & known).all()
    assert results.pairs.sum() == 2 * kept.sum()
    assert results.actual.sum() == pytest.approx(kept.sum(), abs=TOLERANCE)
    assert results.expected.sum() == pytest.approx(kept.sum(), abs=TOLERANCE)
    lines = rating_series(rated)
    for number, key in enumerate(ratings.people):
        line = lines[key]
        moves = (ratings.after - ratings.before)[schedule.person == number]
        assert line.rating[-1] == ratings.rating[number]
        assert line.rating[0] + math.fsum(moves) == pytest.approx(line.rating[-1], abs=TOLERANCE)
        assert len(line.play) == ratings.plays[number] + 1
    total = tallies(rated)
    assert GUEST not in total and GUEST not in lines
    assert sum(row.plays_rated for row in total.values()) == (schedule.person >= 0).sum()
    assert all(0 <= row.points <= row.pairs and row.wins <= row.contests for row in total.values())
