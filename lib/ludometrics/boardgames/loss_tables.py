"""The losses of many settings on the same pairs of a group's plays, for comparisons, grids and ablations.

Settings may rate other plays and seat other people; they are compared on what all of them forecast.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from ludometrics.boardgames.arrays import Schedule, build_schedule, fill_factors, structure_of
from ludometrics.boardgames.engine import RatedLog, rate, run_pass
from ludometrics.boardgames.finishing import finish_all
from ludometrics.boardgames.judging import (
    ScoredPairs,
    Unit,
    Weighting,
    check_choice,
    play_means,
    score_pairs,
)
from ludometrics.boardgames.records import PlayLog
from ludometrics.boardgames.settings import EngineSettings
from ludometrics.boardgames.weights import GameWeight
from ludometrics.evaluation import MARGIN, compare_many, log_loss


class Replays:
    """A log that is rated under many settings: what depends on the log alone is laid out once.

    Parameters
    ----------
    log : PlayLog
    weights : mapping of str to GameWeight
        Of each game of the log; complexity and skill are taken from them, W is made for each of the settings.
    editions : mapping of str to str, optional
        As in `arrays.build_schedule`.
    """

    def __init__(
        self, log: PlayLog, weights: Mapping[str, GameWeight], editions: Mapping[str, str] | None = None
    ) -> None:
        self.log, self.weights, self.editions = log, dict(weights), editions
        self._schedules: dict[tuple[object, ...], Schedule] = {}

    @classmethod
    def of(cls, rated: RatedLog, editions: Mapping[str, str] | None = None) -> "Replays":
        """Those of a log that has been rated; the editions must be those that it was rated with."""
        replays = cls(rated.log, rated.weights, editions)
        replays._schedules[structure_of(rated.settings)] = rated.schedule
        return replays

    def schedule(self, settings: EngineSettings) -> Schedule:
        """Schedule for the settings, whose factors may be those of others."""
        structure = structure_of(settings)
        if structure not in self._schedules:
            outcomes = finish_all(self.log, settings)
            self._schedules[structure] = build_schedule(
                self.log, outcomes, self.weights, settings, editions=self.editions
            )
        return self._schedules[structure]

    def pairs(
        self, settings: EngineSettings, *, skill: NDArray[np.float64] | None = None, at_mean: str = ""
    ) -> ScoredPairs:
        """Rate the log, and gather the pairs that its forecasts are judged on.

        Parameters
        ----------
        settings : EngineSettings
        skill : ndarray, optional
            Stands for the skill of each game of the schedule.
        at_mean : {"", "weight", "confidence", "duration", "margin"}
            Factor that has its mean, over the rated plays (or pairs with a margin), in all of them.

        Returns
        -------
        ScoredPairs
        """
        check_choice("at_mean", at_mean, ("", "weight", "confidence", "duration", "margin"))
        schedule = self.schedule(settings)
        if skill is not None:
            schedule = replace(schedule, skill=np.asarray(skill, dtype=np.float64)[schedule.game])
        ratings = rate(schedule, settings)
        if at_mean == "margin":
            told = ratings.margin[ratings.margin != 1.0]
            mean = float(told.mean()) if len(told) else 1.0
            level = replace(settings, margin_low=mean, margin_high=mean, margin_correction=False)
            ratings = rate(schedule, level)
        elif at_mean:
            settings = replace(settings, confidence_by="mean") if at_mean == "confidence" else settings
            filled = fill_factors(schedule, settings)
            factor = getattr(filled, at_mean)
            level = np.full(len(factor), factor.mean() if len(factor) else 1.0)
            passed = run_pass(replace(filled, **{at_mean: level}), settings)
            ratings = replace(ratings, forecast=passed.forecast)
        return score_pairs(schedule, ratings)


@dataclass(frozen=True)
class LossTable:
    """Log losses of many settings on the pairs that all of them forecast: k pairs, n settings.

    Attributes
    ----------
    names : tuple of hashables, length n
    play, day : ndarray of int64, shape (k,)
        As in `ScoredPairs`.
    losses : ndarray, shape (k, n)
        Nats.
    left_out : dict of name to int
        Pairs that a setting forecast and that are not compared: another did not, or the pair is not decisive where
        only decisive ones are wanted, or somebody's beginning.
    """

    names: tuple[str, ...]
    play: NDArray[np.int64]
    day: NDArray[np.int64]
    losses: NDArray[np.float64]
    left_out: dict[str, int]

    @cached_property
    def _first(self) -> NDArray[np.int64]:
        return np.flatnonzero(np.diff(self.play, prepend=-1))

    @property
    def n_pairs(self) -> int:
        """Number of pairs k."""
        return len(self.play)

    @property
    def n_plays(self) -> int:
        """Number of plays that the pairs belong to."""
        return len(self._first)

    def rows(self, weighting: Weighting) -> tuple[NDArray[np.float64], NDArray[np.int64], NDArray[np.int64]]:
        """Losses (r, n), play (r,) and day (r,) of what counts once: the plays, by their means, or the pairs."""
        check_choice("weighting", weighting, ("play", "pair"))
        if weighting == "pair":
            return self.losses, self.play, self.day
        means = play_means(self.play, self.losses)
        return means, self.play[self._first], self.day[self._first]

    def columns(self, weighting: Weighting) -> dict[str, NDArray[np.float64]]:
        """Losses by name of the setting, as `evaluation.compare_many` and `evaluation.tune` take them."""
        return dict(zip(self.names, self.rows(weighting)[0].T, strict=True))

    def units(self, weighting: Weighting, unit: Unit) -> NDArray[np.int64]:
        """Unit of each row."""
        check_choice("unit", unit, ("play", "day"))
        return self.rows(weighting)[1 if unit == "play" else 2]


def loss_table(
    replays: Replays, settings: Mapping[str, EngineSettings], *, decisive: bool = True, least_earlier: int = 0
) -> LossTable:
    """Rate a log under each of many settings, and score their forecasts on the same pairs.

    Parameters
    ----------
    replays : Replays
    settings : mapping of name to EngineSettings
        At least one; the first also says which plays are somebody's beginning.
    decisive : bool
        Leave out ties.
    least_earlier : int
        As in `judge_group`.

    Returns
    -------
    LossTable
        Settings may differ in which plays they rate (the gate) or whom they seat (guests): what is compared is what
        all of them forecast, with the same outcome, though each learned from all that it rates.

    Raises
    ------
    ValueError
        No settings, or no pair that all forecast.

    Source
    ------
    Own.
    """
    if not settings:
        raise ValueError("there are no settings: at least one is needed")
    return tabulate_pairs(
        {name: replays.pairs(one) for name, one in settings.items()},
        decisive=decisive,
        least_earlier=least_earlier,
    )


def tabulate_pairs(
    pairs: Mapping[str, ScoredPairs], *, decisive: bool = True, least_earlier: int = 0
) -> LossTable:
    """Score many sets of forecasts on the pairs that all of them have; parameters and errors as in `loss_table`."""
    one = next(iter(pairs.values()))
    kept = one.earlier >= least_earlier
    if decisive:
        kept &= one.outcome != 0.5
    places = {}
    for name, other in pairs.items():
        if np.array_equal(one.pair, other.pair):
            place = np.arange(len(one))
        else:
            place = pd.Index(other.pair).get_indexer(one.pair)
        there = place >= 0
        there[there] = other.outcome[place[there]] == one.outcome[there]
        kept &= there
        places[name] = place
    if not kept.any():
        raise ValueError(
            f"no pair is forecast under all of {', '.join(map(repr, pairs))}: nothing can be compared"
        )
    losses = [
        log_loss(other.forecast[places[name][kept]], one.outcome[kept]) for name, other in pairs.items()
    ]
    left_out = {name: len(other) - int(kept.sum()) for name, other in pairs.items()}
    return LossTable(tuple(pairs), one.play[kept], one.day[kept], np.column_stack(losses), left_out)


def compare_settings(
    table: LossTable,
    baseline: str,
    *,
    unit: Unit = "play",
    weighting: Weighting = "play",
    margin: float = MARGIN,
    replicates: int = 1000,
    level: float = 0.95,
    rng: np.random.Generator,
) -> pd.DataFrame:
    """Compare settings with one of them by the paired differences of their losses.

    Parameters
    ----------
    table : LossTable
    baseline : str
        Name of the setting that the others are compared with.
    unit, weighting
        As in `judge_group`.
    margin, replicates, level, rng
        As in `evaluation.compare`.

    Returns
    -------
    DataFrame
        As `evaluation.compare_many` gives it, with `plays` and `pairs` compared.

    Raises
    ------
    ValueError
        As `evaluation.compare_many`; another unit or weighting.

    Source
    ------
    Own.
    """
    columns, units = table.columns(weighting), table.units(weighting, unit)
    options = {"margin": margin, "replicates": replicates, "level": level}
    compared = compare_many(columns, baseline, units=units, **options, rng=rng)
    return compared.assign(plays=table.n_plays, pairs=table.n_pairs)
