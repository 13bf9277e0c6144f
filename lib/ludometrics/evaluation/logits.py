"""Regression of outcomes on the logits of forecasts, and on their products with other things known before the game.

With one column, the logit of the forecast, this is the calibration slope; with a second, the logit times a standardised
quantity, it tells whether forecasts hold better where that quantity is large, whatever gaps there are.
"""

import math
from collections.abc import Hashable, Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import special

from ludometrics.evaluation.bootstrap import percentile_ends
from ludometrics.evaluation.clusters import Weighting, check_columns, draw_units, gather_games
from ludometrics.evaluation.intervals import Estimate, check_level
from ludometrics.evaluation.scores import CLIP, check_forecasts

#: Newton's steps end when one changes no coefficient by more than this beside it: the error left is about its square.
#: A step of more than FARTHEST goes towards infinity, where outcomes are parted without fault.
TOLERANCE, FARTHEST, MAX_STEPS = 1e-6, 1e3, 100
#: Steps in the expansion of a replicate, and how much its last term may move a coefficient: what is left out after it
#: moves most replicates less by far, and those at the ends of an interval by no more than two or three times that.
EXPANSION_STEPS, LEAST_TERM = 6, 2e-3


def forecast_logits(forecasts: ArrayLike) -> NDArray[np.float64]:
    """ln(p / (1 - p)), both raised to `CLIP` at least, so that a forecast of 0 or 1 counts as 27.6 logits.

    Examples
    --------
    >>> forecast_logits([0.5, 0.8, 1.0]).round(3).tolist()
    [0.0, 1.386, 27.631]
    """
    forecasts = np.asarray(forecasts, dtype=np.float64)
    return np.log(np.maximum(forecasts, CLIP)) - np.log(np.maximum(1.0 - forecasts, CLIP))


def fit_logits(
    columns: ArrayLike,
    outcomes: ArrayLike,
    *,
    units: Sequence[Hashable] | ArrayLike | None = None,
    weights: ArrayLike | None = None,
    weighting: Weighting = "game",
    replicates: int = 2000,
    level: float = 0.95,
    rng: np.random.Generator,
) -> tuple[Estimate, ...]:
    """Fit logit(expected outcome) = sum of b x over columns, without a constant, with a bootstrap over whole units.

    Parameters
    ----------
    columns : array_like, shape (n, d)
        One row a game, finite; d a few. To turn a game round, turn the signs of its row and its outcome: then who is
        first does not matter.
    outcomes : array_like, shape (n,)
        Score of the first player: 0, 0.5 or 1; draws enter as they are (quasi-likelihood).
    units, weights, weighting, replicates, level, rng
        As in `cluster_interval`.

    Returns
    -------
    tuple of Estimate, length d
        A coefficient, its percentile interval and the number of units. NaN where the games do not fix all of them
        (columns that are multiples of each other, outcomes that the columns part without fault); replicates
        of that kind are left out.

    Raises
    ------
    ValueError
        As `log_loss` and `cluster_interval`.

    Source
    ------
    Cox, Two further applications of a model for binary regression, Biometrika 45 (1958), with more columns. A replicate
    is solved by the expansion of the score about the whole sample's coefficients, made once a unit, and where that does
    not reach, by Newton's steps: own.

    Examples
    --------
    Forecasts of 0.8 that come true in two of three: ln 2 / ln 4.

    >>> logits = forecast_logits([0.8, 0.2, 0.8])
    >>> (slope,) = fit_logits(logits[:, None], [1, 0, 0], rng=np.random.default_rng(1))
    >>> round(slope.value, 6), slope.n
    (0.5, 3)
    """
    check_level(level)
    columns = check_columns(columns, what="column")
    _, outcomes = check_forecasts(np.full(len(columns), 0.5), outcomes)
    clusters = gather_games(len(columns), units, weights=weights, weighting=weighting)
    blocks = draw_units(clusters.n_units, replicates, rng=rng)
    first = _fit(columns, outcomes, clusters.weights, np.zeros(columns.shape[1]))
    if np.isnan(first).any():
        return (Estimate(math.nan, math.nan, math.nan, clusters.n_units),) * len(first)
    terms = clusters.sums(_expand(columns, outcomes, first))
    drawn = []
    for counts in blocks:
        # einsum, for the product of BLAS has other last bits with another number of threads.
        moves, reached = _solve_expansion(np.einsum("ru,uk->rk", counts, terms), len(first))
        fitted = first + moves
        for row in np.flatnonzero(~reached):
            fitted[row] = _fit(columns, outcomes, clusters.weights * counts[row, clusters.index], first)
        drawn.append(fitted)
    low, high = percentile_ends(np.concatenate(drawn), clusters.n_units, level=level)
    each = zip(first.tolist(), low.tolist(), high.tolist(), strict=True)
    return tuple(Estimate(*three, clusters.n_units) for three in each)


def _fit(
    columns: NDArray[np.float64],
    outcomes: NDArray[np.float64],
    weights: NDArray[np.float64],
    start: NDArray[np.float64],
) -> NDArray[np.float64]:
    """Coefficients by Newton's steps, from 0 where those from the start lead nowhere; NaN where there are none."""
    told = weights > 0.0
    columns, outcomes, weights = columns[told], outcomes[told], weights[told]
    for slopes in (start, np.zeros(len(start))):
        for _ in range(MAX_STEPS):
            expected = special.expit(np.einsum("nk,k->n", columns, slopes))
            score = np.einsum("n,nk->k", weights * (outcomes - expected), columns)
            curve = weights * expected * (1.0 - expected)
            bend = np.einsum("n,nk,nm->km", curve, columns, columns)
            if not _is_sound(bend):
                break
            step = np.linalg.solve(bend, score)
            slopes = slopes + step
            if np.abs(step).max() > FARTHEST:
                break
            if (np.abs(step) <= TOLERANCE * (1.0 + np.abs(slopes))).all():
                return slopes
    return np.full(len(start), np.nan)


def _expand(
    columns: NDArray[np.float64], outcomes: NDArray[np.float64], start: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Score of each game at the start and its first three derivatives with their signs turned, side by side."""
    chance = special.expit(np.einsum("nk,k->n", columns, start))
    curve = chance * (1.0 - chance)
    product, terms = np.ones((len(columns), 1)), []
    for factor in (outcomes - chance, curve, curve * (1.0 - 2.0 * chance), curve * (1.0 - 6.0 * curve)):
        product = (product[:, :, None] * columns[:, None, :]).reshape(len(columns), -1)
        terms.append(factor[:, None] * product)
    return np.column_stack(terms)


def _solve_expansion(terms: NDArray[np.float64], d: int) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
    """Where the expanded score of each replicate is 0, (b, d), and whether the expansion reaches so far, (b,)."""
    b = len(terms)
    score, bend, third, fourth = (
        part.reshape((b,) + (d,) * order)
        for order, part in enumerate(np.split(terms, np.cumsum([d, d**2, d**3]), axis=1), start=1)
    )
    move, last = np.zeros((b, d)), np.full((b, d), np.inf)
    reached = _is_sound(bend)
    bend = np.where(reached[:, None, None], bend, np.eye(d))
    for _ in range(EXPANSION_STEPS):
        by_move = np.einsum("bkmo,bo->bkm", third, move)
        by_both = np.einsum("bkmop,bo,bp->bkm", fourth, move, move)
        # The score's last term, which tells how much those that are left out may add.
        last = np.einsum("bkm,bm->bk", by_both / 6.0, move)
        left = score - np.einsum("bkm,bm->bk", bend + by_move / 2.0, move) - last
        slope = bend + by_move + by_both / 2.0
        sound = _is_sound(slope)
        reached &= sound
        step = np.linalg.solve(np.where(sound[:, None, None], slope, np.eye(d)), left[:, :, None])[:, :, 0]
        move = move + np.where(reached[:, None], step, 0.0)
    added = np.linalg.solve(bend, last[:, :, None])[:, :, 0]
    reached &= (np.abs(step) <= TOLERANCE).all(axis=1) & (np.abs(added) <= LEAST_TERM).all(axis=1)
    return move, reached


def _is_sound(bend: NDArray[np.float64]) -> NDArray[np.bool_]:
    """Whether symmetric matrices (..., d, d) are positive definite, beyond rounding, whatever the columns' units."""
    spread = np.sqrt(np.maximum(np.diagonal(bend, axis1=-2, axis2=-1), 0.0))
    positive = (spread > 0.0).all(axis=-1)
    spread = np.where(positive[..., None], spread, 1.0)
    scaled = bend / (spread[..., :, None] * spread[..., None, :])
    return positive & (np.linalg.eigvalsh(scaled)[..., 0] > 1e-10)
