"""Simulated groups as the board-night study takes them: numbered, and with what is said of their games."""

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
from tqdm.auto import tqdm

from ludometrics.boardgames.loss_tables import Replays
from ludometrics.boardgames.settings import EngineSettings
from ludometrics.boardgames.weights import GameWeight, game_weights
from ludometrics.provenance import replication_streams
from ludometrics.simulation.boardgame_groups import SimulatedGroup, simulate_group
from ludometrics.simulation.boardgame_worlds import GroupWorld

PLAYS_A_YEAR = 200


def groups_of(
    world: GroupWorld, *, plays: int, seed: int, first: int, count: int, progress: bool
) -> Iterator[tuple[int, SimulatedGroup, np.random.Generator]]:
    """Number, group and generator of each replication; the world's years follow the plays."""
    sized = replace(world, plays=plays, years=plays / PLAYS_A_YEAR)
    for number, rng in tqdm(replication_streams(seed, first, count), total=count, disable=not progress):
        yield number, simulate_group(sized, rng=rng), rng


def weights_of(group: SimulatedGroup, settings: EngineSettings) -> dict[str, GameWeight]:
    """Weights of a simulated group's games, by what is said of them."""
    return game_weights(group.log.games, settings, complexity=group.complexity, skill=group.skill)


def replays_of(group: SimulatedGroup, settings: EngineSettings) -> Replays:
    """A simulated group's log with the weights of its games, to be rated under many settings."""
    return Replays(group.log, weights_of(group, settings))
