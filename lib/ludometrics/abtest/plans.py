"""Plans: what a test is to find, with how many games, written down before the first game and never changed."""

import json
import math
import os
from dataclasses import asdict, dataclass, fields
from datetime import date
from hashlib import sha256
from pathlib import Path
from typing import Any, Literal

import numpy as np

from ludometrics.abtest.planning import MOST, design_power, games_needed, players_needed
from ludometrics.abtest.trial import ASSIGNMENTS, UNIT_OF
from ludometrics.abtest.verdicts import LEAST_PLAYERS
from ludometrics.gamelog.rows import doubled_field
from ludometrics.provenance import write_bytes

_DIFFERENCE = ("a difference in score (not points) above 0, at most 1", lambda x: 0 < x <= 1)
_COUNT = (f"a whole number from 1 to {MOST:,}", lambda x: 1 <= x <= MOST)
_INSIDE_0_1 = ("above 0, below 1", lambda x: 0 < x < 1)
_RANGES = {
    "experiment": ("text that is not empty", lambda x: bool(x.strip())),
    "level": ("text that is not empty", lambda x: bool(x.strip())),
    "design": ("'between' or 'within'", lambda x: x in ("between", "within")),
    "assignment": (", ".join(map(repr, ASSIGNMENTS)), lambda x: x in ASSIGNMENTS),
    "players": _COUNT,
    "games_each": _COUNT,
    "effect": _DIFFERENCE,
    "margin": _DIFFERENCE,
    "alpha": _INSIDE_0_1,
    "power": _INSIDE_0_1,
    "sd": ("above 0, at most 0.5 (in score, not points)", lambda x: 0 < x <= 0.5),
    "icc": ("at least 0, below 1", lambda x: 0 <= x < 1),
    "correlation": ("above -1, below 1", lambda x: -1 < x < 1),
}
_KINDS = {
    str: "text",
    int: "a whole number",
    float: "a number",
    bool: "true or false",
    date: "a date YYYY-MM-DD",
}


@dataclass(frozen=True, kw_only=True)
class Plan:
    """What was decided before the first game of a test.

    Attributes
    ----------
    experiment : str
        Name of the test, as it is dealt out.
    level : str
        Level of the computer whose versions are compared.
    design : {"between", "within"}
        Whether a player meets one version or both.
    assignment : {"hash", "blocked", "game", "alternate"}
        How versions are dealt: to players by hash or in blocks (between), to each game or in pairs of games (within).
    players : int
        Of both versions together.
    games_each : int
        Games of a player in all.
    effect : float
        Difference in score to be found, above 0.
    alpha, power : float
        Chance of a false alarm (two-sided), and wanted chance to find the effect.
    sd : float
        Standard deviation of a game's score that was reckoned with.
    icc : float
        Correlation of two games of one player that was reckoned with.
    correlation : float
        Of players' means with their ratings before the test; 0: ratings are not used.
    margin : float
        Difference in score below which versions count as equal.
    sequential : bool
        Whether results are looked at on the way, by a confidence sequence.
    decided_on : date
    note : str

    Raises
    ------
    ValueError
        Naming the field, its value and what is allowed.

    Examples
    --------
    >>> plan = Plan(experiment="medium-randomness", design="within", assignment="alternate", players=8, games_each=100,
    ...             effect=0.05, sd=0.3, icc=0.35, decided_on=date(2026, 10, 1))
    >>> plan.planned_games, round(plan.expected_power, 3)
    (800, 0.831)
    """

    experiment: str
    level: str = "medium"
    design: Literal["between", "within"]
    assignment: Literal["hash", "blocked", "game", "alternate"]
    players: int
    games_each: int
    effect: float
    alpha: float = 0.05
    power: float = 0.8
    sd: float
    icc: float
    correlation: float = 0.0
    margin: float = 0.05
    sequential: bool = False
    decided_on: date
    note: str = ""

    def __post_init__(self) -> None:
        for field in fields(self):
            kind = field.type if isinstance(field.type, type) else str
            value = _check(field.name, getattr(self, field.name), kind)
            object.__setattr__(self, field.name, value)
        if UNIT_OF[self.assignment] != self.design:
            allowed = [name for name in ASSIGNMENTS if UNIT_OF[name] == self.design]
            raise ValueError(
                f"assignment is {self.assignment!r} in a design {self.design!r}: "
                f"allowed are {', '.join(map(repr, allowed))}"
            )
        least = LEAST_PLAYERS * (2 if self.design == "between" else 1)
        if self.players < least:
            raise ValueError(
                f"players is {self.players}: at least {least} are needed, {LEAST_PLAYERS} in each group, for a verdict"
            )
        if self.alpha >= 0.5:
            raise ValueError(f"alpha is {self.alpha!r}: it must lie between 0 and 0.5")
        if self.power <= self.alpha:
            raise ValueError(f"power is {self.power!r}: it must be above alpha ({self.alpha!r})")
        _ = self.expected_power  # refuses too few players or games for the design

    @property
    def planned_games(self) -> int:
        """Games of all players together."""
        return self.players * self.games_each

    @property
    def expected_power(self) -> float:
        """Chance to find the effect with one look at the end; a confidence sequence has a smaller one."""
        return design_power(
            _design_of(self.design, self.assignment),
            self.effect,
            players=self.players,
            games_each=self.games_each,
            sd=self.sd,
            icc=self.icc,
            alpha=self.alpha,
            correlation=self.correlation,
        )


def make_plan(
    experiment: str,
    *,
    design: Literal["between", "within"],
    effect: float,
    sd: float,
    icc: float,
    decided_on: date,
    power: float = 0.8,
    alpha: float = 0.05,
    correlation: float = 0.0,
    players: int | None = None,
    games_each: int | None = None,
    assignment: Literal["hash", "blocked", "game", "alternate"] | None = None,
    **others: Any,
) -> Plan:
    """Make a plan from the number of players or of games, and compute the other one.

    Parameters
    ----------
    players, games_each : int
        One of them; the other becomes the smallest number that gives the power.
    assignment : str, optional
        None: "hash" between players, "alternate" within.
    experiment, design, effect, sd, icc, decided_on, power, alpha, correlation, **others
        As in `Plan`.

    Returns
    -------
    Plan

    Raises
    ------
    ValueError
        Both numbers or none, a value that is not allowed, or no number is enough.

    Source
    ------
    As `design_power`.

    Examples
    --------
    >>> plan = make_plan("medium-randomness", design="within", effect=0.05, sd=0.3, icc=0.35, players=8,
    ...                  decided_on=date(2026, 10, 1))
    >>> plan.games_each, plan.assignment, round(plan.expected_power, 3)
    (94, 'alternate', 0.808)
    """
    if (players is None) == (games_each is None):
        raise ValueError(
            f"players is {players!r} and games_each {games_each!r}: one must be given, the other None"
        )
    _check("design", design, str)
    if assignment is None:
        assignment = "hash" if design == "between" else "alternate"
    _check("assignment", assignment, str)
    decided = {"effect": effect, "sd": sd, "icc": icc, "power": power, "alpha": alpha}
    decided |= {"correlation": correlation}
    of = _design_of(design, assignment)
    if players is None:
        players = players_needed(of, games_each=games_each, **decided)
    else:
        games_each = games_needed(of, players=players, **decided)
    return Plan(
        experiment=experiment,
        design=design,
        assignment=assignment,
        players=players,
        games_each=games_each,
        decided_on=decided_on,
        **decided,
        **others,
    )


def plan_hash(plan: Plan) -> str:
    """Compute the SHA-256 of a plan's content, in hexadecimal.

    Of its fields as compact JSON in UTF-8 with sorted keys. It finds an edit of the file that keeps the hash there; to
    show others that a plan is the first one, give them the hash before the first game.

    Examples
    --------
    >>> plan = Plan(experiment="x", design="between", assignment="hash", players=200, games_each=10, effect=0.05,
    ...             sd=0.3, icc=0.35, decided_on=date(2026, 10, 1))
    >>> plan_hash(plan)[:12]
    '17f079742d85'

    Source
    ------
    Own.
    """
    compact = json.dumps(_content(plan), separators=(",", ":"), **_JSON)
    return sha256(compact.encode()).hexdigest()


def save_plan(plan: Plan, path: str | os.PathLike[str]) -> Path:
    """Write a plan with its hash, once.

    Parameters
    ----------
    plan : Plan
    path : path
        JSON file; one that holds the same plan is left as it is.

    Returns
    -------
    Path

    Raises
    ------
    ValueError
        The file holds another plan, or something else: a plan is not changed after it was decided.

    Source
    ------
    Own.
    """
    path = Path(path)
    if path.exists():
        there = load_plan(path)
        if there != plan:
            differing = [
                field.name
                for field in fields(Plan)
                if getattr(there, field.name) != getattr(plan, field.name)
            ]
            raise ValueError(
                f"{path.name}: holds another plan of {there.decided_on} ({', '.join(differing)} differ): "
                "a plan is not changed after it was decided; give a new test a new file"
            )
        return path
    content = {"plan": _content(plan), "sha256": plan_hash(plan)}
    return write_bytes(path, (json.dumps(content, indent=2, **_JSON) + "\n").encode())


def load_plan(path: str | os.PathLike[str]) -> Plan:
    """Read a plan and check its hash and every field.

    Parameters
    ----------
    path : path
        As `save_plan` wrote it; spaces and line ends do not matter.

    Returns
    -------
    Plan

    Raises
    ------
    ValueError
        Naming the file, the field, the value and what is allowed: JSON that is broken, a field unknown, missing, given
        twice or of a wrong kind, or a content that was edited after its hash was taken.
    FileNotFoundError
        No such file.

    Source
    ------
    Own.
    """
    name = Path(path).name
    try:
        content = json.loads(Path(path).read_bytes().decode(), object_pairs_hook=_unique)
    except UnicodeDecodeError as error:
        raise ValueError(f"{name}: not UTF-8 at byte {error.start}") from None
    except json.JSONDecodeError as error:
        raise ValueError(
            f"{name}: not JSON at line {error.lineno}, column {error.colno}: {error.msg}"
        ) from None
    except (ValueError, RecursionError) as error:
        raise ValueError(f"{name}: {error}") from None
    _check_keys(name, "the file", content, ("plan", "sha256"))
    known = [field.name for field in fields(Plan)]
    _check_keys(name, "plan", content["plan"], known)
    try:
        plan = Plan(**content["plan"] | {"decided_on": _read_date(content["plan"]["decided_on"])})
    except ValueError as error:
        raise ValueError(f"{name}: {error}") from None
    computed = plan_hash(plan)
    if content["sha256"] != computed:
        raise ValueError(
            f"{name}: sha256 is {content['sha256']!r}, that of its content {computed!r}: "
            "the plan was edited after it was decided; bring back the file as it was"
        )
    return plan


_JSON = {"sort_keys": True, "ensure_ascii": False, "allow_nan": False}


def _design_of(design: str, assignment: str) -> str:
    return "drawn" if assignment == "game" else design


def _content(plan: Plan) -> dict[str, Any]:
    return asdict(plan) | {"decided_on": plan.decided_on.isoformat()}


def _check(name: str, value: Any, kind: type) -> Any:
    """The value as its kind: NumPy's numbers become Python's own, and an int a float where one is wanted."""
    given = value.item() if isinstance(value, np.generic) else value
    if kind is float and type(given) is int and abs(given) < MOST:  # a float may not hold a larger one
        given = float(given)
    right = type(given) is kind and not (kind is float and not math.isfinite(given))
    allowed, holds = _RANGES.get(name, (_KINDS[kind], lambda _: True))
    if not right or not holds(given):
        raise ValueError(f"{name} is {value!r}: allowed is {allowed}")
    if kind is str:
        try:
            given.encode()
        except UnicodeEncodeError:
            raise ValueError(f"{name} is {value!r}: allowed is text that UTF-8 can hold") from None
    return given


def _check_keys(name: str, where: str, content: Any, known: list[str] | tuple[str, ...]) -> None:
    if not isinstance(content, dict):
        raise ValueError(f"{name}: {where} is {content!r}: an object with {', '.join(known)} is wanted")
    for key in content:
        if key not in known:
            raise ValueError(f"{name}: field {key!r} is unknown: allowed are {', '.join(known)}")
    for key in known:
        if key not in content:
            raise ValueError(f"{name}: field {key!r} is missing: all of {', '.join(known)} are wanted")


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    if (twice := doubled_field(pairs)) is not None:
        raise ValueError(f"field {twice!r} is given twice: once is allowed")
    return dict(pairs)


def _read_date(value: Any) -> Any:
    """The date, or the value itself where it is none, for the plan to refuse."""
    try:
        day = date.fromisoformat(value)
    except (TypeError, ValueError):
        return value
    return day if day.isoformat() == value else value  # not as a week, nor without hyphens
