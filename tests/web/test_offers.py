"""What "Match me" offers."""

import numpy as np
import pytest

from ludometrics.draughts.levels import OFFLINE_RATINGS
from ludometrics.matching import choose_level
from ludometrics.web.offers import LEVELS_OF_RULE, offer

RNG = np.random.default_rng(1)
NINE = {key: OFFLINE_RATINGS[key] for key in LEVELS_OF_RULE["default"]}


@pytest.mark.parametrize("rating, games", [(1180.0, 5), (1320.0, 9), (1700.0, 40), (900.0, 4)])
def test_the_courses_rule_is_the_courses(rating, games):
    levels = {"easy": 1135.0, "medium": 1330.0, "hard": 1634.0}
    found = offer("course", (rating, 0.0, games), [], levels, rng=RNG)
    wanted = choose_level(rating, games, levels)
    assert found["level"] == wanted.level and found["expected"] == round(wanted.expected, 2)
    assert found["provisional"] == wanted.provisional and found["deviation"] is None


def test_levels_without_a_game_have_no_rating_under_the_courses_rule():
    found = offer("course", (1500.0, 0.0, 20), [], dict.fromkeys(("easy", "medium", "hard")), rng=RNG)
    assert (found["level"], found["level_rating"]) == ("medium", None)
    assert found["reason"] == "no level has a rating yet"


def test_reasons_speak_of_levels_by_their_names():
    found = offer("default", (1255.0, 60.0, 30), [("l5", 1.0), ("l5", 0.0)], NINE, rng=RNG)
    assert (found["level"], found["level_name"]) == ("l5", "Level 5")
    assert found["reason"] == "the same level again: Level 6 would be hardly nearer"


def test_the_numbers_are_those_that_people_see():
    found = offer("default", (1316.4, 80.6, 12), [("l5", 0.5)], NINE, rng=RNG)
    shown = {
        name: found[name] for name in ("level", "level_rating", "rating", "deviation", "expected", "games")
    }
    assert shown == {
        "level": "l6",
        "level_rating": 1314,
        "rating": 1316,
        "deviation": 81,
        "expected": 0.5,
        "games": 12,
    }
