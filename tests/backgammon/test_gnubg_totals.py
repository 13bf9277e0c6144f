import numpy as np
import pytest

from gnubg_samples import FOLDER, MATCH, SESSION, differences
from ludometrics.backgammon.gnubg_sgf import read_gnubg_sgf
from ludometrics.backgammon.gnubg_text import read_gnubg_text
from ludometrics.backgammon.gnubg_totals import CUBE_ERRORS, sgf_totals, text_totals
from ludometrics.backgammon.records import UNKNOWN

TEXT = [path.read_text() for path in MATCH]
SGF = (FOLDER / "gnubg_match.sgf").read_text()


def test_text():
    totals = [total for text in TEXT for total in text_totals(text)]
    assert [total.game for total in totals] == [1, 2, 3, 0]  # the match's own stand in its last file
    ada, bo = totals[0].players
    assert (ada.moves, ada.unforced, ada.very_bad, ada.takes) == (3, 3, 2, 1)
    assert (bo.moves, bo.unforced, bo.bad, bo.doubles) == (4, 3, 1, 1)
    assert (ada.close_cubes, ada.cube_errors[CUBE_ERRORS.index("missed doubles below cash point")]) == (3, 1)
    assert bo.cube_errors == (0, 0, 1, 0, 0, 0)
    assert bo.cube_error == 0.483


def test_both_kinds_of_file_say_the_same():
    text = [total for part in TEXT for total in text_totals(part) if total.game]
    for ours, theirs in zip(text, sgf_totals(SGF), strict=True):
        assert ours.game == theirs.game
        for first, second in zip(ours.players, theirs.players, strict=True):
            for name in ("checker_error", "cube_error", "luck", "error"):
                assert getattr(first, name) == pytest.approx(getattr(second, name), abs=0.0011)
            for name in ("checker_loss", "cube_loss", "luck_chance", "loss"):
                assert getattr(first, name) == pytest.approx(getattr(second, name), abs=2e-5)
            for name in (
                "moves",
                "unforced",
                "bad",
                "cube_decisions",
                "doubles",
                "takes",
                "passes",
                "cube_errors",
            ):
                assert getattr(first, name) == getattr(second, name)
            assert second.close_cubes == UNKNOWN


def test_our_totals():
    library = read_gnubg_text(MATCH, day_first=False)
    assert differences(library, [total for text in TEXT for total in text_totals(text)]) == []
    assert differences(read_gnubg_sgf(("x.sgf", SGF)), sgf_totals(SGF)) == []


def test_session():
    total = text_totals(SESSION[0].read_text())[0]
    assert np.isnan([player.loss for player in total.players]).all()  # points, not match winning chances
    assert total.players[1].cube_error == 0.288
    assert [player.takes for player in total.players] == [1, 0]


def test_decimal_commas_and_more_digits():
    text = TEXT[0].replace("-0.483 (", "-0,48312 (")
    assert text_totals(text)[0].players[1].cube_error == 0.48312


@pytest.mark.parametrize("text", ["", "Game statistics for game x", "(;GS[M:1 2])", "nothing"])
def test_no_totals(text):
    assert text_totals(text) == ()
    assert sgf_totals(text) == ()


def test_what_is_not_there_is_unknown():
    totals = text_totals(
        "Game statistics for game 1\n\nTotal moves   3    4\nError total EMG (MWC)  n/a   n/a\n"
    )
    player = totals[0].players[0]
    assert (player.moves, player.doubles, np.isnan(player.error)) == (3, UNKNOWN, True)
