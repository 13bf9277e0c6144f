"""Positions drawn in letters, and read from such drawings."""

from ludometrics.connect4.bitboard import CELLS, COLUMNS, ROWS, STRIDE
from ludometrics.connect4.board_batches import FAULTS
from ludometrics.connect4.position import Position, cells, check_position

__all__ = ["draw", "from_drawing"]

LETTERS = {1: "Y", -1: "R", 0: "."}
_NUMBERS = "".join(map(str, range(COLUMNS)))


def draw(position: Position) -> str:
    """Draw a position in letters: Y Yellow, R Red, . empty, the top row first, columns numbered below.

    Raises
    ------
    ValueError
        Numbers that are no position.

    Source
    ------
    Own.
    """
    rows = [" ".join(LETTERS[cell] for cell in row) for row in reversed(cells(position))]
    return "\n".join([*rows, " ".join(_NUMBERS)])


def from_drawing(text: str) -> Position:
    """Read a position drawn in letters.

    Parameters
    ----------
    text : str
        Six lines of seven letters as `draw` writes them, top row first. Spaces and empty lines do not matter; the line
        of column numbers may be missing.

    Returns
    -------
    Position
        The position. Whose turn it is follows from the numbers of tokens.

    Raises
    ------
    ValueError
        Other than six rows of seven cells; another letter, or a token above an empty cell (row, column and letter are
        named); numbers of tokens that do not fit; a game that went on after a win.

    Source
    ------
    Own.

    Examples
    --------
    >>> empty = ". . . . . . ."
    >>> drawn = "\\n".join([empty, empty, empty, ". . . R . . .", ". . . Y . . .", ". . R Y . . ."])
    >>> from_drawing(drawn)
    Position(tokens=939786240, active=402653184, moves_left=38)
    >>> draw(from_drawing(drawn)).startswith(drawn)
    True
    """
    rows = [row for row in ("".join(line.split()) for line in text.splitlines()) if row]
    if rows and rows[-1] == _NUMBERS:
        rows.pop()
    if len(rows) != ROWS:
        raise ValueError(f"the drawing has {len(rows)} rows: a board has {ROWS}")
    sides = {"Y": 0, "R": 0, ".": 0}
    for number, row in enumerate(reversed(rows)):
        if len(row) != COLUMNS:
            raise ValueError(
                f"row {number} (from the bottom, 0 to {ROWS - 1}), {row!r}, has {len(row)} cells, not {COLUMNS}"
            )
        for column, letter in enumerate(row):
            place = f"row {number} (from the bottom, 0 to {ROWS - 1}), column {column}: {letter!r}"
            bit = STRIDE * column + number
            if letter not in sides:
                raise ValueError(f"{place} is no cell: allowed are Y, R and .")
            if letter != "." and number > 0 and not (sides["Y"] | sides["R"]) >> (bit - 1) & 1:
                raise ValueError(f"{place} stands above an empty cell")
            sides[letter] |= 1 << bit
    tokens = sides["Y"] | sides["R"]
    yellows, reds = sides["Y"].bit_count(), sides["R"].bit_count()
    if yellows - reds not in (0, 1):
        raise ValueError(f"{yellows} tokens are Yellow's and {reds} Red's: {FAULTS[5]}")
    left = CELLS - yellows - reds
    return check_position((tokens, sides["R"] if left % 2 else sides["Y"], left))
