"""What other programs read: XGIDs, cards for Anki, tables for a spreadsheet."""

import csv
import io

import numpy as np
import pandas as pd
import pytest

from ludometrics.backgammon.assessment import assess
from ludometrics.backgammon.exports import Card, anki_csv, card_id, encode_table, make_card, xgid_list
from ludometrics.backgammon.records import Kind
from ludometrics.backgammon.report_positions import view_decision
from ludometrics.backgammon.xgid import from_xgid
from report_sample import sample_library


@pytest.fixture(scope="module")
def judged():
    library = sample_library(4)
    return library, assess(library)


def read_anki(content: bytes) -> tuple[dict[str, str], list[list[str]]]:
    """Headers and rows, as Anki reads such a file: lines that begin with # first, then CSV."""
    lines = content.decode("utf-8").split("\n")
    head = [line for line in lines if line.startswith("#")]
    assert lines[: len(head)] == head
    headers = dict(line[1:].split(":", 1) for line in head)
    rows = list(csv.reader(io.StringIO("\n".join(lines[len(head) :])), strict=True))
    return headers, rows


def views(judged, kind):
    library, assessment = judged
    rows = np.flatnonzero((library.decisions.kind == kind) & (assessment.error_mp > 0))[:3]
    return [view_decision(library, assessment, int(row), arrows=False) for row in rows]


def test_cards_are_what_anki_imports(judged):
    cards = [make_card(view, tags=("a b", "", "c")) for kind in Kind for view in views(judged, kind)]
    headers, rows = read_anki(anki_csv(cards, deck="My deck"))
    assert headers == {
        "separator": "Comma",
        "html": "true",
        "deck": "My deck",
        "columns": "id,Front,Back,Tags",
        "guid column": "1",
        "tags column": "4",
    }
    assert len(rows) == len({card.xgid for card in cards}) and {len(row) for row in rows} == {4}
    for (name, front, back, tags), card in zip(rows, cards, strict=False):
        assert (name, front, back, tags) == (card_id(card.xgid), card.front, card.back, "a_b c")


@pytest.mark.parametrize("kind", list(Kind), ids=lambda kind: kind.name.lower())
def test_the_question_does_not_show_its_answer(judged, kind):
    for view in views(judged, kind):
        card = make_card(view)
        assert "bd-best" not in card.front and "bd-played" not in card.front
        assert f"<b>{view.best}</b>" in card.back and view.xgid in card.back
        assert view.question.replace("'", "&#x27;") in card.front
        assert from_xgid(view.xgid).board == tuple(judged[0].decisions.board[view.row].tolist())


def test_a_card_keeps_its_name(judged):
    """Anki changes the note that it knows by this name: it must never be another."""
    (first, *_) = views(judged, Kind.CHECKER)
    again = make_card(first, tags=("other",))
    assert card_id(again.xgid) == card_id(first.xgid)
    assert card_id("XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:7:10") == "a14ed3ea4917ce1d0ef9"


def test_a_position_gives_one_card():
    cards = [Card("XGID=a", "front", "back"), Card("XGID=a", "other", "other"), Card("XGID=b", "", "")]
    _, rows = read_anki(anki_csv(cards))
    assert [row[1] for row in rows] == ["front", ""]


def test_texts_with_quotes_commas_and_lines_come_back():
    awkward = 'a "b", c;\nd\t# <e>'
    _, rows = read_anki(anki_csv([Card("#x", awkward, awkward, ("t",))]))
    assert rows == [[card_id("#x"), awkward, awkward, "t"]]


@pytest.mark.parametrize("deck", ["", " ", "two\nlines", " ends "])
def test_a_name_of_a_deck_that_would_break_the_headers_is_refused(deck):
    with pytest.raises(ValueError, match="name of the deck"):
        anki_csv([], deck=deck)


def test_each_xgid_stands_once_in_its_order():
    assert xgid_list(["XGID=b", "XGID=a", "XGID=b"]) == b"XGID=b\nXGID=a\n"
    assert xgid_list([]) == b""


def test_tables_open_in_a_spreadsheet():
    frame = pd.DataFrame(
        {
            "player": ["=SUM(A1)", "+1", "@x", "-ann", 'Zoë, "Z"', "-2.5"],
            "pr": [1 / 3, float("nan"), 1e-9, 2.0, -0.5, 12345678.9],
            "n": pd.array([1, None, 3, 4, 5, 6], dtype="Int64"),
            "won": [True, False, None, True, True, True],
        }
    )
    content = encode_table(frame)
    assert content.startswith(b"\xef\xbb\xbf") and b"\r" not in content
    rows = list(csv.DictReader(io.StringIO(content.decode("utf-8-sig"))))
    assert [row["player"] for row in rows] == ["'=SUM(A1)", "+1", "'@x", "'-ann", 'Zoë, "Z"', "-2.5"]
    assert [row["pr"] for row in rows] == ["0.3333333333", "", "1e-09", "2", "-0.5", "12345678.9"]
    assert [row["n"] for row in rows] == ["1", "", "3", "4", "5", "6"]
    assert rows[2]["won"] == "" and rows[0]["won"] == "True"
