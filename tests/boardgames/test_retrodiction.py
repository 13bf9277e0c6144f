"""Retrodiction: Kendall's tau-b and its chance against scipy, and results that count each pair once."""

from dataclasses import replace
from itertools import permutations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from ludometrics.boardgames.engine import rate_log
from ludometrics.boardgames.records import Seat
from ludometrics.boardgames.retrodiction import (
    agreement_of_scores,
    agreement_of_wins,
    kendall,
    luck_of,
)
from ludometrics.boardgames.settings import EngineSettings
from small_logs import GUEST, make_log, make_play, random_log, ranked_log

VALUES = st.lists(st.integers(0, 6), min_size=2, max_size=12)


def seeded(seed=1):
    return np.random.default_rng(seed)


def options():
    return {"replicates": 100, "level": 0.99, "rng": seeded()}


@settings(deadline=None)
@given(VALUES, st.integers(0, 10**6))
def test_tau_is_scipys(values, seed):
    rows = seeded(seed).integers(0, 6, (3, len(values)))
    for tau, row in zip(kendall(values, rows), rows, strict=True):
        expected = stats.kendalltau(values, row).statistic
        assert tau == pytest.approx(expected, nan_ok=True)


@pytest.mark.parametrize("n", [5, 6, 7])
@pytest.mark.parametrize("ties", [False, True], ids=["all differ", "some equal"])
def test_luck_is_the_share_of_all_orders(n, ties):
    values = np.arange(n, dtype=float)
    results = seeded(n).permutation(n).astype(float)
    if ties:
        results[:2] = results[0]
    own = kendall(values, results)[0]
    orders = np.array([results[list(order)] for order in permutations(range(n))])
    assert luck_of(values, results) == pytest.approx((kendall(values, orders) >= own - 1e-9).mean())


def test_luck_of_many_is_near_that_of_drawn_orders():
    values, results = np.arange(20.0), np.round(seeded(2).normal(np.arange(20) / 8))
    drawn = seeded(3).permuted(np.tile(results, (20_000, 1)), axis=1)
    share = (kendall(values, drawn) >= kendall(values, results)[0] - 1e-9).mean()
    assert len(np.unique(results)) < 20 and luck_of(values, results) == pytest.approx(share, abs=0.005)


def group_of_six(seed=5, plays=90):
    return rate_log(random_log(seeded(seed), plays=plays, people=6, guests=0.15), EngineSettings())


def results_by_hand(rated):
    """Mean score of all pairs of each person whose order is known, guests included, from the log itself."""
    points = {key: [] for key in rated.ratings.people}
    schedule = rated.schedule
    for place in schedule.play:
        seats, order = rated.log.plays[place].seats, rated.outcomes[place]
        for i, one in enumerate(seats):
            for j in range(len(seats)):
                behind = order.source == "flag" and order.ranks[i] == order.ranks[j] > 1
                if i == j or behind or one.person not in points:
                    continue
                points[one.person].append(0.5 + 0.5 * np.sign(order.ranks[j] - order.ranks[i]))
    return {key: np.mean(values) for key, values in points.items()}


def test_results_are_mean_scores_of_all_known_pairs():
    rated = group_of_six()
    assert (rated.ratings.plays >= 10).all() and rated.schedule.flag_only.any()
    by_hand = results_by_hand(rated)
    found = agreement_of_scores(rated, **options())
    expected = stats.kendalltau(rated.ratings.rating, [by_hand[key] for key in rated.ratings.people])
    assert found.tau == pytest.approx(expected.statistic) and found.n == 6
    assert found.low <= found.tau <= found.high


def test_wins_are_marks_and_where_there_are_none_best_ranks():
    marked = [
        Seat("b", rank=2, winner=True),
        Seat("a", rank=1),
        *(Seat(key, rank=n) for n, key in enumerate("cde", 3)),
    ]
    plays = [
        make_play(n, "go", [(key, r) for r, key in enumerate("abcde", 1)], hours=24 * n) for n in range(10)
    ]
    plays += [make_play(10 + n, "go", marked, hours=24 * (10 + n)) for n in range(20)]
    rated = rate_log(make_log(plays), EngineSettings())
    found = agreement_of_wins(rated, **options())
    # By wins b (20 of 30) is before a (10), the others have none; by ratings a, b, c, d, e.
    expected = stats.kendalltau(rated.ratings.rating, [10, 20, 0, 0, 0]).statistic
    assert found.tau == pytest.approx(expected) and f"less 1/n {expected:.3f}" in found.note


def test_shares_of_wins_are_made_fair_to_large_tables_in_the_note():
    """Two who win every other duel and five who win more than a fifth of their tables of five."""
    duels = [["x", "y"], ["y", "x"]] * 6
    tables = [list("abcde"), list("acbde"), list("bacde")] * 6
    rated = rate_log(ranked_log(*duels, *tables), EngineSettings())
    share = {"a": 12 / 18, "b": 6 / 18, "c": 0, "d": 0, "e": 0, "x": 0.5, "y": 0.5}
    fair = {key: value - (0.5 if key in "xy" else 0.2) for key, value in share.items()}
    rating = dict(zip(rated.ratings.people, rated.ratings.rating, strict=True))
    taus = [
        stats.kendalltau(list(rating.values()), [x[key] for key in rating]).statistic for x in (share, fair)
    ]
    found = agreement_of_wins(rated, **options())
    assert found.tau == pytest.approx(taus[0]) and f"{taus[1]:.3f}" in found.note and taus[0] != taus[1]


def test_people_of_few_plays_are_left_out():
    tables = [list("abcde")] * 10 + [["a", "z"]] * 9
    assert agreement_of_scores(rate_log(ranked_log(*tables), EngineSettings()), **options()).n == 5
    few = rate_log(ranked_log(*[list("abcde")] * 9), EngineSettings())
    four = rate_log(ranked_log(*[["a", "b", "c", "d", GUEST]] * 12), EngineSettings())
    for rated in (few, four):
        assert agreement_of_scores(rated, **options()) is None
        assert agreement_of_wins(rated, **options()) is None


def test_equal_results_agree_with_nothing():
    tied = [make_play(n, "go", [(key, "7") for key in "abcde"], hours=24 * n) for n in range(12)]
    rated = rate_log(make_log(tied), EngineSettings())
    assert agreement_of_scores(rated, **options()) is None


def test_ratings_turned_round_disagree():
    rated = group_of_six()
    turned = replace(rated, ratings=replace(rated.ratings, rating=-rated.ratings.rating))
    found, other = agreement_of_scores(rated, **options()), agreement_of_scores(turned, **options())
    assert other.tau == -found.tau < 0
    assert (other.low, other.high) == pytest.approx((-found.high, -found.low))
    assert found.luck < 0.05 < 0.9 < other.luck
