"""Collects the decisions of a file row by row, checks each, and makes the columns of `records`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple

import numpy as np

from ludometrics.backgammon.records import (
    CHECKERS,
    COLUMNS,
    LONGEST_MATCH,
    SLOTS,
    UNKNOWN,
    Decisions,
    Kind,
    Library,
    Match,
    Opinion,
    Options,
    Problem,
)


class RecordError(ValueError):
    """A decision that cannot be: says what was given and what is allowed."""


class Option(NamedTuple):
    """One candidate play: the board after it, still seen by its player."""

    board: Sequence[int]
    equity: float
    shares: Sequence[float] | None = None
    depth: int = UNKNOWN


def check_board(board: Sequence[int]) -> None:
    """Raise RecordError unless ``board`` has 26 slots, at most 15 checkers a side, and nobody on the other's bar."""
    if len(board) != SLOTS:
        raise RecordError(f"a board has {len(board)} slots, allowed are {SLOTS}")
    own = sum(count for count in board if count > 0)
    other = -sum(count for count in board if count < 0)
    if own > CHECKERS or other > CHECKERS:
        raise RecordError(f"{max(own, other)} checkers of one side, allowed are {CHECKERS}")
    if board[0] > 0 or board[SLOTS - 1] < 0:
        raise RecordError("checkers stand on the other side's bar")


@dataclass
class RecordBuilder:
    """Collects the decisions of one file, row by row, and checks each.

    ``match()`` begins a match; ``game()`` a game; then one of ``checker``, ``double``, ``response`` for each decision.
    """

    matches: list[Match] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)
    _rows: dict[str, list] = field(default_factory=lambda: {name: [] for name in COLUMNS})
    _counts: list[int] = field(default_factory=list)
    _options: list[Option] = field(default_factory=list)
    _game: int = 0
    _score: tuple[int, int] = (0, 0)
    _crawford: bool = False
    _post_crawford: bool = False

    def match(self, match: Match) -> None:
        """Begin ``match``; its length is made 0 (money) where it is no length of a match."""
        if not 1 <= match.length <= LONGEST_MATCH:
            match = replace(match, length=0)
        self.matches.append(match)

    def end_match(self, final_score: tuple[int, int] | None) -> None:
        """Note the final score of the match begun last."""
        self.matches[-1] = replace(self.matches[-1], final_score=final_score)

    def game(
        self,
        number: int,
        score: tuple[int, int],
        *,
        crawford: bool = False,
        post_crawford: bool | None = None,
    ) -> None:
        """Begin game ``number`` at ``score`` (points by seat); post-Crawford is inferred where it is None."""
        length = self.matches[-1].length
        if length and max(score) >= length:
            raise RecordError(f"game {number} begins at {score[0]}-{score[1]} of a match to {length} points")
        if min(score) < 0:
            raise RecordError(f"game {number} begins at {score[0]}-{score[1]}, below 0")
        self._game, self._score, self._crawford = number, score, bool(crawford and length)
        if post_crawford is None:
            post_crawford = bool(length) and not crawford and length - max(score) == 1 and length > 1
        self._post_crawford = bool(post_crawford)

    def _add(self, *, seat: int, board: Sequence[int], counted_options: Sequence[Option], **columns) -> None:
        check_board(board)
        if seat not in (0, 1):
            raise RecordError(f"seat {seat}, allowed are 0 and 1")
        cube = columns["cube"]
        if cube < 1 or cube & (cube - 1):
            raise RecordError(f"cube {cube}, allowed are powers of two")
        length = self.matches[-1].length
        away = (length - self._score[seat], length - self._score[1 - seat]) if length else (0, 0)
        values = {
            "match": len(self.matches) - 1,
            "game": self._game,
            "seat": seat,
            "away": away,
            "crawford": self._crawford,
            "post_crawford": self._post_crawford,
            "board": tuple(board),
            "dice": (0, 0),
            "legal_plays": UNKNOWN,
            "equities": (np.nan, np.nan, np.nan),
            "luck": np.nan,
            **columns,
        }
        for name, column in self._rows.items():
            column.append(values[name])
        self._counts.append(len(counted_options))
        self._options += counted_options

    def checker(
        self,
        *,
        seat: int,
        move: int,
        board: Sequence[int],
        dice: tuple[int, int],
        played: int,
        options: Sequence[Option],
        cube: int,
        cube_owner: int,
        legal_plays: int | None = None,
        luck: float | None = None,
        duration_ms: int | None = None,
        opinion: Opinion = Opinion.NONE,
        line: int = 0,
    ) -> None:
        """Add a checker play; ``played`` is the row among ``options`` or UNKNOWN. A dance has no options."""
        if not all(1 <= die <= 6 for die in dice):
            raise RecordError(f"dice {dice[0]} and {dice[1]}, allowed are 1 to 6")
        if played != UNKNOWN and not 0 <= played < len(options):
            raise RecordError(f"option {played} played of {len(options)}")
        for option in options:
            check_board(option.board)
        self._add(
            seat=seat,
            board=board,
            counted_options=options,
            move=move,
            kind=Kind.CHECKER,
            dice=(max(dice), min(dice)),
            played=played,
            cube=cube,
            cube_owner=cube_owner,
            legal_plays=UNKNOWN if legal_plays is None else legal_plays,
            luck=np.nan if luck is None else luck,
            duration_ms=UNKNOWN if duration_ms is None else duration_ms,
            depth=max((option.depth for option in options), default=UNKNOWN),
            opinion=opinion,
            line=line,
        )

    def double(self, **columns) -> None:
        """Add a doubler's decision: `cube_decision` with kind DOUBLE."""
        self.cube_decision(Kind.DOUBLE, **columns)

    def response(self, **columns) -> None:
        """Add a take or a pass: `cube_decision` with kind RESPONSE."""
        self.cube_decision(Kind.RESPONSE, **columns)

    def cube_decision(
        self,
        kind: Kind,
        *,
        seat: int,
        move: int,
        board: Sequence[int],
        played: int,
        equities: Sequence[float] | None,
        cube: int,
        cube_owner: int,
        duration_ms: int | None = None,
        depth: int = UNKNOWN,
        opinion: Opinion = Opinion.NONE,
        line: int = 0,
    ) -> None:
        """Add a cube decision; ``equities`` no double, double and take, double and pass as the DOUBLER sees them."""
        if played not in (UNKNOWN, 0, 1):
            raise RecordError(f"cube action {played}, allowed are 0, 1 and {UNKNOWN}")
        self._add(
            seat=seat,
            board=board,
            counted_options=(),
            move=move,
            kind=kind,
            played=played,
            equities=(np.nan,) * 3 if equities is None else tuple(equities),
            cube=cube,
            cube_owner=cube_owner,
            duration_ms=UNKNOWN if duration_ms is None else duration_ms,
            depth=depth,
            opinion=opinion,
            line=line,
        )

    def decisions(self) -> Decisions:
        """What has been added so far, in columns."""
        columns = {}
        for name, (dtype, width) in COLUMNS.items():
            shape = (len(self._counts), width) if width else (len(self._counts),)
            columns[name] = np.array(self._rows[name], dtype=dtype).reshape(shape)
        nothing = (np.nan,) * 5
        options = Options(
            board=np.array([option.board for option in self._options], dtype=np.int8).reshape(-1, SLOTS),
            equity=np.array([option.equity for option in self._options], dtype=np.float64),
            shares=np.array(
                [nothing if option.shares is None else option.shares for option in self._options],
                dtype=np.float32,
            ).reshape(-1, 5),
            depth=np.array([option.depth for option in self._options], dtype=np.int16),
        )
        start = np.concatenate([[0], np.cumsum(self._counts)]).astype(np.int64)
        return Decisions(**columns, option_start=start, options=options)

    def library(self) -> Library:
        """The library of everything added."""
        return Library(tuple(self.matches), self.decisions(), tuple(self.problems))
