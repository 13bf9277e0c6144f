"""Scores of games with draws: their variance, their mean over players, and the outcomes as an order.

A game is a loss, a draw or a win. Its score, 0, 0.5 or 1, has a smaller variance than that of a coin with the same
mean, and a game of a player is no independent unit: the ranges here are over players.
"""

import math
from collections.abc import Hashable, Sequence
from typing import NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray
from scipy import stats

from ludometrics.abtest.checks import check_columns
from ludometrics.abtest.cluster import ROUNDING, sum_clusters
from ludometrics.abtest.effects import Effect, student
from ludometrics.evaluation.clusters import number_units
from ludometrics.evaluation.intervals import check_level

OUTCOMES = {"loss": 0.0, "draw": 0.5, "win": 1.0}


class Ratio(NamedTuple):
    """Score over games of n players, its variance over players, and its range (nan where the variance is 0)."""

    value: float
    variance: float
    low: float
    high: float
    n: int


class WinOdds(NamedTuple):
    """Odds of doing better against version B than against A, of n players.

    Attributes
    ----------
    odds, low, high : float
        better / worse, 1 where all pairs tie, and its range: 0 to infinity where the players do not give one.
    better, worse, tied : float
        Weighted shares of the pairs, 1 together.
    note : str
        Why there is no range; empty where there is one.
    """

    odds: float
    low: float
    high: float
    better: float
    worse: float
    tied: float
    n: int
    note: str


def score_variance(wins: int, draws: int, losses: int) -> float:
    """Variance of the score of one game with draws: (W + D/4) / n - mean^2.

    Parameters
    ----------
    wins, draws, losses : int
        At least 0, one of them above 0.

    Returns
    -------
    float
        0 to 0.25; at most mean (1 - mean), which it is without draws.

    Raises
    ------
    ValueError
        A count that is below 0 or not whole, or no games.

    Examples
    --------
    >>> round(score_variance(3, 4, 3), 6), round(score_variance(6, 4, 20), 6)
    (0.15, 0.162222)
    """
    for name, count in (("wins", wins), ("draws", draws), ("losses", losses)):
        if not (float(count).is_integer() and count >= 0):
            raise ValueError(f"{name} is {count!r}: it must be a whole number of at least 0")
    return variance_from_sums(wins + draws + losses, wins + draws / 2, wins + draws / 4)


def variance_from_sums(n: int, total: float, squares: float) -> float:
    """Variance of n values from their sum and the sum of their squares: squares / n - (total / n)^2.

    Parameters
    ----------
    n : int
        Values, at least 1.
    total, squares : float
        Sum of the values, and of their squares.

    Returns
    -------
    float
        At least 0.

    Raises
    ------
    ValueError
        n below 1 or not whole, a sum that is not finite, or sums that no n values can have.

    Examples
    --------
    >>> variance_from_sums(2, 1.0, 1.0)
    0.25
    >>> variance_from_sums(2, 4.0, 1.0)
    Traceback (most recent call last):
    ...
    ValueError: inconsistent: no 2 values have sum 4.0 and sum of squares 1.0, which must be at least 8
    """
    if not (float(n).is_integer() and n >= 1):
        raise ValueError(f"n is {n!r}: it must be a whole number of at least 1")
    if not (math.isfinite(total) and math.isfinite(squares)):
        raise ValueError(f"total is {total!r} and squares {squares!r}: both must be finite")
    least = total * total / n
    if squares < least * (1.0 - ROUNDING):
        have = f"sum {total} and sum of squares {squares}"
        raise ValueError(f"inconsistent: no {n} values have {have}, which must be at least {least:g}")
    return max(0.0, (squares - least) / n)


def ratio_of_sums(scores_by_player: ArrayLike, games_by_player: ArrayLike, *, level: float = 0.95) -> Ratio:
    """Estimate the mean score of a game over players who play as many games as they like, by the delta method.

    R = sum of S over sum of N; Z_i = S_i - R N_i; V(R) = K / (K - 1) sum of Z_i^2 / (sum of N)^2 over K players.

    Parameters
    ----------
    scores_by_player : array_like, shape (K,)
        Sum of each player's scores, finite; K at least 2.
    games_by_player : array_like, shape (K,)
        Number of each player's games, above 0.
    level : float
        Confidence of the range, between 0 and 1.

    Returns
    -------
    Ratio
        The range is by Student's t with K - 1 degrees of freedom, in the unit of the scores.

    Raises
    ------
    ValueError
        Fewer than 2 players, misfit lengths, a value that is not finite, games not above 0, a level outside (0, 1).

    Source
    ------
    Deng, Knoblich and Lu, Applying the Delta Method in Metric Analytics, KDD 2018, arXiv:1803.06336, with the
    variance of players divided by K - 1.

    Examples
    --------
    >>> ratio = ratio_of_sums([2.5, 0.0, 0.5], [3, 2, 1])
    >>> ratio.value, round(ratio.variance, 6)
    (0.5, 0.083333)
    """
    scores, games = (np.asarray(each, dtype=np.float64) for each in (scores_by_player, games_by_player))
    players = len(scores)
    if scores.ndim != 1 or games.shape != scores.shape or players < 2:
        shapes = f"{scores.shape} and {games.shape}"
        raise ValueError(
            f"scores and games have shapes {shapes}: one of each for 2 players or more is needed"
        )
    right = np.isfinite(scores) & np.isfinite(games) & (games > 0.0)
    if not right.all():
        at = int(np.argmin(right))
        raise ValueError(
            f"player {at} has score {scores[at]} in {games[at]} games: finite, and games above 0"
        )
    total = float(games.sum())
    value = float(scores.sum()) / total
    apart = scores - value * games
    apart[np.abs(apart) <= ROUNDING * np.abs(scores).max()] = 0.0  # else rounding would pass for a spread
    variance = players / (players - 1.0) * float(apart @ apart) / total**2
    effect = student(value, math.sqrt(variance), players - 1.0, level=level)
    return Ratio(value, variance, effect.low, effect.high, players)


def ratio_difference(
    scores_a: ArrayLike, games_a: ArrayLike, scores_b: ArrayLike, games_b: ArrayLike, *, level: float = 0.95
) -> Effect:
    """Estimate the effect of version B on the mean score of a game, where each player has one version.

    Parameters
    ----------
    scores_a, games_a, scores_b, games_b : array_like
        Sums of scores, and games, of the players of A and of B, as in `ratio_of_sums`.
    level : float
        Confidence of the range, between 0 and 1.

    Returns
    -------
    Effect
        B less A, error sqrt(V(A) + V(B)), Student's t with two degrees of freedom fewer than players. The range and
        p are nan where the error is 0.

    Raises
    ------
    ValueError
        As `ratio_of_sums`.

    Source
    ------
    As `ratio_of_sums`.

    Examples
    --------
    >>> effect = ratio_difference([2.5, 0.0, 0.5], [3, 2, 1], [1.0, 0.0, 0.5], [2, 2, 2])
    >>> effect.estimate, round(effect.error, 6), effect.df
    (-0.25, 0.322749, 4.0)
    """
    a, b = ratio_of_sums(scores_a, games_a), ratio_of_sums(scores_b, games_b)
    return student(b.value - a.value, math.sqrt(a.variance + b.variance), a.n + b.n - 2.0, level=level)


def outcome_shares(
    score: ArrayLike, variant: ArrayLike, player: Sequence[Hashable] | ArrayLike, *, level: float = 0.95
) -> pd.DataFrame:
    """Count losses, draws and wins of the players against each version, with the share of each and its range.

    The range is Clopper and Pearson's for as many independent games as would give the variance of the share over
    players. Where an outcome never or always occurs that is one game a player.

    Parameters
    ----------
    score : array_like, shape (n,)
        0, 0.5 or 1: the score of the player.
    variant : array_like, shape (n,)
        0 for A, 1 for B.
    player : sequence of hashables, length n
    level : float
        Confidence of the ranges, between 0 and 1.

    Returns
    -------
    DataFrame
        One row an outcome of each version that has games: `variant`, `outcome`, `count`, `share`, `low`, `high`,
        `games`, `n` players. The range is 0 to 1 where there is one player.

    Raises
    ------
    ValueError
        Another score, and as `checks.check_columns`.

    Source
    ------
    Korn and Graubard, Survey Methodology 24 (1998).

    Examples
    --------
    >>> table = outcome_shares([1, 0.5, 0.5, 0, 0, 0], [0, 0, 0, 0, 1, 1], ["Ann", "Ann", "Bob", "Bob", "Cat", "Dan"])
    >>> table[["variant", "outcome", "count", "share"]].to_numpy().tolist()[:4]
    [['A', 'loss', 1, 0.25], ['A', 'draw', 2, 0.5], ['A', 'win', 1, 0.25], ['B', 'loss', 2, 1.0]]
    """
    check_level(level)
    score, variant, _ = check_columns(score, variant, None)
    index = number_units(player, len(score))
    known = np.isin(score, list(OUTCOMES.values()))
    if not known.all():
        row = int(np.argmin(known))
        raise ValueError(f"score of row {row} is {score[row]}: it must be 0, 0.5 or 1")
    rows = []
    for number in np.unique(variant):
        own = variant == number
        players = np.unique(index[own], return_inverse=True)[1]
        games = np.bincount(players).astype(np.float64)
        for outcome, value in OUTCOMES.items():
            counts = np.bincount(players, score[own] == value)
            low, high = _share_range(counts, games, level)
            count, total = int(counts.sum()), int(games.sum())
            rows.append(("AB"[number], outcome, count, count / total, low, high, total, len(games)))
    return pd.DataFrame(rows, columns=["variant", "outcome", "count", "share", "low", "high", "games", "n"])


def win_odds(
    score: ArrayLike,
    variant: ArrayLike,
    player: Sequence[Hashable] | ArrayLike,
    strata: Sequence[Hashable] | ArrayLike | None = None,
    *,
    level: float = 0.95,
) -> WinOdds:
    """Estimate the odds that a player does better against version B than against A, by the order of outcomes alone.

    Generalised odds ratio: sum over strata of (pairs of a game with B and one with A in which B's has the higher
    score) / n_s, over the same of the lower score; n_s are the games of the stratum. Pairs that tie are left out; their
    share is given, and odds that halve them are (better + tied / 2) / (worse + tied / 2).

    Parameters
    ----------
    score : array_like, shape (n,)
        Finite; only its order counts.
    variant : array_like, shape (n,)
        0 for A, 1 for B.
    player : sequence of hashables, length n
    strata : sequence of hashables, length n, optional
        Games are compared within a stratum only: a colour, say, or a player. Without it all are one.
    level : float
        Confidence of the range, between 0 and 1.

    Returns
    -------
    WinOdds
        The range is that of the logarithm, by a jackknife over players and Student's t with two degrees of freedom
        fewer than players. It is 0 to infinity, with a note, where the players do not give one.

    Raises
    ------
    ValueError
        No stratum with both versions, a version with fewer than 2 players in such strata, a missing name, a level
        outside (0, 1), and as `checks.check_columns`.

    Source
    ------
    Agresti, Biometrics 36 (1980); weights of strata as in Mantel and Haenszel, Journal of the National Cancer
    Institute 22 (1959). Jackknife: Miller, Biometrika 61 (1974).

    Examples
    --------
    >>> result = win_odds([1, 0.5, 0, 1, 1, 0.5], [0, 0, 0, 1, 1, 1], [1, 2, 3, 4, 5, 6])
    >>> round(result.odds, 3), round(result.better, 3), round(result.tied, 3)
    (5.0, 0.556, 0.333)
    """
    check_level(level)
    score, variant, _ = check_columns(score, variant, None)
    index = number_units(player, len(score))
    stratum = number_units([0] * len(score) if strata is None else strata, len(score))
    both = np.isin(stratum, stratum[variant == 0]) & np.isin(stratum, stratum[variant == 1])
    score, variant, index, stratum = score[both], variant[both], index[both], stratum[both]
    fewest = min(len(np.unique(index[variant == number])) for number in (0, 1))
    if fewest < 2:
        have = f"one version has {fewest} players in strata with both"
        raise ValueError(f"{have}: at least 2 of each are needed")
    whole, without = _weigh_pairs(score, variant, index, stratum)
    (better, worse, tied), players = (whole / whole.sum()).tolist(), len(without)
    if better == 0.0 or worse == 0.0:
        odds = 1.0 if better == worse else math.inf if worse == 0.0 else 0.0
        note = "all pairs tie" if better == worse else "all pairs that do not tie go one way"
        return WinOdds(odds, 0.0, math.inf, better, worse, tied, players, note)
    low, high, note = 0.0, math.inf, "without one player there are no odds"
    if (without[:, :2] > 0.0).all():
        logs = np.log(without[:, 0] / without[:, 1])
        error = math.sqrt((players - 1.0) * float(logs.var()))
        error = error if error > ROUNDING else 0.0
        effect = student(math.log(better / worse), error, players - 2.0, level=level)
        note = "" if math.isfinite(effect.low) else "players do not differ, or are too few"
        if not note:
            with np.errstate(over="ignore"):  # an end beyond all numbers is infinite
                low, high = np.exp([effect.low, effect.high]).tolist()
    return WinOdds(better / worse, low, high, better, worse, tied, players, note)


def _weigh_pairs(score, variant, player, stratum) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Weighted pairs that are better, worse and tied (3,), and the same without each player (players, 3)."""
    levels = np.unique(score, return_inverse=True)[1]
    cells, cell = np.unique(np.stack([player, stratum]), axis=1, return_inverse=True)
    shape = (cells.shape[1], 2, int(levels.max()) + 1)
    rows = np.ravel_multi_index((cell.ravel(), variant, levels), shape)
    counts = np.bincount(rows, minlength=math.prod(shape)).reshape(shape)  # games of a player in a stratum
    player, stratum = (np.unique(names, return_inverse=True)[1] for names in cells)
    totals = sum_clusters(counts.reshape(len(counts), -1), stratum, int(stratum.max()) + 1)
    totals = totals.reshape(-1, *shape[1:])
    of_stratum = _pairs(totals)
    whole = of_stratum.sum(axis=0)
    change = _pairs(totals[stratum] - counts) - of_stratum[stratum]
    without = whole + sum_clusters(change, player, int(player.max()) + 1)
    return whole, np.where(without > ROUNDING * whole.sum(), without, 0.0)


def _pairs(counts: NDArray[np.float64]) -> NDArray[np.float64]:
    """Pairs by counts (..., 2, levels) of A and B: better, worse and tied with B, over all games: (..., 3)."""
    a, b = counts[..., 0, :], counts[..., 1, :]
    up_to = np.cumsum(a, axis=-1)
    better, worse, tied = b * (up_to - a), b * (up_to[..., -1:] - up_to), b * a
    games = np.maximum(counts.sum(axis=(-1, -2)), 1.0)  # a stratum without games has no pairs
    return np.stack([each.sum(axis=-1) / games for each in (better, worse, tied)], axis=-1)


def _share_range(
    counts: NDArray[np.float64], games: NDArray[np.float64], level: float
) -> tuple[float, float]:
    """Range of a share, from counts and games of each player."""
    players, total, share, tail = len(games), games.sum(), counts.sum() / games.sum(), (1.0 - level) / 2.0
    if players < 2:
        return 0.0, 1.0
    size = float(players)
    if 0.0 < share < 1.0:
        variance = ratio_of_sums(counts, games).variance
        size = min(total, share * (1.0 - share) / variance) if variance > 0.0 else total
        # Few players tell less of the variance than many games would.
        size *= (stats.t.isf(tail, total - 1.0) / stats.t.isf(tail, players - 1.0)) ** 2
    count = share * size
    low = stats.beta.ppf(tail, count, size - count + 1.0) if share > 0.0 else 0.0
    high = stats.beta.isf(tail, count + 1.0, size - count) if share < 1.0 else 1.0
    return float(low), float(high)
