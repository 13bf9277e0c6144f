"""Presets of the engine on groups whose strengths are known: forecasts, order, size and stated certainty."""

from collections.abc import Mapping
from dataclasses import replace

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy.stats import kendalltau

from ludometrics.boardgames.engine import GroupRatings, rate
from ludometrics.boardgames.judging import score_pairs
from ludometrics.boardgames.settings import PRESETS, EngineSettings
from ludometrics.boardgames.standings import REGULAR_PLAYS
from ludometrics.evaluation import (
    NORMAL_95,
    calibration_slope,
    cluster_interval,
    cluster_intervals,
    give_verdict,
    log_loss,
)
from ludometrics.simulation.board_night_groups import groups_of, replays_of
from ludometrics.simulation.board_night_truth import excess, true_chances
from ludometrics.simulation.boardgame_worlds import GroupWorld

#: What is tried: the two presets, and `tuned` without the four factors.
ENGINES: dict[str, EngineSettings] = PRESETS | {
    "bare": replace(
        PRESETS["tuned"], use_weight=False, use_confidence=False, use_margin=False, use_duration=False
    )
}
MEASURES = ("excess", "loss", "slope", "order", "error", "coverage", "first_deviation", "late_deviation")
#: Plays after which a player is a newcomer still, and from which on a veteran.
FEW, MANY = 2, 60


def try_presets(
    world: GroupWorld,
    *,
    engines: Mapping[str, EngineSettings] = ENGINES,
    plays: int,
    seed: int,
    first: int,
    count: int,
    progress: bool = True,
) -> pd.DataFrame:
    """Rate groups by each preset, and hold what comes out against the truth.

    Parameters
    ----------
    world : GroupWorld
        Its plays are replaced.
    engines : mapping of name to EngineSettings
    plays : int
        Of each group.
    seed, first, count, progress
        As in `board_night_mechanisms.try_mechanisms`, with the same groups.

    Returns
    -------
    DataFrame
        One row a replication and engine: `excess` of the forecasts over the truth and their log `loss` (nats a play),
        recalibration `slope`; of people with `REGULAR_PLAYS` rated plays the agreement of the `order` with that of the
        strengths (Kendall's tau-b), the `error` (root mean square of rating less strength, their mean taken off,
        points) and `coverage`, the share of pairs of people whose stated 95 % interval of the difference holds the true
        one; mean deviation after each player's `FEW` plays and after `MANY` (points; NaN where nobody has so many).
    """
    rows = []
    block = {"plays": plays, "seed": seed, "first": first, "count": count, "progress": progress}
    for number, group, rng in groups_of(world, **block):
        for engine, settings in engines.items():
            schedule = replays_of(group, settings).schedule(settings)
            ratings = rate(schedule, settings)
            pairs, chance = true_chances(group, score_pairs(schedule, ratings))
            per_play = pd.Series(log_loss(pairs.forecast, pairs.outcome)).groupby(pairs.play).mean()
            slope = calibration_slope(pairs.forecast, pairs.outcome, units=pairs.play, replicates=1, rng=rng)
            strengths = np.array([group.strengths[key] for key in ratings.people])
            values = (
                excess(pairs, chance).mean(),
                per_play.mean(),
                slope.value,
                *_of_people(ratings, strengths),
            )
            rows.append((number, engine, *values, *_deviations(ratings, schedule.person)))
    return pd.DataFrame(rows, columns=["replication", "engine", *MEASURES])


def _of_people(ratings: GroupRatings, strengths: NDArray[np.float64]) -> tuple[float, float, float]:
    """Order, error and coverage."""
    seasoned = ratings.plays >= REGULAR_PLAYS
    rating, strength, variance = ratings.rating[seasoned], strengths[seasoned], ratings.variance[seasoned]
    if len(rating) < 2:
        return np.nan, np.nan, np.nan
    first, second = np.triu_indices(len(rating), 1)
    off = np.abs((rating[first] - rating[second]) - (strength[first] - strength[second]))
    held = off <= NORMAL_95 * np.sqrt(variance[first] + variance[second])
    order = kendalltau(rating, strength).statistic
    return float(order), float(np.std(rating - strength)), float(held.mean())


def _deviations(ratings: GroupRatings, person: NDArray[np.int64]) -> tuple[float, float]:
    """Mean deviation after so few plays, and after so many."""
    seats = [np.flatnonzero(person == player) for player in range(len(ratings.people))]
    after = [[ratings.deviation_after[own[n - 1]] for own in seats if len(own) >= n] for n in (FEW, MANY)]
    return tuple(float(np.mean(values)) if values else np.nan for values in after)


def presets_table(trials: pd.DataFrame, *, base: str = "tuned", rng: np.random.Generator) -> pd.DataFrame:
    """Means over groups, and each engine's paired difference of excess from the base.

    Parameters
    ----------
    trials : DataFrame
        As `try_presets` gives it.
    base : str
        Engine that the others are compared with.
    rng : numpy.random.Generator
        Of the bootstrap over groups.

    Returns
    -------
    DataFrame
        One row an engine and measure: `value` with `low`, `high` (95 %, over groups), `n` groups; `difference` of the
        measure from the base's, with its interval and, for the excess, the `verdict`.
    """
    rows = []
    wide = trials.pivot(index="replication", columns="engine", values=list(MEASURES))
    for engine in trials["engine"].unique():
        for measure in MEASURES:
            both = (
                wide[measure][[engine, base]].dropna() if engine != base else wide[measure][[base]].dropna()
            )
            if both.empty:
                continue
            own, others = both.iloc[:, 0].to_numpy(), both.iloc[:, -1].to_numpy()
            value = cluster_interval(own, None, rng=rng)
            (gap,) = cluster_intervals((own - others)[:, None], None, rng=rng)
            row = {
                "engine": engine,
                "measure": measure,
                "value": value.value,
                "low": value.low,
                "high": value.high,
            }
            row |= {
                "n": value.n,
                "difference": gap.value,
                "difference_low": gap.low,
                "difference_high": gap.high,
            }
            row["verdict"] = give_verdict(gap.low, gap.high) if measure == "excess" else ""
            rows.append(row)
    return pd.DataFrame(rows)
