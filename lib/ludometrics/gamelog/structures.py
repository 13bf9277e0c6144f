"""Where a name stands in text of a known form: JSON, lines of JSON, notebooks, CSV, plain lines."""

import base64
import binascii
import csv
import io
import json
import re
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from itertools import pairwise, zip_longest
from types import MappingProxyType
from typing import Any, NamedTuple

from ludometrics.gamelog.daily import VARIANTS, WHY_UNRATED, WINNERS
from ludometrics.gamelog.names import LEVEL_NAMES, is_player_name
from ludometrics.gamelog.spellings import Spellings

#: What is found: the whole of a value, or a word within a longer text.
NAME, MENTION = "name", "mention"


class Mark(NamedTuple):
    """Places in one part of a document.

    Attributes
    ----------
    part : str
        Member of an archive, cell of a notebook; empty for the document itself.
    kind : {"name", "mention"}
    count : int
    where : str
        Row or line of the first one, where there are such.
    """

    part: str
    kind: str
    count: int
    where: str


class Shape(NamedTuple):
    """An object of JSON that this library writes.

    Attributes
    ----------
    needed : frozenset of str
        Fields by which it is known.
    names : frozenset of str
        Fields that hold a player's name: that of another player may contain the words.
    fixed : mapping of str to collection of str or None
        Fields that hold no names, with the values they may have (None: any): a player may be called "draw" or "A".
    other : frozenset of str
        Further fields.
    codes : mapping of str to Pattern
        Form of what the program itself writes into some of them: no name.
    """

    needed: frozenset[str]
    names: frozenset[str]
    fixed: Mapping[str, Collection[str] | None]
    other: frozenset[str] = frozenset()
    codes: Mapping[str, re.Pattern[str]] = MappingProxyType({})

    def is_fixed(self, field: str, value: Any) -> bool:
        """Tell whether a value is one of those that a field may have, and so no name."""
        allowed = self.fixed.get(field, ())
        if allowed is None or not isinstance(value, str):
            return allowed is None
        return value in allowed or (field in self.codes and bool(self.codes[field].fullmatch(value)))

    def knows(self, field: str) -> bool:
        """Tell whether a field is one of the object's own."""
        return field in self.names or field in self.fixed or field in self.other


_ANY = None
_HEX = re.compile("[0-9a-f]{32}")
#: A saved game.
GAME = Shape(
    frozenset(("black", "white")),
    frozenset(("black", "white")),
    {"winner": WINNERS, "level": tuple(LEVEL_NAMES), "variant": VARIANTS, "why": WHY_UNRATED},
    frozenset(("id", "rules", "after")),
    {"id": _HEX, "rules": re.compile("repetitions=[0-9]+ quiet_moves=[0-9]+")},
)
#: A game being played: but for the names nearly all of it is the server's own.
LIVE = Shape(
    frozenset(("black", "white", "mode", "moves")),
    GAME.names,
    dict.fromkeys(
        ("mode human level level_rating match variant proven taken_back undone_at version").split()
        + ("started touched moves saved ending").split(),
        _ANY,
    ),
    frozenset(("id", "key", "request")),
    {"id": _HEX, "key": _HEX, "request": re.compile("[A-Za-z0-9_-]{16,64}")},
)
#: A line of a ledger of assignments.
ASSIGNMENT = Shape(
    frozenset(("experiment", "player", "variant")),
    frozenset(("player",)),
    {"variant": VARIANTS, "design": ("hash", "blocked", "game", "alternate")}
    | dict.fromkeys(("experiment", "time_utc", "game", "block"), _ANY),
)
#: A line of the audit.
AUDIT_ENTRY = Shape(
    frozenset(("time_utc", "command", "operator")),
    frozenset(),
    dict.fromkeys(
        "time_utc command files token days drop ledger_lines live_games exports".split(),
        _ANY,
    ),
    frozenset(("operator",)),
)
#: The register of exports, and an entry or the parameters of one.
REGISTER = Shape(frozenset(("exports",)), frozenset(), {}, frozenset(("exports",)))
EXPORT_ENTRY = Shape(
    frozenset(("what", "pseudonyms", "time_zone")),
    frozenset(),
    dict.fromkeys("what time_zone first last pseudonyms pending".split(), _ANY),
    frozenset(("path",)),
)
#: The sidecar of an export: its columns are no names.
SIDECAR = Shape(
    frozenset(("outputs", "parameters", "inputs", "environment", "key", "text")),
    frozenset(),
    dict.fromkeys("key text seed written wall_seconds environment".split(), _ANY),
    frozenset(("outputs", "parameters", "inputs")),
)
SHAPES = (LIVE, GAME, ASSIGNMENT, AUDIT_ENTRY, EXPORT_ENTRY, SIDECAR, REGISTER)
#: Columns of exported tables that hold names and nothing else.
NAME_COLUMNS = frozenset(("black", "white", "name", "player"))
#: Columns of exported tables that hold no names: numbers, days, and words of the program.
PLAIN_COLUMNS = frozenset(
    "day row level elo glicko deviation low high games provisional place played won drawn lost points".split()
)
#: First columns of the tables that this library exports.
EXPORT_HEADS = (("day", "row", "black"), ("name", "level", "elo"), ("day", "place", "name"))

_QUOTED = re.compile(r'"(?:[^"\\]|\\.)*"')
# Fields of a game that can be read no more, with their values.
_CHOICES = {
    field: allowed for field, allowed in (GAME.fixed | ASSIGNMENT.fixed).items() if allowed is not None
}
_FIXED = re.compile(
    "|".join(rf'"{field}"\s*:\s*"(?:{"|".join(allowed)})"' for field, allowed in _CHOICES.items())
)
_FIELD = re.compile(rf'"(?:{"|".join(sorted({*GAME.names, *GAME.fixed, *GAME.other, "player"}))})"\s*:')


class _Pairs(list):
    """An object of JSON with every field, also one that stands twice."""


class _Tally:
    """Counts by part and kind, with the first place."""

    def __init__(self, spellings: Spellings) -> None:
        self.spellings = spellings
        self.counts: dict[tuple[str, str], int] = defaultdict(int)
        self.places: dict[tuple[str, str], str] = {}
        self._known: dict[str, tuple[bool, int]] = {}

    def add(self, part: str, kind: str, count: int, where: str) -> None:
        if count:
            self.counts[part, kind] += count
            self.places.setdefault((part, kind), where)

    def take(self, text: str, part: str, where: str, *, whole_only: bool = False) -> None:
        is_name, count = self._known.get(text) or self._look(text)
        if is_name:
            self.add(part, NAME, 1, where)
        elif not whole_only:
            self.add(part, MENTION, count, where)

    def _look(self, text: str) -> tuple[bool, int]:
        looked = self.spellings.is_name(text), self.spellings.count(text)
        if len(text) <= 64 and len(self._known) < 100_000:  # the same few names stand in every row
            self._known[text] = looked
        return looked

    def marks(self) -> list[Mark]:
        return [Mark(*key, count, self.places[key]) for key, count in self.counts.items()]


def find_marks(
    text: str, suffix: str, spellings: Spellings, *, picture: Callable[[bytes], Iterable[str]] = lambda _: ()
) -> list[Mark]:
    """Find where a name stands in a text.

    Parameters
    ----------
    text : str
    suffix : str
        Ending of the file's name, such as ``.csv``.
    spellings : Spellings
    picture : callable, optional
        Gives the texts stored with a picture, of its bytes.

    Returns
    -------
    list of Mark

    Examples
    --------
    >>> game = '[{"black": "Ann Lee", "white": "ANN", "winner": "b", "note": "well done, Ann"}]'
    >>> for mark in find_marks(game, ".json", Spellings("Ann")):
    ...     print(*mark[1:])
    name 1 row 1
    mention 1 row 1
    """
    tally = _Tally(spellings)
    if text.lstrip("\ufeff \t\r\n")[:1] in ("{", "["):
        value = _parse(text)
        if value is None:
            _take_lines_of_json(text, tally)
        elif isinstance(value, _Pairs) and isinstance(cells := dict(value).get("cells"), list):
            _take_notebook(value, cells, tally, picture)
        else:
            _take_json(value, tally, "", picture)
    elif suffix in (".csv", ".tsv"):
        _take_csv(text, tally)
    elif '"black"' in text or suffix == ".json":
        _take_broken(text, tally, "")
    else:
        _take_text(text, tally)
    return tally.marks()


def _parse(text: str) -> Any:
    try:
        return json.loads(text.lstrip("\ufeff"), object_pairs_hook=_Pairs)
    except (ValueError, RecursionError):
        return None


def _take_lines_of_json(text: str, tally: _Tally) -> None:
    """Each line by itself, or all of it as a broken file where hardly any line is JSON."""
    lines = text.split("\n")
    values = [_parse(line) if line.strip() else None for line in lines]
    if sum(isinstance(value, _Pairs) for value in values) * 2 < sum(bool(line.strip()) for line in lines):
        _take_broken(text, tally, "")
        return
    for number, (line, value) in enumerate(zip(lines, values, strict=True), start=1):
        if value is None:
            _take_broken(line, tally, f"line {number}")
        else:
            _take_json(value, tally, "", lambda _: (), f"line {number}")


def _take_notebook(
    notebook: _Pairs, cells: list, tally: _Tally, picture: Callable[[bytes], Iterable[str]]
) -> None:
    for number, cell in enumerate(cells, start=1):
        fields = dict(cell) if isinstance(cell, _Pairs) else {}
        outputs = fields.pop("outputs", None)
        outputs = outputs if isinstance(outputs, list) else []
        _take_json(_Pairs(fields.items()), tally, f"cell {number}", picture)
        for place, output in enumerate(outputs, start=1):
            _take_json(output, tally, f"cell {number}, output {place}", picture)
    rest = _Pairs((name, value) for name, value in notebook if name != "cells")
    _take_json(rest, tally, "metadata", picture)


def _take_json(
    value: Any, tally: _Tally, part: str, picture: Callable[[bytes], Iterable[str]], where: str = ""
) -> None:
    for text, place, whole_only, is_picture in _texts(value, where):
        if is_picture:
            for stored in picture(_decoded(text)):
                tally.take(stored, part, place)
        else:
            tally.take(text, part, place, whole_only=whole_only)


def _texts(value: Any, where: str) -> Iterator[tuple[str, str, bool, bool]]:
    """Each text of a value of JSON: the text, its row, whether only the whole counts, whether it is a picture."""
    number_rows = not where and isinstance(value, list) and not isinstance(value, _Pairs)
    stack = [("", value, where, False)]
    while stack:
        field, value, where, whole_only = stack.pop()
        if isinstance(value, str):
            yield value, where, whole_only, _is_picture(field)
        elif isinstance(value, _Pairs):
            names = {name for name, _ in value}
            shape = next((shape for shape in SHAPES if shape.needed <= names), None)
            for name, item in reversed(value):
                if shape is None or not shape.knows(name):
                    yield name, where, False, False
                if shape is None or not shape.is_fixed(name, item):
                    stack.append((name, item, where, shape is not None and name in shape.names))
        elif isinstance(value, list) and _is_text_in_lines(field, value):
            yield "".join(value), where, False, _is_picture(field)
        elif isinstance(value, list):
            places = [f"row {n}" if number_rows else where for n in range(1, len(value) + 1)]
            number_rows = False
            items = zip(value, places, strict=True)
            stack += [(field, item, place, whole_only) for item, place in items][::-1]


def _is_picture(field: str) -> bool:
    return field.startswith("image/") and "svg" not in field


def _is_text_in_lines(field: str, value: list) -> bool:
    """Tell whether a list holds the lines of one text, as notebooks have it."""
    return (field in ("source", "text") or "/" in field) and all(isinstance(item, str) for item in value)


def _decoded(text: str) -> bytes:
    try:
        return base64.b64decode(text)
    except (binascii.Error, ValueError):
        return b""


def _take_csv(text: str, tally: _Tally) -> None:
    first = text.lstrip("\ufeff").split("\n", 1)[0]
    delimiter = max(",;\t", key=first.count)
    rows = csv.reader(io.StringIO(text.lstrip("\ufeff"), newline=""), delimiter=delimiter)
    heads: list[str] = []
    try:
        for row in rows:
            if rows.line_num == 1 and tuple(row[:3]) in EXPORT_HEADS:
                heads = row
                continue
            where = f"line {rows.line_num}"
            for field, head in zip_longest(row, heads[: len(row)], fillvalue=""):
                if head not in PLAIN_COLUMNS and not GAME.is_fixed(head, field):
                    tally.take(field, "", where, whole_only=head in NAME_COLUMNS)
    except csv.Error:  # a field beyond every bound
        _take_text(text, tally)


def _take_text(text: str, tally: _Tally) -> None:
    lines = text.splitlines()
    for number, line in enumerate(lines, start=1):
        tally.take(line, "", f"line {number}")
    if " " in tally.spellings.key:  # a name may be broken at the end of a line
        for number, (one, other) in enumerate(pairwise(lines), start=1):
            ends = tally.spellings.count(one) + tally.spellings.count(other)
            tally.add("", MENTION, max(tally.spellings.count(f"{one}\n{other}") - ends, 0), f"line {number}")


def _take_broken(text: str, tally: _Tally, where: str) -> None:
    """Games that are no JSON any more: what stands in quotes and could be a player's name is one, and only that."""
    text = _FIELD.sub(" ", _FIXED.sub(" ", text))

    def take_quoted(match: re.Match[str]) -> str:
        quoted = _parse(match[0])
        if not isinstance(quoted, str) or not is_player_name(quoted.strip()):
            return match[0]
        tally.take(quoted, "", where, whole_only=True)
        return '""'

    rest = _QUOTED.sub(take_quoted, text)
    tally.add("", MENTION, tally.spellings.count(rest), where)
