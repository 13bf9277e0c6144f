"""The compiled engine and the plain one give the same moves and the same games; invariants of the rules."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ludometrics.draughts import (
    START,
    Level,
    Position,
    Rules,
    apply_move,
    flip_colours,
    format_fen,
    kernels,
    legal_moves,
    parse_fen,
    perft,
    play_game,
    reference,
)
from ludometrics.draughts.layout import gather
from ludometrics.draughts.rules import move_pieces, sides

KING_ROW = {"b": 0xF << 28, "w": 0xF}


@st.composite
def positions(draw):
    """Any position that FEN accepts: up to 12 pieces a side, men not on their king row."""
    squares = draw(st.lists(st.integers(0, 31), unique=True, min_size=1, max_size=24))
    first = draw(st.integers(max(0, len(squares) - 12), min(12, len(squares))))
    black = sum(1 << i for i in squares[:first])
    white = sum(1 << i for i in squares[first:])
    crowned = sum(1 << i for i in squares if draw(st.booleans()))
    kings = crowned | black & KING_ROW["b"] | white & KING_ROW["w"]
    return Position(black, white, kings, draw(st.sampled_from("bw")))


def _turned(move):
    return move._replace(path=tuple(33 - s for s in move.path), captures=tuple(33 - s for s in move.captures))


@settings(max_examples=400, deadline=None)
@given(positions())
def test_both_generators_give_the_same_moves_in_the_same_order(position):
    assert legal_moves(position) == reference.legal_moves(position)
    assert kernels.has_move(*sides(position)) == bool(reference.legal_moves(position))


@settings(max_examples=200, deadline=None)
@given(positions())
def test_the_three_ways_to_apply_a_move_agree(position):
    rows = np.empty((kernels.MAX_MOVES, 4), dtype=np.int64)
    count = kernels.write_moves(rows, *sides(position))
    moves = legal_moves(position)
    plain = reference.moves(reference.board_of(position), position.turn)
    assert count == len(moves) == len(plain)
    for row, move, (path, taken) in zip(rows[:count], moves, plain, strict=True):
        own, other, kings = (gather(int(bits)) for bits in row[:3])
        black, white = (own, other) if position.turn == "b" else (other, own)
        turn = "w" if position.turn == "b" else "b"
        after = Position(black, white, kings, turn)
        assert apply_move(position, move) == after
        assert (
            reference.position_of(reference.moved(reference.board_of(position), path, taken), turn) == after
        )


@settings(max_examples=200, deadline=None)
@given(positions())
def test_pieces_never_increase_and_captured_ones_are_gone(position):
    own, other = (
        (position.black, position.white) if position.turn == "b" else (position.white, position.black)
    )
    for move in legal_moves(position):
        after = move_pieces(position, move)
        mine, theirs = (after.black, after.white) if position.turn == "b" else (after.white, after.black)
        assert mine.bit_count() == own.bit_count()
        assert theirs.bit_count() == other.bit_count() - len(move.captures)
        assert len(set(move.captures)) == len(move.captures)
        assert after.black & after.white == 0
        assert after.kings & ~(after.black | after.white) == 0
        assert parse_fen(format_fen(after)) == after  # no man stands on its king row


@settings(max_examples=200, deadline=None)
@given(positions())
def test_exchanging_the_colours_changes_nothing_else(position):
    turned = flip_colours(position)
    assert sorted(legal_moves(turned)) == sorted(map(_turned, legal_moves(position)))
    assert perft(turned, 2) == perft(position, 2)
    assert kernels.evaluate(*sides(turned)) == kernels.evaluate(*sides(position))


@settings(max_examples=200, deadline=None)
@given(positions())
def test_fen_there_and_back(position):
    assert parse_fen(format_fen(position)) == position
    assert reference.position_of(reference.board_of(position), position.turn) == position


@settings(max_examples=200, deadline=None)
@given(positions())
def test_evaluation_equals_the_plain_one(position):
    assert kernels.evaluate(*sides(position)) == reference.evaluate(
        reference.board_of(position), position.turn
    )


@settings(max_examples=150, deadline=None)
@given(positions(), st.integers(1, 3), st.integers(0, 2**63 - 2))
def test_alpha_beta_chooses_the_move_of_full_minimax(position, depth, seed):
    board, plain = reference.board_of(position), reference.moves(reference.board_of(position), position.turn)
    if not 1 < len(plain) < 12:
        return
    stack, frames = kernels.new_stack(depth), np.zeros((depth + 1, 4), dtype=np.int64)
    own, other, kings, black = sides(position)
    count = kernels.write_moves(stack[0], own, other, kings, black)
    state = np.array([seed], dtype=np.uint64)
    row = kernels.choose_row(stack, frames, state, count, black, depth, 0.0)
    path, taken = reference.choose(board, position.turn, depth, 0.0, reference.Stream(seed))
    after = reference.position_of(reference.moved(board, path, taken), "b")
    assert [gather(int(bits)) for bits in stack[0, row, :3]] == [
        after.black if black else after.white,
        after.white if black else after.black,
        after.kings,
    ]


GAMES = [  # (Black, White, seed, rules, start)
    ((2, 0.2), (1, 0.0), 1, Rules(), START),
    ((3, 0.1), (2, 0.35), 2, Rules(), START),
    ((0, 0.0), (0, 0.0), 3, Rules(), START),
    ((1, 0.5), (3, 0.05), 4, Rules(repetitions=0), START),
    ((2, 0.0), (2, 0.0), 5, Rules(repetitions=2), START),
    ((2, 0.1), (2, 0.1), 6, Rules(repetitions=0, quiet_moves=3), START),
    ((2, 0.1), (2, 0.1), 7, Rules(ply_cap=0), START),
    ((2, 0.0), (2, 1.0), 8, Rules(ply_cap=31), START),
    ((2, 0.2), (2, 0.2), 9, Rules(), parse_fen("W:WK10,K11,K12:BK29,K30")),
    ((1, 0.3), (1, 0.3), 10, Rules(repetitions=0, quiet_moves=5), parse_fen("W:WK10,K11,K12:BK29,K30")),
    ((0, 0.0), (0, 0.0), 11, Rules(), parse_fen("W:WK10:BK29")),
    ((1, 0.0), (1, 0.0), 12, Rules(), parse_fen("B:W25,30:B21")),
]


@pytest.mark.parametrize(("black", "white", "seed", "rules", "start"), GAMES)
def test_plain_python_plays_the_same_game_from_the_same_seed(black, white, seed, rules, start):
    game = play_game(Level(*black), Level(*white), rng=np.random.default_rng(seed), rules=rules, start=start)
    own_seed = int(np.random.default_rng(seed).integers(2**63 - 1))
    moves, winner, reason = reference.play(start, {"b": black, "w": white}, own_seed, rules)
    assert moves == list(game.moves)
    assert (winner, reason, len(moves)) == (game.winner, game.reason, game.plies)


def test_the_games_above_end_in_every_way():
    reasons = set()
    for black, white, seed, rules, start in GAMES:
        rng = np.random.default_rng(seed)
        reasons.add(play_game(Level(*black), Level(*white), rng=rng, rules=rules, start=start).reason)
    assert reasons == {"no-move", "repetition", "40-move", "cap"}


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(12))
def test_plain_python_plays_the_same_long_games(seed):
    levels = {"b": (4, 0.1), "w": (3, 0.2)}
    game = play_game(Level(4, 0.1), Level(3, 0.2), rng=np.random.default_rng(seed))
    own_seed = int(np.random.default_rng(seed).integers(2**63 - 1))
    moves, winner, reason = reference.play(START, levels, own_seed, Rules())
    assert moves == list(game.moves) and (winner, reason) == (game.winner, game.reason)
