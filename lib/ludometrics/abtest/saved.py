"""Games of a test as they were saved in daily files."""

import errno
import math
import os
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date
from pathlib import Path

import numpy as np
import pandas as pd

from ludometrics.gamelog import (
    LEVEL_NAMES,
    Game,
    UnratedGame,
    file_name,
    fold_name,
    kind_and_day,
    read_day,
    read_unrated,
    unrated_name,
)
from ludometrics.gamelog.names import LEVEL_OF_KEY
from ludometrics.ratings import index_games, rate
from ludometrics.ratings.leaderboard import REMOVED

#: Systems that can rate players from their games before the test.
RATINGS = ("elo", "glicko1")
#: Why a saved game is not one of the test.
REASONS = (
    "against another level",
    "between two players",
    "without a recorded version",
    "of players who were removed",
    "under a name that is the computer's",
    "saved a second time",
)


@dataclass(frozen=True)
class SavedTest:
    """Games of a test, as `analyse` takes them, with what was known of the players before.

    Attributes
    ----------
    games : DataFrame
        One row a game in the order of play: player (as written), variant, score of the player (nan: left unfinished),
        and what else is known. From daily files: colour ("b", "w"), day, order (number of the game in its day's file;
        of one that is not rated, of the last rated game before it).
    ratings : Series or None
        Rating of each player before the player's first game of the test, Elo points; nan where there was none.
    blocks : Series or None
        Block of each player of a blocked design.
    assignment : str or None
        How versions were dealt, where a ledger says so.
    left_out : dict of str to int
        Saved games that are not of the test, by `REASONS`.
    notes : tuple of str
        The same in sentences, and what else a reader should know.
    """

    games: pd.DataFrame
    ratings: pd.Series | None = None
    blocks: pd.Series | None = None
    assignment: str | None = None
    left_out: Mapping[str, int] | None = None
    notes: tuple[str, ...] = ()


def collect_games(
    games: Iterable[tuple[date, Game | UnratedGame]],
    *,
    level: str = "medium",
    system: str | None = "glicko1",
    level_names: Mapping[str, str] = LEVEL_NAMES,
) -> SavedTest:
    """Pick the games of a test out of saved games: those against the level that have a version.

    Parameters
    ----------
    games : iterable of (date, Game or UnratedGame)
        By day and in the order in which they ended. A game that is not rated (abandoned, or with a move taken back) was
        dealt a version all the same: it stands without a score.
    level : str
        Level of the computer whose versions are compared.
    system : {"elo", "glicko1"} or None
        Ratings from the games before each player's first one of the test, with the system's own settings: Elo as in
        the adaptive-draughts course, or Glicko-1. Games of the test count for nobody's rating. None: no ratings.
    level_names : mapping of str to str
        Name under which the computer plays each level.

    Returns
    -------
    SavedTest
        The player is the side that is not the computer. Removed players, whose name is no longer theirs alone, are
        left out.

    Raises
    ------
    ValueError
        An unknown level or system; a game with a level in which neither side or both are that level's computer, named
        by file and number; no game of the test.

    Source
    ------
    Own.

    Examples
    --------
    >>> medium = {"level": "medium", "variant": "B"}
    >>> log = [Game("Ann", "Bob", "b"), Game("Computer (Medium)", "Ann", "w", **medium)]
    >>> test = collect_games([(date(2026, 9, 1), game) for game in log], system="elo")
    >>> test.games[["player", "variant", "score", "colour"]].to_numpy().tolist()
    [['Ann', 'B', 1.0, 'w']]
    >>> test.ratings.to_dict(), test.left_out["between two players"]
    ({'Ann': 1216.0}, 1)
    """
    return _collect(games, level, system, level_names)


def _collect(
    games: Iterable[tuple[date, Game | UnratedGame]],
    level: str,
    system: str | None,
    level_names: Mapping[str, str],
    folder: str = "",
) -> SavedTest:
    """Do what `collect_games` says; messages put the folder, with its separator, before the name of a file."""
    if level not in level_names:
        raise ValueError(f"level is {level!r}: allowed are {', '.join(map(repr, level_names))}")
    if system is not None and system not in RATINGS:
        raise ValueError(f"system is {system!r}: allowed are {', '.join(map(repr, RATINGS))}, or None")
    rows, others, numbers, ids = [], [], Counter(), set()
    left_out = dict.fromkeys(REASONS, 0)
    place = -1
    for place, (day, game) in enumerate(games):
        rated = isinstance(game, Game)
        numbers[day, rated] += 1
        name = file_name(day) if rated else unrated_name(day)
        human = _human_side(game, level_names, where=f"{folder}{name}, game {numbers[day, rated]}")
        reason = REASONS[5] if game.id is not None and game.id in ids else _why_not(game, human, level)
        ids.add(game.id)
        if reason is None:
            player = game.black if human == "b" else game.white
            rows.append((place, player, game.variant, _score(game, human), human, day, numbers[day, True]))
            continue
        if not rated:
            continue
        left_out[reason] += 1
        if reason in REASONS[4:]:
            continue
        if game.level != level or game.variant is None:
            others.append((place, day, game))
    if not rows:
        raise ValueError(
            f"none of {place + 1} saved games is of a test of level {level!r}: none has a version"
        )
    columns = ["place", "player", "variant", "score", "colour", "day", "order"]
    table = pd.DataFrame(rows, columns=columns)
    ratings = None if system is None else _earlier_ratings(table, others, system)
    return SavedTest(table.drop(columns="place"), ratings, left_out=left_out, notes=_left_out_notes(left_out))


def read_saved(
    folder: str | os.PathLike[str],
    level: str = "medium",
    *,
    system: str | None = "glicko1",
    level_names: Mapping[str, str] = LEVEL_NAMES,
) -> SavedTest:
    """Read the games of a test from a folder of daily files.

    Parameters
    ----------
    folder : path
        Holds files ``scores-YYYY-MM-DD.json``, and ``unrated-YYYY-MM-DD.json`` where games were left unfinished; others
        are passed over.
    level, system, level_names
        As in `collect_games`.

    Returns
    -------
    SavedTest

    Raises
    ------
    ValueError
        No daily file; a file or game at fault, named with its path, the row, the value and what is allowed; and as
        `collect_games`.
    FileNotFoundError, NotADirectoryError
        No such folder.

    Source
    ------
    Own.
    """
    folder = Path(folder)
    if not folder.is_dir():
        error = NotADirectoryError if folder.exists() else FileNotFoundError
        raise error(errno.ENOENT, "no such folder of daily files", str(folder))
    within = f"{folder}{os.sep}"
    days = {kind_and_day(path): path for path in folder.iterdir() if kind_and_day(path) and path.is_file()}
    games = []
    try:
        for day in sorted({day for _, day in days}):
            rated = (
                read_day(days["scores", day], levels=tuple(level_names)) if ("scores", day) in days else []
            )
            unrated = (
                read_unrated(days["unrated", day], levels=tuple(level_names))
                if ("unrated", day) in days
                else []
            )
            games += [(day, game) for game in _in_order(rated, unrated)]
    except ValueError as error:  # begins with the file's own name
        raise ValueError(f"{within}{error}") from None
    if not games:
        raise ValueError(f"{folder}: no game in any file scores-YYYY-MM-DD.json of this folder")
    return _collect(games, level, system, level_names, within)


def _in_order(rated: list[Game], unrated: list[UnratedGame]) -> list[Game | UnratedGame]:
    """Games of a day in the order in which they ended."""
    places = [*range(1, len(rated) + 1), *(min(game.after, len(rated)) + 0.5 for game in unrated)]
    return [(rated + unrated)[at] for at in np.argsort(places, kind="stable")]


def _score(game: Game | UnratedGame, human: str) -> float:
    if not isinstance(game, Game):
        return math.nan
    return game.score_of_black if human == "b" else 1.0 - game.score_of_black


def _human_side(game: Game | UnratedGame, level_names: Mapping[str, str], *, where: str) -> str | None:
    """Colour of the player in a game against a level; None in a game between two."""
    if game.level is None:
        return None
    if game.level not in level_names:
        allowed = ", ".join(map(repr, level_names))
        raise ValueError(f"{where}: level is {game.level!r}: allowed are {allowed}")
    computer = level_names[game.level]
    sides = [fold_name(name) == fold_name(computer) for name in (game.black, game.white)]
    if sum(sides) != 1:
        which = "both sides are" if all(sides) else f"neither {game.black!r} nor {game.white!r} is"
        raise ValueError(f"{where}: level is {game.level!r}, but {which} {computer!r}: one side must be")
    return "w" if sides[0] else "b"


def _why_not(game: Game | UnratedGame, human: str | None, level: str) -> str | None:
    if human is None:
        return REASONS[1]
    if game.level != level:
        return REASONS[0]
    if game.variant is None:
        return REASONS[2]
    key = fold_name(game.black if human == "b" else game.white)
    if key in LEVEL_OF_KEY:
        return REASONS[4]
    return REASONS[3] if key.startswith(REMOVED) else None


def _left_out_notes(left_out: Mapping[str, int]) -> tuple[str, ...]:
    said = [f"{count} {reason}" for reason, count in left_out.items() if count]
    return (f"Saved games that are not of this test: {', '.join(said)}.",) if said else ()


def _earlier_ratings(table: pd.DataFrame, others: list[tuple[int, date, Game]], system: str) -> pd.Series:
    """Rating of each player when the player's first game of the test began, from games that are not of the test."""
    keys = table["player"].map(fold_name)
    first = table.assign(key=keys).drop_duplicates("key")  # in the order of play
    named = [(place, day, fold_name(game.black), fold_name(game.white), game) for place, day, game in others]
    named = [row for row in named if row[2] != row[3]]  # one person under two spellings tells nothing
    places = np.array([row[0] for row in named])
    games = index_games(
        [row[2] for row in named],
        [row[3] for row in named],
        [row[4].score_of_black for row in named],
        times=[float(row[1].toordinal()) for row in named],
    )
    index = {key: number for number, key in enumerate(games.players)}
    found, record, done = {}, None, 0
    for row in first.itertuples(index=False):
        found[row.player] = math.nan
        if row.key not in index:
            continue
        end = int(np.searchsorted(places, row.place))
        if end > done:
            record, done = rate(games.part(slice(done, end)), system, state=record), end
        if record is not None and record.games[index[row.key]] > 0:
            found[row.player] = float(record.ratings[index[row.key]])
    return pd.Series(found, name="rating", dtype=np.float64)
