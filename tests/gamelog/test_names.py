"""Keys of names: spellings that agree, spellings that do not, and folding twice."""

import json
import sys
from pathlib import Path
from unicodedata import normalize

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ludometrics.gamelog import (
    LEVEL_NAMES,
    ReservedNameError,
    clean_name,
    fold_name,
    is_player_name,
    is_reserved,
)

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


@pytest.mark.parametrize(
    "typed, saved",
    [
        ("  Ann   Marie ", "Ann Marie"),
        ("Jose\u0301", "José"),
        ("Straße", "Straße"),
        ("हिन्दी", "हिन्दी"),
        ("O'Neil-(x.y)_7", "O'Neil-(x.y)_7"),
        ("İpek", "İpek"),
        ("A" * 20, "A" * 20),
    ],
)
def test_a_name_as_it_is_saved(typed, saved):
    assert clean_name(typed) == saved and is_player_name(saved)
    assert fold_name(saved) == fold_name(typed)


@pytest.mark.parametrize(
    "typed",
    [
        "",
        " ",
        "A" * 21,
        "\u3164",
        "Ann\ufe0f",
        "Com\ufe0fputer (High)",
        "A\u034fnn",
        "\uffa0",
        "A\U000e0100",
        "<b>",
        "Ann\n",
        "Ann\tLee",
        "A\u200bnn",
        "A\u200dnn",
        "\u202eAnn",
        "A\0",
        "\ud800",
        "\u0301Ann",
        "()",
        "-",
        "a;b",
        "😀",
        "Ann\u00a0Lee",
        "=1+1",
        7,
        None,
    ],
    ids=ascii,
)
def test_what_may_not_be_typed(typed):
    with pytest.raises(ValueError, match=r"allowed are 1 to 20 letters|it must be text"):
        clean_name(typed)


@pytest.mark.parametrize(
    "typed",
    [
        *LEVEL_NAMES.values(),
        "COMPUTER (low)",
        "Computer",
        "(removed)",
        "(Removed-7f3a91c2)",
        "(REMOVED",
        "Anonymous 3",
    ],
)
def test_reserved_names(typed):
    assert is_reserved(typed)
    with pytest.raises(ReservedNameError, match="are not for people"):
        clean_name(typed)


def test_names_that_only_look_reserved():
    assert not any(map(is_reserved, ("Remo", "Removed", "Low", "Medium", "A Computer", "easy", "l1")))
