import re

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gnubg_samples import FOLDER, MATCH, SESSION, row_differences
from ludometrics.backgammon.boards import START
from ludometrics.backgammon.gnubg_sgf import apply_hops, is_gnubg_sgf, read_gnubg_sgf
from ludometrics.backgammon.gnubg_text import read_gnubg_text
from ludometrics.backgammon.records import COLUMNS, ROLLOUT_DEPTH, Kind

TEXT = (FOLDER / "gnubg_match.sgf").read_text(encoding="utf-8")
FULL = read_gnubg_sgf(("match.sgf", TEXT))
HEAD = "(;FF[4]GM[6]AP[GNU Backgammon:1.07.001]MI[length:{}][game:0][ws:0][bs:0]PW[Ada]PB[Bo]{}\n"


def test_match():
    match = FULL.matches[0]
    assert FULL.problems == ()
    assert (match.players, match.length, match.date) == (("Ada", "Bo moves 3/2"), 3, "2026-03-04")
    assert (match.tournament, match.round, match.source) == ('"Spring, 1st"', "Final", "match.sgf")
    assert (match.engine, match.final_score) == ("GNU Backgammon 1.07.001, 0-ply", (2, 3))


def test_match_row_by_row_against_the_text():
    # The text has three decimals and the five best plays; the SGF six and every play that was looked at.
    assert row_differences(read_gnubg_text(MATCH, day_first=False), FULL) == []
    assert np.diff(FULL.decisions.option_start).max() > 6


def test_session_row_by_row_against_the_text():
    found = read_gnubg_sgf(FOLDER / "gnubg_session.sgf")
    assert row_differences(read_gnubg_text(SESSION, day_first=False), found) == []
    assert [problem.where for problem in found.problems] == ["line 5"]
    assert "a beaver is read as a take" in found.problems[0].reason


def test_luck_is_of_the_roll():
    rolls = FULL.decisions.kind == Kind.CHECKER
    assert np.isnan(FULL.decisions.luck[~rolls]).all()
    written = [float(value) for value in re.findall(r"LU\[([-\d.]+)\]", TEXT)]
    assert FULL.decisions.luck[rolls].tolist() == written


def test_luck_that_was_not_measured_is_unknown():
    found = read_gnubg_sgf(("x.sgf", re.sub(r"LU\[[-\d.]+\]", "LU[-inf]", TEXT)))
    assert np.isnan(found.decisions.luck).all()
    assert np.isnan(read_gnubg_sgf(("x.sgf", re.sub(r"LU\[[-\d.]+\]", "", TEXT))).decisions.luck).all()


@pytest.mark.parametrize("white, black, seat", [("hdfd", "qusu", 0), ("hdfd", "qusu", 1)])
def test_letters_of_both_sides(white, black, seat):
    # 8/4 6/4 from the opening position: white's letters count from his ace point, black's from the other end.
    after = apply_hops(tuple(START.tolist()), (white, black)[seat], seat)
    assert (after[8], after[6], after[4]) == (2, 4, 2)


def test_bar_and_off():
    board = [0] * 26
    board[25], board[2], board[20] = 1, 1, -1
    assert apply_hops(tuple(board), "ytbz", 0) == (-1, *[0] * 19, 1, *[0] * 5)
    with pytest.raises(ValueError, match="no checker goes"):
        apply_hops(tuple(board), "cb", 0)
    board[20] = -2
    with pytest.raises(ValueError, match="the other side holds t"):
        apply_hops(tuple(board), "yt", 0)


def test_cube_equities_come_from_chances():
    # At 3 points away each, cube 1: 0.5 + 0.0995 * equity, by Kazaross-XG2 (2 away against 3 away: 0.59947).
    node = ";W[31hefe]\n;B[double]DA[E ver 3 2C 1 0.000000 1 .5 0 0 0 0 0 0.54 .5 0 0 0 0 0 0.53]\n;W[take])"
    found = read_gnubg_sgf(("x.sgf", HEAD.format(3, "RE[W+2]") + node))
    assert found.decisions.kind.tolist() == [Kind.CHECKER, Kind.DOUBLE, Kind.RESPONSE]
    half = 0.59947 - 0.5
    assert np.allclose(found.decisions.equities[1], [0.04 / half, 0.03 / half, 1], atol=1e-9)
    assert found.decisions.depth[1] == 2
    # An answer without an analysis of its own has the double's.
    assert np.array_equal(found.decisions.equities[2], found.decisions.equities[1])
    money = read_gnubg_sgf(("x.sgf", HEAD.format(0, "RE[W+2]") + node))
    assert money.decisions.equities[1].tolist() == [0.54, 0.53, 1.0]


def test_rollouts():
    cube = "X ver 3 Eq Trials 36 NoDouble Output .4 .1 0 .1 0 -0.18 -0.04 StdDev 0 0 0 0 0 0 0 "
    cube += "DoubleTake Output .4 .1 0 .1 0 -0.18 -0.78 StdDev 0 0 0 0 0 0 0 SK 0 RC 1"
    play = "hefe X ver 3 Score -0.13 -0.26 Trials 36 Output 0.5 0.1 0.01 0.2 0.02 -0.26 -0.13 StdDev 0 0 0 0 0 0 0 SK 0"
    found = read_gnubg_sgf(("x.sgf", HEAD.format(0, "RE[W+1]") + f";W[31hefe]DA[{cube}]A[0][{play}])"))
    assert found.problems == ()
    decisions = found.decisions
    assert decisions.equities[0].tolist() == [-0.04, -0.78, 1.0]
    assert decisions.depth.tolist() == [ROLLOUT_DEPTH] * 2
    assert decisions.options.equity.tolist() == [-0.13]
    assert np.allclose(decisions.options.shares[0], [0.5, 0.1, 0.01, 0.2, 0.02])


def test_what_was_not_evaluated_is_unknown():
    node = ";W[31hefe]DA[E ver 3 2C 1 0 1 .5 0 0 0 0 0 -20000.0 .5 0 0 0 0 0 -20000.0])"
    found = read_gnubg_sgf(("x.sgf", HEAD.format(0, "RE[W+1]") + node))
    assert np.isnan(found.decisions.equities[0, :2]).all()


def test_way_in_one_piece_over_a_blot():
    # Written as one hop, 24/14* 6 then 4, does not say what is hit on the way; the analysis does.
    blot = ";PL[W]AE[s]AB[s][s][s][s][r]\n;W[64xn]A[0][xrrn E ver 3 .5 0 0 0 0 0.1 2C 0 1 0.000000 1])"
    found = read_gnubg_sgf(("x.sgf", HEAD.format(0, "RE[W+1]") + blot))
    assert found.problems == ()
    assert found.decisions.played.tolist() == [0]
    assert found.decisions.options.board[0, [0, 18, 14]].tolist() == [-1, 0, 1]


def test_positions_put_up_by_hand():
    text = ";PL[B]AE[a:y]AW[a][a][y]AB[x][y]CV[4]CP[b]\n;B[11yx])"
    found = read_gnubg_sgf(("x.sgf", HEAD.format(0, "") + text))
    decisions = found.decisions
    # Black's board: his checkers on his ace point and on the bar; white's on his 24-point and bar.
    assert decisions.board[0].tolist() == [-1, 1, *[0] * 22, -2, 1]
    assert (decisions.cube[0], decisions.cube_owner[0], decisions.seat[0]) == (4, 1, 1)
    assert "the other side holds x" not in str(found.problems)


@pytest.mark.parametrize(
    "length, game, wanted", [(3, "RU[Crawford:CrawfordGame]", True), (3, "RU[Crawford]", False)]
)
def test_crawford(length, game, wanted):
    text = HEAD.format(length, game).replace("[ws:0]", "[ws:2]") + ";W[31hefe])"
    decisions = read_gnubg_sgf(("x.sgf", text)).decisions
    assert (decisions.crawford.tolist(), decisions.post_crawford.tolist()) == ([wanted], [not wanted])


@settings(max_examples=40, deadline=None)
@given(st.floats(0, 1))
def test_truncated_files(share):
    found = read_gnubg_sgf(("match.sgf", TEXT[: int(share * len(TEXT))]))
    rows = len(found.decisions)
    for name in COLUMNS:
        mine = getattr(found.decisions, name)
        assert np.array_equal(mine, getattr(FULL.decisions, name)[:rows], equal_nan=mine.dtype.kind == "f"), (
            name
        )
    options = found.decisions.option_start[-1]
    assert np.array_equal(found.decisions.options.equity, FULL.decisions.options.equity[:options])
    if rows < len(FULL.decisions):
        assert len(found.problems) == 1
        assert not found.matches or found.matches[0].final_score is None


@settings(max_examples=40, deadline=None)
@given(st.data())
def test_damaged_files_never_crash(data):
    letters = list(TEXT)
    for _ in range(data.draw(st.integers(1, 6))):
        place = data.draw(st.integers(0, len(letters) - 1))
        letters[place] = data.draw(st.sampled_from("()[];:9-.azB \\\n") | st.characters(codec="utf-8"))
    found = read_gnubg_sgf(("match.sgf", "".join(letters)))
    assert len(found.decisions) <= len(FULL.decisions)


@pytest.mark.parametrize(
    "text, reason",
    [
        ("", "no backgammon game in SGF"),
        ("(;FF[4]GM[1]SZ[19];B[aa])", "no backgammon game in SGF"),
        (HEAD.format(0, "RU[Nackgammon]") + ";W[31hefe])", "Nackgammon is another game"),
        (HEAD.format(0, "RU[Jacoby:Hypergammon1]") + ";W[31ac])", "Hypergammon1 is another game"),
        (HEAD.format(5, "") + ";W[take])", "an answer to no double"),
        (HEAD.format(5, "") + ";W[double];B[31hefe])", "a roll while a double is on offer"),
        (HEAD.format(5, "") + ";W[37hefe])", "is no roll with a play"),
        (HEAD.format(5, "") + ";W[31hefe]A[0][hefe E ver 3 0.5 x])", "the analysis 'hefe E ver 3"),
        (HEAD.format(5, "").replace("[ws:0]", "[ws:5]") + ";W[31hefe])", "begins at 5-0 of a match to 5"),
    ],
)
def test_refused(text, reason):
    found = read_gnubg_sgf(("x.sgf", text))
    assert reason in found.problems[0].reason
    assert str(found.problems[0]).startswith("x.sgf, line ")


def test_another_match_in_the_same_file():
    found = read_gnubg_sgf(("two.sgf", TEXT + TEXT))
    assert "game 1 after game 3: another match begins" in found.problems[0].reason
    assert len(found.decisions) == len(FULL.decisions)


def test_an_unfinished_game_has_no_score_and_no_open_double():
    text = HEAD.format(5, "") + ";W[31hefe]\n;B[double])"
    found = read_gnubg_sgf(("x.sgf", text))
    assert (found.matches[0].final_score, found.decisions.kind.tolist()) == (None, [Kind.CHECKER])


def test_a_roll_that_was_not_played_is_said():
    text = HEAD.format(5, "RE[W+1]") + ";W[31]\n;B[42qusu])"
    found = read_gnubg_sgf(("x.sgf", text))
    assert found.problems[0].reason == "the file says that the player cannot move, but he can"


def test_files(tmp_path):
    path = tmp_path / "a.sgf"
    path.write_text(TEXT, encoding="utf-8-sig")
    assert row_differences(FULL, read_gnubg_sgf(path)) == []
    assert read_gnubg_sgf(tmp_path / "none.sgf").problems[0].reason == "cannot be opened, or is no text"
    assert is_gnubg_sgf(TEXT)
    assert not is_gnubg_sgf("(;GM[1])")


def test_cubes_beyond_the_table_are_not_priced_by_another_one():
    node = ";W[31hefe]\n;B[double]DA[E ver 3 2C 1 0.000000 1 .5 0 0 0 0 0 0.54 .5 0 0 0 0 0 0.53]\n;W[take])"
    near, far = (read_gnubg_sgf(("x.sgf", HEAD.format(length, "") + node)) for length in (25, 26))
    double = near.decisions.kind == Kind.DOUBLE
    assert not np.isnan(near.decisions.equities[double]).any()
    assert np.isnan(far.decisions.equities[double]).all()
    assert "take the text export" in far.problems[0].reason
