"""The fast reader of daily files: what it takes is what JSON says; all else it leaves to the plain way."""

import json
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ludometrics.gamelog.column_loops import BAD_ID, NO_ID
from ludometrics.gamelog.columns import FIELDS, encode_columns, encode_texts, read_columns, text_columns
from ludometrics.gamelog.rows import encode_rows, parse_rows

CASES = json.loads((Path(__file__).parents[1] / "data" / "gamelog" / "plain_files.json").read_text())

texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=6)
rows = st.lists(st.dictionaries(st.sampled_from(FIELDS), texts, min_size=1), max_size=4)


def values(columns):
    """Rows as dictionaries of what they have."""
    return [
        {name: value for name, value in zip(FIELDS, row, strict=True) if value is not None}
        for row in zip(*(column.to_pylist() for column in columns.texts), strict=True)
    ]


def content_of(case):
    return bytes.fromhex(case["hex"]) if "hex" in case else case["text"].encode()


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["desc"])
def test_plain_files_and_others(case):
    content = content_of(case)
    columns, others = read_columns([content])
    assert others == ([] if case["plain"] else [0])
    assert values(columns) == (parse_rows(content, "file") if case["plain"] else [])


def test_a_file_that_is_not_plain_leaves_nothing_behind():
    good = encode_rows([{"black": "Ann", "white": "Bob", "winner": "b"}, {"black": "Cid"}])
    contents = [content_of(case) for case in CASES]
    mixed = [part for content in contents for part in (good, content)]
    columns, others = read_columns(mixed, first_file=7)
    plain = [place for place in range(len(mixed)) if place not in others]
    expected = [
        (7 + place, number, row)
        for place in plain
        for number, row in enumerate(parse_rows(mixed[place], "file"), start=1)
    ]
    assert list(zip(columns.file.tolist(), columns.row.tolist(), values(columns), strict=True)) == expected
    assert others == [2 * place + 1 for place, case in enumerate(CASES) if not case["plain"]]


@settings(max_examples=150, deadline=None)
@given(games=rows, indent=st.sampled_from([None, 0, 2]), ascii_only=st.booleans(), data=st.data())
def test_whatever_is_read_is_what_json_says(games, indent, ascii_only, data):
    """Whole files, and files with a few bytes changed, are read as `parse_rows` reads them or not at all."""
    content = bytearray(json.dumps(games, indent=indent, ensure_ascii=ascii_only).encode())
    for _ in range(data.draw(st.integers(0, 2))):
        low = data.draw(st.integers(0, len(content)))
        high = min(low + data.draw(st.integers(0, 3)), len(content))
        piece = data.draw(
            st.sampled_from([b"", b'"', b",", b"}", b"{", b"]", b"\\", b" ", b"\x00", b"\xff", b":"])
        )
        content[low:high] = piece
    columns, others = read_columns([bytes(content)])
    if not others:
        assert values(columns) == parse_rows(bytes(content), "file")
    else:
        assert not len(columns.row)


@settings(max_examples=100, deadline=None)
@given(games=rows)
def test_what_is_written_here_is_read_fast(games):
    """Unless a value needs an escape."""
    content = encode_rows(games)
    columns, others = read_columns([content])
    assert others == ([0] if b"\\" in content else [])
    if not others:
        assert values(columns) == games
        same = text_columns(games, range(1, len(games) + 1), file=0)
        assert [a.to_pylist() for a in columns.texts] == [b.to_pylist() for b in same.texts]


def test_a_file_of_a_gigabyte_is_left_to_the_plain_way(monkeypatch):
    monkeypatch.setattr("ludometrics.gamelog.columns._MOST_BYTES", 10)
    assert read_columns([b"[]", b"[          ]"])[1] == [1]


def test_columns_are_joined_by_file_with_each_text_once():
    first, _ = read_columns([encode_rows([{"black": "Ann", "white": "ANN"}]), b"[]"])
    third = text_columns([{"black": "Bob", "white": "Ann", "id": "7"}], [3], file=2)
    second = text_columns([{"white": "Cid", "rules": "r"}], [1], file=1)
    columns = encode_columns([first, third, second])
    assert (columns.file.tolist(), columns.row.tolist()) == ([0, 1, 2], [1, 1, 3])
    assert [columns.values(place) for place in range(3)] == [
        {"black": "Ann", "white": "ANN"},
        {"white": "Cid", "rules": "r"},
        {"black": "Bob", "white": "Ann", "id": "7"},
    ]
    assert sorted(columns.black.values) == ["ANN", "Ann", "Bob", "Cid"]
    assert columns.black_keys[0] == columns.white_keys[0] == columns.white_keys[2]
    assert len(encode_columns([])) == 0


def test_marks_of_ids():
    """Equal for equal ids; those that cannot be ids have a mark of their own."""
    ids = ["a", "b", "a", None, "", "é", "x" * 120, "x" * 121, "\x1f", "\x7f", " ~"]
    marks = encode_columns([text_columns([{"id": value} for value in ids], range(len(ids)), file=0)]).id_marks
    assert marks[0] == marks[2] != marks[1]
    assert marks[3] == NO_ID
    assert (marks == BAD_ID).tolist() == [value in ("", "é", "x" * 121, "\x1f", "\x7f") for value in ids]
    sliced = pa.array(["z", *ids])[1:]
    part = text_columns([], [], file=0)
    again = encode_columns(
        [part._replace(file=np.zeros(11, np.int32), row=np.zeros(11, np.int32), texts=(sliced,) * 7)]
    )
    assert again.id_marks.tolist() == marks.tolist()


@given(st.lists(st.lists(st.sampled_from(["x", "y", "é", None]), max_size=4), min_size=1, max_size=3))
def test_texts_are_numbered_over_all_columns(columns):
    coded = encode_texts(*([pa.array(column, type=pa.string())] for column in columns))
    for one, column in zip(coded, columns, strict=True):
        assert [one.values[code] if code >= 0 else None for code in one.codes] == column
    assert len(set(coded[0].values)) == len(coded[0].values)
