"""Summing up many runs: numbers worked out by hand on small tables."""

import numpy as np
import pandas as pd
import pytest

from ludometrics.draughts import Level
from ludometrics.simulation import days_summary, levels_summary
from ludometrics.simulation.days_claims import PUBLISHED_RATINGS, course_claims
from ludometrics.simulation.ladder import Ladder
from ludometrics.simulation.presets import LADDERS
from ludometrics.simulation.scenarios import ADDS, COMPARED_WITH, SCENARIOS


def test_ratings_have_the_interval_of_the_mean_and_that_of_a_run():
    players = pd.DataFrame(
        {"replication": [0, 1, 2], "name": ["Ann"] * 3, "rating": [1190.0, 1200.0, 1210.0]}
    )
    (row,) = days_summary.rating_table(players).itertuples()
    # Student with 2 degrees of freedom: 4.302653; the standard deviation is 10.
    assert (row.mean, row.sd, row.n) == (1200.0, 10.0, 3)
    assert row.mean_high == pytest.approx(1200 + 4.302653 * 10 / np.sqrt(3), abs=1e-4)
    assert row.run_high == pytest.approx(1200 + 4.302653 * 10 * np.sqrt(4 / 3), abs=1e-4)


def test_blocks_of_days_are_pooled_exactly():
    rng = np.random.default_rng(3)
    values = rng.normal(1200, 50, size=30)
    blocks = [values[:7], values[7:8], values[8:]]
    spread = lambda block: np.nan if len(block) == 1 else block.std(ddof=1)  # noqa: E731
    days = pd.DataFrame(
        [
            {"day": 1, "name": "Ann", "n": len(block), "mean": block.mean(), "sd": spread(block)}
            for block in blocks
        ]
    )
    (row,) = days_summary.join_days(days).itertuples()
    assert row.n == 30
    assert row.mean == pytest.approx(values.mean(), abs=1e-9)
    assert row.sd == pytest.approx(values.std(ddof=1), abs=1e-6)


def phases(distances: dict[str, list[float]]) -> pd.DataFrame:
    """A table of phases in which each scenario has the given per-game distances over all days."""
    rows = []
    for scenario, values in distances.items():
        for replication, value in enumerate(values):
            for phase, shift in (("1-10", 0.01), ("11-20", -0.01), ("1-20", 0.0)):
                measures = {
                    "mean_distance": 0.2,
                    "mean_u": 0.04,
                    "true_mean_distance": 0.2,
                    "share_even": 0.5,
                }
                row = {"scenario": scenario, "replication": replication, "phase": phase}
                rows.append(row | measures | {"game_distance": value + shift})
    # As in a table on disk, where rows are sorted by key: "1-20" comes before "11-20".
    return pd.DataFrame(rows).sort_values(["scenario", "replication", "phase"], ignore_index=True)


def players(scenarios) -> pd.DataFrame:
    row = {"losing_run": 3, "level_changes": 2, "games_until_near": 4.0}
    return pd.DataFrame(
        [{"scenario": scenario, "replication": 0, "name": "Ann", **row} for scenario in scenarios]
    )


@pytest.mark.parametrize(
    ("change", "verdict"),
    [
        ([-0.05, -0.051, -0.049], "helps"),
        ([0.05, 0.051, 0.049], "hurts"),
        ([0.001, 0.0, -0.001], "neutral"),
        ([0.03, -0.02, 0.0], "undecided"),
    ],
)
def test_verdicts_come_from_the_interval_of_the_paired_difference(change, verdict):
    base = [0.3, 0.31, 0.32]
    table = phases({"course": base, "nine": [a + b for a, b in zip(base, change, strict=True)]})
    result = days_summary.matching_table(
        table, players(["course", "nine"]), {"x": 0.25}, {"course": "x", "nine": "x"}
    ).set_index("scenario")
    assert result.loc["nine", "verdict"] == verdict and result.loc["course", "verdict"] == "-"
    assert result.loc["nine", "difference"] == pytest.approx(np.mean(change))
    assert result.loc["course", "game_distance_1"] == pytest.approx(0.32)
    assert result.loc["course", "game_distance_2"] == pytest.approx(0.30)
    assert result.loc["course", "game_distance_all"] == pytest.approx(0.31)


def test_evenness_takes_the_root_after_the_mean():
    table = phases({"course": [0.3, 0.3, 0.3]})
    table.loc[table["replication"] == 0, "mean_u"] = -0.02
    result = days_summary.evenness_table(table).set_index(["phase", "measure"])
    assert result.loc[("1-10", "rms"), "value"] == pytest.approx(np.sqrt((0.04 + 0.04 - 0.02) / 3))
    assert np.isnan(result.loc[("1-10", "rms"), "run_low"])


LADDER = Ladder(("l1", "l2"), (Level(2, 0.5), Level(2, 0.2)), ("x", "y"), (1000.0, 1200.0))
TRUTH = pd.DataFrame(
    [
        {"player": "Ann", "level": level, "variant": "", "colour": colour}
        | {"wins": wins, "draws": 20, "losses": 80 - wins, "n": 100}
        for level, wins in (("l1", 60), ("l2", 30))
        for colour in "bw"
    ]
)


def test_the_best_distance_is_that_of_the_nearest_level():
    # Scores 0.7 and 0.4: distances 0.2 and 0.1.
    assert days_summary.best_distance(TRUTH) == pytest.approx(0.1)
    assert days_summary.best_distance(TRUTH, target=0.7) == pytest.approx(0.0)


def test_expected_scores_are_held_against_what_was_played():
    table = days_summary.expected_score_table(TRUTH, LADDER).set_index("level")
    assert table["score"].to_dict() == pytest.approx({"l1": 0.7, "l2": 0.4})
    assert table["difference"]["l1"] - table["difference"]["l2"] == pytest.approx(200.0)
    assert table["expected"].mean() == pytest.approx(0.55), "the rating gives the mean score"
    # Variance of a game's score: (60 + 20/4)/100 - 0.7^2 = 0.16, over 200 games.
    assert table["high"]["l1"] - 0.7 == pytest.approx(1.959964 * np.sqrt(0.16 / 200), abs=1e-6)


def test_seeds_of_ratings_are_averaged():
    ratings = pd.DataFrame(
        {
            "seed": [1, 1, 2, 2],
            "depth": [1, 4, 1, 4],
            "chance": [0.5, 0.1, 0.5, 0.1],
            "rating": [700.0, 1500.0, 720.0, 1500.0],
            "error": [3.0, 0.0, 4.0, 0.0],
            "games": [10, 10, 10, 10],
            "draw_share": [0.1, 0.2, 0.3, 0.2],
        }
    )
    table = levels_summary.join_ratings(ratings, count=2).set_index("depth")
    assert (
        table.loc[1, "rating"] == 710 and table.loc[1, "n"] == 20 and table["level"].tolist() == ["l1", "l2"]
    )
    assert table.loc[1, "rating_high"] - 710 == pytest.approx(1.959964 * 2.5, abs=1e-5)  # 5 / 2
    with pytest.raises(ValueError, match="stands in 1 of 2 seeds"):
        levels_summary.join_ratings(ratings.drop(index=0), count=2)
    pairs = levels_summary.compare_players(ratings, players=(("Top", Level(4, 0.1)), ("Low", Level(1, 0.5))))
    assert pairs["difference"].tolist() == [790.0] and pairs["n"].tolist() == [2]


def test_every_scenario_says_what_it_adds_and_to_what():
    assert set(ADDS) == set(SCENARIOS)
    assert set(COMPARED_WITH) == set(SCENARIOS) - {"course"}
    assert set(COMPARED_WITH.values()) <= set(SCENARIOS)
    assert {id(settings.ladder) for settings in SCENARIOS.values()} == {
        id(ladder) for ladder in LADDERS.values()
    }


def test_claims_hold_a_single_run_against_the_spread_of_runs():
    rng = np.random.default_rng(1)
    names = [
        *(f"Sim {name}" for name in ("Ada", "Ben", "Cat", "Dan", "Fin", "Gus", "Hal")),
        *list(PUBLISHED_RATINGS)[2:],
    ]
    rows = [
        {"replication": run, "name": name, "rating": PUBLISHED_RATINGS.get(name, 800) + rng.normal(0, 20)}
        for run in range(40)
        for name in names
    ]
    evenness = [
        {"replication": run, "phase": phase, "mean_distance": value + rng.normal(0, 0.01)}
        for run in range(40)
        for phase, value in (("1-10", 0.3), ("11-20", 0.2))
    ]
    pairs = [("Sim Cat", "Sim Dan"), ("Sim Fin", "Sim Gus"), ("Sim Gus", "Sim Hal")]
    equal = pd.DataFrame(
        [
            {"stronger": a, "weaker": b, "difference": 1.0, "difference_low": -5.0, "difference_high": 7.0}
            for a, b in pairs
        ]
    )
    claims = {row["claim"]: row for row in course_claims(pd.DataFrame(rows), pd.DataFrame(evenness), equal)}
    assert claims["rating of Sim Ada after 20 days"]["verdict"] == "reproduced"
    assert claims["evenness, days 1-10"]["verdict"] == "fitted"
    assert claims["gain of a winner who is 400 points ahead"]["ours"] == pytest.approx(2.909, abs=5e-4)
    assert claims["expected score 400 points ahead"]["verdict"] == "reproduced"
    assert claims["games are more even with matching than before"]["ours"] == 1.0
    assert "1 [-5, 7] points apart" in claims["rating of Gus above Fin (intended: below)"]["note"]
