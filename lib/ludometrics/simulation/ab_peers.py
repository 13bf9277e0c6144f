"""A/B tests analysed by packages that people use: statsmodels' cluster-robust regression, and tea-tasting."""

import math

import numpy as np
import pandas as pd

from ludometrics.abtest.cluster import cluster_difference
from ludometrics.simulation.ab_games import ABGames
from ludometrics.simulation.ab_settings import ABSettings
from ludometrics.simulation.ab_study import SILENT, Answer, add_up, simulate_with_rng
from ludometrics.simulation.outcome_tables import Outcomes

PEERS = {
    "cluster": "statsmodels, games clustered by player (t)",
    "tea_games": "tea-tasting, mean of games",
    "tea_players": "tea-tasting, ratio of sums of players",
}


def rate_peers(
    settings: ABSettings, outcomes: Outcomes, *, seed: int, first: int, count: int, progress: bool = False
) -> pd.DataFrame:
    """Count how packages do in one design with one truth, used as their guides say.

    statsmodels: scores of games on the version, errors clustered by player, t with the number of players less one.
    tea-tasting: `Mean` of games, and `RatioOfMeans` with one row a player and version (score sum over games), which for
    a player with both versions gives two rows that it takes for two users.

    Parameters
    ----------
    settings, outcomes, seed, first, count, progress
        As in `ab_study.rate_methods`.

    Returns
    -------
    DataFrame
        As `ab_study.rate_methods`, a row for each of `PEERS`.

    Raises
    ------
    ModuleNotFoundError
        tea-tasting is not installed.
    """
    said: dict[str, list[Answer]] = {name: [] for name in PEERS}
    n_games = 0
    for games, _ in simulate_with_rng(
        settings, outcomes, seed=seed, first=first, count=count, progress=progress
    ):
        n_games += len(games.player)
        truth = float(games.effects[games.player, games.is_black.astype(np.int64)].mean())
        said["cluster"].append(_cluster(games, truth))
        said["tea_games"].append(_tea_tasting(games, truth, by_player=False))
        said["tea_players"].append(_tea_tasting(games, truth, by_player=True))
    rows = [
        {"method": method, "replication": first, "trials": count, "games": n_games, **add_up(answers)}
        for method, answers in said.items()
    ]
    return pd.DataFrame(rows)


def _cluster(games: ABGames, truth: float) -> Answer:
    try:
        effect = cluster_difference(games.score, games.variant, games.player)
    except ValueError:  # one version only, or a single player with it
        return SILENT
    return _answer(effect.estimate, effect.low, effect.high, effect.p, truth)


def _tea_tasting(games: ABGames, truth: float, *, by_player: bool) -> Answer:
    import tea_tasting as tt  # only for this comparison

    table = pd.DataFrame({"player": games.player, "variant": games.variant, "score": games.score, "games": 1})
    metric = tt.Mean("score")
    if by_player:
        table = table.groupby(["player", "variant"], as_index=False)[["score", "games"]].sum()
        metric = tt.RatioOfMeans("score", "games")
    if table["variant"].value_counts().reindex([0, 1], fill_value=0).min() < 2:
        return SILENT
    found = tt.Experiment(effect=metric).analyze(table.astype({"variant": int}))["effect"]
    low, high = found.effect_size_ci_lower, found.effect_size_ci_upper
    return _answer(found.effect_size, low, high, found.pvalue, truth)


def _answer(estimate: float, low: float, high: float, p: float, truth: float) -> Answer:
    if math.isnan(low):
        return SILENT
    different = 1 if low > 0.0 else -1 if high < 0.0 else 0
    return Answer(True, different, float(estimate), float(low), float(high), float(p), truth)
