"""One person removed from a folder of games: the games stay under a token, or go."""

import os
import secrets
from collections.abc import Callable, Iterable, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from datetime import UTC, date, datetime
from pathlib import Path
from typing import NamedTuple

from ludometrics.gamelog.audit import encode_entry, find_operator
from ludometrics.gamelog.daily import kind_and_day
from ludometrics.gamelog.drift import Drift, compare_ratings
from ludometrics.gamelog.exports import Remaking, plan_remaking
from ludometrics.gamelog.finding import Found, Hit, search
from ludometrics.gamelog.holdings import Holdings, Problem, encode_days, restore_order, take_stock
from ludometrics.gamelog.loading import GameLog, load_log
from ludometrics.gamelog.lock import FolderLock
from ludometrics.gamelog.names import LEVEL_OF_KEY, MAX_NAME, ReservedNameError, is_reserved
from ludometrics.gamelog.places import LEDGER
from ludometrics.gamelog.removal import NO_EXPORTS, ExportsDone, commit, exports_done, held_alone
from ludometrics.gamelog.removal_text import forgotten_text
from ludometrics.gamelog.spellings import Spellings
from ludometrics.gamelog.store import TIME_ZONE, today

_NOTHING = Found((), 0, 0, ())


class RatingsWouldChangeError(RuntimeError):
    """Somebody else's rating would change, which a token must never do; nothing was changed."""


@dataclass(frozen=True)
class Forgotten:
    """What was done, or would be, to remove a person. No name stands in it but in `search.hits`' paths.

    Attributes
    ----------
    done : bool
        False: nothing was changed, by `dry_run` or because of a problem.
    dry_run, drop : bool
    token : str or None
        What stands for the person now; None where nothing does.
    files : mapping of str to int
        Games changed or deleted in each daily file.
    uncounted : int
        Those of them that counted for no rating, by a fault that the name itself had, and were deleted.
    ledger_lines, live_games, left_over : int
        Lines of the ledger dropped, games being played and what killed programs left half-written deleted.
    exports : ExportsDone
    drift : Drift or None
        What becomes of the ratings of all others.
    problems : tuple of Problem
        Files that cannot be read. If the name stands in one, nothing is changed.
    search : Found
        Where the name still stands: in the folder, and in places to be searched too.
    near : int
        How many names are spelt nearly so, where none is the one given.
    """

    done: bool
    dry_run: bool
    drop: bool
    token: str | None = None
    files: Mapping[str, int] = field(default_factory=dict)
    uncounted: int = 0
    ledger_lines: int = 0
    live_games: int = 0
    left_over: int = 0
    exports: ExportsDone = NO_EXPORTS
    drift: Drift | None = None
    problems: tuple[Problem, ...] = ()
    search: Found = _NOTHING
    near: int = 0

    @property
    def games(self) -> int:
        """Saved games changed or deleted."""
        return sum(self.files.values())

    @property
    def left(self) -> tuple[Hit, ...]:
        """Places where the name still stands."""
        return self.search.hits

    @property
    def is_known(self) -> bool:
        """Whether the folder's games held the person."""
        counts = (self.games, self.ledger_lines, self.live_games, self.left_over)
        return any(counts) or self.is_blocked

    @property
    def is_blocked(self) -> bool:
        """Whether nothing could be done because of a file that holds the name and cannot be read."""
        return any(problem.holds_name for problem in self.problems)

    @property
    def status(self) -> int:
        """0 done, 3 nobody of this name, 4 files that cannot be read, 5 the name stands in other places."""
        if self.is_blocked:
            return 4
        if self.left:
            return 5
        if self.problems or self.exports.failed:
            return 4
        return 0 if self.is_known else 3

    @property
    def text(self) -> str:
        """What was done, in words, without the name."""
        return forgotten_text(self)


class _Plan(NamedTuple):
    """What is to be changed."""

    contents: dict[str, bytes | None]
    remaking: Remaking
    drift: Drift | None
    files: dict[str, int]
    uncounted: int
    token: str | None
    near: int


def forget(
    folder: str | os.PathLike[str],
    name: str,
    *,
    drop: bool = False,
    dry_run: bool = True,
    time_zone: str = TIME_ZONE,
    now: datetime | None = None,
    operator: str | None = None,
    also: Iterable[str | os.PathLike[str]] = (),
    token_hex: Callable[[int], str] = secrets.token_hex,
    timeout_s: float = 10.0,
    progress: Callable[[Path], None] = lambda _: None,
) -> Forgotten:
    """Remove a person's name from a folder of games, and search it for what is left.

    All spellings of the name become one random token, another one at each request: people are not merged, and
    everybody else's rating stays what it was, which is checked before anything is written. Lines of the ledger and
    games being played are deleted, and the registered exports remade. All of it is done, or nothing.

    Parameters
    ----------
    folder : path
    name : str
        Any spelling.
    drop : bool
        Delete the games, for the opponents too: their ratings change.
    dry_run : bool
        Only say what would be done.
    time_zone : str
        Of the days.
    now : datetime, optional
    operator : str, optional
        Who does it, for the audit; without it the name under which this program runs.
    also : paths
        Further places to be searched; nothing is changed there.
    token_hex : callable
        Draws the token.
    timeout_s : float
        How long to wait for others, seconds.
    progress : callable
        Told each file that is searched.

    Returns
    -------
    Forgotten

    Raises
    ------
    ReservedNameError
        The name is a level's, or stands for removed or anonymous people.
    ValueError
        The name is empty; no such time zone; an operator that cannot be written.
    RatingsWouldChangeError
        Nothing was changed.
    FileNotFoundError
        No such folder, or path to be searched.
    TimeoutError
        Others held the folder all the time.

    Source
    ------
    Own.

    Examples
    --------
    >>> import tempfile
    >>> from ludometrics.gamelog import Game, write_day
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = write_day(folder, date(2026, 9, 1), [Game("Ann", "Bob", "w"), Game("Cid", "ANN", "w")])
    ...     done = forget(folder, "ann", dry_run=False, operator="me", token_hex=lambda size: "7f3a91c2")
    ...     print(done.games, done.status, path.read_text())
    2 0 [
    {"black": "(removed-7f3a91c2)", "white": "Bob", "winner": "w"},
    {"black": "Cid", "white": "(removed-7f3a91c2)", "winner": "w"}
    ]
    <BLANKLINE>
    """
    spellings = _check_name(name)
    moment = datetime.now(UTC) if now is None else now
    day, operator = today(time_zone, now=moment), find_operator(operator, removed=name)
    also = [os.fspath(path) for path in also]
    for path in also:
        os.stat(path)
    with _locked(folder, dry_run=dry_run, timeout_s=timeout_s):
        stock = take_stock(folder, spellings)
        blocked = any(problem.holds_name for problem in stock.problems)
        plan = (
            _plan(Path(folder), stock, spellings, day, drop=drop, token_hex=token_hex)
            if not blocked
            else None
        )
        done = plan is not None and not dry_run
        if done and (plan.contents or plan.remaking.contents or plan.remaking.outside):
            entry = None if stock.is_empty else _entry(stock, plan, moment, operator, drop=drop)
            commit(folder, plan.contents, plan.remaking, entry=entry)
    passed_over = [problem.file for problem in stock.problems if problem.holds_name]
    passed_over += [] if done else _known_places(stock, plan)
    found = search(
        name, [folder, *also], passed_over=[Path(folder) / path for path in passed_over], progress=progress
    )
    return Forgotten(
        done,
        dry_run,
        drop,
        token=plan.token if plan is not None and done else None,
        files=plan.files
        if plan is not None
        else {file: len(rows.played) for file, rows in stock.days.items()},
        uncounted=plan.uncounted if plan is not None else 0,
        ledger_lines=stock.ledger_lines,
        live_games=len(stock.live),
        left_over=len(stock.left_over),
        exports=exports_done(plan.remaking) if plan is not None else NO_EXPORTS,
        drift=plan.drift if plan is not None else None,
        problems=tuple(stock.problems),
        search=found,
        near=plan.near if plan is not None else 0,
    )


def _known_places(stock: Holdings, plan: _Plan | None) -> list[str]:
    """Files that hold the person and can be dealt with, so that a search need not report them."""
    places = [*stock.days, *stock.live, *stock.left_over]
    places += [LEDGER] if stock.ledger_lines else []
    if plan is not None:
        places += [*plan.remaking.contents, *(str(path) for _, path, _, _ in plan.remaking.outside)]
    return places


def _check_name(name: str) -> Spellings:
    spellings = Spellings(name)
    # A person may be called "Computer Fan" in an old file; only the levels' own names are the computer's.
    if spellings.key in LEVEL_OF_KEY or (is_reserved(name) and not spellings.key.startswith("computer")):
        raise ReservedNameError(
            f"name is {name!r}: the names of the levels, and those of removed or anonymous people, cannot be removed"
        )
    return spellings


def _locked(
    folder: str | os.PathLike[str], *, dry_run: bool, timeout_s: float
) -> AbstractContextManager[None]:
    if dry_run:
        return FolderLock(folder, timeout_s=timeout_s).shared()
    return held_alone(folder, timeout_s=timeout_s)


def _plan(
    folder: Path,
    stock: Holdings,
    spellings: Spellings,
    day: date,
    *,
    drop: bool,
    token_hex: Callable[[int], str],
) -> _Plan:
    """What is to be changed; nothing is written."""
    token = _fresh_token(stock, token_hex)
    contents: dict[str, bytes | None] = dict.fromkeys([*stock.live, *stock.left_over])
    if stock.ledger is not None:
        contents[LEDGER] = stock.ledger
    log, drift, gone = _rewrite(folder, stock, spellings, token, day, contents, drop=drop)
    remaking = plan_remaking(folder, log, every=bool(stock.days), token_hex=token_hex)
    files = {name: len(rows.played) + len(rows.mentioned) for name, rows in stock.days.items()}
    tokened = any(token.encode() in (content or b"") for content in contents.values())
    near = _count_near(spellings.key, _people(log) | stock.keys) if stock.is_empty else 0
    return _Plan(contents, remaking, drift, files, len(gone), token if tokened else None, near)


def _rewrite(
    folder: Path,
    stock: Holdings,
    spellings: Spellings,
    token: str,
    day: date,
    contents: dict[str, bytes | None],
    *,
    drop: bool,
) -> tuple[GameLog, Drift | None, frozenset[tuple[str, int]]]:
    """Put the new daily files into `contents`; gives the log they make and what becomes of the ratings.

    A game that was left out because of the person's own name would count once it has another: it is deleted.
    """
    before = load_log(folder, today=day)
    if not stock.days:
        return before, None, frozenset()
    gone: frozenset[tuple[str, int]] = frozenset()
    for _ in range(2):
        days: dict[str, bytes | None] = dict(encode_days(stock, spellings, token, drop=drop, gone=gone))
        restore_order(folder, _rows_gone(stock, gone, drop=drop), days)
        after = load_log(
            folder, today=day, replaced={name: days[name] for name in days if kind_and_day(name)}
        )
        if drop:
            break
        touched = {
            (name, row + 1) for name, rows in stock.days.items() for row in (*rows.played, *rows.mentioned)
        }
        mended = {(left.file, left.row) for left in before.left_out} & touched
        mended -= {(left.file, left.row) for left in after.left_out}
        if gone or not mended:
            break
        gone = frozenset((name, number - 1) for name, number in mended)
    contents |= days
    drift = compare_ratings(before.frame, after.frame, without={spellings.key})
    if drift.changed and not drop:
        raise RatingsWouldChangeError(
            f"{folder}: ratings of {drift.changed} other players would change; nothing was changed"
        )
    return after, drift, gone


def _rows_gone(stock: Holdings, gone: frozenset[tuple[str, int]], *, drop: bool) -> dict[str, set[int]]:
    """Places of the rows that are left out, by file."""
    return {
        name: {place for file, place in gone if file == name} | (set(rows.played) if drop else set())
        for name, rows in stock.days.items()
    }


def _fresh_token(stock: Holdings, token_hex: Callable[[int], str]) -> str:
    while (drawn := token_hex(4)) in stock.tokens:
        pass
    return f"(removed-{drawn})"


def _entry(stock: Holdings, plan: _Plan, now: datetime, operator: str, *, drop: bool) -> bytes:
    return encode_entry(
        "forget",
        now=now,
        operator=operator,
        files=plan.files,
        drop=drop,
        token=plan.token,
        ledger_lines=stock.ledger_lines,
        live_games=len(stock.live),
        exports=len(plan.remaking.remade) + len(plan.remaking.deleted),
    )


def _people(log: GameLog) -> set[str]:
    keys = {key for side in ("black_key", "white_key") for key in log.frame[side].unique()}
    return {key for key in keys if not is_reserved(key)}


def _count_near(key: str, keys: Iterable[str]) -> int:
    """How many keys differ from one by a slip or two of the pen."""
    most = 1 if len(key) <= 4 else 2
    return sum(0 < _distance(key[:MAX_NAME], other, most) <= most for other in keys)


def _distance(one: str, other: str, most: int) -> int:
    """Signs to be put in, left out, changed, or swapped with their neighbour, to make one text the other.

    More than `most` is not told apart. Source: Damerau (1964), in the restricted form (no sign is moved twice).
    """
    if abs(len(one) - len(other)) > most:
        return most + 1
    before, row = [], list(range(len(other) + 1))
    for place, sign in enumerate(one):
        new = [place + 1]
        for column, against in enumerate(other):
            steps = min(row[column + 1] + 1, new[column] + 1, row[column] + (sign != against))
            if place and column and sign == other[column - 1] and one[place - 1] == against:
                steps = min(steps, before[column - 1] + 1)
            new.append(steps)
        before, row = row, new
    return row[-1]
