"""All rating systems behind one call: predict strictly before update, results keyed by player."""

import inspect
from collections.abc import Callable, Hashable
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Protocol

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray

from ludometrics.ratings import (
    bradley_terry,
    davidson,
    elo,
    glicko1,
    glicko2,
    posterior,
    weng_lin,
    whr,
)
from ludometrics.ratings.games import Games


class Record(Protocol):
    """What every system leaves behind: a frozen record.

    Attributes
    ----------
    ratings : ndarray, shape (m,)
        Elo points.
    games : ndarray of int64, shape (m,)
        Plays of each player.
    forecasts : ndarray, shape (n,)
        Expected score of the first player of each pair, made before the pair was learned from.
    """

    ratings: NDArray[np.float64]
    games: NDArray[np.int64]
    forecasts: NDArray[np.float64]


@dataclass(frozen=True)
class System:
    """A rating system: its name, its settings and the function that plays a log through.

    Attributes
    ----------
    name : str
        Key in `SYSTEMS`.
    title : str
        As it stands in tables and figures.
    settings : type
        Frozen dataclass whose defaults are the system's.
    record : type
        Frozen dataclass that `replay` gives.
    replay : callable
        ``replay(pairs, outcomes, *, settings, n_players, ...)``.
    aged : callable, optional
        ``aged(record, time, *, settings)``: deviations (m,) as of a day, in systems where absence makes unsure.
    """

    name: str
    title: str
    settings: type
    record: type
    replay: Callable[..., Any]
    aged: Callable[..., NDArray[np.float64]] | None = None

    @cached_property
    def takes(self) -> frozenset[str]:
        """Names of the optional arguments of `replay`: what it can make use of."""
        return frozenset(inspect.signature(self.replay).parameters)


SYSTEMS: dict[str, System] = {
    system.name: system
    for system in (
        System("elo", "Elo", elo.EloSettings, elo.EloRecord, elo.replay),
        System(
            "davidson", "Elo-Davidson", davidson.DavidsonSettings, davidson.DavidsonRecord, davidson.replay
        ),
        System(
            "glicko1",
            "Glicko-1",
            glicko1.Glicko1Settings,
            glicko1.Glicko1Record,
            glicko1.replay,
            glicko1.aged,
        ),
        System(
            "glicko2",
            "Glicko-2",
            glicko2.Glicko2Settings,
            glicko2.Glicko2Record,
            glicko2.replay,
            glicko2.aged,
        ),
        System(
            "weng_lin",
            "Weng-Lin (Plackett-Luce)",
            weng_lin.WengLinSettings,
            weng_lin.WengLinRecord,
            weng_lin.replay,
        ),
        System(
            "posterior",
            "Bayes on a grid",
            posterior.PosteriorSettings,
            posterior.PosteriorRecord,
            posterior.replay,
        ),
        System(
            "bradley_terry",
            "Bradley-Terry, refitted",
            bradley_terry.BradleyTerrySettings,
            bradley_terry.BradleyTerryReplay,
            bradley_terry.replay,
        ),
        System("whr", "Whole-history rating", whr.WhrSettings, whr.WhrReplay, whr.replay),
    )
}


def rate(
    games: Games,
    system: str = "glicko1",
    settings: Any = None,
    *,
    anchored: ArrayLike = (),
    periods: ArrayLike | None = None,
    state: Any = None,
) -> Any:
    """Play a log through with a system, chosen by name.

    Parameters
    ----------
    games : Games
    system : str
        Key of `SYSTEMS`.
    settings : optional
        The system's settings; without them its defaults.
    anchored : array_like of int
        Players whose rating never moves.
    periods : array_like, shape (n,), optional
        Labels of rating periods.
    state : optional
        Record of an earlier call to carry on from.

    Returns
    -------
    Record
        Of the system's own type; `forecasts` holds the expected score of each pair before it was learned from.

    Raises
    ------
    ValueError
        No such system, settings of another one, or a log that holds what the system cannot use.

    Examples
    --------
    >>> from ludometrics.ratings import index_games
    >>> games = index_games(["Ann", "Bob"], ["Bob", "Cid"], [1, 0.5])
    >>> rate(games, "elo").ratings.round(1).tolist()
    [1216.0, 1184.7, 1199.3]
    >>> rate(games, "elf")
    Traceback (most recent call last):
    ...
    ValueError: no rating system 'elf': there are elo, davidson, glicko1, ...
    """
    chosen = find_system(system)
    if settings is not None and not isinstance(settings, chosen.settings):
        raise ValueError(
            f"settings are {type(settings).__name__}: {chosen.name} takes {chosen.settings.__name__}"
        )
    # 1/(number of opponents) is no weight to a system that rates a table as a whole.
    whole = "weights" not in chosen.takes and "plays" in chosen.takes
    weights = None if whole and _are_shares(games) else games.weights
    given = {
        "weights": weights,
        "plays": games.plays,
        "periods": periods,
        "state": state,
        "anchored": anchored if np.size(anchored) else None,
    }
    given = {name: value for name, value in given.items() if value is not None}
    if unused := [name for name in given if name not in chosen.takes]:
        raise ValueError(f"{chosen.title} cannot make use of {', '.join(unused)}")
    if games.times is not None and "times" in chosen.takes:
        given["times"] = games.times
    return chosen.replay(
        games.pairs, games.outcomes, settings=settings, n_players=len(games.players), **given
    )


def _are_shares(games: Games) -> bool:
    """Whether every pair of a play has the weight that `index_tables` gives where nothing else is said."""
    if games.weights is None or games.plays is None:
        return False
    seats = games.plays[:, None] * len(games.players) + games.pairs
    _, seat = np.unique(seats, return_inverse=True)
    opponents = np.bincount(seat.ravel())[seat].reshape(seats.shape)
    return bool(np.allclose(games.weights * opponents, 1.0, rtol=1e-12))


def find_system(name: str) -> System:
    """Find a system by its name.

    Raises
    ------
    ValueError
        Naming the systems there are.
    """
    if name not in SYSTEMS:
        raise ValueError(f"no rating system {name!r}: there are {', '.join(SYSTEMS)}")
    return SYSTEMS[name]


def system_of(record: Record) -> System:
    """Find the system that a record is of.

    Raises
    ------
    ValueError
        The record is of none.
    """
    for system in SYSTEMS.values():
        if type(record) is system.record:
            return system
    raise ValueError(f"{type(record).__name__} is the record of no rating system")


def by_player(players: tuple[Hashable, ...], record: Record) -> pd.DataFrame:
    """Give a record as a table keyed by player, never by place.

    Returns
    -------
    DataFrame
        Index player; columns rating, games, and deviation (missing where the system has none).

    Examples
    --------
    >>> from ludometrics.ratings import index_games
    >>> games = index_games(["Ann"], ["Bob"], [1])
    >>> by_player(games.players, rate(games, "elo"))["rating"].to_dict()
    {'Ann': 1216.0, 'Bob': 1184.0}
    """
    columns = {
        "rating": record.ratings,
        "games": record.games,
        "deviation": getattr(record, "deviations", np.full(len(record.ratings), np.nan)),
    }
    index = pd.Index(list(players), name="player", tupleize_cols=False)
    return pd.DataFrame(columns, index=index)
