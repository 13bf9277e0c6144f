"""The plain form in torch: read from the squares, equal in value, and exact both ways."""

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from ludometrics.connect4.dense_torch import FullTable, from_network, to_network  # noqa: E402
from ludometrics.connect4.network import new_network, values  # noqa: E402
from ludometrics.connect4.patterns import draw_patterns, standard_patterns  # noqa: E402
from ludometrics.connect4.realisable import full_digits  # noqa: E402

FLOAT32_SUM = (
    2e-6  # 400 weights of about 0.05 added in float32: 400 roundings of a sum of about 1, at most 6e-8 each
)


def positions_of_all_plies(each, rng):
    """Tensors tokens, active, moves_left after 0 to 42 tokens in random columns; nothing ends the games."""
    rows = []
    for ply in each * list(range(43)):
        sides, heights = [0, 0], [0] * 7
        for number, column in enumerate(rng.permutation(np.repeat(np.arange(7), 6))[:ply].tolist()):
            sides[number % 2] |= 1 << (9 * column + heights[column])
            heights[column] += 1
        rows.append((sides[0] | sides[1], sides[ply % 2], 42 - ply))
    return torch.tensor(rows).T.contiguous()


class Batch:
    def __init__(self, positions):
        self.tokens, self.active, self.moves_left = (part.numpy() for part in positions)


def random_network(patterns, seed=1):
    network = new_network(patterns)
    network.weights[:] = 0.05 * np.random.default_rng(seed).standard_normal(network.weights.shape)
    return network


@pytest.fixture(scope="module")
def positions():
    return positions_of_all_plies(6, np.random.default_rng(6))


def test_values_equal_those_of_realisable_states_on_the_standard_patterns(positions):
    network = random_network(standard_patterns())
    table = from_network(network)
    assert tuple(table.weights.shape) == (2, 200, 65_536)
    assert np.count_nonzero(table.weights) == np.count_nonzero(network.weights)
    found = table.values(*positions).numpy()
    assert found.dtype == np.float32
    assert np.abs(found - values(network, Batch(positions))).max() <= FLOAT32_SUM
    back = to_network(table)
    assert (back.weights == network.weights).all() and (back.indexing.patterns == standard_patterns()).all()
    assert back.about == {}


def test_indices_are_the_base_4_numbers_of_the_cells_on_the_board_and_mirrored(positions):
    patterns = draw_patterns(30, 6, rng=np.random.default_rng(1))[:, ::-1]
    table = FullTable(patterns, torch.zeros(2, 30, 4**6))
    tokens, active, left = positions
    yellow = torch.where(left % 2 == 0, active, tokens ^ active)
    shifts = 9 * torch.arange(7)
    contents = (((tokens[:, None] >> shifts) & 63) + 1 | ((yellow[:, None] >> shifts) & 63)).numpy()
    found = table.indices(tokens, yellow).numpy()
    assert (found[:, 0] == full_digits(patterns, contents)).all()
    assert (found[:, 1] == full_digits(patterns, contents[:, ::-1])).all()


def test_indices_worked_out_by_hand():
    """Yellow in column 0, Red on it; Yellow in column 6. Cells 0, 1, 2 and 3 show yellow, red, next and nothing."""
    table = FullTable(np.array([[0, 1, 2, 3]]), torch.zeros(2, 1, 256))
    tokens, yellow = torch.tensor([0b11 | 1 << 54]), torch.tensor([0b01 | 1 << 54])
    on_the_board = 1 + 2 * 4 + 3 * 16
    mirrored = 1 + 3 * 4  # column 6: yellow, next, nothing
    assert table.indices(tokens, yellow).tolist() == [[[on_the_board], [mirrored]]]


def test_mirror_images_have_the_same_value(positions):
    table = from_network(random_network(draw_patterns(40, 7, rng=np.random.default_rng(9))))
    tokens, active, left = positions

    def mirrored(bits):
        return sum(((bits >> 9 * column) & 63) << 9 * (6 - column) for column in range(7))

    there = table.values(tokens, active, left)
    image = table.values(mirrored(tokens), mirrored(active), left)
    assert float((there - image).abs().max()) <= FLOAT32_SUM


@pytest.mark.parametrize("length", [1, 3, 8])
def test_both_ways_give_the_weights_back_to_the_bit(length):
    network = random_network(draw_patterns(6, length, rng=np.random.default_rng(length))[:, ::-1], length)
    table = from_network(network)
    back = to_network(table)
    assert (back.weights == network.weights).all()
    assert (back.indexing.patterns == network.indexing.patterns).all()
    assert torch.equal(from_network(back).weights, table.weights)


def test_changing_one_form_leaves_the_other_alone():
    network = random_network(np.array([[0, 1]]))
    table = from_network(network)
    table.weights.zero_()
    assert (network.weights != 0).all()
    back = to_network(table)
    back.weights[:] = 1
    assert (table.weights == 0).all()


def test_gradients_flow_to_the_weights_that_were_looked_up():
    weights = torch.zeros(2, 1, 16, requires_grad=True)
    nothing = torch.zeros(1, dtype=torch.int64)
    FullTable(np.array([[0, 6]]), weights).values(nothing, nothing, nothing + 42).sum().backward()
    assert weights.grad.nonzero().tolist() == [[0, 0, 15]]
    assert float(weights.grad[0, 0, 15]) == 2.0  # on the board and mirrored; the slope of tanh at 0 is 1


@pytest.mark.parametrize("value", [0.5, float("nan")])
def test_weights_where_no_position_leads_are_refused_or_dropped_and_told(value):
    table = from_network(random_network(np.array([[6, 7], [0, 1]])))
    floating = 1 * 4  # nothing in cell 0 and yellow on cell 1
    table.weights[1, 1, floating] = value
    table.weights[1, 1, floating + 4] = value  # nothing in cell 0 and red on cell 1
    with pytest.raises(
        ValueError, match=r"^2 weights other than 0 .* pattern 1, index 4, Red to move .*drop=True"
    ):
        to_network(table)
    network = to_network(table, drop=True)
    assert network.about == {"dropped_weights": 2}
    assert np.isfinite(network.weights).all()
    assert to_network(from_network(network)).about == {}


@pytest.mark.parametrize(
    ("patterns", "weights", "message"),
    [
        ([[0, 1]], torch.zeros(2, 1, 15), r"shape \(2, 1, 15\) .* \(2, 1, 16\) of torch.float32"),
        ([[0, 1]], torch.zeros(2, 1, 16, dtype=torch.float64), "type torch.float64"),
        ([[0, 1]], torch.zeros(1, 16), r"shape \(1, 16\)"),
        ([[0, 42]], torch.zeros(2, 1, 16), "pattern 0: cell 42"),
        ([list(range(13))], torch.zeros(2, 1, 16), "patterns have 13 cells: the plain form takes up to 12"),
    ],
)
def test_tables_that_do_not_fit_their_patterns_are_refused(patterns, weights, message):
    with pytest.raises(ValueError, match=message):
        FullTable(np.array(patterns), weights)


def test_networks_of_long_patterns_have_no_plain_form():
    with pytest.raises(ValueError, match="patterns have 13 cells"):
        from_network(new_network(np.arange(13)[None]))
