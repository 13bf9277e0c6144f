"""What stands in a ledger of assignments: one object of JSON a line."""

import json
from dataclasses import dataclass, field
from datetime import UTC, datetime

from ludometrics.abtest.assignment import check_number, player_key
from ludometrics.gamelog import VARIANTS

#: Designs that give a player one version for the whole test, and designs that give one for each game.
WHOLE_TEST, EACH_GAME = ("hash", "blocked"), ("game", "alternate")

_FIELDS = ("experiment", "player", "game", "variant", "design", "time_utc")


@dataclass(frozen=True)
class Assignment:
    """The version that a player gets, in one game or in the whole test.

    Attributes
    ----------
    experiment : str
    player : str
        Any spelling; kept as the key that all spellings share (`ludometrics.gamelog.fold_name`).
    variant : {"A", "B"}
    design : {"hash", "blocked", "game", "alternate"}
        How it was dealt.
    game : int, optional
        Number of the player's game, at least 0: for the last two designs, and only for them.
    block : int, optional
        Number of the player's block, at least 0: only for "blocked".
    time_utc : datetime, optional
        When it was recorded.
    """

    experiment: str
    player: str
    variant: str
    design: str
    game: int | None = None
    block: int | None = None
    time_utc: datetime | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "player", player_key(self.experiment, self.player))
        if self.variant not in VARIANTS:
            raise ValueError(f"variant is {self.variant!r}: allowed are {', '.join(map(repr, VARIANTS))}")
        check_design(self.design, self.game)
        if self.block is not None and self.design != "blocked":
            raise ValueError(f"block is {self.block!r}: design {self.design!r} has no blocks")
        for what in ("game", "block"):
            if (number := getattr(self, what)) is not None:
                object.__setattr__(self, what, check_number(number, what=what))
        if self.time_utc is not None:
            if self.time_utc.tzinfo is None:
                raise ValueError(f"time_utc is {self.time_utc.isoformat()}: it needs a time zone")
            object.__setattr__(self, "time_utc", self.time_utc.astimezone(UTC))


@dataclass
class Book:
    """What the bytes of a ledger say, taken in as they grow.

    Attributes
    ----------
    name : str
        Path of the file, for messages.
    entries : dict
        Assignments by experiment, player and game, in the order recorded.
    lines, size : int
        Lines that have ended, and their bytes.
    last : bytes
        The last of them.
    open_line : bytes
        A whole assignment after them that lacks only the end of its line.
    torn : bytes
        What a writer killed half-way left after them.
    next_games : dict
        Number after the highest of a player's games, by experiment and player.
    """

    name: str
    entries: dict[tuple[str, str, int | None], Assignment] = field(default_factory=dict)
    lines: int = 0
    size: int = 0
    last: bytes = b""
    open_line: bytes = b""
    torn: bytes = b""
    next_games: dict[tuple[str, str], int] = field(default_factory=dict)
    _game_by_game: dict[tuple[str, str], bool] = field(default_factory=dict)

    def take(self, content: bytes) -> None:
        """Take in what follows the lines that have ended.

        Raises
        ------
        ValueError
            Naming the file and the line at fault; the lines before it are taken.
        """
        *ended, rest = content.split(b"\n")
        for line in ended:
            self._take_line(line)
            self.lines, self.size, self.last = self.lines + 1, self.size + len(line) + 1, line + b"\n"
        self.open_line, self.torn = b"", rest
        if rest and _is_json(rest):  # no beginning of an object is one: this line is whole
            self._take_line(rest)
            self.open_line, self.torn = rest, b""

    def recorded(self, assignment: Assignment, where: str) -> Assignment | None:
        """Look up what is recorded of the same player and game.

        Raises
        ------
        ValueError
            It contradicts the assignment.
        """
        key = (assignment.experiment, assignment.player, assignment.game)
        who = f"{assignment.player!r} of {assignment.experiment!r}"
        game_by_game = assignment.game is not None
        if self._game_by_game.get(key[:2], game_by_game) != game_by_game:
            kinds = ("a version for each game", "one version for the whole test")
            raise ValueError(f"{where}: {who} has {kinds[game_by_game]}, not {kinds[not game_by_game]}")
        known = self.entries.get(key)
        if known is not None and known.variant != assignment.variant:
            game = f" in game {assignment.game}" if game_by_game else ""
            raise ValueError(f"{where}: {who} has version {known.variant}{game}, not {assignment.variant}")
        return known

    def _take_line(self, line: bytes) -> None:
        where = f"{self.name}, line {self.lines + 1}"
        assignment = decode_line(line, where=where)
        if self.recorded(assignment, where) is None:  # the same once more does not count twice
            self.entries[assignment.experiment, assignment.player, assignment.game] = assignment
            who = (assignment.experiment, assignment.player)
            self._game_by_game[who] = assignment.game is not None
            if assignment.game is not None:
                self.next_games[who] = max(self.next_games.get(who, 0), assignment.game + 1)


def encode_line(assignment: Assignment) -> bytes:
    r"""Write an assignment as a line.

    Examples
    --------
    >>> encode_line(Assignment("test", "Ann", "A", "game", 3, time_utc=datetime(2026, 9, 1, tzinfo=UTC))).decode()
    '{"experiment": "test", "player": "ann", "game": 3, "variant": "A", "design": "game",
      "time_utc": "2026-09-01T00:00:00+00:00"}\n'
    """
    row = {name: getattr(assignment, name) for name in _FIELDS}
    row["game"] = "" if assignment.game is None else assignment.game
    row["time_utc"] = assignment.time_utc.isoformat()
    if assignment.block is not None:
        row["block"] = assignment.block
    return json.dumps(row, ensure_ascii=False).encode() + b"\n"


def decode_line(line: bytes, *, where: str) -> Assignment:
    """Read a line.

    Raises
    ------
    ValueError
        Naming the place, the value and what is allowed.

    Examples
    --------
    >>> decode_line(b'{"experiment": "test"}', where="assignments.jsonl, line 7")
    Traceback (most recent call last):
    ...
    ValueError: assignments.jsonl, line 7: has no 'player'
    """
    try:
        row = json.loads(line.decode("utf-8"))
    except ValueError as error:
        raise ValueError(f"{where}: not a line of JSON ({error})") from error
    except RecursionError:
        raise ValueError(f"{where}: holds lists within lists without end") from None
    if not isinstance(row, dict):
        raise ValueError(f"{where}: holds {type(row).__name__} where an object is wanted")
    missing = [name for name in _FIELDS if name not in row]
    if missing:
        raise ValueError(f"{where}: has no {missing[0]!r}")
    game = None if row["game"] == "" else row["game"]
    try:
        time_utc = datetime.fromisoformat(row["time_utc"])
    except (TypeError, ValueError):
        raise ValueError(
            f"{where}: time_utc is {row['time_utc']!r}: an ISO date and time is wanted"
        ) from None
    who = (row["experiment"], row["player"], row["variant"], row["design"])
    try:
        return Assignment(*who, game=game, block=row.get("block"), time_utc=time_utc)
    except ValueError as error:
        raise ValueError(f"{where}: {error}") from None


def check_design(design: str, game: int | None) -> None:
    """Check that a design is known, and that there is the number of a game where it deals game by game.

    Raises
    ------
    ValueError
        Naming the value and what is allowed.

    Examples
    --------
    >>> check_design("game", None)
    Traceback (most recent call last):
    ...
    ValueError: game is None: design 'game' needs the number of the player's game
    """
    if design not in WHOLE_TEST + EACH_GAME:
        raise ValueError(f"design is {design!r}: allowed are {', '.join(map(repr, WHOLE_TEST + EACH_GAME))}")
    if (game is not None) != (design in EACH_GAME):
        wanted = (
            "deals the whole test, not single games"
            if design in WHOLE_TEST
            else "needs the number of the player's game"
        )
        raise ValueError(f"game is {game!r}: design {design!r} {wanted}")


def _is_json(line: bytes) -> bool:
    try:
        json.loads(line.decode("utf-8"))
    except (ValueError, RecursionError):
        return False
    return True
