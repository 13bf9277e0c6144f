"""Chunks of a log for forecasts by fits to all that came before."""

import math

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ludometrics.ratings.checks import check_times


def chunk_starts(
    times: ArrayLike | None, n_games: int, *, refit_every: int = 1, refit_days: float = 0.0
) -> NDArray[np.int64]:
    """Cut a log into chunks of at least so many games and so many days, never between games of one time.

    Parameters
    ----------
    times : array_like, shape (n,), optional
        Days, never falling. Without them only the number of games counts.
    n_games : int
    refit_every : int
        At least 1.
    refit_days : float
        At least 0.

    Returns
    -------
    ndarray of int64, shape (c + 1,)
        Games at which the chunks start, and the end.

    Raises
    ------
    ValueError
        Naming the value at fault.

    Examples
    --------
    >>> chunk_starts([0, 0, 0, 1, 5, 5], 6, refit_every=2).tolist()
    [0, 3, 6]
    """
    if not (isinstance(refit_every, int | np.integer) and refit_every >= 1):
        raise ValueError(f"refit_every is {refit_every!r}: it must be a whole number of games, at least 1")
    if not (math.isfinite(refit_days) and refit_days >= 0):
        raise ValueError(f"refit_days is {refit_days}: it must be finite and at least 0")
    days = None if times is None else check_times(times, n_games)
    starts = [0]
    while n_games and starts[-1] < n_games:
        low = starts[-1]
        high = low + int(refit_every)
        if days is not None:
            high = max(high, int(np.searchsorted(days, days[low] + refit_days)))
            high = high if high >= n_games else int(np.searchsorted(days, days[high - 1], side="right"))
        starts.append(min(high, n_games))
    return np.array(starts, dtype=np.int64)
