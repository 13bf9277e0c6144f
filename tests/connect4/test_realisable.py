"""Realisable states: what cells show, how many states a pattern has, and that none is missed or counted twice."""

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ludometrics.connect4.network import full_indices
from ludometrics.connect4.patterns import standard_patterns
from ludometrics.connect4.realisable import cell_digit, full_digits, index_patterns

EVERY_CONTENT = range(1, 128)


def column_of(content):
    """What the six cells of a column show, told from the tokens themselves: the plain way."""
    tokens = []
    while content > 1:  # the leading 1 marks the height, the bits below it are yellow tokens
        tokens.append(1 if content % 2 else 2)
        content //= 2
    return tokens + [3] * (len(tokens) < 6) + [0] * (5 - len(tokens))


def dense_indices(indexing, contents):
    """Sum of the partial indices of each column's content, (B, P)."""
    return sum(indexing.partial[:, column, contents[:, column]] for column in range(7)).T


def contents_of_all_plies(each, rng):
    """Contents of positions of 0 to 42 plies: tokens fall in random columns, colours in turn."""
    rows = []
    for ply in each * list(range(43)):
        contents = [1] * 7
        for number, column in enumerate(rng.permutation(np.repeat(np.arange(7), 6))[:ply].tolist()):
            top = 1 << (contents[column].bit_length() - 1)
            contents[column] += top if number % 2 else 2 * top
        rows.append(contents)
    return np.array(rows)


@pytest.fixture(scope="module")
def standard():
    return index_patterns(standard_patterns())


@pytest.mark.parametrize(
    ("content", "shown"),
    [
        (0b1, [3, 0, 0, 0, 0, 0]),  # empty: the bottom cell is next
        (0b11, [1, 3, 0, 0, 0, 0]),  # a yellow token
        (0b10, [2, 3, 0, 0, 0, 0]),  # a red one
        (0b1101, [1, 2, 1, 3, 0, 0]),  # yellow, red, yellow from below
        (0b1000000, [2, 2, 2, 2, 2, 2]),  # full: nothing is next
        (0b1111110, [2, 1, 1, 1, 1, 1]),
    ],
)
def test_cells_show_empty_yellow_red_or_next(content, shown):
    assert [cell_digit(content, row) for row in range(6)] == shown == column_of(content)


def test_every_content_of_a_column_is_another_stack_and_shows_what_lies_in_it():
    shown = {tuple(cell_digit(content, row) for row in range(6)) for content in EVERY_CONTENT}
    assert shown == {tuple(column_of(content)) for content in EVERY_CONTENT}
    assert len(shown) == 127 == sum(2**height for height in range(7))


@pytest.mark.parametrize(
    ("cells", "size"),
    [
        ([0], 3),  # the bottom cell is never out of reach
        ([1], 4),
        ([5], 4),
        ([0, 1], 7),  # next/-, filled/next, filled/filled: 1 + 2 + 4
        ([0, 2], 9),  # 1 + 2 with the cell out of reach + 2 with it next + 4
        ([4, 5], 8),  # neither in reach, one in reach, then as above: 1 + 1 + 2 + 4
        ([0, 1, 2, 3, 4, 5], 127),
        ([0, 6], 9),
        ([1, 7, 13], 64),
        ([0, 6, 12, 18, 24, 30, 36], 3**7),
        ([5, 11, 17, 23, 29, 35, 41], 4**7),
        ([0, 1, 6, 7, 12, 13, 18, 19], 7**4),
    ],
)
def test_sizes_counted_by_hand(cells, size):
    assert index_patterns(np.array([cells])).sizes.tolist() == [size]


@pytest.mark.parametrize(
    "cells",
    [
        [0, 1, 2, 3, 4, 5],
        [2, 4, 6, 9, 10],
        [8, 3, 11, 1, 0, 7],  # in no order
        [1, 2, 3, 6, 7, 13, 14, 15],
        [41, 36, 0, 5, 20, 18, 23, 2],
    ],
)
def test_states_are_those_that_occur_over_all_contents_of_the_columns(cells):
    """Brute force: every content of every column touched (127 each), and the base-4 numbers met."""
    indexing = index_patterns(np.array([cells]))
    columns = sorted({cell // 6 for cell in cells})
    shown = np.array([column_of(content) for content in EVERY_CONTENT])
    met, dense = np.zeros(1, dtype=np.int64), np.zeros(1, dtype=np.int64)
    for column in columns:
        digits = sum(shown[:, cell % 6] * 4**place for place, cell in enumerate(cells) if cell // 6 == column)
        met = np.add.outer(met, digits).ravel()
        dense = np.add.outer(dense, indexing.partial[0, column, 1:]).ravel()
    assert len(met) == 127 ** len(columns)
    occurring = np.unique(met)
    assert indexing.sizes[0] == len(occurring)
    # One dense number for each base-4 number and the other way round, and no dense number unused.
    pairs = np.unique(met << 20 | dense)
    assert len(pairs) == len(occurring)
    assert sorted((pairs & (1 << 20) - 1).tolist()) == list(range(len(occurring)))
    assert (full_indices(indexing)[pairs & (1 << 20) - 1] == pairs >> 20).all()


def test_dense_form_equals_the_full_form_on_every_standard_pattern_and_ply(standard):
    contents = contents_of_all_plies(20, np.random.default_rng(8))
    full = full_indices(standard)
    for seen in (contents, contents[:, ::-1]):  # the board and its mirror image
        dense = dense_indices(standard, seen)
        assert (dense >= 0).all() and (dense < standard.sizes).all()
        assert (full[standard.offsets + dense] == full_digits(standard.patterns, seen)).all()


def test_standard_patterns_have_so_many_states(standard):
    assert standard.states == 974_441
    assert 2 * standard.states == 1_948_882
    assert (standard.offsets == np.cumsum(standard.sizes) - standard.sizes).all()
    full = full_indices(standard)
    number = np.repeat(np.arange(200), standard.sizes)
    assert len(np.unique(number * 65_536 + full)) == len(full) == standard.states
    assert full.min() >= 0 and full.max() < 65_536


def test_only_columns_with_cells_count(standard):
    touched = np.zeros((200, 7), dtype=bool)
    touched[np.arange(200)[:, None], standard.patterns // 6] = True
    assert (standard.touched == touched).all()
    assert (standard.partial[~touched] == 0).all()
    assert (standard.partial[:, :, 1:].max(axis=2) > 0)[touched].all()
    assert (standard.partial.max(axis=2).sum(axis=1) == standard.sizes - 1).all()


def test_full_digits_of_a_position_read_from_the_board():
    """Column 0 holds yellow, red; column 1 red; the others nothing. Cells 0, 1, 2, 3, 6, 7, 8, 12 show."""
    contents = np.array([[0b101, 0b10, 1, 1, 1, 1, 1]])
    shown = [1, 2, 3, 0, 2, 3, 0, 3]
    expected = sum(digit * 4**place for place, digit in enumerate(shown))
    assert full_digits(np.array([[0, 1, 2, 3, 6, 7, 8, 12]]), contents).tolist() == [[expected]]


@settings(deadline=None, max_examples=60)
@given(st.data())
def test_any_pattern_and_any_contents(data):
    cells = data.draw(st.lists(st.integers(0, 41), min_size=1, max_size=10, unique=True))
    contents = data.draw(st.lists(st.integers(1, 127), min_size=7, max_size=7))
    indexing = index_patterns(np.array([cells]))
    board = list(itertools.chain.from_iterable(map(column_of, contents)))
    expected = sum(board[cell] * 4**place for place, cell in enumerate(cells))
    place = dense_indices(indexing, np.array([contents]))[0, 0]
    assert full_indices(indexing)[place] == expected
    assert full_digits(indexing.patterns, np.array([contents])).tolist() == [[expected]]


def test_patterns_with_too_many_states_for_32_bits_are_refused():
    with pytest.raises(ValueError, match=r"patterns 0 to 0 have 532,875,860,165,503 states: more than"):
        index_patterns(np.arange(42)[None])
    with pytest.raises(
        ValueError, match=r"patterns 0 to 8 have 2,341,301,769 states"
    ):  # each alone would fit
        index_patterns(np.tile(np.arange(24), (9, 1)))


def test_bad_patterns_are_refused_here_as_well():
    with pytest.raises(ValueError, match="pattern 0: cell 42"):
        index_patterns(np.array([[42]]))


def test_base_4_indices_of_more_than_31_cells_are_refused():
    """All weights of a column together: 31 cells of the lowest rows would fit, 32 would not."""
    indexing = index_patterns(np.array([[0, 6]]))._replace(patterns=np.arange(32)[None])
    with pytest.raises(ValueError, match="patterns have 32 cells"):
        full_indices(indexing)
