"""A play log as an export of BG Stats: what an importer meets in a real file, with nobody's data in it.

Every key that present versions of the app write is there, with its type; numbers of rows are drawn anew each time and
rows stand in no order, as real files have them.
"""

import json
import os
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any
from uuid import UUID

import numpy as np

from ludometrics.boardgames.records import Game, Person, Play, PlayLog, Seat
from ludometrics.provenance import write_bytes

#: Tables in the order in which the app writes them.
TABLES = ("tags", "groups", "players", "locations", "games", "plays", "challenges", "deletedObjects")

#: What some plays' scoring has on top, for an unknown reason; readers mask it.
_MARK = 8
_MARKED_SHARE = 0.1
_NULL_SHARE = 0.8  # of seats without a score; the others have an empty text
_DATE = "%Y-%m-%d %H:%M:%S"
_APP = {"appVersion": "v6.14.2 (6140201)", "systemVersion": "Android 16 (36)", "device": "simulated"}


def write_export(
    log: PlayLog,
    path: str | os.PathLike[str],
    *,
    deleted: Iterable[str] = (),
    rng: np.random.Generator,
) -> Path:
    """Write a log as an export that BG Stats might have written.

    Parameters
    ----------
    log : PlayLog
        Its keys are in small letters, as readers of exports give them. `read_export` gives the same log again, but
        for its source, warnings and rows left out.
    path : path
        The JSON file: written whole or not at all.
    deleted : iterable of str
        Keys of plays that were deleted since.
    rng : numpy.random.Generator
        For numbers and order of rows, and what a log does not tell (who began).

    Returns
    -------
    Path

    Raises
    ------
    ValueError
        A key that is not in small letters.

    Source
    ------
    Own.
    """
    return write_bytes(path, compose_export(log, deleted=deleted, rng=rng))


def compose_export(log: PlayLog, *, deleted: Iterable[str] = (), rng: np.random.Generator) -> bytes:
    """The bytes that `write_export` writes: a line a row, the keys of the tables in the app's order.

    Examples
    --------
    >>> from ludometrics.simulation.boardgame_groups import simulate_group
    >>> from ludometrics.simulation.boardgame_worlds import GroupWorld
    >>> log = simulate_group(GroupWorld(plays=3, games=2), rng=np.random.default_rng(1)).log
    >>> export = json.loads(compose_export(log, rng=np.random.default_rng(1)))
    >>> sorted(export) == sorted([*TABLES, "userInfo"]), len(export["plays"])
    (True, 3)
    """
    _check_keys(log)
    places = sorted({play.location for play in log.plays} - {""})
    numbers = {
        "games": _numbers(log.games, rng=rng),
        "players": _numbers(log.people, rng=rng),
        "locations": _numbers(places, rng=rng),
    }
    moment = max((play.entered for play in log.plays), default=datetime(2024, 1, 1)) + timedelta(days=1)
    written = moment.replace(microsecond=0).strftime(_DATE)
    tables: dict[str, list[Any]] = {name: [] for name in TABLES}
    tables["games"] = [_game(item, numbers["games"][key], written) for key, item in log.games.items()]
    tables["players"] = [_person(item, numbers["players"][key], written) for key, item in log.people.items()]
    tables["locations"] = [_location(name, numbers["locations"][name], written, rng=rng) for name in places]
    tables["plays"] = [_play(play, numbers, rng=rng) for play in log.plays]
    tables["deletedObjects"] = [_deletion(key, written) for key in deleted]
    for rows in tables.values():
        rng.shuffle(rows)
    user = {"meRefId": numbers["players"].get(log.owner, 0), "exportDate": written, **_APP}
    lines = [f"{json.dumps(name)}: {_rows(rows)}" for name, rows in tables.items()]
    text = ",\n".join([*lines, f'"userInfo": {_row(user)}'])
    return f"{{\n{text}\n}}\n".encode()


def is_simulated(path: str | os.PathLike[str]) -> bool:
    """Whether a file is an export that was made here; one that cannot be read is not.

    Examples
    --------
    >>> is_simulated("no/such/file.json")
    False
    """
    try:
        content = json.loads(Path(path).read_text(encoding="utf-8-sig"))
        return content["userInfo"]["device"] == _APP["device"]
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        return False


def _check_keys(log: PlayLog) -> None:
    keys = [*log.games, *log.people, *(play.key for play in log.plays)]
    for key in keys:
        if not key or key != key.casefold() or key != key.strip():
            raise ValueError(f"{key!r} is no key of an export: it must be a text in small letters")


def _numbers(keys: Iterable[str], *, rng: np.random.Generator) -> dict[str, int]:
    """Numbers of rows: drawn, since they mean nothing beyond one file."""
    keys = list(keys)
    return dict(zip(keys, (1 + rng.permutation(len(keys))).tolist(), strict=True))


def _row(content: Mapping[str, Any]) -> str:
    return json.dumps(content, ensure_ascii=False, separators=(",", ":"), allow_nan=False)


def _rows(rows: Sequence[Mapping[str, Any]]) -> str:
    return "[\n" + ",\n".join(map(_row, rows)) + "\n]" if rows else "[]"


def _game(game: Game, number: int, written: str) -> dict[str, Any]:
    return {
        "uuid": game.key.upper(),
        "id": number,
        "name": game.name,
        "modificationDate": written,
        "cooperative": game.cooperative,
        "highestWins": game.highest_wins,
        "noPoints": game.no_points,
        "usesTeams": game.uses_teams,
        "urlThumb": "",
        "urlImage": "",
        "bggName": game.name if game.bgg_id else "",
        "bggYear": 0,
        "bggId": game.bgg_id,
        "designers": "",
        "metaData": _row({"CollectionHistory": {}}),
        "isBaseGame": int(not game.is_expansion),
        "isExpansion": int(game.is_expansion),
        "rating": 0,
        "minPlayerCount": 1,
        "maxPlayerCount": 6,
        "minPlayTime": game.min_minutes,
        "maxPlayTime": game.max_minutes,
        "minAge": 10,
        "preferredImage": 0,
        "previouslyPlayedAmount": game.played_before,
        "copies": [],
        "tags": [],
    }


def _person(person: Person, number: int, written: str) -> dict[str, Any]:
    return {
        "uuid": person.key.upper(),
        "id": number,
        "name": person.name,
        "isAnonymous": person.is_guest and not person.is_automaton,
        "modificationDate": written,
        "bggUsername": "",
        "metaData": _row({"isNpc": int(person.is_automaton)}),
        "tags": [],
    }


def _location(name: str, number: int, written: str, *, rng: np.random.Generator) -> dict[str, Any]:
    key = str(UUID(bytes=rng.bytes(16), version=4)).upper()
    return {
        "uuid": key,
        "id": number,
        "name": name,
        "modificationDate": written,
        "metaData": "",
        "tags": [],
    }


def _deletion(key: str, written: str) -> dict[str, Any]:
    return {
        "uuid": key.upper(),
        "modificationDate": written,
        "objectType": "Play",
        "externalId": 0,
        "lastCloudSync": "1970-01-01 01:00:00",
    }


def _play(
    play: Play, numbers: Mapping[str, Mapping[str, int]], *, rng: np.random.Generator
) -> dict[str, Any]:
    typed = play.entered.strftime(_DATE)
    begins = int(rng.integers(len(play.seats))) if play.seats else -1
    marked = play.scoring > 0 and rng.random() < _MARKED_SHARE
    # What an unknown game or person is numbered: beyond all that are there.
    games, players = numbers["games"], numbers["players"]
    row = {
        "uuid": play.key.upper(),
        "modificationDate": typed,
        "entryDate": typed,
        "playDate": play.at.strftime(_DATE),
        "playDateYmd": int(play.at.strftime("%Y%m%d")),
        "usesTeams": play.uses_teams,
        "durationMin": play.minutes,
        "ignored": play.ignored,
        "manualWinner": not any(seat.score for seat in play.seats),
        "rounds": 0,
        "bggId": 0,
        "bggLastSync": "",
        "importPlayId": 0,
        "locationRefId": numbers["locations"].get(play.location, 0),
        "gameRefId": games.get(play.game, len(games) + 1),
        "board": play.board,
        "comments": "",
        "rating": 0,
        "nemestatsId": 0,
        "scoringSetting": play.scoring + _MARK * marked,
        "playImages": "[]",
        "scoresheet": "",
        "metaData": _row({"playUsedGameCopy": 0}),
        "playerScores": [
            _seat(seat, players.get(seat.person, len(players) + 1 + place), place == begins, rng=rng)
            for place, seat in enumerate(play.seats)
        ],
        "expansionPlays": [],
    }
    if not play.location:
        del row["locationRefId"]
    return row


def _seat(seat: Seat, number: int, begins: bool, *, rng: np.random.Generator) -> dict[str, Any]:
    nothing = None if rng.random() < _NULL_SHARE else ""
    return {
        "playerRefId": number,
        "score": seat.score or nothing,
        "rank": seat.rank,
        "winner": seat.winner,
        "newPlayer": seat.new_player,
        "startPlayer": begins,
        "seatOrder": 0,
        "startPosition": "",
        "role": "",
        "teamRole": "",
        "team": seat.team,
        "anonymousName": "",
        "metaData": "",
    }
