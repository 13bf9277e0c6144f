"""Which decisions count: the rules of five programs, side by side.

============  ==================================================  ===============================================
rule          checker play counts when                            no-double counts when
============  ==================================================  ===============================================
blunderdb     not forced; plays equal to 0.001 leave no choice    ND > 0 and doubling costs less than 0.200
xg            not forced; spread of the plays at least 0.001      not optional, doubling costs at most 0.200, and not
                                                                  both ND and DT below -0.9
gammonview    not forced; spread at least 0.0001                  as xg; it asks the same of doubles made and missed
                                                                  unless they cost 0.001
gnubg         more than one legal play                            the best action is less than 0.16 above the double
snowie        every play                                          always
============  ==================================================  ===============================================

ND, DT, DP: no double; double and take; double and pass. Doubles, takes and passes always count (gammonview: not where
take and pass are equal). In every rule a decision counts only if it is scored.

Sources: blunderDB's documents; the manual of eXtreme Gammon 2 ("very negative before and after" has no number there:
-0.9 is GammonView's reading); the code of gammonview 3.1; GNU Backgammon's statistics, whose counts files of its own
confirm.
"""

from __future__ import annotations

import numpy as np

from ludometrics.backgammon.choices import Choices
from ludometrics.backgammon.records import DOUBLE, NO_DOUBLE, UNKNOWN, Decisions, Kind
from ludometrics.backgammon.settings import RULES, Settings

XG_WINDOW, XG_NEGATIVE, XG_OPTIONAL, XG_SPREAD = 0.200, -0.900, 0.001, 0.001
GAMMONVIEW_SPREAD = 1e-4
# Decimal equities such as 0.600 - 0.400 miss a window's edge by the last bits.
SLACK = 1e-9


def forced(decisions: Decisions, choices: Choices, settings: Settings) -> np.ndarray:
    """(n,) bool: checker plays without a choice.

    No or one legal play; or every legal play is listed and all are equal to the thousandth. Where the number of legal
    plays is unknown, only a single candidate is forced.
    """
    legal = decisions.legal_plays
    # Equities are compared after rounding to the thousandth, so a spread of less than half of one means equal.
    level = _rounded_spread(decisions, choices) < settings.forced_spread
    equal = (legal > 1) & (choices.distinct == legal) & level
    return _single(decisions, choices) | ((decisions.kind == Kind.CHECKER) & equal)


def _single(decisions: Decisions, choices: Choices) -> np.ndarray:
    """(n,) bool: checker plays with one legal play or none; by the candidates where their number is unknown."""
    legal = decisions.legal_plays
    one = np.where(legal != UNKNOWN, legal <= 1, choices.distinct == 1)
    return (decisions.kind == Kind.CHECKER) & one


def _rounded_spread(decisions: Decisions, choices: Choices) -> np.ndarray:
    """(n,) highest less lowest equity after rounding each to the thousandth; NaN without options."""
    spread = np.full(len(decisions), np.nan)
    starts, ends = decisions.option_start[:-1], decisions.option_start[1:]
    some = (ends > starts) & ~np.isnan(choices.spread)
    if some.any():
        rounded = np.round(decisions.options.equity, 3)
        tops = np.fmax.reduceat(rounded, starts[some])
        lows = np.fmin.reduceat(rounded, starts[some])
        spread[some] = tops - lows
    return spread


def counted(
    decisions: Decisions, choices: Choices, scored: np.ndarray, error: np.ndarray, settings: Settings
) -> np.ndarray:
    """(n,) bool: decisions that count under ``settings.rule``.

    Parameters
    ----------
    scored : (n,) bool
        The decision has an error that is known (it may be 0).
    error : (n,) float
        Normalised equity; NaN where not scored.
    """
    rule = settings.rule
    if rule not in RULES:
        raise ValueError(f"counting rule {rule!r}, allowed are {', '.join(RULES)}")
    checker = decisions.kind == Kind.CHECKER
    double = decisions.kind == Kind.DOUBLE
    response = decisions.kind == Kind.RESPONSE
    made = double & (decisions.played == DOUBLE)
    not_made = double & (decisions.played == NO_DOUBLE)
    plays = checker & _checker_counts(decisions, choices, settings)
    cubes = (not_made & _no_double_counts(decisions, error, settings)) | made | response
    if rule == "gammonview":
        equal_answers = np.abs(decisions.equities[:, 1] - decisions.equities[:, 2]) < XG_OPTIONAL - SLACK
        cubes &= ~(response & equal_answers) & ~(
            made & _clear_cube(decisions.equities) & (error < XG_OPTIONAL)
        )
    return (plays | cubes) & scored


def _checker_counts(decisions: Decisions, choices: Choices, settings: Settings) -> np.ndarray:
    if settings.rule == "snowie":
        return np.ones(len(decisions), dtype=bool)
    if settings.rule == "gnubg":
        legal = decisions.legal_plays
        return (legal > 1) | ((legal == UNKNOWN) & (choices.distinct > 1))
    if settings.rule == "blunderdb":
        return ~forced(decisions, choices, settings)
    # These rules look at the listed plays only, all of them or not.
    least = XG_SPREAD if settings.rule == "xg" else GAMMONVIEW_SPREAD
    return ~_single(decisions, choices) & (choices.distinct > 1) & (choices.spread >= least - SLACK)


def _no_double_counts(decisions: Decisions, error: np.ndarray, settings: Settings) -> np.ndarray:
    no_double, take, drop = decisions.equities.T
    doubled = np.fmin(take, drop)
    if settings.rule == "snowie":
        return ~np.isnan(no_double)
    if settings.rule == "gnubg":
        return np.fmax(no_double, doubled) - doubled < settings.close_cube_window - SLACK
    if settings.rule == "blunderdb":
        return (no_double > 0) & (no_double - doubled < settings.no_double_window - SLACK)
    clear = _clear_cube(decisions.equities)
    if settings.rule == "gammonview":
        return ~clear | (error >= XG_OPTIONAL - SLACK)
    return ~clear


def _clear_cube(equities: np.ndarray) -> np.ndarray:
    """(n,) bool: optional, far from a double, or hopeless, as the manual of eXtreme Gammon 2 leaves out."""
    no_double, take, drop = equities.T
    doubled = np.fmin(take, drop)
    optional = np.abs(no_double - doubled) < XG_OPTIONAL - SLACK
    far = no_double - doubled > XG_WINDOW + SLACK
    hopeless = (no_double < XG_NEGATIVE) & (take < XG_NEGATIVE)
    return optional | far | hopeless
