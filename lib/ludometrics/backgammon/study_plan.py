"""The study plan: which families of errors cost a player most beyond their difficulty, those that can be told apart.

The recoverable loss of a family is R = sum(l - d) over its priced errors: what they cost in match winning chances less
what somebody of the reference temperature would lose on the same decisions, signed. The number of errors counts as
Poisson and the excesses as independent, so the 95 % interval is R +/- 1.96 sqrt(sum (l - d)^2). A family is in the plan
if it has at least five priced errors and its whole interval lies above zero; it ranks by the low end. The others are
left to be confirmed.

Every family a player has is looked at, so a player without a leak has some in his plan now and then: the interval of
one family does not know how many there are.

Source: blunderDB (github.com/kevung/blunderDB), decision record 77.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np
import pandas as pd

from ludometrics.backgammon.assessment import Assessment
from ludometrics.backgammon.error_families import Errors, check_mask, classify_errors, family_labels
from ludometrics.backgammon.plans import Plan
from ludometrics.backgammon.rates import Z_95
from ludometrics.backgammon.records import Library
from ludometrics.backgammon.themes import Theme

COLUMNS = (
    "rank",
    "plan",
    "kind",
    "theme",
    "errors",
    "avoidable",
    "positions",
    "recoverable",
    "low",
    "high",
    "loss",
    "difficulty",
)


class FamilyPosition(NamedTuple):
    """A position of a family.

    Attributes
    ----------
    row : int
        Row of `Library.decisions` of the error there with the largest excess.
    excess : float
        Its l - d, fraction of a match.
    error_mp : int
    errors : int
        Errors of the family in the same position.
    """

    row: int
    excess: float
    error_mp: int
    errors: int


@dataclass(frozen=True)
class Family:
    """A family of errors; losses are fractions of a match.

    Attributes
    ----------
    plan : Plan
    kind : {"checker", "cube"}
    theme : Theme
    rank : int or None
        Place in the plan from 1; None: to be confirmed.
    errors : int
        Priced ones, its members.
    avoidable : int
        Members whose difficulty is a small share of their loss.
    recoverable, low, high : float
        R and its 95 % interval.
    loss, difficulty : float
        Sums of l and of d.
    positions : tuple of FamilyPosition
        The largest excess first.
    """

    plan: Plan
    kind: str
    theme: Theme
    rank: int | None
    errors: int
    avoidable: int
    recoverable: float
    low: float
    high: float
    loss: float
    difficulty: float
    positions: tuple[FamilyPosition, ...]

    @property
    def name(self) -> str:
        """Plan, kind and theme in words."""
        return f"{self.plan.label}, {self.kind}, {self.theme.label}"


@dataclass(frozen=True)
class StudyPlan:
    """What a player should study.

    Attributes
    ----------
    families : tuple of Family
        The plan, by the low end of R.
    to_confirm : tuple of Family
        Families short of five errors, or whose interval reaches zero, by R.
    decisions, errors : int
        The player's counted decisions, and the errors among them.
    unpriced : tuple of int
        Rows of errors without a loss or a difficulty (money play, dead cube); in no family.
    themeless : tuple of int
        Rows of priced errors without a theme; in no family.
    """

    families: tuple[Family, ...]
    to_confirm: tuple[Family, ...]
    decisions: int
    errors: int
    unpriced: tuple[int, ...]
    themeless: tuple[int, ...]

    def frame(self) -> pd.DataFrame:
        """One row a family, those of the plan first; `rank` is missing where it is to be confirmed."""
        rows = [_family_row(family) for family in (*self.families, *self.to_confirm)]
        return pd.DataFrame(rows, columns=list(COLUMNS)).astype({"rank": "Int64"})

    def positions_frame(self, library: Library) -> pd.DataFrame:
        """One row a position of each family of the plan: where its worst error was made, and what it cost."""
        decisions = library.decisions
        rows = [
            {
                "rank": family.rank,
                "family": family.name,
                "place": place,
                "match": library.matches[decisions.match[position.row]].key,
                "game": int(decisions.game[position.row]),
                "move": int(decisions.move[position.row]),
                **position._asdict(),
            }
            for family in self.families
            for place, position in enumerate(family.positions, start=1)
        ]
        columns = ["rank", "family", "place", "match", "game", "move", *FamilyPosition._fields]
        return pd.DataFrame(rows, columns=columns)


def recoverable_loss(excesses: Sequence[float]) -> tuple[float, float, float]:
    """R = sum(l - d) of a family's members and its 95 % interval R +/- 1.96 sqrt(sum (l - d)^2).

    Examples
    --------
    >>> [round(value, 6) for value in recoverable_loss([0.03, 0.02, 0.015, 0.01, 0.005])]
    [0.08, 0.000384, 0.159616]
    """
    excesses = np.asarray(excesses, dtype=float)
    total = float(excesses.sum())
    half = Z_95 * math.sqrt(float((excesses**2).sum()))
    return total, total - half, total + half


def study_plan(
    library: Library, assessment: Assessment, mask: np.ndarray, *, errors: Errors | None = None
) -> StudyPlan:
    """Study plan of a player.

    Parameters
    ----------
    library : Library
    assessment : Assessment
        Of ``library``; its settings hold the thresholds.
    mask : (n,) bool
        Whose decisions (`Library.of_player`), or a part of them.
    errors : Errors, optional
        `classify_errors` of the whole library, for one who asks for many players.

    Returns
    -------
    StudyPlan

    Raises
    ------
    ValueError
        The mask does not fit the library.
    """
    mask = check_mask(library, mask)
    errors = (classify_errors(library, assessment) if errors is None else errors).of(mask)
    known, named = errors.priced, errors.theme != Theme.NONE
    families = _families(assessment, errors.where(known & named))
    least = assessment.settings.family_members
    proven = [family for family in families if family.errors >= least and family.low > 0]
    rest = [family for family in families if family.errors < least or not family.low > 0]
    proven.sort(key=lambda family: (-family.low, *_tie(family)))
    rest.sort(key=_tie)
    return StudyPlan(
        families=tuple(replace(family, rank=rank) for rank, family in enumerate(proven, start=1)),
        to_confirm=tuple(rest),
        decisions=int(np.count_nonzero(assessment.counted & mask)),
        errors=len(errors),
        unpriced=tuple(errors.row[~known].tolist()),
        themeless=tuple(errors.row[known & ~named].tolist()),
    )


def plan_table(library: Library, assessment: Assessment, players: Mapping[str, np.ndarray]) -> pd.DataFrame:
    """Families of many players in one table.

    Parameters
    ----------
    library : Library
    assessment : Assessment
    players : dict of str to (n,) bool
        Name and decisions of each.

    Returns
    -------
    DataFrame
        As `StudyPlan.frame`, with the column `player` in front; players in the order given.
    """
    errors = classify_errors(library, assessment)
    tables = []
    for name, mask in players.items():
        table = study_plan(library, assessment, mask, errors=errors).frame()
        table.insert(0, "player", name)
        tables.append(table)
    if not tables:
        return pd.DataFrame(columns=["player", *COLUMNS])
    return pd.concat(tables, ignore_index=True)


def _families(assessment: Assessment, errors: Errors) -> list[Family]:
    families = []
    for places in errors.groups(errors.family):
        members = errors.where(places)
        total, low, high = recoverable_loss(members.excess)
        _, kind, _ = family_labels(members.plan[0], members.kind[0], members.theme[0])
        families.append(
            Family(
                plan=Plan(members.plan[0]),
                kind=kind,
                theme=Theme(members.theme[0]),
                rank=None,
                errors=len(members),
                avoidable=int(np.count_nonzero(assessment.avoidable[members.row])),
                recoverable=total,
                low=low,
                high=high,
                loss=float(members.loss.sum()),
                difficulty=float(assessment.difficulty[members.row].sum()),
                positions=_positions(assessment, members),
            )
        )
    return families


def _positions(assessment: Assessment, members: Errors) -> tuple[FamilyPosition, ...]:
    # The worst error of each position comes first; equal ones in the errors' own order.
    order = np.lexsort((np.arange(len(members)), members.position, -members.excess))
    _, first, counts = np.unique(members.position[order], return_index=True, return_counts=True)
    by_rank = np.argsort(first)
    worst = order[first[by_rank]]
    rows = members.row[worst]
    return tuple(
        FamilyPosition(*values)
        for values in zip(
            rows.tolist(),
            members.excess[worst].tolist(),
            assessment.error_mp[rows].tolist(),
            counts[by_rank].tolist(),
            strict=True,
        )
    )


def _tie(family: Family) -> tuple:
    return (-family.recoverable, -family.errors, family.plan.label, family.kind, family.theme.label)


def _family_row(family: Family) -> dict:
    labels = {"plan": family.plan.label, "theme": family.theme.label, "positions": len(family.positions)}
    return {name: labels.get(name, getattr(family, name)) for name in COLUMNS}
