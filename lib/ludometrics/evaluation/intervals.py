"""Intervals: no estimate without one, and its n. What is resampled is the independent unit."""

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike
from scipy import stats

#: Standard deviations of a normal distribution on either side of its mean that hold 95 % of it: its 0.975 quantile.
NORMAL_95 = 1.959963984540054


class Estimate(NamedTuple):
    """An estimate, its interval and the number of independent units behind it."""

    value: float
    low: float
    high: float
    n: int


def mean_interval(values: ArrayLike, *, level: float = 0.95) -> Estimate:
    """Estimate a mean over independent units, with Student's interval.

    Parameters
    ----------
    values : array_like, shape (n,)
        One value a unit (a run, a player, a match), n at least 2, finite.
    level : float
        Confidence, between 0 and 1.

    Returns
    -------
    Estimate
        Mean, its confidence interval and n, in the unit of the values.

    Raises
    ------
    ValueError
        Fewer than two values, one that is not finite, or a level outside (0, 1).

    Examples
    --------
    >>> estimate = mean_interval([1.0, 2.0, 3.0])
    >>> [round(float(x), 3) for x in estimate]
    [2.0, -0.484, 4.484, 3.0]

    Source
    ------
    Student, The probable error of a mean, Biometrika 6 (1908).
    """
    values, half = _student(values, level)
    return _estimate(values, half * math.sqrt(1 / values.size))


def prediction_interval(values: ArrayLike, *, level: float = 0.95) -> Estimate:
    """Foretell where one more run will lie, from the runs there are.

    A single published run is held against this interval, not against that of the mean: it has the spread of a
    run in it.

    Parameters
    ----------
    values : array_like, shape (n,)
        One value a run, n at least 2, finite.
    level : float
        Probability, between 0 and 1.

    Returns
    -------
    Estimate
        Mean of the runs, and the interval that holds one more run with the given probability if runs are
        about normal: mean +- t s sqrt(1 + 1/n).

    Raises
    ------
    ValueError
        As `mean_interval`.

    Examples
    --------
    >>> estimate = prediction_interval([1.0, 2.0, 3.0])
    >>> [round(float(x), 3) for x in estimate]
    [2.0, -2.968, 6.968, 3.0]

    Source
    ------
    Geisser, Predictive Inference (1993), section 2.2.
    """
    values, half = _student(values, level)
    return _estimate(values, half * math.sqrt(1 + 1 / values.size))


def share_interval(count: int, n: int, *, level: float = 0.95) -> Estimate:
    """Estimate a share of independent units, with Wilson's interval.

    Parameters
    ----------
    count : int
        Units of which it holds, 0 to n.
    n : int
        Units in all, at least 1.
    level : float
        Confidence, between 0 and 1.

    Returns
    -------
    Estimate

    Raises
    ------
    ValueError
        count outside 0 to n, n below 1, one of them not whole (draws counted half need `mean_interval`), or a
        level outside (0, 1).

    Examples
    --------
    >>> [round(float(x), 3) for x in share_interval(0, 10)]
    [0.0, 0.0, 0.278, 10.0]

    Source
    ------
    Wilson, Journal of the American Statistical Association 22 (1927).
    """
    check_level(level)
    whole = float(n).is_integer() and float(count).is_integer()
    if not whole or n < 1 or not 0 <= count <= n:
        raise ValueError(
            f"a share of {count} in {n}: whole numbers are needed, n at least 1, the count 0 to n"
        )
    interval = stats.binomtest(int(count), int(n)).proportion_ci(level, method="wilson")
    return Estimate(count / n, float(interval.low), float(interval.high), int(n))


def _student(values: ArrayLike, level: float) -> tuple[np.ndarray, float]:
    """The values, and Student's quantile times their standard deviation."""
    check_level(level)
    values = np.asarray(values, dtype=float)
    if values.ndim != 1 or values.size < 2:
        raise ValueError(f"an interval needs at least two values in one row, not shape {values.shape}")
    if not np.isfinite(values).all():
        raise ValueError(f"value {int(np.argmin(np.isfinite(values)))} is not finite")
    return values, float(stats.t.ppf((1 + level) / 2, values.size - 1) * values.std(ddof=1))


def _estimate(values: np.ndarray, half: float) -> Estimate:
    mean = float(values.mean())
    return Estimate(mean, mean - half, mean + half, values.size)


def check_level(level: float) -> None:
    """Refuse a level of confidence that is not between 0 and 1.

    Examples
    --------
    >>> check_level(95)
    Traceback (most recent call last):
    ...
    ValueError: the level is 95: it must lie between 0 and 1
    """
    if not 0 < level < 1:
        raise ValueError(f"the level is {level!r}: it must lie between 0 and 1")
