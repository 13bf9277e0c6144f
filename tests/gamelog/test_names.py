"""Keys of names: spellings that agree, spellings that do not, and folding twice."""

import json
import sys
from pathlib import Path
from unicodedata import normalize

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ludometrics.gamelog import fold_name

PATH = Path(__file__).parents[1] / "data" / "gamelog" / "names.json"
CASES = json.loads(PATH.read_text(encoding="utf-8"))
# Letters whose case, form or width changes, and marks that join them, in any order.
TRICKY = "aIiıİßẞſσςΣǅﬁＡéÅ\u212bΐᾳᾼ½㎏\u1e9a\u0149각\u1100\u1161" + (
    "\u0345\u0307\u0301\u0327\u0323´¨\u037a \t\u00a0\u3000"
)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["desc"])
def test_spellings_have_one_key(case):
    assert {name: fold_name(name) for name in case["names"]} == dict.fromkeys(case["names"], case["key"])


def test_cases_are_different_players():
    assert len({case["key"] for case in CASES}) == len(CASES)
    assert fold_name("Ann Marie") != fold_name("AnnMarie")


def test_every_sign_folds_once():
    signs = [chr(code) for code in range(sys.maxunicode + 1) if not 0xD800 <= code < 0xE000]
    keys = list(map(fold_name, signs))
    assert [sign for sign, key in zip(signs, keys, strict=True) if fold_name(key) != key] == []


@given(st.one_of(st.text(), st.text(TRICKY, max_size=8)))
@settings(max_examples=400, deadline=None)
def test_folding_twice_changes_nothing(name):
    key = fold_name(name)
    assert fold_name(key) == key == key.strip() and "  " not in key


@given(st.text(TRICKY, max_size=8))
@settings(max_examples=400, deadline=None)
def test_composed_or_apart_is_the_same(name):
    assert {fold_name(normalize(form, name)) for form in ("NFC", "NFD", "NFKC", "NFKD")} == {fold_name(name)}


@pytest.mark.parametrize("name", [None, 7, b"Ann"])
def test_only_text_is_a_name(name):
    with pytest.raises(ValueError, match="it must be text"):
        fold_name(name)
