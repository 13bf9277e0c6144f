"""Who beats whom: every two known players who met in a rated play."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from ludometrics.boardgames.engine import RatedLog
from ludometrics.boardgames.stats import resolved_pairs, share_bounds


class Meeting(NamedTuple):
    """What two players did against one another.

    Attributes
    ----------
    first, second : str
        Keys of known people.
    plays : int
        Rated plays in which the two were opponents; each has one pair of theirs.
    wins, losses, ties : int
        Of the first: finished before the second, after, level.
    unresolved : int
        Plays that do not tell: both are losers of a play with nothing but a winner's flag.
    expected, score : float or None
        Mean forecast for the first and mean result, a tie one half, over the resolved plays; None without one.
    low, high : float or None
        95 % interval of the score, by plays.
    """

    first: str
    second: str
    plays: int
    wins: int
    losses: int
    ties: int
    unresolved: int
    expected: float | None
    score: float | None
    low: float | None
    high: float | None


def head_to_head(rated: RatedLog, order: Sequence[str]) -> tuple[Meeting, ...]:
    """Count the meetings of every two known players.

    Parameters
    ----------
    rated : RatedLog
    order : sequence of str
        Keys of all players: of two the earlier one is first, and rows are sorted so.

    Returns
    -------
    tuple of Meeting
        One for each two who met as opponents.

    Raises
    ------
    ValueError
        A player with a rated play who is not in the order.

    Source
    ------
    Own.
    """
    schedule, ratings = rated.schedule, rated.ratings
    at = {key: number for number, key in enumerate(order)}
    missing = [key for key in schedule.people if key not in at]
    if missing:
        raise ValueError(f"{len(missing)} players with rated plays are not in the order")
    place = np.array([at[key] for key in schedule.people] + [-1], dtype=np.int64)
    team = schedule.team[ratings.pair_seats]
    seats = place[schedule.person[ratings.pair_seats]]
    met = (seats >= 0).all(axis=1) & ~((team[:, 0] >= 0) & (team[:, 0] == team[:, 1]))
    met &= seats[:, 0] != seats[:, 1]
    turned = seats[met, 0] > seats[met, 1]
    forecast = np.where(turned, 1.0 - ratings.forecast[met], ratings.forecast[met])
    outcome = np.where(turned, 1.0 - ratings.outcome[met], ratings.outcome[met])
    known = resolved_pairs(rated)[met]
    low, high = seats[met].min(axis=1), seats[met].max(axis=1)
    codes, group = np.unique(low * len(order) + high, return_inverse=True)
    n = len(codes)
    columns = [
        np.bincount(group, kind, n).tolist()
        for kind in (
            np.ones(len(group)),
            known & (outcome == 1.0),
            known & (outcome == 0.0),
            known & (outcome == 0.5),
            ~known,
            np.where(known, forecast, 0.0),
        )
    ]
    rows = zip(codes.tolist(), *columns, strict=True)
    return tuple(_meeting(order[code // len(order)], order[code % len(order)], *row) for code, *row in rows)


def _meeting(
    first: str,
    second: str,
    plays: float,
    wins: float,
    losses: float,
    ties: float,
    unresolved: float,
    forecasts: float,
) -> Meeting:
    counts = (int(plays), int(wins), int(losses), int(ties), int(unresolved))
    resolved = int(plays - unresolved)
    if not resolved:
        return Meeting(first, second, *counts, None, None, None, None)
    points = wins + ties / 2.0
    low, high = share_bounds(points, resolved)
    return Meeting(first, second, *counts, forecasts / resolved, points / resolved, low, high)
