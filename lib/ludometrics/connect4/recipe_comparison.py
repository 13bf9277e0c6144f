"""Two recipes compared: the difference of their means over runs, with an interval that resamples runs."""

from collections.abc import Sequence
from typing import Any, Literal

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from ludometrics.connect4.run_table import CONDITIONS, PAIRING, Condition, check_runs
from ludometrics.connect4.runs import caution, overall_scores
from ludometrics.evaluation.bootstrap import cluster_intervals, percentile_ends, resample_sums

At = Literal["step", "moves", "evaluation"]


def compare_rates(
    arena: pd.DataFrame,
    first: str,
    second: str,
    *,
    value: Literal["win_rate", "score"] = "win_rate",
    at: At = "step",
    replicates: int = 2000,
    level: float = 0.95,
    rng: np.random.Generator,
) -> pd.DataFrame:
    """Compare two recipes at every point and pairing that both have.

    Parameters
    ----------
    arena : DataFrame
        As for `check_runs`, or what `pool_evaluations` gives.
    first, second : str
        The recipes: first less second is given.
    value : {"win_rate", "score"}
        W/N or (W - L)/N.
    at : {"step", "moves", "evaluation"}
        What makes two evaluations one point: the same step, the same moves, or the same number counted from 1 (for
        recipes with other batches, and for pooled evaluations).
    replicates, level, rng
        As in `ludometrics.evaluation.cluster_interval`.

    Returns
    -------
    DataFrame
        `at`, opponent, error, side, value, first, second (means over runs), difference, low, high, paired, n_first,
        n_second (runs), caution. If both recipes have the same run numbers, which are their seeds, the difference is
        taken run by run and runs are drawn in pairs; else each recipe's runs are drawn apart.

    Raises
    ------
    ValueError
        As `check_runs`; a recipe that is not there, twice the same, or nothing in common.

    Source
    ------
    Efron and Tibshirani, An Introduction to the Bootstrap (1993), section 8.3 for two samples.

    Examples
    --------
    >>> own = {"opponent": "perfect", "error": 0.0, "side": "first", "games": 10, "drawn": 0, "forfeits": 0}
    >>> rows = [("a", 0, 9), ("a", 1, 8), ("b", 0, 6), ("b", 1, 7)]
    >>> table = pd.DataFrame(
    ...     [own | {"recipe": a, "run": b, "step": 1, "moves": 5, "won": w, "lost": 10 - w} for a, b, w in rows]
    ... )
    >>> found = compare_rates(table, "a", "b", rng=np.random.default_rng(1))
    >>> found[["first", "second", "difference", "low", "high", "paired"]].round(3).values.tolist()
    [[0.85, 0.65, 0.2, 0.1, 0.3, True]]
    """
    if value not in ("win_rate", "score"):
        raise ValueError(f"value is {value!r}: it must be 'win_rate' or 'score'")
    table = check_runs(arena)
    loss = table["lost"] if value == "score" else 0
    table = table.assign(value=(table["won"] - loss) / table["games"])
    options = {"at": at, "replicates": replicates, "level": level, "rng": rng}
    found = _compare(table, first, second, list(PAIRING), **options)
    found.insert(4, "value", value)
    return found


def compare_overall(
    arena: pd.DataFrame,
    first: str,
    second: str,
    conditions: Sequence[Condition] = CONDITIONS,
    *,
    at: At = "step",
    replicates: int = 2000,
    level: float = 0.95,
    rng: np.random.Generator,
) -> pd.DataFrame:
    """Compare the overall scores of two recipes at every point that both have.

    Parameters
    ----------
    arena, first, second, at, replicates, level, rng
        As for `compare_rates`.
    conditions : sequence of Condition
        As for `overall_scores`.

    Returns
    -------
    DataFrame
        As `compare_rates`, without pairing and value.

    Raises
    ------
    ValueError
        As `compare_rates` and `overall_scores`.
    """
    table = check_runs(arena)
    table = table[table["recipe"].isin([first, second])]
    if table.empty:
        raise ValueError(f"neither recipe {first!r} nor {second!r} is in the table of runs")
    scores = overall_scores(table, conditions).rename(columns={"score": "value"})
    scores = scores.sort_values(["recipe", "step", "run"], kind="stable")
    return _compare(scores, first, second, [], at=at, replicates=replicates, level=level, rng=rng)


def difference_over_runs(
    first: NDArray[np.float64],
    second: NDArray[np.float64],
    *,
    paired: bool,
    replicates: int = 2000,
    level: float = 0.95,
    rng: np.random.Generator,
) -> NDArray[np.float64]:
    """Give differences of means over runs with their intervals.

    Parameters
    ----------
    first, second : ndarray, shapes (n_first, k) and (n_second, k)
        A row a run.
    paired : bool
        Whether row i of both is one pair; else the runs of each are drawn apart.
    replicates, level, rng
        As in `ludometrics.evaluation.cluster_interval`.

    Returns
    -------
    ndarray, shape (k, 3)
        Difference, low, high; NaN ends where one of them has a single run.
    """
    if paired:
        options = {"replicates": replicates, "level": level, "rng": rng}
        return np.array(cluster_intervals(first - second, None, **options))[:, :3]
    means = first.mean(axis=0) - second.mean(axis=0)
    drawn = [resample_sums(one / len(one), replicates=replicates, rng=rng) for one in (first, second)]
    fewest = min(len(first), len(second))
    return np.column_stack([means, *percentile_ends(drawn[0] - drawn[1], fewest, level=level)])


def _compare(
    table: pd.DataFrame, first: str, second: str, keys: list[str], *, at: At, **options: Any
) -> pd.DataFrame:
    if at not in ("step", "moves", "evaluation"):
        raise ValueError(f"at is {at!r}: it must be 'step', 'moves' or 'evaluation'")
    if first == second:
        raise ValueError(f"recipe {first!r} is to be compared with itself")
    sides = []
    for recipe in (first, second):
        part = table[table["recipe"] == recipe]
        if part.empty:
            known = ", ".join(map(repr, table["recipe"].unique()))
            raise ValueError(f"recipe {recipe!r} is not in the table of runs: there are {known}")
        number = part["step"].rank(method="dense").astype(int)
        part = part.assign(**({"evaluation": number} if at == "evaluation" else {}))
        order = pd.MultiIndex.from_frame(part[[at, *keys]].drop_duplicates())
        wide = part.pivot(index=[at, *keys], columns="run", values="value")
        sides.append(
            wide.set_axis(pd.MultiIndex.from_arrays([wide.index]) if not keys else wide.index).loc[order]
        )
    common = [key for key in sides[0].index if key in set(sides[1].index)]
    if not common:
        raise ValueError(f"recipes {first!r} and {second!r} have no {at} and pairing in common")
    one, other = (side.loc[common].to_numpy().T for side in sides)
    runs = [list(side.columns) for side in sides]
    paired = runs[0] == runs[1]
    found = difference_over_runs(one, other, paired=paired, **options)
    rows = pd.DataFrame(common, columns=[at, *keys])
    return rows.assign(
        first=one.mean(axis=0),
        second=other.mean(axis=0),
        difference=found[:, 0],
        low=found[:, 1],
        high=found[:, 2],
        paired=paired,
        n_first=len(one),
        n_second=len(other),
        caution=caution(min(len(one), len(other))),
    )
