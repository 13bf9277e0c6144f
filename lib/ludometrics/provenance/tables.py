"""Tidy tables on disk: CSV bytes that can be compared, each with its sidecar."""

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from ludometrics.provenance.paths import resolve
from ludometrics.provenance.sidecar import sidecar_path, write_bytes, write_sidecar

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
    """Write a tidy table as CSV with its sidecar; both appear whole or not at all.

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

    Raises
    ------
    ValueError
        A key column is missing, empty in some row, or the key names two rows.

    Source
    ------
    Own.
    """
    path = resolve(path)
    if path.suffix != ".csv":
        raise ValueError(f"{path}: a table's name must end in .csv")
    frame = _sorted_by_key(frame, list(key), path.name)
    text = frame.to_csv(index=False, float_format=FLOAT_FORMAT, lineterminator="\n")
    write_bytes(path, text.encode("utf-8"))
    write_sidecar(
        sidecar_path(path), [path], parameters=parameters, inputs=map(resolve, inputs), key=list(key)
    )
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
        Only an empty field is missing: a player called "NA" stays a player.

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
        return pd.read_csv(path, keep_default_na=False, na_values=[""], **_EXACT_FLOATS)
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
    frame = frame.sort_values(key, kind="stable", ignore_index=True)
    twice = frame.duplicated(key)
    if twice.any():
        row = frame.loc[twice.idxmax(), key].to_dict()
        raise ValueError(f"{name}: two rows have the key {row}")
    floats = frame.select_dtypes(include=[np.floating]).columns
    # Adding zero turns -0.0 into 0.0, whose sign depends on the order of summation.
    return frame.assign(**{column: frame[column] + 0.0 for column in floats})
