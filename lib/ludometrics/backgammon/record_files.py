"""Our own files of decisions: JSON and CSV, each also packed (`.gz`), read and written without loss.

What the files hold, column by column, is described in RECORDS.md beside this module, and the JSON by the schema in
record_schema.json. Reading is strict: a file is read whole or refused with its name, the row, the column, the value and
what is allowed. `Thinning` makes a file small: of a decision the candidates that matter stay, with fewer digits.
"""

from __future__ import annotations

import gzip
import os
import zlib
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

import numpy as np

from ludometrics.backgammon.building import RecordError
from ludometrics.backgammon.record_checks import check_decisions, check_match
from ludometrics.backgammon.record_csv import NEEDED, csv_bytes
from ludometrics.backgammon.record_csv_reading import read_csv
from ludometrics.backgammon.record_json import FORMAT, json_bytes
from ludometrics.backgammon.record_json_reading import read_json
from ludometrics.backgammon.records import Decisions, Kind, Library, Options
from ludometrics.provenance import write_bytes

SUFFIXES = (".json", ".csv", ".json.gz", ".csv.gz")
#: Files that unpack to more are refused: a library of 1,000 matches with every candidate has a third of it.
MOST_BYTES = 1 << 30

_GZIP = b"\x1f\x8b"


class Thinning(NamedTuple):
    """What stays of decisions when a file is to be small.

    Attributes
    ----------
    window : float
        Candidates this much worse than the best at most, and the one that was played.
    fewest : int
        Best candidates that stay in any case: rules of counting ask whether there was a choice.
    equity_decimals, luck_decimals, share_decimals : int
        Digits after the point.
    all_shares : bool
        Chances of every candidate, not only of the best and the played one.
    lines : bool
        Lines of the source.
    """

    window: float = 0.3
    fewest: int = 2
    equity_decimals: int = 4
    luck_decimals: int = 3
    share_decimals: int = 3
    all_shares: bool = False
    lines: bool = False


def write_records(
    library: Library, path: str | os.PathLike[str], *, thin: Thinning | None = None, rows: bool = False
) -> Path:
    """Write a library into one file, whole or not at all. Its problems are no part of it.

    Parameters
    ----------
    library : Library
    path : path
        Ends in one of `SUFFIXES`, by which the form is chosen.
    thin : Thinning, optional
        Without it everything is kept, and reading gives the same library back.
    rows : bool
        JSON with one object a decision, for other programs, instead of columns: larger, and slower to read.

    Returns
    -------
    Path

    Raises
    ------
    ValueError
        Another suffix, or a decision that the reader would refuse; nothing is written then.
    """
    path = Path(path)
    suffix = next((suffix for suffix in SUFFIXES if path.name.lower().endswith(suffix)), None)
    if suffix is None:
        raise ValueError(f"{path}: suffix {path.suffix!r}, allowed are {', '.join(SUFFIXES)}")
    library = _in_order(library) if thin is None else thinned(_in_order(library), thin)
    _check(library, path.name)
    content = csv_bytes(library) if suffix.startswith(".csv") else json_bytes(library, rows=rows)
    if len(content) > MOST_BYTES:
        raise ValueError(
            f"{path}: {len(content) >> 20} MB, allowed are {MOST_BYTES >> 20}: write several files"
        )
    if suffix.endswith(".gz"):
        content = gzip.compress(content, 9, mtime=0)
    return write_bytes(path, content)


def read_records(path: str | os.PathLike[str]) -> Library:
    """Read a file that `write_records` wrote, or that follows RECORDS.md.

    Parameters
    ----------
    path : path
        Whether it is JSON or CSV, packed or not, its content says.

    Returns
    -------
    Library

    Raises
    ------
    RecordError
        A ValueError that names the file, the row, the column, the value and what is allowed.
    OSError
        The file cannot be opened.
    """
    path = Path(path)
    if path.stat().st_size > MOST_BYTES:
        raise RecordError(f"{path}: {path.stat().st_size >> 20} MB, allowed are {MOST_BYTES >> 20}")
    return read_record_bytes(path.read_bytes(), str(path))


def read_record_bytes(content: bytes, name: str) -> Library:
    """Read the content of a file, which messages call ``name``; errors as of `read_records`."""
    if content.startswith(_GZIP):
        content = unpacked(content, name, MOST_BYTES)
    if not content.strip():
        raise RecordError(f"{name}: it is empty")
    if content.lstrip(b"\xef\xbb\xbf \t\r\n")[:1] in (b"{", b"["):
        return read_json(content, name)
    return read_csv(content, name)


def is_record_content(content: bytes) -> bool:
    """Whether the first bytes of a file, not packed, look like one of ours."""
    head = content[:4096].lstrip(b"\xef\xbb\xbf \t\r\n")
    if head.startswith(b"{"):
        return FORMAT.encode("ascii") in head
    header = head.split(b"\n", 1)[0].decode("utf-8", "replace").strip().split(",")
    return set(NEEDED) <= {name.strip('"') for name in header}


def unpacked(content: bytes, name: str, most: int) -> bytes:
    """What a gzip file holds.

    Raises
    ------
    RecordError
        It is cut short, damaged, or unpacks to more than ``most`` bytes.
    """
    parts, left = [], most
    while content.startswith(_GZIP):
        stream = zlib.decompressobj(zlib.MAX_WBITS | 16)
        try:
            parts.append(stream.decompress(content, left + 1))
        except zlib.error as error:
            raise RecordError(f"{name}: it cannot be unpacked: {error}") from None
        left -= len(parts[-1])
        if left < 0:
            raise RecordError(f"{name}: it unpacks to more than {most >> 20} MB")
        if not stream.eof:
            raise RecordError(f"{name}: the packed file is cut short")
        content = stream.unused_data
    if content.strip(b"\0"):
        raise RecordError(f"{name}: {len(content)} bytes after the packed file")
    return b"".join(parts)


def _in_order(library: Library) -> Library:
    """The library with its decisions match after match."""
    match = library.decisions.match
    if (np.diff(match) >= 0).all():
        return library
    raise ValueError("the decisions do not stand match after match")


def _check(library: Library, name: str) -> None:
    for place, match in enumerate(library.matches, 1):
        check_match(match, lambda place=place: f"{name}, match {place}")
    keys = [match.key for match in library.matches]
    if len(set(keys)) < len(keys):
        raise RecordError(
            f"{name}: two matches with the key {max(keys, key=keys.count)!r}, wanted are keys that differ"
        )
    check_decisions(library.matches, library.decisions, lambda row: f"{name}, decision {row + 1}")


#: As the records of a study are shipped: about 31 bytes a decision.
THIN = Thinning()


def thinned(library: Library, thin: Thinning = THIN) -> Library:
    """The library with less of each decision, as `write_records` makes it with the same ``thin``.

    The best candidate is the one with the highest equity among those analysed deepest. A rounded equity may move an
    error by 0.001 where it lay on the edge.
    """
    decisions, options = library.decisions, library.decisions.options
    counts = np.diff(decisions.option_start)
    rows = np.repeat(np.arange(len(decisions)), counts)
    rank = _ranks(decisions, rows)
    best = rank == 0
    first = decisions.option_start[:-1]
    played = np.zeros(len(rows), bool)
    made = (decisions.kind == Kind.CHECKER) & (decisions.played >= 0)
    played[(first + decisions.played)[made]] = True
    top = np.full(len(decisions), np.nan)
    top[rows[best]] = options.equity[best]
    with np.errstate(invalid="ignore"):
        kept = played | (rank < thin.fewest) | ~(top[rows] - options.equity > thin.window)
    shares = np.round(options.shares.astype(np.float64), thin.share_decimals).astype(np.float32)
    if not thin.all_shares:
        shares[~(best | played)] = np.nan
    still = np.concatenate([[0], np.cumsum(kept)])  # options kept before each
    start = still[decisions.option_start].astype(np.int64)
    place = decisions.played.copy()
    place[made] = still[(first + decisions.played)[made]] - start[:-1][made]
    return replace(
        library,
        decisions=replace(
            decisions,
            played=place,
            option_start=start,
            equities=np.round(decisions.equities, thin.equity_decimals),
            luck=np.round(decisions.luck, thin.luck_decimals),
            line=decisions.line if thin.lines else np.zeros_like(decisions.line),
            options=Options(
                options.board[kept],
                np.round(options.equity[kept], thin.equity_decimals),
                shares[kept],
                options.depth[kept],
            ),
        ),
    )


def _ranks(decisions: Decisions, rows: np.ndarray) -> np.ndarray:
    """(k,) int: place of each option among those of its decision, the best 0; without an equity after all."""
    options = decisions.options
    places = np.full(len(rows), len(rows))
    known = np.flatnonzero(~np.isnan(options.equity))
    # Sorted by decision, then by depth and equity from the greatest on; the first of equals stays the first.
    order = known[np.lexsort((-options.equity[known], -options.depth[known].astype(int), rows[known]))]
    _, first, counts = np.unique(rows[order], return_index=True, return_counts=True)
    places[order] = np.arange(len(order)) - np.repeat(first, counts)
    return places
