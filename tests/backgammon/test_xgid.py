"""XGIDs: against GNU Backgammon's own reading, both directions, of decisions, and texts that are none."""

import csv
import json
import os
import re
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ludometrics.backgammon.boards import START, flip, pips
from ludometrics.backgammon.building import Option, RecordBuilder
from ludometrics.backgammon.position_ids import match_state, position_id
from ludometrics.backgammon.records import DOUBLE, TAKE, Match
from ludometrics.backgammon.xgid import XGID, decision_xgid, from_xgid, xgid

DATA = Path(__file__).parents[1] / "data" / "backgammon"
IDS = json.loads((DATA / "positions_ids.json").read_text(encoding="utf-8"))["cases"]
OPENING = "-b----E-C---eE---c-e----B-"
#: Each side has a checker on the bar, and O has borne two off: tells the two sides apart.
UNEVEN = "a-----E-C---dE---c-e----AA"


@st.composite
def any_xgid(draw):
    own = draw(st.lists(st.integers(1, 25), max_size=15))
    other = draw(st.lists(st.integers(0, 24), max_size=15))
    board = np.zeros(26, np.int64)
    np.add.at(board, own, 1)
    np.add.at(board, [slot for slot in other if slot not in own], -1)
    length = draw(st.integers(0, 64))
    points = st.integers(0, max(0, length - 1))
    doubled = draw(st.booleans())
    roll = st.one_of(st.just((0, 0)), st.tuples(st.integers(1, 6), st.integers(1, 6)))
    return XGID(
        board=tuple(board.tolist()),
        cube=1 << draw(st.integers(0, 15)),
        cube_owner=draw(st.sampled_from([0, 1, -1])),
        turn=draw(st.sampled_from([1, -1])),
        dice=(0, 0) if doubled else draw(roll),
        score=(draw(points), draw(points)),
        crawford=bool(length) and draw(st.booleans()),
        length=length,
        doubled=doubled,
        jacoby=not length and draw(st.booleans()),
        beavers=not length and draw(st.booleans()),
        largest_cube=draw(st.integers(0, 15)),
    )


@given(any_xgid())
def test_every_position_comes_back(values):
    assert from_xgid(values.text) == values
    assert from_xgid(values.text.removeprefix("XGID=")) == values
    assert from_xgid(f"  {values.text}\n").text == values.text


@pytest.mark.parametrize("case", IDS, ids=[case[0] for case in IDS])
def test_read_as_gnubg_reads(case):
    text, position, match = case
    found, state = from_xgid(text), match_state(match)
    assert found.text == text
    assert position_id(found.board) == position
    wanted = (state.cube, state.cube_owner, state.dice, state.score, state.length, state.crawford)
    assert wanted == (found.cube, found.cube_owner, found.dice, found.score, found.length, found.crawford)
    assert found.jacoby == state.jacoby


def test_seen_by_the_player_to_decide():
    mine = from_xgid(f"{UNEVEN}:1:1:1:31:2:4:0:7:10")
    his = from_xgid(f"{UNEVEN}:1:1:-1:31:2:4:0:7:10")
    assert mine.board == tuple(flip(np.array(his.board)).tolist())
    assert mine.board[25] == 1 and mine.board[0] == -1
    assert (mine.cube, mine.cube_owner, mine.score, mine.away, mine.decider) == (2, 1, (2, 4), (5, 3), 1)
    assert (his.cube, his.cube_owner, his.score, his.away, his.decider) == (2, -1, (4, 2), (3, 5), -1)


def test_a_double_on_offer():
    """It is X's turn, who doubled; O decides, and sees the board."""
    found = from_xgid(f"{UNEVEN}:1:1:1:D:2:4:0:7:10")
    assert found.doubled and found.turn == 1 and found.decider == -1
    assert (found.cube_owner, found.score, found.dice) == (-1, (4, 2), (0, 0))
    assert found.board == from_xgid(f"{UNEVEN}:1:1:-1:00:2:4:0:7:10").board
    # Written for the one who decides: he is X, the doubler O.
    assert xgid(found.board, cube=2, cube_owner=-1, doubled=True, length=7, score=(4, 2)) == (
        f"XGID={''.join(reversed(UNEVEN.swapcase()))}:1:-1:-1:D:4:2:0:7:10"
    )


def test_money():
    for flag, (jacoby, beavers) in enumerate([(False, False), (True, False), (False, True), (True, True)]):
        found = from_xgid(f"XGID={OPENING}:0:0:1:31:0:0:{flag}:0:3")
        assert (found.jacoby, found.beavers, found.crawford, found.away) == (jacoby, beavers, False, (0, 0))
    assert from_xgid(f"{OPENING}:0:0:1:31:5:2:3:0:3").score == (0, 0)
    unlimited = from_xgid(f"{OPENING}:0:0:1:31:5:2:0:99999:3")
    assert (unlimited.length, unlimited.score) == (0, (0, 0))


def test_forms_that_are_read_besides():
    assert from_xgid(f"xgid={OPENING}:0:0:1:0:0:0:0:7").text == f"XGID={OPENING}:0:0:1:00:0:0:0:7:10"
    assert from_xgid(f"{OPENING}:0:0:1:d:0:0:0:7:10").doubled


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "1 fields, wanted 10"),
        (OPENING, "1 fields, wanted 10"),
        (f"{OPENING}:0:0:1:31:0:0:0:7:10:1", "11 fields, wanted 10"),
        (f"{OPENING[:-1]}:0:0:1:31:0:0:0:7:10", "wanted are 26"),
        (f"{OPENING[:-1]}P:0:0:1:31:0:0:0:7:10", "A to O"),
        (f"B{OPENING[1:]}:0:0:1:31:0:0:0:7:10", "15"),
        (f"B{OPENING.replace('B', '-')[1:]}:0:0:1:31:0:0:0:7:10", "bar"),
        (f"{OPENING.replace('E', 'F')}:0:0:1:31:0:0:0:7:10", "17 checkers of one side"),
        (f"{OPENING}:x:0:1:31:0:0:0:7:10", "cube 'x' is no whole number"),
        (f"{OPENING}:16:0:1:31:0:0:0:7:10", "cube 16, allowed are powers of two from 0 to 15"),
        (f"{OPENING}:-1:0:1:31:0:0:0:7:10", "cube -1"),
        (f"{OPENING}:0:2:1:31:0:0:0:7:10", "owner of the cube 2"),
        (f"{OPENING}:0:0:0:31:0:0:0:7:10", "turn 0, allowed are 1 and -1"),
        (f"{OPENING}:0:0:1:37:0:0:0:7:10", "roll '37', allowed are two dice such as 31, 00 and D"),
        (f"{OPENING}:0:0:1:B:0:0:0:7:10", "roll 'B'"),
        (f"{OPENING}:0:0:1:31:7:0:0:7:10", "score 7-0 of a match to 7"),
        (f"{OPENING}:0:0:1:31:0:-1:0:7:10", "score 0--1"),
        (f"{OPENING}:0:0:1:31:0:0:2:7:10", "flag 2"),
        (f"{OPENING}:0:0:1:31:0:0:4:0:10", "flag 4"),
        (f"{OPENING}:0:0:1:31:0:0:0:-3:10", "length -3"),
        (f"{OPENING}:0:0:1:31:0:0:0:7:16", "largest cube 16"),
        (f"{OPENING}:0:0:1:31:0:0:0:１:10", "length '１' is no whole number"),
    ],
)
def test_no_xgid(text, message):
    with pytest.raises(ValueError, match=message):
        from_xgid(text)


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"cube": 3}, "cube 3"),
        ({"turn": 0}, "turn 0"),
        ({"dice": (3, 1), "doubled": True}, "0 and 0 with a double"),
        ({"dice": (3, 0)}, "dice 3 and 0"),
        ({"length": 65}, "length 65, allowed are 0"),
        ({"score": (1, 0)}, "0-0 in money play"),
        ({"length": 3, "score": (1, 3)}, "score 1-3"),
        ({"board": START * 2}, "15"),
    ],
)
def test_no_position(values, message):
    with pytest.raises(ValueError, match=message):
        xgid(**{"board": START, **values})


def library():
    """A play, a double and a take of a match to 7 points at 2-4, and a play of money."""
    builder = RecordBuilder()
    uneven = from_xgid(f"{UNEVEN}:0:0:1:00:0:0:0:0:10").board
    builder.match(Match("m", 7, ("ann", "bob")))
    builder.game(3, (2, 4))
    state = {"cube": 2, "move": 1, "board": uneven}
    options = [Option(uneven, 0.0)]
    builder.checker(seat=0, dice=(1, 3), played=0, options=options, cube_owner=1, **state)
    builder.double(seat=1, played=DOUBLE, equities=None, cube_owner=1, **state)
    builder.response(seat=0, played=TAKE, equities=None, cube_owner=-1, **state)
    builder.game(4, (2, 6), crawford=True)
    builder.checker(seat=1, dice=(6, 6), played=0, options=options, cube_owner=0, **{**state, "cube": 1})
    builder.match(Match("money", 0, ("ann", "bob")))
    builder.game(1, (5, 3))
    builder.checker(seat=0, dice=(6, 5), played=0, options=options, cube_owner=0, **{**state, "cube": 1})
    return builder.library()


def test_of_decisions():
    """He who decides is X; the score is his and the other's."""
    fields = (
        "1:1:1:31:2:4:0:7",
        "1:1:1:00:4:2:0:7",
        "1:-1:-1:D:2:4:0:7",
        "0:0:1:66:6:2:1:7",
        "0:0:1:65:0:0:0:0",
    )
    found = library()
    assert [decision_xgid(found, row) for row in range(5)] == [f"XGID={UNEVEN}:{rest}:10" for rest in fields]


def test_decisions_are_read_back():
    found = library()
    for row in range(5):
        read = from_xgid(decision_xgid(found, row))
        assert read.decider == 1
        assert read.board == tuple(found.decisions.board[row].tolist())
        assert read.away == tuple(found.decisions.away[row].tolist())
        assert read.cube_owner == found.decisions.cube_owner[row]


def extra(pattern):
    folder = os.environ.get("LUDOMETRICS_EXTRA_DATA")
    files = sorted(Path(folder, "backgammon").glob(pattern)) if folder else []
    if not files:
        pytest.skip(
            f"LUDOMETRICS_EXTRA_DATA names no folder with backgammon/{pattern}: its positions are skipped"
        )
    return files


def test_facts_of_published_xgids():
    (path,) = extra("xgid_pips.csv")
    with path.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert rows
    for row in rows:
        found = from_xgid(row["xgid"])
        side = found.decider
        wanted = (int(row["pips_x"]), int(row["pips_o"]))
        assert pips(np.array(found.board)) == wanted[::side]
        away = (int(row["away_x"] or 0), int(row["away_o"] or 0))
        assert found.away == away[::side]
        assert found.cube == 1 << int(row["cube_exp"])
        assert found.cube_owner * side == {"none": 0, "X": 1, "O": -1}[row["cube_owner"]]
        assert found.text == f"XGID={row['xgid']}"


def test_bgblitz_writes_the_same_position_three_ways():
    found = 0
    for path in extra("bgblitz_text_positions/*.txt"):
        text = path.read_text(encoding="utf-8", errors="replace")
        for position, match, line in re.findall(r"Position-ID: (\S+)\s+Match-ID: (\S+)\s+(XGID=\S+)", text):
            values, state = from_xgid(line), match_state(match)
            assert position_id(values.board) == position and values.text == line
            assert sorted(values.dice) == sorted(state.dice)
            wanted = (state.cube, state.cube_owner, state.score, state.length)
            assert wanted == (values.cube, values.cube_owner, values.score, values.length)
            found += 1
    assert found
