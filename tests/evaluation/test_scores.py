"""Scores of single forecasts: published values, other ways to the same number, and what must never change them."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import special, stats

from ludometrics.evaluation import (
    COIN,
    brier,
    check_forecasts,
    correct,
    log_loss,
    log_loss_three,
    ranked_probability_score,
    skill,
)

#: Two ways of summing the same few numbers differ in the last bits only.
ROUNDING = 1e-12

FORECASTS = st.lists(
    st.tuples(
        st.floats(0, 1, allow_nan=False) | st.sampled_from([0.0, 0.5, 1.0, 1e-13]),
        st.sampled_from([0.0, 0.5, 1.0]),
    ),
    min_size=1,
    max_size=30,
)

# Constantinou and Fenton, Solving the problem of inadequate scoring rules for assessing probabilistic football forecast
# models, Journal of Quantitative Analysis in Sports 8 (2012), two forecasts for each of five matches: home, draw, away.
PUBLISHED = [
    ((1.00, 0.00, 0.00), 1.0, 0.0000),
    ((0.90, 0.10, 0.00), 1.0, 0.0050),
    ((0.80, 0.10, 0.10), 1.0, 0.0250),
    ((0.50, 0.25, 0.25), 1.0, 0.1562),
    ((0.35, 0.30, 0.35), 0.5, 0.1225),
    ((0.60, 0.30, 0.10), 0.5, 0.1850),
    ((0.60, 0.25, 0.15), 1.0, 0.0912),
    ((0.60, 0.15, 0.25), 1.0, 0.1112),
    ((0.57, 0.33, 0.10), 1.0, 0.0975),
    ((0.60, 0.20, 0.20), 1.0, 0.1000),
]


def random_three(seed=3, n=200):
    rng = np.random.default_rng(seed)
    return rng.dirichlet([1.0, 0.6, 1.4], size=n), rng.choice([0.0, 0.5, 1.0], size=n)


def test_log_loss_by_hand():
    values = log_loss([0.8, 0.8, 0.8, 0.5, 0.25], [1, 0, 0.5, 1, 0])
    by_hand = [
        math.log(5 / 4),
        math.log(5),
        (math.log(5 / 4) + math.log(5)) / 2,
        math.log(2),
        math.log(4 / 3),
    ]
    assert values == pytest.approx(by_hand, abs=ROUNDING)


def test_log_loss_is_the_entropy_of_the_outcome_and_the_divergence_from_it():
    rng = np.random.default_rng(1)
    forecasts, outcomes = rng.uniform(0.001, 0.999, size=300), rng.choice([0.0, 0.5, 1.0], size=300)
    divergence = special.kl_div(outcomes, forecasts) + special.kl_div(1 - outcomes, 1 - forecasts)
    entropy = stats.entropy([outcomes, 1 - outcomes])
    assert log_loss(forecasts, outcomes) == pytest.approx(divergence + entropy, abs=ROUNDING)


def test_a_draw_costs_at_least_the_coin():
    forecasts = np.linspace(0, 1, 1001)
    losses = log_loss(forecasts, np.full(1001, 0.5))
    assert losses.min() == losses[500] == COIN == math.log(2)
    assert (np.delete(losses, 500) > COIN).all()


def test_brier_by_hand():
    assert brier([0.8, 0.8, 0.8, 0.0, 1.0], [1, 0, 0.5, 1, 1]) == pytest.approx([0.04, 0.64, 0.09, 1, 0])


def test_correct_by_hand():
    forecasts = [0.9, 0.9, 0.1, 0.1, 0.5, 0.5, 0.9, 0.5]
    outcomes = [1, 0, 1, 0, 1, 0, 0.5, 0.5]
    assert correct(forecasts, outcomes).tolist()[:6] == [1, 0, 0, 1, 0.5, 0.5]
    assert np.isnan(correct(forecasts, outcomes)[6:]).all()
    assert correct([np.nextafter(0.5, 1)], [1]).tolist() == [1.0]


def test_skill_is_0_for_the_coin_and_1_for_the_seer():
    outcomes = np.array([1.0, 0.0, 1.0])
    assert skill(log_loss(np.full(3, 0.5), outcomes).mean()) == pytest.approx(0, abs=ROUNDING)
    assert skill(log_loss(outcomes, outcomes).mean()) == 1
    assert skill(2 * COIN) == pytest.approx(-1)
    # A quarter drawn: no forecast gets beyond three quarters.
    assert skill(log_loss([1.0, 0.0, 1.0, 0.5], [1, 0, 1, 0.5]).mean()) == pytest.approx(0.75)


@pytest.mark.filterwarnings("error")
def test_certainty_that_fails_is_dear_but_finite():
    assert log_loss([0.0, 1.0, 1e-300], [1, 0, 1]) == pytest.approx([-math.log(1e-12)] * 3)
    assert log_loss([0.0, 1.0], [1, 0], clip=1e-3) == pytest.approx([-math.log(1e-3)] * 2)
    assert log_loss([0.0, 1.0], [0, 1]).tobytes() == np.zeros(2).tobytes()  # no minus zero either
    assert log_loss([1.0], [0.5]) == pytest.approx([-math.log(1e-12) / 2])
    assert log_loss_three([[0, 0, 1], [0, 0, 1]], [0, 1]) == pytest.approx([-math.log(1e-12), 0])
    # An upset across a gap of 5,000 Elo points: 10^(-12.5) lies below the floor.
    assert log_loss([1 / (1 + 10.0**12.5)], [1]) == pytest.approx([-math.log(1e-12)])


@given(FORECASTS)
def test_swapping_the_players_changes_nothing(games):
    forecasts, outcomes = np.array(games).T
    swapped = 1 - forecasts, 1 - outcomes
    # 1 - p rounds a tiny p away; what is left of it may double the relative error of a logarithm near 0.
    assert log_loss(*swapped) == pytest.approx(log_loss(forecasts, outcomes), rel=1e-3, abs=1e-9)
    assert brier(*swapped) == pytest.approx(brier(forecasts, outcomes), abs=ROUNDING)
    sided = np.abs(forecasts - 0.5) > 1e-9
    np.testing.assert_array_equal(correct(*swapped)[sided], correct(forecasts, outcomes)[sided])


def test_swapping_is_exact_where_the_mirror_is():
    forecasts = np.array([0.0, 0.125, 0.25, 0.5, 0.75, 1.0])
    for outcome in (0.0, 0.5, 1.0):
        outcomes = np.full(6, outcome)
        assert log_loss(forecasts, outcomes).tolist() == log_loss(1 - forecasts, 1 - outcomes).tolist()


@given(FORECASTS)
def test_losses_lie_in_their_ranges(games):
    forecasts, outcomes = np.array(games).T
    losses = log_loss(forecasts, outcomes)
    assert ((losses >= 0) & (losses <= 27.7)).all()
    assert (losses[outcomes == 0.5] >= COIN - ROUNDING).all()
    assert ((brier(forecasts, outcomes) >= 0) & (brier(forecasts, outcomes) <= 1)).all()


def test_both_losses_are_proper():
    """No forecast has a lower expected loss than the true chance."""
    forecasts = np.linspace(0.001, 0.999, 999)
    for chance in (0.1, 0.35, 0.5, 0.8):
        for loss in (log_loss, brier):
            expected = chance * loss(forecasts, np.ones(999)) + (1 - chance) * loss(forecasts, np.zeros(999))
            assert forecasts[np.argmin(expected)] == pytest.approx(chance, abs=ROUNDING)


@pytest.mark.parametrize(("probabilities", "outcome", "score"), PUBLISHED)
def test_ranked_probability_score_as_published(probabilities, outcome, score):
    value = ranked_probability_score([probabilities[::-1]], [outcome])[0]
    assert value == pytest.approx(score, abs=5.1e-5)  # printed to four places


def test_ranked_probability_score_is_a_distance_of_distributions():
    """The same from its other definition: E|X - y| - E|X - X'| / 2, with X drawn from the forecast."""
    probabilities, outcomes = random_three()
    scores = np.array([0.0, 0.5, 1.0])
    to_outcome = (probabilities * np.abs(scores - outcomes[:, None])).sum(axis=1)
    among = np.einsum("ni,nj,ij->n", probabilities, probabilities, np.abs(scores[:, None] - scores))
    assert ranked_probability_score(probabilities, outcomes) == pytest.approx(
        to_outcome - among / 2, abs=ROUNDING
    )


def test_three_outcomes_without_draws_are_two():
    rng = np.random.default_rng(4)
    forecasts, outcomes = rng.random(100), rng.choice([0.0, 1.0], size=100)
    three = np.column_stack([1 - forecasts, np.zeros(100), forecasts])
    assert log_loss_three(three, outcomes) == pytest.approx(log_loss(forecasts, outcomes), abs=1e-9)
    assert ranked_probability_score(three, outcomes) == pytest.approx(
        brier(forecasts, outcomes), abs=ROUNDING
    )


def test_log_loss_three_by_hand_and_mirrored():
    probabilities, outcomes = random_three()
    by_hand = [
        -math.log(row[{0.0: 0, 0.5: 1, 1.0: 2}[y]]) for row, y in zip(probabilities, outcomes, strict=True)
    ]
    assert log_loss_three(probabilities, outcomes) == pytest.approx(by_hand, abs=ROUNDING)
    for score in (log_loss_three, ranked_probability_score):
        mirrored = score(probabilities[:, ::-1], 1 - outcomes)
        assert mirrored == pytest.approx(score(probabilities, outcomes), abs=ROUNDING)


@pytest.mark.parametrize("score", [log_loss, brier, correct, check_forecasts])
@pytest.mark.parametrize(
    ("forecasts", "outcomes", "message"),
    [
        ([0.5, np.nan], [1, 0], r"forecast of game 1 is nan: it must be in \[0, 1\]"),
        ([0.5, 0.6, 1.01], [1, 0, 0], "forecast of game 2 is 1.01"),
        ([-1e-9], [1], "forecast of game 0 is -1e-09"),
        ([np.nextafter(1, 2)], [1], "forecast of game 0 is 1.0000000000000002"),
        ([np.inf], [1], "forecast of game 0 is inf"),
        ([0.5, 0.5], [1, 0.7], "outcome of game 1 is 0.7: it must be 0, 0.5 or 1"),
        ([0.5, 0.5], [np.nan, 1], "outcome of game 0 is nan"),
        ([0.5, 0.5], [1, -1], "outcome of game 1 is -1"),
        ([0.5, 0.5], [1], r"outcomes has shape \(1,\): it must be \(2,\)"),
        ([0.5], [[1]], r"outcomes has shape \(1, 1\)"),
        ([[0.5]], [1], r"forecasts has shape \(1, 1\)"),
        (0.5, 1, r"forecasts has shape \(\)"),
    ],
)
def test_bad_games_are_named(score, forecasts, outcomes, message):
    with pytest.raises(ValueError, match=message):
        score(forecasts, outcomes)


@pytest.mark.parametrize("score", [log_loss_three, ranked_probability_score])
@pytest.mark.parametrize(
    ("probabilities", "outcomes", "message"),
    [
        ([[0.2, 0.3, 0.5], [0.2, 0.3, 0.6]], [1, 1], r"of game 1 are \[0.2, 0.3, 0.6\]: .* sum to 1"),
        ([[-0.1, 0.6, 0.5]], [1], r"of game 0 are \[-0.1, 0.6, 0.5\]"),
        ([[np.nan, 0.5, 0.5]], [1], r"of game 0 are \[nan, 0.5, 0.5\]"),
        ([[0.5, 0.5]], [1], r"probabilities has shape \(1, 2\): it must be \(n, 3\)"),
        ([[0.2, 0.3, 0.5]], [2], "outcome of game 0 is 2"),
        ([[0.2, 0.3, 0.5]], [1, 1], r"outcomes has shape \(2,\)"),
    ],
)
def test_bad_probabilities_are_named(score, probabilities, outcomes, message):
    with pytest.raises(ValueError, match=message):
        score(probabilities, outcomes)


@pytest.mark.parametrize("clip", [0.0, 0.5, -1.0, math.nan])
def test_bad_clips_are_refused(clip):
    with pytest.raises(ValueError, match="clip is"):
        log_loss([0.5], [1], clip=clip)
    with pytest.raises(ValueError, match="clip is"):
        log_loss_three([[0.2, 0.3, 0.5]], [1], clip=clip)


def test_probabilities_in_single_precision_pass():
    rows = np.array([[0.1, 0.2, 0.7], [1 / 3, 1 / 3, 1 / 3]], dtype=np.float32)
    assert log_loss_three(rows, [1, 0.5]) == pytest.approx([-math.log(0.7), math.log(3)], abs=1e-6)


def test_no_games_have_no_losses():
    for score in (log_loss, brier, correct):
        assert score([], []).shape == (0,)
