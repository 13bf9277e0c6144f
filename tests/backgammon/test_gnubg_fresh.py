"""Matches that GNU Backgammon plays and analyses for these tests, against the totals that it prints itself."""

import json
import shutil
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest

from gnubg_samples import differences, row_differences
from ludometrics.backgammon.gnubg_program import find_gnubg, run_gnubg
from ludometrics.backgammon.gnubg_sgf import read_gnubg_sgf
from ludometrics.backgammon.gnubg_text import read_gnubg_text
from ludometrics.backgammon.gnubg_totals import sgf_totals, text_totals
from ludometrics.backgammon.records import PASS, TAKE, Kind

SCRIPT = Path(__file__).with_name("gnubg_played_matches.py")
#: Name, length (0: a money session of three games), seed of the dice and of the players, moves before a resignation.
MATCHES = [
    [f"m{length}_{moves}_{place}", length, 1000 * moves + place, moves]
    for place, (length, moves) in enumerate(
        [*[(length, 14) for length in (1, 2, 3, 4, 5, 5, 7, 7, 9, 11, 13, 17)],
         *[(length, 8) for length in (2, 3, 3, 5, 5, 7, 7, 9)], (1, 0), (3, 30), (0, 20)]
    )
]  # fmt: skip
PROCESSES = 5


def _play(matches):
    """File name -> text of the exports of ``matches``."""
    with tempfile.TemporaryDirectory() as folder:
        shutil.copy(SCRIPT, Path(folder, "script.py"))
        Path(folder, "matches.json").write_text(json.dumps(matches))
        run_gnubg(['load python "script.py"'], folder, timeout_seconds=120)
        return {path.name: path.read_text(encoding="utf-8") for path in sorted(Path(folder).glob("m*.*"))}


@pytest.fixture(scope="module")
def played():
    """Match name -> (text files, SGF)."""
    try:
        find_gnubg()
    except RuntimeError as error:
        pytest.skip(f"{error}; {len(MATCHES)} matches skipped")
    with ThreadPoolExecutor(PROCESSES) as pool:
        left = list(pool.map(_play, [MATCHES[start::PROCESSES] for start in range(PROCESSES)]))
    files = {name: text for part in left for name, text in part.items() if name != "matches.json"}
    if not files:
        pytest.skip(f"GNU Backgammon was built without Python; {len(MATCHES)} matches skipped")
    found = {}
    for name, *_ in MATCHES:
        texts = [
            (file, text)
            for file, text in sorted(files.items())
            if file == f"{name}.txt" or file.startswith(f"{name}_0")
        ]
        found[name] = (texts, (f"{name}.sgf", files[f"{name}.sgf"]))
    return found


@pytest.fixture(scope="module")
def libraries(played):
    return {
        name: (read_gnubg_text(texts, day_first=False), read_gnubg_sgf(sgf))
        for name, (texts, sgf) in played.items()
    }


def test_all_read_whole(libraries):
    assert len(libraries) >= 20
    for name, libs in libraries.items():
        length = next(match[1] for match in MATCHES if match[0] == name)
        for library in libs:
            assert library.problems == (), name
            match = library.matches[0]
            assert (match.length, match.date) == (length, "2026-03-20")
            assert match.final_score is not None
            assert length == 0 or match.winner is not None
            listed = np.diff(library.decisions.option_start) > 0
            assert (library.decisions.played[listed] >= 0).all()


def test_they_hold_what_is_to_be_tried(libraries):
    decisions = [text.decisions for text, _ in libraries.values()]
    crawford = {text.matches[0].length for text, _ in libraries.values() if text.decisions.crawford.any()}
    assert len(crawford) >= 3
    assert any(part.post_crawford.any() for part in decisions)
    assert max(part.cube.max() for part in decisions) >= 4
    for answer in (TAKE, PASS):
        assert sum(((part.kind == Kind.RESPONSE) & (part.played == answer)).sum() for part in decisions) >= 10
    assert sum((part.legal_plays == 0).sum() for part in decisions) >= 5


def test_text_totals(played, libraries):
    for name, (text, _) in libraries.items():
        totals = [total for _, part in played[name][0] for total in text_totals(part)]
        assert [total.game for total in totals if total.game] == sorted(set(text.decisions.game.tolist()))
        assert differences(text, totals) == [], name


def test_sgf_totals(played, libraries):
    for name, (_, sgf) in libraries.items():
        assert differences(sgf, sgf_totals(played[name][1][1])) == [], name


def test_text_and_sgf_row_by_row(libraries):
    for name, (text, sgf) in libraries.items():
        assert row_differences(text, sgf, equity=0.00052) == [], name
