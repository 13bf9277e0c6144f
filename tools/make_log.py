"""Make the log of a month of a large chess site, for trying what has to cope with large logs.

    python tools/make_log.py build/stream_log/100000000.parquet --games 100000000 --players 1000000

Columns `white`, `black`, `result` (text) and `time` (in order, 31 days). Few players play much and many play little;
opponents are of similar strength; the stronger scores more, and up to a tenth of the games are drawn. Written in
pieces of a million games, each with a random stream of its own, so that memory does not grow with the log.
"""

from pathlib import Path

import click
import numpy as np
import pyarrow as pa
import pyarrow.csv
import pyarrow.parquet as pq
from numpy.typing import NDArray
from tqdm.auto import tqdm

PIECE = 1_000_000
DAYS = 31
START = np.datetime64("2026-10-01", "ms")
RESULTS = pa.array(["0-1", "1/2-1/2", "1-0"])
#: Activity of the player of rank r is (r + OFFSET)^-EXPONENT: of 100 million games the most active play 7000.
EXPONENT, OFFSET = 1.0, 3000
SPREAD_ELO, REACH_ELO = 350.0, 120.0
DRAWS = 0.1  # between equals
SCHEMA = pa.schema(
    [("white", pa.string()), ("black", pa.string()), ("result", pa.string()), ("time", pa.timestamp("ms"))]
)


@click.command()
@click.argument("path", type=click.Path(dir_okay=False, path_type=Path))
@click.option("--games", default=100_000_000, show_default=True, type=click.IntRange(1))
@click.option("--players", default=1_000_000, show_default=True, type=click.IntRange(2))
@click.option("--seed", default=20261001, show_default=True, type=click.IntRange(0))
def main(path: Path, games: int, players: int, seed: int) -> None:
    """Write the log to PATH, which ends in .parquet or in .csv; it is there whole or not at all."""
    if path.suffix not in (".parquet", ".csv"):
        raise click.BadParameter(f"{path}: the name must end in .parquet or .csv")
    path.parent.mkdir(parents=True, exist_ok=True)
    temporary = path.with_name(f".{path.name}.tmp")
    world_seed, *seeds = np.random.SeedSequence(seed).spawn(1 + -(-games // PIECE))
    world = make_world(players, rng=np.random.default_rng(world_seed))
    try:
        with open_writer(temporary, path.suffix) as writer:
            for number, piece_seed in enumerate(tqdm(seeds, desc=path.name, unit=" million games")):
                first, last = number * PIECE, min(games, (number + 1) * PIECE)
                days = (DAYS * first / games, DAYS * last / games)
                writer.write_table(
                    make_piece(world, last - first, days, rng=np.random.default_rng(piece_seed))
                )
        temporary.replace(path)
    finally:
        temporary.unlink(missing_ok=True)


def make_world(players: int, *, rng: np.random.Generator) -> tuple[pa.Array, NDArray, NDArray]:
    """Give names and strengths of the players, weakest first, and the running sum of their activity."""
    strength = np.sort(rng.normal(1500.0, SPREAD_ELO, players))
    activity = (rng.permutation(players) + float(OFFSET)) ** -EXPONENT
    width = max(6, len(str(players - 1)))
    names = pa.array([f"player{number:0{width}d}" for number in rng.permutation(players).tolist()])
    return names, strength, np.cumsum(activity)


def make_piece(
    world: tuple[pa.Array, NDArray, NDArray],
    games: int,
    days: tuple[float, float],
    *,
    rng: np.random.Generator,
) -> pa.Table:
    """Make games between players of similar strength, evenly spread over some days.

    One of the two is drawn by activity; the other likewise, from the neighbourhood in the order of strength.
    """
    names, strength, running = world
    one = np.minimum(np.searchsorted(running, rng.random(games) * running[-1]), len(names) - 1)
    near = np.interp(strength[one] + rng.normal(0.0, REACH_ELO, games), strength, running)
    other = np.minimum(np.searchsorted(running, near), len(names) - 1)
    other = np.where(other == one, np.where(one > 0, one - 1, 1), other)
    swap = rng.random(games) < 0.5
    white, black = np.where(swap, other, one), np.where(swap, one, other)
    expected = 1.0 / (1.0 + 10.0 ** ((strength[black] - strength[white] - 30.0) / 400.0))
    drawn = DRAWS * 4.0 * expected * (1.0 - expected)
    chance = rng.random(games)
    result = np.where(chance < expected - drawn / 2, 2, np.where(chance < expected + drawn / 2, 1, 0))
    offsets = np.sort(
        rng.integers(int(days[0] * 86_400_000), int(days[1] * 86_400_000), games, endpoint=True)
    )
    columns = [names.take(pa.array(white)), names.take(pa.array(black)), RESULTS.take(pa.array(result))]
    return pa.table([*columns, pa.array(START + offsets)], schema=SCHEMA)


def open_writer(path: Path, suffix: str) -> pq.ParquetWriter | pa.csv.CSVWriter:
    """Open a writer of tables: Parquet as pyarrow writes it if not told otherwise, or CSV."""
    if suffix == ".parquet":
        return pq.ParquetWriter(path, SCHEMA)
    return pa.csv.CSVWriter(path, SCHEMA, write_options=pa.csv.WriteOptions(quoting_style="needed"))


if __name__ == "__main__":
    main()
