"""Load on the server: many players at once on loopback, each a move every two seconds.

Run alone: ``python benchmarks/_web_load.py``. The server is a process of its own on a folder of its own. Each player
keeps one connection, plays random legal moves, looks at the tables when a game is over and starts another, and resigns
at the end, all at the same moment. Every game must then be saved once, with the result that its player saw. Latencies
are those of whole answers to moves, the computer's answer among them, as the players saw them.
"""

import argparse
import asyncio
import json
import re
import secrets
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import pandas as pd
from _timing import COLUMNS, row

from ludometrics.gamelog.daily import Game, day_of_file, read_day

PLAYERS, SECONDS, PACE_S = 200, 60.0, 2.0
LEVELS = {"easy": "Low", "medium": "Medium"}
#: Wanted of the median, and, for a hitch now and then that nobody minds, of the 95th percentile.
BAR_MS, BAR_95_MS = 100.0, 250.0
# What one address may do would be too little: here all players come from one.
_OPTIONS = ["--requests-a-minute", "1000000", "--games-an-hour", "1000000", "--live-games-each", "100000"]


@dataclass
class Seen:
    """What the players saw.

    Attributes
    ----------
    latencies_ms : dict of str to list of float
        Of moves, by level.
    results : dict of str to str
        Winner of each finished game, by its id.
    started : int
        Games.
    errors : list of str
    """

    latencies_ms: dict[str, list[float]] = field(default_factory=lambda: {level: [] for level in LEVELS})
    results: dict[str, str] = field(default_factory=dict)
    started: int = 0
    errors: list[str] = field(default_factory=list)


class Connection:
    """One connection to the server, kept open."""

    def __init__(self, host: str, port: int) -> None:
        self._host, self._port = host, port

    async def open(self) -> None:
        """Connect."""
        self._reader, self._writer = await asyncio.open_connection(self._host, self._port)

    async def post(self, route: str, **body: object) -> dict:
        """Ask, and give the answer; RuntimeError if it is not 200."""
        content = json.dumps(body).encode()
        kind = f"Content-Type: application/json\r\nContent-Length: {len(content)}\r\n"
        return await self._ask("POST", route, kind, content)

    async def get(self, route: str) -> dict:
        """Ask without a body; the same."""
        return await self._ask("GET", route, "", b"")

    async def _ask(self, method: str, route: str, kind: str, content: bytes) -> dict:
        head = f"{method} /{route} HTTP/1.1\r\nHost: {self._host}:{self._port}\r\n{kind}\r\n"
        self._writer.write(head.encode() + content)
        head = (await self._reader.readuntil(b"\r\n\r\n")).decode("latin-1")
        length = int(re.search(r"(?i)content-length: (\d+)", head)[1])
        answer = json.loads(await self._reader.readexactly(length))
        if head.split(" ", 2)[1] != "200":
            raise RuntimeError(f"{route}: {head.splitlines()[0]}: {answer.get('error')}")
        return answer

    async def close(self) -> None:
        """Disconnect."""
        self._writer.close()
        await self._writer.wait_closed()


async def play(
    connection: Connection, number: int, seen: Seen, begin: float, end: float, pace_s: float
) -> None:
    """One player, from `begin` to `end` on the loop's clock."""
    clock = asyncio.get_running_loop().time
    rng, level = np.random.default_rng(number), list(LEVELS)[number % len(LEVELS)]
    order = {"mode": "computer", "name": f"Player {number}", "level": level}
    view = key = None
    due = begin + rng.random() * pace_s
    try:
        await connection.open()
        while due < end:
            await asyncio.sleep(max(0.0, due - clock()))
            if view is None or view["result"] is not None:
                colour, request = "bw"[int(rng.integers(2))], secrets.token_hex(8)
                view = await connection.post("game", **order, colour=colour, request=request)
                key, seen.started = view["key"], seen.started + 1
            else:
                path = view["legal"][rng.integers(len(view["legal"]))]["path"]
                asked = time.perf_counter()
                view = await connection.post("move", id=view["id"], key=key, ply=view["ply"], path=path)
                seen.latencies_ms[level].append(1000.0 * (time.perf_counter() - asked))
                await note(connection, view, seen)
            due = max(due + pace_s, clock())
        await asyncio.sleep(max(0.0, end - clock()))
        if view is not None and view["result"] is None:
            await note(connection, await connection.post("resign", id=view["id"], key=key), seen)
        await connection.close()
    except (OSError, EOFError, RuntimeError, TypeError, ValueError) as error:
        seen.errors.append(f"player {number}: {type(error).__name__}: {error}")


async def note(connection: Connection, view: dict, seen: Seen) -> None:
    """Note the result of a game, if it has one, and look at the tables as the page does then."""
    if view["result"] is not None:
        seen.results[view["id"]] = view["result"]["winner"]
        for route in ("scores", "ratings"):
            await connection.get(route)


async def play_all(host: str, port: int, players: int, seconds: float, pace_s: float) -> Seen:
    """All players at once."""
    seen, begin = Seen(), asyncio.get_running_loop().time() + 0.5
    connections = [Connection(host, port) for _ in range(players)]
    await asyncio.gather(
        *(
            play(connection, number, seen, begin, begin + seconds, pace_s)
            for number, connection in enumerate(connections)
        )
    )
    return seen


@contextmanager
def serving(folder: Path) -> Iterator[tuple[str, int]]:
    """A server on a folder: host and port."""
    command = [sys.executable, "-m", "ludometrics.web", "--data", str(folder), "--port", "0", *_OPTIONS]
    server = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)  # noqa: S603
    try:
        line = server.stdout.readline()  # empty if it ends without one
        found = re.search(r"http://([^:/]+):(\d+)/", line)
        if found is None:
            raise RuntimeError(f"the server did not start: {line!r}")
        yield found[1], int(found[2])
    finally:
        server.send_signal(signal.SIGTERM)
        try:
            server.wait(timeout=60)
        except subprocess.TimeoutExpired:
            server.kill()
            server.wait()
        server.stdout.close()


def load(players: int = PLAYERS, seconds: float = SECONDS, pace_s: float = PACE_S) -> Seen:
    """Let players play, and compare what they saw with what is saved.

    Returns
    -------
    Seen
        Its errors name each request that failed, and each game that was lost, saved twice or with another result.
    """
    with tempfile.TemporaryDirectory() as folder:
        with serving(Path(folder)) as (host, port):
            seen = asyncio.run(play_all(host, port, players, seconds, pace_s))
        days = [path for path in sorted(Path(folder).iterdir()) if day_of_file(path)]
        seen.errors += compare(seen, [game for path in days for game in read_day(path)])
    return seen


def compare(seen: Seen, saved: list[Game]) -> list[str]:
    """Name each game that was lost, saved twice or with another result."""
    found = {game.id: game.winner for game in saved}
    errors = [
        f"game {game_id}: its player saw {winner}, saved is {found.get(game_id)}"
        for game_id, winner in seen.results.items()
        if found.get(game_id) != winner
    ]
    if len(saved) != seen.started:
        errors.append(f"{seen.started} games were started, {len(saved)} saved")
    return errors


def load_rows(players: int = PLAYERS, seconds: float = SECONDS) -> list[dict]:
    """Lines of results/bench/gamelog.csv; RuntimeError if a request failed or a game was lost."""
    seen = load(players, seconds)
    if seen.errors:
        raise RuntimeError(f"{len(seen.errors)} errors under load, the first: {seen.errors[0]}")
    rows = []
    for level, name in LEVELS.items():
        times = np.array(seen.latencies_ms[level])
        case = f"moves against {name}, {players} players at once"
        rows.append(row(f"{case}, median", statistics.median(times), BAR_MS, 1, "ms", less_is_better=True))
        high = float(np.quantile(times, 0.95))
        rows.append(row(f"{case}, 95th percentile", high, BAR_95_MS, 1, "ms", less_is_better=True))
    return rows


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--players", type=int, default=PLAYERS)
    parser.add_argument("--seconds", type=float, default=SECONDS)
    chosen = parser.parse_args()
    print(pd.DataFrame(load_rows(chosen.players, chosen.seconds), columns=COLUMNS).to_string(index=False))


if __name__ == "__main__":
    main()
