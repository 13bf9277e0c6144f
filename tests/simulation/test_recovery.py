"""Recovery of known strengths: cases worked by hand, and the level that intervals promise."""

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st
from scipy.stats import norm

from ludometrics.simulation.recovery import (
    big_picture,
    centred_error,
    coverage,
    kendall_tau,
)

ratings_lists = st.lists(st.integers(-20, 20), min_size=3, max_size=12)


def test_kendall_tau_by_hand():
    assert kendall_tau([4, 3, 2, 1], [40, 30, 20, 10]) == pytest.approx(1)
    assert kendall_tau([1, 2, 3, 4], [40, 30, 20, 10]) == pytest.approx(-1)
    # Five of six pairs right, one wrong.
    assert kendall_tau([4, 2, 3, 1], [40, 30, 20, 10]) == pytest.approx(4 / 6)
    # One tie in the ratings: (5 - 0)/sqrt(5 * 6).
    assert kendall_tau([4, 2, 2, 1], [40, 30, 20, 10]) == pytest.approx(5 / np.sqrt(30))
    assert np.isnan(kendall_tau([1, 1, 1], [1, 2, 3]))


@given(ratings=ratings_lists, seed=st.integers(0, 99))
@hypothesis_settings(max_examples=50, deadline=None)
def test_kendall_tau_by_its_definition(ratings, seed):
    strengths = np.random.default_rng(seed).integers(0, 6, len(ratings))
    signs = [
        (np.sign(ratings[i] - ratings[j]), np.sign(strengths[i] - strengths[j]))
        for i, j in combinations(range(len(ratings)), 2)
    ]
    untied = np.prod([float(sum(s[k] != 0 for s in signs)) for k in (0, 1)])
    tau = kendall_tau(ratings, strengths)
    if untied:
        assert tau == pytest.approx(sum(a * b for a, b in signs) / np.sqrt(untied))
    else:
        assert np.isnan(tau)


def test_inactive_players_do_not_count():
    active = np.array([True, True, True, False])
    ratings, strengths = [3, 2, 1, np.nan], [30, 20, 10, 99]
    assert kendall_tau(ratings, strengths, active) == pytest.approx(1)
    assert centred_error([40, 30, 20, 5000], strengths, active) == pytest.approx(0)
    assert big_picture(ratings, strengths, active, gap=1) == 1
    both = coverage(ratings, [9, 9, 9, np.nan], [3, 2, 1, 0], active=active)
    assert both == (1.0, 1.0, 3, 3)


def test_centred_error_by_hand():
    assert centred_error([1510, 1490, 1500], [0, 0, 0]) == pytest.approx(np.sqrt(200 / 3))
    assert centred_error([1501, 1502, 1503], [1, 2, 3]) == pytest.approx(0)


@given(ratings=ratings_lists, offset=st.floats(-1e3, 1e3))
@hypothesis_settings(max_examples=50, deadline=None)
def test_a_common_offset_changes_nothing(ratings, offset):
    ratings = np.array(ratings, dtype=float)
    strengths = np.arange(len(ratings)) * 7.1
    deviations = 5.37 + np.arange(len(ratings))
    assert centred_error(ratings + offset, strengths) == pytest.approx(centred_error(ratings, strengths))
    assert coverage(ratings + offset, deviations, strengths) == coverage(ratings, deviations, strengths)


def test_coverage_by_hand():
    # Errors 0, 0 and 30; z 1.96. Players: offset 10, bounds 1.96 * 10 * sqrt(2/3) = 16.0 against 10, 10, 20.
    # Pairs: 0, 30, 30 against 1.96 * 10 * sqrt(2) = 27.7.
    assert coverage([100, 200, 330], [10, 10, 10], [0, 100, 200]) == pytest.approx((2 / 3, 1 / 3, 3, 3))
    # A known player fixes the offset: errors 0, 20 and -20 against 1.96 * 11 = 21.6, or 1.96 * 10 = 19.6.
    known = coverage([100, 220, 280], [0.001, 11, 11], [100, 200, 300])
    assert known == pytest.approx((1, 2 / 3, 3, 3))
    known = coverage([100, 220, 280], [0.001, 10, 11], [100, 200, 300])
    assert known == pytest.approx((2 / 3, 1 / 3, 3, 3))


@pytest.mark.parametrize(("level", "claimed"), [(0.5, 1.0), (0.95, 1.0), (0.95, 0.5)])
def test_coverage_has_its_level_where_deviations_are_right(level, claimed):
    rng = np.random.default_rng(1)
    m, worlds = 8, 1000
    deviations = np.geomspace(10, 300, m)
    strengths = rng.normal(0, 200, m)
    found = [
        coverage(
            strengths + 1500 + deviations * rng.standard_normal(m),
            claimed * deviations,
            strengths,
            level=level,
        )
        for _ in range(worlds)
    ]
    right = 2 * norm.cdf(claimed * norm.ppf((1 + level) / 2)) - 1
    for name in ("players", "pairs"):
        shares = np.array([getattr(one, name) for one in found])
        # Four standard errors over worlds, the independent units.
        assert abs(shares.mean() - right) < 4 * shares.std() / np.sqrt(worlds), name


def test_big_picture_by_hand():
    strengths = [400, 300, 290, 100]
    assert big_picture([9, 5, 6, 1], strengths, gap=100) == 1
    assert big_picture([5.5, 6, 5, 1], strengths, gap=100) == pytest.approx(0.8)
    assert big_picture([6, 6, 5, 1], strengths, gap=100) == pytest.approx(0.9)
    assert big_picture([1, 2, 2, 3], strengths, gap=100) == 0
    assert np.isnan(big_picture([1, 2, 2, 3], strengths, gap=1000))


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: kendall_tau([1, 2], [1, 2, 3]), r"strengths has shape \(3,\): it must be \(2,\)"),
        (lambda: kendall_tau([1], [1]), "1 players are active: at least two"),
        (lambda: kendall_tau(1, 1), "0 players are active|shape"),
        (lambda: centred_error([1, np.nan], [1, 2]), "ratings of player 1 is nan"),
        (lambda: centred_error([1, 2], [1, np.inf]), "strengths of player 1 is inf"),
        (lambda: centred_error([1, 2], [1, 2], [1, 1]), "active holds int64"),
        (lambda: centred_error([1, 2], [1, 2], [True]), r"active has shape \(1,\)"),
        (lambda: centred_error([1, 2], [1, 2], [True, False]), "1 players are active"),
        (lambda: coverage([1, 2], [0, 1], [1, 2]), "deviations hold 0: those of active players"),
        (lambda: coverage([1, 2], [1, 1], [1, 2], level=1), "level is 1: it must lie between 0 and 1"),
        (lambda: big_picture([1, 2], [1, 2], gap=0), "gap is 0: it must be above 0"),
    ],
)
def test_bad_input_is_named(call, message):
    with pytest.raises(ValueError, match=message):
        call()
