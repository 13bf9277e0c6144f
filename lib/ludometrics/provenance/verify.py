"""Committed results checked: bytes against their sidecars, and numbers against a fresh run."""

from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pandas as pd

from ludometrics.provenance.paths import resolve, root
from ludometrics.provenance.sidecar import file_sha256, read_sidecar, sidecar_path
from ludometrics.provenance.tables import read_table

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
        named by a sidecar and missing, or made from an input that has changed since (stale).

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
        for path in sorted(folder.rglob("*.json")):
            found, outputs = _check_sidecar(path)
            findings += found
            vouched |= outputs
        for path in sorted(folder.rglob("*")):
            if path.suffix in _RESULT_KINDS and path not in vouched:
                findings.append(Finding(_shown(path), False, "no sidecar vouches for it"))
    return sorted(findings)


def recompute(fresh: str | Path, committed: str | Path) -> list[Finding]:
    """Compare a fresh run with its committed twins, row by row.

    A quick run makes the first replications of the same cells that the full run made, so each of its rows has
    the same key and must hold the same numbers. Tables are compared that have a ``replication`` in their key;
    an average over fewer replications has no twin.

    Parameters
    ----------
    fresh, committed : str or Path
        Folders of results, such as ``build/quick/results`` and ``results``.

    Returns
    -------
    list of Finding
        One a table with a twin. Where the versions and the kind of CPU of the two sidecars are the same, texts
        must be equal; elsewhere numbers within a relative 1e-6.

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
        if not twin.is_file() or "replication" not in read_sidecar(path).get("key", []):
            continue
        findings.append(_compare(path, twin))
    if not findings:
        raise ValueError(f"{fresh}: no table there has a twin in {committed}; run `make reproduce` first")
    return findings


def _check_sidecar(path: Path) -> tuple[list[Finding], set[Path]]:
    try:
        content = read_sidecar(path)
    except ValueError as error:
        return [Finding(_shown(path), False, str(error))], set()
    stale = [
        name
        for name, digest in content.get("inputs", {}).items()
        if not (source := resolve(name)).is_file() or file_sha256(source) != digest
    ]
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
        elif stale:
            findings.append(Finding(_shown(output), False, f"stale: {stale[0]} has changed since"))
        else:
            findings.append(Finding(_shown(output), True, "as recorded"))
    return findings, outputs


def _compare(path: Path, twin: Path) -> Finding:
    key = read_sidecar(path)["key"]
    ours, theirs = read_table(path), read_table(twin)
    if list(ours.columns) != list(theirs.columns):
        return Finding(_shown(twin), False, f"columns {list(theirs.columns)}, fresh {list(ours.columns)}")
    exact = _same_machine(path, twin)
    both = ours.merge(theirs, on=key, suffixes=("", "__twin"), how="inner")
    if both.empty:
        return Finding(_shown(twin), False, "no row in common with the fresh run")
    values = [column for column in ours.columns if column not in key]
    for column in values:
        wrong = ~_agree(both[column], both[f"{column}__twin"], exact=exact)
        if wrong.any():
            at = wrong.idxmax()
            where = ", ".join(f"{name}={both.at[at, name]}" for name in key)
            there, here = both.at[at, f"{column}__twin"], both.at[at, column]
            message = f"{column} at {where}: committed {there}, fresh {here}"
            return Finding(_shown(twin), False, f"{int(wrong.sum())} of {len(both)} rows differ: {message}")
    how = "equal" if exact else f"equal within {RELATIVE_TOLERANCE:g}"
    return Finding(_shown(twin), True, f"{len(both)} rows, {how}")


def _agree(ours: pd.Series, theirs: pd.Series, *, exact: bool) -> pd.Series:
    if not (pd.api.types.is_numeric_dtype(ours) and pd.api.types.is_numeric_dtype(theirs)) or exact:
        return (ours == theirs) | (ours.isna() & theirs.isna())
    close = np.isclose(
        ours.astype(float),
        theirs.astype(float),
        rtol=RELATIVE_TOLERANCE,
        atol=ABSOLUTE_TOLERANCE,
        equal_nan=True,
    )
    return pd.Series(close, index=ours.index)


def _same_machine(path: Path, twin: Path) -> bool:
    ours, theirs = (read_sidecar(sidecar_path(item))["environment"] for item in (path, twin))
    return all(ours.get(name) == theirs.get(name) for name in ("versions", "python", "cpu", "system"))


def _shown(path: Path) -> str:
    return path.relative_to(root()).as_posix() if path.is_relative_to(root()) else path.as_posix()
