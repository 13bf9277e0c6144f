"""How well estimated ratings recover true strengths: their order, their distances, and their deviations.

Games tell only differences, so ratings may be off by any constant; every measure here leaves that constant out.
Errors and coverage of ratings that count a draw as half are measured against `World.ideal_ratings`: where there are
draws, or strength is not all, these and not the strengths are what such ratings tend to. A system with Davidson's own
model of draws tends to `World.final_strengths`. The order is the same in both where strength is all.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import stats


class Coverage(NamedTuple):
    """Share of intervals that hold the truth.

    `players` of `n_players` intervals of single ratings, `pairs` of `n_pairs` intervals of differences. Neither are
    independent within a world: the unit of an interval for these shares is the world.
    """

    players: float
    pairs: float
    n_players: int
    n_pairs: int


def kendall_tau(ratings: ArrayLike, strengths: ArrayLike, active: ArrayLike | None = None) -> float:
    """Agreement of two orders: Kendall's tau-b, (right - wrong pairs)/sqrt((pairs untied in each)).

    Parameters
    ----------
    ratings, strengths : array_like, shape (m,)
        Estimates and truth, in any unit.
    active : array_like of bool, shape (m,), optional
        Players who count, at least two, for instance those with enough games; by default all.

    Returns
    -------
    float
        From -1 to 1; NaN where all ratings, or all strengths, are equal.

    Raises
    ------
    ValueError
        Arrays of different length, fewer than two active players, a value of theirs that is not finite.

    Source
    ------
    Kendall, The treatment of ties in ranking problems, Biometrika 33 (1945) 239-251.

    Examples
    --------
    >>> round(kendall_tau([3, 1, 2], [30, 20, 10]), 4)
    0.3333
    """
    ratings, strengths = _active(active, ratings=ratings, strengths=strengths)
    return float(stats.kendalltau(ratings, strengths).statistic)


def centred_error(ratings: ArrayLike, strengths: ArrayLike, active: ArrayLike | None = None) -> float:
    """Root mean square of (rating - strength), its mean taken off first.

    Parameters
    ----------
    ratings, strengths : array_like, shape (m,)
        Elo points.
    active : array_like of bool, shape (m,), optional
        As in `kendall_tau`; the mean too is over active players alone.

    Returns
    -------
    float
        Elo points. Holds both noise and a scale that is too wide or too narrow.

    Raises
    ------
    ValueError
        As `kendall_tau`.

    Source
    ------
    Own.

    Examples
    --------
    >>> centred_error([1510, 1490], [5, 5])
    10.0
    """
    ratings, strengths = _active(active, ratings=ratings, strengths=strengths)
    return float(np.std(ratings - strengths))


def coverage(
    ratings: ArrayLike,
    deviations: ArrayLike,
    strengths: ArrayLike,
    *,
    level: float = 0.95,
    active: ArrayLike | None = None,
) -> Coverage:
    """Share of true strengths, and of true differences, within the intervals that ratings claim.

    Pairs: |(r_i - r_j) - (s_i - s_j)| <= z sqrt(v_i + v_j), v = deviation^2. This needs no alignment, and is how a
    table of ratings is read. Players: the common offset c is the mean of r - s weighted by p_i = (1/v_i)/sum(1/v),
    and |r_i - s_i - c| <= z sqrt(v_i (1 - p_i)), since c follows each player's own error by its weight. Both have the
    stated level where errors are independent and normal with these deviations. Errors that players share, as those
    whose ratings hang on each other's, leave differences better known than that: `pairs` is then above the level.

    Parameters
    ----------
    ratings, deviations, strengths : array_like, shape (m,)
        Elo points; deviations above 0.
    level : float
        Of the intervals, in (0, 1).
    active : array_like of bool, shape (m,), optional
        As in `kendall_tau`.

    Returns
    -------
    Coverage

    Raises
    ------
    ValueError
        As `kendall_tau`; a deviation of an active player that is not above 0; a level outside (0, 1).

    Source
    ------
    Own.

    Examples
    --------
    >>> coverage([1500, 1600, 1400], [10, 10, 10], [0, 100, -150])
    Coverage(players=0.0, pairs=0.333..., n_players=3, n_pairs=3)
    """
    if not 0 < level < 1:
        raise ValueError(f"level is {level!r}: it must lie between 0 and 1")
    ratings, deviations, strengths = _active(
        active, ratings=ratings, deviations=deviations, strengths=strengths
    )
    if (deviations <= 0).any():
        raise ValueError(f"deviations hold {deviations.min():g}: those of active players must be above 0")
    z = float(stats.norm.ppf((1.0 + level) / 2.0))
    errors, variances = ratings - strengths, deviations**2
    shares = 1.0 / variances / np.sum(1.0 / variances)
    own = np.abs(errors - shares @ errors) <= z * np.sqrt(variances * (1.0 - shares))
    one, other = np.triu_indices(len(errors), 1)
    both = np.abs(errors[one] - errors[other]) <= z * np.sqrt(variances[one] + variances[other])
    return Coverage(float(own.mean()), float(both.mean()), len(own), len(both))


def big_picture(
    ratings: ArrayLike, strengths: ArrayLike, active: ArrayLike | None = None, *, gap: float
) -> float:
    """Share of pairs of players at least `gap` apart in strength that ratings put in the right order.

    Parameters
    ----------
    ratings : array_like, shape (m,)
        In any unit; a tie counts as half right.
    strengths : array_like, shape (m,)
        Elo points.
    active : array_like of bool, shape (m,), optional
        As in `kendall_tau`.
    gap : float
        Elo points, above 0: nearer strengths are details.

    Returns
    -------
    float
        In [0, 1]; 1 means that the big picture is right. NaN where no two players are so far apart.

    Raises
    ------
    ValueError
        As `kendall_tau`; a gap that is not above 0.

    Source
    ------
    Own.

    Examples
    --------
    >>> big_picture([1400, 1350, 1420, 900], [1319, 1430, 1314, 744], gap=100)
    0.6
    """
    if not gap > 0:
        raise ValueError(f"gap is {gap!r}: it must be above 0")
    ratings, strengths = _active(active, ratings=ratings, strengths=strengths)
    lower, upper = np.nonzero(strengths[None, :] - strengths[:, None] >= gap)
    if not len(lower):
        return float("nan")
    return float(np.mean(0.5 + 0.5 * np.sign(ratings[upper] - ratings[lower])))


def _active(active: ArrayLike | None, **columns: ArrayLike) -> list[NDArray[np.float64]]:
    """Values of active players, checked."""
    arrays = {name: np.asarray(values, dtype=np.float64) for name, values in columns.items()}
    m = len(next(iter(arrays.values()))) if next(iter(arrays.values())).ndim else 0
    mask = np.ones(m, dtype=bool) if active is None else np.asarray(active)
    for name, values in {"active": mask, **arrays}.items():
        if values.shape != (m,):
            raise ValueError(f"{name} has shape {values.shape}: it must be ({m},), one for each player")
    if mask.dtype != bool:
        raise ValueError(f"active holds {mask.dtype}: it must hold True or False")
    if mask.sum() < 2:
        raise ValueError(f"{mask.sum()} players are active: at least two are needed")
    for name, values in arrays.items():
        wrong = mask & ~np.isfinite(values)
        if wrong.any():
            player = int(np.argmax(wrong))
            raise ValueError(f"{name} of player {player} is {values[player]}: it must be a finite number")
    return [values[mask] for values in arrays.values()]
