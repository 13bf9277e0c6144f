"""What one match says about one of its players: what to review, dice or play, haste, and the curve of losses."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, fields, replace
from typing import NamedTuple

import numpy as np
import pandas as pd

from ludometrics.backgammon.assessment import Assessment
from ludometrics.backgammon.luck import Luck, MatchLuck, tally_luck
from ludometrics.backgammon.pace import Pace, split_pace, summarise_pace
from ludometrics.backgammon.rates import Rate, l7, pr
from ludometrics.backgammon.records import COLUMNS, UNKNOWN, Decisions, Kind, Library, Options

MOST_TO_REVIEW = 3


class Review(NamedTuple):
    """An error to look at again.

    Attributes
    ----------
    row : int
        Of the decisions of the library.
    game, move : int
    kind : str
        checker, double or response.
    error_mp : int
        Thousandths of normalised equity.
    loss : float
        MWC.
    difficulty : float or None
        What a player of the settings' temperature would have lost there, MWC.
    excess : float
        Loss less difficulty (an unknown one taken as 0): by it the errors are ranked.
    """

    row: int
    game: int
    move: int
    kind: str
    error_mp: int
    loss: float
    difficulty: float | None
    excess: float


@dataclass(frozen=True)
class MatchReport:
    """One match as it went for the player in one seat; None: unknown, or not to be had.

    Attributes
    ----------
    match : int
        Row of `Library.matches`.
    key, date : str
    length : int
        Points; 0: money.
    seat : int
    player, opponent : str
        As the file names them.
    won : bool or None
        None: unfinished, or a tie.
    pr, l7 : Rate
        Intervals by game.
    loss, opponent_loss : float or None
        Sums of the losses of the counted decisions, MWC.
    luck : MatchLuck
    review : tuple of Review
        At most three, the largest excess first.
    pace : Pace
    """

    match: int
    key: str
    date: str
    length: int
    seat: int
    player: str
    opponent: str
    won: bool | None
    pr: Rate
    l7: Rate
    loss: float | None
    opponent_loss: float | None
    luck: MatchLuck
    review: tuple[Review, ...]
    pace: Pace

    @property
    def error_balance(self) -> float | None:
        """The opponent's losses less the player's, MWC: what the luck-adjusted result should come near."""
        if self.loss is None or self.opponent_loss is None:
            return None
        return self.opponent_loss - self.loss

    def frame(self) -> pd.DataFrame:
        """The errors to review, one row each."""
        return pd.DataFrame(list(self.review), columns=list(Review._fields))


def report_match(library: Library, assessment: Assessment, match: int, seat: int) -> MatchReport:
    """The report of match ``match`` (row of `Library.matches`) for the player in ``seat``.

    Raises
    ------
    ValueError
        No such match or seat.
    """
    if not 0 <= match < len(library.matches):
        raise ValueError(f"match {match}, allowed are 0 to {len(library.matches) - 1}")
    if seat not in (0, 1):
        raise ValueError(f"seat {seat}, allowed are 0 and 1")
    return report_matches(library, assessment, [(match, seat)])[0]


def report_player(library: Library, assessment: Assessment, *names: str) -> tuple[MatchReport, ...]:
    """The reports of every match of the player with one of ``names``, in the order of the library."""
    seats = library.seats_of(*names)
    return report_matches(
        library, assessment, [(int(row), int(seats[row])) for row in np.flatnonzero(seats != UNKNOWN)]
    )


def report_matches(
    library: Library, assessment: Assessment, wanted: Iterable[tuple[int, int]]
) -> tuple[MatchReport, ...]:
    """The reports of (match, seat) pairs, in the order given."""
    luck = tally_luck(library, assessment)
    pace = split_pace(library, assessment.has_loss)
    matches = library.decisions.match
    if (np.diff(matches) < 0).any():
        raise ValueError("the decisions of the library are not in the order of its matches")
    edges = np.searchsorted(matches, np.arange(len(library.matches) + 1))
    reports = []
    for match, seat in wanted:
        rows = slice(int(edges[match]), int(edges[match + 1]))
        reports.append(_report(library, assessment, match, seat, rows, luck, pace[rows]))
    return tuple(reports)


def _report(
    library: Library,
    assessment: Assessment,
    row: int,
    seat: int,
    rows: slice,
    luck: Luck,
    pace: np.ndarray,
) -> MatchReport:
    match = library.matches[row]
    part, judged = cut_library(library, row, rows), cut_assessment(assessment, rows)
    own = part.decisions.seat == seat
    losses = [_sum_losses(judged, own), _sum_losses(judged, ~own)]
    return MatchReport(
        match=row,
        key=match.key,
        date=match.date,
        length=match.length,
        seat=seat,
        player=match.players[seat],
        opponent=match.players[1 - seat],
        won=None if match.winner is None else match.winner == seat,
        pr=pr(part, judged, own, by="game"),
        l7=l7(part, judged, own, by="game"),
        loss=losses[0],
        opponent_loss=losses[1],
        luck=luck.of(row, seat),
        review=_to_review(part, judged, own, rows.start),
        pace=summarise_pace(part, judged, own, pace),
    )


def cut_library(library: Library, match: int, rows: slice) -> Library:
    """The library of one match whose decisions are ``rows``; columns are views, so a long library costs nothing."""
    whole = library.decisions
    columns = {name: getattr(whole, name)[rows] for name in COLUMNS}
    columns["match"] = np.zeros(rows.stop - rows.start, dtype=np.int32)
    start = whole.option_start[rows.start : rows.stop + 1]
    kept = slice(int(start[0]), int(start[-1]))
    options = Options(**{item.name: getattr(whole.options, item.name)[kept] for item in fields(Options)})
    return Library(
        (library.matches[match],), Decisions(**columns, option_start=start - start[0], options=options)
    )


def cut_assessment(assessment: Assessment, rows: slice) -> Assessment:
    """The assessment of the decisions ``rows``."""
    parts = {
        name: values[rows] for name, values in vars(assessment).items() if isinstance(values, np.ndarray)
    }
    choices = type(assessment.choices)(*(values[rows] for values in assessment.choices))
    return replace(assessment, **parts, choices=choices)


def _sum_losses(assessment: Assessment, chosen: np.ndarray) -> float | None:
    losses = assessment.loss[chosen & assessment.has_loss]
    return float(losses.sum()) if len(losses) else None


def _to_review(part: Library, assessment: Assessment, own: np.ndarray, first: int) -> tuple[Review, ...]:
    """The errors with the largest excess; ties: the larger loss, then the order of the match."""
    rows = np.flatnonzero(own & assessment.is_error & assessment.has_loss)
    loss, difficulty = assessment.loss[rows], assessment.difficulty[rows]
    excess = loss - np.nan_to_num(difficulty)
    order = [place for place in np.lexsort((rows, -loss, -excess)) if excess[place] > 0]
    decisions = part.decisions
    return tuple(
        Review(
            first + int(rows[place]),
            int(decisions.game[rows[place]]),
            int(decisions.move[rows[place]]),
            Kind(decisions.kind[rows[place]]).name.lower(),
            int(assessment.error_mp[rows[place]]),
            float(loss[place]),
            None if np.isnan(difficulty[place]) else float(difficulty[place]),
            float(excess[place]),
        )
        for place in order[:MOST_TO_REVIEW]
    )


def tabulate_reports(reports: Iterable[MatchReport]) -> pd.DataFrame:
    """One row a report: the rates with their intervals, losses, luck and pace; missing where unknown."""
    rows = []
    for report in reports:
        row = {name: getattr(report, name) for name in _PLAIN}
        for name in ("pr", "l7"):
            rate = getattr(report, name)
            row |= {name: rate.value, f"{name}_low": rate.low, f"{name}_high": rate.high}
        row |= {"decisions": report.pr.decisions, "games": report.pr.units}
        row |= {"loss": report.loss, "opponent_loss": report.opponent_loss}
        luck, pace = report.luck, report.pace.all
        row |= {"error_balance": report.error_balance, "result": luck.result, "net_luck": luck.net}
        row |= {"adjusted": luck.adjusted, "coverage": luck.coverage, "decided_by": luck.decided_by}
        row |= {name: getattr(pace, name) for name in _PACE}
        rows.append(row)
    return pd.DataFrame(rows, columns=_TABLE)


_PLAIN = ("key", "date", "length", "seat", "player", "opponent", "won")
_PACE = ("hasty", "considered", "unknown", "hasty_loss", "considered_loss", "unknown_loss")
_TABLE = [
    *_PLAIN,
    *(f"{name}{end}" for name in ("pr", "l7") for end in ("", "_low", "_high")),
    *("decisions", "games", "loss", "opponent_loss", "error_balance", "result", "net_luck", "adjusted"),
    *("coverage", "decided_by"),
    *_PACE,
]


def trace_losses(library: Library, assessment: Assessment, match: int) -> pd.DataFrame:
    """The curve of losses of a match: one row a decision, with what each player has lost so far.

    Parameters
    ----------
    match : int
        Row of `Library.matches`.

    Returns
    -------
    DataFrame
        row (of the library's decisions), game, move, seat, kind, error_mp (missing: not scored), loss (MWC, missing
        where the decision does not count or has none), total_0 and total_1 (sums of the losses of each seat up to and
        with the decision; missing where a seat has none in the whole match, as in money play).
    """
    decisions = library.decisions
    rows = np.flatnonzero(decisions.match == match)
    priced = assessment.has_loss[rows]
    loss = np.where(priced, assessment.loss[rows], np.nan)
    seat = decisions.seat[rows]
    error = pd.array(assessment.error_mp[rows], dtype="Int64")
    error[assessment.error_mp[rows] == UNKNOWN] = pd.NA
    return pd.DataFrame(
        {
            "row": rows,
            "game": decisions.game[rows],
            "move": decisions.move[rows],
            "seat": seat,
            "kind": [Kind(kind).name.lower() for kind in decisions.kind[rows]],
            "error_mp": error,
            "loss": loss,
            "total_0": _running_total(loss, priced & (seat == 0)),
            "total_1": _running_total(loss, priced & (seat == 1)),
        }
    )


def _running_total(loss: np.ndarray, chosen: np.ndarray) -> np.ndarray:
    """(k,) sums of the losses of ``chosen`` so far; NaN throughout where there is none."""
    return np.cumsum(np.where(chosen, loss, 0.0)) if chosen.any() else np.full(len(loss), np.nan)
