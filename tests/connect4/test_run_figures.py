"""Tables behind the figures: outcomes, rates against errors, where the time goes."""

import numpy as np
import pandas as pd
import pytest

from arena_rows import clocks, rows_of, simulate
from ludometrics.connect4.run_figures import outcome_shares, rates_against_errors, time_parts
from ludometrics.connect4.run_table import STANDARD, Condition
from ludometrics.connect4.run_times import training_times


@pytest.fixture
def rng():
    return np.random.default_rng(1)


def test_outcomes_of_a_pairing_add_to_one(rng):
    rows = pd.concat([rows_of([6, 8], drawn=1), rows_of([0, 2], pairing=Condition("depth 1", 0.0, "second"))])
    found = outcome_shares(rows, rng=rng)
    assert found[["opponent", "outcome", "games", "share"]].values.tolist() == [
        ["depth 1", "won", 2, pytest.approx(0.1)],
        ["depth 1", "drawn", 0, 0.0],
        ["depth 1", "lost", 18, pytest.approx(0.9)],
        ["perfect", "won", 14, pytest.approx(0.7)],
        ["perfect", "drawn", 2, pytest.approx(0.1)],
        ["perfect", "lost", 4, pytest.approx(0.2)],
    ]
    assert (found["share_low"] <= found["share"]).all() and (found["share"] <= found["share_high"]).all()
    assert set(found["n"]) == {2} and found["caution"].str.startswith("two runs").all()


def test_rates_stand_by_side_and_error(rng):
    found = rates_against_errors(simulate(lambda *_: 0.5, [100], 3, rng=rng), rng=rng)
    assert found[["side", "error"]].values.tolist() == [
        [side, error] for side in ("first", "second") for error in (0.0, 0.1, 0.2, 0.3)
    ]
    with pytest.raises(ValueError, match="no game against 'perfect'"):
        rates_against_errors(rows_of([1, 2], pairing=STANDARD[0]), rng=rng)


def test_time_is_split_between_training_and_evaluation(rng):
    times = training_times(pd.concat([clocks(2, [1, 2]), clocks(2, [1, 2, 3], pause=60.0, recipe="a")]))
    found = time_parts(times, rng=rng)
    assert found[["recipe", "evaluations", "part", "seconds"]].values.tolist() == [
        ["a", 3, "training", 61.5],
        ["a", 3, "evaluation", 180.0],
        ["own", 2, "training", 41.0],
        ["own", 2, "evaluation", 10.0],
    ]
    assert found.groupby("recipe")["share"].sum().tolist() == pytest.approx([1.0, 1.0])
