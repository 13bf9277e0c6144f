"""What a folder of games holds of one person."""

import json
import os
import re
import stat
from bisect import bisect_left
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

from ludometrics.gamelog.daily import kind_and_day, set_aside_day, unrated_name
from ludometrics.gamelog.documents import search_document
from ludometrics.gamelog.names import fold_name
from ludometrics.gamelog.places import AUDIT, LEDGER, LIVE, REGISTER
from ludometrics.gamelog.rows import encode_rows, parse_rows
from ludometrics.gamelog.spellings import Spellings
from ludometrics.gamelog.structures import GAME

#: Colours, as fields of a row.
COLOURS = ("black", "white")

# Fields of a game other than the players', with the values that are no names.
_ALLOWED = {name: frozenset(GAME.fixed.get(name, ())) for name in (*GAME.fixed, *GAME.other)}

_TOKEN = re.compile(rb"removed-([0-9a-f]{8,10})", re.IGNORECASE)
#: A game being played.
LIVE_FILE = re.compile(r"[^.].*\.json")
#: What a killed program left of a file that is written under the folder's lock, or under the ledger's.
LEFT_OVER = re.compile(rf"\.(?:{LEDGER}|{AUDIT}|{REGISTER})\.[0-9a-f]{{16}}\.tmp")
#: Likewise of a game being played.
LIVE_LEFT_OVER = re.compile(r"\.[0-9a-f]{32}\.[0-9]+\.tmp")


class Problem(NamedTuple):
    """A file that cannot be dealt with.

    Attributes
    ----------
    file : str
        Name, relative to the folder.
    why : str
        Without the name of any player.
    holds_name : bool
        The person's name stands in it.
    """

    file: str
    why: str
    holds_name: bool


class Rows(NamedTuple):
    """Rows of a daily file in which the person stands.

    Attributes
    ----------
    rows : list of dict
        All rows of the file.
    played : tuple of int
        Places of those in which the person is a player.
    mentioned : tuple of int
        Places of those in which another field holds the name.
    """

    rows: list[dict[str, Any]]
    played: tuple[int, ...]
    mentioned: tuple[int, ...]


@dataclass
class Holdings:
    """What a folder holds of one person.

    Attributes
    ----------
    days : dict of str to Rows
        Daily files, and files that were set aside, by name: those in which the person stands.
    ledger : bytes or None
        The ledger without the person, where that is another one.
    ledger_lines : int
        Lines that it has fewer.
    live : list of str
        Games being played by the person, relative to the folder.
    left_over : list of str
        What killed programs left half-written of them, relative to the folder.
    problems : list of Problem
    tokens : set of str
        Tokens of removed people that are in use.
    keys : set of str
        Keys of the people in the ledger.
    """

    days: dict[str, Rows] = field(default_factory=dict)
    ledger: bytes | None = None
    ledger_lines: int = 0
    live: list[str] = field(default_factory=list)
    left_over: list[str] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)
    tokens: set[str] = field(default_factory=set)
    keys: set[str] = field(default_factory=set)

    @property
    def is_empty(self) -> bool:
        """Whether nothing of the person was found."""
        return not (self.days or self.ledger_lines or self.live or self.left_over)


def take_stock(folder: str | os.PathLike[str], spellings: Spellings) -> Holdings:
    """Look through the games of a folder; its lock must be held.

    Parameters
    ----------
    folder : path
    spellings : Spellings

    Returns
    -------
    Holdings
    """
    stock = _Stock(Path(folder), spellings)
    for name in sorted(os.listdir(folder)):
        if kind_and_day(name) or set_aside_day(name):
            stock.take_day(name)
        elif name == LEDGER:
            stock.take_ledger()
        elif name == LIVE:
            stock.take_live()
        elif name == AUDIT:
            stock.take_tokens()
        elif LEFT_OVER.fullmatch(name):
            stock.take_left_over(name)
    return stock.found


def without_name(row: Mapping[str, Any], spellings: Spellings, token: str) -> dict[str, Any]:
    """Give a row with a token in place of the name, whatever fields it has.

    Examples
    --------
    >>> without_name({"black": "A", "white": "Bob", "variant": "A", "by": ["a"]}, Spellings("A"), "(removed-7f3a91c2)")
    {'black': '(removed-7f3a91c2)', 'white': 'Bob', 'variant': 'A', 'by': ['(removed-7f3a91c2)']}
    """
    new = {}
    for name, value in row.items():
        kept = name if GAME.knows(name) or not spellings.is_name(name) else token
        new[kept] = value if GAME.is_fixed(name, value) else _replaced(value, spellings, token)
    return new


def _replaced(value: Any, spellings: Spellings, token: str) -> Any:
    if isinstance(value, str):
        return token if spellings.is_name(value) else value
    if isinstance(value, list):
        return [_replaced(item, spellings, token) for item in value]
    if isinstance(value, dict):
        pairs = ((_replaced(name, spellings, token), item) for name, item in value.items())
        return {name: _replaced(item, spellings, token) for name, item in pairs}
    return value


class _Stock:
    """Looks through one folder."""

    def __init__(self, folder: Path, spellings: Spellings) -> None:
        self.folder, self.spellings, self.found = folder, spellings, Holdings()
        self._judged: dict[str, bool] = {}

    def take_day(self, name: str) -> None:
        content = self._read(name)
        if content is None:
            return
        try:
            rows = parse_rows(content, name)
        except ValueError as error:
            self._add_problem(name, _without_place(error, name), content)
            return
        if not self.spellings.count(content.decode("utf-8")):  # most files, and quicker than row by row
            return
        played, mentioned = [], []
        for place, row in enumerate(rows):
            if any(self._is_person(row[colour]) for colour in COLOURS if isinstance(row.get(colour), str)):
                played.append(place)
            elif _is_mentioned(row, self.spellings):
                mentioned.append(place)
        if played or mentioned:
            self.found.days[name] = Rows(rows, tuple(played), tuple(mentioned))
        try:
            for place in (*played, *mentioned):
                encode_rows([without_name(rows[place], self.spellings, "")])
        except RecursionError:
            del self.found.days[name]
            self.found.problems.append(Problem(name, "holds lists within lists without end", True))

    def take_tokens(self) -> None:
        self._read(AUDIT)

    def take_left_over(self, name: str) -> None:
        content = self._read(name)
        if content and self._count(name, content):
            self.found.left_over.append(name)

    def take_ledger(self) -> None:
        content = self._read(LEDGER)
        if content is None:
            return
        *ended, rest = content.split(b"\n")
        kept = []
        for number, line in enumerate(ended, start=1):
            if (held := self._holds(line)) is None:
                self._add_problem(LEDGER, f"line {number} is no assignment", line)
            if held is not True:
                kept.append(line)
        dropped = len(ended) - len(kept)
        new = b"".join(line + b"\n" for line in kept)
        # A line without an end is whole, or torn by a killed writer: the next one writes over it.
        if rest and (self._holds(rest) or self._count(LEDGER, rest)):
            dropped += 1
        else:
            new += rest
        if dropped:
            self.found.ledger, self.found.ledger_lines = new, dropped

    def take_live(self) -> None:
        if not stat.S_ISDIR(os.lstat(self.folder / LIVE).st_mode):
            self.found.problems.append(Problem(LIVE, "a link or a file where a folder is wanted", False))
            return
        for file in sorted(os.listdir(self.folder / LIVE)):
            name = f"{LIVE}/{file}"
            if LIVE_LEFT_OVER.fullmatch(file):
                self.take_left_over(name)
            elif LIVE_FILE.fullmatch(file) and (content := self._read(name)) is not None:
                game = _as_object(content)
                if game is None or not all(isinstance(game.get(colour), str) for colour in COLOURS):
                    self._add_problem(name, "no game being played", content)
                elif any(self._is_person(game[colour]) for colour in COLOURS):
                    self.found.live.append(name)

    def _holds(self, line: bytes) -> bool | None:
        """Whether a line of the ledger is the person's; None where it is no assignment."""
        row = _as_object(line)
        player = row.get("player") if row is not None else None
        if not isinstance(player, str):
            return None
        self.found.keys.add(fold_name(player))
        return self._is_person(player)

    def _read(self, name: str) -> bytes | None:
        path = self.folder / name
        try:
            mode = os.lstat(path).st_mode
            if not stat.S_ISREG(mode):
                kind = "a link: not followed" if stat.S_ISLNK(mode) else "no ordinary file"
                self.found.problems.append(Problem(name, kind, False))
                return None
            content = path.read_bytes()
        except FileNotFoundError:
            return None
        except OSError as error:
            self.found.problems.append(Problem(name, f"cannot be read: {error.strerror}", False))
            return None
        self.found.tokens.update(match.decode().lower() for match in _TOKEN.findall(content))
        return content

    def _add_problem(self, name: str, why: str, content: bytes) -> None:
        self.found.problems.append(Problem(name, why, bool(self._count(name, content))))

    def _count(self, name: str, content: bytes) -> int:
        return sum(mark.count for mark in search_document(content, name, self.spellings).marks)

    def _is_person(self, text: str) -> bool:
        known = self._judged.get(text)
        if known is None:
            known = self._judged[text] = self.spellings.is_name(text)
        return known


def _is_mentioned(row: dict[str, Any], spellings: Spellings) -> bool:
    """Whether a field other than the players' holds the name."""
    for name, value in row.items():
        if name in COLOURS and isinstance(value, str):
            continue
        if type(value) is str and name in _ALLOWED:
            if value not in _ALLOWED[name] and spellings.is_name(value):
                return True
        elif isinstance(value, list | dict) or name not in _ALLOWED:
            return without_name(row, spellings, "") != row
    return False


def _without_place(error: ValueError, name: str) -> str:
    """What is wrong with a file, without values that may hold a name."""
    text = str(error).removeprefix(name).lstrip(":, ")
    return re.sub(r"(game [0-9]+): .* is no game.*", r"\1 is no object", text, flags=re.DOTALL)


def _as_object(content: bytes) -> dict[str, Any] | None:
    try:
        value = json.loads(content.decode("utf-8"))
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None


def encode_days(
    holdings: Holdings, spellings: Spellings, token: str, *, drop: bool, gone: frozenset[tuple[str, int]]
) -> dict[str, bytes]:
    """New contents of the daily files in which the person stands.

    Parameters
    ----------
    holdings : Holdings
    spellings : Spellings
    token : str
        Stands for the person.
    drop : bool
        Leave out the person's games instead.
    gone : set of (str, int)
        Files and places of rows to be left out in any case.

    Returns
    -------
    dict of str to bytes
    """
    contents = {}
    for name, (rows, played, mentioned) in holdings.days.items():
        touched, left_out = set(played) | set(mentioned), set(played) if drop else set()
        contents[name] = encode_rows(
            without_name(row, spellings, token) if place in touched else row
            for place, row in enumerate(rows)
            if place not in left_out and (name, place) not in gone
        )
    return contents


def restore_order(
    folder: str | os.PathLike[str], gone: Mapping[str, Collection[int]], contents: dict[str, bytes | None]
) -> None:
    """Lower `after` in games that are not rated, where rated games before them go.

    Parameters
    ----------
    folder : path
    gone : mapping of str to collection of int
        Places of the rows that are left out, by file.
    contents : dict of str to bytes
        New contents so far; files that change are added.
    """
    for name, places in gone.items():
        dated = kind_and_day(name)
        if not places or dated is None or dated[0] != "scores":
            continue
        other, ordered = unrated_name(dated[1]), sorted(places)
        path = Path(folder) / other
        try:
            content = contents.get(other) or (b"" if path.is_symlink() else path.read_bytes())
            rows = parse_rows(content, other)
        except (OSError, ValueError):  # reported by whoever looked through the folder
            continue
        lowered = [
            row | {"after": row["after"] - bisect_left(ordered, row["after"])}
            if type(row.get("after")) is int
            else row
            for row in rows
        ]
        if lowered != rows:
            contents[other] = encode_rows(lowered)
