"""Confidence sequences: reference values, and that they hold at every look where the usual range does not."""

import json
import math
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import optimize

from ludometrics.abtest.sequences import (
    asymptotic_half_width,
    confidence_sequence,
    log_supermartingale,
    mixture_rho,
    normal_mixture_bound,
    paired_differences,
    r_for,
    repeated_looks,
    weighted_contrasts,
)

CASES = json.loads((Path(__file__).parents[1] / "data" / "abtest" / "sequences.json").read_text())
LEVELS = np.array([0.6, 0.4, 0.25, 0.2, 0.1, 0.1, 0.05, 0.05])  # expected scores of eight unequal players


def desc(case):
    return case["desc"]


def draw_scores(expected, rng):
    """Scores of 0, 0.5 and 1 with the given means; two games in five that might be drawn are."""
    drawn = 0.8 * np.minimum(expected, 1 - expected)
    luck = rng.random(expected.shape)
    return np.where(luck < expected - drawn / 2, 1.0, np.where(luck < expected + drawn / 2, 0.5, 0.0))


@pytest.mark.parametrize("case", CASES["normal_mixture"], ids=desc)
def test_normal_mixture(case):
    rho = mixture_rho(case["v_opt"], case["alpha"])
    assert rho == pytest.approx(case["rho"], abs=5e-6)
    bound = normal_mixture_bound(case["v"], case["v_opt"], case["alpha"])
    assert bound == pytest.approx(case["bound"], abs=5e-6)
    found = log_supermartingale(case["s"], case["v"], rho)
    assert found == pytest.approx(case["log_supermartingale"], abs=5e-8)


@settings(max_examples=50, deadline=None)
@given(v=st.floats(0, 1e6), v_opt=st.floats(1e-3, 1e6), alpha=st.floats(1e-6, 0.5))
def test_evidence_reaches_its_limit_where_the_sum_reaches_the_bound(v, v_opt, alpha):
    bound = normal_mixture_bound(v, v_opt, alpha)
    for side in (-bound, bound):
        found = log_supermartingale(side, v, mixture_rho(v_opt, alpha))
        assert found == pytest.approx(math.log(1 / alpha), rel=1e-9)


def test_the_supermartingale_has_mean_one():
    sums = np.random.default_rng(4).normal(0, 10, 200_000)
    values = np.exp(log_supermartingale(sums, 100.0, 200.0))
    # A mixture wider than v/2 has a finite spread: here three standard errors are 0.0027.
    assert values.mean() == pytest.approx(1.0, abs=0.0027)


@pytest.mark.parametrize("alpha", [0.001, 0.01, 0.05])
def test_the_closed_form_is_about_the_minimiser(alpha):
    chosen = asymptotic_half_width(256, 1.0, r_for(256, alpha), alpha)
    best = optimize.minimize_scalar(
        lambda r: asymptotic_half_width(256, 1.0, r, alpha), bounds=(0.01, 1.0), method="bounded"
    )
    assert best.fun <= chosen < best.fun * 1.0001
    others = [asymptotic_half_width(256, 1.0, r_for(n, alpha), alpha) for n in (64, 1024)]
    assert min(others) > chosen * 1.01


def test_asymptotic_half_width():
    case = CASES["asymptotic"]
    r = r_for(case["n_opt"], case["alpha"])
    assert r == pytest.approx(case["r"], abs=5e-8)
    for row in case["widths"]:
        half = asymptotic_half_width(row["n"], case["sd"], r, case["alpha"])
        assert half == pytest.approx(row["half"], abs=5e-7)
        bound = normal_mixture_bound(row["n"], case["n_opt"], case["alpha"])
        assert half == pytest.approx(case["sd"] * bound / row["n"], rel=1e-12)


def test_the_table_is_the_formula_value_by_value():
    case = CASES["asymptotic"]
    values = np.random.default_rng(1).normal(0.1, case["sd"], 1000)
    table = confidence_sequence(values, n_opt=case["n_opt"])
    for row in case["widths"]:
        at = table[table["n"] == row["n"]].iloc[0]
        first = values[: row["n"]]
        assert [at["estimate"], at["sd"]] == pytest.approx([first.mean(), first.std(ddof=1)], rel=1e-12)
        scale = at["sd"] / case["sd"]
        assert at["high"] - at["estimate"] == pytest.approx(
            row["half"] * scale, rel=3e-5
        )  # five places are given
        assert at["estimate"] - at["fixed_low"] == pytest.approx(row["fixed"] * scale, rel=3e-5)
        assert at["price"] == pytest.approx(row["half"] / row["fixed"], rel=3e-5)


def test_ranges_begin_at_the_start_and_only_tighten():
    values = np.random.default_rng(1).normal(0, 1, 300)
    table = confidence_sequence(values, n_opt=100, start=20)
    assert table["low"].isna().sum() == table["price"].isna().sum() == 19 and table["estimate"].notna().all()
    ranges = table.iloc[19:]
    assert (ranges["running_low"].diff().dropna() >= 0).all()
    assert (ranges["running_high"].diff().dropna() <= 0).all()
    assert (ranges["running_low"] >= ranges["low"]).all() and (ranges["running_high"] <= ranges["high"]).all()
    assert ranges["running_low"].iloc[-1] == ranges["low"].max()


def test_equal_values_give_no_range():
    table = confidence_sequence([0.1] * 50 + [0.2], n_opt=100)
    assert table["low"].iloc[:50].isna().all() and table["low"].notna().iloc[50]
    assert len(confidence_sequence([], n_opt=100)) == 0


@settings(max_examples=30, deadline=None)
@given(seed=st.integers(0, 2**32), n_opt=st.floats(1, 1e6), alpha=st.floats(1e-4, 0.5))
def test_the_range_is_wider_than_the_usual_one_and_grows_with_confidence(seed, n_opt, alpha):
    values = np.random.default_rng(seed).choice([-1, -0.5, 0, 0.5, 1], 200)
    table = confidence_sequence(values, n_opt=n_opt, alpha=alpha).iloc[29:]
    assert (table["price"] > 1).all()
    assert (table["low"] < table["fixed_low"]).all() and (table["high"] > table["fixed_high"]).all()
    surer = confidence_sequence(values, n_opt=n_opt, alpha=alpha / 2).iloc[29:]
    assert (surer["low"] < table["low"]).all() and (surer["high"] > table["high"]).all()


def ever_outside(values, **options):
    table = confidence_sequence(values, **options)
    wrong = (table["low"] > 0) | (table["high"] < 0)
    fixed = (table["fixed_low"] > 0) | (table["fixed_high"] < 0)
    return bool(wrong.any()), bool(fixed.any())


def test_on_a_true_null_the_sequence_holds_at_all_looks_and_the_usual_range_does_not():
    rng = np.random.default_rng(3)
    runs = [ever_outside(rng.choice([-1, -0.5, 0, 0, 0.5, 1], 1500), n_opt=400) for _ in range(400)]
    wrong, fixed = np.mean(runs, axis=0)
    # Measured 0.031 in 1,500 runs: 0.05 lies more than two standard errors of 400 runs (0.009) above.
    assert wrong <= 0.05
    assert fixed > 0.35


def test_games_of_unequal_players_hold_the_promise_too():
    rng = np.random.default_rng(5)
    runs, games = 150, 800
    wrong = np.zeros(2)
    for _ in range(runs):
        player = rng.integers(0, 8, games)
        score = draw_scores(LEVELS[player], rng)
        order = rng.permuted(np.tile([0, 1], (8, games)).reshape(8, -1, 2), axis=2).reshape(8, -1)
        place = pd.Series(player).groupby(player).cumcount().to_numpy()
        dealt = order[player, place]
        wrong[0] += ever_outside(paired_differences(player, dealt, score), n_opt=400)[0]
        wrong[1] += ever_outside(weighted_contrasts(player, rng.integers(0, 2, games), score), n_opt=800)[0]
    # Measured 0.015 and 0.020 in 1,000 runs: 0.055 lies three standard errors of 150 runs above.
    assert (wrong / runs <= 0.055).all()


def test_both_kinds_of_values_estimate_the_effect():
    rng = np.random.default_rng(6)
    games = 60_000
    player = rng.integers(0, 8, games)
    drawn = rng.integers(0, 2, games)
    score = draw_scores(LEVELS[player] - 0.04 * drawn, rng)
    contrasts = weighted_contrasts(player, drawn, score)
    differences = paired_differences(player, drawn, score, rng.integers(0, 2, games) == 1)
    unequal = (rng.random(games) < 0.2).astype(int)
    score_of_unequal = draw_scores(LEVELS[player] - 0.04 * unequal, rng)
    thrifty = weighted_contrasts(player, unequal, score_of_unequal, share_b=0.2)
    for values in (contrasts, differences, thrifty):
        error = values.std() / math.sqrt(len(values))
        assert error < 0.004 and abs(values.mean() + 0.04) < 3.5 * error
    # Players' levels are out: against one half for everybody the spread would be more than a third larger.
    assert contrasts.std() < 0.75 * (4 * (drawn - 0.5) * (score - 0.5)).std()


@pytest.mark.parametrize("case", CASES["paired_differences"], ids=desc)
def test_paired_differences(case):
    is_black = None if case["is_black"] is None else np.array(case["is_black"])
    found = paired_differences(case["player"], case["variant"], case["score"], is_black)
    assert found.tolist() == case["differences"]


@pytest.mark.parametrize("case", CASES["weighted_contrasts"], ids=desc)
def test_weighted_contrasts(case):
    found = weighted_contrasts(case["player"], case["variant"], case["score"], share_b=case["share_b"])
    assert found == pytest.approx(case["contrasts"], abs=1e-7)


GAMES = st.lists(
    st.tuples(st.integers(0, 3), st.integers(0, 1), st.sampled_from([0.0, 0.5, 1.0]), st.booleans()),
    min_size=1,
    max_size=60,
)


@settings(max_examples=60, deadline=None)
@given(games=GAMES)
def test_pairs_are_those_of_a_plain_loop(games):
    waiting, expected = {}, []
    for player, variant, score, is_black in games:
        others = waiting.setdefault((player, is_black, 1 - variant), [])
        if others:
            expected.append((score - others.pop(0)) * (1 if variant else -1))
        else:
            waiting.setdefault((player, is_black, variant), []).append(score)
    player, variant, score, is_black = map(np.array, zip(*games, strict=True))
    assert paired_differences(player, variant, score, is_black).tolist() == expected


@settings(max_examples=60, deadline=None)
@given(games=GAMES, share_b=st.floats(0.05, 0.95))
def test_contrasts_are_those_of_a_plain_loop(games, share_b):
    of_player, everybody, expected = {}, [], []
    for player, variant, score, _ in games:
        own = of_player.setdefault(player, [])
        overall = (0.5 + sum(everybody)) / (1 + len(everybody))
        mean = (sum(own) + 2 * overall) / (len(own) + 2)
        expected.append((1 / share_b if variant else -1 / (1 - share_b)) * (score - mean))
        own.append(score)
        everybody.append(score)
    player, variant, score, _ = map(np.array, zip(*games, strict=True))
    assert weighted_contrasts(player, variant, score, share_b=share_b) == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("case", CASES["repeated_looks"], ids=desc)
def test_repeated_looks(case):
    rng = np.random.default_rng(7)
    for looks, chance in zip(case["looks"], case["chance"], strict=True):
        found = repeated_looks(looks, draws=60_000, rng=rng)
        # Three standard errors of 60,000 draws are at most 0.0059; the table has three places.
        assert found.value == pytest.approx(chance, abs=0.006)
        assert found.low < found.value < found.high and found.n == 60_000


def test_equal_seeds_agree_and_the_first_look_costs_alpha():
    alarms = [repeated_looks(3, alpha=0.2, draws=5000, rng=np.random.default_rng(1)) for _ in range(2)]
    assert alarms[0] == alarms[1]
    once = repeated_looks(1, alpha=0.2, draws=20_000, rng=np.random.default_rng(1))
    assert once.value == pytest.approx(0.2, abs=0.009)  # three standard errors


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: mixture_rho(0, 0.05), "v_opt is 0"),
        (lambda: mixture_rho(100, 1), "alpha is 1"),
        (lambda: normal_mixture_bound(-1, 100, 0.05), "v is"),
        (lambda: log_supermartingale(1, 1, 0), "rho is 0"),
        (lambda: r_for(float("inf"), 0.05), "n_opt is inf"),
        (lambda: asymptotic_half_width(0, 1, 0.1, 0.05), "n must be at least 1"),
        (lambda: asymptotic_half_width(1, -1, 0.1, 0.05), "sd at least 0"),
        (lambda: asymptotic_half_width(1, 1, -0.1, 0.05), "r is -0"),
        (lambda: confidence_sequence([1, np.nan], n_opt=10), "finite"),
        (lambda: confidence_sequence([[1, 2]], n_opt=10), "in one row"),
        (lambda: confidence_sequence([1, 2], n_opt=10, start=1), "start is 1"),
        (lambda: confidence_sequence([1, 2], n_opt=-1), "n_opt is -1"),
        (lambda: paired_differences([1, 1], [0, 2], [1, 0]), "variant of row 1 is 2"),
        (lambda: paired_differences([1, 1], [0, 1], [1, 0], [0, 1]), "is_black holds int64"),
        (lambda: paired_differences([1, 1, 1], [0, 1], [1, 0]), r"it must be \(2,\)"),
        (lambda: weighted_contrasts([1, 1], [0, 1], [1, np.nan]), "score of row 1 is nan"),
        (lambda: weighted_contrasts([1, 1], [0, 1], [1, 0], share_b=1), "share_b is 1"),
        (lambda: repeated_looks(0, draws=10, rng=np.random.default_rng(1)), "looks is 0"),
        (lambda: repeated_looks(2, draws=0, rng=np.random.default_rng(1)), "draws is 0"),
        (lambda: repeated_looks(2, draws=10, alpha=0, rng=np.random.default_rng(1)), "alpha is 0"),
    ],
)
def test_bad_values_are_named(call, message):
    with pytest.raises(ValueError, match=message):
        call()
