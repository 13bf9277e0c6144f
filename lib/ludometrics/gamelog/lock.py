"""One lock file for a folder of games: alone to write, together to read."""

import errno
import inspect
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from filelock import FileLock

from ludometrics.gamelog.transaction import finish_pending, is_pending

#: Name of the lock file. It is never deleted: a lock on a file that is gone keeps nobody out.
LOCK_FILE = ".games.lock"
_POLL_S = 0.005
# Some versions of filelock delete the lock file on release unless asked not to; those that cannot be asked are left
# to their own checks that the file they locked is still the one in the folder.
_KEEP = {"preserve_lock_file": True} if "preserve_lock_file" in inspect.signature(FileLock).parameters else {}


class FolderBusyError(TimeoutError):
    """Another process held the folder all the time."""


def file_lock(path: str | os.PathLike[str], *, timeout_s: float) -> FileLock:
    """Give the lock of one file, alone for its holder: a file beside it, ``NAME.lock``, that is never deleted.

    Parameters
    ----------
    path : path
        Of the file that is locked.
    timeout_s : float
        How long to wait, seconds.

    Returns
    -------
    filelock.FileLock
        Not yet held.
    """
    path = Path(path)
    return FileLock(path.with_name(f"{path.name}.lock"), timeout=timeout_s, **_KEEP)


class FolderLock:
    """The lock of a folder of games.

    Whoever takes it first finishes a replacement of files that a killed process had settled on
    (`ludometrics.gamelog.transaction`). It also keeps threads of one process apart; a thread must not take it twice.

    Parameters
    ----------
    folder : path
        Must exist.
    timeout_s : float
        How long to wait, seconds.

    Raises
    ------
    FileNotFoundError
        No such folder.

    Source
    ------
    Own, on portalocker.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     with FolderLock(folder).shared(), FolderLock(folder).shared():
    ...         print(*os.listdir(folder))
    .games.lock
    """

    def __init__(self, folder: str | os.PathLike[str], *, timeout_s: float = 10.0) -> None:
        self.folder, self.timeout_s = Path(folder), timeout_s
        if not self.folder.is_dir():
            raise FileNotFoundError(errno.ENOENT, "no such folder of games", str(self.folder))

    @contextmanager
    def exclusive(self) -> Iterator[None]:
        """Keep everybody else out.

        Raises
        ------
        FolderBusyError
            Others held the folder all the time.
        """
        with self._held(alone=True):
            finish_pending(self.folder)
            yield

    @contextmanager
    def shared(self) -> Iterator[None]:
        """Keep writers out; raises as `exclusive`.

        In a folder where nothing may be written and no lock was ever taken there are no writers to keep out.
        """
        if not (self.folder / LOCK_FILE).exists() and not os.access(self.folder, os.W_OK):
            yield
            return
        while True:
            with self._held(alone=False):
                if not is_pending(self.folder):
                    yield
                    return
            with self.exclusive():  # finishes what is pending
                pass

    @contextmanager
    def _held(self, *, alone: bool) -> Iterator[None]:
        # Here and not above: games can be read and rated where the package is missing, as on a fresh Colab.
        import portalocker

        path = self.folder / LOCK_FILE
        lock = portalocker.Lock(
            path,
            mode="r" if path.exists() and not os.access(path, os.W_OK) else "a",
            timeout=self.timeout_s,
            check_interval=_POLL_S,
            flags=(portalocker.LOCK_EX if alone else portalocker.LOCK_SH) | portalocker.LOCK_NB,
        )
        try:
            lock.acquire()
        except portalocker.AlreadyLocked as error:
            raise FolderBusyError(
                f"{self.folder}: another program held this folder for {self.timeout_s:g} s; try again"
            ) from error
        except portalocker.LockException as error:
            raise OSError(
                errno.ENOLCK, f"this folder cannot be locked ({error})", str(self.folder)
            ) from error
        try:
            yield
        finally:
            lock.release()
