"""The course's twenty days with live matching, played from the table of outcomes."""

import math
from typing import NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from ludometrics.matching.course import TIE
from ludometrics.ratings.elo import RATE
from ludometrics.simulation.outcome_tables import Outcomes

# The adaptive-draughts course's simulation: the defaults of `DaysSettings` and of the rule "course".
DAYS, RANDOM_DAYS, GAMES_A_DAY, CHALLENGES = 20, 10, 3, 1
START, K, PROVISIONAL = 1200.0, 32.0, 5
LEVELS, TESTED = 3, 1  # easy, medium, hard; medium is under test

#: Where the version of a game comes from: the player's group, a coin each game, or the other one next time.
BY_GROUP, BY_COIN, IN_TURN, IN_FIXED_TURN = 0, 1, 2, 3


class DaysLog(NamedTuple):
    """Every game of the days, in the order played.

    Attributes
    ----------
    day : ndarray of int64, shape (n,)
        From 1.
    player : ndarray of int64, shape (n,)
        Whose turn it was to play: 0 to p - 1.
    opponent : ndarray of int64, shape (n,)
        Another player, or p + 0, 1, 2 for the levels.
    is_black : ndarray of bool, shape (n,)
        Whether the player was Black.
    variant : ndarray of int8, shape (n,)
        Version of the level under test, 0 A and 1 B; -1 in games against others.
    score : ndarray of float64, shape (n,)
        Of the player: 0, 0.5 or 1.
    ratings : ndarray of float64, shape (p + 3,)
        Elo points after the last game: players, then levels.
    """

    day: NDArray[np.int64]
    player: NDArray[np.int64]
    opponent: NDArray[np.int64]
    is_black: NDArray[np.bool_]
    variant: NDArray[np.int8]
    score: NDArray[np.float64]
    ratings: NDArray[np.float64]


def play_days(
    types: NDArray[np.int64],
    groups: NDArray[np.int64],
    outcomes: Outcomes,
    *,
    version_b: int,
    turn: int = BY_GROUP,
    rng: np.random.Generator,
    compiled: bool = True,
) -> DaysLog:
    """Play the days once.

    On days 1 to 10 every player plays three games at levels drawn at random and one against another player drawn at
    random; on days 11 to 20 three games at the level nearest to an even game by that morning's ratings. Everybody
    plays a first game, then everybody a second, and so on; colours are drawn at random. Elo ratings, start 1200 and
    K 32, follow every game, and levels are rated like players.

    Parameters
    ----------
    types : ndarray of int64, shape (p,)
        Index into `TYPES` of each player, p at least 2.
    groups : ndarray of int64, shape (p,)
        Version of each player, 0 or 1; used where `turn` is `BY_GROUP`.
    outcomes : Outcomes
    version_b : int
        Index of version B among the levels of the table.
    turn : int
        `BY_GROUP`, `BY_COIN`, `IN_TURN` or `IN_FIXED_TURN` (in each colour A first).
    rng : numpy.random.Generator
        Gives four uniform numbers a game.
    compiled : bool
        False runs the plain twin, which gives the same games.

    Returns
    -------
    DaysLog

    Examples
    --------
    >>> even = Outcomes(np.tile([0.4, 0.6], (24, 5, 2, 1)), np.tile([0.4, 0.6], (24, 24, 1)))
    >>> pair, versions = np.array([0, 23]), np.array([0, 1])
    >>> log = play_days(pair, versions, even, version_b=1, rng=np.random.default_rng(1))
    >>> len(log.score), int(log.day[-1]), round(float(log.ratings.mean()))
    (140, 20, 1200)

    Source
    ------
    The adaptive-draughts course.
    """
    players = len(types)
    n = players * (GAMES_A_DAY * DAYS + CHALLENGES * RANDOM_DAYS)
    log = DaysLog(
        np.empty(n, dtype=np.int64),
        np.empty(n, dtype=np.int64),
        np.empty(n, dtype=np.int64),
        np.empty(n, dtype=np.bool_),
        np.full(n, -1, dtype=np.int8),
        np.empty(n),
        np.full(players + LEVELS, START),
    )
    run = _play if compiled else _play.py_func
    run(types, groups, outcomes.against, outcomes.challenges, version_b, turn, rng.random((n, 4)), *log)
    return log


@njit(cache=True)
def _play(
    types,
    groups,
    against,
    challenges,
    version_b,
    turn,
    uniforms,
    day,
    player,
    opponent,
    is_black,
    variant,
    score,
    ratings,
):
    """Fill the log; a game's uniforms are for the opponent, the colour, the version and the result."""
    players = len(types)
    games = np.zeros(players + LEVELS, dtype=np.int64)
    owed = np.full((players, 2), -1, dtype=np.int64)
    offered = np.zeros(players, dtype=np.int64)
    row = 0
    for today in range(1, DAYS + 1):
        is_random = today <= RANDOM_DAYS
        if not is_random:
            for own in range(players):
                offered[own] = _offer(ratings, games, own, players)
        for game in range(GAMES_A_DAY + (CHALLENGES if is_random else 0)):
            for own in range(players):
                drawn, end = uniforms[row, 0], uniforms[row, 3]
                black = 1 if uniforms[row, 1] < 0.5 else 0
                if game >= GAMES_A_DAY:
                    # One of the others: a draw among n - 1, moved past the player's own number.
                    other = int(drawn * (players - 1))
                    other += 1 if other >= own else 0
                    if black:
                        won, held = (
                            challenges[types[own], types[other], 0],
                            challenges[types[own], types[other], 1],
                        )
                    else:  # Black's chances are the other one's: lost where Black wins, won where Black loses
                        won = 1.0 - challenges[types[other], types[own], 1]
                        held = 1.0 - challenges[types[other], types[own], 0]
                else:
                    level = int(drawn * LEVELS) if is_random else offered[own]
                    other = players + level
                    if level == TESTED:
                        version_at = _version(turn, groups, owed, own, black, uniforms[row, 2])
                        variant[row] = version_at
                        level = version_b if version_at else TESTED
                    won, held = against[types[own], level, black, 0], against[types[own], level, black, 1]
                result = 1.0 if end < won else 0.5 if end < held else 0.0
                expected = 1.0 / (1.0 + math.exp(RATE * (ratings[other] - ratings[own])))
                ratings[own] += K * (result - expected)
                ratings[other] -= K * (result - expected)
                games[own] += 1
                games[other] += 1
                day[row], player[row], opponent[row] = today, own, other
                is_black[row], score[row] = black == 1, result
                row += 1


@njit(cache=True)
def _offer(ratings, games, own, players):
    """The level whose expected score is nearest to one half, the first of equals; medium while provisional."""
    if games[own] < PROVISIONAL:
        return TESTED
    distances = np.full(LEVELS, math.inf)
    for level in range(LEVELS):
        if games[players + level] > 0:
            expected = 1.0 / (1.0 + math.exp(RATE * (ratings[players + level] - ratings[own])))
            distances[level] = abs(expected - 0.5)
    nearest = distances.min()
    if nearest == math.inf:
        return TESTED
    for level in range(LEVELS):
        if distances[level] <= nearest + TIE:
            break
    return level


@njit(cache=True)
def _version(turn, groups, owed, own, black, uniform):
    """0 or 1; in turn, the second game of a pair with one colour gets the version that the first did not."""
    if turn == BY_GROUP:
        return groups[own]
    coin = 1 if uniform < 0.5 else 0
    if turn == BY_COIN:
        return coin
    if owed[own, black] >= 0:
        version = owed[own, black]
        owed[own, black] = -1
        return version
    first = 0 if turn == IN_FIXED_TURN else coin
    owed[own, black] = 1 - first
    return first
