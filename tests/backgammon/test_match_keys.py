from dataclasses import replace

import pytest

from gnubg_samples import FOLDER, MATCH
from ludometrics.backgammon.gnubg_sgf import read_gnubg_sgf
from ludometrics.backgammon.gnubg_text import read_gnubg_text
from ludometrics.backgammon.match_keys import keyed, match_key
from ludometrics.backgammon.records import Kind, Library, join


@pytest.fixture(scope="module")
def library():
    return read_gnubg_text(MATCH, day_first=False)


def key(library, **changes):
    match = replace(library.matches[0], **changes)
    return match_key(match.players, match.length, library.decisions)


def swapped(library):
    """The same match with the players in the other seats."""
    match = replace(library.matches[0], players=library.matches[0].players[::-1])
    return Library((match,), replace(library.decisions, seat=1 - library.decisions.seat))


def test_the_same_match_from_both_kinds_of_file_is_kept_once(library):
    other = read_gnubg_sgf(FOLDER / "gnubg_match.sgf")
    assert library.matches[0].date == other.matches[0].date
    joined = join([library, other])
    assert len(joined.matches) == 1
    assert "the same match" in joined.problems[0].reason


def test_key_depends_on_neither_seats_nor_date_nor_case(library):
    wanted = library.matches[0].key
    assert key(library) == wanted
    assert keyed(swapped(library)).matches[0].key == wanted
    assert key(library, players=("ADA ", "bo moves 3/2")) == wanted
    assert read_gnubg_text(MATCH, day_first=True).matches[0].key == wanted


def test_rolls_that_cannot_be_played_do_not_matter(library):
    decisions = library.decisions
    assert key(Library(library.matches, decisions.where(decisions.legal_plays != 0))) == key(library)
    assert key(Library(library.matches, decisions.where(decisions.kind == Kind.CHECKER))) == key(library)


def test_key_depends_on_names_length_dice_and_plays(library):
    decisions = library.decisions
    dice, board = decisions.dice.copy(), decisions.board.copy()
    dice[-1] = (5, 3)
    board[-1, 20] += 1
    keys = [
        key(library),
        key(library, players=("Eve", "Bo moves 3/2")),
        key(library, length=5),
        key(Library(library.matches, replace(decisions, dice=dice))),
        key(Library(library.matches, replace(decisions, board=board))),
        key(Library(library.matches, decisions.where(decisions.game < 3))),
    ]
    assert len(set(keys)) == len(keys)
