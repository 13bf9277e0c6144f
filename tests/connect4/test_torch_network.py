"""The value network in torch: the same numbers as the library's own network, and gradients as torch makes them."""

from types import SimpleNamespace

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from ludometrics.connect4 import network as plain  # noqa: E402
from ludometrics.connect4 import torch_network  # noqa: E402
from ludometrics.connect4.patterns import draw_patterns  # noqa: E402
from ludometrics.connect4.realisable import index_patterns  # noqa: E402
from ludometrics.connect4.torch_network import (  # noqa: E402
    add_up,
    afterstate_values,
    build_tables,
    indices,
    spread,
    to_network,
    values,
)

INDEXING = index_patterns(draw_patterns(12, 6, rng=np.random.default_rng(1)))
TABLES = build_tables(INDEXING)


def random_positions(count, rng):
    """Positions of random games, played on to random lengths whether or not somebody has won."""
    found = []
    for _ in range(count):
        heights, yellow = [0] * 7, 0
        plies = int(rng.integers(0, 43))
        for ply in range(plies):
            column = int(rng.choice([column for column in range(7) if heights[column] < 6]))
            yellow |= (ply % 2 == 0) << (9 * column + heights[column])
            heights[column] += 1
        tokens = sum(((1 << height) - 1) << (9 * column) for column, height in enumerate(heights))
        found.append((tokens, yellow if plies % 2 == 0 else tokens ^ yellow, 42 - plies))
    tokens, active, left = np.array(found, dtype=np.int64).T
    yellow = np.where(left % 2 == 0, active, tokens ^ active)
    shift = 9 * np.arange(7)
    contents = ((tokens[:, None] >> shift & 63) + 1) | (yellow[:, None] >> shift & 63)
    return SimpleNamespace(tokens=tokens, active=active, moves_left=left), torch.from_numpy(contents)


def network_and_positions(seed):
    rng = np.random.default_rng(seed)
    weights = rng.normal(0, 0.1, (2, INDEXING.states)).astype(np.float32)
    positions, contents = random_positions(150, rng)
    side = torch.from_numpy(positions.moves_left & 1).int()
    return (
        plain.ValueNetwork(INDEXING, weights),
        torch.from_numpy(weights.ravel().copy()),
        positions,
        contents,
        side,
    )


def places_of(contents, side):
    return indices(TABLES, contents) + (side * TABLES.states)[:, None]


def test_indices_are_sums_of_what_the_columns_add():
    _, _, _, contents, _ = network_and_positions(1)
    found = indices(TABLES, contents)
    assert found.dtype == torch.int32
    for row, held in zip(found.tolist(), contents.tolist(), strict=True):
        wanted = [
            offset + sum(part[column][content] for column, content in enumerate(seen))
            for seen in (held, held[::-1])
            for offset, part in zip(INDEXING.offsets.tolist(), INDEXING.partial.tolist(), strict=True)
        ]
        assert row == wanted


def test_values_are_those_of_the_librarys_network():
    network, weights, positions, contents, side = network_and_positions(2)
    found = values(weights, places_of(contents, side))
    assert found.dtype == torch.float32
    np.testing.assert_allclose(found.numpy(), plain.values(network, positions), atol=2e-6)  # single precision


def test_values_of_afterstates_are_those_of_the_librarys_network():
    network, weights, positions, contents, side = network_and_positions(3)
    found = afterstate_values(weights, TABLES.gains, contents, places_of(contents, 1 - side), side).numpy()
    wanted = plain.afterstate_values(network, positions)
    open_ = ~np.isnan(wanted)
    assert open_.sum() > 500 and (~open_).sum() > 50
    np.testing.assert_allclose(found[open_], wanted[open_], atol=2e-6)
    # A full column stands for the position as it is: a number that no mask can turn into another.
    as_it_is = values(weights, places_of(contents, 1 - side)).numpy()
    np.testing.assert_allclose(
        found[~open_], np.broadcast_to(as_it_is[:, None], found.shape)[~open_], atol=2e-6
    )


def test_gradients_are_those_that_torch_makes():
    _, weights, _, contents, side = network_and_positions(4)
    places = places_of(contents, side)
    slope = torch.randn(len(places), generator=torch.Generator().manual_seed(1))
    leaf = weights.clone().requires_grad_()
    (leaf[places.long()].sum(dim=1) * slope).sum().backward()
    found = torch.zeros_like(weights)
    spread(found, places, slope)
    torch.testing.assert_close(found, leaf.grad, atol=1e-5, rtol=0)  # sums in another order
    spread(found, places, -slope)
    torch.testing.assert_close(found, torch.zeros_like(found), atol=1e-5, rtol=0)


def test_both_ways_of_adding_up_agree():
    _, weights, _, contents, side = network_and_positions(5)
    places = places_of(contents, side)
    elsewhere = SimpleNamespace(type="cuda")  # the way that is taken off the CPU, tried on it
    index = SimpleNamespace(device=elsewhere, view=places.view, shape=places.shape)
    torch.testing.assert_close(add_up(weights, index), add_up(weights, places), atol=1e-6, rtol=0)


def test_weights_are_copied_into_a_network():
    network, weights, _, _, _ = network_and_positions(6)
    found = to_network(weights, INDEXING, {"step": 3})
    np.testing.assert_array_equal(found.weights, network.weights)
    weights += 1
    np.testing.assert_array_equal(found.weights, network.weights)
    assert found.about == {"step": 3}


def test_more_states_than_single_precision_counts_are_refused(monkeypatch):
    monkeypatch.setattr(torch_network, "MOST_STATES", INDEXING.states)
    with pytest.raises(ValueError, match=f"have {INDEXING.states:,} states: the trainer in torch takes less"):
        build_tables(INDEXING)
