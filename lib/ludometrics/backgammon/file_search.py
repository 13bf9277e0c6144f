"""Files below folders, found without following links out of them, and opened within limits."""

from __future__ import annotations

import os
import stat
import zlib
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from ludometrics.backgammon.record_files import unpacked
from ludometrics.backgammon.records import Problem

_GZIP = b"\x1f\x8b"
_HEAD_BYTES = 1 << 16


class Found(NamedTuple):
    """A regular file; ``name`` is how messages and matches call it."""

    name: str
    path: Path
    size: int

    @property
    def packed(self) -> bool:
        """Whether its name says that it is packed."""
        return self.name.lower().endswith(".gz")

    @property
    def plain_name(self) -> str:
        """Its name without the suffix of packed files."""
        return self.name[:-3] if self.packed else self.name


def find_files(
    paths: Iterable[str | os.PathLike[str]], *, passed_over: Sequence[str] = ()
) -> tuple[list[Found], list[Problem]]:
    """Files, and those in folders and the folders inside, each once, in the order of their names.

    In folders hidden files and those named in ``passed_over`` are left out without a word; links that lead out of the
    folder, links to folders, pipes and what cannot be looked at are reported.
    """
    found: dict[str, Found] = {}
    problems: set[Problem] = set()
    for path in paths:
        path = Path(path)
        if path.is_dir():
            root = os.path.realpath(path)
            entries = _below(path, root, problems, passed_over)
        else:
            entries = iter([path])
        for entry in entries:
            _look(entry, found, problems)
    files = sorted(found.values(), key=lambda file: file.name)
    return files, sorted(problems)


def _look(path: Path, found: dict[str, Found], problems: set[Problem]) -> None:
    name = path.as_posix()
    try:
        status = path.stat()
    except FileNotFoundError:
        problems.add(Problem(name, "", "there is no such file or folder"))
    except (OSError, ValueError) as error:
        problems.add(
            Problem(name, "", f"it cannot be looked at: {getattr(error, 'strerror', None) or error}")
        )
    else:
        if not stat.S_ISREG(status.st_mode):
            problems.add(Problem(name, "", "it is no regular file"))
            return
        place = os.path.realpath(path)
        # Of several names of one file its own counts before links, then the first in order, however they were given.
        known = found.get(place)
        if known is None or (path.is_symlink(), name) < (known.path.is_symlink(), known.name):
            found[place] = Found(name, path, status.st_size)


def _below(folder: Path, root: str, problems: set[Problem], passed_over: Sequence[str]) -> Iterator[Path]:
    try:
        entries = sorted(os.scandir(folder), key=lambda entry: entry.name)
    except OSError as error:
        problems.add(Problem(folder.as_posix(), "", f"it cannot be opened: {error.strerror}"))
        return
    for entry in entries:
        path = folder / entry.name
        if entry.name.startswith(".") or entry.name.lower() in passed_over:
            continue
        if entry.is_symlink():
            inside = os.path.commonpath([root, os.path.realpath(path)]) == root
            if path.is_dir():
                problems.add(Problem(path.as_posix(), "", "a link to a folder, not followed"))
                continue
            if not inside and path.exists():
                problems.add(Problem(path.as_posix(), "", "a link out of the folder, not followed"))
                continue
        if path.is_dir():
            yield from _below(path, root, problems, passed_over)
        else:
            yield path


def head_of(file: Found) -> bytes:
    """The first 64 KB of a file, unpacked.

    Raises
    ------
    ValueError
        It is packed and damaged.
    OSError
        It cannot be opened.
    """
    with open(file.path, "rb") as stream:
        head = stream.read(_HEAD_BYTES)
    if head.startswith(_GZIP):
        try:
            return zlib.decompressobj(zlib.MAX_WBITS | 16).decompress(head, _HEAD_BYTES)
        except zlib.error as error:
            raise ValueError(f"it cannot be unpacked: {error}") from None
    return head


def whole_of(file: Found, most: int) -> bytes:
    """The content of a file, unpacked.

    Raises
    ------
    ValueError
        It is larger than ``most`` bytes, or packed and damaged.
    OSError
        It cannot be opened.
    """
    if file.size > most:
        raise ValueError(f"it has {file.size >> 20} MB, allowed are {most >> 20}")
    content = file.path.read_bytes()
    return unpacked(content, file.name, most) if content.startswith(_GZIP) else content
