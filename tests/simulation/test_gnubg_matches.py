"""GNU Backgammon plays players of known skill: matches are whole, repeatable, resumed, and read back."""

import json

import pytest

from ludometrics.backgammon.gnubg_program import find_gnubg
from ludometrics.simulation import gnubg_matches
from ludometrics.simulation.backgammon_collecting import collect, collect_results
from ludometrics.simulation.backgammon_players import MatchTask

try:
    find_gnubg()
except RuntimeError as error:
    pytest.skip(f"all tests of matches played by GNU Backgammon: {error}", allow_module_level=True)

ANALYSED = MatchTask("m1", ("t080", "taker"), 3, "11", 5, "2026-01-01", 0)
HIMSELF = MatchTask("m2", ("t030", "t030"), 1, "12", 6, "2026-01-08", 0)
RESULT = MatchTask("e1", ("t080", "engine"), 3, "13", 7, "2026-01-01", None)


@pytest.fixture(scope="module")
def played(tmp_path_factory):
    folder = tmp_path_factory.mktemp("matches")
    said = []
    gnubg_matches.play([ANALYSED, HIMSELF], folder, processes=2, say=said.append)
    gnubg_matches.play([RESULT], folder, processes=1)
    assert said[-1] == "2 of 2 matches"
    return folder


def test_the_same_task_gives_the_same_match(played, tmp_path):
    gnubg_matches.play([RESULT], tmp_path, processes=1)
    assert (tmp_path / "e1" / "played.json").read_bytes() == (played / "e1" / "played.json").read_bytes()


def test_what_stands_there_is_not_made_again(played):
    before = (played / "m1" / "match.sgf.gz").stat().st_mtime_ns
    said = []
    gnubg_matches.play([ANALYSED, HIMSELF, RESULT], played, processes=1, say=said.append)
    assert said == [] and (played / "m1" / "match.sgf.gz").stat().st_mtime_ns == before


def test_matches_are_read_back_with_names_pace_and_scores(played):
    library = collect(played)
    assert [match.players for match in library.matches] == [("t080", "taker"), ("t030", "t030")]
    assert [match.key for match in library.matches] == ["m1", "m2"]
    # `collect` has held the final scores against the notes; every decision that was one has its time.
    decisions = library.decisions
    assert ((decisions.duration_ms > 0) | (decisions.legal_plays == 0)).all()
    assert len(collect(played, only=["m2"]).matches) == 1


def test_results_of_all_matches(played):
    table = collect_results(played)
    assert table["match"].tolist() == ["e1", "m1", "m2"]
    assert table["analysed"].tolist() == [False, True, True]
    assert (table[["score_1", "score_2"]].max(axis=1) >= table["length"]).all()


def test_notes_that_do_not_fit_the_match_are_refused(played, tmp_path):
    copy = tmp_path / "m1"
    copy.mkdir()
    for name in ("match.sgf.gz", "played.json"):
        (copy / name).write_bytes((played / "m1" / name).read_bytes())
    notes = json.loads((copy / "played.json").read_text())
    (copy / "played.json").write_text(json.dumps(notes | {"score": notes["score"][::-1]}))
    with pytest.raises(ValueError, match="the notes say"):
        collect(tmp_path)


def test_a_failure_names_the_match(tmp_path):
    broken = ANALYSED._replace(name="m9", length=3, dice_seed=-1, plies=99)
    with pytest.raises(RuntimeError, match="failed on m9"):
        gnubg_matches.play(
            [broken._replace(date="2026-01-01", players=("t080", "taker"), length=-5)], tmp_path, processes=1
        )
    assert not (tmp_path / "m9").exists()
