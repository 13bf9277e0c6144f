"""Two recipes compared: paired where they share seeds, apart where they do not."""

import numpy as np
import pandas as pd
import pytest

from arena_rows import curves, rows_of
from ludometrics.connect4.recipe_comparison import compare_overall, compare_rates, difference_over_runs
from ludometrics.connect4.run_table import CONDITIONS, STANDARD
from ludometrics.connect4.runs import pool_evaluations

A = [9, 5, 7, 3]


@pytest.fixture
def rng():
    return np.random.default_rng(1)


def test_runs_with_the_same_seeds_are_compared_in_pairs(rng):
    # Runs differ much, but each is two games better with a: in pairs the difference is certain.
    both = pd.concat([rows_of(A, recipe="a"), rows_of([won - 2 for won in A], recipe="b")])
    found = compare_rates(both, "a", "b", rng=rng).iloc[0]
    assert found[["first", "second"]].tolist() == pytest.approx([0.6, 0.4])
    assert found[["difference", "low", "high"]].tolist() == pytest.approx([0.2] * 3)
    assert found["paired"] and found["n_first"] == found["n_second"] == 4


def test_runs_with_other_seeds_are_drawn_apart(rng):
    other = rows_of([won - 2 for won in A], recipe="b").assign(run=lambda rows: rows["run"] + 10)
    found = compare_rates(pd.concat([rows_of(A, recipe="a"), other]), "a", "b", rng=rng).iloc[0]
    assert found["difference"] == pytest.approx(0.2) and not found["paired"]
    assert found["low"] < 0.0 < 0.4 < found["high"]


def test_an_interval_of_runs_drawn_apart_is_as_wide_as_the_bootstrap_variance_says(rng):
    first, second = rng.normal(1.0, 0.2, (12, 1)), rng.normal(0.0, 0.1, (30, 1))
    value, low, high = difference_over_runs(first, second, paired=False, replicates=20_000, rng=rng)[0]
    # Normal approximation: both variances over n (not n - 1, as in the bootstrap), added.
    half = 1.96 * np.sqrt(first.var() / 12 + second.var() / 30)
    assert value == pytest.approx(first.mean() - second.mean())
    assert [value - low, high - value] == pytest.approx([half, half], rel=0.1)


def test_how_often_the_interval_of_a_difference_holds_it(rng):
    # Ten runs each with other seeds, 1,000 differences at once, true difference 0.1.
    first, second = (rng.beta(a, b, (10, 1000)) for a, b in ((8, 2), (7, 3)))
    found = difference_over_runs(first, second, paired=False, rng=rng)
    held = ((found[:, 1] <= 0.1) & (0.1 <= found[:, 2])).mean()
    assert 0.88 < held < 0.96


def test_one_run_has_no_interval(rng):
    both = pd.concat([rows_of([7], recipe="a"), rows_of([6, 5], recipe="b")])
    found = compare_rates(both, "a", "b", rng=rng).iloc[0]
    assert found["difference"] == pytest.approx(0.15) and np.isnan(found["low"]) and found["caution"]


def test_points_are_matched_by_step_moves_or_number(rng):
    # b has twice the batch: 100 steps of it are 200 steps' moves of a.
    both = pd.concat([curves([[1, 2, 3, 4]], recipe="a"), curves([[5, 6]], recipe="b", batch=100)])
    steps = compare_rates(both, "a", "b", rng=rng)
    assert steps[["step", "first", "second"]].values.tolist() == [[100, 0.1, 0.5], [200, 0.2, 0.6]]
    moves = compare_rates(both, "a", "b", at="moves", rng=rng)
    assert moves[["moves", "first", "second"]].values.tolist() == [[10_000, 0.2, 0.5], [20_000, 0.4, 0.6]]
    pooled = compare_rates(pool_evaluations(both, 2), "a", "b", at="evaluation", rng=rng)
    assert pooled[["evaluation", "first", "second"]].values.tolist() == [[1, 0.35, 0.55]]


def test_scores_and_pairings_in_their_order(rng):
    parts = [
        rows_of(wins, recipe=name, pairing=one, drawn=1)
        for name, wins in (("a", A), ("b", [3] * 4))
        for one in STANDARD
    ]
    found = compare_rates(pd.concat(parts), "a", "b", value="score", rng=rng)
    assert list(found[["opponent", "error", "side"]].itertuples(index=False, name=None)) == [
        *map(tuple, STANDARD)
    ]
    assert found["first"].to_numpy() == pytest.approx(0.3)  # mean of (9 - 0, 5 - 4, 7 - 2, 3 - 6) / 10
    assert found["second"].to_numpy() == pytest.approx(-0.3)


def test_overall_scores_are_compared(rng):
    parts = [
        rows_of(wins, recipe=name, pairing=one)
        for name, wins in (("a", A), ("b", [3] * 4))
        for one in CONDITIONS
    ]
    found = compare_overall(pd.concat(parts), "a", "b", rng=rng)
    assert found[["step", "first", "second", "difference"]].values.tolist() == [
        pytest.approx([100, 0.2, -0.4, 0.6])
    ]
    assert 0.0 < found["low"].iloc[0] < 0.6 < found["high"].iloc[0]


@pytest.mark.parametrize(
    "change, said",
    [
        ({"second": "c"}, "recipe 'c' is not in the table of runs: there are 'a', 'b'"),
        ({"second": "a"}, "recipe 'a' is to be compared with itself"),
        ({"at": "time"}, "at is 'time'"),
        ({"value": "lost"}, "value is 'lost'"),
    ],
    ids=("unknown", "itself", "at", "value"),
)
def test_what_cannot_be_compared_is_refused(change, said, rng):
    both = pd.concat([rows_of(A, recipe="a"), rows_of(A, recipe="b")])
    with pytest.raises(ValueError, match=said):
        compare_rates(both, **({"first": "a", "second": "b"} | change), rng=rng)


def test_recipes_with_nothing_in_common_are_refused(rng):
    both = pd.concat([rows_of(A, recipe="a"), rows_of(A, recipe="b", step=300)])
    with pytest.raises(ValueError, match="have no step and pairing in common"):
        compare_rates(both, "a", "b", rng=rng)
    with pytest.raises(ValueError, match="neither recipe 'x' nor 'y'"):
        compare_overall(both, "x", "y", rng=rng)
