"""Patterns: the standard set by its hash, what a random walk may give, and what is refused."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ludometrics.connect4.patterns import (
    PATTERN_COUNT,
    PATTERN_LENGTH,
    check_patterns,
    draw_patterns,
    pattern_hash,
    standard_patterns,
)


def reflected(cells):
    return tuple(sorted(6 * (6 - cell // 6) + cell % 6 for cell in cells))


def neighbours(first, second):
    return max(abs(first // 6 - second // 6), abs(first % 6 - second % 6)) == 1


def is_connected(cells):
    reached, rest = [cells[0]], set(cells[1:])
    while reached:
        here = reached.pop()
        found = {cell for cell in rest if neighbours(here, cell)}
        rest -= found
        reached.extend(found)
    return not rest


def test_the_standard_patterns_are_pinned_by_their_hash():
    patterns = standard_patterns()
    assert (PATTERN_COUNT, PATTERN_LENGTH) == patterns.shape == (200, 8)
    assert pattern_hash(patterns) == "1693728a3511d96d"


def test_standard_patterns_are_connected_sets_of_different_cells_none_the_mirror_image_of_another():
    patterns = [tuple(cells) for cells in standard_patterns().tolist()]
    seen = set()
    for cells in patterns:
        assert list(cells) == sorted(set(cells)) and 0 <= cells[0] and cells[-1] <= 41
        assert is_connected(cells)
        assert cells not in seen and reflected(cells) not in seen
        seen.add(cells)


def test_the_standard_patterns_leave_no_cell_out():
    shown = standard_patterns()
    assert set(shown.ravel().tolist()) | {cell for row in shown for cell in reflected(row.tolist())} == set(
        range(42)
    )


@settings(deadline=None, max_examples=30)
@given(st.integers(1, 12), st.integers(0, 2**32))
def test_any_length_gives_connected_sets_of_that_many_cells(length, seed):
    patterns = draw_patterns(5, length, rng=np.random.default_rng(seed))
    assert patterns.shape == (5, length) and patterns.dtype == np.int8
    assert len({min(tuple(cells), reflected(cells)) for cells in patterns.tolist()}) == 5
    for cells in patterns.tolist():
        assert len(set(cells)) == length and is_connected(cells)
        assert (check_patterns([cells]) == cells).all()


def test_walks_go_in_all_eight_directions():
    pairs = draw_patterns(60, 2, rng=np.random.default_rng(3)).tolist()
    steps = {(second // 6 - first // 6, second % 6 - first % 6) for first, second in pairs}
    assert steps == {(0, 1), (1, 0), (1, 1), (1, -1)}  # cells stand in ascending order: half of the eight


def test_the_same_stream_gives_the_same_patterns_and_the_global_generator_is_left_alone():
    np.random.seed(5)
    before = np.random.get_state()[1].copy()
    first = draw_patterns(20, 6, rng=np.random.default_rng(1))
    assert (first == draw_patterns(20, 6, rng=np.random.default_rng(1))).all()
    assert (first != draw_patterns(20, 6, rng=np.random.default_rng(2))).any()
    assert (np.random.get_state()[1] == before).all()


def test_single_cells_are_24_up_to_reflection_and_a_25th_is_not_found():
    cells = draw_patterns(24, 1, rng=np.random.default_rng(0))
    assert {min(cell, reflected([cell])[0]) for cell in cells.ravel().tolist()} == set(range(24))
    with pytest.raises(ValueError, match=r"count is 25: only 24 different patterns of 1 cells"):
        draw_patterns(25, 1, rng=np.random.default_rng(0))


@pytest.mark.parametrize(
    ("count", "length", "message"),
    [
        (0, 8, "count is 0: at least one"),
        (5, 0, "length is 0: a pattern has 1 to 12 cells"),
        (5, 13, "length is 13: a pattern has 1 to 12 cells"),
    ],
)
def test_counts_and_lengths_outside_their_range_are_refused(count, length, message):
    with pytest.raises(ValueError, match=message):
        draw_patterns(count, length, rng=np.random.default_rng(0))


@pytest.mark.parametrize(
    ("patterns", "message"),
    [
        ([[0, 1], [5, 42]], r"pattern 1: cell 42 is not on the board \(0 to 41\)"),
        ([[0, -1]], "pattern 0: cell -1 is not on the board"),
        ([[0, 1], [7, 7]], r"pattern 1: \[7, 7\] names a cell twice"),
        ([0, 1], r"shape \(2,\)"),
        ([[[0, 1]]], r"shape \(1, 1, 2\)"),
        ([[]], r"shape \(1, 0\)"),
        (np.zeros((0, 8), np.int8), r"shape \(0, 8\)"),
        ([[0.0, 1.0]], "type float64"),
        ([[True, False]], "type bool"),
        ([["0", "1"]], "whole numbers"),
        ([[2**40, 1]], "cell 1099511627776 is not on the board"),
    ],
)
def test_patterns_that_are_none_are_refused_and_the_row_is_named(patterns, message):
    with pytest.raises(ValueError, match=message):
        check_patterns(np.array(patterns))


def test_the_hash_knows_cells_their_order_and_the_shape_but_not_the_type():
    patterns = np.array([[0, 1, 2], [6, 7, 13]])
    base = pattern_hash(patterns)
    assert len(base) == 16 and set(base) <= set("0123456789abcdef")
    assert base == pattern_hash(patterns.astype(np.uint16)) == pattern_hash(np.asfortranarray(patterns))
    others = [patterns[::-1], patterns[:, ::-1], patterns[:1], patterns.reshape(3, 2), patterns + 1]
    assert len({base, *map(pattern_hash, others)}) == 6
