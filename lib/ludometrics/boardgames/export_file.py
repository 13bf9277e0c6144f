"""A BG Stats export as a file: JSON told apart from everything else that people hand over, with a word of help."""

import json
import os
from codecs import BOM_UTF8
from pathlib import Path
from typing import Any

from ludometrics.boardgames.values import clean, kind_of

#: Keys by which an export is known; the format has no version.
TABLES = ("games", "players", "plays")

_KEYS_SHOWN = 8
_MEND = 'save it as UTF-8 (a spreadsheet calls it "CSV UTF-8")'
_WORDS = ("true", "false", "null")


def read_content(path: str | os.PathLike[str]) -> bytes:
    """Read a file's bytes.

    Raises
    ------
    ValueError
        Naming the file: it is not there, is a folder, is empty, is packed, or may not be read.
    """
    path = Path(path)
    if path.is_dir():
        raise ValueError(f"{path}: is a folder: give the file in it")
    try:
        content = path.read_bytes()
    except FileNotFoundError:
        raise ValueError(f"{path}: there is no such file") from None
    except (OSError, ValueError) as error:  # a name with a NUL is a ValueError
        raise ValueError(f"{path}: cannot be read: {error}") from error
    if not content.removeprefix(BOM_UTF8).strip():
        raise ValueError(f"{path}: the file is empty")
    if content[:4] in (b"PK\x03\x04", b"PK\x05\x06", b"PK\x07\x08"):
        raise ValueError(f"{path}: is a zip: unpack it first and give the file inside")
    if content[:2] == b"\x1f\x8b":
        raise ValueError(f"{path}: is packed with gzip: unpack it first and give the file inside")
    return content


def decode(content: bytes, path: str | os.PathLike[str]) -> str:
    """Decode UTF-8, with or without a byte order mark.

    Raises
    ------
    ValueError
        Naming the file, and the byte where it is another encoding.
    """
    if _is_utf_16(content):
        raise ValueError(f"{path}: is UTF-16, it seems: {_MEND}")
    if b"\0" in content:
        raise ValueError(f"{path}: holds NUL bytes: it is no text file")
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise ValueError(f"{path}: not UTF-8 at byte {error.start}: {_MEND}") from None


def _is_utf_16(content: bytes) -> bool:
    """Whether it has the mark of UTF-16, or begins with two plain signs in it."""
    halves = content[:4:2], content[1:4:2]
    plain = any(not any(one) and all(other) for one, other in (halves, halves[::-1]))
    return content[:2] in (b"\xff\xfe", b"\xfe\xff") or (len(content) >= 4 and plain)


def load_export(path: str | os.PathLike[str]) -> dict[str, Any]:
    """Load an export, checked for no more than that it is one.

    Parameters
    ----------
    path : path

    Returns
    -------
    dict
        With a list at each of `TABLES`, that of plays not empty.

    Raises
    ------
    ValueError
        Naming the file, what is wrong and where: no JSON in UTF-8, cut off, nested without end, other keys, no play.
    """
    text = decode(read_content(path), path)
    try:
        content = json.loads(text)
    except json.JSONDecodeError as error:
        rest = text[error.pos :].rstrip()
        cut = error.msg.startswith("Unterminated") or any(word.startswith(rest) for word in _WORDS)
        hint = "; the file is cut off, it seems: export it again" if cut else ""
        raise ValueError(
            f"{path}: not JSON at line {error.lineno}, column {error.colno}: {error.msg}{hint}"
        ) from None
    except RecursionError:
        raise ValueError(f"{path}: holds lists within lists without end") from None
    except ValueError as error:  # a whole number of thousands of digits
        raise ValueError(f"{path}: holds a number that cannot be read: {error}") from None
    _check_tables(content, path)
    return content


def _check_tables(content: Any, path: str | os.PathLike[str]) -> None:
    if not isinstance(content, dict):
        raise ValueError(
            f"{path}: is no BG Stats export: it holds {kind_of(content)} where an object is wanted"
        )
    for table in TABLES:
        if table not in content:
            keys = ", ".join(repr(clean(key)[:40]) for key in sorted(content)[:_KEYS_SHOWN]) or "none"
            more = ", ..." if len(content) > _KEYS_SHOWN else ""
            raise ValueError(f"{path}: is no BG Stats export: it has no {table!r}; its keys are {keys}{more}")
        if not isinstance(content[table], list):
            raise ValueError(f"{path}: {table} is {kind_of(content[table])}: it must be a list")
    if not content["plays"]:
        raise ValueError(f"{path}: plays is an empty list: log a play before you export")
