"""Games dealt again: against every way of dealing, against Fisher's tests, and under no effect."""

import json
import math
from itertools import combinations, product
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats
from scipy.special import gammaln

from ludometrics.abtest.randomisation import (
    _convolve_flips,
    _convolve_strata,
    _trim,
    deal_games,
    flip_pairs,
    half_points,
)

CASES = json.loads((Path(__file__).parents[1] / "data" / "abtest" / "randomisation.json").read_text())
# What is promised of a p-value.
EXACT = 1e-12
TIE = 1e-9


@st.composite
def few_games(draw, most_games=5, most_strata=3):
    """A few games of a few players: few enough to write out every way of dealing."""
    sizes = draw(st.lists(st.integers(1, most_games), min_size=1, max_size=most_strata))
    stratum = np.repeat(np.arange(len(sizes)) * 2 + 1, sizes)
    n = len(stratum)
    score = np.array(draw(st.lists(st.sampled_from([0.0, 0.5, 1.0]), min_size=n, max_size=n)))
    variant = np.array(draw(st.lists(st.integers(0, 1), min_size=n, max_size=n)))
    return score, variant, stratum


def every_way(score, variant, stratum):
    """p and mid-p by every way of dealing that leaves each stratum its number of B's."""
    sums = [
        [
            score[list(chosen)].sum()
            for chosen in combinations(np.flatnonzero(stratum == own), int(variant[stratum == own].sum()))
        ]
        for own in np.unique(stratum)
    ]
    ways = np.array([sum(way) for way in product(*sums)])
    distance = np.abs(ways - ways.mean())
    observed = abs(score[variant == 1].sum() - ways.mean())
    beyond, as_far = (distance > observed + TIE).mean(), (np.abs(distance - observed) <= TIE).mean()
    # Where every way gives the same sum there is nothing to tell, and no half of it.
    return beyond + as_far, (1.0 if np.ptp(ways) < TIE else beyond + as_far / 2)


# ------------------------------------------------------------------ references and other implementations


@pytest.mark.parametrize("case", CASES["games"], ids=lambda case: case["desc"])
def test_games(case):
    test = deal_games(case["score"], case["variant"], case["stratum"])
    assert test.p == pytest.approx(case["p"], abs=EXACT)
    assert (test.ways, test.exact) == (0, True)


@settings(max_examples=200, deadline=None)
@given(few_games())
def test_games_are_every_way_of_dealing(sample):
    test = deal_games(*sample)
    if math.isnan(test.p):
        _, variant, stratum = sample
        assert all(len(set(variant[stratum == own])) == 1 for own in stratum)
    else:
        assert (test.p, test.mid_p) == pytest.approx(every_way(*sample), abs=EXACT)


@settings(max_examples=100, deadline=None)
@given(st.integers(1, 60), st.integers(1, 60), st.integers(0, 2**32 - 1))
def test_wins_and_losses_of_one_player_are_hypergeometric(n_a, n_b, seed):
    rng = np.random.default_rng(seed)
    variant = np.r_[np.zeros(n_a, int), np.ones(n_b, int)]
    score = rng.integers(0, 2, n_a + n_b).astype(float)
    law = stats.hypergeom(n_a + n_b, int(score.sum()), n_b)
    wins = np.arange(n_b + 1)
    mean = n_b * score.mean()
    distance = np.abs(wins - mean) - abs(score[variant == 1].sum() - mean)
    test = deal_games(score, variant, np.zeros(n_a + n_b, int))
    assert test.p == pytest.approx(law.pmf(wins)[distance >= -TIE].sum(), abs=1e-10)
    mid_p = law.pmf(wins)[distance > TIE].sum() + law.pmf(wins)[np.abs(distance) <= TIE].sum() / 2
    assert test.mid_p == pytest.approx(1.0 if np.ptp(score) == 0.0 else mid_p, abs=1e-10)


def test_even_groups_are_fishers_exact_test():
    """With groups of one size the tables as far off are those as unlikely, so that both two-sided p agree."""
    for wins_a, wins_b in ((3, 9), (0, 4), (10, 12), (1, 11)):
        score = np.r_[np.ones(wins_a), np.zeros(15 - wins_a), np.ones(wins_b), np.zeros(15 - wins_b)]
        table = [[wins_a, 15 - wins_a], [wins_b, 15 - wins_b]]
        p = stats.fisher_exact(table).pvalue
        assert deal_games(score, [0] * 15 + [1] * 15, [0] * 30).p == pytest.approx(p, abs=1e-10)


def test_many_wins_and_losses_are_close_to_mantel_haenszel():
    """The exact test of stratified tables against its chi-square, which is close where there are many games."""
    rng = np.random.default_rng(3)
    stratum = np.repeat(np.arange(30), 100)
    variant = np.tile([0, 1], 1500)
    skill = rng.uniform(0.2, 0.8, 30)
    score = (rng.random(3000) < skill[stratum] - 0.03 * variant).astype(float)
    expected = variance = 0.0
    for own in range(30):
        wins = score[stratum == own].sum()
        expected += wins / 2
        variance += wins * (100 - wins) * 50 * 50 / (100**2 * 99)
    chi_square = (abs(score[variant == 1].sum() - expected) - 0.5) ** 2 / variance
    p = deal_games(score, variant, stratum).p
    assert 0.001 < p < 0.5
    # The continuity correction leaves a difference of the order of a thousandth.
    assert p == pytest.approx(stats.chi2.sf(chi_square, 1), abs=0.002)


@settings(max_examples=200, deadline=None)
@given(st.lists(st.sampled_from([-1.0, -0.5, 0.0, 0.5, 1.0]), min_size=1, max_size=9))
def test_pairs_are_every_way_of_turning_them(differences):
    sums = np.array(list(product((-1, 1), repeat=len(differences)))) @ np.array(differences)
    beyond = (np.abs(sums) > abs(sum(differences)) + TIE).mean()
    as_far = (np.abs(np.abs(sums) - abs(sum(differences))) <= TIE).mean()
    test = flip_pairs(differences)
    assert test.p == pytest.approx(beyond + as_far, abs=EXACT)
    assert test.mid_p == pytest.approx(1.0 if not any(differences) else beyond + as_far / 2, abs=EXACT)


def test_pairs_that_all_differ_by_one_are_the_sign_test():
    for plus, minus in ((9, 1), (5, 5), (30, 14)):
        test = flip_pairs([1.0] * plus + [-1.0] * minus + [0.0] * 7)
        assert test.p == pytest.approx(stats.binomtest(plus, plus + minus).pvalue, abs=EXACT)


def test_pairs_of_one_game_each_are_the_same_either_way():
    """A pair is a stratum of two games, one of each version: turning it round is dealing it again."""
    rng = np.random.default_rng(8)
    a, b = rng.integers(0, 3, (2, 40)) / 2
    dealt = deal_games(np.r_[a, b], [0] * 40 + [1] * 40, list(range(40)) * 2)
    assert flip_pairs(b - a) == pytest.approx(dealt, abs=EXACT)


# ------------------------------------------------------------------ compiled and plain


@settings(max_examples=40, deadline=None)
@given(few_games(most_games=9, most_strata=4))
def test_compiled_strata_are_the_plain_ones(sample):
    score, variant, stratum = sample
    counts = np.array([[(score[stratum == own] == s).sum() for s in (0, 0.5, 1)] for own in set(stratum)])
    n_b = np.array([variant[stratum == own].sum() for own in set(stratum)])
    table = gammaln(np.arange(12) + 1.0)
    for trim in (1e-20, 1e-3):
        start, density = _convolve_strata(counts, n_b, table, trim)
        plain_start, plain = _convolve_strata.py_func(counts, n_b, table, trim)
        assert start == plain_start
        assert density == pytest.approx(plain, abs=1e-14)


@settings(max_examples=40, deadline=None)
@given(st.lists(st.integers(1, 2), min_size=1, max_size=12))
def test_compiled_flips_are_the_plain_ones(steps):
    for trim in (1e-20, 1e-3):
        start, density = _convolve_flips(np.array(steps), trim)
        plain_start, plain = _convolve_flips.py_func(np.array(steps), trim)
        assert start == plain_start
        assert density == pytest.approx(plain, abs=1e-14)


def test_only_the_ends_are_cut():
    density = np.array([0.0, 1e-9, 0.4, 0.0, 0.6, 1e-9])
    assert _trim(density, 1e-6) == _trim.py_func(density, 1e-6) == (2, 5)
    assert _trim(np.zeros(3), 1e-6) == _trim.py_func(np.zeros(3), 1e-6) == (2, 3)


def test_cutting_does_not_change_a_p_value():
    """A thousand pairs of games: the uncut distribution holds ends of 2^-1000."""
    rng = np.random.default_rng(5)
    points = rng.integers(1, 3, 1000) * rng.choice([-1, 1], 1000, p=[0.46, 0.54])
    start, density = _convolve_flips(np.abs(points), 0.0)
    places = start + np.arange(len(density))
    p = density[np.abs(places) >= abs(points.sum())].sum()
    assert density.sum() == pytest.approx(1.0, abs=1e-12)
    assert flip_pairs(points / 2).p == pytest.approx(p, abs=1e-14)


# ------------------------------------------------------------------ invariants


@settings(max_examples=60, deadline=None)
@given(few_games(), st.randoms(use_true_random=False))
def test_versions_scores_and_rows_turned_round(sample, random):
    score, variant, stratum = sample
    test = deal_games(score, variant, stratum)
    order = list(range(len(score)))
    random.shuffle(order)
    for other in (
        deal_games(score, 1 - variant, stratum),
        deal_games(1.0 - score, variant, stratum),
        deal_games(score[order], variant[order], 40 - stratum[order]),
        deal_games(np.r_[score, 1.0, 0.5], np.r_[variant, 1, 1], np.r_[stratum, 90, 90]),
        deal_games(np.r_[score, 1.0, 1.0], np.r_[variant, 0, 1], np.r_[stratum, 90, 90]),
    ):
        if not math.isnan(test.p):
            assert other == pytest.approx(test, abs=EXACT)


@settings(max_examples=60, deadline=None)
@given(few_games())
def test_p_lies_in_its_bounds(sample):
    test = deal_games(*sample)
    if not math.isnan(test.p):
        assert 0.0 < test.mid_p <= test.p <= 1.0


def test_p_is_never_nothing():
    """200 wins against 200 losses: 2 of more than 10^118 ways, far beyond what is kept of the distribution."""
    apart = deal_games([1.0] * 200 + [0.0] * 200, [0] * 200 + [1] * 200, [0] * 400)
    assert 0.0 < apart.p < 1e-15
    assert 0.0 < flip_pairs([1.0] * 400).p < 1e-15


def test_nothing_to_deal():
    for sample in (([1.0, 0.0], [0, 0], [0, 0]), ([1.0, 0.0], [0, 1], [0, 1]), ([], [], [])):
        assert math.isnan(deal_games(*sample).p) and math.isnan(deal_games(*sample).mid_p)
    assert math.isnan(flip_pairs([]).p)
    assert flip_pairs([0.0, 0.0]).p == 1.0
    assert deal_games([0.0] * 60, [0, 1] * 30, [0] * 60).p == 1.0


# ------------------------------------------------------------------ under no effect


def test_alarms_under_no_effect():
    """300 tests without an effect at 5 %.

    p itself may raise no more alarms than 5 %: above 9 % has a chance of 0.1 % at 300 tests. mid-p comes near to 5 %:
    between 1.5 % and 9 % but for a chance of 0.2 %.
    """
    rng = np.random.default_rng(20)
    stratum = np.repeat(np.arange(8), 12)
    skill = np.array([0.1, 0.3, 0.5, 0.7, 0.2, 0.4, 0.6, 0.8])[stratum]
    p, mid_p = [], []
    for _ in range(300):
        score = rng.binomial(2, skill) / 2
        test = deal_games(score, rng.integers(0, 2, len(score)), stratum)
        p.append(test.p)
        mid_p.append(test.mid_p)
    assert np.mean(np.array(p) < 0.05) <= 0.09
    assert 0.015 <= np.mean(np.array(mid_p) < 0.05) <= 0.09
    # p lies above the uniform law, mid-p about it: 1.95 / sqrt(300) is the 0.1 % point of Kolmogorov's distance.
    assert stats.kstest(p, "uniform", alternative="greater").statistic < 1.95 / math.sqrt(300)
    assert stats.kstest(mid_p, "uniform").statistic < 1.95 / math.sqrt(300)


# ------------------------------------------------------------------ bad values


@pytest.mark.parametrize(
    ("score", "message"),
    [
        ([0.0, 0.25], "score of row 1 is 0.25: it must be a whole half point from 0 to 1"),
        ([0.0, 1.5], "score of row 1 is 1.5: it must be a whole half point from 0 to 1"),
        ([-0.5, 1.0], "score of row 0 is -0.5"),
        ([0.0, math.nan], "score of row 1 is nan"),
    ],
)
def test_bad_scores_are_named(score, message):
    with pytest.raises(ValueError, match=message):
        deal_games(score, [0, 1], [0, 0])


@pytest.mark.parametrize(
    ("differences", "message"),
    [
        ([0.0, 0.3], "difference of pair 1 is 0.3: it must be a whole half point from -1 to 1"),
        ([1.5], "difference of pair 0 is 1.5"),
        ([math.nan], "difference of pair 0 is nan"),
        ([[0.5, 0.5]], r"differences have shape \(1, 2\)"),
    ],
)
def test_bad_differences_are_named(differences, message):
    with pytest.raises(ValueError, match=message):
        flip_pairs(differences)


def test_half_points():
    assert half_points(np.array([-1.0, -0.5, 0.0, 1.0]), low=-1.0).tolist() == [-2, -1, 0, 2]
