"""What a test says, as plain text to be read or as JSON to be worked with."""

import json
import math
from collections.abc import Mapping
from dataclasses import asdict, is_dataclass
from datetime import date
from typing import Any

import numpy as np
import pandas as pd

from ludometrics.abtest.analysis import POWER, TESTS, Analysis
from ludometrics.abtest.forest_text import forest_lines
from ludometrics.abtest.layout import counted, shorten, shown, table, wrap
from ludometrics.abtest.naive import NaiveResult
from ludometrics.abtest.planning import design_effect
from ludometrics.abtest.planning_text import MOST_OF_NAME
from ludometrics.abtest.plans import Plan, plan_hash
from ludometrics.abtest.verdicts import in_percent, in_points, in_words

#: Of the JSON: raised when a key changes its name or meaning; new keys may come without.
SCHEMA_VERSION = 1
#: Columns at most of a finding that holds a name, which may be of any length.
MOST_SAID = 120


def report_text(analysis: Analysis, naive: NaiveResult | None = None) -> str:
    """Tell a test in plain text.

    Parameters
    ----------
    analysis : Analysis
    naive : NaiveResult, optional
        The course's analysis of the same games, put at the end to be compared with.

    Returns
    -------
    str
        Lines of at most 100 columns; the first line below the title is the verdict. Scores and differences are in
        points, hundredths of a score. While a plan is not fulfilled nothing is shown that scores went into.

    Source
    ------
    Own.

    Examples
    --------
    >>> from ludometrics.abtest.analysis import analyse
    >>> games = pd.DataFrame({"player": ["Ann", "Bob"] * 4, "variant": list("AABB") * 2, "score": [1, 0] * 4})
    >>> print(report_text(analyse(games, rng=np.random.default_rng(1))).splitlines()[2])
    No verdict: only 2 players in group A (6 needed).
    """
    parts = [_groups(analysis)]
    if not _hidden(analysis):
        parts += [_effect(analysis), _checks(analysis), _sensitivity(analysis)]
        parts += [forest_lines(analysis.players, analysis.decision.estimation.unit, analysis.effect)]
        parts += [_methods(analysis), _ordered(analysis), _likeness(analysis)]
    else:
        parts += [_checks(analysis)]
    parts += [_plan(analysis), _notes(analysis)]
    if naive is not None and not _hidden(analysis):
        parts.append(_course(analysis, naive))
    title = "A/B test: version B against version A"
    lines = [title, "=" * len(title), *wrap(analysis.verdict.text)]
    for part in parts:
        if part:
            lines += ["", part[0], *part[1:]]
    return "\n".join(lines) + "\n"


def report_json(analysis: Analysis, naive: NaiveResult | None = None) -> str:
    """Tell a test as JSON.

    Parameters
    ----------
    analysis : Analysis
    naive : NaiveResult, optional

    Returns
    -------
    str
        One object, strict JSON that UTF-8 can hold. Differences and scores are scores, not points; null stands for
        what is not there and for what is not finite. `schema_version` says what the keys mean.

    Source
    ------
    Own.

    Examples
    --------
    >>> from ludometrics.abtest.analysis import analyse
    >>> games = pd.DataFrame({"player": ["Ann", "Bob"] * 4, "variant": list("AABB") * 2, "score": [1, 0] * 4})
    >>> content = json.loads(report_json(analyse(games, rng=np.random.default_rng(1))))
    >>> content["schema_version"], content["verdict"]["code"], content["effect"]["p"]
    (1, 'few players', None)
    """
    estimation, plan = analysis.decision.estimation, analysis.plan
    content = {
        "schema_version": SCHEMA_VERSION,
        "verdict": analysis.verdict._asdict() | {"decided": analysis.verdict.decided},
        "unit": estimation.unit,
        "assignment": estimation.assignment,
        "estimand": analysis.estimand,
        "alpha": analysis.alpha,
        "margin": analysis.margin,
        "effect": analysis.effect,
        "test": estimation.test,
        "players_counted": dict(zip("AB", estimation.players, strict=True)),
        "adjusted_by_ratings": estimation.adjusted,
        "detectable": {"power": POWER, "difference": analysis.detectable},
        "equivalence_p": analysis.equivalence_p,
        "groups": analysis.groups,
        "checks": analysis.quality,
        "players": analysis.players,
        "sensitivity": analysis.sensitivity,
        "methods": analysis.methods,
        "win_odds": analysis.ordered,
        "player_correlation": analysis.correlation,
        "last_look": None if analysis.sequence is None else analysis.sequence.tail(1),
        "plan": None if plan is None else {**asdict(plan), "sha256": plan_hash(plan)},
        "notes": analysis.notes,
        "course": None if _hidden(analysis) else naive,
    }
    text = json.dumps(_plain(content), ensure_ascii=False, allow_nan=False, indent=1)
    # Half of a surrogate pair is no UTF-8; JSON's own escape of it has the same look as Python's.
    return text.encode("utf-8", "backslashreplace").decode() + "\n"


def _plain(value: Any) -> Any:
    """A value as JSON holds it."""
    if isinstance(value, pd.DataFrame):
        return [_plain(row) for row in value.to_dict("records")]
    if hasattr(value, "_asdict"):
        return _plain(value._asdict())
    if is_dataclass(value) and not isinstance(value, type):
        return _plain(asdict(value))
    if isinstance(value, Mapping):
        return {str(key): _plain(each) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(each) for each in value]
    if isinstance(value, np.generic):
        return _plain(value.item())
    if isinstance(value, date):
        return value.isoformat()
    return None if isinstance(value, float) and not math.isfinite(value) else value


def _hidden(analysis: Analysis) -> bool:
    """Whether a plan that is not fulfilled keeps the scores back."""
    return analysis.plan is not None and not len(analysis.players)


def _points(value: float) -> str:
    return "-" if math.isnan(value) else in_points(value)


def _range(low: float, high: float, *, of: str = "") -> str:
    return "no range" if math.isnan(low) else f"{of}{in_points(low)} to {in_points(high)}"


def _p(p: float) -> str:
    return "-" if math.isnan(p) else in_words(p)


def _level(analysis: Analysis) -> str:
    return in_percent(1.0 - analysis.alpha)


def _share(value: float) -> str:
    return "-" if math.isnan(value) else f"{100.0 * value:.0f} %"


def _number(value: float) -> str:
    return "-" if math.isnan(value) else f"{value:.0f}"


def _groups(analysis: Analysis) -> list[str]:
    header = ["", "players", "weigh as", "games", "won", "drawn", "lost"]
    rows = [[*header, "mean of games", "mean of players", "as Black"]]
    for row in analysis.groups.itertuples():
        counts = [_number(value) for value in (row.wins, row.draws, row.losses)]
        means = [_points(row.mean_score), _points(row.player_mean), _share(row.black_share)]
        rows.append(
            [row.variant, str(row.players), f"{row.effective_players:.1f}", str(row.games), *counts, *means]
        )
    return ["Groups (means in points: 100 a win, 50 a draw)", *table(rows, "<>>>>>>>>>", indent="  ")]


def _effect(analysis: Analysis) -> list[str]:
    effect, estimation = analysis.effect, analysis.decision.estimation
    in_a, in_b = estimation.players
    within = estimation.unit == "within"
    n = counted(in_a, "player") + ("" if within else f" in A, {in_b} in B")
    n += f"; {counted(int(analysis.groups['games'].sum()), 'game')}"
    estimate = "none" if math.isnan(effect.estimate) else f"{in_points(effect.estimate)} points"
    lines = ["Difference, B less A" + ("" if analysis.verdict.decided else " (an estimate, no verdict)")]
    range_ = _range(effect.low, effect.high, of=f"{_level(analysis)} range ")
    lines += wrap(f"{estimate}, {range_} ({n})", first="  ", rest="    ")
    what = analysis.estimand + (", adjusted by ratings from before the test" if estimation.adjusted else "")
    lines += wrap(f"What it is: {what}.", first="  ", rest="    ")
    if analysis.sequence is not None:
        words = "The range holds however often it is looked at; p-values, and ranges below, are for one look only."
        lines += wrap(words, first="  ", rest="    ")
    test = estimation.test
    if not math.isnan(test.p):
        ways = "all ways" if test.exact else f"{test.ways:,} ways at random"
        words = TESTS[estimation.assignment].removesuffix(", all ways")
        tail = f"; counted without halving ties, {in_words(test.p)}" if test.mid_p != test.p else ""
        lines += wrap(
            f"{in_words(test.mid_p)} by dealing again: {words}, {ways}{tail}.", first="  ", rest="    "
        )
    if not math.isnan(analysis.detectable):
        lines.append(
            f"  This test could find about {in_points(analysis.detectable)} points with a power of {100.0 * POWER:g} %."
        )
    if not math.isnan(analysis.equivalence_p):
        margin = f"{in_points(analysis.margin)} points or more in either direction"
        lines.append(f"  Against a difference of {margin}: {in_words(analysis.equivalence_p)} (equivalence).")
    return lines


def _checks(analysis: Analysis) -> list[str]:
    lines = ["Checks of the data (look: bear it in mind; unsound: no verdict)"]
    for row in analysis.quality.itertuples():
        p = "" if math.isnan(row.p) else f" ({in_words(row.p)})"
        lines += wrap(
            f"{shorten(row.finding, MOST_SAID)}{p}",
            first=f"  {row.status:<8} {row.check:<11} ",
            rest=" " * 23,
        )
    return lines


def _sensitivity(analysis: Analysis) -> list[str]:
    found = analysis.sensitivity.dropna(subset="estimate")
    if not len(found):
        return []
    top = found.iloc[0]
    who = f"Without {shown(top['without'], 30)} ({_share(top['share'])} of the games)"
    numbers = (
        f"{in_points(top['estimate'])} points, {_range(top['low'], top['high'], of='range ')}, {_p(top['p'])}"
    )
    lines = ["Does it hang on one player?", *wrap(f"{who}: {numbers}", first="  ", rest="    ")]
    if len(found) > 1:
        ends = [found.loc[found["estimate"].idxmin()], found.loc[found["estimate"].idxmax()]]
        low, high = (f"{in_points(row['estimate'])} (without {shown(row['without'], 24)})" for row in ends)
        lines += wrap(f"Leaving out each of {len(found)} in turn: {low} to {high}", first="  ", rest="    ")
    return lines


def _methods(analysis: Analysis) -> list[str]:
    if not len(analysis.methods):
        return []
    rows = [["method", "takes as independent", "difference", "range", "p"]]
    effect, p = analysis.effect, analysis.decision.estimation.test.mid_p
    counts = "games within players" if analysis.decision.estimation.unit == "within" else "players"
    mine = ("this report", counts, effect.estimate, effect.low, effect.high, p)
    columns = ["method", "counts", "estimate", "low", "high", "p"]
    for name, units, estimate, low, high, p in (mine, *analysis.methods[columns].itertuples(index=False)):
        rows.append(
            [name, units, _points(estimate), _range(low, high), _p(p).removeprefix("p ").removeprefix("= ")]
        )
    return ["Other methods on the same games", *table(rows, "<<>>>", indent="  ")]


def _ordered(analysis: Analysis) -> list[str]:
    found = analysis.ordered
    if found is None:
        return []
    if found.note:
        range_ = f"no range: {found.note}"
    else:
        range_ = f"{_level(analysis)} range {found.low:.2f} to {found.high:.2f}, {counted(found.n, 'player')}"
    pairs = f"{_share(found.better)} better, {_share(found.worse)} worse, {_share(found.tied)} tied"
    words = f"Odds of doing better rather than worse against B: {found.odds:.2f} ({range_}); pairs of games: {pairs}"
    return ["Loss, draw and win as an order", *wrap(words, first="  ", rest="    ")]


def _likeness(analysis: Analysis) -> list[str]:
    found = analysis.correlation
    if found is None:
        return []
    range_ = f"{_level(analysis)} range {found.low:.2f} to {found.high:.2f}, {counted(found.n, 'player')}"
    words = f"Two games of one player correlate by {found.value:.2f} ({range_}); a score has a standard deviation of "
    words += f"{in_points(found.sd)} points. A plan is made from these two (--icc, --sd)."
    if analysis.decision.estimation.unit == "between":
        games = (analysis.players["games_a"] + analysis.players["games_b"]).to_numpy(dtype=float)
        cost = design_effect(games.mean(), found.value, cv=games.std() / games.mean())
        alone = f"{games.sum() / cost:.0f} games of as many different players"
        words += f" Between players these {games.sum():.0f} games say as much as {alone}."
    return ["How alike the games of a player are", *wrap(words, first="  ", rest="    ")]


def _plan(analysis: Analysis) -> list[str]:
    plan: Plan | None = analysis.plan
    if plan is None:
        return [
            "Plan",
            "  None was given: looking again and again until it suits finds differences where none are.",
        ]
    looks = (
        "looked at on the way by a confidence sequence" if plan.sequential else "looked at once, at the end"
    )
    size = f"{counted(plan.players, 'player')} of {counted(plan.games_each, 'game')} each"
    words = (
        f"{shorten(repr(plan.experiment), MOST_OF_NAME)}, decided on {plan.decided_on}: {size} "
        f"({plan.planned_games} in all), versions by {plan.assignment!r}, {looks}; to find {in_points(plan.effect)} "
        f"points with a power of {100.0 * plan.power:g} % at alpha {plan.alpha:g}; differences below "
        f"{in_points(plan.margin)} points count as small."
    )
    lines = ["Plan", *wrap(words, first="  ", rest="    ")]
    if plan.note:
        lines += wrap(f"Note: {plan.note}", first="  ", rest="    ")
    return [*lines, f"  SHA-256 {plan_hash(plan)}"]


def _notes(analysis: Analysis) -> list[str]:
    if not analysis.notes:
        return []
    return ["Notes", *(line for note in analysis.notes for line in wrap(note, first="  - ", rest="    "))]


def _course(analysis: Analysis, naive: NaiveResult) -> list[str]:
    why = (
        "It counts every game as if another player had played it. Players come back, so that its range is too narrow "
        "where each has one version, and often too wide where each has both, as it knows neither draws nor players. "
        "It gives a verdict at every look, and none of its words is for a test that was too small to tell."
    )
    in_a, in_b = (
        f"{_points(naive.mean_a)} points in {counted(naive.n_a, 'game')}",
        f"{_points(naive.mean_b)} in {naive.n_b}",
    )
    groups = f"A {in_a}, B {in_b}"
    numbers = f"difference {_points(naive.difference)} points, {_range(naive.low, naive.high, of='range ')}"
    lines = ["For comparison only, not to be believed: the analysis of the adaptive-draughts course"]
    lines += wrap(why, first="  ", rest="  ")
    lines += wrap(f"{groups}; {numbers}; its verdict: {naive.verdict!r}", first="  ", rest="    ")
    for warning in naive.warnings:
        lines += wrap(f"Its warning: {shorten(warning, MOST_SAID)}", first="  ", rest="    ")
    return lines
