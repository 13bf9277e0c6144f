"""Games as arrays of player indices: duels, and tables of many taken apart into pairs; numbering of names."""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray

from ludometrics.ratings.checks import check_games, check_labels, check_times, check_weights


@dataclass(frozen=True)
class Games:
    """Games in the order they were played.

    A play of three or more at one table stands here as all its pairs, one row a pair; `plays` holds them
    together, so that every pair is rated from the ratings before the play.

    Attributes
    ----------
    players : tuple, length m
        Name of each player index: any hashable value.
    pairs : ndarray of int64, shape (n, 2)
        First and second player of each pair.
    outcomes : ndarray of float64, shape (n,)
        Score of the first player: 0, 0.5 or 1.
    times : ndarray of float64, shape (n,), or None
        Day of each pair, never falling.
    weights : ndarray of float64, shape (n, 2), or None
        How many games a pair counts as, for the first and for the second player; None: 1.
    plays : ndarray of int64, shape (n,), or None
        Number of the play that each pair belongs to; None: each pair is a play of its own.
    """

    players: tuple[Hashable, ...]
    pairs: NDArray[np.int64]
    outcomes: NDArray[np.float64]
    times: NDArray[np.float64] | None = None
    weights: NDArray[np.float64] | None = None
    plays: NDArray[np.int64] | None = None

    def __len__(self) -> int:
        """Count the pairs."""
        return len(self.outcomes)

    def part(self, chosen: slice | NDArray) -> "Games":
        """Take some of the rows, in their order; the players stay as they are.

        Examples
        --------
        >>> len(index_games(["Ann", "Bob"], ["Bob", "Ann"], [1, 0]).part(slice(0, 1)))
        1
        """
        optional = (
            None if column is None else column[chosen] for column in (self.times, self.weights, self.plays)
        )
        return Games(self.players, self.pairs[chosen], self.outcomes[chosen], *optional)

    def until(self, day: float) -> "Games":
        """Take the games up to and with a day: what was known then.

        Examples
        --------
        >>> len(index_games(["Ann", "Bob"], ["Bob", "Ann"], [1, 0], times=[3, 8]).until(3))
        1
        """
        if self.times is None:
            raise ValueError("the games have no times: nothing can be said as of a day")
        if np.isnan(day):
            raise ValueError("the day is not a number")
        return self.part(slice(0, int(np.searchsorted(self.times, day, side="right"))))


def index_games(
    first: Sequence[Hashable],
    second: Sequence[Hashable],
    outcomes: ArrayLike,
    *,
    players: Sequence[Hashable] = (),
    times: ArrayLike | None = None,
    weights: ArrayLike | None = None,
) -> Games:
    """Number the players of a log of duels, in the order in which they first appear.

    Parameters
    ----------
    first, second : sequence, length n
        Names of the two players of each game: any hashable values.
    outcomes : array_like, shape (n,)
        Score of the first player: 0, 0.5 or 1.
    players : sequence, optional
        Names that take the first indices, in this order, whether or not they play.
    times : array_like, shape (n,), optional
        Day of each game, never falling.
    weights : array_like, shape (n,) or (n, 2), optional
        How many games each counts as, at least 0.

    Returns
    -------
    Games

    Raises
    ------
    ValueError
        Sequences of different length, a name twice in `players`, a missing name, a player against itself, another
        outcome, times that fall.

    Examples
    --------
    >>> games = index_games(["Ann", "Cid"], ["Bob", "Ann"], [1, 0.5], players=["Bob"])
    >>> games.players
    ('Bob', 'Ann', 'Cid')
    >>> games.pairs.tolist()
    [[1, 0], [2, 1]]
    """
    if len(first) != len(second):
        raise ValueError(f"{len(first)} first players but {len(second)} second players")
    index, names = number_names(_alternating(first, second), players=players)
    same = index[0::2] == index[1::2]
    if same.any():
        row = int(np.argmax(same))
        raise ValueError(f"game {row} sets player {names[index[2 * row]]!r} against itself")
    pairs, outcomes, _ = check_games(index.reshape(-1, 2), outcomes, n_players=len(names))
    times = None if times is None else check_times(times, len(outcomes))
    weights = None if weights is None else check_weights(weights, len(outcomes))
    return Games(names, pairs, outcomes, times, weights)


def index_tables(
    plays: Sequence[Hashable],
    players: Sequence[Hashable],
    ranks: ArrayLike,
    *,
    teams: Sequence[Hashable] | None = None,
    times: ArrayLike | None = None,
    weights: ArrayLike | None = None,
) -> Games:
    """Take plays of two or more apart into pairs, each weighted by 1/(number of opponents).

    With that weight a player's deviation shrinks by a play of many as much as by a duel.

    Parameters
    ----------
    plays : sequence, length s
        Which play each seat belongs to; the seats of a play stand together.
    players : sequence, length s
        Name of the player in each seat: any hashable values.
    ranks : array_like, shape (s,)
        Place in the finishing order, finite; the lower the better, equal ones are a tie. ``[1, 2, 2, 3]`` and
        ``[1, 2, 2, 4]`` are the same order.
    teams : sequence, length s, optional
        Seats of a play with the same team are mates: no pair is made of them.
    times : array_like, shape (s,), optional
        Day of each seat's play, the same within a play, never falling.
    weights : array_like, shape (s,), optional
        How many games each seat's play counts as, the same within a play.

    Returns
    -------
    Games

    Raises
    ------
    ValueError
        A play of one seat or of one team, a player twice in a play, a play whose seats do not stand together, a rank
        that is not finite; naming the row and the value.

    Examples
    --------
    >>> games = index_tables([7, 7, 7], ["Ann", "Bob", "Cid"], [1, 2, 2])
    >>> games.pairs.tolist(), games.outcomes.tolist(), games.weights[:, 0].tolist()
    ([[0, 1], [0, 2], [1, 2]], [1.0, 1.0, 0.5], [0.5, 0.5, 0.5])
    """
    ranks = np.asarray(ranks, dtype=np.float64)
    if not len(plays) == len(players) == len(ranks):
        raise ValueError(
            f"{len(plays)} plays, {len(players)} players and {len(ranks)} ranks: one of each a seat"
        )
    if not np.isfinite(ranks).all():
        row = int(np.argmin(np.isfinite(ranks)))
        raise ValueError(f"rank in row {row} is {ranks[row]}: it must be a finite number")
    index, names = number_names(players)
    labels, called = number_names(plays, what="play")
    starts = check_labels("play", labels, len(labels))
    sides = None if teams is None else number_names(teams, what="team")[0]
    one, other, play = _pairs_within(starts)
    twice = index[one] == index[other]
    if twice.any():
        row = int(other[np.argmax(twice)])
        raise ValueError(
            f"row {row}: player {names[index[row]]!r} sits twice in play {called[labels[row]]!r}"
        )
    if sides is not None:
        across = sides[one] != sides[other]
        one, other, play = one[across], other[across], play[across]
    opponents = np.bincount(np.concatenate([one, other]), minlength=len(index))
    if (opponents == 0).any():
        row = int(np.argmin(opponents))
        raise ValueError(
            f"row {row}: player {names[index[row]]!r} has no opponent in play {called[labels[row]]!r}"
        )
    share = 1.0 / opponents
    if weights is not None:
        share = share * _same_within("weight", check_weights(weights, len(index))[:, 0], starts)
    when = None
    if times is not None:
        when = _same_within("time", check_times(times, len(index)), starts)[one]
    if len(play) == len(starts) - 1 and (share == 1.0).all():  # duels all: no table and no weight among them
        play = share = None
    outcomes = np.where(ranks[one] < ranks[other], 1.0, np.where(ranks[one] > ranks[other], 0.0, 0.5))
    pairs = np.column_stack([index[one], index[other]])
    both = None if share is None else np.column_stack([share[one], share[other]])
    return Games(names, pairs, outcomes, when, both, play)


def number_names(
    names: Sequence[Hashable], *, players: Sequence[Hashable] = (), what: str = "player"
) -> tuple[NDArray[np.int64], tuple[Hashable, ...]]:
    """Number values in the order in which they first appear, those of `players` before all others.

    Examples
    --------
    >>> index, names = number_names(["Bob", "Ann", "Bob"], players=["Cid"])
    >>> index.tolist(), names
    ([1, 2, 1], ('Cid', 'Bob', 'Ann'))
    """
    if len(set(players)) != len(players):
        raise ValueError(f"a name stands twice in players: {list(players)!r}")
    values = _objects([*players, *names] if len(players) else names)
    index, found = pd.factorize(values)
    if (index < 0).any():
        row = int(np.argmin(index)) - len(players)
        raise ValueError(f"name of {what} {row} is missing: {values[row + len(players)]!r}")
    return index[len(players) :].astype(np.int64), tuple(
        name.item() if isinstance(name, np.generic) else name for name in found
    )


def _objects(names: Sequence[Hashable]) -> NDArray | pd.api.extensions.ExtensionArray:
    """An array of the names themselves: numpy would make one string type of mixed values, and rows of tuples."""
    if isinstance(names, np.ndarray | pd.Index | pd.Series):
        return names.array if isinstance(names, pd.Series | pd.Index) else names
    values = np.empty(len(names), dtype=object)
    values[:] = list(names)
    return values


def _alternating(first: Sequence[Hashable], second: Sequence[Hashable]) -> Sequence[Hashable]:
    one, other = np.asarray(_objects(first)), np.asarray(_objects(second))
    if one.dtype != other.dtype:
        one, other = one.astype(object), other.astype(object)
    both = np.empty(2 * len(one), dtype=one.dtype)
    both[0::2], both[1::2] = one, other
    return both


def _pairs_within(starts: NDArray) -> tuple[NDArray, NDArray, NDArray]:
    """Rows of the two seats of every pair of every play, and the play's number."""
    sizes = np.diff(starts)
    one, other, play, order = [], [], [], []
    for size in np.unique(sizes):
        these = np.flatnonzero(sizes == size)
        a, b = np.triu_indices(size, 1)
        one.append((starts[these][:, None] + a).ravel())
        other.append((starts[these][:, None] + b).ravel())
        play.append(np.repeat(these, len(a)))
    if not one:
        return (np.empty(0, np.int64),) * 3
    one, other, play = (np.concatenate(column).astype(np.int64) for column in (one, other, play))
    order = np.argsort(play, kind="stable")
    return one[order], other[order], play[order]


def _same_within(what: str, values: NDArray, starts: NDArray) -> NDArray:
    spread = values != np.repeat(values[starts[:-1]], np.diff(starts))
    if spread.any():
        row = int(np.argmax(spread))
        raise ValueError(f"row {row}: {what} {values[row]:g} differs from that of the play's first seat")
    return values
