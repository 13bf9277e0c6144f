"""How many plays a group needs before its two best can be told apart: tried on groups whose strengths are known."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from tqdm.auto import tqdm

from ludometrics.boardgames.arrays import first_plays
from ludometrics.boardgames.engine import rate
from ludometrics.boardgames.settings import PRESETS, EngineSettings
from ludometrics.evaluation import NORMAL_95, share_interval
from ludometrics.provenance import replication_streams
from ludometrics.simulation.board_night_groups import replays_of
from ludometrics.simulation.boardgame_groups import simulate_group
from ludometrics.simulation.boardgame_worlds import GroupWorld

#: People of the group, and plays after which its table is looked at.
PEOPLE = 6
PLAYS = (10, 20, 40, 80, 160, 320, 640, 1280)
PLAYS_A_YEAR = 160
#: Shares of groups for which the number of plays needed is asked.
SHARES = (0.5, 0.8)
#: Engines that are tried. The floor under the deviation keeps a rating lively, and the two best apart for ever; the
#: last does without floor and ageing, as is right for strengths that do not change.
ENGINES: dict[str, EngineSettings] = {
    "bgelo": PRESETS["bgelo"],
    "tuned": PRESETS["tuned"],
    "still": replace(PRESETS["tuned"], floor=1.0, absence=0.0),
}
#: Classes of the true gap between the two best, points: from, to below.
GAPS = {
    "all": (0.0, np.inf),
    "below 50": (0.0, 50.0),
    "50 to 100": (50.0, 100.0),
    "100 and more": (100.0, np.inf),
}


def try_top_two(
    world: GroupWorld,
    *,
    plays: Sequence[int] = PLAYS,
    seed: int,
    first: int,
    count: int,
    progress: bool = True,
) -> pd.DataFrame:
    """Rate groups of six again and again while they play, and see whether the two truly best are told apart.

    Parameters
    ----------
    world : GroupWorld
        Its people, plays and years are replaced by those of a group of `PEOPLE` without guests.
    plays : sequence of int
        After which the ratings are looked at, rising.
    seed, first, count
        Replications `first` to `first + count - 1` of the study's seed.
    progress : bool

    Returns
    -------
    DataFrame
        One row a replication, engine and number of plays: true `gap` of the two best (points), `rated_gap` of the same
        two, its `deviation`, `in_order` (1 if the better is rated higher) and `told` ("right" or "wrong" if the 95 %
        interval of the rated gap leaves out 0, else "open").
    """
    six = replace(world, people=PEOPLE, guests=0.0, plays=max(plays), years=max(plays) / PLAYS_A_YEAR)
    rows = []
    for number, rng in tqdm(replication_streams(seed, first, count), total=count, disable=not progress):
        group = simulate_group(six, rng=rng)
        best, second = sorted(group.strengths, key=group.strengths.get, reverse=True)[:2]
        gap = group.strengths[best] - group.strengths[second]
        for engine, settings in ENGINES.items():
            schedule = replays_of(group, settings).schedule(settings)
            people = {key: place for place, key in enumerate(schedule.people)}
            for n in plays:
                ratings = rate(first_plays(schedule, n), settings)
                places = [people[best], people[second]]
                rated = float(np.subtract(*ratings.rating[places]))
                deviation = float(np.sqrt(ratings.variance[places].sum()))
                rows.append(
                    (number, engine, n, gap, rated, deviation, int(rated > 0), _told(rated, deviation))
                )
    names = ["replication", "engine", "plays", "gap", "rated_gap", "deviation", "in_order", "told"]
    return pd.DataFrame(rows, columns=names)


def _told(rated_gap: float, deviation: float) -> str:
    if abs(rated_gap) <= NORMAL_95 * deviation:
        return "open"
    return "right" if rated_gap > 0 else "wrong"


def top_two_table(trials: pd.DataFrame) -> pd.DataFrame:
    """Share of groups whose two best are told apart, by plays and by how far apart they truly are.

    Parameters
    ----------
    trials : DataFrame
        As `try_top_two` gives it.

    Returns
    -------
    DataFrame
        One row an engine, class of gaps (`GAPS`; classes without a group are absent) and number of plays: shares
        `right`, `wrong` and `in_order` with their 95 % intervals (Wilson), `n` groups.
    """
    rows = []
    for name, (low, high) in GAPS.items():
        own = trials[(trials["gap"] >= low) & (trials["gap"] < high)]
        for (engine, plays), part in own.groupby(["engine", "plays"], sort=False):
            row: dict[str, object] = {"engine": engine, "gap": name, "plays": plays}
            hits = {told: (part["told"] == told).sum() for told in ("right", "wrong")}
            hits["in_order"] = part["in_order"].sum()
            for column, count in hits.items():
                share = share_interval(int(count), len(part))
                row |= {column: share.value, f"{column}_low": share.low, f"{column}_high": share.high}
            rows.append(row | {"n": len(part)})
    return pd.DataFrame(rows)


def needed_table(table: pd.DataFrame, *, shares: Sequence[float] = SHARES) -> pd.DataFrame:
    """Plays from which on the two best are told apart in a share of all groups.

    Parameters
    ----------
    table : DataFrame
        As `top_two_table` gives it, with the column `world`; only the class of all gaps is read.
    shares : sequence of float
        In (0, 1].

    Returns
    -------
    DataFrame
        One row a world, engine and share: `plays`, interpolated between the numbers of plays tried, on their logarithm
        (missing where the share is not reached within them), with `low` and `high`, where the upper and lower ends of
        the shares' 95 % intervals cross it; `most`, the largest number of plays tried, and `n` groups.
    """
    rows = []
    whole = table[table["gap"] == "all"].sort_values("plays")
    for (world, engine), part in whole.groupby(["world", "engine"], sort=False):
        for share in shares:
            row: dict[str, object] = {"world": world, "engine": engine, "share": share}
            for name, column in (("plays", "right"), ("low", "right_high"), ("high", "right_low")):
                row[name] = _crossing(part["plays"].to_numpy(), part[column].to_numpy(), share)
            rows.append(row | {"most": part["plays"].max(), "n": part["n"].min()})
    return pd.DataFrame(rows)


def _crossing(plays: NDArray, reached: NDArray, share: float) -> float:
    above = np.flatnonzero(reached >= share)
    if not len(above):
        return np.nan
    if above[0] == 0:
        return float(plays[0])
    ends = slice(above[0] - 1, above[0] + 1)
    return float(np.exp(np.interp(share, reached[ends], np.log(plays[ends]))))
