"""Regression of games, with players as clusters: games of one player tell less than as many games of many players.

CR0 and CR1 need tens of clusters. With few, or with clusters of very unequal size, they give a range that is too short;
CR2 with Satterthwaite's degrees of freedom is made for that.
"""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ludometrics.abtest.checks import check_columns
from ludometrics.abtest.effects import Effect, student
from ludometrics.evaluation.clusters import number_units
from ludometrics.evaluation.intervals import check_level

KINDS = ("CR0", "CR1", "CR2")
Kind = Literal["CR0", "CR1", "CR2"]
#: Sine of the angle between a column and those before it, below which it adds nothing.
COLLINEAR = 1e-9
#: One less an eigenvalue of a cluster's leverage below which the cluster fits itself in that direction.
SINGULAR = 1e-9
#: An error below this, relative to the outcomes, is a residue of rounding.
ROUNDING = 1e-12


@dataclass(frozen=True)
class ClusterFit:
    """Least squares with errors that allow games of one cluster any dependence.

    Attributes
    ----------
    coefficients : ndarray of float64, shape (k,)
    errors : ndarray of float64, shape (k,)
        Standard errors; 0 where the residuals of every cluster cancel, which says nothing of the error.
    df : ndarray of float64, shape (k,)
        Degrees of freedom of Student's t: clusters - 1, or Satterthwaite's with CR2 (nan where there are none).
    low, high : ndarray of float64, shape (k,)
        Range of each coefficient; nan where its error is 0.
    p : ndarray of float64, shape (k,)
        Two-sided, against 0; nan where the error is 0.
    n : int
        Games.
    n_clusters : int
        Independent units.
    kind : {"CR0", "CR1", "CR2"}
    """

    coefficients: NDArray[np.float64]
    errors: NDArray[np.float64]
    df: NDArray[np.float64]
    low: NDArray[np.float64]
    high: NDArray[np.float64]
    p: NDArray[np.float64]
    n: int
    n_clusters: int
    kind: str


class Regression(NamedTuple):
    """Outcomes, design and clusters that have been checked.

    Attributes
    ----------
    y : ndarray of float64, shape (n,)
    x : ndarray of float64, shape (n, k)
    index : ndarray of int64, shape (n,)
        Cluster of each row, 0 to n_clusters - 1.
    n_clusters : int
    """

    y: NDArray[np.float64]
    x: NDArray[np.float64]
    index: NDArray[np.int64]
    n_clusters: int

    def sums(self, values: NDArray[np.float64]) -> NDArray[np.float64]:
        """Sum the rows of each cluster: (n, k) to (n_clusters, k).

        Examples
        --------
        >>> data = check_regression([1.0, 0.0, 1.0], np.ones((3, 1)), ["a", "b", "a"])
        >>> data.sums(data.y[:, None]).tolist()
        [[2.0], [0.0]]
        """
        return sum_clusters(values, self.index, self.n_clusters)


def cluster_regression(
    outcome: ArrayLike,
    design: ArrayLike,
    clusters: Sequence[Hashable] | ArrayLike,
    *,
    kind: Kind = "CR1",
    level: float = 0.95,
) -> ClusterFit:
    """Fit least squares to games, with standard errors by clusters.

    V = (X'X)^-1 (sum over clusters g of X_g' B_g e_g e_g' B_g X_g) (X'X)^-1 with residuals e.
    CR0: B_g = 1. CR1: the same times G/(G - 1) (n - 1)/(n - k). CR2: B_g is the symmetric inverse square root of
    1 - X_g (X'X)^-1 X_g' (pseudo-inverse where a cluster fits itself), which makes V unbiased if games are alike and
    independent; under that model it also has Satterthwaite's degrees of freedom, one for each coefficient.

    Parameters
    ----------
    outcome : array_like, shape (n,)
        Finite; a score in 0 to 1, say.
    design : array_like, shape (n, k)
        Finite; a column of ones is not added. n must be above k.
    clusters : sequence of hashables, length n
        The player of each game, whatever names it.
    kind : {"CR1", "CR0", "CR2"}
    level : float
        Confidence of the ranges, between 0 and 1.

    Returns
    -------
    ClusterFit

    Raises
    ------
    ValueError
        Fewer than 2 clusters, a column that is a combination of those before it, not more rows than columns, misfit
        lengths, a value that is not finite, another kind, a level outside (0, 1).

    Source
    ------
    Liang and Zeger, Biometrika 73 (1986); Cameron and Miller, Journal of Human Resources 50 (2015), for CR1 and its
    t of G - 1 degrees; both by statsmodels. CR2: Bell and McCaffrey, Survey Methodology 28 (2002); Imbens and Kolesar,
    Review of Economics and Statistics 98 (2016); Pustejovsky and Tipton, Journal of Business and Economic Statistics
    36 (2018).

    Examples
    --------
    >>> version_b = [0, 0, 0, 0, 1, 1, 1, 1]
    >>> design = np.column_stack([np.ones(8), version_b])
    >>> players = ["Ann", "Ann", "Bob", "Bob", "Cat", "Cat", "Dan", "Dan"]
    >>> fit = cluster_regression([0, 0.5, 0.5, 1, 0.5, 1, 1, 1], design, players, kind="CR2")
    >>> fit.coefficients.round(3).tolist(), fit.errors.round(3).tolist(), fit.df.round(3).tolist()
    ([0.5, 0.375], [0.25, 0.28], [1.0, 2.0])
    """
    check_level(level)
    if kind not in KINDS:
        raise ValueError(f"kind is {kind!r}: allowed are {', '.join(map(repr, KINDS))}")
    data = check_regression(outcome, design, clusters)
    if kind == "CR2":
        coefficients, errors, df = _bias_reduced(data)
    else:
        coefficients, errors = _sandwich(data, corrected=kind == "CR1")
        df = np.full(len(coefficients), data.n_clusters - 1.0)
    errors = np.where(errors > ROUNDING * _spread(data), errors, 0.0)
    effects = [student(*row, level=level) for row in zip(coefficients, errors, df, strict=True)]
    low, high, p = np.array([(effect.low, effect.high, effect.p) for effect in effects]).T
    return ClusterFit(coefficients, errors, df, low, high, p, len(data.y), data.n_clusters, kind)


def cluster_difference(
    score: ArrayLike,
    variant: ArrayLike,
    player: Sequence[Hashable] | ArrayLike,
    *,
    kind: Kind = "CR1",
    level: float = 0.95,
) -> Effect:
    """Estimate the effect of version B on the mean score of a game, with players as clusters.

    Every game counts once, so that a player who plays much weighs much.

    Parameters
    ----------
    score : array_like, shape (n,)
        Score of each game, finite.
    variant : array_like, shape (n,)
        0 for A, 1 for B.
    player : sequence of hashables, length n
    kind, level
        As in `cluster_regression`.

    Returns
    -------
    Effect
        The regression's slope on version B: mean of B less mean of A. The range and p are nan where the error is 0.

    Raises
    ------
    ValueError
        A version with games of fewer than 2 players, and as `cluster_regression` and `checks.check_columns`.

    Source
    ------
    As `cluster_regression`.

    Examples
    --------
    >>> score = [1, 1, 0.5, 0, 0, 0.5, 1, 0, 0, 0, 0.5, 0]
    >>> player = [0, 0, 0, 1, 1, 2, 3, 3, 4, 4, 5, 5]
    >>> effect = cluster_difference(score, [0] * 6 + [1] * 6, player)
    >>> round(effect.estimate, 6), round(effect.error, 6), effect.df
    (-0.25, 0.302765, 5.0)
    """
    score, variant, _ = check_columns(score, variant, None)
    index = number_units(player, len(score))
    for name, number in (("A", 0), ("B", 1)):
        players = len(np.unique(index[variant == number]))
        if players < 2:
            raise ValueError(
                f"version {name} has games of {players} players: at least 2 are needed, to see how players differ"
            )
    design = np.column_stack([np.ones(len(score)), variant])
    fit = cluster_regression(score, design, index, kind=kind, level=level)
    return Effect(
        *(float(each[1]) for each in (fit.coefficients, fit.errors, fit.df, fit.low, fit.high, fit.p))
    )


def check_regression(
    outcome: ArrayLike, design: ArrayLike, clusters: Sequence[Hashable] | ArrayLike
) -> Regression:
    """Check outcomes, design and clusters of the same rows, and number the clusters.

    Raises
    ------
    ValueError
        As `cluster_regression`.

    Examples
    --------
    >>> check_regression([1.0, 0.0, 1.0], [[1, 2], [1, 2], [1, 2]], ["a", "b", "a"])
    Traceback (most recent call last):
    ...
    ValueError: column 1 of the design is 0 or a combination of the columns before it: leave it out
    """
    y, x = np.asarray(outcome, dtype=np.float64), np.asarray(design, dtype=np.float64)
    if y.ndim != 1 or x.ndim != 2 or len(x) != len(y) or not x.shape[1]:
        raise ValueError(f"outcome has shape {y.shape} and design {x.shape}: they must be (n,) and (n, k)")
    for name, values in (("outcome", y), ("design", x)):
        finite = np.isfinite(values)
        if not finite.all():
            at = np.unravel_index(int(np.argmin(finite)), values.shape)
            raise ValueError(f"{name} of row {at[0]} is {values[at]}: it must be finite")
    index = number_units(clusters, len(y))
    n_clusters = int(index.max()) + 1 if len(index) else 0
    if n_clusters < 2:
        raise ValueError(f"there are {n_clusters} clusters: at least 2 are needed, to see how they differ")
    if len(y) <= x.shape[1]:
        raise ValueError(
            f"there are {len(y)} rows for {x.shape[1]} columns: more rows than columns are needed"
        )
    added = np.abs(np.diag(np.linalg.qr(x, mode="r")))  # what a column has beside those before it
    lacking = added <= COLLINEAR * np.linalg.norm(x, axis=0)
    if lacking.any():
        column = int(np.argmax(lacking))
        raise ValueError(
            f"column {column} of the design is 0 or a combination of the columns before it: leave it out"
        )
    return Regression(y, x, index, n_clusters)


def sum_clusters(
    values: NDArray[np.float64], index: NDArray[np.int64], n_clusters: int
) -> NDArray[np.float64]:
    """Sum the rows of each cluster: (n, k) to (n_clusters, k).

    Examples
    --------
    >>> sum_clusters(np.array([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]), np.array([0, 1, 0]), 2).tolist()
    [[6.0, 8.0], [3.0, 4.0]]
    """
    return np.stack([np.bincount(index, column, n_clusters) for column in values.T], axis=1)


def _sandwich(data: Regression, *, corrected: bool) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Coefficients and errors of CR1, or of CR0 where not corrected."""
    from statsmodels.regression.linear_model import OLS  # heavy: only where it is needed

    how = {"groups": data.index, "use_correction": corrected}
    fit = OLS(data.y, data.x).fit(cov_type="cluster", cov_kwds=how, use_t=True)
    # Where residuals cancel, the diagonal is a residue of rounding and may fall below 0.
    return np.asarray(fit.params), np.sqrt(np.maximum(np.diag(fit.cov_params()), 0.0))


def _bias_reduced(data: Regression) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]:
    """Coefficients, errors and degrees of freedom of CR2.

    With X = Z R, Z'Z = 1, the leverage Z_g Z_g' of a cluster has the eigenvalues of the k x k matrix A_g = Z_g'Z_g, and
    Z_g' B_g e_g = (1 - A_g)^(-1/2) Z_g' e_g. No matrix of games by games is made.
    """
    z, r = np.linalg.qr(data.x)
    rotated = z.T @ data.y
    back = np.linalg.inv(r)  # coefficient j is row j of `back` times Z'y
    leverage, vectors = _leverages(data, z)
    free = 1.0 - leverage
    single = free < SINGULAR
    scale = np.where(single, 0.0, 1.0 / np.sqrt(np.where(single, 1.0, free)))
    turned = back @ vectors  # coefficients by eigenvectors, for each cluster
    scores = data.sums(z * (data.y - z @ rotated)[:, None])
    inside = np.einsum("gki,gk->gi", vectors, scores) * scale
    errors = np.sqrt(np.square(np.einsum("gji,gi->gj", turned, inside)).sum(axis=0))
    return back @ rotated, errors, _satterthwaite(turned, leverage, vectors, scale)


def _leverages(data: Regression, z: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Eigenvalues (G, r) and eigenvectors (G, k, r) of Z_g'Z_g that may differ from 0; the rest is filled up with 0."""
    games = np.bincount(data.index, minlength=data.n_clusters)
    order = np.argsort(data.index, kind="stable")
    rank = min(int(games.max()), z.shape[1])
    values, vectors = np.zeros((data.n_clusters, rank)), np.zeros((data.n_clusters, z.shape[1], rank))
    for g, rows in enumerate(np.split(z[order], np.cumsum(games)[:-1])):
        _, singular, right = np.linalg.svd(rows, full_matrices=False)
        values[g, : len(singular)] = np.square(singular)
        vectors[g, :, : len(singular)] = right.T
    return values, vectors


def _satterthwaite(turned, leverage, vectors, scale) -> NDArray[np.float64]:
    """Degrees of freedom of the variance of each coefficient if games are alike and independent.

    The variance is then a quadratic form with the clusters' matrix P = diag(own) - U U', and has
    (trace P)^2 / (sum of squares of P) degrees.
    """
    own = np.einsum("gji,gi->gj", np.square(turned), leverage * np.square(scale))
    u = (turned * (leverage * scale)[:, None, :]) @ vectors.transpose(0, 2, 1)
    squares = np.square(u).sum(axis=2)
    trace = (own - squares).sum(axis=0)
    by_coefficient = u.transpose(1, 0, 2)
    cross = by_coefficient.transpose(0, 2, 1) @ by_coefficient
    total = (np.square(own) - 2.0 * own * squares).sum(axis=0) + np.square(cross).sum(axis=(1, 2))
    known = trace > SINGULAR * own.max(axis=0)
    df = np.divide(np.square(trace), total, out=np.full(len(trace), np.nan), where=known)
    return np.maximum(df, 1.0)  # never below 1 but for rounding; nan stays


def _spread(data: Regression) -> NDArray[np.float64]:
    """How large each coefficient's error could be at all, to tell an error from a residue of rounding."""
    return np.abs(np.linalg.pinv(data.x)) @ np.abs(data.y)
