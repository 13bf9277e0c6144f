"""The published figures, and ours held against them."""

import math

import numpy as np
import pandas as pd
import pytest

from arena_rows import clocks, curves, rows_of, simulate
from ludometrics.connect4.published import RECIPES, published_curve, published_table, replication_rows
from ludometrics.connect4.published_measures import _MEASURES, _OVERALL, _REACHED
from ludometrics.connect4.run_table import CONDITIONS, PERFECT_FIRST, STANDARD, Condition
from ludometrics.connect4.run_times import training_times
from ludometrics.evaluation import Estimate
from ludometrics.provenance.replication import CLAIM_COLUMNS

STEPS = range(1000, 25_001, 1000)
FIRST = {
    "recipes": {"recipe": "own"},
    "by": "step",
    "hardware": "two cores",
    "replicates": 100,
}


def hold(arena, times=None, **more):
    """Rows of replication by the figure's name."""
    rows = replication_rows(arena, times, **(FIRST | more), rng=np.random.default_rng(1))
    return dict(zip(published_table()["name"], rows, strict=True))


def first_side(wins_at, runs=4, steps=STEPS, **more):
    """Runs that win so many of 50 games first against the perfect player; run r one game fewer than run 0 by r."""
    rows = [
        rows_of([wins_at(step) - run for run in range(runs)], step=step, games=50, **more) for step in steps
    ]
    return pd.concat(rows, ignore_index=True)


def test_the_table_is_whole():
    table = published_table()
    assert table["name"].is_unique and table["claim"].is_unique and len(table) > 80
    assert np.isfinite(table["value"]).all()
    ends = table[table["low"].notna()]
    assert (ends["low"] <= ends["value"]).all() and (ends["value"] <= ends["high"]).all()
    assert (table["low"].isna() == table["high"].isna()).all()
    assert set(table["recipe"]) | set(table["other"]) == {*RECIPES, ""}
    assert ((table["measure"] == "") == (table["why"] != "")).all()
    assert set(table["measure"]) - {""} == {
        *_MEASURES,
        *_OVERALL,
        *_REACHED,
        "forfeits",
        "difference",
        "pause_s",
    }
    share = table[table["unit"] == "share"]
    assert share["value"].between(0, 1).all()
    pairings = {
        (name, float(error), row.side)
        for row in table[table["opponent"] != ""].itertuples()
        for name in row.opponent.split(";")
        for error in row.error.split(";")
    }
    assert pairings <= {tuple(one) for one in STANDARD}


@pytest.mark.parametrize(
    "name, won, of",
    [
        ("first_perfect_end", 483, 500),
        ("first_perfect_end_drawn", 11, 500),
        ("first_perfect_end_lost", 6, 500),
        ("first_depth_2_lost", 31, 500),
        ("first_depth_8_lost", 26, 500),
        ("second_depth_16_end", 291, 500),
        ("second_depth_16_end_lost", 203, 500),
        ("first_perfect_end_worst", 44, 50),
        ("lost_on_time", 8, 300_000),
        ("selection_second_depth_16_fresh", 179, 200),
        ("selection_first_perfect_fresh", 182, 200),
    ],
)
def test_shares_are_the_published_counts(name, won, of):
    assert published_table().set_index("name").loc[name, "value"] == pytest.approx(won / of, rel=1e-8)


def test_the_table_that_is_given_may_be_changed():
    table = published_table()
    table.loc[:, "value"] = 0.0
    assert published_table()["value"].max() > 1.0
    assert published_curve()["step"].tolist() == [1000, 4000, 13_000, 25_000]


def test_every_figure_has_a_row_and_what_was_not_run_cannot_be_told():
    rows = hold(first_side(lambda step: 48), label="own")
    assert list(rows) == published_table()["name"].tolist()
    assert all(tuple(row) == CLAIM_COLUMNS and row["claim"].endswith(" (own)") for row in rows.values())
    assert rows["slow_first_five"]["note"].startswith("slow target was not run")
    assert "needs an A100" in rows["training_seconds"]["note"]
    assert "depth 16 book 12 second was not played" in rows["second_depth_16_end"]["note"]
    assert "22 conditions are not there" in rows["overall_last_five"]["note"]
    assert "training times are not given" in rows["seconds_to_90"]["note"]
    unknown = [row for row in rows.values() if row["verdict"] == "cannot tell"]
    assert all(row["ours"] is None and row["n"] == 0 and row["note"] for row in unknown)


def test_shares_by_hand():
    # Runs win 48, 47, 46, 45 of 50.
    rows = hold(first_side(lambda step: 48))
    end = rows["first_perfect_end"]
    assert end["ours"] == pytest.approx(0.93) and end["n"] == 4
    assert "own on two cores; step 25,000, 1,250,000 moves" in end["note"]
    assert rows["first_perfect_end_best"]["ours"] == 0.96 and rows["first_perfect_end_best"]["n"] == 50
    assert rows["first_perfect_end_worst"]["ours"] == 0.90
    assert rows["first_perfect_end_worst"]["ours_low"] == pytest.approx(0.7864, abs=1e-4)  # Wilson, 45 of 50
    assert rows["first_perfect_end_lost"]["ours"] == pytest.approx(0.07)
    assert rows["first_perfect_end_all_won"]["ours"] == 0.0
    assert rows["one_evaluation_sd"]["ours"] == pytest.approx(math.sqrt(5 / 3) / 50)
    assert rows["lost_on_time"]["ours"] == 0.0


def test_verdicts_follow_the_intervals():
    # First 5: means 0.40, 0.60, 0.80, 0.93, 0.95: 0.736. Published 0.737, and 0.93 after 4,000 steps.
    wins = {1000: 21.5, 2000: 31.5, 3000: 41.5, 4000: 48, 5000: 49}
    rows = hold(first_side(lambda step: math.floor(wins.get(step, 50))))
    assert rows["first_perfect_1000"]["ours"] == pytest.approx(0.39)
    assert rows["first_perfect_1000"]["verdict"] == "reproduced"
    assert rows["first_perfect_4000"]["verdict"] == "reproduced"
    assert rows["first_perfect_first_five"]["ours"] == pytest.approx((0.39 + 0.59 + 0.79 + 0.93 + 0.95) / 5)
    assert rows["first_perfect_first_five"]["verdict"] == "reproduced"
    assert rows["steps_to_90"]["ours"] == 4000.0 and rows["steps_to_90"]["verdict"] == "reproduced"
    assert rows["moves_to_90"]["ours"] == 200_000.0 and rows["moves_to_90"]["verdict"] == "not reproduced"
    assert rows["first_perfect_lowest_after_4000"]["ours"] == pytest.approx(0.93)
    assert rows["first_perfect_highest_after_4000"]["ours"] == pytest.approx(0.97)
    assert rows["first_perfect_highest_after_4000"]["note"].startswith(
        "own on two cores; step 4,000 to 25,000"
    )


def test_runs_that_are_all_alike_have_the_interval_of_their_games():
    # 200 games lost: the interval of runs would be the point 1.
    pairing = Condition("perfect", 0.0, "second")
    found = hold(rows_of([0] * 4, step=25_000, games=50, pairing=pairing))["second_perfect_end_lost"]
    assert (found["ours"], found["ours_high"], found["verdict"]) == (1.0, 1.0, "reproduced")
    assert found["ours_low"] == pytest.approx(1 / (1 + 1.96**2 / 200), abs=1e-4)  # Wilson at n of n


def test_lowest_and_highest_over_pairings_and_overall_scores():
    arena = simulate(lambda run, step, one: 0.9, [*STEPS[-5:]], 4, rng=np.random.default_rng(2), games=50)
    # Means over runs: each opponent's four rates; the lowest of them by hand.
    end = arena[(arena["step"] == 25_000) & (arena["side"] == "first") & (arena["error"] == 0.0)]
    end = end[~end["opponent"].isin(["random", "perfect"])]
    means = end.groupby("opponent")["won"].sum() / 200
    rows = hold(arena)
    assert len(means) == 7
    assert rows["first_search_lowest"]["ours"] == pytest.approx(means.min())
    assert rows["first_search_highest"]["ours"] == pytest.approx(means.max())
    counted = arena[
        [tuple(key) in set(CONDITIONS) for key in arena[["opponent", "error", "side"]].values.tolist()]
    ]
    assert rows["overall_last_five"]["ours"] == pytest.approx((counted["won"] - counted["lost"]).mean() / 50)
    assert rows["overall_last_five"]["n"] == 4
    assert rows["first_five_difference"]["verdict"] == "cannot tell"


def test_two_recipes_are_compared():
    both = pd.concat([first_side(lambda step: 45), first_side(lambda step: 42, recipe="slow")])
    rows = hold(both, recipes={"recipe": "own", "slow target": "slow"})
    found = rows["first_five_difference"]
    assert found["ours"] == pytest.approx(0.06) and found["verdict"] == "reproduced"
    assert rows["slow_first_five"]["ours"] == pytest.approx((42 - 1.5) / 50)


def test_evaluations_by_training_time():
    # Steps take 52 s and 1 more a run: evaluations after 53.5, 107, .., 535 s (mean of runs).
    steps = range(1, 11)
    arena = first_side(lambda step: 40 + step, steps=steps)
    times = training_times(clocks(4, steps, seconds=52.0))
    rows = hold(arena, times, by="training time")
    end = rows["first_perfect_end"]  # published after 516 s: 535 is within a tenth
    assert (
        end["ours"] == pytest.approx((50 - 1.5) / 50)
        and "step 10, 500 moves, 535 s of training" in end["note"]
    )
    assert rows["first_perfect_13000"]["ours"] == pytest.approx((46 - 1.5) / 50)  # 300 s: 321 s
    assert "the nearest is after 54 s" in rows["first_perfect_1000"]["note"]  # 25 s
    assert rows["seconds_to_90"]["ours"] == pytest.approx(7 * 53.5)  # (47 - 1.5) / 50 is the first above 0.9
    assert "a step of ours is not one of theirs" in rows["steps_to_90"]["note"]
    assert (
        "no training time was published"
        in hold(arena, times, by="training time", recipes={"slow target": "own"})["slow_first_perfect_4000"][
            "note"
        ]
    )


def test_a_rate_that_is_never_reached_takes_longer_than_was_looked():
    rows = hold(first_side(lambda step: 30))
    found = rows["steps_to_90"]
    assert (found["ours"], found["ours_low"], found["ours_high"]) == (25_000.0, 25_000.0, math.inf)
    assert found["verdict"] == "not reproduced" and "does not exceed 90 %" in found["note"]
    short = hold(first_side(lambda step: 30, steps=[1000, 2000]))["steps_to_90"]
    assert short["verdict"] == "cannot tell" and "does not exceed 90 % within 100,000 moves" in short["note"]


def test_other_evaluations_than_the_published_do_not_stand_for_them():
    rows = hold(first_side(lambda step: 48, steps=range(2000, 20_001, 2000)))
    assert "no evaluation at step 25,000" in rows["first_perfect_end"]["note"]
    assert "not evaluated at steps 1,000 to 5,000" in rows["first_perfect_first_five"]["note"]
    assert rows["first_perfect_4000"]["ours"] == pytest.approx(0.93)


def test_the_pause_of_full_evaluations_only():
    full = simulate(lambda *_: 0.9, [1, 2], 2, rng=np.random.default_rng(1), games=50)
    times = training_times(clocks(2, [1, 2], pause=45.0))
    assert hold(full, times)["pause_seconds"]["ours"] == 45.0
    few = full[full["opponent"] == "perfect"]
    assert "not all of 1,200 games" in hold(few, times)["pause_seconds"]["note"]


def test_one_run_has_no_interval_and_cannot_tell():
    found = hold(first_side(lambda step: 48, runs=1))["first_perfect_end"]
    assert found["verdict"] == "cannot tell" and "one run has no interval" in found["note"]


def test_values_measured_elsewhere_come_first():
    found = hold(rows_of([5, 5]), measured={"selection_fresh": Estimate(0.8, 0.78, 0.82, 1)})[
        "selection_fresh"
    ]
    assert (found["ours"], found["verdict"]) == (0.8, "reproduced")
    assert found["note"].startswith("two cores")


def test_the_same_state_gives_the_same_rows():
    arena = first_side(lambda step: 48)
    assert hold(arena) == hold(arena.sample(frac=1.0, random_state=1))


@pytest.mark.parametrize(
    "change, said",
    [
        ({"by": "moves"}, "by is 'moves'"),
        ({"by": "training time"}, "by is 'training time': times are needed"),
        ({"hardware": " "}, "hardware is empty"),
        ({"recipes": {"own": "own"}}, "recipes: 'own' is none of 'recipe', 'slow target'"),
        ({"recipes": {"recipe": "theirs"}}, "recipes: 'theirs' is not in the table of runs: there are 'own'"),
        ({"measured": {"luck": Estimate(1, 1, 1, 1)}}, "measured: no published figure is called 'luck'"),
        ({"times": training_times(clocks(1, [100]))}, "recipe 'own', run 1, step 100 has no time"),
    ],
    ids=("by", "times", "hardware", "recipe", "ours", "measured", "lacking"),
)
def test_a_wrong_request_is_refused(change, said):
    with pytest.raises(ValueError, match=said):
        hold(curves([[5], [6]], pairing=PERFECT_FIRST), **change)
