"""Whose matches a report is of: the player found by any of his names, his matches chosen and put in order."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, fields, replace
from datetime import date
from difflib import SequenceMatcher

import numpy as np

from ludometrics.backgammon.records import COLUMNS, LONGEST_MATCH, UNKNOWN, Library, Match, Options, Problem
from ludometrics.backgammon.tournament_matches import Persons

#: Names at most in a message about one that is not there.
_MOST_NAMED = 12


@dataclass(frozen=True)
class Selection:
    """Which matches count; without anything all.

    Attributes
    ----------
    opponents : tuple of str
        Only matches against one of them.
    since, until : date, optional
        First and last day; with either, matches without a date are left out.
    lengths : tuple of int
        Only matches to so many points; 0 is money play.
    """

    opponents: tuple[str, ...] = ()
    since: date | None = None
    until: date | None = None
    lengths: tuple[int, ...] = ()

    def __post_init__(self) -> None:
        if self.since and self.until and self.since > self.until:
            raise ValueError(f"since {self.since} and until {self.until}: the first must not be later")
        wrong = [length for length in self.lengths if not 0 <= length <= LONGEST_MATCH]
        if wrong:
            raise ValueError(f"length {wrong[0]}, allowed are 0 (money) to {LONGEST_MATCH}")

    def __str__(self) -> str:
        words = [f"against {' or '.join(self.opponents)}"] if self.opponents else []
        words += [f"since {self.since}"] if self.since else []
        words += [f"until {self.until}"] if self.until else []
        if self.lengths:
            lengths = [f"{length} points" if length else "money" for length in sorted(set(self.lengths))]
            words.append(f"of {' or '.join(lengths)}")
        return ", ".join(words)


EVERYTHING = Selection()


@dataclass(frozen=True)
class Player:
    """A person of a library.

    Attributes
    ----------
    name : str
        As shown.
    names : tuple of str
        All names under which he plays, folded.
    """

    name: str
    names: tuple[str, ...]


def find_player(library: Library, wanted: str, people: Persons | None = None) -> Player:
    """The player whom a name means: one in the files, an alias, or a person.

    Raises
    ------
    ValueError
        Nobody; names who is there, the nearest first.

    Examples
    --------
    >>> from ludometrics.backgammon.records import no_decisions
    >>> library = Library((Match("a", 7, ("Ann", "Bob")), Match("b", 7, ("ann", "Cy"))), no_decisions())
    >>> find_player(library, "ANN")
    Player(name='Ann', names=('ann',))
    >>> find_player(library, "Bo")
    Traceback (most recent call last):
    ...
    ValueError: no match of 'Bo'; there are Bob, Ann, Cy
    """
    players = all_players(library, people)
    folded = wanted.strip().casefold()
    for player in players:
        if folded == player.name.casefold() or folded in player.names:
            return player
    if not players:
        raise ValueError(f"no match of {wanted!r}: there is no match at all")
    names = sorted((player.name for player in players), key=lambda name: (-_likeness(folded, name), name))
    more = f" and {len(names) - _MOST_NAMED} more" if len(names) > _MOST_NAMED else ""
    raise ValueError(f"no match of {wanted!r}; there are {', '.join(names[:_MOST_NAMED])}{more}")


def all_players(library: Library, people: Persons | None = None) -> list[Player]:
    """Everybody who plays in ``library``, by name."""
    names: dict[str, set[str]] = {}
    shown: dict[str, str] = {}
    for name in sorted({name for match in library.matches for name in match.players}):
        person = name if people is None else people.person(name)
        key = person.casefold()
        shown.setdefault(key, person)
        names.setdefault(key, set()).add(name.casefold())
    return sorted(
        (Player(shown[key], tuple(sorted(names[key]))) for key in names),
        key=lambda player: (player.name.casefold(), player.name),
    )


def busiest_player(library: Library, people: Persons | None = None) -> str:
    """The main player, where there is one; else who has most matches, and of several the first by name.

    Raises
    ------
    ValueError
        No match at all.

    Examples
    --------
    >>> from ludometrics.backgammon.records import no_decisions
    >>> busiest_player(Library((Match("a", 7, ("Ann", "Bob")), Match("b", 7, ("Cy", "Bob"))), no_decisions()))
    'Bob'
    """
    if people is not None and people.main:
        return people.main
    played = {
        player.name: int((library.seats_of(*player.names) != UNKNOWN).sum())
        for player in all_players(library, people)
    }
    if not played:
        raise ValueError("there is no match at all")
    return max(played, key=played.__getitem__)


def _likeness(folded: str, name: str) -> float:
    name = name.casefold()
    return SequenceMatcher(None, folded, name).ratio() + (folded in name or name in folded)


def select_matches(
    library: Library, player: Player, selection: Selection = EVERYTHING, people: Persons | None = None
) -> Library:
    """The matches of a player that a selection keeps, in their order: by date, then by file and key.

    Matches without a date come first. A match of a player against himself is left out and said so.

    Raises
    ------
    ValueError
        None is left, or an opponent whom the player never met.
    """
    own = library.seats_of(*player.names) != UNKNOWN
    both = own & np.array([_both(match, player) for match in library.matches], dtype=bool)
    problems = [
        Problem(
            library.matches[row].source or library.matches[row].key,
            "",
            f"both players are {player.name}, left out",
        )
        for row in np.flatnonzero(both)
    ]
    kept = own & ~both & _chosen(library, player, selection, people)
    if not kept.any():
        words = str(selection)
        raise ValueError(f"{player.name} has no match{f' {words}' if words else ''}")
    part = library.only(kept)
    order = sorted(range(len(part.matches)), key=lambda row: _when(part.matches[row]))
    part = arrange(part, np.array(order))
    return replace(part, problems=(*part.problems, *problems))


def _both(match: Match, player: Player) -> bool:
    return all(name.casefold() in player.names for name in match.players)


def _when(match: Match) -> tuple[str, str, str]:
    return match.date, match.source, match.key


def _chosen(library: Library, player: Player, selection: Selection, people: Persons | None) -> np.ndarray:
    """(m,) bool: matches that pass every filter."""
    others: set[str] = set()
    for wanted in selection.opponents:
        others |= set(find_player(library, wanted, people).names)
    chosen = []
    for match in library.matches:
        rivals = {name.casefold() for name in match.players} - set(player.names)
        chosen.append(
            (not others or bool(rivals & others))
            and (not selection.lengths or match.length in selection.lengths)
            and _in_time(match.date, selection)
        )
    return np.array(chosen, dtype=bool)


def _in_time(day: str, selection: Selection) -> bool:
    if selection.since is None and selection.until is None:
        return True
    try:
        on = date.fromisoformat(day[:10])
    except ValueError:
        return False
    return (selection.since is None or on >= selection.since) and (
        selection.until is None or on <= selection.until
    )


def arrange(library: Library, order: np.ndarray) -> Library:
    """The same library with its matches, and their decisions, in another order.

    Parameters
    ----------
    library : Library
    order : (m,) int
        Rows of its matches.
    """
    decisions = library.decisions
    place = np.empty(len(order), dtype=np.int64)
    place[order] = np.arange(len(order))
    rows = np.argsort(place[decisions.match], kind="stable")
    counts = np.diff(decisions.option_start)[rows]
    start = np.concatenate([[0], np.cumsum(counts)]).astype(np.int64)
    options = np.repeat(decisions.option_start[:-1][rows] - start[:-1], counts) + np.arange(start[-1])
    columns = {name: getattr(decisions, name)[rows] for name in COLUMNS}
    columns["match"] = place[columns["match"]].astype(np.int32)
    parts = {item.name: getattr(decisions.options, item.name)[options] for item in fields(Options)}
    arranged = replace(decisions, **columns, option_start=start, options=Options(**parts))
    return Library(tuple(library.matches[row] for row in order), arranged, library.problems)


def playing_days(matches: Iterable[Match]) -> tuple[str, str]:
    """First and last day of matches, "" where none has a date."""
    days = sorted(match.date for match in matches if match.date)
    return (days[0], days[-1]) if days else ("", "")
