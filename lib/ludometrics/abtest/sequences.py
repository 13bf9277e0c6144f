"""Looking on the way: ranges that hold at all times at once, and what repeated looks at the usual one cost."""

import math

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray
from scipy import stats

from ludometrics.abtest.contrasts import paired_differences, weighted_contrasts
from ludometrics.evaluation.intervals import Estimate, share_interval

__all__ = [
    "START",
    "asymptotic_half_width",
    "confidence_sequence",
    "log_supermartingale",
    "mixture_rho",
    "normal_mixture_bound",
    "paired_differences",
    "r_for",
    "repeated_looks",
    "weighted_contrasts",
]

#: Values before which a confidence sequence gives no range: its spread is not known well enough.
START = 30
#: Normal numbers drawn at a time.
_BLOCK = 1 << 20


def mixture_rho(v_opt: float, alpha: float) -> float:
    """Choose the mixture under which the bound is about narrowest at one time.

    v_opt/(2 ln(1/alpha) + ln(1 + 2 ln(1/alpha))), for the two-sided bound.

    Parameters
    ----------
    v_opt : float
        Variance (sum of the values' variances) at which the bound is to be narrowest, above 0.
    alpha : float
        Chance of ever being wrong, between 0 and 1.

    Returns
    -------
    float
        rho, in the unit of v_opt: the inverse of the variance of the normal mixture.

    Raises
    ------
    ValueError
        A value outside its range.

    Source
    ------
    Howard, Ramdas, McAuliffe and Sekhon, Annals of Statistics 49 (2021). An approximation: up to alpha 0.05 the bound
    at v_opt is less than 0.01 % wider than that of the exact minimiser.

    Examples
    --------
    >>> round(mixture_rho(100, 0.05), 5)
    12.60056
    """
    _check_positive(v_opt=v_opt)
    _check_alpha(alpha)
    log = 2 * math.log(1 / alpha)
    return v_opt / (log + math.log1p(log))


def normal_mixture_bound(v: ArrayLike, v_opt: float, alpha: float) -> NDArray[np.float64]:
    """Bound a sum of differences from their mean at all times at once, two-sided.

    sqrt((v + rho)(2 ln(1/alpha) + ln((v + rho)/rho))); the chance that the sum of normal values ever leaves +- the
    bound is at most alpha.

    Parameters
    ----------
    v : array_like
        Variance of the sum, at least 0.
    v_opt, alpha : float
        As in `mixture_rho`; so are the errors.

    Returns
    -------
    ndarray or float, of the shape of v

    Source
    ------
    Howard, Ramdas, McAuliffe and Sekhon, Annals of Statistics 49 (2021); Robbins, Annals of Mathematical Statistics 41
    (1970).

    Examples
    --------
    >>> round(float(normal_mixture_bound(100, 100, 0.05)), 5)
    30.35209
    """
    return _bound(_check_variance(v), mixture_rho(v_opt, alpha), alpha)


def log_supermartingale(s: ArrayLike, v: ArrayLike, rho: float) -> NDArray[np.float64]:
    """Weigh the evidence against a mean of 0: logarithm of the two-sided normal mixture.

    ln(rho/(v + rho))/2 + s^2/(2 (v + rho)). It starts at 0 and reaches ln(1/alpha) exactly where the sum reaches the
    bound; exp(-its maximum so far) is a p value that may be looked at as often as one likes.

    Parameters
    ----------
    s : array_like
        Sum of the values less their mean under the null.
    v : array_like
        Variance of the sum, at least 0.
    rho : float
        As from `mixture_rho`, above 0.

    Returns
    -------
    ndarray or float, of the shape of s and v

    Raises
    ------
    ValueError
        A value outside its range.

    Source
    ------
    As `normal_mixture_bound`.

    Examples
    --------
    >>> round(float(log_supermartingale(10, 100, mixture_rho(100, 0.05))), 7)
    -0.6510052
    """
    _check_positive(rho=rho)
    total = _check_variance(v) + rho
    return 0.5 * np.log(rho / total) + np.asarray(s, dtype=float) ** 2 / (2 * total)


def r_for(n_opt: float, alpha: float) -> float:
    """Choose the mixture under which the range of a mean is about narrowest at one number of values.

    sqrt((2 ln(1/alpha) + ln(1 + 2 ln(1/alpha)))/n_opt), the closed form; 1/sqrt(`mixture_rho`).

    Parameters
    ----------
    n_opt : float
        Number of values, above 0.
    alpha : float
        Chance of ever being wrong, between 0 and 1.

    Returns
    -------
    float

    Raises
    ------
    ValueError
        A value outside its range.

    Source
    ------
    Waudby-Smith, Arbour, Sinha, Kennedy and Ramdas, Annals of Statistics 52 (2024); the closed form that they
    give beside the exact minimiser.

    Examples
    --------
    >>> round(r_for(256, 0.05), 7)
    0.1760699
    """
    _check_positive(n_opt=n_opt)
    return 1 / math.sqrt(mixture_rho(n_opt, alpha))


def asymptotic_half_width(n: ArrayLike, sd: ArrayLike, r: float, alpha: float) -> NDArray[np.float64]:
    """Half the width of the asymptotic confidence sequence of a mean.

    sd sqrt(2 (n r^2 + 1)/(n^2 r^2) ln(sqrt(n r^2 + 1)/alpha)).

    Parameters
    ----------
    n : array_like
        Values so far, at least 1.
    sd : array_like
        Their standard deviation, at least 0.
    r : float
        As from `r_for`, above 0.
    alpha : float
        Chance of ever being wrong, between 0 and 1.

    Returns
    -------
    ndarray or float, of the shape of n and sd

    Raises
    ------
    ValueError
        A value outside its range.

    Source
    ------
    Waudby-Smith, Arbour, Sinha, Kennedy and Ramdas, Annals of Statistics 52 (2024).

    Examples
    --------
    >>> round(float(asymptotic_half_width(256, 0.36, r_for(256, 0.05), 0.05)), 6)
    0.068292
    """
    _check_positive(r=r)
    _check_alpha(alpha)
    n, sd = np.asarray(n, dtype=float), np.asarray(sd, dtype=float)
    if not (n >= 1).all() or not (sd >= 0).all():
        raise ValueError("n must be at least 1 and sd at least 0 everywhere")
    return sd * _bound(n, r**-2, alpha) / n


def confidence_sequence(
    values: ArrayLike, *, n_opt: float, alpha: float = 0.05, start: int = START
) -> pd.DataFrame:
    """Give the range of a mean after each value, valid however often it is looked at.

    Parameters
    ----------
    values : array_like, shape (n,)
        In order of arrival, finite; such as `paired_differences` or `weighted_contrasts`.
    n_opt : float
        Number of values at which the range is to be narrowest, such as the planned number.
    alpha : float
        Chance that the range ever leaves out the mean.
    start : int
        First number of values with a range, at least 2. The promise is that of many values: with a few, or where
        nearly all of them are equal, the chance of error is larger.

    Returns
    -------
    DataFrame
        One row a value: n, estimate (mean so far), sd (so far), low, high (the sequence), running_low, running_high
        (all ranges so far intersected: narrower, and crossed where they contradict each other), fixed_low, fixed_high
        (the usual normal range, for a number fixed beforehand), price (how many times wider than that). Ranges are
        NaN before `start` and while all values are equal.

    Raises
    ------
    ValueError
        A value that is not finite, or a setting outside its range.

    Source
    ------
    As `asymptotic_half_width`.

    Examples
    --------
    >>> table = confidence_sequence([0.5, -0.5, 0.5, 0.0], n_opt=4, start=3)
    >>> table[["n", "estimate", "low", "high", "price"]].round(3).tail(2).to_numpy().tolist()
    [[3.0, 0.167, -0.848, 1.181, 1.553], [4.0, 0.125, -0.601, 0.851, 1.549]]
    """
    values = np.asarray(values, dtype=float)
    if values.ndim != 1 or not np.isfinite(values).all():
        raise ValueError(f"values of shape {values.shape}: finite ones are wanted, in one row")
    if isinstance(start, bool) or not isinstance(start, int | np.integer) or start < 2:
        raise ValueError(f"start is {start!r}: it must be a whole number of at least 2")
    r = r_for(n_opt, alpha)
    n = np.arange(1, len(values) + 1)
    mean = np.cumsum(values) / n
    sd = _running_sd(values)
    known = (n >= start) & (sd > 0)
    half = np.where(known, asymptotic_half_width(n, sd, r, alpha), np.nan)
    fixed = np.where(known, stats.norm.ppf(1 - alpha / 2) * sd / np.sqrt(n), np.nan)
    table = pd.DataFrame({"n": n, "estimate": mean, "sd": sd, "low": mean - half, "high": mean + half})
    table["running_low"], table["running_high"] = table["low"].cummax(), table["high"].cummin()
    table["fixed_low"], table["fixed_high"] = mean - fixed, mean + fixed
    table["price"] = half / fixed
    return table


def repeated_looks(looks: int, *, alpha: float = 0.05, draws: int, rng: np.random.Generator) -> Estimate:
    """Estimate the chance of a false alarm where the usual test is looked at again and again.

    Parameters
    ----------
    looks : int
        Looks, after equally many values each, at least 1.
    alpha : float
        Chance of a false alarm of one look, two-sided.
    draws : int
        Tests simulated, at least 1.
    rng : numpy.random.Generator

    Returns
    -------
    Estimate
        Share of tests of a true null in which some look shows abs(z) above its limit, with its 95 % interval.

    Raises
    ------
    ValueError
        A setting outside its range.

    Source
    ------
    Armitage, McPherson and Rowe, Journal of the Royal Statistical Society A 132 (1969).

    Examples
    --------
    >>> alarms = repeated_looks(5, draws=2000, rng=np.random.default_rng(1))
    >>> alarms.low < 0.142 < alarms.high
    True
    """
    for name, value in (("looks", looks), ("draws", draws)):
        if isinstance(value, bool) or not isinstance(value, int | np.integer) or value < 1:
            raise ValueError(f"{name} is {value!r}: it must be a whole number of at least 1")
    _check_alpha(alpha)
    limit = stats.norm.ppf(1 - alpha / 2) * np.sqrt(np.arange(1, looks + 1))
    size, alarms = max(1, _BLOCK // looks), 0
    for done in range(0, draws, size):
        sums = rng.standard_normal((min(size, draws - done), looks)).cumsum(axis=1)
        alarms += int((np.abs(sums) > limit).any(axis=1).sum())
    return share_interval(alarms, draws)


def _bound(v: NDArray[np.float64], rho: float, alpha: float) -> NDArray[np.float64]:
    return np.sqrt((v + rho) * (2 * math.log(1 / alpha) + np.log1p(v / rho)))


def _running_sd(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """Standard deviation of the values so far; 0 where all are equal, and for the first."""
    n = np.arange(1, len(values) + 1)
    shifted = values - (values[0] if len(values) else 0.0)  # so that equal values give exactly 0
    squares = np.cumsum(shifted**2) - np.cumsum(shifted) ** 2 / n
    return np.sqrt(np.maximum(squares, 0.0) / np.maximum(n - 1, 1))


def _check_variance(v: ArrayLike) -> NDArray[np.float64]:
    v = np.asarray(v, dtype=float)
    if not (v >= 0).all():
        raise ValueError(f"v is {v!r}: it must be at least 0")
    return v


def _check_positive(**values: float) -> None:
    for name, value in values.items():
        if not 0 < value < math.inf:
            raise ValueError(f"{name} is {value!r}: it must be finite and above 0")


def _check_alpha(alpha: float) -> None:
    if not 0 < alpha < 1:
        raise ValueError(f"alpha is {alpha!r}: it must lie between 0 and 1")
