"""Compiled move generation against published perft counts, and its parts against plain Python."""

import json
from pathlib import Path

import numpy as np
import pytest

from ludometrics.draughts import START, divide, kernels, legal_moves, parse_fen, perft, reference
from ludometrics.draughts.layout import row_column
from ludometrics.draughts.rules import sides

PERFT = json.loads(
    (Path(__file__).parents[1] / "data" / "draughts" / "perft.json").read_text(encoding="utf-8")
)
CASES = [pytest.param(case, id=case["desc"]) for case in PERFT["cases"]]


@pytest.mark.parametrize("case", CASES)
def test_perft_equals_the_published_counts(case):
    position = parse_fen(case["fen"])
    assert [perft(position, depth + 1) for depth in range(len(case["counts"]))] == case["counts"]


@pytest.mark.slow
@pytest.mark.parametrize(("depth", "count"), PERFT["deep"]["counts"].items())
def test_deep_perft_equals_the_published_counts(depth, count):
    assert perft(START, int(depth)) == count


@pytest.mark.parametrize("case", CASES)
def test_plain_python_counts_the_same(case):
    position = parse_fen(case["fen"])
    board = reference.board_of(position)
    depths = range(1, min(len(case["counts"]), 5) + 1)
    assert [reference.perft(board, position.turn, depth) for depth in depths] == case["counts"][: len(depths)]


@pytest.mark.parametrize("case", CASES)
def test_divide_adds_up_to_perft(case):
    position = parse_fen(case["fen"])
    for depth in range(1, min(len(case["counts"]), 6) + 1):
        split = divide(position, depth)
        assert [move for move, _ in split] == legal_moves(position)
        assert sum(count for _, count in split) == case["counts"][depth - 1]


@pytest.mark.parametrize("depth", [-1, 31, 2.0, True, "3"])
def test_perft_refuses_a_bad_depth(depth):
    with pytest.raises(ValueError, match="perft depth"):
        perft(START, depth)
    with pytest.raises(ValueError, match="divide depth"):
        divide(START, depth)


def test_no_position_has_more_moves_than_the_table_holds():
    """On a board full of enemies one piece has the most routes it can ever have; twelve have at most 12 times that."""
    most = 0
    for square in range(1, 33):
        row, column = row_column(square)
        board = {row_column(other): "b" for other in range(1, 33) if (row_column(other)[0] - row) % 2}
        board[row, column] = "W"
        most = max(most, len(reference.captures(board, [(row, column)], [])))
    assert most == 16
    assert 12 * most <= kernels.MAX_MOVES


def test_evaluation_counts_men_kings_and_rows():
    position = parse_fen("B:W21,K6:B9,14,K32")  # rows gone: 21 -> 2, 9 -> 2, 14 -> 3
    black = (100 + 2 * 2) + (100 + 2 * 3) + 160
    white = (100 + 2 * 2) + 160
    assert kernels.evaluate(*sides(position)) == black - white
    assert kernels.evaluate(*sides(position._replace(turn="w"))) == white - black
    assert kernels.evaluate(*sides(START)) == 0


def test_stream_is_splitmix64():
    """The first words of splitmix64 from seed 0, as its authors' code gives them."""
    words = (0xE220A8397B1DCDAF, 0x6E789E6AA1B965F4, 0x06C45D188009454F)
    state, stream = np.zeros(1, dtype=np.uint64), reference.Stream(0)
    for word in words:
        assert kernels.uniform(state) == (word >> 11) / 2**53
        assert stream.uniform() == (word >> 11) / 2**53
