"""Speed and memory of large logs: a month of a large chess site, streamed; writes results/bench/ratings_stream.csv.

    python benchmarks/stream.py                       the whole: 100 million games, 1.9 GB on the disk, some minutes
    python benchmarks/stream.py --games 2000000       a quick look, written to a table of its own in build/

The log is made by tools/make_log.py if it is not there. Each case runs in a process of its own, whose wall time counts
from before the first import to the last rating, compiled code coming from numba's cache. The references are the bars.
"""

import json
import subprocess
import sys
from pathlib import Path

import click
import pandas as pd
from _timing import COLUMNS

from ludometrics.provenance import write_table

ROOT = Path(__file__).resolve().parent.parent
GAMES, PLAYERS = 100_000_000, 1_000_000
# Million games a second that are wanted, by kind of file (text has to be parsed), and gigabytes that are allowed.
SPEED_BARS, GIGABYTES = {".parquet": 3.0, ".csv": 1.0}, 2.0
SYSTEMS = {"elo": "Elo", "glicko1": "Glicko-1"}

_CASE = """
import time
began = time.perf_counter()
import json, resource, sys
from ludometrics.ratings.stream import rate_stream
record = rate_stream(sys.argv[1], system=sys.argv[2], first="white", second="black", outcome="result", time="time")
seconds = time.perf_counter() - began
peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * (1 if sys.platform == "darwin" else 1024)
print(json.dumps({"seconds": seconds, "bytes": peak, "games": record.n_games, "players": len(record.names)}))
"""


def measure(path: Path, system: str) -> dict:
    """Rate a log in a fresh process; give seconds, peak bytes, games and players."""
    command = [sys.executable, "-c", _CASE, str(path), system]
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True, cwd=ROOT)  # noqa: S603
    return json.loads(done.stdout)


def make_log(path: Path, games: int, players: int) -> Path:
    """Make a log if it is not there."""
    if not path.is_file():
        command = [sys.executable, str(ROOT / "tools" / "make_log.py"), str(path)]
        subprocess.run([*command, "--games", str(games), "--players", str(players)], check=True)  # noqa: S603
    return path


def rows(path: Path, case: str) -> list[dict]:
    """Two rows a system, speed and memory, with the columns case, ours, reference, ratio, bar, unit."""
    table = []
    for system, title in SYSTEMS.items():
        found = measure(path, system)
        speed, memory = found["games"] / found["seconds"] / 1e6, found["bytes"] / 1e9
        wanted = SPEED_BARS[path.suffix]
        for what, ours, bar, ratio, unit in (
            ("speed", speed, wanted, speed / wanted, "million games/s"),
            ("peak memory", memory, GIGABYTES, GIGABYTES / memory, "GB"),
        ):
            cells = {"ours": ours, "reference": bar, "ratio": ratio, "bar": 1, "unit": unit}
            table.append({"case": f"{title}, {case}, {what}", **cells})
    return table


@click.command()
@click.option("--games", default=GAMES, show_default=True, type=click.IntRange(1000))
@click.option("--players", default=PLAYERS, show_default=True, type=click.IntRange(2))
@click.option(
    "--folder", default=ROOT / "build" / "stream_log", show_default=True, type=click.Path(path_type=Path)
)
@click.option("--csv/--no-csv", default=True, help="Measure a tenth of the games from a CSV file as well.")
def main(games: int, players: int, folder: Path, csv: bool) -> None:
    """Measure, print and write the table."""
    measure(make_log(folder / "1000.parquet", 1000, 100), "elo")  # numba's cache is filled
    measure(folder / "1000.parquet", "glicko1")
    cases = [(games, ".parquet"), *([(games // 10, ".csv")] if csv else [])]
    table = []
    for count, suffix in cases:
        path = make_log(folder / f"{count}{suffix}", count, players)
        table += rows(path, f"{count / 1e6:g} million games, {suffix}")
    frame = pd.DataFrame(table, columns=COLUMNS)
    print(frame.to_string(index=False))
    whole = (games, players, csv) == (GAMES, PLAYERS, True)
    target = "results/bench/ratings_stream.csv" if whole else "build/bench/ratings_stream.csv"
    write_table(frame, target, key=["case"], parameters={"games": games, "players": players})


if __name__ == "__main__":
    main()
