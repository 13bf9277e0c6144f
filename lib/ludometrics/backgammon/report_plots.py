"""Charts of a report as plain SVG: a rate over time with its band, the losses of a match, biases by score.

Plain SVG and not a picture of a plotting library: a page of twenty charts stays small, and its style sheet gives the
colours for light and dark. Without one the charts show the project's own colours.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from typing import NamedTuple

import numpy as np

from ludometrics.backgammon.report_text import percent
from ludometrics.plotting import OKABE_ITO

_WIDTH, _HEIGHT = 480, 240
_FONT = 'font-family="system-ui, sans-serif" font-size="13"'
_INK, _QUIET, _GRID = "#1c2421", "#55605b", "#dcd9cf"
_FIRST, _SECOND = OKABE_ITO["blue"], OKABE_ITO["vermilion"]


class Trend(NamedTuple):
    """A rate of m matches in their order.

    Attributes
    ----------
    each : (m,) float
        Of every match by itself; NaN where it has none.
    pooled, low, high : (m,) float
        Of the latest matches up to this one, and its 95 % interval; NaN where there is none.
    dates : (m,) str
        ISO days, "" where unknown.
    window : int
        How many matches are pooled at most.
    """

    each: np.ndarray
    pooled: np.ndarray
    low: np.ndarray
    high: np.ndarray
    dates: tuple[str, ...]
    window: int


class Curve(NamedTuple):
    """Losses of one player in a match, summed decision after decision.

    Attributes
    ----------
    name : str
    step : (k,) int
        Number of the decision in the match, rising.
    total : (k,) float
        Match winning chances given away so far, as a fraction; NaN: unknown.
    """

    name: str
    step: np.ndarray
    total: np.ndarray


class Cell(NamedTuple):
    """A signed bias at one score."""

    away: int
    away_opponent: int
    value: float | None
    decisions: int
    verdict: str


@dataclass(frozen=True)
class _Plane:
    """From numbers to places in a picture."""

    x: tuple[float, float]
    y: tuple[float, float]
    left: int = 50
    right: int = 10
    top: int = 14
    bottom: int = 40

    def across(self, value: float) -> str:
        span = (self.x[1] - self.x[0]) or 1.0
        return _short(self.left + (value - self.x[0]) / span * (_WIDTH - self.left - self.right))

    def down(self, value: float) -> str:
        span = (self.y[1] - self.y[0]) or 1.0
        return _short(_HEIGHT - self.bottom - (value - self.y[0]) / span * (_HEIGHT - self.top - self.bottom))


def _short(value: float) -> str:
    return f"{value:.1f}".removesuffix(".0")


def ticks(low: float, high: float, most: int = 5) -> list[float]:
    """Round numbers from ``low`` to ``high``, at most about ``most`` of them.

    Examples
    --------
    >>> ticks(0, 23)
    [0.0, 5.0, 10.0, 15.0, 20.0]
    """
    span = high - low
    if not span > 0:
        return [float(low)]
    size = 10 ** math.floor(math.log10(span / most))
    step = next(size * times for times in (1, 2, 5, 10, 20) if span / (size * times) <= most)
    first, last = math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9)
    return [round(number * step, 10) + 0.0 for number in range(first, last + 1)]


def draw_trend(trend: Trend, *, title: str, unit: str) -> str:
    """A rate over time: a dot a match, the line and 95 % band of the latest matches together.

    Parameters
    ----------
    trend : Trend
    title : str
        Of the picture, for those who hear it read.
    unit : str
        Beside the axis.

    Returns
    -------
    str
        One ``<svg>`` element.
    """
    count = len(trend.each)
    shown = np.concatenate([trend.each, trend.pooled, trend.high])
    shown = shown[~np.isnan(shown)]
    top = float(shown.max()) if len(shown) else 1.0
    # One match of a few decisions would squeeze all others to the ground: it is cut, and drawn at the edge.
    if len(shown) > 20:
        top = min(top, 1.6 * float(np.quantile(shown, 0.98)))
    plane = _Plane((0.5, max(count, 1) + 0.5), (0.0, (top or 1.0) * 1.05))
    numbers = np.arange(1, count + 1)
    marked = sorted({1, (count + 1) // 2, count}) if count else []
    labels = [(number, _label(trend.dates, number)) for number in marked]
    body = [
        _axes(plane, labels, unit, "matches in order" + (" of date" if any(trend.dates) else "")),
        _band(plane, numbers, trend),
        _dots(plane, numbers, trend.each),
        _lines(plane, numbers, trend.pooled),
    ]
    words = (
        f"n = {count} matches; dots: single ones; line and band: the latest {trend.window}, 95 % interval."
    )
    return _picture(title, words, "".join(body))


def _label(dates: Sequence[str], number: int) -> str:
    if 1 <= number <= len(dates) and dates[number - 1]:
        return f"{number} ({dates[number - 1][:7]})"
    return str(number)


def _picture(title: str, words: str, body: str, *, width: int = _WIDTH, height: int = _HEIGHT) -> str:
    return (
        f'<svg class="chart" xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" role="img">'
        f"<title>{escape(title)}</title><desc>{escape(words)}</desc>{body}</svg>"
    )


def _axes(plane: _Plane, labels: Sequence[tuple[float, str]], unit: str, below: str) -> str:
    """Grid, numbers and words at both axes."""
    left, right, floor = plane.left, _WIDTH - plane.right, _HEIGHT - plane.bottom
    lines, words = [], []
    for value in ticks(*plane.y):
        place = plane.down(value)
        lines.append(f"M{left} {place}H{right}")
        words.append(
            f'<text x="{left - 6}" y="{float(place) + 4:.0f}" text-anchor="end">{_plain(value)}</text>'
        )
    for value, label in labels:
        place = float(plane.across(value))
        half = 3.6 * len(label)  # of its width, nearly
        anchor = "end" if place + half > _WIDTH else "middle"
        words.append(f'<text x="{place:.0f}" y="{floor + 16}" text-anchor="{anchor}">{escape(label)}</text>')
    middle = (plane.top + floor) // 2
    words.append(
        f'<text x="{(left + right) // 2}" y="{_HEIGHT - 7}" text-anchor="middle">{escape(below)}</text>'
    )
    words.append(
        f'<text transform="translate(13 {middle}) rotate(-90)" text-anchor="middle">{escape(unit)}</text>'
    )
    return (
        f'<path class="ch-grid" fill="none" stroke="{_GRID}" d="{"".join(lines)}"/>'
        f'<path class="ch-axis" fill="none" stroke="{_QUIET}" d="M{left} {floor}H{right}"/>'
        f'<g class="ch-text" fill="{_QUIET}" {_FONT}>{"".join(words)}</g>'
    )


def _plain(value: float) -> str:
    return f"{value:.3f}".rstrip("0").rstrip(".").replace("-", "−") or "0"


def _runs(known: np.ndarray) -> list[np.ndarray]:
    """Rows of known values that follow each other."""
    rows = np.flatnonzero(known)
    return np.split(rows, np.flatnonzero(np.diff(rows) > 1) + 1) if len(rows) else []


def _band(plane: _Plane, numbers: np.ndarray, trend: Trend) -> str:
    paths = []
    for rows in _runs(~np.isnan(trend.low) & ~np.isnan(trend.high)):
        upper = [
            f"{plane.across(numbers[row])} {plane.down(min(trend.high[row], plane.y[1]))}" for row in rows
        ]
        lower = [f"{plane.across(numbers[row])} {plane.down(trend.low[row])}" for row in rows[::-1]]
        paths.append(f"M{'L'.join(upper + lower)}z")
    return f'<path class="ch-band" fill="{_FIRST}" fill-opacity="0.2" d="{"".join(paths)}"/>' if paths else ""


def _dots(plane: _Plane, numbers: np.ndarray, values: np.ndarray) -> str:
    dots = [
        f'<circle cx="{plane.across(number)}" cy="{plane.down(min(value, plane.y[1]))}" r="2.2"/>'
        for number, value in zip(numbers, values, strict=True)
        if not np.isnan(value)
    ]
    return f'<g class="ch-dots" fill="{_QUIET}" fill-opacity="0.55">{"".join(dots)}</g>'


def _lines(plane: _Plane, numbers: np.ndarray, values: np.ndarray) -> str:
    paths = []
    for rows in _runs(~np.isnan(values)):
        places = [f"{plane.across(numbers[row])} {plane.down(min(values[row], plane.y[1]))}" for row in rows]
        paths.append(f"M{'L'.join(places)}")
    return f'<path class="ch-first" fill="none" stroke="{_FIRST}" stroke-width="2.5" d="{"".join(paths)}"/>'


def draw_losses(curves: Sequence[Curve], games: Sequence[tuple[int, str]], *, title: str) -> str:
    """Losses of both players of a match, summed: steps rise at each error.

    Parameters
    ----------
    curves : sequence of Curve
        The reference player first.
    games : sequence of (int, str)
        Decision at which each game begins, and its label.
    title : str

    Returns
    -------
    str
        One ``<svg>`` element.
    """
    known = [curve for curve in curves if len(curve.total) and not np.isnan(curve.total[-1])]
    last = max([int(curve.step[-1]) for curve in curves if len(curve.step)], default=1)
    top = max([100 * float(curve.total[-1]) for curve in known], default=1.0) or 1.0
    plane = _Plane((0, last), (0, 1.08 * top), top=34)
    body = [_axes(plane, _spread(games, last), "MWC lost (%)", "games (score at their beginning)")]
    walls = "".join(
        f"M{plane.across(step)} {plane.top}V{_HEIGHT - plane.bottom}" for step, _ in games if step
    )
    body.append(f'<path class="ch-grid" fill="none" stroke="{_GRID}" stroke-dasharray="3 3" d="{walls}"/>')
    for number, curve in enumerate(curves):
        body.append(_steps(plane, curve, number, last))
    sums = [f"{curve.name}: {percent(curve.total[-1])} % in all" for curve in known]
    return _picture(title, "; ".join(sums) + ".", "".join(body))


def _spread(games: Sequence[tuple[int, str]], last: int) -> list[tuple[float, str]]:
    """Labels of the games, those left out that would stand on the one before."""
    kept: list[tuple[float, str]] = []
    for step, label in games:
        if not kept or step - kept[-1][0] > 0.1 * last:
            kept.append((step, label))
    return kept


def _steps(plane: _Plane, curve: Curve, number: int, last: int) -> str:
    colour, name = ((_FIRST, "ch-first"), (_SECOND, "ch-second"))[number]
    broken = "" if number == 0 else ' stroke-dasharray="7 4"'
    path = [f"M{plane.across(0)} {plane.down(0)}"]
    before = 0.0
    # Where a player's losses are not known the curve is missing, and not at 0.
    if not len(curve.total) or np.isnan(curve.total[-1]):
        return ""
    for step, total in zip(curve.step, 100 * curve.total, strict=True):
        if total != before:
            path.append(f"H{plane.across(step)}V{plane.down(total)}")
            before = total
    path.append(f"H{plane.across(last)}")
    style = f'fill="none" stroke="{colour}" stroke-width="2.5"{broken}'
    left = plane.left + 4 + 216 * number
    shown = curve.name if len(curve.name) <= 22 else f"{curve.name[:21]}…"
    return (
        f'<path class="{name}" {style} d="{"".join(path)}"/>'
        f'<path class="{name}" {style} d="M{left} 15h26"/>'
        f'<text class="ch-text" fill="{_INK}" {_FONT} x="{left + 32}" y="19">{escape(shown)}</text>'
    )


_SIDE = 46  # of a cell of a heat map


def draw_biases(cells: Sequence[Cell], *, title: str, too_much: str, too_little: str) -> str:
    """Signed biases by score as a heat map; what is not sure stays pale, too few decisions stay blank.

    Parameters
    ----------
    cells : sequence of Cell
        (0, 0) is money play.
    title : str
    too_much, too_little : str
        What the two colours mean.

    Returns
    -------
    str
        One ``<svg>`` element; "" without a cell.
    """
    if not cells:
        return ""
    rows = sorted({cell.away for cell in cells})
    columns = sorted({cell.away_opponent for cell in cells})
    left, top = 92, 44
    width, height = left + _SIDE * len(columns) + 8, top + _SIDE * len(rows) + 30
    drawn, words = [], []
    for cell in cells:
        x = left + _SIDE * columns.index(cell.away_opponent)
        y = top + _SIDE * rows.index(cell.away)
        drawn.append(_square(cell, x, y))
    for number, away in enumerate(rows):
        words.append(
            f'<text x="{left - 8}" y="{top + _SIDE * number + 28}" text-anchor="end">{_away(away)}</text>'
        )
    for number, away in enumerate(columns):
        place = left + _SIDE * number + _SIDE // 2
        words.append(f'<text x="{place}" y="{top - 8}" text-anchor="middle">{_away(away)}</text>')
    words.append(f'<text x="{left}" y="15">the other needs</text><text x="4" y="{top - 8}">needs</text>')
    words.append(
        f'<text x="4" y="{height - 8}">+ {escape(too_much)}; − {escape(too_little)}; below: n</text>'
    )
    width = max(width, 380)
    text = f'<g class="ch-text" fill="{_QUIET}" {_FONT}>{"".join(words)}</g>'
    said = f"{len(cells)} scores; each cell shows the bias in per cent and the number of decisions."
    picture = _picture(title, said, "".join(drawn) + text, width=width, height=height)
    return picture.replace('class="chart"', f'class="chart heat" width="{width}" height="{height}"', 1)


def _away(points: int) -> str:
    return str(points) if points else "money"


def _square(cell: Cell, x: int, y: int) -> str:
    """A cell: its colour by the side of the bias, full where the interval leaves 0 out."""
    side = "" if cell.value is None or cell.value == 0 else ("plus" if cell.value > 0 else "minus")
    sure = cell.verdict in ("too much", "too little")
    fill = {"": "#f4f2ec", "plus": "#f3c9a8", "minus": "#b9d6ec"}[side]
    opacity = 1.0 if sure else 0.35
    value = percent(cell.value, 0, sign=True)
    weight = ' font-weight="700"' if sure else ""
    middle = x + _SIDE // 2
    return (
        f'<rect class="ch-cell ch-{side or "none"}" x="{x}" y="{y}" width="{_SIDE - 2}" height="{_SIDE - 2}" '
        f'fill="{fill}" fill-opacity="{opacity}" stroke="{_GRID}"/>'
        f'<g class="ch-ink" fill="{_INK}" {_FONT} text-anchor="middle"><text x="{middle}" y="{y + 20}"{weight}>{value}'
        f'</text><text x="{middle}" y="{y + 37}" font-size="11">{cell.decisions}</text></g>'
    )
