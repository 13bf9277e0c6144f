"""Legal plays: the rules one by one, GNU Backgammon's counts and lists, and the plain twin on scattered boards."""

import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ludometrics.backgammon.boards import START, boards_off, boards_pips, flip
from ludometrics.backgammon.gnubg_program import find_gnubg
from ludometrics.backgammon.moves import count_legal, distinct_boards, legal_boards, legal_boards_plain
from ludometrics.backgammon.notation import parse_play
from ludometrics.backgammon.position_ids import board_from_position_id
from ludometrics.backgammon.records import UNKNOWN
from make_move_counts import ask_gnubg, varied_questions

DATA = Path(__file__).parents[1] / "data" / "backgammon"
CASES = json.loads((DATA / "moves_cases.json").read_text(encoding="utf-8"))
COUNTS = json.loads((DATA / "moves_counts.json").read_text(encoding="utf-8"))["cases"]
PLAYS = json.loads((DATA / "moves_plays.json").read_text(encoding="utf-8"))["cases"]
#: Plays of the 21 rolls in the opening position, 11, 21, 22, 31 ... 66, as GNU Backgammon 1.07.001 lists them.
OPENING = (42, 15, 75, 16, 17, 73, 14, 18, 17, 52, 8, 8, 9, 9, 4, 10, 14, 14, 14, 7, 11)
ROLLS = [(first, second) for first in range(1, 7) for second in range(1, first + 1)]
FRESH = 42  # positions sent to GNU Backgammon anew


def spelled(checkers):
    """A board from {"6": own checkers, "-19": the other's}."""
    board = np.zeros(26, np.int64)
    for slot, count in checkers.items():
        board[abs(int(slot))] += -count if slot.startswith("-") else count
    return board


@st.composite
def boards(draw):
    """Any checkers anywhere, points held by one side each."""
    own = draw(st.lists(st.integers(1, 25), max_size=15))
    other = draw(st.lists(st.integers(0, 24), max_size=15))
    board = np.zeros(26, np.int64)
    np.add.at(board, own, 1)
    np.add.at(board, [slot for slot in other if slot not in own], -1)
    return board


DICE = st.tuples(st.integers(1, 6), st.integers(1, 6))


@pytest.mark.parametrize("maker", [legal_boards, legal_boards_plain], ids=["compiled", "plain"])
@pytest.mark.parametrize("case", CASES, ids=[case["desc"][:40] for case in CASES])
def test_rules(case, maker):
    wanted = sorted(tuple(spelled(after).tolist()) for after in case["after"])
    board = spelled(case["board"])
    for dice in (case["dice"], case["dice"][::-1]):
        assert [tuple(row) for row in maker(board, dice).tolist()] == wanted
    assert count_legal(board[None], np.array([case["dice"]])).tolist() == [len(wanted)]


def test_opening_rolls():
    counts = count_legal(np.tile(START, (len(ROLLS), 1)), np.array(ROLLS))
    assert tuple(counts.tolist()) == OPENING


def test_counts_of_gnubg():
    positions = np.array([board_from_position_id(case[0]) for case in COUNTS])
    counts = count_legal(positions, np.array([case[1:3] for case in COUNTS]))
    assert counts.tolist() == [case[3] for case in COUNTS]
    assert len(COUNTS) >= 300 and counts.min() == 0 and counts.max() > 200


@pytest.mark.parametrize("case", PLAYS, ids=[case["position_id"] for case in PLAYS])
def test_plays_of_gnubg(case):
    board = board_from_position_id(case["position_id"])
    wanted = sorted(parse_play(play, board).tolist() for play in case["plays"])
    assert legal_boards(board, case["dice"]).tolist() == wanted


def test_fresh_plays_of_gnubg():
    try:
        find_gnubg()
    except RuntimeError:
        pytest.skip(f"GNU Backgammon is not installed: {FRESH} fresh positions skipped")
    questions = varied_questions(FRESH, rng=np.random.default_rng(1))
    for question, plays in zip(questions, ask_gnubg(questions), strict=True):
        wanted = sorted(parse_play(play, question.board).tolist() for play in plays)
        assert legal_boards(question.board, question.dice).tolist() == wanted, question.gnubg_id


@settings(deadline=None, max_examples=150)
@given(boards(), DICE)
def test_twin(board, dice):
    assert legal_boards(board, dice).tolist() == legal_boards_plain(board, dice).tolist()


@settings(deadline=None, max_examples=60)
@given(boards(), DICE)
def test_what_a_play_leaves(board, dice):
    """Sorted and different boards; no more pips than rolled; the other side keeps its checkers, and hits cost pips."""
    after = legal_boards(board, dice)
    assert count_legal(board[None], np.array([dice])).tolist() == [len(after)]
    if not len(after):
        return
    assert distinct_boards(after) == len(after)
    assert after.tolist() == sorted(after.tolist())
    before, pips = boards_pips(board[None])[0], boards_pips(after)
    rolled = sum(dice) * (2 if dice[0] == dice[1] else 1)
    assert ((before[0] - pips[:, 0] <= rolled) & (before[0] > pips[:, 0])).all()
    gone, gone_before = boards_off(after), boards_off(board[None])[0]
    assert (gone[:, 1] == gone_before[1]).all() and (gone[:, 0] >= gone_before[0]).all()
    assert ((pips[:, 1] > before[1]) == (after[:, 0] < board[0])).all()


def test_the_most_plays_of_a_double():
    """Fifteen checkers, each with its own points ahead: the list is not cut."""
    board = np.zeros(26, np.int64)
    board[[24, 22, 20, 18, 16, 14, 12, 10, 8, 6, 23, 21, 19, 17, 15]] = 1
    after = legal_boards(board, (1, 1))
    assert len(after) > 1000
    assert after.tolist() == legal_boards_plain(board, (1, 1)).tolist()


def test_decisions_without_a_roll_are_unknown():
    counts = count_legal(np.tile(START, (3, 1)), np.array([(0, 0), (3, 1), (0, 0)]))
    assert counts.tolist() == [UNKNOWN, 16, UNKNOWN]
    assert count_legal(np.empty((0, 26)), np.empty((0, 2))).shape == (0,)


def test_layout_of_the_input_does_not_matter():
    positions = np.array([board_from_position_id(case[0]) for case in COUNTS], np.int8)
    dice = np.array([case[1:3] for case in COUNTS], np.int8)
    wanted = count_legal(positions, dice)
    assert (count_legal(np.asfortranarray(positions), np.asfortranarray(dice)) == wanted).all()
    assert (count_legal(positions, dice[:, ::-1]) == wanted).all()
    before = positions.copy()
    legal_boards(positions[0], dice[0])
    assert (positions == before).all()


def test_read_only_boards_are_taken():
    assert len(legal_boards(flip(START), (6, 1))) == 10


@pytest.mark.parametrize(
    ("board", "dice", "message"),
    [
        (START, (0, 3), "dice"),
        (START, (7, 3), "wanted are two from 1 to 6"),
        (START, (3,), "dice"),
        (START, (3.5, 1), "dice"),
        (START[:25], (3, 1), "26"),
        (START * 2, (3, 1), "15"),
        (-START[::-1] + np.eye(26, dtype=int)[0], (3, 1), "15|bar"),
    ],
)
def test_what_is_no_roll_or_board(board, dice, message):
    with pytest.raises(ValueError, match=message):
        legal_boards(board, dice)


def test_a_bad_row_is_named():
    with pytest.raises(ValueError, match="row 1"):
        count_legal(np.tile(START, (2, 1)), np.array([(3, 1), (3, 0)]))
    with pytest.raises(ValueError, match="board 1"):
        count_legal(np.stack([START, START * 2]), np.array([(3, 1), (3, 2)]))
    with pytest.raises(ValueError, match="shape"):
        count_legal(np.tile(START, (2, 1)), np.array([(3, 1)]))
    with pytest.raises(ValueError, match="whole numbers"):
        count_legal(START[None], np.array([(3.5, 1)]))
    with pytest.raises(ValueError, match="shape"):
        distinct_boards(np.zeros((2, 25)))
