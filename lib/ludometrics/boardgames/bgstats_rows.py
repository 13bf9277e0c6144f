"""Rows of one BG Stats export as records, with the dates by which several exports are merged.

Rows refer to each other by numbers of that one file; here they become keys that hold over all files of a group: the
`uuid`, folded in case. A trimmed file lacks some: there a name is the key, and a play's key is made of its content.
"""

import json
from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from hashlib import sha256
from typing import Any, NamedTuple

from ludometrics.boardgames.records import MOST_SEATS, Game, LeftOut, Person, Play, Seat
from ludometrics.boardgames.values import (
    YEARS,
    Fields,
    clean,
    fold_name,
    in_years,
    kind_of,
    read_moment,
    shown,
)

#: What `Play.scoring` may be; larger values carry a mark of unknown meaning on top.
_SCORINGS = range(7)


class Dated(NamedTuple):
    """A record and when its row was last changed; None: unknown, older than any date."""

    item: Game | Person | Play
    modified: datetime | None


class Deletion(NamedTuple):
    """What an export says of a deleted row: its table, its key, and when; None: unknown, later than any date."""

    table: str
    key: str
    at: datetime | None


@dataclass(frozen=True)
class Export:
    """What one export holds.

    Attributes
    ----------
    name : str
        Of the file, without folders.
    exported : datetime or None
    owner : str
        Key of a person, or "".
    games, people, plays : tuple of Dated
        A row each, copies included.
    deletions : tuple of Deletion
    left_out : tuple of LeftOut
    warnings : tuple of str
    """

    name: str
    exported: datetime | None
    owner: str
    games: tuple[Dated, ...]
    people: tuple[Dated, ...]
    plays: tuple[Dated, ...]
    deletions: tuple[Deletion, ...]
    left_out: tuple[LeftOut, ...]
    warnings: tuple[str, ...]


def read_rows(content: Mapping[str, Any], name: str, *, alone: bool = True) -> Export:
    """Read all rows of an export.

    Parameters
    ----------
    content : mapping
        As `load_export` gives it.
    name : str
        Of the file, without folders.
    alone : bool
        No other export is read beside it. Where one is, a row with neither uuid nor name is left out: its number
        means something else in another file.

    Returns
    -------
    Export

    Examples
    --------
    >>> game = {"id": 1, "uuid": "G", "name": "Go"}
    >>> play = {"uuid": "P", "gameRefId": 1, "playDate": "2024-06-29 20:15:00", "playerScores": [{"playerRefId": 7}]}
    >>> export = read_rows({"games": [game], "players": [], "plays": [play]}, "export.json")
    >>> export.plays[0].item.key, export.plays[0].item.missing
    ('p', ('player 7 at seat 1',))
    """
    games, people = _Table("games", _game, alone), _Table("players", _person, alone)
    games.read(content["games"])
    people.read(content["players"])
    plays = _Plays(games, people, _places(content.get("locations")))
    plays.read(content["plays"])
    info = content.get("userInfo")
    info = info if isinstance(info, dict) else {}
    found = Fields("userInfo")
    owner = people.find(found.reference(info, "meRefId")) or ""
    return Export(
        name=name,
        exported=found.moment(info, "exportDate"),
        owner="" if owner in people.guests else owner,
        games=tuple(games.rows),
        people=(*people.rows, *plays.automata.values()),
        plays=tuple(plays.rows),
        deletions=tuple(_deletions(content.get("deletedObjects"))),
        left_out=(*games.left_out, *people.left_out, *plays.left_out),
        warnings=(*games.warnings(), *people.warnings(), *plays.warnings(), *found.warnings()),
    )


class _Table:
    """Games or people of one file: their records, and the keys behind their numbers."""

    def __init__(self, name: str, make: Callable[[Fields, dict, str], Game | Person], alone: bool) -> None:
        self.name, self.make, self.alone = name, make, alone
        self.fields = Fields(name)
        self.rows: list[Dated] = []
        self.left_out: list[LeftOut] = []
        self.guests: set[str] = set()
        self._keys: dict[int | str, set[str]] = defaultdict(set)

    def read(self, rows: Sequence[Any]) -> None:
        names = Counter(fold_name(_title(row)) for row in rows if isinstance(row, dict) and not _uuid(row))
        for place, row in enumerate(rows):
            where = f"{self.name}[{place}]"
            if not isinstance(row, dict):
                self.left_out.append(LeftOut(where, f"is {kind_of(row)}: an object is wanted"))
                continue
            number = self.fields.reference(row, "id")
            key = self._key(row, number, names)
            if key is None:
                self.left_out.append(LeftOut(where, "has no uuid and no name by which other files know it"))
                continue
            item = self.make(self.fields, row, key)
            if isinstance(item, Person) and item.is_guest:
                self.guests.add(key)
            self.rows.append(Dated(item, self.fields.moment(row, "modificationDate")))
            if number is not None:
                self._keys[number].add(key)

    def find(self, number: int | str | None) -> str | None:
        """Key behind a number, None where there is none, or more than one."""
        keys = self._keys.get(number, ())
        return next(iter(keys)) if len(keys) == 1 else None

    def describe(self, number: int | str | None) -> str:
        """Say what could not be found."""
        what = self.name.removesuffix("s")
        if number is None:
            return f"no {what}"
        told = number if isinstance(number, int) else shown(number)
        many = len(self._keys.get(number, ()))
        return f"{what} {told}" + (f" ({many} rows have this number)" if many else "")

    def warnings(self) -> list[str]:
        return self.fields.warnings()

    def _key(self, row: dict, number: int | str | None, names: Counter[str]) -> str | None:
        if uuid := _uuid(row):
            return uuid.casefold()
        name = fold_name(_title(row))
        if name:
            return f"name:{name}" + (f"#{number}" if names[name] > 1 else "")
        return f"id:{number}" if self.alone and number is not None else None


def _game(fields: Fields, row: dict, key: str) -> Game:
    return Game(
        key=key,
        name=fields.text(row, "name") or fields.text(row, "bggName") or f"game {key.removeprefix('id:')}",
        bgg_id=max(fields.whole(row, "bggId"), 0),
        cooperative=fields.flag(row, "cooperative"),
        highest_wins=fields.flag(row, "highestWins", True),
        no_points=fields.flag(row, "noPoints"),
        uses_teams=fields.flag(row, "usesTeams"),
        is_expansion=fields.flag(row, "isExpansion"),
        min_minutes=max(fields.whole(row, "minPlayTime"), 0),
        max_minutes=max(fields.whole(row, "maxPlayTime"), 0),
        played_before=max(fields.whole(row, "previouslyPlayedAmount"), 0),
    )


def _person(fields: Fields, row: dict, key: str) -> Person:
    automaton = _is_automaton(row)
    return Person(
        key=key,
        # Not the key: that of a person is for nobody's eyes.
        name=fields.text(row, "name") or "(no name)",
        is_guest=fields.flag(row, "isAnonymous") or automaton,
        is_automaton=automaton,
    )


class _Plays:
    """Plays of one file."""

    def __init__(self, games: _Table, people: _Table, places: Mapping[int | str, str]) -> None:
        self.games, self.people, self.places = games, people, places
        self.fields, self.seat_fields = Fields("plays"), Fields("playerScores")
        self.rows: list[Dated] = []
        self.left_out: list[LeftOut] = []
        self.automata: dict[str, Dated] = {}
        self._made_keys: Counter[str] = Counter()

    def read(self, rows: Sequence[Any]) -> None:
        for place, row in enumerate(rows):
            try:
                if not isinstance(row, dict):
                    raise _RowError(f"is {kind_of(row)}: an object is wanted")
                self.rows.append(Dated(self._play(row), self.fields.moment(row, "modificationDate")))
            except _RowError as error:
                uuid = _uuid(row) if isinstance(row, dict) else ""
                where = f"plays, uuid {uuid[:60].casefold()}" if uuid else f"plays[{place}]"
                self.left_out.append(LeftOut(where, str(error)))

    def warnings(self) -> list[str]:
        return self.fields.warnings() + self.seat_fields.warnings()

    def _play(self, row: dict) -> Play:
        fields = self.fields
        at = self._date(row)
        number = fields.reference(row, "gameRefId")
        game = self.games.find(number)
        missing = [] if game is not None else [self.games.describe(number)]
        seats = tuple(self._seats(row, missing))
        entered = fields.moment(row, "entryDate")
        play = Play(
            key=_uuid(row).casefold(),
            game=game or "",
            at=at,
            entered=entered or at,
            seats=seats,
            minutes=fields.whole(row, "durationMin"),
            scoring=self._scoring(row),
            ignored=fields.flag(row, "ignored"),
            uses_teams=fields.flag(row, "usesTeams"),
            location=self.places.get(fields.reference(row, "locationRefId"), ""),
            board=fields.text(row, "board"),
            missing=tuple(missing),
        )
        return play if play.key else replace(play, key=self._made_key(play))

    def _date(self, row: dict) -> datetime:
        value = row.get("playDate")
        if value is None or value == "":
            day = str(self.fields.reference(row, "playDateYmd") or "")  # 20240629, in some files only
            if len(day) != 8:
                raise _RowError("has no playDate")
            value = f"{day[:4]}-{day[4:6]}-{day[6:]}"
        at = read_moment(value.strip()) if isinstance(value, str) else None
        if at is None:
            raise _RowError(f"playDate is {shown(value)}: a date such as 2024-06-29 20:15:00 is wanted")
        if not in_years(at):
            raise _RowError(f"playDate is {shown(value)}: the year must be from {YEARS[0]} to {YEARS[1]}")
        return at

    def _scoring(self, row: dict) -> int:
        scoring = self.fields.whole(row, "scoringSetting") & 7
        if scoring not in _SCORINGS:
            return self.fields.refuse("scoringSetting", row["scoringSetting"], 0)
        return scoring

    def _seats(self, row: dict, missing: list[str]) -> list[Seat]:
        rows = row.get("playerScores")
        if not isinstance(rows, list):
            raise _RowError(
                "has no playerScores"
                if rows is None
                else f"playerScores is {kind_of(rows)}: a list is wanted"
            )
        if len(rows) > MOST_SEATS:
            raise _RowError(f"has {len(rows)} seats: at most {MOST_SEATS} are allowed")
        return [self._seat(seat, number, missing) for number, seat in enumerate(rows, start=1)]

    def _seat(self, row: Any, number: int, missing: list[str]) -> Seat:
        if not isinstance(row, dict):
            raise _RowError(f"playerScores[{number - 1}] is {kind_of(row)}: an object is wanted")
        fields = self.seat_fields
        reference = fields.reference(row, "playerRefId")
        person = self.people.find(reference)
        if person is None:
            missing.append(f"{self.people.describe(reference)} at seat {number}")
        elif person not in self.people.guests and _is_automaton(row):
            person = self._automaton(person)
        return Seat(
            person=person or "",
            score=fields.text(row, "score"),
            rank=fields.whole(row, "rank"),
            winner=fields.flag(row, "winner"),
            team=fields.text(row, "team"),
            new_player=fields.flag(row, "newPlayer"),
        )

    def _automaton(self, person: str) -> str:
        """Key of the automaton that sits in the place of a person, marked so on the seat alone."""
        key = f"{person}#automaton"
        self.automata.setdefault(key, Dated(Person(key, "(automaton)", True, True), None))
        return key

    def _made_key(self, play: Play) -> str:
        """Key of a play without uuid: of its content, and of how many of the same content came before it."""
        made = f"play:{sha256(repr(play).encode()).hexdigest()[:20]}"
        self._made_keys[made] += 1
        return made if self._made_keys[made] == 1 else f"{made}#{self._made_keys[made]}"


class _RowError(Exception):
    """A row that cannot be read, with the reason."""


def _uuid(row: dict) -> str:
    value = row.get("uuid")
    return clean(value) if isinstance(value, str) else ""


def _title(row: dict) -> str:
    fields = Fields("")  # what cannot be read is counted when the record is made
    return fields.text(row, "name") or fields.text(row, "bggName")


def _is_automaton(row: dict) -> bool:
    """Whether `metaData`, JSON within a text, has `isNpc` set; whatever else stands there says nothing."""
    value = row.get("metaData")
    if isinstance(value, str):
        if "isNpc" not in value:
            return False
        try:
            value = json.loads(value)
        except (ValueError, RecursionError):
            return False
    return isinstance(value, dict) and Fields("").flag(value, "isNpc")


def _places(rows: Any) -> dict[int | str, str]:
    """Names of locations by number; where two rows share one, the name that sorts first."""
    fields = Fields("locations")
    names: dict[int | str, str] = {}
    for row in rows if isinstance(rows, list) else ():
        number = fields.reference(row, "id") if isinstance(row, dict) else None
        if number is not None:
            name = fields.text(row, "name")
            names[number] = min(names.get(number, name), name)
    return names


def _deletions(rows: Any) -> list[Deletion]:
    tables = {"play": "plays", "player": "players", "game": "games"}
    fields = Fields("deletedObjects")
    found = []
    for row in rows if isinstance(rows, list) else ():
        uuid = _uuid(row) if isinstance(row, dict) else ""
        table = tables.get(fields.text(row, "objectType").casefold()) if uuid else None
        if table:
            found.append(Deletion(table, uuid.casefold(), fields.moment(row, "modificationDate")))
    return found
