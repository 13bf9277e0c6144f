"""How a group that meets for board games is made, and the groups in which the engine's beliefs are tried, by name."""

import math
from dataclasses import dataclass, replace

#: Table sizes that `GroupWorld.table_sizes` gives chances to.
SIZES = (2, 3, 4, 5, 6)
#: Ways in which a game's results are written down, as in `GroupWorld.sources`.
SOURCES = ("scores", "ranks", "flag")
#: Beliefs that can be made true; the first three by how much sensitivity grows with each, the last by gaps of scores.
MECHANISMS = ("weight", "confidence", "duration", "margin")

_COUNTS = {"people": 2, "games": 1, "plays": 1, "cooperative_games": 0, "lowest_games": 0}
_AT_LEAST_0 = (lambda x: x >= 0, "of at least 0")
_SHARE = (lambda x: 0 <= x <= 1, "in [0, 1]")
# Beyond an exponent of 2 a single play decides everything.
_STRENGTH = (lambda x: -2 <= x <= 2, "in [-2, 2]")
_ALLOWED = {
    "spread": _AT_LEAST_0,
    "years": (lambda x: 0 < x <= 100, "above 0, at most 100"),
    "plays_an_evening": (lambda x: 1 <= x <= 20, "in [1, 20]"),
    "popularity": (lambda x: 0 <= x <= 5, "in [0, 5]"),
    "attendance": (lambda x: 0 <= x <= 5, "in [0, 5]"),
    "guests": _SHARE,
    "guest_gap": (lambda x: -1000 <= x <= 1000, "in [-1000, 1000]"),
    "automata": _SHARE,
    "default_time": _SHARE,
    "durations": _SHARE,
    "drift": _AT_LEAST_0,
    "absence": _SHARE,
    "absence_days": (lambda x: x > 0, "above 0"),
    "length_by_weight": _SHARE,
    "games_differ": (lambda x: 0 <= x <= 2, "in [0, 2]"),
    "weight": _STRENGTH,
    "confidence": _STRENGTH,
    "duration": _STRENGTH,
    "margin": _SHARE,
}


@dataclass(frozen=True)
class GroupWorld:
    """How a group is made; by default one much like real ones, in which no belief about sensitivity is true.

    A seat's performance is sensitivity x strength plus noise, so that two seats of a play finish in an order that
    follows the logistic curve exactly: P = 1 / (1 + 10^(-a (r_i - r_j) / 400)), a the sensitivity of the play. It is
    a = exp(weight z(W) + confidence z(C) + duration z(D) + games_differ u), divided so that its mean square over the
    competitive plays is 1: z is the standardised value over these plays, u a normal number of the game. A belief with
    the strength 0 is false.

    Attributes
    ----------
    people : int
        Known people m, at least 2 and at least the largest table.
    spread : float
        Standard deviation of their strengths at the start, points, at least 0; the mean is 1000.
    games : int
        Games on the shelf, at least 1.
    popularity : float
        Sigma of the lognormal weight with which games are chosen, in [0, 5]; 0: all alike.
    cooperative_games, lowest_games : int
        How many of them are cooperative (their plays tell nothing of strengths), and how many of the others are won by
        the lowest score.
    plays : int
        Plays, at least 1.
    years : float
        Over which they are spread, above 0, at most 100.
    plays_an_evening : float
        Mean number of plays of a day on which the group meets, in [1, 20].
    table_sizes : tuple of 5 floats
        Chances of tables of 2 to 6, at least 0, in any unit.
    attendance : float
        Sigma of the lognormal weight with which people come, in [0, 5]; 0: all alike. It does not depend on strength.
    guests : float
        Chance of each seat beyond the second to hold an unknown guest, in [0, 1].
    guest_gap : float
        How much stronger guests are than known people on average, points; their spread is that of known people.
    automata : float
        Share of the guests that are automata, in [0, 1].
    default_time : float
        Share of days logged without times, at 10:00:00, in [0, 1].
    durations : float
        Share of plays with a logged duration, in [0, 1].
    drift : float
        Points per square root of a day by which strengths wander (Wiener), at least 0.
    absence : float
        Share of people who stay away for a stretch (unless a table could not be filled without them), in [0, 1].
    absence_days : float
        Length of the stretch, days, above 0.
    sources : tuple of 3 floats
        Chances of a game to be written down by scores, by ranks, or by marking the winner alone, in any unit.
    length_by_weight : float
        Correlation of a game's length with its complexity (both as normal scores), in [0, 1].
    games_differ : float
        Standard deviation of the log sensitivity among games that has nothing to do with what is said of them, in
        [0, 2].
    weight, confidence, duration : float
        How sensitivity grows with the game's weight W, with the table's mean familiarity, with sqrt(minutes/60) up to
        1: exponent for one standard deviation, in [-2, 2]. Below 0 the belief is the wrong way round.
    margin : float
        Share of the gaps of scores that follows the gaps of performances, in [0, 1]; the rest is drawn without regard
        to them, in the right order. (The order itself tells something at tables of three and more: who is three places
        behind has a wider gap, and is more often the weaker one. With tables of two, gaps tell nothing where the
        belief is false.)

    Raises
    ------
    ValueError
        Naming the setting, its value and what is allowed.

    Source
    ------
    Own. Choice by performances with Gumbel noise: Yellott, Journal of Mathematical Psychology 15 (1977).

    Examples
    --------
    >>> GroupWorld(margin=1.5)
    Traceback (most recent call last):
    ...
    ValueError: margin is 1.5: it must be a finite number in [0, 1]
    """

    people: int = 12
    spread: float = 60.0
    games: int = 30
    popularity: float = 1.0
    cooperative_games: int = 0
    lowest_games: int = 2
    plays: int = 600
    years: float = 3.0
    plays_an_evening: float = 2.5
    table_sizes: tuple[float, ...] = (0.15, 0.3, 0.35, 0.15, 0.05)
    attendance: float = 1.0
    guests: float = 0.05
    guest_gap: float = 0.0
    automata: float = 0.0
    default_time: float = 0.5
    durations: float = 0.6
    drift: float = 0.0
    absence: float = 0.2
    absence_days: float = 200.0
    sources: tuple[float, ...] = (0.6, 0.25, 0.15)
    length_by_weight: float = 0.5
    games_differ: float = 0.0
    weight: float = 0.0
    confidence: float = 0.0
    duration: float = 0.0
    margin: float = 0.0

    def __post_init__(self) -> None:
        for name, least in _COUNTS.items():
            value = getattr(self, name)
            if isinstance(value, bool) or not isinstance(value, int) or value < least:
                raise ValueError(f"{name} is {value!r}: it must be a whole number of at least {least}")
        for name, (allowed, words) in _ALLOWED.items():
            value = getattr(self, name)
            if not (_is_number(value) and allowed(value)):
                raise ValueError(f"{name} is {value!r}: it must be a finite number {words}")
        for name, length in (("table_sizes", len(SIZES)), ("sources", len(SOURCES))):
            _check_chances(name, getattr(self, name), length)
        self._check_together()

    def _check_together(self) -> None:
        largest = max(size for size, chance in zip(SIZES, self.table_sizes, strict=True) if chance)
        if self.people < largest:
            raise ValueError(f"people is {self.people}: at least {largest} are needed, the largest table")
        if self.cooperative_games + self.lowest_games > self.games:
            raise ValueError(
                f"cooperative_games is {self.cooperative_games} and lowest_games {self.lowest_games}: together they "
                f"must be at most {self.games}, the number of games"
            )
        if self.evenings > self.days:
            raise ValueError(
                f"plays is {self.plays}, plays_an_evening {self.plays_an_evening:g} and years {self.years:g}: these "
                f"are {self.evenings} days of play, at most {self.days} are allowed"
            )

    @property
    def days(self) -> int:
        """Length in days, at least 1."""
        return max(1, round(365.25 * self.years))

    @property
    def evenings(self) -> int:
        """Days on which the group meets."""
        return math.ceil(self.plays / self.plays_an_evening)

    @property
    def beliefs(self) -> tuple[str, ...]:
        """Which of `MECHANISMS` are true."""
        return tuple(name for name in MECHANISMS if getattr(self, name) > 0)


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)


def _check_chances(name: str, values: object, length: int) -> None:
    whole = isinstance(values, tuple) and len(values) == length
    if not whole or not all(_is_number(value) and value >= 0 for value in values) or not sum(values) > 0:
        raise ValueError(f"{name} is {values!r}: it must be {length} chances of at least 0, not all 0")


_PLAIN = GroupWorld()

#: Settings by name; each changes one thing in `plain`. Sizes are changed by `dataclasses.replace`.
#:
#: 0.5 means that a play one standard deviation above the mean tells 1.65 times as much of strengths as an average one,
#: and one below 0.61 times: a belief worth holding if it were true.
GROUPS: dict[str, GroupWorld] = {
    "plain": _PLAIN,
    "weight": replace(_PLAIN, weight=0.5),
    "confidence": replace(_PLAIN, confidence=0.5),
    "duration": replace(_PLAIN, duration=0.5),
    "margin": replace(_PLAIN, margin=1.0),
    "all": replace(_PLAIN, weight=0.5, confidence=0.5, duration=0.5, margin=1.0),
    # Games do differ, but what is said of their weight has nothing to do with it.
    "unrelated": replace(_PLAIN, games_differ=0.5),
    "reversed": replace(_PLAIN, weight=-0.5),
    # Twice as far apart as people of real groups seem to be.
    "wide": replace(_PLAIN, spread=120.0),
    # 66 points, the whole spread, over three years.
    "drifting": replace(_PLAIN, drift=2.0),
    # Nobody is better than anybody: what a method finds here is not there.
    "coin": replace(_PLAIN, spread=0.0),
}

#: What each group has that the plain one has not, in words.
ADDS: dict[str, str] = {
    "plain": "every play tells as much of strengths as any other, gaps of scores tell nothing",
    "weight": "heavy and skilful games tell more",
    "confidence": "tables that know the game tell more",
    "duration": "long plays tell more",
    "margin": "gaps of scores are gaps of performances",
    "all": "all four",
    "unrelated": "some games tell more, but not those that are said to be heavy",
    "reversed": "heavy and skilful games tell less",
    "wide": "people are twice as far apart",
    "drifting": "strengths wander as far over three years as people are apart",
    "coin": "nobody is better than anybody",
}
