"""Meetings of every two known players."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ludometrics.boardgames.engine import rate_log
from ludometrics.boardgames.head_to_head import head_to_head
from ludometrics.boardgames.records import Seat
from ludometrics.boardgames.settings import EngineSettings
from ludometrics.evaluation import share_interval
from small_logs import GUEST, make_log, make_play, random_log, ranked_log

AUTHOR = EngineSettings()


def meetings(rated, order):
    return {(row.first, row.second): row for row in head_to_head(rated, order)}


def test_results_are_of_pairs_at_any_table_and_guests_have_none():
    log = make_log(
        [
            make_play(1, "go", [("a", 1), ("b", 2)]),
            make_play(2, "go", [("b", 1), (GUEST, 2), ("a", 3)], hours=1),
            make_play(3, "go", [("a", "7"), ("b", "7"), ("c", "9")], hours=2),
            make_play(4, "go", [Seat("c", winner=True), Seat("a"), Seat("b")], hours=3),
        ]
    )
    found = meetings(rate_log(log, AUTHOR), ["b", "a", "c"])
    assert list(found) == [("b", "a"), ("b", "c"), ("a", "c")]
    row = found["b", "a"]
    assert (row.plays, row.wins, row.losses, row.ties, row.unresolved) == (4, 1, 1, 1, 1)
    assert row.score == 0.5
    assert found["a", "c"][2:7] == (2, 0, 2, 0, 0)
    bounds = share_interval(0, 2)
    assert (found["a", "c"].low, found["a", "c"].high) == pytest.approx((bounds.low, bounds.high))


def test_the_expected_share_is_the_mean_forecast_from_the_first_players_side():
    rated = rate_log(ranked_log("ab", "ab", "ba"), AUTHOR)
    by_a, by_b = (meetings(rated, order) for order in ("ab", "ba"))
    assert by_a["a", "b"].expected == pytest.approx(rated.ratings.forecast.mean())
    assert by_b["b", "a"].expected == pytest.approx(1.0 - rated.ratings.forecast.mean())
    assert by_b["b", "a"][3:5] == (1, 2)


def test_two_who_met_only_as_losers_of_a_flag_have_no_score():
    log = make_log([make_play(1, "go", [Seat("c", winner=True), Seat("a"), Seat("b")])])
    row = meetings(rate_log(log, AUTHOR), "abc")["a", "b"]
    assert row[2:] == (1, 0, 0, 0, 1, None, None, None, None)


def test_team_mates_do_not_meet():
    seats = [Seat(p, rank=1 + n // 2, team=str(n // 2)) for n, p in enumerate("abcd")]
    log = make_log([make_play(1, "go", seats, uses_teams=True)])
    found = meetings(rate_log(log, EngineSettings(teams="across")), "abcd")
    assert list(found) == [("a", "c"), ("a", "d"), ("b", "c"), ("b", "d")]
    assert all(row.wins == 1 for row in found.values())


def test_everybody_must_be_in_the_order():
    with pytest.raises(ValueError, match="1 players with rated plays are not in the order"):
        head_to_head(rate_log(ranked_log("ab"), AUTHOR), ["a"])


def test_no_rated_play_no_meeting():
    assert head_to_head(rate_log(make_log([]), AUTHOR), []) == ()


@settings(max_examples=15, deadline=None)
@given(
    seed=st.integers(0, 10**6),
    teams=st.sampled_from(["reject", "across"]),
    turn=st.randoms(use_true_random=False),
)
def test_the_other_order_is_the_mirror(seed, teams, turn):
    rated = rate_log(random_log(np.random.default_rng(seed)), EngineSettings(teams=teams))
    order = list(rated.schedule.people)
    turn.shuffle(order)
    one, other = meetings(rated, order), meetings(rated, order[::-1])
    assert {pair[::-1] for pair in one} == set(other)
    for (a, b), row in one.items():
        mirror = other[b, a]
        assert (row.plays, row.wins, row.losses, row.ties) == (
            mirror.plays,
            mirror.losses,
            mirror.wins,
            mirror.ties,
        )
        assert row.plays == row.wins + row.losses + row.ties + row.unresolved
        if row.score is not None:
            assert row.score + mirror.score == pytest.approx(1.0)
            assert row.expected + mirror.expected == pytest.approx(1.0)
            assert row.low <= row.score <= row.high
    assert sum(row.wins + row.losses + row.ties for row in one.values()) == rated.ratings.scored.sum()
