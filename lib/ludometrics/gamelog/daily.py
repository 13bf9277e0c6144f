"""Daily files ``scores-YYYY-MM-DD.json``: a JSON array of games in the order in which they ended."""

import errno
import json
import os
import re
from collections.abc import Collection, Iterable, Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass
from datetime import date
from pathlib import Path

from ludometrics.provenance import write_bytes

#: Names under which the computer plays, by level.
LEVEL_NAMES: Mapping[str, str] = {
    "easy": "Computer (Low)",
    "medium": "Computer (Medium)",
    "hard": "Computer (High)",
}
WINNERS = ("b", "w", "draw")
VARIANTS = ("A", "B")

_FILE_NAME = re.compile(r"scores-([0-9]{4})-([0-9]{2})-([0-9]{2})\.json")
_PLAYER_NAME = re.compile(r"[\w .'()-]{1,20}")


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
    """

    black: str
    white: str
    winner: str
    level: str | None = None
    variant: str | None = None

    @property
    def score_of_black(self) -> float:
        """Outcome as a score: 1, 0.5 or 0."""
        return {"b": 1.0, "draw": 0.5, "w": 0.0}[self.winner]


def is_player_name(name: object) -> bool:
    """Tell whether a name may be saved: 1 to 20 letters, digits, underscores, spaces or . ' ( ) -.

    Examples
    --------
    >>> [is_player_name(name) for name in ("Ann-Marie O'Neil", "José", "", "A" * 21, "<b>")]
    [True, True, False, False, False]
    """
    return isinstance(name, str) and _PLAYER_NAME.fullmatch(name) is not None


def file_name(day: date) -> str:
    """Name of a day's file.

    Examples
    --------
    >>> file_name(date(2026, 9, 1))
    'scores-2026-09-01.json'
    """
    return f"scores-{day.isoformat()}.json"


def day_of_file(path: str | os.PathLike[str]) -> date | None:
    """Day that a file's own name gives; the folders above it do not matter.

    Returns
    -------
    date or None
        None where the name is not exactly that of a daily file, or its day is in no calendar.

    Examples
    --------
    >>> day_of_file("2020-01-01/scores-2026-09-01.json")
    datetime.date(2026, 9, 1)
    >>> day_of_file("scores-2026-02-30.json"), day_of_file("scores-2026-09-01.json.bak")
    (None, None)
    """
    match = _FILE_NAME.fullmatch(Path(path).name)
    if match is None:
        return None
    with suppress(ValueError):
        return date(*map(int, match.groups()))
    return None


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
    for colour in ("black", "white"):
        name = getattr(game, colour)
        if not is_player_name(name):
            raise ValueError(
                f"{where}: {colour} is {name!r}: allowed are 1 to 20 letters, digits, underscores, spaces or . ' ( ) -"
            )
    if game.black == game.white:
        raise ValueError(f"{where}: {game.black!r} plays against itself")
    for field, allowed, optional in (
        ("winner", WINNERS, False),
        ("level", levels, True),
        ("variant", VARIANTS, True),
    ):
        value = getattr(game, field)
        if optional and value is None:
            continue
        if not isinstance(value, str) or value not in allowed:
            raise ValueError(f"{where}: {field} is {value!r}: allowed are {', '.join(map(repr, allowed))}")


def write_day(
    folder: str | os.PathLike[str],
    day: date,
    games: Iterable[Game],
    *,
    levels: Collection[str] = tuple(LEVEL_NAMES),
) -> Path:
    """Write a day's games so that at any moment the file holds all of them or what it held before.

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
    ...     read_day(path)
    [Game(black='Ann', white='Bob', winner='w', level=None, variant=None)]
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
        row = {key: value for key, value in asdict(game).items() if value is not None}
        rows.append(json.dumps(row, ensure_ascii=False))
    return ("[\n" + ",\n".join(rows) + "\n]\n" if rows else "[]\n").encode()


def read_day(path: str | os.PathLike[str], *, levels: Collection[str] = tuple(LEVEL_NAMES)) -> list[Game]:
    """Read a day's games, in the order in which they ended.

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
    name = Path(path).name
    try:
        rows = json.loads(Path(path).read_bytes().decode("utf-8"))
    except UnicodeDecodeError as error:
        raise ValueError(f"{name}: not UTF-8 at byte {error.start}") from error
    except json.JSONDecodeError as error:
        raise ValueError(
            f"{name}: not JSON at line {error.lineno}, column {error.colno}: {error.msg}"
        ) from error
    if not isinstance(rows, list):
        raise ValueError(f"{name}: holds {type(rows).__name__} where a list of games is wanted")
    games = []
    for number, row in enumerate(rows, start=1):
        where = f"{name}, game {number}"
        if not isinstance(row, dict):
            raise ValueError(f"{where}: {row!r} is no game: an object with black, white and winner is wanted")
        missing = [key for key in ("black", "white", "winner") if key not in row]
        if missing:
            raise ValueError(f"{where}: has no {missing[0]!r}")
        game = Game(row["black"], row["white"], row["winner"], row.get("level"), row.get("variant"))
        check_game(game, where=where, levels=levels)
        games.append(game)
    return games


def read_games(
    folder: str | os.PathLike[str], *, levels: Collection[str] = tuple(LEVEL_NAMES)
) -> list[tuple[date, Game]]:
    """Read all daily files of a folder, by day and by order within the day.

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
