"""Histories of ratings, and what they say of any day: the record of whole-history rating."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ludometrics.ratings.checks import check_fields


@dataclass(frozen=True)
class WhrSettings:
    """The prior of a history, the first move, when to stop, and how often a replay fits.

    Attributes
    ----------
    start, start_deviation : float
        Mean and standard deviation of the normal prior of a player's rating on the first day with games, Elo points;
        the deviation above 0.
    drift : float
        Elo points per square root of a day by which ratings wander: r(t2) - r(t1) has a standard deviation of drift
        times the root of the days between. 0 for ratings that never change.
    first_move : float
        Elo points that the first player of a pair has, known beforehand.
    tolerance : float
        Elo points, above 0: the last Newton step.
    max_steps : int
        Newton steps, at least 1.
    refit_every : int
        Games that a chunk of a replay has at least, at least 1.
    refit_days : float
        Days that it lasts at least, at least 0; without times of no effect.
    """

    start: float = 1500.0
    start_deviation: float = 350.0
    drift: float = 3.0
    first_move: float = 0.0
    tolerance: float = 1e-6
    max_steps: int = 100
    refit_every: int = 20
    refit_days: float = 1.0

    def __post_init__(self) -> None:
        check_fields(
            self,
            at_least_0=("drift", "refit_days"),
            above_0=("start_deviation", "tolerance", "max_steps", "refit_every"),
        )


@dataclass(frozen=True)
class WhrRecord:
    """Histories of all players. A node is a player on a day with games; p of them, by player and then by day.

    Attributes
    ----------
    starts : ndarray of int64, shape (m + 1,)
        Nodes at which the players' histories start, and the end: those of player i are starts[i] to starts[i + 1] - 1.
    days : ndarray, shape (p,)
        As the log's times.
    ratings : ndarray, shape (p,)
        Elo points.
    deviations : ndarray, shape (p,)
        Elo points, from the curvature at the top (Laplace): joint or conditional.
    conditional_deviations : ndarray, shape (p,)
        The same as if all other players' ratings were known, as Coulom gives them: never larger than the joint ones.
    covariances : ndarray, shape (p,)
        Covariance of each node with the player's next, of the kind that `deviations` are; 0 at the last.
    joint : bool
        Whether `deviations` are joint, so that they hold the uncertainty of opponents too.
    log_posterior : float
        Natural logarithm, without the constants of the normal densities.
    converged : bool
        Whether the last step was short enough.
    steps : int
        Newton steps made.
    settings : WhrSettings
    """

    starts: NDArray[np.int64]
    days: NDArray[np.float64]
    ratings: NDArray[np.float64]
    deviations: NDArray[np.float64]
    conditional_deviations: NDArray[np.float64]
    covariances: NDArray[np.float64]
    joint: bool
    log_posterior: float
    converged: bool
    steps: int
    settings: WhrSettings


def history(
    record: WhrRecord, player: int
) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]:
    """Give one player's days, ratings and deviations.

    Parameters
    ----------
    record : WhrRecord
    player : int
        Index, 0 to m - 1.

    Returns
    -------
    days, ratings, deviations : ndarray, shape (k,)
        Of the k days on which the player has games; Elo points.

    Raises
    ------
    ValueError
        There is no such player.

    Examples
    --------
    >>> from ludometrics.ratings import whr
    >>> record = whr.fit([[0, 1]], [0.5], [7])
    >>> [values.tolist() for values in history(record, 1)][:2]
    [[7.0], [1500.0]]
    """
    if not 0 <= player < len(record.starts) - 1:
        raise ValueError(f"player is {player}: allowed are 0 to {len(record.starts) - 2}")
    nodes = slice(record.starts[player], record.starts[player + 1])
    return record.days[nodes], record.ratings[nodes], record.deviations[nodes]


def at(
    record: WhrRecord, players: ArrayLike, times: ArrayLike
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Give ratings and deviations of players on any days.

    Between two days with games the rating lies on the straight line, and the deviation is that of a Wiener process
    tied to both; before the first and after the last day the rating stays and the variance grows by drift^2 a day. A
    player without games has the start's.

    Parameters
    ----------
    record : WhrRecord
    players : array_like of int
        Indices, 0 to m - 1.
    times : array_like
        Days; broadcast with the players.

    Returns
    -------
    ratings, deviations : ndarray
        Elo points, in the shape of both together.

    Raises
    ------
    ValueError
        There is no such player, or a time is not finite.

    Examples
    --------
    >>> from ludometrics.ratings import whr
    >>> record = whr.fit([[0, 1]] * 2, [1, 0], [0, 100], settings=WhrSettings(drift=10), n_players=3)
    >>> ratings, deviations = at(record, 0, [0, 50, 100, 200])
    >>> ratings.round(1).tolist(), deviations.round().tolist()
    ([1510.5, 1497.4, 1484.3, 1484.3], [272.0, 278.0, 283.0, 300.0])
    """
    players, times = np.broadcast_arrays(np.asarray(players), np.asarray(times, dtype=np.float64))
    m = len(record.starts) - 1
    wrong = (players < 0) | (players >= m)
    if wrong.any() or not np.issubdtype(players.dtype, np.integer):
        raise ValueError(f"players are {players[wrong].tolist() or players.dtype}: allowed are 0 to {m - 1}")
    if not np.isfinite(times).all():
        raise ValueError(f"times hold {times[~np.isfinite(times)][0]}: they must be finite")
    settings = record.settings
    if not len(record.days):
        return np.full(players.shape, settings.start), np.full(players.shape, settings.start_deviation)
    low, high = _around(record, players, times)
    gap = record.days[high] - record.days[low]
    share = np.divide(times - record.days[low], gap, out=np.zeros(times.shape), where=gap > 0)
    between = gap > 0
    ratings = np.where(
        between, (1 - share) * record.ratings[low] + share * record.ratings[high], record.ratings[low]
    )
    variances = record.deviations**2
    bridge = (
        (1 - share) ** 2 * variances[low]
        + share**2 * variances[high]
        + 2 * share * (1 - share) * record.covariances[low]
        + settings.drift**2 * share * (1 - share) * gap
    )
    grown = variances[low] + settings.drift**2 * np.abs(times - record.days[low])
    none = record.starts[players] == record.starts[players + 1]
    ratings = np.where(none, settings.start, ratings)
    return ratings, np.where(none, settings.start_deviation, np.sqrt(np.where(between, bridge, grown)))


def _around(record: WhrRecord, players: NDArray, times: NDArray) -> tuple[NDArray, NDArray]:
    """Nodes of the player before and after each time; twice the same outside of the history, or 0 without one."""
    known, rank = np.unique(record.days, return_inverse=True)
    player = np.repeat(np.arange(len(record.starts) - 1), np.diff(record.starts))
    keys = player * (len(known) + 1) + rank
    # As many nodes lie below this key as there are up to and including the time, earlier players' among them.
    count = np.searchsorted(keys, players * (len(known) + 1) + np.searchsorted(known, times, side="right"))
    first, last = record.starts[players], np.maximum(record.starts[players], record.starts[players + 1] - 1)
    inside = len(record.days) - 1
    low, high = np.clip(count - 1, first, last), np.clip(count, first, last)
    return np.minimum(low, inside), np.minimum(high, inside)
