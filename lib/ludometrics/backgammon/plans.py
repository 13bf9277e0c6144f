"""The plan of play that a position stands in, for the player who decides, read off the board alone.

Eleven plans; the first rule that fits names the position, from the most particular to the most general::

    over             one side has borne everything off
    race             no contact: the rearmost checkers have passed each other
    bear-in          all own checkers are in the own home board, and the other holds an anchor there
    crunch           at most 6 own checkers stand outside the own points 1 and 2 (those borne off do not count)
    backgame         two or more anchors in the other's home board
    ace-point        one anchor there, on the other's ace point, and at least 20 pips behind
    blitz            three or more own home points, and the other has a checker on the bar or a blot in that home board
    prime v prime    each side has a prime of four or more points with a checker of the other's behind it
    mutual holding   each side has an anchor on its own 18- to 21-point
    holding          only the player who decides has
    contact          anything else

A point or anchor is two or more checkers. Where the rules leave room:

* The order is a judgement: a crunch comes before the anchors, since a side with six free checkers has no plan left
  but its timing; a backgame that is also a holding game is a backgame; two anchors of which one lies outside the
  home board, on the 18-point, are a holding game.
* The other's ace point is the own 24-point; an anchor on it while level or ahead in the race is no ace-point game.
* A checker is trapped if a whole prime lies in front of it. blunderDB asks only for some point of the other's in
  front of the rearmost checker, which holds of nearly every position with contact; a prime that has been passed
  traps nobody.
* Of a take or pass the plan is that of the player who answers, not of the doubler: his error, his plan.

Source: the rules and numbers are those of blunderDB (github.com/kevung/blunderDB, `gametype`), which takes "over",
"race" and "crunch" from GNU Backgammon's classes of positions and calls the other numbers conventions.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import IntEnum

import numpy as np
from numba import njit

from ludometrics.backgammon.records import SLOTS

POINTS = 24
HOME = 6  # own points 1 to 6; the other's home board is 19 to 24
CRUNCH_CHECKERS = 6
BACKGAME_ANCHORS = 2
ACE_POINT_PIPS = 20
BLITZ_POINTS = 3
PRIME_POINTS = 4
HIGH_ANCHORS = (18, 21)


class Plan(IntEnum):
    """Plans of play, in the order of the rules."""

    OVER = 0
    RACE = 1
    BEAR_IN = 2
    CRUNCH = 3
    BACKGAME = 4
    ACE_POINT = 5
    BLITZ = 6
    PRIME_V_PRIME = 7
    MUTUAL_HOLDING = 8
    HOLDING = 9
    CONTACT = 10

    @property
    def label(self) -> str:
        """As tables and reports name it."""
        return PLAN_LABELS[self]


PLAN_LABELS = (
    "over",
    "race",
    "bear-in",
    "crunch",
    "backgame",
    "ace-point",
    "blitz",
    "prime v prime",
    "mutual holding",
    "holding",
    "contact",
)


def classify_boards(boards: np.ndarray) -> np.ndarray:
    """Plans of many positions.

    Parameters
    ----------
    boards : (n, 26) int8
        Each seen by the player whose plan is asked for.

    Returns
    -------
    (n,) int8
        `Plan`.

    Raises
    ------
    ValueError
        Not 26 columns.

    Examples
    --------
    >>> from ludometrics.backgammon.plans import classify_boards, Plan
    >>> start = [0, -2, 0, 0, 0, 0, 5, 0, 3, 0, 0, 0, -5, 5, 0, 0, 0, -3, 0, -5, 0, 0, 0, 0, 2, 0]
    >>> Plan(classify_boards([start])[0]).label
    'contact'
    """
    boards = np.ascontiguousarray(boards, dtype=np.int8)
    if boards.ndim != 2 or boards.shape[1] != SLOTS:
        raise ValueError(f"boards have the shape {boards.shape}, allowed is (n, {SLOTS})")
    return _classify(boards)


def classify_board(board: Sequence[int]) -> Plan:
    """Plan of one position, by the rules written out: the plain twin of `classify_boards`."""
    own = [max(int(count), 0) for count in board]
    # The other's checkers by his own numbering: his ace point is our 24-point, his bar our 0.
    other = [max(-int(count), 0) for count in reversed(board)]
    rear, other_rear = _rearmost(own), _rearmost(other)
    if not (rear and other_rear):
        return Plan.OVER
    if rear + other_rear <= POINTS:
        return Plan.RACE
    if rear <= HOME and _anchors(other, POINTS + 1 - HOME, POINTS):
        return Plan.BEAR_IN
    if sum(own[3:]) <= CRUNCH_CHECKERS:
        return Plan.CRUNCH
    deep = _anchors(own, POINTS + 1 - HOME, POINTS)
    if len(deep) >= BACKGAME_ANCHORS:
        return Plan.BACKGAME
    if deep == [POINTS] and _pips(own) - _pips(other) >= ACE_POINT_PIPS:
        return Plan.ACE_POINT
    attacked = other[25] or 1 in other[POINTS + 1 - HOME : POINTS + 1]
    if len(_anchors(own, 1, HOME)) >= BLITZ_POINTS and attacked:
        return Plan.BLITZ
    if _traps(own, other_rear) and _traps(other, rear):
        return Plan.PRIME_V_PRIME
    if _anchors(own, *HIGH_ANCHORS):
        return Plan.MUTUAL_HOLDING if _anchors(other, *HIGH_ANCHORS) else Plan.HOLDING
    return Plan.CONTACT


def _rearmost(side: Sequence[int]) -> int:
    return max((point for point in range(1, SLOTS) if side[point]), default=0)


def _anchors(side: Sequence[int], first: int, last: int) -> list[int]:
    return [point for point in range(first, last + 1) if side[point] >= 2]


def _pips(side: Sequence[int]) -> int:
    return sum(point * count for point, count in enumerate(side))


def _traps(side: Sequence[int], other_rear: int) -> bool:
    """Whether a prime of ``side`` lies in front of the other's checker on his own point ``other_rear``."""
    for first in range(POINTS + 2 - other_rear, POINTS + 2 - PRIME_POINTS):
        if all(side[point] >= 2 for point in range(first, first + PRIME_POINTS)):
            return True
    return False


@njit(cache=True)
def _classify(boards):  # pragma: no cover - compiled
    plans = np.empty(len(boards), dtype=np.int8)
    for row in range(len(boards)):
        plans[row] = _classify_one(boards[row])
    return plans


@njit(cache=True)
def _classify_one(board):  # pragma: no cover - compiled
    own_count = other_count = free = pips = 0
    rear, front = 0, POINTS + 1  # own rearmost checker; the other's rearmost, on our numbering
    deep = home = high = other_deep = other_high = blots = 0
    for point in range(POINTS + 2):
        count = board[point]
        if count > 0:
            own_count += count
            rear = point
            pips += count * point
            if point > 2:
                free += count
        elif count < 0:
            other_count -= count
            front = min(front, point)
            pips += count * (POINTS + 1 - point)
        if 1 <= point <= POINTS:
            if count >= 2:
                home += point <= HOME
                deep += point > POINTS - HOME
                high += HIGH_ANCHORS[0] <= point <= HIGH_ANCHORS[1]
            elif count <= -2:
                other_deep += point <= HOME
                other_high += HIGH_ANCHORS[0] <= POINTS + 1 - point <= HIGH_ANCHORS[1]
            elif count == -1:
                blots += point <= HOME
    if own_count == 0 or other_count == 0:
        return 0
    if rear < front:
        return 1
    if rear <= HOME and other_deep > 0:
        return 2
    if free <= CRUNCH_CHECKERS:
        return 3
    if deep >= BACKGAME_ANCHORS:
        return 4
    if deep == 1 and board[POINTS] >= 2 and pips >= ACE_POINT_PIPS:
        return 5
    if home >= BLITZ_POINTS and (board[0] < 0 or blots > 0):
        return 6
    if _primes(board, rear, front):
        return 7
    if high > 0:
        return 8 if other_high > 0 else 9
    return 10


@njit(cache=True)
def _primes(board, rear, front):  # pragma: no cover - compiled
    own_run = other_run = 0
    own_traps = other_traps = False
    for point in range(1, POINTS + 1):
        # Ours stops the other's checker that comes up from `front`; his stops ours that comes down from `rear`.
        own_run = own_run + 1 if board[point] >= 2 and point > front else 0
        other_run = other_run + 1 if board[point] <= -2 and point < rear else 0
        own_traps |= own_run >= PRIME_POINTS
        other_traps |= other_run >= PRIME_POINTS
    return own_traps and other_traps
