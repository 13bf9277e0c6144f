"""Committed results checked: bytes against their sidecars, and numbers against a fresh run."""

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from ludometrics.provenance.paths import resolve, root
from ludometrics.provenance.sidecar import file_sha256, read_sidecar

# Another CPU rounds the last bits of a sum differently; ten digits are written, a thousandth part of the
# smallest interval half-width that any study reports is far above this.
RELATIVE_TOLERANCE = 1e-6
ABSOLUTE_TOLERANCE = 1e-9

_RESULT_KINDS = {".csv", ".svg", ".pdf", ".png", ".txt"}


class Finding(NamedTuple):
    """One file that was checked: whether it is well, and what was found."""

    path: str
    ok: bool
    message: str


def verify(folders: Iterable[str | Path] = ("results", "figures")) -> list[Finding]:
    """Compare every result and figure with the hashes in its sidecar.

    Parameters
    ----------
    folders : paths
        Folders of results and figures, searched with all below.

    Returns
    -------
    list of Finding
        One a file, in order of path. Not well is a file without a sidecar, with other bytes than recorded,
        named by a sidecar and missing, or made from an input that has changed since (stale) or is gone; and a
        folder in which there is nothing to check.

    Raises
    ------
    ValueError
        A folder does not exist.

    Source
    ------
    Own.
    """
    findings = []
    for folder in map(resolve, folders):
        if not folder.is_dir():
            raise ValueError(f"{folder}: no such folder")
        vouched: set[Path] = set()
        before = len(findings)
        for path in sorted(folder.rglob("*.json")):
            found, outputs = _check_sidecar(path)
            findings += found
            vouched |= outputs
        for path in sorted(folder.rglob("*")):
            if path.suffix in _RESULT_KINDS and path not in vouched:
                findings.append(Finding(_shown(path), False, "no sidecar vouches for it"))
        if len(findings) == before:
            findings.append(Finding(_shown(folder), False, "nothing there to check"))
    return sorted(findings)


def recompute(fresh: str | Path, committed: str | Path) -> list[Finding]:
    """Compare a fresh run with its committed twins, row by row.

    A quick run makes the first replications of the same cells that the full run made, so each of its rows has
    the same key and must hold the same numbers, and the full run has no further row for these replications.
    Tables are compared that have a ``replication`` in their key; an average over fewer replications has no twin.

    Parameters
    ----------
    fresh, committed : str or Path
        Folders of results, such as ``build/quick/results`` and ``results``.

    Returns
    -------
    list of Finding
        One a table with a twin. Where the versions and the kinds of CPU and GPU of the two sidecars are the
        same, texts must be equal; elsewhere numbers within a relative 1e-6.

    Raises
    ------
    ValueError
        No table of the fresh run has a twin.

    Source
    ------
    Own.
    """
    fresh, committed = resolve(fresh), resolve(committed)
    findings = []
    for path in sorted(fresh.rglob("*.csv")):
        twin = committed / path.relative_to(fresh)
        if not twin.is_file():
            continue
        try:
            sidecars = read_sidecar(path), read_sidecar(twin)
        except ValueError as error:
            findings.append(Finding(_shown(twin), False, str(error)))
            continue
        if "replication" in sidecars[0].get("key", []):
            findings.append(_compare(path, twin, sidecars[0]["key"], exact=_same_machine(*sidecars)))
    if not findings:
        raise ValueError(f"{fresh}: no table there has a twin in {committed}; run `make reproduce` first")
    return findings


def _check_sidecar(path: Path) -> tuple[list[Finding], set[Path]]:
    try:
        content = read_sidecar(path)
    except ValueError as error:
        return [Finding(_shown(path), False, str(error))], set()
    spoilt = _spoilt_input(content["inputs"])
    findings, outputs = [], set()
    for name, digest in content["outputs"].items():
        output = path.parent / Path(name).name
        outputs.add(output)
        if not output.is_file():
            findings.append(Finding(_shown(output), False, f"named by {path.name} and missing"))
        elif file_sha256(output) != digest:
            findings.append(
                Finding(_shown(output), False, "its bytes are not those that its sidecar records")
            )
        elif spoilt:
            findings.append(Finding(_shown(output), False, f"stale: {spoilt}"))
        else:
            findings.append(Finding(_shown(output), True, "as recorded"))
    return findings, outputs


def _spoilt_input(inputs: Mapping[str, str]) -> str | None:
    """Say which input is not what it was, if one is not."""
    for name, digest in inputs.items():
        source = resolve(name)
        if not source.is_file():
            return f"its input {name} is missing"
        if file_sha256(source) != digest:
            return f"{name} has changed since"
    return None


def _compare(path: Path, twin: Path, key: list[str], *, exact: bool) -> Finding:
    ours, theirs = _read_as_text(path), _read_as_text(twin)
    if list(ours.columns) != list(theirs.columns):
        return Finding(_shown(twin), False, f"columns {list(theirs.columns)}, fresh {list(ours.columns)}")
    theirs = theirs[theirs["replication"].isin(ours["replication"])]
    both = ours.merge(theirs, on=key, suffixes=("", "__twin"), how="outer", indicator="__in")
    alone = both["__in"] != "both"
    if alone.any():
        at = alone.idxmax()
        where = "the fresh run" if both.at[at, "__in"] == "left_only" else "the committed table"
        message = (
            f"{int(alone.sum())} of {len(both)} rows without a twin: only {where} has {_row(both, at, key)}"
        )
        return Finding(_shown(twin), False, message)
    for column in (name for name in ours.columns if name not in key):
        wrong = ~_agree(both[column], both[f"{column}__twin"], exact=exact)
        if wrong.any():
            at = wrong.idxmax()
            there, here = both.at[at, f"{column}__twin"], both.at[at, column]
            message = f"{column} at {_row(both, at, key)}: committed {there}, fresh {here}"
            return Finding(_shown(twin), False, f"{int(wrong.sum())} of {len(both)} rows differ: {message}")
    how = "equal" if exact else f"equal within {RELATIVE_TOLERANCE:g}"
    return Finding(_shown(twin), True, f"{len(both)} rows, {how}")


def _read_as_text(path: Path) -> pd.DataFrame:
    """The table as it is written: what is compared is text first, numbers where another machine may differ."""
    return pd.read_csv(path, dtype=str, keep_default_na=False)


def _row(frame: pd.DataFrame, at: int, key: list[str]) -> str:
    return ", ".join(f"{name}={frame.at[at, name]}" for name in key)


def _agree(ours: pd.Series, theirs: pd.Series, *, exact: bool) -> pd.Series:
    same = ours == theirs
    if exact:
        return same
    numbers = (pd.to_numeric(values, errors="coerce").astype(float) for values in (ours, theirs))
    return same | np.isclose(*numbers, rtol=RELATIVE_TOLERANCE, atol=ABSOLUTE_TOLERANCE)


def _same_machine(*sidecars: Mapping[str, Any]) -> bool:
    ours, theirs = (sidecar["environment"] for sidecar in sidecars)
    return all(ours.get(name) == theirs.get(name) for name in ("versions", "python", "cpu", "gpu", "system"))


def _shown(path: Path) -> str:
    return path.relative_to(root()).as_posix() if path.is_relative_to(root()) else path.as_posix()
