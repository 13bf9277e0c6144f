"""Plays as text: what is read, how it is written, and which candidate was played."""

import json
from pathlib import Path

import numpy as np
import pytest

from ludometrics.backgammon.boards import START
from ludometrics.backgammon.moves import legal_boards
from ludometrics.backgammon.notation import (
    canonical,
    find_board,
    find_play,
    format_play,
    parse_play,
    parse_ways,
    sorted_hops,
)
from ludometrics.backgammon.position_ids import board_from_position_id
from ludometrics.backgammon.records import UNKNOWN
from make_move_counts import varied_questions

DATA = Path(__file__).parents[1] / "data" / "backgammon"
CASES = json.loads((DATA / "moves_notation.json").read_text(encoding="utf-8"))
PLAYS = json.loads((DATA / "moves_plays.json").read_text(encoding="utf-8"))["cases"]


def board_of(**checkers):
    """A board from own checkers by slot, `s6=2`, and the other's, `o4=1`."""
    board = np.zeros(26, np.int64)
    for name, count in checkers.items():
        board[int(name[1:])] += count if name[0] == "s" else -count
    return board


BOARDS = {
    "start": START,
    "bar": board_of(s25=1, s6=5, s8=3, o4=1, o19=5),
    "hit": board_of(s6=4, s8=3, o4=1, o19=5),
    "off": board_of(s6=2, o19=5),
}


@pytest.mark.parametrize("case", CASES, ids=[case["desc"] for case in CASES])
def test_read_and_written(case):
    board = BOARDS[case.get("board", "start")]
    after = parse_play(case["text"], board, case["dice"])
    assert format_play(board, after, case["dice"]) == case["canonical"]
    assert (parse_play(case["canonical"], board) == after).all()


@pytest.mark.parametrize("case", PLAYS, ids=[case["position_id"] for case in PLAYS])
def test_written_as_gnubg_writes(case):
    board = board_from_position_id(case["position_id"])
    for play in case["plays"]:
        assert format_play(board, parse_play(play, board, case["dice"]), case["dice"]) == play


def test_legal_plays_are_written_and_read_back():
    """Of positions of games, scattered checkers and bear-offs; also with the hops turned round and without marks."""
    danced = 0
    for question in varied_questions(189, rng=np.random.default_rng(3)):
        board, dice = question
        boards = legal_boards(board, dice)
        if not len(boards):
            danced += 1
            assert format_play(board, board, dice) == "cannot move"
        for after in boards[:: 1 + len(boards) // 4]:
            text = format_play(board, after, dice[::-1])
            assert (parse_play(text, board, dice) == after).all()
            loose = ", ".join(text.split()[::-1]).upper().replace("*", "")
            assert (parse_play(loose, board) == after).all()
    assert danced > 0


@pytest.mark.parametrize("text", ["cannot move", "Cannot Move", " cannot  move.", "dance", "Fan"])
def test_nothing_moves(text):
    shut = board_of(s25=1, o19=2, o20=2, o21=2, o22=2, o23=2, o24=2)
    assert parse_ways(text) == ()
    assert (parse_play(text, shut, (3, 1)) == shut).all()
    with pytest.raises(ValueError, match="not legal with 3 and 1"):
        parse_play(text, START, (3, 1))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "empty play"),
        ("  ", "empty play"),
        ("13", "'13' is no move"),
        ("13/9 x", "'x' is no move"),
        ("13/9**", "no move"),
        ("13/9(0)", "no move"),
        ("13/9(5)", "no move"),
        ("13/9 8/3(4)", "more than 4 hops"),
        ("9/13", "from a higher point"),
        ("26/20", "from a higher point"),
        ("off/3", "from a higher point"),
        ("13/bar", "from a higher point"),
        ("bar/22", "no checker stands on bar"),
        ("7/5", "no checker stands on 7"),
        ("8/5(4)", "no checker stands on 8"),
        ("13/12", "the other side holds point 12"),
        ("13/9*", "nothing to hit on point 9"),
        ("８/5", "no move"),
    ],
)
def test_no_play(text, message):
    with pytest.raises(ValueError, match=message):
        parse_play(text, START)


def test_a_mark_needs_a_hit_of_its_own():
    """A checker on the bar already does not excuse a wrong mark."""
    board = board_of(s6=2, s13=1, o0=1, o4=1)
    assert parse_play("6/4*", board)[0] == -2
    with pytest.raises(ValueError, match="nothing to hit on point 11"):
        parse_play("6/4* 13/11*", board)


def test_not_with_this_roll():
    assert parse_play("13/7", START).tolist() != START.tolist()
    with pytest.raises(ValueError, match="'13/7' is not legal with 6 and 5"):
        parse_play("13/7", START, (6, 5))


@pytest.mark.parametrize("play", ["8/5 6/5", "24/22", "cannot move"])
def test_no_play_leads_there(play):
    after = parse_play(play, START)
    with pytest.raises(ValueError, match="no play of 2 and 1 leads"):
        format_play(START, after, (2, 1))


def test_the_blot_on_the_way_decides_which_play_it_was():
    board = board_of(s13=1, o10=1, o19=5)
    texts = {format_play(board, after, (3, 2)) for after in legal_boards(board, (3, 2))}
    assert texts == {"13/8", "13/10*/8"}


def test_two_ways_to_one_point_share_a_mark():
    board = board_of(s8=1, s6=1, o2=1, o19=5)
    after = parse_play("8/2 6/2", board)
    assert format_play(board, after, (6, 4)) == "8/2* 6/2"


def test_canonical_form_and_sorted_hops():
    assert canonical("13/9 9/6*") == canonical("13/9*/6") == canonical("13/6") == ((13, 6),)
    assert sorted_hops("6/5 8/5") == sorted_hops("8/5 6/5") != sorted_hops("8/5* 6/5")
    assert canonical("24/22(2) 6/4(2)") == canonical("6/4 24/22 6/4 24/22")


def test_the_played_candidate_by_its_board():
    board = board_of(s13=2, s10=1, o9=1, o19=5)
    candidates = ["13/9*/6", "13/6", "10/6 13/10"]
    assert find_play("9/6 13/9", candidates, board) == 0  # the mark lacks, the board tells
    assert find_play("13/10 10/6", candidates, board) == 1
    assert find_play("8/5", candidates, board) == UNKNOWN
    # Another board, though the ends are the same.
    assert find_play("13/6", ["13/9*/6", "13/9 13/10"], board) == UNKNOWN


def test_the_played_candidate_by_its_text():
    assert find_play("6/5* 8/5", ["8/5 6/5", "8/5 6/5*"]) == 1  # as written first
    assert find_play("13/9 9/6*", ["24/20 13/10", "13/6"]) == 1  # then by its ends
    assert find_play("13/9 9/6*", ["13/9*/6", "13/6"]) == UNKNOWN  # two fit
    assert find_play("13/6", ["nonsense", "13/9/6"]) == 1
    assert find_play("nonsense", ["13/6"]) == UNKNOWN
    assert find_play("13/6", []) == UNKNOWN


def test_a_play_that_cannot_be_made_there_is_found_by_its_text():
    assert find_play("bar/22 6/4", ["6/4 bar/22"], START) == 0


def test_find_board():
    boards = legal_boards(START, (3, 1))
    assert find_board(boards[5], boards) == 5
    assert find_board(START, boards) == UNKNOWN
    assert find_board(START, np.empty((0, 26))) == UNKNOWN
