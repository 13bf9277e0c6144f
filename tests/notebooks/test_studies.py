"""Each study runs the whole way once, at its smallest: cells, summary, tables as described, figures."""

import contextlib
import json
import re
import subprocess
import sys
from fnmatch import fnmatch
from pathlib import Path

import pytest

from common import Layout, Study
from ludometrics.provenance import join_replications, read_sidecar, read_table
from project import FIGURES, GRIDS, NOTEBOOKS, ROOT, described

papermill = pytest.importorskip("papermill")

STUDIES = [path.stem for path in GRIDS]
NOT_RUN_BY_A_GRID = [path for path in NOTEBOOKS if path.stem.removesuffix("_summary") not in STUDIES]


def run(notebook: Path, out: Path, parameters: dict) -> dict:
    """Run a notebook as the engine does: the command line, from the root, in a process of its own."""
    out.parent.mkdir(parents=True, exist_ok=True)
    command = [
        sys.executable,
        "-m",
        "papermill",
        "--no-progress-bar",
        "--log-level",
        "ERROR",
        "-k",
        "python3",
    ]
    done = subprocess.run(
        [*command, str(notebook), str(out), "-y", json.dumps(parameters)],
        cwd=ROOT,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr[-3000:]
    return json.loads(out.read_text(encoding="utf-8"))


@pytest.fixture(scope="module", params=STUDIES)
def study(request, tmp_path_factory):
    """A study run in its tiny profile, into a folder of its own."""
    folder = tmp_path_factory.mktemp(request.param)
    layout = Layout("tiny")
    layout.results, layout.figures, layout.logs = (
        f"{folder}/{name}" for name in ("results", "figures", "logs")
    )
    with contextlib.chdir(ROOT):
        study = Study(request.param, layout)
    for cell in study.cells:
        run(ROOT / study.notebook, Path(study.log(f"{cell}.ipynb")), json.loads(study.parameters(cell)))
    if study.summaries:
        parameters = json.loads(study.summary_parameters())
        run(ROOT / study.summary_notebook, Path(study.log("summary.ipynb")), parameters)
    return study


def test_the_study_writes_what_its_grid_says(study):
    files = {Path(path) for path in study.all_cell_files() + study.summary_files()}
    assert {path for path in files if not path.is_file()} == set()
    written = {path for path in Path(study.folder).rglob("*") if path.is_file()}
    assert written == files


def test_its_tables_have_the_columns_that_are_described(study):
    sections = described(ROOT / "results" / study.name)
    for path in Path(study.folder).glob("*.csv"):
        (pattern,) = [pattern for pattern in sections if fnmatch(path.name, pattern)]
        assert list(read_table(path).columns) == list(sections[pattern]), path.name
        assert len(read_table(path)) > 0, path.name


def test_its_sidecars_hold_the_parameters(study):
    for cell, parameters in study.cells.items():
        for path in study.cell_files(cell):
            if path.endswith(".json"):
                recorded = read_sidecar(path)["parameters"]
                assert {name: recorded[name] for name in parameters} == parameters


def test_its_figures_are_drawn(study):
    if "replication" in study.summaries:
        join_replications(study.layout.results)
    scripts = [path for path in FIGURES if re.match(rf"{study.name}(_|$)", path.stem)]
    assert scripts, "a study without a figure"
    for script in scripts:
        arguments = ["--results", study.layout.results, "--out", study.layout.figures]
        done = subprocess.run(
            [sys.executable, str(script), *arguments], cwd=ROOT, capture_output=True, text=True
        )
        assert done.returncode == 0, done.stderr[-3000:]
        assert (Path(study.layout.figures) / f"{script.stem}.svg").is_file()


@pytest.mark.parametrize("notebook", NOT_RUN_BY_A_GRID, ids=lambda path: path.stem)
def test_a_notebook_outside_the_grids_runs(notebook, tmp_path):
    executed = run(notebook, tmp_path / notebook.name, {})
    assert not [
        output
        for cell in executed["cells"]
        for output in cell.get("outputs", [])
        if output["output_type"] == "error"
    ]


# Every notebook checks its parameters in the same way, as tests/structure/test_notebooks.py sees to.
@pytest.mark.parametrize(
    "study_name", [STUDIES[0], *(pytest.param(name, marks=pytest.mark.slow) for name in STUDIES[1:])]
)
def test_a_misspelt_parameter_stops_the_run(study_name, tmp_path):
    command = [
        sys.executable,
        "-m",
        "papermill",
        "--no-progress-bar",
        "-k",
        "python3",
        f"notebooks/{study_name}.ipynb",
    ]
    done = subprocess.run(
        [*command, str(tmp_path / "out.ipynb"), "-p", "sead", "3"], cwd=ROOT, capture_output=True, text=True
    )
    assert done.returncode != 0
    assert "unknown parameter 'sead'" in done.stderr and "seed" in done.stderr
