"""Whether finite Bradley-Terry ratings fit a log at all, with or without a term for the first move."""

import numpy as np
from numba import njit
from numpy.typing import NDArray
from scipy.sparse import csr_array
from scipy.sparse.csgraph import connected_components

from ludometrics.ratings.bradley_terry_newton import Cells


def obstacle(cells: Cells, n_players: int, *, first_move: bool) -> str:
    """Say why the likelihood has no top at finite ratings; empty where it has one.

    Ratings are finite if everybody can be reached from everybody along games not lost. A first move h is so besides
    if no ratings separate the games with h = 1, nor with h = -1: ratings with r_i - r_j + h >= 0 where the first was
    not beaten in some share of a game, and <= 0 where the second was not. These are constraints on differences, which
    can be met just where no way round has a length below 0.

    Parameters
    ----------
    cells : Cells
    n_players : int
    first_move : bool
        Whether a first move is to be estimated, without a prior.

    Returns
    -------
    str

    Source
    ------
    Ford, American Mathematical Monthly 64 (1957) 28-33; Albert and Anderson, Biometrika 71 (1984) 1-10, for the general
    case; the test by ways round is that of Bellman and Ford.

    Examples
    --------
    >>> from ludometrics.ratings.bradley_terry_newton import gather
    >>> pairs = np.array([[0, 1], [1, 0]])
    >>> obstacle(gather(pairs, np.array([1.0, 0.0]), np.ones(2), 2), 2, first_move=False)
    'players [1] and [0] have no wins or draws against each other both ways'
    >>> obstacle(gather(pairs, np.array([1.0, 1.0]), np.ones(2), 2), 2, first_move=True)
    'the first move decides so much that its estimate is not finite'
    """
    won, lost = cells.scores > 0, cells.games - cells.scores > 0
    tails = np.concatenate([cells.first[won], cells.second[lost]])
    heads = np.concatenate([cells.second[won], cells.first[lost]])
    ties = csr_array((np.ones(len(tails)), (tails, heads)), shape=(n_players, n_players))
    count, labels = connected_components(ties, directed=True, connection="strong")
    if count > 1:
        group = labels == np.argmin(np.bincount(labels))
        return (
            f"players {_listed(group)} and {_listed(~group)} "
            "have no wins or draws against each other both ways"
        )
    if not first_move:
        return ""
    lengths = np.concatenate([np.ones(won.sum(), dtype=np.int64), -np.ones(lost.sum(), dtype=np.int64)])
    up = _way_round_below_0(tails, heads, lengths, n_players)
    down = _way_round_below_0(tails, heads, -lengths, n_players)
    if up and down:
        return ""
    if not (up or down):
        return "who moved first cannot be told apart from who played"
    return "the first move decides so much that its estimate is not finite"


def _listed(group: NDArray) -> str:
    players = np.flatnonzero(group).tolist()
    return str(players) if len(players) <= 10 else f"{str(players[:10])[:-1]}, ... {len(players)} in all]"


@njit(cache=True)
def _way_round_below_0(tails, heads, lengths, n_players):
    """Whether some way round has a negative sum of lengths: relax all arcs until nothing changes or a loop shows."""
    distance = np.zeros(n_players, dtype=np.int64)
    before = np.full(n_players, -1)
    seen = np.empty(n_players, dtype=np.int64)
    for _ in range(n_players + 1):
        changed = False
        for arc in range(len(tails)):
            reach = distance[tails[arc]] + lengths[arc]
            if reach < distance[heads[arc]]:
                distance[heads[arc]] = reach
                before[heads[arc]] = tails[arc]
                changed = True
        if not changed:
            return False
        seen[:] = -1
        for player in range(n_players):
            at = player
            while at >= 0 and seen[at] < 0:
                seen[at] = player
                at = before[at]
            if at >= 0 and seen[at] == player:
                return True
    return True
