"""The league table of some games: who played, won and lost, and what it is worth."""

from collections.abc import Iterable
from typing import NamedTuple

from ludometrics.gamelog.daily import Game
from ludometrics.gamelog.names import REMOVED, fold_name

#: Points of a game won and of one drawn.
WIN_POINTS, DRAW_POINTS = 3, 1


class LeagueRow(NamedTuple):
    """One row of a league table.

    Attributes
    ----------
    name : str
        As it was last spelt.
    played, won, drawn, lost, points : int
    """

    name: str
    played: int
    won: int
    drawn: int
    lost: int
    points: int


def league_table(games: Iterable[Game]) -> list[LeagueRow]:
    """Order the players of some games: 3 points for a win, 1 for a draw.

    Parameters
    ----------
    games : iterable of Game
        In the order in which they ended.

    Returns
    -------
    list of LeagueRow
        By points, then wins, both falling, then name without case. Levels of the computer are players like any other;
        those who were removed are not shown, but the games against them count.

    Source
    ------
    The adaptive-draughts course; there every spelling of a name is another player.

    Examples
    --------
    >>> for row in league_table([Game("Ann", "Bob", "b"), Game("ann", "Cid", "draw")]):
    ...     print(*row)
    ann 2 1 1 0 4
    Cid 1 0 1 0 1
    Bob 1 0 0 1 0
    """
    names: dict[str, str] = {}
    counts: dict[str, list[int]] = {}
    for game in games:
        for name, won in ((game.black, "b"), (game.white, "w")):
            key = fold_name(name)
            names[key] = name
            place = 0 if game.winner == won else 1 if game.winner == "draw" else 2
            counts.setdefault(key, [0, 0, 0])[place] += 1
    rows = [
        LeagueRow(names[key], won + drawn + lost, won, drawn, lost, WIN_POINTS * won + DRAW_POINTS * drawn)
        for key, (won, drawn, lost) in counts.items()
        if not key.startswith(REMOVED)
    ]
    return sorted(rows, key=lambda row: (-row.points, -row.won, row.name.casefold(), row.name))
