"""The rules and the levels once more, in plain Python on an 8x8 board: slow, short and easy to check by eye.

Nothing here is shared with the compiled engine but the order of moves and the order in which random numbers are
drawn, so that both must play the same game from the same seed. The search here is minimax without pruning.
Tests compare the two; nobody else needs this module.
"""

from ludometrics.draughts.layout import row_column, square_at
from ludometrics.draughts.position import Position, piece_at
from ludometrics.draughts.rules import Move, Rules

DIRECTIONS = ((1, -1), (1, 1), (-1, -1), (-1, 1))  # (row, column); Black's men use the first two
Board = dict[
    tuple[int, int], str
]  # 'b', 'w' men and 'B', 'W' kings on (row, column); empty squares are absent
WIN = 1_000_000


def board_of(position: Position) -> Board:
    """Pieces of a position by (row, column)."""
    pieces = ((square, piece_at(position, square)) for square in range(1, 33))
    return {row_column(square): piece for square, piece in pieces if piece != "."}


def position_of(board: Board, side: str) -> Position:
    """Inverse of `board_of`."""
    bits = {kind: 0 for kind in "bwBW"}
    for (row, column), piece in board.items():
        bits[piece] |= 1 << square_at(row, column) - 1
    return Position(bits["b"] | bits["B"], bits["w"] | bits["W"], bits["B"] | bits["W"], side)


def directions(piece: str) -> tuple[int, ...]:
    """Directions in which a piece may move."""
    return {"b": (0, 1), "w": (2, 3)}.get(piece, (0, 1, 2, 3))


def on_board(place: tuple[int, int]) -> bool:
    """Whether (row, column) lies on the board."""
    return 0 <= place[0] < 8 and 0 <= place[1] < 8


def moved(board: Board, path: list[tuple[int, int]], captured: list[tuple[int, int]]) -> Board:
    """The board after a move along a path of (row, column) that captures what stood on `captured`."""
    after = {place: piece for place, piece in board.items() if place not in captured}
    piece = after.pop(path[0])
    crowned = path[-1][0] == (7 if piece in "bB" else 0)
    after[path[-1]] = piece.upper() if crowned else piece
    return after


def captures(board: Board, path: list, taken: list) -> list[tuple[list, list]]:
    """All (path, captured) that go on from a path whose last place the piece has reached; [] if none does."""
    piece, (row, column) = board[path[0]], path[-1]
    if len(path) > 1 and piece in "bw" and row == (7 if piece == "b" else 0):
        return []  # just crowned: the move ends
    found = []
    for direction in directions(piece):
        down, right = DIRECTIONS[direction]
        victim, land = (row + down, column + right), (row + 2 * down, column + 2 * right)
        is_enemy = board.get(victim, piece).lower() != piece.lower() and victim not in taken
        if is_enemy and on_board(land) and (land not in board or land == path[0]):
            onward = ([*path, land], [*taken, victim])
            found += captures(board, *onward) or [onward]
    return found


def steps(board: Board, side: str) -> list[tuple[list, list]]:
    """All plain moves, by direction and then by square."""
    found = []
    for direction, (down, right) in enumerate(DIRECTIONS):
        for place in sorted(board):
            land = (place[0] + down, place[1] + right)
            may = board[place].lower() == side and direction in directions(board[place])
            if may and on_board(land) and land not in board:
                found.append(([place, land], []))
    return found


def moves(board: Board, side: str) -> list[tuple[list, list]]:
    """All legal moves as (path, captured) in (row, column); captures are compulsory."""
    own = sorted(place for place in board if board[place].lower() == side)
    return [jump for place in own for jump in captures(board, [place], [])] or steps(board, side)


def legal_moves(position: Position) -> list[Move]:
    """All legal moves, in the order of `ludometrics.draughts.legal_moves`."""
    found = moves(board_of(position), position.turn)
    return [
        Move(tuple(square_at(*p) for p in path), tuple(square_at(*p) for p in taken)) for path, taken in found
    ]


def perft(board: Board, side: str, depth: int) -> int:
    """Number of move sequences of `depth` plies."""
    if depth == 0:
        return 1
    other = "w" if side == "b" else "b"
    return sum(perft(moved(board, *move), other, depth - 1) for move in moves(board, side))


def evaluate(board: Board, side: str) -> int:
    """Score for `side`: man 100, king 160, +2 for each row a man has gone from its own side."""
    score = 0
    for (row, _), piece in board.items():
        value = 160 if piece in "BW" else 100 + 2 * (row if piece == "b" else 7 - row)
        score += value if piece.lower() == side else -value
    return score


def value(board: Board, side: str, depth: int, ply: int) -> int:
    """Minimax value of a position for the side to move, `ply` plies below the root."""
    found = moves(board, side)
    if not found:
        return -(WIN - ply)
    if depth == 0:
        return evaluate(board, side)
    other = "w" if side == "b" else "b"
    return max(-value(moved(board, *move), other, depth - 1, ply + 1) for move in found)


class Stream:
    """Random numbers in [0, 1) by splitmix64 (Steele, Lea and Flood 2014)."""

    def __init__(self, seed: int) -> None:
        self.state = seed

    def uniform(self) -> float:
        """The next number."""
        word = 2**64 - 1
        self.state = self.state + 0x9E3779B97F4A7C15 & word
        z = self.state
        z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9 & word
        z = (z ^ z >> 27) * 0x94D049BB133111EB & word
        return ((z ^ z >> 31) >> 11) / 2**53


def choose(board: Board, side: str, depth: int, chance: float, stream: Stream) -> tuple[list, list]:
    """The move a level plays: careless with probability `chance`, else the first best of the shuffled moves."""
    found = moves(board, side)
    if len(found) == 1:
        return found[0]
    if depth == 0 or (chance > 0 and stream.uniform() < chance):
        return found[int(stream.uniform() * len(found))]
    for i in range(len(found) - 1, 0, -1):
        j = int(stream.uniform() * (i + 1))
        found[i], found[j] = found[j], found[i]
    other = "w" if side == "b" else "b"
    return max(found, key=lambda move: -value(moved(board, *move), other, depth - 1, 0))


def play(
    start: Position, levels: dict[str, tuple[int, float]], seed: int, rules: Rules
) -> tuple[list[Move], str, str]:
    """Play one game; returns (moves, winner 'b', 'w' or 'draw', reason)."""
    board, side, stream = board_of(start), start.turn, Stream(seed)
    seen, played, quiet = [], [], 0
    while True:
        seen.append((sorted(board.items()), side))
        capped = 0 < rules.ply_cap <= len(played)
        if 0 < rules.repetitions <= seen.count(seen[-1]):
            return played, "draw", "repetition"
        if not capped and not moves(board, side):
            return played, "w" if side == "b" else "b", "no-move"
        if 0 < 2 * rules.quiet_moves <= quiet:
            return played, "draw", "40-move"
        if capped:
            return played, "draw", "cap"
        path, taken = choose(board, side, *levels[side], stream)
        quiet = 0 if taken or board[path[0]] in "bw" else quiet + 1
        board, side = moved(board, path, taken), "w" if side == "b" else "b"
        played.append(Move(tuple(square_at(*p) for p in path), tuple(square_at(*p) for p in taken)))
