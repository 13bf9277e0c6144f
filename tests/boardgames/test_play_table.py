"""The plain CSV of plays: what each column says, and every fault by row and value."""

import csv
import io
import json
from datetime import datetime
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ludometrics.boardgames.play_table import NEEDED, OPTIONAL, read_play_table
from ludometrics.boardgames.records import MOST_SEATS

DATA = Path(__file__).resolve().parents[1] / "data" / "boardgames"
FAULTS = json.loads((DATA / "plays_faults.json").read_text(encoding="utf-8"))
SMALL = (DATA / "plays_small.csv").read_text(encoding="utf-8")
LINES = list(csv.reader(io.StringIO(SMALL)))


@pytest.fixture(scope="module")
def small():
    return read_play_table(DATA / "plays_small.csv")


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("tables")


def save(path, rows, delimiter=",", encoding="utf-8"):
    text = io.StringIO()
    csv.writer(text, delimiter=delimiter).writerows(rows)
    path.write_bytes(text.getvalue().encode(encoding))
    return path


@pytest.mark.parametrize("case", FAULTS, ids=[case["desc"] for case in FAULTS])
def test_faults_are_named(case, tmp_path):
    path = tmp_path / "plays.csv"
    path.write_bytes(bytes.fromhex(case["hex"]) if "hex" in case else case["csv"].encode())
    with pytest.raises(ValueError, match=case["error"]) as caught:
        read_play_table(path)
    assert str(path) in str(caught.value)


def test_a_play_of_too_many_seats(tmp_path):
    rows = [list(NEEDED)] + [["1", "2024-06-29", "Go", f"P{n}"] for n in range(MOST_SEATS + 1)]
    path = save(tmp_path / "plays.csv", rows)
    with pytest.raises(ValueError, match=f"row {MOST_SEATS + 2}: play '1' has more than {MOST_SEATS} seats"):
        read_play_table(path)
    assert len(read_play_table(save(path, rows[:-1])).plays[0].seats) == MOST_SEATS


def test_every_column_of_the_small_table_is_described():
    assert set(LINES[0]) == {*NEEDED, *OPTIONAL, "note"}


def test_plays_are_in_the_order_of_time_then_of_their_numbers(small):
    assert [play.key.lstrip("0") for play in small.plays] == ["9", "10", "1", "11", "12", "13", "14"]


def test_what_a_play_says(small):
    nine, ten, one, eleven, twelve, thirteen, fourteen = small.plays
    assert (one.at, one.minutes, one.location) == (datetime(2024, 3, 2, 20, 15), 65, "Attic")
    assert [(seat.person, seat.score, seat.winner, seat.new_player) for seat in one.seats] == [
        ("name:ann", "20+16+16", True, False),
        ("name:bob", "48", False, False),
        ("name:zoë", "31", False, True),
    ]
    assert nine.at == datetime(2024, 3, 2, 12) and nine.entered == nine.at
    assert [(seat.person, seat.rank) for seat in nine.seats] == [("name:ann", 2), ("name:bob", 1)]
    assert [play.scoring for play in small.plays] == [1, 2, 1, 4, 1, 1, 1]
    assert (eleven.at, eleven.board) == (datetime(2024, 3, 9, 8, 15, 30), "Mission 5")
    assert [seat.person for seat in twelve.seats] == ["automaton:robot", "guest:", "guest:", "name:zoë"]
    assert (thirteen.ignored, thirteen.uses_teams, [seat.team for seat in thirteen.seats]) == (
        True,
        True,
        ["0", "1"],
    )
    assert not any(play.uses_teams or play.ignored for play in (nine, ten, one, eleven, twelve, fourteen))


def test_people_and_games(small):
    assert {key: (one.name, one.is_guest, one.is_automaton) for key, one in small.people.items()} == {
        "automaton:robot": ("Robot", True, True),
        "guest:": ("Guest", True, False),
        "name:ann": ("Ann", False, False),
        "name:bob": ("Bob", False, False),
        "name:zoë": ("Zoë", False, False),
    }
    games = small.games
    assert list(games) == ["name:flood watch", "name:house dice", "name:lowland", "name:quarry"]
    assert (games["name:quarry"].name, games["name:quarry"].bgg_id) == ("Quarry", 900001)
    assert games["name:flood watch"].cooperative
    assert games["name:lowland"].highest_wins  # since one of its plays says nothing of it
    assert small.warnings[0] == "'Lowland': lowest_wins is yes in 1 of its 2 plays: an empty cell is no"
    assert (small.source, small.owner, small.left_out) == ("plays_small.csv", "", ())


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig"])
@pytest.mark.parametrize("delimiter", [",", ";", "\t"], ids=["comma", "semicolon", "tab"])
def test_separators_and_byte_order_mark(delimiter, encoding, small, tmp_path):
    assert read_play_table(save(tmp_path / "plays_small.csv", LINES, delimiter, encoding)) == small


def test_columns_in_any_case_and_empty_cells_at_the_end(small, tmp_path):
    header = [name.replace("_", " ").title() for name in LINES[0]]
    rows = [[*header, "", ""], [], *([*row, ""] for row in LINES[1:]), ["", ""]]
    assert read_play_table(save(tmp_path / "plays_small.csv", rows)) == small


@settings(max_examples=30, deadline=None)
@given(rows=st.permutations(LINES[1:]), columns=st.permutations(range(len(LINES[0]))))
def test_the_order_in_a_file_does_not_count(rows, columns, folder):
    table = [[row[at] for at in columns] for row in (LINES[0], *rows)]
    assert read_play_table(save(folder / "plays_small.csv", table)) == read_play_table(
        DATA / "plays_small.csv"
    )


@settings(max_examples=100, deadline=None)
@given(data=st.data())
def test_no_cell_is_more_than_a_value_error(data, folder):
    rows = [list(row) for row in LINES]
    cells = st.text(max_size=6) | st.sampled_from(
        ["1", "0", "yes", "2024-06-29", "20:15", "9" * 5000, "=1+1", "::"]
    )
    for _ in range(data.draw(st.integers(1, 4))):
        row = data.draw(st.integers(0, len(rows) - 1))
        rows[row][data.draw(st.integers(0, len(LINES[0]) - 1))] = data.draw(cells)
    try:
        log = read_play_table(save(folder / "mutated.csv", rows))
    except ValueError as error:
        assert "mutated.csv" in str(error)
        return
    assert all(play.game in log.games and play.seats for play in log.plays)
    assert {seat.person for play in log.plays for seat in play.seats} <= set(log.people)
