"""Tables on disk: bytes that can be compared, whole or not at all, each with its sidecar."""

import json
import os

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ludometrics.provenance import (
    file_sha256,
    merge_cells,
    read_sidecar,
    read_table,
    write_bytes,
    write_table,
)


def test_bytes_of_a_table(tmp_path):
    frame = pd.DataFrame(
        {
            "name": ["NA", "Zoë", "Ann, B."],
            "share": [1 / 3, -0.0, np.nan],
            "big": [1e300, np.inf, 12345678901.25],
            "n": [3, 1, 2],
            "ok": [True, False, True],
        }
    )
    path = write_table(frame, tmp_path / "t.csv", key=["name"])
    assert (
        path.read_bytes()
        == (
            'name,share,big,n,ok\n"Ann, B.",,1.23456789e+10,2,True\nNA,0.3333333333,1e+300,3,True\nZoë,0,inf,1,False\n'
        ).encode()
    )
    back = read_table(path)
    assert back["name"].tolist() == ["Ann, B.", "NA", "Zoë"]
    assert np.isnan(back["share"][0]) and back["big"][2] == np.inf


def test_the_sidecar_says_what_made_it(tmp_path):
    source = tmp_path / "in.txt"
    source.write_text("x")
    frame = pd.DataFrame({"k": [1], "v": [0.5]})
    path = write_table(
        frame, tmp_path / "t.csv", key=["k"], parameters={"seed": 7, "k": 2.0}, inputs=[source]
    )
    sidecar = read_sidecar(path)
    assert sidecar["outputs"] == {"t.csv": file_sha256(path)}
    assert sidecar["inputs"] == {source.as_posix(): file_sha256(source)}
    assert sidecar["parameters"] == {"seed": 7, "k": 2.0} and sidecar["seed"] == 7 and sidecar["key"] == ["k"]
    assert {"git_commit", "git_dirty", "versions", "python", "cpu", "gpu", "threads"} <= set(
        sidecar["environment"]
    )
    assert sidecar["environment"]["versions"]["numpy"] == np.__version__


@pytest.mark.parametrize(
    ("frame", "key", "said"),
    [
        (pd.DataFrame({"a": [1, 1], "v": [1.0, 2.0]}), ["a"], r"two rows have the key \{'a': 1\}"),
        (pd.DataFrame({"a": [1.0, np.nan]}), ["a"], "empty in some row"),
        (pd.DataFrame({"a": [1]}), ["b"], r"\['b'\] are not among"),
        (pd.DataFrame({"a": [1]}), [], "are not among"),
    ],
)
def test_a_key_that_names_no_row_is_refused(tmp_path, frame, key, said):
    with pytest.raises(ValueError, match=said):
        write_table(frame, tmp_path / "t.csv", key=key)
    assert list(tmp_path.iterdir()) == []


@settings(max_examples=20, deadline=None)  # each writes to disk, and waits for it
@given(
    st.lists(
        st.tuples(
            st.text(st.characters(codec="utf-8", exclude_categories=["C"]), min_size=1),
            st.floats(allow_nan=False, allow_infinity=False),
        ),
        unique_by=lambda row: row[0],
        min_size=1,
    ),
    st.randoms(use_true_random=False),
)
def test_order_of_rows_never_shows(tmp_path_factory, rows, shuffler):
    folder = tmp_path_factory.mktemp("shuffled")
    contents = []
    for _ in range(2):
        frame = pd.DataFrame(rows, columns=["name", "value"])
        contents.append(write_table(frame, folder / "t.csv", key=["name"]).read_bytes())
        shuffler.shuffle(rows)
    assert contents[0] == contents[1]
    back = read_table(folder / "t.csv").set_index("name")["value"].to_dict()
    if all(not name.replace(".", "").replace("-", "").isnumeric() for name, _ in rows):
        assert len(back) == len(rows)


def test_a_failed_write_leaves_the_old_file_whole(tmp_path, monkeypatch):
    path = write_bytes(tmp_path / "t.csv", b"old")
    for step in ("fsync", "replace"):
        monkeypatch.setattr(os, step, lambda *_: (_ for _ in ()).throw(OSError("disk full")))
        with pytest.raises(OSError, match="disk full"):
            write_bytes(path, b"new")
        monkeypatch.undo()
        assert path.read_bytes() == b"old" and list(tmp_path.iterdir()) == [path]


def test_reading_says_what_is_wrong(tmp_path):
    with pytest.raises(ValueError, match="no such table"):
        read_table(tmp_path / "absent.csv")
    (tmp_path / "empty.csv").write_text("")
    with pytest.raises(ValueError, match="not a table"):
        read_table(tmp_path / "empty.csv")


def test_sidecars_that_are_none(tmp_path):
    for text in ("{", "[]", json.dumps({"a": 1})):
        (tmp_path / "t.json").write_text(text)
        with pytest.raises(ValueError, match=r"t\.json: not a"):
            read_sidecar(tmp_path / "t.csv")


def test_cells_are_merged_only_if_alike(tmp_path):
    paths = [tmp_path / "a.csv", tmp_path / "b.csv"]
    for number, path in enumerate(paths):
        write_table(pd.DataFrame({"k": [number], "v": [0.5]}), path, key=["k"])
    assert merge_cells(paths)["k"].tolist() == [0, 1]
    write_table(pd.DataFrame({"k": [3], "w": [0.5]}), paths[1], key=["k"])
    with pytest.raises(ValueError, match=r"b\.csv: its columns"):
        merge_cells(paths)
    with pytest.raises(ValueError, match="no cell"):
        merge_cells([])
