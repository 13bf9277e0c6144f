"""Games that are over: saved once, whatever is retried or killed on the way, and dropped after a while.

First the game's own file says that it is over, then the daily file takes it under the game's id, then its own file says
that it is saved. Whoever finds it between two of these steps goes on with the next; saving it twice changes nothing.
"""

import logging
from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path

from ludometrics.gamelog.daily import Game as SavedGame
from ludometrics.gamelog.daily import UnratedGame
from ludometrics.gamelog.lock import FolderBusyError
from ludometrics.gamelog.store import append_game, append_unrated, today
from ludometrics.web.live import RULES_TEXT, Ending, LiveGame
from ludometrics.web.livefolder import LiveFolder
from ludometrics.web.settings import Settings

_log = logging.getLogger(__name__)


def keep(folder: Path, live: LiveFolder, game: LiveGame, settings: Settings) -> LiveGame:
    """Write a game down, and save it if it is over; the game's lock must be held.

    Raises
    ------
    GoneError
        It was removed.
    TimeoutError
        Another program held the folder all the time; nothing has changed.
    """
    live.put(game)
    return save(folder, live, game, settings)


def save(folder: Path, live: LiveFolder, game: LiveGame, settings: Settings) -> LiveGame:
    """Save a game that is over, unless it is saved; where the folder is busy, somebody will later.

    Raises
    ------
    GoneError
        It was removed.
    """
    if game.ending is None or game.saved:
        return game
    day = today(settings.time_zone, now=game.ending.time_utc)
    common = {"level": game.level, "variant": game.variant, "id": game.id, "rules": RULES_TEXT}
    options = {"timeout_s": settings.timeout_s, "before": lambda: live.check(game.id)}
    try:
        if game.rated:
            rated = SavedGame(game.black, game.white, game.ending.winner, **common)
            saved = append_game(folder, rated, day, **options)
        else:
            why = "abandoned" if game.ending.reason == "abandoned" else "undo"
            saved = append_unrated(folder, UnratedGame(game.black, game.white, why, **common), day, **options)
        game = replace(game, saved=True)
        live.put(game)
    except FolderBusyError:
        _log.warning("game %s is over but not saved yet: the folder is busy", game.id)
    else:
        if saved.set_aside:
            _log.error("%s could not be read; it was set aside as %s", saved.file, saved.set_aside)
    return game


def tidy(folder: Path, live: LiveFolder, game: LiveGame, settings: Settings, now: datetime) -> None:
    """Save a game that is over or was abandoned, or drop it if there is nothing more to keep; raises as `keep`."""
    if game.ending is not None:
        game = save(folder, live, game, settings)
        if game.saved and now - game.ending.time_utc >= timedelta(minutes=settings.keep_minutes):
            live.drop(game.id)
    elif now - game.touched >= timedelta(minutes=settings.abandon_after_minutes):
        if game.moves_of_people == 0 and not game.taken_back and game.variant is None:
            live.drop(game.id)  # opened and left
        else:
            keep(folder, live, replace(game, ending=Ending(None, "abandoned", now)), settings)
