"""Levels of the computer as a ladder: measured against each other, and chosen at even steps."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations, pairwise

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike
from tqdm.auto import tqdm

from ludometrics.draughts import Level, Rules, play_games
from ludometrics.ratings import bradley_terry

#: The level whose rating fixes the scale, and that rating.
REFERENCE, REFERENCE_RATING = Level(4, 0.10), 1500.0


@dataclass(frozen=True)
class Ladder:
    """Levels on offer, weakest first.

    Attributes
    ----------
    keys : tuple of str
        What a saved game calls each level.
    levels : tuple of Level
    names : tuple of str
        Names under which the levels play.
    ratings : tuple of float or None
        Measured offline, Elo points on the scale on which depth 4 with chance 0.10 has 1500.
    variant_key, variant_b : str and Level, or None
        The level that is under test and its version B; version A is the one in `levels`.
    """

    keys: tuple[str, ...]
    levels: tuple[Level, ...]
    names: tuple[str, ...]
    ratings: tuple[float, ...] | None = None
    variant_key: str | None = None
    variant_b: Level | None = None

    def __post_init__(self) -> None:
        n = len(self.keys)
        if not n or len(set(self.keys)) != n or len(set(self.names)) != n:
            raise ValueError(f"keys {self.keys!r} and names {self.names!r}: one for each level, none twice")
        if (
            len(self.levels) != n
            or len(self.names) != n
            or (self.ratings is not None and len(self.ratings) != n)
        ):
            raise ValueError(f"{n} keys, {len(self.levels)} levels, {len(self.names)} names: one for each")
        if (self.variant_key is None) != (self.variant_b is None):
            raise ValueError("variant_key and variant_b go together")
        if self.variant_key is not None and self.variant_key not in self.keys:
            raise ValueError(
                f"variant_key is {self.variant_key!r}: allowed are {', '.join(map(repr, self.keys))}"
            )


def rate_levels_offline(
    levels: Sequence[Level],
    games_per_pair: int,
    *,
    rng: np.random.Generator,
    neighbours: int | None = None,
    reference: Level = REFERENCE,
    reference_rating: float = REFERENCE_RATING,
    rules: Rules | None = None,
    progress: bool = False,
) -> pd.DataFrame:
    """Let levels play each other and rate them by Bradley-Terry, draws counting half.

    Parameters
    ----------
    levels : sequence of Level
        None twice.
    games_per_pair : int
        Even and at least 2: half of them with each colour.
    rng : numpy.random.Generator
    neighbours : int, optional
        How many of the levels after it in the list each level meets; without it all. Far-away opponents add
        little, for such games tell little.
    reference : Level
        One of the levels, by which the scale is fixed.
    reference_rating : float
        Its rating, Elo points.
    rules : Rules, optional
    progress : bool

    Returns
    -------
    DataFrame
        One row a level, in the order given: depth, chance, rating, error (standard error of the distance to the
        reference, Elo points, from the spread of the scores), games, draw_share.

    Raises
    ------
    ValueError
        Naming the value; also when results are too one-sided for ratings.

    Examples
    --------
    >>> levels = [Level(1, 0.3), Level(2, 0.5), Level(2, 0.2)]
    >>> table = rate_levels_offline(levels, 60, rng=np.random.default_rng(1), reference=levels[1])
    >>> bool(table["rating"].is_monotonic_increasing), float(table["rating"][1])
    (True, 1500.0)
    """
    keys = [(level.depth, level.chance) for level in levels]
    if len(set(keys)) != len(keys) or (reference.depth, reference.chance) not in keys:
        raise ValueError(f"levels are {keys}: none may stand twice, and {reference} must be among them")
    if games_per_pair < 2 or games_per_pair % 2:
        raise ValueError(f"games_per_pair is {games_per_pair}: it must be even and at least 2")
    reach = len(levels) if neighbours is None else neighbours
    meetings = [(i, j) for i, j in combinations(range(len(levels)), 2) if j - i <= reach]
    pairs, outcomes = [], []
    for i, j in tqdm(meetings, desc="levels", disable=not progress):
        black = np.repeat([i, j], games_per_pair // 2)
        pairs.append(np.stack([black, i + j - black], axis=1))
        sides = np.array(keys)[pairs[-1]]
        results = play_games(*_sides(sides), rng=rng, rules=rules or Rules())
        outcomes.append(results.outcomes)
    pairs, outcomes = np.concatenate(pairs), np.concatenate(outcomes)
    at = keys.index((reference.depth, reference.chance))
    record = bradley_terry.fit(
        pairs, outcomes, n_players=len(levels), reference=at, reference_rating=reference_rating
    )
    games = np.bincount(pairs.ravel(), minlength=len(levels))
    draws = np.bincount(pairs.ravel(), weights=np.repeat(outcomes == 0.5, 2), minlength=len(levels))
    table = pd.DataFrame(keys, columns=["depth", "chance"]).astype({"depth": int})
    return table.assign(
        rating=record.ratings,
        error=record.robust_errors,
        games=games,
        draw_share=draws / np.maximum(games, 1),
    )


def select_levels(
    ratings: ArrayLike, count: int, *, low: float | None = None, high: float | None = None
) -> list[int]:
    """Choose levels out of candidates so that their ratings rise in steps as equal as possible.

    Parameters
    ----------
    ratings : array_like, shape (m,)
        Ratings of the candidates, Elo points, in any order.
    count : int
        How many are wanted, 2 to m.
    low, high : float, optional
        Ratings that the ends should be nearest to; without them the weakest and the strongest candidate.

    Returns
    -------
    list of int
        Indices of the candidates, weakest first. With both ends fixed the sum of the squared steps is smallest.

    Raises
    ------
    ValueError
        Too few candidates between the ends.

    Examples
    --------
    >>> select_levels([700, 710, 900, 1080, 1090, 1300], 4)
    [0, 2, 4, 5]
    """
    ratings = np.asarray(ratings, dtype=np.float64)
    order = np.argsort(ratings, kind="stable")
    ends = [0 if low is None else int(np.argmin(np.abs(ratings[order] - low)))]
    ends.append(len(order) - 1 if high is None else int(np.argmin(np.abs(ratings[order] - high))))
    order = order[ends[0] : ends[1] + 1]
    if not 2 <= count <= len(order):
        raise ValueError(
            f"count is {count}: between the ends stand {len(order)} candidates, and at least 2 are needed"
        )
    values = ratings[order]
    squares = (values[None, :] - values[:, None]) ** 2
    squares[np.tril_indices(len(values))] = np.inf  # steps lead upwards
    cost = np.full(len(values), np.inf)
    cost[0] = 0.0
    steps = []
    for _ in range(count - 1):
        total = cost[:, None] + squares
        steps.append(np.argmin(total, axis=0))
        cost = np.min(total, axis=0)
    path = [len(values) - 1]
    for step in reversed(steps):
        path.append(int(step[path[-1]]))
    return [int(order[at]) for at in reversed(path)]


def ladder_from(table: pd.DataFrame, chosen: Sequence[int]) -> Ladder:
    """Ladder of numbered levels from the rows of a table of `rate_levels_offline`, weakest first.

    Examples
    --------
    >>> table = pd.DataFrame({"depth": [1, 2], "chance": [0.3, 0.0], "rating": [700.0, 1400.0]})
    >>> ladder_from(table, [0, 1]).names
    ('Computer (1)', 'Computer (2)')
    """
    rows = table.iloc[list(chosen)]
    if not all(a <= b for a, b in pairwise(rows["rating"])):
        raise ValueError(f"ratings are {rows['rating'].round(1).tolist()}: levels must stand weakest first")
    numbers = range(1, len(rows) + 1)
    keys = tuple(f"l{number}" for number in numbers)
    names = tuple(f"Computer ({number})" for number in numbers)
    levels = tuple(
        Level(int(depth), float(chance), key)
        for depth, chance, key in zip(rows["depth"], rows["chance"], keys, strict=True)
    )
    return Ladder(keys, levels, names, tuple(map(float, rows["rating"])))


def _sides(settings: np.ndarray) -> tuple[np.ndarray, ...]:
    """Depths and chances of Black and of White from (n, 2 sides, 2 settings)."""
    return (
        settings[:, 0, 0].astype(np.int64),
        settings[:, 0, 1],
        settings[:, 1, 0].astype(np.int64),
        settings[:, 1, 1],
    )
