"""The six checks: each verdict on made-up pairs, sizes, and whole groups that are sound or broken on purpose."""

import math
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from scipy import special

from ludometrics.boardgames.check_power import break_group
from ludometrics.boardgames.checks import (
    COLUMNS,
    LEAST_PAIRS,
    LEAST_PLAYS,
    QUESTIONS,
    REFUTED,
    SUPPORTED,
    TOO_LITTLE,
    UNDECIDED,
    VERDICTS,
    Decisive,
    check_calibration,
    check_convergence,
    check_discrimination,
    check_premise,
    check_retrodiction,
    decisive_pairs,
    exit_status,
    run_checks,
)
from ludometrics.boardgames.engine import rate_log
from ludometrics.boardgames.settings import PRESETS, EngineSettings
from ludometrics.boardgames.weights import game_weights
from ludometrics.evaluation import calibration_slope
from ludometrics.simulation.boardgame_groups import simulate_group
from ludometrics.simulation.boardgame_worlds import GROUPS, GroupWorld
from small_logs import random_log, ranked_log

#: A group in which all that the engine believes is true, as spread out as its prior says.
SOUND = replace(GROUPS["all"], spread=180.0)
REPLICATES = 200
#: What the expansion of a replicate may leave of its slope, far below its noise.
EXPANSION = 5e-3


def seeded(seed=1):
    return np.random.default_rng(seed)


def options(seed=1):
    return {"replicates": REPLICATES, "rng": seeded(seed)}


def made_up(slope, *, plays=200, pairs=4, spread=0.8, seed=1):
    """Pairs whose favourites win as forecast (slope 1), less surely (below) or more (above)."""
    rng = seeded(seed)
    logit = np.abs(rng.normal(0, spread, plays * pairs))
    won = (rng.random(len(logit)) < special.expit(slope * logit)).astype(float)
    play = np.repeat(np.arange(plays), pairs)
    return Decisive(play, logit, 170 * logit, np.full(len(logit), 100.0), won, len(logit), plays)


def rated_group(world, settings, variant="sound", seed=1, **changes):
    group = simulate_group(replace(world, **changes), rng=seeded(seed))
    weights = game_weights(group.log.games, settings, complexity=group.complexity, skill=group.skill)
    return break_group(group.log, weights, settings, variant, rng=seeded(seed))


def verdicts(rated):
    return run_checks(rated, **options()).set_index("check")["verdict"].to_dict()


# --- each check on made-up pairs


@pytest.mark.parametrize(
    ("slope", "plays", "verdict"),
    [
        (1.0, 1000, SUPPORTED),
        (0.3, 1000, REFUTED),
        (2.5, 1000, REFUTED),
        (-0.5, 1000, REFUTED),
        (0.67, 1000, UNDECIDED),
        (0.8, 80, UNDECIDED),
    ],
)
def test_calibration(slope, plays, verdict):
    pairs = made_up(slope, plays=plays)
    found = check_calibration(pairs, **options())
    assert found.verdict == verdict and found.n == plays
    chance = special.expit(pairs.logit)
    expected = calibration_slope(
        chance, pairs.won, units=pairs.play, level=0.99, replicates=REPLICATES, rng=seeded()
    )
    assert tuple(found[2:6]) == pytest.approx(tuple(expected), abs=EXPANSION)


@pytest.mark.parametrize(
    ("slope", "plays", "verdict"),
    [(1.0, 500, SUPPORTED), (-0.8, 500, REFUTED), (0.0, 500, UNDECIDED), (0.3, 60, UNDECIDED)],
)
def test_discrimination(slope, plays, verdict):
    pairs = made_up(slope, plays=plays)
    found = check_discrimination(pairs, **options())
    assert found.verdict == verdict
    assert found.effect == pytest.approx(pairs.won.mean()) and found.low < found.effect < found.high
    order = np.argsort(pairs.gap)
    third = len(order) // 3
    difference = pairs.won[order[-third:]].mean() - pairs.won[order[:third]].mean()
    assert float(found.note.split("smallest ")[1].split(" ")[0]) == pytest.approx(difference, abs=0.01)


def test_favourites_who_win_all_alike_do_not_support_the_gaps():
    pairs = made_up(1.0, plays=500)
    level = (seeded(2).random(len(pairs.won)) < 0.7).astype(float)
    found = check_discrimination(pairs._replace(won=level), **options())
    assert found.low > 0.5 and found.verdict == UNDECIDED


@pytest.mark.parametrize(("factor", "verdict"), [(0.4, SUPPORTED), (1.0, UNDECIDED), (2.5, REFUTED)])
def test_convergence(factor, verdict):
    """Every move for the same evidence is 10 points at first and `factor` times that from play 6 on."""
    rated = rate_log(ranked_log(*["abcd", "bacd"] * 20), EngineSettings())
    played = np.repeat(np.arange(40), 4)
    moves = 10 * np.where(played < 5, 1.0, factor) * np.exp(0.3 * seeded().standard_normal(160))
    ratings = replace(
        rated.ratings, before=np.zeros(160), after=np.where(played % 2, -1, 1) * moves, evidence=np.ones(160)
    )
    found = check_convergence(replace(rated, ratings=ratings), **options())
    assert found.verdict == verdict
    assert found.effect == pytest.approx(moves[played < 5].mean() / moves[played >= 14].mean())
    doubled = replace(ratings, after=3 * ratings.after, evidence=np.full(160, 3.0))
    assert check_convergence(replace(rated, ratings=doubled), **options()).effect == pytest.approx(
        found.effect
    )


def test_convergence_is_of_moves_for_the_same_evidence():
    """All moves are 10 points, for the evidence of one duel at first and of four from play 6 on: a ratio of 4."""
    rated = rate_log(ranked_log(*["abcd", "bacd"] * 20), EngineSettings())
    played = np.repeat(np.arange(40), 4)
    ratings = replace(
        rated.ratings,
        before=np.zeros(160),
        after=np.full(160, 10.0),
        evidence=np.where(played < 5, 1.0, 4.0),
    )
    found = check_convergence(replace(rated, ratings=ratings), **options())
    assert (found.effect, found.verdict) == (pytest.approx(4.0), SUPPORTED)


@pytest.mark.parametrize(
    ("ratings", "tau", "luck", "verdict"),
    [
        ([5, 4, 3, 2, 1], 1.0, 1 / 120, SUPPORTED),
        ([4, 5, 3, 2, 1], 0.8, 5 / 120, SUPPORTED),
        ([4, 5, 2, 3, 1], 0.6, 14 / 120, UNDECIDED),
        ([3, 5, 2, 4, 1], 0.4, 29 / 120, UNDECIDED),
        ([1, 2, 3, 5, 4], -0.8, 119 / 120, REFUTED),
    ],
    ids=["all in order", "one turned round", "two", "three", "all but one"],
)
def test_retrodiction_is_supported_by_what_luck_gives_once_in_twenty(ratings, tau, luck, verdict):
    """Of the 120 orders of five, 1, 4, 9 and 15 have 0, 1, 2 and 3 pairs turned round."""
    rated = rate_log(ranked_log(*["abcde"] * 10), EngineSettings())
    rated = replace(rated, ratings=replace(rated.ratings, rating=np.array(ratings, dtype=float)))
    found = check_retrodiction("retrodiction", rated, **options())
    assert (found.effect, found.n, found.verdict) == (pytest.approx(tau), 5, verdict)
    assert f"with a chance of {luck:.3g}" in found.note


def premise_group(change, *, seed=1, plays=600, games=20, unsure=0.0):
    """A rated log and pairs of its plays: their slope changes with W and C by `change`, and by `unsure`."""
    rng = seeded(seed)
    rated = rate_log(random_log(rng, plays=plays, games=games, guests=0), EngineSettings())
    schedule = rated.schedule
    n = len(schedule.play)
    skill = rng.random(games)
    known = np.clip(skill[schedule.game] + 0.1 * rng.standard_normal(n), 0, 1)
    schedule = replace(
        schedule,
        skill=skill[schedule.game],
        complexity=np.full(n, np.nan),
        familiarity=np.repeat(known, np.diff(schedule.starts)),
    )
    play = np.repeat(np.arange(n), 6)
    logit = np.abs(rng.normal(0, 1, len(play)))
    deviation = 100 + 30 * rng.standard_normal(len(play)) + 200 * (0.5 - known[play])
    z = (known - known.mean())[play] / known.std()
    slope = 1 + change * z + unsure * (deviation - 100) / 70
    won = (rng.random(len(play)) < special.expit(slope * logit)).astype(float)
    return replace(rated, schedule=schedule), Decisive(play, logit, 170 * logit, deviation, won, len(play), n)


@pytest.mark.parametrize("name", ["confidence", "weight"])
@pytest.mark.parametrize(("change", "verdict"), [(0.4, SUPPORTED), (0.0, UNDECIDED), (-0.5, REFUTED)])
def test_premises(name, change, verdict):
    found = check_premise(name, *premise_group(change), **options())
    assert found.verdict == verdict and found.effect == pytest.approx(change, abs=0.2)
    assert "by 20 games" in found.note


@pytest.mark.parametrize("name", ["confidence", "weight"])
def test_a_premise_is_not_refuted_by_a_few_games(name):
    found = check_premise(name, *premise_group(-0.5, games=4), **options())
    assert found.high < 0 and found.verdict == UNDECIDED


def test_a_premise_is_not_refuted_by_what_uncertain_ratings_do():
    """Where forecasts from uncertain ratings are too timid, tables that know the game look worse, and are not."""
    rated, pairs = premise_group(0.0, unsure=0.8)
    found = check_premise("confidence", rated, pairs, **options())
    assert found.high < 0 and found.verdict == UNDECIDED
    blind = pairs._replace(deviation=np.full(len(pairs.play), 100.0))
    assert check_premise("confidence", rated, blind, **options()).verdict == REFUTED


def test_a_premise_looks_at_a_factor_that_is_switched_off():
    rated, pairs = premise_group(0.4)
    off = EngineSettings(use_weight=False, use_confidence=False)
    for name in ("confidence", "weight"):
        on = check_premise(name, rated, pairs, **options())
        assert check_premise(name, replace(rated, settings=off), pairs, **options()) == on


# --- sizes


def test_too_few_pairs_or_plays():
    enough = made_up(1.0, plays=LEAST_PLAYS, pairs=5)
    assert check_calibration(enough, **options()).verdict != TOO_LITTLE
    for short in ({"n_pairs": LEAST_PAIRS - 1}, {"n_plays": LEAST_PLAYS - 1}):
        found = check_calibration(enough._replace(**short), **options())
        assert found.verdict == TOO_LITTLE and "needs 300 decisive pairs in 60 plays; has" in found.note
        assert all(math.isnan(x) for x in found[2:5])
    assert check_discrimination(enough._replace(n_plays=LEAST_PLAYS - 1), **options()).verdict == TOO_LITTLE
    rated, pairs = premise_group(0.0, plays=160)
    assert check_premise("weight", rated, pairs, **options()).verdict != TOO_LITTLE
    assert check_premise("weight", rated, pairs._replace(n_plays=149), **options()).verdict == TOO_LITTLE
    same = replace(rated, schedule=replace(rated.schedule, skill=np.full(len(rated.schedule.play), 0.5)))
    assert "it is 0.000" in check_premise("weight", same, pairs, **options()).note
    two = rate_log(ranked_log(*["ab"] * 25), EngineSettings())
    found = check_convergence(two, **options())
    assert found.verdict == TOO_LITTLE and "3 players of 20 rated plays: there are 2" in found.note


@pytest.mark.parametrize(
    "tables", [[], ["ab"], ["abc"] * 5, [["a", "guest"]] * 30], ids=["no play", "one", "five", "guests"]
)
def test_small_logs_have_too_little_of_everything(tables):
    table = run_checks(rate_log(ranked_log(*tables), EngineSettings()), **options())
    assert (table["verdict"] == TOO_LITTLE).all() and exit_status(table) == 0
    assert table[["effect", "low", "high"]].isna().all(axis=None)


def test_forecasts_that_name_no_favourite_tell_nothing():
    people = [f"p{n}" for n in range(400)]
    rated = rate_log(ranked_log(*(people[n : n + 4] for n in range(0, 400, 4))), EngineSettings())
    pairs = decisive_pairs(rated)
    assert (pairs.n_pairs, pairs.n_plays, len(pairs.won)) == (600, 100, 0)
    assert set(verdicts(rated).values()) == {TOO_LITTLE}


# --- pairs


def test_pairs_are_seen_from_the_favourites_side():
    rated = rate_log(random_log(seeded(3), plays=80, guests=0.2), EngineSettings())
    pairs, ratings = decisive_pairs(rated), rated.ratings
    rows = np.flatnonzero(ratings.scored & (ratings.outcome != 0.5))
    assert pairs.n_pairs == len(rows) and pairs.n_plays == len(np.unique(ratings.pair_play[rows]))
    rows = rows[ratings.forecast[rows] != 0.5]
    forecast, outcome = ratings.forecast[rows], ratings.outcome[rows]
    assert special.expit(pairs.logit) == pytest.approx(np.maximum(forecast, 1 - forecast))
    assert pairs.won.tolist() == ((forecast > 0.5) == (outcome == 1)).astype(float).tolist()
    assert (pairs.gap > 0).all() and (pairs.deviation > 0).all()


# --- whole groups


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_a_sound_group_is_never_refuted(seed):
    table = run_checks(rated_group(SOUND, PRESETS["bgelo"], seed=seed), **options())
    assert exit_status(table) == 0
    found = table.set_index("check")["verdict"]
    for name in ("discrimination", "convergence", "retrodiction", "retrodiction by wins"):
        assert found[name] == SUPPORTED


@pytest.mark.parametrize("seed", [1, 2])
def test_shuffled_results_refute_the_calibration(seed):
    table = run_checks(
        rated_group(SOUND, PRESETS["bgelo"], "results shuffled", seed=seed, plays=1200, years=6.0),
        **options(),
    )
    found = table.set_index("check")
    assert (
        found.loc["calibration", "verdict"] == REFUTED and found.loc["discrimination", "verdict"] != SUPPORTED
    )
    assert exit_status(table) == 1


@pytest.mark.parametrize("seed", [1, 2])
def test_weights_the_wrong_way_round_refute_their_premise(seed):
    world = replace(SOUND, weight=1.0, plays=1200, years=6.0)
    assert verdicts(rated_group(world, PRESETS["bgelo"], seed=seed))["weight"] == SUPPORTED
    assert verdicts(rated_group(world, PRESETS["bgelo"], "weight reversed", seed=seed))["weight"] == REFUTED


@pytest.mark.parametrize("seed", [1, 2])
def test_a_prior_four_times_too_wide_refutes_the_calibration(seed):
    """People of few plays each, of whom the prior is half of what is known."""
    world = GroupWorld(plays=2000, years=10.0, people=200, spread=60.0)
    settings = EngineSettings(deviation=60.0, floor=30.0)
    assert verdicts(rated_group(world, settings, seed=seed))["calibration"] != REFUTED
    assert verdicts(rated_group(world, settings, "prior x4", seed=seed))["calibration"] == REFUTED


# --- the table


def test_the_table_has_one_row_a_check_and_the_authors_own_under_his_settings():
    tuned, bgelo = (
        run_checks(rated_group(SOUND, PRESETS[name], plays=200), **options()) for name in ("tuned", "bgelo")
    )
    assert tuple(tuned.columns) == COLUMNS
    assert bgelo["check"].tolist() == list(QUESTIONS) and tuned["check"].tolist() == list(QUESTIONS)[:6]
    assert bgelo["question"].tolist() == list(QUESTIONS.values())
    assert set(bgelo["verdict"]) | set(tuned["verdict"]) <= set(VERDICTS)


def test_equal_seeds_give_equal_tables():
    rated = rated_group(SOUND, PRESETS["tuned"], plays=200)
    first, again = (run_checks(rated, **options(7)) for _ in range(2))
    assert first.equals(again)
    assert not first.equals(run_checks(rated, **options(8)))


def test_the_exit_status_knows_only_what_is_refuted():
    for verdict in VERDICTS:
        assert exit_status(pd.DataFrame({"verdict": [SUPPORTED, verdict]})) == (verdict == REFUTED)
    with pytest.raises(ValueError, match="replicates is 0"):
        run_checks(rated_group(SOUND, PRESETS["tuned"], plays=200), replicates=0, rng=seeded())
