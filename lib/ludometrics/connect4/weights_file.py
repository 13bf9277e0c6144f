"""Networks in files: plain arrays in an npz, never a pickle; and weights in the layout of the published recipe.

A file holds three arrays: `header` (UTF-8 JSON: what this is, the format's version, the hash of the patterns, the
number of states a side, where the weights come from), `patterns` (P, L) int8 and `weights` (2, states) float32 or
float16. The same network gives the same bytes.
"""

import io
import json
import math
import zipfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np

from ludometrics.connect4.bitboard import COLUMNS, ROWS, STRIDE
from ludometrics.connect4.network import ValueNetwork
from ludometrics.connect4.patterns import check_patterns, pattern_hash
from ludometrics.connect4.realisable import index_patterns
from ludometrics.provenance import write_bytes

__all__ = ["FORMAT_VERSION", "load_network", "read_published", "save_network"]

FORMAT = "ludometrics connect4 network"
FORMAT_VERSION = 1  # goes up when the layout changes, or the order in which states are numbered
MOST_PATTERNS = 10_000
MOST_ENTRIES = 1 << 28  # of a published table: 1 GiB, ten times the usual size
# Bytes that a part may unpack to: a file cannot make the reader take all memory.
LIMITS = {"header": 1 << 20, "patterns": 1 << 20, "weights": 1 << 30}


def save_network(path: str | Path, network: ValueNetwork, *, half: bool = False) -> Path:
    """Write a network to a file, all of it or nothing.

    Parameters
    ----------
    path : str or Path
        Where to; by custom `.npz`.
    network : ValueNetwork
        Its `about` has to consist of what JSON holds: text, finite numbers, truth values, lists, None, and mappings
        with text as keys.
    half : bool, optional
        Write float16: half the size, each weight to three digits. What is read back is float32 all the same.

    Returns
    -------
    Path
        The file written.

    Raises
    ------
    ValueError
        Weights that are not finite, or too large for float16; an `about` that JSON cannot hold.

    Source
    ------
    Own.
    """
    path = Path(path)
    with np.errstate(over="ignore"):  # said below, with the weight
        weights = network.weights.astype(np.float16 if half else np.float32)
    _refuse_not_finite(path, weights, f"weights of {weights.dtype} have to be finite")
    header = {
        "format": FORMAT,
        "version": FORMAT_VERSION,
        "pattern_hash": pattern_hash(network.indexing.patterns),
        "states": network.indexing.states,
        "about": dict(network.about),
    }
    try:
        text = json.dumps(header, ensure_ascii=False, allow_nan=False).encode()
    except (TypeError, ValueError, RecursionError) as error:
        raise ValueError(f"{path}: `about` of the network cannot be written as JSON ({error})") from error
    if json.loads(text) != header:
        raise ValueError(
            f"{path}: `about` of the network has keys other than text, or tuples: JSON changes them"
        )
    if len(text) > LIMITS["header"] - 1024:
        raise ValueError(f"{path}: `about` of the network takes {len(text):,} bytes: at most about 1,000,000")
    content = io.BytesIO()
    np.savez(
        content,
        header=np.frombuffer(text, dtype=np.uint8),
        patterns=network.indexing.patterns,
        weights=weights,
    )
    return write_bytes(path, content.getvalue())


def load_network(path: str | Path) -> ValueNetwork:
    """Read a network that `save_network` wrote.

    Parameters
    ----------
    path : str or Path
        File. It may come from anybody: nothing in it is run, and sizes are checked before memory is taken.

    Returns
    -------
    ValueNetwork
        As saved (float16 weights widened).

    Raises
    ------
    ValueError
        Broken, cut off, no file of this kind, another version, patterns that do not fit their hash, weights that do
        not fit the patterns or are not finite: the file and what is wrong are named.
    OSError
        No such file, or it may not be read.

    Source
    ------
    Own.
    """
    path = Path(path)
    parts = _read_parts(path)
    header = _read_header(path, parts["header"])
    patterns = _read_array(path, "patterns", parts["patterns"])
    if patterns.ndim == 2 and not 1 <= len(patterns) <= MOST_PATTERNS:
        raise ValueError(f"{path}: {len(patterns):,} patterns: allowed are 1 to {MOST_PATTERNS:,}")
    try:
        indexing = index_patterns(patterns)
    except ValueError as error:
        raise ValueError(f"{path}: {error}") from error
    found = pattern_hash(patterns)
    if header["pattern_hash"] != found:
        raise ValueError(
            f"{path}: the patterns have hash {found}, the header says {header['pattern_hash']!r}:"
            " patterns and weights do not belong together"
        )
    weights = _read_array(path, "weights", parts["weights"])
    wanted = (2, indexing.states)
    if weights.shape != wanted or weights.dtype not in (np.float32, np.float16):
        raise ValueError(
            f"{path}: weights have shape {weights.shape} and type {weights.dtype}:"
            f" these patterns have {wanted} of float32 or float16"
        )
    _refuse_not_finite(path, weights, "weights have to be finite")
    return ValueNetwork(indexing, weights.astype(np.float32), header["about"])


@contextmanager
def _refusing(message: str) -> Iterator[None]:
    """Turn whatever a reader of broken bytes may raise (it is no one kind) into one ValueError."""
    try:
        yield
    except Exception as error:
        first = (str(error).splitlines() or [type(error).__name__])[0]
        raise ValueError(f"{message} ({first})") from error


def _read_parts(path: Path) -> dict[str, bytes]:
    """Unpack the three arrays of an npz as bytes, each up to its limit."""
    kind = "no file that save_network wrote"
    broken = f"{path}: {kind}, or it is damaged or cut off"
    content = _read_bytes(path)
    with _refusing(broken):
        archive = zipfile.ZipFile(io.BytesIO(content))
        sizes = [(info.filename, info.file_size) for info in archive.infolist()]
    names = sorted(name for name, _ in sizes)
    if names != sorted(f"{part}.npy" for part in LIMITS):
        shown = ", ".join(map(ascii, names[:5])) + (", ..." if len(names) > 5 else "")
        raise ValueError(f"{path}: {kind}: holds {shown or 'nothing'}, not header, patterns and weights")
    for name, size in sizes:
        part = name.removesuffix(".npy")
        if size > LIMITS[part]:
            raise ValueError(f"{path}: {part} takes {size:,} bytes: allowed are {LIMITS[part]:,}")
    with _refusing(broken):
        return {part: archive.read(f"{part}.npy") for part in LIMITS}


def _read_bytes(path: Path) -> bytes:
    # Read whole: damaged zips make their readers seek to places that files on disk answer with an OSError.
    size, most = path.stat().st_size, 2 * LIMITS["weights"]
    if size > most:
        raise ValueError(f"{path}: takes {size:,} bytes: a file of weights has at most {most:,}")
    return path.read_bytes()


def _read_array(path: Path, part: str, content: bytes) -> np.ndarray:
    """Read one array; its size is checked against what is there, and objects (pickles) are refused unread."""
    stream = io.BytesIO(content)
    with _refusing(f"{path}: {part} is no plain array"):
        version = np.lib.format.read_magic(stream)
        if version not in ((1, 0), (2, 0)):
            raise ValueError(f"npy format {version[0]}.{version[1]} is not known")
        read_head = getattr(np.lib.format, f"read_array_header_{version[0]}_0")
        shape, fortran, dtype = read_head(stream)
    if dtype.hasobject or dtype.kind not in "iuf":
        raise ValueError(f"{path}: {part} holds {dtype}: only whole numbers and floats are read")
    there = len(content) - stream.tell()
    if min(shape, default=0) < 0 or math.prod(shape) * dtype.itemsize != there:
        raise ValueError(
            f"{path}: {part} is said to have shape {shape} of {dtype}, but holds {there:,} bytes"
        )
    flat = np.frombuffer(content, dtype=dtype, offset=stream.tell())
    return flat.reshape(shape, order="F" if fortran else "C")


def _read_header(path: Path, content: bytes) -> dict[str, Any]:
    text = _read_array(path, "header", content)
    with _refusing(f"{path}: the header is no JSON text"):
        header = json.loads(text.tobytes().decode())
    if not isinstance(header, Mapping) or header.get("format") != FORMAT:
        raise ValueError(f"{path}: no file that save_network wrote: the header does not say {FORMAT!r}")
    if header.get("version") != FORMAT_VERSION:
        raise ValueError(
            f"{path}: format version {header.get('version')!r}: this version of the library reads {FORMAT_VERSION}"
        )
    if not isinstance(header.get("about"), dict) or "pattern_hash" not in header:
        raise ValueError(f"{path}: the header lacks `about` or `pattern_hash`")
    return header


def _refuse_not_finite(path: Path, weights: np.ndarray, why: str) -> None:
    finite = np.isfinite(weights)
    if not finite.all():
        side, place = (int(number) for number in np.argwhere(~finite)[0])
        raise ValueError(
            f"{path}: {why}: {np.count_nonzero(~finite):,} are not, the first ({weights[side, place]}) at"
            f" [{side}, {place}]"
        )


def read_published(path: str | Path, *, drop: bool = False) -> ValueNetwork:
    """Read weights in the layout of the published recipe: a torch file with a table of 4^8 entries a pattern.

    Parameters
    ----------
    path : str or Path
        `.pt` file holding `state_dict` with `n_tuple_tensor`, (P, L) int64 bit indices 9 column + row, and `W`,
        (2, P, 4^L) float32, first Yellow to move. Only tensors and plain values are unpickled: code in it is refused.
    drop : bool, optional
        Leave out weights of states that gravity forbids, instead of refusing them.

    Returns
    -------
    ValueNetwork
        On every position of the same value; `about` names the file, and how many weights were dropped, if any.

    Raises
    ------
    ValueError
        Broken, foreign, with code inside, cells outside the board, tables of another shape, weights that are not
        finite, or weights where no position leads: the file and what is wrong are named.
    ImportError
        Without torch (`pip install "ludometrics[connect4]"`).

    Source
    ------
    The published Connect-4 recipe (Thill 2026, techdays26), for the layout.
    """
    # Here, so that the library's own files are read without torch.
    from ludometrics.connect4.dense_torch import FullTable, to_network

    path = Path(path)
    squares, table = _published_tensors(path)
    cells = np.where(
        (squares >= 0) & (squares < STRIDE * COLUMNS) & (squares % STRIDE < ROWS),
        ROWS * (squares // STRIDE) + squares % STRIDE,
        -1,
    )
    if (cells < 0).any():
        number = int(np.argwhere(cells < 0)[0][0])
        bad = int(squares[number][cells[number] < 0][0])
        raise ValueError(
            f"{path}: pattern {number}: bit {bad} is not on the board (9 column + row, columns 0 to 6, rows 0 to 5)"
        )
    try:
        network = to_network(FullTable(check_patterns(cells), table), drop=drop)
    except ValueError as error:
        raise ValueError(f"{path}: {error}") from error
    _refuse_not_finite(path, network.weights, "weights have to be finite")
    return ValueNetwork(network.indexing, network.weights, {"read_from": path.name, **network.about})


def _published_tensors(path: Path) -> tuple[np.ndarray, Any]:
    """Unpickle tensors and plain values only; check kind and shape before anything is computed with them."""
    import torch

    content = _read_bytes(path)
    try:
        content = torch.load(io.BytesIO(content), map_location="cpu", weights_only=True)
    except Exception as error:  # its own text is left out: it would advise to run the code in the file
        raise ValueError(
            f"{path}: no torch file of tensors and plain values, damaged, or with code in it, which is not run"
            f" ({type(error).__name__})"
        ) from error
    state = content.get("state_dict") if isinstance(content, Mapping) else None
    found = [state.get(name) if isinstance(state, Mapping) else None for name in ("n_tuple_tensor", "W")]
    if not all(
        isinstance(each, torch.Tensor) and each.layout == torch.strided and each.is_cpu for each in found
    ):
        raise ValueError(
            f"{path}: no published weights: `state_dict` with tensors `n_tuple_tensor` and `W` is wanted"
        )
    squares, table = found
    shape = tuple(squares.shape)
    if (
        squares.dtype != torch.int64
        or len(shape) != 2
        or not (1 <= shape[0] <= MOST_PATTERNS and 1 <= shape[1] <= 12)
    ):
        raise ValueError(
            f"{path}: n_tuple_tensor has shape {shape} and type {squares.dtype}: wanted are (1 to {MOST_PATTERNS:,},"
            " 1 to 12) of torch.int64"
        )
    wanted = (2, shape[0], 4 ** shape[1])
    if math.prod(wanted) > MOST_ENTRIES:
        raise ValueError(f"{path}: W of shape {wanted} is too large: at most {MOST_ENTRIES:,} weights")
    if tuple(table.shape) != wanted or table.dtype != torch.float32:
        raise ValueError(
            f"{path}: W has shape {tuple(table.shape)} and type {table.dtype}: wanted is {wanted} of torch.float32"
        )
    return squares.numpy(), table
