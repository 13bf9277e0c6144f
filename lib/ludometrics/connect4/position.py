"""One position of Connect-4: three whole numbers, checked, and its cells."""

import operator
from collections.abc import Sequence
from typing import NamedTuple

from ludometrics.connect4.bitboard import CELLS, COLUMNS, ROWS, STRIDE
from ludometrics.connect4.board_batches import FAULTS, find_fault

__all__ = ["EMPTY", "Position", "cells", "check_position"]


class Position(NamedTuple):
    """A position, as BitBully's boards keep it.

    Attributes
    ----------
    tokens, active : int
        Tokens of both sides, and of the side to move: nine bits a column, bit = 9 column + row.
    moves_left : int
        Empty cells, 0 to 42; an even number: Yellow is to move.
    """

    tokens: int
    active: int
    moves_left: int


EMPTY = Position(0, 0, CELLS)


def check_position(position: Sequence[int]) -> Position:
    """Give the position with plain whole numbers, or say what is wrong with it.

    Parameters
    ----------
    position : Position
        Three whole numbers.

    Returns
    -------
    Position
        The same. That a sequence of moves leads to it is not looked into.

    Raises
    ------
    ValueError
        Not three whole numbers; tokens outside the board or above an empty cell; numbers of tokens that do not fit; a
        game that went on after a win.

    Source
    ------
    Own.
    """
    try:
        numbers = [operator.index(number) for number in position]
    except TypeError:
        numbers = []
    if len(numbers) != 3 or not all(-1 << 63 <= number < 1 << 63 for number in numbers):
        raise ValueError(
            f"{position!r} is no position: wanted are three whole numbers, tokens, active, moves_left"
        )
    fault = find_fault(*numbers)
    if fault:
        shown = ", ".join(f"{name} {number}" for name, number in zip(Position._fields, numbers, strict=True))
        raise ValueError(f"{shown} are no position: {FAULTS[fault]}")
    return Position(*numbers)


def cells(position: Position) -> list[list[int]]:
    """Give the cells as six rows from the bottom, seven columns each: 1 Yellow, -1 Red, 0 empty."""
    tokens, active, left = check_position(position)
    yellow = tokens ^ active if left % 2 else active
    shifts = [[STRIDE * column + row for column in range(COLUMNS)] for row in range(ROWS)]
    return [[(tokens >> bit & 1) * (2 * (yellow >> bit & 1) - 1) for bit in row] for row in shifts]
