"""Elo: the course's values, the compiled replay against its twin, and what must always hold."""

import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from ludometrics.ratings import EloSettings, elo

CASES = json.loads((Path(__file__).parents[1] / "data" / "ratings" / "elo.json").read_text())
#: Published values are printed to six places.
SIX_PLACES = 5e-7
#: Compiled and plain loops round differently in the last bits only.
TWIN = 1e-9
FAST_START = EloSettings(k=((10, 96), (20, 48), (None, 20)), start=1500)


def random_log(seed, n=400, m=7):
    rng = np.random.default_rng(seed)
    first = rng.integers(m, size=n)
    second = (first + rng.integers(1, m, size=n)) % m
    return np.stack([first, second], axis=1), rng.choice([0, 0.5, 1], size=n)


@pytest.mark.parametrize("case", CASES["expected_score"], ids=lambda case: case["desc"])
def test_expected_score(case):
    assert elo.expected_score(case["rating"], case["opponent"]) == pytest.approx(
        case["expected"], abs=SIX_PLACES
    )


@pytest.mark.parametrize("case", CASES["update"], ids=lambda case: case["desc"])
def test_update(case):
    after = elo.update(case["rating"], case["opponent"], case["outcome"], k=case["k"])
    assert after == pytest.approx(case["after"], abs=case["tolerance"])
    record = elo.replay(
        [[0, 1]],
        [case["outcome"]],
        settings=EloSettings(k=case["k"]),
        ratings=[case["rating"], case["opponent"]],
    )
    assert record.ratings == pytest.approx(after, abs=TWIN)


def test_expectations_of_both_sides_add_up_to_one():
    assert elo.expected_score(1300, 1200) + elo.expected_score(1200, 1300) == pytest.approx(1, abs=1e-9)


def test_huge_gap_stays_finite():
    record = elo.replay([[0, 1]], [0], ratings=[1e6, -1e6])
    assert np.isfinite(record.ratings).all() and record.forecasts[0] == 1
    assert elo.expected_score(-1e6, 1e6) >= 0


@pytest.mark.parametrize("options", [EloSettings(), FAST_START])
@pytest.mark.parametrize("anchored", [(), (0, 3)])
def test_compiled_replay_equals_plain_python(options, anchored):
    pairs, outcomes = random_log(1)
    fast, plain = (
        elo.replay(pairs, outcomes, settings=options, anchored=anchored, compiled=flag)
        for flag in (True, False)
    )
    assert fast.ratings == pytest.approx(plain.ratings, abs=TWIN)
    assert fast.forecasts == pytest.approx(plain.forecasts, abs=TWIN)
    assert fast.games.tolist() == plain.games.tolist() == np.bincount(pairs.ravel(), minlength=7).tolist()


def test_forecasts_are_made_before_the_update():
    pairs, outcomes = random_log(2, n=50)
    record = elo.replay(pairs, outcomes)
    for row in range(50):
        before = elo.replay(pairs[:row], outcomes[:row], n_players=7)
        expected = elo.expected_score(*before.ratings[pairs[row]])
        assert record.forecasts[row] == pytest.approx(expected, abs=TWIN)


@given(seed=st.integers(0, 10**6), cut=st.integers(0, 60))
@settings(max_examples=30, deadline=None)
def test_two_halves_equal_one_pass(seed, cut):
    pairs, outcomes = random_log(seed, n=60)
    whole = elo.replay(pairs, outcomes, settings=FAST_START, n_players=7)
    first = elo.replay(pairs[:cut], outcomes[:cut], settings=FAST_START, n_players=5 if cut == 0 else None)
    second = elo.replay(pairs[cut:], outcomes[cut:], settings=FAST_START, n_players=7, state=first)
    assert second.ratings.tolist() == whole.ratings.tolist()
    assert second.games.tolist() == whole.games.tolist()
    assert np.concatenate([first.forecasts, second.forecasts]).tolist() == whole.forecasts.tolist()


@given(seed=st.integers(0, 10**6))
@settings(max_examples=30, deadline=None)
def test_constant_k_keeps_the_total(seed):
    pairs, outcomes = random_log(seed, n=60)
    assert elo.replay(pairs, outcomes, n_players=7).ratings.sum() == pytest.approx(7 * 1200, abs=1e-8)


@given(seed=st.integers(0, 10**6))
@settings(max_examples=30, deadline=None)
def test_swapping_the_sides_changes_nothing(seed):
    pairs, outcomes = random_log(seed, n=60)
    one = elo.replay(pairs, outcomes, n_players=7)
    other = elo.replay(pairs[:, ::-1], 1 - outcomes, n_players=7)
    assert one.ratings == pytest.approx(other.ratings, abs=TWIN)


def test_replay_changes_no_argument():
    pairs, outcomes = random_log(3)
    start = np.full(7, 1400.0)
    state = elo.replay(pairs, outcomes, ratings=start)
    kept = state.ratings.copy()
    elo.replay(pairs, outcomes, state=state)
    assert (start == 1400).all() and (state.ratings == kept).all()


def test_fast_start_counts_each_player_by_itself():
    record = elo.replay([[0, 1]] * 10 + [[0, 2]], [0.5] * 10 + [1], settings=FAST_START)
    assert record.ratings[0] == pytest.approx(1524) and record.ratings[2] == pytest.approx(1452)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (([[0, 1], [2, 2]], [1, 0]), "game 1 sets player 2 against itself"),
        (([[0, 1]], [0.3]), "outcome of game 0 is 0.3"),
        (([[0, 1]], [float("nan")]), "outcome of game 0 is nan"),
        (([[0, -1]], [1]), r"players of game 0 are \[0, -1\]"),
        (([[0.0, 1.0]], [1]), "whole numbers"),
        (([0, 1], [1]), r"pairs has shape \(2,\)"),
        (([[0, 1]], [1, 0]), r"outcomes has shape \(2,\)"),
    ],
)
def test_bad_logs_are_named(arguments, message):
    with pytest.raises(ValueError, match=message):
        elo.replay(*arguments)


def test_bad_options_are_named():
    with pytest.raises(ValueError, match="K must be finite"):
        EloSettings(k=-1)
    with pytest.raises(ValueError, match="start is nan"):
        EloSettings(start=float("nan"))
    with pytest.raises(ValueError, match="anchored player is 2"):
        elo.replay([[0, 1]], [1], anchored=[2])
    with pytest.raises(ValueError, match="earlier record"):
        elo.replay([[0, 1]], [1], ratings=1500, state=elo.replay([[0, 1]], [1]))
    with pytest.raises(ValueError, match="at most 1"):
        elo.replay([], [], n_players=1, state=elo.replay([[0, 1]], [1]))


FIDE = json.loads((Path(__file__).parents[1] / "data" / "ratings" / "fide.json").read_text())
#: Standard deviation of the difference of two performances that FIDE's table rests on: 200 sqrt(2), rounded up.
FIDE_DEVIATION = 2000 / 7


def test_fides_table_is_a_normal_curve_and_not_elos_logistic_one():
    """So a table of FIDE's is no check of `expected_score`: the two agree near even and part further out."""
    share, difference = np.array(FIDE["share"]), np.array(FIDE["difference"])
    normal = FIDE_DEVIATION * stats.norm.ppf(share)
    logistic = 400 * np.log10(share / (1 - share))
    body = share <= 0.95
    assert np.abs(normal - difference)[body].max() <= 1  # the table's own rounding
    assert 1 < np.abs(normal - difference)[~body].max() < 13  # its last rows are off even so
    assert np.abs(logistic - difference)[body].max() > 15
    assert np.abs(logistic - difference)[share <= 0.7].max() <= 3


def test_fides_expected_scores_are_the_normal_curves():
    rows = FIDE["intervals"]
    middle = (np.array(rows["from"]) + rows["to"]) / 2
    normal = stats.norm.cdf(middle / FIDE_DEVIATION)
    assert np.abs(normal - rows["score"]).max() < 0.006
    assert elo.expected_score(middle[-1], 0.0) < rows["score"][-1] - 0.005


def test_expected_scores_of_the_american_federation():
    """Printed as 0.30 and 0.70 in the documentation of the skillratings crate, module uscf: the logistic curve."""
    assert round(elo.expected_score(1800, 1950), 2) == 0.30
