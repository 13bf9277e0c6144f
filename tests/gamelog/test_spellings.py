"""One name in text: every spelling and escape of it, and no other name."""

import json
from pathlib import Path
from urllib.parse import quote

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ludometrics.gamelog.names import clean_name, fold_name
from ludometrics.gamelog.spellings import Spellings

CASES = json.loads((Path(__file__).parents[1] / "data" / "gamelog" / "spellings.json").read_text("utf-8"))
NAMES = st.text(st.sampled_from("aAéßſΣσİıﬁ李Ж𝒜_ .'()-9"), min_size=1, max_size=12)


@pytest.mark.parametrize("case", CASES, ids=[case["desc"] for case in CASES])
def test_counts(case):
    assert Spellings(case["name"]).count(case["text"]) == case["count"]


def is_name(text: str) -> bool:
    try:
        return bool(clean_name(text))
    except ValueError:
        return False


@given(NAMES.filter(is_name))
def test_every_way_to_write_a_name_is_found(name):
    spellings = Spellings(name.upper())
    same = fold_name(name.upper()) == fold_name(name)
    ways = [name, json.dumps(name), json.dumps(json.dumps(name)), quote(name)]
    ways.append("".join(f"&#{ord(sign)};" for sign in name))
    for text in ways:
        if same:  # an i without a dot becomes another letter in capitals
            assert spellings.count(f"<{text}>") >= 1, text
            assert spellings.is_name(text.strip('"\\')) or text != name


@pytest.mark.parametrize("name", ["", "  ", "\u3000"])
def test_no_name(name):
    with pytest.raises(ValueError, match="must have a sign"):
        Spellings(name)
