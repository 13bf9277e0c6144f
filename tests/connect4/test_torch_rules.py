"""Rules in torch: the same as the compiled ones, position by position."""

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from ludometrics.connect4 import bitboard, torch_rules  # noqa: E402


def random_games(games, rng):
    """Every position of random games, which go on after a win until the board is full."""
    found = []
    for _ in range(games):
        tokens = active = 0
        for left in range(42, -1, -1):
            found.append((tokens, active, left))
            open_ = [column for column in range(7) if tokens >> (9 * column + 5) & 1 == 0]
            if open_:
                square = (tokens + (1 << 9 * int(rng.choice(open_)))) & ~tokens
                tokens, active = tokens | square, tokens ^ active
    return [np.array(part, dtype=np.int64) for part in zip(*found, strict=True)]


TOKENS, ACTIVE, LEFT = random_games(40, np.random.default_rng(1))
BOARDS = tuple(map(torch.from_numpy, (TOKENS, ACTIVE, LEFT)))


def test_squares_are_those_of_the_compiled_rules():
    pairs = list(zip(TOKENS.tolist(), ACTIVE.tolist(), strict=True))
    tokens, active, _ = BOARDS
    assert torch_rules.landing(tokens).tolist() == [bitboard.landing_squares(all_) for all_, _ in pairs]
    assert torch_rules.winning(active, tokens).tolist() == [
        bitboard.winning_squares(own, all_) for all_, own in pairs
    ]
    wanted = [bitboard.non_losing_squares(own, all_) for all_, own in pairs]
    assert torch_rules.non_losing(active, tokens).tolist() == wanted
    assert 0 in wanted and len(set(wanted)) > 100


def test_contents_are_those_of_the_compiled_rules():
    yellow = np.where(LEFT % 2 == 0, ACTIVE, TOKENS ^ ACTIVE).tolist()
    found = torch_rules.contents(*BOARDS)
    assert found.dtype == torch.uint8
    assert found.tolist() == [
        [bitboard.content_of(all_, own, column) for column in range(7)]
        for all_, own in zip(TOKENS.tolist(), yellow, strict=True)
    ]


def test_moves_worked_out_by_hand():
    # Column 0 empty, column 2 with Red's token on Yellow's, column 6 with five tokens.
    tokens = torch.tensor([0, 0b11 << 18, 0b11111 << 54])
    active = torch.tensor([0, 0b01 << 18, 0b01010 << 54])
    left, column = torch.tensor([42, 40, 37]), torch.tensor([0, 2, 6])
    after = torch_rules.play(tokens, active, left, column)
    assert [part.tolist() for part in after] == [
        [1, 0b111 << 18, 0b111111 << 54],
        [0, 0b10 << 18, 0b10101 << 54],
        [41, 39, 36],
    ]
