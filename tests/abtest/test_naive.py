"""The course's own analysis: its printed lines, and what is wrong with it."""

import json
import math
from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from ludometrics.abtest.naive import NAIVE_VERDICTS, analyse_naive, naive_difference, naive_range

CASES = json.loads((Path(__file__).parents[1] / "data" / "abtest" / "naive.json").read_text())
PRINTED = ("n_a", "n_b", "mean_a", "mean_b", "difference", "low", "high", "verdict")


def games_of(n_a, points_a, n_b, points_b, players=8):
    """Games with these sums of points: wins, then a draw where a half is left, then losses."""

    def scores(n, points):
        wins = int(points)
        return [1.0] * wins + [0.5] * (points > wins) + [0.0] * (n - wins - (points > wins))

    names = [f"Player {number % players}" for number in range(n_a + n_b)]
    return pd.DataFrame(
        {
            "player": names,
            "variant": ["A"] * n_a + ["B"] * n_b,
            "score": scores(n_a, points_a) + scores(n_b, points_b),
        }
    )


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["desc"])
def test_the_courses_lines(case):
    expected = {key: case[key] for key in PRINTED}
    counts = [case[key] for key in ("n_a", "points_a", "n_b", "points_b")]
    summary = naive_difference(counts[0], counts[1] / counts[0], counts[2], counts[3] / counts[2])
    of_games = analyse_naive(games_of(*counts))
    for result in (summary, of_games):
        assert {key: getattr(result, key) for key in PRINTED} == expected
    assert of_games.warnings == ()


any_games = st.integers(1, 60).flatmap(lambda n: st.tuples(st.just(n), st.integers(0, 2 * n)))


@settings(max_examples=60, deadline=None)
@given(any_games, any_games)
def test_games_summary_and_range_agree(a, b):
    (n_a, half_a), (n_b, half_b) = a, b
    games = games_of(n_a, half_a / 2, n_b, half_b / 2)
    result = analyse_naive(games)
    mean_a, mean_b = half_a / 2 / n_a, half_b / 2 / n_b
    assert replace(result, warnings=()) == naive_difference(n_a, mean_a, n_b, mean_b)
    difference, low, high, verdict = naive_range(games["score"], (games["variant"] == "B").astype(int))
    # The range of two independent shares, at 1.96.
    half = 1.96 * math.sqrt(stats.bernoulli(mean_a).var() / n_a + stats.bernoulli(mean_b).var() / n_b)
    assert (difference, low, high) == pytest.approx(
        (mean_b - mean_a, mean_b - mean_a - half, mean_b - mean_a + half), abs=1e-12
    )
    assert (result.difference, result.low, result.high) == pytest.approx((difference, low, high), abs=5.1e-4)
    assert result.verdict == NAIVE_VERDICTS[verdict]
    assert (verdict == 0) == (min(n_a, n_b) < 30)
    if verdict:
        assert verdict == (1 if high < 0 else 2 if low > 0 else 3)


@settings(max_examples=60, deadline=None)
@given(any_games, any_games)
def test_swapping_the_versions_mirrors_everything(a, b):
    here, there = (
        naive_difference(x[0], x[1] / 2 / x[0], y[0], y[1] / 2 / y[0]) for x, y in ((a, b), (b, a))
    )
    assert (here.difference, here.low, here.high) == (-there.difference, -there.high, -there.low)
    mirror = {"B is tougher": "B is easier", "B is easier": "B is tougher"}
    assert there.verdict == mirror.get(here.verdict, here.verdict)


def test_draws_are_taken_for_less_than_they_are():
    """With draws only, scores do not vary at all, yet the range is as wide as for a coin."""
    result = naive_difference(50, 0.5, 50, 0.5)
    assert result.high == pytest.approx(1.96 * math.sqrt(0.01), abs=5e-4)


def test_who_played_does_not_matter():
    """One player or sixty: the same range, which is what is wrong with it."""
    one, many = (games_of(60, 20, 60, 31.5, players=players) for players in (1, 60))
    assert replace(analyse_naive(one), warnings=()) == replace(analyse_naive(many), warnings=())


def test_warnings_name_players_as_they_are_written():
    games = games_of(40, 10, 40, 20)
    names = ["Ann"] * 11 + [" ann"] * 10 + [f"Player {number}" for number in range(19)]
    result = analyse_naive(games.assign(player=names + [f"Other {n % 5}" for n in range(40)]))
    # 11 of 40 lie above a quarter, 10 of 40 do not; two spellings are two players here.
    assert result.warnings == ("Ann played 28 % of the games of A",)


@pytest.mark.parametrize(("n_a", "n_b"), [(0, 40), (40, 0), (0, 0)])
def test_one_group_is_empty(n_a, n_b):
    games = games_of(n_a, n_a / 2, n_b, n_b / 2)
    result = analyse_naive(games)
    assert (result.n_a, result.n_b, result.verdict) == (n_a, n_b, "not enough games")
    assert math.isnan(result.difference) and math.isnan(result.low)
    assert math.isnan(result.mean_a) == (n_a == 0)
    difference, low, high, verdict = naive_range(games["score"], (games["variant"] == "B").astype(int))
    assert (math.isnan(difference), math.isnan(low), math.isnan(high), verdict) == (True, True, True, 0)


@pytest.mark.parametrize("arguments", [(10, 1.2, 10, 0.5), (10, 0.5, 10, math.nan), (-1, 0.5, 10, 0.5)])
def test_bad_means_are_named(arguments):
    with pytest.raises(ValueError, match="means lie in 0 to 1, counts are at least 0"):
        naive_difference(*arguments)


@pytest.mark.parametrize(
    ("column", "value", "message"),
    [
        ("variant", "C", "variant of row 1 is 'C': allowed are 'A', 'B'"),
        ("variant", None, "variant of row 1 is (nan|None)"),
        ("score", 2.0, "score of row 1 is 2.0: it must lie in 0 to 1"),
        ("score", -0.5, "score of row 1 is -0.5"),
        ("score", np.nan, "score of row 1 is nan"),
    ],
)
def test_bad_rows_are_named(column, value, message):
    """The row is named also where the mean of all would pass for one."""
    games = games_of(4, 2, 4, 2)
    values = games[column].tolist()
    values[1] = value
    with pytest.raises(ValueError, match=message):
        analyse_naive(games.assign(**{column: values}))


@pytest.mark.parametrize("column", ["player", "variant", "score"])
def test_a_missing_column_is_named(column):
    with pytest.raises(ValueError, match=f"the games have no column '{column}'"):
        analyse_naive(games_of(4, 2, 4, 2).drop(columns=column))
