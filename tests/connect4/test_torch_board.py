"""The rules in torch: against every line of four, the compiled rules, BitBully, and on no device in particular."""

from itertools import combinations

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from board_twin import (  # noqa: E402
    ALL_POSITIONS,
    CELLS,
    LINES,
    bit,
    bitbully_answers,
    bits,
    drawn_positions,
    grid_of,
    has_four,
    landing_cells,
    rows_of,
    safe_cells,
    winning_cells,
)
from ludometrics.connect4 import bitboard, board_batches, torch_board  # noqa: E402


def drawn(count: int = ALL_POSITIONS):
    """Tokens, tokens of the side to move, moves left."""
    return tuple(torch.from_numpy(part[:count]) for part in drawn_positions())


def test_four_cells_are_four_in_a_row_only_on_a_line():
    fours = torch.tensor([sum(four) for four in combinations((bit(*cell) for cell in CELLS), 4)])
    assert set(fours[torch_board.has_four(fours)].tolist()) == {bits(line) for line in LINES}


def test_rules_are_those_of_lists_of_cells():
    tokens, active, left = drawn(400)
    found = zip(
        torch_board.landing(tokens).tolist(),
        torch_board.has_four(tokens ^ active).tolist(),
        torch_board.winning(active, tokens).tolist(),
        torch_board.non_losing(active, tokens).tolist(),
        torch_board.mirror(tokens).tolist(),
        strict=True,
    )
    for numbers, (landing, won, wins, safe, mirrored) in zip(
        rows_of((tokens, active, left)), found, strict=True
    ):
        grid, mover = grid_of(*numbers), -1 if numbers[2] % 2 else 1
        assert landing == bits(landing_cells(grid))
        assert won == has_four(grid, -mover)
        assert wins == bits(winning_cells(grid, mover))
        assert won or safe == bits(safe_cells(grid, mover))
        assert mirrored == bits((6 - column, row) for column, row in CELLS if grid[row][column])


def test_rules_are_bitbullys_on_100_000_positions():
    pytest.importorskip("bitbully")
    wanted, (tokens, active, left) = bitbully_answers(), drawn()
    landing = torch_board.landing(tokens)
    assert landing.tolist() == wanted.legal
    assert torch_board.non_losing(active, tokens).tolist() == wanted.non_losing
    assert (torch_board.winning(active, tokens) & landing).tolist() == wanted.wins
    assert torch_board.has_four(tokens ^ active).tolist() == wanted.won
    mirrored = torch_board.mirror(tokens), torch_board.mirror(active), left
    assert rows_of(mirrored) == wanted.mirrored


def test_rules_are_the_compiled_ones_on_100_000_positions():
    tokens, active, left = drawn()
    pairs = list(zip(tokens.tolist(), active.tolist(), strict=True))
    assert torch_board.winning(active, tokens).tolist() == [
        bitboard.winning_squares(own, every) for every, own in pairs
    ]
    assert torch_board.non_losing(active, tokens).tolist() == [
        bitboard.non_losing_squares(own, every) for every, own in pairs
    ]
    held = torch_board.contents(tokens, active, left)
    assert held.dtype == torch.uint8
    assert np.array_equal(held, board_batches.contents(drawn_positions()))
    legal, won = torch_board.legal_mask(tokens), torch_board.has_four(tokens ^ active)
    assert legal.dtype == torch.bool
    # The compiled form knows that a game that is won goes no further.
    assert np.array_equal(legal & ~won[:, None], board_batches.legal_moves(drawn_positions()))


def test_moves_are_the_compiled_ones():
    numbers = drawn()
    legal = torch.from_numpy(board_batches.legal_moves(drawn_positions()))
    running = legal.any(dim=1)
    tokens, active, left = (part[running] for part in numbers)
    for column in (legal[running].int().argmax(dim=1), 6 - legal[running].flip(1).int().argmax(dim=1)):
        before = board_batches.Positions(*(part.numpy() for part in (tokens, active, left)))
        wanted = board_batches.play_moves(before, column.numpy())
        assert rows_of(torch_board.play(tokens, active, left, column)) == rows_of(wanted)


def test_masks_are_squares_by_column():
    squares = torch.tensor([bit(0, 5) | bit(3, 0), bit(6, 5), 0])
    assert torch_board.square_mask(squares).tolist() == [
        [True, False, False, True, False, False, False],
        [False] * 6 + [True],
        [False] * 7,
    ]


def call_all(tokens, active, left, column) -> list:
    own = tokens ^ active
    return [
        torch_board.landing(tokens),
        torch_board.has_four(own),
        torch_board.winning(own, tokens),
        torch_board.non_losing(own, tokens),
        torch_board.legal_mask(tokens),
        torch_board.mirror(tokens),
        torch_board.contents(tokens, active, left),
        *torch_board.play(tokens, active, left, column),
    ]


def test_nothing_leaves_the_device_and_nothing_waits_for_it():
    # A tensor on "meta" has a shape and no numbers: whatever asked for one, or mixed devices, would fail.
    made = call_all(*(torch.zeros(5, dtype=torch.int64, device="meta") for _ in range(4)))
    assert {part.device.type for part in made} == {"meta"}
    assert {part.shape[0] for part in made} == {5}


@pytest.mark.gpu
def test_a_gpu_gives_the_same():
    if not torch.cuda.is_available():
        pytest.skip("no CUDA device")
    numbers = (*drawn(), drawn()[0] % 7)
    wanted, found = call_all(*numbers), call_all(*(part.cuda() for part in numbers))
    assert all(torch.equal(ours.cpu(), theirs) for ours, theirs in zip(found, wanted, strict=True))
