"""The table of runs: its columns, the pairings in their order, and what is wrong with a table that is refused."""

from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from ludometrics.connect4.bitboard import SIDES

#: Columns that a table of runs must have; others are left out.
COLUMNS = (
    "recipe",
    "run",
    "step",
    "moves",
    "opponent",
    "error",
    "side",
    "games",
    "won",
    "drawn",
    "lost",
    "forfeits",
)
PAIRING = ("opponent", "error", "side")
COUNTS = ("games", "won", "drawn", "lost", "forfeits")
_OPPONENTS = (
    "random",
    "depth 1",
    "depth 2",
    "depth 4",
    "depth 8",
    "depth 8 book 8",
    "depth 10 book 8",
    "depth 16 book 12",
    "perfect",
)


class Condition(NamedTuple):
    """Whom the agent meets: the opponent, its rate of errors, and the agent's side."""

    opponent: str
    error: float
    side: str


#: The 24 standard pairings in their order, and the 22 of them that are played against BitBully.
STANDARD = tuple(
    Condition(name, error, side)
    for name, error in [*((name, 0.0) for name in _OPPONENTS), *(("perfect", e) for e in (0.1, 0.2, 0.3))]
    for side in SIDES
)
CONDITIONS = tuple(one for one in STANDARD if one.opponent != "random")
PERFECT_FIRST = Condition("perfect", 0.0, "first")


def check_runs(arena: pd.DataFrame) -> pd.DataFrame:
    """Check the rows of many runs, and give them in a fixed order.

    Parameters
    ----------
    arena : DataFrame
        One row a recipe, run, step and pairing: `COLUMNS`. Different steps may have different pairings; the runs of a
        recipe have the same steps and pairings.

    Returns
    -------
    DataFrame
        `COLUMNS`, sorted by recipe, step, pairing (the standard order, others after it) and run.

    Raises
    ------
    ValueError
        No rows, a column or number that is missing, counts that do not add up, a row that stands twice, a run that
        lacks what another run of its recipe has, or runs that differ in the moves of a step: what and where.

    Source
    ------
    Own.

    Examples
    --------
    >>> row = dict(zip(COLUMNS, ("own", 0, 1000, 5000, "perfect", 0.0, "first", 50, 40, 4, 5, 0), strict=True))
    >>> check_runs(pd.DataFrame([row]))
    Traceback (most recent call last):
    ...
    ValueError: recipe 'own', run 0, step 1000, perfect first: 40 won, 4 drawn and 5 lost are not 50 games
    """
    missing = [name for name in COLUMNS if name not in arena.columns]
    if missing:
        raise ValueError(f"the table of runs lacks {', '.join(missing)}; it needs {', '.join(COLUMNS)}")
    table = arena.loc[:, list(COLUMNS)].reset_index(drop=True)
    if table.empty:
        raise ValueError("the table of runs has no rows: at least one evaluation of one run is needed")
    for name in COLUMNS:
        if table[name].isna().any():
            raise ValueError(f"row {int(table[name].isna().idxmax())} of the table of runs: {name} is empty")
    _check_numbers(table)
    table = in_order(table)
    _check_counts(table)
    _check_complete(table)
    return table


def describe(pairing: Condition) -> str:
    """Name a pairing in words.

    Examples
    --------
    >>> describe(Condition("perfect", 0.1, "second")), describe(PERFECT_FIRST)
    ('perfect with error 0.1 second', 'perfect first')
    """
    error = f" with error {pairing.error:g}" if pairing.error else ""
    return f"{pairing.opponent}{error} {pairing.side}"


def in_order(table: pd.DataFrame) -> pd.DataFrame:
    """Sort rows by recipe, step, pairing (the standard order, others after it) and run."""
    places = {tuple(one): place for place, one in enumerate(STANDARD)}
    keys = table[list(PAIRING)].itertuples(index=False, name=None)
    order = table.assign(_place=[places.get(key, len(places)) for key in keys])
    order = order.sort_values(["recipe", "step", "_place", *PAIRING, "run"], kind="stable")
    return order.drop(columns="_place").reset_index(drop=True)


def _check_numbers(table: pd.DataFrame) -> None:
    for name in ("recipe", "opponent", "side"):
        wrong = [not isinstance(value, str) for value in table[name]]
        if any(wrong):
            row = wrong.index(True)
            raise ValueError(
                f"row {row} of the table of runs: {name} is {table[name][row]!r}, a text is needed"
            )
    for name in ("run", "step", "moves", *COUNTS):
        values = pd.to_numeric(table[name], errors="coerce")
        wrong = ~((values >= 0) & (values % 1 == 0))
        if wrong.any():
            row = int(wrong.idxmax())
            raise ValueError(
                f"row {row} of the table of runs: {name} is {table[name][row]!r}, a whole number from 0 is needed"
            )
        table[name] = values.astype(np.int64)
    errors = pd.to_numeric(table["error"], errors="coerce")
    for wrong, name, wanted in (
        (~errors.between(0.0, 1.0), "error", "a probability"),
        (~table["side"].isin(SIDES), "side", "'first' or 'second'"),
    ):
        if wrong.any():
            row = int(wrong.idxmax())
            raise ValueError(
                f"row {row} of the table of runs: {name} is {table[name][row]!r}, {wanted} is needed"
            )
    table["error"] = errors.astype(float)


def _place(row: Any) -> str:
    pairing = describe(Condition(row.opponent, row.error, row.side))
    return f"recipe {row.recipe!r}, run {row.run}, step {row.step}, {pairing}"


def _check_counts(table: pd.DataFrame) -> None:
    wrong = (table["won"] + table["drawn"] + table["lost"] != table["games"]) | (table["games"] < 1)
    if wrong.any():
        row = table.loc[wrong.idxmax()]
        counts = f"{row.won} won, {row.drawn} drawn and {row.lost} lost"
        raise ValueError(f"{_place(row)}: {counts} are not {max(row.games, 1)} games")
    wrong = table["forfeits"] > table["lost"]
    if wrong.any():
        row = table.loc[wrong.idxmax()]
        raise ValueError(f"{_place(row)}: {row.forfeits} forfeits are more than {row.lost} lost")


def _check_complete(table: pd.DataFrame) -> None:
    twice = table.duplicated(["recipe", "run", "step", *PAIRING])
    if twice.any():
        raise ValueError(f"{_place(table.loc[twice.idxmax()])}: the row stands twice")
    there = table.groupby(["recipe", "step", *PAIRING], sort=False)["run"].transform("size")
    lacking = there < table.groupby("recipe")["run"].transform("nunique")
    if lacking.any():
        row = table.loc[lacking.idxmax()].copy()
        same = (table[["recipe", "step", *PAIRING]] == row[["recipe", "step", *PAIRING]]).all(axis=1)
        has = row.run
        row["run"] = min(set(table.loc[table["recipe"] == row.recipe, "run"]) - set(table.loc[same, "run"]))
        raise ValueError(
            f"{_place(row)}: there is no such row, but run {has} has it; leave out the run or the step"
        )
    moves = table.groupby(["recipe", "step"])["moves"].transform("first")
    differs = table["moves"] != moves
    if differs.any():
        row = table.loc[differs.idxmax()]
        first = moves[differs.idxmax()]
        raise ValueError(f"{_place(row)}: {row.moves} moves, but {first} elsewhere at step {row.step}")
