"""The loops of Glicko-1: compiled for duels, compiled for blocks of pairs, and the plain twin of both."""

import math

import numpy as np
from numba import njit

from ludometrics.ratings.elo_loops import AHEAD
from ludometrics.ratings.elo_loops import RATE as Q

#: Factor of the squared deviation in Glickman's g.
SPREAD = 3.0 * Q * Q / math.pi**2


@njit(cache=True, nogil=True)  # a log is read on while its last piece is rated
def duels(
    pairs,
    outcomes,
    times,
    ratings,
    variances,
    games,
    last_times,
    fixed,
    growth,
    floor,
    ceiling,
    advantage,
    advantage_k,
):
    """Play duels of weight 1 through; changes the arrays of the players, gives forecasts and the last advantage."""
    n = len(outcomes)
    forecasts = np.empty(n)
    for row in range(n):
        if row % AHEAD == 0:
            # Overwritten below: reads the players of the next games at once, so that memory is waited for only once.
            for later in range(row, min(row + AHEAD, n)):
                i, j = pairs[later, 0], pairs[later, 1]
                forecasts[later] = ratings[i] + variances[i] + games[i] + last_times[i] + fixed[i]
                forecasts[later] += ratings[j] + variances[j] + games[j] + last_times[j] + fixed[j]
        i = pairs[row, 0]
        j = pairs[row, 1]
        for player in (i, j):
            if growth > 0.0 and not fixed[player] and games[player] > 0:
                grown = variances[player] + growth * (times[row] - last_times[player])
                variances[player] = max(variances[player], min(grown, ceiling))
            games[player] += 1
            last_times[player] = times[row]
        v_i = variances[i]
        v_j = variances[j]
        gap = Q * (ratings[i] - ratings[j] + advantage)
        forecasts[row] = _logistic(gap / math.sqrt(1.0 + SPREAD * (v_i + v_j)))
        g_i = 1.0 / math.sqrt(1.0 + SPREAD * v_i)
        g_j = 1.0 / math.sqrt(1.0 + SPREAD * v_j)
        outcome = outcomes[row]
        advantage += advantage_k * (outcome - forecasts[row])
        if not fixed[i]:
            expected = _logistic(g_j * gap)
            moved = 1.0 / (1.0 / v_i + (Q * g_j) ** 2 * expected * (1.0 - expected))
            ratings[i] += Q * moved * g_j * (outcome - expected)
            variances[i] = max(moved, min(v_i, floor))
        if not fixed[j]:
            expected = _logistic(-g_i * gap)
            moved = 1.0 / (1.0 / v_j + (Q * g_i) ** 2 * expected * (1.0 - expected))
            ratings[j] += Q * moved * g_i * (1.0 - outcome - expected)
            variances[j] = max(moved, min(v_j, floor))
    return forecasts, advantage


@njit(cache=True)
def blocks(
    pairs,
    outcomes,
    weights,
    starts,
    plays,
    times,
    ratings,
    variances,
    games,
    last_times,
    fixed,
    growth,
    floor,
    ceiling,
    advantage,
    advantage_k,
):
    """Play blocks through; every pair of a block is rated from the ratings before it, at the time of its first row."""
    m = len(ratings)
    forecasts = np.empty(len(outcomes))
    aged = np.empty(m)
    push = np.empty(m)
    information = np.empty(m)
    evidence = np.zeros(m)
    seen = np.full(m, -1)
    counted = np.full(m, -1)
    for block in range(len(starts) - 1):
        low, high = starts[block], starts[block + 1]
        now = times[low]
        learned = 0.0
        for row in range(low, high):
            for side in range(2):
                player = pairs[row, side]
                if seen[player] != block:
                    seen[player] = block
                    push[player] = information[player] = 0.0
                    aged[player] = variances[player]
                    if growth > 0.0 and not fixed[player] and games[player] > 0:
                        grown = variances[player] + growth * (now - last_times[player])
                        aged[player] = max(variances[player], min(grown, ceiling))
            i, j = pairs[row, 0], pairs[row, 1]
            gap = Q * (ratings[i] - ratings[j] + advantage)
            forecasts[row] = _logistic(gap / math.sqrt(1.0 + SPREAD * (aged[i] + aged[j])))
            learned += 0.5 * (weights[row, 0] + weights[row, 1]) * (outcomes[row] - forecasts[row])
            for side in range(2):
                player, sign = pairs[row, side], 1.0 - 2.0 * side
                g = 1.0 / math.sqrt(1.0 + SPREAD * aged[pairs[row, 1 - side]])
                expected = _logistic(sign * g * gap)
                score = outcomes[row] if side == 0 else 1.0 - outcomes[row]
                weight = weights[row, side]
                push[player] += weight * g * (score - expected)
                information[player] += weight * (Q * g) ** 2 * expected * (1.0 - expected)
                evidence[player] += weight
        for row in range(low, high):
            for side in range(2):
                player = pairs[row, side]
                if weights[row, side] > 0.0 and counted[player] != plays[row]:
                    counted[player] = plays[row]
                    games[player] += 1
                if evidence[player] > 0.0:
                    evidence[player] = 0.0
                    last_times[player] = now
                    if not fixed[player]:
                        moved = 1.0 / (1.0 / aged[player] + information[player])
                        ratings[player] += Q * moved * push[player]
                        variances[player] = max(moved, min(aged[player], floor))
        advantage += advantage_k * learned
    return forecasts, advantage


@njit(cache=True)
def _logistic(x):
    return 1.0 / (1.0 + math.exp(min(-x, 700.0)))


def plain(
    pairs,
    outcomes,
    weights,
    starts,
    plays,
    times,
    ratings,
    variances,
    games,
    last_times,
    fixed,
    growth,
    floor,
    ceiling,
    advantage,
    advantage_k,
):
    """Do the same in plain Python, by deviations, from the definitions."""
    points, deviations = ratings.tolist(), np.sqrt(variances).tolist()
    played, last = games.tolist(), last_times.tolist()
    pairs, weights, plays = pairs.tolist(), weights.tolist(), plays.tolist()

    def g(deviation):
        return 1.0 / math.sqrt(1.0 + 3.0 * (Q * deviation / math.pi) ** 2)

    def expectation(factor, gap):
        return 1.0 / (1.0 + 10.0 ** min(-factor * gap / 400.0, 300.0))

    forecasts = []
    for low, high in zip(starts[:-1].tolist(), starts[1:].tolist(), strict=True):
        now, own, games_of, learned = float(times[low]), {}, {}, 0.0
        for player in {player for pair in pairs[low:high] for player in pair}:
            own[player] = deviations[player]
            if growth and not fixed[player] and played[player]:
                grown = math.sqrt(min(deviations[player] ** 2 + growth * (now - last[player]), ceiling))
                own[player] = max(own[player], grown)
        sums = {player: [0.0, 0.0] for player in own}
        for row in range(low, high):
            i, j = pairs[row]
            gap = points[i] + advantage - points[j]
            forecasts.append(expectation(g(math.hypot(own[i], own[j])), gap))
            learned += 0.5 * sum(weights[row]) * (float(outcomes[row]) - forecasts[-1])
            for player, opponent, sign, weight in ((i, j, 1, weights[row][0]), (j, i, -1, weights[row][1])):
                factor = g(own[opponent])
                expected = expectation(factor, sign * gap)
                score = 0.5 + sign * (float(outcomes[row]) - 0.5)
                sums[player][0] += weight * factor * (score - expected)
                sums[player][1] += weight * (Q * factor) ** 2 * expected * (1.0 - expected)
                if weight > 0:
                    games_of.setdefault(player, set()).add(plays[row])
        for player, counted in games_of.items():
            played[player] += len(counted)
            last[player] = now
            if not fixed[player]:
                variance = 1.0 / (1.0 / own[player] ** 2 + sums[player][1])
                points[player] += Q * variance * sums[player][0]
                deviations[player] = math.sqrt(max(variance, min(own[player] ** 2, floor)))
        advantage += advantage_k * learned
    ratings[:], variances[:] = points, np.square(deviations)
    games[:], last_times[:] = played, last
    return np.array(forecasts, dtype=np.float64), advantage
