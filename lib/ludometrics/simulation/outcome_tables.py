"""How games between fixed settings end, counted in real play: the table from which A/B tests are simulated.

Games between the same two settings are exchangeable, so that a draw from the counts stands for a game, at a
hundred-thousandth of its cost.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray
from tqdm.auto import tqdm

from ludometrics.draughts import Level, Rules, play_games
from ludometrics.simulation.presets import COURSE_PLAYERS, LADDERS

_CHANCES = {
    1: (0.8, 0.65, 0.5, 0.4, 0.3, 0.15),
    2: (0.6, 0.45, 0.3, 0.2, 0.15, 0.05),
    3: (0.5, 0.35, 0.2, 0.1, 0.05, 0.0),
    4: (0.4, 0.25, 0.15, 0.1, 0.05, 0.0),
}
#: Kinds of players, weakest depth first; the course's eight are among them.
TYPES: tuple[Level, ...] = tuple(Level(depth, chance) for depth in _CHANCES for chance in _CHANCES[depth])

_COURSE = LADDERS["course"]
_TESTED = _COURSE.keys.index(_COURSE.variant_key)

#: Version B of the level under test, by what is true of the test: the same as A; the course's; and one that is
#: easier by a sixth of a game. A harder B cannot differ by as much: players score too little against A.
VERSIONS: dict[str, Level] = {
    "none": _COURSE.levels[_TESTED],
    "course": _COURSE.variant_b,
    "large": Level(4, 0.25),
}

#: Levels in the order of `Outcomes.against`: the course's three ("medium" is version A), then the other versions B.
LEVEL_VERSIONS: dict[str, Level] = {
    **dict(zip(_COURSE.keys, _COURSE.levels, strict=True)),
    **{truth: level for truth, level in VERSIONS.items() if level != _COURSE.levels[_TESTED]},
}

#: The course's players as indices into `TYPES`, strongest first as intended.
COURSE_TYPES: tuple[int, ...] = tuple(TYPES.index(level) for _, level in COURSE_PLAYERS)

COUNTS = ["wins", "draws", "losses", "n"]


@dataclass(frozen=True)
class Outcomes:
    """Chances of a win, and of a win or a draw, as arrays to draw games from.

    A game with the uniform number u is won where u is below the first chance, drawn below the second, else lost.

    Attributes
    ----------
    against : ndarray, shape (24 types, 5 levels, 2 colours, 2)
        Chances of a player against a level; levels as in `LEVEL_VERSIONS`, colour 0 White and 1 Black (the
        player's).
    challenges : ndarray, shape (24 types, 24 types, 2)
        Chances of Black; the first index is Black's type, the second White's.
    """

    against: NDArray[np.float64]
    challenges: NDArray[np.float64]


def level_text(level: Level) -> str:
    """Write a level as `parse_level` reads it.

    Examples
    --------
    >>> level_text(Level(4, 0.10))
    '4,0.1'

    Source
    ------
    Own.
    """
    return f"{level.depth},{level.chance:g}"


def version_index(truth: str) -> int:
    """Where version B stands in `LEVEL_VERSIONS`.

    Parameters
    ----------
    truth : {"none", "course", "large"}
        Key of `VERSIONS`.

    Returns
    -------
    int
        Of "none" the index of version A.

    Raises
    ------
    ValueError
        Another truth.

    Examples
    --------
    >>> version_index("none"), version_index("course"), version_index("large")
    (1, 3, 4)

    Source
    ------
    Own.
    """
    if truth not in VERSIONS:
        raise ValueError(f"truth is {truth!r}: allowed are {', '.join(map(repr, VERSIONS))}")
    return list(LEVEL_VERSIONS.values()).index(VERSIONS[truth])


def needed_pairs(
    level_games: int, tested_games: int, type_games: int
) -> tuple[list[tuple[Level, Level]], list[int]]:
    """List every (Black, White) that `load_outcomes` needs, each once, and how many games it is to play.

    Parameters
    ----------
    level_games : int
        Games of each type against the levels that are not under test, with each colour.
    tested_games : int
        Games against each version of the level under test, with each colour.
    type_games : int
        Games of each ordered pair of types. A pair that is asked for twice plays the larger number.

    Returns
    -------
    (list of (Level, Level), list of int)

    Examples
    --------
    >>> pairs, games = needed_pairs(2, 3, 1)
    >>> len(pairs), len(set(pairs)), sum(games)
    (672, 672, 1038)

    Source
    ------
    Own.
    """
    wanted: dict[tuple[Level, Level], int] = {}
    tested = set(VERSIONS.values())
    for player in TYPES:
        meetings = [
            (level, tested_games if level in tested else level_games) for level in LEVEL_VERSIONS.values()
        ]
        meetings += [(other, type_games) for other in TYPES]
        for other, games in meetings:
            for pair in ((player, other), (other, player)):
                wanted[pair] = max(games, wanted.get(pair, 0))
    return list(wanted), list(wanted.values())


def measure_outcomes(
    pairs: Sequence[tuple[Level, Level]],
    games: ArrayLike,
    *,
    rng: np.random.Generator,
    rules: Rules | None = None,
    progress: bool = False,
) -> pd.DataFrame:
    """Let settings play each other and count how the games end.

    Parameters
    ----------
    pairs : sequence of (Level, Level)
        Black and White; none twice.
    games : int or array_like of int, shape (m,)
        Games of each pair, at least 1.
    rng : numpy.random.Generator
    rules : Rules, optional
        When a game is drawn.
    progress : bool

    Returns
    -------
    DataFrame
        One row a pair, in their order: black, white (``depth,chance``), wins, draws, losses (of Black), n.

    Raises
    ------
    ValueError
        No pair, one twice, or less than one game.

    Examples
    --------
    >>> table = measure_outcomes([(Level(2, 0.2), Level(1, 0.8))], 20, rng=np.random.default_rng(1))
    >>> table["black"][0], int(table["n"][0]), bool(table["wins"][0] > 15)
    ('2,0.2', 20, True)

    Source
    ------
    Own.
    """
    if not len(pairs) or len(set(pairs)) != len(pairs):
        raise ValueError(
            f"{len(pairs)} pairs, {len(set(pairs))} of them different: at least one, and none twice"
        )
    wanted = np.broadcast_to(np.asarray(games), (len(pairs),))
    if wanted.dtype.kind not in "iu" or wanted.min() < 1:
        raise ValueError(f"games is {wanted.min()}: whole numbers of at least 1")
    rows = []
    for (black, white), n in zip(
        tqdm(pairs, desc="pairs", disable=not progress), wanted.tolist(), strict=True
    ):
        settings = (np.full(n, black.depth), black.chance, white.depth, white.chance)
        scores = play_games(*settings, rng=rng, rules=rules or Rules()).outcomes
        counts = [int(np.sum(scores == score)) for score in (1.0, 0.5, 0.0)]
        rows.append((level_text(black), level_text(white), *counts, n))
    return pd.DataFrame(rows, columns=["black", "white", *COUNTS])


def load_outcomes(frame: pd.DataFrame) -> Outcomes:
    """Turn counts into chances, once every pair is there and sound.

    Parameters
    ----------
    frame : DataFrame
        Of `measure_outcomes`, with all pairs of `needed_pairs`; other pairs and columns are passed over.

    Returns
    -------
    Outcomes

    Raises
    ------
    ValueError
        A missing column, a pair that is missing or stands twice, no games, a negative count, or counts that do not
        add up to n; the message names the pair.

    Examples
    --------
    >>> load_outcomes(pd.DataFrame(columns=["black", "white", "wins", "draws", "losses", "n"]))
    Traceback (most recent call last):
    ...
    ValueError: no games of 1,0.8 (Black) with 2,0.35 (White)

    Source
    ------
    Own.
    """
    missing = [name for name in ("black", "white", *COUNTS) if name not in frame.columns]
    if missing:
        raise ValueError(
            f"outcomes have no column {missing[0]!r}: needed are black, white, {', '.join(COUNTS)}"
        )
    chances: dict[tuple[str, str], tuple[float, float]] = {}
    for row in frame.itertuples():
        pair = f"{row.black} (Black) with {row.white} (White)"
        if (row.black, row.white) in chances:
            raise ValueError(f"{pair} stands twice: add the counts up first")
        if not min(row.wins, row.draws, row.losses) >= 0:
            raise ValueError(f"{pair}: {row.wins} wins, {row.draws} draws, {row.losses} losses: none below 0")
        if row.n < 1 or row.wins + row.draws + row.losses != row.n:
            raise ValueError(
                f"{pair}: n is {row.n}, but the counts sum to {row.wins + row.draws + row.losses}"
            )
        chances[row.black, row.white] = row.wins / row.n, (row.wins + row.draws) / row.n
    types, levels = map(level_text, TYPES), map(level_text, LEVEL_VERSIONS.values())
    types, levels = list(types), list(levels)
    as_black = [[_find(chances, own, level) for level in levels] for own in types]
    as_white = [[_reversed(_find(chances, level, own)) for level in levels] for own in types]
    challenges = [[_find(chances, own, other) for other in types] for own in types]
    return Outcomes(np.stack([as_white, as_black], axis=2), np.array(challenges))


def true_scores(outcomes: Outcomes) -> NDArray[np.float64]:
    """Expected score of each type against each level, by colour.

    Parameters
    ----------
    outcomes : Outcomes

    Returns
    -------
    ndarray, shape (24 types, 5 levels, 2 colours)
        In [0, 1]; levels as in `LEVEL_VERSIONS`, colour 0 White and 1 Black.

    Examples
    --------
    >>> always_drawn = Outcomes(np.tile([0.0, 1.0], (24, 5, 2, 1)), np.tile([0.0, 1.0], (24, 24, 1)))
    >>> true_scores(always_drawn)[0, 0].tolist()
    [0.5, 0.5]

    Source
    ------
    Own.
    """
    return outcomes.against.mean(axis=-1)


def _find(chances: dict, black: str, white: str) -> tuple[float, float]:
    if (black, white) not in chances:
        raise ValueError(f"no games of {black} (Black) with {white} (White)")
    return chances[black, white]


def _reversed(chances: tuple[float, float]) -> tuple[float, float]:
    """Chances of White from those of Black."""
    return 1.0 - chances[1], 1.0 - chances[0]
