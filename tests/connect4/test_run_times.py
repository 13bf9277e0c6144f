"""Training time from clocks, and when runs and recipes become strong."""

import math

import numpy as np
import pandas as pd
import pytest

from arena_rows import clocks, curves, rows_of
from ludometrics.connect4.run_table import Condition
from ludometrics.connect4.run_times import (
    pauses_over_runs,
    recipe_curves,
    recipes_reaching,
    run_curves,
    runs_reaching,
    training_times,
)

STEPS = (100, 200, 300, 400)
# The mean is 0.6, 0.8, 0.9, 0.95: it exceeds 90 % at the last, runs 0, 1 and 2 at the third, second and never.
WINS = [[5, 8, 10, 10], [8, 10, 10, 10], [6, 7, 7, 9], [5, 7, 9, 9]]


@pytest.fixture
def rng():
    return np.random.default_rng(1)


def test_training_time_leaves_out_all_pauses():
    found = training_times(clocks(2, [100, 200]))
    assert found[["run", "step", "training_s", "pause_s", "elapsed_s"]].values.tolist() == [
        [0, 100, 20.0, 5.0, 25.0],
        [1, 100, 21.0, 5.0, 26.0],
        [0, 200, 40.0, 5.0, 50.0],
        [1, 200, 42.0, 5.0, 52.0],
    ]


def test_clocks_that_are_wrong_are_named():
    good = clocks(2, [100])
    with pytest.raises(ValueError, match=r"recipe 'own', run 1: clock, row 1: .* s comes after"):
        training_times(good.assign(elapsed_s=[20.0, 25.0, 30.0, 1.0]))
    with pytest.raises(ValueError, match="recipe 'own', run 0: step 100 stands twice"):
        training_times(pd.concat([good.iloc[:2], good.iloc[1:2]]))
    with pytest.raises(ValueError, match="the clocks lack run; they need recipe, run, step"):
        training_times(good.drop(columns="run"))
    assert training_times(good[good["event"] == "metrics"]).empty


def test_runs_reach_the_rate_or_are_censored():
    found = runs_reaching(curves(WINS), training_times(clocks(4, STEPS)))
    assert found["reached"].tolist() == [True, True, False, False]
    assert found["step"].tolist()[:2] == [300, 200] and found["step"].isna().tolist() == [
        False,
        False,
        True,
        True,
    ]
    assert found["moves"].tolist()[:2] == [15_000, 10_000]
    assert found["moves_before"].tolist()[:2] == [10_000, 5000]
    assert found["training_s"].tolist()[:2] == [60.0, 42.0]
    assert set(found["last_moves"]) == {20_000}


def test_a_rate_must_be_exceeded_not_met_and_the_first_evaluation_has_none_before():
    found = runs_reaching(rows_of([9, 10])).set_index("run")
    assert found["reached"].tolist() == [False, True]
    assert found.loc[1, "moves_before"] == 0.0 and math.isnan(found.loc[1, "training_s"])


def test_a_recipe_reaches_the_rate_with_the_mean_of_its_runs(rng):
    found = recipes_reaching(curves(WINS), training_times(clocks(4, STEPS)), rng=rng).iloc[0]
    assert (found["step"], found["moves"]) == (400, 20_000)
    assert found["training_s"] == pytest.approx(4 * 21.5)  # runs take 20, 21, 22, 23 s a step
    assert (found["step_low"], found["step_high"]) == (
        200,
        math.inf,
    )  # run 1 alone at 200; runs 2 and 3 alone never
    assert (found["runs_reaching"], found["n"]) == (2, 4)
    assert math.isinf(found["moves_median"]) and math.isnan(found["moves_median_low"])


def test_a_mean_that_meets_the_rate_by_rounding_does_not_exceed_it(rng):
    found = recipes_reaching(curves([[9, 10], [9, 10], [9, 10]]), rng=rng).iloc[0]
    assert (found["step"], found["step_low"], found["step_high"]) == (200, 200, 200)


def test_a_recipe_that_never_reaches_the_rate(rng):
    found = recipes_reaching(curves([[1, 2], [3, 4]]), rng=rng).iloc[0]
    assert math.isinf(found["moves"]) and math.isnan(found["moves_low"])
    assert (found["runs_reaching"], found["last_moves"]) == (0, 10_000)


def test_the_median_over_runs_with_its_interval(rng):
    found = recipes_reaching(curves([[10, 10, 10]] * 3 + [[0, 10, 10]] * 3 + [[0, 0, 10]] * 3), rng=rng).iloc[
        0
    ]
    assert found["moves_median"] == 10_000
    assert (found["moves_median_low"], found["moves_median_high"]) == (5000, 15_000)


def test_another_pairing_and_rate(rng):
    pairing = Condition("perfect", 0.1, "second")
    rows = pd.concat([curves(WINS), curves([[1, 2, 6, 7]] * 4, pairing=pairing)])
    found = runs_reaching(rows, pairing=pairing, rate=0.5)
    assert found["step"].tolist() == [300] * 4
    with pytest.raises(ValueError, match=r"recipe 'own' has no games of perfect with error 0\.1 second"):
        runs_reaching(curves(WINS), pairing=pairing)
    with pytest.raises(ValueError, match="rate is 90"):
        runs_reaching(curves(WINS), rate=90)


def test_curves_stand_against_moves_and_time(rng):
    times = training_times(clocks(4, STEPS))
    thin, thick = run_curves(curves(WINS), times), recipe_curves(curves(WINS), times, rng=rng)
    assert len(thin) == 16 and len(thick) == 4
    assert thin.loc[thin["run"] == 3, "training_s"].tolist() == [23.0, 46.0, 69.0, 92.0]
    assert thick["win_rate"].tolist() == pytest.approx([0.6, 0.8, 0.9, 0.95])
    assert thick["training_s"].tolist() == [21.5, 43.0, 64.5, 86.0]
    assert thick[["training_s_low", "training_s_high"]].iloc[0].tolist() == [20.0, 23.0]
    assert recipe_curves(curves(WINS), rng=rng)["training_s"].isna().all()


def test_a_time_that_is_missing_is_named():
    times = training_times(clocks(4, STEPS))
    with pytest.raises(ValueError, match="times: recipe 'own', run 3, step 400 has no time"):
        run_curves(curves(WINS), times.iloc[:-1])
    with pytest.raises(ValueError, match="times: recipe 'own', run 0, step 100 stands twice"):
        run_curves(curves(WINS), pd.concat([times, times.iloc[:1]]))


def test_where_the_time_goes(rng):
    found = pauses_over_runs(training_times(clocks(3, STEPS, pause=20.0)), rng=rng).iloc[0]
    assert (found["evaluations"], found["n"]) == (4, 3)
    assert found[["training_s", "pauses_s", "total_s", "pause_s"]].tolist() == [84.0, 80.0, 164.0, 20.0]
    assert found["pause_share"] == pytest.approx(np.mean([80 / 160, 80 / 164, 80 / 168]))
    assert 80.0 <= found["training_s_low"] < 84.0 < found["training_s_high"] <= 88.0
    uneven = training_times(clocks(2, STEPS)).iloc[:-1]
    with pytest.raises(ValueError, match="recipe 'own': its runs were not timed at the same steps"):
        pauses_over_runs(uneven, rng=rng)
    with pytest.raises(ValueError, match="no rows"):
        pauses_over_runs(uneven.iloc[:0], rng=rng)
