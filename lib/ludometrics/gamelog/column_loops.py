"""The loops over the bytes of daily files: where values stand in them, and hashes of ids."""

import numpy as np
from numba import njit

#: In place of a count of rows: the file is not plain.
NOT_PLAIN = -1
#: Mark of an id that is missing, and of one that no game may have.
NO_ID, BAD_ID = 0, 1

_MAX_ID = 120
_FNV_START, _FNV_PRIME = np.uint64(0xCBF2_9CE4_8422_2325), np.uint64(0x0000_0100_0000_01B3)
_SPACE, _TAB, _NEWLINE, _RETURN = 32, 9, 10, 13
_QUOTE, _COMMA, _COLON, _BACKSLASH = 34, 44, 58, 92
_ARRAY, _ARRAY_END, _OBJECT, _OBJECT_END = 91, 93, 123, 125


@njit(cache=True, nogil=True)
def scan_files(content, starts, field_text, field_ends, spans, counts):
    """Find the values of plain files: bytes `spans[row, field]`; counts rows, `NOT_PLAIN` for other files."""
    row = 0
    for file in range(len(counts)):
        if counts[file] == NOT_PLAIN:
            continue
        end = _scan_file(content, starts[file], starts[file + 1], field_text, field_ends, spans, row)
        counts[file] = end - row if end >= 0 else NOT_PLAIN
        row = max(row, end)
    return row


@njit(cache=True, nogil=True)
def _scan_file(content, low, high, field_text, field_ends, spans, row):
    """Scan an array of objects; gives the number of the next row."""
    at = _skip(content, low, high)
    if at >= high or content[at] != _ARRAY:
        return NOT_PLAIN
    at = _skip(content, at + 1, high)
    if at < high and content[at] == _ARRAY_END:
        return row if _skip(content, at + 1, high) == high else NOT_PLAIN
    while True:
        if at >= high or content[at] != _OBJECT:
            return NOT_PLAIN
        at = _scan_row(content, at, high, field_text, field_ends, spans[row])
        if at < 0:
            return NOT_PLAIN
        row += 1
        at = _skip(content, at, high)
        if at >= high:
            return NOT_PLAIN
        if content[at] == _ARRAY_END:
            return row if _skip(content, at + 1, high) == high else NOT_PLAIN
        if content[at] != _COMMA:
            return NOT_PLAIN
        at = _skip(content, at + 1, high)


@njit(cache=True, nogil=True)
def _scan_row(content, at, high, field_text, field_ends, spans):
    """Scan an object from its bracket; gives the place after it."""
    for field in range(len(spans)):
        spans[field, 0] = spans[field, 1] = -1
    while True:
        low = _text_start(content, at + 1, high)
        end = _text_end(content, low, high)
        if end < 0:
            return NOT_PLAIN
        field = _find_field(content, low, end, field_text, field_ends)
        at = _skip(content, end + 1, high)
        if field < 0 or spans[field, 0] >= 0 or at >= high or content[at] != _COLON:
            return NOT_PLAIN
        low = _text_start(content, at + 1, high)
        end = _text_end(content, low, high)
        if end < 0:
            return NOT_PLAIN
        spans[field, 0], spans[field, 1] = low, end
        at = _skip(content, end + 1, high)
        if at >= high:
            return NOT_PLAIN
        if content[at] == _OBJECT_END:
            return at + 1
        if content[at] != _COMMA:
            return NOT_PLAIN


@njit(cache=True, nogil=True)
def _skip(content, at, high):
    """Pass over white space."""
    while at < high:
        sign = content[at]
        if sign != _SPACE and sign != _NEWLINE and sign != _RETURN and sign != _TAB:
            break
        at += 1
    return at


@njit(cache=True, nogil=True)
def _text_start(content, at, high):
    """Place after the opening quotation mark."""
    at = _skip(content, at, high)
    return at + 1 if at < high and content[at] == _QUOTE else NOT_PLAIN


@njit(cache=True, nogil=True)
def _text_end(content, at, high):
    """Place of the closing quotation mark of a text without escapes and control signs."""
    if at < 0:
        return NOT_PLAIN
    while at < high:
        sign = content[at]
        if sign == _QUOTE:
            return at
        if sign == _BACKSLASH or sign < _SPACE:
            return NOT_PLAIN
        at += 1
    return NOT_PLAIN


@njit(cache=True, nogil=True)
def _find_field(content, low, high, field_text, field_ends):
    for field in range(len(field_ends) - 1):
        start = field_ends[field]
        if field_ends[field + 1] - start != high - low:
            continue
        same = True
        for place in range(high - low):
            same &= content[low + place] == field_text[start + place]
        if same:
            return field
    return -1


@njit(cache=True, nogil=True)
def copy_spans(content, spans, out):
    """Copy the bytes of spans one after another."""
    at = 0
    for row in range(len(spans)):
        for place in range(spans[row, 0], spans[row, 1]):
            out[at] = content[place]
            at += 1


@njit(cache=True, nogil=True)
def mark_ids(ends, content, missing):
    """Hash ids (Fowler, Noll and Vo's 1a); those that are no printable ASCII, or too long, get BAD_ID."""
    marks = np.empty(len(missing), dtype=np.uint64)
    for row in range(len(missing)):
        value, good = _FNV_START, 0 < ends[row + 1] - ends[row] <= _MAX_ID
        for place in range(ends[row], ends[row + 1]):
            good &= 32 <= content[place] <= 126
            value = (value ^ np.uint64(content[place])) * _FNV_PRIME
        value |= np.uint64(2)  # apart from NO_ID and BAD_ID
        marks[row] = NO_ID if missing[row] else value if good else BAD_ID
    return marks
