"""Luck: the summaries of other programs, what is unknown, and that the two players' results are opposite."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ludometrics.backgammon.assessment import assess
from ludometrics.backgammon.building import RecordBuilder
from ludometrics.backgammon.luck import average_results, roll_luck, tally_luck
from ludometrics.backgammon.records import Match, join
from ludometrics.backgammon.settings import DEFAULTS
from made_matches import START, add_checker, add_cube, add_match, cases, new_match

CASES = cases("luck_cases")
GNUBG = cases("luck_gnubg")
#: Of the program's totals: it prints three decimals of percents, and reckons with numbers of single precision.
PRINTED_PERCENT, PRINTED_EQUITY = 0.006, 1e-4
SLOPE_17_AWAY, SLOPE_7_AWAY = 0.037960, 0.062610  # of Kazaross-XG2, cube at 1


def add_roll(builder, luck, *, seat=0, cube=1):
    """A roll with this luck; one play, so nothing to decide."""
    add_checker(builder, [0.0], seat=seat, legal=1, luck=luck, cube=cube)


def luck_of(builder, **changes):
    library = builder.library()
    return tally_luck(library, assess(library, DEFAULTS.changed(**changes)))


@pytest.mark.parametrize("case", CASES["xg"], ids=lambda case: case["desc"])
def test_summaries_of_matches(case):
    builder = new_match(17)
    # Half of it by the player's good rolls, half by the other's bad ones.
    for seat, sign in ((0, 1), (1, -1)):
        add_roll(builder, sign * case["net"] / 2 / SLOPE_17_AWAY, seat=seat)
    builder.end_match((17, 3) if case["won"] else (3, 17))
    luck = luck_of(builder).of(0, 0)
    assert luck.net == pytest.approx(case["net"], abs=2e-5)
    assert luck.adjusted == pytest.approx(case["adjusted"], abs=2e-5)
    assert 0.5 + luck.adjusted == pytest.approx(case["rating"], abs=2e-5)
    assert luck.decided_by == case["decided_by"]
    assert luck.coverage == 1


@pytest.mark.parametrize("case", CASES["starts"], ids=lambda case: case["desc"])
def test_result_is_over_the_chances_at_the_start(case):
    builder = RecordBuilder()
    builder.match(Match("m", case["length"], ("ann", "bob"), start_score=tuple(case["start"])))
    builder.game(1, tuple(case["start"]), post_crawford=case["post_crawford"])
    add_roll(builder, 0.1)
    add_roll(builder, 0.2, seat=1)
    builder.end_match((case["length"], case["start"][1]))
    luck = luck_of(builder)
    assert luck.of(0, 0).result == pytest.approx(1 - case["chance"])
    assert luck.of(0, 1).result == pytest.approx(case["chance"] - 1)


def test_net_luck_a_roll_is_over_the_rolls_of_both():
    case = CASES["net_per_roll"]
    builder = new_match(17)
    for seat, rolls in enumerate(case["rolls"]):
        for number in range(rolls):
            # All of the luck on one roll a side; the others were neither good nor bad.
            add_roll(builder, (1 - 2 * seat) * case["net_equity"] / 2 * (number == 0), seat=seat)
    luck = luck_of(builder).of(0, 0)
    assert luck.net_equity == pytest.approx(case["net_equity"])
    assert luck.net_equity_per_roll == pytest.approx(case["per_roll"], abs=5e-5)
    assert luck.rolls == luck.measured == sum(case["rolls"])


@pytest.mark.parametrize("case", GNUBG["matches"], ids=lambda case: case["desc"])
def test_totals_that_gnu_backgammon_prints(case):
    builder = new_match(case["length"])
    for number, game in enumerate(case["games"], start=1):
        builder.game(number, tuple(game["score"]), crawford=game["crawford"])
        for seat, cube, luck in game["rolls"]:
            add_roll(builder, luck, seat=seat, cube=cube)
    builder.end_match(tuple(case["final"]))
    luck = luck_of(builder)
    assert luck.equity[0] == pytest.approx(case["luck_equity"], abs=PRINTED_EQUITY)
    assert 100 * luck.chances[0] == pytest.approx(case["luck_percent"], abs=PRINTED_PERCENT)
    for seat in (0, 1):
        mine = luck.of(0, seat)
        assert 100 * mine.result == pytest.approx(case["actual_percent"][seat], abs=PRINTED_PERCENT)
        assert 100 * mine.adjusted == pytest.approx(case["adjusted_percent"][seat], abs=PRINTED_PERCENT)


def test_each_roll_has_the_slope_of_its_score_and_cube():
    builder = new_match(7)
    add_roll(builder, 0.5)
    add_roll(builder, 0.5, cube=2)
    add_roll(builder, -0.25, seat=1, cube=4)
    builder.game(2, (5, 3))  # 2 away, 4 away
    add_roll(builder, 0.1, cube=2)
    luck = luck_of(builder)
    assert luck.chances[0, 0] == pytest.approx(0.5 * 0.062610 + 0.5 * 0.126380 + 0.1 * 0.25, abs=2e-6)
    assert luck.chances[0, 1] == pytest.approx(-0.25 * 0.262090, abs=2e-6)
    assert luck.equity.tolist() == [[pytest.approx(1.1), -0.25]]


def test_only_rolls_have_luck_and_a_dance_is_a_roll():
    builder = new_match(7)
    builder.checker(
        seat=0, move=1, board=START, dice=(6, 6), played=-1, options=(), cube=1, cube_owner=0, luck=-0.4
    )
    add_cube(builder, (0.5, 0.4, 1.0))
    luck = luck_of(builder)
    assert luck.rolls.tolist() == luck.measured.tolist() == [[1, 0]]
    assert luck.chances[0, 0] == pytest.approx(-0.4 * SLOPE_7_AWAY, abs=2e-6)


def test_coverage_counts_the_rolls_of_both_players():
    builder = new_match(7)
    for luck, seat in ((0.2, 0), (None, 0), (0.1, 1), (None, 1), (-np.inf, 1)):
        add_roll(builder, luck, seat=seat)
    builder.end_match((7, 0))
    luck = luck_of(builder).of(0, 0)
    assert (luck.rolls, luck.measured, luck.coverage) == (5, 2, 0.4)
    assert luck.adjusted == pytest.approx(0.5 - 0.1 * SLOPE_7_AWAY, abs=2e-6)


UNAVAILABLE = {
    "no luck in the file": [(None, 0), (None, 1)],
    "exactly 0 for every roll: not computed": [(0.0, 0), (0.0, 1), (None, 1)],
    "minus infinity, as GNU Backgammon writes unknown": [(-np.inf, 0), (-np.inf, 1)],
    "one of two players was not analysed": [(0.2, 0), (None, 1)],
    "no roll at all": [],
}


@pytest.mark.parametrize("rolls", UNAVAILABLE.values(), ids=list(UNAVAILABLE))
def test_unknown_luck_is_never_zero(rolls):
    builder = new_match(7)
    for luck, seat in rolls:
        add_roll(builder, luck, seat=seat)
    builder.end_match((7, 0))
    luck = luck_of(builder).of(0, 0)
    assert luck.adjusted is None and luck.net is None and luck.decided_by == ""
    assert luck.result == 0.5  # the result itself is known


def test_one_roll_other_than_zero_makes_the_zeros_known():
    builder = new_match(7)
    add_roll(builder, 0.0)
    add_roll(builder, -0.1, seat=1)
    builder.end_match((0, 7))
    luck = luck_of(builder).of(0, 0)
    assert luck.own == 0 and luck.measured == 2
    assert luck.adjusted == pytest.approx(-0.5 - 0.1 * SLOPE_7_AWAY, abs=2e-6)


def test_no_result_no_adjusted_result():
    for length, final in ((7, None), (7, (6, 6)), (0, (12, 3))):
        builder = new_match(length)
        add_roll(builder, 0.2)
        add_roll(builder, 0.1, seat=1)
        builder.end_match(final)
        luck = luck_of(builder).of(0, 0)
        assert luck.result is None and luck.adjusted is None
        assert luck.net_equity == pytest.approx(0.1)
        assert (luck.net is None) == (length == 0)
        assert luck.measured == 2


def test_luck_by_another_table_is_left_out():
    builder = RecordBuilder()
    builder.match(Match("m", 7, ("ann", "bob"), met="Zadeh", final_score=(7, 1)))
    builder.game(1, (0, 0))
    add_roll(builder, 0.2)
    add_roll(builder, 0.1, seat=1)
    assert luck_of(builder).of(0, 0).adjusted is None
    assert luck_of(builder, met="zadeh").of(0, 0).adjusted is not None


def test_frame_has_a_row_for_each_player():
    builder = new_match(7)
    add_roll(builder, 0.2)
    add_roll(builder, 0.1, seat=1)
    builder.end_match((7, 1))
    add_match(builder, 0, "money")
    add_roll(builder, 0.2)
    library = builder.library()
    table = tally_luck(library, assess(library)).frame(library)
    assert table["player"].tolist() == ["ann", "bob"] * 2
    assert table["adjusted"].isna().tolist() == [False, False, True, True]
    assert table["adjusted"][0] == -table["adjusted"][1]
    assert table["decided_by"].tolist() == ["play", "play", "", ""]


def test_a_library_without_matches():
    library = RecordBuilder().library()
    assert tally_luck(library, assess(library)).frame(library).empty


def test_average_results_take_the_luck_out_of_the_same_matches():
    builder = RecordBuilder()
    rng = np.random.default_rng(3)
    for number in range(12):
        seats = number % 2
        add_match(builder, 7, f"m{number}", ("ann", "bob") if seats == 0 else ("bob", "ann"))
        won = int(rng.integers(2))
        # Nearly all of the result is the dice.
        add_roll(builder, (won - 0.5 - rng.normal(0.02, 0.01)) / SLOPE_7_AWAY, seat=seats)
        add_roll(builder, 0.0, seat=1 - seats)
        own, other = (7, 2) if won else (2, 7)
        builder.end_match((own, other) if seats == 0 else (other, own))
    add_match(builder, 0, "money")
    add_match(builder, 7, "others", ("eve", "bob"))
    library = builder.library()
    result = average_results(library, assess(library), "Ann")
    assert (result.matches, result.unavailable) == (12, 1)
    assert result.adjusted.value == pytest.approx(0.02, abs=0.01)
    assert result.adjusted.high - result.adjusted.low < 0.1 * (result.actual.high - result.actual.low)
    assert average_results(library, assess(library), "eve") == (None, None, 0, 1)


@st.composite
def matches(draw):
    """Rolls (luck or None, seat, cube), final score, start."""
    luck = st.one_of(st.none(), st.floats(-1.5, 1.5), st.just(0.0))
    rolls = draw(st.lists(st.tuples(luck, st.integers(0, 1), st.sampled_from([1, 2, 4])), max_size=12))
    start = draw(st.tuples(st.integers(0, 6), st.integers(0, 6)))
    final = draw(st.sampled_from([None, (7, 2), (1, 7), (5, 5)]))
    return rolls, start, final


def played(match, turned=False, key="m"):
    """A library of one match; ``turned``: seats exchanged."""
    rolls, start, final = match
    sign = -1 if turned else 1
    builder = RecordBuilder()
    builder.match(Match(key, 7, ("ann", "bob")[::sign], start_score=start[::sign]))
    builder.game(1, start[::sign])
    for luck, seat, cube in rolls:
        add_roll(builder, luck, seat=1 - seat if turned else seat, cube=cube)
    builder.end_match(None if final is None else final[::sign])
    return builder.library()


@given(match=matches())
@settings(max_examples=60, deadline=None)
def test_seats_exchanged(match):
    one, other = (played(match, turned) for turned in (False, True))
    luck, turned = tally_luck(one, assess(one)), tally_luck(other, assess(other))
    for seat in (0, 1):
        assert luck.of(0, seat) == pytest.approx(turned.of(0, 1 - seat), nan_ok=True)
    mine, his = luck.of(0, 0), luck.of(0, 1)
    if mine.adjusted is None:
        assert his.adjusted is None
    else:
        assert mine.adjusted == -his.adjusted and mine.decided_by == his.decided_by
    assert (mine.own, mine.opponent) == (his.opponent, his.own)


@given(first=matches(), second=matches(), gap=st.integers(0, 12))
@settings(max_examples=40, deadline=None)
def test_order_of_the_matches_and_unknown_rolls_change_nothing(first, second, gap):
    one, other = played(first, key="a"), played(second, key="b")
    straight, turned = join([one, other]), join([other, one])
    luck, back = tally_luck(straight, assess(straight)), tally_luck(turned, assess(turned))
    assert luck.of(0, 0) == back.of(1, 0) and luck.of(1, 1) == back.of(0, 1)
    # A roll without a known luck adds to the rolls and to nothing else, if its player has another that is known.
    rolls, *rest = first
    longer = played(([*rolls[:gap], (None, 0, 1), *rolls[gap:]], *rest))
    mine, more = luck.of(0, 0), tally_luck(longer, assess(longer)).of(0, 0)
    assert (more.rolls, more.measured) == (mine.rolls + 1, mine.measured)
    known = np.isfinite(roll_luck(one, assess(one))) & (one.decisions.seat == 0)
    if known.any() or not mine.measured:
        assert more.adjusted == mine.adjusted and more.own == mine.own
    else:
        assert more.adjusted is None and more.own is None
