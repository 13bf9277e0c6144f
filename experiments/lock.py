"""Who runs the engine here: a lock that the operating system lets go when its holder dies.

Snakemake's own lock stays behind after a kill -9 and then stops every later run; whether its holder still lives
cannot be told from it. Each engine therefore also holds this one while it lives.
"""

from pathlib import Path

from filelock import FileLock, Timeout

ENGINE_LOCK = Path(".snakemake/engine.lock")


class EngineRunning(RuntimeError):
    """Another engine works in this folder."""


def hold_engine_lock() -> FileLock | None:
    """Hold the lock for as long as this process lives; None if another engine has it (Snakemake then decides)."""
    try:
        return _take()
    except EngineRunning:
        return None


def remove_stale_lock(unlock) -> bool:
    """Call ``unlock`` if an engine died here and left Snakemake's lock behind; say whether it was called.

    Raises EngineRunning if an engine lives: its lock is not stale.
    """
    own = _take()
    try:
        stale = any(Path(".snakemake/locks").glob("*.lock"))
        if stale:
            unlock()
        return stale
    finally:
        own.release()


def _take() -> FileLock:
    ENGINE_LOCK.parent.mkdir(exist_ok=True)
    lock = FileLock(ENGINE_LOCK)
    try:
        lock.acquire(timeout=0)
    except Timeout:
        raise EngineRunning(
            f"another run is at work in {Path.cwd()} (it holds {ENGINE_LOCK}); wait for it or end it first"
        ) from None
    return lock
