"""What a training run leaves behind as it goes: metrics, games against opponents, and the time both took.

Three tables in the run's folder, a row at a time, each on the disk before the run goes on. ``metrics.csv`` and
``arena.csv`` hold what repeats with the seed; times stand apart in ``clock.csv``, so that the bytes of the others can
be compared. A run that was killed is trimmed to its last checkpoint and goes on from there.
"""

import csv
import io
import math
import os
import time
from collections.abc import Callable, Mapping
from pathlib import Path

import numpy as np
import pandas as pd

from ludometrics.provenance import write_bytes

__all__ = ["CLOCK_COLUMNS", "METRIC_COLUMNS", "RUN_COLUMNS", "MetricsLog", "split_time"]

#: Columns of metrics.csv. Counts, shares and means are over all boards and steps since the row before; the learning
#: rate, the norms and the number of gradients other than 0 are those of the row's own step.
METRIC_COLUMNS = (
    "step",  # steps done
    "moves",  # moves played on all boards
    "learning_rate",
    "loss",  # mean squared error between values and targets; empty while nothing was learned
    "weight_change",  # norm of the step divided by the norm of the weights
    "weight_norm",
    "value_mean",  # of the positions learned, as the online network sees them
    "value_sd",
    "value_min",
    "value_max",
    "finished",  # share of moves that ended a game
    "updated",  # share of positions that were learned
    "random",  # share of moves drawn at random
    "moves_left",  # mean, of the positions moved in
    "wins",  # games won by either side
    "nonzero_gradients",
)
CLOCK_COLUMNS = ("step", "event", "elapsed_s")
#: Columns of arena.csv before those of the table of games.
RUN_COLUMNS = ("run", "recipe", "step", "moves")

# Nothing to tell before anything was learned; elsewhere what is no number is a run that has gone astray.
_MAY_LACK = frozenset({"loss", "weight_change", "value_mean", "value_sd", "value_min", "value_max"})
_METRICS, _ARENA, _CHECKPOINT = "metrics", "arena", "checkpoint"
_FLOAT = "%.10g"


class MetricsLog:
    """Tables of one run, written as it goes.

    Parameters
    ----------
    folder : str or Path
        The run's folder; it is made.
    resume_step : int, optional
        Go on after a checkpoint of this step: later rows, and one that was cut off, are dropped. Without it the folder
        must not hold a run.
    elapsed_s : float
        Seconds since the start of the run at that checkpoint, pauses and all.
    clock : callable, optional
        Seconds from some fixed moment; for tests.

    Raises
    ------
    ValueError
        The folder holds a run already; a table that is there is not one of these.

    Source
    ------
    The published Connect-4 recipe (Thill 2026, techdays26): a row every 100 steps; the row of an evaluated step just
    before the games, theirs just after, both with the time since the same start.

    Examples
    --------
    >>> import tempfile
    >>> log = MetricsLog(tempfile.mkdtemp(), clock=iter(range(100)).__next__)
    >>> log.write_metrics(dict.fromkeys(METRIC_COLUMNS, 0) | {"step": 100})
    >>> log.write_arena(100, 500, pd.DataFrame({"won": [7]}), run=0, recipe="own")
    >>> split_time(log.read_clock())[["event", "training_s", "paused_s"]].values.tolist()
    [['metrics', 1.0, 0.0], ['arena', 1.0, 1.0]]
    """

    def __init__(
        self,
        folder: str | Path,
        *,
        resume_step: int | None = None,
        elapsed_s: float = 0.0,
        clock: Callable[[], float] = time.perf_counter,
    ) -> None:
        self.folder = Path(folder)
        self._metrics, self._arena, self._times = (
            self.folder / name for name in ("metrics.csv", "arena.csv", "clock.csv")
        )
        if not (math.isfinite(elapsed_s) and elapsed_s >= 0):
            raise ValueError(f"elapsed_s is {elapsed_s}: allowed are seconds from 0")
        tables = ((self._metrics, METRIC_COLUMNS), (self._times, CLOCK_COLUMNS), (self._arena, None))
        if resume_step is None:
            for path, _ in tables:
                if path.exists():
                    raise ValueError(
                        f"{path} is there: a run is in this folder; resume it, or name another folder"
                    )
        else:
            # All are read before one is written: a folder that is none of ours stays as it is.
            kept = [(path, _kept_rows(path, columns, resume_step)) for path, columns in tables]
            for path, content in kept:
                if content:
                    write_bytes(path, content)
                else:
                    path.unlink(missing_ok=True)
        for path, columns in tables[:2]:
            if not path.exists():
                write_bytes(path, _line(columns))
        self._last_step = -1 if resume_step is None else resume_step
        self._clock, self._start = clock, clock() - elapsed_s

    @property
    def elapsed_s(self) -> float:
        """Seconds since the start of the run, pauses and all; what a killed run lost is not counted."""
        return self._clock() - self._start

    def write_metrics(self, row: Mapping[str, float]) -> None:
        """Write a row of metrics.csv and the time.

        Parameters
        ----------
        row : Mapping
            A number for each of `METRIC_COLUMNS`; NaN for loss, change and values while nothing was learned.

        Raises
        ------
        ValueError
            A column is missing or unknown, a step not later than the one before, or numbers that are not finite.
        """
        for name in (*row, *METRIC_COLUMNS):
            if name not in METRIC_COLUMNS or name not in row:
                what = "is missing" if name not in row else "is not one of them"
                raise ValueError(f"metrics: {name!r} {what}; the columns are {', '.join(METRIC_COLUMNS)}")
        for name, value in row.items():
            if math.isinf(value) or (math.isnan(value) and name not in _MAY_LACK):
                raise ValueError(f"metrics of step {row['step']}: {name} is {value}; training has run away")
        if row["step"] <= self._last_step:
            raise ValueError(f"metrics: step {row['step']} does not come after step {self._last_step}")
        _append(self._metrics, _line(row[name] for name in METRIC_COLUMNS))
        self._last_step = int(row["step"])
        self._write_time(self._last_step, _METRICS)

    def write_arena(self, step: int, moves: int, table: pd.DataFrame, *, run: int, recipe: str) -> None:
        """Write the games of an evaluation, a row a pairing, and the time.

        Parameters
        ----------
        step, moves : int
            Steps and moves done when the agent was evaluated.
        table : DataFrame
            A row a pairing; the same columns each time.
        run : int
            Number of the run among those of its recipe.
        recipe : str
            What the recipe is called.

        Raises
        ------
        ValueError
            Other columns than before, or one that is in `RUN_COLUMNS`.
        """
        doubled = sorted(set(table.columns) & set(RUN_COLUMNS))
        if doubled:
            raise ValueError(f"arena: the table has a column {doubled[0]!r}, which names the run itself")
        frame = table.reset_index(drop=True)
        for place, (name, value) in enumerate(zip(RUN_COLUMNS, (run, recipe, step, moves), strict=True)):
            frame.insert(place, name, value)
        header = _line(frame.columns)
        if self._arena.exists():
            with open(self._arena, "rb") as file:
                before = file.readline()
            if before != header:
                raise ValueError(
                    f"{self._arena}: columns are {before.decode().strip()}, those of step {step}"
                    f" {header.decode().strip()}"
                )
            header = b""
        rows = frame.to_csv(index=False, header=False, float_format=_FLOAT, lineterminator="\n")
        _append(self._arena, header + rows.encode())
        self._write_time(step, _ARENA)

    def mark_checkpoint(self, step: int) -> None:
        """Write down when a checkpoint was finished."""
        self._write_time(step, _CHECKPOINT)

    def read_clock(self) -> pd.DataFrame:
        """Give clock.csv: step, event (metrics, arena, checkpoint), elapsed_s."""
        return pd.read_csv(self._times)

    def _write_time(self, step: int, event: str) -> None:
        _append(self._times, _line((step, event, round(self.elapsed_s, 6))))


def split_time(clock: pd.DataFrame) -> pd.DataFrame:
    """Separate training from evaluation: training time = elapsed time less all pauses so far.

    A pause lasts from the metrics row of an evaluated step to its arena row. Checkpoints and compilation count as
    training.

    Parameters
    ----------
    clock : DataFrame
        Rows of clock.csv in their order: step, event, elapsed_s.

    Returns
    -------
    DataFrame
        The same rows with training_s and paused_s, which add up to elapsed_s.

    Raises
    ------
    ValueError
        An arena row without a metrics row of its step before it, or time that runs backwards.

    Source
    ------
    The published Connect-4 recipe (Thill 2026, techdays26).

    Examples
    --------
    >>> events = ["metrics", "arena", "checkpoint", "metrics"]
    >>> clock = pd.DataFrame({"step": [1, 1, 1, 2], "event": events, "elapsed_s": [5.0, 25.0, 26.0, 31.0]})
    >>> split_time(clock)["training_s"].tolist()
    [5.0, 5.0, 6.0, 11.0]
    """
    paused, pauses, before, row_of = 0.0, [], 0.0, {}
    for number, (step, event, elapsed) in enumerate(clock[list(CLOCK_COLUMNS)].itertuples(index=False)):
        if elapsed < before:
            raise ValueError(f"clock, row {number}: {elapsed} s comes after {before} s")
        if event == _METRICS:
            row_of[step] = elapsed
        elif event == _ARENA:
            if step not in row_of:
                raise ValueError(f"clock, row {number}: arena of step {step} without a metrics row before it")
            paused += elapsed - row_of[step]
        pauses.append(paused)
        before = elapsed
    return clock.assign(training_s=clock["elapsed_s"] - pauses, paused_s=np.array(pauses, dtype=float))


def _line(values) -> bytes:
    """Write one row of CSV; numbers as all tables of the library, NaN empty."""
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerow([_text(value) for value in values])
    return text.getvalue().encode()


def _text(value: object) -> str:
    if isinstance(value, str):
        return value
    if isinstance(value, int | np.integer):
        return str(int(value))
    return "" if math.isnan(value) else _FLOAT % value


def _append(path: Path, content: bytes) -> None:
    # On the disk before a checkpoint that counts on it can be.
    with open(path, "ab") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())


def _kept_rows(path: Path, columns: tuple[str, ...] | None, last_step: int) -> bytes:
    """Give what is left of a table up to a step, nothing where there is none. A row without its end was cut off."""
    if not path.exists():
        return b""
    lines = path.read_bytes().splitlines(keepends=True)
    if lines and not lines[-1].endswith(b"\n"):
        lines.pop()
    if not lines:
        return b""
    try:
        rows = list(csv.reader(line.decode() for line in lines))
    except (UnicodeDecodeError, csv.Error) as error:
        raise ValueError(f"{path}: not a table ({error})") from None
    header = tuple(rows[0])
    if header != (columns or (*RUN_COLUMNS, *header[len(RUN_COLUMNS) :])):
        raise ValueError(
            f"{path}: columns are {', '.join(header)}, wanted are {', '.join(columns or RUN_COLUMNS)}"
        )
    at, kept = header.index("step"), lines[:1]
    for number, (row, line) in enumerate(zip(rows[1:], lines[1:], strict=True), start=1):
        if len(row) != len(header) or not row[at].isdecimal():
            raise ValueError(
                f"{path}, row {number}: {line.decode().strip()!r} is no row of {len(header)} columns with a step"
            )
        if int(row[at]) <= last_step:
            kept.append(line)
    return b"".join(kept)
