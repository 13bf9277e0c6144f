"""The tables of a player's report as they are shown: every rate with its interval and what it rests on."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from ludometrics.backgammon.biases import Bias
from ludometrics.backgammon.match_report import MatchReport
from ludometrics.backgammon.rates import LEVELS, Rate, level
from ludometrics.backgammon.report_data import PlayerReport
from ludometrics.backgammon.report_parts import Part
from ludometrics.backgammon.report_plots import Cell as BiasCell
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
from ludometrics.backgammon.study_effect import StudyEffect
from ludometrics.backgammon.study_plan import Family

#: The counting rules: what each one's rate is called, and which decisions it counts.
RULES: dict[str, tuple[str, str]] = {
    "blunderdb": (
        "PR, blunderDB",
        "plays that leave a choice; every double, take and pass; no-doubles with ND above 0 and less than 0.200 above "
        "doubling",
    ),
    "xg": (
        "PR, eXtreme Gammon",
        "as the manual of eXtreme Gammon 2 has it: no optional double, none more than 0.200 off, none hopeless before "
        "and after",
    ),
    "gammonview": (
        "PR, GammonView",
        "that package's reading of the manual: a left-out cube decision counts if it cost something",
    ),
    "gnubg": (
        "GNU Backgammon",
        "1000 × error a decision: plays with two legal boards or more, cube decisions less than 0.16 from doubling",
    ),
    "snowie": (
        "Snowie error rate",
        "500 × all errors of the player over the checker moves of both players, forced ones among them",
    ),
}
BIASES = {
    "takes": ("Takes", "takes too much", "passes too much"),
    "doubles": ("Doubles", "doubles too much", "doubles too little"),
    "blots": ("Blots", "leaves too many", "leaves too few"),
}


class Figure(NamedTuple):
    """One of the numbers at the head of a report."""

    name: str
    value: str
    unit: str
    interval: str
    rests_on: str
    note: str


def head_figures(report: PlayerReport) -> tuple[Figure, ...]:
    """PR, L7 and Elo against the engine, each with its interval and what it rests on."""
    whole = report.parts[0]
    rests = _rests_on(whole.pr)
    lost = _rests_on(whole.l7)
    elo = whole.elo
    at_most = "≤ " if elo.floored else ""
    value = DASH if elo.value is None else at_most + number(elo.value, 0)
    bounds = [None, None] if elo.low is None or elo.high is None else [elo.low, elo.high]
    return (
        Figure("PR", number(whole.pr.value), "", _interval(whole.pr, number), rests, _level(whole.pr)),
        Figure(
            "L7",
            percent(whole.l7.value),
            "% of a match" if whole.l7.value is not None else "",
            _interval(whole.l7, percent),
            lost,
            "given away in a match to 7 points" if whole.l7.value is not None else "money play has none",
        ),
        Figure(
            "Elo against the engine",
            value,
            "",
            span(*bounds, lambda bound: number(bound, 0)) or ("" if elo.value is None else "no interval"),
            lost,
            "at most this: the chance to win is taken as 1 %" if elo.floored else "read off L7",
        ),
    )


def _rests_on(rate: Rate) -> str:
    return f"n = {count(rate.decisions, 'decision')} in {count(rate.units, 'match', 'matches')}"


def _interval(rate: Rate, form) -> str:
    if rate.value is None:
        return ""
    words_ = span(rate.low, rate.high, form)
    if not words_:
        return "no interval"
    return f"{words_} (indicative)" if rate.note == "indicative" else words_


def _level(rate: Rate) -> str:
    return f"{level(rate.value)}, by eXtreme Gammon's bands" if rate.value is not None else ""


def bands() -> str:
    """The bands of levels in words.

    Examples
    --------
    >>> bands()[:54]
    'World champion to 2.5, World class to 5, Expert to 7.5'
    """
    told = [f"{name} to {bound:g}" for bound, name in LEVELS[1:-1]]
    return ", ".join([*told, f"{LEVELS[-1][1]} above"])


def parts_table(parts: Sequence[Part]) -> Shown:
    """Rates and sums of each part of a player's play."""
    headings = (
        "Part",
        "PR",
        "L7 (%)",
        "Errors",
        "Blunders",
        "Avoidable",
        "Lost in all (%)",
        "Difficulty (%)",
        "Excess (%)",
        "Ratio",
    )
    rows = []
    for part in parts:
        priced = f"{part.priced:,} priced"
        money = not part.priced
        rows.append(
            (
                words(part.name),
                rate_cell(part.pr),
                rate_cell(part.l7, percent),
                Cell(f"{part.errors:,}"),
                Cell(f"{part.blunders:,}"),
                Cell(DASH if money else f"{part.avoidable:,}"),
                Cell(DASH if money else percent(part.loss), priced),
                Cell(DASH if money else percent(part.difficulty)),
                Cell(DASH if money else percent(part.loss - part.difficulty, sign=True)),
                Cell(number(part.ratio)),
            )
        )
    return Shown("Rates by part of play", headings, tuple(rows))


def rules_table(report: PlayerReport) -> Shown:
    """The rate of each counting rule."""
    used = report.assessment.settings.rule
    rows = []
    for rule, rate in report.rules.items():
        name, meaning = RULES[rule]
        rows.append(
            (
                words(name, "the rule of this report" if rule == used else ""),
                rate_cell(rate),
                words(meaning),
            )
        )
    return Shown("One play, five ways of counting", ("Rule", "Rate", "What counts"), tuple(rows))


def matches_table(reports: Sequence[MatchReport]) -> Shown:
    """One row a match, the latest first."""
    headings = (
        "Date",
        "Opponent",
        "PR",
        "L7 (%)",
        "Result",
        "Length",
        "Luck-adjusted (%)",
        "Lost (%)",
        "Hasty",
        "Considered",
    )
    rows = []
    for report in reversed(reports):
        pace = report.pace.all
        timed = pace.hasty + pace.considered > 0
        unknown = f"{pace.unknown:,} of unknown time" if pace.unknown else ""
        rows.append(
            (
                Cell(report.date or DASH),
                words(report.opponent),
                rate_cell(report.pr, units="games"),
                rate_cell(report.l7, percent, units="games"),
                words(_won(report)),
                Cell(str(report.length) if report.length else "money"),
                luck_cell(report),
                Cell(percent(report.loss), _balance(report)),
                Cell(str(pace.hasty) if timed else DASH, unknown),
                Cell(str(pace.considered) if timed else DASH),
            )
        )
    return Shown("Matches", headings, tuple(rows))


def _won(report: MatchReport) -> str:
    return "not finished" if report.won is None else ("won" if report.won else "lost")


def luck_cell(report: MatchReport) -> Cell:
    """The result of a match less the luck of its dice, and how many rolls that rests on."""
    luck = report.luck
    if luck.adjusted is None:
        return Cell(DASH, "no luck in the analysis" if not luck.measured else "")
    covered = f"{luck.measured} of {luck.rolls} rolls"
    cause = f"decided by {luck.decided_by}" if luck.decided_by else ""
    return Cell(percent(luck.adjusted, sign=True), f"{cause}\n{covered}".strip())


def _balance(report: MatchReport) -> str:
    return "" if report.error_balance is None else f"balance {percent(report.error_balance, sign=True)}"


def families_table(families: Sequence[Family], title: str) -> Shown:
    """Families of errors, those of the plan with their rank."""
    headings = (
        "Rank",
        "Plan of play",
        "Kind",
        "Theme",
        "To win back (% MWC)",
        "Errors",
        "Avoidable",
        "Positions",
    )
    rows = []
    for family in families:
        interval = span(family.low, family.high, percent)
        rows.append(
            (
                Cell(DASH if family.rank is None else str(family.rank)),
                words(family.plan.label),
                words(family.kind),
                words(family.theme.label),
                Cell(percent(family.recoverable), f"{interval}\nn = {count(family.errors, 'error')}"),
                Cell(str(family.errors)),
                Cell(str(family.avoidable)),
                Cell(str(len(family.positions))),
            )
        )
    return Shown(title, headings, tuple(rows))


def effect_table(effect: StudyEffect) -> Shown:
    """Families before and after the day on which they were first studied, points of MWC per 100 decisions."""
    headings = ("Family", "Studied on", "Before", "After", "Gain", "Verdict")
    rows = []
    for family in effect.families:
        change = family.change
        windows = [
            Cell(_per_hundred(window.rate), f"{count(window.errors, 'error')}, n = {window.decisions:,}")
            for window in (change.before, change.after)
        ]
        interval = span(change.low, change.high, _per_hundred) or "no interval"
        rows.append(
            (
                words(family.name, f"{family.studied} of {count(family.positions, 'position')} studied"),
                words(family.studied_on.isoformat()),
                *windows,
                Cell(_per_hundred(change.gain), interval),
                words(change.verdict),
            )
        )
    return Shown("Before and after study, % MWC per 100 decisions", headings, tuple(rows))


def _per_hundred(rate: float | None) -> str:
    return DASH if rate is None else percent(100 * rate, 3)


def bias_rows(report: PlayerReport) -> Shown:
    """The three biases overall."""
    headings = ("Bias", "(P − M) / N, %", "Verdict", "Too much (P)", "Too little (M)", "N")
    rows = []
    for name, (label, much, little) in BIASES.items():
        bias: Bias = getattr(report.biases, name)
        verdict = {"too much": much, "too little": little}.get(bias.verdict, bias.verdict)
        interval = span(bias.low, bias.high, lambda value: percent(value, 1)) or "no interval"
        apart = f"{bias.apart} not told" if bias.apart else ""
        rows.append(
            (
                words(label),
                Cell(percent(bias.value, 1, sign=True), interval),
                words(verdict),
                Cell(str(bias.too_much), f"{bias.too_much_mp / 1000:.3f} EMG"),
                Cell(str(bias.too_little), f"{bias.too_little_mp / 1000:.3f} EMG"),
                Cell(f"{bias.decisions:,}", apart),
            )
        )
    return Shown("Biases", headings, tuple(rows))


def bias_cells(report: PlayerReport) -> tuple[BiasCell, ...]:
    """Bias of the doubles at each score, for the heat map."""
    return tuple(
        BiasCell(away, other, bias.value, bias.decisions, bias.verdict)
        for (away, other), bias in report.biases.doubles_by_score.items()
    )
