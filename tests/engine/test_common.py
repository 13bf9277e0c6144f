"""What the Snakefile knows of a study: cells, tables of a figure, and the library files that a notebook uses."""

import json

import pytest

from common import Layout, Study, expand_grids, figure_tables, library_files


def test_lists_are_swept_and_the_rest_is_fixed():
    cells = expand_grids(
        [{"k": [16, 32], "rule": ["a", "b"], "seed": 1}, {"k": 8, "rule": "c"}], "{rule}_k{k:02d}"
    )
    assert list(cells) == ["a_k16", "b_k16", "a_k32", "b_k32", "c_k08"]
    assert cells["b_k16"] == {"k": 16, "rule": "b", "seed": 1}


def test_a_list_of_lists_sweeps_lists():
    assert expand_grids([{"k": 1, "levels": [["a", "b"]]}], "k{k}") == {"k1": {"k": 1, "levels": ["a", "b"]}}


@pytest.mark.parametrize(
    ("grids", "name", "message"),
    [
        ([{"k": 1, "seed": [1, 2]}], "k{k}", "two cells are called 'k1'"),
        ([{"k": 1}], "k{q}", r"cells are called 'k\{q\}', but 'q' is not among \['k'\]"),
        ([{"rule": "a/b"}], "{rule}", "a cell is called 'a/b'"),
        ([{"rule": ""}], "{rule}", "a cell is called ''"),
    ],
    ids=["two of a name", "no such parameter", "not a file name", "empty"],
)
def test_cells_that_cannot_be_named_are_refused(grids, name, message):
    with pytest.raises(ValueError, match=message):
        expand_grids(grids, name)


def test_only_the_full_profile_writes_to_the_committed_folders():
    assert (Layout("full").results, Layout("full").figures) == ("results", "figures")
    for profile in ("tiny", "quick"):
        assert Layout(profile).results == f"build/{profile}/results"
        assert Layout(profile).figures == f"build/{profile}/figures"
    assert all(Layout(profile).logs == f"build/{profile}/logs" for profile in ("tiny", "quick", "full"))
    with pytest.raises(ValueError, match="profile is 'fast': it must be one of tiny, quick, full"):
        Layout("fast")


@pytest.fixture
def study(tmp_path, monkeypatch):
    def write(text):
        (tmp_path / "experiments").mkdir(exist_ok=True)
        (tmp_path / "experiments" / "s.yaml").write_text(text)
        return Study("s", Layout("quick"))

    monkeypatch.chdir(tmp_path)
    return write


def test_files_and_parameters_of_a_study(study):
    text = (
        "{cell: 'k{k}', tables: [a, b], summary: [c], profiles: {quick: [{k: [1, 2], names: [[x, 'no']]}]}}"
    )
    made = study(text)
    base = "build/quick/results/s"
    assert made.cell_files("k1") == [f"{base}/{t}__k1.{kind}" for t in "ab" for kind in ("csv", "json")]
    assert len(made.all_cell_files()) == 8
    assert made.summary_files() == [f"{base}/c.csv", f"{base}/c.json"]
    given = json.loads(made.parameters("k2"))
    assert given == {"k": 2, "names": ["x", "no"], "cell": "k2", "out": base, "progress": False}
    assert json.loads(made.summary_parameters()) == {"results": base, "out": base, "cells": ["k1", "k2"]}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{cell: a, profiles: {quick: []}}", r"experiments/s.yaml: it lacks tables"),
        ("{cell: a, tables: [a], profiles: {full: []}}", r"experiments/s.yaml: it lacks profiles: quick"),
    ],
)
def test_a_study_without_what_it_needs_is_refused(study, text, message):
    with pytest.raises(ValueError, match=message):
        study(text)


@pytest.fixture
def library(tmp_path):
    files = {
        "ludometrics/__init__.py": "",
        "ludometrics/a/__init__.py": "from ludometrics.a.one import f\n",
        "ludometrics/a/one.py": "from ludometrics.b import two\n",
        "ludometrics/a/unused.py": "",
        "ludometrics/a/data.csv": "x\n",
        "ludometrics/a/data/deep.json": "{}\n",
        "ludometrics/a/notes.md": "",
        "ludometrics/b/__init__.py": "",
        "ludometrics/b/two.py": "def f():\n    from . import three\n",
        "ludometrics/b/three.py": "import numpy\n",
        "ludometrics/c/__init__.py": "",
        "ludometrics/c/four.py": "import ludometrics.a\n",
        "ludometrics/c/five.py": "from ..b.two import f\n",
        "ludometrics/c/six.py": "from .. import b\n",
        "ludometrics/c/seven.py": "import ludometrics.c.eight as e\n",
        "ludometrics/c/eight.py": "from ludometrics.c.seven import *\n",
    }
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    return tmp_path


def used(library, *sources):
    cells = [{"cell_type": "code", "source": source.splitlines(keepends=True)} for source in sources]
    cells.append({"cell_type": "markdown", "source": ["import ludometrics.c"]})
    (library / "n.ipynb").write_text(json.dumps({"cells": cells}))
    return [
        name.removeprefix(f"{library.as_posix()}/ludometrics/")
        for name in library_files(library / "n.ipynb", library)
    ]


A = ["__init__.py", "a/__init__.py", "a/data.csv", "a/data/deep.json", "a/one.py"]
B = ["b/__init__.py", "b/three.py", "b/two.py"]
EIGHT = ["__init__.py", "c/__init__.py", "c/eight.py", "c/seven.py"]


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("from ludometrics.a import f", [*A, *B]),
        ("import ludometrics.a.one", [*A, *B]),
        ("from ludometrics import a", [*A, *B]),
        ("def f():\n    import ludometrics.a", [*A, *B]),
        ("from ludometrics.b import three", ["__init__.py", "b/__init__.py", "b/three.py"]),
        ("from ludometrics.c import five", ["__init__.py", *B, "c/__init__.py", "c/five.py"]),
        ("from ludometrics.c import six", ["__init__.py", "b/__init__.py", "c/__init__.py", "c/six.py"]),
        ("from ludometrics.c import seven", EIGHT),
        ("import numpy, os.path", []),
        ("import ludometrics_other", []),
        ("# import ludometrics.a\n'import ludometrics.a'", []),
    ],
    ids=[
        "from a package, on to what that imports, and data beside it",
        "a module: its package runs first",
        "a package by name",
        "in a function",
        "one module of a package",
        "a relative import from the package above",
        "a relative import of a package",
        "modules that import each other",
        "others' libraries",
        "a name that only begins alike",
        "in a comment or text",
    ],
)
def test_imports_are_followed(library, source, expected):
    assert used(library, source) == sorted(expected)
    script = library / "script.py"
    script.write_text(source)
    assert len(library_files(script, library)) == len(expected), "a script is read as a notebook is"


@pytest.mark.parametrize(
    "sources",
    [
        ("%matplotlib inline\nimport ludometrics.b",),
        ("!pip list\n", "import ludometrics.b"),
        ("import sys\nif 'google.colab' in sys.modules:\n    !pip install x\n", "import ludometrics.b"),
        ("%%bash\nls | head -1\n", "import ludometrics.b"),
        ("%%time\nimport ludometrics.b",),
    ],
    ids=[
        "line magic",
        "shell",
        "shell below an if",
        "a cell of another language",
        "a cell magic over Python",
    ],
)
def test_magics_of_notebooks_do_not_disturb(library, sources):
    assert used(library, *sources) == ["__init__.py", "b/__init__.py"]


def test_tables_of_a_figure_are_read_without_running_it(tmp_path):
    script = tmp_path / "f.py"
    script.write_text("TABLES = ['s/a.csv', 's/b.csv']\nraise SystemExit\n")
    assert figure_tables(script) == ["s/a.csv", "s/b.csv"]
    for text in ("x = 1\n", "TABLES = [f'{x}.csv']\n"):
        script.write_text(text)
        with pytest.raises(ValueError, match=r"f\.py: a figure script must list the tables"):
            figure_tables(script)
