"""Saved games: one JSON file a day.

>>> from ludometrics.gamelog import Game, LEVEL_NAMES
>>> Game("Ann", LEVEL_NAMES["medium"], "draw", level="medium", variant="A").score_of_black
0.5
"""

from ludometrics.gamelog.daily import (
    LEVEL_NAMES,
    VARIANTS,
    WINNERS,
    Game,
    check_game,
    day_of_file,
    encode_day,
    file_name,
    is_player_name,
    read_day,
    read_games,
    write_day,
)
from ludometrics.gamelog.names import fold_name

__all__ = [
    "LEVEL_NAMES",
    "VARIANTS",
    "WINNERS",
    "Game",
    "check_game",
    "day_of_file",
    "encode_day",
    "file_name",
    "fold_name",
    "is_player_name",
    "read_day",
    "read_games",
    "write_day",
]
