"""A whole folder of saved games in one table, with a report of everything that had to be left out."""

import hashlib
import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import date
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from ludometrics.gamelog.column_loops import BAD_ID
from ludometrics.gamelog.columns import (
    GameColumns,
    TextColumns,
    encode_columns,
    games_frame,
    read_columns,
    text_columns,
)
from ludometrics.gamelog.daily import (
    VARIANTS,
    WINNERS,
    Game,
    UnratedGame,
    check_game,
    check_unrated,
    game_of_row,
    kind_and_day,
)
from ludometrics.gamelog.day_files import (
    DayFile,
    LeftOut,
    left_out_file,
    list_files,
    printable,
    scan_folder,
    sort_left_out,
)
from ludometrics.gamelog.names import (
    LEVEL_NAMES,
    LEVEL_OF_KEY,
    REMOVED,
    REMOVED_TOKEN,
    fold_name,
    is_player_name,
    is_reserved,
)
from ludometrics.gamelog.rows import parse_rows
from ludometrics.gamelog.store import check_sides

#: Key of people whose removal left nothing to tell them apart by: each time it stands for somebody else.
ANY_REMOVED = f"{REMOVED})"

# So many bytes are read together: few enough for the processor's cache, too many for the work of a call to matter.
_BATCH_BYTES = 1 << 23
_MOST_SIGNS = 300
_CHECKS: Mapping[type, tuple[tuple[str, ...], Callable[..., None]]] = {
    Game: (("black", "white", "winner"), check_game),
    UnratedGame: (("black", "white", "why"), check_unrated),
}
_ANY_GAME = {"black": "A", "white": "B", "winner": "b"}


@dataclass(frozen=True)
class GameLog:
    """The rated games of a folder.

    Attributes
    ----------
    frame : DataFrame
        One row a game, by day and by order within the day: day (datetime64), file, row (from 1), black, white,
        winner, level, variant, id, rules, black_key, white_key. A key is the same for all spellings of a name; the key
        ``(removed)`` stands each time for somebody else. Missing values are NaN or NA.
    left_out : tuple of LeftOut
        Files and games that cannot be used, unrated games among them, by file and row.
    files : tuple of (str, str)
        Name and SHA-256 of each file that the frame comes from, by day.
    """

    frame: pd.DataFrame
    left_out: tuple[LeftOut, ...]
    files: tuple[tuple[str, str], ...]


class DayContent(NamedTuple):
    """What stands in a day's file of rated games, or in its end.

    Attributes
    ----------
    name : str
    content : bytes
    rows_before : int
        How many rows of the file stand before.
    """

    name: str
    content: bytes
    rows_before: int = 0


@dataclass(frozen=True)
class LoadedGames:
    """The rated games of a folder, as columns.

    Attributes
    ----------
    columns : GameColumns
        Games that count.
    names : tuple of str
        Files that could be read, by day.
    days : ndarray of int64
        Ordinal of each file's day.
    rows : tuple of int
        How many rows each file has, those left out among them.
    left_out : tuple of LeftOut
    hashes : dict of str to str
        SHA-256 of each file's content, by name.
    last : bytes
        Content of the last of the files.
    """

    columns: GameColumns
    names: tuple[str, ...]
    days: NDArray[np.int64]
    rows: tuple[int, ...]
    left_out: tuple[LeftOut, ...]
    hashes: dict[str, str]
    last: bytes


def load_log(
    folder: str | os.PathLike[str], *, today: date, replaced: Mapping[str, bytes | None] | None = None
) -> GameLog:
    """Load the rated games of a folder.

    A row that is no game is left out with its reason, and the rest of its day counts; a file that is not JSON, or no
    array of objects, is left out whole. Of games with the same id the first counts. No lock is taken: where other
    programs write at the same time, hold ``FolderLock(folder).shared()``.

    Parameters
    ----------
    folder : path
        Folders inside are passed over, links are not followed.
    today : date
        Files of later days are left out.
    replaced : mapping of str to bytes or None, optional
        Contents by name that stand in for the files' own, None for a file that is gone: what the log would be then.

    Returns
    -------
    GameLog

    Raises
    ------
    OSError
        The folder itself cannot be read.

    Source
    ------
    Own.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     _ = Path(folder, "scores-2026-09-01.json").write_text(
    ...         '[{"black": "Ann", "white": "BOB", "winner": "w"}, {"black": "Ann"}]'
    ...     )
    ...     log = load_log(folder, today=date(2026, 9, 1))
    >>> log.frame[["row", "black", "white_key", "winner"]].values.tolist(), log.left_out[0].reason
    ([[1, 'Ann', 'bob', 'w']], "has no 'white'")
    """
    loaded = load_games(folder, list_files(scan_folder(folder), replaced), today=today, replaced=replaced)
    frame = games_frame(loaded.columns, loaded.names, loaded.days)
    return GameLog(frame, loaded.left_out, tuple((name, loaded.hashes[name]) for name in loaded.names))


def load_games(
    folder: str | os.PathLike[str],
    files: Mapping[str, DayFile],
    *,
    today: date,
    replaced: Mapping[str, bytes | None] | None = None,
) -> LoadedGames:
    """Load what `load_log` loads, as columns; `files` is what `list_files` gave."""
    left_out = [found for name, file in files.items() if (found := left_out_file(name, file, today))]
    usable = {name: file for name, file in files.items() if file.fault is None and file.day <= today}
    hashes: dict[str, str] = {}
    last = b""

    def contents() -> Iterator[DayContent]:
        nonlocal last
        for name, file in usable.items():
            if (
                file.kind == "scores"
                and (content := read_content(folder, name, replaced, left_out)) is not None
            ):
                hashes[name], last = hashlib.sha256(content).hexdigest(), content
                yield DayContent(name, content)

    columns, rows, faults = read_days(contents())
    left_out += faults
    for name, file in usable.items():
        if file.kind == "unrated" and (content := read_content(folder, name, replaced, left_out)) is not None:
            left_out += check_rows(name, content)[2]
    days = np.array([kind_and_day(name)[1].toordinal() for name in rows], dtype=np.int64)
    return LoadedGames(
        columns, tuple(rows), days, tuple(rows.values()), sort_left_out(left_out), hashes, last
    )


def read_content(
    folder: str | os.PathLike[str],
    name: str,
    replaced: Mapping[str, bytes | None] | None,
    left_out: list[LeftOut],
) -> bytes | None:
    """Read a file; None, and a line more in `left_out`, where the system does not let us."""
    if replaced and name in replaced:
        return replaced[name]
    try:
        return Path(folder, name).read_bytes()
    except OSError as error:
        left_out.append(LeftOut(printable(name), None, f"cannot be read: {error.strerror}", None))
        return None


def read_days(contents: Iterable[DayContent]) -> tuple[GameColumns, dict[str, int], list[LeftOut]]:
    """Read contents of daily files, in the order of their days.

    Returns
    -------
    columns : GameColumns
        The games that count.
    rows : dict of str to int
        How many rows each file has, those left out among them; without the files that are left out whole.
    left_out : list of LeftOut
    """
    names: list[str] = []
    parts: list[TextColumns] = []
    rows: dict[str, int] = {}
    left_out: list[LeftOut] = []
    for batch in _batches(contents):
        columns, others = read_columns([day.content for day in batch], first_file=len(names))
        counts = np.bincount(columns.file - len(names), minlength=len(batch)).tolist()
        before = np.array([day.rows_before for day in batch], dtype=np.int32)
        parts.append(columns._replace(row=columns.row + before[columns.file - len(names)]))
        for place in others:
            found, numbers, faults = check_rows(*batch[place])
            parts.append(text_columns(found, numbers, file=len(names) + place))
            left_out += faults
            counts[place] = None if any(fault.row is None for fault in faults) else len(found) + len(faults)
        for day, count in zip(batch, counts, strict=True):
            names.append(day.name)
            if count is not None:
                rows[day.name] = day.rows_before + count
    columns = encode_columns(parts)
    for choose in (_faulty_rows, _repeated_rows):
        faults = choose(columns, names)
        if faults:
            left_out += faults.values()
            columns = columns.take(np.delete(np.arange(len(columns)), list(faults)))
    # Numbers of files are those of files that could be read.
    renumbered = np.cumsum([name in rows for name in names], dtype=np.int32) - 1
    return replace(columns, file=renumbered[columns.file] if names else columns.file), rows, left_out


def check_rows(
    name: str, content: bytes, rows_before: int = 0
) -> tuple[list[dict[str, Any]], list[int], list[LeftOut]]:
    """Read a daily file the plain way: rows that are games, their numbers, and what is left out."""
    kind = Game if kind_and_day(name)[0] == "scores" else UnratedGame
    try:
        rows = parse_rows(content, name)
    except ValueError as error:
        return [], [], [LeftOut(name, None, _short(str(error).removeprefix(name).lstrip(":, ")), None)]
    good, numbers, left_out = [], [], []
    for number, row in enumerate(rows, start=rows_before + 1):
        if fault := _fault(row, kind):
            left_out.append(LeftOut(name, number, fault, 1))
        else:
            good.append(row)
            numbers.append(number)
    return good, numbers, left_out


def is_removed(key: str) -> bool:
    """Tell whether the key of a name stands for somebody who was removed.

    Examples
    --------
    >>> [is_removed(key) for key in ("(removed)", "(removed-7f3a91c2)", "(removed by us)", "ann")]
    [True, True, False, False]
    """
    return key == ANY_REMOVED or REMOVED_TOKEN.fullmatch(key) is not None


def _batches(contents: Iterable[DayContent]) -> Iterator[list[DayContent]]:
    batch, size = [], 0
    for day in contents:
        batch.append(day)
        size += len(day.content)
        if size >= _BATCH_BYTES:
            yield batch
            batch, size = [], 0
    if batch:
        yield batch


def _fault(row: Mapping[str, Any], kind: type[Game] | type[UnratedGame]) -> str | None:
    """Say why a row is no game, if it is none."""
    needed, check = _CHECKS[kind]
    try:
        game = game_of_row(row, kind, needed, where="")
        check(game, where="")
        removed = [side for side in ("black", "white") if is_removed(fold_name(getattr(game, side)))]
        check_sides(replace(game, **dict.fromkeys(removed, "somebody")), where="")
    except ValueError as error:
        return _short(str(error).removeprefix(": "))
    return None


def _short(reason: str) -> str:
    return reason if len(reason) <= _MOST_SIGNS else f"{reason[:_MOST_SIGNS]}..."


def _faulty_rows(columns: GameColumns, names: list[str]) -> dict[int, LeftOut]:
    """Find rows that are no games, by place: those that are not surely good are looked at one by one."""
    found = {}
    for place in np.flatnonzero(~_surely_good(columns)).tolist():
        if fault := _fault(columns.values(place), Game):
            found[place] = LeftOut(names[columns.file[place]], int(columns.row[place]), fault, 1)
    return found


def _surely_good(columns: GameColumns) -> NDArray[np.bool_]:
    """Mark games that `_fault` would pass, all at once."""
    levels = list(LEVEL_NAMES)
    named, person, computer = [], [], []
    for name, code in zip(columns.black.values, columns.keys.codes, strict=True):
        key = columns.keys.values[code]
        named.append(is_player_name(name))
        person.append(named[-1] and (not is_reserved(name) or is_removed(key)))
        computer.append(levels.index(LEVEL_OF_KEY[key]) if named[-1] and key in LEVEL_OF_KEY else -2)
    # The last place stands for a name that is missing (code -1).
    person, computer = np.array([*person, False]), np.array([*computer, -2])
    black, white = columns.black.codes, columns.white.codes
    level = columns.level.lookup(levels, unknown=-2)
    sides = np.where(
        level == -1,
        person[black] & person[white],
        ((computer[black] == level) & person[white]) | ((computer[white] == level) & person[black]),
    )
    rules = [_fault({**_ANY_GAME, "rules": value}, Game) is None for value in columns.rules.values]
    return (
        sides
        & (level >= -1)
        & (columns.black_keys != columns.white_keys)
        & (columns.winner.lookup(WINNERS, unknown=-2) >= 0)
        & (columns.variant.lookup(VARIANTS, unknown=-2) >= -1)
        & np.array([*rules, True])[columns.rules.codes]
        & (columns.id_marks != BAD_ID)
    )


def _repeated_rows(columns: GameColumns, names: list[str]) -> dict[int, LeftOut]:
    """Find games whose id an earlier one has, by place."""
    marks = np.sort(columns.id_marks[columns.id_marks > BAD_ID])
    suspects = np.unique(marks[1:][marks[1:] == marks[:-1]])
    found: dict[int, LeftOut] = {}
    first: dict[str, int] = {}
    for place in np.flatnonzero(np.isin(columns.id_marks, suspects)).tolist():
        number = columns.ids[place].as_py()
        if (other := first.setdefault(number, place)) != place:
            where = f"{names[columns.file[other]]}, game {columns.row[other]}"
            reason = f"the id {number!r} is that of {where}"
            found[place] = LeftOut(names[columns.file[place]], int(columns.row[place]), reason, 1)
    return found
