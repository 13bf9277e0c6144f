"""Before and after: whether a family of errors costs a player less in matches since he first studied it.

A family counts as studied from the UTC day of the first study action (a mark, a review, an answer in a quiz) on any
position of its errors. Matches of earlier days are before, of later days after; those of the day itself and undated
ones are left out. In each window

    r = sum of the losses of the family's errors / N

with N the counted decisions of the same plan of play and kind in point matches; the theme cannot enter N, since only
errors have one. The gain is r before less r after, with the 95 % interval of two independent compound Poisson sums,
+/- 1.96 sqrt(sum l^2 / N^2 before + sum l^2 / N^2 after). Fewer than 30 decisions in a window are insufficient.

A gain is a change, not an effect of studying: families are studied because they had cost much, and what was unusually
bad tends to look better afterwards by itself; nor do opponents, lengths of matches and dice stay the same.

Source: blunderDB (github.com/kevung/blunderDB), decision record 79.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date
from typing import NamedTuple

import numpy as np
import pandas as pd

from ludometrics.backgammon.assessment import Assessment
from ludometrics.backgammon.error_families import (
    KIND_LABELS,
    Errors,
    check_mask,
    classify_errors,
    family_kinds,
)
from ludometrics.backgammon.plans import Plan, classify_boards
from ludometrics.backgammon.rates import Z_95
from ludometrics.backgammon.records import Library
from ludometrics.backgammon.settings import DEFAULTS
from ludometrics.backgammon.side_tables import StudyAction
from ludometrics.backgammon.studied_positions import first_study_days
from ludometrics.backgammon.themes import Theme

IMPROVED, WORSE, UNDETERMINED, INSUFFICIENT = "improved", "worse", "undetermined", "insufficient"
VERDICTS = (IMPROVED, WORSE, UNDETERMINED, INSUFFICIENT)
BEFORE, SAME_DAY, AFTER, UNDATED = 0, 1, 2, 3


class Window(NamedTuple):
    """One side of the study day.

    Attributes
    ----------
    decisions : int
        Counted decisions of the family's plan and kind, in point matches.
    errors : int
        Errors of the family among them whose loss is known.
    loss : float
        Sum of their losses, fraction of a match.
    rate : float or None
        Loss per decision; None: no decision.
    """

    decisions: int
    errors: int
    loss: float
    rate: float | None


class Change(NamedTuple):
    """A gain and what it shows; rates are fractions of a match per decision (times 10,000: points per 100 decisions).

    `gain` is None where a window has no decision; `low` and `high` also where neither window has an error.
    """

    before: Window
    after: Window
    gain: float | None
    low: float | None
    high: float | None
    verdict: str


class FamilyEffect(NamedTuple):
    """A studied family: since when, how many of its positions were studied at all, and what changed."""

    plan: Plan
    kind: str
    theme: Theme
    studied_on: date
    studied: int
    positions: int
    change: Change

    @property
    def name(self) -> str:
        """Plan, kind and theme in words."""
        return f"{self.plan.label}, {self.kind}, {self.theme.label}"


@dataclass(frozen=True)
class StudyEffect:
    """What changed in the families that a player studied.

    Attributes
    ----------
    families : tuple of FamilyEffect
        Improved, worse, undetermined, insufficient; in each the largest gain first.
    unstudied : int
        Families that no study action has reached.
    undated : int
        Counted decisions in point matches without a date, in no window.
    missed : int
        Study actions on positions in which the player made no error with a theme.
    """

    families: tuple[FamilyEffect, ...]
    unstudied: int
    undated: int
    missed: int

    def frame(self) -> pd.DataFrame:
        """One row a studied family."""
        rows = []
        for family in self.families:
            change = family.change
            rows.append(
                {
                    "plan": family.plan.label,
                    "kind": family.kind,
                    "theme": family.theme.label,
                    "studied_on": family.studied_on.isoformat(),
                    "studied": family.studied,
                    "positions": family.positions,
                    **{f"before_{name}": value for name, value in change.before._asdict().items()},
                    **{f"after_{name}": value for name, value in change.after._asdict().items()},
                    "gain": change.gain,
                    "low": change.low,
                    "high": change.high,
                    "verdict": change.verdict,
                }
            )
        windows = [f"{side}_{name}" for side in ("before", "after") for name in Window._fields]
        first = ["plan", "kind", "theme", "studied_on", "studied", "positions"]
        table = pd.DataFrame(rows, columns=[*first, *windows, "gain", "low", "high", "verdict"])
        return table.astype(dict.fromkeys(("before_rate", "after_rate", "gain", "low", "high"), float))


def compare_windows(
    losses_before: Sequence[float],
    decisions_before: int,
    losses_after: Sequence[float],
    decisions_after: int,
    *,
    least_decisions: int = DEFAULTS.window_decisions,
) -> Change:
    """Gain of a family between two windows.

    Parameters
    ----------
    losses_before, losses_after : (k,) float
        Of the family's errors in each window, fractions of a match.
    decisions_before, decisions_after : int
        N of each window.
    least_decisions : int
        With fewer in either the verdict is "insufficient".

    Returns
    -------
    Change

    Examples
    --------
    >>> change = compare_windows([0.02] * 10, 50, [0.01] * 2, 60)
    >>> [round(1e4 * value) / 100 for value in change[2:5]], change.verdict  # points per 100 decisions
    ([0.37, 0.11, 0.62], 'improved')
    """
    windows, variances = [], []
    for losses, decisions in ((losses_before, decisions_before), (losses_after, decisions_after)):
        losses = np.asarray(losses, dtype=float)
        total = float(losses.sum())
        windows.append(Window(decisions, len(losses), total, total / decisions if decisions else None))
        variances.append(float((losses**2).sum()) / decisions**2 if decisions else math.nan)
    before, after = windows
    if before.rate is None or after.rate is None:
        return Change(before, after, None, None, None, INSUFFICIENT)
    gain, half = before.rate - after.rate, Z_95 * math.sqrt(sum(variances))
    low, high = (gain - half, gain + half) if half > 0 else (None, None)
    verdict = UNDETERMINED
    if min(decisions_before, decisions_after) < least_decisions:
        verdict = INSUFFICIENT
    elif low is not None and low > 0:
        verdict = IMPROVED
    elif high is not None and high < 0:
        verdict = WORSE
    return Change(before, after, gain, low, high, verdict)


def study_effect(
    library: Library,
    assessment: Assessment,
    mask: np.ndarray,
    actions: Iterable[StudyAction],
    *,
    errors: Errors | None = None,
) -> StudyEffect:
    """Each studied family of a player before and after the day it was first studied.

    Parameters
    ----------
    library : Library
    assessment : Assessment
        Of ``library``; its settings hold the thresholds.
    mask : (n,) bool
        Whose decisions; a mask by dates bounds both windows.
    actions : iterable of StudyAction
        `side_tables.read_study_actions`.
    errors : Errors, optional
        `classify_errors` of the whole library.

    Returns
    -------
    StudyEffect

    Raises
    ------
    ValueError
        The mask does not fit the library, or an action names no position.
    """
    mask = check_mask(library, mask)
    errors = (classify_errors(library, assessment) if errors is None else errors).of(mask)
    errors = errors.where(errors.theme != Theme.NONE)
    days, missed = first_study_days(library, errors.row, actions)
    played = _PointDecisions(library, assessment, mask)
    families, unstudied = [], 0
    for places in errors.groups(errors.family):
        members = errors.where(places)
        on = [days[row] for row in members.row.tolist() if row in days]
        if not on:
            unstudied += 1
            continue
        families.append(_family_effect(library, assessment, members, days, min(on), played))
    families.sort(key=_order)
    undated = int(np.count_nonzero(played.dates == ""))
    return StudyEffect(tuple(families), unstudied, undated, missed)


class _PointDecisions:
    """The counted decisions of a player in point matches: plan, kind and date of each."""

    def __init__(self, library: Library, assessment: Assessment, mask: np.ndarray) -> None:
        decisions = library.decisions
        #: Dates by match; as text, since ISO days sort as they are.
        self.match_dates = np.array([match.date[:10] for match in library.matches], dtype="U10")
        rows = np.flatnonzero(mask & assessment.counted & (decisions.away[:, 0] > 0))
        self.plan = classify_boards(decisions.board[rows])
        self.kind = family_kinds(decisions, rows)
        self.dates = self.match_dates[decisions.match[rows]]


def _windows(dates: np.ndarray, day: date) -> np.ndarray:
    """(k,) int: BEFORE, SAME_DAY, AFTER or UNDATED."""
    on = day.isoformat()
    return np.select([dates == "", dates < on, dates == on], [UNDATED, BEFORE, SAME_DAY], AFTER)


def _family_effect(
    library: Library,
    assessment: Assessment,
    members: Errors,
    days: dict[int, date],
    day: date,
    played: _PointDecisions,
) -> FamilyEffect:
    plan, kind, theme = members.plan[0], members.kind[0], members.theme[0]
    alike = (played.plan == plan) & (played.kind == kind)
    decisions = np.bincount(_windows(played.dates[alike], day), minlength=UNDATED + 1)
    window = _windows(played.match_dates[library.decisions.match[members.row]], day)
    known = ~np.isnan(members.loss)
    change = compare_windows(
        members.loss[known & (window == BEFORE)],
        int(decisions[BEFORE]),
        members.loss[known & (window == AFTER)],
        int(decisions[AFTER]),
        least_decisions=assessment.settings.window_decisions,
    )
    touched = np.array([row in days for row in members.row.tolist()], dtype=bool)
    return FamilyEffect(
        plan=Plan(plan),
        kind=KIND_LABELS[kind],
        theme=Theme(theme),
        studied_on=day,
        studied=len(np.unique(members.position[touched])),
        positions=len(np.unique(members.position)),
        change=change,
    )


def _order(family: FamilyEffect) -> tuple:
    gain = family.change.gain
    return (
        VERDICTS.index(family.change.verdict),
        gain is None,
        0.0 if gain is None else -gain,
        family.studied_on,
        family.plan.label,
        family.kind,
        family.theme.label,
    )
