"""The blocks of a GNU Backgammon text export, one a move: position, what was done, and the analyses under it.

Only the program's English is understood. Whatever looks like a part of a block but is in other words is `Damage`,
so that no half of an analysis is lost in silence.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from ludometrics.backgammon.building import Option
from ludometrics.backgammon.gnubg_turns import Board, CubeView, Damage
from ludometrics.backgammon.gnubg_units import MET, ChanceScale, chance_scale, parse_number
from ludometrics.backgammon.notation import parse_play
from ludometrics.backgammon.position_ids import MatchState, board_from_position_id, match_state
from ludometrics.backgammon.records import LONGEST_MATCH, ROLLOUT_DEPTH, UNKNOWN

MET_SLACK = 0.0003  # chances are printed as 59.95%
NOT_ENGLISH = (
    "if this is an export in another language, make it again with GNU Backgammon set to English, or save the match as"
    " SGF"
)

_NAME = re.compile(r"^ \+.*-\+ +([OX]): (.*?)\s*$")
_POSITION = re.compile(r"Position ID: (\S+)")
_MATCH = re.compile(r"Match ID +: (\S+)")
_ACTION = re.compile(r"^\* (.+) (?:moves (?P<play>.+)|(?P<verb>cannot move|doubles|accepts|rejects))\s*$")
_ROLLED = re.compile(r"^Rolled ([1-6])([1-6])(?: \((.*)\))?:\s*$")
_CANDIDATE = re.compile(r"^[* ] +(?:\d+\.|\?\?) +(.*?)\s+(Eq\.|MWC): *(\S+?)(%?)(?: +\(.*\))?\s*$")
_METHOD = re.compile(r"^(?:Cube(?:ful|less) (\d{1,2})-ply|(Rollout)|.*?)\s+(?=\S+/)")
_SHARES = re.compile(
    r"^ +(\d+[.,]\d+) +(\d+[.,]\d+) +(\d+[.,]\d+) +- +(\d+[.,]\d+) +(\d+[.,]\d+) +(\d+[.,]\d+)"
)
_CUBE_HEAD = re.compile(r"^(?:(\d{1,2})-ply|(Rollout)) cubeless ")
_CUBE_LINE = re.compile(r"^[1-9]\. (\S.*?) +([+-]?[\d.,]+)(%?)(?: +\(.*\))?\s*$")
_LABELS = {
    "no double": 0, "no redouble": 0, "double, take": 1, "redouble, take": 1, "double, beaver": 1,
    "redouble, beaver": 1, "double, pass": 2, "redouble, pass": 2,
}  # fmt: skip
# Lines that look like parts of an analysis; in an English export all of them have been recognised before.
_FOREIGN = re.compile(
    r"^\* \S|^\*\.|^[* ] +(?:\d+\.|\?\?) .*\S/\S.*: *[+-]?\d|^[1-9]\. \S|^\S.* [1-6][1-6](?: \(.*\))?:\s*$"
)


class TextMove(NamedTuple):
    """One block.

    Attributes
    ----------
    number, line : int
        As the file numbers it; line of its heading.
    state : MatchState
    board : tuple of int
        Seen by the player on roll (before an answer to a double: by the doubler).
    action : str
        "moves", "cannot move", "doubles", "accepts", "rejects", or "" where nothing was done yet.
    after : tuple of int or None
        Board after the play, seen by the same player.
    options : list of Option
    cube : CubeView or None
        Seen by the player who decides.
    luck : float or None
        Normalised equity; NaN: unknown.
    """

    number: int
    line: int
    state: MatchState
    board: Board
    action: str = ""
    after: Board | None = None
    options: tuple[Option, ...] = ()
    cube: CubeView | None = None
    luck: float | None = None


def player_names(lines: Sequence[str], state: MatchState) -> dict[int, str]:
    """Names by seat, from the frame of the board drawn in a block."""
    names = {}
    for line in lines:
        found = _NAME.match(line)
        if found:
            seat = "OX".index(found[1])
            # The owner of a turned cube has it beside the name.
            owned = state.cube_owner == (1 if seat == state.on_roll else -1)
            names.setdefault(seat, re.sub(r" \(Cube: \d+\)$", "", found[2]) if owned else found[2])
    return names


def state_and_board(lines: Sequence[str], line: int) -> tuple[MatchState, Board]:
    """What the two IDs of a block say; ``line``: number of its heading."""
    found = {}
    for offset, text in enumerate(lines[:6]):
        for name, pattern in (("position", _POSITION), ("match", _MATCH)):
            match = pattern.search(text)
            if match:
                found[name] = (match[1], line + offset)
    if len(found) < 2:
        raise Damage(line, f"a move without Position ID and Match ID; {NOT_ENGLISH}")
    try:
        place = found["position"][1]
        board = board_from_position_id(found["position"][0])
        place = found["match"][1]
        return match_state(found["match"][0]), board
    except ValueError as error:
        raise Damage(place, str(error)) from error


def parse_move(number: int, lines: Sequence[str], line: int) -> TextMove:
    """One block; ``lines`` from its heading, which is line ``line`` of the file, to the next heading.

    Raises
    ------
    Damage
        Something in it cannot be read, or is not English.
    """
    state, board = state_and_board(lines, line)
    block = _Block(state, board, line)
    for offset, text in enumerate(lines[1:], start=1):
        if text.startswith("Annotation:"):
            break
        if text and text[0] != "|":
            block.read(text, line + offset)
    return block.finished(number)


class _Block:
    """Reads the lines under the drawn board one after the other."""

    def __init__(self, state: MatchState, board: Board, line: int):
        self.state, self.board, self.line = state, board, line
        own, other = state.score if state.decider == state.on_roll else state.score[::-1]
        away = (state.length - own, state.length - other)
        cube = 1 if state.crawford else state.cube
        self.scale: ChanceScale | None = None
        if state.length <= LONGEST_MATCH and min(away) > 0:
            self.scale = chance_scale(*away, cube, state.crawford)
        self.action, self.play, self.play_line = "", "", line
        self.options: list[Option] = []
        self.equities: dict[int, float] = {}
        self.cube_depth = UNKNOWN
        self.luck: float | None = None
        self.rolled = False

    def read(self, text: str, line: int) -> None:
        try:
            if text[0] == " " and self.rolled and self._shares(text):
                return
            for reader in (self._candidate, self._action, self._roll, self._cube):
                if reader(text, line):
                    return
        except Damage:
            raise
        except ValueError as error:
            raise Damage(line, str(error)) from error
        if _FOREIGN.match(text):
            raise Damage(line, f"{text.strip()[:60]!r} is not understood; {NOT_ENGLISH}")

    def _candidate(self, text: str, line: int) -> bool:
        if not self.rolled:
            return False
        found = _CANDIDATE.match(text)
        if found is None:
            return False
        method = _METHOD.match(found[1])
        if method is None:
            raise Damage(line, f"{found[1]!r} is no play of an analysis; {NOT_ENGLISH}")
        depth = int(method[1]) if method[1] else ROLLOUT_DEPTH if method[2] else UNKNOWN
        after = tuple(parse_play(found[1][method.end() :], self.board).tolist())
        value = parse_number(found[3])
        if found[2] == "MWC":
            value = self._equity(value / 100 if found[4] else value, line)
        self.options.append(Option(after, value, None, depth))
        return True

    def _shares(self, text: str) -> bool:
        found = _SHARES.match(text)
        if found is None or not self.options or self.options[-1].shares is not None:
            return False
        values = [parse_number(value) for value in found.groups()]
        unit = 100.0 if values[0] + values[3] > 2 else 1.0  # chances may be printed in per cent
        shares = tuple(values[place] / unit for place in (0, 1, 2, 4, 5))
        self.options[-1] = self.options[-1]._replace(shares=shares)
        return True

    def _action(self, text: str, line: int) -> bool:
        found = _ACTION.match(text) if text.startswith("* ") and not self.action else None
        if found is None:
            return False
        self.action = found["verb"] or "moves"
        self.play, self.play_line = found["play"] or "", line
        return True

    def _roll(self, text: str, line: int) -> bool:
        found = _ROLLED.match(text)
        if found is None:
            return False
        if sorted(map(int, found.groups()[:2])) != sorted(self.state.dice):
            raise Damage(line, f"{text.strip()!r}, but the Match ID has {self.state.dice}")
        self.rolled = True
        if found[3]:
            value = parse_number(found[3])
            if "%" in found[3]:
                value = np.nan if self.scale is None else self.scale.swing(value / 100)
            self.luck = value
        return True

    def _cube(self, text: str, line: int) -> bool:
        head = _CUBE_HEAD.match(text)
        if head:
            self.cube_depth = int(head[1]) if head[1] else ROLLOUT_DEPTH
            return True
        found = _CUBE_LINE.match(text) if text[0].isdigit() else None
        if found is None:
            return False
        label = found[1].casefold()
        if label not in _LABELS:
            raise Damage(line, f"{found[1]!r} is no cube action; {NOT_ENGLISH}")
        value = parse_number(found[2])
        if found[2][0] not in "+-":  # equities have a sign, chances have none
            chance = value / 100 if found[3] else value
            self._check_table(_LABELS[label], chance, line)
            value = self._equity(chance, line)
        self.equities[_LABELS[label]] = value
        return True

    def _equity(self, chance: float, line: int) -> float:
        if self.scale is None:
            raise Damage(line, "match winning chances in a game that has none")
        return self.scale.equity(chance)

    def _check_table(self, action: int, chance: float, line: int) -> None:
        """What a pass is worth shows by which table the chances were made."""
        if action != 2 or self.scale is None:
            return
        sign = 1 if self.state.decider == self.state.on_roll else -1
        wanted = self.scale.middle + sign * self.scale.half
        if abs(chance - wanted) > MET_SLACK:
            raise Damage(
                line,
                f"a pass is worth {100 * chance:.2f}% to win the match, by {MET} {100 * wanted:.2f}%: exported in"
                " match winning chances of another table; export equities (set output mwc off)",
            )

    def finished(self, number: int) -> TextMove:
        after = None
        if self.action == "moves":
            try:
                after = tuple(parse_play(self.play, self.board).tolist())
            except ValueError as error:
                raise Damage(self.play_line, str(error)) from error
        if self.action in ("moves", "cannot move") and self.state.dice == (0, 0):
            raise Damage(self.line, "a play without dice")
        cube = None
        if self.equities:
            values = [self.equities.get(action, np.nan) for action in range(3)]
            cube = CubeView((values[0], values[1], values[2]), self.cube_depth)
        return TextMove(
            number,
            self.line,
            self.state,
            self.board,
            self.action,
            after,
            tuple(self.options),
            cube,
            self.luck,
        )
