"""Records of a group: its biggest moves and upsets, longest streak, highest rating. Guests hold none."""

import math
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from ludometrics.boardgames.engine import RatedLog
from ludometrics.boardgames.sessions import Session
from ludometrics.boardgames.standings import is_provisional
from ludometrics.boardgames.stats import Appearance, by_person, tally

#: Wins in a row that are called a streak.
LEAST_STREAK = 2
#: Records held by the smallest value.
LEAST_WINS = ("biggest loss", "biggest upset")


class GroupRecord(NamedTuple):
    """One record and who holds it.

    Attributes
    ----------
    record : str
        What it is.
    person : str
        Key of a known person.
    value : float
    unit : str
        "points", "chance", "plays", "hours" or "games".
    play : int or None
        Place in the log of the play by which it was set.
    other : str or None
        Key of the one who lost an upset.
    note : str
        What exactly is meant; names nobody.
    """

    record: str
    person: str
    value: float
    unit: str
    play: int | None = None
    other: str | None = None
    note: str = ""


def find_records(
    rated: RatedLog, rows: Sequence[Appearance], sessions: Sequence[Session], order: Sequence[str]
) -> tuple[GroupRecord, ...]:
    """Find the records of a group.

    Parameters
    ----------
    rated : RatedLog
    rows : sequence of Appearance
        Of `stats.appearances`.
    sessions : sequence of Session
        Of `sessions.find_sessions`, of all plays of the log.
    order : sequence of str
        Keys of all players.

    Returns
    -------
    tuple of GroupRecord
        Those that there are, always in one order. Of equals the first in time holds a record, then the first in the
        order of players.

    Source
    ------
    Own.
    """
    at = {key: number for number, key in enumerate(order)}
    found = []
    for candidates in (
        *_moves(rated),
        _upsets(rated),
        _streaks(rows),
        _heights(rated),
        _evenings(rated, sessions),
        *_totals(rated, rows),
    ):
        last = len(rated.log.plays)
        best = min(
            candidates,
            key=lambda row: (
                row.value if row.record.startswith(LEAST_WINS) else -row.value,
                last if row.play is None else row.play,
                at[row.person],
            ),
            default=None,
        )
        if best is not None:
            found.append(best)
    return tuple(found)


class _Move(NamedTuple):
    person: str
    play: int
    change: float
    before: float
    after: float
    deviation_before: float
    deviation_after: float


def _all_moves(rated: RatedLog) -> list[_Move]:
    """What each rated play did to each known player, in the order of the plays."""
    schedule, ratings = rated.schedule, rated.ratings
    columns = (
        schedule.person,
        schedule.play[schedule.play_of_seat],
        ratings.after - ratings.before,
        ratings.before,
        ratings.after,
        ratings.deviation_before,
        ratings.deviation_after,
    )
    rows = zip(*(column.tolist() for column in columns), strict=True)
    return [_Move(schedule.people[person], *rest) for person, *rest in rows if person >= 0]


def _established(deviation: float, rated: RatedLog) -> bool:
    return not is_provisional(deviation, rated.settings.deviation)


def _moves(rated: RatedLog) -> Iterator[list[GroupRecord]]:
    """Biggest gain, biggest loss, and the same among those who were established: newcomers move most."""
    moves = _all_moves(rated)
    sure = [move for move in moves if _established(move.deviation_before, rated)]
    for suffix, chosen in (("", moves), (", established", sure)):
        note = "in one play" + (", by a player established before it" if suffix else "")
        for name, sign in (("biggest gain", 1), ("biggest loss", -1)):
            yield [
                GroupRecord(name + suffix, move.person, move.change, "points", move.play, note=note)
                for move in chosen
                if move.change * sign > 0
            ]


def _upsets(rated: RatedLog) -> list[GroupRecord]:
    """Pairs of known players won by one who had less than an even chance."""
    schedule, ratings = rated.schedule, rated.ratings
    decisive = ratings.scored & (ratings.outcome != 0.5)
    seats = schedule.person[ratings.pair_seats[decisive]].tolist()
    places = schedule.play[ratings.pair_play[decisive]].tolist()
    rows = []
    for (first, second), place, forecast, outcome in zip(
        seats, places, ratings.forecast[decisive].tolist(), ratings.outcome[decisive].tolist(), strict=True
    ):
        winner, loser, chance = (first, second, forecast) if outcome else (second, first, 1.0 - forecast)
        if chance < 0.5:
            note = "chance of finishing before the other, as forecast before the play"
            people = schedule.people
            rows.append(
                GroupRecord("biggest upset", people[winner], chance, "chance", place, people[loser], note)
            )
    return rows


def _streaks(rows: Sequence[Appearance]) -> list[GroupRecord]:
    """Each row of wins in somebody's rated plays; cooperative plays neither count nor break it."""
    found = []
    for person, own in by_person(row for row in rows if row.rated and not row.cooperative).items():
        length = 0
        for row in own:
            length = length + 1 if row.won else 0
            if length >= LEAST_STREAK:
                note = "wins in a row in rated plays; the play is the last of them"
                found.append(
                    GroupRecord("longest winning streak", person, length, "plays", row.play, note=note)
                )
    return found


def _heights(rated: RatedLog) -> list[GroupRecord]:
    note = "after a play that left the player established"
    return [
        GroupRecord("highest rating", move.person, move.after, "points", move.play, note=note)
        for move in _all_moves(rated)
        if _established(move.deviation_after, rated)
    ]


def _evenings(rated: RatedLog, sessions: Sequence[Session]) -> list[GroupRecord]:
    """Sum of somebody's moves over a session of several rated plays; the play is the last of them."""
    session_of = {place: number for number, session in enumerate(sessions) for place in session.plays}
    sums: dict[tuple[int, str], list[_Move]] = {}
    for move in _all_moves(rated):
        sums.setdefault((session_of[move.play], move.person), []).append(move)
    rows = []
    for (number, person), moves in sums.items():
        total = math.fsum(move.change for move in moves)
        if len(moves) > 1 and total > 0:
            note = f"sum over the rated plays of {sessions[number].day.isoformat()}"
            rows.append(GroupRecord("best session", person, total, "points", moves[-1].play, note=note))
    return rows


def _totals(rated: RatedLog, rows: Sequence[Appearance]) -> Iterator[list[GroupRecord]]:
    """Most plays, hours and different games, of all logged plays."""
    people = {person: (tally(own, rated.log.plays), own) for person, own in by_person(rows).items()}
    note = "of all logged plays"
    yield [
        GroupRecord("most plays", person, total.plays_logged, "plays", note=note)
        for person, (total, _) in people.items()
    ]
    yield [
        GroupRecord("most hours", person, total.minutes / 60.0, "hours", note=note)
        for person, (total, _) in people.items()
        if total.minutes > 0
    ]
    yield [
        GroupRecord(
            "most different games", person, len({row.game for row in own if row.game}), "games", note=note
        )
        for person, (_, own) in people.items()
    ]
