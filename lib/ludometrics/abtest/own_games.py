"""Games of a test from a table of one's own: a CSV with a row a game."""

import csv
import io
import math
import os
import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import pandas as pd

from ludometrics.abtest.layout import shorten
from ludometrics.abtest.saved import SavedTest
from ludometrics.abtest.trial import COLOURS
from ludometrics.gamelog import VARIANTS, fold_name

NEEDED = ("player", "variant", "score")
_SCORE = re.compile(r"[0-9]*[.,]?[0-9]+")
_RATING = re.compile(r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?")
_BLANK = " ,;\t\r\n"
_MEND = "save it as UTF-8, which spreadsheets call CSV UTF-8"


class _Table(NamedTuple):
    """Cells as they are written, by column, and the number of each row: the first below the header is 1."""

    path: Path
    columns: dict[str, list[str]]
    rows: list[int]


def read_own(path: str | os.PathLike[str]) -> SavedTest:
    """Read the games of a test from a table of one's own.

    Parameters
    ----------
    path : path
        CSV in UTF-8, one row a game in the order of play, with the columns player, variant ("A", "B") and score (1,
        0.5, 0 of the player; empty for a game left unfinished). Optional: colour ("b", "w"), assigned (version recorded
        before play), game (number of the player's game, for a ledger), and, the same in all rows of a player, rating
        (from before the test, Elo points, or empty) and block. Other columns are passed over, and so are rows that hold
        nothing. Columns are separated by commas; by semicolons or tabs where the header has these and no comma. Scores
        may be written 1.00 or 0,5.

    Returns
    -------
    SavedTest

    Raises
    ------
    ValueError
        Naming the file, the row (the first below the header is 1), the value and what is allowed, or how to mend it.
    FileNotFoundError
        No such file.

    Source
    ------
    Own.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder) / "games.csv"
    ...     _ = path.write_text("player,variant,score,rating\\nAnn,A,1,1320\\nBob,B,0.5,\\n")
    ...     test = read_own(path)
    >>> test.games["score"].tolist(), test.ratings.to_dict()
    ([1.0, 0.5], {'ann': 1320.0, 'bob': nan})
    """
    table = _read_table(Path(path))
    keys = _convert(table, "player", _key)
    version, colour = (_one_of({name: name for name in names}) for names in (VARIANTS, COLOURS))
    readers = {"variant": version, "score": _score, "colour": colour, "assigned": version, "game": _number}
    games = {"player": table.columns["player"]}
    games |= {name: _convert(table, name, read) for name, read in readers.items() if name in table.columns}
    frame = pd.DataFrame(games)
    if "game" in frame:
        frame["game"] = frame["game"].astype("Int64")
    ratings = _of_players(table, keys, "rating", _rating)
    ratings = None if ratings is None else ratings.astype(float)
    return SavedTest(frame, ratings, _of_players(table, keys, "block", lambda value: value or None))


def _read_table(path: Path) -> _Table:
    text = _decode(path)
    separator = _separator(text)
    lines = csv.reader(io.StringIO(text, newline=""), delimiter=separator, strict=True)
    try:
        header = next(([name.strip() for name in row] for row in lines if _holds_something(row)), [])
        rows = [(number, row) for number, row in enumerate(lines, start=1) if _holds_something(row)]
    except csv.Error as error:
        raise ValueError(f"{path}, line {lines.line_num}: no CSV: {error}") from None
    if not header:
        raise ValueError(f"{path}: holds nothing: a header with {', '.join(NEEDED)} is wanted")
    for name in NEEDED:
        if name not in header:
            only = ", ".join(map(repr, header))
            hint = ": are its columns separated by commas?" if len(header) == 1 else ""
            raise ValueError(f"{path}: has no column {name!r}, only {only}{hint}")
    twice = next((name for name in header if name and header.count(name) > 1), None)
    if twice is not None:
        raise ValueError(f"{path}: column {twice!r} is there twice: once is allowed")
    if not rows:
        raise ValueError(f"{path}: holds no games, only a header")
    for number, row in rows:
        if len(row) != len(header):
            have = "1 value" if len(row) == 1 else f"{len(row)} values"
            raise ValueError(f"{path}, row {number}: {have} in a table of {len(header)} columns")
    columns = {name: [row[at] for _, row in rows] for at, name in enumerate(header)}
    return _Table(path, columns, [number for number, _ in rows])


def _decode(path: Path) -> str:
    content = path.read_bytes()
    if content[:2] in (b"\xff\xfe", b"\xfe\xff") or b"\0" in content[:2]:  # with or without its mark
        raise ValueError(f"{path}: is UTF-16, it seems: {_MEND}")
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise ValueError(f"{path}: not UTF-8 at byte {error.start}: {_MEND}") from None


def _separator(text: str) -> str:
    """What separates columns: a comma, unless the header has none, but semicolons or tabs."""
    header = next((line for line in io.StringIO(text, newline="") if line.strip(_BLANK)), "")
    return next((sign for sign in ",;\t" if sign in header), ",")


def _holds_something(row: list[str]) -> bool:
    return any(cell.strip() for cell in row)


def _convert(table: _Table, what: str, read: Callable[[str], Any]) -> list:
    """Each value as it is read; a reader says what is allowed, and this says where it was not kept."""
    found = []
    for row, value in zip(table.rows, table.columns[what], strict=True):
        try:
            found.append(read(value.strip()))
        except ValueError as error:
            cut = shorten(repr(value), 60)
            raise ValueError(f"{table.path}, row {row}: {what} is {cut}: {error}") from None
    return found


def _of_players(table: _Table, keys: list[str], what: str, read: Callable[[str], Any]) -> pd.Series | None:
    """A column that says the same in all rows of a player, by player; empty cells say nothing."""
    if what not in table.columns:
        return None
    found: dict[str, Any] = dict.fromkeys(keys)
    for row, key, value in zip(table.rows, keys, _convert(table, what, read), strict=True):
        if value is not None and found[key] not in (None, value):
            before = f"{found[key]!r} in an earlier row of {shorten(repr(key), 60)}"
            raise ValueError(f"{table.path}, row {row}: {what} is {value!r}, but {before}: a player has one")
        found[key] = found[key] if value is None else value
    return pd.Series(found, dtype=object)


def _one_of(meanings: Mapping[str, Any]) -> Callable[[str], Any]:
    def read(value: str) -> Any:
        if value not in meanings:
            raise ValueError(f"allowed are {', '.join(map(repr, meanings))}")
        return meanings[value]

    return read


def _key(value: str) -> str:
    key = fold_name(value)
    if not key:
        raise ValueError("a name is needed")
    if "\0" in key:
        raise ValueError("a name without signs NUL is needed")
    return key


def _score(value: str) -> float:
    if not value:
        return math.nan
    number = float(value.replace(",", ".")) if _SCORE.fullmatch(value) else math.nan
    if number not in (0.0, 0.5, 1.0):
        raise ValueError("allowed are 1, 0.5 and 0, or nothing for a game left unfinished")
    return number


def _number(value: str) -> int:
    if not (value.isascii() and value.isdecimal() and len(value) < 19):
        raise ValueError("it must be a whole number of at least 0")
    return int(value)


def _rating(value: str) -> float | None:
    if not value:
        return None
    number = float(value) if _RATING.fullmatch(value) else math.nan
    if not math.isfinite(number):
        raise ValueError("it must be a finite number, with a point if it is not whole, or empty")
    return number
