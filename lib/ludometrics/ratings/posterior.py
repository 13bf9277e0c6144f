"""Whole distributions of strength: Bayes' rule on a grid of ratings, without Glicko's normal approximation.

Where the approximation matters is the start: a newcomer far from the prior's centre is found in fewer games, for
each result is weighed by where the player may be and not by where the mean is.
"""

import math
from dataclasses import dataclass

import numpy as np
from numba import njit
from numpy.typing import ArrayLike, NDArray

from ludometrics.ratings.checks import carry_on, carry_on_games, check_log
from ludometrics.ratings.elo import RATE, SCALE


@dataclass(frozen=True)
class PosteriorSettings:
    """The prior of a newcomer and the grid.

    Attributes
    ----------
    start, start_deviation : float
        Mean and standard deviation of the normal prior, Elo points; the deviation above 0.
    low, high : float
        Ends of the grid, Elo points.
    step : float
        Distance of its nodes, Elo points, above 0.
    """

    start: float = 1500.0
    start_deviation: float = 350.0
    low: float = 0.0
    high: float = 3000.0
    step: float = 20.0

    def __post_init__(self) -> None:
        if not (self.start_deviation > 0 and self.step > 0):
            raise ValueError(
                f"start_deviation {self.start_deviation:g} and step {self.step:g}: both must be above 0"
            )
        if not self.low < self.start < self.high:
            raise ValueError(
                f"low {self.low:g}, start {self.start:g}, high {self.high:g}: must rise in this order"
            )
        if (self.high - self.low) / self.step > 10_000:
            raise ValueError(f"step is {self.step:g}: it gives more than 10,000 nodes")

    @property
    def grid(self) -> NDArray[np.float64]:
        """Nodes, Elo points."""
        return np.arange(self.low, self.high + self.step / 2, self.step)


@dataclass(frozen=True)
class PosteriorRecord:
    """Distributions after a replay.

    Attributes
    ----------
    ratings, deviations : ndarray, shape (m,)
        Means and standard deviations, Elo points; of an anchored player its rating, and 0.
    games : ndarray of int64, shape (m,)
        Games played, those of an earlier record included.
    weights : ndarray, shape (m, g)
        Probability of each node of the grid; rows of anchored players are not used.
    forecasts : ndarray, shape (n,)
        Expected score of the first player before each game of this replay, over both distributions.
    """

    ratings: NDArray[np.float64]
    deviations: NDArray[np.float64]
    games: NDArray[np.int64]
    weights: NDArray[np.float64]
    forecasts: NDArray[np.float64]


def replay(
    pairs: ArrayLike,
    outcomes: ArrayLike,
    *,
    settings: PosteriorSettings | None = None,
    n_players: int | None = None,
    ratings: ArrayLike | None = None,
    anchored: ArrayLike = (),
    state: PosteriorRecord | None = None,
    compiled: bool = True,
) -> PosteriorRecord:
    """Play a log through, one game after another; both players learn from each game at once.

    The likelihood of a score S is E^S (1 - E)^(1 - S), so that a draw is half a win and half a loss. E is the mean
    over the opponent's distribution before the game; the two distributions are kept as independent.

    Parameters
    ----------
    pairs : array_like of int, shape (n, 2)
        Indices of the two players of each game.
    outcomes : array_like, shape (n,)
        Score of the first: 0, 0.5 or 1.
    settings : PosteriorSettings, optional
    n_players : int, optional
        Number of players m; without it as many as the pairs, and the state, name.
    ratings : float or array_like, shape (m,), optional
        Means of the priors, and the ratings of anchored players, Elo points; without it `settings.start`.
    anchored : array_like of int
        Players whose rating is known and never moves.
    state : PosteriorRecord, optional
        Record of an earlier replay with the same settings and anchors to carry on from.
    compiled : bool
        False runs the plain twin, equal to 1e-9 and without compilation.

    Returns
    -------
    PosteriorRecord

    Source
    ------
    Own; the filter is that of assumed independence, as in Glickman's derivation before its normal approximation.

    Examples
    --------
    >>> settings = PosteriorSettings(start=1200, start_deviation=350)
    >>> record = replay([[0, 1]], [1], ratings=[1200, 1200], anchored=[1], settings=settings)
    >>> record.ratings.round().tolist(), record.deviations.round().tolist()
    ([1413.0, 1200.0], [278.0, 0.0])
    """
    settings = settings or PosteriorSettings()
    known = 0 if state is None else len(state.ratings)
    pairs, outcomes, fixed = check_log(pairs, outcomes, anchored=anchored, n_players=n_players, known=known)
    n_players = len(fixed)
    means = carry_on(state, "ratings", settings.start, n_players, given=ratings)
    games = carry_on_games(state, n_players)
    grid = settings.grid
    weights = _priors(means, grid, settings.start_deviation)
    if state is not None:
        if state.weights.shape[1] != len(grid):
            raise ValueError(
                f"the earlier record has {state.weights.shape[1]} nodes, the settings {len(grid)}"
            )
        weights[: len(state.weights)] = state.weights
    np.add.at(games, pairs.reshape(-1), 1)
    run = _replay if compiled else _replay_plain
    forecasts = run(pairs, outcomes, grid, weights, np.where(fixed, means, np.nan))
    moments = weights @ np.stack([grid, grid**2], axis=1)
    deviations = np.sqrt(np.maximum(0.0, moments[:, 1] - moments[:, 0] ** 2))
    return PosteriorRecord(
        np.where(fixed, means, moments[:, 0]), np.where(fixed, 0.0, deviations), games, weights, forecasts
    )


def _priors(means: NDArray, grid: NDArray, deviation: float) -> NDArray[np.float64]:
    distance = (grid[None, :] - means[:, None]) / deviation
    # The nearest node counts as distance 0, so that an anchor far off the grid gives no empty row.
    weights = np.exp(-0.5 * (distance**2 - np.min(distance**2, axis=1, keepdims=True)))
    return weights / weights.sum(axis=1, keepdims=True)


@njit(cache=True, nogil=True)  # other threads go on while a long log is rated
def _replay(pairs, outcomes, grid, weights, known):
    n, size = len(outcomes), len(grid)
    step = grid[1] - grid[0]
    # Expected score by the number of nodes between two players: ahead[size - 1 + k] for k nodes.
    ahead = np.empty(2 * size - 1)
    for k in range(2 * size - 1):
        ahead[k] = 1.0 / (1.0 + math.exp(-RATE * step * (k - size + 1)))
    expected = np.empty((2, size))
    forecasts = np.empty(n)
    for row in range(n):
        outcome = outcomes[row]
        for side in range(2):
            if math.isnan(known[pairs[row, side]]):  # who is known learns nothing
                _expect(
                    expected[side], grid, weights[pairs[row, 1 - side]], known[pairs[row, 1 - side]], ahead
                )
        i, j = pairs[row, 0], pairs[row, 1]
        if math.isnan(known[i]):
            forecasts[row] = np.sum(weights[i] * expected[0])
        elif math.isnan(known[j]):
            forecasts[row] = 1.0 - np.sum(weights[j] * expected[1])
        else:
            forecasts[row] = 1.0 / (1.0 + math.exp(min(RATE * (known[j] - known[i]), 700.0)))
        for side in range(2):
            player = pairs[row, side]
            if not math.isnan(known[player]):
                continue
            score = outcome if side == 0 else 1.0 - outcome
            total = 0.0
            for node in range(size):
                e = expected[side, node]
                likelihood = e if score == 1.0 else 1.0 - e if score == 0.0 else math.sqrt(e * (1.0 - e))
                weights[player, node] *= likelihood
                total += weights[player, node]
            weights[player] /= total
    return forecasts


@njit(cache=True)
def _expect(out, grid, weights, known, ahead):
    """Expected score at each node against an opponent that is known, or spread over the nodes."""
    size = len(grid)
    if math.isnan(known):
        out[:] = 0.0
        # Nodes inside, so that several are taken at a time; each sum keeps its order, and so its bits.
        for other in range(size):
            weight, start = weights[other], size - 1 - other
            for node in range(size):
                out[node] += weight * ahead[start + node]
        return
    for node in range(size):
        out[node] = 1.0 / (1.0 + math.exp(min(RATE * (known - grid[node]), 700.0)))


def _replay_plain(pairs, outcomes, grid, weights, known):
    """Do the same by matrix products: the check of `_replay`."""
    against = 1.0 / (1.0 + 10.0 ** ((grid[None, :] - grid[:, None]) / SCALE))
    forecasts = []
    for (i, j), outcome in zip(pairs, outcomes, strict=True):
        expected = [
            against @ weights[other]
            if np.isnan(known[other])
            else 1.0 / (1.0 + 10.0 ** ((known[other] - grid) / SCALE))
            for other in (j, i)
        ]
        if np.isnan(known[i]):
            forecasts.append(weights[i] @ expected[0])
        elif np.isnan(known[j]):
            forecasts.append(1.0 - weights[j] @ expected[1])
        else:
            forecasts.append(1.0 / (1.0 + 10.0 ** ((known[j] - known[i]) / SCALE)))
        for player, score, e in ((i, outcome, expected[0]), (j, 1.0 - outcome, expected[1])):
            if np.isnan(known[player]):
                likely = weights[player] * e**score * (1.0 - e) ** (1.0 - score)
                weights[player] = likely / likely.sum()
    return np.array(forecasts, dtype=np.float64)
