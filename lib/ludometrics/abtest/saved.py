"""Games of a test as they were saved in daily files, and the versions recorded before play."""

import errno
import math
import os
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import date
from pathlib import Path

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from ludometrics.abtest.ledger import compare_with_games
from ludometrics.gamelog import LEVEL_NAMES, Game, day_of_file, file_name, fold_name, read_day
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
)


@dataclass(frozen=True)
class SavedTest:
    """Games of a test, as `analyse` takes them, with what was known of the players before.

    Attributes
    ----------
    games : DataFrame
        One row a game in the order of play: player (as written), variant, score of the player (nan: left unfinished),
        and what else is known. From daily files: colour ("b", "w"), day, order (number of the game in its day's file).
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
    games: Iterable[tuple[date, Game]],
    *,
    level: str = "medium",
    system: str | None = "glicko1",
    level_names: Mapping[str, str] = LEVEL_NAMES,
) -> SavedTest:
    """Pick the games of a test out of saved games: those against the level that have a version.

    Parameters
    ----------
    games : iterable of (date, Game)
        By day and in the order in which they ended, as `ludometrics.gamelog.read_games` gives them.
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
    games: Iterable[tuple[date, Game]],
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
    rows, others, numbers = [], [], Counter()
    left_out = dict.fromkeys(REASONS, 0)
    place = -1
    for place, (day, game) in enumerate(games):
        numbers[day] += 1
        human = _human_side(game, level_names, where=f"{folder}{file_name(day)}, game {numbers[day]}")
        reason = _why_not(game, human, level)
        if reason is None:
            is_black = human == "b"
            score = game.score_of_black if is_black else 1.0 - game.score_of_black
            player = game.black if is_black else game.white
            rows.append((place, player, game.variant, score, human, day, numbers[day]))
            continue
        left_out[reason] += 1
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
        Holds files ``scores-YYYY-MM-DD.json``; others are passed over.
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
    games = []
    for day, path in sorted((day_of_file(path), path) for path in folder.iterdir() if day_of_file(path)):
        if not path.is_file():
            continue
        try:
            games += [(day, game) for game in read_day(path, levels=tuple(level_names))]
        except RecursionError:
            raise ValueError(f"{path}: holds lists within lists without end") from None
        except ValueError as error:  # begins with the file's own name
            raise ValueError(f"{within}{error}") from None
    if not games:
        raise ValueError(f"{folder}: no game in any file scores-YYYY-MM-DD.json of this folder")
    return _collect(games, level, system, level_names, within)


def add_recorded(test: SavedTest, ledger: pd.DataFrame, *, experiment: str | None = None) -> SavedTest:
    """Set beside each game the version that was recorded before it.

    Parameters
    ----------
    test : SavedTest
    ledger : DataFrame
        As `ludometrics.abtest.read_ledger` gives it.
    experiment : str, optional
        Needed where the ledger holds several.

    Returns
    -------
    SavedTest
        With the column assigned. Where versions are recorded game by game and the games carry no number (no column
        game), each player's are matched in order with the recorded ones, so that as few as can be have another version.
        A game that was never recorded counts as one of another version. Games and players that were recorded, but of
        which no finished game is saved, are added without a score, a game before the player's next one: they were dealt
        a version too. Blocks and the way of dealing are the ledger's.

    Raises
    ------
    ValueError
        The ledger holds no such experiment, or several and none is chosen; and as `compare_with_games`.

    Source
    ------
    Own.
    """
    held = sorted(set(ledger["experiment"]))
    if experiment is not None or not held:
        ledger = ledger[ledger["experiment"] == experiment]
        if not len(ledger):
            raise ValueError(f"the ledger holds no experiment {experiment!r}, only {held}")
    games = test.games.reset_index(drop=True)
    keys = games["player"].map(fold_name)
    notes = list(test.notes)
    if "game" not in games and ledger["game"].notna().any():
        games["game"] = _number_games(games["variant"], keys, ledger)
        notes.append(
            "Games were matched in order with the versions recorded before play: they carry no number."
        )
    wrong = compare_with_games(ledger, games)
    other = wrong["variant"].map({"A": "B", "B": "A"})
    games["assigned"] = games["variant"].mask(games.index.isin(wrong.index), wrong["recorded"].fillna(other))
    missing, places = _never_finished(games, keys, ledger)
    unrecorded = int(wrong["recorded"].isna().sum())
    if unrecorded:
        notes.append(f"{_count(unrecorded, 'game was', 'games were')} never recorded before play.")
    if len(missing):
        notes.append(f"{len(missing)} recorded before play, but no finished game of theirs is saved.")
        order = np.argsort([*range(len(games)), *(place - 0.5 for place in places)], kind="stable")
        games = pd.concat([games, missing]).iloc[order].reset_index(drop=True)
    designs = set(ledger["design"])
    blocks = ledger.dropna(subset="block").set_index("player")["block"]
    return replace(
        test,
        games=games,
        blocks=blocks if len(blocks) else test.blocks,
        assignment=designs.pop() if len(designs) == 1 else None,
        notes=tuple(notes),
    )


def _human_side(game: Game, level_names: Mapping[str, str], *, where: str) -> str | None:
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


def _why_not(game: Game, human: str | None, level: str) -> str | None:
    if human is None:
        return REASONS[1]
    if game.level != level:
        return REASONS[0]
    if game.variant is None:
        return REASONS[2]
    name = game.black if human == "b" else game.white
    return REASONS[3] if fold_name(name).startswith(REMOVED) else None


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


def _number_games(variants: pd.Series, keys: pd.Series, ledger: pd.DataFrame) -> pd.Series:
    """Number of each game: that of the recorded version it is matched with; missing where there is none."""
    dealt = ledger.dropna(subset="game").sort_values("game", kind="stable")
    recorded = dict(iter(dealt.groupby(dealt["player"].map(fold_name))))
    numbers = pd.Series(pd.NA, index=variants.index, dtype="Int64")
    for key, rows in keys.groupby(keys).indices.items():
        if key in recorded:
            of_player = recorded[key]
            found = _match(variants.to_numpy()[rows], of_player["variant"].to_numpy())
            known = found >= 0
            numbers.iloc[rows[known]] = of_player["game"].to_numpy()[found[known]]
    return numbers


def _match(played: NDArray, recorded: NDArray) -> NDArray[np.int64]:
    """Index of the recorded version of each game played, in order, as few as can be unlike, each as early as can be.

    Games that are more than the recorded ones are left over: -1.
    """
    if len(played) > len(recorded):
        found = np.full(len(played), -1, dtype=np.int64)
        found[_match(recorded, played)] = np.arange(len(recorded))
        return found
    width = len(recorded) - len(played) + 1
    # least[i, k]: unlike ones from game i on, where k recorded ones or more are passed over before it
    least = np.zeros((len(played) + 1, width), dtype=np.int32)
    for at in range(len(played) - 1, -1, -1):
        unlike = (recorded[at : at + width] != played[at]) + least[at + 1]
        least[at] = np.minimum.accumulate(unlike[::-1])[::-1]
    found, passed = np.zeros(len(played), dtype=np.int64), 0
    for at, version in enumerate(played):
        while (recorded[at + passed] != version) + least[at + 1, passed] > least[at, passed]:
            passed += 1
        found[at] = at + passed
    return found


def _never_finished(
    games: pd.DataFrame, keys: pd.Series, ledger: pd.DataFrame
) -> tuple[pd.DataFrame, list[int]]:
    """Recorded games, or players of a test as a whole, that no saved game belongs to: rows without a score.

    With each the row of `games` that it came before.
    """
    numbers = games["game"].to_numpy(np.float64, na_value=math.nan) if "game" in games else None
    played = keys.groupby(keys).indices
    rows, places = [], []
    for row in ledger.itertuples(index=False):
        own, place = played.get(fold_name(row.player), ()), len(games)
        if len(own):
            if pd.isna(row.game) or (numbers[own] == row.game).any():
                continue
            place = int(own[numbers[own] > row.game].min(initial=place))
        rows.append((row.player, row.variant, math.nan, row.variant, row.game))
        places.append(place)
    missing = pd.DataFrame(rows, columns=["player", "variant", "score", "assigned", "game"])
    if "colour" in games:
        missing["colour"] = "b"  # of a game that has no score: never looked at
    missing = missing[[name for name in games.columns if name in missing]]
    return missing.astype({"game": "Int64"} if "game" in games else {}), places


def _count(n: int, one: str, many: str) -> str:
    return f"{n} {one if n == 1 else many}"
