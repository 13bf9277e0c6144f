"""What a picture of a board shows, and the same in words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ludometrics.backgammon.boards import off, pips


@dataclass(frozen=True)
class Position:
    """What a picture shows.

    Attributes
    ----------
    board : tuple of 26 ints
        Seen by the player to decide.
    cube : int
        Value before the action.
    cube_owner : int
        0 centred, 1 the player to decide, -1 the other.
    offered : bool
        He has been doubled: the cube is shown at twice its value, on his side.
    dice : (int, int)
        (0, 0): not rolled.
    away : (int, int)
        Points that he and the other need; (0, 0) money play.
    length : int
        Points of the match; 0 money play, or unknown.
    crawford, post_crawford : bool
    names : (str, str)
        His and the other's, "" for none.
    """

    board: tuple[int, ...]
    cube: int = 1
    cube_owner: int = 0
    offered: bool = False
    dice: tuple[int, int] = (0, 0)
    away: tuple[int, int] = (0, 0)
    length: int = 0
    crawford: bool = False
    post_crawford: bool = False
    names: tuple[str, str] = ("", "")


def score_words(position: Position) -> str:
    """What is played for.

    Examples
    --------
    >>> score_words(Position((0,) * 26, length=7, away=(1, 4), crawford=True))
    'to 7 points, Crawford'
    """
    if position.away == (0, 0):
        return "money play"
    words = (
        f"to {position.length} point{'s' if position.length > 1 else ''}" if position.length else "match play"
    )
    if position.crawford:
        return f"{words}, Crawford"
    return f"{words}, post-Crawford" if position.post_crawford else words


def describe(position: Position) -> str:
    """The whole position in words, for those who hear it read.

    Examples
    --------
    >>> board = [0] * 26
    >>> board[3], board[22], board[25] = 2, -1, 1
    >>> print(describe(Position(tuple(board), cube=2, cube_owner=-1, dice=(6, 5))))
    The player to decide: point 3: 2, bar: 1, off: 12; 31 pips. The other, points counted from the same side:
    point 22: 1, off: 14; 3 pips. The cube is at 2, the other's. 6-5 rolled. Money play.
    """
    to_go = pips(position.board)
    own = f"{_side(position.board, 1)}; {to_go[0]} pips."
    other = f"{_side(position.board, -1)}; {to_go[1]} pips."
    sentences = [
        f"The player to decide: {own}",
        f"The other, points counted from the same side: {other}",
        _cube_words(position),
    ]
    if position.dice != (0, 0):
        sentences.append(f"{position.dice[0]}-{position.dice[1]} rolled.")
    score = score_words(position)
    if position.away != (0, 0):
        score = f"{score}; {position.away[0]} away against {position.away[1]} away"
    return " ".join([*sentences, f"{score[0].upper()}{score[1:]}."])


def _side(board: Sequence[int], side: int) -> str:
    words = [f"point {point}: {board[point] * side}" for point in range(24, 0, -1) if board[point] * side > 0]
    bar = board[25] if side > 0 else -board[0]
    gone = off(board)[0 if side > 0 else 1]
    words += [f"bar: {bar}"] if bar else []
    words += [f"off: {gone}"] if gone else []
    return ", ".join(words)


def _cube_words(position: Position) -> str:
    if position.crawford:
        return "There is no cube in this game."
    if position.offered:
        return f"The cube is offered at {2 * position.cube}."
    owner = {0: "in the middle", 1: "the player's own", -1: "the other's"}[position.cube_owner]
    return f"The cube is at {position.cube}, {owner}."
