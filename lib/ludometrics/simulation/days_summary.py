"""The draughts days of many replications, summed up: ratings, evenness, and what each matching rule adds."""

from collections.abc import Mapping, Sequence
from dataclasses import fields

import numpy as np
import pandas as pd

from ludometrics.evaluation import mean_interval, prediction_interval
from ludometrics.evaluation.intervals import NORMAL_95
from ludometrics.ratings import elo
from ludometrics.simulation.ladder import Ladder
from ludometrics.simulation.scenarios import ADDS, COMPARED_WITH, SCENARIOS
from ludometrics.simulation.truth import expected_scores, true_ratings

#: What is kept of each player and run: the columns of a cell's table ``players`` (see `Replications`).
PLAYER_COLUMNS = (
    "replication",
    "name",
    "rating",
    "games",
    "mean_1",
    "mean_2",
    "losing_run",
    "level_changes",
    "games_until_near",
)

#: Phases of the twenty days, and how the columns of `matching_table` are marked by them.
ALL_DAYS = "1-20"
PHASES = {"1-10": "1", "11-20": "2", ALL_DAYS: "all"}

#: A difference of the per-game distance within this counts as none: a fifth of what nine levels leave.
NEUTRAL = 0.01


def rating_table(players: pd.DataFrame) -> pd.DataFrame:
    """Sum up the final rating of each name over the replications.

    Parameters
    ----------
    players : DataFrame
        One row a replication and name, with the column rating (Elo points).

    Returns
    -------
    DataFrame
        name; mean, mean_low, mean_high (95 % interval of the mean); run_low, run_high (95 % prediction interval
        for one run); sd; n (replications).

    Source
    ------
    Own.
    """
    rows = []
    for name, ratings in players.groupby("name", sort=False)["rating"]:
        mean, run = mean_interval(ratings), prediction_interval(ratings)
        rows.append((name, mean.value, mean.low, mean.high, run.low, run.high, ratings.std(ddof=1), mean.n))
    return pd.DataFrame(
        rows, columns=["name", "mean", "mean_low", "mean_high", "run_low", "run_high", "sd", "n"]
    )


def join_days(days: pd.DataFrame) -> pd.DataFrame:
    """Pool the daily ratings of blocks of replications: exact mean and standard deviation over all.

    Parameters
    ----------
    days : DataFrame
        Blocks under one another: day, name, n, mean, sd (missing where n is 1).

    Returns
    -------
    DataFrame
        day, name, n, mean, sd.

    Source
    ------
    Own: sums of squares within and between the blocks.
    """
    squares = (days["n"] - 1) * days["sd"].fillna(0.0) ** 2 + days["n"] * days["mean"] ** 2
    sums = days.assign(total=days["n"] * days["mean"], squares=squares)
    sums = sums.groupby(["day", "name"], as_index=False)[["n", "total", "squares"]].sum()
    mean = sums["total"] / sums["n"]
    spread = (sums["squares"] - sums["n"] * mean**2).clip(lower=0.0) / (sums["n"] - 1).where(sums["n"] > 1)
    return sums[["day", "name", "n"]].assign(mean=mean, sd=np.sqrt(spread))


def evenness_table(phases: pd.DataFrame) -> pd.DataFrame:
    """Sum up how even games were, by scenario, phase and measure.

    Parameters
    ----------
    phases : DataFrame
        One row a scenario, replication and phase: mean_distance, mean_u, true_mean_distance, game_distance,
        share_even.

    Returns
    -------
    DataFrame
        scenario, phase, measure, value, low, high (95 % of the mean over replications), run_low, run_high (95 %
        prediction interval for one run), n. ``rms`` is the root of the mean of mean_u, its interval that of the
        mean under the root; it has no prediction interval.

    Source
    ------
    Own.
    """
    rows = []
    for (scenario, phase), group in phases.groupby(["scenario", "phase"], sort=False):
        for measure in ("mean_distance", "true_mean_distance", "game_distance", "share_even"):
            mean, run = mean_interval(group[measure]), prediction_interval(group[measure])
            rows.append(
                (scenario, phase, measure, mean.value, mean.low, mean.high, run.low, run.high, mean.n)
            )
        squared = mean_interval(group["mean_u"])
        value, low, high = (float(np.sqrt(max(0.0, item))) for item in squared[:3])
        rows.append((scenario, phase, "rms", value, low, high, np.nan, np.nan, squared.n))
    columns = ["scenario", "phase", "measure", "value", "low", "high", "run_low", "run_high", "n"]
    return pd.DataFrame(rows, columns=columns)


def matching_table(
    phases: pd.DataFrame, players: pd.DataFrame, bounds: Mapping[str, float], ladders: Mapping[str, str]
) -> pd.DataFrame:
    """Say of each matching rule what it adds to the one it is compared with.

    Parameters
    ----------
    phases, players : DataFrame
        As `simulate_replications` gives them, with a column scenario.
    bounds : mapping of str to float
        By ladder: smallest per-game distance that any rule could reach, see `best_distance`.
    ladders : mapping of str to str
        By scenario: its ladder.

    Returns
    -------
    DataFrame
        One row a scenario: adds (in words), compared_with, ladder, bound, n (replications); by phase (_1: days
        1-10, _2: days 11-20, _all) the per-game distance with its 95 % interval, and the published measure; the
        share of even games, the longest losing run and the changes of level (means over players);
        near (share of players whose rating came within 100 points of the truth); difference with its 95 %
        interval in the per-game distance over all days, and a verdict: helps, hurts, neutral (interval within
        +-0.01), undecided.

    Source
    ------
    Own.
    """
    rows = []
    for scenario in phases["scenario"].unique():
        reference = COMPARED_WITH.get(scenario, "")
        row = {"scenario": scenario, "adds": ADDS[scenario], "compared_with": reference or "-"}
        row |= {"ladder": ladders[scenario], "bound": bounds[ladders[scenario]]}
        row |= _phase_columns(phases[phases["scenario"] == scenario])
        row |= _player_columns(players[players["scenario"] == scenario])
        rows.append(row | _difference(phases, scenario, reference))
    return pd.DataFrame(rows)


def best_distance(truth: pd.DataFrame, *, target: float = 0.5) -> float:
    """Compute the smallest mean per-game distance that any rule could reach with a ladder.

    Parameters
    ----------
    truth : DataFrame
        Of `truth_table`; each player is given the level that is truly nearest.
    target : float
        Expected score wanted, in (0, 1).

    Returns
    -------
    float
        Mean over players, in [0, 1].

    Source
    ------
    Own.
    """
    scores = expected_scores(truth)
    return float((scores - target).abs().groupby(level="player").min().mean())


def expected_score_table(truth: pd.DataFrame, ladder: Ladder) -> pd.DataFrame:
    """Hold the expected-score curve against what players truly score.

    Parameters
    ----------
    truth : DataFrame
        Of `truth_table` on the ladder.
    ladder : Ladder
        With ratings.

    Returns
    -------
    DataFrame
        player, level, difference (Elo points, player above level), expected (by the curve), score (measured), low,
        high (95 %, from the variance of a game's score, draws counting half), n (games).

    Source
    ------
    Own. The player's rating is the one at which the ladder foretells the player's mean score, see `true_ratings`.
    """
    counts = truth.groupby(["player", "level"], as_index=False)[["wins", "draws", "n"]].sum()
    counts["level"] = counts["level"].astype(str)
    ratings = dict(zip(ladder.keys, ladder.ratings, strict=True))
    counts["difference"] = counts["player"].map(true_ratings(truth, ladder)) - counts["level"].map(ratings)
    counts["expected"] = elo.expected_score(counts["difference"].to_numpy(), 0.0)
    counts["score"] = (counts["wins"] + 0.5 * counts["draws"]) / counts["n"]
    variance = (counts["wins"] + 0.25 * counts["draws"]) / counts["n"] - counts["score"] ** 2
    half = NORMAL_95 * np.sqrt(variance / counts["n"])
    counts["low"], counts["high"] = (counts["score"] - half).clip(0, 1), (counts["score"] + half).clip(0, 1)
    return counts[["player", "level", "difference", "expected", "score", "low", "high", "n"]]


def _phase_columns(phases: pd.DataFrame) -> dict[str, float]:
    columns: dict[str, float] = {"n": phases["replication"].nunique()}
    for phase, short in PHASES.items():
        part = phases[phases["phase"] == phase]
        distance = mean_interval(part["game_distance"])
        columns |= {f"game_distance_{short}": distance.value}
        columns |= {f"game_distance_{short}_low": distance.low, f"game_distance_{short}_high": distance.high}
        columns[f"mean_distance_{short}"] = float(part["mean_distance"].mean())
        columns[f"share_even_{short}"] = float(part["share_even"].mean())
    return columns


def _player_columns(players: pd.DataFrame) -> dict[str, float]:
    people = players[players["losing_run"].notna()]
    near = people["games_until_near"].notna()
    return {
        "losing_run": float(people["losing_run"].mean()),
        "level_changes": float(people["level_changes"].mean()),
        "near": float(near.mean()) if near.any() else np.nan,  # on another scale without anchors
    }


def _difference(phases: pd.DataFrame, scenario: str, reference: str) -> dict[str, float | str]:
    everything = phases[phases["phase"] == ALL_DAYS]
    table = everything.pivot(index="replication", columns="scenario", values="game_distance")
    if reference not in table:
        return {"difference": np.nan, "difference_low": np.nan, "difference_high": np.nan, "verdict": "-"}
    change = mean_interval((table[scenario] - table[reference]).dropna())
    if -NEUTRAL <= change.low and change.high <= NEUTRAL:
        verdict = "neutral"
    elif change.high < 0:
        verdict = "helps"
    else:
        verdict = "hurts" if change.low > 0 else "undecided"
    return {
        "difference": change.value,
        "difference_low": change.low,
        "difference_high": change.high,
        "verdict": verdict,
    }


def settings_table(scenarios: Sequence[str] = ("course", "default")) -> pd.DataFrame:
    """List the settings of matching rules, for a diagram or a reader.

    Parameters
    ----------
    scenarios : sequence of str

    Returns
    -------
    DataFrame
        scenario, setting, value (as text).

    Examples
    --------
    >>> table = settings_table(["course"]).set_index("setting")["value"]
    >>> table["levels"], table["fallback"], table["provisional_games"]
    ('3', 'medium', '5')

    Source
    ------
    Own.
    """
    rows = []
    for scenario in scenarios:
        settings = SCENARIOS[scenario]
        values = {field.name: getattr(settings.rule, field.name) for field in fields(settings.rule)}
        values |= {"levels": len(settings.ladder.keys), "random_days": settings.random_days}
        values |= {
            "rerate": settings.rerate,
            "system": type(settings.rule.ratings).__name__.removesuffix("Settings"),
        }
        values |= {"repetitions": settings.rules.repetitions, "ply_cap": settings.rules.ply_cap}
        del values["name"], values["ratings"]
        rows += [(scenario, name, "-" if value is None else str(value)) for name, value in values.items()]
    return pd.DataFrame(rows, columns=["scenario", "setting", "value"])
