"""Files of eXtreme Gammon: `.xg` matches and `.xgp` positions. NOT TRIED ON A GENUINE FILE, only on single genuine
records and on files that tests build; `Match.engine` says so.

A header with a picture is followed by zlib streams; one of them holds the records of the match, 2560 bytes each, whose
fields the package gammonview reads. Boards are taken as the file gives them, never replayed. Which way round a board
stands is decided from the data: the side that moved is the one that plays. A genuine record of a play by the second
player shows it, like every candidate, as the mover sees it.

Level 998 and 999 are the opening book (depth unknown), 1000 to 1002 are XG Roller, Roller+ and Roller++ (depths 51 to
53). The fields "time delay" are lists of bits, which no document explains as a time: durations stay unknown.

Sources: extremegammon.com/xgformat.aspx as restated in github.com/Insti/xgdatatools; the code of gammonview 3.1.
"""

from __future__ import annotations

import math
import struct
import zlib
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import date, timedelta
from typing import Any

from ludometrics.backgammon.building import Option, RecordBuilder
from ludometrics.backgammon.gva_documents import MALFORMED
from ludometrics.backgammon.gva_positions import TRUNCATED_DEPTH, equity_of, turned
from ludometrics.backgammon.records import (
    DOUBLE,
    NO_DOUBLE,
    PASS,
    ROLLOUT_DEPTH,
    SLOTS,
    TAKE,
    UNKNOWN,
    Library,
    Match,
    Problem,
)

MAGIC = b"RGMH"
RECORD_BYTES = 2560
#: More than this many bytes of records are refused: a longest match has a tenth of it.
MOST_RECORD_BYTES = 128 << 20
ENGINE = "eXtreme Gammon (reader not tried on a genuine file)"

_HEADER_BYTES = 8232
_DEPTHS = {
    12: 3,
    100: ROLLOUT_DEPTH,
    1000: TRUNCATED_DEPTH,
    1001: TRUNCATED_DEPTH + 1,
    1002: TRUNCATED_DEPTH + 2,
}
_DEPTHS |= {level: level + 1 for level in range(7)}
_SEATS = {1: 0, -1: 1}
_KINDS = {0: "header_match", 1: "header_game", 2: "cube", 3: "move", 4: "footer_game", 5: "footer_match"}
_DAY_ZERO = date(1899, 12, 30)
_CUBE_BOARD, _ROUND_NAME, _MOVE_OWNER, _CUBE_OWNER, _WAS_PLAYED = 36, 1654, 176, 108, 2308

Board = tuple[int, ...]


def unpack_records(raw: bytes) -> tuple[bytes, str]:
    """The records of a file, and what is wrong with it: "" or a reason.

    Raises
    ------
    ValueError
        No eXtreme Gammon file, no records in it, or too many.
    """
    if not raw.startswith(MAGIC) or len(raw) < _HEADER_BYTES:
        raise ValueError(f"{len(raw)} bytes are no eXtreme Gammon file: its header has {_HEADER_BYTES}")
    (picture,) = struct.unpack_from("<I", raw, 20)
    rest = raw[_HEADER_BYTES + picture :]
    if not rest:
        raise ValueError("the file ends before its records")
    if rest[:1] != b"\x78":  # records that nobody packed
        found, whole = rest if rest[8:9] == b"\x00" else b"", True
    else:
        found, whole = _longest_stream(rest)
    if len(found) < RECORD_BYTES:
        raise ValueError("it holds no record of a match")
    cut = not whole or len(found) % RECORD_BYTES
    return found, "the file is cut short: its last records are missing" if cut else ""


def _longest_stream(rest: bytes) -> tuple[bytes, bool]:
    """The longest zlib stream that holds records of a match, and whether it is whole."""
    found, whole, left = b"", True, MOST_RECORD_BYTES
    while rest[:1] == b"\x78":
        stream = zlib.decompressobj()
        try:
            content = stream.decompress(rest, left)
        except zlib.error as error:
            if found:
                break  # the register of the archive, no stream
            raise ValueError(f"its records cannot be unpacked: {error}") from None
        if stream.unconsumed_tail:
            raise ValueError(f"it unpacks to more than {MOST_RECORD_BYTES >> 20} MB")
        left = max(left - len(content), 1)
        if content[8:9] == b"\x00" and len(content) > len(found):  # the index begins alike, with two records
            found, whole = content, stream.eof
        rest = stream.unused_data
    return found, whole


def _record_list(content: bytes) -> list[tuple[str, dict[str, Any], bytes]]:
    """Kind, fields and bytes of each record."""
    from gvformat.xg import read_xg

    whole = [content[start : start + RECORD_BYTES] for start in range(0, len(content), RECORD_BYTES)]
    known = [record for record in whole if len(record) == RECORD_BYTES and record[8] in _KINDS]
    header = MAGIC + bytes(_HEADER_BYTES - len(MAGIC))
    parsed = read_xg(header + b"".join(known))
    return [(kind, fields, record) for (kind, fields), record in zip(parsed, known, strict=True)]


def read_xg_library(raw: bytes, source: str, *, positions: bool = False) -> Library:
    """The match of a file; ``positions``: a saved position, in which nobody has played anything.

    Raises
    ------
    ValueError
        Nothing of it can be read.
    """
    content, flaw = unpack_records(raw)
    reader = _Reader(source, positions)
    if flaw:
        reader.builder.problems.append(Problem(source, "", flaw))
    return reader.read(_record_list(content))


def _facing(before: Sequence[int], after: Sequence[int]) -> int:
    """1: the positive checkers moved; -1: the negative ones; 0: neither."""
    own = sum(slot * (max(b, 0) - max(a, 0)) for slot, (b, a) in enumerate(zip(before, after, strict=True)))
    if own > 0:
        return 1
    other = sum(
        (SLOTS - 1 - slot) * (max(-b, 0) - max(-a, 0))
        for slot, (b, a) in enumerate(zip(before, after, strict=True))
    )
    return -1 if other > 0 else 0


def _fits(before: Sequence[int], after: Sequence[int], dice: Sequence[int]) -> bool:
    """Whether the positive side may have come from one board to the other with these dice."""
    pips = sum(dice) * (2 if dice[0] == dice[1] else 1)
    moved = sum(slot * (max(b, 0) - max(a, 0)) for slot, (b, a) in enumerate(zip(before, after, strict=True)))
    others = sum(min(count, 0) for count in before) == sum(min(count, 0) for count in after)
    fewer = sum(max(count, 0) for count in before) >= sum(max(count, 0) for count in after)
    return others and fewer and 0 < moved <= pips


@dataclass
class _Game:
    """What is known of the game being read."""

    number: int
    score: tuple[int, int]
    cube: int = 1
    owner: int | None = None
    turn: int = 1
    offer: tuple[dict[str, Any], bytes] | None = None
    board: Board | None = None  # after the last play, seen by seat 0
    over: bool = False


@dataclass
class _Reader:
    source: str
    positions: bool
    builder: RecordBuilder = field(default_factory=RecordBuilder)
    game: _Game | None = None
    games: int = 0
    final: tuple[int, int] | None = None
    facing: list[int] = field(
        default_factory=lambda: [0, 0]
    )  # by seat, summed over the records in which he moved

    def read(self, records: Sequence[tuple[str, dict[str, Any], bytes]]) -> Library:
        header = next((item for item in records if item[0] == "header_match"), None)
        if header is None:
            raise ValueError("it has no record of a match")
        self.builder.match(self._match(*header[1:]))
        for move in (fields for kind, fields, _ in records if kind == "move" and any(fields["pos_after"])):
            if move["actifp"] in _SEATS:
                self.facing[_SEATS[move["actifp"]]] += _facing(move["pos_before"], move["pos_after"])
        for kind, fields, record in records:
            if kind == "header_match":
                continue
            where = f"game {self.game.number} move {self.game.turn}" if self.game else ""
            try:
                getattr(self, f"_{kind}")(fields, record)
            except MALFORMED as error:
                self._problem(where, str(error))
        if self.game is not None and not self.game.over and not self.positions:
            self._problem(f"game {self.game.number}", "it has no end")
        self.builder.end_match(None if self.game is None or not self.game.over else self.final)
        return self.builder.library()

    def _problem(self, where: str, reason: str) -> None:
        self.builder.problems.append(Problem(self.source, where, reason))

    def _match(self, fields: dict[str, Any], record: bytes) -> Match:
        days = fields["date"]
        known = math.isfinite(days) and 1 <= days < 100_000
        units = struct.unpack_from("<129H", record, _ROUND_NAME)
        name = "".join(map(chr, units[: units.index(0)])) if 0 in units else ""
        return Match(
            key="",
            length=fields["match_length"],
            players=(fields["player1"], fields["player2"]),
            date=(_DAY_ZERO + timedelta(days=int(days))).isoformat() if known else "",
            tournament=(fields["event"] or "").strip(),
            round=name.strip() if name.isprintable() else "",
            source=self.source,
            engine=ENGINE,
        )

    def _header_game(self, fields: dict[str, Any], _: bytes) -> None:
        if self.game is not None and not self.game.over:
            self._problem(f"game {self.game.number}", "it has no end")
        self.games += 1
        number = fields["game_number"] if fields["game_number"] > 0 else self.games
        score = (fields["score1"], fields["score2"])
        if self.games == 1:
            self.builder.matches[0] = replace(self.builder.matches[0], start_score=score)
        self.game = None  # what follows belongs nowhere if the score is impossible
        self.builder.game(number, score, crawford=fields["is_crawford"])
        self.game = _Game(number, score)

    def _footer_match(self, fields: dict[str, Any], _: bytes) -> None:
        self.final = (fields["score1"], fields["score2"])

    def _footer_game(self, fields: dict[str, Any], _: bytes) -> None:
        game = self._running()
        if game.offer is not None:
            fields_of_cube, record = game.offer
            self._cube_rows(game, self._cube_board(game, fields_of_cube, record, None))
        winner = _SEATS.get(fields["winner"])
        if winner is None:
            raise ValueError(f"winner {fields['winner']}, allowed are 1 and -1")
        score = list(game.score)
        score[winner] += fields["points"]
        self.final, game.over = (score[0], score[1]), True

    def _running(self) -> _Game:
        if self.game is None or self.game.over:
            raise ValueError("a record outside any game")
        return self.game

    def _cube(self, fields: dict[str, Any], record: bytes) -> None:
        game = self._running()
        if game.offer is not None and game.offer[0]["doubled"] == 1:
            raise ValueError("a double without what followed")
        game.offer = (fields, record) if fields["doubled"] in (0, 1, -1) else None

    def _set_cube(self, game: _Game, code: int, mine: int, seat: int) -> None:
        """Take over the value that a record states; the owner too where no double has shown him."""
        if abs(code) > 12:
            raise ValueError(f"cube 2^{abs(code)}")
        if code and game.cube != 1 << abs(code):
            game.cube = 1 << abs(code)
            game.owner = {1: seat, -1: 1 - seat}.get(mine)

    def _cube_board(self, game: _Game, fields: dict[str, Any], record: bytes, before: Board | None) -> Board:
        """The board of a cube record as its player sees it."""
        board = struct.unpack_from(f"<{SLOTS}b", record, _CUBE_BOARD)
        if before is None:
            return self._still(game, _seat(fields["actif"]), board)
        if before not in (board, turned(board)):
            raise ValueError("the cube is turned in another position than the roll that follows")
        return before

    def _still(self, game: _Game, seat: int, board: Board) -> Board:
        """A board in which nobody moved, as ``seat`` sees it: by the last play, or as in his other records."""
        if game.board is not None:
            known = game.board if seat == 0 else turned(game.board)
            if known in (board, turned(board)):
                return known
        return turned(board) if self.facing[seat] < 0 else board

    def _cube_rows(self, game: _Game, board: Board) -> None:
        """Write the decision, or two, of the cube record that waits."""
        fields, record = game.offer
        game.offer = None
        seat, doubled, answer = _seat(fields["actif"]), fields["doubled"], fields["take"]
        self._set_cube(game, fields["cube_b"], struct.unpack_from("<i", record, _CUBE_OWNER)[0], seat)
        values = [equity_of(fields[name]) for name in ("equ_b", "equ_double", "equ_drop")]
        analysed = not all(math.isnan(value) or value == 0 for value in values)
        if doubled != 1 and not (analysed and game.owner in (None, seat)):
            return
        common = {
            "equities": values if analysed else None,
            "cube": game.cube,
            "depth": _DEPTHS.get(fields["level"], UNKNOWN),
            "move": game.turn,
        }
        played = UNKNOWN if self.positions or doubled < 0 else DOUBLE if doubled else NO_DOUBLE
        owner = 0 if game.owner is None else 1
        self.builder.double(seat=seat, board=board, played=played, cube_owner=owner, **common)
        if doubled != 1:
            return
        played = UNKNOWN if self.positions else {0: PASS, 1: TAKE, 2: TAKE}.get(answer, UNKNOWN)
        self.builder.response(seat=1 - seat, board=turned(board), played=played, cube_owner=-owner, **common)
        if answer in (1, 2):
            game.cube, game.owner = game.cube * 2 * answer, 1 - seat

    def _move(self, fields: dict[str, Any], record: bytes) -> None:
        game = self._running()
        seat = _seat(fields["actifp"])
        before, after = tuple(fields["pos_before"]), tuple(fields["pos_after"])
        made = any(after)
        if (_facing(before, after) if made else 0) < 0:
            before, after = turned(before), turned(after)
        elif not made or before == after:
            before = after = self._still(game, seat, before)
        if game.offer is not None:
            self._cube_rows(game, self._cube_board(game, *game.offer, before))
        self._set_cube(game, fields["cube_a"], struct.unpack_from("<i", record, _MOVE_OWNER)[0], seat)
        illegal = fields["invalid_m"] == 2
        options = self._options(fields, before, after if illegal else None)
        unplayed = self.positions or illegal or not made or after == before
        places = [place for place, option in enumerate(options) if option.board == after]
        if not unplayed and not places:
            self._problem(f"game {game.number} move {game.turn}", "the play is not among its candidates")
        if illegal:
            self._problem(f"game {game.number} move {game.turn}", "an illegal play, left unscored")
        self.builder.checker(
            seat=seat,
            move=game.turn,
            board=before,
            dice=tuple(fields["dice"]),
            played=places[0] if places and not unplayed else UNKNOWN,
            options=options,
            cube=game.cube,
            cube_owner=0 if game.owner is None else 1 if game.owner == seat else -1,
            luck=equity_of(fields["err_luck"]),
        )
        game.board = after if seat == 0 else turned(after)
        game.turn += 1

    def _options(self, fields: dict[str, Any], before: Board, illegal: Board | None) -> list[Option]:
        options = []
        for row in fields["candidates"]:
            board = tuple(row["pos"])
            if not _fits(before, board, fields["dice"]):
                board = turned(board)
            if {board, turned(board)} & {before, illegal}:
                continue  # a dance, or what the rules forbid, is no candidate
            if not _fits(before, board, fields["dice"]):
                raise ValueError("a candidate cannot be reached with the roll")
            shares = row["probs"] if any(row["probs"]) else None
            depth = _DEPTHS.get(row["level"], UNKNOWN)
            options.append(Option(board, equity_of(row["equity"]), shares, depth))
        return options


def _seat(number: int) -> int:
    if number not in _SEATS:
        raise ValueError(f"player {number}, allowed are 1 and -1")
    return _SEATS[number]
