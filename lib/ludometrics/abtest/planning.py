"""Planning: how many players and games a test needs, and what it can find."""

from collections.abc import Callable, Sequence
from itertools import product
from typing import Literal

import pandas as pd
from scipy import optimize, stats
from statsmodels.stats.power import NormalIndPower, TTestIndPower

from ludometrics.abtest.design_errors import (
    DESIGNS,
    Design,
    DesignError,
    check_inputs,
    design_error,
    design_power,
    t_power,
)
from ludometrics.abtest.player_correlation import PlayerCorrelation, design_effect, intra_player_correlation

__all__ = [
    "DESIGNS",
    "MOST",
    "Design",
    "DesignError",
    "PlayerCorrelation",
    "arm_size",
    "design_effect",
    "design_error",
    "design_power",
    "detectable_effect",
    "detectable_from_error",
    "games_needed",
    "intra_player_correlation",
    "players_needed",
    "power_table",
]

#: Players, or games of a player, at most that a search for enough of them goes to.
MOST = 1_000_000


def arm_size(
    effect: float, *, sd: float, power: float = 0.8, alpha: float = 0.05, method: Literal["t", "normal"] = "t"
) -> float:
    """Tell how many independent games a version needs, were no two of one player.

    Parameters
    ----------
    effect : float
        Difference in score to be found, not 0.
    sd : float
        Standard deviation of a game's score, up to 0.5.
    power, alpha : float
        Chance to find it, and of a false alarm (two-sided).
    method : {"t", "normal"}
        Student's test, or the normal one, which wants about one game less.

    Returns
    -------
    float
        Games of each version; multiply by `design_effect` where players repeat.

    Raises
    ------
    ValueError
        A value outside its range.

    Source
    ------
    Cohen, Statistical Power Analysis for the Behavioral Sciences (1988), chapter 2.

    Examples
    --------
    >>> round(arm_size(0.25, sd=0.5), 2), round(arm_size(0.25, sd=0.5, method="normal"), 2)
    (63.77, 62.79)
    """
    check_inputs(effect=effect, sd=sd, power=power, alpha=alpha)
    if method not in ("t", "normal"):
        raise ValueError(f"method is {method!r}: allowed are 't' and 'normal'")
    test = TTestIndPower() if method == "t" else NormalIndPower()
    return float(test.solve_power(abs(effect) / sd, alpha=alpha, power=power))


def games_needed(
    design: Design,
    effect: float,
    *,
    players: int,
    sd: float,
    icc: float,
    power: float = 0.8,
    alpha: float = 0.05,
    correlation: float = 0.0,
) -> int:
    """Tell how many games each player must play, in all, for a power.

    Parameters
    ----------
    power : float
        Chance to find the effect, above alpha.
    design, effect, players, sd, icc, alpha, correlation
        As in `design_power`.

    Returns
    -------
    int
        The smallest number that is enough; even, except between players.

    Raises
    ------
    ValueError
        A value outside its range, or no number of games is enough: between players, more games do not help beyond
        what the players differ.

    Source
    ------
    As `design_power`.

    Examples
    --------
    >>> games_needed("within", 0.05, players=8, sd=0.3, icc=0.35)
    94
    """
    options = {"players": players, "sd": sd, "icc": icc, "alpha": alpha, "correlation": correlation}
    check_inputs(power=power, alpha=alpha)
    step = 1 if design == "between" else 2

    def enough(games_each: int) -> bool:
        return design_power(design, effect, games_each=games_each, **options) >= power

    first = step if design == "between" or players > 1 else 4
    return _smallest(enough, first, step, f"games of each of {players} players", power)


def players_needed(
    design: Design,
    effect: float,
    *,
    games_each: float,
    sd: float,
    icc: float,
    power: float = 0.8,
    alpha: float = 0.05,
    correlation: float = 0.0,
) -> int:
    """Tell how many players a test needs, of both versions together, for a power.

    Parameters
    ----------
    power : float
        Chance to find the effect, above alpha.
    design, effect, games_each, sd, icc, alpha, correlation
        As in `design_power`.

    Returns
    -------
    int
        The smallest number that is enough; even between players.

    Raises
    ------
    ValueError
        A value outside its range, or a million players are not enough.

    Source
    ------
    As `design_power`.

    Examples
    --------
    >>> options = {"games_each": 10, "sd": 0.315, "icc": 0.34}
    >>> players_needed("between", 0.05, **options), players_needed("between", 0.05, correlation=0.72, **options)
    (508, 246)
    """
    options = {"games_each": games_each, "sd": sd, "icc": icc, "alpha": alpha, "correlation": correlation}
    check_inputs(power=power, alpha=alpha)
    step = 2 if design == "between" else 1

    def enough(players: int) -> bool:
        return design_power(design, effect, players=players, **options) >= power

    return _smallest(enough, 4 if design == "between" else 2, step, "players", power)


def detectable_effect(
    design: Design,
    *,
    players: int,
    games_each: float,
    sd: float,
    icc: float,
    power: float = 0.8,
    alpha: float = 0.05,
    correlation: float = 0.0,
) -> float:
    """Tell the smallest effect that a design finds with a given power.

    Parameters
    ----------
    power : float
        Chance to find it, above alpha.
    design, players, games_each, sd, icc, alpha, correlation
        As in `design_power`; so are the errors.

    Returns
    -------
    float
        Difference in score. May lie above 1, which no test of such a size can find.

    Source
    ------
    As `design_power`.

    Examples
    --------
    >>> round(detectable_effect("within", players=8, games_each=100, sd=0.3, icc=0.35), 4)
    0.048
    """
    check_inputs(power=power, alpha=alpha)
    options = {"players": players, "games_each": games_each, "sd": sd, "icc": icc, "correlation": correlation}
    error, df = design_error(design, **options)
    high = 1.0
    while t_power(high, df, alpha) < power:
        high *= 2.0
    ratio = optimize.brentq(lambda ratio: t_power(ratio, df, alpha) - power, 0.0, high, xtol=1e-10)
    return float(ratio) * error


def detectable_from_error(error: float, df: float, *, alpha: float = 0.05, power: float = 0.8) -> float:
    """Tell what effect data at hand could have found, from the standard error of their estimate.

    (t(1 - alpha/2) + t(power)) error, with the quantiles of Student's t. That is short for the noncentral t of
    `detectable_effect`: from 6 degrees of freedom on within 1 % of it for a power of 0.7 to 0.95, and above it
    by at most 5 % at a power of 0.5 and 7 % at 0.99.

    Parameters
    ----------
    error : float
        Standard error of the difference, in score.
    df : float
        Degrees of freedom; infinite for a normal estimate.
    alpha, power : float
        Chance of a false alarm (two-sided), and to find the effect.

    Returns
    -------
    float
        Difference in score.

    Raises
    ------
    ValueError
        A value outside its range.

    Source
    ------
    Bloom, Evaluation Review 19 (1995).

    Examples
    --------
    >>> round(detectable_from_error(0.02, float("inf")), 4), round(detectable_from_error(0.02, 6), 4)
    (0.056, 0.0671)
    """
    check_inputs(error=error, df=df, alpha=alpha, power=power)
    return float(stats.t.ppf(1 - alpha / 2, df) + stats.t.ppf(power, df)) * error


def power_table(
    designs: Sequence[Design],
    effects: Sequence[float],
    games_each: Sequence[float],
    *,
    players: int,
    sd: float,
    icc: float,
    alpha: float = 0.05,
    correlation: float = 0.0,
) -> pd.DataFrame:
    """Tabulate power against games.

    Parameters
    ----------
    designs, effects, games_each : sequences
        All combinations are tabulated.
    players, sd, icc, alpha, correlation
        As in `design_power`; so are the errors.

    Returns
    -------
    DataFrame
        One row a combination, in the order given: design, effect, players, games_each, games (of all players), error
        (standard error, in score), df, power.

    Source
    ------
    As `design_power`.

    Examples
    --------
    >>> table = power_table(["between", "within"], [0.05], [16, 64], players=8, sd=0.3, icc=0.35)
    >>> table[["design", "games", "power"]].round(3).to_numpy().tolist()
    [['between', 128, 0.062], ['between', 512, 0.063], ['within', 128, 0.213], ['within', 512, 0.646]]
    """
    if isinstance(designs, str):
        raise ValueError(f"designs is {designs!r}: a list of designs is wanted")
    rows = []
    for design, effect, games in product(designs, effects, games_each):
        check_inputs(effect=effect, alpha=alpha)
        found = design_error(
            design, players=players, games_each=games, sd=sd, icc=icc, correlation=correlation
        )
        power = t_power(abs(effect) / found.error, found.df, alpha)
        rows.append((design, effect, players, games, players * games, *found, power))
    columns = ["design", "effect", "players", "games_each", "games", "error", "df", "power"]
    return pd.DataFrame(rows, columns=columns)


def _smallest(enough: Callable[[int], bool], first: int, step: int, what: str, power: float) -> int:
    """The smallest number in steps from `first` that is enough, by doubling and halving; more must not be worse."""
    low = high = 0
    limit = (MOST - first) // step
    while not enough(first + high * step):
        if high == limit:
            raise ValueError(f"no number of {what} up to {MOST:,} gives power {power}")
        low, high = high + 1, min(2 * high + 1, limit)
    while low < high:
        middle = (low + high) // 2
        low, high = (low, middle) if enough(first + middle * step) else (middle + 1, high)
    return first + low * step
