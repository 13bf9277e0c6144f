"""Ratings kept in a file, to be carried on from later as if there had been no break."""

import json
import zipfile
import zlib
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, fields
from functools import cached_property
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from ludometrics.provenance.sidecar import write_bytes
from ludometrics.ratings.name_index import as_names, kind_of
from ludometrics.ratings.systems import SYSTEMS, System, find_system

_ZIP_ERRORS = (zipfile.BadZipFile, zlib.error)
FORMAT, VERSION = "ludometrics rating state", 1
_HEADER, _NAMES, _ENDS, _FIELD = "header", "names", "name_ends", "record."


@dataclass(frozen=True)
class RatingState:
    """Where a rating system stands: what is needed to carry on.

    Attributes
    ----------
    system : str
        Key of `systems.SYSTEMS`.
    settings
        The system's settings.
    names : pyarrow.Array, length m
        Name of each player index: text, or whole numbers.
    record
        The system's record, without games.
    last_time : float or None
        Day of the last game; None where games had no times.
    """

    system: str
    settings: Any
    names: pa.Array
    record: Any
    last_time: float | None = None

    @cached_property
    def players(self) -> tuple[Hashable, ...]:
        """Names as Python objects, made when they are first asked for."""
        return tuple(self.names.to_pylist())


def find_carried(name: str) -> System:
    """Find a rating system that can be carried on, by its name.

    Raises
    ------
    ValueError
        Naming the systems there are.

    Source
    ------
    Own.

    Examples
    --------
    >>> find_carried("elo").settings().start
    1200.0
    >>> find_carried("whr")
    Traceback (most recent call last):
    ...
    ValueError: rating system 'whr' looks at the whole log and cannot be carried on: ...
    """
    chosen = find_system(name)
    if "state" not in chosen.takes:
        others = ", ".join(system.name for system in SYSTEMS.values() if "state" in system.takes)
        raise ValueError(
            f"rating system {name!r} looks at the whole log and cannot be carried on: those that can are {others}"
        )
    return chosen


def without_games(record: Any, settings: Any, system: str) -> Any:
    """Copy a record without what it holds of single games (the forecasts): players and what was learned stay.

    Examples
    --------
    >>> from ludometrics.ratings import elo
    >>> record = elo.replay([[0, 1]], [1])
    >>> bare = without_games(record, elo.EloSettings(), "elo")
    >>> bare.ratings.tolist(), bare.forecasts.size
    ([1216.0, 1184.0], 0)
    """
    # A replay of no games: whatever a system keeps for each game, its author need not tell us which fields these are.
    none = np.empty((0, 2), dtype=np.int64)
    return find_carried(system).replay(
        none, np.empty(0), settings=settings, n_players=len(record.ratings), state=record
    )


def save_state(
    path: str | Path,
    players: Sequence[Hashable] | pa.Array,
    record: Any,
    settings: Any = None,
    system: str = "elo",
    *,
    last_time: float | None = None,
) -> Path:
    """Save where a rating system stands, in one plain file that runs nothing when it is loaded.

    Parameters
    ----------
    path : str or Path
        Ends in .npz; appears whole or not at all, and replaces what is there.
    players : sequence, length m
        Names: all text, or all whole numbers.
    record
        Record of a replay, such as `elo.EloRecord`. What it holds of single games is not saved.
    settings : optional
        Settings of the replay; without them the system's defaults.
    system : str
        Key of `systems.SYSTEMS`; one that can be carried on.
    last_time : float, optional
        Day of the last game, before which those of the next log may not fall.

    Returns
    -------
    Path

    Raises
    ------
    ValueError
        Names of other types or of another number than the record's players, a record or settings of another system.
        Nothing is written then.

    Source
    ------
    Own. A zip file of plain arrays (NumPy's .npz); names as UTF-8 bytes and where each ends; settings as JSON.

    Examples
    --------
    >>> import tempfile
    >>> from ludometrics.ratings import elo
    >>> record = elo.replay([[0, 1]], [1])
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = save_state(f"{folder}/club.npz", ["Ann", "Bob"], record)
    ...     state = load_state(path)
    >>> state.players, state.record.ratings.tolist()
    (('Ann', 'Bob'), [1216.0, 1184.0])
    """
    path = Path(path)
    if path.suffix != ".npz":
        raise ValueError(f"{path}: the name of a saved state must end in .npz")
    chosen = find_carried(system)
    settings = chosen.settings() if settings is None else settings
    for what, value, wanted in (("record", record, chosen.record), ("settings", settings, chosen.settings)):
        if not isinstance(value, wanted):
            raise ValueError(f"{what} is {type(value).__name__}: {system} has {wanted.__name__}")
    names = as_names(players)
    if len(names) != len(record.ratings):
        raise ValueError(f"{len(names)} players, but the record has {len(record.ratings)}")
    if names.null_count or len(names.unique()) < len(names):
        raise ValueError("a name is missing among the players, or stands there twice")
    bare = without_games(record, settings, system)
    values = {field.name: getattr(bare, field.name) for field in fields(bare)}
    arrays = {name: value for name, value in values.items() if isinstance(value, np.ndarray)}
    header = {
        "format": FORMAT,
        "version": VERSION,
        "system": system,
        "settings": {field.name: _plain(getattr(settings, field.name)) for field in fields(settings)},
        "scalars": {name: _plain(value) for name, value in values.items() if name not in arrays},
        "names": kind_of(names.type),
        "last_time": _plain(last_time),
    }
    content = BytesIO()
    np.savez(
        content,
        **{_HEADER: np.frombuffer(json.dumps(header).encode(), dtype=np.uint8)},
        **_name_arrays(names),
        **{_FIELD + name: array for name, array in arrays.items()},
    )
    # A copy: a view of the buffer in the traceback of a failed write crashes the garbage collector of Python 3.12.1.
    return write_bytes(path, content.getvalue())


def load_state(path: str | Path, *, system: str | None = None) -> RatingState:
    """Load what `save_state` wrote.

    Parameters
    ----------
    path : str or Path
    system : str, optional
        The system that it must be of.

    Returns
    -------
    RatingState

    Raises
    ------
    ValueError
        No such file, another kind of file, one that is cut off or damaged, one of another version, of another system,
        or of a system whose settings or record have changed since.
    """
    path = Path(path)
    arrays = _read(path)
    header = _header(path, arrays)
    try:
        chosen = find_carried(header["system"])
        if system not in (None, chosen.name):
            raise ValueError(f"it is of {chosen.name}, not of {system}")
        settings = _build(chosen.settings, {k: _tuples(v) for k, v in header["settings"].items()})
        names, last_time = _names(header["names"], arrays), header["last_time"]
        found = {
            name.removeprefix(_FIELD): array for name, array in arrays.items() if name.startswith(_FIELD)
        }
        for name, array in found.items():
            if array.dtype.kind not in "fiub" or array.ndim == 0 or len(array) not in (0, len(names)):
                raise ValueError(f"{name} is {array.dtype} of shape {array.shape}, for {len(names)} players")
        record = _build(chosen.record, {**found, **header["scalars"]})
        if len(record.ratings) != len(names):
            raise ValueError(f"{len(names)} players, but {len(record.ratings)} ratings")
    except (KeyError, TypeError, AttributeError, ValueError, pa.ArrowException) as error:
        raise ValueError(f"{path}: a saved state that cannot be used: {error}") from error
    return RatingState(chosen.name, settings, names, record, last_time)


def _read(path: Path) -> dict[str, NDArray]:
    try:
        with np.load(path, allow_pickle=False) as file:
            return {name: file[name] for name in file.files}
    except FileNotFoundError:
        raise ValueError(f"{path}: there is no such file") from None
    # A file of one array has no `with`. A zip file has a check sum for each member; RuntimeError stands for those that
    # ask for a password or another compression.
    except (OSError, EOFError, ValueError, TypeError, AttributeError, RuntimeError, *_ZIP_ERRORS) as error:
        raise ValueError(f"{path}: not a saved state, or one that is cut off or damaged ({error})") from error


def _header(path: Path, arrays: Mapping[str, NDArray]) -> dict[str, Any]:
    try:
        header = json.loads(arrays[_HEADER].tobytes())
        kind, version = header["format"], header["version"]
    except (KeyError, TypeError, ValueError) as error:
        raise ValueError(f"{path}: not a saved state ({error!r})") from error
    if kind != FORMAT:
        raise ValueError(f"{path}: not a saved state, but {kind!r}")
    if version != VERSION:
        raise ValueError(f"{path}: a saved state of version {version}: this library reads version {VERSION}")
    return header


def _build(kind: type, values: Mapping[str, Any]) -> Any:
    """Make settings or a record, if the names are those that it has."""
    wanted = {field.name for field in fields(kind)}
    if wanted != set(values):
        raise ValueError(
            f"{kind.__name__} has {', '.join(sorted(wanted))}, the file {', '.join(sorted(values))}"
        )
    return kind(**values)


def _name_arrays(names: pa.Array) -> dict[str, NDArray]:
    if kind_of(names.type) == "integers":
        return {_NAMES: names.cast(pa.int64()).to_numpy()}
    texts = pa.concat_arrays([names.cast(pa.large_string())])
    _, ends, content = texts.buffers()
    ends = (
        np.frombuffer(ends, dtype=np.int64)[texts.offset : texts.offset + len(texts) + 1]
        if len(texts)
        else [0]
    )
    content = np.frombuffer(content, dtype=np.uint8) if content else np.empty(0, dtype=np.uint8)
    return {_NAMES: content[ends[0] : ends[-1]], _ENDS: np.asarray(ends, dtype=np.int64) - ends[0]}


def _names(kind: str, arrays: Mapping[str, NDArray]) -> pa.Array:
    if kind == "integers":
        return pa.array(arrays[_NAMES], type=pa.int64())
    ends, content = arrays[_ENDS].astype(np.int64), arrays[_NAMES].astype(np.uint8)
    if len(ends) == 0 or ends[0] != 0 or ends[-1] != len(content):
        raise ValueError("the ends of the names are not those of their bytes")
    names = pa.LargeStringArray.from_buffers(len(ends) - 1, pa.py_buffer(ends), pa.py_buffer(content))
    names.validate(full=True)
    return names


def _plain(value: Any) -> Any:
    """The same value in what JSON holds; Python writes each float with all digits that it needs."""
    if isinstance(value, np.generic):
        return value.item()
    return [_plain(item) for item in value] if isinstance(value, tuple | list) else value


def _tuples(value: Any) -> Any:
    return tuple(_tuples(item) for item in value) if isinstance(value, list) else value
