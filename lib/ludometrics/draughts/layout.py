"""Squares, rows and bit layouts of the draughts board.

Two layouts are in use. A `Position` numbers bits as people number squares: bit i is square i + 1.
The kernels spread the same 32 squares over 35 bits, with one unused bit after every second row, because
then every step is a shift by 4 or 5 and every jump a shift by 8 or 10, whatever the row, and a piece that
would leave the board at the side lands on an unused bit::

    squares 1-32                         bits of the kernels ("spread")
          1     2     3     4                  0     1     2     3           row 0   Black's own side
       5     6     7     8                  4     5     6     7        (8)
          9    10    11    12                  9    10    11    12
      13    14    15    16                 13    14    15    16       (17)
         17    18    19    20                 18    19    20    21
      21    22    23    24                 22    23    24    25       (26)
         25    26    27    28                 27    28    29    30
      29    30    31    32                 31    32    33    34           row 7   White's own side

    down-left +4, down-right +5 (Black's men); up-left -5, up-right -4 (White's men)

Black plays down the board, White up. Unused bits are in brackets; bits above 34 and shifts below 0 are
taken off by ANDing with the empty squares or with pieces, which hold board bits only.
"""

import numpy as np

SQUARES = 32
PIECES_A_SIDE = 12

BOARD = sum(1 << (i + i // 8) for i in range(SQUARES))  # the 32 used bits of the spread layout
TOP_ROW = 0b1111  # Black's own side: White crowns here
BOTTOM_ROW = 0b1111 << 31  # White's own side: Black crowns here

SPREAD_BIT = tuple(i + i // 8 for i in range(SQUARES))
SQUARE_OF_BIT = tuple(b - b // 9 + 1 if b % 9 != 8 else 0 for b in range(35))

# Rows of the spread layout whose number has the bit 1, 2, 4: the row of a man is the sum of three counts.
ROW_ONES = sum(1 << SPREAD_BIT[i] for i in range(SQUARES) if i // 4 & 1)
ROW_TWOS = sum(1 << SPREAD_BIT[i] for i in range(SQUARES) if i // 4 & 2)
ROW_FOURS = sum(1 << SPREAD_BIT[i] for i in range(SQUARES) if i // 4 & 4)


def row_column(square: int) -> tuple[int, int]:
    """Row and column, both 0..7 from the top left with Black's side on top, of a square 1..32.

    >>> row_column(1), row_column(5), row_column(32)
    ((0, 1), (1, 0), (7, 6))
    """
    row, place = divmod(square - 1, 4)
    return row, 2 * place + (row % 2 == 0)


def square_at(row: int, column: int) -> int:
    """Square 1..32 at a row and column, or 0 for a light square or one off the board.

    >>> square_at(0, 1), square_at(0, 0), square_at(8, 1)
    (1, 0, 0)
    """
    if not (0 <= row < 8 and 0 <= column < 8 and (row + column) % 2):
        return 0
    return 4 * row + column // 2 + 1


def spread(bits: int) -> int:
    """The kernels' 35-bit form of a set of squares (bit i = square i + 1).

    >>> spread(1 << 8)
    512
    """
    return sum((bits >> 8 * pair & 0xFF) << 9 * pair for pair in range(4))


def gather(bits: int) -> int:
    """Inverse of `spread`.

    >>> gather(512) == 1 << 8
    True
    """
    return sum((bits >> 9 * pair & 0xFF) << 8 * pair for pair in range(4))


def spread_array(bits: np.ndarray) -> np.ndarray:
    """`spread` for an int64 array."""
    return sum((bits >> 8 * pair & 0xFF) << 9 * pair for pair in range(4))
