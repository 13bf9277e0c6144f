"""Documents of GammonView Analysis (`.gva`), the one shape into which the package gammonview reads every format.

A document is a dictionary of games and plies; `gva_positions` says how they write positions. Whether the plies really
lead from position to position is checked; a ply that does not is left out and reported. Equities of candidates are
cubeful (those beside the chances are not); those of a take or pass are the doubler's.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

from ludometrics.backgammon.boards import START
from ludometrics.backgammon.building import Option, RecordBuilder
from ludometrics.backgammon.gva_positions import (
    BLACK,
    WHITE,
    Board,
    State,
    after_steps,
    depth_of,
    equity_of,
    read_ogid,
    turned,
)
from ludometrics.backgammon.records import (
    DOUBLE,
    NO_DOUBLE,
    PASS,
    ROLLOUT_DEPTH,
    TAKE,
    UNKNOWN,
    Library,
    Match,
    Opinion,
    Problem,
)

#: So many problems of one file are told one by one.
MOST_PROBLEMS = 20
#: What a document of the wrong build makes Python raise.
MALFORMED = (ValueError, TypeError, KeyError, IndexError, AttributeError, OverflowError)

_LAST_DICE = 20
_DOUBLES, _TAKES, _PASSES, _SETS, _BEAVERS, _RACCOONS = 21, 22, 23, 31, 32, 33
_SHARES = ("win", "gammon_win", "bg_win", "gammon_loss", "bg_loss")


def opening(score: tuple[int, int]) -> State:
    """The state in which a game begins."""
    return State(tuple(START.tolist()), 1, None, score)


@dataclass
class DocumentReader:
    """Reads one document into a builder, ply by ply."""

    document: Mapping[str, Any]
    source: str
    builder: RecordBuilder = field(default_factory=RecordBuilder)
    left_out: int = 0
    _state: State = field(default_factory=lambda: opening((0, 0)))
    _doubler: int | None = None
    _game_number: int = 0
    _depth: int = UNKNOWN

    def read(self) -> Library:
        """The match of the document; what could not be read is among the problems."""
        document = self.document
        if document.get("variant"):
            raise ValueError(f"variant {document['variant']}, read is only backgammon")
        games = document["games"]
        if not isinstance(games, list) or not games:
            raise ValueError("it has no games")
        self.builder.match(self._match())
        self._state = self._state._replace(score=self._start())
        for number, game in enumerate(games, start=1):
            try:
                self._game(game, number)
            except MALFORMED as error:
                self.report(f"game {number}", error)
        self.builder.end_match(self._final_score(games[-1]))
        if self.left_out > MOST_PROBLEMS:
            rest = self.left_out - MOST_PROBLEMS
            self.builder.problems.append(Problem(self.source, "", f"{rest} more of its plies cannot be read"))
        return self.builder.library()

    def report(self, where: str, error: BaseException | str) -> None:
        """Note a problem; the first `MOST_PROBLEMS` one by one."""
        self.left_out += 1
        if self.left_out <= MOST_PROBLEMS:
            text = f"has no {error}" if isinstance(error, KeyError) else str(error) or type(error).__name__
            self.builder.problems.append(Problem(self.source, where, text))

    def _match(self) -> Match:
        document = self.document
        info = document.get("analysis_info")
        info = info if isinstance(info, dict) else {}
        self._depth = depth_of(info.get("eval_level"))
        engine = " ".join(str(info[name]) for name in ("model_id", "eval_level") if info.get(name))
        seconds = document.get("timestamp")
        dated = isinstance(seconds, int) and 0 < seconds < 2**32
        return Match(
            key="",
            length=int(document.get("match_length") or 0),
            players=(str(document.get("player_white") or ""), str(document.get("player_black") or "")),
            date=datetime.fromtimestamp(seconds, UTC).date().isoformat() if dated else "",
            tournament=str(document.get("event") or ""),
            round=str(document.get("round") or ""),
            source=self.source,
            engine=engine,
            met=str(info.get("met_id") or ""),
            start_score=self._start(),
        )

    def _start(self) -> tuple[int, int]:
        """Score before the first game: as a position states it, else as the document does."""
        for ply in self.document["games"][0].get("plies") or ():
            if isinstance(ply.get("ogid_before"), str):
                return read_ogid(ply["ogid_before"]).score
        white, black = self.document.get("score_start") or (0, 0)
        return int(white), int(black)

    def _final_score(self, last: Mapping[str, Any]) -> tuple[int, int] | None:
        if last.get("winner") not in (WHITE, BLACK) or not last.get("points_won"):
            return None
        return int(self.document["white_score"]), int(self.document["black_score"])

    def _game(self, game: Mapping[str, Any], number: int) -> None:
        plies = game.get("plies") or []
        first = next((ply for ply in plies if isinstance(ply.get("ogid_before"), str)), None)
        score = read_ogid(first["ogid_before"]).score if first else self._state.score
        self._state = opening(score)
        self._doubler, self._game_number = None, number
        self.builder.game(number, score, crawford=bool(game.get("is_crawford")))
        turn, clock = 1, None
        for ply in plies:
            try:
                turn += self._ply(ply, turn, _passed(clock, ply.get("timestamp_ms")))
            except MALFORMED as error:
                self.report(f"game {number} move {turn}", error)
            after = ply.get("ogid_after")
            if isinstance(after, str):
                self._state = read_ogid(after)
            clock = ply.get("timestamp_ms")
        if game.get("winner") in (WHITE, BLACK):
            score = list(self._state.score)
            score[game["winner"]] += int(game.get("points_won") or 0)
            self._state = self._state._replace(score=tuple(score))

    def _ply(self, ply: Mapping[str, Any], turn: int, duration: int | None) -> bool:
        """Read one ply; True if it ended the turn."""
        action, seat = ply.get("action_id"), WHITE if ply.get("color") else BLACK
        if isinstance(ply.get("ogid_before"), str):
            self._state = read_ogid(ply["ogid_before"])
        if not isinstance(action, int):
            raise ValueError(f"action {action!r}, wanted is a whole number")
        if 0 <= action <= _LAST_DICE or (action == _SETS and ply.get("d1")):
            self._checker(ply, seat, turn, duration)
            return True
        if action == _DOUBLES:
            self._cube(ply, seat, turn, DOUBLE, duration)
            self._doubler = seat
        elif action in (_TAKES, _PASSES, _BEAVERS) and self._doubler is not None:
            self._answer(ply, seat, turn, duration)
        elif action == _RACCOONS:
            self._state = self._state._replace(cube=self._state.cube * 2, owner=seat)
        return False

    def _checker(self, ply: Mapping[str, Any], seat: int, turn: int, duration: int | None) -> None:
        analysis = _analyses(ply)[0]
        before = self._state.seen_by(seat)
        illegal = bool(analysis.get("illegal_move")) or ply["action_id"] == _SETS
        after = None if illegal else self._after(ply, before, seat)
        options, played = [], UNKNOWN
        for row in analysis.get("alternatives") or ():
            if illegal and row.get("is_played"):
                continue  # not a candidate, whatever it was valued at
            option = self._option(row, before, seat)
            if option.board == before:
                continue  # a dance is no candidate either
            if option.board == after and played == UNKNOWN:
                played = len(options)
            options.append(option)
        if not options and after not in (None, before):
            options, played = [Option(after, math.nan)], 0
        live = analysis.get("missed_double") or analysis.get("cube_decision")
        if live and self._state.owner in (None, seat):
            self._cube_row(ply, seat, turn, NO_DOUBLE, live, None)
        if illegal:
            self.report(f"game {self._game_number} move {turn}", "an illegal play, left unscored")
        elif played == UNKNOWN and options:
            self.report(f"game {self._game_number} move {turn}", "the play is not among its candidates")
        self.builder.checker(
            seat=seat,
            move=turn,
            board=before,
            dice=(int(ply["d1"]), int(ply["d2"])),
            played=played,
            options=options,
            cube=self._state.cube,
            cube_owner=self._state.owner_for(seat),
            luck=equity_of(analysis.get("luck")),
            duration_ms=duration,
            opinion=self._opinion(ply, before, seat),
        )
        self._state = self._state._replace(board=_seen_by_white(after, seat) if after else self._state.board)

    def _after(self, ply: Mapping[str, Any], before: Board, seat: int) -> Board:
        """The board after the play, which must be that of the position after it."""
        after = after_steps(before, ply.get("moves") or (), seat)
        if isinstance(ply.get("ogid_after"), str) and read_ogid(ply["ogid_after"]).seen_by(seat) != after:
            raise ValueError("its hops do not lead to the position after it")
        return after

    def _option(self, row: Mapping[str, Any], before: Board, seat: int) -> Option:
        chances = row.get("eval")
        shares = [equity_of(chances.get(name)) for name in _SHARES] if isinstance(chances, dict) else None
        level = row.get("eval_level")
        return Option(
            after_steps(before, row.get("move") or (), seat),
            equity_of(row.get("equity")),
            shares,
            self._depth if level is None else depth_of(level),
        )

    def _cube(self, ply: Mapping[str, Any], seat: int, turn: int, played: int, duration: int | None) -> None:
        self._cube_row(ply, seat, turn, played, _analyses(ply)[0], duration)

    def _cube_row(
        self,
        ply: Mapping[str, Any],
        seat: int,
        turn: int,
        played: int,
        analysis: Mapping[str, Any],
        duration: int | None,
    ) -> None:
        equities = _cube_equities(analysis)
        if equities is None and played == NO_DOUBLE:
            return
        level = analysis.get("eval_level")
        self.builder.double(
            seat=seat,
            move=turn,
            board=self._state.seen_by(seat),
            played=played,
            equities=equities,
            cube=self._state.cube,
            cube_owner=self._state.owner_for(seat),
            duration_ms=duration,
            depth=self._depth if level is None else depth_of(level),
            opinion=_cube_opinion(ply, lambda no_double, take, drop: min(take, drop) > no_double),
        )

    def _answer(self, ply: Mapping[str, Any], seat: int, turn: int, duration: int | None) -> None:
        analysis, action = _analyses(ply)[0], ply["action_id"]
        level = analysis.get("eval_level")
        self.builder.response(
            seat=seat,
            move=turn,
            board=self._state.seen_by(seat),
            played=PASS if action == _PASSES else TAKE,
            equities=_cube_equities(analysis),
            cube=self._state.cube,
            cube_owner=self._state.owner_for(seat),
            duration_ms=duration,
            depth=self._depth if level is None else depth_of(level),
            opinion=_cube_opinion(ply, lambda _, take, drop: take > drop),
        )
        self._doubler = None
        if action != _PASSES:
            factor = 4 if action == _BEAVERS else 2
            self._state = self._state._replace(cube=self._state.cube * factor, owner=seat)

    def _opinion(self, ply: Mapping[str, Any], before: Board, seat: int) -> Opinion:
        """What further analyses of the same document say of the best play."""
        verdicts = []
        for analysis in _analyses(ply):
            options = [self._option(row, before, seat) for row in analysis.get("alternatives") or ()]
            options = [option for option in options if not math.isnan(option.equity)]
            if options:
                deepest = max(option.depth for option in options)
                best = max((o for o in options if o.depth == deepest), key=lambda option: option.equity)
                verdicts.append((best.board, best.depth))
        return agreement(verdicts)


def agreement(verdicts: Sequence[tuple[Any, int]]) -> Opinion:
    """What the (verdict, depth) of every analysis but the first say of the first's.

    Examples
    --------
    >>> agreement([("take", 3)]).name, agreement([("take", 3), ("pass", 4)]).name
    ('NONE', 'DIFFERS')
    """
    others = verdicts[1:]
    if not others:
        return Opinion.NONE
    if any(verdict != verdicts[0][0] for verdict, _ in others):
        return Opinion.DIFFERS
    rolled_out = any(depth == ROLLOUT_DEPTH for _, depth in others)
    return Opinion.ROLLOUT_AGREES if rolled_out else Opinion.AGREES


def _cube_opinion(ply: Mapping[str, Any], verdict) -> Opinion:
    verdicts = []
    for analysis in _analyses(ply):
        part = analysis.get("missed_double") or analysis.get("cube_decision") or analysis
        equities = _cube_equities(part)
        if equities is not None and not any(math.isnan(value) for value in equities):
            verdicts.append((verdict(*equities), depth_of(part.get("eval_level"))))
    return agreement(verdicts)


def _analyses(ply: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """The analyses of a ply, the first one first; a single empty one where there is none."""
    first = ply.get("analysis")
    several = ply.get("analyses") or ()
    others = [item for item in several if isinstance(item, dict) and item.get("analysis_index")]
    return [first if isinstance(first, dict) else {}, *others]


def _cube_equities(analysis: Mapping[str, Any]) -> tuple[float, float, float] | None:
    names = ("no_double_equity", "double_take_equity", "double_pass_equity")
    values = tuple(equity_of(analysis.get(name)) for name in names)
    return None if all(math.isnan(value) for value in values) else values


def _passed(earlier: Any, later: Any) -> int | None:
    """Milliseconds between two times of the document's clock; None where one is missing."""
    if not isinstance(earlier, int) or not isinstance(later, int) or not 0 <= later - earlier < 2**31:
        return None
    return later - earlier


def _seen_by_white(board: Board, seat: int) -> Board:
    return board if seat == WHITE else turned(board)
