"""The A/B study: counts add up, block by block, and the answers are those of the analysis itself."""

import math

import numpy as np
import pandas as pd
import pytest

from ludometrics.abtest.analysis import analyse
from ludometrics.provenance import read_table, replication_streams
from ludometrics.simulation import ab_grids, ab_summary
from ludometrics.simulation.ab_claims import course_test_claims
from ludometrics.simulation.ab_course import QUANTITIES, measure_course
from ludometrics.simulation.ab_games import simulate_ab
from ludometrics.simulation.ab_settings import PRESETS, preset
from ludometrics.simulation.ab_study import Answer, add_up, answer_naive, answer_ours, rate_methods
from ludometrics.simulation.ab_watch import LOOKS, look_rows, watch_methods, watch_one
from ludometrics.simulation.outcome_tables import load_outcomes


@pytest.fixture(scope="module")
def outcomes():
    return load_outcomes(read_table("results/draughts_outcomes/outcomes.csv"))


def as_frame(games):
    names = np.array([f"Player {number:03d}" for number in range(len(games.types))])
    frame = pd.DataFrame(
        {
            "player": names[games.player],
            "variant": np.where(games.variant == 1, "B", "A"),
            "score": games.score,
            "colour": np.where(games.is_black, "b", "w"),
        }
    )
    known = {
        name: None if values is None else dict(zip(names, values, strict=True))
        for name, values in (("ratings", games.ratings), ("blocks", games.blocks))
    }
    return frame, known


@pytest.mark.parametrize("design", sorted(set(PRESETS) - {"names_matching"}))
def test_the_study_asks_the_analysis_that_users_get(design, outcomes):
    games = simulate_ab(preset(design, 24, "course"), outcomes, rng=np.random.default_rng(8))
    frame, known = as_frame(games)
    assignment = PRESETS[design].assignment
    ours = answer_ours(games, assignment, rng=np.random.default_rng(1))
    said = analyse(frame, assignment=assignment, draws=999, rng=np.random.default_rng(1), **known)
    assert (ours.estimate, ours.low, ours.high) == pytest.approx(said.effect[:1] + said.effect[3:5])
    assert ours.p == said.decision.estimation.test.mid_p
    assert ours.decided == said.verdict.decided


def test_with_equal_versions_the_truth_is_zero(outcomes):
    games = simulate_ab(preset("hash_fixed", 24, "none"), outcomes, rng=np.random.default_rng(2))
    assert answer_naive(games).truth == 0.0
    assert answer_ours(games, "hash", rng=np.random.default_rng(1)).truth == 0.0


def test_within_players_the_truth_has_the_weights_of_the_estimate(outcomes):
    games = simulate_ab(preset("alternate_fixed", 24, "large"), outcomes, rng=np.random.default_rng(2))
    # Everybody has 32 games, half with each colour and version, so that all strata weigh the same.
    assert answer_ours(games, "alternate", rng=np.random.default_rng(1)).truth == pytest.approx(
        float(games.effects.mean())
    )


def test_blocks_add_up_to_the_whole(outcomes):
    settings = preset("game_fixed", 8, "course")
    key = ["method"]
    whole = rate_methods(settings, outcomes, seed=3, first=0, count=6)
    parts = [rate_methods(settings, outcomes, seed=3, first=first, count=3) for first in (0, 3)]
    joined = ab_summary.add_blocks(pd.concat(parts), key)
    pd.testing.assert_frame_equal(
        joined, whole.drop(columns="replication"), check_exact=False, rtol=1e-12, check_dtype=False
    )


def test_rates_are_shares_of_verdicts():
    answers = [
        Answer(True, -1, -0.10, -0.18, -0.02, 0.01, -0.05),
        Answer(True, 0, -0.02, -0.10, 0.06, 0.60, -0.05),
        Answer(True, 1, 0.10, 0.02, 0.18, 0.02, -0.05),
        Answer(False, 0, 0.40, -0.90, 0.90, 0.50, -0.05),
    ]
    row = {
        "design": "d",
        "players": 8,
        "truth": "course",
        "method": "naive",
        "replication": 0,
        "trials": 4,
        "games": 40,
    }
    rates = ab_summary.rates_table(
        pd.DataFrame([row | add_up(answers)]), ["design", "players", "truth", "method"]
    ).iloc[0]
    assert rates["difference"] == pytest.approx(2 / 3) and rates["difference_of_all"] == 0.5
    assert rates["coverage"] == pytest.approx(2 / 3) and rates["wrong_sign"] == 0.5
    assert rates["width"] == pytest.approx(0.16) and rates["bias"] == pytest.approx(-0.02 / 3 + 0.05)
    assert rates["by_range"] == pytest.approx(2 / 3) and rates["games"] == 10.0


def test_bars_tell_low_from_high():
    base = {"method": "default", "design": "d", "players": 8, "verdicts": 100}
    table = pd.DataFrame(
        [
            base | {"truth": "none", "difference": 0.07, "coverage": 0.93},
            base | {"truth": "course", "difference": 0.5, "coverage": 0.97},
        ]
    )
    bars = ab_summary.bars_table(table)
    assert bars["alarms_kept"].tolist() == ["high", "-"]
    assert bars["coverage_kept"].tolist() == ["low", "high"]


def test_looks_end_with_all_games(outcomes):
    games = simulate_ab(preset("alternate_fixed", 8, "none"), outcomes, rng=np.random.default_rng(1))
    rows = look_rows(games, by_day=False)
    counts = [int(row.sum()) for row in rows]
    assert len(rows) == LOOKS and counts == sorted(counts) and counts[-1] == len(games.player)


def test_who_looks_often_finds_at_least_as_much(outcomes):
    table = watch_methods(preset("game_fixed", 8, "none"), outcomes, seed=1, first=0, count=5)
    for _, own in table.groupby("method"):
        assert own["ever"].is_monotonic_increasing and (own["ever"] >= own["at"]).all()
        assert own["wrong"].is_monotonic_increasing
    assert set(table["method"]) == {"naive", "default", "sequence"}


def test_the_last_look_is_the_analysis_of_the_whole(outcomes):
    settings = preset("game_fixed", 8, "course")
    ((_, rng),) = replication_streams(5, 2, 1)
    games = simulate_ab(settings, outcomes, rng=rng)
    path = watch_one(settings, outcomes, seed=5, number=2, points=10)
    last = path[path["look"] == 10].set_index("method")
    said = answer_naive(games)
    assert (last.loc["naive", "estimate"], last.loc["naive", "low"]) == (said.estimate, said.low)
    assert last.loc["default", "low"] == answer_ours(games, "game", rng=np.random.default_rng(0)).low
    # The price of looking early.
    widths = last["high"] - last["low"]
    assert widths["sequence"] > widths["default"]


def test_the_parts_of_a_difference_add_up(outcomes):
    table = measure_course(preset("names_matching", 8, "course"), outcomes, seed=1, first=0, count=20)
    means = (table["total"] / table["n"]).set_axis(table["quantity"])
    assert list(table["quantity"]) == list(QUANTITIES)
    assert means["players"] + means["version"] + means["luck"] == pytest.approx(means["difference"])
    # Ada is much the strongest and in B: with her games B's players are better, without them worse.
    assert means["players"] > 0.0 > means["players_without"]
    assert 0.4 < means["share_strongest"] < 0.7


def test_power_is_measured_by_games_where_they_are_laid_down(outcomes):
    block = {"seed": 1, "first": 0, "count": 1}
    matched = ab_grids.power_grid("hash_matching", [8], [8, 16], outcomes, **block)
    assert set(matched["games_each"]) == {ab_grids.AS_MATCHED}
    table = ab_grids.power_grid("game_fixed", [8, 200], [8, 128], outcomes, **block)
    assert set(zip(table["players"], table["games_each"], strict=True)) == {(8, 8), (8, 128), (200, 8)}
    assert list(table.columns) == list(matched.columns)


def test_claims_are_made_from_the_parts(outcomes):
    block = {"seed": 1, "first": 0, "count": 30}
    designs = ("names_matching", "hash_matching", "alternate_fixed")
    parts = ab_summary.course_table(
        pd.concat([ab_grids.course_grid(design, outcomes, **block) for design in designs])
    )
    claims = {row["claim"]: row for row in course_test_claims(parts)}
    by_formula = [row for text, row in claims.items() if "by the course's formula" in text]
    assert len(by_formula) == 6 and all(row["verdict"] == "reproduced" for row in by_formula)
    ada = next(row for text, row in claims.items() if "strongest" in text)
    assert ada["ours"] > 0.9
    experiments = ab_summary.experiments_table(parts).set_index("experiment")
    first, second = experiments.loc["first"], experiments.loc["second"]
    # Allowing for who played, the first experiment says nothing; the second loses little.
    assert (
        first["honest_low"]
        < 0.0
        < first["honest_high"] - first["honest_low"] - (first["high"] - first["low"])
    )
    assert second["honest_high"] - second["honest_low"] < second["high"] - second["low"]


def test_an_empty_test_has_no_answer():
    sums = add_up([])
    assert sums["verdicts"] == 0 and sums["width"] == 0.0
    row = {"method": "naive", "replication": 0, "trials": 1, "games": 0}
    rates = ab_summary.rates_table(pd.DataFrame([row | sums]), ["method"]).iloc[0]
    assert math.isnan(rates["difference"]) and math.isnan(rates["coverage"])
