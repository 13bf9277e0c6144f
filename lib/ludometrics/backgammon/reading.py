"""Matches from files and folders, whatever programs wrote them: the one door to every reader.

A file's content says what it is, its suffix only where the content does not; any of them may be packed (`.gz`). Files
of one match (base.txt, base_002.txt, ... of GNU Backgammon's text export) are read together. The same match read twice,
from two programs' files even, is kept once, as the file that says most about it. Whatever cannot be read becomes a
`Problem` and stops nothing. The order in which files are given does not matter.

Read are: text export and SGF of GNU Backgammon, what `gammonview_files` reads, and our own records (`record_files`).
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pandas as pd
from tqdm.auto import tqdm

from ludometrics.backgammon import gammonview_files
from ludometrics.backgammon.file_search import Found, find_files, head_of, whole_of
from ludometrics.backgammon.gammonview_files import kind_of_content, read_gammonview_bytes
from ludometrics.backgammon.gnubg_sgf import is_gnubg_sgf, read_gnubg_sgf
from ludometrics.backgammon.gnubg_text import group_text_files, is_gnubg_text, read_gnubg_text
from ludometrics.backgammon.record_files import MOST_BYTES, is_record_content, read_record_bytes
from ludometrics.backgammon.records import Library, Problem, join, no_decisions
from ludometrics.backgammon.side_tables import MatchTable, apply_match_table, read_match_table

#: Larger files, packed or not, hold no match; records of whole libraries may be larger.
MOST_MATCH_BYTES = gammonview_files.MOST_BYTES
#: Names of the tables beside the matches, which are no matches.
SIDE_TABLES = ("matches.csv", "players.csv", "study_actions.csv")

_TEXT, _SGF, _RECORDS, _GAMMONVIEW = "GNU Backgammon text", "SGF", "records", "gammonview"
_KINDS_OF_SUFFIX = {".sgf": _SGF} | dict.fromkeys(gammonview_files.SUFFIXES, _GAMMONVIEW)


class _Unit(NamedTuple):
    """Files that are read together."""

    kind: str
    files: tuple[Found, ...]


def read_library(
    paths: Iterable[str | os.PathLike[str]] | str | os.PathLike[str],
    *,
    progress: bool = False,
    matches: MatchTable | str | os.PathLike[str] | None = None,
) -> Library:
    """Read files and folders, these with all folders inside.

    Parameters
    ----------
    paths : path, or iterable of path
        Hidden files, and the tables beside the matches (`SIDE_TABLES`) in folders, are passed over.
    progress : bool
        Show how far it is.
    matches : path or MatchTable, optional
        Dates, tournaments and rounds (`side_tables.apply_match_table`).

    Returns
    -------
    Library
        Matches in the order of their files' names. What could not be read, and where, is among its problems
        (`problem_table`).

    Raises
    ------
    ValueError
        The table of matches is wrong.
    """
    paths = [paths] if isinstance(paths, str | os.PathLike) else list(paths)
    table = matches if matches is None or isinstance(matches, MatchTable) else read_match_table(matches)
    files, problems = find_files(paths, passed_over=SIDE_TABLES)
    units, foreign = _units(files)
    libraries = []
    with tqdm(units, desc="reading", unit=" files", disable=not progress) as bar:
        for unit in bar:
            libraries.append(_read(unit))
    library = _without_copies(libraries)
    problems = sorted([*problems, *foreign], key=lambda problem: problem.source)
    library = Library(library.matches, library.decisions, (*problems, *library.problems))
    return library if table is None else apply_match_table(library, table)


def problem_table(library: Library) -> pd.DataFrame:
    """What could not be read, or was left out: a table with the columns file, where and reason."""
    return pd.DataFrame(list(library.problems), columns=["file", "where", "reason"], dtype=object)


def _units(files: Sequence[Found]) -> tuple[list[_Unit], list[Problem]]:
    """What to read together, in the order of names, and the files that hold no match."""
    units, problems, texts = [], [], []
    for file in files:
        try:
            kind = _kind(file)
        except (OSError, ValueError) as error:
            problems.append(Problem(file.name, "", _reason(error)))
            continue
        if kind == _TEXT:
            texts.append(file)
        elif kind:
            units.append(_Unit(kind, (file,)))
        else:
            problems.append(Problem(file.name, "", "it is no file of matches that can be read here"))
    for packed in (False, True):
        by_path = {Path(file.plain_name): file for file in texts if file.packed == packed}
        for group in group_text_files(by_path):
            units.append(_Unit(_TEXT, tuple(by_path[path] for path in group)))
    return sorted(units, key=lambda unit: unit.files[0].name), problems


def _kind(file: Found) -> str:
    """Which reader a file is for, "" for none.

    Raises
    ------
    ValueError
        It is empty, or packed and damaged.
    OSError
        It cannot be opened.
    """
    head = head_of(file)
    if not head.strip(b"\0 \t\r\n"):
        raise ValueError("it is empty")
    if is_record_content(head):
        return _RECORDS
    if b"\0" not in head[:4096]:
        text = head.decode("utf-8-sig", "replace")
        if is_gnubg_text(text):
            return _TEXT
        if is_gnubg_sgf(text):
            return _SGF
    if kind_of_content(head):
        return _GAMMONVIEW
    return _KINDS_OF_SUFFIX.get(Path(file.plain_name).suffix.lower(), "")


def _read(unit: _Unit) -> Library:
    """Read one unit; whatever goes wrong becomes a problem."""
    name = unit.files[0].name
    try:
        if unit.kind == _RECORDS:
            return read_record_bytes(whole_of(unit.files[0], MOST_BYTES), name)
        if unit.kind == _GAMMONVIEW:
            return read_gammonview_bytes(whole_of(unit.files[0], MOST_MATCH_BYTES), name)
        texts = [(file.name, _text(whole_of(file, MOST_MATCH_BYTES))) for file in unit.files]
        return read_gnubg_sgf(texts[0]) if unit.kind == _SGF else read_gnubg_text(texts)
    except (ImportError, OSError, ValueError) as error:
        reason = _reason(error).removeprefix(f"{name}, ").removeprefix(f"{name}: ")
    except Exception as error:  # a file that nobody has thought of must not cost the others
        reason = f"it cannot be read: {type(error).__name__}: {error}"
    return Library((), no_decisions(), (Problem(name, "", reason),))


def _reason(error: Exception) -> str:
    if isinstance(error, OSError):
        return f"it cannot be opened: {error.strerror or error}"
    return str(error) or type(error).__name__


def _text(content: bytes) -> str:
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError:
        return content.decode("cp1252", errors="replace")


def _without_copies(libraries: Sequence[Library]) -> Library:
    """All together; of several copies of a match the one that says most stays, of equals the first.

    What it does not say of the date, the tournament and the round is taken from the others.
    """
    best: dict[str, tuple[tuple[int, ...], int, str]] = {}
    facts: dict[str, dict[str, str]] = {}
    for number, library in enumerate(libraries):
        for match, weight in zip(library.matches, _weights(library), strict=True):
            if match.key not in best or weight > best[match.key][0]:
                best[match.key] = (weight, number, match.source)
            for name in ("date", "tournament", "round"):
                facts.setdefault(match.key, {}).setdefault(name, "")
                facts[match.key][name] = facts[match.key][name] or getattr(match, name)
    kept, problems = [], []
    for number, library in enumerate(libraries):
        problems += library.problems
        chosen = np.array([best[match.key][1] == number for match in library.matches], bool)
        for match, stays in zip(library.matches, chosen, strict=True):
            if not stays:
                reason = f"the same match as {best[match.key][2]}, left out"
                problems.append(Problem(match.source, "", reason))
        if chosen.any():
            kept.append(library if chosen.all() else library.only(chosen))
    joined = join(kept)
    matches = []
    for match in joined.matches:
        missing = {name: text for name, text in facts[match.key].items() if not getattr(match, name)}
        matches.append(replace(match, **missing))
    return Library(tuple(matches), joined.decisions, tuple(problems))


def _weights(library: Library) -> list[tuple[int, ...]]:
    """How much is known of each match: analysed decisions, candidates, luck, durations."""
    decisions = library.decisions
    options = decisions.options
    priced = np.zeros(len(options.equity) + 1, np.int64)
    priced[1:] = np.cumsum(~np.isnan(options.equity))
    candidates = priced[decisions.option_start[1:]] - priced[decisions.option_start[:-1]]
    analysed = (candidates > 0) | ~np.isnan(decisions.equities).all(axis=1)
    columns: tuple[np.ndarray, ...] = (
        analysed,
        candidates,
        ~np.isnan(decisions.luck),
        decisions.duration_ms >= 0,
    )
    n = len(library.matches)
    sums = [
        np.bincount(decisions.match, weights=column, minlength=n).astype(int).tolist() for column in columns
    ]
    return list(zip(*sums, strict=True)) if n else []
