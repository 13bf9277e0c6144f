"""Every legal play of a roll, compiled: the boards after them, each once.

A play is held as a key of two whole numbers: four bits for the own checkers of each slot, and a bit for each blot hit.
With the board before the play this is the board after it, exactly. Hops are tried on a stack, from the rearmost
checker on; of a double the sources never go back up, which leaves each set of hops in one order only.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from ludometrics.backgammon.boards import BAR
from ludometrics.backgammon.records import SLOTS

HOME = 6
LOW_SLOTS = 16  # slots 1 to 16 in the first number of a key, 17 to 25 and the hits in the second
HIT_SHIFT = 36
#: Fifteen checkers share four hops: no double gives more boards than C(18, 4).
MOST_PLAYS = 3060
TABLE = 8192  # places of the hash table, a power of two well above MOST_PLAYS


@njit(cache=True)
def hop_to(board, source, die):
    """Where a checker from ``source`` lands: a slot above 0, 0 for off, -1 where the hop is not allowed."""
    if board[source] <= 0 or (source != BAR and board[BAR] > 0):
        return -1
    target = source - die
    if target > 0:
        return target if board[target] >= -1 else -1
    for slot in range(HOME + 1, SLOTS):
        if board[slot] > 0:
            return -1
    if target < 0:  # a higher roll than needed: only from the highest point held
        for slot in range(source + 1, HOME + 1):
            if board[slot] > 0:
                return -1
    return 0


@njit(cache=True)
def key_of(board, hits):
    """The key of a board whose hits so far are the bits of ``hits`` (bit 0: slot 1)."""
    low, high = np.uint64(0), np.uint64(hits) << np.uint64(HIT_SHIFT)
    for slot in range(1, SLOTS):
        if board[slot] > 0:
            if slot <= LOW_SLOTS:
                low |= np.uint64(board[slot]) << np.uint64(4 * (slot - 1))
            else:
                high |= np.uint64(board[slot]) << np.uint64(4 * (slot - 1 - LOW_SLOTS))
    return low, high


@njit(cache=True)
def add_key(low, high, keys, count, table, stamps, stamp):
    """Add a key to the first ``count`` of ``keys`` unless it is there; the new count."""
    mixed = (low ^ (high * np.uint64(0x9E3779B97F4A7C15))) * np.uint64(0xBF58476D1CE4E5B9)
    place = np.int64(mixed >> np.uint64(51))
    while stamps[place] == stamp:
        found = table[place]
        if keys[found, 0] == low and keys[found, 1] == high:
            return count
        place = (place + 1) & (TABLE - 1)
    stamps[place] = stamp
    table[place] = count
    keys[count, 0] = low
    keys[count, 1] = high
    return count + 1


@njit(cache=True)
def next_hop(board, below, die):
    """The rearmost checker on a slot below ``below`` that can move, and where it lands; (0, 0) for none."""
    for source in range(below - 1, 0, -1):
        target = hop_to(board, source, die)
        if target >= 0:
            return source, target
    return 0, 0


@njit(cache=True)
def make_hop(board, source, target):
    """Move a checker; whether it hits."""
    board[source] -= 1
    if target == 0:
        return False
    hit = board[target] == -1
    if hit:
        board[target] = 0
        board[0] -= 1
    board[target] += 1
    return hit


@njit(cache=True)
def undo_hop(board, source, target, hit):
    """Take back what `make_hop` did."""
    board[source] += 1
    if target > 0:
        board[target] -= 1
        if hit:
            board[target] = -1
            board[0] += 1


@njit(cache=True)
def search(board, first, second, hops, deepest, keys, count, table, stamps, stamp):
    """Add the boards after up to ``hops`` hops, the first with ``first``, the others with ``second``.

    ``deepest`` is the most hops found before: plays with fewer are left out, one with more empties the list. ``board``
    is left as it was. Returns the count of keys, the deepest, and the stamp of the table.
    """
    sources = np.zeros(5, np.int64)  # by depth: the hop being tried
    targets = np.zeros(5, np.int64)
    hit = np.zeros(5, np.bool_)
    goes_on = np.zeros(5, np.bool_)  # whether any hop was found at this depth
    depth, hits = 0, 0
    sources[0] = BAR + 1
    while depth >= 0:
        source, target = 0, 0
        if depth < hops:
            source, target = next_hop(board, sources[depth], first if depth == 0 else second)
        if source > 0:
            sources[depth], targets[depth], goes_on[depth] = source, target, True
            hit[depth] = make_hop(board, source, target)
            if hit[depth]:
                hits |= 1 << (target - 1)
            depth += 1
            goes_on[depth] = False
            sources[depth] = source + 1 if first == second else BAR + 1
            continue
        if not goes_on[depth] and depth > 0 and depth >= deepest:  # the end of a play
            if depth > deepest:
                deepest, count, stamp = depth, 0, stamp + 1
            low, high = key_of(board, hits)
            count = add_key(low, high, keys, count, table, stamps, stamp)
        depth -= 1
        if depth >= 0:
            undo_hop(board, sources[depth], targets[depth], hit[depth])
            if hit[depth]:
                hits &= ~(1 << (targets[depth] - 1))
    return count, deepest, stamp


@njit(cache=True)
def plays(board, die_1, die_2, keys, table, stamps, stamp):
    """Fill ``keys`` with the boards after every legal play; the count and the stamp of the table."""
    stamp += 1
    if die_1 == die_2:
        count, _, stamp = search(board, die_1, die_1, 4, 0, keys, 0, table, stamps, stamp)
        return count, stamp
    larger, smaller = max(die_1, die_2), min(die_1, die_2)
    count, deepest, stamp = search(board, larger, smaller, 2, 0, keys, 0, table, stamps, stamp)
    both, deepest_both, stamp = search(board, smaller, larger, 2, deepest, keys, count, table, stamps, stamp)
    if deepest == 1 and deepest_both == 1:  # only one die can be played, and the larger can
        return count, stamp
    return both, stamp


@njit(cache=True)
def count_plays(boards, dice, counts):
    """Count the plays of each row into ``counts``; rows with dice 0 keep what stands there."""
    keys = np.empty((MOST_PLAYS, 2), np.uint64)
    table = np.zeros(TABLE, np.int32)
    stamps = np.zeros(TABLE, np.int64)
    stamp = np.int64(0)
    board = np.zeros(SLOTS, np.int64)
    for row in range(len(boards)):
        if dice[row, 0] == 0:
            continue
        board[:] = boards[row]
        counts[row], stamp = plays(board, dice[row, 0], dice[row, 1], keys, table, stamps, stamp)


@njit(cache=True)
def list_plays(before, die_1, die_2):
    """The boards after every legal play, (k, 26) int8, in no order."""
    keys = np.empty((MOST_PLAYS, 2), np.uint64)
    table = np.zeros(TABLE, np.int32)
    stamps = np.zeros(TABLE, np.int64)
    board = np.zeros(SLOTS, np.int64)
    board[:] = before
    count, _ = plays(board, die_1, die_2, keys, table, stamps, np.int64(0))
    after = np.zeros((count, SLOTS), np.int8)
    for row in range(count):
        low, high = keys[row, 0], keys[row, 1]
        bar = np.int64(before[0])
        for slot in range(1, SLOTS):
            if slot <= LOW_SLOTS:
                own = np.int64((low >> np.uint64(4 * (slot - 1))) & np.uint64(15))
            else:
                own = np.int64((high >> np.uint64(4 * (slot - 1 - LOW_SLOTS))) & np.uint64(15))
            is_hit = slot < BAR and (high >> np.uint64(HIT_SHIFT + slot - 1)) & np.uint64(1)
            if is_hit:
                bar -= 1
                after[row, slot] = own
            elif before[slot] < 0:
                after[row, slot] = before[slot]
            else:
                after[row, slot] = own
        after[row, 0] = bar
    return after
