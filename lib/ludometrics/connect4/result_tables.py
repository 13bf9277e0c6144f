"""The tables of many runs joined: curves, outcomes, what each ingredient owes, the published figures beside ours."""

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from ludometrics.connect4.published import replication_rows
from ludometrics.connect4.recipe_comparison import compare_rates
from ludometrics.connect4.recipes import named_recipes
from ludometrics.connect4.run_figures import outcome_shares
from ludometrics.connect4.run_table import CONDITIONS, PAIRING, PERFECT_FIRST
from ludometrics.connect4.run_times import (
    pauses_over_runs,
    recipe_curves,
    recipes_reaching,
    run_curves,
    training_times,
)
from ludometrics.connect4.runs import overall_over_runs, pool_evaluations
from ludometrics.evaluation import Estimate
from ludometrics.provenance import merge_cells, write_table

#: Key columns of each table.
KEYS = {
    "summary": ["recipe", "step", *PAIRING],
    "runs": ["recipe", "run", "step", *PAIRING],
    "outcomes": ["recipe", *PAIRING, "outcome"],
    "overall": ["recipe", "step"],
    "reaching": ["recipe"],
    "pauses": ["recipe"],
    "ingredients": ["ingredient", "recipe", *PAIRING],
}
#: Recipes that stand for the published ones where they were run: at the same steps, on other hardware.
STANDING_FOR = {
    "recipe": "published-compiled",
    "slow target": "published-compiled-slow-target",
    "decaying exploration": "published-compiled-decaying-exploration",
}


class ManyRuns(NamedTuple):
    """Runs of a study: `arena` rows of all, `times` of their evaluations, `files` they were read from."""

    arena: pd.DataFrame
    times: pd.DataFrame
    files: tuple[str, ...]


def read_runs(results: str | Path, cells: Sequence[str]) -> ManyRuns:
    """Read the tables of a study's cells, one cell a run.

    Raises
    ------
    ValueError
        No cell, or tables with other columns.
    """
    files = {name: [f"{results}/{name}__{cell}.csv" for cell in cells] for name in ("arena", "clock")}
    clock = merge_cells(files["clock"])
    return ManyRuns(merge_cells(files["arena"]), training_times(clock), (*files["arena"], *files["clock"]))


def save(
    table: pd.DataFrame, name: str, *, out: str, parameters: Mapping[str, Any], inputs: Iterable[str]
) -> None:
    """Write one of the tables with its sidecar.

    Raises
    ------
    ValueError
        No such table.
    """
    if name not in KEYS:
        raise ValueError(f"table {name!r}, allowed are {', '.join(KEYS)}")
    write_table(table, f"{out}/{name}.csv", key=KEYS[name], parameters=parameters, inputs=inputs)


def summarise(runs: ManyRuns, *, replicates: int, rng: np.random.Generator) -> pd.DataFrame:
    """Give the mean win rate over runs of every recipe, evaluation and pairing; see `recipe_curves`."""
    return recipe_curves(runs.arena, runs.times, replicates=replicates, rng=rng)


def single_runs(runs: ManyRuns) -> pd.DataFrame:
    """Give the win rate of every single run; see `run_curves`."""
    return run_curves(runs.arena, runs.times)


def pooled_outcomes(runs: ManyRuns, count: int, *, replicates: int, rng: np.random.Generator) -> pd.DataFrame:
    """Give the shares won, drawn and lost over the last evaluations of each recipe, or all it has if they are fewer."""
    parts = []
    for _, part in runs.arena.groupby("recipe"):
        parts.append(pool_evaluations(part, min(count, part["step"].nunique()), "last"))
    return outcome_shares(pd.concat(parts, ignore_index=True), replicates=replicates, rng=rng)


def overall(runs: ManyRuns, *, replicates: int, rng: np.random.Generator) -> pd.DataFrame:
    """Give the overall score over the 22 conditions, of the recipes that met them all; see `overall_over_runs`."""
    wanted = set(CONDITIONS)
    complete = [
        recipe
        for recipe, part in runs.arena.groupby("recipe")
        if wanted <= set(part[list(PAIRING)].itertuples(index=False, name=None))
    ]
    arena = runs.arena[runs.arena["recipe"].isin(complete)]
    if arena.empty:
        names = ["recipe", "step", "moves", "games", "score", "score_low", "score_high", "score_sd", "n"]
        return pd.DataFrame(columns=[*names, "worst", "worst_run", "best", "best_run", "caution"])
    return overall_over_runs(arena, replicates=replicates, rng=rng)


def reaching(runs: ManyRuns, *, replicates: int, rng: np.random.Generator) -> pd.DataFrame:
    """Find after how many moves each recipe wins nine of ten games moving first against the perfect player."""
    return recipes_reaching(
        runs.arena, runs.times, pairing=PERFECT_FIRST, rate=0.9, replicates=replicates, rng=rng
    )


def pauses(runs: ManyRuns, *, replicates: int, rng: np.random.Generator) -> pd.DataFrame:
    """Give where the time of each recipe's runs goes; see `pauses_over_runs`."""
    return pauses_over_runs(runs.times, replicates=replicates, rng=rng)


def ingredients(runs: ManyRuns, *, main: str, replicates: int, rng: np.random.Generator) -> pd.DataFrame:
    """Compare every recipe with the main one after the moves of its own last evaluation.

    Only runs whose numbers (seeds) both have are compared, in pairs. Recipes without an evaluation after as many moves
    in common with the main one are left out.

    Returns
    -------
    DataFrame
        ingredient, recipe, and the columns of `compare_rates`: first is the recipe, second the main one.
    """
    arena, named, rows = runs.arena, named_recipes(), []
    own = arena[arena["recipe"] == main]
    others = sorted(set(arena["recipe"]) - {main})
    for recipe, stream in zip(others, rng.spawn(len(others)), strict=True):
        part = arena[arena["recipe"] == recipe]
        common = set(part["run"]) & set(own["run"])
        moves = set(part["moves"]) & set(own["moves"])
        if not common or not moves:
            continue
        both = pd.concat([part, own])
        both = both[both["run"].isin(common) & (both["moves"] == max(moves))]
        met = set(part[list(PAIRING)].itertuples(index=False, name=None))
        both = both[[row in met for row in both[list(PAIRING)].itertuples(index=False, name=None)]]
        found = compare_rates(both, recipe, main, at="moves", replicates=replicates, rng=stream)
        ingredient = named[recipe].ingredient or "whole recipe"
        rows.append(found.assign(ingredient=ingredient, recipe=recipe))
    if not rows:
        names = ["moves", *PAIRING, "value", "first", "second", "difference", "low", "high", "paired"]
        return pd.DataFrame(columns=["ingredient", "recipe", *names, "n_first", "n_second", "caution"])
    joined = pd.concat(rows, ignore_index=True)
    return joined[["ingredient", "recipe", *joined.columns.drop(["ingredient", "recipe"])]]


def claims(
    runs: ManyRuns,
    *,
    main: str,
    hardware: str,
    replicates: int,
    rng: np.random.Generator,
    measured: Mapping[str, Estimate] | None = None,
) -> list[dict[str, Any]]:
    """Hold the published figures against ours twice: the same recipe step by step, and our recipe minute by minute."""
    by_step, by_time = rng.spawn(2)
    there = set(runs.arena["recipe"])
    same = {kind: name for kind, name in STANDING_FOR.items() if name in there}
    options = {"hardware": hardware, "replicates": replicates, "measured": measured}
    return [
        *replication_rows(
            runs.arena,
            runs.times,
            recipes=same,
            by="step",
            label="the published recipe, by step",
            rng=by_step,
            **options,
        ),
        *replication_rows(
            runs.arena,
            runs.times,
            recipes={"recipe": main} if main in there else {},
            by="training time",
            label=f"{main}, by training time",
            rng=by_time,
            **options,
        ),
    ]


def in_words(summary: pd.DataFrame, reached: pd.DataFrame, replication: pd.DataFrame, *, main: str) -> str:
    """Say what the runs of the main recipe showed at their end."""
    own = summary[summary["recipe"] == main]
    last = own[own["step"] == own["step"].max()]
    lines = [f"{main}, after {int(last['moves'].iloc[0]):,} moves, n = {int(last['n'].iloc[0])} runs:"]
    for row in last[last["opponent"] == "perfect"].itertuples():
        error = f" erring {row.error:g}" if row.error else ""
        ends = f"[{row.win_rate_low:.1%}, {row.win_rate_high:.1%}]"
        lines.append(
            f"- {row.side} against perfect{error}: won {row.win_rate:.1%} {ends}, worst run {row.worst:.1%}"
        )
    found = reached[reached["recipe"] == main].iloc[0]
    soon = "not reached" if not np.isfinite(found["moves"]) else f"{int(found['moves']):,} moves"
    lines.append(f"- nine of ten won moving first: {soon}")
    counts = replication["verdict"].value_counts()
    lines.append(
        "- published figures: " + ", ".join(f"{count} {verdict}" for verdict, count in counts.items())
    )
    return "\n".join(lines)
