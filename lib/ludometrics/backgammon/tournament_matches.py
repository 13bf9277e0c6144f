"""The tournaments of a library: their matches in the order played, whose they are, and a list of them."""

from __future__ import annotations

import re
from datetime import date
from typing import Protocol

import numpy as np
import pandas as pd

from ludometrics.backgammon.assessment import Assessment
from ludometrics.backgammon.rates import l7, pr
from ludometrics.backgammon.records import UNKNOWN, Library, Match
from ludometrics.backgammon.results import count_results, shown_names

#: Words of rounds that are counted by the players left, the later the fewer.
COUNTED_DOWN = ("last", "round of")
#: Words of the rounds after those; "semi-final" holds "final" too, so that comes last.
LATE_ROUNDS = ("quarter", "semi", "final")


class Persons(Protocol):
    """Who is who: `side_tables.People`, or anything like it."""

    main: str | None

    def person(self, name: str) -> str:
        """The person behind a name."""

    def aliases(self, person: str) -> tuple[str, ...]:
        """The names of a person."""


def list_tournaments(library: Library, assessment: Assessment, people: Persons | None = None) -> pd.DataFrame:
    """The tournaments of a library, each with the PR and L7 of its reference player.

    Returns
    -------
    DataFrame
        One row a tournament, by day and name: tournament, day ("" unknown), player, matches, wins, losses, pr,
        pr_low, pr_high, l7, l7_low, l7_high, decisions.
    """
    rows = []
    for name in sorted({match.tournament for match in library.matches} - {""}):
        own = tournament_matches(library, name)
        player = reference_player(library, assessment, own, people)
        names = all_names(player, people)
        own &= library.seats_of(*names) != UNKNOWN
        mask = library.of_player(*names) & own[library.decisions.match]
        start, results = first_day(library, own), count_results(library, *names, kept=own).matches
        row = {"tournament": name, "day": "" if start is None else start.isoformat(), "player": player}
        row |= {"matches": int(own.sum()), "wins": results.wins, "losses": results.losses}
        for measure, rate in (("pr", pr(library, assessment, mask)), ("l7", l7(library, assessment, mask))):
            row |= {measure: rate.value, f"{measure}_low": rate.low, f"{measure}_high": rate.high}
        row["decisions"] = int(np.count_nonzero(mask & assessment.counted))
        rows.append(row)
    columns = ["tournament", "day", "player", "matches", "wins", "losses"]
    columns += ["pr", "pr_low", "pr_high", "l7", "l7_low", "l7_high", "decisions"]
    return pd.DataFrame(sorted(rows, key=lambda row: (row["day"], row["tournament"])), columns=columns)


def reference_player(
    library: Library, assessment: Assessment, kept: np.ndarray, people: Persons | None = None
) -> str:
    """Whose tournament it is: the main player if he played; else who has most matches, then most counted decisions,
    then the first name.

    Parameters
    ----------
    kept : (m,) bool
        The matches of the tournament.
    """
    chosen = np.flatnonzero(kept)
    every = [library.matches[row].players[seat] for row in chosen for seat in (0, 1)]
    person = shown_names(every, None if people is None else people.person)
    if people is not None and people.main is not None and people.main in person.values():
        return people.main
    decisions = library.decisions
    place = 2 * decisions.match[assessment.counted].astype(np.int64) + decisions.seat[assessment.counted]
    counted = np.bincount(place, minlength=2 * len(library.matches))
    matches, weights = {}, {}
    for row in chosen:
        players = [person[name] for name in library.matches[row].players]
        for seat, who in enumerate(players):
            weights[who] = weights.get(who, 0) + int(counted[2 * row + seat])
        for who in sorted(set(players)):
            matches[who] = matches.get(who, 0) + 1
    return min(matches, key=lambda who: (-matches[who], -weights[who], who))


def all_names(player: str, people: Persons | None) -> tuple[str, ...]:
    """Every name under which ``player`` (a name or person) may sit; only his own where nobody says who is who."""
    if people is None:
        return (player,)
    return (player, *people.aliases(people.person(player)))


def tournament_matches(library: Library, tournament: str) -> np.ndarray:
    """(m,) bool: the matches of a tournament."""
    own = np.array([match.tournament == tournament for match in library.matches], dtype=bool)
    if not tournament or not own.any():
        known = sorted({match.tournament for match in library.matches} - {""})
        raise ValueError(f"tournament {tournament!r}; the library has {', '.join(known) or 'none'}")
    return own


def iso_day(text: str) -> date | None:
    """The day that ``text`` gives; None where it gives none: no day to count from."""
    try:
        return date.fromisoformat(text)
    except ValueError:
        return None  # unknown, or a year alone


def first_day(library: Library, kept: np.ndarray) -> date | None:
    """The earliest day among the matches with ``kept`` (m,) bool true; None where none has one."""
    days = [iso_day(library.matches[row].date) for row in np.flatnonzero(kept)]
    return min((day for day in days if day is not None), default=None)


def playing_order(match: Match) -> tuple:
    """By day, then by round: numbers by size, finals last; then by key, whatever the order of the files."""
    words = match.round.casefold()
    down = any(word in words for word in COUNTED_DOWN)
    late = next((place for place, word in enumerate(LATE_ROUNDS, 2) if word in words), int(down))
    sign = -1 if down else 1
    parts = tuple(
        (0, sign * int(part), "") if part.isdecimal() else (1, 0, part)
        for part in re.findall(r"\d+|\D+", words)
    )
    return (match.date or "~", late, parts, match.key)
