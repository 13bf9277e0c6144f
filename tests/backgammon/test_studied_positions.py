"""Study actions found again among decisions: by XGID, by Position ID, by day."""

from datetime import UTC, date, datetime, timedelta, timezone

import numpy as np
import pytest

from drawn_boards import MIDDLE, begin, moved, no_double, play
from ludometrics.backgammon.building import RecordBuilder
from ludometrics.backgammon.positions import decision_xgid, flip, position_id, xgid
from ludometrics.backgammon.records import PASS, Kind
from ludometrics.backgammon.studied_positions import HANDLED, STUDY, first_study_days, studied_rows
from study_tables import action

NEAR = moved(MIDDLE, (24, 23))


def library_of_six():
    """Two rolls in one position, the double there, its answer, the same double at another score, and elsewhere."""
    builder = RecordBuilder()
    begin(builder, "m1")
    play(builder, 100, move=1, dice=(3, 1))
    play(builder, 100, move=2, dice=(6, 5))
    no_double(builder, 100, move=3)
    builder.cube_decision(
        Kind.RESPONSE,
        seat=1,
        move=4,
        board=tuple(flip(MIDDLE).tolist()),
        played=PASS,
        equities=(0.5, 0.7, 1.0),
        cube=1,
        cube_owner=0,
    )
    begin(builder, "m2", score=(2, 5))
    no_double(builder, 100, move=1)
    play(builder, 100, move=2, board=NEAR)
    return builder.library()


ROWS = np.arange(6)


def named(*texts, kind="studied"):
    library = library_of_six()
    actions = [action(text, kind=kind) for text in texts]
    return studied_rows(library, ROWS, actions, STUDY).tolist()


@pytest.mark.parametrize("row", [0, 1, 2, 3, 4, 5])
def test_the_xgid_of_a_decision_names_that_decision(row):
    library = library_of_six()
    assert named(decision_xgid(library, row)) == [row]


def test_an_xgid_with_a_roll_holds_at_any_score_and_seen_from_any_side():
    assert named(xgid(MIDDLE, dice=(1, 3), length=9, score=(4, 4))) == [0]
    assert named(xgid(MIDDLE, dice=(3, 1), turn=-1)) == [0]
    assert named(xgid(MIDDLE, dice=(2, 1))) == []


def test_a_cube_decision_is_studied_at_its_score():
    assert named(xgid(MIDDLE, length=7)) == [2]
    assert named(xgid(MIDDLE, length=11, score=(6, 9))) == [4]
    assert named(xgid(MIDDLE)) == []  # money play
    assert named(xgid(flip(MIDDLE), length=7, doubled=True)) == [3]


def test_a_position_id_names_all_that_was_decided_there():
    assert named(position_id(MIDDLE)) == [0, 1, 2, 3, 4]
    assert named(position_id(flip(MIDDLE))) == [3]
    assert named(position_id(NEAR), position_id(MIDDLE)) == [0, 1, 2, 3, 4, 5]


def test_only_actions_of_the_kind_asked_for():
    library = library_of_six()
    text = position_id(NEAR)
    for kind in ("studied", "review", "quiz", "card", "collection", "comment"):
        actions = [action(text, kind=kind)]
        assert (studied_rows(library, ROWS, actions, STUDY).tolist() == [5]) == (kind in STUDY)
        assert (studied_rows(library, ROWS, actions, HANDLED).tolist() == [5]) == (kind in HANDLED)


def test_only_among_the_rows_asked_for():
    library = library_of_six()
    actions = [action(position_id(MIDDLE))]
    assert studied_rows(library, np.array([1, 4, 5]), actions, STUDY).tolist() == [1, 4]
    assert studied_rows(library, np.array([], int), actions, STUDY).tolist() == []


def test_the_first_day_counts_and_days_are_those_of_utc():
    library = library_of_six()
    late = datetime(2026, 5, 2, 12, tzinfo=UTC)
    east = datetime(2026, 5, 1, 1, 30, tzinfo=timezone(timedelta(hours=3)))
    actions = [
        action(position_id(NEAR), when=late),
        action(position_id(NEAR), when=east, kind="quiz"),
        action(position_id(NEAR), when=datetime(2020, 1, 1), kind="card"),
        action(xgid(MIDDLE, length=7), when=datetime(2026, 5, 3, 23)),
        action(xgid(MIDDLE, dice=(4, 4)), when=late),
    ]
    days, missed = first_study_days(library, ROWS, actions)
    assert days == {5: date(2026, 4, 30), 2: date(2026, 5, 3)}
    assert missed == 1


def test_a_text_that_names_no_position():
    with pytest.raises(ValueError, match="fields"):
        named("the 5-point")
