"""Logs as people have them, CSV files and data frames, turned into games; errors name file, row and value."""

import re
import warnings
from collections.abc import Hashable, Mapping, Sequence
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
    outcome: str | Sequence[str] = "outcome",
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
        Columns of the two players. In a CSV all names are text: 007 is not 7.
    outcome : str or sequence of str
        Column of the first player's result: 1, 0.5, 0, or ``1-0``, ``1/2-1/2``, ``0-1``; or the two columns of their
        scores, of which the higher wins.
    time : str, optional
        Column of dates (``2018-12-31``, ``2018.12.31``, with or without a time of day), or of days as numbers.
    weight : str, optional
        Column of how many games a row counts as.
    outcomes : mapping, optional
        What ways of writing an outcome mean, in place of those above: ``{"white": 1, "black": 0, "draw": 0.5}``.

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
    results = [outcome] if isinstance(outcome, str) else list(outcome)
    if len(results) not in (1, 2):
        raise ValueError(f"outcome is {outcome!r}: it must be one column of results or two columns of scores")
    scored = len(results) == 2
    asked = [first, second, *results, time, weight]
    texts = [first, second, time] if scored else [first, second, *results, time]
    name, table = _load(log, asked, texts)
    for column in (first, second):
        _check_filled(name, table, column)
    pairs = zip(table[first].tolist(), table[second].tolist(), strict=True)
    same = next((row for row, (one, other) in enumerate(pairs) if one == other), None)
    if same is not None:
        raise ValueError(f"{name}, row {same + 1}: {_shown(table[first], same)} plays against itself")
    result = (
        _compare_scores(name, table, *results)
        if scored
        else _read_outcomes(name, table, results[0], outcomes)
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
    name, table = _load(log, [play, player, rank, team, time, weight], [play, player, team, time])
    for column in (play, player) if team is None else (play, player, team):
        _check_filled(name, table, column)
    # Seats of a play need not stand together in a file; plays keep the order in which they begin.
    table = table.iloc[np.argsort(pd.factorize(table[play])[0], kind="stable")]
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
        raise ValueError(
            f"{name}, seats put in order of play and time, the first one being row 0: {error}"
        ) from error


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
        return np.where(np.isnat(stamps), np.nan, (stamps - np.datetime64(0, "s")) / _DAY)
    codes, found = pd.factorize(values)
    return np.array([*map(_day_of, found.tolist()), np.nan])[codes]


#: A date with four digits of the year, with or without a time of day and an offset from UTC.
_DATE = re.compile(
    r"(\d{4})([-./])(\d\d)\2(\d\d)(?:[T ](\d\d:\d\d(?::\d\d(?:\.\d+)?)?))?\s*(Z|[+-]\d\d:?\d\d)?", re.ASCII
)


def _day_of(value: object) -> float:
    """Days since 1970-01-01 of one value: a number as it is, a date by its pattern, NaN for anything else."""
    if isinstance(value, int | float | np.number) and not isinstance(value, bool):
        return float(value)
    found = _DATE.fullmatch(str(value).strip())
    if found is None:
        try:
            return float(str(value)) if not isinstance(value, bool) else np.nan
        except ValueError:
            return np.nan
    year, _, month, day, clock, offset = found.groups()
    try:
        stamp = np.datetime64(f"{year}-{month}-{day}" + (f"T{clock}" if clock else ""), "s")
    except ValueError:
        return np.nan
    days = float((stamp - np.datetime64(0, "s")) / _DAY)
    if offset not in (None, "Z"):
        sign = 1 if offset[0] == "+" else -1
        days -= sign * (int(offset[1:3]) / 24.0 + int(offset[-2:]) / 1440.0)
    return days


def _load(
    log: str | Path | pd.DataFrame, asked: list[str | None], texts: list[str | None]
) -> tuple[str, pd.DataFrame]:
    """Give a name for messages and the table with the columns that are asked for; `texts` stay as they are written."""
    columns = [column for column in asked if column is not None]
    if isinstance(log, pd.DataFrame):
        name, table = "data frame", log
    else:
        path = Path(log)
        if not path.is_file():
            raise ValueError(f"{path}: there is no such file")
        name = str(path)
        try:
            table = pd.read_parquet(path) if path.suffix == ".parquet" else _read_csv(path, texts)
        except (OSError, ValueError, pd.errors.ParserError) as error:
            raise ValueError(f"{path}: it cannot be read as a table: {error}") from error
    there = ", ".join(map(str, table.columns))
    if missing := [column for column in columns if column not in table.columns]:
        hint = "; is the separator a comma?" if len(table.columns) == 1 and ";" in there else ""
        raise ValueError(f"{name}: no column {', '.join(map(repr, missing))}; there are {there}{hint}")
    if twice := [column for column in columns if list(table.columns).count(column) > 1]:
        raise ValueError(f"{name}: two columns are called {twice[0]!r}")
    return name, table


def _read_csv(path: Path, texts: list[str | None]) -> pd.DataFrame:
    # Only an empty cell is missing: there are players named "None", "NA" and "null". Names are text, so that 007 is
    # not 7 and a file of numbers with one word in it does not hold two of each player.
    options = {"keep_default_na": False, "na_values": [""], "encoding": "utf-8-sig", "low_memory": False}
    with warnings.catch_warnings():
        # A row with more cells than the header would move all columns by one.
        warnings.simplefilter("error", pd.errors.ParserWarning)
        try:
            return pd.read_csv(
                path, index_col=False, dtype=dict.fromkeys(filter(None, texts), str), **options
            )
        except pd.errors.ParserWarning as error:
            raise ValueError(f"a row has more cells than the header ({error})") from error


def _shown(column: pd.Series, row: int) -> str:
    """A cell as a message shows it."""
    value = column.iloc[row]
    if pd.isna(value):
        return "empty"
    return repr(value.item() if isinstance(value, np.generic) else value)


def _check_filled(name: str, table: pd.DataFrame, column: str) -> None:
    missing = table[column].isna().to_numpy()
    if missing.any():
        raise ValueError(f"{name}, row {int(np.argmax(missing)) + 1}: {column} is empty")


def _read_outcomes(
    name: str, table: pd.DataFrame, column: str, meanings: Mapping[Hashable, float] | None
) -> NDArray[np.float64]:
    known = dict(OUTCOMES) if meanings is None else {_written(key): value for key, value in meanings.items()}
    codes, found = pd.factorize(table[column])
    scores = np.array([known.get(_written(value), np.nan) for value in found] + [np.nan])
    result = scores[codes]
    wrong = ~np.isin(result, (0.0, 0.5, 1.0))
    if wrong.any():
        row = int(np.argmax(wrong))
        allowed = ", ".join(known)
        raise ValueError(
            f"{name}, row {row + 1}: {column} is {_shown(table[column], row)}: allowed are {allowed}"
        )
    return result


def _written(value: object) -> str:
    """An outcome as it is looked up: a number, however written, by its value."""
    text = str(value).strip().replace(" ", "")
    try:
        number = float(text)
    except ValueError:
        return text
    return f"{number:g}" if number else "0"


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
            f"{name}, row {row + 1}: {column} is {_shown(table[column], row)}: it must be {allowed}"
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
            f"{name}, row {row + 1}: {column} is {_shown(table[column], row)}: it must be a date such as 2018-12-31, "
            "or a number of days"
        )
    return times, np.argsort(times, kind="stable")
