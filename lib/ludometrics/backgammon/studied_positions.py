"""Which decisions a player has studied: the actions of a study table found again among the decisions of a library.

An action names a position by XGID or by Position ID.

* An XGID with a roll means the checker play: same board, same dice, at any score.
* An XGID without a roll means the double, with a double on offer the answer to it: same board, same score.
* A Position ID says only where the checkers stand, seen by the player on roll, and means every decision taken there. An
  answer to a double is found by the board seen from either side, since programs differ in whom they take to be on roll.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import UTC, date, datetime

import numpy as np

from ludometrics.backgammon.position_ids import POSITION_CHARACTERS, board_from_position_id
from ludometrics.backgammon.records import Kind, Library
from ludometrics.backgammon.side_tables import StudyAction
from ludometrics.backgammon.xgid import from_xgid

#: Actions that are study: a mark, a review of any grade, an answer in a quiz.
STUDY = ("studied", "review", "quiz")
#: Actions after which a position has been dealt with and need not be proposed.
HANDLED = ("studied", "review", "card", "collection", "comment")


def studied_rows(
    library: Library, rows: np.ndarray, actions: Iterable[StudyAction], kinds: tuple[str, ...]
) -> np.ndarray:
    """Those of some decisions that an action of one of ``kinds`` names, (j,) int, ascending.

    Parameters
    ----------
    library : Library
    rows : (k,) int
        Decisions to look among.
    actions : iterable of StudyAction
    kinds : tuple of str
        STUDY or HANDLED.

    Raises
    ------
    ValueError
        A text that is neither an XGID nor a Position ID.
    """
    found = [near for _, near in _matches(library, rows, actions, kinds)]
    return np.unique(np.concatenate([np.empty(0, np.int64), *found]))


def first_study_days(
    library: Library, rows: np.ndarray, actions: Iterable[StudyAction]
) -> tuple[dict[int, date], int]:
    """UTC day of the first study action on each of some decisions, and how many study actions met none of them.

    Parameters and errors as of `studied_rows`; decisions never studied are missing.
    """
    days: dict[int, date] = {}
    missed = 0
    for action, near in _matches(library, rows, actions, STUDY):
        missed += not len(near)
        day = study_day(action.when)
        for row in near.tolist():
            days[row] = min(day, days.get(row, day))
    return days, missed


def study_day(when: datetime) -> date:
    """The UTC day of a moment; without a time zone it is UTC already.

    Examples
    --------
    >>> from datetime import timedelta, timezone
    >>> study_day(datetime(2026, 3, 1, 0, 30, tzinfo=timezone(timedelta(hours=2)))).isoformat()
    '2026-02-28'
    """
    return (when if when.tzinfo is None else when.astimezone(UTC)).date()


def _matches(
    library: Library, rows: np.ndarray, actions: Iterable[StudyAction], kinds: tuple[str, ...]
) -> Iterator[tuple[StudyAction, np.ndarray]]:
    """Each action of ``kinds`` with the rows that it names."""
    rows = np.asarray(rows, dtype=np.int64)
    boards = np.ascontiguousarray(library.decisions.board[rows], dtype=np.int8)
    places: dict[bytes, list[int]] = {}
    for place, board in enumerate(boards):
        places.setdefault(board.tobytes(), []).append(place)
    known: dict[str, np.ndarray] = {}
    for action in actions:
        if action.action not in kinds:
            continue
        if action.key not in known:
            known[action.key] = _named_rows(library, rows, places, action.key)
        yield action, known[action.key]


def _named_rows(library: Library, rows: np.ndarray, places: dict, text: str) -> np.ndarray:
    decisions = library.decisions

    def standing(board) -> np.ndarray:
        return rows[places.get(np.array(board, dtype=np.int8).tobytes(), [])]

    if ":" not in text and len(text.strip()) == POSITION_CHARACTERS:
        board = board_from_position_id(text)
        turned = standing([-count for count in reversed(board)])
        answers = turned[decisions.kind[turned] == Kind.RESPONSE]
        return np.union1d(standing(board), answers)
    named = from_xgid(text)
    near = standing(named.board)
    if named.dice != (0, 0):
        same = (decisions.dice[near] == (max(named.dice), min(named.dice))).all(axis=1)
        return near[(decisions.kind[near] == Kind.CHECKER) & same]
    wanted = Kind.RESPONSE if named.doubled else Kind.DOUBLE
    same = (decisions.away[near] == named.away).all(axis=1)
    return near[(decisions.kind[near] == wanted) & same]
