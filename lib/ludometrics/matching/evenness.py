"""How even games were: the plain number of published reports, and measures without its faults.

The mean over players of abs(mean score - 0.5) is biased upwards, for luck alone moves a mean away from one half,
and it calls a player even who wins all games at one level and loses all at another. Beside it stand an unbiased
measure per player and, where expected scores are known, the distance of each single game.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

#: A game with an expected score in this range counts as even.
EVEN_LOW, EVEN_HIGH = 0.35, 0.65


@dataclass(frozen=True)
class Evenness:
    """How far a group's games were from even.

    Attributes
    ----------
    mean_distance : float
        Mean over players of abs(mean score - target), in [0, 1]; biased upwards when games are few.
    rms, rms_low, rms_high : float
        Root mean square of (true mean - target) over players without that bias, and its 95 % interval.
    n_players, n_games : int
    """

    mean_distance: float
    rms: float
    rms_low: float
    rms_high: float
    n_players: int
    n_games: int


def mean_distance(scores: ArrayLike, players: ArrayLike, *, target: float = 0.5) -> float:
    """Mean over players of abs(mean score - target).

    Parameters
    ----------
    scores : array_like, shape (n,)
        Score of the player in each game: 0, 0.5 or 1.
    players : array_like, shape (n,)
        Who played it: names or numbers.
    target : float
        Mean score that counts as even, in (0, 1).

    Returns
    -------
    float
        In [0, 1]; 0 is even. Biased: see `bias_of_mean_distance`.

    Examples
    --------
    >>> mean_distance([1, 0, 1, 1], ["Ann", "Ann", "Bob", "Bob"])
    0.25
    """
    return float(np.mean([abs(np.mean(own) - _check_target(target)) for own in _by_player(scores, players)]))


def bias_of_mean_distance(n_games: int, *, draw_share: float) -> float:
    """What abs(mean score - 0.5) comes to for a player whose games are exactly even, on average.

    Parameters
    ----------
    n_games : int
        Games of the player, at least 1.
    draw_share : float
        Share of draws, in [0, 1]; wins and losses share the rest.

    Returns
    -------
    float
        Exact, by the distribution of the sum of scores.

    Source
    ------
    Own.

    Examples
    --------
    >>> [round(bias_of_mean_distance(n, draw_share=0.4), 3) for n in (5, 10, 30, 100)]
    [0.136, 0.097, 0.056, 0.031]
    """
    if n_games < 1 or not 0 <= draw_share <= 1:
        raise ValueError(f"n_games is {n_games} and draw_share {draw_share}: at least 1 and in [0, 1]")
    side = (1.0 - draw_share) / 2.0
    distribution = np.ones(1)
    for _ in range(n_games):
        distribution = np.convolve(distribution, [side, draw_share, side])
    half_points = np.arange(2 * n_games + 1)
    return float(distribution @ np.abs(half_points / (2 * n_games) - 0.5))


def squared_distance(scores: ArrayLike, *, target: float = 0.5) -> float:
    """Estimate (true mean - target)^2 of one player without bias: U = (mean - target)^2 - s^2/n.

    Parameters
    ----------
    scores : array_like, shape (n,)
        At least two scores: 0, 0.5 or 1. They must be independent. Where each level followed from the results
        before, wins and losses balance each other and U comes out too low: judge such games by `game_distance`.
    target : float
        In (0, 1).

    Returns
    -------
    float
        May be negative; average over players before taking a root.

    Source
    ------
    Own: E(mean - t)^2 = (mu - t)^2 + sigma^2/n.

    Examples
    --------
    >>> round(squared_distance([1, 0, 1, 0, 0.5]), 10)
    -0.05
    """
    scores = _check_scores(scores)
    if len(scores) < 2:
        raise ValueError(f"{len(scores)} score: the unbiased distance needs at least 2 of a player")
    return float((scores.mean() - _check_target(target)) ** 2 - scores.var(ddof=1) / len(scores))


def evenness(
    scores: ArrayLike,
    players: ArrayLike,
    *,
    rng: np.random.Generator,
    target: float = 0.5,
    replicates: int = 2000,
) -> Evenness:
    """Measure a group's evenness both ways, with a bootstrap over players.

    Parameters
    ----------
    scores : array_like, shape (n,)
        Score of the player in each game: 0, 0.5 or 1.
    players : array_like, shape (n,)
        Who played it; at least two games each.
    rng : numpy.random.Generator
    target : float
        Mean score that counts as even, in (0, 1).
    replicates : int
        Bootstrap samples of players, at least 1.

    Returns
    -------
    Evenness
        `rms` is sqrt(max(0, mean U)) with U of `squared_distance`.

    Raises
    ------
    ValueError
        No players, a player with one game, a score that is none.

    Examples
    --------
    >>> result = evenness([1, 1, 1, 0, 1, 0, 1, 0], [1] * 4 + [2] * 4, rng=np.random.default_rng(1))
    >>> result.mean_distance, result.n_players, result.n_games
    (0.125, 2, 8)
    """
    groups = _by_player(scores, players)
    if replicates < 1:
        raise ValueError(f"replicates is {replicates}: it must be at least 1")
    each = np.array([squared_distance(own, target=target) for own in groups])
    samples = each[rng.integers(len(each), size=(replicates, len(each)))].mean(axis=1)
    low, high = np.sqrt(np.maximum(0.0, np.quantile(samples, [0.025, 0.975])))
    return Evenness(
        mean_distance=mean_distance(scores, players, target=target),
        rms=float(np.sqrt(max(0.0, each.mean()))),
        rms_low=float(low),
        rms_high=float(high),
        n_players=len(groups),
        n_games=sum(map(len, groups)),
    )


def game_distance(expected: ArrayLike, *, target: float = 0.5) -> float:
    """Mean over games of abs(expected score - target): the measure that no averaging can flatter.

    Parameters
    ----------
    expected : array_like, shape (n,)
        True expected score of the player in each game, in [0, 1]. Those of a rating system will do only where
        they were found to be calibrated.
    target : float
        In (0, 1).

    Returns
    -------
    float

    Examples
    --------
    >>> round(game_distance([0.9, 0.1, 0.5]), 4)
    0.2667
    """
    return float(np.mean(np.abs(_check_expected(expected) - _check_target(target))))


def share_even(expected: ArrayLike, *, low: float = EVEN_LOW, high: float = EVEN_HIGH) -> float:
    """Share of games whose expected score lies in [low, high].

    Examples
    --------
    >>> share_even([0.35, 0.5, 0.66, 0.9])
    0.5
    """
    expected = _check_expected(expected)
    return float(np.mean((expected >= low) & (expected <= high)))


def longest_losing_run(scores: ArrayLike) -> int:
    """Longest run of games lost one after another.

    Parameters
    ----------
    scores : array_like, shape (n,)
        Scores of one player in order of time: 0, 0.5 or 1. A draw ends a run.

    Returns
    -------
    int

    Examples
    --------
    >>> longest_losing_run([0, 0, 1, 0, 0, 0, 0.5])
    3
    """
    longest = run = 0
    for score in _check_scores(scores, empty=True):
        run = run + 1 if score == 0 else 0
        longest = max(longest, run)
    return longest


def games_until_within(ratings: ArrayLike, true_rating: float, *, points: float = 100.0) -> int | None:
    """Count the games until a rating first comes within some points of the truth.

    Parameters
    ----------
    ratings : array_like, shape (n + 1,)
        Ratings of one player before the first game and after each, Elo points.
    true_rating : float
        Elo points.
    points : float
        Distance that counts as near, Elo points.

    Returns
    -------
    int or None
        0 when the starting rating is near already; None if no rating ever is.

    Examples
    --------
    >>> games_until_within([1200, 1280, 1350, 1390], 1450)
    2
    """
    near = np.flatnonzero(np.abs(np.asarray(ratings, dtype=np.float64) - true_rating) <= points)
    return int(near[0]) if len(near) else None


def _by_player(scores: ArrayLike, players: ArrayLike) -> list[NDArray[np.float64]]:
    scores, players = _check_scores(scores), np.asarray(players)
    if players.shape != scores.shape:
        raise ValueError(f"{len(scores)} scores but players of shape {players.shape}: one for each score")
    _, index = np.unique(players, return_inverse=True)
    return [scores[index == number] for number in range(index.max() + 1)]


def _check_scores(scores: ArrayLike | Sequence[float], *, empty: bool = False) -> NDArray[np.float64]:
    scores = np.asarray(scores, dtype=np.float64)
    if scores.ndim != 1 or (not empty and not len(scores)):
        raise ValueError(f"scores has shape {scores.shape}: it must be (n,) with n at least 1")
    wrong = ~np.isin(scores, (0.0, 0.5, 1.0))
    if wrong.any():
        row = int(np.argmax(wrong))
        raise ValueError(f"score {row} is {scores[row]:g}: it must be 0, 0.5 or 1")
    return scores


def _check_expected(expected: ArrayLike) -> NDArray[np.float64]:
    expected = np.asarray(expected, dtype=np.float64)
    if not expected.size:
        raise ValueError("no expected scores: at least 1 is needed")
    wrong = ~((expected >= 0) & (expected <= 1))
    if wrong.any():
        raise ValueError(f"expected score is {expected[wrong].flat[0]:g}: it must be in [0, 1]")
    return expected


def _check_target(target: float) -> float:
    if not 0 < target < 1:
        raise ValueError(f"target is {target}: it must be above 0 and below 1")
    return target
