"""Tables on disk: bytes that can be compared, whole or not at all, each with its sidecar."""

import errno
import json
import os
import signal
import stat
import subprocess
import sys
from contextlib import nullcontext

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
    verify,
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


def test_a_failed_write_leaves_the_old_file_whole(tmp_path, monkeypatch):
    path = write_bytes(tmp_path / "t.csv", b"old")
    for step in ("fsync", "chmod", "replace"):
        monkeypatch.setattr(os, step, lambda *_: (_ for _ in ()).throw(OSError("disk full")))
        with pytest.raises(OSError, match="disk full"):
            write_bytes(path, b"new")
        monkeypatch.undo()
        assert path.read_bytes() == b"old" and list(tmp_path.iterdir()) == [path]


@pytest.mark.skipif(os.name != "posix", reason="modes of files and syncing of folders are POSIX")
def test_a_file_keeps_its_mode_and_its_folder_is_forced_to_the_disk(tmp_path, monkeypatch):
    path = write_bytes(tmp_path / "new" / "t.csv", b"old")
    path.chmod(0o640)
    synced = []
    sync = os.fsync
    monkeypatch.setattr(os, "fsync", lambda handle: (synced.append(os.fstat(handle)), sync(handle)))
    write_bytes(path, b"new")
    monkeypatch.undo()
    assert path.read_bytes() == b"new" and path.stat().st_mode & 0o777 == 0o640
    assert [item.st_ino for item in synced] == [path.stat().st_ino, path.parent.stat().st_ino]


@pytest.mark.skipif(os.name != "posix", reason="folders are forced to the disk on POSIX alone")
@pytest.mark.parametrize(("number", "passes"), [(errno.EINVAL, True), (errno.EIO, False)])
def test_a_drive_that_cannot_force_folders_is_no_error_but_a_broken_one_is(
    tmp_path, monkeypatch, number, passes
):
    sync = os.fsync

    def refuse_folders(handle):
        if stat.S_ISDIR(os.fstat(handle).st_mode):
            raise OSError(number, "of the drive")
        sync(handle)

    monkeypatch.setattr(os, "fsync", refuse_folders)
    with nullcontext() if passes else pytest.raises(OSError, match="of the drive"):
        write_bytes(tmp_path / "t.csv", b"new")
    assert (tmp_path / "t.csv").read_bytes() == b"new"


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


def same_values():
    """One table in every way that pandas may keep it."""
    names, shares, counts = ["b", "a", "c"], [0.1 + 0.2, -0.0, None], [3, 1, 2]
    plain = pd.DataFrame({"name": names, "share": shares, "n": counts})
    yield plain
    yield plain.astype(object)
    yield plain.astype({"name": "string", "share": "Float64", "n": "Int64"})
    yield plain.astype({"name": pd.CategoricalDtype(["c", "b", "a"], ordered=True), "share": object})
    yield plain.iloc[[2, 0, 1]]
    yield plain.set_axis([0, 0, 0])
    yield pd.DataFrame(plain.to_dict("records"))
    yield pd.DataFrame(
        {"name": np.array(names), "share": np.array(shares, dtype=float), "n": np.int16(counts)}
    )


@pytest.mark.parametrize("frame", list(same_values()), ids=range(8))
def test_bytes_depend_on_the_values_alone(tmp_path, frame):
    path = write_table(frame, tmp_path / "t.csv", key=["name"])
    assert path.read_bytes() == b"name,share,n\na,0,1\nb,0.3,3\nc,,2\n"


def test_objects_of_mixed_kind_keep_ten_digits(tmp_path):
    frame = pd.DataFrame({"k": [1, 2, 3], "v": pd.Series([0.1 + 0.2, "x", None], dtype=object)})
    assert write_table(frame, tmp_path / "t.csv", key=["k"]).read_bytes() == b"k,v\n1,0.3\n2,x\n3,\n"


def test_the_frame_that_was_given_stays_as_it_is(tmp_path):
    frame = pd.DataFrame({"k": [2, 1], "v": [-0.0, 1.0]})
    write_table(frame, tmp_path / "t.csv", key=["k"])
    assert frame["k"].tolist() == [2, 1] and np.signbit(frame["v"][0])


names = st.text(st.characters(codec="utf-8", exclude_characters="\r\0"), min_size=1, max_size=8)
numbers = st.one_of(
    st.none(),
    st.floats(-1e300, 1e300) | st.sampled_from([float("inf"), float("-inf")]),
    st.integers(-(2**53), 2**53).map(float),
)


@settings(max_examples=25, deadline=None)  # each writes to disk, and waits for it
@given(
    st.lists(
        st.tuples(names | st.sampled_from(["NA", "007", "1e5", "inf", "True", "nan", " x", '"']), numbers),
        unique_by=lambda row: row[0],
        min_size=1,
        max_size=6,
    )
)
def test_round_trip(tmp_path_factory, rows):
    folder = tmp_path_factory.mktemp("round_trip")
    frame = pd.DataFrame(rows, columns=["name", "value"]).astype({"value": float})
    path = write_table(frame, folder / "t.csv", key=["name"])
    back = read_table(path)
    assert back["name"].tolist() == sorted(name for name, _ in rows)
    wanted = {name: value for name, value in rows}
    for name, value in zip(back["name"], back["value"], strict=True):
        if wanted[name] is None:
            assert np.isnan(value)
        else:
            assert value == float(f"{wanted[name]:.10g}")
    again = write_table(back, folder / "again.csv", key=["name"])
    assert again.read_bytes() == path.read_bytes()


def test_digits_stay_a_name_where_the_sidecar_says_so(tmp_path):
    path = write_table(pd.DataFrame({"name": ["007", "12"], "v": [1, 2]}), tmp_path / "t.csv", key=["name"])
    assert read_sidecar(path)["text"] == ["name"]
    assert read_table(path)["name"].tolist() == ["007", "12"]
    path.with_suffix(".json").unlink()
    assert read_table(path)["name"].tolist() == [7, 12]


@pytest.mark.parametrize(
    ("frame", "said"),
    [
        (pd.DataFrame([[1, 2]], columns=["k", "k"]), "two columns are called 'k'"),
        (pd.DataFrame({"k": ["a\rb"]}), "carriage return or NUL in column 'k'"),
        (pd.DataFrame({"k": [1, "a"]}), "cannot be sorted"),
    ],
    ids=["columns", "carriage return", "mixed"],
)
def test_what_csv_cannot_hold_is_refused(tmp_path, frame, said):
    with pytest.raises(ValueError, match=said):
        write_table(frame, tmp_path / "t.csv", key=["k"])
    assert list(tmp_path.iterdir()) == []
    with pytest.raises(ValueError, match=r"must end in \.csv"):
        write_table(frame, tmp_path / "t.txt", key=["k"])


@pytest.mark.parametrize(
    "value",
    [np.int64(3), float("nan"), float("inf"), {1}, object()],
    ids=lambda value: type(value).__name__ + str(value)[:4],
)
def test_a_parameter_that_json_cannot_hold_leaves_the_old_table(tmp_path, value):
    frame = pd.DataFrame({"k": [1]})
    path = write_table(frame, tmp_path / "t.csv", key=["k"], parameters={"seed": 1})
    before = {item.name: item.read_bytes() for item in tmp_path.iterdir()}
    with pytest.raises(ValueError, match="parameter 'seed' is"):
        write_table(frame + 1, path, key=["k"], parameters={"seed": value})
    with pytest.raises(FileNotFoundError):
        write_table(frame + 1, path, key=["k"], inputs=[tmp_path / "absent.csv"])
    assert {item.name: item.read_bytes() for item in tmp_path.iterdir()} == before


KILLED = """
import os, signal, sys
import pandas as pd
from ludometrics.provenance import write_table

step, count = sys.argv[1], int(sys.argv[2])
real, calls = getattr(os, step), []


def kill(*arguments):
    calls.append(arguments)
    if len(calls) == count:
        os.kill(os.getpid(), signal.SIGKILL)
    return real(*arguments)


setattr(os, step, kill)
write_table(pd.DataFrame({"k": [1], "v": [2.0]}), sys.argv[3], key=["k"])
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs SIGKILL")
@pytest.mark.parametrize(
    ("step", "count", "table"), [("fsync", 1, "old"), ("replace", 1, "old"), ("replace", 2, "new")]
)
def test_a_kill_leaves_the_old_table_or_the_new_one(tmp_path, step, count, table):
    path = write_table(pd.DataFrame({"k": [1], "v": [1.0]}), tmp_path / "t.csv", key=["k"])
    sidecar = path.with_suffix(".json").read_bytes()
    done = subprocess.run([sys.executable, "-c", KILLED, step, str(count), str(path)])
    assert done.returncode == -signal.SIGKILL
    assert path.read_bytes() == {"old": b"k,v\n1,1\n", "new": b"k,v\n1,2\n"}[table]
    assert path.with_suffix(".json").read_bytes() == sidecar
    # A new table under an old sidecar is found, and neither is taken for whole.
    (finding,) = verify([tmp_path])
    assert finding.ok == (table == "old")
    assert {item.name for item in tmp_path.glob("*.*") if item.suffix != ".tmp"} == {"t.csv", "t.json"}


def test_inputs_in_the_repository_are_named_from_its_root(tmp_path, monkeypatch):
    (tmp_path / "pyproject.toml").write_text('[project]\nname = "ludometrics"\n')
    (tmp_path / "notebooks").mkdir()
    monkeypatch.chdir(tmp_path / "notebooks")
    write_table(pd.DataFrame({"k": [1]}), "results/a.csv", key=["k"])
    path = write_table(pd.DataFrame({"k": [1]}), "results/b.csv", key=["k"], inputs=["results/a.csv"])
    assert path == tmp_path / "results" / "b.csv"
    assert list(read_sidecar(path)["inputs"]) == ["results/a.csv"]
    assert read_sidecar(path)["seed"] is None


def test_merged_cells_keep_names_made_of_digits(tmp_path):
    for name in ("007", "Ann"):
        write_table(pd.DataFrame({"name": [name], "v": [0.5]}), tmp_path / f"{name}.csv", key=["name"])
    merged = merge_cells([tmp_path / "007.csv", tmp_path / "Ann.csv"])
    assert merged["name"].tolist() == ["007", "Ann"]
