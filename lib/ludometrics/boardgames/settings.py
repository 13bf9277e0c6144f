"""Every number and switch of the board-game engine, in one frozen object, and the two presets.

Each field says whose value it is: [author] stands in the description of the published engine, [inferred] is implied
by it, [ours] fills what it leaves open. Two presets are kept: `bgelo`, the published engine as faithfully as its
description allows, and `tuned`, with the smaller prior that forecasts of real groups ask for and a gate before it.
"""

import math
from dataclasses import dataclass, fields, replace
from typing import Literal, get_args, get_origin, get_type_hints

#: Bounds of the numbers, far beyond all sense, within which no arithmetic overflows: points, factors, minutes, counts.
_MOST: dict[str, int] = {
    **dict.fromkeys(("start", "deviation", "floor", "absence", "drift"), 100_000),
    **dict.fromkeys(("weight_base", "weight_complexity", "weight_skill", "margin_low", "margin_high"), 1_000),
    **dict.fromkeys(("familiarity_half", "margin_full"), 1_000),
    "full_minutes": 10_000,
    **dict.fromkeys(("margin_scores", "margin_plays"), 1_000_000),
}
#: Points below which squares could be lost to rounding.
_LEAST_DEVIATION = 0.001
#: Whole numbers beyond it cannot be shown as others are.
_TOLD = 10**300


@dataclass(frozen=True)
class EngineSettings:
    """Settings of the engine; the defaults are the author's values, with our gate before them.

    Attributes
    ----------
    gate : bool
        Rate only plays between people: no cooperative, no team plays (see `teams`). [ours; the author states none but
        *ignored*]. Off: whatever the finishing order can tell is rated.
    teams : {"reject", "across"}
        Team plays behind the gate: not rated, or pairs of different teams only, by 1/(number of opponents). [ours]
    start : float
        Rating of a newcomer and of a guest, points. [author, said of the guest]
    deviation : float
        Deviation of a newcomer and of a guest, and ceiling of all, points. [author]
    floor : float
        Least deviation after a play, points. [ours]
    absence : float
        Points per square root of a day by which a deviation grows between a player's rated plays. [ours]
    drift : float
        Points by which it grows with every rated play besides. [ours: 0]
    per_opponent : bool
        Divide each pair's weight by the number of opponents, so that a table of six moves a rating as a duel does.
        [author]
    guests : {"unknown", "drop"}
        A guest stays in the comparison as a fresh unknown [author], or the seat is taken out and the rest ranked anew.
    unresolved : {"tie", "skip"}
        Losers of a play with nothing but a winner flag: tied [author], or not compared.
    use_weight : bool
        W = weight_base + weight_complexity x complexity + weight_skill x skill, both in 0 to 1.
    weight_base, weight_complexity, weight_skill : float
        0.5, 0.35, 0.65. [author]
    use_confidence : bool
        C = confidence_low + (1 - confidence_low) x familiarity of the table.
    familiarity_half : float
        Earlier plays of the game at which familiarity n/(n + half) is one half. [author: 2]
    confidence_low : float
        C of a table of newcomers. [ours]
    confidence_by : {"mean", "least", "pair"}
        Mean of the known seats, the least familiar seat, or the geometric mean of each pair. [ours: mean]
    owner_experience : bool
        Count the owner's plays before the log began. [ours: off]
    new_player_resets : bool
        A seat marked as a first play has familiarity 0. [ours: off]
    use_margin : bool
        G between margin_low and margin_high by the gap of the scores over the game's usual spread.
    margin_low, margin_high : float
        0.8, 1.2. [author]
    margin_full : float
        Standard deviations at which G is full. [author: 3]
    margin_scores, margin_plays : int
        Scores and plays from which the spread is trusted. [author: 6 and 2]
    margin_spread : {"all", "within"}
        Spread of all scores of the game, or within its plays. [ours: all]
    margin_correction : bool
        Divide G by what it was, on average, at such a forecast, so that favourites gain no weight. [ours: off]
    use_duration : bool
        D = sqrt(minutes / full_minutes), at most 1.
    full_minutes : float
        Minutes from which a play counts in full. [author: 60]
    """

    gate: bool = True
    teams: Literal["reject", "across"] = "reject"
    start: float = 1000.0
    deviation: float = 180.0
    floor: float = 45.0
    absence: float = 3.0
    drift: float = 0.0
    per_opponent: bool = True
    guests: Literal["unknown", "drop"] = "unknown"
    unresolved: Literal["tie", "skip"] = "tie"
    use_weight: bool = True
    weight_base: float = 0.5
    weight_complexity: float = 0.35
    weight_skill: float = 0.65
    use_confidence: bool = True
    familiarity_half: float = 2.0
    confidence_low: float = 0.5
    confidence_by: Literal["mean", "least", "pair"] = "mean"
    owner_experience: bool = False
    new_player_resets: bool = False
    use_margin: bool = True
    margin_low: float = 0.8
    margin_high: float = 1.2
    margin_full: float = 3.0
    margin_scores: int = 6
    margin_plays: int = 2
    margin_spread: Literal["all", "within"] = "all"
    margin_correction: bool = False
    use_duration: bool = True
    full_minutes: float = 60.0

    def __post_init__(self) -> None:
        hints = get_type_hints(type(self))
        for item in fields(self):
            _check_field(item.name, getattr(self, item.name), hints[item.name])
            if item.name in _MOST:
                _check_bound(item.name, getattr(self, item.name), _MOST[item.name])
            if hints[item.name] is float:  # a whole number is the same setting, and the loops want one type
                object.__setattr__(self, item.name, float(getattr(self, item.name)))
        if 0.0 < self.deviation < _LEAST_DEVIATION:
            raise ValueError(f"deviation is {self.deviation:.6g}: it must be at least {_LEAST_DEVIATION}")
        if not 0.0 < self.floor <= self.deviation:
            raise ValueError(
                f"floor is {self.floor:g} and deviation {self.deviation:g}: 0 < floor <= deviation is needed"
            )
        for name in ("absence", "drift", "weight_base", "weight_complexity", "weight_skill", "margin_low"):
            if getattr(self, name) < 0.0:
                raise ValueError(f"{name} is {getattr(self, name):g}: it must be at least 0")
        for name in ("familiarity_half", "margin_full", "full_minutes", "margin_scores", "margin_plays"):
            if getattr(self, name) <= 0:
                raise ValueError(f"{name} is {getattr(self, name):g}: it must be above 0")
        if not 0.0 <= self.confidence_low <= 1.0:
            raise ValueError(f"confidence_low is {self.confidence_low:g}: it must be in 0 to 1")
        if self.margin_high < self.margin_low:
            raise ValueError(
                f"margin_low is {self.margin_low:g} and margin_high {self.margin_high:g}: they must rise"
            )


def _check_field(name: str, value: object, kind: object) -> None:
    """Raise unless the value is of the kind that the field is declared with; a float may be given as an int."""
    if get_origin(kind) is Literal:
        if value not in get_args(kind):
            allowed = ", ".join(map(repr, get_args(kind)))
            raise ValueError(f"{name} is {value!r}: allowed are {allowed}")
        return
    if kind is bool:
        if not isinstance(value, bool):
            raise ValueError(f"{name} is {value!r}: it must be True or False")
        return
    numbers = int if kind is int else (int, float)
    if (
        isinstance(value, bool)
        or not isinstance(value, numbers)
        or (isinstance(value, float) and not math.isfinite(value))
    ):
        raise ValueError(f"{name} is {value!r}: it must be a finite {'whole ' if kind is int else ''}number")


def _check_bound(name: str, value: float, most: int) -> None:
    if abs(value) > most:
        told = f"{value:.6g}" if isinstance(value, float) or abs(value) < _TOLD else "beyond all numbers"
        raise ValueError(
            f"{name} is {told}: it must be {f'at least -{most} and ' if name == 'start' else ''}at most {most}"
        )


#: The published engine as described; and ours: real groups are forecast best with priors of 100 to 130 points, and only
#: plays of people against each other are rated.
PRESETS: dict[str, EngineSettings] = {
    "bgelo": EngineSettings(gate=False),
    "tuned": EngineSettings(deviation=110.0),
}


def preset(name: str, **changes: object) -> EngineSettings:
    """Settings of a preset, with some fields changed.

    Parameters
    ----------
    name : {"bgelo", "tuned"}
    **changes
        Fields of `EngineSettings`.

    Returns
    -------
    EngineSettings

    Raises
    ------
    ValueError
        No such preset or field, or a value out of range.

    Examples
    --------
    >>> preset("tuned").deviation, preset("bgelo", use_margin=False).use_margin
    (110.0, False)
    """
    if name not in PRESETS:
        raise ValueError(f"preset is {name!r}: allowed are {', '.join(map(repr, PRESETS))}")
    known = {item.name for item in fields(EngineSettings)}
    unknown = sorted(set(changes) - known)
    if unknown:
        raise ValueError(f"{unknown[0]} is no setting: allowed are {', '.join(sorted(known))}")
    return replace(PRESETS[name], **changes)
