"""The parameters of a notebook: every mistake stops the run, and says what is allowed."""

import json
import subprocess
import sys

import nbformat
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


@pytest.mark.parametrize(
    ("arguments", "said"),
    [(("-p", "sead", "3"), "unknown parameter 'sead'"), (("-r", "k", "16"), "float, not str")],
)
def test_papermill_stops_at_a_bad_one(notebook, arguments, said):
    done, _ = papermill(notebook, *arguments)
    assert done.returncode != 0
    assert said in done.stderr
