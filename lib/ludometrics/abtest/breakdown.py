"""Behind the verdict: the groups, each player, the answer without one of them, and other methods beside it."""

import math

import numpy as np
import pandas as pd
from scipy import stats

from ludometrics.abtest.cluster import cluster_difference
from ludometrics.abtest.effects import NO_EFFECT, Effect, gather_strata, stratified_effect, student
from ludometrics.abtest.estimation import Estimation, estimate, player_means
from ludometrics.abtest.naive import Z, naive_range
from ludometrics.abtest.quality import effective_players
from ludometrics.abtest.scores import ratio_difference
from ludometrics.abtest.trial import VERSIONS, Trial
from ludometrics.abtest.wild import wild_cluster_bootstrap

#: Games of a player with a version below which a player's own difference has no range.
LEAST_OWN = 2
#: Players each of whom is left out in turn; with more, only the one with most games.
LEFT_OUT = 30
#: Draws of the wild bootstrap, which is shown beside the default only.
WILD_DRAWS = 999
EFFECT_COLUMNS = ["estimate", "error", "df", "low", "high", "p"]


def group_table(trial: Trial) -> pd.DataFrame:
    """Describe the two groups.

    Returns
    -------
    DataFrame
        One row a version: variant, players, games, wins, draws, losses, mean_score (of games), player_mean (mean of
        players' means), sd (of scores), black_share (nan where colours are not known), effective_players.
    """
    rows = []
    for version, name in enumerate(VERSIONS):
        own = trial.variant == version
        score, games = trial.score[own], trial.games[:, version]
        met = games > 0
        totals = np.bincount(trial.player[own], weights=score, minlength=trial.n_players)
        rows.append(
            {
                "variant": name,
                "players": int(met.sum()),
                "games": len(score),
                "wins": int((score == 1.0).sum()),
                "draws": int((score == 0.5).sum()),
                "losses": int((score == 0.0).sum()),
                "mean_score": float(score.mean()) if len(score) else math.nan,
                "player_mean": float((totals[met] / games[met]).mean()) if met.any() else math.nan,
                "sd": float(score.std()) if len(score) else math.nan,
                "black_share": math.nan
                if trial.is_black is None or not len(score)
                else float(trial.is_black[own].mean()),
                "effective_players": effective_players(games),
            }
        )
    return pd.DataFrame(rows)


def player_table(trial: Trial, *, level: float = 0.95) -> pd.DataFrame:
    """Describe each player, most games first: the forest.

    Returns
    -------
    DataFrame
        One row a player: player, rating (before the experiment), games_a, games_b, mean_a, mean_b, difference with low
        and high (within the player, by colour; nan where the player met one version), share (of all games).
    """
    rows = []
    for number in np.argsort(-trial.games.sum(axis=1), kind="stable"):
        own = trial.player == number
        if not own.any():
            continue
        score, variant = trial.score[own], trial.variant[own]
        counts = [int((variant == version).sum()) for version in (0, 1)]
        means = [
            float(score[variant == version].mean()) if counts[version] else math.nan for version in (0, 1)
        ]
        effect = stratified_effect(score, variant, trial.stratum[own], level=level)
        enough = min(counts) >= LEAST_OWN
        rows.append(
            {
                "player": trial.names[number],
                "rating": math.nan if trial.ratings is None else float(trial.ratings[number]),
                "games_a": counts[0],
                "games_b": counts[1],
                "mean_a": means[0],
                "mean_b": means[1],
                "difference": effect.estimate,
                "low": effect.low if enough else math.nan,
                "high": effect.high if enough else math.nan,
                "share": float(own.mean()),
            }
        )
    return pd.DataFrame(rows)


def sensitivity_table(
    trial: Trial, result: Estimation, *, level: float = 0.95, rng: np.random.Generator
) -> pd.DataFrame:
    """Estimate again without one player.

    Returns
    -------
    DataFrame
        One row a player left out, most games first (only that one among many): without, share (of all games),
        estimate, low, high, p.
    """
    games = trial.games.sum(axis=1)
    order = [number for number in np.argsort(-games, kind="stable") if games[number] > 0]
    rows = []
    for number in order if len(order) <= LEFT_OUT else order[:1]:
        rest = trial.without(int(number))
        if not len(rest.score):
            continue
        again = estimate(
            rest, design=result.unit, assignment=result.assignment, level=level, draws=999, rng=rng
        )
        effect = again.effect
        share = games[number] / games.sum()
        rows.append(
            (
                trial.names[number],
                float(share),
                effect.estimate,
                effect.low,
                effect.high,
                float(again.test.mid_p),
            )
        )
    return pd.DataFrame(rows, columns=["without", "share", "estimate", "low", "high", "p"])


def method_table(
    trial: Trial, result: Estimation, *, level: float = 0.95, rng: np.random.Generator
) -> pd.DataFrame:
    """Set other methods beside the default one.

    Returns
    -------
    DataFrame
        One row a method: method, counts (what it counts as independent), estimate, error, df, low, high, p. The wild
        bootstrap has a p-value only, with the error and the range empty. Methods that cannot be used on these data are
        left out.
    """
    rows = _between_methods(trial, level) if result.unit == "between" else _within_methods(trial, level)
    for kind in ("CR1", "CR2"):
        rows[f"games, clustered by player ({kind})"] = ("players", _clustered(trial, kind, level))
    rows["games, wild cluster bootstrap (Webb)"] = ("players", _wild(trial, rng=rng))
    difference, low, high, _ = naive_range(trial.score, trial.variant)
    half = (high - low) / 2.0
    naive = Effect(difference, half / Z, math.inf, low, high, math.nan)
    if half > 0.0:
        naive = naive._replace(p=float(2.0 * stats.norm.sf(abs(difference) / naive.error)))
    rows["games as if independent (the course)"] = ("games", naive)
    return pd.DataFrame(
        [
            (name, counts, *effect)
            for name, (counts, effect) in rows.items()
            if not math.isnan(effect.estimate)
        ],
        columns=["method", "counts", *EFFECT_COLUMNS],
    )


def _between_methods(trial: Trial, level: float) -> dict[str, tuple[str, Effect]]:
    player, mean, variant, _ = player_means(trial)
    rows = {"means of players (Welch)": ("players", stratified_effect(mean, variant, level=level))}
    if trial.blocks is not None:
        block = trial.blocks[player]
        effect = stratified_effect(mean, variant, block, level=level)
        rows["means of players within blocks"] = ("players", effect)
    sums = np.bincount(trial.player, weights=trial.score, minlength=trial.n_players)[player]
    games = trial.games.sum(axis=1)[player]
    if min((variant == 0).sum(), (variant == 1).sum()) >= 2:
        groups = [(sums[variant == version], games[variant == version]) for version in (0, 1)]
        rows["ratio of sums (delta method)"] = (
            "players",
            ratio_difference(*groups[0], *groups[1], level=level),
        )
    return rows


def _within_methods(trial: Trial, level: float) -> dict[str, tuple[str, Effect]]:
    differences = own_differences(trial)
    if len(differences) < 2:
        return {}
    n = len(differences)
    error = float(differences.std(ddof=1)) / math.sqrt(n)
    return {
        "differences of players (paired t)": (
            "players",
            student(differences.mean(), error, n - 1.0, level=level),
        )
    }


def own_differences(trial: Trial) -> np.ndarray:
    """Difference B - A of each player with both versions, colours counting as in the estimate.

    Returns
    -------
    ndarray of float64
    """
    strata = gather_strata(trial.variant, trial.stratum)
    score, variant, player = (part[strata.kept] for part in (trial.score, trial.variant, trial.player))
    weights = strata.weights
    owner = np.zeros(len(weights), dtype=np.int64)
    owner[strata.index] = player
    mean = np.bincount(strata.index, weights=score) / strata.n
    gain = np.bincount(strata.index, weights=variant * (score - mean[strata.index]))
    total = np.bincount(owner, weights=weights)
    met = total > 0
    return np.bincount(owner, weights=gain)[met] / total[met]


def _clustered(trial: Trial, kind: str, level: float) -> Effect:
    try:
        return cluster_difference(trial.score, trial.variant, trial.player, kind=kind, level=level)
    except ValueError:  # too few players, or one version only
        return NO_EFFECT


def _wild(trial: Trial, *, rng: np.random.Generator) -> Effect:
    difference = _clustered(trial, "CR1", 0.95).estimate
    if math.isnan(difference):
        return NO_EFFECT
    design = np.column_stack([np.ones(len(trial.score)), trial.variant])
    found = wild_cluster_bootstrap(trial.score, design, trial.player, 1, draws=WILD_DRAWS, rng=rng)
    return NO_EFFECT._replace(estimate=difference, p=found.p)
