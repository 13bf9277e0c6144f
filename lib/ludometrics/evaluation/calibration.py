"""Calibration: whether what was forecast with 70 % happens in 70 % of games, by a curve, a slope and one error."""

import math
from collections.abc import Hashable, Sequence
from functools import partial

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray

from ludometrics.evaluation.bootstrap import percentile_ends, resample_sums, statistic_interval
from ludometrics.evaluation.clusters import Clusters, Weighting, gather_games
from ludometrics.evaluation.intervals import Estimate, check_level
from ludometrics.evaluation.scores import CLIP, check_forecasts

# The dot product of BLAS has other last bits with another number of threads.
_dot = partial(np.einsum, "i,i->")
#: Newton's steps towards a slope end when they are this small beside it, or its equation holds but for rounding.
STEP_TOLERANCE, ROUNDING, MAX_STEPS = 1e-8, 1e-15, 200
#: Shares of the gaps that are tried for the lower end of the calibration error: each hundredth.
SHARES = 101


def calibration_curve(
    forecasts: ArrayLike,
    outcomes: ArrayLike,
    *,
    units: Sequence[Hashable] | ArrayLike | None = None,
    oriented: bool = True,
    bins: int = 10,
    min_games: int = 50,
    min_units: int = 10,
    weights: ArrayLike | None = None,
    weighting: Weighting = "game",
    replicates: int = 2000,
    level: float = 0.95,
    rng: np.random.Generator,
) -> pd.DataFrame:
    """Set mean outcomes beside mean forecasts, in bins of equally many games.

    Parameters
    ----------
    forecasts : array_like, shape (n,)
        Expected score of the first player, in [0, 1].
    outcomes : array_like, shape (n,)
        Score of the first player: 0, 0.5 or 1.
    units : sequence of hashables, length n, optional
        The unit that each game belongs to (a play, a day), resampled whole; None: each game is its own.
    oriented : bool
        Look at each game from its favourite's side, since who is first is chance; where a forecast of exactly 0.5
        names none, the mean of both sides, one half, stands as the outcome. Otherwise from the first player's side.
    bins : int
        Bins at most, at least 1.
    min_games, min_units : int
        What a bin needs: there are fewer bins where there are too few games or units for so many.
    weights, weighting, replicates, level, rng
        As in `cluster_interval`.

    Returns
    -------
    DataFrame
        One row a bin, in the order of the forecasts: `bin` (from 1), `n` games, `units`, mean `forecast`, mean
        `outcome`, and `low`, `high` of the outcome by the cluster bootstrap. Equal forecasts share a bin, so that
        bins may differ in size; a bin that would be empty is absent. No rows at all where even one bin would fall
        short of `min_games` or `min_units`.

    Raises
    ------
    ValueError
        As `log_loss` and `gather_games`; bins below 1.

    Source
    ------
    Own. Equal counts, since bins of equal width are mostly empty: Nixon et al., Measuring Calibration in Deep
    Learning (2019).

    Examples
    --------
    >>> forecasts, outcomes = [0.6, 0.6, 0.4, 0.9, 0.1, 0.9], [1, 0, 0, 1, 0, 1]
    >>> rng = np.random.default_rng(1)
    >>> curve = calibration_curve(forecasts, outcomes, bins=2, min_games=3, min_units=3, rng=rng)
    >>> curve[["bin", "n", "units", "forecast", "outcome"]].round(3).to_numpy().tolist()
    [[1.0, 3.0, 3.0, 0.6, 0.667], [2.0, 3.0, 3.0, 0.9, 1.0]]
    """
    forecasts, outcomes = check_forecasts(forecasts, outcomes)
    clusters = gather_games(len(forecasts), units, weights=weights, weighting=weighting)
    if oriented:
        forecasts, outcomes = _orient(forecasts, outcomes)
    place, games, n_units = _fill_bins(forecasts, clusters, bins, min_games, min_units)
    k = len(games)
    inside = (place[:, None] == np.arange(k)).astype(np.float64)
    sums = clusters.sums(np.column_stack([inside, inside * outcomes[:, None], inside * forecasts[:, None]]))
    weight, scored, foreseen = np.split(sums.sum(axis=0), 3)
    drawn = resample_sums(sums[:, : 2 * k], replicates=replicates, rng=rng)
    # A replicate may have drawn no unit of a bin: it tells nothing of that bin.
    means = np.full((replicates, k), np.nan)
    np.divide(drawn[:, k:], drawn[:, :k], out=means, where=drawn[:, :k] > 0.0)
    low, high = percentile_ends(means, clusters.n_units, level=level)
    return pd.DataFrame(
        {
            "bin": np.arange(1, k + 1),
            "n": games,
            "units": n_units,
            "forecast": foreseen / weight,
            "outcome": scored / weight,
            "low": np.where(n_units > 1, low, np.nan),
            "high": np.where(n_units > 1, high, np.nan),
        }
    )


def calibration_slope(
    forecasts: ArrayLike,
    outcomes: ArrayLike,
    *,
    units: Sequence[Hashable] | ArrayLike | None = None,
    weights: ArrayLike | None = None,
    weighting: Weighting = "game",
    replicates: int = 2000,
    level: float = 0.95,
    rng: np.random.Generator,
) -> Estimate:
    """Estimate the slope b of logit(expected outcome) = b logit(forecast), a line through the origin.

    1 is calibrated; below 1 forecasts are over-confident, above 1 too timid; below 0 the favourites lose.

    Parameters
    ----------
    forecasts : array_like, shape (n,)
        Expected score of the first player, in [0, 1]; in the logit both sides are raised to `CLIP` at least, so that
        a forecast of exactly 0 or 1 counts as 27.6 logits: an upset there pulls hard.
    outcomes : array_like, shape (n,)
        Score of the first player: 0, 0.5 or 1; draws enter as they are (quasi-likelihood).
    units, weights, weighting, replicates, level, rng
        As in `calibration_curve`.

    Returns
    -------
    Estimate
        The slope, its percentile interval by the cluster bootstrap, and the number of units; the same whichever of
        two players is the first. NaN where there is no slope: all forecasts are 0.5, or the favourites of all games
        scored in full, or none of them anything (the slope would be infinite). Where that befalls replicates, an end
        of the interval can be infinite.

    Raises
    ------
    ValueError
        As `log_loss` and `gather_games`.

    Source
    ------
    Cox, Two further applications of a model for binary regression, Biometrika 45 (1958), without intercept.

    Examples
    --------
    Forecasts of 0.8 that come true in two of three: ln 2 / ln 4.

    >>> slope = calibration_slope([0.8, 0.2, 0.8], [1, 0, 0], rng=np.random.default_rng(1))
    >>> round(slope.value, 6), slope.n
    (0.5, 3)
    """
    forecasts, outcomes = _orient(*check_forecasts(forecasts, outcomes))
    logits = np.log(forecasts) - np.log(np.maximum(1.0 - forecasts, CLIP))
    telling = logits > 0.0
    logits, outcomes = logits[telling], outcomes[telling]
    first = _fit_slope(logits, outcomes, np.ones(len(logits)))

    def slope(weights: NDArray[np.float64]) -> float:
        return _fit_slope(logits, outcomes, weights[telling], start=first if math.isfinite(first) else 0.0)

    options = {"weights": weights, "weighting": weighting, "replicates": replicates, "level": level}
    estimate = statistic_interval(slope, len(forecasts), units, **options, rng=rng)
    return estimate if math.isfinite(estimate.value) else estimate._replace(value=math.nan)


def expected_calibration_error(
    forecasts: ArrayLike,
    outcomes: ArrayLike,
    *,
    units: Sequence[Hashable] | ArrayLike | None = None,
    oriented: bool = True,
    bins: int = 10,
    min_games: int = 50,
    min_units: int = 10,
    weights: ArrayLike | None = None,
    weighting: Weighting = "game",
    replicates: int = 2000,
    level: float = 0.95,
    rng: np.random.Generator,
) -> Estimate:
    """Estimate the expected calibration error: sum over bins of share of games * abs(mean outcome - mean forecast).

    Parameters
    ----------
    forecasts, outcomes, units, oriented, bins, min_games, min_units, weights, weighting, replicates, level, rng
        As in `calibration_curve`, whose bins are taken.

    Returns
    -------
    Estimate
        In [0, 1], with the number of units; NaN where `calibration_curve` has no rows. Chance alone makes the value
        larger than 0, and a replicate larger still: percentiles would never hold 0. The interval begins at the least
        share of the gaps found that, with the noise of the replicates, often enough gives so large a value (at 0
        unless there is more error than chance makes), and ends at the value plus the noise of their signed sum.

    Raises
    ------
    ValueError
        As `calibration_curve`.

    Source
    ------
    Naeini, Cooper and Hauskrecht, AAAI (2015), with bins of equal counts. Interval: own.

    Examples
    --------
    >>> error = expected_calibration_error([0.7] * 60, [1, 0] * 30, rng=np.random.default_rng(1))
    >>> round(error.value, 6), error.n
    (0.2, 60)
    """
    forecasts, outcomes = check_forecasts(forecasts, outcomes)
    clusters = gather_games(len(forecasts), units, weights=weights, weighting=weighting)
    if oriented:
        forecasts, outcomes = _orient(forecasts, outcomes)
    place, games, _ = _fill_bins(forecasts, clusters, bins, min_games, min_units)
    if not len(games):
        return Estimate(math.nan, math.nan, math.nan, clusters.n_units)
    gaps = (place[:, None] == np.arange(len(games))) * (outcomes - forecasts)[:, None]
    sums = clusters.sums(np.column_stack([gaps, np.ones(len(gaps))]))
    gap, drawn = sums.sum(axis=0), resample_sums(sums, replicates=replicates, rng=rng)
    gap, drawn = gap[:-1] / gap[-1], drawn[:, :-1] / drawn[:, -1:]
    low, high = _error_ends(gap, drawn - gap, level) if clusters.n_units > 1 else (math.nan, math.nan)
    return Estimate(float(np.abs(gap).sum()), low, high, clusters.n_units)


def _error_ends(gap: NDArray[np.float64], noise: NDArray[np.float64], level: float) -> tuple[float, float]:
    """Interval of the sum of absolute gaps, of which those found are the true ones plus noise."""
    check_level(level)
    value = float(np.abs(gap).sum())
    for share in np.linspace(0.0, 1.0, SHARES):
        if value <= np.quantile(np.abs(noise + share * gap).sum(axis=1), (1.0 + level) / 2.0):
            break
    # With the true signs s, sum of abs(true) = sum of s (found - noise), at most value - sum of s noise.
    signed = (noise * np.where(gap < 0.0, -1.0, 1.0)).sum(axis=1)
    return float(share * value), max(value, value - float(np.quantile(signed, (1.0 - level) / 2.0)))


def _orient(
    forecasts: NDArray[np.float64], outcomes: NDArray[np.float64]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Turn each game to its favourite's side; without a favourite, to the mean of both sides."""
    side = np.sign(forecasts - 0.5)
    return np.maximum(forecasts, 1.0 - forecasts), 0.5 + side * (outcomes - 0.5)


def _fill_bins(
    forecasts: NDArray[np.float64], clusters: Clusters, bins: int, min_games: int, min_units: int
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
    """Bin of each game, games and units of each bin: as many bins as hold what a bin needs, or none."""
    if bins < 1:
        raise ValueError(f"bins is {bins}: it must be at least 1")
    n = len(forecasts)
    _, value, sizes = np.unique(forecasts, return_inverse=True, return_counts=True)
    doubled = 2 * np.cumsum(sizes) - sizes  # twice the middle rank of the games with each forecast
    for k in range(bins, 0, -1):
        used, place = np.unique((doubled * k // (2 * n))[value], return_inverse=True)
        games = np.bincount(place)
        pairs = np.unique(place * clusters.n_units + clusters.index)
        units = np.bincount(pairs // clusters.n_units, minlength=len(used))
        if games.min() >= min_games and units.min() >= min_units:
            return place, games, units
    return np.zeros(n, dtype=np.int64), *np.zeros((2, 0), dtype=np.int64)


def _fit_slope(
    logits: NDArray[np.float64], scores: NDArray[np.float64], weights: NDArray[np.float64], start: float = 0.0
) -> float:
    """Solve sum w x (y - 1/(1 + exp(-b x))) = 0 for logits x > 0: infinite where favourites scored all or nothing."""
    for_win, for_loss = weights * logits * scores, weights * logits * (1.0 - scores)
    bend = (for_win + for_loss) * logits
    won, lost = float(for_win.sum()), float(for_loss.sum())
    if not won or not lost:
        return math.nan if won == lost else math.copysign(math.inf, won - lost)
    # The root is on the side of 0 that `side` says, and between 0 and it the sum bends so that Newton's steps from 0
    # never pass it. From a start beyond it, the first step may cross 0: then from 0.
    side, unit = math.copysign(1.0, won - lost), 1.0 / float(logits.max())
    slope = start if start * side > 0.0 else 0.0
    for _ in range(MAX_STEPS):
        odds = np.exp(np.minimum(-slope * logits, 700.0))
        expected = 1.0 / (1.0 + odds)
        against = odds * expected  # exact where 1 - expected would be rounded off
        above, below = float(_dot(for_win, against)), float(_dot(for_loss, expected))
        curvature = float(_dot(bend, expected * against))
        step = (above - below) / curvature if curvature > 0.0 else -slope
        step = -slope if (slope + step) * side < 0.0 else step
        slope += step
        exact = abs(above - below) <= ROUNDING * (above + below)
        if exact or abs(step) <= STEP_TOLERANCE * (unit + abs(slope)):
            return slope
    raise RuntimeError(f"no slope after {MAX_STEPS} steps: the last was {step:g}, at {slope:g}")
