"""The loops of Weng and Lin's update: the seats of each play, the compiled replay, and the plain twin of both."""

import math

import numpy as np
from numba import njit

#: What can be wrong with the pairs of a play; `find_seats` and its twin say it with the row.
COMPLETE, LACKS_PAIR, PAIR_TWICE, NO_ORDER = range(4)
#: How a pair is forecast: logistic with the spread of the two or of the whole table, or normal with that of the two.
PAIR, TABLE, NORMAL = range(3)


@njit(cache=True)
def find_seats(pairs, outcomes, starts, n_players):
    """Give who sat in each play and how many of the play beat them: (players, ranks, first seats, fault, row)."""
    longest = 0
    for block in range(len(starts) - 1):
        longest = max(longest, starts[block + 1] - starts[block])
    most = int((1.0 + math.sqrt(1.0 + 8.0 * longest)) / 2.0) + 1
    met = np.full(most * most, -1)
    seen = np.full(n_players, -1)
    place = np.empty(n_players, np.int64)
    players = np.empty(2 * len(outcomes), np.int64)
    ranks = np.zeros(2 * len(outcomes), np.int64)
    seats = np.zeros(len(starts), np.int64)
    for block in range(len(starts) - 1):
        low, high, base = starts[block], starts[block + 1], seats[block]
        size = 0
        for row in range(low, high):
            for side in range(2):
                player = pairs[row, side]
                if seen[player] != block:
                    seen[player] = block
                    place[player] = size
                    players[base + size] = player
                    size += 1
            if outcomes[row] != 0.5:
                loser = pairs[row, 1] if outcomes[row] == 1.0 else pairs[row, 0]
                ranks[base + place[loser]] += 1
        seats[block + 1] = base + size
        if size * (size - 1) // 2 > high - low:
            return players, ranks, seats, LACKS_PAIR, low
        for row in range(low, high):
            a, b = place[pairs[row, 0]], place[pairs[row, 1]]
            cell = min(a, b) * size + max(a, b)
            if met[cell] == block:
                return players, ranks, seats, PAIR_TWICE, row
            met[cell] = block
        for row in range(low, high):
            a, b = ranks[base + place[pairs[row, 0]]], ranks[base + place[pairs[row, 1]]]
            if outcomes[row] != (1.0 if a < b else 0.0 if a > b else 0.5):
                return players, ranks, seats, NO_ORDER, row
    return players, ranks, seats, COMPLETE, 0


@njit(cache=True)
def tables(
    pairs,
    starts,
    players,
    ranks,
    seats,
    times,
    ratings,
    variances,
    games,
    last_times,
    fixed,
    beta_squared,
    tau_squared,
    kappa,
    full_pairing,
    forecast,
):
    """Play tables through; changes the arrays of the players, gives the forecast of each pair.

    The seats of a play are put in the order of rank, rating and variance first, so that the sums, and with them the
    last bits, do not depend on how they were listed.
    """
    forecasts = np.empty(len(pairs))
    most = 0
    for block in range(len(starts) - 1):
        most = max(most, seats[block + 1] - seats[block])
    who = np.empty(most, np.int64)
    rank = np.empty(most, np.int64)
    mu = np.empty(most)
    variance = np.empty(most)
    omega = np.empty(most)
    delta = np.empty(most)
    scratch = np.empty((4, most))
    first = np.empty(most + 1, np.int64)
    for block in range(len(starts) - 1):
        size = seats[block + 1] - seats[block]
        for seat in range(size):
            player = players[seats[block] + seat]
            if not fixed[player]:
                variances[player] += tau_squared
            _insert(
                who,
                rank,
                mu,
                variance,
                seat,
                player,
                ranks[seats[block] + seat],
                ratings[player],
                variances[player],
            )
        spread = size * beta_squared
        for seat in range(size):
            spread += variance[seat]
        for row in range(starts[block], starts[block + 1]):
            i, j = pairs[row, 0], pairs[row, 1]
            if forecast != TABLE:
                spread = variances[i] + variances[j] + 2.0 * beta_squared
            x = (ratings[i] - ratings[j]) / math.sqrt(spread)
            forecasts[row] = 0.5 * math.erfc(-x * math.sqrt(0.5)) if forecast == NORMAL else _logistic(x)
        if full_pairing:
            _bradley_terry(rank, mu, variance, size, beta_squared, omega, delta)
        else:
            _plackett_luce(rank, mu, variance, size, beta_squared, omega, delta, scratch, first)
        for seat in range(size):
            player = who[seat]
            games[player] += 1
            last_times[player] = times[starts[block]]
            if not fixed[player]:
                ratings[player] = mu[seat] + omega[seat]
                variances[player] = variance[seat] * max(1.0 - delta[seat], kappa)
    return forecasts


@njit(cache=True)
def _insert(who, rank, mu, variance, end, player, its_rank, its_mu, its_variance):
    """Put a seat in its place among those before `end`: by rank, then rating, then variance."""
    at = end
    while at > 0 and (
        rank[at - 1] > its_rank
        or (
            rank[at - 1] == its_rank
            and (mu[at - 1] > its_mu or (mu[at - 1] == its_mu and variance[at - 1] > its_variance))
        )
    ):
        who[at], rank[at] = who[at - 1], rank[at - 1]
        mu[at], variance[at] = mu[at - 1], variance[at - 1]
        at -= 1
    who[at], rank[at], mu[at], variance[at] = player, its_rank, its_mu, its_variance


@njit(cache=True)
def _plackett_luce(rank, mu, variance, size, beta_squared, omega, delta, scratch, first):
    """Fill the moves `omega` and the shares `delta` that variances lose.

    The sums over stages of the paper are taken a group of equal rank at a time. With S_g the sum of exp(mu/c) over
    those placed g or lower and p = exp(mu_i/c)/S_r at the own stage r, the shares of earlier stages are p S_r/S_g:
    sum = p T, sum of squares = p^2 U, where T = 1 + f T, U = 1 + f^2 U, f = S_r/S_(r-1). Each S is relative to the
    highest rating in it, so that nothing overflows or vanishes.
    """
    weight, total, top, fall = scratch[0], scratch[1], scratch[2], scratch[3]
    c_squared = size * beta_squared
    groups = 0
    for seat in range(size):
        c_squared += variance[seat]
        if seat == 0 or rank[seat] != rank[seat - 1]:
            first[groups] = seat
            groups += 1
    first[groups] = size
    c = math.sqrt(c_squared)
    for group in range(groups - 1, -1, -1):
        top[group] = mu[first[group + 1] - 1]
        total[group] = 0.0
        if group + 1 < groups:
            top[group] = max(top[group], top[group + 1])
            fall[group + 1] = math.exp((top[group + 1] - top[group]) / c)
            total[group] = total[group + 1] * fall[group + 1]
        for seat in range(first[group], first[group + 1]):
            weight[seat] = math.exp((mu[seat] - top[group]) / c)
            total[group] += weight[seat]
    stages = squares = 0.0
    for group in range(groups):
        f = 0.0 if group == 0 else fall[group] * total[group] / total[group - 1]
        stages, squares = 1.0 + stages * f, 1.0 + squares * f * f
        share = 1.0 / (first[group + 1] - first[group])
        for seat in range(first[group], first[group + 1]):
            p = weight[seat] / total[group]
            ratio = variance[seat] / c_squared
            omega[seat] = ratio * c * (share - p * stages)
            # Rounding may take this below 0 where a favourite's win taught nothing.
            lost = max(0.0, p * (stages - p * squares))
            delta[seat] = math.sqrt(ratio) * ratio * lost


@njit(cache=True)
def _bradley_terry(rank, mu, variance, size, beta_squared, omega, delta):
    """Fill the same by duels of each player with every other."""
    for i in range(size):
        omega[i] = delta[i] = 0.0
        for q in range(size):
            if q != i:
                c_squared = variance[i] + variance[q] + 2.0 * beta_squared
                c = math.sqrt(c_squared)
                p = _logistic((mu[i] - mu[q]) / c)
                score = 1.0 if rank[i] < rank[q] else 0.0 if rank[i] > rank[q] else 0.5
                ratio = variance[i] / c_squared
                omega[i] += ratio * c * (score - p)
                delta[i] += math.sqrt(ratio) * ratio * p * (1.0 - p)


@njit(cache=True)
def _logistic(x):
    return 1.0 / (1.0 + math.exp(min(-x, 700.0)))


def find_seats_plain(pairs, outcomes, starts, n_players):
    """Do what `find_seats` does, in plain Python."""
    players, ranks, seats = [], [], [0]
    for low, high in zip(starts[:-1].tolist(), starts[1:].tolist(), strict=True):
        rows = [(*pairs[row].tolist(), float(outcomes[row])) for row in range(low, high)]
        beaten = dict.fromkeys((player for i, j, _ in rows for player in (i, j)), 0)
        for i, j, outcome in rows:
            if outcome != 0.5:
                beaten[j if outcome == 1.0 else i] += 1
        players += beaten
        ranks += beaten.values()
        seats.append(len(players))
        fault = _fault(rows, beaten)
        if fault is not None:
            return np.array(players), np.array(ranks), np.array(seats), fault[0], low + fault[1]
    return (*(np.array(column, dtype=np.int64) for column in (players, ranks, seats)), COMPLETE, 0)


def _fault(rows, beaten):
    if math.comb(len(beaten), 2) > len(rows):
        return LACKS_PAIR, 0
    met = set()
    for row, (i, j, _) in enumerate(rows):
        if frozenset((i, j)) in met:
            return PAIR_TWICE, row
        met.add(frozenset((i, j)))
    for row, (i, j, outcome) in enumerate(rows):
        if outcome != 0.5 + 0.5 * ((beaten[i] < beaten[j]) - (beaten[i] > beaten[j])):
            return NO_ORDER, row
    return None


def plain(
    pairs,
    starts,
    players,
    ranks,
    seats,
    times,
    ratings,
    variances,
    games,
    last_times,
    fixed,
    beta_squared,
    tau_squared,
    kappa,
    full_pairing,
    forecast,
):
    """Do the same in plain Python, from the sums as the paper writes them."""
    points, squares = ratings.tolist(), variances.tolist()
    forecasts = []
    moves = _bradley_terry_plain if full_pairing else _plackett_luce_plain
    for block, low in enumerate(starts[:-1].tolist()):
        here = slice(int(seats[block]), int(seats[block + 1]))
        table, order = players[here].tolist(), ranks[here].tolist()
        for player in table:
            squares[player] += 0.0 if fixed[player] else tau_squared
        for i, j in pairs[low : int(starts[block + 1])].tolist():
            those = table if forecast == TABLE else (i, j)
            c = math.sqrt(sum(squares[player] + beta_squared for player in those))
            x = (points[i] - points[j]) / c
            normal = (1.0 + math.erf(x / math.sqrt(2.0))) / 2.0
            forecasts.append(normal if forecast == NORMAL else _odds_share(-x))
        own = [(points[player], squares[player]) for player in table]
        for player, (omega, delta) in zip(table, moves(own, order, beta_squared), strict=True):
            games[player] += 1
            last_times[player] = times[low]
            if not fixed[player]:
                points[player] += omega
                squares[player] *= max(1.0 - delta, kappa)
    ratings[:], variances[:] = points, squares
    return np.array(forecasts, dtype=np.float64)


def _plackett_luce_plain(own, order, beta_squared):
    c = math.sqrt(sum(variance + beta_squared for _, variance in own))
    for (mu_i, variance), rank_i in zip(own, order, strict=True):
        omega, delta = 1.0 / order.count(rank_i), 0.0
        for rank_q in order:
            if rank_q <= rank_i:
                left = [mu for (mu, _), rank in zip(own, order, strict=True) if rank >= rank_q]
                p = 1.0 / sum(math.exp(min((mu - mu_i) / c, 700.0)) for mu in left)
                omega -= p / order.count(rank_q)
                delta += p * (1.0 - p) / order.count(rank_q)
        yield variance / c * omega, math.sqrt(variance) / c * variance / c**2 * delta


def _bradley_terry_plain(own, order, beta_squared):
    for i, (mu_i, variance) in enumerate(own):
        omega = delta = 0.0
        for q, (mu_q, other) in enumerate(own):
            if q != i:
                c = math.sqrt(variance + other + 2.0 * beta_squared)
                p = _odds_share((mu_q - mu_i) / c)
                score = 0.5 + 0.5 * ((order[i] < order[q]) - (order[i] > order[q]))
                omega += variance / c * (score - p)
                delta += math.sqrt(variance) / c * variance / c**2 * p * (1.0 - p)
        yield omega, delta


def _odds_share(x):
    return 1.0 / (1.0 + math.exp(min(x, 700.0)))
