"""environment.yml, requirements.lock and constraints/ say the same as pyproject.toml."""

import re
from itertools import chain

import pytest
import yaml
from packaging.requirements import Requirement
from packaging.specifiers import SpecifierSet
from packaging.utils import canonicalize_name
from packaging.version import Version

import lock_requirements as lock
from project import ROOT, pyproject

PROJECT = pyproject()["project"]
EXTRAS = PROJECT["optional-dependencies"]
FLOORS = [
    Requirement(text) for text in sorted({*PROJECT["dependencies"], *chain.from_iterable(EXTRAS.values())})
]
CONSTRAINTS = sorted((ROOT / "constraints").glob("*.txt"))
PYTHONS = ("3.11", "3.12", "3.13")


def pins(path):
    """Name to the requirements that pin it; a lock for several Pythons may pin a name more than once."""
    found = {}
    for line in path.read_text(encoding="utf-8").splitlines():
        if line and not line.startswith("#"):
            pin = Requirement(line)
            found.setdefault(canonicalize_name(pin.name), []).append(pin)
    return found


def version(pin):
    (exact,) = pin.specifier
    assert exact.operator == "=="
    return Version(exact.version)


def test_environment_yml_installs_every_extra_and_lists_nothing_twice():
    content = yaml.safe_load((ROOT / "environment.yml").read_text(encoding="utf-8"))
    assert content["name"] == PROJECT["name"]
    assert content["channels"] == ["conda-forge", "nodefaults"]
    *conda, by_pip = content["dependencies"]
    (line,) = by_pip["pip"]
    extras = re.fullmatch(r"-e \.\[([a-z0-9,]+)\]", line)[1].split(",")
    assert sorted(extras) == sorted(EXTRAS)
    assert conda.index("pip") < len(conda) and len(conda) == 3
    (python,) = [item for item in conda if item.startswith("python=")]
    assert SpecifierSet(PROJECT["requires-python"]).contains(f"{python.split('=')[1]}.0")
    (torch,) = [item for item in conda if item.startswith("pytorch")]
    floor = next(item for item in FLOORS if item.name == "torch")
    assert torch == f"pytorch-cpu{floor.specifier}"


@pytest.mark.parametrize("floor", FLOORS, ids=lambda floor: floor.name)
def test_every_dependency_is_pinned(floor):
    found = pins(ROOT / "requirements.lock").get(canonicalize_name(floor.name), [])
    if floor.name in lock.APART:
        assert found == []
        return
    for python in PYTHONS:
        environment = {"python_version": python, "python_full_version": f"{python}.5"}
        valid = [pin for pin in found if pin.marker is None or pin.marker.evaluate(environment)]
        assert len(valid) == 1, (
            f"{floor.name} has {len(valid)} pins on Python {python}; run python tools/lock_requirements.py"
        )
        assert floor.specifier.contains(version(valid[0])), "run python tools/lock_requirements.py"


def test_the_lock_brings_no_cuda_and_says_how_it_is_made():
    text = (ROOT / "requirements.lock").read_text(encoding="utf-8")
    assert "python tools/lock_requirements.py" in text.split("\n\n")[0]
    assert not re.findall(r"^(?:torch|triton|nvidia|cuda)[\w-]*", text, re.MULTILINE)
    assert not re.findall(r"--hash|file:|https?:", text)
    assert lock.pins(text) == len([line for line in text.splitlines() if line and not line.startswith("#")])


@pytest.mark.parametrize("path", CONSTRAINTS, ids=lambda path: path.name)
def test_floors_are_met_by_what_colab_has(path):
    found = pins(path)
    assert len(found) >= 1
    for floor in FLOORS:
        for pin in found.get(canonicalize_name(floor.name), []):
            assert floor.specifier.contains(version(pin)), f"{floor} asks for more than Colab's {pin}"
    assert re.search(r"20\d\d-\d\d-\d\d", path.read_text(encoding="utf-8")), "say when it was read"


def test_no_dependency_is_capped():
    for floor in FLOORS:
        assert {item.operator for item in floor.specifier} == {">="}, f"{floor}: floors only"
