"""The value network in torch, realisable states only: look up, add up, and spread a gradient over what was looked up.

A position is known by what its columns hold (B, 7). The indices of its K = 2 P patterns and mirror images are seven
rows of K numbers added up; those of the position after a move one row more. Values are sums of K weights, squashed.
The weights lie in one flat tensor, Yellow's half first. Everything stays on the device of the tables.
"""

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np

from ludometrics.connect4.bitboard import COLUMNS, RED, YELLOW
from ludometrics.connect4.compiled_lookup import content_after
from ludometrics.connect4.network import ValueNetwork
from ludometrics.connect4.realisable import CONTENTS, Indexing

try:
    import torch
except ImportError as error:
    raise ImportError(
        'the trainer in torch needs torch: pip install "ludometrics[connect4]"', name=error.name
    ) from error

__all__ = [
    "Tables",
    "add_up",
    "afterstate_values",
    "build_tables",
    "indices",
    "spread",
    "to_network",
    "values",
]

MOST_STATES = 1 << 24  # whole numbers below this are exact in float32


class Tables(NamedTuple):
    """Where positions find their weights.

    Attributes
    ----------
    rows : (7 * 128, K) float32 tensor
        What each content of each column adds to the indices; column 0 brings where a pattern's weights begin. Whole
        numbers: as floats they are added up by torch's fastest kernel, and below 2^24 exactly.
    gains : (2 * 7 * 128, K) int32 tensor
        What the next token of Yellow, then of Red, adds on top of a content; 0 where the column is full.
    states : int
        Weights of one side to move.
    """

    rows: torch.Tensor
    gains: torch.Tensor
    states: int


def build_tables(indexing: Indexing, *, device: torch.device | str = "cpu") -> Tables:
    """Lay the tables of a set of patterns out on a device.

    Parameters
    ----------
    indexing : Indexing
        Patterns and their states.
    device : torch.device or str

    Returns
    -------
    Tables

    Raises
    ------
    ValueError
        2^24 states or more.

    Source
    ------
    Own.
    """
    if indexing.states >= MOST_STATES:
        raise ValueError(
            f"these patterns have {indexing.states:,} states: the trainer in torch takes less than {MOST_STATES:,}"
            " (fewer or shorter patterns have fewer)"
        )
    both = np.concatenate([indexing.partial, indexing.partial[:, ::-1]])  # mirrored: read at column 6 - c
    rows = both.transpose(1, 2, 0).astype(np.int64)
    after = [[content_after(max(content, 1), side) for content in range(CONTENTS)] for side in (YELLOW, RED)]
    gains = np.stack([rows[:, after[side]] - rows for side in (YELLOW, RED)])
    rows[0] += np.tile(indexing.offsets, 2)
    width = both.shape[0]
    return Tables(
        torch.from_numpy(rows.reshape(-1, width).astype(np.float32)).to(device),
        torch.from_numpy(gains.reshape(-1, width).astype(np.int32)).to(device),
        indexing.states,
    )


def indices(tables: Tables, contents: torch.Tensor) -> torch.Tensor:
    """Find the states of all patterns and mirror images.

    Parameters
    ----------
    tables : Tables
    contents : (B, 7) integer tensor
        What each column holds, 1 to 127.

    Returns
    -------
    (B, K) int32 tensor
        Places within one side's half of the weights.
    """
    rows = contents.int() + _starts(contents.device)
    return torch.nn.functional.embedding_bag(rows, tables.rows, mode="sum").int()


def _starts(device: torch.device) -> torch.Tensor:
    return torch.arange(0, COLUMNS * CONTENTS, CONTENTS, dtype=torch.int32, device=device)


def add_up(weights: torch.Tensor, index: torch.Tensor) -> torch.Tensor:
    """Add up the weights at the places of each row.

    Parameters
    ----------
    weights : (N,) float32 tensor
    index : (B, K) int32 tensor
        Places below N.

    Returns
    -------
    (B,) float32 tensor
    """
    if index.device.type == "cpu":  # one pass without a copy of the weights; on a GPU its threads would idle
        return torch.nn.functional.embedding_bag(index, weights.view(-1, 1), mode="sum").squeeze(1)
    return weights.index_select(0, index.view(-1)).view(index.shape).sum(dim=1)


def values(weights: torch.Tensor, places: torch.Tensor) -> torch.Tensor:
    """Value positions: tanh of the sum of their weights.

    Parameters
    ----------
    weights : (2 * states,) float32 tensor
    places : (B, K) int32 tensor
        From `indices`, plus `states` where Red is to move.

    Returns
    -------
    (B,) float32 tensor
        From Yellow's view, -1 to 1.

    Source
    ------
    Thill, Koch and Konen, PPSN XII (2012), for the form of the network.
    """
    return torch.tanh(add_up(weights, places))


def afterstate_values(
    weights: torch.Tensor,
    gains: torch.Tensor,
    contents: torch.Tensor,
    other: torch.Tensor,
    side: torch.Tensor,
) -> torch.Tensor:
    """Value the position after a token of the side to move in each column; no rules are applied.

    Parameters
    ----------
    weights : (2 * states,) float32 tensor
    gains : (2 * 7 * 128, K) int32 tensor
        From `Tables`.
    contents : (B, 7) integer tensor
        What each column holds.
    other : (B, K) int32 tensor
        Places of the position as it is, but with the other side to move.
    side : (B,) int32 tensor
        Who is to move: 0 Yellow, 1 Red (moves left & 1).

    Returns
    -------
    (B, 7) float32 tensor
        From Yellow's view. A full column has the value of the position as it is, the other side to move.

    Source
    ------
    Own: a move changes what one column holds, so one row of numbers is added.
    """
    rows = contents.int() + _starts(contents.device) + (side * (COLUMNS * CONTENTS))[:, None]
    # Column by column: all seven at once would not stay in the processor's cache.
    sums = [add_up(weights, gains.index_select(0, rows[:, column]).add_(other)) for column in range(COLUMNS)]
    return torch.tanh(torch.stack(sums, dim=1))


def spread(gradient: torch.Tensor, index: torch.Tensor, slope: torch.Tensor) -> None:
    """Add each position's slope to the gradient of every weight that it looked up, in place.

    Parameters
    ----------
    gradient : (N,) float32 tensor
    index : (B, K) int32 tensor
        Places; one that stands twice in a row gets the slope twice.
    slope : (B,) float32 tensor
        Derivative of the loss by the sum of weights.
    """
    gradient.index_add_(0, index.view(-1), slope[:, None].expand(index.shape).reshape(-1))


def to_network(weights: torch.Tensor, indexing: Indexing, about: Mapping[str, Any]) -> ValueNetwork:
    """Copy weights from the device into a value network."""
    copied = weights.detach().cpu().numpy().reshape(2, indexing.states).copy()
    return ValueNetwork(indexing, copied, dict(about))
