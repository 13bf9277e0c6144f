"""Position ID and Match ID: values that GNU Backgammon shows, both directions, and texts that are none."""

import json
import os
import re
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ludometrics.backgammon.boards import START, flip
from ludometrics.backgammon.position_ids import (
    GameState,
    MatchState,
    board_from_position_id,
    match_id,
    match_state,
    position_id,
)

DATA = Path(__file__).parents[1] / "data" / "backgammon"
IDS = json.loads((DATA / "positions_ids.json").read_text(encoding="utf-8"))["cases"]
PLAYING = GameState.PLAYING
#: What GNU Backgammon 1.07.001 wrote in the situation described.
STATES = {
    "cIm2AAAAAAAE": MatchState(on_roll=1, decider=1, dice=(5, 5), length=5),
    "MBmgAAAAAAAE": MatchState(on_roll=0, decider=1, doubled=True, length=5),  # player 0 doubles
    "UhGgAAAAAAAE": MatchState(
        cube=4, cube_owner=1, on_roll=1, decider=0, doubled=True, length=5
    ),  # redouble
    "cIkJAAAAAAAA": MatchState(on_roll=1, decider=1, dice=(3, 2), jacoby=True),  # money
    "MAEXAAAAAAAE": MatchState(dice=(6, 5)),  # money without Jacoby's rule
    "8ImlAEAACAAE": MatchState(on_roll=1, decider=1, crawford=True, dice=(3, 1), length=5, score=(1, 4)),
    "QYmqABAAGAAE": MatchState(
        cube=2, cube_owner=-1, on_roll=1, decider=1, dice=(5, 2), length=5, score=(3, 1)
    ),
}


@st.composite
def any_board(draw):
    own = draw(st.lists(st.integers(1, 25), max_size=15))
    other = draw(st.lists(st.integers(0, 24), max_size=15))
    board = np.zeros(26, np.int64)
    np.add.at(board, own, 1)
    np.add.at(board, [slot for slot in other if slot not in own], -1)
    return board


@given(any_board())
def test_every_board_comes_back(board):
    text = position_id(board)
    assert len(text) == 14
    assert board_from_position_id(text) == tuple(board.tolist())
    assert board_from_position_id(f" {text}\n") == tuple(board.tolist())


def test_the_opening_and_after_a_move():
    assert position_id(START) == "4HPwATDgc/ABMA"
    # Player 0 has played 24/22 24/18 and player 1 is on roll.
    board = np.array(START)
    board[1], board[3], board[7] = 0, -1, -1
    assert position_id(board) == "4HPwQQjgc/ABMA"
    assert position_id(flip(board)) == "4HPwATDgc/BBCA"


@given(
    st.builds(
        MatchState,
        cube=st.sampled_from([1 << power for power in range(16)]),
        cube_owner=st.sampled_from([0, 1, -1]),
        on_roll=st.integers(0, 1),
        decider=st.integers(0, 1),
        crawford=st.booleans(),
        state=st.sampled_from(GameState),
        doubled=st.booleans(),
        resigned=st.integers(0, 3),
        dice=st.one_of(st.just((0, 0)), st.tuples(st.integers(1, 6), st.integers(1, 6))),
        length=st.integers(0, 32767),
        score=st.tuples(st.integers(0, 32767), st.integers(0, 32767)),
        jacoby=st.booleans(),
    )
)
def test_every_state_comes_back(state):
    text = match_id(state)
    assert len(text) == 12
    assert match_state(text) == state


@pytest.mark.parametrize("text", sorted(STATES))
def test_states_of_gnubg(text):
    assert match_state(text) == STATES[text]
    assert match_id(STATES[text]) == text


@pytest.mark.parametrize("case", IDS, ids=[case[0] for case in IDS])
def test_ids_of_gnubg_come_back(case):
    _, position, match = case
    assert position_id(board_from_position_id(position)) == position
    assert match_id(match_state(match)) == match


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "0 characters, wanted 14"),
        ("4HPwATDgc/ABM", "13 characters, wanted 14"),
        ("4HPwATDgc/AB-A", "other than A-Z"),
        ("4HPwATDgc/ABMé", "other than A-Z"),
        ("4HPwATDgc/AB A", "other than A-Z"),
        ("/////////////w", "more than 15 checkers"),
        ("/////AAAAAAAAA", "more than 15 checkers"),
        ("4HPwATDgc/ABMD", "its last character is 'D'"),
        ("AQAAAAAAAgAAAA", "both sides stand on point 24"),
    ],
)
def test_no_position_id(text, message):
    with pytest.raises(ValueError, match=message):
        board_from_position_id(text)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("cIm2AAAAAAA", "11 characters, wanted 12"),
        ("cIm2AAAAAAA=", "other than A-Z"),
        ("YIm2AAAAAAAE", "owner of the cube 2, allowed are 0, 1 and 3"),
        ("cI+2AAAAAAAE", "state of the game 7, allowed are 0 to 4"),
        ("cIn/AAAAAAAE", "dice"),
    ],
)
def test_no_match_id(text, message):
    with pytest.raises(ValueError, match=message):
        match_state(text)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"cube": 3}, "cube 3, allowed are powers of two"),
        ({"cube": 1 << 16}, "cube 65536"),
        ({"cube_owner": 2}, "owner of the cube 2"),
        ({"on_roll": 2}, "seats 2 and 0"),
        ({"dice": (6, 0)}, "dice 6 and 0"),
        ({"length": -1}, "length -1"),
        ({"length": 1 << 15}, "length 32768"),
        ({"score": (0, -2)}, "score 0--2"),
        ({"resigned": 4}, "resignation 4"),
    ],
)
def test_no_state(changes, message):
    with pytest.raises(ValueError, match=message):
        match_id(MatchState(**changes))


def test_ids_in_text_exports_of_matches():
    folder = os.environ.get("LUDOMETRICS_EXTRA_DATA")
    files = sorted(Path(folder, "backgammon", "gnubg_text").rglob("*.txt")) if folder else []
    if not files:
        pytest.skip(
            "LUDOMETRICS_EXTRA_DATA names no folder with backgammon/gnubg_text: its matches are skipped"
        )
    found = 0
    for path in files:
        text = path.read_text(encoding="utf-8", errors="replace")
        for position, match in re.findall(r"Position ID: (\S+)\n\s+Match ID\s+: (\S+)", text):
            assert position_id(board_from_position_id(position)) == position
            assert match_id(match_state(match)) == match
            found += 1
    assert found > 100
