"""Positions, plays, depths and equities as documents of GammonView Analysis write them.

White is seat 0, Black seat 1. Points are counted once for both: White moves from 1 up to 24 and enters from 0, Black
moves down from 24 and enters from 25. A position stands in an OGID, ``white:black:cube:dice:colour:state:score:score:
length``, one sign a checker.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from ludometrics.backgammon.boards import BAR
from ludometrics.backgammon.records import ROLLOUT_DEPTH, SLOTS, UNKNOWN

#: Depth of the first truncated rollout, `XG Roller`; the next two follow it.
TRUNCATED_DEPTH = 51
#: Larger in size stands for "not analysed" in these files.
GREATEST_EQUITY = 100.0

WHITE, BLACK = 0, 1
_PIPS = "0123456789abcdefghijklmnop"

Board = tuple[int, ...]


class State(NamedTuple):
    """A position with its cube: the board as White sees it, the owner a seat or None."""

    board: Board
    cube: int
    owner: int | None
    score: tuple[int, int]

    def seen_by(self, seat: int) -> Board:
        """The board as ``seat`` sees it."""
        return self.board if seat == WHITE else turned(self.board)

    def owner_for(self, seat: int) -> int:
        """`cube_owner` of a decision of ``seat``."""
        return 0 if self.owner is None else 1 if self.owner == seat else -1


def turned(board: Sequence[int]) -> Board:
    """The board seen by the other side."""
    return tuple(-count for count in reversed(board))


def read_ogid(text: str) -> State:
    """The position that an OGID states.

    Raises
    ------
    ValueError
        Saying which part is wrong.

    Examples
    --------
    >>> state = read_ogid("11ccccchhhjjjjj:66666888dddddoo:W1N::B:R:2:3:7:5")
    >>> state.cube, state.owner, state.score, state.board[24]
    (2, 0, (2, 3), 2)
    """
    parts = text.split(":")
    if len(parts) < 9:
        raise ValueError(f"OGID {text[:60]!r} has {len(parts)} parts, wanted are at least 9")
    board = [0] * SLOTS
    for signs, sign in ((parts[0], 1), (parts[1], -1)):
        for letter in signs:
            if letter not in _PIPS:
                raise ValueError(f"OGID {text[:60]!r}: {letter!r} is no point, allowed are 0-9 and a-p")
            board[BAR - _PIPS.index(letter)] += sign
    owner, exponent = parts[2][:1], parts[2][1:-1]
    if owner not in "NWBD?" or not exponent.isdecimal() or int(exponent) > 12:
        raise ValueError(f"OGID {text[:60]!r}: {parts[2]!r} is no cube such as N0N or W1N")
    seat = {"W": WHITE, "B": BLACK}.get(owner)
    return State(tuple(board), 1 << int(exponent), seat, (int(parts[6]), int(parts[7])))


def after_steps(board: Sequence[int], steps: Sequence[Mapping[str, int]], seat: int) -> Board:
    """The board after the hops of a play, seen by its player as ``board`` is.

    Raises
    ------
    ValueError
        A hop from where he has no checker, or onto a point that the other holds.
    """
    after = list(board)
    waiting = [
        (BAR - int(step["from"]) if seat == WHITE else int(step["from"]), int(step["pips"])) for step in steps
    ]
    while waiting:
        # The hops of a file may stand in any order: one that has a checker to move comes first.
        ready = [hop for hop in waiting if 0 < hop[0] < SLOTS and after[hop[0]] > 0]
        if not ready:
            raise ValueError(f"a hop from point {waiting[0][0]}, where its player has no checker")
        source, pips = ready[0]
        waiting.remove(ready[0])
        target = source - pips
        if not 1 <= pips <= 24:
            raise ValueError(f"a hop of {pips} pips")
        after[source] -= 1
        if target > 0:
            if after[target] < -1:
                raise ValueError(f"a hop onto point {target}, which the other side holds")
            if after[target] == -1:
                after[target] = 0
                after[0] -= 1
            after[target] += 1
    return tuple(after)


def depth_of(level: Any) -> int:
    """`Options.depth` of a level's name.

    Examples
    --------
    >>> [depth_of(level) for level in ("3ply", "rollout", "truncated2", "database", None)]
    [3, 100, 52, -1, -1]
    """
    if not isinstance(level, str):
        return UNKNOWN
    if level == "rollout":
        return ROLLOUT_DEPTH
    for form, least in (("truncated{}", TRUNCATED_DEPTH - 1), ("{}ply", 0)):
        start, end = form.split("{}")
        number = level.removeprefix(start).removesuffix(end)
        if level == form.format(number) and number.isdecimal() and len(number) == 1:
            return least + int(number)
    return UNKNOWN


def equity_of(value: Any) -> float:
    """A finite equity; NaN for what is none, such as the -1000 of positions not analysed."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return math.nan
    return float(value) if abs(value) < GREATEST_EQUITY else math.nan
