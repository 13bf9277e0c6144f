"""Checkpoints: what was saved comes back; what is broken, foreign or of another run is refused in words."""

import json
import pickle
import zipfile

import numpy as np
import pytest

from ludometrics.connect4.checkpoints import (
    Checkpoint,
    CheckpointError,
    differing_settings,
    load_checkpoint,
    save_checkpoint,
)

RECIPE = {"name": "recipe", "batch": 8, "tau": 0.15, "evaluated": "target"}
ARRAYS = {
    "weights": np.arange(6, dtype=np.float32).reshape(2, 3),
    "step_count": np.float32(3.0),
    "ended": np.array([True, False]),
    "boards": np.array([2**62, -1]),
    "nothing": np.zeros((0, 4), dtype=np.uint8),
}


def saved(tmp_path, **changes):
    checkpoint = Checkpoint(
        **{
            "recipe": RECIPE,
            "seed": 3,
            "step": 200,
            "arrays": ARRAYS,
            "random_state": {"key": 2**64 - 1},
            "more": {"elapsed_s": 1.5},
        }
        | changes
    )
    return save_checkpoint(tmp_path / "checkpoint.npz", checkpoint)


def test_everything_comes_back(tmp_path):
    found = load_checkpoint(saved(tmp_path), recipe=RECIPE, seed=3)
    assert (found.recipe, found.seed, found.step) == (RECIPE, 3, 200)
    assert (found.random_state, found.more) == ({"key": 2**64 - 1}, {"elapsed_s": 1.5})
    assert list(found.arrays) == list(ARRAYS)
    for name, array in ARRAYS.items():
        assert found.arrays[name].dtype == array.dtype and found.arrays[name].shape == array.shape
        np.testing.assert_array_equal(found.arrays[name], array)


def test_the_same_state_makes_the_same_bytes_and_numpy_reads_them(tmp_path):
    first = saved(tmp_path).read_bytes()
    path = saved(tmp_path)
    assert path.read_bytes() == first
    assert [path.name for path in tmp_path.iterdir()] == ["checkpoint.npz"]
    with np.load(path, allow_pickle=False) as archive:
        np.testing.assert_array_equal(archive["weights"], ARRAYS["weights"])


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"tau": 0.05}, r"of another recipe: tau is 0.15 in the checkpoint, asked for is 0.05$"),
        ({"batch": 9, "tau": 0.2}, r"batch is 8 .* is 9; tau is 0.15 .* is 0.2$"),
        ({"horizon": 5}, "horizon is not in the checkpoint, asked for is 5"),
    ],
    ids=str,
)
def test_another_recipe_is_refused_and_the_settings_named(tmp_path, changes, message):
    with pytest.raises(CheckpointError, match=message):
        load_checkpoint(saved(tmp_path), recipe=RECIPE | changes)


def test_another_seed_is_refused_and_free_settings_are_not(tmp_path):
    path = saved(tmp_path)
    with pytest.raises(CheckpointError, match="its seed is 3, asked for is 4"):
        load_checkpoint(path, recipe=RECIPE, seed=4)
    assert load_checkpoint(path, recipe=RECIPE | {"batch": 9}, free=["batch"]).step == 200
    assert differing_settings({"batch": 8}, {}) == [
        "batch is 8 in the checkpoint, the recipe asked for does not know it"
    ]


def test_what_is_cut_off_or_flipped_is_refused(tmp_path):
    path = saved(tmp_path)
    whole = path.read_bytes()
    for length in range(0, len(whole), 97):
        path.write_bytes(whole[:length])
        with pytest.raises(CheckpointError, match=r"checkpoint\.npz"):
            load_checkpoint(path)
    at = whole.index(ARRAYS["weights"].tobytes()) + 5
    path.write_bytes(whole[:at] + bytes([whole[at] ^ 1]) + whole[at + 1 :])
    with pytest.raises(CheckpointError, match="broken, or not a checkpoint"):
        load_checkpoint(path)
    with pytest.raises(CheckpointError, match="no such checkpoint"):
        load_checkpoint(tmp_path / "none.npz")


def rewritten(path, *, about=None, member=None, compression=zipfile.ZIP_STORED):
    """Write an archive with other settings, or with another member, in the place of a sound one."""
    with zipfile.ZipFile(path) as archive:
        found = json.loads(archive.read("about.json"))
    with zipfile.ZipFile(path, "w", compression) as archive:
        archive.writestr("about.json", json.dumps(found | (about or {})))
        if member:
            archive.writestr(*member)
    return path


def npy(header: str, content: bytes = b"") -> bytes:
    text = header.ljust(117).encode() + b"\n"
    return b"\x93NUMPY\x01\x00" + len(text).to_bytes(2, "little") + text + content


@pytest.mark.parametrize(
    ("about", "member", "message"),
    [
        ({"format": "other"}, None, "its format is not"),
        ({"version": 99}, None, "version 99; this library reads version 1"),
        ({"step": -1}, None, "step is -1"),
        ({"seed": True}, None, "seed is True"),
        ({"recipe": []}, None, r"recipe is \[\]"),
        (None, ("a.txt", b"text"), "a.txt cannot be read"),
        (None, ("a.npy", b"text"), "a.npy cannot be read"),
        (
            None,
            ("a.npy", npy("{'descr': '<f4', 'fortran_order': False, 'shape': (1000000000000,)}")),
            "its header asks for 4000000000000 bytes, 0 are there",
        ),
        (
            None,
            ("a.npy", npy("{'descr': '<f4', 'fortran_order': False, 'shape': (-1,)}")),
            "its header asks for",
        ),
        (
            None,
            ("a.npy", npy("{'descr': '|O', 'fortran_order': False, 'shape': ()}", pickle.dumps(1))),
            "holds Python objects",
        ),
    ],
    ids=["format", "version", "step", "seed", "recipe", "text", "no array", "huge", "negative", "pickled"],
)
def test_foreign_archives_are_refused(tmp_path, about, member, message):
    path = rewritten(saved(tmp_path), about=about, member=member)
    with pytest.raises(CheckpointError, match=message):
        load_checkpoint(path)


def test_archives_that_unpack_to_more_than_they_are_and_those_of_others_are_refused(tmp_path):
    array = npy("{'descr': '<f4', 'fortran_order': False, 'shape': (250000,)}", bytes(1_000_000))
    path = rewritten(saved(tmp_path), member=("a.npy", array), compression=zipfile.ZIP_DEFLATED)
    with pytest.raises(CheckpointError, match=r"a\.npy cannot be read"):
        load_checkpoint(path)
    np.savez(path, weights=np.zeros(3))
    with pytest.raises(CheckpointError, match=r"about\.json is missing"):
        load_checkpoint(path)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"arrays": {"a": np.array([{}])}}, "array 'a' of object"),
        ({"arrays": {"../a": np.zeros(1)}}, r"array '../a'"),
        ({"more": {"elapsed_s": float("nan")}}, "must be plain values"),
        ({"recipe": {"batch": np.int64(8)}}, "must be plain values"),
    ],
    ids=["objects", "name", "not finite", "numpy number"],
)
def test_what_cannot_be_kept_leaves_the_checkpoint_that_is_there(tmp_path, changes, message):
    before = saved(tmp_path).read_bytes()
    with pytest.raises(CheckpointError, match=message):
        saved(tmp_path, **changes)
    assert (tmp_path / "checkpoint.npz").read_bytes() == before
