"""Plans: kept as they were decided, and every edit found."""

import json
from dataclasses import FrozenInstanceError, asdict, replace
from datetime import date, datetime
from hashlib import sha256

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ludometrics.abtest.planning import design_power
from ludometrics.abtest.plans import Plan, load_plan, make_plan, plan_hash, save_plan

GIVEN = {
    "experiment": "medium-randomness",
    "design": "within",
    "assignment": "alternate",
    "players": 8,
    "games_each": 100,
    "effect": 0.05,
    "sd": 0.3,
    "icc": 0.35,
    "decided_on": date(2026, 10, 1),
}
PLAN = Plan(**GIVEN, note="José's idea: Medium, but fewer slips")


def saved(tmp_path, plan=PLAN):
    return save_plan(plan, tmp_path / "plan.json")


def edit(path, change):
    """Change the plan's content in its file, keeping the hash."""
    content = json.loads(path.read_text(encoding="utf-8"))
    change(content)
    path.write_text(json.dumps(content), encoding="utf-8")


def test_a_plan_comes_back_as_it_was(tmp_path):
    path = saved(tmp_path)
    assert load_plan(path) == PLAN
    assert PLAN.planned_games == 800
    options = {"players": 8, "games_each": 100, "sd": 0.3, "icc": 0.35}
    assert PLAN.expected_power == design_power("within", 0.05, **options)


def test_the_file_is_canonical(tmp_path):
    path = saved(tmp_path)
    text = path.read_bytes().decode("utf-8")
    content = json.loads(text)
    assert list(content) == ["plan", "sha256"] and list(content["plan"]) == sorted(asdict(PLAN))
    assert "José" in text and text.endswith("}\n") and content["plan"]["decided_on"] == "2026-10-01"
    compact = json.dumps(content["plan"], sort_keys=True, ensure_ascii=False, separators=(",", ":"))
    assert content["sha256"] == plan_hash(PLAN) == sha256(compact.encode("utf-8")).hexdigest()


def test_the_same_numbers_give_the_same_hash():
    numpy_numbers = {"players": np.int64(8), "effect": np.float64(0.05), "sequential": np.bool_(False)}
    same = replace(PLAN, **numpy_numbers, correlation=0)
    assert (
        plan_hash(same) == plan_hash(PLAN) and type(same.players) is int and type(same.correlation) is float
    )
    assert len({plan_hash(plan) for plan in (PLAN, replace(PLAN, note=""), replace(PLAN, players=9))}) == 3


def test_a_plan_is_not_changed_after_it_was_decided(tmp_path):
    path = saved(tmp_path)
    before = path.read_bytes()
    with pytest.raises(
        ValueError, match=r"plan.json: holds another plan of 2026-10-01 \(players, effect differ\)"
    ):
        saved(tmp_path, replace(PLAN, players=9, effect=0.06))
    assert path.read_bytes() == before
    with pytest.raises(FrozenInstanceError):
        PLAN.players = 9


def test_the_same_plan_may_be_saved_again_and_its_file_is_left_alone(tmp_path):
    path = saved(tmp_path)
    path.write_bytes(path.read_bytes().replace(b"\n", b"\r\n"))  # as another system writes it
    before = path.read_bytes()
    assert saved(tmp_path) == path and path.read_bytes() == before


def test_a_file_that_is_no_plan_is_not_overwritten(tmp_path):
    path = tmp_path / "plan.json"
    path.write_text("my notes")
    with pytest.raises(ValueError, match="not JSON at line 1, column 1"):
        save_plan(PLAN, path)
    assert path.read_text() == "my notes"


OTHER = {
    "experiment": "easy-randomness",
    "level": "hard",
    "design": "between",
    "assignment": "game",
    "players": 9,
    "games_each": 102,
    "effect": 0.049,
    "alpha": 0.1,
    "power": 0.7,
    "sd": 0.31,
    "icc": 0.3,
    "correlation": 0.1,
    "margin": 0.04,
    "sequential": True,
    "decided_on": "2026-10-02",
    "note": "",
}


@pytest.mark.parametrize("field", asdict(PLAN))
def test_an_edit_of_any_field_is_found(tmp_path, field):
    path = saved(tmp_path)
    edit(path, lambda content: content["plan"].update({field: OTHER[field]}))
    message = (
        "assignment is 'alternate' in a design 'between'" if field == "design" else "plan.json: sha256 is"
    )
    with pytest.raises(ValueError, match=message):
        load_plan(path)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (
            lambda c: c["plan"].update(colour="b"),
            "plan.json: field 'colour' is unknown: allowed are experiment",
        ),
        (lambda c: c["plan"].pop("icc"), "plan.json: field 'icc' is missing"),
        (lambda c: c.pop("sha256"), "plan.json: field 'sha256' is missing"),
        (lambda c: c.update(plan=[1]), r"plan.json: plan is \[1\]: an object"),
        (lambda c: c.update(sha256="0"), "plan.json: sha256 is '0', that of its content"),
        (lambda c: c["plan"].update(players=8.0), "plan.json: players is 8.0: allowed is a whole number"),
        (lambda c: c["plan"].update(players=True), "plan.json: players is True"),
        (lambda c: c["plan"].update(players="8"), "plan.json: players is '8'"),
        (lambda c: c["plan"].update(players=10**400), "plan.json: players is 1000"),
        (lambda c: c["plan"].update(effect=10**400), "plan.json: effect is 1000"),
        (lambda c: c["plan"].update(effect=None), "plan.json: effect is None: allowed is a difference"),
        (lambda c: c["plan"].update(sd=float("nan")), "plan.json: sd is nan"),
        (
            lambda c: c["plan"].update(design=["within"]),
            r"plan.json: design is \['within'\]: allowed is 'between'",
        ),
        (lambda c: c["plan"].update(sequential=0), "plan.json: sequential is 0: allowed is true or false"),
        (lambda c: c["plan"].update(note=None), "plan.json: note is None: allowed is text"),
        (
            lambda c: c["plan"].update(decided_on="1.10.2026"),
            "plan.json: decided_on is '1.10.2026': allowed is a date",
        ),
        (
            lambda c: c["plan"].update(decided_on="2026-02-30"),
            "decided_on is '2026-02-30': allowed is a date",
        ),
        (lambda c: c["plan"].update(decided_on="2026-W40-4"), "decided_on is '2026-W40-4'"),
        (lambda c: c["plan"].update(decided_on=20261001), "decided_on is 20261001"),
    ],
)
def test_broken_content_is_named(tmp_path, change, message):
    path = saved(tmp_path)
    edit(path, change)
    with pytest.raises(ValueError, match=message):
        load_plan(path)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "not JSON at line 1, column 1"),
        (b'{"plan": ', "not JSON at line 1"),
        (b'{"plan": "\xff"}', "not UTF-8 at byte 10"),
        (b"[]", r"the file is \[\]"),
        (b'{"plan": {}, "plan": {}, "sha256": ""}', "field 'plan' is given twice"),
        (b"[" * 100_000, "plan.json: "),
    ],
    ids=["empty", "cut off", "not UTF-8", "a list", "twice", "deep"],
)
def test_broken_files_are_named(tmp_path, content, message):
    path = tmp_path / "plan.json"
    path.write_bytes(content)
    with pytest.raises(ValueError, match=message):
        load_plan(path)


def test_a_missing_file_is_missing(tmp_path):
    with pytest.raises(FileNotFoundError):
        load_plan(tmp_path / "plan.json")


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"experiment": "  "}, "experiment is '  ': allowed is text that is not empty"),
        ({"note": "\ud800"}, "text that UTF-8 can hold"),
        ({"assignment": "hash"}, "in a design 'within': allowed are 'game', 'alternate'"),
        ({"assignment": "dice"}, "assignment is 'dice': allowed is 'hash', 'blocked', 'game', 'alternate'"),
        ({"design": "across"}, "design is 'across': allowed is 'between' or 'within'"),
        ({"players": 0}, "players is 0: allowed is a whole number from 1"),
        ({"games_each": 1}, "8 players of 1 games"),
        ({"effect": -0.05}, "effect is -0.05: allowed is a difference in score"),
        ({"effect": 5}, "not points"),
        ({"margin": 0}, "margin is 0"),
        ({"power": 0.05}, "it must be above alpha"),
        ({"alpha": 1}, "alpha is 1"),
        ({"sd": 0.6}, "sd is 0.6"),
        ({"icc": 1}, "icc is 1"),
        ({"correlation": 1.0}, "correlation is 1.0"),
        ({"decided_on": datetime(2026, 10, 1)}, "decided_on is datetime"),
        ({"sequential": "no"}, "sequential is 'no'"),
    ],
)
def test_bad_plans_are_refused(change, message):
    with pytest.raises(ValueError, match=message):
        Plan(**{**GIVEN, **change})


@pytest.mark.parametrize(
    ("design", "assignment", "step"),
    [("between", None, 2), ("between", "blocked", 2), ("within", None, 1), ("within", "game", 1)],
)
def test_make_plan_finds_the_smallest_number_of_players(design, assignment, step):
    wanted = {key: GIVEN[key] for key in ("effect", "sd", "icc", "decided_on")}
    plan = make_plan("x", design=design, assignment=assignment, games_each=12, level="hard", **wanted)
    assert plan.assignment == assignment or (assignment, plan.assignment) in {
        (None, "hash"),
        (None, "alternate"),
    }
    assert plan.level == "hard" and plan.games_each == 12
    assert replace(plan, players=plan.players - step).expected_power < 0.8 <= plan.expected_power


def test_make_plan_finds_the_smallest_number_of_games():
    wanted = {key: GIVEN[key] for key in ("effect", "sd", "icc", "decided_on")}
    plan = make_plan("x", design="within", players=8, power=0.9, **wanted)
    assert plan.games_each % 2 == 0 and plan.assignment == "alternate"
    assert replace(plan, games_each=plan.games_each - 2).expected_power < 0.9 <= plan.expected_power
    drawn = replace(plan, assignment="game")
    assert drawn.expected_power < plan.expected_power  # uneven splits cost something
    for numbers in ({}, {"players": 8, "games_each": 100}):
        with pytest.raises(ValueError, match="one must be given, the other None"):
            make_plan("x", design="within", **numbers, **wanted)
    with pytest.raises(ValueError, match="design is 'across'"):
        make_plan("x", design="across", players=8, **wanted)


@settings(max_examples=40, deadline=None)
@given(
    note=st.text(st.characters(codec="utf-8"), max_size=20),
    numbers=st.tuples(st.integers(12, 10**6), st.integers(2, 10**6)),
    effect=st.floats(1e-6, 1),
    icc=st.floats(0, 0.99),
)
def test_any_plan_comes_back(tmp_path_factory, note, numbers, effect, icc):
    players, games_each = numbers
    plan = replace(PLAN, note=note, players=players, games_each=games_each, effect=effect, icc=icc)
    path = save_plan(plan, tmp_path_factory.mktemp("plans") / "plan.json")
    assert load_plan(path) == plan and save_plan(plan, path) == path
