"""Errors in their fixed order, and positions told apart."""

import numpy as np
import pytest

from drawn_boards import MIDDLE, begin, moved, no_double, play
from ludometrics.backgammon.assessment import assess
from ludometrics.backgammon.building import RecordBuilder
from ludometrics.backgammon.error_families import (
    CHECKER,
    CUBE,
    classify_errors,
    family_labels,
    number_positions,
)
from ludometrics.backgammon.plans import Plan
from ludometrics.backgammon.records import Kind
from ludometrics.backgammon.settings import Settings
from ludometrics.backgammon.themes import Theme


def of_one_game(length=7, score=(0, 0), crawford=False):
    builder = RecordBuilder()
    begin(builder, "m1", length=length)
    builder.game(1, score, crawford=crawford)
    return builder


@pytest.mark.parametrize(
    ("desc", "columns", "same"),
    [
        ("the same", {}, True),
        ("by the other player", {"seat": 1}, True),
        ("another cost", {"cost_mp": 300}, True),
        ("another roll", {"dice": (6, 5)}, False),
        ("another board", {"board": moved(MIDDLE, (24, 23))}, False),
        ("another cube", {"cube": 2}, False),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_positions_are_told_apart(desc, columns, same):
    builder = of_one_game()
    play(builder, 100, move=1)
    play(builder, columns.pop("cost_mp", 100), move=2, **columns)
    numbers = number_positions(builder.library().decisions, np.arange(2))
    assert (numbers[0] == numbers[1]) == same


def test_score_crawford_and_question_are_part_of_a_position():
    builder = of_one_game()
    for number, (score, crawford) in enumerate((((6, 3), True), ((6, 3), False), ((0, 0), False)), start=1):
        builder.game(number, score, crawford=crawford)
        play(builder, 100)
    no_double(builder, 100)
    builder.cube_decision(
        Kind.RESPONSE,
        seat=0,
        move=2,
        board=MIDDLE,
        played=1,
        equities=(0.5, 0.6, 1.0),
        cube=1,
        cube_owner=0,
    )
    numbers = number_positions(builder.library().decisions, np.arange(5))
    assert sorted(numbers.tolist()) == [0, 1, 2, 3, 4]


def test_a_different_length_at_the_same_score_is_the_same_position():
    builder = of_one_game(length=7, score=(2, 3))
    play(builder, 100)
    begin(builder, "m2", length=9, score=(4, 5))
    play(builder, 100)
    numbers = number_positions(builder.library().decisions, np.arange(2))
    assert numbers.tolist() == [0, 0]


def test_errors_in_the_order_of_the_keys_and_moves():
    builder = RecordBuilder()
    for key in ("b", "a"):
        begin(builder, key)
        for game in (2, 1):
            builder.game(game, (0, 0))
            play(builder, 100, move=3)
            no_double(builder, 100, move=2)
            play(builder, 20, move=1)  # no error
    library = builder.library()
    errors = classify_errors(library, assess(library))
    decisions = library.decisions
    found = [
        (library.matches[decisions.match[row]].key, int(decisions.game[row]), int(decisions.move[row]))
        for row in errors.row
    ]
    assert found == [(key, game, move) for key in "ab" for game in (1, 2) for move in (2, 3)]
    assert errors.kind.tolist() == [CUBE, CHECKER] * 4
    assert errors.theme.tolist() == [Theme.OFFER_MISSED, Theme.GAMMON] * 4
    assert len(errors.of(decisions.game == 1)) == 4


def test_the_threshold_and_the_rule_are_the_settings_own():
    builder = of_one_game()
    for move, cost in enumerate((50, 80, 120), start=1):
        play(builder, cost, move=move)
    library = builder.library()
    assert len(classify_errors(library, assess(library))) == 3
    strict = assess(library, Settings(error_mp=80))
    assert classify_errors(library, strict).row.tolist() == [1, 2]


def test_names():
    assert family_labels(Plan.ACE_POINT, CHECKER, Theme.BLOTS) == ("ace-point", "checker", "blots")
