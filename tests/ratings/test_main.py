"""The command line: a log in, standings and a judgement out; errors in a line."""

import pandas as pd
import pytest
from click.testing import CliRunner

from ludometrics.ratings import load_state
from ludometrics.ratings.__main__ import main

LOG = "white,black,result,date\nAnn,Bob,1-0,2020-01-01\nBob,Cid,1/2-1/2,2020-01-03\nCid,Ann,0-1,2020-02-01\n"
COLUMNS = ["--first", "white", "--second", "black", "--outcome", "result", "--time", "date"]


@pytest.fixture
def log(tmp_path):
    path = tmp_path / "games.csv"
    path.write_text(LOG, encoding="utf-8")
    return path


def call(*arguments):
    return CliRunner().invoke(main, [str(argument) for argument in arguments])


def test_rate_shows_standings_and_a_judgement(log, tmp_path):
    out = tmp_path / "new" / "standings.csv"
    result = call("rate", log, *COLUMNS, "--out", out)
    assert result.exit_code == 0, result.output
    assert "3 games of 3 players, Glicko-1" in result.output and "log_loss" in result.output
    table = pd.read_csv(out)
    assert table["player"].tolist()[0] == "Ann" and table["games"].sum() == 6


def test_as_of_a_day(log):
    early = call("rate", log, *COLUMNS, "--as-of", "2020-01-10")
    assert early.exit_code == 0 and "2 games of 3 players" in early.output
    assert call("rate", log, *COLUMNS, "--as-of", "soon").exit_code == 1


def test_scores_in_place_of_an_outcome(tmp_path):
    path = tmp_path / "scores.csv"
    path.write_text("first,second,a,b\nx,y,3,1\n", encoding="utf-8")
    assert call("rate", path, "--scores", "a,b", "--system", "elo").exit_code == 0
    assert "two columns are needed" in call("rate", path, "--scores", "a").output


def test_errors_name_file_row_and_value(log):
    log.write_text(LOG + "Ann,Ann,1-0,2020-03-01\n", encoding="utf-8")
    result = call("rate", log, *COLUMNS)
    assert result.exit_code == 1 and "row 4: 'Ann' plays against itself" in result.output
    assert "Traceback" not in result.output
    log.write_text("white,black,result,date\n", encoding="utf-8")
    assert "no games to rate" in call("rate", log, *COLUMNS).output


def test_stream_saves_a_state_and_carries_it_on(log, tmp_path):
    first, second = tmp_path / "one.npz", tmp_path / "two.npz"
    result = call("stream", log, *COLUMNS, "--system", "glicko1", "--save", first)
    assert result.exit_code == 0, result.output
    more = tmp_path / "more.csv"
    more.write_text("white,black,result,date\nDan,Ann,1-0,2020-03-01\n", encoding="utf-8")
    result = call("stream", more, *COLUMNS, "--state", first, "--save", second)
    assert result.exit_code == 0 and "1 games, 4 players" in result.output
    state = load_state(second)
    assert state.players == ("Ann", "Bob", "Cid", "Dan") and state.record.games.sum() == 8


def test_help_tells_the_columns():
    result = call("rate", "--help")
    assert result.exit_code == 0 and "--outcome" in result.output and "[default: glicko1]" in result.output


def test_a_date_means_the_whole_day(tmp_path):
    path = tmp_path / "late.csv"
    path.write_text("first,second,outcome,date\nA,B,1,2018-12-31 20:00\n", encoding="utf-8")
    assert call("rate", path, "--time", "date", "--as-of", "2018-12-31").exit_code == 0
    assert "no games to rate" in call("rate", path, "--time", "date", "--as-of", "2018-12-30").output


def test_dated_and_undated_logs_do_not_mix(log, tmp_path):
    saved = tmp_path / "dated.npz"
    assert call("stream", log, *COLUMNS, "--save", saved).exit_code == 0
    result = call("stream", log, *COLUMNS[:6], "--state", saved, "--save", saved)
    assert result.exit_code == 1 and "no common clock" in result.output


def test_a_place_that_cannot_be_written_is_named(log, tmp_path):
    assert "must end in .npz" in call("stream", log, *COLUMNS, "--save", tmp_path / "s.txt").output
    result = call("stream", log, *COLUMNS, "--save", log / "below" / "s.npz")
    assert result.exit_code == 1 and "Traceback" not in result.output
