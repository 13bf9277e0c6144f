"""Tests by dealing players again: every split into two groups of the same sizes is equally likely."""

import math
from itertools import combinations

import numpy as np
from numba import njit
from numpy.typing import ArrayLike, NDArray

from ludometrics.abtest.checks import check_columns, check_weights
from ludometrics.abtest.randomisation import DRAWS, EXACT_WAYS, NO_TEST, TIE, RandomisationTest

#: Numbers drawn at once for a sample of splits: 32 MiB.
_BLOCK = 1 << 22


def deal_players(
    value: ArrayLike,
    variant: ArrayLike,
    *,
    weight: ArrayLike | None = None,
    studentised: bool = False,
    draws: int = DRAWS,
    exact_ways: int = EXACT_WAYS,
    rng: np.random.Generator,
) -> RandomisationTest:
    """Test a design that gives each player one version: all splits that keep the sizes of the groups.

    The statistic is the difference of the groups' means, sum of values over sum of weights, or that over its error.

    Parameters
    ----------
    value : array_like, shape (p,)
        Mean score of each player, or its residual from something that does not know the versions.
    variant : array_like, shape (p,)
        0 for A, 1 for B.
    weight : array_like, shape (p,), optional
        Games of each player, `value` then being sums of scores; without it every player counts once.
    studentised : bool
        Whether the difference is divided by its error (Welch's): groups of unlike spread and size then do not mislead
        where versions differ in more than their mean, and the test agrees with a range by Student's t.
    draws : int
        Splits sampled where there are too many; the one observed is added to them.
    exact_ways : int
        Splits up to which all are counted out.
    rng : numpy.random.Generator

    Returns
    -------
    RandomisationTest
        p is nan where a group is empty.

    Raises
    ------
    ValueError
        As `checks.check_columns`; fewer than 1 draw, a weight that is not finite and above 0.

    Source
    ------
    Fisher (1935); Ernst, Statistical Science 19 (2004); studentised: Janssen, Statistics and Probability Letters 36
    (1997).

    Examples
    --------
    >>> deal_players([1, 2, 3, 4, 5, 6, 7, 8], [0, 0, 0, 0, 1, 1, 1, 1], rng=np.random.default_rng(1))
    RandomisationTest(p=0.02857142857142857, ways=70, exact=True, mid_p=0.014285714285714285)
    """
    value, variant, _ = check_columns(value, variant, None)
    weight = check_weights(weight, value)
    _check_draws(draws)
    # Which group is drawn does not matter to a distance: the smaller one takes less room.
    own = np.flatnonzero(variant == (1 if 2 * variant.sum() <= len(value) else 0))
    if not len(own):
        return NO_TEST
    columns = _columns(value, weight)
    observed = float(_distances(columns[own].sum(axis=0)[None, :], columns, len(own), studentised)[0])
    ways = math.comb(len(value), len(own))
    if ways <= exact_ways:
        splits = np.array(list(combinations(range(len(value)), len(own))), dtype=np.int64)
        distances = _distances(columns[splits].sum(axis=1), columns, len(own), studentised)
        return _judge(distances, observed, exact=True)
    rows = max(1, _BLOCK // len(own))
    distances = [
        _distances(
            _sum_draws(columns, rng.random((min(rows, draws - done), len(own)))),
            columns,
            len(own),
            studentised,
        )
        for done in range(0, draws, rows)
    ]
    return _judge(np.concatenate(distances), observed, exact=False)


def flip_blocks(
    value: ArrayLike,
    variant: ArrayLike,
    block: ArrayLike,
    *,
    weight: ArrayLike | None = None,
    studentised: bool = False,
    draws: int = DRAWS,
    exact_ways: int = EXACT_WAYS,
    rng: np.random.Generator,
) -> RandomisationTest:
    """Test a design that deals the versions within blocks of players, by dealing again within each block.

    Parameters
    ----------
    value : array_like, shape (p,)
        Mean score of each player, or a residual.
    variant : array_like, shape (p,)
        0 for A, 1 for B.
    block : array_like of int, shape (p,)
        Players of a block with one version keep it.
    weight : array_like, shape (p,), optional
    studentised : bool
        Both as in `deal_players`.
    draws, exact_ways, rng
        As in `deal_players`. Blocks of two that are few enough are counted out; others are sampled.

    Returns
    -------
    RandomisationTest
        p is nan where no block holds both versions.

    Raises
    ------
    ValueError
        As `checks.check_columns`; fewer than 1 draw.

    Source
    ------
    Fisher (1935).

    Examples
    --------
    >>> flip_blocks([0, 1, 0, 2, 0, 3], [0, 1, 0, 1, 0, 1], [0, 0, 1, 1, 2, 2], rng=np.random.default_rng(1)).p
    0.25
    """
    value, variant, block = check_columns(value, variant, block)
    weight = check_weights(weight, value)
    _check_draws(draws)
    in_b = variant == 1
    order = np.argsort(block, kind="stable")
    blocks = np.split(order, np.flatnonzero(np.diff(block[order])) + 1) if len(order) else []
    mixed = [own for own in blocks if 0 < in_b[own].sum() < len(own)]
    if not mixed:
        return NO_TEST
    columns = _columns(value, weight)
    n_b = int(in_b.sum())
    observed = float(_distances(columns[in_b].sum(axis=0)[None, :], columns, n_b, studentised)[0])
    exact = all(len(own) == 2 for own in mixed) and 2 ** len(mixed) <= exact_ways
    ways = 2 ** len(mixed) if exact else draws
    fixed = np.setdiff1d(np.flatnonzero(in_b), np.concatenate(mixed))
    sums = np.tile(columns[fixed].sum(axis=0), (ways, 1))
    for number, own in enumerate(mixed):
        if exact:  # bit `number` of a way says which of the two has B
            chosen = own[(np.arange(ways) >> number) & 1][:, None]
        else:
            chosen = own[np.argsort(rng.random((ways, len(own))), axis=1)[:, : int(in_b[own].sum())]]
        sums += columns[chosen].sum(axis=1)
    return _judge(_distances(sums, columns, n_b, studentised), observed, exact=exact)


def _judge(distances: NDArray[np.float64], observed: float, *, exact: bool) -> RandomisationTest:
    far = int((distances >= observed - TIE).sum())
    as_far = far - int((distances > observed + TIE).sum())
    ways = len(distances)
    if exact:
        return RandomisationTest(far / ways, ways, True, (far - as_far / 2.0) / ways)
    p = (far + 1) / (ways + 1)
    return RandomisationTest(p, ways, False, p)


def _check_draws(draws: int) -> None:
    if draws < 1:
        raise ValueError(f"draws is {draws}: it must be at least 1")


def _columns(value: NDArray[np.float64], weight: NDArray[np.float64]) -> NDArray[np.float64]:
    """What is summed over a group, shape (p, 5): value, weight, and their squares and product."""
    return np.column_stack([value, weight, value * value, value * weight, weight * weight])


def _distances(
    sums: NDArray[np.float64], columns: NDArray[np.float64], size: int, studentised: bool
) -> NDArray[np.float64]:
    """Distance between the means of a group of `size` and of all others, for each row of the group's sums."""
    total = columns.sum(axis=0)
    means, variances = [], []
    for part, n in ((sums, size), (total - sums, len(columns) - size)):
        v, w, vv, vw, ww = part.T
        mean = v / w
        means.append(mean)
        if studentised:
            # Sum of (v - mean w)^2 over w^2: the variance of a weighted mean.
            spread = np.maximum(vv - 2.0 * mean * vw + mean * mean * ww, 0.0) / (w * w)
            variances.append(spread * n / max(n - 1, 1))
    distance = np.abs(means[0] - means[1])
    if not studentised:
        return distance
    error = np.sqrt(variances[0] + variances[1])
    # Groups without any spread that differ lie farther apart than all others; alike, they do not differ.
    return np.divide(distance, error, out=np.where(distance > TIE, np.inf, 0.0), where=error > TIE)


@njit(cache=True)
def _sum_draws(columns, uniforms):
    """Sums over the first players of a shuffle, for each row of uniform numbers."""
    n, k = columns.shape
    order = np.arange(n)
    sums = np.zeros((uniforms.shape[0], k))
    for row in range(uniforms.shape[0]):
        for i in range(uniforms.shape[1]):
            # Shuffling goes on from the last order: any start gives a uniform draw.
            j = i + int(uniforms[row, i] * (n - i))
            order[i], order[j] = order[j], order[i]
            for column in range(k):
                sums[row, column] += columns[order[i], column]
    return sums
