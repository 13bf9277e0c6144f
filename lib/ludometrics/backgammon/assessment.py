"""Every decision judged: its error, what it cost in match winning chances, whether it counts, how hard it was."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd

from ludometrics.backgammon.choices import Choices, summarise
from ludometrics.backgammon.counting import counted, forced
from ludometrics.backgammon.equity_table import EquityTable, pricing_table, slopes
from ludometrics.backgammon.records import DOUBLE, PASS, TAKE, UNKNOWN, Decisions, Kind, Library
from ludometrics.backgammon.settings import DEFAULTS, Settings

MP = 1000  # millipoints in a point of normalised equity


@dataclass(frozen=True)
class Assessment:
    """What is known of n decisions, arrays (n,) aligned with `Library.decisions`.

    Attributes
    ----------
    error : float
        What the decision gave away, normalised equity, rounded to 0.001 (unless the settings say otherwise); NaN: not
        scored.
    error_mp : int32
        The same in whole thousandths; UNKNOWN.
    slope : float
        Match winning chances that a point of equity is worth there; NaN: money, dead cube.
    loss : float
        error x slope, as a fraction of a match; NaN.
    forced, counted : bool
        Without a choice; counts under the rule of the settings.
    difficulty_equity, difficulty : float
        Expected error of somebody who chooses at the settings' temperature, in equity (of every decision with two
        options or more) and as a fraction of a match (of counted and priced decisions only); NaN elsewhere.
    gap : float
        What the second-best option costs; NaN.
    best : int16
        Row among the options of a checker play; NO_DOUBLE or DOUBLE; PASS or TAKE; UNKNOWN.
    should_double, should_pass : int8
        1, 0 or UNKNOWN, of cube decisions.
    avoidable : bool
        An error whose difficulty is at most the settings' share of its loss.
    cut : bool
        Fewer candidates listed than there are legal plays: the difficulty is a lower bound.
    mixed_depths : bool
        Candidates analysed at different depths.
    left_out : bool
        The match was analysed with another match equity table, so nothing of it is scored.
    one_point : bool
        Of a match to one point.
    choices : Choices
        What the candidates say, for counting by another rule.
    settings : Settings
    table : EquityTable
    """

    error: np.ndarray
    error_mp: np.ndarray
    slope: np.ndarray
    loss: np.ndarray
    forced: np.ndarray
    counted: np.ndarray
    difficulty_equity: np.ndarray
    difficulty: np.ndarray
    gap: np.ndarray
    best: np.ndarray
    should_double: np.ndarray
    should_pass: np.ndarray
    avoidable: np.ndarray
    cut: np.ndarray
    mixed_depths: np.ndarray
    left_out: np.ndarray
    one_point: np.ndarray
    choices: Choices
    settings: Settings
    table: EquityTable

    @property
    def thousandths(self) -> np.ndarray:
        """(n,) error in thousandths as rates add it up: with the settings' factor in matches to one point.

        Whole ones, which add up exactly in any order, if errors are rounded and that factor is 1.
        """
        errors = self.error_mp if self.settings.rounded else MP * self.error
        factor = self.settings.one_point_factor
        return errors if factor == 1 else np.where(self.one_point, factor, 1.0) * errors

    @property
    def is_error(self) -> np.ndarray:
        """(n,) bool: an error of at least the settings' size, counted."""
        return self.counted & (self.error_mp >= self.settings.error_mp)

    @property
    def is_blunder(self) -> np.ndarray:
        """(n,) bool: the same for blunders."""
        return self.counted & (self.error_mp >= self.settings.blunder_mp)

    @property
    def has_loss(self) -> np.ndarray:
        """(n,) bool: counted, with a loss."""
        return self.counted & ~np.isnan(self.loss)

    @property
    def priced(self) -> np.ndarray:
        """(n,) bool: counted, with a loss and a difficulty."""
        return self.has_loss & ~np.isnan(self.difficulty)

    def frame(self) -> pd.DataFrame:
        """The arrays as a table, one row a decision."""
        skipped = ("choices", "settings", "table")
        return pd.DataFrame({name: values for name, values in vars(self).items() if name not in skipped})


def assess(library: Library, settings: Settings = DEFAULTS, table: EquityTable | None = None) -> Assessment:
    """Judge every decision of ``library``.

    A cube decision costs best - ND (no double), best - min(DT, DP) (double), DT - min(DT, DP) (take) or
    DP - min(DT, DP) (pass), with best = max(ND, min(DT, DP)); a checker play the best candidate's equity less its own.

    Parameters
    ----------
    library : Library
    settings : Settings
    table : EquityTable, optional
        Prices the errors; without it the one that ``settings.met`` names.

    Returns
    -------
    Assessment

    Source: blunderDB's definitions; the slope is that of a match equity table between winning and losing the cube.
    """
    table = pricing_table(settings.met) if table is None else table
    decisions = library.decisions
    choices = summarise(decisions, settings.temperature)
    cube = _cube_costs(decisions)
    checker = decisions.kind == Kind.CHECKER
    left_out = _other_table(library, table) & (not settings.any_met)
    cost = np.where(checker, choices.cost, cube.cost)
    cost[left_out] = np.nan
    error_mp, error = _rounded(cost)
    if not settings.rounded:
        error = cost
    slope = slopes(table, decisions)
    loss = error * slope
    difficulty_equity = np.where(
        checker, choices.difficulty, _pair_difficulty(cube.gap, settings.temperature)
    )
    is_forced = forced(decisions, choices, settings)
    counts = counted(decisions, choices, ~np.isnan(error), error, settings)
    difficulty = np.where(counts & ~np.isnan(loss), difficulty_equity * slope, np.nan)
    is_error = counts & (error_mp >= settings.error_mp)
    with np.errstate(invalid="ignore"):
        avoidable = is_error & (loss > 0) & (difficulty <= settings.avoidable_share * loss)
    return Assessment(
        error=error,
        error_mp=error_mp,
        slope=slope,
        loss=loss,
        forced=is_forced,
        counted=counts,
        difficulty_equity=difficulty_equity,
        difficulty=difficulty,
        gap=np.where(checker, choices.gap, cube.gap),
        best=np.where(checker, choices.best, cube.best).astype(np.int16),
        should_double=cube.should_double,
        should_pass=cube.should_pass,
        avoidable=avoidable,
        cut=checker & (choices.distinct > 0) & (choices.distinct < decisions.legal_plays),
        mixed_depths=choices.mixed_depths,
        left_out=left_out,
        one_point=np.array([match.length == 1 for match in library.matches], dtype=bool)[decisions.match],
        choices=choices,
        settings=settings,
        table=table,
    )


@dataclass(frozen=True)
class _Cube:
    """(n,) each; NaN and UNKNOWN on checker plays and where there is no analysis."""

    cost: np.ndarray
    gap: np.ndarray
    best: np.ndarray
    should_double: np.ndarray
    should_pass: np.ndarray


def _cube_costs(decisions: Decisions) -> _Cube:
    no_double, take, drop = decisions.equities.T
    double, response = decisions.kind == Kind.DOUBLE, decisions.kind == Kind.RESPONSE
    # A player who cannot be doubled to a decision has only two equities; one that misses leaves nothing to say.
    known = (double & ~np.isnan(decisions.equities).any(axis=1)) | (
        response & ~np.isnan(take) & ~np.isnan(drop)
    )
    doubled = np.minimum(take, drop)  # the smaller signed equity: the opponent answers best
    best = np.maximum(no_double, doubled)
    played = decisions.played
    cost = np.select(
        [
            double & (played == 0),
            double & (played == DOUBLE),
            response & (played == TAKE),
            response & (played == PASS),
        ],
        [best - no_double, best - doubled, take - doubled, drop - doubled],
        np.nan,
    )
    gap = np.where(double, np.abs(no_double - doubled), np.where(response, np.abs(take - drop), np.nan))
    should_double = np.where(known & double, doubled > no_double, UNKNOWN).astype(np.int8)
    should_pass = np.where(known, take > drop, UNKNOWN).astype(np.int8)
    answer = np.where(take > drop, PASS, TAKE)
    best_action = np.where(double, should_double, np.where(response & known, answer, UNKNOWN))
    nothing = ~known
    cost[nothing], gap[nothing] = np.nan, np.nan
    return _Cube(cost, gap, np.where(nothing, UNKNOWN, best_action), should_double, should_pass)


def _pair_difficulty(gap: np.ndarray, temperature: float) -> np.ndarray:
    """(n,) expected cost of choosing between two options ``gap`` apart; NaN stays."""
    weight = np.exp(-gap / temperature)
    return gap * weight / (1 + weight)


def _rounded(cost: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Thousandths as int32 (UNKNOWN where NaN), halves away from zero, and the same as equity."""
    known = ~np.isnan(cost)
    thousandths = np.full(len(cost), UNKNOWN, dtype=np.int32)
    # Equities are decimal numbers: 0.0125 must not fall below its half by the last bit.
    thousandths[known] = np.floor(np.abs(cost[known]) * MP + 0.5 + 1e-7)
    error = np.full(len(cost), np.nan)
    error[known] = thousandths[known] / MP
    return thousandths, error


def _other_table(library: Library, table: EquityTable) -> np.ndarray:
    """(n,) bool: decisions of matches that say they were analysed with another match equity table."""

    def plain(name: str) -> str:
        return "".join(letter for letter in name.casefold() if letter.isalnum())

    other = [bool(match.met) and plain(match.met) != plain(table.name) for match in library.matches]
    return np.array(other, dtype=bool)[library.decisions.match]
