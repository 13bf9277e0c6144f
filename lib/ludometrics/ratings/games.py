"""Games between two players as arrays of player indices, and the checks that every rating system shares."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray


@dataclass(frozen=True)
class Games:
    """Games in the order they were played.

    Attributes
    ----------
    players : tuple of str, length m
        Name of each player index.
    pairs : ndarray of int64, shape (n, 2)
        First and second player of each game.
    outcomes : ndarray of float64, shape (n,)
        Score of the first player: 0, 0.5 or 1.
    """

    players: tuple[str, ...]
    pairs: NDArray[np.int64]
    outcomes: NDArray[np.float64]


def index_games(
    first: Sequence[str], second: Sequence[str], outcomes: ArrayLike, *, players: Sequence[str] = ()
) -> Games:
    """Number the players of a log, in the order in which they first appear.

    Parameters
    ----------
    first, second : sequence of str, length n
        Names of the two players of each game.
    outcomes : array_like, shape (n,)
        Score of the first player: 0, 0.5 or 1.
    players : sequence of str, optional
        Names that take the first indices, in this order, whether or not they play.

    Returns
    -------
    Games

    Raises
    ------
    ValueError
        Sequences of different length, a name twice in `players`, a player against itself, another outcome.

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
    if len(set(players)) != len(players):
        raise ValueError(f"a name stands twice in players: {list(players)!r}")
    index = {name: number for number, name in enumerate(players)}
    pairs = np.empty((len(first), 2), dtype=np.int64)
    for row, names in enumerate(zip(first, second, strict=True)):
        for side, name in enumerate(names):
            pairs[row, side] = index.setdefault(name, len(index))
    pairs, outcomes, _ = check_games(pairs, outcomes, n_players=len(index))
    return Games(tuple(index), pairs, outcomes)


def check_games(
    pairs: ArrayLike, outcomes: ArrayLike, *, n_players: int | None = None
) -> tuple[NDArray[np.int64], NDArray[np.float64], int]:
    """Check the arrays of a log and give them in the form that the compiled loops take.

    Parameters
    ----------
    pairs : array_like of int, shape (n, 2)
        Indices of the two players of each game, at least 0.
    outcomes : array_like, shape (n,)
        Score of the first player: 0, 0.5 or 1.
    n_players : int, optional
        Number of players m; without it one more than the largest index.

    Returns
    -------
    pairs : ndarray of int64, shape (n, 2)
    outcomes : ndarray of float64, shape (n,)
    n_players : int

    Raises
    ------
    ValueError
        Naming the first row at fault, its value and what is allowed.

    Examples
    --------
    >>> check_games([[0, 1]], [0.7])
    Traceback (most recent call last):
    ...
    ValueError: outcome of game 0 is 0.7: it must be 0, 0.5 or 1
    """
    pairs = np.asarray(pairs)
    if pairs.size == 0:
        pairs = pairs.reshape(0, 2).astype(np.int64)
    if pairs.ndim != 2 or pairs.shape[1] != 2:
        raise ValueError(f"pairs has shape {pairs.shape}: it must be (n, 2)")
    if not np.issubdtype(pairs.dtype, np.integer):
        raise ValueError(f"pairs holds {pairs.dtype}: it must hold whole numbers")
    pairs = np.ascontiguousarray(pairs, dtype=np.int64)
    outcomes = np.ascontiguousarray(outcomes, dtype=np.float64)
    if outcomes.shape != (len(pairs),):
        raise ValueError(
            f"outcomes has shape {outcomes.shape}: it must be ({len(pairs)},), one for each game"
        )
    most = int(pairs.max(initial=-1)) + 1
    n_players = most if n_players is None else n_players
    if pairs.min(initial=0) < 0 or most > n_players:
        row = int(np.argmax(((pairs < 0) | (pairs >= n_players)).any(axis=1)))
        raise ValueError(f"players of game {row} are {pairs[row].tolist()}: allowed are 0 to {n_players - 1}")
    same = pairs[:, 0] == pairs[:, 1]
    if same.any():
        row = int(np.argmax(same))
        raise ValueError(f"game {row} sets player {pairs[row, 0]} against itself")
    # Twice a right outcome is 0, 1 or 2, and (x - 1)**3 == x - 1 holds for these alone: one pass, no masks.
    doubled = 2.0 * outcomes - 1.0
    wrong = doubled * doubled * doubled != doubled
    if wrong.any():
        row = int(np.argmax(wrong))
        raise ValueError(f"outcome of game {row} is {outcomes[row]:g}: it must be 0, 0.5 or 1")
    return pairs, outcomes, n_players


def check_times(times: ArrayLike | None, n_games: int) -> NDArray[np.float64]:
    """Check the times of games: finite, in days, never falling; without times all are 0.

    Examples
    --------
    >>> check_times([0, 2, 1], 3)
    Traceback (most recent call last):
    ...
    ValueError: time of game 2 is 1, before that of game 1 (2): games must stand in order of time
    """
    if times is None:
        return np.zeros(n_games)
    times = np.ascontiguousarray(times, dtype=np.float64)
    if times.shape != (n_games,):
        raise ValueError(f"times has shape {times.shape}: it must be ({n_games},), one for each game")
    if not np.isfinite(times).all():
        row = int(np.argmin(np.isfinite(times)))
        raise ValueError(f"time of game {row} is {times[row]}: it must be a finite number of days")
    falling = np.diff(times) < 0
    if falling.any():
        row = int(np.argmax(falling)) + 1
        raise ValueError(
            f"time of game {row} is {times[row]:g}, before that of game {row - 1} ({times[row - 1]:g}): "
            "games must stand in order of time"
        )
    return times


def check_anchors(anchored: ArrayLike, n_players: int) -> NDArray[np.bool_]:
    """Turn the indices of anchored players into a mask of shape (m,).

    Examples
    --------
    >>> check_anchors([1], 3).tolist()
    [False, True, False]
    """
    mask = np.zeros(n_players, dtype=np.bool_)
    for player in np.asarray(anchored, dtype=np.int64).reshape(-1):
        if not 0 <= player < n_players:
            raise ValueError(f"anchored player is {player}: allowed are 0 to {n_players - 1}")
        mask[player] = True
    return mask


def check_log(
    pairs: ArrayLike,
    outcomes: ArrayLike,
    *,
    anchored: ArrayLike = (),
    n_players: int | None = None,
    known: int = 0,
) -> tuple[NDArray[np.int64], NDArray[np.float64], NDArray[np.bool_]]:
    """Check what every replay is given: `check_games`, and the mask of `check_anchors`, whose length is m.

    Parameters
    ----------
    pairs, outcomes
        As `check_games` takes them.
    anchored : array_like of int
        As `check_anchors` takes them.
    n_players : int, optional
        Number of players m; without it as many as the pairs name, and at least `known`.
    known : int
        Players of an earlier record that is carried on.

    Examples
    --------
    >>> check_log([[0, 1]], [1], anchored=[1], known=3)[2].tolist()
    [False, True, False]
    """
    if n_players is None and known:
        n_players = max(known, int(np.max(pairs, initial=-1)) + 1)
    pairs, outcomes, n_players = check_games(pairs, outcomes, n_players=n_players)
    return pairs, outcomes, check_anchors(anchored, n_players)


def carry_on(
    field: str, default: float, earlier: NDArray | None, given: ArrayLike | None, n_players: int
) -> NDArray[np.float64]:
    """Values (m,) at the start of a replay: of an earlier record, as given, or the default for newcomers."""
    values = np.full(n_players, default, dtype=np.float64)
    if earlier is not None and given is not None:
        raise ValueError(f"{field} given together with an earlier record that holds them already")
    if earlier is not None:
        if len(earlier) > n_players:
            raise ValueError(
                f"the earlier record has {len(earlier)} players: at most {n_players} are allowed"
            )
        values[: len(earlier)] = earlier
    elif given is not None:
        values[:] = _one_or_each(field, given, n_players)
    return values


def _one_or_each(field: str, given: ArrayLike, n_players: int) -> NDArray[np.float64]:
    values = np.asarray(given, dtype=np.float64)
    if values.shape not in ((), (n_players,)):
        raise ValueError(f"{field} has shape {values.shape}: it must be ({n_players},) or one number")
    if not np.isfinite(values).all():
        raise ValueError(f"{field} holds a value that is not finite: {np.asarray(given)!r}")
    return values
