"""The forest of a test: each player with a range, the effect of all together below."""

from typing import TYPE_CHECKING

import numpy as np

from ludometrics.abtest.analysis import Analysis
from ludometrics.abtest.layout import counted, shown
from ludometrics.abtest.verdicts import in_percent, in_points

if TYPE_CHECKING:  # Matplotlib takes half a second to load, and most reports have no figure
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

#: Players that are drawn, those with most games first.
MOST_DRAWN = 40
_ROW_MM, _NAME_WIDTH = 4.5, 20


def draw_forest(analysis: Analysis) -> "Figure":
    """Draw what each player says of the versions, and what all together say.

    Parameters
    ----------
    analysis : Analysis

    Returns
    -------
    Figure
        Within players each one's difference with its range, between players each one's mean score by version; below,
        the difference of all together with its range and lines at zero and at the margin. In points. Names in a script
        that the font lacks (Japanese, say) come out as boxes, except as text in SVG. Close it with
        ``matplotlib.pyplot.close``.

    Raises
    ------
    ValueError
        There are no scores to be shown: a plan is not fulfilled.

    Source
    ------
    Own; the form: Lewis and Clarke, British Medical Journal 322 (2001).

    Examples
    --------
    >>> import pandas as pd
    >>> from ludometrics.abtest.analysis import analyse
    >>> games = pd.DataFrame({"player": ["Ann", "Bob"] * 4, "variant": list("AABB") * 2, "score": [1, 0] * 4})
    >>> figure = draw_forest(analyse(games, rng=np.random.default_rng(1)))
    >>> [text.get_text() for text in figure.axes[0].get_yticklabels()]
    ['Ann (2+2)', 'Bob (2+2)', 'together (4+4)']
    """
    if not len(analysis.players):
        raise ValueError("there is nothing to draw: scores are not shown before the planned games are played")
    draw = _draw_within if analysis.decision.estimation.unit == "within" else _draw_between
    return draw(analysis)


def _draw_within(analysis: Analysis) -> "Figure":
    from ludometrics.plotting import OKABE_ITO, new_figure

    players = analysis.players.head(MOST_DRAWN)
    figure, axes = new_figure("medium", 28.0 + _ROW_MM * (len(players) + 2))
    places = np.arange(len(players))
    middle, low, high = (100.0 * players[name].to_numpy() for name in ("difference", "low", "high"))
    for at in places:
        axes.plot([low[at], high[at]], [at, at], color=OKABE_ITO["blue"], linewidth=1.0)
    axes.plot(middle, places, "s", color=OKABE_ITO["blue"], markersize=3.5, linestyle="none")
    last = len(players) + 0.5
    axes.axhline(len(players) - 0.25, color="0.6", linewidth=0.6)
    _draw_effect(axes, analysis, last)
    totals = analysis.players[["games_a", "games_b"]].sum()
    labels = [
        f"{shown(row.player, _NAME_WIDTH)} ({row.games_a}+{row.games_b})" for row in players.itertuples()
    ]
    _label_rows(axes, [*places, last], [*labels, f"together ({totals.iloc[0]}+{totals.iloc[1]})"])
    axes.set_xlabel(f"difference B - A, points, with {_level(analysis)} ranges\n(games with A + with B)")
    _head(figure, analysis, len(players))
    left, right = axes.get_xlim()  # a range of few games may reach beyond what scores allow
    axes.set_xlim(max(left, -104.0), min(right, 104.0))
    return figure


def _draw_between(analysis: Analysis) -> "Figure":
    from ludometrics.plotting import marks, new_figure

    players = analysis.players.head(MOST_DRAWN)
    n = len(players)
    figure, (top, below) = new_figure(
        "medium", 44.0 + _ROW_MM * (n + 2), nrows=2, gridspec_kw={"height_ratios": [n + 1.0, 2.0]}
    )
    by_version = players.sort_values("games_b", key=lambda games: games > 0, kind="stable")
    look = marks("AB")
    for version, column in (("A", "mean_a"), ("B", "mean_b")):
        mean = 100.0 * by_version[column].to_numpy()
        color, marker, _ = look[version]
        top.plot(mean, np.arange(n), marker, color=color, linestyle="none", label=f"version {version}")
        group = analysis.groups.set_index("variant").loc[version, "player_mean"]
        top.axvline(100.0 * group, color=color, linewidth=0.8, linestyle="-" if version == "A" else "--")
    labels = [
        f"{shown(row.player, _NAME_WIDTH)} ({row.games_a + row.games_b})" for row in by_version.itertuples()
    ]
    _label_rows(top, list(range(n)), labels)
    top.set(xlim=(-3.0, 103.0), xlabel="mean score of a player (games), points; lines: their means")
    _head(figure, analysis, n)
    top.legend(loc="lower right")
    _draw_effect(below, analysis, 0.0)
    counts = analysis.decision.estimation.players
    _label_rows(below, [0.0], [f"all: {counts[0]} in A, {counts[1]} in B"])
    below.set_xlabel(f"difference B - A, points, with its {_level(analysis)} range")
    return figure


def _draw_effect(axes: "Axes", analysis: Analysis, place: float) -> None:
    """The effect of all together, and the lines it is held against."""
    from ludometrics.plotting import OKABE_ITO

    effect, margin = analysis.effect, 100.0 * analysis.margin
    axes.axvline(0.0, color=OKABE_ITO["black"], linewidth=0.8)
    for side in (-margin, margin):
        axes.axvline(side, color=OKABE_ITO["black"], linewidth=0.8, linestyle=":")
    ends = [100.0 * effect.low, 100.0 * effect.high]
    axes.plot(ends, [place, place], color=OKABE_ITO["green"], linewidth=2.0)
    axes.plot([100.0 * effect.estimate], [place], "D", color=OKABE_ITO["green"], markersize=5)


def _label_rows(axes: "Axes", places: list[float], labels: list[str]) -> None:
    axes.set_yticks(places, labels)
    for label in axes.get_yticklabels():
        label.set_parse_math(False)  # a name may hold dollar signs
    axes.set_ylim(max(places) + 0.8, min(places) - 0.8)
    axes.grid(axis="y", visible=False)


def _head(figure: "Figure", analysis: Analysis, drawn: int) -> None:
    effect, players = analysis.effect, len(analysis.players)
    most = f"{drawn} of {players} players, those with most games"
    who = most if drawn < players else counted(players, "player")
    said = f"{_level(analysis)} range {in_points(effect.low)} to {in_points(effect.high)}"
    said = "no range" if np.isnan(effect.low) else said
    estimate = "none" if np.isnan(effect.estimate) else f"{in_points(effect.estimate)} points"
    numbers = f"B - A: {estimate} ({said})"
    text = f"{numbers}\n{who}; dotted: a difference of {in_points(analysis.margin)} points"
    figure.suptitle(text, x=0.01, ha="left", fontsize=8)


def _level(analysis: Analysis) -> str:
    return in_percent(1.0 - analysis.alpha)
