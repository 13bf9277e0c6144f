"""Who played which saved game, looked up in the daily files themselves."""

import os
from pathlib import Path

from ludometrics.gamelog.daily import kind_and_day
from ludometrics.gamelog.lock import FolderLock
from ludometrics.gamelog.names import fold_name
from ludometrics.gamelog.rows import parse_rows


def people_of(folder: str | os.PathLike[str], game_id: str, *, timeout_s: float = 10.0) -> frozenset[str]:
    """Find the players of a saved game, rated or not, by their keys.

    Parameters
    ----------
    folder : path
    game_id : str
        Letters and digits.
    timeout_s : float
        How long to wait for another program that holds the folder, seconds.

    Returns
    -------
    frozenset of str
        Empty where no game has this id. The newest files are searched first, and only one that holds the id is read as
        JSON, so that a million games take a fraction of a second.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     _ = Path(folder, "scores-2026-09-01.json").write_text(
    ...         '[{"black": "Ann", "white": "BOB", "winner": "w", "id": "9c2f"}]'
    ...     )
    ...     sorted(people_of(folder, "9c2f")), people_of(folder, "9c2")
    (['ann', 'bob'], frozenset())
    """
    needle = game_id.encode()
    with FolderLock(folder, timeout_s=timeout_s).shared():
        for path in _daily_files(folder):
            try:
                content = path.read_bytes()
            except OSError:
                continue
            if needle not in content:
                continue
            for row in _rows(content, path.name):
                if row.get("id") == game_id:
                    return _keys(row)
    return frozenset()


class UnratedNames:
    """Keys of all who stand in files of unrated games; each file is read again only when it has changed."""

    def __init__(self, folder: str | os.PathLike[str]) -> None:
        self._folder = folder
        self._known: dict[str, tuple[tuple[int, int, int], frozenset[str]]] = {}

    def __contains__(self, key: str) -> bool:
        """Tell whether somebody of this key stands in one of them."""
        known = {}
        for path in _daily_files(self._folder, "unrated"):
            try:
                status = path.stat()
                state = (status.st_ino, status.st_mtime_ns, status.st_size)
                before = self._known.get(path.name)
                known[path.name] = before if before and before[0] == state else (state, _names(path))
            except OSError:
                continue  # deleted meanwhile, or not to be read: the loader reports it
        self._known = known
        return any(key in keys for _, keys in known.values())


def _daily_files(folder: str | os.PathLike[str], *kinds: str) -> list[Path]:
    """Daily files, the newest first."""
    found = [(kind_and_day(path), path) for path in Path(folder).iterdir()]
    dated = [(at[1], path) for at, path in found if at and (not kinds or at[0] in kinds)]
    return [path for _, path in sorted(dated, reverse=True) if path.is_file() and not path.is_symlink()]


def _names(path: Path) -> frozenset[str]:
    return frozenset().union(*map(_keys, _rows(path.read_bytes(), path.name)))


def _rows(content: bytes, name: str) -> list[dict]:
    try:
        return parse_rows(content, name)
    except ValueError:
        return []  # the loader reports it


def _keys(row: dict) -> frozenset[str]:
    names = (row.get("black"), row.get("white"))
    return frozenset(fold_name(name) for name in names if isinstance(name, str))
