"""Rules of matching: what each mechanism does, and what must hold for every history."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ludometrics.matching import RULES, Levels, MatchRule, Player, is_provisional, match
from ludometrics.ratings import EloSettings, Glicko1Settings, elo, glicko1, posterior

LADDER = np.array([731.0, 838, 962, 1099, 1221, 1324, 1438, 1569, 1707])
KEYS = tuple("123456789")
#: Rules that match a newcomer from the first game, against levels whose ratings are known.
ANCHORED = ("matched", "fast", "glicko1", "posterior", "steady", "default", "expected", "quality")


def rated(rule, met, scores, ladder=LADDER):
    """A player after these games, as the rule's own system rates them."""
    keys = KEYS[: len(ladder)]
    pairs = np.array([[0, 1 + keys.index(key)] for key in met], dtype=int).reshape(-1, 2)
    start = np.concatenate([[rule.ratings.start], ladder])
    options = {
        "settings": rule.ratings,
        "n_players": len(start),
        "anchored": range(1, len(start)),
        "ratings": start,
    }
    if isinstance(rule.ratings, EloSettings):
        record, deviation = elo.replay(pairs, scores, **options), 0.0
    elif isinstance(rule.ratings, Glicko1Settings):
        deviations = [rule.ratings.start_deviation] + [0.0] * len(ladder)
        record = glicko1.replay(pairs, scores, deviations=deviations, **options)
        deviation = float(record.deviations[0])
    else:
        record = posterior.replay(pairs, scores, **options)
        deviation = float(record.deviations[0])
    return Player(float(record.ratings[0]), deviation, len(scores), tuple(met), tuple(scores))


def play(rule, scores, ladder=LADDER, seed=1):
    """Levels offered in a row of games with given scores, and the one offered after them."""
    rng, met = np.random.default_rng(seed), []
    levels = Levels.of(KEYS[: len(ladder)], ladder)
    for number in range(len(scores) + 1):
        choice = match(rule, rated(rule, met, list(scores[:number]), ladder), levels, rng=rng)
        met.append(choice.level)
    return [int(key) for key in met]


@pytest.mark.parametrize("name", ANCHORED)
def test_ten_losses_in_a_row_lead_to_the_weakest_level(name):
    offered = play(RULES[name], [0.0] * 10)
    assert offered == sorted(offered, reverse=True)
    # Elo with a constant K of 32 has come down by some 150 points only: the fault that a fast start mends.
    assert offered[-1] < offered[0] if name == "matched" else offered[-1] == 1


@pytest.mark.parametrize("name", ANCHORED)
def test_ten_wins_in_a_row_raise_the_level(name):
    offered = play(RULES[name], [1.0] * 10)
    assert offered == sorted(offered) and offered[-1] > offered[0]


@given(
    history=st.lists(st.sampled_from([0.0, 0.5, 1.0]), max_size=25),
    start=st.floats(900, 1500),
)
@settings(max_examples=40, deadline=None)
def test_ten_straight_results_move_the_level_after_any_history(history, start):
    rule = RULES["default"]
    rule = replace(rule, ratings=replace(rule.ratings, start=start))
    up, down = play(rule, [*history, *[1.0] * 10]), play(rule, [*history, *[0.0] * 10])
    before = up[len(history)]
    assert up[-1] > before or before == len(LADDER)
    assert down[-1] < before or before == 1


@pytest.mark.parametrize("name", ["steady", "default"])
def test_the_first_level_leaves_the_median_newcomer_a_fair_chance(name):
    rule = RULES[name]
    first = play(rule, [])[0]
    assert elo.expected_score(rule.median, LADDER[first - 1]) >= rule.gentle_share


def test_a_gentle_start_avoids_a_level_that_is_nearest_but_too_strong():
    ladder = Levels.of(("1", "2"), [900, 1320])
    assert match(RULES["steady"], Player(1200, 450), ladder, rng=np.random.default_rng(1)).level == "2"
    assert match(RULES["default"], Player(1200, 450), ladder, rng=np.random.default_rng(1)).level == "1"
    # Where all are too strong the weakest must do.
    strong = Levels.of(("1", "2"), [1800, 1900])
    assert match(RULES["default"], Player(1200, 450), strong, rng=np.random.default_rng(1)).level == "1"


def test_steps_double_until_results_turn():
    rule = replace(
        RULES["default"], provisional_deviation=1
    )  # provisional for ever: only the steps are looked at
    assert play(rule, [0.0, 0.0, 0.0])[:4] == [5, 4, 2, 1]
    assert play(rule, [1.0, 1.0, 1.0])[:4] == [5, 6, 8, 9]
    turned = play(rule, [1.0, 1.0, 0.0])
    assert turned[:3] == [5, 6, 8] and turned[3] < 8


def test_hysteresis_keeps_a_level_that_is_hardly_further():
    levels = Levels.of(KEYS, LADDER)
    rng = np.random.default_rng(1)
    player = Player(1290, 60, 30, ("5",), (1.0,))  # nearest is 6, at .452 against .598
    keeping = replace(RULES["steady"], hysteresis=0.06)
    assert match(replace(keeping, hysteresis=0.0), player, levels, rng=rng).level == "6"
    choice = match(keeping, player, levels, rng=rng)
    assert choice.level == "5" and "again" in choice.reason
    assert match(keeping, replace(player, met=("4",)), levels, rng=rng).level == "6"
    # A provisional player is not held back.
    assert match(keeping, replace(player, deviation=200), levels, rng=rng).level == "6"


def test_target_moves_the_choice():
    levels = Levels.of(KEYS, LADDER)
    easy = replace(RULES["posterior"], target=0.75)
    for choice in ("nearest", "expected", "quality"):
        offered = match(replace(easy, choice=choice), Player(1300, 50), levels, rng=np.random.default_rng(1))
        assert offered.level == "4" and offered.expected == pytest.approx(0.76, abs=0.01)


def test_thompson_sampling_explores_only_what_is_uncertain():
    levels, rng = Levels.of(KEYS, LADDER), np.random.default_rng(1)
    offered = [
        [match(RULES["thompson"], Player(1221, deviation), levels, rng=rng).level for _ in range(100)]
        for deviation in (1, 300)
    ]
    assert set(offered[0]) == {"5"} and len(set(offered[1])) > 5


def test_equal_seeds_agree_and_the_global_generator_is_left_alone():
    levels = Levels.of(KEYS, LADDER)
    before = np.random.get_state()[1].copy()
    offered = [
        [match(RULES["thompson"], Player(1200, 300), levels, rng=rng).level for _ in range(20)]
        for rng in (np.random.default_rng(5), np.random.default_rng(5))
    ]
    assert offered[0] == offered[1]
    assert (np.random.get_state()[1] == before).all()


def test_levels_without_a_rating_are_left_out():
    levels = Levels.of(("easy", "medium", "hard"), [1000, np.nan, 1700])
    rng = np.random.default_rng(1)
    assert match(RULES["steady"], Player(1500, 50, 20), levels, rng=rng).level == "hard"
    assert match(RULES["default"], Player(1200, 400), levels, rng=rng).level == "easy"
    nothing = Levels.of(("easy", "medium", "hard"), [np.nan] * 3)
    choice = match(RULES["steady"], Player(1500, 50, 20), nothing, rng=rng)
    assert choice.level == "medium" and "no level" in choice.reason


def test_provisional_by_games_or_by_deviation():
    assert is_provisional(RULES["course"], Player(1200, 30, 4))
    assert not is_provisional(RULES["course"], Player(1200, 300, 5))
    assert is_provisional(RULES["steady"], Player(1200, 111, 50))
    assert not is_provisional(RULES["steady"], Player(1200, 109, 2))


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"choice": "best"}, "choice is 'best'"),
        ({"newcomer": "random"}, "newcomer is 'random'"),
        ({"target": 1.0}, "target is 1.0"),
        ({"hysteresis": -0.1}, "hysteresis is -0.1"),
        ({"choice": "expected"}, "asks for a deviation, which Elo has not"),
        ({"provisional_deviation": 110}, "asks for a deviation"),
    ],
)
def test_bad_rules_are_named(options, message):
    with pytest.raises(ValueError, match=message):
        MatchRule("mine", **options)


def test_bad_levels_are_named():
    with pytest.raises(ValueError, match="2 levels but ratings of shape"):
        Levels.of(("1", "2"), [1000])
