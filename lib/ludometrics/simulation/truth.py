"""What simulated players truly score against levels, by playing it out many times."""

from collections.abc import Sequence

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy.optimize import brentq
from tqdm.auto import tqdm

from ludometrics.draughts import Level, Rules, play_games
from ludometrics.ratings import elo
from ludometrics.simulation.ladder import Ladder

TRUTH_COLUMNS = ("player", "level", "variant", "colour", "wins", "draws", "losses", "n")


def truth_table(
    players: Sequence[tuple[str, Level]],
    ladder: Ladder,
    games: int,
    *,
    rng: np.random.Generator,
    rules: Rules | None = None,
    progress: bool = False,
) -> pd.DataFrame:
    """Play each player against each level, with both colours.

    Parameters
    ----------
    players : sequence of (str, Level)
        Names and how they play.
    ladder : Ladder
        A level under test is played in both versions.
    games : int
        Games of each player against each level with each colour, at least 1.
    rng : numpy.random.Generator
    rules : Rules, optional
    progress : bool

    Returns
    -------
    DataFrame
        Columns player, level, variant ("A", "B" or "" for a level not under test), colour ("b" or "w") of the
        player, wins, draws, losses (of the player), n. In the order of players and levels.

    Examples
    --------
    >>> ladder = Ladder(("1",), (Level(2, 0.3),), ("Computer (1)",))
    >>> table = truth_table([("Ann", Level(1, 0.5))], ladder, 50, rng=np.random.default_rng(1))
    >>> table[["colour", "n"]].values.tolist(), bool(table["losses"].sum() > 90)
    ([['b', 50], ['w', 50]], True)
    """
    if games < 1:
        raise ValueError(f"games is {games}: it must be at least 1")
    rows = []
    for name, player in tqdm(players, desc="truth", disable=not progress):
        for key, variant, level in versions(ladder):
            for colour in "bw":
                black, white = (player, level) if colour == "b" else (level, player)
                results = play_games(
                    np.full(games, black.depth),
                    black.chance,
                    white.depth,
                    white.chance,
                    rng=rng,
                    rules=rules or Rules(),
                )
                scores = results.outcomes if colour == "b" else 1.0 - results.outcomes
                counts = [int(np.sum(scores == score)) for score in (1.0, 0.5, 0.0)]
                rows.append((name, key, variant, colour, *counts, games))
    return pd.DataFrame(rows, columns=TRUTH_COLUMNS)


def versions(ladder: Ladder) -> list[tuple[str, str, Level]]:
    """Every (level, variant, how it plays) of a ladder, weakest first.

    Examples
    --------
    >>> from ludometrics.simulation.presets import LADDERS
    >>> [(key, variant, level.chance) for key, variant, level in versions(LADDERS["course"])]
    [('easy', '', 0.35), ('medium', 'A', 0.1), ('medium', 'B', 0.05), ('hard', '', 0.0)]
    """
    listed = []
    for key, level in zip(ladder.keys, ladder.levels, strict=True):
        tested = key == ladder.variant_key
        listed.append((key, "A" if tested else "", level))
        if tested:
            listed.append((key, "B", ladder.variant_b))
    return listed


def expected_scores(truth: pd.DataFrame) -> pd.Series:
    """Mean score of each player against each level and variant, colours at equal weight.

    Returns
    -------
    Series
        Indexed by player, level, variant.

    Examples
    --------
    >>> row = {"player": "Ann", "level": "1", "variant": "", "losses": 0, "n": 10}
    >>> rows = [row | {"colour": "b", "wins": 5, "draws": 5}, row | {"colour": "w", "wins": 0, "draws": 10}]
    >>> float(expected_scores(pd.DataFrame(rows))["Ann", "1", ""])
    0.625
    """
    missing = [name for name in TRUTH_COLUMNS if name not in truth.columns]
    if missing:
        raise ValueError(f"truth has no column {missing[0]!r}: needed are {', '.join(TRUTH_COLUMNS)}")
    scores = (truth["wins"] + 0.5 * truth["draws"]) / truth["n"]
    # A table that was read from a file may give an empty variant as missing.
    keys = [truth["player"].astype(str), truth["level"].astype(str), truth["variant"].fillna("").astype(str)]
    return scores.groupby(keys).mean().rename("expected")


def true_ratings(truth: pd.DataFrame, ladder: Ladder) -> pd.Series:
    """Rating of each player at which the ladder's ratings foretell the score of the truth table.

    Parameters
    ----------
    truth : DataFrame
        Of `truth_table`, on the same ladder.
    ladder : Ladder
        With ratings.

    Returns
    -------
    Series
        Elo points on the ladder's scale, indexed by player; the likeliest rating when every level is met equally
        often.

    Examples
    --------
    >>> row = {"player": "Ann", "level": "1", "variant": "", "colour": "b"}
    >>> row |= {"wins": 10, "draws": 0, "losses": 10, "n": 20}
    >>> ladder = Ladder(("1",), (Level(2, 0.3),), ("Computer (1)",), (1100.0,))
    >>> round(float(true_ratings(pd.DataFrame([row]), ladder)["Ann"]), 3)
    1100.0
    """
    if ladder.ratings is None:
        raise ValueError("the ladder has no ratings: measure them with rate_levels_offline")
    ratings = dict(zip(ladder.keys, ladder.ratings, strict=True))
    scores = expected_scores(truth)
    scores = scores[[variant != "B" for variant in scores.index.get_level_values("variant")]]
    return scores.groupby(level="player").apply(lambda own: _rating_at(own, ratings))


def _rating_at(own: pd.Series, ratings: dict[str, float]) -> float:
    levels: NDArray[np.float64] = np.array([ratings[key] for key in own.index.get_level_values("level")])
    # Kept off 0 and 1 by half a point in a thousand games, so that a player beyond the ladder has a rating too.
    total = float(np.clip(own.mean(), 5e-4, 1 - 5e-4))
    return brentq(lambda r: float(np.mean(elo.expected_score(r, levels))) - total, -5000.0, 9000.0, xtol=1e-6)
