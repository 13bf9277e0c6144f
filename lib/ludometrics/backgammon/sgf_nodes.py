"""Smart Game Format as text: game trees, their nodes and properties, up to the first damage. No game is known here.

Format: FF[4], https://www.red-bean.com/sgf/ .
"""

from __future__ import annotations

import re
from bisect import bisect_right
from typing import NamedTuple

_GAP = re.compile(r"\s*")
_TOKEN = re.compile(r"([();])|([A-Za-z]+)|\[((?:[^\]\\]|\\.)*)\]", re.DOTALL)
_ESCAPED = re.compile(r"\\(\r\n|\n|.)", re.DOTALL)


class Node(NamedTuple):
    """One node.

    Attributes
    ----------
    line : int
        Of its semicolon.
    properties : dict of str to list of str
        Values by name; a name that comes again keeps its first values.
    """

    line: int
    properties: dict[str, list[str]]

    def text(self, name: str) -> str:
        """The first value of a property, "" where it has none."""
        values = self.properties.get(name)
        return values[0].strip() if values else ""


class Tree(NamedTuple):
    """The main line of one game tree; of variations the first is followed.

    Attributes
    ----------
    nodes : list of Node
    whole : bool
        The tree is closed; else what stands after its last node is damaged, and so perhaps this node.
    """

    nodes: list[Node]
    whole: bool


class Collection(NamedTuple):
    """All trees of a file.

    Attributes
    ----------
    trees : list of Tree
    damage : (int, str) or None
        Line and what is wrong; reading ended there.
    """

    trees: list[Tree]
    damage: tuple[int, str] | None


def unescaped(value: str) -> str:
    """A value without its backslashes; one before the end of a line joins two lines."""
    if "\\" not in value:
        return value
    return _ESCAPED.sub(lambda found: "" if found[1] in ("\n", "\r\n") else found[1], value)


def parse_sgf(text: str) -> Collection:
    """The trees of ``text``.

    Examples
    --------
    >>> found = parse_sgf("(;GM[6]PW[Ada];W[31](;B[42])(;B[65]))")
    >>> [node.properties for node in found.trees[0].nodes][1:]
    [{'W': ['31']}, {'B': ['42']}]
    """
    starts = [found.end() for found in re.finditer("\n", text)]
    reader = _TreeReader(starts)
    place = 1 if text.startswith("\ufeff") else 0
    end = len(text.rstrip())
    while place < end:
        place = _GAP.match(text, place).end()
        found = _TOKEN.match(text, place)
        problem = "neither a node nor a property" if found is None else reader.take(found)
        if problem:
            return reader.collection((reader.line(place), problem))
        place = found.end()
    damage = (reader.line(end), "the file ends within a game") if reader.depth else None
    return reader.collection(damage)


class _TreeReader:
    def __init__(self, starts: list[int]):
        self.starts = starts
        self.trees: list[Tree] = []
        self.nodes: list[Node] = []
        self.depth = 0
        self.closed = False  # the first variation is over: others are passed over
        self.values: list[str] | None = None

    def line(self, place: int) -> int:
        return bisect_right(self.starts, place) + 1

    def take(self, found: re.Match) -> str:
        """Note one token; returns what is wrong with it, or ""."""
        sign, name, value = found.groups()
        if value is not None:
            if self.values is None:
                return "a value without the name of its property"
            self.values.append(unescaped(value))
            return ""
        if name is not None:
            if not self.nodes:
                return f"property {name} outside a node"
            self.values = []
            if not self.closed:
                self.values = self.nodes[-1].properties.setdefault(name, self.values)
            return ""
        self.values = None
        if sign == "(":
            self.depth += 1
        elif sign == ";":
            if not self.depth:
                return "a node outside a game"
            if not self.closed:
                self.nodes.append(Node(self.line(found.start(1)), {}))
        else:
            return self._close()
        return ""

    def _close(self) -> str:
        if not self.depth:
            return "a bracket closes no game"
        self.depth -= 1
        self.closed = True
        if self.depth == 0:
            if self.nodes:
                self.trees.append(Tree(self.nodes, True))
            self.nodes, self.closed = [], False
        return ""

    def collection(self, damage: tuple[int, str] | None) -> Collection:
        trees = self.trees
        if self.nodes:
            trees = [*trees, Tree(self.nodes, self.closed)]
        return Collection(trees, damage)
