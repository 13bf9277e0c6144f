"""Which level a player is offered by "Match me", and why."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from ludometrics.draughts import LEVELS
from ludometrics.matching import RULES, Levels, Player, match
from ludometrics.ratings import EloSettings
from ludometrics.web.opponents import OPPONENTS, TESTED

#: Levels among which each rule chooses, weakest first: nine with known ratings, or the course's three.
LEVELS_OF_RULE = {"default": tuple(LEVELS["nine"]), "course": tuple(LEVELS["inferred"])}


def offer(
    rule: str,
    rated: tuple[float, float, int] | None,
    met: Sequence[tuple[str, float]],
    level_ratings: Mapping[str, float | None],
    *,
    rng: np.random.Generator,
) -> dict[str, Any]:
    """Choose a level for a player.

    Parameters
    ----------
    rule : {"default", "course"}
    rated : (float, float, int) or None
        Rating and deviation, Elo points, and games of the player by the rule's own ratings; None without a game.
    met : sequence of (str, float)
        Levels met and the player's score in each game, oldest first; used by "default" only.
    level_ratings : mapping of str to float or None
        Elo points of each of the rule's levels; None for one without a game.
    rng : numpy.random.Generator

    Returns
    -------
    dict
        level, level_name, level_rating (whole, or None), provisional, rating (whole), deviation (whole, or None under
        Elo), expected (of the player, two decimals), games, reason.

    Examples
    --------
    >>> ratings = {key: OPPONENTS[key].rating for key in LEVELS_OF_RULE["default"]}
    >>> first = offer("default", None, [], ratings, rng=np.random.default_rng(1))
    >>> first["level_name"], first["expected"], first["reason"]
    ('Level 5', 0.51, 'first game: a level that leaves a newcomer a fair chance')
    """
    keys = LEVELS_OF_RULE[rule]
    by_elo = isinstance(RULES[rule].ratings, EloSettings)
    if rated is None:
        start = RULES[rule].ratings
        rated = (start.start, 0.0 if by_elo else start.start_deviation, 0)
    # By their names, as the reason may speak of them.
    known = replace(RULES[rule], fallback=OPPONENTS[RULES[rule].fallback].name)
    ratings = [np.nan if level_ratings[key] is None else level_ratings[key] for key in keys]
    levels = Levels.of([OPPONENTS[key].name for key in keys], ratings)
    rating, deviation, games = rated
    player = Player(
        rating,
        0.0 if by_elo else deviation,
        games,
        tuple(OPPONENTS[key].name for key, _ in met),
        tuple(score for _, score in met),
    )
    choice = match(known, player, levels, rng=rng)
    key = next(key for key in keys if OPPONENTS[key].name == choice.level)
    return {
        "level": key,
        "level_name": choice.level,
        "level_rating": whole(level_ratings[key]),
        "provisional": choice.provisional,
        "rating": whole(rating),
        "deviation": None if by_elo else whole(deviation),
        "expected": round(choice.expected, 2),
        "games": games,
        "reason": choice.reason,
    }


def no_offer() -> dict[str, Any]:
    """The offer to a player about whom nothing can be found out: Medium."""
    medium = OPPONENTS[TESTED]
    return {
        "level": medium.key,
        "level_name": medium.name,
        "level_rating": whole(medium.rating),
        "provisional": True,
        "rating": None,
        "deviation": None,
        "expected": None,
        "games": 0,
        "reason": "your rating cannot be looked up at the moment",
    }


def whole(value: float | None) -> int | None:
    """A rating for people: a whole number, or None."""
    return None if value is None or not math.isfinite(value) else round(value)
