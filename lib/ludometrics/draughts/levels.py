"""Levels of computer players: how far they look ahead, and how often they are careless.

A level looks `depth` plies ahead by alpha-beta and then counts: man 100, king 160, +2 for each row a man has gone.
Captures are ordinary moves of the search, which is not prolonged at its end; a side without a move has lost, and a
nearer win is preferred. Repetitions, the 40-move rule and the cap are unknown to the search; the game itself
keeps them exactly. With probability `chance` a level plays carelessly: any legal move, all alike likely.
Equally good moves are chosen between at random. Every game has a random stream of its own.
"""

from dataclasses import dataclass, field

import numpy as np

MAX_DEPTH = 20


def _check_depth(value: object) -> None:
    whole = isinstance(value, int | np.integer) and not isinstance(value, bool)
    if not whole or not 0 <= value <= MAX_DEPTH:
        raise ValueError(f"depth is {value!r}; allowed are the whole numbers 0 to {MAX_DEPTH}")


def _check_chance(value: object) -> None:
    real = isinstance(value, int | float | np.integer | np.floating) and not isinstance(value, bool)
    if not real or not 0 <= value <= 1:
        raise ValueError(f"chance is {value!r}; allowed are the numbers 0 to 1")


@dataclass(frozen=True)
class Level:
    """A computer player.

    Parameters
    ----------
    depth : int
        Plies looked ahead, 0..20; 0 plays any legal move.
    chance : float
        Probability of a careless move, 0..1.
    name : str
        Name for people; does not matter to play.

    Raises
    ------
    ValueError
        If depth or chance is out of range.
    """

    depth: int
    chance: float = 0.0
    name: str = field(default="", compare=False)

    def __post_init__(self) -> None:
        _check_depth(self.depth)
        _check_chance(self.chance)


# Fitted to published scores of a course whose own settings are not known: inferred, never "the course's values".
_INFERRED = {
    "easy": Level(2, 0.35, "Low"),
    "medium": Level(4, 0.10, "Medium"),
    "hard": Level(6, 0.0, "High"),
}
# Chosen at even steps up to about 1700 out of 35 candidates: results/draughts_levels/levels.csv. A ladder that ends
# higher has wider steps, and few players need its top; where it ends was settled with eight simulated players in view.
_NINE = {
    "l1": Level(1, 0.80, "1"),
    "l2": Level(2, 0.80, "2"),
    "l3": Level(2, 0.60, "3"),
    "l4": Level(4, 0.50, "4"),
    "l5": Level(2, 0.30, "5"),
    "l6": Level(2, 0.15, "6"),
    "l7": Level(4, 0.15, "7"),
    "l8": Level(4, 0.05, "8"),
    "l9": Level(6, 0.05, "9"),
}
#: Levels on offer, weakest first: the course's three as inferred, and nine at even steps.
LEVELS = {"inferred": _INFERRED, "nine": _NINE}
#: Rating of each level, Elo points, from its games against other levels (depth 4 with chance 0.10 has 1500): the table
#: results/draughts_levels/levels.csv, with which a test compares them.
OFFLINE_RATINGS = {
    "easy": 1148.3,
    "medium": 1500.0,
    "hard": 1796.0,
    "l1": 728.1,
    "l2": 842.2,
    "l3": 964.0,
    "l4": 1063.0,
    "l5": 1184.2,
    "l6": 1314.4,
    "l7": 1438.7,
    "l8": 1570.6,
    "l9": 1715.1,
}
MEDIUM_B = Level(4, 0.05, "Medium")  # variant B of the A/B test of Medium's carelessness


def parse_level(text: str) -> Level:
    """Read a level written as ``depth,chance`` or as a preset's key.

    Raises
    ------
    ValueError
        If it is neither.

    Examples
    --------
    >>> parse_level("2,0.2")
    Level(depth=2, chance=0.2, name='')
    >>> parse_level("hard").name
    'High'
    """
    preset = LEVELS["inferred"] | LEVELS["nine"]
    if text.strip().lower() in preset:
        return preset[text.strip().lower()]
    depth, _, chance = text.partition(",")
    try:
        return Level(int(depth), float(chance or 0))
    except ValueError as error:
        raise ValueError(
            f"level {text!r}: write easy, medium, hard, l1 to l9 or depth,chance such as 4,0.1 ({error})"
        ) from None
