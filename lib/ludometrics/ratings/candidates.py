"""The settings that grids try: Elo's K and Glicko-1's prior and growth."""

from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from ludometrics.ratings.elo import EloSettings
from ludometrics.ratings.glicko1 import Glicko1Settings
from ludometrics.ratings.sweep import settings_grid

#: Columns of the settings in a table of all grids; missing where a family has no such setting.
AXES = ("k", "first_k", "start_deviation", "growth")
#: Games of a player during which Elo's K is `first_k` times as large.
FIRST_GAMES = 10
#: Elo points.
K_VALUES = (4.0, 8.0, 12.0, 16.0, 24.0, 32.0, 48.0, 64.0, 96.0)
FIRST_K = (1.0, 2.0, 4.0)
#: Elo points, and Elo points per square root of a day.
START_DEVIATIONS = (60.0, 100.0, 150.0, 200.0, 280.0, 350.0)
GROWTHS = (0.0, 1.0, 2.0, 3.0, 5.0, 8.0, 12.0)
#: Default of each family, on the axes of its grid.
_DEFAULTS = {"elo": (32.0, 1.0), "glicko1": (350.0, 3.0)}


def elo_candidates() -> tuple[pd.DataFrame, list[EloSettings]]:
    """All settings of Elo's grid: K, and how many times as large it is in a player's first games.

    Examples
    --------
    >>> table, settings = elo_candidates()
    >>> len(table), settings[1].k
    (27, ((10, 8.0), (None, 4.0)))
    """
    rows = [(k, first) for k in K_VALUES for first in FIRST_K]
    settings = [
        EloSettings(k=((FIRST_GAMES, first * k), (None, k)) if first != 1 else k) for k, first in rows
    ]
    return pd.DataFrame(rows, columns=["k", "first_k"]), settings


def glicko1_candidates() -> tuple[pd.DataFrame, list[Glicko1Settings]]:
    """All settings of Glicko-1's grid: a newcomer's deviation and the growth in absence."""
    return settings_grid(Glicko1Settings(), start_deviation=START_DEVIATIONS, growth=GROWTHS)


_CANDIDATES = {"elo": elo_candidates, "glicko1": glicko1_candidates}
#: Systems that have a grid.
FAMILIES = tuple(_CANDIDATES)


class FamilyGrid(NamedTuple):
    """The grid of a system.

    Attributes
    ----------
    table : DataFrame
        family, setting (in words) and `AXES`, one row a setting.
    settings : list
        The settings themselves.
    default : int
        Row of the system's default.
    steps : ndarray of float64, shape (k,)
        How many steps of the grid each setting is away from the default.
    """

    table: pd.DataFrame
    settings: list[Any]
    default: int
    steps: np.ndarray


def family_grid(family: str) -> FamilyGrid:
    """Give the grid of a system, named and measured from its default.

    Examples
    --------
    >>> grid = family_grid("elo")
    >>> grid.table["setting"][grid.default], float(grid.steps.max())
    ('k 32, first_k 1', 7.0)
    """
    options, settings = _CANDIDATES[family]()
    steps = np.zeros(len(options))
    for axis, default in zip(options, _DEFAULTS[family], strict=True):
        values = sorted(options[axis].unique())
        steps += np.abs(options[axis].map(values.index) - values.index(default))
    table = options.reindex(columns=AXES)
    table.insert(0, "setting", [_name(row) for _, row in options.iterrows()])
    table.insert(0, "family", family)
    return FamilyGrid(table, settings, int(np.argmin(steps)), steps)


def _name(row: pd.Series) -> str:
    return ", ".join(f"{axis} {value:g}" for axis, value in row.items())
