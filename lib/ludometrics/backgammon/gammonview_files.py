"""Matches that the package gammonview reads: `.xg`, `.xgp`, `.bgf`, `.mat`, `.ogxm`, `.gva` and `.gvab`.

One door, `read_gammonview`; nothing else of the project knows the package (its module is called gvformat), and without
it the message says how to install it. What a file is, its content decides. A file that is cut short, foreign or empty
never stops anything: it becomes a `Problem` with the reason, beside whatever could be read.

``.xg`` and ``.xgp`` (`xg_files`) have NOT BEEN TRIED ON A GENUINE FILE. A ``.mat`` holds no analysis: its plays come as
the only candidate, without an equity. Nothing in a file is executed, and what unpacks to more than `MOST_BYTES` is
refused.
"""

from __future__ import annotations

import json
import os
import re
import zlib
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from ludometrics.backgammon import xg_files
from ludometrics.backgammon.gva_documents import DocumentReader
from ludometrics.backgammon.match_keys import keyed
from ludometrics.backgammon.moves import count_legal
from ludometrics.backgammon.records import Kind, Library, Problem, no_decisions

SUFFIXES = (".xg", ".xgp", ".bgf", ".mat", ".ogxm", ".gva", ".gvab")
#: Larger files, and packed ones that unpack to more, hold no backgammon match.
MOST_BYTES = 64 << 20

_OGXM = b"OGXM"
_SMILE = b":)\n"
_PACKED = (b"\x1f\x8b", b"\x78\x01", b"\x78\x9c", b"\x78\xda")
_MAT_TITLE = re.compile(rb"\d+ points? match|match of \d+ points?", re.IGNORECASE)
_MAT_GAME = re.compile(rb"^\s*game \d+\s*$", re.IGNORECASE | re.MULTILINE)


def kind_of_content(content: bytes) -> str:
    """Which of the formats the first bytes of a file are: "xg", "ogxm", "gva", "bgf", "mat", or "" for none.

    Examples
    --------
    >>> kind_of_content(b" 7 point match\\n\\n Game 1\\n A : 0   B : 0\\n"), kind_of_content(b"GIF89a")
    ('mat', '')
    """
    head = content[:65536]
    if head.startswith(xg_files.MAGIC):
        return "xg"
    if head.startswith(_OGXM):
        return "ogxm"
    start = head.lstrip(b"\xef\xbb\xbf \t\r\n")
    if start.startswith(b"{"):
        _, _, rest = start.partition(b"\n")
        if rest.startswith((_SMILE, *_PACKED)):
            return "bgf"
        return "gva" if b'"player_white"' in head else ""
    return "mat" if _MAT_GAME.search(head) and (_MAT_TITLE.search(head) or b"; [" in head[:4096]) else ""


def read_gammonview(path: str | os.PathLike[str]) -> Library:
    """Read one file through the package gammonview.

    Parameters
    ----------
    path : path

    Returns
    -------
    Library
        One match, or none; what could not be read, and why, is among its problems.

    Raises
    ------
    ImportError
        The package is not installed.
    OSError
        The file cannot be opened.
    """
    path = Path(path)
    size = path.stat().st_size
    if size > MOST_BYTES:
        return _nothing(str(path), f"{size >> 20} MB, a match has at most {MOST_BYTES >> 20}")
    return read_gammonview_bytes(path.read_bytes(), str(path))


def read_gammonview_bytes(content: bytes, source: str) -> Library:
    """Read the content of a file; ``source`` is its name, which problems and `Match.source` give.

    Parameters
    ----------
    content : bytes
    source : str
        Its suffix only tells a saved position (.xgp) from a match.

    Returns
    -------
    Library

    Raises
    ------
    ImportError
        The package is not installed.
    """
    _need_package()
    if not content.strip(b"\0 \t\r\n"):
        return _nothing(source, "it is empty")
    try:
        library = _read(content, source)
        return keyed(_finished(library))
    except RecursionError:
        return _nothing(source, "it is nested too deeply")
    except Exception as error:  # of the package too, which meets unsound files with any
        reason = f"has no {error}" if isinstance(error, KeyError) else str(error) or type(error).__name__
        return _nothing(source, f"it cannot be read: {reason}")


def _need_package() -> None:
    try:
        import gvformat  # noqa: F401
    except ImportError:
        names = ", ".join(SUFFIXES)
        raise ImportError(
            f'{names} are read by the package gammonview: pip install "ludometrics[backgammon]"'
        ) from None


def _read(content: bytes, source: str) -> Library:
    kind = kind_of_content(content)
    if kind == "xg":
        positions = Path(source).suffix.lower() == ".xgp"
        return xg_files.read_xg_library(content, source, positions=positions)
    document = {"ogxm": _ogxm, "gva": _gva, "bgf": _bgf, "mat": _mat}.get(kind, _foreign)(content)
    if not isinstance(document, dict):
        raise ValueError("it is no document of a match")
    return DocumentReader(document, source).read()


def _ogxm(content: bytes) -> Any:
    from gvformat import read_gvab

    return read_gvab(content)


def _gva(content: bytes) -> Any:
    return json.loads(content.decode("utf-8-sig"))


def _bgf(content: bytes) -> Any:
    from gvformat import convert_bgf

    header, _, payload = content.partition(b"\n")
    if payload.startswith(_PACKED):  # unpacked here, where a limit holds
        stream = zlib.decompressobj(zlib.MAX_WBITS | 32)
        payload = stream.decompress(payload, MOST_BYTES)
        if stream.unconsumed_tail:
            raise ValueError(f"it unpacks to more than {MOST_BYTES >> 20} MB")
        if not stream.eof:
            raise ValueError("it is cut short")
    return convert_bgf(header + b"\n" + payload)


def _mat(content: bytes) -> Any:
    from gvformat import mat_to_ogxm

    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError:
        text = content.decode("latin-1")  # files of the 1990s
    return mat_to_ogxm(text)


def _foreign(content: bytes) -> Any:
    raise ValueError(f"it is none of {', '.join(SUFFIXES)}")


def _finished(library: Library) -> Library:
    """Legal plays counted; luck of matches in which it is 0 throughout, so never computed, unknown."""
    decisions = library.decisions
    legal = count_legal(decisions.board, decisions.dice)
    luck = decisions.luck.copy()
    for row in range(len(library.matches)):
        mine = (decisions.match == row) & (decisions.kind == Kind.CHECKER)
        known = luck[mine & ~np.isnan(luck)]
        if len(known) and not known.any():
            luck[mine] = np.nan
    decisions = replace(decisions, legal_plays=legal.astype(np.int16), luck=luck)
    return replace(library, decisions=decisions)


def _nothing(source: str, reason: str) -> Library:
    return Library((), no_decisions(), (Problem(source, "", reason),))
