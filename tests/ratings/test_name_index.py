"""The name index: what a dict gives, whatever the type of the columns, and right where hashes collide."""

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ludometrics.ratings import index_games
from ludometrics.ratings.name_index import ROOM, NameFault, NameIndex, as_names
from ludometrics.ratings.name_loops import INSIDE

#: Short, empty, as long as a slot holds and longer, beyond ASCII, and such as differ in a NUL or in their end alone.
ODD = [
    "",
    "a",
    "a\0",
    "a\0\0",
    "Ann",
    "x" * 8,
    "x" * (INSIDE - 1),
    "x" * INSIDE,
    "x" * (INSIDE + 1),
    "x" * INSIDE + "y",
    "x" * 1000 + "a",
    "x" * 1000 + "b",
    "Зоя",
    "Müller",
    "Mu\u0308ller",
    "名人",
    "🂡" * 30,
    "ends\n",
    " Ann",
]


def plain_pairs(first, second, names):
    """The index in plain Python: a dict from names to numbers, changed as it goes."""
    pairs = [[names.setdefault(name, len(names)) for name in row] for row in zip(first, second, strict=True)]
    return np.array(pairs, dtype=np.int64).reshape(-1, 2)


def random_names(seed, n, pool):
    return np.array(pool, dtype=object)[np.random.default_rng(seed).integers(len(pool), size=n)].tolist()


def columns_of(kind, *columns):
    return [pa.array(column, type=kind) for column in columns]


@pytest.mark.parametrize("hash_bits", [64, 9, 3, 0])
@pytest.mark.parametrize(
    "kind", [pa.string(), pa.large_string(), pa.dictionary(pa.int8(), pa.string())], ids=str
)
def test_text_is_numbered_as_by_a_dict_even_if_all_hashes_collide(kind, hash_bits):
    pool = ODD + [f"player{number}" for number in range(60)]
    index, names = NameIndex(hash_bits=hash_bits), {}
    for seed in range(3):
        first, second = random_names(seed, 150, pool), random_names(seed + 10, 150, pool)
        found = index.number_pairs(*columns_of(kind, first, second))
        assert found.tolist() == plain_pairs(first, second, names).tolist()
    assert index.names().to_pylist() == list(names) and len(index) == len(names)
    assert index.kind == "text"


@pytest.mark.parametrize(
    "kind", [pa.int8(), pa.uint16(), pa.int64(), pa.dictionary(pa.int32(), pa.int64())], ids=str
)
def test_whole_numbers_are_numbered_as_by_a_dict(kind):
    pool = (
        [0, 1, 2, 7, 100, 127] if kind in (pa.int8(), pa.uint16()) else [0, -1, 2**63 - 1, -(2**63), 7, 255]
    )
    first, second = random_names(1, 50, pool), random_names(2, 50, pool)
    index, names = NameIndex(hash_bits=1), {}
    assert (
        index.number_pairs(*columns_of(kind, first, second)).tolist()
        == plain_pairs(first, second, names).tolist()
    )
    assert index.names().to_pylist() == list(names) and index.kind == "integers"


@given(st.lists(st.tuples(st.text(max_size=40), st.text(max_size=40)), max_size=30), st.integers(0, 64))
@settings(max_examples=60, deadline=None)
def test_any_text(rows, hash_bits):
    first, second = [row[0] for row in rows], [row[1] for row in rows]
    index, names = NameIndex(hash_bits=hash_bits), {}
    found = index.number_pairs(*columns_of(pa.string(), first, second))
    assert found.tolist() == plain_pairs(first, second, names).tolist()
    assert index.names().to_pylist() == list(names)


def test_it_numbers_as_index_games_does():
    pool = [f"p{number}" for number in range(30)]
    first = random_names(3, 200, pool)
    second = [f"q{name}" for name in random_names(4, 200, pool)]
    games = index_games(first, second, np.ones(200))
    index = NameIndex()
    assert np.array_equal(index.number_pairs(*columns_of(pa.string(), first, second)), games.pairs)
    assert tuple(index.names().to_pylist()) == games.players


def test_room_is_doubled_and_no_more_than_that():
    names = [f"player{number:06d}" for number in range(10 * ROOM)]
    index = NameIndex(names)
    assert index.names().to_pylist() == names
    # At most twice what the names need: 8 bytes of end, 12 of text, and two slots of 32 bytes.
    assert index.nbytes <= 2 * len(names) * (8 + 16 + 64)
    before = index.nbytes
    for _ in range(20):
        index.number_pairs(pa.array(names), pa.array(names[::-1]))
    assert index.nbytes == before, "games between known players take no memory"


def test_a_long_name_fits_even_an_empty_index():
    name = "é" * 3_000_000
    index = NameIndex()
    assert index.number_pairs(pa.array([name, "a"]), pa.array(["b", name])).tolist() == [[0, 1], [2, 0]]
    assert index.names()[0].as_py() == name


def test_slices_and_other_offsets():
    column = pa.array([None, "Ann", "Bob", "Cid", "Ann"])
    index = NameIndex()
    assert index.number_pairs(column[1:4], column[2:5]).tolist() == [[0, 1], [1, 2], [2, 0]]
    words = pa.array([None, "Ann", "Bob", "Ann", "Cid"]).dictionary_encode()
    assert index.number_pairs(words[1:4], words[2:5]).tolist() == [[0, 1], [1, 0], [0, 2]]


def test_a_dictionary_met_again_is_not_looked_up_again_but_others_are():
    words = pa.array(["Ann", "Bob", "Cid"])
    index = NameIndex()

    def column(codes, words):
        return pa.DictionaryArray.from_arrays(pa.array(codes, type=pa.int32()), words)

    assert index.number_pairs(column([2], words), column([1], words)).tolist() == [[0, 1]]
    assert index.number_pairs(column([0], words), column([2], words)).tolist() == [[2, 0]]
    others = pa.array(["Bob", "Dan", "Eve"])
    assert index.number_pairs(column([1], others), column([0], words)).tolist() == [[3, 2]]
    assert index.names().to_pylist() == ["Cid", "Bob", "Ann", "Dan"], "Eve stands in the dictionary only"


@pytest.mark.parametrize("words", [False, True])
def test_a_missing_name_is_told_with_its_row(words):
    first, second = pa.array(["a", "b", None, "d"]), pa.array(["b", None, "c", None])
    if words:
        first, second = first.dictionary_encode(), second.dictionary_encode()
    with pytest.raises(NameFault, match="name of the second player in row 1 is missing") as caught:
        NameIndex().number_pairs(first, second)
    assert (caught.value.row, caught.value.side) == (1, 1)


def test_a_missing_value_inside_a_dictionary():
    column = pa.DictionaryArray.from_arrays(pa.array([0, 1]), pa.array(["Ann", None]))
    with pytest.raises(NameFault, match="first player in row 1 is missing"):
        NameIndex().number_pairs(column, pa.array(["x", "y"]).dictionary_encode())


NOT_TEXT = [
    b"\xff",
    b"Andr\xe9",
    b"\xc0\x80",
    b"\xed\xa0\x80",
    b"\xf4\x90\x80\x80",
    b"\xe2\x82",
    b"\xf8\x88\x80\x80\x80",
]


@pytest.mark.parametrize("content", NOT_TEXT, ids=repr)
@pytest.mark.parametrize("words", [False, True])
def test_bytes_that_are_no_text_are_told_with_their_row(content, words):
    with pytest.raises(UnicodeDecodeError):
        content.decode()
    column = pa.array([b"Ann", content]).view(pa.string())
    other = pa.array(["x", "y"])
    if words:
        column = pa.DictionaryArray.from_arrays(pa.array([0, 1]), column)
        other = other.dictionary_encode()
    index = NameIndex()
    with pytest.raises(NameFault, match="second player in row 1 is not text in UTF-8"):
        index.number_pairs(other, column)
    # What came before is known, and the index is of use still.
    assert index.number_pairs(other[:1], column[:1]).tolist() == [[0, 1]]


def test_numbers_beyond_64_bits_with_sign():
    column = pa.array([1, 2**63], type=pa.uint64())
    with pytest.raises(NameFault, match="first player in row 1 is too large"):
        NameIndex().number_pairs(column, pa.array([5, 6], type=pa.uint64()))


def test_other_input_is_refused():
    index = NameIndex(["Ann"])
    with pytest.raises(ValueError, match="names are integers, those before are text"):
        index.number_pairs(pa.array([1]), pa.array([2]))
    with pytest.raises(ValueError, match="names are of type double: they must be text or whole numbers"):
        index.number_pairs(pa.array([1.5]), pa.array([2.5]))
    with pytest.raises(ValueError, match="1 first players but 2 second"):
        index.number_pairs(pa.array(["a"]), pa.array(["b", "c"]))
    with pytest.raises(ValueError, match="twice in names: 'Bob'"):
        NameIndex(["Bob", "Ann", "Bob"])
    with pytest.raises(ValueError, match="hash_bits is 65"):
        NameIndex(hash_bits=65)


def test_names_from_python():
    assert as_names(np.array([3, 4])).to_pylist() == [3, 4]
    assert as_names(np.array(["a", "b"])).to_pylist() == ["a", "b"]
    for wrong in ([("a", "b")], [1, "a"], ["a", 1], [True], [1.5], [None], ["\ud800"], [2**70]):
        with pytest.raises(ValueError, match="name"):
            as_names(wrong)
