"""Indices of a whole position at once: tables whose rows add up to where each pattern's weight lies.

Patterns and their mirror images stand side by side (K = 2 P places), so that the indices of a position are seven rows
of K small numbers added up, and those of the position after a move one row more: long additions without a branch.
"""

from typing import NamedTuple

import numpy as np

from ludometrics.connect4.bitboard import COLUMNS, RED, ROWS, YELLOW
from ludometrics.connect4.realisable import CONTENTS, Indexing


class Lookup(NamedTuple):
    """Tables from contents of columns to places in one side's weights.

    Attributes
    ----------
    rows : (7, 128, K) uint16 array
        What a column's content adds to each index.
    gains : (2, 7, 128, K) uint16 array
        What the next token of Yellow (0) or Red (1) in that column adds on top; 0 for a full column.
    offsets : (K,) uint32 array
        Where the weights of each pattern begin.
    """

    rows: np.ndarray
    gains: np.ndarray
    offsets: np.ndarray


def content_after(content: int, side: int) -> int:
    """Give a column's content after one more token of Yellow (0) or Red (1); a full column keeps its content."""
    height = content.bit_length() - 1
    if height == ROWS:
        return content
    top = 1 << height
    return 2 * top | (content - top) | (top if side == YELLOW else 0)


def build_lookup(indexing: Indexing) -> Lookup:
    """Lay the tables of a set of patterns out for the compiled trainer.

    Raises
    ------
    ValueError
        A pattern with more than 65,535 realisable states: its indices do not fit into 16 bits.
    """
    if indexing.sizes.max() > np.iinfo(np.uint16).max:
        number = int(indexing.sizes.argmax())
        raise ValueError(
            f"pattern {number} has {indexing.sizes[number]:,} realisable states: the compiled trainer takes up to"
            f" {np.iinfo(np.uint16).max:,} (shorter patterns have fewer)"
        )
    both = np.concatenate(
        [indexing.partial, indexing.partial[:, ::-1]]
    )  # the mirror image reads column 6 - c
    rows = np.ascontiguousarray(both.transpose(1, 2, 0))
    after = np.array(
        [[content_after(max(content, 1), side) for content in range(CONTENTS)] for side in (YELLOW, RED)]
    )
    gains = np.stack([rows[:, after[side]] - rows for side in (YELLOW, RED)])
    gains[:, :, 0] = 0
    # States are numbered by the height at which they appear, so one more token never leads to a smaller number.
    if gains.min() < 0 or rows.shape[0] != COLUMNS:
        raise RuntimeError("states of a pattern are not numbered by height")
    return Lookup(
        rows.astype(np.uint16), gains.astype(np.uint16), np.tile(indexing.offsets, 2).astype(np.uint32)
    )
