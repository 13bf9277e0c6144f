"""Reads matches and sessions that GNU Backgammon saved as SGF into decision records.

White (W) is its player 0, seat 0; black (B) its player 1, seat 1. Equities of plays stand in the file as such; those of
cube decisions of a match are chances to win it, and are turned into equities by Kazaross-XG2, GNU Backgammon's table
unless it was told otherwise (the file does not say).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ludometrics.backgammon.boards import BAR, START
from ludometrics.backgammon.building import Option
from ludometrics.backgammon.gnubg_turns import (
    Board,
    CubeView,
    Damage,
    Turn,
    TurnRecorder,
    nothing,
    turned,
    with_engine,
)
from ludometrics.backgammon.gnubg_units import NO_TEXT, Source, chance_scale, parse_day, source_text
from ludometrics.backgammon.records import (
    LONGEST_MATCH,
    ROLLOUT_DEPTH,
    SLOTS,
    UNKNOWN,
    Library,
    Match,
    Problem,
)
from ludometrics.backgammon.sgf_nodes import Collection, Node, Tree, parse_sgf

BACKGAMMON = "6"  # GM
OFF = 0
# Cube equities stand as match winning chances, by a table that the program extends in a way of its own.
TABLE_END = 25  # points
BEYOND = f"cubes more than {TABLE_END} points away cannot be scored from SGF: take the text export"
OUTPUTS = 7  # five chances, equity without the cube, equity (of a match: chance) with it
MOST_GAMES, LARGEST = 99_999, 1 << 20  # beyond these a file is damaged
NO_VALUE = -10_000.0  # below it GNU Backgammon means "not evaluated"
VARIATIONS = ("Nackgammon", "Hypergammon1", "Hypergammon2", "Hypergammon3")

_RESULT = re.compile(r"^([BW])\+(\d+)(R?)", re.IGNORECASE)
_PLIES = re.compile(r"^(\d{1,2})C?$")


@dataclass
class SgfGame:
    """The running game.

    Attributes
    ----------
    board : tuple of int
        Seen by ``seat``.
    cube, owner : int
        Value; seat of its owner, or None in the middle.
    doubles : int
        Doubles on offer: 1, or more with beavers.
    """

    length: int
    score: tuple[int, int]
    crawford: bool
    board: Board = tuple(int(count) for count in START)
    seat: int = 0
    cube: int = 1
    owner: int | None = None
    doubles: int = 0
    number: int = 0

    def face(self, seat: int) -> Board:
        """The board seen by ``seat``."""
        return self.board if seat == self.seat else turned(self.board)

    def turn(self, seat: int, line: int) -> Turn:
        if not 1 <= self.cube <= LARGEST:
            raise Damage(line, f"the cube on {self.cube} cannot be")
        owner = 0 if self.owner is None else 1 if self.owner == seat else -1
        return Turn(self.number, line, seat, self.face(seat), self.cube, owner)


def is_gnubg_sgf(text: str) -> bool:
    """Whether ``text`` begins like a backgammon game in SGF."""
    head = text[:2000].lstrip("\ufeff \t\r\n")
    return head.startswith("(") and re.search(r"GM\s*\[\s*6\s*\]", head) is not None


def read_gnubg_sgf(source: Source) -> Library:
    """Read one SGF file.

    Parameters
    ----------
    source : path, or (name, text)

    Returns
    -------
    Library
        One match, with the decisions that stand before the first damage; none where nothing could be read. What is
        wrong, or was left out, is among the problems with file and line.
    """
    name, text = source_text(source)
    if text is None:
        return nothing(name, "", NO_TEXT)
    if not is_gnubg_sgf(text):
        return nothing(name, "line 1", f"no backgammon game in SGF (it begins {text.strip()[:40]!r})")
    return _Reader(name).read(parse_sgf(text))


class _Reader:
    def __init__(self, name: str):
        self.name = name
        self.recorder = TurnRecorder()
        self.builder = self.recorder.builder
        self.score: tuple[int, int] | None = None
        self.number = 0

    def _problem(self, line: int, reason: str) -> None:
        self.builder.problems.append(Problem(self.name, f"line {line}", reason))

    def read(self, collection: Collection) -> Library:
        unfinished = False
        broken = collection.damage
        for tree in collection.trees:
            try:
                unfinished = not self._game(tree)
            except Damage as damage:
                broken = (damage.line, damage.reason)
                break
        if broken is not None:
            self._problem(broken[0], f"{broken[1]}; what follows is left out")
            self.score, unfinished = None, False
        if not self.builder.matches:
            return self.builder.library()
        self.builder.end_match(self.score)
        library = self.recorder.library(unfinished=unfinished)
        version = collection.trees[0].nodes[0].text("AP").removeprefix("GNU Backgammon").removeprefix(":")
        return with_engine(library, version)

    def _game(self, tree: Tree) -> bool:
        """Read one game; True where it has a result."""
        root = tree.nodes[0]
        place = root.line
        try:
            game = self._begin(root)
            # Of a game cut short the last node may be cut too.
            for node in tree.nodes[1:] if tree.whole else tree.nodes[1:-1]:
                place = node.line
                self._node(game, node)
        except Damage:
            raise
        except ValueError as error:
            raise Damage(place, str(error)) from error
        result = _RESULT.match(root.text("RE"))
        if result is None or not tree.whole:
            self.score = None
            return False
        winner, points = int(result[1].upper() == "B"), int(result[2])
        self.score = (game.score[0] + points * (winner == 0), game.score[1] + points * (winner == 1))
        return True

    def _begin(self, root: Node) -> SgfGame:
        facts = dict(item.split(":", 1) for item in root.properties.get("MI", []) if ":" in item)
        rules = root.text("RU").split(":")
        for variation in VARIATIONS:
            if variation in rules:
                raise Damage(root.line, f"{variation} is another game")
        length = int(facts.get("length", 0))
        length = length if 0 <= length <= LONGEST_MATCH else 0
        if length > TABLE_END and not self.builder.matches:
            self._problem(root.line, BEYOND)
        score = (int(facts.get("ws", 0)), int(facts.get("bs", 0)))
        crawford = "CrawfordGame" in rules
        names = (root.text("PW"), root.text("PB"))
        number = int(facts.get("game", self.number)) + 1
        cube = int(root.text("CV") or 1)
        if not (1 <= number <= MOST_GAMES and max(score) <= LARGEST):
            raise Damage(root.line, f"game {number} at {score[0]}-{score[1]} cannot be")
        if not self.builder.matches:
            self.builder.match(self._match(root, names, length, score))
        match = self.builder.matches[-1]
        if (names, length) != (match.players, match.length):
            raise Damage(
                root.line, f"{names[0]} against {names[1]} to {length} in one file with another match"
            )
        if number <= self.number:
            raise Damage(root.line, f"game {number} after game {self.number}: another match begins")
        if self.number and number > self.number + 1:
            self._problem(root.line, f"game {self.number + 1} is missing before this one")
        self.number = number
        self.builder.game(number, score, crawford=crawford)
        return SgfGame(length, score, crawford, cube=cube)

    def _match(self, root: Node, names: tuple[str, str], length: int, score: tuple[int, int]) -> Match:
        day = ""
        if root.text("DT"):
            try:
                day = parse_day(root.text("DT")) or ""
            except ValueError as error:
                self._problem(root.line, f"date {root.text('DT')}: {error}; left out")
        return Match(
            key="",
            length=length,
            players=names,
            date=day,
            tournament=root.text("EV"),
            round=root.text("RO"),
            source=self.name,
            start_score=score,
        )

    def _node(self, game: SgfGame, node: Node) -> None:
        _set_up(game, node)
        colour = next((name for name in ("W", "B") if name in node.properties), None)
        if colour is None:
            return
        seat, what = int(colour == "B"), node.text(colour)
        game.number += 1
        if what == "double":
            self._double(game, node, seat)
        elif what in ("take", "drop"):
            self._respond(game, node, seat, what == "take")
        else:
            self._roll(game, node, seat, what)

    def _double(self, game: SgfGame, node: Node, seat: int) -> None:
        turn = game.turn(seat, node.line)
        if game.doubles:
            self.recorder.beaver(turn, self.name)
            game.cube *= 2
        else:
            self.recorder.double(turn, _cube_view(game, node, seat))
            game.board, game.seat = game.face(seat), seat
        game.doubles += 1

    def _respond(self, game: SgfGame, node: Node, seat: int, taken: bool) -> None:
        if not game.doubles:
            raise Damage(node.line, "an answer to no double")
        # The analysis beside an answer is that of the double, seen by the doubler.
        self.recorder.respond(game.turn(seat, node.line), taken, _cube_view(game, node, 1 - seat))
        if taken:
            game.cube, game.owner = 2 * game.cube, 1 - game.seat
        game.doubles = 0

    def _roll(self, game: SgfGame, node: Node, seat: int, what: str) -> None:
        if not re.fullmatch(r"[1-6]{2}(?:[a-z]{2}){0,4}", what):
            raise Damage(node.line, f"{what[:20]!r} is no roll with a play")
        if game.doubles:
            raise Damage(node.line, "a roll while a double is on offer")
        turn = game.turn(seat, node.line)
        dice, hops = (int(what[0]), int(what[1])), what[2:]
        values = node.properties.get("A", [])
        options = [_readable(_option, value, turn.board, seat) for value in values[1:]]
        after = apply_hops(turn.board, hops, seat) if hops else None
        index = int(values[0]) if values else UNKNOWN
        if after is not None and options and all(option.board != after for option in options):
            # A way in one piece does not show what is hit on it; the analysis does.
            after = options[index].board if 0 <= index < len(options) else after
        self.recorder.roll(
            turn,
            dice,
            options,
            after,
            cube=_cube_view(game, node, seat),
            luck=_value(node.text("LU")) if node.text("LU") else None,
            source=self.name,
        )
        game.board, game.seat = after or turn.board, seat


def _set_up(game: SgfGame, node: Node) -> None:
    """Positions and cubes put up by hand."""
    if "CV" in node.properties:
        game.cube = int(node.text("CV"))
    if "CP" in node.properties:
        game.owner = {"w": 0, "b": 1}.get(node.text("CP"))
    if not {"AE", "AW", "AB"} & set(node.properties):
        return
    board = list(game.face(0))
    for point in _points(node.properties.get("AE", ())):
        if point == "y":
            board[0] = board[BAR] = 0
        else:
            board[ord(point) - 96] = 0
    for name, step in (("AW", 1), ("AB", -1)):
        for point in _points(node.properties.get(name, ())):
            bar = BAR if step > 0 else 0
            board[bar if point == "y" else ord(point) - 96] += step
    game.board, game.seat = tuple(board), 0


def _points(values: Sequence[str]) -> list[str]:
    points = []
    for value in values:
        first, _, last = value.strip().partition(":")
        if not re.fullmatch(r"[a-y]", first) or (last and not re.fullmatch(r"[a-y]", last)):
            raise ValueError(f"{value!r} are no points")
        points += [chr(code) for code in range(ord(first), ord(last or first) + 1)]
    return points


def apply_hops(board: Board, hops: str, seat: int) -> Board:
    """The board after a play in SGF's letters: a to x for white's ace point to 24-point, y the bar, z off.

    Examples
    --------
    >>> apply_hops(tuple(START.tolist()), "hefe", 0)[5:9]  # white plays 8/5 6/5
    (2, 4, 0, 2)
    """
    after = list(board)
    for start, stop in zip(hops[::2], hops[1::2], strict=True):
        source, target = _slot(start, seat), _slot(stop, seat)
        if after[source] <= 0 or source <= target:
            raise ValueError(f"play {hops}: no checker goes from {start} to {stop}")
        after[source] -= 1
        if target == OFF:
            continue
        if after[target] < -1:
            raise ValueError(f"play {hops}: the other side holds {stop}")
        if after[target] == -1:
            after[target] = 0
            after[0] -= 1
        after[target] += 1
    return tuple(after)


def _slot(letter: str, seat: int) -> int:
    if letter == "y":
        return BAR
    if letter == "z":
        return OFF
    point = ord(letter) - 96
    if not 1 <= point < SLOTS - 1:
        raise ValueError(f"{letter!r} is no point")
    return BAR - point if seat else point


def _readable(parse, value: str, *facts):
    """What ``parse`` makes of the text of an analysis; ValueError quoting it where that is nothing."""
    try:
        return parse(value, *facts)
    except (ValueError, IndexError) as error:
        raise ValueError(f"the analysis {value[:30]!r}... cannot be read: {error}") from error


def _option(value: str, board: Board, seat: int) -> Option:
    """A candidate: ``mhxv E ver 3 <five chances> <equity> 2C 0 1 0.000000 1``, or a rollout after X or R."""
    hops, method, *rest = value.split()
    after = apply_hops(board, hops, seat)
    if method == "E":
        numbers = rest[2:] if rest[0] == "ver" else rest
        chances, equity, depth = numbers[:5], _value(numbers[5]), _depth(numbers[6])
    else:
        equity = _value(rest[rest.index("Score") + 1])
        start = rest.index("Output") + 1
        chances, depth = rest[start : start + 5], ROLLOUT_DEPTH
    shares = tuple(float(chance) for chance in chances)
    return Option(after, equity, shares, depth)


def _value(text: str) -> float:
    """A number; NaN for what GNU Backgammon writes where it has none, -inf or -20000."""
    value = float(text)
    return value if np.isfinite(value) and value > NO_VALUE else np.nan


def _depth(text: str) -> int:
    found = _PLIES.match(text)
    return int(found[1]) if found else UNKNOWN


def _cube_view(game: SgfGame, node: Node, doubler: int) -> CubeView | None:
    """The analysis of a cube decision, in equities of the doubler."""
    if not node.text("DA"):
        return None
    *equities, depth = _readable(_cube_values, node.text("DA"))
    if game.length:
        own, other = (game.length - game.score[seat] for seat in (doubler, 1 - doubler))
        # During the answer to a beaver the cube has been turned already; such answers are left out.
        if max(own, other) > TABLE_END:
            return None  # `_begin` has said so
        scale = chance_scale(own, other, 1 if game.crawford else game.cube, game.crawford)
        equities = [scale.equity(value) for value in equities]
    return CubeView((equities[0], equities[1], 1.0), depth)


def _cube_values(text: str) -> tuple[float, float, int]:
    """No double, double and take, depth; of a match the first two are chances."""
    words = text.split()
    if words[0] == "E":
        depth = _depth(words[3] if words[1] == "ver" else words[5])
        return _value(words[-OUTPUTS - 1]), _value(words[-1]), depth
    first, second = [place for place, word in enumerate(words) if word == "Output"][:2]
    return _value(words[first + OUTPUTS]), _value(words[second + OUTPUTS]), ROLLOUT_DEPTH
