"""Whether signed biases and the study plan find the leaks planted in backgammon players, and whom they accuse."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import pandas as pd

from ludometrics.backgammon.biases import (
    BALANCED,
    INSUFFICIENT,
    TOO_LITTLE,
    TOO_MUCH,
    blot_directions,
    cube_directions,
)
from ludometrics.backgammon.error_families import classify_errors, family_labels
from ludometrics.backgammon.rates import Z_95
from ludometrics.backgammon.records import Kind
from ludometrics.backgammon.settings import DEFAULTS
from ludometrics.backgammon.themes import Theme
from ludometrics.evaluation import share_interval
from ludometrics.simulation.backgammon_players import LADDER
from ludometrics.simulation.backgammon_pool import Pool

#: What the leak of each player should look like: the bias and its verdict, and the theme of the study plan.
PLANTED_BIAS = {
    "taker": ("takes", TOO_MUCH),
    "passer": ("takes", TOO_LITTLE),
    "late": ("doubles", TOO_LITTLE),
    "early": ("doubles", TOO_MUCH),
    "cautious": ("blots", TOO_LITTLE),
}
PLANTED_THEME = {
    "taker": Theme.WRONG_TAKE,
    "passer": Theme.WRONG_PASS,
    "late": Theme.OFFER_MISSED,
    "early": Theme.OFFER_PREMATURE,
    "cautious": Theme.PASSIVE,
}
BIASES = ("takes", "doubles", "blots")


def role_of(name: str, bias: str) -> str:
    """What the verdict on ``bias`` should be for a player: "planted", "other leak" or "innocent"."""
    if PLANTED_BIAS.get(name, ("",))[0] == bias:
        return "planted"
    return "innocent" if name in LADDER else "other leak"


class _Seats(NamedTuple):
    """Sums by player and match: rows of a player are what is drawn."""

    player: np.ndarray  # (s,)
    sums: np.ndarray  # (s, ...)


def by_seat(pool: Pool, rows: np.ndarray, cells: np.ndarray, width: int, values: np.ndarray) -> _Seats:
    """Add ``values`` (k, v) of decisions ``rows`` into cell ``cells`` of their seat; every seat is there."""
    decisions = pool.library.decisions
    seat = 2 * decisions.match.astype(np.int64) + decisions.seat
    seats, row = np.unique(seat, return_inverse=True)
    player = np.full(len(seats), -1)
    player[row] = pool.player
    sums = np.zeros((len(seats) * width, values.shape[1]))
    np.add.at(sums, row[rows] * width + cells, values)
    return _Seats(player, sums.reshape(len(seats), width, values.shape[1]))


def _bias_sums(pool: Pool, least_mp: int) -> _Seats:
    """(seats, biases, 3): too much, too little (only what costs ``least_mp`` or more), decisions."""
    decisions, judged = pool.library.decisions, pool.assessment
    cube = cube_directions(decisions)
    contact, blots = blot_directions(decisions, judged, judged.counted)
    parts = [
        (judged.counted & (decisions.kind == Kind.RESPONSE), cube),
        (judged.counted & (decisions.kind == Kind.DOUBLE), cube),
        (contact, blots),
    ]
    rows, cells, values = [], [], []
    for cell, (chosen, direction) in enumerate(parts):
        found = np.flatnonzero(chosen & ~np.isnan(direction))
        sign = np.where(judged.error_mp[found] >= least_mp, direction[found], 0)
        rows.append(found)
        cells.append(np.full(len(found), cell))
        values.append(np.column_stack([sign > 0, sign < 0, np.ones(len(found))]))
    return by_seat(
        pool, np.concatenate(rows), np.concatenate(cells), len(BIASES), np.concatenate(values).astype(float)
    )


def bias_verdicts(sums: np.ndarray, least: int = DEFAULTS.bias_decisions) -> np.ndarray:
    """Verdicts of `biases.signed_bias` for many sums at once: (..., 3) too much, too little, decisions."""
    much, little, decisions = np.moveaxis(sums, -1, 0)
    with np.errstate(invalid="ignore", divide="ignore"):
        value = (much - little) / decisions
        half = Z_95 * np.sqrt(np.maximum((much + little) / decisions - value**2, 0) / decisions)
    verdicts = np.where(value - half > 0, TOO_MUCH, np.where(value + half < 0, TOO_LITTLE, BALANCED))
    return np.where(decisions < least, INSUFFICIENT, verdicts)


def bias_table(
    pool: Pool, *, matches: Sequence[int], draws: int, rng: np.random.Generator, progress=lambda items: items
) -> pd.DataFrame:
    """Verdicts on the biases of every player over so many of his matches, drawn with replacement.

    As published every decision that cost anything counts for or against; a second kind counts only what is an error by
    the settings, on the same draws.

    Returns
    -------
    DataFrame
        player, bias, least_mp (0 as published), matches: `role`, shares `too_much`, `too_little`, `balanced`,
        `insufficient`; `value` over the whole pool; `found` (share of the planted verdict; NaN where nothing is
        planted) or `accused` (share of any verdict against an innocent); `n` draws, `pool` matches.
    """
    kinds = {least: _bias_sums(pool, least) for least in (0, pool.assessment.settings.error_mp)}
    rows = []
    for player, name in enumerate(pool.names):
        mine = kinds[0].player == player
        if not mine.any():
            continue
        for count in progress(matches):
            drawn = rng.integers(mine.sum(), size=(draws, count))
            for least, seats in kinds.items():
                own = seats.sums[mine]
                verdicts = bias_verdicts(own[drawn].sum(axis=1))
                for column, bias in enumerate(BIASES):
                    much, little, decisions = own[:, column].sum(axis=0)
                    value = (much - little) / decisions if decisions else np.nan
                    row = (
                        name,
                        bias,
                        least,
                        count,
                        *_shares(name, bias, verdicts[:, column]),
                        value,
                        draws,
                        len(own),
                    )
                    rows.append(row)
    columns = [
        "player",
        "bias",
        "least_mp",
        "matches",
        "role",
        "too_much",
        "too_little",
        "balanced",
        "insufficient",
    ]
    return pd.DataFrame(rows, columns=[*columns, "found", "accused", "value", "n", "pool"])


def _shares(name: str, bias: str, verdicts: np.ndarray) -> tuple:
    role = role_of(name, bias)
    shares = [
        float(np.mean(verdicts == verdict)) for verdict in (TOO_MUCH, TOO_LITTLE, BALANCED, INSUFFICIENT)
    ]
    found = float(np.mean(verdicts == PLANTED_BIAS[name][1])) if role == "planted" else np.nan
    accused = shares[0] + shares[1] if role == "innocent" else np.nan
    return role, *shares, found, accused


class FamilySums(NamedTuple):
    """Priced and themed errors by seat and family (f families)."""

    player: np.ndarray  # (s,)
    sums: np.ndarray  # (s, f, 5): members, sum and sum of squares of the excess, then of the loss
    plan: np.ndarray  # (f,)
    kind: np.ndarray  # (f,)
    theme: np.ndarray  # (f,)


def family_sums(pool: Pool) -> FamilySums:
    """Add up the errors that a study plan looks at; every seat of the pool is there."""
    errors = classify_errors(pool.library, pool.assessment)
    members = errors.where(errors.priced & (errors.theme != Theme.NONE))
    families, first, cell = np.unique(members.family, return_index=True, return_inverse=True)
    excess, loss = members.excess, members.loss
    values = np.column_stack([np.ones(len(cell)), excess, excess**2, loss, loss**2])
    seats = by_seat(pool, members.row, cell, len(families), values)
    return FamilySums(*seats, members.plan[first], members.kind[first], members.theme[first])


def added(sums: np.ndarray, drawn: np.ndarray) -> np.ndarray:
    """Sums over the matches of each draw, one match after the other: all of them at once would fill the memory."""
    total = np.zeros((len(drawn), *sums.shape[1:]))
    for column in range(drawn.shape[1]):
        total += sums[drawn[:, column]]
    return total


def plan_lows(sums: np.ndarray, least: int = DEFAULTS.family_members) -> np.ndarray:
    """Lower end of the recoverable loss of families (..., 3 or more): members, sum, sum of squares of the excess.

    -inf outside the plan.
    """
    members, total, squares = np.moveaxis(sums[..., :3], -1, 0)
    low = total - Z_95 * np.sqrt(squares)
    return np.where((members >= least) & (low > 0), low, -np.inf)


def plan_table(
    pool: Pool, *, matches: Sequence[int], draws: int, rng: np.random.Generator, progress=lambda items: items
) -> pd.DataFrame:
    """What stands first in the study plans of so many matches, drawn with replacement.

    Returns
    -------
    DataFrame
        player, matches: `planted` theme ("" for none); `first` share of draws with a family of the planted theme
        at the head, its 95 % range of simulation `low` to `high`, `within` anywhere in the plan; `empty` share of draws
        without a plan; `families` mean number in it; `often` the family most often at the head and `often_share`;
        `n` draws, `pool` matches.
    """
    seats = family_sums(pool)
    labels = [family_labels(*family) for family in zip(seats.plan, seats.kind, seats.theme, strict=True)]
    rows = []
    for player, name in enumerate(pool.names):
        own = seats.sums[seats.player == player]
        if not len(own):
            continue
        planted = PLANTED_THEME.get(name)
        mine = seats.theme == planted if planted is not None else np.zeros(len(labels), dtype=bool)
        for count in progress(matches):
            sums = added(own, rng.integers(len(own), size=(draws, count)))
            lows = plan_lows(sums)
            head, some = lows.argmax(axis=1), np.isfinite(lows).any(axis=1)
            leads = np.bincount(head[some], minlength=len(labels))
            often = int(leads.argmax()) if some.any() else -1
            first = share_interval(int((some & mine[head]).sum()), draws) if planted is not None else None
            within = np.isfinite(lows[:, mine]).any(axis=1).mean() if planted is not None else np.nan
            rows.append(
                (name, count, planted.label if planted is not None else "")
                + ((np.nan,) * 3 if first is None else first[:3])
                + (within, 1 - some.mean(), np.isfinite(lows).sum(axis=1).mean())
                + (" / ".join(labels[often]) if often >= 0 else "", leads.max() / draws, draws, len(own))
            )
    columns = ["player", "matches", "planted", "first", "low", "high", "within", "empty", "families", "often"]
    return pd.DataFrame(rows, columns=[*columns, "often_share", "n", "pool"])
