"""Positions of English draughts: the state, its FEN and its drawing in text."""

import re
from typing import NamedTuple

from ludometrics.draughts.layout import PIECES_A_SIDE, SQUARES, square_at

FEN_FORM = (
    "a position is written like B:W18,24,K10:B12,K22 "
    "(side to move, then each colour with its squares 1-32, K before a king, 18-20 for a run of squares)"
)
_SQUARES = re.compile(r"(K?)([0-9]+)(?:-(K?)([0-9]+))?", re.ASCII)
_CROWNED_ON = {"b": 0xF << 28, "w": 0xF}  # the row where a man of this colour would have become a king


class Position(NamedTuple):
    """Pieces and side to move.

    Parameters
    ----------
    black, white : int
        Sets of squares as bits: bit i is square i + 1 (squares 1..32, Black's own side is 1..4).
    kings : int
        The squares of the kings of either side.
    turn : {'b', 'w'}
        Side to move.

    Examples
    --------
    >>> print(parse_fen("B:W26,K27:B22"))
     .   .   .   .
       .   .   .   .
     .   .   .   .
       .   .   .   .
     .   .   .   .
       .   b   .   .
     .   w   W   .
       .   .   .   .
    Black to move
    """

    black: int
    white: int
    kings: int
    turn: str

    def __str__(self) -> str:
        rows = [" ".join(_piece(self, square_at(r, c)) for c in range(8)).rstrip() for r in range(8)]
        return "\n".join([*rows, f"{side_name(self.turn)} to move"])

    def _repr_svg_(self) -> str:
        from ludometrics.draughts.drawing import draw_svg  # here, for drawing imports this module

        return draw_svg(self).svg


START = Position(black=0xFFF, white=0xFFF << 20, kings=0, turn="b")


def side_name(side: str) -> str:
    """'Black' or 'White' for 'b' or 'w'."""
    return "Black" if side == "b" else "White"


def other_side(side: str) -> str:
    """The opponent of 'b' or 'w'."""
    return "w" if side == "b" else "b"


def squares_of(bits: int) -> tuple[int, ...]:
    """Squares of a set of bits, rising.

    >>> squares_of(0b1001)
    (1, 4)
    """
    return tuple(i + 1 for i in range(SQUARES) if bits >> i & 1)


def piece_at(position: Position, square: int) -> str:
    """What stands on a square 1..32: 'b' or 'w' for a man, 'B' or 'W' for a king, '.' for nothing.

    >>> piece_at(START, 1), piece_at(START, 16), piece_at(START, 32)
    ('b', '.', 'w')
    """
    bit = 1 << square - 1
    piece = "b" if position.black & bit else "w" if position.white & bit else "."
    return piece.upper() if position.kings & bit else piece


def _piece(position: Position, square: int) -> str:
    return piece_at(position, square) if square else " "


def flip_colours(position: Position) -> Position:
    """The same position with the colours exchanged and the board turned round.

    >>> flip_colours(START)._replace(turn="b") == START
    True
    """
    black, white, kings = (_turn_round(bits) for bits in position[:3])
    return Position(white, black, kings, other_side(position.turn))


def _turn_round(bits: int) -> int:
    return int(f"{bits:032b}"[::-1], 2)


def format_fen(position: Position) -> str:
    """Write a position as FEN (PDN 3.0 form), White's pieces first, kings after men.

    >>> format_fen(parse_fen("W:Bk22,12:W18"))
    'W:W18:B12,K22'
    """
    white, black = _fen_squares(position, position.white), _fen_squares(position, position.black)
    return f"{position.turn.upper()}:W{white}:B{black}"


def _fen_squares(position: Position, bits: int) -> str:
    men = [str(square) for square in squares_of(bits & ~position.kings)]
    return ",".join(men + [f"K{square}" for square in squares_of(bits & position.kings)])


def parse_fen(text: str) -> Position:
    """Read a position from FEN as used in PDN.

    Parameters
    ----------
    text : str
        Side to move, then the squares of each colour in either order, such as ``B:W18,24,K10:B12,K22``.
        Runs (``W21-32``), small letters, a final full stop and a colour with no pieces are accepted.

    Returns
    -------
    Position

    Raises
    ------
    ValueError
        If the text has another form, or the position cannot occur: a square outside 1..32 or used twice, more
        than 12 pieces a side, a man on the row where it would have been crowned, an empty board. The message
        names the part at fault.

    Source: PDN 3.0, section FEN tag.

    Examples
    --------
    >>> parse_fen("B:W21-32:B1-12") == START
    True
    """
    if not isinstance(text, str):
        raise ValueError(f"FEN {text!r}: {FEN_FORM}")
    parts = text.strip().removesuffix(".").upper().split(":")
    if len(parts) != 3 or parts[0] not in ("B", "W"):
        raise ValueError(f"FEN {text!r}: {FEN_FORM}")
    if sorted(part[:1] for part in parts[1:]) != ["B", "W"]:
        raise ValueError(f"FEN {text!r}: one part must begin with W and one with B; {FEN_FORM}")
    sides, kings = {"b": 0, "w": 0}, 0
    for part in parts[1:]:
        side = part[0].lower()
        sides[side], new_kings = _read_squares(part[1:], side, sides["b"] | sides["w"], text)
        kings |= new_kings
    if not sides["b"] | sides["w"]:
        raise ValueError(f"FEN {text!r}: the board is empty; at least one piece is needed")
    return Position(sides["b"], sides["w"], kings, parts[0].lower())


def _read_squares(part: str, side: str, taken: int, text: str) -> tuple[int, int]:
    """Squares and kings of one colour; `taken` are the squares of the other."""
    pieces, kings = 0, 0
    for token in part.split(",") if part.strip() else []:
        match = _SQUARES.fullmatch(token.strip())
        if match is None:
            raise ValueError(f"FEN {text!r}: {token.strip()!r} is not a square; {FEN_FORM}")
        king, first, king_again, last = match.groups()
        first, last = int(first), int(last or first)
        if not 1 <= first <= last <= SQUARES or (king_again and not king):
            raise ValueError(f"FEN {text!r}: {token.strip()!r} is not within the squares 1 to {SQUARES}")
        for square in range(first, last + 1):
            bit = 1 << square - 1
            if (pieces | taken) & bit:
                raise ValueError(f"FEN {text!r}: square {square} is given twice; a square holds one piece")
            if not king and bit & _CROWNED_ON[side]:
                raise ValueError(
                    f"FEN {text!r}: a man of {side_name(side)} cannot stand on {square}, its king row; write K{square}"
                )
            pieces |= bit
            kings |= bit if king else 0
    if pieces.bit_count() > PIECES_A_SIDE:
        raise ValueError(
            f"FEN {text!r}: {side_name(side)} has {pieces.bit_count()} pieces; at most {PIECES_A_SIDE} are allowed"
        )
    return pieces, kings
