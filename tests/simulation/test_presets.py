"""The ladders' ratings are those of the committed measurement."""

from dataclasses import replace

import pytest

from ludometrics.provenance import read_table
from ludometrics.simulation.presets import LADDERS, ladder_name
from ludometrics.simulation.scenarios import SCENARIOS

ROUNDING = 0.05 + 1e-9  # the presets give one decimal


@pytest.mark.parametrize("name", LADDERS)
def test_ratings_are_those_measured(name):
    measured = read_table("results/draughts_levels/levels.csv").set_index(["depth", "chance"])
    ladder = LADDERS[name]
    for key, level, rating in zip(ladder.keys, ladder.levels, ladder.ratings, strict=True):
        row = measured.loc[(level.depth, level.chance)]
        assert row["rating"] == pytest.approx(rating, abs=ROUNDING), key
        if name == "nine":
            assert row["level"] == key


def test_ladders_are_named_by_what_they_are():
    assert [ladder_name(replace(ladder)) for ladder in LADDERS.values()] == list(LADDERS)
    assert {name: ladder_name(SCENARIOS[name].ladder) for name in ("course", "default", "three-levels")} == {
        "course": "course",
        "default": "nine",
        "three-levels": "course",
    }
    course = LADDERS["course"]
    with pytest.raises(ValueError, match="levels easy, medium, hard: it equals none of course, nine"):
        ladder_name(replace(course, ratings=(*course.ratings[:2], 1800.0)))
