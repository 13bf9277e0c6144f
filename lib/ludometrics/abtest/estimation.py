"""The default analysis: the estimate, its range and its p-value, as the assignment asks."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import brentq

from ludometrics.abtest.effects import NO_EFFECT, Effect, gather_strata, player_effect, stratified_effect
from ludometrics.abtest.permutation import deal_players, flip_blocks
from ludometrics.abtest.randomisation import DRAWS, NO_TEST, RandomisationTest, deal_games, flip_pairs
from ludometrics.abtest.trial import ASSIGNMENTS, UNIT_OF, Trial, find_unit, pair_differences
from ludometrics.ratings.elo import expected_score

#: Players with a known rating needed before means are adjusted by it: fewer would be fitted, not adjusted.
LEAST_RATED = 10
#: Variance between players, as a share of that within one, below which it is not taken to be.
LEAST_BETWEEN = 0.02


class Estimation(NamedTuple):
    """The default analysis of a trial.

    Attributes
    ----------
    unit : {"between", "within"}
        Whether versions were dealt to players, or to games of a player.
    assignment : {"hash", "blocked", "game", "alternate"}
        How they were dealt, as planned or as the data show.
    effect : Effect
    test : RandomisationTest
        By dealing the versions again in the same way.
    players : tuple of int
        Players who count in A and in B: in a blocked design those of blocks with both versions; within players both
        are those with games of both versions.
    adjusted : bool
        Whether means are adjusted by what ratings from before the experiment foretell.
    """

    unit: str
    assignment: str
    effect: Effect
    test: RandomisationTest
    players: tuple[int, int]
    adjusted: bool


class PlayerMeans(NamedTuple):
    """One row a player, as a comparison between players needs it.

    Attributes
    ----------
    player : ndarray of int64, shape (q,)
        Players who have a finished game.
    mean : ndarray of float64, shape (q,)
        Mean score, every player counting once.
    variant : ndarray of int8, shape (q,)
    games : ndarray of float64, shape (q,)
    """

    player: NDArray[np.int64]
    mean: NDArray[np.float64]
    variant: NDArray[np.int8]
    games: NDArray[np.float64]


def estimate(
    trial: Trial,
    *,
    design: str | None = None,
    assignment: str | None = None,
    level: float = 0.95,
    draws: int = DRAWS,
    rng: np.random.Generator,
) -> Estimation:
    """Estimate the effect in the way the assignment asks.

    Between players: means of players by the information they give, adjusted by what ratings from before the experiment
    foretell where there are some; p by dealing players again, within blocks where they were dealt so. Within players:
    fixed effects of player and colour; p by dealing games again, or by turning pairs round where versions alternate.

    Parameters
    ----------
    trial : Trial
    design : {"between", "within"}, optional
        What was planned; without it, what the data show.
    assignment : {"hash", "blocked", "game", "alternate"}, optional
        How versions were dealt; without it, what the data show.
    level : float
        Confidence of the range.
    draws : int
        Splits of the players sampled where they are too many to count out.
    rng : numpy.random.Generator

    Returns
    -------
    Estimation

    Raises
    ------
    ValueError
        A design or assignment that is none, or two that contradict each other; a blocked one without blocks.

    Source
    ------
    Own: the choice. The parts name theirs.
    """
    if assignment is not None:
        if assignment not in ASSIGNMENTS:
            raise ValueError(f"assignment is {assignment!r}: allowed are {', '.join(map(repr, ASSIGNMENTS))}")
        if design not in (None, UNIT_OF[assignment]):
            raise ValueError(f"design is {design!r}, but assignment {assignment!r} is {UNIT_OF[assignment]}")
        if assignment == "blocked" and trial.blocks is None:
            raise ValueError("assignment is 'blocked', but no blocks are given")
        design = UNIT_OF[assignment]
    if find_unit(trial, design=design).unit == "between":
        return _between(trial, assignment, level=level, draws=draws, rng=rng)
    return _within(trial, assignment, level=level)


def player_means(trial: Trial) -> PlayerMeans:
    """Mean score of each player; a player with both versions counts by the one with more games.

    Examples
    --------
    >>> import pandas as pd
    >>> from ludometrics.abtest.trial import read_trial
    >>> games = pd.DataFrame({"player": ["Ann", "Ann", "Bob"], "variant": ["A", "A", "B"], "score": [1.0, 0.0, 0.5]})
    >>> player_means(read_trial(games)).mean.tolist()
    [0.5, 0.5]
    """
    games = trial.games
    played = np.flatnonzero(games.sum(axis=1) > 0)
    variant = (games[:, 1] > games[:, 0]).astype(np.int8)
    own = variant[trial.player] == trial.variant
    counts = np.bincount(trial.player[own], minlength=trial.n_players)
    totals = np.bincount(trial.player[own], weights=trial.score[own], minlength=trial.n_players)
    return PlayerMeans(played, totals[played] / counts[played], variant[played], counts[played].astype(float))


def information(trial: Trial, rows: PlayerMeans, foretold: NDArray[np.float64] | None) -> NDArray[np.float64]:
    """Weight of each player's mean: 1 / (variance between players + variance within a player / games).

    Both variances come from all players together without a look at their versions.

    Parameters
    ----------
    trial : Trial
    rows : PlayerMeans
    foretold : ndarray of float64, shape (q,), or None
        What the ratings foretell, taken off before the variance between players is looked at.

    Returns
    -------
    ndarray of float64, shape (q,)
        With mean 1.

    Source
    ------
    Own; the random-effects weights of meta-analysis: DerSimonian and Laird, Controlled Clinical Trials 7 (1986).
    """
    mean, games = rows.mean, rows.games
    of_player, own = np.zeros(trial.n_players), np.zeros(trial.n_players, dtype=np.int8)
    of_player[rows.player], own[rows.player] = mean, rows.variant
    counted = own[trial.player] == trial.variant
    squares = float(((trial.score - of_player[trial.player])[counted] ** 2).sum())
    within = squares / max(1.0, float(games.sum()) - len(mean))
    residual = _without(mean, foretold, np.ones(len(mean)))
    lost = 1 if foretold is None else 2
    between = float(residual @ residual) / max(1, len(mean) - lost) - within * float((1.0 / games).mean())
    # Never below a trace: else a player with a hundred games would count a hundred times one with a single game.
    variance = max(between, LEAST_BETWEEN * within, 1e-12) + within / games
    return (1.0 / variance) / float((1.0 / variance).mean())


def foretell(trial: Trial, rows: PlayerMeans) -> NDArray[np.float64] | None:
    """Score that each player's rating from before the experiment foretells against the level under test.

    1 / (1 + 10^((L - R) / 400)), the level's rating L being where the forecasts have the mean that was scored: by all
    players together, without a look at their versions.

    Parameters
    ----------
    trial : Trial
    rows : PlayerMeans

    Returns
    -------
    ndarray of float64, shape (q,), or None
        None where there are no ratings, too few, or all alike: then there is nothing to adjust by. Players without
        one get the mean of the others' forecasts.

    Source
    ------
    Own. A score is no straight line of a rating: where strengths differ widely, the range is a third narrower with the
    forecast than with the rating itself.
    """
    if trial.ratings is None:
        return None
    ratings = trial.ratings[rows.player]
    known = ~np.isnan(ratings)
    # Half of them at least: a mean put in for most players would adjust the few by their own scores.
    if known.sum() < max(LEAST_RATED, len(ratings) / 2) or np.ptp(ratings[known]) == 0.0:
        return None
    own, target = ratings[known], float(np.clip(rows.mean[known].mean(), 0.01, 0.99))
    level = brentq(
        lambda at: float(expected_score(own, at).mean()) - target, own.min() - 2000.0, own.max() + 2000.0
    )
    forecasts = np.full(len(ratings), np.nan)
    forecasts[known] = expected_score(own, level)
    if np.ptp(forecasts[known]) == 0.0:  # ratings so far off that they foretell the same to the last bit
        return None
    return np.where(known, forecasts, forecasts[known].mean())


def _without(
    mean: NDArray[np.float64], foretold: NDArray[np.float64] | None, weight: NDArray[np.float64]
) -> NDArray[np.float64]:
    """What is left of the means once a straight line of the forecasts is taken off."""
    left = mean - np.average(mean, weights=weight)
    if foretold is None:
        return left
    x = foretold - np.average(foretold, weights=weight)
    return left - x * (float((weight * x) @ left) / float((weight * x) @ x))


def _between(trial: Trial, assignment: str | None, *, level: float, draws: int, rng) -> Estimation:
    rows = player_means(trial)
    _, mean, variant, _ = rows
    counts = (int((variant == 0).sum()), int((variant == 1).sum()))
    blocked = trial.blocks is not None and assignment in (None, "blocked")
    assignment = "blocked" if blocked else "hash"
    if min(counts) == 0:
        return Estimation("between", assignment, NO_EFFECT, NO_TEST, counts, False)
    foretold = foretell(trial, rows)
    if foretold is not None and all(np.ptp(foretold[variant == version]) == 0.0 for version in (0, 1)):
        foretold = (
            None  # alike within both groups: what they foretell cannot be told from the version's effect
        )
    weight = information(trial, rows, foretold)
    # What the ratings foretell is taken off without a look at the versions, so that dealing them again is exact.
    value = weight * _without(mean, foretold, weight)
    if not blocked:
        test = deal_players(value, variant, weight=weight, studentised=True, draws=draws, rng=rng)
        effect = player_effect(mean, variant, foretold, weight=weight, level=level)
        return Estimation("between", assignment, effect, test, counts, foretold is not None)
    block = trial.blocks[rows.player]
    if foretold is None:
        effect = stratified_effect(mean, variant, block, level=level)
        test = flip_blocks(mean, variant, block, draws=draws, rng=rng)
    else:  # the forecasts hold what the blocks were made by, and more
        effect = player_effect(mean, variant, foretold, weight=weight, level=level)
        test = flip_blocks(value, variant, block, weight=weight, studentised=True, draws=draws, rng=rng)
    in_b = variant[gather_strata(variant, block).kept]
    counts = (int((in_b == 0).sum()), int((in_b == 1).sum()))
    return Estimation("between", assignment, effect, test, counts, foretold is not None)


def _within(trial: Trial, assignment: str | None, *, level: float) -> Estimation:
    stratum = trial.stratum
    effect = stratified_effect(trial.score, trial.variant, stratum, level=level)
    kept = gather_strata(trial.variant, stratum).kept
    count = len(np.unique(trial.player[kept]))
    if assignment != "game":
        differences, alternating = pair_differences(trial)
        if len(differences) and (assignment == "alternate" or alternating):
            return Estimation("within", "alternate", effect, flip_pairs(differences), (count, count), False)
    test = deal_games(trial.score, trial.variant, stratum)
    return Estimation("within", "game", effect, test, (count, count), False)
