"""Reads GNU Backgammon's text export of matches, sessions and single games into decision records.

One file a game: base.txt, base_002.txt, ... Equities are read as printed, with any number of digits and with decimal
commas. Exports in match winning chances ("set output mwc on") are turned into equities by Kazaross-XG2, and refused
where what a pass is worth shows another table; chances of two digits after the point make equities of about 0.001.
Exports in other languages than English are refused, in part translated ones too.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from ludometrics.backgammon.building import RecordError
from ludometrics.backgammon.gnubg_text_moves import (
    NOT_ENGLISH,
    TextMove,
    parse_move,
    player_names,
    state_and_board,
)
from ludometrics.backgammon.gnubg_turns import Damage, Turn, TurnRecorder, turned, with_engine
from ludometrics.backgammon.gnubg_units import NO_TEXT, Source, parse_day, printed_day, source_text
from ludometrics.backgammon.position_ids import MatchState
from ludometrics.backgammon.records import CHECKERS, LONGEST_MATCH, Library, Match, Problem

_SCORE = re.compile(r"^\ufeff?The score \(after (\d{1,5}) games?\) is: (.+)$")
_HEADING = re.compile(r"^Move number (\d{1,6}): ")
_RESULT = re.compile(r"^(.+) wins (\d{1,6}) points?$")
_LENGTH = re.compile(r" \(match to (\d+) points?\)(.*)$")
_VERSION = re.compile(r"^ by GNU Backgammon (\S+)", re.MULTILINE)
_NUMBERED = re.compile(r"^(.*)_(\d{3,})$")
_STATISTICS = "Game statistics for game"
_LAST_LINE = "Output generated"


@dataclass
class TextGame:
    """One file, cut into its blocks but not read further.

    Attributes
    ----------
    source : str
    lines : list of str
    played : int
        Games played before this one.
    starts : list of (int, int)
        Line (from 0) and number of each move.
    end : int
        Line after the last move.
    result : (str, int) or None
        Winner's name and points.
    cut_short : bool
        The file ends within a move.
    """

    source: str
    lines: list[str]
    played: int = 0
    starts: list[tuple[int, int]] = field(default_factory=list)
    end: int = 0
    result: tuple[str, int] | None = None
    cut_short: bool = False

    def block(self, row: int) -> list[str]:
        """Lines of move ``row``."""
        stop = self.starts[row + 1][0] if row + 1 < len(self.starts) else self.end
        return self.lines[self.starts[row][0] : stop]

    def info(self, name: str) -> str:
        """An item of the match information, "" where it is not given."""
        first = self.starts[0][0] if self.starts else len(self.lines)
        for line in self.lines[1:first]:
            if line.startswith(f"{name}: "):
                return line[len(name) + 2 :].strip()
        return ""


def is_gnubg_text(text: str) -> bool:
    """Whether ``text`` looks like a text export of GNU Backgammon, in whatever language."""
    return bool(_SCORE.match(text.split("\n", 1)[0].rstrip("\r"))) or (
        "GNU Backgammon" in text[:20_000]
        and bool(re.search(r": [A-Za-z0-9+/]{14}\s*\n.*: [A-Za-z0-9+/]{12}\s", text))
    )


def group_text_files(paths: Iterable[str | Path]) -> list[list[Path]]:
    """Files by match: base.txt and its base_002.txt, base_003.txt, ... together, in order.

    Examples
    --------
    >>> [[path.name for path in group] for group in group_text_files(["a_002.txt", "b.txt", "a.txt"])]
    [['a.txt', 'a_002.txt'], ['b.txt']]
    """
    paths = sorted({Path(path) for path in paths}, key=str)
    there = set(paths)
    groups: dict[Path, list[tuple[int, Path]]] = {}
    for path in paths:
        found = _NUMBERED.match(path.stem)
        base = path.with_name(found[1] + path.suffix) if found else path
        if found and base not in there:
            # The first game's file is not there: the others belong together still.
            base = path.with_name(f"{found[1]}_*{path.suffix}")
        number = int(found[2]) if found and base != path else 1
        groups.setdefault(base, []).append((number, path))
    return [[path for _, path in sorted(group)] for _, group in sorted(groups.items())]


def read_gnubg_text(sources: Source | Sequence[Source], *, day_first: bool | None = None) -> Library:
    """Read the text export of one match, session, or game.

    Parameters
    ----------
    sources : path, or (name, text), or a sequence of them
        The files of one match, in any order.
    day_first : bool, optional
        Whether dates such as 05/08/2024 begin with the day. Where it is not given, they are left out and said so.

    Returns
    -------
    Library
        One match, with the decisions that stand before the first damage; none where nothing could be read. What is
        wrong, or was left out, is among the problems with file and line.
    """
    if isinstance(sources, (str, Path)) or (
        isinstance(sources, tuple) and len(sources) == 2 and all(isinstance(item, str) for item in sources)
    ):
        sources = [sources]
    problems: list[Problem] = []
    games: list[TextGame] = []
    for source in sources:
        name, text = source_text(source)
        if text is None:
            problems.append(Problem(name, "", NO_TEXT))
            continue
        try:
            games.append(_cut(name, text))
        except Damage as damage:
            problems.append(Problem(name, f"line {damage.line}", damage.reason))
    games.sort(key=lambda game: (game.played, game.source))
    library = _Reader(day_first).read(games)
    matches = library.matches
    if problems and matches and matches[0].winner is None:  # the last game may be in what could not be read
        matches = (replace(matches[0], final_score=None),)
    return Library(matches, library.decisions, (*problems, *library.problems))


def _cut(name: str, text: str) -> TextGame:
    """Find the blocks of a file."""
    game = TextGame(name, text.replace("\r\n", "\n").split("\n"))
    found = _SCORE.match(game.lines[0])
    if found is None:
        first = game.lines[0].strip()[:60]
        reason = f"no text export of GNU Backgammon in English (it begins {first!r})"
        raise Damage(1, f"{reason}; {NOT_ENGLISH}" if is_gnubg_text(text) else reason)
    game.played = int(found[1])
    footer = False
    for number, line in enumerate(game.lines):
        heading = _HEADING.match(line)
        if heading and "Position ID" in next(filter(str.strip, game.lines[number + 1 :]), ""):
            game.starts.append((number, int(heading[1])))
        elif line.startswith(_STATISTICS) or line.startswith(_LAST_LINE):
            game.end, footer = number, True
            break
    if not game.starts:
        reason = "no move" if footer else "the file ends before its first move"
        unknown = next((line for line in game.lines if "ID" in line), None)
        raise Damage(len(game.lines), f"{reason}; {NOT_ENGLISH}" if unknown else reason)
    last = game.starts[-1][0]
    game.end = game.end or len(game.lines)
    for number in range(last, game.end):
        result = _RESULT.match(game.lines[number])
        if result:
            game.result, game.end = (result[1], int(result[2])), number
            break
    game.cut_short = not footer and game.result is None
    if game.cut_short and len(game.starts) == 1:
        raise Damage(len(game.lines), "the file ends within its first move")
    return game


class _Reader:
    """Reads the games of one match in order, up to the first damage."""

    def __init__(self, day_first: bool | None):
        self.day_first = day_first
        self.recorder = TurnRecorder()
        self.builder = self.recorder.builder
        self.names = ("", "")
        self.length = 0
        self.score: tuple[int, int] | None = None
        self.number = 0
        self.state = MatchState()  # as the running game begins

    def read(self, games: Sequence[TextGame]) -> Library:
        unfinished = False
        for game in games:
            try:
                if not self._begins(game):
                    continue
                whole = self._moves(game)
                unfinished = whole and game.result is None
                if not whole:
                    break
            except Damage as damage:
                self._problem(game, damage.line, f"{damage.reason}; what follows is left out")
                self.score, unfinished = None, False
                break
        if not self.builder.matches:
            return self.builder.library()
        self.builder.end_match(self.score)
        library = self.recorder.library(unfinished=unfinished)
        version = next((found[1] for found in map(_version, games) if found), "")
        return with_engine(library, version)

    def _problem(self, game: TextGame, line: int, reason: str) -> None:
        self.builder.problems.append(Problem(game.source, f"line {line}" if line else "", reason))

    def _begins(self, game: TextGame) -> bool:
        """Open the game, and with the first one the match; False for a file that belongs to another match."""
        line = game.starts[0][0] + 1
        state, board = state_and_board(game.block(0), line)
        sides = [sum(count for count in face if count > 0) for face in (board, turned(board))]
        if sides != [CHECKERS, CHECKERS]:
            reason = f"the game begins with {sides[0]} and {sides[1]} checkers, wanted are {CHECKERS} and {CHECKERS}"
            raise Damage(line, reason)
        found = player_names(game.block(0), state)
        names = (found.get(0, ""), found.get(1, ""))
        length = state.length if state.length <= LONGEST_MATCH else 0
        score, self.state = _seat_scores(state), state
        if not self.builder.matches:
            self.names, self.length = names, length
            self.builder.match(self._match(game, score))
        elif (names, length) != (self.names, self.length):
            self._problem(
                game,
                1,
                f"{names[0]} against {names[1]} to {length}, not the match of the first file; left out",
            )
            return False
        elif game.played + 1 == self.number:
            self._problem(game, 1, f"game {self.number} a second time; left out")
            return False
        elif game.played > self.number:
            self._problem(game, 1, f"game {self.number + 1} is missing before this one")
        elif score != self.score and self.score is not None:
            self._problem(
                game,
                1,
                f"begins at {score[0]}-{score[1]}, the game before ends at {self.score[0]}-{self.score[1]}",
            )
        self.number = game.played + 1
        try:
            self.builder.game(self.number, score, crawford=state.crawford)
        except RecordError as error:
            raise Damage(1, str(error)) from error
        self.score = score
        return True

    def _match(self, game: TextGame, score: tuple[int, int]) -> Match:
        day, text = "", game.info("Date")
        if text:
            try:
                printed = printed_day("\n".join(game.lines[-6:]))
                day = parse_day(text, printed=printed, day_first=self.day_first) or ""
                if not day:
                    self._problem(
                        game,
                        0,
                        f"date {text}: day and month cannot be told apart; left out (matches.csv can give it)",
                    )
            except ValueError as error:
                self._problem(game, 0, f"date {text}: {error}; left out")
        return Match(
            key="",
            length=self.length,
            players=self.names,
            date=day,
            tournament=game.info("Event"),
            round=game.info("Round"),
            source=game.source,
            start_score=score,
        )

    def _moves(self, game: TextGame) -> bool:
        """Read the blocks of a game; False where the file ends within one."""
        expected, facts = None, (self.state.length, _seat_scores(self.state))
        rows = range(len(game.starts) - game.cut_short)
        for row in rows:
            line, number = game.starts[row]
            move = parse_move(number, game.block(row), line + 1)
            if (move.state.length, _seat_scores(move.state)) != facts:
                raise Damage(line + 1, "the Match ID is of another match or score")
            if expected not in (None, move.board):
                raise Damage(line + 1, "the position does not follow from the move before")
            try:
                self._record(game, move)
            except RecordError as error:
                raise Damage(line + 1, str(error)) from error
            expected = move.board
            if move.action in ("moves", "cannot move"):
                expected = turned(move.after or move.board)
        if game.cut_short:
            self._problem(game, len(game.lines), "the file ends within a move; what follows is left out")
            self.score = None
            return False
        if game.result is None:
            self.score = None
        else:
            self.score = self._after(game, game.result)
        return True

    def _record(self, game: TextGame, move: TextMove) -> None:
        state = move.state
        if move.action in ("moves", "cannot move"):
            turn = Turn(move.number, move.line, state.on_roll, move.board, state.cube, state.cube_owner)
            self.recorder.roll(
                turn, state.dice, move.options, move.after, cube=move.cube, luck=move.luck, source=game.source
            )
        elif move.action == "doubles" and not state.doubled:
            turn = Turn(move.number, move.line, state.on_roll, move.board, state.cube, state.cube_owner)
            self.recorder.double(turn, move.cube)
        elif move.action:
            turn = Turn(
                move.number, move.line, state.decider, turned(move.board), state.cube, -state.cube_owner
            )
            cube = move.cube  # the answer's signs are the responder's
            if cube is not None:
                cube = cube._replace(equities=tuple(-value for value in cube.equities))
            if move.action == "doubles":
                self.recorder.beaver(turn, game.source)
            else:
                self.recorder.respond(turn, move.action == "accepts", cube)

    def _after(self, game: TextGame, result: tuple[str, int]) -> tuple[int, int] | None:
        """Score after the game; None where the winner cannot be told."""
        name, points = result
        if self.score is None or self.names[0] == self.names[1] or name not in self.names:
            self._problem(
                game, game.end + 1, f"{name} wins, but the players are {self.names[0]} and {self.names[1]}"
            )
            return None
        seat = self.names.index(name)
        return (self.score[0] + points * (seat == 0), self.score[1] + points * (seat == 1))


def _seat_scores(state: MatchState) -> tuple[int, int]:
    return state.score if state.on_roll == 0 else (state.score[1], state.score[0])


def _version(game: TextGame) -> re.Match | None:
    return _VERSION.search("\n".join(game.lines[-6:]))
