"""Whole-history rating: a rating for each player on each day with games, all from the whole log at once.

Unlike a filter, which only learns from what came before, it also corrects the past by what came after: a newcomer who
later proves strong was a strong opponent already.
"""

import warnings
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ludometrics.ratings import whr_newton
from ludometrics.ratings.bradley_terry import ConvergenceWarning, check_game_weights
from ludometrics.ratings.checks import check_games, check_times
from ludometrics.ratings.chunks import chunk_starts
from ludometrics.ratings.glicko1 import expected_score
from ludometrics.ratings.whr_histories import WhrRecord, WhrSettings, at, history

__all__ = ["WhrRecord", "WhrReplay", "WhrSettings", "at", "fit", "history", "replay"]

#: Up to so many nodes deviations are joint by themselves, from a dense inverse.
JOINT_NODES = 3_000


@dataclass(frozen=True)
class WhrReplay:
    """A log played through by fits to all that came before.

    Attributes
    ----------
    ratings : ndarray, shape (m,)
        Elo points after the last game, by the fit to the whole log; of a player without games the start.
    deviations : ndarray, shape (m,)
        Elo points, as of the last day of the log and as if the other players' ratings were known. Of two players who
        met much the same field these give the deviation of the difference.
    games : ndarray of int64, shape (m,)
        Games of weight above 0.
    forecasts : ndarray, shape (n,)
        Expected score of the first player of each game, by the fit to the games before its chunk.
    chunks : ndarray of int64, shape (c + 1,)
        Games at which the chunks start, and the end.
    """

    ratings: NDArray[np.float64]
    deviations: NDArray[np.float64]
    games: NDArray[np.int64]
    forecasts: NDArray[np.float64]
    chunks: NDArray[np.int64]


def fit(
    pairs: ArrayLike,
    outcomes: ArrayLike,
    times: ArrayLike,
    *,
    settings: WhrSettings | None = None,
    n_players: int | None = None,
    weights: ArrayLike | None = None,
    joint: bool | None = None,
    compiled: bool = True,
) -> WhrRecord:
    """Fit histories to a whole log by maximum a posteriori.

    P(i beats j on day t) = 1 / (1 + 10^((r_j(t) - r_i(t) - h)/400)), a draw being half a win and half a loss; the first
    rating of a player ~ N(start, start_deviation^2), and r(t2) - r(t1) ~ N(0, drift^2 |t2 - t1|). Each Newton step is
    solved by conjugate gradients that are preconditioned by the players' histories, whose Hessian is tridiagonal.

    Parameters
    ----------
    pairs : array_like of int, shape (n, 2)
        Indices of the two players of each game.
    outcomes : array_like, shape (n,)
        Score of the first: 0, 0.5 or 1.
    times : array_like, shape (n,)
        Day of each game, never falling. Games of one time share a node; round down for one node a day.
    settings : WhrSettings, optional
    n_players : int, optional
        Number of players m; without it as many as the pairs name.
    weights : array_like, shape (n,) or (n, 2) with equal columns, optional
        How many games each counts as, at least 0; a game of weight 0 is as if absent.
    joint : bool, optional
        Whether deviations are joint; without it up to 3,000 nodes. Beyond, that is a linear system for each node.
    compiled : bool
        False runs the plain twin with dense matrices, equal to 1e-9 and without compilation.

    Returns
    -------
    WhrRecord

    Raises
    ------
    ValueError
        Naming the row and value at fault.

    Warns
    -----
    ConvergenceWarning
        The steps ran out.

    Source
    ------
    Coulom, "Whole-History Rating: A Bayesian Rating System for Players of Time-Varying Strength", Computers and Games
    (2008), for the model and the tridiagonal Hessian of a player. His prior is that of games against a virtual player
    of the start's rating; this one is normal. His steps go from player to player; these move all players at once.

    Examples
    --------
    >>> record = fit([[0, 1]] * 3, [1, 0, 0], [1, 2, 3], settings=WhrSettings(start=0, drift=17.3))
    >>> days, ratings, deviations = history(record, 0)
    >>> days.tolist(), ratings.round(1).tolist(), deviations.round().tolist()
    ([1.0, 2.0, 3.0], [-50.1, -51.3, -51.9], [266.0, 266.0, 266.0])
    """
    settings = settings or WhrSettings()
    pairs, outcomes, m = check_games(pairs, outcomes, n_players=n_players)
    times = check_times(times, len(outcomes))
    weights = check_game_weights(weights, len(outcomes))
    return _fit(pairs, outcomes, times, weights, m, settings, None, joint, compiled)


def replay(
    pairs: ArrayLike,
    outcomes: ArrayLike,
    *,
    times: ArrayLike | None = None,
    settings: WhrSettings | None = None,
    n_players: int | None = None,
    weights: ArrayLike | None = None,
    compiled: bool = True,
) -> WhrReplay:
    """Forecast a log chunk by chunk, each by the fit to all games before it.

    Each fit starts from the one before. A forecast is Glickman's expectancy of the two players' last ratings and of
    their deviations, grown with the days since. The deviations are the conditional ones, which cost next to nothing:
    with 20 to 60 players and 50 to 60 games each the log loss of joint ones lay within 0.001 of theirs.

    Parameters
    ----------
    pairs : array_like of int, shape (n, 2)
        Indices of the two players of each game.
    outcomes : array_like, shape (n,)
        Score of the first: 0, 0.5 or 1.
    times : array_like, shape (n,), optional
        Day of each game, never falling. Games of one time stand in one chunk, so that none is forecast by another.
        Without times ratings do not wander.
    settings : WhrSettings, optional
    n_players : int, optional
        Number of players m; without it as many as the pairs name.
    weights : array_like, shape (n,), optional
        As `fit` takes them.
    compiled : bool
        As `fit` takes it.

    Returns
    -------
    WhrReplay
        Forecasts of the first chunk are those of two newcomers.

    Raises
    ------
    ValueError
        Naming the row and value at fault.

    Warns
    -----
    ConvergenceWarning
        The steps ran out in a fit.

    Source
    ------
    Own; the expectancy is that of Glickman, "The Glicko system".

    Examples
    --------
    >>> record = replay([[0, 1]] * 3, [1, 1, 1], times=[0, 1, 2], settings=WhrSettings(refit_every=1))
    >>> record.forecasts.round(3).tolist()
    [0.5, 0.718, 0.785]
    """
    settings = settings or WhrSettings()
    pairs, outcomes, m = check_games(pairs, outcomes, n_players=n_players)
    chunks = chunk_starts(
        times, len(outcomes), refit_every=settings.refit_every, refit_days=settings.refit_days
    )
    times = check_times(times, len(outcomes))
    weights = check_game_weights(weights, len(outcomes))
    forecasts, record = np.empty(len(outcomes)), None
    for low, high in zip(chunks, [*chunks[1:], len(outcomes)], strict=True):
        log = (pairs[:low], outcomes[:low], times[:low], weights[:low])
        record = _fit(*log, m, settings, record, False, compiled)
        (first, second), when = pairs[low:high].T, times[low:high]
        rating, deviation = at(record, first, when)
        opponent, opponent_deviation = at(record, second, when)
        forecasts[low:high] = expected_score(
            rating + settings.first_move, opponent, deviation, opponent_deviation
        )
    ratings, deviations = at(record, np.arange(m), times[-1] if len(times) else 0.0)
    games = np.bincount(pairs[weights > 0].ravel(), minlength=m)
    return WhrReplay(ratings, deviations, games, forecasts, chunks)


def _fit(
    pairs: NDArray,
    outcomes: NDArray,
    times: NDArray,
    weights: NDArray,
    n_players: int,
    settings: WhrSettings,
    earlier: WhrRecord | None,
    joint: bool | None,
    compiled: bool,
) -> WhrRecord:
    """Fit to a checked log, from where an earlier fit to its beginning left the players."""
    starts, days, histories = _gather(pairs, outcomes, times, weights, n_players, settings)
    x = np.zeros(len(days))
    if earlier is not None:
        x = at(earlier, np.repeat(np.arange(n_players), np.diff(starts)), days)[0] - settings.start
    x, height, converged, steps = whr_newton.maximise(
        histories, x, tolerance=settings.tolerance, max_steps=settings.max_steps, compiled=compiled
    )
    if not converged:
        warnings.warn(
            f"not converged after {steps} steps on {len(outcomes)} games: ratings are not the likeliest ones",
            ConvergenceWarning,
            stacklevel=3,
        )
    joint = len(days) <= JOINT_NODES if joint is None else joint
    bends = whr_newton.slopes(*histories, x)[2]
    springs = (histories.nodes, bends, histories.own, histories.link)
    variances, covariances = conditional, _ = whr_newton.conditional_variances(*springs)
    if joint:
        variances, covariances = whr_newton.joint_variances(*springs, dense=len(days) <= JOINT_NODES)
    return WhrRecord(
        starts,
        days,
        x + settings.start,
        np.sqrt(variances),
        np.sqrt(conditional),
        covariances,
        joint,
        height,
        converged,
        steps,
        settings,
    )


def _gather(
    pairs: NDArray, outcomes: NDArray, times: NDArray, weights: NDArray, n_players: int, settings: WhrSettings
) -> tuple[NDArray[np.int64], NDArray[np.float64], whr_newton.Histories]:
    """Nodes by player and day, and what is maximised over their ratings."""
    used = weights > 0
    if not used.all():
        pairs, outcomes, times, weights = pairs[used], outcomes[used], times[used], weights[used]
    seats, days = pairs.reshape(-1), np.repeat(times, 2)
    order = np.argsort(seats, kind="stable")  # by player and, since times never fall, by day
    player, day = seats[order], days[order]
    fresh = np.ones(len(order), dtype=bool)
    fresh[1:] = player[1:] != player[:-1]
    if settings.drift > 0:
        fresh[1:] |= day[1:] != day[:-1]
    nodes = np.empty(len(order), dtype=np.int64)
    nodes[order] = np.cumsum(fresh) - 1
    player, day = player[fresh], day[fresh]
    starts = np.searchsorted(player, np.arange(n_players + 1)).astype(np.int64)
    own, link = np.zeros(len(day)), np.zeros(len(day))
    own[starts[:-1][np.diff(starts) > 0]] = settings.start_deviation**-2
    same = np.flatnonzero(player[1:] == player[:-1])
    link[same] = 1.0 / (settings.drift**2 * (day[same + 1] - day[same]))
    return (
        starts,
        day,
        whr_newton.Histories(nodes.reshape(-1, 2), outcomes, weights, own, link, settings.first_move),
    )
