"""More tables of a player's report: results, pace, tournaments, two players, what was not read, what the words mean."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ludometrics.backgammon.pace import PaceCounts
from ludometrics.backgammon.rates import LEVELS
from ludometrics.backgammon.records import Library
from ludometrics.backgammon.report_data import PlayerReport
from ludometrics.backgammon.report_parts import Compared
from ludometrics.backgammon.report_tables import RULES, bands
from ludometrics.backgammon.report_text import (
    DASH,
    Cell,
    Shown,
    count,
    number,
    percent,
    rate_cell,
    span,
    words,
)
from ludometrics.backgammon.results import Tally
from ludometrics.backgammon.tournaments import Comparison, TournamentReport

_PRESSURES = {
    "dmp": "double match point",
    "post_crawford": "post-Crawford",
    "crawford": "Crawford game",
    "other": "other scores",
}


def pace_table(report: PlayerReport) -> Shown:
    """Hasty and considered errors."""
    headings = (
        "Decisions",
        "Hasty errors",
        "Considered errors",
        "Unknown",
        "Hasty share (%)",
        "Quick decisions (%)",
    )
    rows = []
    for pace in (report.pace.checker, report.pace.cube, report.pace.all):
        interval = span(pace.low, pace.high, lambda value: percent(value, 0)) or "no interval"
        rows.append(
            (
                words(pace.type),
                Cell(str(pace.hasty), f"{percent(pace.hasty_loss)} % MWC"),
                Cell(str(pace.considered), f"{percent(pace.considered_loss)} % MWC"),
                Cell(str(pace.unknown), f"{percent(pace.unknown_loss)} % MWC"),
                Cell(percent(pace.share, 0), f"{interval}\nn = {_known(pace)}"),
                Cell(_quick(pace), f"n = {pace.decisions:,}"),
            )
        )
    return Shown("Hasty and considered errors", headings, tuple(rows))


def _known(pace: PaceCounts) -> str:
    return f"{count(pace.hasty + pace.considered, 'error')}, {count(pace.matches, 'match', 'matches')}"


def _quick(pace: PaceCounts) -> str:
    return percent(pace.quick / pace.decisions, 0) if pace.decisions else DASH


def results_sentence(report: PlayerReport) -> str:
    """Matches won and lost, and the mean result with the luck taken out."""
    parts = []
    for name, tally in (("Matches", report.results.matches), ("Money sessions", report.results.money)):
        if tally.wins + tally.losses + tally.undecided:
            parts.append(f"{name}: {_tally(tally)}.")
    adjusted = report.adjusted
    if adjusted.actual is not None and adjusted.adjusted is not None:
        told = [
            f"{percent(each.value, 1, sign=True)} % a match ({span(each.low, each.high, lambda v: percent(v, 1))})"
            for each in (adjusted.actual, adjusted.adjusted)
        ]
        parts.append(
            f"Result above an even chance {told[0]}; without the luck of the dice {told[1]}; "
            f"n = {count(adjusted.matches, 'match', 'matches')}."
        )
    return " ".join(parts).replace(" %", "\u00a0%")


def _tally(tally: Tally) -> str:
    words_ = f"{tally.wins} won, {tally.losses} lost"
    if tally.undecided:
        words_ += f", {tally.undecided} undecided"
    if tally.share is not None:
        interval = span(tally.low, tally.high, lambda value: percent(value, 0))
        words_ += f": {percent(tally.share, 0)} % won, 95 % interval {interval} %"
    return words_


def comparison_table(compared: Sequence[Compared], names: tuple[str, str]) -> Shown:
    """Two players side by side."""
    rows = []
    for each in compared:
        form = percent if each.percent else number
        found = each.comparison
        interval = span(found.low, found.high, form) or "no interval"
        verdict = {
            "worse": f"{names[0]} loses more",
            "better": f"{names[1]} loses more",
            "usual": "cannot be told apart",
        }.get(found.verdict, "too little to judge")
        unit = f"{each.name} (%)" if each.percent else each.name
        difference = DASH if found.difference is None else form(found.difference, sign=True)
        rows.append(
            (
                words(unit),
                rate_cell(found.here, form),
                rate_cell(found.usual, form),
                Cell(difference, interval if found.difference is not None else ""),
                words(verdict),
            )
        )
    return Shown("Two players", ("Rate", *names, "Difference", "Verdict"), tuple(rows))


def tournament_rates(report: TournamentReport) -> Shown:
    """A tournament against the usual level: PR and L7, and PR by round, tiredness, pressure and pace."""
    rows = [_held("PR", report.pr), _held("L7 (%)", report.l7, is_fraction=True)]
    for played in report.rounds:
        result = {True: "won", False: "lost", None: "not finished"}[played.won]
        rows.append(
            _held(
                f"Round {played.round}", played.pr, note=f"{result} against {played.opponent}", units="games"
            )
        )
    rows += [_held(f"Decisions {item.name} of a match", item) for item in report.ranks]
    rows += [_held(_PRESSURES[item.name].capitalize(), item) for item in report.pressure]
    rows += [_held(f"{item.name.capitalize()} decisions", item) for item in report.pace]
    headings = ("PR of", "Tournament", "Usual", "Difference", "Verdict")
    shown = 2 if report.why_no_usual else len(headings)
    return Shown(report.tournament, headings[:shown], tuple(row[:shown] for row in rows if row))


def _held(
    name: str, item: Comparison, *, is_fraction: bool = False, note: str = "", units: str = "matches"
) -> tuple[Cell, ...]:
    """A row of a comparison; nothing where the tournament has no such decision."""
    if item.here.value is None:
        return ()
    form = percent if is_fraction else number
    interval = span(item.low, item.high, form) or "no interval"
    difference = Cell(DASH) if item.difference is None else Cell(form(item.difference, sign=True), interval)
    return (
        words(name, note),
        rate_cell(item.here, form, units),
        rate_cell(item.usual, form),
        difference,
        words("too little to judge" if item.verdict == "insufficient" else item.verdict),
    )


def tournament_sentence(report: TournamentReport) -> str:
    """What there is of a tournament, and what its usual level is made of."""
    parts = [f"{report.day or 'Without a date'}: {_tally(report.results)}."]
    if report.why_no_usual:
        parts.append(f"No usual level: {report.why_no_usual}.")
    else:
        parts.append(f"Usual level: {count(report.usual_matches, 'match', 'matches')} of the year before.")
    families = [f"{family.name} ({percent(family.recoverable)} % MWC)" for family in report.families]
    if families:
        parts.append(f"To study after this tournament alone: {'; '.join(families)}.")
    if report.to_confirm:
        parts.append(f"{count(report.to_confirm, 'family', 'families')} it does not prove.")
    return " ".join(parts)


def notices(report: PlayerReport) -> list[str]:
    """What was read but could not be used, in words."""
    library, judged, mask = report.library, report.assessment, report.mask
    matches = library.matches
    said = []
    left_out = np.unique(library.decisions.match[judged.left_out])
    if len(left_out):
        mets = sorted({matches[row].met for row in left_out})
        said.append(
            f"{count(len(left_out), 'match', 'matches')} analysed with another match equity table ({', '.join(mets)}) "
            f"than {judged.table.name}: nothing of them is scored."
        )
    unscored = int((mask & np.isnan(judged.error) & ~judged.left_out & ~judged.forced).sum())
    if unscored:
        said.append(
            f"{count(unscored, 'decision')} of {report.player.name} without an analysis of what was played."
        )
    undated = sum(not match.date for match in matches)
    if undated:
        said.append(f"{count(undated, 'match', 'matches')} without a date, put before the dated ones.")
    cut = int((mask & judged.counted & judged.cut).sum())
    if cut:
        said.append(
            f"{count(cut, 'play')} whose candidates are not all listed: their difficulty is a lower bound."
        )
    mixed = int((mask & judged.counted & judged.mixed_depths).sum())
    if mixed:
        said.append(
            f"{count(mixed, 'play')} with candidates analysed at different depths: the deepest decide."
        )
    return said


def problems_table(library: Library, most: int) -> Shown:
    """The first of them."""
    rows = tuple(
        (words(problem.source), words(problem.where), words(problem.reason))
        for problem in library.problems[:most]
    )
    return Shown("What could not be read", ("File", "Where", "Why"), rows)


def glossary(report: PlayerReport) -> list[tuple[str, str]]:
    """What the words of a report mean, with the settings in force."""
    settings, table = report.assessment.settings, report.assessment.table
    return [
        (
            "PR",
            "500 × what the counted decisions gave away, in normalised equity, a decision. Lower is better.",
        ),
        (
            "Level",
            f"By the bands of eXtreme Gammon 2's manual: {bands()}, {LEVELS[0][1]} below 0. blunderDB prints another "
            "orientation of its own.",
        ),
        ("Counted", f"Rule {settings.rule}: {RULES[settings.rule][1]}."),
        (
            "MWC, L7",
            f"Match winning chances, priced with the match equity table {table.name}. L7: those given away, scaled to "
            "a match to 7 points by the square root of its length; money play has none.",
        ),
        (
            "Elo against the engine",
            "What L7 means on the scale of FIBS for matches to 7 points against a faultless engine, 0 at best.",
        ),
        (
            "Error, blunder",
            f"A counted decision that costs {settings.error_mp} mp or more, {settings.blunder_mp} mp or more; 1 mp is "
            "0.001 of the cube at stake.",
        ),
        (
            "Difficulty, excess, ratio",
            "What somebody would lose there who chooses among the candidates by their cost at a temperature of "
            f"{settings.temperature:g}; the loss less that; the loss over that. Avoidable: an error whose difficulty "
            f"is at most {100 * settings.avoidable_share:g} % of its loss.",
        ),
        (
            "Intervals",
            "95 %, from the spread of whole matches (within one match: of its games), never of single decisions. None "
            f"below {settings.least_units} of them; up to {settings.few_units} only indicative.",
        ),
    ]
