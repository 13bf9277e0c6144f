"""Planning: values from tables and by hand, and that a plan's promises hold in simulated tests."""

import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import optimize, stats
from statsmodels.stats.power import TTestIndPower

from ludometrics.abtest.design_errors import t_power
from ludometrics.abtest.planning import (
    arm_size,
    design_effect,
    design_error,
    design_power,
    detectable_effect,
    detectable_from_error,
    games_needed,
    intra_player_correlation,
    players_needed,
    power_table,
)

CASES = json.loads((Path(__file__).parents[1] / "data" / "abtest" / "planning.json").read_text())
# Measured in six simulated fair tests of the course's eight players, 128 games each against each version of Medium.
SCORES = {"sd": 0.304, "icc": 0.37}


def desc(case):
    return case["desc"]


@pytest.mark.parametrize("case", CASES["design_effect"], ids=desc)
def test_design_effect(case):
    found = design_effect(case["games_each"], case["icc"], cv=case["cv"])
    assert found == pytest.approx(case["effect"], abs=1e-12)


@pytest.mark.parametrize("case", CASES["arm_size"], ids=desc)
def test_arm_size(case):
    found = arm_size(case["effect"], sd=case["sd"], method=case["method"])
    assert found == pytest.approx(case["games"], abs=5e-5)


def test_student_wants_one_game_more():
    for effect, sd in ((0.05, 0.36), (0.09, 0.36), (0.05, 0.3)):
        more = arm_size(effect, sd=sd) - arm_size(effect, sd=sd, method="normal")
        assert more == pytest.approx(0.96, abs=0.01)  # z^2/4


@pytest.mark.parametrize("case", CASES["simulated_power"], ids=desc)
def test_power_is_about_that_of_simulated_draughts(case):
    options = {key: case[key] for key in ("players", "games_each", "correlation")}
    found = design_power(case["design"], 0.049, **options, **SCORES)
    # Numbers of games were uneven there, spreads differed by version; 1,500 tests have a standard error of 0.013.
    assert found == pytest.approx(case["power"], abs=0.06)


@pytest.mark.parametrize("case", CASES["simulated_size"], ids=desc)
def test_sizes_are_about_those_of_simulated_draughts(case):
    if case["players"]:
        found = case["players"] * games_needed("within", 0.05, players=case["players"], **SCORES) / 2
    else:
        options = {"games_each": 10, "correlation": case["correlation"]}
        found = players_needed("between", 0.05, **options, **SCORES)
    assert found == pytest.approx(case["about"], rel=0.1)


def test_with_one_game_each_it_is_the_plain_test():
    for players in (6, 40, 41):
        small, large = players // 2, players - players // 2
        plain = TTestIndPower().power(0.1 / 0.3, small, 0.05, ratio=large / small)
        found = design_power("between", 0.1, players=players, games_each=1, sd=0.3, icc=0.35)
        assert found == pytest.approx(plain, abs=1e-12)


@pytest.mark.parametrize(
    ("design", "players", "games_each", "correlation"),
    [
        ("between", 24, 6, 0.0),
        ("between", 80, 6, 0.7),
        ("within", 6, 20, 0.0),
        ("drawn", 24, 6, 0.0),
        ("drawn", 6, 20, 0.0),
    ],
)
def test_power_holds_in_simulated_tests(design, players, games_each, correlation):
    sd, icc, tests = 0.3, 0.4, 3000
    options = {"players": players, "games_each": games_each, "sd": sd, "icc": icc, "correlation": correlation}
    effect = 2.5 * design_error(design, **options).error
    expected = design_power(design, effect, **options)
    rng = np.random.default_rng(11)
    shape = (tests, players, games_each)
    level = rng.normal(0, sd * np.sqrt(icc), shape[:2])
    score = level[:, :, None] + rng.normal(0, sd * np.sqrt(1 - icc), shape)
    if design == "between":
        found = compare_players(score, level, effect, correlation, sd, icc, rng)
    else:
        halves = np.arange(games_each) % 2 * np.ones(shape)
        variant = halves if design == "within" else rng.integers(0, 2, shape).astype(float)
        found = compare_games(score + effect * variant, variant)
    # Three standard errors of a share of 3,000 tests are 0.027.
    assert found.mean() == pytest.approx(expected, abs=0.027)


def compare_players(score, level, effect, correlation, sd, icc, rng):
    """Which tests of player means, adjusted for a covariate if there is one, find the difference."""
    tests, players, games_each = score.shape
    variant = (np.arange(players) % 2).astype(float)
    means = score.mean(axis=2) + effect * variant
    columns = [np.ones(players), variant]
    if not correlation:
        return stats.ttest_ind(means[:, 1::2], means[:, ::2], axis=1).pvalue < 0.05
    spread = sd * np.sqrt(icc + (1 - icc) / games_each)
    noise = rng.normal(0, spread * np.sqrt(1 - correlation**2), (tests, players))
    rating = rng.normal(0, 1, (tests, players))
    means = correlation * spread * rating + noise + effect * variant
    found = np.empty(tests, dtype=bool)
    for test in range(tests):
        design = np.column_stack([*columns, rating[test]])
        inverse = np.linalg.inv(design.T @ design)
        coefficients = inverse @ design.T @ means[test]
        residuals = means[test] - design @ coefficients
        df = players - 3
        error = np.sqrt(inverse[1, 1] * residuals @ residuals / df)
        found[test] = abs(coefficients[1]) / error > stats.t.ppf(0.975, df)
    return found


def compare_games(score, variant):
    """Which tests of differences within players, by fixed effects, find the difference."""
    _, players, games_each = score.shape
    x, y = (column - column.mean(axis=2, keepdims=True) for column in (variant, score))
    weight = (x**2).sum(axis=(1, 2))
    slope = (x * y).sum(axis=(1, 2)) / weight
    df = players * games_each - players - 1
    squares = ((y - slope[:, None, None] * x) ** 2).sum(axis=(1, 2))
    return np.abs(slope) / np.sqrt(squares / df / weight) > stats.t.ppf(0.975, df)


def test_power_never_falls_with_the_effect_and_has_a_value():
    ratios = np.concatenate([np.linspace(0.1, 60, 200), [1e2, 1e3, 1e6]])
    for df in (1, 2, 5, 30, 1e3, 1e5, 1e7):
        powers = np.array([t_power(ratio, df, 0.05) for ratio in ratios])
        assert np.isfinite(powers).all() and (powers <= 1 + 1e-12).all()
        assert (np.diff(powers) > -1e-9).all()  # the distribution at hand is good to about 1e-10


@pytest.mark.parametrize("design", ["between", "within", "drawn"])
@pytest.mark.parametrize("power", [0.5, 0.8, 0.95])
@pytest.mark.parametrize("effect", [0.03, -0.15])
def test_the_smallest_number_is_found(design, power, effect):
    options = {"sd": 0.3, "icc": 0.1, "correlation": 0.5}
    step = 2 if design == "between" else 1
    players = players_needed(design, effect, games_each=12, power=power, **options)
    powers = [
        design_power(design, effect, players=number, games_each=12, **options)
        for number in (players - step, players)
    ]
    assert powers[0] < power <= powers[1]
    step = 1 if design == "between" else 2
    games = games_needed(design, effect, players=players + 6, power=power, **options)
    assert (
        games <= 12
        and design_power(design, effect, players=players + 6, games_each=games, **options) >= power
    )
    if games > step:
        less = design_power(design, effect, players=players + 6, games_each=games - step, **options)
        assert less < power


@settings(max_examples=30, deadline=None)
@given(
    design=st.sampled_from(["between", "within", "drawn"]),
    players=st.integers(4, 300),
    games_each=st.integers(2, 100),
    icc=st.floats(0, 0.9),
    power=st.floats(0.3, 0.99),
)
def test_the_detectable_effect_has_the_power(design, players, games_each, icc, power):
    options = {"players": players, "games_each": games_each, "sd": 0.3, "icc": icc}
    effect = detectable_effect(design, power=power, **options)
    error, df = design_error(design, **options)
    assert t_power(effect / error, df, 0.05) == pytest.approx(power, abs=1e-7)


@pytest.mark.parametrize("df", [6, 8, 12, 30, 200])
@pytest.mark.parametrize(("power", "least", "most"), [(0.5, 0, 0.05), (0.7, -0.01, 0.01), (0.8, -0.01, 0.01)])
@pytest.mark.parametrize("error", [0.01, 0.3])
def test_the_shorter_formula_is_as_near_as_it_says(df, power, least, most, error):
    exact = optimize.brentq(lambda effect: t_power(effect / error, df, 0.05) - power, 0, 10, xtol=1e-12)
    assert least <= detectable_from_error(error, df, power=power) / exact - 1 <= most


@pytest.mark.parametrize("df", [6, 8, 12, 30, 200])
def test_the_shorter_formula_at_high_power(df):
    for power, most in [(0.95, 0.01), (0.99, 0.07)]:
        exact = optimize.brentq(
            lambda effect, power=power: t_power(effect, df, 0.05) - power, 0, 20, xtol=1e-12
        )
        assert abs(detectable_from_error(1.0, df, power=power) / exact - 1) <= most


@pytest.mark.parametrize("case", CASES["detectable_from_error"], ids=desc)
def test_detectable_from_error(case):
    assert detectable_from_error(case["error"], case["df"]) == pytest.approx(case["effect"], abs=1e-7)


def test_more_games_do_not_help_beyond_what_players_differ():
    with pytest.raises(ValueError, match="no number of games of each of 8 players up to 1,000,000"):
        games_needed("between", 0.05, players=8, **SCORES)
    assert games_needed("between", 0.05, players=600, **SCORES) < 10


def test_power_table():
    table = power_table(["between", "drawn"], [0.05, 0.1], [8, 16], players=20, correlation=0.5, **SCORES)
    assert list(table) == ["design", "effect", "players", "games_each", "games", "error", "df", "power"]
    assert table["games"].tolist() == [160, 320] * 4
    row = table.iloc[5]
    expected = design_power("drawn", 0.05, players=20, games_each=16, **SCORES)
    assert (row["design"], row["df"]) == ("drawn", 299) and row["power"] == expected
    with pytest.raises(ValueError, match="a list of designs"):
        power_table("between", [0.05], [8], players=20, **SCORES)


@pytest.mark.parametrize("case", CASES["correlation"], ids=desc)
def test_correlation(case):
    found = intra_player_correlation(case["score"], case["player"])
    assert found.value == pytest.approx(case["value"], abs=1e-7)
    assert found.games_each == pytest.approx(case["games_each"], abs=1e-7)
    assert found.low <= found.value <= found.high and found.n == len(set(case["player"]))
    if case["sd"] is None:
        assert found.raw == pytest.approx(-0.2706, abs=5e-5) and found.low == 0 < found.high
    else:
        assert found.raw == found.value and found.sd == pytest.approx(case["sd"], abs=1e-7)


def test_correlation_agrees_with_the_analysis_of_variance():
    rng = np.random.default_rng(2)
    groups = [rng.normal(level, 1, 7) for level in rng.normal(0, 1, 12)]
    ratio = stats.f_oneway(*groups).statistic
    found = intra_player_correlation(np.concatenate(groups), np.repeat(np.arange(12), 7))
    assert found.value == pytest.approx((ratio - 1) / (ratio + 6), abs=1e-12)
    order = rng.permutation(84)
    names = np.array([f"Player {number % 5} {number}" for number in range(12)])[np.repeat(np.arange(12), 7)]
    again = intra_player_correlation(100 * np.concatenate(groups)[order] + 7, names[order])
    assert [*again[:3], again.sd] == pytest.approx([*found[:3], 100 * found.sd], rel=1e-9)


def test_the_interval_of_the_correlation_holds_the_truth():
    """Scores of 0, 0.5 and 1, and uneven numbers of games, of which the usual F interval holds 8 in 10."""
    rng = np.random.default_rng(8)
    share = stats.beta(0.7, 2.3)
    grid = share.ppf((np.arange(20_000) + 0.5) / 20_000)
    draws = 0.6 * np.minimum(grid, 1 - grid)
    truth = grid.var() / (grid.var() + np.mean(grid - draws / 4 - grid**2))
    held = 0
    for _ in range(400):
        games = np.maximum(2, rng.lognormal(1.8, 1, 40).astype(int))
        player = np.repeat(np.arange(40), games)
        expected = share.rvs(40, random_state=rng)[player]
        drawn = 0.6 * np.minimum(expected, 1 - expected)
        luck = rng.random(len(player))
        score = np.where(luck < expected - drawn / 2, 1.0, np.where(luck < expected + drawn / 2, 0.5, 0.0))
        found = intra_player_correlation(score, player)
        held += found.low <= truth <= found.high
    # Measured 0.93 to 0.95; two standard errors of 400 are 0.022.
    assert 0.905 <= held / 400 <= 0.985


@pytest.mark.parametrize(
    ("score", "player", "message"),
    [
        ([], [], "0 players with 0 games"),
        ([1, 0, 1, 0], [0, 0, 1, 1], "2 players with 4 games"),
        ([1, 0, 1], [0, 1, 2], "3 players with 3 games"),
        ([1, 0, 1, 0, 1], [0, 0, 0, 1, 2], "whoever is left out"),
        ([0] * 9, [0, 1, 2] * 3, "vary too little"),
        ([1, 0, 1, 0, 1, 0], [0, 0, 1, 1, 2, 2], "vary too little"),
        ([1, 0, np.nan, 0], [0, 0, 1, 1], "one finite score a game"),
        ([1, 0, 1, 0], [0, 0, 1, None], "missing"),
    ],
)
def test_bad_scores_are_refused(score, player, message):
    with pytest.raises(ValueError, match=message):
        intra_player_correlation(score, player)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"design": "across"}, "design is 'across': allowed are 'between', 'within', 'drawn'"),
        ({"players": 2}, "2 players of 10 games"),
        ({"players": 3, "correlation": 0.5}, "4 with a covariate"),
        ({"players": 8.5}, "players is 8.5"),
        ({"players": True}, "players is True"),
        ({"design": "within", "games_each": 1}, "2 players of 2 games"),
        ({"games_each": 0}, "games_each is 0"),
        ({"sd": 36}, "not points"),
        ({"sd": "0.3"}, "sd is '0.3'"),
        ({"icc": 1.0}, "icc is 1.0"),
        ({"icc": float("nan")}, "icc is nan"),
        ({"correlation": -1.0}, "correlation is -1.0"),
        ({"effect": 0.0}, "effect is 0.0"),
        ({"effect": 5}, "effect is 5"),
        ({"alpha": 0.0}, "alpha is 0.0"),
    ],
)
def test_bad_designs_are_refused(change, message):
    given = {"design": "between", "effect": 0.05, "players": 8, "games_each": 10, **SCORES, **change}
    with pytest.raises(ValueError, match=message):
        design_power(given.pop("design"), given.pop("effect"), **given)


def test_other_bad_values_are_refused():
    with pytest.raises(ValueError, match=r"power is 0.05: it must be above alpha \(0.05\)"):
        players_needed("within", 0.05, games_each=10, power=0.05, **SCORES)
    with pytest.raises(ValueError, match="method is 'z'"):
        arm_size(0.05, sd=0.3, method="z")
    with pytest.raises(ValueError, match="error is 0"):
        detectable_from_error(0, 10)
    with pytest.raises(ValueError, match="cv is -1"):
        design_effect(10, 0.3, cv=-1)
    with pytest.raises(ValueError, match="icc is 1"):
        design_effect(10, 1.5)
