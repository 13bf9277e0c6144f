"""Decisions of our own JSON in its form for other programs and for people: one object each."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ludometrics.backgammon.building import RecordError
from ludometrics.backgammon.option_cells import read_board, read_play
from ludometrics.backgammon.record_checks import LIMITS, check_decisions, decisions_of, refuse, whole_column
from ludometrics.backgammon.record_csv import ACTIONS, KINDS, OPINIONS
from ludometrics.backgammon.records import SLOTS, UNKNOWN, Decisions, Kind, Match, Options, no_decisions

_FIELDS = (
    "game",
    "move",
    "seat",
    "kind",
    "away",
    "crawford",
    "post_crawford",
    "cube",
    "cube_owner",
    "board",
    "dice",
    "legal_plays",
    "played",
    "equities",
    "luck",
    "duration_ms",
    "depth",
    "opinion",
    "line",
    "options",
)
_NEEDED = ("game", "seat", "kind", "board")
_WHOLE = ("game", "move", "seat", "cube", "cube_owner", "legal_plays", "duration_ms", "depth", "line")
_OPTION_FIELDS = ("play", "equity", "shares", "depth")


def only(place: str, told: dict[str, Any], allowed: Sequence[str]) -> None:
    """Raise RecordError for a field that there is not."""
    for field in told:
        if field not in allowed:
            raise RecordError(f"{place}: field {field!r}, allowed are {', '.join(allowed)}")


def is_whole(value: Any) -> bool:
    """Whether a value of JSON is a whole number (true and false are none)."""
    return isinstance(value, int) and not isinstance(value, bool)


def read_rows(told: Sequence[dict[str, Any]], matches: Sequence[Match], name: str) -> Decisions:
    """The decisions that stand in the objects of their matches.

    Raises
    ------
    RecordError
        Naming the file, the decision, the field, the value and what is allowed.
    """
    rows, places = [], []
    for number, match in enumerate(told):
        decisions = match.get("decisions", [])
        if not isinstance(decisions, list):
            refuse(f"{name}, match {number + 1}", "decisions", decisions, "lists of objects")
        for row, decision in enumerate(decisions, 1):
            place = f"{name}, match {number + 1}, decision {row}"
            if not isinstance(decision, dict):
                raise RecordError(f"{place}: not an object")
            places.append(place)
            rows.append({"match": number} | _read_row(decision, place))
    if not rows:
        return no_decisions()

    def where(row: int) -> str:
        return places[row]

    columns = {field: np.array([row[field] for row in rows]) for field in rows[0] if field != "options"}
    for field in (*_WHOLE, "away", "away_opponent", "crawford", "post_crawford"):
        columns[field] = whole_column(columns[field].astype(np.float64), field, where)
    columns["away"] = np.stack([columns.pop("away"), columns.pop("away_opponent")], axis=1)
    options = [option for row in rows for option in row["options"]]
    depth = np.array([option["depth"] for option in options], np.float64)
    parts = Options(
        board=np.array([option["board"] for option in options], np.int8).reshape(-1, SLOTS),
        equity=np.array([option["equity"] for option in options], np.float64),
        shares=np.array([option["shares"] for option in options], np.float32).reshape(-1, 5),
        depth=depth.astype(np.int16),
    )
    decisions = decisions_of(columns, np.array([len(row["options"]) for row in rows]), parts)
    check_decisions(matches, decisions, where)
    return decisions


def _read_row(told: dict[str, Any], place: str) -> dict[str, Any]:
    only(place, told, _FIELDS)
    for field in _NEEDED:
        if field not in told:
            raise RecordError(f"{place}: no {field!r}, needed are {', '.join(_NEEDED)}")
    row: dict[str, Any] = {field: _whole(told, field, place) for field in _WHOLE}
    kind = KINDS.get(told["kind"]) if isinstance(told["kind"], str) else None
    if kind is None:
        refuse(place, "kind", told["kind"], ", ".join(KINDS))
    row["kind"] = kind
    row["away"], row["away_opponent"] = _list(told, "away", 2, place) or (0, 0)
    for field in ("crawford", "post_crawford"):
        if not isinstance(told.get(field, False), bool):
            refuse(place, field, told[field], "true and false")
        row[field] = told.get(field, False)
    if not isinstance(told["board"], str):
        refuse(place, "board", told["board"], "texts")
    dice = _list(told, "dice", 2, place) or (0, 0)
    if not all(is_whole(die) and 0 <= die <= 6 for die in dice):
        refuse(place, "dice", list(dice), "two from 1 to 6")
    row["dice"] = (max(dice), min(dice))
    try:
        row["board"] = read_board(told["board"])
    except ValueError as error:
        raise RecordError(f"{place}: {error}") from None
    row["equities"] = [
        np.nan if value is None else value for value in _list(told, "equities", 3, place) or [None] * 3
    ]
    row["luck"] = _number(told, "luck", place)
    opinion = told.get("opinion")
    if opinion is not None and (not isinstance(opinion, str) or opinion not in OPINIONS):
        refuse(place, "opinion", opinion, ", ".join(OPINIONS))
    row["opinion"] = UNKNOWN if opinion is None else OPINIONS[opinion]
    row["options"] = _options(told, row, place)
    row["played"] = _played(told.get("played"), row, place)
    return row


def _whole(told: dict[str, Any], field: str, place: str) -> float:
    value = told.get(field)
    if value is None:
        return np.nan
    if not is_whole(value) or abs(value) >= 2**53:
        refuse(place, field, value, f"whole numbers from {LIMITS[field][0]} to {LIMITS[field][1]}")
    return value


def _number(told: dict[str, Any], field: str, place: str) -> float:
    value = told.get(field)
    if value is None:
        return np.nan
    if isinstance(value, bool) or not isinstance(value, int | float) or abs(value) > 1e300:
        refuse(place, field, value, "numbers")
    return float(value)


def _list(told: dict[str, Any], field: str, length: int, place: str) -> list | None:
    value = told.get(field)
    if value is None:
        return None
    if not isinstance(value, list) or len(value) != length:
        refuse(place, field, value, f"lists of {length} numbers")
    for number, item in enumerate(value):
        _number({field: item}, field, f"{place}, number {number + 1}")
        if item is None and field != "equities":
            refuse(place, field, value, f"lists of {length} numbers")
    return value


def _options(told: dict[str, Any], row: dict[str, Any], place: str) -> list[dict[str, Any]]:
    value = told.get("options", [])
    if not isinstance(value, list) or not all(isinstance(option, dict) for option in value):
        refuse(place, "options", value, "lists of objects")
    if value and row["kind"] != Kind.CHECKER:
        refuse(place, "options", len(value), "none in a cube decision")
    if value and 0 in row["dice"]:
        refuse(place, "dice", list(row["dice"]), "two from 1 to 6")
    options = []
    for number, option in enumerate(value):
        at = f"{place}, options, number {number}"
        only(at, option, _OPTION_FIELDS)
        if not isinstance(option.get("play"), str):
            refuse(at, "play", option.get("play"), "texts")
        try:
            board = read_play(option["play"].strip(), row["board"], row["dice"])
        except ValueError as error:
            raise RecordError(f"{at}: {error}") from None
        shares = _list(option, "shares", 5, at) or [np.nan] * 5
        depth = _whole(option, "depth", at)
        depth = whole_column(np.array([depth], np.float64), "depth", lambda _, at=at: at)[0]
        options.append(
            {"board": board, "equity": _number(option, "equity", at), "shares": shares, "depth": depth}
        )
    return options


def _played(told: Any, row: dict[str, Any], place: str) -> int:
    if told is None:
        return UNKNOWN
    if row["kind"] != Kind.CHECKER:
        actions = ACTIONS[row["kind"]]
        if not isinstance(told, str) or told not in actions:
            refuse(place, "played", told, ", ".join(actions))
        return actions[told]
    if isinstance(told, str):
        try:
            after = read_play(told.strip(), row["board"], row["dice"])
        except ValueError as error:
            raise RecordError(f"{place}: played: {error}") from None
        found = [number for number, option in enumerate(row["options"]) if (option["board"] == after).all()]
        if not found:
            refuse(
                place,
                "played",
                told,
                f"the {len(row['options'])} plays of its options, or their numbers from 0",
            )
        return found[0]
    if not is_whole(told) or not 0 <= told < len(row["options"]):
        refuse(
            place, "played", told, f"the {len(row['options'])} plays of its options, or their numbers from 0"
        )
    return told
