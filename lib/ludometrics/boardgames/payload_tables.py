"""A payload as plain tables: what a spreadsheet opens, under the names that the payload uses."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from ludometrics.boardgames.payload_check import DIGITS
from ludometrics.boardgames.spreadsheet import encode_rows

Row = dict[str, Any]

_PLAYER = (
    "rank name provisional rating deviation low high plays_logged plays_rated hours contests wins win_share "
    "win_share_fair pairs pair_score cooperative_plays cooperative_wins first_played last_played"
).split()
_REJECTED = "play date game location board reason meaning detail".split()
_PLAYS = (
    "play date game location board minutes minutes_source rated reason source flags weight confidence duration margin "
    "player rank score winner before deviation_before expected actual change after deviation"
).split()
_MEETINGS = "a b plays wins losses ties unresolved expected score low high".split()
_WEIGHTS = "game bgg_id plays_logged plays_rated weight complexity skill weight_source minutes".split()


def payload_tables(payload: Mapping[str, Any]) -> dict[str, bytes]:
    """Tables of a payload as CSV files.

    Parameters
    ----------
    payload : mapping
        Of `build_payload`.

    Returns
    -------
    dict of str to bytes
        By name, as `spreadsheet.encode_rows` encodes them: leaderboard.csv (a row a player, as they stand),
        rejected.csv (a row a play that is not rated), plays.csv (a row a seat of every logged play), head_to_head.csv,
        weights.csv (a row a game). Numbers have three decimals at most; a text that a spreadsheet would take for a
        formula has an apostrophe before it.
    """
    return {name: encode_csv(columns, make(payload)) for name, (columns, make) in TABLES.items()}


def encode_csv(columns: Iterable[str], rows: Iterable[Mapping[str, Any]]) -> bytes:
    """A table as the bytes of a CSV file; what a row lacks, and None, is empty.

    Examples
    --------
    >>> encode_csv(["a", "b"], [{"a": 0.12345, "b": True}, {"a": "=1+1"}]).decode("utf-8-sig")
    "a,b\\n0.123,yes\\n'=1+1,\\n"
    """
    columns = list(columns)
    return encode_rows(columns, ([_cell(row.get(column)) for column in columns] for row in rows))


def _cell(value: Any) -> Any:
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        return round(value, DIGITS) + 0.0
    if isinstance(value, list | tuple):
        return " ".join(map(str, value))
    return value


def _names(payload: Mapping[str, Any]) -> dict[str | None, str]:
    """Names of players and games by their identifiers."""
    return {row["id"]: row["name"] for table in ("players", "games") for row in payload[table]}


def _of_play(play: Row, names: Mapping[str | None, str]) -> Row:
    return play | {"play": play["id"], "game": names.get(play["game"])}


def _rejected(payload: Mapping[str, Any]) -> Iterable[Row]:
    names = _names(payload)
    meaning = {row["reason"]: row["meaning"] for row in payload["rejections"]}
    for play in payload["play_log"]:
        if not play["rated"]:
            yield _of_play(play, names) | {"meaning": meaning[play["reason"]]}


def _seats(payload: Mapping[str, Any]) -> Iterable[Row]:
    names = _names(payload)
    events = {event["play"]: event for event in payload["events"]}
    for play in payload["play_log"]:
        event = events.get(play["id"], {})
        moves = {seat["player"]: seat for seat in event.get("seats", ()) if seat["player"]}
        shared = _of_play(play, names) | {
            name: event.get(name) for name in ("source", "weight", "confidence", "duration", "margin")
        }
        for seat in play["seats"]:
            who = seat["player"]
            # The score as it was logged, not as it was read.
            yield shared | moves.get(who, {}) | seat | {"player": names.get(who, "(guest)")}


def _meetings(payload: Mapping[str, Any]) -> Iterable[Row]:
    names = _names(payload)
    for row in payload["head_to_head"]:
        yield row | {"a": names[row["a"]], "b": names[row["b"]]}


def _weights(payload: Mapping[str, Any]) -> Iterable[Row]:
    for row in payload["games"]:
        yield row | {"game": row["name"], "bgg_id": row["bgg_id"] or None}


#: Columns and rows of each table.
TABLES: dict[str, tuple[list[str], Callable[[Mapping[str, Any]], Iterable[Mapping[str, Any]]]]] = {
    "leaderboard.csv": (_PLAYER, lambda payload: payload["players"]),
    "rejected.csv": (_REJECTED, _rejected),
    "plays.csv": (_PLAYS, _seats),
    "head_to_head.csv": (_MEETINGS, _meetings),
    "weights.csv": (_WEIGHTS, _weights),
}
