"""What rates of error promise against the engine, beside the matches that were played against it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pandas as pd

from ludometrics.backgammon.luck import tally_luck
from ludometrics.backgammon.rates import Rate, elo
from ludometrics.evaluation import NORMAL_95, share_interval
from ludometrics.simulation.backgammon_players import PLAYERS
from ludometrics.simulation.backgammon_pool import Appearances, Pool

ENGINE = "engine"
FACTOR = np.sqrt(7)


def read_results(path: str | Path) -> pd.DataFrame:
    """The table of `backgammon_collecting.collect_results` as it ships."""
    return pd.read_csv(path)


def engine_table(
    results: pd.DataFrame,
    pool: Appearances,
    names: Sequence[str],
    *,
    replicates: int,
    rng: np.random.Generator,
) -> pd.DataFrame:
    """Every player's chance to win a match to seven points against the engine: foretold by L7, and as it came out.

    L7 is measured against perfect play as the analysis sees it; the opponent at the table has an L7 of its own, so
    what is foretold is 0.5 - (own L7 - the engine's).

    Parameters
    ----------
    results : DataFrame
        Of `backgammon_collecting.collect_results`; matches against the engine to seven points that were not analysed
        are used.
    pool : Appearances
        By match, of the analysed matches.
    replicates : int
        Of the bootstrap over appearances, of both players apart.

    Returns
    -------
    DataFrame
        player: `l7` with `l7_low`, `l7_high`, `elo` by it; `foretold` with its interval; `won` with its own, `n`
        matches against the engine, `pool` appearances; `gap` = won - foretold with `gap_low`, `gap_high`.
    """
    own = {name: pool.where(np.flatnonzero(pool.player == row)) for row, name in enumerate(names)}
    drawn = {name: _l7_draws(part, replicates, rng=rng) for name, part in own.items() if len(part)}
    rows = []
    for name in PLAYERS:
        games = results[(results["length"] == 7) & ~results["analysed"]]
        first, second = games["player_1"] == name, games["player_2"] == name
        against = (first & (games["player_2"] == ENGINE)) | (second & (games["player_1"] == ENGINE))
        against &= ~(first & second)
        if name == ENGINE or not against.any() or name not in drawn:
            continue
        games, first = games[against], first[against]
        won = np.where(first, games["score_1"] > games["score_2"], games["score_2"] > games["score_1"])
        share = share_interval(int(won.sum()), len(won))
        l7 = drawn[name]
        foretold = 0.5 - (l7 - drawn[ENGINE])
        # Matches analysed and matches won are different matches, so the two errors add up as independent ones do.
        error = np.hypot(foretold[1:].std(ddof=1), np.sqrt(share.value * (1 - share.value) / len(won)))
        gap = share.value - foretold[0]
        rating = elo(
            Rate(float(l7[0]), *map(float, np.percentile(l7[1:], [2.5, 97.5])), 0, len(own[name]), "")
        )
        rows.append(
            (
                name,
                *_ends(l7),
                rating.value,
                rating.low,
                rating.high,
                *_ends(foretold),
                *share[:3],
                len(won),
                len(own[name]),
                gap,
                gap - NORMAL_95 * error,
                gap + NORMAL_95 * error,
            )
        )
    columns = ["player", "l7", "l7_low", "l7_high", "elo", "elo_low", "elo_high", "foretold", "foretold_low"]
    columns += ["foretold_high", "won", "won_low", "won_high", "n", "pool", "gap", "gap_low", "gap_high"]
    return pd.DataFrame(rows, columns=columns)


def _l7_draws(own: Appearances, replicates: int, *, rng: np.random.Generator) -> np.ndarray:
    """(1 + replicates,) L7 of the pool, then of pools drawn from it."""
    rows = rng.integers(len(own), size=(replicates, len(own)))
    rows = np.concatenate([np.arange(len(own))[None], rows])
    return FACTOR * own.loss[rows].sum(axis=1) / np.sqrt(own.length)[rows].sum(axis=1)


def _ends(values: np.ndarray) -> tuple[float, float, float]:
    return float(values[0]), *map(float, np.percentile(values[1:], [2.5, 97.5]))


def length_table(
    pool: Appearances, names: Sequence[str], player: str, *, replicates: int, rng: np.random.Generator
) -> pd.DataFrame:
    """L7 and PR of one player over match lengths: whether losses grow as the square root of the length.

    Parameters
    ----------
    pool : Appearances
        By match, of all matches; those of ``player`` are taken.

    Returns
    -------
    DataFrame
        length: `l7`, `pr` and `loss` (per appearance) with intervals by bootstrap over matches (both seats of a match
        against himself together), `n` matches.
    """
    pool = pool.where(np.flatnonzero(pool.player == list(names).index(player)))
    rows = []
    for length in np.unique(pool.length):
        own = pool.where(np.flatnonzero(pool.length == length))
        matches, code = np.unique(own.match, return_inverse=True)
        sums = np.zeros((len(matches), 4))
        np.add.at(
            sums, code, np.column_stack([own.loss, np.ones(len(own)), own.errors[:, 0], own.counts[:, 0]])
        )
        drawn = rng.integers(len(matches), size=(replicates, len(matches)))
        totals = np.concatenate([sums.sum(axis=0)[None], sums[drawn].sum(axis=1)])
        l7 = FACTOR * totals[:, 0] / (totals[:, 1] * np.sqrt(length))
        rows.append(
            (
                int(length),
                *_ends(l7),
                *_ends(totals[:, 2] / totals[:, 3] / 2),
                *_ends(totals[:, 0] / totals[:, 1]),
                len(matches),
            )
        )
    columns = [
        "length",
        "l7",
        "l7_low",
        "l7_high",
        "pr",
        "pr_low",
        "pr_high",
        "loss",
        "loss_low",
        "loss_high",
        "n",
    ]
    return pd.DataFrame(rows, columns=columns)


#: Gaps between two players' L7 that matches are sorted by.
GAPS = (
    (0.0, np.inf, "all"),
    (0.0, 0.05, "below 0.05"),
    (0.05, 0.15, "0.05 to 0.15"),
    (0.15, np.inf, "from 0.15 on"),
)


def luck_table(pool: Pool, own: Appearances, *, replicates: int, rng: np.random.Generator) -> pd.DataFrame:
    """How much of the results of matches is luck, by the gap between the two players' L7 over the pool.

    Of the better player (lower L7): result R (1 or 0 less the chance at the start), luck-adjusted result A, luck
    R - A, and the error balance (the other's loss less his own).

    Parameters
    ----------
    pool : Pool
        Of matches between different players.
    own : Appearances
        The same by match.
    replicates : int
        Of the bootstrap over matches.

    Returns
    -------
    DataFrame
        gap, quantity: `value`, `low`, `high`, `n` matches. Quantities: variance of luck over that of results; of A
        over that of results; share of matches that the better player won; that were won by dice (by the player whom
        the luck-adjusted result puts behind); mean of A; mean of A less the error balance, 0 where luck is fair.
    """
    seats = np.array([[pool.names.index(name) for name in match.players] for match in pool.library.matches])
    l7 = np.array(
        [
            FACTOR
            * own.loss[own.player == row].sum()
            / max(np.sqrt(own.length[own.player == row]).sum(), 1e-12)
            for row in range(len(pool.names))
        ]
    )
    luck, judged, decisions = (
        tally_luck(pool.library, pool.assessment),
        pool.assessment,
        pool.library.decisions,
    )
    priced = judged.has_loss
    slot = 2 * decisions.match[priced].astype(int) + decisions.seat[priced]
    losses = np.bincount(slot, judged.loss[priced], 2 * len(seats)).reshape(-1, 2)
    sign = np.where(l7[seats[:, 0]] <= l7[seats[:, 1]], 1.0, -1.0)
    result, adjusted, balance = sign * luck.result, sign * luck.adjusted, sign * (losses[:, 1] - losses[:, 0])
    gap = np.abs(l7[seats[:, 0]] - l7[seats[:, 1]])
    rows = []
    for low, high, label in GAPS:
        chosen = np.isfinite(adjusted) & (gap >= low) & (gap < high)
        if chosen.sum() < 2:
            continue
        columns = np.column_stack([result, adjusted, balance])[chosen]
        drawn = rng.integers(len(columns), size=(replicates, len(columns)))
        values = np.array([_luck_quantities(columns[pick]) for pick in [np.arange(len(columns)), *drawn]])
        ends = np.nanpercentile(values[1:], [2.5, 97.5], axis=0)
        for column, quantity in enumerate(QUANTITIES):
            rows.append((label, quantity, values[0, column], *ends[:, column], len(columns)))
    return pd.DataFrame(rows, columns=["gap", "quantity", "value", "low", "high", "n"])


QUANTITIES = (
    "variance of luck",
    "variance of play",
    "won by the better",
    "won by dice",
    "adjusted result",
    "adjusted less balance",
)


def _luck_quantities(columns: np.ndarray) -> list[float]:
    result, adjusted, balance = columns.T
    spread = result.var() or np.nan
    dice = (np.sign(adjusted) != np.sign(result)) & (adjusted != 0)
    return [
        (result - adjusted).var() / spread,
        adjusted.var() / spread,
        (result > 0).mean(),
        dice.mean(),
        adjusted.mean(),
        (adjusted - balance).mean(),
    ]
