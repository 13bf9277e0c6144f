"""Luck of the dice in a match, and results with the luck taken out.

Luck is read from the analysis, never computed here: what a roll gave its player over the average of all rolls, in
normalised equity. It is turned into match winning chances (MWC) with the slope at the roll's score and cube, as errors
are.

The luck-adjusted result of a player is A = R - C: his result R (1 won, 0 lost) less his chances at the start, and his
net luck C, the luck of his own rolls less that of the other's. The two players' are opposite. It is no forecast of
what he would have won: luck can exceed what a match is worth, and A then what a result can be; it is reported as it
comes out.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import pandas as pd

from ludometrics.backgammon.assessment import Assessment
from ludometrics.backgammon.equity_table import EquityTable, match_chances
from ludometrics.backgammon.records import UNKNOWN, Kind, Library
from ludometrics.evaluation import Estimate, mean_interval


class MatchLuck(NamedTuple):
    """Luck and result of one match, of the player in one seat; None: unknown.

    Attributes
    ----------
    own, opponent : float or None
        Luck of each one's rolls, sums of MWC.
    own_equity, opponent_equity : float or None
        The same in normalised equity; known in money play too.
    result : float or None
        1 or 0 less the chances at the start; None: money play or unfinished.
    adjusted : float or None
        The result less the net luck.
    rolls, measured : int
        Rolls played by both, and those of them whose luck is known.
    """

    own: float | None
    opponent: float | None
    own_equity: float | None
    opponent_equity: float | None
    result: float | None
    adjusted: float | None
    rolls: int
    measured: int

    @property
    def net(self) -> float | None:
        """Own luck less the other's, MWC."""
        return None if self.own is None or self.opponent is None else self.own - self.opponent

    @property
    def net_equity(self) -> float | None:
        """Own luck less the other's, normalised equity."""
        known = self.own_equity is not None and self.opponent_equity is not None
        return self.own_equity - self.opponent_equity if known else None

    @property
    def net_equity_per_roll(self) -> float | None:
        """Net luck over the measured rolls of both players, as eXtreme Gammon shows it."""
        return None if self.net_equity is None or not self.measured else self.net_equity / self.measured

    @property
    def coverage(self) -> float | None:
        """Share of the rolls whose luck is known; below 1 the adjusted result leans."""
        return self.measured / self.rolls if self.rolls else None

    @property
    def decided_by(self) -> str:
        """``dice`` where who lost played better than the other, ``play`` where worse; "" : unknown, or even."""
        if self.adjusted is None or self.adjusted == 0:
            return ""
        return "play" if (self.result > 0) == (self.adjusted > 0) else "dice"


@dataclass(frozen=True)
class Luck:
    """Luck and results of m matches, by seat.

    Attributes
    ----------
    rolls, measured : (m, 2) int
        Rolls played, dances among them, and those with a known luck that the score prices (money: that is known).
    chances : (m, 2) float
        Sum of the luck of the rolls, MWC; NaN in money play, where he rolled but no roll of his was measured, and
        where nobody's was.
    equity : (m, 2) float
        The same in normalised equity.
    result : (m,) float
        Of seat 0; of seat 1 it is the opposite. NaN: money play, or unfinished.
    adjusted : (m,) float
        The result less the net luck, of seat 0. NaN: no result, or no luck.
    """

    rolls: np.ndarray
    measured: np.ndarray
    chances: np.ndarray
    equity: np.ndarray
    result: np.ndarray
    adjusted: np.ndarray

    def of(self, row: int, seat: int) -> MatchLuck:
        """The luck of match ``row`` as the player in ``seat`` sees it."""
        sign = 1 if seat == 0 else -1
        return MatchLuck(
            _known(self.chances[row, seat]),
            _known(self.chances[row, 1 - seat]),
            _known(self.equity[row, seat]),
            _known(self.equity[row, 1 - seat]),
            _known(sign * self.result[row]),
            _known(sign * self.adjusted[row]),
            int(self.rolls[row].sum()),
            int(self.measured[row].sum()),
        )

    def frame(self, library: Library) -> pd.DataFrame:
        """One row a match and player: `MatchLuck` in columns, missing where unknown."""
        rows = []
        for row, match in enumerate(library.matches):
            for seat, player in enumerate(match.players):
                luck = self.of(row, seat)
                values = luck._asdict() | {"net": luck.net, "net_equity": luck.net_equity}
                values |= {"coverage": luck.coverage, "decided_by": luck.decided_by}
                rows.append({"match": match.key, "seat": seat, "player": player} | values)
        columns = [
            "match",
            "seat",
            "player",
            *MatchLuck._fields,
            "net",
            "net_equity",
            "coverage",
            "decided_by",
        ]
        return pd.DataFrame(rows, columns=columns)


def _known(value: float) -> float | None:
    return None if np.isnan(value) else float(value) + 0.0  # no -0.0


def roll_luck(library: Library, assessment: Assessment) -> np.ndarray:
    """(n,) luck of each roll in normalised equity; NaN where unknown and on rows that are no roll.

    Unknown is also all of a match whose lucks are all exactly 0, which is how some programs write that they have
    not measured any, and of analyses with another match equity table.
    """
    decisions = library.decisions
    rolled = _rolled(library)
    luck = np.where(rolled & np.isfinite(decisions.luck) & ~assessment.left_out, decisions.luck, np.nan)
    moved = np.nan_to_num(luck) != 0
    measured = np.bincount(decisions.match[moved], minlength=len(library.matches)) > 0
    return np.where(measured[decisions.match], luck, np.nan)


def _rolled(library: Library) -> np.ndarray:
    """(n,) bool: rows that are a roll in a known position; a dance is one too."""
    decisions = library.decisions
    return (decisions.kind == Kind.CHECKER) & decisions.board.any(axis=1)


def tally_luck(library: Library, assessment: Assessment) -> Luck:
    """Sum the luck of every match by seat, and take it out of the results.

    Parameters
    ----------
    library : Library
    assessment : Assessment
        Of the same library.

    Returns
    -------
    Luck
        There is an adjusted result where the match was finished, was for points, and each player who rolled has at
        least one measured roll.

    Source
    ------
    The measure: blunderDB. "Luck adjusted result" of GNU Backgammon and "luck based rating" (50 % + A) of eXtreme
    Gammon are the same.
    """
    decisions, count = library.decisions, len(library.matches)
    seat = 2 * decisions.match.astype(np.int64) + decisions.seat
    luck = roll_luck(library, assessment)
    chances = luck * assessment.slope
    money = np.array([match.length == 0 for match in library.matches], dtype=bool)
    rolls = _count(seat, _rolled(library), count)
    priced = np.isfinite(chances)
    measured = np.where(money[:, None], _count(seat, np.isfinite(luck), count), _count(seat, priced, count))
    sums = _sum(seat, chances, rolls, count)
    sums[money] = np.nan
    result = _results(library, assessment.table)
    adjusted = result - (sums[:, 0] - sums[:, 1])
    return Luck(rolls, measured, sums, _sum(seat, luck, rolls, count), result, adjusted)


def _count(seat: np.ndarray, chosen: np.ndarray, matches: int) -> np.ndarray:
    return np.bincount(seat[chosen], minlength=2 * matches).reshape(matches, 2)


def _sum(seat: np.ndarray, values: np.ndarray, rolls: np.ndarray, matches: int) -> np.ndarray:
    """(m, 2) sums of the known values by seat; NaN for a player who rolled but has none known, or if nobody has."""
    known = np.isfinite(values)
    sums = np.bincount(seat[known], values[known], minlength=2 * matches).reshape(matches, 2)
    counts = _count(seat, known, matches)
    unknown = ((counts == 0) & (rolls > 0)) | (counts.sum(axis=1) == 0)[:, None]
    return np.where(unknown, np.nan, sums)


def _results(library: Library, table: EquityTable) -> np.ndarray:
    """(m,) outcome less the chances at the start, of seat 0; NaN: money play or unfinished."""
    matches = library.matches
    length = np.array([match.length for match in matches], dtype=int)
    start = np.array([match.start_score for match in matches], dtype=int).reshape(-1, 2)
    winner = np.array([UNKNOWN if match.winner is None else match.winner for match in matches], dtype=int)
    # The first game's own flag tells whether the Crawford game lies behind or ahead.
    after = np.zeros(len(matches), dtype=bool)
    first_rows = np.unique(library.decisions.match, return_index=True)
    after[first_rows[0]] = library.decisions.post_crawford[first_rows[1]]
    away = np.where(length[:, None] > 0, length[:, None] - start, 1)
    chances = match_chances(table, away[:, 0], away[:, 1], post_crawford=after)
    chances = np.where(away[:, 0] == away[:, 1], 0.5, chances)
    return np.where((length > 0) & (winner != UNKNOWN), (winner == 0) - chances, np.nan)


class AdjustedResults(NamedTuple):
    """A player's results as they were, and with the luck taken out, a mean over matches.

    Attributes
    ----------
    actual, adjusted : Estimate or None
        Mean of R and of A, MWC a match, with Student's interval; None below the fewest units of an interval.
    matches : int
        Matches with both.
    unavailable : int
        His other matches: money, unfinished, or without luck.
    """

    actual: Estimate | None
    adjusted: Estimate | None
    matches: int
    unavailable: int


def average_results(library: Library, assessment: Assessment, *names: str) -> AdjustedResults:
    """Average the results of the player with one of ``names``, with and without luck, over the same matches."""
    luck, seats = tally_luck(library, assessment), library.seats_of(*names)
    sign = np.where(seats == 1, -1.0, 1.0)
    played = seats != UNKNOWN
    chosen = played & np.isfinite(luck.adjusted)
    count, others = int(chosen.sum()), int((played & ~chosen).sum())
    if count < max(2, assessment.settings.least_units):
        return AdjustedResults(None, None, count, others)
    actual, adjusted = (mean_interval((sign * values)[chosen]) for values in (luck.result, luck.adjusted))
    return AdjustedResults(actual, adjusted, count, others)
