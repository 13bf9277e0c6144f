"""Columns of decisions: building, checks, choosing matches, joining libraries."""

import numpy as np
import pytest

from ludometrics.backgammon.building import Option, RecordBuilder, RecordError, check_board
from ludometrics.backgammon.records import COLUMNS, UNKNOWN, Kind, Match, join, no_decisions
from made_matches import START, add_checker, add_cube, add_errors, add_match, board_after, new_match


def two_matches():
    builder = new_match(7, "m1", ("Ann", "bob"))
    add_errors(builder, [100, 0])
    add_cube(builder, (0.1, 0.2, 1.0), seat=1)
    builder.end_match((7, 3))
    add_match(builder, 5, "m2", ("cem", "ann"))
    add_errors(builder, [50], seat=1)
    add_checker(builder, [], played=UNKNOWN, legal=0)
    return builder.library()


def test_columns_and_options():
    decisions = two_matches().decisions
    assert len(decisions) == 5
    assert decisions.match.tolist() == [0, 0, 0, 1, 1]
    assert decisions.kind.tolist() == [Kind.CHECKER, Kind.CHECKER, Kind.DOUBLE, Kind.CHECKER, Kind.CHECKER]
    assert np.diff(decisions.option_start).tolist() == [2, 2, 0, 2, 0]
    assert decisions.options.equity[decisions.options_of(3)].tolist() == [0.0, -0.05]
    assert decisions.away.tolist() == [[7, 7]] * 3 + [[5, 5]] * 2
    for name, (dtype, _) in COLUMNS.items():
        assert getattr(decisions, name).dtype == dtype
    frame = decisions.frame()
    assert frame["kind"].tolist() == ["checker", "checker", "double", "checker", "checker"]
    assert frame["options"].tolist() == [2, 2, 0, 2, 0]


def test_names_are_found_in_any_case_and_seat():
    library = two_matches()
    assert library.seats_of("ANN").tolist() == [0, 1]
    assert library.seats_of("bob", "cem").tolist() == [1, 0]
    assert library.of_player("ann").tolist() == [True, True, False, True, False]
    assert library.of_player("zoe").sum() == 0


def test_only_some_matches():
    library = two_matches()
    second = library.only(np.array([False, True]))
    assert [match.key for match in second.matches] == ["m2"]
    assert second.decisions.match.tolist() == [0, 0]
    assert second.decisions.options.equity.tolist() == [0.0, -0.05]
    assert len(library.only(np.array([False, False])).decisions) == 0


def test_joining_drops_a_match_that_is_there_and_says_so():
    library = two_matches()
    first, second = library.only(np.array([True, False])), library.only(np.array([False, True]))
    joined = join([first, second])
    assert joined.matches == library.matches
    for name in COLUMNS:
        np.testing.assert_array_equal(getattr(joined.decisions, name), getattr(library.decisions, name))
    np.testing.assert_array_equal(joined.decisions.options.board, library.decisions.options.board)
    again = join([library, second])
    assert len(again.matches) == 2 and len(again.decisions) == 5
    assert "the same match" in again.problems[0].reason
    assert len(join([]).decisions) == len(no_decisions()) == 0


@pytest.mark.parametrize(
    ("length", "score", "winner"),
    [
        (7, (7, 3), 0),
        (7, (6, 9), 1),
        (7, (6, 5), None),
        (7, (7, 7), None),
        (7, None, None),
        (0, (3, 8), 1),
        (0, (4, 4), None),
        (0, (5, 4), 0),
    ],
)
def test_who_won(length, score, winner):
    assert Match("m", length, ("a", "b"), final_score=score).winner == winner


def test_post_crawford_is_inferred_and_can_be_given():
    builder = new_match(5)
    for number, (score, crawford, given) in enumerate(
        [((4, 0), True, None), ((4, 1), False, None), ((3, 1), False, None), ((4, 1), False, False)], start=1
    ):
        builder.game(number, score, crawford=crawford, post_crawford=given)
        add_errors(builder, [0])
    decisions = builder.library().decisions
    assert decisions.crawford.tolist() == [True, False, False, False]
    assert decisions.post_crawford.tolist() == [False, True, False, False]


def test_a_one_point_match_is_neither_crawford_nor_after_it():
    builder = new_match(1)
    add_errors(builder, [0])
    decisions = builder.library().decisions
    assert not decisions.crawford[0] and not decisions.post_crawford[0]


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"board": START[:25]}, "25 slots"),
        ({"board": (0, 16) + (0,) * 24}, "16 checkers of one side, allowed are 15"),
        ({"board": (0, -16) + (0,) * 24}, "16 checkers"),
        ({"board": (1, 2) + (0,) * 24}, "other side's bar"),
        ({"board": (0, 2) + (0,) * 23 + (-1,)}, "other side's bar"),
        ({"dice": (0, 3)}, "dice 0 and 3"),
        ({"dice": (7, 3)}, "allowed are 1 to 6"),
        ({"played": 2}, "option 2 played of 1"),
        ({"played": -2}, "option -2 played of 1"),
        ({"seat": 2}, "seat 2"),
        ({"cube": 3}, "powers of two"),
        ({"cube": 0}, "powers of two"),
        ({"options": [Option((0, 16) + (0,) * 24, 0.0)]}, "16 checkers"),
    ],
    ids=lambda value: str(value)[:40],
)
def test_impossible_rows_are_refused(change, says):
    row = {
        "seat": 0,
        "move": 1,
        "board": START,
        "dice": (3, 1),
        "played": 0,
        "options": [Option(board_after(1), 0.0)],
        "cube": 1,
        "cube_owner": 0,
    }
    builder = new_match()
    with pytest.raises(RecordError, match=says):
        builder.checker(**row | change)
    assert len(builder.library().decisions) == 0


def test_impossible_games_are_refused():
    builder = new_match(5)
    with pytest.raises(RecordError, match="begins at 5-0 of a match to 5 points"):
        builder.game(2, (5, 0))
    with pytest.raises(RecordError, match="below 0"):
        builder.game(2, (-1, 0))
    with pytest.raises(RecordError, match="cube action 2"):
        add_cube(builder, None, played=2)


def test_a_start_board_is_sound():
    check_board(START)
    assert len(RecordBuilder().library().matches) == 0
