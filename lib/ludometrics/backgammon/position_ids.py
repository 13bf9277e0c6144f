"""GNU Backgammon's Position ID and Match ID: 14 and 12 characters of base64 for the checkers and for the rest.

Boards are seen by the player on roll. In a Match ID the player on roll and the one who must decide differ while a
double (or a resignation) is on offer.
"""

from __future__ import annotations

import base64
import re
from collections.abc import Sequence
from enum import IntEnum
from typing import NamedTuple

import numpy as np

from ludometrics.backgammon.boards import BAR, as_board
from ludometrics.backgammon.records import CHECKERS

POSITION_CHARACTERS, POSITION_BYTES = 14, 10
MATCH_CHARACTERS, MATCH_BYTES = 12, 9
#: Bits of the two sides: a 1 for each of 15 checkers, a 0 after each of 25 slots.
POSITION_BITS = 2 * (CHECKERS + BAR)
CENTRED = 3  # in the two bits of the cube's owner

#: Fields of a Match ID with their bits, least significant first.
_FIELDS = {
    "cube": 4,
    "owner": 2,
    "on_roll": 1,
    "crawford": 1,
    "state": 3,
    "decider": 1,
    "doubled": 1,
    "resigned": 2,
    "die_1": 3,
    "die_2": 3,
    "length": 15,
    "score_0": 15,
    "score_1": 15,
    "no_jacoby": 1,
}


class GameState(IntEnum):
    """State of the game in a Match ID."""

    NO_GAME = 0
    PLAYING = 1
    OVER = 2
    RESIGNED = 3
    DROPPED = 4


class MatchState(NamedTuple):
    """What a Match ID says; "own" is the player on roll, seats are GNU Backgammon's players 0 and 1.

    Attributes
    ----------
    cube : int
        Value, 1 to 32768; before a double that is on offer.
    cube_owner : int
        0 centred, 1 the player on roll, -1 the other.
    on_roll : int
        Seat of the player on roll; while a double is on offer, the doubler.
    decider : int
        Seat of the player who must act.
    crawford : bool
        This is the Crawford game.
    state : GameState
    doubled : bool
        A double is on offer.
    resigned : int
        Points in cubes offered by resigning: 0 none, 1, 2, 3.
    dice : (int, int)
        (0, 0) before the roll.
    length : int
        0: money.
    score : (int, int)
        Of the player on roll and of the other.
    jacoby : bool
        Jacoby's rule: in money play gammons count only once the cube has been turned. False in matches.
    """

    cube: int = 1
    cube_owner: int = 0
    on_roll: int = 0
    decider: int = 0
    crawford: bool = False
    state: GameState = GameState.PLAYING
    doubled: bool = False
    resigned: int = 0
    dice: tuple[int, int] = (0, 0)
    length: int = 0
    score: tuple[int, int] = (0, 0)
    jacoby: bool = False


def _bytes_of(text: str, what: str, characters: int) -> bytes:
    text = text.strip()
    if len(text) != characters:
        raise ValueError(f"{what} {text[:40]!r} has {len(text)} characters, wanted {characters}")
    if not re.fullmatch("[A-Za-z0-9+/]*", text):
        raise ValueError(f"{what} {text!r} holds characters other than A-Z, a-z, 0-9, + and /")
    data = base64.b64decode(text + "=" * (-characters % 4))
    if base64.b64encode(data).decode("ascii").rstrip("=") != text:
        raise ValueError(f"{what} {text!r} is none: its last character is {text[-1]!r}")
    return data


def _text_of(bits: int, count: int) -> str:
    return base64.b64encode(bits.to_bytes(count, "little")).decode("ascii").rstrip("=")


def position_id(board: Sequence[int] | np.ndarray) -> str:
    """Position ID of ``board`` (26,), seen by the player on roll.

    Source: GNU Backgammon manual, "A technical description of the Position ID".

    Examples
    --------
    >>> from ludometrics.backgammon.boards import START
    >>> position_id(START)
    '4HPwATDgc/ABMA'
    """
    values = [int(count) for count in as_board(board)]
    other = [max(0, -values[BAR - slot]) for slot in range(1, BAR + 1)]
    own = [max(0, values[slot]) for slot in range(1, BAR + 1)]
    bits, place = 0, 0
    for count in (*other, *own):
        bits |= ((1 << count) - 1) << place
        place += count + 1
    return _text_of(bits, POSITION_BYTES)


def board_from_position_id(text: str) -> tuple[int, ...]:
    """The 26 slots of a Position ID, seen by the player on roll.

    Raises
    ------
    ValueError
        Not 14 characters of base64, or more than 15 checkers of a side.

    Examples
    --------
    >>> board_from_position_id("4HPwATDgc/ABMA")[:7]
    (0, -2, 0, 0, 0, 0, 5)
    """
    data = int.from_bytes(_bytes_of(text, "Position ID", POSITION_CHARACTERS), "little")
    counts, count = [], 0
    for place in range(8 * POSITION_BYTES):
        if data >> place & 1:
            count += 1
        else:
            counts.append(count)
            count = 0
    other, own = counts[:BAR], counts[BAR : 2 * BAR]
    if len(own) < BAR or count or any(counts[2 * BAR :]) or max(sum(own), sum(other)) > CHECKERS:
        raise ValueError(f"Position ID {text.strip()!r} is none: more than {CHECKERS} checkers of a side")
    board = [0, *own]
    for distance, checkers in enumerate(other, start=1):
        if checkers and board[BAR - distance] > 0:
            raise ValueError(
                f"Position ID {text.strip()!r} is none: both sides stand on point {BAR - distance}"
            )
        board[BAR - distance] -= checkers
    return tuple(board)


def match_state(text: str) -> MatchState:
    """What a Match ID says.

    Source: GNU Backgammon manual, "A technical description of the Match ID".

    Raises
    ------
    ValueError
        Not 12 characters of base64, or a value that cannot be.

    Examples
    --------
    >>> match_state("cIm2AAAAAAAE").dice, match_state("cIm2AAAAAAAE").length
    ((5, 5), 5)
    """
    data = int.from_bytes(_bytes_of(text, "Match ID", MATCH_CHARACTERS), "little")
    found = {}
    for name, width in _FIELDS.items():
        found[name] = data & ((1 << width) - 1)
        data >>= width
    on_roll = found["on_roll"]
    if found["owner"] == 2 or found["state"] > max(GameState):
        raise ValueError(
            f"Match ID {text.strip()!r} is none: owner of the cube {found['owner']}, allowed are 0, 1 and 3;"
            f" state of the game {found['state']}, allowed are 0 to 4"
        )
    owner = 0 if found["owner"] == CENTRED else 1 if found["owner"] == on_roll else -1
    state = MatchState(
        cube=1 << found["cube"],
        cube_owner=owner,
        on_roll=on_roll,
        decider=found["decider"],
        crawford=bool(found["crawford"]),
        state=GameState(found["state"]),
        doubled=bool(found["doubled"]),
        resigned=found["resigned"],
        dice=(found["die_1"], found["die_2"]),
        length=found["length"],
        score=(found[f"score_{on_roll}"], found[f"score_{1 - on_roll}"]),
        jacoby=not found["no_jacoby"],
    )
    _check(state, f"Match ID {text.strip()!r}")
    return state


def match_id(state: MatchState) -> str:
    """Match ID of ``state``.

    Raises
    ------
    ValueError
        A value that cannot be, with what is allowed.

    Examples
    --------
    >>> match_id(match_state("cIm2AAAAAAAE"))
    'cIm2AAAAAAAE'
    """
    _check(state, "match state")
    owner = {0: CENTRED, 1: state.on_roll, -1: 1 - state.on_roll}[state.cube_owner]
    scores = state.score if state.on_roll == 0 else state.score[::-1]
    values = {
        **state._asdict(),
        "cube": state.cube.bit_length() - 1,
        "owner": owner,
        "die_1": state.dice[0],
        "die_2": state.dice[1],
        "score_0": scores[0],
        "score_1": scores[1],
        "no_jacoby": not state.jacoby,
    }
    bits, place = 0, 0
    for name, width in _FIELDS.items():
        bits |= int(values[name]) << place
        place += width
    return _text_of(bits, MATCH_BYTES)


def _check(state: MatchState, what: str) -> None:
    most = (1 << 15) - 1
    cube, dice = state.cube, state.dice
    wrong = {
        f"cube {cube}, allowed are powers of two up to 32768": not 1 <= cube <= 1 << 15 or cube & (cube - 1),
        f"owner of the cube {state.cube_owner}, allowed are 0, 1 and -1": state.cube_owner not in (0, 1, -1),
        f"seats {state.on_roll} and {state.decider}, allowed are 0 and 1": not {state.on_roll, state.decider}
        <= {0, 1},
        f"dice {dice[0]} and {dice[1]}, allowed are 1 to 6, or 0 and 0": dice != (0, 0)
        and not all(1 <= die <= 6 for die in dice),
        f"length {state.length}, allowed are 0 to {most}": not 0 <= state.length <= most,
        f"score {state.score[0]}-{state.score[1]}, allowed are 0 to {most}": not all(
            0 <= points <= most for points in state.score
        ),
        f"resignation {state.resigned}, allowed are 0 to 3": not 0 <= state.resigned <= 3,
    }
    for reason, bad in wrong.items():
        if bad:
            raise ValueError(f"{what}: {reason}")
