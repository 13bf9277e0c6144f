"""Verdicts: the rules in their order, their words, and what a stricter level may change."""

import json
import math
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from ludometrics.abtest.effects import Effect, student
from ludometrics.abtest.quality import NO_SPLIT, SampleRatio
from ludometrics.abtest.verdicts import (
    CODES,
    Facts,
    equivalence,
    give_verdict,
    in_points,
    in_words,
    verdict_at_any_time,
)

TABLE = json.loads((Path(__file__).parents[1] / "data" / "abtest" / "verdicts.json").read_text())
FORBIDDEN = ("no difference", "no clear difference", "beyond chance", "beyond what chance", "prove", "nan")
DIFFERENT = ("tougher", "easier")


def facts_of(case):
    """Facts of a case: what it names, on the usual test."""
    given = {**TABLE["usual"], **case}
    alpha = given.get("alpha", 0.05)
    numbers = [math.nan if given[key] is None else given[key] for key in ("estimate", "error", "df")]
    split = given.get("split")
    if split:
        split = SampleRatio(split[0], split[1], split[2], math.nan, *split[3:])
    same = {key: given[key] for key in ("p", "alpha", "margin", "two_versions", "misdealt") if key in given}
    plan = {key: given[key] for key in ("done", "planned") if key in given}
    groups = [f"{what}_{name}" for what in ("players", "games") for name in "ab"]
    counts = dict(zip(groups, [*given["players"], *given["games"]], strict=True))
    return Facts(student(*numbers, level=1.0 - alpha), **same, **plan, **counts, split=split or NO_SPLIT)


@pytest.mark.parametrize("case", TABLE["cases"], ids=lambda case: case["desc"])
def test_the_first_rule_that_applies(case):
    verdict = give_verdict(facts_of(case["facts"]))
    assert verdict.code == case["code"]
    assert case["says"] in verdict.text
    assert verdict.decided == (case["code"] not in ("unsound", "few players", "planned", "no spread"))


def test_every_code_has_a_case():
    assert {case["code"] for case in TABLE["cases"]} == set(CODES)


any_facts = st.builds(
    lambda estimate, error, df, alpha, **others: Facts(
        student(estimate, error, df, level=1.0 - alpha), alpha=alpha, **others
    ),
    estimate=st.floats(-0.3, 0.3),
    error=st.floats(0.0, 0.2),
    df=st.integers(1, 200),
    alpha=st.sampled_from([0.01, 0.05, 0.1]),
    p=st.floats(0.0, 1.0),
    players_a=st.integers(4, 9),
    players_b=st.integers(4, 9),
    games_a=st.integers(50, 200),
    games_b=st.integers(50, 200),
    margin=st.floats(0.005, 0.2),
    split=st.sampled_from([NO_SPLIT, SampleRatio(8, 9, 0.9, 0.1), SampleRatio(9, 90, 1e-9, 60.0)]),
    two_versions=st.sampled_from([0, 0, 0, 1, 4]),
    misdealt=st.sampled_from([None, 0, 1, 9]),
    done=st.sampled_from([100, 200]),
    planned=st.sampled_from([0, 200, 201]),
)


@settings(max_examples=400, deadline=None)
@given(any_facts)
def test_words(facts):
    verdict = give_verdict(facts)
    assert verdict.code in CODES
    assert not any(words in verdict.text.lower() for words in FORBIDDEN)
    assert "\n" not in verdict.text and verdict.text.endswith(".")
    assert "-0.0 " not in verdict.text


@settings(max_examples=400, deadline=None)
@given(any_facts)
def test_swapping_the_versions_mirrors_the_verdict(facts):
    effect = facts.effect
    swapped = Facts(
        **{
            **vars(facts),
            "effect": effect._replace(estimate=-effect.estimate, low=-effect.high, high=-effect.low),
            "players_a": facts.players_b,
            "players_b": facts.players_a,
            "games_a": facts.games_b,
            "games_b": facts.games_a,
        }
    )
    mirror = {"tougher": "easier", "easier": "tougher"}
    here, there = give_verdict(facts).code, give_verdict(swapped).code
    assert there == mirror.get(here, here)


@settings(max_examples=400, deadline=None)
@given(any_facts)
def test_no_difference_is_claimed_on_the_range_or_p_alone(facts):
    verdict = give_verdict(facts)
    if verdict.code in DIFFERENT:
        assert facts.p < facts.alpha and facts.effect.p < facts.alpha
        assert min(facts.players_a, facts.players_b) >= 6
        assert (facts.effect.estimate < 0) == (verdict.code == "tougher")
    if verdict.code == "equivalent":
        half = stats.t.isf(facts.alpha, facts.effect.df) * facts.effect.error
        assert abs(facts.effect.estimate) + half < facts.margin + 1e-9


@settings(max_examples=400, deadline=None)
@given(any_facts)
def test_a_stricter_level_only_removes_verdicts(facts):
    """From 95 to 99 %: what is claimed at the stricter level was true at the other, if behind a stronger claim."""
    verdicts = {}
    for alpha in (0.05, 0.01):
        effect = student(*facts.effect[:3], level=1.0 - alpha)
        verdicts[alpha] = give_verdict(Facts(**{**vars(facts), "effect": effect, "alpha": alpha}))
    loose, strict = verdicts[0.05].code, verdicts[0.01].code
    assert verdicts[0.05].decided == verdicts[0.01].decided
    if strict in DIFFERENT:
        assert loose == strict
    if strict == "equivalent":
        # A difference that is told from zero may be small as well; small it was at 95 % too.
        assert loose != "undecided"
        assert equivalence(facts.effect, facts.margin) < 0.05
    if loose == "undecided":
        assert strict == "undecided"


# ------------------------------------------------------------------ a range that holds at any look


@pytest.mark.parametrize(
    ("low", "high", "code", "says"),
    [
        (
            -0.17,
            -0.01,
            "tougher",
            "players score 9.0 points less (95 % range -17.0 to -1.0 points at any look",
        ),
        (0.01, 0.17, "easier", "players score 9.0 points more"),
        (-0.04, 0.049, "equivalent", "Any difference is smaller than 5.0 points"),
        (-0.05, 0.01, "undecided", "Undecided so far: the data fit anything from -5.0 to 1.0 points"),
        (-0.17, 0.3, "undecided", "n = 77"),
        (math.nan, math.nan, "planned", "No verdict yet: 77 looked at"),
    ],
)
def test_at_any_look(low, high, code, says):
    effect = Effect((low + high) / 2, math.nan, math.inf, low, high, math.nan)
    verdict = verdict_at_any_time(effect, alpha=0.05, margin=0.05, n=77)
    assert verdict.code == code
    assert says in verdict.text
    assert not any(words in verdict.text.lower() for words in FORBIDDEN)


# ------------------------------------------------------------------ numbers


@settings(max_examples=100, deadline=None)
@given(st.floats(-0.3, 0.3), st.floats(0.001, 0.2), st.integers(1, 100), st.floats(0.01, 0.3))
def test_equivalence_is_the_range_within_the_margin(estimate, error, df, margin):
    effect = student(estimate, error, df, level=0.90)
    p = equivalence(effect, margin)
    if abs(p - 0.05) > 1e-9:
        assert (p < 0.05) == (-margin < effect.low and effect.high < margin)


def test_equivalence_without_a_range():
    assert math.isnan(equivalence(student(0.0, 0.0, 9), 0.05))
    assert math.isnan(equivalence(student(0.0, 0.1, 0.5), 0.05))


@pytest.mark.parametrize(
    ("score", "words"), [(0.0, "0.0"), (-0.00049, "0.0"), (-0.0898, "-9.0"), (1.0, "100.0")]
)
def test_points(score, words):
    assert in_points(score) == words


def test_points_with_other_digits():
    assert (in_points(0.12345, 2), in_points(-0.00001, 3)) == ("12.35", "-0.001")


@pytest.mark.parametrize(
    ("p", "words"), [(0.0, "p < 0.001"), (0.00049, "p < 0.001"), (0.0005, "p = 0.001"), (1.0, "p = 1.000")]
)
def test_p_in_words(p, words):
    assert in_words(p) == words


@pytest.mark.parametrize(
    ("case", "message"),
    [
        ({"margin": 0.0}, "margin is 0.0: it must be above 0"),
        ({"margin": math.nan}, "margin is nan"),
        ({"alpha": 0.5}, "alpha is 0.5: it must lie between 0 and 0.5"),
        ({"alpha": 0.95}, "alpha is 0.95"),
    ],
)
def test_bad_values_are_named(case, message):
    with pytest.raises(ValueError, match=message):
        give_verdict(facts_of(case))
