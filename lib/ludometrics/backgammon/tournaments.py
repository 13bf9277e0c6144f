"""A tournament held against the player's usual level: did he play worse or better, and where.

The usual level is what the player did in his matches to points in the year before, the tournament's own left out. The
interval of a difference comes from the upper halves of the two rates' own (the lower ones are cut off at 0); it is
judged only where both have one and twenty decisions each. A tournament of three matches seldom says anything; the
numbers are there all the same.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from datetime import date, timedelta
from typing import NamedTuple

import numpy as np
import pandas as pd

from ludometrics.backgammon.assessment import Assessment
from ludometrics.backgammon.match_report import cut_assessment, cut_library
from ludometrics.backgammon.pace import CONSIDERED, QUICK, split_pace
from ludometrics.backgammon.rates import Z_95, Rate, l7, pr
from ludometrics.backgammon.records import UNKNOWN, Library
from ludometrics.backgammon.results import Tally, count_results
from ludometrics.backgammon.study_plan import Family, study_plan
from ludometrics.backgammon.tournament_matches import (
    Persons,
    all_names,
    first_day,
    iso_day,
    playing_order,
    reference_player,
    tournament_matches,
)

WORSE, BETTER, USUAL, INSUFFICIENT = "worse", "better", "usual", "insufficient"
VERDICTS = (WORSE, BETTER, USUAL, INSUFFICIENT)
MOST_FAMILIES = 3
RANK_STEP = 30  # decisions of a match taken together, to show tiredness
RANKS = ("1-30", "31-60", "61-90", "91+")
PRESSURES = ("dmp", "crawford", "post_crawford", "other")
PACES = {"quick": QUICK, "considered": CONSIDERED}


class Comparison(NamedTuple):
    """A rate in the tournament and the same usually.

    Attributes
    ----------
    name : str
        What of the tournament it is.
    here, usual : Rate
    difference, low, high : float or None
        here - usual, above 0: worse; the interval is None where it is not judged.
    verdict : str
        One of VERDICTS.
    """

    name: str
    here: Rate
    usual: Rate
    difference: float | None
    low: float | None
    high: float | None
    verdict: str


class Round(NamedTuple):
    """One match of the tournament.

    Attributes
    ----------
    match : int
        Row of `Library.matches`.
    round, opponent : str
    won : bool or None
    pr : Comparison
        PR of the match, its interval by game, held against the usual PR.
    l7 : Rate
    """

    match: int
    round: str
    opponent: str
    won: bool | None
    pr: Comparison
    l7: Rate


@dataclass(frozen=True)
class TournamentReport:
    """A player's tournament.

    Attributes
    ----------
    tournament, player : str
    day : str
        ISO day from which the usual level looks back; "" unknown.
    results : Tally
        Of its matches to points.
    usual_matches : int
        Matches of the usual level with a counted decision.
    why_no_usual : str
        Why there is no usual level; "" where there is one.
    pr, l7 : Comparison
    rounds : tuple of Round
        In the order played.
    ranks, pressure, pace : tuple of Comparison
        PR by the decision's place among the player's own of the match; by score; by pace.
    families : tuple of Family
        At most three families of the study plan of the tournament alone.
    to_confirm : int
        Families that the tournament alone does not prove.
    """

    tournament: str
    player: str
    day: str
    results: Tally
    usual_matches: int
    why_no_usual: str
    pr: Comparison
    l7: Comparison
    rounds: tuple[Round, ...]
    ranks: tuple[Comparison, ...]
    pressure: tuple[Comparison, ...]
    pace: tuple[Comparison, ...]
    families: tuple[Family, ...]
    to_confirm: int

    def frame(self) -> pd.DataFrame:
        """One row a comparison: part (all, round, rank, pressure, pace), measure, name, both rates, the difference."""
        parts = [("all", "pr", self.pr), ("all", "l7", self.l7)]
        parts += [("round", "pr", played.pr) for played in self.rounds]
        parts += [
            (part, "pr", item)
            for part, items in (("rank", self.ranks), ("pressure", self.pressure), ("pace", self.pace))
            for item in items
        ]
        rows = []
        for part, measure, item in parts:
            row = {"part": part, "measure": measure, "name": item.name}
            for side, rate in (("here", item.here), ("usual", item.usual)):
                row |= {f"{side}_{name}": getattr(rate, name) for name in _RATE}
            rows.append(
                row | {name: getattr(item, name) for name in ("difference", "low", "high", "verdict")}
            )
        return pd.DataFrame(rows)


_RATE = ("value", "low", "high", "decisions", "units")


def compare_rates(name: str, here: Rate, usual: Rate, least_decisions: int) -> Comparison:
    """Judge a rate against the usual one.

    sigma = (high - value) / 1.96 of each, difference -+ 1.96 sqrt(sigma_here^2 + sigma_usual^2).

    Source
    ------
    blunderDB.

    Examples
    --------
    >>> here, usual = Rate(8.0, 6.5, 9.5, 90, 4, ""), Rate(5.0, 4.2, 5.8, 900, 30, "")
    >>> result = compare_rates("all", here, usual, 20)
    >>> round(result.difference, 6), round(result.low, 1), round(result.high, 1), result.verdict
    (3.0, 1.3, 4.7, 'worse')
    """
    if here.value is None or usual.value is None:
        return Comparison(name, here, usual, None, None, None, INSUFFICIENT)
    difference = here.value - usual.value
    bounded = here.high is not None and usual.high is not None
    if not bounded or min(here.decisions, usual.decisions) < least_decisions:
        return Comparison(name, here, usual, difference, None, None, INSUFFICIENT)
    half = Z_95 * math.hypot((here.high - here.value) / Z_95, (usual.high - usual.value) / Z_95)
    low, high = difference - half, difference + half
    verdict = WORSE if low > 0 else BETTER if high < 0 else USUAL
    return Comparison(name, here, usual, difference, low, high, verdict)


def report_tournament(
    library: Library,
    assessment: Assessment,
    tournament: str,
    *,
    player: str | None = None,
    people: Persons | None = None,
    day: str = "",
) -> TournamentReport:
    """Hold a player's tournament against his usual level.

    Parameters
    ----------
    library : Library
    assessment : Assessment
        Of the same library.
    tournament : str
        As `Match.tournament` has it.
    player : str, optional
        A name or person; without it `reference_player`.
    people : Persons, optional
        Who is who; without it names that differ in case only are one.
    day : str, optional
        ISO day of the tournament; without it that of its earliest match.

    Returns
    -------
    TournamentReport

    Raises
    ------
    ValueError
        No such tournament, a player who is not in it, or a day that is none.

    Source
    ------
    blunderDB.
    """
    own = tournament_matches(library, tournament)
    player = reference_player(library, assessment, own, people) if player is None else player
    player = player if people is None else people.person(player)
    names = all_names(player, people)
    seats = library.seats_of(*names)
    own &= seats != UNKNOWN
    if not own.any():
        raise ValueError(f"{player!r} has no match in the tournament {tournament!r}")
    start = date.fromisoformat(day) if day else first_day(library, own)
    mask = library.of_player(*names)
    usual, why = _usual_matches(library, assessment, mask, tournament, start)
    played = library.decisions.match
    pair = mask & own[played], mask & usual[played]
    whole = _rates(library, assessment, pr, *pair), _rates(library, assessment, l7, *pair)
    least = assessment.settings.tournament_decisions
    plan = study_plan(library, assessment, pair[0])
    usual_pr = whole[0][1]
    return TournamentReport(
        tournament=tournament,
        player=player,
        day="" if start is None else start.isoformat(),
        results=count_results(library, *names, kept=own).matches,
        usual_matches=int(usual.sum()),
        why_no_usual=why,
        pr=compare_rates("all", *whole[0], least),
        l7=compare_rates("all", *whole[1], least),
        rounds=_rounds(library, assessment, own, seats, usual_pr),
        ranks=_split(library, assessment, pair, _ranks(library, assessment, mask), RANKS),
        pressure=_split(library, assessment, pair, _pressures(library), PRESSURES),
        pace=_split(library, assessment, pair, _paces(library, assessment), tuple(PACES)),
        families=plan.families[:MOST_FAMILIES],
        to_confirm=len(plan.to_confirm),
    )


def _usual_matches(
    library: Library, assessment: Assessment, mask: np.ndarray, tournament: str, start: date | None
) -> tuple[np.ndarray, str]:
    """(m,) bool: the matches of the usual level; and why there are none."""
    settings, none = assessment.settings, np.zeros(len(library.matches), dtype=bool)
    if start is None:
        return none, "the tournament has no date"
    begin = start - timedelta(days=settings.usual_days)
    counted = np.bincount(library.decisions.match[mask & assessment.counted], minlength=len(none)) > 0
    usual = none.copy()
    for row in np.flatnonzero(counted):
        match, day = library.matches[row], iso_day(library.matches[row].date)
        before = day is not None and begin <= day < start
        usual[row] = before and match.length > 0 and match.tournament != tournament
    found = int(usual.sum())
    if found < settings.usual_matches:
        return (
            none,
            f"{found} matches to points in {settings.usual_days} days before, {settings.usual_matches} needed",
        )
    return usual, ""


def _rates(library: Library, assessment: Assessment, measure, here: np.ndarray, usual: np.ndarray):
    return measure(library, assessment, here), measure(library, assessment, usual)


def _split(library: Library, assessment: Assessment, pair, codes: np.ndarray, names: tuple[str, ...]):
    """A comparison for each code 0, 1, .. of ``codes`` (n,), those in ``pair`` (tournament, usual)."""
    least = assessment.settings.tournament_decisions
    return tuple(
        compare_rates(
            name, *_rates(library, assessment, pr, *(part & (codes == code) for part in pair)), least
        )
        for code, name in enumerate(names)
    )


def _ranks(library: Library, assessment: Assessment, mask: np.ndarray) -> np.ndarray:
    """(n,) int: place in RANKS of the player's counted decisions by their order within the match; UNKNOWN elsewhere."""
    rows = np.flatnonzero(mask & assessment.counted)
    matches = library.decisions.match[rows]
    _, start, index = np.unique(matches, return_index=True, return_inverse=True)
    codes = np.full(len(mask), UNKNOWN)
    codes[rows] = np.minimum((np.arange(len(rows)) - start[index]) // RANK_STEP, len(RANKS) - 1)
    return codes


def _pressures(library: Library) -> np.ndarray:
    """(n,) int: place in PRESSURES; double match point comes before Crawford and after."""
    decisions = library.decisions
    dmp = (decisions.away == 1).all(axis=1)
    return np.select([dmp, decisions.crawford, decisions.post_crawford], [0, 1, 2], 3)


def _paces(library: Library, assessment: Assessment) -> np.ndarray:
    """(n,) int: place in PACES, by the median of the counted decisions of the type in the match."""
    pace = split_pace(library, assessment.counted)
    return np.select([pace == code for code in PACES.values()], range(len(PACES)), UNKNOWN)


def _rounds(
    library: Library, assessment: Assessment, own: np.ndarray, seats: np.ndarray, usual: Rate
) -> tuple[Round, ...]:
    rounds = []
    for row in sorted(np.flatnonzero(own), key=lambda row: playing_order(library.matches[row])):
        match, seat = library.matches[row], int(seats[row])
        rows = slice(*np.searchsorted(library.decisions.match, [row, row + 1]).tolist())
        part, judged = cut_library(library, int(row), rows), cut_assessment(assessment, rows)
        mask = part.decisions.seat == seat
        name = match.round or str(len(rounds) + 1)
        here = pr(part, judged, mask, by="game")
        won = None if match.winner is None else match.winner == seat
        comparison = compare_rates(name, here, usual, assessment.settings.tournament_decisions)
        rounds.append(
            Round(int(row), name, match.players[1 - seat], won, comparison, l7(part, judged, mask, by="game"))
        )
    return tuple(rounds)
