"""Glicko-2: Glickman's example, bugs that others had, the two clocks."""

import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ludometrics.ratings import Glicko2Settings, glicko2
from ludometrics.ratings.glicko2_loops import _volatility
from random_logs import random_log

CASES = json.loads((Path(__file__).parents[1] / "data" / "ratings" / "glicko2.json").read_text())


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["desc"])
def test_published_values(case):
    n = len(case["opponents"])
    record = glicko2.replay(
        [[0, row + 1] for row in range(n)],
        case["outcomes"],
        periods=[0] * n,
        ratings=[case["rating"], *case["opponents"]],
        deviations=[case["deviation"], *case["opponent_deviations"]],
    )
    after = record.ratings[0], record.deviations[0], record.volatilities[0]
    for value, expected, tolerance in zip(after, case["after"], case["tolerance"], strict=True):
        if expected is not None:
            assert value == pytest.approx(expected, abs=tolerance)


def test_a_series_of_surprises_raises_the_volatility():
    """RobKohr/glicko issue 5: delta squared was compared with the wrong quantity."""
    n = 10
    record = glicko2.replay(
        [[0, 1]] * n, [0] * n, periods=[0] * n, ratings=[2000, 1500], deviations=[50, 50], anchored=[1]
    )
    assert record.volatilities[0] > 0.06


def test_volatility_is_smooth_where_the_two_brackets_meet():
    """Where delta^2 = phi^2 + v Glickman's step 5.2 changes its bracket; the root must not change."""
    phi2, information = 0.1, 2.0
    variance = 1 / information
    edge = np.sqrt(phi2 + variance) / variance
    below, at, above = (
        _volatility(0.06, phi2, push, information, 0.5) for push in (edge - 1e-9, edge, edge + 1e-9)
    )
    assert below == pytest.approx(above, rel=1e-8) and below <= at * (1 + 1e-8) <= above * (1 + 2e-8)


def test_two_equals_stay_where_they_are():
    """kenany/glicko2-lite issue 208: after 200,000 games ratings had drifted below zero."""
    n = 200_000
    outcomes = np.tile([1.0, 0.0], n // 2)
    record = glicko2.replay(
        np.tile([[0, 1]], (n, 1)), outcomes, times=np.arange(n) / 100, settings=Glicko2Settings(floor=30)
    )
    assert abs(record.ratings.mean() - 1500) < 1
    assert record.deviations == pytest.approx([30, 30], abs=1e-6)
    assert np.isfinite(record.forecasts).all()


def test_absence_grows_by_the_volatility():
    options = Glicko2Settings(period_days=10, start_deviation=50)
    record = glicko2.replay([[0, 1]], [1], times=[0], settings=options)
    squared = record.deviations[0] ** 2 + 5 * (173.7177928 * record.volatilities[0]) ** 2
    assert glicko2.aged(record, 50, settings=options)[0] == pytest.approx(np.sqrt(squared), abs=1e-6)
    assert glicko2.aged(record, 10**9, settings=options)[0] == 350
    assert record.deviations[0] < 50 + 2  # reading changed nothing


@given(seed=st.integers(0, 10**6), cut=st.integers(0, 60), dated=st.booleans())
@settings(max_examples=30, deadline=None)
def test_two_halves_equal_one_pass(seed, cut, dated):
    pairs, outcomes, days = random_log(seed, n=60)
    times = days if dated else None
    parts = (None, None) if times is None else (times[:cut], times[cut:])
    whole = glicko2.replay(pairs, outcomes, times=times, n_players=6)
    first = glicko2.replay(pairs[:cut], outcomes[:cut], times=parts[0], n_players=6)
    second = glicko2.replay(pairs[cut:], outcomes[cut:], times=parts[1], state=first)
    assert second.ratings.tolist() == whole.ratings.tolist()
    assert second.variances.tolist() == whole.variances.tolist()
    assert second.volatilities.tolist() == whole.volatilities.tolist()
    assert np.concatenate([first.forecasts, second.forecasts]).tolist() == whole.forecasts.tolist()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"tau": 0.0}, "tau is 0: it must be above 0"),
        ({"start_volatility": -0.1}, "start_volatility is -0.1"),
        ({"floor": 400.0}, "must rise in this order"),
        ({"period_days": float("inf")}, "period_days is inf: it must be finite"),
    ],
)
def test_bad_settings_are_named(options, message):
    with pytest.raises(ValueError, match=message):
        Glicko2Settings(**options)


def test_time_does_not_run_backwards_between_two_records():
    dated = glicko2.replay([[0, 1]], [1], times=[17_000.0])
    with pytest.raises(ValueError, match="later games must be dated as it is"):
        glicko2.replay([[0, 1]], [1], times=[100.0], state=dated)
    with pytest.raises(ValueError, match="later games must be dated as it is"):
        glicko2.replay([[0, 1]], [1], state=dated)


def test_without_dates_a_block_of_weight_zero_lets_no_time_pass():
    pairs, outcomes = [[0, 1]] * 4, [1, 0, 1, 1]
    one = glicko2.replay(pairs, outcomes, weights=[1, 1, 0, 1])
    other = glicko2.replay(pairs[:3], [1, 0, 1])
    assert one.variances.tolist() == other.variances.tolist() and one.blocks == 3
