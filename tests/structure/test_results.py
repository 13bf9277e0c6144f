"""Committed tables and figures: each described, vouched for, and drawn from what is there."""

import ast
import re
from fnmatch import fnmatch

import pytest

from ludometrics.provenance import read_table, verify
from project import FIGURES, ROOT, TABLES, described, name_of, tracked_files

MAX_BYTES = 1 << 20
FIGURE_KINDS = ("svg", "pdf", "png", "txt", "json")
MAY_BE_IMPORTED = {"numpy", "matplotlib", "seaborn", "pandas", "ludometrics", "textwrap", "itertools", "math"}
FOLDERS = sorted({path.parent for path in TABLES})


def test_committed_files_are_what_their_sidecars_say():
    wrong = [f"{finding.path}: {finding.message}" for finding in verify() if not finding.ok]
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize("folder", FOLDERS, ids=name_of)
def test_every_column_is_described_and_no_other(folder):
    sections = described(folder)
    tables = [path for path in TABLES if path.parent == folder]
    for path in tables:
        patterns = [pattern for pattern in sections if fnmatch(path.name, pattern)]
        assert len(patterns) == 1, f"{path.name} has {len(patterns)} sections in COLUMNS.md"
        assert list(read_table(path).columns) == list(sections[patterns[0]]), path.name
    for pattern in sections:
        assert any(fnmatch(path.name, pattern) for path in tables), f"no table is called {pattern}"


@pytest.mark.parametrize("path", TABLES, ids=name_of)
def test_tables_are_small_enough_for_git(path):
    assert path.stat().st_size < MAX_BYTES


@pytest.mark.parametrize("script", FIGURES, ids=name_of)
def test_a_figure_script_reads_tables_and_computes_nothing(script):
    tree = ast.parse(script.read_text(encoding="utf-8"))
    assert ast.get_docstring(tree), "say what is shown"
    names = {target.id for node in tree.body if isinstance(node, ast.Assign) for target in node.targets}
    assert "TABLES" in names
    modules = {
        (alias.name if isinstance(node, ast.Import) else node.module).split(".")[0]
        for node in ast.walk(tree)
        if isinstance(node, ast.Import | ast.ImportFrom)
        for alias in node.names
    }
    assert modules <= MAY_BE_IMPORTED, f"{modules - MAY_BE_IMPORTED}: that is for lib/ or a notebook"
    text = script.read_text(encoding="utf-8")
    assert not re.search(r"ludometrics\.(?!plotting)", text), "a figure uses ludometrics.plotting only"
    assert "run_figure(__file__, draw, TABLES)" in text


@pytest.mark.parametrize("script", FIGURES, ids=name_of)
def test_a_figure_is_committed_whole(script):
    missing = [kind for kind in FIGURE_KINDS if not script.with_suffix(f".{kind}").is_file()]
    assert not missing
    caption = script.with_suffix(".txt").read_text(encoding="utf-8")
    assert re.search(r"\bn = |diagram", caption), "the caption gives n (or says that it is a diagram)"


def test_no_figure_without_a_script():
    drawn = {path.stem for path in (ROOT / "figures").iterdir() if path.suffix[1:] in FIGURE_KINDS}
    assert drawn == {path.stem for path in FIGURES}


def test_no_executed_notebook_and_no_log_is_committed():
    strange = [
        name
        for name in tracked_files()
        if name.startswith(("results/", "figures/")) and name.endswith((".ipynb", ".log", ".tmp"))
    ]
    assert not strange
