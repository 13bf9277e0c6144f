"""Reference positions: what covers what, discounts, ties, scores, and positions dealt with already."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from drawn_boards import MIDDLE, begin, moved, no_double, play
from ludometrics.backgammon.assessment import assess
from ludometrics.backgammon.building import RecordBuilder
from ludometrics.backgammon.error_families import classify_errors
from ludometrics.backgammon.position_distance import distance
from ludometrics.backgammon.positions import decision_xgid, position_id
from ludometrics.backgammon.records import ROLLOUT_DEPTH, Opinion
from ludometrics.backgammon.reference_positions import MOST, reference_positions
from ludometrics.backgammon.themes import Theme
from study_tables import action

#: 13 pips and more from MIDDLE and from what is moved there by a few pips.
FAR = moved(MIDDLE, (24, 14), (24, 14))
#: Far from both.
ELSEWHERE = moved(MIDDLE, (13, 3), (13, 3), (24, 21))


def shifted(pips):
    return moved(MIDDLE, (13, 13 - pips))


def proposal(builder, name="ann", **options):
    library = builder.library()
    return reference_positions(library, assess(library), library.of_player(name), **options)


def boards_of(builder, found):
    decisions = builder.library().decisions
    return [tuple(decisions.board[row].tolist()) for row in found.rows]


def one_match(*plays, **facts):
    builder = RecordBuilder()
    begin(builder, "m1", **facts)
    for move, (cost, board, columns) in enumerate(plays, start=1):
        play(builder, cost, board=board, move=move, **columns)
    return builder


def test_the_centre_of_a_cluster_beats_one_larger_error():
    builder = RecordBuilder()
    for index, pips in enumerate((0, 3, 6)):
        begin(builder, f"m{index}")
        play(builder, 100, board=moved(MIDDLE, (24, 24 - pips)))
    begin(builder, "m9")
    play(builder, 180, board=FAR)
    library = builder.library()
    found = proposal(builder)
    excess = assess(library).loss - assess(library).difficulty
    # All three lie within 12 pips of one another: the first in the fixed order stands for them.
    first, second = found.references
    assert (first.errors, first.matches, first.family_errors) == (3, 3, 4)
    assert first.gain == first.covered == pytest.approx(excess[:3].sum(), rel=1e-12)
    assert first.excess == pytest.approx(excess[0], rel=1e-9)
    assert (second.row, second.errors, second.matches) == (3, 1, 1)
    assert (found.candidates, found.handled, found.decisions, found.radius) == (4, 0, 4, 12)


def test_only_the_middle_reaches_both_ends():
    line = [MIDDLE, moved(MIDDLE, (13, 3)), moved(MIDDLE, (13, 3), (13, 3))]
    assert [distance(line[1], board) for board in line] == [10, 0, 10]
    found = proposal(one_match(*[(100, board, {}) for board in line]))
    assert [reference.errors for reference in found.references] == [3]
    assert found.rows == (1,)


def test_twelve_pips_are_near_and_thirteen_are_not():
    for hop, pips, expected in (((20, 8), 12, [2]), ((21, 8), 13, [1, 1])):
        base = moved(MIDDLE, (24, hop[0]))
        board = moved(base, hop)
        assert distance(base, board) == pips
        builder = one_match((100, base, {}), (100, board, {}))
        assert [reference.errors for reference in proposal(builder).references] == expected


def test_each_flag_halves_the_gain():
    builder = one_match(
        (100, MIDDLE, {"second_mp": 24, "opinion": Opinion.DIFFERS}),
        (100, FAR, {"second_mp": 24}),
        (100, ELSEWHERE, {}),
    )
    found = proposal(builder)
    assert boards_of(builder, found) == [ELSEWHERE, FAR, MIDDLE]
    assert [reference.gain / reference.covered for reference in found.references] == [1.0, 0.5, 0.25]
    assert [(reference.narrow, reference.unstable) for reference in found.references] == [
        (False, False),
        (True, False),
        (True, True),
    ]
    assert [reference.gap_mp for reference in found.references] == [100, 24, 24]


def test_narrow_is_less_than_half_the_threshold():
    for second, narrow in ((24, True), (25, False)):
        (reference,) = proposal(one_match((100, MIDDLE, {"second_mp": second}))).references
        assert (reference.gap_mp, reference.narrow) == (second, narrow)


def test_a_rollout_decides_a_tie():
    plain = one_match((100, MIDDLE, {}), (100, FAR, {}))
    order = boards_of(plain, proposal(plain))
    for chosen, opinion in ((MIDDLE, Opinion.ROLLOUT_AGREES), (FAR, Opinion.ROLLOUT_AGREES)):
        opinions = {chosen: opinion}
        builder = one_match(
            *[(100, board, {"opinion": opinions.get(board, Opinion.AGREES)}) for board in (MIDDLE, FAR)]
        )
        found = proposal(builder)
        assert boards_of(builder, found)[0] == chosen
        assert [reference.rollout for reference in found.references] == [True, False]
        assert sorted(boards_of(builder, found)) == sorted(order)


def test_an_analysis_that_is_a_rollout_bears_itself_out():
    builder = RecordBuilder()
    begin(builder, "m1")
    no_double(builder, 100, depth=ROLLOUT_DEPTH)
    no_double(builder, 100, board=FAR, depth=ROLLOUT_DEPTH, opinion=Opinion.DIFFERS)
    found = proposal(builder)
    assert [(reference.rollout, reference.unstable) for reference in found.references] == [
        (True, False),
        (False, True),
    ]


def test_another_family_brings_no_second_position_alike():
    builder = one_match(
        (100, MIDDLE, {}), (80, shifted(2), {"theme": "point"}), (70, FAR, {"theme": "point"})
    )
    found = proposal(builder)
    assert boards_of(builder, found) == [MIDDLE, FAR]
    # Not a neighbour: it is of another family, so its loss is not covered either.
    assert [reference.errors for reference in found.references] == [1, 1]
    assert [reference.theme for reference in found.references] == [Theme.GAMMON, Theme.POINT]


def test_another_family_is_dropped_up_to_twelve_pips_away():
    for end, taken in ((9, 1), (8, 2)):
        base = moved(MIDDLE, (24, 21))
        builder = one_match((100, base, {}), (80, moved(base, (21, end)), {"theme": "point"}))
        assert len(proposal(builder).references) == taken


def test_a_position_holds_what_was_lost_beyond_its_difficulty_never_less_than_nothing():
    builder = one_match((60, MIDDLE, {"crowd": 120}))
    found = proposal(builder)
    assert (found.candidates, found.references) == (1, ())
    play(builder, 100, move=2)
    library = builder.library()
    judged = assess(library)
    (reference,) = proposal(builder).references
    assert (reference.row, reference.errors) == (1, 2)
    assert reference.excess == reference.covered == judged.loss[1] - judged.difficulty[1]


def test_what_is_covered_is_not_counted_again():
    line = [moved(MIDDLE, *[(13, 3)] * count) for count in range(4)]  # 10 pips from one to the next
    builder = one_match(*[(cost, board, {}) for cost, board in zip((100, 100, 100, 90), line, strict=True)])
    first, last = proposal(builder).references
    assert (first.row, first.errors) == (1, 3)
    # Its neighbour is covered already: the last one stands for itself alone.
    assert (last.row, last.errors, last.covered) == (3, 1, last.excess)


def test_a_cube_position_holds_at_its_score():
    builder = RecordBuilder()
    for key, score in (("m1", (0, 0)), ("m2", (0, 0)), ("m3", (2, 1))):
        begin(builder, key, score=score)
        no_double(builder, 100)
    found = proposal(builder)
    assert sorted(
        (reference.away, reference.errors, reference.matches) for reference in found.references
    ) == [
        ((5, 6), 1, 1),
        ((7, 7), 2, 2),
    ]
    assert {reference.kind for reference in found.references} == {"cube"}


def test_a_checker_position_holds_at_any_score_and_a_cube_beside_it():
    builder = RecordBuilder()
    for key, score in (("m1", (0, 0)), ("m2", (2, 1))):
        begin(builder, key, score=score)
        play(builder, 100)
        no_double(builder, 100)
    found = proposal(builder)
    assert sorted(reference.kind for reference in found.references) == ["checker", "cube", "cube"]
    (checker,) = [reference for reference in found.references if reference.kind == "checker"]
    assert (checker.errors, checker.away) == (2, None)


def test_what_the_player_has_dealt_with_is_taken_from_the_start():
    builder = one_match(
        (100, MIDDLE, {}), (90, shifted(2), {}), (80, shifted(3), {"theme": "point"}), (70, FAR, {})
    )
    library = builder.library()
    for kind in ("studied", "review", "card", "collection", "comment"):
        found = proposal(builder, actions=[action(decision_xgid(library, 1), kind=kind)])
        assert boards_of(builder, found) == [FAR]
        assert (found.handled, found.candidates) == (1, 3)
    found = proposal(builder, actions=[action(position_id(FAR), kind="quiz")])
    assert (found.handled, len(found.references)) == (0, 2)


def test_nothing_without_price_or_theme_or_excess():
    builder = one_match((100, MIDDLE, {"theme": "none"}), (55, FAR, {}))
    begin(builder, "money", length=0)
    play(builder, 300, board=ELSEWHERE)
    found = proposal(builder)
    assert (found.references, found.candidates, found.rows) == ((), 0, ())
    assert proposal(builder, "nobody").references == ()


def test_the_size_asked_for():
    boards = [moved(MIDDLE, *hops) for hops in ([], [(24, 10)], [(24, 10), (24, 10)], [(13, 1), (13, 1)])]
    builder = one_match(*[(100 + place, board, {}) for place, board in enumerate(boards)])
    assert [len(proposal(builder, size=size).references) for size in (1, 2, 3, 50)] == [1, 2, 3, 4]
    for size in (0, MOST + 1):
        with pytest.raises(ValueError, match=f"{size} reference positions, allowed are 1 to 50"):
            proposal(builder, size=size)


def test_table():
    builder = one_match((100, MIDDLE, {}))
    no_double(builder, 100, move=2)
    table = proposal(builder).frame()
    assert table["place"].tolist() == [1, 2]
    by_kind = table.set_index("kind")
    assert pd.isna(by_kind.loc["checker", "away"]) and by_kind.loc["cube", "away"] == 7
    assert proposal(builder, "nobody").frame().columns.tolist() == table.columns.tolist()


def greedy(library, judged, errors, size, radius=12):
    """The definition word for word, over all pairs, for errors without flags: boards taken, and their gains."""
    decisions = library.decisions
    held = {}
    # In the fixed order of the positions, so that ties go to the first of them.
    for place in np.lexsort((errors.family, errors.position)):
        board = tuple(decisions.board[errors.row[place]].tolist())
        held[errors.family[place], board] = held.get((errors.family[place], board), 0.0) + max(
            errors.excess[place], 0.0
        )
    covered, dropped, taken = [], [], []
    while len(taken) < size:
        gains = {}
        for family, board in held:
            if (family, board) not in dropped:
                gains[family, board] = sum(
                    value
                    for (other, near), value in held.items()
                    if other == family and (other, near) not in covered and distance(board, near) <= radius
                )
        if not gains or max(gains.values()) <= 0:
            break
        family, board = max(gains, key=lambda key: round(gains[key], 12))
        taken.append(round(gains[family, board], 12))
        for other in held:
            if distance(board, other[1]) <= radius:
                dropped.append(other)
                if other[0] == family:
                    covered.append(other)
    return taken


#: Points on which the two rear checkers may stand, up to 20 pips apart together.
FREE = (24, 23, 22, 21, 20, 18, 16, 15, 14)
PLAYS = st.lists(
    st.tuples(
        st.integers(60, 300), st.sampled_from(["gammon", "point"]), st.integers(0, 9), st.integers(0, 9)
    ),
    min_size=1,
    max_size=14,
)


@settings(deadline=None, max_examples=25)
@given(PLAYS)
def test_as_the_definition_says(plays):
    builder = one_match(
        *[
            (cost, moved(MIDDLE, (24, first), (24, second)), {"theme": theme})
            for cost, theme, first, second in plays
        ]
    )
    library = builder.library()
    judged = assess(library)
    errors = classify_errors(library, judged)
    errors = errors.where(errors.priced & (errors.theme != Theme.NONE))
    found = proposal(builder, size=50)
    assert [round(reference.gain, 12) for reference in found.references] == pytest.approx(
        greedy(library, judged, errors, 50), abs=2e-12
    )
    # Every positive excess of a family is covered once at most.
    total = sum(reference.covered for reference in found.references)
    assert total <= np.maximum(errors.excess, 0).sum() + 1e-12


@settings(deadline=None, max_examples=15)
@given(st.lists(PLAYS, min_size=2, max_size=4), st.randoms(use_true_random=False))
def test_the_order_of_the_matches_changes_nothing(matches, random):
    def described(order):
        builder = RecordBuilder()
        for index in order:
            begin(builder, f"m{index}")
            for move, (cost, theme, first, second) in enumerate(matches[index], start=1):
                board = moved(MIDDLE, (24, first), (24, second))
                play(builder, cost, theme=theme, move=move, board=board)
        found = proposal(builder)
        library = builder.library()
        places = [
            (library.matches[library.decisions.match[row]].key, int(library.decisions.move[row]))
            for row in found.rows
        ]
        return places, found.frame().drop(columns="row").to_csv()

    order = list(range(len(matches)))
    first = described(order)
    random.shuffle(order)
    assert described(order) == first
