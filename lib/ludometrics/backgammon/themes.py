"""What an error looks like: one of four themes of checker play or four of the cube, or none.

A checker error of at least 60 mp has the first theme that fits; the best play and the one made are compared::

    gammon           the best play wins at least 4 points (of 100) more gammons
    blots            the play made leaves at least 2 more blots
    point            the best play makes more points in the own home board
    passive          the play made leaves fewer blots, and wins at least 3 points (of 100) less

A cube error has the theme of its direction::

    offer missed     no double, and doubling was right
    offer premature  a double, and not doubling was right (not good enough yet, or too good)
    wrong take       a take that should have been a pass
    wrong pass       a pass that should have been a take

An error without a theme is no mistake of a kind that one could study; it is counted apart, never guessed at. Checker
errors below 60 mp therefore have none. Where the analysis gives no chances, the rules that need them do not apply.
A blot stands on a point: a checker on the bar is none. Differences of chances are compared as they are; blunderDB
rounds them to whole points first.

Source: the rules of blunderDB (github.com/kevung/blunderDB, `explain`); the 60 mp are GNU Backgammon's "bad" move.
"""

from __future__ import annotations

from enum import IntEnum

import numpy as np

from ludometrics.backgammon.assessment import Assessment
from ludometrics.backgammon.plans import HOME, POINTS
from ludometrics.backgammon.records import DOUBLE, NO_DOUBLE, PASS, TAKE, UNKNOWN, Kind, Library

GAMMON_SWING, WIN_SWING = 0.04, 0.03  # of the chances
BLOT_SWING = 2
#: Chances come as 32-bit numbers: 0.14 - 0.10 must reach 0.04.
SLACK = 1e-6
WIN, GAMMON_WIN = 0, 1  # columns of `Options.shares`


class Theme(IntEnum):
    """Themes of errors."""

    NONE = 0
    GAMMON = 1
    BLOTS = 2
    POINT = 3
    PASSIVE = 4
    OFFER_MISSED = 5
    OFFER_PREMATURE = 6
    WRONG_TAKE = 7
    WRONG_PASS = 8

    @property
    def label(self) -> str:
        """As tables and reports name it."""
        return self.name.lower().replace("_", " ")


def theme_errors(library: Library, assessment: Assessment, rows: np.ndarray) -> np.ndarray:
    """Themes of some decisions.

    Parameters
    ----------
    library : Library
    assessment : Assessment
        Of ``library``.
    rows : (k,) int
        Rows of its decisions.

    Returns
    -------
    (k,) int8
        `Theme`; NONE also where the decision was right, or is not scored.
    """
    decisions = library.decisions
    rows = np.asarray(rows, dtype=np.int64)
    themes = np.zeros(len(rows), dtype=np.int8)
    wrong = assessment.error_mp[rows] > 0
    cube = wrong & (decisions.kind[rows] != Kind.CHECKER)
    themes[cube] = _cube_themes(library, assessment, rows[cube])
    checker = (
        (decisions.kind[rows] == Kind.CHECKER)
        & (assessment.error_mp[rows] >= max(assessment.settings.checker_theme_mp, 1))
        & (decisions.played[rows] != UNKNOWN)
        & (assessment.best[rows] != UNKNOWN)
    )
    themes[checker] = _checker_themes(library, assessment, rows[checker])
    return themes


def _cube_themes(library: Library, assessment: Assessment, rows: np.ndarray) -> np.ndarray:
    decisions = library.decisions
    kind, played = decisions.kind[rows], decisions.played[rows]
    should_double, should_pass = assessment.should_double[rows], assessment.should_pass[rows]
    double, response = kind == Kind.DOUBLE, kind == Kind.RESPONSE
    return np.select(
        [
            double & (played == NO_DOUBLE) & (should_double == 1),
            double & (played == DOUBLE) & (should_double == 0),
            response & (played == TAKE) & (should_pass == 1),
            response & (played == PASS) & (should_pass == 0),
        ],
        [Theme.OFFER_MISSED, Theme.OFFER_PREMATURE, Theme.WRONG_TAKE, Theme.WRONG_PASS],
        Theme.NONE,
    )


def _checker_themes(library: Library, assessment: Assessment, rows: np.ndarray) -> np.ndarray:
    decisions = library.decisions
    start = decisions.option_start[rows]
    made, best = start + decisions.played[rows], start + assessment.best[rows]
    shares, boards = decisions.options.shares, decisions.options.board
    # A chance that is not known gives NaN, and no comparison holds with it.
    swing = shares[best].astype(np.float64) - shares[made]
    more_blots = count_blots(boards[made]) - count_blots(boards[best])
    more_points = count_home_points(boards[best]) - count_home_points(boards[made])
    return np.select(
        [
            swing[:, GAMMON_WIN] >= GAMMON_SWING - SLACK,
            more_blots >= BLOT_SWING,
            more_points > 0,
            (more_blots < 0) & (swing[:, WIN] >= WIN_SWING - SLACK),
        ],
        [Theme.GAMMON, Theme.BLOTS, Theme.POINT, Theme.PASSIVE],
        Theme.NONE,
    )


def count_blots(boards: np.ndarray) -> np.ndarray:
    """(n,) int: single own checkers on the points of boards (n, 26)."""
    return (np.asarray(boards)[:, 1 : POINTS + 1] == 1).sum(axis=1)


def count_home_points(boards: np.ndarray) -> np.ndarray:
    """(n,) int: points held by two or more own checkers in the own home board, of boards (n, 26)."""
    return (np.asarray(boards)[:, 1 : HOME + 1] >= 2).sum(axis=1)
