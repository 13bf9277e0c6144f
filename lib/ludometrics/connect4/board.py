"""A game of Connect-4: positions, moves, wins, drawings, and boards of BitBully.

Yellow moves first; columns are 0 to 6 from the left, rows 0 to 5 from the bottom. Four in a row wins: upright, level,
or on either diagonal; 42 tokens without a win are a draw. For many positions at once see `board_batches`.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numba import njit

from ludometrics.connect4.bitboard import (
    CELLS,
    COLUMN,
    COLUMNS,
    STRIDE,
    has_four,
    landing_squares,
    mirrored,
    square_of,
)
from ludometrics.connect4.board_batches import (
    LEGAL,
    NON_LOSING,
    WINNING,
    Positions,
    contents,
    count_tokens,
    playable_squares,
    random_positions,
)
from ludometrics.connect4.drawing import draw, from_drawing
from ludometrics.connect4.position import EMPTY, Position, cells, check_position

__all__ = [
    "EMPTY",
    "Position",
    "Positions",
    "cells",
    "check_position",
    "contents",
    "draw",
    "from_bitbully",
    "from_drawing",
    "from_moves",
    "is_over",
    "legal_columns",
    "mirror",
    "non_losing_columns",
    "perft",
    "play",
    "random_positions",
    "to_bitbully",
    "winner",
    "winning_columns",
]

_DIGITS = tuple("0123456")


def legal_columns(position: Position) -> tuple[int, ...]:
    """List the columns that can be played, from the left; none once the game is over.

    Examples
    --------
    >>> legal_columns(from_moves("333333"))
    (0, 1, 2, 4, 5, 6)
    """
    return _columns(position, LEGAL)


def winning_columns(position: Position) -> tuple[int, ...]:
    """List the columns that complete four in a row for the side to move, from the left.

    Examples
    --------
    >>> winning_columns(from_moves("223344"))
    (1, 5)
    """
    return _columns(position, WINNING)


def non_losing_columns(position: Position) -> tuple[int, ...]:
    """List the columns after which the other side cannot win with its next token, from the left.

    A column that wins counts: it ends the game. (BitBully's non-losing moves leave it out where it answers no threat.)

    Examples
    --------
    >>> non_losing_columns(from_moves("30313"))  # Yellow has three in column 3
    (3,)
    """
    return _columns(position, NON_LOSING)


def winner(position: Position) -> int:
    """Tell who has four in a row: 1 Yellow, -1 Red, 0 nobody.

    Examples
    --------
    >>> winner(from_moves("0102030"))
    1
    """
    tokens, active, left = check_position(position)
    # Only the side that moved last can have won: Yellow, when Red would be to move.
    return (1 if left % 2 else -1) if has_four(tokens ^ active) else 0


def is_over(position: Position) -> bool:
    """Tell whether somebody has won or the board is full."""
    return winner(position) != 0 or check_position(position).moves_left == 0


def play(position: Position, column: int) -> Position:
    """Play a move.

    Parameters
    ----------
    position : Position
        Position in which the game is not over.
    column : int
        Column, 0 to 6.

    Returns
    -------
    Position
        The position after the move.

    Raises
    ------
    ValueError
        The column is full or outside the board, the game is over, or the numbers are no position.

    Source
    ------
    Own.

    Examples
    --------
    >>> print(draw(play(play(EMPTY, 3), 3)))
    . . . . . . .
    . . . . . . .
    . . . . . . .
    . . . . . . .
    . . . R . . .
    . . . Y . . .
    0 1 2 3 4 5 6
    """
    tokens, active, left = check_position(position)
    if isinstance(column, bool | np.bool_) or not isinstance(column, int | np.integer):
        raise ValueError(f"column {column!r} is no whole number: allowed are 0 to {COLUMNS - 1}")
    if not 0 <= column < COLUMNS:
        raise ValueError(f"column {column} is not on the board: allowed are 0 to {COLUMNS - 1}")
    if has_four(tokens ^ active):
        raise ValueError(f"the game is over: {'Yellow' if left % 2 else 'Red'} has won")
    if left == 0:
        raise ValueError("the game is over: the board is full, a draw")
    square = int(square_of(tokens, int(column)))
    if not square:
        open_ = ", ".join(map(str, legal_columns(position)))
        raise ValueError(f"column {column} is full: {open_} can be played")
    return Position(tokens | square, tokens ^ active, left - 1)


def from_moves(moves: str | Sequence[int]) -> Position:
    """Play a game from the empty board.

    Parameters
    ----------
    moves : str or sequence of int
        Columns: "3342" or [3, 3, 4, 2].

    Returns
    -------
    Position
        The position after the moves.

    Raises
    ------
    ValueError
        A move that is no column, or cannot be played: its number is named, counted from 1.

    Source
    ------
    Own.
    """
    position = EMPTY
    for number, move in enumerate(moves, start=1):
        column = int(move) if isinstance(move, str) and move in _DIGITS else move
        try:
            position = play(position, column)
        except ValueError as error:
            raise ValueError(f"move {number} of {moves!r}: {error}") from None
    return position


def mirror(position: Position) -> Position:
    """Reflect a position at the middle column."""
    tokens, active, left = check_position(position)
    return Position(int(mirrored(tokens)), int(mirrored(active)), left)


def to_bitbully(position: Position) -> Any:
    """Give the position as a board of BitBully.

    Returns
    -------
    bitbully.Board

    Raises
    ------
    ValueError
        Numbers that are no position.
    ImportError
        Without BitBully (`pip install "ludometrics[connect4]"`).
    """
    numbers = check_position(position)
    try:
        from bitbully import Board
    except ImportError as error:
        raise ImportError(
            'boards of BitBully need it: pip install "ludometrics[connect4]"', name=error.name
        ) from error
    board = Board()
    board.native.setRawState(*numbers)
    return board


def from_bitbully(board: Any) -> Position:
    """Give the position on a board of BitBully, or on its compiled part (`board.native`).

    Raises
    ------
    ValueError
        No such board, or a game that went on after a win, which BitBully allows.
    """
    native = getattr(board, "native", board)
    if not hasattr(native, "rawState"):
        raise ValueError(f"{board!r} is no board of BitBully")
    return check_position(native.rawState())


def perft(position: Position, depth: int) -> int:
    """Count the sequences of legal moves of one length; a game ends at a win.

    Parameters
    ----------
    position : Position
        Where the games start.
    depth : int
        Length in moves, 0 to 42; each one more takes about seven times as long.

    Returns
    -------
    int
        Number of sequences.

    Raises
    ------
    ValueError
        Another depth, or numbers that are no position.

    Source
    ------
    Own; the counts from the empty board are in the tests.

    Examples
    --------
    >>> [perft(EMPTY, depth) for depth in range(8)]
    [1, 7, 49, 343, 2401, 16807, 117649, 823536]
    """
    tokens, active, _ = check_position(position)
    if isinstance(depth, bool) or not isinstance(depth, int | np.integer) or not 0 <= depth <= CELLS:
        raise ValueError(f"depth is {depth!r}: allowed are 0 to {CELLS} moves")
    if depth == 0:
        return 1
    return int(_count_sequences(tokens, active, int(depth)))


def _columns(position: Position, kind: int) -> tuple[int, ...]:
    tokens, active, _ = check_position(position)
    squares = int(playable_squares(tokens, active, kind))
    return tuple(column for column in range(COLUMNS) if squares >> STRIDE * column & int(COLUMN))


@njit(cache=True)
def _count_sequences(tokens: int, active: int, depth: int) -> int:
    first = playable_squares(tokens, active, LEGAL)
    if depth == 1:
        return count_tokens(first)
    every, own, untried = np.zeros(depth, np.int64), np.zeros(depth, np.int64), np.zeros(depth, np.int64)
    every[0], own[0], untried[0] = tokens, active, first
    found = level = 0
    while level >= 0:
        square = untried[level] & -untried[level]
        if square == 0:
            level -= 1
            continue
        untried[level] ^= square
        if has_four(own[level] | square):
            continue  # won: nothing longer starts with these moves
        after = every[level] | square
        if level + 2 == depth:
            found += count_tokens(landing_squares(after))  # the last move may win or not
            continue
        every[level + 1], own[level + 1] = after, every[level] ^ own[level]
        untried[level + 1] = landing_squares(after)
        level += 1
    return found
