"""What each number and each mechanism of the engine does to a group's forecasts: tables and a figure."""

from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
import pandas as pd

from ludometrics.boardgames.ablation import SKILL, ablate
from ludometrics.boardgames.engine import RatedLog
from ludometrics.boardgames.grid import GRIDS, all_together, choose, one_at_a_time, sweep
from ludometrics.boardgames.judging import judge_fully
from ludometrics.boardgames.loss_tables import Replays
from ludometrics.boardgames.outputs import write_together
from ludometrics.boardgames.settings import EngineSettings
from ludometrics.boardgames.summary import align, count
from ludometrics.evaluation import MARGIN
from ludometrics.provenance import named_stream, write_table

#: Tables that `calibrate` makes, and the columns that name a row.
TABLES: dict[str, list[str]] = {
    "judgement.csv": ["least_earlier", "weighting", "games_of", "measure"],
    "grid.csv": ["grid", "knob", "value"],
    "ablation.csv": ["mechanism"],
    "choice.csv": ["grid"],
}
FIGURE = "mechanisms"
#: Verdict on a mechanism that changed no forecast.
IDLE = "nothing to act on"
#: Two to choose settings on, and one to judge them on.
_LEAST_PLAYS = 3
#: Millimetres of the figure's height for a mechanism, and for the rest.
_ROW_MM, _FRAME_MM = 4.6, 22.0


def calibrate(
    rated: RatedLog, *, editions: dict[str, str] | None = None, replicates: int = 1000, seed: int = 1
) -> dict[str, pd.DataFrame]:
    """Judge a group's forecasts, and those of other settings and of the engine without each of its parts.

    Parameters
    ----------
    rated : RatedLog
        Under the settings that all others are compared with.
    editions : dict of str to str, optional
        Those that it was rated with.
    replicates : int
        Of each bootstrap over plays.
    seed : int

    Returns
    -------
    dict of str to DataFrame
        By the names of `TABLES`: judgement.csv as `judge_fully`; grid.csv as `sweep`, with the column `grid` before it
        ("one at a time", or a name of `GRIDS`); ablation.csv as `ablate`; choice.csv with the settings that `choose`
        takes in each grid on the first two thirds of the plays, and their difference from those in use on the last.
        The verdict on a mechanism that changed no forecast says so: there was nothing for it to act on.

    Raises
    ------
    ValueError
        Too few plays to judge anything.
    """
    replays, base = Replays.of(rated, editions), rated.settings
    _check_enough(replays, base)
    grids = {"one at a time": one_at_a_time(base)}
    grids |= {name: all_together(base, name, axes) for name, axes in GRIDS.items()}
    swept, chosen = [], []
    for name, candidates in grids.items():
        options = {"replicates": replicates}
        table = sweep(replays, base, candidates, **options, rng=named_stream(seed, f"grid {name}"))
        table.insert(0, "grid", name)
        swept.append(table)
        choice = choose(replays, base, candidates, **options, rng=named_stream(seed, f"choice {name}"))
        chosen.append(
            {
                "grid": name,
                "chosen": choice.tuning.chosen,
                **choice.against._asdict(),
                "plays": choice.plays,
                "pairs": choice.pairs,
            }
        )
    judged = judge_fully(rated, replicates=replicates, rng=named_stream(seed, "judgement"))
    ablated = ablate(replays, base, replicates=replicates, rng=named_stream(seed, "ablation"))
    ablated["verdict"] = _told_verdicts(ablated, rated)
    return {
        "judgement.csv": judged,
        "grid.csv": pd.concat(swept, ignore_index=True),
        "ablation.csv": ablated,
        "choice.csv": pd.DataFrame(chosen),
    }


def _check_enough(replays: Replays, base: EngineSettings) -> None:
    """Refuse a log with too few plays to choose settings on some of them and judge them on others."""
    # What the strictest of the settings that are compared rate, the others rate too.
    for settings in (base, replace(base, gate=True, unresolved="skip", guests="drop")):
        pairs = replays.pairs(settings)
        plays = len(np.unique(pairs.play[pairs.outcome != 0.5]))
        gated = "" if settings.gate == base.gate else " behind the gate"
        if plays < _LEAST_PLAYS:
            raise ValueError(
                f"{count(plays, 'rated play')}{gated} with a decisive pair of known people: at least {_LEAST_PLAYS} "
                "are needed to compare settings"
            )


def _told_verdicts(ablated: pd.DataFrame, rated: RatedLog) -> list[str]:
    """Verdicts in which a mechanism that changed no forecast is not called neutral."""
    nothing_given = all(weight.source == "none" for weight in rated.weights.values())
    told = []
    for row in ablated.itertuples():
        by_weight = row.mechanism.startswith("game weight") or row.mechanism == SKILL
        idle = "no complexity or skill given" if nothing_given and by_weight else IDLE
        told.append(row.verdict if row.changed else idle)
    return told


def write_calibration(
    tables: dict[str, pd.DataFrame], folder: Path, *, parameters: dict[str, Any]
) -> list[Path]:
    """Write the tables and the figure of the ablation, each with a sidecar, all together.

    Parameters
    ----------
    tables : dict of str to DataFrame
        Of `calibrate`.
    folder : Path
        Made if need be.
    parameters : dict
        For the sidecars: plain values.

    Returns
    -------
    list of Path
    """
    from ludometrics.plotting import save_figure

    with TemporaryDirectory() as room:
        for name, table in tables.items():
            write_table(table, Path(room).resolve() / name, key=TABLES[name], parameters=parameters)
        figure, caption = draw_ablation(tables["ablation.csv"])
        save_figure(figure, Path(room).resolve() / FIGURE, caption=caption)
        contents = {folder / path.name: path.read_bytes() for path in sorted(Path(room).iterdir())}
    return write_together(contents)


def draw_ablation(table: pd.DataFrame) -> tuple[Any, str]:
    """Draw what each mechanism does to the log loss, with its interval and the margin that does not matter.

    Parameters
    ----------
    table : DataFrame
        Of `calibrate`.

    Returns
    -------
    Figure, str
        And its caption.
    """
    import matplotlib.pyplot as plt

    from ludometrics.plotting import OKABE_ITO, marks, new_figure

    plt.switch_backend("agg")
    figure, axes = new_figure("double", _FRAME_MM + _ROW_MM * len(table))
    looks = marks(table["kind"].unique())
    place = np.arange(len(table))[::-1]
    axes.axvspan(-MARGIN, MARGIN, color=OKABE_ITO["black"], alpha=0.12, linewidth=0)
    axes.axvline(0.0, color=OKABE_ITO["black"], linewidth=0.6)
    for kind, look in looks.items():
        rows = ((table["kind"] == kind) & (table["changed"] > 0)).to_numpy()
        if not rows.any():
            continue
        value = table["difference"].to_numpy()[rows]
        ends = table[["low", "high"]].to_numpy()[rows].T
        axes.errorbar(
            value,
            place[rows],
            xerr=np.abs(ends - value),
            color=look.color,
            marker=look.marker,
            linestyle="none",
            label=kind,
        )
    axes.set_yticks(place, [f"{row.mechanism} ({row.verdict})" for row in table.itertuples()])
    axes.set_xlabel("Log loss with it, less without it (nats a play; below 0 it helps)")
    axes.set_ylim(-0.6, len(table) - 0.4)
    if (table["changed"] > 0).any():
        axes.legend(loc="best")
    n, pairs = int(table["plays"].max()), int(table["pairs"].max())
    caption = (
        f"What each mechanism does to the forecasts of up to {n} plays with {pairs} decisive pairs of known people: "
        "mean log loss with it less without it, each play counting once. Bars are paired 95 % intervals of a bootstrap "
        f"over plays; in the grey band of {MARGIN:g} on both sides a difference does not matter. "
        "Without a point: what had nothing to act on."
    )
    return figure, caption


def calibration_lines(tables: dict[str, pd.DataFrame]) -> list[str]:
    """The ablation and the choices as lines for a terminal, without a name in them."""
    ablated, chosen = tables["ablation.csv"], tables["choice.csv"]
    shown = align(
        [
            (
                row.mechanism,
                row.verdict,
                _signed(row.difference),
                _interval(row.low, row.high) if row.changed else "-",
            )
            for row in ablated.itertuples()
        ],
        right=[2],
    )
    choices = align(
        [
            (
                row.grid,
                row.chosen,
                _signed(row.difference),
                _interval(row.low, row.high),
                row.verdict,
            )
            for row in chosen.itertuples()
        ],
        right=[2],
    )
    plays = count(int(ablated["plays"].max()), "play")
    return [
        f"What each mechanism does to the log loss (95 % intervals, {plays}; below 0 it helps)",
        *(f"  {line}" for line in shown),
        "",
        "Chosen on the first two thirds of the plays, against the settings in use on the last",
        *(f"  {line}" for line in choices),
    ]


def _interval(low: float, high: float) -> str:
    return f"[{_signed(low)}, {_signed(high)}]"


def _signed(value: float) -> str:
    """A difference with its sign; of what rounds to nothing, no minus."""
    return f"{round(value, 4) + 0.0:+.4f}"
