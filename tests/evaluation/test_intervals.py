"""Intervals hold what they promise."""

import numpy as np
import pytest
from scipy import stats

from ludometrics.evaluation import mean_interval, prediction_interval, share_interval

# Three binomial standard errors of a 95 % coverage over 1,500 trials are 1.7 points.
TRIALS, TOLERANCE = 1500, 0.017


@pytest.mark.parametrize("n", [3, 10])
def test_coverage_of_mean_and_prediction(n):
    rng = np.random.default_rng(5)
    mean_holds = prediction_holds = 0
    for _ in range(TRIALS):
        *values, further = rng.normal(2.0, 3.0, size=n + 1)
        mean, prediction = mean_interval(values), prediction_interval(values)
        mean_holds += mean.low <= 2.0 <= mean.high
        prediction_holds += prediction.low <= further <= prediction.high
    assert mean_holds / TRIALS == pytest.approx(0.95, abs=TOLERANCE)
    assert prediction_holds / TRIALS == pytest.approx(0.95, abs=TOLERANCE)


def test_wilson_by_hand():
    # 8 of 10: centre (8 + z^2/2)/(10 + z^2), Wilson 1927.
    z2 = 1.959963984540054**2
    centre = (8 + z2 / 2) / (10 + z2)
    half = 1.959963984540054 / (10 + z2) * np.sqrt(8 * 2 / 10 + z2 / 4)
    share = share_interval(8, 10)
    assert (share.value, share.n) == (0.8, 10)
    assert share.low == pytest.approx(centre - half, abs=1e-12)
    assert share.high == pytest.approx(centre + half, abs=1e-12)


def test_a_higher_level_is_wider():
    values = [1.0, 2.0, 4.0]
    for interval in (mean_interval, prediction_interval):
        assert interval(values, level=0.99).high > interval(values).high
    assert share_interval(3, 9, level=0.99).high > share_interval(3, 9).high


@pytest.mark.parametrize("values", [[], [1.0], [[1.0, 2.0]], [1.0, np.nan], [1.0, np.inf]], ids=str)
def test_bad_values_are_refused(values):
    with pytest.raises(ValueError):
        mean_interval(values)


@pytest.mark.parametrize("arguments", [(1, 0), (-1, 3), (4, 3)])
def test_bad_shares_are_refused(arguments):
    with pytest.raises(ValueError, match="a share of"):
        share_interval(*arguments)


@pytest.mark.parametrize("level", [0, 1, 95])
def test_bad_levels_are_refused(level):
    with pytest.raises(ValueError, match="between 0 and 1"):
        mean_interval([1.0, 2.0], level=level)


def test_mean_and_prediction_by_hand():
    # 4, 8, 6, 5, 3, 7: mean 5.5, s = sqrt(3.5), t(0.975, 5) = 2.570582 from any table of Student's t.
    values = [4, 8, 6, 5, 3, 7]
    mean, prediction = mean_interval(values), prediction_interval(values)
    assert (mean.value, mean.n) == (5.5, 6) == (prediction.value, prediction.n)
    assert mean.high - 5.5 == pytest.approx(2.570582 * np.sqrt(3.5 / 6), rel=1e-6)
    assert prediction.high - 5.5 == pytest.approx(2.570582 * np.sqrt(3.5 * 7 / 6), rel=1e-6)
    assert 5.5 - mean.low == pytest.approx(mean.high - 5.5)


def test_mean_is_what_scipy_says():
    values = np.random.default_rng(1).gamma(2.0, size=17)
    low, high = stats.t.interval(0.9, 16, loc=values.mean(), scale=stats.sem(values))
    assert mean_interval(values, level=0.9)[1:3] == pytest.approx((low, high), rel=1e-12)


def test_coverage_of_wilson():
    """Summed over every count, not simulated; it wavers about its level (Brown, Cai and DasGupta 2001)."""
    n = 40
    intervals = [share_interval(count, n) for count in range(n + 1)]
    covered = [
        sum(
            stats.binom.pmf(count, n, p) for count, item in enumerate(intervals) if item.low <= p <= item.high
        )
        for p in np.linspace(0.05, 0.95, 91)
    ]
    assert np.mean(covered) == pytest.approx(0.95, abs=0.01)
    assert min(covered) > 0.90


def test_shares_at_the_ends_and_their_mirror():
    assert share_interval(0, 10).low == 0.0 and share_interval(10, 10).high == 1.0
    for count in range(11):
        here, there = share_interval(count, 10), share_interval(10 - count, 10)
        assert here.low == pytest.approx(1 - there.high, abs=1e-12)
        assert here.low <= here.value <= here.high


def test_halves_are_no_count():
    with pytest.raises(ValueError, match="whole numbers are needed"):
        share_interval(7.5, 10)
    assert share_interval(np.int64(7), 10.0) == share_interval(7, 10)


def test_equal_values_have_an_interval_of_no_width():
    assert mean_interval([2.0, 2.0, 2.0])[:3] == (2.0, 2.0, 2.0)


def test_values_that_are_wrong_are_named():
    with pytest.raises(ValueError, match="value 2 is not finite"):
        mean_interval([1.0, 2.0, np.nan])
    with pytest.raises(ValueError, match="at least two values"):
        prediction_interval([1.0])
