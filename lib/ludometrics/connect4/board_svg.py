"""A position drawn as SVG text: board, tokens, the four that won, and a mark over each column, such as its score.

A picture stands by itself: no style sheet, no script, no other file. Tokens carry their letter as well as their
colour, and the whole position is said in words for those who hear it read.
"""

from collections.abc import Mapping
from html import escape

import numpy as np

from ludometrics.connect4.bitboard import COLUMNS, ROWS, STRIDE, has_four
from ludometrics.connect4.position import Position, cells, check_position

__all__ = ["draw_svg"]

# Lengths in units of the picture.
_CELL, _RADIUS, _EDGE, _LINE = 40, 16, 6, 22
_WIDTH = COLUMNS * _CELL + 2 * _EDGE
_NAMES = {1: "Yellow", -1: "Red"}
_FILLS = {1: "#f0e442", -1: "#d55e00", 0: "#ffffff"}  # of the palette of Okabe and Ito, as the board's blue


def draw_svg(position: Position, *, marks: Mapping[int, object] | None = None) -> str:
    """Draw a position.

    Parameters
    ----------
    position : Position
        Any position, won ones as well: the tokens of four in a row are ringed.
    marks : mapping of int to object, optional
        What to write over a column, 0 to 6, as text: `{3: "+29", 2: "-19"}`.

    Returns
    -------
    str
        One ``<svg>`` element; the same position gives the same text.

    Raises
    ------
    ValueError
        Numbers that are no position, or a mark for a column outside the board.

    Source
    ------
    Own.

    Examples
    --------
    >>> from ludometrics.connect4.board import from_moves
    >>> picture = draw_svg(from_moves("3342"), marks={3: "+29"})
    >>> picture.count("<circle"), picture.count(">Y</text>"), "+29</text>" in picture
    (42, 2, True)
    """
    position = check_position(position)
    marked = _check_marks(marks)
    top = (_LINE if marked else 0) + _EDGE
    height = top + ROWS * _CELL + _EDGE + _LINE
    parts = [
        f'<svg class="c4-board" xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {height}"'
        f' width="{_WIDTH}" height="{height}" role="img">',
        f"<title>{escape(_title(position))}</title>",
        f"<desc>{escape(_describe(position, marked))}</desc>",
        f'<rect fill="#ffffff" width="{_WIDTH}" height="{height}"/>',
        f'<rect class="c4-frame" fill="#0072b2" y="{top - _EDGE}" width="{_WIDTH}"'
        f' height="{ROWS * _CELL + 2 * _EDGE}" rx="8"/>',
        _tokens(position, top),
        '<g fill="#222222" font-family="system-ui, sans-serif" font-size="14" text-anchor="middle">',
        *(f'<text x="{_across(column)}" y="16">{escape(text)}</text>' for column, text in marked.items()),
        *(f'<text x="{_across(column)}" y="{height - 6}">{column}</text>' for column in range(COLUMNS)),
        "</g></svg>",
    ]
    return "".join(parts)


def _check_marks(marks: Mapping[int, object] | None) -> dict[int, str]:
    found = {}
    for column, mark in (marks or {}).items():
        if isinstance(column, bool) or not isinstance(column, int | np.integer) or not 0 <= column < COLUMNS:
            raise ValueError(f"mark {mark!r} is for column {column!r}: allowed are 0 to {COLUMNS - 1}")
        # What XML cannot hold in any spelling becomes a blank.
        found[int(column)] = "".join(letter if letter.isprintable() else " " for letter in str(mark))
    return dict(sorted(found.items()))


def _across(column: int) -> int:
    return _EDGE + _CELL * column + _CELL // 2


def _tokens(position: Position, top: int) -> str:
    """Draw cells and tokens, the lowest row last."""
    four = _winning_four(position)
    parts = []
    for row, held in reversed(list(enumerate(cells(position)))):
        down = top + _CELL * (ROWS - 1 - row) + _CELL // 2
        for column, cell in enumerate(held):
            ring = ' stroke="#222222" stroke-width="4"' if (column, row) in four else ""
            place = f'cx="{_across(column)}" cy="{down}" r="{_RADIUS}"'
            kind = f"c4-{_NAMES[cell].lower()}" if cell else "c4-empty"
            parts.append(f'<circle class="{kind}" {place} fill="{_FILLS[cell]}"{ring}/>')
            if cell:
                parts.append(f'<text x="{_across(column)}" y="{down + 5}">{_NAMES[cell][0]}</text>')
    letters = 'fill="#222222" font-family="system-ui, sans-serif" font-size="14" text-anchor="middle"'
    return f'<g class="c4-tokens" {letters}>{"".join(parts)}</g>'


def _winning_four(position: Position) -> set[tuple[int, int]]:
    """Give the cells, (column, row), of all fours in a row of the side that moved last."""
    last = position.tokens ^ position.active
    found = 0
    for step in (1, STRIDE - 1, STRIDE, STRIDE + 1):
        first = last & last >> step & last >> 2 * step & last >> 3 * step
        found |= first | first << step | first << 2 * step | first << 3 * step
    return {divmod(bit, STRIDE) for bit in range(STRIDE * COLUMNS) if found >> bit & 1}


def _title(position: Position) -> str:
    mover, other = ("Red", "Yellow") if position.moves_left % 2 else ("Yellow", "Red")
    if has_four(position.tokens ^ position.active):
        state = f"{other} has won"
    else:
        state = f"{mover} to move" if position.moves_left else "a draw"
    played = position.tokens.bit_count()
    return f"Connect-4 after {played} move{'' if played == 1 else 's'}: {state}"


def _describe(position: Position, marked: dict[int, str]) -> str:
    """Say what each column holds, from the bottom."""
    rows = cells(position)
    said = []
    for column in range(COLUMNS):
        held = [_NAMES[row[column]] for row in rows if row[column]]
        mark = f", marked {marked[column]}" if column in marked else ""
        said.append(f"Column {column}{mark}: {', '.join(held) or 'empty'}.")
    return " ".join(["From the bottom.", *said])
