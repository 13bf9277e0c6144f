"""The analysis of the adaptive-draughts course, as it is: games counted as if each came from another player.

It is here to be compared with. Its range holds what it promises in no design: `analyse` is the one to use.
"""

import math
from dataclasses import dataclass

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from ludometrics.abtest.checks import check_columns
from ludometrics.abtest.trial import VERSIONS

#: Games that each group needs, share of a group's games above which one player is warned of, and the range's factor.
LEAST_GAMES = 30
LARGE_SHARE = 0.25
Z = 1.96
NAIVE_VERDICTS = ("not enough games", "B is tougher", "B is easier", "no clear difference")


@dataclass(frozen=True)
class NaiveResult:
    """The course's analysis of a test.

    Attributes
    ----------
    n_a, n_b : int
        Games.
    mean_a, mean_b : float
        Mean scores; nan without games.
    difference, low, high : float
        B minus A with its range.
    verdict : str
        One of `NAIVE_VERDICTS`.
    warnings : tuple of str
        Players with more than a quarter of a group's games.
    """

    n_a: int
    n_b: int
    mean_a: float
    mean_b: float
    difference: float
    low: float
    high: float
    verdict: str
    warnings: tuple[str, ...] = ()


def naive_difference(n_a: int, mean_a: float, n_b: int, mean_b: float) -> NaiveResult:
    """Compare two mean scores as the course does, from its summary numbers.

    The error is that of two shares of wins, sqrt(m_A (1 - m_A) / n_A + m_B (1 - m_B) / n_B), though scores hold draws.

    Parameters
    ----------
    n_a, n_b : int
        Games, at least 0.
    mean_a, mean_b : float
        Mean scores, 0 to 1.

    Returns
    -------
    NaiveResult
        Rounded to three decimals, as the course prints them.

    Raises
    ------
    ValueError
        A mean outside 0 to 1 or a negative count.

    Source
    ------
    The adaptive-draughts course, module on A/B tests.

    Examples
    --------
    >>> first = naive_difference(51, 7.5 / 51, 73, 22.5 / 73)
    >>> first.difference, first.low, first.high, first.verdict
    (0.161, 0.017, 0.305, 'B is easier')
    """
    for n, mean in ((n_a, mean_a), (n_b, mean_b)):
        if n < 0 or (n > 0 and not 0.0 <= mean <= 1.0):
            raise ValueError(
                f"a mean score of {mean} in {n} games: means lie in 0 to 1, counts are at least 0"
            )
    if min(n_a, n_b) == 0:
        nan = math.nan
        means = [round(mean, 3) if n else nan for n, mean in ((n_a, mean_a), (n_b, mean_b))]
        return NaiveResult(n_a, n_b, *means, nan, nan, nan, NAIVE_VERDICTS[0])
    difference = mean_b - mean_a
    half = Z * math.sqrt(mean_a * (1.0 - mean_a) / n_a + mean_b * (1.0 - mean_b) / n_b)
    low, high = difference - half, difference + half
    verdict = NAIVE_VERDICTS[_verdict(n_a, n_b, low, high)]
    rounded = [round(float(value), 3) for value in (mean_a, mean_b, difference, low, high)]
    return NaiveResult(n_a, n_b, *rounded, verdict)


def analyse_naive(games: pd.DataFrame) -> NaiveResult:
    """Analyse a test as the adaptive-draughts course does: every game counts as a unit of its own.

    Parameters
    ----------
    games : DataFrame
        player (name as written), variant ("A" or "B") and score (1, 0.5, 0, of the player).

    Returns
    -------
    NaiveResult

    Raises
    ------
    ValueError
        A column that is missing, another version, a score outside 0 to 1.

    Source
    ------
    The adaptive-draughts course, module on A/B tests.

    Examples
    --------
    >>> games = pd.DataFrame({"player": ["Ann"] * 60, "variant": ["A", "B"] * 30, "score": [0.0, 1.0] * 30})
    >>> result = analyse_naive(games)
    >>> result.verdict, result.low, len(result.warnings)
    ('B is easier', 1.0, 2)
    """
    missing = [name for name in ("player", "variant", "score") if name not in games.columns]
    if missing:
        raise ValueError(f"the games have no column {missing[0]!r}: needed are player, variant and score")
    strange = ~games["variant"].isin(VERSIONS)
    if strange.any():
        at = int(np.argmax(strange.to_numpy()))
        raise ValueError(f"variant of row {at} is {games['variant'].iloc[at]!r}: allowed are 'A', 'B'")
    score = pd.to_numeric(games["score"], errors="coerce").to_numpy(dtype=np.float64, na_value=np.nan)
    within = (score >= 0.0) & (score <= 1.0)
    if not within.all():
        at = int(np.argmin(within))
        raise ValueError(
            f"score of row {at} is {games['score'].iloc[[at]].tolist()[0]!r}: it must lie in 0 to 1"
        )
    counts, means, warnings = [], [], []
    for version in VERSIONS:
        group = games[games["variant"] == version]
        counts.append(len(group))
        means.append(float(group["score"].mean()) if len(group) else math.nan)
        shares = group["player"].value_counts(normalize=True)
        warnings += [
            f"{name} played {100.0 * share:.0f} % of the games of {version}"
            for name, share in shares.items()
            if share > LARGE_SHARE
        ]
    result = naive_difference(counts[0], means[0], counts[1], means[1])
    return NaiveResult(**{**vars(result), "warnings": tuple(warnings)})


def naive_range(score: ArrayLike, variant: ArrayLike) -> tuple[float, float, float, int]:
    """The course's difference and range without rounding, for many trials in a row.

    Parameters
    ----------
    score : array_like, shape (n,)
    variant : array_like, shape (n,)
        0 for A, 1 for B.

    Returns
    -------
    difference, low, high : float
    verdict : int
        Index into `NAIVE_VERDICTS`.

    Examples
    --------
    >>> naive_range([0.0, 1.0] * 40, [0, 1] * 40)
    (1.0, 1.0, 1.0, 2)
    """
    score, variant, _ = check_columns(score, variant, None)
    n_b = int(variant.sum())
    n_a = len(variant) - n_b
    if min(n_a, n_b) == 0:
        return math.nan, math.nan, math.nan, 0
    in_b = float(score @ variant)
    b, a = in_b / n_b, (float(score.sum()) - in_b) / n_a
    half = Z * math.sqrt(a * (1.0 - a) / n_a + b * (1.0 - b) / n_b)
    low, high = b - a - half, b - a + half
    return b - a, low, high, _verdict(n_a, n_b, low, high)


def _verdict(n_a: int, n_b: int, low: float, high: float) -> int:
    if min(n_a, n_b) < LEAST_GAMES:
        return 0
    return 1 if high < 0.0 else 2 if low > 0.0 else 3
