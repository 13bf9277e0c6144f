"""Glicko-1: Glickman's example, the compiled replay against its twin, and what must always hold."""

import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ludometrics.ratings import Glicko1Settings, glicko1
from random_logs import random_log

CASES = json.loads((Path(__file__).parents[1] / "data" / "ratings" / "glicko1.json").read_text())
SIX_PLACES = 5e-7
FOUR_PLACES = 5e-5
#: Compiled and plain loops round differently in the last bits only.
TWIN = 1e-9
GROWING = Glicko1Settings(growth=12, floor=45, ceiling=300, start_deviation=250)


@pytest.mark.parametrize("case", CASES["attenuation"], ids=lambda case: f"{case['deviation']}")
def test_attenuation(case):
    assert glicko1.attenuation(case["deviation"]) == pytest.approx(case["expected"], abs=SIX_PLACES)


@pytest.mark.parametrize("case", CASES["expected_score"], ids=lambda case: case["desc"])
def test_expected_score(case):
    value = glicko1.expected_score(
        *(case[key] for key in ("rating", "opponent", "deviation", "opponent_deviation"))
    )
    assert value == pytest.approx(case["expected"], abs=SIX_PLACES)


def test_worked_example_as_a_period():
    case = CASES["worked_example"]
    after = glicko1.update(
        case["rating"], case["deviation"], case["opponents"], case["opponent_deviations"], case["outcomes"]
    )
    assert after == pytest.approx(case["period"], abs=FOUR_PLACES)


def test_worked_example_one_game_at_a_time():
    case = CASES["worked_example"]
    ratings, deviations = case["rating"], case["deviation"]
    for opponent, spread, outcome in zip(
        case["opponents"], case["opponent_deviations"], case["outcomes"], strict=True
    ):
        ratings, deviations = glicko1.update(ratings, deviations, opponent, spread, outcome)
    assert (ratings, deviations) == pytest.approx(case["one_at_a_time"], abs=FOUR_PLACES)
    record = glicko1.replay(
        [[0, 1], [0, 2], [0, 3]],
        case["outcomes"],
        ratings=[case["rating"], *case["opponents"]],
        deviations=[case["deviation"], *case["opponent_deviations"]],
    )
    assert (record.ratings[0], record.deviations[0]) == pytest.approx(case["one_at_a_time"], abs=FOUR_PLACES)


@pytest.mark.parametrize("case", CASES["duels"], ids=lambda case: case["desc"])
def test_duel_from_the_prior(case):
    record = glicko1.replay(
        [[0, 1]], case["outcomes"], settings=Glicko1Settings(start=1000, start_deviation=180)
    )
    assert record.ratings == pytest.approx(case["ratings"], abs=SIX_PLACES)
    assert record.deviations == pytest.approx(case["deviations"], abs=SIX_PLACES)


@pytest.mark.parametrize("options", [Glicko1Settings(), GROWING])
@pytest.mark.parametrize("anchored", [(), (1, 4)])
def test_compiled_replay_equals_plain_python(options, anchored):
    pairs, outcomes, times = random_log(1)
    fast, plain = (
        glicko1.replay(pairs, outcomes, times=times, settings=options, anchored=anchored, compiled=flag)
        for flag in (True, False)
    )
    for field in ("ratings", "deviations", "games", "last_times", "forecasts"):
        assert getattr(fast, field) == pytest.approx(getattr(plain, field), abs=TWIN), field


def test_one_game_replay_is_the_period_formula_for_both():
    record = glicko1.replay([[0, 1]], [0], ratings=[1450, 1620], deviations=[80, 210])
    first = glicko1.update(1450, 80, 1620, 210, 0)
    second = glicko1.update(1620, 210, 1450, 80, 1)
    assert record.ratings == pytest.approx([first[0], second[0]], abs=TWIN)
    assert record.deviations == pytest.approx([first[1], second[1]], abs=TWIN)
    assert record.forecasts[0] == pytest.approx(glicko1.expected_score(1450, 1620, 80, 210), abs=TWIN)


@given(seed=st.integers(0, 10**6), cut=st.integers(1, 59))
@settings(max_examples=25, deadline=None)
def test_two_halves_equal_one_pass(seed, cut):
    pairs, outcomes, times = random_log(seed, n=60)
    whole = glicko1.replay(pairs, outcomes, times=times, settings=GROWING, n_players=6)
    first = glicko1.replay(pairs[:cut], outcomes[:cut], times=times[:cut], settings=GROWING)
    second = glicko1.replay(
        pairs[cut:], outcomes[cut:], times=times[cut:], settings=GROWING, n_players=6, state=first
    )
    # The record holds deviations, the loop variances: a root and a square stand between the halves.
    assert second.ratings == pytest.approx(whole.ratings, abs=TWIN)
    assert second.deviations == pytest.approx(whole.deviations, abs=TWIN)


@given(seed=st.integers(0, 10**6), row=st.integers(0, 39))
@settings(max_examples=25, deadline=None)
def test_a_win_instead_of_a_loss_never_lowers_the_rating_at_once(seed, row):
    pairs, outcomes, _ = random_log(seed, n=40)
    better = outcomes.copy()
    better[row], outcomes[row] = 1, 0
    player = pairs[row, 0]
    ratings = [
        glicko1.replay(pairs[: row + 1], o[: row + 1], n_players=6).ratings[player]
        for o in (outcomes, better)
    ]
    assert ratings[1] > ratings[0]


def test_deviation_grows_to_the_ceiling_and_no_further():
    options = Glicko1Settings(growth=34.641016, start_deviation=50)
    away = glicko1.replay([[0, 1], [0, 1]], [0.5, 0.5], times=[0, 50], settings=options, anchored=[1])
    once = glicko1.replay([[0, 1]], [0.5], times=[0], settings=options, anchored=[1])
    grown = glicko1.aged(once, 50, settings=options)[0]
    assert grown == pytest.approx(np.hypot(once.deviations[0], 34.641016 * np.sqrt(50)), abs=1e-6)
    assert away.deviations[0] < grown and once.deviations[0] < 50
    assert glicko1.aged(once, 10**6, settings=options)[0] == 350
    assert glicko1.aged(once, -5, settings=options)[0] == once.deviations[0]


def test_two_equal_players_alternating_for_ever_stay_put():
    outcomes = np.tile([1.0, 0.0], 100_000)
    record = glicko1.replay(np.tile([0, 1], (200_000, 1)), outcomes)
    assert abs(record.ratings.mean() - 1500) < 1 and record.deviations == pytest.approx(30)


def test_an_anchor_never_moves_and_its_certainty_is_kept():
    record = glicko1.replay([[0, 1]] * 20, [1] * 20, ratings=[1500, 1700], deviations=[350, 0], anchored=[1])
    assert record.ratings[1] == 1700 and record.deviations[1] == 0 and record.ratings[0] > 1700


def test_huge_upset_stays_finite():
    record = glicko1.replay([[0, 1]], [0], ratings=[6000, 1000])
    assert np.isfinite(record.ratings).all()


def test_bad_options_are_named():
    with pytest.raises(ValueError, match="must rise in this order"):
        Glicko1Settings(start_deviation=400)
    with pytest.raises(ValueError, match="growth is -1"):
        Glicko1Settings(growth=-1)
    with pytest.raises(ValueError, match="time of game 1 is 0, before that of game 0"):
        glicko1.replay([[0, 1], [0, 1]], [1, 1], times=[1, 0])
    with pytest.raises(ValueError, match="deviation is 0"):
        glicko1.update(1500, 0, 1500, 50, 1)
