"""Davidson's Elo: its probabilities, the gradient it follows, and draws that are learned."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ludometrics.ratings import DavidsonSettings, EloSettings, davidson, elo
from random_logs import random_log

points = st.floats(-3000, 3000)


@given(rating=points, opponent=points, share=st.floats(0, 0.9))
def test_probabilities_sum_to_one_and_mirror(rating, opponent, share):
    loss, draw, win = davidson.probabilities(rating, opponent, draw_share=share)
    back = davidson.probabilities(opponent, rating, draw_share=share)
    assert loss + draw + win == pytest.approx(1, abs=1e-12)
    assert (win, draw, loss) == pytest.approx(back, abs=1e-12)


def test_the_share_of_draws_is_that_of_equals():
    assert davidson.probabilities(1500, 1500, draw_share=0.37)[1] == pytest.approx(0.37, abs=1e-12)


def test_without_draws_it_is_elo():
    pairs, outcomes, _ = random_log(1)
    outcomes = np.where(outcomes == 0.5, 1.0, outcomes)
    one = davidson.replay(pairs, outcomes, settings=DavidsonSettings(draw_share=0.0, draw_k=0.0))
    other = elo.replay(pairs, outcomes, settings=EloSettings(k=32))
    assert one.ratings == pytest.approx(other.ratings, abs=1e-9)
    assert one.forecasts == pytest.approx(other.forecasts, abs=1e-12)


@pytest.mark.parametrize("outcome", [0.0, 0.5, 1.0])
def test_a_step_follows_the_gradient_of_the_likelihood(outcome):
    def likelihood(rating, share):
        return np.log(davidson.probabilities(rating, 1450, draw_share=share)[int(2 * outcome)])

    step, share = 1e-4, 0.3
    record = davidson.replay(
        [[0, 1]], [outcome], ratings=[1530, 1450], settings=DavidsonSettings(k=1, draw_share=share, draw_k=1)
    )
    slope = (likelihood(1530 + step, share) - likelihood(1530 - step, share)) / (2 * step)
    assert record.ratings[0] - 1530 == pytest.approx(slope / elo.RATE, abs=1e-6)
    nu, after = (2 * s / (1 - s) for s in (share, record.draw_share))
    shares = [n / (2 + n) for n in (nu * np.exp(step), nu * np.exp(-step))]
    slope = (likelihood(1530, shares[0]) - likelihood(1530, shares[1])) / (2 * step)
    assert np.log(after / nu) == pytest.approx(slope, abs=1e-6)


def test_the_share_of_draws_and_the_advantage_are_learned():
    rng = np.random.default_rng(3)
    n = 40_000
    outcomes = np.array([0.0, 0.5, 1.0])[
        [
            np.searchsorted(np.cumsum(p), u)
            for p, u in zip([[0.2, 0.45, 0.35]] * n, rng.random(n), strict=True)
        ]
    ]
    pairs = np.sort(rng.permuted(np.tile(np.arange(10), (n, 1)), axis=1)[:, :2], axis=1)
    pairs = np.where(rng.random((n, 1)) < 0.5, pairs, pairs[:, ::-1])
    record = davidson.replay(
        pairs, outcomes, settings=DavidsonSettings(k=2, advantage_k=0.5, draw_k=0.01, draw_share=0.1)
    )
    loss, draw, win = davidson.probabilities(record.advantage, 0, draw_share=record.draw_share)
    assert (loss, draw, win) == pytest.approx((0.2, 0.45, 0.35), abs=0.03)
    assert record.probabilities[-1].sum() == pytest.approx(1)


def test_a_draw_share_of_one_is_refused():
    with pytest.raises(ValueError, match="draw_share is 1: it must be below 1"):
        DavidsonSettings(draw_share=1.0)
