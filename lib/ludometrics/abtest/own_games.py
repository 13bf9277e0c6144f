"""Games of a test from a table of one's own: a CSV with a row a game."""

import csv
import io
import math
import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pandas as pd

from ludometrics.abtest.saved import SavedTest
from ludometrics.abtest.trial import COLOURS
from ludometrics.gamelog import VARIANTS, fold_name

NEEDED = ("player", "variant", "score")
_SCORES = {"1": 1.0, "1.0": 1.0, "0.5": 0.5, ".5": 0.5, "0": 0.0, "0.0": 0.0, "": math.nan}


def read_own(path: str | os.PathLike[str]) -> SavedTest:
    """Read the games of a test from a table of one's own.

    Parameters
    ----------
    path : path
        CSV in UTF-8, one row a game in the order of play, with the columns player, variant ("A", "B") and score (1,
        0.5, 0 of the player; empty for a game left unfinished). Optional: colour ("b", "w"), assigned (version recorded
        before play), game (number of the player's game, for a ledger), and, the same in all rows of a player, rating
        (from before the test, Elo points, or empty) and block. Other columns are passed over.

    Returns
    -------
    SavedTest

    Raises
    ------
    ValueError
        Naming the file, the row (the first below the header is 1), the value and what is allowed.
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
    path = Path(path)
    columns = _read_columns(path)
    for name in NEEDED:
        if name not in columns:
            raise ValueError(f"{path.name}: has no column {name!r}, only {', '.join(map(repr, columns))}")
    if not columns["player"]:
        raise ValueError(f"{path.name}: holds no games, only a header")
    keys = _convert(columns, "player", path.name, _key)
    version, colour = (_one_of({name: name for name in names}) for names in (VARIANTS, COLOURS))
    readers = {"variant": version, "score": _one_of(_SCORES), "colour": colour, "assigned": version}
    readers["game"] = _number
    games = {"player": columns["player"]}
    games |= {
        name: _convert(columns, name, path.name, read) for name, read in readers.items() if name in columns
    }
    table = pd.DataFrame(games)
    if "game" in table:
        table["game"] = table["game"].astype("Int64")
    ratings = _of_players(columns, keys, "rating", path.name, _finite)
    ratings = None if ratings is None else ratings.astype(float)
    return SavedTest(
        table, ratings, _of_players(columns, keys, "block", path.name, lambda value: value or None)
    )


def _read_columns(path: Path) -> dict[str, list[str]]:
    try:
        text = path.read_bytes().decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise ValueError(f"{path.name}: not UTF-8 at byte {error.start}") from None
    lines = csv.reader(io.StringIO(text, newline=""), strict=True)
    try:
        header = [name.strip() for name in next(lines, [])]
        rows = [row for row in lines if row]
    except csv.Error as error:
        raise ValueError(f"{path.name}, line {lines.line_num}: no CSV: {error}") from None
    if not header:
        raise ValueError(f"{path.name}: holds nothing: a header with {', '.join(NEEDED)} is wanted")
    twice = next((name for name in header if header.count(name) > 1), None)
    if twice is not None:
        raise ValueError(f"{path.name}: column {twice!r} is there twice: once is allowed")
    for number, row in enumerate(rows, start=1):
        if len(row) != len(header):
            raise ValueError(
                f"{path.name}, row {number}: {len(row)} values in a table of {len(header)} columns"
            )
    return {name: [row[at] for row in rows] for at, name in enumerate(header)}


def _convert(columns: Mapping[str, list[str]], what: str, name: str, read: Callable[[str], Any]) -> list:
    """Each value as it is read; a reader says what is allowed, and this says where it was not kept."""
    found = []
    for row, value in enumerate(columns[what], start=1):
        try:
            found.append(read(value.strip()))
        except ValueError as error:
            raise ValueError(f"{name}, row {row}: {what} is {value!r}: {error}") from None
    return found


def _of_players(
    columns: Mapping[str, list[str]], keys: list[str], what: str, name: str, read: Callable[[str], Any]
) -> pd.Series | None:
    """A column that says the same in all rows of a player, by player; empty cells say nothing."""
    if what not in columns:
        return None
    found: dict[str, Any] = dict.fromkeys(keys)
    for row, (key, value) in enumerate(zip(keys, _convert(columns, what, name, read), strict=True), start=1):
        if value is not None and found[key] not in (None, value):
            before = f"{found[key]!r} in an earlier row of {key!r}"
            raise ValueError(f"{name}, row {row}: {what} is {value!r}, but {before}: a player has one")
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
    return key


def _number(value: str) -> int:
    if not (value.isascii() and value.isdecimal() and len(value) < 19):
        raise ValueError("it must be a whole number of at least 0")
    return int(value)


def _finite(value: str) -> float | None:
    if not value:
        return None
    try:
        number = float(value)
    except ValueError:
        number = math.nan
    if not math.isfinite(number):
        raise ValueError("it must be a finite number, or empty")
    return number
