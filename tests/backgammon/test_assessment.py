"""Errors, losses, difficulty and counting rules, decision by decision."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ludometrics.backgammon.assessment import assess
from ludometrics.backgammon.choices import choice_difficulty, summarise, summarise_plain
from ludometrics.backgammon.equity_table import equity_table
from ludometrics.backgammon.rates import counted_by, pr
from ludometrics.backgammon.records import UNKNOWN, Kind
from ludometrics.backgammon.settings import DEFAULTS, RULES, Settings
from made_matches import add_checker, add_cube, add_errors, add_match, cases, new_match

CASES = cases("error_cases")


@pytest.mark.parametrize("case", CASES["cube"], ids=lambda case: case["desc"])
def test_cube_errors(case):
    builder = new_match()
    add_cube(builder, case["equities"], Kind[case["kind"].upper()], played=case["played"])
    judged = assess(builder.library())
    expected = UNKNOWN if case["error_mp"] is None else case["error_mp"]
    assert judged.error_mp[0] == expected
    assert np.isnan(judged.error[0]) == (expected == UNKNOWN)
    for name in ("should_double", "should_pass"):
        assert getattr(judged, name)[0] == (UNKNOWN if case[name] is None else case[name])
    if expected == UNKNOWN:
        assert np.isnan(judged.loss[0]) and not judged.counted[0]


@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize("case", CASES["counted"], ids=lambda case: case["desc"])
def test_which_cube_decisions_count(case, rule):
    builder = new_match()
    add_cube(builder, case["equities"], played=case["played"])
    library = builder.library()
    judged = assess(library, Settings(rule=rule))
    assert bool(judged.counted[0]) == case[rule]
    assert bool(counted_by(library, assess(library), rule)[0]) == case[rule]


@pytest.mark.parametrize("case", CASES["checker"], ids=lambda case: case["desc"])
def test_which_checker_plays_count(case):
    builder = new_match()
    legal = None if case["legal"] == UNKNOWN else case["legal"]
    add_checker(builder, case["equity"], played=case["played"], legal=UNKNOWN if legal is None else legal)
    for rule in ("blunderdb", "xg", "gammonview", "gnubg"):
        judged = assess(builder.library(), Settings(rule=rule))
        assert bool(judged.counted[0]) == case[rule], rule
        assert bool(judged.forced[0]) == case["forced"]


@pytest.mark.parametrize("case", CASES["difficulty"], ids=lambda case: str(case["costs"]))
def test_difficulty_of_options(case):
    assert choice_difficulty(case["costs"], DEFAULTS.temperature) == pytest.approx(
        case["difficulty"], abs=5.1e-7
    )
    builder = new_match()
    add_checker(builder, [-cost for cost in case["costs"]])
    assert assess(builder.library()).difficulty_equity[0] == pytest.approx(case["difficulty"], abs=5.1e-7)


def test_difficulty_of_a_pair_is_greatest_at_0_032():
    gaps = np.linspace(0.001, 0.2, 200)
    values = [choice_difficulty([0, gap], 0.025) for gap in gaps]
    assert gaps[int(np.argmax(values))] == pytest.approx(0.032, abs=0.001)


@pytest.mark.parametrize("case", CASES["rates"], ids=lambda case: case["desc"])
def test_published_rates(case):
    builder = new_match(case["length"])
    add_errors(builder, case["errors_mp"] + [0] * (case["decisions"] - len(case["errors_mp"])))
    library = builder.library()
    everything = np.ones(len(library.decisions), dtype=bool)
    assert pr(library, assess(library), everything).value == pytest.approx(case["pr"], abs=5e-4)
    judged = assess(library, Settings(one_point_factor=1.5))
    assert pr(library, judged, everything).value == pytest.approx(case["pr_with_factor"], abs=5e-4)
    np.testing.assert_array_equal(judged.loss, assess(library).loss)


def test_losses_use_the_score_the_cube_and_the_regime():
    builder = new_match(5)
    builder.game(2, (0, 4), crawford=True)
    add_checker(builder, [0.1, 0.0], played=1)
    builder.game(3, (0, 4))
    add_checker(builder, [0.1, 0.0], played=1, cube=2)
    builder.game(4, (3, 1))
    add_checker(builder, [0.1, 0.0], played=1, seat=1, cube=4)
    judged = assess(builder.library())
    np.testing.assert_allclose(judged.slope, [0.15501, 0.16132, 0.5], atol=5.1e-7)
    np.testing.assert_allclose(judged.loss, 0.1 * judged.slope)


def test_a_response_is_priced_in_units_of_the_cube_before_the_double():
    builder = new_match(7)
    add_cube(builder, (0.6, 0.75, 1.0), Kind.RESPONSE, played=0, cube=1)
    judged = assess(builder.library())
    assert judged.loss[0] == pytest.approx(0.25 * 0.06261, abs=1e-9)


@pytest.mark.parametrize("length", [0, 99999, 65, -3])
def test_money_sessions_have_no_losses(length):
    builder = new_match(length)
    add_checker(builder, [0.1, 0.0], played=1)
    judged = assess(builder.library())
    assert judged.error_mp[0] == 100 and judged.counted[0]
    assert np.isnan(judged.loss[0]) and np.isnan(judged.difficulty[0]) and not judged.avoidable[0]


def test_errors_are_rounded_to_thousandths_halves_up():
    builder = new_match()
    for cost in (0.0125, 0.0124, 0.0005, 0.00049, 0.1):
        add_checker(builder, [0.0, -cost], played=1)
    assert assess(builder.library()).error_mp.tolist() == [13, 12, 1, 0, 100]


def test_a_half_that_decimals_only_just_miss_is_rounded_up():
    builder = new_match()
    add_checker(builder, [0.3125, 0.3000], played=1)  # the difference is 0.01249999... in binary
    assert assess(builder.library()).error_mp[0] == 13


def test_an_answer_needs_no_equity_of_not_doubling():
    builder = new_match()
    add_cube(builder, (float("nan"), 1.2, 1.0), Kind.RESPONSE, played=1)
    judged = assess(builder.library())
    assert (judged.error_mp[0], judged.should_pass[0], judged.best[0]) == (200, 1, 0)
    assert judged.counted[0]


def test_an_answer_that_costs_the_same_counts_but_for_gammonview():
    builder = new_match()
    add_cube(builder, (0.7, 1.0, 1.0), Kind.RESPONSE, played=1)
    add_cube(builder, (0.7, 0.9, 1.0), Kind.RESPONSE, played=1)
    library = builder.library()
    assert assess(library, Settings(rule="gammonview")).counted.tolist() == [False, True]
    assert assess(library).counted.tolist() == [True, True]


def test_errors_can_stay_as_the_analysis_has_them():
    builder = new_match()
    for cost in (0.0125, 0.0004, 0.0004):
        add_checker(builder, [0.0, -cost], played=1)
    library = builder.library()
    everything = np.ones(3, dtype=bool)
    exact, rounded = assess(library, Settings(rounded=False)), assess(library)
    assert exact.error_mp.tolist() == rounded.error_mp.tolist() == [13, 0, 0]
    np.testing.assert_allclose(exact.loss, [0.0125 * 0.06261, 0.0004 * 0.06261, 0.0004 * 0.06261])
    assert pr(library, exact, everything).value == pytest.approx(500 * 0.0133 / 3)
    assert pr(library, rounded, everything).value == pytest.approx(500 * 0.013 / 3)


def test_thresholds_are_inclusive():
    builder = new_match()
    add_errors(builder, [49, 50, 99, 100])
    judged = assess(builder.library())
    assert judged.is_error.tolist() == [False, True, True, True]
    assert judged.is_blunder.tolist() == [False, False, False, True]


def test_avoidable_errors():
    builder = new_match()
    add_checker(builder, [0.0, -0.2], played=1)  # one obvious play: difficulty far below a tenth of the loss
    add_checker(builder, [0.0, -0.01, -0.02, -0.03, -0.05], played=4)  # many near plays
    judged = assess(builder.library())
    assert judged.avoidable.tolist() == [True, False]


def test_the_best_is_the_highest_at_the_greatest_depth():
    builder = new_match()
    add_checker(builder, [0.120, 0.100, 0.090], depths=[1, 4, 4], played=1)
    add_checker(builder, [0.120, 0.100, 0.090], depths=[1, 4, 4], played=0)
    judged = assess(builder.library())
    assert judged.best.tolist() == [1, 1]
    assert judged.mixed_depths.tolist() == [True, True]
    assert judged.error_mp.tolist() == [0, 0]


def test_another_match_equity_table_leaves_a_match_out():
    builder = new_match(met="Woolsey")
    add_errors(builder, [100])
    add_match(builder, key="m2", met="Kazaross XG2")
    add_errors(builder, [100])
    judged = assess(builder.library())
    assert judged.left_out.tolist() == [True, False]
    assert judged.counted.tolist() == [False, True]
    assert judged.error_mp.tolist() == [UNKNOWN, 100]
    assert assess(builder.library(), Settings(any_met=True)).error_mp.tolist() == [100, 100]


def test_a_cut_candidate_list_is_flagged():
    builder = new_match()
    add_checker(builder, [0.0, -0.1], legal=2)
    add_checker(builder, [0.0, -0.1], legal=3)
    add_checker(builder, [0.0, -0.1], legal=UNKNOWN)
    assert assess(builder.library()).cut.tolist() == [False, True, False]


@st.composite
def decisions(draw):
    builder = new_match()
    equity = st.one_of(st.floats(-1, 1), st.just(float("nan")))
    for _ in range(draw(st.integers(0, 4))):
        values = draw(st.lists(equity, max_size=5))
        depths = draw(st.lists(st.sampled_from([-1, 0, 2, 100]), min_size=len(values), max_size=len(values)))
        played = draw(st.integers(-1, len(values) - 1))
        add_checker(builder, values, played=played, depths=depths)
    return builder.library().decisions


@settings(deadline=None, max_examples=60)
@given(decisions())
def test_the_compiled_pass_equals_its_plain_twin(made):
    for fast, plain, name in zip(
        summarise(made, 0.025), summarise_plain(made, 0.025), DIFFERENT_NAMES, strict=True
    ):
        np.testing.assert_allclose(fast, plain, rtol=1e-12, atol=1e-15, err_msg=name)


DIFFERENT_NAMES = ("best", "cost", "spread", "gap", "difficulty", "distinct", "mixed_depths")


def test_rules_are_checked():
    with pytest.raises(ValueError, match="allowed are blunderdb, xg"):
        Settings(rule="mine")
    with pytest.raises(ValueError, match="0 < error <= blunder"):
        Settings(error_mp=100, blunder_mp=50)
    with pytest.raises(ValueError, match="temperature"):
        Settings(temperature=0)


def test_the_table_given_prices():
    builder = new_match(7)
    add_errors(builder, [100])
    library = builder.library()
    zadeh = assess(library, table=equity_table("zadeh"))
    assert zadeh.loss[0] != assess(library).loss[0]
