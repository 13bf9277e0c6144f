"""Evenness: values by hand, the bias of the plain number, and measures of single games."""

import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ludometrics.matching import (
    bias_of_mean_distance,
    evenness,
    game_distance,
    games_until_within,
    longest_losing_run,
    mean_distance,
    share_even,
    squared_distance,
)

CASES = json.loads((Path(__file__).parents[1] / "data" / "matching" / "evenness.json").read_text())
SCORES = st.lists(st.sampled_from([0.0, 0.5, 1.0]), min_size=2, max_size=40)


@pytest.mark.parametrize("case", CASES["squared_distance"], ids=lambda case: case["desc"])
def test_squared_distance(case):
    assert squared_distance(case["scores"]) == pytest.approx(case["u"], abs=1e-12)


@pytest.mark.parametrize("case", CASES["bias"], ids=lambda case: f"{case['n_games']} games")
def test_bias(case):
    value = bias_of_mean_distance(case["n_games"], draw_share=case["draw_share"])
    assert value == pytest.approx(case["bias"], abs=5e-4)  # published to three places


def test_the_plain_number_is_biased_and_the_other_is_not():
    rng = np.random.default_rng(1)
    scores = rng.choice([0, 0.5, 1], p=[0.3, 0.4, 0.3], size=(20_000, 10))
    players = np.repeat(np.arange(20_000), 10)
    # Standard errors are 0.0005 and 0.0001.
    assert mean_distance(scores.ravel(), players) == pytest.approx(0.097, abs=0.002)
    assert np.mean([squared_distance(row) for row in scores]) == pytest.approx(0, abs=4e-4)


def test_evenness_of_a_group():
    scores = [1, 1, 1, 1, 0, 0, 0, 0, 1, 0, 0.5, 0.5]
    result = evenness(scores, ["Ann"] * 4 + ["Bob"] * 4 + ["Cid"] * 4, rng=np.random.default_rng(1))
    assert result.mean_distance == pytest.approx(1 / 3)
    assert result.rms == pytest.approx(np.sqrt((0.25 + 0.25 - 1 / 24) / 3))
    assert 0 <= result.rms_low < result.rms < result.rms_high == pytest.approx(0.5)
    assert (result.n_players, result.n_games) == (3, 12)


def test_equal_seeds_agree():
    scores, players = np.tile([1, 0.5, 0, 1], 10), np.repeat(np.arange(10), 4)
    results = [evenness(scores, players, rng=np.random.default_rng(3)) for _ in range(2)]
    assert results[0] == results[1]


@given(SCORES, SCORES)
def test_who_won_does_not_matter(first, second):
    players = [0] * len(first) + [1] * len(second)
    scores = np.array(first + second)
    assert mean_distance(scores, players) == pytest.approx(mean_distance(1 - scores, players))
    assert squared_distance(first) == pytest.approx(squared_distance(1 - np.array(first)))


def test_wins_at_one_level_do_not_make_up_for_losses_at_another():
    scores, players = [1, 1, 0, 0], ["Ann"] * 4
    assert mean_distance(scores, players) == 0
    assert game_distance([0.99, 0.99, 0.01, 0.01]) == pytest.approx(0.49)


def test_single_games():
    assert game_distance([0.75, 0.65], target=0.75) == pytest.approx(0.05)
    assert share_even([0.34, 0.35, 0.65, 0.651]) == 0.5
    assert longest_losing_run([]) == 0 and longest_losing_run([0, 0, 0.5, 0]) == 2
    assert games_until_within([1200, 1310], 1305, points=5) == 1
    assert games_until_within([1200], 1250) == 0 and games_until_within([1200], 1301) is None


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: squared_distance([1]), "at least 2"),
        (lambda: squared_distance([1, 2]), "score 1 is 2"),
        (lambda: mean_distance([], []), "at least 1"),
        (lambda: mean_distance([1, 0], ["Ann"]), "one for each"),
        (lambda: mean_distance([1], ["Ann"], target=0), "target is 0"),
        (lambda: game_distance([1.2]), "expected score is 1.2"),
        (lambda: game_distance([]), "no expected scores"),
        (lambda: bias_of_mean_distance(0, draw_share=0.4), "n_games is 0"),
    ],
)
def test_bad_values_are_named(call, message):
    with pytest.raises(ValueError, match=message):
        call()
