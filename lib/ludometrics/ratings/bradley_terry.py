"""Bradley-Terry: the ratings under which a whole log is likeliest, whatever the order of its games."""

import math
import warnings

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ludometrics.ratings.bradley_terry_existence import obstacle
from ludometrics.ratings.bradley_terry_newton import (
    DENSE_PLAYERS,
    Cells,
    Problem,
    errors_of,
    expect,
    gap_variances,
    gather,
    known_precision,
    log_likelihood,
    maximise,
)
from ludometrics.ratings.bradley_terry_records import (
    BradleyTerryRecord,
    BradleyTerryReplay,
    BradleyTerrySettings,
    ConvergenceWarning,
    SeparationWarning,
)
from ludometrics.ratings.checks import check_games, check_weights
from ludometrics.ratings.chunks import chunk_starts
from ludometrics.ratings.glicko1 import expected_score

__all__ = [
    "BradleyTerryRecord",
    "BradleyTerryReplay",
    "BradleyTerrySettings",
    "ConvergenceWarning",
    "SeparationWarning",
    "check_game_weights",
    "fit",
    "replay",
]


def fit(
    pairs: ArrayLike,
    outcomes: ArrayLike,
    *,
    n_players: int | None = None,
    reference: int = 0,
    reference_rating: float = 0.0,
    weights: ArrayLike | None = None,
    prior_deviation: float | None = None,
    first_move: bool = False,
    first_move_deviation: float | None = None,
    errors: bool = True,
    sparse: bool | None = None,
    max_steps: int = 100,
) -> BradleyTerryRecord:
    """Fit ratings to a log by maximum likelihood, or to log and prior by maximum a posteriori, by Newton's method.

    P(i beats j) = 1 / (1 + 10^((r_j - r_i - h)/400)), h being the first move or 0; a draw is half a win and half a
    loss. The natural logarithm of the odds is the difference of ratings times ln(10)/400.

    Parameters
    ----------
    pairs : array_like of int, shape (n, 2)
        Indices of the two players of each game.
    outcomes : array_like, shape (n,)
        Score of the first: 0, 0.5 or 1.
    n_players : int, optional
        Number of players m; without it as many as the pairs name.
    reference : int
        Player whose rating is given, since games tell only differences. With a prior all ratings are free and no
        player is the reference.
    reference_rating : float
        Elo points: the rating of the reference, or the centre of the prior.
    weights : array_like, shape (n,) or (n, 2) with equal columns, optional
        How many games each counts as in the likelihood, at least 0; a game of weight 0 is as if absent. For the robust
        errors a game of weight 2 is one game that counts twice and not two that came out alike.
    prior_deviation : float, optional
        Elo points, above 0: every rating has an independent normal prior of this deviation about `reference_rating`.
        A penalty of alpha times the sum of squared natural abilities is a deviation of 400/ln(10) / sqrt(2 alpha).
    first_move : bool
        Estimate Elo points that are added to the first player of each pair.
    first_move_deviation : float, optional
        Elo points, above 0: deviation of a normal prior about 0 for the first move; without it there is none.
    errors : bool
        False leaves the errors out: NaN. They are exact either way, but beyond 1,500 players a linear system for each
        player: minutes for 10,000 players with a million games, where the ratings take seconds.
    sparse : bool, optional
        Whether to do without matrices of m x m, by conjugate gradients; without it from 1,500 players on.
    max_steps : int
        Newton steps, at least 1.

    Returns
    -------
    BradleyTerryRecord

    Raises
    ------
    ValueError
        No finite ratings fit: without a prior, some group of players never scored against the rest, or never met it;
        or the first move decided every game.

    Warns
    -----
    SeparationWarning
        The same, where the prior gives finite ratings still.
    ConvergenceWarning
        The steps ran out.

    Source
    ------
    Bradley and Terry, Biometrika 39 (1952) 324-345; existence of the estimate by Ford, American Mathematical
    Monthly 64 (1957) 28-33; first move by Davidson and Beaver, Biometrics 33 (1977) 693-702; robust errors by White's
    formula, games being the units, and with the prior's precision among what is spread.

    Examples
    --------
    >>> record = fit([[0, 1]] * 4, [1, 1, 1, 0])
    >>> record.ratings.round(2).tolist()  # odds of three to one
    [0.0, -190.85]
    >>> record = fit([[0, 1], [1, 0]] * 4, [1, 1, 1, 1, 1, 1, 0, 0], first_move=True)
    >>> round(record.first_move, 2)
    190.85
    """
    pairs, outcomes, m = check_games(pairs, outcomes, n_players=n_players)
    weights = check_game_weights(weights, len(outcomes))
    if not 0 <= reference < m:
        raise ValueError(f"reference is {reference}: allowed are 0 to {m - 1}")
    if max_steps < 1:
        raise ValueError(f"max_steps is {max_steps}: it must be at least 1")
    sparse = m > DENSE_PLAYERS if sparse is None else sparse
    problem = _problem(
        gather(pairs, outcomes, weights, m),
        m,
        reference,
        prior_deviation,
        first_move,
        first_move_deviation,
        sparse,
    )
    separated = _check_exists(problem)
    x, converged, steps = maximise(problem, np.zeros(m + 1), max_steps=max_steps)
    if not converged:
        warnings.warn(
            f"not converged after {steps} steps: ratings are not the likeliest ones",
            ConvergenceWarning,
            stacklevel=2,
        )
    spreads = errors_of(problem, x) if errors else np.full((2, m + 1), math.nan)
    return BradleyTerryRecord(
        x[:-1] + reference_rating,
        spreads[0][:-1],
        spreads[1][:-1],
        log_likelihood(problem.cells, x),
        float(x[-1]),
        float(spreads[0][-1]) if first_move else 0.0,
        separated,
        converged,
        steps,
    )


def replay(
    pairs: ArrayLike,
    outcomes: ArrayLike,
    *,
    times: ArrayLike | None = None,
    weights: ArrayLike | None = None,
    settings: BradleyTerrySettings | None = None,
    n_players: int | None = None,
    sparse: bool | None = None,
) -> BradleyTerryReplay:
    """Forecast a log chunk by chunk, each by the fit to all games before it, which starts from the fit before.

    Parameters
    ----------
    pairs : array_like of int, shape (n, 2)
        Indices of the two players of each game, in order of time.
    outcomes : array_like, shape (n,)
        Score of the first: 0, 0.5 or 1.
    times : array_like, shape (n,), optional
        Day of each game, never falling. With it games of one time stand in one chunk, so that none is forecast by
        another.
    weights : array_like, shape (n,), optional
        As `fit` takes them.
    settings : BradleyTerrySettings, optional
    n_players : int, optional
        Number of players m; without it as many as the pairs name.
    sparse : bool, optional
        As `fit` takes it.

    Returns
    -------
    BradleyTerryReplay
        Forecasts of the first chunk are 0.5.

    Raises
    ------
    ValueError
        Naming the row and value at fault.

    Source
    ------
    Own.

    Examples
    --------
    >>> record = replay([[0, 1]] * 3, [1, 1, 1], settings=BradleyTerrySettings(refit_every=1))
    >>> record.forecasts.round(3).tolist()
    [0.5, 0.693, 0.771]
    """
    settings = settings or BradleyTerrySettings()
    pairs, outcomes, m = check_games(pairs, outcomes, n_players=n_players)
    weights = check_game_weights(weights, len(outcomes))
    chunks = chunk_starts(
        times, len(outcomes), refit_every=settings.refit_every, refit_days=settings.refit_days
    )
    sparse = m > DENSE_PLAYERS if sparse is None else sparse
    priors = (settings.prior_deviation, settings.first_move, settings.first_move_deviation)
    x, forecasts = np.zeros(m + 1), np.empty(len(outcomes))
    for low, high in zip(chunks, [*chunks[1:], len(outcomes)], strict=True):
        problem = _problem(gather(pairs[:low], outcomes[:low], weights[:low], m), m, 0, *priors, sparse)
        x, converged, steps = maximise(problem, x, max_steps=100)
        if not converged:
            warnings.warn(
                f"not converged after {steps} steps on {low} games", ConvergenceWarning, stacklevel=2
            )
        first, second = pairs[low:high].T
        forecasts[low:high] = expect(first, second, x)
        if settings.shrink:
            gaps = x[first] - x[second] + x[-1]
            spread = np.sqrt(gap_variances(problem, x, first, second))
            forecasts[low:high] = expected_score(gaps, 0.0, spread)
    return BradleyTerryReplay(
        x[:-1] + settings.start,
        known_precision(problem, x)[:-1] ** -0.5,
        np.bincount(pairs[weights > 0].ravel(), minlength=m),
        forecasts,
        float(x[-1]),
        chunks,
    )


def check_game_weights(weights: ArrayLike | None, n_games: int) -> NDArray[np.float64]:
    """Check weights of games, one for both players of a pair; without them all are 1.

    Examples
    --------
    >>> check_game_weights(None, 2).tolist()
    [1.0, 1.0]
    """
    both = check_weights(weights, n_games)
    uneven = both[:, 0] != both[:, 1]
    if uneven.any():
        row = int(np.argmax(uneven))
        raise ValueError(
            f"weights of game {row} are {both[row].tolist()}: here a game has one weight for both players"
        )
    return both[:, 0].copy()


def _problem(
    cells: Cells,
    n_players: int,
    reference: int,
    prior_deviation: float | None,
    first_move: bool,
    first_move_deviation: float | None,
    sparse: bool,
) -> Problem:
    precision, free = np.zeros(n_players + 1), np.ones(n_players + 1, dtype=bool)
    for name, deviation in (
        ("prior_deviation", prior_deviation),
        ("first_move_deviation", first_move_deviation),
    ):
        if deviation is not None and not 0 < deviation < math.inf:
            raise ValueError(f"{name} is {deviation}: it must be finite and above 0")
    free[-1] = first_move
    if prior_deviation is None:
        free[reference] = False
    else:
        precision[:-1] = prior_deviation**-2
    if first_move and first_move_deviation is not None:
        precision[-1] = first_move_deviation**-2
    return Problem(cells, precision, free, sparse)


def _check_exists(problem: Problem) -> bool:
    """Say whether the games alone have no finite ratings; raise where the priors do not help, warn where they do."""
    cells, m = problem.cells, len(problem.free) - 1
    flat_first_move = bool(problem.free[-1] and problem.precision[-1] == 0)
    why = obstacle(cells, m, first_move=flat_first_move)
    if why and not problem.precision[:-1].any():
        raise ValueError(f"no finite ratings fit: {why}")
    total, scores = cells.games.sum(), cells.scores.sum()
    if flat_first_move and not 0 < scores < total:
        raise ValueError(
            f"no finite first move fits: first players scored {scores:g} of {total:g}; give first_move_deviation"
        )
    if why:
        warnings.warn(f"some ratings rest on the prior alone: {why}", SeparationWarning, stacklevel=3)
    return bool(why)
