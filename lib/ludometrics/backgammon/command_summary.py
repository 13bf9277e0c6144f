"""What a report says in a few lines, for the terminal."""

from __future__ import annotations

from ludometrics.backgammon.report_data import PlayerReport
from ludometrics.backgammon.report_tables import BIASES, head_figures
from ludometrics.backgammon.report_text import count, percent, span

_MOST_FAMILIES = 3


def summary_lines(report: PlayerReport) -> list[str]:
    """Rates with their intervals, the first families of the study plan, biases that are sure, problems."""
    matches = count(len(report.matches), "match", "matches")
    chosen = str(report.selection)
    lines = [f"{report.player.name}: {matches}{f', {chosen}' if chosen else ''}"]
    for figure in head_figures(report):
        interval = f" [{figure.interval}]" if figure.interval else ""
        unit = f" {figure.unit}" if figure.unit else ""
        lines.append(f"{figure.name:23} {figure.value}{unit}{interval}, {figure.rests_on}; {figure.note}")
    for family in report.plan.families[:_MOST_FAMILIES]:
        interval = span(family.low, family.high, percent)
        errors = count(family.errors, "error")
        lines.append(
            f"Study {family.rank}: {family.name}: {percent(family.recoverable)} % MWC [{interval}], n = {errors}"
        )
    for name, (label, much, little) in BIASES.items():
        bias = getattr(report.biases, name)
        if bias.verdict in ("too much", "too little"):
            verdict = much if bias.verdict == "too much" else little
            interval = span(bias.low, bias.high, lambda value: percent(value, 1))
            value = percent(bias.value, 1, sign=True)
            lines.append(
                f"{label}: {verdict} ({value} % [{interval}], n = {count(bias.decisions, 'decision')})"
            )
    problems = len(report.library.problems)
    if problems:
        lines.append(
            f"{count(problems, 'problem')}, listed in the report; the first: {report.library.problems[0]}"
        )
    return lines
