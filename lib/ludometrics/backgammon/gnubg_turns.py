"""Turns what GNU Backgammon's text and SGF files hold, turn by turn, into decision records, the same way for both."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple

import numpy as np

from ludometrics.backgammon.building import Option, RecordBuilder
from ludometrics.backgammon.match_keys import keyed
from ludometrics.backgammon.moves import count_legal
from ludometrics.backgammon.records import (
    DOUBLE,
    NO_DOUBLE,
    PASS,
    TAKE,
    UNKNOWN,
    Kind,
    Library,
    Match,
    Problem,
)

Board = tuple[int, ...]


class CubeView(NamedTuple):
    """A cube analysis.

    Attributes
    ----------
    equities : (float, float, float)
        No double, double and take, double and pass, seen by the doubler; NaN: not given.
    depth : int
        Plies, ROLLOUT_DEPTH, or UNKNOWN.
    """

    equities: tuple[float, float, float]
    depth: int = UNKNOWN


class Turn(NamedTuple):
    """Where and when something is decided.

    Attributes
    ----------
    number, line : int
        As the file numbers its moves; line of the file.
    seat : int
        Who decides.
    board : tuple of int
        Seen by him.
    cube, owner : int
        Value before any double; 0 centred, 1 his, -1 the other's.
    """

    number: int
    line: int
    seat: int
    board: Board
    cube: int
    owner: int


class Damage(ValueError):
    """From ``line`` on the file cannot be trusted."""

    def __init__(self, line: int, reason: str):
        super().__init__(reason)
        self.line = line
        self.reason = reason


@dataclass
class TurnRecorder:
    """Fills a `RecordBuilder` with the turns of one match, and remembers the double that is on offer."""

    builder: RecordBuilder = field(default_factory=RecordBuilder)
    _offered: CubeView | None = None
    _beavers: bool = False
    _dances: list[tuple[int, Problem]] = field(default_factory=list)
    _rows: int = 0

    def roll(
        self,
        turn: Turn,
        dice: tuple[int, int],
        options: Sequence[Option],
        after: Board | None,
        *,
        cube: CubeView | None,
        luck: float | None,
        source: str,
    ) -> None:
        """A roll with the play made (``after``; None: the player could not move), and the double not offered before."""
        self._offered, self._beavers = None, False
        shared = {"seat": turn.seat, "move": turn.number, "board": turn.board, "line": turn.line}
        shared |= {"cube": turn.cube, "cube_owner": turn.owner}
        if cube is not None:
            self.builder.double(**shared, played=NO_DOUBLE, equities=cube.equities, depth=cube.depth)
            self._rows += 1
        played = UNKNOWN
        if after is not None:
            played = next((row for row, option in enumerate(options) if option.board == after), UNKNOWN)
        luck = None if luck is None or np.isnan(luck) else luck
        self.builder.checker(**shared, dice=dice, played=played, options=options, luck=luck)
        if after is None:
            reason = "the file says that the player cannot move, but he can"
            self._dances.append((self._rows, Problem(source, f"line {turn.line}", reason)))
        self._rows += 1

    def double(self, turn: Turn, cube: CubeView | None) -> None:
        """A double or redouble."""
        self._add_cube(Kind.DOUBLE, turn, DOUBLE, cube)
        self._offered = cube

    def respond(self, turn: Turn, taken: bool, cube: CubeView | None) -> None:
        """A take or a pass; nothing where a beaver is answered."""
        if not self._beavers:
            self._add_cube(Kind.RESPONSE, turn, TAKE if taken else PASS, cube or self._offered)

    def beaver(self, turn: Turn, source: str) -> None:
        """A beaver, which is a take too; further turns of the cube at once are left out."""
        if not self._beavers:
            self._add_cube(Kind.RESPONSE, turn, TAKE, self._offered)
            reason = "a beaver is read as a take; what was answered to it is left out"
            self.builder.problems.append(Problem(source, f"line {turn.line}", reason))
        self._beavers = True

    def _add_cube(self, kind: Kind, turn: Turn, played: int, cube: CubeView | None) -> None:
        self.builder.cube_decision(
            kind,
            seat=turn.seat,
            move=turn.number,
            board=turn.board,
            played=played,
            equities=None if cube is None else cube.equities,
            depth=UNKNOWN if cube is None else cube.depth,
            cube=turn.cube,
            cube_owner=turn.owner,
            line=turn.line,
        )
        self._rows += 1

    def library(self, *, unfinished: bool = False) -> Library:
        """What was read, with legal plays counted and the keys set.

        Parameters
        ----------
        unfinished : bool
            The file is whole, but its last game has no result. GNU Backgammon then writes a roll that waits to be
            played as one that cannot be, and may note a double that nobody made; such a last row is dropped.
        """
        library = self.builder.library()
        decisions = library.decisions
        legal = count_legal(decisions.board, decisions.dice).astype(np.int16)
        kept = np.ones(len(decisions), dtype=bool)
        last = len(decisions) - 1
        problems = list(library.problems)
        for row, problem in self._dances:
            if legal[row] > 0 and unfinished and row == last:
                kept[row] = False
            elif legal[row] > 0:
                problems.append(problem)
        if unfinished and last >= 0:
            kept[last] &= not (decisions.kind[last] == Kind.DOUBLE and decisions.played[last] == DOUBLE)
        decisions = replace(decisions, legal_plays=legal).where(kept)
        return keyed(replace(library, decisions=decisions, problems=tuple(problems)))


def turned(board: Sequence[int]) -> Board:
    """``board`` seen by the other player.

    Examples
    --------
    >>> turned((0,) * 24 + (2, 0))[1]
    -2
    """
    return tuple(-count for count in reversed(board))


def engine_name(version: str, depth: int) -> str:
    """What analysed a match: the program, its version and the deepest analysis, where known."""
    plies = f", {depth}-ply" if 0 <= depth < 100 else ", rollouts" if depth >= 100 else ""
    return f"GNU Backgammon {version}".strip() + plies


def nothing(source: str, where: str, reason: str) -> Library:
    """A library without matches, and why."""
    builder = RecordBuilder()
    builder.problems.append(Problem(source, where, reason))
    return builder.library()


def with_engine(library: Library, version: str) -> Library:
    """``library`` with the engine named in its matches."""
    matches: list[Match] = []
    for row, match in enumerate(library.matches):
        depths = library.decisions.depth[library.decisions.match == row]
        deepest = int(depths[depths < 100].max(initial=UNKNOWN)) if len(depths) else UNKNOWN
        matches.append(replace(match, engine=engine_name(version, deepest)))
    return replace(library, matches=tuple(matches))
