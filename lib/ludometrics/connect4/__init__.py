"""Connect-4 learned by self-play, and the learner measured against a perfect player.

A value network looks patterns of cells up; it learns from its own games by one of two trainers: `train_compiled`, for
CPU cores, and the published recipe in torch (`ludometrics.connect4.torch_run`). The arena
(`ludometrics.connect4.arena`, with BitBully) plays it against nine opponents up to a perfect player.

>>> import numpy as np
>>> from ludometrics.connect4 import NetworkAgent, new_network, standard_patterns
>>> network = new_network(standard_patterns())
>>> 2 * network.indexing.states
1948882
>>> type(NetworkAgent(network)).__name__
'NetworkAgent'
"""

from ludometrics.connect4.agents import NetworkAgent, RandomAgent
from ludometrics.connect4.board import EMPTY, Position, draw, from_moves
from ludometrics.connect4.board_batches import Positions
from ludometrics.connect4.compiled_run import train_compiled
from ludometrics.connect4.compiled_settings import CompiledSettings
from ludometrics.connect4.compiled_trainer import CompiledTrainer
from ludometrics.connect4.network import ValueNetwork, afterstate_values, new_network, values
from ludometrics.connect4.patterns import draw_patterns, pattern_hash, standard_patterns
from ludometrics.connect4.recipe import Recipe
from ludometrics.connect4.recipes import find_recipe, named_recipes
from ludometrics.connect4.weights_file import load_network, read_published, save_network

__all__ = [
    "EMPTY",
    "CompiledSettings",
    "CompiledTrainer",
    "NetworkAgent",
    "Position",
    "Positions",
    "RandomAgent",
    "Recipe",
    "ValueNetwork",
    "afterstate_values",
    "draw",
    "draw_patterns",
    "find_recipe",
    "from_moves",
    "load_network",
    "named_recipes",
    "new_network",
    "pattern_hash",
    "read_published",
    "save_network",
    "standard_patterns",
    "train_compiled",
    "values",
]
