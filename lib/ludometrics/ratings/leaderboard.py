"""The table of ratings that players see."""

from collections.abc import Mapping
from typing import NamedTuple

#: Games below which a rating is marked as provisional.
PROVISIONAL_BELOW = 5
#: How a removed player's name begins; such names stand in no table.
REMOVED = "(removed"


class Standing(NamedTuple):
    """One row of a leaderboard.

    Attributes
    ----------
    name : str
    rating : int
        Elo points, rounded half to even.
    games : int
    provisional : bool
        Too few games for the rating to mean much.
    """

    name: str
    rating: int
    games: int
    provisional: bool


def leaderboard(
    ratings: Mapping[str, float], games: Mapping[str, int], *, provisional_below: int = PROVISIONAL_BELOW
) -> tuple[Standing, ...]:
    """Order players by rating.

    The order is that of the unrounded ratings, so that two players who round to the same number still
    stand in the order of their strength; equal ratings are ordered by name, without regard to case.

    Parameters
    ----------
    ratings : mapping of str to float
        Elo points.
    games : mapping of str to int
        Games played; a name that is absent has none.
    provisional_below : int
        A rating on fewer games is provisional.

    Returns
    -------
    tuple of Standing
        Without removed players.

    Examples
    --------
    >>> for row in leaderboard({"Bob": 1199.6, "Ann": 1200.4, "(removed)": 1500.0}, {"Ann": 5, "Bob": 4}):
    ...     print(*row)
    Ann 1200 5 False
    Bob 1200 4 True
    """
    shown = [name for name in ratings if not name.casefold().startswith(REMOVED)]
    shown.sort(key=lambda name: (-ratings[name], name.casefold(), name))
    return tuple(
        Standing(name, round(ratings[name]), games.get(name, 0), games.get(name, 0) < provisional_below)
        for name in shown
    )
