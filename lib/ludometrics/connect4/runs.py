"""Statistics of many runs: what each run scores, and the mean over runs with an interval that resamples runs.

Games of one run share its luck: 500 games of ten runs tell of ten runs. The input is the rows of ``arena.csv`` of any
number of runs and recipes, one row a run, step and pairing.
"""

from collections.abc import Sequence
from typing import Any, Literal

import numpy as np
import pandas as pd

from ludometrics.connect4.run_table import (
    COLUMNS,
    CONDITIONS,
    COUNTS,
    PAIRING,
    Condition,
    check_runs,
    describe,
    in_order,
)
from ludometrics.evaluation import cluster_intervals, share_interval

# How often, of 100, the interval holds the mean from so many runs on; see `caution`.
_HELD = {20: 0, 10: 89, 5: 81, 3: 72}


def run_rates(arena: pd.DataFrame, *, level: float = 0.95) -> pd.DataFrame:
    """Give the win rate W/N of each row with its interval over games, and the score (W - L)/N.

    Parameters
    ----------
    arena : DataFrame
        As for `check_runs`.
    level : float
        Confidence, between 0 and 1.

    Returns
    -------
    DataFrame
        `COLUMNS`, win_rate with win_rate_low and win_rate_high (Wilson's), score, and n (games). The interval tells how
        well these games tell the rate of this one network; it says nothing of other runs.

    Raises
    ------
    ValueError
        As `check_runs`.

    Source
    ------
    Wilson, Journal of the American Statistical Association 22 (1927).
    """
    table = check_runs(arena)
    pairs = table[["won", "games"]].drop_duplicates()
    known = {(won, n): share_interval(won, n, level=level) for won, n in pairs.itertuples(index=False)}
    found = [known[pair] for pair in table[["won", "games"]].itertuples(index=False, name=None)]
    rates = np.array([estimate[:3] for estimate in found])
    return table.assign(
        win_rate=rates[:, 0],
        win_rate_low=rates[:, 1],
        win_rate_high=rates[:, 2],
        score=_score(table),
        n=table["games"],
    )


def rates_over_runs(
    arena: pd.DataFrame, *, replicates: int = 2000, level: float = 0.95, rng: np.random.Generator
) -> pd.DataFrame:
    """Give the mean win rate and score over runs, for each recipe, step and pairing.

    Parameters
    ----------
    arena : DataFrame
        As for `check_runs`.
    replicates, level, rng
        As in `ludometrics.evaluation.cluster_interval`; recipes are drawn for in the order of their names, all steps
        and pairings of one with the same draws.

    Returns
    -------
    DataFrame
        recipe, step, moves, opponent, error, side, the sums of `COUNTS`, then win_rate and score, each with _low and
        _high (bootstrap of whole runs) and _sd (between runs, n - 1), n (runs), worst and worst_run, best and best_run
        (win rate of a single run, the first of equals), caution (see `caution`). The worst of ten runs of 50 games is
        lower than any run truly is, for luck has a share in who is worst. Student's interval, mean +- t sd / sqrt(n),
        holds the mean more often (of ten runs 90 to 95 %), but may pass 1.

    Raises
    ------
    ValueError
        As `check_runs`.

    Source
    ------
    The published Connect-4 recipe (Thill 2026, techdays26) resamples runs; bootstrap as in
    `ludometrics.evaluation.cluster_interval`.
    """
    table = check_runs(arena)
    table = table.assign(win_rate=table["won"] / table["games"], score=_score(table))
    keys = ["recipe", "step", "moves", *PAIRING]
    options = {"replicates": replicates, "level": level, "rng": rng}
    return over_runs(table, keys, ["win_rate", "score"], sums=COUNTS, **options)


def overall_scores(arena: pd.DataFrame, conditions: Sequence[Condition] = CONDITIONS) -> pd.DataFrame:
    """Give each run's overall score at each step: the mean of (W - L)/N over conditions, each counted once.

    Parameters
    ----------
    arena : DataFrame
        As for `check_runs`.
    conditions : sequence of Condition
        Which pairings count: the 22 against BitBully unless given. Other rows are left out.

    Returns
    -------
    DataFrame
        recipe, run, step, moves, games, score (-1 to 1), conditions (their number).

    Raises
    ------
    ValueError
        As `check_runs`; a step that lacks a condition.

    Source
    ------
    The published Connect-4 recipe (Thill 2026, techdays26).
    """
    table = check_runs(arena)
    wanted = [tuple(one) for one in conditions]
    if not wanted:
        raise ValueError("conditions is empty: at least one is needed")
    chosen = [key in set(wanted) for key in table[list(PAIRING)].itertuples(index=False, name=None)]
    kept = table[chosen].assign(score=lambda rows: _score(rows))
    for (recipe, step), part in table.groupby(["recipe", "step"]):
        there = set(part[list(PAIRING)].itertuples(index=False, name=None))
        lacking = [Condition(*one) for one in wanted if one not in there]
        if lacking:
            raise ValueError(
                f"recipe {recipe!r}, step {step}: {len(lacking)} of {len(wanted)} conditions are not there, the first"
                f" {describe(lacking[0])}"
            )
    groups = kept.groupby(["recipe", "step", "moves", "run"], as_index=False)
    found = groups.agg(games=("games", "sum"), score=("score", "mean"), conditions=("score", "size"))
    return found[["recipe", "run", "step", "moves", "games", "score", "conditions"]]


def overall_over_runs(
    arena: pd.DataFrame,
    conditions: Sequence[Condition] = CONDITIONS,
    *,
    replicates: int = 2000,
    level: float = 0.95,
    rng: np.random.Generator,
) -> pd.DataFrame:
    """Give the mean overall score over runs, for each recipe and step.

    Parameters
    ----------
    arena, conditions
        As for `overall_scores`.
    replicates, level, rng
        As for `rates_over_runs`.

    Returns
    -------
    DataFrame
        recipe, step, moves, games, score with score_low, score_high and score_sd, n (runs), worst, worst_run, best,
        best_run, caution.

    Raises
    ------
    ValueError
        As `overall_scores`.
    """
    table = overall_scores(arena, conditions)
    options = {"replicates": replicates, "level": level, "rng": rng}
    return over_runs(table, ["recipe", "step", "moves"], ["score"], sums=("games",), **options)


def pool_evaluations(
    arena: pd.DataFrame, count: int = 5, which: Literal["first", "last"] = "last"
) -> pd.DataFrame:
    """Add up the games of each run's first or last evaluations, so that one lucky checkpoint counts less.

    Parameters
    ----------
    arena : DataFrame
        As for `check_runs`.
    count : int
        Evaluations, at least 1.
    which : {"first", "last"}

    Returns
    -------
    DataFrame
        A table of runs again, one evaluation a run: step and moves are those of the last one pooled; `COLUMNS`,
        first_step and evaluations.

    Raises
    ------
    ValueError
        As `check_runs`; a recipe with fewer evaluations, or whose pairings differ between those pooled.

    Source
    ------
    The published Connect-4 recipe (Thill 2026, techdays26): the last five.
    """
    if which not in ("first", "last"):
        raise ValueError(f"which is {which!r}: it must be 'first' or 'last'")
    if isinstance(count, bool) or not isinstance(count, int | np.integer) or count < 1:
        raise ValueError(f"count is {count!r}: a whole number of at least 1 is needed")
    table, pooled = check_runs(arena), []
    for recipe, part in table.groupby("recipe"):
        steps = sorted(part["step"].unique())
        if len(steps) < count:
            raise ValueError(f"recipe {recipe!r} has {len(steps)} evaluations: {count} are to be pooled")
        steps = steps[:count] if which == "first" else steps[-count:]
        part = part[part["step"].isin(steps)]
        groups = part.groupby([*PAIRING, "run"])
        incomplete = groups["step"].nunique()
        if (incomplete != count).any():
            *pairing, run = incomplete.index[incomplete != count][0]
            raise ValueError(
                f"recipe {recipe!r}, run {run}: {describe(Condition(*pairing))} was not played at each of the steps"
                f" {', '.join(map(str, steps))}"
            )
        sums = groups[list(COUNTS)].sum().reset_index()
        last = part.loc[part["step"] == steps[-1], "moves"].iloc[0]
        pooled.append(
            sums.assign(
                recipe=recipe, step=steps[-1], moves=last, first_step=steps[0], evaluations=int(count)
            )
        )
    joined = in_order(pd.concat(pooled, ignore_index=True))
    return joined[[*COLUMNS, "first_step", "evaluations"]]


def caution(n_runs: int) -> str:
    """Say how often a 95 % interval that resamples so few runs holds the true mean; nothing from 20 on.

    Source
    ------
    Own: simulated runs of 50 games whose chances vary between runs as beta distributions of mean 0.47 to 0.97; of
    three runs 69 to 75 %, of five 79 to 83 %, of ten 87 to 91 %, of twenty 91 to 92 %.

    Examples
    --------
    >>> caution(1), caution(10), caution(20)
    ('one run: no interval', '10 runs: the interval holds the mean in about 89 of 100 cases, not 95', '')
    """
    if n_runs < 2:
        return "one run: no interval"
    for fewest, held in _HELD.items():
        if n_runs >= fewest:
            return (
                f"{n_runs} runs: the interval holds the mean in about {held} of 100 cases, not 95"
                if held
                else ""
            )
    return "two runs: the interval is their span"


def over_runs(
    table: pd.DataFrame,
    keys: Sequence[str],
    values: Sequence[str],
    *,
    sums: Sequence[str] = (),
    replicates: int = 2000,
    level: float = 0.95,
    rng: np.random.Generator,
) -> pd.DataFrame:
    """Give means over runs of any columns; the first of `values` says which run is worst and best.

    Parameters
    ----------
    table : DataFrame
        Rows in order: the runs of one combination of `keys` beside one another, each recipe's always in the same
        order; columns recipe, run, keys, values, sums.
    keys, values, sums : sequence of str
        What names a row (recipe first), what is averaged, and what is added up.
    replicates, level, rng
        As for `rates_over_runs`.

    Returns
    -------
    DataFrame
        As `rates_over_runs`.
    """
    parts = []
    for _, part in table.groupby("recipe", sort=True):
        runs = part["run"].unique()
        shaped = part[list(values)].to_numpy(dtype=float).reshape(-1, len(runs), len(values))
        matrix = shaped.transpose(1, 0, 2).reshape(len(runs), -1)
        found = cluster_intervals(matrix, runs, replicates=replicates, level=level, rng=rng)
        estimates = np.array(found)[:, :3].reshape(-1, len(values), 3)
        row = part.iloc[:: len(runs)][list(keys)].reset_index(drop=True)
        for name in sums:
            row[name] = part[name].to_numpy().reshape(-1, len(runs)).sum(axis=1)
        columns: dict[str, Any] = {}
        for place, name in enumerate(values):
            columns |= dict(zip((name, f"{name}_low", f"{name}_high"), estimates[:, place].T, strict=True))
            single = len(runs) < 2
            columns[f"{name}_sd"] = np.nan if single else shaped[:, :, place].std(axis=1, ddof=1)
        columns["n"] = len(runs)
        for name, pick in (("worst", np.argmin), ("best", np.argmax)):
            place = pick(shaped[:, :, 0], axis=1)
            columns |= {name: shaped[np.arange(len(shaped)), place, 0], f"{name}_run": runs[place]}
        parts.append(row.assign(**columns, caution=caution(len(runs))))
    return pd.concat(parts, ignore_index=True)


def _score(table: pd.DataFrame) -> pd.Series:
    return (table["won"] - table["lost"]) / table["games"]
