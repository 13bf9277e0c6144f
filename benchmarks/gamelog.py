"""Speed of saved games: a million loaded and rated, one more added, and the server under load.

    python benchmarks/gamelog.py                        writes results/bench/gamelog.csv
    python benchmarks/gamelog.py --no-server --out x.csv

The games, a thousand files of a thousand, are made once in build/, always the same. Loading and rating run in processes
of their own, wall time from the first look at the folder to the last rating, after a small folder has shown that the
compiled code is at hand; what that takes stands apart. The references are the bars, but for the plain reader: it takes
each file by `json.loads` and checks game by game, in the same process.
"""

import itertools
import json
import os
import secrets
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from datetime import date, timedelta
from pathlib import Path

import click
import numpy as np
import pandas as pd
from _timing import COLUMNS, REPEATS, row

from ludometrics.gamelog import LEVEL_NAMES, Game, append_game, file_name
from ludometrics.gamelog.loading import DayContent, check_rows, read_days
from ludometrics.gamelog.rated import RatedLog
from ludometrics.gamelog.snapshot import Rater
from ludometrics.matching import RULES
from ludometrics.provenance import write_table

ROOT = Path(__file__).resolve().parent.parent
DAYS, GAMES_A_DAY, PLAYERS = 1000, 1000, 3000
FIRST_DAY = date(2024, 1, 1)
APPENDS = 25
ANCHORS = dict(zip(LEVEL_NAMES, np.linspace(900.0, 1900.0, len(LEVEL_NAMES)).tolist(), strict=True))
RATERS = {
    "elo": Rater("elo"),
    "glicko": Rater("glicko1", anchors=ANCHORS),
    "match": Rater("posterior", RULES["default"].ratings, anchors=ANCHORS),
}

_CASE = """
import json, sys, time
from ludometrics.gamelog.loading import load_log
from ludometrics.gamelog.rated import RatedLog
from ludometrics.gamelog.snapshot import Rater
from ludometrics.gamelog.store import today
def whole(folder):
    began = time.perf_counter()
    log = RatedLog(folder, {"elo": Rater("elo"), "glicko": Rater("glicko1")})
    log.refresh()
    loaded = time.perf_counter()
    games = sum(len(log.standings(name)) for name in log.raters)
    return [loaded - began, time.perf_counter() - began, log.now.n_games]
first = whole(sys.argv[1])
found = whole(sys.argv[2])
began = time.perf_counter()
frame = load_log(sys.argv[2], today=today()).frame
print(json.dumps({"first": first[1], "load": found[0], "all": found[1], "games": found[2],
                  "frame": time.perf_counter() - began}))
"""


def make_games(folder: Path, *, days: int, seed: int = 1) -> Path:
    """Make days of games if they are not there: seven of ten against a level, the others between two people."""
    if (folder / "whole").is_file():
        return folder
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    rng = np.random.default_rng(seed)
    names = [f"José {number}" if number % 7 == 0 else f"Player {number}" for number in range(PLAYERS)]
    levels = list(LEVEL_NAMES)
    for number in range(days):
        size = GAMES_A_DAY
        first = rng.integers(PLAYERS, size=size).tolist()
        other = ((np.array(first) + rng.integers(1, PLAYERS, size=size)) % PLAYERS).tolist()
        level = np.where(rng.random(size) < 0.7, rng.integers(len(levels), size=size), -1).tolist()
        swapped, winner = (rng.random(size) < 0.5).tolist(), rng.integers(3, size=size).tolist()
        ids = rng.bytes(16 * size).hex()
        lines = []
        for game in range(size):
            pair = [
                names[first[game]],
                LEVEL_NAMES[levels[level[game]]] if level[game] >= 0 else names[other[game]],
            ]
            black, white = pair[::-1] if swapped[game] else pair
            more = f', "level": "{levels[level[game]]}"' if level[game] >= 0 else ""
            more += f', "variant": "{"AB"[game % 2]}"' if level[game] == 1 else ""
            lines.append(
                f'{{"black": "{black}", "white": "{white}", "winner": "{("b", "w", "draw")[winner[game]]}"{more}, '
                f'"id": "{ids[32 * game : 32 * game + 32]}", "rules": "repetitions 3, quiet moves 40"}}'
            )
        path = folder / file_name(FIRST_DAY + timedelta(number))
        path.write_bytes(("[\n" + ",\n".join(lines) + "\n]\n").encode())
    (folder / "whole").touch()
    return folder


def load_and_rate_rows(small: Path, large: Path) -> list[dict]:
    """Wall seconds from files to ratings, in fresh processes."""
    with tempfile.TemporaryDirectory() as cache:
        cold = _case(small, small, NUMBA_CACHE_DIR=cache)
        runs = [_case(small, large, NUMBA_CACHE_DIR=cache) for _ in range(3)]
    found = {name: statistics.median(run[name] for run in runs) for name in runs[0]}
    games = f"{found['games']:,} games"
    return [
        row("compile, nothing cached", cold["first"], 60.0, 1, "s", less_is_better=True),
        row("compile, from numba's cache", found["first"], 2.0, 1, "s", less_is_better=True),
        row(f"{games}, loaded as a data frame", found["frame"], 3.0, 1, "s", less_is_better=True),
        row(f"{games}, loaded and rated by Elo and Glicko-1", found["all"], 3.0, 1, "s", less_is_better=True),
    ]


def reader_rows(folder: Path, files: int = 30) -> list[dict]:
    """The fast reader against the plain one, on the same files."""
    paths = list(itertools.islice(sorted(folder.glob("scores-*")), files))
    contents = [DayContent(path.name, path.read_bytes()) for path in paths]
    games = files * GAMES_A_DAY / 1e6
    fast = games / _median(lambda: read_days(contents))
    plain = games / _median(lambda: [check_rows(*content) for content in contents], 3)
    return [row("games read and checked, against json game by game", fast, plain, 5, "million games/s")]


def append_rows(folder: Path) -> list[dict]:
    """One game more on the last day of many; proves in the end that the ratings are those of a replay."""
    with tempfile.TemporaryDirectory(dir=folder.parent) as work:
        paths = sorted(folder.glob("scores-*"))
        for path in paths:
            os.link(
                path, Path(work, path.name)
            )  # saving replaces files, so that those linked stay as they are
        day = date.fromisoformat(paths[-1].stem.removeprefix("scores-"))
        log = RatedLog(work, RATERS)
        log.refresh()
        for name in ("elo", "glicko"):
            log.player(name, "Player 1")
        began = time.perf_counter()
        log.player("match", "Player 1")
        first_s = time.perf_counter() - began
        saved, updated, matched = [], [], []
        for number in range(APPENDS):
            game = Game("Player 1", f"New {number}", "b", id=secrets.token_hex(16))
            marks = [time.perf_counter()]
            append_game(work, game, day)
            marks.append(time.perf_counter())
            log.refresh()
            assert log.player("elo", f"New {number}").games == 1 and log.player("glicko", "Player 1")
            marks.append(time.perf_counter())
            log.player("match", "Player 1")
            marks.append(time.perf_counter())
            for times, low, high in zip((saved, updated, matched), marks[:-1], marks[1:], strict=True):
                times.append(1000.0 * (high - low))
        time.sleep(0.2)
        log.refresh()
        same = 1000.0 * _median(log.refresh)
        log.prove()
    ms = {"bar": 1, "unit": "ms", "less_is_better": True}
    return [
        row("a game more, saved", statistics.median(saved), 10.0, **ms),
        row("a game more, Elo and Glicko-1 brought up to date", statistics.median(updated), 10.0, **ms),
        row("a game more, the posterior brought up to date", statistics.median(matched), 10.0, **ms),
        row("nothing new, found to be so", same, 10.0, **ms),
        row("the posterior, first time", first_s, 30.0, 1, "s", less_is_better=True),
    ]


def server_rows() -> list[dict]:
    """The server under the load of many players."""
    from _web_load import load_rows

    return load_rows()


def _case(small: Path, large: Path, **environment: str) -> dict[str, float]:
    command = [sys.executable, "-c", _CASE, str(small), str(large)]
    done = subprocess.run(  # noqa: S603
        command, env={**os.environ, **environment}, stdout=subprocess.PIPE, text=True, check=True
    )
    return json.loads(done.stdout)


def _median(work: Callable[[], object], repeats: int = REPEATS) -> float:
    """Median wall seconds after one run that is not counted."""
    work()
    times = []
    for _ in range(repeats):
        began = time.perf_counter()
        work()
        times.append(time.perf_counter() - began)
    return statistics.median(times)


@click.command()
@click.option(
    "--days", default=DAYS, show_default=True, type=click.IntRange(31), help="Of a thousand games each."
)
@click.option(
    "--server/--no-server", default=True, show_default=True, help="Measure the server under load as well."
)
@click.option(
    "--out", type=click.Path(path_type=Path), help="Table to write.  [default: results/bench/gamelog.csv]"
)
def main(days: int, server: bool, out: Path | None) -> None:
    """Measure, print and write the table."""
    small = make_games(ROOT / "build" / "gamelog" / "1", days=1)
    large = make_games(ROOT / "build" / "gamelog" / str(days), days=days)
    table = [*load_and_rate_rows(small, large), *reader_rows(large), *append_rows(large)]
    if server:
        table += server_rows()
    frame = pd.DataFrame(table, columns=COLUMNS)
    print(frame.to_string(index=False))
    target = out or ("results/bench/gamelog.csv" if server and days == DAYS else "build/bench/gamelog.csv")
    write_table(
        frame, target, key=["case"], parameters={"days": days, "games_a_day": GAMES_A_DAY, "players": PLAYERS}
    )


if __name__ == "__main__":
    main()
