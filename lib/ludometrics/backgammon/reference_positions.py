"""Reference positions: few positions that stand for most of what a player could win back, to be put on cards.

A candidate is a position in which the player made priced errors with a theme; what it holds is the sum of their
positive excesses (l - d). Candidates are compared within a group: a family, and for the cube a family at one score,
since a cube lesson holds at its score alone. Those at most 12 checker pips apart are neighbours: one lesson serves
both.

    gain of a candidate = c x sum of what it and its neighbours hold that is not covered yet

c is 1, halved if the answer is narrow (the second-best option costs less than half the error threshold, so one who
learnt it could still be wrong) and halved again if it is unstable (another depth or a rollout says otherwise). The
candidate with the largest gain is taken, it covers its neighbours, and so on. One at most 12 pips from a position taken
before, of the same kind and for the cube at the same score, is dropped whatever its family, so no structure comes
twice. Positions that the player has dealt with already (a study mark, a review, a comment, a card, a collection) are
never proposed; they act as taken from the start. Ties: a candidate that a rollout bears out comes first, then a fixed
order of the positions.

Where the errors in one position carry different analyses, the gap is that of the worst, and any of them makes it
unstable.

Source: blunderDB (github.com/kevung/blunderDB), decision record 80.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import pandas as pd

from ludometrics.backgammon.assessment import MP, Assessment
from ludometrics.backgammon.error_families import (
    CHECKER,
    KIND_LABELS,
    Errors,
    check_mask,
    classify_errors,
)
from ludometrics.backgammon.plans import Plan
from ludometrics.backgammon.position_distance import distances_from, neighbours, prefix_sums
from ludometrics.backgammon.records import ROLLOUT_DEPTH, Library, Opinion
from ludometrics.backgammon.side_tables import StudyAction
from ludometrics.backgammon.studied_positions import HANDLED, studied_rows
from ludometrics.backgammon.themes import Theme

SIZE, MOST = 20, 50
DISCOUNT = 0.5


class Reference(NamedTuple):
    """One proposed position; losses are fractions of a match.

    Attributes
    ----------
    row : int
        Row of `Library.decisions`: the worst error made there.
    plan : Plan
    kind : {"checker", "cube"}
    theme : Theme
    away : (int, int) or None
        Points that the player and the other need, of a cube position; (0, 0) money play.
    gain : float
        What it covered when it was taken, after the discount.
    covered : float
        The same before the discount.
    errors, matches : int
        Errors that it stands for, its own among them, and the different matches they were made in.
    excess : float
        What the position holds by itself.
    family_errors : int
        Members of its family.
    gap_mp : int or None
        What the second-best option costs.
    narrow, unstable, rollout : bool
        The two flags that discount; a rollout bears the answer out.
    """

    row: int
    plan: Plan
    kind: str
    theme: Theme
    away: tuple[int, int] | None
    gain: float
    covered: float
    errors: int
    matches: int
    excess: float
    family_errors: int
    gap_mp: int | None
    narrow: bool
    unstable: bool
    rollout: bool


@dataclass(frozen=True)
class ReferencePositions:
    """A proposal.

    Attributes
    ----------
    references : tuple of Reference
        In the order in which they were taken.
    candidates, handled : int
        Positions weighed; positions left out because the player has dealt with them.
    decisions : int
        The player's counted decisions.
    radius : int
        Checker pips within which positions are alike.
    """

    references: tuple[Reference, ...]
    candidates: int
    handled: int
    decisions: int
    radius: int

    @property
    def rows(self) -> tuple[int, ...]:
        """Rows of `Library.decisions`, for boards and XGIDs."""
        return tuple(reference.row for reference in self.references)

    def frame(self) -> pd.DataFrame:
        """One row a position."""
        rows = []
        for place, reference in enumerate(self.references, start=1):
            away = reference.away or (None, None)
            values = reference._asdict()
            del values["away"]
            values |= {"plan": reference.plan.label, "theme": reference.theme.label}
            rows.append({"place": place, **values, "away": away[0], "away_opponent": away[1]})
        names = [name for name in Reference._fields if name != "away"]
        table = pd.DataFrame(rows, columns=["place", *names, "away", "away_opponent"])
        return table.astype({name: "Int64" for name in ("gap_mp", "away", "away_opponent")})


class _Candidates(NamedTuple):
    """c candidates; `members` holds the places of each one's errors."""

    members: list[np.ndarray]
    worst: np.ndarray
    held: np.ndarray
    group: np.ndarray
    scope: np.ndarray
    prefixes: np.ndarray
    gap_mp: np.ndarray
    narrow: np.ndarray
    unstable: np.ndarray
    rollout: np.ndarray
    handled: np.ndarray


def reference_positions(
    library: Library,
    assessment: Assessment,
    mask: np.ndarray,
    *,
    size: int = SIZE,
    actions: Iterable[StudyAction] = (),
    errors: Errors | None = None,
) -> ReferencePositions:
    """Propose reference positions to a player.

    Parameters
    ----------
    library : Library
    assessment : Assessment
        Of ``library``; its settings hold the thresholds.
    mask : (n,) bool
        Whose decisions, or a part of them.
    size : int
        Positions wanted, 1 to 50.
    actions : iterable of StudyAction
        What the player has dealt with (`side_tables.read_study_actions`).
    errors : Errors, optional
        `classify_errors` of the whole library.

    Returns
    -------
    ReferencePositions

    Raises
    ------
    ValueError
        The mask does not fit the library, or ``size`` is out of range.
    """
    if not 1 <= size <= MOST:
        raise ValueError(f"{size} reference positions, allowed are 1 to {MOST}")
    mask = check_mask(library, mask)
    errors = (classify_errors(library, assessment) if errors is None else errors).of(mask)
    errors = errors.where(errors.priced & (errors.theme != Theme.NONE))
    candidates = _gather(library, assessment, errors, actions)
    taken = _choose(candidates, assessment.settings.like_pips, size)
    family_sizes = dict(zip(*np.unique(errors.family, return_counts=True), strict=True))
    references = [
        _report(library, errors, candidates, family_sizes, place, gain, covered)
        for place, gain, covered in taken
    ]
    return ReferencePositions(
        references=tuple(references),
        candidates=int(np.count_nonzero(~candidates.handled)),
        handled=int(np.count_nonzero(candidates.handled)),
        decisions=int(np.count_nonzero(assessment.counted & mask)),
        radius=assessment.settings.like_pips,
    )


def _gather(
    library: Library, assessment: Assessment, errors: Errors, actions: Iterable[StudyAction]
) -> _Candidates:
    decisions = library.decisions
    scope = _scopes(library, errors)
    group = errors.family * (int(scope.max(initial=0)) + 1) + scope
    members = errors.groups(group * (int(errors.position.max(initial=0)) + 1) + errors.position)
    # In the order of the positions, so that ties do not follow the numbers of families.
    members.sort(key=lambda places: (errors.position[places[0]], group[places[0]]))
    worst = np.array([places[np.argmax(errors.excess[places])] for places in members], dtype=np.int64)
    held = np.array([np.maximum(errors.excess[places], 0).sum() for places in members], dtype=float)
    opinion, depth = decisions.opinion[errors.row], decisions.depth[errors.row]
    differs = opinion == Opinion.DIFFERS
    rollout = (opinion == Opinion.ROLLOUT_AGREES) | ((depth == ROLLOUT_DEPTH) & ~differs)
    gap = assessment.gap[errors.row[worst]]
    gap_mp = np.where(np.isnan(gap), -1, np.round(np.nan_to_num(gap) * MP)).astype(np.int64)
    dealt_with = np.isin(errors.row, studied_rows(library, errors.row, actions, HANDLED))
    unstable = np.array([differs[places].any() for places in members], dtype=bool)
    return _Candidates(
        members=members,
        worst=worst,
        held=held,
        group=group[worst],
        scope=scope[worst],
        prefixes=prefix_sums(decisions.board[errors.row[worst]]),
        gap_mp=gap_mp,
        narrow=(gap_mp >= 0) & (2 * gap_mp < assessment.settings.error_mp),
        unstable=unstable,
        rollout=np.array([rollout[places].any() for places in members], dtype=bool) & ~unstable,
        handled=np.array([dealt_with[places].any() for places in members], dtype=bool),
    )


def _scopes(library: Library, errors: Errors) -> np.ndarray:
    """(k,) int64: 0 for checker plays, a number for each score of the cube decisions."""
    away = library.decisions.away[errors.row].astype(np.int64)
    return np.where(errors.kind == CHECKER, 0, 1 + away[:, 0] * (int(away.max(initial=0)) + 1) + away[:, 1])


def _choose(candidates: _Candidates, radius: int, size: int) -> list[tuple[int, float, np.ndarray]]:
    """The candidates taken: place, gain, and the places that it covered."""
    start, linked = neighbours(candidates.prefixes, candidates.group, radius)
    discount = np.where(candidates.narrow, DISCOUNT, 1.0) * np.where(candidates.unstable, DISCOUNT, 1.0)
    owner = np.repeat(np.arange(len(discount)), np.diff(start))
    open_, offered = np.ones(len(discount), dtype=bool), ~candidates.handled

    def take(place: int) -> np.ndarray:
        near = np.append(linked[start[place] : start[place + 1]], place)
        covers = near[open_[near]]
        open_[near] = False
        alike = candidates.scope == candidates.scope[place]
        offered[alike] &= distances_from(candidates.prefixes, place)[alike] > radius
        return covers

    for place in np.flatnonzero(candidates.handled):
        take(place)
    taken = []
    while len(taken) < size and offered.any():
        uncovered = np.where(open_, candidates.held, 0.0)
        around = np.bincount(owner, weights=uncovered[linked], minlength=len(discount))
        gain = np.where(offered, discount * (uncovered + around), -np.inf)
        # The last key is the first in rank; places are in the fixed order. Rounded, since sums of the same numbers
        # in another order differ in the last bit.
        best = int(np.lexsort((np.arange(len(gain)), ~candidates.rollout, -np.round(gain, 12)))[0])
        if not gain[best] > 0:
            break
        taken.append((best, float(gain[best]), take(best)))
    return taken


def _report(
    library: Library,
    errors: Errors,
    candidates: _Candidates,
    family_sizes: dict,
    place: int,
    gain: float,
    covered: np.ndarray,
) -> Reference:
    worst = candidates.worst[place]
    row = int(errors.row[worst])
    stood_for = np.concatenate([candidates.members[other] for other in covered])
    checker = errors.kind[worst] == CHECKER
    away = library.decisions.away[row]
    gap_mp = int(candidates.gap_mp[place])
    return Reference(
        row=row,
        plan=Plan(errors.plan[worst]),
        kind=KIND_LABELS[errors.kind[worst]],
        theme=Theme(errors.theme[worst]),
        away=None if checker else (int(away[0]), int(away[1])),
        gain=gain,
        covered=float(candidates.held[np.sort(covered)].sum()),
        errors=len(stood_for),
        matches=len(np.unique(library.decisions.match[errors.row[stood_for]])),
        excess=float(candidates.held[place]),
        family_errors=int(family_sizes[errors.family[worst]]),
        gap_mp=None if gap_mp < 0 else gap_mp,
        narrow=bool(candidates.narrow[place]),
        unstable=bool(candidates.unstable[place]),
        rollout=bool(candidates.rollout[place]),
    )
