"""The one pass through a group's plays: compiled, and its plain twin.

Every seat of a play is compared with every other by Glicko-1, from the ratings before the play. A weight on a pair
enters both the move and the shrink of the deviation: a play of weight w counts as w observations.
"""

import math
from typing import NamedTuple

import numpy as np
from numba import njit

from ludometrics.ratings.glicko1 import Q
from ludometrics.ratings.glicko1_loops import SPREAD

#: Bins by the winner's forecast in which the margin correction learns what a margin usually is, and how many pairs
#: a bin must have seen before it is used.
CORRECTION_BINS = 10
CORRECTION_PAIRS = 20


class Numbers(NamedTuple):
    """The settings as the loops read them; units as in `EngineSettings`."""

    start: float
    prior: float  # variance of a newcomer and ceiling of all
    floor: float  # variance
    growth: float  # variance a day
    drift: float  # variance a play
    per_opponent: bool
    skip_unresolved: bool
    pair_confidence: bool
    confidence_low: float
    use_margin: bool
    margin_low: float
    margin_high: float
    margin_full: float
    margin_scores: int
    margin_plays: int
    within: bool
    correction: bool


class Plays(NamedTuple):
    """The rated plays as the loops read them; shapes as in `Schedule`."""

    starts: np.ndarray
    person: np.ndarray
    rank: np.ndarray
    score: np.ndarray
    team: np.ndarray
    familiarity: np.ndarray
    game: np.ndarray
    direction: np.ndarray
    day: np.ndarray
    weight: (
        np.ndarray
    )  # of each play: all factors but the margin, and but the confidence where it goes by pair
    flag_only: np.ndarray


class Passed(NamedTuple):
    """What a pass leaves behind; shapes as in `GroupRatings`."""

    rating: np.ndarray
    variance: np.ndarray
    plays: np.ndarray
    last_day: np.ndarray
    before: np.ndarray
    variance_before: np.ndarray
    after: np.ndarray
    variance_after: np.ndarray
    evidence: np.ndarray
    forecast: np.ndarray
    outcome: np.ndarray
    scored: np.ndarray
    margin: np.ndarray
    pair_weight: np.ndarray


@njit(cache=True)
def _logistic(x):
    if x >= 0.0:
        return 1.0 / (1.0 + math.exp(-x))
    grown = math.exp(x)
    return grown / (1.0 + grown)


@njit(cache=True)
def _spread(book, numbers):
    """Spread of a game's scores so far; 0 while it is not trusted."""
    count, plays = book[0], book[3]
    if count < numbers.margin_scores or plays < numbers.margin_plays:
        return 0.0
    if numbers.within:
        return math.sqrt(book[4] / book[5]) if book[5] > 0.0 else 0.0
    return math.sqrt(book[2] / (count - 1.0)) if count > 1.0 else 0.0


@njit(cache=True)
def _enter(book, scores, direction):
    """Enter the scores of a play: count, mean, squares about it, plays; squares and freedom within plays."""
    mean = 0.0
    squares = 0.0
    for seat in range(len(scores)):
        raw = scores[seat] * direction
        gap = raw - mean
        mean += gap / (seat + 1.0)
        squares += gap * (raw - mean)
        gap = raw - book[1]
        book[0] += 1.0
        book[1] += gap / book[0]
        book[2] += gap * (raw - book[1])
    book[3] += 1.0
    book[4] += squares
    book[5] += len(scores) - 1.0


@njit(cache=True)
def one_pass(plays, numbers, n_people, n_games):
    """Rate all plays in their order, from a fresh start; gives a `Passed`."""
    n_seats = len(plays.person)
    n_plays = len(plays.starts) - 1
    n_pairs = 0
    for play in range(n_plays):
        n = plays.starts[play + 1] - plays.starts[play]
        n_pairs += n * (n - 1) // 2
    rating = np.full(n_people, numbers.start)
    variance = np.full(n_people, numbers.prior)
    count = np.zeros(n_people, np.int64)
    last_day = np.full(n_people, np.nan)
    before, after = np.empty(n_seats), np.empty(n_seats)
    v_before, v_after = np.empty(n_seats), np.empty(n_seats)
    evidence, push, information = np.zeros(n_seats), np.zeros(n_seats), np.zeros(n_seats)
    share, g = np.ones(n_seats), np.empty(n_seats)
    forecast, outcome = np.empty(n_pairs), np.empty(n_pairs)
    margin, pair_weight = np.ones(n_pairs), np.zeros(n_pairs)
    scored = np.zeros(n_pairs, np.bool_)
    book = np.zeros((n_games, 6))
    usual = np.zeros((CORRECTION_BINS, 2))
    pair = 0
    for play in range(n_plays):
        low, high = plays.starts[play], plays.starts[play + 1]
        complete = True
        for i in range(low, high):
            _sit_down(i, play, plays, numbers, rating, variance, count, last_day, before, v_before)
            g[i] = 1.0 / math.sqrt(1.0 + SPREAD * v_before[i])
            complete = complete and not math.isnan(plays.score[i])
            if numbers.per_opponent:
                opponents = 0
                for j in range(low, high):
                    if j != i and (plays.team[i] < 0 or plays.team[i] != plays.team[j]):
                        opponents += 1
                share[i] = 1.0 / max(opponents, 1)
        spread = _spread(book[plays.game[play]], numbers) if numbers.use_margin else 0.0
        first = pair
        for i in range(low, high):
            for j in range(i + 1, high):
                gap = Q * (before[i] - before[j])
                chance = _logistic(gap / math.sqrt(1.0 + SPREAD * (v_before[i] + v_before[j])))
                forecast[pair] = chance
                tied = plays.rank[i] == plays.rank[j]
                won = plays.rank[i] < plays.rank[j]
                outcome[pair] = 0.5 if tied else (1.0 if won else 0.0)
                mates = plays.team[i] >= 0 and plays.team[i] == plays.team[j]
                unknown = plays.flag_only[play] and tied and plays.rank[i] > 1
                known = plays.person[i] >= 0 and plays.person[j] >= 0
                scored[pair] = known and not mates and not unknown
                ahead = (plays.score[i] - plays.score[j]) * (1.0 if won else -1.0)
                if spread > 0.0 and not tied and ahead > 0.0:
                    filled = min(1.0, ahead / (numbers.margin_full * spread))
                    margin[pair] = numbers.margin_low + (numbers.margin_high - numbers.margin_low) * filled
                    if numbers.correction:
                        bin = _bin(chance if won else 1.0 - chance)
                        if usual[bin, 0] >= CORRECTION_PAIRS:
                            margin[pair] *= usual[bin, 0] / usual[bin, 1]
                guests = plays.person[i] < 0 and plays.person[j] < 0
                if not (mates or guests or (unknown and numbers.skip_unresolved)):
                    weight = plays.weight[play] * margin[pair]
                    if numbers.pair_confidence:
                        weight *= _confidence(
                            plays.familiarity[i], plays.familiarity[j], numbers.confidence_low
                        )
                    pair_weight[pair] = weight * share[i]
                    _learn(i, g[j], gap, outcome[pair], weight * share[i], push, information, evidence)
                    _learn(j, g[i], -gap, 1.0 - outcome[pair], weight * share[j], push, information, evidence)
                pair += 1
        if numbers.correction and spread > 0.0:
            _enter_margins(first, low, high, plays, numbers, spread, forecast, usual)
        for i in range(low, high):
            moved = 1.0 / (1.0 / v_before[i] + information[i])
            v_after[i] = max(moved, numbers.floor)
            after[i] = before[i] + Q * moved * push[i]
            player = plays.person[i]
            if player >= 0:
                rating[player] = after[i]
                variance[player] = v_after[i]
                count[player] += 1
                last_day[player] = plays.day[play]
        if complete and plays.direction[play] != 0:
            _enter(book[plays.game[play]], plays.score[low:high], plays.direction[play])
    return Passed(
        rating,
        variance,
        count,
        last_day,
        before,
        v_before,
        after,
        v_after,
        evidence,
        forecast,
        outcome,
        scored,
        margin,
        pair_weight,
    )


@njit(cache=True)
def _sit_down(i, play, plays, numbers, rating, variance, count, last_day, before, v_before):
    """Rating and variance with which a seat meets the play: a guest's are a newcomer's, a player's have aged."""
    player = plays.person[i]
    if player < 0 or count[player] == 0:
        before[i] = numbers.start
        v_before[i] = numbers.prior
        return
    days = max(plays.day[play] - last_day[player], 0.0)
    before[i] = rating[player]
    v_before[i] = min(numbers.prior, variance[player] + numbers.growth * days + numbers.drift)


@njit(cache=True)
def _learn(i, g, gap, score, weight, push, information, evidence):
    expected = _logistic(g * gap)
    push[i] += weight * g * (score - expected)
    information[i] += weight * (Q * g) ** 2 * expected * (1.0 - expected)
    evidence[i] += weight


@njit(cache=True)
def _confidence(first, second, low):
    """Confidence of a pair by the geometric mean of the two familiarities; a guest's is not known."""
    if math.isnan(first):
        mean = second
    elif math.isnan(second):
        mean = first
    else:
        mean = math.sqrt(first * second)
    return low + (1.0 - low) * (0.0 if math.isnan(mean) else mean)


@njit(cache=True)
def _bin(chance):
    return min(int(chance * CORRECTION_BINS), CORRECTION_BINS - 1)


@njit(cache=True)
def _enter_margins(first, low, high, plays, numbers, spread, forecast, usual):
    """Enter each uncorrected margin of a play under its winner's forecast: how many, and their sum."""
    pair = first
    for i in range(low, high):
        for j in range(i + 1, high):
            if plays.rank[i] != plays.rank[j]:
                won = plays.rank[i] < plays.rank[j]
                ahead = (plays.score[i] - plays.score[j]) * (1.0 if won else -1.0)
                if ahead > 0.0:
                    filled = min(1.0, ahead / (numbers.margin_full * spread))
                    bin = _bin(forecast[pair] if won else 1.0 - forecast[pair])
                    usual[bin, 0] += 1.0
                    usual[bin, 1] += numbers.margin_low + (numbers.margin_high - numbers.margin_low) * filled
            pair += 1
