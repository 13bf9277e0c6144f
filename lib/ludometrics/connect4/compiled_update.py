"""What is learned from a batch, compiled: targets folded back, the gradient of every weight, one step of Adam."""

import numpy as np
from numba import njit

from ludometrics.connect4.compiled_play import ONE, ZERO, add_up

# Below these, moments are set to zero: they would become denormal.
TINY_MEAN, TINY_SQUARE = np.float32(1e-20), np.float32(1e-30)
HALF = np.float32(0.5)


@njit(cache=True)
def fold_target(ring, newest, horizon, board, trace):
    """Fold the target of the oldest position back from the newest one, move by move.

    With tree backup what followed counts as far as the players reckoned with would have played the same move; for the
    moves they might have played instead stand the values these had. So neither a slip nor the lack of one is put down
    to luck. Published targets follow the game as it came: every move has chance 1, and there is no rest.
    """
    size = len(ring.yellows)
    total = ring.value[newest % size, board]
    for back in range(1, horizon + 2):
        slot = (newest - back) % size
        if ring.ended[slot, board]:
            total = ring.result[slot, board]
        else:
            total = (ONE - trace) * ring.value[(newest - back + 1) % size, board] + trace * total
            total = ring.rest[slot, board] + ring.chance[slot, board] * total
    return total


@njit(cache=True)
def weigh_places(
    first,
    last,
    newest,
    horizon,
    tree_backup,
    trace,
    first_entropy,
    second_entropy,
    lookup,
    ring,
    weights,
    slope,
    sums,
):
    """Compare the network with its targets at places first to last of the oldest slot.

    `slope` gets half the derivative of the loss by the sum of weights, 0 where a position is not learned.
    `sums` collects the number learned, squared errors, values, their squares, the least and the greatest.
    """
    size = len(ring.yellows)
    slot = (newest - horizon - 1) % size
    offsets, small, states = lookup.offsets, ring.index, len(weights) // 2
    index = np.empty(len(offsets), np.uint32)
    for place in range(first, last):
        board = ring.board[slot, place]
        slope[place] = ZERO
        if ring.unused[slot, board]:
            continue
        side = 0 if place < ring.yellows[slot] else 1
        if ring.random[slot, board] and not (tree_backup or ring.ended[slot, board]):
            continue
        target = fold_target(ring, newest, horizon, board, trace)
        for k in range(len(index)):
            index[k] = offsets[k] + small[slot, place, k]
        value = np.float32(np.tanh(add_up(index, np.uint64(side * states), weights)))
        error = value - target
        entropy = second_entropy if side == 0 else first_entropy  # the side that has just moved chose by it
        slope[place] = HALF * error if entropy else error * (ONE - value * value)
        sums[0] += 1
        sums[1] += error * error
        sums[2] += value
        sums[3] += value * value
        sums[4] = min(sums[4], value)
        sums[5] = max(sums[5], value)


@njit(cache=True)
def spread_slopes(first, last, patterns, slot, factor, lookup, ring, slope, gradient, mirrored):
    """Add each position's slope to the gradient of the weights it looked up, for patterns first to last.

    Patterns and their mirror images share weights, so a group of patterns has its part of the gradient to itself. With
    `mirrored` the mirror images' weights get their part too.
    """
    yellows, states = ring.yellows[slot], np.uint64(len(gradient) // 2)
    offsets, small = lookup.offsets, ring.index
    for place in range(len(slope)):
        if slope[place] == ZERO:
            continue
        part = factor * slope[place]
        base = np.uint64(0) if place < yellows else states
        for k in range(first, last):
            gradient[base + np.uint64(offsets[k] + small[slot, place, k])] += part
        if not mirrored:
            continue
        for k in range(first + patterns, last + patterns):
            gradient[base + np.uint64(offsets[k] + small[slot, place, k])] += part


@njit(cache=True)
def sum_of_squares(numbers):
    """Sum squares, sixteen sums side by side joined in a fixed order."""
    sums = np.zeros(16, np.float32)
    whole = len(numbers) // 16
    for block in range(whole):
        for lane in range(16):
            sums[lane] += numbers[16 * block + lane] * numbers[16 * block + lane]
    for place in range(16 * whole, len(numbers)):
        sums[0] += numbers[place] * numbers[place]
    total = 0.0
    for lane in range(16):
        total += sums[lane]
    return total


@njit(cache=True)
def count_nonzero(numbers):
    """Count the numbers other than zero."""
    found = 0
    for k in range(len(numbers)):
        found += numbers[k] != ZERO
    return found


@njit(cache=True, error_model="numpy")
def step_adam(weights, mean, square, gradient, scale, beta1, beta2, rate, epsilon):
    """Move a slice of weights by one step of Adam, and clear its gradient."""
    rest1, rest2 = ONE - beta1, ONE - beta2
    for k in range(len(weights)):
        slope = gradient[k] * scale
        first = beta1 * mean[k] + rest1 * slope
        second = beta2 * square[k] + rest2 * slope * slope
        first = first if np.abs(first) > TINY_MEAN else ZERO
        second = second if second > TINY_SQUARE else ZERO
        mean[k], square[k], gradient[k] = first, second, ZERO
        weights[k] -= rate * first / (np.sqrt(second) + epsilon)


@njit(cache=True)
def step_average(average, weights, share):
    """Move a slice of averaged weights a share of the way towards the weights."""
    for k in range(len(average)):
        average[k] += share * (weights[k] - average[k])
