"""The game in one machine word a side: compiled rules of Connect-4 on bit boards, one position at a time.

Nine bits a column, bit = 9 column + row, rows 0 to 5 playable; the three bits above each column stay empty, so that
no line of four runs round the edge of the board. The layout is BitBully's::

    row 5 |  5 14 23 32 41 50 59
    row 4 |  4 13 22 31 40 49 58
    row 3 |  3 12 21 30 39 48 57
    row 2 |  2 11 20 29 38 47 56
    row 1 |  1 10 19 28 37 46 55
    row 0 |  0  9 18 27 36 45 54
             column 0 ..      6

A position is three numbers: the tokens of both sides, the tokens of the side to move, and the moves left (42 on the
empty board; an even number: Yellow is to move). Kernels that loop over positions call these, so they are inlined.
"""

import numpy as np
from numba import njit

COLUMNS = 7
ROWS = 6
CELLS = COLUMNS * ROWS
STRIDE = 9  # bits a column

BOTTOM = np.int64(sum(1 << (STRIDE * column) for column in range(COLUMNS)))
COLUMN = np.int64((1 << ROWS) - 1)  # the six playable bits of column 0
PLAYABLE = np.int64(int(BOTTOM) * int(COLUMN))
YELLOW, RED = 0, 1  # the side to move: moves left & 1
SIDES = ("first", "second")  # what a player on either side is called


@njit(cache=True)
def landing_squares(tokens: int) -> int:
    """Give the square each column's next token falls on; full columns have none."""
    return (tokens + BOTTOM) & PLAYABLE


@njit(cache=True)
def has_four(own: int) -> bool:
    """Tell whether these tokens hold four in a row: upright, level, or on either diagonal."""
    pairs = own & (own >> 1)
    if pairs & (pairs >> 2):
        return True
    pairs = own & (own >> 9)
    if pairs & (pairs >> 18):
        return True
    pairs = own & (own >> 10)
    if pairs & (pairs >> 20):
        return True
    pairs = own & (own >> 8)
    return (pairs & (pairs >> 16)) != 0


@njit(cache=True)
def _along(own: int, step: int) -> int:
    """Squares that complete four along one direction: the gap is at either end or inside."""
    two = (own << step) & (own << (2 * step))
    found = (two & (own << (3 * step))) | (two & (own >> step))
    two = (own >> step) & (own >> (2 * step))
    return found | (two & (own << step)) | (two & (own >> (3 * step)))


@njit(cache=True)
def winning_squares(own: int, tokens: int) -> int:
    """Give the empty squares that would complete four for these tokens, reachable now or not."""
    found = (own << 1) & (own << 2) & (own << 3)
    found |= _along(own, 8) | _along(own, 9) | _along(own, 10)
    return found & PLAYABLE & ~tokens


@njit(cache=True)
def non_losing_squares(own: int, tokens: int) -> int:
    """Give the landing squares after which the other side cannot win with its next token.

    The side to move is taken to have no win of its own at once. Two winning replies cannot both be stopped: none is
    left then. One has to be answered on its square. A square below a winning square of the other side is given up.
    """
    landing = landing_squares(tokens)
    theirs = winning_squares(tokens ^ own, tokens)
    forced = landing & theirs
    if forced:
        if forced & (forced - 1):
            return 0
        landing = forced
    return landing & ~(theirs >> 1)


@njit(cache=True)
def square_of(tokens: int, column: int) -> int:
    """Give the landing square of one column, 0 if it is full."""
    return landing_squares(tokens) & (COLUMN << (STRIDE * column))


@njit(cache=True)
def mirrored(tokens: int) -> int:
    """Reflect tokens at the middle column."""
    found = 0
    for column in range(COLUMNS):
        found |= ((tokens >> (STRIDE * column)) & COLUMN) << (STRIDE * (COLUMNS - 1 - column))
    return found


@njit(cache=True)
def content_of(tokens: int, yellow: int, column: int) -> int:
    """Give what a column holds as one number, 1 to 127: (1 << height) with Yellow's bits below it."""
    shift = STRIDE * column
    return (((tokens >> shift) & COLUMN) + 1) | ((yellow >> shift) & COLUMN)
