"""Names the rows of a CSV as a spreadsheet numbers them, and finds the one that is at fault."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator
from contextlib import suppress

from ludometrics.backgammon.building import RecordError
from ludometrics.backgammon.record_checks import LIMITS, refuse


class RowNames:
    """Names rows of a file as a spreadsheet numbers them; called only to say what is wrong."""

    def __init__(self, content: bytes, name: str) -> None:
        self.content, self.name = content, name

    def records(self) -> Iterator[tuple[int, list[str]]]:
        """(number, cells) of every row that is not empty, the header first."""
        text = io.StringIO(self.content.decode("utf-8-sig", "replace"), newline="")
        for number, cells in enumerate(csv.reader(text), start=1):
            if cells:
                yield number, cells

    def __call__(self, row: int) -> str:
        number = row + 2
        with suppress(csv.Error, StopIteration):  # it still is the likeliest number
            number = next(number for place, (number, _) in enumerate(self.records()) if place == row + 1)
        return f"{self.name}, row {number}"

    def find_fault(self, kinds: dict[str, type], error: Exception) -> None:
        """Raise RecordError for the first row whose cells are not of the kinds (str, int, float) of their columns."""
        try:
            self.content.decode("utf-8-sig")
            for number, cells in list(self.records())[1:]:
                place = f"{self.name}, row {number}"
                if len(cells) != len(kinds):
                    raise RecordError(f"{place}: {len(cells)} cells, the header has {len(kinds)}")
                for (column, kind), cell in zip(kinds.items(), cells, strict=True):
                    if kind is not str and cell:
                        _check_number(place, column, cell, kind)
        except UnicodeDecodeError as fault:
            raise RecordError(f"{self.name}: byte {fault.start} is not UTF-8") from None
        except csv.Error as fault:
            raise RecordError(f"{self.name}: no table: {fault}") from None
        raise RecordError(f"{self.name}: no table: {error}") from None


def _check_number(place: str, column: str, cell: str, kind: type) -> None:
    allowed = "whole numbers" if kind is int else "numbers"
    if column in LIMITS:
        allowed += f" from {LIMITS[column][0]} to {LIMITS[column][1]}"
    try:
        kind(cell)
    except ValueError:
        refuse(place, column, cell, allowed)
    if cell != cell.strip() or "_" in cell or (kind is int and not -(2**63) <= int(cell) < 2**63):
        refuse(place, column, cell, allowed)
