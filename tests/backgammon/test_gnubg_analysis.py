import numpy as np
import pytest

from gnubg_samples import FOLDER, row_differences
from ludometrics.backgammon import gnubg_program
from ludometrics.backgammon.gnubg_analysis import analyse, analyse_all
from ludometrics.backgammon.gnubg_program import find_gnubg
from ludometrics.backgammon.gnubg_sgf import read_gnubg_sgf
from ludometrics.backgammon.records import Kind

MAT = (FOLDER / "gnubg_match.mat").read_bytes()


@pytest.fixture
def installed():
    try:
        find_gnubg()
    except RuntimeError as error:
        pytest.skip(f"{error}; 1 test skipped")


@pytest.mark.parametrize("name", ["match.mat", "odd \"name; quit' $HOME.MAT", "jelly fish.txt"])
def test_a_match_without_analysis(installed, tmp_path, name):
    path = tmp_path / name
    path.write_bytes(MAT)
    seen = []
    found = analyse(path, plies=0, progress=lambda done, games: seen.append((done, games)))
    known = read_gnubg_sgf(FOLDER / "gnubg_match.sgf")
    # What .mat leaves out (event, round) takes no part in the analysis.
    assert row_differences(found, known, equity=1e-9, luck=1e-9) == []
    assert (found.matches[0].source, found.matches[0].met) == (str(path), "kazaross-xg2")
    assert seen[-1] == (3, 3)
    assert [item.name for item in tmp_path.iterdir()] == [name]


def test_a_session_in_sgf(installed, tmp_path):
    path = tmp_path / "a.sgf"
    path.write_text((FOLDER / "gnubg_session.sgf").read_text())
    found, known = analyse(path, plies=0), read_gnubg_sgf(path)
    assert (found.matches[0].length, found.matches[0].key) == (0, known.matches[0].key)
    # The roll that waits was not played, but not to double before it was a decision, and is analysed now.
    assert found.decisions.kind.tolist() == [*known.decisions.kind.tolist(), Kind.DOUBLE]


def test_no_luck(installed, tmp_path):
    path = tmp_path / "a.mat"
    path.write_bytes(MAT)
    decisions = analyse(path, plies=0, luck=False).decisions
    assert np.isnan(decisions.luck).all()
    assert (decisions.played[np.diff(decisions.option_start) > 0] >= 0).all()


def test_several(installed, tmp_path):
    for name in ("b.mat", "a.mat"):
        (tmp_path / name).write_bytes(MAT)
    (tmp_path / "c.mat").write_text("no match\n")
    found = analyse_all([tmp_path / name for name in ("c.mat", "b.mat", "a.mat")], plies=0)
    assert [match.source for match in found.matches] == [str(tmp_path / "a.mat")]
    assert [str(problem).split(": ", 1)[1][:28] for problem in found.problems] == [
        "this is not a match in .mat ",
        f"the same match as {tmp_path}"[:28],
    ]


@pytest.mark.parametrize(
    "name, text, reason",
    [
        ("a.xg", "x", r"asked to analyse \.sgf, \.mat, \.txt only"),
        ("a.mat", "hello", r"not a match in \.mat form"),
        ("a.sgf", "(;GM[1])", "not a backgammon match in SGF"),
        ("a.mat", "7 point match\n\0", r"not a match in \.mat form"),
    ],
)
def test_other_files(tmp_path, name, text, reason):
    path = tmp_path / name
    path.write_text(text)
    with pytest.raises(ValueError, match=reason) as error:
        analyse(path)
    assert str(path) in str(error.value)


def test_no_file(tmp_path):
    with pytest.raises(ValueError, match=r"none\.mat: cannot be opened"):
        analyse(tmp_path / "none.mat")


@pytest.mark.parametrize("plies", [-1, 5])
def test_depth(tmp_path, plies):
    with pytest.raises(ValueError, match=f"{plies} plies, allowed are 0 to 4"):
        analyse(tmp_path / "a.mat", plies=plies)


def test_a_match_that_gnu_backgammon_cannot_read(installed, tmp_path):
    path = tmp_path / "a.mat"
    path.write_text(" 7 point match\n\n nothing here\n")
    with pytest.raises(ValueError, match="GNU Backgammon cannot read it"):
        analyse(path, plies=0)


def test_absent(tmp_path, monkeypatch):
    monkeypatch.setattr(gnubg_program, "PLACES", ())
    monkeypatch.setenv("PATH", "")
    path = tmp_path / "a.mat"
    path.write_bytes(MAT)
    for call in (lambda: analyse(path), lambda: analyse_all([path])):
        with pytest.raises(RuntimeError, match="sudo apt-get install gnubg"):
            call()
