"""Tests by the randomisation itself: how large a difference chance alone gives when versions are dealt again.

Scores are known up to half points, and the sum of B's scores tells the difference. Within players its distribution
over all ways of dealing is therefore exact: a convolution over strata, with no draw at random.
"""

import math
from typing import NamedTuple

import numpy as np
from numba import njit
from numpy.typing import ArrayLike, NDArray
from scipy.special import gammaln

from ludometrics.abtest.checks import check_columns

#: Ways of dealing that are counted out one by one; beyond, they are sampled.
EXACT_WAYS = 20_000
DRAWS = 9_999
#: Probability below which the ends of a distribution are cut while it is built. A p-value is right to about 1e-14.
_TRIM = 1e-20
#: Two differences closer than this are equal: without it, rounding would decide ties.
TIE = 1e-9


class RandomisationTest(NamedTuple):
    """A p-value by dealing the versions again.

    Attributes
    ----------
    p : float
        Share of the ways of dealing whose difference is at least as far from its mean as the one observed.
    ways : int
        Ways looked at; 0 where all were taken together exactly.
    exact : bool
        Whether all ways were counted.
    mid_p : float
        The same with half the weight on ways exactly as far as the one observed. Scores take few values, so that p
        itself raises fewer alarms than it promises; this one comes near to what it promises.
    """

    p: float
    ways: int
    exact: bool
    mid_p: float


NO_TEST = RandomisationTest(math.nan, 0, True, math.nan)


def deal_games(score: ArrayLike, variant: ArrayLike, stratum: ArrayLike) -> RandomisationTest:
    """Test a design that draws the version of each game: every way of dealing within strata is equally likely.

    Given how many games of each stratum were B's, the sum of their half points is multivariate hypergeometric; strata
    are added up by convolution.

    Parameters
    ----------
    score : array_like, shape (n,)
        Whole half points: 0, 0.5, 1.
    variant : array_like, shape (n,)
        0 for A, 1 for B.
    stratum : array_like of int, shape (n,)
        Player and colour.

    Returns
    -------
    RandomisationTest
        p is nan where no stratum holds both versions.

    Raises
    ------
    ValueError
        As `checks.check_columns`; a score that is no whole half point in 0 to 1.

    Source
    ------
    Fisher, The Design of Experiments (1935); mid-p: Lancaster, JASA 56 (1961); the convolution over strata as in
    Mantel and Haenszel's exact test.

    Examples
    --------
    >>> round(deal_games([0, 0, 0, 1, 1, 1], [0, 0, 0, 1, 1, 1], [0] * 6).p, 12)
    0.1
    """
    score, variant, stratum = check_columns(score, variant, stratum)
    points = half_points(score)
    size = int(stratum.max()) + 1 if len(stratum) else 0
    counts = np.zeros((size, 3), dtype=np.int64)
    np.add.at(counts, (stratum, points), 1)
    n_b = np.bincount(stratum, weights=variant, minlength=size).astype(np.int64)
    n = counts.sum(axis=1)
    both = (n_b > 0) & (n_b < n)
    if not both.any():
        return NO_TEST
    kept = both[stratum]
    observed = int(points[kept & (variant == 1)].sum())
    expected = float((n_b[both] * (counts[both] @ [0, 1, 2]) / n[both]).sum())
    table = gammaln(np.arange(int(n.max()) + 2) + 1.0)  # logarithms of factorials
    start, density = _convolve_strata(counts[both], n_b[both], table, _TRIM)
    return _two_sided(start, density, observed, expected)


def flip_pairs(difference: ArrayLike) -> RandomisationTest:
    """Test a design that deals A and B in random order within pairs of games: each pair may be turned round.

    Parameters
    ----------
    difference : array_like, shape (n,)
        Score with B minus score with A of each pair: whole half points.

    Returns
    -------
    RandomisationTest
        p is nan without a pair, 1 where no pair differs.

    Raises
    ------
    ValueError
        A difference that is no whole half point in -1 to 1; differences of another shape.

    Source
    ------
    Fisher (1935), chapter 3.

    Examples
    --------
    >>> flip_pairs([0.5, 0.5, 1.0, 0.5, 0.0]).p
    0.125
    """
    difference = np.asarray(difference, dtype=np.float64)
    if difference.ndim != 1:
        raise ValueError(f"differences have shape {difference.shape}: one of each pair is needed")
    points = half_points(difference, low=-1.0, what="difference of pair")
    if not len(points):
        return NO_TEST
    steps = np.abs(points[points != 0])
    if not len(steps):
        return RandomisationTest(1.0, 0, True, 1.0)
    start, density = _convolve_flips(steps, _TRIM)
    return _two_sided(start, density, int(points.sum()), 0.0)


def half_points(
    score: NDArray[np.float64], *, low: float = 0.0, what: str = "score of row"
) -> NDArray[np.int64]:
    """Turn scores into whole half points.

    Raises
    ------
    ValueError
        A score that is no whole half point, or outside `low` to 1.

    Examples
    --------
    >>> half_points(np.array([0.0, 0.5, 1.0])).tolist()
    [0, 1, 2]
    """
    points = np.rint(2.0 * score)
    wrong = ~((points == 2.0 * score) & (score >= low) & (score <= 1.0))
    if wrong.any():
        at = int(np.argmax(wrong))
        raise ValueError(f"{what} {at} is {score[at]}: it must be a whole half point from {low:g} to 1")
    return points.astype(np.int64)


def _two_sided(start: int, density: NDArray[np.float64], observed: int, expected: float) -> RandomisationTest:
    farther = np.abs(start + np.arange(len(density)) - expected) - abs(observed - expected)
    total = density.sum()
    beyond, as_far = density[farther > TIE].sum() / total, density[np.abs(farther) <= TIE].sum() / total
    # Never 0: the way observed is one of the ways, also where it lies in an end that was cut.
    p = float(min(1.0, max(_TRIM, beyond + as_far)))
    if len(density) == 1:  # one way only: nothing is told, and half of it would look like something
        return RandomisationTest(1.0, 0, True, 1.0)
    return RandomisationTest(p, 0, True, float(max(_TRIM, beyond + as_far / 2.0)))


@njit(cache=True)
def _trim(density, trim):
    """First and one past the last place with more than a trace of probability."""
    first, last = 0, len(density)
    while last - first > 1 and density[first] < trim:
        first += 1
    while last - first > 1 and density[last - 1] < trim:
        last -= 1
    return first, last


@njit(cache=True)
def _convolve_strata(counts, n_b, log_factorial, trim):
    """Distribution of the half points of B's games, all strata together: where it starts, and its density."""
    total, start = np.ones(1), 0
    for s in range(len(n_b)):
        losses, draws, wins, drawn = counts[s, 0], counts[s, 1], counts[s, 2], n_b[s]
        n = losses + draws + wins
        if (losses == n) or (draws == n) or (wins == n):  # every way of dealing gives the same
            start += drawn * (draws + 2 * wins) // n
            continue
        own = np.zeros(2 * drawn + 1)
        base = log_factorial[drawn] + log_factorial[n - drawn] - log_factorial[n]
        for w in range(max(0, drawn - losses - draws), min(wins, drawn) + 1):
            ways_w = base + log_factorial[wins] - log_factorial[w] - log_factorial[wins - w]
            rest = drawn - w
            for d in range(max(0, rest - losses), min(draws, rest) + 1):
                away = rest - d
                ways = ways_w + log_factorial[draws] - log_factorial[d] - log_factorial[draws - d]
                ways += log_factorial[losses] - log_factorial[away] - log_factorial[losses - away]
                own[2 * w + d] += math.exp(ways)
        first, last = _trim(own, trim)
        joint = np.zeros(len(total) + last - first - 1)
        for k in range(first, last):
            share = own[k]
            if share > 0.0:
                shift = k - first
                for i in range(len(total)):
                    joint[shift + i] += share * total[i]
        start += first
        first, last = _trim(joint, trim)
        start += first
        total = joint[first:last].copy()
    return start, total


@njit(cache=True)
def _convolve_flips(steps, trim):
    """Distribution of a sum of steps, each forwards or back with probability one half."""
    total, start = np.ones(1), 0
    for step in steps:
        joint = np.zeros(len(total) + 2 * step)
        for i in range(len(total)):
            joint[i] += 0.5 * total[i]
            joint[i + 2 * step] += 0.5 * total[i]
        first, last = _trim(joint, trim)
        start += first - step
        total = joint[first:last].copy()
    return start, total
