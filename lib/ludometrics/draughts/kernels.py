"""Compiled moves, perft, search and games on the spread bit layout (drawn in `layout`).

A position in here is four values: pieces of the side to move, pieces of the other side, kings of both, and
whether Black is to move. `write_moves` writes one row a legal move; a row is the position after the move and
a code from which `rules.decode` reads the path::

    row[OWN]    pieces of the side that moved       row[KINGS]  kings of both
    row[OTHER]  pieces of the other side            row[CODE]   first square and directions

Each jump route is a move, so two routes with one result are two rows, the convention of the published
perft counts (A. Bik 2009, M. Fierz 2009).

All compiled functions stand in this one file on purpose: numba's cache notices an edit of the file a function
stands in, not one of the functions that it calls.
"""

import numpy as np
from llvmlite import ir
from numba import njit, types
from numba.extending import intrinsic

from ludometrics.draughts.layout import BOARD, BOTTOM_ROW, ROW_FOURS, ROW_ONES, ROW_TWOS, TOP_ROW

OWN, OTHER, KINGS, CODE = 0, 1, 2, 3
MAN, KING, ADVANCE = 100, 160, 2  # evaluation; ADVANCE for each row a man has gone from its own side
WIN = 1_000_000
NO_MOVE, REPETITION, QUIET, CAP = 0, 1, 2, 3  # indices into rules.REASONS
# One piece has at most 16 routes, twelve have at most 192, and plain moves number at most 4 * 12 (a test counts
# the routes through a board full of enemies), so no position fills a table of moves.
MAX_MOVES = 256


@intrinsic
def count_bits(typingctx, value):
    """Number of set bits of an int64."""

    def codegen(context, builder, signature, args):
        return builder.ctpop(args[0])

    return types.int64(types.int64), codegen


@intrinsic
def lowest_bit(typingctx, value):
    """Index of the lowest set bit of an int64 that is not zero."""

    def codegen(context, builder, signature, args):
        return builder.cttz(args[0], ir.Constant(ir.IntType(1), 1))

    return types.int64(types.int64), codegen


@njit(cache=True, nogil=True)
def jumpers(own, other, kings, black):
    """Pieces of the side to move that can capture."""
    empty = BOARD ^ (own | other)
    down = own if black else own & kings
    up = own & kings if black else own
    down &= ((other >> 4) & (empty >> 8)) | ((other >> 5) & (empty >> 10))
    up &= ((other << 4) & (empty << 8)) | ((other << 5) & (empty << 10))
    return down | up


@njit(cache=True, nogil=True)
def has_move(own, other, kings, black):
    """Whether the side to move has any legal move."""
    empty = BOARD ^ (own | other)
    down = own if black else own & kings
    up = own & kings if black else own
    if down & ((empty >> 4) | (empty >> 5)) or up & ((empty << 4) | (empty << 5)):
        return True
    return jumpers(own, other, kings, black) != 0


@njit(cache=True, nogil=True)
def _step(bit, direction):
    """The neighbouring bit: 0 down-left, 1 down-right, 2 up-left, 3 up-right."""
    if direction == 0:
        return bit << 4
    if direction == 1:
        return bit << 5
    if direction == 2:
        return bit >> 5
    return bit >> 4


@njit(cache=True, nogil=True)
def _write_jumps(rows, count, start, own, other, kings, black):
    """Write every route of the capturing piece at bit `start`; returns the new count of rows.

    Depth first without recursion (numba may crash on a recursive function loaded from its cache): the
    directions taken so far are the stack. Jumped pieces are taken off at once; a landing square is never a jumped
    square, for their rows differ in parity, so no way opens that removal at the end of the move would
    leave shut. The first square counts as empty.
    """
    is_king = start & kings != 0
    first = 0 if black or is_king else 2
    last = 4 if is_king or not black else 2
    crown = 0 if is_king else (BOTTOM_ROW if black else TOP_ROW)
    own ^= start
    empty = BOARD ^ (own | other)
    kings_before = kings
    at, left, route, jumps, direction = start, other, 0, 0, first
    went_on = 0  # bit j: a jump was found after j jumps
    while True:
        while direction < last:
            victim = _step(at, direction)
            if victim & left and _step(victim, direction) & empty:
                break
            direction += 1
        if direction < last:
            went_on |= 1 << jumps
            left ^= victim
            at = _step(victim, direction)
            route |= direction << 2 * jumps
            jumps += 1
            went_on &= ~(1 << jumps)
            direction = last if at & crown else first  # a man that is crowned stops
            continue
        if not went_on >> jumps & 1:
            rows[count, OWN] = own | at
            rows[count, OTHER] = left
            rows[count, KINGS] = kings_before & (own | left) | (at if is_king else at & crown)
            rows[count, CODE] = lowest_bit(start) | jumps << 6 | route << 10
            count += 1
        if jumps == 0:
            return count
        jumps -= 1
        direction = route >> 2 * jumps & 3
        route ^= direction << 2 * jumps
        victim = _step(at, 3 - direction)
        at = _step(victim, 3 - direction)
        left |= victim
        direction += 1


@njit(cache=True, nogil=True)
def write_moves(rows, own, other, kings, black):
    """Write the position after each legal move into rows (MAX_MOVES, 4) and return how many there are."""
    count = 0
    movers = jumpers(own, other, kings, black)
    if movers:
        while movers:
            bit = movers & -movers
            movers ^= bit
            count = _write_jumps(rows, count, bit, own, other, kings, black)
        return count
    empty = BOARD ^ (own | other)
    down = own if black else own & kings
    up = own & kings if black else own
    crown = BOTTOM_ROW if black else TOP_ROW
    for direction in range(4):
        movers = (down if direction < 2 else up) & _step(empty, 3 - direction)
        while movers:
            bit = movers & -movers
            movers ^= bit
            land = _step(bit, direction)
            rows[count, OWN] = own ^ bit ^ land
            rows[count, OTHER] = other
            rows[count, KINGS] = kings ^ bit ^ land if kings & bit else kings | (land & crown)
            rows[count, CODE] = lowest_bit(bit) | direction << 10
            count += 1
    return count


@njit(cache=True, nogil=True)
def count_leaves(stack, own, other, kings, black, depth):
    """Perft: number of move sequences of `depth` plies (1 or more), every one of them played out."""
    at = np.zeros(depth, np.int64)
    counts = np.zeros(depth, np.int64)
    counts[0] = write_moves(stack[0], own, other, kings, black)
    ply, leaves = 0, 0
    while ply >= 0:
        if ply == depth - 1:
            leaves += counts[ply]
            ply -= 1
        elif at[ply] == counts[ply]:
            ply -= 1
        else:
            row = stack[ply, at[ply]]
            at[ply] += 1
            ply += 1
            counts[ply] = write_moves(stack[ply], row[OTHER], row[OWN], row[KINGS], black != (ply % 2 == 1))
            at[ply] = 0
    return leaves


@njit(cache=True, nogil=True)
def evaluate(own, other, kings, black):
    """Score of a position for the side to move: man 100, king 160, +2 for each row a man has gone."""
    men, their_men = own & ~kings, other & ~kings
    down, up = (men, their_men) if black else (their_men, men)
    score = MAN * (count_bits(down) - count_bits(up)) - 7 * ADVANCE * count_bits(up)
    score += ADVANCE * (count_bits(down & ROW_ONES) + count_bits(up & ROW_ONES))
    score += ADVANCE * 2 * (count_bits(down & ROW_TWOS) + count_bits(up & ROW_TWOS))
    score += ADVANCE * 4 * (count_bits(down & ROW_FOURS) + count_bits(up & ROW_FOURS))
    score = score if black else -score
    return score + KING * (count_bits(own & kings) - count_bits(other & kings))


@njit(cache=True, nogil=True)
def best_row(stack, frames, count, black, depth):
    """Index of the first row of stack[0] with the highest alpha-beta value at `depth` plies (1 or more).

    The `count` rows of stack[0] are the moves of the side `black` in the order they are tried. A later move
    replaces an earlier one only if it is strictly better, so shuffled rows break ties evenly. The search knows nothing
    of repetitions, of the 40-move rule or of the cap. Written as a loop over frames of (alpha, beta, next row,
    rows): numba may crash on a recursive function loaded from its cache.
    """
    frames[0, 0], frames[0, 1], frames[0, 2], frames[0, 3] = -WIN - 1, WIN + 1, 0, count
    ply, best = 0, 0
    while True:
        frame = frames[ply]
        if frame[2] < frame[3] and frame[0] < frame[1]:
            row = stack[ply, frame[2]]
            frame[2] += 1
            mover_is_black = black != (ply % 2 == 1)
            own, other, kings = row[OTHER], row[OWN], row[KINGS]  # of the side that answers
            if ply == depth - 1:
                if has_move(own, other, kings, not mover_is_black):
                    score = -evaluate(own, other, kings, not mover_is_black)
                else:
                    score = WIN - ply  # a nearer win is better
            else:
                answers = write_moves(stack[ply + 1], own, other, kings, not mover_is_black)
                if answers:
                    ply += 1
                    frames[ply, 0], frames[ply, 1] = -frame[1], -frame[0]
                    frames[ply, 2], frames[ply, 3] = 0, answers
                    continue
                score = WIN - ply
        elif ply == 0:
            return best
        else:
            score = -frame[0]
            ply -= 1
        if score > frames[ply, 0]:
            frames[ply, 0] = score
            if ply == 0:
                best = frames[0, 2] - 1


@njit(cache=True, nogil=True)
def uniform(state):
    """Next number in [0, 1) of a stream, by splitmix64 (Steele, Lea and Flood 2014)."""
    state[0] += np.uint64(0x9E3779B97F4A7C15)
    z = state[0]
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    z = z ^ (z >> np.uint64(31))
    return np.float64(z >> np.uint64(11)) * 2.0**-53


@njit(cache=True, nogil=True)
def choose_row(stack, frames, state, count, black, depth, chance):
    """Index of the row of stack[0] that a level plays; shuffles the rows.

    Numbers drawn from the stream: none for a forced move; one for a move at depth 0; else one for carelessness if
    `chance` > 0, then one more for a careless move, or count - 1 to shuffle before a search.
    """
    if count == 1:
        return 0
    if depth == 0 or (chance > 0.0 and uniform(state) < chance):
        return int(uniform(state) * count)
    rows = stack[0]
    for i in range(count - 1, 0, -1):
        j = int(uniform(state) * (i + 1))
        for k in range(4):
            rows[i, k], rows[j, k] = rows[j, k], rows[i, k]
    return best_row(stack, frames, count, black, depth)


@njit(cache=True, nogil=True)
def is_repeated(history, ply, quiet, times):
    """Whether the position at `ply` of the history stands for at least the `times`-th time."""
    seen = 1
    for earlier in range(ply - 2, ply - quiet - 1, -2):
        if (
            history[earlier, 0] == history[ply, 0]
            and history[earlier, 1] == history[ply, 1]
            and history[earlier, 2] == history[ply, 2]
        ):
            seen += 1
    return seen >= times


@njit(cache=True, nogil=True)
def play(stack, frames, history, codes, state, start, depths, chances, rules):
    """Play one game; returns (score of Black, index of the reason, plies).

    start: int64 (4,) black, white, kings, 1 if Black is to move. depths, chances: (2,) of Black and White.
    rules: int64 (3,) repetitions, quiet plies, ply cap; 0 is off. history (plies + 1, 3) and codes (plies,)
    are filled with the positions (black, white, kings) and the moves.
    """
    history[0, 0], history[0, 1], history[0, 2] = start[0], start[1], start[2]
    ply, quiet = 0, 0
    while True:
        black = (start[3] == 1) != (ply % 2 == 1)
        side = 0 if black else 1
        own, other, kings = history[ply, side], history[ply, 1 - side], history[ply, 2]
        if rules[0] > 0 and is_repeated(history, ply, quiet, rules[0]):
            return 0.5, REPETITION, ply
        capped = rules[2] > 0 and ply >= rules[2]
        count = 0 if capped else write_moves(stack[0], own, other, kings, black)
        if count == 0 and not capped:
            return float(side), NO_MOVE, ply
        if rules[1] > 0 and quiet >= rules[1]:
            return 0.5, QUIET, ply
        if capped:
            return 0.5, CAP, ply
        i = choose_row(stack, frames, state, count, black, depths[side], chances[side])
        row = stack[0, i]
        mover = own & ~row[OWN]  # empty when a king comes back to its first square
        quiet = quiet + 1 if row[OTHER] == other and mover & kings else 0
        codes[ply] = row[CODE]
        ply += 1
        history[ply, side], history[ply, 1 - side], history[ply, 2] = row[OWN], row[OTHER], row[KINGS]


@njit(cache=True, nogil=True)
def play_batch(stack, frames, history, codes, start, depths, chances, seeds, rules, outcomes, reasons, plies):
    """Play one game a seed; depths and chances are (n, 2). Fills outcomes, reasons and plies, each (n,)."""
    state = np.empty(1, np.uint64)
    for game in range(len(seeds)):
        state[0] = seeds[game]
        outcomes[game], reasons[game], plies[game] = play(
            stack, frames, history, codes, state, start, depths[game], chances[game], rules
        )


def new_stack(depth: int) -> np.ndarray:
    """Work space for a search of `depth` plies, int64 (depth + 1, MAX_MOVES, 4)."""
    return np.empty((depth + 1, MAX_MOVES, 4), dtype=np.int64)
