"""The rules on batches of bit boards in torch: no loop over boards, any device.

Layout and words as in `bitboard`, whose compiled rules these are compared with. A batch is three (B,) int64 tensors:
tokens, active, moves left. To keep a device busy nothing is checked, and no function knows that a game has ended:
ask `has_four`.

>>> tokens, active, left = (torch.tensor([number]) for number in (0, 0, 42))
>>> for column in (0, 1, 0, 1, 0, 1, 0):
...     tokens, active, left = play(tokens, active, left, torch.tensor([column]))
>>> has_four(tokens ^ active), left
(tensor([True]), tensor([35]))
>>> contents(tokens, active, left)
tensor([[31,  8,  1,  1,  1,  1,  1]], dtype=torch.uint8)
"""

from ludometrics.connect4.bitboard import BOTTOM, COLUMN, COLUMNS, PLAYABLE, STRIDE

try:
    import torch
except ImportError as error:
    raise ImportError(
        'boards in torch need torch: pip install "ludometrics[connect4]"', name=error.name
    ) from error

__all__ = [
    "contents",
    "has_four",
    "landing",
    "legal_mask",
    "mirror",
    "non_losing",
    "play",
    "square_mask",
    "winning",
]

# Torch takes Python's whole numbers, not NumPy's.
_BOTTOM, _COLUMN, _PLAYABLE = int(BOTTOM), int(COLUMN), int(PLAYABLE)


def landing(tokens: torch.Tensor) -> torch.Tensor:
    """Give the square each column's next token falls on, (B,) int64 bit boards; full columns have none."""
    return (tokens + _BOTTOM) & _PLAYABLE


def has_four(own: torch.Tensor) -> torch.Tensor:
    """Tell whether these tokens hold four in a row, (B,) bool: upright, level, or on either diagonal."""
    lines = torch.zeros_like(own)
    for step in (1, STRIDE - 1, STRIDE, STRIDE + 1):
        pairs = own & (own >> step)
        lines = lines | (pairs & (pairs >> (2 * step)))
    return lines != 0


def winning(own: torch.Tensor, tokens: torch.Tensor) -> torch.Tensor:
    """Give the empty squares that would complete four for these tokens (B,), reachable now or not."""
    found = (own << 1) & (own << 2) & (own << 3)
    found = found | _along(own, STRIDE - 1) | _along(own, STRIDE) | _along(own, STRIDE + 1)
    return found & _PLAYABLE & ~tokens


def non_losing(own: torch.Tensor, tokens: torch.Tensor) -> torch.Tensor:
    """Give the landing squares after which the other side cannot win with its next token (B,).

    The side to move is taken to have no win of its own at once.
    """
    open_ = landing(tokens)
    theirs = winning(tokens ^ own, tokens)
    forced = open_ & theirs
    stopped = torch.where(forced != 0, forced, open_) & ~(theirs >> 1)
    return torch.where((forced & (forced - 1)) != 0, 0, stopped)


def square_mask(squares: torch.Tensor) -> torch.Tensor:
    """Tell which columns hold one of these squares, (B, 7) bool."""
    return ((squares[:, None] >> _shifts(squares)) & _COLUMN) != 0


def legal_mask(tokens: torch.Tensor) -> torch.Tensor:
    """Tell which columns are not full, (B, 7) bool."""
    return square_mask(landing(tokens))


def play(
    tokens: torch.Tensor, active: torch.Tensor, moves_left: torch.Tensor, column: torch.Tensor
) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    """Drop a token of the side to move in a column (B,) that is not full: the positions after it."""
    square = landing(tokens) & (_COLUMN << (STRIDE * column))
    return tokens | square, tokens ^ active, moves_left - 1


def mirror(tokens: torch.Tensor) -> torch.Tensor:
    """Reflect bit boards (B,) at the middle column."""
    found = torch.zeros_like(tokens)
    for column in range(COLUMNS):
        held = (tokens >> (STRIDE * column)) & _COLUMN
        found = found | (held << (STRIDE * (COLUMNS - 1 - column)))
    return found


def contents(tokens: torch.Tensor, active: torch.Tensor, moves_left: torch.Tensor) -> torch.Tensor:
    """Give what each column holds, (B, 7) uint8: (1 << height) with Yellow's bits below it, 1 to 127."""
    yellow = torch.where((moves_left & 1) == 0, active, tokens ^ active)
    shifts = _shifts(tokens)
    held, bits = (tokens[:, None] >> shifts) & _COLUMN, (yellow[:, None] >> shifts) & _COLUMN
    return ((held + 1) | bits).to(torch.uint8)


def _along(own: torch.Tensor, step: int) -> torch.Tensor:
    """Squares that complete four along one direction: the gap is at either end or inside."""
    two = (own << step) & (own << (2 * step))
    found = (two & (own << (3 * step))) | (two & (own >> step))
    two = (own >> step) & (own >> (2 * step))
    return found | (two & (own << step)) | (two & (own >> (3 * step)))


def _shifts(like: torch.Tensor) -> torch.Tensor:
    return torch.arange(0, STRIDE * COLUMNS, STRIDE, device=like.device)
