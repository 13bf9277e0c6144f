"""Boards of 26 slots (`records`): turned round, pip counts, contact, checkers borne off."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ludometrics.backgammon.records import CHECKERS, SLOTS

BAR = SLOTS - 1  # slot of the own bar; slot 0 is the other's

#: The opening position.
START = np.array([0, -2, 0, 0, 0, 0, 5, 0, 3, 0, 0, 0, -5, 5, 0, 0, 0, -3, 0, -5, 0, 0, 0, 0, 2, 0], np.int8)
START.flags.writeable = False

_OWN_DISTANCE = np.arange(SLOTS)
_OTHER_DISTANCE = BAR - _OWN_DISTANCE


def as_boards(boards: np.ndarray) -> np.ndarray:
    """``boards`` as (n, 26) int8, checked.

    Raises
    ------
    ValueError
        Another shape, more than 15 checkers of a side, or checkers on the other's bar; names the row.
    """
    values = np.asarray(boards)
    if values.ndim != 2 or values.shape[1] != SLOTS:
        raise ValueError(f"boards of shape {values.shape}, wanted (n, {SLOTS})")
    if len(values) and values.dtype.kind not in "iu":
        raise ValueError(f"boards of {values.dtype}, wanted are whole numbers")
    values = values.astype(np.int64, copy=False)
    own = np.where(values > 0, values, 0).sum(axis=1)
    other = -np.where(values < 0, values, 0).sum(axis=1)
    wrong = (own > CHECKERS) | (other > CHECKERS) | (values[:, 0] > 0) | (values[:, BAR] < 0)
    if wrong.any():
        row = int(np.argmax(wrong))
        if values[row, 0] > 0 or values[row, BAR] < 0:
            raise ValueError(f"board {row}: checkers stand on the other side's bar")
        most = max(own[row], other[row])
        raise ValueError(f"board {row}: {most} checkers of one side, allowed are {CHECKERS}")
    return values.astype(np.int8)


def as_board(board: Sequence[int] | np.ndarray) -> np.ndarray:
    """``board`` as (26,) int8, checked as `as_boards` does."""
    values = np.asarray(board)
    if values.shape != (SLOTS,) or values.dtype.kind not in "iu":
        raise ValueError(f"a board of {values.size} slots ({values.dtype}), wanted are {SLOTS} whole numbers")
    counts = values.tolist()
    own = sum(count for count in counts if count > 0)
    other = own - sum(counts)
    if own > CHECKERS or other > CHECKERS:
        raise ValueError(f"{max(own, other)} checkers of one side, allowed are {CHECKERS}")
    if counts[0] > 0 or counts[BAR] < 0:
        raise ValueError("checkers stand on the other side's bar")
    return np.array(counts, np.int8)


def flip(board: np.ndarray) -> np.ndarray:
    """The same position seen by the other side.

    Parameters
    ----------
    board : (26,) or (n, 26) int

    Returns
    -------
    Of the same shape.

    Examples
    --------
    >>> bool((flip(START) == START).all())  # the opening looks the same from both sides
    True
    """
    return -np.asarray(board)[..., ::-1]


def boards_pips(boards: np.ndarray) -> np.ndarray:
    """Pip counts, own and other's, (n, 2) int32, of ``boards`` (n, 26); a checker on the bar has 25 to go."""
    values = np.asarray(boards).astype(np.int32)
    own = np.where(values > 0, values, 0) @ _OWN_DISTANCE
    other = np.where(values < 0, -values, 0) @ _OTHER_DISTANCE
    return np.stack([own, other], axis=1).astype(np.int32)


def pips(board: np.ndarray) -> tuple[int, int]:
    """Pip counts of the player and of the other.

    Examples
    --------
    >>> pips(START)
    (167, 167)
    """
    own, other = boards_pips(np.asarray(board)[None])[0]
    return int(own), int(other)


def boards_contact(boards: np.ndarray) -> np.ndarray:
    """Whether the sides of ``boards`` (n, 26) can still meet, (n,) bool.

    They can while a checker of one stands behind a checker of the other; a side without checkers meets nobody.
    """
    values = np.asarray(boards)
    slots = np.arange(SLOTS)
    rearmost = np.where(values > 0, slots, -1).max(axis=1)
    foremost_other = np.where(values < 0, slots, SLOTS).min(axis=1)
    return (rearmost > foremost_other) & (rearmost >= 0)


def has_contact(board: np.ndarray) -> bool:
    """Whether the two sides can still meet.

    Examples
    --------
    >>> has_contact(START)
    True
    """
    return bool(boards_contact(np.asarray(board)[None])[0])


def boards_off(boards: np.ndarray) -> np.ndarray:
    """Checkers borne off, own and other's, (n, 2) int32, of ``boards`` (n, 26)."""
    values = np.asarray(boards).astype(np.int32)
    own = np.where(values > 0, values, 0).sum(axis=1)
    other = np.where(values < 0, -values, 0).sum(axis=1)
    return np.stack([CHECKERS - own, CHECKERS - other], axis=1).astype(np.int32)


def off(board: np.ndarray) -> tuple[int, int]:
    """Checkers that the player and the other have borne off.

    Examples
    --------
    >>> off(START)
    (0, 0)
    """
    own, other = boards_off(np.asarray(board)[None])[0]
    return int(own), int(other)


def distinct_boards(boards: np.ndarray) -> int:
    """How many different boards there are among ``boards`` (k, 26)."""
    values = np.asarray(boards)
    if values.ndim != 2 or values.shape[1] != SLOTS:
        raise ValueError(f"boards of shape {values.shape}, wanted (k, {SLOTS})")
    return len(np.unique(values, axis=0))
