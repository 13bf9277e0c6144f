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
# Chosen by `select_levels` at even steps up to about 1700, out of 35 candidates: results/draughts_levels/levels.csv,
# with which a test compares these ratings. A ladder that ends higher has wider steps, and few players need its top;
# where it ends was settled with the simulation's eight players in view.
_NINE = (
    (Level(1, 0.80), 728.1),
    (Level(2, 0.80), 842.2),
    (Level(2, 0.60), 964.0),
    (Level(4, 0.50), 1063.0),
    (Level(2, 0.30), 1184.2),
    (Level(2, 0.15), 1314.4),
    (Level(4, 0.15), 1438.7),
    (Level(4, 0.05), 1570.6),
    (Level(6, 0.05), 1715.1),
)

#: Ladders by name: the course's three levels, as inferred, and nine at even steps. Ratings in Elo points, from the same
#: measurement.
LADDERS: dict[str, Ladder] = {
    "course": Ladder(
        keys=tuple(_COURSE),
        levels=tuple(_COURSE.values()),
        names=tuple(LEVEL_NAMES[key] for key in _COURSE),
        ratings=(1148.3, 1500.0, 1796.0),
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


def ladder_name(ladder: Ladder) -> str:
    """Name of a ladder in `LADDERS`, by which tables of what players truly score tell ladders apart.

    Parameters
    ----------
    ladder : Ladder
        Equal to one of them, ratings included.

    Returns
    -------
    str

    Raises
    ------
    ValueError
        A ladder that is none of them.

    Examples
    --------
    >>> ladder_name(LADDERS["nine"])
    'nine'

    Source
    ------
    Own.
    """
    for name, known in LADDERS.items():
        if known == ladder:
            return name
    raise ValueError(f"a ladder of levels {', '.join(ladder.keys)}: it equals none of {', '.join(LADDERS)}")
