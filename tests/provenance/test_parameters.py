"""The parameters of a notebook: every mistake stops the run, and says what is allowed."""

import json
import subprocess
import sys

import numpy as np
import pytest

from ludometrics.provenance import ParameterError, validate
from ludometrics.provenance.parameters import injected_names


def namespace(injected: str = "", **values):
    """What ``globals()`` of a notebook holds after its parameters cell (and papermill's, if any)."""
    kinds = {"seed": int, "k": float, "rule": str, "progress": bool, "sizes": list[int]}
    content = {"seed": 0, "k": 16.0, "rule": "course", "progress": False, "sizes": [1, 2], **values}
    cells = ["", "seed: int = 0\nk: float = 16.0", *([f"# Parameters\n{injected}"] if injected else [])]
    return {"__annotations__": kinds, "In": cells, **content}


def test_defaults_pass_and_come_back_in_order():
    assert list(validate(namespace())) == ["seed", "k", "rule", "progress", "sizes"]


def test_an_int_passes_for_a_float_and_becomes_one():
    notebook = namespace(k=32)
    assert validate(notebook)["k"] == 32.0
    assert isinstance(notebook["k"], float)


@pytest.mark.parametrize(
    ("values", "said"),
    [
        ({"seed": 1.0}, "must be an int, not float"),
        ({"seed": True}, "must be an int, not bool"),
        ({"seed": "7"}, "must be an int, not str"),
        ({"k": "16"}, "must be a float, not str"),
        ({"k": True}, "must be a float, not bool"),
        ({"k": float("nan")}, "must be finite"),
        ({"k": float("inf")}, "must be finite"),
        ({"progress": 1}, "must be a bool, not int"),
        ({"rule": None}, "must be a str, not NoneType"),
        ({"sizes": 3}, "must be a list of int, not int"),
        ({"sizes": [1, "2"]}, "an item is wrong"),
    ],
)
def test_a_wrong_type_is_refused(values, said):
    (name,) = values
    with pytest.raises(ParameterError, match=f"parameter '{name}' is .*{said}"):
        validate(namespace(**values))


@pytest.mark.parametrize(
    ("values", "allowed", "said"),
    [
        ({"seed": -1}, (0, None), "at least 0"),
        ({"seed": 11}, (None, 10), "at most 10"),
        ({"seed": 11}, (0, 10), "at least 0 and at most 10"),
        ({"rule": "curse"}, ["course", "default"], "one of 'course', 'default'"),
        ({"sizes": [1, 0]}, (1, None), "at least 1"),
    ],
)
def test_a_value_out_of_range_is_refused(values, allowed, said):
    (name,) = values
    with pytest.raises(ParameterError, match=said):
        validate(namespace(**values), **{name: allowed})


def test_both_ends_of_a_range_are_allowed():
    for seed in (0, 10):
        assert validate(namespace(seed=seed), seed=(0, 10))["seed"] == seed


def test_a_misspelt_name_is_refused_with_the_names_there_are():
    with pytest.raises(ParameterError, match=r"unknown parameter 'sead' .*takes: seed, k, rule"):
        validate(namespace("sead = 3", sead=3))


def test_all_mistakes_are_told_at_once():
    with pytest.raises(ParameterError) as error:
        validate(namespace("sead = 3", k="x", rule="curse"), rule=["course"])
    assert all(word in str(error.value) for word in ("sead", "'k'", "'rule'"))


def test_only_injected_names_count():
    assert injected_names(namespace("seed = 3\nk = 2.5")) == ["seed", "k"]
    assert injected_names({"seed": 3}) == []


def test_what_is_checked_must_be_declared():
    with pytest.raises(ParameterError, match="no parameters found"):
        validate({"seed": 3})
    with pytest.raises(ParameterError, match=r"told of \['speed'\]"):
        validate(namespace(), speed=(0, 1))


@pytest.fixture(scope="module")
def notebook(tmp_path_factory):
    """A notebook with two parameters that writes down what it got."""
    nbformat = pytest.importorskip("nbformat")
    pytest.importorskip("papermill")
    path = tmp_path_factory.mktemp("notebook") / "small.ipynb"
    sources = [
        "seed: int = 0\nk: float = 16.0",
        "from ludometrics.provenance import validate\nparameters = validate(globals(), seed=(0, None))",
        "print(dict(parameters))",
    ]
    kernel = {"name": "python3", "display_name": "Python 3", "language": "python"}
    content = nbformat.v4.new_notebook(metadata={"kernelspec": kernel})
    content.cells = [nbformat.v4.new_code_cell(source) for source in sources]
    content.cells[0].metadata["tags"] = ["parameters"]
    nbformat.write(content, path)
    return path


def papermill(notebook, *arguments):
    command = [sys.executable, "-m", "papermill", "--no-progress-bar", "-k", "python3", str(notebook)]
    out = notebook.with_name("out.ipynb")
    done = subprocess.run([*command, str(out), *arguments], capture_output=True, text=True)
    return done, json.loads(out.read_text(encoding="utf-8"))


def test_papermill_passes_good_parameters(notebook):
    done, executed = papermill(notebook, "-p", "seed", "3", "-p", "k", "32")
    assert done.returncode == 0, done.stderr
    assert executed["cells"][-1]["outputs"][0]["text"] == ["{'seed': 3, 'k': 32.0}\n"]


def test_papermill_says_which_names_there_are(notebook):
    done, executed = papermill(notebook, "-p", "sead", "3", "-r", "k", "16")
    assert done.returncode != 0
    assert "this notebook takes: seed, k" in done.stderr and "parameter 'k' is '16'" in done.stderr
    assert executed["cells"][-1]["outputs"] == []


def test_a_notebook_runs_without_injection_from_its_own_folder(notebook):
    """As in JupyterLab: nothing is injected, and the working folder is the notebook's."""
    nbclient, nbformat = pytest.importorskip("nbclient"), pytest.importorskip("nbformat")
    content = nbformat.read(notebook, as_version=4)
    resources = {"metadata": {"path": str(notebook.parent)}}
    nbclient.NotebookClient(content, kernel_name="python3", resources=resources).execute()
    assert content.cells[-1].outputs[0]["text"] == "{'seed': 0, 'k': 16.0}\n"


def test_a_corrected_cell_of_injected_parameters_counts():
    notebook = namespace("sead = 3", sead=3)
    notebook["In"].append("# Parameters\nseed = 3\n")
    assert injected_names(notebook) == ["seed"]
    assert validate(notebook)["seed"] == 0


@pytest.mark.parametrize(
    "cell", ["# Parameters of the plot\nsize = 3", "# Parameters\n%matplotlib inline\nsize = 3"]
)
def test_a_cell_of_the_users_own_is_not_taken_for_papermills(cell):
    notebook = namespace()
    notebook["In"].append(cell)
    assert injected_names(notebook) == []


def kinds(value, kind):
    return {"__annotations__": {"x": kind}, "x": value}


@pytest.mark.parametrize(
    ("value", "kind", "checked"),
    [
        ([1, 2.5], list[float], [1.0, 2.5]),
        ([[1], [2]], list[list[float]], [[1.0], [2.0]]),
        ([], list[int], []),
        (None, float | None, None),
        (3, float | None, 3.0),
        (3, int | float, 3),
        ("a", str | None, "a"),
        (np.float64(0.5), float, 0.5),
    ],
    ids=str,
)
def test_kinds_of_parameters(value, kind, checked):
    found = validate(kinds(value, kind))["x"]
    assert found == checked and type(found) is type(checked)
    if isinstance(checked, list):
        assert repr(found) == repr(checked)


@pytest.mark.parametrize(
    ("value", "kind", "said"),
    [
        ([1.0, float("nan")], list[float], "an item is wrong: it must be finite"),
        ([True], list[int], "an item is wrong: it must be an int, not bool"),
        ("3", float | None, "must be a float, not str or it must be None"),
        (float("inf"), float | None, "must be finite"),
        (10**400, float, "must be finite"),
        (np.int64(3), int, "must be an int, not int64"),
        ({"a": 1}, dict[str, int], r"annotation dict\[str, int\] is not one of"),
        ((1, 2), tuple, "annotation tuple is not one of"),
        (3, "int", "annotation int is not one of"),
    ],
    ids=str,
)
def test_kinds_that_are_refused(value, kind, said):
    with pytest.raises(ParameterError, match=said):
        validate(kinds(value, kind))


def test_a_pair_of_words_is_no_range():
    with pytest.raises(ParameterError, match="a range is a pair of numbers, choices are a list"):
        validate(namespace(), rule=("course", "default"))


def test_choices_from_a_set_or_a_dict_and_none_is_not_held_against_a_range():
    assert validate(namespace(), rule={"course": 1})["rule"] == "course"
    with pytest.raises(ParameterError, match="must be one of 'a', 'b'"):
        validate(namespace(), rule={"b", "a"})
    assert validate(kinds(None, int | None), x=(0, 3))["x"] is None
    with pytest.raises(ParameterError, match="at most 3"):
        validate(kinds(4, int | None), x=(0, 3))


def test_what_comes_back_cannot_be_changed():
    with pytest.raises(TypeError):
        validate(namespace())["seed"] = 3


def test_the_first_wrong_value_leaves_the_others_checked_in_place():
    notebook = namespace(k=3, seed="x")
    with pytest.raises(ParameterError):
        validate(notebook)
    assert notebook["seed"] == "x"


def test_private_and_undefined_names_are_no_parameters():
    notebook = namespace()
    notebook["__annotations__"] = {**notebook["__annotations__"], "_hidden": int, "later": int}
    notebook["_hidden"] = "x"
    assert "_hidden" not in validate(notebook) and "later" not in validate(notebook)
