"""The wild cluster bootstrap: a literal loop with the same factors, exact patterns, degenerate games, false alarms."""

from itertools import product

import numpy as np
import pytest
from scipy import stats
from statsmodels.regression.linear_model import OLS

from ludometrics.abtest.cluster import cluster_regression
from ludometrics.abtest.wild import WEIGHTS, draw_weights, wild_cluster_bootstrap


def games(seed=1, n_clusters=6, n=40):
    rng = np.random.default_rng(seed)
    clusters = np.concatenate([np.arange(n_clusters), rng.integers(0, n_clusters, n - n_clusters)])
    x = np.column_stack([np.ones(n), rng.normal(size=n), clusters < n_clusters / 2])
    return rng.normal(size=n) + rng.normal(size=n_clusters)[clusters], x, clusters


def literal_t(y, x, clusters, column):
    fit = OLS(y, x).fit(cov_type="cluster", cov_kwds={"groups": clusters}, use_t=True)
    return fit.tvalues[column]


def literal_ts(y, x, clusters, column, factors):
    """Set of outcomes by set of outcomes, each fitted anew."""
    others = np.delete(x, column, axis=1)
    fitted = others @ np.linalg.lstsq(others, y)[0]
    drawn = [fitted + row[clusters] * (y - fitted) for row in factors]
    return np.array([literal_t(each, x, clusters, column) for each in drawn])


@pytest.mark.parametrize("column", [0, 1, 2])
def test_all_signs_agree_with_a_literal_loop(column):
    y, x, clusters = games()
    t = literal_t(y, x, clusters, column)
    ts = literal_ts(y, x, clusters, column, np.array(list(product([-1.0, 1.0], repeat=6))))
    found = wild_cluster_bootstrap(y, x, clusters, column, weights="rademacher", rng=np.random.default_rng(1))
    assert found.t == pytest.approx(t)
    assert found.p == np.mean(np.abs(ts) >= abs(t) * (1 - 1e-9))
    assert (found.draws, found.exact) == (64, True)


@pytest.mark.parametrize("weights", ["webb", "rademacher"])
def test_draws_agree_with_a_literal_loop(weights):
    y, x, clusters = games(seed=2, n_clusters=9)
    factors = np.concatenate(list(draw_weights(150, 9, weights=weights, rng=np.random.default_rng(7))))
    t = literal_t(y, x, clusters, 2)
    ts = literal_ts(y, x, clusters, 2, factors)
    options = {"draws": 150, "weights": weights, "rng": np.random.default_rng(7)}
    found = wild_cluster_bootstrap(y, x, clusters, 2, **options)
    assert found.p == (1 + np.sum(np.abs(ts) >= abs(t) * (1 - 1e-9))) / 151
    assert (found.draws, found.exact) == (150, False)


def test_t_is_that_of_the_regression():
    y, x, clusters = games(seed=4, n_clusters=8)
    fit = cluster_regression(y, x, clusters)
    found = wild_cluster_bootstrap(y, x, clusters, 2, draws=99, rng=np.random.default_rng(1))
    assert found.t == pytest.approx(fit.coefficients[2] / fit.errors[2])


@pytest.mark.parametrize("weights", ["webb", "rademacher"])
def test_units_order_and_what_the_null_leaves_free_do_not_matter(weights):
    y, x, clusters = games(seed=3)

    def p(y, x, clusters):
        options = {"draws": 999, "weights": weights, "rng": np.random.default_rng(2)}
        return wild_cluster_bootstrap(y, x, clusters, 2, **options).p

    first, order = p(y, x, clusters), np.random.default_rng(5).permutation(len(y))
    assert p(1000 * y, x * [1, 7, 0.1], clusters) == first
    assert p(-y, x, clusters) == first
    assert p(y[order], x[order], clusters[order]) == first
    assert p(y + 3 - 2 * x[:, 1], x, clusters) == first  # columns that are not tested take this up
    assert p(y - np.linalg.lstsq(x, y)[0][2] * x[:, 2], x, clusters) > first


def test_blocks_of_draws_are_one_sample(monkeypatch):
    y, x, clusters = games()
    monkeypatch.setattr("ludometrics.abtest.wild.BLOCK", 64)
    blocks = list(draw_weights(25, 6, weights="webb", rng=np.random.default_rng(1)))
    assert [len(block) for block in blocks] == [10, 10, 5]
    ts = literal_ts(y, x, clusters, 2, np.array(list(product([-1.0, 1.0], repeat=6))))
    found = wild_cluster_bootstrap(y, x, clusters, 2, weights="rademacher", rng=np.random.default_rng(1))
    assert found.p == np.mean(np.abs(ts) >= abs(found.t) * (1 - 1e-9))


def test_factors_have_mean_zero_and_variance_one():
    for values in WEIGHTS.values():
        assert values.mean() == pytest.approx(0, abs=1e-15)
        assert np.square(values).mean() == pytest.approx(1)
    (drawn,) = draw_weights(1000, 6, weights="webb", rng=np.random.default_rng(1))
    counts = np.unique(drawn, return_counts=True)[1]
    assert len(counts) == 6
    assert stats.chisquare(counts).pvalue > 0.001


def test_seeds():
    y, x, clusters = games(n_clusters=8)
    run = [wild_cluster_bootstrap(y, x, clusters, 2, rng=np.random.default_rng(seed)) for seed in (1, 1, 2)]
    assert run[0] == run[1]
    assert run[0].p != run[2].p
    assert run[0].p == pytest.approx(run[2].p, abs=0.03)


@pytest.mark.parametrize(
    ("scores", "t", "p"),
    [
        ([0.0] * 8, 0, 1),  # nothing varies
        ([0.1] * 8, 0, 1),
        ([0.0] * 4 + [1.0] * 4, np.inf, 2 / 16),  # only all signs kept and all turned keep the groups apart
        ([1.0] * 4 + [0.0] * 4, -np.inf, 2 / 16),
    ],
)
def test_outcomes_without_spread(scores, t, p):
    design = np.column_stack([np.ones(8), np.arange(8) >= 4])
    options = {"weights": "rademacher", "rng": np.random.default_rng(1)}
    found = wild_cluster_bootstrap(scores, design, [1, 1, 2, 2, 3, 3, 4, 4], 1, **options)
    assert (found.t, found.p, found.exact) == (t, p, True)


def test_one_column():
    """A mean against 0: the restricted fit has no column, and signs of the players' sums are turned."""
    y, _, clusters = games(seed=6)
    sums = np.bincount(clusters, y)
    signs = np.array(list(product([-1.0, 1.0], repeat=6)))
    n, sizes = len(y), np.bincount(clusters)
    means = signs @ sums / n
    ts = means / np.sqrt(np.square(signs * sums - means[:, None] * sizes).sum(axis=1))
    options = {"weights": "rademacher", "rng": np.random.default_rng(1)}
    found = wild_cluster_bootstrap(y, np.ones((n, 1)), clusters, 0, **options)
    assert found.p == np.mean(np.abs(ts) >= abs(ts[-1]) * (1 - 1e-9))


def test_false_alarms_with_eight_players():
    rng = np.random.default_rng(11)
    alarms, runs = np.zeros(2), 300
    for _ in range(runs):
        player = np.repeat(np.arange(8), rng.integers(3, 40, 8))
        design = np.column_stack([np.ones(len(player)), player % 2])
        score = rng.normal(size=8)[player] + rng.normal(size=len(player))
        found = wild_cluster_bootstrap(score, design, player, 1, draws=499, rng=rng)
        alarms += [2 * stats.norm.sf(abs(found.t)) < 0.05, found.p < 0.05]
    by_z, wild = alarms / runs
    assert by_z > 0.12
    assert 0.012 < wild < 0.088  # 5 % give or take 3 standard errors of 300 runs


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"weights": "mammen"}, "weights is 'mammen': allowed are 'rademacher', 'webb'"),
        ({"draws": 0}, "draws is 0"),
        ({"draws": 99.5}, "draws is 99.5"),
        ({"column": 3}, "column is 3: it must be a whole number from 0 to 2"),
        ({"column": -1}, "column is -1"),
        ({"clusters": [1] * 40}, "there are 1 clusters"),
    ],
)
def test_bad_values_are_named(changes, message):
    y, x, clusters = games()
    good = {"outcome": y, "design": x, "clusters": clusters, "column": 2}
    with pytest.raises(ValueError, match=message):
        wild_cluster_bootstrap(**{**good, **changes}, rng=np.random.default_rng(1))
