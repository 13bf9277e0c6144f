"""Boards: turned round, pips, contact, checkers off, and what is no board."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ludometrics.backgammon import boards as under_test
from ludometrics.backgammon.boards import (
    START,
    as_board,
    as_boards,
    boards_contact,
    boards_off,
    boards_pips,
    distinct_boards,
    flip,
    has_contact,
    off,
    pips,
)
from ludometrics.backgammon.building import check_board


def board_of(**checkers):
    """A board from own checkers by slot, `s6=2`, and the other's, `o4=1`."""
    board = np.zeros(26, np.int64)
    for name, count in checkers.items():
        board[int(name[1:])] += count if name[0] == "s" else -count
    return board


@st.composite
def any_board(draw):
    own = draw(st.lists(st.integers(1, 25), max_size=15))
    other = draw(st.lists(st.integers(0, 24), max_size=15))
    board = np.zeros(26, np.int64)
    np.add.at(board, own, 1)
    np.add.at(board, [slot for slot in other if slot not in own], -1)
    return board


def test_the_opening():
    assert pips(START) == (167, 167) and off(START) == (0, 0) and has_contact(START)
    assert (flip(START) == START).all()
    check_board(START.tolist())
    with pytest.raises(ValueError, match="read-only"):
        START[6] = 0


@pytest.mark.parametrize(
    ("board", "counts", "gone", "meet"),
    [
        (board_of(s25=1, o0=1), (25, 25), (14, 14), True),
        (board_of(s6=2, o7=2), (12, 36), (13, 13), False),
        (board_of(s7=2, o6=2), (14, 38), (13, 13), True),
        (board_of(s1=15, o24=15), (15, 15), (0, 0), False),
        (board_of(s1=1, o0=1), (1, 25), (14, 14), True),
        (board_of(s25=1, o24=15), (25, 15), (14, 0), True),
        (board_of(o10=3), (0, 45), (15, 12), False),
        (board_of(s10=3), (30, 0), (12, 15), False),
        (board_of(), (0, 0), (15, 15), False),
    ],
)
def test_counted_by_hand(board, counts, gone, meet):
    assert pips(board) == counts
    assert off(board) == gone
    assert has_contact(board) is meet
    assert pips(flip(board)) == counts[::-1] and off(flip(board)) == gone[::-1]
    assert has_contact(flip(board)) is meet


@given(st.lists(any_board(), min_size=1, max_size=4))
def test_many_boards_as_one_by_one(found):
    many = np.array(found, np.int8)
    assert boards_pips(many).tolist() == [list(pips(board)) for board in found]
    assert boards_off(many).tolist() == [list(off(board)) for board in found]
    assert boards_contact(many).tolist() == [has_contact(board) for board in found]
    assert (flip(flip(many)) == many).all()
    assert flip(many).tolist() == [flip(board).tolist() for board in found]
    assert distinct_boards(many) == len({tuple(board) for board in many.tolist()})
    assert as_boards(many).tolist() == many.tolist() == [as_board(board).tolist() for board in found]


@given(any_board())
def test_contact_by_its_meaning(board):
    own = [slot for slot in range(26) if board[slot] > 0]
    other = [slot for slot in range(26) if board[slot] < 0]
    assert has_contact(board) == any(mine > his for mine in own for his in other)


def test_results_of_nothing():
    empty = np.empty((0, 26), np.int8)
    assert boards_pips(empty).shape == boards_off(empty).shape == (0, 2)
    assert boards_contact(empty).shape == (0,) and distinct_boards(empty) == 0
    assert as_boards(empty).shape == (0, 26)


@pytest.mark.parametrize(
    ("board", "message"),
    [
        (START[:25], "slots"),
        (START * 2, "30 checkers of one side, allowed are 15"),
        (board_of(o3=16), "16 checkers of one side, allowed are 15"),
        (board_of(s0=1), "other side's bar"),
        (board_of(o25=1), "other side's bar"),
    ],
)
def test_no_board(board, message):
    with pytest.raises(ValueError, match=message):
        as_board(board)
    with pytest.raises(ValueError, match=message.replace("slots", "shape")):
        as_boards(np.array([board]))


def test_fractions_are_no_checkers():
    with pytest.raises(ValueError, match="whole numbers"):
        as_board(START.astype(float) / 2)
    with pytest.raises(ValueError, match="whole numbers"):
        as_board([count / 2 for count in START])
    with pytest.raises(ValueError, match="whole numbers"):
        as_boards(START[None] / 2)


def test_the_row_is_named():
    with pytest.raises(ValueError, match="board 2: 30 checkers"):
        as_boards(np.stack([START, START, START * 2]))
    with pytest.raises(ValueError, match="board 1: checkers stand"):
        as_boards(np.stack([START, board_of(s0=1)]))


def test_nothing_is_changed_in_place():
    board = START.astype(np.int64)
    under_test.as_boards(board[None])[0, 6] = 0
    under_test.as_board(board)[6] = 0
    assert (board == START).all()
