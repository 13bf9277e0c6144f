"""Figures whose bytes repeat, with caption and sidecar."""

import hashlib
import subprocess
import sys

import pandas as pd
import pytest

from ludometrics.plotting import MARKERS, WIDTH_MM, marks, new_figure, save_figure
from ludometrics.provenance import read_sidecar, write_table

SCRIPT = '''
"""A line."""
from ludometrics.plotting import new_figure, run_figure

TABLES = ["study/table.csv"]


def draw(table):
    """Draw it."""
    figure, axes = new_figure("single", 50)
    axes.plot(table["k"], table["v"], "o-", label="a")
    axes.fill_between(table["k"], table["v"] - 1, table["v"] + 1, alpha=0.3)
    axes.legend()
    return figure, f"A line, n = {len(table)}."


if __name__ == "__main__":
    run_figure(__file__, draw, TABLES)
'''


def run(tmp_path, out):
    script = tmp_path / "line.py"
    script.write_text(SCRIPT)
    command = [
        sys.executable,
        str(script),
        "--results",
        str(tmp_path / "results"),
        "--out",
        str(tmp_path / out),
    ]
    return subprocess.run(command, capture_output=True, text=True)


def test_a_script_gives_the_same_bytes_in_two_processes(tmp_path):
    write_table(pd.DataFrame({"k": [1, 2], "v": [0.5, 2.0]}), tmp_path / "results/study/table.csv", key=["k"])
    hashes = []
    for out in ("one", "two"):
        done = run(tmp_path, out)
        assert done.returncode == 0, done.stderr
        files = [tmp_path / out / f"line.{kind}" for kind in ("svg", "pdf", "png", "txt")]
        hashes.append([hashlib.sha256(path.read_bytes()).hexdigest() for path in files])
    assert hashes[0] == hashes[1]
    assert (tmp_path / "one/line.txt").read_text() == "A line, n = 2.\n"
    sidecar = read_sidecar(tmp_path / "one/line.json")
    assert set(sidecar["outputs"]) == {"line.svg", "line.pdf", "line.png", "line.txt"}
    assert [name.split("/")[-1] for name in sidecar["inputs"]] == ["table.csv"]


def test_a_missing_table_is_a_clear_error(tmp_path):
    done = run(tmp_path, "out")
    assert done.returncode == 2 and "no such table" in done.stderr and "Traceback" not in done.stderr
    assert not (tmp_path / "out").exists()


def test_a_figure_without_a_caption_is_refused(tmp_path):
    figure, _ = new_figure()
    with pytest.raises(ValueError, match="needs a caption"):
        save_figure(figure, tmp_path / "x", caption="  ")
    assert list(tmp_path.iterdir()) == []


def test_a_figure_has_its_size_in_millimetres():
    figure, _ = new_figure("single", 50)
    width, height = figure.get_size_inches() * 25.4
    assert (round(width, 6), round(height, 6)) == (WIDTH_MM["single"], 50.0)
    with pytest.raises(ValueError, match="single, medium, double"):
        new_figure("wide")


def test_series_differ_in_more_than_colour():
    look = marks(range(20))
    assert len(set(look.values())) == 20
    assert len({mark.marker for mark in look.values()}) == len(MARKERS)
    with pytest.raises(ValueError, match="cannot be told apart"):
        marks(range(25))
