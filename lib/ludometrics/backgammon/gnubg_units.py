"""What is the same for GNU Backgammon's text and SGF files: opening them, numbers, days, match winning chances."""

from __future__ import annotations

import re
from datetime import date, datetime
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

import numpy as np

from ludometrics.backgammon.equity_table import equity_table, match_chances

#: A file, or its name and its text.
Source = str | Path | tuple[str, str]

MET = "kazaross-xg2"  # the table that GNU Backgammon uses unless told otherwise
SAMPLE_BYTES = 4096
NO_TEXT = "cannot be opened, or is no text"
_NUMBER = re.compile(r"[+-]?\d+(?:[.,]\d+)?|[+-]?inf|[+-]?nan", re.IGNORECASE)
_PRINTED = re.compile(r"Output generated \w{3} (\w{3} +\d{1,2}) \d\d:\d\d:\d\d (\d{4})")


def source_text(source: Source) -> tuple[str, str | None]:
    """Name and text of a file; None for the text where it cannot be opened or is none. UTF-8, else Windows' letters."""
    if isinstance(source, tuple):
        return source
    try:
        data = Path(source).read_bytes()
    except OSError:
        return str(source), None
    if b"\0" in data[:SAMPLE_BYTES]:
        return str(source), None
    try:
        return str(source), data.decode("utf-8-sig")
    except UnicodeDecodeError:
        return str(source), data.decode("cp1252", errors="replace")


def parse_number(text: str) -> float:
    """A number with a decimal point or comma, a percent sign apart; NaN for infinite values, which mean unknown.

    Raises
    ------
    ValueError
        No number.

    Examples
    --------
    >>> parse_number("+0,016"), parse_number("51.62%")
    (0.016, 51.62)
    """
    plain = text.strip().removesuffix("%").strip()
    if not _NUMBER.fullmatch(plain):
        raise ValueError(f"{text.strip()!r} is no number")
    value = float(plain.replace(",", "."))
    return value if np.isfinite(value) else np.nan


class ChanceScale(NamedTuple):
    """Match winning chances ``middle`` + equity * ``half`` at one score and cube.

    Attributes
    ----------
    middle, half : float
        Means of, and half the difference between, the chances after winning and after losing the cube's value.
    """

    middle: float
    half: float

    def equity(self, chance: float) -> float:
        """Normalised equity of a chance to win the match; NaN where the cube is dead."""
        return (chance - self.middle) / self.half if self.half else np.nan

    def swing(self, difference: float) -> float:
        """Normalised equity of a difference of two chances."""
        return difference / self.half if self.half else np.nan


@lru_cache(maxsize=4096)
def chance_scale(own: int, other: int, cube: int, crawford: bool) -> ChanceScale:
    """The scale of a player ``own`` points away against one ``other`` away, for ``cube``, by Kazaross-XG2."""
    table = equity_table(MET)
    after = crawford or own == 1 or other == 1
    won = float(match_chances(table, own - cube, other, post_crawford=after))
    lost = float(match_chances(table, own, other - cube, post_crawford=after))
    return ChanceScale((won + lost) / 2, (won - lost) / 2)


def parse_day(text: str, *, printed: date | None = None, day_first: bool | None = None) -> str | None:
    """ISO day of a date as the locale of some computer writes it, None where day and month cannot be told apart.

    2026-01-15, 15.01.2026, 15-01-26 and 01/15/26 say what they mean, 05/08/2024 does not; nor can a match be younger
    than its export.

    Parameters
    ----------
    text : str
    printed : date, optional
        Of the export.
    day_first : bool, optional
        Settles dates with strokes.

    Raises
    ------
    ValueError
        No date.

    Examples
    --------
    >>> parse_day("01/15/26"), parse_day("05/08/2024"), parse_day("05/08/2024", day_first=True)
    ('2026-01-15', None, '2024-08-05')
    """
    found = re.fullmatch(r"(\d{1,4})([-./])\s*(\d{1,2})\2\s*(\d{1,4})\.?", text.strip())
    if found is None:
        raise ValueError(f"{text.strip()!r} is no date of numbers")
    first, second, third = int(found[1]), int(found[3]), int(found[4])
    if len(found[1]) == 4:
        return date(first, second, third).isoformat()
    year = third if len(found[4]) == 4 else 2000 + third if third < 70 else 1900 + third
    if found[2] != "/" or day_first:
        return date(year, second, first).isoformat()
    if day_first is False:
        return date(year, first, second).isoformat()
    days = set()
    for month, day in ((first, second), (second, first)):
        if 1 <= month <= 12:
            days.add(date(year, month, day))
    possible = {day for day in days if printed is None or day <= printed} or days
    if not possible:
        raise ValueError(f"{text.strip()!r} is no date")
    return possible.pop().isoformat() if len(possible) == 1 else None


def printed_day(text: str) -> date | None:
    """The day on which a text export was made, as its last lines say."""
    found = _PRINTED.search(text)
    if found is None:
        return None
    try:
        return datetime.strptime(f"{found[1]} {found[2]}", "%b %d %Y").date()
    except ValueError:
        return None
