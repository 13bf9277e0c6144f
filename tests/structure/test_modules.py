"""The shape of the library: size, docstrings, and what no module may do."""

import ast
import doctest
import importlib

import pytest

from project import MODULES, ROOT, name_of

MAX_LINES = 400

# Calls that must not stand in the library: they run or unpickle what a user gives, or touch the global generators.
FORBIDDEN = {
    "eval",
    "exec",
    "pickle.load",
    "pickle.loads",
    "np.random.seed",
    "np.random.rand",
    "np.random.randn",
    "np.random.choice",
    "random.seed",
    "random.random",
}


@pytest.mark.parametrize("path", MODULES, ids=name_of)
def test_module_can_be_read_in_one_sitting(path):
    lines = len(path.read_text(encoding="utf-8").splitlines())
    assert lines <= MAX_LINES, f"{lines} lines; split it by noun"


@pytest.mark.parametrize("path", MODULES, ids=name_of)
def test_public_names_have_docstrings(path):
    tree = ast.parse(path.read_text(encoding="utf-8"))
    assert ast.get_docstring(tree), "the module says nothing of itself"
    for node in tree.body:
        if isinstance(node, ast.FunctionDef | ast.ClassDef) and not node.name.startswith("_"):
            assert ast.get_docstring(node), f"{node.name} has no docstring"


@pytest.mark.parametrize("path", MODULES, ids=name_of)
def test_no_forbidden_call(path):
    calls = {
        ast.unparse(node.func)
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Call)
    }
    assert not calls & FORBIDDEN


def test_names_in_all_exist_and_are_sorted():
    for path in MODULES:
        if path.name != "__init__.py" or path.parent.name == "ludometrics":
            continue
        module = importlib.import_module(".".join(path.parent.relative_to(ROOT / "lib").parts))
        names = getattr(module, "__all__", [])
        assert all(hasattr(module, name) for name in names), f"{module.__name__}.__all__"


def test_the_library_has_examples():
    """Docstring examples run as doctests in `make test`; this only holds that they have not vanished."""
    parser = doctest.DocTestParser()
    with_examples = [path for path in MODULES if parser.get_examples(path.read_text(encoding="utf-8"))]
    assert len(with_examples) >= len(MODULES) // 4
