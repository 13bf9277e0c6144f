"""What must hold of decisions that stand in a file of our own, checked in columns; the first fault is named.

The same checks run before writing and after reading, so that whatever is written can be read.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import date
from typing import NoReturn

import numpy as np

from ludometrics.backgammon.boards import BAR, boards_pips
from ludometrics.backgammon.building import RecordError
from ludometrics.backgammon.records import (
    CHECKERS,
    COLUMNS,
    LONGEST_MATCH,
    UNKNOWN,
    Decisions,
    Kind,
    Match,
    Options,
)

#: Equities and luck are smaller in size; -1000 and the like are marks of "not analysed" that a reader should know.
GREATEST_EQUITY = 100.0
_SHARE_SLACK = 1e-6  # single precision
_BLOCK = 1 << 17
#: Names a decision by its number among all, as the file's own rows.
Where = Callable[[int], str]

#: Least and greatest of the columns of whole numbers, and what stands for a cell that is empty (None: it must not be).
LIMITS: dict[str, tuple[int, int, int | None]] = {
    "game": (1, 1_000_000, None),
    "move": (1, 1_000_000, 1),
    "seat": (0, 1, None),
    "kind": (0, 2, None),
    "away": (0, LONGEST_MATCH, 0),
    "away_opponent": (0, LONGEST_MATCH, 0),
    "crawford": (0, 1, 0),
    "post_crawford": (0, 1, 0),
    "cube": (1, 1 << 20, 1),
    "cube_owner": (-1, 1, 0),
    "legal_plays": (0, 32_000, UNKNOWN),
    "played": (0, 32_000, UNKNOWN),
    "duration_ms": (0, 2**31 - 1, UNKNOWN),
    "depth": (0, 32_000, UNKNOWN),
    "opinion": (0, 2, UNKNOWN),
    "line": (0, 2**31 - 1, 0),
    "option_shares": (0, 1, 0),
}


def refuse(place: str, column: str, value: object, allowed: str) -> NoReturn:
    """Raise RecordError in the one form that all messages have."""
    shown = value if isinstance(value, str) else repr(value)
    shown = shown if len(shown) <= 60 else shown[:57] + "..."
    raise RecordError(f"{place}: {column} is {shown}, allowed are {allowed}")


def whole_column(values: np.ndarray, name: str, where: Where) -> np.ndarray:
    """A column of `LIMITS` with its own type, from (n,) float64 in which NaN is an empty cell.

    Raises
    ------
    RecordError
        Naming the row, the value and the limits.
    """
    low, high, default = LIMITS[name]
    empty = np.isnan(values)
    if default is not None:
        values = np.where(empty, default, values)
        empty = np.zeros(len(values), bool) if default >= low else empty
    wrong = ~((values >= low) & (values <= high) & (values == np.floor(values)))
    if default is not None:
        wrong &= ~empty
    if wrong.any():
        row = int(np.argmax(wrong))
        value = "empty" if np.isnan(values[row]) else f"{values[row]:g}"
        refuse(where(row), name, value, f"whole numbers from {low} to {high}")
    return values.astype(COLUMNS.get(name, (np.int16, 0))[0])


def decisions_of(columns: Mapping[str, np.ndarray], counts: np.ndarray, options: Options) -> Decisions:
    """Decisions out of their columns, how many options each has, and the options."""
    typed = {}
    for name, (dtype, width) in COLUMNS.items():
        shape = (-1, width) if width else (-1,)
        typed[name] = np.ascontiguousarray(columns[name], dtype=dtype).reshape(shape)
    start = np.concatenate([[0], np.cumsum(counts)]).astype(np.int64)
    return Decisions(**typed, option_start=start, options=options)


def check_match(match: Match, place: Callable[[], str]) -> None:
    """Raise RecordError unless the fields of a match are possible; ``place`` says where it stands."""
    if not match.key:
        refuse(place(), "match", "empty", "texts that tell matches apart")
    if match.date and not _is_day(match.date):
        refuse(place(), "date", match.date, "days as 2026-03-31")
    if not 0 <= match.length <= LONGEST_MATCH:
        refuse(place(), "length", match.length, f"0 (money) to {LONGEST_MATCH} points")
    for name in ("start_score", "final_score"):
        score = getattr(match, name)
        if score is not None and not all(0 <= points <= 1_000_000 for points in score):
            refuse(place(), name, score, "points from 0 on")
    if match.length and max(match.start_score) >= match.length:
        refuse(place(), "start_score", match.start_score, f"scores below {match.length}")


def _is_day(text: str) -> bool:
    try:
        return len(text) == 10 and date.fromisoformat(text).isoformat() == text
    except ValueError:
        return False


def check_decisions(matches: Sequence[Match], decisions: Decisions, where: Where) -> None:
    """Raise RecordError for the first decision that cannot be."""
    kind, checker = decisions.kind, decisions.kind == Kind.CHECKER
    lengths = np.array([match.length for match in matches], dtype=np.int64)[decisions.match]
    _check_boards(decisions.board, "board", where)
    _check_score(decisions, lengths, where)
    _first(decisions.cube & (decisions.cube - 1) != 0, decisions.cube, "cube", "powers of two", where)
    dice_ok = ((decisions.dice >= 1) & (decisions.dice <= 6)).all(axis=1) & (
        decisions.dice[:, 0] >= decisions.dice[:, 1]
    )
    none = (decisions.dice == 0).all(axis=1)
    _first(checker & ~dice_ok, decisions.dice, "dice", "two from 1 to 6, the larger first", where)
    _first(~checker & ~none, decisions.dice, "dice", "none in a cube decision", where)
    counts = np.diff(decisions.option_start)
    _first(~checker & (counts > 0), counts, "options", "none in a cube decision", where)
    most = np.where(checker, counts, 2)
    _first(decisions.played >= most, decisions.played, "played", "the number of an option, from 0", where)
    _first(decisions.played < UNKNOWN, decisions.played, "played", "the number of an option, from 0", where)
    some = ~np.isnan(decisions.equities)
    _first(checker & some.any(axis=1), decisions.equities, "no_double ...", "empty in a checker play", where)
    large = (some & ~(np.abs(decisions.equities) < GREATEST_EQUITY)).any(axis=1)
    _first(large, decisions.equities, "no_double ...", f"numbers below {GREATEST_EQUITY:g} in size", where)
    lucky = ~np.isnan(decisions.luck)
    _first(lucky & ~checker, decisions.luck, "luck", "empty in a cube decision", where)
    small = np.abs(np.where(lucky, decisions.luck, 0)) < GREATEST_EQUITY
    _first(~small, decisions.luck, "luck", f"numbers below {GREATEST_EQUITY:g} in size", where)
    if not np.isin(kind, (0, 1, 2)).all():
        _first(~np.isin(kind, (0, 1, 2)), kind, "kind", "checker, double, response", where)
    _check_options(decisions, where)


def _first(wrong: np.ndarray, values: np.ndarray, column: str, allowed: str, where: Where) -> None:
    if wrong.any():
        row = int(np.argmax(wrong))
        refuse(where(row), column, values[row].tolist(), allowed)


def _check_score(decisions: Decisions, lengths: np.ndarray, where: Where) -> None:
    away = decisions.away
    money = lengths == 0
    _first(money & away.any(axis=1), away, "away", "0 and 0 in money play", where)
    inside = ((away >= 1) & (away <= lengths[:, None])).all(axis=1)
    _first(~money & ~inside, away, "away", "1 to the length of the match", where)
    last = decisions.crawford | decisions.post_crawford
    _first(
        (decisions.crawford & decisions.post_crawford) | (last & money),
        np.stack([decisions.crawford, decisions.post_crawford], axis=1),
        "crawford and post_crawford",
        "one of them at most, and none in money play",
        where,
    )
    _first(
        last & ~money & (away != 1).all(axis=1),
        away,
        "away",
        "1 of a side in and after the Crawford game",
        where,
    )


def _check_boards(boards: np.ndarray, column: str, where: Where) -> None:
    values = boards.astype(np.int16)
    own = np.where(values > 0, values, 0).sum(axis=1)
    other = np.where(values < 0, -values, 0).sum(axis=1)
    most = np.maximum(own, other)
    _first(most > CHECKERS, most, column, f"at most {CHECKERS} checkers a side", where)
    bars = values[:, [0, BAR]]
    _first((values[:, 0] > 0) | (values[:, BAR] < 0), bars, column, "no checkers on the other's bar", where)


def _check_options(decisions: Decisions, where: Where) -> None:
    """Every option must look like a play of the roll: no checker of the other gone, not more pips than rolled."""
    options, start = decisions.options, decisions.option_start
    rows = np.repeat(np.arange(len(decisions)), np.diff(start))

    def place(option: int) -> str:
        row = int(rows[option])
        return f"{where(row)}, options, number {option - int(start[row])}"

    _first(options.depth < UNKNOWN, options.depth, "depth", "whole numbers from 0 on", place)
    for begin in range(0, len(rows), _BLOCK):  # block by block, since the counts of a board take room

        def block_place(option: int, begin: int = begin) -> str:
            return place(begin + option)

        part = slice(begin, begin + _BLOCK)
        equity, shares = options.equity[part], options.shares[part]
        wrong = ~(np.isnan(equity) | (np.abs(equity) < GREATEST_EQUITY))
        _first(wrong, equity, "equity", f"numbers below {GREATEST_EQUITY:g} in size", block_place)
        none = np.isnan(shares)
        wrong = ~(none | ((shares >= 0) & (shares <= 1 + _SHARE_SLACK))) | (none != none[:, :1])
        _first(wrong.any(axis=1), shares, "chances", "five from 0 to 1, or none", block_place)
        _check_boards(options.board[part], "board", block_place)
        _check_plays(
            decisions.board[rows[part]], options.board[part], decisions.dice[rows[part]], block_place
        )


def _check_plays(before: np.ndarray, after: np.ndarray, dice: np.ndarray, place: Where) -> None:
    dice = dice.astype(np.int32)
    most = dice.sum(axis=1) * np.where(dice[:, 0] == dice[:, 1], 2, 1)
    moved = boards_pips(before)[:, 0] - boards_pips(after)[:, 0]
    (own, other), (own_after, other_after) = _checkers(before), _checkers(after)
    allowed = "boards that the roll can lead to"
    _first((moved <= 0) | (moved > most), after, "board", allowed, place)
    _first(other != other_after, after, "board", f"{allowed}: the other's checkers stay", place)
    _first(own < own_after, after, "board", f"{allowed}: no checkers are added", place)


def _checkers(boards: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    values = boards.astype(np.int16)
    return np.where(values > 0, values, 0).sum(axis=1), np.where(values < 0, -values, 0).sum(axis=1)
