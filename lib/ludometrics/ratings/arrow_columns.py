"""Columns of Arrow as the arrays that the compiled loops take; times of whatever type as days since 1970-01-01."""

import numpy as np
import pandas as pd
import pyarrow as pa
from numpy.typing import NDArray

from ludometrics.ratings.frames import days_since_1970
from ludometrics.ratings.time_loops import read_stamps

_DAY_SECONDS = 86_400.0
_UNITS = {"s": 1, "ms": 1_000, "us": 1_000_000, "ns": 1_000_000_000}


def days_of(column: pa.Array, *, text_is_number: bool = False) -> NDArray[np.float64]:
    """Turn a column without missing values into days since 1970-01-01, by the second; numbers stay as they are.

    Equal to `frames.days_since_1970`, without a Python object a value wherever dates are written in full.

    Parameters
    ----------
    column : pyarrow.Array, length n
        Dates, time stamps (of a time zone: in UTC), numbers of days, or text: ``2018-12-31``, ``2018.12.31 20:15:00``.
    text_is_number : bool
        Text holds numbers of days.

    Returns
    -------
    ndarray of float64, shape (n,)
        NaN where there is no time to be read.

    Raises
    ------
    ValueError
        A column of another type.

    Source
    ------
    Own.

    Examples
    --------
    >>> days_of(pa.array(["1872-11-30", "1970.01.02 12:00", "soon"])).tolist()
    [-35460.0, 1.5, nan]
    """
    kind = column.type
    if pa.types.is_dictionary(kind):
        return days_of(column.dictionary_decode(), text_is_number=text_is_number)
    if pa.types.is_date32(kind):
        return column.cast(pa.int32()).to_numpy(zero_copy_only=False).astype(np.float64)
    if pa.types.is_date64(kind) or pa.types.is_timestamp(kind):
        unit = _UNITS["ms" if pa.types.is_date64(kind) else kind.unit]
        return column.cast(pa.int64()).to_numpy(zero_copy_only=False) // unit / _DAY_SECONDS
    if pa.types.is_integer(kind) or pa.types.is_floating(kind) or pa.types.is_decimal(kind):
        return column.cast(pa.float64(), safe=False).to_numpy(zero_copy_only=False)
    if is_text(kind):
        return _numbers(column) if text_is_number else _days_of_text(column)
    raise ValueError(f"times are of type {kind}: they must be dates, time stamps, numbers of days, or text")


def is_text(kind: pa.DataType) -> bool:
    """Tell whether an Arrow type is one of those that hold text.

    Examples
    --------
    >>> is_text(pa.large_string()), is_text(pa.int8())
    (True, False)
    """
    return pa.types.is_string(kind) or pa.types.is_large_string(kind)


def text_parts(columns: list[pa.Array], *, spare: int = 0) -> tuple[NDArray[np.int64], NDArray[np.uint8]]:
    """Give columns of text, one below the other, as the ends (n + 1,) and the bytes of all values, then `spare` zeros.

    Examples
    --------
    >>> ends, content = text_parts([pa.array(["Ann", "Bob"])])
    >>> ends.tolist(), content.tobytes()
    ([0, 3, 6], b'AnnBob')
    """
    ends, contents = [np.zeros(1, dtype=np.int64)], [np.empty(0, dtype=np.uint8)]
    for column in columns:
        if pa.types.is_dictionary(column.type):
            column = column.dictionary_decode()
        if len(column):
            width = np.int64 if pa.types.is_large_string(column.type) else np.int32
            _, offsets, content = column.buffers()
            offsets = np.frombuffer(offsets, dtype=width)[column.offset : column.offset + len(column) + 1]
            low, high = int(offsets[0]), int(offsets[-1])
            ends.append(offsets[1:].astype(np.int64) + (ends[-1][-1] - low))
            if high > low:
                contents.append(np.frombuffer(content, dtype=np.uint8)[low:high])
    contents.append(np.zeros(spare, dtype=np.uint8))
    return read_only(np.concatenate(ends)), read_only(np.concatenate(contents))


def read_only(array: NDArray) -> NDArray:
    """View an array so that it cannot be written: each loop is compiled for this one kind of array.

    Examples
    --------
    >>> read_only(np.zeros(2)).flags.writeable
    False
    """
    view = array.view()
    view.flags.writeable = False
    return view


def _numbers(column: pa.Array) -> NDArray[np.float64]:
    try:
        return column.cast(pa.float64()).to_numpy(zero_copy_only=False)
    except pa.ArrowInvalid:
        values = pd.Series(_plain_texts(column))
        return pd.to_numeric(values, errors="coerce").to_numpy(dtype=np.float64)


def _days_of_text(column: pa.Array) -> NDArray[np.float64]:
    """Read what is written in full by the compiled loop, the rest one by one."""
    seconds, unread = read_stamps(*text_parts([column]))
    days = seconds / _DAY_SECONDS
    if len(unread):
        texts = _plain_texts(column.take(pa.array(unread)))
        days[unread] = days_since_1970(pd.Series(texts, dtype=object))
    return days


def _plain_texts(column: pa.Array) -> list[str]:
    return [value.decode("utf-8", errors="replace") for value in column.cast(pa.large_binary()).to_pylist()]
