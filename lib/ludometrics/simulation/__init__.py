"""Players whose skill is known, on whom every measure is tried before it is believed elsewhere.

Draughts: `simulate_days` plays some days of games between players and the levels of the computer, by the settings
of a `DaysSettings` (`SCENARIOS` has those that are compared); `simulate_replications` does so many times and gives
tidy tables. `rate_levels_offline` measures levels, `select_levels` chooses a ladder of them, and `truth_table` says
what the players truly score against it.

>>> from ludometrics.simulation import SCENARIOS
>>> SCENARIOS["default"].rule.ratings.start_deviation
450
"""

from ludometrics.simulation.draughts_days import (
    DaysRecord,
    DaysSettings,
    calendar_day,
    level_games,
    simulate_days,
)
from ludometrics.simulation.fair_test import FairSettings, saved_fair_games, simulate_fair_test
from ludometrics.simulation.ladder import Ladder, ladder_from, rate_levels_offline, select_levels
from ludometrics.simulation.presets import CANDIDATES, COURSE_PLAYERS, LADDERS
from ludometrics.simulation.replications import (
    Replications,
    phases_of,
    rating_paths,
    simulate_replications,
    with_truth,
)
from ludometrics.simulation.saving import FolderInUseError, check_folder, save_days, saved_games
from ludometrics.simulation.scenarios import SCENARIOS
from ludometrics.simulation.truth import expected_scores, true_ratings, truth_table, versions

__all__ = [
    "CANDIDATES",
    "COURSE_PLAYERS",
    "LADDERS",
    "SCENARIOS",
    "DaysRecord",
    "DaysSettings",
    "FairSettings",
    "FolderInUseError",
    "Ladder",
    "Replications",
    "calendar_day",
    "check_folder",
    "expected_scores",
    "ladder_from",
    "level_games",
    "phases_of",
    "rate_levels_offline",
    "rating_paths",
    "save_days",
    "saved_fair_games",
    "saved_games",
    "select_levels",
    "simulate_days",
    "simulate_fair_test",
    "simulate_replications",
    "true_ratings",
    "truth_table",
    "versions",
    "with_truth",
]
