"""A position drawn as SVG: points, checkers, bar, borne-off trays, cube, dice, score, pips, and plays as arrows.

The player to decide sits below with the light checkers and bears off on the right, where his point 1 is. A picture
stands by itself: it needs no style sheet, no font and no other file. A page may recolour it by the classes of its
groups (``bd-own``, ``bd-other``, ``bd-felt``, ...): the colours drawn here give way to those of a style sheet.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from html import escape
from itertools import pairwise

from ludometrics.backgammon.board_words import Position, describe, score_words
from ludometrics.backgammon.boards import BAR, off, pips
from ludometrics.backgammon.building import check_board
from ludometrics.backgammon.notation import OFF, parse_ways

# Lengths in units of the picture: a point is 40 wide, five checkers of 36 fill it.
_POINT, _CHECKER, _LEVELS = 40, 36, 5
_LEFT, _BAR, _TRAY = 46, 38, 48  # columns of the cube, the bar, the trays
_HEAD, _NUMBERS = 32, 20  # lines of words and of numbers of points
_DEPTH = 420  # of the board between its edges
WIDTH = _LEFT + 12 * _POINT + _BAR + _TRAY + 8
HEIGHT = 2 * (_HEAD + _NUMBERS) + _DEPTH
_TOP = _HEAD + _NUMBERS
_FOOT = _TOP + _DEPTH
_BAR_MIDDLE = _LEFT + 6 * _POINT + _BAR / 2
_OFF_LEFT = _LEFT + 12 * _POINT + _BAR + 6
_FONT = 'font-family="system-ui, sans-serif"'


def draw_position(position: Position, *, played: str = "", best: str = "", title: str = "") -> str:
    """Draw a position.

    Parameters
    ----------
    position : Position
    played, best : str
        Plays in the usual notation, "13/9 9/6*", drawn as arrows: the one played red, the best green and broken; the
        same play for both is drawn once. "" for none, and for what is no checker play.
    title : str
        Of the picture, for those who hear it read; "" for one that says whose turn it is.

    Returns
    -------
    str
        One ``<svg>`` element; the same position gives the same text.

    Raises
    ------
    RecordError
        A board that cannot be.
    ValueError
        A play that cannot be read.

    Source
    ------
    Own.

    Examples
    --------
    >>> start = [0, -2, 0, 0, 0, 0, 5, 0, 3, 0, 0, 0, -5, 5, 0, 0, 0, -3, 0, -5, 0, 0, 0, 0, 2, 0]
    >>> picture = draw_position(Position(tuple(start), dice=(3, 1)), best="8/5 6/5")
    >>> picture[:24], picture.count("<circle")
    ('<svg class="board" xmlns', 34)
    """
    check_board(position.board)
    plays = [("bd-best", best)] if played == best else [("bd-played", played), ("bd-best", best)]
    said = [f"{word}: {play}." for word, play in (("Played", played), ("Best", best)) if play]
    parts = [
        f'<svg class="board" xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" role="img">',
        f"<title>{escape(title or _title(position))}</title>",
        f"<desc>{escape(' '.join([describe(position), *said]))}</desc>",
        _frame(),
        _words(position),
        _checkers(position.board, 1),
        _checkers(position.board, -1),
        _trays(position.board),
        _cube(position),
        _dice(position.dice),
    ]
    parts += [_arrows(position.board, play, kind) for kind, play in plays if play]
    return "".join(parts) + "</svg>"


def _title(position: Position) -> str:
    if position.offered:
        return "Take or pass?"
    if position.dice == (0, 0):
        return "Double or roll?"
    return f"{position.dice[0]}-{position.dice[1]} to play"


def _number(value: float) -> str:
    return f"{value:.1f}".removesuffix(".0")


def _middle(point: int) -> float:
    """Middle of a point from left to right; of 0 and 25, the bar."""
    if point in (0, BAR):
        return _BAR_MIDDLE
    place = (point - 13) if point > 12 else (12 - point)
    return _LEFT + _POINT * (place + 0.5) + (_BAR if place >= 6 else 0)


def _height(point: int, level: int, own: bool) -> float:
    """Middle of a checker from top to bottom; that on level 0 stands at the edge."""
    step = (min(level, _LEVELS - 1) + 0.5) * _CHECKER
    if point in (
        0,
        BAR,
    ):  # they will come in on the side of the other's home, and stand from the middle there
        step = min(level, _LEVELS - 2) * _CHECKER + 26
        return _TOP + _DEPTH / 2 + (-step if own else step)
    return _TOP + step if point > 12 else _FOOT - step


def _frame() -> str:
    """Board, bar, trays and points; numbers of the points."""
    board, across = _LEFT - 4, 12 * _POINT + _BAR + _TRAY + 6
    colours: dict[int, list[str]] = {0: [], 1: []}
    numbers = []
    for point in range(1, 25):
        middle, upper = _middle(point), point > 12
        edge, tip = (_TOP, _TOP + 5 * _CHECKER + 6) if upper else (_FOOT, _FOOT - 5 * _CHECKER - 6)
        left, right = _number(middle - _POINT / 2), _number(middle + _POINT / 2)
        colours[point % 2].append(f"M{left} {edge}L{_number(middle)} {tip}L{right} {edge}z")
        line = _TOP - 5 if upper else _FOOT + 16
        numbers.append(f'<text x="{_number(middle)}" y="{line}">{point}</text>')
    bar = _LEFT + 6 * _POINT
    return "".join(
        [
            f'<path class="bd-felt" fill="#f3ead7" stroke="#4f4336" stroke-width="2" '
            f'd="M{board} {_TOP - 1}h{across}v{_DEPTH + 2}h-{across}z"/>',
            f'<path class="bd-points" fill="#c9a77c" d="{"".join(colours[0])}"/>',
            f'<path class="bd-points-2" fill="#9db4a5" d="{"".join(colours[1])}"/>',
            f'<path class="bd-bar" fill="#d9c9ae" stroke="#4f4336" d="M{bar} {_TOP}h{_BAR}v{_DEPTH}h-{_BAR}z'
            f'M{_OFF_LEFT - 4} {_TOP}h{_TRAY}v{_DEPTH}h-{_TRAY}z"/>',
            f'<g class="bd-text" fill="#3a332b" {_FONT} font-size="15" text-anchor="middle">{"".join(numbers)}</g>',
        ]
    )


def _words(position: Position) -> str:
    """Above the other's name, pips and points away; below those of the player to decide."""
    own, other = pips(position.board)
    names = [name or role for name, role in zip(position.names, ("To decide", "Opponent"), strict=True)]
    away = ["", ""] if position.away == (0, 0) else [f", {points} away" for points in position.away]
    right = _LEFT + 12 * _POINT + _BAR + _TRAY + 2
    lines = []
    for line, name, points, to_go in (
        (21, names[1], away[1], other),
        (HEIGHT - 9, names[0], away[0], own),
    ):
        shown = name if len(name) <= 20 else f"{name[:19]}…"
        lines.append(f'<text x="{_LEFT - 4}" y="{line}">{escape(shown)}{points} · {to_go} pips</text>')
    lines.append(f'<text x="{right}" y="21" text-anchor="end">{escape(score_words(position))}</text>')
    return f'<g class="bd-text" fill="#3a332b" {_FONT} font-size="19">{"".join(lines)}</g>'


def _checkers(board: Sequence[int], side: int) -> str:
    """Checkers of one side; of more than five on a point five, with the number on the last."""
    circles, counts = [], []
    for point, held in enumerate(board):
        count, own = held * side, side > 0
        most = _LEVELS if 0 < point < 25 else _LEVELS - 1
        for level in range(min(count, most)):
            place = f'cx="{_number(_middle(point))}" cy="{_number(_height(point, level, own))}"'
            circles.append(f'<circle {place} r="17"/>')
        if count > most:
            place = f'x="{_number(_middle(point))}" y="{_number(_height(point, most - 1, own) + 6)}"'
            counts.append(f"<text {place}>{count}</text>")
    kind, fill, ink = ("bd-own", "#fffdf7", "#1f1b17") if side > 0 else ("bd-other", "#3b2f2a", "#fffdf7")
    words = (
        f'<g class="{kind}-count" fill="{ink}" {_FONT} font-size="16" font-weight="700" text-anchor="middle">'
    )
    drawn = f'<g class="{kind}" fill="{fill}" stroke="#1f1b17" stroke-width="1.5">{"".join(circles)}</g>'
    return drawn + (f"{words}{''.join(counts)}</g>" if counts else "")


def _trays(board: Sequence[int]) -> str:
    """Checkers borne off, as bars on the right, with their number."""
    drawn = []
    for side, kind, fill in ((1, "bd-own", "#fffdf7"), (-1, "bd-other", "#3b2f2a")):
        gone = off(board)[0 if side > 0 else 1]
        bars = []
        for level in range(gone):
            line = _FOOT - 11 * (level + 1) if side > 0 else _TOP + 11 * level + 1
            bars.append(f"M{_OFF_LEFT} {line}h40v10h-40z")
        if bars:
            path = f'<path class="{kind}" fill="{fill}" stroke="#1f1b17" d="{"".join(bars)}"/>'
            line = _FOOT - 11 * gone - 8 if side > 0 else _TOP + 11 * gone + 20
            text = f'x="{_OFF_LEFT + 20}" y="{line}" {_FONT} font-size="15" text-anchor="middle"'
            drawn.append(f'{path}<text class="bd-text" fill="#3a332b" {text}>{gone} off</text>')
    return "".join(drawn)


def _cube(position: Position) -> str:
    """The cube on its owner's side; one that is offered at its new value on the side of who has to answer."""
    value = position.cube * (2 if position.offered else 1)
    if position.offered:
        left, line = _LEFT + 9 * _POINT + _BAR - 20, _TOP + _DEPTH / 2 - 20
    elif position.crawford:
        words = f'<tspan x="20" y="{_TOP + 206}">no</tspan><tspan x="20" y="{_TOP + 222}">cube</tspan>'
        return (
            f'<text class="bd-text" fill="#3a332b" {_FONT} font-size="15" text-anchor="middle">{words}</text>'
        )
    else:
        left = 2
        line = {0: _TOP + _DEPTH / 2 - 19, 1: _FOOT - 40, -1: _TOP + 2}[position.cube_owner]
    size = 18 if value < 100 else 14
    text = f'x="{left + 18}" y="{_number(line + 25)}" {_FONT} font-size="{size}" font-weight="700"'
    return (
        f'<g class="bd-cube" fill="#ffffff" stroke="#1f1b17" stroke-width="2">'
        f'<rect x="{left}" y="{_number(line)}" width="36" height="36" rx="5"/></g>'
        f'<text class="bd-cube-count" fill="#1f1b17" {text} text-anchor="middle">{value}</text>'
    )


_SPOTS = {1: "4", 2: "08", 3: "048", 4: "0268", 5: "02468", 6: "023568"}


def _dice(dice: tuple[int, int]) -> str:
    """The roll, on the right half of the board."""
    if dice == (0, 0):
        return ""
    faces, spots = [], []
    for number, die in enumerate(dice):
        left, line = _LEFT + 9 * _POINT + _BAR - 38 + 44 * number, _TOP + _DEPTH / 2 - 16
        faces.append(f'<rect x="{left}" y="{_number(line)}" width="32" height="32" rx="6"/>')
        for place in map(int, _SPOTS[die]):
            across, down = left + 8 + 8 * (place % 3), line + 8 + 8 * (place // 3)
            spots.append(f'<circle cx="{across}" cy="{_number(down)}" r="3"/>')
    return (
        f'<g class="bd-die" fill="#fffdf7" stroke="#1f1b17" stroke-width="1.5">{"".join(faces)}</g>'
        f'<g class="bd-spots" fill="#1f1b17">{"".join(spots)}</g>'
    )


def _arrows(board: Sequence[int], play: str, kind: str) -> str:
    """A play as arrows, one a checker and hop, from where it stands to where it comes to."""
    standing = [max(held, 0) for held in board]
    colour, broken = ("#c62828", "") if kind == "bd-played" else ("#0b7a43", ' stroke-dasharray="9 5"')
    shift = -4 if kind == "bd-played" else 4  # so that two arrows of the same hop are both seen
    lines, heads = [], []
    for start, end in _hops(play):
        standing[start] = max(standing[start] - 1, 0)
        x1, y1 = _middle(start) + shift, _height(start, standing[start], True)
        if end == OFF:
            x2, y2 = _OFF_LEFT + 12.0 + shift, _FOOT - 60.0
        else:
            x2, y2 = _middle(end) + shift, _height(end, standing[end], True)
            standing[end] += 1
        line, head = _arrow(x1, y1, x2, y2)
        lines.append(line)
        heads.append(head)
    return (
        f'<g class="{kind}" stroke="{colour}" fill="{colour}" stroke-width="4">'
        f'<path fill="none" stroke-linecap="round"{broken} d="{"".join(lines)}"/>'
        f'<path stroke-width="1" d="{"".join(heads)}"/></g>'
    )


def _hops(play: str) -> list[tuple[int, int]]:
    """From and to of every hop of a play, those of one checker in its order."""
    return [(start[0], end[0]) for way in parse_ways(play) for start, end in pairwise(way)]


def _arrow(x1: float, y1: float, x2: float, y2: float) -> tuple[str, str]:
    """A shaft and its head as paths."""
    length = math.hypot(x2 - x1, y2 - y1) or 1.0
    across, down = (x2 - x1) / length, (y2 - y1) / length
    neck = (x2 - 14 * across, y2 - 14 * down)
    wings = [(neck[0] - sign * 8 * down, neck[1] + sign * 8 * across) for sign in (1, -1)]
    points = " ".join(f"{_number(x)} {_number(y)}" for x, y in [(x2, y2), *wings])
    return f"M{_number(x1)} {_number(y1)}L{_number(neck[0])} {_number(neck[1])}", f"M{points}z"
