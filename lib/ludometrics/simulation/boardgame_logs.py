"""A simulated group's plays written down as a play log, the way an app for plays has them."""

from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from ludometrics.boardgames.records import Game, Person, Play, PlayLog, Seat
from ludometrics.simulation.boardgame_tables import Draws, Shelf, Tables
from ludometrics.simulation.boardgame_worlds import SOURCES, GroupWorld

#: Invented numbers at BoardGameGeek, far beyond those given out.
FIRST_BGG_ID = 9_000_001
#: First day of every simulated log.
FIRST_DAY = np.datetime64("2024-01-05T00:00:00")

_LOCATIONS = ("", "Kitchen table", "Attic", "Club room")
_DEFAULT_TIME = 10 * 3600  # what apps fill in where only a date is given
_BEGIN = 19 * 3600
_PAUSE_MINUTES = 10
_LATEST_MINUTES = 14 * 60  # after the beginning: before another day's plays
_TYPED = 23 * 3600


def compose_log(
    world: GroupWorld, shelf: Shelf, tables: Tables, draws: Draws
) -> tuple[PlayLog, list[str], list[str]]:
    """Write down a group's plays.

    Returns
    -------
    PlayLog, list of str, list of str
        The log, whose plays are in the order of the tables; keys of the people and of the games, in their order.
    """
    m, n, p = world.people, world.games, world.plays
    keys = _uuids(draws.keys)
    people, games, plays, (guest, automaton) = keys[:m], keys[m : m + n], keys[m + n : m + n + p], keys[-2:]
    at, entered = _times(world, tables, draws)
    rows = zip(
        plays,
        tables.game.tolist(),
        at,
        entered,
        _seats(world, shelf, tables, draws, [*people, guest, automaton]),
        np.where(draws.plays[2] < world.durations, tables.minutes, 0).astype(int).tolist(),
        (draws.plays[4] * len(_LOCATIONS)).astype(int).tolist(),
        _scoring(shelf, tables, draws).tolist(),
        strict=True,
    )
    guests = {guest: Person(guest, "Anonymous player", is_guest=True)}
    if world.automata:
        guests[automaton] = Person(automaton, "Automaton", is_guest=True, is_automaton=True)
    known = {key: Person(key, f"Person {number}") for number, key in enumerate(people, start=1)}
    log = PlayLog(
        games=dict(sorted(zip(games, _games(shelf, games), strict=True))),
        people=dict(sorted((known | guests).items())),
        plays=tuple(
            Play(key, games[game], when, typed, seats, minutes, scoring, location=_LOCATIONS[place])
            for key, game, when, typed, seats, minutes, place, scoring in rows
        ),
        source="simulated",
        owner=people[int(np.argmax(draws.attendance))],
    )
    return log, people, games


def _uuids(content: bytes) -> list[str]:
    """Keys in the form that apps give them."""
    text = content.hex()
    parts = (text[start : start + 32] for start in range(0, len(text), 32))
    return [f"{own[:8]}-{own[8:12]}-4{own[13:16]}-8{own[17:20]}-{own[20:]}" for own in parts]


def _games(shelf: Shelf, keys: list[str]) -> list[Game]:
    scored = shelf.source == SOURCES.index("scores")
    return [
        Game(
            key,
            f"Game {number + 1}",
            FIRST_BGG_ID + number,
            cooperative=bool(shelf.cooperative[number]),
            highest_wins=not shelf.lowest_wins[number],
            no_points=bool(shelf.cooperative[number] or not scored[number]),
            min_minutes=int(5 * round(0.16 * shelf.minutes[number])),
            max_minutes=int(5 * round(0.24 * shelf.minutes[number])),
        )
        for number, key in enumerate(keys)
    ]


def _seats(
    world: GroupWorld, shelf: Shelf, tables: Tables, draws: Draws, keys: list[str]
) -> list[tuple[Seat, ...]]:
    """Seats of each play; `keys` are those of the people, then of a guest and of an automaton."""
    automaton = (tables.person < 0) & (draws.seats[1] < world.automata)
    person = np.where(tables.person >= 0, tables.person, world.people + automaton)
    source, together = shelf.source[tables.game], shelf.cooperative[tables.game]
    won = np.where(together, draws.plays[3] < 0.5, False)
    winner = np.where(together[:, None], won[:, None], tables.rank == 1)
    ranked = np.where((source == SOURCES.index("ranks")) & ~together, 1, 0)[:, None] * tables.rank
    scored = (source == SOURCES.index("scores")) & ~together
    there = tables.there
    starts = np.concatenate([[0], np.cumsum(tables.size)]).tolist()
    texts = [str(score) for score in tables.score[there].tolist()]
    blank = np.repeat(~scored, tables.size).tolist()
    new = (tables.experience == 0)[there].tolist()
    rows = zip(
        person[there].tolist(), texts, blank, ranked[there].tolist(), winner[there].tolist(), new, strict=True
    )
    seats = [
        Seat(keys[who], "" if empty else text, rank, first, "", fresh)
        for who, text, empty, rank, first, fresh in rows
    ]
    return [tuple(seats[low:high]) for low, high in pairwise(starts)]


def _scoring(shelf: Shelf, tables: Tables, draws: Draws) -> NDArray[np.int64]:
    """How each play says that it was scored, shape (p,): most leave it to the game."""
    scored = shelf.source == SOURCES.index("scores")
    own = np.where(scored, np.where(shelf.lowest_wins, 2, 1), 3)
    own = np.where(shelf.cooperative, 6, own)[tables.game]
    return np.where(10.0 * draws.plays[4] % 1.0 < 0.3, own, 0)


def _times(world: GroupWorld, tables: Tables, draws: Draws) -> tuple[list, list]:
    """When each play was, and when it was typed in: sorted by both, plays stand in their true order."""
    meeting = draws.meeting
    lasted = tables.minutes + _PAUSE_MINUTES
    before = np.cumsum(lasted) - lasted
    number = np.arange(len(meeting))
    first = np.searchsorted(meeting, meeting)  # first play of the same meeting
    begun = np.minimum(before - before[first], _LATEST_MINUTES)
    seconds = _BEGIN + 60 * begun.astype(np.int64) + (number - first)
    date_only = (draws.by_date < world.default_time)[meeting]
    day = FIRST_DAY + draws.meetings[meeting].astype("timedelta64[D]")
    at = day + np.where(date_only, _DEFAULT_TIME, seconds).astype("timedelta64[s]")
    typed = np.where(date_only, _TYPED + number - first, seconds + 60 * tables.minutes.astype(np.int64))
    return at.tolist(), (day + typed.astype("timedelta64[s]")).tolist()


def resolved_below(shelf: Shelf, tables: Tables) -> NDArray[np.bool_]:
    """Whether the log tells the order behind the winner of each play, shape (p,)."""
    return shelf.source[tables.game] != SOURCES.index("flag")
