"""Saved games: one JSON file a day, kept by many programs at once, with names that can be removed.

>>> from ludometrics.gamelog import Game, LEVEL_NAMES
>>> Game("Ann", LEVEL_NAMES["medium"], "draw", level="medium", variant="A").score_of_black
0.5
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from ludometrics.gamelog.daily import (
    KINDS,
    VARIANTS,
    WHY_UNRATED,
    WINNERS,
    Game,
    UnratedGame,
    check_game,
    day_of_file,
    encode_day,
    file_name,
    kind_and_day,
    read_day,
    read_games,
    read_unrated,
    unrated_name,
    write_day,
)
from ludometrics.gamelog.day_files import LeftOut
from ludometrics.gamelog.league import LeagueRow, league_table
from ludometrics.gamelog.lock import FolderBusyError, FolderLock
from ludometrics.gamelog.names import (
    LEVEL_NAMES,
    ReservedNameError,
    clean_name,
    fold_name,
    is_player_name,
    is_reserved,
)
from ludometrics.gamelog.store import TIME_ZONE, Saved, append_game, append_unrated, today

if TYPE_CHECKING:
    from ludometrics.gamelog.expiry import Expired, expire
    from ludometrics.gamelog.exports import Exported, export
    from ludometrics.gamelog.finding import Found, Hit, find_name, search
    from ludometrics.gamelog.forgetting import Forgotten, RatingsWouldChangeError, forget
    from ludometrics.gamelog.loading import GameLog, load_log
    from ludometrics.gamelog.rated import RatedLog, RatingsDifferError
    from ludometrics.gamelog.snapshot import PlayerRating, RatedGames, Rater

__all__ = [
    "KINDS",
    "LEVEL_NAMES",
    "TIME_ZONE",
    "VARIANTS",
    "WHY_UNRATED",
    "WINNERS",
    "Expired",
    "Exported",
    "FolderBusyError",
    "FolderLock",
    "Forgotten",
    "Found",
    "Game",
    "GameLog",
    "Hit",
    "LeagueRow",
    "LeftOut",
    "PlayerRating",
    "RatedGames",
    "RatedLog",
    "Rater",
    "RatingsDifferError",
    "RatingsWouldChangeError",
    "ReservedNameError",
    "Saved",
    "UnratedGame",
    "append_game",
    "append_unrated",
    "check_game",
    "clean_name",
    "day_of_file",
    "encode_day",
    "expire",
    "export",
    "file_name",
    "find_name",
    "fold_name",
    "forget",
    "is_player_name",
    "is_reserved",
    "kind_and_day",
    "league_table",
    "load_log",
    "read_day",
    "read_games",
    "read_unrated",
    "search",
    "today",
    "unrated_name",
    "write_day",
]

# Modules that import much, by the names they give: read when first asked for, so that a process that only saves games
# starts at once.
_LATER = {
    "Expired": "expiry",
    "expire": "expiry",
    "Exported": "exports",
    "export": "exports",
    "Found": "finding",
    "Hit": "finding",
    "find_name": "finding",
    "search": "finding",
    "Forgotten": "forgetting",
    "RatingsWouldChangeError": "forgetting",
    "forget": "forgetting",
    "GameLog": "loading",
    "load_log": "loading",
    "RatedLog": "rated",
    "RatingsDifferError": "rated",
    "PlayerRating": "snapshot",
    "RatedGames": "snapshot",
    "Rater": "snapshot",
}


def __getattr__(name: str) -> Any:
    if name not in _LATER:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_LATER[name]}"), name)
