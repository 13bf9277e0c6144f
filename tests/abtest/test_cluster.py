"""Regression with clusters: published figures, a literal CR2, special cases that are known, and false alarms."""

import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats
from statsmodels.datasets import grunfeld
from statsmodels.regression.linear_model import OLS

from ludometrics.abtest.cluster import cluster_difference, cluster_regression
from ludometrics.abtest.effects import student

CASES = json.loads((Path(__file__).parents[1] / "data" / "abtest" / "cluster.json").read_text())
PRINTED = 0.6e-6  # figures with six decimals
EXACT = 1e-9  # another order of the same sums; up to ten digits are lost in the inversions


@pytest.fixture(scope="module")
def firms():
    data = grunfeld.load_pandas().data
    design = np.column_stack([np.ones(len(data)), data["value"], data["capital"]])
    return data["invest"].to_numpy(), design, data["firm"].to_numpy()


def literal_cr2(y, x, clusters):
    """Errors and degrees of freedom from matrices of games by games, as the papers write them."""
    n, k = x.shape
    bread = np.linalg.inv(x.T @ x)
    apart = np.eye(n) - x @ bread @ x.T
    meat, directions = np.zeros((k, k)), []
    for name in np.unique(clusters):
        own = np.flatnonzero(clusters == name)
        values, vectors = np.linalg.eigh(apart[np.ix_(own, own)])
        roots = [value**-0.5 if value > 1e-9 else 0.0 for value in values]
        adjusted = vectors @ np.diag(roots) @ vectors.T @ x[own]
        score = adjusted.T @ (apart @ y)[own]
        meat += np.outer(score, score)
        directions.append(apart[:, own] @ adjusted @ bread)  # (n, k): one column a coefficient
    df = []
    for column in range(k):
        parts = np.stack([each[:, column] for each in directions])
        eigenvalues = np.linalg.eigvalsh(parts @ parts.T)
        df.append(eigenvalues.sum() ** 2 / (eigenvalues**2).sum())
    return np.sqrt(np.diag(bread @ meat @ bread)), np.array(df)


def grouped_games(rng, sizes=(1, 2, 5, 9, 3, 7, 4), columns=3):
    clusters = np.repeat(np.arange(len(sizes)), sizes)
    x = np.column_stack([np.ones(len(clusters)), rng.normal(size=(len(clusters), columns - 1))])
    x[:, 1] = (clusters % 2).astype(float)
    return rng.normal(size=len(clusters)) + rng.normal(size=len(sizes))[clusters], x, clusters


def test_grunfeld(firms):
    case, fit = CASES["grunfeld"], cluster_regression(*firms)
    assert fit.coefficients == pytest.approx(case["coefficients"], abs=PRINTED)
    assert fit.errors == pytest.approx(case["errors"], abs=PRINTED)
    assert fit.p[0] == pytest.approx(case["p_of_the_constant"], abs=PRINTED)
    assert (fit.df == case["df"]).all()
    assert (fit.n, fit.n_clusters, fit.kind) == (220, 11, "CR1")
    by_z = 2 * stats.norm.sf(abs(fit.coefficients[0] / fit.errors[0]))
    assert by_z == pytest.approx(case["p_of_the_constant_by_z"], abs=PRINTED)
    assert abs(by_z - fit.p[0]) > 0.02


def test_ranges_are_those_of_statsmodels(firms):
    y, x, names = firms
    numbers = np.unique(names, return_inverse=True)[1]
    reference = OLS(y, x).fit(cov_type="cluster", cov_kwds={"groups": numbers}, use_t=True)
    fit = cluster_regression(y, x, names, level=0.9)
    assert np.column_stack([fit.low, fit.high]) == pytest.approx(reference.conf_int(0.1), rel=EXACT)
    assert fit.p == pytest.approx(reference.pvalues, rel=EXACT)


def test_each_row_its_own_cluster(firms):
    y, x, _ = firms
    rows = np.arange(len(y))
    published = CASES["grunfeld"]["errors_of_independent_rows"]
    assert cluster_regression(y, x, rows).errors == pytest.approx(published, abs=PRINTED)
    reference = OLS(y, x).fit()
    assert cluster_regression(y, x, rows, kind="CR0").errors == pytest.approx(reference.HC0_se, rel=EXACT)
    assert cluster_regression(y, x, rows, kind="CR2").errors == pytest.approx(reference.HC2_se, rel=EXACT)


@pytest.mark.parametrize("kind", ["CR1", "CR0"])
def test_six_players(kind):
    case = CASES["six_players"]
    effect = cluster_difference(case["score"], case["variant"], case["player"], kind=kind)
    assert effect.estimate == pytest.approx(case["estimate"], abs=EXACT)
    assert effect.error == pytest.approx(case["errors"][kind], abs=PRINTED)
    assert effect.df == 5
    assert effect == pytest.approx(student(effect.estimate, effect.error, 5), rel=EXACT)


def test_degrees_count_clusters_not_games():
    case = CASES["degrees"]
    rng = np.random.default_rng(3)
    clusters = np.repeat(np.arange(case["n_clusters"]), 8)
    y = rng.normal(size=case["n_clusters"])[clusters] + rng.normal(size=len(clusters))
    raw = cluster_regression(y, np.ones((len(y), 1)), clusters)
    shifted = y - raw.coefficients[0] + case["t"] * raw.errors[0]  # a fit with exactly the t of the case
    fit = cluster_regression(shifted, np.ones((len(y), 1)), clusters)
    assert fit.coefficients[0] / fit.errors[0] == pytest.approx(case["t"])
    assert round(fit.p[0], 4) == case["p"]
    assert round(2 * stats.t.sf(case["t"], len(y) - 1), 4) == case["p_by_games"]


@pytest.mark.parametrize("columns", [2, 3, 6])
def test_cr2_is_the_literal_one(columns):
    y, x, clusters = grouped_games(np.random.default_rng(1), columns=columns)
    errors, df = literal_cr2(y, x, clusters)
    fit = cluster_regression(y, x, clusters, kind="CR2")
    assert fit.errors == pytest.approx(errors, rel=EXACT)
    assert fit.df == pytest.approx(df, rel=EXACT)
    assert fit.coefficients == pytest.approx(np.linalg.lstsq(x, y)[0], rel=EXACT)


def test_cr2_where_clusters_fit_themselves():
    """A constant for each player: every cluster's leverage has an eigenvalue of 1."""
    rng = np.random.default_rng(2)
    clusters = np.repeat(np.arange(5), [2, 3, 6, 4, 5])
    x = np.column_stack([np.eye(5)[clusters], rng.integers(0, 2, len(clusters))])
    y = rng.normal(size=len(clusters))
    errors, df = literal_cr2(y, x, clusters)
    fit = cluster_regression(y, x, clusters, kind="CR2")
    assert fit.errors[-1] == pytest.approx(errors[-1], rel=EXACT)
    assert fit.df[-1] == pytest.approx(df[-1], rel=EXACT)


@pytest.mark.parametrize(("a", "b"), [(4, 4), (10, 10), (3, 27), (5, 8)])
def test_cr2_of_two_groups_with_equal_clusters(a, b):
    """Welch's error on the players' means; the degrees are those of two groups with one variance."""
    rng = np.random.default_rng(a)
    means, games = rng.normal(size=a + b), 6
    noise = rng.normal(size=(a + b, games))
    y = (means[:, None] + noise - noise.mean(axis=1, keepdims=True)).ravel()
    player = np.repeat(np.arange(a + b), games)
    effect = cluster_difference(y, player >= a, player, kind="CR2")
    welch = means[:a].var(ddof=1) / a + means[a:].var(ddof=1) / b
    assert effect.error == pytest.approx(np.sqrt(welch), rel=EXACT)
    df = (1 / a + 1 / b) ** 2 / (1 / (a * a * (a - 1)) + 1 / (b * b * (b - 1)))
    assert effect.df == pytest.approx(df, rel=EXACT)
    if a == b:
        assert effect.df == pytest.approx(a + b - 2)
        assert effect.p == pytest.approx(stats.ttest_ind(means[a:], means[:a]).pvalue, rel=1e-8)


@settings(max_examples=25, deadline=None)
@given(seed=st.integers(0, 10**6), kind=st.sampled_from(["CR0", "CR1", "CR2"]), scale=st.floats(0.01, 100.0))
def test_invariances(seed, kind, scale):
    """The order of rows, names of clusters and units do not matter; an equivalent design gives the same slope."""
    rng = np.random.default_rng(seed)
    y, x, clusters = grouped_games(rng)
    order = rng.permutation(len(y))
    fit = cluster_regression(y, x, clusters, kind=kind)
    names = np.array([f"player {17 * number % 7}" for number in clusters])
    other = cluster_regression(scale * y[order], x[order], names[order], kind=kind)
    assert other.errors == pytest.approx(scale * fit.errors, rel=1e-7)
    assert other.df == pytest.approx(fit.df, rel=1e-7)
    assert other.p == pytest.approx(fit.p, rel=1e-6)
    turned = np.column_stack([x[:, 0] - x[:, 1], x[:, 1], x[:, 2] + x[:, 1]])  # the third slope stays
    other = cluster_regression(y, turned, clusters, kind=kind)
    assert (other.errors[2], other.df[2]) == pytest.approx((fit.errors[2], fit.df[2]), rel=1e-7)
    assert (fit.df >= 1).all() and (fit.df <= fit.n_clusters - 1 + 1e-9).all()


@pytest.mark.parametrize("kind", ["CR0", "CR1", "CR2"])
@pytest.mark.parametrize("scores", [[0.0] * 8, [0.3] * 8, [0.1] * 4 + [0.7] * 4])
def test_no_spread_gives_no_range(kind, scores):
    """Thirty losses against thirty losses say nothing of the error: not a range of no width."""
    effect = cluster_difference(scores, [0] * 4 + [1] * 4, [1, 1, 2, 2, 3, 3, 4, 4], kind=kind)
    assert effect.estimate == pytest.approx(scores[-1] - scores[0])
    assert effect.error == 0
    assert np.isnan([effect.low, effect.high, effect.p]).all()


def test_false_alarms_with_eight_players():
    """No difference, players alike within themselves: z raises far too many alarms, CR2 about one in twenty."""
    rng = np.random.default_rng(5)
    alarms = np.zeros(3)
    runs = 400
    for _ in range(runs):
        player = np.repeat(np.arange(8), rng.integers(3, 40, 8))
        variant = (player % 2).astype(float)
        score = rng.normal(size=8)[player] + rng.normal(size=len(player))
        cr1 = cluster_difference(score, variant, player)
        cr2 = cluster_difference(score, variant, player, kind="CR2")
        by_z = 2 * stats.norm.sf(abs(cr1.estimate / cr1.error))
        alarms += [by_z < 0.05, cr1.p < 0.05, cr2.p < 0.05]
    by_z, by_t, reduced = alarms / runs
    assert by_z > 0.12
    assert by_z > by_t > reduced
    assert 0.01 < reduced < 0.08  # 5 % give or take 3 standard errors of 400 runs


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"clusters": ["a"] * 6}, "there are 1 clusters: at least 2"),
        ({"design": [[1, 2]] * 6}, "column 1 of the design is 0 or a combination"),
        ({"design": [[1, 0]] * 6}, "column 1 of the design is 0"),
        ({"design": np.eye(6)}, "6 rows for 6 columns"),
        ({"design": np.ones((5, 1))}, r"outcome has shape \(6,\) and design \(5, 1\)"),
        ({"outcome": [0, 1, np.nan, 0, 1, 1]}, "outcome of row 2 is nan"),
        ({"design": [[1, 0], [1, np.inf], [1, 0], [1, 1], [1, 1], [1, 1]]}, "design of row 1 is inf"),
        ({"clusters": [1, 2]}, "one for each game"),
        ({"clusters": [1, 2, None, 1, 2, 3]}, "unit of game 2 is missing"),
        ({"kind": "CR3"}, "kind is 'CR3': allowed are 'CR0', 'CR1', 'CR2'"),
        ({"level": 95}, "the level is 95"),
    ],
)
def test_bad_values_are_named(changes, message):
    good = {
        "outcome": [0, 1, 0.5, 0, 1, 1],
        "design": [[1, 0]] * 3 + [[1, 1]] * 3,
        "clusters": [1, 1, 2, 3, 3, 4],
    }
    with pytest.raises(ValueError, match=message):
        cluster_regression(**{**good, **changes})


@pytest.mark.parametrize(
    ("variant", "player", "message"),
    [
        ([0, 0, 0, 1, 1, 1], [1, 1, 2, 3, 3, 3], "version B has games of 1 players"),
        ([1, 1, 1, 1, 1, 1], [1, 1, 2, 3, 3, 3], "version A has games of 0 players"),
        ([0, 0, 0, 1, 1, 2], [1, 1, 2, 3, 3, 4], "variant of row 5 is 2"),
    ],
)
def test_a_version_needs_two_players(variant, player, message):
    with pytest.raises(ValueError, match=message):
        cluster_difference([0, 1, 0.5, 0, 1, 1], variant, player)
