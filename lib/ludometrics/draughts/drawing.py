"""Positions as SVG pictures, for notebooks and files."""

from dataclasses import dataclass
from pathlib import Path

from ludometrics.draughts.layout import SQUARES, row_column
from ludometrics.draughts.position import Position, format_fen, piece_at
from ludometrics.draughts.rules import Move

LIGHT, DARK, TRACE, NUMBER = "#f2e6d0", "#a9835c", "#e8c95a", "#4d3820"
MAN_FILLS = {
    "b": ("#26221f", "#8c8278"),
    "w": ("#fdfbf7", "#5c5148"),
}  # face and rim: told apart without colour
CROWN = "M -.22 .15 L -.26 -.14 L -.10 .01 L 0 -.20 L .10 .01 L .26 -.14 L .22 .15 Z"


@dataclass(frozen=True)
class Drawing:
    """A picture that a notebook shows by itself.

    Parameters
    ----------
    svg : str
        The picture as an SVG document.
    """

    svg: str

    def _repr_svg_(self) -> str:
        return self.svg

    def save(self, path: str | Path) -> None:
        """Write the picture to a file (UTF-8)."""
        Path(path).write_text(self.svg, encoding="utf-8")


def draw_svg(position: Position, last_move: Move | None = None, *, size_px: int = 320) -> Drawing:
    """Draw a position as people see it in print: Black's side on top, squares numbered, kings with a crown.

    Parameters
    ----------
    position : Position
    last_move : Move, optional
        Its squares are marked, its path drawn, and captured squares crossed.
    size_px : int
        Width and height in pixels, 40 to 4000.

    Returns
    -------
    Drawing

    Raises
    ------
    ValueError
        If the size is out of range.

    Examples
    --------
    >>> from ludometrics.draughts import START
    >>> draw_svg(START).svg.count('class="man"')
    24
    """
    if isinstance(size_px, bool) or not isinstance(size_px, int) or not 40 <= size_px <= 4000:
        raise ValueError(f"size_px is {size_px!r}; allowed are the whole numbers 40 to 4000")
    visited = last_move.path if last_move else ()
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{size_px}" height="{size_px}" viewBox="0 0 8 8" role="img">',
        f"<title>{format_fen(position)}</title>",
        f'<rect width="8" height="8" fill="{LIGHT}"/>',
    ]
    for square in range(1, SQUARES + 1):
        row, column = row_column(square)
        fill = TRACE if square in visited else DARK
        parts.append(f'<rect x="{column}" y="{row}" width="1" height="1" fill="{fill}"/>')
        parts.append(
            f'<text x="{column + 0.06}" y="{row + 0.24}" font-size=".2" font-family="sans-serif" '
            f'fill="{NUMBER}">{square}</text>'
        )
    for square in range(1, SQUARES + 1):
        parts += _piece(square, piece_at(position, square))
    if last_move:
        parts += _trace(last_move)
    return Drawing("\n".join([*parts, "</svg>", ""]))


def _piece(square: int, piece: str) -> list[str]:
    if piece == ".":
        return []
    row, column = row_column(square)
    face, rim = MAN_FILLS[piece.lower()]
    kind = "king" if piece.isupper() else "man"
    parts = [
        f'<g class="{kind}" transform="translate({column + 0.5} {row + 0.5})">',
        f'<circle r=".38" fill="{face}" stroke="{rim}" stroke-width=".05"/>',
        f'<path d="{CROWN}" fill="{rim}"/>'
        if kind == "king"
        else f'<circle r=".25" fill="none" stroke="{rim}" stroke-width=".025"/>',
        "</g>",
    ]
    return parts


def _trace(move: Move) -> list[str]:
    """The path of a move as a line, and a cross on each captured square."""
    centres = [(column + 0.5, row + 0.5) for row, column in map(row_column, move.path)]
    points = " ".join(f"{x},{y}" for x, y in centres)
    parts = [f'<polyline class="path" points="{points}" fill="none" stroke="#0072b2" stroke-width=".07"/>']
    for row, column in map(row_column, move.captures):
        cross = f"M {column + 0.35} {row + 0.35} l .3 .3 m 0 -.3 l -.3 .3"
        parts.append(f'<path class="captured" d="{cross}" stroke="#d55e00" stroke-width=".07"/>')
    return parts
