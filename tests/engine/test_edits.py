"""What runs again after an edit: what uses it, and nothing else."""

import os

import pytest

from toy import AFTER_CELLS, NOTEBOOK, SUMMARY, Project, jobs

pytest.importorskip("snakemake")
pytest.importorskip("papermill")
pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def two_studies(tmp_path_factory):
    """A project with two studies, of which one uses ludometrics.evaluation."""
    project = Project(tmp_path_factory.mktemp("two"))
    cells = [
        (tag, source.replace("import pandas as pd", "import pandas as pd\n\nimport ludometrics.evaluation"))
        for tag, source in NOTEBOOK
    ]
    project.add_study("toy", cells, SUMMARY)
    project.add_study("other", NOTEBOOK, SUMMARY)
    project.write_grid({"k": [1, 2], "seed": 1})
    project.write_grid({"k": [1, 2], "seed": 1}, name="other")
    status, output = project.run()
    assert status == 0, output
    assert project.runs() == ["k01", "k01", "k02", "k02"]
    return project


def edited(project: Project, path: str, old: str = "", new: str = "") -> dict[str, int]:
    """Edit a file, run, and give the jobs that this caused."""
    file = project.folder / path
    text = file.read_text()
    assert old in text
    file.write_text(text.replace(old, new) if old else text + "\n# edited\n")
    status, output = project.run()
    assert status == 0, output
    return jobs(output)


def test_touching_everything(two_studies):
    for path in two_studies.folder.rglob("*"):
        if path.suffix in (".py", ".ipynb", ".yaml", ".smk", ".mplstyle") and "build" not in path.parts:
            os.utime(path)
    status, output = two_studies.run()
    assert status == 0 and "Nothing to be done" in output


def test_a_library_file_that_one_study_uses(two_studies):
    planned = edited(two_studies, "lib/ludometrics/evaluation/intervals.py")
    assert planned["toy_cell"] == 2 and "other_cell" not in planned
    assert two_studies.runs() == ["k01", "k02"]


def test_a_library_file_that_none_uses(two_studies):
    status, _ = two_studies.run()
    assert status == 0
    assert edited(two_studies, "lib/ludometrics/draughts/__init__.py") == {}


def test_a_library_file_of_figures(two_studies):
    assert edited(two_studies, "lib/ludometrics/plotting/style.py") == {"figure": 1, "all": 1}


def test_a_figure_script(two_studies):
    planned = edited(two_studies, "figures/toy.py", 'ylabel="mean"', 'ylabel="the mean"')
    assert planned == {"figure": 1, "all": 1}


def test_a_notebook(two_studies):
    planned = edited(two_studies, "notebooks/other.ipynb", "- 1.0", "- 0.5")
    assert planned["other_cell"] == 2 and "toy_cell" not in planned
    assert two_studies.runs() == ["k01", "k02"]


def test_a_summary_notebook(two_studies):
    planned = edited(two_studies, "notebooks/toy_summary.ipynb", "mean of k01", "mean of the first")
    assert planned == {"toy_summary": 1, "replication": 1, "figure": 1, "all": 1}
    assert two_studies.runs() == []


def test_a_value_added_to_the_grid(two_studies):
    two_studies.write_grid({"k": [1, 2, 5], "seed": 1})
    status, output = two_studies.run()
    assert status == 0 and two_studies.runs() == ["k05"]
    assert jobs(output) == {"toy_cell": 1, **AFTER_CELLS}


def test_a_value_changed_in_the_grid(two_studies):
    two_studies.write_grid({"k": [1, 2], "seed": 1}, {"k": 5, "seed": 2})
    status, output = two_studies.run()
    assert status == 0 and two_studies.runs() == ["k05"], output
