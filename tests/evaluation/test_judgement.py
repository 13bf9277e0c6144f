"""The judgement of forecasts: each row is what its measure says, the rows are always the same."""

import math

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import special

from ludometrics.evaluation import (
    COIN,
    brier,
    calibration_slope,
    cluster_interval,
    correct,
    expected_calibration_error,
    judge,
    log_loss,
)

ROWS = [
    *[("decisive", name) for name in ("log_loss", "brier", "accuracy", "skill", "slope", "ece")],
    *[("all", name) for name in ("log_loss", "brier", "skill", "slope", "ece", "draw_share")],
]
COLUMNS = ["games_of", "measure", "value", "low", "high", "n", "games"]


def seeded(seed=1):
    return np.random.default_rng(seed)


def group(seed=1, n_units=60, games=5, draws=0.25):
    """Plays of a calibrated forecaster; the last ten plays are all drawn."""
    rng = seeded(seed)
    n = n_units * games
    logits = rng.normal(0, 1, n)
    outcomes = (rng.random(n) < special.expit(logits)).astype(float)
    units = np.repeat(np.arange(n_units), games)
    outcomes[(rng.random(n) < draws) | (units >= n_units - 10)] = 0.5
    return special.expit(logits), outcomes, units


def by_name(table, games_of="decisive"):
    return table[table["games_of"] == games_of].set_index("measure")


def test_every_row_by_hand():
    forecasts, outcomes = [0.8, 0.4, 0.3, 0.5, 0.9], [1, 0, 1, 0, 0.5]
    table = judge(forecasts, outcomes, replicates=50, rng=seeded())
    assert table.columns.tolist() == COLUMNS
    assert list(table[["games_of", "measure"]].itertuples(index=False, name=None)) == ROWS
    decisive, all_games = by_name(table), by_name(table, "all")
    loss = -(math.log(0.8) + math.log(0.6) + math.log(0.3) + math.log(0.5)) / 4
    assert decisive.loc["log_loss", "value"] == pytest.approx(loss)
    assert decisive.loc["skill", "value"] == pytest.approx(1 - loss / math.log(2))
    assert decisive.loc["brier", "value"] == pytest.approx((0.04 + 0.16 + 0.49 + 0.25) / 4)
    assert decisive.loc["accuracy", "value"] == pytest.approx((1 + 1 + 0 + 0.5) / 4)
    assert all_games.loc["log_loss", "value"] == pytest.approx((4 * loss - math.log(0.9 * 0.1) / 2) / 5)
    assert all_games.loc["brier", "value"] == pytest.approx((0.94 + 0.16) / 5)
    assert all_games.loc["draw_share", "value"] == pytest.approx(0.2)
    assert (decisive["games"] == 4).all() and (all_games["games"] == 5).all()
    assert math.isnan(decisive.loc["ece", "value"])  # five games make no bin


@pytest.mark.parametrize("weighting", ["game", "unit"])
def test_each_row_is_what_its_measure_says(weighting):
    forecasts, outcomes, units = group()
    options = {"weighting": weighting, "replicates": 100, "level": 0.9}
    table = judge(forecasts, outcomes, units=units, **options, rng=seeded())
    for games_of, chosen in (("decisive", outcomes != 0.5), ("all", outcomes >= 0)):
        rows = by_name(table, games_of)
        p, y, u = forecasts[chosen], outcomes[chosen], units[chosen]
        for name, values in (
            ("log_loss", log_loss(p, y)),
            ("brier", brier(p, y)),
            ("accuracy", correct(p, y)),
            ("draw_share", y == 0.5),
        ):
            if (games_of, name) in ROWS:
                alone = cluster_interval(values, u, **options, rng=seeded(2))
                assert rows.loc[name, "value"] == pytest.approx(alone.value)
                assert rows.loc[name, "n"] == alone.n == (50 if games_of == "decisive" else 60)
                # Of another hundred draws the ends differ by some fifth of the width.
                width = alone.high - alone.low
                assert rows.loc[name, ["low", "high"]].tolist() == pytest.approx(alone[1:3], abs=0.4 * width)
        slope = calibration_slope(p, y, units=u, **options, rng=seeded(2))
        error = expected_calibration_error(p, y, units=u, **options, rng=seeded(2))
        assert rows.loc["slope", "value"] == pytest.approx(slope.value)
        assert rows.loc["ece", "value"] == pytest.approx(error.value)
        skill = 1 - rows.loc["log_loss", ["value", "high", "low"]] / COIN
        assert rows.loc["skill", ["value", "low", "high"]].tolist() == pytest.approx(skill.tolist())
    assert ((table["low"] <= table["value"]) & (table["value"] <= table["high"])).all()


def test_the_seer_and_the_coin():
    _, outcomes, _ = group(draws=0)
    decisive = outcomes != 0.5
    seer = by_name(judge(outcomes[decisive], outcomes[decisive], replicates=50, rng=seeded()))
    assert seer.loc[["log_loss", "brier", "accuracy", "skill", "ece"], "value"].tolist() == [0, 0, 1, 1, 0]
    assert math.isnan(seer.loc["slope", "value"])
    coin = by_name(judge(np.full(len(outcomes), 0.5), outcomes, replicates=50, rng=seeded()))
    values = coin.loc[["log_loss", "brier", "accuracy", "skill", "ece"], "value"].tolist()
    assert values == pytest.approx([COIN, 0.25, 0.5, 0, 0], abs=1e-12)
    assert math.isnan(coin.loc["slope", "value"])


def test_draws_hide_skill_among_all_games():
    forecasts, outcomes, units = group(draws=0.5)
    table = judge(forecasts, outcomes, units=units, replicates=50, rng=seeded())
    assert by_name(table).loc["skill", "value"] > 2 * by_name(table, "all").loc["skill", "value"] > 0


def test_only_scored_games_are_judged():
    forecasts, outcomes, units = group()
    scored = (units >= 20) & (seeded(3).random(len(units)) < 0.6)
    names = [f"play {unit % 7}{unit}" for unit in units]
    masked = judge(forecasts, outcomes, units=names, scored=scored, replicates=50, rng=seeded())
    cut = judge(
        forecasts[scored],
        outcomes[scored],
        units=np.array(names)[scored],
        replicates=50,
        rng=seeded(),
    )
    pd.testing.assert_frame_equal(masked, cut)
    assert by_name(masked, "all")["n"].iloc[0] == len(np.unique(units[scored])) == 39


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("outcomes", [[0.5] * 6, [1.0, 0.0] * 3], ids=["all drawn", "none drawn"])
def test_the_rows_are_always_the_same(outcomes):
    table = judge([0.6, 0.5, 0.3, 1.0, 0.0, 0.5], outcomes, replicates=20, rng=seeded())
    assert list(table[["games_of", "measure"]].itertuples(index=False, name=None)) == ROWS
    decisive = by_name(table)
    if outcomes[0] == 0.5:
        assert (decisive[["n", "games"]] == 0).all(axis=None)
        assert decisive[["value", "low", "high"]].isna().all(axis=None)
        assert by_name(table, "all").loc["draw_share", ["value", "n"]].tolist() == [1, 6]
    else:
        assert (decisive["n"] == 6).all()
        # Without draws the two halves of the table say the same.
        same = ["log_loss", "brier", "skill", "slope"]
        both = by_name(table, "all").loc[same, "value"].tolist()
        assert both == decisive.loc[same, "value"].tolist()
    assert table[["n", "games"]].dtypes.tolist() == [np.int64, np.int64]


def test_one_play_has_values_but_no_intervals():
    table = judge([0.7, 0.6, 0.2], [1, 0, 0], units=[3, 3, 3], replicates=20, rng=seeded())
    means = by_name(table).loc[["log_loss", "brier", "accuracy", "skill", "slope"]]
    assert means["value"].notna().all() and (means["n"] == 1).all()
    assert means[["low", "high"]].isna().all(axis=None)


@settings(deadline=None, max_examples=15)
@given(
    st.lists(
        st.tuples(st.integers(0, 64), st.sampled_from([0.0, 0.5, 1.0]), st.integers(0, 4)),
        min_size=2,
        max_size=20,
    ),
    st.randoms(use_true_random=False),
)
def test_swapped_players_and_shuffled_rows_leave_the_judgement(games, random):
    forecasts, outcomes, units = np.array(games).T / np.array([[64], [1], [1]])
    order = random.sample(range(len(games)), len(games))
    first, swapped, shuffled = (
        judge(p, y, units=u, replicates=10, rng=seeded())
        for p, y, u in (
            (forecasts, outcomes, units),
            (1 - forecasts, 1 - outcomes, units),
            (forecasts[order], outcomes[order], units[order]),
        )
    )
    pd.testing.assert_frame_equal(swapped, first, rtol=1e-7, atol=1e-9)
    pd.testing.assert_frame_equal(shuffled, first, rtol=1e-7, atol=1e-9)


def test_weights_are_those_of_a_mean_over_the_games_that_are_judged():
    forecasts, outcomes, units = group()
    weights = seeded(5).random(len(units))
    scored = seeded(6).random(len(units)) < 0.7
    options = {"replicates": 50}
    table = judge(forecasts, outcomes, units=units, weights=weights, scored=scored, **options, rng=seeded())
    chosen = scored & (outcomes != 0.5)
    losses = log_loss(forecasts[chosen], outcomes[chosen])
    expected = cluster_interval(losses, units[chosen], weights=weights[chosen], **options, rng=seeded())
    assert table.loc[0, ["value", "low", "high", "n"]].tolist() == pytest.approx(list(expected))
    share = table.set_index("measure").loc["draw_share", "value"]
    assert share == pytest.approx(np.average(outcomes[scored] == 0.5, weights=weights[scored]))
    slope = table[(table["measure"] == "slope") & (table["games_of"] == "decisive")].iloc[0]
    games = (forecasts[chosen], outcomes[chosen])
    alone = calibration_slope(
        *games, units=units[chosen], weights=weights[chosen], replicates=5, rng=seeded()
    )
    assert slope["value"] == pytest.approx(alone.value)


def test_equal_seeds_agree_and_the_global_generator_is_left_alone():
    forecasts, outcomes, units = group()
    np.random.seed(3)
    before = np.random.get_state()[1].tobytes()
    one, same = (judge(forecasts, outcomes, units=units, replicates=50, rng=seeded()) for _ in range(2))
    pd.testing.assert_frame_equal(one, same, check_exact=True)
    assert np.random.get_state()[1].tobytes() == before


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"forecasts": [0.6, np.nan]}, "forecast of game 1 is nan"),
        ({"outcomes": [1, 2]}, "outcome of game 1 is 2"),
        ({"units": [1]}, r"units has shape \(1,\)"),
        ({"scored": [1, 0]}, r"scored holds int64 of shape \(2,\): it must hold \(2,\) of bool"),
        ({"scored": [True]}, r"scored holds bool of shape \(1,\)"),
        ({"scored": [False, False]}, "no game to judge: of 2, none is scored"),
        ({"forecasts": [], "outcomes": []}, "no game to judge"),
        ({"bins": 0}, "bins is 0"),
        ({"weights": [1, -1]}, "weight of game 1 is -1"),
        ({"weights": [1]}, r"weights has shape \(1,\)"),
        ({"weighting": "player"}, "weighting is 'player'"),
        ({"level": 2}, "the level is 2"),
    ],
)
def test_bad_input_is_refused(changes, message):
    arguments = {"forecasts": [0.6, 0.7], "outcomes": [1, 0], "rng": seeded()} | changes
    with pytest.raises(ValueError, match=message):
        judge(arguments.pop("forecasts"), arguments.pop("outcomes"), **arguments)
