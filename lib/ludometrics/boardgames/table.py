"""Who is the favourite at tonight's table: each seat's chance to finish first, and the rank to be expected.

Plackett-Luce: a seat's result is its rating plus Gumbel noise, so that of two equally known seats the better finishes
first with the logistic chance of the Elo scale. What the ratings do not know is noise on top.
"""

import math
from collections.abc import Sequence

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray
from scipy import special

from ludometrics.boardgames.engine import RatedLog
from ludometrics.boardgames.records import MOST_SEATS
from ludometrics.ratings.glicko1 import Q, expected_score

COLUMNS = ("seat", "player", "known", "rating", "deviation", "chance", "expected_rank")
#: Largest deviation, points, that chances are made for.
MOST_DEVIATION = 10_000.0
#: Glickman spreads a normal deviation as if it were logistic, which draws less towards one half than the normal itself;
#: the part of it that is taken as normal is shrunk by this, so that two seats get his expectancy (to 0.004 up to 180).
SHRINK = 0.89
#: Steps of the two sums, in units of the noise and of a standard normal: with them both are exact to 1e-12.
STEP, NORMAL_STEP, NORMAL_ENDS = 0.25, 0.5, 9.0


def win_chances(ratings: ArrayLike, deviations: ArrayLike) -> NDArray[np.float64]:
    """Chance of each seat of a table to finish first.

    chance_i = integral of f_i(x) times the product of F_j(x) over the others, where F_j is the distribution of
    rating_j plus Gumbel noise plus normal noise. What deviation all seats share stretches the Gumbel noise, as Glickman
    attenuates a gap; what a seat has beyond is normal.

    Parameters
    ----------
    ratings : array_like, shape (n,)
        Points, n at least 1.
    deviations : array_like, shape (n,)
        Points, 0 to `MOST_DEVIATION`.

    Returns
    -------
    ndarray, shape (n,)
        Sums to 1. With two seats Glickman's expectancy, to 0.004 for deviations up to 180.

    Raises
    ------
    ValueError
        No seat, more than `MOST_SEATS`, arrays of different length, or a value out of range, naming the seat.

    Source
    ------
    Plackett, The analysis of permutations, Applied Statistics 24 (1975), as the order of values with Gumbel noise
    (Yellott, Journal of Mathematical Psychology 15, 1977); integral over uncertain ratings own.

    Examples
    --------
    >>> win_chances([1200, 1000, 1000, 1000], [60, 60, 180, 180]).round(3).tolist()
    [0.469, 0.154, 0.188, 0.188]
    """
    ratings, deviations = _check_table(ratings, deviations)
    logits = Q * ratings, Q * deviations
    shared = logits[1].min()
    noise = math.sqrt(1.0 + 6.0 * shared**2 / math.pi**2)
    # From the largest rating, so that huge ones keep their differences.
    place = (logits[0] - logits[0].max()) / noise
    spread = SHRINK * np.sqrt(np.maximum(logits[1] ** 2 - shared**2, 0.0)) / noise
    low = (place - NORMAL_ENDS * spread).max() - 4.0  # below it the best seat alone is never
    high = (place + NORMAL_ENDS * spread).max() + 40.0
    x = low + STEP * np.arange(math.ceil((high - low) / STEP) + 1)
    density, below = np.array([_distribution(x, *seat) for seat in zip(place, spread, strict=True)]).swapaxes(
        0, 1
    )
    chances = (density * _products_of_others(below)).sum(axis=1) * STEP
    return chances / chances.sum()


def expected_ranks(ratings: ArrayLike, deviations: ArrayLike) -> NDArray[np.float64]:
    """Rank to be expected of each seat: 1 plus the chances of the others to finish before it.

    Parameters
    ----------
    ratings, deviations : array_like, shape (n,)
        As in `win_chances`.

    Returns
    -------
    ndarray, shape (n,)
        1 to n, with sum n (n + 1)/2.

    Raises
    ------
    ValueError
        As `win_chances`.

    Source
    ------
    Glickman, "The Glicko system", expectancy between two rated players.

    Examples
    --------
    >>> expected_ranks([1200, 1000, 1000], [60, 60, 60]).round(3).tolist()
    [1.495, 2.252, 2.252]
    """
    ratings, deviations = _check_table(ratings, deviations)
    ahead = expected_score(ratings[:, None], ratings, deviations[:, None], deviations)
    return 0.5 + (1.0 - ahead).sum(axis=1)  # the seat's even chance against itself is the half


def forecast_table(rated: RatedLog, seats: Sequence[str | None], *, day: float | None = None) -> pd.DataFrame:
    """Forecast a table of known people and guests.

    Parameters
    ----------
    rated : RatedLog
    seats : sequence of str or None
        Key of the person in each seat; None is a guest, and so is counted whoever has no rated play: a newcomer.
    day : float, optional
        Day of the play, as in `Schedule.day`; by default that of the last rated play. Deviations are grown to it.

    Returns
    -------
    DataFrame
        One row a seat, in the order given, with the columns `COLUMNS`: `seat` from 1, `player` key or None, `known`
        whether it has a rating, `rating` and `deviation`, `chance` to finish first, `expected_rank`.

    Raises
    ------
    ValueError
        Fewer than two seats, a person in two of them, and as `win_chances`.

    Source
    ------
    Own.
    """
    if not 2 <= len(seats) <= MOST_SEATS:
        raise ValueError(f"the table has {len(seats)} seats: 2 to {MOST_SEATS} are needed")
    named = [key for key in seats if key is not None]
    twice = sorted({key for key in named if named.count(key) > 1})
    if twice:
        raise ValueError(f"person {twice[0]!r} has {named.count(twice[0])} seats: one each is needed")
    ratings = rated.ratings
    last = float(ratings.last_day.max(initial=0.0))
    aged = ratings.aged_deviations(last if day is None else day)
    place = {key: index for index, key in enumerate(ratings.people)}
    index = np.array([place.get(key, -1) if key is not None else -1 for key in seats])
    known = index >= 0
    rating = np.full(len(seats), rated.settings.start, dtype=np.float64)
    deviation = np.full(len(seats), rated.settings.deviation, dtype=np.float64)
    rating[known], deviation[known] = ratings.rating[index[known]], aged[index[known]]
    columns = (
        np.arange(1, len(seats) + 1),
        pd.Series(list(seats), dtype=object),
        known,
        rating,
        deviation,
        win_chances(rating, deviation),
        expected_ranks(rating, deviation),
    )
    return pd.DataFrame(dict(zip(COLUMNS, columns, strict=True)))


def _distribution(
    x: NDArray[np.float64], place: float, spread: float
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Density and distribution function at x of a place plus Gumbel noise plus normal noise."""
    if spread > 0.0:
        step = min(NORMAL_STEP, STEP / spread)
        half = math.ceil(NORMAL_ENDS / step)
        nodes = step * np.arange(-half, half + 1)
        weights = special.softmax(-0.5 * nodes**2)
    else:
        nodes, weights = np.zeros(1), np.ones(1)
    reduced = np.maximum(
        x[:, None] - place - spread * nodes, -50.0
    )  # exp(-exp(50)) is 0, and exp(50) a number
    rare = np.exp(-reduced)
    below = np.exp(-rare)
    # einsum, for the product of BLAS has other last bits with another number of threads.
    return np.einsum("xk,k->x", below * rare, weights), np.einsum("xk,k->x", below, weights)


def _products_of_others(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """Product along the first axis of all rows but the own."""
    products = np.ones_like(values)
    products[1:] = np.cumprod(values[:-1], axis=0)
    products[:-1] *= np.cumprod(values[:0:-1], axis=0)[::-1]
    return products


def _check_table(
    ratings: ArrayLike, deviations: ArrayLike
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    ratings, deviations = np.asarray(ratings, dtype=np.float64), np.asarray(deviations, dtype=np.float64)
    if ratings.ndim != 1 or ratings.shape != deviations.shape or not 1 <= len(ratings) <= MOST_SEATS:
        raise ValueError(
            f"ratings has shape {ratings.shape} and deviations {deviations.shape}: "
            f"both must be (n,), n from 1 to {MOST_SEATS}"
        )
    for name, values, right, allowed in (
        ("rating", ratings, np.isfinite(ratings), "finite"),
        (
            "deviation",
            deviations,
            (deviations >= 0) & (deviations <= MOST_DEVIATION),
            f"0 to {MOST_DEVIATION:g}",
        ),
    ):
        if not right.all():
            seat = int(np.argmin(right))
            raise ValueError(f"{name} of seat {seat} is {float(values[seat])}: it must be {allowed}")
    return ratings, deviations
