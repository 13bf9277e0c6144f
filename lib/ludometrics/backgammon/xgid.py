"""XGIDs: eXtreme Gammon's one-line texts of a position with cube, roll, score and rules.

Ten fields: the board from the point of view of X at the bottom (capital letters), the cube as a power of two, its
owner, whose turn it is, the roll, the score of X and of O, the Crawford (match) or Jacoby and beaver (money) flag, the
length, the largest cube. X is 1 and O is -1 throughout. A double on offer is "D" for a roll; it is then the doubler's
turn, while the other decides.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from ludometrics.backgammon.boards import as_board, flip
from ludometrics.backgammon.records import LONGEST_MATCH, SLOTS, Kind, Library

PREFIX = "XGID="
FIELDS = 10  # the last, the largest cube, may lack
LARGEST_CUBE = 10  # 2 ** 10, eXtreme Gammon's own default
MOST_CUBE = 15
NO_ROLL, DOUBLED = "00", "D"
JACOBY, BEAVERS = 1, 2
#: The fields that are whole numbers, by their place.
_NUMBERS = {
    1: "cube",
    2: "owner of the cube",
    3: "turn",
    5: "score of X",
    6: "score of O",
    7: "flag",
    8: "length",
    9: "largest cube",
}
_WHOLE = re.compile("-?[0-9]{1,6}")


class XGID(NamedTuple):
    """What an XGID says; "own" is the player who must decide.

    Attributes
    ----------
    board : tuple of 26 int
        Seen by the player who must decide.
    cube : int
        Value; before a double that is on offer.
    cube_owner : int
        0 centred, 1 the player who must decide, -1 the other.
    turn : int
        1: X (bottom), -1: O (top) is on roll; of a double on offer, the doubler.
    dice : (int, int)
        As written; (0, 0) before the roll.
    score : (int, int)
        Own and other's; (0, 0) in money play.
    crawford : bool
    length : int
        0: money.
    doubled : bool
        A double is on offer.
    jacoby, beavers : bool
        Rules of money play.
    largest_cube : int
        As a power of two.
    """

    board: tuple[int, ...]
    cube: int = 1
    cube_owner: int = 0
    turn: int = 1
    dice: tuple[int, int] = (0, 0)
    score: tuple[int, int] = (0, 0)
    crawford: bool = False
    length: int = 0
    doubled: bool = False
    jacoby: bool = False
    beavers: bool = False
    largest_cube: int = LARGEST_CUBE

    @property
    def decider(self) -> int:
        """1: X must decide, -1: O."""
        return -self.turn if self.doubled else self.turn

    @property
    def away(self) -> tuple[int, int]:
        """Points that the player who must decide and the other still need; (0, 0) in money play."""
        if self.length == 0:
            return 0, 0
        return self.length - self.score[0], self.length - self.score[1]

    @property
    def text(self) -> str:
        """The XGID."""
        return xgid(**self._asdict())


def xgid(
    board: Sequence[int] | np.ndarray,
    *,
    cube: int = 1,
    cube_owner: int = 0,
    turn: int | None = None,
    dice: tuple[int, int] = (0, 0),
    score: tuple[int, int] = (0, 0),
    crawford: bool = False,
    length: int = 0,
    doubled: bool = False,
    jacoby: bool = False,
    beavers: bool = False,
    largest_cube: int = LARGEST_CUBE,
) -> str:
    """The XGID of a position.

    Parameters
    ----------
    board, cube, cube_owner, dice, score, crawford, length, doubled, jacoby, beavers, largest_cube
        As `XGID` has them.
    turn : int, optional
        1 or -1; None: such that the player who must decide is X, at the bottom.

    Raises
    ------
    ValueError
        A value that cannot be, with what is allowed.

    Examples
    --------
    >>> from ludometrics.backgammon.boards import START
    >>> xgid(START, dice=(3, 1), length=7, score=(2, 4))
    'XGID=-b----E-C---eE---c-e----B-:0:0:1:31:2:4:0:7:10'
    """
    if turn is None:
        turn = -1 if doubled else 1
    checkers = tuple(as_board(board).tolist())
    values = XGID(
        checkers,
        int(cube),
        cube_owner,
        turn,
        tuple(dice),
        tuple(score),
        crawford,
        length,
        doubled,
        jacoby,
        beavers,
        largest_cube,
    )
    _check(values, "XGID")
    decider = values.decider
    seen_by_x = checkers if decider == 1 else flip(np.array(checkers)).tolist()
    score_x, score_o = values.score[::decider]
    flag = int(crawford) if length else JACOBY * jacoby + BEAVERS * beavers
    fields = (
        "".join(map(_letter, seen_by_x)),
        values.cube.bit_length() - 1,
        cube_owner * decider,
        turn,
        DOUBLED if doubled else f"{dice[0]}{dice[1]}",
        score_x,
        score_o,
        flag,
        length,
        largest_cube,
    )
    return PREFIX + ":".join(str(field) for field in fields)


def from_xgid(text: str) -> XGID:
    """What an XGID says.

    Parameters
    ----------
    text : str
        With or without "XGID=".

    Raises
    ------
    ValueError
        Not an XGID; quotes the field and says what is allowed.

    Examples
    --------
    >>> from_xgid("XGID=-b----E-C---eE---c-e----B-:0:0:1:31:2:4:0:7:10").away
    (5, 3)
    """
    text = text.strip()
    fields = (text[len(PREFIX) :] if text[: len(PREFIX)].upper() == PREFIX else text).split(":")
    if len(fields) == FIELDS - 1:
        fields.append(str(LARGEST_CUBE))
    if len(fields) != FIELDS:
        raise ValueError(f"XGID {text[:80]!r} has {len(fields)} fields, wanted {FIELDS}")
    seen_by_x = _board(fields[0], text)
    doubled, dice = _roll(fields[4].strip().upper(), text)
    cube, owner, turn, score_x, score_o, flag, length, largest = (
        _number(fields[place], name, text) for place, name in _NUMBERS.items()
    )
    if not 0 <= cube <= MOST_CUBE:
        raise ValueError(f"XGID {text!r}: cube {cube}, allowed are powers of two from 0 to {MOST_CUBE}")
    if not 0 <= flag <= (1 if length else JACOBY + BEAVERS):
        raise ValueError(f"XGID {text!r}: flag {flag}, allowed are 0 and 1, in money play 0 to 3")
    if length > LONGEST_MATCH:  # eXtreme Gammon's 99999
        length, flag = 0, 0
    decider = -turn if doubled else turn
    score = (score_x, score_o)[::decider] if length and decider in (1, -1) else (0, 0)
    found = XGID(
        board=tuple(seen_by_x if decider == 1 else flip(np.array(seen_by_x)).tolist()),
        cube=1 << cube,
        cube_owner=owner * decider,
        turn=turn,
        dice=dice,
        score=score,
        crawford=bool(length and flag),
        length=length,
        doubled=doubled,
        jacoby=bool(not length and flag & JACOBY),
        beavers=bool(not length and flag & BEAVERS),
        largest_cube=largest,
    )
    _check(found, f"XGID {text!r}")
    return found


def _number(field: str, name: str, text: str) -> int:
    if not _WHOLE.fullmatch(field.strip()):
        raise ValueError(f"XGID {text!r}: {name} {field!r} is no whole number")
    return int(field)


def _letter(count: int) -> str:
    if count == 0:
        return "-"
    return chr(ord("A") + count - 1) if count > 0 else chr(ord("a") - count - 1)


def _board(letters: str, text: str) -> list[int]:
    if not re.fullmatch(rf"[-A-Oa-o]{{{SLOTS}}}", letters):
        raise ValueError(
            f"XGID {text!r}: board {letters!r}, wanted are {SLOTS} of the letters A to O, a to o and the dash"
        )
    counts = [
        0 if letter == "-" else ord(letter) - ord("A") + 1 if letter.isupper() else ord("a") - ord(letter) - 1
        for letter in letters
    ]
    try:
        as_board(counts)
    except ValueError as error:
        raise ValueError(f"XGID {text!r}: {error}") from error
    return counts


def _roll(field: str, text: str) -> tuple[bool, tuple[int, int]]:
    """Whether a double is on offer, and the dice."""
    if field in (DOUBLED, NO_ROLL, "0"):
        return field == DOUBLED, (0, 0)
    if not re.fullmatch("[1-6][1-6]", field):
        raise ValueError(f"XGID {text!r}: roll {field!r}, allowed are two dice such as 31, 00 and D")
    return False, (int(field[0]), int(field[1]))


def _check(values: XGID, what: str) -> None:
    cube, dice, score, length = values.cube, values.dice, values.score, values.length
    if not 1 <= cube <= 1 << MOST_CUBE or cube & (cube - 1):
        raise ValueError(f"{what}: cube {cube}, allowed are powers of two up to {1 << MOST_CUBE}")
    if values.cube_owner not in (0, 1, -1) or values.turn not in (1, -1):
        raise ValueError(
            f"{what}: owner of the cube {values.cube_owner}, allowed are 0, 1 and -1;"
            f" turn {values.turn}, allowed are 1 and -1"
        )
    if dice != (0, 0) and (values.doubled or not all(1 <= die <= 6 for die in dice)):
        raise ValueError(
            f"{what}: dice {dice[0]} and {dice[1]}, allowed are 1 to 6, or 0 and 0; 0 and 0 with a double"
        )
    if not 0 <= length <= LONGEST_MATCH:
        raise ValueError(f"{what}: length {length}, allowed are 0 (money) to {LONGEST_MATCH}")
    if min(score) < 0 or (length and max(score) >= length) or (not length and max(score) > 0):
        raise ValueError(f"{what}: score {score[0]}-{score[1]} of a match to {length}, 0-0 in money play")
    if not 0 <= values.largest_cube <= MOST_CUBE:
        raise ValueError(f"{what}: largest cube {values.largest_cube}, allowed are 0 to {MOST_CUBE}")


def decision_xgid(library: Library, row: int) -> str:
    """The XGID of decision ``row``: he who decides is X; before his roll, with his roll, or doubled by O.

    Whether money play is with Jacoby's rule or beavers is not known to a library: it is written without.
    """
    decisions = library.decisions
    length = library.matches[decisions.match[row]].length
    away = decisions.away[row].tolist()
    kind = Kind(decisions.kind[row])
    return xgid(
        decisions.board[row],
        cube=int(decisions.cube[row]),
        cube_owner=int(decisions.cube_owner[row]),
        dice=tuple(decisions.dice[row].tolist()) if kind is Kind.CHECKER else (0, 0),
        score=(length - away[0], length - away[1]) if length else (0, 0),
        crawford=bool(decisions.crawford[row]),
        length=length,
        doubled=kind is Kind.RESPONSE,
    )
