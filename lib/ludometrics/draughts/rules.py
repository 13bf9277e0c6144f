"""The rules: legal moves, how a move changes the board, and when a game is over.

English draughts as played under the World Checkers/Draughts Federation: men move and capture forwards only, kings one
step; capture is compulsory with a free choice among captures; a multi-jump is played to its end with one
piece; a man that is crowned stops; whoever cannot move loses. The federation's draws are claims; here
they are automatic, as in all software.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from ludometrics.draughts import kernels
from ludometrics.draughts.layout import SQUARE_OF_BIT, row_column, spread, square_at
from ludometrics.draughts.position import Position, format_fen, other_side

REASONS = ("no-move", "repetition", "40-move", "cap")
REASON_TEXT = {
    "no-move": "the side to move has no legal move",
    "repetition": "the same position with the same side to move came up too often",
    "40-move": "both sides made their allowed number of moves without a capture or a move of a man",
    "cap": "the game reached the cap on plies",
}
MAX_QUIET_MOVES = 1_000
MAX_PLY_CAP = 100_000
_STEPS = ((1, -1), (1, 1), (-1, -1), (-1, 1))  # directions 0..3 of the kernels as (row, column)


@dataclass(frozen=True)
class Rules:
    """When a game is drawn; 0 switches a rule off.

    Parameters
    ----------
    repetitions : int
        Draw when a position with the same side to move stands for this many times (0, or 2 and more).
    quiet_moves : int
        Draw after this many own moves by each side without a capture or a move of a man, 0..1000.
    ply_cap : int
        Draw after this many plies, even if the last ply would have won, 0..100000. Not a rule of draughts: it
        bounds simulated games.

    Raises
    ------
    ValueError
        If a number is out of range, or nothing bounds the length of a game (quiet_moves and ply_cap both 0).
    """

    repetitions: int = 3
    quiet_moves: int = 40
    ply_cap: int = 200

    def __post_init__(self) -> None:
        for name, least, most in (
            ("repetitions", 2, 1_000),
            ("quiet_moves", 1, MAX_QUIET_MOVES),
            ("ply_cap", 1, MAX_PLY_CAP),
        ):
            value = getattr(self, name)
            if isinstance(value, bool) or not isinstance(value, int | np.integer):
                raise ValueError(f"{name} is {value!r}; it must be a whole number, 0 for off")
            if value != 0 and not least <= value <= most:
                raise ValueError(f"{name} is {value}; allowed are 0 (off) and {least} to {most}")
        if self.quiet_moves == 0 and self.ply_cap == 0:
            raise ValueError(
                "quiet_moves and ply_cap are both 0; one of them must bound the length of a game"
            )

    @property
    def longest_game(self) -> int:
        """Bound on the plies of a game from any position.

        Between two quiet draws stands a capture or a move of a man; 24 men can make at most 7 moves each
        and at most 23 pieces can be captured.
        """
        if self.quiet_moves == 0:
            return self.ply_cap
        bound = (24 * 7 + 23 + 1) * 2 * self.quiet_moves
        return min(bound, self.ply_cap) if self.ply_cap else bound


class Move(NamedTuple):
    """One whole move.

    Parameters
    ----------
    path : tuple of int
        Squares 1..32 in the order they are visited; two for a plain move, one more for each further jump.
    captures : tuple of int
        Squares of the captured pieces in the order they are jumped; empty for a plain move.

    Examples
    --------
    >>> str(Move((6, 15, 22), (10, 18)))
    '6x15x22'
    """

    path: tuple[int, ...]
    captures: tuple[int, ...]

    def __str__(self) -> str:
        return ("x" if self.captures else "-").join(map(str, self.path))


class Result(NamedTuple):
    """How a game ended: winner 'b', 'w' or 'draw', and the reason, one of `REASONS`."""

    winner: str
    reason: str


def decode(code: int) -> Move:
    """Move of a code written by the kernels.

    Bits 0-5 hold the first bit of the spread layout, 6-9 the number of jumps (0 for a plain move), and from
    bit 10 two bits a step hold the directions (see `layout`).
    """
    path = [SQUARE_OF_BIT[code & 63]]
    jumps, directions, captures = code >> 6 & 15, code >> 10, []
    row, column = row_column(path[0])
    for step in range(max(jumps, 1)):
        down, right = _STEPS[directions >> 2 * step & 3]
        if jumps:
            captures.append(square_at(row + down, column + right))
            down, right = 2 * down, 2 * right
        row, column = row + down, column + right
        path.append(square_at(row, column))
    return Move(tuple(path), tuple(captures))


def sides(position: Position) -> tuple[int, int, int, bool]:
    """(own, other, kings, black to move) of a position in the layout of the kernels."""
    black, white, kings = (spread(bits) for bits in position[:3])
    return (black, white, kings, True) if position.turn == "b" else (white, black, kings, False)


def legal_moves(position: Position) -> list[Move]:
    """Every legal move, each jump route as a move of its own.

    Parameters
    ----------
    position : Position

    Returns
    -------
    list of Move
        Empty if the side to move has lost. Order: plain moves by direction (down-left, down-right, up-left,
        up-right), then square; captures by square, then by the directions of the route.

    Examples
    --------
    >>> from ludometrics.draughts.position import START, parse_fen
    >>> [str(move) for move in legal_moves(parse_fen("B:W10,18:B6"))]
    ['6x15x22']
    >>> len(legal_moves(START))
    7
    """
    rows = np.empty((kernels.MAX_MOVES, 4), dtype=np.int64)
    count = kernels.write_moves(rows, *sides(position))
    return [decode(int(code)) for code in rows[:count, kernels.CODE]]


def apply_move(position: Position, move: Move) -> Position:
    """The position after a legal move; the given position is left as it is.

    Raises
    ------
    ValueError
        If the move is not legal; the message lists the legal ones.

    Examples
    --------
    >>> from ludometrics.draughts.position import parse_fen
    >>> format_fen(apply_move(parse_fen("B:W26,27:B22"), Move((22, 31), (26,))))
    'W:W27:BK31'
    """
    legal = legal_moves(position)
    if move not in legal:
        raise ValueError(f"move {_text(move)} is not legal here; {allowed_text(position, legal)}")
    return move_pieces(position, move)


def allowed_text(position: Position, legal: Sequence[Move]) -> str:
    """What may be played in a position, in words, for messages."""
    if not legal:
        return f"there is no legal move in {format_fen(position)}"
    must = "a capture is compulsory: " if legal[0].captures else ""
    return f"allowed in {format_fen(position)}: {must}{', '.join(map(str, legal))}"


def _text(move: object) -> str:
    return str(move) if isinstance(move, Move) else repr(move)


def move_pieces(position: Position, move: Move) -> Position:
    """The position after a move that is known to be legal (not checked)."""
    start, end = 1 << move.path[0] - 1, 1 << move.path[-1] - 1
    captured = sum(1 << square - 1 for square in move.captures)
    black_moves = position.turn == "b"
    own, other = (position.black, position.white) if black_moves else (position.white, position.black)
    own, other = own & ~start | end, other & ~captured
    crowned = end & (0xF << 28 if black_moves else 0xF)
    is_king = position.kings & start or crowned
    kings = position.kings & ~start & ~captured | (end if is_king else 0)
    black, white = (own, other) if black_moves else (other, own)
    return Position(black, white, kings, other_side(position.turn))


def is_quiet(before: Position, after: Position) -> bool:
    """Whether the ply between two positions was neither a capture nor a move of a man."""
    same_count = (before.black | before.white).bit_count() == (after.black | after.white).bit_count()
    men_before = (before.black & ~before.kings, before.white & ~before.kings)
    return same_count and men_before == (after.black & ~after.kings, after.white & ~after.kings)


def result(positions: Sequence[Position], rules: Rules = Rules()) -> Result | None:
    """Whether and how a game is over.

    Parameters
    ----------
    positions : sequence of Position
        All positions of the game from the first to the present one.
    rules : Rules

    Returns
    -------
    Result or None
        None while the game goes on. Repetition is looked at first; a win comes before the 40-move rule, but a win
        that came with the last ply under the cap does not count.

    Examples
    --------
    >>> from ludometrics.draughts.position import parse_fen
    >>> result([parse_fen("B:W25,30:B21")])
    Result(winner='w', reason='no-move')
    """
    now = positions[-1]
    if rules.repetitions and sum(position == now for position in positions) >= rules.repetitions:
        return Result("draw", "repetition")
    capped = rules.ply_cap > 0 and len(positions) > rules.ply_cap
    if not capped and not kernels.has_move(*sides(now)):
        return Result(other_side(now.turn), "no-move")
    quiet = 0
    while quiet < len(positions) - 1 and is_quiet(positions[-quiet - 2], positions[-quiet - 1]):
        quiet += 1
    if rules.quiet_moves and quiet >= 2 * rules.quiet_moves:
        return Result("draw", "40-move")
    return Result("draw", "cap") if capped else None


def perft(position: Position, depth: int) -> int:
    """Number of move sequences of exactly `depth` plies, each jump route counted.

    Parameters
    ----------
    position : Position
    depth : int
        Plies, 0 to 30.

    Raises
    ------
    ValueError
        If the depth is out of range.

    Source: the counting convention of A. Bik (2009) and M. Fierz (2009). Every position of the last ply is
    written out; none is counted by shortcut.

    Examples
    --------
    >>> from ludometrics.draughts.position import START
    >>> [perft(START, depth) for depth in range(5)]
    [1, 7, 49, 302, 1469]
    """
    if isinstance(depth, bool) or not isinstance(depth, int | np.integer) or not 0 <= depth <= 30:
        raise ValueError(f"perft depth is {depth!r}; allowed are the whole numbers 0 to 30")
    if depth == 0:
        return 1
    return int(kernels.count_leaves(kernels.new_stack(depth), *sides(position), depth))


def divide(position: Position, depth: int) -> list[tuple[Move, int]]:
    """Perft split by the first move: pairs (move, sequences that begin with it), depth 1 or more.

    Examples
    --------
    >>> from ludometrics.draughts.position import START
    >>> [(str(move), count) for move, count in divide(START, 2)][:2]
    [('9-13', 7), ('10-14', 7)]
    """
    if isinstance(depth, bool) or not isinstance(depth, int | np.integer) or not 1 <= depth <= 30:
        raise ValueError(f"divide depth is {depth!r}; allowed are the whole numbers 1 to 30")
    return [(move, perft(move_pieces(position, move), depth - 1)) for move in legal_moves(position)]
