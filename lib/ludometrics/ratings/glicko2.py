"""Glicko-2: a rating, a deviation and a volatility, which says how erratic a player's results have been."""

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
    check_log,
    check_times,
    check_weights,
)
from ludometrics.ratings.glicko2_loops import UNIT, blocks, plain


@dataclass(frozen=True)
class Glicko2Settings:
    """The prior, and how fast volatility may change.

    Attributes
    ----------
    start, start_deviation : float
        Rating and deviation of a newcomer, Elo points; the deviation above 0.
    start_volatility : float
        Volatility of a newcomer: standard deviation of the change of strength in a period, on Glickman's scale (one is
        173.7178 Elo points), above 0.
    tau : float
        Standard deviation of the change of the volatility's logarithm in a period, above 0. Glickman: 0.3 to 1.2.
    period_days : float
        Length of a rating period, days; used when games are dated. Without dates each block is a period.
    floor, ceiling : float
        Bounds of the deviation, Elo points: the floor after an update, the ceiling after growth.
    advantage, advantage_k : float
        Elo points of the first player of a pair, and how fast they are learned; as in `elo.EloSettings`.
    """

    start: float = 1500.0
    start_deviation: float = 350.0
    start_volatility: float = 0.06
    tau: float = 0.5
    period_days: float = 30.0
    floor: float = 0.0
    ceiling: float = 350.0
    advantage: float = 0.0
    advantage_k: float = 0.0

    def __post_init__(self) -> None:
        check_fields(
            self,
            at_least_0=("floor", "advantage_k"),
            above_0=("start_deviation", "start_volatility", "tau", "period_days"),
        )
        if not self.floor <= self.start_deviation <= self.ceiling:
            raise ValueError(
                f"floor {self.floor:g}, start_deviation {self.start_deviation:g}, ceiling {self.ceiling:g}: "
                "they must rise in this order"
            )


@dataclass(frozen=True)
class Glicko2Record:
    """Ratings after a replay.

    Attributes
    ----------
    ratings : ndarray, shape (m,)
        Elo points.
    variances : ndarray, shape (m,)
        Squares of the deviations in Elo points, as of the player's last period.
    volatilities : ndarray, shape (m,)
        On Glickman's scale.
    games : ndarray of int64, shape (m,)
        Games played, those of an earlier record included.
    last_times : ndarray, shape (m,)
        Time of the last block, in periods; NaN before the first.
    forecasts : ndarray, shape (n,)
        Expected score of the first player before each game of this replay, by both deviations.
    blocks : int
        Blocks with games of weight above 0, so far: the clock of a log without dates.
    advantage : float
        Elo points that the first player has after the last game.
    """

    ratings: NDArray[np.float64]
    variances: NDArray[np.float64]
    volatilities: NDArray[np.float64]
    games: NDArray[np.int64]
    last_times: NDArray[np.float64]
    forecasts: NDArray[np.float64]
    blocks: int = 0
    advantage: float = 0.0

    @property
    def deviations(self) -> NDArray[np.float64]:
        """Deviations (m,) in Elo points as of the player's last period; `aged` gives a later day's."""
        return np.sqrt(self.variances)


def replay(
    pairs: ArrayLike,
    outcomes: ArrayLike,
    *,
    times: ArrayLike | None = None,
    weights: ArrayLike | None = None,
    plays: ArrayLike | None = None,
    periods: ArrayLike | None = None,
    settings: Glicko2Settings | None = None,
    n_players: int | None = None,
    ratings: ArrayLike | None = None,
    deviations: ArrayLike | None = None,
    anchored: ArrayLike = (),
    state: Glicko2Record | None = None,
    compiled: bool = True,
) -> Glicko2Record:
    """Play a log through, a block (period, play or single game) at once from the ratings before it.

    A player absent for e periods has e sigma^2 added to the variance: what is beyond one period before the forecast,
    the last one with the block's own volatility, as in Glickman's steps 6 and 7. Games less than a period apart add
    their fraction of it.

    Parameters
    ----------
    pairs : array_like of int, shape (n, 2)
        Indices of the two players of each game.
    outcomes : array_like, shape (n,)
        Score of the first: 0, 0.5 or 1.
    times : array_like, shape (n,), optional
        Day of each game, never falling. A block is dated by its first row.
    weights, plays, periods : array_like, optional
        As `glicko1.replay` takes them.
    settings : Glicko2Settings, optional
    n_players : int, optional
        Number of players m; without it as many as the pairs, and the state, name.
    ratings, deviations : float or array_like, shape (m,), optional
        Before the first game, Elo points; without them those of a newcomer.
    anchored : array_like of int
        Players whose rating, deviation and volatility never move.
    state : Glicko2Record, optional
        Record of an earlier replay to carry on from.
    compiled : bool
        False runs the plain-Python twin, equal to 1e-9 and without compilation.

    Returns
    -------
    Glicko2Record

    Raises
    ------
    ValueError
        Naming the row and value at fault.

    Source
    ------
    Glickman, "Example of the Glicko-2 system" (2013), steps 1 to 8 and its example, used here.

    Examples
    --------
    >>> record = replay([[0, 1], [0, 2], [0, 3]], [1, 0, 0], periods=[0, 0, 0], ratings=[1500, 1400, 1550, 1700],
    ...                 deviations=[200, 30, 100, 300])
    >>> record.ratings[0].round(4).item(), record.deviations[0].round(4).item(), record.volatilities[0].round(8).item()
    (1464.0507, 151.5165, 0.05999598)
    """
    settings = settings or Glicko2Settings()
    known = 0 if state is None else len(state.ratings)
    pairs, outcomes, fixed = check_log(pairs, outcomes, anchored=anchored, n_players=n_players, known=known)
    n, m = len(outcomes), len(fixed)
    starts, numbers = check_blocks(plays, periods, n)
    done = 0 if state is None else state.blocks
    weights = check_weights(weights, n)
    # Blocks without any weight let no time pass.
    telling = np.add.reduceat(weights.sum(axis=1), starts[:-1]) > 0 if n else np.empty(0, dtype=bool)
    if times is None:
        clock = (done + np.cumsum(telling) - telling).astype(np.float64)
    else:
        clock = check_times(times, n)[starts[:-1]] / settings.period_days
    check_carried(state, float(clock[0]) if n else None, unit="period")
    start = carry_on(state, "ratings", settings.start, m, given=ratings)
    squares = None if deviations is None else np.square(np.asarray(deviations, dtype=np.float64))
    variances = carry_on(state, "variances", settings.start_deviation**2, m, given=squares)
    volatilities = carry_on(state, "volatilities", settings.start_volatility, m)
    last_times = carry_on(state, "last_times", math.nan, m)
    games = carry_on_games(state, m)
    advantage = settings.advantage if state is None else state.advantage
    run = blocks if compiled else plain
    forecasts, advantage = run(
        pairs,
        outcomes,
        weights,
        starts,
        numbers,
        clock,
        start,
        variances,
        volatilities,
        games,
        last_times,
        fixed,
        settings.tau,
        settings.floor**2,
        settings.ceiling**2,
        advantage,
        settings.advantage_k,
    )
    return Glicko2Record(
        start, variances, volatilities, games, last_times, forecasts, done + int(telling.sum()), advantage
    )


def aged(record: Glicko2Record, time: float, *, settings: Glicko2Settings) -> NDArray[np.float64]:
    """Deviations as of a day, absence included; the record itself does not change.

    Parameters
    ----------
    record : Glicko2Record
    time : float
        Day, on the scale of the replay's times; without dates, number of a block times `settings.period_days`.
    settings : Glicko2Settings

    Returns
    -------
    ndarray, shape (m,)
        Elo points.

    Examples
    --------
    >>> settings = Glicko2Settings(start_deviation=50)
    >>> record = replay([[0, 1]], [0.5], times=[0], settings=settings, anchored=[0, 1])
    >>> aged(record, 300, settings=settings).round(2).tolist()
    [59.89, 59.89]
    """
    absent = np.maximum(0.0, np.nan_to_num(time / settings.period_days - record.last_times))
    grown = record.variances + (UNIT * record.volatilities) ** 2 * absent
    return np.sqrt(np.maximum(record.variances, np.minimum(grown, settings.ceiling**2)))
