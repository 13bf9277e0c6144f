"""Comparison of settings on the same games: by the difference of their losses game by game, with a verdict.

Two settings meet the same luck, so that their difference is known far better than either loss: two separate intervals
that overlap say nothing of it.
"""

import math
from collections.abc import Hashable, Mapping, Sequence
from typing import NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray

from ludometrics.evaluation.bootstrap import cluster_intervals
from ludometrics.evaluation.clusters import Weighting, check_columns

#: Difference of log losses, in nats a game, within which two settings are as good as the same.
MARGIN = 0.002
VERDICTS = ("neutral", "helps", "hurts", "undecided")


class Comparison(NamedTuple):
    """What one setting does to the loss of another.

    Attributes
    ----------
    difference : float
        Mean of loss a less loss b: below 0, a is better.
    low, high : float
        Its interval.
    n : int
        Independent units behind it.
    verdict : str
        One of `VERDICTS`, of a.
    """

    difference: float
    low: float
    high: float
    n: int
    verdict: str


def give_verdict(low: float, high: float, *, margin: float = MARGIN) -> str:
    """Say what an interval of a difference of losses means, in this order.

    Neutral if it lies within -margin to margin (ends included), even where it leaves out 0: too small to matter comes
    before certain; helps if it lies below 0; hurts if above 0; else undecided.

    Parameters
    ----------
    low, high : float
        Interval of the loss with less the loss without; NaN is undecided.
    margin : float
        Difference that does not matter, finite, at least 0, in the unit of the loss.

    Returns
    -------
    str
        One of `VERDICTS`.

    Raises
    ------
    ValueError
        A margin below 0 or not finite.

    Source
    ------
    Own. Tests of equivalence by an interval: Schuirmann, Journal of Pharmacokinetics and Biopharmaceutics 15 (1987).

    Examples
    --------
    >>> intervals = [(-0.002, -0.001), (-0.003, -0.001), (0.001, 0.003), (-0.003, 0.001)]
    >>> [give_verdict(low, high) for low, high in intervals]
    ['neutral', 'helps', 'hurts', 'undecided']
    """
    if not (math.isfinite(margin) and margin >= 0.0):
        raise ValueError(f"margin is {margin!r}: it must be finite and at least 0")
    if -margin <= low and high <= margin:
        return "neutral"
    if high < 0.0:
        return "helps"
    return "hurts" if low > 0.0 else "undecided"


def compare(
    loss_a: ArrayLike,
    loss_b: ArrayLike,
    *,
    units: Sequence[Hashable] | ArrayLike | None,
    margin: float = MARGIN,
    weighting: Weighting = "game",
    replicates: int = 2000,
    level: float = 0.95,
    rng: np.random.Generator,
) -> Comparison:
    """Compare two settings by the paired difference of their losses, a less b.

    Parameters
    ----------
    loss_a, loss_b : array_like, shape (n,)
        Loss of each game with the one setting and with the other, finite; the same games in the same order.
    units : sequence of hashables, length n, or None
        The unit that each game belongs to (a play, a day), resampled whole; None: each game is its own.
    margin : float
        Difference that does not matter, finite, at least 0, in the unit of the losses.
    weighting, replicates, level, rng
        As in `cluster_interval`.

    Returns
    -------
    Comparison
        The verdict is that of `give_verdict` and is of a: a "helps" if it loses less than b.

    Raises
    ------
    ValueError
        Losses of different length, one that is not finite, and as `cluster_interval` and `give_verdict`.

    Source
    ------
    Own.

    Examples
    --------
    >>> with_it, without = [0.60, 0.61, 0.72, 0.55], [0.66, 0.68, 0.77, 0.62]
    >>> result = compare(with_it, without, units=None, rng=np.random.default_rng(1))
    >>> round(result.difference, 4), result.n, result.verdict
    (-0.0625, 4, 'helps')
    """
    give_verdict(0.0, 0.0, margin=margin)
    _, losses = tabulate_losses({"loss_a": loss_a, "loss_b": loss_b})
    options = {"weighting": weighting, "replicates": replicates, "level": level}
    (estimate,) = cluster_intervals(losses[:, :1] - losses[:, 1:], units, **options, rng=rng)
    return Comparison(*estimate, give_verdict(estimate.low, estimate.high, margin=margin))


def compare_many(
    losses: pd.DataFrame | Mapping[Hashable, ArrayLike],
    baseline: Hashable,
    *,
    units: Sequence[Hashable] | ArrayLike | None,
    margin: float = MARGIN,
    weighting: Weighting = "game",
    replicates: int = 2000,
    level: float = 0.95,
    rng: np.random.Generator,
) -> pd.DataFrame:
    """Compare many settings with one of them, all on the same games and the same draws.

    Parameters
    ----------
    losses : DataFrame of shape (n, k), or mapping of name to array_like of shape (n,)
        Loss of each game with each setting, finite; k at least 2.
    baseline : hashable
        Name of the setting that the others are compared with.
    units, margin, weighting, replicates, level, rng
        As in `compare`.

    Returns
    -------
    DataFrame
        One row a setting but the baseline, in the order of the losses: `setting`, its mean `loss`, and of its
        difference from the baseline `difference`, `low`, `high`, `n` units and `verdict`: what `compare` gives with
        the same rng. Each interval holds for itself: of many settings some will look better by chance, so choose on
        other games than those reported (`tune`).

    Raises
    ------
    ValueError
        A baseline that is no setting, no other setting, and as `compare`.

    Source
    ------
    Own.

    Examples
    --------
    >>> losses = {"K=20": [0.66, 0.68, 0.77], "K=32": [0.60, 0.61, 0.72], "coin": [0.69, 0.69, 0.69]}
    >>> table = compare_many(losses, "K=20", units=None, rng=np.random.default_rng(1))
    >>> table[["setting", "loss", "difference", "verdict"]].round(3).to_numpy().tolist()
    [['K=32', 0.643, -0.06, 'helps'], ['coin', 0.69, -0.013, 'undecided']]
    """
    give_verdict(0.0, 0.0, margin=margin)
    names, table = tabulate_losses(losses)
    if baseline not in names or len(names) < 2:
        raise ValueError(f"baseline is {baseline!r}: it must be one of two or more settings, {names}")
    place = names.index(baseline)
    others = [column for column in range(len(names)) if column != place]
    columns = np.column_stack([table[:, others], table[:, others] - table[:, [place]]])
    options = {"weighting": weighting, "replicates": replicates, "level": level}
    estimates = cluster_intervals(columns, units, **options, rng=rng)
    means, differences = estimates[: len(others)], estimates[len(others) :]
    return pd.DataFrame(
        {
            "setting": pd.Series([names[column] for column in others]),
            "loss": [mean.value for mean in means],
            "difference": [difference.value for difference in differences],
            "low": [difference.low for difference in differences],
            "high": [difference.high for difference in differences],
            "n": [difference.n for difference in differences],
            "verdict": [give_verdict(d.low, d.high, margin=margin) for d in differences],
        }
    )


def tabulate_losses(
    losses: pd.DataFrame | Mapping[Hashable, ArrayLike],
) -> tuple[list[Hashable], NDArray[np.float64]]:
    """Check the losses of settings, and give the names and the losses as an array of shape (n, k).

    Examples
    --------
    >>> tabulate_losses({"a": [0.5, 0.6], "b": [0.7]})
    Traceback (most recent call last):
    ...
    ValueError: loss of 'b' has shape (1,): it must be (2,), one for each game
    """
    names = list(losses)
    if not names:
        raise ValueError("there are no losses: at least one setting is needed")
    if len(set(names)) != len(names):
        raise ValueError(f"a setting stands twice in the losses: {names}")
    columns = [np.asarray(losses[name], dtype=np.float64) for name in names]
    for name, column in zip(names, columns, strict=True):
        if column.ndim != 1 or column.shape != columns[0].shape:
            wanted = f"({len(columns[0])},)" if columns[0].ndim == 1 else "(n,)"
            raise ValueError(
                f"loss of {name!r} has shape {column.shape}: it must be {wanted}, one for each game"
            )
        check_columns(column[:, None], what=f"loss of {name!r}")
    return names, np.column_stack(columns)
