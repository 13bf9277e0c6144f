"""The leaderboard's order, marks and hidden names; numbering of players."""

import json
from pathlib import Path

import pytest

from ludometrics.ratings import index_games, leaderboard

CASES = json.loads((Path(__file__).parents[1] / "data" / "ratings" / "leaderboard.json").read_text())


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["desc"])
def test_leaderboard(case):
    assert [list(row) for row in leaderboard(case["ratings"], case["games"])] == case["rows"]


def test_index_games_keeps_the_given_names_first():
    games = index_games(["Ann"], ["Bob"], [1], players=["Cid", "Bob"])
    assert games.players == ("Cid", "Bob", "Ann") and games.pairs.tolist() == [[2, 1]]


def test_index_games_refuses_what_cannot_be():
    with pytest.raises(ValueError, match="twice"):
        index_games([], [], [], players=["Ann", "Ann"])
    with pytest.raises(ValueError, match="against itself"):
        index_games(["Ann"], ["Ann"], [1])
    with pytest.raises(ValueError, match="1 first players but 0 second"):
        index_games(["Ann"], [], [1])
