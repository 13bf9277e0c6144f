"""The newest export of a group kept in a folder, and beside it every earlier one."""

import os
from hashlib import sha256
from pathlib import Path

from ludometrics.boardgames.export_file import read_content
from ludometrics.provenance import write_bytes

_SHORT = 12


def keep_previous(new: str | os.PathLike[str], folder: str | os.PathLike[str]) -> Path | None:
    """Copy an export into a folder under its own name, and keep what had that name before.

    What was there goes on as ``NAME.HASH.json``, with the first digits of its SHA-256, before the new one takes its
    place; stopped at any moment, the folder has lost nothing, and a second call ends what the first began.

    Parameters
    ----------
    new : path
        The export, any file; it may lie in the folder already, and then stays.
    folder : path
        Made if need be.

    Returns
    -------
    Path or None
        The file that holds what was there before; None where there was nothing, or the same.

    Raises
    ------
    ValueError
        The export cannot be read, or the folder is a file.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     export, kept = Path(folder) / "export.json", Path(folder) / "kept"
    ...     for content in ("1", "1", "2"):
    ...         _ = export.write_text(content)
    ...         print(getattr(keep_previous(export, kept), "name", None))
    None
    None
    export.6b86b273ff34.json
    """
    new, folder = Path(new), Path(folder)
    content = read_content(new)
    if folder.exists() and not folder.is_dir():
        raise ValueError(f"{folder}: is a file: a folder for exports is wanted")
    current = folder / new.name
    if current.is_dir():
        raise ValueError(f"{current}: is a folder: the export's own name must be free there")
    if not current.exists():
        write_bytes(current, content)
        return None
    before = current.read_bytes()
    if before == content:  # also where `new` is the very file
        return None
    kept = _keep(before, current)
    write_bytes(current, content)
    return kept


def _keep(content: bytes, current: Path) -> Path:
    """Write a content under a name of its own, unless it is there."""
    digest = sha256(content).hexdigest()
    for length in (_SHORT, len(digest)):  # the whole hash where somebody changed the file of the short one
        kept = current.with_name(f"{current.stem}.{digest[:length]}{current.suffix}")
        if not kept.exists() or kept.read_bytes() == content:
            break
    if not kept.exists() or kept.read_bytes() != content:
        write_bytes(kept, content)
    return kept
