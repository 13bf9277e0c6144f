"""Figures whose bytes repeat, with caption and sidecar."""

import hashlib
import subprocess
import sys

import matplotlib.pyplot as plt
import pandas as pd
import pytest

from ludometrics.plotting import (
    MARKERS,
    OKABE_ITO,
    WIDTH_MM,
    marks,
    new_figure,
    run_figure,
    save_figure,
    use_style,
)
from ludometrics.provenance import read_sidecar, verify, write_table

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


def test_no_date_version_of_the_day_or_random_name_is_in_a_file(tmp_path):
    contents = []
    for _ in range(2):
        figure, axes = new_figure("single", 50)
        axes.scatter([1, 2], [1, 2], clip_on=True)
        axes.set_title("ligature: fi, minus: -1")
        written = save_figure(figure, tmp_path / "x", caption="A line, n = 2.")
        contents.append([path.read_bytes() for path in written[:4]])
    assert contents[0] == contents[1]
    svg, pdf, png, _ = contents[0]
    assert b"dc:date" not in svg and b"CreationDate" not in pdf and b"Software" not in png


def test_the_users_own_settings_do_not_show(tmp_path):
    contents = []
    for salt in ("one", None):
        with plt.rc_context({"svg.hashsalt": salt}):
            figure, axes = new_figure("single", 50)
            axes.scatter([1, 2], [1, 2])
            contents.append(save_figure(figure, tmp_path / "x", caption="n = 2")[0].read_bytes())
    assert contents[0] == contents[1]


def test_a_drawing_that_fails_leaves_no_file(tmp_path):
    figure, axes = new_figure("single", 50)
    axes.set_title("$\\frac{$")  # not closed
    with pytest.raises(ValueError):
        save_figure(figure, tmp_path / "x", caption="n = 2")
    plt.close(figure)
    figure, _ = new_figure("single", 50)
    with pytest.raises(FileNotFoundError):
        save_figure(figure, tmp_path / "x", caption="n = 2", inputs=[tmp_path / "absent.csv"])
    assert list(tmp_path.iterdir()) == []


def test_saved_figures_are_closed_and_have_one_font(tmp_path):
    before = plt.get_fignums()
    figure, _ = new_figure("single", 50)
    assert plt.rcParams["font.size"] == 8 and plt.rcParams["font.sans-serif"] == ["DejaVu Sans"]
    save_figure(figure, tmp_path / "x", caption="several\n  words", inputs=[])
    assert plt.get_fignums() == before
    assert (tmp_path / "x.txt").read_bytes() == b"several words\n"
    assert all(finding.ok for finding in verify([tmp_path]))


def test_the_style_keeps_to_colours_that_everyone_tells_apart():
    use_style()
    cycle = [color.upper() for color in plt.rcParams["axes.prop_cycle"].by_key()["color"]]
    assert {f"#{color.lstrip('#')}" for color in cycle} == set(OKABE_ITO.values())
    used = {mark.color for mark in marks(range(24)).values()}
    assert used == set(OKABE_ITO.values()) - {OKABE_ITO["yellow"], OKABE_ITO["black"]}


def test_a_series_keeps_its_mark():
    assert marks(["a", "b", "a"]) == marks(["a", "b"])
    assert marks(["a", "b", "c"])["b"] == marks(["a", "b"])["b"]


def test_run_figure_in_this_process(tmp_path, capsys):
    write_table(pd.DataFrame({"k": [1], "v": [0.5]}), tmp_path / "results/study/table.csv", key=["k"])

    def draw(table):
        """Draw it."""
        figure, axes = new_figure("single", 50)
        axes.plot(table["k"], table["v"], "o")
        return figure, f"n = {len(table)}"

    for arguments, status in (
        (["--results", str(tmp_path / "results"), "--out", str(tmp_path / "figures")], 0),
        (["--results", str(tmp_path / "absent")], 2),
        (["--nonsense"], 2),
        (["--help"], 0),
    ):
        with pytest.raises(SystemExit) as ended:
            run_figure("figures/line.py", draw, ["study/table.csv"], arguments)
        assert ended.value.code == status
    shown = capsys.readouterr()
    assert str(tmp_path / "figures" / "line.svg") in shown.out and "Draw it." in shown.out
    assert "table.csv: no such table" in shown.err
