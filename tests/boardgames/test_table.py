"""Tonight's table: against Glickman's expectancy, Plackett and Luce's formula, and performances drawn at random."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ludometrics.boardgames.engine import rate_log
from ludometrics.boardgames.settings import EngineSettings
from ludometrics.boardgames.table import (
    COLUMNS,
    MOST_DEVIATION,
    SHRINK,
    expected_ranks,
    forecast_table,
    win_chances,
)
from ludometrics.ratings.glicko1 import Q, expected_score
from small_logs import GUEST, ranked_log

#: What is claimed of two seats, up to the prior of the published engine.
EXPECTANCY = 0.005
#: The two sums are exact but for rounding.
EXACT = 1e-12

TABLES = st.integers(2, 12).flatmap(
    lambda n: st.tuples(
        st.lists(st.floats(0, 3000), min_size=n, max_size=n),
        st.lists(st.floats(0, 400), min_size=n, max_size=n),
    )
)


@pytest.mark.parametrize("first", [0, 45, 100, 180])
@pytest.mark.parametrize("second", [0, 45, 100, 180])
def test_two_seats_get_glickmans_expectancy(first, second):
    for gap in range(-1200, 1201, 60):
        chance = win_chances([1000 + gap, 1000], [first, second])[0]
        assert chance == pytest.approx(expected_score(1000 + gap, 1000, first, second), abs=EXPECTANCY)


def test_two_seats_equally_known_get_it_exactly():
    for deviation in (0, 60, 180, 350):
        chance = win_chances([1130, 1000], [deviation, deviation])[0]
        assert chance == pytest.approx(expected_score(1130, 1000, deviation, deviation), abs=EXACT)


@pytest.mark.parametrize("n", range(2, 13))
def test_known_strengths_follow_plackett_and_luce(n):
    ratings = 1000 + 400 * np.random.default_rng(n).standard_normal(n)
    strengths = 10 ** (ratings / 400)
    assert win_chances(ratings, np.zeros(n)) == pytest.approx(strengths / strengths.sum(), abs=EXACT)


def test_performances_drawn_at_random_agree():
    ratings, deviations = np.array([1150.0, 1050.0, 1000.0, 900.0]), np.array([45.0, 180.0, 90.0, 180.0])
    rng = np.random.default_rng(1)
    shared = Q * deviations.min()
    noise = math.sqrt(1 + 6 * shared**2 / math.pi**2)
    own = SHRINK * np.sqrt((Q * deviations) ** 2 - shared**2)
    draws = 400_000
    drawn = Q * ratings + own * rng.standard_normal((draws, 4)) + noise * rng.gumbel(size=(draws, 4))
    shares = np.bincount(drawn.argmax(axis=1), minlength=4) / draws
    assert win_chances(ratings, deviations) == pytest.approx(shares, abs=4 * 0.5 / math.sqrt(draws))


@given(TABLES)
@settings(max_examples=40, deadline=None)
def test_chances_sum_to_one_and_know_no_seat(table):
    ratings, deviations = map(np.array, table)
    chances = win_chances(ratings, deviations)
    assert (chances >= 0).all() and chances.sum() == pytest.approx(1, abs=EXACT)
    order = np.random.default_rng(1).permutation(len(ratings))
    assert win_chances(ratings[order], deviations[order]) == pytest.approx(chances[order], abs=EXACT)
    assert win_chances(ratings + 500, deviations) == pytest.approx(chances, abs=1e-9)


@given(TABLES, st.floats(1, 300))
@settings(max_examples=40, deadline=None)
def test_a_better_rating_wins_more_and_takes_from_all(table, gain):
    ratings, deviations = map(np.array, table)
    before = win_chances(ratings, deviations)
    ratings[0] += gain
    after = win_chances(ratings, deviations)
    assert after[0] >= before[0] - EXACT
    assert (after[1:] <= before[1:] + EXACT).all()


def test_uncertainty_gives_an_outsider_hope_and_a_favourite_doubt():
    outsider = [win_chances([1300, 1300, 1000], [50, 50, deviation])[2] for deviation in (50, 100, 180)]
    favourite = [win_chances([1300, 1000, 1000], [deviation, 50, 50])[0] for deviation in (50, 100, 180)]
    assert outsider == sorted(outsider) and favourite == sorted(favourite, reverse=True)


@pytest.mark.parametrize(
    ("ratings", "deviations", "chances"),
    [
        ([1e12, 0, -1e12], [0, 180, MOST_DEVIATION], [1, 0, 0]),
        ([5e4, 0], [0, 0], [1, 0]),
        ([0, 0], [MOST_DEVIATION, MOST_DEVIATION], [0.5, 0.5]),
        ([1000], [180], [1]),
        ([1000.0] * 200, [180.0] * 200, [1 / 200] * 200),
    ],
    ids=["huge gaps", "fifty thousand points", "know nothing", "alone", "two hundred"],
)
def test_ends_of_the_scale_are_finite(ratings, deviations, chances):
    assert win_chances(ratings, deviations) == pytest.approx(chances, abs=1e-9)


@given(TABLES)
@settings(max_examples=30, deadline=None)
def test_expected_ranks_are_those_of_pairs(table):
    ratings, deviations = map(np.array, table)
    n = len(ratings)
    ranks = expected_ranks(ratings, deviations)
    assert ranks.sum() == pytest.approx(n * (n + 1) / 2)
    by_hand = 1 + sum(
        1 - expected_score(ratings[0], ratings[j], deviations[0], deviations[j]) for j in range(1, n)
    )
    assert ranks[0] == pytest.approx(by_hand)


@pytest.mark.parametrize(
    ("ratings", "deviations", "message"),
    [
        ([], [], r"shape \(0,\)"),
        ([1000, 1000], [60], "both must be"),
        ([1000, math.nan], [60, 60], "rating of seat 1 is nan: it must be finite"),
        ([1000, 1000], [60, -1], "deviation of seat 1 is -1.0: it must be 0 to 10000"),
        ([1000] * 201, [60] * 201, "n from 1 to 200"),
    ],
)
def test_what_is_no_table_is_told(ratings, deviations, message):
    with pytest.raises(ValueError, match=message):
        win_chances(ratings, deviations)
    with pytest.raises(ValueError, match=message):
        expected_ranks(ratings, deviations)


# --- a table of a rated group


def rated():
    return rate_log(ranked_log("abc", "abc", "ab", days=100), EngineSettings())


def test_a_table_of_players_guests_and_strangers():
    group = rated()
    table = forecast_table(group, ["c", None, "nobody", "a"])
    assert table.columns.tolist() == list(COLUMNS)
    assert table["seat"].tolist() == [1, 2, 3, 4] and table["known"].tolist() == [True, False, False, True]
    assert table["player"].tolist() == ["c", None, "nobody", "a"]
    place = list(group.ratings.people).index("a")
    assert table["rating"][3] == group.ratings.rating[place]
    assert table[["rating", "deviation"]].iloc[1:3].to_numpy().tolist() == [[1000.0, 180.0]] * 2
    assert table["chance"].sum() == pytest.approx(1) and table["chance"].idxmax() == 3
    assert table["chance"][1] == pytest.approx(table["chance"][2])
    assert table["expected_rank"].sum() == pytest.approx(10)


def test_deviations_grow_to_the_day_of_the_table():
    group = rated()
    deviations = group.ratings.deviations
    now = forecast_table(group, ["a", "b", "c"])["deviation"].to_numpy()
    assert now[:2] == pytest.approx(deviations[:2]) and now[2] > deviations[2]
    last = float(group.ratings.last_day.max())
    later = forecast_table(group, ["a", "b", "c"], day=last + 1000)["deviation"].to_numpy()
    assert (later > now).all()


def test_a_table_needs_two_people_with_a_seat_each():
    with pytest.raises(ValueError, match="the table has 1 seats"):
        forecast_table(rated(), ["a"])
    with pytest.raises(ValueError, match="person 'a' has 2 seats"):
        forecast_table(rated(), ["a", "b", "a"])
    assert len(forecast_table(rated(), [None, None, None])) == 3


def test_a_group_without_a_rated_play_has_even_tables():
    group = rate_log(ranked_log([GUEST, GUEST]), EngineSettings())
    assert forecast_table(group, ["a", "b"])["chance"].tolist() == [0.5, 0.5]
