"""Files at the root, the Makefile, and the numbers in the README."""

import re
import subprocess
import sys

import pytest

from project import ROOT, pyproject

TARGETS = (
    "reproduce",
    "reproduce-full",
    "figures",
    "verify",
    "verify-recompute",
    "test",
    "bench",
    "lab",
    "site",
)
MAX_RECIPE_LINES = 3


def recipes() -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    current = None
    for line in (ROOT / "Makefile").read_text(encoding="utf-8").splitlines():
        if target := re.match(r"([\w$()/.-]+):(?!=)", line):
            current = target[1]
            found[current] = []
        elif line.startswith("\t") and current:
            found[current].append(line.strip())
    return found


def test_the_makefile_has_every_target_in_a_few_lines():
    found = recipes()
    assert set(TARGETS) <= set(found)
    assert all(len(lines) <= MAX_RECIPE_LINES for lines in found.values())


def test_continuous_integration_calls_make_test():
    assert "make test" in (ROOT / ".ci" / "run").read_text(encoding="utf-8")


def test_the_readme_names_every_target():
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    assert [target for target in TARGETS if f"make {target}" not in text] == []


def test_numbers_in_the_readme_are_cells_of_tables():
    done = subprocess.run(
        [sys.executable, "tools/readme_numbers.py", "--check"], cwd=ROOT, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stdout + done.stderr


README_EXAMPLES = re.findall(
    r"```python\n(.*?)```", (ROOT / "README.md").read_text(encoding="utf-8"), re.DOTALL
)
SAID = (("log_loss", "NE"), ("Zoë Würfelich: 1",), ("PR ", "matches", "offer missed"), ("B looks tougher",))


@pytest.mark.parametrize(
    "example, said",
    list(zip(README_EXAMPLES, SAID, strict=True)),
    ids=("ratings", "boardgames", "backgammon", "abtest"),
)
def test_the_python_examples_of_the_readme_run(example, said):
    done = subprocess.run([sys.executable, "-c", example], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert all(words in done.stdout for words in said)


def test_figures_in_the_readme_exist():
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    shown = re.findall(r"!\[[^\]]*\]\((figures/[^)]+)\)", text)
    assert shown and all((ROOT / path).is_file() for path in shown)


def test_one_address_one_version():
    project = pyproject()["project"]
    citation = (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    assert f'repository-code: "{project["urls"]["Repository"]}"' in citation
    assert f"version: {project['version']}\n" in citation
