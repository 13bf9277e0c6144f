"""Many daily files as columns, without a Python object a game.

A file is read here only if it is plain: an array of objects whose fields are those of a game, each once at most, with
text without escapes as values, in UTF-8. `parse_rows` then gives the same values, and any other file is left to it.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from typing import NamedTuple

import numpy as np
import pandas as pd
import pyarrow as pa
from numpy.typing import NDArray

from ludometrics.gamelog.column_loops import NOT_PLAIN, copy_spans, mark_ids, scan_files
from ludometrics.gamelog.daily import VARIANTS, WINNERS
from ludometrics.gamelog.names import LEVEL_NAMES, fold_name

#: Fields of a game, in the order of its columns.
FIELDS = ("black", "white", "winner", "level", "variant", "id", "rules")

_EPOCH = date(1970, 1, 1).toordinal()
_MOST_BYTES = 1 << 30  # places are numbers of 32 bits
_FIELD_TEXT = np.frombuffer("".join(FIELDS).encode(), dtype=np.uint8)
_FIELD_ENDS = np.cumsum([0, *map(len, FIELDS)])


class Coded(NamedTuple):
    """A column of text: each value once, and which of them each game has.

    Attributes
    ----------
    codes : ndarray of int32, shape (n,)
        Place among the values; -1 where there is none.
    values : tuple of str
    """

    codes: NDArray[np.int32]
    values: tuple[str, ...]

    def lookup(self, allowed: Sequence[str], *, unknown: int) -> NDArray[np.int32]:
        """Give the place of each game's value among those allowed: -1 without a value, `unknown` for another one.

        Examples
        --------
        >>> Coded(np.array([0, 1, -1]), ("draw", "x")).lookup(("b", "w", "draw"), unknown=-2).tolist()
        [2, -2, -1]
        """
        places = {value: place for place, value in enumerate(allowed)}
        table = np.array([*(places.get(value, unknown) for value in self.values), -1], dtype=np.int32)
        return table[self.codes]


@dataclass(frozen=True)
class GameColumns:
    """Games by day and by order within the day.

    Attributes
    ----------
    file : ndarray of int32, shape (n,)
        Place of the file in a list of files.
    row : ndarray of int32, shape (n,)
        Number of the game in its file, from 1.
    black, white : Coded
        Names as they are spelt, of the same values.
    keys : Coded
        Key of each spelling, by its place among the values of `black`.
    winner, level, variant, rules : Coded
    ids : pyarrow.ChunkedArray, length n
    id_marks : ndarray of uint64, shape (n,)
        Ids are equal only if their marks are; NO_ID without one, BAD_ID for one that is no id.
    """

    file: NDArray[np.int32]
    row: NDArray[np.int32]
    black: Coded
    white: Coded
    keys: Coded
    winner: Coded
    level: Coded
    variant: Coded
    rules: Coded
    ids: pa.ChunkedArray
    id_marks: NDArray[np.uint64]

    def __len__(self) -> int:
        """Count the games."""
        return len(self.row)

    @property
    def black_keys(self) -> NDArray[np.int32]:
        """Place (n,) of Black's key among the values of `keys`."""
        return self.keys.codes[self.black.codes]

    @property
    def white_keys(self) -> NDArray[np.int32]:
        """Place (n,) of White's key among the values of `keys`."""
        return self.keys.codes[self.white.codes]

    def take(self, rows: NDArray[np.integer]) -> "GameColumns":
        """Choose games by their places, in the order given."""
        coded = {
            name: getattr(self, name)._replace(codes=getattr(self, name).codes[rows])
            for name in ("black", "white", "winner", "level", "variant", "rules")
        }
        return replace(
            self,
            file=self.file[rows],
            row=self.row[rows],
            ids=self.ids.take(pa.array(rows)),
            id_marks=self.id_marks[rows],
            **coded,
        )

    def values(self, place: int) -> dict[str, str]:
        """Give the fields that one game has, as they stand in its file."""
        found = {
            name: column.values[code]
            for name in FIELDS
            if name != "id" and (code := (column := getattr(self, name)).codes[place]) >= 0
        }
        number = self.ids[int(place)].as_py()
        return found if number is None else {**found, "id": number}


class TextColumns(NamedTuple):
    """Rows of one or more files, not yet checked.

    Attributes
    ----------
    file, row : ndarray of int32, shape (n,)
        As in `GameColumns`.
    texts : tuple of pyarrow.Array, each of length n
        By `FIELDS`; null where a row has no such field.
    """

    file: NDArray[np.int32]
    row: NDArray[np.int32]
    texts: tuple[pa.Array, ...]


def read_columns(contents: Sequence[bytes], *, first_file: int = 0) -> tuple[TextColumns, list[int]]:
    """Read the rows of those files that are plain.

    Parameters
    ----------
    contents : sequence of bytes
        A file of a gigabyte or more does not count as plain; the others hold less than that in all.
    first_file : int
        Number of the first of the files.

    Returns
    -------
    TextColumns
        Of the plain files, in their order.
    list of int
        Places in `contents` of the other files.

    Source
    ------
    Own; the grammar is a part of that of RFC 8259.

    Examples
    --------
    >>> columns, others = read_columns([b'[{"black": "Ann", "winner": "b"}]', b'[{"black": "\\\\u0041"}]'])
    >>> columns.texts[0].to_pylist(), columns.texts[3].to_pylist(), others
    (['Ann'], [None], [1])
    """
    starts = np.cumsum([0, *map(len, contents)])
    joined = b"".join(contents)
    content = np.frombuffer(joined, dtype=np.uint8)
    spans = np.empty((joined.count(b"{"), len(FIELDS), 2), dtype=np.int32)
    fit = [len(part) < _MOST_BYTES and is_utf8(part) for part in contents]
    counts = np.where(fit, 0, NOT_PLAIN).astype(np.int64)
    n = scan_files(content, starts, _FIELD_TEXT, _FIELD_ENDS, spans, counts)
    texts = tuple(_gather(content, spans[:n, field]) for field in range(len(FIELDS)))
    plain = np.maximum(counts, 0)
    file = np.repeat(np.arange(first_file, first_file + len(contents), dtype=np.int32), plain)
    row = np.arange(1, n + 1, dtype=np.int32) - np.repeat(np.cumsum(plain) - plain, plain).astype(np.int32)
    return TextColumns(file, row, texts), np.flatnonzero(counts == NOT_PLAIN).tolist()


def text_columns(rows: Sequence[Mapping[str, str]], numbers: Sequence[int], *, file: int) -> TextColumns:
    """Give rows of one file, whose values are text or None, as the columns that `read_columns` would give.

    Parameters
    ----------
    rows : sequence of mapping
    numbers : sequence of int
        Number of each row in the file.
    file : int
        Number of the file.

    Examples
    --------
    >>> text_columns([{"black": "Ann", "white": "Bob", "winner": "b"}], [1], file=0).texts[0].to_pylist()
    ['Ann']
    """
    texts = tuple(pa.array([row.get(field) for row in rows], type=pa.string()) for field in FIELDS)
    return TextColumns(np.full(len(rows), file, dtype=np.int32), np.array(numbers, dtype=np.int32), texts)


def encode_columns(parts: Sequence[TextColumns]) -> GameColumns:
    """Join rows into one, by file and row, with each text once."""
    file = np.concatenate([np.empty(0, dtype=np.int32), *(part.file for part in parts)])
    row = np.concatenate([np.empty(0, dtype=np.int32), *(part.row for part in parts)])
    black, white = encode_texts(*([part.texts[field] for part in parts] for field in (0, 1)))
    keys, codes = {}, []
    for name in black.values:
        codes.append(keys.setdefault(fold_name(name), len(keys)))
    others = {
        name: encode_texts([part.texts[FIELDS.index(name)] for part in parts])[0]
        for name in ("winner", "level", "variant", "rules")
    }
    ids = [part.texts[FIELDS.index("id")] for part in parts]
    columns = GameColumns(
        file=file,
        row=row,
        black=black,
        white=white,
        keys=Coded(np.array(codes, dtype=np.int32), tuple(keys)),
        ids=pa.chunked_array(ids, type=pa.string()),
        id_marks=np.concatenate([np.empty(0, dtype=np.uint64), *map(_marks, ids)]),
        **others,
    )
    if (np.diff(file) < 0).any():
        columns = columns.take(np.argsort(file, kind="stable"))
    return columns


def games_frame(columns: GameColumns, names: Sequence[str], days: NDArray[np.int64]) -> pd.DataFrame:
    """Give games as a data frame.

    Parameters
    ----------
    columns : GameColumns
        Games that count.
    names : sequence of str
        Names of the files.
    days : ndarray of int64
        Ordinal of each file's day.
    """
    keys = columns.keys.values
    dates = (days - _EPOCH).astype("datetime64[D]").astype("datetime64[s]")
    coded = {
        "black": columns.black,
        "white": columns.white,
        "winner": Coded(columns.winner.lookup(WINNERS, unknown=-1), WINNERS),
        "level": Coded(columns.level.lookup(tuple(LEVEL_NAMES), unknown=-1), tuple(LEVEL_NAMES)),
        "variant": Coded(columns.variant.lookup(VARIANTS, unknown=-1), VARIANTS),
    }
    file = columns.file
    return pd.DataFrame(
        {
            "day": dates[file],
            "file": _categories(Coded(file, tuple(names))),
            "row": columns.row,
            **{name: _categories(column) for name, column in coded.items()},
            "id": pd.array(columns.ids, dtype="string[pyarrow]"),
            "rules": _categories(columns.rules),
            "black_key": _categories(Coded(columns.black_keys, keys)),
            "white_key": _categories(Coded(columns.white_keys, keys)),
        },
        copy=False,
    )


def encode_texts(*columns: list[pa.Array]) -> list[Coded]:
    """Number the values of columns, each given in parts, over all of them.

    Examples
    --------
    >>> [one.codes.tolist() for one in encode_texts([pa.array(["x", None])], [pa.array(["y", "x"])])]
    [[0, -1], [1, 0]]
    """
    joined = pa.chunked_array([part for column in columns for part in column], type=pa.string())
    encoded = joined.dictionary_encode().unify_dictionaries()
    values = tuple(encoded.chunk(0).dictionary.to_pylist()) if encoded.num_chunks else ()
    pieces = [chunk.indices.fill_null(-1).to_numpy() for chunk in encoded.chunks]
    codes = np.concatenate([np.empty(0, dtype=np.int32), *pieces])
    ends = np.cumsum([sum(map(len, column)) for column in columns])
    return [Coded(part, values) for part in np.split(codes, ends[:-1])]


def is_utf8(content: bytes) -> bool:
    """Tell whether bytes are text in UTF-8."""
    if content.isascii():
        return True
    try:
        content.decode()
    except UnicodeDecodeError:
        return False
    return True


def _gather(content: NDArray, spans: NDArray) -> pa.Array:
    """Copy the values of one field into a column."""
    missing = spans[:, 0] < 0
    ends = np.zeros(len(spans) + 1, dtype=np.int32)
    np.cumsum(spans[:, 1] - spans[:, 0], out=ends[1:])
    values = np.empty(int(ends[-1]), dtype=np.uint8)
    copy_spans(content, spans, values)
    present = pa.py_buffer(np.packbits(~missing, bitorder="little")) if missing.any() else None
    return pa.StringArray.from_buffers(len(spans), pa.py_buffer(ends), pa.py_buffer(values), present)


def _marks(ids: pa.Array) -> NDArray[np.uint64]:
    """Marks (n,) of ids."""
    if not len(ids):
        return np.empty(0, dtype=np.uint64)
    _, ends, content = ids.buffers()
    ends = np.frombuffer(ends, dtype=np.int32)[ids.offset : ids.offset + len(ids) + 1]
    content = np.frombuffer(content or b"", dtype=np.uint8)
    missing = ids.is_null().to_numpy(zero_copy_only=False)
    return mark_ids(ends, content, missing)


def _categories(column: Coded) -> pd.Categorical:
    return pd.Categorical.from_codes(column.codes, categories=list(column.values))
