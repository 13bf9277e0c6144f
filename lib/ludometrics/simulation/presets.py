"""The players and the ladders of the draughts studies."""

from ludometrics.draughts import LEVELS, MEDIUM_B, Level
from ludometrics.gamelog import LEVEL_NAMES
from ludometrics.simulation.ladder import Ladder

#: The adaptive-draughts course's players, strongest first as intended.
COURSE_PLAYERS: tuple[tuple[str, Level], ...] = (
    ("Sim Ada", Level(4, 0.05)),
    ("Sim Ben", Level(3, 0.10)),
    ("Sim Cat", Level(3, 0.20)),
    ("Sim Dan", Level(2, 0.15)),
    ("Sim Eve", Level(2, 0.30)),
    ("Sim Fin", Level(1, 0.30)),
    ("Sim Gus", Level(1, 0.50)),
    ("Sim Hal", Level(1, 0.80)),
)

#: Levels that a ladder may be chosen from, about weakest first. At depth 1 carelessness makes next to no
#: difference; the wide gap above is filled by depth 2 with much of it.
CANDIDATES: tuple[Level, ...] = tuple(
    Level(depth, chance)
    for depth, chance in (
        *((1, 0.80), (1, 0.30), (2, 0.90), (2, 0.80), (2, 0.70), (2, 0.60), (2, 0.50), (3, 0.50), (4, 0.50)),
        *((2, 0.40), (2, 0.35), (4, 0.40), (2, 0.30), (3, 0.30), (4, 0.30), (2, 0.20), (3, 0.20), (4, 0.20)),
        *((2, 0.10), (3, 0.10), (5, 0.20), (4, 0.15), (2, 0.0), (4, 0.10), (3, 0.0), (5, 0.10), (4, 0.05)),
        *((6, 0.10), (5, 0.05), (4, 0.0), (6, 0.05), (5, 0.0), (6, 0.0)),
    )
)

_COURSE = LEVELS["inferred"]
# The nine that `select_levels` finds among the candidates at even steps up to 1700; the range is that of nearly all
# newcomers under a prior of 1200 +- 350 (from the weakest level there is, 731, up to 1.4 deviations).
_NINE = (
    (Level(1, 0.80), 731.3),
    (Level(2, 0.80), 837.8),
    (Level(2, 0.60), 962.2),
    (Level(2, 0.40), 1098.5),
    (Level(3, 0.30), 1220.6),
    (Level(3, 0.20), 1323.6),
    (Level(4, 0.15), 1438.3),
    (Level(4, 0.05), 1568.9),
    (Level(6, 0.05), 1707.4),
)

#: Ladders by name: the course's three levels, as inferred, and nine at even steps. The ratings were measured by
#: ``rate_levels_offline(CANDIDATES, 1200, rng=named_stream(2026, "levels"), neighbours=6)``, with standard errors of
#: 3 to 7.
LADDERS: dict[str, Ladder] = {
    "course": Ladder(
        keys=tuple(_COURSE),
        levels=tuple(_COURSE.values()),
        names=tuple(LEVEL_NAMES[key] for key in _COURSE),
        ratings=(1145.3, 1500.0, 1792.7),
        variant_key="medium",
        variant_b=MEDIUM_B,
    ),
    "nine": Ladder(
        keys=tuple(f"l{number}" for number in range(1, 10)),
        levels=tuple(level for level, _ in _NINE),
        names=tuple(f"Computer ({number})" for number in range(1, 10)),
        ratings=tuple(rating for _, rating in _NINE),
    ),
}
