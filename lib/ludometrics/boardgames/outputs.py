"""Files of one run, written together: every content is on the disk before the first old file is replaced."""

import os
from collections.abc import Iterable, Mapping
from contextlib import suppress
from pathlib import Path
from uuid import uuid4

from ludometrics.provenance.sidecar import sync_folder


def write_together(contents: Mapping[Path, bytes]) -> list[Path]:
    """Write files so that what can go wrong goes wrong before any of them is touched.

    Parameters
    ----------
    contents : mapping of Path to bytes
        New content by path; folders are made if need be. A file that is there keeps its permissions.

    Returns
    -------
    list of Path
        In the order given.

    Raises
    ------
    ValueError
        A path is a folder, or a link that would be written through.
    OSError
        A file cannot be written, and it is named; those that were there are as they were.

    Source
    ------
    Own.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     _ = write_together({Path(folder, "a"): b"1", Path(folder, "b"): b"2"})
    ...     sorted(os.listdir(folder))
    ['a', 'b']
    """
    for path in contents:
        check_target(path)
    made = [_make_folder(path.parent) for path in contents]
    staged: dict[Path, Path] = {}
    path = next(iter(contents), Path())
    try:
        for path, content in contents.items():
            staged[path] = path.with_name(f".{path.name}.{uuid4().hex[:16]}.tmp")
            with open(staged[path], "xb") as file:
                file.write(content)
                file.flush()
                os.fsync(file.fileno())
            with suppress(FileNotFoundError):
                os.chmod(staged[path], path.stat().st_mode & 0o777)
        for path in contents:
            os.replace(staged[path], path)
    except BaseException as error:
        for temporary in staged.values():
            temporary.unlink(missing_ok=True)
        for folder in (folder for folders in reversed(made) for folder in reversed(folders)):
            with suppress(OSError):  # somebody else may have put something there
                folder.rmdir()
        if isinstance(error, OSError) and error.errno is not None:  # which knows the temporary name, or none
            raise OSError(error.errno, error.strerror, str(path)) from error
        raise
    for folder in {path.parent for path in contents}:
        sync_folder(folder)
    return list(contents)


def check_target(path: Path) -> None:
    """Refuse a path at which no file can be put."""
    if path.is_symlink():
        raise ValueError(f"{path}: is a link to another place: name the place itself")
    if path.is_dir():
        raise ValueError(f"{path}: is a folder: a file is to be written there")


def publication_target(folder: Path, name: str) -> Path:
    """Where a payload is published: a file of its own directly in a site's folder.

    Parameters
    ----------
    folder : Path
        Must be there: a slip of typing makes no new one.
    name : str
        Plain name that ends in .json.

    Raises
    ------
    ValueError
        No such folder, or a name that leads out of it.

    Examples
    --------
    >>> publication_target(Path(), "../group.json")
    Traceback (most recent call last):
    ...
    ValueError: name to publish under is '../group.json': a plain file name that ends in .json is needed
    """
    plain = name == Path(name).name and not any(sign in name for sign in ("/", "\\", "\0", ":"))
    if not plain or name.startswith(".") or not name.endswith(".json"):
        raise ValueError(f"name to publish under is {name!r}: a plain file name that ends in .json is needed")
    if not folder.is_dir():
        raise ValueError(f"{folder}: is no folder: the site's folder must be there to publish into")
    check_target(folder / name)
    return folder / name


def check_apart(outputs: Iterable[Path], inputs: Iterable[Path]) -> None:
    """Refuse to write over a file that is read.

    Raises
    ------
    ValueError
        Naming the file.
    """
    outputs = list(outputs)
    for source in inputs:
        for target in outputs:
            if _same(source, target):
                raise ValueError(
                    f"{target}: is read, and would be written over: choose another folder for --out"
                )


def _same(one: Path, other: Path) -> bool:
    if os.path.realpath(one) == os.path.realpath(other):
        return True
    return one.exists() and other.exists() and one.samefile(other)


def _make_folder(folder: Path) -> list[Path]:
    """Make a folder and give those that were made, outermost first."""
    missing = [own for own in (folder, *folder.parents) if not own.exists()][::-1]
    folder.mkdir(parents=True, exist_ok=True)
    return missing
