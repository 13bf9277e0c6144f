"""Speed of the backgammon measures; writes results/bench/backgammon.csv.

Run on one core: ``python benchmarks/backgammon.py``. Decisions are those of the pool of known players, its matches
repeated. References are timed in this process: our plain twins, and absolute bars.
"""

import resource
import subprocess
import sys
import tempfile
import time
from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
from _timing import COLUMNS, row, seconds

from ludometrics.backgammon.choices import summarise, summarise_plain
from ludometrics.backgammon.moves import count_legal, legal_boards_plain
from ludometrics.backgammon.record_files import read_records, write_records
from ludometrics.backgammon.records import Kind, Library, join
from ludometrics.backgammon.report_data import report_on
from ludometrics.provenance import resolve, write_table

POOL = "data/backgammon_known_players.json.gz"
PLAYER = "Main Player"
MATCHES = 1_000


def repeated(pool: Library, matches: int) -> Library:
    """The pool's first matches over and over, each with a key of its own and one player in its first seat."""
    rounds = []
    for number in range(-(-matches // len(pool.matches))):
        kept = np.arange(len(pool.matches)) < matches - number * len(pool.matches)
        part = pool.only(kept)
        own = [
            replace(match, key=f"{number}-{match.key}", players=(PLAYER, match.players[1]))
            for match in part.matches
        ]
        rounds.append(Library(tuple(own), part.decisions))
    return join(rounds)


def main() -> None:
    """Measure and write the table."""
    pool = read_records(resolve(POOL))
    library = repeated(pool, MATCHES)
    n = len(library.decisions)
    every = n / seconds(lambda: report_on(library, PLAYER), 3)
    small = repeated(pool, 20)
    fast = seconds(lambda: summarise(small.decisions, 0.025))
    plain = seconds(lambda: summarise_plain(small.decisions, 0.025), 3)
    rows = [
        row("decisions, from records to every measure of a report", every, 20_000.0, 1.0, "decisions/s"),
        row("candidates summed up, against the plain twin", 1 / fast, 1 / plain, 10.0, "times/s"),
        _legal_plays(pool),
        *_command(library),
    ]
    write_table(pd.DataFrame(rows, columns=COLUMNS), "results/bench/backgammon.csv", key=["case"])
    print(pd.DataFrame(rows).to_string(index=False))


def _legal_plays(pool: Library) -> dict:
    chosen = np.flatnonzero(pool.decisions.kind == Kind.CHECKER)[:5_000]
    boards, dice = pool.decisions.board[chosen], pool.decisions.dice[chosen]
    ours = len(chosen) / seconds(lambda: count_legal(boards, dice))
    part = 300
    plain = part / seconds(lambda: [legal_boards_plain(boards[k], dice[k]) for k in range(part)], 3)
    return row("legal plays counted, against the plain twin", ours, plain, 10.0, "rolls/s")


def _command(library: Library) -> list[dict]:
    """The whole command on a file of records in a fresh process, by the clock, and its largest memory."""
    with tempfile.TemporaryDirectory() as folder:
        records = write_records(library, Path(folder, "records.json.gz"))
        command = [sys.executable, "-m", "ludometrics.backgammon", "report", str(records), "--player", PLAYER]
        began = time.perf_counter()
        subprocess.run([*command, "--out", str(Path(folder, "out"))], check=True, capture_output=True)  # noqa: S603
        took = time.perf_counter() - began
    peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss * 1024 / 1e9
    return [
        row("report on a library of 1,000 matches", took, 30.0, 1.0, "s", less_is_better=True),
        row("its memory", peak, 1.0, 1.0, "GB", less_is_better=True),
    ]


if __name__ == "__main__":
    main()
