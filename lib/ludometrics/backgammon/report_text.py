"""Numbers as a report shows them: one dash for unknown, a true minus, no interval where there is none."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import NamedTuple

import pandas as pd

from ludometrics.backgammon.rates import Rate

DASH = "–"
MINUS = "−"


def is_unknown(value: object) -> bool:
    """Whether a value stands for unknown: None, NaN, or a text without a sign in it."""
    return value is None or value is pd.NA or value == "" or (isinstance(value, float) and math.isnan(value))


def number(value: float | None, decimals: int = 2, *, sign: bool = False) -> str:
    """A number, or a dash.

    Examples
    --------
    >>> number(-1.234), number(None), number(2, 1, sign=True), number(-0.001)
    ('−1.23', '–', '+2.0', '0.00')
    """
    if is_unknown(value):
        return DASH
    text = f"{value:+.{decimals}f}" if sign else f"{value:.{decimals}f}"
    if not text.strip("+-0."):
        text = text.lstrip("+-")
    return text.replace("-", MINUS)


def percent(value: float | None, decimals: int = 2, *, sign: bool = False) -> str:
    """A fraction in per cent, without the sign of it.

    Examples
    --------
    >>> percent(0.12345), percent(float("nan"))
    ('12.35', '–')
    """
    return DASH if is_unknown(value) else number(100 * value, decimals, sign=sign)


def span(low: float | None, high: float | None, form: Callable[[float | None], str] = number) -> str:
    """An interval, or nothing.

    Examples
    --------
    >>> span(1, 2.5), span(None, None)
    ('1.00 to 2.50', '')
    """
    return "" if is_unknown(low) or is_unknown(high) else f"{form(low)} to {form(high)}"


def count(value: int | None, noun: str, plural: str = "") -> str:
    """So many of something.

    Examples
    --------
    >>> count(1, "match", "matches"), count(1234, "decision")
    ('1 match', '1,234 decisions')
    """
    if value is None:
        return f"{DASH} {plural or noun + 's'}"
    return f"{value:,} {noun if value == 1 else plural or noun + 's'}"


def listed(words: list[str]) -> str:
    """Words one after the other.

    Examples
    --------
    >>> listed(["a", "b", "c"]), listed([])
    ('a, b and c', '')
    """
    return " and ".join(part for part in (", ".join(words[:-1]), "".join(words[-1:])) if part)


class Cell(NamedTuple):
    """What stands in a cell of a table.

    Attributes
    ----------
    text : str
    note : str
        Shown small below, a line each; "" for none.
    number : bool
        Kept in one line.
    """

    text: str
    note: str = ""
    number: bool = True


class Shown(NamedTuple):
    """A table as it is shown.

    Attributes
    ----------
    title : str
        What it is, for those who hear it read.
    headings : tuple of str
    rows : tuple of tuple of Cell
    """

    title: str
    headings: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]


def words(text: object, note: str = "") -> Cell:
    """A cell of words.

    Examples
    --------
    >>> words(None), words("Ann")
    (Cell(text='–', note='', number=False), Cell(text='Ann', note='', number=False))
    """
    return Cell(DASH if is_unknown(text) else str(text), note, False)


def rate_cell(rate: Rate, form: Callable[[float | None], str] = number, units: str = "matches") -> Cell:
    """A rate with its interval and what it rests on.

    Examples
    --------
    >>> rate_cell(Rate(4.5, 4.0, 5.0, 120, 6, ""))
    Cell(text='4.50', note='4.00 to 5.00\\n120 decisions\\n6 matches', number=True)
    >>> rate_cell(Rate(4.5, None, None, 12, 2, "no interval")).note.splitlines()
    ['no interval', '12 decisions', '2 matches']
    """
    singular = {"matches": "match", "games": "game"}[units]
    rests_on = f"{count(rate.decisions, 'decision')}\n{count(rate.units, singular, units)}"
    if rate.value is None:
        return Cell(DASH, rests_on)
    interval = span(rate.low, rate.high, form) or "no interval"
    mark = "\nindicative" if rate.note == "indicative" else ""
    return Cell(form(rate.value), f"{interval}{mark}\n{rests_on}")


def as_frame(shown: Shown) -> pd.DataFrame:
    """A table as it is shown, in a notebook: the notes behind the texts.

    Examples
    --------
    >>> as_frame(Shown("Rates", ("PR",), ((Cell("4.50", "4.00 to 5.00\\n6 matches"),),))).iloc[0, 0]
    '4.50 (4.00 to 5.00; 6 matches)'
    """

    def told(cell: Cell) -> str:
        return f"{cell.text} ({'; '.join(cell.note.splitlines())})" if cell.note else cell.text

    return pd.DataFrame([[told(cell) for cell in row] for row in shown.rows], columns=list(shown.headings))
