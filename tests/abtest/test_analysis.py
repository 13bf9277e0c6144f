"""The analysis as a whole: the unit it picks, what stands behind a verdict, and what a plan keeps back."""

import json
import math
from dataclasses import replace
from datetime import date
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
import statsmodels.formula.api as smf
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from ludometrics.abtest.analysis import ESTIMANDS, analyse, effect_sequence
from ludometrics.abtest.breakdown import LEFT_OUT, own_differences
from ludometrics.abtest.plans import Plan
from ludometrics.abtest.scores import win_odds
from ludometrics.abtest.trial import read_trial

CASES = json.loads((Path(__file__).parents[1] / "data" / "abtest" / "analysis.json").read_text())
PRINTED = 0.6e-6  # figures with six decimals
EXACT = 1e-9  # another order of the same sums


def rng():
    return np.random.default_rng(1)


def frame(case):
    columns = ["player", "variant", "score", "colour"]
    return pd.DataFrame({name: case[name] for name in columns if name in case})


def within(players=8, each=20, effect=0.0, seed=1, colours=True):
    """Every player meets both versions by the toss of a coin; the players differ widely."""
    random = np.random.default_rng(seed)
    games = pd.DataFrame({"player": [f"Player {n}" for n in range(players)] * each})
    strength = np.linspace(0.2, 0.8, players)[games.index % players]
    games["variant"] = random.choice(["A", "B"], size=len(games))
    chance = np.clip(strength + effect * (games["variant"] == "B"), 0.0, 1.0)
    games["score"] = 1.0 * (random.random(len(games)) < chance)
    if colours:
        games["colour"] = random.choice(["b", "w"], size=len(games))
    return games


def between(players=20, each=8, effect=0.0, seed=1):
    """Every other player meets B."""
    games = within(players, each, seed=seed)
    number = games["player"].str.removeprefix("Player ").astype(int)
    games["variant"] = np.where(number % 2 == 1, "B", "A")
    random = np.random.default_rng(seed)
    games["score"] = 1.0 * (random.random(len(games)) < 0.5 + effect * (games["variant"] == "B"))
    return games


def plan(**changes):
    given = {
        "experiment": "medium-randomness",
        "design": "within",
        "assignment": "game",
        "players": 8,
        "games_each": 20,
        "effect": 0.05,
        "sd": 0.3,
        "icc": 0.35,
        "decided_on": date(2026, 10, 1),
    }
    return Plan(**given | changes)


# The unit and the estimate


def test_players_with_one_version_each_are_compared_with_each_other():
    case = CASES["own_games"]
    result = analyse(frame(case), rng=rng())
    assert result.decision.estimation[:2] == ("between", "hash") and result.estimand == ESTIMANDS["between"]
    groups = result.groups.set_index("variant")
    for name in ("mean_a", "player_mean_a", "mean_b", "player_mean_b"):
        column = "player_mean" if "player" in name else "mean_score"
        assert groups.loc[name[-1].upper(), column] == pytest.approx(case[name], abs=PRINTED)
    assert groups["players"].tolist() == [3, 3] and groups["games"].tolist() == [6, 6]
    assert groups[["wins", "draws", "losses"]].to_numpy().tolist() == [[2, 2, 2], [1, 1, 4]]
    methods = result.methods.set_index("method")
    ratio, pooled = (
        methods.loc["ratio of sums (delta method)"],
        methods.loc["games, clustered by player (CR1)"],
    )
    assert (ratio["estimate"], pooled["estimate"]) == pytest.approx((-0.25, -0.25), abs=EXACT)
    assert ratio["error"] == pytest.approx(case["ratio_error"], abs=PRINTED)
    assert pooled["error"] == pytest.approx(case["cr1_error"], abs=PRINTED)
    course = methods.loc["games as if independent (the course)"]
    assert course["counts"] == "games"
    half = 1.96 * math.sqrt(0.5 * 0.5 / 6 + 0.25 * 0.75 / 6)
    assert course["high"] - course["low"] == pytest.approx(2 * half, abs=EXACT)


def test_players_with_both_versions_are_compared_with_themselves():
    case = CASES["crossover"]
    result = analyse(frame(case), rng=rng())
    assert result.decision.estimation.unit == "within" and result.estimand == ESTIMANDS["within"]
    assert result.effect.estimate == pytest.approx(case["estimate"], abs=PRINTED)
    players = result.players.set_index("player")
    assert players.loc["Ann", "difference"] == pytest.approx(case["ann"], abs=PRINTED)
    assert players.loc["Bob", "difference"] == pytest.approx(case["bob"], abs=PRINTED)
    assert math.isnan(players.loc["Bob", "low"])  # a single game with A
    assert own_differences(read_trial(frame(case))) == pytest.approx([case["ann"], case["bob"]], abs=PRINTED)


@pytest.mark.parametrize("seed", range(3))
def test_within_players_it_is_the_regression_with_a_constant_for_each_player_and_colour(seed):
    games = within(seed=seed, effect=-0.1)
    result = analyse(games, rng=rng())
    fit = smf.ols("score ~ I(variant == 'B') + C(player):C(colour)", games).fit(cov_type="HC2")
    assert result.effect.estimate == pytest.approx(fit.params.iloc[1], abs=EXACT)
    assert result.effect.error == pytest.approx(fit.bse.iloc[1], abs=EXACT)
    paired = result.methods.set_index("method").loc["differences of players (paired t)"]
    expected = stats.ttest_1samp(own_differences(read_trial(games)), 0.0)
    assert paired["p"] == pytest.approx(expected.pvalue, abs=EXACT)


def test_a_mixture_is_analysed_within_those_who_met_both_and_says_so():
    games = pd.concat([within(), between(players=4)], ignore_index=True)
    games.loc[160:, "player"] = "Other " + games.loc[160:, "player"]
    result = analyse(games, rng=rng())
    assert result.decision.estimation.players == (8, 8)
    assert result.effect.estimate == pytest.approx(analyse(within(), rng=rng()).effect.estimate, abs=EXACT)
    assert any(note.startswith("4 of 12 players met one version only") for note in result.notes)
    assert result.quality.set_index("check").loc["versions", "status"] == "look"


def test_a_design_that_was_meant_counts_for_more_than_what_the_data_show():
    result = analyse(within(), design="between", rng=rng())
    assert result.verdict.code == "unsound" and "8 players met both versions" in result.verdict.text
    with pytest.raises(ValueError, match="design is 'between', but assignment 'game' is within"):
        analyse(within(), design="between", assignment="game", rng=rng())


def test_blocks_are_compared_within():
    games = between(players=16, effect=-0.2)
    blocks = {f"Player {n}": n // 2 for n in range(16)}
    result = analyse(games, blocks=blocks, assignment="blocked", rng=rng())
    assert result.estimand == ESTIMANDS["blocked"] and result.decision.estimation.test.exact
    means = games.groupby("player")["score"].mean()
    pairs = [means[f"Player {n + 1}"] - means[f"Player {n}"] for n in range(0, 16, 2)]
    assert result.effect.estimate == pytest.approx(np.mean(pairs), abs=EXACT)
    assert "means of players within blocks" in set(result.methods["method"])


def test_ratings_adjust_between_players():
    games = between(players=40, seed=4)
    random = np.random.default_rng(5)
    strength = dict(zip(games["player"].unique(), random.normal(0, 250, 40), strict=True))
    chance = 1 / (1 + 10 ** (-games["player"].map(strength) / 400))
    games["score"] = 1.0 * (random.random(len(games)) < chance)
    plain, adjusted = (analyse(games, ratings=ratings, rng=rng()) for ratings in (None, strength))
    assert adjusted.decision.estimation.adjusted and not plain.decision.estimation.adjusted
    assert adjusted.effect.error < 0.8 * plain.effect.error
    assert adjusted.players.set_index("player")["rating"].to_dict() == pytest.approx(strength)
    assert any("with them the range would be narrower" in note for note in plain.notes)
    assert adjusted.notes == ()
    alike = analyse(games, ratings=dict.fromkeys(strength, 1200.0), rng=rng())
    assert alike.effect == plain.effect and any("all alike" in note for note in alike.notes)


# Invariants


@pytest.mark.parametrize("make", [within, between])
def test_exchanging_the_versions_turns_the_answer_round(make):
    games = make(effect=-0.15)
    other = games.assign(variant=games["variant"].map({"A": "B", "B": "A"}))
    one, two = analyse(games, rng=rng()), analyse(other, rng=rng())
    assert two.effect.estimate == pytest.approx(-one.effect.estimate, abs=EXACT)
    assert (two.effect.low, two.effect.high) == pytest.approx((-one.effect.high, -one.effect.low), abs=EXACT)
    assert two.ordered.odds == pytest.approx(1 / one.ordered.odds)
    if make is within:  # exact, so that nothing is drawn
        assert two.decision.estimation.test.mid_p == pytest.approx(
            one.decision.estimation.test.mid_p, abs=EXACT
        )


@settings(deadline=None, max_examples=15)
@given(order=st.permutations(range(120)))
def test_neither_the_order_of_games_nor_the_spelling_of_names_matters(order):
    games = within(players=6)
    shuffled = games.iloc[order].reset_index(drop=True)
    shuffled["player"] = [
        f"  {name.upper()} " if at % 2 else name for at, name in enumerate(shuffled["player"])
    ]
    one, two = (analyse(table, assignment="game", rng=rng()) for table in (games, shuffled))
    assert two.verdict == one.verdict
    assert tuple(two.effect) == pytest.approx(tuple(one.effect), abs=EXACT)


def test_the_same_seed_gives_the_same_answer_and_nothing_global_is_drawn():
    games = between(players=40)
    state = np.random.get_state()[1].tolist()
    one, two = analyse(games, rng=rng()), analyse(games, rng=rng())
    assert one.verdict == two.verdict and one.decision == two.decision
    assert not one.decision.estimation.test.exact
    pd.testing.assert_frame_equal(one.sensitivity, two.sensitivity)
    assert np.random.get_state()[1].tolist() == state


@pytest.mark.parametrize("seed", range(12))
def test_more_confidence_only_takes_verdicts_away(seed):
    games = within(effect=-0.12, seed=seed)
    said = [analyse(games, alpha=alpha, rng=rng()).verdict.code for alpha in (0.1, 0.05, 0.01, 1e-6)]
    found = [code in ("tougher", "easier") for code in said]
    assert found == sorted(found, reverse=True)
    assert not found[-1]


# What stands behind a verdict


def test_the_tables_belong_together():
    games = within(effect=-0.15)
    result = analyse(games, alpha=0.1, margin=0.08, rng=rng())
    assert (result.alpha, result.margin) == (0.1, 0.08)
    assert result.groups["games"].sum() == len(games) == result.players[["games_a", "games_b"]].sum().sum()
    assert result.players["share"].sum() == pytest.approx(1.0)
    trial = read_trial(games)
    odds = win_odds(trial.score, trial.variant, trial.player, trial.stratum, level=0.9)
    assert result.ordered == odds
    assert result.correlation.n == 8 and result.sequence is None and result.plan is None
    assert 0.0 < result.equivalence_p < 1.0
    error, df = result.effect.error, result.effect.df
    expected = (stats.t.ppf(0.95, df) + stats.t.ppf(0.8, df)) * error
    assert result.detectable == pytest.approx(expected, abs=EXACT)
    half = stats.t.ppf(0.95, df) * error
    assert result.effect.high == pytest.approx(result.effect.estimate + half, abs=EXACT)


def test_each_player_is_left_out_in_turn():
    games = within(effect=-0.15)
    games = pd.concat([games, games[games["player"] == "Player 3"]], ignore_index=True)
    found = analyse(games, rng=rng()).sensitivity
    assert found["without"].iloc[0] == "Player 3" and len(found) == 8
    for row in found.itertuples():
        rest = analyse(games[games["player"] != row.without], assignment="game", rng=rng())
        assert (row.estimate, row.low, row.high) == pytest.approx(
            tuple(rest.effect[i] for i in (0, 3, 4)), abs=EXACT
        )
        assert row.p == pytest.approx(rest.decision.estimation.test.mid_p, abs=EXACT)
        assert row.share == pytest.approx((games["player"] == row.without).mean())


def test_of_many_players_only_the_busiest_is_left_out():
    games = within(players=LEFT_OUT + 1, each=4)
    games = pd.concat([games, games[games["player"] == "Player 9"]], ignore_index=True)
    assert analyse(games, rng=rng()).sensitivity["without"].tolist() == ["Player 9"]


def test_the_players_stand_in_the_order_of_their_games():
    games = within(players=6, each=10)
    games = games[~((games["player"] == "Player 2") & (games.index > 30))]
    players = analyse(games, rng=rng()).players
    total = players["games_a"] + players["games_b"]
    assert total.is_monotonic_decreasing and players["player"].iloc[-1] == "Player 2"
    for row in players.itertuples():
        own = games[games["player"] == row.player]
        assert row.mean_a == pytest.approx(own.loc[own["variant"] == "A", "score"].mean())
        assert row.low <= row.difference <= row.high or math.isnan(row.low)


# Data that allow no verdict


def test_three_players_get_an_estimate_and_no_verdict():
    result = analyse(within(players=3, each=60, effect=-0.3), rng=rng())
    assert result.verdict.code == "few players" and not result.verdict.decided
    assert "only 3 players" in result.verdict.text and result.effect.high < 0.0


@pytest.mark.parametrize("make", [within, between])
@pytest.mark.parametrize("score", [0.0, 0.5, 1.0])
def test_scores_that_never_vary_give_no_verdict(make, score):
    result = analyse(make().assign(score=score), rng=rng())
    assert result.verdict.code == "no spread" and not result.verdict.decided
    assert result.effect.estimate == pytest.approx(0.0, abs=1e-12) and math.isnan(result.effect.low)
    assert math.isnan(result.detectable) and math.isnan(result.equivalence_p) and result.correlation is None


def test_all_wins_against_all_losses_are_no_proof():
    games = within()
    result = analyse(games.assign(score=1.0 * (games["variant"] == "B")), rng=rng())
    assert result.verdict.code == "no spread" and result.effect.estimate == pytest.approx(1.0)


@pytest.mark.parametrize(("players", "code"), [(8, "few players"), (20, "unsound")])
def test_an_empty_group(players, code):
    result = analyse(between(players=players).assign(variant="A"), rng=rng())
    assert result.verdict.code == code and math.isnan(result.effect.estimate)
    assert result.groups["games"].tolist() == [8 * players, 0] and result.ordered is None


def test_games_of_another_version_than_recorded():
    games = within()
    games["assigned"] = games["variant"]
    assert analyse(games, rng=rng()).quality.set_index("check").loc["recorded", "status"] == "sound"
    games.loc[:1, "assigned"] = games.loc[:1, "variant"].map({"A": "B", "B": "A"})
    result = analyse(games, rng=rng())
    assert (
        result.verdict.code == "unsound" and "2 of 160 games were played with another" in result.verdict.text
    )


def test_settings_that_are_not_allowed():
    for name, value in (
        ("alpha", 0.5),
        ("alpha", 0.0),
        ("margin", 0.0),
        ("design", "x"),
        ("assignment", "x"),
    ):
        with pytest.raises(ValueError, match=f"{name} is "):
            analyse(within(), **{name: value}, rng=rng())
    with pytest.raises(ValueError, match="no blocks are given"):
        analyse(between(), assignment="blocked", rng=rng())


# Plans


PLANS = [
    (within, plan(games_each=21)),
    (within, plan(assignment="alternate", games_each=22)),
    (between, plan(design="between", assignment="hash", players=20, games_each=9)),
    (between, plan(design="between", assignment="hash", players=100, games_each=8)),
    (lambda: within(players=4, each=10), plan(players=6)),  # too few players as well
    (
        lambda: between().assign(variant="A"),
        plan(design="between", assignment="hash", players=30),
    ),  # unsound too
]


@pytest.mark.parametrize(("make", "chosen"), PLANS)
def test_before_the_planned_end_nothing_is_shown_that_scores_went_into(make, chosen):
    games = make()
    shown = [
        analyse(table, plan=chosen, rng=rng())
        for table in (games, games.assign(score=games["score"].sample(frac=1.0, random_state=3).to_numpy()))
    ]
    for result in shown:
        assert not result.verdict.decided and all(map(math.isnan, result.effect))
        assert all(map(math.isnan, result.decision.estimation.test[::3]))
        assert math.isnan(result.equivalence_p) and math.isnan(result.detectable)
        assert not len(result.players) and not len(result.methods) and not len(result.sensitivity)
        assert result.ordered is None and result.correlation is None and result.sequence is None
        hidden = result.groups[["wins", "draws", "losses", "mean_score", "player_mean", "sd"]]
        assert hidden.isna().all(axis=None) and result.groups["games"].sum() == len(games)
    one, two = shown
    assert one.verdict == two.verdict
    pd.testing.assert_frame_equal(one.quality, two.quality)
    pd.testing.assert_frame_equal(one.groups, two.groups)


def test_the_verdict_counts_the_games_that_are_planned():
    early = analyse(within(), plan=plan(games_each=21), rng=rng())
    assert early.verdict == ("planned", "No verdict yet: 160 of 168 games planned.")
    chosen = plan(design="between", assignment="hash", players=20, games_each=9)
    assert (
        analyse(between(), plan=chosen, rng=rng()).verdict.text == "No verdict yet: 160 of 180 games planned."
    )


@pytest.mark.parametrize("design", ["within", "between"])
def test_a_fulfilled_plan_brings_its_settings_and_games_beyond_it_do_not_count(design):
    make, assignment = {"within": (within, "game"), "between": (between, "hash")}[design]
    players = 8 if design == "within" else 20
    chosen = plan(
        design=design,
        assignment=assignment,
        players=players,
        games_each=160 // players,
        alpha=0.1,
        margin=0.2,
    )
    games = make(effect=-0.2)
    result = analyse(games, plan=chosen, rng=rng())
    free = analyse(games, assignment=assignment, alpha=0.1, margin=0.2, rng=rng())
    assert (result.verdict, result.effect, result.alpha) == (free.verdict, free.effect, 0.1)
    assert result.plan is chosen and result.verdict.decided
    more = pd.concat([games, games.assign(score=1.0)], ignore_index=True)
    later = analyse(more, plan=chosen, rng=rng())
    assert later.effect == result.effect and later.groups["games"].sum() == 160
    assert "160 games after the 160 planned are left out." in later.notes


def test_a_sequential_plan_may_be_looked_at_any_time():
    games, chosen = within(effect=-0.3, each=50), plan(games_each=60, sequential=True)
    result = analyse(games, plan=chosen, rng=rng())
    assert result.verdict.code == "tougher" and "at any look; n = 400" in result.verdict.text
    last = result.sequence.iloc[-1]
    assert (result.effect.low, result.effect.high) == (last["low"], last["high"])
    fixed = analyse(games, rng=rng()).effect
    assert result.effect.high - result.effect.low > fixed.high - fixed.low
    assert result.estimand == ESTIMANDS["sequential"]
    # One look's numbers do not pass for those of many.
    assert math.isnan(result.equivalence_p) and math.isnan(result.detectable) and math.isnan(result.effect.p)


def test_a_sequential_plan_without_a_verdict_shows_no_range_of_one_look():
    games = within(players=3, each=60, effect=-0.3)
    result = analyse(games, plan=plan(sequential=True), rng=rng())
    assert result.verdict.code == "few players"
    assert result.effect.high == result.sequence["high"].iloc[-1] and math.isnan(result.effect.error)


def test_a_sequential_plan_of_the_first_games_shows_nothing_yet():
    result = analyse(within(each=1), plan=plan(sequential=True), rng=rng())
    assert not result.verdict.decided and math.isnan(result.effect.low)


def test_a_sequence_of_pairs_counts_pairs():
    games = within(each=20)
    trial = read_trial(games.sort_values(["player", "colour"], kind="stable"))
    table = effect_sequence(trial, "alternate", n_opt=100, alpha=0.05)
    pairs = games.groupby(["player", "colour"])["variant"].agg(
        lambda own: min((own == "A").sum(), (own == "B").sum())
    )
    assert len(table) == pairs.sum()
    assert len(effect_sequence(trial, "game", n_opt=100, alpha=0.05)) == len(games)
    with pytest.raises(ValueError, match="assignment is 'hash': looking early needs"):
        effect_sequence(trial, "hash", n_opt=100, alpha=0.05)


def test_a_plan_is_taken_whole():
    chosen = replace(plan(), alpha=0.2)
    result = analyse(within(), plan=chosen, design="between", alpha=0.01, margin=0.5, rng=rng())
    assert (result.alpha, result.margin, result.decision.estimation.unit) == (0.2, 0.05, "within")


# ------------------------------------------------------------------ what an attack found


def test_a_few_keen_players_do_not_fulfil_a_plan_of_many():
    """Between players the player is the unit: 14 who play 210 games each are no 294 with ten."""
    many = plan(design="between", assignment="hash", players=40, games_each=8)
    keen = between(players=14, each=30)
    assert len(keen) > many.planned_games
    early = analyse(keen, plan=many, rng=rng())
    assert early.verdict.text == "No verdict yet: 14 of 40 players planned."
    assert math.isnan(early.effect.estimate) and not len(early.players)
    assert analyse(between(players=40, each=8), plan=many, rng=rng()).verdict.code != "planned"


def test_games_after_the_planned_end_are_no_fault_of_those_before():
    decided = plan(design="within", assignment="game", players=8, games_each=20)
    games = within(players=8, each=60)
    games["assigned"] = games["variant"]
    late = games.index >= decided.planned_games
    games.loc[late, "assigned"] = games.loc[late, "variant"].map({"A": "B", "B": "A"})
    whole = analyse(games, plan=decided, rng=rng())
    assert whole.verdict == analyse(games[~late], plan=decided, rng=rng()).verdict
    assert whole.verdict.code != "unsound"


def test_unfinished_games_before_the_planned_end_are_still_seen():
    decided = plan(design="within", assignment="game", players=8, games_each=20)
    games = within(players=8, each=60)
    games.loc[(games.index % 5 == 0) & (games["variant"] == "B"), "score"] = math.nan
    quality = analyse(games, plan=decided, rng=rng()).quality.set_index("check")
    assert (
        quality.loc["unfinished", "status"] == "look" and "in B left" in quality.loc["unfinished", "finding"]
    )


@pytest.mark.parametrize("seed", range(6))
def test_players_who_were_dealt_once_do_not_upset_the_split_of_games(seed):
    random = np.random.default_rng(seed)
    drawn = within(players=12, each=20, seed=seed)
    once = pd.DataFrame({"player": np.repeat([f"Once {n}" for n in range(30)], 20), "colour": "b"})
    once["variant"] = np.repeat(np.where(np.arange(30) < 24, "A", "B"), 20)  # far from even, and no fault
    once["score"] = 1.0 * (random.random(len(once)) < 0.5)
    said = analyse(pd.concat([drawn, once], ignore_index=True), rng=rng())
    assert said.decision.split.n_a + said.decision.split.n_b == len(drawn)
    assert said.verdict.code != "unsound"


def test_one_order_throughout_is_said():
    games = within(players=8, each=20)
    games["colour"] = "b"
    number = games.groupby("player").cumcount()
    games["variant"] = np.where(number % 2 == 0, "A", "B")
    fixed = analyse(games, rng=rng())
    assert fixed.decision.estimation.assignment == "alternate"
    assert any("A came first in every pair" in note for note in fixed.notes)
    turned = number // 2 % 2 == 1
    games.loc[turned, "variant"] = games.loc[turned, "variant"].map({"A": "B", "B": "A"})
    assert not any("came first" in note for note in analyse(games, rng=rng()).notes)


def test_one_stray_game_is_named_where_it_costs_the_verdict():
    games = between(players=40, each=6)
    games.loc[0, "variant"] = "B" if games.loc[0, "variant"] == "A" else "A"
    said = analyse(games, rng=rng()).verdict
    assert said.code == "few players" and "1 of 40 players met both versions" in said.text
    assert analyse(games, design="between", rng=rng()).verdict.code == "unsound"


@pytest.mark.parametrize(
    ("ratings", "message"),
    [
        ({"Player 0": 1e300}, r"rating of 'Player 0' is 1e\+300: it must be a number, at most 1,000,000"),
        ({7: 1200.0, 8: 1300.0}, "none of the 2 ratings is of a player of this test: they are of '7'"),
    ],
)
def test_ratings_that_can_be_none(ratings, message):
    with pytest.raises(ValueError, match=message):
        analyse(between(), ratings=ratings, rng=rng())


def test_two_columns_of_one_name_are_refused():
    games = within()
    double = pd.concat([games, games[["score"]]], axis=1)
    with pytest.raises(ValueError, match="two columns 'score'"):
        analyse(double, rng=rng())


def test_an_alpha_that_is_no_number_is_refused():
    with pytest.raises(ValueError, match=r"alpha is '0\.05'"):
        analyse(within(), alpha="0.05", rng=rng())
