"""The course's two experiments, again and again: why the first came out the wrong way round."""

import math

import numpy as np
import pandas as pd

from ludometrics.abtest.naive import naive_range
from ludometrics.simulation.ab_games import ABGames
from ludometrics.simulation.ab_settings import ABSettings
from ludometrics.simulation.ab_study import simulate_with_rng
from ludometrics.simulation.outcome_tables import Outcomes, true_scores, version_index
from ludometrics.simulation.presets import COURSE_PLAYERS

#: The strongest of the course's players, as intended.
STRONGEST = next(index for index, (name, _) in enumerate(COURSE_PLAYERS) if name == "Sim Ada")
#: What is measured of each run.
QUANTITIES = (
    "difference",  # B - A, mean scores of games
    "mean_a",
    "mean_b",
    "games_a",
    "games_b",
    "share_strongest",  # of B's games
    "players",  # part of the difference by who played: B's players' true score against A less A's players'
    "version",  # part by the version: true effect over B's games
    "luck",  # the rest
    "without_strongest",  # difference without the strongest player's games
    "players_without",  # its part by who played
    "less_without",  # 1 where that difference is below 0
    "says_tougher",  # 1 where the course's analysis says so
    "says_easier",
    "no_verdict",
)


def measure_course(
    settings: ABSettings, outcomes: Outcomes, *, seed: int, first: int, count: int, progress: bool = False
) -> pd.DataFrame:
    """Take a run's difference apart: who played, what the version does, and luck.

    Parameters
    ----------
    settings : ABSettings
        Of the course's eight players.
    outcomes, seed, first, count, progress
        As in `ab_study.rate_methods`.

    Returns
    -------
    DataFrame
        One row a quantity of `QUANTITIES`: quantity, replication (the first), n (runs where it is defined), total and
        squares (sums of the value and of its square).
    """
    against_a = true_scores(outcomes)[:, version_index("none")]
    rows = [
        _measure(games, against_a[games.types])
        for games, _ in simulate_with_rng(
            settings, outcomes, seed=seed, first=first, count=count, progress=progress
        )
    ]
    table = pd.DataFrame(rows)
    return pd.DataFrame(
        {
            "quantity": QUANTITIES,
            "replication": first,
            "n": [int(table[name].notna().sum()) for name in QUANTITIES],
            "total": [math.fsum(table[name].dropna()) for name in QUANTITIES],
            "squares": [math.fsum(table[name].dropna() ** 2) for name in QUANTITIES],
        }
    )


def _measure(games: ABGames, against_a: np.ndarray) -> dict[str, float]:
    difference, _, _, verdict = naive_range(games.score, games.variant)
    in_b = games.variant == 1
    colour = games.is_black.astype(np.int64)
    expected, effect = against_a[games.player, colour], games.effects[games.player, colour]
    rest = games.player != STRONGEST

    def mean(values: np.ndarray, rows: np.ndarray) -> float:
        return float(values[rows].mean()) if rows.any() else math.nan

    players = mean(expected, in_b) - mean(expected, ~in_b)
    without = mean(games.score, in_b & rest) - mean(games.score, ~in_b & rest)
    version = mean(effect, in_b)
    return {
        "difference": difference,
        "mean_a": mean(games.score, ~in_b),
        "mean_b": mean(games.score, in_b),
        "games_a": float((~in_b).sum()),
        "games_b": float(in_b.sum()),
        "share_strongest": mean((~rest).astype(float), in_b),
        "players": players,
        "version": version,
        "luck": difference - players - version,
        "without_strongest": without,
        "players_without": mean(expected, in_b & rest) - mean(expected, ~in_b & rest),
        "less_without": math.nan if math.isnan(without) else float(without < 0.0),
        "says_tougher": float(verdict == 1),
        "says_easier": float(verdict == 2),
        "no_verdict": float(verdict == 0),
    }
