"""The table of a group: established players by what they are surely worth, provisional ones below a line."""

from datetime import date, datetime, time
from typing import NamedTuple

from ludometrics.boardgames.engine import RatedLog
from ludometrics.boardgames.naming import order_of_appearance

#: Deviations on either side of a rating within which the true one lies nine times in ten.
BAND = 1.645
#: Rated plays from which a known player is a regular.
REGULAR_PLAYS = 10


class Standing(NamedTuple):
    """One row of the table.

    Attributes
    ----------
    person : str
        Key of a known person.
    rank : int or None
        Place among the established, 1 best, equals share one; None while provisional.
    provisional : bool
        The plays tell less than was assumed at the start: the variance is above half of a newcomer's.
    rating, deviation : float
        Points; the deviation has grown by the absence since the last rated play.
    low, high : float
        rating -+ `BAND` deviations.
    plays_rated : int
    """

    person: str
    rank: int | None
    provisional: bool
    rating: float
    deviation: float
    low: float
    high: float
    plays_rated: int


def day_number(rated: RatedLog, as_of: date | None = None) -> float:
    """Day as the engine counts them, at which deviations are looked at.

    Parameters
    ----------
    rated : RatedLog
        With at least one logged play.
    as_of : date, optional
        None: the day of the last logged play.

    Returns
    -------
    float
        The beginning of that day, or the moment of the last logged play if that is later.

    Raises
    ------
    ValueError
        The log holds later plays: it has to be cut before it is rated.
    """
    first, last = rated.log.plays[0].at, rated.log.plays[-1].at
    if as_of is not None and last.date() > as_of:
        raise ValueError(
            f"the log holds a play of {last.date()}, after {as_of}: rate log.between(None, as_of) first"
        )
    midnight = datetime.combine(first.date(), time())
    day = (last - midnight).total_seconds() / 86400.0
    return day if as_of is None else max(day, float((as_of - first.date()).days))


def is_provisional(deviation: float, prior: float) -> bool:
    """Whether the plays say less of a rating than the prior does: its variance is above half of a newcomer's.

    Examples
    --------
    >>> is_provisional(127.0, 180.0), is_provisional(128.0, 180.0)
    (False, True)
    """
    return deviation**2 > prior**2 / 2.0


def standings(rated: RatedLog, as_of: date | None = None) -> tuple[Standing, ...]:
    """Order the known people of a log, as of a day; asking changes nothing.

    Parameters
    ----------
    rated : RatedLog
    as_of : date, optional
        See `day_number`.

    Returns
    -------
    tuple of Standing
        Of all who sit at a logged play: first the established by rating less deviation, then the provisional
        likewise; whoever has no rated play is a newcomer. Equals stand in the order of their first appearance.

    Raises
    ------
    ValueError
        As `day_number`.

    Source
    ------
    Own.
    """
    people = order_of_appearance(rated.log)
    if not people:
        return ()
    ratings, settings = rated.ratings, rated.settings
    aged = ratings.aged_deviations(day_number(rated, as_of)).tolist()
    place = {key: number for number, key in enumerate(ratings.people)}
    rows = []
    for key in people:
        rating, deviation, plays = settings.start, settings.deviation, 0
        if key in place:
            at = place[key]
            rating, deviation, plays = float(ratings.rating[at]), aged[at], int(ratings.plays[at])
        reach = BAND * deviation
        provisional = is_provisional(deviation, settings.deviation)
        rows.append(
            Standing(key, None, provisional, rating, deviation, rating - reach, rating + reach, plays)
        )
    rows.sort(key=lambda row: (row.provisional, row.deviation - row.rating))
    return tuple(_ranked(rows))


def _ranked(rows: list[Standing]) -> list[Standing]:
    """The same rows with ranks for the established."""
    sure = [row.rating - row.deviation for row in rows if not row.provisional]
    return [
        row if row.provisional else row._replace(rank=sure.index(row.rating - row.deviation) + 1)
        for row in rows
    ]
