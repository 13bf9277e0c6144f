"""Numbers for the states of a pattern that gravity allows: a dense index from what the columns hold.

A cell is 0 empty and out of reach, 1 yellow, 2 red, 3 empty and next to be filled. Eight cells would give 4^8 = 65,536
states, but tokens do not float: within a column only what some of its 127 contents (0 to 6 tokens, each of two
colours) shows can occur. The states of a pattern are the product of those of its columns, so an index is a sum of at
most seven numbers, one from each column's content.
"""

from typing import NamedTuple

import numpy as np

from ludometrics.connect4.bitboard import COLUMNS, ROWS
from ludometrics.connect4.patterns import check_patterns

CONTENTS = 1 << (ROWS + 1)  # codes of a column's content are 1 to 127; 0 is not used
EMPTY, YELLOW_TOKEN, RED_TOKEN, REACHABLE = 0, 1, 2, 3


class Indexing(NamedTuple):
    """How positions find their weights.

    Attributes
    ----------
    patterns : (P, L) int8 array
        Cells, 6 column + row.
    partial : (P, 7, 128) int32 array
        What a column's content adds to a pattern's index; 0 where the pattern has no cell in that column.
    sizes : (P,) int32 array
        Number of realisable states of each pattern.
    offsets : (P,) int32 array
        Where a pattern's weights begin within one side's table.
    touched : (P, 7) bool array
        Whether the pattern has a cell in the column.
    """

    patterns: np.ndarray
    partial: np.ndarray
    sizes: np.ndarray
    offsets: np.ndarray
    touched: np.ndarray

    @property
    def states(self) -> int:
        """Number of weights of one side to move: the realisable states of all patterns."""
        return int(self.sizes.sum())


def cell_digit(content: int, row: int) -> int:
    """Give what a cell shows (0 to 3) when its column holds this content (1 to 127)."""
    height = content.bit_length() - 1
    if row > height:
        return EMPTY
    if row == height:
        return REACHABLE
    return YELLOW_TOKEN if content >> row & 1 else RED_TOKEN


def index_patterns(patterns: np.ndarray) -> Indexing:
    """Number the realisable states of each pattern.

    Within a column the views that occur are numbered in the order of the smallest content that shows them; the first
    column of the pattern counts fastest.

    Parameters
    ----------
    patterns : (P, L) int array
        Cells, 6 column + row, each 0 to 41, no cell twice in a pattern.

    Returns
    -------
    Indexing
        Tables from contents to indices.

    Raises
    ------
    ValueError
        Cells outside the board or doubled, or more states than int32 can number.

    Source
    ------
    Own.

    Examples
    --------
    >>> index_patterns(np.array([[0, 1]])).sizes  # two cells of one column: 4 x 4 = 16 states, of which 7 can occur
    array([7], dtype=int32)
    """
    patterns = check_patterns(patterns)
    count = len(patterns)
    partial = np.zeros((count, COLUMNS, CONTENTS), dtype=np.int64)
    touched = np.zeros((count, COLUMNS), dtype=bool)
    sizes = np.ones(count, dtype=np.int64)
    total = 0
    for number, cells in enumerate(patterns.tolist()):
        for column in range(COLUMNS):
            rows = [cell % ROWS for cell in cells if cell // ROWS == column]
            if not rows:
                continue
            touched[number, column] = True
            views: dict[tuple[int, ...], int] = {}
            for content in range(1, CONTENTS):
                view = tuple(cell_digit(content, row) for row in rows)
                partial[number, column, content] = views.setdefault(view, len(views)) * sizes[number]
            sizes[number] *= len(views)
        total += int(sizes[number])
        if total > np.iinfo(np.int32).max:
            raise ValueError(
                f"patterns 0 to {number} have {total:,} states: more than a table of int32 indices holds"
            )
    offsets = np.cumsum(sizes) - sizes
    small = (array.astype(np.int32) for array in (partial, sizes, offsets))
    return Indexing(patterns, *small, touched)


def full_digits(patterns: np.ndarray, contents: np.ndarray) -> np.ndarray:
    """Give the base-4 index of each pattern in each position: the plain form, 4^L entries a pattern.

    Parameters
    ----------
    patterns : (P, L) int array
        Cells; the i-th counts 4^i.
    contents : (B, 7) int array
        What each column of each position holds, 1 to 127.

    Returns
    -------
    (B, P) int64 array
        Indices below 4^L.
    """
    digits = np.array(
        [[cell_digit(content, row) for row in range(ROWS)] for content in range(1, CONTENTS)], dtype=np.int64
    )
    cells = np.asarray(patterns, dtype=np.int64)
    shown = digits[np.asarray(contents)[:, cells // ROWS] - 1, cells % ROWS]  # (B, P, L)
    return (shown << (2 * np.arange(cells.shape[1]))).sum(axis=2)
