"""Hasty and considered: which decisions were taken faster than the player's own median, and which errors.

Quick is faster (strictly) than the median of the known durations of the player's decisions of the same type, checker or
cube, in the same match; a limit in seconds would hang on the clock that was played with. Where speed and error have
nothing to do with each other, errors divide as his decisions do: about evenly.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import pandas as pd

from ludometrics.backgammon.assessment import Assessment
from ludometrics.backgammon.rates import ratio_interval
from ludometrics.backgammon.records import UNKNOWN, Kind, Library

QUICK, CONSIDERED = 0, 1
TYPES = ("checker", "cube", "all")


class PaceCounts(NamedTuple):
    """Errors of one type of decision by pace.

    Attributes
    ----------
    type : {"checker", "cube", "all"}
    hasty, considered, unknown : int
        Errors with a known loss: faster than the median, not faster, without a known duration.
    hasty_loss, considered_loss, unknown_loss : float
        Sums of their losses, MWC.
    share, low, high : float or None
        Hasty errors among those of known pace, its interval by match; None: none, no interval.
    decisions, quick : int
        Priced decisions of known pace, and those of them that were quick: what the share is to be held against.
    matches : int
        Matches with an error of known pace.
    """

    type: str
    hasty: int
    considered: int
    unknown: int
    hasty_loss: float
    considered_loss: float
    unknown_loss: float
    share: float | None
    low: float | None
    high: float | None
    decisions: int
    quick: int
    matches: int


@dataclass(frozen=True)
class Pace:
    """`PaceCounts` of checker plays, of cube decisions and of both.

    Attributes
    ----------
    checker, cube, all : PaceCounts
    """

    checker: PaceCounts
    cube: PaceCounts
    all: PaceCounts

    def frame(self) -> pd.DataFrame:
        """One row a type."""
        return pd.DataFrame([self.checker, self.cube, self.all], columns=list(PaceCounts._fields))


def split_pace(library: Library, chosen: np.ndarray) -> np.ndarray:
    """Tell quick decisions from considered ones.

    Parameters
    ----------
    library : Library
    chosen : (n,) bool
        Decisions whose known durations make the median of their match, player and type.

    Returns
    -------
    (n,) int8
        QUICK or CONSIDERED; UNKNOWN without a duration, and on rows not chosen.

    Source
    ------
    blunderDB.
    """
    decisions = library.decisions
    rows = np.flatnonzero(np.asarray(chosen, dtype=bool) & (decisions.duration_ms >= 0))
    group = (2 * decisions.match[rows].astype(np.int64) + decisions.seat[rows]) * 2
    group += decisions.kind[rows] != Kind.CHECKER
    duration = decisions.duration_ms[rows].astype(np.int64)
    order = np.lexsort((duration, group))
    _, start, index, count = np.unique(
        group[order], return_index=True, return_inverse=True, return_counts=True
    )
    ranked = duration[order]
    twice_median = ranked[start + (count - 1) // 2] + ranked[start + count // 2]
    pace = np.full(len(decisions), UNKNOWN, dtype=np.int8)
    pace[rows[order]] = np.where(2 * ranked < twice_median[index], QUICK, CONSIDERED)
    return pace


def report_pace(library: Library, assessment: Assessment, mask: np.ndarray) -> Pace:
    """Divide a player's errors into hasty, considered and unknown.

    Parameters
    ----------
    library : Library
    assessment : Assessment
        Of the same library.
    mask : (n,) bool
        The player's decisions (`Library.of_player`), or some of them. Medians are of all priced decisions of the
        matches, whatever the mask leaves of them.

    Returns
    -------
    Pace
    """
    pace = split_pace(library, assessment.has_loss)
    return summarise_pace(library, assessment, mask, pace)


def summarise_pace(library: Library, assessment: Assessment, mask: np.ndarray, pace: np.ndarray) -> Pace:
    """`report_pace` with the (n,) result of `split_pace` at hand."""
    cube = library.decisions.kind != Kind.CHECKER
    chosen = np.asarray(mask, dtype=bool) & assessment.has_loss
    parts = (chosen & ~cube, chosen & cube, chosen)
    return Pace(
        *(_count(library, assessment, part, pace, kind) for part, kind in zip(parts, TYPES, strict=True))
    )


def _count(
    library: Library, assessment: Assessment, chosen: np.ndarray, pace: np.ndarray, kind: str
) -> PaceCounts:
    rows = np.flatnonzero(chosen & assessment.is_error)
    own, loss = pace[rows], assessment.loss[rows]
    classes = (QUICK, CONSIDERED, UNKNOWN)
    counts = [int((own == number).sum()) for number in classes]
    losses = [float(loss[own == number].sum()) for number in classes]
    known = rows[own != UNKNOWN]
    _, unit = np.unique(library.decisions.match[known], return_inverse=True)
    hasty, errors = np.bincount(unit, pace[known] == QUICK), np.bincount(unit)
    share, low, high = ratio_interval(hasty, errors, assessment.settings.least_units)
    timed = pace[chosen]
    decisions, quick = int((timed != UNKNOWN).sum()), int((timed == QUICK).sum())
    return PaceCounts(kind, *counts, *losses, share, low, high, decisions, quick, len(errors))
