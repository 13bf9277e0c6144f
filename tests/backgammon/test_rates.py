"""PR, L7, Elo, the other programs' rates and their intervals."""

import numpy as np
import pytest

from ludometrics.backgammon.assessment import assess
from ludometrics.backgammon.rates import (
    Rate,
    elo,
    l7,
    level,
    pr,
    rates_by_rule,
    ratio_interval,
    snowie,
)
from ludometrics.backgammon.records import UNKNOWN
from ludometrics.backgammon.settings import Settings
from made_matches import add_checker, add_errors, add_match, cases, new_match

CASES = cases("rates_cases")


def with_losses(losses, lengths):
    """A library of matches in which ann loses these parts of a match, in steps too small to be rounded away."""
    builder = new_match(lengths[0])
    library = builder.library()
    for number, length in enumerate(lengths):
        if number:
            add_match(builder, length, f"m{number + 1}")
        add_checker(builder, [0.0, -0.5], played=1)
    library = builder.library()
    judged = assess(library)
    judged.loss[:] = losses
    return library, judged, library.of_player("ann")


@pytest.mark.parametrize("case", CASES["l7"], ids=lambda case: case["desc"])
def test_l7_and_elo_of_one_match(case):
    library, judged, mask = with_losses([case["loss"]], [case["length"]])
    rate = l7(library, judged, mask)
    assert rate.value == pytest.approx(case["l7"], abs=1e-6)
    assert rate.low is None and rate.note == "no interval"
    assert elo(rate).value == pytest.approx(case["elo"], abs=5.1e-3)
    assert elo(rate).floored == case["floored"]


@pytest.mark.parametrize("case", CASES["elo"], ids=lambda case: case["desc"])
def test_elo_of_l7(case):
    got = elo(Rate(case["l7"], case["l7"] - 0.01, case["l7"] + 0.01, 10, 5, ""))
    assert got.value == pytest.approx(case["elo"], abs=5.1e-3)
    assert got.floored == case["floored"]
    assert got.low <= got.value <= got.high <= 0


def test_unknown_stays_unknown():
    assert elo(Rate(None, None, None, 0, 0, "no interval")) == (None, None, None, False)
    assert level(None) == ""


def test_a_pool_is_not_the_mean_of_its_matches():
    case = CASES["pool"]
    library, judged, mask = with_losses(case["losses"], case["lengths"])
    assert l7(library, judged, mask).value == pytest.approx(case["l7"], abs=1e-6)
    ones = [l * np.sqrt(7 / n) for l, n in zip(case["losses"], case["lengths"], strict=True)]  # noqa: E741
    assert np.mean(ones) == pytest.approx(case["mean_of_l7"], abs=1e-6)


def test_l7_of_a_match_by_its_games():
    case = CASES["by_game"]
    builder = new_match(case["length"])
    for game in range(1, len(case["losses"]) + 1):
        builder.game(game, (0, 0))
        add_checker(builder, [0.0, -0.5], played=1)
    library = builder.library()
    judged = assess(library)
    judged.loss[:] = case["losses"]
    rate = l7(library, judged, library.of_player("ann"), by="game")
    assert (rate.value, rate.low, rate.high) == pytest.approx(
        (case["l7"], case["low"], case["high"]), abs=1e-6
    )
    assert (rate.units, rate.note) == (4, "indicative")


def test_a_game_with_decisions_of_the_other_only_is_a_unit_of_no_loss():
    builder = new_match(7)
    for game in range(1, 5):
        builder.game(game, (0, 0))
        add_errors(builder, [100], seat=0 if game < 4 else 1)
    library = builder.library()
    judged = assess(library)
    rate = l7(library, judged, library.of_player("ann"), by="game")
    assert rate.units == 4 and rate.low is not None
    # Three games with equal losses alone would leave no width.
    assert pr(library, judged, library.of_player("ann"), by="game").note == "no interval"


@pytest.mark.parametrize("case", CASES["intervals"], ids=lambda case: case["desc"])
def test_intervals_of_ratios(case):
    got = ratio_interval(case["sums"], case["weights"])
    scaled = [None if value is None else case["factor"] * value for value in got]
    for value, name in zip(scaled, ("value", "low", "high"), strict=True):
        if case[name] is None:
            assert value is None, name
        else:
            assert value == pytest.approx(case[name], abs=6e-4), name


def test_intervals_for_few_units():
    sums, weights = [0.12, 0.30, 0.05, 0.21], [20, 25, 12, 30]
    value, _, high = ratio_interval(sums, weights)
    half = 3.182446 / 1.96 * (high - value)  # Student's quantile with three degrees of freedom
    assert ratio_interval(sums, weights, interval="student") == pytest.approx(
        (value, max(value - half, 0), value + half)
    )
    ends = ratio_interval(sums, weights, interval="log student")
    assert ends == pytest.approx((value, value * np.exp(-half / value), value * np.exp(half / value)))
    with pytest.raises(ValueError, match="allowed are published, student, log student"):
        ratio_interval(sums, weights, interval="bootstrap")
    with pytest.raises(ValueError, match="allowed are published"):
        Settings(interval="mine")
    builder = new_match()
    for game, errors in enumerate([[100, 0], [0, 0], [50, 0, 0]], start=1):
        builder.game(game, (0, 0))
        add_errors(builder, errors)
    library = builder.library()
    mask = library.of_player("ann")
    wide = pr(library, assess(library, Settings(interval="log student")), mask, by="game")
    assert wide.high > pr(library, assess(library), mask, by="game").high
    assert l7(library, assess(library, Settings(interval="student")), mask, by="game").high > 0


def test_pr_with_intervals_by_match_and_by_game():
    builder = new_match()
    for game, errors in enumerate([[100, 0], [0, 0], [50, 0, 0]], start=1):
        builder.game(game, (0, 0))
        add_errors(builder, errors)
    add_match(builder, key="m2")
    add_errors(builder, [30, 0, 0])
    library = builder.library()
    judged = assess(library)
    mask = library.of_player("ann")
    by_match, by_game = pr(library, judged, mask), pr(library, judged, mask, by="game")
    assert by_match.value == by_game.value == pytest.approx(500 * 0.180 / 10)
    assert (by_match.units, by_match.low, by_match.decisions) == (2, None, 10)
    assert by_game.units == 4 and 0 < by_game.low < 1 < 17 < by_game.high
    first = mask & (library.decisions.match == 0)
    assert pr(library, judged, first, by="game").units == 3
    nobody = pr(library, judged, library.of_player("zoe"))
    assert (nobody.value, nobody.decisions, nobody.note) == (None, 0, "no interval")


def test_snowies_rates_of_two_players_add_up():
    builder = new_match()
    add_errors(builder, [100, 20, 0])
    add_errors(builder, [10, 0], seat=1)
    add_checker(builder, [], played=UNKNOWN, legal=0, seat=1)  # a dance is a move
    library = builder.library()
    judged = assess(library)
    both = snowie(library, judged, np.ones(6, dtype=bool))
    one, other = (snowie(library, judged, library.of_player(name)) for name in ("ann", "bob"))
    assert both.value == pytest.approx(500 * 0.130 / 6)
    assert one.value + other.value == pytest.approx(both.value)
    rates = rates_by_rule(library, judged, library.of_player("ann"))
    assert rates["snowie"] == one
    assert rates["gnubg"].value == pytest.approx(2 * rates["blunderdb"].value)


def test_l7_of_both_players_is_one_unit_a_match():
    builder = new_match(7)
    for number in range(2, 5):
        add_errors(builder, [100 * number])
        add_errors(builder, [50], seat=1)
        add_match(builder, 7, f"m{number}")
    library = builder.library()
    judged = assess(library)
    everybody = np.ones(len(library.decisions), dtype=bool)
    rate = l7(library, judged, everybody)
    assert rate.units == 3
    assert rate.value == pytest.approx((0.9 + 0.15) * 0.06261 / 6)
    with pytest.raises(ValueError, match="3 were given"):
        l7(library, judged, everybody, by="game")
    with pytest.raises(ValueError, match="allowed are match and game"):
        pr(library, judged, everybody, by="day")


def test_the_low_end_of_a_match_is_not_below_nothing():
    builder = new_match(7)
    for game, error in enumerate((400, 0, 0, 0), start=1):
        builder.game(game, (0, 0))
        add_errors(builder, [error])
    library = builder.library()
    assert l7(library, assess(library), library.of_player("ann"), by="game").low == 0


def test_money_has_no_l7():
    builder = new_match(0)
    add_errors(builder, [100])
    library = builder.library()
    rate = l7(library, assess(library), library.of_player("ann"))
    assert (rate.value, rate.decisions, rate.units) == (None, 0, 0)


@pytest.mark.parametrize(("value", "name"), CASES["levels"], ids=lambda value: str(value))
def test_levels(value, name):
    assert level(value) == name
