"""Every notebook keeps to the same form, so that papermill, JupyterLab and Colab all run it."""

import ast
import re

import pytest
import yaml

from common import expand_grids
from project import (
    GRIDS,
    NOTEBOOKS,
    ROOT,
    code_cells,
    declared_parameters,
    name_of,
    notebook,
    parameters_cell,
    pyproject,
    source,
)

MAX_CODE_CELLS = 25
MAX_CELL_LINES = 15

each_notebook = pytest.mark.parametrize("path", NOTEBOOKS, ids=name_of)


def test_there_are_notebooks():
    assert {"00_start_here", "draughts_simulation"} <= {path.stem for path in NOTEBOOKS}


@each_notebook
def test_nothing_is_stored_but_the_source(path):
    for cell in code_cells(path):
        assert cell["outputs"] == [] and cell["execution_count"] is None, "strip it: nbstripout FILE"
    content = notebook(path)
    assert content["metadata"]["kernelspec"] == {
        "display_name": "Python 3",
        "language": "python",
        "name": "python3",
    }
    assert set(content["metadata"]) <= {"kernelspec", "language_info"}
    assert content["metadata"].get("language_info", {"name": "python"}) == {"name": "python"}
    assert all("tags" in cell["metadata"] for cell in content["cells"])
    assert len({cell["id"] for cell in content["cells"]}) == len(content["cells"])


@each_notebook
def test_it_opens_with_its_question_and_the_colab_badge(path):
    first, second = notebook(path)["cells"][:2]
    repository = pyproject()["project"]["urls"]["Repository"]
    slug = repository.removeprefix("https://github.com/")
    assert first["cell_type"] == "markdown" and source(first).startswith("# ")
    assert "**Question.**" in source(first) or path.stem == "00_start_here"
    badge = f"https://colab.research.google.com/github/{slug}/blob/main/notebooks/{path.name}"
    assert badge in source(first), "the badge must lead to this notebook"
    assert '"google.colab" in sys.modules' in source(second), "the bootstrap cell comes second"
    version = pyproject()["project"]["version"]
    assert repository in source(second) and f'"v{version}"' in source(second), "it fetches this version's tag"


@each_notebook
def test_the_bootstrap_is_the_same_everywhere(path):
    assert source(notebook(path)["cells"][1]) == source(notebook(NOTEBOOKS[0])["cells"][1])


@each_notebook
def test_parameters_are_annotated_literals_checked_at_once(path):
    cell = parameters_cell(path)
    nodes = ast.parse(source(cell)).body
    for node in nodes:
        assert isinstance(node, ast.AnnAssign), f"not `name: kind = value`: {ast.unparse(node)}"
        ast.literal_eval(node.value)
    cells = notebook(path)["cells"]
    after = next(item for item in cells[cells.index(cell) + 1 :] if item["cell_type"] == "code")
    calls = [ast.unparse(node) for node in ast.walk(ast.parse(source(after))) if isinstance(node, ast.Call)]
    assert any(call.startswith("validate(globals()") for call in calls), (
        "validate(globals()) comes right after"
    )


@each_notebook
def test_each_parameter_is_explained(path):
    lines = [line for line in source(parameters_cell(path)).splitlines() if ":" in line.split("#")[0]]
    for line in lines:
        assert re.search(r"  # .{8,}", line), f"say what it is and its unit: {line}"


@each_notebook
def test_it_is_short(path):
    cells = code_cells(path)
    assert len(cells) <= MAX_CODE_CELLS
    for cell in cells:
        lines = source(cell).splitlines()
        assert len(lines) <= MAX_CELL_LINES, f"{len(lines)} lines: {lines[0]}"
        assert not [line for line in lines if re.match(r"\s*(def|class) ", line)], (
            f"logic lives in lib/: {lines[0]}"
        )


@each_notebook
def test_it_names_no_place_on_one_machine(path):
    text = path.read_text(encoding="utf-8")
    assert not re.search(r"(/home/|/root/|/Users/|[A-Z]:\\\\\\\\|/tmp/|/work/)", text)


@pytest.mark.parametrize("grid", GRIDS, ids=name_of)
def test_grids_name_only_parameters_that_exist(grid):
    values = yaml.safe_load(grid.read_text(encoding="utf-8"))
    declared = declared_parameters(ROOT / "notebooks" / f"{values.get('notebook', grid.stem)}.ipynb")
    assert {"out", "cell"} <= set(declared)
    for profile in ("tiny", "quick", "full"):
        for cells in values["profiles"][profile]:
            assert set(cells) <= set(declared), f"{profile}: {set(cells) - set(declared)}"


@pytest.mark.parametrize("grid", GRIDS, ids=name_of)
def test_quick_cells_have_a_committed_twin(grid):
    values = yaml.safe_load(grid.read_text(encoding="utf-8"))
    if not values.get("twins"):
        pytest.skip("its quick cells are measurements of their own")
    names = {
        profile: set(expand_grids(values["profiles"][profile], values["cell"]))
        for profile in ("quick", "full")
    }
    assert names["quick"] & names["full"], "`make verify-recompute` would have nothing to compare"
