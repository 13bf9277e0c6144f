"""Small tables that people type: CSV with a header, read as text, its rows numbered as in a spreadsheet."""

import csv
import io
import os
import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from typing import NoReturn

from ludometrics.boardgames.export_file import decode, read_content
from ludometrics.boardgames.spreadsheet import unguard_cell
from ludometrics.boardgames.values import clean, fold_name

#: A column that nobody reads.
NOTE = "note"
#: First line by which a spreadsheet is told what separates columns; it shows none such.
_TOLD = re.compile(r'\A\s*"?sep=(.)"?[,;\t]*[ \t]*(?:\r\n|\r|\n)', re.IGNORECASE)


@dataclass(frozen=True)
class TextTable:
    """A table of texts.

    Attributes
    ----------
    path : str
        As given, for messages.
    columns : tuple of str
        Those that are there, `NOTE` left out.
    rows : tuple of (int, dict of str to str)
        Number of the row in a spreadsheet, whose header is row 1, and its cells by column, stripped; every column that
        may be there has a cell, "" where it is not. Rows without any text are passed over.
    """

    path: str
    columns: tuple[str, ...]
    rows: tuple[tuple[int, dict[str, str]], ...]


def read_text_table(
    path: str | os.PathLike[str], needed: Sequence[str], optional: Sequence[str] = ()
) -> TextTable:
    """Read a CSV in UTF-8, columns in any order, separated by commas, semicolons or tabs.

    A first line such as ``sep=;`` is passed over, and so is an apostrophe that keeps a cell from being a formula.

    Parameters
    ----------
    path : path
    needed, optional : sequence of str
        Names of columns; in the file their case and their spaces or underscores do not matter.

    Returns
    -------
    TextTable

    Raises
    ------
    ValueError
        Naming the file and the row: no text, a column that is missing, unknown or there twice, a row that is too long.
    """
    text = without_separator_line(decode(read_content(path), path))
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=_separator(text), strict=True)
    try:
        lines = [_without_empty_end(line) for line in reader]
    except csv.Error as error:
        raise ValueError(f"{path}: cannot be read as a table at line {reader.line_num}: {error}") from None
    numbered = [(number, line) for number, line in enumerate(lines, start=1) if line]
    if not numbered:
        raise ValueError(f"{path}: has no header: columns {', '.join(needed)} are needed")
    (_, names), *rows = numbered
    header = [fold_name(name).replace(" ", "_") for name in names]
    _check_header(path, header, needed, optional)
    found = []
    for number, line in rows:
        if len(line) > len(header):
            raise ValueError(f"{path}, row {number}: has {len(line)} cells under a header of {len(header)}")
        cells = dict.fromkeys((*needed, *optional), "") | dict(zip(header, line, strict=False))
        found.append((number, cells))
    return TextTable(str(path), tuple(name for name in header if name != NOTE), tuple(found))


def without_separator_line(text: str) -> str:
    """A table without a first line that says what separates its columns; its header shows that too.

    Examples
    --------
    >>> without_separator_line("sep=;\\ngame;skill\\n"), without_separator_line("game\\n")
    ('game;skill\\n', 'game\\n')
    """
    return _TOLD.sub("", text, count=1)


def near(word: str, words: Collection[str], *, most: int = 3) -> str:
    """Words like another, for a message; "" where none is near.

    Examples
    --------
    >>> near("An", ["Ann", "Bob"]), near("Zoe", ["Bob"])
    ("; near it: 'Ann'", '')
    """
    folded = {fold_name(other): other for other in sorted(words, reverse=True)}
    found = get_close_matches(fold_name(word), sorted(folded), n=most)
    return "; near it: " + ", ".join(repr(folded[one]) for one in found) if found else ""


def refuse(path: str, row: int, column: str, value: str, allowed: str) -> NoReturn:
    """Raise the error of a cell.

    Examples
    --------
    >>> refuse("plays.csv", 3, "rank", "first", "whole numbers from 1")
    Traceback (most recent call last):
    ...
    ValueError: plays.csv, row 3: rank is 'first': allowed are whole numbers from 1
    """
    told = repr(value if len(value) <= 60 else value[:57] + "...") if value else "empty"
    raise ValueError(f"{path}, row {row}: {column} is {told}: allowed are {allowed}")


def one_of(path: str, row: int, column: str, value: str, allowed: Mapping[str, object]) -> object:
    """Meaning of a cell that holds one of a few words, in any case."""
    if value.casefold() not in allowed:
        refuse(path, row, column, value, ", ".join(allowed) + ", or nothing")
    return allowed[value.casefold()]


def whole_number(path: str, row: int, column: str, value: str, low: int, high: int) -> int:
    """Whole number of a cell, in plain digits; 0 where it is empty."""
    if not value:
        return 0
    if not (value.isascii() and value.isdigit() and len(value) < 12 and low <= int(value) <= high):
        refuse(path, row, column, value, f"whole numbers from {low} to {high}, or nothing")
    return int(value)


def _check_header(
    path: str | os.PathLike[str], header: list[str], needed: Sequence[str], optional: Sequence[str]
) -> None:
    for name in needed:
        if name not in header:
            raise ValueError(
                f"{path}: has no column {name!r}, only {', '.join(map(repr, header))}; needed are {', '.join(needed)}"
            )
    allowed = (*needed, *optional, NOTE)
    for name in header:
        if name not in allowed:
            raise ValueError(
                f"{path}: column {name!r} is unknown{near(name, allowed)}; allowed are {', '.join(allowed)}"
            )
        if header.count(name) > 1:
            raise ValueError(f"{path}: column {name!r} is there twice: once is allowed")


def _without_empty_end(line: list[str]) -> list[str]:
    """The cells of a row, stripped, without the empty ones at its end, of which spreadsheets save more or fewer."""
    cells = [unguard_cell(clean(cell)) for cell in line]
    while cells and not cells[-1]:
        cells.pop()
    return cells


def _separator(text: str) -> str:
    """What separates columns: of comma, semicolon and tab the one that the header has most of."""
    header = next((line for line in text.splitlines() if line.strip(' ,;\t"')), "")
    return max(",;\t", key=header.count)
