"""The pool of analysed matches between backgammon players of known skill: what is drawn from it."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np

from ludometrics.backgammon.assessment import Assessment, assess
from ludometrics.backgammon.rates import counted_by
from ludometrics.backgammon.record_files import read_records
from ludometrics.backgammon.records import Kind, Library
from ludometrics.backgammon.settings import DEFAULTS, RULES, Settings
from ludometrics.simulation.backgammon_players import PLAYERS


@dataclass(frozen=True)
class Pool:
    """The pool with every decision judged.

    Attributes
    ----------
    library : Library
    assessment : Assessment
    names : tuple of str
        The players, as in PLAYERS.
    player : (n,) int
        Row of `names` of who decides.
    """

    library: Library
    assessment: Assessment
    names: tuple[str, ...]
    player: np.ndarray

    def everybody_meets(self) -> np.ndarray:
        """(m,) bool: matches of the round robin, not of one player against himself."""
        return np.array([match.players[0] != match.players[1] for match in self.library.matches], dtype=bool)

    def only(self, matches: np.ndarray) -> Pool:
        """The pool of the matches with ``matches`` (m,) bool true."""
        return judged_pool(self.library.only(matches), self.assessment.settings)


def judged_pool(library: Library, settings: Settings = DEFAULTS) -> Pool:
    """Judge a library whose players are PLAYERS."""
    names = tuple(PLAYERS)
    rows = {name: row for row, name in enumerate(names)}
    seats = np.array([[rows[name] for name in match.players] for match in library.matches], dtype=np.int64)
    decisions = library.decisions
    player = seats.reshape(-1, 2)[decisions.match, decisions.seat]
    return Pool(library, assess(library, settings), names, player)


def read_pool(path: str | Path, settings: Settings = DEFAULTS) -> Pool:
    """The pool that ships with the repository, judged."""
    return judged_pool(read_records(path), settings)


@dataclass(frozen=True)
class Appearances:
    """Sums over one player's decisions in one match, or in one game: what is drawn again.

    Attributes
    ----------
    player, match, length : (a,) int
    errors : (a, r) float
        Sum of errors in thousandths of the decisions that count, one column a rule of RULES.
    counts : (a, r) float
        Decisions that count; for snowie the checker moves of both players.
    loss : (a,) float
        Match winning chances given away.
    """

    player: np.ndarray
    match: np.ndarray
    length: np.ndarray
    errors: np.ndarray
    counts: np.ndarray
    loss: np.ndarray

    def __len__(self) -> int:
        return len(self.player)

    def where(self, chosen: np.ndarray) -> Appearances:
        """Those with ``chosen`` (a,) bool or rows."""
        return Appearances(**{name: values[chosen] for name, values in vars(self).items()})


def appearances(pool: Pool, *, by: str = "match") -> Appearances:
    """Sums of each seat over each match (or game): `by` "match" or "game"; a seat without a decision is absent."""
    decisions, judged = pool.library.decisions, pool.assessment
    unit = decisions.match.astype(np.int64)
    if by == "game":
        unit = unit * 1000 + decisions.game
    elif by != "match":
        raise ValueError(f"sums by {by!r}, allowed are match and game")
    units, unit_row = np.unique(unit, return_inverse=True)
    slot = 2 * unit_row + decisions.seat
    size = 2 * len(units)
    scored = ~np.isnan(judged.error)
    errors, counts = np.zeros((size, len(RULES))), np.zeros((size, len(RULES)))
    for column, rule in enumerate(RULES):
        chosen = counted_by(pool.library, judged, rule)
        summed = scored if rule == "snowie" else chosen
        errors[:, column] = np.bincount(slot[summed], weights=judged.error_mp[summed], minlength=size)
        counts[:, column] = np.bincount(slot[chosen], minlength=size)
    moves = np.bincount(unit_row[decisions.kind == Kind.CHECKER], minlength=len(units))
    counts[:, RULES.index("snowie")] = np.repeat(moves, 2)
    priced = judged.has_loss
    loss = np.bincount(slot[priced], weights=judged.loss[priced], minlength=size)
    first = np.full(size, -1)
    first[slot[::-1]] = np.arange(len(slot))[::-1]
    here = first >= 0
    lengths = np.array([match.length for match in pool.library.matches], dtype=np.int64)
    match = decisions.match[first[here]].astype(np.int64)
    return Appearances(
        pool.player[first[here]], match, lengths[match], errors[here], counts[here], loss[here]
    )
