"""Candidate plays of a decision in one cell of a CSV.

``play:equity chances @depth; play:equity ...`` in which chances (to win, win a gammon, win a backgammon, lose a gammon,
lose a backgammon) are five numbers or nothing, and the equity is empty, or ?, where the play was never valued. A play
is a word (`play_words`), a board of 26 signs as in an XGID, a Position ID, or in notation as 8/5 6/5.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numba import njit

from ludometrics.backgammon.boards import as_board
from ludometrics.backgammon.building import Option
from ludometrics.backgammon.notation import parse_play
from ludometrics.backgammon.play_words import LONGEST, board_after_word, play_word
from ludometrics.backgammon.position_ids import POSITION_CHARACTERS, board_from_position_id
from ludometrics.backgammon.records import SLOTS, UNKNOWN

#: Signs of a board by count from -15 to 15: as in an XGID capitals are the decider's, but nobody is a dot, since
#: spreadsheets take texts that begin with a dash for formulas; the dash is read as well.
SIGNS = "onmlkjihgfedcba.ABCDEFGHIJKLMNO"
_FULL = len(SIGNS) // 2
#: Count of each sign; a byte that is none has this.
NO_SIGN = 100
_COUNTS = np.full(256, NO_SIGN, np.int8)
_COUNTS[[ord(sign) for sign in SIGNS]] = np.arange(-_FULL, _FULL + 1)
_COUNTS[ord("-")] = 0
_SIGNS = np.frombuffer(SIGNS.encode("ascii"), np.uint8)

#: Fault of a play that is neither a word nor a board; the others are those of words.
NO_PLAY = 22
_WHOLE, _SLOW_EQUITY, _SLOW = 0, 1, 2


def board_text(board: Sequence[int] | np.ndarray) -> str:
    """The 26 signs of a board.

    Examples
    --------
    >>> from ludometrics.backgammon.boards import START
    >>> board_text(START)
    '.b....E.C...eE...c.e....B.'
    """
    return board_texts(np.asarray(board)[None])[0]


def board_texts(boards: np.ndarray) -> list[str]:
    """The 26 signs of each of ``boards`` (n, 26)."""
    joined = _SIGNS[np.asarray(boards, np.int16) + _FULL].tobytes().decode("ascii")
    return [joined[place : place + SLOTS] for place in range(0, len(joined), SLOTS)]


def read_board(text: str) -> np.ndarray:
    """The board, (26,) int8, of 26 signs or a Position ID.

    Raises
    ------
    ValueError
        Neither of them, or no board.
    """
    plain = text.replace("-", ".")
    if len(text) == SLOTS and set(plain) <= set(SIGNS):
        return as_board(np.array([SIGNS.index(sign) - _FULL for sign in plain]))
    if len(text) == POSITION_CHARACTERS:
        return as_board(np.array(board_from_position_id(text)))
    raise ValueError(f"board {text!r}, allowed are {SLOTS} signs as in an XGID and Position IDs")


def read_boards(data: np.ndarray, offsets: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Boards (n, 26) of n texts that lie one after another, and (n,) bool which of them `read_board` must see."""
    lengths = np.diff(offsets)
    slow = lengths != SLOTS
    boards = np.zeros((len(lengths), SLOTS), np.int8)
    starts = offsets[:-1][~slow]
    boards[~slow] = _COUNTS[data[starts[:, None] + np.arange(SLOTS)]]
    return boards, slow | (boards == NO_SIGN).any(axis=1)


def read_play(text: str, board: np.ndarray, dice: Sequence[int]) -> np.ndarray:
    """The board after a play of whatever form.

    Raises
    ------
    ValueError
        Saying what is wrong.
    """
    if "/" in text:
        return as_board(parse_play(text, board, dice))
    if 0 < len(text) <= LONGEST:
        return board_after_word(board, text, (int(dice[0]), int(dice[1])))
    return read_board(text)


def read_option(text: str, board: np.ndarray, dice: Sequence[int]) -> Option:
    """One candidate of a cell.

    Raises
    ------
    ValueError
        Saying what is wrong.

    Examples
    --------
    >>> from ludometrics.backgammon.boards import START
    >>> option = read_option("8/5 6/5: 0.16 @2", START, (3, 1))
    >>> board_text(option.board), option.equity, option.depth
    ('.b...BD.B...eE...c.e....B.', 0.16, 2)
    """
    play, colon, rest = text.strip().partition(":")
    if not colon:
        raise ValueError(f"option {text.strip()!r}, wanted is play:equity")
    words = rest.split()
    depth = UNKNOWN
    if words and words[-1].startswith("@"):
        depth = _whole(words.pop()[1:])
    if len(words) not in (0, 1, 6):
        raise ValueError(f"option {text.strip()!r} has {len(words)} numbers, allowed are 0, 1 and 6")
    numbers = [
        math.nan if word == "?" and place == 0 else _number(word) for place, word in enumerate(words)
    ] or [math.nan]
    return Option(read_play(play.strip(), board, dice), numbers[0], numbers[1:] or None, depth)


def _number(text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not math.isfinite(value) or "_" in text:
        raise ValueError(f"{text!r} is no number")
    return value


def _whole(text: str) -> int:
    if not (text.isascii() and text.isdecimal() and len(text) <= 5):
        raise ValueError(f"depth {text!r}, allowed are whole numbers from 0 on")
    return int(text)


class Cells:
    """Options of n cells, as columns.

    Attributes
    ----------
    start : (n + 1,) int64
    board, equity, shares, depth
        As in `records.Options`.
    slow : (k,) bool
        Options that `read_option` must read.
    """

    def __init__(self, data: np.ndarray, offsets: np.ndarray, boards: np.ndarray, dice: np.ndarray) -> None:
        counts = _count_options(data, offsets)
        self.start = np.concatenate([[0], np.cumsum(counts)]).astype(np.int64)
        total = int(self.start[-1])
        self.board = np.zeros((total, SLOTS), np.int8)
        self.equity = np.full(total, np.nan)
        self.shares = np.full((total, 5), np.nan, np.float32)
        self.depth = np.full(total, UNKNOWN, np.int16)
        self.places = np.zeros((total, 2), np.int64)
        state = np.zeros(total, np.int8)
        numbers = np.zeros((total, 2), np.int64)
        _read_cells(
            data,
            offsets,
            boards,
            dice,
            self.start,
            self.board,
            self.equity,
            self.shares,
            self.depth,
            self.places,
            numbers,
            state,
        )
        text = memoryview(data)
        for option in np.flatnonzero(state == _SLOW_EQUITY):
            low, high = numbers[option]
            try:
                self.equity[option] = _number(bytes(text[low:high]).decode("utf-8", "replace"))
            except ValueError:
                state[option] = _SLOW
        self.slow = state == _SLOW


@njit(cache=True)
def _count_options(data, offsets):
    counts = np.zeros(len(offsets) - 1, np.int64)
    for row in range(len(counts)):
        for place in range(offsets[row], offsets[row + 1]):
            if data[place] != 32:
                counts[row] = max(counts[row], 1)
            if data[place] == 59:  # ;
                counts[row] += 1
    return counts


@njit(cache=True)
def read_number(data, low, high):
    """A decimal number and 0, or 0 and 1 where it needs more care than this takes."""
    place, negative = low, False
    if place < high and (data[place] == 45 or data[place] == 43):
        negative = data[place] == 45
        place += 1
    value, digits, decimals, point = np.int64(0), 0, 0, False
    while place < high:
        letter = data[place]
        if letter == 46 and not point:
            point = True
        elif 48 <= letter <= 57:
            value = value * 10 + (letter - 48)
            digits += 1
            decimals += point
        else:
            return 0.0, 1
        if digits > 15:  # more than a double holds exactly
            return 0.0, 1
        place += 1
    if digits == 0:
        return 0.0, 1
    # Both are whole numbers below 2^53, so that the quotient is the nearest double to what is written.
    result = value / 10.0**decimals
    return (-result if negative else result), 0


@njit(cache=True)
def _read_cells(data, offsets, boards, dice, start, after, equity, shares, depth, places, numbers, state):
    for row in range(len(offsets) - 1):
        place, end = offsets[row], offsets[row + 1]
        for option in range(start[row], start[row + 1]):
            stop = place
            while stop < end and data[stop] != 59:
                stop += 1
            places[option, 0], places[option, 1] = place, stop
            state[option] = _read_one(
                data,
                place,
                stop,
                boards[row],
                dice[row],
                after[option],
                equity,
                shares,
                depth,
                numbers,
                option,
            )
            place = stop + 1


@njit(cache=True)
def put_play(data, low, high, board, dice, after):
    """Put the board after a word, or the 26 signs of one, into ``after``; 0 or the number of a fault."""
    length = high - low
    if length <= 4:
        after[:] = board
        return play_word(after, np.int64(dice[0]), np.int64(dice[1]), data[low:high], length)
    if length != SLOTS:
        return NO_PLAY
    for slot in range(SLOTS):
        after[slot] = _COUNTS[data[low + slot]]
        if after[slot] == NO_SIGN:
            return NO_PLAY
    return 0


@njit(cache=True)
def _read_one(data, low, high, board, dice, after, equity, shares, depth, numbers, option):
    """Read an option as writers put it down; `_SLOW` where it is written otherwise."""
    while low < high and data[low] == 32:
        low += 1
    colon = low
    while colon < high and data[colon] != 58:
        colon += 1
    if colon == high or put_play(data, low, colon, board, dice, after) != 0:
        return _SLOW
    place, field, outcome = colon + 1, 0, _WHOLE
    while place < high:
        if data[place] == 32:
            place += 1
            continue
        stop = place
        while stop < high and data[stop] != 32:
            stop += 1
        if data[place] == 64:  # @
            value, fault = read_number(data, place + 1, stop)
            if fault != 0 or value > 32000 or value != np.floor(value) or stop != high:
                return _SLOW
            depth[option] = np.int16(value)
        else:
            value, fault = read_number(data, place, stop)
            if field == 0 and stop - place == 1 and data[place] == 63:  # ?
                value, fault = np.nan, 0
            if field > 5 or (field > 0 and fault != 0):
                return _SLOW
            if field > 0:
                shares[option, field - 1] = value
            else:
                equity[option] = value
                if fault != 0:
                    numbers[option, 0], numbers[option, 1], outcome = place, stop, _SLOW_EQUITY
            field += 1
        place = stop
    return outcome if field in (0, 1, 6) else _SLOW
