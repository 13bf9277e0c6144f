"""A player's report as one HTML file: no server, no network, no other file.

A content security policy lets only the page's own script and style sheet work, known by their hashes, and forbids every
address outside the file; every text is escaped. So nothing in a name can do anything but be read.
"""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Sequence
from hashlib import sha256
from importlib.resources import files
from typing import Any, NamedTuple

from ludometrics.backgammon.match_report import MatchReport
from ludometrics.backgammon.report_data import PlayerReport
from ludometrics.backgammon.report_outcomes import (
    comparison_table,
    glossary,
    notices,
    pace_table,
    problems_table,
    results_sentence,
    tournament_rates,
    tournament_sentence,
)
from ludometrics.backgammon.report_parts import Compared, Detail
from ludometrics.backgammon.report_plots import Trend, draw_biases, draw_losses, draw_trend
from ludometrics.backgammon.report_positions import View
from ludometrics.backgammon.report_selection import playing_days
from ludometrics.backgammon.report_tables import (
    BIASES,
    bias_cells,
    bias_rows,
    effect_table,
    families_table,
    head_figures,
    luck_cell,
    matches_table,
    parts_table,
    rules_table,
)
from ludometrics.backgammon.report_text import count, listed, number, percent, rate_cell

#: Problems shown at most.
_MOST_PROBLEMS = 200


class Chart(NamedTuple):
    """A picture and what is said below it."""

    picture: str
    words: str


class _Reference(NamedTuple):
    view: View
    title: str
    note: str


def build_page(
    report: PlayerReport, *, compared: Sequence[Compared] = (), other: str = "", made_with: str = ""
) -> str:
    """Make the page.

    Parameters
    ----------
    report : PlayerReport
    compared : sequence of Compared
        The player beside another.
    other : str
        Name of that one.
    made_with : str
        For the foot of the page.

    Returns
    -------
    str
        One HTML document, the same for the same report.

    Raises
    ------
    ModuleNotFoundError
        The package jinja2 is not installed; the message says how to get it.

    Source
    ------
    Own.
    """
    template = _environment().from_string(_read("report.html"))
    style, script = _read("report.css"), _read("report.js")
    return template.render(
        player=report.player.name,
        about=_about(report),
        sections=_sections(report),
        policy=_policy(style, script),
        style=style,
        script=script,
        made_with=made_with,
        compared=comparison_table(compared, (report.player.name, other)) if compared else None,
        other=other,
        **_rates(report),
        **_matches(report),
        **_study(report),
        **_rest(report),
    )


def _environment() -> Any:
    try:
        from jinja2 import Environment, StrictUndefined
        from markupsafe import Markup
    except ModuleNotFoundError as error:
        raise ModuleNotFoundError(
            'the report needs the package jinja2: pip install "ludometrics[backgammon]"', name=error.name
        ) from error
    environment = Environment(autoescape=True, undefined=StrictUndefined, keep_trailing_newline=True)
    # Only for what the library itself drew or wrote.
    environment.filters["drawn"] = Markup
    environment.filters["signed"] = lambda value, decimals: number(value, decimals, sign=True)
    environment.filters["percent"] = percent
    return environment


def _read(name: str) -> str:
    return (files("ludometrics.backgammon") / "templates" / name).read_text(encoding="utf-8")


def _policy(style: str, script: str) -> str:
    def known(text: str) -> str:
        return f"'sha256-{b64encode(sha256(text.encode()).digest()).decode()}'"

    return (
        f"default-src 'none'; script-src {known(script)}; style-src {known(style)}; "
        "base-uri 'none'; form-action 'none'"
    )


def _about(report: PlayerReport) -> str:
    """What the report is made of, in a sentence."""
    matches = report.library.matches
    first, last = playing_days(matches)
    words = count(len(matches), "match", "matches")
    if first:
        words += f" of {first}" if first == last else f" from {first} to {last}"
    chosen = str(report.selection)
    words += f" ({chosen})" if chosen else ""
    engines = sorted({match.engine for match in matches} - {""})
    if engines:
        words += f"; analysed by {listed(engines[:4])}{' and others' if len(engines) > 4 else ''}"
    others = sorted({name.casefold() for name in report.player.names} - {report.player.name.casefold()})
    if others:
        words += f"; also known as {listed(others)}"
    return f"{words}."


def _sections(report: PlayerReport) -> list[tuple[str, str]]:
    sections = [
        ("rates", "How well"),
        ("time", "Over time"),
        ("matches", "Matches"),
        ("study", "What to study"),
        ("references", "Reference positions"),
        ("biases", "Which way errors go"),
    ]
    sections += [("tournaments", "Tournaments")] if report.tournaments else []
    return [
        *sections,
        ("rules", "Ways of counting"),
        ("problems", "What could not be read"),
        ("how", "How to read this"),
    ]


def _rates(report: PlayerReport) -> dict[str, Any]:
    return {
        "figures": head_figures(report),
        "results": results_sentence(report),
        "parts": parts_table(report.parts),
        "trends": trend_charts(report),
        "rules": rules_table(report),
    }


def trend_charts(report: PlayerReport) -> list[Chart]:
    """PR and L7 over time; L7 only where a match has one."""
    charts = [_trend_chart(report.pr_trend, "PR over time", "PR")]
    if len(report.l7_trend.each):
        charts.append(_trend_chart(report.l7_trend, "L7 over time", "L7 (% of a match)"))
    return charts


def _trend_chart(trend: Trend, title: str, unit: str) -> Chart:
    words = (
        f"{unit}: n = {count(len(trend.each), 'match', 'matches')}. Dots: single matches. Line and band: the latest "
        f"{trend.window} together with their 95 % interval by match."
    )
    return Chart(draw_trend(trend, title=title, unit=unit), words)


def _matches(report: PlayerReport) -> dict[str, Any]:
    return {
        "matches": matches_table(report.matches),
        "n_matches": len(report.matches),
        "details": [_shown_match(detail) for detail in report.details],
    }


def _shown_match(detail: Detail) -> dict[str, Any]:
    report = detail.report
    result = {True: "won", False: "lost", None: "not finished"}[report.won]
    length = count(report.length, "point") if report.length else "money"
    title = f"{report.date or 'undated'}: {result} against {report.opponent}, {length}, PR {number(report.pr.value)}"
    words = (
        f"Match winning chances given away, {count(len(detail.curves[0].step), 'decision')} in "
        f"{count(len(detail.games), 'game')}: {report.player} {percent(report.loss)} %, "
        f"{report.opponent} {percent(report.opponent_loss)} %."
    )
    return {
        "title": title,
        "curve": loss_picture(detail) if report.loss is not None or report.opponent_loss is not None else "",
        "words": words,
        "views": detail.views,
        "facts": _facts(report),
    }


def _facts(report: MatchReport) -> list[tuple[str, str, str]]:
    """The numbers of a match: name, value, what it rests on."""
    own, lost, adjusted = (
        rate_cell(report.pr, units="games"),
        rate_cell(report.l7, percent, units="games"),
        luck_cell(report),
    )
    pace = report.pace.all
    rows = [("PR", own.text, own.note), ("L7 (%)", lost.text, lost.note)]
    rows.append(("Luck-adjusted result (%)", adjusted.text, adjusted.note))
    rows.append(
        ("Error balance (%)", percent(report.error_balance, sign=True), "the other's loss less one's own")
    )
    if pace.hasty + pace.considered:
        note = f"{percent(pace.hasty_loss)} % and {percent(pace.considered_loss)} % MWC"
        rows.append(("Hasty and considered errors", f"{pace.hasty} and {pace.considered}", note))
    return rows


def loss_picture(detail: Detail) -> str:
    """The loss curve of a match, of both players."""
    title = f"Losses of {detail.report.player} and {detail.report.opponent}"
    return draw_losses(detail.curves, detail.games, title=title)


def _study(report: PlayerReport) -> dict[str, Any]:
    plan = report.plan
    apart = [
        f"{count(len(rows), 'error')} {words}"
        for rows, words in (
            (plan.unpriced, "without a price (money play, dead cube)"),
            (plan.themeless, "without a theme"),
        )
        if rows
    ]
    words = f"{count(plan.errors, 'error')} in {count(plan.decisions, 'counted decision')}"
    words += f"; {listed(apart)} stand in no family." if apart else "."
    if not plan.families:
        words += " No family of errors has five or more and an interval above 0 yet."
    boards = [
        {"title": f"{family.rank}. {family.name}", "views": report.plan_views[family.name]}
        for family in plan.families
        if report.plan_views.get(family.name)
    ]
    return {
        "plan_words": words,
        "families": families_table(plan.families, "Study plan") if plan.families else None,
        "family_boards": boards,
        "to_confirm": families_table(plan.to_confirm, "To be confirmed") if plan.to_confirm else None,
        "effect": effect_table(report.effect) if report.effect and report.effect.families else None,
        "effect_words": _effect_words(report),
        "references": _references(report),
        "reference_words": _reference_words(report),
    }


def _effect_words(report: PlayerReport) -> str:
    effect = report.effect
    if effect is None:
        return ""
    words = [f"{count(effect.unstudied, 'family', 'families')} not studied."]
    if effect.undated:
        words.append(f"{count(effect.undated, 'decision')} without a date in neither window.")
    if effect.missed:
        words.append(f"{count(effect.missed, 'action')} on positions without an error.")
    return " ".join(words)


def _references(report: PlayerReport) -> list[_Reference]:
    shown = []
    pairs = zip(report.references.references, report.reference_views, strict=True)
    for place, (reference, view) in enumerate(pairs, start=1):
        flags = [
            word
            for word, is_so in (
                ("narrow", reference.narrow),
                ("unstable", reference.unstable),
                ("rollout", reference.rollout),
            )
            if is_so
        ]
        note = (
            f"stands for {count(reference.errors, 'error')} of {count(reference.matches, 'match', 'matches')}, "
            f"{percent(reference.covered)} % MWC; family of {reference.family_errors}; {view.match}, {view.place}"
        )
        note += f"; {listed(flags)}" if flags else ""
        name = f"{place}. {reference.plan.label}, {reference.kind}, {reference.theme.label}"
        shown.append(_Reference(view, name, note))
    return shown


def _reference_words(report: PlayerReport) -> str:
    found = report.references
    if not found.references:
        return "No priced error with a theme: no position to propose."
    words = (
        f"{count(len(found.references), 'position')} out of {count(found.candidates, 'candidate')} that stand for most "
        f"of what could be won back; alike are positions at most {found.radius} checker pips apart."
    )
    if found.handled:
        words += f" {count(found.handled, 'position')} studied already are not proposed again."
    return words


def bias_picture(report: PlayerReport) -> str:
    """The bias of the doubles by score as a heat map; "" without a double."""
    label, much, little = BIASES["doubles"]
    return draw_biases(bias_cells(report), title=f"{label}: bias by score", too_much=much, too_little=little)


def _rest(report: PlayerReport) -> dict[str, Any]:
    return {
        "biases": bias_rows(report),
        "bias_picture": bias_picture(report),
        "pace": pace_table(report) if report.pace.all.decisions else None,
        "tournaments": [
            {"shown": tournament_rates(each), "words": tournament_sentence(each)}
            for each in report.tournaments
        ],
        "more_tournaments": report.more_tournaments,
        "problems": problems_table(report.library, _MOST_PROBLEMS),
        "more_problems": max(len(report.library.problems) - _MOST_PROBLEMS, 0),
        "notices": notices(report),
        "glossary": glossary(report),
    }
