"""The move that a person is putting together, square by square; knows nothing of the screen."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from ludometrics.draughts import Move


class Press(NamedTuple):
    """What pressing a square came to.

    Attributes
    ----------
    kind : {"selected", "jumping", "cleared", "refused", "move"}
    why : str or None
        Of a refusal: a key of `ludometrics.web.wording.REFUSALS`.
    move : Move or None
        The whole move, once it is chosen.
    """

    kind: str
    why: str | None = None
    move: Move | None = None


class Choice:
    """The move that the side to move is putting together.

    Parameters
    ----------
    legal : sequence of mapping
        Its legal moves, each with a path and captures; empty when nobody may move here.
    signs : str
        The 32 squares, a sign each: b, B, w, W or a full stop.
    turn : {"b", "w"}

    Attributes
    ----------
    path : tuple of int
        Squares chosen so far.

    Examples
    --------
    >>> choice = Choice([{"path": (6, 15, 22), "captures": (10, 18)}], "." * 5 + "b" + "." * 26, "b")
    >>> [choice.press(square).kind for square in (6, 15, 22)]
    ['selected', 'jumping', 'move']
    """

    def __init__(self, legal: Sequence[Mapping[str, Any]], signs: str, turn: str) -> None:
        self.legal = [Move(tuple(move["path"]), tuple(move["captures"])) for move in legal]
        self.signs, self.turn = signs, turn
        self.path: tuple[int, ...] = ()

    @property
    def movable(self) -> frozenset[int]:
        """Squares of the pieces that may move."""
        return frozenset(move.path[0] for move in self.legal)

    @property
    def jumping(self) -> bool:
        """Whether a jump has begun and is not at its end."""
        return len(self.path) > 1

    @property
    def open(self) -> list[Move]:
        """Moves that begin with what has been chosen so far."""
        length = len(self.path)
        return [move for move in self.legal if length and move.path[:length] == self.path]

    @property
    def targets(self) -> frozenset[int]:
        """Squares where the chosen piece may go next."""
        return frozenset(move.path[len(self.path)] for move in self.open)

    @property
    def taken(self) -> tuple[int, ...]:
        """Squares of the pieces that have been jumped so far."""
        return self.open[0].captures[: len(self.path) - 1] if self.jumping else ()

    @property
    def shown(self) -> str:
        """The 32 squares as they stand in the middle of a jump."""
        if not self.jumping:
            return self.signs
        signs = list(self.signs)
        piece, signs[self.path[0] - 1] = signs[self.path[0] - 1], "."
        for square in self.taken:
            signs[square - 1] = "."
        signs[self.path[-1] - 1] = piece  # no man is crowned here: a jump ends where one is
        return "".join(signs)

    def press(self, square: int) -> Press:
        """Press a square 1 to 32."""
        if not self.path:
            return self._pick(square)
        steps = len(self.path)
        following = [move for move in self.open if move.path[steps] == square]
        if following:
            whole = next((move for move in following if len(move.path) == steps + 1), None)
            if whole is not None:
                return Press("move", move=whole)
            self.path = (*self.path, square)
            return Press("jumping")
        if square == self.path[-1]:
            self.path = ()
            return Press("cleared")
        return self._end(square) or self._other(square)

    def _end(self, square: int) -> Press | None:
        """The last square of a longer jump: enough where all routes there take the same pieces."""
        ends = [move for move in self.open if move.path[-1] == square]
        taken = {frozenset(move.captures) for move in ends}
        if len(taken) > 1:
            return Press("refused", why="ambiguous")
        return Press("move", move=ends[0]) if ends else None

    def _other(self, square: int) -> Press:
        if self.jumping:
            return Press("refused", why="jumping")
        if self.signs[square - 1].lower() == self.turn:
            return self._pick(square)
        return Press("refused", why="must-capture" if self.open[0].captures else "not-there")

    def _pick(self, square: int) -> Press:
        if square in self.movable:
            self.path = (square,)
            return Press("selected")
        sign = self.signs[square - 1].lower()
        if sign == ".":
            return Press("refused", why="empty")
        if sign != self.turn:
            return Press("refused", why="not-yours")
        must_capture = any(move.captures for move in self.legal)
        return Press("refused", why="other-piece" if must_capture else "cannot-move")
