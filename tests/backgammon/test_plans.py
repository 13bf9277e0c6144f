"""Plans of play: drawn positions, the compiled rules against the plain ones, and what cannot matter."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from drawn_boards import drawn_board, random_boards
from ludometrics.backgammon.plans import PLAN_LABELS, Plan, classify_board, classify_boards
from made_matches import cases

BOARDS = cases("plans_cases")["boards"]


@pytest.mark.parametrize("case", BOARDS, ids=lambda case: case["desc"])
def test_drawn_positions(case):
    board = drawn_board(case)
    assert classify_board(board) is Plan[case["plan"]]
    assert Plan(classify_boards([board])[0]) is Plan[case["plan"]]


def test_every_plan_is_drawn_and_named():
    assert {case["plan"] for case in BOARDS} == set(Plan.__members__)
    assert len(set(PLAN_LABELS)) == len(Plan)
    assert Plan.PRIME_V_PRIME.label == "prime v prime"


def test_compiled_rules_agree_with_the_plain_ones():
    boards = random_boards(np.random.default_rng(7), 4000)
    found = classify_boards(boards)
    assert found.tolist() == [classify_board(board) for board in boards]
    assert set(found.tolist()) == set(range(len(Plan)))


@settings(deadline=None, max_examples=50)
@given(st.integers(0, 2**32 - 1))
def test_what_both_sides_see_alike(seed):
    boards = random_boards(np.random.default_rng(seed), 20)
    ours, theirs = classify_boards(boards), classify_boards(-boards[:, ::-1])
    for plan in (Plan.OVER, Plan.RACE):
        assert ((ours == plan) == (theirs == plan)).all()
    # Where one holds alone the other cannot.
    assert not ((ours == Plan.HOLDING) & (theirs == Plan.HOLDING)).any()


def test_no_boards_and_boards_of_another_shape():
    assert classify_boards(np.empty((0, 26), np.int8)).tolist() == []
    with pytest.raises(ValueError, match=r"shape \(2, 25\), allowed is \(n, 26\)"):
        classify_boards(np.zeros((2, 25)))
