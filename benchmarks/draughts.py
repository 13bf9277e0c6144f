"""Speed of draughts: perft, games between levels, and compiling; writes results/bench/draughts.csv.

Run on one core: ``python benchmarks/draughts.py``. Each figure is the median of five timings in CPU time after
a warm-up. The reference is our own plain-Python engine timed in this process, or, for an absolute bar, the bar itself.
"""

import os
import statistics
import subprocess
import sys
import tempfile

import numpy as np
import pandas as pd
from _timing import COLUMNS, REPEATS, row, seconds

from ludometrics.draughts import START, Rules, perft, play_games, reference
from ludometrics.provenance import write_table
from ludometrics.simulation.draughts_days import simulate_days
from ludometrics.simulation.scenarios import SCENARIOS

PERFT_DEPTH, PERFT_NODES = 9, 3_963_680
PLAIN_DEPTH, PLAIN_NODES = 5, 7_361


def _games_a_second(black: tuple[int, float], white: tuple[int, float], n: int) -> float:
    return n / seconds(
        lambda: play_games(np.full(n, black[0]), black[1], *white, rng=np.random.default_rng(1))
    )


def _plain_games_a_second(depth: int, n: int) -> float:
    levels = {"b": (depth, 0.0), "w": (depth, 0.0)}
    return n / seconds(lambda: [reference.play(START, levels, seed, Rules()) for seed in range(n)])


def _start_seconds(cache: str) -> float:
    """CPU seconds of a fresh process that imports the package and plays one game, with numba's cache in a folder."""
    code = (
        "import numpy as np, time; from ludometrics.draughts import play_games; t = time.process_time(); "
        "play_games(2, 0.1, 2, 0.1, rng=np.random.default_rng(1)); print(time.process_time() - t)"
    )
    environment = {**os.environ, "NUMBA_CACHE_DIR": cache}
    command = [sys.executable, "-c", code]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)  # noqa: S603
    return float(done.stdout)


def _days_seconds() -> float:
    """CPU seconds of the course's whole simulation, ratings and matching included."""
    settings = SCENARIOS["course"]
    return seconds(lambda: simulate_days(settings, rng=np.random.default_rng(1)))


def _compile_rows() -> list[dict]:
    cold, cached = [], []
    for _ in range(REPEATS):
        with tempfile.TemporaryDirectory() as cache:
            cold.append(_start_seconds(cache))
            cached.append(_start_seconds(cache))
    return [
        row("compile, nothing cached", statistics.median(cold), 10.0, 1, "s", less_is_better=True),
        row("compile, from numba's cache", statistics.median(cached), 2.0, 1, "s", less_is_better=True),
    ]


def rows() -> list[dict]:
    """One dict a case with the columns case, ours, reference, ratio, bar, unit."""
    board = reference.board_of(START)
    million_nodes = PERFT_NODES / seconds(lambda: perft(START, PERFT_DEPTH)) / 1e6
    plain_nodes = PLAIN_NODES / seconds(lambda: reference.perft(board, "b", PLAIN_DEPTH)) / 1e6
    return [
        row(f"perft {PERFT_DEPTH}, one core", million_nodes, 10.0, 1, "million nodes/s"),
        row("perft, plain Python", million_nodes, plain_nodes, 100, "million nodes/s"),
        row("games, depth 2 v depth 4", _games_a_second((2, 0.0), (4, 0.0), 500), 500.0, 1, "games/s"),
        row("games, depth 4 v depth 6", _games_a_second((4, 0.05), (6, 0.0), 60), 60.0, 1, "games/s"),
        row(
            "games, depth 2 v depth 2, plain Python",
            _games_a_second((2, 0.0), (2, 0.0), 1000),
            _plain_games_a_second(2, 3),
            100,
            "games/s",
        ),
        row("twenty simulated days, 560 games", _days_seconds(), 2.0, 1, "s", less_is_better=True),
        *_compile_rows(),
    ]


def main() -> None:
    """Measure, print and write the table."""
    table = pd.DataFrame(rows(), columns=COLUMNS)
    print(table.to_string(index=False))
    write_table(table, "results/bench/draughts.csv", key=["case"], parameters={"repeats": REPEATS})


if __name__ == "__main__":
    main()
