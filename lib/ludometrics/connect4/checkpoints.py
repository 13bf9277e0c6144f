"""A training run on the disk: everything it needs to go on, in one file that is whole or not there."""

import io
import json
import zipfile
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from ludometrics.provenance import write_bytes

__all__ = ["Checkpoint", "CheckpointError", "differing_settings", "load_checkpoint", "save_checkpoint"]

FORMAT = "ludometrics connect4 checkpoint"
VERSION = 1
_ABOUT = "about.json"
_KEYS = {"format", "version", "recipe", "seed", "step", "random_state", "more"}


class CheckpointError(ValueError):
    """A checkpoint that cannot be used: broken, foreign, or of another run."""


@dataclass(frozen=True, eq=False)
class Checkpoint:
    """A run at one moment.

    Attributes
    ----------
    recipe : Mapping
        Settings by name, plain values.
    seed : int
        Seed of the run.
    step : int
        Steps done.
    arrays : Mapping of str to array
        Weights, moments, boards, ring; every dtype but objects.
    random_state : Mapping
        State of the generators as plain values (arrays of it may stand among `arrays`).
    more : Mapping
        Further plain values, such as the seconds elapsed.
    """

    recipe: Mapping[str, Any]
    seed: int
    step: int
    arrays: Mapping[str, np.ndarray]
    random_state: Mapping[str, Any] = field(default_factory=dict)
    more: Mapping[str, Any] = field(default_factory=dict)


def save_checkpoint(path: str | Path, checkpoint: Checkpoint) -> Path:
    """Write a checkpoint; what was there is replaced at the very end, so a kill leaves one or the other.

    Parameters
    ----------
    path : str or Path
        An npz archive: an array each, and the rest as JSON text in ``about.json``. Nothing in it is ever pickled.
    checkpoint : Checkpoint

    Returns
    -------
    Path

    Raises
    ------
    CheckpointError
        An array of Python objects, a name that no array can have, or values that JSON cannot hold.

    Source
    ------
    Own.

    Examples
    --------
    >>> import tempfile
    >>> path = Path(tempfile.mkdtemp()) / "checkpoint.npz"
    >>> _ = save_checkpoint(path, Checkpoint({"batch": 8}, seed=1, step=200, arrays={"weights": np.zeros(3)}))
    >>> load_checkpoint(path, recipe={"batch": 8}, seed=1).step
    200
    """
    path = Path(path)
    about = {
        "format": FORMAT,
        "version": VERSION,
        "recipe": dict(checkpoint.recipe),
        "seed": checkpoint.seed,
        "step": checkpoint.step,
        "random_state": dict(checkpoint.random_state),
        "more": dict(checkpoint.more),
    }
    try:
        text = json.dumps(about, allow_nan=False, indent=1)
    except (TypeError, ValueError) as error:
        raise CheckpointError(
            f"{path}: a checkpoint's settings and states must be plain values ({error})"
        ) from None
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w") as archive:
        archive.writestr(zipfile.ZipInfo(_ABOUT), text)
        for name, array in checkpoint.arrays.items():
            array = np.asarray(array)
            if array.dtype.hasobject or not name.isidentifier():
                raise CheckpointError(f"{path}: array {name!r} of {array.dtype} cannot stand in a checkpoint")
            with archive.open(zipfile.ZipInfo(f"{name}.npy"), "w", force_zip64=True) as member:
                np.lib.format.write_array(
                    member, np.ascontiguousarray(array).reshape(array.shape), allow_pickle=False
                )
    return write_bytes(path, content.getvalue())


def load_checkpoint(
    path: str | Path,
    *,
    recipe: Mapping[str, Any] | None = None,
    seed: int | None = None,
    free: Collection[str] = (),
) -> Checkpoint:
    """Read a checkpoint.

    Parameters
    ----------
    path : str or Path
        What `save_checkpoint` wrote.
    recipe : Mapping, optional
        Settings of the run that is to go on: the checkpoint's must be the same.
    seed : int, optional
        Its seed: must be the same too.
    free : names, optional
        Settings that may differ, such as the number of steps.

    Returns
    -------
    Checkpoint

    Raises
    ------
    CheckpointError
        No such file, broken, foreign, or of another recipe or seed: each setting that differs is named.

    Source
    ------
    Own.
    """
    path = Path(path)
    try:
        with zipfile.ZipFile(path) as archive:
            about = _read_about(archive, path)
            arrays = {
                info.filename.removesuffix(".npy"): _read_array(archive, info, path)
                for info in archive.infolist()
                if info.filename != _ABOUT
            }
    except FileNotFoundError:
        raise CheckpointError(f"{path}: no such checkpoint") from None
    except (zipfile.BadZipFile, EOFError, NotImplementedError, RuntimeError, OSError) as error:
        raise CheckpointError(f"{path}: broken, or not a checkpoint ({error})") from None
    if recipe is not None:
        differing = differing_settings(about["recipe"], recipe, free=free)
        if differing:
            raise CheckpointError(f"{path} is of another recipe: {'; '.join(differing)}")
    if seed is not None and seed != about["seed"]:
        raise CheckpointError(f"{path} is of another run: its seed is {about['seed']}, asked for is {seed}")
    return Checkpoint(
        about["recipe"], about["seed"], about["step"], arrays, about["random_state"], about["more"]
    )


def differing_settings(
    saved: Mapping[str, Any], wanted: Mapping[str, Any], *, free: Collection[str] = ()
) -> list[str]:
    """Name the settings that differ, in words.

    Examples
    --------
    >>> differing_settings({"batch": 8, "tau": 0.15}, {"batch": 9, "tau": 0.15})
    ['batch is 8 in the checkpoint, asked for is 9']
    """
    wanted = json.loads(json.dumps(dict(wanted)))  # as the file holds them: tuples are lists
    found = []
    for name in dict.fromkeys((*saved, *wanted)):
        if name in free:
            continue
        if name not in wanted:
            found.append(
                f"{name} is {saved[name]!r} in the checkpoint, the recipe asked for does not know it"
            )
        elif name not in saved:
            found.append(f"{name} is not in the checkpoint, asked for is {wanted[name]!r}")
        elif saved[name] != wanted[name]:
            found.append(f"{name} is {saved[name]!r} in the checkpoint, asked for is {wanted[name]!r}")
    return found


def _read_about(archive: zipfile.ZipFile, path: Path) -> dict[str, Any]:
    if _ABOUT not in archive.namelist():
        raise CheckpointError(f"{path}: not a checkpoint ({_ABOUT} is missing)")
    if archive.getinfo(_ABOUT).file_size > 1 << 24:
        raise CheckpointError(f"{path}: not a checkpoint ({_ABOUT} is larger than 16 MB)")
    try:
        about = json.loads(archive.read(_ABOUT))
    except (UnicodeDecodeError, json.JSONDecodeError, RecursionError) as error:
        raise CheckpointError(f"{path}: {_ABOUT} is not JSON ({error})") from None
    if not isinstance(about, dict) or about.get("format") != FORMAT:
        raise CheckpointError(f"{path}: not a checkpoint (its format is not {FORMAT!r})")
    if about.get("version") != VERSION:
        raise CheckpointError(
            f"{path}: version {about.get('version')!r}; this library reads version {VERSION}"
        )
    missing = sorted(_KEYS - set(about))
    if missing:
        raise CheckpointError(f"{path}: {_ABOUT} lacks {missing[0]!r}")
    for name in ("seed", "step"):
        if type(about[name]) is not int or about[name] < 0:
            raise CheckpointError(f"{path}: {name} is {about[name]!r}: a whole number from 0 is wanted")
    for name in ("recipe", "random_state", "more"):
        if not isinstance(about[name], dict):
            raise CheckpointError(f"{path}: {name} is {about[name]!r}: values by name are wanted")
    return about


def _read_array(archive: zipfile.ZipFile, info: zipfile.ZipInfo, path: Path) -> np.ndarray:
    """Read one array; its header is held against the size of the member before memory is taken for it."""
    try:
        if not info.filename.endswith(".npy"):
            raise ValueError("not an array")
        if info.compress_type != zipfile.ZIP_STORED or info.file_size > path.stat().st_size:
            raise ValueError("compressed, or larger than the file")
        content = io.BytesIO(archive.read(info))
        version = np.lib.format.read_magic(content)
        if version != (1, 0):
            raise ValueError(f"npy version {version}")
        shape, _, dtype = np.lib.format.read_array_header_1_0(content)
        if dtype.hasobject:
            raise ValueError("holds Python objects")
        wanted = int(np.prod([int(length) for length in shape], dtype=object)) * dtype.itemsize
        if min(shape, default=0) < 0 or wanted != info.file_size - content.tell():
            raise ValueError(
                f"its header asks for {wanted} bytes, {info.file_size - content.tell()} are there"
            )
        content.seek(0)
        return np.lib.format.read_array(content, allow_pickle=False)
    except zipfile.BadZipFile:
        raise
    except ValueError as error:
        raise CheckpointError(f"{path}: {info.filename} cannot be read ({error})") from None
