"""Wins and losses: of matches to a number of points, and of money sessions.

A match to N points is won by who reaches N; while nobody has, it is unfinished, neither won nor lost. A money session
is won by who has more points; a tie is neither.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import pandas as pd

from ludometrics.backgammon.records import UNKNOWN, Library
from ludometrics.evaluation import share_interval


class Tally(NamedTuple):
    """Matches won and lost.

    Attributes
    ----------
    wins, losses : int
    undecided : int
        Unfinished matches, tied money sessions, results not known.
    share, low, high : float or None
        Won of those won or lost, with Wilson's 95 % interval; None: none was.
    """

    wins: int
    losses: int
    undecided: int
    share: float | None
    low: float | None
    high: float | None


@dataclass(frozen=True)
class Results:
    """Wins and losses of a player.

    Attributes
    ----------
    matches, money : Tally
        Of matches to points, and of money sessions.
    """

    matches: Tally
    money: Tally

    def frame(self) -> pd.DataFrame:
        """One row a sort: matches, money."""
        rows = [{"sort": name} | getattr(self, name)._asdict() for name in ("matches", "money")]
        return pd.DataFrame(rows, columns=["sort", *Tally._fields])


def tally(wins: int, losses: int, undecided: int = 0) -> Tally:
    """A `Tally` from its counts.

    Examples
    --------
    >>> result = tally(9, 1)
    >>> result.share, round(result.low, 3), round(result.high, 3)
    (0.9, 0.596, 0.982)
    """
    if wins + losses == 0:
        return Tally(wins, losses, undecided, None, None, None)
    share = share_interval(wins, wins + losses)
    return Tally(wins, losses, undecided, share.value, share.low, share.high)


def count_results(library: Library, *names: str, kept: np.ndarray | None = None) -> Results:
    """Count the wins and losses of the player with one of ``names``.

    Parameters
    ----------
    library : Library
    *names : str
        His name and aliases, folded in case. A match in which both players have one of them is left out.
    kept : (m,) bool, optional
        Matches looked at; without it all.

    Returns
    -------
    Results
    """
    seats = _opposed_seats(library, names)
    if kept is not None:
        seats = np.where(np.asarray(kept, dtype=bool), seats, UNKNOWN)
    counts = {"matches": [0, 0, 0], "money": [0, 0, 0]}
    for seat, match in zip(seats, library.matches, strict=True):
        if seat != UNKNOWN:
            counts["matches" if match.length else "money"][_outcome(match.winner, int(seat))] += 1
    return Results(**{sort: tally(*values) for sort, values in counts.items()})


def _outcome(winner: int | None, seat: int) -> int:
    """Place in a `Tally`: 0 won, 1 lost, 2 neither."""
    return 2 if winner is None else int(winner != seat)


def _opposed_seats(library: Library, names: Sequence[str]) -> np.ndarray:
    """(m,) `Library.seats_of`, UNKNOWN too where both players have one of the names."""
    wanted = {name.casefold() for name in names}
    both = [all(name.casefold() in wanted for name in match.players) for match in library.matches]
    return np.where(np.array(both, dtype=bool), UNKNOWN, library.seats_of(*names))


def results_by_opponent(
    library: Library, *names: str, person: Callable[[str], str] | None = None
) -> pd.DataFrame:
    """Wins and losses against each opponent, matches and money apart.

    Parameters
    ----------
    library : Library
    *names : str
        As for `count_results`.
    person : callable, optional
        Turns a name into the person's (`People.person`); without it names that differ in case only are one.

    Returns
    -------
    DataFrame
        One row an opponent and sort: opponent, sort, and `Tally`; sorted by these two.
    """
    seats = _opposed_seats(library, names)
    pairs = [
        (match.players[1 - int(seat)], match, int(seat))
        for seat, match in zip(seats, library.matches, strict=True)
        if seat != UNKNOWN
    ]
    return _grouped(pairs, "opponent", person)


def results_of_all(library: Library, *, person: Callable[[str], str] | None = None) -> pd.DataFrame:
    """Wins and losses of every player, matches and money apart; ``person`` as for `results_by_opponent`.

    Returns
    -------
    DataFrame
        One row a player and sort: player, sort, and `Tally`; sorted by these two. A match of a person with himself
        is left out.
    """
    shown = shown_names([name for match in library.matches for name in match.players], person)
    pairs = [
        (match.players[seat], match, seat)
        for match in library.matches
        for seat in (0, 1)
        if shown[match.players[0]] != shown[match.players[1]]
    ]
    return _grouped(pairs, "player", person)


def shown_names(names: Sequence[str], person: Callable[[str], str] | None) -> dict[str, str]:
    """The name under which each is shown: the person's; or of all that differ in case only the first."""
    if person is not None:
        return {name: person(name) for name in names}
    first: dict[str, str] = {}
    for name in sorted(names):
        first.setdefault(name.casefold(), name)
    return {name: first[name.casefold()] for name in names}


def _grouped(pairs: list[tuple], column: str, person: Callable[[str], str] | None) -> pd.DataFrame:
    """`Tally` rows of (name, match, seat) by shown name and sort."""
    shown = shown_names([name for name, _, _ in pairs], person)
    counts: dict[tuple[str, str], list[int]] = {}
    for name, match, seat in pairs:
        key = shown[name], "matches" if match.length else "money"
        counts.setdefault(key, [0, 0, 0])[_outcome(match.winner, seat)] += 1
    rows = [(*key, *tally(*counts[key])) for key in sorted(counts)]
    return pd.DataFrame(rows, columns=[column, "sort", *Tally._fields])
