"""Reads our own JSON (`record_json`), whichever of the two forms it has."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

import numpy as np

from ludometrics.backgammon.building import RecordError
from ludometrics.backgammon.number_lists import MARK, Span, number_lists, read_numbers
from ludometrics.backgammon.option_cells import read_board, read_boards
from ludometrics.backgammon.record_chain import CHAIN_FAULTS, count_plays, read_chain
from ludometrics.backgammon.record_checks import (
    Where,
    check_decisions,
    check_match,
    decisions_of,
    refuse,
    whole_column,
)
from ludometrics.backgammon.record_json import (
    EQUITY_COLUMNS,
    FORMAT,
    MATCH_FIELDS,
    OPTION_COLUMNS,
    SHARES,
    VERSION,
    WHOLE_COLUMNS,
)
from ludometrics.backgammon.record_rows import is_whole, only, read_rows
from ludometrics.backgammon.records import SLOTS, Decisions, Library, Match, Options, no_decisions

DECIMALS = ("equities", "luck", "options", "shares")
_MOST_DECIMALS = 15
_COLUMNS = (*WHOLE_COLUMNS, *EQUITY_COLUMNS, "luck", "board", "plays", *OPTION_COLUMNS, *SHARES)
_NEEDED = ("game", "seat", "kind", "board")


def read_json(content: bytes, name: str) -> Library:
    """The library of a file's content; ``name`` is what messages call it.

    Raises
    ------
    RecordError
        Naming the file, the decision, the field, the value and what is allowed.
    """
    text, spans = number_lists(content)
    document = _parsed(text, name)
    if document.get("format") != FORMAT or document.get("version") != VERSION:
        shown = f"{document.get('format')!r}, version {document.get('version')!r}"
        raise RecordError(f"{name}: format is {shown}, allowed is {FORMAT!r}, version {VERSION}")
    only(name, document, ("format", "version", "matches", "decimals", "columns", "description"))
    told = document.get("matches")
    if not isinstance(told, list) or not all(isinstance(match, dict) for match in told):
        raise RecordError(f"{name}: matches is no list of objects")
    matches = tuple(_match(match, f"{name}, match {place}") for place, match in enumerate(told, 1))
    places: dict[str, int] = {}
    for place, match in enumerate(matches, 1):
        if places.setdefault(match.key, place) != place:
            refuse(f"{name}, match {place}", "key", match.key, "keys that differ")
    if "columns" in document:
        counts = [_count(match, f"{name}, match {place}") for place, match in enumerate(told, 1)]
        return Library(matches, _Columns(document, name, counts, content, spans).decisions(matches))
    if "decimals" in document:
        raise RecordError(f"{name}: decimals without columns, allowed are both or neither")
    return Library(matches, read_rows(told, matches, name))


def _parsed(content: bytes, name: str) -> dict[str, Any]:
    def constant(text: str) -> None:
        raise ValueError(f"{text} is no number")

    try:
        document = json.loads(content.decode("utf-8-sig"), parse_constant=constant)
    except (ValueError, RecursionError) as error:
        raise RecordError(f"{name}: no JSON: {error}") from None
    if not isinstance(document, dict):
        raise RecordError(f"{name}: not an object but a {type(document).__name__}")
    return document


def _match(told: dict[str, Any], place: str) -> Match:
    only(place, told, MATCH_FIELDS)
    texts = {}
    for field in ("key", "date", "tournament", "round", "source", "engine", "met"):
        texts[field] = told.get(field, "")
        if not isinstance(texts[field], str):
            refuse(place, field, texts[field], "texts")
    players = told.get("players", ["", ""])
    if not (
        isinstance(players, list) and len(players) == 2 and all(isinstance(item, str) for item in players)
    ):
        refuse(place, "players", players, "two texts")
    if not is_whole(told.get("length")):
        refuse(place, "length", told.get("length"), "whole numbers, 0 for money")
    scores: dict[str, Any] = {"start_score": (0, 0), "final_score": None}
    for field in scores:
        if told.get(field) is not None:
            score = told[field]
            if not (isinstance(score, list) and len(score) == 2 and all(map(is_whole, score))):
                refuse(place, field, score, "two whole numbers")
            scores[field] = (score[0], score[1])
    match = Match(length=told["length"], players=(players[0], players[1]), **texts, **scores)
    check_match(match, lambda: place)
    return match


def _count(told: dict[str, Any], place: str) -> int:
    count = told.get("decisions")
    if not is_whole(count) or count < 0:
        refuse(place, "decisions", count, "how many there are in the columns")
    return count


class _Columns:
    """The columns of a document, checked one by one."""

    def __init__(
        self, document: dict[str, Any], name: str, counts: list[int], content: bytes, spans: Sequence[Span]
    ) -> None:
        self.name, self.counts = name, counts
        self.bytes, self.spans = np.frombuffer(content, np.uint8), spans
        self.columns, self.decimals = document["columns"], document.get("decimals", {})
        for field, told, allowed in (
            ("columns", self.columns, _COLUMNS),
            ("decimals", self.decimals, DECIMALS),
        ):
            if not isinstance(told, dict):
                raise RecordError(f"{name}: {field} is no object")
            only(f"{name}, {field}", told, allowed)
        for field in _NEEDED:
            if field not in self.columns and sum(counts):
                raise RecordError(f"{name}, columns: no {field!r}, needed are {', '.join(_NEEDED)}")
        board = self.columns.get("board")
        if sum(counts) and not (isinstance(board, list) and len(board) == sum(counts)):
            raise RecordError(
                f"{name}, columns: board is no list of {sum(counts)}, as many as the matches have decisions"
            )
        for field, number in self.decimals.items():
            if not is_whole(number) or not 0 <= number <= _MOST_DECIMALS:
                refuse(f"{name}, decimals", field, number, f"0 to {_MOST_DECIMALS}")

    def where(self, row: int) -> str:
        """The place of a decision, counted from 1 through all matches."""
        return f"{self.name}, decision {row + 1}"

    def decisions(self, matches: Sequence[Match]) -> Decisions:
        """Everything put together."""
        n = sum(self.counts)
        if n == 0:
            return no_decisions()
        columns = {"match": np.repeat(np.arange(len(self.counts)), self.counts)}
        for name in WHOLE_COLUMNS:
            if name != "dice":
                columns[name] = whole_column(self.numbers(name, n, self.where), name, self.where)
        columns["away"] = np.stack([columns.pop("away"), columns.pop("away_opponent")], axis=1)
        columns["dice"] = dice_of(self.numbers("dice", n, self.where), self.where)
        equities = [self.floats(name, "equities", n, self.where) for name in EQUITY_COLUMNS]
        columns["equities"] = np.stack(equities, axis=1)
        columns["luck"] = self.floats("luck", "luck", n, self.where)
        data, offsets = self._play_bytes(n)
        counts = count_plays(data, offsets)
        start = np.concatenate([[0], np.cumsum(counts)]).astype(np.int64)
        columns["board"], given = self._boards(n)
        columns["board"], after, fault = read_chain(columns, given, data, offsets, start)
        self._check_chain(fault, data, offsets)
        options = self._options(after, start)
        decisions = decisions_of(columns, counts, options)
        check_decisions(matches, decisions, self.where)
        return decisions

    def numbers(self, name: str, n: int, where: Where) -> np.ndarray:
        """(n,) float64 of a column, NaN where it is null or missing; one value stands for all."""
        told = self.columns.get(name)
        if isinstance(told, dict) and told.get(MARK) in range(len(self.spans)):
            told = read_numbers(self.bytes, self.spans[told[MARK]])
        if isinstance(told, np.ndarray) and len(told) == n:
            return told
        if not isinstance(told, list | np.ndarray):
            if told is not None and (isinstance(told, bool) or not isinstance(told, int | float)):
                refuse(f"{self.name}, columns", name, told, "numbers, null, or a list of them")
            told = [told]
            values = _floats(told, lambda _: f"{self.name}, columns", name)
            return np.full(n, values[0])
        if len(told) != n:
            raise RecordError(f"{self.name}, columns: {name} has {len(told)} values, wanted are {n}")
        return _floats(told, where, name)

    def floats(self, name: str, kind: str, n: int, where: Where) -> np.ndarray:
        """`numbers` with the decimals of their kind."""
        values = self.numbers(name, n, where)
        if kind in self.decimals:
            wrong = ~np.isnan(values) & ((values != np.floor(values)) | (np.abs(values) >= 2**53))
            if wrong.any():
                row = int(np.argmax(wrong))
                refuse(where(row), name, f"{values[row]:g}", "whole numbers, since decimals are given")
            values = values / 10.0 ** self.decimals[kind]
        return values

    def texts(self, name: str, n: int, none: bool) -> list:
        """A column of texts, null among them or not."""
        told = self.columns.get(name, "" if not none else None)
        told = [told] * n if isinstance(told, str) else told
        if not isinstance(told, list) or len(told) != n:
            raise RecordError(f"{self.name}, columns: {name} is no list of {n} texts")
        if not set(map(type, told)) <= ({str, type(None)} if none else {str}):
            row = next(
                row
                for row, text in enumerate(told)
                if not isinstance(text, str) and not (none and text is None)
            )
            refuse(self.where(row), name, told[row], "texts" + (" and null" if none else ""))
        return told

    def _play_bytes(self, n: int) -> tuple[np.ndarray, np.ndarray]:
        told = self.texts("plays", n, False)
        joined = "".join(told).encode("ascii", "replace")  # one byte a sign, so that the lengths hold
        offsets = np.concatenate([[0], np.cumsum(np.fromiter(map(len, told), np.int64, n))])
        return np.frombuffer(joined or b" ", np.uint8), offsets

    def _boards(self, n: int) -> tuple[np.ndarray, np.ndarray]:
        told = self.texts("board", n, True)
        given = np.array([text is not None for text in told], bool)
        rows = np.flatnonzero(given)
        texts = [told[row] for row in rows.tolist()]
        offsets = np.concatenate([[0], np.cumsum(np.fromiter(map(len, texts), np.int64, len(texts)))])
        data = np.frombuffer("".join(texts).encode("ascii", "replace") or b" ", np.uint8)
        found, slow = read_boards(data, offsets)
        for place in np.flatnonzero(slow).tolist():
            try:
                found[place] = read_board(texts[place])
            except ValueError as error:
                raise RecordError(f"{self.where(int(rows[place]))}: {error}") from None
        boards = np.zeros((n, SLOTS), np.int8)
        boards[rows] = found
        return boards, given

    def _check_chain(self, fault: tuple[int, int, int], data: np.ndarray, offsets: np.ndarray) -> None:
        row, option, number = fault
        if row < 0:
            return
        place = self.where(row)
        if option < 0:
            raise RecordError(f"{place}: {CHAIN_FAULTS[number]}")
        play = bytes(data[offsets[row] : offsets[row + 1]]).decode("ascii").split()[option]
        raise RecordError(f"{place}, plays, number {option}: {play!r} {CHAIN_FAULTS[number]}")

    def _options(self, after: np.ndarray, start: np.ndarray) -> Options:
        k = len(after)

        def where(option: int) -> str:
            row = int(np.searchsorted(start, option, side="right")) - 1
            return f"{self.where(row)}, options, number {option - int(start[row])}"

        if "option_steps" in self.columns and "option_equity" in self.columns:
            raise RecordError(f"{self.name}, columns: option_steps and option_equity, allowed is one of them")
        if "option_steps" in self.columns:
            equity = self._from_steps(k, start, where)
        else:
            equity = self.floats("option_equity", "options", k, where)
        depth = whole_column(self.numbers("option_depth", k, where), "depth", where)
        flags = whole_column(self.numbers("option_shares", k, where), "option_shares", where).astype(bool)
        having = np.flatnonzero(flags)
        shares = np.full((k, 5), np.nan, np.float32)
        for place, name in enumerate(SHARES):
            shares[having, place] = self.floats(
                name, "shares", len(having), lambda row: where(int(having[row]))
            )
        return Options(after, equity, shares, depth)

    def _from_steps(self, k: int, start: np.ndarray, where: Where) -> np.ndarray:
        if "options" not in self.decimals:
            raise RecordError(f"{self.name}: option_steps without decimals of options")
        steps = self.numbers("option_steps", k, where)
        wrong = ~np.isnan(steps) & ((steps != np.floor(steps)) | (np.abs(steps) >= 2**40))
        if wrong.any():
            option = int(np.argmax(wrong))
            refuse(where(option), "option_steps", f"{steps[option]:g}", "whole numbers")
        known = np.flatnonzero(~np.isnan(steps))
        whole = steps[known].astype(np.int64)
        rows = np.searchsorted(start, known, side="right")
        first = np.concatenate([[True], rows[1:] != rows[:-1]])[: len(rows)]
        signed = np.where(first, whole, -whole)
        sums = np.cumsum(signed)
        base = (sums - signed)[np.flatnonzero(first)][np.cumsum(first) - 1]
        equity = np.full(k, np.nan)
        equity[known] = (sums - base) / 10.0 ** self.decimals["options"]
        return equity


def _floats(told: list, where: Where, name: str) -> np.ndarray:
    if not set(map(type, told)) <= {int, float, type(None)}:
        row = next(row for row, item in enumerate(told) if type(item) not in (int, float, type(None)))
        refuse(where(row), name, told[row], "numbers and null")
    try:
        return np.array(told, dtype=np.float64)
    except OverflowError:
        raise RecordError(f"{where(0)} or later: {name} has a number that is too large") from None


def dice_of(values: np.ndarray, where: Where) -> np.ndarray:
    """(n, 2) int8, the larger first, from two digits in one number; 0 0 where there is none."""
    values = np.nan_to_num(values)
    wrong = ~((values >= 0) & (values <= 99) & (values == np.floor(values)))
    if wrong.any():
        row = int(np.argmax(wrong))
        refuse(where(row), "dice", f"{values[row]:g}", "two digits from 1 to 6")
    pairs = np.stack([values // 10, values % 10], axis=1).astype(np.int8)
    return np.ascontiguousarray(np.sort(pairs, axis=1)[:, ::-1])
