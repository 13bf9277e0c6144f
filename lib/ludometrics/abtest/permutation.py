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
    draws: int = DRAWS,
    exact_ways: int = EXACT_WAYS,
    rng: np.random.Generator,
) -> RandomisationTest:
    """Test a design that gives each player one version: all splits that keep the sizes of the groups.

    The statistic is the difference of the groups' means, sum of values over sum of weights.

    Parameters
    ----------
    value : array_like, shape (p,)
        Mean score of each player, or its residual from something that does not know the versions.
    variant : array_like, shape (p,)
        0 for A, 1 for B.
    weight : array_like, shape (p,), optional
        Games of each player, `value` then being sums of scores; without it every player counts once.
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
    Fisher (1935); Ernst, Statistical Science 19 (2004).

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
    observed = abs(float(_differences(value, weight, own[None, :])[0]))
    ways = math.comb(len(value), len(own))
    if ways <= exact_ways:
        splits = np.array(list(combinations(range(len(value)), len(own))), dtype=np.int64)
        return _judge(np.abs(_differences(value, weight, splits)), observed, exact=True)
    rows = max(1, _BLOCK // len(own))
    count = 0
    for done in range(0, draws, rows):
        uniforms = rng.random((min(rows, draws - done), len(own)))
        count += _count_far(value, weight, uniforms, observed - TIE)
    p = (count + 1) / (draws + 1)
    return RandomisationTest(p, draws, False, p)


def flip_blocks(
    value: ArrayLike,
    variant: ArrayLike,
    block: ArrayLike,
    *,
    weight: ArrayLike | None = None,
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
        As in `deal_players`.
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
    observed = abs(float(_differences(value, weight, np.flatnonzero(in_b)[None, :])[0]))
    exact = all(len(own) == 2 for own in mixed) and 2 ** len(mixed) <= exact_ways
    ways = 2 ** len(mixed) if exact else draws
    fixed = np.setdiff1d(np.flatnonzero(in_b), np.concatenate(mixed))
    sums, weights = np.full(ways, value[fixed].sum()), np.full(ways, weight[fixed].sum())
    for number, own in enumerate(mixed):
        if exact:  # bit `number` of a way says which of the two has B
            chosen = own[(np.arange(ways) >> number) & 1][:, None]
        else:
            chosen = own[np.argsort(rng.random((ways, len(own))), axis=1)[:, : int(in_b[own].sum())]]
        sums += value[chosen].sum(axis=1)
        weights += weight[chosen].sum(axis=1)
    differences = sums / weights - (value.sum() - sums) / (weight.sum() - weights)
    return _judge(np.abs(differences), observed, exact=exact)


def _judge(distances: NDArray[np.float64], observed: float, *, exact: bool) -> RandomisationTest:
    far, as_far = int((distances >= observed - TIE).sum()), int((np.abs(distances - observed) <= TIE).sum())
    ways = len(distances)
    if exact:
        return RandomisationTest(far / ways, ways, True, (far - as_far / 2.0) / ways)
    p = (far + 1) / (ways + 1)
    return RandomisationTest(p, ways, False, p)


def _check_draws(draws: int) -> None:
    if draws < 1:
        raise ValueError(f"draws is {draws}: it must be at least 1")


def _differences(value, weight, splits: NDArray[np.int64]) -> NDArray[np.float64]:
    """Difference of the means for each row of players, against the others."""
    sums, weights = value[splits].sum(axis=1), weight[splits].sum(axis=1)
    return sums / weights - (value.sum() - sums) / (weight.sum() - weights)


@njit(cache=True)
def _count_far(value, weight, uniforms, bound):
    """Count the sampled splits whose difference is at least `bound`: the first players of a shuffle are one group."""
    n = len(value)
    order = np.arange(n)
    total, total_weight = value.sum(), weight.sum()
    count = 0
    for row in range(uniforms.shape[0]):
        inside, inside_weight = 0.0, 0.0
        for i in range(uniforms.shape[1]):
            # Shuffling goes on from the last order: any start gives a uniform draw.
            j = i + int(uniforms[row, i] * (n - i))
            order[i], order[j] = order[j], order[i]
            inside += value[order[i]]
            inside_weight += weight[order[i]]
        difference = inside / inside_weight - (total - inside) / (total_weight - inside_weight)
        count += abs(difference) >= bound
    return count
