"""A real log under many systems: forecasts made strictly before each game, and what they are worth."""

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import replace

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray
from tqdm.auto import tqdm

from ludometrics.evaluation import (
    MARGIN,
    calibration_curve,
    compare_many,
    judge,
    log_loss,
)
from ludometrics.ratings.entrants import Entrant
from ludometrics.ratings.games import Games
from ludometrics.ratings.systems import find_system, rate

#: Who forecasts one half every time.
COIN = "coin"


def forecast(games: Games, entrants: Mapping[str, Entrant], *, progress: bool = True) -> pd.DataFrame:
    """Let every entrant play the log through.

    Parameters
    ----------
    games : Games
    entrants : mapping of str to Entrant
    progress : bool
        Show a progress bar.

    Returns
    -------
    DataFrame, shape (n, entrants + 1)
        Expected score of the first player of each pair by each entrant, and by a coin.

    Raises
    ------
    ValueError
        The log holds what a system cannot use.

    Examples
    --------
    >>> from ludometrics.ratings import ENTRANTS, index_games
    >>> games = index_games(["Ann", "Ann"], ["Bob", "Bob"], [1, 1])
    >>> forecast(games, {"elo": ENTRANTS["elo"]}, progress=False).round(3).to_numpy().tolist()
    [[0.5, 0.5], [0.546, 0.5]]
    """
    bar = tqdm(entrants.items(), desc="systems", disable=not progress)
    columns = {name: rate(games, one.system, one.settings).forecasts for name, one in bar}
    return pd.DataFrame(columns | {COIN: np.full(len(games), 0.5)})


def measures_table(
    forecasts: pd.DataFrame,
    outcomes: ArrayLike,
    *,
    units: Sequence[Hashable] | ArrayLike,
    scored: ArrayLike,
    replicates: int,
    seed: int,
) -> pd.DataFrame:
    """Judge every entrant by every measure, all from the same draws of units.

    Parameters
    ----------
    forecasts : DataFrame
        Of `forecast`.
    outcomes : array_like, shape (n,)
        Score of the first player: 0, 0.5 or 1.
    units : sequence, length n
        What is resampled whole: the day or week of each game.
    scored : array_like of bool, shape (n,)
        Games that are judged.
    replicates, seed : int
        Of the bootstrap.

    Returns
    -------
    DataFrame
        entrant, and the columns of `ludometrics.evaluation.judge`.
    """
    tables = []
    for name in forecasts:
        table = judge(
            forecasts[name],
            outcomes,
            units=units,
            scored=scored,
            replicates=replicates,
            rng=np.random.default_rng(seed),
        )
        table.insert(0, "entrant", name)
        tables.append(table)
    return pd.concat(tables, ignore_index=True)


def differences_table(
    forecasts: pd.DataFrame,
    outcomes: ArrayLike,
    *,
    units: Sequence[Hashable] | ArrayLike,
    scored: ArrayLike,
    baselines: Sequence[str],
    replicates: int,
    seed: int,
    margin: float = MARGIN,
) -> pd.DataFrame:
    """Compare every entrant with each baseline by the paired difference of log losses.

    Parameters
    ----------
    forecasts, outcomes, units, scored, replicates, seed
        As in `measures_table`.
    baselines : sequence of str
        Columns of the forecasts.
    margin : float
        Nats a game that do not matter.

    Returns
    -------
    DataFrame
        baseline, and the columns of `ludometrics.evaluation.compare_many`, `setting` being called entrant.
    """
    kept = np.asarray(scored)
    losses = {name: log_loss(forecasts[name][kept], np.asarray(outcomes)[kept]) for name in forecasts}
    tables = []
    for baseline in baselines:
        table = compare_many(
            losses,
            baseline,
            units=np.asarray(units)[kept],
            margin=margin,
            replicates=replicates,
            rng=np.random.default_rng(seed),
        )
        table.insert(0, "baseline", baseline)
        tables.append(table.rename(columns={"setting": "entrant"}))
    return pd.concat(tables, ignore_index=True)


def curves_table(
    forecasts: pd.DataFrame,
    outcomes: ArrayLike,
    *,
    units: Sequence[Hashable] | ArrayLike,
    scored: ArrayLike,
    replicates: int,
    seed: int,
) -> pd.DataFrame:
    """Calibration curve of every entrant but the coin, in bins of equal count.

    Parameters
    ----------
    forecasts, outcomes, units, scored, replicates, seed
        As in `measures_table`.

    Returns
    -------
    DataFrame
        entrant, and the columns of `ludometrics.evaluation.calibration_curve`.
    """
    kept = np.asarray(scored)
    tables = []
    for name in forecasts.columns.drop(COIN):
        table = calibration_curve(
            forecasts[name][kept],
            np.asarray(outcomes)[kept],
            units=np.asarray(units)[kept],
            replicates=replicates,
            rng=np.random.default_rng(seed),
        )
        table.insert(0, "entrant", name)
        tables.append(table)
    return pd.concat(tables, ignore_index=True)


def rating_history(games: Games, entrant: Entrant, days: ArrayLike) -> pd.DataFrame:
    """Ratings of all players as of some days, from the games up to each.

    Parameters
    ----------
    games : Games
        With times.
    entrant : Entrant
        Of a system that can be carried on.
    days : array_like, shape (d,)
        Rising, on the scale of the games' times.

    Returns
    -------
    DataFrame
        day, player, rating, deviation (as of the day, absence included; missing in systems without), games; players
        from their first game on.

    Raises
    ------
    ValueError
        Games without times, days that fall, a system that cannot be carried on.

    Examples
    --------
    >>> from ludometrics.ratings import ENTRANTS, index_games
    >>> games = index_games(["Ann", "Ann"], ["Bob", "Cid"], [1, 1], times=[0, 9])
    >>> rating_history(games, ENTRANTS["elo"], [5, 10])[["day", "player", "games"]].to_numpy().tolist()
    [[5.0, 'Ann', 1], [5.0, 'Bob', 1], [10.0, 'Ann', 2], [10.0, 'Bob', 1], [10.0, 'Cid', 1]]
    """
    system = find_system(entrant.system)
    if games.times is None or "state" not in system.takes:
        raise ValueError(
            f"{system.title} with such a log has no history: times are needed, and a state to carry on"
        )
    days = np.asarray(days, dtype=np.float64)
    if np.any(np.diff(days) < 0):
        raise ValueError(f"day {days[1:][np.diff(days) < 0][0]:g} comes after a later one: days must rise")
    state, done, tables = None, 0, []
    for day in days:
        end = int(np.searchsorted(games.times, day, side="right"))
        state = rate(games.part(slice(done, end)), entrant.system, entrant.settings, state=state)
        done = end
        deviations = np.full(len(games.players), np.nan)
        if system.aged is not None:
            deviations = system.aged(state, float(day), settings=entrant.settings)
        elif hasattr(state, "deviations"):
            deviations = state.deviations
        table = pd.DataFrame({"day": day, "player": list(games.players), "rating": state.ratings})
        table = table.assign(deviation=deviations, games=state.games)
        tables.append(table[table["games"] > 0])
    return pd.concat(tables, ignore_index=True)


def with_days(games: Games) -> Games:
    """Give games without dates a day each, in their order, so that a history can be drawn; dated ones stay as they are.

    Examples
    --------
    >>> from ludometrics.ratings import index_games
    >>> with_days(index_games(["Ann", "Bob"], ["Bob", "Ann"], [1, 0])).times.tolist()
    [0.0, 1.0]
    """
    return games if games.times is not None else replace(games, times=np.arange(len(games), dtype=np.float64))


def weeks(days: ArrayLike) -> NDArray[np.int64]:
    """Number of the week of each day (days since 1970-01-01), weeks beginning on Tuesday: a round of many leagues.

    Examples
    --------
    >>> weeks([0, 4, 5, 12]).tolist()  # Thursday, Monday, Tuesday, Tuesday
    [0, 0, 1, 2]
    """
    return np.floor((np.asarray(days, dtype=np.float64) + 2.0) / 7.0).astype(np.int64)
