"""Solvers of Bradley-Terry: Newton's method, with dense matrices for some players and without any for many.

The parameters are x = (ratings less the centre of the prior, first move), m + 1 of them in Elo points; those that are
not free stay where they are. The logarithm of the posterior is concave in x, so that its top is found from anywhere.
"""

import math
from typing import NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray
from scipy.sparse import csc_array
from scipy.sparse.linalg import splu

from ludometrics.ratings.elo_loops import RATE, SCALE

#: Up to so many players matrices are dense: 18 MB each.
DENSE_PLAYERS = 1_500
_TOLERANCE = 1e-9  # Elo points: the last Newton step
_ROUNDING = 1e-12  # of the height: steps that gain less and no longer get shorter are rounding
_RESIDUAL = 1e-10  # of a linear system, relative
_COLUMN_RESIDUAL = 1e-5  # of a column of the inverse: its diagonal is better by the square
_MOST_ITERATIONS = 100  # of conjugate gradients, before a factorisation takes their place
_COLUMNS = 32  # solved at a time: the fastest of 8, 16, 32 and 64 with 10,000 players


class Cells(NamedTuple):
    """The games of a log by (first, second) player: c cells, in rising order.

    `games` and `scores` are the sums of w and w s over the games of the cell, s being the score of the first;
    `squares` (3, c) those of w^2, w^2 s and w^2 s^2.
    """

    first: NDArray[np.int64]
    second: NDArray[np.int64]
    games: NDArray[np.float64]
    scores: NDArray[np.float64]
    squares: NDArray[np.float64]


class Problem(NamedTuple):
    """What is maximised: games, precision of the normal priors (m + 1,), and which parameters are free (m + 1,)."""

    cells: Cells
    precision: NDArray[np.float64]
    free: NDArray[np.bool_]
    sparse: bool


def gather(pairs: NDArray, outcomes: NDArray, weights: NDArray, n_players: int) -> Cells:
    """Put the games of a log together by pair; those of weight 0 are left out.

    Examples
    --------
    >>> cells = gather(np.array([[1, 0], [1, 0]]), np.array([1.0, 0.5]), np.ones(2), 2)
    >>> cells.games.tolist(), cells.scores.tolist()
    ([2.0], [1.5])
    """
    used = weights > 0
    if not used.all():
        pairs, outcomes, weights = pairs[used], outcomes[used], weights[used]
    keys, place = np.unique(pairs[:, 0] * n_players + pairs[:, 1], return_inverse=True)
    sums = [
        np.bincount(place, weights=values, minlength=len(keys))
        for values in (
            weights,
            weights * outcomes,
            weights**2,
            weights**2 * outcomes,
            weights**2 * outcomes**2,
        )
    ]
    first, second = np.divmod(keys, max(n_players, 1))
    return Cells(first, second, sums[0], sums[1], np.array(sums[2:]))


def log_likelihood(cells: Cells, x: NDArray) -> float:
    """Sum over games of w (s ln E + (1 - s) ln(1 - E)), E being the expected score of the first."""
    gap = RATE * (x[cells.first] - x[cells.second] + x[-1])
    return -float(np.sum(cells.scores * np.logaddexp(0.0, -gap) + _lost(cells) * np.logaddexp(0.0, gap)))


def maximise(problem: Problem, x: NDArray, *, max_steps: int) -> tuple[NDArray, bool, int]:
    """Climb to the top by damped Newton steps, from x.

    Returns
    -------
    x : ndarray, shape (m + 1,)
    converged : bool
        The last step was shorter than 1e-9 Elo points, or gained no more than rounding.
    steps : int
    """
    x, last = x.copy(), math.inf
    height = _height(problem, x)
    for step in range(1, max_steps + 1):
        expected = expect(problem.cells.first, problem.cells.second, x)
        gradient = _gradient(problem, x, expected)
        move = _solve(problem, curvature(problem.cells, expected), gradient, _RESIDUAL)
        # A step of more than 400 points is one that the curvature far from the top makes too long.
        move *= min(1.0, SCALE / np.max(np.abs(move), initial=1.0))
        size = np.max(np.abs(move), initial=0.0)
        slack = _ROUNDING * max(1.0, abs(height))
        while (higher := _height(problem, x + move)) < height - slack and size > _TOLERANCE:
            move, size = move / 2, size / 2
        x, height = x + move, higher
        if size < _TOLERANCE or (size > last / 2 and gradient @ move < slack):
            return x, True, step
        last = size
    return x, False, max_steps


def errors_of(problem: Problem, x: NDArray) -> tuple[NDArray, NDArray]:
    """Standard errors (m + 1,) of the parameters at the top, from the curvature and robust ones.

    With A the negative Hessian, the prior included, and B the sum over games of the outer product of their gradients
    plus the precision of the prior: the roots of the diagonals of A^-1 and of A^-1 B A^-1.
    """
    expected = expect(problem.cells.first, problem.cells.second, x)
    weight, spread = curvature(problem.cells, expected), _spread(problem.cells, expected)
    if not problem.sparse:
        inverse = np.linalg.inv(_matrix(problem, weight))
        sandwich = inverse @ _matrix(problem, spread) @ inverse
        values = np.diag(inverse), np.diag(sandwich)
    else:
        values = _diagonals(problem, weight, spread)
    result = np.zeros((2, len(x)))
    result[:, problem.free] = np.sqrt(np.maximum(0.0, values))
    return result[0], result[1]


def known_precision(problem: Problem, x: NDArray) -> NDArray[np.float64]:
    """Precision (m + 1,) of each parameter if all others were known: the diagonal of the negative Hessian."""
    cells = problem.cells
    weight = curvature(cells, expect(cells.first, cells.second, x))
    return _by_parameter(cells, weight, len(x), 1.0) + problem.precision


def gap_variances(problem: Problem, x: NDArray, first: NDArray, second: NDArray) -> NDArray[np.float64]:
    """Variances (n,) of the gaps r_i - r_j + h of given pairs at the top, from the curvature."""
    cells, size = problem.cells, len(x)
    weight = curvature(cells, expect(cells.first, cells.second, x))
    keys, place = np.unique(first * size + second, return_inverse=True)
    variances = np.empty(len(keys))
    width = _COLUMNS if problem.sparse else DENSE_PLAYERS
    for low in range(0, len(keys), width):
        i, j = np.divmod(keys[low : low + width], size)
        column = np.arange(len(i))
        right = np.zeros((size, len(i)))
        right[i, column], right[j, column], right[-1] = 1.0, -1.0, 1.0
        right[~problem.free] = 0.0
        variances[low : low + width] = np.sum(
            right * _solve(problem, weight, right, _COLUMN_RESIDUAL), axis=0
        )
    return variances[place]


def expect(first: NDArray, second: NDArray, x: NDArray) -> NDArray[np.float64]:
    """Expected score of first players against second ones."""
    gap = RATE * (x[first] + x[-1] - x[second])
    small = np.exp(-np.abs(gap))
    return np.where(gap >= 0, 1.0, small) / (1.0 + small)


def curvature(cells: Cells, expected: NDArray) -> NDArray[np.float64]:
    """Weight of each cell in the negative Hessian, per square Elo point."""
    return RATE**2 * cells.games * expected * (1.0 - expected)


def _spread(cells: Cells, expected: NDArray) -> NDArray[np.float64]:
    count, scores, squares = cells.squares
    return RATE**2 * np.maximum(0.0, squares - 2.0 * expected * scores + count * expected**2)


def _lost(cells: Cells) -> NDArray[np.float64]:
    return np.maximum(0.0, cells.games - cells.scores)


def _height(problem: Problem, x: NDArray) -> float:
    return log_likelihood(problem.cells, x) - 0.5 * float(np.sum(problem.precision * x**2))


def _gradient(problem: Problem, x: NDArray, expected: NDArray) -> NDArray[np.float64]:
    cells = problem.cells
    surplus = RATE * (cells.scores - cells.games * expected)
    gradient = _by_parameter(cells, surplus, len(x), -1.0)
    return np.where(problem.free, gradient - problem.precision * x, 0.0)


def _by_parameter(cells: Cells, values: NDArray, size: int, sign: float) -> NDArray[np.float64]:
    """Sums of the cells' values by first player and, with a sign, by second; over all of them for the first move."""
    total = np.bincount(cells.first, values, size) + sign * np.bincount(cells.second, values, size)
    total[-1] = values.sum()
    return total


def _matrix(problem: Problem, weight: NDArray) -> NDArray[np.float64]:
    """Sum over cells of weight d d', d being 1 for first player and first move, -1 for the second; plus priors."""
    cells, size = problem.cells, len(problem.precision)
    matrix = np.zeros((size, size))
    matrix[cells.first, cells.second] = -weight
    matrix += matrix.T
    matrix[-1, :] = matrix[:, -1] = _by_parameter(cells, weight, size, -1.0)
    matrix[np.diag_indices(size)] = _by_parameter(cells, weight, size, 1.0) + problem.precision
    return matrix[np.ix_(problem.free, problem.free)]


def _solve(problem: Problem, weight: NDArray, right: NDArray, residual: float) -> NDArray[np.float64]:
    """Solve A x = right, right (m + 1,) or (m + 1, k) being 0 where a parameter is not free."""
    if not problem.sparse:
        x = np.zeros_like(right)
        x[problem.free] = np.linalg.solve(_matrix(problem, weight), right[problem.free])
        return x
    columns = right.reshape(len(right), -1)
    x, solved = _conjugate_gradients(problem, weight, columns, residual)
    if not solved:
        x = _factored(problem, weight)(columns)
    return x.reshape(right.shape)


def _conjugate_gradients(
    problem: Problem, weight: NDArray, right: NDArray, residual: float
) -> tuple[NDArray, bool]:
    """Solve for all columns at once, preconditioned by the diagonal."""
    cells, free = problem.cells, problem.free
    diagonal = _by_parameter(cells, weight, len(right), 1.0) + problem.precision
    scale = np.where(free, 1.0 / np.where(diagonal > 0, diagonal, 1.0), 0.0)[:, None]
    x, rest = np.zeros_like(right), right.copy()
    scaled = scale * rest
    way, product = scaled.copy(), np.sum(rest * scaled, axis=0)
    goal = residual**2 * product
    for _ in range(_MOST_ITERATIONS):
        if (product <= goal).all():
            return x, True
        image = multiply(cells.first, cells.second, weight, problem.precision, free, way)
        bend = np.sum(way * image, axis=0)
        length = np.divide(product, bend, out=np.zeros_like(product), where=bend > 0)
        x += length * way
        rest -= length * image
        scaled = scale * rest
        before, product = product, np.sum(rest * scaled, axis=0)
        way = scaled + np.divide(product, before, out=np.zeros_like(product), where=before > 0) * way
    return x, False


@njit(cache=True)
def multiply(first, second, weight, precision, free, x):
    """Multiply the matrix of `_matrix` with columns x (m + 1, k), without building it."""
    size, columns = x.shape
    out = np.empty_like(x)
    for row in range(size):
        for k in range(columns):
            out[row, k] = precision[row] * x[row, k]
    for cell in range(len(weight)):
        i, j, w = first[cell], second[cell], weight[cell]
        for k in range(columns):
            flow = w * (x[i, k] - x[j, k] + x[size - 1, k])
            out[i, k] += flow
            out[j, k] -= flow
            out[size - 1, k] += flow
    for row in range(size):
        if not free[row]:
            out[row, :] = 0.0
    return out


def _factored(problem: Problem, weight: NDArray):
    """Solver by a sparse factorisation: for games that hang together by chains, where little fills in."""
    cells, size = problem.cells, len(problem.precision)
    i, j = cells.first, cells.second
    border = _by_parameter(cells, weight, size, -1.0)
    diagonal = _by_parameter(cells, weight, size, 1.0) + problem.precision
    inner, ends = np.arange(size - 1), np.full(size - 1, size - 1)
    rows = np.concatenate([i, j, inner, ends, np.arange(size)])
    columns = np.concatenate([j, i, ends, inner, np.arange(size)])
    values = np.concatenate([-weight, -weight, border[:-1], border[:-1], diagonal])
    free = np.flatnonzero(problem.free)
    matrix = csc_array((values, (rows, columns)), shape=(size, size))[free][:, free]
    factor = splu(
        matrix.tocsc(),
        permc_spec="MMD_AT_PLUS_A",
        diag_pivot_thresh=0.0,
        options={"SymmetricMode": True},
    )

    def solve(right: NDArray) -> NDArray:
        x = np.zeros_like(right)
        x[free] = factor.solve(np.ascontiguousarray(right[free]))
        return x

    return solve


def _diagonals(problem: Problem, weight: NDArray, spread: NDArray) -> tuple[NDArray, NDArray]:
    """Diagonals of A^-1 and A^-1 B A^-1 for the free parameters, a block of columns at a time."""
    cells, free = problem.cells, np.flatnonzero(problem.free)
    inverse, sandwich = np.empty(len(free)), np.empty(len(free))
    solve = None
    for low in range(0, len(free), _COLUMNS):
        block = free[low : low + _COLUMNS]
        units = np.zeros((len(problem.free), len(block)))
        units[block, np.arange(len(block))] = 1.0
        if solve is None:
            x, solved = _conjugate_gradients(problem, weight, units, _COLUMN_RESIDUAL)
            solve = None if solved else _factored(problem, weight)
        if solve is not None:
            x = solve(units)
        inverse[low : low + len(block)] = x[block, np.arange(len(block))]
        image = multiply(cells.first, cells.second, spread, problem.precision, problem.free, x)
        sandwich[low : low + len(block)] = np.sum(x * image, axis=0)
    return inverse, sandwich
