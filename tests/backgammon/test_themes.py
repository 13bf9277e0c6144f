"""Themes of errors: a case for each rule and each edge of it."""

import numpy as np
import pytest

from drawn_boards import MIDDLE, begin, moved, no_double, play
from ludometrics.backgammon.assessment import assess
from ludometrics.backgammon.building import Option, RecordBuilder
from ludometrics.backgammon.records import UNKNOWN, Kind
from ludometrics.backgammon.settings import Settings
from ludometrics.backgammon.themes import Theme, count_blots, count_home_points, theme_errors
from made_matches import add_cube, cases, new_match

CASES = cases("themes_cases")


def themes_of(builder, settings=None):
    library = builder.library()
    judged = assess(library, settings or Settings())
    return [Theme(theme) for theme in theme_errors(library, judged, np.arange(len(library.decisions)))]


@pytest.mark.parametrize("case", CASES["checker"], ids=lambda case: case["desc"])
def test_checker_themes(case):
    builder = new_match()
    options = [
        Option(moved(MIDDLE, *case["best"]), 0.1, case["best_shares"], 2),
        Option(moved(MIDDLE, *case["made"]), 0.1 - case["cost_mp"] / 1000, case["made_shares"], 2),
    ]
    if case["cost_mp"] == 0:
        options[0] = options[0]._replace(equity=0.0)
    builder.checker(
        seat=0, move=1, board=MIDDLE, dice=(3, 1), played=1, options=options, cube=1, cube_owner=0
    )
    assert themes_of(builder) == [Theme[case["theme"]]]


@pytest.mark.parametrize("case", CASES["cube"], ids=lambda case: case["desc"])
def test_cube_themes(case):
    builder = new_match()
    add_cube(builder, case["equities"], Kind[case["kind"].upper()], played=case["played"])
    assert themes_of(builder) == [Theme[case["theme"]]]


def test_every_theme_has_a_case():
    drawn = [case["theme"] for group in ("checker", "cube") for case in CASES[group]]
    assert set(drawn) == set(Theme.__members__)
    assert Theme.OFFER_MISSED.label == "offer missed"


def test_a_play_that_is_not_among_the_options_has_no_theme():
    builder = new_match()
    options = [Option(moved(MIDDLE, (24, 20)), 0.0, None, 2), Option(moved(MIDDLE, (13, 9)), -0.3, None, 2)]
    builder.checker(
        seat=0, move=1, board=MIDDLE, dice=(3, 1), played=UNKNOWN, options=options, cube=1, cube_owner=0
    )
    assert themes_of(builder) == [Theme.NONE]


def test_the_threshold_is_the_settings_own():
    builder = RecordBuilder()
    begin(builder, "m1")
    play(builder, 80)
    play(builder, 120)
    no_double(builder, 60)
    strict = Settings(checker_theme_mp=100)
    assert themes_of(builder) == [Theme.GAMMON, Theme.GAMMON, Theme.OFFER_MISSED]
    assert themes_of(builder, strict) == [Theme.NONE, Theme.GAMMON, Theme.OFFER_MISSED]


def test_blots_and_points_are_counted_on_points():
    board = np.zeros((1, 26), dtype=np.int8)
    board[0, [1, 3, 7, 24]], board[0, [6, 8]], board[0, 25], board[0, 20] = 1, 2, 1, -1
    assert count_blots(board).tolist() == [4]  # the checker on the bar is none, nor is the other's
    assert count_home_points(board).tolist() == [1]
