"""Real matches in the folder that LUDOMETRICS_EXTRA_DATA names; none of them is part of the project."""

import json
import os
from pathlib import Path

import numpy as np
import pytest

from gnubg_samples import differences
from ludometrics.backgammon.gnubg_sgf import read_gnubg_sgf
from ludometrics.backgammon.gnubg_text import group_text_files, read_gnubg_text
from ludometrics.backgammon.gnubg_totals import text_totals
from ludometrics.backgammon.records import DOUBLE, PASS, TAKE, Kind


def folder(*parts):
    path = Path(os.environ.get("LUDOMETRICS_EXTRA_DATA") or ".", "backgammon", *parts)
    if not os.environ.get("LUDOMETRICS_EXTRA_DATA") or not path.exists():
        pytest.skip(
            f"LUDOMETRICS_EXTRA_DATA names no folder with backgammon/{'/'.join(parts)}: 1 test skipped"
        )
    return path


@pytest.mark.parametrize(
    "plies, games, length, score, date",
    [("2-ply", 15, 17, (14, 17), "2024-05-19"), ("4-ply", 7, 5, (3, 5), "")],
)
def test_totals_of_every_game(plies, games, length, score, date):
    # No game of the 22 differs by more than 0.006 of equity or 0.1 % of match winning chances from the program's own.
    (files,) = group_text_files(folder("gnubg_text", plies).glob("*.txt"))
    library = read_gnubg_text(files)
    totals = [total for file in files for total in text_totals(file.read_text(encoding="utf-8"))]
    assert len([total for total in totals if total.game]) == games
    assert differences(library, totals) == []
    match = library.matches[0]
    assert (match.length, match.final_score, match.date) == (length, score, date)
    assert (library.decisions.played[np.diff(library.decisions.option_start) > 0] >= 0).all()


def test_counts_of_an_sgf():
    known = json.loads((folder("program_totals") / "charlot1-charlot2.json").read_text(encoding="utf-8"))
    library = read_gnubg_sgf(folder("gnubg_sgf") / Path(known["sgf_file"]).name)
    decisions = library.decisions
    assert library.problems == ()
    assert list(library.matches[0].players) == known["players"]
    assert np.isnan(decisions.luck).all()  # written as -inf: not measured
    for seat, player in enumerate(("player1", "player2")):
        mine = decisions.where(decisions.seat == seat)
        checker, cube = mine.kind == Kind.CHECKER, mine.kind != Kind.CHECKER
        assert {
            "checker_total": checker.sum(),
            "checker_unforced": (checker & (mine.legal_plays > 1)).sum(),
            "checker_forced": (checker & (mine.legal_plays <= 1)).sum(),
            "total_cube": cube.sum(),
            "double_decisions": ((mine.kind == Kind.DOUBLE) & (mine.played == DOUBLE)).sum(),
            "take_decisions": ((mine.kind == Kind.RESPONSE) & (mine.played == TAKE)).sum(),
            "pass_decisions": ((mine.kind == Kind.RESPONSE) & (mine.played == PASS)).sum(),
        } == known["gnubg"][player]
