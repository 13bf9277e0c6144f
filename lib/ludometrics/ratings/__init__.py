"""Ratings of players from the outcomes of their games.

Each system is a module of functions with the same names: `replay` plays a log through, with the forecast of every
pair made before it is learned from; `expected_score`, `update` and `aged` where the system has them. `rate` calls any
of them by name. `index_games` and `index_tables` turn names into the arrays that a replay takes, `read_games` and
`read_tables` do so from files; `standings` and `leaderboard` turn ratings into tables.

>>> from ludometrics.ratings import elo, index_games
>>> games = index_games(["Ann", "Bob"], ["Bob", "Cid"], [1.0, 0.5])
>>> record = elo.replay(games.pairs, games.outcomes)
>>> {name: round(float(rating), 1) for name, rating in zip(games.players, record.ratings)}
{'Ann': 1216.0, 'Bob': 1184.7, 'Cid': 1199.3}
"""

from ludometrics.ratings import (
    bradley_terry,
    davidson,
    elo,
    glicko1,
    glicko2,
    posterior,
    trial,
    weng_lin,
    whr,
)
from ludometrics.ratings.bradley_terry import BradleyTerryRecord, BradleyTerrySettings
from ludometrics.ratings.checks import check_games
from ludometrics.ratings.davidson import DavidsonRecord, DavidsonSettings
from ludometrics.ratings.elo import EloRecord, EloSettings
from ludometrics.ratings.entrants import ENTRANTS, Entrant
from ludometrics.ratings.frames import days_since_1970, read_games, read_tables
from ludometrics.ratings.games import Games, index_games, index_tables
from ludometrics.ratings.glicko1 import Glicko1Record, Glicko1Settings
from ludometrics.ratings.glicko2 import Glicko2Record, Glicko2Settings
from ludometrics.ratings.leaderboard import Standing, leaderboard
from ludometrics.ratings.posterior import PosteriorRecord, PosteriorSettings
from ludometrics.ratings.standings import standings
from ludometrics.ratings.state import RatingState, load_state, save_state
from ludometrics.ratings.stream import StreamRecord, rate_stream
from ludometrics.ratings.sweep import expected_log_loss, settings_grid, sweep
from ludometrics.ratings.systems import SYSTEMS, System, by_player, rate
from ludometrics.ratings.weng_lin import WengLinRecord, WengLinSettings
from ludometrics.ratings.whr import WhrRecord, WhrSettings

__all__ = [
    "ENTRANTS",
    "SYSTEMS",
    "BradleyTerryRecord",
    "BradleyTerrySettings",
    "DavidsonRecord",
    "DavidsonSettings",
    "EloRecord",
    "EloSettings",
    "Entrant",
    "Games",
    "Glicko1Record",
    "Glicko1Settings",
    "Glicko2Record",
    "Glicko2Settings",
    "PosteriorRecord",
    "PosteriorSettings",
    "RatingState",
    "Standing",
    "StreamRecord",
    "System",
    "WengLinRecord",
    "WengLinSettings",
    "WhrRecord",
    "WhrSettings",
    "bradley_terry",
    "by_player",
    "check_games",
    "davidson",
    "days_since_1970",
    "elo",
    "expected_log_loss",
    "glicko1",
    "glicko2",
    "index_games",
    "index_tables",
    "leaderboard",
    "load_state",
    "posterior",
    "rate",
    "rate_stream",
    "read_games",
    "read_tables",
    "save_state",
    "settings_grid",
    "standings",
    "sweep",
    "trial",
    "weng_lin",
    "whr",
]
