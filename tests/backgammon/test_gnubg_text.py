import re

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gnubg_samples import FOLDER, MATCH, SESSION, row_differences
from ludometrics.backgammon.gnubg_text import group_text_files, is_gnubg_text, read_gnubg_text
from ludometrics.backgammon.position_ids import match_id, match_state
from ludometrics.backgammon.records import COLUMNS, DOUBLE, TAKE, UNKNOWN, Kind

BO = "Bo moves 3/2"  # a name that looks like a play


def texts(paths=MATCH):
    return [(path.name, path.read_text(encoding="utf-8")) for path in paths]


@pytest.fixture(scope="module")
def library():
    return read_gnubg_text(texts(), day_first=False)


@pytest.fixture(scope="module")
def session():
    return read_gnubg_text(SESSION, day_first=False)


def test_match(library):
    match = library.matches[0]
    assert library.problems == ()
    assert (match.players, match.length, match.date) == (("Ada", BO), 3, "2026-03-04")
    assert (match.tournament, match.round) == ('"Spring, 1st"', "Final")
    assert match.engine == "GNU Backgammon 1.07.001, 0-ply"
    assert (match.start_score, match.final_score, match.winner) == ((0, 0), (2, 3), 1)
    assert match.source == "gnubg_match.txt"


def test_kinds_and_seats(library):
    decisions = library.decisions
    first = decisions.where(decisions.game == 1)
    letters = ["cdr"[kind] + "AB"[seat] for kind, seat in zip(first.kind, first.seat, strict=True)]
    # A no-double before every roll but the first and the one after the take; Bo doubles, Ada takes.
    assert letters == ["cB", "dA", "cA", "dB", "cB", "dA", "cA", "dB", "rA", "cB", "dA", "cA", "cB"]
    assert first.played[first.kind == Kind.DOUBLE].tolist() == [0, 0, 0, DOUBLE, 0]
    assert first.played[first.kind == Kind.RESPONSE].tolist() == [TAKE]
    assert first.move.tolist() == [1, 2, 2, 3, 3, 4, 4, 5, 6, 7, 8, 8, 9]


def test_cube_decisions_are_the_doublers_in_units_before_the_double(library):
    decisions = library.decisions
    double, response = (
        int(np.flatnonzero((decisions.kind == kind) & (decisions.move > 4))[0])
        for kind in (Kind.DOUBLE, Kind.RESPONSE)
    )
    assert decisions.equities[double].tolist() == [-0.195, -0.678, 1.0]
    assert decisions.equities[response].tolist() == [-0.195, -0.678, 1.0]  # printed with the signs turned
    assert decisions.cube[[double, response]].tolist() == [1, 1]
    after = decisions.move[decisions.game == 1] > 6
    assert decisions.cube[decisions.game == 1][after].tolist() == [2, 2, 2, 2]
    assert decisions.cube_owner[decisions.game == 1][after].tolist() == [-1, 1, 1, -1]
    # The answer's board is the responder's: the doubler's turned round.
    assert (decisions.board[response] == -decisions.board[double][::-1]).all()


def test_dance_is_a_roll(library):
    decisions = library.decisions
    row = int(np.flatnonzero((decisions.legal_plays == 0) & (decisions.kind == Kind.CHECKER))[0])
    assert (decisions.dice[row].tolist(), decisions.played[row], decisions.luck[row]) == (
        [6, 6],
        UNKNOWN,
        -0.494,
    )
    assert decisions.options_of(row).start == decisions.options_of(row).stop


def test_options_and_played(library):
    decisions = library.decisions
    row = int(
        np.flatnonzero((decisions.game == 1) & (decisions.move == 2) & (decisions.kind == Kind.CHECKER))[0]
    )
    rows = decisions.options_of(row)
    assert decisions.dice[row].tolist() == [6, 6]
    assert decisions.played[row] == 2
    assert decisions.luck[row] == 0.479
    assert decisions.legal_plays[row] == 18
    assert decisions.options.depth[rows].tolist() == [0] * 5
    assert decisions.options.board[rows][2, [1, 13, 0]].tolist() == [2, 3, -1]  # 13/1*(2)
    shares = decisions.options.shares[rows][2]
    assert np.allclose(shares, _printed_shares(2), atol=1e-6)


def _printed_shares(option):
    block = MATCH[0].read_text().split("Move number 2:")[1].split("Move number 3:")[0]
    printed = re.findall(r"^       (0\.\d+) (\S+) (\S+) - (\S+) (\S+) (\S+)$", block, re.MULTILINE)[option]
    return [float(printed[place]) for place in (0, 1, 2, 4, 5)]


def test_play_below_the_list_is_read(library):
    decisions = library.decisions
    row = int(np.flatnonzero((decisions.game == 2) & (decisions.move == 2))[0])
    options = decisions.options.equity[decisions.options_of(row)]
    assert len(options) == 6  # five, and the seventh best, which was played
    assert decisions.played[row] == 5
    assert options[5] == min(options)


def test_crawford(library):
    decisions = library.decisions
    assert [bool(decisions.crawford[decisions.game == game].all()) for game in (1, 2, 3)] == [
        False,
        True,
        False,
    ]
    assert [bool(decisions.post_crawford[decisions.game == game].all()) for game in (1, 2, 3)] == [
        False,
        False,
        True,
    ]
    assert decisions.away[decisions.game == 2][:2].tolist() == [[3, 1], [1, 3]]
    assert not (decisions.kind[decisions.game == 2] == Kind.DOUBLE).any()


def test_order_of_the_files_does_not_matter(library):
    other = read_gnubg_text(texts()[::-1], day_first=False)
    assert row_differences(library, other) == []
    assert other.matches == library.matches


def test_paths_and_single_files(library):
    assert row_differences(library, read_gnubg_text(MATCH, day_first=False)) == []
    one = read_gnubg_text(MATCH[1], day_first=False)
    assert one.decisions.game.tolist() == [2] * 5
    assert (one.matches[0].start_score, one.matches[0].final_score) == ((0, 2), (2, 2))
    last = read_gnubg_text(texts()[2], day_first=False)
    assert last.matches[0].final_score == (2, 3)


def test_beavers_and_resignations(session):
    decisions = session.decisions
    assert [problem.where for problem in session.problems] == ["line 114"]
    assert "a beaver is read as a take" in session.problems[0].reason
    cube = decisions.where(decisions.kind != Kind.CHECKER)
    assert cube.kind.tolist() == [Kind.DOUBLE, Kind.DOUBLE, Kind.RESPONSE, Kind.DOUBLE, Kind.DOUBLE]
    assert cube.equities[2].tolist() == [0.069, -0.219, 1.0]
    assert cube.played[2] == TAKE
    assert decisions.cube[decisions.move > 6].tolist() == [8, 8, 8]  # doubled, beavered and raccooned


def test_money_session(session):
    match = session.matches[0]
    assert (match.length, match.players, match.date) == (0, ("Ada", "Bo"), "2026-04-03")
    assert match.final_score is None  # the second game was not finished
    assert (session.decisions.away == 0).all()
    assert read_gnubg_text(SESSION[0]).matches[0].final_score == (16, 0)


def test_waiting_roll_is_no_dance(session):
    # GNU Backgammon writes "Ada cannot move" for a roll that she has not played yet.
    assert "* Ada cannot move" in SESSION[1].read_text()
    assert session.decisions.move[session.decisions.game == 2].tolist() == [1, 2, 2]


@pytest.mark.parametrize("name", ["chances", "commas"])
def test_match_winning_chances_become_equities(name):
    # Exported with 'set output mwc on', once in per cent, once as fractions and with decimal commas.
    equities = read_gnubg_text(MATCH[1], day_first=False)
    chances = read_gnubg_text(FOLDER / f"gnubg_{name}_002.txt", day_first=False)
    assert chances.problems == ()
    assert row_differences(equities, chances, equity=0.001, luck=0.001) == []


def test_chances_by_another_table_are_refused():
    # Bo is one point away: what he wins by a pass is the match.
    text = (FOLDER / "gnubg_chances_002.txt").read_text()
    cube = "Cube analysis\n0-ply cubeless MWC  83.27%\n1. No double            83.62%\n2. Double, pass         {}\n"
    for worth, good in (("100.00%", True), ("99.00%", False)):
        changed = text.replace("\nRolled 64", "\n" + cube.format(worth) + "\nRolled 64", 1)
        found = read_gnubg_text(("x.txt", changed), day_first=False)
        assert (found.problems == ()) == good
    assert "another table" in found.problems[0].reason
    assert "x.txt, line" in str(found.problems[0])


def test_decimal_commas_in_equities():
    text = re.sub(r"(\d)\.(\d)", r"\1,\2", MATCH[0].read_text())
    assert row_differences(read_gnubg_text(MATCH[0]), read_gnubg_text(("commas.txt", text))) == []


def test_windows_line_ends_and_mark():
    text = "\ufeff" + MATCH[0].read_text().replace("\n", "\r\n")
    assert row_differences(read_gnubg_text(MATCH[0]), read_gnubg_text(("windows.txt", text))) == []


@pytest.mark.parametrize("name, line", [("german", 1), ("turkish", 27)])
def test_other_languages_are_refused(name, line):
    found = read_gnubg_text(FOLDER / f"gnubg_{name}.txt", day_first=False)
    assert len(found.decisions) == 0
    assert len(found.problems) == 1
    assert str(found.problems[0]).startswith(f"{FOLDER / f'gnubg_{name}.txt'}, line {line}: ")
    assert is_gnubg_text((FOLDER / f"gnubg_{name}.txt").read_text())


@pytest.mark.parametrize(
    "old, new, reason",
    [
        ("* Ada moves 13/1*(2)", "* Ada zieht 13/1*(2)", "in another language"),
        ("* Ada accepts", "* Ada hyväksyy", "in another language"),
        ("\nRolled 66 (+0.479):", "\nDés 66 (+0.479):", "in another language"),
        ("Eq.: +0.212 (-0.247)", "Equidad: +0.212 (-0.247)", "in another language"),
        ("1. No double           -0.037", "1. Kein Dopplung       -0.037", "is no cube action"),
    ],
)
def test_partly_translated_exports_are_refused(old, new, reason):
    text = MATCH[0].read_text()
    assert old in text
    found = read_gnubg_text(("mixed.txt", text.replace(old, new, 1)), day_first=False)
    assert reason in found.problems[-1].reason
    assert found.matches[0].final_score is None
    assert_prefix(found, read_gnubg_text(MATCH[0], day_first=False))


def test_unanalysed_text():
    text = MATCH[0].read_text()
    text = re.sub(r"^[* ] +\d+\. .*\n.*\n", "", text, flags=re.MULTILINE)
    text = re.sub(r"^Cube analysis\n(?:.*\n){7}", "", text, flags=re.MULTILINE)
    found = read_gnubg_text(("plain.txt", text), day_first=False)
    full = read_gnubg_text(MATCH[0], day_first=False)
    assert found.problems == ()
    assert np.diff(found.decisions.option_start).max() == 0
    assert np.isnan(found.decisions.equities).all()
    assert (found.decisions.played[found.decisions.kind == Kind.CHECKER] == UNKNOWN).all()
    # Only the doubles that were made, and their answer, are known to have been decided.
    assert found.decisions.kind.tolist().count(Kind.DOUBLE) == 1
    assert found.matches[0].key == full.matches[0].key


def assert_prefix(part, full):
    """``part`` holds the first decisions of ``full``, bit for bit."""
    rows = len(part.decisions)
    for name in COLUMNS:
        mine, theirs = getattr(part.decisions, name), getattr(full.decisions, name)[:rows]
        assert np.array_equal(mine, theirs, equal_nan=mine.dtype.kind == "f"), name
    assert np.array_equal(part.decisions.option_start, full.decisions.option_start[: rows + 1])
    options = part.decisions.option_start[-1]
    for name in ("board", "equity", "shares", "depth"):
        mine, theirs = getattr(part.decisions.options, name), getattr(full.decisions.options, name)[:options]
        assert np.array_equal(mine, theirs, equal_nan=mine.dtype.kind == "f"), name


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 1), st.floats(0, 1))
def test_truncated_files(number, share):
    full = read_gnubg_text(texts(), day_first=False)
    cut = texts()
    name, text = cut[number]
    cut[number] = (name, text[: int(share * len(text))])
    found = read_gnubg_text(cut[: number + 1], day_first=False)
    assert_prefix(found, full)
    if len(found.decisions) < (full.decisions.game <= number + 1).sum():
        assert found.problems
        assert found.problems[-1].source == name
        assert not found.matches or found.matches[0].final_score is None


def test_cut_in_the_middle_of_a_match():
    cut = texts()
    cut[1] = (cut[1][0], cut[1][1].split("Move number 4:")[0])
    found = read_gnubg_text(cut, day_first=False)
    # The last block before the cut may have lost a line, and what comes after it is not trusted.
    assert found.decisions.game.max() == 2
    assert found.decisions.move[found.decisions.game == 2].tolist() == [1, 2]
    assert str(found.problems[0]) == (
        "gnubg_match_002.txt, line 114: the file ends within a move; what follows is left out"
    )


@settings(max_examples=40, deadline=None)
@given(st.data())
def test_damaged_files_never_crash(data):
    name, text = texts()[0]
    letters = list(text)
    for _ in range(data.draw(st.integers(1, 6))):
        place = data.draw(st.integers(0, len(letters) - 1))
        letters[place] = data.draw(st.characters(codec="utf-8"))
    found = read_gnubg_text([(name, "".join(letters)), texts()[1]], day_first=False)
    assert len(found.decisions) <= 18


@pytest.mark.parametrize("text", ["", "\n\n", "The score", "<html>", "Move number 1:  x", "1;2;3\n", "\0\0"])
def test_foreign_text(text):
    found = read_gnubg_text(("foreign.txt", text))
    assert (found.matches, len(found.decisions), len(found.problems)) == ((), 0, 1)
    assert not is_gnubg_text(text)


def test_files_that_cannot_be_opened(tmp_path):
    binary = tmp_path / "a.txt"
    binary.write_bytes(b"The score\0\1\2")
    found = read_gnubg_text([binary, tmp_path / "none.txt"])
    assert [problem.reason for problem in found.problems] == ["cannot be opened, or is no text"] * 2


def test_bytes_of_windows_names(tmp_path):
    path = tmp_path / "a.txt"
    path.write_bytes(MATCH[0].read_text().replace("Ada", "Zoé").encode("cp1252"))
    assert read_gnubg_text(path).matches[0].players[0] == "Zoé"


def test_files_that_do_not_belong_together():
    first, _, third = texts()
    stranger = (SESSION[0].name, SESSION[0].read_text())
    found = read_gnubg_text([first, third, stranger, ("copy.txt", first[1])], day_first=False)
    reasons = {problem.source: problem.reason for problem in found.problems}
    assert len(reasons) == 3
    assert "Ada against Bo to 0, not the match of the first file" in reasons["gnubg_session.txt"]
    assert reasons["gnubg_match_003.txt"] == "game 2 is missing before this one"
    assert "game 1 a second time" in " ".join(reasons.values())


def test_a_board_that_does_not_follow_is_damage():
    text = MATCH[0].read_text()
    ids = re.findall(r"Position ID: (\S+)", text)
    found = read_gnubg_text(("x.txt", text.replace(ids[5], ids[0])), day_first=False)
    assert "does not follow" in found.problems[0].reason
    assert found.decisions.move.max() == 4


def test_a_match_id_of_another_score_is_damage():
    text = MATCH[0].read_text()
    state = match_state(re.findall(r"Match ID   : (\S+)", text)[2])
    for changed in (state._replace(score=(1, 0)), state._replace(length=32000)):
        found = read_gnubg_text(("x.txt", text.replace(match_id(state), match_id(changed))), day_first=False)
        assert found.problems[0].reason.startswith("the Match ID is of another match or score")
        assert found.decisions.move.max() == 2


def test_hypergammon_is_refused():
    text = MATCH[0].read_text().replace("4HPwATDgc/ABMA", "AACgAAAAAAAAAA", 1)
    found = read_gnubg_text(("hyper.txt", text))
    assert "wanted are 15 and 15" in found.problems[-1].reason


def test_dates_that_can_be_read_in_two_ways():
    found = read_gnubg_text(MATCH[0])
    assert found.matches[0].date == ""
    assert "date 03/04/26: day and month cannot be told apart" in found.problems[0].reason
    assert read_gnubg_text(MATCH[0], day_first=True).matches[0].date == "2026-04-03"


def test_comments_are_passed_over():
    text = MATCH[0].read_text()
    comment = "Annotation:\n* Ada zieht 3/2\n1. Foo +0.5\nRolled 66 (+1.0):\nMove number 9: no\n\n"
    text = text.replace("Move number 3:", comment + "Move number 3:", 1)
    assert row_differences(read_gnubg_text(MATCH[0]), read_gnubg_text(("x.txt", text))) == []


def test_rollouts():
    block = MATCH[0].read_text()
    old = re.search(r"^\*    1\. Cubeful 0-ply    24/14 .*\n.*$", block, re.MULTILINE)[0]
    new = (
        "*    1. Rollout          24/14                        Eq.: +0.037\n"
        "       0.377 0.086 0.002 - 0.623 0.105 0.003 CL -0.267 CF -0.137\n"
        "      [0.002 0.001 0.000 - 0.002 0.001 0.000 CL  0.006 CF  0.007]\n"
        "        Truncated cubeful rollout (depth 3) with variance reduction\n"
        "        36 games, Mersenne Twister dice gen. with seed 691497865 and quasi-random dice"
    )
    found = read_gnubg_text(("rollout.txt", block.replace(old, new, 1)), day_first=False)
    assert found.problems == ()
    assert found.decisions.options.depth[0] == 100
    assert np.allclose(found.decisions.options.shares[0], [0.377, 0.086, 0.002, 0.105, 0.003])


def test_groups():
    names = ["b/x.txt", "x_002.txt", "x.txt", "y_003.txt", "y_002.txt", "x_12.txt", "x_010.txt"]
    groups = [[str(path) for path in group] for group in group_text_files(names)]
    assert groups == [
        ["b/x.txt"],
        ["x.txt", "x_002.txt", "x_010.txt"],
        ["x_12.txt"],
        ["y_002.txt", "y_003.txt"],
    ]
