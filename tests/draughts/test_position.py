"""Positions: FEN, text, and refusal of what cannot be."""

import pytest

from ludometrics.draughts import START, Position, flip_colours, format_fen, parse_fen
from ludometrics.draughts.position import piece_at, squares_of


def test_starting_position():
    assert squares_of(START.black) == tuple(range(1, 13))
    assert squares_of(START.white) == tuple(range(21, 33))
    assert START.kings == 0 and START.turn == "b"
    assert format_fen(START) == "B:W21,22,23,24,25,26,27,28,29,30,31,32:B1,2,3,4,5,6,7,8,9,10,11,12"


@pytest.mark.parametrize(
    "text",
    [
        "B:W18,24,27,28,K10,K15:B12,16,20,K22,K25,K29",
        "B:B12,16,20,K22,K25,K29:W18,24,27,28,K10,K15",
        "  b:w18,24,27-28,k10,k15:b12,16,20,k22,k25,k29. ",
        "B:W 18, 24, 27, 28, K10, K15:B12,16,20,K22,K25,K29",
    ],
)
def test_ways_to_write_one_position(text):
    assert format_fen(parse_fen(text)) == "B:W18,24,27,28,K10,K15:B12,16,20,K22,K25,K29"


def test_runs_of_squares_and_empty_sides():
    assert parse_fen("B:W21-32:B1-12") == START
    assert parse_fen("W:WK1-K4:B").kings == 0xF
    assert parse_fen("W:W:BK7") == Position(1 << 6, 0, 1 << 6, "w")


@pytest.mark.parametrize(
    ("text", "part", "allowed"),
    [
        ("", "FEN ''", "side to move"),
        (None, "FEN None", "side to move"),
        ("start", "start", "side to move"),
        ("G:W1:B2", "G:W1:B2", "side to move"),
        ("B:W18:W12", "W18:W12", "one part must begin with W and one with B"),
        ("B:W18", "B:W18", "side to move"),
        ("B:W18,x4:B12", "'X4' is not a square", "squares 1-32"),
        ("B:W18,,4:B12", "'' is not a square", "squares 1-32"),
        ("B:W18,Q4:B12", "'Q4' is not a square", "K before a king"),
        ("B:W33:B12", "'33'", "squares 1 to 32"),
        ("B:W0:B12", "'0'", "squares 1 to 32"),
        ("B:W20-18:B12", "'20-18'", "squares 1 to 32"),
        ("B:W18,18:B12", "square 18 is given twice", "one piece"),
        ("B:W18:B12,K18", "square 18 is given twice", "one piece"),
        ("B:W18:B12,30", "30, its king row", "write K30"),
        ("B:W2:B12", "2, its king row", "write K2"),
        ("B:W18-30:B12", "White has 13 pieces", "at most 12"),
        ("W:W:B", "the board is empty", "at least one"),
        ("B:W١٨:B12", "'١٨'", "squares 1-32"),
    ],
)
def test_bad_fen_names_the_part_and_what_is_allowed(text, part, allowed):
    with pytest.raises(ValueError, match="FEN") as caught:
        parse_fen(text)
    assert part in str(caught.value) and allowed in str(caught.value)


def test_board_in_text():
    drawn = str(parse_fen("W:W26,K1:B22,K27")).splitlines()
    assert drawn[0] == "  W   .   .   ."
    assert drawn[5] == ".   b   .   ."
    assert drawn[6] == "  .   w   B   ."
    assert drawn[8] == "White to move"


def test_flip_colours_turns_the_board_round():
    flipped = flip_colours(parse_fen("B:W26,K1:B22"))
    assert format_fen(flipped) == "W:W11:B7,K32"
    assert flip_colours(flipped) == parse_fen("B:W26,K1:B22")
    assert piece_at(flipped, 32) == "B"
