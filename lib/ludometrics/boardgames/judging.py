"""How well the forecasts of a group's ratings hold, judged against the coin.

What is scored is each pair of known people at one table whose order is known; guests and losers of a play with
nothing but a winner mark are not. Pairs of one play share its luck, so that whole plays (or whole days) are resampled.
The headline is of decisive pairs and counts each play once: a table of six has fifteen pairs, and is one evening's luck
all the same.
"""

from dataclasses import dataclass, fields
from typing import Literal

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from ludometrics.boardgames.arrays import Schedule
from ludometrics.boardgames.engine import GroupRatings, RatedLog
from ludometrics.boardgames.records import MOST_SEATS
from ludometrics.boardgames.sessions import DAY_STARTS
from ludometrics.evaluation import judge

#: What is resampled.
Unit = Literal["play", "day"]
#: What counts once.
Weighting = Literal["play", "pair"]
#: Rated plays that both of a pair must have behind them for the part of the report that leaves beginnings out.
SEASONED = 3
JUDGEMENT_COLUMNS = ("games_of", "measure", "value", "low", "high", "n", "games")


@dataclass(frozen=True)
class ScoredPairs:
    """The pairs that forecasts are judged on, by play, shape (k,) each.

    Attributes
    ----------
    play : ndarray of int64
        Place of the play in the log.
    day : ndarray of int64
        Number of the day of play, which begins at five in the morning.
    pair : ndarray of int64
        Names the two seats of the play: the same under all settings.
    forecast : ndarray
        Chance that the first finishes before the second, made before the play.
    outcome : ndarray
        1, 0.5 (a tie) or 0.
    earlier : ndarray of int64
        Rated plays before this one, of the one of the two who has fewer.
    """

    play: NDArray[np.int64]
    day: NDArray[np.int64]
    pair: NDArray[np.int64]
    forecast: NDArray[np.float64]
    outcome: NDArray[np.float64]
    earlier: NDArray[np.int64]

    def __len__(self) -> int:
        return len(self.play)

    def only(self, rows: NDArray) -> "ScoredPairs":
        """Those of the pairs that a mask or indices choose."""
        return ScoredPairs(*(getattr(self, item.name)[rows] for item in fields(self)))


def score_pairs(schedule: Schedule, ratings: GroupRatings) -> ScoredPairs:
    """Gather the pairs that forecasts are judged on.

    Parameters
    ----------
    schedule : Schedule
    ratings : GroupRatings
        Of that schedule.

    Returns
    -------
    ScoredPairs
    """
    rows = np.flatnonzero(ratings.scored)
    first, second = ratings.pair_seats[rows].T
    play = ratings.pair_play[rows]
    seats = np.sort(np.column_stack([schedule.seat[first], schedule.seat[second]]), axis=1)
    earlier = earlier_plays(schedule)
    # Whole seconds, so that a play at five sharp is not put to the day before by rounding.
    seconds = np.round(schedule.day[play] * 86400.0) - 3600.0 * DAY_STARTS
    return ScoredPairs(
        play=schedule.play[play],
        day=np.floor(seconds / 86400.0).astype(np.int64),
        pair=(schedule.play[play] * MOST_SEATS + seats[:, 0]) * MOST_SEATS + seats[:, 1],
        forecast=ratings.forecast[rows],
        outcome=ratings.outcome[rows],
        earlier=np.minimum(earlier[first], earlier[second]),
    )


def play_means(play: NDArray[np.int64], values: NDArray[np.float64]) -> NDArray[np.float64]:
    """Mean over the pairs of each play, so that a play counts once.

    Parameters
    ----------
    play : ndarray, shape (k,)
        Play of each pair; the pairs of a play stand together.
    values : ndarray, shape (k,) or (k, n)

    Returns
    -------
    ndarray, shape (p,) or (p, n)

    Examples
    --------
    >>> play_means(np.array([3, 3, 7]), np.array([1.0, 2.0, 5.0])).tolist()
    [1.5, 5.0]
    """
    first = np.flatnonzero(np.diff(play, prepend=-1))
    sizes = np.diff(np.append(first, len(play)))
    return np.add.reduceat(values, first, axis=0) / sizes.reshape(-1, *[1] * (values.ndim - 1))


def earlier_plays(schedule: Schedule) -> NDArray[np.int64]:
    """Rated plays of the person of each seat before this one, shape (s,); 0 for guests."""
    order = np.argsort(schedule.person, kind="stable")  # seats are in the order of time
    person = schedule.person[order]
    new = np.flatnonzero(np.diff(person, prepend=-2))
    count = np.empty(len(person), dtype=np.int64)
    count[order] = np.arange(len(person)) - np.repeat(new, np.diff(np.append(new, len(person))))
    return np.where(schedule.person < 0, 0, count)


def judge_group(
    rated: RatedLog,
    *,
    unit: Unit = "play",
    weighting: Weighting = "play",
    least_earlier: int = 0,
    replicates: int = 2000,
    level: float = 0.95,
    rng: np.random.Generator,
) -> pd.DataFrame:
    """Judge the forecasts of a group's ratings by every measure, with intervals.

    Parameters
    ----------
    rated : RatedLog
    unit : {"play", "day"}
        What is resampled whole. Plays of one day share who was there and in what mood, which plays as units pass over.
    weighting : {"play", "pair"}
        Each play counts once, by the mean of its pairs, or each pair does.
    least_earlier : int
        Rated plays that both of a pair must have behind them; 0 judges from the first play on.
    replicates, level, rng
        As in `evaluation.cluster_interval`.

    Returns
    -------
    DataFrame
        As `evaluation.judge` gives it, `games` being pairs and `n` units: of decisive pairs the headline, then of all.
        No rows where no pair is left.

    Raises
    ------
    ValueError
        Another unit or weighting, and as `evaluation.judge`.

    Source
    ------
    Own.
    """
    check_choice("unit", unit, ("play", "day"))
    check_choice("weighting", weighting, ("play", "pair"))
    pairs = score_pairs(rated.schedule, rated.ratings)
    pairs = pairs.only(pairs.earlier >= least_earlier)
    if not len(pairs):
        return pd.DataFrame(columns=list(JUDGEMENT_COLUMNS))
    options = {"units": getattr(pairs, unit), "replicates": replicates, "level": level, "rng": rng}
    given = pairs.forecast, pairs.outcome
    if weighting == "pair" or unit == "play":
        return judge(*given, weighting="unit" if weighting == "play" else "game", **options)
    # By days, a play counts once by weights, which differ between the decisive pairs and all.
    parts = []
    for games_of, mask in (("decisive", pairs.outcome != 0.5), ("all", np.ones(len(pairs), dtype=bool))):
        chosen = mask if mask.any() else np.ones(len(pairs), dtype=bool)
        share = (
            1.0 / np.maximum(np.bincount(pairs.play[chosen], minlength=pairs.play.max() + 1), 1)[pairs.play]
        )
        table = judge(*given, scored=chosen, weights=share, **options)
        parts.append(table[table["games_of"] == games_of])
    return pd.concat(parts, ignore_index=True)


def judge_fully(
    rated: RatedLog,
    *,
    unit: Unit = "play",
    replicates: int = 2000,
    level: float = 0.95,
    rng: np.random.Generator,
) -> pd.DataFrame:
    """Judge a group's forecasts by plays and by pairs, from the first play on and without everybody's beginnings.

    Parameters
    ----------
    rated, unit, replicates, level, rng
        As in `judge_group`.

    Returns
    -------
    DataFrame
        The rows of four calls of `judge_group`, with `least_earlier` (0, then `SEASONED`) and `weighting` before them.
    """
    parts = []
    for least in (0, SEASONED):
        for weighting in ("play", "pair"):
            chosen = {"unit": unit, "weighting": weighting, "least_earlier": least}
            table = judge_group(rated, **chosen, replicates=replicates, level=level, rng=rng)
            table.insert(0, "weighting", weighting)
            table.insert(0, "least_earlier", least)
            parts.append(table)
    return pd.concat([part for part in parts if len(part)] or parts[:1], ignore_index=True)


def check_choice(name: str, value: object, allowed: tuple[str, ...]) -> None:
    """Refuse a value that is none of those allowed."""
    if value not in allowed:
        raise ValueError(f"{name} is {value!r}: allowed are {', '.join(map(repr, allowed))}")
