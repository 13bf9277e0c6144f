"""The study plan: worked values, who is in and in what order, what is left out, and what cannot matter."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from drawn_boards import MIDDLE, begin, moved, no_double, play
from ludometrics.backgammon.assessment import assess
from ludometrics.backgammon.building import RecordBuilder
from ludometrics.backgammon.error_families import classify_errors
from ludometrics.backgammon.plans import Plan
from ludometrics.backgammon.study_plan import plan_table, recoverable_loss, study_plan
from ludometrics.backgammon.themes import Theme
from made_matches import cases

#: The worked values have six decimals.
ROUNDED = 5.1e-7
CASES = cases("study_cases")["plan"]


def plan_of(builder, name="ann", **options):
    library = builder.library()
    return study_plan(library, assess(library), library.of_player(name), **options)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["desc"])
def test_recoverable_loss(case):
    found = recoverable_loss(case["excesses"])
    assert found == pytest.approx((case["recoverable"], case["low"], case["high"]), abs=ROUNDED)
    assert (len(case["excesses"]) >= 5 and found[1] > 0) == case["in_plan"]


def test_a_family_is_the_sum_of_its_members():
    builder = RecordBuilder()
    begin(builder, "m1")
    for move, cost in enumerate((90, 100, 110, 120, 130, 140), start=1):
        play(builder, cost, move=move, board=moved(MIDDLE, (13, 13 - move)))
    library = builder.library()
    judged = assess(library)
    plan = plan_of(builder)
    (family,) = plan.families
    excess = judged.loss - judged.difficulty
    assert (family.plan, family.kind, family.theme) == (Plan.CONTACT, "checker", Theme.GAMMON)
    assert (family.rank, family.errors, family.avoidable) == (1, 6, int(judged.avoidable.sum()))
    assert family.recoverable == pytest.approx(excess.sum(), rel=1e-12)
    assert family.low == pytest.approx(excess.sum() - 1.96 * np.sqrt((excess**2).sum()), rel=1e-12)
    assert family.loss - family.difficulty == pytest.approx(family.recoverable, rel=1e-12)
    assert [position.row for position in family.positions] == [5, 4, 3, 2, 1, 0]
    assert (plan.decisions, plan.errors, plan.to_confirm) == (6, 6, ())
    assert family.name == "contact, checker, gammon"


def test_five_priced_members_are_needed():
    builder = RecordBuilder()
    begin(builder, "m1")
    for move in range(1, 5):
        play(builder, 100, move=move)
    assert [family.errors for family in plan_of(builder).to_confirm] == [4]
    play(builder, 100, move=5)
    plan = plan_of(builder)
    assert [(family.errors, family.rank) for family in plan.families] == [(5, 1)]
    assert plan.to_confirm == ()


def test_five_members_whose_interval_reaches_zero_are_to_be_confirmed():
    builder = RecordBuilder()
    begin(builder, "m1")
    for move, cost in enumerate((900, 60, 60, 60, 60), start=1):
        play(builder, cost, move=move)
    plan = plan_of(builder)
    assert plan.families == ()
    (family,) = plan.to_confirm
    assert family.errors == 5 and family.low < 0 < family.recoverable


def test_an_error_that_was_hard_to_avoid_counts_against_its_family():
    builder = RecordBuilder()
    begin(builder, "m1")
    play(builder, 60, crowd=120)
    (family,) = plan_of(builder).to_confirm
    assert family.recoverable < 0 < family.loss < family.difficulty


def test_one_position_met_twice_is_two_errors_and_one_position():
    builder = RecordBuilder()
    for key in ("m1", "m2"):
        begin(builder, key)
        for move in range(1, 4):
            play(builder, 100 + move, move=move, board=moved(MIDDLE, (13, 13 - move)))
    (family,) = plan_of(builder).families
    assert family.errors == 6
    assert [(position.errors, position.error_mp) for position in family.positions] == [
        (2, 103),
        (2, 102),
        (2, 101),
    ]
    # The other roll, and the same board at another score, are other positions.
    begin(builder, "m3", score=(1, 3))
    play(builder, 104, move=1, board=moved(MIDDLE, (13, 12)))
    play(builder, 105, move=2, board=moved(MIDDLE, (13, 12)), dice=(6, 5))
    (family,) = plan_of(builder).families
    assert len(family.positions) == 5


def test_ranked_by_the_low_end_and_the_rest_by_what_is_recoverable():
    builder = RecordBuilder()
    begin(builder, "m1")
    for move in range(1, 21):
        play(builder, 70, move=move)
    for move in range(21, 27):
        play(builder, 200, theme="point", move=move)
    for move in range(27, 29):
        no_double(builder, 300, move=move)
    no_double(builder, 60, move=29, board=moved(MIDDLE, (24, 20), (24, 20)))
    plan = plan_of(builder)
    assert [family.theme for family in plan.families] == [Theme.GAMMON, Theme.POINT]
    assert plan.families[0].low > plan.families[1].low > 0
    assert [family.theme for family in plan.to_confirm] == [Theme.OFFER_MISSED] * 2
    assert [family.plan for family in plan.to_confirm] == [Plan.CONTACT, Plan.HOLDING]
    assert [family.rank for family in plan.to_confirm] == [None, None]
    # Two large errors recover more than twenty small ones would alone, yet stay to be confirmed.
    assert plan.to_confirm[0].recoverable > plan.families[1].low


def test_what_is_left_out_is_listed():
    builder = RecordBuilder()
    begin(builder, "m1")
    play(builder, 55, move=1)  # too small for a theme
    play(builder, 100, theme="none", move=2)
    play(builder, 45, move=3)  # no error
    begin(builder, "money", length=0)
    play(builder, 300, move=1)
    no_double(builder, 300, move=2)
    play(builder, 300, theme="none", move=3)
    plan = plan_of(builder)
    assert (plan.themeless, plan.unpriced) == ((0, 1), (3, 4, 5))
    assert (plan.errors, plan.decisions, plan.families, plan.to_confirm) == (5, 6, (), ())


def test_only_the_decisions_asked_for():
    builder = RecordBuilder()
    begin(builder, "m1")
    for move in range(1, 7):
        play(builder, 100, move=move)
        play(builder, 200, theme="point", move=move, seat=1)
    assert [family.theme for family in plan_of(builder).families] == [Theme.GAMMON]
    assert [family.theme for family in plan_of(builder, "bob").families] == [Theme.POINT]
    assert plan_of(builder, "nobody").decisions == 0


def test_tables():
    builder = RecordBuilder()
    begin(builder, "m1")
    for move in range(1, 7):
        play(builder, 100, move=move, board=moved(MIDDLE, (13, 13 - move)))
        play(builder, 200, theme="point", move=move, seat=1)
    no_double(builder, 100, move=7)
    library = builder.library()
    judged = assess(library)
    plan = plan_of(builder)
    table = plan.frame()
    assert table[["plan", "kind", "theme"]].values.tolist() == [
        ["contact", "checker", "gammon"],
        ["contact", "cube", "offer missed"],
    ]
    assert table["rank"].tolist() == [1, pd.NA]
    assert table["positions"].tolist() == [6, 1]
    positions = plan.positions_frame(library)
    assert positions["move"].tolist() == [1, 2, 3, 4, 5, 6]
    assert positions["place"].tolist() == [1, 2, 3, 4, 5, 6]
    players = {name: library.of_player(name) for name in ("ann", "bob")}
    both = plan_table(library, judged, players)
    assert both["player"].tolist() == ["ann", "ann", "bob"]
    assert both.drop(columns="player").iloc[:2].equals(table)
    # With nothing to tell, the columns are the same.
    assert plan_table(library, judged, {}).columns.tolist() == both.columns.tolist()
    empty = plan_of(builder, "nobody")
    assert empty.frame().columns.tolist() == table.columns.tolist()
    assert empty.positions_frame(library).columns.tolist() == positions.columns.tolist()


def test_a_mask_that_does_not_fit():
    builder = RecordBuilder()
    begin(builder, "m1")
    play(builder, 100)
    library = builder.library()
    with pytest.raises(ValueError, match=r"shape \(2,\) .* one bool for each of 1 decisions"):
        study_plan(library, assess(library), np.ones(2, bool))
    with pytest.raises(ValueError, match="holds int64"):
        study_plan(library, assess(library), np.array([0]))


def made_errors(draw_costs, keys, order, shuffle=lambda rows: None):
    """A library with a match for each of ``keys`` in the given order, and the errors of each, shuffled."""
    builder = RecordBuilder()
    for index in order:
        begin(builder, keys[index])
        numbered = list(enumerate(draw_costs[index], start=1))
        shuffle(numbered)
        for move, (cost, theme, away) in numbered:
            board = moved(MIDDLE, (13, 13 - away)) if away else MIDDLE
            if theme == "cube":
                no_double(builder, cost, move=move, board=board)
            else:
                play(builder, cost, theme=theme, move=move, board=board)
    return builder


ERRORS = st.lists(
    st.tuples(st.integers(50, 400), st.sampled_from(["gammon", "point", "none", "cube"]), st.integers(0, 3)),
    min_size=1,
    max_size=12,
)


def without_rows(plan):
    """The plan with the rows of the library replaced by what stands there: nothing else may depend on the order."""
    table = plan.frame()
    places = [[position[1:] for position in family.positions] for family in plan.families]
    return table.to_csv(), places, plan.errors, len(plan.themeless), len(plan.unpriced)


@settings(deadline=None, max_examples=25)
@given(st.lists(ERRORS, min_size=2, max_size=4), st.randoms(use_true_random=False))
def test_the_order_of_matches_and_decisions_changes_nothing(costs, random):
    keys = [f"m{index}" for index in range(len(costs))]
    order = list(range(len(costs)))
    first = plan_of(made_errors(costs, keys, order))
    random.shuffle(order)
    other = plan_of(made_errors(costs, keys, order, random.shuffle))
    assert without_rows(other) == without_rows(first)


@settings(deadline=None, max_examples=25)
@given(ERRORS, st.integers(50, 900), st.sampled_from(["gammon", "point", "cube"]))
def test_an_unpriced_error_changes_no_rank(costs, cost, theme):
    builder = made_errors([costs], ["m1"], [0])
    before = plan_of(builder)
    begin(builder, "money", length=0)
    if theme == "cube":
        no_double(builder, cost)
    else:
        play(builder, cost, theme=theme)
    after = plan_of(builder)
    assert (after.families, after.to_confirm) == (before.families, before.to_confirm)
    assert len(after.unpriced) == len(before.unpriced) + 1


def test_classified_once_or_each_time():
    builder = made_errors([[(100, "gammon", 1)] * 6], ["m1"], [0])
    library = builder.library()
    assert plan_of(builder, errors=classify_errors(library, assess(library))) == plan_of(builder)
