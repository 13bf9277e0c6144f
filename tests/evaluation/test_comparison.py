"""Comparisons: the verdict at its boundaries, and the paired interval against its parts."""

import math

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import special

from ludometrics.evaluation import (
    MARGIN,
    cluster_interval,
    compare,
    compare_many,
    give_verdict,
    log_loss,
)

JUST = 1e-12


def seeded(seed=1):
    return np.random.default_rng(seed)


def settings_of_one_world(seed=1, n_units=120, games=5):
    """Losses of forecasts that are right, stretched, and stretched a little, on the same games."""
    rng = seeded(seed)
    logits = rng.normal(0, 1, n_units * games)
    outcomes = (rng.random(len(logits)) < special.expit(logits)).astype(float)
    factors = {"right": 1.0, "stretched": 2.0, "nearly": 1.02, "coin": 0.0}
    losses = {name: log_loss(special.expit(f * logits), outcomes) for name, f in factors.items()}
    return pd.DataFrame(losses), np.repeat(np.arange(n_units), games)


@pytest.mark.parametrize(
    ("low", "high", "verdict"),
    [
        # Within the margin, its ends included, whether or not 0 is inside: neutral is asked first.
        (-0.002, 0.002, "neutral"),
        (-0.002, -0.001, "neutral"),
        (0.001, 0.002, "neutral"),
        (0.0, 0.0, "neutral"),
        # Past an end by the least: the other questions decide.
        (-0.002 - JUST, -0.001, "helps"),
        (0.001, 0.002 + JUST, "hurts"),
        (-0.002 - JUST, 0.002, "undecided"),
        (-0.002, 0.002 + JUST, "undecided"),
        # Beside 0: only an interval that leaves it out helps or hurts.
        (-0.01, -JUST, "helps"),
        (-0.01, 0.0, "undecided"),
        (JUST, 0.01, "hurts"),
        (0.0, 0.01, "undecided"),
        (-1.0, 1.0, "undecided"),
        (math.nan, math.nan, "undecided"),
        (-math.inf, -1.0, "helps"),
    ],
)
def test_verdicts_at_their_boundaries(low, high, verdict):
    assert MARGIN == 0.002
    assert give_verdict(low, high) == verdict


def test_a_margin_of_nothing_leaves_two_questions():
    assert give_verdict(-0.002, -0.001, margin=0) == "helps"
    assert give_verdict(0.0, 0.0, margin=0) == "neutral"


@given(st.floats(-1, 1), st.floats(0, 1), st.floats(0, 0.5))
def test_a_verdict_on_the_mirror_image_is_the_mirror_image(low, width, margin):
    mirror = {"helps": "hurts", "hurts": "helps"}
    verdict = give_verdict(low, low + width, margin=margin)
    assert give_verdict(-low - width, -low, margin=margin) == mirror.get(verdict, verdict)


def test_verdicts_of_settings_whose_worth_is_known():
    losses, units = settings_of_one_world()
    table = compare_many(losses, "right", units=units, rng=seeded()).set_index("setting")
    assert table["verdict"].to_dict() == {"stretched": "hurts", "nearly": "neutral", "coin": "hurts"}
    table = compare_many(losses, "coin", units=units, rng=seeded()).set_index("setting")
    assert table.loc["right", "verdict"] == "helps"
    few = units < 6
    assert (
        compare(losses["right"][few], losses["stretched"][few], units=units[few], rng=seeded()).verdict
        == "undecided"
    )


@pytest.mark.parametrize("weighting", ["game", "unit"])
def test_a_comparison_is_the_interval_of_the_difference(weighting):
    losses, _ = settings_of_one_world()
    units = seeded(2).geometric(0.05, len(losses))
    options = {"units": units, "weighting": weighting, "replicates": 300, "level": 0.9}
    result = compare(losses["stretched"], losses["right"], **options, rng=seeded())
    difference = (losses["stretched"] - losses["right"]).to_numpy()
    assert result[:4] == pytest.approx(cluster_interval(difference, **options, rng=seeded()), abs=1e-12)
    assert result.verdict == give_verdict(result.low, result.high)
    back = compare(losses["right"], losses["stretched"], **options, rng=seeded())
    assert back[:4] == pytest.approx((-result.difference, -result.high, -result.low, result.n), abs=1e-12)


def test_the_paired_interval_is_far_shorter_than_two_apart():
    losses, units = settings_of_one_world()
    paired = compare(losses["nearly"], losses["right"], units=units, rng=seeded())
    one, other = (cluster_interval(losses[name], units, rng=seeded()) for name in ("nearly", "right"))
    apart = math.hypot(one.high - one.low, other.high - other.low)
    assert paired.high - paired.low < apart / 20


def test_many_are_compared_as_one_by_one():
    losses, units = settings_of_one_world()
    options = {"units": units, "margin": 0.01, "replicates": 200}
    table = compare_many(losses, "nearly", **options, rng=seeded())
    assert table.columns.tolist() == ["setting", "loss", "difference", "low", "high", "n", "verdict"]
    assert table["setting"].tolist() == ["right", "stretched", "coin"]
    for row in table.itertuples():
        alone = compare(losses[row.setting], losses["nearly"], **options, rng=seeded())
        assert row[3:7] == pytest.approx(alone[:4], abs=1e-12) and row.verdict == alone.verdict
        assert row.loss == pytest.approx(losses[row.setting].mean())
    mapping = {name: losses[name].tolist() for name in losses}
    pd.testing.assert_frame_equal(compare_many(mapping, "nearly", **options, rng=seeded()), table)


def test_settings_may_be_named_by_values():
    losses = {(10, 0.5): [0.7, 0.6, 0.8], (20, 0.5): [0.6, 0.6, 0.7]}
    table = compare_many(losses, (10, 0.5), units=None, replicates=20, rng=seeded())
    assert table["setting"].tolist() == [(20, 0.5)]


@pytest.mark.parametrize(("true", "rejected"), [(0.0, 0.05), (0.06, 0.85)])
def test_how_often_a_difference_is_found(true, rejected):
    """Differences of mean 0 are called one in 5 of 100 trials; 0.06 at a standard error of 0.02 in 85."""
    trials, found = 400, 0
    for trial in range(trials):
        rng = seeded((3, trial))
        units = np.repeat(np.arange(60), 4)
        shared = rng.normal(true, 0.14, 60)[units] + rng.normal(0, 0.14, 240)
        losses = rng.exponential(0.6, 240)
        result = compare(losses + shared, losses, units=units, replicates=200, rng=rng)
        found += result.verdict in ("helps", "hurts")
    # Three binomial standard errors over 400 trials are 3.6 (of 6 %) and 5.4 points (of 85 %).
    assert found / trials == pytest.approx(rejected, abs=0.054 if true else 0.036)


def test_one_unit_is_undecided():
    result = compare([0.5, 0.6], [0.7, 0.8], units=["a", "a"], rng=seeded())
    assert result.difference == pytest.approx(-0.2) and result.n == 1
    assert math.isnan(result.low) and result.verdict == "undecided"


def test_equal_seeds_agree():
    losses, units = settings_of_one_world()
    one, same, other = (
        compare_many(losses, "right", units=units, replicates=50, rng=seeded(seed)) for seed in (1, 1, 2)
    )
    pd.testing.assert_frame_equal(one, same, check_exact=True)
    assert not one.equals(other)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"loss_a": [0.5, np.nan]}, "loss of 'loss_a' of game 1 is nan: it must be finite"),
        ({"loss_b": [np.inf, 0.5]}, "loss of 'loss_b' of game 0 is inf"),
        ({"loss_b": [0.5]}, r"loss of 'loss_b' has shape \(1,\): it must be \(2,\)"),
        ({"loss_a": [[0.5, 0.5]]}, r"loss of 'loss_a' has shape \(1, 2\): it must be \(n,\)"),
        ({"loss_a": [], "loss_b": []}, "there are no games"),
        ({"margin": -0.1}, "margin is -0.1"),
        ({"margin": math.nan}, "margin is nan"),
        ({"units": ["a"]}, r"units has shape \(1,\)"),
        ({"weighting": "none"}, "weighting is 'none'"),
    ],
)
def test_bad_comparisons_are_refused(changes, message):
    arguments = {"loss_a": [0.5, 0.6], "loss_b": [0.6, 0.6], "units": None, "rng": seeded()} | changes
    with pytest.raises(ValueError, match=message):
        compare(arguments.pop("loss_a"), arguments.pop("loss_b"), **arguments)


@pytest.mark.parametrize(
    ("losses", "baseline", "message"),
    [
        ({"a": [0.5], "b": [0.6]}, "c", r"baseline is 'c': .* \['a', 'b'\]"),
        ({"a": [0.5]}, "a", "two or more settings"),
        ({}, "a", "at least one setting"),
        (pd.DataFrame([[1.0, 2.0]], columns=["a", "a"]), "a", "a setting stands twice"),
    ],
)
def test_bad_tables_are_refused(losses, baseline, message):
    with pytest.raises(ValueError, match=message):
        compare_many(losses, baseline, units=None, rng=seeded())


def test_units_must_be_said():
    with pytest.raises(TypeError, match="units"):
        compare([0.5], [0.6], rng=seeded())
