"""What is kept of one run: evaluations played, tables read and written, its curve, and what it says in words."""

from collections.abc import Mapping
from pathlib import Path
from types import TracebackType
from typing import Any, NamedTuple, Self

import pandas as pd

from ludometrics.connect4.network import ValueNetwork
from ludometrics.connect4.training import evaluation_seed
from ludometrics.connect4.training_log import split_time
from ludometrics.connect4.weights_file import save_network
from ludometrics.evaluation import share_interval
from ludometrics.provenance import write_table

#: Key columns of the tables of a run.
KEYS = {
    "arena": ["recipe", "run", "step", "opponent", "error", "side"],
    "metrics": ["recipe", "run", "step"],
    "clock": ["recipe", "run", "row"],
}


class RunTables(NamedTuple):
    """Tables of a run: `arena` a row an evaluation and pairing, `metrics` a row every 100 steps, `clock` the times."""

    arena: pd.DataFrame
    metrics: pd.DataFrame
    clock: pd.DataFrame


class Evaluator:
    """Plays a run's evaluations, in processes that stay between them; to be used in a `with` block.

    Parameters
    ----------
    run : int
        Number of the run: each of its evaluations plays games of its own.
    every_pairing : bool
        The 24 standard pairings, or the three quick ones.
    games : int
        Games of each.
    workers : int
        Processes; 0: this one.
    """

    def __init__(self, run: int, *, every_pairing: bool, games: int, workers: int) -> None:
        # Only here: everything else about a run works without BitBully.
        from ludometrics.connect4 import arena

        self._arena = arena
        self.run, self.games, self.workers = run, games, workers
        self.pairings = arena.pairings() if every_pairing else arena.QUICK_PAIRINGS
        self._processes: Any = None

    def __call__(self, network: ValueNetwork, number: int) -> pd.DataFrame:
        """Evaluate a network; give a row a pairing."""
        if self._processes is None:
            self._processes = self._arena.Workers(self.workers)
        seed = evaluation_seed(self.run, number)
        return self._arena.play_games(network, self.pairings, self.games, seed=seed, workers=self._processes)

    def __enter__(self) -> Self:
        """Give the evaluator; processes start with the first evaluation."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, fault: BaseException | None, trace: TracebackType | None
    ) -> None:
        """End the processes."""
        if self._processes is not None:
            self._processes.close()


def read_run(folder: str | Path, *, recipe: str, run: int) -> RunTables:
    """Read the tables of a run's folder.

    Raises
    ------
    ValueError
        A table is missing: the run was never evaluated, or has not begun.
    """
    folder = Path(folder)
    for name in ("arena", "metrics", "clock"):
        if not (folder / f"{name}.csv").exists():
            raise ValueError(f"{folder / name}.csv is not there: no run was evaluated in this folder")
    arena, metrics, clock = (pd.read_csv(folder / f"{name}.csv") for name in RunTables._fields)
    clock = split_time(clock)
    return RunTables(
        arena,
        metrics.assign(recipe=recipe, run=run),
        clock.assign(recipe=recipe, run=run, row=range(len(clock))),
    )


def save_run(tables: RunTables, *, cell: str, out: str, parameters: Mapping[str, Any]) -> None:
    """Write the tables of a run as those of a study's cell, each with its sidecar."""
    for name, table in tables._asdict().items():
        write_table(table, f"{out}/{name}__{cell}.csv", key=KEYS[name], parameters=parameters)


def keep(network: ValueNetwork, path: Path) -> Path:
    """Write a network where it is to be kept, in half precision: half the size, values equal to three digits."""
    path.parent.mkdir(parents=True, exist_ok=True)
    return save_network(path, network, half=True)


def clear(folder: str | Path) -> None:
    """Remove what a finished run left in its folder: its tables, checkpoint and network, nothing else."""
    folder = Path(folder)
    for name in ("arena.csv", "metrics.csv", "clock.csv", "checkpoint.npz", "network.npz"):
        (folder / name).unlink(missing_ok=True)
    if folder.is_dir() and not any(folder.iterdir()):
        folder.rmdir()


def curve(tables: RunTables) -> pd.DataFrame:
    """Give the share of games won at each evaluation, with its Wilson interval and the training time until then.

    Returns
    -------
    DataFrame
        pairing (text), step, moves, training_s, games, share, below and above (distances to the ends of the interval).
    """
    times = tables.clock[tables.clock["event"] == "arena"].set_index("step")["training_s"]
    arena = tables.arena
    ends = [share_interval(won, games) for won, games in zip(arena["won"], arena["games"], strict=True)]
    share = arena["won"] / arena["games"]
    return pd.DataFrame(
        {
            "pairing": [_name(row) for row in arena.itertuples()],
            "step": arena["step"],
            "moves": arena["moves"],
            "training_s": arena["step"].map(times),
            "games": arena["games"],
            "share": share,
            "below": [max(0.0, value - end.low) for value, end in zip(share, ends, strict=True)],
            "above": [max(0.0, end.high - value) for value, end in zip(share, ends, strict=True)],
        }
    )


def _name(row: Any) -> str:
    error = f", erring {row.error:g}" if row.error else ""
    return f"{row.side} against {row.opponent}{error}"


def in_words(tables: RunTables) -> str:
    """Say what the last evaluation of a run showed."""
    last = curve(tables)
    last = last[last["step"] == last["step"].max()]
    lines = [
        f"After {int(last['moves'].iloc[0]):,} moves and {last['training_s'].iloc[0] / 60:.1f} minutes of training,"
        f" n = {int(last['games'].iloc[0])} games of each pairing (95 % intervals over games of this one run):"
    ]
    for row in last.itertuples():
        low, high = row.share - row.below, row.share + row.above
        lines.append(f"- {row.pairing}: won {row.share:.0%} [{low:.0%}, {high:.0%}]")
    return "\n".join(lines)
