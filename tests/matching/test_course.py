"""The course's choice of a level."""

import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ludometrics.matching import RULES, Levels, Player, choose_level, match

CASES = json.loads((Path(__file__).parents[1] / "data" / "matching" / "choose_level.json").read_text())
RATING = st.floats(400, 2200)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["desc"])
def test_choose_level(case):
    choice = choose_level(case["rating"], case["games"], case["levels"])
    assert choice.level == case["level"] and choice.provisional is case["provisional"]
    assert choice.rating == case["shown_rating"]
    assert choice.expected == pytest.approx(case["expected"], abs=5e-5)  # printed to four places
    assert choice.reason


@given(rating=RATING, games=st.integers(0, 12), levels=st.tuples(*[st.none() | RATING] * 3))
def test_the_rule_named_course_chooses_the_same(rating, games, levels):
    keys = ("easy", "medium", "hard")
    ours = match(
        RULES["course"],
        Player(rating, games=games),
        Levels.of(keys, [np.nan if value is None else value for value in levels]),
        rng=np.random.default_rng(0),
    )
    theirs = choose_level(rating, games, dict(zip(keys, levels, strict=True)))
    assert ours[:3] == theirs[:3] and ours.expected == pytest.approx(theirs.expected, abs=1e-12)


def test_bad_values_are_named():
    with pytest.raises(ValueError, match="fallback is 'normal'"):
        choose_level(1200, 9, {"easy": 1000}, fallback="normal")
    with pytest.raises(ValueError, match="games is -1"):
        choose_level(1200, -1, {"medium": 1000})
