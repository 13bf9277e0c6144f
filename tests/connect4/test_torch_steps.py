"""Formulas of a training step in torch, on numbers worked out by hand."""

import math

import pytest

torch = pytest.importorskip("torch")

from ludometrics.connect4 import torch_board  # noqa: E402
from ludometrics.connect4.torch_steps import (  # noqa: E402
    choose_columns,
    clip_gradient,
    compare,
    fold_targets,
    follow,
    learned_mask,
    prefer,
    score_moves,
)

T, F = True, False


def test_columns_that_hold_a_square():
    squares = torch.tensor([1 | 1 << 23 | 1 << 59, 0, 1 << 6])  # the last is above column 0: not playable
    assert torch_board.square_mask(squares).tolist() == [[T, F, T, F, F, F, T], [F] * 7, [F] * 7]


def test_scores_of_moves_for_both_sides():
    after = torch.tensor([[0.5, -0.25, 0, 0, 0, 0, 0.75]]).repeat(4, 1)
    wins = torch.zeros(4, 7, dtype=torch.bool)
    wins[[0, 1, 3], 1] = True
    scores = score_moves(after, torch.tensor([0, 1, 0, 1]), wins, torch.tensor([F, F, T, T]))
    assert scores[:, [0, 1, 6]].tolist() == [[0.5, 1, 0.75], [-0.5, 1, -0.75], [0, 0, 0], [0, 1, 0]]


def test_the_best_allowed_move_or_one_at_random():
    scores = torch.tensor([[0.1, 0.9, 0.3, 0.3, 0.0, 0.0, 0.0]]).repeat(4, 1)
    allowed = torch.tensor([[T, F, T, T, T, T, T]]).repeat(4, 1)
    noise = torch.tensor([[0.0, 1.0, 0.2, 0.6, 0.5, 0.9, 0.1]]).repeat(4, 1)
    coin = torch.tensor([0.0, 0.0999, 0.1, 0.9])
    choice = choose_columns(scores, allowed, coin, noise, 0.1, 1e-4)
    assert choice.random.tolist() == [T, T, F, F]
    assert choice.column.tolist() == [
        5,
        5,
        3,
        3,
    ]  # the greatest draw; of two equal scores the one with more noise


def test_ties_are_broken_by_noise_no_larger_than_its_size():
    allowed, noise = torch.ones(1, 7, dtype=torch.bool), torch.tensor([[0.0, 1, 0, 0, 0, 0, 0]])

    def chosen(lead, size):
        scores = torch.tensor([[lead, 0, -1, -1, -1, -1, -1]])
        return int(choose_columns(scores, allowed, torch.ones(1), noise, 0.5, size).column)

    assert [chosen(0.99e-4, 1e-4), chosen(1.01e-4, 1e-4), chosen(1e-7, 0.0)] == [1, 0, 0]


def test_random_moves_are_even_over_what_is_allowed():
    rng = torch.Generator().manual_seed(1)
    allowed = torch.tensor([[T, F, T, F, F, F, T]]).repeat(30_000, 1)
    noise = torch.rand(30_000, 7, generator=rng)
    choice = choose_columns(torch.zeros(30_000, 7), allowed, torch.zeros(30_000), noise, 1.0, 1e-4)
    counts = torch.bincount(choice.column, minlength=7).tolist()
    assert [counts[column] for column in (1, 3, 4, 5)] == [0, 0, 0, 0]
    assert all(abs(counts[column] - 10_000) < 330 for column in (0, 2, 6))  # four standard deviations


def test_better_moves_are_preferred_where_there_are_any():
    legal = torch.tensor([[T, T, F], [T, T, F], [T, F, F]])
    better = torch.tensor([[F, T, F], [F, F, F], [F, F, T]])
    assert prefer(legal, better).tolist() == [[F, T, F], [T, T, F], [T, F, F]]


@pytest.mark.parametrize(
    ("value", "ended", "result", "newest", "trace", "target"),
    [
        # Nothing ended, n = 2: G = 0.8, then 0.3 x 0.4 + 0.7 x 0.8 = 0.68, then 0.3 x 0.2 + 0.7 x 0.68 = 0.536.
        ([0.9, 0.2, 0.4], [F, F, F], [0, 0, 0], 0.8, 0.7, 0.536),
        # The newest move won for Red: 0.3 x 0.4 - 0.7 = -0.58, then 0.06 - 0.406 = -0.346.
        ([0.9, 0.2, 0.4], [F, F, T], [0, 0, -1], 0.8, 0.7, -0.346),
        # The middle move won; what came after is another game: 0.06 + 0.7 = 0.76.
        ([0.9, 0.2, 0.4], [F, T, T], [0, 1, -1], 0.8, 0.7, 0.76),
        # The oldest move ended in a draw.
        ([0.9, 0.2, 0.4], [T, F, F], [0, 0, 0], 0.8, 0.7, 0.0),
        # n = 0: the next position's value, or the result.
        ([0.9], [F], [0], 0.8, 0.7, 0.8),
        ([0.9], [T], [-1], 0.8, 0.7, -1.0),
        # Lambda 0: the next value. Lambda 1: the newest.
        ([0.9, 0.2, 0.4], [F, F, F], [0, 0, 0], 0.8, 0.0, 0.2),
        ([0.9, 0.2, 0.4], [F, F, F], [0, 0, 0], 0.8, 1.0, 0.8),
    ],
    ids=["open", "newest ended", "middle ended", "oldest ended", "n 0", "n 0 ended", "lambda 0", "lambda 1"],
)
def test_targets_folded_back(value, ended, result, newest, trace, target):
    def column(numbers, kind=torch.float32):
        return torch.tensor(numbers, dtype=kind)[:, None]

    found = fold_targets(
        column(value), column(ended, torch.bool), column(result), torch.tensor([newest]), trace
    )
    assert found.item() == pytest.approx(target, abs=1e-6)


def test_random_moves_are_not_learned_unless_they_end_the_game():
    random, ended = torch.tensor([F, T, F, T]), torch.tensor([F, F, T, T])
    assert learned_mask(random, ended).tolist() == [T, F, T, T]


def test_slopes_are_the_derivative_of_the_mean_squared_error():
    # Values 0.5 and -0.2 with targets 1 and 0.1; the third is not learned, so N = 2.
    value, target = torch.tensor([0.5, -0.2, 0.3]), torch.tensor([1.0, 0.1, -1.0])
    slope, error = compare(value, target, torch.tensor([T, T, F]))
    # 2 x (-0.5) x 0.75 / 2 and 2 x (-0.3) x 0.96 / 2; squares 0.25 + 0.09.
    assert slope.tolist() == pytest.approx([-0.375, -0.288, 0.0], abs=1e-7)
    assert error.item() == pytest.approx(0.34)
    sums = torch.tensor([math.atanh(0.5), math.atanh(-0.2), math.atanh(0.3)], requires_grad=True)
    learned = torch.tensor([T, T, F])
    ((torch.tanh(sums) - target)[learned] ** 2).mean().backward()
    torch.testing.assert_close(slope, sums.grad)


def test_nothing_to_learn_gives_no_slope():
    slope, error = compare(torch.tensor([0.5]), torch.tensor([1.0]), torch.tensor([F]))
    assert slope.tolist() == [0.0] and error.item() == 0.0


@pytest.mark.parametrize(
    ("limit", "wanted"),
    [(10.0, [3.0, -4.0]), (5.1, [3.0, -4.0]), (1.0, [0.6, -0.8]), (0.1, [0.06, -0.08]), (0.0, [3.0, -4.0])],
    ids=str,
)
def test_gradients_are_clipped_by_their_norm(limit, wanted):
    gradient = torch.tensor([3.0, -4.0])  # of norm 5
    clip_gradient(gradient, limit)
    assert gradient.tolist() == pytest.approx(wanted, rel=1e-5)


def test_a_gradient_of_zero_stays_zero():
    gradient = torch.zeros(3)
    clip_gradient(gradient, 0.1)
    assert gradient.tolist() == [0.0, 0.0, 0.0]


def test_the_target_network_follows():
    target = torch.tensor([0.0, 1.0])
    online = torch.tensor([1.0, 1.0])
    follow(target, online, 0.15)
    assert target.tolist() == pytest.approx([0.15, 1.0])
    follow(target, online, 0.15)
    assert target.tolist() == pytest.approx([0.2775, 1.0])  # 0.15 + 0.15 x 0.85
    follow(target, online, 1.0)
    assert target.tolist() == [1.0, 1.0]
