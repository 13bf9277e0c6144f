"""One move on every board of a batch, compiled: what may be played, what the network thinks of it, what is played."""

from typing import NamedTuple

import numpy as np
from numba import njit

from ludometrics.connect4.bitboard import (
    BOTTOM,
    CELLS,
    COLUMN,
    COLUMNS,
    PLAYABLE,
    STRIDE,
    has_four,
    non_losing_squares,
    winning_squares,
)

ONE, ZERO = np.float32(1), np.float32(0)
TIE_NOISE = np.float32(1e-4)  # values nearer than this are told apart by lot


class Boards(NamedTuple):
    """The games in play, (B,) arrays: int64, and float32 the value that the position was given when it was chosen.

    `opening` counts the random plies still to come.
    """

    tokens: np.ndarray
    yellow: np.ndarray
    left: np.ndarray
    opening: np.ndarray
    value: np.ndarray


class Ring(NamedTuple):
    """What is remembered of the last R positions of every board, until their targets are known.

    Attributes
    ----------
    board : (R, B) int32 array
        Which board stands at a place: those with Yellow to move come first.
    yellows : (R,) int64 array
        How many have Yellow to move.
    index : (R, B, K) uint16 array
        Indices of the position, by place.
    value : (R, B) float32 array
        Value of the position for targets that rest on it, by board like all that follow.
    chance : (R, B) float32 array
        How probable the move played is for the players that tree backup reckons with; 1 without tree backup, or where
        it was the only one.
    rest : (R, B) float32 array
        The values of the other moves' afterstates, each times its probability, added up.
    result : (R, B) float32 array
        1, 0, -1 for Yellow where the game ended with the move from this position.
    ended, random, unused : (R, B) bool arrays
        Whether it ended; whether the move was exploratory; whether the position is not to be learned.
    """

    board: np.ndarray
    yellows: np.ndarray
    index: np.ndarray
    value: np.ndarray
    chance: np.ndarray
    rest: np.ndarray
    result: np.ndarray
    ended: np.ndarray
    random: np.ndarray
    unused: np.ndarray


class PlayRule(NamedTuple):
    """How moves are chosen. `lookahead` settles wins and losses of the next tokens.

    With `use_target` positions get the target network's value, else the online network's when they were chosen.
    `tree_backup` has every move weighed, for players who err as often as `first_errors` and `second_errors` say.
    Each player chooses by values with up to `first_blur` or `second_blur` added at random.
    """

    lookahead: bool
    tree_backup: bool
    first_errors: float
    second_errors: float
    first_blur: float
    second_blur: float
    use_target: bool
    opening_share: float
    opening_plies: int


@njit(cache=True)
def scrambled(number):
    """Mix the bits of a 64-bit number (splitmix64 of Steele, Lea and Flood, 2014)."""
    number = (number ^ (number >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    number = (number ^ (number >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return number ^ (number >> np.uint64(31))


@njit(cache=True)
def draw(seed, step, board, purpose):
    """Draw 64 random bits that depend on nothing but the seed, the step, the board and what they are for.

    No thread and no order of work changes them.
    """
    key = seed + np.uint64(step) * np.uint64(0x9E3779B97F4A7C15)
    key = scrambled(key) + np.uint64(board) * np.uint64(0xD1342543DE82EF95) + np.uint64(purpose)
    return scrambled(key)


@njit(cache=True)
def uniform(bits):
    """Turn random bits into a number from 0 up to 1."""
    return np.float64(bits >> np.uint64(11)) * (1.0 / 9007199254740992.0)


@njit(cache=True)
def lot(bits, column):
    """Turn nine of 63 random bits, those of a column, into a number from 0 up to 1."""
    return np.float32((bits >> np.uint64(9 * column)) & np.uint64(511)) / np.float32(512)


@njit(cache=True)
def add_up(index, base, weights):
    """Sum the weights at these places from `base` on; four sums side by side, joined in a fixed order."""
    first = second = third = fourth = ZERO
    whole = len(index) // 4
    for block in range(whole):
        place = 4 * block
        first += weights[base + np.uint64(index[place])]
        second += weights[base + np.uint64(index[place + 1])]
        third += weights[base + np.uint64(index[place + 2])]
        fourth += weights[base + np.uint64(index[place + 3])]
    for place in range(4 * whole, len(index)):
        first += weights[base + np.uint64(index[place])]
    return (first + second) + (third + fourth)


@njit(cache=True)
def line_up(left, board, slot):
    """Write the boards with Yellow to move first, then the others; give how many there are of the first."""
    yellows = 0
    for number in range(len(left)):
        if left[number] & 1 == 0:
            board[slot, yellows] = number
            yellows += 1
    place = yellows
    for number in range(len(left)):
        if left[number] & 1:
            board[slot, place] = number
            place += 1
    return yellows


@njit(cache=True)
def nth_column(squares, rank):
    """Give the column of the rank-th landing square, counted from the left."""
    for column in range(COLUMNS):
        if squares & (COLUMN << (STRIDE * column)):
            if rank == 0:
                return column
            rank -= 1
    return -1


@njit(cache=True)
def count_columns(squares):
    """Count the columns that hold a landing square."""
    found = 0
    for column in range(COLUMNS):
        if squares & (COLUMN << (STRIDE * column)):
            found += 1
    return found


@njit(cache=True)
def find_indices(held, rows, offsets, slot, place, small, index):
    """Add the rows of a position's seven contents up: the indices of all patterns, kept in the ring as well."""
    c0, c1, c2, c3, c4, c5, c6 = held[0], held[1], held[2], held[3], held[4], held[5], held[6]
    for k in range(len(index)):
        small[slot, place, k] = (
            rows[0, c0, k]
            + rows[1, c1, k]
            + rows[2, c2, k]
            + rows[3, c3, k]
            + rows[4, c4, k]
            + rows[5, c5, k]
            + rows[6, c6, k]
        )
    for k in range(len(index)):
        index[k] = offsets[k] + small[slot, place, k]


@njit(cache=True)
def weigh_move(column, content, side, index, gains, after, weights, states):
    """Give the network's value of the position after a token of `side` in a column: one more row on the indices."""
    for k in range(len(index)):
        after[k] = index[k] + gains[side, column, content, k]
    return np.float32(np.tanh(add_up(after, np.uint64((1 - side) * states), weights)))


@njit(cache=True)
def share_out(errors, allowed, greedy, chosen, values):
    """Give the probability of the chosen move, and the values of the others times theirs, added up.

    A player plays the greedy move, but errs with probability `errors` and then plays any allowed one.
    """
    each = errors / np.float32(count_columns(allowed))
    chance = rest = ZERO
    for column in range(COLUMNS):
        if allowed & (COLUMN << (STRIDE * column)):
            share = each + (ONE - errors if column == greedy else ZERO)
            if column == chosen:
                chance = share
            else:
                rest += share * values[column]
    return chance, rest


@njit(cache=True)
def play_places(first, last, step, seed, epsilon, rule, lookup, boards, ring, slot, weights, target, sums):
    """Choose and play a move at places first to last of a slot; what has to be remembered goes into the ring.

    `epsilon` is the share of random moves; `weights` and `target` are flat: Yellow's half, then Red's. `sums` collects
    games ended, won by Yellow, won by Red, random moves, moves left.
    """
    width = len(lookup.offsets)
    states = len(weights) // 2
    index = np.empty(width, np.uint32)
    after = np.empty(width, np.uint32)
    held = np.empty(COLUMNS, np.int64)
    values = np.empty(COLUMNS, np.float32)
    rows, gains, offsets, small = lookup.rows, lookup.gains, lookup.offsets, ring.index
    for place in range(first, last):
        number = ring.board[slot, place]
        tokens, yellow = boards.tokens[number], boards.yellow[number]
        side = boards.left[number] & 1
        own = yellow if side == 0 else tokens ^ yellow
        sign = ONE if side == 0 else -ONE
        for column in range(COLUMNS):
            shift = STRIDE * column
            held[column] = (((tokens >> shift) & COLUMN) + 1) | ((yellow >> shift) & COLUMN)
        find_indices(held, rows, offsets, slot, place, small, index)
        if rule.use_target:
            value = np.float32(np.tanh(add_up(index, np.uint64(side * states), target)))
        else:
            value = boards.value[number]
        ring.value[slot, number] = value
        sums[4] += boards.left[number]

        landing = (tokens + BOTTOM) & PLAYABLE
        wins = winning_squares(own, tokens) & landing
        allowed = landing
        certain = 0  # 1: the side to move wins at once; -1: it cannot stop the other side's next token
        if wins:
            certain, allowed = 1, wins
        elif rule.lookahead:
            safe = non_losing_squares(own, tokens)
            if safe:
                allowed = safe
            else:
                certain = -1
        ring.ended[slot, number] = False
        ring.random[slot, number] = False
        ring.unused[slot, number] = False
        ring.result[slot, number] = ZERO
        ring.chance[slot, number], ring.rest[slot, number] = ONE, ZERO
        if rule.lookahead and certain != 0:
            # The agent settles such positions by looking, so the game may stop here. One in which the side to move
            # wins at once is never weighed by the network; one that is lost at the next token has to be.
            ring.ended[slot, number] = True
            ring.result[slot, number] = sign * certain
            ring.unused[slot, number] = certain == 1
            restart(number, step, seed, rule, boards)
            sums[0] += 1
            sums[1 if sign * certain > 0 else 2] += 1
            continue

        opening = boards.opening[number] > 0
        single = (allowed & (allowed - 1)) == 0
        explores = opening or uniform(draw(seed, step, number, 1)) < epsilon
        if single and allowed == landing:
            explores = False  # nothing to explore
        weighed = not single and certain == 0 and not opening and (rule.tree_backup or not explores)
        chosen, greedy, best, best_blurred = -1, -1, np.float32(-9), np.float32(-9)
        if weighed:
            bits, blur_bits = draw(seed, step, number, 6), draw(seed, step, number, 7)
            blur = np.float32(rule.first_blur if side == 0 else rule.second_blur)
            for column in range(COLUMNS):
                if allowed & (COLUMN << (STRIDE * column)):
                    value = weigh_move(column, held[column], side, index, gains, after, weights, states)
                    values[column] = value
                    worth = sign * value + TIE_NOISE * lot(bits, column)
                    blurred = worth + blur * lot(blur_bits, column)
                    if worth > best:
                        greedy, best = column, worth
                    if blurred > best_blurred:
                        chosen, best_blurred = column, blurred
        elif not explores:
            rank = np.int64(draw(seed, step, number, 2) % np.uint64(count_columns(allowed)))
            chosen = nth_column(allowed, rank)  # the only move, or one of several wins
        if explores:
            pool = allowed if rule.lookahead else landing
            rank = np.int64(draw(seed, step, number, 3) % np.uint64(count_columns(pool)))
            chosen = nth_column(pool, rank)
            ring.random[slot, number] = not (rule.lookahead and single)
            sums[3] += 1
        ring.unused[slot, number] = opening
        if rule.tree_backup and weighed:
            errors = np.float32(rule.first_errors if side == 0 else rule.second_errors)
            ring.chance[slot, number], ring.rest[slot, number] = share_out(
                errors, allowed, greedy, chosen, values
            )
        square = landing & (COLUMN << (STRIDE * chosen))
        tokens |= square
        own |= square
        if side == 0:
            yellow |= square
        boards.left[number] -= 1
        won = has_four(own)
        if won or boards.left[number] == 0:
            result = sign if won else ZERO
            ring.ended[slot, number] = True
            ring.result[slot, number] = result
            restart(number, step, seed, rule, boards)
            sums[0] += 1
            if won:
                sums[1 if result > 0 else 2] += 1
            continue
        boards.tokens[number], boards.yellow[number] = tokens, yellow
        if opening:
            boards.opening[number] -= 1
        if not rule.use_target:
            if weighed and allowed & square:
                boards.value[number] = values[chosen]
            else:
                boards.value[number] = weigh_move(
                    chosen, held[chosen], side, index, gains, after, weights, states
                )


@njit(cache=True)
def restart(number, step, seed, rule, boards):
    """Begin a new game on a board, some of them with a few random plies."""
    boards.tokens[number] = 0
    boards.yellow[number] = 0
    boards.left[number] = CELLS
    boards.opening[number] = 0
    if rule.opening_share > 0 and uniform(draw(seed, step, number, 4)) < rule.opening_share:
        boards.opening[number] = 1 + np.int64(draw(seed, step, number, 5) % np.uint64(rule.opening_plies))
