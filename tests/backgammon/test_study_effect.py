"""Before and after studying: worked values, windows, what counts in each, and verdicts."""

from datetime import UTC, date, datetime

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from drawn_boards import MIDDLE, begin, moved, no_double, play
from ludometrics.backgammon.assessment import assess
from ludometrics.backgammon.building import RecordBuilder
from ludometrics.backgammon.plans import Plan
from ludometrics.backgammon.positions import position_id
from ludometrics.backgammon.study_effect import VERDICTS, compare_windows, study_effect
from ludometrics.backgammon.themes import Theme
from made_matches import cases
from study_tables import action

CASES = cases("study_cases")["effect"]
#: Points of match winning chances per 100 decisions, out of fractions per decision.
PER_HUNDRED = 1e4
#: The worked values have four decimals of those points.
ROUNDED = 5.1e-5

STUDIED = [action(position_id(MIDDLE), when=datetime(2026, 3, 10, 9, tzinfo=UTC))]


def effect_of(builder, actions=STUDIED, mask=None):
    library = builder.library()
    mask = library.of_player("ann") if mask is None else mask
    return study_effect(library, assess(library), mask, actions)


def days(*played):
    """A library with a match a day: date, errors of 100 mp, and decisions that cost nothing."""
    builder = RecordBuilder()
    for number, (day, errors, others) in enumerate(played):
        begin(builder, f"m{number}", date=day)
        for move in range(errors):
            play(builder, 100, move=move + 1)
        for move in range(others):
            play(builder, 0, move=errors + move + 1)
    return builder


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["desc"])
def test_compare_windows(case):
    (count, loss, decisions), (count_after, loss_after, decisions_after) = case["before"], case["after"]
    found = compare_windows([loss] * count, decisions, [loss_after] * count_after, decisions_after)
    for name in ("gain", "low", "high"):
        value = getattr(found, name)
        if case[name] is None:
            assert value is None
        else:
            assert value * PER_HUNDRED / 100 == pytest.approx(case[name], abs=ROUNDED)
    assert found.verdict == case["verdict"]
    assert (found.before.errors, found.after.errors) == (count, count_after)


def test_the_example_of_a_player():
    builder = days(("2026-01-01", 9, 27), ("2026-03-10", 9, 9), ("2026-05-01", 1, 35), ("", 5, 4))
    library = builder.library()
    loss = assess(library).loss
    found = effect_of(builder)
    (family,) = found.families
    assert (family.plan, family.kind, family.theme) == (Plan.CONTACT, "checker", Theme.GAMMON)
    assert (family.studied_on, family.studied, family.positions) == (date(2026, 3, 10), 1, 1)
    change = family.change
    # The day itself and the undated match are in neither window.
    assert (change.before.decisions, change.before.errors) == (36, 9)
    assert (change.after.decisions, change.after.errors) == (36, 1)
    assert change.before.loss == pytest.approx(9 * loss[0], rel=1e-12)
    assert change.gain == pytest.approx(8 * loss[0] / 36, rel=1e-12)
    assert change.high - change.gain == pytest.approx(1.96 * loss[0] * np.sqrt(10) / 36, rel=1e-9)
    assert change.verdict == "improved"
    assert (found.unstudied, found.undated, found.missed) == (0, 9, 0)


def test_the_denominator_is_of_the_same_plan_and_kind_in_point_matches():
    builder = days(("2026-01-01", 1, 0), ("2026-05-01", 1, 0))
    for key, length, day in (("a", 7, "2026-01-02"), ("b", 0, "2026-01-02"), ("c", 7, "2026-05-02")):
        begin(builder, key, length=length, date=day)
        play(builder, 100, theme="point", move=1)  # the theme does not matter
        play(builder, 0, move=2, seat=1)  # the other's
        play(builder, 0, move=3, board=moved(MIDDLE, (24, 20), (24, 20)))  # a holding game
        no_double(builder, 60, move=4)  # the cube
    found = effect_of(builder, actions=[action(position_id(MIDDLE), when=datetime(2026, 3, 1, tzinfo=UTC))])
    families = {family.name: family.change for family in found.families}
    assert families["contact, checker, gammon"].before.decisions == 2
    assert families["contact, checker, point"].before.decisions == 2
    assert families["contact, cube, offer missed"].before.decisions == 1
    assert families["contact, checker, point"].before.errors == 1  # not the one of the money session
    assert len(families) == 3


def test_studied_through_any_of_its_positions_even_one_without_a_price():
    elsewhere = moved(MIDDLE, (13, 11))
    builder = days(("2026-01-01", 3, 0), ("2026-05-01", 3, 0))
    begin(builder, "money", length=0, date="2026-01-02")
    play(builder, 200, board=elsewhere)
    actions = [
        action(position_id(elsewhere), when=datetime(2026, 2, 1, tzinfo=UTC)),
        action(position_id(MIDDLE), when=datetime(2026, 4, 1, tzinfo=UTC), kind="quiz"),
        action(position_id(MIDDLE), when=datetime(2020, 1, 1, tzinfo=UTC), kind="card"),
    ]
    (family,) = effect_of(builder, actions).families
    assert (family.studied_on, family.studied, family.positions) == (date(2026, 2, 1), 2, 2)
    assert (family.change.before.errors, family.change.after.errors) == (3, 3)


def test_families_that_were_not_studied_are_counted():
    builder = days(("2026-01-01", 2, 0))
    no_double(builder, 100, move=9, board=moved(MIDDLE, (13, 12)))
    begin(builder, "m9", date="2026-02-02")
    play(builder, 100, theme="none", move=1)
    assert effect_of(builder).unstudied == 1
    found = effect_of(builder, actions=[])
    assert (found.families, found.unstudied, found.missed) == ((), 2, 0)
    found = effect_of(builder, actions=[action(position_id(moved(MIDDLE, (24, 22))))])
    assert (found.families, found.missed) == ((), 1)


def test_verdicts_come_in_order_and_fill_the_table():
    builder = RecordBuilder()
    holding = moved(MIDDLE, (24, 20), (24, 20))
    for key, day, gammons, points, doubles in (
        ("m1", "2026-01-01", 8, 0, 3),
        ("m2", "2026-06-01", 0, 8, 3),
    ):
        begin(builder, key, date=day)
        for move in range(1, 41):
            play(builder, 100 if move <= gammons else 0, move=move)
            play(builder, 100 if move <= points else 0, move=move, theme="point")
            no_double(builder, 100 if move <= doubles else 0, move=move)
        play(builder, 100, board=holding, move=41)
    actions = [*STUDIED, action(position_id(holding))]
    found = effect_of(builder, actions)
    assert [family.change.verdict for family in found.families] == list(VERDICTS)
    table = found.frame()
    assert table["verdict"].tolist() == list(VERDICTS)
    assert table["before_decisions"].tolist()[0] == 80
    assert table["studied_on"].tolist()[0] == "2026-03-10"
    empty = effect_of(builder, actions=[]).frame()
    assert empty.columns.tolist() == table.columns.tolist()
    assert empty.dtypes["gain"] == table.dtypes["gain"] == np.dtype(float)


def test_a_mask_bounds_both_windows():
    builder = days(("2026-01-01", 6, 30), ("2026-02-01", 6, 30), ("2026-05-01", 1, 35))
    library = builder.library()
    late = library.of_player("ann") & (library.decisions.match > 0)
    (family,) = effect_of(builder, mask=late).families
    assert family.change.before.decisions == 36


@settings(deadline=None, max_examples=15)
@given(
    st.lists(
        st.tuples(st.sampled_from(["2026-01-01", "2026-03-10", "2026-04-01", ""]), st.integers(0, 5)),
        min_size=2,
        max_size=4,
    ),
    st.randoms(use_true_random=False),
)
def test_the_order_of_the_matches_changes_nothing(played, random):
    numbered = list(enumerate(played))

    def described(order):
        builder = RecordBuilder()
        for number, (day, errors) in order:
            begin(builder, f"m{number}", date=day)
            for move in range(1, 7):
                play(builder, 100 + 10 * number + move if move <= errors else 0, move=move)
        return effect_of(builder).frame().to_csv()

    first = described(numbered)
    random.shuffle(numbered)
    assert described(numbered) == first
