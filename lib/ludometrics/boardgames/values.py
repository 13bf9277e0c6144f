"""Fields of other people's files: read where they can be, counted where they cannot, never a crash.

Programs write one and the same field as a number, a text, true or nothing at all. What cannot be read counts as not
given, and `Fields.warnings` says how often that happened.
"""

import re
from collections.abc import Mapping
from datetime import datetime
from typing import Any
from unicodedata import normalize

#: Years in which a play may be dated; far ones are slips of typing, and days before them must exist.
YEARS = (1900, 2199)
#: Largest whole number that a field may hold.
MOST = 10**9
#: Largest number that is taken for a text.
MOST_WRITTEN = 10**15

_WHOLE = re.compile(r"[+-]?[0-9]{1,12}")
_MOMENT = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}(?:[ T][0-9]{2}:[0-9]{2}(?::[0-9]{2}(?:\.[0-9]{1,9})?)?)?")
_FLAGS = {"true": True, "1": True, 1: True, "false": False, "0": False, 0: False}
_SHOWN = 60


def fold_name(name: str) -> str:
    """Fold a name to the key that all its spellings share: case, form of accents, width, white space.

    Source
    ------
    The Unicode Standard, section 3.13, "Default Caseless Matching" (compatibility form).

    Examples
    --------
    >>> fold_name(" Ann  Marie "), fold_name("Straße") == fold_name("STRASSE")
    ('ann marie', True)
    """
    return " ".join(normalize("NFKC", normalize("NFKC", name).casefold()).split())


def kind_of(value: Any) -> str:
    """Kind of a value of JSON, in words.

    Examples
    --------
    >>> kind_of([1]), kind_of(2.5), kind_of(None)
    ('a list', 'a number', 'null')
    """
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true or false"
    kinds = {dict: "an object", list: "a list", str: "a text"}
    return kinds.get(type(value), "a number")


def shown(value: Any) -> str:
    """Show a value in a message: short, whatever it holds and however deep.

    Examples
    --------
    >>> shown("abc"), shown([[1], 2])
    ("'abc'", 'a list')
    """
    if value is None or isinstance(value, bool | list | dict):
        return str(value).lower() if isinstance(value, bool) else kind_of(value)
    if isinstance(value, str):
        return repr(value if len(value) <= _SHOWN else value[: _SHOWN - 3] + "...")
    text = str(value)
    return text if len(text) <= _SHOWN else text[: _SHOWN - 3] + "..."


def clean(text: str) -> str:
    """Give a text without white space at its ends and without half signs, which no file could hold.

    Examples
    --------
    >>> clean(" Ann" + chr(0xD83D))
    'Ann?'
    """
    text = text.strip()
    return text if text.isascii() else text.encode("utf-8", "replace").decode("utf-8")


def read_moment(text: str) -> datetime | None:
    """Read a date with or without a time of day; None where it is no date of the calendar.

    Examples
    --------
    >>> read_moment("2024-06-29 20:15:00")
    datetime.datetime(2024, 6, 29, 20, 15)
    >>> read_moment("2024-02-30"), read_moment("29/06/2024")
    (None, None)
    """
    if not _MOMENT.fullmatch(text):
        return None
    try:
        return datetime.fromisoformat(text)
    except ValueError:
        return None


def in_years(moment: datetime) -> bool:
    """Tell whether a moment is one at which a play may have been."""
    return YEARS[0] <= moment.year <= YEARS[1]


class Fields:
    """Reader of the fields of one table's rows.

    Parameters
    ----------
    table : str
        Name of the table, for warnings.

    Examples
    --------
    >>> fields = Fields("plays")
    >>> fields.whole({"rank": "2"}, "rank"), fields.whole({"rank": [2]}, "rank"), fields.whole({}, "rank")
    (2, 0, 0)
    >>> fields.warnings()
    ['plays: 1 value of rank cannot be read and counts as not given (a list)']
    """

    def __init__(self, table: str) -> None:
        self.table = table
        self._unread: dict[str, tuple[int, str]] = {}

    def text(self, row: Mapping[str, Any], field: str) -> str:
        """Text of a field; "" where not given. Numbers are written out."""
        value = row.get(field)
        if type(value) is str:
            return clean(value)
        if value is None:
            return ""
        if isinstance(value, int | float) and not isinstance(value, bool) and abs(value) <= MOST_WRITTEN:
            return str(int(value) if value == int(value) else value)
        return self.refuse(field, value, "")

    def whole(self, row: Mapping[str, Any], field: str) -> int:
        """Whole number of a field; 0 where not given."""
        value = row.get(field)
        if type(value) is int and -MOST <= value <= MOST:
            return value
        if value is None or value == "":
            return 0
        number = _as_whole(value)
        return self.refuse(field, value, 0) if number is None else number

    def flag(self, row: Mapping[str, Any], field: str, default: bool = False) -> bool:
        """Truth of a field written as true or false, 1 or 0."""
        value = row.get(field)
        if type(value) is bool:
            return value
        if value is None or value == "":
            return default
        found = None
        if isinstance(value, str | int | float):
            found = _FLAGS.get(value.strip().casefold() if isinstance(value, str) else value)
        return self.refuse(field, value, default) if found is None else found

    def moment(self, row: Mapping[str, Any], field: str) -> datetime | None:
        """Date and time of a field; None where not given."""
        value = row.get(field)
        if value is None or value == "":
            return None
        found = read_moment(value.strip()) if isinstance(value, str) else None
        return self.refuse(field, value, None) if found is None else found

    def reference(self, row: Mapping[str, Any], field: str) -> int | str | None:
        """Number, or else text, by which rows of one file refer to each other; None where not given."""
        value = row.get(field)
        if type(value) is int and -MOST <= value <= MOST:
            return value
        number = _as_whole(value)
        if number is not None:
            return number
        return clean(value) or None if isinstance(value, str) else None

    def refuse(self, field: str, value: Any, instead: Any) -> Any:
        """Count a value that cannot be read and give what stands in for it."""
        count, example = self._unread.get(field, (0, ""))
        example = min(example, shown(value)) if count else shown(value)
        self._unread[field] = count + 1, example
        return instead

    def warnings(self) -> list[str]:
        """Say what could not be read, a sentence a field, in an order that the file's does not touch."""
        return [
            f"{self.table}: {count} value{'s' * (count > 1)} of {field} cannot be read and "
            f"count{'s' * (count == 1)} as not given ({'such as ' * (count > 1)}{example})"
            for field, (count, example) in sorted(self._unread.items())
        ]


def _as_whole(value: Any) -> int | None:
    if isinstance(value, str) and _WHOLE.fullmatch(value.strip()):
        value = int(value)
    if isinstance(value, bool) or not isinstance(value, int | float) or not -MOST <= value <= MOST:
        return None  # a number that is none (NaN) is in no range
    return int(value) if value == int(value) else None
