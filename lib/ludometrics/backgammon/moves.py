"""The boards after every legal play of a roll, and how many there are.

Both dice are played if any order allows it, the larger if only one can be, as many as possible of a double; checkers
on the bar come first; a checker bears off when all are home, with a higher roll only from the highest point held. How
plays are written is in `notation`.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ludometrics.backgammon.boards import BAR, as_board, as_boards, distinct_boards
from ludometrics.backgammon.move_loops import HOME, count_plays, list_plays
from ludometrics.backgammon.records import SLOTS, UNKNOWN

__all__ = ["count_legal", "distinct_boards", "legal_boards", "legal_boards_plain"]


def check_dice(dice: Sequence[int] | np.ndarray) -> tuple[int, int]:
    """The two dice of one roll; ValueError unless both are 1 to 6."""
    values = np.asarray(dice)
    if values.shape != (2,) or values.dtype.kind not in "iu" or not ((values >= 1) & (values <= 6)).all():
        raise ValueError(f"dice {values.tolist()}, wanted are two from 1 to 6")
    return int(values[0]), int(values[1])


def legal_boards(board: Sequence[int] | np.ndarray, dice: Sequence[int] | np.ndarray) -> np.ndarray:
    """Different boards after every legal play.

    Parameters
    ----------
    board : (26,) int
        Seen by the player on roll.
    dice : (2,) int
        In any order.

    Returns
    -------
    (k, 26) int8
        Seen by the same player, sorted; k = 0 where he cannot move.

    Raises
    ------
    ValueError
        No board, or no dice.

    Examples
    --------
    >>> from ludometrics.backgammon.boards import START
    >>> legal_boards(START, (3, 1)).shape
    (16, 26)
    """
    first, second = check_dice(dice)
    boards = list_plays(as_board(board), first, second)
    return boards[np.lexsort(boards.T[::-1])]


def count_legal(boards: np.ndarray, dice: np.ndarray) -> np.ndarray:
    """How many different boards each roll allows, 0 where the player cannot move.

    Parameters
    ----------
    boards : (n, 26) int
        Seen by the player on roll.
    dice : (n, 2) int
        0 0 where there is no roll (a cube decision).

    Returns
    -------
    (n,) int32
        UNKNOWN (-1) where there is no roll.

    Raises
    ------
    ValueError
        No board or no dice; names the row.
    """
    boards, dice = as_boards(boards), np.asarray(dice)
    if dice.shape != (len(boards), 2):
        raise ValueError(f"dice of shape {dice.shape} for {len(boards)} boards, wanted ({len(boards)}, 2)")
    if len(dice) and dice.dtype.kind not in "iu":
        raise ValueError(f"dice of {dice.dtype}, wanted are whole numbers")
    no_roll = (dice == 0).all(axis=1)
    wrong = ~(no_roll | ((dice >= 1) & (dice <= 6)).all(axis=1))
    if wrong.any():
        row = int(np.argmax(wrong))
        raise ValueError(f"dice {dice[row].tolist()} of row {row}, wanted are two from 1 to 6, or 0 and 0")
    counts = np.full(len(boards), UNKNOWN, np.int32)
    count_plays(np.ascontiguousarray(boards), np.ascontiguousarray(dice, np.int64), counts)
    return counts


def legal_boards_plain(board: Sequence[int] | np.ndarray, dice: Sequence[int] | np.ndarray) -> np.ndarray:
    """What `legal_boards` gives, slowly: the rules as they are written, by recursion, for comparison."""
    first, second = check_dice(dice)
    orders = [(first,) * 4] if first == second else [(first, second), (second, first)]
    start = tuple(int(count) for count in as_board(board))
    ends = [end for order in orders for end in _ends(start, order)]
    most = max(len(played) for played, _ in ends)
    ends = [(played, after) for played, after in ends if len(played) == most]
    if most == 1:
        largest = max(played[0] for played, _ in ends)
        ends = [(played, after) for played, after in ends if played[0] == largest]
    boards = sorted({after for _, after in ends}) if most else []
    return np.array(boards, np.int8).reshape(-1, SLOTS)


def _ends(board: tuple[int, ...], dice: tuple[int, ...]) -> set[tuple[tuple[int, ...], tuple[int, ...]]]:
    """Dice played and board of every way of playing ``dice`` in this order until none can be."""
    ends = set()
    if dice:
        for after in _after_hop(board, dice[0]):
            ends |= {((dice[0], *played), end) for played, end in _ends(after, dice[1:])}
    return ends or {((), board)}


def _after_hop(board: tuple[int, ...], die: int) -> list[tuple[int, ...]]:
    """The boards after each single hop with ``die``."""
    held = [slot for slot in range(1, SLOTS) if board[slot] > 0]
    boards = []
    for source in [BAR] if BAR in held else held:
        target = source - die
        if target <= 0:
            rearmost = max(held)
            if rearmost > HOME or (target < 0 and source != rearmost):
                continue
        elif board[target] < -1:
            continue
        after = list(board)
        after[source] -= 1
        if target > 0:
            if after[target] == -1:
                after[target] = 0
                after[0] -= 1
            after[target] += 1
        boards.append(tuple(after))
    return boards
