"""Exports of BG Stats: rows as real files have them, faults of every kind, several exports merged."""

import json
import os
import random
import re
from copy import deepcopy
from datetime import datetime
from itertools import permutations
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ludometrics.boardgames.bgstats import read_export, read_exports
from ludometrics.boardgames.records import MOST_SEATS

DATA = Path(__file__).resolve().parents[1] / "data" / "boardgames"
SMALL = json.loads((DATA / "export_small.json").read_text(encoding="utf-8"))
ROWS = json.loads((DATA / "export_rows.json").read_text(encoding="utf-8"))
FAULTS = json.loads((DATA / "export_faults.json").read_text(encoding="utf-8"))
MERGES = json.loads((DATA / "export_merges.json").read_text(encoding="utf-8"))
TABLES = ("games", "players", "plays", "locations", "deletedObjects")


def cases(table):
    return pytest.mark.parametrize("case", table, ids=[case["desc"] for case in table])


def make_export(plays, *, shift=0, changed=None, deleted=(), exported=None):
    """An export of three people and two games; plays say only what matters."""
    base = {
        "gameRefId": 3 + shift,
        "playDate": "2024-06-29 20:15:00",
        "playerScores": [{"playerRefId": 1 + shift}, {"playerRefId": 2 + shift}],
    }
    dated = {"modificationDate": changed} if changed else {}
    people = [{"id": n + shift, "uuid": name.upper(), "name": name} | dated
              for n, name in enumerate(("Ann", "Bob", "Cid"), start=1)]  # fmt: skip
    games = [{"id": n + shift, "uuid": name.upper(), "name": name} for n, name in ((3, "Go"), (4, "Ur"))]
    rows = [
        row and dict(zip(("objectType", "uuid", "modificationDate"), row, strict=True)) for row in deleted
    ]
    info = {"meRefId": 1 + shift} | ({"exportDate": exported} if exported else {})
    return {
        "games": games,
        "players": people,
        "plays": [base | play for play in plays],
        "locations": [{"id": 5, "name": "Attic"}],
        "deletedObjects": rows,
        "userInfo": info,
    }


def save(folder, content, name="export.json"):
    path = folder / name
    path.write_text(json.dumps(content), encoding="utf-8")
    return path


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("exports")


@cases(ROWS)
def test_rows(case, tmp_path):
    seat = {"playerRefId": 1, "score": "7"} | case.get("seat", {})
    play = {"uuid": "PLAY", "playerScores": [seat, {"playerRefId": 2}]} | case.get("play", {})
    log = read_export(save(tmp_path, make_export([play, {"uuid": "other"}])))
    if "left_out" in case:
        assert log.left_out == (tuple(case["left_out"]),)
        assert [play.key for play in log.plays] == ["other"]
        return
    assert log.left_out == ()
    (found,) = [one for one in log.plays if one.key != "other"]
    for name, value in case.get("expect", {}).items():
        have = getattr(found, name)
        assert (
            str(have) if isinstance(have, datetime) else list(have) if isinstance(have, tuple) else have
        ) == value
    for name, value in case.get("expect_seat", {}).items():
        assert getattr(found.seats[0], name) == value
    assert all(seat.person in log.people or not seat.person for seat in found.seats)
    about_fields = [warning for warning in log.warnings if "cannot be read" in warning]
    assert len(about_fields) == ("warning" in case)
    assert all(re.search(case["warning"], warning) for warning in about_fields)


@cases(FAULTS)
def test_faults_are_named(case, tmp_path):
    path = tmp_path / "export.json"
    path.write_bytes(bytes.fromhex(case["hex"]) if "hex" in case else case["text"].encode())
    with pytest.raises(ValueError, match=case["error"]) as caught:
        read_export(path)
    assert str(path) in str(caught.value)


def test_a_folder_and_no_file(tmp_path):
    with pytest.raises(ValueError, match="is a folder: give the file in it"):
        read_export(tmp_path)
    with pytest.raises(ValueError, match="there is no such file"):
        read_export(tmp_path / "export.json")
    with pytest.raises(ValueError, match="no export is given"):
        read_exports([])


@pytest.mark.parametrize("opening", ["[", '{"a":'], ids=["lists", "objects"])
@pytest.mark.parametrize("closed", [True, False])
def test_nesting_without_end(opening, closed, tmp_path):
    depth = 200_000
    inside = opening * depth + ("1" + {"[": "]"}.get(opening, "}") * depth if closed else "")
    path = tmp_path / "export.json"
    path.write_text(f'{{"games": [], "players": [], "plays": [{inside}]}}', encoding="utf-8")
    with pytest.raises(ValueError, match=r"export\.json"):
        read_export(path)


def test_nesting_within_fields_does_no_harm(tmp_path):
    deep: object = 1
    for _ in range(300):
        deep = [deep]
    fields = ("gameRefId", "playDate", "playDateYmd", "entryDate", "durationMin", "board", "scoringSetting")
    plays = [{"uuid": field, field: deep} for field in fields]
    text = "[" * 100_000
    seat = {"playerRefId": deep, "score": deep, "rank": deep, "metaData": f'{{"isNpc": {text}'}
    plays += [{"uuid": "seats", "playerScores": [seat, {"playerRefId": 1}]}, {"uuid": deep}]
    log = read_export(save(tmp_path, make_export(plays)))
    assert len(log.plays) == len(plays) - 1
    assert [row.reason for row in log.left_out] == [
        "playDate is a list: a date such as 2024-06-29 20:15:00 is wanted"
    ]


def test_a_number_of_thousands_of_digits(tmp_path):
    path = tmp_path / "export.json"
    path.write_text('{"games": [' + "9" * 5000 + '], "players": [], "plays": [1]}')
    with pytest.raises(ValueError, match=r"export\.json: holds a number that cannot be read"):
        read_export(path)


def test_the_small_export():
    log = read_export(DATA / "export_small.json")
    assert (log.source, log.left_out) == ("export_small.json", ())
    assert (len(log.games), len(log.people), len(log.plays)) == (5, 8, 10)
    assert log.people[log.owner].name == "Ann"
    assert [play.key[-1] for play in log.plays] == list("a321456789")
    assert [play.order for play in log.plays] == sorted(play.order for play in log.plays)
    names = {person.name: (person.is_guest, person.is_automaton) for person in log.people.values()}
    assert names["Joueur anonyme"] == names["Anonymous player"] == (True, False)
    assert names["Robot"] == (True, True)
    assert names["Zoë"] == (False, False)
    games = {game.name: game for game in log.games.values()}
    assert (games["Quarry"].played_before, games["Lowland"].played_before) == (6, 0)
    assert not games["Lowland"].highest_wins and games["Quarry: Deeper"].is_expansion
    twice = [seat.person[-4:] for seat in log.plays[5].seats]
    assert twice == ["p005", "p001", "p005", "p006"]
    assert log.warnings[0].startswith("2 people are called 'Bob' (6 and 2 plays)")
    assert log.warnings[1].startswith(
        "5 of 10 plays are logged at the very moment of another (most: 3 at 2024-03-16"
    )


def test_a_byte_order_mark_does_not_matter(tmp_path):
    path = tmp_path / "export_small.json"
    path.write_bytes(b"\xef\xbb\xbf" + (DATA / "export_small.json").read_bytes())
    assert read_export(path) == read_export(DATA / "export_small.json")


def test_a_trimmed_file(tmp_path):
    """No uuid of people, no flags, no userInfo; two of one name are told apart by their numbers."""
    content = make_export(
        [{"uuid": "x"}, {"uuid": "y", "playerScores": [{"playerRefId": 8}, {"playerRefId": 9}]}]
    )
    content["players"] = [
        {"id": 1, "name": "Ann"},
        {"id": 2, "name": "ANN "},
        {"id": 8},
        {"id": 9, "name": "Zoë"},
    ]
    content = {table: content[table] for table in ("games", "players", "plays")}
    log = read_export(save(tmp_path, content))
    assert list(log.people) == ["id:8", "name:ann#1", "name:ann#2", "name:zoë"]
    assert log.people["id:8"].name == "(no name)"
    assert log.owner == ""
    assert log.warnings[0].startswith("2 people are called 'ANN' (1 and 1 plays)")


def test_a_number_without_a_name_is_nobody_beside_other_files(tmp_path):
    content = make_export([{"uuid": "x"}])
    content["players"][0] = {"id": 1}
    paths = [save(tmp_path, content, "a.json"), save(tmp_path, make_export([{"uuid": "y"}]), "b.json")]
    log = read_exports(paths)
    assert log.plays[0].missing == ("player 1 at seat 1",)
    assert ("a.json: players[0]", "has no uuid and no name by which other files know it") in log.left_out


def test_two_rows_with_one_number(tmp_path):
    content = make_export(
        [{"uuid": "x"}, {"uuid": "y", "gameRefId": 4, "playerScores": [{"playerRefId": 2}]}]
    )
    content["games"].append({"id": 3, "uuid": "chess", "name": "Chess"})
    content["players"].append(
        {"id": 1, "uuid": "ANN", "name": "Ann"}
    )  # the same again: no doubt who is meant
    log = read_export(save(tmp_path, content))
    assert [play.missing for play in log.plays] == [("game 3 (2 rows have this number)",), ()]


def test_plays_without_uuid_are_kept_each_once(tmp_path):
    same = {"board": "same"}
    one = save(tmp_path, make_export([same, same, {"board": "other"}]), "one.json")
    alone = read_export(one)
    assert [play.board for play in alone.plays].count("same") == 2
    assert len({play.key for play in alone.plays}) == 3
    two = save(tmp_path, make_export([{"board": "other"}, same, {"board": "third"}], shift=10), "two.json")
    both = read_exports([one, two])
    assert sorted(play.board for play in both.plays) == ["other", "same", "same", "third"]


def test_a_table_has_no_more_seats_than_can_be_rated(tmp_path):
    seats = [{"playerRefId": 1}] * MOST_SEATS
    log = read_export(save(tmp_path, make_export([{"uuid": "x", "playerScores": seats}])))
    assert len(log.plays[0].seats) == MOST_SEATS
    more = make_export([{"uuid": "x", "playerScores": [*seats, {}]}, {"uuid": "y"}])
    assert read_export(save(tmp_path, more)).left_out == (
        ("plays, uuid x", f"has {MOST_SEATS + 1} seats: at most {MOST_SEATS} are allowed"),
    )


def test_rows_that_are_no_objects(tmp_path):
    content = make_export([{"uuid": "x"}])
    content["games"].append(None)
    content["players"].append({"uuid": "", "name": " "})
    content["plays"] += ["x", [1]]
    content["locations"] += [7, {"name": "nowhere"}]
    assert read_export(save(tmp_path, content)).left_out == (
        ("games[2]", "is null: an object is wanted"),
        ("players[3]", "has no uuid and no name by which other files know it"),
        ("plays[1]", "is a text: an object is wanted"),
        ("plays[2]", "is a list: an object is wanted"),
    )


@cases(MERGES)
def test_merges(case, tmp_path):
    paths = [save(tmp_path, make_export(**file), f"{n}.json") for n, file in enumerate(case["files"])]
    log = read_exports(paths)
    assert {play.key: play.board for play in log.plays} == case["plays"]
    if "left_out" in case:
        tables = ("games: ", "players: ")  # people and games stand in each of these files
        told = [f"{where}: {reason}" for where, reason in log.left_out]
        assert [text for text in told if not text.startswith(tables)] == case["left_out"]
    for name in ("people", "games"):
        if name in case:
            assert list(getattr(log, name)) == case[name]
    assert [text for text in log.warnings if "deleted" in text] == case.get("warnings", [])
    assert {seat.person for play in log.plays for seat in play.seats} <= set(log.people) | {""}
    for order in permutations(paths):
        assert read_exports(order) == log


def test_every_play_deleted(tmp_path):
    path = save(tmp_path, make_export([{"uuid": "x"}], deleted=[["Play", "X", ""]]))
    with pytest.raises(ValueError, match=r"export\.json: every play is listed as deleted"):
        read_export(path)


def test_a_refreshed_export_adds_nothing_twice(tmp_path):
    path = save(tmp_path, SMALL, "again.json")
    alone, both = read_export(path), read_exports([path, path])
    assert (both.games, both.people, both.plays, both.owner) == (
        alone.games,
        alone.people,
        alone.plays,
        alone.owner,
    )
    assert both.left_out == (
        ("games", "5 older or equal copies of other rows"),
        ("players", "8 older or equal copies of other rows"),
        ("plays", "10 older or equal copies of other rows"),
    )


def test_exports_of_two_owners_have_none(tmp_path):
    other = make_export([{"uuid": "y"}])
    other["userInfo"]["meRefId"] = 2
    log = read_exports(
        [save(tmp_path, make_export([{"uuid": "x"}]), "a.json"), save(tmp_path, other, "b.json")]
    )
    assert log.owner == ""
    assert any(warning.startswith("the exports are of 2 owners") for warning in log.warnings)


def shuffled(value, order):
    """The same content, its keys and the rows of its tables in another order; seats stay as they are."""
    content = {}
    for table in order.sample(sorted(value), len(value)):
        rows = value[table]
        if table in TABLES:
            rows = [
                dict(order.sample(sorted(row.items()), len(row))) for row in order.sample(rows, len(rows))
            ]
        content[table] = rows
    return content


@settings(max_examples=30, deadline=None)
@given(order=st.randoms(use_true_random=False))
def test_the_order_in_a_file_does_not_count(order, folder):
    path = save(folder, shuffled(SMALL, order), "export_small.json")
    assert read_export(path) == read_export(DATA / "export_small.json")


@settings(max_examples=30, deadline=None)
@given(
    order=st.randoms(use_true_random=False),
    held=st.lists(st.sets(st.integers(0, 2)), min_size=10, max_size=10),
)
def test_an_export_in_parts_is_the_export(order, held, folder):
    """Three files with other numbers that overlap in any way give the plays of the one, in any order of the files."""
    paths = []
    for part in range(3):
        content = deepcopy(SMALL)
        chosen = [play for play, parts in zip(content["plays"], held, strict=True) if part in parts]
        content["plays"] = chosen or content["plays"][:1]
        for row in (*content["games"], *content["players"]):
            row["id"] += 100 * part
        for play in content["plays"]:
            play["gameRefId"] += 100 * part
            for seat in play["playerScores"]:
                seat["playerRefId"] += 100 * part
        content["userInfo"]["meRefId"] += 100 * part
        paths.append(save(folder, shuffled(content, order), f"part{part}.json"))
    log, whole = read_exports(paths), read_export(DATA / "export_small.json")
    there = {play.key for path in paths for play in read_export(path).plays}
    assert log.plays == tuple(play for play in whole.plays if play.key in there)
    assert (log.games, log.people, log.owner) == (whole.games, whole.people, whole.owner)
    assert read_exports(paths[::-1]) == log


GARBAGE = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8)
    | st.sampled_from(["2024-06-29", "1", "-1", "{}", 10**400, -0.0, 1e308, "isNpc", '{"isNpc": 1e999}', "\ud800"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=4,
)  # fmt: skip


def mutate(value, data):
    """Change, drop, double or move something at a random place of a JSON value."""
    while isinstance(value, dict | list) and value:
        at = data.draw(st.sampled_from(sorted(value) if isinstance(value, dict) else range(len(value))))
        inside = value[at]
        if isinstance(inside, dict | list) and inside and data.draw(st.integers(0, 4)):
            value = inside
            continue
        action = data.draw(st.sampled_from(["change", "drop", "double", "swap"]))
        if action == "drop":
            del value[at]
        elif action == "double" and isinstance(value, list):
            value.append(deepcopy(inside))
        elif action == "swap":
            other = data.draw(
                st.sampled_from(sorted(value) if isinstance(value, dict) else range(len(value)))
            )
            value[at], value[other] = value[other], inside
        else:
            value[at] = data.draw(GARBAGE)
        return


@settings(max_examples=200, deadline=None)
@given(data=st.data())
def test_no_content_is_more_than_a_value_error(data, folder):
    content = deepcopy(SMALL)
    for _ in range(data.draw(st.integers(1, 6))):
        mutate(content, data)
    try:
        log = read_export(save(folder, content, "mutated.json"))
    except ValueError as error:
        assert "mutated.json" in str(error)
        return
    assert all(play.game in log.games or play.missing for play in log.plays)
    assert all(
        seat.person in log.people or (seat.person == "" and play.missing)
        for play in log.plays
        for seat in play.seats
    )
    json.dumps([repr(log), log.warnings, log.left_out], ensure_ascii=False).encode()


@settings(max_examples=100, deadline=None)
@given(data=st.data())
def test_no_bytes_are_more_than_a_value_error(data, folder):
    content = bytearray((DATA / "export_small.json").read_bytes())
    if data.draw(st.booleans()):
        del content[data.draw(st.integers(0, len(content) - 2)) :]
    else:
        for at in data.draw(st.lists(st.integers(0, len(content) - 1), min_size=1, max_size=4)):
            content[at] = data.draw(st.integers(0, 255))
    path = folder / "bytes.json"
    path.write_bytes(content)
    try:
        read_export(path)
    except ValueError as error:
        assert "bytes.json" in str(error)


def real_exports():
    folder = os.environ.get("LUDOMETRICS_EXTRA_DATA")
    if not folder:
        return []
    return sorted(
        path for place in (Path(folder), Path(folder) / "bgstats") for path in place.glob("export_*.json")
    )


@pytest.fixture(scope="module")
def real():
    if not (paths := real_exports()):
        pytest.skip("LUDOMETRICS_EXTRA_DATA names no folder with exports: 3 tests on real ones are skipped")
    return paths


def test_real_exports_are_read_whole(real):
    for path in real:
        content = json.loads(path.read_text(encoding="utf-8-sig"))
        log = read_export(path)
        assert log.left_out == ()
        assert [len(log.games), len(log.people), len(log.plays)] == [
            len(content[table]) for table in ("games", "players", "plays")
        ]
        assert sum(len(play.seats) for play in log.plays) == sum(
            len(play["playerScores"]) for play in content["plays"]
        )
        assert not any(play.missing for play in log.plays)
        assert not any("cannot be read" in warning for warning in log.warnings)
        guests = sum(
            bool(row.get("isAnonymous")) or '"isNpc":1' in row.get("metaData", "")
            for row in content["players"]
        )
        assert sum(person.is_guest for person in log.people.values()) == guests


def test_real_exports_in_another_order(real, tmp_path):
    for path in real:
        content = json.loads(path.read_text(encoding="utf-8-sig"))
        again = save(tmp_path, shuffled(content, random.Random(1)), path.name)
        assert read_export(again) == read_export(path)


def test_real_exports_of_groups_that_share_nothing_stay_apart(real):
    logs = [read_export(path) for path in real]
    both = read_exports(real)
    assert len(both.plays) == sum(len(log.plays) for log in logs)
    assert both == read_exports(real[::-1])
