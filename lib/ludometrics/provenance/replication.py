"""Published numbers beside ours: the replication table of a study and the join over all studies."""

import math
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import pandas as pd

from ludometrics.provenance.paths import resolve
from ludometrics.provenance.tables import read_table, write_table

CLAIM_COLUMNS = (
    "claim",
    "published",
    "published_low",
    "published_high",
    "ours",
    "ours_low",
    "ours_high",
    "n",
    "verdict",
    "note",
)
VERDICTS = ("reproduced", "not reproduced", "cannot tell", "fitted")


def claim(
    text: str,
    published: float,
    ours: float | None,
    ours_low: float | None,
    ours_high: float | None,
    n: int,
    *,
    published_low: float | None = None,
    published_high: float | None = None,
    fitted: bool = False,
    note: str = "",
) -> dict[str, Any]:
    """Hold one published number against ours.

    Parameters
    ----------
    text : str
        The claim in words, unique in its study; begin with what is measured.
    published : float
        The published value.
    ours, ours_low, ours_high : float or None
        Our value and its 95 % interval: the prediction interval for one run where the published value is a
        single run, else the confidence interval. None where we could not measure it.
    n : int
        Number of independent units behind our value.
    published_low, published_high : float, optional
        The 95 % interval that was published with the value.
    fitted : bool
        A setting of ours was chosen to hit this number: it is shown and not counted.
    note : str
        What the reader must know; why, where the claim does not hold.

    Returns
    -------
    dict
        A row with the columns `CLAIM_COLUMNS`. Without a published interval the verdict is ``reproduced`` if
        the published value lies in our interval; with one, if the interval of the difference (half-widths
        added in squares) holds 0. ``cannot tell`` if ours is missing.

    Raises
    ------
    ValueError
        A published value that is not finite, an interval that does not hold its value, only one end of it, or
        n below 1 for a measured value.

    Examples
    --------
    >>> claim("rating of Ada", 1433, 1426.0, 1377.0, 1475.0, 1000)["verdict"]
    'reproduced'

    Source
    ------
    Own.
    """
    if not math.isfinite(published):
        raise ValueError(f"{text!r}: the published value is {published}, it must be a finite number")
    measured = ours is not None and not math.isnan(ours)
    if measured:
        if ours_low is None or ours_high is None or not ours_low <= ours <= ours_high:
            raise ValueError(
                f"{text!r}: {ours} needs an interval that holds it, not [{ours_low}, {ours_high}]"
            )
        if n < 1:
            raise ValueError(f"{text!r}: n is {n}, it must be at least 1")
    if (published_low is None) != (published_high is None):
        raise ValueError(f"{text!r}: the published interval has only one end")
    if published_low is not None and not published_low <= published <= published_high:
        raise ValueError(
            f"{text!r}: the published interval [{published_low}, {published_high}] does not hold {published}"
        )
    row = {
        "claim": text,
        "published": published,
        "published_low": published_low,
        "published_high": published_high,
        "ours": ours if measured else None,
        "ours_low": ours_low if measured else None,
        "ours_high": ours_high if measured else None,
        "n": n,
        "verdict": "cannot tell",
        "note": note,
    }
    if fitted:
        row["verdict"] = "fitted"
    elif measured:
        row["verdict"] = "reproduced" if _agrees(row) else "not reproduced"
    return row


def write_replication(
    rows: Iterable[Mapping[str, Any]],
    path: str | Path,
    *,
    parameters: Mapping[str, Any] | None = None,
    inputs: Iterable[str | Path] = (),
) -> Path:
    """Write a study's ``replication.csv``.

    Parameters
    ----------
    rows : iterable of dict
        Made by `claim`.
    path, parameters, inputs
        See `write_table`.

    Source
    ------
    Own.
    """
    frame = pd.DataFrame(list(rows), columns=list(CLAIM_COLUMNS))
    numbers = [name for name in CLAIM_COLUMNS[1:7]]
    frame = frame.astype({name: float for name in numbers})
    return write_table(frame, path, key=["claim"], parameters=parameters, inputs=inputs)


def join_replications(results: str | Path) -> Path:
    """Join the replication tables of all studies into ``results/replication.csv``.

    Parameters
    ----------
    results : str or Path
        Folder of results; each study's table lies in ``<study>/replication.csv``.

    Returns
    -------
    Path
        The joint table: the columns of the studies' tables after a column ``study``.

    Raises
    ------
    ValueError
        No study has a replication table, or one has other columns or an unknown verdict.

    Source
    ------
    Own.
    """
    results = resolve(results)
    paths = sorted(results.glob("*/replication.csv"))
    if not paths:
        raise ValueError(f"{results}: no study there has a replication.csv")
    frames = []
    for path in paths:
        frame = read_table(path)
        if tuple(frame.columns) != CLAIM_COLUMNS:
            raise ValueError(f"{path}: its columns must be {list(CLAIM_COLUMNS)}, not {list(frame.columns)}")
        strange = sorted(set(frame["verdict"]) - set(VERDICTS))
        if strange:
            raise ValueError(f"{path}: verdict {strange[0]!r} is none of {list(VERDICTS)}")
        frame.insert(0, "study", path.parent.name)
        frames.append(frame)
    joint = pd.concat(frames, ignore_index=True)
    return write_table(joint, results / "replication.csv", key=["study", "claim"], inputs=paths)


def _agrees(row: Mapping[str, Any]) -> bool:
    if row["published_low"] is None:
        return row["ours_low"] <= row["published"] <= row["ours_high"]
    ours = (row["ours_high"] - row["ours_low"]) / 2
    published = (row["published_high"] - row["published_low"]) / 2
    return abs(row["published"] - row["ours"]) <= math.hypot(ours, published)
