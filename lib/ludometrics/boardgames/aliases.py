"""One person entered twice, made one again by a file of aliases that the group edits.

The file is a CSV with the columns `name` and `same_as`: whoever is called `name` is the same person as `same_as`, under
whose name both go on. Either cell may hold a name or a key; a column `key`, where it is filled, stands for `name`. A
row with the same name twice joins all people of that name. Rows with an empty `same_as` say nothing, so that a file of
`write_alias_template` can be filled in.
"""

import os
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from ludometrics.boardgames.assembly import assemble, derived_warnings, plays_by_person, shared_plays
from ludometrics.boardgames.naming import clean_text
from ludometrics.boardgames.records import Play, PlayLog
from ludometrics.boardgames.spreadsheet import encode_rows
from ludometrics.boardgames.text_table import near, read_text_table
from ludometrics.boardgames.values import fold_name
from ludometrics.provenance import write_bytes

_COLUMNS = ("name", "key", "plays", "same_as")


class Alias(NamedTuple):
    """A row of a file of aliases; `row` is its number in a spreadsheet."""

    row: int
    name: str
    same_as: str


class Aliases(NamedTuple):
    """A file of aliases: its path, for messages, and its rows."""

    path: str
    rows: tuple[Alias, ...]


def read_aliases(path: str | os.PathLike[str]) -> Aliases:
    """Read a file of aliases.

    Parameters
    ----------
    path : path
        CSV in UTF-8; columns `name` and `same_as`, and perhaps `key` and `plays`.

    Returns
    -------
    Aliases

    Raises
    ------
    ValueError
        Naming file and row: a column is missing or unknown, or somebody is the same as nobody named.
    """
    table = read_text_table(path, ("name", "same_as"), ("key", "plays"))
    rows = []
    for number, cells in table.rows:
        name = cells["key"] or cells["name"]
        if not cells["same_as"]:
            continue
        if not name:
            raise ValueError(f"{path}, row {number}: name is empty: a name or a key is needed")
        rows.append(Alias(number, name, cells["same_as"]))
    return Aliases(str(path), tuple(rows))


def apply_aliases(log: PlayLog, aliases: Aliases) -> PlayLog:
    """Give a log in which people who are one are one.

    A chain is followed to its end. In a circle all are one, under the name with most plays. Somebody who then sits
    twice in one play stays so; whoever orders the play rejects it, and a warning says in how many plays that is.

    Parameters
    ----------
    log : PlayLog
    aliases : Aliases

    Returns
    -------
    PlayLog

    Raises
    ------
    ValueError
        Naming file and row: nobody has that name, several have, a guest has, or one person is to be two.

    Examples
    --------
    >>> from ludometrics.boardgames.records import Person
    >>> log = assemble({}, {key: Person(key, key.title()) for key in ("ann", "anny", "bob")}, [])
    >>> list(apply_aliases(log, Aliases("aliases.csv", (Alias(2, "Anny", "Ann"),))).people)
    ['ann', 'bob']
    >>> apply_aliases(log, Aliases("aliases.csv", (Alias(2, "Any", "Bob"),)))
    Traceback (most recent call last):
    ...
    ValueError: aliases.csv, row 2: 'Any' is neither the name nor the key of anybody in the log; near it: 'Anny', 'Ann'
    """
    merged = _survivors(log, aliases)
    if not merged:
        return log
    people = {key: person for key, person in log.people.items() if key not in merged}
    known = set(derived_warnings(log.people, log.plays))
    own = [warning for warning in log.warnings if warning not in known]
    return assemble(
        log.games,
        people,
        [_with_people(play, merged) for play in log.plays],
        source=log.source,
        owner=merged.get(log.owner, log.owner),
        left_out=log.left_out,
        warnings=[*own, *_together(log, merged)],
    )


def write_alias_template(log: PlayLog, path: str | os.PathLike[str]) -> Path:
    """Write a file of aliases with everybody in it and nothing said yet: to be filled in under `same_as`.

    Returns
    -------
    Path
    """
    played = plays_by_person(log.plays)
    people = [person for person in log.people.values() if not person.is_guest]
    people.sort(key=lambda person: (fold_name(person.name), person.key))
    rows = [(clean_text(person.name), person.key, played[person.key], "") for person in people]
    return write_bytes(path, encode_rows(_COLUMNS, rows))


def _survivors(log: PlayLog, aliases: Aliases) -> dict[str, str]:
    """Key under which each person goes on, for those whose key changes."""
    find = _Finder(log, aliases.path)
    joined: dict[str, str] = {}
    apart = []
    for alias in aliases.rows:
        keys, others = find.keys(alias, alias.name), find.keys(alias, alias.same_as)
        if keys == others:
            joined.update(dict.fromkeys(keys, find.main(keys)))
        else:
            apart.append((alias, keys, others))
    targets: dict[str, tuple[str, int]] = {}
    for alias, keys, others in apart:
        one, other = find.one(alias, alias.name, keys, joined), find.one(alias, alias.same_as, others, joined)
        target, row = targets.setdefault(one, (other, alias.row))
        if target != other:
            raise ValueError(
                f"{aliases.path}, row {alias.row}: {alias.name!r} is already somebody else in row {row}: one person "
                "can be the same as one other"
            )
    ends = {key: _end(joined.get(key, key), targets, find.main) for key in (*joined, *targets)}
    return {key: end for key, end in ends.items() if key != end}


def _together(log: PlayLog, merged: Mapping[str, str]) -> list[str]:
    """Warnings of people made one who have sat at one table."""
    groups: dict[str, list[str]] = defaultdict(list)
    for key, end in sorted(merged.items()):
        groups[end].append(key)
    found = []
    for end, keys in groups.items():
        plays = shared_plays(log.plays, [end, *keys])
        if plays:
            names = " and ".join(repr(log.people[key].name) for key in (end, *keys))
            found.append(
                f"aliases: {names} are made one, and sit at one table in {plays} play{'s' * (plays > 1)}: they seem "
                f"to be {'two' if len(keys) == 1 else 'several'} people"
            )
    return found


def _end(key: str, targets: Mapping[str, tuple[str, int]], main: Callable[[Iterable[str]], str]) -> str:
    """Where a chain ends; in a circle, its main person."""
    seen = []
    while key in targets and key not in seen:
        seen.append(key)
        key = targets[key][0]
    return main(seen[seen.index(key) :]) if key in seen else key


class _Finder:
    """People of a log by name or key."""

    def __init__(self, log: PlayLog, path: str) -> None:
        self.log, self.path = log, path
        self.played = plays_by_person(log.plays)
        self._by_name, self._as_shown = defaultdict(list), defaultdict(list)
        for key, person in log.people.items():
            if not person.is_guest:
                self._by_name[fold_name(person.name)].append(key)
                self._as_shown[_fold_shown(person.name)].append(key)

    def main(self, keys: Iterable[str]) -> str:
        """Of several people, the one with most plays, and of equals the one whose key sorts first."""
        return min(keys, key=lambda key: (-self.played[key], key))

    def keys(self, alias: Alias, text: str) -> list[str]:
        """Keys of everybody that a cell may mean."""
        key = text.casefold()
        if key in self.log.people and not self.log.people[key].is_guest:
            return [key]
        if found := self._by_name.get(fold_name(text)) or self._as_shown.get(_fold_shown(text)):
            return found
        where = f"{self.path}, row {alias.row}: {text!r}"
        if key in self.log.people or any(
            fold_name(person.name) == fold_name(text) for person in self.log.people.values()
        ):
            raise ValueError(
                f"{where} is a guest, of whom each seat is somebody new: a known person is needed"
            )
        names = {person.name for person in self.log.people.values() if not person.is_guest}
        raise ValueError(f"{where} is neither the name nor the key of anybody in the log{near(text, names)}")

    def one(self, alias: Alias, text: str, keys: Iterable[str], joined: Mapping[str, str]) -> str:
        """The one person that a cell means."""
        found = sorted({joined.get(key, key) for key in keys})
        if len(found) > 1:
            told = ", ".join(f"{key} ({self.played[key]} plays)" for key in found)
            raise ValueError(
                f"{self.path}, row {alias.row}: {len(found)} people are called {text!r}: give the key of the one that "
                f"is meant: {told}"
            )
        return found[0]


def _fold_shown(name: str) -> str:
    """A name as the template shows it, folded, where there is anything to see in it."""
    return fold_name(clean_text(name) or name)


def _with_people(play: Play, merged: Mapping[str, str]) -> Play:
    if not any(seat.person in merged for seat in play.seats):
        return play
    seats = tuple(replace(seat, person=merged.get(seat.person, seat.person)) for seat in play.seats)
    return replace(play, seats=seats)
