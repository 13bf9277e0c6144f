"""A folder of games loaded: what counts, what is left out and why, and a plain reader that agrees."""

import hashlib
import json
import os
import re
from datetime import date, timedelta
from pathlib import Path

import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ludometrics.gamelog import Game, check_game, file_name, fold_name, loading, unrated_name, write_day
from ludometrics.gamelog.columns import FIELDS, text_columns
from ludometrics.gamelog.loading import load_log
from ludometrics.gamelog.names import LEVEL_NAMES
from ludometrics.gamelog.rows import encode_rows, parse_rows

DATA = Path(__file__).parents[1] / "data" / "gamelog"
BAD_ROWS = json.loads((DATA / "left_out_rows.json").read_text())
DAY = date(2026, 9, 1)
TODAY = date(2026, 9, 30)
NAME = file_name(DAY)
GOOD = {"black": "Ann", "white": "Computer (Medium)", "winner": "draw", "level": "medium", "variant": "A"}

names = st.sampled_from(
    [
        *("Ann", "ANN", "José", "Jose\u0301", "Bob", "<b>", "", "Anonymous"),
        *("Computer (Low)", "computer (low)", "Computer (3)"),
        *("(removed)", "(removed-7f3a91c2)", "(removed)x"),
    ]
)
rows = st.fixed_dictionaries(
    {"black": names, "white": names, "winner": st.sampled_from(["b", "w", "draw", "x"])},
    optional={
        "level": st.sampled_from(["easy", "l3", "medium", "top"]),
        "variant": st.sampled_from(["A", "B", "C"]),
        "id": st.sampled_from(["1", "2", "3", "é", ""]),
        "rules": st.sampled_from(["r", "q" * 121]),
        "more": st.integers(),
    },
)


def put(folder, content, name=NAME):
    path = Path(folder, name)
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return path


def reasons(log):
    return [(one.file, one.row, one.games) for one in log.left_out]


def found(log):
    """Rows of the frame as (file, row, fields)."""
    frame = log.frame
    cells = [
        {name: value for name, value in zip(FIELDS, row, strict=True) if not pd.isna(value)}
        for row in frame[list(FIELDS)].astype(object).itertuples(index=False)
    ]
    return list(zip(frame["file"].astype(str), frame["row"].tolist(), cells, strict=True))


def plainly(contents):
    """The same from the definitions: games that count, and (file, row) of what does not."""
    good, left_out, ids = [], [], set()
    for name, content in sorted(contents.items()):
        try:
            rows = parse_rows(content, name)
        except ValueError:
            left_out.append((name, None, None))
            continue
        for number, row in enumerate(rows, start=1):
            fields = {field: row[field] for field in FIELDS if row.get(field) is not None}
            if not is_game(fields) or fields.get("id", number) in ids:
                left_out.append((name, number, 1))
            else:
                good.append((name, number, fields))
                ids.add(fields.get("id"))
    return good, left_out


def is_game(fields):
    try:
        game = Game(**{"black": None, "white": None, "winner": None, **fields})
        check_game(game)
    except ValueError:
        return False
    people = [fold_name(game.black), fold_name(game.white)]
    if game.level is not None:
        computer = fold_name(LEVEL_NAMES[game.level])
        if computer not in people:
            return False
        people.remove(computer)
    return all(
        re.fullmatch(r"\(removed(-[0-9a-f]{8})?\)", key)
        or not key.startswith(("computer", "anonymous", "(anonymous", "(removed"))
        for key in people
    )


def test_what_a_frame_holds(tmp_path):
    second = file_name(DAY + timedelta(1))
    put(
        tmp_path,
        encode_rows([{"black": "ann", "white": "José", "winner": "w", "id": "7", "rules": "r"}]),
        second,
    )
    put(tmp_path, encode_rows([GOOD]))
    log = load_log(tmp_path, today=TODAY)
    assert log.frame.columns.tolist() == [
        *("day", "file", "row", "black", "white", "winner", "level", "variant", "id", "rules"),
        *("black_key", "white_key"),
    ]
    assert found(log) == [
        (NAME, 1, GOOD),
        (second, 1, {"black": "ann", "white": "José", "winner": "w", "id": "7", "rules": "r"}),
    ]
    assert log.frame["day"].dt.date.tolist() == [DAY, DAY + timedelta(1)]
    assert log.frame["black_key"].tolist() == ["ann", "ann"]
    assert log.frame["white_key"].tolist() == ["computer (medium)", "josé"]
    assert log.left_out == ()
    assert log.files == tuple(
        (name, hashlib.sha256(Path(tmp_path, name).read_bytes()).hexdigest()) for name in (NAME, second)
    )


def test_an_empty_folder(tmp_path):
    log = load_log(tmp_path, today=TODAY)
    assert len(log.frame) == 0 and log.left_out == () and log.files == ()
    assert log.frame["black"].dtype == "category"
    with pytest.raises(FileNotFoundError):
        load_log(tmp_path / "misspelt", today=TODAY)


@pytest.mark.parametrize("case", BAD_ROWS, ids=lambda case: case["desc"])
def test_a_row_that_is_no_game_is_left_out_and_its_day_counts(tmp_path, case):
    put(tmp_path, encode_rows([GOOD, case["row"], GOOD]))
    log = load_log(tmp_path, today=TODAY)
    assert [row for _, row, _ in found(log)] == [1, 3]
    assert reasons(log) == [(NAME, 2, 1)]
    assert case["reason"] in log.left_out[0].reason


def test_a_reason_is_short(tmp_path):
    put(tmp_path, encode_rows([GOOD | {"black": "A" * 10_000}]))
    assert len(load_log(tmp_path, today=TODAY).left_out[0].reason) < 310


@pytest.mark.parametrize(
    "content, reason",
    [
        (b"", "the file is empty"),
        (b"\0" * 300, "it holds NUL bytes"),
        (encode_rows([GOOD])[:-9], "not JSON at line 2"),
        (b"[][]", "Extra data"),
        (b'[{"black": "\xe9"}]', "not UTF-8 at byte 12"),
        (b"[" * 200_000, "lists within lists"),
        (b"[3]", "game 1: 3 is no game"),
        (b'{"black": "Ann"}', "holds dict"),
        (b'[{"black": "Ann", "black": "Bob"}]', "'black' twice"),
    ],
    ids=["empty", "NUL", "half written", "two writers", "Latin-1", "deep", "number", "object", "twice"],
)
def test_a_file_that_cannot_be_read_is_left_out_whole(tmp_path, content, reason):
    put(tmp_path, content)
    put(tmp_path, content, unrated_name(DAY))
    put(tmp_path, encode_rows([GOOD]), file_name(DAY + timedelta(1)))
    log = load_log(tmp_path, today=TODAY)
    assert len(log.frame) == 1
    assert reasons(log) == [(NAME, None, None), (unrated_name(DAY), None, None)]
    assert all(reason in one.reason for one in log.left_out)
    assert [name for name, _ in log.files] == [file_name(DAY + timedelta(1))]


def test_names_that_are_no_daily_files_are_reported(tmp_path):
    odd = [
        "scores-2026-02-30.json",
        "scores-old.json",
        "Scores-2026-09-01.json",
        "scores-2026-09-01.json.bak",
    ]
    odd += ["unrated-1.json", "scores-2026-09-01.broken-1.json"]
    for name in [*odd, "players.json", ".scores-2026-09-01.json.1234.tmp"]:
        put(tmp_path, encode_rows([GOOD]), name)
    Path(tmp_path, "scores-2026-09-02.json").mkdir()
    Path(tmp_path, "2020-01-01").mkdir()
    put(tmp_path, encode_rows([GOOD]), "2020-01-01/scores-2026-09-01.json")
    log = load_log(tmp_path, today=TODAY)
    assert len(log.frame) == 0
    assert reasons(log) == [(name, None, None) for name in sorted([*odd, "scores-2026-09-02.json"])]
    said = {one.file: one.reason for one in log.left_out}
    assert said["scores-2026-09-02.json"] == "it is a folder"
    assert "set aside" in said["scores-2026-09-01.broken-1.json"]
    assert "its name is no daily file's" in said["scores-2026-02-30.json"]


@pytest.mark.skipif(os.name != "posix", reason="links and pipes are POSIX")
def test_links_and_pipes_are_not_followed(tmp_path):
    folder = tmp_path / "games"
    folder.mkdir()
    (folder / NAME).symlink_to("nowhere")
    (folder / file_name(DAY + timedelta(1))).symlink_to(put(tmp_path, encode_rows([GOOD])))
    os.mkfifo(folder / unrated_name(DAY))
    odd = os.fsencode(folder) + b"/scores-\xff.json"
    Path(os.fsdecode(odd)).write_bytes(b"[]")
    log = load_log(folder, today=TODAY)
    assert [one.reason.split(":")[0] for one in log.left_out] == [
        "it is a link",
        "it is a link",
        "its name is no daily file's",
        "it is no plain file",
    ]
    "".join(one.file for one in log.left_out).encode()  # can be printed


def test_a_file_that_the_system_keeps_from_us(tmp_path, monkeypatch):
    put(tmp_path, encode_rows([GOOD]))
    put(tmp_path, encode_rows([GOOD]), file_name(DAY + timedelta(1)))
    read = Path.read_bytes

    def refuse(path):
        if path.name == NAME:
            raise PermissionError(13, "Permission denied")
        return read(path)

    monkeypatch.setattr(Path, "read_bytes", refuse)
    log = load_log(tmp_path, today=TODAY)
    assert len(log.frame) == 1
    assert log.left_out == ((NAME, None, "cannot be read: Permission denied", None),)


def test_days_to_come_do_not_count(tmp_path):
    for day in (TODAY, TODAY + timedelta(1)):
        put(tmp_path, encode_rows([GOOD]), file_name(day))
        put(tmp_path, b"[]", unrated_name(day))
    log = load_log(tmp_path, today=TODAY)
    assert len(log.frame) == 1
    late = TODAY + timedelta(1)
    assert reasons(log) == [(file_name(late), None, None), (unrated_name(late), None, None)]
    assert len(load_log(tmp_path, today=late).frame) == 2


def test_an_id_counts_once(tmp_path):
    """Where the first of two with one id is no game, the second counts."""
    second = file_name(DAY + timedelta(1))
    put(
        tmp_path,
        encode_rows([GOOD | {"id": "1", "winner": "x"}, GOOD | {"id": "1"}, GOOD | {"id": "2"}, GOOD, GOOD]),
    )
    put(tmp_path, encode_rows([GOOD | {"id": "2"}, GOOD | {"id": "3"}, GOOD | {"id": "1"}]), second)
    log = load_log(tmp_path, today=TODAY)
    assert [row for _, row, _ in found(log)] == [2, 3, 4, 5, 2]
    assert reasons(log) == [(NAME, 1, 1), (second, 1, 1), (second, 3, 1)]
    assert log.left_out[1].reason == f"the id '2' is that of {NAME}, game 3"


def test_unrated_games_are_looked_at_too(tmp_path):
    good = {"black": "Ann", "white": "Bob", "why": "abandoned", "after": 2}
    bad = [good | {"why": "late"}, good | {"after": -1}, good | {"white": "Computer (Low)"}, {"black": "Ann"}]
    put(tmp_path, encode_rows([good, *bad]), unrated_name(DAY))
    log = load_log(tmp_path, today=TODAY)
    assert len(log.frame) == 0 and log.files == ()
    assert reasons(log) == [(unrated_name(DAY), row, 1) for row in (2, 3, 4, 5)]


def test_contents_that_stand_in(tmp_path):
    """Nothing is written; other files of a transaction are passed over."""
    later = file_name(DAY + timedelta(1))
    put(tmp_path, encode_rows([GOOD]))
    put(tmp_path, encode_rows([GOOD, GOOD]), later)
    replaced = {
        NAME: None,
        later: encode_rows([GOOD | {"black": "(removed-7f3a91c2)"}]),
        file_name(TODAY): encode_rows([GOOD]),
        "live/1.json": b"{}",
        "audit.jsonl": b"",
        "scores-old.json": b"[]",
    }
    log = load_log(tmp_path, today=TODAY, replaced=replaced)
    assert log.frame["black"].tolist() == ["(removed-7f3a91c2)", "Ann"]
    assert [name for name, _ in log.files] == [later, file_name(TODAY)]
    assert len(load_log(tmp_path, today=TODAY).frame) == 3


def test_the_courses_files_are_read(tmp_path):
    """As its program writes them, with escapes and without ids, and names of removed people without a token."""
    games = [
        GOOD,
        {"black": "José", "white": "(removed)", "winner": "b"},
        {"black": "(removed)", "white": "(removed)", "winner": "b"},
    ]
    put(tmp_path, json.dumps(games, indent=2))
    log = load_log(tmp_path, today=TODAY)
    assert [fields for _, _, fields in found(log)] == games and log.left_out == ()


@settings(max_examples=150, deadline=None)
@given(
    days=st.lists(st.lists(rows, max_size=5), min_size=1, max_size=4),
    indent=st.sampled_from([None, 2]),
    data=st.data(),
)
def test_the_fast_and_the_plain_way_agree(days, indent, data, tmp_path_factory):
    contents = {}
    for number, day in enumerate(days):
        content = bytearray(encode_rows(day) if indent is None else json.dumps(day, indent=indent).encode())
        if data.draw(st.integers(0, 3)) == 0:
            at = data.draw(st.integers(0, len(content)))
            content[at : at + 1] = data.draw(st.sampled_from([b"", b'"', b",", b"}", b"\0", b"\xff"]))
        contents[file_name(DAY + timedelta(number))] = bytes(content)
    folder = tmp_path_factory.getbasetemp()
    log = load_log(folder, today=TODAY, replaced=contents)
    good, left_out = plainly(contents)
    assert found(log) == good
    assert reasons(log) == left_out
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(
            loading,
            "read_columns",
            lambda parts, first_file: (text_columns([], [], file=0), [*range(len(parts))]),
        )
        again = load_log(folder, today=TODAY, replaced=contents)
    pd.testing.assert_frame_equal(log.frame.astype(object), again.frame.astype(object))
    assert (log.left_out, log.files) == (again.left_out, again.files)


def test_files_are_read_in_batches(tmp_path, monkeypatch):
    for number in range(7):
        day = DAY + timedelta(number)
        rows = [GOOD | {"id": f"{number}-{row}"} for row in range(number)]
        put(tmp_path, json.dumps(rows, indent=number % 2) if number % 3 else "broken", file_name(day))
    whole = load_log(tmp_path, today=TODAY)
    monkeypatch.setattr(loading, "_BATCH_BYTES", 200)
    parts = load_log(tmp_path, today=TODAY)
    assert found(whole) == found(parts) and len(whole.frame) == 1 + 2 + 4 + 5
    assert (whole.left_out, whole.files) == (parts.left_out, parts.files)


def test_what_is_saved_is_loaded(tmp_path):
    games = [Game("Ann", "Bob", "b", id='q"\\'), Game("Zoë", "Computer (7)", "w", "l7", rules="3/40")]
    write_day(tmp_path, DAY, games)
    assert [Game(**fields) for _, _, fields in found(load_log(tmp_path, today=TODAY))] == games
