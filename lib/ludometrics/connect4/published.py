"""The published figures of Connect-4 learned by self-play, and ours held against them.

``published.csv`` beside this module has one row a figure: its name for programs, the claim in words, what is measured
and where, the value with its interval, and why it cannot be measured here where that is so.
"""

from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Any, Literal

import numpy as np
import pandas as pd

from ludometrics.connect4.published_measures import NotMeasured, Runs, measure_row
from ludometrics.connect4.run_table import check_runs
from ludometrics.connect4.run_times import join_times
from ludometrics.evaluation import Estimate
from ludometrics.provenance import claim

#: Recipes as the published table calls them.
RECIPES = ("recipe", "slow target", "decaying exploration")


def published_table() -> pd.DataFrame:
    """Give the published figures.

    Returns
    -------
    DataFrame
        One row a figure: name, claim (in words), recipe and other (one of `RECIPES`, or empty), measure, opponent and
        error (lists with ";"), side, window (which evaluation: "step 1000", "end", "first 5", "last 5", "from 4000",
        "seconds", "all"), seconds (training time of it, NaN where none was published), value with low and high (95 %
        over runs; NaN where none was published), unit, n and n_of (how many of what), why (it cannot be measured here;
        empty where it can), detail.

    Source
    ------
    The published Connect-4 recipe (Thill 2026, techdays26); history: Thill, Koch and Konen, PPSN XII (2012); Thill
    (2015); Bagheri, Thill, Koch and Konen (2016).

    Examples
    --------
    >>> table = published_table().set_index("name")
    >>> table.loc["first_perfect_end", ["value", "low", "high"]].tolist()
    [0.966, 0.942, 0.984]
    """
    return _table().copy()


def published_curve() -> pd.DataFrame:
    """Give the published points of the win rate first against the perfect player, to be marked in a figure.

    Returns
    -------
    DataFrame
        step, seconds (of training on an A100), win_rate, win_rate_low, win_rate_high (NaN where no interval was
        published), n (runs).

    Source
    ------
    As `published_table`.

    Examples
    --------
    >>> published_curve()["win_rate"].tolist()
    [0.39, 0.93, 0.946, 0.966]
    """
    names = {1000: "first_perfect_1000", 4000: "first_perfect_4000", 13_000: "first_perfect_13000"}
    names |= {25_000: "first_perfect_end"}
    rows = _table().set_index("name").loc[list(names.values())].reset_index()
    rows = rows.rename(columns={"value": "win_rate", "low": "win_rate_low", "high": "win_rate_high"})
    rows.insert(0, "step", list(names))
    return rows[["step", "seconds", "win_rate", "win_rate_low", "win_rate_high", "n"]].astype({"n": int})


def replication_rows(
    arena: pd.DataFrame,
    times: pd.DataFrame | None = None,
    *,
    recipes: Mapping[str, str],
    by: Literal["step", "training time"],
    hardware: str,
    measured: Mapping[str, Estimate] | None = None,
    label: str = "",
    replicates: int = 2000,
    rng: np.random.Generator,
) -> list[dict[str, Any]]:
    """Hold every published figure against our runs.

    Parameters
    ----------
    arena : DataFrame
        As for `check_runs`.
    times : DataFrame, optional
        Of `run_times.training_times`; without it no figure that needs a time is measured.
    recipes : mapping
        Which recipe of `arena` stands for each of `RECIPES`, as far as it was run.
    by : {"step", "training time"}
        What makes an evaluation of ours the published one: the same number of steps, for the same recipe; or training
        time within a tenth of the published one, for a recipe with other steps or on other hardware.
    hardware : str
        What our runs were made on; it stands in each note.
    measured : mapping of str to Estimate, optional
        Values of figures that are not in the arena's table, by name, such as the tournament's; they come first.
    label : str
        Put after each claim, in brackets: the claims of two calls must differ to stand in one table.
    replicates, rng
        As in `ludometrics.evaluation.cluster_interval`; each figure has a stream of its own.

    Returns
    -------
    list of dict
        Rows of `ludometrics.provenance.claim`, one a published figure, in the order of the table. What was not run, or
        has one run only, is ``cannot tell`` with the reason.

    Raises
    ------
    ValueError
        As `check_runs`; a recipe or name that is not there, hardware not named.
    """
    runs = Runs(check_runs(arena), times, by, replicates)
    _check_request(runs, recipes, hardware, measured or {})
    rows = []
    for figure, stream in zip(_table().itertuples(index=False), rng.spawn(len(_table())), strict=True):
        text = f"{figure.claim} ({label})" if label else figure.claim
        found, note = _find(figure, runs, recipes, hardware, measured or {}, stream)
        ours = found or Estimate(float("nan"), float("nan"), float("nan"), 0)
        ends = None if np.isnan(figure.low) else figure.low, None if np.isnan(figure.high) else figure.high
        note = "; ".join(filter(None, [note, f"published: {figure.detail}" if figure.detail else ""]))
        value = None if found is None else ours.value
        rows.append(
            claim(
                text,
                figure.value,
                value,
                ours.low,
                ours.high,
                ours.n,
                published_low=ends[0],
                published_high=ends[1],
                note=note,
            )
        )
    return rows


def _find(
    figure: Any,
    runs: Runs,
    recipes: Mapping[str, str],
    hardware: str,
    measured: Mapping[str, Estimate],
    rng: np.random.Generator,
) -> tuple[Estimate | None, str]:
    """Our value of a figure and a note; no value where there is none, and why."""
    if figure.name in measured:
        found, note = measured[figure.name], hardware
    elif figure.why:
        return None, figure.why
    else:
        absent = [name for name in (figure.recipe, figure.other) if name and name not in recipes]
        if absent:
            return None, f"{absent[0]} was not run"
        try:
            found, how = measure_row(figure, runs, recipes, rng=rng)
        except NotMeasured as reason:
            return None, str(reason)
        note = f"{recipes[figure.recipe]} on {hardware}" + (f"; {how}" if how else "")
    if np.isnan([found.value, found.low, found.high]).any():
        return None, f"{note}: one run has no interval"
    return found, note


def _check_request(
    runs: Runs, recipes: Mapping[str, str], hardware: str, measured: Mapping[str, Estimate]
) -> None:
    if runs.by not in ("step", "training time"):
        raise ValueError(f"by is {runs.by!r}: it must be 'step' or 'training time'")
    if runs.by == "training time" and runs.times is None:
        raise ValueError("by is 'training time': times are needed")
    join_times(runs.arena, runs.times)
    if not hardware.strip():
        raise ValueError("hardware is empty: it must be named")
    for name, ours in recipes.items():
        if name not in RECIPES:
            raise ValueError(f"recipes: {name!r} is none of {', '.join(map(repr, RECIPES))}")
        if ours not in set(runs.arena["recipe"]):
            known = ", ".join(map(repr, runs.arena["recipe"].unique()))
            raise ValueError(f"recipes: {ours!r} is not in the table of runs: there are {known}")
    known_names = set(_table()["name"])
    for name in measured:
        if name not in known_names:
            raise ValueError(f"measured: no published figure is called {name!r}; see published_table()")


@cache
def _table() -> pd.DataFrame:
    texts = ("name", "claim", "recipe", "other", "measure", "opponent", "error", "side", "window")
    texts += ("unit", "n_of", "why", "detail")
    resource = files("ludometrics.connect4") / "published.csv"
    with resource.open(encoding="utf-8") as file:
        table = pd.read_csv(file, comment="#", dtype=dict.fromkeys(texts, str))
    return table.fillna(dict.fromkeys(texts, ""))
