"""Logs as people have them, CSV files and data frames, turned into games; errors name file, row and value."""

from collections.abc import Hashable, Mapping
from pathlib import Path

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from ludometrics.ratings.games import Games, index_games, index_tables

#: Score of the first player for each way of writing an outcome that is understood without being told.
OUTCOMES: Mapping[str, float] = {
    "1": 1.0,
    "1.0": 1.0,
    "0": 0.0,
    "0.0": 0.0,
    "0.5": 0.5,
    ".5": 0.5,
    "1-0": 1.0,
    "0-1": 0.0,
    "1/2-1/2": 0.5,
    "½-½": 0.5,
    "½": 0.5,
}
_DAY = np.timedelta64(1, "D")


def read_games(
    log: str | Path | pd.DataFrame,
    *,
    first: str = "first",
    second: str = "second",
    outcome: str | tuple[str, str] = "outcome",
    time: str | None = None,
    weight: str | None = None,
    outcomes: Mapping[Hashable, float] | None = None,
) -> Games:
    """Read a log of duels, one row a game.

    Rows are put in order of their time; rows of the same time stay in the order of the file.

    Parameters
    ----------
    log : path or DataFrame
        CSV (also .csv.gz), Parquet, or a frame.
    first, second : str
        Columns of the two players; any names, numbers too.
    outcome : str or (str, str)
        Column of the first player's result: 1, 0.5, 0, or ``1-0``, ``1/2-1/2``, ``0-1``; or the two columns of their
        scores, of which the higher wins.
    time : str, optional
        Column of dates (``2018-12-31``, ``2018.12.31``, with or without a time of day), or of days as numbers.
    weight : str, optional
        Column of how many games a row counts as.
    outcomes : mapping, optional
        What other ways of writing an outcome mean: ``{"white": 1, "black": 0, "draw": 0.5}``.

    Returns
    -------
    Games
        Times in days since 1970-01-01 where dates were given.

    Raises
    ------
    ValueError
        Naming the file, the row (the first row of data is 1), the value and what is allowed.

    Examples
    --------
    >>> log = pd.DataFrame({"white": ["Ann", "Bob"], "black": ["Bob", "Cid"], "result": ["1-0", "1/2-1/2"]})
    >>> games = read_games(log, first="white", second="black", outcome="result")
    >>> games.players, games.outcomes.tolist()
    (('Ann', 'Bob', 'Cid'), [1.0, 0.5])
    """
    name, table = _load(log)
    scored = isinstance(outcome, tuple)
    asked = [first, second, *(outcome if scored else (outcome,)), time, weight]
    _check_columns(name, table, [column for column in asked if column is not None])
    for column in (first, second):
        _check_filled(name, table, column)
    same = (table[first] == table[second]).to_numpy()
    if same.any():
        row = int(np.argmax(same))
        raise ValueError(f"{name}, row {row + 1}: {table[first].iloc[row]!r} plays against itself")
    result = (
        _compare_scores(name, table, *outcome) if scored else _read_outcomes(name, table, outcome, outcomes)
    )
    times, order = _read_times(name, table, time)
    weights = None if weight is None else _read_numbers(name, table, weight, low=0.0)
    return index_games(
        table[first].iloc[order].array,
        table[second].iloc[order].array,
        result[order],
        times=None if times is None else times[order],
        weights=None if weights is None else weights[order],
    )


def read_tables(
    log: str | Path | pd.DataFrame,
    *,
    play: str = "play",
    player: str = "player",
    rank: str = "rank",
    team: str | None = None,
    time: str | None = None,
    weight: str | None = None,
) -> Games:
    """Read a log of plays of two or more, one row a seat.

    Plays are put in order of their time; plays of the same time stay in the order of the file.

    Parameters
    ----------
    log : path or DataFrame
        CSV (also .csv.gz), Parquet, or a frame.
    play, player, rank : str
        Columns of the play, the player, and the place in the finishing order (1 is best, equal ones are a tie).
    team : str, optional
        Column of the player's team; mates are not rated against each other.
    time, weight : str, optional
        As `read_games` takes them, the same in all rows of a play.

    Returns
    -------
    Games
        All pairs of each play.

    Raises
    ------
    ValueError
        Naming the file, the row (the first row of data is 1), the value and what is allowed.

    Examples
    --------
    >>> log = pd.DataFrame({"play": [1, 1, 1], "player": ["Ann", "Bob", "Cid"], "rank": [1, 2, 3]})
    >>> len(read_tables(log))
    3
    """
    name, table = _load(log)
    _check_columns(name, table, [c for c in (play, player, rank, team, time, weight) if c is not None])
    for column in (play, player):
        _check_filled(name, table, column)
    ranks = _read_numbers(name, table, rank)
    times, order = _read_times(name, table, time)
    weights = None if weight is None else _read_numbers(name, table, weight, low=0.0)
    try:
        return index_tables(
            table[play].iloc[order].array,
            table[player].iloc[order].array,
            ranks[order],
            teams=None if team is None else table[team].iloc[order].array,
            times=None if times is None else times[order],
            weights=None if weights is None else weights[order],
        )
    except ValueError as error:
        raise ValueError(f"{name}, in order of time: {error}") from error


def days_since_1970(values: pd.Series) -> NDArray[np.float64]:
    """Turn dates, or text of dates, into days since 1970-01-01 (NaN where it is none); numbers stay as they are.

    Examples
    --------
    >>> days_since_1970(pd.Series(["1872-11-30", "1970-01-02 12:00", "soon"])).tolist()
    [-35460.0, 1.5, nan]
    """
    if pd.api.types.is_bool_dtype(values):
        return np.full(len(values), np.nan)
    if pd.api.types.is_numeric_dtype(values):
        return values.to_numpy(dtype=np.float64, na_value=np.nan)
    if pd.api.types.is_datetime64_any_dtype(values):
        naive = values.dt.tz_convert(None) if values.dt.tz is not None else values
        stamps = naive.to_numpy(dtype="datetime64[s]")
    else:
        stamps = np.array([_stamp(value) for value in values.tolist()], dtype="datetime64[s]")
    return np.where(np.isnat(stamps), np.nan, (stamps - np.datetime64(0, "s")) / _DAY)


def _stamp(value: object) -> np.datetime64:
    text = str(value).strip()
    if text[4:5] in (".", "/") and text[7:8] == text[4:5]:
        text = text[:10].replace(text[4], "-") + text[10:]
    try:
        return np.datetime64(text.removesuffix("Z").replace(" ", "T", 1), "s")
    except ValueError:
        return np.datetime64("NaT")


def _load(log: str | Path | pd.DataFrame) -> tuple[str, pd.DataFrame]:
    if isinstance(log, pd.DataFrame):
        return "data frame", log
    path = Path(log)
    if not path.is_file():
        raise ValueError(f"{path}: there is no such file")
    try:
        if path.suffix == ".parquet":
            return str(path), pd.read_parquet(path)
        # Only an empty cell is missing: there are players named "None", "NA" and "null".
        table = pd.read_csv(path, keep_default_na=False, na_values=[""], encoding="utf-8-sig")
        return str(path), table
    except (OSError, ValueError, pd.errors.ParserError) as error:
        raise ValueError(f"{path}: it cannot be read as a table: {error}") from error


def _check_columns(name: str, table: pd.DataFrame, columns: list[str]) -> None:
    if missing := [column for column in columns if column not in table.columns]:
        raise ValueError(
            f"{name}: no column {', '.join(map(repr, missing))}; there are {', '.join(map(str, table.columns))}"
        )


def _check_filled(name: str, table: pd.DataFrame, column: str) -> None:
    missing = table[column].isna().to_numpy()
    if missing.any():
        raise ValueError(f"{name}, row {int(np.argmax(missing)) + 1}: {column} is empty")


def _read_outcomes(
    name: str, table: pd.DataFrame, column: str, meanings: Mapping[Hashable, float] | None
) -> NDArray[np.float64]:
    known = {**OUTCOMES, **{str(key): value for key, value in (meanings or {}).items()}}
    codes, found = pd.factorize(table[column])
    scores = np.array([known.get(str(value).strip(), np.nan) for value in found] + [np.nan])
    result = scores[codes]
    wrong = ~np.isin(result, (0.0, 0.5, 1.0))
    if wrong.any():
        row = int(np.argmax(wrong))
        allowed = ", ".join(known)
        raise ValueError(
            f"{name}, row {row + 1}: {column} is {table[column].iloc[row]!r}: allowed are {allowed}"
        )
    return result


def _compare_scores(name: str, table: pd.DataFrame, one: str, other: str) -> NDArray[np.float64]:
    difference = _read_numbers(name, table, one) - _read_numbers(name, table, other)
    return 0.5 + 0.5 * np.sign(difference)


def _read_numbers(
    name: str, table: pd.DataFrame, column: str, *, low: float = -np.inf
) -> NDArray[np.float64]:
    numbers = pd.to_numeric(table[column], errors="coerce").to_numpy(dtype=np.float64, na_value=np.nan)
    wrong = ~(np.isfinite(numbers) & (numbers >= low))
    if wrong.any():
        row = int(np.argmax(wrong))
        allowed = "a finite number" if low == -np.inf else f"a finite number of at least {low:g}"
        raise ValueError(
            f"{name}, row {row + 1}: {column} is {table[column].iloc[row]!r}: it must be {allowed}"
        )
    return numbers


def _read_times(
    name: str, table: pd.DataFrame, column: str | None
) -> tuple[NDArray[np.float64] | None, NDArray[np.int64]]:
    if column is None:
        return None, np.arange(len(table))
    times = days_since_1970(table[column])
    wrong = ~np.isfinite(times)
    if wrong.any():
        row = int(np.argmax(wrong))
        raise ValueError(
            f"{name}, row {row + 1}: {column} is {table[column].iloc[row]!r}: it must be a date such as 2018-12-31, "
            "or a number of days"
        )
    return times, np.argsort(times, kind="stable")
