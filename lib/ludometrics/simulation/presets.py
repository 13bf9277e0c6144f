"""The players and the ladders of the draughts studies."""

from ludometrics.draughts import LEVELS, MEDIUM_B, OFFLINE_RATINGS, Level
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

_COURSE, _NINE = LEVELS["inferred"], LEVELS["nine"]

#: Ladders by name: the course's three levels, as inferred, and nine at even steps. Ratings in Elo points, from the same
#: measurement.
LADDERS: dict[str, Ladder] = {
    "course": Ladder(
        keys=tuple(_COURSE),
        levels=tuple(_COURSE.values()),
        names=tuple(LEVEL_NAMES[key] for key in _COURSE),
        ratings=tuple(OFFLINE_RATINGS[key] for key in _COURSE),
        variant_key="medium",
        variant_b=MEDIUM_B,
    ),
    "nine": Ladder(
        keys=tuple(_NINE),
        levels=tuple(_NINE.values()),
        names=tuple(LEVEL_NAMES[key] for key in _NINE),
        ratings=tuple(OFFLINE_RATINGS[key] for key in _NINE),
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
