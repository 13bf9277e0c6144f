"""The level that the adaptive-draughts course offers a player."""

from collections.abc import Mapping
from typing import NamedTuple

from ludometrics.ratings.elo import expected_score

#: Two levels whose distances differ by no more are equally near: without this, rounding in the last bit would
#: decide between levels equally far above and below the player.
TIE = 1e-12


class Choice(NamedTuple):
    """A level offered to a player, and why.

    Attributes
    ----------
    level : str
    provisional : bool
        The rating is still settling.
    rating : float
        The player's rating, Elo points.
    expected : float
        Expected score of the player against the level, in [0, 1].
    reason : str
        In words, for the player.
    """

    level: str
    provisional: bool
    rating: float
    expected: float
    reason: str


def choose_level(
    rating: float | None,
    games: int,
    levels: Mapping[str, float | None],
    *,
    fallback: str = "medium",
    provisional_below: int = 5,
    start: float = 1200.0,
) -> Choice:
    """Choose the level whose expected score for this player is nearest to one half.

    Of two levels equally near the first in order is chosen. A player with few games, or a time at which no level
    has been rated yet, gets the fallback.

    Parameters
    ----------
    rating : float or None
        The player's rating, Elo points; None for a name without games.
    games : int
        Games the player has played, at least 0.
    levels : mapping of str to float or None
        Rating of each level, weakest first; None where it has played no game, which leaves it out of the choice.
    fallback : str
        A level.
    provisional_below : int
        A rating on fewer games is provisional.
    start : float
        Rating that stands in for a missing one, Elo points.

    Returns
    -------
    Choice
        `expected` is not rounded; the course prints two decimals.

    Raises
    ------
    ValueError
        The fallback is no level, or a negative number of games.

    Source
    ------
    The adaptive-draughts course.

    Examples
    --------
    >>> choice = choose_level(1450, 10, {"easy": 1000, "medium": 1300, "hard": 1500})
    >>> choice.level, round(choice.expected, 4)
    ('hard', 0.4285)
    >>> choose_level(None, 0, {"easy": 1000, "medium": 1300, "hard": 1500}).reason
    'fewer than 5 games so far: medium until the rating settles'
    """
    if fallback not in levels:
        raise ValueError(f"fallback is {fallback!r}: allowed are {', '.join(map(repr, levels))}")
    if games < 0:
        raise ValueError(f"games is {games}: it must be at least 0")
    own = start if rating is None else rating
    provisional = rating is None or games < provisional_below
    expected = {level: expected_score(own, value) for level, value in levels.items() if value is not None}
    if provisional or not expected:
        reason = (
            f"fewer than {provisional_below} games so far: {fallback} until the rating settles"
            if provisional
            else f"no level has a rating yet: {fallback}"
        )
        forecast = expected.get(fallback, expected_score(own, start))
        return Choice(fallback, provisional, own, forecast, reason)
    nearest = min(abs(score - 0.5) for score in expected.values())
    level = next(name for name, score in expected.items() if abs(score - 0.5) <= nearest + TIE)
    return Choice(level, False, own, expected[level], "nearest to an even game")
