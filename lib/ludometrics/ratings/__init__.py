"""Ratings of players from the outcomes of their games.

Each system is a module of functions with the same names: `elo`, `glicko1` and `posterior` have `replay` (a
whole log in order, with the forecast of every game made before it is learned from), the first two also
`expected_score` and `update`.
`bradley_terry.fit` rates a whole log at once.
`index_games` turns names into the arrays that a replay takes; `leaderboard` turns ratings into a table.

>>> from ludometrics.ratings import elo, index_games
>>> games = index_games(["Ann", "Bob"], ["Bob", "Cid"], [1.0, 0.5])
>>> record = elo.replay(games.pairs, games.outcomes)
>>> {name: round(float(rating), 1) for name, rating in zip(games.players, record.ratings)}
{'Ann': 1216.0, 'Bob': 1184.7, 'Cid': 1199.3}
"""

from ludometrics.ratings import bradley_terry, elo, glicko1, posterior
from ludometrics.ratings.bradley_terry import BradleyTerryRecord
from ludometrics.ratings.elo import EloRecord, EloSettings
from ludometrics.ratings.games import Games, check_games, index_games
from ludometrics.ratings.glicko1 import Glicko1Record, Glicko1Settings
from ludometrics.ratings.leaderboard import Standing, leaderboard
from ludometrics.ratings.posterior import PosteriorRecord, PosteriorSettings

__all__ = [
    "BradleyTerryRecord",
    "EloRecord",
    "EloSettings",
    "Games",
    "Glicko1Record",
    "Glicko1Settings",
    "PosteriorRecord",
    "PosteriorSettings",
    "Standing",
    "bradley_terry",
    "check_games",
    "elo",
    "glicko1",
    "index_games",
    "leaderboard",
    "posterior",
]
