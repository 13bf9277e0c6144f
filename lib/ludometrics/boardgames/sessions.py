"""Sessions: the plays of one day at one place, where a day lasts until five in the morning."""

from collections import defaultdict
from collections.abc import Sequence
from datetime import date, datetime, timedelta
from typing import NamedTuple

from ludometrics.boardgames.records import Play

#: Hour at which a new day begins: a play at one o'clock at night belongs to the evening before.
DAY_STARTS = 5


class Session(NamedTuple):
    """Plays of one day at one place.

    Attributes
    ----------
    day : date
        That of the evening, see `session_day`.
    location : str
        As first written; "" where none is known.
    plays : tuple of int
        Places of the plays among those given, in their order.
    """

    day: date
    location: str
    plays: tuple[int, ...]


def session_day(at: datetime) -> date:
    """Day that a moment belongs to, days starting at `DAY_STARTS` o'clock by local wall time.

    Examples
    --------
    >>> session_day(datetime(2024, 3, 2, 4, 59)).isoformat(), session_day(datetime(2024, 3, 2, 5, 0)).isoformat()
    ('2024-03-01', '2024-03-02')
    """
    early = at.hour < DAY_STARTS and at.date() > date.min
    return at.date() - timedelta(days=1) if early else at.date()


def find_sessions(plays: Sequence[Play]) -> tuple[Session, ...]:
    """Gather plays into sessions.

    Parameters
    ----------
    plays : sequence of Play
        In the order of time.

    Returns
    -------
    tuple of Session
        By their first play. Places that differ only in case or spaces are one. A play without a place belongs to the
        day's session if all others of that day were at one place, else the day's plays without a place are a session
        of their own.

    Source
    ------
    Own.

    Examples
    --------
    >>> evening = [datetime(2024, 3, 1, 20), datetime(2024, 3, 1, 22), datetime(2024, 3, 2, 1)]
    >>> places = ["Home", "", "home"]
    >>> plays = [Play(str(n), "g", at, at, (), location=x) for n, (at, x) in enumerate(zip(evening, places))]
    >>> [(session.day.isoformat(), session.location, session.plays) for session in find_sessions(plays)]
    [('2024-03-01', 'Home', (0, 1, 2))]
    """
    days = [session_day(play.at) for play in plays]
    folded = [" ".join(play.location.split()).casefold() for play in plays]
    places: dict[date, set[str]] = defaultdict(set)
    for day, place in zip(days, folded, strict=True):
        if place:
            places[day].add(place)
    found: dict[tuple[date, str], list[int]] = defaultdict(list)
    for index, (day, place) in enumerate(zip(days, folded, strict=True)):
        (only,) = places[day] if len(places[day]) == 1 else ("",)
        found[day, place or only].append(index)
    return tuple(
        Session(
            day,
            next((plays[i].location.strip() for i in members if plays[i].location.strip()), ""),
            tuple(members),
        )
        for (day, _), members in found.items()
    )
