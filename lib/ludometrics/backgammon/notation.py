"""Plays as text: "13/9 6/5*", "bar/22", "8/3(2)", "24/18*/13", "6/off", as GNU Backgammon, eXtreme Gammon and BGBlitz
write them.

Text is read loosely (order of the hops and case are free, hit marks may lack) and written in one way: hops of one
checker joined unless it hits on the way, highest first, equal ones counted in brackets.
"""

from __future__ import annotations

import itertools
import re
from collections import Counter
from collections.abc import Callable, Sequence
from functools import lru_cache

import numpy as np

from ludometrics.backgammon.boards import BAR, as_board
from ludometrics.backgammon.moves import check_dice, legal_boards
from ludometrics.backgammon.records import SLOTS, UNKNOWN

#: Words for a roll that cannot be played, spaces and case apart.
NO_PLAY = ("cannot move", "can't move", "no move", "no play", "dance", "dances", "fan", "fans")
OFF = 0
#: A checker's way: slots from the first to the last, with whether each landing is marked as a hit.
Way = tuple[tuple[int, bool], ...]
Hop = tuple[int, int]  # from, to

_POINT = r"(?:bar|off|b|o|[0-9]{1,2})"
_WAY = re.compile(rf"({_POINT}\*?(?:[/-]{_POINT}\*?)+)(?:\(([1-4])\)(\*?))?", re.IGNORECASE)
MOST_HOPS = 4


@lru_cache(maxsize=1 << 14)  # the same few thousand plays come again and again
def parse_ways(text: str) -> tuple[Way, ...]:
    """The ways of single checkers in ``text``, one for each checker; empty for a roll that cannot be played.

    Raises
    ------
    ValueError
        Something that is no play, quoted.
    """
    if " ".join(text.split()).casefold().rstrip(".") in NO_PLAY:
        return ()
    ways: list[Way] = []
    parts = re.sub(r"\s+\(", "(", text).replace(",", " ").replace(";", " ").split()
    for part in parts:
        found = _WAY.fullmatch(part)
        if found is None:
            raise ValueError(
                f"play {text.strip()!r}: {part!r} is no move such as 13/9, bar/22*, 8/3(2), 6/off"
            )
        hops, times, mark = found.groups()
        way = [_stop(stop) for stop in re.split("[/-]", hops)]
        if mark:  # "8/3(2)*"
            way[-1] = (way[-1][0], True)
        slots = [slot for slot, _ in way]
        if slots[0] > BAR or any(later >= earlier for earlier, later in itertools.pairwise(slots)):
            raise ValueError(
                f"play {text.strip()!r}: checkers move from a higher point (bar, 24 ... 1) to a lower one or off"
            )
        ways += [tuple(way)] * int(times or 1)
    if not ways:
        raise ValueError("an empty play; a roll that cannot be played is written 'cannot move'")
    if sum(len(way) - 1 for way in ways) > MOST_HOPS:
        raise ValueError(f"play {text.strip()!r} has more than {MOST_HOPS} hops")
    return tuple(ways)


def _stop(part: str) -> tuple[int, bool]:
    name, hit = part.rstrip("*").casefold(), part.endswith("*")
    if name.startswith("b"):
        return BAR, hit
    return OFF if name.startswith("o") else int(name), hit


def parse_play(
    text: str, board: Sequence[int] | np.ndarray, dice: Sequence[int] | np.ndarray | None = None
) -> np.ndarray:
    """The board after a play.

    A blot is hit wherever a checker lands on it, marked or not.

    Parameters
    ----------
    text : str
        Order of the hops and case are free.
    board : (26,) int
        Before the play, seen by its player.
    dice : (2,) int, optional
        With them the play must be a legal one of this roll.

    Returns
    -------
    (26,) int8
        Seen by the same player.

    Raises
    ------
    ValueError
        No play; no checker to move; a point held by the other; a hit marked where there is no blot; not legal.

    Examples
    --------
    >>> from ludometrics.backgammon.boards import START
    >>> parse_play("8/5 6/5", START)[5:9].tolist()
    [2, 4, 0, 2]
    """
    before = as_board(board)
    after = before.tolist()
    hops = [hop for way in parse_ways(text) for hop in itertools.pairwise(way)]
    hits, marks = set(), {stop for _, (stop, marked) in hops if marked}
    while hops:
        ready = [hop for hop in hops if after[hop[0][0]] > 0]
        if not ready:
            raise ValueError(f"play {text.strip()!r}: no checker stands on {_name(max(hops)[0][0])}")
        # From the rearmost on, so that what comes in from the bar is there to be moved on.
        hop = max(ready)
        hops.remove(hop)
        target = hop[1][0]
        if target != OFF and after[target] < -1:
            raise ValueError(f"play {text.strip()!r}: the other side holds point {target}")
        if _move(after, hop[0][0], target):
            hits.add(target)
    if marks - hits:
        raise ValueError(f"play {text.strip()!r}: nothing to hit on point {max(marks - hits)}")
    result = np.array(after, np.int8)
    if dice is not None:
        boards = legal_boards(before, dice)
        if find_board(result, boards) == UNKNOWN and (len(boards) or (result != before).any()):
            first, second = check_dice(dice)
            raise ValueError(f"play {text.strip()!r} is not legal with {first} and {second}")
    return result


def _move(board: list[int], source: int, target: int) -> bool:
    """Move one checker, in place; whether it hits."""
    board[source] -= 1
    if target == OFF:
        return False
    hit = board[target] == -1
    if hit:
        board[target] = 0
        board[0] -= 1
    board[target] += 1
    return hit


def _name(slot: int) -> str:
    return {BAR: "bar", OFF: "off"}.get(slot, str(slot))


def format_play(
    before: Sequence[int] | np.ndarray, after: Sequence[int] | np.ndarray, dice: Sequence[int] | np.ndarray
) -> str:
    """The play that leads from one board to another, in the one way in which plays are written here.

    Parameters
    ----------
    before, after : (26,) int
        Seen by the player who moved.
    dice : (2,) int

    Returns
    -------
    str
        "cannot move" where nothing moved. Where two plays have the same end, the one with fewer parts.

    Raises
    ------
    ValueError
        No play of this roll leads there.

    Examples
    --------
    >>> from ludometrics.backgammon.boards import START
    >>> format_play(START, parse_play("6/5 8/5", START), (1, 3))
    '8/5 6/5'
    """
    start, end = as_board(before), as_board(after)
    first, second = check_dice(dice)
    boards = legal_boards(start, dice)
    if not len(boards) and (start == end).all():
        return NO_PLAY[0]
    if find_board(end, boards) == UNKNOWN:
        raise ValueError(f"no play of {first} and {second} leads from the one board to the other")
    start, end = start.tolist(), end.tolist()
    plays = _double_hops(start, end, first) if first == second else _two_hops(start, end, (first, second))
    hits = {slot for slot in range(1, BAR) if start[slot] == -1 and end[slot] != -1}
    texts = [_text_of(hops, hits) for hops in plays]
    return min(texts, key=lambda text: (text.count(" "), text))


def _double_hops(start: list[int], end: list[int], die: int) -> list[list[Hop]]:
    """The hops of a double: with hops of one length the ends leave no choice, counted from the rearmost slot."""
    leaving = [0] * (BAR + 1 + die)
    hops: list[Hop] = []
    for slot in range(BAR, 0, -1):
        leaving[slot] = max(0, start[slot]) - max(0, end[slot]) + leaving[slot + die]
        hops += [(slot, max(OFF, slot - die))] * leaving[slot]
    return [hops]


def _two_hops(start: list[int], end: list[int], dice: tuple[int, int]) -> list[list[Hop]]:
    """Every one or two hops with ``dice``, in any order, that lead from ``start`` to ``end``."""
    plays: list[list[Hop]] = []
    waiting: list[tuple[list[int], list[Hop], tuple[int, ...]]] = [(start, [], dice), (start, [], dice[::-1])]
    while waiting:
        board, hops, left = waiting.pop()
        if board == end:
            plays.append(hops)
        elif left:
            for source in range(1, SLOTS):
                target = max(OFF, source - left[0])
                if board[source] > 0 and (target == OFF or board[target] >= -1):
                    moved = board.copy()
                    _move(moved, source, target)
                    waiting.append((moved, [*hops, (source, target)], left[1:]))
    return plays


def join_hops(hops: Sequence[Hop]) -> list[list[int]]:
    """Slots that single checkers pass, out of hops; the rearmost first, and the first goes on as far as it can."""
    ways: list[list[int]] = []
    for source, target in sorted(hops, reverse=True):
        open_way = next((way for way in ways if way[-1] == source), None)
        if open_way is None:
            ways.append([source, target])
        else:
            open_way.append(target)
    return ways


def _text_of(hops: Sequence[Hop], hits: set[int]) -> str:
    """A play in words; the first way that stops on a blot hits it."""
    times = Counter(tuple(way) for way in join_hops(hops))
    waiting, parts = set(hits), []
    for way, count in times.items():
        marked = {slot for slot in way[1:] if slot in waiting}
        waiting -= marked
        shown = [slot for slot in way[1:-1] if slot in marked]
        text = "/".join(
            [_name(way[0]), *(_name(slot) + "*" * (slot in marked) for slot in (*shown, way[-1]))]
        )
        parts.append(f"{text}({count})" if count > 1 else text)
    return " ".join(parts)


def sorted_hops(text: str) -> tuple[Way, ...]:
    """The ways of a play as written, sorted: the same for "6/5 8/5" and "8/5 6/5"."""
    return tuple(sorted(parse_ways(text), reverse=True))


def canonical(text: str) -> tuple[tuple[int, int], ...]:
    """Ends of the ways without stops and hits, joined: the same for "13/9 9/6*", "13/9/6" and "13/6".

    Examples
    --------
    >>> canonical("13/9 9/6*") == canonical("13/6")
    True
    """
    hops = [(start[0], stop[0]) for way in parse_ways(text) for start, stop in itertools.pairwise(way)]
    return tuple((way[0], way[-1]) for way in join_hops(hops))


def find_board(after: Sequence[int] | np.ndarray, boards: np.ndarray) -> int:
    """Row of ``boards`` (k, 26) that equals ``after`` (26,), the first of several; UNKNOWN where none does."""
    same = (np.asarray(boards).reshape(-1, SLOTS) == np.asarray(after)).all(axis=1)
    return int(np.argmax(same)) if same.any() else UNKNOWN


def find_play(played: str, candidates: Sequence[str], board: Sequence[int] | np.ndarray | None = None) -> int:
    """Which of ``candidates`` is the play that was made.

    By the board after it, where the board before is given; texts that cannot be played there, and all without a board,
    are compared by the hops as written, and last by their ends (`canonical`), which tell no hits: these count only if
    exactly one candidate fits.

    Parameters
    ----------
    played : str
    candidates : sequence of str
    board : (26,) int, optional

    Returns
    -------
    int
        Row of ``candidates``, UNKNOWN where none fits.

    Examples
    --------
    >>> find_play("6/5 8/5", ["13/10 6/5", "8/5 6/5"])
    1
    """
    texts: list[str | None] = list(candidates)
    if board is not None and (wanted := _after(played, board)) is not None:
        boards = [_after(text, board) for text in candidates]
        if wanted in boards:
            return boards.index(wanted)
        texts = [text if after is None else None for text, after in zip(candidates, boards, strict=True)]
    hops = [_or_none(sorted_hops, text) for text in texts]
    wanted = _or_none(sorted_hops, played)
    if wanted is not None and wanted in hops:
        return hops.index(wanted)
    ends, wanted = [_or_none(canonical, text) for text in texts], _or_none(canonical, played)
    return ends.index(wanted) if wanted is not None and ends.count(wanted) == 1 else UNKNOWN


def _or_none(function: Callable[[str], tuple], text: str | None) -> tuple | None:
    if text is None:
        return None
    try:
        return function(text)
    except ValueError:
        return None


def _after(text: str, board: Sequence[int] | np.ndarray) -> tuple[int, ...] | None:
    return _or_none(lambda play: tuple(parse_play(play, board).tolist()), text)
