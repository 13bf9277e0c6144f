"""What becomes of everybody's rating when games are removed from the log."""

from collections.abc import Collection
from dataclasses import dataclass

import pandas as pd

from ludometrics.gamelog.daily import SCORES
from ludometrics.gamelog.loading import ANY_REMOVED, is_removed
from ludometrics.ratings import Games, index_games, rate

#: Systems whose ratings are compared.
SYSTEMS = ("elo", "glicko1")


@dataclass(frozen=True)
class Drift:
    """How ratings change.

    Attributes
    ----------
    players : int
        Players and levels of the computer that were rated before.
    changed : int
        Those of them whose rating is another, in either system.
    largest_elo, largest_glicko : float
        Largest change of those who still have games, Elo points.
    reset : int
        Those who have no rated game left: they begin anew.
    """

    players: int
    changed: int
    largest_elo: float
    largest_glicko: float
    reset: int


def compare_ratings(before: pd.DataFrame, after: pd.DataFrame, *, without: Collection[str] = ()) -> Drift:
    """Compare the ratings that two logs give, bit for bit.

    Parameters
    ----------
    before, after : DataFrame
        `GameLog.frame`.
    without : collection of str
        Keys of players who are not compared; removed players never are.

    Returns
    -------
    Drift

    Source
    ------
    Own.

    Examples
    --------
    >>> log = pd.DataFrame({"black_key": ["ann", "ann"], "white_key": ["bob", "cid"], "winner": ["b", "w"],
    ...                     "day": pd.to_datetime(["2026-09-01", "2026-09-02"])})
    >>> compare_ratings(log, log.iloc[1:])
    Drift(players=3, changed=3, largest_elo=15.26..., largest_glicko=159.81..., reset=1)
    """
    old, new = rate_keys(before), rate_keys(after)
    people = [key for key in old.index if key not in without and not is_removed(key)]
    old, new = old.loc[people], new.reindex(people)
    left = new["elo"].notna()
    moved = (old != new).any(axis=1)
    change = (old - new)[left].abs().max()
    return Drift(
        len(people),
        int(moved.sum()),
        *(float(change[name]) if left.any() else 0.0 for name in SYSTEMS),
        int((~left).sum()),
    )


def rate_keys(frame: pd.DataFrame) -> pd.DataFrame:
    """Rate the games of a log: index key; elo, glicko1, glicko1_deviation, games. Each ``(removed)`` is left out."""
    games = index_log(frame)
    records = {name: rate(games, name) for name in SYSTEMS}
    columns = {name: record.ratings for name, record in records.items()}
    columns |= {"glicko1_deviation": records["glicko1"].deviations, "games": records["elo"].games}
    table = pd.DataFrame(columns, index=pd.Index(games.players, dtype=object))
    return table[~table.index.str.startswith(f"{ANY_REMOVED} ").astype(bool)]


def index_log(frame: pd.DataFrame) -> Games:
    """Give a log as arrays; a player is a key, and ``(removed)``, with a number after it, somebody else each time."""
    black, white = (frame[name].astype(object).to_numpy(copy=True) for name in ("black_key", "white_key"))
    for keys, side in ((black, "b"), (white, "w")):
        for place in (keys == ANY_REMOVED).nonzero()[0].tolist():
            keys[place] = f"{ANY_REMOVED} {place}{side}"
    times = pd.to_datetime(frame["day"]).to_numpy().astype("datetime64[D]").astype("int64")
    return index_games(black, white, frame["winner"].map(SCORES).astype(float).to_numpy(), times=times)
