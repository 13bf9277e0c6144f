"""The value network: what each pattern shows, on the board and on its mirror image, added up and squashed.

V(s) = tanh(sum over patterns m of W[p, m, T_m(s)] + W[p, m, T_m(mirror of s)]), from Yellow's point of view, where p is
the side to move in s and T_m the state of pattern m. Sums are taken in float64 and in a fixed order, pattern by pattern
with its mirror image, and the value is rounded to float32: a position and its mirror image have the same value to the
bit, and so have a position met alone, in a batch, or as an afterstate.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Protocol

import numpy as np
from numba import njit

from ludometrics.connect4.bitboard import BOTTOM, CELLS, COLUMN, COLUMNS, PLAYABLE, ROWS, STRIDE, content_of
from ludometrics.connect4.realisable import CONTENTS, Indexing, cell_digit, index_patterns

__all__ = [
    "PositionBatch",
    "ValueNetwork",
    "afterstate_values",
    "full_indices",
    "new_network",
    "values",
    "values_plain",
]


class PositionBatch(Protocol):
    """Positions to be valued: three arrays (B,) of whole numbers, or three whole numbers for one position.

    Attributes
    ----------
    tokens, active : (B,) int64 array
        Tokens of both sides, and of the side to move (nine bits a column).
    moves_left : (B,) int64 array
        42 less the number of tokens; an even number: Yellow is to move.
    """

    tokens: Any
    active: Any
    moves_left: Any


@dataclass(frozen=True, eq=False)
class ValueNetwork:
    """Weights of a set of patterns.

    Attributes
    ----------
    indexing : Indexing
        The patterns and how their realisable states are numbered.
    weights : (2, states) float32 array
        Row 0 for Yellow to move, row 1 for Red; pattern after pattern.
    about : Mapping
        Where the weights come from (recipe, seed, step, moves), as plain values that JSON can hold.

    Raises
    ------
    ValueError
        Weights of another shape or type than the patterns ask for.
    """

    indexing: Indexing
    weights: np.ndarray
    about: Mapping[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Refuse weights that do not belong to these patterns: the compiled loops would read beyond them."""
        wanted = (2, self.indexing.states)
        if self.weights.shape != wanted or self.weights.dtype != np.float32:
            raise ValueError(
                f"weights have shape {self.weights.shape} and type {self.weights.dtype}:"
                f" these patterns have {wanted} of float32"
            )
        object.__setattr__(self, "weights", np.ascontiguousarray(self.weights))

    @cached_property
    def rows(self) -> np.ndarray:
        """What a column's content adds to each pattern's index, (7, 128, P) int32: one row a content."""
        return np.ascontiguousarray(self.indexing.partial.transpose(1, 2, 0))


def new_network(patterns: np.ndarray, about: Mapping[str, Any] | None = None) -> ValueNetwork:
    """Make a network that knows nothing: all weights, and so all values, are 0.

    Parameters
    ----------
    patterns : (P, L) int array
        Cells, 6 column + row, each 0 to 41, no cell twice in a pattern.
    about : Mapping, optional
        Plain values to go with the weights.

    Raises
    ------
    ValueError
        Cells outside the board or doubled.

    Examples
    --------
    >>> new_network(np.array([[0, 1], [0, 6]])).weights.shape  # 7 and 3 x 3 states that can occur
    (2, 16)
    """
    indexing = index_patterns(patterns)
    return ValueNetwork(indexing, np.zeros((2, indexing.states), dtype=np.float32), dict(about or {}))


def values(network: ValueNetwork, positions: PositionBatch) -> np.ndarray:
    """Value positions.

    Parameters
    ----------
    network : ValueNetwork
        Patterns and weights.
    positions : PositionBatch
        B positions (one position alone counts as B = 1). No rules are applied: a game that is won has a value as any
        other position.

    Returns
    -------
    (B,) float32 array
        Values from Yellow's view, -1 to 1.

    Raises
    ------
    ValueError
        Arrays of unequal length or of other than whole numbers; numbers that are no position: the row is named.

    Source
    ------
    Thill, Koch and Konen, PPSN XII (2012), for the form of the network.

    Examples
    --------
    >>> from types import SimpleNamespace
    >>> network = new_network(np.array([[0, 6]]))
    >>> network.weights[0, 0] = 0.25  # Yellow to move, both cells next to be filled: so they are mirrored as well
    >>> values(network, SimpleNamespace(tokens=0, active=0, moves_left=42)).round(4)  # tanh(0.5)
    array([0.4621], dtype=float32)
    """
    tokens, active, left = _arrays(positions)
    found = np.empty(len(tokens), dtype=np.float32)
    bad = _value_positions(
        tokens, active, left, network.rows, network.indexing.offsets, network.weights, found
    )
    if bad >= 0:
        raise _no_position(bad, tokens, active, left)
    return found


def afterstate_values(network: ValueNetwork, positions: PositionBatch) -> np.ndarray:
    """Value the position after each move.

    Parameters
    ----------
    network : ValueNetwork
        Patterns and weights.
    positions : PositionBatch
        B positions (one position alone counts as B = 1). No rules are applied: neither to positions in which the game
        is over, nor to moves that end it.

    Returns
    -------
    (B, 7) float32 array
        Value from Yellow's view after a token of the side to move in each column, NaN where the column is full. The
        same to the bit as `values` of the positions after the moves.

    Raises
    ------
    ValueError
        As for `values`.

    Source
    ------
    Own.

    Examples
    --------
    >>> from types import SimpleNamespace
    >>> network = new_network(np.array([[0, 6]]))
    >>> network.weights[1, 0] = 0.25  # Red to move, cells 0 and 6 (and their mirror images) next to be filled
    >>> afterstate_values(network, SimpleNamespace(tokens=0, active=0, moves_left=42)).round(2)
    array([[0.24, 0.24, 0.46, 0.46, 0.46, 0.24, 0.24]], dtype=float32)
    """
    tokens, active, left = _arrays(positions)
    found = np.empty((len(tokens), COLUMNS), dtype=np.float32)
    bad = _value_afterstates(
        tokens, active, left, network.rows, network.indexing.offsets, network.weights, found
    )
    if bad >= 0:
        raise _no_position(bad, tokens, active, left)
    return found


def _arrays(positions: PositionBatch) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    given = {
        "tokens": np.asarray(positions.tokens),
        "active": np.asarray(positions.active),
        "moves_left": np.asarray(positions.moves_left),
    }
    wanted = given["tokens"].shape
    for name, array in given.items():
        if array.ndim > 1 or array.dtype.kind not in "iu" or array.shape != wanted:
            raise ValueError(
                f"{name} has shape {array.shape} and type {array.dtype}:"
                " wanted are whole numbers, one a position, as many as tokens"
            )
    # One memory layout: the loops are compiled once. A number alone becomes an array of one.
    return tuple(np.ascontiguousarray(array, dtype=np.int64) for array in given.values())


def _no_position(row: int, tokens: np.ndarray, active: np.ndarray, left: np.ndarray) -> ValueError:
    return ValueError(
        f"position {row}: tokens {tokens[row]}, active {active[row]} and moves_left {left[row]} are no position (tokens"
        f" stand on one another, the active ones are among them, and {CELLS} less their number is moves_left)"
    )


@njit(cache=True, inline="always")
def _is_position(tokens: int, active: int, left: int) -> bool:
    # Adding one at the bottom of a column carries over its tokens: what is left of them stood above a gap.
    if (tokens & ~PLAYABLE) | (active & ~tokens) | (tokens & (tokens + BOTTOM)):
        return False
    rest, count = tokens, 0
    while rest:
        rest &= rest - 1
        count += 1
    return left == CELLS - count


@njit(cache=True)
def _find_indices(tokens, yellow, rows, offsets, index, mirrored) -> None:
    """Write where the weights of each pattern lie, on the board and on its mirror image."""
    index[:] = offsets
    mirrored[:] = offsets
    for column in range(COLUMNS):
        content = content_of(tokens, yellow, column)
        own, other = rows[column, content], rows[COLUMNS - 1 - column, content]
        for pattern in range(len(offsets)):
            index[pattern] += own[pattern]
            mirrored[pattern] += other[pattern]


@njit(cache=True, inline="always")
def _pair(weights, first, second):
    # A pattern and its mirror image are added first: which is which makes no difference to the last bit.
    return np.float64(weights[np.uint32(first)]) + np.float64(weights[np.uint32(second)])


@njit(cache=True)
def _squash(weights, index, mirrored):
    """Add up the weights at these places, two sums side by side, and squash the sum."""
    even = odd = 0.0
    for pattern in range(0, len(index) - 1, 2):
        even += _pair(weights, index[pattern], mirrored[pattern])
        odd += _pair(weights, index[pattern + 1], mirrored[pattern + 1])
    if len(index) & 1:
        even += _pair(weights, index[-1], mirrored[-1])
    return np.float32(math.tanh(even + odd))


@njit(cache=True)
def _value_positions(tokens, active, left, rows, offsets, weights, found) -> int:
    """Write the value of each position; give the row of the first that is none, or -1."""
    index, mirrored = np.empty_like(offsets), np.empty_like(offsets)
    for board in range(len(tokens)):
        if not _is_position(tokens[board], active[board], left[board]):
            return board
        side = left[board] & 1
        yellow = tokens[board] ^ active[board] if side else active[board]
        _find_indices(tokens[board], yellow, rows, offsets, index, mirrored)
        found[board] = _squash(weights[side], index, mirrored)
    return -1


@njit(cache=True)
def _value_afterstates(tokens, active, left, rows, offsets, weights, found) -> int:
    """Write the value after each move; give the row of the first that is no position, or -1."""
    index, mirrored = np.empty_like(offsets), np.empty_like(offsets)
    after, after_mirrored = np.empty_like(offsets), np.empty_like(offsets)
    for board in range(len(tokens)):
        if not _is_position(tokens[board], active[board], left[board]):
            return board
        side = left[board] & 1
        yellow = tokens[board] ^ active[board] if side else active[board]
        _find_indices(tokens[board], yellow, rows, offsets, index, mirrored)
        for column in range(COLUMNS):
            top = ((tokens[board] >> (STRIDE * column)) & COLUMN) + 1
            if top > COLUMN:
                found[board, column] = np.nan
                continue
            before = content_of(tokens[board], yellow, column)
            then = (
                before + top if side else before + 2 * top
            )  # the mark of the height moves up; Yellow leaves a bit
            own, other = rows[column], rows[COLUMNS - 1 - column]
            for pattern in range(len(offsets)):
                after[pattern] = index[pattern] + own[then, pattern] - own[before, pattern]
                after_mirrored[pattern] = mirrored[pattern] + other[then, pattern] - other[before, pattern]
            found[board, column] = _squash(weights[1 - side], after, after_mirrored)
    return -1


def values_plain(network: ValueNetwork, positions: PositionBatch) -> np.ndarray:
    """Value positions as the formula says, position by position and pattern by pattern: the twin of `values`.

    Returns
    -------
    (B,) float64 array
        Values from Yellow's view, -1 to 1.

    Source
    ------
    Own.
    """
    partial, offsets = network.indexing.partial.tolist(), network.indexing.offsets.tolist()
    found = []
    for tokens, active, left in zip(*(array.tolist() for array in _arrays(positions)), strict=True):
        side = left % 2
        yellow = tokens ^ active if side else active
        contents = [
            ((tokens >> (STRIDE * column)) % 64 + 1) | (yellow >> (STRIDE * column)) % 64
            for column in range(COLUMNS)
        ]
        total = 0.0
        for offset, table in zip(offsets, partial, strict=True):
            for seen in (contents, contents[::-1]):
                place = offset + sum(row[content] for row, content in zip(table, seen, strict=True))
                total += float(network.weights[side, place])
        found.append(math.tanh(total))
    return np.array(found, dtype=np.float64)


def full_indices(indexing: Indexing) -> np.ndarray:
    """Give the base-4 index of every realisable state, in the order in which their weights lie.

    Parameters
    ----------
    indexing : Indexing
        Patterns of at most 31 cells; the i-th cell of a pattern counts 4^i.

    Returns
    -------
    (states,) int64 array
        Indices below 4^L, pattern after pattern.

    Raises
    ------
    ValueError
        Patterns of more than 31 cells: their indices do not fit into 64 bits.

    Source
    ------
    Own.

    Examples
    --------
    >>> full_indices(index_patterns(np.array([[0, 1]]))).tolist()  # lower cell next, upper cell next, both filled
    [3, 14, 13, 10, 9, 6, 5]
    """
    length = indexing.patterns.shape[1]
    if length > 31:
        raise ValueError(f"patterns have {length} cells: base-4 indices of up to 31 cells fit into 64 bits")
    found = []
    for cells, partial in zip(indexing.patterns.tolist(), indexing.partial, strict=True):
        states = np.zeros(1, dtype=np.int64)
        for column in range(COLUMNS):
            here = [(4**place, cell % ROWS) for place, cell in enumerate(cells) if cell // ROWS == column]
            # One content for each view that occurs, in the order in which the views are numbered.
            _, first = np.unique(partial[column, 1:CONTENTS], return_index=True)
            shown = [
                sum(unit * cell_digit(content, row) for unit, row in here) for content in (first + 1).tolist()
            ]
            states = (np.array(shown, dtype=np.int64)[:, None] + states).ravel()
        found.append(states)
    return np.concatenate(found)
