"""Values of positions: by hand, by the plain twin, of mirror images and afterstates, and what is refused."""

import pickle
from types import SimpleNamespace
from typing import NamedTuple

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ludometrics.connect4.network import (
    ValueNetwork,
    afterstate_values,
    full_indices,
    new_network,
    values,
    values_plain,
)
from ludometrics.connect4.patterns import draw_patterns, standard_patterns
from ludometrics.connect4.realisable import full_digits

FLOAT32 = 6e-8  # half a unit in the last place of a float32 below 1: the kernel rounds once, at the end


class Positions(NamedTuple):
    tokens: np.ndarray
    active: np.ndarray
    moves_left: np.ndarray


EMPTY = Positions(*np.array([[0], [0], [42]]))


def positions_of(games):
    """Positions after sequences of columns; wins do not end them: the network knows no rules."""
    rows = []
    for columns in games:
        sides, heights = [0, 0], [0] * 7
        for number, column in enumerate(columns):
            sides[number % 2] |= 1 << (9 * column + heights[column])
            heights[column] += 1
        rows.append((sides[0] | sides[1], sides[len(columns) % 2], 42 - len(columns)))
    return Positions(*np.array(rows, dtype=np.int64).T)


def games_of_all_plies(each, rng):
    """For each number of plies from 0 to 42, that many tokens in random columns."""
    stacks = np.repeat(np.arange(7), 6)
    return [rng.permutation(stacks)[:ply].tolist() for ply in each * list(range(43))]


def random_network(patterns, seed=1, scale=0.05):
    network = new_network(patterns)
    network.weights[:] = scale * np.random.default_rng(seed).standard_normal(network.weights.shape)
    return network


@pytest.fixture(scope="module")
def standard():
    return random_network(standard_patterns())


@pytest.fixture(scope="module")
def games():
    return games_of_all_plies(6, np.random.default_rng(4))


def test_a_new_network_values_everything_at_nothing(games):
    network = new_network(standard_patterns(), {"recipe": "none"})
    assert network.weights.shape == (2, 974_441) and network.weights.dtype == np.float32
    assert network.about == {"recipe": "none"}
    positions = positions_of(games)
    found = values(network, positions)
    assert found.dtype == np.float32 and found.shape == (len(games),)
    assert (found == 0).all()
    after = afterstate_values(network, positions)
    assert after.dtype == np.float32 and after.shape == (len(games), 7)
    assert (np.nan_to_num(after) == 0).all()


def test_values_worked_out_by_hand():
    """One pattern: the bottom cells of columns 0 and 1; mirrored, those of columns 6 and 5. States 3 a + b:

    a cell is next (0), red (1) or yellow (2); the first column counts fastest.
    """
    network = new_network(np.array([[0, 6]]))
    network.weights[:] = [[0.01, 0.02, 0.03, 0.04, 0.05, 0.06, 0.07, 0.08, 0.09], np.arange(1, 10) / 10]
    games = [
        [],  # next, next; mirrored the same; Yellow to move: 0.01 + 0.01
        [0],  # yellow in column 0: state 2, mirrored 0; Red to move: 0.3 + 0.1
        [6],  # the mirror image
        [0, 1],  # yellow, red: 2 + 3 = 5, mirrored 0: 0.06 + 0.01
        [5, 6, 0],  # column 0 yellow: 2; mirrored red in 6, yellow in 5: 1 + 6 = 7; Red to move: 0.3 + 0.8
        [3, 3],  # the pattern sees nothing of it
    ]
    sums = [0.02, 0.4, 0.4, 0.07, 1.1, 0.02]
    positions = positions_of(games)
    assert values(network, positions) == pytest.approx(np.tanh(sums), abs=FLOAT32)
    assert values_plain(network, positions) == pytest.approx(np.tanh(sums), abs=FLOAT32)
    expected = np.tanh([0.4, 0.1 + 0.7, 0.2, 0.2, 0.2, 0.1 + 0.7, 0.4])
    assert afterstate_values(network, EMPTY)[0] == pytest.approx(expected, abs=FLOAT32)


def test_the_compiled_values_are_those_of_the_plain_twin_at_every_ply(standard, games):
    positions = positions_of(games)
    found = values(standard, positions)
    assert np.abs(found - values_plain(standard, positions)).max() <= FLOAT32
    assert 0.1 < np.abs(found).mean() < 0.9  # the weights are neither too small nor too large to tell


def test_values_are_sums_over_the_full_tables_of_65536_entries(standard, games):
    """Another way round: dictionaries from the base-4 number of the cells to the weight."""
    patterns, full = standard.indexing.patterns, full_indices(standard.indexing)
    number = np.repeat(np.arange(200), standard.indexing.sizes)
    tables = np.zeros((2, 200, 65_536), dtype=np.float32)
    tables[:, number, full] = standard.weights
    positions = positions_of(games)
    yellow = np.where(positions.moves_left % 2, positions.tokens ^ positions.active, positions.active)
    shifts = 9 * np.arange(7)
    contents = ((positions.tokens[:, None] >> shifts) & 63) + 1 | ((yellow[:, None] >> shifts) & 63)
    side = positions.moves_left[:, None] % 2
    total = sum(
        tables[side, np.arange(200), full_digits(patterns, seen)].sum(axis=1, dtype=np.float64)
        for seen in (contents, contents[:, ::-1])
    )
    assert np.abs(values(standard, positions) - np.tanh(total)).max() <= FLOAT32


def test_a_position_and_its_mirror_image_have_the_same_value_to_the_bit(standard, games):
    there = positions_of(games)
    mirrored = positions_of([[6 - column for column in game] for game in games])
    assert (there.tokens != mirrored.tokens).mean() > 0.8
    assert (values(standard, there) == values(standard, mirrored)).all()
    after, after_mirrored = afterstate_values(standard, there), afterstate_values(standard, mirrored)
    np.testing.assert_array_equal(after, after_mirrored[:, ::-1])


def test_a_pattern_and_its_mirror_image_are_added_first():
    """Weights that cancel between a pattern and its mirror image leave no rounding behind."""
    network = new_network(np.array([[7], [6], [8], [0]]))
    offsets = network.indexing.offsets
    network.weights[1, offsets[1]] = 0.25  # cell 6 next to be filled, on the board and mirrored
    network.weights[1, offsets[3] + 2] = 2.0**60  # cell 0 yellow
    network.weights[1, offsets[3]] = -(2.0**60)  # its mirror image next to be filled
    for column in (0, 6):
        assert values(network, positions_of([[column]]))[0] == np.float32(np.tanh(0.5))


def test_afterstates_are_valued_to_the_bit_as_the_positions_after_the_moves(standard, games):
    found = afterstate_values(standard, positions_of(games))
    expected = np.full_like(found, np.nan)
    for row, game in enumerate(games):
        for column in range(7):
            if game.count(column) < 6:
                expected[row, column] = values(standard, positions_of([[*game, column]]))[0]
    np.testing.assert_array_equal(found, expected)
    assert np.isnan(found[42]).all() and not np.isnan(found[0]).any()


def test_the_side_to_move_has_its_own_weights(games):
    network = random_network(draw_patterns(20, 5, rng=np.random.default_rng(2)))
    network.weights[1] = 0
    positions = positions_of(games)
    yellow_moves = positions.moves_left % 2 == 0
    assert (values(network, positions)[yellow_moves] != 0).mean() > 0.9
    assert (values(network, positions)[~yellow_moves] == 0).all()
    after = np.nan_to_num(afterstate_values(network, positions))
    assert (after[yellow_moves] == 0).all() and (after[~yellow_moves] != 0).any()


@settings(deadline=None, max_examples=40)
@given(st.integers(1, 7), st.integers(1, 8), st.integers(0, 2**32))
def test_any_number_and_length_of_patterns(count, length, seed):
    """Odd and even numbers of patterns take different ways through the sum."""
    rng = np.random.default_rng(seed)
    network = random_network(draw_patterns(count, length, rng=rng), seed, scale=0.3)
    games = [rng.permutation(np.repeat(np.arange(7), 6))[: rng.integers(43)].tolist() for _ in range(5)]
    positions = positions_of(games)
    assert np.abs(values(network, positions) - values_plain(network, positions)).max() <= FLOAT32
    mirrored = positions_of([[6 - column for column in game] for game in games])
    assert (values(network, positions) == values(network, mirrored)).all()


def test_one_position_alone_is_a_batch_of_one(standard, games):
    positions = positions_of(games)
    together, after = values(standard, positions), afterstate_values(standard, positions)
    for row in range(43):
        alone = SimpleNamespace(
            tokens=int(positions.tokens[row]),
            active=int(positions.active[row]),
            moves_left=int(positions.moves_left[row]),
        )
        assert values(standard, alone).tolist() == [together[row]]
        np.testing.assert_array_equal(afterstate_values(standard, alone), after[row : row + 1])


def test_types_and_layout_of_the_arrays_do_not_matter_and_they_are_left_as_they_are(standard, games):
    positions = positions_of(games)
    expected = values(standard, positions)
    kept = [array.copy() for array in positions]
    for array in positions:
        array.flags.writeable = False
    assert (values(standard, positions) == expected).all()
    assert (
        values(standard, positions._replace(moves_left=positions.moves_left.astype(np.uint8))) == expected
    ).all()
    assert (values(standard, Positions(*(array[::-1] for array in positions))) == expected[::-1]).all()
    assert (values(standard, Positions(*(array.tolist() for array in positions))) == expected).all()
    assert all((array == before).all() for array, before in zip(positions, kept, strict=True))


def test_no_positions_have_no_values(standard):
    nothing = Positions(*np.zeros((3, 0), dtype=np.int64))
    assert values(standard, nothing).shape == (0,)
    assert afterstate_values(standard, nothing).shape == (0, 7)


TWO_PLIES = positions_of([[3, 3]])


@pytest.mark.parametrize(
    ("tokens", "active", "left"),
    [
        (1 << 28, 0, 41),  # a token on the second row of column 3 and nothing under it
        (0b101, 0b1, 40),
        (1 << 6, 0, 41),  # above the top row
        (127, 0, 35),
        (1 << 62, 0, 41),
        (-1, 0, 0),
        (0, 1, 42),  # an active token that does not stand
        (1, 0, 42),  # one token, and 42 moves left
        (1, 0, 40),
        (0, 0, 43),
        (0, 0, 0),
        (0, 0, -1),
    ],
)
@pytest.mark.parametrize("function", [values, afterstate_values])
def test_numbers_that_are_no_position_are_refused_and_the_row_is_named(function, tokens, active, left):
    bad = (tokens, active, left)
    batch = Positions(*(np.append(good, number) for good, number in zip(TWO_PLIES, bad, strict=True)))
    network = new_network(np.array([[0, 6]]))
    with pytest.raises(
        ValueError, match=f"position 1: tokens {tokens}, active {active} and moves_left {left}"
    ):
        function(network, batch)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"tokens": np.zeros(2, np.int64)}, r"active has shape \(1,\)"),
        ({"moves_left": np.zeros(3, np.int64)}, r"moves_left has shape \(3,\)"),
        ({"moves_left": 42}, r"moves_left has shape \(\)"),
        ({"active": np.zeros((1, 1), np.int64)}, r"active has shape \(1, 1\)"),
        ({"tokens": np.zeros(1)}, "tokens has shape .* float64"),
        ({"tokens": np.array([False])}, "tokens has shape .* bool"),
        ({"tokens": [2**70]}, "tokens has shape .* object"),
        ({"moves_left": ["42"]}, "moves_left has shape"),
    ],
)
def test_arrays_that_do_not_match_are_refused_by_name(change, message):
    network = new_network(np.array([[0, 6]]))
    for function in (values, afterstate_values, values_plain):
        with pytest.raises(ValueError, match=message):
            function(network, EMPTY._replace(**change))


@pytest.mark.parametrize(
    "weights",
    [np.zeros((2, 8), np.float32), np.zeros((2, 9)), np.zeros(18, np.float32), np.zeros((1, 9), np.float32)],
)
def test_weights_that_do_not_belong_to_the_patterns_are_refused(weights):
    indexing = new_network(np.array([[0, 6]])).indexing
    with pytest.raises(ValueError, match=r"these patterns have \(2, 9\) of float32"):
        ValueNetwork(indexing, weights)


def test_networks_hold_the_array_they_were_given_and_laid_out_otherwise_a_copy(games):
    network = random_network(np.array([[0, 6], [1, 8]]))
    again = ValueNetwork(network.indexing, network.weights)
    assert again.weights is network.weights and again.about == {}
    turned = ValueNetwork(network.indexing, np.asfortranarray(network.weights))
    positions = positions_of(games)
    assert (values(turned, positions) == values(network, positions)).all()
    network.weights[:] = 0  # a trainer goes on learning
    assert (values(again, positions) == 0).all()


def test_networks_go_to_other_processes(games):
    network = random_network(draw_patterns(5, 4, rng=np.random.default_rng(0)))
    positions = positions_of(games)
    expected = values(network, positions)
    assert (values(pickle.loads(pickle.dumps(network)), positions) == expected).all()  # noqa: S301 (our own bytes)


def test_weights_that_are_not_numbers_show():
    network = new_network(np.array([[0, 6]]))
    network.weights[0, 0] = np.nan
    assert np.isnan(values(network, EMPTY)).all()
