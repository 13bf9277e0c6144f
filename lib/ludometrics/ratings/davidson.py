"""Davidson's Elo: draws have a probability of their own, which is learned as the log goes on."""

import math
from dataclasses import dataclass

import numpy as np
from numba import njit
from numpy.typing import ArrayLike, NDArray

from ludometrics.ratings.checks import (
    carry_on,
    carry_on_games,
    check_blocks,
    check_fields,
    check_log,
    check_weights,
)
from ludometrics.ratings.elo_loops import RATE


@dataclass(frozen=True)
class DavidsonSettings:
    """How ratings, the share of draws and the first player's advantage move.

    Attributes
    ----------
    k : float
        Points at stake in a game, at least 0.
    start : float
        Rating before the first game, Elo points.
    draw_share : float
        Probability of a draw between equals before the first game, in [0, 1).
    draw_k : float
        How fast the draw parameter is learned: its logarithm moves by this times (drawn - probability of a draw)
        after each game; 0 for never.
    advantage, advantage_k : float
        Elo points of the first player of a pair, and how fast they are learned; as in `elo.EloSettings`.
    """

    k: float = 32.0
    start: float = 1200.0
    draw_share: float = 0.2
    draw_k: float = 0.05
    advantage: float = 0.0
    advantage_k: float = 0.0

    def __post_init__(self) -> None:
        check_fields(self, at_least_0=("k", "draw_share", "draw_k", "advantage_k"))
        if self.draw_share >= 1:
            raise ValueError(f"draw_share is {self.draw_share:g}: it must be below 1")


@dataclass(frozen=True)
class DavidsonRecord:
    """Ratings after a replay.

    Attributes
    ----------
    ratings : ndarray, shape (m,)
        Elo points.
    games : ndarray of int64, shape (m,)
        Games played, those of an earlier record included.
    forecasts : ndarray, shape (n,)
        Expected score of the first player before each game of this replay.
    draws : ndarray, shape (n,)
        Probability of a draw, forecast with it.
    nu : float
        Draw parameter after the last game.
    advantage : float
        Elo points that the first player has after the last game.
    """

    ratings: NDArray[np.float64]
    games: NDArray[np.int64]
    forecasts: NDArray[np.float64]
    draws: NDArray[np.float64]
    nu: float
    advantage: float = 0.0

    @property
    def draw_share(self) -> float:
        """Probability of a draw between equals after the last game."""
        return self.nu / (2.0 + self.nu)

    @property
    def probabilities(self) -> NDArray[np.float64]:
        """Forecasts (n, 3) of loss, draw and win of the first player."""
        win = self.forecasts - 0.5 * self.draws
        return np.column_stack([1.0 - self.draws - win, self.draws, win])


def probabilities(
    rating: ArrayLike, opponent: ArrayLike, *, draw_share: float = 0.2
) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]:
    """Probability of a loss, a draw and a win of the first: in the ratio 1 : nu sqrt(o) : o.

    o = 10^((rating - opponent)/400) are the odds without draws, nu = 2 d/(1 - d) makes d the share of draws between
    equals.

    Parameters
    ----------
    rating, opponent : float or array_like
        Elo points; arrays broadcast.
    draw_share : float
        d, in [0, 1).

    Returns
    -------
    loss, draw, win : ndarray

    Source
    ------
    Davidson, Journal of the American Statistical Association 65 (1970) 317-328.

    Examples
    --------
    >>> [float(p.round(4)) for p in probabilities(1500, 1500, draw_share=0.2)]
    [0.4, 0.2, 0.4]
    """
    half = 0.5 * RATE * (np.asarray(rating, dtype=np.float64) - np.asarray(opponent, dtype=np.float64))
    # Divided by the larger of the two odds, so that nothing overflows however far apart the players are.
    top = np.abs(half)
    loss, draw, win = np.exp(-half - top), _nu(draw_share) * np.exp(-top), np.exp(half - top)
    total = loss + draw + win
    return loss / total, draw / total, win / total


def replay(
    pairs: ArrayLike,
    outcomes: ArrayLike,
    *,
    weights: ArrayLike | None = None,
    plays: ArrayLike | None = None,
    periods: ArrayLike | None = None,
    settings: DavidsonSettings | None = None,
    n_players: int | None = None,
    ratings: ArrayLike | None = None,
    anchored: ArrayLike = (),
    state: DavidsonRecord | None = None,
    compiled: bool = True,
) -> DavidsonRecord:
    """Play a log through; each step follows the gradient of the likelihood of Davidson's model.

    The gradient in the ratings is outcome - expected score, as in Elo, with the expected score of this model: win
    plus half a draw.

    Parameters
    ----------
    pairs : array_like of int, shape (n, 2)
        Indices of the two players of each game.
    outcomes : array_like, shape (n,)
        Score of the first: 0, 0.5 or 1.
    weights, plays, periods : array_like, optional
        As `elo.replay` takes them.
    settings : DavidsonSettings, optional
    n_players : int, optional
        Number of players m; without it as many as the pairs, and the state, name.
    ratings : float or array_like, shape (m,), optional
        Ratings before the first game, Elo points; without it `settings.start`.
    anchored : array_like of int
        Players whose rating never moves.
    state : DavidsonRecord, optional
        Record of an earlier replay to carry on from.
    compiled : bool
        False runs the plain-Python twin, equal to 1e-9 and without compilation.

    Returns
    -------
    DavidsonRecord

    Raises
    ------
    ValueError
        Naming the row and value at fault.

    Source
    ------
    Davidson (1970) for the model; Szczecinski and Djebbi, Journal of Quantitative Analysis in Sports 16 (2020), for
    Elo as its stochastic gradient.

    Examples
    --------
    >>> record = replay([[0, 1], [0, 1]], [1, 0.5])
    >>> record.ratings.round(2).tolist(), record.draws.round(3).tolist()
    ([1214.82, 1185.18], [0.2, 0.198])
    """
    settings = settings or DavidsonSettings()
    known = 0 if state is None else len(state.ratings)
    pairs, outcomes, fixed = check_log(pairs, outcomes, anchored=anchored, n_players=n_players, known=known)
    n = len(outcomes)
    start = carry_on(state, "ratings", settings.start, len(fixed), given=ratings)
    games = carry_on_games(state, len(fixed))
    advantage = settings.advantage if state is None else state.advantage
    nu = _nu(settings.draw_share) if state is None else state.nu
    run = _replay if compiled else _replay.py_func
    forecasts, draws, nu, advantage = run(
        pairs,
        outcomes,
        check_weights(weights, n),
        *check_blocks(plays, periods, n),
        start,
        games,
        fixed,
        settings.k,
        nu,
        settings.draw_k,
        advantage,
        settings.advantage_k,
    )
    return DavidsonRecord(start, games, forecasts, draws, nu, advantage)


def _nu(draw_share: float) -> float:
    return 2.0 * draw_share / (1.0 - draw_share)


@njit(cache=True)
def _replay(
    pairs, outcomes, weights, starts, plays, ratings, games, fixed, k, nu, draw_k, advantage, advantage_k
):
    n, m = len(outcomes), len(ratings)
    forecasts, draws = np.empty(n), np.empty(n)
    moved = np.zeros(m)
    counted = np.full(m, -1)
    for block in range(len(starts) - 1):
        low, high = starts[block], starts[block + 1]
        learned = drawn = 0.0
        for row in range(low, high):
            i, j = pairs[row, 0], pairs[row, 1]
            half = 0.5 * RATE * (ratings[i] - ratings[j] + advantage)
            top = abs(half)
            win, draw = math.exp(half - top), nu * math.exp(-top)
            total = win + draw + math.exp(-half - top)
            forecasts[row] = (win + 0.5 * draw) / total
            draws[row] = draw / total
            surprise = outcomes[row] - forecasts[row]
            weight = 0.5 * (weights[row, 0] + weights[row, 1])
            learned += weight * surprise
            drawn += weight * ((1.0 if outcomes[row] == 0.5 else 0.0) - draws[row])
            moved[i] += weights[row, 0] * surprise
            moved[j] -= weights[row, 1] * surprise
        for row in range(low, high):
            for side in range(2):
                player = pairs[row, side]
                if weights[row, side] > 0.0 and counted[player] != plays[row]:
                    counted[player] = plays[row]
                    games[player] += 1
                if not fixed[player]:
                    ratings[player] += k * moved[player]
                moved[player] = 0.0
        nu *= math.exp(draw_k * drawn)
        advantage += advantage_k * learned
    return forecasts, draws, nu, advantage
