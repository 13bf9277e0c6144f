"""The tables of the study of backgammon players of known skill: their keys, and how a cell writes them."""

from __future__ import annotations

import pandas as pd

from ludometrics.provenance import write_table

#: Tables that depend on the counting rule, and their keys besides it.
BY_RULE = {
    "coverage": ["player", "measure", "method", "units"],
    "games": ["player", "measure", "method", "units"],
    "single": ["player", "games"],
    "biases": ["player", "bias", "least_mp", "matches"],
    "plans": ["player", "matches"],
    "study": ["player", "chosen", "matches"],
    "tournaments": ["here", "usual", "matches"],
    "pace": ["player", "type"],
    "easy": ["player"],
}
#: Tables that say the same, or all that there is to say, under every rule.
ALIKE = {
    "players": ["player", "measure"],
    "order": ["better", "worse", "measure", "matches"],
    "ranking": ["measure", "matches"],
    "cut": ["listed"],
    "temperature": ["player"],
    "engine": ["player"],
    "lengths": ["length"],
    "luck": ["gap", "quantity"],
}
KEYS = BY_RULE | ALIKE


def save(table: pd.DataFrame, name: str, *, rule: str, cell: str, out: str, **sources) -> None:
    """Write a cell's table with its rule; ``sources`` as `provenance.write_table` takes them.

    Raises
    ------
    ValueError
        No such table.
    """
    if name not in KEYS:
        raise ValueError(f"table {name!r}, allowed are {', '.join(KEYS)}")
    table = table.assign(rule=rule)
    write_table(table, f"{out}/{name}__{cell}.csv", key=["rule", *KEYS[name]], **sources)
