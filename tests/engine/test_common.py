"""What the Snakefile knows of a study: cells, tables of a figure, and the library files that a notebook uses."""

import json

import pytest

from common import Layout, expand_grids, figure_tables, library_files
from report import failures, notebook_error


def test_lists_are_swept_and_the_rest_is_fixed():
    cells = expand_grids(
        [{"k": [16, 32], "rule": ["a", "b"], "seed": 1}, {"k": 8, "rule": "c"}], "{rule}_k{k:02d}"
    )
    assert list(cells) == ["a_k16", "b_k16", "a_k32", "b_k32", "c_k08"]
    assert cells["b_k16"] == {"k": 16, "rule": "b", "seed": 1}


def test_two_cells_of_one_name_are_refused():
    with pytest.raises(ValueError, match="two cells are called 'k1'"):
        expand_grids([{"k": 1, "seed": [1, 2]}], "k{k}")


def test_only_the_full_profile_writes_to_the_committed_folders():
    assert (Layout("full").results, Layout("full").figures) == ("results", "figures")
    assert Layout("quick").results == "build/quick/results"
    with pytest.raises(ValueError, match="tiny, quick, full"):
        Layout("fast")


@pytest.fixture
def library(tmp_path):
    files = {
        "ludometrics/__init__.py": "",
        "ludometrics/a/__init__.py": "from ludometrics.a.one import f\n",
        "ludometrics/a/one.py": "from ludometrics.b import two\n",
        "ludometrics/a/unused.py": "",
        "ludometrics/a/data.csv": "x\n",
        "ludometrics/b/__init__.py": "",
        "ludometrics/b/two.py": "def f():\n    from . import three\n",
        "ludometrics/b/three.py": "import numpy\n",
        "ludometrics/c/__init__.py": "",
        "ludometrics/c/four.py": "import ludometrics.a\n",
    }
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    return tmp_path


def used(library, source):
    cells = [
        {"cell_type": "code", "source": [source]},
        {"cell_type": "markdown", "source": ["import ludometrics.c"]},
    ]
    (library / "n.ipynb").write_text(json.dumps({"cells": cells}))
    return [
        name.removeprefix(f"{library.as_posix()}/ludometrics/")
        for name in library_files(library / "n.ipynb", library)
    ]


def test_imports_are_followed_through_packages_functions_and_data(library):
    everything = [
        "__init__.py",
        "a/__init__.py",
        "a/data.csv",
        "a/one.py",
        "b/__init__.py",
        "b/three.py",
        "b/two.py",
    ]
    assert used(library, "%matplotlib inline\nfrom ludometrics.a import f") == everything
    assert used(library, "from ludometrics.b import three") == ["__init__.py", "b/__init__.py", "b/three.py"]
    assert used(library, "import numpy") == []
    assert "a/unused.py" not in used(library, "from ludometrics.c.four import *")


def test_tables_of_a_figure_are_read_without_running_it(tmp_path):
    script = tmp_path / "f.py"
    script.write_text("TABLES = ['s/a.csv', 's/b.csv']\nraise SystemExit\n")
    assert figure_tables(script) == ["s/a.csv", "s/b.csv"]
    script.write_text("x = 1\n")
    with pytest.raises(ValueError, match="must list the tables"):
        figure_tables(script)


def executed(path, *, outputs=(), papermill=None):
    cells = [{"cell_type": "code", "outputs": list(outputs)}]
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps({"cells": cells, "metadata": {"papermill": papermill or {}}}))
    return path


def test_a_failed_notebook_is_named_in_one_line(tmp_path):
    error = {"output_type": "error", "ename": "ValueError", "evalue": "two\nlines"}
    executed(tmp_path / "s" / "good.ipynb")
    executed(tmp_path / "s" / "bad.ipynb", outputs=[error])
    (line,) = failures(tmp_path, 0.0)
    assert line.startswith("FAILED s/bad: ValueError: two lines (traceback in") and "\n" not in line
    assert failures(tmp_path, 4e9) == []


def test_a_killed_kernel_and_a_papermill_that_never_began_are_named_too(tmp_path):
    assert "without a traceback" in notebook_error(
        executed(tmp_path / "k.ipynb", papermill={"exception": True})
    )
    (tmp_path / "e.ipynb").write_text("")
    assert notebook_error(tmp_path / "e.ipynb") == "ended without a word"
    (tmp_path / "e.log").write_text("Traceback\nNoSuchKernel: x\n\n")
    assert notebook_error(tmp_path / "e.ipynb") == "NoSuchKernel: x"
