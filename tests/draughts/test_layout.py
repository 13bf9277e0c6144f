"""Squares, rows and the two bit layouts."""

import pytest

from ludometrics.draughts import layout
from ludometrics.draughts.reference import DIRECTIONS

SHIFTS = (4, 5, -5, -4)  # the directions of the kernels as shifts of the spread layout


@pytest.mark.parametrize("square", range(1, 33))
def test_square_and_place_are_inverse(square):
    row, column = layout.row_column(square)
    assert (row + column) % 2 == 1
    assert layout.square_at(row, column) == square


@pytest.mark.parametrize("square", range(1, 33))
def test_every_step_is_one_shift(square):
    bit = layout.spread(1 << square - 1)
    row, column = layout.row_column(square)
    for (down, right), shift in zip(DIRECTIONS, SHIFTS, strict=True):
        reached = (bit << shift if shift > 0 else bit >> -shift) & layout.BOARD
        neighbour = layout.square_at(row + down, column + right)
        assert reached == (layout.spread(1 << neighbour - 1) if neighbour else 0)


def test_spread_and_gather_are_inverse_on_all_squares():
    assert layout.spread(0xFFFF_FFFF) == layout.BOARD
    assert layout.BOARD.bit_count() == 32
    for i in range(32):
        assert layout.spread(1 << i) == 1 << layout.SPREAD_BIT[i]
        assert layout.gather(layout.spread(1 << i)) == 1 << i
        assert layout.SQUARE_OF_BIT[layout.SPREAD_BIT[i]] == i + 1


def test_row_masks_add_up_to_the_row():
    for i in range(32):
        bit = layout.spread(1 << i)
        ones, twos, fours = (bool(bit & m) for m in (layout.ROW_ONES, layout.ROW_TWOS, layout.ROW_FOURS))
        assert ones + 2 * twos + 4 * fours == i // 4
    assert layout.gather(layout.TOP_ROW) == 0xF
    assert layout.gather(layout.BOTTOM_ROW) == 0xF << 28
