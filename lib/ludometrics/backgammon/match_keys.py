"""Keys of matches: the same for the same match from whatever program's file it was read, and in whatever seat order.

A key is a hash of the two names, the length and, roll by roll, who rolled what in which position; so it holds dice and
plays alike. The date has no part in it: exports write it in ways that cannot always be told apart (05/08/24), and one
program's copy of a match has it where another's has not.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from ludometrics.backgammon.records import Decisions, Kind, Library

KEY_CHARACTERS = 20


def match_key(players: Sequence[str], length: int, decisions: Decisions) -> str:
    """Key of one match.

    Rolls that cannot be played are passed over, since not every program writes them down.

    Parameters
    ----------
    players : (str, str)
        By seat; case and spaces at the ends do not matter.
    length : int
        Points; 0: money.
    decisions : Decisions
        Of this match alone.

    Returns
    -------
    str
        20 hexadecimal digits.

    Examples
    --------
    >>> from ludometrics.backgammon.records import no_decisions
    >>> match_key(("Ada", "Bo"), 7, no_decisions()) == match_key(("BO", "ada "), 7, no_decisions())
    True
    """
    names = [name.strip().casefold() for name in players]
    first = 1 if names[1] < names[0] else 0  # seat of the name that sorts first
    rolls = (decisions.kind == Kind.CHECKER) & (decisions.legal_plays != 0)
    seats = decisions.seat[rolls].astype(np.int32)
    rolled = np.column_stack(
        [
            decisions.game[rolls],
            seats if first == 0 else 1 - seats,
            decisions.dice[rolls],
            decisions.board[rolls],
        ]
    )
    digest = hashlib.sha256("\n".join([*sorted(names), str(length)]).encode())
    digest.update(rolled.astype("<i4").tobytes())
    return digest.hexdigest()[:KEY_CHARACTERS]


def keyed(library: Library) -> Library:
    """``library`` with `match_key` as the key of every match."""
    decisions = library.decisions
    matches = tuple(
        replace(match, key=match_key(match.players, match.length, decisions.where(decisions.match == row)))
        for row, match in enumerate(library.matches)
    )
    return replace(library, matches=matches)
