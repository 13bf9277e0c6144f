"""Tuning without self-deception: chosen on the first part of the games, reported on the rest."""

from collections.abc import Hashable, Mapping, Sequence
from typing import Literal, NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray

from ludometrics.evaluation.bootstrap import cluster_errors, cluster_intervals
from ludometrics.evaluation.clusters import Weighting, check_columns, gather_games, number_units
from ludometrics.evaluation.comparison import tabulate_losses
from ludometrics.evaluation.intervals import Estimate

#: Part of the units that a setting is chosen on.
SHARE = 2 / 3


class Split(NamedTuple):
    """Games in two parts by time: ndarrays of bool, shape (n,), each game in one of them."""

    tuning: NDArray[np.bool_]
    report: NDArray[np.bool_]


class Tuning(NamedTuple):
    """A setting that was chosen on the first part of the games, and what it is worth on the rest.

    Attributes
    ----------
    chosen : hashable
        Name of the setting chosen on the first part.
    hindsight : hashable
        Name of the one that turned out best on the rest. Its loss there is too good: it was picked for it.
    chosen_loss, hindsight_loss : Estimate
        Their mean losses on the rest.
    difference : Estimate
        Chosen less hindsight on the rest, paired: what not knowing the future cost, at most.
    n_settings : int
        How many there were to choose from.
    """

    chosen: Hashable
    hindsight: Hashable
    chosen_loss: Estimate
    hindsight_loss: Estimate
    difference: Estimate
    n_settings: int


def split(
    units: int | Sequence[Hashable] | ArrayLike, share: float = SHARE, *, times: ArrayLike | None = None
) -> Split:
    """Split games by time into a part to choose on and a part to report on, no unit in both.

    Parameters
    ----------
    units : int, or sequence of hashables, length n
        The unit that each game belongs to; a number n: n games, each its own unit.
    share : float
        Part of the units that is wanted in the first, above 0 and below 1.
    times : array_like, shape (n,), optional
        When each game was played, finite; games of equal time stay in the order of their rows. None: the rows stand
        in the order of time.

    Returns
    -------
    Split
        Every game of `tuning` comes before every game of `report`. The cut is that between whole units which leaves
        a share nearest to the wanted one (the earlier of two); neither part is empty.

    Raises
    ------
    ValueError
        No cut leaves all units whole: there is one unit, or their games lie so mixed in time that some unit is always
        under way; a share outside (0, 1); a missing unit; times of another length or not finite.

    Source
    ------
    Own.

    Examples
    --------
    >>> split(["a", "a", "b", "c"]).tuning.tolist()
    [True, True, True, False]
    >>> split(3, 0.5, times=[30, 10, 20]).report.tolist()
    [True, False, True]
    """
    if not 0.0 < share < 1.0:
        raise ValueError(f"share is {share!r}: it must be above 0 and below 1")
    n = int(units) if isinstance(units, int | np.integer) else len(units)
    index = number_units(None if isinstance(units, int | np.integer) else units, n)
    order = np.arange(n) if times is None else np.argsort(_check_times(times, n), kind="stable")
    index = index[order]
    first = np.zeros(n, dtype=np.int64)
    first[np.unique(index, return_index=True)[1]] = 1
    last = np.zeros(n, dtype=np.int64)  # by unit: the place of its last game
    np.maximum.at(last, index, np.arange(n))
    whole = np.flatnonzero(np.maximum.accumulate(last[index]) == np.arange(n))[:-1]
    if not len(whole):
        raise ValueError(
            "no moment lies between whole units: there is one alone, or some unit is always under way"
        )
    begun = np.cumsum(first)
    cut = whole[np.argmin(np.abs(begun[whole] - share * begun[-1]))] + 1
    tuning = np.zeros(n, dtype=bool)
    tuning[order[:cut]] = True
    return Split(tuning, ~tuning)


def one_standard_error(
    losses: ArrayLike,
    units: Sequence[Hashable] | ArrayLike | None,
    order_of_simplicity: Sequence[int],
    *,
    of: Literal["difference", "best"] = "difference",
    weighting: Weighting = "game",
) -> int:
    """Choose the simplest setting whose loss is within one standard error of the best.

    Parameters
    ----------
    losses : array_like, shape (n, k)
        Loss of each game with each setting, finite.
    units : sequence of hashables, length n, or None
        The unit that each game belongs to; None: each game is its own. At least two.
    order_of_simplicity : sequence of int, length k
        Columns of the settings from the simplest to the least simple: each once.
    of : {"difference", "best"}
        Which standard error: that of the setting's own difference from the best, paired game by game (`compare`'s
        view, and the default: settings that meet the same games are told apart by much less than the error of either),
        or the classical one of the best setting's loss, which is larger and chooses something simpler.
    weighting : {"game", "unit"}
        Whether each game counts once, or each unit once.

    Returns
    -------
    int
        Column of the setting chosen.

    Raises
    ------
    ValueError
        An order that does not name each column once, fewer than two units, another `of`, a loss that is not finite.

    Source
    ------
    Breiman, Friedman, Olshen and Stone, Classification and Regression Trees (1984), section 3.4.3, for the best's own
    error; the paired form is own.

    Examples
    --------
    >>> losses = [[0.60, 0.61, 0.70], [0.70, 0.68, 0.80], [0.50, 0.52, 0.60]]
    >>> one_standard_error(losses, None, [2, 1, 0]), one_standard_error(losses, None, [2, 1, 0], of="best")
    (1, 1)
    """
    losses = check_columns(losses, what="loss")
    order = [int(column) for column in order_of_simplicity]
    if sorted(order) != list(range(losses.shape[1])):
        raise ValueError(
            f"order_of_simplicity is {order}: it must name each of {losses.shape[1]} columns once"
        )
    if of not in ("difference", "best"):
        raise ValueError(f"of is {of!r}: it must be 'difference' or 'best'")
    means = _mean_losses(losses, units, weighting)
    best = int(np.argmin(means))
    differences = losses - losses[:, [best]]
    errors = cluster_errors(differences if of == "difference" else losses, units, weighting=weighting)
    if np.isnan(errors).any():
        raise ValueError("there is one unit: a standard error needs at least two")
    within = _mean_losses(differences, units, weighting) <= (errors if of == "difference" else errors[best])
    return next(column for column in order if within[column])


def tune(
    losses: pd.DataFrame | Mapping[Hashable, ArrayLike],
    units: Sequence[Hashable] | ArrayLike | None,
    share: float = SHARE,
    *,
    times: ArrayLike | None = None,
    order_of_simplicity: Sequence[Hashable] | None = None,
    weighting: Weighting = "game",
    replicates: int = 2000,
    level: float = 0.95,
    rng: np.random.Generator,
) -> Tuning:
    """Choose among settings on the first part of the games, and report on the rest.

    Parameters
    ----------
    losses : DataFrame of shape (n, k), or mapping of name to array_like of shape (n,)
        Loss of each game with each setting, finite, of forecasts made before the game.
    units, share, times
        As in `split`; None: each game is a unit of its own.
    order_of_simplicity : sequence of hashables, length k, optional
        Names of the settings from the simplest to the least simple: choose by `one_standard_error`. Without it the
        least loss is chosen, of equal ones the first.
    weighting, replicates, level, rng
        As in `cluster_interval`.

    Returns
    -------
    Tuning

    Raises
    ------
    ValueError
        An order that does not name each setting once, and as `split`, `one_standard_error` and `compare_many`.

    Source
    ------
    Own.

    Examples
    --------
    >>> losses = {"low": [0.6, 0.6, 0.7, 0.7, 0.7, 0.6], "high": [0.7, 0.7, 0.8, 0.8, 0.6, 0.6]}
    >>> result = tune(losses, None, rng=np.random.default_rng(1))
    >>> result.chosen, result.hindsight, round(result.difference.value, 3), result.difference.n
    ('low', 'high', 0.05, 2)
    """
    names, table = tabulate_losses(losses)
    index = number_units(units, len(table))
    tuning, report = split(index, share, times=times)
    if order_of_simplicity is None:
        chosen = int(np.argmin(_mean_losses(table[tuning], index[tuning], weighting)))
    else:
        if set(order_of_simplicity) != set(names) or len(order_of_simplicity) != len(names):
            raise ValueError(
                f"order_of_simplicity is {list(order_of_simplicity)}: it must name each of {names} once"
            )
        order = [names.index(name) for name in order_of_simplicity]
        chosen = one_standard_error(table[tuning], index[tuning], order, weighting=weighting)
    rest = table[report]
    best = int(np.argmin(_mean_losses(rest, index[report], weighting)))
    columns = np.column_stack([rest[:, chosen], rest[:, best], rest[:, chosen] - rest[:, best]])
    options = {"weighting": weighting, "replicates": replicates, "level": level}
    estimates = cluster_intervals(columns, index[report], **options, rng=rng)
    return Tuning(names[chosen], names[best], *estimates, len(names))


def _mean_losses(
    losses: NDArray[np.float64], units: Sequence[Hashable] | ArrayLike | None, weighting: Weighting
) -> NDArray[np.float64]:
    weights = gather_games(len(losses), units, weighting=weighting).weights
    return (weights[:, None] * losses).sum(axis=0) / weights.sum()


def _check_times(times: ArrayLike, n_games: int) -> NDArray[np.float64]:
    times = np.asarray(times, dtype=np.float64)
    if times.shape != (n_games,):
        raise ValueError(f"times has shape {times.shape}: it must be ({n_games},), one for each game")
    if not np.isfinite(times).all():
        game = int(np.argmin(np.isfinite(times)))
        raise ValueError(f"time of game {game} is {float(times[game])}: it must be finite")
    return times
