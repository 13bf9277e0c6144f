"""A rated log as tidy tables, for notebooks and figures: standings, histories, and what guests do to them."""

import os
from collections.abc import Mapping, Sequence
from dataclasses import replace

import pandas as pd

from ludometrics.boardgames.engine import RatedLog, rate_log
from ludometrics.boardgames.standings import standings
from ludometrics.boardgames.stats import rating_series
from ludometrics.provenance import read_table

_SECONDS_A_DAY = 86400.0


def read_strengths(path: str | os.PathLike[str]) -> dict[str, float]:
    """Read the true strengths of a simulated group, as `python -m ludometrics.simulation boardgames` writes them.

    Returns
    -------
    dict of str to float
        Points, by key of the person.

    Raises
    ------
    ValueError
        A column is missing, or a strength is no number.
    """
    table = pd.read_csv(path, dtype={"uuid": str, "strength": str}, keep_default_na=False)
    missing = {"uuid", "strength"} - set(table.columns)
    if missing:
        raise ValueError(
            f"{path}: there is no column {', '.join(sorted(missing))}; it has {', '.join(table.columns)}"
        )
    found = {}
    for row, (key, text) in enumerate(zip(table["uuid"], table["strength"], strict=True), start=2):
        try:
            found[key.casefold()] = float(text)
        except ValueError:
            raise ValueError(f"{path}, row {row}: strength is {text!r}: it must be a number") from None
    return found


def standings_table(
    rated: RatedLog, labels: Mapping[str, str], strengths: Mapping[str, float] | None = None
) -> pd.DataFrame:
    """Standings as a table, beside the true strengths where they are known.

    Parameters
    ----------
    rated : RatedLog
    labels : mapping of str to str
        What each person is called, by key.
    strengths : mapping of str to float, optional
        True strengths by key, points; shown shifted to the mean of the ratings, plays counting, since only differences
        can be known.

    Returns
    -------
    DataFrame
        `place` (1 first; the provisional stand below the established), `player`, `rank` (missing while provisional),
        `provisional`, `rating`, `deviation`, `low`, `high` (rating and 1.645 deviations), `plays`, `strength`.
    """
    rows = standings(rated)
    table = pd.DataFrame(
        {
            "place": range(1, len(rows) + 1),
            "player": [labels[row.person] for row in rows],
            "rank": pd.array([row.rank for row in rows], dtype="Int64"),
            "provisional": [int(row.provisional) for row in rows],
            "rating": [row.rating for row in rows],
            "deviation": [row.deviation for row in rows],
            "low": [row.low for row in rows],
            "high": [row.high for row in rows],
            "plays": [row.plays_rated for row in rows],
        }
    )
    true = pd.Series([(strengths or {}).get(row.person) for row in rows], dtype=float)
    plays = table["plays"].where(true.notna(), 0)
    if plays.sum():
        true += ((table["rating"] - true) * plays).sum() / plays.sum()
    return table.assign(strength=true)


def history_table(rated: RatedLog, labels: Mapping[str, str]) -> pd.DataFrame:
    """Every player's rating after each rated play, over playing time and days.

    Parameters
    ----------
    rated, labels
        As in `standings_table`.

    Returns
    -------
    DataFrame
        `player`, `step` (0: the start), `hours` (playing time of the group's rated plays so far), `day` (days since the
        first play of the log), `rating`, `deviation` (as the play left them).
    """
    begin = rated.log.plays[0].at if rated.log.plays else None
    parts = []
    for key, line in rating_series(rated).items():
        days = [(at - begin).total_seconds() / _SECONDS_A_DAY for at in line.at]
        columns = {"hours": line.hours, "day": days, "rating": line.rating, "deviation": line.deviation}
        part = pd.DataFrame({"player": labels[key], "step": range(len(days)), **columns})
        parts.append(part)
    names = ["player", "step", "hours", "day", "rating", "deviation"]
    return pd.concat(parts, ignore_index=True) if parts else pd.DataFrame(columns=names)


def guests_table(
    rated: RatedLog, labels: Mapping[str, str], *, editions: Mapping[str, str] | None = None
) -> pd.DataFrame:
    """What it does to each rating to take the guests' seats out, instead of keeping them as unknowns.

    Parameters
    ----------
    rated, labels
        As in `standings_table`.
    editions : mapping of str to str, optional
        Those that the log was rated with.

    Returns
    -------
    DataFrame
        Of everybody with a rated play either way: `player`, `met` (seats of guests met in rated plays), and with guests
        kept as `unknown` and under `drop` the `rating_*`, `deviation_*` and `plays_*` (missing: no rated play).
    """
    both = {}
    for how in ("unknown", "drop"):
        settings = replace(rated.settings, guests=how)
        one = rate_log(rated.log, settings, weights=rated.weights, editions=editions)
        ratings = one.ratings
        columns = {
            f"rating_{how}": ratings.rating,
            f"deviation_{how}": ratings.deviations,
            f"plays_{how}": pd.array(ratings.plays, dtype="Int64"),
        }
        both[how] = one, pd.DataFrame(columns, index=list(ratings.people))
    schedule = both["unknown"][0].schedule
    guests = pd.Series(schedule.person < 0).groupby(schedule.play_of_seat).transform("sum").to_numpy()
    known = schedule.person >= 0
    met = pd.Series(guests[known]).groupby(schedule.person[known]).sum()
    counts = pd.DataFrame({"met": met.to_numpy()}, index=[schedule.people[person] for person in met.index])
    table = counts.join([both["unknown"][1], both["drop"][1]], how="outer")
    table.insert(0, "player", [labels[key] for key in table.index])
    return table.sort_values("player").reset_index(drop=True)


def join_presets(
    results: str | os.PathLike[str], name: str, presets: Sequence[str]
) -> tuple[pd.DataFrame, list[str]]:
    """Join the tables of one kind over cells that each hold a preset.

    Parameters
    ----------
    results : path
        Folder of the tables.
    name : str
        Of the kind: ``<name>__<preset>.csv``.
    presets : sequence of str

    Returns
    -------
    table : DataFrame
        With the column `preset` before the others.
    files : list of str
        What was read.
    """
    files = [f"{results}/{name}__{preset}.csv" for preset in presets]
    tables = [read_table(path) for path in files]
    for preset, table in zip(presets, tables, strict=True):
        table.insert(0, "preset", preset)
    return pd.concat(tables, ignore_index=True), files
