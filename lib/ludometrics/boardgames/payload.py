"""All that a group's page shows, as one JSON document: built from a rated log, checked, and written.

Numbers stay unrounded until the document is written, so that what must add up is checked to the last bit that counts.
"""

import json
import math
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import asdict, is_dataclass
from datetime import date
from pathlib import Path
from typing import Any

import numpy as np

from ludometrics.boardgames import payload_rows as rows
from ludometrics.boardgames.engine import RatedLog
from ludometrics.boardgames.finishing import REASONS, Rejection
from ludometrics.boardgames.game_profiles import game_profiles
from ludometrics.boardgames.group_records import find_records
from ludometrics.boardgames.head_to_head import head_to_head
from ludometrics.boardgames.naming import Names, check_names, clean_text
from ludometrics.boardgames.payload_check import DIGITS, SCHEMA, PayloadError, check_payload
from ludometrics.boardgames.payload_labels import Labels
from ludometrics.boardgames.records import PlayLog
from ludometrics.boardgames.sessions import find_sessions
from ludometrics.boardgames.standings import REGULAR_PLAYS, standings
from ludometrics.boardgames.stats import (
    appearances,
    play_durations,
    playing_clock,
    rating_series,
    resolved_pairs,
)
from ludometrics.provenance import write_bytes

__all__ = [
    "PayloadError",
    "build_payload",
    "check_payload",
    "encode_payload",
    "round_payload",
    "write_payload",
]


def build_payload(
    rated: RatedLog,
    *,
    names: Names = "real",
    as_of: date | None = None,
    since: date | None = None,
    title: str = "Board-game night",
    judgement: Iterable[Any] | None = None,
    checks: Iterable[Any] | None = None,
    preset: str = "tuned",
) -> dict[str, Any]:
    """Build the payload of a group.

    Parameters
    ----------
    rated : RatedLog
        Cut to the days wanted before it was rated: `rate_log(log.between(since, as_of), ...)`.
    names : {"real", "initials", "pseudonyms"}
        Unless real, whatever else may name somebody is withheld: places, boards, details, warnings, the file's name.
        The title stays as it is given.
    as_of : date, optional
        Day as of which deviations are shown; None: that of the last logged play. Asking changes nothing.
    since : date, optional
        First day of the season; kept for show.
    title : str
    judgement, checks : iterables, optional
        Rows of the two tables: mappings, named tuples or dataclasses, or a DataFrame. A number that is not finite
        becomes null.
    preset : str
        Name of the settings, for show.

    Returns
    -------
    dict
        As `payload_schema.json` says, unrounded.

    Raises
    ------
    ValueError
        A log with plays outside since to as_of, or another way of naming.

    Source
    ------
    Own; what it holds follows the author of bgelo.
    """
    check_names(names)
    _check_cut(rated.log, since, as_of)
    table = standings(rated, as_of)
    players = tuple(row.person for row in table)
    seats = appearances(rated)
    profiles = game_profiles(rated, seats, players)
    labels = Labels(rated.log, names, players, tuple(row.game for row in profiles))
    sessions = find_sessions(rated.log.plays)
    lines = rating_series(rated)
    events = rows.event_rows(rated, labels)
    return {
        "schema": SCHEMA,
        "group": _group(rated, labels, as_of, since, title, preset),
        "players": rows.player_rows(rated, labels, table, seats),
        "games": rows.game_rows(rated, labels, profiles),
        "series": {
            labels.player(key): rows.series_row(rated, labels, key, lines.get(key)) for key in players
        },
        "events": events,
        "sessions": rows.session_rows(rated, labels, sessions, events),
        "head_to_head": rows.meeting_rows(labels, head_to_head(rated, players)),
        "records": rows.record_rows(labels, find_records(rated, seats, sessions, players)),
        "play_log": rows.play_rows(rated, labels),
        "rejections": _rejections(rated),
        "left_out": labels.left_out(),
        "warnings": labels.warnings(_own_warnings(rated)),
        "judgement": _plain_rows(judgement),
        "checks": _plain_rows(checks),
    }


def write_payload(payload: dict[str, Any], path: str | Path) -> Path:
    """Check a payload and write it: whole or not at all, keys sorted, numbers rounded to three decimals.

    Parameters
    ----------
    payload : dict
        Of `build_payload`, unrounded.
    path : str or Path
        Its folder is made if need be.

    Returns
    -------
    Path

    Raises
    ------
    PayloadError
        A payload that is wrong, naming the place; nothing is written then.
    """
    check_payload(payload)
    return write_bytes(path, encode_payload(payload))


def encode_payload(payload: dict[str, Any]) -> bytes:
    """The bytes of a payload: UTF-8 JSON, keys sorted, numbers rounded to three decimals, a newline at the end.

    Examples
    --------
    >>> encode_payload({"b": 0.12345, "a": [-0.0001, None, 2]})
    b'{"a":[0.0,null,2],"b":0.123}\\n'
    """
    text = json.dumps(
        round_payload(payload), ensure_ascii=False, allow_nan=False, sort_keys=True, separators=(",", ":")
    )
    return text.encode("utf-8") + b"\n"


def round_payload(value: Any) -> Any:
    """A payload, or a part of it, with every float rounded to three decimals; zero has no sign.

    Examples
    --------
    >>> round_payload({"rating": 1012.34567, "change": -0.0002, "plays": 3})
    {'rating': 1012.346, 'change': 0.0, 'plays': 3}
    """
    if isinstance(value, float):
        return round(value, DIGITS) + 0.0
    if isinstance(value, dict):
        return {key: round_payload(item) for key, item in value.items()}
    return [round_payload(item) for item in value] if isinstance(value, list | tuple) else value


def _check_cut(log: PlayLog, since: date | None, as_of: date | None) -> None:
    days = [play.at.date() for play in log.plays]
    outside = [day for day in days if (since and day < since) or (as_of and day > as_of)]
    if since and as_of and since > as_of:
        raise ValueError(f"since is {since} and as_of {as_of}: the first must not be later")
    if outside:
        raise ValueError(
            f"the log holds {len(outside)} plays outside {since or 'its beginning'} to {as_of or 'its end'}, "
            f"the first of {min(outside)}: rate log.between(since, as_of)"
        )


def _group(
    rated: RatedLog, labels: Labels, as_of: date | None, since: date | None, title: str, preset: str
) -> dict[str, Any]:
    log, schedule = rated.log, rated.schedule
    days = [play.at.date().isoformat() for play in (log.plays[:1] + log.plays[-1:])]
    last = days[-1] if days else None
    clock = playing_clock(rated)
    logged = [length.minutes for length in play_durations(log) if not math.isnan(length.minutes)]
    return {
        "title": clean_text(title),
        "source": labels.text(log.source),
        "from": days[0] if days else None,
        "to": last,
        "as_of": as_of.isoformat() if as_of else last,
        "since": since.isoformat() if since else None,
        "plays_logged": len(log.plays),
        "plays_rated": len(schedule.play),
        "plays_without_minutes": _without_minutes(rated),
        "pairs": int(resolved_pairs(rated).sum()),
        "pairs_scored": int(rated.ratings.scored.sum()),
        "hours": math.fsum(logged) / 60.0,
        "hours_rated": float(clock[-1]) if len(clock) else 0.0,
        "names": labels.names,
        "preset": preset,
        "settings": asdict(rated.settings),
        "regular_plays": REGULAR_PLAYS,
        "games_without_weight": sum(rated.weights[key].source == "none" for key in labels.games),
    }


def _rejections(rated: RatedLog) -> list[dict[str, Any]]:
    """Plays not rated, by reason, the commonest first."""
    counts = Counter(outcome.reason for outcome in rated.outcomes if isinstance(outcome, Rejection))
    ordered = sorted(counts.items(), key=lambda item: (-item[1], item[0]))
    return [{"reason": reason, "meaning": REASONS[reason], "plays": n} for reason, n in ordered]


def _without_minutes(rated: RatedLog) -> int:
    return int(np.isnan(rated.schedule.minutes).sum())


def _own_warnings(rated: RatedLog) -> list[str]:
    n = _without_minutes(rated)
    return [f"{n} rated plays of unknown length add nothing to the playing time"] if n else []


def _plain_rows(table: Iterable[Any] | None) -> list[dict[str, Any]]:
    """Rows of a table as JSON can hold them."""
    if table is None:
        return []
    if hasattr(table, "to_dict"):
        table = table.to_dict("records")
    return [{str(name): _plain(value) for name, value in _as_mapping(row).items()} for row in table]


def _as_mapping(row: Any) -> Mapping[str, Any]:
    if hasattr(row, "_asdict"):
        return row._asdict()
    return asdict(row) if is_dataclass(row) else row


def _plain(value: Any) -> Any:
    if isinstance(value, np.generic):
        value = value.item()
    return None if isinstance(value, float) and not math.isfinite(value) else value
