"""The formulas of one training step in torch: choose a move, fold a target back, compare, clip, follow.

Each takes what it needs and gives what it makes, with no state behind it and nothing read back from the device.
"""

from typing import NamedTuple

try:
    import torch
except ImportError as error:
    raise ImportError(
        'the trainer in torch needs torch: pip install "ludometrics[connect4]"', name=error.name
    ) from error

__all__ = [
    "Choice",
    "choose_columns",
    "clip_gradient",
    "compare",
    "fold_targets",
    "follow",
    "learned_mask",
    "prefer",
    "score_moves",
]

CLIP_SLACK = 1e-6  # added to the norm, as torch's own clipping does: nothing is divided by 0


class Choice(NamedTuple):
    """Moves on every board: their columns (B,) int64, and which were drawn at random (B,) bool."""

    column: torch.Tensor
    random: torch.Tensor


def prefer(legal: torch.Tensor, better: torch.Tensor) -> torch.Tensor:
    """Keep of the legal moves (B, 7) only the better ones, on boards that have any of those."""
    kept = legal & better
    return torch.where(kept.any(dim=1, keepdim=True), kept, legal)


def score_moves(
    after: torch.Tensor, side: torch.Tensor, wins: torch.Tensor, last: torch.Tensor
) -> torch.Tensor:
    """Score moves from the mover's view: results where they end the game, else values of the afterstates.

    Parameters
    ----------
    after : (B, 7) float32 tensor
        Values of the afterstates, from Yellow's view.
    side : (B,) int32 tensor
        0: Yellow moves, who wants them high; 1: Red, who wants them low.
    wins : (B, 7) bool tensor
        Moves that win at once: 1.
    last : (B,) bool tensor
        Boards with one move left: 0 unless it wins.

    Returns
    -------
    (B, 7) float32 tensor

    Examples
    --------
    >>> wins = torch.tensor([[True] + 6 * [False]])
    >>> score_moves(torch.full((1, 7), 0.25), torch.tensor([1]), wins, torch.tensor([False]))[0, :2].tolist()
    [1.0, -0.25]
    """
    scores = after * (1 - 2 * side)[:, None]
    return torch.where(wins, 1.0, torch.where(last[:, None], 0.0, scores))


def choose_columns(
    scores: torch.Tensor, allowed: torch.Tensor, coin: torch.Tensor, noise: torch.Tensor, epsilon, tie_noise
) -> Choice:
    """Choose the best move, or one at random where the coin falls below epsilon.

    Parameters
    ----------
    scores : (B, 7) float32 tensor
        From the mover's view.
    allowed : (B, 7) bool tensor
        Moves to choose from, at least one a board.
    coin : (B,) float32 tensor
        Random numbers, uniform in [0, 1).
    noise : (B, 7) float32 tensor
        More of them. Times `tie_noise` they are added to the scores; where a move is drawn at random the greatest
        decides, since no other use is made of them there.
    epsilon : float or 0-d tensor
        Share of random moves.
    tie_noise : float
        Size of the noise on the scores.

    Returns
    -------
    Choice
    """
    best = torch.where(allowed, scores + tie_noise * noise, -torch.inf).argmax(dim=1)
    drawn = torch.where(allowed, noise, -1.0).argmax(dim=1)
    random = coin < epsilon
    return Choice(torch.where(random, drawn, best), random)


def fold_targets(
    value: torch.Tensor, ended: torch.Tensor, result: torch.Tensor, newest: torch.Tensor, trace: float
) -> torch.Tensor:
    """Fold the targets of the oldest positions back from the newest ones.

    G starts as the newest position's value, or its result if the last move ended the game. Then n times, backwards: G
    becomes the result if that slot's move ended the game, else (1 - trace) V(next slot) + trace G.

    Parameters
    ----------
    value : (n + 1, B) float32 tensor
        The target network's value of the position in each slot, oldest first.
    ended : (n + 1, B) bool tensor
        Whether the move made there ended the game.
    result : (n + 1, B) float32 tensor
        How it ended, from Yellow's view: 1, 0, -1.
    newest : (B,) float32 tensor
        The target network's value of the position after the last move.
    trace : float
        Lambda, 0 to 1.

    Returns
    -------
    (B,) float32 tensor
        Targets of slot 0.

    Source
    ------
    The published Connect-4 recipe (Thill 2026, techdays26).

    Examples
    --------
    >>> value, no = torch.tensor([[0.0], [0.5]]), torch.tensor([[False], [False]])
    >>> fold_targets(value, no, torch.zeros(2, 1), torch.tensor([1.0]), 0.7)  # 0.3 x 0.5 + 0.7 x 1
    tensor([0.8500])
    """
    total = torch.where(ended[-1], result[-1], newest)
    for slot in range(len(value) - 2, -1, -1):
        total = torch.where(ended[slot], result[slot], (1 - trace) * value[slot + 1] + trace * total)
    return total


def learned_mask(random: torch.Tensor, ended: torch.Tensor) -> torch.Tensor:
    """Tell which positions are learned: those whose move was not drawn at random, and those that it ended."""
    return ~random | ended


def compare(
    value: torch.Tensor, target: torch.Tensor, learned: torch.Tensor
) -> tuple[torch.Tensor, torch.Tensor]:
    """Compare values with their targets.

    The loss is the mean of (V - G)^2 over the positions learned. Its derivative by the sum of a position's weights, of
    which V is tanh, is 2 (V - G) (1 - V^2) / N for N positions learned, and 0 for the others.

    Parameters
    ----------
    value, target : (B,) float32 tensor
    learned : (B,) bool tensor

    Returns
    -------
    slope : (B,) float32 tensor
    squared_error : 0-d float32 tensor
        Sum over the positions learned.
    """
    error = torch.where(learned, value - target, 0.0)
    slope = error * (1 - value * value) * (2 / learned.sum().clamp(min=1))
    return slope, (error * error).sum()


def clip_gradient(gradient: torch.Tensor, limit: float) -> None:
    """Shorten a gradient in place to a norm of at most `limit`; 0: leave it as it is."""
    if limit > 0:
        norm = torch.linalg.vector_norm(gradient)
        gradient.mul_((limit / (norm + CLIP_SLACK)).clamp(max=1.0))


def follow(target: torch.Tensor, online: torch.Tensor, tau: float) -> None:
    """Move target weights in place a share tau of the way towards the online ones."""
    target.lerp_(online, tau)
