"""Bodies of requests: objects of JSON, every field checked before anything is done."""

import json
import re
from collections.abc import Callable, Mapping
from typing import Any

from ludometrics.gamelog.rows import doubled_field
from ludometrics.web.problems import BadValueError

#: Longest body, bytes.
MAX_BYTES = 4096
#: Most proofs in one request.
MAX_PROOFS = 50

_HEX = re.compile(r"[0-9a-f]{32}")
_REQUEST = re.compile(r"[A-Za-z0-9_-]{16,64}")

Check = Callable[[Any], str | None]


def read_body(
    content: bytes, fields: Mapping[str, Check], *, optional: tuple[str, ...] = ()
) -> dict[str, Any]:
    """Read a body and check it.

    Parameters
    ----------
    content : bytes
    fields : mapping of str to callable
        What is allowed, by field: a check gives None for a good value, else what is wanted, in words.
    optional : tuple of str
        Fields that may be missing.

    Returns
    -------
    dict

    Raises
    ------
    BadValueError
        Naming the field, its value and what is allowed.

    Examples
    --------
    >>> read_body(b'{"ply": true}', {"ply": whole(0, 9)})
    Traceback (most recent call last):
    ...
    ludometrics.web.problems.BadValueError: ply is True: a whole number from 0 to 9 is wanted
    """
    body = _parse(content)
    for name in body:
        if name not in fields:
            raise BadValueError(f"field {name!r:.80} is unknown: allowed are {', '.join(fields)}")
    for name, check in fields.items():
        if name not in body:
            if name in optional:
                continue
            raise BadValueError(f"field {name!r} is missing")
        wanted = check(body[name])
        if wanted is not None:
            raise BadValueError(f"{name} is {body[name]!r:.80}: {wanted} is wanted")
    return body


def text(most: int) -> Check:
    """A text of 1 to so many signs."""
    return lambda value: (
        None if isinstance(value, str) and 0 < len(value) <= most else f"a text of 1 to {most} signs"
    )


def token(value: Any) -> str | None:
    """An id or a key."""
    return None if isinstance(value, str) and _HEX.fullmatch(value) else "32 hexadecimal digits"


def request_id(value: Any) -> str | None:
    """What a client made up to tell its request from all others."""
    good = isinstance(value, str) and _REQUEST.fullmatch(value)
    return None if good else "16 to 64 random letters and digits"


def choice(*allowed: str) -> Check:
    """One of several texts."""
    wanted = f"one of {', '.join(map(repr, allowed))}"
    return lambda value: None if isinstance(value, str) and value in allowed else wanted


def whole(least: int, most: int) -> Check:
    """A whole number in a range."""
    wanted = f"a whole number from {least} to {most}"
    return lambda value: (
        None if isinstance(value, int) and not isinstance(value, bool) and least <= value <= most else wanted
    )


def yes(value: Any) -> str | None:
    """True, and nothing else."""
    return None if value is True else "true"


def row_of(check: Check, least: int, most: int) -> Check:
    """A list of so many good values."""

    def check_all(value: Any) -> str | None:
        if not isinstance(value, list) or not least <= len(value) <= most:
            return f"a list of {least} to {most} values"
        wrong = next((wanted for one in value if (wanted := check(one)) is not None), None)
        return None if wrong is None else f"a list, each value {wrong},"

    return check_all


def _parse(content: bytes) -> dict[str, Any]:
    try:
        body = json.loads(content.decode("utf-8"), object_pairs_hook=_once, parse_constant=_refuse)
    except (ValueError, RecursionError) as error:
        why = str(error) if isinstance(error, _FieldError) else "it is not JSON in UTF-8"
        raise BadValueError(f"the body cannot be read: {why}") from None
    if not isinstance(body, dict):
        raise BadValueError("the body must be an object of JSON")
    return body


class _FieldError(ValueError):
    """What JSON allows and a request does not."""


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    if doubled_field(pairs) is not None:
        raise _FieldError("a field stands in it twice")
    return dict(pairs)


def _refuse(constant: str) -> None:
    raise _FieldError(f"{constant} is no number of JSON")
