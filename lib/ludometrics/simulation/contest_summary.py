"""The contest of rating systems summed up over worlds, and the calibration grids."""

from collections.abc import Sequence

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from ludometrics.evaluation import MARGIN, give_verdict, mean_interval
from ludometrics.ratings.entrants import ENTRANTS, title_of
from ludometrics.simulation.days_claims import event_claim

#: Measures of `judge_world`, in the order of the columns.
MEASURES = ("excess", "log_loss", "slope", "tau", "error", "coverage", "big_picture", "all_right")
#: What is compared: Elo as it comes.
BASELINE = "elo"


def contest_table(scores: pd.DataFrame) -> pd.DataFrame:
    """Rank the entrants of each world by how far their forecasts are from the truth.

    Parameters
    ----------
    scores : DataFrame
        As `run_contest` gives them, with a column world.

    Returns
    -------
    DataFrame
        world, rank (1 is nearest to the truth; oracle and coin have none), entrant, title; for each of `MEASURES` its
        mean over worlds with a 95 % interval (missing where the entrant has none); difference (of excess from Elo,
        paired by world; below 0 is better), difference_low, difference_high, verdict (helps, hurts, neutral within
        0.002, undecided); n (worlds). Sorted by world and excess.

    Source
    ------
    Own.
    """
    rows = []
    for world, group in scores.groupby("world", sort=False):
        wide = group.pivot(index="replication", columns="entrant", values="excess")
        for entrant, own in group.groupby("entrant", sort=False):
            row = {"world": world, "entrant": entrant, "title": title_of(entrant)}
            for measure in MEASURES:
                values = own[measure].dropna()
                estimate = mean_interval(values) if len(values) > 1 else (np.nan,) * 3
                row |= dict(zip((measure, f"{measure}_low", f"{measure}_high"), estimate[:3], strict=True))
            row |= _compared(wide[entrant] - wide[BASELINE]) | {"n": len(own)}
            rows.append(row)
    table = pd.DataFrame(rows).sort_values(["world", "excess"], kind="stable", ignore_index=True)
    real = table["entrant"].isin(ENTRANTS)
    ranks = table[real].groupby("world")["excess"].rank(method="first").astype(int)
    table.insert(1, "rank", ranks.reindex(table.index).astype("Int64"))
    return table


def grid_table(candidates: pd.DataFrame, excess: NDArray[np.float64], *, default: int) -> pd.DataFrame:
    """Compare the settings of a grid, paired by world, with the default and with the best.

    Parameters
    ----------
    candidates : DataFrame, k rows
        What is known of each setting: its name and its values.
    excess : ndarray, shape (worlds, k)
        Of `grids.excess_of_each`.
    default : int
        Row of the setting that is the system's default.

    Returns
    -------
    DataFrame
        The candidates; excess with its 95 % interval over worlds; difference (from the default, paired by world) with
        its interval and verdict; best (1 for the smallest mean excess); near_best (1 where the paired difference from
        the best is within one standard error of that difference, or is none); n (worlds).

    Source
    ------
    Own; one standard error as in Breiman et al., Classification and Regression Trees (1984), section 3.4.3, but of
    the paired difference.
    """
    mean = excess.mean(axis=0)
    best = int(np.argmin(mean))
    behind = excess - excess[:, [best]]
    error = behind.std(axis=0, ddof=1) / np.sqrt(len(excess))
    rows = []
    for column in range(excess.shape[1]):
        own = mean_interval(excess[:, column])
        row = dict(zip(("excess", "excess_low", "excess_high"), own[:3], strict=True))
        rows.append(row | _compared(pd.Series(excess[:, column] - excess[:, default])))
    table = pd.concat([candidates.reset_index(drop=True), pd.DataFrame(rows)], axis=1)
    table["best"] = (np.arange(len(table)) == best).astype(int)
    table["near_best"] = (behind.mean(axis=0) <= error).astype(int)
    table["n"] = len(excess)
    return table


def optimum_table(grid: pd.DataFrame, axes: Sequence[str]) -> pd.DataFrame:
    """Say where the best setting lies, by world and number of games, and how far it could be moved.

    Parameters
    ----------
    grid : DataFrame
        Of `grid_table` with columns world, games and family, all families under one another.
    axes : sequence of str
        Columns of the settings.

    Returns
    -------
    DataFrame
        world, games, family; for each axis its best value and the smallest and the largest of the settings within one
        standard error of the best; excess there with its interval, and n.
    """
    rows = []
    for key, group in grid.groupby(["world", "games", "family"], sort=False):
        best = group[group["best"] == 1].iloc[0]
        near = group[group["near_best"] == 1]
        row = dict(zip(("world", "games", "family"), key, strict=True))
        for axis in axes:
            row |= {axis: best[axis], f"{axis}_least": near[axis].min(), f"{axis}_most": near[axis].max()}
        rows.append(row | {name: best[name] for name in ("excess", "excess_low", "excess_high", "n")})
    return pd.DataFrame(rows)


def contest_claims(scores: pd.DataFrame) -> list[dict]:
    """Hold a claim of the draughts course against the contest: that twenty days got the big picture right.

    Parameters
    ----------
    scores : DataFrame
        As `run_contest` gives them, with a column world, ``course`` among them.

    Returns
    -------
    list of dict
        Rows of `ludometrics.provenance.claim`.
    """
    elo = scores[(scores["world"] == "course") & (scores["entrant"] == BASELINE)]
    note = (
        "every pair of players more than 100 points apart is in the right order; 560 games among the eight, where the "
        "course's are mostly against levels of the computer"
    )
    return [
        event_claim("ratings get the big picture right after 560 games", elo["all_right"] == 1, note=note)
    ]


def _compared(difference: pd.Series) -> dict[str, object]:
    """The paired difference over worlds, and what it says."""
    estimate = mean_interval(difference)
    names = ("difference", "difference_low", "difference_high")
    verdict = give_verdict(estimate.low, estimate.high, margin=MARGIN)
    return dict(zip(names, estimate[:3], strict=True)) | {"verdict": verdict}
