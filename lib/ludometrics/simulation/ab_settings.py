"""What an A/B test of a level looks like: who gets which version, how games come about, and what is true."""

from dataclasses import dataclass, replace

from ludometrics.simulation.outcome_tables import COURSE_TYPES, TYPES, VERSIONS

ASSIGNMENTS = ("hash", "names", "game", "alternate", "blocked")
EXPOSURES = ("matching", "fixed")


@dataclass(frozen=True)
class ABSettings:
    """One way to run the test.

    Attributes
    ----------
    assignment : {"hash", "names", "game", "alternate", "blocked"}
        "hash": each player has one version, a fair coin drawn anew in each replication, as a hash with a random salt
        would give. "names": the course's hash of the course's eight names, always the same. "game": a fair coin each
        game. "alternate": of every two games that a player has with the same colour one is against A and one against
        B, in random order. "blocked": players in pairs by rating before the experiment, one of each pair with each
        version.
    exposure : {"matching", "fixed"}
        "matching": the course's twenty days, on which ratings decide who meets the level under test. "fixed": every
        game is against the level under test.
    players : int
        At least 2. 8: the course's. 24: one of each type. Other numbers: types drawn anew in each replication.
    truth : {"none", "course", "large"}
        Which version B is, see `VERSIONS`.
    games_each : int or None
        Fixed exposure: games of each player, both versions together, at least 1. With `heavy_tail` their mean, at
        least 2. None with matching.
    heavy_tail : bool
        Games of a player are lognormal with sigma 1, rounded, at least 1: a few players play most of the games.
    games_before : int
        Mean games of each player before the experiment, against the course's levels at random; 0: nobody has a
        rating. As unequal as those in the test: who plays much, plays much at both times.
    fixed_order : bool
        With "alternate": A comes first in every pair of games.
    """

    assignment: str = "hash"
    exposure: str = "matching"
    players: int = 8
    truth: str = "none"
    games_each: int | None = None
    heavy_tail: bool = False
    games_before: int = 0
    fixed_order: bool = False

    def __post_init__(self) -> None:
        for name, allowed in (
            ("assignment", ASSIGNMENTS),
            ("exposure", EXPOSURES),
            ("truth", tuple(VERSIONS)),
        ):
            if getattr(self, name) not in allowed:
                wanted = ", ".join(map(repr, allowed))
                raise ValueError(f"{name} is {getattr(self, name)!r}: allowed are {wanted}")
        _check_whole("players", self.players, 2)
        _check_whole("games_before", self.games_before, 0)
        if self.assignment == "names" and self.players != len(COURSE_TYPES):
            raise ValueError(
                f"players is {self.players}: the course's names are those of {len(COURSE_TYPES)}"
            )
        if self.assignment == "blocked" and not self.games_before:
            raise ValueError("games_before is 0: players cannot be paired by a rating that they do not have")
        if self.fixed_order and self.assignment != "alternate":
            raise ValueError(f"fixed_order goes with 'alternate', not with {self.assignment!r}")
        if self.exposure == "fixed":
            _check_whole("games_each", self.games_each, 2 if self.heavy_tail else 1)
        elif self.games_each is not None or self.heavy_tail or self.games_before:
            raise ValueError(
                f"games_each {self.games_each}, heavy_tail {self.heavy_tail}, games_before {self.games_before}: "
                "with matching the days decide who plays how much, from the first day on"
            )


def preset(name: str, players: int, truth: str, games_each: int | None = None) -> ABSettings:
    """A design by name.

    Parameters
    ----------
    name : str
        Key of `PRESETS`.
    players : int
    truth : {"none", "course", "large"}
    games_each : int, optional
        Fixed exposure: games of each player in the test, both versions together, and as many before it. Without it
        32; for other numbers of players than 8 and 24 a mean of 10, heavy-tailed. What is given is the mean there.

    Returns
    -------
    ABSettings

    Raises
    ------
    ValueError
        An unknown name, or settings that do not go together.

    Examples
    --------
    >>> settings = preset("hash_fixed", 200, "course")
    >>> settings.games_each, settings.heavy_tail, settings.games_before
    (10, True, 10)
    >>> preset("alternate_fixed", 8, "large", games_each=128).games_before
    128

    Source
    ------
    Own.
    """
    if name not in _DESIGNS:
        raise ValueError(f"design is {name!r}: allowed are {', '.join(map(repr, _DESIGNS))}")
    assignment, exposure = _DESIGNS[name]
    if exposure == "matching":
        return ABSettings(assignment, exposure, players, truth, games_each)
    heavy_tail = players not in (len(COURSE_TYPES), len(TYPES))
    games = (10 if heavy_tail else 32) if games_each is None else games_each
    return ABSettings(assignment, exposure, players, truth, games, heavy_tail, games_before=games)


def with_truth(settings: ABSettings, truth: str) -> ABSettings:
    """The same test where something else is true.

    Examples
    --------
    >>> with_truth(PRESETS["hash_matching"], "large").truth
    'large'

    Source
    ------
    Own.
    """
    return replace(settings, truth=truth)


def _check_whole(name: str, value: int | None, low: int) -> None:
    if isinstance(value, bool) or not isinstance(value, int) or value < low:
        raise ValueError(f"{name} is {value!r}: it must be a whole number of at least {low}")


_DESIGNS: dict[str, tuple[str, str]] = {
    "hash_matching": ("hash", "matching"),
    "names_matching": ("names", "matching"),
    "game_matching": ("game", "matching"),
    "hash_fixed": ("hash", "fixed"),
    "game_fixed": ("game", "fixed"),
    "alternate_fixed": ("alternate", "fixed"),
    "blocked_fixed": ("blocked", "fixed"),
}

#: Designs by name, with the course's eight players and two equal versions; `preset` gives the others.
PRESETS: dict[str, ABSettings] = {name: preset(name, 8, "none") for name in _DESIGNS}
