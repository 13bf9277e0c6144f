"""Daily files: JSON arrays of games in the order in which they ended.

``scores-YYYY-MM-DD.json`` holds the rated games, as the adaptive-draughts course writes them;
``unrated-YYYY-MM-DD.json`` those that count for nobody's rating: other programs, which know no such games, never meet
one.
"""

import errno
import os
import re
from collections.abc import Callable, Collection, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, fields
from datetime import date
from pathlib import Path
from typing import Any

from ludometrics.gamelog.names import LEVEL_NAMES, NAME_FORM, REMOVED, fold_name, is_player_name
from ludometrics.gamelog.rows import encode_rows, parse_rows
from ludometrics.provenance import write_bytes

WINNERS = ("b", "w", "draw")
#: Score of Black by winner.
SCORES: Mapping[str, float] = {"b": 1.0, "draw": 0.5, "w": 0.0}
VARIANTS = ("A", "B")
#: Why a game is not rated.
WHY_UNRATED = ("abandoned", "undo")
#: What daily files hold, by the beginning of their names.
KINDS = ("scores", "unrated")

_FILE_NAME = re.compile(r"(scores|unrated)-([0-9]{4})-([0-9]{2})-([0-9]{2})\.json")
_SET_ASIDE = re.compile(r"(scores|unrated)-([0-9]{4})-([0-9]{2})-([0-9]{2})\.broken-[0-9]{1,6}\.json")
_TEXT = re.compile(r"[ -~]{1,120}")


@dataclass(frozen=True)
class Game:
    """One saved game.

    Attributes
    ----------
    black, white : str
        Names of the players; Black moves first.
    winner : {"b", "w", "draw"}
    level : str, optional
        Level of the computer, in a game against it.
    variant : {"A", "B"}, optional
        Version of the level, in a game that belongs to a test.
    id : str, optional
        Tells the game apart from all others, so that it is never counted twice: 1 to 120 printable ASCII signs.
    rules : str, optional
        Rules in force, in the words of whoever saved it: 1 to 120 printable ASCII signs.
    """

    black: str
    white: str
    winner: str
    level: str | None = None
    variant: str | None = None
    id: str | None = None
    rules: str | None = None

    @property
    def score_of_black(self) -> float:
        """Outcome as a score: 1, 0.5 or 0."""
        return SCORES[self.winner]


@dataclass(frozen=True)
class UnratedGame:
    """One saved game that counts for nobody's rating.

    Attributes
    ----------
    black, white : str
        Names of the players.
    why : {"abandoned", "undo"}
        It was left unfinished, or a move was taken back.
    after : int
        How many games the day's rated file held when it ended: its place among them.
    level, variant, id, rules
        As in `Game`.
    """

    black: str
    white: str
    why: str
    after: int = 0
    level: str | None = None
    variant: str | None = None
    id: str | None = None
    rules: str | None = None


def file_name(day: date) -> str:
    """Name of a day's file of rated games.

    Examples
    --------
    >>> file_name(date(2026, 9, 1))
    'scores-2026-09-01.json'
    """
    return f"scores-{day.isoformat()}.json"


def unrated_name(day: date) -> str:
    """Name of a day's file of games that are not rated.

    Examples
    --------
    >>> unrated_name(date(2026, 9, 1))
    'unrated-2026-09-01.json'
    """
    return f"unrated-{day.isoformat()}.json"


def kind_and_day(path: str | os.PathLike[str]) -> tuple[str, date] | None:
    """Kind and day that a daily file's own name gives; the folders above it do not matter.

    Returns
    -------
    (str, date) or None
        One of `KINDS`; None where the name is not exactly that of a daily file, or its day is in no calendar.

    Examples
    --------
    >>> kind_and_day("2020-01-01/unrated-2026-09-01.json")
    ('unrated', datetime.date(2026, 9, 1))
    """
    return _match(_FILE_NAME, path)


def set_aside_day(path: str | os.PathLike[str]) -> date | None:
    """Day of a file that was set aside because it could not be read (``scores-2026-09-01.broken-1.json``), or None."""
    found = _match(_SET_ASIDE, path)
    return found[1] if found else None


def day_of_file(path: str | os.PathLike[str]) -> date | None:
    """Day that the name of a file of rated games gives.

    Returns
    -------
    date or None
        None where the name is not exactly that of such a file, or its day is in no calendar.

    Examples
    --------
    >>> day_of_file("2020-01-01/scores-2026-09-01.json")
    datetime.date(2026, 9, 1)
    >>> day_of_file("scores-2026-02-30.json"), day_of_file("scores-2026-09-01.json.bak")
    (None, None)
    """
    found = kind_and_day(path)
    return found[1] if found and found[0] == "scores" else None


def check_game(game: Game, *, where: str = "game", levels: Collection[str] = tuple(LEVEL_NAMES)) -> None:
    """Check one game.

    Parameters
    ----------
    game : Game
    where : str
        What the message names: file and row.
    levels : collection of str
        Levels that are allowed.

    Raises
    ------
    ValueError
        Naming place, value and what is allowed.

    Examples
    --------
    >>> check_game(Game("Ann", "Bob", "x"), where="scores-2026-09-01.json, game 3")
    Traceback (most recent call last):
    ...
    ValueError: scores-2026-09-01.json, game 3: winner is 'x': allowed are 'b', 'w', 'draw'
    """
    _check_players(game, where)
    _check_choice(game, "winner", WINNERS, where)
    _check_rest(game, levels, where)


def check_unrated(
    game: UnratedGame, *, where: str = "game", levels: Collection[str] = tuple(LEVEL_NAMES)
) -> None:
    """Check one game that is not rated; parameters and errors as of `check_game`."""
    _check_players(game, where)
    _check_choice(game, "why", WHY_UNRATED, where)
    if isinstance(game.after, bool) or not isinstance(game.after, int) or game.after < 0:
        raise ValueError(f"{where}: after is {game.after!r}: it must be a whole number of at least 0")
    _check_rest(game, levels, where)


def write_day(
    folder: str | os.PathLike[str],
    day: date,
    games: Iterable[Game],
    *,
    levels: Collection[str] = tuple(LEVEL_NAMES),
) -> Path:
    """Write a day's games so that at any moment the file holds all of them or what it held before.

    No lock is taken: for folders that one program writes. `ludometrics.gamelog.append_game` adds to those of many.

    Parameters
    ----------
    folder : path
        Must exist.
    day : date
    games : iterable of Game
        In the order in which they ended.
    levels : collection of str
        Levels that are allowed.

    Returns
    -------
    Path
        The file.

    Raises
    ------
    ValueError
        A game that cannot be saved; nothing is written.
    FileNotFoundError
        No such folder.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = write_day(folder, date(2026, 9, 1), [Game("Ann", "Bob", "w")])
    ...     [(game.black, game.white, game.winner) for game in read_day(path)]
    [('Ann', 'Bob', 'w')]
    """
    path = Path(folder) / file_name(day)
    content = encode_day(games, where=path.name, levels=levels)
    if not path.parent.is_dir():  # `write_bytes` would make it, wherever a misspelt name leads
        raise FileNotFoundError(errno.ENOENT, "no such folder of games", str(path.parent))
    return write_bytes(path, content)


def encode_day(
    games: Iterable[Game], *, where: str = "day", levels: Collection[str] = tuple(LEVEL_NAMES)
) -> bytes:
    """Content of a daily file: one game a line, UTF-8.

    Raises
    ------
    ValueError
        Naming the place, the row and the value of a game that cannot be saved.

    Examples
    --------
    >>> print(encode_day([Game("José", "Bob", "w")]).decode())
    [
    {"black": "José", "white": "Bob", "winner": "w"}
    ]
    """
    rows = []
    for number, game in enumerate(games, start=1):
        check_game(game, where=f"{where}, game {number}", levels=levels)
        rows.append(as_row(game))
    return encode_rows(rows)


def as_row(game: Game | UnratedGame) -> dict[str, Any]:
    """Fields of a game as they stand in a file: those it has."""
    values = {field.name: getattr(game, field.name) for field in fields(game)}
    return {name: value for name, value in values.items() if value is not None}


def read_day(path: str | os.PathLike[str], *, levels: Collection[str] = tuple(LEVEL_NAMES)) -> list[Game]:
    """Read a day's rated games, in the order in which they ended.

    Parameters
    ----------
    path : path
    levels : collection of str
        Levels that are allowed.

    Returns
    -------
    list of Game
        Fields of a row that are not those of a game are passed over.

    Raises
    ------
    ValueError
        Naming the file, the row and the value at fault.
    """
    return _read(path, Game, ("black", "white", "winner"), check_game, levels)


def read_unrated(
    path: str | os.PathLike[str], *, levels: Collection[str] = tuple(LEVEL_NAMES)
) -> list[UnratedGame]:
    """Read a day's games that are not rated; parameters and errors as of `read_day`."""
    return _read(path, UnratedGame, ("black", "white", "why"), check_unrated, levels)


def read_games(
    folder: str | os.PathLike[str], *, levels: Collection[str] = tuple(LEVEL_NAMES)
) -> list[tuple[date, Game]]:
    """Read all files of rated games in a folder, by day and by order within the day; the first fault stops it.

    `ludometrics.gamelog.load_log` leaves out what is at fault and reports it.

    Parameters
    ----------
    folder : path
        Files of other names, and folders inside, are passed over.
    levels : collection of str
        Levels that are allowed.

    Returns
    -------
    list of (date, Game)

    Raises
    ------
    ValueError
        Naming the file, the row and the value at fault.
    """
    days = sorted(
        (day, path) for path in Path(folder).iterdir() if (day := day_of_file(path)) and path.is_file()
    )
    return [(day, game) for day, path in days for game in read_day(path, levels=levels)]


def game_of_row(row: Mapping[str, Any], kind: type, needed: Collection[str], *, where: str) -> Any:
    """Make a `Game` or an `UnratedGame` of a row, not checked further than that it has what is needed.

    Raises
    ------
    ValueError
        A field is missing.
    """
    missing = [key for key in needed if key not in row]
    if missing:
        raise ValueError(f"{where}: has no {missing[0]!r}")
    return kind(**{field.name: row[field.name] for field in fields(kind) if field.name in row})


def _read(
    path: str | os.PathLike[str],
    kind: type,
    needed: Collection[str],
    check: Callable[..., None],
    levels: Collection[str],
) -> list:
    name = Path(path).name
    games = []
    for number, row in enumerate(parse_rows(Path(path).read_bytes(), name), start=1):
        where = f"{name}, game {number}"
        game = game_of_row(row, kind, needed, where=where)
        check(game, where=where, levels=levels)
        games.append(game)
    return games


def _match(form: re.Pattern[str], path: str | os.PathLike[str]) -> tuple[str, date] | None:
    match = form.fullmatch(Path(path).name)
    if match is None:
        return None
    with suppress(ValueError):
        return match[1], date(*map(int, match.groups()[1:]))
    return None


def _check_players(game: Game | UnratedGame, where: str) -> None:
    for colour in ("black", "white"):
        name = getattr(game, colour)
        if not is_player_name(name):
            raise ValueError(f"{where}: {colour} is {name!r}: allowed are {NAME_FORM}")
    key = fold_name(game.black)
    if key == fold_name(game.white) and key != f"{REMOVED})":  # which stands for anybody
        raise ValueError(f"{where}: {game.black!r} plays against itself")


def _check_choice(
    game: Game | UnratedGame, field: str, allowed: Collection[str], where: str, *, optional: bool = False
) -> None:
    value = getattr(game, field)
    if optional and value is None:
        return
    if not isinstance(value, str) or value not in allowed:
        raise ValueError(f"{where}: {field} is {value!r}: allowed are {', '.join(map(repr, allowed))}")


def _check_rest(game: Game | UnratedGame, levels: Collection[str], where: str) -> None:
    _check_choice(game, "level", levels, where, optional=True)
    _check_choice(game, "variant", VARIANTS, where, optional=True)
    for field in ("id", "rules"):
        value = getattr(game, field)
        if value is not None and not (isinstance(value, str) and _TEXT.fullmatch(value)):
            raise ValueError(f"{where}: {field} is {value!r}: allowed are 1 to 120 printable ASCII signs")
