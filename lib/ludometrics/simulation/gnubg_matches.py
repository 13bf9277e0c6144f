"""Runs GNU Backgammon on matches between players of known skill, several processes at once, and can be resumed.

    python -m ludometrics.simulation.gnubg_matches FOLDER --rounds 8

plays and analyses the pool of the study (hours); what stands in FOLDER already is not made again.
"""

from __future__ import annotations

import gzip
import json
import os
import subprocess
import tempfile
from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import click

from ludometrics.backgammon.gnubg_program import find_gnubg
from ludometrics.provenance import write_bytes
from ludometrics.simulation import backgammon_players
from ludometrics.simulation.backgammon_players import MatchTask

SCRIPT = Path(__file__).with_name("gnubg_script.py")
MATCH_SECONDS = 900  # no match of 17 points at 2-ply took a third of it
BATCH = 25  # matches without analysis played by one process
WAITING = 6  # processes a core for these


def _run(tasks: Sequence[MatchTask], gnubg: str) -> list[dict[str, bytes]]:
    """What the script left for each task, by file name."""
    with tempfile.TemporaryDirectory() as scratch:
        folders = [Path(scratch, task.name) for task in tasks]
        for folder in folders:
            folder.mkdir()
        list_ = [task.as_task(str(folder)) for task, folder in zip(tasks, folders, strict=True)]
        Path(scratch, "tasks.json").write_text(json.dumps(list_), encoding="utf-8")
        task = str(Path(scratch, "tasks.json"))
        environment = dict(os.environ, LUDOMETRICS_GNUBG_TASK=task, HOME=scratch, LC_ALL="C.UTF-8")
        command = [gnubg, "-t", "-q", "-r", "-p", str(SCRIPT)]
        done = subprocess.run(  # noqa: S603
            command,
            env=environment,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=MATCH_SECONDS,
            check=False,
        )
        left = [{path.name: path.read_bytes() for path in sorted(folder.iterdir())} for folder in folders]
        if done.returncode != 0 or any("played.json" not in files for files in left):
            raise RuntimeError(
                f"GNU Backgammon failed on {tasks[0].name}: {done.stdout.decode(errors='replace')[-800:]}"
                f"{done.stderr.decode(errors='replace')[-800:]}"
            )
        return left


def _keep(task: MatchTask, files: dict[str, bytes], folder: Path) -> None:
    """Store one match; ``played.json`` comes last, since it says that the match is whole."""
    target = folder / task.name
    target.mkdir(parents=True, exist_ok=True)
    for name in sorted(files, key=lambda name: name == "played.json"):
        data = files[name]
        if name == "played.json":
            played = json.loads(data) | task._asdict()
            write_bytes(target / name, (json.dumps(played) + "\n").encode())
        else:
            write_bytes(target / f"{name}.gz", gzip.compress(data, mtime=0))


def play(tasks: Iterable[MatchTask], folder: str | Path, *, processes: int, say=lambda text: None) -> None:
    """Play ``tasks`` and keep each in ``folder``/<name>: played.json and, where analysed, the text and SGF exports.

    Raises
    ------
    RuntimeError
        GNU Backgammon is missing, or failed; matches kept before stay.
    """
    gnubg, folder = find_gnubg(), Path(folder)
    missing = [task for task in tasks if not (folder / task.name / "played.json").exists()]
    size = 1 if any(task.plies is not None for task in missing) else BATCH
    batches = [missing[start : start + size] for start in range(0, len(missing), size)]
    done = 0
    with ThreadPoolExecutor(processes) as pool:
        for batch, left in zip(batches, pool.map(lambda batch: _run(batch, gnubg), batches), strict=True):
            for task, files in zip(batch, left, strict=True):
                _keep(task, files, folder)
            done += len(batch)
            say(f"{done} of {len(missing)} matches")


@click.command()
@click.argument("folder", type=click.Path(path_type=Path))
@click.option(
    "--rounds", default=8, show_default=True, help="Rounds of every pair, 7 points, analysed at 2-ply."
)
@click.option("--results", default=300, show_default=True, help="Matches of every player against the engine.")
@click.option("--seed", default=20260101, show_default=True)
@click.option("--processes", default=2, show_default=True)
def main(folder: Path, rounds: int, results: int, seed: int, processes: int) -> None:
    """Play and analyse the pool of matches of the study into FOLDER."""
    pool = backgammon_players.round_robin(rounds, seed=seed)
    counts = {1: 40, 3: 20, 5: 16, 9: 10, 13: 8, 17: 6}
    mixed = backgammon_players.lengths(counts, "t030", seed=seed)
    half = len(pool) // 2
    # Playing without analysis mostly waits for GNU Backgammon's own clock ticks, so more processes than cores serve.
    quick = backgammon_players.against_engine(results, seed=seed)
    play(quick, folder, processes=WAITING * processes, say=click.echo)
    play(pool[:half] + mixed + pool[half:], folder, processes=processes, say=click.echo)


if __name__ == "__main__":
    main()
