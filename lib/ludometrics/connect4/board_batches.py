"""Many positions at once: three arrays, compiled loops over them, and positions drawn at random.

The rules are those of `bitboard`; here they are applied with the end of the game: a game that is won has no legal
move. What is no position is refused, with its row.
"""

from typing import Any, NamedTuple

import numpy as np
from numba import njit

from ludometrics.connect4.bitboard import (
    BOTTOM,
    CELLS,
    COLUMN,
    COLUMNS,
    PLAYABLE,
    STRIDE,
    content_of,
    has_four,
    landing_squares,
    mirrored,
    non_losing_squares,
    square_of,
    winning_squares,
)

__all__ = [
    "Positions",
    "contents",
    "legal_moves",
    "mirror_positions",
    "non_losing_moves",
    "play_moves",
    "random_positions",
    "winners",
    "winning_moves",
]

LEGAL, WINNING, NON_LOSING = 0, 1, 2  # which squares are asked for

# By number, as `find_fault` gives them; 0 is no fault.
FAULTS = (
    "",
    "tokens stand outside the board",
    "tokens of the side to move are not among all tokens",
    "a token stands above an empty cell",
    f"moves_left is not {CELLS} less the number of tokens",
    "Yellow moves first, so it has as many tokens as Red, or one more after its own move",
    "the side to move has four in a row: its game ended earlier",
    "the four in a row of the side that moved last was there before its last token",
)


class Positions(NamedTuple):
    """B positions.

    Attributes
    ----------
    tokens, active : (B,) int64 array
        Tokens of both sides, and of the side to move: nine bits a column, as `bitboard` lays them out.
    moves_left : (B,) int64 array
        Empty cells, 0 to 42; an even number: Yellow is to move.
    """

    tokens: np.ndarray
    active: np.ndarray
    moves_left: np.ndarray


def contents(positions: Positions) -> np.ndarray:
    """Give what each column holds.

    Parameters
    ----------
    positions : Positions
        B positions (one position alone counts as B = 1).

    Returns
    -------
    (B, 7) uint8 array
        (1 << height) with Yellow's bits below it, lowest row first: 1 for an empty column, up to 127.

    Raises
    ------
    ValueError
        Arrays of unequal length or of other than whole numbers; numbers that are no position: the row is named.

    Source
    ------
    Own.

    Examples
    --------
    >>> contents(Positions(np.array([0b11]), np.array([0b01]), np.array([40])))  # in column 0 Red on Yellow
    array([[5, 1, 1, 1, 1, 1, 1]], dtype=uint8)
    """
    tokens, active, left = check_positions(positions)
    found = np.empty((len(tokens), COLUMNS), dtype=np.uint8)
    _fill_contents(tokens, active, left, found)
    return found


def legal_moves(positions: Positions) -> np.ndarray:
    """Tell which columns can be played, (B, 7) bool: none of them full, and none once the game is over."""
    return _columns(positions, LEGAL)


def winning_moves(positions: Positions) -> np.ndarray:
    """Tell which columns complete four in a row for the side to move, (B, 7) bool."""
    return _columns(positions, WINNING)


def non_losing_moves(positions: Positions) -> np.ndarray:
    """Tell after which columns the other side cannot win with its next token, (B, 7) bool; moves that win count."""
    return _columns(positions, NON_LOSING)


def winners(positions: Positions) -> np.ndarray:
    """Tell who has four in a row, (B,) int8: 1 Yellow, -1 Red, 0 nobody."""
    tokens, active, left = check_positions(positions)
    found = np.empty(len(tokens), dtype=np.int8)
    _fill_winners(tokens, active, left, found)
    return found


def play_moves(positions: Positions, columns: np.ndarray) -> Positions:
    """Play a move in each position.

    Parameters
    ----------
    positions : Positions
        B positions in which the game is not over.
    columns : (B,) int array
        Column of each move, 0 to 6.

    Returns
    -------
    Positions
        The positions after the moves.

    Raises
    ------
    ValueError
        As for `contents`; a column that is full or outside the board, or a game that is over: the row is named.

    Source
    ------
    Own.

    Examples
    --------
    >>> play_moves(Positions(np.array([0]), np.array([0]), np.array([42])), np.array([6]))._asdict()
    {'tokens': array([18014398509481984]), 'active': array([0]), 'moves_left': array([41])}
    """
    arrays = check_positions(positions)
    chosen = np.asarray(columns)
    if chosen.shape != arrays[0].shape or chosen.dtype.kind not in "iu":
        raise ValueError(
            f"columns have shape {chosen.shape} and type {chosen.dtype}: wanted is one whole number a position,"
            f" shape {arrays[0].shape}"
        )
    bad = np.flatnonzero((chosen < 0) | (chosen >= COLUMNS))
    if bad.size:
        raise ValueError(
            f"position {bad[0]}: column {chosen[bad[0]]} is not on the board: allowed are 0 to {COLUMNS - 1}"
        )
    tokens, active, left = (np.empty_like(part) for part in arrays)
    row = _fill_played(*arrays, np.ascontiguousarray(chosen, dtype=np.int64), tokens, active, left)
    if row >= 0:
        over = has_four(int(arrays[0][row] ^ arrays[1][row]))
        why = "the game is over" if over else f"column {chosen[row]} is full"
        raise ValueError(f"position {row}: {why}")
    return Positions(tokens, active, left)


def mirror_positions(positions: Positions) -> Positions:
    """Reflect every position at the middle column."""
    tokens, active, left = check_positions(positions)
    found = np.empty_like(tokens), np.empty_like(active)
    _fill_mirrored(tokens, active, *found)
    return Positions(*found, left.copy())


def random_positions(n: int, *, rng: np.random.Generator, plies: tuple[int, int] = (0, CELLS)) -> Positions:
    """Draw positions from games of random moves.

    The number of tokens is drawn first, each as likely as the others; then a game is played with each legal column as
    likely as the others, and played again from the start where it ends before that number is reached. So the last
    token may win, none before it did.

    Parameters
    ----------
    n : int
        Number of positions, 0 or more.
    rng : numpy.random.Generator
        Stream of random numbers.
    plies : (int, int), optional
        Least and greatest number of tokens, 0 to 42. Hardly one game in a hundred lasts for 41: full boards take
        longest.

    Returns
    -------
    Positions
        `n` positions, all independent.

    Raises
    ------
    ValueError
        A negative `n`, or plies out of order or outside 0 to 42.

    Source
    ------
    Own.

    Examples
    --------
    >>> drawn = random_positions(1000, rng=np.random.default_rng(1), plies=(5, 8))
    >>> np.unique(drawn.moves_left)
    array([34, 35, 36, 37])
    """
    least, most = plies
    if n < 0:
        raise ValueError(f"n is {n}: allowed are 0 and more positions")
    if not 0 <= least <= most <= CELLS:
        raise ValueError(f"plies are {least} to {most}: allowed are 0 to {CELLS}, the smaller one first")
    lengths = rng.integers(least, most, size=n, endpoint=True)
    found = Positions(*(np.empty(n, dtype=np.int64) for _ in range(3)))
    _fill_random(rng, lengths, *found)
    return found


def check_positions(positions: Any) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Give tokens, active and moves left as arrays, or say what is wrong with them and in which row."""
    given = [np.asarray(part) for part in (positions.tokens, positions.active, positions.moves_left)]
    for name, array in zip(Positions._fields, given, strict=True):
        if array.ndim > 1 or array.dtype.kind not in "iu" or array.shape != given[0].shape:
            raise ValueError(
                f"{name} has shape {array.shape} and type {array.dtype}:"
                " wanted are whole numbers, one a position, as many as tokens"
            )
    # One memory layout: the loops are compiled once. A number alone becomes an array of one.
    tokens, active, left = (np.ascontiguousarray(array, dtype=np.int64) for array in given)
    row, fault = _first_fault(tokens, active, left)
    if fault:
        raise ValueError(
            f"position {row}: tokens {tokens[row]}, active {active[row]} and moves_left {left[row]} are no position:"
            f" {FAULTS[fault]}"
        )
    return tokens, active, left


def _columns(positions: Positions, kind: int) -> np.ndarray:
    tokens, active, _ = check_positions(positions)
    found = np.empty((len(tokens), COLUMNS), dtype=np.bool_)
    _fill_columns(tokens, active, kind, found)
    return found


@njit(cache=True)
def count_tokens(tokens: int) -> int:
    """Count tokens."""
    count = 0
    while tokens:
        tokens &= tokens - 1
        count += 1
    return count


@njit(cache=True)
def find_fault(tokens: int, active: int, left: int) -> int:
    """Give the number of the first fault of a position, 0 for none; that moves lead to it is not looked into."""
    if tokens & ~PLAYABLE:
        return 1
    if active & ~tokens:
        return 2
    # Adding one at the bottom of a column carries over its tokens: what is left of them stood above a gap.
    if tokens & (tokens + BOTTOM):
        return 3
    count = count_tokens(tokens)
    if left != CELLS - count:
        return 4
    if count_tokens(active) != count // 2:  # whoever is to move
        return 5
    if has_four(active):
        return 6
    last = tokens ^ active
    if not has_four(last):
        return 0
    tops = ((tokens + BOTTOM) >> 1) & last
    while tops:
        if not has_four(last ^ (tops & -tops)):
            return 0
        tops &= tops - 1
    return 7


@njit(cache=True)
def playable_squares(tokens: int, active: int, kind: int) -> int:
    """Give the squares of the moves asked for (`LEGAL`, `WINNING` or `NON_LOSING`); none once the game is over."""
    if has_four(tokens ^ active):
        return 0
    landing = landing_squares(tokens)
    if kind == LEGAL:
        return landing
    wins = winning_squares(active, tokens) & landing
    return wins if kind == WINNING else wins | non_losing_squares(active, tokens)


@njit(cache=True)
def _first_fault(tokens, active, left):
    for row in range(len(tokens)):
        fault = find_fault(tokens[row], active[row], left[row])
        if fault:
            return row, fault
    return -1, 0


@njit(cache=True)
def _fill_contents(tokens, active, left, found) -> None:
    for row in range(len(tokens)):
        yellow = tokens[row] ^ active[row] if left[row] & 1 else active[row]
        for column in range(COLUMNS):
            found[row, column] = content_of(tokens[row], yellow, column)


@njit(cache=True)
def _fill_columns(tokens, active, kind, found) -> None:
    for row in range(len(tokens)):
        squares = playable_squares(tokens[row], active[row], kind)
        for column in range(COLUMNS):
            found[row, column] = squares & (COLUMN << (STRIDE * column)) != 0


@njit(cache=True)
def _fill_winners(tokens, active, left, found) -> None:
    for row in range(len(tokens)):
        # Only the side that moved last can have won: Yellow, when Red would be to move.
        found[row] = (1 if left[row] & 1 else -1) if has_four(tokens[row] ^ active[row]) else 0


@njit(cache=True)
def _fill_played(tokens, active, left, columns, after, active_after, left_after) -> int:
    """Play the moves; stop at the first that cannot be played and give its row, else -1."""
    for row in range(len(tokens)):
        square = square_of(tokens[row], columns[row])
        if square == 0 or has_four(tokens[row] ^ active[row]):
            return row
        after[row] = tokens[row] | square
        active_after[row] = tokens[row] ^ active[row]
        left_after[row] = left[row] - 1
    return -1


@njit(cache=True)
def _fill_mirrored(tokens, active, tokens_found, active_found) -> None:
    for row in range(len(tokens)):
        tokens_found[row] = mirrored(tokens[row])
        active_found[row] = mirrored(active[row])


@njit(cache=True)
def _fill_random(rng, lengths, tokens, active, left) -> None:
    for row in range(len(lengths)):
        length, played = lengths[row], -1
        while played < length:
            every, own, played = 0, 0, 0
            while played < length:
                landing = landing_squares(every)
                for _ in range(int(rng.random() * count_tokens(landing))):
                    landing &= landing - 1
                square = landing & -landing
                if played + 1 < length and has_four(own | square):
                    break  # too early: another game
                every, own = every | square, every ^ own
                played += 1
        tokens[row], active[row], left[row] = every, own, CELLS - length
