"""Long lists of numbers in JSON, read without making an object of every number.

`number_lists` takes them out of a text and leaves marks, so that the rest can be read as JSON usually is; each list is
then read straight into an array. What a list of numbers and nulls may look like is what JSON allows; a list with
anything else in it is left where it is.
"""

from __future__ import annotations

import re
from typing import NamedTuple

import numpy as np
from numba import njit

from ludometrics.backgammon.option_cells import read_number

#: Field of the object that stands for a list.
MARK = "@list"
#: Shorter lists stay.
SHORTEST = 4096
# The name's closing quote followed by a colon cannot stand inside a text of JSON, where quotes have a backslash before.
_LIST = re.compile(rb'"[a-z_]+":[ \n\r\t]*\[([-+0-9.eE,nul \n\r\t]{%d,})\]' % SHORTEST)


class Span(NamedTuple):
    """Where a list stands, without its brackets."""

    low: int
    high: int


def number_lists(content: bytes) -> tuple[bytes, list[Span]]:
    """The text with ``{"@list": k}`` for the k-th long list of numbers, and where the lists stand.

    Examples
    --------
    >>> number_lists(b'{"luck": [1, 2]}')
    (b'{"luck": [1, 2]}', [])
    """
    spans, pieces, place = [], [], 0
    data = np.frombuffer(content, np.uint8)
    for found in _LIST.finditer(content):
        low, high = found.span(1)
        if _count(data, low, high) < 0:
            continue
        pieces += [content[place : low - 1], b'{"%s": %d}' % (MARK.encode("ascii"), len(spans))]
        spans.append(Span(low, high))
        place = high + 1
    return (b"".join([*pieces, content[place:]]) if spans else content), spans


def read_numbers(data: np.ndarray, span: Span) -> np.ndarray:
    """The list at ``span`` of the bytes ``data`` as float64, NaN for null."""
    count = _count(data, span.low, span.high)
    values, slow = np.empty(count), np.zeros((count, 2), np.int64)
    _read(data, span.low, span.high, values, slow)
    for number in np.flatnonzero(slow[:, 1]).tolist():
        low, high = slow[number]
        values[number] = float(data[low:high].tobytes())
    return values


@njit(cache=True)
def _is_space(letter):
    return letter == 32 or letter == 10 or letter == 13 or letter == 9


@njit(cache=True)
def _is_item(data, low, high):
    """Whether null or a number of JSON stands from low to high."""
    if high - low == 4 and data[low] == 110:
        return data[low + 1] == 117 and data[low + 2] == 108 and data[low + 3] == 108
    place = low + 1 if low < high and data[low] == 45 else low
    if place >= high or not 48 <= data[place] <= 57:
        return False
    if data[place] == 48 and place + 1 < high and 48 <= data[place + 1] <= 57:
        return False
    for part in range(3):  # whole part, fraction, exponent
        digits = 0
        while place < high and 48 <= data[place] <= 57:
            place += 1
            digits += 1
        if digits == 0:
            return False
        if place == high:
            return True
        if part == 0 and data[place] == 46:
            place += 1
        elif part < 2 and (data[place] == 101 or data[place] == 69):
            place += 1
            if place < high and (data[place] == 43 or data[place] == 45):
                place += 1
            while place < high and 48 <= data[place] <= 57:
                place += 1
            before = data[place - 1]
            return place == high and 48 <= before <= 57
        else:
            return False
    return False


@njit(cache=True)
def _count(data, low, high):
    """How many items the list has; -1 where it is no list of numbers and nulls."""
    count, place = 0, low
    while True:
        stop = place
        while stop < high and data[stop] != 44:
            stop += 1
        first, last = place, stop
        while first < last and _is_space(data[first]):
            first += 1
        while last > first and _is_space(data[last - 1]):
            last -= 1
        if not _is_item(data, first, last):
            return -1
        count += 1
        if stop == high:
            return count
        place = stop + 1


@njit(cache=True)
def _read(data, low, high, values, slow):
    place = low
    for number in range(len(values)):
        stop = place
        while stop < high and data[stop] != 44:
            stop += 1
        first, last = place, stop
        while _is_space(data[first]):
            first += 1
        while _is_space(data[last - 1]):
            last -= 1
        if data[first] == 110:
            values[number] = np.nan
        else:
            values[number], fault = read_number(data, first, last)
            if fault != 0:
                slow[number, 0], slow[number, 1] = first, last
        place = stop + 1
