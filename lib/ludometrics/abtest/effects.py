"""The effect of a version: a difference of mean scores, with its range.

One estimator serves every design. Games (or players) are compared within strata: the whole test, blocks of players with
like ratings, or a player with one colour. With one stratum it is the difference of two means with Welch's error, with
strata of two the paired comparison.
"""

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import stats

from ludometrics.abtest.checks import check_columns, check_weights

#: A residue of rounding is no spread: without this, scores that are all alike would get a range.
_NO_SPREAD = 1e-12
#: Leverage or weight closer than this to 1 or 0 is taken as 1 or 0.
_ROUNDING = 1e-9


class Effect(NamedTuple):
    """Mean score against version B minus mean score against version A.

    Attributes
    ----------
    estimate : float
        Score, -1 to 1.
    error : float
        Standard error; nan where the data do not give one.
    df : float
        Degrees of freedom of Student's t.
    low, high : float
        Range at the level asked for.
    p : float
        Two-sided, against no difference.
    """

    estimate: float
    error: float
    df: float
    low: float
    high: float
    p: float


#: Where data give no estimate.
NO_EFFECT = Effect(*[math.nan] * 6)


def student(estimate: float, error: float, df: float, *, level: float = 0.95) -> Effect:
    """Give an estimate its range and p-value by Student's t.

    Parameters
    ----------
    estimate, error : float
    df : float
        Degrees of freedom; below 1 there is no range.
    level : float
        Confidence, between 0 and 1.

    Returns
    -------
    Effect
        Range and p are nan where error is not above 0 or df is below 1.

    Source
    ------
    Student, The probable error of a mean, Biometrika 6 (1908).

    Examples
    --------
    >>> effect = student(1.58, 0.38896, 9)
    >>> round(effect.low, 3), round(effect.p, 5)
    (0.7, 0.00283)
    """
    if not 0.0 < level < 1.0:
        raise ValueError(f"level is {level!r}: it must lie between 0 and 1")
    estimate, error, df = float(estimate), float(error), float(df)
    if not (error > 0.0 and df >= 1.0):
        return Effect(estimate, error if error >= 0.0 else math.nan, df, math.nan, math.nan, math.nan)
    # The upper tail keeps its digits where 1 - alpha would round to 1.
    half = float(stats.t.isf((1.0 - level) / 2.0, df)) * error
    p = float(2.0 * stats.t.sf(abs(estimate) / error, df))
    return Effect(estimate, error, df, estimate - half, estimate + half, p)


class Strata(NamedTuple):
    """Rows gathered into strata that hold both versions; others say nothing of the difference.

    Attributes
    ----------
    kept : ndarray of bool, shape (n,)
        Rows of strata with both versions.
    index : ndarray of int64, shape (m,)
        Stratum of each kept row, 0 to k - 1.
    n, n_b : ndarray of float64, shape (k,)
        Rows, and rows of version B, of each stratum.
    """

    kept: NDArray[np.bool_]
    index: NDArray[np.int64]
    n: NDArray[np.float64]
    n_b: NDArray[np.float64]

    @property
    def weights(self) -> NDArray[np.float64]:
        """Weight of each stratum in the effect: n_A n_B / n, its information on the difference."""
        return (self.n - self.n_b) * self.n_b / self.n


def gather_strata(variant: NDArray[np.int8], stratum: NDArray[np.int64]) -> Strata:
    """Find the strata that hold both versions.

    Parameters
    ----------
    variant : ndarray, shape (n,)
        0 for A, 1 for B.
    stratum : ndarray of int64, shape (n,)
        Number of each row's stratum, at least 0.

    Returns
    -------
    Strata

    Examples
    --------
    >>> strata = gather_strata(np.array([0, 1, 1]), np.array([4, 4, 7]))
    >>> strata.kept.tolist(), strata.n.tolist(), strata.weights.tolist()
    ([True, True, False], [2.0], [0.5])
    """
    n = np.bincount(stratum)
    n_b = np.bincount(stratum, weights=variant, minlength=len(n))
    both = (n_b > 0) & (n_b < n)
    number = np.cumsum(both) - 1
    kept = both[stratum]
    return Strata(kept, number[stratum[kept]], n[both].astype(np.float64), n_b[both])


def stratified_effect(
    score: ArrayLike, variant: ArrayLike, stratum: ArrayLike | None = None, *, level: float = 0.95
) -> Effect:
    """Estimate the effect within strata, with a range that allows each stratum and version its own variance.

    Fixed effects of the strata: sum over strata of w_s (mean_B - mean_A) / sum w_s with w_s = n_A n_B / n. The error is
    that of least squares with a constant for each stratum, squared residuals divided by one minus their leverage (HC2).

    Parameters
    ----------
    score : array_like, shape (n,)
        Scores of games or means of players.
    variant : array_like, shape (n,)
        0 for A, 1 for B.
    stratum : array_like of int, shape (n,), optional
        Without it all rows are one stratum. Strata with one version are left out.
    level : float
        Confidence of the range.

    Returns
    -------
    Effect
        With df = rows - strata - 1 of what is used; with one stratum Welch's df. All nan where no stratum holds both.

    Raises
    ------
    ValueError
        Misfit lengths, a variant other than 0 and 1, a value that is not finite.

    Source
    ------
    MacKinnon and White, Journal of Econometrics 29 (1985), HC2; Welch, Biometrika 34 (1947). With strata of two it is
    the paired t exactly.

    Examples
    --------
    >>> pairs = stratified_effect([0.0, 0.5, 0.5, 0.5, 0.0, 1.0], [0, 1, 0, 1, 0, 1], [0, 0, 1, 1, 2, 2])
    >>> round(pairs.estimate, 3), pairs.df, round(pairs.p, 4)
    (0.5, 2.0, 0.2254)
    >>> round(float(stats.ttest_1samp([0.5, 0.0, 1.0], 0.0).pvalue), 4)
    0.2254
    """
    score, variant, stratum = check_columns(score, variant, stratum)
    strata = gather_strata(variant, stratum)
    if not len(strata.n):
        return NO_EFFECT
    y, z, index = score[strata.kept], variant[strata.kept].astype(np.float64), strata.index
    share = strata.n_b / strata.n
    d = z - share[index]
    y = y - (np.bincount(index, weights=y) / strata.n)[index]
    total = float(strata.weights.sum())
    estimate = float(d @ y) / total
    residual = y - d * estimate
    freedom = 1.0 - 1.0 / strata.n[index] - d * d / total  # one minus the leverage; 0 where a row fits itself
    d2r2 = d * d * residual * residual
    parts = np.divide(d2r2, freedom, out=np.zeros_like(d2r2), where=freedom > _ROUNDING)
    error = math.sqrt(float(parts.sum())) / total
    df = len(y) - len(strata.n) - 1.0
    if len(strata.n) == 1:
        df = _welch_df(score[strata.kept], variant[strata.kept])
    return student(estimate, error if error > _NO_SPREAD else 0.0, df, level=level)


def _welch_df(score: NDArray[np.float64], variant: NDArray[np.int8]) -> float:
    a, b = score[variant == 0], score[variant == 1]
    if min(len(a), len(b)) < 2:
        return 0.0
    u, v = a.var(ddof=1) / len(a), b.var(ddof=1) / len(b)
    return float((u + v) ** 2 / (u**2 / (len(a) - 1) + v**2 / (len(b) - 1))) if u + v > 0 else 0.0


def player_effect(
    mean: ArrayLike,
    variant: ArrayLike,
    covariate: ArrayLike | None = None,
    *,
    weight: ArrayLike | None = None,
    level: float = 0.95,
) -> Effect:
    """Estimate the effect between players, adjusted by something known before the experiment.

    Weighted least squares of a player's mean score on the version and the covariate, with HC2 errors.

    Parameters
    ----------
    mean : array_like, shape (p,)
        Mean score of each player.
    variant : array_like, shape (p,)
        0 for A, 1 for B.
    covariate : array_like, shape (p,), optional
        What the player was foretold to score, or a rating, from before the experiment. It must not depend on the
        version.
    weight : array_like, shape (p,), optional
        How much each player counts, finite and above 0; without it all count alike.
    level : float

    Returns
    -------
    Effect
        With Bell and McCaffrey's df; all nan where a version has no player, no error where it has but one. A player
        whom the covariate sets apart from all others says nothing of the version.

    Raises
    ------
    ValueError
        Misfit lengths, values that are not finite, weights not above 0, a covariate that is the same for all or
        divides the versions.

    Source
    ------
    Deng, Xu, Kohavi and Walker, WSDM 2013 (CUPED, the same idea); Lin, Annals of Applied Statistics 7 (2013);
    MacKinnon and White (1985), HC2, with the degrees of freedom of Bell and McCaffrey, Survey Methodology 28 (2002):
    with p - k, groups of unlike size would miss too often (8 % of 95 % ranges with 6 and 60 players).

    Examples
    --------
    >>> before = [0.2, 0.4, 0.6, 0.8, 0.3, 0.5, 0.7, 0.9]
    >>> after = [0.1, 0.5, 0.5, 0.9, 0.4, 0.4, 0.9, 1.0]
    >>> round(player_effect(after, [0, 0, 0, 0, 1, 1, 1, 1], before).estimate, 4)
    0.0575
    """
    mean, variant, _ = check_columns(mean, variant, None)
    weight = check_weights(weight, mean)
    if not 0 < variant.sum() < len(variant):
        return NO_EFFECT
    columns = [np.ones(len(mean)), variant.astype(np.float64)]
    if covariate is not None:
        x, _, _ = check_columns(covariate, variant, None, what="covariate")
        if np.ptp(x) == 0.0:
            raise ValueError(f"the covariate is {x[0]:g} for every player: it adjusts nothing")
        columns.append((x - x.mean()) / x.std())
    root = np.sqrt(weight / weight.mean())
    design = np.column_stack(columns) * root[:, None]
    if np.linalg.matrix_rank(design) < design.shape[1]:
        raise ValueError(
            "the covariate divides the versions exactly: their effect cannot be told from its own"
        )
    solve = np.linalg.pinv(design)
    coefficients, pull = solve @ (root * mean), solve[1]
    residual, freedom = root * mean - design @ coefficients, 1.0 - np.sum(design * solve.T, axis=1)
    free = freedom > _ROUNDING
    if np.abs(pull[~free]).max(initial=0.0) > _ROUNDING:  # the effect hangs on a row that fits itself
        return student(coefficients[1], math.nan, 0.0, level=level)
    # A row that fits itself has no residual: its part would be 0 / 0, and noise after rounding.
    error = float(np.linalg.norm(pull[free] * residual[free] / np.sqrt(freedom[free])))
    df = _satterthwaite(np.linalg.qr(design)[0][free], pull[free], freedom[free])
    return student(coefficients[1], error if error > _NO_SPREAD else 0.0, df, level=level)


def _satterthwaite(
    orthogonal: NDArray[np.float64], pull: NDArray[np.float64], freedom: NDArray[np.float64]
) -> float:
    """Degrees of freedom of an HC2 error: twice its squared expectation over its variance, were errors even.

    With an orthogonal basis of the design.
    """
    parts = pull**2 / freedom
    # Squared entries of (I - H) weighted by the parts, without a matrix of rows by rows.
    crossed = float((((orthogonal.T * parts) @ orthogonal) ** 2).sum())
    return float(pull @ pull) ** 2 / (float((parts**2 * (2.0 * freedom - 1.0)).sum()) + crossed)
