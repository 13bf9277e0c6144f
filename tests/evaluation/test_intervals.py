"""Intervals hold what they promise."""

import numpy as np
import pytest

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
