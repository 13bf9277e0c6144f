"""What the candidate plays of each checker decision say: the best, the played one's cost, the spread, the difficulty.

One pass over all options, compiled; `summarise_plain` is the same in plain Python, for the tests.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit

from ludometrics.backgammon.records import UNKNOWN, Decisions


class Choices(NamedTuple):
    """(n,) each, aligned with the decisions; rows that are no checker play have UNKNOWN, NaN, 0 and False.

    Attributes
    ----------
    best : int
        Row among the decision's options: the highest equity among those analysed deepest.
    cost : float
        Equity of the best less that of the played option, at least 0; NaN: not found among the options.
    spread : float
        Highest less lowest equity listed.
    gap : float
        Cost of the second-best option at the greatest depth; NaN with a single one.
    difficulty : float
        Expected cost of choosing with chances proportional to exp(-cost / temperature); NaN without options.
    distinct : int
        Different boards among the options.
    mixed_depths : bool
        Options analysed at different depths.
    """

    best: np.ndarray
    cost: np.ndarray
    spread: np.ndarray
    gap: np.ndarray
    difficulty: np.ndarray
    distinct: np.ndarray
    mixed_depths: np.ndarray


def summarise(decisions: Decisions, temperature: float) -> Choices:
    """The `Choices` of every decision; ``temperature`` in normalised equity."""
    options = decisions.options
    return Choices(
        *_summarise(
            decisions.option_start,
            options.equity,
            options.depth,
            options.board,
            decisions.played,
            float(temperature),
        )
    )


@njit(cache=True)
def _summarise(start, equity, depth, boards, played, temperature):
    n = len(start) - 1
    best = np.full(n, UNKNOWN, np.int16)
    cost = np.full(n, np.nan)
    spread = np.full(n, np.nan)
    gap = np.full(n, np.nan)
    difficulty = np.full(n, np.nan)
    distinct = np.zeros(n, np.int16)
    mixed = np.zeros(n, np.bool_)
    for row in range(n):
        low, high = start[row], start[row + 1]
        deepest = -32768
        for k in range(low, high):
            if not np.isnan(equity[k]) and depth[k] > deepest:
                deepest = depth[k]
        top, second, top_at = -np.inf, -np.inf, -1
        greatest, least = -np.inf, np.inf
        for k in range(low, high):
            value = equity[k]
            if np.isnan(value):
                continue
            if depth[k] != deepest:
                mixed[row] = True
            elif value > top:
                second, top, top_at = top, value, k
            elif value > second:
                second = value
            greatest, least = max(greatest, value), min(least, value)
        if top_at < 0:
            continue
        best[row] = top_at - low
        spread[row] = greatest - least
        if second > -np.inf:
            gap[row] = top - second
        weights, costs = 0.0, 0.0
        for k in range(low, high):
            if not np.isnan(equity[k]):
                own = max(top - equity[k], 0.0)
                weight = np.exp(-own / temperature)
                weights += weight
                costs += weight * own
        difficulty[row] = costs / weights
        if played[row] >= 0 and low + played[row] < high and not np.isnan(equity[low + played[row]]):
            cost[row] = max(top - equity[low + played[row]], 0.0)
        for k in range(low, high):
            fresh = True
            for earlier in range(low, k):
                same = True
                for slot in range(boards.shape[1]):
                    if boards[k, slot] != boards[earlier, slot]:
                        same = False
                        break
                if same:
                    fresh = False
                    break
            if fresh:
                distinct[row] += 1
    return best, cost, spread, gap, difficulty, distinct, mixed


def summarise_plain(decisions: Decisions, temperature: float) -> Choices:
    """The same as `summarise`, decision by decision."""
    rows = []
    for row in range(len(decisions)):
        part = decisions.options_of(row)
        equity, depth, boards = (
            getattr(decisions.options, name)[part] for name in ("equity", "depth", "board")
        )
        known = np.flatnonzero(~np.isnan(equity))
        if not len(known):
            rows.append((UNKNOWN, np.nan, np.nan, np.nan, np.nan, 0, False))
            continue
        deepest = known[depth[known] == depth[known].max()]
        ranked = sorted(deepest, key=lambda k: -equity[k])
        costs = np.maximum(equity[ranked[0]] - equity[known], 0)
        chances = np.exp(-costs / temperature)
        played = int(decisions.played[row])
        priced = 0 <= played < len(equity) and not np.isnan(equity[played])
        rows.append(
            (
                ranked[0],
                max(equity[ranked[0]] - equity[played], 0) if priced else np.nan,
                equity[known].max() - equity[known].min(),
                equity[ranked[0]] - equity[ranked[1]] if len(ranked) > 1 else np.nan,
                (chances * costs).sum() / chances.sum(),
                len({bytes(board) for board in boards}),
                len(deepest) < len(known),
            )
        )
    columns = list(zip(*rows, strict=True)) if rows else [()] * 7
    types = (np.int16, float, float, float, float, np.int16, bool)
    return Choices(*(np.array(column, dtype=dtype) for column, dtype in zip(columns, types, strict=True)))


def choice_difficulty(costs, temperature: float) -> float:
    """Expected cost of choosing among options with chances proportional to exp(-cost / temperature).

    Parameters
    ----------
    costs : (k,) float
        Less good than the best by this much, in any unit that ``temperature`` shares; shifted so that the best is 0.

    Examples
    --------
    >>> round(choice_difficulty([0, 0.032], 0.025), 6)
    0.006962
    """
    costs = np.asarray(costs, dtype=float)
    costs = costs - costs.min()
    chances = np.exp(-costs / temperature)
    return float((chances * costs).sum() / chances.sum())
