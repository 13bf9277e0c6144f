"""A table of one's own: what is understood, and how what is not is named."""

import math

import pytest

from ludometrics.abtest.own_games import read_own


@pytest.fixture
def write(tmp_path):
    def written(text, encoding="utf-8"):
        path = tmp_path / "games.csv"
        path.write_bytes(text.encode(encoding))
        return path

    return written


def test_columns_that_are_known_are_read(write):
    text = "day,player,variant,score,colour,assigned,game,rating,block\n"
    text += '1,"Ann, the first",A,1,b,A,0,1320,x\n2, Bob ,B,.5,w,A,0,,y\n2,ann\\,B,,w,B,1,1200.5,x\n'
    found = read_own(write(text))
    assert list(found.games.columns) == ["player", "variant", "score", "colour", "assigned", "game"]
    assert found.games.iloc[0].tolist() == ["Ann, the first", "A", 1.0, "b", "A", 0]
    assert found.games["score"].tolist()[1] == 0.5 and math.isnan(found.games["score"].iloc[2])
    assert found.ratings["ann, the first"] == 1320.0 and math.isnan(found.ratings["bob"])
    assert found.blocks.to_dict() == {"ann, the first": "x", "bob": "y", "ann\\": "x"}


def test_three_columns_are_enough(write):
    found = read_own(write("score,variant,player\n0,B,NA\n1.0,A,007\n"))
    assert found.games["player"].tolist() == ["NA", "007"]
    assert found.ratings is None and found.blocks is None and found.notes == ()


def test_a_mark_at_the_beginning_and_other_line_ends_do_not_matter(write):
    found = read_own(write("\ufeffplayer,variant,score\r\nJosé,A,1\r\n\r\n"))
    assert found.games["player"].tolist() == ["José"]


@pytest.mark.parametrize("sign", [";", "\t"])
def test_semicolons_and_tabs_may_separate_columns(write, sign):
    text = "player,variant,score,rating\nAnn B,A,1,1320.5\nBob,B,0.5,\n".replace(",", sign)
    for end in ("", sign * 3 + "\n"):
        found = read_own(write(end + text + end))
        assert found.games.to_numpy().tolist() == [["Ann B", "A", 1.0], ["Bob", "B", 0.5]]
        assert found.ratings["ann b"] == 1320.5
    text = text.replace(f"B{sign}0.5", f"B{sign}0,5").replace("Ann B", "Ann, B")
    found = read_own(write(text))
    assert found.games["score"].tolist() == [1.0, 0.5] and found.games["player"][0] == "Ann, B"


def test_signs_in_a_name_separate_nothing(write):
    found = read_own(write("player,variant,score\nA;B,A,1\nA\tB,B,0\n"))
    assert found.games["player"].tolist() == ["A;B", "A\tB"]


def test_lines_that_hold_nothing_are_passed_over(write):
    found = read_own(write("\n,,\nplayer,variant,score,,\n\nAnn,A,1,,\n , ,,,\n,,,,\nBob,B,0,,\n\n"))
    assert found.games.to_numpy().tolist() == [["Ann", "A", 1.0], ["Bob", "B", 0.0]]


def test_scores_may_have_more_digits(write):
    rows = "".join(f"Ann,A,{score}\n" for score in ("1", "1.00", "0.50", ".5", "0.000", '"0,5"', "01", ""))
    found = read_own(write("player,variant,score\n" + rows))
    assert found.games["score"].fillna(-1).tolist() == [1, 1, 0.5, 0.5, 0, 0.5, 1, -1]


def test_a_rating_may_stand_in_one_row_of_a_player(write):
    found = read_own(write("player,variant,score,rating\nAnn,A,1,\n ANN,A,1,1300\nann,A,0,1300.0\n"))
    assert found.ratings.to_dict() == {"ann": 1300.0}


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "games.csv: holds nothing: a header with player, variant, score is wanted"),
        (
            "player|variant|score\nAnn|A|1\n",
            "games.csv: has no column 'player', only 'player|variant|score': are its columns separated by commas?",
        ),
        ("player;variant;result\nAnn;A;1\n", "has no column 'score', only 'player', 'variant', 'result'"),
        ("player,variant,score\n", "games.csv: holds no games, only a header"),
        (
            "player,variant,score\nAnn,A,1\nAnn,C,1\n",
            "games.csv, row 2: variant is 'C': allowed are 'A', 'B'",
        ),
        (
            "player,variant,score\nAnn,A,0.7\n",
            "games.csv, row 1: score is '0.7': allowed are 1, 0.5 and 0, or nothing for a game left unfinished",
        ),
        ("player,variant,score\nAnn,A,½\n", "row 1: score is '½': allowed are 1, 0.5 and 0"),
        ("player,variant,score\nAnn,A,1e0\n", "row 1: score is '1e0': allowed are 1, 0.5 and 0"),
        ("player,variant,score\nAnn,A,-0\n", "row 1: score is '-0': allowed are 1, 0.5 and 0"),
        ("player,variant,score\nA\0nn,A,1\n", r"row 1: player is 'A\x00nn': a name without signs NUL"),
        (
            "player,variant,score,rating\nAnn,A,1,1_500\n",
            "row 1: rating is '1_500': it must be a finite number",
        ),
        (
            "player,variant,score,rating\nAnn,A,1,１５００\n",
            "row 1: rating is '１５００': it must be a finite",
        ),
        (
            "player;variant;score;rating\nAnn;A;1;1,5\n",
            "rating is '1,5': it must be a finite number, with a point",
        ),
        (
            "player,variant,score,rating\nAnn,A,1,1e999\n",
            "row 1: rating is '1e999': it must be a finite number",
        ),
        ("player,variant,score\n,,\n\nAnn,A,1\nBob,A,2\n", "games.csv, row 4: score is '2'"),
        ("player,variant,score\n,,\n \n", "games.csv: holds no games, only a header"),
        ("player,variant,score\n ,A,1\n", "games.csv, row 1: player is ' ': a name is needed"),
        ("player,variant,score,colour\nAnn,A,1,x\n", "games.csv, row 1: colour is 'x': allowed are 'b', 'w'"),
        ("player,variant,score,assigned\nAnn,A,1,\n", "row 1: assigned is '': allowed are 'A', 'B'"),
        ("player,variant,score,game\nAnn,A,1,-1\n", "row 1: game is '-1': it must be a whole number"),
        ("player,variant,score,rating\nAnn,A,1,inf\n", "row 1: rating is 'inf': it must be a finite number"),
        ("player,variant,score,rating\nAnn,A,1,nan\n", "row 1: rating is 'nan': it must be a finite number"),
        (
            "player,variant,score,rating\nAnn,A,1,1200\nann,A,1,1300\n",
            "row 2: rating is 1300.0, but 1200.0 in an earlier row of 'ann'",
        ),
        ("player,variant,score\nAnn,A\n", "games.csv, row 1: 2 values in a table of 3 columns"),
        ("player,variant,score\nAnn,A,1,b\n", "games.csv, row 1: 4 values in a table of 3 columns"),
        ("player,variant,score,player\n", "games.csv: column 'player' is there twice"),
        ('player,variant,score\n"Ann"x,A,1\n', "games.csv, line 2: no CSV:"),
    ],
)
def test_what_cannot_be_read_is_named(tmp_path, write, text, words):
    with pytest.raises(ValueError) as error:
        read_own(write(text))
    assert words in str(error.value) and str(error.value).startswith(str(tmp_path / "games.csv"))


@pytest.mark.parametrize(
    ("encoding", "words"),
    [
        ("latin-1", "not UTF-8 at byte 24: save it as UTF-8"),
        ("utf-16", "is UTF-16, it seems: save it as UTF-8"),
        ("utf-16-le", "is UTF-16, it seems: save it as UTF-8"),
        ("utf-16-be", "is UTF-16, it seems: save it as UTF-8"),
    ],
)
def test_other_encodings_are_named_with_what_mends_them(write, encoding, words):
    with pytest.raises(ValueError, match=rf"games\.csv: {words}"):
        read_own(write("player,variant,score\nJosé,A,1\n", encoding=encoding))


def test_a_value_of_any_length_is_cut(write):
    with pytest.raises(ValueError, match=r"variant is 'xxx.*xxx': allowed are 'A', 'B'") as error:
        read_own(write(f"player,variant,score\nAnn,{'x' * 100_000},1\n"))
    assert len(str(error.value)) < 500
