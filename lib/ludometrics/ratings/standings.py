"""Who stands where, how surely, and as of which day."""

from collections.abc import Collection, Hashable
from typing import Any

import numpy as np
import pandas as pd
from scipy import stats

from ludometrics.evaluation.intervals import check_level
from ludometrics.ratings.leaderboard import PROVISIONAL_BELOW
from ludometrics.ratings.systems import Record, by_player, system_of

#: How the names of players who must stand in no table begin: removed ones, and seats that many people share.
HIDDEN = ("(removed", "(anonymous")


def standings(
    players: tuple[Hashable, ...],
    record: Record,
    *,
    settings: Any = None,
    as_of: float | None = None,
    hidden: Collection[Hashable] = (),
    level: float = 0.9,
) -> pd.DataFrame:
    """Order players: first those whose rating is established, by what they are at least likely to be worth.

    A rating is provisional while its variance is above half the prior's: the games then say less than was supposed
    without any. In systems without deviations it is provisional below five games. Established players stand before
    provisional ones, either in the order of rating - deviation (a lower bound at 84 %), equal ones by name.

    Parameters
    ----------
    players : tuple, length m
        Names, as `Games.players` has them.
    record : Record
        What `rate` gave. It does not change.
    settings : optional
        The settings it was made with; without them the system's defaults, by whose prior a rating is then called
        provisional.
    as_of : float, optional
        Day for which absence is counted, on the scale of the games' times, not before the last game; for an earlier
        day rate ``games.until(day)``.
    hidden : collection
        Players to leave out; removed and anonymous ones are left out in any case (`HIDDEN`).
    level : float
        Confidence of the interval, between 0 and 1.

    Returns
    -------
    DataFrame
        Index player; columns rank (from 1), rating, deviation, low, high (interval at `level`; missing in systems
        without deviations), games, provisional. Players without a game are left out.

    Raises
    ------
    ValueError
        `as_of` before a player's last game, or for a system that knows no absence; names and record of different
        length.

    Source
    ------
    Order and stop rule: own; a newcomer's variance is halved when the games carry as much information as the prior.

    Examples
    --------
    >>> from ludometrics.ratings import index_games, rate
    >>> games = index_games(["Ann"] * 6, ["Bob"] * 6, [1, 1, 0, 1, 1, 0.5], times=range(6))
    >>> standings(games.players, rate(games))[["rank", "rating", "provisional"]].round(1).to_dict("index")["Ann"]
    {'rank': 1, 'rating': 1598.2, 'provisional': False}
    """
    system = system_of(record)
    settings = system.settings() if settings is None else settings
    if not isinstance(settings, system.settings):
        raise ValueError(
            f"settings are {type(settings).__name__}: the record is of {system.title}, which has "
            f"{system.settings.__name__}"
        )
    check_level(level)
    if len(players) != len(record.ratings):
        raise ValueError(f"{len(players)} players but {len(record.ratings)} ratings")
    table = by_player(players, record)
    if as_of is not None:
        table["deviation"] = _deviations_on(as_of, record, settings)
    away = set(hidden)
    shown = [
        not (player in away or (isinstance(player, str) and player.casefold().startswith(HIDDEN)))
        for player in players
    ]
    table = table[np.array(shown, dtype=bool) & (table["games"].to_numpy() > 0)].copy()
    half = stats.norm.ppf((1.0 + level) / 2.0) * table["deviation"]
    table["low"], table["high"] = table["rating"] - half, table["rating"] + half
    prior = getattr(settings, "start_deviation", getattr(settings, "prior_deviation", np.inf))
    unsure = table["deviation"] ** 2 > 0.5 * prior**2
    few = table["games"] < PROVISIONAL_BELOW
    table["provisional"] = np.where(table["deviation"].isna(), few, unsure)
    table["least"] = table["rating"] - table["deviation"].fillna(0.0)
    table["name"] = [str(player).casefold() for player in table.index]
    table = table.sort_values(["provisional", "least", "name"], ascending=[True, False, True], kind="stable")
    table["rank"] = np.arange(1, len(table) + 1)
    return table[["rank", "rating", "deviation", "low", "high", "games", "provisional"]]


def _deviations_on(day: float, record: Record, settings: Any) -> np.ndarray:
    system = system_of(record)
    if system.aged is None:
        raise ValueError(
            f"{system.title} knows no absence: it has no standings as of a day; rate games.until(day)"
        )
    last = getattr(record, "last_times", np.empty(0)) * getattr(settings, "period_days", 1.0)
    if not np.isfinite(day):
        raise ValueError(f"as_of is {day}: it must be a finite day")
    # Periods times their length give a day back but for rounding.
    if last.size and day < np.nanmax(last, initial=-np.inf) - 1e-6:
        raise ValueError(
            f"as_of is {day:g}, before the last game on day {np.nanmax(last):g}: rate games.until({day:g}) for that day"
        )
    return system.aged(record, day, settings=settings)
