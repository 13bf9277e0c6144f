"""Elo ratings: one number a player, moved after each game by K times (outcome - expected score)."""

import math
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numba import njit
from numpy.typing import ArrayLike, NDArray

from ludometrics.ratings.games import carry_on, check_games, check_log

#: A rating difference of 400 points is odds of ten to one.
SCALE = 400.0
#: Natural log of the odds per point.
RATE = math.log(10.0) / SCALE

KSchedule = float | tuple[tuple[int | None, float], ...]


@dataclass(frozen=True)
class EloSettings:
    """How ratings move.

    Attributes
    ----------
    k : float or tuple of (games, K)
        Points at stake. Steps let K fall with a player's own games: ``((10, 96), (20, 48), (None, 20))`` is
        96 for the first ten games, 48 for the next ten and 20 from then on; the last step has None.
    start : float
        Rating before the first game, Elo points.
    """

    k: KSchedule = 32.0
    start: float = 1200.0

    def __post_init__(self) -> None:
        k_steps(self.k)
        if not math.isfinite(self.start):
            raise ValueError(f"start is {self.start}: it must be finite")


@dataclass(frozen=True)
class EloRecord:
    """Ratings after a replay.

    Attributes
    ----------
    ratings : ndarray, shape (m,)
        Elo points.
    games : ndarray of int64, shape (m,)
        Games played, those of an earlier record included.
    forecasts : ndarray, shape (n,)
        Expected score of the first player before each game of this replay.
    """

    ratings: NDArray[np.float64]
    games: NDArray[np.int64]
    forecasts: NDArray[np.float64]


def expected_score(rating: ArrayLike, opponent: ArrayLike) -> NDArray[np.float64] | float:
    """Mean score to be expected: 1 / (1 + 10^((opponent - rating)/400)).

    Parameters
    ----------
    rating, opponent : float or array_like
        Elo points; arrays broadcast.

    Returns
    -------
    float or ndarray
        In [0, 1]. Draws count half, so this is no probability of winning.

    Source
    ------
    Elo, The Rating of Chessplayers (1978), in the logistic form.

    Examples
    --------
    >>> round(expected_score(1600, 1200), 3)
    0.909
    """
    gap = RATE * (np.asarray(rating, dtype=np.float64) - np.asarray(opponent, dtype=np.float64))
    # 1/(1+exp(-x)) by way of exp(-|x|), which cannot overflow however far apart the two are.
    small = np.exp(-np.abs(gap))
    score = np.where(gap >= 0, 1.0, small) / (1.0 + small)
    return score if score.ndim else float(score)


def update(rating: float, opponent: float, outcome: float, *, k: float = 32.0) -> tuple[float, float]:
    """Ratings of both players after one game.

    Parameters
    ----------
    rating, opponent : float
        Elo points before the game.
    outcome : {0, 0.5, 1}
        Score of the first.
    k : float
        Points at stake, at least 0.

    Returns
    -------
    (float, float)
        The sum of the two does not change.

    Examples
    --------
    >>> update(1200, 1200, 1)
    (1216.0, 1184.0)
    """
    check_games([[0, 1]], [outcome])
    change = k_steps(k)[1][0] * (outcome - expected_score(rating, opponent))
    return float(rating + change), float(opponent - change)


def replay(
    pairs: ArrayLike,
    outcomes: ArrayLike,
    *,
    settings: EloSettings | None = None,
    n_players: int | None = None,
    ratings: ArrayLike | None = None,
    anchored: ArrayLike = (),
    state: EloRecord | None = None,
    compiled: bool = True,
) -> EloRecord:
    """Play a log through, one game after another.

    Parameters
    ----------
    pairs : array_like of int, shape (n, 2)
        Indices of the two players of each game.
    outcomes : array_like, shape (n,)
        Score of the first: 0, 0.5 or 1.
    settings : EloSettings, optional
    n_players : int, optional
        Number of players m; without it as many as the pairs, and the state, name.
    ratings : float or array_like, shape (m,), optional
        Ratings before the first game, Elo points; without it `settings.start`.
    anchored : array_like of int
        Players whose rating never moves (levels of a computer player, say). Opponents move as usual.
    state : EloRecord, optional
        Record of an earlier replay to carry on from; players it does not know start afresh.
    compiled : bool
        False runs the plain-Python twin, equal to 1e-9 and without compilation.

    Returns
    -------
    EloRecord

    Raises
    ------
    ValueError
        Naming the row and value at fault.

    Examples
    --------
    >>> record = replay([[0, 1], [0, 1]], [1, 0.5])
    >>> record.ratings.round(2).tolist(), record.forecasts.round(3).tolist()
    ([1214.53, 1185.47], [0.5, 0.546])
    >>> replay([[0, 1]], [1], anchored=[1]).ratings.tolist()
    [1216.0, 1200.0]
    """
    settings = settings or EloSettings()
    known = 0 if state is None else len(state.ratings)
    pairs, outcomes, fixed = check_log(pairs, outcomes, anchored=anchored, n_players=n_players, known=known)
    n_players = len(fixed)
    start = carry_on("ratings", settings.start, None if state is None else state.ratings, ratings, n_players)
    games = carry_on("games", 0, None if state is None else state.games, None, n_players).astype(np.int64)
    run = _replay if compiled else _replay_plain
    forecasts = run(pairs, outcomes, start, games, fixed, *k_steps(settings.k))
    return EloRecord(start, games, forecasts)


def k_steps(k: KSchedule) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """Give a K or its steps as arrays: games below which each step holds, and K.

    Examples
    --------
    >>> below, k = k_steps(((10, 96), (None, 20)))
    >>> k.tolist()
    [96.0, 20.0]
    >>> k_steps(((10, 96), (5, 48)))
    Traceback (most recent call last):
    ...
    ValueError: k is ((10, 96), (5, 48)): its steps must rise in games and end with None
    """
    steps = k if isinstance(k, tuple) else ((None, k),)
    never = np.iinfo(np.int64).max
    below = [never if step[0] is None else step[0] for step in steps]
    if not steps or below[-1] != never or any(a >= b for a, b in pairwise(below)):
        raise ValueError(f"k is {k!r}: its steps must rise in games and end with None")
    values = np.array([step[1] for step in steps], dtype=np.float64)
    if not (np.isfinite(values) & (values >= 0)).all():
        raise ValueError(f"k is {k!r}: K must be finite and at least 0")
    return np.array(below, dtype=np.int64), values


@njit(cache=True)
def _replay(pairs, outcomes, ratings, games, fixed, below, k):
    n = len(outcomes)
    forecasts = np.empty(n)
    for row in range(n):
        i = pairs[row, 0]
        j = pairs[row, 1]
        expected = 1.0 / (1.0 + math.exp(min(RATE * (ratings[j] - ratings[i]), 700.0)))
        forecasts[row] = expected
        surprise = outcomes[row] - expected
        step_i = 0
        while games[i] >= below[step_i]:
            step_i += 1
        step_j = 0
        while games[j] >= below[step_j]:
            step_j += 1
        if not fixed[i]:
            ratings[i] += k[step_i] * surprise
        if not fixed[j]:
            ratings[j] -= k[step_j] * surprise
        games[i] += 1
        games[j] += 1
    return forecasts


def _replay_plain(pairs, outcomes, ratings, games, fixed, below, k):
    """Do the same in plain Python, from the definitions: the check of `_replay`."""
    points = ratings.tolist()
    played = games.tolist()
    steps = list(zip(below.tolist(), k.tolist(), strict=True))
    forecasts = []
    for (first, second), outcome in zip(pairs.tolist(), outcomes.tolist(), strict=True):
        expected = 1.0 / (1.0 + 10.0 ** min((points[second] - points[first]) / SCALE, 300.0))
        forecasts.append(expected)
        for player, sign in ((first, 1.0), (second, -1.0)):
            if not fixed[player]:
                stake = next(value for games_below, value in steps if played[player] < games_below)
                points[player] += sign * stake * (outcome - expected)
            played[player] += 1
    ratings[:] = points
    games[:] = played
    return np.array(forecasts, dtype=np.float64)
