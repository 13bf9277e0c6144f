"""Players dealt again: against every split, against sampling, and under no effect."""

import json
import math
from itertools import combinations, product
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from ludometrics.abtest.permutation import _columns, _distances, _sum_draws, deal_players, flip_blocks

DATA = Path(__file__).parents[1] / "data" / "abtest"
CASES = json.loads((DATA / "randomisation.json").read_text())["players"]
SLEEP = json.loads((DATA / "effects.json").read_text())["sleep"]
TIE = 1e-9
SEED = 1


def deal(*arguments, **others):
    return deal_players(*arguments, rng=np.random.default_rng(SEED), **others)


def flip(*arguments, **others):
    return flip_blocks(*arguments, rng=np.random.default_rng(SEED), **others)


@st.composite
def groups(draw, least=2, most=9):
    n = draw(st.integers(least, most))
    few = st.sampled_from([0.0, 0.25, 1 / 3, 0.5, 1.0])
    value = np.array(draw(st.lists(few, min_size=n, max_size=n)))
    weight = np.array(draw(st.lists(st.integers(1, 4), min_size=n, max_size=n)), dtype=float)
    others = draw(st.lists(st.integers(0, 1), min_size=n - 2, max_size=n - 2))
    variant = np.array(draw(st.permutations([0, 1, *others])))
    return value, variant, weight


def difference(value, weight, in_b):
    return value[in_b].sum() / weight[in_b].sum() - value[~in_b].sum() / weight[~in_b].sum()


def p_of(ways, observed):
    distance = np.abs(ways) - abs(observed)
    beyond, as_far = (distance > TIE).mean(), (np.abs(distance) <= TIE).mean()
    return beyond + as_far, beyond + as_far / 2


def every_split(value, variant, weight):
    n, n_b = len(value), int(variant.sum())
    ways = []
    for chosen in combinations(range(n), n_b):
        in_b = np.zeros(n, dtype=bool)
        in_b[list(chosen)] = True
        ways.append(difference(value, weight, in_b))
    return p_of(np.array(ways), difference(value, weight, variant == 1))


def every_split_in_blocks(value, variant, block, weight):
    parts = []
    for number in np.unique(block):
        own = np.flatnonzero(block == number)
        parts.append(list(combinations(own, int(variant[own].sum()))))
    ways = []
    for chosen in product(*parts):
        in_b = np.zeros(len(value), dtype=bool)
        in_b[[player for part in chosen for player in part]] = True
        ways.append(difference(value, weight, in_b))
    return p_of(np.array(ways), difference(value, weight, variant == 1))


# ------------------------------------------------------------------ references and other implementations


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["desc"])
def test_players(case):
    test = deal(case["value"], case["variant"], weight=case["weight"])
    assert test.p == pytest.approx(case["p"], abs=1e-12)
    assert (test.ways, test.exact) == (case["ways"], True)


def test_sleep_turned_round_patient_by_patient():
    """Ten pairs, one of them without a difference: 4 of 1,024 ways; scipy turns them round as well."""
    first, second = SLEEP["first"], SLEEP["second"]
    test = flip(first + second, [0] * 10 + [1] * 10, list(range(10)) * 2)
    assert test.p == pytest.approx(SLEEP["flipped_p"], abs=1e-12)
    assert (test.ways, test.exact) == (1024, True)
    scipy = stats.permutation_test(
        (np.subtract(second, first),), np.mean, permutation_type="samples", n_resamples=2000
    )
    assert test.p == pytest.approx(scipy.pvalue, abs=1e-12)


@settings(max_examples=150, deadline=None)
@given(groups())
def test_players_are_every_split(sample):
    value, variant, weight = sample
    for own in (weight, np.ones(len(value))):
        test = deal(value, variant, weight=own)
        assert (test.p, test.mid_p) == pytest.approx(every_split(value, variant, own), abs=1e-12)
        assert (test.ways, test.exact) == (math.comb(len(value), int(variant.sum())), True)


def test_players_are_scipys_permutation_test():
    rng = np.random.default_rng(2)
    a, b = rng.normal(size=6), rng.normal(size=5)

    def distance(x, y, axis):
        return np.abs(x.mean(axis) - y.mean(axis))

    # Its own two-sided p is twice the smaller tail, which differs where the groups do.
    scipy = stats.permutation_test(
        (b, a), distance, vectorized=True, alternative="greater", n_resamples=10_000
    )
    assert deal(np.r_[a, b], [0] * 6 + [1] * 5).p == pytest.approx(scipy.pvalue, abs=1e-12)


@settings(max_examples=80, deadline=None)
@given(groups(least=4, most=8), st.integers(0, 2**32 - 1))
def test_blocks_of_two_are_every_way(sample, seed):
    value, _, weight = sample
    half = len(value) // 2
    rng = np.random.default_rng(seed)
    value, weight, block = value[: 2 * half], weight[: 2 * half], np.repeat(np.arange(half), 2)
    variant = np.ravel([rng.permutation(2) for _ in range(half)])
    test = flip(value, variant, block, weight=weight)
    assert (test.p, test.mid_p) == pytest.approx(
        every_split_in_blocks(value, variant, block, weight), abs=1e-12
    )
    assert (test.ways, test.exact) == (2**half, True)


@pytest.mark.parametrize("exact_ways", [20_000, 0])
def test_players_of_blocks_with_one_version_keep_it(exact_ways):
    """They stay in the groups' means, which matters where weights differ."""
    rng = np.random.default_rng(10)
    value, weight = rng.normal(size=11), rng.integers(1, 9, 11).astype(float)
    variant, block = np.array([0, 1, 1, 0, 1, 0, 1, 1, 1, 0, 0]), np.array([0, 0, 1, 1, 2, 2, 3, 3, 4, 5, 5])
    p, _ = every_split_in_blocks(value, variant, block, weight)
    test = flip(value, variant, block, weight=weight, draws=20_000, exact_ways=exact_ways)
    assert test.exact == (exact_ways > 0)
    error = 0.0 if test.exact else math.sqrt(p * (1 - p) / 20_000)
    assert test.p == pytest.approx(p, abs=4 * error + (1e-12 if test.exact else 1e-4))


# ------------------------------------------------------------------ sampled splits


@pytest.mark.parametrize(("n_a", "n_b"), [(6, 6), (3, 9), (9, 3)])
def test_sampled_splits_come_near_to_all(n_a, n_b):
    """Four standard errors of a share of 20,000 draws."""
    rng = np.random.default_rng(6)
    value, weight = rng.normal(size=n_a + n_b), rng.integers(1, 9, n_a + n_b).astype(float)
    variant = [0] * n_a + [1] * n_b
    exact = deal(value, variant, weight=weight)
    sampled = deal(value, variant, weight=weight, draws=20_000, exact_ways=0)
    assert exact.exact and not sampled.exact
    assert sampled.ways == 20_000
    assert sampled.p == sampled.mid_p
    assert sampled.p == pytest.approx(exact.p, abs=4 * math.sqrt(exact.p * (1 - exact.p) / 20_000) + 1e-4)


@pytest.mark.parametrize("sizes", [(2, 2, 2, 2, 2, 2), (4, 4, 3, 1)])
def test_sampled_blocks_come_near_to_all(sizes):
    rng = np.random.default_rng(9)
    block = np.repeat(np.arange(len(sizes)), sizes)
    variant = np.concatenate([rng.permutation(np.arange(size) % 2) for size in sizes])
    value, weight = rng.normal(size=len(block)), rng.integers(1, 9, len(block)).astype(float)
    p, _ = every_split_in_blocks(value, variant, block, weight)
    sampled = flip(value, variant, block, weight=weight, draws=20_000, exact_ways=0)
    assert not sampled.exact
    assert sampled.p == pytest.approx(p, abs=4 * math.sqrt(p * (1 - p) / 20_000) + 1e-4)


@pytest.mark.parametrize("draws", [1, 99])
def test_the_observed_split_is_added_to_the_sample(draws):
    """Wholly apart: no sampled split is as far but by an accident of 2 in 10^11, and p is not 0."""
    test = deal(np.arange(40.0), [0] * 20 + [1] * 20, draws=draws)
    assert test.p == 1 / (draws + 1)


def test_every_split_is_drawn_equally_often():
    """All 20 splits of six are told apart by powers of two."""
    columns = _columns(2.0 ** np.arange(6), np.ones(6))
    sums = _sum_draws(columns, np.random.default_rng(12).random((40_000, 3)))
    splits, counts = np.unique(sums[:, 0], return_counts=True)
    assert set(splits) == {float(sum(2**i for i in chosen)) for chosen in combinations(range(6), 3)}
    # Chi-square with 19 degrees of freedom, 0.1 % point.
    assert stats.chisquare(counts).statistic < stats.chi2.isf(0.001, 19)


def test_a_seed_repeats_and_another_differs():
    rng = np.random.default_rng(3)
    value, variant = rng.normal(size=60), np.arange(60) % 2
    assert deal(value, variant) == deal(value, variant)
    assert deal(value, variant) != deal_players(value, variant, rng=np.random.default_rng(SEED + 1))


def test_the_global_generator_is_not_touched():
    before = np.random.get_state()[1].copy()
    deal(np.arange(60.0), np.arange(60) % 2)
    flip(np.arange(60.0), np.arange(60) % 2, np.arange(60) // 4)
    assert (np.random.get_state()[1] == before).all()


@settings(max_examples=30, deadline=None)
@given(groups(), st.integers(0, 2**32 - 1))
def test_the_compiled_sums_are_the_plain_ones(sample, seed):
    value, variant, weight = sample
    own = min(int(variant.sum()), int((1 - variant).sum()))
    uniforms = np.random.default_rng(seed).random((25, own))
    columns = _columns(value, weight)
    assert np.array_equal(_sum_draws(columns, uniforms), _sum_draws.py_func(columns, uniforms))


# ------------------------------------------------------------------ studentised


@pytest.mark.parametrize("seed", range(3))
def test_the_studentised_statistic_is_welchs_t(seed):
    rng = np.random.default_rng(seed)
    value = rng.normal(size=17)
    in_b = np.arange(17) < 6
    columns = _columns(value, np.ones(17))
    distance = _distances(columns[in_b].sum(axis=0)[None, :], columns, 6, True)[0]
    assert distance == pytest.approx(
        abs(stats.ttest_ind(value[in_b], value[~in_b], equal_var=False).statistic)
    )


def test_studentised_p_counts_splits_by_t():
    rng = np.random.default_rng(5)
    value, variant = np.r_[rng.normal(0, 1, 4), rng.normal(1, 4, 6)], np.r_[[0] * 4, [1] * 6]

    def t(own):
        rest = np.setdiff1d(np.arange(10), own)
        return abs(stats.ttest_ind(value[own], value[rest], equal_var=False).statistic)

    observed = t(np.arange(4))
    splits = [np.array(chosen) for chosen in combinations(range(10), 4)]
    expected = np.mean([t(own) >= observed - TIE for own in splits])
    assert deal(value, variant, studentised=True).p == pytest.approx(expected)
    assert deal(value, variant).p != deal(value, variant, studentised=True).p


def test_groups_without_spread_lie_farthest_apart():
    assert deal([0.0, 0.0, 0.0, 1.0, 1.0, 1.0], [0, 0, 0, 1, 1, 1], studentised=True).p == 0.1
    assert deal(np.zeros(6), [0, 0, 0, 1, 1, 1], studentised=True).p == 1.0


# ------------------------------------------------------------------ invariants


@settings(max_examples=40, deadline=None)
@given(groups())
def test_swapping_the_versions_changes_nothing(sample):
    value, variant, weight = sample
    for exact_ways in (20_000, 0):
        others = {"weight": weight, "draws": 50, "exact_ways": exact_ways}
        assert deal(value, variant, **others) == pytest.approx(deal(value, 1 - variant, **others), abs=1e-12)


@settings(max_examples=40, deadline=None)
@given(groups(), st.randoms(use_true_random=False))
def test_order_of_players_does_not_matter(sample, random):
    value, variant, weight = sample
    order = list(range(len(value)))
    random.shuffle(order)
    assert deal(value, variant, weight=weight) == pytest.approx(
        deal(value[order], variant[order], weight=weight[order]), abs=1e-12
    )


@settings(max_examples=40, deadline=None)
@given(groups(), st.floats(-5.0, 5.0), st.floats(0.1, 10.0))
def test_origin_of_values_and_size_of_weights_do_not_matter(sample, origin, size):
    value, variant, weight = sample
    here = deal(value, variant, weight=weight)
    there = deal(size * (value + origin * weight), variant, weight=size * weight)
    assert here == pytest.approx(there, abs=1e-12)


@settings(max_examples=40, deadline=None)
@given(groups())
def test_one_block_is_no_block(sample):
    value, variant, weight = sample
    flipped = flip(value, variant, np.full(len(value), 7), weight=weight, draws=4000)
    exact = deal(value, variant, weight=weight)
    # Four standard errors, and one draw for the observed split.
    assert flipped.p == pytest.approx(exact.p, abs=4 * math.sqrt(exact.p * (1 - exact.p) / 4000) + 3e-4)


def test_all_alike_is_no_sign_of_anything():
    assert deal([0.3] * 9, [0] * 4 + [1] * 5).p == 1.0
    assert deal([1 / 3] * 60, [0, 1] * 30).p == 1.0
    assert flip([1 / 3] * 8, [0, 1] * 4, [0, 0, 1, 1, 2, 2, 3, 3]).p == 1.0


def test_nothing_to_deal():
    for variant in ([0, 0, 0], [1, 1, 1]):
        assert math.isnan(deal([0.0, 1.0, 2.0], variant).p)
        assert math.isnan(flip([0.0, 1.0, 2.0], variant, [0, 0, 0]).p)
    assert math.isnan(deal([], []).p)
    assert math.isnan(flip([], [], []).p)
    assert math.isnan(flip([0.0, 1.0], [0, 1], [0, 1]).p)


@pytest.mark.parametrize(("n_a", "n_b"), [(3000, 1), (1, 3000)])
def test_one_player_against_thousands(n_a, n_b):
    """The smaller group is dealt: a list of 3,001 times 3,000 players would be no use to anybody."""
    value = np.arange(n_a + n_b, dtype=float)
    variant = [0] * n_a + [1] * n_b
    test = deal(value, variant)
    assert (test.ways, test.exact) == (3001, True)
    assert test.p == pytest.approx(2 / 3001)


# ------------------------------------------------------------------ under no effect


@pytest.mark.parametrize("n", [12, 40])
def test_alarms_under_no_effect(n):
    """300 tests without an effect at 5 %, exact and sampled.

    Values are continuous and weights uneven, so that the rate is 5 % itself: between 1.5 % and 9 % but for a chance of
    0.2 %; 1.95 / sqrt(300) is the 0.1 % point of Kolmogorov's distance.
    """
    rng = np.random.default_rng(21)
    ps = []
    for _ in range(300):
        weight = rng.lognormal(size=n)
        variant = rng.permutation(np.arange(n) % 2)
        ps.append(deal_players(weight * rng.normal(size=n), variant, weight=weight, draws=199, rng=rng).p)
    assert 0.015 <= np.mean(np.array(ps) <= 0.05) <= 0.09
    assert stats.kstest(ps, "uniform").statistic < 1.95 / math.sqrt(300) + 1 / 200


def test_alarms_of_blocks_under_no_effect():
    """As above; players of a block are alike, which dealing within blocks takes into account."""
    rng = np.random.default_rng(22)
    block = np.repeat(np.arange(10), 4)
    ps = []
    for _ in range(300):
        variant = np.concatenate([rng.permutation([0, 0, 1, 1]) for _ in range(10)])
        ps.append(flip_blocks(block + rng.normal(size=40), variant, block, draws=199, rng=rng).p)
    assert 0.015 <= np.mean(np.array(ps) <= 0.05) <= 0.09
    assert stats.kstest(ps, "uniform").statistic < 1.95 / math.sqrt(300) + 1 / 200


# ------------------------------------------------------------------ bad values


@pytest.mark.parametrize(
    ("others", "message"),
    [
        ({"draws": 0}, "draws is 0: it must be at least 1"),
        ({"weight": [1.0, 0.0]}, "weight of row 1 is 0.0: it must be finite and above 0"),
        ({"weight": [1.0]}, r"weight has shape \(1,\)"),
    ],
)
def test_bad_values_are_named(others, message):
    with pytest.raises(ValueError, match=message):
        deal([0.0, 1.0], [0, 1], **others)
    with pytest.raises(ValueError, match=message):
        flip([0.0, 1.0], [0, 1], [0, 0], **others)


def test_bad_versions_and_blocks_are_named():
    with pytest.raises(ValueError, match="variant of row 1 is 3"):
        deal([0.0, 1.0], [0, 3])
    with pytest.raises(ValueError, match="stratum of row 0 is -1"):
        flip([0.0, 1.0], [0, 1], [-1, 0])
