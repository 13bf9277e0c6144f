"""Reads our own CSV (`record_csv`): block by block in columns; what writers never write is read cell by cell."""

from __future__ import annotations

import csv
from collections.abc import Callable
from dataclasses import fields
from typing import NamedTuple

import numpy as np
import pyarrow as pa
from pyarrow import csv as arrow_csv

from ludometrics.backgammon.building import RecordError
from ludometrics.backgammon.option_cells import Cells, read_board, read_boards, read_option, read_play
from ludometrics.backgammon.record_checks import (
    check_decisions,
    check_match,
    decisions_of,
    refuse,
    whole_column,
)
from ludometrics.backgammon.record_csv import (
    ACTIONS,
    COLUMNS,
    FLOAT_COLUMNS,
    KINDS,
    MATCH_COLUMNS,
    NEEDED,
    NUMBER_COLUMNS,
    OPINIONS,
)
from ludometrics.backgammon.records import LONGEST_MATCH, UNKNOWN, Kind, Library, Match, Options, no_decisions
from ludometrics.backgammon.row_names import RowNames

_BLOCK_BYTES = 4 << 20
_TYPES = {str: pa.string(), int: pa.int64(), float: pa.float64()}


class _Part(NamedTuple):
    """Columns of a block of rows that hold decisions."""

    columns: dict[str, np.ndarray]
    options: dict[str, np.ndarray]
    counts: np.ndarray
    keys: list[str]
    said: list[tuple[int, str, str]]  # row, column, text of the columns of matches
    rows: int
    decisions: np.ndarray  # rows of the block that hold one


def read_csv(content: bytes, name: str) -> Library:
    """The library of a file's content; ``name`` is what messages call it.

    Raises
    ------
    RecordError
        Naming the file, the row, the column, the value and what is allowed.
    """
    kinds = dict.fromkeys(_header(content, name), str)
    kinds |= {column: int for column in (*NUMBER_COLUMNS, "dice") if column in kinds}
    kinds |= {column: float for column in FLOAT_COLUMNS if column in kinds}
    types = {column: _TYPES[kind] for column, kind in kinds.items()}
    quoted = b'"' in content
    rows = RowNames(content, name)
    parts: list[_Part] = []
    try:
        blocks = arrow_csv.open_csv(
            pa.BufferReader(content),
            read_options=arrow_csv.ReadOptions(
                use_threads=False, block_size=_BLOCK_BYTES, column_names=list(kinds), skip_rows=1
            ),
            parse_options=arrow_csv.ParseOptions(newlines_in_values=quoted),
            convert_options=arrow_csv.ConvertOptions(
                column_types=types, null_values=[""], strings_can_be_null=False
            ),
        )
        before = 0
        for block in blocks:
            parts.append(_read_block(block, lambda row, start=before: rows(start + row)))
            before += block.num_rows
    except pa.ArrowInvalid as error:
        rows.find_fault(kinds, error)
    return _joined(parts, rows)


def _header(content: bytes, name: str) -> list[str]:
    """Names of the columns, checked."""
    first = content.split(b"\n", 1)[0]
    try:
        line = next(csv.reader([first.decode("utf-8-sig").rstrip("\r")]), [])
    except UnicodeDecodeError:
        raise RecordError(f"{name}, row 1: not UTF-8") from None
    except csv.Error as fault:
        raise RecordError(f"{name}, row 1: no header: {fault}") from None
    for needed in NEEDED:
        if needed not in line:
            raise RecordError(f"{name}: no column {needed!r}, needed are {', '.join(NEEDED)}")
    for place, column in enumerate(line):
        if column not in COLUMNS:
            raise RecordError(f"{name}: column {column!r}, allowed are {', '.join(COLUMNS)}")
        if column in line[:place]:
            raise RecordError(f"{name}: column {column!r} stands there twice")
    return line


def _read_block(block: pa.RecordBatch, where: Callable[[int], str]) -> _Part:
    coded = block.column("match").dictionary_encode()
    texts = coded.dictionary.to_pylist()
    keys = [texts[code] for code in coded.indices.to_pylist()]  # one object a match, not one a row
    said = []
    for name in MATCH_COLUMNS:
        if name in block.schema.names:
            column = block.column(name)
            filled = np.flatnonzero(np.diff(_offsets(column)))
            said += [(int(row), name, column[int(row)].as_py()) for row in filled]
    kinds, known = _words(block.column("kind"), KINDS)
    bad = np.flatnonzero(known & (kinds == UNKNOWN))
    if len(bad):
        refuse(where(int(bad[0])), "kind", block.column("kind")[int(bad[0])].as_py(), ", ".join(KINDS))
    decisions = np.flatnonzero(known)
    if len(decisions) < block.num_rows:
        _check_no_decision(block, np.flatnonzero(~known), where)
        block = block.take(pa.array(decisions))

    def place(row: int) -> str:
        return where(int(decisions[row]))

    columns = _number_columns(block, place) | {"kind": kinds[decisions].astype(np.int8)}
    columns["board"] = _boards(block.column("board"), place)
    columns["opinion"] = _opinions(block, place)
    options, start = _options(block, columns, place)
    columns["played"] = _played(block, columns, options, start, place)
    return _Part(columns, vars(options), np.diff(start), keys, said, len(keys), decisions)


def _check_no_decision(block: pa.RecordBatch, rows: np.ndarray, where: Callable[[int], str]) -> None:
    """A row without a kind names a match and nothing else."""
    for name in set(block.schema.names) - {"match", "kind", *MATCH_COLUMNS}:
        for row in rows.tolist():
            value = block.column(name)[row].as_py()
            if value not in (None, ""):
                refuse(where(row), "kind", "empty", f"{', '.join(KINDS)} in a row with a {name}")


def _offsets(column: pa.Array) -> np.ndarray:
    """(n + 1,) where each text of a column of texts begins in its bytes."""
    whole = np.frombuffer(column.buffers()[1], np.int32)
    return whole[column.offset : column.offset + len(column) + 1].astype(np.int64)


def _bytes(column: pa.Array) -> np.ndarray:
    data = column.buffers()[2]
    return np.frombuffer(data, np.uint8) if data is not None else np.zeros(1, np.uint8)


def _words(column: pa.Array, meanings: dict[str, int]) -> tuple[np.ndarray, np.ndarray]:
    """Meaning of each word, UNKNOWN where it has none, and whether there is a word."""
    coded = column.dictionary_encode()
    words = coded.dictionary.to_pylist()
    table = np.array([meanings.get(word, UNKNOWN) for word in words] or [UNKNOWN], np.int64)
    codes = np.asarray(coded.indices)
    return table[codes] if len(codes) else np.zeros(0, np.int64), np.array(
        [bool(word) for word in words] or [False]
    )[codes]


def _number_columns(block: pa.RecordBatch, place: Callable[[int], str]) -> dict[str, np.ndarray]:
    def values(name: str) -> np.ndarray:
        if name not in block.schema.names:
            return np.full(block.num_rows, np.nan)
        return block.column(name).cast(pa.float64()).to_numpy(zero_copy_only=False)

    columns = {name: whole_column(values(name), name, place) for name in NUMBER_COLUMNS}
    columns["away"] = np.stack([columns.pop("away"), columns.pop("away_opponent")], axis=1)
    for name in ("crawford", "post_crawford"):
        columns[name] = columns[name].astype(bool)
    for name in FLOAT_COLUMNS:
        columns[name] = values(name)
        wrong = np.isinf(columns[name])
        if wrong.any():
            refuse(place(int(np.argmax(wrong))), name, "infinite", "numbers")
    columns["equities"] = np.stack([columns.pop(name) for name in FLOAT_COLUMNS[:3]], axis=1)
    dice = np.nan_to_num(values("dice"))
    wrong = ~((dice >= 0) & (dice <= 99))
    if wrong.any():
        row = int(np.argmax(wrong))
        refuse(place(row), "dice", f"{dice[row]:g}", "two digits from 1 to 6")
    pairs = np.stack([dice // 10, dice % 10], axis=1).astype(np.int8)
    columns["dice"] = np.sort(pairs, axis=1)[:, ::-1]
    return columns


def _boards(column: pa.Array, place: Callable[[int], str]) -> np.ndarray:
    boards, slow = read_boards(_bytes(column), _offsets(column))
    for row in np.flatnonzero(slow).tolist():
        text = column[row].as_py()
        try:
            boards[row] = read_board(text)
        except ValueError as error:
            raise RecordError(f"{place(row)}: {error}") from None
    return boards


def _opinions(block: pa.RecordBatch, place: Callable[[int], str]) -> np.ndarray:
    if "opinion" not in block.schema.names:
        return np.full(block.num_rows, UNKNOWN, np.int8)
    opinions, known = _words(block.column("opinion"), OPINIONS)
    bad = np.flatnonzero(known & (opinions == UNKNOWN))
    if len(bad):
        refuse(
            place(int(bad[0])), "opinion", block.column("opinion")[int(bad[0])].as_py(), ", ".join(OPINIONS)
        )
    return opinions.astype(np.int8)


def _options(
    block: pa.RecordBatch, columns: dict[str, np.ndarray], place: Callable[[int], str]
) -> tuple[Options, np.ndarray]:
    if "options" not in block.schema.names:
        cells = Cells(
            np.zeros(1, np.uint8), np.zeros(block.num_rows + 1, np.int64), columns["board"], columns["dice"]
        )
    else:
        column = block.column("options")
        cells = Cells(_bytes(column), _offsets(column), columns["board"], columns["dice"])
        text = memoryview(_bytes(column))
        for option in np.flatnonzero(cells.slow).tolist():
            row = int(np.searchsorted(cells.start, option, side="right")) - 1
            low, high = cells.places[option]
            try:
                if columns["kind"][row] != Kind.CHECKER:
                    raise ValueError("options in a cube decision, allowed are none")
                found = read_option(
                    bytes(text[low:high]).decode(), columns["board"][row], columns["dice"][row]
                )
            except ValueError as error:
                number = option - int(cells.start[row])
                raise RecordError(f"{place(row)}, options, number {number}: {error}") from None
            cells.board[option], cells.equity[option], cells.depth[option] = (
                found.board,
                found.equity,
                found.depth,
            )
            cells.shares[option] = np.nan if found.shares is None else found.shares
    return Options(cells.board, cells.equity, cells.shares, cells.depth), cells.start


def _played(
    block: pa.RecordBatch,
    columns: dict[str, np.ndarray],
    options: Options,
    start: np.ndarray,
    place: Callable[[int], str],
) -> np.ndarray:
    played = np.full(block.num_rows, UNKNOWN, np.int64)
    if "played" not in block.schema.names:
        return played.astype(np.int16)
    column = block.column("played")
    numbers = {str(number): number for number in range(1000)}
    for kind in Kind:
        mine = columns["kind"] == kind
        meanings, known = _words(column, numbers if kind == Kind.CHECKER else ACTIONS[kind])
        played[mine] = meanings[mine]
        for row in np.flatnonzero(mine & known & (meanings == UNKNOWN)).tolist():
            text = column[row].as_py()
            if kind != Kind.CHECKER:
                refuse(place(row), "played", text, ", ".join(ACTIONS[kind]))
            played[row] = _find(text, row, columns, options.board[start[row] : start[row + 1]], place)
    return played.astype(np.int16)


def _find(
    text: str, row: int, columns: dict[str, np.ndarray], boards: np.ndarray, place: Callable[[int], str]
) -> int:
    """The number of the option that a play in words is."""
    try:
        after = read_play(text, columns["board"][row], columns["dice"][row])
    except ValueError as error:
        raise RecordError(f"{place(row)}: played: {error}") from None
    found = np.flatnonzero((boards == after).all(axis=1))
    if not len(found):
        refuse(place(row), "played", text, f"the {len(boards)} plays of its options, or their numbers from 0")
    return int(found[0])


def _joined(parts: list[_Part], rows: RowNames) -> Library:
    begins = np.cumsum([0, *(part.rows for part in parts)]).tolist()
    keys = [key for part in parts for key in part.keys]
    said = [
        (begin + row, *rest) for part, begin in zip(parts, begins, strict=False) for row, *rest in part.said
    ]
    places = [begin + part.decisions for part, begin in zip(parts, begins, strict=False)]
    matches, owners = _matches(keys, said, rows)
    if not parts:
        return Library((), no_decisions())
    places = np.concatenate(places)
    names = list(parts[0].columns)
    columns = {name: np.concatenate([part.columns.pop(name) for part in parts]) for name in names}
    columns["match"] = owners[places]
    counts = np.concatenate([part.counts for part in parts])
    names = [item.name for item in fields(Options)]
    options = {name: np.concatenate([part.options.pop(name) for part in parts]) for name in names}
    decisions = decisions_of(columns, counts, Options(**options))
    check_decisions(matches, decisions, lambda row: rows(int(places[row])))
    return Library(tuple(matches), decisions)


def _matches(
    keys: list[str], said: list[tuple[int, str, str]], rows: RowNames
) -> tuple[list[Match], np.ndarray]:
    """The matches in the order of the file, and the match of every row."""
    owners = np.zeros(len(keys), np.int32)
    firsts: dict[str, int] = {}
    last = ""
    for row, key in enumerate(keys):
        if key and key != last:
            if key in firsts:
                refuse(rows(row), "match", key, "keys whose rows all stand together")
            firsts[key], last = row, key
        elif not last:
            refuse(rows(row), "match", "empty", "texts that tell matches apart")
        owners[row] = len(firsts) - 1
    cells: list[dict[str, str]] = [{} for _ in firsts]
    for row, name, text in said:
        known = cells[owners[row]].setdefault(name, text)
        if known != text:
            refuse(rows(row), name, text, f"{known!r}, as above, or nothing")
    return [
        _match(key, cell, lambda row=row: rows(row))
        for (key, row), cell in zip(firsts.items(), cells, strict=True)
    ], owners


def _match(key: str, cells: dict[str, str], place: Callable[[], str]) -> Match:
    length = cells.get("length", "")
    if not (length.isascii() and length.isdecimal() and int(length) <= LONGEST_MATCH):
        refuse(place(), "length", length or "empty", f"0 (money) to {LONGEST_MATCH} points")
    scores: dict[str, tuple[int, int] | None] = {"start_score": (0, 0), "final_score": None}
    for name in scores:
        if name in cells:
            points = cells[name].replace("-", " ").split()
            if len(points) != 2 or not all(
                part.isascii() and part.isdecimal() and len(part) < 7 for part in points
            ):
                refuse(place(), name, cells[name], "two whole numbers with a space between")
            scores[name] = (int(points[0]), int(points[1]))
    texts = {name: cells.get(name, "") for name in ("date", "tournament", "round", "source", "engine", "met")}
    players = (cells.get("player_0", ""), cells.get("player_1", ""))
    match = Match(key, int(length), players, **texts, **scores)
    check_match(match, place)
    return match
