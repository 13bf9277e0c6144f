"""Logs of duels read from a file piece by piece and checked; a fault is named by file, row and value.

However large the file, only a piece of it is in memory.
"""

from collections import deque
from collections.abc import Callable, Hashable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.csv
import pyarrow.parquet as pq
from numpy.typing import NDArray

from ludometrics.ratings.arrow_columns import days_of, is_text
from ludometrics.ratings.frames import OUTCOMES
from ludometrics.ratings.name_index import NameFault, NameIndex

SUFFIXES = (".parquet", ".csv", ".csv.gz")
# Rows and bytes that are decoded at a time: they stay in the processor's cache until they are numbers.
_PARQUET_ROWS = 1 << 17
_CSV_BYTES = 1 << 20
# Bytes of a column that are read at a time: without it a whole row group's, and a file may be one row group.
_PARQUET_BUFFER = 1 << 20
_SHOWN = 100  # characters of a value in an error
# Batches that are decoded while earlier ones are looked up.
_AHEAD = 4
_END = object()
_TIME_ALLOWED = "it must be a date such as 2018-12-31, or a number of days"


class Piece(NamedTuple):
    """Games of a log, as a replay takes them.

    Attributes
    ----------
    pairs : ndarray of int64, shape (n, 2)
        First and second player.
    outcomes : ndarray of float64, shape (n,)
        Score of the first player.
    times : ndarray of float64, shape (n,), or None
        Days since 1970-01-01, or as they were given.
    n_players : int
        Names known after these games.
    """

    pairs: NDArray[np.int64]
    outcomes: NDArray[np.float64]
    times: NDArray[np.float64] | None
    n_players: int


class LogReader:
    """A log of duels in a Parquet or CSV file, read once from the start.

    Parameters
    ----------
    path : str or Path
        Ends in .parquet, .csv or .csv.gz.
    index : NameIndex
        Numbers the players; names that it does not know are added.
    first, second, outcome, time, outcomes
        As `stream.rate_stream` takes them.
    last_time : float
        Time of the last game before those of the file.

    Attributes
    ----------
    rows : int or None
        Games in the file; None where that is not known beforehand.

    Raises
    ------
    ValueError
        No such file, no such column, or a file of another kind.
    """

    def __init__(
        self,
        path: str | Path,
        index: NameIndex,
        *,
        first: str,
        second: str,
        outcome: str,
        time: str | None,
        outcomes: Mapping[Hashable, float] | None = None,
        last_time: float = -np.inf,
    ) -> None:
        self.path = Path(path)
        self.index = index
        self.first, self.second, self.outcome, self.time = first, second, outcome, time
        self.last_time = last_time
        for key, score in (outcomes or {}).items():
            if score not in (0, 0.5, 1):
                raise ValueError(f"outcomes[{key!r}] is {score!r}: it must be 0, 0.5 or 1")
        self._meanings = {
            **OUTCOMES,
            **{_written(key): float(score) for key, score in (outcomes or {}).items()},
        }
        self._done = 0
        self._last_written = None if last_time == -np.inf else f"{last_time:.10g}"
        self._text_is_number: bool | None = None
        self.rows, self._batches = self._open()

    def pieces(self, games: int) -> Iterator[Piece]:
        """Give the log in pieces of this many games, the last with what is left.

        Raises
        ------
        ValueError
            Naming the file, the row (the first row of data is 1), the value and what is allowed.
        """
        held: list[Piece] = []
        waiting = 0
        for batch in read_ahead(self._batches(), _AHEAD):
            held.append(self._check(batch))
            waiting += len(batch)
            if waiting >= games:
                joined = _join(held)
                whole = waiting - waiting % games
                for low in range(0, whole, games):
                    yield _part(joined, slice(low, low + games))
                held, waiting = [_part(joined, slice(whole, None))], waiting - whole
        if waiting:
            yield _join(held)

    def _open(self) -> tuple[int | None, Callable[[], Iterator[pa.RecordBatch]]]:
        name = self.path.name.lower()
        if not name.endswith(SUFFIXES):
            raise ValueError(f"{self.path}: the name must end in {', '.join(SUFFIXES)}")
        if not self.path.is_file():
            raise ValueError(f"{self.path}: there is no such file")
        if name.endswith(".parquet"):
            with self._guarded(pq.ParquetFile, self.path) as file:
                schema, rows = file.schema_arrow, file.metadata.num_rows
            self._check_columns(schema.names)
            return rows, lambda: self._parquet_batches(schema)
        self._check_columns(self._guarded(_csv_columns, self.path))
        return None, self._csv_batches

    def _columns(self) -> list[str]:
        return [name for name in (self.first, self.second, self.outcome, self.time) if name is not None]

    def _check_columns(self, there: list[str]) -> None:
        asked = self._columns()
        for name in asked:
            if there.count(name) != 1:
                found = "no column" if name not in there else f"{there.count(name)} columns"
                raise ValueError(f"{self.path}: {found} {name!r}; there are {', '.join(map(str, there))}")
        if len(set(asked)) < len(asked):
            raise ValueError(
                f"{self.path}: columns {', '.join(map(repr, asked))}: they must be different ones"
            )

    def _parquet_batches(self, schema: pa.Schema) -> Iterator[pa.RecordBatch]:
        few_values = [self.outcome] if is_text(schema.field(self.outcome).type) else []
        # Otherwise pyarrow keeps what it has read of all columns until the file is closed.
        options = {"read_dictionary": few_values, "buffer_size": _PARQUET_BUFFER, "pre_buffer": False}
        with self._guarded(pq.ParquetFile, self.path, **options) as file:
            batches = file.iter_batches(_PARQUET_ROWS, columns=self._columns(), use_threads=False)
            yield from self._guarded_each(batches)

    def _csv_batches(self) -> Iterator[pa.RecordBatch]:
        wrong = []
        options = {
            # One thread, which counts the rows: there is another one that rates.
            "read_options": pa.csv.ReadOptions(use_threads=False, block_size=_CSV_BYTES),
            "parse_options": pa.csv.ParseOptions(
                newlines_in_values=True, invalid_row_handler=lambda row: wrong.append(row) or "error"
            ),
            # Only an empty cell is missing, and nothing is guessed: a player called 007 stays one.
            "convert_options": pa.csv.ConvertOptions(
                check_utf8=False,
                include_columns=self._columns(),
                column_types=dict.fromkeys(self._columns(), pa.string()),
                null_values=[""],
                strings_can_be_null=True,
            ),
        }
        try:
            with self._guarded(pa.csv.open_csv, self.path, **options) as file:
                yield from self._guarded_each(file)
        except ValueError as error:
            if not wrong:
                raise
            row = wrong[0]
            raise ValueError(
                f"{self.path}, row {row.number - 1}: it is {_short(repr(row.text))}, with "
                f"{row.actual_columns} of the {row.expected_columns} fields that are needed"
            ) from error

    def _guarded_each(self, batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        batches = iter(batches)
        while (batch := self._guarded(next, batches, None)) is not None:
            yield batch

    def _guarded(self, work: Callable, *arguments, **options):
        """Do what reads the file, and name the file where it cannot be read."""
        try:
            return work(*arguments, **options)
        except (pa.ArrowException, OSError, UnicodeDecodeError) as error:
            why = str(error)
            if "straddling object" in why:
                why = f"a row of more than {_CSV_BYTES} bytes, or a quotation mark that is not closed"
            where = f"after row {self._done}: " if self._done else ""
            raise ValueError(f"{self.path}: {where}it cannot be read as a table: {why}") from error

    def _check(self, batch: pa.RecordBatch) -> Piece:
        """Turn rows into arrays, or tell of the first row that is at fault, whatever its fault."""
        faults: list[tuple[int, str]] = []
        pairs = self._pairs(batch, faults)
        outcomes = self._outcomes(batch.column(self.outcome), faults)
        times = None if self.time is None else self._times(batch.column(self.time), faults)
        if faults:
            row, reason = min(faults)
            raise ValueError(f"{self.path}, row {self._done + row + 1}: {reason}")
        self._done += len(batch)
        return Piece(pairs, outcomes, times, len(self.index))

    def _pairs(self, batch: pa.RecordBatch, faults: list[tuple[int, str]]) -> NDArray[np.int64]:
        columns = [batch.column(self.first), batch.column(self.second)]
        names = (self.first, self.second)
        try:
            pairs = self.index.number_pairs(*columns)
        except NameFault as fault:
            value = columns[fault.side][fault.row]
            reason = f"{_shown(value)} {fault.reason}" if value.is_valid else "is empty"
            faults.append((fault.row, f"{names[fault.side]} {reason}"))
            # What stands before it is looked at all the same: it may be at fault as well.
            return self._pairs(batch.slice(0, fault.row), faults)
        except ValueError as error:
            raise ValueError(f"{self.path}, columns {self.first}, {self.second}: {error}") from error
        same = pairs[:, 0] == pairs[:, 1]
        if same.any():
            row = int(np.argmax(same))
            faults.append((row, f"{_shown(columns[0][row])} plays against itself"))
        return pairs

    def _outcomes(self, column: pa.Array, faults: list[tuple[int, str]]) -> NDArray[np.float64]:
        if not pa.types.is_dictionary(column.type):
            column = column.dictionary_encode()
        scores = [self._score(value) for value in column.dictionary] + [np.nan]
        codes = column.indices.fill_null(len(scores) - 1).to_numpy(zero_copy_only=False)
        outcomes = np.array(scores, dtype=np.float64)[codes]
        wrong = np.isnan(outcomes)
        if wrong.any():
            row = int(np.argmax(wrong))
            value = f"is {_shown(column[row])}" if column[row].is_valid else "is empty"
            faults.append((row, f"{self.outcome} {value}: allowed are {', '.join(self._meanings)}"))
        return outcomes

    def _score(self, value: pa.Scalar) -> float:
        """Score that a value stands for; NaN if it stands for none."""
        text = _text_of(value) or ""
        score = self._meanings.get(text.strip(), np.nan)
        if np.isnan(score):
            try:
                score = self._meanings.get(_written(float(text)), np.nan)
            except ValueError:
                pass
        return score

    def _times(self, column: pa.Array, faults: list[tuple[int, str]]) -> NDArray[np.float64]:
        if column.null_count:
            row = int(np.argmax(column.is_null().to_numpy(zero_copy_only=False)))
            faults.append((row, f"{self.time} is empty: {_TIME_ALLOWED}"))
            column = column.slice(0, row)
        if self._text_is_number is None and len(column):
            self._text_is_number = self.path.suffix != ".parquet" and _is_number(_text_of(column[0]))
        try:
            times = days_of(column, text_is_number=bool(self._text_is_number))
        except ValueError as error:
            raise ValueError(f"{self.path}, column {self.time}: {error}") from error
        wrong = ~np.isfinite(times)
        falls = times < np.concatenate([[self.last_time], times[:-1]])
        if wrong.any():
            row = int(np.argmax(wrong))
            faults.append((row, f"{self.time} is {_shown(column[row])}: {_TIME_ALLOWED}"))
        if falls.any():
            row = int(np.argmax(falls))
            before = _shown(column[row - 1]) if row else self._last_written
            reason = f"{_shown(column[row])}, before that of the game before ({before})"
            faults.append((row, f"{self.time} is {reason}: games must stand in order of time"))
        if len(times):
            self.last_time, self._last_written = float(times[-1]), _shown(column[-1])
        return times


def read_ahead(items: Iterator, most: int) -> Iterator:
    """Draw from an iterator in a thread of its own, up to so many items ahead; errors come out where they are due.

    Examples
    --------
    >>> list(read_ahead(iter([1, 2, 3]), 2))
    [1, 2, 3]
    """
    with ThreadPoolExecutor(1, thread_name_prefix="log") as pool:
        coming = deque(pool.submit(next, items, _END) for _ in range(most))
        while (item := coming.popleft().result()) is not _END:
            coming.append(pool.submit(next, items, _END))
            yield item


def _csv_columns(path: Path) -> list[str]:
    lenient = pa.csv.ParseOptions(newlines_in_values=True, invalid_row_handler=lambda row: "skip")
    with pa.csv.open_csv(path, parse_options=lenient) as file:
        return file.schema.names


def _join(held: list[Piece]) -> Piece:
    if len(held) == 1:
        return held[0]
    pairs, outcomes, times, n_players = zip(*held, strict=True)
    times = None if times[0] is None else np.concatenate(times)
    return Piece(np.concatenate(pairs), np.concatenate(outcomes), times, n_players[-1])


def _part(piece: Piece, rows: slice) -> Piece:
    times = None if piece.times is None else piece.times[rows]
    return Piece(piece.pairs[rows], piece.outcomes[rows], times, piece.n_players)


def _written(value: Hashable) -> str:
    """Text by which an outcome is looked up: numbers in one way, whatever their type."""
    is_number = isinstance(value, int | float | np.number) and not isinstance(value, bool)
    return f"{float(value):g}" if is_number else str(value).strip()


def _is_number(text: str | None) -> bool:
    try:
        float(text or "")
    except ValueError:
        return False
    return True


def _text_of(value: pa.Scalar) -> str | None:
    """Text of a value, whatever its bytes; None of a missing one."""
    if isinstance(value, pa.DictionaryScalar):
        value = value.value
    if not value.is_valid:
        return None
    if is_text(value.type):
        return value.cast(pa.large_binary()).as_py().decode("utf-8", errors="backslashreplace")
    return str(value)


def _shown(value: pa.Scalar) -> str:
    """Show a value in an error: text in quotation marks."""
    text = _text_of(value)
    of_text = is_text(value.type.value_type if pa.types.is_dictionary(value.type) else value.type)
    return _short(repr(text)) if of_text else str(text)


def _short(text: str) -> str:
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}... ({len(text)} characters)"
