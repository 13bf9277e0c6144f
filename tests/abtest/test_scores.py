"""Scores with draws: worked cases, an independent count of pairs, scipy's statistics, and coverage."""

import json
import math
from itertools import product
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats
from statsmodels.stats.contingency_tables import StratifiedTable

from ludometrics.abtest.cluster import cluster_difference
from ludometrics.abtest.effects import student
from ludometrics.abtest.scores import (
    outcome_shares,
    ratio_difference,
    ratio_of_sums,
    score_variance,
    variance_from_sums,
    win_odds,
)

CASES = json.loads((Path(__file__).parents[1] / "data" / "abtest" / "scores.json").read_text())
PRINTED = 0.6e-6  # figures with six decimals
EXACT = 1e-9  # another order of the same sums
COUNTS = st.integers(0, 1000)


@pytest.mark.parametrize("case", CASES["variance"], ids=lambda case: case["desc"])
def test_score_variance(case):
    wins, draws, losses = case["counts"]
    mean = (wins + draws / 2) / (wins + draws + losses)
    assert score_variance(wins, draws, losses) == pytest.approx(case["variance"], abs=PRINTED)
    assert mean * (1 - mean) == pytest.approx(case["of_a_coin"], abs=PRINTED)


@settings(deadline=None)
@given(wins=COUNTS, draws=COUNTS, losses=st.integers(1, 1000))
def test_score_variance_is_that_of_the_scores(wins, draws, losses):
    scores = np.repeat([1.0, 0.5, 0.0], [wins, draws, losses])
    variance = score_variance(wins, draws, losses)
    assert variance == pytest.approx(scores.var(), abs=1e-12)
    assert variance == pytest.approx(score_variance(losses, draws, wins), abs=1e-12)
    assert variance <= scores.mean() * (1 - scores.mean()) + 1e-12


@settings(deadline=None)
@given(values=st.lists(st.floats(-1e6, 1e6), min_size=1, max_size=30))
def test_variance_from_sums(values):
    values = np.array(values)
    variance = variance_from_sums(len(values), values.sum(), np.square(values).sum())
    assert variance == pytest.approx(values.var(), abs=1e-10 * np.square(values).sum() + 1e-12)


@pytest.mark.parametrize(("n", "total", "squares"), [(2, 4, 1), (1, 1, 0.999), (3, -3, 2), (5, 0, -1)])
def test_impossible_sums_are_refused(n, total, squares):
    with pytest.raises(ValueError, match=f"inconsistent: no {n} values have sum {total} and"):
        variance_from_sums(n, total, squares)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: score_variance(0, 0, 0), "n is 0"),
        (lambda: score_variance(-1, 2, 3), "wins is -1"),
        (lambda: score_variance(1, 2.5, 3), "draws is 2.5"),
        (lambda: variance_from_sums(0, 0, 0), "n is 0"),
        (lambda: variance_from_sums(2, math.nan, 1), "total is nan"),
        (lambda: variance_from_sums(2, 1, math.inf), "squares inf"),
        (lambda: ratio_of_sums([1], [2]), "2 players or more"),
        (lambda: ratio_of_sums([1, 1], [2]), r"shapes \(2,\) and \(1,\)"),
        (lambda: ratio_of_sums([1, math.nan], [2, 2]), "player 1 has score nan"),
        (lambda: ratio_of_sums([1, 1], [0, 2]), "player 0 has score 1.0 in 0.0 games"),
        (lambda: ratio_of_sums([1, 0], [2, 2], level=2), "level is 2"),
        (lambda: outcome_shares([0.7], [0], [1]), "score of row 0 is 0.7: it must be 0, 0.5 or 1"),
        (lambda: outcome_shares([1.0], [2], [1]), "variant of row 0 is 2"),
        (lambda: outcome_shares([1.0], [1], [1], level=0), "level is 0"),
        (lambda: win_odds([1, 0, 1], [0, 0, 1], [1, 2, 3]), "one version has 1 players"),
        (lambda: win_odds([1, 0, 1], [0, 0, 0], [1, 2, 3]), "one version has 0 players"),
        (lambda: win_odds([1, 0, 1, 0], [0, 0, 1, 1], [1, 2, 3, 4], "aabb"), "one version has 0 players"),
        (lambda: win_odds([1, 0, 1, math.nan], [0, 0, 1, 1], [1, 2, 3, 4]), "score of row 3 is nan"),
        (lambda: win_odds([1, 0, 1, 0], [0, 0, 1, 1], [1, 2, 3, None]), "unit of game 3 is missing"),
        (lambda: win_odds([1, 0, 1, 0], [0, 0, 1, 1], [1, 2, 3, 4], level=95), "the level is 95"),
    ],
)
def test_bad_values_are_named(call, message):
    with pytest.raises(ValueError, match=message):
        call()


def test_ratio_of_six_players():
    case = CASES["ratio"]
    for version in (case["a"], case["b"]):
        ratio = ratio_of_sums(version["scores"], version["games"])
        assert ratio.value == pytest.approx(version["value"], abs=EXACT)
        assert ratio.variance == pytest.approx(version["variance"], abs=PRINTED)
        assert ratio.n == 3
        half = stats.t.ppf(0.975, 2) * math.sqrt(ratio.variance)
        assert (ratio.low, ratio.high) == pytest.approx((ratio.value - half, ratio.value + half), rel=EXACT)
    groups = [case[version][what] for version in "ab" for what in ("scores", "games")]
    effect = ratio_difference(*groups)
    assert effect.estimate == pytest.approx(case["estimate"], abs=EXACT)
    assert effect.error == pytest.approx(case["error"], abs=PRINTED)
    assert effect == student(effect.estimate, effect.error, case["df"])
    coins = [case[v]["value"] * (1 - case[v]["value"]) / sum(case[v]["games"]) for v in "ab"]
    assert math.sqrt(sum(coins)) == pytest.approx(case["error_of_independent_games"], abs=PRINTED)
    assert effect.error > case["error_of_independent_games"]


def test_ratio_is_the_sandwich_with_its_own_small_sample_factor():
    rng = np.random.default_rng(1)
    player = rng.integers(0, 20, 200)
    variant, score = (player >= 8).astype(int), rng.integers(0, 3, 200) / 2
    sums, games = np.bincount(player, score), np.bincount(player)
    effect = ratio_difference(sums[:8], games[:8], sums[8:], games[8:])
    sandwich = cluster_difference(score, variant, player, kind="CR0")
    parts = [ratio_of_sums(sums[own], games[own]).variance for own in (slice(8), slice(8, None))]
    assert effect.estimate == pytest.approx(sandwich.estimate, rel=EXACT)
    assert parts[0] * 7 / 8 + parts[1] * 11 / 12 == pytest.approx(sandwich.error**2, rel=EXACT)


def test_ratio_with_equal_games_is_the_mean_of_players():
    means = np.array([0.2, 0.5, 0.9, 0.4])
    ratio = ratio_of_sums(10 * means, [10] * 4)
    assert ratio.value == pytest.approx(means.mean())
    assert ratio.variance == pytest.approx(means.var(ddof=1) / 4)


def test_players_who_do_not_differ_give_no_range():
    effect = ratio_difference([0, 0, 0], [10, 3, 7], [0.3 * 10, 0.3 * 3, 0.3 * 7], [10, 3, 7])
    assert (effect.estimate, effect.error) == (pytest.approx(0.3), 0)
    assert math.isnan(effect.low) and math.isnan(effect.high) and math.isnan(effect.p)


def test_outcome_shares():
    rng = np.random.default_rng(2)
    player = rng.integers(0, 30, 300)
    score, variant = rng.integers(0, 3, 300) / 2, player % 2
    table = outcome_shares(score, variant, player)
    assert table["variant"].tolist() == ["A"] * 3 + ["B"] * 3
    assert table["outcome"].tolist() == ["loss", "draw", "win"] * 2
    assert table.groupby("variant")["share"].sum().tolist() == pytest.approx([1, 1])
    for row in table.itertuples():
        own = (variant == 0) == (row.variant == "A")
        assert row.count == np.sum(own & (score == {"loss": 0, "draw": 0.5, "win": 1}[row.outcome]))
        assert (row.games, row.n) == (own.sum(), len(np.unique(player[own])))
        assert 0 < row.low < row.share < row.high < 1


def test_shares_of_players_with_one_game_each_are_clopper_and_pearsons():
    score = [0.0] * 13 + [0.5] * 3 + [1.0] * 4
    table = outcome_shares(score, [1] * 20, range(20))
    for row, count in zip(table.itertuples(), (13, 3, 4), strict=True):
        # Over players the variance is divided by n - 1, so that one game in twenty is lost.
        size = 19.0
        part = size * count / 20
        low, high = stats.beta.ppf(0.025, part, size - part + 1), stats.beta.ppf(0.975, part + 1, size - part)
        assert (row.low, row.high) == pytest.approx((low, high))
        exact = stats.binomtest(count, 20).proportion_ci()
        assert (row.low, row.high) == pytest.approx((exact.low, exact.high), abs=0.02)


def test_shares_of_none_and_all_are_judged_by_players():
    table = outcome_shares([0.0] * 40, [0] * 40, np.repeat([1, 2, 3, 4], 10))
    exact = stats.binomtest(0, 4).proportion_ci()
    assert table[["low", "high"]].to_numpy() == pytest.approx(
        np.array([[1 - exact.high, 1], [0, exact.high], [0, exact.high]])
    )


def test_shares_of_players_who_repeat_themselves_have_a_wide_range():
    score = np.repeat([1.0, 0.0, 1.0, 0.0, 1.0, 0.0], 50)
    wide = outcome_shares(score, [0] * 300, np.repeat(range(6), 50)).iloc[2]
    narrow = outcome_shares(score, [0] * 300, range(300)).iloc[2]
    assert wide["high"] - wide["low"] > 5 * (narrow["high"] - narrow["low"])
    one = outcome_shares(score, [0] * 300, [1] * 300).iloc[2]
    assert (one["low"], one["high"], one["n"]) == (0, 1, 1)


def counted_pairs(score, variant, strata):
    """Better, worse and tied, pair by pair."""
    sums = np.zeros(3)
    for name in sorted(set(strata)):
        rows = [i for i in range(len(score)) if strata[i] == name]
        for i, j in product(rows, rows):
            if (variant[i], variant[j]) == (0, 1):
                place = 0 if score[j] > score[i] else 1 if score[j] < score[i] else 2
                sums[place] += 1 / len(rows)
    return sums


@pytest.mark.parametrize("case", CASES["odds"], ids=lambda case: case["desc"])
def test_odds(case):
    result = win_odds(case["score"], case["variant"], case["player"], case.get("strata"))
    shares = case["better"], case["worse"], case["tied"]
    assert (result.better, result.worse, result.tied) == pytest.approx(shares, abs=PRINTED)
    assert result.odds == pytest.approx(case["odds"], abs=PRINTED)


def random_games(seed, n=60, players=9):
    rng = np.random.default_rng(seed)
    score, player = rng.integers(0, 3, n) / 2, rng.integers(0, players, n)
    return score, rng.integers(0, 2, n), player, rng.integers(0, 4, n)


@pytest.mark.parametrize("seed", range(4))
def test_odds_by_counting_pairs_with_and_without_each_player(seed):
    score, variant, player, strata = random_games(seed)
    result = win_odds(score, variant, player, strata, level=0.9)
    sums = counted_pairs(score, variant, strata)
    assert (result.better, result.worse, result.tied) == pytest.approx(sums / sums.sum(), rel=EXACT)
    logs = []
    for left_out in np.unique(player):
        own = player != left_out
        better, worse, _ = counted_pairs(score[own], variant[own], strata[own])
        logs.append(math.log(better / worse))
    n = len(logs)
    error = math.sqrt((n - 1) / n * np.square(np.array(logs) - np.mean(logs)).sum())
    half = stats.t.ppf(0.95, n - 2) * error
    expected = [math.exp(math.log(result.odds) + side) for side in (-half, 0, half)]
    assert [result.low, result.odds, result.high] == pytest.approx(expected, rel=EXACT)
    assert (result.n, result.note) == (n, "")


def test_one_stratum_against_mann_and_whitney():
    score, variant, player, _ = random_games(7)
    a, b = score[variant == 0], score[variant == 1]
    result = win_odds(score, variant, player)
    concordance = stats.mannwhitneyu(b, a).statistic / (len(a) * len(b))
    assert result.better + result.tied / 2 == pytest.approx(concordance, rel=EXACT)
    d = stats.somersd(
        variant, score
    ).statistic  # better less worse, over all pairs of a game of A and one of B
    assert result.better - result.worse == pytest.approx(d, rel=EXACT)


def test_with_two_outcomes_it_is_mantel_and_haenszels_odds_ratio():
    score, variant, player, strata = random_games(3)
    score = np.minimum(2 * score, 1)
    tables = [
        [[np.sum((strata == s) & (variant == v) & (score == x)) for x in (1, 0)] for v in (1, 0)]
        for s in range(4)
    ]
    expected = StratifiedTable([np.array(table, dtype=float) for table in tables]).oddsratio_pooled
    assert win_odds(score, variant, player, strata).odds == pytest.approx(expected, rel=EXACT)


@settings(deadline=None)
@given(seed=st.integers(0, 10**6))
def test_odds_keep_to_the_order(seed):
    score, variant, player, strata = random_games(seed)
    result = win_odds(score, variant, player, strata)
    assert win_odds(np.exp(3 * score) - 7, variant, player, strata) == result
    turned = win_odds(score, 1 - variant, player, strata)
    assert (turned.better, turned.worse) == pytest.approx((result.worse, result.better), abs=1e-12)
    if not result.note:
        mirrored = (1 / result.high, 1 / result.odds, 1 / result.low)
        assert (turned.low, turned.odds, turned.high) == pytest.approx(mirrored, rel=1e-6)


def test_strata_with_one_version_say_nothing():
    score, variant, player, strata = random_games(5)
    more = win_odds(
        np.append(score, [1, 0]),
        np.append(variant, [1, 1]),
        np.append(player, [77, 78]),
        np.append(strata, [9, 9]),
    )
    assert more == win_odds(score, variant, player, strata)


@pytest.mark.parametrize(
    ("score", "odds", "note"),
    [
        ([0, 0, 0, 0, 0, 0], 1, "all pairs tie"),
        ([0, 0, 0, 1, 1, 1], math.inf, "all pairs that do not tie go one way"),
        ([1, 0.5, 1, 0.5, 0.5, 0], 0, "all pairs that do not tie go one way"),
        ([0, 0.5, 0, 0, 1, 1], 6, "without one player there are no odds"),
        ([0, 0, 0, 1, 1, 0, 0, 1, 1, 1], 9 / 4, ""),
    ],
)
def test_odds_without_a_range_say_why(score, odds, note):
    n = len(score)
    result = win_odds(score, np.arange(n) >= n / 2, range(n))
    assert (result.odds, result.note) == (pytest.approx(odds), note)
    assert not np.isnan(result[:-1]).any()
    if note:
        assert (result.low, result.high) == (0, math.inf)
    else:
        assert 0 < result.low < result.odds < result.high < math.inf


def test_odds_of_players_who_do_not_differ_have_no_range():
    result = win_odds([0, 1] * 4 + [0, 1, 1] * 4, [0] * 8 + [1] * 12, np.repeat(range(8), [2] * 4 + [3] * 4))
    assert result.odds == pytest.approx(2)
    assert (result.low, result.high, result.note) == (0, math.inf, "players do not differ, or are too few")


def test_ranges_hold_the_truth():
    """Twelve players with each version who differ from each other: 95 % ranges of odds of 1, and of a share."""
    rng = np.random.default_rng(8)
    runs, held = 200, np.zeros(2)
    for _ in range(runs):
        player = np.repeat(np.arange(24), rng.integers(3, 20, 24))
        skill = rng.beta(2, 2, 24)[player]
        score = np.where(rng.random(len(player)) < 0.25, 0.5, rng.random(len(player)) < skill)
        result = win_odds(score, player % 2, player)
        share = outcome_shares(score, player % 2, player).iloc[1]  # draws with A: 0.25 whoever plays
        held += [result.low <= 1 <= result.high, share["low"] <= 0.25 <= share["high"]]
    assert 0.9 < held[0] / runs < 0.995  # 95 % give or take 3 standard errors of 200 runs
    assert held[1] / runs > 0.9  # Clopper and Pearson's range is never too short
