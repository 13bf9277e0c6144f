"""The trials of the board-game engine on groups of known strength: what they measure, at a small size."""

import dataclasses

import numpy as np
import pandas as pd
import pytest

from ludometrics.boardgames.engine import rate_log
from ludometrics.boardgames.judging import score_pairs
from ludometrics.boardgames.settings import PRESETS
from ludometrics.simulation import board_night_guests as guests
from ludometrics.simulation import board_night_top_two as top_two
from ludometrics.simulation.board_night_truth import excess, true_chances
from ludometrics.simulation.boardgame_groups import simulate_group
from ludometrics.simulation.boardgame_worlds import GROUPS

SMALL = dataclasses.replace(GROUPS["plain"], plays=150, guests=0.2)


@pytest.fixture(scope="module")
def group():
    return simulate_group(SMALL, rng=np.random.default_rng(4))


def test_true_chances_are_those_of_the_forecast_pairs(group):
    rated = rate_log(group.log, PRESETS["tuned"])
    pairs, chance = true_chances(group, score_pairs(rated.schedule, rated.ratings))
    assert len(pairs) > 200 and np.all(pairs.outcome != 0.5)
    # A forecaster who knows the truth loses nothing; one who is turned round loses much.
    known = dataclasses.replace(pairs, forecast=chance)
    assert excess(known, chance) == pytest.approx(0.0, abs=1e-12)
    assert excess(dataclasses.replace(pairs, forecast=1.0 - chance), chance).mean() > 0.05
    # The favourite by the truth wins as often as the truth says, within four standard errors.
    likely = np.where(chance >= 0.5, pairs.outcome, 1.0 - pairs.outcome)
    says = np.maximum(chance, 1.0 - chance)
    error = np.sqrt(np.mean(says * (1.0 - says)) / len(says))
    assert abs(likely.mean() - says.mean()) < 4.0 * error


def test_excess_is_a_mean_over_the_pairs_of_each_play(group):
    rated = rate_log(group.log, PRESETS["tuned"])
    pairs, chance = true_chances(group, score_pairs(rated.schedule, rated.ratings))
    by_hand = chance * np.log(chance / pairs.forecast) + (1 - chance) * np.log(
        (1 - chance) / (1 - pairs.forecast)
    )
    wanted = pd.Series(by_hand).groupby(pairs.play).mean().to_numpy()
    assert excess(pairs, chance) == pytest.approx(wanted, abs=1e-12)


def test_forecasts_of_another_group_are_refused(group):
    other = simulate_group(dataclasses.replace(SMALL, plays=160), rng=np.random.default_rng(5))
    rated = rate_log(other.log, PRESETS["tuned"])
    with pytest.raises(ValueError, match="not of this group"):
        true_chances(group, score_pairs(rated.schedule, rated.ratings))


def test_the_floor_keeps_the_two_best_apart_for_ever():
    trials = top_two.try_top_two(GROUPS["plain"], plays=(40, 640), seed=3, first=0, count=6, progress=False)
    assert len(trials) == 6 * 2 * len(top_two.ENGINES)
    late = trials[trials["plays"] == 640].set_index(["engine", "replication"])["deviation"].unstack(0)
    assert (late["tuned"] >= np.sqrt(2) * PRESETS["tuned"].floor - 1e-9).all()
    assert (late["still"] < late["tuned"]).all()
    gaps = trials.groupby("replication")["gap"].nunique()
    assert (gaps == 1).all() and (trials["gap"] > 0).all()


def test_told_needs_the_interval_to_leave_out_0():
    assert [top_two._told(*row) for row in ((100.0, 50.0), (-100.0, 50.0), (97.0, 50.0))] == [
        "right",
        "wrong",
        "open",
    ]


def test_top_two_table_and_plays_needed():
    told = {10: ["open"] * 10, 100: ["right"] * 4 + ["open"] * 6, 1000: ["right"] * 9 + ["wrong"]}
    rows = [
        ("tuned", plays, 30.0 + 10 * place, verdict, 1)
        for plays, verdicts in told.items()
        for place, verdict in enumerate(verdicts)
    ]
    trials = pd.DataFrame(rows, columns=["engine", "plays", "gap", "told", "in_order"])
    table = top_two.top_two_table(trials)
    whole = table[table["gap"] == "all"].set_index("plays")
    assert whole["right"].tolist() == [0.0, 0.4, 0.9] and whole["wrong"].tolist() == [0.0, 0.0, 0.1]
    assert (whole["n"] == 10).all() and (whole["right_low"] <= whole["right"]).all()
    assert table.loc[table["gap"] == "below 50", "n"].unique().tolist() == [2]
    needed = top_two.needed_table(table.assign(world="plain"), shares=(0.4, 0.65, 0.95)).set_index("share")
    assert (
        needed["plays"].round(6).tolist()[:2] == pytest.approx([100.0, 10**2.5])
        and needed["n"].tolist() == [10] * 3
    )
    assert np.isnan(needed.loc[0.95, "plays"]) and (needed["most"] == 1000).all()
    assert needed.loc[0.4, "low"] < 100.0 < needed.loc[0.4, "high"]


def test_dropping_guests_compares_less_and_hides_how_strong_they_are():
    trials = guests.try_guests(
        GROUPS["plain"], PRESETS["tuned"], plays=150, shares=(0.4,), stronger=(-150.0, 150.0),
        seed=2, first=0, count=4, progress=False,
    )  # fmt: skip
    table = guests.guests_table(trials).set_index(["stronger", "measure"])
    assert (table["n"] == 4).all()
    for gap in (-150.0, 150.0):
        assert table.loc[(gap, "pairs"), "high"] < 0.0
    # Weak guests who count as average ones lift everybody, strong ones push everybody down.
    assert table.loc[(-150.0, "bias"), "unknown"] > 20.0
    assert table.loc[(150.0, "bias"), "unknown"] < -20.0


@pytest.mark.parametrize("trial", ["top_two", "guests"])
def test_a_block_of_replications_is_a_part_of_the_whole(trial):
    def run(first, count):
        block = {"seed": 7, "first": first, "count": count, "progress": False}
        if trial == "top_two":
            return top_two.try_top_two(GROUPS["plain"], plays=(20, 60), **block)
        return guests.try_guests(
            GROUPS["plain"], PRESETS["tuned"], plays=60, shares=(0.2,), stronger=(0.0,), **block
        )

    whole, part = run(0, 3), run(2, 1)
    pd.testing.assert_frame_equal(whole[whole["replication"] == 2].reset_index(drop=True), part)
