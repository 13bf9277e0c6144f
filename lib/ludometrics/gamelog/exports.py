"""Tables made from the saved games, and the register of them: whoever removes games must remake them."""

import errno
import json
import os
import secrets
from collections.abc import Callable
from dataclasses import asdict, dataclass, field, replace
from datetime import date, datetime
from pathlib import Path
from typing import NamedTuple

from ludometrics.gamelog.daily import kind_and_day, set_aside_day
from ludometrics.gamelog.loading import GameLog, LeftOut, load_log
from ludometrics.gamelog.lock import FolderLock
from ludometrics.gamelog.places import OWN_NAMES, REGISTER
from ludometrics.gamelog.store import TIME_ZONE, find_zone, today
from ludometrics.gamelog.tables import KINDS, compose
from ludometrics.gamelog.transaction import replace_files
from ludometrics.provenance import read_sidecar, sidecar_path, write_bytes


@dataclass(frozen=True)
class ExportEntry:
    """A table in the register.

    Attributes
    ----------
    path : str
        The CSV: relative to the folder of games if it lies there, else absolute.
    what : {"games", "ratings", "league"}
    time_zone : str
        In which days begin.
    first, last : str
        Days of the games, as ISO dates; first may be empty.
    pseudonyms : bool
    pending : bool
        It must be remade: a program was killed before it could, or could not reach it.
    """

    path: str
    what: str
    time_zone: str
    first: str
    last: str
    pseudonyms: bool = False
    pending: bool = False


class Exported(NamedTuple):
    """A table that was written: its path, its rows, and what the loader left out."""

    path: Path
    rows: int
    left_out: tuple[LeftOut, ...]


@dataclass
class Remaking:
    """Exports to be remade after games were removed.

    Attributes
    ----------
    contents : dict of str to bytes or None
        New contents within the folder of games, the register among them.
    outside : list of (int, Path, bytes, bytes or None)
        Place in the register, CSV, its new content and its sidecar's; None: both are deleted.
    entries : list of ExportEntry
        The new register, before what is outside is done.
    remade, deleted : list of str
        Paths of exports.
    failed : list of (str, str)
        Paths of those that cannot be remade, and why.
    """

    contents: dict[str, bytes | None] = field(default_factory=dict)
    outside: list[tuple[int, Path, bytes | None, bytes | None]] = field(default_factory=list)
    entries: list[ExportEntry] = field(default_factory=list)
    remade: list[str] = field(default_factory=list)
    deleted: list[str] = field(default_factory=list)
    failed: list[tuple[str, str]] = field(default_factory=list)


def export(
    folder: str | os.PathLike[str],
    out: str | os.PathLike[str],
    *,
    what: str = "games",
    pseudonyms: bool = False,
    first: date | None = None,
    last: date | None = None,
    time_zone: str = TIME_ZONE,
    now: datetime | None = None,
    token_hex: Callable[[int], str] = secrets.token_hex,
    timeout_s: float = 10.0,
) -> Exported:
    """Write a table of the saved games as CSV with its sidecar, and put it down in the folder's register.

    Parameters
    ----------
    folder : path
    out : path
        The CSV; its folder must exist.
    what : {"games", "ratings", "league"}
        All rated games; ratings of all players and levels; each day's league table.
    pseudonyms : bool
        Random names in place of the players', new ones for each export. Such a table is still about people: days and
        opponents can tell who somebody is.
    first, last : date, optional
        Days of the games; without them all up to today.
    time_zone : str
    now : datetime, optional
    token_hex : callable
        Draws the pseudonyms.
    timeout_s : float
        How long to wait for others, seconds.

    Returns
    -------
    Exported

    Raises
    ------
    ValueError
        Naming the value and what is allowed: no such table, a path that would write over something else, no game.
    FileNotFoundError
        No such folder.
    TimeoutError
        Others held the folder all the time.

    Notes
    -----
    A name may begin with ``-``, which some spreadsheets take for a formula; no sign that a formula could do harm with
    (``= + @ | ! "``) may stand in a name.

    Source
    ------
    Own.
    """
    day = today(time_zone, now=now)
    if what not in KINDS:
        raise ValueError(f"what is {what!r}: allowed are {', '.join(map(repr, KINDS))}")
    folder, target = Path(folder), Path(os.path.realpath(out))
    last = day if last is None else last
    if first is not None and first > last:
        raise ValueError(f"first is {first}: it must not come after {last}")
    with FolderLock(folder, timeout_s=timeout_s).exclusive():
        entries = list(read_register(folder))
        _check_target(folder, target, entries)
        log = load_log(folder, today=day)
        entry = ExportEntry(
            _stored_path(folder, target),
            what,
            find_zone(time_zone).key,
            first.isoformat() if first else "",
            last.isoformat(),
            pseudonyms,
        )
        table, sidecar, rows = compose(folder, log, **_settings(entry), name=target.name, token_hex=token_hex)
        if not rows:
            raise ValueError(f"{folder}: no rated game from {first or 'the beginning'} to {last}: no table")
        kept = [other for other in entries if other.path != entry.path]
        _write(folder, target, (table, sidecar), [*kept, entry])
    return Exported(target, rows, log.left_out)


def read_register(folder: str | os.PathLike[str]) -> tuple[ExportEntry, ...]:
    """Read the register of exports, empty where there is none.

    Raises
    ------
    ValueError
        It cannot be read.
    """
    path = Path(folder) / REGISTER
    try:
        rows = json.loads(path.read_bytes())["exports"]
        entries = tuple(ExportEntry(**row) for row in rows)
        for entry in entries:
            day_range(entry)
            texts = (entry.path, entry.time_zone)
            if not all(isinstance(text, str) and text for text in texts) or entry.what not in KINDS:
                raise ValueError(f"{entry.what!r} is no table")
    except FileNotFoundError:
        return ()
    except (ValueError, TypeError, KeyError, RecursionError) as error:
        raise ValueError(f"{path.name}: not a register of exports ({type(error).__name__})") from None
    return entries


def day_range(entry: ExportEntry) -> tuple[date | None, date]:
    """First and last day of an export's games."""
    return date.fromisoformat(entry.first) if entry.first else None, date.fromisoformat(entry.last)


def plan_remaking(
    folder: str | os.PathLike[str],
    log: GameLog,
    *,
    every: bool,
    token_hex: Callable[[int], str] = secrets.token_hex,
) -> Remaking:
    """Make the exports of a folder anew, without writing anything.

    Parameters
    ----------
    folder : path
    log : GameLog
        The games that will be left.
    every : bool
        All exports; else those that are pending.
    token_hex : callable
        Draws pseudonyms.

    Returns
    -------
    Remaking
    """
    folder, plan = Path(folder), Remaking()
    try:
        entries = read_register(folder)
    except (ValueError, OSError) as error:
        plan.failed.append((REGISTER, str(error)))
        return plan
    for entry in entries:
        if every or entry.pending:
            _plan_one(folder, log, entry, plan, token_hex)
        else:
            plan.entries.append(entry)
    if tuple(plan.entries) != entries:
        plan.contents[REGISTER] = encode_register(plan.entries)
    return plan


def finish_remaking(folder: str | os.PathLike[str], plan: Remaking) -> None:
    """Write the exports that lie outside the folder, once the games are removed; the folder's lock must be held."""
    if not plan.outside:
        return
    entries: list[ExportEntry | None] = list(plan.entries)
    for place, path, table, sidecar in plan.outside:
        shown = str(path)
        try:
            if table is None or sidecar is None:
                path.unlink(missing_ok=True)
                sidecar_path(path).unlink(missing_ok=True)
            else:
                write_bytes(path, table)
                write_bytes(sidecar_path(path), sidecar)
        except OSError as error:
            (plan.deleted if table is None else plan.remade).remove(shown)
            plan.failed.append((shown, f"cannot be written: {error.strerror}"))
            continue
        entries[place] = None if table is None else replace(entries[place], pending=False)
    replace_files(folder, {REGISTER: encode_register([entry for entry in entries if entry])})


def encode_register(entries: list[ExportEntry]) -> bytes:
    """Content of the register."""
    return (json.dumps({"exports": [asdict(entry) for entry in entries]}, indent=1) + "\n").encode()


def _plan_one(
    folder: Path, log: GameLog, entry: ExportEntry, plan: Remaking, token_hex: Callable[[int], str]
) -> None:
    path = Path(os.path.realpath(folder)) / entry.path
    if (fault := _why_not_here(folder, path)) is not None:
        plan.entries.append(replace(entry, pending=True))
        plan.failed.append((str(path), fault))
        return
    if not path.exists() and not sidecar_path(path).exists():
        return  # somebody deleted it
    table, sidecar, rows = compose(folder, log, **_settings(entry), name=path.name, token_hex=token_hex)
    (plan.remade if rows else plan.deleted).append(str(path))
    names = _names_inside(folder, path)
    if names is None:
        plan.outside.append((len(plan.entries), path, table if rows else None, sidecar if rows else None))
        plan.entries.append(replace(entry, pending=True))
        return
    plan.contents |= dict(zip(names, (table, sidecar) if rows else (None, None), strict=True))
    if rows:
        plan.entries.append(replace(entry, pending=False))


def _why_not_here(folder: Path, path: Path) -> str | None:
    """Why an export is not written to where it was: whatever stands there now is not to be lost."""
    if not path.parent.is_dir():
        return "its folder is not there"
    for each in (path, sidecar_path(path)):
        if os.path.realpath(each) != str(each):
            return "a link stands in its place or above: it is not followed"
        if each.exists() and not each.is_file():
            return "what stands in its place is no file"
    if path.suffix != ".csv" or _own_name(folder, path) is not None:
        return "no place for an export"
    if sidecar_path(path).exists() and not _vouched(path):
        return f"{sidecar_path(path).name} beside it is another's"
    return None


def _settings(entry: ExportEntry) -> dict[str, object]:
    first, last = day_range(entry)
    return {
        "what": entry.what,
        "first": first,
        "last": last,
        "time_zone": entry.time_zone,
        "pseudonyms": entry.pseudonyms,
    }


def _write(folder: Path, target: Path, content: tuple[bytes, bytes], entries: list[ExportEntry]) -> None:
    """Write an export, the last of the entries: it is never on the disk without standing in the register."""
    names = _names_inside(folder, target)
    if names is not None:
        files: dict[str, bytes | None] = dict(zip(names, content, strict=True))
        replace_files(folder, files | {REGISTER: encode_register(entries)})
        return
    replace_files(folder, {REGISTER: encode_register([*entries[:-1], replace(entries[-1], pending=True)])})
    write_bytes(target, content[0])
    write_bytes(sidecar_path(target), content[1])
    replace_files(folder, {REGISTER: encode_register(entries)})


def _stored_path(folder: Path, target: Path) -> str:
    base = Path(os.path.realpath(folder))
    return target.relative_to(base).as_posix() if target.is_relative_to(base) else target.as_posix()


def _names_inside(folder: Path, path: Path) -> tuple[str, str] | None:
    """Names of a CSV and its sidecar in the folder itself, where they can be written together with the games.

    A folder inside may be somebody else's, or lie on another disk.
    """
    base = Path(os.path.realpath(folder))
    if path.parent != base:
        return None
    return tuple(each.relative_to(base).as_posix() for each in (path, sidecar_path(path)))


def _check_target(folder: Path, target: Path, entries: list[ExportEntry]) -> None:
    """No export may fall on a file that is not an earlier one, nor look like a file of games."""
    if target.suffix != ".csv":
        raise ValueError(f"out is {str(target)!r}: its name must end in .csv")
    if not target.parent.is_dir():
        raise FileNotFoundError(errno.ENOENT, "no such folder for an export", str(target.parent))
    sidecar = sidecar_path(target)
    if (own := _own_name(folder, target)) is not None:
        raise ValueError(f"out is {str(target)!r}: {own} is the name of a file of games")
    if _stored_path(folder, target) in {entry.path for entry in entries}:
        return
    for path in (target, sidecar):
        if path.exists() and not _vouched(target):
            raise ValueError(f"out is {str(target)!r}: {path.name} is there already, and no export")


def _own_name(folder: Path, target: Path) -> str | None:
    """Name of a file of games, or of this program, that an export or its sidecar would be."""
    base = Path(os.path.realpath(folder))
    if target.is_relative_to(base) and target.relative_to(base).parts[0] in OWN_NAMES:
        return target.name
    pair = (target, sidecar_path(target))
    own = (path for path in pair if path.name in OWN_NAMES or kind_and_day(path) or set_aside_day(path))
    return next((path.name for path in own), None)


def _vouched(target: Path) -> bool:
    try:
        return target.name in read_sidecar(target)["outputs"]
    except (ValueError, OSError):
        return False
