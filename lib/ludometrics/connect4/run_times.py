"""When runs become strong: moves and training time to a win rate, and curves against both.

A run that never comes so far is censored: what is known is only that it needs more than it was given.
"""

import math

import numpy as np
import pandas as pd

from ludometrics.connect4.run_table import PAIRING, PERFECT_FIRST, Condition, check_runs, describe
from ludometrics.connect4.runs import caution, over_runs, rates_over_runs, run_rates
from ludometrics.connect4.training_log import split_time
from ludometrics.evaluation import statistic_interval

_RUN = ["recipe", "run", "step"]


def training_times(clocks: pd.DataFrame) -> pd.DataFrame:
    """Give the training time of each run at each evaluation.

    Parameters
    ----------
    clocks : DataFrame
        Rows of ``clock.csv`` of many runs, each run's in its order, with the columns recipe and run before them: step,
        event, elapsed_s.

    Returns
    -------
    DataFrame
        recipe, run, step, training_s (elapsed time less all pauses), pause_s (of this evaluation), elapsed_s (when it
        was over). Sorted by recipe, step and run.

    Raises
    ------
    ValueError
        A missing column, a step evaluated twice, and as `training_log.split_time`, naming the run.

    Source
    ------
    The published Connect-4 recipe (Thill 2026, techdays26).

    Examples
    --------
    >>> rows = [("metrics", 5.0), ("arena", 25.0)]
    >>> clock = pd.DataFrame(rows, columns=["event", "elapsed_s"]).assign(recipe="own", run=0, step=100)
    >>> training_times(clock).values.tolist()
    [['own', 0, 100, 5.0, 20.0, 25.0]]
    """
    wanted = [*_RUN, "event", "elapsed_s"]
    missing = [name for name in wanted if name not in clocks.columns]
    if missing:
        raise ValueError(f"the clocks lack {', '.join(missing)}; they need {', '.join(wanted)}")
    parts = []
    for (recipe, run), clock in clocks.groupby(["recipe", "run"]):
        try:
            split = split_time(clock[wanted])
        except ValueError as error:
            raise ValueError(f"recipe {recipe!r}, run {run}: {error}") from None
        arena = split[split["event"] == "arena"]
        twice = arena["step"].duplicated()
        if twice.any():
            raise ValueError(
                f"recipe {recipe!r}, run {run}: step {arena['step'][twice].iloc[0]} stands twice"
            )
        parts.append(arena.assign(pause_s=np.diff(arena["paused_s"], prepend=0.0)))
    columns = [*_RUN, "training_s", "pause_s", "elapsed_s"]
    if not parts:
        return pd.DataFrame(columns=columns)
    return pd.concat(parts)[columns].sort_values(["recipe", "step", "run"], ignore_index=True)


def runs_reaching(
    arena: pd.DataFrame,
    times: pd.DataFrame | None = None,
    *,
    pairing: Condition = PERFECT_FIRST,
    rate: float = 0.9,
) -> pd.DataFrame:
    """Find each run's first evaluation at which its win rate exceeds a rate.

    Parameters
    ----------
    arena : DataFrame
        As for `check_runs`.
    times : DataFrame, optional
        Of `training_times`; without it no times are given.
    pairing : Condition
        Which games count.
    rate : float
        Rate to be exceeded, 0 to 1.

    Returns
    -------
    DataFrame
        One row a run: recipe, run, reached, then of that evaluation step, moves, training_s, and moves_before (the last
        evaluation below; the rate was first exceeded somewhere between); NaN where it is never reached. last_moves:
        moves at the last evaluation, beyond which nothing is known. With 50 games an evaluation a run exceeds a rate
        early by luck; the mean over runs does so less (`recipes_reaching`).

    Raises
    ------
    ValueError
        As `check_runs`; a recipe that did not play the pairing; a time that is missing.

    Source
    ------
    Own.
    """
    table = join_times(_played(arena, pairing), times)
    _check_rate(rate)
    rows = []
    for (recipe, run), part in table.groupby(["recipe", "run"]):
        above = (part["won"] / part["games"] > rate).to_numpy()
        place = int(above.argmax())
        row = {"recipe": recipe, "run": run, "reached": bool(above.any())}
        for name in ("step", "moves", "training_s"):
            row[name] = float(part[name].iloc[place]) if above.any() else math.nan
        before = float(part["moves"].iloc[place - 1]) if place else 0.0
        row["moves_before"] = before if above.any() else math.nan
        rows.append(row | {"last_moves": int(part["moves"].iloc[-1])})
    return pd.DataFrame(rows)


def recipes_reaching(
    arena: pd.DataFrame,
    times: pd.DataFrame | None = None,
    *,
    pairing: Condition = PERFECT_FIRST,
    rate: float = 0.9,
    replicates: int = 2000,
    level: float = 0.95,
    rng: np.random.Generator,
) -> pd.DataFrame:
    """Find each recipe's first evaluation at which the mean win rate over runs exceeds a rate.

    Parameters
    ----------
    arena, times, pairing, rate
        As for `runs_reaching`.
    replicates, level, rng
        As in `ludometrics.evaluation.statistic_interval`.

    Returns
    -------
    DataFrame
        One row a recipe: recipe, then step, moves and training_s (mean over the runs) of that evaluation, each with
        _low and _high (bootstrap of whole runs; infinite: so many replicates never exceed it), moves_median over the
        runs' own first evaluations with _low and _high (never counts as infinite), runs_reaching, n (runs), last_moves,
        caution. Where the mean never exceeds the rate, the value is infinite and its interval NaN: more than
        last_moves. The values lie on the evaluations there are, so an interval may be a single point.

    Raises
    ------
    ValueError
        As `runs_reaching`.

    Source
    ------
    Own.
    """
    single = runs_reaching(arena, times, pairing=pairing, rate=rate)
    table = join_times(_played(arena, pairing), times)
    rows = []
    for recipe, part in table.groupby("recipe"):
        runs = part["run"].unique()
        options = {"replicates": replicates, "level": level, "rng": rng}
        first = part.groupby("step")[["moves"]].first().reset_index()
        first["training_s"] = part.groupby("step")["training_s"].mean().to_numpy()
        rates = (part["won"] / part["games"]).to_numpy().reshape(-1, len(runs))
        place = statistic_interval(_FirstAbove(rates, rate), len(runs), None, **options)
        row: dict[str, object] = {"recipe": recipe}
        for name in ("step", "moves", "training_s"):
            row |= _ends(name, _points(first[name].to_numpy(dtype=float), place))
        own = single.loc[single["recipe"] == recipe, "moves"].fillna(math.inf).to_numpy()
        row |= _ends("moves_median", statistic_interval(_Median(own), len(runs), None, **options))
        reached = int(np.isfinite(own).sum())
        last = int(first["moves"].iloc[-1])
        rows.append(
            row
            | {"runs_reaching": reached, "n": len(runs), "last_moves": last, "caution": caution(len(runs))}
        )
    return pd.DataFrame(rows)


def run_curves(arena: pd.DataFrame, times: pd.DataFrame | None = None) -> pd.DataFrame:
    """Give the thin lines of a figure: each run's win rate at each evaluation, against moves and training time.

    Parameters
    ----------
    arena, times
        As for `runs_reaching`.

    Returns
    -------
    DataFrame
        As `runs.run_rates`, with training_s after moves (NaN without times).
    """
    return join_times(run_rates(arena), times)


def recipe_curves(
    arena: pd.DataFrame,
    times: pd.DataFrame | None = None,
    *,
    replicates: int = 2000,
    level: float = 0.95,
    rng: np.random.Generator,
) -> pd.DataFrame:
    """Give the thick line and band of a figure: the mean over runs, against moves and mean training time.

    Parameters
    ----------
    arena, times
        As for `runs_reaching`.
    replicates, level, rng
        As for `runs.rates_over_runs`.

    Returns
    -------
    DataFrame
        As `runs.rates_over_runs`, with training_s, training_s_low and training_s_high (least and longest of the runs)
        after moves (NaN without times).
    """
    table = rates_over_runs(arena, replicates=replicates, level=level, rng=rng)
    steps = check_runs(arena).drop_duplicates(_RUN)
    groups = join_times(steps, times).groupby(["recipe", "step"])["training_s"]
    spans = groups.agg(training_s="mean", training_s_low="min", training_s_high="max").reset_index()
    joined = table.merge(spans, on=["recipe", "step"], how="left", validate="many_to_one")
    names = list(table.columns)
    place = names.index("moves") + 1
    return joined[[*names[:place], *spans.columns[2:], *names[place:]]]


def pauses_over_runs(
    times: pd.DataFrame, *, replicates: int = 2000, level: float = 0.95, rng: np.random.Generator
) -> pd.DataFrame:
    """Give where a run's time goes: training, evaluation pauses, and both, as means over runs.

    Parameters
    ----------
    times : DataFrame
        Of `training_times`, the same number of evaluations for each run of a recipe.
    replicates, level, rng
        As in `ludometrics.evaluation.cluster_interval`.

    Returns
    -------
    DataFrame
        One row a recipe: recipe, evaluations, then training_s (to the last evaluation), pauses_s (all pauses), total_s,
        pause_s (mean of one pause) and pause_share (of the total), each with _low, _high and _sd, n (runs), caution.

    Raises
    ------
    ValueError
        No rows, or runs of one recipe with different steps.

    Source
    ------
    The published Connect-4 recipe (Thill 2026, techdays26).
    """
    if times.empty:
        raise ValueError("times has no rows: at least one evaluation of one run is needed")
    for recipe, part in times.groupby("recipe"):
        if part.groupby("step")["run"].nunique().nunique() > 1:
            raise ValueError(f"recipe {recipe!r}: its runs were not timed at the same steps")
    runs = times.groupby(["recipe", "run"], as_index=False).agg(
        evaluations=("step", "size"),
        training_s=("training_s", "max"),
        pauses_s=("pause_s", "sum"),
        total_s=("elapsed_s", "max"),
    )
    runs["pause_s"] = runs["pauses_s"] / runs["evaluations"]
    runs["pause_share"] = runs["pauses_s"] / runs["total_s"]
    values = ["training_s", "pauses_s", "total_s", "pause_s", "pause_share"]
    found = over_runs(runs, ["recipe", "evaluations"], values, replicates=replicates, level=level, rng=rng)
    return found.drop(columns=["worst", "worst_run", "best", "best_run"])


def join_times(table: pd.DataFrame, times: pd.DataFrame | None) -> pd.DataFrame:
    """Put the training time of each row after its moves; NaN without times.

    Raises
    ------
    ValueError
        A time that stands twice or is missing: recipe, run and step are named.
    """
    if times is None:
        joined = table.assign(training_s=math.nan)
    else:
        times = times.reset_index(drop=True)
        twice = times.duplicated(_RUN)
        if twice.any():
            row = times.loc[twice.idxmax()]
            raise ValueError(f"times: recipe {row.recipe!r}, run {row.run}, step {row.step} stands twice")
        joined = table.merge(times[[*_RUN, "training_s"]], on=_RUN, how="left", validate="many_to_one")
        lacking = joined["training_s"].isna()
        if lacking.any():
            row = joined.loc[lacking.idxmax()]
            raise ValueError(f"times: recipe {row.recipe!r}, run {row.run}, step {row.step} has no time")
    place = list(table.columns).index("moves") + 1
    names = [name for name in joined.columns if name != "training_s"]
    return joined[[*names[:place], "training_s", *names[place:]]]


class _FirstAbove:
    """The place of the evaluation at which the weighted mean of runs first exceeds a rate; infinite if never."""

    def __init__(self, rates: np.ndarray, rate: float) -> None:
        self.rates, self.rate = rates, rate

    def __call__(self, weights: np.ndarray) -> float:
        # A mean that equals the rate must not exceed it by the last bit of a sum.
        above = (self.rates * weights).sum(axis=1) / weights.sum() > self.rate + 1e-12
        return float(above.argmax()) if above.any() else math.inf


class _Median:
    """The median of values that were drawn so often; the mean of the middle two."""

    def __init__(self, values: np.ndarray) -> None:
        self.values = values

    def __call__(self, weights: np.ndarray) -> float:
        drawn = np.sort(np.repeat(self.values, weights.astype(int)))
        low, high = drawn[(len(drawn) - 1) // 2], drawn[len(drawn) // 2]
        return float(low if low == high else (low + high) / 2)


def _points(points: np.ndarray, place: tuple) -> tuple[float, float, float]:
    """Values at a place and at the ends of its interval, the outer one where an end lies between two places."""
    value, low, high = place[0], np.floor(place[1]), np.ceil(place[2])
    return tuple(float(points[int(at)]) if math.isfinite(at) else float(at) for at in (value, low, high))


def _ends(name: str, found: tuple) -> dict[str, float]:
    return dict(zip((name, f"{name}_low", f"{name}_high"), found[:3], strict=True))


def _played(arena: pd.DataFrame, pairing: Condition) -> pd.DataFrame:
    table = check_runs(arena)
    chosen = table[(table[list(PAIRING)] == list(pairing)).all(axis=1)]
    lacking = sorted(set(table["recipe"]) - set(chosen["recipe"]))
    if lacking:
        raise ValueError(f"recipe {lacking[0]!r} has no games of {describe(Condition(*pairing))}")
    return chosen.reset_index(drop=True)


def _check_rate(rate: float) -> None:
    if not 0 <= rate <= 1:
        raise ValueError(f"rate is {rate!r}: it must lie between 0 and 1")
