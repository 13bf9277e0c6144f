"""The tables of a payload, row by row: what `stats` and its neighbours found, under the payload's names."""

import math
from collections import defaultdict
from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Any

import numpy as np

from ludometrics.boardgames.engine import RatedLog
from ludometrics.boardgames.finishing import Order, Rejection
from ludometrics.boardgames.game_profiles import GameProfile
from ludometrics.boardgames.group_records import GroupRecord
from ludometrics.boardgames.head_to_head import Meeting
from ludometrics.boardgames.payload_labels import Labels
from ludometrics.boardgames.records import MOST_SEATS
from ludometrics.boardgames.sessions import Session
from ludometrics.boardgames.standings import REGULAR_PLAYS, Standing
from ludometrics.boardgames.stats import (
    Appearance,
    Series,
    by_person,
    is_cooperative,
    play_durations,
    resolved_pairs,
    seat_results,
    share_bounds,
    sides,
    tally,
)


def player_rows(
    rated: RatedLog, labels: Labels, table: Sequence[Standing], seats: Iterable[Appearance]
) -> list[dict[str, Any]]:
    """One row a known person, in the order of the table."""
    sat = by_person(seats)
    return [_player(rated, labels, row, sat[row.person]) for row in table]


def game_rows(rated: RatedLog, labels: Labels, profiles: Iterable[GameProfile]) -> list[dict[str, Any]]:
    """One row a game with a logged play, the most played first."""
    rows = []
    for profile in profiles:
        weight = rated.weights[profile.game]
        best = [
            {
                "player": labels.player(row.person),
                "plays": row.plays,
                "pair_score": row.pair_score,
                "low": row.low,
                "high": row.high,
            }
            for row in profile.best
        ]
        rows.append(
            {
                "id": labels.game[profile.game],
                "name": labels.game_name(profile.game),
                "bgg_id": rated.log.games[profile.game].bgg_id,
                "plays_logged": profile.plays_logged,
                "plays_rated": profile.plays_rated,
                "hours": profile.hours,
                "weight": float(weight.weight),
                "complexity": known(weight.complexity),
                "skill": known(weight.skill),
                "weight_source": weight.source,
                "minutes": profile.minutes,
                "tables": {str(size): n for size, n in profile.tables.items()},
                "sources": profile.sources,
                "spread": profile.spread,
                "best": best,
            }
        )
    return rows


def series_row(rated: RatedLog, labels: Labels, person: str, line: Series | None) -> dict[str, Any]:
    """The line of one player; of somebody without a rated play, the start alone."""
    if line is None:
        first = next(play.at for play in rated.log.plays if person in (seat.person for seat in play.seats))
        line = Series([0.0], [first], [-1], [rated.settings.start], [rated.settings.deviation])
    return {
        "hours": line.hours,
        "date": [moment(at) for at in line.at],
        "play": ["start" if place < 0 else labels.play(place) for place in line.play],
        "rating": line.rating,
        "deviation": line.deviation,
    }


def event_rows(rated: RatedLog, labels: Labels) -> list[dict[str, Any]]:
    """One row a rated play; its seats by rank, then by player, guests last."""
    schedule, ratings = rated.schedule, rated.ratings
    kept = resolved_pairs(rated)
    play_of_pair = ratings.pair_play[kept]
    pairs = np.bincount(play_of_pair, minlength=len(schedule.play))
    margins = np.bincount(play_of_pair, ratings.margin[kept], len(schedule.play))
    lengths, seats = play_durations(rated.log), _event_seats(rated, labels)
    starts = schedule.starts.tolist()
    rows = []
    for number, place in enumerate(schedule.play.tolist()):
        order = rated.outcomes[place]
        rows.append(
            {
                "play": labels.play(place),
                "weight": float(schedule.weight[number]),
                "confidence": float(schedule.confidence[number]),
                "duration": float(schedule.duration[number]),
                "margin": float(margins[number] / pairs[number]) if pairs[number] else None,
                "minutes": known(lengths[place].minutes),
                "minutes_source": lengths[place].source,
                "source": order.source,
                "flags": list(order.flags),
                "seats": sorted(seats[starts[number] : starts[number + 1]], key=_seat_order),
            }
        )
    return rows


def session_rows(
    rated: RatedLog, labels: Labels, sessions: Sequence[Session], events: Iterable[dict[str, Any]]
) -> list[dict[str, Any]]:
    """One row a session, with what it did to each player's rating."""
    moves = {event["play"]: event["seats"] for event in events}
    lengths = play_durations(rated.log)
    rows = []
    for number, session in enumerate(sessions, start=1):
        changes: dict[str, list[float]] = defaultdict(list)
        people = set()
        minutes = []
        for place in session.plays:
            people.update(seat.person for seat in rated.log.plays[place].seats)
            minutes.append(known(lengths[place].minutes) or 0.0)
            for seat in moves.get(labels.play(place), ()):
                if seat["player"] is not None:
                    changes[seat["player"]].append(seat["change"])
        rows.append(
            {
                "id": f"s{number}",
                "day": session.day.isoformat(),
                "location": labels.text(session.location),
                "plays": [labels.play(place) for place in session.plays],
                "players": [labels.player(key) for key in labels.players if key in people],
                "hours": math.fsum(minutes) / 60.0,
                "changes": {player: math.fsum(values) for player, values in changes.items()},
            }
        )
    return rows


def meeting_rows(labels: Labels, meetings: Iterable[Meeting]) -> list[dict[str, Any]]:
    """One row for each two known players who met."""
    return [
        {
            "a": labels.player(row.first),
            "b": labels.player(row.second),
            **{name: getattr(row, name) for name in ("plays", "wins", "losses", "ties", "unresolved")},
            "n": row.plays - row.unresolved,
            **{name: getattr(row, name) for name in ("expected", "score", "low", "high")},
        }
        for row in meetings
    ]


def record_rows(labels: Labels, records: Iterable[GroupRecord]) -> list[dict[str, Any]]:
    """One row a record."""
    return [
        {
            "record": row.record,
            "player": labels.player(row.person),
            "value": row.value,
            "unit": row.unit,
            "play": None if row.play is None else labels.play(row.play),
            "other": None if row.other is None else labels.player(row.other),
            "note": row.note,
        }
        for row in records
    ]


def play_rows(rated: RatedLog, labels: Labels) -> list[dict[str, Any]]:
    """One row a logged play, in order; seats as logged, or where texts are withheld by rank, then by player."""
    lengths = play_durations(rated.log)
    rows = []
    for place, (play, outcome) in enumerate(zip(rated.log.plays, rated.outcomes, strict=True)):
        rejected = isinstance(outcome, Rejection)
        ranks = [seat.rank for seat in play.seats] if rejected else outcome.ranks
        seats = [
            {
                "player": labels.player(seat.person),
                "rank": int(rank) if rank > 0 else None,
                "score": labels.score(seat.score),
                "winner": seat.winner,
            }
            for seat, rank in zip(play.seats, ranks, strict=True)
        ]
        rows.append(
            {
                "id": labels.play(place),
                "date": moment(play.at),
                "game": labels.game.get(play.game),
                "location": labels.text(play.location),
                "board": labels.text(play.board),
                "cooperative": is_cooperative(play, rated.log.games.get(play.game)),
                "sides": sides(play, outcome),
                "rated": not rejected,
                "reason": outcome.reason if rejected else None,
                "detail": labels.text(outcome.detail) if rejected else None,
                "minutes": known(lengths[place].minutes),
                "minutes_source": lengths[place].source,
                "flags": list(outcome.flags) if isinstance(outcome, Order) else [],
                "seats": seats if labels.open else sorted(seats, key=_seat_order),
            }
        )
    return rows


def known(value: float) -> float | None:
    """A number, or None for NaN."""
    return None if math.isnan(value) else float(value)


def moment(at: datetime) -> str:
    """A moment to the minute, as a payload writes it."""
    return at.isoformat(sep=" ", timespec="minutes")


def _player(rated: RatedLog, labels: Labels, row: Standing, own: Sequence[Appearance]) -> dict[str, Any]:
    total = tally(own, rated.log.plays)
    contests, pairs = total.contests, total.pairs
    score = total.points / pairs if pairs else None
    win_low, win_high = share_bounds(total.wins, contests) if contests else (None, None)
    low, high = (None, None)
    if score is not None:
        low, high = share_bounds(score * total.plays_rated, total.plays_rated)
    return {
        "id": labels.player(row.person),
        "name": labels.name[row.person],
        "rank": row.rank,
        "provisional": row.provisional,
        "regular": total.plays_rated >= REGULAR_PLAYS,
        "rating": row.rating,
        "deviation": row.deviation,
        "low": row.low,
        "high": row.high,
        "plays_logged": total.plays_logged,
        "plays_rated": total.plays_rated,
        "hours": total.minutes / 60.0,
        "contests": contests,
        "wins": total.wins,
        "win_share": total.wins / contests if contests else None,
        "win_share_low": win_low,
        "win_share_high": win_high,
        "win_share_fair": total.fair / contests if contests else None,
        "pairs": pairs,
        "pair_score": score,
        "pair_score_low": low,
        "pair_score_high": high,
        "cooperative_plays": total.cooperative_plays,
        "cooperative_wins": total.cooperative_wins,
        "first_played": total.first.date().isoformat(),
        "last_played": total.last.date().isoformat(),
        "games": _games_of(rated, labels, own),
    }


def _games_of(rated: RatedLog, labels: Labels, own: Sequence[Appearance]) -> list[dict[str, Any]]:
    """What somebody plays, in the order of the games."""
    sat: dict[str, list[Appearance]] = defaultdict(list)
    for row in own:
        sat[row.game].append(row)
    rows = []
    for key in labels.games:
        if key in sat:
            total = tally(sat[key], rated.log.plays)
            rows.append(
                {
                    "game": labels.game[key],
                    "plays": total.plays_rated,
                    "plays_logged": total.plays_logged,
                    "pair_score": total.points / total.pairs if total.pairs else None,
                    "wins": total.wins,
                }
            )
    return rows


def _event_seats(rated: RatedLog, labels: Labels) -> list[dict[str, Any]]:
    """What each rated seat brought, and what the play did to it."""
    schedule, ratings = rated.schedule, rated.ratings
    results = seat_results(rated)
    shown = schedule.score * schedule.direction[schedule.play_of_seat]
    columns = {
        "rank": schedule.rank,
        "before": ratings.before,
        "deviation_before": ratings.deviation_before,
        "change": ratings.after - ratings.before,
        "after": ratings.after,
        "deviation": ratings.deviation_after,
    }
    plain = zip(*(column.tolist() for column in columns.values()), strict=True)
    rows = [dict(zip(columns, values, strict=True)) for values in plain]
    people = [None if person < 0 else schedule.people[person] for person in schedule.person.tolist()]
    sums = zip(results.pairs.tolist(), results.expected.tolist(), results.actual.tolist(), strict=True)
    for row, person, score, (pairs, expected, actual) in zip(rows, people, shown.tolist(), sums, strict=True):
        row["player"] = None if person is None else labels.player(person)
        row["score"] = known(score)
        row["expected"] = min(expected / pairs, 1.0) if pairs else None
        row["actual"] = actual / pairs if pairs else None
    return rows


def _seat_order(seat: dict[str, Any]) -> tuple[int, int, str]:
    player = seat["player"]
    return seat["rank"] or MOST_SEATS + 1, int(player[1:]) if player else 10**9, str(seat["score"])
