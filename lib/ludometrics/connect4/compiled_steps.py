"""Steps of the compiled trainer on all cores: play a move everywhere, learn from the oldest position, again and again.

Work is cut into pieces that do not depend on the number of threads: places of the batch for play and values, groups of
patterns for the gradient, slices of weights for Adam. Within a piece the order is fixed and no two pieces write to the
same place, so one thread and many give the same bits.
"""

from typing import NamedTuple

import numpy as np
from numba import njit, prange

from ludometrics.connect4.compiled_lookup import Lookup
from ludometrics.connect4.compiled_play import ONE, Boards, PlayRule, Ring, line_up, play_places
from ludometrics.connect4.compiled_update import (
    count_nonzero,
    spread_slopes,
    step_adam,
    step_average,
    sum_of_squares,
    weigh_places,
)

PLACES = 64  # boards of a piece of work
GROUP = 8  # patterns of a piece
SLICE = 16_384  # weights of a piece
# What a call adds up: games ended, won by Yellow and by Red, random moves, moves left, positions learned, squared
# errors, values of these positions (sum, sum of squares, least, greatest), gradient norms where they are clipped; and
# the number of weights with a gradient in the last step.
TOTALS = (
    "games",
    "yellow_wins",
    "red_wins",
    "random",
    "moves_left",
    "learned",
    "squared_error",
    "value",
    "value_squared",
    "value_min",
    "value_max",
    "norm",
    "nonzero_gradients",
)
PLAYED, LEARNED = 5, 6  # how many of these come from playing, and then from learning


class Weights(NamedTuple):
    """All flat float32, Yellow's half first: online, target and averaged network, Adam's moments, the gradient."""

    online: np.ndarray
    target: np.ndarray
    average: np.ndarray
    mean: np.ndarray
    square: np.ndarray
    gradient: np.ndarray


class LearnRule(NamedTuple):
    """How targets and steps are made; `rates`, `epsilons` hold this call's learning rates and exploration, by step."""

    rates: np.ndarray
    epsilons: np.ndarray
    horizon: int
    trace: float
    first_entropy: bool
    second_entropy: bool
    beta1: float
    beta2: float
    adam_epsilon: float
    clip: float
    tau: float
    average_every: int
    average_span: float
    mirrored: bool


@njit(cache=True, parallel=True)
def run_steps(
    first,
    seed,
    rule: PlayRule,
    learn: LearnRule,
    lookup: Lookup,
    boards: Boards,
    ring: Ring,
    weights: Weights,
):
    """Run one step for each rate given, counted from `first` (0 at the start).

    Returns
    -------
    (13,) float64 array
        What `TOTALS` names.
    """
    batch = len(boards.left)
    slots = len(ring.yellows)
    patterns = len(lookup.offsets) // 2
    # Taken out of the tuple once: an array looked up by name inside a parallel loop counts as written to there.
    online, target, average = weights.online, weights.target, weights.average
    mean, square, gradient = weights.mean, weights.square, weights.gradient
    entries = len(online)
    pieces = (batch + PLACES - 1) // PLACES
    groups = (patterns + GROUP - 1) // GROUP
    slices = (entries + SLICE - 1) // SLICE
    slope = np.zeros(batch, np.float32)
    squares = np.zeros(slices, np.float64)
    totals = np.zeros(len(TOTALS), np.float64)
    totals[9], totals[10] = 1.0, -1.0
    for number in range(len(learn.rates)):
        step = first + number
        slot = step % slots
        ring.yellows[slot] = line_up(boards.left, ring.board, slot)
        epsilon = learn.epsilons[number]
        play_sums = np.zeros((pieces, PLAYED), np.float64)
        for piece in prange(pieces):
            begin = piece * PLACES
            end = min(batch, begin + PLACES)
            sums = play_sums[piece]
            play_places(
                begin,
                end,
                step,
                seed,
                epsilon,
                rule,
                lookup,
                boards,
                ring,
                slot,
                online,
                target,
                sums,
            )
        for piece in range(pieces):
            for item in range(PLAYED):
                totals[item] += play_sums[piece, item]
        if step < learn.horizon + 1:
            continue
        learn_sums = np.zeros((pieces, LEARNED), np.float64)
        learn_sums[:, 4], learn_sums[:, 5] = 1.0, -1.0
        trace = np.float32(learn.trace)
        for piece in prange(pieces):
            begin = piece * PLACES
            end = min(batch, begin + PLACES)
            sums = learn_sums[piece]
            weigh_places(
                begin,
                end,
                step,
                learn.horizon,
                rule.tree_backup,
                trace,
                learn.first_entropy,
                learn.second_entropy,
                lookup,
                ring,
                online,
                slope,
                sums,
            )
        learned = learn_sums[:, 0].sum()
        if learned == 0:
            continue
        for piece in range(pieces):
            for item in range(4):
                totals[PLAYED + item] += learn_sums[piece, item]
            totals[9] = min(totals[9], learn_sums[piece, 4])
            totals[10] = max(totals[10], learn_sums[piece, 5])
        factor = np.float32(2.0 / learned)
        oldest = (step - learn.horizon - 1) % slots
        for group in prange(groups):
            begin = group * GROUP
            end = min(patterns, begin + GROUP)
            spread_slopes(begin, end, patterns, oldest, factor, lookup, ring, slope, gradient, learn.mirrored)
        if number == len(learn.rates) - 1:
            totals[12] = count_nonzero(gradient)
        scale = np.float32(1)
        if learn.clip > 0:
            for piece in prange(slices):
                begin = piece * SLICE
                squares[piece] = sum_of_squares(gradient[begin : min(entries, begin + SLICE)])
            norm = np.sqrt(squares.sum())
            totals[11] += norm
            if norm > learn.clip:
                scale = np.float32(learn.clip / norm)
        count = step - learn.horizon  # Adam steps, from 1
        correction = np.sqrt(1 - learn.beta2**count)
        rate = np.float32(learn.rates[number] * correction / (1 - learn.beta1**count))
        epsilon = np.float32(learn.adam_epsilon * correction)
        beta1, beta2 = np.float32(learn.beta1), np.float32(learn.beta2)
        averaging = learn.average_span > 0 and count % learn.average_every == 0
        tau, share = np.float32(learn.tau), ONE
        if averaging:
            share = np.float32(min(1.0, learn.average_every / (learn.average_span * count)))
        for piece in prange(slices):
            begin = piece * SLICE
            end = min(entries, begin + SLICE)
            step_adam(
                online[begin:end],
                mean[begin:end],
                square[begin:end],
                gradient[begin:end],
                scale,
                beta1,
                beta2,
                rate,
                epsilon,
            )
            if rule.use_target:
                step_average(target[begin:end], online[begin:end], tau)
            if averaging:
                if rule.use_target:
                    step_average(average[begin:end], target[begin:end], share)
                else:
                    step_average(average[begin:end], online[begin:end], share)
    return totals
