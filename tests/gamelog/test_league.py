"""The league table of a day."""

import json
from pathlib import Path

import pytest

from ludometrics.gamelog import Game
from ludometrics.gamelog.league import league_table

CASES = json.loads((Path(__file__).parents[1] / "data" / "gamelog" / "league.json").read_text())


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["desc"])
def test_league_tables(case):
    games = [Game(*game) for game in case["games"]]
    assert [list(row) for row in league_table(games)] == case["table"]


def test_the_order_of_games_does_not_matter():
    games = [Game("Ann", "Bob", "b"), Game("Bob", "Cid", "draw"), Game("Cid", "Ann", "w")]
    assert league_table(games) == league_table(games[::-1])
