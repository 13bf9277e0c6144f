"""The loops of Glicko-2: compiled, and the plain twin."""

import math

import numpy as np
from numba import njit

from ludometrics.ratings.elo_loops import RATE as Q
from ludometrics.ratings.glicko1_loops import SPREAD

#: Elo points in one unit of Glickman's scale: 400/ln 10, rounded to 173.7178 in the paper.
UNIT = 1.0 / Q
_PRECISION = 1e-12  # of the logarithm of the squared volatility; the paper's 1e-6 shows in the eighth digit
_MOST_STEPS = 200


@njit(cache=True)
def blocks(
    pairs,
    outcomes,
    weights,
    starts,
    plays,
    clock,
    ratings,
    variances,
    volatilities,
    games,
    last_times,
    fixed,
    tau,
    floor,
    ceiling,
    advantage,
    advantage_k,
):
    """Play blocks through; changes the arrays of the players, gives forecasts and the last advantage."""
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
        now = clock[block]
        learned = 0.0
        for row in range(low, high):
            for side in range(2):
                player = pairs[row, side]
                if seen[player] != block:
                    seen[player] = block
                    push[player] = information[player] = 0.0
                    aged[player] = variances[player]
                    if not fixed[player] and games[player] > 0:
                        absent = max(0.0, now - last_times[player] - 1.0)
                        grown = variances[player] + (UNIT * volatilities[player]) ** 2 * absent
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
                information[player] += weight * g * g * expected * (1.0 - expected)
                evidence[player] += weight
        for row in range(low, high):
            for side in range(2):
                player = pairs[row, side]
                first = games[player] == 0
                if weights[row, side] > 0.0 and counted[player] != plays[row]:
                    counted[player] = plays[row]
                    games[player] += 1
                if evidence[player] > 0.0:
                    evidence[player] = 0.0
                    share = 1.0 if first else max(0.0, min(1.0, now - last_times[player]))
                    last_times[player] = now
                    if not fixed[player]:
                        phi2 = aged[player] * Q * Q
                        sigma = _volatility(
                            volatilities[player], phi2, push[player], information[player], tau
                        )
                        moved = 1.0 / (1.0 / (phi2 + share * sigma * sigma) + information[player])
                        ratings[player] += UNIT * moved * push[player]
                        bounded = min(moved * UNIT * UNIT, max(aged[player], ceiling))
                        variances[player] = max(bounded, min(aged[player], floor))
                        volatilities[player] = sigma
        advantage += advantage_k * learned
    return forecasts, advantage


@njit(cache=True)
def _logistic(x):
    return 1.0 / (1.0 + math.exp(min(-x, 700.0)))


@njit(cache=True)
def _slope(x, square, phi2, variance, before, tau):
    """Glickman's f of step 5: its root is the logarithm of the new squared volatility."""
    grown = phi2 + variance + math.exp(x)
    return math.exp(x) * (square - grown) / (2.0 * grown * grown) - (x - before) / (tau * tau)


@njit(cache=True)
def _volatility(sigma, phi2, push, information, tau):
    """New volatility: step 5, by regula falsi with the Illinois rule."""
    if information <= 0.0:
        return sigma
    variance = 1.0 / information
    square = (variance * push) ** 2
    before = math.log(sigma * sigma)
    low = before
    if square > phi2 + variance:
        high = math.log(square - phi2 - variance)
    else:
        steps = 1
        while _slope(before - steps * tau, square, phi2, variance, before, tau) < 0.0:
            steps += 1
        high = before - steps * tau
    f_low = _slope(low, square, phi2, variance, before, tau)
    f_high = _slope(high, square, phi2, variance, before, tau)
    for _ in range(_MOST_STEPS):
        if abs(high - low) <= _PRECISION or f_high == f_low:
            break
        middle = low + (low - high) * f_low / (f_high - f_low)
        f_middle = _slope(middle, square, phi2, variance, before, tau)
        if f_middle * f_high <= 0.0:
            low, f_low = high, f_high
        else:
            f_low /= 2.0
        high, f_high = middle, f_middle
    return math.exp(0.5 * low)


def plain(
    pairs,
    outcomes,
    weights,
    starts,
    plays,
    clock,
    ratings,
    variances,
    volatilities,
    games,
    last_times,
    fixed,
    tau,
    floor,
    ceiling,
    advantage,
    advantage_k,
):
    """Do the same in plain Python on Glickman's own scale, the volatility by scipy's root finder."""
    from scipy.optimize import brentq

    mu = [rating / UNIT for rating in ratings.tolist()]
    phi = [math.sqrt(variance) / UNIT for variance in variances.tolist()]
    sigma, played, last = volatilities.tolist(), games.tolist(), last_times.tolist()
    pairs, weights, plays = pairs.tolist(), weights.tolist(), plays.tolist()

    def g(deviation):
        return 1.0 / math.sqrt(1.0 + 3.0 * (deviation / math.pi) ** 2)

    def logistic(x):
        return 1.0 / (1.0 + math.exp(min(-x, 700.0)))

    def new_volatility(old, deviation, variance, delta):
        def slope(x):
            grown = deviation**2 + variance + math.exp(x)
            return math.exp(x) * (delta**2 - grown) / (2 * grown**2) - (x - math.log(old**2)) / tau**2

        a = math.log(old**2)
        far = a + math.copysign(1.0, slope(a)) * tau
        while slope(a) * slope(far) > 0:
            far += far - a
        return math.exp(brentq(slope, a, far, xtol=1e-13, rtol=1e-14) / 2) if slope(a) else old

    forecasts = []
    for low, high, now in zip(starts[:-1].tolist(), starts[1:].tolist(), clock.tolist(), strict=True):
        own, sums, count, learned = {}, {}, {}, 0.0
        for player in {player for pair in pairs[low:high] for player in pair}:
            own[player], sums[player] = phi[player], [0.0, 0.0]
            if not fixed[player] and played[player]:
                idle = max(0.0, now - last[player] - 1.0)
                grown = math.sqrt(phi[player] ** 2 + idle * sigma[player] ** 2)
                own[player] = max(phi[player], min(grown, math.sqrt(ceiling) / UNIT))
        for row in range(low, high):
            i, j = pairs[row]
            gap = mu[i] - mu[j] + advantage / UNIT
            forecasts.append(logistic(g(math.hypot(own[i], own[j])) * gap))
            learned += 0.5 * sum(weights[row]) * (float(outcomes[row]) - forecasts[-1])
            for player, opponent, sign, weight in ((i, j, 1, weights[row][0]), (j, i, -1, weights[row][1])):
                expected = logistic(sign * g(own[opponent]) * gap)
                score = 0.5 + sign * (float(outcomes[row]) - 0.5)
                sums[player][0] += weight * g(own[opponent]) * (score - expected)
                sums[player][1] += weight * g(own[opponent]) ** 2 * expected * (1 - expected)
                if weight > 0:
                    count.setdefault(player, set()).add(plays[row])
        for player, counted in count.items():
            share = max(0.0, min(1.0, now - last[player])) if played[player] else 1.0
            played[player] += len(counted)
            last[player] = now
            if fixed[player]:
                continue
            push, information = sums[player]
            if information > 0:
                sigma[player] = new_volatility(
                    sigma[player], own[player], 1 / information, push / information
                )
            moved = 1.0 / (1.0 / (own[player] ** 2 + share * sigma[player] ** 2) + information)
            mu[player] += moved * push
            bounded = min(moved, max(own[player] ** 2, ceiling / UNIT**2))
            phi[player] = math.sqrt(max(bounded, min(own[player] ** 2, floor / UNIT**2)))
        advantage += advantage_k * learned
    ratings[:], variances[:] = np.array(mu) * UNIT, (np.array(phi) * UNIT) ** 2
    volatilities[:], games[:], last_times[:] = sigma, played, last
    return np.array(forecasts, dtype=np.float64), advantage
