"""What in a folder looks like a daily file, and whether it can be one."""

import os
import stat
from collections.abc import Mapping
from datetime import date
from functools import lru_cache
from typing import NamedTuple

from ludometrics.gamelog.daily import KINDS, kind_and_day, set_aside_day

#: What changes whenever a file's content may have: inode, mode, size, and two times of change, in nanoseconds since
#: 1970. (A plain tuple, as a folder of a thousand files is scanned for every page that is shown.)
FileState = tuple[int, int, int, int, int]

_STARTS = tuple(f"{kind}-" for kind in KINDS)


class LeftOut(NamedTuple):
    """What a loader left out.

    Attributes
    ----------
    file : str
        Name of the file.
    row : int or None
        Number of the game in it, from 1; None for the whole file.
    reason : str
    games : int or None
        How many games are left out; None where nobody can tell.
    """

    file: str
    row: int | None
    reason: str
    games: int | None


class DayFile(NamedTuple):
    """A daily file, or what looks like one.

    Attributes
    ----------
    kind : {"scores", "unrated"} or None
        None where `fault` says why it is no daily file.
    day : date or None
        Day that its name gives.
    fault : str or None
    """

    kind: str | None
    day: date | None
    fault: str | None


def scan_folder(
    folder: str | os.PathLike[str], known: Mapping[str, FileState | None] | None = None, *, near: str = ""
) -> dict[str, FileState]:
    """Look at what has the beginning of a daily file's name, by name; nothing is opened, and no link followed.

    Parameters
    ----------
    folder : path
    known : mapping of str to FileState or None, optional
        States of a while ago. A file that was not replaced since is taken to be as it was, which saves most of the
        time; but for one whose state is None, and the file `near`.
    near : str

    Raises
    ------
    OSError
        The folder cannot be read.
    """
    found, known = {}, known or {}
    with os.scandir(folder) as entries:
        for entry in entries:
            name = entry.name
            if name.startswith(_STARTS) or name.casefold().startswith(_STARTS):
                before = known.get(name)
                if before is not None and before[0] == entry.inode() and name != near:
                    found[name] = before
                    continue
                try:
                    status = entry.stat(follow_symlinks=False)
                except FileNotFoundError:  # gone since
                    continue
                found[name] = (
                    status.st_ino,
                    status.st_mode,
                    status.st_size,
                    status.st_mtime_ns,
                    status.st_ctime_ns,
                )
    return found


def same_entries(folder: str | os.PathLike[str], states: Mapping[str, FileState]) -> bool:
    """Tell, in a fifth of the time of another scan, that no file was added, deleted or replaced since one.

    What was written into a file that was there before is not seen.
    """
    with os.scandir(folder) as entries:
        found = {
            entry.name: entry.inode()
            for entry in entries
            if entry.name.startswith(_STARTS) or entry.name.casefold().startswith(_STARTS)
        }
    return found == {name: state[0] for name, state in states.items()}


def list_files(
    states: Mapping[str, FileState], replaced: Mapping[str, bytes | None] | None = None
) -> dict[str, DayFile]:
    """Say what the files of a folder are, by name, in the order of kinds, days and names.

    Parameters
    ----------
    states : mapping of str to FileState
        What `scan_folder` gave.
    replaced : mapping of str to bytes or None, optional
        Contents that stand in for those of files, None for a file that is gone.

    Returns
    -------
    dict of str to DayFile
    """
    found = {name: _look_at(name, state[1]) for name, state in states.items()}
    for name, content in (replaced or {}).items():
        found.pop(name, None)
        if content is not None and "/" not in name and (known := kind_and_day(name)):
            found[name] = DayFile(*known, None)
    return dict(
        sorted(found.items(), key=lambda item: (item[1].kind or "", item[1].day or date.min, item[0]))
    )


def left_out_file(name: str, file: DayFile, today: date) -> LeftOut | None:
    """Say why a file is left out unread, if it is: no daily file, or one of a day to come."""
    reason = file.fault
    if reason is None and file.day > today:
        reason = "its day is to come"
    return None if reason is None else LeftOut(printable(name), None, reason, None)


def printable(name: str) -> str:
    """Give a file's name so that it can be printed, whatever bytes the system has in it."""
    return name.encode("utf-8", "backslashreplace").decode()


def sort_left_out(left_out: list[LeftOut]) -> tuple[LeftOut, ...]:
    """Order what was left out by file and row."""
    return tuple(sorted(left_out, key=lambda one: (one.file, one.row or 0)))


def _look_at(name: str, mode: int) -> DayFile:
    if stat.S_ISREG(mode):
        return _read_name(name)
    what = "no plain file"
    for is_kind, words in ((stat.S_ISLNK, "a link: links are not followed"), (stat.S_ISDIR, "a folder")):
        what = words if is_kind(mode) else what
    return DayFile(None, None, f"it is {what}")


@lru_cache(maxsize=1 << 15)  # a folder is looked at again and again
def _read_name(name: str) -> DayFile:
    if known := kind_and_day(name):
        return DayFile(*known, None)
    fault = "its name is no daily file's: scores-YYYY-MM-DD.json or unrated-YYYY-MM-DD.json"
    if set_aside_day(name):
        fault = "it was set aside, as it could not be read when a game of its day was saved"
    return DayFile(None, None, fault)
