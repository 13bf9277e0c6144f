"""A plain CSV of plays, for groups without the app: one row a seat.

Rows with the same `play` are one play. What holds for the whole play may stand in each of its rows or in one of them;
two different values are an error. Nothing is guessed: a cell that is not understood stops the reading and is named.
"""

import os
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime, time
from typing import Any, NamedTuple

from ludometrics.boardgames.assembly import assemble
from ludometrics.boardgames.records import MOST_SEATS, Game, Person, Play, PlayLog, Seat
from ludometrics.boardgames.scores import ScoreError, parse_score
from ludometrics.boardgames.text_table import TextTable, one_of, read_text_table, refuse, whole_number
from ludometrics.boardgames.values import MOST, YEARS, fold_name, in_years, read_moment

#: Columns that must be there.
NEEDED: Mapping[str, str] = {
    "play": "what tells the play apart, such as its number; plays of one moment are put in its order",
    "date": "day, as 2024-06-29",
    "game": "name of the game",
    "player": "name of who sat there; may be empty for a guest",
}
#: Columns that may be there, and what their cells may hold; an empty cell is "not given" or "no".
OPTIONAL: Mapping[str, str] = {
    "time": "when it began, as 20:15; noon where not given",
    "score": "points, or a sum such as 20+16",
    "rank": "place, from 1",
    "winner": "yes or no",
    "team": "name or number of the team",
    "guest": "yes: nobody that the group knows; automaton: played by the game itself; or no",
    "new_player": "yes: this player's first play of the game; or no",
    "minutes": "how long it took, up to 1440",
    "ignored": "yes: not to be rated; or no",
    "cooperative": "yes: all against the game; or no",
    "lowest_wins": "yes: the lowest score wins; or no",
    "location": "where",
    "board": "map, mission or variant",
    "bgg_id": "number of the game at BoardGameGeek",
}

_NOON = time(12)
_MOST_MINUTES = 1440
_YES_NO = {
    "yes": True,
    "no": False,
    "y": True,
    "n": False,
    "true": True,
    "false": False,
    "1": True,
    "0": False,
}
_GUESTS = {
    **{word: "guest" if meaning else "" for word, meaning in _YES_NO.items()},
    "automaton": "automaton",
}
_TIME = re.compile(r"[0-9]{1,2}:[0-9]{2}(?::[0-9]{2})?")

_Row = tuple[int, dict[str, str]]


def read_play_table(path: str | os.PathLike[str]) -> PlayLog:
    """Read a CSV of plays.

    Parameters
    ----------
    path : path
        UTF-8; columns `NEEDED` and any of `OPTIONAL`, in any order, separated by commas, semicolons or tabs; a column
        `note` is passed over. People and games are known by their names; case, accents' form and white space do not
        matter.

    Returns
    -------
    PlayLog
        Equal for the same rows in any order: the seats of a play are sorted by person.

    Raises
    ------
    ValueError
        Naming file, row, value and what is allowed.

    Examples
    --------
    >>> import tempfile, pathlib
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = pathlib.Path(folder) / "plays.csv"
    ...     _ = path.write_text("play,date,game,player,score\\n1,2024-06-29,Go,Ann,7\\n1,2024-06-29,Go,Bob,5\\n")
    ...     log = read_play_table(path)
    >>> [(seat.person, seat.score) for seat in log.plays[0].seats]
    [('name:ann', '7'), ('name:bob', '5')]
    """
    table = read_text_table(path, tuple(NEEDED), tuple(OPTIONAL))
    if not table.rows:
        raise ValueError(f"{path}: holds no plays, only a header")
    groups: dict[str, list[_Row]] = defaultdict(list)
    for row in table.rows:
        if not row[1]["play"]:
            refuse(table.path, row[0], "play", "", "numbers or names of plays")
        groups[_play_key(row[1]["play"])].append(row)
    names = _Names()
    plays = [_play(table.path, key, rows, names) for key, rows in groups.items()]
    games, warnings = _games(table, plays, names)
    people = {
        key: Person(key, name or "Guest", not key.startswith("name:"), key.startswith("automaton:"))
        for key, name in names.best("people")
    }
    source = os.path.basename(table.path)
    return assemble(games, people, [one.play for one in plays], source=source, warnings=warnings)


class _TypedPlay(NamedTuple):
    """A play, and what its rows say of its game."""

    play: Play
    cooperative: bool
    lowest_wins: bool


class _Names:
    """Spellings of names, of which the commonest is shown, and of equals the one that sorts first."""

    def __init__(self) -> None:
        self._spellings: dict[tuple[str, str], Counter[str]] = defaultdict(Counter)

    def add(self, what: str, key: str, name: str) -> None:
        self._spellings[what, key][name] += 1

    def best(self, what: str) -> list[tuple[str, str]]:
        return [
            (key, min(spellings, key=lambda name: (-spellings[name], name)))
            for (kind, key), spellings in self._spellings.items()
            if kind == what
        ]


def _play_key(label: str) -> str:
    """Key of a play: its label folded, numbers filled up with noughts, so that 10 comes after 9."""
    return re.sub("[0-9]+", lambda digits: digits[0].lstrip("0").zfill(9), fold_name(label))


def _play(path: str, key: str, rows: Sequence[_Row], names: _Names) -> _TypedPlay:
    if len(rows) > MOST_SEATS:
        raise ValueError(
            f"{path}, row {rows[MOST_SEATS][0]}: play {rows[0][1]['play']!r} has more than {MOST_SEATS} seats"
        )

    def of_all(column: str, read: Callable[[str, int, str, str], Any], default: Any = None) -> Any:
        return _agreed(path, rows, column, read, default)

    day = of_all("date", _day)
    game = of_all("game", _game_key)
    for column, value in (("date", day), ("game", game)):
        if value is None:
            allowed = f"a {column} in one row at least of play {rows[0][1]['play']!r}"
            refuse(path, rows[0][0], column, "", allowed)
    for _, cells in rows:
        if cells["game"]:
            names.add("games", game, cells["game"])
    at = datetime.combine(day, of_all("time", _time, _NOON))
    seats = sorted((_seat(path, row, names) for row in rows), key=repr)
    cooperative, lowest = of_all("cooperative", _flag, False), of_all("lowest_wins", _flag, False)
    play = Play(
        key=key,
        game=game,
        at=at,
        entered=at,
        seats=tuple(seats),
        minutes=of_all("minutes", _minutes, 0),
        # Said for each play, so that nothing depends on what the other plays of the game say.
        scoring=(4 if cooperative else 1) + lowest,
        ignored=of_all("ignored", _flag, False),
        uses_teams=any(seat.team for seat in seats),
        location=of_all("location", _text, ""),
        board=of_all("board", _text, ""),
    )
    return _TypedPlay(play, cooperative, lowest)


def _agreed(
    path: str, rows: Iterable[_Row], column: str, read: Callable[[str, int, str, str], Any], default: Any
) -> Any:
    """The one value that the rows of a play give a column; `default` where all are empty."""
    first: tuple[int, str, Any] | None = None
    for number, cells in rows:
        if not cells[column]:
            continue
        value = read(path, number, column, cells[column])
        if first is None:
            first = number, cells[column], value
        elif value != first[2]:
            raise ValueError(
                f"{path}, row {number}: {column} is {cells[column]!r}, but {first[1]!r} in row {first[0]} of the same "
                f"play {cells['play']!r}: one value is allowed"
            )
    return default if first is None else first[2]


def _seat(path: str, row: _Row, names: _Names) -> Seat:
    number, cells = row
    kind = one_of(path, number, "guest", cells["guest"], _GUESTS) if cells["guest"] else ""
    name = cells["player"]
    if not fold_name(name) and not kind:
        refuse(path, number, "player", "", "names; to leave it empty, say yes under guest")
    key = f"{kind or 'name'}:{fold_name(name)}"
    names.add("people", key, name)
    return Seat(
        person=key,
        score=_score(path, number, cells["score"]),
        rank=whole_number(path, number, "rank", cells["rank"], 1, MOST_SEATS),
        winner=bool(cells["winner"]) and _flag(path, number, "winner", cells["winner"]),
        team=cells["team"],
        new_player=bool(cells["new_player"]) and _flag(path, number, "new_player", cells["new_player"]),
    )


def _games(table: TextTable, plays: Sequence[_TypedPlay], names: _Names) -> tuple[dict[str, Game], list[str]]:
    """Games by key, with the settings that all their plays agree on, and a warning where they do not."""
    numbers = _bgg_ids(table)
    by_game: dict[str, list[_TypedPlay]] = defaultdict(list)
    for typed in plays:
        by_game[typed.play.game].append(typed)
    games, warnings = {}, []
    for key, name in names.best("games"):
        settings = {}
        for column in ("cooperative", "lowest_wins"):
            said = [getattr(typed, column) for typed in by_game[key]]
            settings[column] = all(said)
            if any(said) and not all(said):
                warnings.append(
                    f"{name!r}: {column} is yes in {sum(said)} of its {len(said)} plays: an empty cell is no"
                )
        games[key] = Game(
            key,
            name,
            bgg_id=numbers.get(key, 0),
            cooperative=settings["cooperative"],
            highest_wins=not settings["lowest_wins"],
        )
    return games, warnings


def _bgg_ids(table: TextTable) -> dict[str, int]:
    """Number of each game at BoardGameGeek, which all its rows must agree on."""
    rows: dict[str, list[_Row]] = defaultdict(list)
    for row in table.rows:
        if row[1]["game"]:
            rows[_game_key(table.path, row[0], "game", row[1]["game"])].append(row)
    found = {}
    for key, of_game in rows.items():
        first = None
        for number, cells in of_game:
            value = whole_number(table.path, number, "bgg_id", cells["bgg_id"], 1, MOST)
            if value and first and value != first[1]:
                raise ValueError(
                    f"{table.path}, row {number}: bgg_id of {cells['game']!r} is {value}, but {first[1]} in row "
                    f"{first[0]}: one value is allowed"
                )
            first = first or ((number, value) if value else None)
        found[key] = first[1] if first else 0
    return found


def _day(path: str, row: int, column: str, value: str) -> Any:
    moment = read_moment(value) if len(value) == 10 else None
    if moment is None or not in_years(moment):
        refuse(path, row, column, value, f"days such as 2024-06-29, of the years {YEARS[0]} to {YEARS[1]}")
    return moment.date()


def _time(path: str, row: int, column: str, value: str) -> Any:
    moment = read_moment(f"2000-01-01 {value:0>{8 if value.count(':') == 2 else 5}}")
    if moment is None or not _TIME.fullmatch(value):
        refuse(path, row, column, value, "times of day such as 20:15")
    return moment.time()


def _game_key(path: str, row: int, column: str, value: str) -> str:
    if not fold_name(value):
        refuse(path, row, column, value, "names that can be seen")
    return f"name:{fold_name(value)}"


def _score(path: str, row: int, value: str) -> str:
    """A score as written, once it is known that it can be read."""
    try:
        parse_score(value)
    except ScoreError as error:
        raise ValueError(f"{path}, row {row}: {error}; allowed are points, and sums such as 20+16") from None
    return value


def _minutes(path: str, row: int, column: str, value: str) -> int:
    return whole_number(path, row, column, value, 0, _MOST_MINUTES)


def _flag(path: str, row: int, column: str, value: str) -> bool:
    return bool(one_of(path, row, column, value, _YES_NO))


def _text(path: str, row: int, column: str, value: str) -> str:
    return value
