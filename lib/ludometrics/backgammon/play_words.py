"""Plays as words of one to four letters, in which files of decisions keep candidates short.

Each letter is the point that a checker leaves, ``a`` the ace point to ``x`` the 24-point, ``y`` the bar. The larger die
is played first, then the smaller; a word in capitals plays the smaller die first, and one capital alone is the smaller
die alone. Of a double every letter is a hop. So ``hf`` with 31 is 8/5 6/5. A checker hits a blot wherever it lands and
is borne off where a die carries it past the ace point.

A word says where checkers go, not that the rules allow it.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from ludometrics.backgammon.records import SLOTS

LONGEST = 4
#: What can be wrong with a word.
FAULTS = {
    1: "has a letter that is none of a to y",
    2: "has more hops than the dice allow",
    3: "leaves a point where the player has no checker",
    4: "lands on a point that the other side holds",
    5: "mixes capitals and small letters",
}


@njit(cache=True)
def _hop(board, source, die):
    """Move one checker in place; 0 or the number of a fault."""
    if board[source] <= 0:
        return 3
    target = source - die
    if target > 0 and board[target] < -1:
        return 4
    board[source] -= 1
    if target > 0:
        if board[target] == -1:
            board[target] = 0
            board[0] -= 1
        board[target] += 1
    return 0


@njit(cache=True)
def play_word(board, large, small, word, length):
    """Play ``word`` (4 bytes, ``length`` of them letters) on ``board`` (26,) in place; 0 or the number of a fault."""
    if length < 1 or length > (4 if large == small else 2):
        return 2
    capital = word[0] < 97
    for place in range(length):
        letter = word[place]
        if (letter < 97) != capital:
            return 5
        source = letter - (64 if capital else 96)
        if source < 1 or source > 25:
            return 1
        die = large if (place == 0) != capital else small
        fault = _hop(board, source, die)
        if fault != 0:
            return fault
    return 0


@njit(cache=True)
def _same(first, second):
    for slot in range(26):
        if first[slot] != second[slot]:
            return False
    return True


@njit(cache=True)
def _word_of_double(before, after, die, word):
    """Letters of a double: how often each point is left follows from the top down."""
    left = np.zeros(26 + die, np.int64)
    length = 0
    board = before.copy()
    for source in range(25, 0, -1):
        left[source] = max(before[source], 0) - max(after[source], 0) + left[source + die]
        if left[source] < 0:
            return 0
        for _ in range(left[source]):
            if length == 4 or _hop(board, source, die) != 0:
                return 0
            word[length] = 96 + source
            length += 1
    return length if _same(board, after) else 0


@njit(cache=True)
def _word_of_two(before, after, first, second, base, word):
    """Letters of a hop with ``first`` and then one with ``second``, or with ``first`` alone."""
    for source in range(25, 0, -1):
        if before[source] <= 0:
            continue
        board = before.copy()
        if _hop(board, source, first) != 0:
            continue
        word[0] = base + source
        if _same(board, after):
            return 1
        for other in range(25, 0, -1):
            # The second checker leaves where there is one more than there will be.
            if board[other] > 0 and board[other] > after[other]:
                last = board.copy()
                if _hop(last, other, second) == 0 and _same(last, after):
                    word[1] = base + other
                    return 2
                break
    return 0


@njit(cache=True)
def find_word(before, after, large, small, word):
    """Write into ``word`` (4 bytes) a play from ``before`` to ``after``; its length, or 0 where there is none."""
    if large == small:
        return _word_of_double(before, after, large, word)
    length = _word_of_two(before, after, large, small, 96, word)
    if length == 0:
        length = _word_of_two(before, after, small, large, 64, word)
    return length


@njit(cache=True)
def find_words(boards, dice, start, after):
    """Words (k, 4) and their lengths (k,) of the options of n decisions; 0 where a play has no word."""
    words = np.zeros((len(after), 4), np.uint8)
    lengths = np.zeros(len(after), np.int64)
    for row in range(len(boards)):
        for option in range(start[row], start[row + 1]):
            large, small = np.int64(dice[row, 0]), np.int64(dice[row, 1])
            lengths[option] = find_word(boards[row], after[option], large, small, words[option])
    return words, lengths


def word_between(before: np.ndarray, after: np.ndarray, dice: tuple[int, int]) -> str:
    """The word of a play, "" where there is none.

    Parameters
    ----------
    before, after : (26,) int
        Seen by the player.
    dice : (int, int)

    Examples
    --------
    >>> from ludometrics.backgammon.boards import START
    >>> word_between(START, board_after_word(START, "hf", (3, 1)), (1, 3))
    'hf'
    """
    word = np.zeros(LONGEST, np.uint8)
    before, after = np.asarray(before, np.int8), np.asarray(after, np.int8)
    length = find_word(before, after, max(dice), min(dice), word)
    return bytes(word[:length]).decode("ascii")


def board_after_word(board: np.ndarray, word: str, dice: tuple[int, int]) -> np.ndarray:
    """The board after a word, (26,) int8.

    Raises
    ------
    ValueError
        Saying what is wrong with the word.
    """
    after = np.array(board, np.int8).reshape(SLOTS)
    letters = np.zeros(LONGEST, np.uint8)
    encoded = word.encode("utf-8", "replace")[:LONGEST]
    letters[: len(encoded)] = list(encoded)
    fault = play_word(after, max(dice), min(dice), letters, len(word.encode("utf-8", "replace")))
    if fault:
        raise ValueError(f"play {word!r} {FAULTS[fault]}")
    return after
