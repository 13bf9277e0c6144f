"""What is to be seen on each square of the board, in classes and in words."""

from collections.abc import Collection, Sequence
from typing import NamedTuple

from ludometrics.draughts.layout import SQUARES
from ludometrics.web.style import PIECE_CLASSES
from ludometrics.web.wording import piece_name

_WORDS = {
    "ludo-selected": "selected",
    "ludo-target": "you can move here",
    "ludo-movable": "can move",
    "ludo-taken": "jumped",
    "ludo-last-to": "end of the last move",
    "ludo-last-from": "passed in the last move",
}


class Face(NamedTuple):
    """How a square looks: classes of its button, and words for who cannot see it."""

    classes: tuple[str, ...]
    words: str


def faces(
    signs: str,
    *,
    selected: int | None = None,
    movable: Collection[int] = (),
    targets: Collection[int] = (),
    taken: Collection[int] = (),
    last: Sequence[int] = (),
) -> list[Face]:
    """Say how the squares 1 to 32 look.

    Parameters
    ----------
    signs : str
        32 signs: b, B, w, W or a full stop.
    selected : int, optional
        Square of the piece that was chosen.
    movable, targets, taken : collection of int
        Squares of pieces that may move, where the chosen one may go, and of pieces jumped in this move.
    last : sequence of int
        Squares of the last move, in order.

    Returns
    -------
    list of Face

    Examples
    --------
    >>> faces("b" + "." * 31, movable={1})[0]
    Face(classes=('ludo-b', 'ludo-movable'), words='square 1, black man, can move')
    """
    shown = []
    for square in range(1, SQUARES + 1):
        marks = {
            "ludo-selected": square == selected,
            "ludo-target": square in targets,
            "ludo-movable": selected is None and square in movable,
            "ludo-taken": square in taken,
            "ludo-last-to": bool(last) and last[-1] == square,
            "ludo-last-from": square in last[:-1] and last[-1] != square,
        }
        on = [mark for mark, is_on in marks.items() if is_on]
        words = [_WORDS[mark] for mark in on]
        if "ludo-last-from" in on and last[0] == square:
            words[-1] = "start of the last move"
        sign = signs[square - 1]
        piece = [PIECE_CLASSES[sign]] if sign in PIECE_CLASSES else []
        shown.append(Face((*piece, *on), ", ".join([f"square {square}", piece_name(sign), *words])))
    return shown
