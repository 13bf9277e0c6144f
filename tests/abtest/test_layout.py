"""Text for a terminal: no name breaks it, no line is too long."""

import math
from unicodedata import category

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ludometrics.abtest.layout import bar, counted, display_width, pad, shorten, shown, table, wrap

TEXT = st.text(max_size=60)


@pytest.mark.parametrize(
    ("text", "safe"),
    [
        ("José", "José"),
        ("<b>$x$</b>", "<b>$x$</b>"),
        ("a\nb\tc\x00\x7f", r"a\nb\tc\x00\x7f"),
        ("\x1b[2J", r"\x1b[2J"),
        ("\u202eevil", r"\u202eevil"),
        ("a\u2028b", r"a\u2028b"),
        ("\ud800", r"\ud800"),
    ],
)
def test_what_is_not_seen_is_escaped(text, safe):
    assert shown(text) == safe


@settings(deadline=None)
@given(text=st.text(st.characters(exclude_categories=[])), width=st.integers(2, 30))
def test_what_is_shown_can_be_printed_in_its_width(text, width):
    safe = shown(text, width)
    assert not any(category(sign) in ("Cc", "Cf", "Cs", "Zl", "Zp") for sign in safe)
    assert display_width(safe) <= width
    if display_width(shown(text)) <= width:
        assert safe == shown(text)


@settings(deadline=None)
@given(text=st.text(st.characters(exclude_categories=[])), width=st.integers(2, 30))
def test_what_is_cut_in_its_middle_keeps_its_ends(text, width):
    safe, cut = shown(text), shorten(text, width)
    if display_width(safe) <= width:
        assert cut == safe
        return
    head, tail = cut.split("…", 1) if safe.count("…") == 0 else (cut[:1], cut[-1:])
    assert display_width(cut) <= width and safe.startswith(head) and safe.endswith(tail)


def test_a_message_keeps_its_file_and_what_is_allowed():
    cut = shorten(f"games.csv, row 2: variant is {'x' * 100_000!r}: allowed are 'A', 'B'", 100)
    assert cut.startswith("games.csv, row 2: variant is 'xxx") and cut.endswith("xxx': allowed are 'A', 'B'")
    assert display_width(cut) == 100


def test_numbers_with_what_they_count():
    assert [counted(n, "game") for n in (0, 1, 2)] == ["0 games", "1 game", "2 games"]


def test_wide_signs_take_two_columns_and_are_not_cut_in_half():
    assert display_width("李小龙") == 6 and shown("李小龙李小龙", 6) == "李小…" and pad("李", 4) == "李  "
    lines = table([["李", "1"], ["Ann", "10"]], "<>", indent="  ")
    assert lines == ["  李    1", "  Ann  10"] and len({display_width(line) for line in lines}) == 1


@settings(deadline=None)
@given(text=TEXT, width=st.integers(8, 40))
def test_wrapped_lines_are_never_too_long_and_lose_nothing(text, width):
    lines = wrap(text, first="- ", rest="  ", width=width)
    assert all(display_width(line) <= width for line in lines)
    assert "".join("".join(lines).split()) == "-" + "".join(shown(text).split())


def test_a_number_stays_with_its_sign():
    lines = wrap("it is p = 0.05 and p < 0.001 at 95 % sure", width=12)
    assert lines == ["it is", "p = 0.05 and", "p < 0.001 at", "95 % sure"]


def test_bars():
    assert bar(-4, 0, 4, least=-4, most=4, width=9) == "----o----"
    assert bar(-9, -9, 9, least=-4, most=4, width=9) == "o---|---]"
    assert bar(-9, 1, 9, least=-4, most=4, width=9) == "[---|o--]"
    assert bar(0, 0.5, 0.5, least=0, most=1, width=5) == "|-o  "
    assert bar(math.nan, math.nan, math.nan, least=0, most=1, width=5) == "     "


def test_a_table_without_rows():
    assert table([], "<>") == []
