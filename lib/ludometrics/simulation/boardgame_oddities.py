"""Plays as people really log them: one of each way in which the logs of real groups are odd, with keys that stay."""

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from typing import NamedTuple

from ludometrics.boardgames.records import Play, Seat


class Oddity(NamedTuple):
    """An odd play.

    Attributes
    ----------
    what : str
        In words; also the play's board, so that it is found on a dashboard.
    game : {"high", "low", "no points", "cooperative"}
    scores : tuple of str
        As written, one a seat.
    ranks : tuple of int
    winners : str
        A sign a seat: "w" for a winner, "." for another.
    seats : str
        Who sits there: digits for people by number, "g" a guest, "n" an automaton; "" for people from 0 on.
    teams : str
        A sign a seat; "" where no teams play.
    scoring : int
    ignored : bool
    """

    what: str
    game: str
    scores: tuple[str, ...] = ()
    ranks: tuple[int, ...] = ()
    winners: str = ""
    seats: str = ""
    teams: str = ""
    scoring: int = 0
    ignored: bool = False


#: In the order of their keys (`key_of`).
ODDITIES: tuple[Oddity, ...] = (
    Oddity("ranks on some seats only", "no points", ranks=(2, 0, 2, 2, 1), winners="....w"),
    Oddity("ranks of a team result", "high", ranks=(1, 2, 1, 2), winners="w.w."),
    Oddity("three firsts behind a second", "high", ranks=(2, 1, 1, 1), winners=".www"),
    Oddity("everybody ranked second", "high", ranks=(2, 2, 2, 2)),
    Oddity("everybody ranked first, won together", "cooperative", ranks=(1, 1, 1), winners="www"),
    Oddity("points typed as ranks", "high", ranks=(2, 3, 5, 1, 6, 4), winners="..w..."),
    Oddity("ranks against scores", "high", ("213", "221"), (1, 2), "w."),
    Oddity("winner without the best score", "high", ("41", "38", "52"), winners=".w."),
    Oddity("lowest wins by the play alone", "high", ("12", "9", "15"), winners=".w.", scoring=2),
    Oddity("a win marked as the score 1", "low", ("0", "1", "0"), winners=".w."),
    Oddity("two share the victory", "no points", winners="ww.."),
    Oddity("all have won", "high", winners="www"),
    Oddity("nothing but names", "high", seats="0123"),
    Oddity("tied for the best score", "high", ("44", "44", "31"), winners="w.."),
    Oddity("tied for the best score, both winners", "high", ("44", "44", "31"), winners="ww."),
    Oddity("all scores equal", "high", ("30", "30", "30"), winners="www"),
    Oddity("a score for the winner alone", "high", ("88", "", ""), winners="w.."),
    Oddity("alone", "high", ("71",), winners="w"),
    Oddity("one against the rest in a cooperative game", "cooperative", winners="w.."),
    Oddity("cooperative by the play alone", "high", winners="...", scoring=6, seats="012"),
    Oddity("one person on two seats", "high", ("20", "30", "40"), winners="..w", seats="010"),
    Oddity("two teams", "high", winners="ww..", teams="1122"),
    Oddity("arithmetic, and a sign too many", "high", ("20+16+16", "66-0-9-8", "27+"), winners="w.."),
    Oddity("decimal comma, minus, times", "high", ("21,7", "\u22123", "4×6"), winners="..w"),
    Oddity("a word as a score", "high", ("many", "12"), winners="w."),
    Oddity("two guests at one table", "high", ("50", "45", "40", "35"), seats="g0g1", winners="w..."),
    Oddity("an automaton between people", "high", ("61", "58", "40"), seats="0n1", winners="w.."),
    Oddity("guests alone", "high", ("9", "4"), seats="gg", winners="w."),
    Oddity("ignored by the group", "high", ("70", "60"), winners="w.", ignored=True),
)


def key_of(number: int) -> str:
    """Key of an odd play by its place, from 0.

    Examples
    --------
    >>> key_of(0)
    '0dd00000-0000-4000-8000-000000000001'
    """
    return f"0dd00000-0000-4000-8000-{number + 1:012d}"


def odd_plays(
    people: Sequence[str], guest: str, automaton: str, games: Mapping[str, str], first: datetime, days: int
) -> list[Play]:
    """The odd plays, spread over a log.

    Parameters
    ----------
    people : sequence of str
        Keys of at least six people.
    guest, automaton : str
        Keys.
    games : mapping of str to str
        Key of a game for each kind of `Oddity.game`.
    first : datetime
        Midnight of the first day.
    days : int
        Over which they are spread.

    Returns
    -------
    list of Play
    """
    plays = []
    for number, odd in enumerate(ODDITIES):
        n = max(len(odd.scores), len(odd.ranks), len(odd.winners), len(odd.seats))
        who = odd.seats or "012345"[:n]
        keys = [{"g": guest, "n": automaton}.get(sign) or people[int(sign)] for sign in who]
        rows = zip(
            keys,
            odd.scores or ("",) * n,
            odd.ranks or (0,) * n,
            (odd.winners or "." * n),
            odd.teams or ("",) * n,
            strict=True,
        )
        seats = tuple(Seat(key, score, rank, win == "w", team) for key, score, rank, win, team in rows)
        at = first + timedelta(days=(2 * number + 1) * days // (2 * len(ODDITIES)), hours=18, minutes=30)
        plays.append(
            Play(
                key_of(number),
                games[odd.game],
                at,
                at + timedelta(hours=1),
                seats,
                minutes=45,
                scoring=odd.scoring,
                ignored=odd.ignored,
                uses_teams=bool(odd.teams),
                location="Attic",
                board=odd.what,
            )
        )
    return plays
