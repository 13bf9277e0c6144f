"""Players of known strength at the club: "Match me" finds them, and versions are dealt as the test says."""

import numpy as np
import pytest

from ludometrics.abtest import read_ledger
from ludometrics.abtest.recorded import add_recorded
from ludometrics.abtest.saved import read_saved
from ludometrics.draughts import LEVELS, Level, choose_move
from ludometrics.web import Club, Order

GAMES = 16


def play(club: Club, name: str, strength: Level, rng: np.random.Generator, number: int, level: str) -> str:
    """A whole game of a simulated player, White in every second one; gives the level met."""
    order = Order("computer", name, f"{name}-request-{number:06d}", colour="bw"[number % 2], level=level)
    game = club.start(order).game
    while game.ending is None:
        path = choose_move(game.game.position, strength, rng=rng).path
        game = club.move(game.id, game.key, game.ply, path)
    assert game.saved
    return game.level


@pytest.mark.parametrize(
    "name, strength, low, high", [("Ada", Level(4, 0.05), 6, 9), ("Hal", Level(1, 0.8), 1, 3)]
)
def test_match_me_finds_how_strong_somebody_is(tmp_path, name, strength, low, high):
    rng = np.random.default_rng(2026)
    club = Club(tmp_path, rng=np.random.default_rng(7))
    met = [int(play(club, name, strength, rng, number, "match")[1:]) for number in range(GAMES)]
    assert met[0] == 5  # everybody's gentle beginning
    assert low <= np.median(met[-6:]) <= high, met


def test_versions_saved_are_those_recorded_before_play(tmp_path):
    rng = np.random.default_rng(2026)
    club = Club(tmp_path, rng=np.random.default_rng(7))
    for number in range(6):
        for name in ("Ada", "Hal"):
            play(club, name, LEVELS["nine"]["l3"], rng, number, "medium")
    club.start(Order("computer", "Ada", "Ada-left-it-there", level="medium"))
    test = add_recorded(read_saved(tmp_path), read_ledger(tmp_path / "assignments.jsonl"))
    finished = test.games.dropna(subset="score")
    assert (finished["variant"] == finished["assigned"]).all() and test.assignment == "alternate"
    assert finished.groupby("player")["variant"].value_counts().tolist() == [3, 3, 3, 3]
    assert len(test.games) == 13 and test.games["score"].isna().sum() == 1  # the game that is still open
