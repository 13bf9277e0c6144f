"""What was removed from a folder of games, when and by whom, without a name: lines of JSON that are only added to."""

import getpass
import json
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

from ludometrics.gamelog.spellings import Spellings

#: Days for which entries are kept, unless told otherwise.
AUDIT_DAYS = 365
#: What stands for an operator whose name is the one to be removed.
WITHHELD = "withheld"
_LONGEST = 80


def find_operator(given: str | None = None, *, removed: str | None = None) -> str:
    """Say who is at work.

    Parameters
    ----------
    given : str, optional
        Without it the name under which this program runs.
    removed : str, optional
        A name that must not be written.

    Returns
    -------
    str

    Raises
    ------
    ValueError
        The text given is empty, too long, or holds signs that cannot be seen.

    Examples
    --------
    >>> find_operator("club secretary"), find_operator("ann", removed="Ann")
    ('club secretary', 'withheld')
    """
    if given is None:
        try:
            given = getpass.getuser()
        except (KeyError, OSError, ImportError):  # a container may run under a number that nobody has
            given = "unknown"
    if not 1 <= len(given) <= _LONGEST or not given.isprintable():
        raise ValueError(f"operator is {given!r}: allowed are 1 to {_LONGEST} signs that can be seen")
    if removed is not None and Spellings(removed).count(given):
        return WITHHELD
    return given


def encode_entry(
    command: str,
    *,
    now: datetime,
    operator: str,
    files: Mapping[str, int | None],
    **more: int | str | bool | None,
) -> bytes:
    r"""Write an entry as a line.

    Parameters
    ----------
    command : str
        Of this program, without what it was given.
    now : datetime
        With a time zone.
    operator : str
        Of `find_operator`.
    files : mapping of str to int or None
        Games changed in each file; None where it cannot be read.
    **more
        Further counts, and the token that stands for the person.

    Returns
    -------
    bytes

    Examples
    --------
    >>> moment = datetime(2026, 9, 1, tzinfo=UTC)
    >>> encode_entry("expire", now=moment, operator="cron", files={"scores-2026-06-02.json": 3}, days=90).decode()
    '{"time_utc": "2026-09-01T00:00:00+00:00", "command": "expire", "operator": "cron",
      "files": {"scores-2026-06-02.json": 3}, "days": 90}\n'
    """
    time_utc = now.astimezone(UTC).isoformat(timespec="seconds")
    row: dict[str, Any] = {"time_utc": time_utc, "command": command, "operator": operator}
    return json.dumps(row | {"files": dict(files)} | more, ensure_ascii=False).encode() + b"\n"


def add_entry(content: bytes, entry: bytes) -> bytes:
    """Content of an audit with one entry more; a line that was torn keeps its place."""
    return content + (b"\n" if content and not content.endswith(b"\n") else b"") + entry


def expire_entries(content: bytes, *, oldest: datetime) -> tuple[bytes, int]:
    """Content of an audit without entries from before a time, and how many they were; what is no entry stays.

    Examples
    --------
    >>> moment = datetime(2026, 9, 1, tzinfo=UTC)
    >>> old = encode_entry("expire", now=datetime(2025, 1, 1, tzinfo=UTC), operator="cron", files={})
    >>> new = encode_entry("expire", now=moment, operator="cron", files={})
    >>> expire_entries(old + new, oldest=moment) == (new, 1)
    True
    """
    lines = content.splitlines(keepends=True)
    kept = [line for line in lines if (time := _time_of(line)) is None or time >= oldest]
    return b"".join(kept), len(lines) - len(kept)


def _time_of(line: bytes) -> datetime | None:
    try:
        time = datetime.fromisoformat(json.loads(line)["time_utc"])
    except (ValueError, KeyError, TypeError, RecursionError):
        return None
    return time if time.tzinfo else None
