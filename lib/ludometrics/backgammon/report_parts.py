"""Pieces of a player's report: rates of a part of his play, rates over time, single matches, two players compared."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from ludometrics.backgammon.assessment import Assessment
from ludometrics.backgammon.match_report import MatchReport, trace_losses
from ludometrics.backgammon.rates import (
    PR_FACTOR,
    REFERENCE_LENGTH,
    EloDifference,
    Rate,
    elo,
    l7,
    pr,
    ratio_interval,
)
from ludometrics.backgammon.records import Kind, Library
from ludometrics.backgammon.report_plots import Curve, Trend
from ludometrics.backgammon.report_positions import View, view_decision
from ludometrics.backgammon.tournaments import Comparison, compare_rates

#: Names of the parts of play, and the kinds of decision in each.
PARTS: dict[str, tuple[Kind, ...]] = {
    "all": tuple(Kind),
    "checker plays": (Kind.CHECKER,),
    "doubles": (Kind.DOUBLE,),
    "takes and passes": (Kind.RESPONSE,),
}


class Part(NamedTuple):
    """A part of a player's play.

    Attributes
    ----------
    name : str
    pr, l7 : Rate
    elo : EloDifference
    errors, blunders, avoidable : int
    loss, difficulty : float
        Sums over the priced decisions, fractions of a match.
    priced : int
        Those decisions.
    ratio : float or None
        loss / difficulty; None where the second is too small to tell.
    """

    name: str
    pr: Rate
    l7: Rate
    elo: EloDifference
    errors: int
    blunders: int
    avoidable: int
    loss: float
    difficulty: float
    priced: int
    ratio: float | None


class Detail(NamedTuple):
    """A match shown by itself: its report, the curves, where its games begin, the errors to look at again."""

    report: MatchReport
    curves: tuple[Curve, Curve]
    games: tuple[tuple[int, str], ...]
    views: tuple[View, ...]


def judge_part(library: Library, assessment: Assessment, mask: np.ndarray, name: str) -> Part:
    """Rates and sums of one of PARTS of a player's decisions ``mask`` (n,) bool."""
    chosen = mask & np.isin(library.decisions.kind, PARTS[name])
    priced = chosen & assessment.priced
    loss, difficulty = float(assessment.loss[priced].sum()), float(assessment.difficulty[priced].sum())
    lost = l7(library, assessment, chosen)
    told = difficulty >= assessment.settings.least_difficulty_sum
    return Part(
        name=name,
        pr=pr(library, assessment, chosen),
        l7=lost,
        elo=elo(lost),
        errors=int((chosen & assessment.is_error).sum()),
        blunders=int((chosen & assessment.is_blunder).sum()),
        avoidable=int((chosen & assessment.avoidable).sum()),
        loss=loss,
        difficulty=difficulty,
        priced=int(priced.sum()),
        ratio=loss / difficulty if told else None,
    )


def pr_trend(library: Library, assessment: Assessment, mask: np.ndarray, window: int) -> Trend:
    """PR of each match, and of the latest ``window`` matches together."""
    chosen, rows = mask & assessment.counted, library.decisions.match
    count = len(library.matches)
    thousandths = np.bincount(rows[chosen], assessment.thousandths[chosen], minlength=count)
    decisions = np.bincount(rows[chosen], minlength=count)
    return _trend(library, assessment, thousandths / 1000, decisions, PR_FACTOR, window)


def l7_trend(library: Library, assessment: Assessment, mask: np.ndarray, window: int) -> Trend:
    """L7 of each match, in per cent, and of the latest ``window`` matches together."""
    chosen = mask & assessment.has_loss
    rows, count = library.decisions.match, len(library.matches)
    losses = np.bincount(rows[chosen], assessment.loss[chosen], minlength=count)
    known = np.bincount(rows[chosen], minlength=count) > 0
    weights = np.sqrt([match.length for match in library.matches]) * known
    return _trend(library, assessment, losses, weights, 100 * math.sqrt(REFERENCE_LENGTH), window)


def _trend(
    library: Library,
    assessment: Assessment,
    sums: np.ndarray,
    weights: np.ndarray,
    factor: float,
    window: int,
) -> Trend:
    """A trend of the matches that have a weight."""
    kept = np.flatnonzero(weights > 0)
    sums, weights = np.asarray(sums, dtype=float)[kept], np.asarray(weights, dtype=float)[kept]
    pooled = np.full((len(kept), 3), np.nan)
    for last in range(len(kept)):
        part = slice(max(0, last + 1 - window), last + 1)
        found = ratio_interval(sums[part], weights[part], assessment.settings.least_units)
        if found[1] is not None:  # a line without a band would look surer than it is
            pooled[last] = [factor * value for value in found]
    dates = tuple(library.matches[row].date for row in kept)
    return Trend(factor * sums / weights, *pooled.T, dates, min(window, max(len(kept), 1)))


def detail_match(library: Library, assessment: Assessment, report: MatchReport) -> Detail:
    """The match of a report with its curves and the boards to look at again."""
    trace = trace_losses(library, assessment, report.match)
    steps = np.arange(1, len(trace) + 1)
    names = (report.player, report.opponent)
    curves = tuple(
        Curve(name, steps, trace[f"total_{seat}"].to_numpy())
        for name, seat in zip(names, (report.seat, 1 - report.seat), strict=True)
    )
    starts = np.flatnonzero(np.diff(trace["game"].to_numpy(), prepend=-1))
    games = tuple((int(start), _score(library, report, int(trace["row"].iloc[start]))) for start in starts)
    views = tuple(view_decision(library, assessment, review.row) for review in report.review)
    return Detail(report, curves, games, views)


def _score(library: Library, report: MatchReport, row: int) -> str:
    """The player's points and the other's before a decision."""
    if report.length == 0:
        return f"{library.decisions.game[row]}"
    away = library.decisions.away[row]
    own, other = (report.length - away).tolist()
    return f"{own}–{other}" if library.decisions.seat[row] == report.seat else f"{other}–{own}"


class Compared(NamedTuple):
    """Two players, one measure.

    Attributes
    ----------
    name : str
    percent : bool
        The rates are fractions, shown in per cent.
    comparison : Comparison
        `here` is the first's, `usual` the second's: above 0 the first loses more.
    """

    name: str
    percent: bool
    comparison: Comparison


def compare_parts(
    first: Sequence[Part], second: Sequence[Part], least_decisions: int
) -> tuple[Compared, ...]:
    """Two players side by side: PR of each part of play and L7, each difference with its interval.

    The interval takes the two for independent, which two players' errors nearly are even in one match.
    """
    rows = [
        Compared(f"PR, {own.name}", False, compare_rates(own.name, own.pr, other.pr, least_decisions))
        for own, other in zip(first, second, strict=True)
    ]
    lost = compare_rates("L7", first[0].l7, second[0].l7, least_decisions)
    return (*rows, Compared("L7", True, lost))
