"""Whether the closed-form 95 % intervals of backgammon rates hold the truth: a pool of matches drawn again."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd

from ludometrics.backgammon.rates import NO_WIDTH, Z_95
from ludometrics.backgammon.settings import DEFAULTS, RULES
from ludometrics.evaluation import share_interval
from ludometrics.simulation.backgammon_pool import Appearances

RULE = RULES.index(DEFAULTS.rule)


def ratio_intervals(sums: np.ndarray, weights: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """`rates.ratio_interval` of many draws at once: (d, k) units, k at least 2; NaN where there is no interval."""
    used, sums = (weights > 0).sum(axis=1), np.where(weights > 0, sums, 0)
    total = weights.sum(axis=1)
    with np.errstate(invalid="ignore", divide="ignore"):
        ratio = sums.sum(axis=1) / total
        squares = np.where(weights > 0, (sums - ratio[:, None] * weights) ** 2, 0).sum(axis=1)
        error = np.sqrt(used / (used - 1) * squares) / total
    none = (used < DEFAULTS.least_units) | ~(error > NO_WIDTH * np.abs(ratio))
    error = np.where(none, np.nan, error)
    return ratio, np.maximum(ratio - Z_95 * error, 0), ratio + Z_95 * error


def _ratios(own: Appearances, measure: str) -> tuple[np.ndarray, np.ndarray]:
    """The two sums of each appearance whose ratio the measure is."""
    if measure == "l7":
        return own.loss, np.sqrt(own.length)
    return own.errors[:, RULE], own.counts[:, RULE]


def coverage_table(
    pool: Appearances,
    names: Sequence[str],
    *,
    units: Sequence[int],
    draws: int,
    rng: np.random.Generator,
    measures: Sequence[str] = ("pr", "l7"),
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
        player, measure, units: `coverage` among the intervals given with its 95 % range of simulation `low` to
        `high`; `below`, `above` (share of intervals that lie wholly below, above the truth); `none` (share of draws
        without interval); `width` (mean width over the truth); `n` intervals; `pool` appearances drawn from.
    """
    rows = []
    for row, name in enumerate(names):
        own = pool.where(np.flatnonzero(pool.player == row))
        if len(own) < 2:
            continue
        for measure in measures:
            sums, weights = _ratios(own, measure)
            truth = sums.sum() / weights.sum()
            for count in progress(units):
                chosen = rng.integers(len(own), size=(draws, count))
                _, low, high = ratio_intervals(sums[chosen], weights[chosen])
                given = ~np.isnan(high)
                n = int(given.sum())
                if n == 0:
                    continue
                below, above = (high[given] < truth).sum(), (low[given] > truth).sum()
                share = share_interval(n - int(below) - int(above), n)
                width = float((high[given] - low[given]).mean() / truth) if truth > 0 else np.nan
                missed = below / n, above / n, 1 - n / draws
                rows.append((name, measure, count, *share[:3], *missed, width, n, len(own)))
    columns = [
        "player",
        "measure",
        "units",
        "coverage",
        "low",
        "high",
        "below",
        "above",
        "none",
        "width",
        "n",
        "pool",
    ]
    return pd.DataFrame(rows, columns=columns)


def single_match_table(games: Appearances, names: Sequence[str]) -> pd.DataFrame:
    """Share of the matches played whose own interval, by its games, holds their player's PR over the whole pool.

    Nothing is drawn again here: the games of a match are as many as it had.

    Returns
    -------
    DataFrame
        player, games (3, 4, 5, "6 and more"): `coverage`, `low`, `high`, `n` matches with an interval.
    """
    rows = []
    sums, weights = _ratios(games, "pr")
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
