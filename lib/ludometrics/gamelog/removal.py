"""What forgetting and expiry have in common: locks, one transaction, the audit, exports."""

import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from filelock import Timeout

from ludometrics.gamelog.audit import add_entry
from ludometrics.gamelog.exports import Remaking, finish_remaking
from ludometrics.gamelog.lock import FolderBusyError, FolderLock, file_lock
from ludometrics.gamelog.places import AUDIT, LEDGER
from ludometrics.gamelog.transaction import replace_files


class ExportsDone(NamedTuple):
    """What became of the registered exports.

    Attributes
    ----------
    remade, deleted : tuple of str
        Paths: made anew from the games that are left, or deleted because none of their games is.
    failed : tuple of (str, str)
        Paths of those that could not be remade, and why: to be done by hand.
    """

    remade: tuple[str, ...] = ()
    deleted: tuple[str, ...] = ()
    failed: tuple[tuple[str, str], ...] = ()


NO_EXPORTS = ExportsDone()


@contextmanager
def held_alone(folder: str | os.PathLike[str], *, timeout_s: float) -> Iterator[None]:
    """Keep everybody else off the games of a folder and off its ledger.

    Raises
    ------
    FileNotFoundError
        No such folder.
    FolderBusyError
        Others held it all the time.
    """
    with FolderLock(folder, timeout_s=timeout_s).exclusive():
        if not (Path(folder) / LEDGER).exists():
            yield
            return
        lock = file_lock(Path(folder) / LEDGER, timeout_s=timeout_s)
        try:
            lock.acquire(poll_interval=0.01)
        except Timeout:
            raise FolderBusyError(
                f"{Path(folder) / LEDGER}: another program held it for {timeout_s:g} s; try again"
            ) from None
        try:
            yield
        finally:
            lock.release()


def commit(
    folder: str | os.PathLike[str],
    contents: Mapping[str, bytes | None],
    plan: Remaking,
    *,
    entry: bytes | None,
    audit: bytes | None = None,
) -> None:
    """Change the files of a folder as one, with the exports and the audit; the locks must be held.

    Parameters
    ----------
    folder : path
    contents : mapping of str to bytes or None
        As of `replace_files`.
    plan : Remaking
        Exports that lie elsewhere are written afterwards.
    entry : bytes, optional
        Line for the audit.
    audit : bytes, optional
        Content of the audit before it, where that changes too.
    """
    changes = dict(contents) | plan.contents
    if entry is not None:
        path = Path(folder) / AUDIT
        before = audit if audit is not None else path.read_bytes() if path.exists() else b""
        changes[AUDIT] = add_entry(before, entry)
    elif audit is not None:
        changes[AUDIT] = audit
    replace_files(folder, changes)
    finish_remaking(folder, plan)


def exports_done(plan: Remaking) -> ExportsDone:
    """What became, or would become, of the exports of a plan."""
    return ExportsDone(tuple(plan.remade), tuple(plan.deleted), tuple(plan.failed))
