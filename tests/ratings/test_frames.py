"""Logs as files: what is read, what is refused and how it is said; names of any kind."""

import numpy as np
import pandas as pd
import pytest

from ludometrics.ratings import days_since_1970, index_games, read_games, read_tables

COLUMNS = {"first": "white", "second": "black", "outcome": "result", "time": "date"}
GOOD = """white,black,result,date
Ann,Bob,1-0,2020-01-02
Bob,Cid,1/2-1/2,2020-01-01
None,NA,0-1,2020-01-02 06:00
"""


def write(tmp_path, text, name="games.csv"):
    path = tmp_path / name
    path.write_text(text, encoding="utf-8")
    return path


def test_a_log_in_order_of_time(tmp_path):
    games = read_games(write(tmp_path, GOOD), **COLUMNS)
    assert games.players == ("Bob", "Cid", "Ann", "None", "NA")
    assert games.outcomes.tolist() == [0.5, 1.0, 0.0]
    assert games.times.tolist() == [18262.0, 18263.0, 18263.25]


def test_parquet_and_frames_read_the_same(tmp_path):
    path = write(tmp_path, GOOD)
    table = pd.read_csv(path, keep_default_na=False)
    table.to_parquet(tmp_path / "games.parquet")
    for log in (table, tmp_path / "games.parquet"):
        games = read_games(log, **COLUMNS)
        assert games.players == read_games(path, **COLUMNS).players
        assert games.outcomes.tolist() == [0.5, 1.0, 0.0]


def test_scores_say_who_won():
    log = pd.DataFrame({"home": ["A", "B"], "away": ["B", "A"], "hg": [2, 1], "ag": [0, 1]})
    games = read_games(log, first="home", second="away", outcome=("hg", "ag"))
    assert games.outcomes.tolist() == [1.0, 0.5]


def test_other_ways_to_write_an_outcome():
    log = pd.DataFrame({"first": ["A", "B"], "second": ["B", "A"], "outcome": ["home", "draw"]})
    assert read_games(log, outcomes={"home": 1, "draw": 0.5}).outcomes.tolist() == [1.0, 0.5]


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("Ann,Bob,2-0,2020-01-01", "row 2: result is '2-0': allowed are 1, .*1-0"),
        ("Ann,Ann,1-0,2020-01-01", "row 2: 'Ann' plays against itself"),
        (",Ann,1-0,2020-01-01", "row 2: white is empty"),
        ("Ann,Bob,,2020-01-01", "row 2: result is empty"),
        ("Ann,Bob,1-0,soon", "row 2: date is 'soon': it must be a date such as 2018-12-31"),
        ("Ann,Bob,1-0,", "row 2: date is empty"),
        ("Ann,Bob,1-0,2020-13-01", "row 2: date is '2020-13-01'"),
        ("Ann,Bob,1-0,2020-01-01,x,y", "cannot be read as a table"),
    ],
)
def test_bad_rows_are_named(tmp_path, line, message):
    path = write(tmp_path, f"white,black,result,date\nAnn,Bob,1-0,2020-01-01\n{line}\n")
    with pytest.raises(ValueError, match=message) as caught:
        read_games(path, **COLUMNS)
    assert str(path) in str(caught.value)


def test_what_is_no_table_is_named(tmp_path):
    with pytest.raises(ValueError, match="there is no such file"):
        read_games(tmp_path / "none.csv")
    with pytest.raises(ValueError, match="cannot be read as a table"):
        read_games(write(tmp_path, ""))
    with pytest.raises(ValueError, match="no column 'white', 'black'; there are a, b"):
        read_games(write(tmp_path, "a,b\n1,2\n"), first="white", second="black", outcome="a")
    with pytest.raises(ValueError, match="cannot be read as a table"):
        read_games(write(tmp_path, "no parquet", "games.parquet"))


def test_a_log_without_games_has_no_players(tmp_path):
    games = read_games(write(tmp_path, "first,second,outcome\n"))
    assert len(games) == 0 and games.players == ()


def test_dates_of_any_age():
    dates = pd.Series(["0001-01-01", "1872.11.30", "1872/11/30", "2024-02-29T12:00Z", "31/12/2018", "", True])
    found = days_since_1970(dates)
    assert found[:4].tolist() == [-719162.0, -35460.0, -35460.0, 19782.5]
    assert np.isnan(found[4:]).all()
    zoned = pd.Series(pd.to_datetime(["2020-01-01 01:00"]).tz_localize("Europe/Berlin"))
    assert days_since_1970(zoned).tolist() == [18262.0]


@pytest.mark.parametrize(
    "names",
    [
        ["Ann", "Bob"],
        [7, -3],
        [("a", 1), ("b", 2)],
        [1, "1"],
        ["é", "e\u0301"],
        ["", " "],
        ["x" * 10_000, "y"],
    ],
    ids=["text", "numbers", "tuples", "mixed", "unicode", "blank", "long"],
)
def test_names_of_any_kind(names):
    games = index_games([names[0], names[1]], [names[1], names[0]], [1, 0])
    assert games.players == tuple(names)
    assert games.pairs.tolist() == [[0, 1], [1, 0]]


@pytest.mark.parametrize("missing", [None, float("nan"), pd.NA])
def test_a_missing_name_is_refused(missing):
    with pytest.raises(ValueError, match="missing"):
        index_games(["Ann", missing], ["Bob", "Ann"], [1, 0])


def test_tables_of_many(tmp_path):
    path = write(
        tmp_path,
        "play,player,rank,date,team\n7,Ann,1,2020-01-03,r\n7,Bob,2,2020-01-03,b\n5,Cid,1,2020-01-01,r\n5,Ann,2,2020-01-01,b\n",
    )
    games = read_tables(path, time="date", team="team")
    assert games.players == ("Cid", "Ann", "Bob")
    assert games.pairs.tolist() == [[0, 1], [1, 2]] and games.outcomes.tolist() == [1.0, 1.0]
    bad = write(tmp_path, "play,player,rank\n7,Ann,1\n7,Ann,2\n", "bad.csv")
    with pytest.raises(ValueError, match=r"bad\.csv.*sits twice in play .7"):
        read_tables(bad)


def test_names_in_a_file_are_text_however_they_look(tmp_path):
    """With a type guessed by column and by chunk, 2 and "2" were two players."""
    text = "first,second,outcome\n" + "1,2,1\n2,3,1\n" * 3 + "007,7,1\n3,x,1\n"
    games = read_games(write(tmp_path, text))
    assert games.players == ("1", "2", "3", "007", "7", "x")
    plays = read_tables(write(tmp_path, "play,player,rank\n1,2,1\n1,x,2\n", "plays.csv"))
    assert plays.players == ("2", "x")


def test_a_row_that_is_too_long_does_not_move_the_columns(tmp_path):
    with pytest.raises(ValueError, match="cannot be read as a table"):
        read_games(write(tmp_path, "first,second,outcome\nG1,Ann,1,1\nG2,Bob,0,0\n"))


@pytest.mark.parametrize("column", [[1.0, 0.0], [1, 0], ["1", "0"], ["1.0", "0.0"]])
@pytest.mark.parametrize("meanings", [{0: 1, 1: 0}, {"0": 1, "1": 0}, {0.0: 1, 1.0: 0}])
def test_given_meanings_replace_the_usual_ones(column, meanings):
    log = pd.DataFrame({"first": "a", "second": "b", "outcome": column})
    assert read_games(log, outcomes=meanings).outcomes.tolist() == [0.0, 1.0]


def test_only_a_whole_date_is_a_date():
    values = pd.Series(["18-12-31", "2018-12", "today", "now", "2018-12-31T10:00+01:00", "17532", True])
    found = days_since_1970(values)
    assert np.isnan(found[[0, 1, 2, 3, 6]]).all()
    assert found[4] == pytest.approx(17896 + 9 / 24) and found[5] == 17532


def test_frames_of_other_kinds():
    log = pd.DataFrame({"first": ["a", "b"], "second": ["b", "c"], "outcome": [1, 0]}).astype("category")
    assert read_games(log).players == ("a", "b", "c")
    doubled = pd.DataFrame([["a", "b", "c", 1]], columns=["first", "first", "second", "outcome"])
    with pytest.raises(ValueError, match="two columns are called 'first'"):
        read_games(doubled)
    scores = pd.DataFrame({"first": ["a"], "second": ["b"], "x": [3], "y": [1]})
    assert read_games(scores, outcome=["x", "y"]).outcomes.tolist() == [1.0]


def test_seats_of_a_play_need_not_stand_together(tmp_path):
    text = "play,player,rank\n1,Ann,1\n2,Cid,2\n1,Bob,2\n2,Dan,1\n2,Eve,3\n"
    games = read_tables(write(tmp_path, text))
    assert games.players == ("Ann", "Bob", "Cid", "Dan", "Eve") and len(games) == 4


def test_tables_of_two_are_duels():
    games = read_tables(pd.DataFrame({"play": [1, 1, 2, 2], "player": list("abbc"), "rank": [1, 2, 1, 2]}))
    assert games.plays is None and games.weights is None and games.outcomes.tolist() == [1.0, 1.0]


def test_another_separator_is_hinted_at(tmp_path):
    with pytest.raises(ValueError, match="is the separator a comma"):
        read_games(write(tmp_path, "first;second;outcome\na;b;1\n"))
