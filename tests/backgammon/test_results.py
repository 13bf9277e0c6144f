"""Wins and losses: who reaches the length, money sessions, ties, unfinished matches, aliases."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ludometrics.backgammon.building import RecordBuilder
from ludometrics.backgammon.records import Match
from ludometrics.backgammon.results import count_results, results_by_opponent, results_of_all, tally
from ludometrics.evaluation import share_interval
from made_matches import cases

CASES = cases("results_cases")


def library_of(*matches):
    """A library without decisions of (length, players, final score)."""
    builder = RecordBuilder()
    for number, (length, players, final) in enumerate(matches):
        builder.match(Match(f"m{number}", length, players, final_score=final))
    return builder.library()


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["desc"])
def test_who_has_won(case):
    final = case["final"] and tuple(case["final"])
    library = library_of((case["length"], ("ann", "bob"), final))
    sort = "money" if library.matches[0].length == 0 else "matches"
    for name, wanted in (("ann", case["ann"]), ("bob", case["bob"])):
        results = count_results(library, name)
        assert list(getattr(results, sort)[:3]) == wanted
        other = results.matches if sort == "money" else results.money
        assert other == tally(0, 0)


def test_share_and_interval_are_wilsons_over_decided_matches():
    library = library_of(
        *[(7, ("ann", "bob"), (7, 2))] * 6,
        *[(5, ("bob", "ann"), (5, 2))] * 2,
        (7, ("ann", "bob"), (6, 2)),
        (7, ("ann", "bob"), None),
    )
    matches = count_results(library, "ANN").matches
    wanted = share_interval(6, 8)
    assert matches == (6, 2, 2, wanted.value, wanted.low, wanted.high)
    assert count_results(library, "bob").matches[:3] == (2, 6, 2)


def test_nobody_known_has_no_share():
    results = count_results(library_of((7, ("ann", "bob"), (7, 2))), "eve")
    assert results.matches == results.money == (0, 0, 0, None, None, None)
    assert results.frame()["share"].isna().all()


def test_aliases_are_one_player_and_nobody_plays_himself():
    library = library_of(
        (7, ("Ann", "bob"), (7, 2)), (7, ("annie", "bob"), (7, 2)), (7, ("Ann", "Annie"), (7, 2))
    )
    assert count_results(library, "ann", "annie").matches[:3] == (2, 0, 0)
    assert count_results(library, "ann").matches[:3] == (2, 0, 0)  # as long as nobody says who Annie is
    kept = np.array([True, False, True])
    assert count_results(library, "ann", "annie", kept=kept).matches[:3] == (1, 0, 0)


def test_by_opponent():
    library = library_of(
        (7, ("ann", "Bob"), (7, 2)),
        (7, ("bob", "ann"), (7, 2)),
        (0, ("ann", "bob"), (3, 1)),
        (7, ("ann", "eve"), (2, 7)),
        (7, ("eve", "bob"), (2, 7)),
    )
    table = results_by_opponent(library, "ann")
    assert table[["opponent", "sort", "wins", "losses"]].to_numpy().tolist() == [
        ["Bob", "matches", 1, 1],
        ["Bob", "money", 1, 0],
        ["eve", "matches", 0, 1],
    ]
    people = {"Bob": "Robert", "bob": "Robert", "eve": "Robert", "ann": "ann"}
    table = results_by_opponent(library, "ann", person=people.__getitem__)
    assert table[["opponent", "sort", "wins", "losses"]].to_numpy().tolist() == [
        ["Robert", "matches", 1, 2],
        ["Robert", "money", 1, 0],
    ]


def test_of_all_players_and_of_none():
    library = library_of(
        (7, ("ann", "Bob"), (7, 2)), (7, ("bob", "eve"), (7, 2)), (7, ("Bob", "bob"), (7, 2))
    )
    table = results_of_all(library)
    assert table[["player", "wins", "losses"]].to_numpy().tolist() == [
        ["Bob", 1, 1],
        ["ann", 1, 0],
        ["eve", 0, 1],
    ]
    assert results_of_all(RecordBuilder().library()).empty
    assert results_by_opponent(library, "nobody").empty


# Only one of two players can reach the length.
SCORES = st.sampled_from([None, (0, 0), (3, 3), (9, 0), (0, 9), (4, 2), (2, 4)])
NAMES = st.sampled_from([("ann", "bob"), ("bob", "ann"), ("ann", "eve"), ("eve", "bob")])


@given(
    matches=st.lists(st.tuples(st.sampled_from([0, 4, 5, 7, 9]), NAMES, SCORES), max_size=12),
    order=st.randoms(),
)
@settings(max_examples=20, deadline=None)
def test_wins_are_losses_of_others_in_any_order(matches, order):
    library = library_of(*matches)
    table = results_of_all(library)
    assert table["wins"].sum() == table["losses"].sum()
    assert table[["wins", "losses", "undecided"]].to_numpy().sum() == 2 * len(matches)
    for name in ("ann", "bob", "eve"):
        own, against = count_results(library, name), results_by_opponent(library, name)
        for sort in ("matches", "money"):
            part = against[against["sort"] == sort][["wins", "losses", "undecided"]].sum().tolist()
            assert part == list(getattr(own, sort)[:3])
    shuffled = list(matches)
    order.shuffle(shuffled)
    assert results_of_all(library_of(*shuffled)).equals(table)
    turned = library_of(*[(length, names[::-1], final and final[::-1]) for length, names, final in matches])
    assert results_of_all(turned).equals(table)
