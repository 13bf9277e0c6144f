"""Where a person's name stands: in saved games, tables, notebooks, pages, archives, whatever lies in a folder."""

import os
import stat
from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from ludometrics.gamelog.daily import kind_and_day, set_aside_day
from ludometrics.gamelog.documents import Notes, search_document
from ludometrics.gamelog.places import LIVE, OWN_NAMES
from ludometrics.gamelog.spellings import Spellings
from ludometrics.gamelog.structures import MENTION


class Hit(NamedTuple):
    """A place where a name stands.

    Attributes
    ----------
    path : Path
    part : str
        Member of an archive, cell of a notebook; empty for the file itself.
    kind : {"name", "mention"}
        A whole value, or a word within a longer text.
    count : int
        How often.
    where : str
        Row or line of the first, where there are such.
    """

    path: Path
    part: str
    kind: str
    count: int
    where: str


class Unsearched(NamedTuple):
    """What could not be looked into: path, part of it, and why."""

    path: Path
    part: str
    why: str


@dataclass(frozen=True)
class Found:
    """What a search found.

    Attributes
    ----------
    hits : tuple of Hit
        By path.
    files : int
        Files searched.
    pictures : int
        Pictures of which only the text stored with them was searched, not what they show.
    unsearched : tuple of Unsearched
    """

    hits: tuple[Hit, ...]
    files: int
    pictures: int
    unsearched: tuple[Unsearched, ...]


def find_name(name: str, paths: Iterable[str | os.PathLike[str]]) -> tuple[Hit, ...]:
    r"""Find a name in files and folders, however it is spelt, escaped or encoded.

    Parameters
    ----------
    name : str
        Any spelling.
    paths : paths
        Files, and folders with all below.

    Returns
    -------
    tuple of Hit
        Also of names of files. In saved games and ledgers another player whose name contains the words is no hit.

    Raises
    ------
    ValueError
        The name is empty.
    FileNotFoundError
        No such path.

    Source
    ------
    Own.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     _ = Path(folder, "old.json").write_text('["Jos\\u00e9", "Josefa"]')
    ...     [(hit.kind, hit.count, hit.where) for hit in find_name("JOSÉ", [folder])]
    [('name', 1, 'row 1')]
    """
    return search(name, paths).hits


def search(
    name: str,
    paths: Iterable[str | os.PathLike[str]],
    *,
    passed_over: Collection[str | os.PathLike[str]] = (),
    progress: Callable[[Path], None] = lambda _: None,
) -> Found:
    """Find a name, and say what was searched and what could not be.

    Parameters
    ----------
    name, paths
        As of `find_name`. Links below a path are not followed.
    passed_over : collection of paths
        Files not to be searched.
    progress : callable
        Told each file before it is searched.

    Returns
    -------
    Found

    Raises
    ------
    ValueError, FileNotFoundError
        As `find_name`.
    """
    spellings = Spellings(name)
    hits, unsearched, files, pictures = [], [], 0, 0
    skipped = {os.path.abspath(path) for path in passed_over}
    for path, why in _walk(paths):
        if os.path.abspath(path) in skipped:
            continue
        if count := _count_in_name(path, spellings):
            hits.append(Hit(path, "", MENTION, count, "name of the file"))
        if why == _FOLDER:
            continue
        progress(path)
        notes = Notes(unsearched=[("", why)]) if why else _search_file(path, spellings)
        hits += [Hit(path, *mark) for mark in notes.marks]
        unsearched += [Unsearched(path, *note) for note in notes.unsearched]
        files, pictures = files + (not why), pictures + notes.pictures
    return Found(tuple(hits), files, pictures, tuple(unsearched))


_FOLDER = "a folder"


def _walk(paths: Iterable[str | os.PathLike[str]]) -> Iterator[tuple[Path, str]]:
    """Each file once, in order, with why it cannot be searched; folders below the paths for their names."""
    seen = set()
    for top in paths:
        start = Path(os.path.realpath(top))  # whoever names a link means what it leads to
        os.stat(start)
        stack = [(Path(top), start.is_dir())]
        while stack:
            path, is_top = stack.pop()
            try:
                mode = os.stat(path).st_mode if path == Path(top) else os.lstat(path).st_mode
            except FileNotFoundError:  # removed since it was listed
                continue
            if (place := os.path.abspath(path)) in seen:
                continue
            seen.add(place)
            if stat.S_ISLNK(mode):
                yield path, "a link: not followed"
            elif stat.S_ISDIR(mode):
                if not is_top:
                    yield path, _FOLDER
                if path.name == ".git":
                    yield path, "the history of git: its packed files"
                try:
                    stack += [(entry, False) for entry in sorted(path.iterdir(), reverse=True)]
                except OSError as error:
                    yield path, f"cannot be opened: {error.strerror}"
            else:
                yield path, "" if stat.S_ISREG(mode) else "no ordinary file"


def _count_in_name(path: Path, spellings: Spellings) -> int:
    if path.name in OWN_NAMES or path.parent.name == LIVE or kind_and_day(path) or set_aside_day(path):
        return 0
    return spellings.count(path.name)


def _search_file(path: Path, spellings: Spellings) -> Notes:
    try:
        # Not to wait for ever at what became a pipe since it was looked at.
        descriptor = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
        with open(descriptor, "rb", buffering=0) as file:
            return search_document(file, path.name, spellings)
    except FileNotFoundError:
        return Notes()
    except OSError as error:
        return Notes(unsearched=[("", f"cannot be read: {error.strerror or error}")])
