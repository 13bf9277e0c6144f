"""After how many matches a rate of error puts players of known skill in order, and which rate does it best."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

import numpy as np
import pandas as pd

from ludometrics.backgammon.settings import DEFAULTS, RULES
from ludometrics.evaluation import statistic_interval
from ludometrics.simulation.backgammon_players import LADDER
from ludometrics.simulation.backgammon_pool import Appearances

MEASURES = (*RULES, "l7")


def measure_values(sums: Appearances, axis: int) -> np.ndarray:
    """Every measure of MEASURES of appearances added up along ``axis``, on an axis of its own at the end.

    Rates are per decision in thousandths of equity (the factor does not change an order); L7 without its sqrt(7).
    """
    rates = sums.errors.sum(axis=axis) / sums.counts.sum(axis=axis)
    l7 = sums.loss.sum(axis=axis) / np.sqrt(sums.length).sum(axis=axis)
    return np.concatenate([rates, l7[..., None]], axis=-1)


def draw_values(
    own: Appearances, matches: int, shape: tuple[int, int], *, rng: np.random.Generator
) -> np.ndarray:
    """(worlds, draws, measures): values over ``matches`` appearances drawn with replacement.

    Every world is a pool of the same size drawn from the pool: how much the shares move from world to world tells how
    well the pool pins them down.
    """
    worlds, draws = shape
    pools = rng.integers(len(own), size=(worlds, len(own)))
    rows = rng.integers(len(own), size=(worlds, draws * matches))
    chosen = np.take_along_axis(pools, rows, axis=1).reshape(worlds, draws, matches)
    return measure_values(own.where(chosen), axis=2)


def _draw_both(
    parts: dict[str, Appearances], matches: int, draws: int, worlds: int, rng: np.random.Generator
) -> tuple[dict[str, np.ndarray], dict[str, np.ndarray]]:
    """Values of every player from the pool as it is (1, draws, measures), and from worlds with a tenth of the draws."""
    pool = {
        name: measure_values(own.where(rng.integers(len(own), size=(1, draws, matches))), axis=2)
        for name, own in parts.items()
    }
    shape = worlds, max(draws // 10, 1)
    return pool, {name: draw_values(own, matches, shape, rng=rng) for name, own in parts.items()}


def _shares(values: dict[str, np.ndarray], better: str, worse: str) -> np.ndarray:
    """(worlds, measures): share of draws in which the better has the lower rate; a tie counts half."""
    gap = values[worse] - values[better]
    return ((gap > 0) + 0.5 * (gap == 0)).mean(axis=1)


def _ladder(pool: Appearances, names: Sequence[str]) -> dict[str, Appearances]:
    """Appearances of each player of the ladder who has any, the best first."""
    ladder = [name for name in LADDER if name in names]
    own = {name: pool.where(np.flatnonzero(pool.player == list(names).index(name))) for name in ladder}
    return {name: part for name, part in own.items() if len(part)}


def order_table(
    pool: Appearances,
    names: Sequence[str],
    *,
    matches: Sequence[int],
    draws: int,
    worlds: int,
    rng: np.random.Generator,
    progress=lambda items: items,
) -> pd.DataFrame:
    """How often the better of two players of the ladder has the lower rate, both having played so many matches.

    Parameters
    ----------
    pool : Appearances
        By match, of matches of one length.
    names : sequence of str
        Of `Appearances.player`.
    matches : sequence of int
        Numbers of matches of each player that are drawn.
    draws, worlds : int
        Draws from the pool; worlds, each with a tenth of the draws: pools drawn from it by whole matches of each
        player.

    Returns
    -------
    DataFrame
        better, worse, measure, matches: `share` right (a tie counts half), its 95 % interval `low` to `high` over
        the worlds, and `n`, appearances of the player with fewer in the pool.
    """
    own = _ladder(pool, names)
    rows = []
    for count in progress(matches):
        pooled, drawn = _draw_both(own, count, draws, worlds, rng)
        for better, worse in combinations(own, 2):
            share = _shares(pooled, better, worse)[0]
            low, high = np.percentile(_shares(drawn, better, worse), [2.5, 97.5], axis=0)
            n = min(len(own[better]), len(own[worse]))
            for column, measure in enumerate(MEASURES):
                rows.append((better, worse, measure, count, share[column], low[column], high[column], n))
    columns = ["better", "worse", "measure", "matches", "share", "low", "high", "n"]
    return pd.DataFrame(rows, columns=columns)


def rule_table(
    pool: Appearances,
    names: Sequence[str],
    *,
    matches: Sequence[int],
    draws: int,
    worlds: int,
    rng: np.random.Generator,
    progress=lambda items: items,
) -> pd.DataFrame:
    """Mean share of pairs of the ladder in the right order by measure, less that of the settings' own rule.

    Every measure sees the same draws, so the difference between two is told better than either share.

    Returns
    -------
    DataFrame
        measure, matches: `share` over all pairs, `low`, `high`; `difference` to the default rule with
        `difference_low` and `difference_high`; `n` appearances of the player with fewest.
    """
    own = _ladder(pool, names)
    default = MEASURES.index(DEFAULTS.rule)
    rows = []
    for count in progress(matches):
        pooled, drawn = _draw_both(own, count, draws, worlds, rng)
        pairs = list(combinations(own, 2))
        share = np.mean([_shares(pooled, *pair)[0] for pair in pairs], axis=0)
        shares = np.mean([_shares(drawn, *pair) for pair in pairs], axis=0)
        differences = shares - shares[:, default : default + 1]
        ends = np.percentile(shares, [2.5, 97.5], axis=0)
        gaps = np.percentile(differences, [2.5, 97.5], axis=0)
        n = min(map(len, own.values()))
        for column, measure in enumerate(MEASURES):
            row = (
                measure,
                count,
                share[column],
                *ends[:, column],
                share[column] - share[default],
                *gaps[:, column],
                n,
            )
            rows.append(row)
    columns = [
        "measure",
        "matches",
        "share",
        "low",
        "high",
        "difference",
        "difference_low",
        "difference_high",
        "n",
    ]
    return pd.DataFrame(rows, columns=columns)


def spread_table(
    pool: Appearances, names: Sequence[str], *, replicates: int, rng: np.random.Generator
) -> pd.DataFrame:
    """Every player's rate over the pool, and how far the rate of one match strays from it.

    Returns
    -------
    DataFrame
        player, measure: `value` over the pool with its bootstrap interval over matches, `deviation` (standard
        deviation of the rate of a single match) with its own; `n` appearances. Rates per 500 (gnubg per 1000), L7 as
        a fraction of a match.
    """
    factors = np.array([1.0 if rule == "gnubg" else 0.5 for rule in RULES] + [np.sqrt(7)])
    rows = []
    for row, name in enumerate(names):
        own = pool.where(np.flatnonzero(pool.player == row))
        if len(own) < 2:
            continue
        single = factors * measure_values(own.where(np.arange(len(own))[:, None]), axis=1)
        for column, measure in enumerate(MEASURES):

            def whole(weights, own=own, column=column):
                weighed = Appearances(
                    own.player,
                    own.match,
                    own.length,
                    own.errors * weights[:, None],
                    own.counts * weights[:, None],
                    own.loss * weights,
                )
                if column == len(RULES):
                    return factors[column] * weighed.loss.sum() / (weights * np.sqrt(own.length)).sum()
                return factors[column] * weighed.errors[:, column].sum() / weighed.counts[:, column].sum()

            def strays(weights, values=single[:, column]):
                mean = np.average(values, weights=weights)
                return np.sqrt((weights * (values - mean) ** 2).sum() / (weights.sum() - 1))

            options = {"n_games": len(own), "units": None, "replicates": replicates, "rng": rng}
            value, deviation = statistic_interval(whole, **options), statistic_interval(strays, **options)
            rows.append((name, measure, *value[:3], *deviation[:3], len(own)))
    columns = [
        "player",
        "measure",
        "value",
        "low",
        "high",
        "deviation",
        "deviation_low",
        "deviation_high",
        "n",
    ]
    return pd.DataFrame(rows, columns=columns)
