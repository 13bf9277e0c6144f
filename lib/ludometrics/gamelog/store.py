"""Games saved into daily files by many programs at once, each game once."""

import os
import stat
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any, NamedTuple
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from ludometrics.gamelog.daily import (
    Game,
    UnratedGame,
    as_row,
    check_game,
    check_unrated,
    file_name,
    unrated_name,
)
from ludometrics.gamelog.lock import FolderLock
from ludometrics.gamelog.names import LEVEL_NAMES, ReservedNameError, fold_name, is_reserved
from ludometrics.gamelog.rows import encode_rows, parse_rows
from ludometrics.provenance import write_bytes

# How a file begins and ends that `encode_rows` wrote.
_START, _END = b"[\n{", b"}\n]\n"
#: Time zone in which a day begins and ends.
TIME_ZONE = "Europe/London"


class Saved(NamedTuple):
    """Where a game stands.

    Attributes
    ----------
    file : str
        Name of the daily file.
    row : int
        Number of the game in it, from 1.
    new : bool
        False: a game of this id was there already.
    set_aside : str or None
        Name that a file of this day got because it could not be read.
    """

    file: str
    row: int
    new: bool
    set_aside: str | None = None


def find_zone(time_zone: str) -> ZoneInfo:
    """Find a time zone by its name.

    Raises
    ------
    ValueError
        There is none of this name.

    Examples
    --------
    >>> find_zone("Europe/London").key
    'Europe/London'
    """
    try:
        return ZoneInfo(time_zone)
    except (ZoneInfoNotFoundError, ValueError, OSError, TypeError):
        raise ValueError(
            f"time_zone is {time_zone!r}: a name of the IANA database is wanted, such as Europe/London or UTC"
        ) from None


def today(time_zone: str = TIME_ZONE, *, now: datetime | None = None) -> date:
    """Give the date in a time zone.

    Parameters
    ----------
    time_zone : str
        Name in the IANA database.
    now : datetime, optional
        With a time zone; without it the present.

    Returns
    -------
    date

    Raises
    ------
    ValueError
        No such zone, or a time without one.

    Examples
    --------
    >>> moment = datetime(2026, 6, 30, 23, 30, tzinfo=UTC)
    >>> today("Europe/London", now=moment), today("UTC", now=moment)
    (datetime.date(2026, 7, 1), datetime.date(2026, 6, 30))
    """
    now = datetime.now(UTC) if now is None else now
    if now.tzinfo is None:
        raise ValueError(f"now is {now.isoformat()}: it needs a time zone")
    return now.astimezone(find_zone(time_zone)).date()


def append_game(
    folder: str | os.PathLike[str],
    game: Game,
    day: date,
    *,
    timeout_s: float = 10.0,
    before: Callable[[], None] | None = None,
) -> Saved:
    """Save a rated game at the end of its day, unless it is saved already.

    It is on the disk when this returns; at any moment the day's file holds all of its games or those before.

    Parameters
    ----------
    folder : path
        Must exist.
    game : Game
        Without an id a retry saves it again.
    day : date
        On which it ended.
    timeout_s : float
        How long to wait for others, seconds.
    before : callable, optional
        Called under the folder's lock before anything is written; what it raises stops the saving.

    Returns
    -------
    Saved

    Raises
    ------
    ValueError
        Naming the value at fault; another game under this id on this day or the day before.
    ReservedNameError
        A person under the computer's name or that of removed people; a level whose computer plays neither side.
    TimeoutError
        Others held the folder all the time.
    OSError
        The day's file cannot be read or written.

    Source
    ------
    Own.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     game = Game("Ann", "Bob", "w", id="9c2f")
    ...     [append_game(folder, game, date(2026, 9, 1))[1:3] for _ in range(2)]
    [(1, True), (1, False)]
    """
    check_game(game)
    check_sides(game)
    with FolderLock(folder, timeout_s=timeout_s).exclusive():
        if before is not None:
            before()
        return _append(Path(folder), as_row(game), day, file_name)


def append_unrated(
    folder: str | os.PathLike[str],
    game: UnratedGame,
    day: date,
    *,
    timeout_s: float = 10.0,
    before: Callable[[], None] | None = None,
) -> Saved:
    """Save a game that is not rated; parameters and errors as of `append_game`.

    Its `after` is set to how many rated games the day holds.
    """
    check_unrated(game)
    check_sides(game)
    folder = Path(folder)
    with FolderLock(folder, timeout_s=timeout_s).exclusive():
        if before is not None:
            before()
        path = folder / file_name(day)
        rated = _parsed(_content(path), path)
        return _append(folder, as_row(replace(game, after=len(rated or ()))), day, unrated_name)


def check_sides(game: Game | UnratedGame, *, where: str = "game") -> None:
    """Check that the computer plays one side of a game with a level, and that nobody else has a reserved name.

    Raises
    ------
    ReservedNameError
        Naming the place, the name and why.

    Examples
    --------
    >>> check_sides(Game("Ann", "Computer (Low)", "b", level="hard"))
    Traceback (most recent call last):
    ...
    ludometrics.gamelog.names.ReservedNameError: game: level is 'hard', so one side must be 'Computer (High)', and it
    alone
    """
    names = [game.black, game.white]
    if game.level is not None:
        computer = LEVEL_NAMES[game.level]
        people = [name for name in names if fold_name(name) != fold_name(computer)]
        if len(people) != 1:
            raise ReservedNameError(
                f"{where}: level is {game.level!r}, so one side must be {computer!r}, and it alone"
            )
        names = people
    for name in names:
        if is_reserved(name):
            raise ReservedNameError(f"{where}: {name!r} is no name for a person: it is reserved")


def _append(folder: Path, row: dict[str, Any], day: date, name_of: Callable[[date], str]) -> Saved:
    path, set_aside = folder / name_of(day), None
    content = _content(path)
    rows = _parsed(content, path)
    if rows is None:
        set_aside, rows = _set_aside(path), []
    if "id" in row:
        before = name_of(day - timedelta(1))  # a retry may come after midnight
        for file, known in ((path.name, rows), (before, _rows_with(folder / before, row["id"]))):
            for number, other in enumerate(known, start=1):
                if other.get("id") == row["id"]:
                    return Saved(_same(other, row, file, number), number, False, set_aside)
    write_bytes(path, _with_row(content, rows, row))
    return Saved(path.name, len(rows) + 1, True, set_aside)


def _with_row(content: bytes | None, rows: list[dict[str, Any]], row: dict[str, Any]) -> bytes:
    """Content of a file with one row more: what is written as here is not written anew."""
    if rows and content.startswith(_START) and content.endswith(_END):
        return content[: -len(_END)] + b"},\n" + encode_rows([row])[len(b"[\n") :]
    return encode_rows([*rows, row])


def _same(known: dict[str, Any], row: dict[str, Any], file: str, number: int) -> str:
    """Name of the file, if the game that is there is the one to be saved; its place among others does not matter."""
    for field in (known.keys() | row.keys()) - {"after"}:
        if known.get(field) != row.get(field):
            raise ValueError(
                f"{file}, game {number}: the id {row['id']!r} is that of a game whose {field} is {known.get(field)!r}, "
                f"not {row.get(field)!r}"
            )
    return file


def _content(path: Path) -> bytes | None:
    """Content of a daily file, without one that of a day without games; None for what may not or cannot be read."""
    try:
        # A pipe would keep everybody waiting, and links are not followed.
        return path.read_bytes() if stat.S_ISREG(os.lstat(path).st_mode) else None
    except FileNotFoundError:
        return encode_rows([])
    except PermissionError:
        return None


def _parsed(content: bytes | None, path: Path) -> list[dict[str, Any]] | None:
    """Rows of a daily file; None for what cannot be read as such."""
    try:
        return None if content is None else parse_rows(content, path.name)
    except ValueError:
        return None


def _rows_with(path: Path, game_id: str) -> list[dict[str, Any]]:
    """Rows of a daily file that may hold an id; none where it does not, or cannot be read."""
    content = _content(path)
    return (_parsed(content, path) or []) if content and game_id.encode() in content else []


def _set_aside(path: Path) -> str:
    """Rename a file that cannot be read, so that its day can go on and nothing of it is lost."""
    number = 1
    while os.path.lexists(other := path.with_name(f"{path.stem}.broken-{number}.json")):
        number += 1
    os.rename(path, other)
    return other.name
