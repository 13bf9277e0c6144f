"""A game of Connect-4: positions, moves, wins, drawings, and boards of BitBully.

Yellow moves first; columns are 0 to 6 from the left, rows 0 to 5 from the bottom. Four in a row wins: upright, level,
or on either diagonal; 42 tokens without a win are a draw. For many positions at once see `board_batches`.
"""

import operator
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numba import njit

from ludometrics.connect4.bitboard import (
    CELLS,
    COLUMN,
    COLUMNS,
    ROWS,
    STRIDE,
    has_four,
    landing_squares,
    mirrored,
    square_of,
)
from ludometrics.connect4.board_batches import (
    FAULTS,
    LEGAL,
    NON_LOSING,
    WINNING,
    Positions,
    contents,
    count_tokens,
    find_fault,
    playable_squares,
    random_positions,
)

__all__ = [
    "EMPTY",
    "Position",
    "Positions",
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

LETTERS = {1: "Y", -1: "R", 0: "."}
_NUMBERS = "".join(map(str, range(COLUMNS)))


class Position(NamedTuple):
    """A position, as BitBully's boards keep it.

    Attributes
    ----------
    tokens, active : int
        Tokens of both sides, and of the side to move: nine bits a column, bit = 9 column + row.
    moves_left : int
        Empty cells, 0 to 42; an even number: Yellow is to move.
    """

    tokens: int
    active: int
    moves_left: int


EMPTY = Position(0, 0, CELLS)


def check_position(position: Sequence[int]) -> Position:
    """Give the position with plain whole numbers, or say what is wrong with it.

    Parameters
    ----------
    position : Position
        Three whole numbers.

    Returns
    -------
    Position
        The same. That a sequence of moves leads to it is not looked into.

    Raises
    ------
    ValueError
        Not three whole numbers; tokens outside the board or above an empty cell; numbers of tokens that do not fit; a
        game that went on after a win.

    Source
    ------
    Own.
    """
    try:
        numbers = [operator.index(number) for number in position]
    except TypeError:
        numbers = []
    if len(numbers) != 3 or not all(-1 << 63 <= number < 1 << 63 for number in numbers):
        raise ValueError(
            f"{position!r} is no position: wanted are three whole numbers, tokens, active, moves_left"
        )
    fault = find_fault(*numbers)
    if fault:
        shown = ", ".join(f"{name} {number}" for name, number in zip(Position._fields, numbers, strict=True))
        raise ValueError(f"{shown} are no position: {FAULTS[fault]}")
    return Position(*numbers)


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
    >>> non_losing_columns(from_moves("33424"))  # Yellow threatens to fill row 0
    (5,)
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
    return winner(position) != 0 or position.moves_left == 0


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
        column = int(move) if isinstance(move, str) and move in _NUMBERS else move
        try:
            position = play(position, column)
        except ValueError as error:
            raise ValueError(f"move {number} of {moves!r}: {error}") from None
    return position


def mirror(position: Position) -> Position:
    """Reflect a position at the middle column."""
    tokens, active, left = check_position(position)
    return Position(int(mirrored(tokens)), int(mirrored(active)), left)


def cells(position: Position) -> list[list[int]]:
    """Give the cells as six rows from the bottom, seven columns each: 1 Yellow, -1 Red, 0 empty."""
    tokens, active, left = check_position(position)
    yellow = tokens ^ active if left % 2 else active
    shifts = [[STRIDE * column + row for column in range(COLUMNS)] for row in range(ROWS)]
    return [[(tokens >> bit & 1) * (2 * (yellow >> bit & 1) - 1) for bit in row] for row in shifts]


def draw(position: Position) -> str:
    """Draw a position in letters: Y Yellow, R Red, . empty, the top row first, columns numbered below.

    Source
    ------
    Own.
    """
    rows = [" ".join(LETTERS[cell] for cell in row) for row in reversed(cells(position))]
    return "\n".join([*rows, " ".join(_NUMBERS)])


def from_drawing(text: str) -> Position:
    """Read a position drawn in letters.

    Parameters
    ----------
    text : str
        Six lines of seven letters as `draw` writes them, top row first. Spaces and empty lines do not matter; the line
        of column numbers may be missing.

    Returns
    -------
    Position
        The position. Whose turn it is follows from the numbers of tokens.

    Raises
    ------
    ValueError
        Other than six rows of seven cells; another letter, or a token above an empty cell (row, column and letter are
        named); numbers of tokens that do not fit; a game that went on after a win.

    Source
    ------
    Own.

    Examples
    --------
    >>> from_drawing(draw(from_moves("3342"))) == from_moves("3342")
    True
    """
    rows = [row for row in ("".join(line.split()) for line in text.splitlines()) if row]
    if rows and rows[-1] == _NUMBERS:
        rows.pop()
    if len(rows) != ROWS:
        raise ValueError(f"the drawing has {len(rows)} rows: a board has {ROWS}")
    sides = {"Y": 0, "R": 0, ".": 0}
    for number, row in enumerate(reversed(rows)):
        if len(row) != COLUMNS:
            raise ValueError(
                f"row {number} (from the bottom, 0 to {ROWS - 1}), {row!r}, has {len(row)} cells, not {COLUMNS}"
            )
        for column, letter in enumerate(row):
            place = f"row {number} (from the bottom, 0 to {ROWS - 1}), column {column}: {letter!r}"
            bit = STRIDE * column + number
            if letter not in sides:
                raise ValueError(f"{place} is no cell: allowed are Y, R and .")
            if letter != "." and number > 0 and not (sides["Y"] | sides["R"]) >> (bit - 1) & 1:
                raise ValueError(f"{place} stands above an empty cell")
            sides[letter] |= 1 << bit
    tokens = sides["Y"] | sides["R"]
    yellows, reds = sides["Y"].bit_count(), sides["R"].bit_count()
    if yellows - reds not in (0, 1):
        raise ValueError(f"{yellows} tokens are Yellow's and {reds} Red's: {FAULTS[5]}")
    left = CELLS - yellows - reds
    return check_position((tokens, sides["R"] if left % 2 else sides["Y"], left))


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
    every, own, untried = (np.zeros(depth, np.int64) for _ in range(3))
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
