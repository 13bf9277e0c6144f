"""Differences of means with their ranges, against textbook values and against literal least squares."""

import json
import math
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats
from statsmodels.regression.linear_model import OLS, WLS
from statsmodels.stats.weightstats import ttost_ind, ttost_paired

from ludometrics.abtest.checks import check_columns, check_weights
from ludometrics.abtest.effects import gather_strata, player_effect, stratified_effect, student
from ludometrics.abtest.verdicts import equivalence

CASES = json.loads((Path(__file__).parents[1] / "data" / "abtest" / "effects.json").read_text())
SLEEP, COVARIATE = CASES["sleep"], CASES["covariate"]
FIRST, SECOND = np.array(SLEEP["first"]), np.array(SLEEP["second"])
GROUPS = [0] * 10 + [1] * 10
PATIENTS = list(range(10)) * 2
# Sums of a few hundred numbers of size 1, in another order: some hundred units in the last place.
ROUNDING = 1e-10


def sleep_effect(how, level=0.95):
    return stratified_effect(np.r_[FIRST, SECOND], GROUPS, PATIENTS if how == "paired" else None, level=level)


# ------------------------------------------------------------------ references


@pytest.mark.parametrize("how", ["welch", "paired"])
def test_sleep(how):
    expected, effect = SLEEP[how], sleep_effect(how)
    assert effect.estimate == pytest.approx(expected["estimate"], abs=1e-12)
    assert effect.estimate / effect.error == pytest.approx(expected["t"], abs=6e-5)  # printed to 4 decimals
    assert effect.df == pytest.approx(expected["df"], abs=6e-4)
    assert effect.p == pytest.approx(expected["p"], abs=6e-6)
    assert (effect.low, effect.high) == pytest.approx((expected["low"], expected["high"]), abs=6e-7)


@pytest.mark.parametrize("case", SLEEP["equivalence"], ids=lambda case: case["desc"])
def test_equivalence_on_sleep(case):
    if case["how"] == "paired":
        effect = sleep_effect("paired")
        p, *_ = ttost_paired(SECOND, FIRST, -case["margin"], case["margin"])
    else:
        error = math.sqrt((FIRST.var(ddof=1) + SECOND.var(ddof=1)) / 10)
        effect = student(SECOND.mean() - FIRST.mean(), error, 18)
        p, *_ = ttost_ind(SECOND, FIRST, -case["margin"], case["margin"], usevar="pooled")
    assert equivalence(effect, case["margin"]) == pytest.approx(case["p"], abs=6e-8)
    assert equivalence(effect, case["margin"]) == pytest.approx(p, rel=1e-10)
    assert equivalence(effect._replace(estimate=-effect.estimate), case["margin"]) == pytest.approx(p)


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 2**32 - 1), st.floats(0.001, 2.0))
def test_equivalence_is_that_of_statsmodels(seed, margin):
    rng = np.random.default_rng(seed)
    a, b = rng.normal(size=(2, 7))
    effect = stratified_effect(np.r_[a, b], [0] * 7 + [1] * 7, list(range(7)) * 2)
    p, *_ = ttost_paired(b, a, -margin, margin)
    assert equivalence(effect, margin) == pytest.approx(p, rel=1e-8, abs=1e-12)


def test_covariate():
    """The library gives the analysis of covariance; the other values are held by their own arithmetic."""
    x, y, z = (np.array(COVARIATE[key], dtype=float) for key in ("before", "after", "variant"))
    raw = stratified_effect(y, COVARIATE["variant"]).estimate
    theta = np.cov(x, y)[0, 1] / x.var(ddof=1)
    adjusted = y - theta * (x - x.mean())
    assert raw == pytest.approx(COVARIATE["raw"], abs=1e-12)
    assert theta == pytest.approx(COVARIATE["theta"], abs=6e-7)
    assert stratified_effect(adjusted, COVARIATE["variant"]).estimate == pytest.approx(
        COVARIATE["adjusted"], abs=6e-7
    )
    assert adjusted.var() / y.var() == pytest.approx(COVARIATE["variance_ratio"], abs=6e-7)
    assert player_effect(y, COVARIATE["variant"], x).estimate == pytest.approx(COVARIATE["ancova"], abs=1e-12)
    ancova = OLS(y, np.column_stack([np.ones(8), z, x])).fit()
    assert ancova.params[1] == pytest.approx(COVARIATE["ancova"], abs=1e-12)


@pytest.mark.parametrize("case", CASES["reported"], ids=lambda case: case["desc"])
def test_a_very_high_level_is_finite(case):
    effect = student(0.0, 1.0, math.inf, level=1.0 - case["alpha"])
    assert effect.high == pytest.approx(case["z"], abs=6e-4)
    assert effect.low == -effect.high
    assert math.isfinite(student(0.0, 1.0, 10, level=1.0 - 1e-15).high)


# ------------------------------------------------------------------ other implementations


@st.composite
def samples(draw, most=5):
    """Random strata of unequal sizes, some with one version only, and scores of half points."""
    seed = draw(st.integers(0, 2**32 - 1))
    sizes = draw(st.lists(st.integers(1, 7), min_size=1, max_size=most))
    rng = np.random.default_rng(seed)
    stratum = np.repeat(3 * np.arange(len(sizes)) + 1, sizes)
    variant = rng.integers(0, 2, len(stratum))
    score = rng.integers(0, 3, len(stratum)) / 2
    order = rng.permutation(len(stratum))
    return score[order], variant[order], stratum[order]


@settings(max_examples=150, deadline=None)
@given(samples())
def test_strata_are_least_squares_with_hc2(sample):
    score, variant, stratum = sample
    kept = np.array([len(set(variant[stratum == own])) == 2 for own in stratum], dtype=bool)
    effect = stratified_effect(score, variant, stratum)
    if not kept.any():
        assert all(math.isnan(value) for value in effect)
        return
    y, z, own = score[kept], variant[kept], stratum[kept]
    dummies = (own[:, None] == np.unique(own)).astype(float)
    fit = OLS(y, np.column_stack([z, dummies])).fit()
    assert effect.estimate == pytest.approx(fit.params[0], abs=ROUNDING)
    leverage = fit.get_influence().hat_matrix_diag
    if (leverage < 1.0 - 1e-9).all():
        assert effect.error == pytest.approx(fit.HC2_se[0], abs=1e-8)
    if len(np.unique(own)) > 1:
        assert effect.df == fit.df_resid


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 2**32 - 1), st.integers(2, 9), st.integers(2, 9), st.floats(0.5, 0.999))
def test_one_stratum_is_welch(seed, n_a, n_b, level):
    rng = np.random.default_rng(seed)
    a, b = rng.normal(size=n_a), 3.0 * rng.normal(size=n_b)
    effect = stratified_effect(np.r_[a, b], [0] * n_a + [1] * n_b, level=level)
    welch = stats.ttest_ind(b, a, equal_var=False)
    low, high = welch.confidence_interval(level)
    assert effect.df == pytest.approx(welch.df, rel=1e-9)
    assert effect.p == pytest.approx(welch.pvalue, rel=1e-8)
    assert (effect.low, effect.high) == pytest.approx((low, high), rel=1e-8, abs=1e-10)


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 2**32 - 1), st.integers(3, 12))
def test_pairs_are_the_paired_t(seed, pairs):
    rng = np.random.default_rng(seed)
    a, b = rng.normal(size=(2, pairs))
    effect = stratified_effect(np.r_[a, b], [0] * pairs + [1] * pairs, list(range(pairs)) * 2)
    paired = stats.ttest_rel(b, a)
    low, high = paired.confidence_interval()
    assert (effect.df, effect.p) == pytest.approx((paired.df, paired.pvalue), rel=1e-8)
    assert (effect.low, effect.high) == pytest.approx((low, high), rel=1e-8, abs=1e-10)


def bell_mccaffrey_df(design, column=1):
    """(trace B)^2 / trace B^2 with B = G'G, G the rows of (I - H) that the error takes, written out as matrices."""
    hat = design @ np.linalg.inv(design.T @ design) @ design.T
    pull = (np.linalg.inv(design.T @ design) @ design.T)[column]
    rest = np.eye(len(design)) - hat
    g = rest * (pull / np.sqrt(np.diag(rest)))[None, :]
    values = np.linalg.eigvalsh(g.T @ g)
    return values.sum() ** 2 / (values**2).sum()


@settings(max_examples=80, deadline=None)
@given(st.integers(0, 2**32 - 1), st.integers(4, 20), st.booleans(), st.booleans())
def test_players_are_weighted_least_squares_with_hc2(seed, n, adjusted, weighted):
    rng = np.random.default_rng(seed)
    variant = np.r_[[0, 0, 1, 1], rng.integers(0, 2, n - 4)]
    mean, x = rng.random(n), rng.normal(1200.0, 150.0, n)
    weight = rng.uniform(0.1, 3.0, n) if weighted else np.ones(n)
    design = np.column_stack([np.ones(n), variant, x] if adjusted else [np.ones(n), variant])
    fit = WLS(mean, design, weights=weight).fit()
    effect = player_effect(
        mean, variant, x if adjusted else None, weight=weight if weighted else None, level=0.9
    )
    # HC2 written out: (X'WX)^-1 X'W diag(e^2 / (1 - h)) W X (X'WX)^-1.
    root = np.sqrt(weight)
    inverse = np.linalg.inv((design * weight[:, None]).T @ design)
    hat = np.einsum("ij,jk,ik->i", design * root[:, None], inverse, design * root[:, None])
    middle = (design * (weight**2 * fit.resid**2 / (1.0 - hat))[:, None]).T @ design
    error = math.sqrt((inverse @ middle @ inverse)[1, 1])
    assert effect.estimate == pytest.approx(fit.params[1], abs=1e-8)
    if (1.0 - hat > 1e-6).all():
        assert effect.error == pytest.approx(error, rel=1e-5)
        assert effect.df == pytest.approx(bell_mccaffrey_df(design * root[:, None]), rel=1e-6)
    same = student(effect.estimate, effect.error, effect.df, level=0.9)
    assert effect == pytest.approx(same, nan_ok=True)


def test_players_without_weights_have_welchs_error():
    rng = np.random.default_rng(4)
    mean, variant = rng.random(13), np.array([0] * 5 + [1] * 8)
    plain, welch = player_effect(mean, variant), stratified_effect(mean, variant)
    assert plain[:2] == pytest.approx(welch[:2], rel=1e-10)
    assert player_effect(mean, variant, weight=np.full(13, 7.0)) == pytest.approx(plain, rel=1e-10)


# ------------------------------------------------------------------ invariants


@settings(max_examples=60, deadline=None)
@given(samples())
def test_swapping_the_versions_mirrors_everything(sample):
    score, variant, stratum = sample
    here, there = stratified_effect(score, variant, stratum), stratified_effect(score, 1 - variant, stratum)
    mirrored = (-there.estimate, there.error, there.df, -there.high, -there.low, there.p)
    assert tuple(here) == pytest.approx(mirrored, nan_ok=True, abs=ROUNDING)


@settings(max_examples=60, deadline=None)
@given(samples(), st.randoms(use_true_random=False))
def test_order_and_names_of_strata_do_not_matter(sample, random):
    score, variant, stratum = sample
    here = stratified_effect(score, variant, stratum)
    order = list(range(len(score)))
    random.shuffle(order)
    names = list(range(50))
    random.shuffle(names)
    there = stratified_effect(score[order], variant[order], np.array(names)[stratum][order])
    assert tuple(here) == pytest.approx(tuple(there), nan_ok=True, abs=ROUNDING)


@settings(max_examples=40, deadline=None)
@given(samples())
def test_strata_with_one_version_add_nothing(sample):
    score, variant, stratum = sample
    more = (np.r_[score, 1.0, 0.5, 0.0], np.r_[variant, 0, 0, 1], np.r_[stratum, 90, 90, 91])
    here, there = stratified_effect(score, variant, stratum), stratified_effect(*more)
    assert tuple(here) == pytest.approx(tuple(there), nan_ok=True, abs=ROUNDING)


@settings(max_examples=40, deadline=None)
@given(samples(), st.floats(-3.0, 3.0))
def test_what_a_stratum_is_good_at_does_not_matter(sample, shift):
    score, variant, stratum = sample
    here = stratified_effect(score, variant, stratum)
    there = stratified_effect(score + shift * np.sqrt(stratum), variant, stratum)
    assert (here.estimate, here.df) == pytest.approx((there.estimate, there.df), nan_ok=True, abs=1e-9)


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 2**32 - 1), st.floats(-2.0, 2.0), st.floats(0.01, 100.0))
def test_scale_and_origin_of_the_covariate_do_not_matter(seed, origin, scale):
    rng = np.random.default_rng(seed)
    mean, x, variant = rng.random(12), rng.normal(size=12), np.array([0, 1] * 6)
    here, there = player_effect(mean, variant, x), player_effect(mean, variant, origin + scale * x)
    assert here == pytest.approx(there, rel=1e-7, abs=1e-9)


@settings(max_examples=60, deadline=None)
@given(samples(), st.floats(0.5, 0.99), st.floats(0.5, 0.99))
def test_a_higher_level_is_wider(sample, one, other):
    narrow, wide = (stratified_effect(*sample, level=level) for level in sorted((one, other)))
    if not math.isnan(narrow.low):
        assert wide.low <= narrow.low <= narrow.estimate <= narrow.high <= wide.high
    assert narrow.p == pytest.approx(wide.p, nan_ok=True)


@settings(max_examples=60, deadline=None)
@given(samples())
def test_range_and_p_agree(sample):
    effect = stratified_effect(*sample)
    if not math.isnan(effect.p) and abs(effect.p - 0.05) > 1e-9:
        assert (effect.p < 0.05) == (effect.low > 0.0 or effect.high < 0.0)


# ------------------------------------------------------------------ where there is nothing to say


@pytest.mark.parametrize(
    ("score", "variant", "stratum", "estimate"),
    [
        pytest.param([0.0] * 60, [0] * 30 + [1] * 30, None, 0.0, id="30 losses and 30 losses"),
        pytest.param([1.0] * 60 + [0.0] * 60, [0] * 60 + [1] * 60, None, -1.0, id="60 wins and 60 losses"),
        pytest.param([0.1] * 7 + [0.3] * 5, [0] * 7 + [1] * 5, None, 0.2, id="alike but for rounding"),
        pytest.param([0.0, 1.0] * 8, [0, 1] * 8, [0, 0, 1, 1] * 4, 1.0, id="alike within strata"),
        pytest.param([0.0, 1.0], [0, 1], None, 1.0, id="one of each"),
        pytest.param([0.0, 1.0, 0.0], [0, 1, 1], None, 0.5, id="one against two"),
        pytest.param([0.0, 1.0], [0, 1], [3, 3], 1.0, id="one pair"),
    ],
)
def test_no_spread_has_no_range(score, variant, stratum, estimate):
    effect = stratified_effect(score, variant, stratum)
    assert effect.estimate == pytest.approx(estimate)
    assert all(math.isnan(value) for value in (effect.low, effect.high, effect.p))


@pytest.mark.parametrize("score", [0.0, 1 / 3, 0.1, 1.0])
def test_players_without_spread_have_no_range(score):
    """Rounding leaves residuals of 1e-17: they once made a range of no width, and a verdict of equivalence."""
    x = np.random.default_rng(1).normal(1200.0, 100.0, 16)
    for covariate in (x, None):
        effect = player_effect(np.full(16, score), [0, 1] * 8, covariate)
        assert effect.estimate == pytest.approx(0.0, abs=1e-12)
        assert effect.error == 0.0
        assert math.isnan(effect.low) and math.isnan(effect.p)


@pytest.mark.parametrize("lone", [0, 1])
@pytest.mark.parametrize("adjusted", [False, True])
def test_a_lone_player_of_a_version_gives_no_range(lone, adjusted):
    """Its residual is 0 / 0 in the error; with rounding the range was a random one."""
    rng = np.random.default_rng(7)
    for _ in range(5):
        variant = np.full(12, 1 - lone)
        variant[5] = lone
        effect = player_effect(rng.random(12), variant, rng.normal(size=12) if adjusted else None)
        assert math.isfinite(effect.estimate)
        assert all(math.isnan(value) for value in effect[3:])


def test_a_player_set_apart_by_the_covariate_counts_for_nothing():
    """All new but one, who has a rating: the covariate is a constant of that player's own."""
    rng = np.random.default_rng(11)
    mean, variant, x = rng.random(16), np.array([0, 1] * 8), np.full(16, 1200.0)
    x[3] = 1500.0
    effect, rest = player_effect(mean, variant, x), player_effect(np.delete(mean, 3), np.delete(variant, 3))
    assert effect == pytest.approx(rest, rel=1e-9)
    assert effect == pytest.approx(player_effect(np.r_[mean[:3], 9.0, mean[4:]], variant, x), rel=1e-9)


def test_a_version_without_rows():
    for variant in ([0, 0, 0], [1, 1, 1]):
        for effect in (
            stratified_effect([0.0, 0.5, 1.0], variant),
            player_effect([0.0, 0.5, 1.0], variant, [1.0, 2.0, 3.0]),
        ):
            assert all(math.isnan(value) for value in effect)
    assert math.isnan(stratified_effect([], []).estimate)
    assert math.isnan(stratified_effect([], [], []).estimate)
    assert math.isnan(player_effect([], []).estimate)


@pytest.mark.parametrize(("error", "df"), [(0.0, 5), (-1.0, 5), (math.nan, 5), (1.0, 0.99), (1.0, math.nan)])
def test_no_error_or_freedom_no_range(error, df):
    effect = student(0.3, error, df)
    assert effect.estimate == 0.3
    assert all(math.isnan(value) for value in effect[3:])


def test_strata_are_gathered():
    strata = gather_strata(np.array([1, 0, 0, 0, 1], dtype=np.int8), np.array([9, 9, 2, 9, 5]))
    assert strata.kept.tolist() == [True, True, False, True, False]
    assert strata.index.tolist() == [0, 0, 0]
    assert (strata.n.tolist(), strata.n_b.tolist()) == ([3.0], [1.0])
    assert strata.weights == pytest.approx([2 / 3])


# ------------------------------------------------------------------ bad values


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (([0.0, math.nan], [0, 1], None), "score of row 1 is nan: it must be finite"),
        (([math.inf, 0.0], [0, 1], None), "score of row 0 is inf: it must be finite"),
        (([0.0, 1.0], [0, 2], None), r"variant of row 1 is 2: it must be 0 \(A\) or 1 \(B\)"),
        (([0.0, 1.0], ["A", "B"], None), r"variant of row 0 is A: it must be 0 \(A\) or 1 \(B\)"),
        (([0.0, 1.0], [0, math.nan], None), "variant of row 1 is nan"),
        (([0.0, 1.0], [0, 1, 1], None), r"score has shape \(2,\) and variant \(3,\)"),
        (([[0.0, 1.0]], [[0, 1]], None), r"score has shape \(1, 2\)"),
        (([0.0, 1.0], [0, 1], [0]), r"stratum has shape \(1,\)"),
        (([0.0, 1.0], [0, 1], [0.5, 1.0]), "type float64: one whole number a row"),
        (([0.0, 1.0], [0, 1], [0, -3]), "stratum of row 1 is -3: it must be at least 0"),
    ],
)
def test_bad_columns_are_named(arguments, message):
    for function in (check_columns, stratified_effect):
        with pytest.raises(ValueError, match=message):
            function(*arguments)


def test_columns_come_back_in_their_types():
    score, variant, stratum = check_columns([0, 1], [True, False], None)
    assert (score.dtype, variant.dtype, stratum.dtype) == (np.float64, np.int8, np.int64)
    assert (variant.tolist(), stratum.tolist()) == ([1, 0], [0, 0])


@pytest.mark.parametrize(
    ("weight", "message"),
    [
        ([1.0, 0.0], "weight of row 1 is 0.0: it must be finite and above 0"),
        ([math.nan, 1.0], "weight of row 0 is nan"),
        ([1.0, math.inf], "weight of row 1 is inf"),
        ([1.0], r"weight has shape \(1,\)"),
    ],
)
def test_bad_weights_are_named(weight, message):
    with pytest.raises(ValueError, match=message):
        check_weights(weight, np.zeros(2))
    with pytest.raises(ValueError, match=message):
        player_effect([0.0, 1.0], [0, 1], weight=weight)


@pytest.mark.parametrize(
    ("covariate", "message"),
    [
        ([1200.0] * 6, "the covariate is 1200 for every player"),
        ([1.0, 2.0, 1.0, 2.0, 1.0, 2.0], "divides the versions exactly"),
        ([1.0, 2.0, math.nan, 1.0, 2.0, 1.0], "covariate of row 2 is nan: it must be finite"),
        ([1.0, 2.0], r"covariate has shape \(2,\)"),
    ],
)
def test_bad_covariates_are_named(covariate, message):
    with pytest.raises(ValueError, match=message):
        player_effect([0.0, 0.5, 1.0, 0.0, 0.5, 1.0], [0, 1] * 3, covariate)


@pytest.mark.parametrize("level", [0.0, 1.0, 95.0, -0.1, math.nan])
def test_bad_levels_are_named(level):
    with pytest.raises(ValueError, match=f"level is {level!r}: it must lie between 0 and 1"):
        student(0.1, 1.0, 5, level=level)
