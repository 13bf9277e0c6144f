"""The numbers of the engine tried out: each by itself and a few together, by the log loss of walk-forward forecasts.

Among many settings some look better by chance. `sweep` therefore says what each does against the settings in use, with
paired intervals, and `choose` takes one on the first two thirds of the plays and reports it on the last.
"""

from collections.abc import Mapping, Sequence
from dataclasses import fields, replace
from typing import NamedTuple

import numpy as np
import pandas as pd

from ludometrics.boardgames.judging import Unit, Weighting
from ludometrics.boardgames.loss_tables import LossTable, Replays, compare_settings, loss_table
from ludometrics.boardgames.settings import EngineSettings
from ludometrics.evaluation import MARGIN, Comparison, Tuning, compare, split, tune
from ludometrics.ratings.sweep import settings_grid

#: Name of the settings that all others are compared with.
IN_USE = "in use"


class Knob(NamedTuple):
    """A number of the engine and the values that are tried.

    Attributes
    ----------
    name : str
    fields : tuple of str
        Fields of `EngineSettings` that it sets: one, or two that go together.
    values : tuple of tuple
        One value a field.
    source : {"author", "ours"}
        Whose constant stands in the settings.
    """

    name: str
    fields: tuple[str, ...]
    values: tuple[tuple[float, ...], ...]
    source: str


def _knob(name: str, values: Sequence[float], source: str) -> Knob:
    return Knob(name, (name,), tuple((value,) for value in values), source)


#: Values on both sides of every constant.
KNOBS: tuple[Knob, ...] = (
    _knob("deviation", (60.0, 80.0, 100.0, 110.0, 130.0, 150.0, 180.0, 220.0, 280.0, 350.0), "author"),
    _knob("floor", (15.0, 30.0, 45.0, 60.0), "ours"),
    _knob("absence", (0.0, 1.0, 2.0, 3.0, 5.0, 8.0), "ours"),
    _knob("drift", (0.0, 2.0, 5.0, 10.0, 20.0), "ours"),
    _knob("weight_base", (0.25, 0.5, 0.75, 1.0), "author"),
    _knob("weight_complexity", (0.0, 0.2, 0.35, 0.5, 0.7), "author"),
    _knob("weight_skill", (0.0, 0.3, 0.65, 1.0, 1.3), "author"),
    _knob("familiarity_half", (0.5, 1.0, 2.0, 4.0, 8.0), "author"),
    _knob("confidence_low", (0.0, 0.25, 0.5, 0.75, 1.0), "ours"),
    Knob(
        "margin",
        ("margin_low", "margin_high"),
        ((1.0, 1.0), (0.9, 1.1), (0.8, 1.2), (0.7, 1.3), (0.6, 1.4), (0.4, 1.6)),
        "author",
    ),
    _knob("margin_full", (1.5, 2.0, 3.0, 4.0, 6.0), "author"),
    _knob("margin_scores", (3, 6, 12, 24), "author"),
    _knob("margin_plays", (1, 2, 4, 8), "author"),
    _knob("full_minutes", (15.0, 30.0, 60.0, 90.0, 120.0, 180.0), "author"),
)

#: Small grids of what may trade against each other.
GRIDS: dict[str, dict[str, tuple[float, ...]]] = {
    "prior and clocks": {
        "deviation": (80.0, 110.0, 140.0, 180.0),
        "floor": (30.0, 45.0, 60.0),
        "absence": (0.0, 3.0, 6.0),
    },
    "weight": {"weight_complexity": (0.0, 0.35, 0.7), "weight_skill": (0.0, 0.65, 1.3)},
    "confidence": {"confidence_low": (0.0, 0.5, 1.0), "familiarity_half": (1.0, 2.0, 4.0)},
}


class Candidate(NamedTuple):
    """Settings that are tried: what they are called, the knob and value behind the name, whose constant it is."""

    name: str
    knob: str
    value: str
    source: str
    settings: EngineSettings


class Choice(NamedTuple):
    """Settings chosen on the first part of the plays.

    Attributes
    ----------
    settings : EngineSettings
    tuning : evaluation.Tuning
        Which were chosen and what they lose on the rest.
    against : evaluation.Comparison
        The chosen less the settings in use, on the rest.
    plays, pairs : int
        Of the rest.
    """

    settings: EngineSettings
    tuning: Tuning
    against: Comparison
    plays: int
    pairs: int


def one_at_a_time(base: EngineSettings, knobs: Sequence[Knob] = KNOBS) -> list[Candidate]:
    """Settings that differ from the base in one knob; values that the base has are left out.

    Parameters
    ----------
    base : EngineSettings
    knobs : sequence of Knob

    Returns
    -------
    list of Candidate
        Without those that would put the floor above the deviation.

    Examples
    --------
    >>> [one.name for one in one_at_a_time(EngineSettings(), KNOBS[1:2])]
    ['floor 15', 'floor 30', 'floor 60']
    """
    found = []
    for knob in knobs:
        for values in knob.values:
            changes = dict(zip(knob.fields, values, strict=True))
            wanted = {field: changes.get(field, getattr(base, field)) for field in ("floor", "deviation")}
            if wanted["floor"] > wanted["deviation"] or changes == _of(base, knob.fields):
                continue
            value = "-".join(f"{value:g}" for value in values)
            found.append(
                Candidate(f"{knob.name} {value}", knob.name, value, knob.source, replace(base, **changes))
            )
    return found


def all_together(base: EngineSettings, name: str, axes: Mapping[str, Sequence[float]]) -> list[Candidate]:
    """Settings of all combinations of values but the base's own, as `ratings.sweep.settings_grid` makes them.

    Examples
    --------
    >>> axes = {"deviation": (110.0, 180.0), "absence": (0.0, 3.0)}
    >>> [one.value for one in all_together(EngineSettings(), "clocks", axes)]
    ['deviation 110, absence 0', 'deviation 110, absence 3', 'deviation 180, absence 0']
    """
    table, settings = settings_grid(base, **axes)
    found = []
    for row, one in zip(table.to_dict("records"), settings, strict=True):
        value = ", ".join(f"{axis} {number:g}" for axis, number in row.items())
        if one != base:
            found.append(Candidate(value, name, value, "", one))
    return found


def sweep(
    replays: Replays,
    base: EngineSettings,
    candidates: Sequence[Candidate],
    *,
    decisive: bool = True,
    least_earlier: int = 0,
    unit: Unit = "play",
    weighting: Weighting = "play",
    margin: float = MARGIN,
    replicates: int = 1000,
    level: float = 0.95,
    rng: np.random.Generator,
) -> pd.DataFrame:
    """Compare candidates with the settings in use, over all plays.

    Parameters
    ----------
    replays : Replays
    base : EngineSettings
        In use.
    candidates : sequence of Candidate
        With names that differ.
    decisive, least_earlier
        As in `loss_tables.loss_table`.
    unit, weighting, margin, replicates, level, rng
        As in `loss_tables.compare_settings`.

    Returns
    -------
    DataFrame
        First the settings in use, then one row a candidate: knob, value, source, setting, mean loss, difference from
        those in use (below 0 is better), low, high, n units, verdict, plays, pairs. The intervals hold each for itself.

    Raises
    ------
    ValueError
        No candidates, and as `loss_table` and `compare_settings`.
    """
    table = _losses(replays, base, candidates, decisive=decisive, least_earlier=least_earlier)
    options = {
        "unit": unit,
        "weighting": weighting,
        "margin": margin,
        "replicates": replicates,
        "level": level,
    }
    compared = compare_settings(table, IN_USE, **options, rng=rng)
    first = pd.DataFrame(
        {
            "setting": [IN_USE],
            "loss": [float(table.columns(weighting)[IN_USE].mean())],
            **{name: [0.0] for name in ("difference", "low", "high")},
            "n": compared["n"].iloc[:1],
            "verdict": ["neutral"],
            "plays": [table.n_plays],
            "pairs": [table.n_pairs],
        }
    )
    rows = pd.concat([first, compared], ignore_index=True)
    for place, name in enumerate(("knob", "value", "source")):
        rows.insert(place, name, ["", *(getattr(one, name) for one in candidates)])
    return rows


def choose(
    replays: Replays,
    base: EngineSettings,
    candidates: Sequence[Candidate],
    *,
    decisive: bool = True,
    least_earlier: int = 0,
    unit: Unit = "play",
    weighting: Weighting = "play",
    margin: float = MARGIN,
    replicates: int = 1000,
    level: float = 0.95,
    rng: np.random.Generator,
) -> Choice:
    """Choose among the settings in use and candidates on the first two thirds of the plays, and report on the rest.

    The one nearest to the settings in use is taken that loses no more than one standard error beyond the best: nearest
    by the number of fields that differ, then by how much they do.

    Parameters
    ----------
    replays, base, candidates, decisive, least_earlier, unit, weighting, margin, replicates, level, rng
        As in `sweep`.

    Returns
    -------
    Choice

    Raises
    ------
    ValueError
        As `sweep` and `evaluation.tune`; fewer than three units.
    """
    table = _losses(replays, base, candidates, decisive=decisive, least_earlier=least_earlier)
    settings = {IN_USE: base} | {one.name: one.settings for one in candidates}
    order = sorted(settings, key=lambda name: distance(base, settings[name]))
    columns, units = table.columns(weighting), table.units(weighting, unit)
    report = split(units).report
    options = {"replicates": replicates, "level": level}
    tuned = tune(columns, units, order_of_simplicity=order, **options, rng=rng)
    losses = columns[tuned.chosen][report], columns[IN_USE][report]
    against = compare(*losses, units=units[report], margin=margin, **options, rng=rng)
    plays = np.unique(table.rows(weighting)[1][report])
    return Choice(settings[tuned.chosen], tuned, against, len(plays), int(np.isin(table.play, plays).sum()))


def distance(base: EngineSettings, other: EngineSettings) -> tuple[int, float]:
    """How many fields differ, and the sum of their relative differences: of the larger number, 1 for a switch.

    Examples
    --------
    >>> distance(EngineSettings(), EngineSettings(deviation=90.0, use_margin=False))
    (2, 1.5)
    """
    relative = []
    for item in fields(base):
        old, new = getattr(base, item.name), getattr(other, item.name)
        if old != new:
            numbers = isinstance(old, float) or (isinstance(old, int) and not isinstance(old, bool))
            relative.append(abs(new - old) / max(abs(new), abs(old)) if numbers else 1.0)
    return len(relative), float(sum(relative))


def _losses(
    replays: Replays,
    base: EngineSettings,
    candidates: Sequence[Candidate],
    *,
    decisive: bool,
    least_earlier: int,
) -> LossTable:
    names = [IN_USE, *(one.name for one in candidates)]
    if len(names) < 2 or len(set(names)) < len(names):
        raise ValueError(f"candidates are {names[1:]}: at least one is needed, and names that differ")
    settings = dict(zip(names, [base, *(one.settings for one in candidates)], strict=True))
    return loss_table(replays, settings, decisive=decisive, least_earlier=least_earlier)


def _of(settings: EngineSettings, names: Sequence[str]) -> dict[str, object]:
    return {name: getattr(settings, name) for name in names}
