"""Assignment by hash: the course's groups, its folding, and an even split."""

import json
from pathlib import Path

import pytest

from ludometrics.abtest import assign_by_hash

CASES = json.loads((Path(__file__).parents[1] / "data" / "abtest" / "assignment.json").read_text())


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["desc"])
def test_groups(case):
    groups = {
        name: assign_by_hash(case["experiment"], name) for names in case["groups"].values() for name in names
    }
    assert groups == {name: group for group, names in case["groups"].items() for name in names}


def test_spellings_agree():
    assert len({assign_by_hash("medium-randomness", name) for name in ("Ann", " ann ", "ANN", "ann\n")}) == 1


def test_a_thousand_names_split_evenly():
    count = sum(assign_by_hash("medium-randomness", f"Player {number}") == "A" for number in range(1000))
    assert 400 < count < 600


def test_another_experiment_deals_anew():
    names = [f"Player {number}" for number in range(100)]
    groups = [[assign_by_hash(experiment, name) for name in names] for experiment in ("one", "two")]
    assert groups[0] != groups[1]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"fold": "upper"}, "fold is 'upper'"),
        ({"name": "  "}, "neither may be empty"),
        ({"experiment": ""}, "neither may be empty"),
    ],
)
def test_bad_values_are_named(arguments, message):
    with pytest.raises(ValueError, match=message):
        assign_by_hash(**{"experiment": "medium-randomness", "name": "Ann", **arguments})
