"""Hasty and considered errors: medians of the player, the type and the match, by hand; unknown durations apart."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ludometrics.backgammon.assessment import assess
from ludometrics.backgammon.pace import CONSIDERED, QUICK, report_pace, split_pace
from ludometrics.backgammon.records import UNKNOWN, join
from made_matches import add_checker, add_cube, add_match, new_match

MISSED = (0.5, 0.6, 1.0)  # a missed double costs 0.1
SLOPE_7_AWAY = 0.062610


def add_timed(builder, error_mp, duration, *, seat=0, **columns):
    """A checker play with this error and this duration in milliseconds or None."""
    equities = [0.0, -error_mp / 1000] if error_mp else [0.0, -0.5]
    add_checker(builder, equities, played=int(error_mp > 0), seat=seat, duration_ms=duration, **columns)


def pace_of(builder, name="ann"):
    library = builder.library()
    return report_pace(library, assess(library), library.of_player(name))


def split(builder):
    library = builder.library()
    return split_pace(library, assess(library).has_loss).tolist()


def test_faster_than_the_median_is_hasty_equal_or_slower_is_considered():
    builder = new_match()
    for error, duration in ((60, 1000), (0, 2000), (70, 3000), (80, 5000), (0, 9000), (90, None)):
        add_timed(builder, error, duration)
    assert split(builder) == [QUICK, QUICK, CONSIDERED, CONSIDERED, CONSIDERED, UNKNOWN]
    pace = pace_of(builder).checker
    assert (pace.hasty, pace.considered, pace.unknown) == (1, 2, 1)
    assert pace.hasty_loss == pytest.approx(0.060 * SLOPE_7_AWAY, abs=1e-6)
    assert pace.considered_loss == pytest.approx(0.150 * SLOPE_7_AWAY, abs=1e-6)
    assert pace.unknown_loss == pytest.approx(0.090 * SLOPE_7_AWAY, abs=1e-6)
    assert (pace.decisions, pace.quick) == (5, 2)
    assert pace.share == pytest.approx(1 / 3) and pace.low is None and pace.matches == 1


def test_the_median_of_an_even_number_is_the_mean_of_the_middle_two():
    builder = new_match()
    for duration in (1000, 2000, 2001, 9000):
        add_timed(builder, 60, duration)
    # 2000.5: the second is quicker by half a millisecond.
    assert split(builder) == [QUICK, QUICK, CONSIDERED, CONSIDERED]
    builder = new_match()
    for duration in (1000, 2000, 2000, 9000):
        add_timed(builder, 60, duration)
    assert split(builder) == [QUICK, CONSIDERED, CONSIDERED, CONSIDERED]


def test_medians_are_of_the_player_the_type_and_the_match():
    builder = new_match()
    add_timed(builder, 60, 1000)
    add_timed(builder, 60, 3000)
    add_timed(builder, 60, 100, seat=1)
    add_timed(builder, 60, 300, seat=1)
    add_cube(builder, MISSED, played=0, duration_ms=10)
    add_cube(builder, MISSED, played=0, duration_ms=30)
    add_match(builder, 7, "m2")
    add_timed(builder, 60, 10000)
    add_timed(builder, 60, 30000)
    assert split(builder) == [QUICK, CONSIDERED] * 4
    pace = pace_of(builder)
    assert [(part.type, part.hasty, part.considered) for part in (pace.checker, pace.cube, pace.all)] == [
        ("checker", 2, 2),
        ("cube", 1, 1),
        ("all", 3, 3),
    ]
    assert pace.cube.hasty_loss == pytest.approx(0.1 * SLOPE_7_AWAY, abs=1e-6)


def test_only_priced_decisions_make_the_median():
    builder = new_match()
    add_timed(builder, 60, 1000)
    add_timed(builder, 60, 3000)
    for _ in range(5):
        add_timed(builder, 0, 50, legal=1)  # no choice, so it does not count
    assert split(builder)[:2] == [QUICK, CONSIDERED]
    assert split(builder)[2:] == [UNKNOWN] * 5


def test_money_play_has_no_loss_so_no_pace():
    builder = new_match(0)
    for duration in (1000, 2000, 3000):
        add_timed(builder, 60, duration)
    pace = pace_of(builder).all
    assert (pace.hasty, pace.considered, pace.unknown, pace.decisions) == (0, 0, 0, 0)
    assert pace.share is None


def test_the_share_has_an_interval_by_match():
    builder = new_match()
    for number, hasty in enumerate((4, 3, 2, 4)):
        if number:
            add_match(builder, 7, f"m{number}")
        for place in range(10):
            quick = place < 5
            error = place < hasty or place == 9
            add_timed(builder, 60 if error else 0, 1000 if quick else 2000)
    pace = pace_of(builder).checker
    assert (pace.hasty, pace.considered, pace.matches) == (13, 4, 4)
    # By hand: ratio 13 / 17 of hasty 4, 3, 2, 4 among errors 5, 4, 3, 5.
    residuals = np.array([4, 3, 2, 4]) - 13 / 17 * np.array([5, 4, 3, 5])
    half = 1.96 * np.sqrt(4 / 3 * (residuals**2).sum()) / 17
    assert (pace.low, pace.high) == pytest.approx((13 / 17 - half, 13 / 17 + half))
    assert (pace.decisions, pace.quick) == (40, 20)


def test_frame_has_a_row_a_type():
    builder = new_match()
    add_timed(builder, 60, 1000)
    table = pace_of(builder).frame()
    assert table["type"].tolist() == ["checker", "cube", "all"]
    assert table["hasty"].tolist() == [0, 0, 0]
    assert table["share"].isna().tolist() == [False, True, False]


DURATIONS = st.lists(
    st.tuples(st.one_of(st.none(), st.integers(0, 40)), st.booleans()), min_size=1, max_size=15
)


@given(durations=DURATIONS)
@settings(max_examples=50, deadline=None)
def test_quick_against_the_plain_median(durations):
    builder = new_match()
    for duration, error in durations:
        add_timed(builder, 60 if error else 0, duration)
    known = [duration for duration, _ in durations if duration is not None]
    middle = np.median(known) if known else np.nan
    wanted = [
        UNKNOWN if duration is None else QUICK if duration < middle else CONSIDERED
        for duration, _ in durations
    ]
    assert split(builder) == wanted
    pace = pace_of(builder).all
    errors = sum(error for _, error in durations)
    assert pace.hasty + pace.considered + pace.unknown == errors
    assert 2 * pace.quick <= pace.decisions == len(known)


@given(durations=DURATIONS, seed=st.integers(0, 1000))
@settings(max_examples=25, deadline=None)
def test_order_of_matches_and_unknown_durations_change_no_class(durations, seed):
    rng = np.random.default_rng(seed)
    parts = []
    for number in range(3):
        builder = new_match(7, f"m{number}")
        for place in rng.permutation(len(durations)):
            duration, error = durations[place]
            add_timed(builder, 60 if error else 0, duration)
        parts.append(builder.library())
    library, turned = join(parts), join(parts[::-1])
    one, other = (report_pace(lib, assess(lib), lib.of_player("ann")) for lib in (library, turned))
    assert one.all[:4] == other.all[:4]
    assert one.all[4:] == pytest.approx(other.all[4:], nan_ok=True)
    alone = report_pace(parts[0], assess(parts[0]), parts[0].of_player("ann"))
    assert one.all.hasty == 3 * alone.all.hasty and one.all.unknown == 3 * alone.all.unknown
