"""The loops of the name index: an open hash table over bytes, linear probing.

Names are the bytes of `content` between neighbouring `ends`; a whole number is a name of eight bytes. A row of `slots`
is four words: a part of the name's hash, its length (at most 25) and, in the lower half, its number + 1, or 0 where the
row is free; then its first 24 bytes. So one read tells nearly every name. The names of n games are taken in the order
of play: position p is row p/2 of the first column, then of the second, which stands `half` rows below it.
"""

import numpy as np
from numba import njit

#: In place of the bytes that are needed: a new name is not text in UTF-8.
NOT_UTF8 = -1
#: Bytes of a name that stand in its slot; as many are read beyond the end of the last name, whatever they hold.
INSIDE = 24

_ONE = np.uint64(1)
_LOWER = np.uint64(0xFFFF_FFFF)
_HASHED = np.uint64(0xFFFF_FF00_0000_0000)
_SEED = np.uint64(0x9E37_79B9_7F4A_7C15)
_MULTIPLY = np.uint64(0xFF51_AFD7_ED55_8CCD)
_FINISH = np.uint64(0xC4CE_B9FE_1A85_EC53)
#: Bits of the three words that belong to a name of a length up to INSIDE.
_BITS = np.array(
    [[(1 << 8 * min(max(length - 8 * word, 0), 8)) - 1 for word in range(3)] for length in range(INSIDE + 1)],
    dtype=np.uint64,
)
_BLOCK = 128


@njit(cache=True, nogil=True)
def number_names(text_ends, text, half, of_text, ends, content, slots, hash_mask, count, done, numbers):
    """Number names, new ones in the order in which they appear.

    A name costs a read from anywhere in memory. Those of a block are asked for beforehand, so that the processor waits
    for many at once and not for one after another.

    Returns
    -------
    done, count, short : int
        Position come to, names known, and, if that is not the end, the bytes that the next name needs, or NOT_UTF8.
    touched : int
        Of no meaning: without it the compiler would leave the reads out.
    """
    mask = np.uint64(len(slots) - 1)
    words = np.empty((_BLOCK, 4), dtype=np.uint64)
    tags = np.empty(_BLOCK, dtype=np.uint64)
    lows = np.empty(_BLOCK, dtype=np.int64)
    highs = np.empty(_BLOCK, dtype=np.int64)
    side = 1 if half else 0
    touched = np.uint64(0)
    for first in range(done, len(numbers), _BLOCK):
        size = min(_BLOCK, len(numbers) - first)
        for i in range(size):
            row = ((first + i) >> side) + ((first + i) & side) * half
            lows[i], highs[i] = text_ends[row], text_ends[row + 1]
            _spell(text, lows[i], highs[i], hash_mask, words, tags, i)
        for i in range(size):
            touched += slots[words[i, 0] & mask, 0]
        for i in range(size):
            slot = words[i, 0] & mask
            found = -1
            # Not a function of its own: its call would count references to each array, which takes longer than this.
            while slots[slot, 0] != 0:
                if (
                    (slots[slot, 0] ^ tags[i]) <= _LOWER
                    and slots[slot, 1] == words[i, 1]
                    and slots[slot, 2] == words[i, 2]
                    and slots[slot, 3] == words[i, 3]
                ):
                    number = np.int64(slots[slot, 0] & _LOWER) - 1
                    length = highs[i] - lows[i]
                    if length <= INSIDE or (
                        ends[number + 1] - ends[number] == length
                        and _equal(content, ends[number], text, lows[i], length)
                    ):
                        found = number
                        break
                slot = (slot + _ONE) & mask
            if found < 0:
                short = _add(text, lows[i], highs[i], of_text, ends, content, count)
                if short:
                    return first + i, count, short, touched
                found = count
                count += 1
                slots[slot, 0] = tags[i] | np.uint64(count)
                slots[slot, 1:] = words[i, 1:]
            numbers[first + i] = found
    return len(numbers), count, 0, touched


@njit(cache=True, nogil=True)
def first_codes(codes, half, known):
    """Give the codes that are not known, each at the position where it first appears; marks them -2 in `known`."""
    side = 1 if half else 0
    fresh = np.empty(len(codes), dtype=np.int64)
    positions = np.empty(len(codes), dtype=np.int64)
    found = 0
    for position in range(len(codes)):
        code = codes[(position >> side) + (position & side) * half]
        if known[code] == -1:
            known[code] = -2
            fresh[found], positions[found] = code, position
            found += 1
    return fresh[:found].copy(), positions[:found].copy()


@njit(cache=True, nogil=True)
def fill_slots(ends, content, slots, hash_mask, count):
    """Enter all names into an empty table."""
    mask = np.uint64(len(slots) - 1)
    words = np.empty((1, 4), dtype=np.uint64)
    tags = np.empty(1, dtype=np.uint64)
    for number in range(count):
        _spell(content, ends[number], ends[number + 1], hash_mask, words, tags, 0)
        slot = words[0, 0] & mask
        while slots[slot, 0] != 0:
            slot = (slot + _ONE) & mask
        slots[slot, 0] = tags[0] | np.uint64(number + 1)
        slots[slot, 1:] = words[0, 1:]


@njit(cache=True, nogil=True)
def _spell(text, low, high, hash_mask, words, tags, i):
    """Write a name's hash and first 24 bytes into row i of `words`, and what tells it in a slot into `tags`."""
    length = high - low
    inside = min(length, INSIDE)
    mixed = _SEED ^ np.uint64(length)
    for word in range(3):
        words[i, 1 + word] = _word(text, low + 8 * word) & _BITS[inside, word]
        mixed = (mixed ^ words[i, 1 + word]) * _MULTIPLY
        mixed ^= mixed >> np.uint64(32)
    at = low + INSIDE
    while at < high:  # the last eight bytes may overlap those before
        mixed = (mixed ^ _word(text, min(at, high - 8))) * _MULTIPLY
        mixed ^= mixed >> np.uint64(32)
        at += 8
    mixed = (mixed * _FINISH) & hash_mask
    mixed ^= mixed >> np.uint64(33)
    words[i, 0] = mixed
    tags[i] = (mixed & _HASHED) | (np.uint64(min(length, INSIDE + 1)) << np.uint64(32))


@njit(cache=True, nogil=True)
def _add(text, low, high, of_text, ends, content, count):
    """Add a name; if that cannot be done give what is short, else 0."""
    begin, length = ends[count], high - low
    if of_text and not _is_utf8(text, low, high):
        return NOT_UTF8
    if count + 1 == len(ends) or begin + length + INSIDE > len(content):
        return length + INSIDE
    for i in range(length):
        content[begin + i] = text[low + i]
    ends[count + 1] = begin + length
    return 0


@njit(inline="always")
def _word(text, at):
    """Eight bytes from a place that need not be aligned; the compiler makes one load of it."""
    value = np.uint64(0)
    for i in range(8):
        value |= np.uint64(text[np.uint64(at + i)]) << np.uint64(8 * i)
    return value


@njit(cache=True, nogil=True)
def _equal(one, begin, other, low, length):
    """Tell whether names of more than 24 bytes are the same from there on."""
    at = INSIDE
    while at < length:
        if one[begin + at] != other[low + at]:
            return False
        at += 1
    return True


@njit(cache=True, nogil=True)
def _is_utf8(text, low, high):
    """Tell whether bytes are well-formed UTF-8 (The Unicode Standard, table 3-7)."""
    at = low
    while at < high:
        lead = text[at]
        at += 1
        if lead < 0x80:
            continue
        least, most = 0x80, 0xBF
        if 0xC2 <= lead <= 0xDF:
            more = 1
        elif 0xE0 <= lead <= 0xEF:
            more = 2
            if lead == 0xE0:
                least = 0xA0
            elif lead == 0xED:
                most = 0x9F
        elif 0xF0 <= lead <= 0xF4:
            more = 3
            if lead == 0xF0:
                least = 0x90
            elif lead == 0xF4:
                most = 0x8F
        else:
            return False
        if at + more > high or not least <= text[at] <= most:
            return False
        for i in range(1, more):
            if text[at + i] & 0xC0 != 0x80:
                return False
        at += more
    return True
