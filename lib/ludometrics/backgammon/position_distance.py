"""How far apart two positions are: the checker pips that it takes to turn one into the other.

Each side's 15 checkers lie in 26 slots, 0 borne off, 1 to 24 its own points from its ace point, 25 its bar; both are
taken as the player who decides sees them. The distance is the least sum of pips that turns one arrangement into the
other, both sides together, which along a line is the sum of the absolute differences of the prefix sums. It is a whole
number; one roll is 8 to 16 of them. Dice, cube and score do not enter.

Source: the distance that blunderDB calls "like" (github.com/kevung/blunderDB, `similarity`); the transport distance on
a line, S. S. Vallender, Theory of Probability and its Applications 18, 784 (1974).
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numba import njit

from ludometrics.backgammon.records import CHECKERS, SLOTS

SIDES = 2 * SLOTS


def prefix_sums(boards: np.ndarray) -> np.ndarray:
    """What distances are taken from.

    Parameters
    ----------
    boards : (n, 26) int

    Returns
    -------
    (n, 52) int16
        Checkers in the slots 0 to i of the player, then of the other.

    Raises
    ------
    ValueError
        Not 26 columns, or more than 15 checkers of a side.
    """
    boards = np.asarray(boards, dtype=np.int64)
    if boards.ndim != 2 or boards.shape[1] != SLOTS:
        raise ValueError(f"boards have the shape {boards.shape}, allowed is (n, {SLOTS})")
    sides = np.stack([np.maximum(boards, 0), np.maximum(-boards[:, ::-1], 0)], axis=1)
    most = int(sides.sum(axis=2).max(initial=0))
    if most > CHECKERS:
        raise ValueError(f"{most} checkers of one side, allowed are {CHECKERS}")
    sides[:, :, 0] = CHECKERS - sides.sum(axis=2)
    return sides.cumsum(axis=2).reshape(len(boards), SIDES).astype(np.int16)


def distance(board: Sequence[int], other_board: Sequence[int]) -> int:
    """Checker pips between two positions, each seen by the player who decides.

    Examples
    --------
    >>> start = [0, -2, 0, 0, 0, 0, 5, 0, 3, 0, 0, 0, -5, 5, 0, 0, 0, -3, 0, -5, 0, 0, 0, 0, 2, 0]
    >>> moved = list(start)
    >>> moved[13], moved[10], moved[24], moved[18] = 4, 1, 1, 1  # 13/10 24/18
    >>> distance(start, moved), distance(moved, moved)
    (9, 0)
    """
    first, second = prefix_sums([board, other_board]).astype(np.int64)
    return int(np.abs(first - second).sum())


def distances_from(prefixes: np.ndarray, row: int) -> np.ndarray:
    """(n,) int: distance of each position, given by its `prefix_sums` (n, 52), to the one at ``row``."""
    return np.abs(prefixes.astype(np.int64) - prefixes[row]).sum(axis=1)


def neighbours(prefixes: np.ndarray, groups: np.ndarray, most: int) -> tuple[np.ndarray, np.ndarray]:
    """For each position the others of its group at most ``most`` pips away.

    Parameters
    ----------
    prefixes : (n, 52) int16
        `prefix_sums`.
    groups : (n,) int
        Positions of different groups are never neighbours.
    most : int
        Checker pips, inclusive.

    Returns
    -------
    start : (n + 1,) int64
    neighbour : (k,) int64
        Those of position i are neighbour[start[i] : start[i + 1]], in ascending order; i itself is not among them.
    """
    prefixes = np.ascontiguousarray(prefixes, dtype=np.int16)
    # A distance is at least the difference of the player's pips: sorted by them, a search soon stops.
    pips = prefixes[:, :SLOTS].sum(axis=1, dtype=np.int64)
    order = np.lexsort((np.arange(len(pips)), pips, groups))
    arguments = prefixes[order], np.asarray(groups)[order].astype(np.int64), pips[order], int(most)
    counts = np.zeros(len(pips), dtype=np.int64)
    nowhere = np.zeros(0, dtype=np.int64)
    _link(*arguments, counts, nowhere, nowhere)
    starts = np.concatenate([[0], np.cumsum(counts)]).astype(np.int64)
    found = np.empty(starts[-1], dtype=np.int64)
    _link(*arguments, np.zeros_like(counts), starts, found)
    # Back from the order of the search to that of the positions.
    owner = order[np.repeat(np.arange(len(pips)), counts)]
    neighbour = order[found]
    by_owner = np.lexsort((neighbour, owner))
    start = np.concatenate([[0], np.cumsum(np.bincount(owner, minlength=len(pips)))]).astype(np.int64)
    return start, neighbour[by_owner]


def neighbours_plain(prefixes: np.ndarray, groups: np.ndarray, most: int) -> list[list[int]]:
    """The same as `neighbours`, every pair measured: lists of neighbours."""
    lists = []
    for row in range(len(prefixes)):
        near = (distances_from(prefixes, row) <= most) & (np.asarray(groups) == groups[row])
        lists.append([int(other) for other in np.flatnonzero(near) if other != row])
    return lists


@njit(cache=True)
def _link(prefixes, groups, pips, most, counts, starts, found):  # pragma: no cover - compiled
    """Count the neighbours of each; with ``starts`` of length n + 1 also write them into ``found``."""
    write = len(starts) > 0
    for row in range(len(prefixes)):
        for other in range(row + 1, len(prefixes)):
            if groups[other] != groups[row] or pips[other] - pips[row] > most:
                break
            total = 0
            for slot in range(prefixes.shape[1]):
                total += abs(prefixes[row, slot] - prefixes[other, slot])
                if total > most:
                    break
            if total <= most:
                if write:
                    found[starts[row] + counts[row]] = other
                    found[starts[other] + counts[other]] = row
                counts[row] += 1
                counts[other] += 1
