"""Every threshold and parameter of the backgammon measures, in one place.

Fixed on 30 November 2026, before any result of the study was seen; the study tunes none of them. Most are the
defaults of blunderDB (github.com/kevung/blunderDB), whose measures these are; the temperature and the sizes of samples
are its author's too.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

FIXED_ON = "2026-11-30"
RULES = ("blunderdb", "xg", "gammonview", "gnubg", "snowie")
#: Intervals of a rate: 1.96 standard errors, as published; Student's quantile with units - 1 degrees of freedom; the
#: same on the logarithm of the rate, which is never negative and skewed to the right.
INTERVALS = ("published", "student", "log student")


@dataclass(frozen=True)
class Settings:
    """What the measures depend on; equities are normalised (EMG), mp is 0.001 of that.

    Attributes
    ----------
    rule : str
        Which decisions count, one of RULES (`counting`).
    error_mp, blunder_mp : int
        From these on (inclusive) a decision is an error, a blunder.
    no_double_window : float
        A no-double counts only if doubling costs less than this.
    close_cube_window : float
        GNU Backgammon's own, for its rule.
    forced_spread : float
        Options nearer together than this, all legal plays listed, leave no choice.
    temperature : float
        Of the difficulty: an option that costs c is chosen with a chance proportional to exp(-c / temperature).
    avoidable_share : float
        An error is avoidable if the difficulty is at most this share of its loss.
    least_difficulty_sum : float
        Match winning chances; below it no ratio of loss to difficulty is given.
    rounded : bool
        Each error is rounded to the thousandth, as blunderDB stores it; False: as the analysis has it, which is how
        other programs add up.
    one_point_factor : float
        Errors of matches to one point are multiplied by it in rates of errors (eXtreme Gammon: 1.5); losses are not.
    met : str
        Match equity table by which losses are priced.
    any_met : bool
        Analyses made with another match equity table are judged too; they are left out otherwise.
    interval : str
        How 95 % intervals of rates are made, one of INTERVALS.
    least_units : int
        Fewest independent units (games, matches) of an interval.
    few_units : int
        Up to this many units an interval is labelled as indicative.
    family_members, bias_decisions, window_decisions, tournament_decisions, usual_matches : int
        Fewest members of a family in the study plan; decisions of a bias; decisions of a window before or after
        study; decisions of a side in the tournament report; matches of the usual level.
    checker_theme_mp : int
        Checker errors below it have no theme.
    like_pips : int
        Positions at most this far apart (checker pips) are alike.
    usual_days : int
        Days before a tournament that make the usual level.
    """

    rule: str = "blunderdb"
    error_mp: int = 50
    blunder_mp: int = 100
    no_double_window: float = 0.200
    close_cube_window: float = 0.16
    forced_spread: float = 0.0005
    temperature: float = 0.025
    avoidable_share: float = 0.1
    least_difficulty_sum: float = 0.005
    rounded: bool = True
    one_point_factor: float = 1.0
    met: str = "kazaross-xg2"
    any_met: bool = False
    interval: str = "published"
    least_units: int = 3
    few_units: int = 4
    family_members: int = 5
    bias_decisions: int = 20
    window_decisions: int = 30
    tournament_decisions: int = 20
    usual_matches: int = 5
    checker_theme_mp: int = 60
    like_pips: int = 12
    usual_days: int = 365

    def __post_init__(self) -> None:
        if self.rule not in RULES:
            raise ValueError(f"counting rule {self.rule!r}, allowed are {', '.join(RULES)}")
        if self.interval not in INTERVALS:
            raise ValueError(f"interval {self.interval!r}, allowed are {', '.join(INTERVALS)}")
        if not 0 < self.error_mp <= self.blunder_mp:
            raise ValueError(
                f"error {self.error_mp} mp and blunder {self.blunder_mp} mp: wanted 0 < error <= blunder"
            )
        if not self.temperature > 0:
            raise ValueError(f"temperature {self.temperature}, allowed are numbers above 0")

    def changed(self, **changes) -> Settings:
        """The same with some of them changed."""
        return replace(self, **changes)


DEFAULTS = Settings()
