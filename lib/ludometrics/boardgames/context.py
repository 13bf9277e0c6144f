"""What is known of a table before it plays: how familiar its people are with the game, and how long it takes."""

import math
from collections import defaultdict
from collections.abc import Mapping
from typing import NamedTuple

from ludometrics.boardgames.factors import LONGEST_PLAY
from ludometrics.boardgames.records import Game, Play, PlayLog
from ludometrics.boardgames.settings import EngineSettings


class Duration(NamedTuple):
    """How long a play took.

    Attributes
    ----------
    minutes : float
        NaN where it is not known.
    source : {"logged", "stated", "unknown"}
        As logged; the game's stated playing time in its stead; or neither.
    """

    minutes: float
    source: str


def experience(
    log: PlayLog, settings: EngineSettings, editions: Mapping[str, str] | None = None
) -> list[tuple[float, ...]]:
    """Count each seat's earlier plays of the game.

    All that are logged count, those that are not rated as well and those before a log was cut, since rules are learned
    in them too; the play itself does not.

    Parameters
    ----------
    log : PlayLog
    settings : EngineSettings
        `owner_experience` (the owner's plays before the log count) and `new_player_resets` (0 at a seat marked as a
        first play).
    editions : mapping of str to str, optional
        From the key of a game to that of its base game, with which it counts together; see
        `ludometrics.boardgames.weights.read_editions`.

    Returns
    -------
    list of tuple of float
        One tuple a play, one value a seat, at least 0; NaN for guests, and where the log does not hold the game or
        the person.

    Source
    ------
    Own; that familiarity with the game counts: the author of the published engine, bgelo.

    Examples
    --------
    >>> from datetime import datetime
    >>> from ludometrics.boardgames.records import Person, Seat
    >>> day = datetime(2026, 9, 1)
    >>> plays = tuple(Play(str(number), "g", day, day, (Seat("a"), Seat("b"))) for number in range(3))
    >>> log = PlayLog({"g": Game("g", "Game")}, {"a": Person("a", "A"), "b": Person("b", "B", True)}, plays)
    >>> [of_a for of_a, of_guest in experience(log, EngineSettings())]
    [0.0, 1.0, 2.0]
    """
    editions = editions or {}
    played: dict[tuple[str, str], int] = defaultdict(int)
    if settings.owner_experience and log.owner:
        for game in log.games.values():
            played[log.owner, editions.get(game.key, game.key)] += max(game.played_before, 0)
    known = {key for key, person in log.people.items() if not person.is_guest}
    for play in log.earlier:
        for person in {seat.person for seat in play.seats}:
            played[person, editions.get(play.game, play.game)] += 1
    rows = []
    for play in log.plays:
        game = editions.get(play.game, play.game) if play.game in log.games else None
        row = []
        for seat in play.seats:
            if game is None or seat.person not in known:
                row.append(math.nan)
            elif settings.new_player_resets and seat.new_player:
                row.append(0.0)
            else:
                row.append(float(played[seat.person, game]))
        rows.append(tuple(row))
        if game is not None:
            for person in {seat.person for seat in play.seats}:
                played[person, game] += 1
    return rows


def duration(play: Play, game: Game | None) -> Duration:
    """Tell how long a play took, or what the game states.

    Parameters
    ----------
    play : Play
    game : Game or None

    Returns
    -------
    Duration
        Logged minutes above 0 and up to a day; else the mean of the game's stated least and most, or the one of them
        that is stated; else unknown.

    Source
    ------
    That stated times stand in: the author of the published engine, bgelo. The bounds: own.

    Examples
    --------
    >>> from datetime import datetime
    >>> play = Play("1", "g", datetime(2026, 9, 1), datetime(2026, 9, 1), ())
    >>> duration(play, Game("g", "Game", min_minutes=30, max_minutes=60))
    Duration(minutes=45.0, source='stated')
    """
    if 0 < play.minutes <= LONGEST_PLAY:
        return Duration(float(play.minutes), "logged")
    stated = [] if game is None else [time for time in (game.min_minutes, game.max_minutes) if time > 0]
    mean = sum(stated) / len(stated) if stated else 0.0
    if 0 < mean <= LONGEST_PLAY:
        return Duration(mean, "stated")
    return Duration(math.nan, "unknown")
