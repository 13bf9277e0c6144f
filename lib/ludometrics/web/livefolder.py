"""Games being played, in memory and each in a file of its own, so that a restart loses none.

A file is written at each move under a temporary name and renamed. It is not forced to the disk: that would cost every
move more than the computer's thinking, and only a power cut, not a killed program, can lose what was not. A file that
somebody deletes, as `forget` does, ends its game at once.
"""

import json
import os
import re
import stat
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import NamedTuple

from ludometrics.gamelog.lock import FolderBusyError, FolderLock
from ludometrics.gamelog.places import LIVE
from ludometrics.web.live import LiveGame, decode, encode
from ludometrics.web.problems import GoneError

_ID = re.compile(r"[0-9a-f]{32}")
_FILE = re.compile(r"([0-9a-f]{32})\.json")
_TEMPORARY = re.compile(r"\.[0-9a-f]{32}\.[0-9]+\.tmp")
_GONE = "there is no such game: it is over, was removed, or never was"


class _Stamp(NamedTuple):
    """By which a file that was changed or replaced can be told from the one that was read."""

    inode: int
    time_ns: int
    size: int


class KeyedLocks:
    """A lock for each key, there only while somebody holds or waits for it.

    Examples
    --------
    >>> locks = KeyedLocks()
    >>> with locks.held("a"), locks.held("b"):
    ...     len(locks)
    2
    >>> len(locks)
    0
    """

    def __init__(self) -> None:
        self._guard = threading.Lock()
        self._locks: dict[str, tuple[threading.Lock, list[None]]] = {}

    def __len__(self) -> int:
        return len(self._locks)

    @contextmanager
    def held(self, key: str) -> Iterator[None]:
        """Keep other threads out of what goes by this key."""
        with self._guard:
            lock, users = self._locks.setdefault(key, (threading.Lock(), []))
            users.append(None)
        try:
            with lock:
                yield
        finally:
            with self._guard:
                users.pop()
                if not users:
                    del self._locks[key]


class LiveFolder:
    """The games being played in a folder of games.

    Whoever reads a game to change it holds its lock (`held`) until the change is put.

    Parameters
    ----------
    folder : path
        Of the games; must exist. Its folder `live` is made if need be.
    timeout_s : float
        How long to wait for another program that holds the folder, seconds.
    """

    def __init__(self, folder: str | os.PathLike[str], *, timeout_s: float = 10.0) -> None:
        self.folder = Path(folder) / LIVE
        self.folder.mkdir(mode=0o700, exist_ok=True)
        self._lock = FolderLock(folder, timeout_s=timeout_s)
        self._locks = KeyedLocks()
        self._kept: dict[str, tuple[LiveGame, _Stamp]] = {}

    @contextmanager
    def held(self, game_id: str) -> Iterator[LiveGame]:
        """Keep other threads off a game and give it as it stands; raises as `get`."""
        with self._locks.held(game_id):
            yield self.get(game_id)

    def get(self, game_id: str) -> LiveGame:
        """Give a game as it stands, read again if its file was changed.

        Raises
        ------
        GoneError
            No such game, or its file cannot be read.
        """
        stamp = self._stamp(game_id) if _ID.fullmatch(game_id) else None
        if stamp is None:
            self._kept.pop(game_id, None)
            raise GoneError(_GONE)
        kept = self._kept.get(game_id)
        if kept is None or kept[1] != stamp:
            kept = self._read(game_id)
            self._kept[game_id] = kept
        return kept[0]

    def peek(self, game_id: str) -> LiveGame:
        """Give a game as it stands to one who does not hold its lock and will not change it; raises as `get`."""
        stamp = self._stamp(game_id) if _ID.fullmatch(game_id) else None
        if stamp is None:
            raise GoneError(_GONE)
        kept = self._kept.get(game_id)
        return kept[0] if kept is not None and kept[1] == stamp else self._read(game_id)[0]

    def add(self, game: LiveGame) -> None:
        """Take in a new game; it is written when this returns.

        Raises
        ------
        TimeoutError
            Another program held the folder all the time.
        """
        with self._lock.shared():
            self._write(game)

    def put(self, game: LiveGame) -> None:
        """Replace a game by what became of it; raises as `check` and `add`."""
        with self._lock.shared():
            self.check(game.id)
            self._write(game)

    def check(self, game_id: str) -> None:
        """Check, under the folder's lock, that a game's file is the one last read or written here.

        Raises
        ------
        GoneError
            It was removed.
        FolderBusyError
            Another program changed it.
        """
        stamp = self._stamp(game_id)
        if stamp is None:
            self._kept.pop(game_id, None)
            raise GoneError(_GONE)
        if game_id not in self._kept or self._kept[game_id][1] != stamp:
            raise FolderBusyError("another program changed this game; try again")

    def drop(self, game_id: str) -> None:
        """Remove a game and its file."""
        with self._lock.shared():
            (self.folder / f"{game_id}.json").unlink(missing_ok=True)
        self._kept.pop(game_id, None)

    def read_all(self) -> list[str]:
        """Read every file, forget the games whose file is gone, and name the files that cannot be read."""
        ids = {match[1] for name in os.listdir(self.folder) if (match := _FILE.fullmatch(name))}
        for game_id in set(self._kept) - ids:
            self._kept.pop(game_id, None)
        broken = []
        for game_id in sorted(ids):
            with self._locks.held(game_id):
                try:
                    self.get(game_id)
                except GoneError:
                    if self._stamp(game_id) is not None:
                        broken.append(f"{LIVE}/{game_id}.json")
        return broken

    def clear_temporary(self) -> None:
        """Remove what a killed program left half-written."""
        with self._lock.exclusive():
            for name in os.listdir(self.folder):
                if _TEMPORARY.fullmatch(name):
                    (self.folder / name).unlink(missing_ok=True)

    def games(self) -> list[LiveGame]:
        """Games known here, as last read or written."""
        return [game for game, _ in list(self._kept.values())]

    def _stamp(self, game_id: str) -> _Stamp | None:
        with suppress(FileNotFoundError):
            status = os.lstat(self.folder / f"{game_id}.json")
            return _Stamp(status.st_ino, status.st_mtime_ns, status.st_size)
        return None

    def _read(self, game_id: str) -> tuple[LiveGame, _Stamp]:
        path = self.folder / f"{game_id}.json"
        try:
            # Not to wait for a pipe of that name, and not to follow a link.
            flags = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_NOFOLLOW", 0)
            with open(os.open(path, flags | getattr(os, "O_BINARY", 0)), "rb") as file:
                status = os.fstat(file.fileno())
                if not stat.S_ISREG(status.st_mode):
                    raise ValueError("no ordinary file")
                game = decode(json.loads(file.read()))
            if game.id != game_id:
                raise ValueError(f"id is {game.id}")
        except (OSError, ValueError, RecursionError):
            raise GoneError(_GONE) from None
        return game, _Stamp(status.st_ino, status.st_mtime_ns, status.st_size)

    def _write(self, game: LiveGame) -> None:
        path = self.folder / f"{game.id}.json"
        temporary = self.folder / f".{game.id}.{os.getpid()}.tmp"
        content = json.dumps(encode(game), ensure_ascii=False).encode()
        try:
            self.folder.mkdir(mode=0o700, exist_ok=True)  # somebody may have emptied the folder of games
            with open(os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as file:
                file.write(content)
            os.replace(temporary, path)
        except OSError:
            with suppress(OSError):
                temporary.unlink(missing_ok=True)
            raise
        status = os.lstat(path)
        self._kept[game.id] = (game, _Stamp(status.st_ino, status.st_mtime_ns, status.st_size))
