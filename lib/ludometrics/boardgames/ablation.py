"""Every mechanism of the engine taken away, one at a time, and some put in the place of others: what does it do to the
forecasts?

A mechanism "helps" where forecasts with it lose less than without it on the same pairs, beyond what the group's plays
leave open; it is "neutral" where the whole interval lies within the margin. A table can be undecided for years.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np
import pandas as pd

from ludometrics.boardgames.judging import ScoredPairs, Unit, Weighting
from ludometrics.boardgames.loss_tables import LossTable, Replays, tabulate_pairs
from ludometrics.boardgames.settings import EngineSettings
from ludometrics.evaluation import MARGIN, compare

COLUMNS = (
    "mechanism",
    "kind",
    "instead_of",
    "loss_with",
    "loss_without",
    "difference",
    "low",
    "high",
    "n",
    "verdict",
    "plays",
    "pairs",
    "changed",
    "left_out_with",
    "left_out_without",
)


class Mechanism(NamedTuple):
    """Something that the engine does, and what it does without it.

    Attributes
    ----------
    name : str
    kind : {"mechanism", "shape", "alternative", "control"}
        A part of the engine; the part against its own mean, so that only what it tells apart counts and not that the
        engine learns faster or slower without it; another way of doing a part; or something that must not do as well.
    instead_of : str
        What is done without it, in words.
    on, off : mapping of field to value
        Settings with it and without. A number in `on` is the one to fall back on: a base whose own differs from `off`
        keeps it.
    at_mean : {"", "weight", "confidence", "duration", "margin"}
        Factor that has its mean over the rated plays instead, without the mechanism.
    """

    name: str
    kind: str
    instead_of: str
    on: Mapping[str, object]
    off: Mapping[str, object]
    at_mean: str = ""


#: Forecasts by settings and by the factor that has its mean in them.
Known = dict[tuple[EngineSettings, str], ScoredPairs]

#: Name of the control that deals the games' skill out anew.
SKILL = "skill of the game"

_WEIGHT, _DURATION = {"use_weight": True}, {"use_duration": True}
_MARGIN, _CONFIDENCE = {"use_margin": True}, {"use_confidence": True}

MECHANISMS: tuple[Mechanism, ...] = (
    Mechanism("game weight W", "mechanism", "W = 1", _WEIGHT, {"use_weight": False}),
    Mechanism("confidence C", "mechanism", "C = 1", _CONFIDENCE, {"use_confidence": False}),
    Mechanism("margin G", "mechanism", "G = 1", _MARGIN, {"use_margin": False}),
    Mechanism("duration D", "mechanism", "D = 1", _DURATION, {"use_duration": False}),
    Mechanism("game weight W, its shape", "shape", "W at its mean", _WEIGHT, _WEIGHT, "weight"),
    Mechanism("confidence C, its shape", "shape", "C at its mean", _CONFIDENCE, _CONFIDENCE, "confidence"),
    Mechanism("margin G, its shape", "shape", "G at its mean", _MARGIN, _MARGIN, "margin"),
    Mechanism("duration D, its shape", "shape", "D at its mean", _DURATION, _DURATION, "duration"),
    Mechanism("aging in absence", "mechanism", "no aging", {"absence": 3.0}, {"absence": 0.0}),
    Mechanism("floor of the deviation", "mechanism", "a floor of 1", {"floor": 45.0}, {"floor": 1.0}),
    Mechanism("guests as unknowns", "mechanism", "guests dropped", {"guests": "unknown"}, {"guests": "drop"}),
    Mechanism(
        "losers tied behind a flag",
        "mechanism",
        "not compared",
        {"unresolved": "tie"},
        {"unresolved": "skip"},
    ),
    Mechanism(
        "weight shared by opponents",
        "mechanism",
        "each pair in full",
        {"per_opponent": True},
        {"per_opponent": False},
    ),
    Mechanism("gate", "mechanism", "all that can be ordered", {"gate": True}, {"gate": False}),
    Mechanism(
        "confidence of the least familiar",
        "alternative",
        "mean of the table",
        _CONFIDENCE | {"confidence_by": "least"},
        _CONFIDENCE | {"confidence_by": "mean"},
    ),
    Mechanism(
        "confidence of each pair",
        "alternative",
        "mean of the table",
        _CONFIDENCE | {"confidence_by": "pair"},
        _CONFIDENCE | {"confidence_by": "mean"},
    ),
    Mechanism(
        "spread within plays",
        "alternative",
        "spread of all scores",
        _MARGIN | {"margin_spread": "within"},
        _MARGIN | {"margin_spread": "all"},
    ),
    Mechanism(
        "margin corrected for the forecast",
        "alternative",
        "margin as it is",
        _MARGIN | {"margin_correction": True},
        _MARGIN | {"margin_correction": False},
    ),
    Mechanism(
        "margin of 0.6-1.4",
        "alternative",
        "margin of 0.8-1.2",
        _MARGIN | {"margin_low": 0.6, "margin_high": 1.4},
        _MARGIN | {"margin_low": 0.8, "margin_high": 1.2},
    ),
    Mechanism(SKILL, "control", "skill dealt out anew", _WEIGHT, _WEIGHT),
)


def ablate(
    replays: Replays,
    base: EngineSettings,
    *,
    mechanisms: Sequence[Mechanism] = MECHANISMS,
    decisive: bool = True,
    least_earlier: int = 0,
    unit: Unit = "play",
    weighting: Weighting = "play",
    shuffles: int = 20,
    margin: float = MARGIN,
    replicates: int = 2000,
    level: float = 0.95,
    rng: np.random.Generator,
) -> pd.DataFrame:
    """Compare the forecasts with and without each mechanism, all else as in the base.

    Parameters
    ----------
    replays : Replays
    base : EngineSettings
    mechanisms : sequence of Mechanism
    decisive, least_earlier
        As in `loss_tables.loss_table`.
    unit, weighting
        As in `judging.judge_group`.
    shuffles : int
        How often the games' skill is dealt out anew among the games that have one, at least 1; losses are averaged.
    margin, replicates, level, rng
        As in `evaluation.compare`.

    Returns
    -------
    DataFrame
        One row a mechanism, with the columns `COLUMNS`: mean log losses with and without it, their difference (below 0:
        it helps) with its paired interval, `n` units, the verdict of `evaluation.give_verdict`, plays and pairs
        compared, and the share of pairs whose forecast it `changed` at all: a mechanism that has nothing to work on
        (durations that nobody logged) is neutral for that reason alone. `left_out_with` and `left_out_without` count
        the pairs that were not compared because the other side has no such pair, or as `LossTable.left_out` says.

    Raises
    ------
    ValueError
        As `loss_tables.loss_table` and `evaluation.compare`; no shuffles.

    Source
    ------
    Own; that shuffled skills must not do as well as the curated ones: the author of bgelo.
    """
    if shuffles < 1:
        raise ValueError(f"shuffles is {shuffles}: it must be at least 1")
    known: Known = {}
    rows = []
    for mechanism, own in zip(mechanisms, rng.spawn(len(mechanisms)), strict=True):
        both = forecast_both(replays, base, mechanism, known, shuffles=shuffles, rng=own)
        table = tabulate_pairs(both, decisive=decisive, least_earlier=least_earlier)
        options = {"margin": margin, "replicates": replicates, "level": level, "rng": own}
        rows.append((*mechanism[:3], *_compare(table, unit, weighting, options)))
    return pd.DataFrame(rows, columns=list(COLUMNS))


def forecast_both(
    replays: Replays,
    base: EngineSettings,
    mechanism: Mechanism,
    known: Known,
    *,
    shuffles: int = 20,
    rng: np.random.Generator,
) -> dict[str, ScoredPairs]:
    """Forecasts with a mechanism ("with") and without it.

    Parameters
    ----------
    replays, base, shuffles, rng
        As in `ablate`.
    mechanism : Mechanism
    known : dict
        Forecasts made before for the same replays, by settings; those made here are added.

    Returns
    -------
    dict of str to ScoredPairs
        "with" first, then "without", or one entry a shuffle.
    """
    with_it, without = with_and_without(base, mechanism)
    for settings, at_mean in ((with_it, ""), (without, mechanism.at_mean)):
        if (settings, at_mean) not in known:
            known[settings, at_mean] = replays.pairs(settings, at_mean=at_mean)
    both = {"with": known[with_it, ""]}
    if mechanism.name == SKILL:
        return both | _shuffled(replays, without, shuffles, rng)
    return both | {"without": known[without, mechanism.at_mean]}


def with_and_without(base: EngineSettings, mechanism: Mechanism) -> tuple[EngineSettings, EngineSettings]:
    """Settings with a mechanism and without it.

    Examples
    --------
    >>> aging = next(one for one in MECHANISMS if one.name == "aging in absence")
    >>> [[x.absence for x in with_and_without(EngineSettings(absence=c), aging)] for c in (5.0, 0.0)]
    [[5.0, 0.0], [3.0, 0.0]]
    """
    on = {
        field: getattr(base, field)
        if len(mechanism.on) == 1
        and isinstance(value, float)
        and getattr(base, field) != mechanism.off[field]
        else value
        for field, value in mechanism.on.items()
    }
    return replace(base, **on), replace(base, **mechanism.off)


def _shuffled(
    replays: Replays, settings: EngineSettings, shuffles: int, rng: np.random.Generator
) -> dict[str, ScoredPairs]:
    """Pairs under the skill of the games dealt out anew among those that have one."""
    games = replays.schedule(settings).games
    skill = np.array([replays.weights[key].skill for key in games], dtype=np.float64)
    has = np.flatnonzero(~np.isnan(skill))
    found = {}
    for number in range(shuffles):
        dealt = skill.copy()
        dealt[has] = skill[rng.permutation(has)]
        found[f"shuffle {number}"] = replays.pairs(settings, skill=dealt)
    return found


def _compare(table: LossTable, unit: Unit, weighting: Weighting, options: dict) -> tuple[object, ...]:
    """Everything of a row after the words: the first setting of a table against the mean of the others."""
    losses, units = table.rows(weighting)[0], table.units(weighting, unit)
    with_it, without = losses[:, 0], losses[:, 1:].mean(axis=1)
    compared = compare(with_it, without, units=units, **options)
    changed = float((table.losses[:, 1:] != table.losses[:, :1]).any(axis=1).mean())
    others = [table.left_out[name] for name in table.names[1:]]
    return (
        float(with_it.mean()),
        float(without.mean()),
        *compared,
        table.n_plays,
        table.n_pairs,
        changed,
        table.left_out["with"],
        max(others),
    )
