"""Elo ratings: one number a player, moved after each game by K times (outcome - expected score)."""

from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ludometrics.ratings.checks import (
    carry_on,
    carry_on_games,
    check_blocks,
    check_fields,
    check_games,
    check_log,
    check_weights,
)
from ludometrics.ratings.elo_loops import RATE, SCALE, blocks, duels, plain

__all__ = ["RATE", "SCALE", "EloRecord", "EloSettings", "expected_score", "k_steps", "replay", "update"]

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
    advantage : float
        Elo points added to the first player of a pair in every forecast (the first move, the home ground).
    advantage_k : float
        How fast the advantage is learned: it moves by this times (outcome - expected score) after each game, 0 for
        never. At least 0, Elo points.
    """

    k: KSchedule = 32.0
    start: float = 1200.0
    advantage: float = 0.0
    advantage_k: float = 0.0

    def __post_init__(self) -> None:
        k_steps(self.k)
        check_fields(self, at_least_0=("advantage_k",))


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
        Expected score of the first player before each game of this replay, advantage included.
    advantage : float
        Elo points that the first player has after the last game.
    """

    ratings: NDArray[np.float64]
    games: NDArray[np.int64]
    forecasts: NDArray[np.float64]
    advantage: float = 0.0


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
    weights: ArrayLike | None = None,
    plays: ArrayLike | None = None,
    periods: ArrayLike | None = None,
    settings: EloSettings | None = None,
    n_players: int | None = None,
    ratings: ArrayLike | None = None,
    anchored: ArrayLike = (),
    state: EloRecord | None = None,
    compiled: bool = True,
) -> EloRecord:
    """Play a log through: games one after another, plays of many and rating periods each at once.

    A pair of weight w moves a player by w K (outcome - expected score), all pairs of a block from the ratings before
    it. With the weights of `index_tables` a play of many has K points at stake for each player, as a duel has.

    Parameters
    ----------
    pairs : array_like of int, shape (n, 2)
        Indices of the two players of each game.
    outcomes : array_like, shape (n,)
        Score of the first: 0, 0.5 or 1.
    weights : array_like, shape (n,) or (n, 2), optional
        How many games a pair counts as, for both or for each of the two; 0 changes nothing.
    plays, periods : array_like, shape (n,), optional
        Labels of rows that belong together and stand together: the pairs of a play, the plays of a rating period.
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
    start = carry_on(state, "ratings", settings.start, n_players, given=ratings)
    games = carry_on_games(state, n_players)
    advantage = settings.advantage if state is None else state.advantage
    rest = (start, games, fixed, *k_steps(settings.k), advantage, settings.advantage_k)
    if compiled and weights is None and plays is None and periods is None:
        forecasts, advantage = duels(pairs, outcomes, *rest)
    else:
        run = blocks if compiled else plain
        weights = check_weights(weights, len(outcomes))
        forecasts, advantage = run(
            pairs, outcomes, weights, *check_blocks(plays, periods, len(outcomes)), *rest
        )
    return EloRecord(start, games, forecasts, advantage)


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
