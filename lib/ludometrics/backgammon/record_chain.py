"""Boards and plays of decisions that follow from one another, as our JSON in columns leaves them out.

After a cube decision the board is what it was; after a roll that could not be played too; after a play it is the board
of the option that was played. Whoever decides next sees it from his side. Nothing follows across games.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from ludometrics.backgammon.option_cells import NO_PLAY, put_play
from ludometrics.backgammon.play_words import FAULTS
from ludometrics.backgammon.records import SLOTS, Decisions, Kind

_NO_BOARD, _PLAYED = 21, 23
#: What can be wrong, beside the faults of words.
CHAIN_FAULTS = FAULTS | {
    _NO_BOARD: "board follows from no decision before",
    NO_PLAY: "is neither a word nor a board of 26 signs",
    _PLAYED: "played is the number of no option",
}


def follows(decisions: Decisions) -> np.ndarray:
    """(n,) bool: decisions whose board follows from the decision before."""
    told = np.zeros(len(decisions), bool)
    if len(decisions) < 2:
        return told
    counts = np.diff(decisions.option_start)
    played = (decisions.kind == Kind.CHECKER) & (decisions.played >= 0) & (decisions.played < counts)
    after = decisions.board.copy()
    after[played] = decisions.options.board[(decisions.option_start[:-1] + decisions.played)[played]]
    sure = played | (counts == 0)
    same_game = (np.diff(decisions.match) == 0) & (np.diff(decisions.game) == 0)
    turn = decisions.seat[1:] != decisions.seat[:-1]
    expected = np.where(turn[:, None], -after[:-1, ::-1], after[:-1])
    told[1:] = same_game & sure[:-1] & (expected == decisions.board[1:]).all(axis=1)
    return told


def count_plays(data: np.ndarray, offsets: np.ndarray) -> np.ndarray:
    """How many texts, with spaces between, stand in each of n cells that lie one after another in ``data``."""
    return _count_plays(data, offsets)


def read_chain(
    columns: dict[str, np.ndarray],
    given: np.ndarray,
    data: np.ndarray,
    offsets: np.ndarray,
    start: np.ndarray,
) -> tuple[np.ndarray, np.ndarray, tuple[int, int, int]]:
    """Boards of decisions and of their options.

    Parameters
    ----------
    columns : dict
        match, game, seat, kind, played (n,); board (n, 26) and dice (n, 2).
    given : (n,) bool
        Decisions whose board stands in ``columns``; the others follow.
    data, offsets
        Plays of each decision, with spaces between.
    start : (n + 1,) int64

    Returns
    -------
    boards : (n, 26) int8
    after : (k, 26) int8
    (row, option of the row, fault)
        The first fault, a number of `CHAIN_FAULTS`; -1 for the row where there is none.
    """
    boards = columns["board"].copy()
    after = np.zeros((int(start[-1]), SLOTS), np.int8)
    fault = _read_chain(
        *(np.asarray(columns[name], np.int64) for name in ("match", "game", "seat", "kind", "played")),
        columns["dice"].astype(np.int64),
        given,
        data,
        offsets,
        start,
        boards,
        after,
    )
    return boards, after, fault


@njit(cache=True)
def _count_plays(data, offsets):
    counts = np.zeros(len(offsets) - 1, np.int64)
    for row in range(len(counts)):
        inside = False
        for place in range(offsets[row], offsets[row + 1]):
            if data[place] == 32:
                inside = False
            elif not inside:
                inside = True
                counts[row] += 1
    return counts


@njit(cache=True)
def _read_chain(match, game, seat, kind, played, dice, given, data, offsets, start, boards, after):
    for row in range(len(match)):
        if not given[row]:
            if row == 0 or match[row] != match[row - 1] or game[row] != game[row - 1]:
                return row, -1, _NO_BOARD
            before = boards[row - 1]
            options = start[row] - start[row - 1]
            if kind[row - 1] == 0 and options > 0:
                if played[row - 1] < 0:
                    return row, -1, _NO_BOARD
                before = after[start[row - 1] + played[row - 1]]
            if seat[row] == seat[row - 1]:
                boards[row] = before
            else:
                for slot in range(26):
                    boards[row, slot] = -before[25 - slot]
        if kind[row] == 0 and played[row] >= start[row + 1] - start[row]:
            return row, -1, _PLAYED
        place = offsets[row]
        for option in range(start[row], start[row + 1]):
            while data[place] == 32:
                place += 1
            stop = place
            while stop < offsets[row + 1] and data[stop] != 32:
                stop += 1
            fault = put_play(data, place, stop, boards[row], dice[row], after[option])
            if fault != 0:
                return row, option - start[row], fault
            place = stop
    return -1, -1, 0
