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

_COURSE = LEVELS["inferred"]

#: Ladders by name. The ratings were measured by `rate_levels_offline`.
LADDERS: dict[str, Ladder] = {
    "course": Ladder(
        keys=tuple(_COURSE),
        levels=tuple(_COURSE.values()),
        names=tuple(LEVEL_NAMES[key] for key in _COURSE),
        ratings=(1140.0, 1500.0, 1810.0),
        variant_key="medium",
        variant_b=MEDIUM_B,
    ),
}
