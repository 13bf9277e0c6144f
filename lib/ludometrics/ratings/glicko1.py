"""Glicko-1: a rating and its standard deviation for each player.

Notation of Glickman: q = ln(10)/400 and g(s) = 1/sqrt(1 + 3 q^2 s^2/pi^2), by which an opponent's uncertainty
s draws expectations towards one half. Variances are stored and updated, deviations are what is shown.
"""

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ludometrics.ratings.checks import (
    carry_on,
    carry_on_games,
    check_blocks,
    check_carried,
    check_fields,
    check_games,
    check_log,
    check_times,
    check_weights,
)
from ludometrics.ratings.glicko1_loops import SPREAD, Q, blocks, duels, plain

__all__ = [
    "Glicko1Record",
    "Glicko1Settings",
    "Q",
    "aged",
    "attenuation",
    "expected_score",
    "replay",
    "update",
]


@dataclass(frozen=True)
class Glicko1Settings:
    """The prior, its growth in absence, and its bounds.

    Attributes
    ----------
    start : float
        Rating of a newcomer, Elo points.
    start_deviation : float
        Deviation of a newcomer, Elo points, above 0.
    growth : float
        Points per square root of a day by which the deviation grows between a player's games, at least 0. Without it
        a rating ends up deaf to change; real logs are forecast best with 0 to 5. It needs dated games.
    floor, ceiling : float
        Bounds of the deviation: the floor after an update, the ceiling after growth. A player who starts
        below the floor stays there.
    advantage, advantage_k : float
        Elo points of the first player of a pair, and how fast they are learned; as in `elo.EloSettings`.
    """

    start: float = 1500.0
    start_deviation: float = 350.0
    growth: float = 3.0
    floor: float = 30.0
    ceiling: float = 350.0
    advantage: float = 0.0
    advantage_k: float = 0.0

    def __post_init__(self) -> None:
        check_fields(self, at_least_0=("start_deviation", "growth", "floor", "ceiling", "advantage_k"))
        if not 0 < self.start_deviation <= self.ceiling or self.floor > self.start_deviation:
            raise ValueError(
                f"floor {self.floor:g}, start_deviation {self.start_deviation:g}, ceiling {self.ceiling:g}: "
                "they must rise in this order, the second above 0"
            )


@dataclass(frozen=True)
class Glicko1Record:
    """Ratings and deviations after a replay.

    Attributes
    ----------
    ratings : ndarray, shape (m,)
        Elo points.
    variances : ndarray, shape (m,)
        Squares of the deviations, as of the player's last game. They are what is stored, so that a replay that is
        carried on gives the bits of one that was not interrupted.
    games : ndarray of int64, shape (m,)
        Games played, those of an earlier record included.
    last_times : ndarray, shape (m,)
        Day of the last game; NaN before the first.
    forecasts : ndarray, shape (n,)
        Expected score of the first player before each game of this replay, by both deviations.
    advantage : float
        Elo points that the first player has after the last game.
    """

    ratings: NDArray[np.float64]
    variances: NDArray[np.float64]
    games: NDArray[np.int64]
    last_times: NDArray[np.float64]
    forecasts: NDArray[np.float64]
    advantage: float = 0.0

    @property
    def deviations(self) -> NDArray[np.float64]:
        """Deviations (m,) in Elo points as of the player's last game; `aged` gives a later day's."""
        return np.sqrt(self.variances)


def attenuation(deviation: ArrayLike) -> NDArray[np.float64] | float:
    """Glickman's g(s) = 1/sqrt(1 + 3 q^2 s^2/pi^2), in (0, 1].

    Examples
    --------
    >>> round(attenuation(30), 6), round(attenuation(350), 6)
    (0.995498, 0.669069)
    """
    value = 1.0 / np.sqrt(1.0 + SPREAD * np.square(np.asarray(deviation, dtype=np.float64)))
    return value if value.ndim else float(value)


def expected_score(
    rating: ArrayLike, opponent: ArrayLike, deviation: ArrayLike = 0.0, opponent_deviation: ArrayLike = 0.0
) -> NDArray[np.float64] | float:
    """Mean score to be expected when both strengths are uncertain.

    1 / (1 + 10^(-g(sqrt(s1^2 + s2^2)) (rating - opponent)/400)).

    Parameters
    ----------
    rating, opponent : float or array_like
        Elo points; arrays broadcast.
    deviation, opponent_deviation : float or array_like
        Elo points, at least 0.

    Returns
    -------
    float or ndarray
        In [0, 1].

    Source
    ------
    Glickman, "The Glicko system", expectancy between two rated players.

    Examples
    --------
    >>> round(expected_score(1400, 1500, 80, 150), 6)
    0.375988
    """
    spread = np.hypot(
        np.asarray(deviation, dtype=np.float64), np.asarray(opponent_deviation, dtype=np.float64)
    )
    gap = (
        Q
        * attenuation(spread)
        * (np.asarray(rating, dtype=np.float64) - np.asarray(opponent, dtype=np.float64))
    )
    small = np.exp(-np.abs(gap))
    score = np.where(gap >= 0, 1.0, small) / (1.0 + small)
    return score if score.ndim else float(score)


def update(
    rating: float,
    deviation: float,
    opponents: ArrayLike,
    opponent_deviations: ArrayLike,
    outcomes: ArrayLike,
) -> tuple[float, float]:
    """One player's rating and deviation after the games of a rating period, taken together.

    With E_j the expected score by the opponent's deviation alone and g_j = g(s_j):
    1/s'^2 = 1/s^2 + q^2 sum g_j^2 E_j (1 - E_j) and r' = r + q s'^2 sum g_j (outcome_j - E_j).

    Parameters
    ----------
    rating, deviation : float
        Before the period, Elo points; the deviation above 0.
    opponents, opponent_deviations : array_like, shape (n,)
        As they were before the period, Elo points.
    outcomes : array_like, shape (n,)
        Scores of the player: 0, 0.5 or 1.

    Returns
    -------
    (float, float)
        New rating and deviation, without floor.

    Source
    ------
    Glickman, "The Glicko system", step 2, with the example used here.

    Examples
    --------
    >>> rating, deviation = update(1500, 200, [1400, 1550, 1700], [30, 100, 300], [1, 0, 0])
    >>> round(rating, 4), round(deviation, 4)
    (1464.1065, 151.3989)
    """
    opponents = np.atleast_1d(np.asarray(opponents, dtype=np.float64))
    _, outcomes, _ = check_games([[0, 1]] * len(opponents), np.atleast_1d(outcomes))
    if not deviation > 0:
        raise ValueError(f"deviation is {deviation}: it must be above 0")
    g = attenuation(np.broadcast_to(np.asarray(opponent_deviations, dtype=np.float64), opponents.shape))
    expected = expected_score(rating, opponents, 0.0, opponent_deviations)
    variance = 1.0 / (1.0 / deviation**2 + Q * Q * np.sum(g * g * expected * (1.0 - expected)))
    return float(rating + Q * variance * np.sum(g * (outcomes - expected))), math.sqrt(variance)


def replay(
    pairs: ArrayLike,
    outcomes: ArrayLike,
    *,
    times: ArrayLike | None = None,
    weights: ArrayLike | None = None,
    plays: ArrayLike | None = None,
    periods: ArrayLike | None = None,
    settings: Glicko1Settings | None = None,
    n_players: int | None = None,
    ratings: ArrayLike | None = None,
    deviations: ArrayLike | None = None,
    anchored: ArrayLike = (),
    state: Glicko1Record | None = None,
    compiled: bool = True,
) -> Glicko1Record:
    """Play a log through: games one after another, plays of many and rating periods each at once.

    A pair of weight w counts as w games, in the rating and in the information; all pairs of a block are rated from
    the ratings before it. With the weights of `index_tables` this is pairwise Glicko-1: a play of many shrinks a
    deviation as a duel does.

    Parameters
    ----------
    pairs : array_like of int, shape (n, 2)
        Indices of the two players of each game.
    outcomes : array_like, shape (n,)
        Score of the first: 0, 0.5 or 1.
    times : array_like, shape (n,), optional
        Day of each game, never falling; needed for growth. A block is dated by its first row.
    weights : array_like, shape (n,) or (n, 2), optional
        How many games a pair counts as, for both or for each of the two; 0 changes nothing.
    plays, periods : array_like, shape (n,), optional
        Labels of rows that belong together and stand together: the pairs of a play, the plays of a rating period.
    settings : Glicko1Settings, optional
    n_players : int, optional
        Number of players m; without it as many as the pairs, and the state, name.
    ratings, deviations : float or array_like, shape (m,), optional
        Before the first game, Elo points; without them those of a newcomer.
    anchored : array_like of int
        Players whose rating and deviation never move. Opponents learn as usual.
    state : Glicko1Record, optional
        Record of an earlier replay to carry on from; players it does not know start afresh.
    compiled : bool
        False runs the plain-Python twin, equal to 1e-9 and without compilation.

    Returns
    -------
    Glicko1Record

    Raises
    ------
    ValueError
        Naming the row and value at fault.

    Examples
    --------
    >>> settings = Glicko1Settings(start=1000, start_deviation=180)
    >>> record = replay([[0, 1]], [1], settings=settings)
    >>> record.ratings.round(6).tolist(), record.deviations.round(6).tolist()
    ([1067.344991, 932.655009], [164.15495, 164.15495])
    """
    settings = settings or Glicko1Settings()
    known = 0 if state is None else len(state.ratings)
    pairs, outcomes, fixed = check_log(pairs, outcomes, anchored=anchored, n_players=n_players, known=known)
    n_players = len(fixed)
    times = check_times(times, len(outcomes))
    check_carried(state, float(times[0]) if len(times) else None)
    start = carry_on(state, "ratings", settings.start, n_players, given=ratings)
    squares = None if deviations is None else np.square(np.asarray(deviations, dtype=np.float64))
    variances = carry_on(state, "variances", settings.start_deviation**2, n_players, given=squares)
    games = carry_on_games(state, n_players)
    last_times = carry_on(state, "last_times", math.nan, n_players)
    bounds = (settings.growth**2, settings.floor**2, settings.ceiling**2)
    advantage = settings.advantage if state is None else state.advantage
    rest = (times, start, variances, games, last_times, fixed, *bounds, advantage, settings.advantage_k)
    if compiled and weights is None and plays is None and periods is None:
        forecasts, advantage = duels(pairs, outcomes, *rest)
    else:
        run = blocks if compiled else plain
        weights = check_weights(weights, len(outcomes))
        forecasts, advantage = run(
            pairs, outcomes, weights, *check_blocks(plays, periods, len(outcomes)), *rest
        )
    return Glicko1Record(start, variances, games, last_times, forecasts, advantage)


def aged(record: Glicko1Record, time: float, *, settings: Glicko1Settings) -> NDArray[np.float64]:
    """Deviations as of a day, absence included; the record itself does not change.

    Parameters
    ----------
    record : Glicko1Record
    time : float
        Day, on the scale of the replay's times. An earlier day than a player's last game adds nothing.
    settings : Glicko1Settings

    Returns
    -------
    ndarray, shape (m,)
        Elo points.

    Examples
    --------
    >>> settings = Glicko1Settings(growth=34.641016, start_deviation=50)
    >>> record = replay([[0, 1]], [0.5], times=[0], settings=settings, anchored=[0, 1])
    >>> aged(record, 100, settings=settings).round(2).tolist()
    [350.0, 350.0]
    """
    days = np.maximum(0.0, np.nan_to_num(time - record.last_times))
    grown = np.minimum(record.variances + settings.growth**2 * days, settings.ceiling**2)
    return np.sqrt(np.maximum(record.variances, grown))
