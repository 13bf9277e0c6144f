"""The solver of whole-history rating: Newton's method, its steps by conjugate gradients over the players' histories.

The unknowns x (p,) are the ratings at the nodes less the start, in Elo points; a node is a player on a day with games,
and the nodes of a player stand together in order of time. Two springs hold them besides the games: `own` (p,), the
precision of the start at each first node, and `link` (p,), that of the way from a node to the player's next, 0 at the
last. Everything is written as flows between two nodes, so that a very stiff link costs no digits.
"""

import math
from typing import NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from ludometrics.ratings.elo_loops import RATE, SCALE

_ROUNDING = 1e-12  # of the height: steps that gain less and no longer get shorter are rounding
_RESIDUAL = 1e-5  # of a Newton step, relative: each step is wrong by this share of itself
_COLUMN_RESIDUAL = 1e-9  # of a column of the inverse, relative
_MOST_ITERATIONS = 1_000


class Histories(NamedTuple):
    """What is maximised: games between nodes (n, 2), their outcomes and weights (n,), springs, and the first move."""

    nodes: NDArray[np.int64]
    outcomes: NDArray[np.float64]
    weights: NDArray[np.float64]
    own: NDArray[np.float64]
    link: NDArray[np.float64]
    first_move: float


def maximise(
    histories: Histories, x: NDArray, *, tolerance: float, max_steps: int, compiled: bool = True
) -> tuple[NDArray, float, bool, int]:
    """Climb to the top of the log posterior by damped Newton steps, from x.

    Returns
    -------
    x : ndarray, shape (p,)
    height : float
        Logarithm of the posterior, without the constant of its normal densities.
    converged : bool
        The last step was shorter than the tolerance, or gained no more than rounding.
    steps : int
    """
    look, solve = (slopes, _solve) if compiled else (slopes_plain, _solve_plain)
    last = math.inf
    height, gradient, bends = look(*histories, x)
    for step in range(1, max_steps + 1):
        move = solve(histories.nodes, bends, histories.own, histories.link, gradient)
        # A step of more than 400 points is one that the curvature far from the top makes too long.
        move = move * min(1.0, SCALE / np.max(np.abs(move), initial=1.0))
        size = np.max(np.abs(move), initial=0.0)
        gain, slack = gradient @ move, _ROUNDING * max(1.0, abs(height))
        higher, gradient, bends = look(*histories, x + move)
        while higher < height - slack and size > tolerance:
            move, size = move / 2, size / 2
            higher, gradient, bends = look(*histories, x + move)
        x, height = x + move, higher
        if size < tolerance or (size > last / 2 and gain < slack):
            return x, float(height), True, step
        last = size
    return x, float(height), False, max_steps


@njit(cache=True)
def slopes(nodes, outcomes, weights, own, link, first_move, x):
    """Logarithm of the posterior, its gradient (p,), and the curvature (n,) of each game in its gap."""
    size = len(x)
    gradient = np.empty(size)
    height = 0.0
    for k in range(size):
        gradient[k] = -own[k] * x[k]
        height -= 0.5 * own[k] * x[k] * x[k]
    for k in range(size - 1):
        flow = link[k] * (x[k + 1] - x[k])
        gradient[k] += flow
        gradient[k + 1] -= flow
        height -= 0.5 * flow * (x[k + 1] - x[k])
    bends = np.empty(len(outcomes))
    for game in range(len(outcomes)):
        i, j = nodes[game, 0], nodes[game, 1]
        gap = RATE * (x[i] - x[j] + first_move)
        small = math.exp(-abs(gap))
        expected = 1.0 / (1.0 + small) if gap >= 0 else small / (1.0 + small)
        flow = RATE * weights[game] * (outcomes[game] - expected)
        gradient[i] += flow
        gradient[j] -= flow
        bends[game] = RATE * RATE * weights[game] * small / ((1.0 + small) * (1.0 + small))
        # s ln E + (1 - s) ln(1 - E) = (s - [gap >= 0]) gap - ln(1 + exp(-|gap|))
        height += weights[game] * ((outcomes[game] - (1.0 if gap >= 0 else 0.0)) * gap - math.log1p(small))
    return height, gradient, bends


@njit(cache=True)
def _known(nodes, bends, own):
    """Precision of each node by its start and its games, its opponents being known."""
    known = own.copy()
    for game in range(len(bends)):
        known[nodes[game, 0]] += bends[game]
        known[nodes[game, 1]] += bends[game]
    return known


@njit(cache=True)
def _forward(known, link):
    """Precision of each node by itself and all before it on its history.

    Springs in a row and side by side: what comes over a link is link * before / (link + before).
    """
    before = known.copy()
    for k in range(len(known) - 1):
        if link[k] > 0.0:
            before[k + 1] += link[k] * before[k] / (link[k] + before[k])
    return before


@njit(cache=True)
def _multiply(nodes, bends, own, link, x, out):
    size = len(x)
    for k in range(size):
        out[k] = own[k] * x[k]
    for k in range(size - 1):
        flow = link[k] * (x[k] - x[k + 1])
        out[k] += flow
        out[k + 1] -= flow
    for game in range(len(bends)):
        i, j = nodes[game, 0], nodes[game, 1]
        flow = bends[game] * (x[i] - x[j])
        out[i] += flow
        out[j] -= flow


@njit(cache=True)
def _solve_histories(before, link, right, x):
    """Solve each player's history by itself, the others staying where they are: Coulom's step for a player."""
    size = len(right)
    for k in range(size):
        x[k] = right[k]
        if k > 0 and link[k - 1] > 0.0:
            x[k] += link[k - 1] / (before[k - 1] + link[k - 1]) * x[k - 1]
    for k in range(size - 1, -1, -1):
        if link[k] > 0.0:
            x[k] = (x[k] + link[k] * x[k + 1]) / (before[k] + link[k])
        else:
            x[k] /= before[k]


@njit(cache=True)
def _solve(nodes, bends, own, link, right):
    """Solve with the whole negative Hessian by conjugate gradients, the histories being the preconditioner."""
    before = _forward(_known(nodes, bends, own), link)
    return _solve_known(nodes, bends, own, link, before, right, _RESIDUAL)


@njit(cache=True)
def _solve_known(nodes, bends, own, link, before, right, residual):
    x, rest = np.zeros(len(right)), right.copy()
    scaled, image = np.empty(len(right)), np.empty(len(right))
    _solve_histories(before, link, rest, scaled)
    way = scaled.copy()
    product = np.dot(rest, scaled)
    goal = residual * residual * product
    for _ in range(_MOST_ITERATIONS):
        if product <= goal:
            break
        _multiply(nodes, bends, own, link, way, image)
        length = product / np.dot(way, image)
        for k in range(len(x)):
            x[k] += length * way[k]
            rest[k] -= length * image[k]
        _solve_histories(before, link, rest, scaled)
        last = product
        product = np.dot(rest, scaled)
        for k in range(len(x)):
            way[k] = scaled[k] + product / last * way[k]
    return x


@njit(cache=True)
def conditional_variances(nodes, bends, own, link):
    """Variance of each node and covariance with the player's next, the other players' ratings being known."""
    known = _known(nodes, bends, own)
    before = _forward(known, link)
    after = _forward(known[::-1], np.append(link[:-1][::-1], 0.0))[::-1]
    variances, covariances = 1.0 / (before + after - known), np.zeros(len(own))
    for k in range(len(own) - 1):
        if link[k] > 0.0:
            one, other = before[k], after[k + 1]
            covariances[k] = 1.0 / (one * other / link[k] + one + other)
    return variances, covariances


def joint_variances(nodes: NDArray, bends: NDArray, own: NDArray, link: NDArray, *, dense: bool):
    """Do the same with nobody's rating known: from the inverse of the whole negative Hessian."""
    if not dense:
        return _joint_columns(nodes, bends, own, link)
    inverse = np.linalg.inv(matrix(nodes, bends, own, link))
    return np.diag(inverse).copy(), np.where(link > 0, np.append(np.diag(inverse, 1), 0.0), 0.0)


@njit(cache=True)
def _joint_columns(nodes, bends, own, link):
    size = len(own)
    before = _forward(_known(nodes, bends, own), link)
    variances, covariances = np.empty(size), np.zeros(size)
    right = np.zeros(size)
    for k in range(size):
        right[k] = 1.0
        column = _solve_known(nodes, bends, own, link, before, right, _COLUMN_RESIDUAL)
        right[k] = 0.0
        variances[k] = column[k]
        if link[k] > 0.0:
            covariances[k] = column[k + 1]
    return variances, covariances


def matrix(nodes: NDArray, bends: NDArray, own: NDArray, link: NDArray) -> NDArray[np.float64]:
    """Negative Hessian (p, p) of the log posterior, dense.

    Examples
    --------
    >>> matrix(np.array([[0, 2]]), np.array([5.0]), np.array([1.0, 0, 1]), np.array([3.0, 0, 0])).tolist()
    [[9.0, -3.0, -5.0], [-3.0, 3.0, 0.0], [-5.0, 0.0, 6.0]]
    """
    size = len(own)
    result = np.diag(own)
    ends = [(np.arange(size - 1), np.arange(1, size), link[:-1]), (nodes[:, 0], nodes[:, 1], bends)]
    for i, j, weight in ends:
        for row, column, sign in ((i, i, 1.0), (j, j, 1.0), (i, j, -1.0), (j, i, -1.0)):
            np.add.at(result, (row, column), sign * weight)
    return result


def slopes_plain(nodes, outcomes, weights, own, link, first_move, x):
    """Twin of `slopes` in numpy, from the definitions."""
    gap = RATE * (x[nodes[:, 0]] - x[nodes[:, 1]] + first_move)
    expected = 1.0 / (1.0 + np.exp(-gap))
    surplus = RATE * weights * (outcomes - expected)
    gradient = -own * x
    np.add.at(gradient, nodes[:, 0], surplus)
    np.add.at(gradient, nodes[:, 1], -surplus)
    steps = np.append(np.diff(x), 0.0)
    gradient += link * steps - np.append(0.0, (link * steps)[:-1])
    height = -np.sum(weights * (outcomes * np.logaddexp(0, -gap) + (1 - outcomes) * np.logaddexp(0, gap)))
    height -= 0.5 * np.sum(own * x**2 + link * steps**2)
    return height, gradient, RATE**2 * weights * expected * (1.0 - expected)


def _solve_plain(nodes, bends, own, link, right):
    """Twin of `_solve` by a dense matrix."""
    return np.linalg.solve(matrix(nodes, bends, own, link), right)
