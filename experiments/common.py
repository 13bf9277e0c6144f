"""What the Snakefile needs to know of a study: its cells, its files, and the library files it uses.

Standard library and PyYAML only, so that an engine installed apart from the project can load it.
"""

import ast
import itertools
import json
import re
from pathlib import Path
from typing import Any

import yaml

PROFILES = ("tiny", "quick", "full")
FIGURE_KINDS = ("svg", "pdf", "png", "txt", "json")
CELL_NAME = r"[A-Za-z0-9_.+-]+"
# Cells with these hold Python below their first line; those of other cell magics (%%bash) do not.
PYTHON_MAGICS = ("%%time", "%%timeit", "%%capture", "%%prun")


class Layout:
    """Where a profile writes: the committed folders for ``full``, a git-ignored one of its own for the others."""

    def __init__(self, profile: str):
        if profile not in PROFILES:
            raise ValueError(f"profile is {profile!r}: it must be one of {', '.join(PROFILES)}")
        self.profile = profile
        base = "" if profile == "full" else f"build/{profile}/"
        self.results = f"{base}results"
        self.figures = f"{base}figures"
        self.logs = f"build/{profile}/logs"


class Study:
    """A grid of one notebook, read from ``experiments/<name>.yaml``.

    The YAML holds values only: ``cell`` (how a cell is named from its parameters), ``tables`` (what a cell
    writes), ``summary`` (what the summary notebook writes), ``reads`` and ``summary_reads`` (committed tables
    that a cell and the summary read), ``notebook`` and ``summary_notebook`` (where they are not called after the
    study) and ``profiles`` (for each profile a list of grids; in a grid a list of
    values is swept, anything else is fixed).
    """

    def __init__(self, name: str, layout: Layout):
        self.name = name
        self.layout = layout
        path = Path(f"experiments/{name}.yaml")
        self.values = yaml.safe_load(path.read_text(encoding="utf-8"))
        missing = {"cell", "tables", "profiles"} - set(self.values)
        if missing or layout.profile not in self.values["profiles"]:
            missing = sorted(missing) or [f"profiles: {layout.profile}"]
            raise ValueError(f"{path}: it lacks {', '.join(missing)}")
        self.folder = f"{layout.results}/{name}"
        self.notebook = f"notebooks/{self.values.get('notebook', name)}.ipynb"
        self.summary_notebook = f"notebooks/{self.values.get('summary_notebook', f'{name}_summary')}.ipynb"
        self.cells = expand_grids(self.values["profiles"][layout.profile], self.values["cell"])
        self.tables = list(self.values["tables"])
        self.summaries = list(self.values.get("summary", []))
        self.reads = list(self.values.get("reads", []))
        self.summary_reads = list(self.values.get("summary_reads", []))

    def cell_files(self, cell: str = "{cell}") -> list[str]:
        """Name the files that one cell writes: a CSV and its sidecar a table."""
        stems = [f"{self.folder}/{table}__{cell}" for table in self.tables]
        return [f"{stem}.{kind}" for stem in stems for kind in ("csv", "json")]

    def summary_files(self) -> list[str]:
        """Name the files that the summary writes."""
        return [f"{self.folder}/{table}.{kind}" for table in self.summaries for kind in ("csv", "json")]

    def all_cell_files(self) -> list[str]:
        """Name every file that the cells write."""
        return [path for cell in self.cells for path in self.cell_files(cell)]

    def log(self, ending: str) -> str:
        """Name a log of this study."""
        return f"{self.layout.logs}/{self.name}/{ending}"

    def parameters(self, cell: str) -> str:
        """Give a cell's parameters as JSON, which papermill reads as YAML with every type kept."""
        values = {**self.cells[cell], "out": self.folder, "cell": cell, "progress": False}
        return json.dumps(values, sort_keys=True)

    def summary_parameters(self) -> str:
        """Give the summary notebook's parameters as JSON."""
        values = {**self.values.get("summary_parameters", {}), "results": self.folder, "out": self.folder}
        return json.dumps({**values, "cells": list(self.cells)}, sort_keys=True)


def expand_grids(grids: list[dict[str, Any]], name: str) -> dict[str, dict[str, Any]]:
    """Expand grids into cells.

    >>> expand_grids([{"k": [16, 32], "seed": 1}], "k{k}")
    {'k16': {'k': 16, 'seed': 1}, 'k32': {'k': 32, 'seed': 1}}
    """
    cells: dict[str, dict[str, Any]] = {}
    for grid in grids:
        axes = [value if isinstance(value, list) else [value] for value in grid.values()]
        for values in itertools.product(*axes):
            parameters = dict(zip(grid, values, strict=True))
            try:
                cell = name.format(**parameters)
            except KeyError as error:
                raise ValueError(
                    f"cells are called {name!r}, but {error} is not among {list(grid)}"
                ) from None
            if not re.fullmatch(CELL_NAME, cell):
                raise ValueError(f"a cell is called {cell!r}: names are made of letters, digits and _.+-")
            if cell in cells:
                raise ValueError(f"two cells are called {cell!r}: {cells[cell]} and {parameters}")
            cells[cell] = parameters
    return cells


def figure_tables(script: str | Path) -> list[str]:
    """Read which tables a figure script draws: its constant ``TABLES``, without running it."""
    for node in ast.parse(Path(script).read_text(encoding="utf-8"), filename=str(script)).body:
        if isinstance(node, ast.Assign) and any(
            getattr(target, "id", "") == "TABLES" for target in node.targets
        ):
            try:
                return list(ast.literal_eval(node.value))
            except ValueError:
                break
    raise ValueError(
        f"{script}: a figure script must list the tables it draws as TABLES = ['study/table.csv', ...]"
    )


def library_files(source: str | Path, library: str | Path = "lib") -> list[str]:
    """List the library files that a notebook or script uses, those they import included.

    An edit of one of them, and of no other, makes its cells run again. Followed by reading imports, as text;
    data files beside an imported module count as well.
    """
    library = Path(library)
    waiting = [*_modules(_python_source(Path(source)), None)]
    found: set[Path] = set()
    while waiting:
        path = _module_file(waiting.pop(), library)
        # A package's __init__ runs before any module in it.
        chain = [] if path is None else [path, *_packages(path, library)]
        for item in chain:
            if item not in found:
                found.add(item)
                package = ".".join(item.relative_to(library).parent.parts)
                waiting += _modules(item.read_text(encoding="utf-8"), package)
    folders = {path.parent for path in found}
    kinds = (".csv", ".json", ".mplstyle")
    # Data lies beside the module that reads it, or in a folder data/ there.
    beside = (item for folder in folders for place in ("*", "data/*") for item in folder.glob(place))
    data = {item for item in beside if item.suffix in kinds}
    return sorted(path.as_posix() for path in found | data)


def _python_source(path: Path) -> str:
    text = path.read_text(encoding="utf-8")
    if path.suffix != ".ipynb":
        return text
    cells = ["".join(cell["source"]) for cell in json.loads(text)["cells"] if cell["cell_type"] == "code"]
    python = [cell for cell in cells if not cell.startswith("%%") or cell.split(None, 1)[0] in PYTHON_MAGICS]
    # Magics and shell commands, which may stand alone below an `if`.
    return re.sub(r"^([ \t]*)[%!].*$", r"\1pass", "\n".join(python), flags=re.MULTILINE)


def _modules(source: str, package: str | None) -> list[str]:
    """Name what a source imports of the project; ``from a import b`` may mean a module a.b or a name in a."""
    names = []
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            names += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            base = node.module or ""
            if node.level and package:
                parts = package.split(".")[: len(package.split(".")) - node.level + 1]
                base = ".".join([*parts, *([node.module] if node.module else [])])
            names += [base, *(f"{base}.{alias.name}" for alias in node.names)]
    return [name for name in names if name.split(".")[0] == "ludometrics"]


def _module_file(name: str, library: Path) -> Path | None:
    path = library.joinpath(*name.split("."))
    for candidate in (path.with_suffix(".py"), path / "__init__.py"):
        if candidate.is_file():
            return candidate
    return None


def _packages(path: Path, library: Path) -> list[Path]:
    packages = []
    for folder in path.relative_to(library).parents:
        init = library / folder / "__init__.py"
        if init.is_file():
            packages.append(init)
    return packages
