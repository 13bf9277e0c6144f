"""Who may import whom. An arrow that is not listed here is a decision, not an accident: change the list first."""

import ast

import pytest

from project import LIBRARY, MODULES, name_of

# Every area may import these; they themselves only what their own row says.
FOR_ALL = {"provenance", "evaluation", "plotting"}
MAY_IMPORT = {
    "provenance": set(),
    "evaluation": {"provenance"},
    "plotting": {"provenance"},
    "ratings": FOR_ALL,
    "draughts": FOR_ALL,
    "matching": FOR_ALL | {"ratings"},
    "boardgames": FOR_ALL | {"ratings"},
    "gamelog": FOR_ALL | {"ratings"},
    "connect4": FOR_ALL | {"ratings"},
    "backgammon": FOR_ALL | {"ratings"},
    "abtest": FOR_ALL | {"ratings", "gamelog"},
    "web": FOR_ALL | {"gamelog", "ratings", "matching", "abtest", "draughts"},
}
MAY_IMPORT["simulation"] = set(MAY_IMPORT) - {"web"}

# Heavy or optional packages, and the only modules that may import them.
ONLY_INSIDE = {
    "torch": "connect4/",
    "bitbully": "connect4/",
    "ipywidgets": ("widget.py",),
    "flask": "web/",
    "snakemake": (),
    "papermill": (),
    "gvformat": "backgammon/",
    "tea_tasting": ("ab_peers.py",),
    "plotly": ("dashboard.py",),
    "fastjsonschema": ("payload_check.py",),
    "boardgamegeek": ("bgg.py",),
}


def imported(path) -> list[str]:
    names = []
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{name_of(path)}: imports are written out in full, not relative"
            names.append(node.module)
            if node.module == "ludometrics":
                names += [f"ludometrics.{alias.name}" for alias in node.names]
    return names


@pytest.mark.parametrize("path", MODULES, ids=name_of)
def test_imports_only_what_its_area_may(path):
    area = path.relative_to(LIBRARY).parts[0]
    if area == "__init__.py":
        assert not [name for name in imported(path) if name.startswith("ludometrics")]
        return
    assert area in MAY_IMPORT, f"{area} is no area of the library"
    areas = {name.split(".")[1] for name in imported(path) if name.startswith("ludometrics.")}
    assert areas - {area} <= MAY_IMPORT[area], (
        f"{name_of(path)} may not import {areas - {area} - MAY_IMPORT[area]}"
    )


@pytest.mark.parametrize("path", MODULES, ids=name_of)
def test_optional_packages_stay_in_their_modules(path):
    inside = path.relative_to(LIBRARY).as_posix()
    for name in {name.split(".")[0] for name in imported(path)} & set(ONLY_INSIDE):
        where = ONLY_INSIDE[name]
        allowed = inside.startswith(where) if isinstance(where, str) else inside.endswith(where or ("\0",))
        assert allowed, f"{inside} imports {name}"


def test_areas_form_no_circle():
    order, left = [], {area: set(others) for area, others in MAY_IMPORT.items()}
    while left:
        free = [area for area, others in left.items() if not others - set(order)]
        assert free, f"a circle among {sorted(left)}"
        order += free
        for area in free:
            del left[area]
