"""A game being played, and how it is written down."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import Any

from ludometrics.draughts import Game, Move, Rules
from ludometrics.draughts.pdn import short_text
from ludometrics.draughts.position import other_side
from ludometrics.gamelog.names import LEVEL_NAMES, clean_name

MODES = ("computer", "two")
#: Reasons for which a game may end: those of the rules, and two of people.
ENDINGS = ("no-move", "repetition", "40-move", "resigned", "abandoned")
#: When a game is drawn. Nothing but these two bounds the length of a game between people.
RULES = Rules(repetitions=3, quiet_moves=40, ply_cap=0)
#: The same, as saved with each game: no word of it is one that a person may be called by.
RULES_TEXT = f"repetitions={RULES.repetitions} quiet_moves={RULES.quiet_moves}"

_TOKEN = re.compile(r"[0-9a-f]{32}")
_VERSION = 1


@dataclass(frozen=True)
class Ending:
    """How a game ended: winner "b", "w", "draw" or None (abandoned), one of `ENDINGS`, and when (UTC)."""

    winner: str | None
    reason: str
    time_utc: datetime


@dataclass(frozen=True)
class LiveGame:
    """A game being played.

    Attributes
    ----------
    id, key : str
        32 hexadecimal digits each. The key is known to those who play.
    request : str
        By which the start of the game can be asked for again.
    mode : {"computer", "two"}
    black, white : str
        Names of the players, as saved.
    started, touched : datetime
        Of its start and its last move, UTC.
    human : {"b", "w"} or None
        Side of the person, against the computer.
    level : str or None
        Level of the computer.
    level_rating : int or None
        Its rating, Elo points, when the game began.
    match : mapping or None
        What "Match me" answered, where it chose the level.
    variant : {"A", "B"} or None
        Version of a level under test.
    proven : str
        Sides whose player was given a proof: "", "b", "w" or "bw".
    game : Game
        Moves and positions.
    texts : tuple of str
        The moves as people write them.
    taken_back : bool
        A move was taken back: the game is not rated.
    undone_at : int or None
        Number of moves before the last taking back, until the next move.
    ending : Ending or None
    saved : bool
        It is over and in the folder's daily file.
    """

    id: str
    key: str
    request: str
    mode: str
    black: str
    white: str
    started: datetime
    touched: datetime
    human: str | None = None
    level: str | None = None
    level_rating: int | None = None
    match: Mapping[str, Any] | None = None
    variant: str | None = None
    proven: str = ""
    game: Game = field(default_factory=lambda: Game(rules=RULES))
    texts: tuple[str, ...] = ()
    taken_back: bool = False
    undone_at: int | None = None
    ending: Ending | None = None
    saved: bool = False

    @property
    def ply(self) -> int:
        """Moves made so far."""
        return len(self.game.moves)

    @property
    def turn(self) -> str:
        """Side to move."""
        return self.game.position.turn

    @property
    def persons_turn(self) -> bool:
        """Whether the game goes on and a person is to move."""
        return self.ending is None and self.human in (None, self.turn)

    @property
    def moves_of_people(self) -> int:
        """Moves made by people."""
        if self.mode == "two":
            return self.ply
        return sum(self.side_of(ply) == self.human for ply in range(self.ply))

    @property
    def rated(self) -> bool:
        """Whether the result counts, or will count."""
        return not self.taken_back and (self.ending is None or self.ending.winner is not None)

    @property
    def can_undo(self) -> bool:
        """Whether a move can be taken back."""
        return self.mode == "computer" and self.ending is None and self.moves_of_people > 0

    def side_of(self, ply: int) -> str:
        """Side that makes the move after so many."""
        return self.game.positions[ply].turn

    def name_of(self, side: str) -> str:
        """Name of the player of a side."""
        return self.black if side == "b" else self.white

    def people(self) -> dict[str, str]:
        """Names of the people by side."""
        sides = "bw" if self.human is None else self.human
        return {side: self.name_of(side) for side in sides}

    def play(self, move: Move, now: datetime) -> "LiveGame":
        """The game after a move; ValueError if it is not legal."""
        after = self.game.play(move)
        ending = Ending(after.result.winner, after.result.reason, now) if after.result else None
        text = short_text(move, self.game.position)
        return replace(
            self, game=after, texts=(*self.texts, text), touched=now, undone_at=None, ending=ending
        )

    def undo(self, now: datetime) -> "LiveGame":
        """The game before the last move of the person."""
        game, texts = self.game, self.texts
        while game.moves:
            game, texts = game.undo(), texts[:-1]
            if game.position.turn == self.human:
                break
        return replace(self, game=game, texts=texts, touched=now, taken_back=True, undone_at=self.ply)

    def resign(self, now: datetime) -> "LiveGame":
        """The game given up by the person, or by the side to move of two."""
        loser = self.human or self.turn
        return replace(self, touched=now, ending=Ending(other_side(loser), "resigned", now))


def encode(game: LiveGame) -> dict[str, Any]:
    """Write a game as an object of JSON; its players stand in it as black and white.

    Examples
    --------
    >>> moment = datetime(2026, 9, 1, tzinfo=UTC)
    >>> game = LiveGame("0" * 32, "1" * 32, "r" * 16, "two", "Ann", "Bob", moment, moment)
    >>> decode(encode(game.play(Move((11, 15), ()), moment))).texts
    ('11-15',)
    """
    plain = ("id", "key", "request", "mode", "black", "white", "human", "level", "level_rating", "match")
    row = {name: getattr(game, name) for name in (*plain, "variant", "proven", "taken_back", "undone_at")}
    row |= {"version": _VERSION, "started": game.started.isoformat(), "touched": game.touched.isoformat()}
    row |= {"moves": [move.path for move in game.game.moves], "saved": game.saved, "ending": None}
    if game.ending is not None:
        time = game.ending.time_utc.isoformat()
        row["ending"] = {"winner": game.ending.winner, "reason": game.ending.reason, "time_utc": time}
    return row


def decode(row: Mapping[str, Any]) -> LiveGame:
    """Read a game; its moves are played through again.

    Raises
    ------
    ValueError
        It is not one that `encode` wrote, or holds a move against the rules.
    """
    try:
        game = _decode(row)
        sound = _is_sound(game, row)
    except (KeyError, TypeError, AttributeError, OverflowError) as error:
        raise ValueError(f"not a game being played: {type(error).__name__} at {error}") from None
    if not sound:
        raise ValueError("not a game being played: its fields do not fit together")
    return game


def _decode(row: Mapping[str, Any]) -> LiveGame:
    if row["version"] != _VERSION:
        raise ValueError(f"version is {row['version']!r}: this program reads {_VERSION}")
    plain = ("id", "key", "request", "mode", "black", "white", "human", "level", "level_rating", "match")
    values = {name: row[name] for name in (*plain, "variant", "proven")}
    game = LiveGame(**values, started=_time(row["started"]), touched=_time(row["touched"]))
    touched, ending = game.touched, row["ending"]
    for path in row["moves"]:
        legal = {move.path: move for move in game.game.legal_moves()}
        if tuple(path) not in legal:
            raise ValueError(f"move {game.ply + 1} is {path!r}: it is not legal there")
        game = game.play(legal[tuple(path)], touched)
    if ending is not None:
        ending = Ending(ending["winner"], ending["reason"], _time(ending["time_utc"]))
    rest = {name: row[name] for name in ("taken_back", "undone_at", "saved")}
    return replace(game, **rest, ending=ending)


def _is_sound(game: LiveGame, row: Mapping[str, Any]) -> bool:
    tokens = all(isinstance(text, str) and _TOKEN.fullmatch(text) for text in (game.id, game.key))
    flags = all(isinstance(row[name], bool) for name in ("taken_back", "saved"))
    against = game.mode == "computer" and game.level in LEVEL_NAMES and game.human in ("b", "w")
    two = game.mode == "two" and game.level is None and game.human is None
    if not (tokens and flags and (against or two) and game.variant in (None, "A", "B")):
        return False
    if against and game.name_of(other_side(game.human)) != LEVEL_NAMES[game.level]:
        return False
    for name in game.people().values():
        if clean_name(name) != name:
            return False
    over = game.game.result is not None
    ended = game.ending is not None and game.ending.reason in ENDINGS
    return (ended or (game.ending is None and not game.saved)) and (ended or not over)


def _time(text: str) -> datetime:
    time = datetime.fromisoformat(text)
    if time.tzinfo is None:
        raise ValueError(f"time is {text!r}: it needs a time zone")
    return time.astimezone(UTC)
