"""Distances between positions: worked moves, the axioms of a distance, and the search against every pair."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from drawn_boards import MIDDLE, moved, random_boards
from ludometrics.backgammon.position_distance import (
    distance,
    distances_from,
    neighbours,
    neighbours_plain,
    prefix_sums,
)
from made_matches import START

OTHER_HIT = (-1, *START[1:19], -4, *START[20:])  # one checker of the other's 6-point on the bar


@pytest.mark.parametrize(
    ("desc", "first", "second", "pips"),
    [
        ("the same position", START, START, 0),
        ("one checker one pip", START, moved(START, (6, 5)), 1),
        ("one checker 13 pips", START, moved(START, (24, 11)), 13),
        ("one checker forward, one back: both count", START, moved(START, (13, 11), (8, 9)), 3),
        ("a checker borne off from the 6-point", START, moved(START, (6, 0)), 6),
        ("a checker of the other's from his 6-point to the bar", START, OTHER_HIT, 19),
        ("own and other's add up", moved(START, (8, 5)), OTHER_HIT, 22),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_worked_moves(desc, first, second, pips):
    assert distance(first, second) == distance(second, first) == pips


@settings(deadline=None, max_examples=60)
@given(st.integers(0, 2**32 - 1))
def test_a_distance(seed):
    first, second, third = random_boards(np.random.default_rng(seed), 3)
    assert distance(first, first) == 0
    assert (distance(first, second) == 0) == (first == second).all()
    assert distance(first, third) <= distance(first, second) + distance(second, third)
    turned = distance(-first[::-1], -second[::-1])
    assert turned == distance(first, second)


def test_at_least_the_difference_of_the_pips_and_the_same_in_one_call():
    boards = random_boards(np.random.default_rng(3), 60)
    prefixes = prefix_sums(boards)
    pips = (np.maximum(boards, 0) * np.arange(26)).sum(axis=1)
    measured = distances_from(prefixes, 0)
    assert measured.tolist() == [distance(boards[0], board) for board in boards]
    assert (measured >= np.abs(pips - pips[0])).all()


@pytest.mark.parametrize("most", [0, 4, 12, 30])
def test_neighbours_are_those_of_every_pair(most):
    rng = np.random.default_rng(most)
    # Walks from a few boards, so that there are neighbours, and the same board twice.
    boards = []
    for start in random_boards(rng, 6):
        board = list(start)
        for _ in range(25):
            point = int(rng.choice([p for p in range(1, 25) if board[p] > 0] or [0]))
            if point > 1 and board[point - 1] >= 0:
                board[point] -= 1
                board[point - 1] += 1
            boards.append(tuple(board))
    groups = rng.integers(0, 3, len(boards))
    prefixes = prefix_sums(np.array(boards))
    start, found = neighbours(prefixes, groups, most)
    lists = [found[start[row] : start[row + 1]].tolist() for row in range(len(boards))]
    assert lists == neighbours_plain(prefixes, groups, most)
    assert any(lists) and not all(len(near) == len(boards) - 1 for near in lists)


def test_none_and_boards_that_cannot_be():
    start, found = neighbours(prefix_sums(np.empty((0, 26), int)), np.empty(0, int), 12)
    assert (start.tolist(), found.tolist()) == ([0], [])
    with pytest.raises(ValueError, match=r"shape \(1, 3\)"):
        prefix_sums([[1, 2, 3]])
    with pytest.raises(ValueError, match="16 checkers of one side, allowed are 15"):
        prefix_sums([(*MIDDLE[:25], 1)])
