"""Tables that people keep beside their matches, all optional: CSV files in UTF-8 with a header.

``matches.csv``
    match, date, tournament, round: of the match with that key, or that file (its name, with or without folders before
    it and with or without the suffix). Empty cells leave what the file of the match says.
``players.csv``
    alias, person, main: the person behind a name, and ``yes`` on a row of the player whose library it is.
``study_actions.csv``
    position, time, action: what was done with a position (XGID or Position ID) and when (ISO 8601; UTC where no zone
    is given); one of `STUDY_ACTIONS`.

A column `note` may stand in each and is not read. Comma, semicolon and tabulator separate.
"""

from __future__ import annotations

import csv
import io
import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime
from pathlib import Path, PurePath
from typing import NamedTuple

from ludometrics.backgammon.position_ids import POSITION_CHARACTERS, board_from_position_id
from ludometrics.backgammon.records import Library, Match, Problem
from ludometrics.backgammon.xgid import from_xgid

STUDY_ACTIONS = ("studied", "review", "quiz", "card", "collection", "comment")
NOTE = "note"
#: Larger files are no tables that people keep.
MOST_BYTES = 32 << 20

_YES_NO = {"yes": True, "no": False, "": False}


class MatchRow(NamedTuple):
    """What is said of one match; ``row`` is its number in a spreadsheet, whose header is row 1."""

    row: int
    match: str
    date: str
    tournament: str
    round: str


@dataclass(frozen=True)
class MatchTable:
    """A file of matches: its path, for messages, and its rows."""

    path: str
    rows: tuple[MatchRow, ...]


class StudyAction(NamedTuple):
    """Something done with a position; ``when`` has the zone UTC."""

    key: str
    when: datetime
    action: str


class People:
    """Who is who: names as files give them, and the persons behind them.

    Names are compared without case and spaces at the ends. Somebody the table does not name is himself.

    Parameters
    ----------
    aliases : iterable of (str, str)
        Alias and person.
    main : str, optional
        The person whose library it is.

    Raises
    ------
    ValueError
        An alias of two persons, or a person who is another's alias.

    Examples
    --------
    >>> people = People([("kev", "Kevin"), ("KEV42", "Kevin")], main="Kevin")
    >>> people.person("Kev"), people.person("Ann"), people.aliases("kevin"), people.main
    ('Kevin', 'Ann', ('Kevin', 'kev', 'KEV42'), 'Kevin')
    """

    def __init__(self, aliases: Iterable[tuple[str, str]] = (), *, main: str | None = None) -> None:
        self._persons: dict[str, str] = {}
        self._aliases: dict[str, list[str]] = {}
        pairs = [(alias.strip(), person.strip()) for alias, person in aliases]
        spelt: dict[str, str] = {}
        for _, person in pairs:
            spelt.setdefault(_fold(person), person)
        for alias, person in [*((person, person) for person in spelt.values()), *pairs]:
            known = self._persons.setdefault(_fold(alias), spelt[_fold(person)])
            if _fold(known) != _fold(person):
                raise ValueError(f"{alias!r} is an alias of {person!r} and stands for {known!r} already")
            names = self._aliases.setdefault(_fold(known), [])
            if _fold(alias) not in map(_fold, names):
                names.append(alias)
        self.main = None if main is None else self.person(main)

    def person(self, name: str) -> str:
        """The person whom ``name`` stands for."""
        return self._persons.get(_fold(name), name.strip())

    def aliases(self, person: str) -> tuple[str, ...]:
        """Every name of a person, his own first."""
        own = self.person(person)
        return tuple(self._aliases.get(_fold(own), (own,)))


def read_match_table(path: str | os.PathLike[str]) -> MatchTable:
    """Read a file of matches.

    Raises
    ------
    ValueError
        Naming the file, the row, the value and what is allowed.
    """
    rows = []
    for number, cells in _read_rows(path, ("match",), ("date", "tournament", "round")):
        _need(path, number, cells, "match")
        _check_day(path, number, cells["date"])
        rows.append(MatchRow(number, cells["match"], cells["date"], cells["tournament"], cells["round"]))
    return MatchTable(str(path), tuple(rows))


def read_players(path: str | os.PathLike[str]) -> People:
    """Read a file of players.

    Raises
    ------
    ValueError
        Naming the file, the row, the value and what is allowed; two main players.
    """
    pairs, mains = [], {}
    for number, cells in _read_rows(path, ("alias", "person"), ("main",)):
        _need(path, number, cells, "alias")
        _need(path, number, cells, "person")
        answer = cells["main"].casefold()
        if answer not in _YES_NO:
            raise ValueError(
                f"{path}, row {number}: main is {cells['main']!r}, allowed are yes, no and nothing"
            )
        if _YES_NO[answer]:
            mains.setdefault(_fold(cells["person"]), (number, cells["person"]))
        pairs.append((cells["alias"], cells["person"]))
    if len(mains) > 1:
        (_, first), (number, second) = list(mains.values())[:2]
        raise ValueError(
            f"{path}, row {number}: main player {second!r} beside {first!r}, allowed is one person"
        )
    try:
        return People(pairs, main=next((person for _, person in mains.values()), None))
    except ValueError as error:
        raise ValueError(f"{path}: {error}") from None


def read_study_actions(path: str | os.PathLike[str]) -> tuple[StudyAction, ...]:
    """Read a file of study actions, in the order of the file.

    Raises
    ------
    ValueError
        Naming the file, the row, the value and what is allowed.
    """
    actions = []
    for number, cells in _read_rows(path, ("position", "time", "action"), ()):
        where = f"{path}, row {number}"
        action = cells["action"].casefold()
        if action not in STUDY_ACTIONS:
            raise ValueError(
                f"{where}: action is {cells['action']!r}, allowed are {', '.join(STUDY_ACTIONS)}"
            )
        try:
            _check_position(cells["position"])
        except ValueError as error:
            raise ValueError(f"{where}: {error}; allowed are an XGID and a Position ID") from None
        actions.append(StudyAction(cells["position"], _moment(where, cells["time"]), action))
    return tuple(actions)


def apply_match_table(library: Library, table: MatchTable) -> Library:
    """The library with dates, tournaments and rounds of a file of matches.

    A row that means no match, or matches of several files, changes nothing and is among the problems; so is a row that
    says what an earlier one has said of the same match.

    Parameters
    ----------
    library : Library
    table : MatchTable

    Returns
    -------
    Library
    """
    matches = list(library.matches)
    problems, said = list(library.problems), {}
    for row in table.rows:
        found = [number for number, match in enumerate(matches) if _means(row.match, match)]
        reason = ""
        if not found:
            reason = f"no match is {row.match!r}"
        elif len({matches[number].source for number in found}) > 1:
            sources = ", ".join(sorted({matches[number].source for number in found})[:3])
            reason = f"{row.match!r} may be each of {sources}"
        elif found[0] in said:
            reason = f"{row.match!r} stands in row {said[found[0]]} already"
        if reason:
            problems.append(Problem(table.path, f"row {row.row}", f"{reason}: left out"))
            continue
        for number in found:
            said[number] = row.row
            given = {
                name: getattr(row, name) for name in ("date", "tournament", "round") if getattr(row, name)
            }
            matches[number] = replace(matches[number], **given)
    return replace(library, matches=tuple(matches), problems=tuple(problems))


def _means(text: str, match: Match) -> bool:
    """Whether a cell is the key of a match, or the end of its file's path, with or without the suffix."""
    if text == match.key:
        return True
    wanted = PurePath(text.replace("\\", "/")).parts
    parts = PurePath(match.source.replace("\\", "/")).parts
    if not wanted or len(wanted) > len(parts):
        return False
    name = parts[-1]
    stems = {name, name.split(".")[0], name.removesuffix(PurePath(name).suffix), name.removesuffix(".gz")}
    return wanted[-1] in stems and parts[len(parts) - len(wanted) : -1] == wanted[:-1]


def _fold(name: str) -> str:
    return name.strip().casefold()


def _check_position(text: str) -> None:
    if len(text) == POSITION_CHARACTERS and ":" not in text:
        board_from_position_id(text)
    else:
        from_xgid(text)


def _check_day(path, number: int, text: str) -> None:
    try:
        if text and (len(text) != 10 or date.fromisoformat(text).isoformat() != text):
            raise ValueError
    except ValueError:
        raise ValueError(f"{path}, row {number}: date is {text!r}, allowed are days as 2026-03-31") from None


def _moment(where: str, text: str) -> datetime:
    try:
        when = datetime.fromisoformat(text)
        return when.replace(tzinfo=UTC) if when.tzinfo is None else when.astimezone(UTC)
    except (ValueError, OverflowError):
        allowed = "times as 2026-03-31T20:15:00Z or days"
        raise ValueError(f"{where}: time is {text!r}, allowed are {allowed}") from None


def _need(path, number: int, cells: dict[str, str], column: str) -> None:
    if not cells[column]:
        raise ValueError(f"{path}, row {number}: {column} is empty")


def _read_rows(
    path: str | os.PathLike[str], needed: Sequence[str], optional: Sequence[str]
) -> list[tuple[int, dict[str, str]]]:
    """Rows with their numbers in a spreadsheet; every column has a cell, stripped; empty rows are passed over."""
    content = Path(path).read_bytes() if Path(path).stat().st_size <= MOST_BYTES else None
    if content is None:
        raise ValueError(f"{path}: larger than {MOST_BYTES >> 20} MB")
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise ValueError(f"{path}: byte {error.start} is not UTF-8, in which tables are read") from None
    header = text.split("\n", 1)[0]
    separator = max(",;\t", key=header.count)
    try:
        lines = [
            (number, cells)
            for number, cells in enumerate(csv.reader(io.StringIO(text), delimiter=separator, strict=True), 1)
        ]
    except csv.Error as error:
        raise ValueError(f"{path}: no table: {error}") from None
    if not lines:
        raise ValueError(f"{path}: it is empty, wanted is a header: {', '.join(needed)}")
    columns = [cell.strip().casefold() for cell in lines[0][1]]
    _check_header(path, columns, needed, optional)
    rows = []
    for number, cells in lines[1:]:
        if any(cell.strip() for cell in cells):
            if len(cells) > len(columns) and any(cell.strip() for cell in cells[len(columns) :]):
                raise ValueError(f"{path}, row {number}: {len(cells)} cells, the header has {len(columns)}")
            filled = dict.fromkeys((*needed, *optional), "")
            filled |= {name: cell.strip() for name, cell in zip(columns, cells, strict=False)}
            rows.append((number, filled))
    return rows


def _check_header(path, columns: list[str], needed: Sequence[str], optional: Sequence[str]) -> None:
    allowed = (*needed, *optional, NOTE)
    for name in needed:
        if name not in columns:
            raise ValueError(f"{path}: no column {name!r}, wanted are {', '.join(needed)}")
    for place, name in enumerate(columns):
        if name not in allowed:
            raise ValueError(f"{path}: column {name!r}, allowed are {', '.join(allowed)}")
        if name in columns[:place]:
            raise ValueError(f"{path}: column {name!r} stands there twice")
