"""The value network in its plain form, in torch: 4^L weights a pattern, most of which gravity keeps from being used.

The reference that the form with realisable states only is compared with, and that published weights come in.
"""

from dataclasses import dataclass

import numpy as np

from ludometrics.connect4.bitboard import BOTTOM, COLUMNS, PLAYABLE, ROWS, STRIDE
from ludometrics.connect4.network import ValueNetwork, full_indices
from ludometrics.connect4.patterns import check_patterns
from ludometrics.connect4.realisable import index_patterns

try:
    import torch
except ImportError as error:
    raise ImportError(
        'the plain form of the network needs torch: pip install "ludometrics[connect4]"', name=error.name
    ) from error

__all__ = ["FullTable", "from_network", "to_network"]

LONGEST = 12  # cells of a pattern: two tables of 4^12 float32 are 134 MB


@dataclass(frozen=True, eq=False)
class FullTable:
    """A weight for every base-4 number of a pattern's cells.

    Attributes
    ----------
    patterns : (P, L) int8 array
        Cells, 6 column + row; the i-th counts 4^i.
    weights : (2, P, 4^L) float32 tensor
        0 for Yellow to move, 1 for Red.

    Raises
    ------
    ValueError
        Patterns that are none, or weights of another shape or type than they ask for.
    """

    patterns: np.ndarray
    weights: torch.Tensor

    def __post_init__(self) -> None:
        """Refuse weights that do not belong to these patterns."""
        patterns = check_patterns(self.patterns)
        count, length = patterns.shape
        if length > LONGEST:
            raise ValueError(f"patterns have {length} cells: the plain form takes up to {LONGEST}")
        wanted = (2, count, 4**length)
        if tuple(self.weights.shape) != wanted or self.weights.dtype != torch.float32:
            raise ValueError(
                f"weights have shape {tuple(self.weights.shape)} and type {self.weights.dtype}:"
                f" these patterns have {wanted} of torch.float32"
            )
        object.__setattr__(self, "patterns", patterns)

    def indices(self, tokens: torch.Tensor, yellow: torch.Tensor) -> torch.Tensor:
        """Read what each pattern shows.

        Parameters
        ----------
        tokens, yellow : (B,) int64 tensor
            Tokens of both sides, and Yellow's.

        Returns
        -------
        (B, 2, P) int64 tensor
            Base-4 indices below 4^L: on the board, and on its mirror image.
        """
        cells = torch.as_tensor(self.patterns, dtype=torch.int64, device=tokens.device)
        column, row = cells // ROWS, cells % ROWS
        squares = STRIDE * torch.stack([column, COLUMNS - 1 - column]) + row  # (2, P, L)
        landing = (tokens + int(BOTTOM)) & int(PLAYABLE)
        bits = torch.arange(STRIDE * COLUMNS, device=tokens.device)
        filled, own, free = ((each[:, None] >> bits) & 1 for each in (tokens, yellow, landing))
        shown = 2 * filled - own + 3 * free  # (B, 63), a digit a square
        index = torch.zeros(len(tokens), *squares.shape[:2], dtype=torch.int64, device=tokens.device)
        for place in range(
            cells.shape[1]
        ):  # one cell after another: all at once would take L times the memory
            index += shown[:, squares[:, :, place]] << (2 * place)
        return index

    def values(self, tokens: torch.Tensor, active: torch.Tensor, moves_left: torch.Tensor) -> torch.Tensor:
        """Value positions; gradients flow to `weights`.

        Parameters
        ----------
        tokens, active, moves_left : (B,) int64 tensor
            Positions, on the device of the weights.

        Returns
        -------
        (B,) float32 tensor
            Values from Yellow's view, -1 to 1.

        Source
        ------
        Thill, Koch and Konen, PPSN XII (2012), for the form of the network.

        Examples
        --------
        >>> table = FullTable(np.array([[0, 6]]), torch.zeros(2, 1, 16))
        >>> table.weights[0, 0, 3 + 4 * 3] = 0.25  # Yellow to move, both cells next to be filled
        >>> nothing = torch.zeros(1, dtype=torch.int64)
        >>> table.values(nothing, nothing, nothing + 42).round(decimals=4)  # tanh(0.5)
        tensor([0.4621])
        """
        side = moves_left & 1
        yellow = torch.where(side == 0, active, tokens ^ active)
        index = self.indices(tokens, yellow)
        number = torch.arange(len(self.patterns), device=tokens.device)
        return torch.tanh(self.weights[side[:, None, None], number, index].sum(dim=(1, 2)))


def from_network(network: ValueNetwork) -> FullTable:
    """Spread a network's weights over the plain form; states that gravity forbids get 0.

    Raises
    ------
    ValueError
        Patterns of more than 12 cells.

    Source
    ------
    Own.
    """
    patterns = network.indexing.patterns
    count, length = patterns.shape
    if length > LONGEST:
        raise ValueError(f"patterns have {length} cells: the plain form takes up to {LONGEST}")
    weights = torch.zeros(2, count * 4**length, dtype=torch.float32)
    weights[:, _places(network)] = torch.tensor(network.weights)
    return FullTable(patterns, weights.view(2, count, 4**length))


def to_network(table: FullTable, *, drop: bool = False) -> ValueNetwork:
    """Gather a table's weights of realisable states.

    Parameters
    ----------
    table : FullTable
        Plain form.
    drop : bool, optional
        Leave weights of states that gravity forbids out instead of refusing them; no position's value rests on them.
        How many were not 0 is then told by the network's `about` as `dropped_weights`.

    Returns
    -------
    ValueNetwork
        On every position of the same value.

    Raises
    ------
    ValueError
        Weights other than 0 where no position leads: their number and the first of them are named.

    Source
    ------
    Own.
    """
    indexing = index_patterns(table.patterns)
    count, length = table.patterns.shape
    flat = table.weights.detach().cpu().reshape(2, count * 4**length).numpy()
    network = ValueNetwork(indexing, np.zeros((2, indexing.states), dtype=np.float32))
    places = _places(network).numpy()
    left_out = np.ones(flat.shape[1], dtype=bool)
    left_out[places] = False
    dropped = (flat != 0) & left_out
    found = int(dropped.sum())
    if found and not drop:
        side, place = (int(number) for number in np.argwhere(dropped)[0])
        raise ValueError(
            f"{found:,} weights other than 0 belong to states that gravity forbids, the first to pattern"
            f" {place // 4**length}, index {place % 4**length}, {('Yellow', 'Red')[side]} to move"
            " (drop=True leaves them out: no value rests on them)"
        )
    about = {"dropped_weights": found} if found else {}
    return ValueNetwork(indexing, flat[:, places], about)


def _places(network: ValueNetwork) -> torch.Tensor:
    """Where each realisable state's weight lies among the plain form's, pattern after pattern."""
    indexing = network.indexing
    number = np.repeat(np.arange(len(indexing.sizes)), indexing.sizes)
    return torch.from_numpy(number * 4 ** indexing.patterns.shape[1] + full_indices(indexing))
