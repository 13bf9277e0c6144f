"""Files of weights: what goes in comes out, foreign and broken ones are refused by name, and nothing in them is run."""

import hashlib
import io
import json
import pickle
import zipfile
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from ludometrics.connect4.network import ValueNetwork, full_indices, new_network, values
from ludometrics.connect4.patterns import draw_patterns, pattern_hash, standard_patterns
from ludometrics.connect4.weights_file import FORMAT_VERSION, load_network, read_published, save_network

ABOUT = {
    "recipe": "tree-backup",
    "seed": 3,
    "step": 20_000,
    "moves": 10**9,
    "tau": 0.15,
    "note": "naïve",
    "of": [1, None],
}


@pytest.fixture
def network():
    return random_network(draw_patterns(12, 4, rng=np.random.default_rng(0)), ABOUT)


def random_network(patterns, about=None):
    network = new_network(patterns, about)
    network.weights[:] = 0.1 * np.random.default_rng(5).standard_normal(network.weights.shape)
    return network


def npy(array):
    stream = io.BytesIO()
    np.save(stream, array, allow_pickle=True)
    return stream.getvalue()


def text_array(text):
    return np.frombuffer(text, dtype=np.uint8)


def header_of(network, **changes):
    header = {
        "format": "ludometrics connect4 network",
        "version": FORMAT_VERSION,
        "pattern_hash": pattern_hash(network.indexing.patterns),
        "states": network.indexing.states,
        "about": {},
    }
    return text_array(json.dumps(header | changes).encode())


def write_file(path, network, *, compression=zipfile.ZIP_STORED, **changes):
    """Write a network's file as a stranger might: some parts are other arrays, or these bytes."""
    parts = {
        "header": header_of(network),
        "patterns": network.indexing.patterns,
        "weights": network.weights,
    } | changes
    with zipfile.ZipFile(path, "w", compression) as archive:
        for name, part in parts.items():
            archive.writestr(f"{name}.npy", part if isinstance(part, bytes) else npy(part))
    return path


def refused(path, message, reader=load_network, **options):
    """Every refusal is one line that begins with the file's name."""
    with pytest.raises(ValueError, match=message) as caught:
        reader(path, **options)
    assert str(caught.value).startswith(f"{path}: ")
    assert "\n" not in str(caught.value)


def test_what_is_saved_is_read_back_to_the_bit(tmp_path, network):
    path = save_network(tmp_path / "new folder" / "agent.npz", network)
    assert path == tmp_path / "new folder" / "agent.npz" and list(path.parent.iterdir()) == [path]
    again = load_network(path)
    assert (again.weights == network.weights).all() and again.weights.dtype == np.float32
    assert (again.indexing.patterns == network.indexing.patterns).all()
    assert again.about == ABOUT
    again.weights[:] = 0  # a loaded network can be trained on


def test_the_standard_network_takes_four_bytes_a_weight(tmp_path):
    network = random_network(standard_patterns())
    size = save_network(tmp_path / "agent.npz", network).stat().st_size
    assert 4 * 1_948_882 < size < 4 * 1_948_882 + 10_000
    assert (load_network(tmp_path / "agent.npz").weights == network.weights).all()


def test_the_same_network_gives_the_same_bytes(tmp_path, network):
    first, second = (save_network(tmp_path / name, network) for name in ("a.npz", "b.npz"))
    assert first.read_bytes() == second.read_bytes()


def test_half_size_keeps_three_digits(tmp_path, network):
    whole = save_network(tmp_path / "whole.npz", network).stat().st_size
    path = save_network(tmp_path / "half.npz", network, half=True)
    assert path.stat().st_size < whole - network.weights.nbytes / 2 + 100
    again = load_network(path)
    assert again.weights.dtype == np.float32
    # float16: eleven binary digits, and steps of 2^-24 below 2^-14
    np.testing.assert_allclose(again.weights, network.weights, rtol=2**-11, atol=2**-25)
    assert (again.weights != network.weights).any()


def test_states_are_numbered_as_in_every_file_of_this_version():
    """Weights in files lie in this order: whoever changes it has to raise FORMAT_VERSION."""
    full = full_indices(new_network(standard_patterns()).indexing)
    assert FORMAT_VERSION == 1
    assert hashlib.sha256(full.astype("<i8").tobytes()).hexdigest()[:16] == "1517d54b735f225a"


@pytest.mark.parametrize(
    ("about", "message"),
    [
        ({"rate": float("nan")}, "cannot be written as JSON"),
        ({"when": {1, 2}}, "cannot be written as JSON"),
        ({"weights": np.zeros(3)}, "cannot be written as JSON"),
        ({"share": np.float32(0.5)}, "cannot be written as JSON"),
        ({1: "one"}, "keys other than text, or tuples"),
        ({"of": (1, 2)}, "keys other than text, or tuples"),
        ({"text": "x" * (1 << 20)}, "takes 1,048"),
    ],
)
def test_abouts_that_json_cannot_hold_are_refused_and_no_file_is_left(tmp_path, network, about, message):
    path = tmp_path / "agent.npz"
    with pytest.raises(ValueError, match=message):
        save_network(path, ValueNetwork(network.indexing, network.weights, about))
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf])
def test_weights_that_are_not_finite_are_neither_written_nor_read(tmp_path, network, value):
    network.weights[1, 7] = value
    with pytest.raises(ValueError, match=r"weights of float32 have to be finite: 1 are not, .* at \[1, 7\]"):
        save_network(tmp_path / "agent.npz", network)
    assert list(tmp_path.iterdir()) == []
    path = write_file(tmp_path / "agent.npz", network)
    refused(path, r"weights have to be finite: 1 are not, the first \((nan|inf|-inf)\) at \[1, 7\]")


def test_weights_too_large_for_float16_are_not_written(tmp_path, network):
    network.weights[0, 3] = 70_000
    with pytest.raises(ValueError, match=r"weights of float16 have to be finite: 1 are not, .* at \[0, 3\]"):
        save_network(tmp_path / "agent.npz", network, half=True)
    assert load_network(save_network(tmp_path / "agent.npz", network)).weights[0, 3] == 70_000


def test_files_packed_or_laid_out_by_others_are_read(tmp_path, network):
    turned = np.asfortranarray(network.weights)
    path = write_file(tmp_path / "agent.npz", network, compression=zipfile.ZIP_DEFLATED, weights=turned)
    assert (load_network(path).weights == network.weights).all()


def test_files_cut_off_anywhere_are_refused(tmp_path, network):
    content = save_network(tmp_path / "agent.npz", network).read_bytes()
    for length in [*range(0, len(content), 997), len(content) - 1]:
        (tmp_path / "cut.npz").write_bytes(content[:length])
        refused(tmp_path / "cut.npz", "no file that save_network wrote, or it is damaged or cut off")


def test_one_wrong_byte_is_found_or_does_not_matter(tmp_path):
    network = random_network(np.array([[0, 6], [8, 9]]), ABOUT)
    content = save_network(tmp_path / "agent.npz", network).read_bytes()
    path, found = tmp_path / "bent.npz", 0
    for place in range(0, len(content), 7):
        path.write_bytes(content[:place] + bytes([content[place] ^ 0xFF]) + content[place + 1 :])
        try:
            again = load_network(path)
        except ValueError as error:
            assert str(error).startswith(f"{path}: ")
            found += 1
        else:  # a date, or a name that is stored twice
            assert (again.weights == network.weights).all() and again.about == ABOUT
    assert found > len(content) / 7 * 0.7


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "damaged or cut off"),
        (b"not a zip at all", "damaged or cut off"),
        (b"\x93NUMPY\x01\x00", "damaged or cut off"),
    ],
)
def test_files_of_another_kind_are_refused(tmp_path, content, message):
    path = tmp_path / "agent.npz"
    path.write_bytes(content)
    refused(path, message)


def test_foreign_npz_files_are_refused_by_what_they_hold(tmp_path, network):
    path = tmp_path / "agent.npz"
    np.savez(path, weights=network.weights, patterns=network.indexing.patterns)
    refused(
        path,
        r"no file that save_network wrote: holds 'patterns.npy', 'weights.npy', not header, patterns and weights",
    )
    np.savez(path, **{f"layer{number}": np.zeros(2) for number in range(9)})
    refused(path, r"holds 'layer0.npy', .*'layer4.npy', \.\.\., not header")
    np.savez(path)
    refused(path, "holds nothing")


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"format": "other"}, "the header does not say 'ludometrics connect4 network'"),
        ({"version": 2}, r"format version 2: this version of the library reads 1"),
        ({"version": None}, "format version None"),
        ({"about": []}, "the header lacks `about`"),
        ({"pattern_hash": "0123456789abcdef"}, "the header says '0123456789abcdef'"),
        ({"pattern_hash": None}, "the header says None"),
    ],
)
def test_headers_that_say_something_else_are_refused(tmp_path, network, changes, message):
    refused(write_file(tmp_path / "agent.npz", network, header=header_of(network, **changes)), message)


@pytest.mark.parametrize("text", [b"", b"{", b"\xff\xfe", b"[" * 100_000])
def test_headers_that_are_no_json_are_refused(tmp_path, network, text):
    path = write_file(tmp_path / "agent.npz", network, header=text_array(text))
    refused(path, "the header is no JSON text")


@pytest.mark.parametrize("text", [b"{}", b"[]", b"3", b'"ludometrics connect4 network"'])
def test_headers_of_other_json_are_refused(tmp_path, network, text):
    refused(write_file(tmp_path / "agent.npz", network, header=text_array(text)), "the header does not say")


@pytest.mark.parametrize(
    ("part", "array", "message"),
    [
        ("patterns", np.zeros((3, 2), np.int8), r"pattern 0: \[0, 0\] names a cell twice"),
        ("patterns", np.array([[1, 99]]), "pattern 0: cell 99 is not on the board"),
        ("patterns", np.zeros((0, 4), np.int8), "0 patterns: allowed are 1 to 10,000"),
        ("patterns", np.zeros((10_001, 4), np.int8), "10,001 patterns: allowed are 1 to 10,000"),
        ("patterns", np.zeros(4, np.int8), r"patterns have shape \(4,\)"),
        ("patterns", np.array([[0.0, 1.0]]), "patterns have shape .* float64"),
        ("patterns", np.arange(42)[None], "more than a table of int32 indices holds"),
        ("patterns", np.array([["a"]]), "patterns holds <U1: only whole numbers and floats"),
        (
            "weights",
            np.zeros((2, 5), np.float32),
            r"weights have shape \(2, 5\) .* these patterns have \(2, ",
        ),
        ("weights", np.float32(1), r"weights have shape \(\)"),
        ("weights", "float64", "type float64"),
        ("weights", "int32", "type int32"),
        ("weights", ">f4", "type >f4"),
        ("header", np.array(["{}"]), "header holds <U2"),
    ],
)
def test_wrong_arrays_are_refused(tmp_path, network, part, array, message):
    wrong = network.weights.astype(array) if isinstance(array, str) else array
    refused(write_file(tmp_path / "agent.npz", network, **{part: wrong}), message)


def npy_that_claims(shape, content=b"", padding=0):
    """An npy file whose head tells of an array that is not in it."""
    head = f"{{'descr': '<f4', 'fortran_order': False, 'shape': {shape}, }}".encode() + b" " * padding + b"\n"
    return b"\x93NUMPY\x02\x00" + len(head).to_bytes(4, "little") + head + content


@pytest.mark.parametrize(
    ("raw", "message"),
    [
        (
            npy_that_claims((2, 10**15)),
            r"said to have shape \(2, 1000000000000000\) of float32, but holds 0 bytes",
        ),
        (npy_that_claims((2, 3), bytes(20)), "but holds 20 bytes"),
        (npy_that_claims((-2, -3), bytes(24)), r"said to have shape \(-2, -3\)"),
        (
            npy_that_claims((2, 3), bytes(24), padding=50_000),
            "weights is no plain array",
        ),  # a head too long to be true
        (npy_that_claims("(2, 3"), "weights is no plain array"),
        (npy_that_claims("__import__('os').getcwd()"), "weights is no plain array"),
        (b"\x93NUMPY\x09\x00" + bytes(50), r"weights is no plain array \(npy format 9.0 is not known\)"),
        (b"\x93NUMPY\x01\x00\xff\xff", "weights is no plain array"),
        (b"", "weights is no plain array"),
    ],
)
def test_arrays_that_claim_what_is_not_there_are_refused_before_memory_is_taken(
    tmp_path, network, raw, message
):
    refused(write_file(tmp_path / "agent.npz", network, weights=raw), message)


def test_files_that_unpack_to_more_than_is_allowed_are_refused(tmp_path, network):
    packed = {"compression": zipfile.ZIP_DEFLATED, "patterns": bytes((1 << 20) + 1)}
    path = write_file(tmp_path / "agent.npz", network, **packed)
    assert path.stat().st_size < 50_000
    refused(path, "patterns takes 1,048,577 bytes: allowed are 1,048,576")


def test_a_part_twice_is_refused(tmp_path, network):
    path = write_file(tmp_path / "agent.npz", network)
    with zipfile.ZipFile(path, "a") as archive, pytest.warns(UserWarning, match="Duplicate name"):
        archive.writestr("weights.npy", npy(network.weights))
    refused(path, r"holds 'header.npy', 'patterns.npy', 'weights.npy', 'weights.npy', not")


class Touches:
    """A pickle of this makes a file when it is loaded without care."""

    def __init__(self, path):
        self.path = path

    def __reduce__(self):
        return Path.touch, (self.path,)


@pytest.mark.parametrize("part", ["header", "patterns", "weights"])
def test_pickles_in_an_npz_are_refused_and_not_run(tmp_path, network, part):
    trap = tmp_path / "sprung"
    raw = npy(np.array([Touches(trap)], dtype=object))
    refused(write_file(tmp_path / "agent.npz", network, **{part: raw}), f"{part} holds object")
    assert not trap.exists()
    pickle.loads(pickle.dumps(Touches(trap)))  # noqa: S301 (the trap works)
    assert trap.exists()


@pytest.mark.parametrize("reader", [load_network, read_published])
def test_a_missing_file_is_said_to_be_missing(tmp_path, reader):
    if reader is read_published:
        pytest.importorskip("torch")
    with pytest.raises(FileNotFoundError, match="agent"):
        reader(tmp_path / "agent")


# The published layout


@pytest.fixture
def torch():
    return pytest.importorskip("torch")


def published(torch, cells=None, seed=2):
    """What the published recipe saves: bit indices 9 column + row, and weights where positions lead."""
    cells = draw_patterns(5, 8, rng=np.random.default_rng(1))[:, ::-1] if cells is None else np.array(cells)
    network = random_network(cells)
    number = np.repeat(np.arange(len(cells)), network.indexing.sizes)
    table = torch.zeros(2, len(cells), 4 ** cells.shape[1])
    table[:, torch.from_numpy(number), torch.from_numpy(full_indices(network.indexing))] = torch.from_numpy(
        network.weights
    )
    squares = torch.from_numpy(9 * (cells.astype(np.int64) // 6) + cells % 6)
    state = {"n_tuple_tensor": squares, "W": table}
    return {"state_dict": state, "n_tuple_list": squares.tolist()}


def value_by_the_published_rule(state, columns):
    """Value after a sequence of columns, cell by cell in plain Python."""
    board = {}
    for number, column in enumerate(columns):
        board[column, sum(each == column for each in columns[:number])] = 1 + number % 2
    total = 0.0
    for cells, weights in zip(state["n_tuple_tensor"].tolist(), state["W"][len(columns) % 2], strict=True):
        for mirror in (False, True):
            index = 0
            for place, bit in enumerate(cells):
                column, row = 6 - bit // 9 if mirror else bit // 9, bit % 9
                next_row = columns.count(column)
                index += (board.get((column, row), 3 if row == next_row else 0)) * 4**place
            total += float(weights[index])
    return np.tanh(total)


def test_published_weights_give_the_published_values(tmp_path, torch):
    content = published(torch)
    torch.save(content, tmp_path / "agent.pt")
    network = read_published(tmp_path / "agent.pt")
    assert network.about == {"read_from": "agent.pt"}
    assert network.indexing.patterns.shape == (5, 8)
    rng = np.random.default_rng(3)
    for ply in range(43):
        columns = rng.permutation(np.repeat(np.arange(7), 6))[:ply].tolist()
        sides, heights = [0, 0], [0] * 7
        for number, column in enumerate(columns):
            sides[number % 2] |= 1 << (9 * column + heights[column])
            heights[column] += 1
        position = SimpleNamespace(tokens=sum(sides), active=sides[ply % 2], moves_left=42 - ply)
        expected = value_by_the_published_rule(content["state_dict"], columns)
        assert values(network, position)[0] == pytest.approx(expected, abs=6e-8)  # one rounding to float32


def test_published_weights_go_through_our_file_unchanged(tmp_path, torch):
    torch.save(published(torch), tmp_path / "agent.pt")
    network = read_published(tmp_path / "agent.pt")
    again = load_network(save_network(tmp_path / "agent.npz", network))
    assert (again.weights == network.weights).all() and again.about == network.about
    assert (again.indexing.patterns == network.indexing.patterns).all()


def test_parameters_and_views_are_tensors_as_well(tmp_path, torch):
    content = published(torch)
    expected = content["state_dict"]["W"].clone()
    turned = content["state_dict"]["W"].transpose(1, 2).contiguous().transpose(1, 2)
    content["state_dict"]["W"] = torch.nn.Parameter(turned)
    torch.save(content, tmp_path / "agent.pt")
    network = read_published(tmp_path / "agent.pt")
    from ludometrics.connect4.dense_torch import from_network

    assert torch.equal(from_network(network).weights, expected)


def test_published_weights_where_no_position_leads_are_refused_or_dropped(tmp_path, torch):
    content = published(torch, [[0, 1], [6, 12]])
    content["state_dict"]["W"][0, 0, 4] = 1  # nothing in cell 0, yellow on cell 1
    path = tmp_path / "agent.pt"
    torch.save(content, path)
    refused(
        path,
        "1 weights other than 0 belong to states that gravity forbids, .* pattern 0, index 4",
        read_published,
    )
    assert read_published(path, drop=True).about == {"read_from": "agent.pt", "dropped_weights": 1}


@pytest.mark.parametrize(
    ("name", "change", "message"),
    [
        ("n_tuple_tensor", lambda own: own * 0 + 6, "pattern 0: bit 6 is not on the board"),
        ("n_tuple_tensor", lambda own: own - 63, "pattern 0: bit -"),
        ("n_tuple_tensor", lambda own: own + 63, "pattern 0: bit .* is not on the board"),
        ("n_tuple_tensor", lambda own: own * 0, r"pattern 0: \[0, 0\] names a cell twice"),
        ("n_tuple_tensor", lambda own: own.int(), "type torch.int32: wanted"),
        ("n_tuple_tensor", lambda own: own[0], r"shape \(2,\)"),
        ("n_tuple_tensor", lambda own: own[:0], r"shape \(0, 2\)"),
        ("n_tuple_tensor", lambda own: own.tolist(), "no published weights"),
        ("n_tuple_tensor", lambda own: own[:, :1].expand(-1, 13), r"shape \(2, 13\)"),
        ("n_tuple_tensor", lambda own: own[:1, :1].expand(100, 12), "W of shape .* is too large"),
        ("W", lambda own: own[0], r"W has shape \(2, 16\) .* wanted is \(2, 2, 16\)"),
        ("W", lambda own: own.double(), "type torch.float64"),
        ("W", lambda own: own.to_sparse(), "no published weights"),
        ("W", lambda own: own.to("meta"), "no published weights"),
        ("W", lambda own: None, "no published weights"),
        ("W", lambda own: own / 0, "weights (other than 0|have to be finite)"),
    ],
)
def test_published_tensors_that_do_not_fit_are_refused(tmp_path, torch, name, change, message):
    content = published(torch, [[0, 1], [6, 12]])
    content["state_dict"][name] = change(content["state_dict"][name])
    torch.save(content, tmp_path / "agent.pt")
    refused(tmp_path / "agent.pt", message, read_published)


@pytest.mark.parametrize("value", [float("nan"), float("inf")])
def test_published_weights_that_are_not_finite_are_refused(tmp_path, torch, value):
    content = published(torch, [[0, 1], [6, 12]])
    content["state_dict"]["W"][1, 1, 15] = value
    torch.save(content, tmp_path / "agent.pt")
    refused(tmp_path / "agent.pt", "weights have to be finite: 1 are not", read_published)


@pytest.mark.parametrize("content", [[1, 2], {"W": 1}, {"state_dict": 3}, {"state_dict": {}}, None])
def test_torch_files_of_other_things_are_refused(tmp_path, torch, content):
    torch.save(content, tmp_path / "agent.pt")
    refused(tmp_path / "agent.pt", "no published weights: `state_dict` with tensors", read_published)


@pytest.mark.parametrize("zipped", [True, False])
def test_code_in_a_torch_file_is_refused_and_not_run(tmp_path, torch, zipped):
    trap, path = tmp_path / "sprung", tmp_path / "agent.pt"
    content = published(torch, [[0, 1]]) | {"extra": Touches(trap)}
    torch.save(content, path, _use_new_zipfile_serialization=zipped)
    refused(path, r"or with code in it, which is not run \(UnpicklingError\)", read_published)
    path.write_bytes(pickle.dumps(Touches(trap), protocol=2))
    refused(path, "which is not run", read_published)
    assert not trap.exists()


def test_torch_files_cut_off_or_of_another_kind_are_refused(tmp_path, torch):
    torch.save(published(torch, [[0, 1]]), tmp_path / "agent.pt")
    content = (tmp_path / "agent.pt").read_bytes()
    path = tmp_path / "cut.pt"
    for cut in [*(content[:length] for length in range(0, len(content), 211)), b"not torch", b"PK\x03\x04"]:
        path.write_bytes(cut)
        refused(path, "no torch file of tensors and plain values, damaged, or with code", read_published)


def test_our_file_is_no_torch_file_and_the_other_way_round(tmp_path, torch, network):
    refused(save_network(tmp_path / "agent.npz", network), "no torch file", read_published)
    torch.save(published(torch, [[0, 1]]), tmp_path / "agent.pt")
    refused(tmp_path / "agent.pt", "no file that save_network wrote")
