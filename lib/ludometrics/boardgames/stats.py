"""What a rated log says of its plays and players: seats, resolved pairs, the playing clock, rating lines, tallies.

All functions are pure: they read a `RatedLog` and change nothing. Guests have no row anywhere.
"""

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ludometrics.boardgames.context import Duration, duration
from ludometrics.boardgames.engine import RatedLog
from ludometrics.boardgames.finishing import Order, Rejection
from ludometrics.boardgames.naming import is_player
from ludometrics.boardgames.records import COOPERATIVE_SCORING, Game, Play, PlayLog
from ludometrics.evaluation import NORMAL_95


class SeatResults(NamedTuple):
    """Sums over the resolved pairs of each rated seat, guests among the opponents: three arrays of shape (s,)."""

    pairs: NDArray[np.int64]
    expected: NDArray[np.float64]
    actual: NDArray[np.float64]


class Series(NamedTuple):
    """The line of one player's rating.

    Attributes
    ----------
    hours : list of float
        Playing time of the group's rated plays up to and with this one; of the start, up to the player's first.
    at : list of datetime
        The start has the time of the first rated play.
    play : list of int
        Place in the log; -1: the start.
    rating, deviation : list of float
        After the play, points.
    """

    hours: list[float]
    at: list[datetime]
    play: list[int]
    rating: list[float]
    deviation: list[float]


class Appearance(NamedTuple):
    """One seat of a known person in one logged play.

    Attributes
    ----------
    person : str
    play : int
        Place in the log.
    game : str
        Key; "" where unknown.
    at : datetime
    minutes : float
        0 where unknown.
    rated, cooperative : bool
    won : bool
        Credit for the win, see `win_credit`; in a cooperative play, that the table won.
    fair : float
        Chance of a win among equals: 1/(number of seats), or of teams.
    pairs : int
        Resolved pairs of the seat, guests included; 0 where not rated.
    points : float
        Sum of their outcomes.
    """

    person: str
    play: int
    game: str
    at: datetime
    minutes: float
    rated: bool
    cooperative: bool
    won: bool
    fair: float
    pairs: int
    points: float


class Tally(NamedTuple):
    """What somebody's appearances come to.

    Attributes
    ----------
    plays_logged, plays_rated : int
    minutes : float
        Of all logged plays; unknown ones add 0.
    contests, wins : int
        Rated plays that are not cooperative, and those won.
    fair : float
        Sum of the chances of a win among equals over the contests.
    pairs : int
        Resolved pairs of rated plays, guests included.
    points : float
        Sum of their outcomes.
    cooperative_plays, cooperative_wins : int
        Tables of two or more against the game, without those that the group ignores.
    first, last : datetime
        First and last logged play.
    """

    plays_logged: int
    plays_rated: int
    minutes: float
    contests: int
    wins: int
    fair: float
    pairs: int
    points: float
    cooperative_plays: int
    cooperative_wins: int
    first: datetime
    last: datetime


def share_bounds(points: float, n: int) -> tuple[float, float]:
    """95 % interval of a share, by Wilson, where each of n independent plays gives between 0 and 1 point.

    A share within a play varies no more than a win or loss with the same mean, so that the interval is long enough.

    Parameters
    ----------
    points : float
        Sum of the points, 0 to n.
    n : int
        Plays; with none the interval is everything.

    Returns
    -------
    low, high : float

    Source
    ------
    Wilson, Journal of the American Statistical Association 22 (1927); shares between 0 and 1 own.

    Examples
    --------
    >>> [round(x, 3) for x in share_bounds(0, 10)], share_bounds(0.0, 0)
    ([0.0, 0.278], (0.0, 1.0))
    """
    if n < 1:
        return 0.0, 1.0
    share, square = points / n, NORMAL_95**2 / n
    middle = (share + square / 2.0) / (1.0 + square)
    spread = max(share * (1.0 - share), 0.0) / n + square / (4.0 * n)
    half = NORMAL_95 * math.sqrt(spread) / (1.0 + square)
    # The share itself is inside, whatever the last bit of a sum says.
    return max(min(middle - half, share), 0.0), min(max(middle + half, share), 1.0)


def is_cooperative(play: Play, game: Game | None) -> bool:
    """Whether the table played against the game: by the game's setting or by the play's own."""
    return play.scoring in COOPERATIVE_SCORING or (game is not None and game.cooperative)


def win_credit(play: Play, outcome: Order | Rejection) -> tuple[bool, ...]:
    """Who has won a play: those with the winner's flag; where it tells nobody apart, those ranked first.

    Ranks drive ratings, flags drive win credit; the two differ where somebody flagged is not ranked best.

    Source
    ------
    The author of bgelo.
    """
    flags = tuple(seat.winner for seat in play.seats)
    if isinstance(outcome, Rejection) or (any(flags) and not all(flags)):
        return flags
    return tuple(rank == 1 for rank in outcome.ranks)


def play_durations(log: PlayLog) -> list[Duration]:
    """Minutes of each logged play, and where they come from."""
    return [duration(play, log.games.get(play.game)) for play in log.plays]


def playing_clock(rated: RatedLog) -> NDArray[np.float64]:
    """Hours of the group's rated plays up to and with each, shape (p,); unknown minutes add 0."""
    return np.cumsum(np.nan_to_num(rated.schedule.minutes)) / 60.0


def resolved_pairs(rated: RatedLog) -> NDArray[np.bool_]:
    """Which pairs (k,) were compared and have a known order or a known tie; guests against players are among them.

    Two guests and two team mates are not compared. Of a play with nothing but a winner's flag, the order of the
    others is unknown.
    """
    schedule, pairs = rated.schedule, rated.ratings.pair_seats
    person, team, rank = (values[pairs] for values in (schedule.person, schedule.team, schedule.rank))
    guests = (person < 0).all(axis=1)
    mates = (team[:, 0] >= 0) & (team[:, 0] == team[:, 1])
    unknown = schedule.flag_only[rated.ratings.pair_play] & (rank[:, 0] == rank[:, 1]) & (rank[:, 0] > 1)
    return ~(guests | mates | unknown)


def seat_results(rated: RatedLog) -> SeatResults:
    """Forecasts and outcomes of each seat's resolved pairs, summed from the seat's own side."""
    kept = resolved_pairs(rated)
    first, second = rated.ratings.pair_seats[kept].T
    forecast, outcome = rated.ratings.forecast[kept], rated.ratings.outcome[kept]
    n = len(rated.schedule.person)

    def _sum(ahead: NDArray[np.float64], behind: NDArray[np.float64]) -> NDArray[np.float64]:
        return np.bincount(first, ahead, n) + np.bincount(second, behind, n)

    ones = np.ones(len(forecast))
    return SeatResults(
        _sum(ones, ones).astype(np.int64), _sum(forecast, 1.0 - forecast), _sum(outcome, 1.0 - outcome)
    )


def rating_series(rated: RatedLog) -> dict[str, Series]:
    """The line of each player's rating over playing time, by key.

    Returns
    -------
    dict of str to Series
        Of everybody with a rated play: the start, then one point a rated play, unaged.
    """
    schedule, ratings, settings = rated.schedule, rated.ratings, rated.settings
    clock = np.concatenate([[0.0], playing_clock(rated)])
    lines: dict[str, Series] = {}
    seats = zip(
        schedule.person.tolist(),
        schedule.play_of_seat.tolist(),
        ratings.after.tolist(),
        ratings.deviation_after.tolist(),
        strict=True,
    )
    for person, number, after, deviation in seats:
        if person < 0:
            continue
        place = int(schedule.play[number])
        at = rated.log.plays[place].at
        key = schedule.people[person]
        if key not in lines:
            start = float(clock[number])
            lines[key] = Series([start], [at], [-1], [settings.start], [settings.deviation])
        line = lines[key]
        for values, value in zip(line, (float(clock[number + 1]), at, place, after, deviation), strict=True):
            values.append(value)
    return lines


def appearances(rated: RatedLog) -> list[Appearance]:
    """Every seat of a known person in every logged play, in the order of the plays."""
    log, schedule = rated.log, rated.schedule
    results = seat_results(rated)
    places = schedule.play[schedule.play_of_seat].tolist()
    found = zip(results.pairs.tolist(), results.actual.tolist(), strict=True)
    of_seat = dict(zip(zip(places, schedule.seat.tolist(), strict=True), found, strict=True))
    in_play = set(schedule.play.tolist())
    rows = []
    for place, (play, outcome, length) in enumerate(
        zip(log.plays, rated.outcomes, play_durations(log), strict=True)
    ):
        together = is_cooperative(play, log.games.get(play.game))
        credit = _table_wins(play) if together else win_credit(play, outcome)
        fair = 1.0 / sides(play, outcome)
        minutes = 0.0 if math.isnan(length.minutes) else length.minutes
        for number, seat in enumerate(play.seats):
            if is_player(log, seat.person):
                fixed = (seat.person, place, play.game, play.at, minutes, place in in_play, together)
                rows.append(Appearance(*fixed, credit[number], fair, *of_seat.get((place, number), (0, 0.0))))
    return rows


def tally(rows: Sequence[Appearance], plays: Sequence[Play]) -> Tally:
    """Add up the appearances of one person, or of one person in one game.

    Parameters
    ----------
    rows : sequence of Appearance
        At least one; a person who sits twice in a play (such a play is not rated) has played it once.
    plays : sequence of Play
        All of the log.
    """
    once = list({row.play: row for row in rows}.values())
    contests = [row for row in rows if row.rated and not row.cooperative]
    together = [
        row
        for row in once
        if row.cooperative and not plays[row.play].ignored and len(plays[row.play].seats) > 1
    ]
    return Tally(
        plays_logged=len(once),
        plays_rated=sum(row.rated for row in once),
        minutes=math.fsum(row.minutes for row in once),
        contests=len(contests),
        wins=sum(row.won for row in contests),
        fair=math.fsum(row.fair for row in contests),
        pairs=sum(row.pairs for row in rows),
        points=math.fsum(row.points for row in rows),
        cooperative_plays=len(together),
        cooperative_wins=sum(row.won for row in together),
        first=min(row.at for row in rows),
        last=max(row.at for row in rows),
    )


def by_person(rows: Iterable[Appearance]) -> dict[str, list[Appearance]]:
    """Appearances of each person, by key, in their order."""
    found: dict[str, list[Appearance]] = defaultdict(list)
    for row in rows:
        found[row.person].append(row)
    return dict(found)


def _table_wins(play: Play) -> tuple[bool, ...]:
    """Who has won against the game: by flags, or where there are none by a first rank."""
    if any(seat.winner for seat in play.seats):
        return tuple(seat.winner for seat in play.seats)
    return tuple(seat.rank == 1 for seat in play.seats)


def sides(play: Play, outcome: Order | Rejection) -> int:
    """How many could have won a play, at least 1: seats, or teams where the order is one of teams."""
    if isinstance(outcome, Rejection):
        return max(len(play.seats), 1)
    teams = Counter(outcome.teams)
    return teams.pop(-1, 0) + len(teams)
