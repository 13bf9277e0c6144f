"""The factors by which a play counts, as pure functions of arrays: game weight W, table confidence C, duration D.

The margin G, the fourth, depends on the scores before it and is made in the pass (`engine_loops`).
"""

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ludometrics.boardgames.settings import EngineSettings

#: Curated skill of a game that nobody has rated, where its complexity is known.
USUAL_SKILL = 0.5
#: Longest play, minutes, that is believed: beyond it a timer was left running.
LONGEST_PLAY = 24 * 60


def weight_factor(
    complexity: ArrayLike, skill: ArrayLike, settings: EngineSettings
) -> NDArray[np.float64] | float:
    """W = base + 0.35 x complexity + 0.65 x skill: how much of skill a game shows.

    Parameters
    ----------
    complexity : float or array_like
        Community weight, 1 to 5; NaN or 0 where unknown.
    skill : float or array_like
        Curated skill, 0 to 1; NaN where unknown.
    settings : EngineSettings

    Returns
    -------
    float or ndarray
        With the author's numbers 0.5 to 1.5. Complexity unknown: skill stands in for both; skill unknown: one half;
        both unknown: 1.

    Source
    ------
    The author of bgelo for the numbers; normalisation and stand-ins own.

    Examples
    --------
    >>> unknown = float("nan")
    >>> weight_factor([1, 5, unknown, unknown], [0, 1, 0.9, unknown], EngineSettings()).round(3).tolist()
    [0.5, 1.5, 1.4, 1.0]
    """
    complexity, skill = np.asarray(complexity, dtype=float), np.asarray(skill, dtype=float)
    heavy = np.clip((np.where(complexity > 0, complexity, np.nan) - 1.0) / 4.0, 0.0, 1.0)
    talent = np.where(np.isnan(skill), USUAL_SKILL, skill)
    mixed = settings.weight_complexity * np.where(np.isnan(heavy), talent, heavy)
    value = settings.weight_base + mixed + settings.weight_skill * talent
    value = np.where(np.isnan(heavy) & np.isnan(skill), 1.0, value)
    return value if value.ndim else float(value)


def familiarity(earlier_plays: ArrayLike, settings: EngineSettings) -> NDArray[np.float64] | float:
    """n/(n + half): how well somebody knows a game after n earlier plays of it; NaN (a guest) stays NaN.

    Source
    ------
    The author of bgelo (0, 2, 8 plays: 0, 0.5, 0.8).

    Examples
    --------
    >>> familiarity([0, 2, 8], EngineSettings()).tolist()
    [0.0, 0.5, 0.8]
    """
    n = np.asarray(earlier_plays, dtype=float)
    value = n / (n + settings.familiarity_half)
    return value if value.ndim else float(value)


def confidence_factor(
    familiarities: ArrayLike, starts: ArrayLike, settings: EngineSettings
) -> NDArray[np.float64]:
    """C of each table: from `confidence_low`, nobody knows the game, to 1.

    Parameters
    ----------
    familiarities : array_like, shape (s,)
        Of each seat; NaN for guests, who are left out.
    starts : array_like of int, shape (p + 1,)
        First seat of each play, then s.
    settings : EngineSettings
        With `confidence_by` "pair" the pass makes a factor for each pair; the table's mean is given here, for show.

    Returns
    -------
    ndarray, shape (p,)

    Source
    ------
    The author of bgelo for the idea; the mean and its low end own.

    Examples
    --------
    >>> confidence_factor([0.0, 0.8, float("nan")], [0, 2, 3], EngineSettings()).round(3).tolist()
    [0.7, 0.5]
    """
    known = np.asarray(familiarities, dtype=float)
    starts = np.asarray(starts)
    if len(starts) < 2:
        return np.empty(0)
    guest = np.isnan(known)
    if settings.confidence_by == "least":
        least = np.minimum.reduceat(np.where(guest, np.inf, known), starts[:-1])
        level = np.where(np.isinf(least), 0.0, least)
    else:
        people = np.add.reduceat((~guest).astype(float), starts[:-1])
        level = np.add.reduceat(np.where(guest, 0.0, known), starts[:-1]) / np.maximum(people, 1.0)
    return settings.confidence_low + (1.0 - settings.confidence_low) * level


def duration_factor(minutes: ArrayLike, settings: EngineSettings) -> NDArray[np.float64] | float:
    """D = sqrt(minutes/60), at most 1; 1 where the minutes are not known (NaN).

    Source
    ------
    The author of bgelo.

    Examples
    --------
    >>> duration_factor([10, 15, 60, 240, float("nan")], EngineSettings()).round(3).tolist()
    [0.408, 0.5, 1.0, 1.0, 1.0]
    """
    minutes = np.asarray(minutes, dtype=float)
    value = np.minimum(np.sqrt(np.where(np.isnan(minutes), np.inf, minutes) / settings.full_minutes), 1.0)
    return value if value.ndim else float(value)
