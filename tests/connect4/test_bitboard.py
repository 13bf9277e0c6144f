"""The compiled rules: against every line of four, against lists of cells, and against BitBully."""

from itertools import combinations

import pytest

from board_twin import (
    CELLS,
    LINES,
    bit,
    bitbully_answers,
    bits,
    drawn_positions,
    grid_of,
    has_four,
    landing_cells,
    rows_of,
    safe_cells,
    winning_cells,
)
from ludometrics.connect4 import bitboard


def test_the_board_has_69_lines():
    assert len(LINES) == len(set(LINES)) == 69


def test_four_cells_are_four_in_a_row_only_on_a_line():
    # All 111,930 sets of four cells: whatever would run round an edge is among them.
    lines = {bits(line) for line in LINES}
    found = {
        own
        for four in combinations(map(bit, *zip(*CELLS, strict=True)), 4)
        if bitboard.has_four(own := sum(four))
    }
    assert found == lines


def test_three_cells_are_completed_only_on_a_line():
    # All 11,480 sets of three cells. Upright only the top may be missing: no gap stays below a token.
    wanted = {}
    for line in LINES:
        upright = line[0][0] == line[1][0]
        for gap in line[3:] if upright else line:
            three = bits(line) - bit(*gap)
            wanted[three] = wanted.get(three, 0) | bit(*gap)
    squares = [bit(*cell) for cell in CELLS]
    found = {own: bitboard.winning_squares(own, own) for own in map(sum, combinations(squares, 3))}
    assert {own: gaps for own, gaps in found.items() if gaps} == wanted


def test_taken_squares_do_not_win():
    three = bits([(0, 0), (1, 0), (2, 0)])
    assert bitboard.winning_squares(three, three) == bit(3, 0)
    assert bitboard.winning_squares(three, three | bit(3, 0)) == 0


def test_long_rows_win_as_well():
    for row in (bits((column, 2) for column in range(7)), bits((0, height) for height in range(6))):
        assert bitboard.has_four(row)


@pytest.mark.parametrize("column", range(7))
def test_every_content_of_a_column(column):
    for height in range(7):
        held = (1 << height) - 1
        landing = bitboard.square_of(held << 9 * column, column)
        assert landing == (bit(column, height) if height < 6 else 0)
        assert bitboard.landing_squares(held << 9 * column) == landing | bits(
            (other, 0) for other in range(7) if other != column
        )
        for own in range(1 << height):
            content = bitboard.content_of(held << 9 * column, own << 9 * column, column)
            assert content == (1 << height) + own


def test_rules_are_those_of_lists_of_cells():
    for tokens, active, left in rows_of(drawn_positions())[:1000]:
        grid, mover = grid_of(tokens, active, left), -1 if left % 2 else 1
        assert bitboard.landing_squares(tokens) == bits(landing_cells(grid))
        assert bitboard.has_four(active) == has_four(grid, mover)
        assert bitboard.has_four(tokens ^ active) == has_four(grid, -mover)
        assert bitboard.winning_squares(active, tokens) == bits(winning_cells(grid, mover))
        assert bitboard.winning_squares(tokens ^ active, tokens) == bits(winning_cells(grid, -mover))
        if not has_four(grid, -mover):
            assert bitboard.non_losing_squares(active, tokens) == bits(safe_cells(grid, mover))
        assert bitboard.mirrored(tokens) == bits(
            (6 - column, row) for column, row in CELLS if grid[row][column]
        )


def test_positions_are_of_all_lengths_some_won():
    numbers = rows_of(drawn_positions())
    assert {left for _, _, left in numbers} == set(range(43))
    won = sum(bitboard.has_four(tokens ^ active) for tokens, active, _ in numbers)
    assert 5_000 < won < 50_000


def test_rules_are_bitbullys_on_100_000_positions():
    pytest.importorskip("bitbully")
    wanted, numbers = bitbully_answers(), rows_of(drawn_positions())
    pairs = [(tokens, active) for tokens, active, _ in numbers]
    assert [bitboard.landing_squares(tokens) for tokens, _ in pairs] == wanted.legal
    assert [bitboard.non_losing_squares(own, tokens) for tokens, own in pairs] == wanted.non_losing
    assert [bitboard.has_four(tokens ^ own) for tokens, own in pairs] == wanted.won
    wins = [bitboard.winning_squares(own, tokens) & bitboard.landing_squares(tokens) for tokens, own in pairs]
    assert wins == wanted.wins
    assert [
        (bitboard.mirrored(tokens), bitboard.mirrored(own), left) for tokens, own, left in numbers
    ] == wanted.mirrored
    assert sum(map(bool, wins)) > 20_000 and wanted.non_losing.count(0) > 10_000


def test_winning_squares_out_of_reach_are_bitbullys():
    # Its findThreats tells of one move whether it leaves more winning squares than there were, reachable or not.
    pytest.importorskip("bitbully")
    found = []
    for tokens, own, _ in rows_of(drawn_positions()):
        before, landing, more = (
            bitboard.winning_squares(own, tokens).bit_count(),
            bitboard.landing_squares(tokens),
            0,
        )
        while landing:
            square = landing & -landing
            landing ^= square
            more |= square * (bitboard.winning_squares(own | square, tokens | square).bit_count() > before)
        found.append(more)
    assert found == bitbully_answers().threats
