"""Whether final ratings agree with the results they are made of: Kendall's tau-b among regulars.

In-sample, so that agreement only shows that nothing is turned round; ratings weigh who was met, and results do not.
"""

from itertools import permutations
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import sparse, stats

from ludometrics.boardgames.engine import RatedLog
from ludometrics.boardgames.standings import REGULAR_PLAYS
from ludometrics.boardgames.stats import seat_results
from ludometrics.evaluation.bootstrap import percentile_ends
from ludometrics.evaluation.clusters import draw_units

#: How many regulars it takes.
LEAST_REGULARS = 5
#: People up to whom all orders are gone through where some are equal.
FEW = 8


class Agreement(NamedTuple):
    """Agreement of ratings and results.

    Attributes
    ----------
    tau, low, high : float
        Kendall's tau-b, and its interval with the results resampled by plays, the ratings as they are.
    n : int
        People.
    luck : float
        Chance of a tau at least as large if every order of the results were as likely.
    note : str
        What else should be said, or "".
    """

    tau: float
    low: float
    high: float
    n: int
    luck: float
    note: str


def agreement_of_scores(
    rated: RatedLog, *, replicates: int, level: float, rng: np.random.Generator
) -> Agreement | None:
    """Agreement of final ratings with mean scores of pairs, guests included, among regulars.

    A pair's score is 1, 0.5 or 0 whatever the size of the table. Pairs whose order is not known are left out.

    Parameters
    ----------
    rated : RatedLog
    replicates, level, rng
        As in `evaluation.cluster_interval`.

    Returns
    -------
    Agreement or None
        None with fewer than `LEAST_REGULARS` people of `REGULAR_PLAYS` rated plays, or where all are equal.
    """
    results = seat_results(rated)
    return _agree(rated, results.actual, results.pairs, "", replicates=replicates, level=level, rng=rng)


def agreement_of_wins(
    rated: RatedLog, *, replicates: int, level: float, rng: np.random.Generator
) -> Agreement | None:
    """Agreement of final ratings with shares of wins among regulars, the author's own form.

    Winner marks give the wins, and where a play has none the best rank. Unfair to those who sit at large tables: the
    note has the tau of wins less 1/n a play, n the seats.

    Parameters
    ----------
    rated, replicates, level, rng
        As in `agreement_of_scores`.

    Returns
    -------
    Agreement or None
        As `agreement_of_scores`.

    Source
    ------
    The author of bgelo.
    """
    schedule = rated.schedule
    play = schedule.play_of_seat
    rows = zip(schedule.play[play].tolist(), schedule.seat.tolist(), strict=True)
    marked = np.array([rated.log.plays[at].seats[seat].winner for at, seat in rows], dtype=bool)
    some = np.bincount(play, marked, len(schedule.play)) > 0
    won = np.where(some[play], marked, schedule.rank == 1).astype(np.float64)
    ones = np.ones(len(won))
    regular, ratings = _regulars(rated)
    note = ""
    if len(regular) >= LEAST_REGULARS:
        fair = _by_person(rated, regular, won - 1.0 / np.diff(schedule.starts)[play])
        count = _by_person(rated, regular, ones)
        extra = kendall(ratings, np.asarray(fair.sum(axis=0)) / np.asarray(count.sum(axis=0)))[0]
        note = f"; of wins less 1/n {extra:.3f}"
    return _agree(rated, won, ones, note, replicates=replicates, level=level, rng=rng)


def kendall(values: ArrayLike, rows: ArrayLike) -> NDArray[np.float64]:
    """Kendall's tau-b of some values with each of many rows.

    Parameters
    ----------
    values : array_like, shape (m,)
    rows : array_like, shape (b, m) or (m,)

    Returns
    -------
    ndarray, shape (b,)
        In [-1, 1]; NaN where all values of one side are equal.

    Source
    ------
    Kendall, The treatment of ties in ranking problems, Biometrika 33 (1945).

    Examples
    --------
    >>> kendall([1, 2, 3, 4], [[1, 2, 3, 4], [2, 1, 3, 4], [1, 1, 2, 2]]).round(4).tolist()
    [1.0, 0.6667, 0.8165]
    """
    values, rows = np.asarray(values, dtype=np.float64), np.atleast_2d(np.asarray(rows, dtype=np.float64))
    first, second = np.triu_indices(len(values), 1)
    signs = np.sign(values[first] - values[second])
    block = max(1, (1 << 22) // max(1, len(first)))
    parts = []
    for start in range(0, len(rows), block):
        part = rows[start : start + block]
        others = np.sign(part[:, first] - part[:, second])
        size = np.abs(signs).sum() * np.abs(others).sum(axis=1)
        tau = np.full(len(part), np.nan)
        np.divide((signs * others).sum(axis=1), np.sqrt(size), out=tau, where=size > 0.0)
        parts.append(tau)
    return np.concatenate(parts)


def luck_of(values: NDArray[np.float64], results: NDArray[np.float64]) -> float:
    """Chance of a tau at least as large if every order of the results were as likely.

    Exact without ties up to 33 people, and with ties up to `FEW`; beyond, by the normal approximation.

    Examples
    --------
    >>> round(luck_of(np.arange(5.0), np.arange(5.0)), 6)
    0.008333
    """
    tied = min(len(np.unique(values)), len(np.unique(results))) < len(values)
    if tied and len(values) <= FEW:
        orders = results[np.array(list(permutations(range(len(results)))))]
        return float(np.mean(kendall(values, orders) >= kendall(values, results)[0] - 1e-12))
    return float(stats.kendalltau(values, results, alternative="greater").pvalue)


def _agree(
    rated: RatedLog,
    points: NDArray[np.float64],
    counts: NDArray,
    note: str,
    *,
    replicates: int,
    level: float,
    rng: np.random.Generator,
) -> Agreement | None:
    """Agreement of ratings with points/counts, both given by seat."""
    regular, ratings = _regulars(rated)
    if len(regular) < LEAST_REGULARS:
        return None
    points, counts = _by_person(rated, regular, points), _by_person(rated, regular, counts)
    results = np.asarray(points.sum(axis=0)) / np.asarray(counts.sum(axis=0))
    (tau,) = kendall(ratings, results)
    if np.isnan(tau):
        return None
    drawn = []
    for times in draw_units(points.shape[0], replicates, rng=rng):
        have = counts.T @ times.T
        means = np.zeros(have.shape)
        np.divide(points.T @ times.T, have, out=means, where=have > 0.0)
        drawn.append(kendall(ratings, means.T))
    (low,), (high,) = percentile_ends(np.concatenate(drawn)[:, None], points.shape[0], level=level)
    return Agreement(float(tau), float(low), float(high), len(regular), luck_of(ratings, results), note)


def _regulars(rated: RatedLog) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """Places of the regulars among the people, and their final ratings."""
    regular = np.flatnonzero(rated.ratings.plays >= REGULAR_PLAYS)
    return regular, rated.ratings.rating[regular]


def _by_person(rated: RatedLog, regular: NDArray[np.int64], values: NDArray) -> sparse.csr_array:
    """Values of seats as a table of plays and regulars."""
    schedule = rated.schedule
    column = np.full(len(schedule.people) + 1, -1)  # the last is for -1, a guest
    column[regular] = np.arange(len(regular))
    place = column[schedule.person]
    seats = np.flatnonzero(place >= 0)
    cells = (values[seats].astype(np.float64), (schedule.play_of_seat[seats], place[seats]))
    return sparse.csr_array(cells, shape=(len(schedule.play), len(regular)))
