"""Grids of settings tried in worlds whose truth is known: how K, prior and growth should follow what people play."""

from collections.abc import Sequence

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from tqdm.auto import tqdm

from ludometrics.provenance import replication_streams
from ludometrics.ratings import EloSettings, Glicko1Settings, expected_log_loss, sweep
from ludometrics.ratings.candidates import FAMILIES, family_grid
from ludometrics.simulation.contest import resized, second_half
from ludometrics.simulation.contest_summary import grid_table
from ludometrics.simulation.rating_worlds import simulate_world
from ludometrics.simulation.world_presets import WorldSettings


def excess_of_each(
    settings: WorldSettings,
    system: str,
    candidates: Sequence[EloSettings | Glicko1Settings],
    *,
    seed: int,
    first: int,
    count: int,
    progress: bool = True,
) -> NDArray[np.float64]:
    """Mean excess log loss of each candidate in each of some worlds; the second half of the games is scored.

    Parameters
    ----------
    settings : WorldSettings
    system : str
        Key of `ludometrics.ratings.SYSTEMS`.
    candidates : sequence, length k
        Settings of that system.
    seed, first, count, progress
        As in `contest.run_contest`, with the same worlds.

    Returns
    -------
    ndarray, shape (count, k)
        Nats a game above the oracle, in expectation over the outcomes.
    """
    rows = []
    for _, rng in tqdm(replication_streams(seed, first, count), total=count, disable=not progress):
        world = simulate_world(settings, rng=rng)
        scored = second_half(world)
        truth = world.expected[scored]
        losses = sweep(world.games, system, candidates, scored=scored, truth=world.expected)
        rows.append(losses.mean(axis=0) - expected_log_loss(truth, truth).mean())
    return np.array(rows)


def run_grids(
    settings: WorldSettings,
    games: Sequence[int],
    *,
    players: int,
    seed: int,
    first: int,
    count: int,
    progress: bool = True,
) -> pd.DataFrame:
    """Try every family's grid in a kind of world, with people playing less and more.

    Parameters
    ----------
    settings : WorldSettings
    games : sequence of int
        Games of a world: the same players and days, more or less active. A world of given strengths has but one size.
    players : int
        Of a world.
    seed, first, count, progress
        As in `excess_of_each`.

    Returns
    -------
    DataFrame
        games, family, setting (in words), the settings (`candidates.AXES`), and what `contest_summary.grid_table` says
        of them.
    """
    sizes = (
        [settings]
        if settings.strengths is not None
        else [resized(settings, players=players, games=n) for n in games]
    )
    tables = []
    for size in sizes:
        for family in FAMILIES:
            grid = family_grid(family)
            excess = excess_of_each(
                size, family, grid.settings, seed=seed, first=first, count=count, progress=progress
            )
            compared = grid_table(grid.table, excess, default=grid.default)
            compared.insert(0, "games", size.games)
            tables.append(compared)
    return pd.concat(tables, ignore_index=True)
