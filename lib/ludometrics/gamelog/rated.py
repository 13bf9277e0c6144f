"""Ratings of a folder of games that keep up with it: a new game is rated, not all games again.

Nothing is kept in files: names would stay in them.
"""

import hashlib
import math
import os
import threading
import time
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, fields, replace
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from ludometrics.gamelog.daily import kind_and_day
from ludometrics.gamelog.day_files import (
    DayFile,
    FileState,
    LeftOut,
    left_out_file,
    list_files,
    same_entries,
    scan_folder,
    sort_left_out,
)
from ludometrics.gamelog.history import History
from ludometrics.gamelog.league import LeagueRow
from ludometrics.gamelog.loading import DayContent, check_rows, load_games, read_content, read_days
from ludometrics.gamelog.lock import FolderLock
from ludometrics.gamelog.snapshot import PlayerRating, RatedGames, Rater, RatingStore
from ludometrics.gamelog.store import TIME_ZONE, find_zone, today

#: A file may change again within a tick of the clock that its times are taken from: so long it is read again.
_TICK_NS = 100_000_000
_SPACE = b" \t\r\n"


class RatingsDifferError(RuntimeError):
    """Ratings that were carried on are not those of a replay from the first game."""


class _LastDay(NamedTuple):
    """The last file that was read: what can be added to."""

    name: str
    content: bytes
    rows: int


@dataclass(frozen=True)
class _Known:
    """What has been read: hashes by name, files that could be read, the last one, and the next day to come."""

    hashes: Mapping[str, str]
    names: tuple[str, ...]
    last: _LastDay | None
    to_come: date | None

    def added(self, name: str, content: bytes) -> DayContent | None:
        """Give what a file has more than before, if it is the last one or one of a later day."""
        if name > max(self.hashes, default=""):  # names of scores stand in the order of their days
            return DayContent(name, content)
        if self.last is None or name != self.last.name:
            return None
        if not self.last.rows:
            return DayContent(name, content)
        before = self.last.content.rstrip(_SPACE)[:-1].rstrip(
            _SPACE
        )  # without the bracket that closes the array
        rest = content[len(before) :].lstrip(_SPACE)
        if not content.startswith(before) or not rest.startswith(b","):
            return None
        return DayContent(name, b"[" + rest[1:], self.last.rows)


class RatedLog:
    """The rated games of a folder and the ratings of their players.

    Parameters
    ----------
    folder : path
        Must exist.
    raters : mapping of str to Rater
        How games are rated, by a name of your choice. A rater's work is done when it is first asked for.
    time_zone : str
        Of the days; a game of a day to come does not count.
    now : callable, optional
        Clock that gives a datetime with a time zone.
    timeout_s : float
        How long to wait for others, seconds.
    trust_s : float
        How long a file of an earlier day that was not replaced is taken to be as it was, seconds.

    Raises
    ------
    FileNotFoundError
        No such folder.
    ValueError
        No such time zone.

    Source
    ------
    Own.

    Examples
    --------
    >>> import tempfile
    >>> from ludometrics.gamelog import Game, append_game
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     log = RatedLog(folder, {"elo": Rater("elo")})
    ...     _ = append_game(folder, Game("Ann", "Bob", "b"), date(2026, 9, 1))
    ...     log.refresh(), log.refresh(), log.player("elo", "ann").rating
    (True, False, 1216.0)
    """

    def __init__(
        self,
        folder: str | os.PathLike[str],
        raters: Mapping[str, Rater],
        *,
        time_zone: str = TIME_ZONE,
        now: Callable[[], datetime] | None = None,
        timeout_s: float = 10.0,
        trust_s: float = 1.0,
    ) -> None:
        find_zone(time_zone)
        self.folder, self.raters, self.time_zone = Path(folder), dict(raters), time_zone
        self._clock = now or (lambda: datetime.now(UTC))
        self._folder_lock = FolderLock(folder, timeout_s=timeout_s)
        self._lock = threading.Lock()
        self._trust_s, self._looked_s = trust_s, -math.inf
        self._now: RatedGames | None = None
        self._known = _Known({}, (), None, None)
        # None stands for a file that has to be read again.
        self._states: dict[str, FileState | None] = {}

    def refresh(self) -> bool:
        """Take in what has changed in the folder.

        Games added at the end of the last day, and later days, are rated from where the ratings stand; after any other
        change everything is loaded again. Without a change nothing is locked or opened. This library replaces files;
        what another program writes into one of an earlier day may be seen `trust_s` later.

        Returns
        -------
        bool
            Whether anything has changed.

        Raises
        ------
        FolderBusyError
            Others held the folder all the time; the ratings stay as they were.
        OSError
            The folder cannot be read; the same holds.
        """
        with self._lock:
            looked_ns, states = time.time_ns(), self._scan()
            come = self._known.to_come is not None and self._known.to_come <= self._today()
            if self._now is not None and states == self._states and not come:
                return False
            with self._folder_lock.shared():
                return self._take_in(states, looked_ns)

    @property
    def now(self) -> RatedGames:
        """The games and ratings as of the last `refresh`: they do not change while they are read."""
        if self._now is None:
            self.refresh()
        return self._now

    def prove(self) -> None:
        """Load the folder afresh, rate all games from the first, and compare every bit with what was carried on.

        Raises
        ------
        RatingsDifferError
            Naming what differs.
        FolderBusyError, OSError
            As `refresh`.
        """
        with self._lock, self._folder_lock.shared():
            looked_ns, states = time.time_ns(), scan_folder(self.folder)
            self._take_in(states, looked_ns)
            carried = self._now
            fresh, _ = self._load(list_files(states), self._today())
        differing = [
            what
            for what in ("keys", "spellings", "left_out", "files")
            if getattr(carried, what) != getattr(fresh, what)
        ]
        for what in ("pairs", "outcomes", "times"):
            if getattr(carried, what).tobytes() != getattr(fresh, what).tobytes():
                differing.append(what)
        for name, rater in self.raters.items():
            whole = rater.rate(fresh.store.history, 0, fresh.n_games, fresh.n_players, None)
            differing += [f"{what} of rater {name!r}" for what in _differing(carried.record(name), whole)]
        if differing:
            raise RatingsDifferError(f"{self.folder}: not as loaded and rated afresh: {', '.join(differing)}")

    @property
    def left_out(self) -> tuple[LeftOut, ...]:
        """Files and games that cannot be used, as `load_log` gives them."""
        return self.now.left_out

    def standings(self, rater: str) -> pd.DataFrame:
        """Order the players; see `RatedGames.standings`."""
        return self.now.standings(rater)

    def player(self, rater: str, name: str) -> PlayerRating | None:
        """Give one player's rating; see `RatedGames.player`."""
        return self.now.player(rater, name)

    def met(self, name: str, levels: Collection[str]) -> tuple[tuple[str, ...], tuple[float, ...]]:
        """List the levels that a player met; see `RatedGames.met`."""
        return self.now.met(name, levels)

    def day_table(self, day: date) -> list[LeagueRow]:
        """Give a day's league table; see `RatedGames.day_table`."""
        return self.now.day_table(day)

    def _today(self) -> date:
        return today(self.time_zone, now=self._clock())

    def _scan(self) -> dict[str, FileState]:
        """Look at the folder, at each file but once in a while."""
        looked_s = time.monotonic()
        if looked_s - self._looked_s < self._trust_s:
            return scan_folder(self.folder, self._states, near=max(self._known.hashes, default=""))
        self._looked_s = looked_s
        return scan_folder(self.folder)

    def _take_in(self, states: dict[str, FileState], looked_ns: int) -> bool:
        """Bring everything up to date; the folder is held."""
        if not same_entries(self.folder, states):
            looked_ns, states = time.time_ns(), scan_folder(self.folder)
        before, day = self._now, self._today()
        found = None
        if before is not None and (self._known.to_come is None or self._known.to_come > day):
            found = self._carry_on(before, states, day)
        self._now, self._known = found or self._load(list_files(states), day)
        # A file that changed a moment ago may change once more without a sign of it.
        low, high = looked_ns - _TICK_NS, looked_ns + _TICK_NS
        fresh = {
            name: None
            for name, (_, _, _, one, other) in states.items()
            if low < one < high or low < other < high
        }
        self._states = {**states, **fresh}
        return self._now is not before

    def _load(self, files: Mapping[str, DayFile], day: date) -> tuple[RatedGames, _Known]:
        """Load all games."""
        loaded = load_games(self.folder, files, today=day)
        history = History()
        history.extend(loaded.columns, loaded.days)
        to_come = [file.day for file in files.values() if file.day is not None and file.day > day]
        read = [name for name, file in files.items() if file.kind == "scores" and name in loaded.hashes]
        # Where the last file could not be read, nothing can be added to it.
        last = None
        if read and read[-1] in loaded.names:
            last = _LastDay(read[-1], loaded.last, loaded.rows[-1])
        known = _Known(loaded.hashes, loaded.names, last, min(to_come, default=None))
        return self._snapshot(RatingStore(history, self.raters), known, loaded.left_out), known

    def _carry_on(
        self, before: RatedGames, states: Mapping[str, FileState], day: date
    ) -> tuple[RatedGames, _Known] | None:
        """Take in games added at the end; None where something else has changed."""
        changed = {name: state for name, state in states.items() if state != self._states.get(name)}
        if self._states.keys() - states.keys():
            return None
        left_out, added, hashes = list(before.left_out), [], dict(self._known.hashes)
        for name, file in list_files(changed).items():
            fault = left_out_file(name, file, day)
            if fault is not None:
                if fault not in left_out:
                    return None
            elif (content := read_content(self.folder, name, None, faults := [])) is None:
                if faults[0] not in left_out:
                    return None
            elif file.kind == "unrated":
                left_out = [one for one in left_out if one.file != name] + check_rows(name, content)[2]
            elif (digest := hashlib.sha256(content).hexdigest()) != hashes.get(name):
                hashes[name] = digest
                if (end := self._known.added(name, content)) is None:
                    return None
                added.append((end, content))
                left_out = [
                    one for one in left_out if (one.file, one.row) != (name, None)
                ]  # it was a link, say
        return self._extend(before, added, hashes, sort_left_out(left_out))

    def _extend(
        self,
        before: RatedGames,
        added: list[tuple[DayContent, bytes]],
        hashes: dict[str, str],
        left_out: tuple[LeftOut, ...],
    ) -> tuple[RatedGames, _Known] | None:
        """Add the games of the ends of files; None where they are not to be had without the others."""
        if not added:
            same = left_out == before.left_out
            return (before if same else replace(before, left_out=left_out)), self._known
        columns, rows, faults = read_days(end for end, _ in added)
        history = before.store.history
        for end, _ in added:
            # A comma and the closing bracket would be an empty array here, and are no end of one.
            if end.name not in rows or 0 < end.rows_before == rows[end.name]:
                return None
        if history.knows_id(columns.id_marks):
            return None
        names = (*self._known.names, *(name for name in rows if name not in self._known.hashes))
        end, content = added[-1]
        known = _Known(hashes, names, _LastDay(end.name, content, rows[end.name]), self._known.to_come)
        history.extend(columns, [kind_and_day(name)[1].toordinal() for name in rows])
        return self._snapshot(before.store, known, sort_left_out([*left_out, *faults])), known

    def _snapshot(self, store: RatingStore, known: _Known, left_out: tuple[LeftOut, ...]) -> RatedGames:
        history = store.history
        return RatedGames(
            history.n_games,
            len(history.keys),
            tuple(history.spellings),
            left_out,
            known.names,
            known.hashes,
            store,
            self._today,
        )


def _differing(record: Any, other: Any) -> list[str]:
    """Names of the fields of two records that are not the same to the bit."""
    return [
        field.name
        for field in fields(record)
        if np.asarray(getattr(record, field.name)).tobytes()
        != np.asarray(getattr(other, field.name)).tobytes()
    ]
