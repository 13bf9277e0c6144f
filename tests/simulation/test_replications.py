"""Tables over replications: complete, the same in any blocks, and equal to what the definitions say."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from ludometrics.draughts import Level
from ludometrics.matching import RULES, squared_distance
from ludometrics.provenance import replication_streams
from ludometrics.simulation.draughts_days import DaysSettings, level_games, simulate_days
from ludometrics.simulation.ladder import Ladder
from ludometrics.simulation.replications import phases_of, simulate_replications
from ludometrics.simulation.truth import truth_table

LADDER = Ladder(
    keys=("1", "2"),
    levels=(Level(1, 0.9), Level(2, 0.4)),
    names=("Computer (1)", "Computer (2)"),
    ratings=(730.0, 1100.0),
)
SETTINGS = DaysSettings(
    players=(("Ann", Level(2, 0.3)), ("Bob", Level(1, 0.5))), ladder=LADDER, rule=RULES["steady"], days=12
)


@pytest.fixture(scope="module")
def truth():
    return truth_table(SETTINGS.players, LADDER, 50, rng=np.random.default_rng(1))


@pytest.fixture(scope="module")
def result(truth):
    return simulate_replications(SETTINGS, seed=5, first=0, count=3, truth=truth, progress=False)


def test_tables_are_complete(result):
    assert len(result.players) == 3 * 4 and len(result.phases) == 3 * 3 and len(result.runs) == 3
    assert result.days[["day", "name"]].drop_duplicates().shape[0] == len(result.days) == 12 * 4
    assert len(result.decisions) == 3 * 2 * 2 * 3 and not result.decisions["true_expected"].isna().any()
    assert not result.phases.isna().any(axis=None)
    people = result.players["name"].isin(["Ann", "Bob"])
    assert result.players.loc[people, ["n_1", "n_2"]].values.tolist() == [[30, 6]] * 6
    assert result.players.loc[~people, "mean_1"].isna().all()


def test_blocks_of_replications_join_to_the_same_tables(result, truth):
    blocks = [
        simulate_replications(SETTINGS, seed=5, first=first, count=count, truth=truth, progress=False)
        for first, count in ((0, 1), (1, 2))
    ]
    for name in ("players", "phases", "runs", "decisions"):
        joined = pd.concat([getattr(block, name) for block in blocks], ignore_index=True)
        pd.testing.assert_frame_equal(joined, getattr(result, name))


def test_tables_follow_the_definitions(result, truth):
    ((_, rng),) = replication_streams(5, 1, 1)
    record = simulate_days(SETTINGS, rng=rng)
    own = level_games(record)
    ann = own[(own["player"] == "Ann") & (own["day"] <= 10)]["score"]
    row = result.players.set_index(["replication", "name"]).loc[(1, "Ann")]
    assert row["mean_1"] == ann.mean() and row["u_1"] == squared_distance(ann)
    assert row["rating"] == record.final["rating"]["Ann"]
    scores = (truth["wins"] + truth["draws"] / 2).groupby([truth["player"], truth["level"]]).sum() / 100
    second = own[own["day"] > 10]
    distance = np.mean(
        [
            abs(scores[player, level] - 0.5)
            for player, level in zip(second["player"], second["level"], strict=True)
        ]
    )
    phases = result.phases.set_index(["replication", "phase"])
    assert phases.loc[(1, "11-12"), "game_distance"] == pytest.approx(distance)
    mean = own.groupby("player")["score"].mean()
    assert phases.loc[(1, "1-12"), "mean_distance"] == pytest.approx((mean - 0.5).abs().mean())
    assert bool(result.runs["order_right"][1]) == (
        record.final["rating"]["Ann"] > record.final["rating"]["Bob"]
    )
    last = result.days.set_index(["day", "name"]).loc[(12, "Bob")]
    finals = result.players.loc[result.players["name"] == "Bob", "rating"]
    assert last["mean"] == pytest.approx(finals.mean()) and last["sd"] == pytest.approx(finals.std())


def test_without_truth_its_columns_are_missing():
    result = simulate_replications(SETTINGS, seed=5, first=0, count=1, progress=False)
    assert result.phases[["true_mean_distance", "game_distance", "share_even"]].isna().all(axis=None)
    assert result.decisions["true_expected"].isna().all() and result.days["sd"].isna().all()


def test_phases_of_a_short_run():
    assert phases_of(replace(SETTINGS, days=10)) == {"1-10": (1, 10)}
    assert phases_of(replace(SETTINGS, days=11)) == {"1-10": (1, 10), "11-11": (11, 11), "1-11": (1, 11)}


def test_a_truth_of_other_players_is_an_error(truth):
    other = truth.assign(player=truth["player"].replace({"Ann": "Zoe"}))
    with pytest.raises(ValueError, match="truth has no games of 'Ann'"):
        simulate_replications(SETTINGS, seed=5, first=0, count=1, truth=other, progress=False)


def test_nearness_to_the_truth_is_told_on_the_scale_of_the_levels_only(result, truth):
    assert SETTINGS.rule.anchored and result.players["games_until_near"].notna().any()
    course = replace(SETTINGS, rule=RULES["course"], random_days=6)
    floating = simulate_replications(course, seed=5, first=0, count=2, truth=truth, progress=False)
    assert floating.players["games_until_near"].isna().all()
