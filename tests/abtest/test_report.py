"""Reports: what a reader sees, what a program reads, and what neither may see yet."""

import json
import math
import re
from dataclasses import replace
from datetime import date

import numpy as np
import pandas as pd
import pytest

from ludometrics.abtest.analysis import Analysis, analyse
from ludometrics.abtest.forest_text import MOST_SHOWN
from ludometrics.abtest.layout import display_width
from ludometrics.abtest.naive import NAIVE_VERDICTS, analyse_naive
from ludometrics.abtest.plans import Plan, plan_hash
from ludometrics.abtest.report import SCHEMA_VERSION, report_json, report_text
from ludometrics.abtest.verdicts import CODES, in_points

ODD = [
    "<b>Bob</b> & 'Co'",
    "$x^2$ %s {}",
    "李小龙李小龙李小龙李小龙",
    "A" * 300,
    "new\nline\x1b[31m\x00.",
    "\u202eRTL",
]
KEYS = [
    "schema_version",
    "verdict",
    "unit",
    "assignment",
    "estimand",
    "alpha",
    "margin",
    "effect",
    "test",
    "players_counted",
    "adjusted_by_ratings",
    "detectable",
    "equivalence_p",
    "groups",
    "checks",
    "players",
    "sensitivity",
    "methods",
    "win_odds",
    "player_correlation",
    "last_look",
    "plan",
    "notes",
    "course",
]
PLAN = Plan(
    experiment="medium-randomness",
    design="within",
    assignment="game",
    players=8,
    games_each=20,
    effect=0.05,
    sd=0.3,
    icc=0.35,
    decided_on=date(2026, 10, 1),
    note="José's idea",
)


def make(effect=0.0, players=8, each=20, unit="within", names=None):
    rng = np.random.default_rng(1)
    names = names or [f"Player {n}" for n in range(players)]
    games = pd.DataFrame({"player": np.repeat(names, each)})
    number = np.repeat(np.arange(len(names)), each)
    in_b = number % 2 == 1 if unit == "between" else rng.random(len(games)) < 0.5
    games["variant"] = np.where(in_b, "B", "A")
    games["score"] = 1.0 * (rng.random(len(games)) < 0.5 + effect * in_b)
    return games


def reported(games, **options) -> tuple[Analysis, str, dict]:
    analysis = analyse(games, **options, rng=np.random.default_rng(1))
    naive = analyse_naive(games)
    return analysis, report_text(analysis, naive), strict(report_json(analysis, naive))


def strict(text):
    """JSON as the standard has it: no NaN, no infinity, no key twice, and UTF-8 holds it."""

    def refuse(word):
        raise AssertionError(f"{word} is no JSON")

    def once(pairs):
        assert len({key for key, _ in pairs}) == len(pairs)
        return dict(pairs)

    assert text.encode("utf-8").decode("utf-8") == text
    return json.loads(text, parse_constant=refuse, object_pairs_hook=once)


CASES = {
    "tougher": {"games": make(effect=-0.4)},
    "easier": {"games": make(effect=0.4)},
    "undecided": {"games": make()},
    "equivalent": {"games": make(), "margin": 0.4},
    "few players": {"games": make(players=3)},
    "between": {"games": make(players=16, unit="between")},
    "empty group": {"games": make(players=8, unit="between").assign(variant="A")},
    "no spread": {"games": make().assign(score=0.5)},
    "planned": {"games": make(each=19), "plan": PLAN},
    "fulfilled": {"games": make(), "plan": PLAN},
    "sequential": {"games": make(effect=-0.4), "plan": replace(PLAN, sequential=True)},
    "unsound": {"games": make(), "design": "between"},
    "odd names": {"games": make(names=ODD)},
    "odd names between": {"games": make(names=ODD, unit="between")},
    "one player": {"games": make(players=1)},
    "one game": {"games": make(players=1, each=1)},
}


@pytest.fixture(params=CASES.values(), ids=CASES.keys())
def case(request):
    options = dict(request.param)
    return reported(options.pop("games"), **options)


def test_the_verdict_stands_first_and_whole(case):
    analysis, text, content = case
    lines = text.split("\n")
    assert set(lines[1]) == {"="}
    said = " ".join(lines[2 : lines.index("", 2)])
    assert said == analysis.verdict.text
    assert content["verdict"] == {
        "code": analysis.verdict.code,
        "text": analysis.verdict.text,
        "decided": analysis.verdict.code in CODES[4:],
    }


def test_every_line_can_be_printed_in_a_hundred_columns(case):
    _, text, _ = case
    assert text.endswith("\n") and max(map(display_width, text.split("\n"))) <= 100
    assert text.replace("\n", "").isprintable()
    assert not any(line != line.rstrip() for line in text.split("\n"))


def test_no_number_is_printed_that_is_none(case):
    _, text, _ = case
    assert not re.search(r"\b(nan|inf|null)\b", text) and "range no range" not in " ".join(text.split())


def test_one_is_not_many():
    _, text, _ = reported(make(players=1, each=1))
    assert "none, no range (1 player in A, 0 in B; 1 game)" in text and "in 1 game, B - in 0" in text
    _, text, _ = reported(make(players=1))
    assert "(1 player; 20 games)" in text
    once = replace(PLAN, assignment="hash", design="between", players=20, games_each=1)
    assert "20 players of 1 game each" in reported(make(players=20, unit="between"), plan=once)[1]


@pytest.mark.parametrize("unit", ["within", "between"])
def test_a_name_of_any_length_fills_no_screen(unit):
    names = ["A" * 50_000, *(f"Player {n}" for n in range(7))]
    games = pd.concat([make(names=names, unit=unit), make(names=names[:1], each=300, unit=unit)])
    _, text, _ = reported(games)
    assert "A" * 30 in text and text.count("A" * 18) < 30 and len(text) < 8_000
    _, text, _ = reported(make(), plan=replace(PLAN, experiment="x" * 50_000))
    assert len(text) < 6_000


def test_words_that_claim_too_much_are_not_used(case):
    _, text, content = case
    ours = text.split("For comparison only")[0] + json.dumps({**content, "course": None})
    for words in ("no difference", "no clear difference", "beyond chance", "proves", "significant"):
        assert words not in ours.lower()


def test_the_json_has_the_same_keys_whatever_is_in_it(case):
    _, _, content = case
    assert list(content) == KEYS and content["schema_version"] == SCHEMA_VERSION == 1
    assert list(content["effect"]) == ["estimate", "error", "df", "low", "high", "p"]
    assert list(content["test"]) == ["p", "ways", "exact", "mid_p"]


def test_numbers_in_text_and_json_are_those_of_the_analysis():
    games = make(effect=-0.4)
    analysis, text, content = reported(games)
    effect = analysis.effect
    assert content["effect"]["estimate"] == effect.estimate and content["effect"]["df"] == effect.df
    expected = (
        f"{in_points(effect.estimate)} points, 95 % range {in_points(effect.low)} to {in_points(effect.high)}"
    )
    assert f"{expected} (8 players; 160 games)" in text
    assert f"could find about {in_points(analysis.detectable)} points with a power of 80 %" in text
    assert content["detectable"] == {"power": 0.8, "difference": analysis.detectable}
    assert [row["games"] for row in content["groups"]] == analysis.groups["games"].tolist()
    assert [row["check"] for row in content["checks"]] == analysis.quality["check"].tolist()
    assert len(content["players"]) == len(content["sensitivity"]) == 8
    assert content["player_correlation"]["n"] == 8 and content["win_odds"]["n"] == 8
    assert content["methods"][-1]["df"] is None  # infinite
    for heading in (
        "Groups",
        "Checks",
        "Does it hang",
        "Players",
        "Other methods",
        "Loss, draw",
        "How alike",
        "Plan",
    ):
        assert any(line.startswith(heading) for line in text.split("\n"))


def test_each_player_has_a_line_and_a_bar():
    _, text, _ = reported(make(effect=-0.4))
    lines = [line for line in text.split("\n") if line.startswith("  Player ")]
    assert len(lines) == 8 and all("|" in line and "o" in line for line in lines)
    together = next(line for line in text.split("\n") if line.startswith("  together"))
    assert together.index("o", 20) < lines[0].index("|")  # tougher: left of zero


def test_of_many_players_the_first_are_shown():
    analysis, text, content = reported(make(players=MOST_SHOWN + 5, each=6))
    assert "  ... and 5 more (all in the JSON)" in text.split("\n")
    assert len(content["players"]) == len(analysis.players) == MOST_SHOWN + 5


def test_the_courses_analysis_comes_last_with_its_words_and_a_warning():
    games = make(players=16, unit="between")
    naive = analyse_naive(games)
    analysis, text, content = reported(games)
    head, tail = text.split("For comparison only, not to be believed")
    assert all(word not in head for word in NAIVE_VERDICTS)
    assert repr(naive.verdict) in " ".join(tail.split()) and "as if another player had played it" in " ".join(
        tail.split()
    )
    assert content["course"]["verdict"] == naive.verdict and content["course"]["n_a"] == naive.n_a
    alone = report_text(analysis)
    assert "For comparison only" not in alone and strict(report_json(analysis))["course"] is None
    few = make(players=2)
    _, text, _ = reported(few)
    assert "Its warning: Player 0 played" in text


def test_a_plan_that_is_not_fulfilled_shows_nothing_that_scores_went_into():
    games = make(each=19, effect=-0.4)
    shuffled = games.assign(score=games["score"].to_numpy()[::-1])
    one, two = reported(games, plan=PLAN), reported(shuffled, plan=PLAN)
    assert one[1] == two[1] and one[2] == two[2]
    assert one[2]["course"] is None and one[2]["players"] == [] and one[2]["effect"]["estimate"] is None
    for heading in ("Difference", "Players", "Other methods", "For comparison"):
        assert not any(line.startswith(heading) for line in one[1].split("\n"))
    assert "No verdict yet: 152 of 160 games planned." in one[1] and "Checks" in one[1]


def test_a_plan_stands_in_the_report():
    _, text, content = reported(make(), plan=PLAN)
    assert plan_hash(PLAN) in text and "José's idea" in text and "looked at once, at the end" in text
    assert content["plan"]["sha256"] == plan_hash(PLAN) and content["plan"]["decided_on"] == "2026-10-01"
    assert content["last_look"] is None
    _, text, _ = reported(make())
    assert "None was given: looking again and again" in text


def test_a_sequential_plan_shows_its_last_look():
    analysis, text, content = reported(make(effect=-0.4), plan=replace(PLAN, sequential=True))
    (last,) = content["last_look"]
    assert last["n"] == 160 and last["low"] == analysis.effect.low
    assert "holds however often it is looked at" in text


def test_names_are_shown_safely_in_text_and_kept_in_json():
    _, text, content = reported(make(names=ODD))
    assert "<b>Bob</b> & 'Co'" in text and "$x^2$ %s {}" in text and r"new\nline\x1b[31m" in text
    assert "\x1b" not in text and "\u202e" not in text and "A" * 30 not in text
    assert {row["player"] for row in content["players"]} == set(ODD)


def test_half_of_a_surrogate_pair_is_escaped():
    analysis = replace(analyse(make(), rng=np.random.default_rng(1)), notes=("file \udcff.jsonl",))
    assert r"file \udcff.jsonl" in report_text(analysis)
    assert strict(report_json(analysis))["notes"] == ["file \udcff.jsonl"]


def test_odds_without_an_end_are_null():
    games = make(players=8)
    games["score"] = np.where(games["variant"] == "B", 1.0, 0.5)
    analysis, text, content = reported(games)
    assert math.isinf(analysis.ordered.odds) and content["win_odds"]["odds"] is None
    assert "all pairs that do not tie go one way" in " ".join(text.split())


def test_another_confidence_is_named():
    _, text, _ = reported(make(), alpha=0.1)
    assert "90 % range" in text and "95 %" not in text.split("For comparison only")[0]
