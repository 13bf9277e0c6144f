"""Tidy tables on disk: CSV bytes that can be compared, each with its sidecar."""

from collections.abc import Iterable, Mapping, Sequence
from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from ludometrics.provenance.paths import resolve
from ludometrics.provenance.sidecar import compose_sidecar, read_sidecar, sidecar_path, write_bytes

# Ten digits: more than any estimate here deserves, fewer than the last-bit noise of another CPU.
FLOAT_FORMAT = "%.10g"

# From pandas 3.1 on the parser always reads a number as it was written; older ones have to be asked.
_PANDAS = tuple(int(part) for part in pd.__version__.split(".")[:2])
_EXACT_FLOATS = {} if _PANDAS >= (3, 1) else {"float_precision": "round_trip"}


def write_table(
    frame: pd.DataFrame,
    path: str | Path,
    *,
    key: Sequence[str],
    parameters: Mapping[str, Any] | None = None,
    inputs: Iterable[str | Path] = (),
) -> Path:
    """Write a tidy table as CSV with its sidecar; each appears whole or not at all, the sidecar last.

    Parameters
    ----------
    frame : DataFrame
        One row an observation; the index is not written.
    path : str or Path
        The CSV, relative to the repository's root or absolute; its folder is made.
    key : sequence of str
        Columns that together name a row: rows are sorted by them, and no two may agree in all.
    parameters, inputs
        Kept in the sidecar, see `write_sidecar`.

    Returns
    -------
    Path
        The CSV: UTF-8, columns in the frame's order, rows sorted by key, floats as ``%.10g``, missing empty.
        The bytes depend on the values alone, not on how pandas keeps them (objects, categories, its own types).

    Raises
    ------
    ValueError
        A key column is missing, empty in some row, or the key names two rows; two columns of one name; a
        carriage return or NUL in a text; a parameter that JSON cannot hold. Nothing is written then.

    Source
    ------
    Own.
    """
    path = resolve(path)
    if path.suffix != ".csv":
        raise ValueError(f"{path}: a table's name must end in .csv")
    frame = _sorted_by_key(_plain(frame, path.name), list(key), path.name)
    content = frame.to_csv(index=False, float_format=FLOAT_FORMAT, lineterminator="\n").encode("utf-8")
    sidecar = compose_sidecar(
        {path.name: sha256(content).hexdigest()},
        parameters=parameters,
        inputs=map(resolve, inputs),
        key=list(key),
        text=[name for name in frame.columns if _is_text(frame[name])],
    )
    write_bytes(path, content)
    write_bytes(sidecar_path(path), sidecar)
    return path


def read_table(path: str | Path) -> pd.DataFrame:
    """Read a table that `write_table` wrote.

    Parameters
    ----------
    path : str or Path
        The CSV, relative to the repository's root or absolute.

    Returns
    -------
    DataFrame
        Only an empty field is missing: a player called "NA" stays a player, and one called "007" too where
        the sidecar says that the column holds text.

    Raises
    ------
    ValueError
        No such file, or no table in it.

    Source
    ------
    Own.
    """
    path = resolve(path)
    try:
        return pd.read_csv(
            path, dtype=_text_columns(path), keep_default_na=False, na_values=[""], **_EXACT_FLOATS
        )
    except FileNotFoundError:
        raise ValueError(f"{path}: no such table; has its study been run?") from None
    except (pd.errors.EmptyDataError, pd.errors.ParserError, UnicodeDecodeError) as error:
        raise ValueError(f"{path}: not a table ({error})") from None


def merge_cells(paths: Iterable[str | Path]) -> pd.DataFrame:
    """Put the tables of a grid's cells under one another.

    Parameters
    ----------
    paths : paths
        CSVs with the same columns.

    Returns
    -------
    DataFrame
        Rows in the order of the paths.

    Raises
    ------
    ValueError
        No path at all, or a table whose columns differ from the first one's.

    Source
    ------
    Own.
    """
    paths = list(paths)
    if not paths:
        raise ValueError("there is no cell to merge")
    frames = [read_table(path) for path in paths]
    for path, frame in zip(paths, frames, strict=True):
        if list(frame.columns) != list(frames[0].columns):
            raise ValueError(
                f"{path}: its columns {list(frame.columns)} are not those of {paths[0]} {list(frames[0].columns)}"
            )
    return pd.concat(frames, ignore_index=True)


def _sorted_by_key(frame: pd.DataFrame, key: list[str], name: str) -> pd.DataFrame:
    missing = [column for column in key if column not in frame.columns]
    if missing or not key:
        raise ValueError(f"{name}: key columns {missing or key} are not among {list(frame.columns)}")
    if frame[key].isna().any(axis=None):
        raise ValueError(f"{name}: a key column {key} is empty in some row")
    try:
        frame = frame.sort_values(key, kind="stable", ignore_index=True)
    except TypeError as error:
        raise ValueError(f"{name}: rows cannot be sorted by {key} ({error})") from None
    twice = frame.duplicated(key)
    if twice.any():
        (row,) = frame.loc[[twice.idxmax()], key].to_dict("records")
        raise ValueError(f"{name}: two rows have the key {row}")
    return frame


def _plain(frame: pd.DataFrame, name: str) -> pd.DataFrame:
    """The same values in plain columns: float64, or what pandas makes of the objects themselves."""
    if not frame.columns.is_unique:
        twice = frame.columns[frame.columns.duplicated()].tolist()
        raise ValueError(f"{name}: two columns are called {twice[0]!r}")
    frame = frame.reset_index(drop=True)
    return pd.DataFrame({column: _plain_column(frame[column], name) for column in frame.columns})


def _plain_column(column: pd.Series, name: str) -> pd.Series:
    if isinstance(column.dtype, pd.CategoricalDtype):  # sorts by its categories, not by what is written
        column = column.astype(object)
    column = column.infer_objects()
    if pd.api.types.is_float_dtype(column.dtype):
        # Adding zero turns -0.0 into 0.0, whose sign depends on the order of summation.
        return pd.Series(column.to_numpy(dtype=float, na_value=np.nan) + 0.0, index=column.index)
    if column.dtype == object:  # to_csv would write the floats among them with all their digits
        column = column.map(lambda value: FLOAT_FORMAT % (value + 0.0) if _is_number(value) else value)
    if _is_text(column) and column.str.contains("[\r\0]", na=False).any():
        raise ValueError(
            f"{name}: a carriage return or NUL in column {column.name!r}; readers of CSV differ on them"
        )
    return column


def _is_number(value: Any) -> bool:
    return isinstance(value, float | np.floating) and not np.isnan(value)


def _is_text(column: pd.Series) -> bool:
    return pd.api.types.infer_dtype(column, skipna=True) == "string"


def _text_columns(path: Path) -> dict[str, type]:
    """Columns that the sidecar knows to hold text; none where there is no sidecar."""
    try:
        return dict.fromkeys(read_sidecar(path).get("text", []), str)
    except ValueError:
        return {}
