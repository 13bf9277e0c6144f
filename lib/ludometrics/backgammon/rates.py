"""Rates of error of a player, each with its interval: PR, L7, Elo against the engine, Snowie's and GNU Backgammon's.

A rate is a ratio of two sums over independent units. Its 95 % interval comes from the spread of the units (matches of
a player, or games of one match); it is given from three units on and marked as indicative up to four.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from scipy import stats

from ludometrics.backgammon.assessment import MP, Assessment
from ludometrics.backgammon.counting import counted
from ludometrics.backgammon.records import Kind, Library
from ludometrics.backgammon.settings import DEFAULTS, INTERVALS, RULES

Z_95 = 1.96  # of the published intervals, not 1.959964
PR_FACTOR = 500
GNUBG_FACTOR = 1000
REFERENCE_LENGTH = 7  # points of the match that L7 speaks of
ELO_SCALE = 2000 / math.sqrt(REFERENCE_LENGTH)
LEAST_CHANCE = 0.01  # to win a match against the engine; below it no Elo difference is told apart
NO_WIDTH = 1e-6  # a standard error below this share of the rate is none: all units agree

# Upper bounds of PR, by the manual of eXtreme Gammon 2.
LEVELS = (
    (0.0, "Wow"),
    (2.5, "World champion"),
    (5.0, "World class"),
    (7.5, "Expert"),
    (12.5, "Advanced"),
    (17.5, "Intermediate"),
    (22.5, "Casual"),
    (30.0, "Beginner"),
    (math.inf, "Distracted"),
)


class Rate(NamedTuple):
    """A rate with its 95 % interval.

    Attributes
    ----------
    value, low, high : float or None
        None: not to be had (no counted decision; too few units for an interval). Never 0 for unknown.
    decisions : int
        Counted decisions behind it.
    units : int
        Independent units: matches, or games of one match.
    note : str
        "", "indicative" (few units) or "no interval".
    """

    value: float | None
    low: float | None
    high: float | None
    decisions: int
    units: int
    note: str


def ratio_interval(
    sums: Sequence[float],
    weights: Sequence[float],
    least_units: int = DEFAULTS.least_units,
    *,
    interval: str = DEFAULTS.interval,
) -> tuple[float | None, float | None, float | None]:
    """Ratio of two sums over units, and its 95 % interval by linearisation.

    R = sum e / sum n; Var = G/(G-1) sum (e - R n)^2 / (sum n)^2; the low end is not below 0. As published the interval
    is R -+ 1.96 sqrt(Var), which is too short for few units; "student" takes Student's quantile, "log student" the
    same on the logarithm.

    Parameters
    ----------
    sums, weights : (G,) float
        e and n of each unit; units with n = 0 are left out.
    least_units : int
        Fewer units give no interval.
    interval : str
        One of `settings.INTERVALS`.

    Returns
    -------
    (value, low, high)
        None where there is none.

    Examples
    --------
    >>> value, low, high = ratio_interval([0, 10, 20], [10, 10, 10])
    >>> value, low, round(high, 6)
    (1.0, 0.0, 2.131607)
    """
    sums, weights = np.asarray(sums, dtype=float), np.asarray(weights, dtype=float)
    sums, weights = sums[weights > 0], weights[weights > 0]
    units, total = len(weights), float(weights.sum())
    if units == 0:
        return None, None, None
    ratio = float(sums.sum()) / total
    if units < max(least_units, 2):
        return ratio, None, None
    spread = math.sqrt(units / (units - 1) * float(((sums - ratio * weights) ** 2).sum())) / total
    if not spread > NO_WIDTH * abs(ratio):
        return ratio, None, None
    return ratio, *interval_ends(ratio, spread, units, interval)


def interval_ends(value: float, error: float, units: int, interval: str) -> tuple[float, float]:
    """Ends of the 95 % interval of a rate above 0 with standard error ``error``, by one of `settings.INTERVALS`."""
    if interval == "published":
        return max(value - Z_95 * error, 0.0), value + Z_95 * error
    half = float(stats.t.ppf(0.975, units - 1)) * error
    if interval == "student":
        return max(value - half, 0.0), value + half
    if interval != "log student":
        raise ValueError(f"interval {interval!r}, allowed are {', '.join(INTERVALS)}")
    return value * math.exp(-half / value), value * math.exp(half / value)


def _rate(sums, weights, decisions: int, factor: float, settings) -> Rate:
    value, low, high = ratio_interval(sums, weights, settings.least_units, interval=settings.interval)
    units = int(np.count_nonzero(np.asarray(weights) > 0))
    scaled = [None if bound is None else factor * bound for bound in (value, low, high)]
    return Rate(*scaled, decisions, units, _note(scaled[1], units, settings))


def _note(low: float | None, units: int, settings) -> str:
    if low is None:
        return "no interval"
    return "indicative" if units <= settings.few_units else ""


def unit_codes(library: Library, by: str) -> tuple[np.ndarray, int]:
    """((n,) int code of each decision's unit, how many units): ``by`` "match" or "game"."""
    decisions = library.decisions
    if by == "match":
        return decisions.match.astype(np.int64), len(library.matches)
    if by != "game":
        raise ValueError(f"units by {by!r}, allowed are match and game")
    pairs = decisions.match.astype(np.int64) * (int(decisions.game.max(initial=0)) + 1) + decisions.game
    codes, inverse = np.unique(pairs, return_inverse=True)
    return inverse.reshape(-1), len(codes)


def pr(library: Library, assessment: Assessment, mask: np.ndarray, *, by: str = "match") -> Rate:
    """Performance rating of the counted decisions in ``mask``: 500 x error per decision; lower is better.

    Parameters
    ----------
    library : Library
    assessment : Assessment
        Of ``library``; its settings say which decisions count.
    mask : (n,) bool
        Whose decisions, and which (`Library.of_player`, a kind, a score ...).
    by : {"match", "game"}
        What counts as independent: matches of a player, games within one match.

    Returns
    -------
    Rate
    """
    return error_rate(library, assessment, mask & assessment.counted, by=by)


def error_rate(
    library: Library,
    assessment: Assessment,
    chosen: np.ndarray,
    *,
    by: str = "match",
    factor: float = PR_FACTOR,
) -> Rate:
    """``factor`` x error per decision of exactly the decisions ``chosen`` (n,) bool, all of them scored."""
    codes, units = unit_codes(library, by)
    thousandths = np.bincount(codes[chosen], weights=assessment.thousandths[chosen], minlength=units)
    counts = np.bincount(codes[chosen], minlength=units)
    return _rate(thousandths, counts, int(chosen.sum()), factor / MP, assessment.settings)


def counted_by(library: Library, assessment: Assessment, rule: str) -> np.ndarray:
    """(n,) bool: decisions that count under ``rule`` instead of the settings' own."""
    settings = assessment.settings.changed(rule=rule)
    scored = ~np.isnan(assessment.error)
    return counted(library.decisions, assessment.choices, scored, assessment.error, settings)


def snowie(library: Library, assessment: Assessment, mask: np.ndarray, *, by: str = "match") -> Rate:
    """Snowie's error rate: 500 x all errors in ``mask`` / checker moves of BOTH players in the matches concerned.

    Forced moves and dances are moves. The rates of the two players of a match add up to that of both together.
    """
    codes, units = unit_codes(library, by)
    scored = mask & ~np.isnan(assessment.error)
    thousandths = np.bincount(codes[scored], weights=assessment.thousandths[scored], minlength=units)
    played_in = np.zeros(len(library.matches), dtype=bool)
    played_in[library.decisions.match[mask]] = True
    moves = (library.decisions.kind == Kind.CHECKER) & played_in[library.decisions.match]
    counts = np.bincount(codes[moves], minlength=units)
    return _rate(thousandths, counts, int(scored.sum()), PR_FACTOR / MP, assessment.settings)


def rates_by_rule(
    library: Library, assessment: Assessment, mask: np.ndarray, *, by: str = "match"
) -> dict[str, Rate]:
    """The rate of every counting rule: PR, Snowie's rate, and GNU Backgammon's in its own unit (1000 x error)."""
    rates = {}
    for rule in RULES:
        if rule == "snowie":
            rates[rule] = snowie(library, assessment, mask, by=by)
        else:
            factor = GNUBG_FACTOR if rule == "gnubg" else PR_FACTOR
            chosen = mask & counted_by(library, assessment, rule)
            rates[rule] = error_rate(library, assessment, chosen, by=by, factor=factor)
    return rates


def l7(library: Library, assessment: Assessment, mask: np.ndarray, *, by: str = "match") -> Rate:
    """Match winning chances given away per match to seven points: sqrt(7) x sum L / sum sqrt(N).

    L is a player's loss in one match to N points (his counted and priced decisions in ``mask``); money sessions have
    none. A pool of one match gives L sqrt(7 / N).

    Parameters
    ----------
    library, assessment, mask
        As for `pr`. With decisions of both players in ``mask`` both enter, as one unit a match.
    by : {"match", "game"}
        "game": the interval of one match from the losses of its games; ``mask`` must lie within one match.

    Returns
    -------
    Rate
        A fraction of a match; may exceed 1.

    Source: blunderDB.
    """
    decisions, lengths = library.decisions, np.array([match.length for match in library.matches], dtype=int)
    priced = mask & assessment.has_loss
    n_matches = len(lengths)
    losses = np.bincount(decisions.match[priced], weights=assessment.loss[priced], minlength=n_matches)
    seats = np.zeros((n_matches, 2), dtype=bool)
    seats[decisions.match[priced], decisions.seat[priced]] = True
    weights = np.sqrt(lengths) * seats.sum(axis=1)
    factor = math.sqrt(REFERENCE_LENGTH)
    if by == "match":
        return _rate(losses, weights, int(priced.sum()), factor, assessment.settings)
    if by != "game":
        raise ValueError(f"units by {by!r}, allowed are match and game")
    return _l7_of_match(library, assessment, priced, losses, weights)


def _l7_of_match(library: Library, assessment: Assessment, priced, losses, weights) -> Rate:
    matches = np.flatnonzero(weights)
    if len(matches) > 1:
        raise ValueError(f"L7 by game is that of one match; decisions of {len(matches)} were given")
    if len(matches) == 0:
        return Rate(None, None, None, 0, 0, "no interval")
    only, settings, decisions = matches[0], assessment.settings, library.decisions
    value = math.sqrt(REFERENCE_LENGTH) * float(losses[only]) / float(weights[only])
    # A game in which only the other had a decision is one in which this player lost nothing.
    games = np.unique(decisions.game[(decisions.match == only) & assessment.counted])
    rows = np.searchsorted(games, decisions.game[priced])
    by_game = np.bincount(rows, weights=assessment.loss[priced], minlength=len(games))
    count = len(games)
    if count < max(settings.least_units, 2):
        return Rate(value, None, None, int(priced.sum()), count, "no interval")
    spread = math.sqrt(count / (count - 1) * float(((by_game - by_game.mean()) ** 2).sum()))
    error = spread * math.sqrt(REFERENCE_LENGTH) / float(weights[only])
    if not error > NO_WIDTH * abs(value):
        return Rate(value, None, None, int(priced.sum()), count, "no interval")
    bounds = interval_ends(value, error, count, settings.interval)
    return Rate(value, *bounds, int(priced.sum()), count, _note(bounds[0], count, settings))


class EloDifference(NamedTuple):
    """Elo difference to the engine.

    Attributes
    ----------
    value, low, high : float or None
        At most 0.
    floored : bool
        The chance to win was taken as 1 %: the true value is at most this.
    """

    value: float | None
    low: float | None
    high: float | None
    floored: bool


def elo(rate: Rate) -> EloDifference:
    """Elo difference to the engine that an L7 stands for, on the scale of match length as FIBS has it.

    q = 0.5 - L7 (at least 0.01) is the chance to win a match to seven points against the engine;
    D = 2000 / sqrt(7) log10(q / (1 - q)).

    Examples
    --------
    >>> round(elo(Rate(0.1, None, None, 0, 0, "")).value, 2)
    -133.11
    """

    def difference(value: float | None) -> float | None:
        if value is None:
            return None
        chance = max(0.5 - max(value, 0.0), LEAST_CHANCE)
        return ELO_SCALE * math.log10(chance / (1 - chance)) + 0.0  # no -0.0

    floored = rate.value is not None and 0.5 - rate.value < LEAST_CHANCE - 1e-12
    return EloDifference(difference(rate.value), difference(rate.high), difference(rate.low), floored)


def level(value: float | None) -> str:
    """The level that the manual of eXtreme Gammon 2 gives a PR; "" for None."""
    if value is None:
        return ""
    if value < 0:
        return LEVELS[0][1]
    return next(name for bound, name in LEVELS[1:] if value <= bound)
