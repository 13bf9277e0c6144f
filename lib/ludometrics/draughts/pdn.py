"""Games as Portable Draughts Notation (PDN 3.0, game type 21 = English draughts).

The result's first figure is the score of the side that begins the game type, so for English draughts ``1-0`` says that
Black won, ``0-1`` that White won, ``1/2-1/2`` that the game was drawn and ``*`` that it is unfinished or unknown. Some
programs write White's score first, as in chess; `parse_pdn` reads such files with ``first="w"`` and notices
the difference where the board itself shows who won.
"""

import re
import textwrap
from collections.abc import Mapping
from typing import NamedTuple

from ludometrics.draughts.games import Game, GameRecord
from ludometrics.draughts.position import START, Position, format_fen, other_side, parse_fen, side_name
from ludometrics.draughts.rules import REASON_TEXT, Move, allowed_text, legal_moves, move_pieces

GAME_TYPE = "21"
RESULTS = {1.0: "1-0", 0.0: "0-1", 0.5: "1/2-1/2", None: "*"}
_OUTCOMES = {
    "1-0": 1.0,
    "2-0": 1.0,
    "0-1": 0.0,
    "0-2": 0.0,
    "1/2-1/2": 0.5,
    "1-1": 0.5,
    "0-0": None,  # declared lost for both
    "*": None,
}
_UNKNOWN = {"Event": "?", "Site": "?", "Date": "????.??.??", "Round": "?", "Black": "?", "White": "?"}
_OURS = ("Result", "GameType", "SetUp", "FEN")  # tags that the game itself decides
_JOIN = "\xa0"  # keeps a number and its move on one line
_TAG_NAME = re.compile(r"[A-Z][A-Za-z0-9_]*", re.ASCII)
_TOKEN = re.compile(
    r"""(?P<space>\s+|^%[^\n]*|;[^\n]*|\{[^}]*\}|\$[0-9]+)
    |\[\s*(?P<tag>[A-Za-z][A-Za-z0-9_]*)\s*"(?P<value>(?:[^"\\\n]|\\.)*)"\s*\]
    |(?P<result>(?:1-0|0-1|2-0|0-2|1/2-1/2|1-1|0-0|\*)(?=[\s{;\[]|\Z))
    |(?P<number>[0-9]+\.(?:\s*\.\.)?|\.\.\.)
    |(?P<move>[0-9]{1,2}(?:[-x:][0-9]{1,2})+)(?:[!?]+|\([!?]+\))?(?=[\s{;()$*\[]|\Z)
    |(?P<open>\()|(?P<close>\))""",
    re.VERBOSE | re.MULTILINE | re.ASCII,
)
_ALLOWED = 'tags like [Event "..."], moves like 9-14 or 14x23, and a result 1-0, 0-1, 1/2-1/2 or *'


class PdnGame(NamedTuple):
    """A game read from PDN.

    Parameters
    ----------
    headers : dict of str to str
        Tags as they stand in the file.
    start : Position
    moves : tuple of Move
    outcome : float or None
        Black's score 1, 0.5 or 0; None if unfinished or unknown.
    """

    headers: dict[str, str]
    start: Position
    moves: tuple[Move, ...]
    outcome: float | None


def parse_move(text: str, position: Position) -> Move:
    """Read a move in a position: ``9-14``, ``6x22`` or with its whole path ``6x15x22``.

    Parameters
    ----------
    text : str
        Squares joined by ``-``, ``x`` or ``:``. Inner squares of a multi-jump may be left out as long as they are not
        needed to tell the result; of two routes with one result the first is taken.
    position : Position

    Raises
    ------
    ValueError
        If it is no move, not a legal one, or could mean moves with different results; the message lists the
        legal moves.

    Examples
    --------
    >>> parse_move("6x22", parse_fen("B:W10,18:B6"))
    Move(path=(6, 15, 22), captures=(10, 18))
    """
    legal = legal_moves(position)
    given = text.strip()
    if not re.fullmatch(r"[0-9]{1,2}([-x:][0-9]{1,2})+", given, re.ASCII):
        raise ValueError(f"{text!r} is not a move such as 9-14 or 6x15x22; {allowed_text(position, legal)}")
    squares = [int(square) for square in re.split("[-x:]", given)]
    found = [move for move in legal if _fits(squares, move.path)]
    exact = [move for move in found if list(move.path) == squares]
    found = exact or found
    if not found:
        raise ValueError(f"move {given} is not legal; {allowed_text(position, legal)}")
    if len({move_pieces(position, move) for move in found}) > 1:
        raise ValueError(f"move {given} could be {' or '.join(map(str, found))}; write the whole path")
    return found[0]


def _fits(squares: list[int], path: tuple[int, ...]) -> bool:
    """Whether the squares are the path, with or without its inner squares."""
    if squares[0] != path[0] or squares[-1] != path[-1]:
        return False
    inner = iter(path[1:-1])
    return all(square in inner for square in squares[1:-1])


def short_text(move: Move, position: Position) -> str:
    """A move with its first and last square, or with its whole path where those do not tell it from another.

    >>> short_text(Move((6, 15, 22), (10, 18)), parse_fen("B:W10,18:B6"))
    '6x22'
    """
    ends = (move.path[0], move.path[-1])
    alike = sum((other.path[0], other.path[-1]) == ends for other in legal_moves(position))
    if alike > 1 or ends[0] == ends[1]:
        return str(move)
    return ("x" if move.captures else "-").join(map(str, ends))


def format_pdn(game: GameRecord | PdnGame | Game, headers: Mapping[str, str] | None = None) -> str:
    """Write a game as PDN.

    Parameters
    ----------
    game : GameRecord, PdnGame or Game
    headers : mapping of str to str, optional
        Tags such as Event, Date, Black, White; tags not given are written as unknown. Result, GameType and the starting
        position are the game's own. A PdnGame brings its tags with it.

    Returns
    -------
    str
        One game, ending with a line feed.

    Raises
    ------
    ValueError
        If a tag's name or value cannot be written, or a given Result is not the game's.

    Examples
    --------
    >>> print(format_pdn(Game().play(Move((11, 15), ())), {"Black": "Ada"}))
    [Event "?"]
    [Site "?"]
    [Date "????.??.??"]
    [Round "?"]
    [Black "Ada"]
    [White "?"]
    [Result "*"]
    [GameType "21"]
    <BLANKLINE>
    1. 11-15 *
    """
    tags = {**_UNKNOWN, **getattr(game, "headers", {}), **(headers or {})}
    ending = RESULTS[game.outcome]
    if headers and headers.get("Result", ending) != ending:
        raise ValueError(
            f"tag Result is {headers['Result']!r}, but the game's result is {ending!r}; leave the tag out"
        )
    own = {"Result": ending, "GameType": GAME_TYPE}
    if game.start != START:
        own |= {"SetUp": "1", "FEN": format_fen(game.start)}
    known = {name: tags[name] for name in _UNKNOWN}
    others = {name: value for name, value in tags.items() if name not in known and name not in _OURS}
    lines = [_tag_line(name, value) for name, value in {**known, **own, **others}.items()]
    words = " ".join([*_numbered(game), *_remark(game), ending])
    text = textwrap.fill(words, 79, break_on_hyphens=False, break_long_words=False)
    return "\n".join([*lines, "", text.replace(_JOIN, " "), ""])


def _tag_line(name: str, value: str) -> str:
    if not _TAG_NAME.fullmatch(str(name)):
        raise ValueError(
            f"tag name {name!r}: a tag begins with a capital and holds letters, digits and _ only"
        )
    if not isinstance(value, str) or any(ord(letter) < 32 for letter in value):
        raise ValueError(f"tag {name} is {value!r}; it must be text of one line")
    escaped = value.replace("\\", "\\\\").replace('"', '\\"')
    return f'[{name} "{escaped}"]'


def _numbered(game: GameRecord | PdnGame | Game) -> list[str]:
    """Moves with their numbers, a number before each of Black's moves and before the first."""
    position, words, number = game.start, [], 1
    for ply, move in enumerate(game.moves):
        if position.turn == "b":
            words.append(f"{number}.{_JOIN}{short_text(move, position)}")
        else:
            words.append(
                f"{number}... {short_text(move, position)}" if ply == 0 else short_text(move, position)
            )
            number += 1
        position = move_pieces(position, move)
    return words


def _remark(game: GameRecord | PdnGame | Game) -> list[str]:
    """A comment that says in words who won and why, where the reason is known."""
    reason = getattr(game, "reason", None)
    if reason is None:
        return []
    words = {1.0: "Black wins", 0.0: "White wins", 0.5: "Drawn"}[game.outcome]
    return f"{{{words}, {reason}: {REASON_TEXT[reason]}}}".split(" ")


def parse_pdn(text: str, *, first: str = "b") -> list[PdnGame]:
    """Read all games of a PDN text.

    Parameters
    ----------
    text : str
        Comments, variations and annotation marks are skipped. Moves may be given with or without inner squares.
    first : {'b', 'w'}
        Whose score a result gives first: Black's, who begins (default), or White's, as some programs have it.

    Returns
    -------
    list of PdnGame
        The draw rules are claims between people and are not applied.

    Raises
    ------
    ValueError
        Names the line, the token at fault and what is allowed: unknown text, an illegal or ambiguous move, another game
        type than 21, two results that disagree, or a result that the board contradicts.

    Examples
    --------
    >>> [game] = parse_pdn('[Black "Ada"] 1. 11-15 22-18 2. 15x22 25x18 1-0')
    >>> game.headers["Black"], len(game.moves), game.outcome
    ('Ada', 4, 1.0)
    """
    if first not in ("b", "w"):
        raise ValueError(f"first is {first!r}; allowed are 'b' (Black's score first) and 'w' (White's)")
    games, reader = [], None
    for kind, token, line in _tokens(text):
        if kind == "tag" and reader and (reader.moves or reader.ending):
            games.append(reader.finish(first))
            reader = None
        reader = reader or _Reader()
        reader.take(kind, token, line)
        if kind == "result":
            games.append(reader.finish(first))
            reader = None
    if reader:
        games.append(reader.finish(first))
    return games


def _tokens(text: str) -> list[tuple[str, str, int]]:
    """(kind, token, line) of tags, moves and results outside comments and variations."""
    found, at, depth, opened = [], 0, 0, 0
    while at < len(text):
        match = _TOKEN.match(text, at)
        line = text.count("\n", 0, at) + 1
        if match is None:
            raise ValueError(
                f"PDN line {line}: {text[at:].split()[0]!r} is not understood; allowed are {_ALLOWED}"
            )
        at = match.end()
        if match["open"]:
            depth, opened = depth + 1, line
        elif match["close"]:
            depth -= 1
            if depth < 0:
                raise ValueError(f"PDN line {line}: ')' closes no variation; allowed are {_ALLOWED}")
        elif depth == 0 and match.lastgroup not in ("space", "number"):
            kind = "tag" if match["tag"] else match.lastgroup
            found.append((kind, match[0] if kind == "tag" else match[kind], line))
    if depth:
        raise ValueError(f"PDN line {opened}: '(' is never closed; a variation ends with ')'")
    return found


class _Reader:
    """One game while it is read."""

    def __init__(self) -> None:
        self.headers: dict[str, str] = {}
        self.moves: list[Move] = []
        self.start = self.position = START
        self.ending = ""
        self.line = 1

    def take(self, kind: str, token: str, line: int) -> None:
        """Take in one tag, move or result."""
        self.line = line
        if kind == "tag":
            match = _TOKEN.fullmatch(token)
            value = re.sub(r"\\(.)", r"\1", match["value"])
            if match["tag"] in self.headers:
                raise ValueError(f"PDN line {line}: tag {match['tag']} is given twice; once is allowed")
            self.headers[match["tag"]] = value
            self._take_setting(match["tag"], value)
        elif kind == "move":
            try:
                move = parse_move(token, self.position)
            except ValueError as error:
                raise ValueError(f"PDN line {line}, ply {len(self.moves) + 1}: {error}") from None
            self.moves.append(move)
            self.position = move_pieces(self.position, move)
        else:
            self.ending = token

    def _take_setting(self, name: str, value: str) -> None:
        if name == "GameType" and value.split(",")[0].strip() != GAME_TYPE:
            raise ValueError(
                f"PDN line {self.line}: GameType is {value!r}; only {GAME_TYPE} (English draughts) is read"
            )
        if name == "FEN":
            try:
                self.start = self.position = parse_fen(value)
            except ValueError as error:
                raise ValueError(f"PDN line {self.line}: {error}") from None

    def finish(self, first: str) -> PdnGame:
        """The whole game, its result checked against the tag and the board."""
        tag = self.headers.get("Result", "").replace(" ", "")
        if tag not in ("", "?") and tag not in _OUTCOMES:
            raise ValueError(f"PDN line {self.line}: Result is {tag!r}; allowed are {', '.join(_OUTCOMES)}")
        stated = [_OUTCOMES[text] for text in (self.ending, tag) if text in _OUTCOMES and text != "*"]
        if len(set(stated)) > 1:
            raise ValueError(
                f"PDN line {self.line}: the game ends with {self.ending!r} but its tag Result is {tag!r}"
            )
        outcome = stated[0] if stated else None
        if outcome is not None and first == "w":
            outcome = 1.0 - outcome
        if not legal_moves(self.position):
            outcome = self._agree(outcome, first)
        return PdnGame(self.headers, self.start, tuple(self.moves), outcome)

    def _agree(self, outcome: float | None, first: str) -> float:
        """The outcome that the board shows, if the stated one is the same or unknown."""
        loser = self.position.turn
        shown = 0.0 if loser == "b" else 1.0
        if outcome not in (None, shown):
            raise ValueError(
                f"PDN line {self.line}: the result says otherwise, but {side_name(loser)} has no move, so "
                f"{side_name(other_side(loser))} won; if the file gives {'White' if first == 'b' else 'Black'}'s "
                f"score first, read it with first={other_side(first)!r}"
            )
        return shown
