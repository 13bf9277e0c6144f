"""W, familiarity, C and D: the author's examples, the ends, and what stands in for the unknown."""

import math

import numpy as np
import pytest

from ludometrics.boardgames.factors import (
    confidence_factor,
    duration_factor,
    familiarity,
    weight_factor,
)
from ludometrics.boardgames.settings import EngineSettings

AUTHOR = EngineSettings()
UNKNOWN = math.nan


@pytest.mark.parametrize(
    ("complexity", "skill", "wanted"),
    [
        (1.0, 0.0, 0.5),
        (5.0, 1.0, 1.5),
        (3.0, 0.5, 1.0),
        (2.32, 0.90, 0.5 + 0.35 * 0.33 + 0.65 * 0.9),
        (UNKNOWN, 0.9, 0.5 + 0.9),
        (0.0, 0.9, 0.5 + 0.9),
        (3.0, UNKNOWN, 0.5 + 0.175 + 0.325),
        (UNKNOWN, UNKNOWN, 1.0),
    ],
    ids=["least", "most", "middle", "both known", "no complexity", "unrated is 0", "no skill", "neither"],
)
def test_weight(complexity, skill, wanted):
    assert weight_factor(complexity, skill, AUTHOR) == pytest.approx(wanted, abs=1e-12)


def test_familiarity_of_0_2_and_8_plays():
    assert familiarity(np.array([0, 2, 8]), AUTHOR).tolist() == pytest.approx([0.0, 0.5, 0.8])
    assert math.isnan(familiarity(UNKNOWN, AUTHOR))


def test_confidence_leaves_guests_out():
    seats = [0.0, 0.0, 0.8, 0.8, 0.8, UNKNOWN, UNKNOWN, UNKNOWN]
    starts = [0, 2, 4, 6, 8]
    assert confidence_factor(seats, starts, AUTHOR).tolist() == pytest.approx([0.5, 0.9, 0.9, 0.5])
    least = EngineSettings(confidence_by="least", confidence_low=0.2)
    assert confidence_factor([0.1, 0.9, UNKNOWN, UNKNOWN], [0, 3, 4], least).tolist() == pytest.approx(
        [0.28, 0.2]
    )
    assert confidence_factor([], [0], AUTHOR).shape == (0,)


def test_a_ten_minute_game_counts_041_not_a_third():
    """The published text says about a third; its formula gives 0.408."""
    assert duration_factor(10, AUTHOR) == pytest.approx(math.sqrt(1 / 6), abs=1e-12)
    assert duration_factor([60, 600, UNKNOWN], AUTHOR).tolist() == [1.0, 1.0, 1.0]
