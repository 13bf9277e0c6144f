r"""Plain text for a terminal: names that cannot break it, lines of limited width, tables and small bars.

>>> print("\n".join(table([["Ann", "3"], ["Ｂｏｂ", "12"]], "<>")))
Ann      3
Ｂｏｂ  12
"""

import math
import re
from collections.abc import Iterable, Sequence
from unicodedata import category, combining, east_asian_width

WIDTH = 100
#: Kinds of sign that are not printed as they are: control, invisible formatting, surrogates, unassigned, line ends.
_UNSEEN = {"Cc", "Cf", "Cn", "Co", "Cs", "Zl", "Zp"}
#: Where a line may break: not within "p = 0.05", "p < 0.001" and "95 %".
_BREAKS = re.compile(r"(?<![=<]) (?![=<%])")


def shown(text: object, width: int | None = None) -> str:
    r"""Text as it may be printed: signs that are not seen are escaped, and what is too long is cut.

    Parameters
    ----------
    text : object
        Its `str` is taken.
    width : int, optional
        Columns at most; a text that is cut ends in an ellipsis.

    Returns
    -------
    str

    Examples
    --------
    >>> shown("Ann\x1b[31m\n"), shown("A very long name", 7)
    ('Ann\\x1b[31m\\n', 'A very…')
    """
    safe = "".join(
        sign.encode("unicode_escape").decode() if category(sign) in _UNSEEN else sign for sign in str(text)
    )
    if width is None or display_width(safe) <= width:
        return safe
    return _cut(safe, width - 1)[0] + "…"


def shorten(text: object, width: int) -> str:
    """Text as it may be printed, cut in its middle where it is too long: a message keeps its file and what is allowed.

    Parameters
    ----------
    text : object
        Its `str` is taken.
    width : int
        Columns at most.

    Returns
    -------
    str

    Examples
    --------
    >>> shorten("player is 'Annnnnnnnnnnnnnn': a name is needed", 36)
    "player is 'Annnnnnnnn…name is needed"
    """
    safe = shown(text)
    if display_width(safe) <= width:
        return safe
    behind = (width - 1) * 2 // 5
    return f"{_cut(safe, width - 1 - behind)[0]}…{_cut(safe[::-1], behind)[0][::-1]}"


def counted(n: int, what: str) -> str:
    """A number with what it counts.

    Examples
    --------
    >>> counted(1, "player"), counted(1000, "game")
    ('1 player', '1000 games')
    """
    return f"{n} {what}{'s' * (n != 1)}"


def display_width(text: str) -> int:
    """Columns that a text takes: wide signs two, combining ones none.

    Examples
    --------
    >>> display_width("Ann"), display_width("李"), display_width("e\u0301")
    (3, 2, 1)
    """
    return sum(0 if _joins(sign) else 1 + (east_asian_width(sign) in "WF") for sign in text)


def pad(text: str, width: int, *, right: bool = False) -> str:
    """Fill a text up with spaces behind it, or before it where it is set to the right.

    Examples
    --------
    >>> pad("李", 4) + "|", pad("3", 4, right=True)
    ('李  |', '   3')
    """
    space = " " * (width - display_width(text))
    return space + text if right else text + space


def table(rows: Iterable[Sequence[str]], align: str, *, indent: str = "") -> list[str]:
    """Set rows in columns, two spaces between them.

    Parameters
    ----------
    rows : iterable of sequence of str
    align : str
        ``<`` or ``>`` for each column.
    indent : str

    Returns
    -------
    list of str
        Lines without spaces at their ends.
    """
    rows = list(rows)
    widths = [max(display_width(row[at]) for row in rows) for at in range(len(align))] if rows else []
    return [
        (
            indent
            + "  ".join(
                pad(cell, width, right=side == ">")
                for cell, width, side in zip(row, widths, align, strict=True)
            )
        ).rstrip()
        for row in rows
    ]


def wrap(text: str, *, first: str = "", rest: str = "", width: int = WIDTH) -> list[str]:
    """Break a text into lines at its spaces, and a word that is too long where it must be.

    Parameters
    ----------
    text : str
        Signs that are not seen are escaped.
    first, rest : str
        What the first line and the others begin with.
    width : int

    Returns
    -------
    list of str

    Examples
    --------
    >>> wrap("one two three", first="- ", rest="  ", width=9)
    ['- one two', '  three']
    """
    lines, line, empty = [], first, True
    for word in _BREAKS.split(shown(text)):
        if not empty and display_width(line) + 1 + display_width(word) > width:
            lines.append(line)
            line, empty = rest, True
        line += word if empty else f" {word}"
        empty = False
        while display_width(line) > width:
            part, left = _cut(line, width)
            lines.append(part)
            line = rest + left
    return [each.rstrip() for each in (*lines, line)]


def bar(low: float, middle: float, high: float, *, least: float, most: float, width: int) -> str:
    """Draw a range on a scale with a mark at zero, where the scale holds it: ``[``, ``]`` at ends that lie beyond.

    Parameters
    ----------
    low, middle, high : float
        Without a range low and high are nan, and the middle alone is drawn.
    least, most : float
        Ends of the scale.
    width : int
        Signs.

    Returns
    -------
    str

    Examples
    --------
    >>> bar(-2, -1, 1, least=-4, most=4, width=9), bar(math.nan, 3, math.nan, least=-4, most=4, width=9)
    ('  -o|-   ', '    |  o ')
    """
    if math.isnan(middle):
        return " " * width

    def column(value: float) -> int:
        share = (value - least) / (most - least)
        return min(width - 1, max(0, round(share * (width - 1))))

    signs = [" "] * width
    if not math.isnan(low):
        signs[column(low) : column(high) + 1] = "-" * (column(high) - column(low) + 1)
    if least <= 0.0 <= most:
        signs[column(0.0)] = "|"
    if low < least:
        signs[0] = "["
    if high > most:
        signs[-1] = "]"
    signs[column(middle)] = "o"
    return "".join(signs)


def _joins(sign: str) -> bool:
    return combining(sign) > 0 or category(sign) in ("Mn", "Me")


def _cut(text: str, width: int) -> tuple[str, str]:
    """The longest beginning that fits into a width, and the rest."""
    used = 0
    for at, sign in enumerate(text):
        used += display_width(sign)
        if used > width:
            return text[:at], text[at:]
    return text, ""
