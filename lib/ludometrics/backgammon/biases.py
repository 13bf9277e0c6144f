"""Signed biases: not how much a player loses but which way he errs.

Each decision has x = 1 (an error towards too much: a wrong take, a premature double, more blots than the best play
leaves), -1 (towards too little: a wrong pass, a missed double, fewer blots) or 0. The bias is the mean of x over his
counted decisions; of takes it is how much more often he takes than the engine would in the same positions.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import pandas as pd

from ludometrics.backgammon.assessment import Assessment
from ludometrics.backgammon.boards import boards_contact
from ludometrics.backgammon.rates import Z_95
from ludometrics.backgammon.records import DOUBLE, PASS, TAKE, UNKNOWN, Decisions, Kind, Library
from ludometrics.backgammon.settings import DEFAULTS
from ludometrics.backgammon.themes import count_blots

TOO_MUCH, TOO_LITTLE, BALANCED, INSUFFICIENT = "too much", "too little", "balanced", "insufficient"
VERDICTS = (TOO_MUCH, TOO_LITTLE, BALANCED, INSUFFICIENT)
MONEY = (0, 0)
MOST_MOVED = 4  # checkers that a roll can move, so also bear off


class Bias(NamedTuple):
    """A bias with its 95 % interval.

    Attributes
    ----------
    value : float or None
        (too much - too little) / decisions, -1 to 1; None without a decision.
    low, high : float or None
        None where the decisions are too few.
    verdict : str
        One of VERDICTS.
    decisions : int
        Counted decisions of the kind.
    too_much, too_little : int
        Decisions that erred each way, however little.
    too_much_mp, too_little_mp : int
        What those cost, sums of thousandths of normalised equity.
    apart : int
        Counted decisions left out because which way they erred cannot be told.
    """

    value: float | None
    low: float | None
    high: float | None
    verdict: str
    decisions: int
    too_much: int
    too_little: int
    too_much_mp: int = 0
    too_little_mp: int = 0
    apart: int = 0


@dataclass(frozen=True)
class Biases:
    """The biases of a player.

    Attributes
    ----------
    takes, doubles, blots : Bias
    doubles_by_score : dict of (int, int) to Bias
        By points that the player and the other need, MONEY for money play, in that order; only scores that occur.
    """

    takes: Bias
    doubles: Bias
    blots: Bias
    doubles_by_score: dict[tuple[int, int], Bias]

    def frame(self) -> pd.DataFrame:
        """One row a bias: takes, doubles and blots overall (no score), then doubles by score."""
        rows = [{"bias": name} | getattr(self, name)._asdict() for name in ("takes", "doubles", "blots")]
        for (away, opponent), bias in self.doubles_by_score.items():
            rows.append({"bias": "doubles", "away": away, "away_opponent": opponent} | bias._asdict())
        table = pd.DataFrame(rows, columns=["bias", "away", "away_opponent", *Bias._fields])
        return table.astype({"away": "Int64", "away_opponent": "Int64"})


def signed_bias(
    too_much: int,
    too_little: int,
    decisions: int,
    *,
    too_much_mp: int = 0,
    too_little_mp: int = 0,
    apart: int = 0,
    least: int = DEFAULTS.bias_decisions,
) -> Bias:
    """A bias from its counts.

    B = (P - M) / N, 95 % interval B -+ 1.96 sqrt(((P + M) / N - B^2) / N); "too much" if it lies above 0, "too little"
    if below, "balanced" else; "insufficient", without an interval, below ``least`` decisions.

    Raises
    ------
    ValueError
        Counts below 0, or more errors than decisions.

    Source
    ------
    blunderDB.

    Examples
    --------
    >>> bias = signed_bias(8, 1, 40)
    >>> bias.value, round(bias.low, 4), round(bias.high, 4), bias.verdict
    (0.175, 0.0384, 0.3116, 'too much')
    """
    if min(too_much, too_little) < 0 or too_much + too_little > decisions:
        raise ValueError(f"{too_much} too much and {too_little} too little of {decisions} decisions")
    counts = {
        "decisions": int(decisions),
        "too_much": int(too_much),
        "too_little": int(too_little),
        "too_much_mp": int(too_much_mp),
        "too_little_mp": int(too_little_mp),
        "apart": int(apart),
    }
    if decisions == 0:
        return Bias(None, None, None, INSUFFICIENT, **counts)
    value = (too_much - too_little) / decisions
    if decisions < least:
        return Bias(value, None, None, INSUFFICIENT, **counts)
    half = Z_95 * math.sqrt(max((too_much + too_little) / decisions - value**2, 0.0) / decisions)
    low, high = value - half, value + half
    verdict = TOO_MUCH if low > 0 else TOO_LITTLE if high < 0 else BALANCED
    return Bias(value, low, high, verdict, **counts)


def find_biases(library: Library, assessment: Assessment, mask: np.ndarray) -> Biases:
    """The biases of a player: takes, doubles (overall and by score) and blots.

    Parameters
    ----------
    library : Library
    assessment : Assessment
        Of the same library.
    mask : (n,) bool
        The player's decisions (`Library.of_player`), or some of them.

    Returns
    -------
    Biases

    Source
    ------
    blunderDB.
    """
    chosen = np.asarray(mask, dtype=bool) & assessment.counted
    decisions = library.decisions
    direction = cube_directions(decisions)
    takes = chosen & (decisions.kind == Kind.RESPONSE)
    doubles = chosen & (decisions.kind == Kind.DOUBLE)
    return Biases(
        takes=_tally(assessment, takes, direction),
        doubles=_tally(assessment, doubles, direction),
        blots=_tally(assessment, *blot_directions(decisions, assessment, chosen)),
        doubles_by_score=_by_score(decisions, assessment, doubles, direction),
    )


def cube_directions(decisions: Decisions) -> np.ndarray:
    """(n,) float: 1 a wrong take or double, -1 a wrong pass or a missed double, 0 else; NaN: not analysed.

    A double is also wrong where the position is too good for it. An action that costs nothing is never wrong.
    """
    no_double, take, drop = decisions.equities.T
    doubled, played = np.minimum(take, drop), decisions.played
    double, response = decisions.kind == Kind.DOUBLE, decisions.kind == Kind.RESPONSE
    with np.errstate(invalid="ignore"):
        too_much = (double & (played == DOUBLE) & (no_double > doubled)) | (
            response & (played == TAKE) & (take > drop)
        )
        too_little = (double & (played != DOUBLE) & (doubled > no_double)) | (
            response & (played == PASS) & (drop > take)
        )
    known = ((double & ~np.isnan(no_double)) | response) & ~np.isnan(doubled) & (played != UNKNOWN)
    return np.where(known, too_much.astype(float) - too_little, np.nan)


def blot_directions(
    decisions: Decisions, assessment: Assessment, chosen: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Checker plays with contact among ``chosen`` (n,) bool, and the sign (n,) of their blots less the best play's.

    0 for a play that costs nothing, without looking; NaN where a board after it cannot be.
    """
    rows = np.flatnonzero(chosen & (decisions.kind == Kind.CHECKER))
    rows = rows[boards_contact(decisions.board[rows])]
    direction = np.full(len(decisions), np.nan)
    direction[rows] = 0.0
    costly = rows[assessment.error_mp[rows] > 0]
    boards, sound = decisions.options.board, np.ones(len(costly), dtype=bool)
    blots = []
    for option in (decisions.played[costly], assessment.best[costly]):
        given = option != UNKNOWN
        at = np.where(given, decisions.option_start[costly] + option, 0)
        after = boards[at]
        sound &= given & _can_follow(decisions.board[costly], after)
        blots.append(count_blots(after))
    direction[costly] = np.where(sound, np.sign(blots[0] - blots[1]), np.nan)
    contact = np.zeros(len(decisions), dtype=bool)
    contact[rows] = True
    return contact, direction


def _can_follow(before: np.ndarray, after: np.ndarray) -> np.ndarray:
    """(k,) bool: as many checkers of the other as before, and at most a roll's worth of one's own borne off."""
    own, other = np.where(before > 0, before, 0).sum(axis=1), np.where(before < 0, before, 0).sum(axis=1)
    own_left, other_left = (
        np.where(after > 0, after, 0).sum(axis=1),
        np.where(after < 0, after, 0).sum(axis=1),
    )
    return (other == other_left) & (own_left <= own) & (own - own_left <= MOST_MOVED)


def _tally(assessment: Assessment, chosen: np.ndarray, direction: np.ndarray) -> Bias:
    rows = np.flatnonzero(chosen)
    sign, cost = direction[rows], assessment.error_mp[rows]
    apart = int(np.isnan(sign).sum())
    return signed_bias(
        int((sign > 0).sum()),
        int((sign < 0).sum()),
        len(rows) - apart,
        too_much_mp=int(cost[sign > 0].sum()),
        too_little_mp=int(cost[sign < 0].sum()),
        apart=apart,
        least=assessment.settings.bias_decisions,
    )


def _by_score(
    decisions: Decisions, assessment: Assessment, chosen: np.ndarray, direction: np.ndarray
) -> dict[tuple[int, int], Bias]:
    """The bias of each score that occurs among ``chosen``, in the order of the scores."""
    rows = np.flatnonzero(chosen)
    scores, cell = np.unique(decisions.away[rows], axis=0, return_inverse=True)
    cell, count = cell.reshape(-1), len(scores)
    sign, cost = direction[rows], assessment.error_mp[rows]
    parts = {"much": sign > 0, "little": sign < 0, "apart": np.isnan(sign)}
    tallies = {name: np.bincount(cell[part], minlength=count) for name, part in parts.items()}
    costs = {
        name: np.bincount(cell[parts[name]], cost[parts[name]], count).astype(int)
        for name in ("much", "little")
    }
    total = np.bincount(cell, minlength=count)
    return {
        (int(score[0]), int(score[1])): signed_bias(
            int(tallies["much"][place]),
            int(tallies["little"][place]),
            int(total[place] - tallies["apart"][place]),
            too_much_mp=costs["much"][place],
            too_little_mp=costs["little"][place],
            apart=int(tallies["apart"][place]),
            least=assessment.settings.bias_decisions,
        )
        for place, score in enumerate(scores)
    }
