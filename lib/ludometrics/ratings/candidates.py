"""The settings that grids try: Elo's K and Glicko-1's prior and growth."""

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
#: The default of each family, on its axes.
DEFAULTS = {"elo": (32.0, 1.0), "glicko1": (350.0, 3.0)}


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


#: Grid of each family: a function that gives its table and settings.
GRIDS = {"elo": elo_candidates, "glicko1": glicko1_candidates}
