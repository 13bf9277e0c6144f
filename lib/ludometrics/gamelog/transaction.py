"""Several files of a folder replaced or deleted as one: all of it or nothing, also when the process is killed.

New contents are written beside the folder's files first. Then a plan of what goes where is put in place: from that
moment the change is settled, and whoever takes the folder's lock next finishes it, if need be.
"""

import errno
import json
import os
import re
import shutil
import stat
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path, PurePosixPath
from typing import Any

from ludometrics.provenance.sidecar import sync_folder

#: Folder of a replacement in progress, and its plan.
TRANSACTION, PLAN = ".transaction", "plan.json"
#: What a killed `write_bytes` may leave of a file that is written under the folder's lock.
_TEMPORARY = re.compile(r"\.(scores|unrated)-[0-9-]{10}\.json\.[0-9a-f]{16}\.tmp")


def replace_files(folder: str | os.PathLike[str], contents: Mapping[str, bytes | None]) -> None:
    """Replace or delete files of a folder as one; the folder's lock must be held for it alone.

    Parameters
    ----------
    folder : path
    contents : mapping of str to bytes or None
        New content by name, relative to the folder with forward slashes, at most one folder deep; None deletes. A file
        that is there keeps its permissions and, where the system allows, its owner.

    Raises
    ------
    ValueError
        A name that leads out of the folder, or of what is no ordinary file. Nothing is written.
    OSError
        Nothing has been changed, unless the plan was in place: then the next holder of the lock finishes it.

    Source
    ------
    Own: redo logging.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     _ = Path(folder, "old").write_bytes(b"1")
    ...     replace_files(folder, {"old": None, "new": b"2"})
    ...     os.listdir(folder)
    ['new']
    """
    folder = Path(folder)
    targets = [_inside(folder, name) for name in contents]
    for target in targets:  # what would stop it half-way
        if target.parent.exists() and not os.access(target.parent, os.W_OK):
            raise PermissionError(errno.EACCES, "this folder may not be written", str(target.parent))
        if os.path.lexists(target) and not stat.S_ISREG(os.lstat(target).st_mode):
            raise ValueError(f"{target} is no file, and cannot be replaced by one")
    finish_pending(folder)
    if not contents:
        return
    room = folder / TRANSACTION
    room.mkdir(mode=0o700)
    plan = []
    for number, (name, target, content) in enumerate(zip(contents, targets, contents.values(), strict=True)):
        if content is not None:
            _write(room / str(number), content, like=target)
        plan.append({"name": name, "from": None if content is None else str(number)})
    _write(room / "plan.tmp", json.dumps(plan).encode())
    sync_folder(room)
    os.replace(room / "plan.tmp", room / PLAN)  # settled
    sync_folder(room)
    sync_folder(folder)
    finish_pending(folder)


def is_pending(folder: Path) -> bool:
    """Tell whether a replacement is settled but not finished."""
    return (folder / TRANSACTION / PLAN).exists()


def finish_pending(folder: Path) -> None:
    """Finish a replacement that was settled and clear away one that was not; the lock must be held alone.

    Raises
    ------
    ValueError
        A plan that cannot be read, or leads out of the folder.
    """
    for name in os.listdir(folder):
        if name.startswith(".") and _TEMPORARY.fullmatch(name):
            (folder / name).unlink(missing_ok=True)
    room = folder / TRANSACTION
    if not room.exists() and not room.is_symlink():
        return
    if is_pending(folder):
        steps = [(step["from"], _inside(folder, step["name"])) for step in _read_plan(room / PLAN)]
        for source, target in steps:
            if source is None:
                target.unlink(missing_ok=True)
                continue
            with suppress(FileNotFoundError):  # done before the process was killed
                target.parent.mkdir(exist_ok=True)
                os.replace(room / source, target)
        for parent in {target.parent for _, target in steps}:
            if parent.is_dir():
                sync_folder(parent)
        (room / PLAN).unlink()
        sync_folder(room)
    shutil.rmtree(room)
    sync_folder(folder)


def _read_plan(path: Path) -> list[dict[str, Any]]:
    try:
        plan = json.loads(path.read_bytes())
        good = isinstance(plan, list) and all(
            isinstance(step["name"], str) and (step["from"] is None or step["from"].isdecimal())
            for step in plan
        )
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        good = False
    if not good:
        raise ValueError(f"{path}: not a plan of this program; nothing was changed")
    return plan


def _inside(folder: Path, name: str) -> Path:
    parts = PurePosixPath(name).parts
    simple = 1 <= len(parts) <= 2 and all(part not in ("/", "..") for part in parts) and "\\" not in name
    if not simple or parts[0] == TRANSACTION or (len(parts) == 2 and (folder / parts[0]).is_symlink()):
        raise ValueError(f"name is {name!r}: it must be a file of the folder, at most one folder deep")
    return folder.joinpath(*parts)


def _write(path: Path, content: bytes, like: Path | None = None) -> None:
    with open(path, "xb") as file:
        file.write(content)
        if like is not None:
            with suppress(FileNotFoundError):
                status = like.stat()
                os.chmod(path, status.st_mode & 0o777)
                if hasattr(os, "chown"):
                    with suppress(PermissionError):
                        os.chown(path, status.st_uid, status.st_gid)
        file.flush()
        os.fsync(file.fileno())
