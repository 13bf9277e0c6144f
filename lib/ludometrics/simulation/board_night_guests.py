"""What it does to ratings to keep guests as unknowns or to take their seats out, tried on groups of known strength."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pandas as pd
from tqdm.auto import tqdm

from ludometrics.boardgames.engine import RatedLog, rate_log
from ludometrics.boardgames.judging import ScoredPairs, score_pairs
from ludometrics.boardgames.settings import EngineSettings
from ludometrics.boardgames.standings import REGULAR_PLAYS
from ludometrics.evaluation import mean_interval
from ludometrics.provenance import replication_streams
from ludometrics.simulation.board_night_groups import weights_of
from ludometrics.simulation.board_night_truth import excess, shared_pairs, true_chances
from ludometrics.simulation.boardgame_groups import SimulatedGroup, simulate_group
from ludometrics.simulation.boardgame_worlds import GroupWorld

#: Chance of a seat beyond the second to hold a guest, and how much stronger guests are than the group, points.
SHARES = (0.05, 0.2, 0.4)
STRONGER = (-150.0, 0.0, 150.0)
MEASURES = ("error", "bias", "deviation", "excess", "pairs")


def try_guests(
    world: GroupWorld,
    settings: EngineSettings,
    *,
    plays: int,
    shares: Sequence[float] = SHARES,
    stronger: Sequence[float] = STRONGER,
    seed: int,
    first: int,
    count: int,
    progress: bool = True,
) -> pd.DataFrame:
    """Rate groups with guests twice: guests kept as unknowns, and dropped.

    Parameters
    ----------
    world : GroupWorld
        Its plays and guests are replaced.
    settings : EngineSettings
    plays : int
        Of each group.
    shares : sequence of float
        Values of `GroupWorld.guests`.
    stronger : sequence of float
        Values of `GroupWorld.guest_gap`, points.
    seed, first, count, progress
        As in `board_night_top_two.try_top_two`.

    Returns
    -------
    DataFrame
        One row a replication, `share`, `stronger` and `guests` ("unknown" or "drop"), of people with `REGULAR_PLAYS`
        rated plays: `error`, root mean square of rating less strength, their mean taken off; `bias`, mean of rating
        less strength, newcomers starting at the group's mean; mean `deviation` (points); `excess` of the forecasts
        over the truth (nats a play, on the pairs that both forecast); `pairs` compared a play.
    """
    rows = []
    for number, rng in tqdm(replication_streams(seed, first, count), total=count, disable=not progress):
        # One generator a group, so that groups of one replication differ in their guests alone.
        state = rng.integers(2**63)
        for share in shares:
            for gap in stronger:
                own = replace(world, plays=plays, guests=share, guest_gap=gap)
                group = simulate_group(own, rng=np.random.default_rng(state))
                weights = weights_of(group, settings)
                rated = {
                    how: rate_log(group.log, replace(settings, guests=how), weights=weights)
                    for how in ("unknown", "drop")
                }
                common = shared_pairs(*(score_pairs(one.schedule, one.ratings) for one in rated.values()))
                for (how, one), pairs in zip(rated.items(), common, strict=True):
                    rows.append((number, share, gap, how, *_measure(group, one, pairs)))
    return pd.DataFrame(rows, columns=["replication", "share", "stronger", "guests", *MEASURES])


def _measure(group: SimulatedGroup, rated: RatedLog, pairs: ScoredPairs) -> tuple[float, ...]:
    ratings = rated.ratings
    seasoned = ratings.plays >= REGULAR_PLAYS
    strengths = np.array([group.strengths[key] for key in ratings.people])
    off = (ratings.rating - strengths)[seasoned]
    kept, chance = true_chances(group, pairs)
    per_play = excess(kept, chance)
    compared = np.count_nonzero(ratings.pair_weight) / len(group.log.plays)
    return (
        float(np.std(off)),
        float(np.mean(off) + np.mean(strengths) - rated.settings.start),
        float(np.mean(ratings.deviations[seasoned])),
        float(np.mean(per_play)),
        compared,
    )


def guests_table(trials: pd.DataFrame) -> pd.DataFrame:
    """Means over the groups, and the paired difference that dropping makes.

    Parameters
    ----------
    trials : DataFrame
        As `try_guests` gives it.

    Returns
    -------
    DataFrame
        One row a share, gap and measure: `unknown` and `drop` (means), `difference` (drop less unknown) with `low` and
        `high` (95 %, t over the groups), `n` groups.
    """
    rows = []
    for (share, gap), part in trials.groupby(["share", "stronger"], sort=False):
        wide = part.pivot(index="replication", columns="guests", values=list(MEASURES))
        for measure in MEASURES:
            kept, dropped = wide[measure]["unknown"], wide[measure]["drop"]
            estimate = mean_interval(dropped - kept)
            row = {"share": share, "stronger": gap, "measure": measure}
            row |= {"unknown": kept.mean(), "drop": dropped.mean(), "difference": estimate.value}
            rows.append(row | {"low": estimate.low, "high": estimate.high, "n": estimate.n})
    return pd.DataFrame(rows)
