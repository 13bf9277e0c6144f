"""Scores: what is one, what is none, and arithmetic against exact fractions."""

import json
import math
from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from ludometrics.boardgames.scores import LIMIT, MOST_NODES, MOST_SIGNS, ScoreError, parse_score

CASES = json.loads((Path(__file__).parents[1] / "data" / "boardgames" / "scores.json").read_text())


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["desc"])
def test_case(case):
    if "error" in case:
        with pytest.raises(ScoreError, match=case["error"]) as caught:
            parse_score(case["text"])
        assert repr(case["text"].strip()) in str(caught.value)
    else:
        assert parse_score(case["text"]) == case["value"]


def test_minus_zero_is_plain_zero():
    assert math.copysign(1.0, parse_score("-0")) == math.copysign(1.0, parse_score("0-0")) == 1.0


def test_the_length_is_bounded_before_anything_is_read():
    assert parse_score("0" * (MOST_SIGNS - 1) + "7") == 7.0
    with pytest.raises(ScoreError, match=f"201 signs: at most {MOST_SIGNS}") as caught:
        parse_score("0" * MOST_SIGNS + "7")
    assert len(str(caught.value)) < 100


@pytest.mark.parametrize("depth", [30, 99])
def test_deep_parentheses_are_read_or_refused_never_a_crash(depth):
    text = "(" * depth + "1" + ")" * depth
    assert parse_score(text) == 1.0


@pytest.mark.parametrize("value", [None, 7, 1.5, True, b"7"], ids=["none", "int", "float", "bool", "bytes"])
def test_only_texts_are_scores(value):
    with pytest.raises(ScoreError, match="is no text"):
        parse_score(value)


@settings(deadline=None)
@given(st.text(max_size=220) | st.text("0123456789+-*/().,eExX×− ", max_size=60))
def test_any_text_gives_a_bounded_number_or_an_error(text):
    try:
        value = parse_score(text)
    except ScoreError as error:
        assert str(error).startswith("score ")
    else:
        assert (value is None) == (not text.strip())
        assert value is None or abs(value) < LIMIT


def expressions():
    """Texts with their exact values, built from the outside in."""
    digits = st.integers(0, 999).map(lambda n: (str(n), Fraction(n)))
    tenths = st.integers(0, 9999).map(lambda n: (f"{n // 100}.{n % 100:02d}", Fraction(n, 100)))

    def extend(inner):
        return st.one_of(
            st.tuples(inner, st.sampled_from("+-*/"), inner).map(join),
            inner.map(lambda one: (f"(-{one[0]})", -one[1])),
        )

    return st.recursive(digits | tenths, extend, max_leaves=8)


def join(parts):
    (left, a), sign, (right, b) = parts
    if sign == "/" and b == 0:
        sign = "+"
    value = {"+": a + b, "-": a - b, "*": a * b, "/": a / b if b else None}[sign]
    return f"({left}{sign}{right})", value


@settings(deadline=None)
@given(expressions())
def test_arithmetic_is_exact_before_it_is_rounded_once(expression):
    text, value = expression
    assume(len(text) <= MOST_SIGNS and 2 * text.count("(") < MOST_NODES)
    if abs(value) < LIMIT and abs(float(value)) < LIMIT:
        assert parse_score(text) == float(value)
    else:
        with pytest.raises(ScoreError, match="too large"):
            parse_score(text)
