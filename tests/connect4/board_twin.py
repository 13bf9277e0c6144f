"""The rules on six lists of seven cells, by brute force, and the positions that the forms of the rules are compared on.

A grid is rows from the bottom, `grid[row][column]`: 1 Yellow, -1 Red, 0 empty.
"""

from functools import lru_cache
from typing import NamedTuple

import numpy as np

from ludometrics.connect4.board_batches import Positions, random_positions

CELLS = [(column, row) for column in range(7) for row in range(6)]
LINES = [
    cells
    for column, row in CELLS
    for across, up in ((0, 1), (1, 0), (1, 1), (1, -1))
    if set(cells := tuple((column + step * across, row + step * up) for step in range(4))) <= set(CELLS)
]
THROUGH = {cell: [line for line in LINES if cell in line] for cell in CELLS}
ALL_POSITIONS = 100_000


def bit(column: int, row: int) -> int:
    return 1 << 9 * column + row


def bits(cells) -> int:
    return sum(bit(*cell) for cell in cells)


def grid_of(tokens: int, active: int, left: int) -> list[list[int]]:
    mover = -1 if left % 2 else 1
    grid = [[0] * 7 for _ in range(6)]
    for column, row in CELLS:
        if tokens & bit(column, row):
            grid[row][column] = mover if active & bit(column, row) else -mover
    return grid


def has_four(grid, side: int) -> bool:
    return any(all(grid[row][column] == side for column, row in line) for line in LINES)


def completes(grid, side: int, cell) -> bool:
    """Tell whether a token on this empty cell would make four."""
    return any(
        all((column, row) == cell or grid[row][column] == side for column, row in line)
        for line in THROUGH[cell]
    )


def landing_cells(grid) -> list[tuple[int, int]]:
    heights = [sum(grid[row][column] != 0 for row in range(6)) for column in range(7)]
    return [(column, height) for column, height in enumerate(heights) if height < 6]


def winning_cells(grid, side: int) -> list[tuple[int, int]]:
    return [
        (column, row)
        for column, row in CELLS
        if not grid[row][column] and completes(grid, side, (column, row))
    ]


def safe_cells(grid, side: int) -> list[tuple[int, int]]:
    """Cells after which the other side has no win with its next token."""
    found = []
    for column, row in landing_cells(grid):
        grid[row][column] = side
        if not any(completes(grid, -side, reply) for reply in landing_cells(grid)):
            found.append((column, row))
        grid[row][column] = 0
    return found


class Answers(NamedTuple):
    """What BitBully says of each position."""

    legal: list[int]
    non_losing: list[int]
    wins: list[int]  # squares of the columns that win
    won: list[bool]
    mirrored: list[tuple[int, int, int]]
    threats: list[int]  # landing squares that give the side to move more winning squares than it had


@lru_cache(maxsize=1)
def drawn_positions() -> Positions:
    """100,000 positions, each number of tokens as often as the others."""
    return random_positions(ALL_POSITIONS, rng=np.random.default_rng(20_001))


def rows_of(positions: Positions) -> list[tuple[int, int, int]]:
    return list(zip(*(part.tolist() for part in positions), strict=True))


@lru_cache(maxsize=1)
def bitbully_answers() -> Answers:
    """BitBully's answers on all the drawn positions."""
    from bitbully.bitbully_core import BoardCore

    found = Answers([], [], [], [], [], [])
    for numbers in rows_of(drawn_positions()):
        board = BoardCore()
        board.setRawState(*numbers)
        assert board.rawState() == numbers
        legal = board.legalMovesMask()
        columns = board.legalMoves(False, False)
        squares = {column: legal & 63 << 9 * column for column in columns}
        assert sum(squares.values()) == legal and 0 not in squares.values()
        found.legal.append(legal)
        found.non_losing.append(board.generateNonLosingMoves())
        found.wins.append(sum(square for column, square in squares.items() if board.canWin(column)))
        assert board.canWin() == (found.wins[-1] != 0)
        found.won.append(board.hasWin())
        found.mirrored.append(board.mirror().rawState())
        found.threats.append(sum(board.findThreats(square) for square in squares.values()))
    return found
