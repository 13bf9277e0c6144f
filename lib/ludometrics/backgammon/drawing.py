"""Boards drawn in plain text, for messages and tests."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ludometrics.backgammon.boards import BAR, as_board, off, pips

ROWS = 5
TOP = (*range(13, 19), None, *range(19, 25))  # None: the bar
BOTTOM = (*range(12, 6, -1), None, *range(6, 0, -1))


def draw(board: Sequence[int] | np.ndarray, own: str = "X", other: str = "O") -> str:
    """``board`` as text, the player at the bottom bearing off to the right.

    Stacks higher than five end in their number. Pip counts and checkers borne off stand below.

    Parameters
    ----------
    board : (26,) int
    own, other : str
        Signs of the two sides, one character each.

    Examples
    --------
    >>> from ludometrics.backgammon.boards import START
    >>> print(draw(START).splitlines()[0])
     13 14 15 16 17 18    19 20 21 22 23 24
    """
    values = as_board(board).tolist()
    signs = (own, other)
    top = [[_sign(values, slot, height, signs) for slot in TOP] for height in range(1, ROWS + 1)]
    bottom = [
        [_sign(values, slot, height, signs, lower=True) for slot in BOTTOM] for height in range(ROWS, 0, -1)
    ]
    lines = [
        _labels(TOP),
        *map(_line, top),
        "|                  |   |                  |",
        *map(_line, bottom),
        _labels(BOTTOM),
    ]
    mine, his = pips(values)
    gone, his_gone = off(values)
    lines.append(f"{own}: {mine} pips, {gone} off; {other}: {his} pips, {his_gone} off")
    return "\n".join(line.rstrip() for line in lines)


def _sign(
    values: list[int], slot: int | None, height: int, signs: tuple[str, str], lower: bool = False
) -> str:
    """What stands at ``height`` (1: the edge) of a point or of the bar (own checkers in the upper half)."""
    count = values[slot] if slot is not None else values[BAR] if not lower else values[0]
    sign = signs[0] if count > 0 else signs[1]
    if abs(count) > ROWS and height == ROWS:
        return str(abs(count))
    return sign if abs(count) >= height else ""


def _labels(slots: Sequence[int | None]) -> str:
    return " " + "".join("   " if slot is None else f"{slot:>2} " for slot in slots)


def _line(signs: Sequence[str]) -> str:
    left, bar, right = signs[:6], signs[6], signs[7:]
    return (
        "|"
        + "".join(f"{sign:>2} " for sign in left)
        + f"|{bar:^3}|"
        + "".join(f"{sign:>2} " for sign in right)
        + "|"
    )
