"""Systems that fit a whole log at once, as systems that play it through: refitted as the log goes on."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ludometrics.ratings import bradley_terry, whr
from ludometrics.ratings.checks import check_fields, check_games, check_times, check_weights


@dataclass(frozen=True)
class BradleyTerrySettings:
    """The prior, and how often the log is fitted anew.

    Attributes
    ----------
    start, start_deviation : float
        Mean and deviation of the normal prior of a rating, Elo points; the deviation above 0.
    first_move : bool
        Estimate Elo points that the first player of a pair has.
    first_move_deviation : float
        Deviation of their normal prior, Elo points, above 0.
    refit_every : int
        Games between two fits, at least 1.
    """

    start: float = 1500.0
    start_deviation: float = 350.0
    first_move: bool = False
    first_move_deviation: float = 100.0
    refit_every: int = 100

    def __post_init__(self) -> None:
        check_fields(self, above_0=("start_deviation", "first_move_deviation", "refit_every"))


@dataclass(frozen=True)
class RefittedRecord:
    """Ratings after the fit to a whole log.

    Attributes
    ----------
    ratings, deviations : ndarray, shape (m,)
        Elo points, on the last day of the log; deviations from the curvature of the posterior, all players together.
    games : ndarray of int64, shape (m,)
        Games played.
    forecasts : ndarray, shape (n,)
        Expected score of the first player of each game, by the fit to the games before.
    advantage : float
        Elo points that the first player has.
    """

    ratings: NDArray[np.float64]
    deviations: NDArray[np.float64]
    games: NDArray[np.int64]
    forecasts: NDArray[np.float64]
    advantage: float = 0.0


class BradleyTerryRefitted(RefittedRecord):
    """A log played through by `replay_bradley_terry`."""


class WhrRefitted(RefittedRecord):
    """A log played through by `replay_whr`."""


def replay_bradley_terry(
    pairs: ArrayLike,
    outcomes: ArrayLike,
    *,
    times: ArrayLike | None = None,
    weights: ArrayLike | None = None,
    settings: BradleyTerrySettings | None = None,
    n_players: int | None = None,
) -> BradleyTerryRefitted:
    """Play a log through by Bradley-Terry, fitted anew to all games so far every so many games.

    Parameters
    ----------
    pairs : array_like of int, shape (n, 2)
        Indices of the two players of each game, in order of time.
    outcomes : array_like, shape (n,)
        Score of the first: 0, 0.5 or 1.
    times : array_like, shape (n,), optional
        Day of each game, never falling: games of one time are not forecast by one another.
    weights : array_like, shape (n,) or (n, 2), optional
        How many games each counts as; of two different ones the mean.
    settings : BradleyTerrySettings, optional
    n_players : int, optional
        Number of players m; without it as many as the pairs name.

    Returns
    -------
    BradleyTerryRefitted

    Raises
    ------
    ValueError
        Naming the row and value at fault.

    Source
    ------
    Own; the fits are those of `bradley_terry`.

    Examples
    --------
    >>> record = replay_bradley_terry([[0, 1]] * 3, [1, 1, 0], settings=BradleyTerrySettings(refit_every=1))
    >>> record.forecasts.round(3).tolist()
    [0.5, 0.816, 0.878]
    """
    settings = settings or BradleyTerrySettings()
    pairs, outcomes, m = check_games(pairs, outcomes, n_players=n_players)
    weights = check_weights(weights, len(outcomes)).mean(axis=1)
    prior = {
        "weights": weights,
        "prior_deviation": settings.start_deviation,
        "reference_rating": settings.start,
        "first_move": settings.first_move,
        "first_move_deviation": settings.first_move_deviation,
        "n_players": m,
    }
    games = np.bincount(pairs[weights > 0].ravel(), minlength=m)
    if m == 0:
        return BradleyTerryRefitted(np.empty(0), np.empty(0), games, np.empty(0))
    record = bradley_terry.replay(pairs, outcomes, times=times, refit_every=settings.refit_every, **prior)
    if not len(outcomes):
        deviations = np.full(m, settings.start_deviation)
        return BradleyTerryRefitted(np.full(m, settings.start), deviations, games, record.forecasts)
    last = bradley_terry.fit(pairs, outcomes, **prior)
    return BradleyTerryRefitted(last.ratings, last.errors, games, record.forecasts, last.first_move)


def replay_whr(
    pairs: ArrayLike,
    outcomes: ArrayLike,
    *,
    times: ArrayLike | None = None,
    weights: ArrayLike | None = None,
    settings: whr.WhrSettings | None = None,
    n_players: int | None = None,
) -> WhrRefitted:
    """Play a log through by whole-history rating, fitted anew to all games so far every day.

    Parameters
    ----------
    pairs, outcomes, n_players
        As `replay_bradley_terry` takes them.
    times : array_like, shape (n,), optional
        Day of each game, never falling; the part of a day does not count. Without times all games are of one day.
    weights : array_like, shape (n,) or (n, 2), optional
        How many games each counts as; of two different ones the mean.
    settings : whr.WhrSettings, optional

    Returns
    -------
    WhrRefitted

    Raises
    ------
    ValueError
        Naming the row and value at fault.

    Source
    ------
    Own; the fits are those of `whr`.

    Examples
    --------
    >>> record = replay_whr([[0, 1]] * 3, [1, 1, 1], times=[0, 1, 2])
    >>> record.forecasts.round(3).tolist()
    [0.5, 0.718, 0.785]
    """
    settings = settings or whr.WhrSettings()
    pairs, outcomes, m = check_games(pairs, outcomes, n_players=n_players)
    days = np.floor(check_times(times, len(outcomes)))
    weights = check_weights(weights, len(outcomes)).mean(axis=1)
    games = np.bincount(pairs[weights > 0].ravel(), minlength=m)
    if not len(outcomes):
        return WhrRefitted(
            np.full(m, settings.start), np.full(m, settings.start_deviation), games, np.empty(0)
        )
    given = {"settings": settings, "n_players": m, "weights": weights}
    record = whr.replay(pairs, outcomes, times=days, **given)
    last = whr.fit(pairs, outcomes, days, **given)
    ratings, deviations = whr.at(last, np.arange(m), np.full(m, days[-1]))
    return WhrRefitted(ratings, deviations, games, record.forecasts, settings.first_move)
