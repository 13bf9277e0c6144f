"""Rating systems set against each other in worlds whose truth is known."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from tqdm.auto import tqdm

from ludometrics.evaluation import calibration_slope, log_loss
from ludometrics.provenance import replication_streams
from ludometrics.ratings import ENTRANTS, Entrant, expected_log_loss, rate
from ludometrics.simulation.rating_worlds import World, simulate_world
from ludometrics.simulation.recovery import big_picture, centred_error, coverage, kendall_tau
from ludometrics.simulation.world_presets import WorldSettings

#: Players with fewer games count neither in the order nor in the distances.
LEAST_GAMES = 5
#: Players at least so far apart (Elo points) are the big picture; the order of nearer ones is detail.
FAR = 100.0


def judge_world(
    world: World, record: Any, entrant: Entrant, *, scored: NDArray[np.int64]
) -> dict[str, float]:
    """Say how well a record forecast a world's games, and how well it recovered the truth behind them.

    Parameters
    ----------
    world : World
    record : Record
        What `rate` gave for the world's games.
    entrant : Entrant
        Whose record it is.
    scored : ndarray of int
        Rows whose forecasts are scored.

    Returns
    -------
    dict
        log_loss (of the outcomes drawn, nats a game), excess (mean Kullback-Leibler distance of the forecasts from
        the true expected scores: what the loss is above the oracle's in the long run), slope (calibration), tau
        (Kendall, final ratings and strengths), error (rms distance from the ideal ratings, Elo points), coverage
        (share of differences of players within their stated 95 % intervals; missing without deviations),
        big_picture (share of pairs of players at least 100 points apart in the right order) and all_right (1 if all of
        them are).
    """
    forecasts = record.forecasts[scored]
    active = world.games_played >= LEAST_GAMES
    strengths = world.final_strengths
    ideal = strengths if entrant.draws_apart else world.ideal_ratings()
    ratings = record.ratings / entrant.scale
    right = big_picture(ratings, strengths, active, gap=FAR)
    deviations = getattr(record, "deviations", None)
    return {
        **_losses(world, forecasts, scored),
        "slope": _slope(forecasts, world.games.outcomes[scored]),
        "tau": kendall_tau(ratings, strengths, active),
        "error": centred_error(ratings, ideal, active),
        "coverage": np.nan
        if deviations is None
        else coverage(ratings, deviations / entrant.scale, ideal, active=active).pairs,
        "big_picture": right,
        "all_right": np.nan if np.isnan(right) else float(right == 1.0),
    }


def run_contest(
    settings: WorldSettings,
    entrants: Mapping[str, Entrant] = ENTRANTS,
    *,
    seed: int,
    first: int,
    count: int,
    progress: bool = True,
) -> pd.DataFrame:
    """Let every entrant rate the same worlds; the second half of the games is scored.

    Parameters
    ----------
    settings : WorldSettings
    entrants : mapping of str to Entrant
    seed : int
        Of the study; replication i draws from the i-th child.
    first, count : int
        Which replications: `first` to `first + count - 1`.
    progress : bool

    Returns
    -------
    DataFrame
        One row a replication and entrant: replication, entrant, and what `judge_world` gives; among the entrants
        ``oracle``, who knows the true expected scores, and ``coin``.

    Examples
    --------
    >>> from dataclasses import replace
    >>> from ludometrics.simulation.world_presets import PRESETS
    >>> small = replace(PRESETS["static"], players=8, games=200)
    >>> table = run_contest(small, {"elo": ENTRANTS["elo"]}, seed=1, first=0, count=1, progress=False)
    >>> table["entrant"].tolist()
    ['elo', 'oracle', 'coin']
    """
    rows = []
    for number, rng in tqdm(replication_streams(seed, first, count), total=count, disable=not progress):
        world = simulate_world(settings, rng=rng)
        scored = second_half(world)
        for name, entrant in entrants.items():
            record = rate(world.games, entrant.system, entrant.settings)
            judged = judge_world(world, record, entrant, scored=scored)
            rows.append({"replication": number, "entrant": name, **judged})
        for name, forecasts in (("oracle", world.expected), ("coin", np.full(len(world.games), 0.5))):
            losses = _losses(world, forecasts[scored], scored)
            rows.append({"replication": number, "entrant": name, **losses})
    return pd.DataFrame(rows)


def second_half(world: World) -> NDArray[np.int64]:
    """Rows of the games that are scored: by then systems know the players."""
    return np.arange(len(world.games) // 2, len(world.games))


def resized(settings: WorldSettings, *, players: int, games: int) -> WorldSettings:
    """A world of another size, unless its size is part of what it is (given strengths)."""
    return settings if settings.strengths is not None else replace(settings, players=players, games=games)


def _losses(world: World, forecasts: NDArray[np.float64], scored: NDArray[np.int64]) -> dict[str, float]:
    """Mean log loss of the outcomes drawn, and above the oracle's in the long run."""
    truth = world.expected[scored]
    return {
        "log_loss": float(log_loss(forecasts, world.games.outcomes[scored]).mean()),
        "excess": float((expected_log_loss(forecasts, truth) - expected_log_loss(truth, truth)).mean()),
    }


def _slope(forecasts: NDArray[np.float64], outcomes: NDArray[np.float64]) -> float:
    """The slope alone: worlds are what is resampled here, so that no bootstrap within one is wanted."""
    return calibration_slope(forecasts, outcomes, replicates=1, rng=np.random.default_rng(0)).value
