"""How a world of players is made, and the worlds in which rating systems are compared, by name."""

import math
from dataclasses import dataclass, replace

import numpy as np

_AT_LEAST_0 = (lambda x: x >= 0, "of at least 0")
_SHARE = (lambda x: 0 <= x < 1, "in [0, 1)")
_ALLOWED = {
    "strength_deviation": _AT_LEAST_0,
    "drift": _AT_LEAST_0,
    "newcomers": _SHARE,
    # Beyond a sigma of 5 a few players play everything.
    "activity": (lambda x: 0 <= x <= 5, "in [0, 5]"),
    "assortative": (lambda x: x > 0, "above 0, or None"),
    "draw_share": _SHARE,
    "advantage": (lambda x: True, "of Elo points"),
    "cross_share": (lambda x: 0 <= x <= 1, "in [0, 1]"),
    "clique_deviation": _AT_LEAST_0,
    "intransitivity": _AT_LEAST_0,
}


@dataclass(frozen=True)
class WorldSettings:
    """How a world is made; the defaults are the plain one: strengths that never change, everybody meets everybody.

    Attributes
    ----------
    players : int
        Number of players m, at least 2.
    days : int
        Length, at least 1.
    games : int
        Number of games n, at least 1, evenly spread over the days.
    strength_deviation : float
        Standard deviation of strength at the start, Elo points, at least 0; the mean is 0.
    strengths : tuple of float, length m, or None
        Strengths at the start, Elo points, in place of random ones.
    drift : float
        Points per square root of a day by which strengths wander (Wiener), at least 0.
    newcomers : float
        Share of the players, in [0, 1), who join on a day drawn uniformly; the others are there from the start.
    activity : float
        Sigma of the lognormal weight by which a player is drawn into games, in [0, 5]; 0: all alike. It does not
        depend on strength.
    assortative : float or None
        Elo points, above 0: a pair at gap g is met exp(-g^2 / (2 assortative^2)) times as often as equals; None:
        strength does not matter.
    draw_share : float
        Share of draws between equals, in [0, 1).
    advantage : float
        Elo points that the first player of a pair has on top of its strength.
    cliques : int
        Number of circles of players that rarely meet; 1: no such circles. Player i is in circle i mod cliques.
    cross_share : float
        Share of games between circles, in [0, 1]; 0 where there is only one.
    clique_deviation : float
        Standard deviation of the circles' mean strength, Elo points, at least 0; 0 where there is only one.
    intransitivity : float
        Elo points, at least 0: player i with angle a_i has intransitivity * sin(a_i - a_j) more against j than
        strength says, so that some groups of three beat each other in a ring.

    Raises
    ------
    ValueError
        Naming the setting, its value and what is allowed.

    Examples
    --------
    >>> WorldSettings(draw_share=1.2)
    Traceback (most recent call last):
    ...
    ValueError: draw_share is 1.2: it must be a finite number in [0, 1)
    """

    players: int = 60
    days: int = 100
    games: int = 6000
    strength_deviation: float = 200.0
    strengths: tuple[float, ...] | None = None
    drift: float = 0.0
    newcomers: float = 0.0
    activity: float = 0.0
    assortative: float | None = None
    draw_share: float = 0.0
    advantage: float = 0.0
    cliques: int = 1
    cross_share: float = 0.0
    clique_deviation: float = 0.0
    intransitivity: float = 0.0

    def __post_init__(self) -> None:
        for name, least in (("players", 2), ("days", 1), ("games", 1), ("cliques", 1)):
            value = getattr(self, name)
            if isinstance(value, bool) or not isinstance(value, int | np.integer) or value < least:
                raise ValueError(f"{name} is {value!r}: it must be a whole number of at least {least}")
        for name, (allowed, words) in _ALLOWED.items():
            value = getattr(self, name)
            if name == "assortative" and value is None:
                continue
            number = isinstance(value, int | float | np.number) and not isinstance(value, bool)
            if not (number and math.isfinite(value) and allowed(value)):
                raise ValueError(f"{name} is {value!r}: it must be a finite number {words}")
        self._check_together()

    def _check_together(self) -> None:
        if self.strengths is not None:
            if len(self.strengths) != self.players or not all(map(math.isfinite, self.strengths)):
                raise ValueError(f"strengths is {self.strengths!r}: {self.players} finite numbers are needed")
            if self.clique_deviation:
                raise ValueError(
                    f"clique_deviation is {self.clique_deviation:g}: it must be 0 where strengths are given"
                )
        if self.cliques == 1:
            for name in ("cross_share", "clique_deviation"):
                if getattr(self, name):
                    raise ValueError(f"{name} is {getattr(self, name):g}: it must be 0 where cliques is 1")
        there = self.players - self.n_newcomers
        if there < 2 * self.cliques:
            raise ValueError(
                f"players is {self.players}, newcomers {self.newcomers:g}, cliques {self.cliques}: {there} players "
                f"are there from the start, at least {2 * self.cliques} are needed, two for each clique"
            )

    @property
    def n_newcomers(self) -> int:
        """How many players join later: those with the highest indices."""
        return round(self.newcomers * self.players)


_STATIC = WorldSettings()

#: Strengths of the draughts course's eight players, Elo points, strongest first: measured in games of their depth and
#: carelessness against neighbouring levels (results/draughts_levels/levels.csv, with which a test compares them).
COURSE_STRENGTHS: tuple[float, ...] = (1570.6, 1428.8, 1318.8, 1314.4, 1184.2, 744.3, 734.1, 728.1)

#: Settings by name; each changes one thing in `static`. Sizes are changed by `dataclasses.replace`.
#:
#: 60 players have 200 games each in 100 days, which tell a strength that stays put to 30 points at best
#: (1/sqrt(200 q^2 0.17), q = ln(10)/400, 0.17 being the mean of E (1 - E)): a spread of 200 can be put in order.
PRESETS: dict[str, WorldSettings] = {
    "static": _STATIC,
    # 80 points over the whole time, 0.4 of the spread: who never forgets is then clearly wrong at the end, while old
    # games still tell much (first and last strengths correlate by 0.93). With two games a day the best that can be
    # tracked is 49 points (sqrt(drift / (q sqrt(2 x 0.17)))), so that memory has to be weighed against noise.
    "drifting": replace(_STATIC, drift=8.0),
    # Half of the players join later: on average with 50 days left.
    "newcomers": replace(_STATIC, newcomers=0.5),
    # The most active tenth has 0.39 of all weight; the middle nine tenths span a factor of 27.
    "unequal": replace(_STATIC, activity=1.0),
    # More than in most games, less than among the best at chess: what draws do should be seen.
    "draws": replace(_STATIC, draw_share=0.4),
    # Twice that of the baseball example of Agresti (52 points at home), so that it is seen.
    "first_move": replace(_STATIC, advantage=100.0),
    # 120 games hold four circles of 15 together: a circle's level is known to about 57 points at best, a third of
    # the spread of these levels.
    "cliques": replace(_STATIC, cliques=4, cross_share=0.02, clique_deviation=150.0),
    # The ring's part of a gap has a standard deviation of 141 points, beside 283 of strength.
    "intransitive": replace(_STATIC, intransitivity=200.0),
    # As many games, days and players as the draughts course had, but all among the eight (there 480 of the 560 are
    # against levels of the computer: `draughts_days` plays that). No draws: with draws counted as half the measured
    # ratings foretell the true scores, which Davidson's draws would flatten.
    "course": WorldSettings(players=8, days=20, games=560, strengths=COURSE_STRENGTHS),
}

#: What each world has that the plain one has not, in words.
ADDS: dict[str, str] = {
    "static": "strengths that never change, everybody meets everybody",
    "drifting": "strengths wander by 80 points over the whole time",
    "newcomers": "half of the players join on the way",
    "unequal": "a few play much, many little",
    "draws": "equals draw four games in ten",
    "first_move": "the first player is 100 points better",
    "cliques": "four circles, two games in a hundred between them",
    "intransitive": "rock, paper, scissors beside strength",
    "course": "twenty days, 560 games, the eight players of the draughts course",
}
