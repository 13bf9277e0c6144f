"""Rates, scores and intervals of runs: by hand, against known chances, and with few runs."""

import numpy as np
import pandas as pd
import pytest

from arena_rows import curves, row, rows_of, simulate
from ludometrics.connect4.run_table import CONDITIONS, PERFECT_FIRST, STANDARD, Condition
from ludometrics.connect4.runs import (
    caution,
    overall_over_runs,
    overall_scores,
    pool_evaluations,
    rates_over_runs,
    run_rates,
)

SECOND = Condition("perfect", 0.1, "second")


@pytest.fixture
def rng():
    return np.random.default_rng(1)


def test_rate_and_score_of_one_run_by_hand():
    found = run_rates(pd.DataFrame([row(0, 6, drawn=1)])).iloc[0]
    assert found["win_rate"] == 0.6
    assert found["score"] == pytest.approx(0.3)  # (6 - 3) / 10
    # Wilson: (p + z^2/2n -+ z sqrt(p(1-p)/n + z^2/4n^2)) / (1 + z^2/n), z = 1.96, n = 10
    assert found["win_rate_low"] == pytest.approx(0.3127, abs=1e-4)
    assert found["win_rate_high"] == pytest.approx(0.8318, abs=1e-4)
    assert found["n"] == 10


def test_mean_over_runs_by_hand(rng):
    found = rates_over_runs(rows_of([6, 8, 10, 8]), rng=rng).iloc[0]
    assert found["win_rate"] == 0.8 and found["score"] == pytest.approx(0.6)
    assert (found["games"], found["won"], found["lost"], found["n"]) == (40, 32, 8, 4)
    assert found["win_rate_sd"] == pytest.approx(np.sqrt(0.08 / 3))
    assert (found["worst"], found["worst_run"], found["best"], found["best_run"]) == (0.6, 0, 1.0, 2)
    assert 0.6 <= found["win_rate_low"] < 0.8 < found["win_rate_high"] <= 1.0
    assert "4 runs" in found["caution"]


def test_what_is_resampled_is_the_run_not_the_game(rng):
    # All runs alike: games vary, runs do not, so that the interval of runs has no width.
    found = rates_over_runs(rows_of([5] * 10), rng=rng).iloc[0]
    assert found["win_rate_low"] == found["win_rate_high"] == 0.5
    # Ten times the games of runs that differ: the interval stays as wide.
    few = rates_over_runs(rows_of([2, 8] * 5), rng=np.random.default_rng(1)).iloc[0]
    many = rates_over_runs(rows_of([20, 80] * 5, games=100), rng=np.random.default_rng(1)).iloc[0]
    names = ["win_rate", "win_rate_low", "win_rate_high"]
    assert few[names].tolist() == pytest.approx(many[names].tolist())
    assert few["win_rate_high"] - few["win_rate_low"] > 0.3


def test_two_runs_exactly(rng):
    # Of two runs a quarter of the draws are twice the one, a quarter twice the other: the ends are the runs themselves.
    found = rates_over_runs(rows_of([4, 9]), rng=rng).iloc[0]
    assert [found["win_rate_low"], found["win_rate_high"]] == [0.4, 0.9]


def test_one_run_has_no_interval_and_says_so(rng):
    found = rates_over_runs(rows_of([9]), rng=rng).iloc[0]
    assert found["win_rate"] == 0.9 and found["n"] == 1
    assert found[["win_rate_low", "win_rate_high", "win_rate_sd", "score_low"]].isna().all()
    assert found["caution"] == "one run: no interval"


def test_caution_fades_with_the_number_of_runs():
    said = [caution(n) for n in (1, 2, 3, 5, 10, 20, 40)]
    assert len(set(said)) == 6 and said[-2:] == ["", ""]


def test_same_state_same_table_whatever_the_order_of_rows():
    table = simulate(lambda *_: 0.7, [100, 200], 5, rng=np.random.default_rng(3))
    one = rates_over_runs(table, rng=np.random.default_rng(7))
    other = rates_over_runs(table.iloc[::-1], rng=np.random.default_rng(7))
    pd.testing.assert_frame_equal(one, other)
    # A pairing has the same interval alone as among others.
    alone = rates_over_runs(table[table["opponent"] == "depth 4"], rng=np.random.default_rng(7))
    among = one[one["opponent"] == "depth 4"].reset_index(drop=True)
    pd.testing.assert_frame_equal(alone, among)


@pytest.mark.parametrize("runs, low, high", [(10, 0.86, 0.92), (5, 0.77, 0.86)], ids=("ten", "five"))
def test_how_often_the_interval_holds_the_true_mean(runs, low, high, rng):
    # Chances of runs vary as beta(9, 3); 1,500 sets of runs stand as steps. Two standard errors of a share are 0.016.
    chances = rng.beta(9, 3, (1500, runs))
    table = simulate(
        lambda run, step, _: chances[step - 1, run],
        range(1, 1501),
        runs,
        pairings=[PERFECT_FIRST],
        games=50,
        rng=rng,
    )
    found = rates_over_runs(table, replicates=1000, rng=rng)
    held = ((found["win_rate_low"] <= 0.75) & (found["win_rate_high"] >= 0.75)).mean()
    assert low < held < high
    assert found["win_rate"].mean() == pytest.approx(0.75, abs=0.01)


def test_overall_score_counts_each_condition_once():
    rows = [row(0, 10, pairing=one) for one in STANDARD]
    # One condition of a hundred games, all lost: a twenty-second, not a hundred games' worth; random does not count.
    rows[5] = row(0, 0, pairing=STANDARD[5], games=100)
    rows[0] = row(0, 0, pairing=STANDARD[0])
    found = overall_scores(pd.DataFrame(rows)).iloc[0]
    assert found["score"] == pytest.approx((21 - 1) / 22)
    assert (found["games"], found["conditions"]) == (310, 22)


def test_overall_scores_over_runs(rng):
    parts = [rows_of([10, 8, 6], pairing=one) for one in CONDITIONS]
    found = overall_over_runs(pd.concat(parts), rng=rng).iloc[0]
    assert found["score"] == pytest.approx(0.6)
    assert (found["worst"], found["worst_run"], found["n"]) == (pytest.approx(0.2), 2, 3)
    assert found["score_low"] < 0.6 < found["score_high"]


def test_a_condition_that_was_not_played_is_named():
    rows = pd.concat([rows_of([9, 9], pairing=one) for one in CONDITIONS if one != SECOND])
    said = "recipe 'own', step 100: 1 of 22 conditions are not there, the first perfect with error 0.1 second"
    with pytest.raises(ValueError, match=said):
        overall_scores(rows)
    with pytest.raises(ValueError, match="conditions is empty"):
        overall_scores(rows, [])


def test_pooling_adds_games_and_keeps_runs_apart(rng):
    table = curves([[1, 2, 3, 4], [5, 6, 7, 8]])
    last = pool_evaluations(table, 3)
    assert last["won"].tolist() == [9, 21] and last["games"].tolist() == [30, 30]
    assert last[["step", "moves", "first_step", "evaluations"]].values.tolist() == [[400, 20_000, 200, 3]] * 2
    first = pool_evaluations(table, 2, "first")
    assert first["won"].tolist() == [3, 11] and set(first["step"]) == {200}
    assert rates_over_runs(last, rng=rng)["win_rate"].tolist() == [0.5]


def test_pooling_refuses_what_it_cannot_do():
    table = curves([[1, 2, 3], [5, 6, 7]])
    with pytest.raises(ValueError, match="recipe 'own' has 3 evaluations: 5 are to be pooled"):
        pool_evaluations(table)
    with pytest.raises(ValueError, match="which is 'middle'"):
        pool_evaluations(table, 2, "middle")
    with pytest.raises(ValueError, match="count is 0"):
        pool_evaluations(table, 0)
    more = pd.concat([table, rows_of([1, 1], step=300, pairing=SECOND)])
    with pytest.raises(
        ValueError, match=r"run 0: perfect with error 0\.1 second was not played at each of the steps"
    ):
        pool_evaluations(more, 2)
