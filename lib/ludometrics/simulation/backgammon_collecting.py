"""Collects what GNU Backgammon left of matches between players of known skill into the two files that ship.

    python -m ludometrics.simulation.backgammon_collecting FOLDER

FOLDER is what `gnubg_matches` filled.
"""

from __future__ import annotations

import gzip
import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import click
import numpy as np
import pandas as pd
from tqdm.auto import tqdm

from ludometrics.backgammon.gnubg_sgf import read_gnubg_sgf
from ludometrics.backgammon.record_files import Thinning, write_records
from ludometrics.backgammon.records import UNKNOWN, Kind, Library, join
from ludometrics.provenance import write_bytes

#: Candidates this much worse than the best (normalised equity) are left out of the file that ships: at the difficulty's
#: temperature their chance is below exp(-8).
WINDOW = 0.2


def collect(folder: str | Path, *, only: Sequence[str] = (), say=lambda text: None) -> Library:
    """Read what `gnubg_matches.play` left of analysed matches: names, dates and pace from its notes.

    Parameters
    ----------
    folder : path
    only : sequence of str
        Names of the matches wanted; all where empty.
    say : callable
        Called with the name of each match read.

    The SGF is read, since the text export lists five candidates only.

    Raises
    ------
    ValueError
        A match cannot be read whole, or ended otherwise than the notes say.
    """
    libraries = []
    for path in sorted(Path(folder).iterdir()):
        played = json.loads((path / "played.json").read_text(encoding="utf-8"))
        if played["plies"] is None or (only and path.name not in only):
            continue
        text = gzip.decompress((path / "match.sgf.gz").read_bytes()).decode()
        library = read_gnubg_sgf((f"{path.name}/match.sgf", text))
        if len(library.matches) != 1 or library.problems:
            raise ValueError(f"{path}: {', '.join(map(str, library.problems[:3])) or 'no match'}")
        if library.matches[0].final_score != tuple(played["score"]):
            raise ValueError(
                f"{path}: the score is {library.matches[0].final_score}, the notes say {played['score']}"
            )
        libraries.append(_with_notes(library, played))
        say(path.name)
    return join(libraries)


def _with_notes(library: Library, played: dict) -> Library:
    """The library of one match with the players' own names (GNU Backgammon lets nobody play himself) and the pace."""
    facts = {"key": played["name"], "players": tuple(played["players"]), "date": played["date"], "source": ""}
    decisions = library.decisions
    spent = {(game, move, Kind[kind.upper()]): time for game, move, _, kind, time in played["pace"]}
    keys = zip(decisions.game.tolist(), decisions.move.tolist(), decisions.kind.tolist(), strict=True)
    times = [spent.get((game, move, Kind(kind)), UNKNOWN) for game, move, kind in keys]
    decisions = replace(decisions, duration_ms=np.array(times, dtype=np.int32))
    return Library((replace(library.matches[0], **facts),), decisions)


def collect_results(folder: str | Path) -> pd.DataFrame:
    """Scores of every match that `gnubg_matches.play` left in ``folder``.

    Returns
    -------
    DataFrame
        match, player_1, player_2, length, score_1, score_2, analysed; by match.
    """
    rows = []
    for path in sorted(Path(folder).iterdir()):
        played = json.loads((path / "played.json").read_text(encoding="utf-8"))
        analysed = played["plies"] is not None
        rows.append((path.name, *played["players"], played["length"], *played["score"], analysed))
    columns = ["match", "player_1", "player_2", "length", "score_1", "score_2", "analysed"]
    return pd.DataFrame(rows, columns=columns)


@click.command()
@click.argument("folder", type=click.Path(exists=True, file_okay=False, path_type=Path))
@click.option(
    "--out",
    type=click.Path(path_type=Path),
    default=Path("data/backgammon_known_players.json.gz"),
    show_default=True,
)
@click.option(
    "--results", type=click.Path(path_type=Path), help="Write the scores of all matches there, as a CSV."
)
@click.option("--only", multiple=True, metavar="MATCH", help="Name of a match wanted; can be given again.")
@click.option("--player", help="Matches of this player only.")
@click.option("--until", metavar="DAY", help="Matches up to this day only.")
def main(
    folder: Path,
    out: Path,
    results: Path | None,
    only: tuple[str, ...],
    player: str | None,
    until: str | None,
) -> None:
    """Collect the analysed matches that gnubg_matches left in FOLDER into one file of records, thinned."""
    with tqdm(unit=" matches") as bar:
        library = collect(folder, only=only, say=lambda name: bar.update())
    kept = [
        (player is None or player in match.players) and (until is None or match.date <= until)
        for match in library.matches
    ]
    library = library.only(np.array(kept, dtype=bool))
    write_records(library, out, thin=Thinning(window=WINDOW))
    size = f"{len(library.matches)} matches, {len(library.decisions)} decisions, {out.stat().st_size:,} bytes"
    click.echo(f"{out}: {size}")
    if results is not None:
        scores = collect_results(folder)
        write_bytes(results, scores.to_csv(index=False, lineterminator="\n").encode())
        click.echo(f"{results}: {len(scores)} matches")


if __name__ == "__main__":
    main()
