"""Tables for export: the games, the ratings, each day's league table, with names or with pseudonyms."""

import json
import os
from collections.abc import Callable
from datetime import date
from hashlib import sha256
from pathlib import Path

import numpy as np
import pandas as pd

from ludometrics.evaluation import NORMAL_95
from ludometrics.gamelog.drift import rate_keys
from ludometrics.gamelog.league import league_table
from ludometrics.gamelog.loading import ANY_REMOVED, GameLog, is_removed
from ludometrics.gamelog.names import LEVEL_OF_KEY, fold_name
from ludometrics.provenance.sidecar import compose_sidecar
from ludometrics.provenance.tables import FLOAT_FORMAT
from ludometrics.ratings.leaderboard import PROVISIONAL_BELOW

#: Tables by name, with the columns that name a row.
KINDS = {"games": ("day", "row"), "ratings": ("name",), "league": ("day", "place")}


def compose(
    folder: str | os.PathLike[str],
    log: GameLog,
    *,
    what: str,
    first: date | None,
    last: date,
    time_zone: str,
    pseudonyms: bool,
    name: str,
    token_hex: Callable[[int], str],
) -> tuple[bytes, bytes, int]:
    """Compose an export without writing it.

    Parameters
    ----------
    folder : path
        Of the games.
    log : GameLog
    what : {"games", "ratings", "league"}
    first, last : date
        Days of the games.
    time_zone : str
    pseudonyms : bool
    name : str
        File name of the CSV.
    token_hex : callable
        Draws pseudonyms.

    Returns
    -------
    table, sidecar : bytes
    rows : int
    """
    frame = part_of(log.frame, first, last)
    if pseudonyms:
        frame = with_pseudonyms(frame, token_hex=token_hex)
    table = {"games": games_table, "ratings": ratings_table, "league": league_tables}[what](frame)
    content = table.to_csv(index=False, float_format=FLOAT_FORMAT, lineterminator="\n").encode("utf-8")
    used = set(frame["file"].astype(str))
    parameters = {
        "what": what,
        "pseudonyms": pseudonyms,
        "time_zone": time_zone,
        "first": first.isoformat() if first else None,
        "last": last.isoformat(),
    }
    texts = [column for column in table if pd.api.types.infer_dtype(table[column], skipna=True) == "string"]
    hashes = {name: sha256(content).hexdigest()}
    sidecar = json.loads(compose_sidecar(hashes, parameters=parameters, key=list(KINDS[what]), text=texts))
    # The files may be about to change: their hashes are those of what the table was made from.
    base = Path(folder).resolve()
    sidecar["inputs"] = {(base / file).as_posix(): digest for file, digest in log.files if file in used}
    text = json.dumps(sidecar, indent=2, ensure_ascii=False, allow_nan=False) + "\n"
    return content, text.encode("utf-8"), len(table)


def part_of(frame: pd.DataFrame, first: date | None, last: date) -> pd.DataFrame:
    """Games of some days."""
    days = pd.to_datetime(frame["day"])
    chosen = days <= pd.Timestamp(last)
    if first is not None:
        chosen &= days >= pd.Timestamp(first)
    return frame[chosen]


def with_pseudonyms(frame: pd.DataFrame, *, token_hex: Callable[[int], str]) -> pd.DataFrame:
    """Put random names in place of people's; the computer keeps its own, removed people stay removed.

    Examples
    --------
    >>> log = pd.DataFrame({"black": ["Ann"], "white": ["Computer (Low)"], "black_key": ["ann"],
    ...                     "white_key": ["computer (low)"]})
    >>> with_pseudonyms(log, token_hex=lambda size: "9c" * size)[["black", "white"]].values.tolist()
    [['Player 9c9c9c9c', 'Computer (Low)']]
    """
    keys = pd.unique(pd.concat([frame[side].astype(object) for side in ("black_key", "white_key")]))
    names: dict[str, str] = {}
    drawn: set[str] = set()
    for key in keys:
        if key in LEVEL_OF_KEY or key == ANY_REMOVED:
            continue
        while (token := token_hex(4)) in drawn:
            pass
        drawn.add(token)
        names[key] = f"(removed-{token})" if is_removed(key) else f"Player {token}"
    changed = {}
    for side in ("black", "white"):
        old = frame[f"{side}_key"].astype(object)
        changed[side] = old.map(names).fillna(frame[side].astype(object))
        changed[f"{side}_key"] = changed[side].map(fold_name)
    return frame.assign(**changed)


def games_table(frame: pd.DataFrame) -> pd.DataFrame:
    """One row a game: day, row, black, white, winner, level, variant, rules."""
    columns = ["row", "black", "white", "winner", "level", "variant", "rules"]
    table = frame[columns].astype(dict.fromkeys(columns[1:], object)).reset_index(drop=True)
    table.insert(0, "day", pd.to_datetime(frame["day"]).dt.strftime("%Y-%m-%d").to_numpy(dtype=object))
    return table


def ratings_table(frame: pd.DataFrame) -> pd.DataFrame:
    """One row a player or level: name, level, elo, games, provisional, glicko, deviation, low, high (95 %)."""
    if frame.empty:
        return pd.DataFrame(columns=["name"])
    table = rate_keys(frame)
    table = table[np.array([not is_removed(key) for key in table.index], dtype=bool)]
    half = NORMAL_95 * table["glicko1_deviation"]
    spelt = latest_spellings(frame)
    return (
        pd.DataFrame(
            {
                "name": [spelt[key] for key in table.index],
                "level": [LEVEL_OF_KEY.get(key) for key in table.index],
                "elo": table["elo"].to_numpy(),
                "games": table["games"].to_numpy(),
                "provisional": table["games"].to_numpy() < PROVISIONAL_BELOW,
                "glicko": table["glicko1"].to_numpy(),
                "deviation": table["glicko1_deviation"].to_numpy(),
                "low": (table["glicko1"] - half).to_numpy(),
                "high": (table["glicko1"] + half).to_numpy(),
            }
        )
        .sort_values("name", kind="stable")
        .reset_index(drop=True)
    )


def league_tables(frame: pd.DataFrame) -> pd.DataFrame:
    """One row a day and player: day, place, name, played, won, drawn, lost, points."""
    rows = []
    for day, games in frame.groupby(pd.to_datetime(frame["day"]), sort=True):
        for place, row in enumerate(league_table(games.itertuples()), start=1):
            rows.append((day.date().isoformat(), place, *row))
    return pd.DataFrame(rows, columns=["day", "place", "name", "played", "won", "drawn", "lost", "points"])


def latest_spellings(frame: pd.DataFrame) -> dict[str, str]:
    """The spelling that each key was last saved in."""
    sides = [
        pd.DataFrame({"key": frame[f"{side}_key"].astype(object), "name": frame[side].astype(object)})
        for side in ("black", "white")
    ]
    last = pd.concat(sides).sort_index(kind="stable").drop_duplicates("key", keep="last")
    return dict(zip(last["key"], last["name"], strict=True))
