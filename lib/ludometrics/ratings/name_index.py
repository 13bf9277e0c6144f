"""Names of players numbered as a log streams by, without a Python object a name."""

from collections.abc import Hashable, Sequence

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from ludometrics.ratings.arrow_columns import is_text, read_only, text_parts
from ludometrics.ratings.name_loops import INSIDE, NOT_UTF8, fill_slots, first_codes, number_names

#: Names that an empty index has room for; room is doubled whenever it runs out.
ROOM = 1024
_MOST_NAMES = 1 << 31


class NameFault(ValueError):
    """A name that cannot be numbered.

    Attributes
    ----------
    row : int
        Where it stands in the arrays given, from 0.
    side : int
        0 for the first, 1 for the second player.
    reason : str
        What is wrong with it.
    """

    def __init__(self, row: int, side: int, reason: str) -> None:
        super().__init__(f"name of the {('first', 'second')[side]} player in row {row} {reason}")
        self.row, self.side, self.reason = row, side, reason


class NameIndex:
    """Numbers of players in the order in which their names first appear: the first of a row before the second.

    A hash table over the bytes of the names, which stand one after another in one array. Names are equal if their
    bytes are: two that share a hash are told apart. All names are text, or all are whole numbers.

    Parameters
    ----------
    names : pyarrow.Array or sequence, optional
        Names that take the first numbers, in this order.
    hash_bits : int
        Bits of the hash that are used, 0 to 64. Fewer make names collide: for tests.

    Raises
    ------
    ValueError
        A name that stands twice in `names`.

    Source
    ------
    Own.

    Examples
    --------
    >>> index = NameIndex(["Bob"])
    >>> index.number_pairs(pa.array(["Ann", "Cid"]), pa.array(["Bob", "Ann"])).tolist()
    [[1, 0], [2, 1]]
    >>> index.names().to_pylist()
    ['Bob', 'Ann', 'Cid']
    """

    def __init__(self, names: pa.Array | Sequence[Hashable] = (), *, hash_bits: int = 64) -> None:
        if not 0 <= hash_bits <= 64:
            raise ValueError(f"hash_bits is {hash_bits}: allowed are 0 to 64")
        self._hash_mask = np.uint64((1 << hash_bits) - 1)
        self._count = 0
        self._kind: str | None = None
        self._ends = np.zeros(ROOM + 1, dtype=np.int64)
        self._bytes = np.zeros(16 * ROOM, dtype=np.uint8)
        self._slots = _free_slots(2 * ROOM)
        self._words: tuple[list[pa.Array], NDArray[np.int64]] | None = None
        if len(names):
            names = as_names(names)
            numbers = self._number([names])
            if self._count < len(names):
                again = int(np.argmax(numbers != np.arange(len(names))))
                raise ValueError(f"a name stands twice in names: {names[again].as_py()!r}")

    def __len__(self) -> int:
        """Count the names."""
        return self._count

    @property
    def kind(self) -> str | None:
        """``"text"`` or ``"integers"``; None while there are no names."""
        return self._kind

    @property
    def nbytes(self) -> int:
        """Memory that the table has taken, bytes."""
        return self._ends.nbytes + self._bytes.nbytes + self._slots.nbytes

    def names(self) -> pa.Array:
        """Give the names in the order of their numbers: large_string, or int64."""
        ends = self._ends[: self._count + 1].copy()
        content = self._bytes[: ends[-1]].copy()
        if self._kind == "integers":
            return pa.array(content.view(np.int64))
        return pa.LargeStringArray.from_buffers(self._count, pa.py_buffer(ends), pa.py_buffer(content))

    def number_pairs(self, first: pa.Array, second: pa.Array) -> NDArray[np.int64]:
        """Number the players of games, new ones in the order in which they appear.

        Parameters
        ----------
        first, second : pyarrow.Array, length n
            Names: text (string, large_string), whole numbers, or a dictionary of them.

        Returns
        -------
        ndarray of int64, shape (n, 2)

        Raises
        ------
        NameFault
            A missing name, bytes that are not UTF-8, a number beyond 2^63 - 1. Names before it may have got numbers.
        ValueError
            Columns of different length, or of another kind than the names known.
        """
        if len(first) != len(second):
            raise ValueError(f"{len(first)} first players but {len(second)} second players")
        return self._number([first, second]).reshape(-1, 2)

    def _number(self, columns: list[pa.Array]) -> NDArray[np.int64]:
        """Number the names of columns, row by row."""
        columns = [column if _has_words(column) else _plain(column) for column in columns]
        for column in columns:
            kind = kind_of(column.type)
            if self._kind not in (None, kind):
                raise ValueError(f"names are {kind}, those before are {self._kind}: they must be of one kind")
            self._kind = kind
        missing = [(_first_null(column), side) for side, column in enumerate(columns) if column.null_count]
        if missing:
            raise NameFault(*min(missing), "is missing")
        if self._kind == "integers":
            values = np.concatenate([_integers(column, side) for side, column in enumerate(columns)])
            content = np.concatenate([values, np.zeros(INSIDE // 8, dtype=np.int64)]).view(np.uint8)
            return self._run(8 * np.arange(len(values) + 1), content, len(columns))
        if all(_has_words(column) for column in columns):
            return self._number_words(columns)
        return self._run(*text_parts(columns, spare=INSIDE), len(columns))

    def _number_words(self, columns: list[pa.DictionaryArray]) -> NDArray[np.int64]:
        """Number words of dictionaries as they are met, each once: their codes need no look-up by name."""
        words = [column.dictionary for column in columns]
        if self._words is None or not all(map(_same_buffers, self._words[0], words)):
            self._words = (words, np.full(sum(map(len, words)), -1, dtype=np.int64))
        known, self._words = self._words[1], None  # an error would leave marks in it
        codes = [column.indices.cast(pa.int64()).to_numpy(zero_copy_only=False) for column in columns]
        if len(columns) == 2:
            codes[1] = codes[1] + len(words[0])
        half = len(codes[0]) if len(columns) == 2 else 0
        fresh, positions = first_codes(read_only(np.concatenate(codes)), half, known)
        texts = pa.concat_arrays([word.cast(pa.large_string()) for word in words]).take(pa.array(fresh))
        try:
            known[fresh] = self._run(*text_parts([texts], spare=INSIDE), 1)
        except NameFault as fault:
            raise NameFault(*divmod(int(positions[fault.row]), len(columns)), fault.reason) from None
        self._words = (words, known)
        return np.column_stack([known[code] for code in codes]).reshape(-1)

    def _run(self, ends: NDArray, content: NDArray, n_columns: int) -> NDArray[np.int64]:
        """Run the loop over names, one column below the other; it comes back early where it needs more room."""
        n = len(ends) - 1
        numbers = np.empty(n, dtype=np.int64)
        names = (read_only(ends), read_only(content), n // 2 if n_columns == 2 else 0, self._kind == "text")
        done = 0
        while done < n:
            table = (self._ends, self._bytes, self._slots, self._hash_mask, self._count)
            done, self._count, short, _ = number_names(*names, *table, done, numbers)
            if short == NOT_UTF8:
                raise NameFault(*divmod(done, n_columns), "is not text in UTF-8")
            if done < n:
                self._grow(short)
        return numbers

    def _grow(self, more_bytes: int) -> None:
        """Double what has run out: room for names, or for their bytes."""
        used = int(self._ends[self._count])
        if used + more_bytes > len(self._bytes):
            self._bytes = _longer(self._bytes, max(2 * len(self._bytes), used + more_bytes))
        if self._count + 1 == len(self._ends):
            if self._count >= _MOST_NAMES:
                raise ValueError(f"more than {_MOST_NAMES} names")
            self._ends = _longer(self._ends, 2 * self._count + 1)
            self._slots = _free_slots(2 * len(self._slots))
            fill_slots(self._ends, self._bytes, self._slots, self._hash_mask, self._count)


def as_names(names: pa.Array | Sequence[Hashable]) -> pa.Array:
    """Give names as an Arrow array: all text, or all whole numbers.

    Raises
    ------
    ValueError
        Names of other kinds, naming the first.

    Source
    ------
    Own.

    Examples
    --------
    >>> as_names(("Ann", "Bob")).type, as_names((7, 12)).type
    (DataType(string), DataType(int64))
    """
    if isinstance(names, pa.Array):
        return names
    values = names.tolist() if hasattr(names, "tolist") else list(names)
    kind = str if all(isinstance(value, str) for value in values[:1]) else int
    for number, value in enumerate(values):
        if not isinstance(value, kind) or isinstance(value, bool):
            raise ValueError(f"name {number} is {value!r}: names must be all text, or all whole numbers")
    try:
        return pa.array(values, type=pa.string() if kind is str else pa.int64())
    except (pa.ArrowException, OverflowError, UnicodeEncodeError) as error:
        raise ValueError(f"names that cannot be stored: {error}") from error


def kind_of(column: pa.DataType) -> str:
    """Tell whether names of an Arrow type are ``"text"`` or ``"integers"``.

    Raises
    ------
    ValueError
        They are neither.

    Source
    ------
    Own.

    Examples
    --------
    >>> kind_of(pa.dictionary(pa.int32(), pa.string())), kind_of(pa.uint8())
    ('text', 'integers')
    """
    if pa.types.is_dictionary(column):
        return kind_of(column.value_type)
    if is_text(column):
        return "text"
    if pa.types.is_integer(column):
        return "integers"
    raise ValueError(f"names are of type {column}: they must be text or whole numbers")


def _has_words(column: pa.Array) -> bool:
    """Tell whether a column is a dictionary of text, with missing values among the codes alone."""
    of_text = pa.types.is_dictionary(column.type) and is_text(column.type.value_type)
    return of_text and not column.dictionary.null_count


def _plain(column: pa.Array) -> pa.Array:
    return column.dictionary_decode() if pa.types.is_dictionary(column.type) else column


def _integers(column: pa.Array, side: int) -> NDArray[np.int64]:
    try:
        return column.cast(pa.int64()).to_numpy(zero_copy_only=False)
    except pa.ArrowInvalid:
        row = pc.index(pc.greater(column, pa.scalar(np.iinfo(np.int64).max, column.type)), True).as_py()
        raise NameFault(row, side, "is too large: at most 2^63 - 1 is allowed") from None


def _first_null(column: pa.Array) -> int:
    return pc.index(column.is_null(), True).as_py()


def _same_buffers(one: pa.Array, other: pa.Array) -> bool:
    if one is other:
        return True
    if (one.type, len(one), one.offset) != (other.type, len(other), other.offset):
        return False
    pairs = zip(one.buffers(), other.buffers(), strict=True)
    return all((a and a.address) == (b and b.address) for a, b in pairs)


def _free_slots(count: int) -> NDArray[np.uint64]:
    """Rows of a table, each within one line of the processor's cache."""
    words = np.zeros(4 * count + 8, dtype=np.uint64)
    skipped = -words.ctypes.data % 64 // 8
    return words[skipped : skipped + 4 * count].reshape(count, 4)


def _longer(array: NDArray, length: int) -> NDArray:
    longer = np.zeros(length, dtype=array.dtype)
    longer[: len(array)] = array
    return longer
