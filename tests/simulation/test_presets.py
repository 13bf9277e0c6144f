"""The ladders' ratings are those of the committed measurement."""

import pytest

from ludometrics.provenance import read_table
from ludometrics.simulation.presets import LADDERS

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
