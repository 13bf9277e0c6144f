"""The loops of Elo: compiled for duels, compiled for blocks of pairs, and the plain twin of both."""

import math

import numpy as np
from numba import njit

#: A rating difference of 400 points is odds of ten to one.
SCALE = 400.0
#: Natural log of the odds per point.
RATE = math.log(10.0) / SCALE
#: Games whose players are read ahead of their turn.
AHEAD = 128


@njit(cache=True, nogil=True)  # a log is read on while its last piece is rated
def duels(pairs, outcomes, ratings, games, fixed, below, k, advantage, advantage_k):
    """Play duels of weight 1 through; changes `ratings` and `games`, gives forecasts and the last advantage."""
    n = len(outcomes)
    forecasts = np.empty(n)
    for row in range(n):
        if row % AHEAD == 0:
            # Overwritten below: reads the players of the next games at once, so that memory is waited for only once.
            for later in range(row, min(row + AHEAD, n)):
                i, j = pairs[later, 0], pairs[later, 1]
                forecasts[later] = ratings[i] + ratings[j] + games[i] + games[j] + fixed[i] + fixed[j]
        i = pairs[row, 0]
        j = pairs[row, 1]
        expected = 1.0 / (1.0 + math.exp(min(RATE * (ratings[j] - ratings[i] - advantage), 700.0)))
        forecasts[row] = expected
        surprise = outcomes[row] - expected
        step_i = 0
        while games[i] >= below[step_i]:
            step_i += 1
        step_j = 0
        while games[j] >= below[step_j]:
            step_j += 1
        if not fixed[i]:
            ratings[i] += k[step_i] * surprise
        if not fixed[j]:
            ratings[j] -= k[step_j] * surprise
        advantage += advantage_k * surprise
        games[i] += 1
        games[j] += 1
    return forecasts, advantage


@njit(cache=True)
def blocks(pairs, outcomes, weights, starts, plays, ratings, games, fixed, below, k, advantage, advantage_k):
    """Play blocks through; every pair of a block is rated from the ratings before the block."""
    m = len(ratings)
    forecasts = np.empty(len(outcomes))
    stake = np.empty(m)
    moved = np.zeros(m)
    seen = np.full(m, -1)
    counted = np.full(m, -1)
    for block in range(len(starts) - 1):
        low, high = starts[block], starts[block + 1]
        learned = 0.0
        for row in range(low, high):
            for side in range(2):
                player = pairs[row, side]
                if seen[player] != block:
                    seen[player] = block
                    moved[player] = 0.0
                    step = 0
                    while games[player] >= below[step]:
                        step += 1
                    stake[player] = k[step]
            i, j = pairs[row, 0], pairs[row, 1]
            expected = 1.0 / (1.0 + math.exp(min(RATE * (ratings[j] - ratings[i] - advantage), 700.0)))
            forecasts[row] = expected
            surprise = outcomes[row] - expected
            moved[i] += weights[row, 0] * surprise
            moved[j] -= weights[row, 1] * surprise
            learned += 0.5 * (weights[row, 0] + weights[row, 1]) * surprise
        for row in range(low, high):
            for side in range(2):
                player = pairs[row, side]
                if weights[row, side] > 0.0 and counted[player] != plays[row]:
                    counted[player] = plays[row]
                    games[player] += 1
                if not fixed[player]:
                    ratings[player] += stake[player] * moved[player]
                    moved[player] = 0.0
        advantage += advantage_k * learned
    return forecasts, advantage


def plain(pairs, outcomes, weights, starts, plays, ratings, games, fixed, below, k, advantage, advantage_k):
    """Do the same in plain Python, from the definitions."""
    points, played = ratings.tolist(), games.tolist()
    steps = list(zip(below.tolist(), k.tolist(), strict=True))
    pairs, weights, plays = pairs.tolist(), weights.tolist(), plays.tolist()
    forecasts = []
    for low, high in zip(starts[:-1].tolist(), starts[1:].tolist(), strict=True):
        scores, count, learned = {}, {}, 0.0
        for row in range(low, high):
            (first, second), (weight, other) = pairs[row], weights[row]
            gap = points[second] - points[first] - advantage
            expected = 1.0 / (1.0 + 10.0 ** min(gap / SCALE, 300.0))
            forecasts.append(expected)
            surprise = float(outcomes[row]) - expected
            learned += 0.5 * (weight + other) * surprise
            for player, part, share in ((first, surprise, weight), (second, -surprise, other)):
                scores[player] = scores.get(player, 0.0) + share * part
                if share > 0:
                    count.setdefault(player, set()).add(plays[row])
        for player, score in scores.items():
            if not fixed[player]:
                points[player] += next(k for limit, k in steps if played[player] < limit) * score
            played[player] += len(count.get(player, ()))
        advantage += advantage_k * learned
    ratings[:], games[:] = points, played
    return np.array(forecasts, dtype=np.float64), advantage
