"""The computer's levels as people meet them, and its moves."""

from typing import NamedTuple

import numpy as np

from ludometrics.draughts import LEVELS, MEDIUM_B, START, Level, Move, Position, choose_move
from ludometrics.draughts.levels import OFFLINE_RATINGS
from ludometrics.gamelog.names import LEVEL_NAMES

#: Level under test, and its versions.
TESTED, VERSIONS = "medium", {"A": LEVELS["inferred"]["medium"], "B": MEDIUM_B}


class Opponent(NamedTuple):
    """A level on offer.

    Attributes
    ----------
    key : str
        "easy", "medium", "hard", or "l1" to "l9".
    name : str
        Name for people.
    computer : str
        Name under which its games are saved.
    rating : float
        Elo points, from games among levels.
    level : Level
    """

    key: str
    name: str
    computer: str
    rating: float
    level: Level


def _opponents() -> dict[str, Opponent]:
    named = [(key, level.name, level) for key, level in LEVELS["inferred"].items()]
    named += [(key, f"Level {level.name}", level) for key, level in LEVELS["nine"].items()]
    return {
        key: Opponent(key, name, LEVEL_NAMES[key], OFFLINE_RATINGS[key], level) for key, name, level in named
    }


#: Levels on offer by key: the course's three, then the nine at even steps, each row weakest first.
OPPONENTS = _opponents()


def reply(position: Position, key: str, variant: str | None, *, rng: np.random.Generator) -> Move:
    """Choose the computer's move.

    Parameters
    ----------
    position : Position
        With at least one legal move.
    key : str
        Of `OPPONENTS`.
    variant : {"A", "B"} or None
        Version of the level under test.
    rng : numpy.random.Generator

    Returns
    -------
    Move

    Examples
    --------
    >>> reply(START, "hard", None, rng=np.random.default_rng(1)).captures
    ()
    """
    level = VERSIONS[variant] if variant is not None and key == TESTED else OPPONENTS[key].level
    return choose_move(position, level, rng=rng)


def warm_up() -> None:
    """Have every level choose a move, so that nobody waits for compilation at the first one."""
    for key in OPPONENTS:
        reply(START, key, None, rng=np.random.default_rng(0))
