"""Regression on logits: against statsmodels, against the calibration slope, and its replicates against exact fits."""

import math

import numpy as np
import pytest
from scipy import special
from statsmodels.genmod.families import Binomial
from statsmodels.genmod.generalized_linear_model import GLM

from ludometrics.evaluation import calibration_slope, fit_logits, forecast_logits
from ludometrics.evaluation import logits as module
from ludometrics.evaluation.clusters import draw_units

#: Both solve the same equation to the rounding of their last step.
SOLVER = 1e-8
#: What the expansion may leave of a replicate, far below its noise.
EXPANSION = 2e-3


def seeded(seed=1):
    return np.random.default_rng(seed)


def world(rng, *, n_units=150, games=4, spread=0.8, slope=0.9, more=0.3):
    units = np.repeat(np.arange(n_units), games)
    logits = np.abs(rng.normal(0, spread, len(units)))
    z = rng.normal(size=n_units)[units]
    outcomes = (rng.random(len(units)) < special.expit(logits * (slope + more * z))).astype(float)
    return np.column_stack([logits, logits * z]), outcomes, units


def reference(columns, outcomes, weights=None):
    return GLM(outcomes, columns, family=Binomial(), freq_weights=weights).fit(tol=1e-14, maxiter=200).params


def test_coefficients_are_those_of_a_general_package():
    columns, outcomes, units = world(seeded())
    found = fit_logits(columns, outcomes, units=units, replicates=1, rng=seeded())
    assert [one.value for one in found] == pytest.approx(reference(columns, outcomes), abs=SOLVER)
    assert [one.n for one in found] == [150, 150]
    weights = seeded(3).integers(1, 4, len(units)).astype(float)
    found = fit_logits(columns, outcomes, units=units, weights=weights, replicates=1, rng=seeded())
    assert [one.value for one in found] == pytest.approx(reference(columns, outcomes, weights), abs=SOLVER)


@pytest.mark.parametrize("spread", [0.3, 0.8, 3.0])
def test_each_replicate_is_fitted(spread):
    columns, outcomes, units = world(seeded(2), spread=spread, n_units=80)
    level = 0.8
    found = fit_logits(columns, outcomes, units=units, replicates=40, level=level, rng=seeded(5))
    (counts,) = draw_units(80, 40, rng=seeded(5))
    exact = np.array([reference(columns, outcomes, row[units]) for row in counts])
    low, high = np.quantile(exact, [(1 - level) / 2, (1 + level) / 2], axis=0)
    assert [one.low for one in found] == pytest.approx(low, abs=EXPANSION)
    assert [one.high for one in found] == pytest.approx(high, abs=EXPANSION)


def test_far_replicates_are_solved_by_steps(monkeypatch):
    columns, outcomes, units = world(seeded(2), n_units=400)
    usual = fit_logits(columns, outcomes, units=units, replicates=50, rng=seeded(5))
    solve = module._solve_expansion
    monkeypatch.setattr(
        module, "_solve_expansion", lambda *args: (solve(*args)[0] * 0, np.zeros(50, dtype=bool))
    )
    by_steps = fit_logits(columns, outcomes, units=units, replicates=50, rng=seeded(5))
    assert np.array(usual) == pytest.approx(np.array(by_steps), abs=EXPANSION)
    assert usual != by_steps


def test_one_column_is_the_calibration_slope():
    columns, outcomes, units = world(seeded(4))
    chance = special.expit(columns[:, 0])
    (found,) = fit_logits(forecast_logits(chance)[:, None], outcomes, units=units, rng=seeded(6))
    slope = calibration_slope(chance, outcomes, units=units, rng=seeded(6))
    assert tuple(found) == pytest.approx(tuple(slope), abs=EXPANSION)


def test_turning_games_round_changes_nothing():
    columns, outcomes, units = world(seeded(7))
    turned = seeded(8).random(len(units)) < 0.5
    side = np.where(turned, -1.0, 1.0)[:, None]
    other = fit_logits(side * columns, np.where(turned, 1.0 - outcomes, outcomes), units=units, rng=seeded())
    assert np.array(other) == pytest.approx(
        np.array(fit_logits(columns, outcomes, units=units, rng=seeded())), abs=1e-9
    )


@pytest.mark.parametrize(
    ("columns", "outcomes"),
    [
        ([[1.0, 2.0], [2.0, 4.0], [3.0, 6.0]], [1, 0, 1]),
        ([[1.0], [2.0], [0.5]], [1, 1, 1]),
        ([[0.0], [0.0]], [1, 0]),
    ],
    ids=["columns that are multiples", "outcomes parted without fault", "nothing to fit"],
)
def test_what_the_games_do_not_fix_is_nan(columns, outcomes):
    found = fit_logits(columns, outcomes, replicates=5, rng=seeded())
    assert all(math.isnan(x) for one in found for x in one[:3])


def test_a_unit_alone_has_no_interval():
    columns, outcomes, units = world(seeded(9), n_units=1, games=60)
    found = fit_logits(columns[:, :1], outcomes, units=units, replicates=5, rng=seeded())
    assert math.isfinite(found[0].value) and math.isnan(found[0].low)


def test_units_as_a_whole_cover_the_truth():
    covered = 0
    for rng in seeded(11).spawn(60):
        columns, outcomes, units = world(rng, more=0.3, n_units=120)
        more = fit_logits(columns, outcomes, units=units, replicates=200, rng=rng)[1]
        covered += more.low <= 0.3 <= more.high
    assert 50 <= covered <= 60  # 57 expected, standard deviation 1.7


def test_bad_input_is_told():
    with pytest.raises(ValueError, match="outcome of game 1 is 2"):
        fit_logits([[1.0], [1.0]], [0, 2], rng=seeded())
    with pytest.raises(ValueError, match="column of game 1 is nan"):
        fit_logits([[1.0], [math.nan]], [0, 1], rng=seeded())
    with pytest.raises(ValueError, match="level"):
        fit_logits([[1.0], [1.0]], [0, 1], level=95, rng=seeded())
