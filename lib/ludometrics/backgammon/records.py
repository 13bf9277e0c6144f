"""Decisions taken in backgammon matches, as every other module reads them, whatever file they came from.

Readers fill a `building.RecordBuilder`; it checks each row and ends in a `Library`: the matches, their decisions in
columns (one row a decision) and the candidate plays of the checker decisions. Nothing after the readers knows a file
format.

Boards are 26 numbers seen by the player who decides, his checkers positive, the other's negative::

    index   0                1 ............ 24            25
            the other's bar  his own ace .. 24-point      his own bar

(the layout of an XGID). What stands nowhere has been borne off; each side has at most 15 checkers on the board.

Equities are normalised (EMG): +1 wins, -1 loses one times the current cube, at money play and at match score alike.
Those of a take or pass are kept as the doubler's, in units of the cube before the double.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields, replace
from enum import IntEnum
from typing import NamedTuple

import numpy as np
import pandas as pd

CHECKERS = 15
SLOTS = 26
LONGEST_MATCH = 64  # points; longer, and eXtreme Gammon's 99999, means money play
UNKNOWN = -1  # in the whole-number columns; NaN in the others. Never 0.
ROLLOUT_DEPTH = 100  # `depth` of a rollout; a book move has UNKNOWN


class Kind(IntEnum):
    """What is decided."""

    CHECKER = 0
    DOUBLE = 1  # double or not, whenever the cube could be turned
    RESPONSE = 2  # take or pass


class Opinion(IntEnum):
    """What another analysis, at another depth or by rollout, says of the decider's own question."""

    NONE = -1
    DIFFERS = 0
    AGREES = 1
    ROLLOUT_AGREES = 2


NO_DOUBLE, DOUBLE = 0, 1
PASS, TAKE = 0, 1


@dataclass(frozen=True)
class Match:
    """One match, or one money session.

    Attributes
    ----------
    key : str
        The same each time the same file is read, different for different matches.
    length : int
        Points; 0: money.
    players : (str, str)
        Names as the file gives them, by seat.
    date : str
        ISO day, "" where unknown.
    tournament, round : str
    source : str
        The file, or the first of its files.
    engine : str
        What analysed it, with version and depth where known.
    met : str
        Match equity table of the analysis, "" where the file does not say.
    start_score, final_score : (int, int)
        Points by seat; `final_score` None where the file does not show how the last game ended.
    """

    key: str
    length: int
    players: tuple[str, str]
    date: str = ""
    tournament: str = ""
    round: str = ""
    source: str = ""
    engine: str = ""
    met: str = ""
    start_score: tuple[int, int] = (0, 0)
    final_score: tuple[int, int] | None = None

    @property
    def winner(self) -> int | None:
        """Seat of the winner: who reached the length; in a money session who has more points; None: neither."""
        if self.final_score is None:
            return None
        first, second = self.final_score
        if first == second or max(first, second) < self.length:
            return None
        return int(second > first)


class Problem(NamedTuple):
    """Something that could not be read, or was left out."""

    source: str
    where: str  # "line 12", "game 3 move 4", ""
    reason: str

    def __str__(self) -> str:
        place = f"{self.source}, {self.where}" if self.where else self.source
        return f"{place}: {self.reason}"


# Columns of `Decisions`: name -> (type, length of a row or 0 for a number).
COLUMNS: dict[str, tuple[type, int]] = {
    "match": (np.int32, 0),
    "game": (np.int32, 0),
    "move": (np.int32, 0),
    "seat": (np.int8, 0),
    "kind": (np.int8, 0),
    "away": (np.int16, 2),
    "crawford": (np.bool_, 0),
    "post_crawford": (np.bool_, 0),
    "cube": (np.int32, 0),
    "cube_owner": (np.int8, 0),
    "board": (np.int8, SLOTS),
    "dice": (np.int8, 2),
    "legal_plays": (np.int16, 0),
    "played": (np.int16, 0),
    "equities": (np.float64, 3),
    "luck": (np.float64, 0),
    "duration_ms": (np.int32, 0),
    "depth": (np.int16, 0),
    "opinion": (np.int8, 0),
    "line": (np.int32, 0),
}


@dataclass(frozen=True)
class Options:
    """Candidate plays of the checker decisions, those of one decision together, in the order of the analysis.

    Attributes
    ----------
    board : (k, 26) int8
        After the play, still seen by the player who made it.
    equity : (k,) float64
    shares : (k, 5) float32
        Chances to win, win a gammon, win a backgammon, lose a gammon, lose a backgammon; NaN where not given.
    depth : (k,) int16
        Plies; ROLLOUT_DEPTH a rollout; UNKNOWN.
    """

    board: np.ndarray
    equity: np.ndarray
    shares: np.ndarray
    depth: np.ndarray


@dataclass(frozen=True)
class Decisions:
    """n decisions in columns, in the order they were taken, match after match.

    Attributes
    ----------
    match : (n,) int32
        Row of `Library.matches`.
    game, move : (n,) int32
        From 1, as the file numbers them.
    seat : (n,) int8
        0 or 1: who decides.
    kind : (n,) int8
        `Kind`.
    away : (n, 2) int16
        Points that the decider and the other still need; (0, 0) in money play.
    crawford, post_crawford : (n,) bool
        Of the game being played.
    cube : (n,) int32
        Value before the action (of a response: before the double).
    cube_owner : (n,) int8
        0 centred, 1 the decider, -1 the other; of a response: before the double.
    board : (n, 26) int8
    dice : (n, 2) int8
        Larger first; 0 0 for cube decisions.
    legal_plays : (n,) int16
        Different boards that the roll allows; 0: the player cannot move; UNKNOWN.
    played : (n,) int16
        Checker: row among the decision's own options. Double: NO_DOUBLE or DOUBLE. Response: PASS or TAKE.
        UNKNOWN: not found among the options, or not given.
    equities : (n, 3) float64
        No double, double and take, double and pass, as the doubler sees them; NaN: not analysed, or a checker play.
    luck : (n,) float64
        Of the roll of a checker row, normalised equity, for the roller; NaN: unknown.
    duration_ms : (n,) int32
    depth : (n,) int16
        Of the cube analysis; of the best analysed candidates.
    opinion : (n,) int8
        `Opinion` of another analysis.
    line : (n,) int32
        Line of the source, for messages; 0: none.
    option_start : (n + 1,) int64
        Options of decision i are rows option_start[i] to option_start[i + 1].
    options : Options
    """

    match: np.ndarray
    game: np.ndarray
    move: np.ndarray
    seat: np.ndarray
    kind: np.ndarray
    away: np.ndarray
    crawford: np.ndarray
    post_crawford: np.ndarray
    cube: np.ndarray
    cube_owner: np.ndarray
    board: np.ndarray
    dice: np.ndarray
    legal_plays: np.ndarray
    played: np.ndarray
    equities: np.ndarray
    luck: np.ndarray
    duration_ms: np.ndarray
    depth: np.ndarray
    opinion: np.ndarray
    line: np.ndarray
    option_start: np.ndarray
    options: Options

    def __len__(self) -> int:
        return len(self.match)

    def options_of(self, row: int) -> slice:
        """Rows of `options` that belong to decision ``row``."""
        return slice(int(self.option_start[row]), int(self.option_start[row + 1]))

    def where(self, chosen: np.ndarray) -> Decisions:
        """The decisions with ``chosen`` (n,) bool true, with their options."""
        chosen = np.asarray(chosen, dtype=bool)
        counts = np.diff(self.option_start)
        kept = np.repeat(chosen, counts)
        columns = {name: getattr(self, name)[chosen] for name in COLUMNS}
        start = np.concatenate([[0], np.cumsum(counts[chosen])]).astype(np.int64)
        options = Options(**{item.name: getattr(self.options, item.name)[kept] for item in fields(Options)})
        return Decisions(**columns, option_start=start, options=options)

    def frame(self) -> pd.DataFrame:
        """The columns as a table, one row a decision; options left out."""
        table = {}
        for name, (_, width) in COLUMNS.items():
            values = getattr(self, name)
            if width == 0:
                table[name] = values
        table["kind"] = [Kind(kind).name.lower() for kind in self.kind]
        table["away"], table["away_opponent"] = self.away[:, 0], self.away[:, 1]
        table["die_1"], table["die_2"] = self.dice[:, 0], self.dice[:, 1]
        for column, name in enumerate(("no_double", "double_take", "double_pass")):
            table[name] = self.equities[:, column]
        table["options"] = np.diff(self.option_start)
        return pd.DataFrame(table)


@dataclass(frozen=True)
class Library:
    """A collection of matches with their decisions, and what could not be read.

    Attributes
    ----------
    matches : tuple of Match
        Keys differ.
    decisions : Decisions
    problems : tuple of Problem
    """

    matches: tuple[Match, ...]
    decisions: Decisions
    problems: tuple[Problem, ...] = ()

    def seats_of(self, *names: str) -> np.ndarray:
        """(m,) int: the seat that one of ``names`` (folded in case) holds in each match, UNKNOWN where none does."""
        wanted = {name.casefold() for name in names}
        seats = np.full(len(self.matches), UNKNOWN)
        for row, match in enumerate(self.matches):
            for seat, name in enumerate(match.players):
                if name.casefold() in wanted:
                    seats[row] = seat
                    break
        return seats

    def of_player(self, *names: str) -> np.ndarray:
        """(n,) bool: decisions taken by a player with one of ``names``."""
        return self.seats_of(*names)[self.decisions.match] == self.decisions.seat

    def only(self, kept: np.ndarray) -> Library:
        """The matches with ``kept`` (m,) bool true."""
        kept = np.asarray(kept, dtype=bool)
        rows = kept[self.decisions.match]
        decisions = self.decisions.where(rows)
        numbers = np.cumsum(kept) - 1
        decisions = replace(decisions, match=numbers[decisions.match].astype(np.int32))
        matches = tuple(match for match, keep in zip(self.matches, kept, strict=True) if keep)
        return Library(matches, decisions, self.problems)


def no_decisions() -> Decisions:
    """Decisions without a row."""
    columns = {
        name: np.empty((0, width) if width else 0, dtype=dtype) for name, (dtype, width) in COLUMNS.items()
    }
    options = Options(
        np.empty((0, SLOTS), np.int8), np.empty(0), np.empty((0, 5), np.float32), np.empty(0, np.int16)
    )
    return Decisions(**columns, option_start=np.zeros(1, np.int64), options=options)


def join(libraries: Iterable[Library]) -> Library:
    """One library out of several; a match whose key has come before is left out and said so among the problems."""
    matches: list[Match] = []
    problems: list[Problem] = []
    parts: list[Decisions] = []
    seen: dict[str, str] = {}
    for library in libraries:
        problems += library.problems
        fresh = []
        for match in library.matches:
            fresh.append(match.key not in seen)
            if fresh[-1]:
                seen[match.key] = match.source
            else:
                problems.append(Problem(match.source, "", f"the same match as {seen[match.key]}, left out"))
        if not all(fresh):
            library = library.only(np.array(fresh, dtype=bool))
        part = library.decisions
        parts.append(replace(part, match=(part.match + len(matches)).astype(np.int32)))
        matches += library.matches
    return Library(tuple(matches), _stack(parts), tuple(problems))


def _stack(parts: Sequence[Decisions]) -> Decisions:
    parts = [no_decisions(), *parts]
    columns = {name: np.concatenate([getattr(part, name) for part in parts]) for name in COLUMNS}
    counts = np.concatenate([np.diff(part.option_start) for part in parts])
    options = Options(
        **{
            item.name: np.concatenate([getattr(part.options, item.name) for part in parts])
            for item in fields(Options)
        }
    )
    start = np.concatenate([[0], np.cumsum(counts)]).astype(np.int64)
    return Decisions(**columns, option_start=start, options=options)
