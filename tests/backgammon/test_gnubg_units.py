from datetime import date

import numpy as np
import pytest

from ludometrics.backgammon.equity_table import equity_table, score_slopes
from ludometrics.backgammon.gnubg_units import chance_scale, parse_day, parse_number, printed_day


@pytest.mark.parametrize(
    "text, value",
    [
        ("+0.016", 0.016),
        ("-0,182%", -0.182),
        (" 51.62% ", 51.62),
        ("0", 0.0),
        ("-inf", np.nan),
        ("nan", np.nan),
    ],
)
def test_numbers(text, value):
    assert parse_number(text) == pytest.approx(value, nan_ok=True)


@pytest.mark.parametrize("text", ["", "x", "1.2.3", "1,234.5", "+-0.02", "0x10", "1e5"])
def test_no_numbers(text):
    with pytest.raises(ValueError, match="is no number"):
        parse_number(text)


@pytest.mark.parametrize(
    "text, day",
    [
        ("2026-01-15", "2026-01-15"),
        ("15.01.2026", "2026-01-15"),
        ("15-01-26", "2026-01-15"),
        ("01/15/26", "2026-01-15"),
        ("15/01/2026", "2026-01-15"),
        ("05/05/99", "1999-05-05"),
        ("05/08/2024", None),
    ],
)
def test_days(text, day):
    # As the locales C, de_DE, nl_NL, en_GB and en_US write them.
    assert parse_day(text) == day


def test_a_match_is_not_younger_than_its_export():
    printed = printed_day("x\nOutput generated Thu Jun  6 12:05:21 2024\n by GNU Backgammon 1.07.001")
    assert printed == date(2024, 6, 6)
    assert parse_day("05/08/2024", printed=printed) == "2024-05-08"
    assert parse_day("05/08/2024", printed=date(2024, 8, 27)) is None
    assert printed_day("no last line") is None


@pytest.mark.parametrize("text", ["", "today", "2026-13-40", "15.17.2026", "99/99/2024", "1/2"])
def test_no_days(text):
    with pytest.raises(ValueError):
        parse_day(text)


@pytest.mark.parametrize(
    "own, other, cube, crawford",
    [(7, 7, 1, False), (3, 5, 2, False), (1, 4, 1, True), (1, 4, 2, False), (2, 2, 2, False)],
)
def test_chances_and_equities(own, other, cube, crawford):
    scale = chance_scale(own, other, cube, crawford)
    slope = score_slopes(equity_table(), [own], [other], [cube], [crawford])[0]
    assert scale.half == pytest.approx(slope)
    assert scale.equity(scale.middle + 0.3 * slope) == pytest.approx(0.3)
    assert scale.swing(0.3 * slope) == pytest.approx(0.3)
    other_side = chance_scale(other, own, cube, crawford)
    assert scale.middle + other_side.middle == pytest.approx(1, abs=1e-5)


def test_dead_cube():
    # Nothing hangs on the game: both results leave the match where it is.
    assert np.isnan(chance_scale(1, 1, 0, True).equity(0.5))
