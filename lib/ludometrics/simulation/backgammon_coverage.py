"""Whether the closed-form 95 % intervals of backgammon rates hold the truth: a pool of matches drawn again."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd
from scipy import stats

from ludometrics.backgammon.rates import NO_WIDTH, Z_95
from ludometrics.backgammon.settings import DEFAULTS, INTERVALS, RULES
from ludometrics.evaluation import share_interval
from ludometrics.simulation.backgammon_pool import Appearances


def ratio_intervals(
    sums: np.ndarray, weights: np.ndarray, method: str = "published"
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """`rates.ratio_interval` of many draws at once: (d, k) units, k at least 2; NaN where there is no interval.

    ``method`` is one of `settings.INTERVALS`.
    """
    used, sums = (weights > 0).sum(axis=1), np.where(weights > 0, sums, 0)
    total = weights.sum(axis=1)
    with np.errstate(invalid="ignore", divide="ignore"):
        ratio = sums.sum(axis=1) / total
        squares = np.where(weights > 0, (sums - ratio[:, None] * weights) ** 2, 0).sum(axis=1)
        error = np.sqrt(used / (used - 1) * squares) / total
    none = (used < DEFAULTS.least_units) | ~(error > NO_WIDTH * np.abs(ratio))
    error = np.where(none, np.nan, error)
    if method == "published":
        return ratio, np.maximum(ratio - Z_95 * error, 0), ratio + Z_95 * error
    half = stats.t.ppf(0.975, np.maximum(used - 1, 1)) * error
    if method == "student":
        return ratio, np.maximum(ratio - half, 0), ratio + half
    if method != "log student":
        raise ValueError(f"interval {method!r}, allowed are {', '.join(INTERVALS)}")
    with np.errstate(invalid="ignore", divide="ignore"):
        spread = np.exp(half / ratio)
        return ratio, ratio / spread, ratio * spread


def ratio_sums(own: Appearances, measure: str, rule: str) -> tuple[np.ndarray, np.ndarray]:
    """The two sums of each appearance whose ratio the measure is: "l7", or "pr" under a counting rule."""
    if measure == "l7":
        return own.loss, np.sqrt(own.length)
    column = RULES.index(rule)
    return own.errors[:, column], own.counts[:, column]


def coverage_table(
    pool: Appearances,
    names: Sequence[str],
    *,
    units: Sequence[int],
    draws: int,
    rng: np.random.Generator,
    measures: Sequence[str] = ("pr", "l7"),
    rule: str = DEFAULTS.rule,
    progress=lambda items: items,
) -> pd.DataFrame:
    """Share of intervals from so many units that hold a player's rate over the whole pool, which is the truth here.

    Parameters
    ----------
    pool : Appearances
        By match or by game.
    units : sequence of int
        Numbers of units drawn, with replacement.
    draws : int
        Intervals a player and number.

    Returns
    -------
    DataFrame
        player, measure, method (of INTERVALS), units: `coverage` among the intervals given with its 95 % range of
        simulation `low` to `high`; `below`, `above` (share of intervals that lie wholly below, above the truth);
        `none` (share of draws without interval); `width` (mean width over the truth); `n` intervals; `pool`
        appearances drawn from.
    """
    rows = []
    for row, name in enumerate(names):
        own = pool.where(np.flatnonzero(pool.player == row))
        if len(own) < 2:
            continue
        for measure in measures:
            sums, weights = ratio_sums(own, measure, rule)
            truth = sums.sum() / weights.sum()
            for count in progress(units):
                chosen = rng.integers(len(own), size=(draws, count))
                for method in INTERVALS:
                    ends = ratio_intervals(sums[chosen], weights[chosen], method)
                    if not np.isnan(ends[2]).all():
                        rows.append((name, measure, method, count, *_hits(*ends[1:], truth), len(own)))
    columns = [
        "player",
        "measure",
        "method",
        "units",
        "coverage",
        "low",
        "high",
        "below",
        "above",
        "none",
        "width",
    ]
    return pd.DataFrame(rows, columns=[*columns, "n", "pool"])


def _hits(low: np.ndarray, high: np.ndarray, truth: float) -> tuple:
    """Coverage with its range, shares wholly below and above, without interval, mean width, number of intervals."""
    given = ~np.isnan(high)
    n = int(given.sum())
    below, above = int((high[given] < truth).sum()), int((low[given] > truth).sum())
    share = share_interval(n - below - above, n)
    width = float((high[given] - low[given]).mean() / truth) if truth > 0 else np.nan
    return *share[:3], below / n, above / n, 1 - n / len(high), width, n


def single_match_table(
    games: Appearances, names: Sequence[str], *, rule: str = DEFAULTS.rule
) -> pd.DataFrame:
    """Share of the matches played whose own interval, by its games, holds their player's PR over the whole pool.

    Nothing is drawn again here: the games of a match are as many as it had.

    Returns
    -------
    DataFrame
        player, games (3, 4, 5, "6 and more"): `coverage`, `low`, `high`, `n` matches with an interval.
    """
    rows = []
    sums, weights = ratio_sums(games, "pr", rule)
    for row, name in enumerate(names):
        own = games.player == row
        if not own.any():
            continue
        truth = sums[own].sum() / weights[own].sum()
        found: dict[str, list[bool]] = {}
        for match in np.unique(games.match[own]):
            chosen = own & (games.match == match) & (weights > 0)
            count = int(chosen.sum())
            if count < DEFAULTS.least_units:
                continue
            _, low, high = (ends[0] for ends in ratio_intervals(sums[chosen][None], weights[chosen][None]))
            if not np.isnan(high):
                label = str(count) if count < 6 else "6 and more"
                found.setdefault(label, []).append(bool(low <= truth <= high))
        for label in sorted(found):
            share = share_interval(sum(found[label]), len(found[label]))
            rows.append((name, label, *share[:3], len(found[label])))
    return pd.DataFrame(rows, columns=["player", "games", "coverage", "low", "high", "n"])
