"""The wild cluster bootstrap: a test for few clusters, which gives each cluster's residuals a random sign or factor.

Player by player the residuals under "no effect" are turned or stretched as one, so that the games of a player stay as
dependent as they are, and the t value is looked up among those that this gives, instead of in Student's table.
"""

from collections.abc import Hashable, Iterator, Sequence
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ludometrics.abtest.cluster import ROUNDING, Regression, check_regression

#: Factors of a cluster, all equally likely: mean 0, variance 1.
WEIGHTS = {
    "rademacher": np.array([-1.0, 1.0]),
    "webb": np.array([-np.sqrt(1.5), -1.0, -np.sqrt(0.5), np.sqrt(0.5), 1.0, np.sqrt(1.5)]),
}
Weights = Literal["webb", "rademacher"]
#: Relative difference within which two t values are equal: without it, rounding would decide ties.
TIE = 1e-9
#: Factors that are held at once: 32 MiB.
BLOCK = 1 << 22


class WildResult(NamedTuple):
    """A t value, and how rare one so large is among those of the bootstrap.

    Attributes
    ----------
    t : float
        The coefficient over its CR1 error. Infinite where the error is 0 and the coefficient is not; 0 where both are.
    p : float
        Two-sided, against a coefficient of 0.
    draws : int
        Draws, or all 2^G patterns of signs where exact.
    exact : bool
        Whether all patterns of signs were counted.
    """

    t: float
    p: float
    draws: int
    exact: bool


class _Scores(NamedTuple):
    """What a draw needs of each cluster g, for the coefficient b under test.

    With factors v: b* = sum of v_g own_g, and cluster g's part in its variance is
    (v_g own_g - drag_g (sum over h of v_h pull_h))^2.
    """

    own: NDArray[np.float64]
    drag: NDArray[np.float64]
    pull: NDArray[np.float64]
    floor: float  # a coefficient or error below this is a residue of rounding


def wild_cluster_bootstrap(
    outcome: ArrayLike,
    design: ArrayLike,
    clusters: Sequence[Hashable] | ArrayLike,
    column: int,
    *,
    draws: int = 9999,
    weights: Weights = "webb",
    rng: np.random.Generator,
) -> WildResult:
    """Test one coefficient of a regression with few clusters, by bootstrap with the null hypothesis imposed.

    Residuals of the regression without the column are multiplied by a random factor for each cluster and added to its
    fitted values; each such set of outcomes gives a t value with CR1 errors. p is the share of draws with abs(t*) >=
    abs(t), the set observed being counted as one more draw. With signs as factors (Rademacher) and 2^G <= draws, all
    patterns of signs are counted instead, and rng is not used.

    Parameters
    ----------
    outcome : array_like, shape (n,)
        Finite.
    design : array_like, shape (n, k)
        Finite, with the column of ones if one is wanted.
    clusters : sequence of hashables, length n
        The player of each game.
    column : int
        Column of the design to test, 0 to k - 1.
    draws : int
        At least 1.
    weights : {"webb", "rademacher"}
        Webb's six factors serve for under a dozen clusters, where signs give few patterns: with signs p is at least
        2 / 2^G.
    rng : numpy.random.Generator

    Returns
    -------
    WildResult
        p depends neither on the unit nor on the order of the rows (rng numbers clusters in the order of their names).
        It is not to be believed where a version has one or two players, however many the other has: it is then far
        too large.

    Raises
    ------
    ValueError
        Another column or kind of weights, no draws, and as `cluster.cluster_regression`.

    Source
    ------
    Cameron, Gelbach and Miller, Review of Economics and Statistics 90 (2008); Webb, Canadian Journal of Economics 56
    (2023). The count of the set observed: Davison and Hinkley, Bootstrap Methods and their Application (1997), 4.2.

    Examples
    --------
    >>> design = [[1, 0], [1, 0], [1, 0], [1, 1], [1, 1], [1, 1]]
    >>> outcome, players = [0.0, 0.2, 0.1, 0.8, 0.9, 0.7], [1, 2, 3, 4, 5, 6]
    >>> signs = {"weights": "rademacher", "rng": np.random.default_rng(1)}
    >>> wild_cluster_bootstrap(outcome, design, players, 1, **signs)
    WildResult(t=8.573..., p=0.03125, draws=64, exact=True)
    """
    if weights not in WEIGHTS:
        raise ValueError(f"weights is {weights!r}: allowed are {', '.join(map(repr, WEIGHTS))}")
    if isinstance(draws, bool) or not isinstance(draws, int | np.integer) or draws < 1:
        raise ValueError(f"draws is {draws!r}: it must be a whole number of at least 1")
    data = check_regression(outcome, design, clusters)
    (n, k), groups = data.x.shape, data.n_clusters
    if isinstance(column, bool) or not isinstance(column, int | np.integer) or not 0 <= column < k:
        raise ValueError(f"column is {column!r}: it must be a whole number from 0 to {k - 1}")
    scores, coefficient, error = _restrict(data, column)
    exact = weights == "rademacher" and 2**groups <= draws
    blocks = _all_signs(groups) if exact else draw_weights(draws, groups, weights=weights, rng=rng)
    count = sum(_count_far(factors, scores, coefficient, error) for factors in blocks)
    p = count / 2 ** (groups - 1) if exact else (count + 1) / (draws + 1)
    error *= np.sqrt(groups / (groups - 1) * (n - 1) / (n - k))
    t = coefficient / error if error > 0.0 else np.copysign(np.inf, coefficient) if coefficient else 0.0
    return WildResult(float(t), float(p), 2**groups if exact else int(draws), exact)


def draw_weights(
    draws: int, n_clusters: int, *, weights: Weights, rng: np.random.Generator
) -> Iterator[NDArray[np.float64]]:
    """Draw a factor for each cluster, many times.

    Parameters
    ----------
    draws, n_clusters : int
        At least 1.
    weights : {"webb", "rademacher"}
    rng : numpy.random.Generator

    Yields
    ------
    ndarray of float64, shape (b, n_clusters)
        The next b draws; all blocks together have `draws` rows.

    Source
    ------
    Webb (2023): plus and minus the roots of 1/2, 1 and 3/2.

    Examples
    --------
    >>> (factors,) = draw_weights(2, 3, weights="rademacher", rng=np.random.default_rng(1))
    >>> factors.tolist()
    [[1.0, 1.0, -1.0], [-1.0, 1.0, 1.0]]
    """
    values, size = WEIGHTS[weights], max(1, BLOCK // n_clusters)
    for done in range(0, draws, size):
        drawn = rng.integers(len(values), size=(min(size, draws - done), n_clusters), dtype=np.int8)
        yield values[drawn]


def _all_signs(n_clusters: int) -> Iterator[NDArray[np.float64]]:
    """All patterns of signs with the first cluster's kept: turning every sign turns t and leaves abs(t)."""
    total, size = 2 ** (n_clusters - 1), max(1, BLOCK // n_clusters)
    bits = np.arange(n_clusters - 1)
    for done in range(0, total, size):
        numbers = np.arange(done, min(done + size, total))
        signs = 1.0 - 2.0 * (numbers[:, None] >> bits & 1)
        yield np.column_stack([np.ones(len(numbers)), signs])


def _restrict(data: Regression, column: int) -> tuple[_Scores, float, float]:
    """Sums of each cluster for the bootstrap, and the observed coefficient and error (CR0)."""
    z, r = np.linalg.qr(data.x)
    row = np.linalg.inv(r)[column]
    slope = z @ row  # coefficient = slope'y
    others = np.linalg.qr(np.delete(data.x, column, axis=1))[0]
    restricted = data.y - others @ (others.T @ data.y)
    scale = float(np.abs(slope) @ np.abs(data.y))
    if np.abs(restricted).max() <= ROUNDING * np.abs(data.y).max():
        restricted = np.zeros_like(restricted)  # the other columns fit the outcomes exactly
    sums = data.sums(np.column_stack([slope * restricted, z * restricted[:, None], z * slope[:, None]]))
    k = z.shape[1]
    scores = _Scores(sums[:, 0], sums[:, k + 1 :], sums[:, 1 : k + 1], ROUNDING * scale)
    coefficient, error = _estimate(np.ones((1, data.n_clusters)), scores)
    return scores, float(coefficient[0]), float(error[0])


def _estimate(
    factors: NDArray[np.float64], scores: _Scores
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Coefficient and error (CR0) of each draw: factors (b, G)."""
    # einsum, for the product of BLAS has other last bits with another number of threads.
    pulls = np.einsum("dg,gk->dk", factors, scores.pull)
    parts = factors * scores.own - np.einsum("dk,gk->dg", pulls, scores.drag)
    error = np.sqrt(np.einsum("dg,dg->d", parts, parts))
    drawn = np.einsum("dg,g->d", factors, scores.own)
    return tuple(np.where(np.abs(each) > scores.floor, each, 0.0) for each in (drawn, error))


def _count_far(factors: NDArray[np.float64], scores: _Scores, coefficient: float, error: float) -> int:
    """Count the draws with abs(t*) >= abs(t), without a division by an error that may be 0."""
    drawn, errors = _estimate(factors, scores)
    far = np.abs(drawn) * error >= abs(coefficient) * errors * (1.0 - TIE)
    return int(np.sum(far & ((drawn != 0.0) | (coefficient == 0.0))))
