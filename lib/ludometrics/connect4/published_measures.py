"""How each kind of published figure is measured on runs of ours."""

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from ludometrics.connect4.recipe_comparison import compare_rates
from ludometrics.connect4.run_table import PAIRING, Condition, describe
from ludometrics.connect4.run_times import pauses_over_runs, recipes_reaching
from ludometrics.connect4.runs import overall_over_runs, overall_scores, pool_evaluations
from ludometrics.connect4.selection import criterion
from ludometrics.evaluation import Estimate, cluster_interval, share_interval, statistic_interval

LAST_STEP, EVERY = 25_000, 1000  # of the published runs: steps, and steps between evaluations
END_SECONDS = 516.0
TOLERANCE = 0.1  # an evaluation stands for a published one if its training time is within this share of it


class NotMeasured(ValueError):
    """A figure that our runs do not tell; the reason is the message."""


@dataclass(frozen=True)
class Runs:
    """Our runs, and what makes their evaluations comparable.

    Attributes
    ----------
    arena : DataFrame
        Of `check_runs`.
    times : DataFrame or None
        Of `training_times`.
    by : str
        "step" or "training time".
    replicates : int
        Of the bootstrap.
    """

    arena: pd.DataFrame
    times: pd.DataFrame | None
    by: str
    replicates: int

    def of(self, recipe: str) -> pd.DataFrame:
        """Rows of one recipe."""
        return self.arena[self.arena["recipe"] == recipe].reset_index(drop=True)

    def seconds_of(self, recipe: str) -> pd.Series:
        """Mean training time of each step of a recipe; raises NotMeasured without times."""
        if self.times is None:
            raise NotMeasured("training times are not given")
        own = self.times[self.times["recipe"] == recipe]
        return own.groupby("step")["training_s"].mean()


def measure_row(
    figure: Any, runs: Runs, recipes: Mapping[str, str], *, rng: np.random.Generator
) -> tuple[Estimate, str]:
    """Measure one published figure on our runs.

    Parameters
    ----------
    figure : namedtuple
        A row of `published.published_table`.
    runs : Runs
    recipes : mapping
        Ours by the published name.
    rng : numpy.random.Generator

    Returns
    -------
    tuple of Estimate and str
        Our value, and which evaluations it rests on.

    Raises
    ------
    NotMeasured
        What is needed was not played.

    Source
    ------
    Own.
    """
    recipe = recipes[figure.recipe]
    if figure.measure == "difference":
        return _difference(figure, runs, recipe, recipes[figure.other], rng)
    if figure.measure in _REACHED:
        return _reached(figure, runs, recipe, rng)
    if figure.measure == "pause_s":
        return _pause(runs, recipe, rng), ""
    table, how = choose_evaluations(figure, runs, recipe)
    if figure.measure in _OVERALL:
        if figure.measure == "overall_worst":
            how = f"{how}; interval over the games of that run"
        try:
            return _OVERALL[figure.measure](table, runs, rng), how
        except ValueError as error:
            raise NotMeasured(str(error)) from None
    if figure.measure == "forfeits":
        return _mean_share(table, "forfeits", runs, rng), how
    if figure.measure in ("best", "worst"):
        how = f"{how}; interval over the games of that run"
    return _MEASURES[figure.measure](_games(table, figure), runs, rng), how


def choose_evaluations(figure: Any, runs: Runs, recipe: str) -> tuple[pd.DataFrame, str]:
    """Find the evaluations of ours that stand for a figure's, and say which they are.

    Parameters
    ----------
    figure : namedtuple
        A row of the published table: its window and seconds are looked at.
    runs : Runs
    recipe : str
        Ours.

    Returns
    -------
    tuple of DataFrame and str
        Rows of `check_runs`; pooled ones for the first or last evaluations.

    Raises
    ------
    NotMeasured
        No such evaluation.
    """
    table = runs.of(recipe)
    steps = sorted(int(step) for step in table["step"].unique())
    kind, _, number = figure.window.partition(" ")
    if kind == "all":
        return table, f"{len(steps)} evaluations"
    if kind in ("first", "last"):
        return _pooled(table, steps, kind, int(number), runs, recipe)
    if runs.by == "step" and kind != "seconds":
        wanted = LAST_STEP if kind in ("end", "from") else int(number)
        if wanted not in steps:
            raise NotMeasured(f"our runs have no evaluation at step {wanted:,}")
        chosen = [step for step in steps if step >= int(number)] if kind == "from" else [wanted]
    else:
        seconds = runs.seconds_of(recipe)
        if kind == "from":
            chosen = [step for step in steps if seconds[step] >= figure.seconds * (1 - TOLERANCE)]
            if not chosen:
                raise NotMeasured(f"our runs have no evaluation after {figure.seconds:g} s of training")
        else:
            chosen = [_nearest(seconds, figure.seconds)]
    return table[table["step"].isin(chosen)].reset_index(drop=True), _describe(table, chosen, runs, recipe)


def _pooled(
    table: pd.DataFrame, steps: list[int], kind: str, count: int, runs: Runs, recipe: str
) -> tuple[pd.DataFrame, str]:
    if runs.by == "step":
        last = LAST_STEP if kind == "last" else count * EVERY
        wanted = list(range(last - (count - 1) * EVERY, last + 1, EVERY))
        chosen = steps[-count:] if kind == "last" else steps[:count]
        if chosen != wanted:
            raise NotMeasured(f"our runs were not evaluated at steps {wanted[0]:,} to {wanted[-1]:,} alike")
    else:
        if kind == "first":
            raise NotMeasured(
                "a mean over the first evaluations depends on when they are, and ours are at other times"
            )
        _nearest(runs.seconds_of(recipe)[[steps[-1]]], END_SECONDS)
        chosen = steps[-count:]
    try:
        pooled = pool_evaluations(table, count, kind)
    except ValueError as error:
        raise NotMeasured(str(error)) from None
    return pooled, _describe(table, chosen, runs, recipe)


def _nearest(seconds: pd.Series, wanted: float) -> int:
    if math.isnan(wanted):
        raise NotMeasured("no training time was published for it")
    gaps = (seconds - wanted).abs()
    if gaps.min() > TOLERANCE * wanted:
        raise NotMeasured(
            f"no evaluation of ours is within a tenth of {wanted:g} s of training: the nearest is after"
            f" {seconds[gaps.idxmin()]:.0f} s"
        )
    return int(gaps.idxmin())


def _describe(table: pd.DataFrame, steps: list[int], runs: Runs, recipe: str) -> str:
    ends = sorted({steps[0], steps[-1]})
    moves = [int(table.loc[table["step"] == step, "moves"].iloc[0]) for step in ends]
    words = [
        f"step {' to '.join(f'{step:,}' for step in ends)}",
        f"{' to '.join(f'{one:,}' for one in moves)} moves",
    ]
    if runs.times is not None:
        seconds = runs.seconds_of(recipe)
        words.append(f"{' to '.join(f'{seconds[step]:.0f}' for step in ends)} s of training")
    return ", ".join(words)


def _games(table: pd.DataFrame, figure: Any) -> pd.DataFrame:
    """Rows of a figure's pairings; each must have been played."""
    wanted = [
        Condition(name, float(error), figure.side)
        for name in figure.opponent.split(";")
        for error in figure.error.split(";")
    ]
    there = set(table[list(PAIRING)].itertuples(index=False, name=None))
    lacking = [one for one in wanted if tuple(one) not in there]
    if lacking:
        raise NotMeasured(f"{describe(lacking[0])} was not played then")
    keys = table[list(PAIRING)].itertuples(index=False, name=None)
    return table[[key in set(wanted) for key in keys]].reset_index(drop=True)


def _mean_share(table: pd.DataFrame, column: str, runs: Runs, rng: np.random.Generator) -> Estimate:
    sums = table.groupby("run")[[column, "games"]].sum()
    shares = sums[column] / sums["games"]
    found = cluster_interval(shares, None, replicates=runs.replicates, rng=rng)
    if found.low == found.high:
        # Runs that are all alike, mostly all 0 or all 1, tell no spread: no less than that of their games is left.
        games = share_interval(sums[column].sum(), sums["games"].sum())
        found = Estimate(found.value, min(found.value, games.low), max(found.value, games.high), found.n)
    return found


def _share_of(column: str) -> Callable[..., Estimate]:
    return lambda table, runs, rng: _mean_share(table, column, runs, rng)


def _extreme(pick: Callable[..., Any], keys: list[str]) -> Callable[..., Estimate]:
    """The lowest or highest, over pairings or steps, of means over runs."""

    def measure(table: pd.DataFrame, runs: Runs, rng: np.random.Generator) -> Estimate:
        rates = table.assign(rate=table["won"] / table["games"]).pivot(
            index="run", columns=keys, values="rate"
        )
        matrix = rates.to_numpy()

        def statistic(weights: np.ndarray) -> float:
            return float(pick((matrix * weights[:, None]).sum(axis=0) / weights.sum()))

        return statistic_interval(statistic, len(matrix), None, replicates=runs.replicates, rng=rng)

    return measure


def _single(pick: str) -> Callable[..., Estimate]:
    """The best or worst run, with the interval over its games."""

    def measure(table: pd.DataFrame, runs: Runs, rng: np.random.Generator) -> Estimate:
        row = table.loc[getattr(table["won"] / table["games"], pick)()]
        return share_interval(row["won"], row["games"])

    return measure


def _all_won(table: pd.DataFrame, runs: Runs, rng: np.random.Generator) -> Estimate:
    return share_interval(int((table["won"] == table["games"]).sum()), len(table))


def _spread(table: pd.DataFrame, runs: Runs, rng: np.random.Generator) -> Estimate:
    rates = (table["won"] / table["games"]).to_numpy()

    def statistic(weights: np.ndarray) -> float:
        if weights.sum() < 2:
            return math.nan
        mean = (weights * rates).sum() / weights.sum()
        return math.sqrt((weights * (rates - mean) ** 2).sum() / (weights.sum() - 1))

    return statistic_interval(statistic, len(rates), None, replicates=runs.replicates, rng=rng)


def _overall(table: pd.DataFrame, runs: Runs, rng: np.random.Generator) -> Estimate:
    found = overall_over_runs(table, replicates=runs.replicates, rng=rng).iloc[0]
    return Estimate(found["score"], found["score_low"], found["score_high"], int(found["n"]))


def _overall_worst(table: pd.DataFrame, runs: Runs, rng: np.random.Generator) -> Estimate:
    scores = overall_scores(table)
    run = scores.loc[scores["score"].idxmin(), "run"]
    own = criterion(table[table["run"] == run])
    return Estimate(own.score, own.low, own.high, own.games)


def _difference(
    figure: Any, runs: Runs, recipe: str, other: str, rng: np.random.Generator
) -> tuple[Estimate, str]:
    tables, hows = zip(*(choose_evaluations(figure, runs, one) for one in (recipe, other)), strict=True)
    both = pd.concat([_games(table, figure) for table in tables])
    found = compare_rates(both, recipe, other, at="evaluation", replicates=runs.replicates, rng=rng).iloc[0]
    n = int(min(found["n_first"], found["n_second"]))
    return Estimate(found["difference"], found["low"], found["high"], n), hows[0]


def _reached(figure: Any, runs: Runs, recipe: str, rng: np.random.Generator) -> tuple[Estimate, str]:
    name = _REACHED[figure.measure]
    if runs.by == "training time" and name == "step":
        raise NotMeasured("a step of ours is not one of theirs: it has other boards")
    if name == "training_s":
        runs.seconds_of(recipe)
    pairing = Condition(figure.opponent, float(figure.error), figure.side)
    table = _games(runs.of(recipe), figure)
    row = recipes_reaching(table, runs.times, pairing=pairing, replicates=runs.replicates, rng=rng).iloc[0]
    if not math.isfinite(row["moves"]):
        last = {"moves": row["last_moves"], "step": table["step"].max()}
        last["training_s"] = math.nan if runs.times is None else runs.seconds_of(recipe).max()
        never = f"the mean of our runs does not exceed 90 % within {row['last_moves']:,} moves"
        if not last[name] > figure.value:
            raise NotMeasured(never)
        # It takes longer than what was published, however long: the value is where we stopped looking.
        return Estimate(float(last[name]), float(last[name]), math.inf, int(row["n"])), never
    return Estimate(row[name], row[f"{name}_low"], row[f"{name}_high"], int(row["n"])), ""


def _pause(runs: Runs, recipe: str, rng: np.random.Generator) -> Estimate:
    runs.seconds_of(recipe)
    table = runs.of(recipe)
    games = table.groupby(["run", "step"])["games"].sum()
    if (games != 1200).any():
        raise NotMeasured("our evaluations are not all of 1,200 games")
    own = runs.times[runs.times["recipe"] == recipe]
    row = pauses_over_runs(own, replicates=runs.replicates, rng=rng).iloc[0]
    return Estimate(row["pause_s"], row["pause_s_low"], row["pause_s_high"], int(row["n"]))


_REACHED = {"step_reached": "step", "moves_reached": "moves", "seconds_reached": "training_s"}
_OVERALL = {"overall": _overall, "overall_worst": _overall_worst}
_MEASURES: dict[str, Callable[..., Estimate]] = {
    "win_rate": _share_of("won"),
    "drawn": _share_of("drawn"),
    "lost": _share_of("lost"),
    "best": _single("idxmax"),
    "worst": _single("idxmin"),
    "all_won": _all_won,
    "sd": _spread,
    "lowest_pairing": _extreme(np.min, list(PAIRING)),
    "highest_pairing": _extreme(np.max, list(PAIRING)),
    "lowest_step": _extreme(np.min, ["step"]),
    "highest_step": _extreme(np.max, ["step"]),
}
