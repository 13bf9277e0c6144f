"""Verdicts on backgammon players in whom nothing changed: study that "helped", tournaments played "worse", haste."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd

from ludometrics.backgammon.pace import report_pace
from ludometrics.backgammon.plans import Plan, classify_boards
from ludometrics.backgammon.rates import Z_95
from ludometrics.backgammon.records import Kind
from ludometrics.backgammon.settings import DEFAULTS
from ludometrics.evaluation import share_interval
from ludometrics.simulation.backgammon_coverage import ratio_intervals, ratio_sums
from ludometrics.simulation.backgammon_leaks import added, by_seat, family_sums, plan_lows
from ludometrics.simulation.backgammon_pool import Appearances, Pool

#: Who plays a tournament, and whose matches are the usual level: nothing changed, a little worse, much worse.
TOURNAMENTS = (
    ("t010", "t010"),
    ("t020", "t020"),
    ("t030", "t030"),
    ("t050", "t050"),
    ("t020", "t010"),
    ("t030", "t020"),
    ("t050", "t030"),
    ("t050", "t020"),
)


def study_table(
    pool: Pool, *, matches: Sequence[int], draws: int, rng: np.random.Generator, progress=lambda items: items
) -> pd.DataFrame:
    """How often a family of errors "improves" for a player who did not change.

    So many matches are drawn for before and as many for after. The family is the first of the study plan of the
    matches before, as a player would choose it; or, for comparison, one drawn from those that the plan of the
    whole pool holds, without a look at the matches before.

    Returns
    -------
    DataFrame
        player, chosen ("from the matches before", "beforehand"), matches: shares `improved`, `worse`, `undetermined`
        of the draws with a verdict, `insufficient` of all; mean `gain` in match winning chances per 100 decisions
        with `gain_low`, `gain_high` over the draws (1.96 standard errors); `n` draws with a family.
    """
    seats = family_sums(pool)
    group = 2 * seats.plan.astype(int) + seats.kind
    played = _decisions_by_group(pool)
    rows = []
    for player, name in enumerate(pool.names):
        mine = seats.player == player
        own, own_played = seats.sums[mine], played.sums[mine][:, :, 0]
        if not len(own):
            continue
        held = np.flatnonzero(np.isfinite(plan_lows(own.sum(axis=0))))
        for count in progress(matches):
            halves = [rng.integers(len(own), size=(draws, count)) for _ in range(2)]
            sums = [added(own, half) for half in halves]
            decisions = [added(own_played, half) for half in halves]
            lows = plan_lows(sums[0])
            from_before = np.where(np.isfinite(lows).any(axis=1), lows.argmax(axis=1), -1)
            beforehand = rng.choice(held, size=draws) if len(held) else np.full(draws, -1)
            for chosen, family in (("from the matches before", from_before), ("beforehand", beforehand)):
                row = _windows(sums, decisions, family, group)
                if row is not None:
                    rows.append((name, chosen, count, *row))
    columns = ["player", "chosen", "matches", "improved", "worse", "undetermined", "insufficient", "gain"]
    return pd.DataFrame(rows, columns=[*columns, "gain_low", "gain_high", "n"])


def _decisions_by_group(pool: Pool):
    """Counted decisions of match play by plan of play and kind: (seats, 2 x plans, 1)."""
    decisions, judged = pool.library.decisions, pool.assessment
    rows = np.flatnonzero(judged.counted & (decisions.away[:, 0] > 0))
    cells = 2 * classify_boards(decisions.board[rows]).astype(int) + (decisions.kind[rows] != Kind.CHECKER)
    return by_seat(pool, rows, cells, 2 * len(Plan), np.ones((len(rows), 1)))


def _windows(sums, decisions, family, group):
    """Shares of verdicts of `study_effect.compare_windows` for the family chosen in each draw; None without any."""
    some = np.flatnonzero(family >= 0)
    if not len(some):
        return None
    family = family[some]
    loss = [part[some, family, 3] for part in sums]
    squares = [part[some, family, 4] for part in sums]
    counts = [part[some, group[family]] for part in decisions]
    with np.errstate(invalid="ignore", divide="ignore"):
        gain = loss[0] / counts[0] - loss[1] / counts[1]
        half = Z_95 * np.sqrt(squares[0] / counts[0] ** 2 + squares[1] / counts[1] ** 2)
    enough = np.minimum(*counts) >= DEFAULTS.window_decisions
    if not enough.any():
        return (np.nan,) * 3 + (1.0,) + (np.nan,) * 3 + (len(some),)
    improved, worse = enough & (half > 0) & (gain - half > 0), enough & (half > 0) & (gain + half < 0)
    undetermined = enough & ~improved & ~worse
    known = gain[np.isfinite(gain)]
    error = Z_95 * known.std(ddof=1) / np.sqrt(len(known)) if len(known) > 1 else np.nan
    shares = [part[enough].mean() for part in (improved, worse, undetermined)]
    return (
        *shares,
        1 - enough.mean(),
        100 * known.mean(),
        100 * (known.mean() - error),
        100 * (known.mean() + error),
        len(some),
    )


def tournament_table(
    pool: Appearances,
    names: Sequence[str],
    *,
    matches: Sequence[int],
    usual: int,
    draws: int,
    rng: np.random.Generator,
    pairs: Sequence[tuple[str, str]] = TOURNAMENTS,
    rule: str = DEFAULTS.rule,
) -> pd.DataFrame:
    """Verdicts on a tournament of so many matches, played as one player, held against matches of another.

    Parameters
    ----------
    pairs : sequence of (here, usual)
        Who plays the tournament and who played the usual matches; the same twice: nothing changed.
    usual : int
        Matches of the usual level.

    Returns
    -------
    DataFrame
        here, usual, matches: shares `worse`, `better`, `as_usual`, `insufficient`; the 95 % range of simulation of
        `worse`; `n` draws.
    """
    rows = []
    for here, before in pairs:
        own, other = (
            pool.where(np.flatnonzero(pool.player == list(names).index(name))) for name in (here, before)
        )
        if not len(own) or not len(other):
            continue
        for count in matches:
            value, high = _rates(own, rule, count, draws, rng)
            level, level_high = _rates(other, rule, usual, draws, rng)
            half = np.hypot(high - value, level_high - level)
            known = ~np.isnan(half)
            worse = known & (value - level - half > 0)
            better = known & (value - level + half < 0)
            share = share_interval(int(worse.sum()), draws)
            rest = better.mean(), (known & ~worse & ~better).mean(), 1 - known.mean()
            rows.append((here, before, count, share.value, *rest, share.low, share.high, draws))
    columns = ["here", "usual", "matches", "worse", "better", "as_usual", "insufficient", "low", "high", "n"]
    return pd.DataFrame(rows, columns=columns)


def _rates(
    own: Appearances, rule: str, count: int, draws: int, rng: np.random.Generator
) -> tuple[np.ndarray, np.ndarray]:
    chosen = rng.integers(len(own), size=(draws, count))
    sums, weights = ratio_sums(own, "pr", rule)
    value, _, high = ratio_intervals(sums[chosen], weights[chosen])
    return value, high


def pace_table(pool: Pool) -> pd.DataFrame:
    """Hasty errors of every player: half, where haste does not matter.

    Returns
    -------
    DataFrame
        player, type (checker, cube, all): `hasty`, `considered` errors, `share` hasty with `low`, `high`; `quick`
        share of all priced decisions, which the share is to be held against;
        `loss_share` of the match winning chances lost; `n` matches.
    """
    rows = []
    for player, name in enumerate(pool.names):
        mask = pool.player == player
        if not mask.any():
            continue
        pace = report_pace(pool.library, pool.assessment, mask)
        for part in (pace.checker, pace.cube, pace.all):
            lost = part.hasty_loss + part.considered_loss
            share = part.hasty_loss / lost if lost else np.nan
            ends = [np.nan if value is None else value for value in (part.share, part.low, part.high)]
            quick = part.quick / part.decisions if part.decisions else np.nan
            rows.append((name, part.type, part.hasty, part.considered, *ends, quick, share, part.matches))
    columns = ["player", "type", "hasty", "considered", "share", "low", "high", "quick", "loss_share", "n"]
    return pd.DataFrame(rows, columns=columns)


def easy_table(pool: Pool, *, least_difficulty: float = 0.0005) -> pd.DataFrame:
    """PR and L7 with and without the decisions that nobody gets wrong.

    Easy is a counted decision at which somebody choosing at the settings' temperature would lose less than
    ``least_difficulty`` of equity.

    Returns
    -------
    DataFrame
        player: `easy` share of the counted decisions; `pr`, `pr_without`, `l7`, `l7_without`; `n` matches.
    """
    judged, decisions = pool.assessment, pool.library.decisions
    lengths = np.array([match.length for match in pool.library.matches])
    rows = []
    for player, name in enumerate(pool.names):
        own = judged.counted & (pool.player == player)
        if not own.any():
            continue
        hard = own & (judged.difficulty_equity >= least_difficulty)
        seats = np.unique(2 * decisions.match[own].astype(int) + decisions.seat[own])
        roots = np.sqrt(lengths[seats // 2]).sum()
        rates = [0.5 * judged.error_mp[part].mean() for part in (own, hard)]
        losses = [np.sqrt(7) * np.nansum(judged.loss[part]) / roots for part in (own, hard)]
        rows.append((name, 1 - hard.sum() / own.sum(), *rates, *losses, len(seats)))
    return pd.DataFrame(rows, columns=["player", "easy", "pr", "pr_without", "l7", "l7_without", "n"])


def cut_table(pool: Pool, *, listed: Sequence[int]) -> pd.DataFrame:
    """How far the difficulty falls short where an analysis lists only its first candidates (and the one played).

    Returns
    -------
    DataFrame
        listed: mean `difficulty` of the counted checker plays (equity), its `share` of that with every candidate of
        the pool, `cut` share of plays with candidates left out, `n` decisions.
    """
    decisions, judged = pool.library.decisions, pool.assessment
    used = np.flatnonzero(judged.counted & (decisions.kind == Kind.CHECKER))
    full = judged.difficulty_equity[used].mean()
    rows = []
    for count in listed:
        means, cut = _difficulty_of_first(pool, used, count)
        rows.append((count, means, means / full, cut, len(used)))
    return pd.DataFrame(rows, columns=["listed", "difficulty", "share", "cut", "n"])


def _difficulty_of_first(pool: Pool, used: np.ndarray, count: int) -> tuple[float, float]:
    decisions, judged = pool.library.decisions, pool.assessment
    starts, ends = decisions.option_start[used], decisions.option_start[used + 1]
    lengths = ends - starts
    first = np.concatenate([[0], np.cumsum(lengths)[:-1]])
    place = np.arange(lengths.sum()) - np.repeat(first, lengths)
    kept = (place < count) | (place == np.repeat(decisions.played[used], lengths))
    flat = np.repeat(starts, lengths) + place
    costs = np.maximum(
        np.repeat(decisions.options.equity[starts + judged.best[used]], lengths)
        - decisions.options.equity[flat],
        0,
    )
    weights = np.where(kept, np.exp(-costs / DEFAULTS.temperature), 0)
    means = np.add.reduceat(weights * costs, first) / np.add.reduceat(weights, first)
    return float(means.mean()), float((np.add.reduceat(~kept, first) > 0).mean())
