"""The play log of a group as every other module reads it: games, people, plays and their seats.

Readers (`bgstats`, `play_table`) make a `PlayLog`; nothing after them knows the format of a file. Everything is keyed
by texts that hold over several exports of one group (`uuid`, folded in case), never by the numbers of one export.
"""

from dataclasses import dataclass, replace
from datetime import date, datetime
from typing import NamedTuple

#: Scoring of a play (`Play.scoring`) against the game: by high points, by low ones, without points.
COOPERATIVE_SCORING = (4, 5, 6)
#: Seats at one table at most; all pairs of a table are rated.
MOST_SEATS = 200


@dataclass(frozen=True, slots=True)
class Game:
    """A game that the group plays.

    Attributes
    ----------
    key : str
        The same in every export of the group.
    name : str
    bgg_id : int
        Number at BoardGameGeek; 0: not there (several games may have 0).
    cooperative, highest_wins, no_points, uses_teams : bool
        The game's present settings; a play may say otherwise (`Play.scoring`).
    is_expansion : bool
        Does not keep a play from being rated: stand-alone expansions are logged so.
    min_minutes, max_minutes : int
        Stated playing time; 0: unknown.
    played_before : int
        Plays of the export's owner before the log began, at least 0.
    """

    key: str
    name: str
    bgg_id: int = 0
    cooperative: bool = False
    highest_wins: bool = True
    no_points: bool = False
    uses_teams: bool = False
    is_expansion: bool = False
    min_minutes: int = 0
    max_minutes: int = 0
    played_before: int = 0


@dataclass(frozen=True, slots=True)
class Person:
    """Somebody, or something, that sits at tables.

    Attributes
    ----------
    key : str
        The same in every export of the group.
    name : str
    is_guest : bool
        No known person: an anonymous seat, or an automaton. Each of its seats is somebody new.
    is_automaton : bool
        Played by the game itself.
    """

    key: str
    name: str
    is_guest: bool = False
    is_automaton: bool = False


@dataclass(frozen=True, slots=True)
class Seat:
    """One seat of one play.

    Attributes
    ----------
    person : str
        Key of a `Person`.
    score : str
        As written, not yet read as a number; "" where none.
    rank : int
        Place as logged; 0: not set. No promise that it is a proper ranking.
    winner : bool
    team : str
        Name or number of the team; "" where none.
    new_player : bool
        Marked as this person's first play of the game.
    """

    person: str
    score: str = ""
    rank: int = 0
    winner: bool = False
    team: str = ""
    new_player: bool = False


@dataclass(frozen=True, slots=True)
class Play:
    """One logged play.

    Attributes
    ----------
    key : str
        The same in every export of the group.
    game : str
        Key of a `Game`.
    at : datetime
        Local wall time of the play, without a zone. Many share one moment (apps fill in a default).
    entered : datetime
        When it was typed in; where unknown, as `at`.
    seats : tuple of Seat
    minutes : int
        Logged duration, as written; 0: none.
    scoring : int
        How this play was scored: 0 by the game's settings, 1 highest wins, 2 lowest wins, 3 no points,
        4 to 6 cooperative (high, low, no points).
    ignored : bool
        Not to be rated, by the group's wish.
    uses_teams : bool
    location, board : str
        Where, and which map, mission or variant; "" where none.
    missing : tuple of str
        What the play refers to that the log does not hold ("game 17", "player 4 at seat 2"): such a play is kept in
        the log and never rated. An unknown game has the key "", an unknown person is a seat with the person "".
    """

    key: str
    game: str
    at: datetime
    entered: datetime
    seats: tuple[Seat, ...]
    minutes: int = 0
    scoring: int = 0
    ignored: bool = False
    uses_teams: bool = False
    location: str = ""
    board: str = ""
    missing: tuple[str, ...] = ()

    @property
    def order(self) -> tuple[datetime, datetime, str]:
        """What plays are sorted by: time, then time of typing, then key, so that the order in a file never counts."""
        return self.at, self.entered, self.key


class LeftOut(NamedTuple):
    """A row of a file that is not in the log.

    `where` names the place ("plays[17]"), `reason` says what is wrong with it or why it is not wanted (deleted,
    an older copy).
    """

    where: str
    reason: str


@dataclass(frozen=True)
class PlayLog:
    """Everything a group has logged.

    Attributes
    ----------
    games : dict of str to Game
        By key, sorted by key.
    people : dict of str to Person
        By key, sorted by key.
    plays : tuple of Play
        In the order of `Play.order`.
    source : str
        Name of the file or files, without folders.
    owner : str
        Key of the person whose log it is; "" where unknown.
    left_out : tuple of LeftOut
    warnings : tuple of str
        What a person should look at: two people of one name, a moment shared by many plays.
    earlier : tuple of Play
        Plays before the first that counts, where the log was cut: they are not rated or shown, but rules were learned
        in them.
    """

    games: dict[str, Game]
    people: dict[str, Person]
    plays: tuple[Play, ...]
    source: str = ""
    owner: str = ""
    left_out: tuple[LeftOut, ...] = ()
    warnings: tuple[str, ...] = ()
    earlier: tuple[Play, ...] = ()

    def between(self, first: date | None = None, last: date | None = None) -> "PlayLog":
        """The same log with only the plays from one day to another, both included; None: no bound.

        Plays before the first day go to `earlier`.
        """
        before = [play for play in self.plays if first is not None and play.at.date() < first]
        kept = [play for play in self.plays[len(before) :] if last is None or play.at.date() <= last]
        return replace(self, plays=tuple(kept), earlier=(*self.earlier, *before))
