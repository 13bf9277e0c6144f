"""Signed biases: the intervals by hand, which way each decision errs, scores, blots, and what is left out."""

import os
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ludometrics.backgammon.assessment import assess
from ludometrics.backgammon.biases import MONEY, VERDICTS, cube_directions, find_biases, signed_bias
from ludometrics.backgammon.building import Option
from ludometrics.backgammon.records import UNKNOWN, Kind, join
from ludometrics.backgammon.settings import DEFAULTS
from made_matches import START, add_checker, add_cube, add_match, cases, new_match

CASES = cases("biases_cases")
WRONG_TAKE, WRONG_PASS = ((0.9, 1.2, 1.0), 1), ((0.9, 0.8, 1.0), 0)
RIGHT_TAKE = ((0.9, 0.8, 1.0), 1)
PREMATURE, MISSED, RIGHT_DOUBLE = ((0.5, 0.4, 1.0), 1), ((0.5, 0.6, 1.0), 0), ((0.5, 0.6, 1.0), 1)


def moved(*hops):
    """The opening position after these hops."""
    board = list(START)
    for start, end in hops:
        board[start] -= 1
        board[end] += 1
    return tuple(board)


SAFE = moved((8, 5), (6, 5))
LOOSE = moved((24, 23), (13, 10))
LEAST = DEFAULTS.bias_decisions


def biases_of(builder, **changes):
    library = builder.library()
    judged = assess(library, DEFAULTS.changed(**changes))
    return find_biases(library, judged, library.of_player("ann"))


def add_play(builder, played, best, *, cost=0.06, board=START, boards=(SAFE, LOOSE), seat=0):
    """A play of boards[played] where boards[best] is best."""
    options = [Option(after, -cost if place != best else 0.0, None, 2) for place, after in enumerate(boards)]
    builder.checker(
        seat=seat,
        move=1,
        board=board,
        dice=(3, 1),
        played=played,
        options=options,
        cube=1,
        cube_owner=0,
        legal_plays=16,
    )


@pytest.mark.parametrize("case", CASES["signed"], ids=lambda case: case["desc"])
def test_bias_and_interval(case):
    bias = signed_bias(case["too_much"], case["too_little"], case["decisions"])
    assert bias.verdict == case["verdict"]
    for name in ("value", "low", "high"):
        wanted = case[name]
        assert getattr(bias, name) == (None if wanted is None else pytest.approx(wanted, abs=1e-4))


@pytest.mark.parametrize("counts", [(3, 2, 4), (-1, 0, 4), (0, -1, 4)], ids=str)
def test_impossible_counts_are_refused(counts):
    with pytest.raises(ValueError, match=r"too much and .* too little of 4 decisions"):
        signed_bias(*counts)


@pytest.mark.parametrize("case", CASES["cube"], ids=lambda case: case["desc"])
def test_which_way_a_cube_decision_errs(case):
    builder = new_match()
    equities = case["equities"] and [np.nan if value is None else value for value in case["equities"]]
    add_cube(builder, equities, case["kind"], played=case["played"])
    (direction,) = cube_directions(builder.library().decisions)
    if case["direction"] is None:
        assert np.isnan(direction)
    else:
        assert direction == case["direction"]


def test_takes_and_passes_are_counted_with_their_costs():
    builder = new_match()
    for (equities, played), times in ((WRONG_TAKE, 3), (WRONG_PASS, 1), (RIGHT_TAKE, 16)):
        for _ in range(times):
            add_cube(builder, equities, Kind.RESPONSE, played=played)
    add_cube(builder, WRONG_TAKE[0], Kind.RESPONSE, played=1, seat=1)
    takes = biases_of(builder).takes
    assert (takes.too_much, takes.too_little, takes.decisions, takes.apart) == (3, 1, 20, 0)
    assert (takes.too_much_mp, takes.too_little_mp) == (600, 200)
    assert takes == signed_bias(3, 1, 20, too_much_mp=600, too_little_mp=200)


def test_a_take_bias_is_the_difference_from_the_rate_of_the_engine():
    builder = new_match()
    taken = engine = 0
    rng = np.random.default_rng(5)
    for _ in range(60):
        take, played = rng.uniform(0.7, 1.3), int(rng.integers(2))
        add_cube(builder, (0.9, take, 1.0), Kind.RESPONSE, played=played)
        taken, engine = taken + played, engine + (take < 1)
    takes = biases_of(builder).takes
    assert takes.value == pytest.approx((taken - engine) / 60)


def test_doubles_by_score():
    builder = new_match(length=7)
    for _ in range(20):
        add_cube(builder, PREMATURE[0], played=1)
    builder.game(2, (2, 0))
    for _ in range(21):
        add_cube(builder, MISSED[0], played=0)
    builder.game(3, (6, 2), crawford=True)
    builder.game(4, (6, 3))  # after the Crawford game the leader needs one point
    add_cube(builder, MISSED[0], played=0, seat=1)
    add_cube(builder, PREMATURE[0], played=1)
    add_match(builder, 0, "money")
    add_cube(builder, PREMATURE[0], played=1)
    biases = biases_of(builder)
    by_score = biases.doubles_by_score
    assert list(by_score) == [MONEY, (1, 4), (5, 7), (7, 7)]
    assert [bias.verdict for bias in by_score.values()] == [
        "insufficient",
        "insufficient",
        "too little",
        "too much",
    ]
    assert [bias.value for bias in by_score.values()] == [1, 1, -1, 1]
    assert by_score[(5, 7)].too_little_mp == 21 * 100
    assert biases.doubles.decisions == 43
    assert (biases.doubles.too_much, biases.doubles.too_little) == (22, 21)


def test_only_close_decisions_not_to_double_count():
    builder = new_match()
    add_cube(builder, (0.3, -0.2, 1.0), played=0)  # far from a double
    add_cube(builder, (-0.1, -0.2, 1.0), played=0)
    assert biases_of(builder).doubles.decisions == 0
    assert biases_of(builder).doubles.value is None


def test_blots_after_the_play_made_and_after_the_best():
    builder = new_match()
    for played, best, times in ((1, 0, 12), (0, 1, 2), (0, 0, 5), (1, 1, 1)):
        for _ in range(times):
            add_play(builder, played, best)
    blots = biases_of(builder).blots
    assert (blots.too_much, blots.too_little, blots.decisions) == (12, 2, 20)
    assert (blots.too_much_mp, blots.too_little_mp) == (720, 120)
    assert blots.verdict == "too much"


def test_a_play_that_costs_nothing_errs_no_way_though_its_blots_differ():
    builder = new_match()
    add_play(builder, 1, 0, cost=0.0002)
    assert biases_of(builder).blots == signed_bias(0, 0, 1)


def test_equal_numbers_of_blots_err_no_way():
    builder = new_match()
    add_play(builder, 1, 0, boards=(LOOSE, moved((24, 21), (13, 11))))
    assert biases_of(builder).blots == signed_bias(0, 0, 1)


def test_a_checker_on_the_bar_is_no_blot():
    # Both plays leave the same points; the second leaves a checker on the bar.
    board = list(START)
    board[24], board[25] = 0, 2
    entered, danced = list(board), list(board)
    entered[25], entered[22] = 0, 2
    danced[25], danced[22] = 1, 1
    builder = new_match()
    add_play(builder, 1, 0, board=tuple(board), boards=(tuple(entered), tuple(danced)))
    assert biases_of(builder).blots == signed_bias(1, 0, 1, too_much_mp=60)


def test_boards_that_cannot_be_are_counted_apart():
    missing = list(LOOSE)
    missing[12] = 0  # five checkers of the other player are gone
    tripled = list(LOOSE)
    tripled[13], tripled[6] = 0, 4  # five of one's own
    builder = new_match()
    add_play(builder, 1, 0, boards=(SAFE, tuple(missing)))
    add_play(builder, 1, 0, boards=(SAFE, tuple(tripled)))
    add_play(builder, 1, 0)
    # One that costs nothing is not looked at.
    add_play(builder, 1, 0, boards=(SAFE, tuple(missing)), cost=0.0)
    assert biases_of(builder).blots == signed_bias(1, 0, 2, too_much_mp=60, apart=2)


def test_races_are_no_matter_of_blots():
    race = [0] * 26
    race[3], race[2], race[22] = 1, 3, -4
    after = list(race)
    after[3] = 0
    builder = new_match()
    add_play(builder, 1, 0, board=tuple(race), boards=(tuple(after), tuple(race)))
    assert biases_of(builder).blots.decisions == 0


def test_unscored_decisions_are_in_no_count():
    builder = new_match()
    add_cube(builder, None, Kind.RESPONSE, played=1)
    add_cube(builder, WRONG_TAKE[0], Kind.RESPONSE, played=UNKNOWN)
    add_checker(builder, [0.0, -0.1], played=UNKNOWN)
    biases = biases_of(builder)
    assert biases.takes == biases.blots == biases.doubles == signed_bias(0, 0, 0)


def test_frame_lists_the_three_then_the_scores():
    builder = new_match()
    add_cube(builder, PREMATURE[0], played=1)
    builder.game(2, (3, 0))
    add_cube(builder, RIGHT_DOUBLE[0], played=1)
    table = biases_of(builder).frame()
    assert table["bias"].tolist() == ["takes", "doubles", "blots", "doubles", "doubles"]
    assert table["away"].fillna(-1).tolist() == [-1, -1, -1, 4, 7]
    assert np.isnan(table["value"].astype(float)[0])  # no take: unknown, not 0
    assert table["decisions"].tolist() == [0, 2, 0, 1, 1]


@pytest.mark.parametrize("plies", ["2-ply", "4-ply"])
def test_wrong_cube_actions_are_those_that_gnu_backgammon_counts(plies):
    folder = Path(os.environ.get("LUDOMETRICS_EXTRA_DATA") or ".", "backgammon", "gnubg_text", plies)
    files = sorted(folder.glob("*.txt"))
    if not files:
        pytest.skip(
            "LUDOMETRICS_EXTRA_DATA names no folder with backgammon/gnubg_text: 1 of 2 matches skipped"
        )
    from ludometrics.backgammon.gnubg_text import read_gnubg_text
    from ludometrics.backgammon.gnubg_totals import text_totals

    decisions = read_gnubg_text(files).decisions
    direction = cube_directions(decisions)
    games = [total for file in files for total in text_totals(file.read_text(encoding="utf-8")) if total.game]
    assert len(games) == len(files)
    for seat in (0, 1):
        # Missed doubles below and above the cash point, wrong ones below and above, wrong takes, wrong passes.
        printed = np.sum([total.players[seat].cube_errors for total in games], axis=0)
        own = decisions.seat == seat
        ours = {
            (kind, sign): int((own & (decisions.kind == kind) & (direction == sign)).sum())
            for kind in (Kind.DOUBLE, Kind.RESPONSE)
            for sign in (1, -1)
        }
        # What differs by less than the three decimals printed looks equal here, and is no error.
        no_double, take, drop = decisions.equities.T
        equal = own & (decisions.kind == Kind.DOUBLE) & (no_double == np.minimum(take, drop))
        for sign, counted in ((-1, printed[0] + printed[1]), (1, printed[2] + printed[3])):
            alike = int((equal & (decisions.played == (sign > 0))).sum())
            assert ours[Kind.DOUBLE, sign] <= counted <= ours[Kind.DOUBLE, sign] + alike
        assert (ours[Kind.RESPONSE, 1], ours[Kind.RESPONSE, -1]) == (printed[4], printed[5])


def random_library(rng, matches=3):
    builder = new_match(7, "m0")
    for number in range(matches):
        if number:
            add_match(builder, int(rng.integers(0, 8)), f"m{number}")
        for _ in range(int(rng.integers(1, 12))):
            seat, kind = int(rng.integers(2)), int(rng.integers(3))
            if kind == Kind.CHECKER:
                add_play(builder, int(rng.integers(2)), int(rng.integers(2)), seat=seat)
            else:
                equities = rng.uniform(0, 1.4, 3).round(3)
                add_cube(builder, (*equities[:2], 1.0), kind, played=int(rng.integers(2)), seat=seat)
    return builder.library()


@given(seed=st.integers(0, 2**32 - 1))
@settings(max_examples=25, deadline=None)
def test_invariants(seed):
    rng = np.random.default_rng(seed)
    library = random_library(rng)
    judged = assess(library)
    whole = find_biases(library, judged, np.ones(len(library.decisions), dtype=bool))
    # The cells of the scores add up to all doubles, and so do the players.
    for name in ("decisions", "too_much", "too_little", "too_much_mp", "too_little_mp", "apart"):
        parts = [getattr(bias, name) for bias in whole.doubles_by_score.values()]
        assert sum(parts) == getattr(whole.doubles, name)
    each = [find_biases(library, judged, library.of_player(name)) for name in ("ann", "bob")]
    for kind in ("takes", "doubles", "blots"):
        assert sum(getattr(bias, kind).decisions for bias in each) == getattr(whole, kind).decisions
        bias = getattr(whole, kind)
        assert bias.verdict in VERDICTS
        if bias.low is not None:
            assert -1 <= bias.value <= 1 and bias.low <= bias.value <= bias.high
    # The order of the decisions does not matter.
    shuffled = random_library(np.random.default_rng(seed))
    order = rng.permutation(len(shuffled.matches))
    parts = [shuffled.only(np.arange(len(order)) == row) for row in order]
    turned = join(parts)
    assert find_biases(turned, assess(turned), np.ones(len(turned.decisions), dtype=bool)) == whole


@given(much=st.integers(0, 60), little=st.integers(0, 60), rest=st.integers(0, 60))
@settings(max_examples=60, deadline=None)
def test_turning_every_error_round_turns_the_bias_round(much, little, rest):
    bias, turned = (signed_bias(*counts, much + little + rest) for counts in ((much, little), (little, much)))
    assert (bias.value or 0) == -(turned.value or 0)
    if bias.low is not None:
        assert (bias.low, bias.high) == pytest.approx((-turned.high, -turned.low))
    opposite = {"too much": "too little", "too little": "too much"}
    assert turned.verdict == opposite.get(bias.verdict, bias.verdict)
    assert (bias.verdict == "insufficient") == (much + little + rest < LEAST)
