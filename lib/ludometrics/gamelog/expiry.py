"""Saved games deleted once they are older than so many days."""

import json
import os
import stat
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

from ludometrics.gamelog.audit import AUDIT_DAYS, encode_entry, expire_entries, find_operator
from ludometrics.gamelog.daily import KINDS, kind_and_day, set_aside_day
from ludometrics.gamelog.drift import Drift, compare_ratings
from ludometrics.gamelog.exports import plan_remaking
from ludometrics.gamelog.holdings import LEFT_OVER, LIVE_FILE, LIVE_LEFT_OVER
from ludometrics.gamelog.loading import load_log
from ludometrics.gamelog.lock import FolderLock
from ludometrics.gamelog.places import AUDIT, LEDGER, LIVE
from ludometrics.gamelog.removal import NO_EXPORTS, ExportsDone, commit, exports_done, held_alone
from ludometrics.gamelog.removal_text import expired_text
from ludometrics.gamelog.rows import parse_rows
from ludometrics.gamelog.store import TIME_ZONE, find_zone, today

#: Most days that games can be kept by `expire`: a century.
MAX_DAYS = 36_525


@dataclass(frozen=True)
class Expired:
    """What was deleted, or would be.

    Attributes
    ----------
    dry_run : bool
    days : int
    first_kept : date
        Games of this day are kept, those of the day before are not.
    time_zone : str
    files : mapping of str to int or None
        Games in each file deleted; None where it cannot be read.
    ledger_lines, live_games, audit_entries : int
        Lines of the ledger, games being played and entries of the audit deleted.
    exports : ExportsDone
    drift : Drift or None
        What becomes of the ratings; None where no daily file is deleted.
    warnings : tuple of str
        What was not touched and should be looked at: files of days to come, names that are nearly those of daily
        files, links, lines that cannot be read.
    """

    dry_run: bool
    days: int
    first_kept: date
    time_zone: str
    files: Mapping[str, int | None] = field(default_factory=dict)
    ledger_lines: int = 0
    live_games: int = 0
    audit_entries: int = 0
    exports: ExportsDone = NO_EXPORTS
    drift: Drift | None = None
    warnings: tuple[str, ...] = ()

    @property
    def text(self) -> str:
        """What was done, in words."""
        return expired_text(self)


@dataclass
class _Old:
    """What is old in a folder."""

    files: dict[str, int | None] = field(default_factory=dict)
    contents: dict[str, bytes | None] = field(default_factory=dict)
    ledger_lines: int = 0
    live_games: int = 0
    audit: bytes | None = None
    audit_entries: int = 0
    warnings: list[str] = field(default_factory=list)


def expire(
    folder: str | os.PathLike[str],
    days: int,
    *,
    dry_run: bool = True,
    time_zone: str = TIME_ZONE,
    now: datetime | None = None,
    operator: str | None = None,
    audit_days: int = AUDIT_DAYS,
    timeout_s: float = 10.0,
) -> Expired:
    """Delete games of days more than so many days ago, and what else in the folder is as old.

    With 90 days, on 30 November 2026 the games of 1 September are kept (90 days ago) and those of 31 August deleted
    (91 days ago). Rated and unrated games go by the day in the name of their file, and so do files that were set aside
    because they could not be read; lines of the ledger by their time, games being played by that of their last move.

    Parameters
    ----------
    folder : path
        Folders in it are not searched, nor are links followed.
    days : int
        At least 1.
    dry_run : bool
        Only say what would be done.
    time_zone : str
        In which days begin and end.
    now : datetime, optional
    operator : str, optional
        Who does it, for the audit; without it the name under which this program runs.
    audit_days : int
        Days for which entries of the audit are kept, at least 1.
    timeout_s : float
        How long to wait for others, seconds.

    Returns
    -------
    Expired

    Raises
    ------
    ValueError
        Naming the value and what is allowed.
    FileNotFoundError
        No such folder.
    TimeoutError
        Others held the folder all the time.

    Source
    ------
    Own; the rule for the day: the adaptive-draughts course.

    Examples
    --------
    >>> import tempfile
    >>> moment = datetime(2026, 11, 30, 12, tzinfo=UTC)
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     for day in ("2026-08-31", "2026-09-01"):
    ...         _ = Path(folder, f"scores-{day}.json").write_text("[]")
    ...     done = expire(folder, 90, dry_run=False, now=moment, operator="me")
    ...     dict(done.files), sorted(name for name in os.listdir(folder) if name.startswith("scores"))
    ({'scores-2026-08-31.json': 0}, ['scores-2026-09-01.json'])
    """
    for what, value in (("days", days), ("audit_days", audit_days)):
        if isinstance(value, bool) or not isinstance(value, int) or not 1 <= value <= MAX_DAYS:
            raise ValueError(f"{what} is {value!r}: it must be a whole number from 1 to {MAX_DAYS}")
    moment = datetime.now(UTC) if now is None else now
    zone, day, operator = find_zone(time_zone), today(time_zone, now=moment), find_operator(operator)
    first_kept = day - timedelta(days)
    lock = (
        FolderLock(folder, timeout_s=timeout_s).shared()
        if dry_run
        else held_alone(folder, timeout_s=timeout_s)
    )
    with lock:
        old = _find_old(Path(folder), first_kept, day, zone, moment - timedelta(audit_days))
        drift, log = None, load_log(folder, today=day)
        if old.files:
            after = load_log(folder, today=day, replaced=dict.fromkeys(filter(kind_and_day, old.files)))
            drift, log = compare_ratings(log.frame, after.frame), after
        remaking = plan_remaking(folder, log, every=bool(old.files))
        exports = exports_done(remaking)
        entry = _entry(old, moment, operator, days, exports)
        if not dry_run:
            commit(folder, old.contents, remaking, entry=entry, audit=old.audit)
    return Expired(
        dry_run,
        days,
        first_kept,
        zone.key,
        files=old.files,
        ledger_lines=old.ledger_lines,
        live_games=old.live_games,
        audit_entries=old.audit_entries,
        exports=exports,
        drift=drift,
        warnings=tuple(old.warnings),
    )


def _entry(old: _Old, now: datetime, operator: str, days: int, exports: ExportsDone) -> bytes | None:
    """Line for the audit; None where nothing is old."""
    if not (old.files or old.ledger_lines or old.live_games):
        return None
    return encode_entry(
        "expire",
        now=now,
        operator=operator,
        files=old.files,
        days=days,
        ledger_lines=old.ledger_lines,
        live_games=old.live_games,
        exports=len(exports.remade) + len(exports.deleted),
    )


def _find_old(folder: Path, first_kept: date, day: date, zone: ZoneInfo, oldest_entry: datetime) -> _Old:
    old = _Old()
    for name in sorted(os.listdir(folder)):
        try:
            _look_at(folder / name, first_kept, day, zone, oldest_entry, old)
        except OSError as error:
            old.warnings.append(f"{name!a}: cannot be read: {error.strerror}")
    return old


def _look_at(
    path: Path, first_kept: date, day: date, zone: ZoneInfo, oldest_entry: datetime, old: _Old
) -> None:
    name, dated = path.name, kind_and_day(path)
    its_day = dated[1] if dated else set_aside_day(path)
    if its_day is not None:
        _take_day(path, its_day, first_kept, day, old)
    elif name.casefold().startswith(tuple(f"{kind}-" for kind in KINDS)):
        old.warnings.append(f"{name!a}: nearly the name of a daily file, and never deleted; look at it")
    elif name in (LEDGER, LIVE) and path.is_symlink():
        old.warnings.append(f"{name}: a link, and not touched")
    elif name == LEDGER:
        _take_ledger(path, first_kept, zone, old)
    elif name == LIVE and path.is_dir():
        _take_live(path, first_kept, zone, old)
    elif name == AUDIT:
        kept, old.audit_entries = expire_entries(path.read_bytes(), oldest=oldest_entry)
        old.audit = kept if old.audit_entries else None
    elif LEFT_OVER.fullmatch(name):
        old.contents[name] = None


def _take_day(path: Path, its_day: date, first_kept: date, day: date, old: _Old) -> None:
    if its_day > day:
        old.warnings.append(
            f"{path.name}: of a day to come; was a clock wrong? It is not deleted before its time"
        )
    if not stat.S_ISREG(path.lstat().st_mode):
        old.warnings.append(f"{path.name}: a link or a folder, and not touched")
    elif its_day < first_kept:
        old.contents[path.name] = None
        try:
            old.files[path.name] = len(parse_rows(path.read_bytes(), path.name))
        except (ValueError, OSError):
            old.files[path.name] = None


def _take_ledger(path: Path, first_kept: date, zone: ZoneInfo, old: _Old) -> None:
    kept = []
    lines = path.read_bytes().splitlines(keepends=True)
    for number, line in enumerate(lines, start=1):
        its_day = _day_of(line, "time_utc", zone)
        if its_day is None and line.endswith(b"\n"):
            old.warnings.append(f"{path.name}, line {number}: no assignment with a time, and never deleted")
        if its_day is None or its_day >= first_kept:
            kept.append(line)
    old.ledger_lines = len(lines) - len(kept)
    if old.ledger_lines:
        old.contents[path.name] = b"".join(kept)


def _take_live(folder: Path, first_kept: date, zone: ZoneInfo, old: _Old) -> None:
    for path in sorted(folder.iterdir()):
        if not stat.S_ISREG(path.lstat().st_mode):
            continue
        if LIVE_LEFT_OVER.fullmatch(path.name):
            old.contents[f"{LIVE}/{path.name}"] = None
        elif LIVE_FILE.fullmatch(path.name):
            its_day = _day_of(path.read_bytes(), "touched", zone)
            if its_day is None:
                its_day = datetime.fromtimestamp(path.stat().st_mtime, zone).date()
            if its_day < first_kept:
                old.contents[f"{LIVE}/{path.name}"] = None
                old.live_games += 1


def _day_of(content: bytes, field_name: str, zone: ZoneInfo) -> date | None:
    """Local day of a time in an object of JSON; None where there is none."""
    try:
        row: Any = json.loads(content.decode("utf-8"))
        time = datetime.fromisoformat(row[field_name])
    except (ValueError, TypeError, KeyError, RecursionError):
        return None
    return time.astimezone(zone).date() if time.tzinfo else None
