"""Everything that a player's report tells, computed once from a library: rates, matches, plan, positions, biases."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from ludometrics.backgammon.assessment import Assessment, assess
from ludometrics.backgammon.biases import Biases, find_biases
from ludometrics.backgammon.equity_table import EquityTable
from ludometrics.backgammon.error_families import classify_errors
from ludometrics.backgammon.luck import AdjustedResults, average_results
from ludometrics.backgammon.match_report import MatchReport, report_player
from ludometrics.backgammon.pace import Pace, report_pace
from ludometrics.backgammon.rates import Rate, rates_by_rule
from ludometrics.backgammon.records import Library
from ludometrics.backgammon.reference_positions import ReferencePositions, reference_positions
from ludometrics.backgammon.report_parts import (
    PARTS,
    Detail,
    Part,
    detail_match,
    judge_part,
    l7_trend,
    pr_trend,
)
from ludometrics.backgammon.report_plots import Trend
from ludometrics.backgammon.report_positions import View, view_decision
from ludometrics.backgammon.report_selection import EVERYTHING, Player, Selection, find_player, select_matches
from ludometrics.backgammon.results import Results, count_results
from ludometrics.backgammon.settings import DEFAULTS, Settings
from ludometrics.backgammon.study_effect import StudyEffect, study_effect
from ludometrics.backgammon.study_plan import StudyPlan, study_plan
from ludometrics.backgammon.tournament_matches import Persons
from ludometrics.backgammon.tournaments import TournamentReport, report_tournament

if TYPE_CHECKING:
    from ludometrics.backgammon.side_tables import StudyAction

Say = Callable[[str], None]


@dataclass(frozen=True)
class Extent:
    """How much of everything a report shows.

    Attributes
    ----------
    latest : int
        Matches shown one by one, with curve and boards: the latest.
    references : int
        Reference positions, 1 to 50.
    tournaments : int
        Tournaments held against the usual level: the latest.
    window : int
        Matches pooled in a curve over time.
    family_boards : int
        Boards shown of each family of the plan.
    """

    latest: int = 20
    references: int = 20
    tournaments: int = 10
    window: int = 10
    family_boards: int = 2


FULL = Extent()


@dataclass(frozen=True)
class PlayerReport:
    """What a report tells; arrays and rows are of `library`, the player's matches in their order.

    Attributes
    ----------
    player : Player
    selection : Selection
    library : Library
    assessment : Assessment
    mask : (n,) bool
        The player's own decisions.
    parts : tuple of Part
        All of his play first.
    rules : dict of str to Rate
        By counting rule.
    results : Results
    adjusted : AdjustedResults
    pace : Pace
    pr_trend, l7_trend : Trend
    matches : tuple of MatchReport
    details : tuple of Detail
        The latest first.
    plan : StudyPlan
    plan_views : dict of str to tuple of View
        By name of the family.
    effect : StudyEffect or None
        None without study actions.
    references : ReferencePositions
    reference_views : tuple of View
    biases : Biases
    tournaments : tuple of TournamentReport
        The latest first.
    more_tournaments : int
        Earlier ones, not shown.
    """

    player: Player
    selection: Selection
    library: Library
    assessment: Assessment
    mask: np.ndarray
    parts: tuple[Part, ...]
    rules: dict[str, Rate]
    results: Results
    adjusted: AdjustedResults
    pace: Pace
    pr_trend: Trend
    l7_trend: Trend
    matches: tuple[MatchReport, ...]
    details: tuple[Detail, ...]
    plan: StudyPlan
    plan_views: dict[str, tuple[View, ...]]
    effect: StudyEffect | None
    references: ReferencePositions
    reference_views: tuple[View, ...]
    biases: Biases
    tournaments: tuple[TournamentReport, ...]
    more_tournaments: int


def report_on(
    library: Library,
    player: str,
    *,
    people: Persons | None = None,
    selection: Selection = EVERYTHING,
    settings: Settings = DEFAULTS,
    table: EquityTable | None = None,
    actions: Sequence[StudyAction] = (),
    extent: Extent = FULL,
    say: Say = lambda text: None,
) -> PlayerReport:
    """Compute a player's report.

    Parameters
    ----------
    library : Library
        Whoever's matches; those of the player are taken.
    player : str
        A name or alias, case free.
    people : Persons, optional
        Who is who.
    selection : Selection
        Which of his matches count; the usual level of a tournament is that of all of them.
    settings : Settings
    table : EquityTable, optional
        Prices the errors in place of the settings' own.
    actions : sequence of StudyAction
        What he has studied.
    extent : Extent
    say : callable
        Called with a word on what is being done.

    Returns
    -------
    PlayerReport

    Raises
    ------
    ValueError
        No such player (names who is there), no match left, or no counted decision.
    """
    who = find_player(library, player, people)
    say("judging the decisions")
    whole = select_matches(library, who, EVERYTHING, people)
    whole_judged = assess(whole, settings, table)
    part, judged = whole, whole_judged
    if selection != EVERYTHING:
        part = select_matches(library, who, selection, people)
        judged = assess(part, settings, table)
    mask = part.of_player(*who.names)
    if not (mask & judged.counted).any():
        raise ValueError(_nothing_counted(who, part, judged, mask))
    say("rating")
    rates = _rates(part, judged, mask, who, extent)
    matches = report_player(part, judged, *who.names)
    say("looking for what to study")
    study = _study(part, judged, mask, actions, extent)
    tournaments, more = _tournaments(whole, whole_judged, part, who, people, extent.tournaments)
    say("drawing")
    return PlayerReport(
        player=who,
        selection=selection,
        library=part,
        assessment=judged,
        mask=mask,
        matches=matches,
        details=tuple(detail_match(part, judged, report) for report in matches[::-1][: extent.latest]),
        tournaments=tournaments,
        more_tournaments=more,
        **rates,
        **study,
    )


def _rates(
    library: Library, assessment: Assessment, mask: np.ndarray, who: Player, extent: Extent
) -> dict[str, Any]:
    """What a player's decisions add up to."""
    return {
        "parts": tuple(judge_part(library, assessment, mask, name) for name in PARTS),
        "rules": rates_by_rule(library, assessment, mask),
        "results": count_results(library, *who.names),
        "adjusted": average_results(library, assessment, *who.names),
        "pace": report_pace(library, assessment, mask),
        "pr_trend": pr_trend(library, assessment, mask, extent.window),
        "l7_trend": l7_trend(library, assessment, mask, extent.window),
        "biases": find_biases(library, assessment, mask),
    }


def _study(
    library: Library,
    assessment: Assessment,
    mask: np.ndarray,
    actions: Sequence[StudyAction],
    extent: Extent,
) -> dict[str, Any]:
    """What there is to study, and what came of it."""
    errors = classify_errors(library, assessment)
    plan = study_plan(library, assessment, mask, errors=errors)
    references = reference_positions(
        library, assessment, mask, size=extent.references, actions=actions, errors=errors
    )
    effect = study_effect(library, assessment, mask, actions, errors=errors) if actions else None
    boards = {
        family.name: tuple(
            view_decision(library, assessment, position.row)
            for position in family.positions[: extent.family_boards]
        )
        for family in plan.families
    }
    return {
        "plan": plan,
        "plan_views": boards,
        "effect": effect,
        "references": references,
        "reference_views": tuple(view_decision(library, assessment, row) for row in references.rows),
    }


def _nothing_counted(who: Player, library: Library, assessment: Assessment, mask: np.ndarray) -> str:
    """Why there is nothing to report."""
    matches = len(library.matches)
    begin = f"{who.name} has {matches} match{'es' if matches != 1 else ''} but no counted decision"
    if not mask.any():
        return f"{begin}: no decision of this player could be read"
    if assessment.left_out[mask].all():
        mets = sorted({match.met for match in library.matches if match.met})
        used = (
            f"the analyses used another match equity table ({', '.join(mets)}) than {assessment.table.name}"
        )
        return f"{begin}: {used}; --any-met takes them all the same"
    if np.isnan(assessment.error[mask]).all():
        return f"{begin}: the matches are not analysed; `analyse` has GNU Backgammon do it"
    return f"{begin} under the rule {assessment.settings.rule!r}"


def _tournaments(
    whole: Library,
    assessment: Assessment,
    part: Library,
    who: Player,
    people: Persons | None,
    most: int,
) -> tuple[tuple[TournamentReport, ...], int]:
    """The latest tournaments of ``part``, each held against the usual level of ``whole``; how many more there are."""
    last = {match.tournament: match.date for match in part.matches if match.tournament}
    names = sorted(last, key=lambda name: (last[name], name), reverse=True)
    everybody = people if people is not None else _Alone(who)
    reports = [
        report_tournament(whole, assessment, name, player=who.name, people=everybody) for name in names[:most]
    ]
    return tuple(reports), max(len(names) - most, 0)


class _Alone:
    """Who is who where nobody says so: names that differ in case only are one."""

    def __init__(self, player: Player) -> None:
        self.main: str | None = player.name

    def person(self, name: str) -> str:
        return name

    def aliases(self, person: str) -> tuple[str, ...]:
        return (person,)


def rate_player(
    library: Library,
    player: str,
    *,
    people: Persons | None = None,
    selection: Selection = EVERYTHING,
    settings: Settings = DEFAULTS,
    table: EquityTable | None = None,
) -> tuple[Player, tuple[Part, ...]]:
    """The rates alone of a player, for comparison; parameters and errors as of `report_on`."""
    who = find_player(library, player, people)
    part = select_matches(library, who, selection, people)
    judged = assess(part, settings, table)
    mask = part.of_player(*who.names)
    if not (mask & judged.counted).any():
        raise ValueError(_nothing_counted(who, part, judged, mask))
    return who, tuple(judge_part(part, judged, mask, name) for name in PARTS)
