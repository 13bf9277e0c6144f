"""What the structure tests look at, listed once."""

import ast
import json
import re
import subprocess
import tomllib
from collections import defaultdict
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
LIBRARY = ROOT / "lib" / "ludometrics"
NOTEBOOKS = sorted((ROOT / "notebooks").glob("*.ipynb"))
FIGURES = sorted((ROOT / "figures").glob("*.py"))
GRIDS = sorted((ROOT / "experiments").glob("*.yaml"))
MODULES = sorted(LIBRARY.rglob("*.py"))
TABLES = sorted((ROOT / "results").rglob("*.csv"))


def name_of(path: Path) -> str:
    """Path below the root, for the names of parametrised tests."""
    return path.relative_to(ROOT).as_posix()


@cache
def pyproject() -> dict:
    return tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))


@cache
def notebook(path: Path) -> dict:
    return json.loads(path.read_text(encoding="utf-8"))


def code_cells(path: Path) -> list[dict]:
    return [cell for cell in notebook(path)["cells"] if cell["cell_type"] == "code"]


def source(cell: dict) -> str:
    return "".join(cell["source"])


def parameters_cell(path: Path) -> dict:
    (cell,) = [cell for cell in notebook(path)["cells"] if "parameters" in cell["metadata"].get("tags", [])]
    return cell


def declared_parameters(path: Path) -> dict[str, ast.AnnAssign]:
    """The notebook's parameters: name to its annotated assignment."""
    tree = ast.parse(source(parameters_cell(path)))
    return {node.target.id: node for node in tree.body if isinstance(node, ast.AnnAssign)}


@cache
def tracked_files() -> tuple[str, ...]:
    """Files that git tracks, or every file where there is no git."""
    done = subprocess.run(["git", "-C", str(ROOT), "ls-files"], capture_output=True, text=True)
    if done.returncode == 0:
        return tuple(done.stdout.splitlines())
    return tuple(name_of(path) for path in ROOT.rglob("*") if path.is_file())


def described(folder: Path) -> dict[str, dict[str, str]]:
    """COLUMNS.md as: pattern of a table's name to its columns and their descriptions.

    A section is headed ``## name.csv`` (with ``*`` for the cells of a grid); below it one table row a column.
    """
    sections: dict[str, dict[str, str]] = defaultdict(dict)
    current = None
    for line in (folder / "COLUMNS.md").read_text(encoding="utf-8").splitlines():
        if heading := re.match(r"## `?([^`\s]+\.csv)`?", line):
            current = heading[1]
            sections[current] = {}
        elif current and (row := re.match(r"\| `([^`]+)` \| (.+?) \|", line)):
            sections[current][row[1]] = row[2]
    return sections
