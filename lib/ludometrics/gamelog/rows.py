"""Rows of a daily file as JSON: what stands in it, before anybody asks whether it is a game."""

import json
import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

_MOST_DEEP = 20


def encode_rows(rows: Iterable[Mapping[str, Any]]) -> bytes:
    """Write rows as an array of JSON, one a line, UTF-8.

    Examples
    --------
    >>> encode_rows([{"black": "José"}]).decode()
    '[\\n{"black": "José"}\\n]\\n'
    """
    lines = [json.dumps(row, ensure_ascii=False) for row in rows]
    return ("[\n" + ",\n".join(lines) + "\n]\n" if lines else "[]\n").encode()


def parse_rows(content: bytes, where: str) -> list[dict[str, Any]]:
    """Read the rows of a daily file.

    Parameters
    ----------
    content : bytes
    where : str
        Name of the file, for messages.

    Returns
    -------
    list of dict

    Raises
    ------
    ValueError
        Naming the file and the place: not JSON in UTF-8, not an array of objects, lists within lists without end, half
        a sign, or a field that stands twice in a row.

    Examples
    --------
    >>> parse_rows(b"", "scores-2026-09-01.json")
    Traceback (most recent call last):
    ...
    ValueError: scores-2026-09-01.json: not JSON at line 1, column 1: the file is empty
    """
    try:
        rows = json.loads(
            content.decode("utf-8"), object_pairs_hook=_once, parse_constant=_no_number, parse_float=_finite
        )
    except UnicodeDecodeError as error:
        raise ValueError(f"{where}: not UTF-8 at byte {error.start}") from error
    except json.JSONDecodeError as error:
        message = "the file is empty" if not content.strip() else error.msg
        message = "it holds NUL bytes" if b"\0" in content else message
        raise ValueError(
            f"{where}: not JSON at line {error.lineno}, column {error.colno}: {message}"
        ) from error
    except RecursionError:
        raise ValueError(f"{where}: holds lists within lists without end") from None
    except _FieldError as error:
        raise ValueError(f"{where}: {error}") from None
    except ValueError as error:  # a whole number with thousands of digits
        raise ValueError(f"{where}: {error}") from None
    if b"\\u" in content and _has_half_signs(rows):
        raise ValueError(f"{where}: holds half a sign (a lone surrogate), which is no text")
    if not isinstance(rows, list):
        raise ValueError(f"{where}: holds {type(rows).__name__} where a list of games is wanted")
    flat = content.count(b"[") + content.count(b"{") <= len(rows) + 1
    for number, row in enumerate(rows, start=1):
        if not isinstance(row, dict):
            raise ValueError(
                f"{where}, game {number}: {row!r:.80} is no game: an object with black, white and winner is wanted"
            )
        if not flat and any(isinstance(value, dict | list) and _is_deep(value) for value in row.values()):
            raise ValueError(f"{where}, game {number}: holds lists within lists, more than {_MOST_DEEP} deep")
    return rows


def doubled_field(pairs: Sequence[tuple[str, Any]]) -> str | None:
    """Find the first field that stands twice in an object of JSON, of which Python would keep the last.

    Examples
    --------
    >>> doubled_field([("a", 1), ("b", 2), ("a", 3)])
    'a'
    """
    if len(dict(pairs)) == len(pairs):
        return None
    names = [name for name, _ in pairs]
    return next(name for name in names if names.count(name) > 1)


def _is_deep(value: dict | list) -> bool:
    """Whether lists and objects stand in each other deeper than anybody needs who adds a field of their own."""
    level = [value]
    for _ in range(_MOST_DEEP):
        items = [item for one in level for item in (one.values() if isinstance(one, dict) else one)]
        level = [item for item in items if isinstance(item, dict | list)]
    return bool(level)


class _FieldError(Exception):
    """What JSON allows and a row does not."""


def _has_half_signs(value: Any) -> bool:
    try:
        json.dumps(value, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        return True
    return False


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    if (twice := doubled_field(pairs)) is not None:
        raise _FieldError(f"a row has the field {twice!r} twice")
    return dict(pairs)


def _finite(text: str) -> float:
    number = float(text)
    if not math.isfinite(number):
        _no_number(text)
    return number


def _no_number(text: str) -> None:
    raise _FieldError(f"holds {text}, which is no number that can be kept")
