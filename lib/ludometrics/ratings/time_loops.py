"""The loop that reads dates and times of day written in full."""

import numpy as np
from numba import njit


@njit(cache=True, nogil=True)
def read_stamps(ends, content):
    """Read ``YYYY-MM-DD`` and ``YYYY-MM-DD HH:MM[:SS[.F]][Z]``, also with . or / in the date and T before the time.

    Returns
    -------
    seconds : ndarray of int64, shape (n,)
        Since 1970-01-01.
    unread : ndarray of int64
        Rows that are written in another way.
    """
    n = len(ends) - 1
    seconds = np.zeros(n, dtype=np.int64)
    unread = np.empty(n, dtype=np.int64)
    others = 0
    for row in range(n):
        low, high = ends[row], ends[row + 1]
        known = high - low >= 10
        if known:
            year = _digits(content, low, 4)
            month = _digits(content, low + 5, 2)
            day = _digits(content, low + 8, 2)
            mark = content[low + 4]
            known = (
                year >= 0
                and 1 <= month <= 12
                and 1 <= day <= _month_days(year, month)
                and (mark == 45 or mark == 46 or mark == 47)  # - . /
                and content[low + 7] == mark
            )
        if known:
            clock = 0
            if high - low > 10:
                clock = _clock(content, low + 10, high)
            known = clock >= 0
            seconds[row] = _day_number(year, month, day) * 86_400 + clock
        if not known:
            seconds[row] = 0
            unread[others] = row
            others += 1
    return seconds, unread[:others].copy()


@njit(cache=True, nogil=True)
def _digits(content, at, count):
    value = 0
    for i in range(at, at + count):
        digit = np.int64(content[i]) - 48
        if digit < 0 or digit > 9:
            return -1
        value = 10 * value + digit
    return value


@njit(cache=True, nogil=True)
def _clock(content, low, high):
    """Seconds of the time of day that stands from low to high, -1 if it is written in another way."""
    if content[high - 1] == 90:  # Z
        high -= 1
    if high - low < 6 or (content[low] != 32 and content[low] != 84) or content[low + 3] != 58:  # space T :
        return -1
    hours = _digits(content, low + 1, 2)
    minutes = _digits(content, low + 4, 2)
    seconds = 0
    if high - low > 6:
        if high - low < 9 or content[low + 6] != 58:
            return -1
        seconds = _digits(content, low + 7, 2)
        if high - low > 9:  # a fraction, which is cut off
            if content[low + 9] != 46 or high - low == 10:
                return -1
            for i in range(low + 10, high):
                if _digits(content, i, 1) < 0:
                    return -1
    if hours < 0 or hours > 23 or minutes < 0 or minutes > 59 or seconds < 0 or seconds > 59:
        return -1
    return 3600 * hours + 60 * minutes + seconds


@njit(cache=True, nogil=True)
def _month_days(year, month):
    if month == 2:
        return 29 if year % 4 == 0 and (year % 100 != 0 or year % 400 == 0) else 28
    return 30 if month == 4 or month == 6 or month == 9 or month == 11 else 31


@njit(cache=True, nogil=True)
def _day_number(year, month, day):
    """Days since 1970-01-01 in the Gregorian calendar, the year taken to start in March."""
    if month <= 2:
        year -= 1
        month += 12
    return 365 * year + year // 4 - year // 100 + year // 400 + (153 * (month - 3) + 2) // 5 + day - 719_469
