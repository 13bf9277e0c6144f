"""Simulated games as daily files, in a folder of their own that can never be mixed up with real games."""

import json
import os
from collections.abc import Iterable, Mapping
from datetime import date
from hashlib import sha256
from itertools import groupby
from pathlib import Path
from typing import Any

from ludometrics.gamelog import Game, day_of_file, encode_day, file_name, write_day
from ludometrics.provenance import write_bytes
from ludometrics.simulation.draughts_days import DaysRecord, calendar_day

#: File that marks a folder of simulated games: how they were made, and the SHA-256 of what was written.
MARKER = "simulated.json"


class FolderInUseError(ValueError):
    """A folder holds games that were not simulated here."""


def saved_games(record: DaysRecord) -> list[tuple[date, Game]]:
    """Games of a simulation as they are saved, with their dates.

    Examples
    --------
    >>> import numpy as np
    >>> from ludometrics.simulation.draughts_days import DaysSettings, simulate_days
    >>> record = simulate_days(DaysSettings(days=1), rng=np.random.default_rng(1))
    >>> day, game = saved_games(record)[0]
    >>> day.isoformat(), game.level in ("easy", "medium", "hard")
    ('2026-09-01', True)
    """
    return [
        (
            calendar_day(record.settings, int(row.day)),
            Game(row.black, row.white, row.winner, row.level or None, row.variant or None),
        )
        for row in record.games.itertuples(index=False)
    ]


def save_days(
    folder: str | os.PathLike[str],
    games: Iterable[tuple[date, Game]],
    *,
    parameters: Mapping[str, Any],
    levels: Iterable[str],
) -> list[Path]:
    """Write games as daily files, beside a marker that says how they were made.

    Parameters
    ----------
    folder : path
        Made if need be. Files that an earlier run wrote here are replaced or taken away.
    games : iterable of (date, Game)
        By date, and in order within each.
    parameters : mapping
        What the games were made with; plain values that JSON can hold.
    levels : iterable of str
        Levels that the games may name.

    Returns
    -------
    list of Path
        The daily files.

    Raises
    ------
    FolderInUseError
        The folder holds a daily file that no earlier run wrote, or one that was changed since. Nothing is touched.
    """
    folder, levels = Path(folder), tuple(levels)
    days = {day: [game for _, game in part] for day, part in groupby(games, key=lambda item: item[0])}
    planned = {
        file_name(day): [sha256(encode_day(rows, where=file_name(day), levels=levels)).hexdigest()]
        for day, rows in days.items()
    }
    earlier = check_folder(folder)
    marker = {"note": "Simulated games. Real games belong elsewhere.", "parameters": dict(parameters)}
    # Old and new content are both named before anything is written: a run that is cut short leaves a folder that
    # the next run still knows as its own.
    either = {name: earlier.get(name, []) + planned.get(name, []) for name in sorted({*earlier, *planned})}
    write_bytes(folder / MARKER, _json(marker | {"complete": False, "files": either}))
    for name in earlier.keys() - planned.keys():
        (folder / name).unlink(missing_ok=True)
    paths = [write_day(folder, day, rows, levels=levels) for day, rows in days.items()]
    write_bytes(folder / MARKER, _json(marker | {"complete": True, "files": planned}))
    return paths


def check_folder(folder: str | os.PathLike[str]) -> dict[str, list[str]]:
    """Make sure that a folder holds no daily files but those of an earlier run.

    Returns
    -------
    dict of str to list of str
        Files of the earlier run, and the SHA-256 that each may have.

    Raises
    ------
    FolderInUseError
        Naming the file that is not one of them.

    Examples
    --------
    >>> check_folder("no/such/folder")
    {}
    """
    folder = Path(folder)
    if not folder.exists():
        return {}
    if not folder.is_dir():
        raise FolderInUseError(f"{folder} is no folder: name one for simulated games alone")
    known = _known_files(folder / MARKER)
    for path in sorted(folder.glob("scores-*.json")):
        if path.name not in known:
            raise FolderInUseError(
                f"{path} was not simulated here: simulated games must not be mixed with others, name another folder"
            )
        if sha256(path.read_bytes()).hexdigest() not in known[path.name]:
            raise FolderInUseError(
                f"{path} was changed since it was simulated: move it or name another folder"
            )
    return known


def _known_files(marker: Path) -> dict[str, list[str]]:
    if not marker.exists():
        return {}
    try:
        files = json.loads(marker.read_text(encoding="utf-8"))["files"]
        # Only daily files are ever taken away again, whatever a marker may say.
        return {
            name: list(digests) for name, digests in files.items() if day_of_file(name) and "/" not in name
        }
    except (UnicodeDecodeError, json.JSONDecodeError, KeyError, TypeError, AttributeError) as error:
        raise FolderInUseError(f"{marker} is no marker of simulated games: name another folder") from error


def _json(content: Mapping[str, Any]) -> bytes:
    return (json.dumps(content, indent=1, ensure_ascii=False) + "\n").encode()
