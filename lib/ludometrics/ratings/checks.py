"""The checks that every rating system shares: what a log may hold, and where a replay starts."""

import math
from collections.abc import Iterable

import numpy as np
from numpy.typing import ArrayLike, NDArray


def check_fields(settings: object, *, at_least_0: Iterable[str] = (), above_0: Iterable[str] = ()) -> None:
    """Check that the float fields of frozen settings are finite, and that some of them are not negative, or positive.

    Examples
    --------
    >>> from types import SimpleNamespace
    >>> check_fields(SimpleNamespace(start=1500.0, growth=-1.0), at_least_0=["growth"])
    Traceback (most recent call last):
    ...
    ValueError: growth is -1: it must be at least 0
    """
    at_least_0, above_0 = tuple(at_least_0), tuple(above_0)
    for name, value in vars(settings).items():
        if isinstance(value, tuple | str) or value is None:
            continue
        if not math.isfinite(value):
            raise ValueError(f"{name} is {value}: it must be finite")
        if name in at_least_0 and value < 0:
            raise ValueError(f"{name} is {value:g}: it must be at least 0")
        if name in above_0 and value <= 0:
            raise ValueError(f"{name} is {value:g}: it must be above 0")


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


def check_weights(weights: ArrayLike | None, n_games: int) -> NDArray[np.float64]:
    """Check the weights of pairs and give them as (n, 2): for the first and for the second player.

    Examples
    --------
    >>> check_weights([1, 0.5], 2).tolist()
    [[1.0, 1.0], [0.5, 0.5]]
    >>> check_weights([1, -1], 2)
    Traceback (most recent call last):
    ...
    ValueError: weight of game 1 is -1: it must be finite and at least 0
    """
    if weights is None:
        return np.ones((n_games, 2))
    weights = np.asarray(weights, dtype=np.float64)
    if weights.shape not in ((n_games,), (n_games, 2)):
        raise ValueError(f"weights has shape {weights.shape}: it must be ({n_games},) or ({n_games}, 2)")
    columns = weights[:, None] if weights.ndim == 1 else weights
    both = np.ascontiguousarray(np.broadcast_to(columns, (n_games, 2)))
    wrong = ~(np.isfinite(both) & (both >= 0)).all(axis=1)
    if wrong.any():
        row = int(np.argmax(wrong))
        worst = both[row].min() if not np.isnan(both[row]).any() else np.nan
        raise ValueError(f"weight of game {row} is {worst:g}: it must be finite and at least 0")
    return both


def check_labels(what: str, labels: ArrayLike, n_games: int) -> NDArray[np.int64]:
    """Give the rows at which runs of equal labels start, and the end: those of a label must stand together.

    Examples
    --------
    >>> check_labels("play", [4, 4, 9], 3).tolist()
    [0, 2, 3]
    >>> check_labels("play", [4, 9, 4], 3)
    Traceback (most recent call last):
    ...
    ValueError: play 4 goes on in row 2, after another one: the rows of a play must stand together
    """
    labels = np.asarray(labels)
    if labels.shape != (n_games,):
        raise ValueError(f"{what}s has shape {labels.shape}: it must be ({n_games},), one for each game")
    starts = (
        np.flatnonzero(np.concatenate([[True], labels[1:] != labels[:-1]])) if n_games else np.empty(0, int)
    )
    heads = labels[starts]
    _, where = np.unique(heads, return_index=True)
    if len(where) < len(heads):
        again = np.ones(len(heads), dtype=bool)
        again[where] = False
        row = int(starts[np.argmax(again)])
        raise ValueError(
            f"{what} {labels[row]} goes on in row {row}, after another one: the rows of a {what} must stand together"
        )
    return np.append(starts, n_games).astype(np.int64)


def check_blocks(
    plays: ArrayLike | None, periods: ArrayLike | None, n_games: int
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Give what is rated at once, from the ratings before: periods if there are any, else plays, else single games.

    Returns
    -------
    starts : ndarray of int64, shape (b + 1,)
        Rows at which the blocks start, and the end.
    plays : ndarray of int64, shape (n,)
        Number of each row's play, from 0: what a player's games are counted by.

    Examples
    --------
    >>> starts, plays = check_blocks([3, 3, 5], None, 3)
    >>> starts.tolist(), plays.tolist()
    ([0, 2, 3], [0, 0, 1])
    """
    single = np.arange(n_games, dtype=np.int64)
    play_starts = np.arange(n_games + 1) if plays is None else check_labels("play", plays, n_games)
    numbers = single if plays is None else np.repeat(np.arange(len(play_starts) - 1), np.diff(play_starts))
    starts = play_starts if periods is None else check_labels("period", periods, n_games)
    inside = np.isin(starts, play_starts)
    if not inside.all():
        row = int(starts[np.argmin(inside)])
        raise ValueError(
            f"a period ends in row {row}, within a play: the rows of a play belong to one period"
        )
    return starts.astype(np.int64), numbers.astype(np.int64)


def check_carried(state: object | None, first_time: float | None, *, unit: str = "day") -> None:
    """Check that games do not come before those of the record that is carried on.

    Examples
    --------
    >>> from types import SimpleNamespace
    >>> check_carried(SimpleNamespace(last_times=np.array([9.0, np.nan])), 3.0)
    Traceback (most recent call last):
    ...
    ValueError: the first game is of day 3, the earlier record goes on to day 9: later games must be dated as it is
    """
    if state is None or first_time is None:
        return
    last = np.nanmax(state.last_times, initial=-np.inf)
    if first_time < last:
        raise ValueError(
            f"the first game is of {unit} {first_time:g}, the earlier record goes on to {unit} {last:g}: later games "
            "must be dated as it is"
        )


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
    state: object | None, field: str, default: float, n_players: int, *, given: ArrayLike | None = None
) -> NDArray[np.float64]:
    """Values (m,) of a field at the start of a replay: of an earlier record, as given, or the default for newcomers.

    Examples
    --------
    >>> from types import SimpleNamespace
    >>> carry_on(SimpleNamespace(ratings=np.array([1300.0])), "ratings", 1200.0, 2).tolist()
    [1300.0, 1200.0]
    """
    values = np.full(n_players, default, dtype=np.float64)
    if state is not None and given is not None:
        raise ValueError(f"{field} given together with an earlier record that holds them already")
    if state is not None:
        earlier = getattr(state, field)
        if len(earlier) > n_players:
            raise ValueError(
                f"the earlier record has {len(earlier)} players: at most {n_players} are allowed"
            )
        values[: len(earlier)] = earlier
    elif given is not None:
        values[:] = _one_or_each(field, given, n_players)
    return values


def carry_on_games(state: object | None, n_players: int) -> NDArray[np.int64]:
    """Games (m,) that players have behind them at the start of a replay."""
    return carry_on(state, "games", 0, n_players).astype(np.int64)


def _one_or_each(field: str, given: ArrayLike, n_players: int) -> NDArray[np.float64]:
    values = np.asarray(given, dtype=np.float64)
    if values.shape not in ((), (n_players,)):
        raise ValueError(f"{field} has shape {values.shape}: it must be ({n_players},) or one number")
    if not np.isfinite(values).all():
        raise ValueError(f"{field} holds a value that is not finite: {np.asarray(given)!r}")
    return values
