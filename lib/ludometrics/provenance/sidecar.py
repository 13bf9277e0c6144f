"""The JSON file beside each result: what made it, from what, and the hashes to check it by."""

import errno
import json
import os
import time
from collections.abc import Iterable, Mapping
from contextlib import suppress
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path
from typing import Any
from uuid import uuid4

from ludometrics.provenance.environment import describe_environment
from ludometrics.provenance.paths import root

_PROCESS_START = time.perf_counter()


def sidecar_path(path: str | Path) -> Path:
    """Name the sidecar of a result: the same name with the ending ``.json``.

    Examples
    --------
    >>> sidecar_path("results/study/summary.csv").name
    'summary.json'

    Source
    ------
    Own.
    """
    return Path(path).with_suffix(".json")


def file_sha256(path: str | Path) -> str:
    """Compute the SHA-256 of a file's bytes, in hexadecimal.

    Raises
    ------
    OSError
        The file cannot be read.

    Source
    ------
    Own.
    """
    digest = sha256()
    with open(path, "rb") as file:
        while block := file.read(1 << 20):
            digest.update(block)
    return digest.hexdigest()


def write_bytes(path: str | Path, content: bytes) -> Path:
    """Write a file so that at any moment it holds all of the content or what it held before.

    Parameters
    ----------
    path : str or Path
        Where to; its folder is made if need be. A file that is there keeps its permissions.
    content : bytes

    Returns
    -------
    Path
        The file written: under a temporary name in the same folder first, forced to the disk, then renamed, and
        the folder forced to the disk as well.

    Source
    ------
    Own.
    """
    path = Path(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    temporary = path.with_name(f".{path.name}.{uuid4().hex[:16]}.tmp")
    try:
        # Not by tempfile, whose files are for the owner alone: the folder's own rules hold.
        with open(temporary, "xb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        with suppress(FileNotFoundError):
            os.chmod(temporary, path.stat().st_mode & 0o777)
        os.replace(temporary, path)
    finally:
        temporary.unlink(missing_ok=True)
    sync_folder(path.parent)
    return path


def write_sidecar(
    path: str | Path,
    outputs: Iterable[str | Path],
    *,
    parameters: Mapping[str, Any] | None = None,
    inputs: Iterable[str | Path] = (),
    **more: Any,
) -> Path:
    """Write the sidecar of one result or of the several files of one figure.

    Parameters
    ----------
    path : str or Path
        The sidecar, ending in ``.json``.
    outputs : paths
        Files it vouches for, in the same folder; their SHA-256 is recorded by name.
    parameters : mapping, optional
        Parameters of the run as they were checked (`validate`), the seed among them.
    inputs : paths
        Files that were read; recorded relative to the repository's root where they lie in it.
    **more
        Further entries that JSON can hold, such as the key columns of a table.

    Returns
    -------
    Path

    Raises
    ------
    ValueError
        A parameter that JSON cannot hold: a NumPy number, a path, a number that is not finite.
    OSError
        An output or an input that cannot be read.

    Source
    ------
    Own.
    """
    hashes = {Path(output).name: file_sha256(output) for output in outputs}
    return write_bytes(path, compose_sidecar(hashes, parameters=parameters, inputs=inputs, **more))


def compose_sidecar(
    hashes: Mapping[str, str],
    *,
    parameters: Mapping[str, Any] | None = None,
    inputs: Iterable[str | Path] = (),
    **more: Any,
) -> bytes:
    """Compose the content of a sidecar before anything is written, so that a mistake in it leaves no file behind.

    Parameters
    ----------
    hashes : mapping
        SHA-256 of each output, by its name.
    parameters, inputs, **more
        See `write_sidecar`; so are the errors.

    Returns
    -------
    bytes

    Source
    ------
    Own.
    """
    parameters = dict(parameters or {})
    for name, value in parameters.items():
        _check_json(name, value)
    content = {
        "outputs": dict(hashes),
        "parameters": parameters,
        "seed": parameters.get("seed"),
        "inputs": {_relative(item): file_sha256(item) for item in inputs},
        **more,
        "written": datetime.now(UTC).isoformat(timespec="seconds"),
        "wall_seconds": round(time.perf_counter() - _PROCESS_START, 3),
        "environment": describe_environment(),
    }
    text = json.dumps(content, indent=2, ensure_ascii=False, allow_nan=False) + "\n"
    return text.encode("utf-8")


def read_sidecar(path: str | Path) -> dict[str, Any]:
    """Read a sidecar.

    Parameters
    ----------
    path : str or Path
        The result or its sidecar.

    Raises
    ------
    ValueError
        No such file, not JSON, or without the list of outputs.

    Source
    ------
    Own.
    """
    path = sidecar_path(path)
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise ValueError(f"{path}: no such sidecar") from None
    except (UnicodeDecodeError, json.JSONDecodeError) as error:
        raise ValueError(f"{path}: not a JSON file ({error})") from None
    if not isinstance(content, dict) or not isinstance(content.get("outputs"), dict):
        raise ValueError(f"{path}: not a sidecar (it lists no outputs)")
    for name in ("inputs", "environment"):
        if not isinstance(content.setdefault(name, {}), dict):
            raise ValueError(f"{path}: not a sidecar ({name!r} is no object)")
    return content


def sync_folder(folder: Path) -> None:
    """Force to the disk which files a folder holds, where the system can do that.

    Source
    ------
    Own.
    """
    if os.name != "posix":  # elsewhere a folder cannot be opened, and the rename is durable by itself
        return
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    except OSError as error:
        if error.errno not in (errno.EBADF, errno.EINVAL):  # some network drives cannot do it for a folder
            raise
    finally:
        os.close(handle)


def _check_json(name: str, value: Any) -> None:
    try:
        json.dumps(value, allow_nan=False)
    except (TypeError, ValueError):
        raise ValueError(
            f"parameter {name!r} is {value!r}: a sidecar holds text, finite numbers, bools and lists of Python's own"
        ) from None


def _relative(path: str | Path) -> str:
    path = Path(path).resolve()
    base = root().resolve()
    return path.relative_to(base).as_posix() if path.is_relative_to(base) else path.as_posix()
