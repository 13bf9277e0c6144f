"""The rules that trainer A plays by, on batches of bit boards in torch; no loop over boards, any device.

Layout and words as in `bitboard`, whose compiled rules these are compared with.
"""

from ludometrics.connect4.bitboard import BOTTOM, COLUMN, COLUMNS, PLAYABLE, STRIDE

try:
    import torch
except ImportError as error:
    raise ImportError(
        'the trainer in torch needs torch: pip install "ludometrics[connect4]"', name=error.name
    ) from error

__all__ = ["contents", "landing", "non_losing", "play", "winning"]

# Torch takes Python's whole numbers, not NumPy's.
_BOTTOM, _COLUMN, _PLAYABLE = int(BOTTOM), int(COLUMN), int(PLAYABLE)


def landing(tokens: torch.Tensor) -> torch.Tensor:
    """Give the square each column's next token falls on, (B,) int64 bit boards; full columns have none."""
    return (tokens + _BOTTOM) & _PLAYABLE


def _along(own: torch.Tensor, step: int) -> torch.Tensor:
    """Squares that complete four along one direction: the gap is at either end or inside."""
    two = (own << step) & (own << (2 * step))
    found = (two & (own << (3 * step))) | (two & (own >> step))
    two = (own >> step) & (own >> (2 * step))
    return found | (two & (own << step)) | (two & (own >> (3 * step)))


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


def play(
    tokens: torch.Tensor, active: torch.Tensor, left: torch.Tensor, column: torch.Tensor
) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    """Drop a token of the side to move in a column that is not full, on every board (B,): the positions after it."""
    square = landing(tokens) & (_COLUMN << (STRIDE * column))
    return tokens | square, tokens ^ active, left - 1


def contents(tokens: torch.Tensor, active: torch.Tensor, left: torch.Tensor) -> torch.Tensor:
    """Give what each column holds, (B, 7) uint8: (1 << height) with Yellow's bits below it, 1 to 127."""
    yellow = torch.where((left & 1) == 0, active, tokens ^ active)
    shifts = torch.arange(0, STRIDE * COLUMNS, STRIDE, device=tokens.device)
    held, bits = (tokens[:, None] >> shifts) & _COLUMN, (yellow[:, None] >> shifts) & _COLUMN
    return ((held + 1) | bits).to(torch.uint8)
