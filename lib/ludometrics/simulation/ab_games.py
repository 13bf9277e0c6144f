"""Games of one A/B test on players of known skill, drawn from the table of outcomes."""

from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import brentq
from scipy.stats import norm

from ludometrics.abtest import assign_by_hash
from ludometrics.matching import RULES
from ludometrics.provenance import replication_streams
from ludometrics.ratings import PosteriorSettings
from ludometrics.ratings.elo import expected_score
from ludometrics.simulation.ab_days import BY_COIN, BY_GROUP, IN_FIXED_TURN, IN_TURN, TESTED, play_days
from ludometrics.simulation.ab_settings import ABSettings
from ludometrics.simulation.draughts_days import DaysSettings
from ludometrics.simulation.outcome_tables import COURSE_TYPES, TYPES, Outcomes, true_scores, version_index
from ludometrics.simulation.presets import COURSE_PLAYERS, LADDERS

#: Versions that the course's hash gives its eight players, 0 A and 1 B.
COURSE_GROUPS = tuple(int(assign_by_hash(DaysSettings.experiment, name) == "B") for name, _ in COURSE_PLAYERS)
SIGMA = 1.0  # of the lognormal distribution of how much people play
PRIOR = RULES[
    "posterior"
].ratings  # of a newcomer, before the games that give the rating before the experiment


class ABGames(NamedTuple):
    """Games against the level under test, in the order played, and what is true of the players.

    Attributes
    ----------
    player : ndarray of int64, shape (n,)
        0 to p - 1.
    variant : ndarray of int8, shape (n,)
        Version met: 0 A, 1 B.
    score : ndarray of float64, shape (n,)
        Of the player: 0, 0.5 or 1.
    is_black : ndarray of bool, shape (n,)
        Whether the player was Black.
    day : ndarray of int64, shape (n,)
        From 1; with fixed exposure the number of the player's game.
    ratings : ndarray of float64, shape (p,), or None
        Before the experiment, Elo points; None where there were no games before it.
    blocks : ndarray of int64, shape (p,), or None
        Number of the pair that each player was randomised in; None where players were not paired.
    types : ndarray of int64, shape (p,)
        Index into `TYPES`.
    effects : ndarray of float64, shape (p, 2)
        True expected score against B less that against A, as White and as Black.
    """

    player: NDArray[np.int64]
    variant: NDArray[np.int8]
    score: NDArray[np.float64]
    is_black: NDArray[np.bool_]
    day: NDArray[np.int64]
    ratings: NDArray[np.float64] | None
    blocks: NDArray[np.int64] | None
    types: NDArray[np.int64]
    effects: NDArray[np.float64]


def simulate_ab(settings: ABSettings, outcomes: Outcomes, *, rng: np.random.Generator) -> ABGames:
    """Run the test once.

    Parameters
    ----------
    settings : ABSettings
    outcomes : Outcomes
    rng : numpy.random.Generator

    Returns
    -------
    ABGames
        Games against the level under test; those against others happen, but are not returned.

    Examples
    --------
    >>> even = Outcomes(np.tile([0.4, 0.6], (24, 5, 2, 1)), np.tile([0.4, 0.6], (24, 24, 1)))
    >>> settings = ABSettings("alternate", "fixed", games_each=4, fixed_order=True)
    >>> games = simulate_ab(settings, even, rng=np.random.default_rng(1))
    >>> games.day.tolist()[::8], games.variant.tolist()[::8], float(np.abs(games.effects).max())
    ([1, 2, 3, 4], [0, 1, 0, 1], 0.0)

    Source
    ------
    Own; with matching, the adaptive-draughts course's simulation.
    """
    types = _draw_types(settings.players, rng=rng)
    version_b = version_index(settings.truth)
    truth = true_scores(outcomes)[types]
    effects = truth[:, version_b] - truth[:, TESTED]
    play = _matched_games if settings.exposure == "matching" else _fixed_games
    return ABGames(*play(settings, types, outcomes, version_b, rng=rng), types, effects)


def simulate_many(
    settings: ABSettings, outcomes: Outcomes, *, seed: int, first: int, count: int
) -> Iterator[tuple[int, ABGames]]:
    """Run the test again and again, each replication from a random stream of its own.

    Parameters
    ----------
    settings : ABSettings
    outcomes : Outcomes
    seed, first, count : int
        See `replication_streams`.

    Yields
    ------
    (int, ABGames)
        Number of the replication and its games.

    Examples
    --------
    >>> even = Outcomes(np.tile([0.4, 0.6], (24, 5, 2, 1)), np.tile([0.4, 0.6], (24, 24, 1)))
    >>> [number for number, _ in simulate_many(ABSettings(), even, seed=1, first=5, count=2)]
    [5, 6]

    Source
    ------
    Own.
    """
    streams = replication_streams(seed, first, count)  # checks its numbers now, not at the first game
    return ((number, simulate_ab(settings, outcomes, rng=rng)) for number, rng in streams)


@lru_cache
def lognormal_scale(mean: float) -> float:
    """Scale s at which max(1, round(s e^Z)), Z standard normal, has a given mean.

    Parameters
    ----------
    mean : float
        Above 1, at most 10,000.

    Returns
    -------
    float

    Raises
    ------
    ValueError
        A mean that counts of at least 1 cannot have.

    Examples
    --------
    >>> round(lognormal_scale(10), 2)
    6.06

    Source
    ------
    Own: the mean is 1 + sum over k >= 2 of P(s e^Z > k - 1/2).
    """
    if not 1 < mean <= 10_000:
        raise ValueError(f"mean is {mean}: it must be above 1 and at most 10,000")
    edges = np.log(np.arange(2, 2 + int(mean * np.exp(6 * SIGMA))) - 0.5)

    def surplus(log_scale: float) -> float:
        return 1.0 + norm.sf((edges - log_scale) / SIGMA).sum() - mean

    return float(np.exp(brentq(surplus, -20.0, np.log(mean) + 1.0)))


def posterior_means(
    games: NDArray[np.int64],
    scores: NDArray[np.float64],
    levels: NDArray[np.float64],
    settings: PosteriorSettings = PRIOR,
) -> NDArray[np.float64]:
    """Ratings of newcomers who have met levels of known rating: Bayes' rule on a grid, all games at once.

    Where every opponent is known, the order of the games does not matter and sums of scores are all that does: the
    likelihood at a rating is the product of E^S (1 - E)^(N - S) over the levels.

    Parameters
    ----------
    games : ndarray, shape (p, l)
        Games N of each player against each level.
    scores : ndarray, shape (p, l)
        Sums of scores S, 0 to N.
    levels : ndarray, shape (l,)
        Ratings of the levels, Elo points.
    settings : PosteriorSettings

    Returns
    -------
    ndarray, shape (p,)
        Means, Elo points: those of `ludometrics.ratings.posterior.replay` with the levels anchored.

    Examples
    --------
    >>> posterior_means(np.array([[2]]), np.array([[1.0]]), np.array([1200.0])).round().tolist()
    [1200.0]

    Source
    ------
    Own.
    """
    grid = settings.grid
    expected = np.asarray(expected_score(grid[None, :], levels[:, None]))
    prior = -0.5 * ((grid - settings.start) / settings.start_deviation) ** 2
    logs = prior + scores @ np.log(expected) + (games - scores) @ np.log1p(-expected)
    weights = np.exp(logs - logs.max(axis=1, keepdims=True))
    return weights @ grid / weights.sum(axis=1)


def _matched_games(settings, types, outcomes, version_b, *, rng) -> tuple:
    turn = BY_GROUP
    if settings.assignment == "game":
        turn = BY_COIN
    elif settings.assignment == "alternate":
        turn = IN_FIXED_TURN if settings.fixed_order else IN_TURN
    groups, _ = _draw_groups(settings, None, rng=rng)
    log = play_days(types, groups, outcomes, version_b=version_b, turn=turn, rng=rng)
    kept = log.variant >= 0
    columns = (log.player, log.variant, log.score, log.is_black, log.day)
    return (*(column[kept] for column in columns), None, None)


def _fixed_games(settings, types, outcomes, version_b, *, rng) -> tuple:
    before, games = _draw_games(settings, rng=rng)
    ratings = _rate_before(types, before, outcomes, rng=rng) if settings.games_before else None
    groups, blocks = _draw_groups(settings, ratings, rng=rng)
    player, number = _in_rounds(games)
    # As in the course's fair test the colour changes after two games; who begins with which is drawn.
    is_black = (rng.integers(2, size=settings.players)[player] + number // 2) % 2 == 1
    variant = _draw_variants(settings, groups, games, player, number, rng=rng)
    level = np.where(variant == 1, version_b, TESTED)
    score = _draw_scores(outcomes.against[types[player], level, is_black.astype(np.int64)], rng=rng)
    return player, variant, score, is_black, number + 1, ratings, blocks


def _draw_types(players: int, *, rng: np.random.Generator) -> NDArray[np.int64]:
    if players == len(COURSE_TYPES):
        return np.array(COURSE_TYPES, dtype=np.int64)
    if players == len(TYPES):
        return np.arange(len(TYPES))
    return rng.integers(len(TYPES), size=players)


def _draw_games(
    settings: ABSettings, *, rng: np.random.Generator
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Games of each player before the experiment and in it."""
    means = settings.games_before, settings.games_each
    if not settings.heavy_tail:
        before, games = (np.full(settings.players, mean, dtype=np.int64) for mean in means)
        return before, games
    activity = np.exp(SIGMA * rng.standard_normal(settings.players))
    before, games = (_counts(activity, mean) for mean in means)
    return before, games


def _counts(activity: NDArray[np.float64], mean: int) -> NDArray[np.int64]:
    if mean <= 1:  # none at all, or the smallest number for everybody
        return np.full(len(activity), mean, dtype=np.int64)
    return np.maximum(1, np.rint(lognormal_scale(mean) * activity)).astype(np.int64)


def _draw_groups(settings, ratings, *, rng) -> tuple[NDArray[np.int64], NDArray[np.int64] | None]:
    """Version of each player, 0 or 1, and the pairs in which it was drawn."""
    coins = rng.integers(2, size=settings.players)
    if settings.assignment == "names":
        return np.array(COURSE_GROUPS, dtype=np.int64), None
    if settings.assignment != "blocked":
        return coins, None
    place = np.empty(settings.players, dtype=np.int64)
    place[np.argsort(-ratings, kind="stable")] = np.arange(settings.players)
    return (coins[place // 2] + place) % 2, place // 2


def _rate_before(types, before, outcomes, *, rng) -> NDArray[np.float64]:
    player = np.repeat(np.arange(len(types)), before)
    levels = np.array(LADDERS["course"].ratings)
    level = rng.integers(len(levels), size=len(player))
    colour = rng.integers(2, size=len(player))
    score = _draw_scores(outcomes.against[types[player], level, colour], rng=rng)
    cell, shape = player * len(levels) + level, (len(types), len(levels))
    games, scores = (
        np.bincount(cell, weights, minlength=len(types) * len(levels)) for weights in (None, score)
    )
    return posterior_means(games.reshape(shape), scores.reshape(shape), levels)


def _in_rounds(games: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Player and number (from 0) of each game: everybody's first, then everybody's second, and so on."""
    player = np.repeat(np.arange(len(games)), games)
    number = np.arange(len(player)) - np.repeat(np.cumsum(games) - games, games)
    order = np.argsort(number, kind="stable")
    return player[order], number[order]


def _draw_variants(settings, groups, games, player, number, *, rng) -> NDArray[np.int8]:
    if settings.assignment == "game":
        return rng.integers(2, size=len(player), dtype=np.int8)
    if settings.assignment != "alternate":
        return groups[player].astype(np.int8)
    # One coin for each two games in a row of a player; they have the same colour.
    pairs = (games + 1) // 2
    coins = np.zeros(pairs.sum(), dtype=np.int64)
    if not settings.fixed_order:
        coins = rng.integers(2, size=len(coins))
    own = np.cumsum(pairs) - pairs
    return ((coins[own[player] + number // 2] + number) % 2).astype(np.int8)


def _draw_scores(chances: NDArray[np.float64], *, rng: np.random.Generator) -> NDArray[np.float64]:
    drawn = rng.random(len(chances))
    return 0.5 * (drawn < chances[:, 0]) + 0.5 * (drawn < chances[:, 1])
