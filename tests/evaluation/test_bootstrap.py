"""The cluster bootstrap: against loops in plain Python, against known coverage, and what must not move it."""

import math

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from ludometrics.evaluation import cluster_errors, cluster_interval, cluster_intervals, statistic_interval
from ludometrics.evaluation.bootstrap import percentile_ends
from ludometrics.evaluation.clusters import draw_units, gather_games, number_units

#: Two orders of summing the same numbers differ in the last bits only.
ROUNDING = 1e-12
WEIGHTINGS = ("game", "unit")

each_weighting = pytest.mark.parametrize("weighting", WEIGHTINGS)


def correlated(rng, n_units, games=(4, 9), shared=1.0, own=1.0):
    """Games of units of different size: what a unit shares and what is a game's own, both of mean 0."""
    sizes = rng.integers(*games, size=n_units)
    units = np.repeat(np.arange(n_units), sizes)
    return rng.normal(0, shared, n_units)[units] + rng.normal(0, own, len(units)), units


def plainly(values, units, counts, weighting):
    """Mean of one resample, by building it: each drawn unit's games, as often as it was drawn."""
    names = sorted(set(units))
    drawn = [name for name, count in zip(names, counts, strict=True) for _ in range(int(count))]
    games = [[v for v, u in zip(values, units, strict=True) if u == name] for name in drawn]
    if weighting == "unit":
        return sum(sum(unit) / len(unit) for unit in games) / len(games)
    return sum(map(sum, games)) / sum(map(len, games))


@each_weighting
def test_against_loops_in_plain_python(weighting):
    values, units = correlated(np.random.default_rng(1), 9)
    (counts,) = draw_units(9, 200, rng=np.random.default_rng(2))
    means = [plainly(values, units.tolist(), row, weighting) for row in counts]
    low, high = np.quantile(means, [0.05, 0.95])
    estimate = cluster_interval(
        values, units, weighting=weighting, replicates=200, level=0.9, rng=np.random.default_rng(2)
    )
    value = plainly(values, units.tolist(), np.ones(9), weighting)
    assert estimate == pytest.approx((value, low, high, 9), abs=ROUNDING)


def test_values_by_hand():
    values, units = [1.0, 2.0, 6.0], ["a", "a", "b"]
    rng = np.random.default_rng(1)
    assert cluster_interval(values, units, rng=rng)[0] == pytest.approx(3.0)
    assert cluster_interval(values, units, weighting="unit", rng=rng)[0] == pytest.approx(3.75)
    assert cluster_interval(values, units, weights=[3, 1, 1], rng=rng)[0] == pytest.approx(11 / 5)
    # Two units: aa, ab, ba, bb. A quarter of the replicates lies at either end.
    assert cluster_interval(values, units, rng=rng)[1:] == pytest.approx((1.5, 6.0, 2))


def test_against_scipy_where_each_game_is_a_unit():
    values = np.random.default_rng(3).gamma(2.0, size=60)
    ours = cluster_interval(values, None, replicates=9999, rng=np.random.default_rng(1))
    theirs = stats.bootstrap((values,), np.mean, method="percentile", rng=np.random.default_rng(2))
    # Quantiles of 9,999 draws waver by about a twentieth of the standard error.
    wide = 0.12 * stats.sem(values)
    assert ours[1:3] == pytest.approx(theirs.confidence_interval, abs=wide)
    assert (ours.value, ours.n) == (pytest.approx(values.mean()), 60)


@each_weighting
def test_many_columns_are_as_one_by_one(weighting):
    values, units = correlated(np.random.default_rng(4), 30)
    columns = np.column_stack([values, values**2, np.sin(values)])
    options = {"weighting": weighting, "replicates": 300}
    together = cluster_intervals(columns, units, **options, rng=np.random.default_rng(1))
    for column, estimate in zip(columns.T, together, strict=True):
        alone = cluster_interval(column, units, **options, rng=np.random.default_rng(1))
        assert estimate == pytest.approx(alone, abs=ROUNDING)
    assert pd.DataFrame(together).columns.tolist() == ["value", "low", "high", "n"]


@each_weighting
def test_a_statistic_that_is_a_mean_is_the_mean(weighting):
    values, units = correlated(np.random.default_rng(5), 12)
    options = {"weighting": weighting, "replicates": 200}
    linear = cluster_interval(values, units, **options, rng=np.random.default_rng(1))
    general = statistic_interval(
        lambda weights: (weights * values).sum() / weights.sum(),
        len(values),
        units,
        **options,
        rng=np.random.default_rng(1),
    )
    assert general == pytest.approx(linear, abs=ROUNDING)


@pytest.mark.parametrize(("n_units", "promised"), [(50, 0.94), (10, 0.90)])
def test_coverage_and_the_naive_interval_that_has_none(n_units, promised):
    """With what a unit shares as large as a game's own, games resampled singly hold the truth far too seldom."""
    trials, hits, naive = 500, 0, 0
    for trial in range(trials):
        rng = np.random.default_rng((6, trial))
        values, units = correlated(rng, n_units)
        estimate = cluster_interval(values, units, replicates=300, rng=rng)
        hits += estimate.low <= 0 <= estimate.high
        half = 1.96 * stats.sem(values)
        naive += abs(values.mean()) <= half
    # Three binomial standard errors over 500 trials are 3.2 (at 94 %) and 4 points (at 90 %).
    assert hits / trials == pytest.approx(promised, abs=0.04)
    assert naive / trials < 0.75


def test_the_interval_that_resamples_games_is_too_short():
    values, units = correlated(np.random.default_rng(7), 200)
    whole = cluster_interval(values, units, rng=np.random.default_rng(1))
    single = cluster_interval(values, None, rng=np.random.default_rng(1))
    # The variance of a mean of 6 games that correlate by a half is 1 + 5/2 times as large: 1.87 times the width.
    assert (whole.high - whole.low) / (single.high - single.low) == pytest.approx(1.87, abs=0.3)


@each_weighting
def test_the_standard_error_is_that_of_the_bootstrap(weighting):
    values, units = correlated(np.random.default_rng(8), 400)
    (error,) = cluster_errors(values[:, None], units, weighting=weighting)
    clusters = gather_games(len(values), units, weighting=weighting)
    sums = clusters.sums(np.column_stack([values, np.ones(len(values))]))
    drawn = np.concatenate(list(draw_units(400, 4000, rng=np.random.default_rng(1)))) @ sums
    # The deviation of 4,000 draws is known to 1.1 %; the rest is second order in 1/400.
    assert error == pytest.approx((drawn[:, 0] / drawn[:, 1]).std(), rel=0.04)


def test_the_standard_error_where_it_is_known():
    values, units = correlated(np.random.default_rng(9), 25)
    assert cluster_errors(values[:, None], None) == pytest.approx([stats.sem(values)], rel=1e-12)
    means = pd.Series(values).groupby(units).mean()
    assert cluster_errors(values[:, None], units, weighting="unit") == pytest.approx(
        [stats.sem(means)], rel=1e-12
    )
    assert np.isnan(cluster_errors([[1.0], [2.0]], ["a", "a"])).all()


@settings(deadline=None, max_examples=40)
@given(st.data())
def test_order_of_rows_and_names_of_units_do_not_matter(data):
    n = data.draw(st.integers(2, 25))
    values = np.array(data.draw(st.lists(st.floats(-5, 5), min_size=n, max_size=n)))
    units = np.array(data.draw(st.lists(st.integers(0, 5), min_size=n, max_size=n)))
    order = np.array(data.draw(st.permutations(range(n))))
    weighting = data.draw(st.sampled_from(WEIGHTINGS))
    options = {"weighting": weighting, "replicates": 50}
    first = cluster_interval(values, units, **options, rng=np.random.default_rng(1))
    shuffled = cluster_interval(values[order], units[order], **options, rng=np.random.default_rng(1))
    assert shuffled == pytest.approx(first, abs=1e-9, nan_ok=True)
    renamed = cluster_interval(values, [f"play {u}" for u in units], **options, rng=np.random.default_rng(1))
    assert renamed == pytest.approx(first, abs=1e-9, nan_ok=True)
    other = cluster_interval(values, -units, **options, rng=np.random.default_rng(1))
    assert (other.value, other.n) == (pytest.approx(first.value, abs=1e-9), first.n)


def test_equal_seeds_agree_to_the_byte_and_others_do_not():
    values, units = correlated(np.random.default_rng(10), 40)
    columns = np.column_stack([values, values**2])
    runs = [
        np.array(cluster_intervals(columns, units, replicates=100, rng=np.random.default_rng(seed))).tobytes()
        for seed in (1, 1, 2)
    ]
    assert runs[0] == runs[1] != runs[2]


def test_the_global_generator_is_left_alone():
    np.random.seed(1)
    before = np.random.get_state()[1].tobytes()
    cluster_interval([1.0, 2.0], None, rng=np.random.default_rng(1))
    assert np.random.get_state()[1].tobytes() == before


def test_draws_are_multinomial():
    """Counts of five units of five: mean 1, variance 1 - 1/5, covariance -1/5; each row a whole draw."""
    counts = np.concatenate(list(draw_units(5, 40_000, rng=np.random.default_rng(1))))
    assert counts.shape == (40_000, 5) and (counts.sum(axis=1) == 5).all()
    # A standard error of a variance of 40,000 counts is 0.007.
    assert np.cov(counts.T) == pytest.approx(np.eye(5) - 0.2, abs=0.03)


def test_blocks_of_draws_make_up_all_replicates():
    blocks = list(draw_units(1_500_000, 5, rng=np.random.default_rng(1)))
    assert [len(block) for block in blocks] == [2, 2, 1]
    assert all((block.sum(axis=1) == 1_500_000).all() for block in blocks)


@each_weighting
def test_weights_are_repeated_games(weighting):
    values, units = np.array([1.0, 4.0, 2.0, 8.0]), np.array([0, 0, 1, 2])
    weights = np.array([3, 1, 2, 1])
    options = {"weighting": weighting, "replicates": 200}
    weighted = cluster_interval(values, units, weights=weights, **options, rng=np.random.default_rng(1))
    repeated = cluster_interval(
        np.repeat(values, weights), np.repeat(units, weights), **options, rng=np.random.default_rng(1)
    )
    assert weighted == pytest.approx(repeated, abs=ROUNDING)


@each_weighting
def test_games_without_weight_and_their_units_are_left_out(weighting):
    values, units, weights = [1.0, 99.0, 2.0, 99.0, 4.0], list("abacc"), [1, 0, 1, 0, 1]
    options = {"weighting": weighting, "replicates": 200}
    with_them = cluster_interval(values, units, weights=weights, **options, rng=np.random.default_rng(1))
    without = cluster_interval([1.0, 2.0, 4.0], list("aac"), **options, rng=np.random.default_rng(1))
    assert with_them == pytest.approx(without, abs=ROUNDING)
    assert with_them.n == 2


def test_one_unit_has_no_interval():
    estimate = cluster_interval([1.0, 2.0], ["a", "a"], rng=np.random.default_rng(1))
    assert (estimate.value, estimate.n) == (1.5, 1)
    assert math.isnan(estimate.low) and math.isnan(estimate.high)
    general = statistic_interval(lambda weights: 1.0, 2, ["a", "a"], rng=np.random.default_rng(1))
    assert general.n == 1 and math.isnan(general.low)


def test_equal_values_have_an_interval_of_no_width():
    assert cluster_interval([0.3] * 7, list("aabbbcc"), rng=np.random.default_rng(1)) == pytest.approx(
        (0.3, 0.3, 0.3, 3)
    )


def test_a_higher_level_is_wider():
    values, units = correlated(np.random.default_rng(11), 20)
    narrow, wide = (
        cluster_interval(values, units, level=level, rng=np.random.default_rng(1)) for level in (0.8, 0.99)
    )
    assert wide.low < narrow.low < narrow.value < narrow.high < wide.high


def test_percentiles_with_infinite_and_missing_replicates():
    values = np.arange(100.0)
    low, high = percentile_ends(np.append(values, np.nan)[:, None], 9, level=0.9)
    assert (low[0], high[0]) == (4.0, 95.0)  # of 0 to 99, outwards from 4.95 and 94.05
    values[95:], values[:5] = np.inf, -np.inf
    assert [end[0] for end in percentile_ends(values[:, None], 9, level=0.9)] == [-np.inf, np.inf]
    assert [end[0] for end in percentile_ends(values[:, None], 9, level=0.8)] == [9.0, 90.0]
    assert np.isnan(percentile_ends(np.full((5, 1), np.nan), 9, level=0.9)).all()


@pytest.mark.filterwarnings("error")
def test_a_statistic_may_fail():
    rng = np.random.default_rng(1)
    never = statistic_interval(lambda weights: math.nan, 4, None, rng=rng)
    assert never.n == 4 and all(map(math.isnan, never[:3]))
    # The largest game is missing in (3/4)^4 = 32 % of the replicates.
    sometimes = statistic_interval(
        lambda weights: 1.0 if weights[3] else math.nan, 4, None, replicates=100, rng=rng
    )
    assert sometimes == (1.0, 1.0, 1.0, 4)


@pytest.mark.parametrize(
    "units",
    [
        [7, 7, -2, 7],
        ["b", "b", "a", "b"],
        np.array(["b", "b", "a", "b"]),
        pd.Series(["b", "b", "a", "b"], index=[9, 8, 7, 6]),
        pd.Categorical(["b", "b", "a", "b"]),
        pd.to_datetime(["2026-01-02", "2026-01-02", "2026-01-01", "2026-01-02"]),
        [(2, "x"), (2, "x"), (1, "y"), (2, "x")],
        [True, True, False, True],
        ["1", "1", 1, "1"],
    ],
    ids=lambda units: type(units).__name__,
)
def test_units_may_be_named_by_anything(units):
    assert number_units(units, 4).tolist() == [1, 1, 0, 1]


def test_names_without_order_are_numbered_as_they_appear():
    one, other = object(), object()
    assert number_units([other, one, other], 3).tolist() == [0, 1, 0]


VALUES = [1.0, 2.0, 3.0]


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"values": [1.0, np.nan, 2.0]}, "value of game 1 is nan"),
        ({"values": [1.0, 2.0, np.inf]}, "value of game 2 is inf"),
        ({"values": [[1.0], [2.0]]}, r"values has shape \(2, 1\)"),
        ({"values": [], "units": []}, "there are no games"),
        ({"units": ["a", None, "b"]}, "unit of game 1 is missing: None"),
        ({"units": [1.0, 2.0, np.nan]}, "unit of game 2 is missing: nan"),
        ({"units": ["a", "b"]}, r"units has shape \(2,\): it must be \(3,\)"),
        ({"weights": [1, -1, 1]}, "weight of game 1 is -1"),
        ({"weights": [1, 1, np.nan]}, "weight of game 2 is nan"),
        ({"weights": [0, 0, 0]}, "all weights are 0"),
        ({"weights": [1, 1]}, r"weights has shape \(2,\)"),
        ({"weighting": "player"}, "weighting is 'player'"),
        ({"replicates": 0}, "replicates is 0"),
        ({"replicates": 10.5}, "replicates is 10.5"),
        ({"level": 95}, "the level is 95"),
    ],
)
def test_bad_input_is_refused(changes, message):
    arguments = {"values": VALUES, "units": None, "rng": np.random.default_rng(1)} | changes
    with pytest.raises(ValueError, match=message):
        cluster_interval(**arguments)


def test_bad_columns_are_refused():
    with pytest.raises(ValueError, match="value of game 1 in column 2 is nan"):
        cluster_intervals([[1, 2, 3], [4, 5, np.nan]], None, rng=np.random.default_rng(1))
    with pytest.raises(ValueError, match=r"value has shape \(3,\)"):
        cluster_errors(VALUES, None)


def test_a_generator_must_be_given():
    with pytest.raises(TypeError, match="rng"):
        cluster_interval(VALUES, None)
