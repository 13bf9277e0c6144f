"""Units that are resampled whole: games gathered into plays, days or players, and how often each is drawn."""

from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray
from scipy import sparse

#: "game": each game counts once; "unit": each unit counts once, by the mean of its games.
Weighting = Literal["game", "unit"]
#: Draws that are held at once: 32 MiB of counts.
BLOCK = 1 << 22


@dataclass(frozen=True)
class Clusters:
    """Games gathered into the units that are resampled together.

    Attributes
    ----------
    index : ndarray of int64, shape (n,)
        Number of each game's unit, 0 to n_units - 1.
    weights : ndarray of float64, shape (n,)
        Weight of each game in a mean, at least 0.
    n_units : int
        Units with any weight.
    """

    index: NDArray[np.int64]
    weights: NDArray[np.float64]
    n_units: int

    def sums(self, values: NDArray[np.float64]) -> NDArray[np.float64]:
        """Sum the weighted values of each unit: (n, k) to (n_units, k).

        Examples
        --------
        >>> gather_games(3, ["b", "a", "b"]).sums(np.array([[1.0], [2.0], [4.0]])).tolist()
        [[2.0], [5.0]]
        """
        n = len(self.index)
        gather = sparse.csc_array((self.weights, self.index, np.arange(n + 1)), shape=(self.n_units, n))
        return gather @ values


def gather_games(
    n_games: int,
    units: Sequence[Hashable] | ArrayLike | None,
    *,
    weights: ArrayLike | None = None,
    weighting: Weighting = "game",
) -> Clusters:
    """Gather games into units, and settle what each game weighs.

    Parameters
    ----------
    n_games : int
        At least 1.
    units : sequence of hashables, length n, or None
        The unit that each game belongs to, whatever names it; None: each game is a unit of its own.
    weights : array_like, shape (n,), optional
        Weight of each game, finite and at least 0, one of them above 0. Games of weight 0 are left out, and a unit
        of such games is not counted.
    weighting : {"game", "unit"}
        Whether each game counts by its weight, or each unit once: by the weighted mean of its games.

    Returns
    -------
    Clusters
        Units are numbered in the order of their names, so that the order of the rows does not matter.

    Raises
    ------
    ValueError
        No games, another length, a missing name, a weight that is none, another weighting.

    Source
    ------
    Own.

    Examples
    --------
    >>> clusters = gather_games(3, ["b", "a", "b"], weighting="unit")
    >>> clusters.index.tolist(), clusters.weights.tolist(), clusters.n_units
    ([1, 0, 1], [0.5, 1.0, 0.5], 2)
    """
    if n_games < 1:
        raise ValueError("there are no games: at least 1 is needed")
    if weighting not in ("game", "unit"):
        raise ValueError(f"weighting is {weighting!r}: it must be 'game' or 'unit'")
    index = number_units(units, n_games)
    weights = np.ones(n_games) if weights is None else check_weights(weights, n_games)
    kept = weights > 0.0
    if not kept.all():
        numbers = np.unique(index[kept], return_inverse=True)[1]
        index = np.zeros(n_games, dtype=np.int64)  # a game without weight adds nothing to whichever unit
        index[kept] = numbers
    if weighting == "unit":
        weights = weights / np.bincount(index, weights)[index]
    return Clusters(index, weights, int(index.max()) + 1)


def number_units(units: Sequence[Hashable] | ArrayLike | None, n_games: int) -> NDArray[np.int64]:
    """Number the units of games in the order of their names; names that have no order, as they appear.

    Parameters
    ----------
    units : sequence of hashables, length n, or None
        None: each game is a unit of its own.
    n_games : int

    Returns
    -------
    ndarray of int64, shape (n,)
        0 to the number of units less one.

    Raises
    ------
    ValueError
        Another length, or a missing name.

    Examples
    --------
    >>> number_units(["b", "a", "b"], 3).tolist(), number_units(None, 2).tolist()
    ([1, 0, 1], [0, 1])
    """
    if units is None:
        return np.arange(n_games, dtype=np.int64)
    if isinstance(units, pd.Series | pd.Index):
        units = units.array
    elif not isinstance(units, np.ndarray):
        names = np.empty(len(units), dtype=object)
        names[:] = list(units)  # the names themselves: numpy would turn 1 into "1" beside a string
        units = names
    if units.ndim != 1 or len(units) != n_games:
        raise ValueError(f"units has shape {units.shape}: it must be ({n_games},), one for each game")
    try:
        index = pd.factorize(units, sort=True)[0]
    except TypeError:
        index = pd.factorize(units)[0]
    if (index < 0).any():
        game = int(np.argmin(index))
        raise ValueError(f"unit of game {game} is missing: {units[game]!r}")
    return index.astype(np.int64)


def draw_units(n_units: int, replicates: int, *, rng: np.random.Generator) -> Iterator[NDArray[np.float64]]:
    """Draw as many units as there are, with replacement, and count how often each was drawn.

    Parameters
    ----------
    n_units : int
        At least 1.
    replicates : int
        How many times, at least 1.
    rng : numpy.random.Generator

    Yields
    ------
    ndarray of float64, shape (b, n_units)
        Counts of the next b replicates; each row sums to n_units. All blocks together have `replicates` rows.

    Raises
    ------
    ValueError
        No replicates.

    Source
    ------
    Own: the counts are multinomial.

    Examples
    --------
    >>> (counts,) = draw_units(3, 4, rng=np.random.default_rng(1))
    >>> counts.shape, counts.sum(axis=1).tolist()
    ((4, 3), [3.0, 3.0, 3.0, 3.0])
    """
    if isinstance(replicates, bool) or not isinstance(replicates, int | np.integer) or replicates < 1:
        raise ValueError(f"replicates is {replicates!r}: it must be a whole number of at least 1")
    size = max(1, BLOCK // n_units)
    return (_counts(n_units, min(size, replicates - done), rng) for done in range(0, replicates, size))


def check_columns(values: ArrayLike, *, what: str = "value") -> NDArray[np.float64]:
    """Check that values stand in rows of games and columns of settings, and that each is finite.

    Examples
    --------
    >>> check_columns([[0.7, 0.6], [0.5, float("nan")]])
    Traceback (most recent call last):
    ...
    ValueError: value of game 1 in column 1 is nan: it must be finite
    """
    values = np.asarray(values, dtype=np.float64)
    if values.ndim != 2 or not values.shape[1]:
        raise ValueError(f"{what} has shape {values.shape}: it must be (n, k), k at least 1")
    finite = np.isfinite(values)
    if not finite.all():
        game, column = np.unravel_index(int(np.argmin(finite)), values.shape)
        where = f" in column {column}" if values.shape[1] > 1 else ""
        raise ValueError(f"{what} of game {game}{where} is {float(values[game, column])}: it must be finite")
    return values


def _counts(n_units: int, replicates: int, rng: np.random.Generator) -> NDArray[np.float64]:
    # Counting draws is six times as fast as rng.multinomial, which goes through all units for each replicate.
    drawn = rng.integers(n_units, size=(replicates, n_units), dtype=np.int32)
    drawn += np.arange(replicates, dtype=np.int32)[:, None] * np.int32(n_units)
    counts = np.bincount(drawn.ravel(), minlength=replicates * n_units)
    return counts.reshape(replicates, n_units).astype(np.float64)


def check_weights(weights: ArrayLike, n_games: int) -> NDArray[np.float64]:
    """Check the weights of games: finite, at least 0, and one of them above 0.

    Examples
    --------
    >>> check_weights([1.0, -1.0], 2)
    Traceback (most recent call last):
    ...
    ValueError: weight of game 1 is -1.0: it must be finite and at least 0
    """
    weights = np.asarray(weights, dtype=np.float64)
    if weights.shape != (n_games,):
        raise ValueError(f"weights has shape {weights.shape}: it must be ({n_games},), one for each game")
    wrong = ~(np.isfinite(weights) & (weights >= 0.0))
    if wrong.any():
        game = int(np.argmax(wrong))
        raise ValueError(f"weight of game {game} is {float(weights[game])}: it must be finite and at least 0")
    if not weights.any():
        raise ValueError("all weights are 0: one must be above 0")
    return weights
