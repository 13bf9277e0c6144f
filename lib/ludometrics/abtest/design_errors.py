"""What a design gives: the standard error of the difference between two versions, and the power that follows."""

import math
from numbers import Real
from typing import Literal, NamedTuple

from statsmodels.stats.power import ttest_power

Design = Literal["between", "within", "drawn"]

#: Designs whose error is known: one version a player; both versions equally often; the version drawn game by game.
DESIGNS = ("between", "within", "drawn")

_RANGES = {
    "effect": ("other than 0, from -1 to 1", lambda x: 0 < abs(x) <= 1),
    "sd": ("above 0, at most 0.5 (in score, not points)", lambda x: 0 < x <= 0.5),
    "icc": ("at least 0, below 1", lambda x: 0 <= x < 1),
    "correlation": ("above -1, below 1", lambda x: -1 < x < 1),
    "alpha": ("above 0, below 1", lambda x: 0 < x < 1),
    "games_each": ("finite and at least 1", lambda x: 1 <= x < math.inf),
    "error": ("finite and above 0", lambda x: 0 < x < math.inf),
    "df": ("above 0", lambda x: x > 0),
    "players": ("a whole number of at least 1", lambda x: x >= 1 and x == int(x)),
}


class DesignError(NamedTuple):
    """Standard error of the difference B - A that a design gives, in score, and its degrees of freedom."""

    error: float
    df: float


def design_error(
    design: Design, *, players: int, games_each: float, sd: float, icc: float, correlation: float = 0.0
) -> DesignError:
    """Foretell the standard error of the difference B - A.

    With p players of m games each, s and icc: "between", a t test of player means, 4 s^2 (icc + (1 - icc)/m)
    (1 - correlation^2)/p with p - 2 degrees of freedom, one less with a covariate; "within", differences within
    players by fixed effects, 4 s^2 (1 - icc)/(p m) with p m - p - 1; "drawn", the same where the version is drawn
    game by game and a player's split is uneven by chance, 4 s^2 (1 - icc)/(p (m - 1)).

    Parameters
    ----------
    design : {"between", "within", "drawn"}
    players : int
        Of both versions together.
    games_each : float
        Games of a player in all; between players, the harmonic mean where numbers are uneven.
    sd : float
        Standard deviation of a game's score over all players, up to 0.5.
    icc : float
        Correlation of two games of one player, 0 up to 1.
    correlation : float
        Of players' means with their ratings before the test; 0: not used. Within players it changes nothing.

    Returns
    -------
    DesignError
        The effect is taken to be the same for all players: where it differs, the mean effect over further players
        is less certain than this. Nor is counted that chance deals ratings unevenly, which with few players adds about
        1/(p - 4) to the variance with a covariate.

    Raises
    ------
    ValueError
        A value outside its range, or too few players or games for one degree of freedom.

    Source
    ------
    Donner and Klar, Design and Analysis of Cluster Randomization Trials (2000); with a covariate: Lin, Annals of
    Applied Statistics 7 (2013). "drawn": own, the mean of A x B/m over binomial splits.

    Examples
    --------
    >>> found = design_error("within", players=8, games_each=100, sd=0.3, icc=0.35)
    >>> round(found.error, 4), found.df
    (0.0171, 791)
    """
    if design not in DESIGNS:
        raise ValueError(f"design is {design!r}: allowed are {', '.join(map(repr, DESIGNS))}")
    check_inputs(players=players, games_each=games_each, sd=sd, icc=icc, correlation=correlation)
    between = design == "between"
    df = players - 2 - (correlation != 0) if between else players * games_each - players - 1
    if df < 1 or (games_each < 2 and not between):
        least = "3 players, 4 with a covariate" if between else "2 players of 2 games, or 1 of 3"
        raise ValueError(f"{players} players of {games_each} games: {design!r} needs at least {least}")
    if between:
        smaller = players // 2
        of_mean = sd**2 * (icc + (1 - icc) / games_each) * (1 - correlation**2)
        variance = of_mean * (1 / smaller + 1 / (players - smaller))
    else:
        variance = 4 * sd**2 * (1 - icc) / (players * (games_each - (design == "drawn")))
    return DesignError(math.sqrt(variance), df)


def design_power(
    design: Design,
    effect: float,
    *,
    players: int,
    games_each: float,
    sd: float,
    icc: float,
    alpha: float = 0.05,
    correlation: float = 0.0,
) -> float:
    """Foretell the chance that a test finds an effect, by the noncentral t distribution.

    Parameters
    ----------
    effect : float
        Difference in score, B - A, not 0.
    alpha : float
        Chance of a false alarm, two-sided.
    design, players, games_each, sd, icc, correlation
        As in `design_error`; so are the errors.

    Returns
    -------
    float

    Source
    ------
    Cohen, Statistical Power Analysis for the Behavioral Sciences (1988), chapter 2.

    Examples
    --------
    >>> round(design_power("within", 0.05, players=8, games_each=100, sd=0.3, icc=0.35), 3)
    0.831
    """
    check_inputs(effect=effect, alpha=alpha)
    options = {"players": players, "games_each": games_each, "sd": sd, "icc": icc, "correlation": correlation}
    found = design_error(design, **options)
    return t_power(abs(effect) / found.error, found.df, alpha)


def t_power(ratio: float, df: float, alpha: float) -> float:
    """Compute the power of a two-sided t test from the ratio of effect to standard error.

    Where the noncentral t distribution at hand has no value for both tails (a large ratio), the tail on the far side
    is left out; where it has none for the near one, the power is 1.

    Examples
    --------
    >>> round(t_power(2.8, 100, 0.05), 3), round(t_power(10.0, 1e5, 0.05), 6)
    (0.792, 1.0)
    """
    power = float(ttest_power(ratio, 1, alpha, df=df))
    if math.isnan(power):
        power = float(ttest_power(ratio, 1, alpha / 2, df=df, alternative="larger"))
    return 1.0 if math.isnan(power) else power


def check_inputs(*, power: float | None = None, **values: float) -> None:
    """Refuse a value outside its range, by its name.

    Examples
    --------
    >>> check_inputs(sd=36)
    Traceback (most recent call last):
    ...
    ValueError: sd is 36: it must be above 0, at most 0.5 (in score, not points)
    """
    for name, value in values.items():
        allowed, holds = _RANGES[name]
        if isinstance(value, bool) or not isinstance(value, Real) or math.isnan(value) or not holds(value):
            raise ValueError(f"{name} is {value!r}: it must be {allowed}")
    if power is not None and not (isinstance(power, Real) and values.get("alpha", 0.0) < power < 1):
        raise ValueError(
            f"power is {power!r}: it must be above alpha ({values.get('alpha', 0.0)!r}), below 1"
        )
