"""The contest of rating systems, its grids and what is said of them."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from ludometrics.ratings import ENTRANTS, EloSettings, expected_log_loss, rate
from ludometrics.ratings.entrants import title_of
from ludometrics.simulation.contest import judge_world, resized, run_contest
from ludometrics.simulation.contest_summary import (
    contest_claims,
    contest_table,
    grid_table,
    optimum_table,
)
from ludometrics.simulation.grids import run_grids
from ludometrics.simulation.rating_worlds import simulate_world
from ludometrics.simulation.world_presets import PRESETS

SMALL = replace(PRESETS["static"], players=10, games=400)
TWO = {name: ENTRANTS[name] for name in ("elo", "glicko1")}


def contest(world="static", count=3, entrants=TWO):
    table = run_contest(
        resized(PRESETS[world], players=10, games=400),
        entrants,
        seed=5,
        first=0,
        count=count,
        progress=False,
    )
    table.insert(0, "world", world)
    return table


def test_every_entrant_meets_the_same_worlds_and_none_beats_the_oracle():
    table = contest(entrants=ENTRANTS)
    assert set(table["entrant"]) == {*ENTRANTS, "oracle", "coin"}
    wide = table.pivot(index="replication", columns="entrant", values="excess")
    assert (wide["oracle"] == 0).all() and (wide.drop(columns="oracle") > 0).all().all()
    assert (wide.drop(columns=["oracle", "coin"]).mean() < wide["coin"].mean()).all()


def test_blocks_of_worlds_are_the_worlds_of_one_run():
    whole = contest(count=3)
    part = run_contest(
        resized(PRESETS["static"], players=10, games=400), TWO, seed=5, first=2, count=1, progress=False
    )
    same = whole[whole["replication"] == 2].drop(columns="world").reset_index(drop=True)
    pd.testing.assert_frame_equal(same, part)


def test_excess_is_the_loss_above_the_oracles_in_the_long_run():
    world = simulate_world(replace(SMALL, games=4000), rng=np.random.default_rng(3))
    scored = np.arange(2000, 4000)
    record = rate(world.games, "elo")
    found = judge_world(world, record, ENTRANTS["elo"], scored=scored)
    forecasts, truth = record.forecasts[scored], world.expected[scored]
    kl = truth * np.log(truth / forecasts) + (1 - truth) * np.log((1 - truth) / (1 - forecasts))
    assert found["excess"] == pytest.approx(kl.mean(), abs=1e-12)
    assert found["log_loss"] == pytest.approx(
        expected_log_loss(truth, truth).mean() + found["excess"], abs=0.03
    )


def test_the_first_half_is_not_scored():
    """A forecast may be as bad as it likes where it is not scored: only rows handed in count."""
    world = simulate_world(SMALL, rng=np.random.default_rng(4))
    record = rate(world.games, "elo")
    one = judge_world(world, record, ENTRANTS["elo"], scored=np.arange(200, 400))
    spoiled = replace(record, forecasts=np.r_[np.full(200, 0.01), record.forecasts[200:]])
    assert judge_world(world, spoiled, ENTRANTS["elo"], scored=np.arange(200, 400)) == one


def test_summary_ranks_pairs_and_says_how_sure():
    table = contest_table(pd.concat([contest("static"), contest("course")]))
    assert list(table.columns[:4]) == ["world", "rank", "entrant", "title"]
    for _, group in table.groupby("world"):
        ranked = group[group["rank"].notna()]
        assert sorted(ranked["rank"]) == [1, 2]
        assert ranked.sort_values("rank")["excess"].is_monotonic_increasing
        own = group.set_index("entrant")
        assert own.loc["elo", "difference"] == 0 and own.loc["elo", "verdict"] == "neutral"
        expected = own.loc["glicko1", "excess"] - own.loc["elo", "excess"]
        assert own.loc["glicko1", "difference"] == pytest.approx(expected, abs=1e-12)
        assert (own["excess_low"] <= own["excess"]).all() and (own["n"] == 3).all()
        assert np.isnan(own.loc["elo", "coverage"]) and 0 < own.loc["glicko1", "coverage"] <= 1
    assert title_of("oracle") == "Oracle"


def test_the_claim_of_the_course_is_an_event():
    (row,) = contest_claims(contest("course", count=4))
    assert row["published"] == 1 and row["n"] == 4 and 0 <= row["ours"] <= 1


def test_grid_table_by_hand():
    excess = np.array([[0.10, 0.05, 0.20], [0.12, 0.05, 0.18], [0.11, 0.06, 0.22], [0.10, 0.05, 0.20]])
    table = grid_table(pd.DataFrame({"k": [8.0, 16.0, 32.0]}), excess, default=2)
    assert table["best"].tolist() == [0, 1, 0] and table["near_best"].tolist() == [0, 1, 0]
    assert table["difference"].tolist() == pytest.approx([-0.0925, -0.1475, 0.0])
    assert table["verdict"].tolist() == ["helps", "helps", "neutral"] and (table["n"] == 4).all()


def test_near_best_is_paired():
    """Two settings that differ little, but always the same way, are told apart however much worlds differ."""
    luck = np.array([0.0, 0.1, 0.2, 0.3])
    excess = np.stack([0.1 + luck, 0.101 + luck + np.array([0, 1e-5, 0, 1e-5])], axis=1)
    table = grid_table(pd.DataFrame({"k": [8.0, 16.0]}), excess, default=0)
    assert table["near_best"].tolist() == [1, 0]


def test_more_games_want_a_smaller_k():
    grid = run_grids(PRESETS["static"], [100, 3000], players=10, seed=1, first=0, count=4, progress=False)
    grid.insert(0, "world", "static")
    best = optimum_table(grid, ("k", "growth")).set_index(["family", "games"])
    assert best.loc[("elo", 3000), "k"] < best.loc[("elo", 100), "k"]
    assert np.isnan(best.loc[("elo", 100), "growth"]) and np.isnan(best.loc[("glicko1", 100), "k"])
    own = grid[(grid["family"] == "elo") & (grid["games"] == 100)].set_index("setting")
    assert own.loc["k 32, first_k 1", "difference"] == 0


def test_grid_and_contest_agree_on_the_default():
    settings = resized(PRESETS["static"], players=10, games=400)
    scores = run_contest(settings, {"elo": ENTRANTS["elo"]}, seed=2, first=0, count=2, progress=False).query(
        "entrant == 'elo'"
    )
    grid = run_grids(PRESETS["static"], [400], players=10, seed=2, first=0, count=2, progress=False)
    own = grid.set_index("setting").loc["k 32, first_k 1", "excess"]
    assert own == pytest.approx(scores["excess"].mean(), abs=1e-12)
    assert ENTRANTS["elo"].settings == EloSettings()
