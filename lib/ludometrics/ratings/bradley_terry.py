"""Bradley-Terry: the ratings under which a whole log is likeliest, whatever the order of its games."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ludometrics.ratings.elo import RATE, SCALE, expected_score
from ludometrics.ratings.games import check_games

_TOLERANCE = 1e-9  # Elo points: the last Newton step
_MAX_STEPS = 100


@dataclass(frozen=True)
class BradleyTerryRecord:
    """Fitted ratings.

    Attributes
    ----------
    ratings : ndarray, shape (m,)
        Elo points; the reference has the rating it was given.
    errors : ndarray, shape (m,)
        Standard error of each rating's distance from the reference, from the curvature of the likelihood.
    robust_errors : ndarray, shape (m,)
        The same from the spread of the scores themselves: smaller where many games are drawn.
    log_likelihood : float
        Draws count as half a win and half a loss.
    """

    ratings: NDArray[np.float64]
    errors: NDArray[np.float64]
    robust_errors: NDArray[np.float64]
    log_likelihood: float


def fit(
    pairs: ArrayLike,
    outcomes: ArrayLike,
    *,
    n_players: int | None = None,
    reference: int = 0,
    reference_rating: float = 0.0,
) -> BradleyTerryRecord:
    """Fit ratings to a log by maximum likelihood, by Newton's method.

    P(i beats j) = 1 / (1 + 10^((r_j - r_i)/400)); a draw is half a win and half a loss.

    Parameters
    ----------
    pairs : array_like of int, shape (n, 2)
        Indices of the two players of each game.
    outcomes : array_like, shape (n,)
        Score of the first: 0, 0.5 or 1.
    n_players : int, optional
        Number of players m; without it as many as the pairs name.
    reference : int
        Player whose rating is given, since games tell only differences.
    reference_rating : float
        Elo points.

    Returns
    -------
    BradleyTerryRecord

    Raises
    ------
    ValueError
        No finite ratings fit: some group of players never scored against the rest, or never met it.

    Source
    ------
    Bradley and Terry, Biometrika 39 (1952) 324-345; existence of the estimate by Ford, American Mathematical
    Monthly 64 (1957) 28-33; robust errors by White's formula, games being the units.

    Examples
    --------
    >>> record = fit([[0, 1]] * 4, [1, 1, 1, 0])
    >>> record.ratings.round(2).tolist()  # odds of three to one
    [0.0, -190.85]
    """
    pairs, outcomes, m = check_games(pairs, outcomes, n_players=n_players)
    if not 0 <= reference < m:
        raise ValueError(f"reference is {reference}: allowed are 0 to {m - 1}")
    cell = pairs[:, 0] * m + pairs[:, 1]
    games, scores, squares = (
        np.bincount(cell, weights=weights, minlength=m * m).reshape(m, m)
        for weights in (np.ones(len(outcomes)), outcomes, outcomes**2)
    )
    _check_connected(games, scores)
    free = np.flatnonzero(np.arange(m) != reference)
    ratings = np.zeros(m)
    for _ in range(_MAX_STEPS):
        gradient, curvature = _slopes(ratings, games, scores)
        step = np.linalg.solve(curvature[np.ix_(free, free)], gradient[free])
        # A step of more than 400 points is one that the curvature far from the top makes too long.
        step *= min(1.0, SCALE / np.max(np.abs(step), initial=1.0))
        ratings[free] += step
        if np.max(np.abs(step), initial=0.0) < _TOLERANCE:
            break
    else:
        raise ValueError(f"no ratings found in {_MAX_STEPS} steps: results may be too one-sided")
    errors, robust = np.zeros(m), np.zeros(m)
    inverse = np.linalg.inv(_slopes(ratings, games, scores)[1][np.ix_(free, free)])
    spread = _spread(ratings, games, scores, squares)[np.ix_(free, free)]
    errors[free] = np.sqrt(np.diag(inverse))
    robust[free] = np.sqrt(np.maximum(0.0, np.diag(inverse @ spread @ inverse)))
    expected = expected_score(ratings[:, None], ratings[None, :])
    likelihood = np.sum(scores * np.log(expected) + (games - scores) * np.log1p(-expected))
    return BradleyTerryRecord(ratings + reference_rating, errors, robust, float(likelihood))


def _slopes(ratings: NDArray, games: NDArray, scores: NDArray) -> tuple[NDArray, NDArray]:
    """Gradient (m,) and negative Hessian (m, m) of the log-likelihood, per Elo point."""
    expected = expected_score(ratings[:, None], ratings[None, :])
    surplus = scores - games * expected
    weight = RATE**2 * games * expected * (1.0 - expected)
    weight = weight + weight.T
    return RATE * (surplus.sum(axis=1) - surplus.sum(axis=0)), np.diag(weight.sum(axis=1)) - weight


def _spread(ratings: NDArray, games: NDArray, scores: NDArray, squares: NDArray) -> NDArray:
    """Sum over games of the outer product of their gradients."""
    expected = expected_score(ratings[:, None], ratings[None, :])
    weight = RATE**2 * (squares - 2.0 * expected * scores + games * expected**2)
    weight = weight + weight.T
    return np.diag(weight.sum(axis=1)) - weight


def _check_connected(games: NDArray, scores: NDArray) -> None:
    """Finite ratings exist only if everybody can be reached from everybody along games not lost (Ford)."""
    beats = (scores > 0) | (games - scores > 0).T
    for way in (beats, beats.T):
        reached = np.zeros(len(way), dtype=bool)
        reached[0] = True
        while (grown := reached | way[reached].any(axis=0)).sum() > reached.sum():
            reached = grown
        if not reached.all():
            raise ValueError(
                f"no finite ratings fit: players {np.flatnonzero(reached).tolist()} and "
                f"{np.flatnonzero(~reached).tolist()} have no wins or draws against each other both ways"
            )
