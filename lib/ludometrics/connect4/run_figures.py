"""What the figures of many runs show, as tables: outcomes by pairing, the rate against errors, where the time goes."""

import numpy as np
import pandas as pd

from ludometrics.connect4.run_table import PAIRING, check_runs
from ludometrics.connect4.run_times import pauses_over_runs
from ludometrics.connect4.runs import over_runs, rates_over_runs

OUTCOMES = ("won", "drawn", "lost")


def outcome_shares(
    arena: pd.DataFrame, *, replicates: int = 2000, level: float = 0.95, rng: np.random.Generator
) -> pd.DataFrame:
    """Give the shares won, drawn and lost of each pairing, as means over runs.

    Parameters
    ----------
    arena : DataFrame
        As for `check_runs`; commonly the last evaluation, or what `pool_evaluations` gives.
    replicates, level, rng
        As for `rates_over_runs`.

    Returns
    -------
    DataFrame
        One row a recipe, step, pairing and outcome: recipe, step, moves, opponent, error, side, outcome, games (that
        ended so), share with share_low and share_high, n (runs), caution. The three shares of a pairing add to 1.

    Raises
    ------
    ValueError
        As `check_runs`.
    """
    table = check_runs(arena)
    table = table.assign(**{f"{name}_share": table[name] / table["games"] for name in OUTCOMES})
    keys, values = ["recipe", "step", "moves", *PAIRING], [f"{name}_share" for name in OUTCOMES]
    wide = over_runs(table, keys, values, sums=OUTCOMES, replicates=replicates, level=level, rng=rng)
    parts = []
    for name in OUTCOMES:
        shares = {f"share{end}": wide[f"{name}_share{end}"] for end in ("", "_low", "_high")}
        part = wide[keys].assign(
            outcome=name, games=wide[name], **shares, n=wide["n"], caution=wide["caution"]
        )
        parts.append(part.assign(_row=range(len(part))))
    joined = pd.concat(parts).sort_values("_row", kind="stable")
    return joined.drop(columns="_row").reset_index(drop=True)


def rates_against_errors(
    arena: pd.DataFrame, *, replicates: int = 2000, level: float = 0.95, rng: np.random.Generator
) -> pd.DataFrame:
    """Give the win rate on both sides against the perfect player, by its rate of errors.

    Parameters
    ----------
    arena, replicates, level, rng
        As for `outcome_shares`.

    Returns
    -------
    DataFrame
        Rows of `rates_over_runs` against "perfect", sorted by recipe, step, side and error.

    Raises
    ------
    ValueError
        As `check_runs`; no game against the perfect player.
    """
    table = check_runs(arena)
    table = table[table["opponent"] == "perfect"]
    if table.empty:
        raise ValueError("the table of runs has no game against 'perfect'")
    found = rates_over_runs(table, replicates=replicates, level=level, rng=rng)
    return found.sort_values(["recipe", "step", "side", "error"], kind="stable", ignore_index=True)


def time_parts(
    times: pd.DataFrame, *, replicates: int = 2000, level: float = 0.95, rng: np.random.Generator
) -> pd.DataFrame:
    """Give where a run's time goes: training and evaluation, to the end of the last evaluation.

    Parameters
    ----------
    times : DataFrame
        Of `training_times`.
    replicates, level, rng
        As for `pauses_over_runs`.

    Returns
    -------
    DataFrame
        One row a recipe and part ("training", "evaluation"): recipe, evaluations, part, seconds with seconds_low and
        seconds_high (mean over runs), share (of the mean total), n (runs), caution.

    Raises
    ------
    ValueError
        As `pauses_over_runs`.
    """
    found = pauses_over_runs(times, replicates=replicates, level=level, rng=rng)
    parts = []
    for part, name in (("training", "training_s"), ("evaluation", "pauses_s")):
        seconds = {f"seconds{end}": found[f"{name}{end}"] for end in ("", "_low", "_high")}
        share = found[name] / found["total_s"]
        more = {"share": share, "n": found["n"], "caution": found["caution"]}
        parts.append(found[["recipe", "evaluations"]].assign(part=part, **seconds, **more))
    return pd.concat(parts).sort_values("recipe", kind="stable", ignore_index=True)
