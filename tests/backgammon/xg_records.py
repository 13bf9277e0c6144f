"""Builds eXtreme Gammon files of a few records, as the format is described, for tests."""

import struct
import zlib
from collections.abc import Sequence

from ludometrics.backgammon.boards import START

HEADER_BYTES, RECORD_BYTES = 8232, 2560
NOT_ANALYSED = -1000.0
START_BOARD = tuple(START.tolist())


def turned(board: Sequence[int]) -> tuple[int, ...]:
    return tuple(-count for count in reversed(board))


def _record(kind: int) -> bytearray:
    record = bytearray(RECORD_BYTES)
    record[8] = kind
    return record


def _name(record: bytearray, offset: int, text: str) -> None:
    encoded = text.encode("utf-16-le")
    record[offset : offset + len(encoded)] = encoded


def match_header(
    length: int, first: str = "Ann", second: str = "Bo", *, event: str = "Open", days: float = 45_000.5
):
    record = _record(0)
    struct.pack_into("<i", record, 92, length)
    struct.pack_into("<d", record, 128, days)
    for offset, text in ((622, event), (880, first), (1138, second), (1654, "Final")):
        _name(record, offset, text)
    return bytes(record)


def game_header(number: int, score: tuple[int, int] = (0, 0), *, crawford: bool = False):
    record = _record(1)
    struct.pack_into("<ii", record, 12, *score)
    record[20] = crawford
    struct.pack_into("<26b", record, 21, *START_BOARD)
    struct.pack_into("<i", record, 48, number)
    return bytes(record)


def cube(
    player: int,
    board,
    *,
    doubled: int,
    take: int = -1,
    code: int = 0,
    equities=(0.0, 0.0, 0.0),
    level: int = 3,
):
    record = _record(2)
    struct.pack_into("<iii", record, 12, player, doubled, take)
    struct.pack_into("<i", record, 32, code)
    struct.pack_into("<26b", record, 36, *board)
    struct.pack_into("<i", record, 92, level)
    struct.pack_into("<3f", record, 152, *equities)
    struct.pack_into("<d", record, 200, NOT_ANALYSED)
    struct.pack_into("<d", record, 216, NOT_ANALYSED)
    return bytes(record)


def move(
    player: int,
    before,
    after,
    dice,
    candidates=(),
    *,
    code: int = 0,
    luck: float = NOT_ANALYSED,
    invalid: int = 0,
):
    """``candidates``: (board, equity, level)."""
    record = _record(3)
    struct.pack_into("<26b", record, 9, *before)
    struct.pack_into("<26b", record, 35, *after)
    struct.pack_into("<i", record, 64, player)
    struct.pack_into("<ii", record, 100, *dice)
    struct.pack_into("<i", record, 108, code)
    struct.pack_into("<i", record, 120, len(candidates))
    for number, (board, equity, level) in enumerate(candidates):
        struct.pack_into("<26b", record, 192 + 26 * number, *board)
        struct.pack_into("<8b", record, 1024 + 8 * number, *[-1] * 8)
        struct.pack_into("<h", record, 1280 + 4 * number, level)
        struct.pack_into("<7f", record, 1408 + 28 * number, 0.01, 0.1, 0.48, 0.52, 0.12, 0.02, equity)
    struct.pack_into("<dd", record, 2312, NOT_ANALYSED, luck)
    struct.pack_into("<i", record, 2480, invalid)
    return bytes(record)


def game_footer(score: tuple[int, int], winner: int, points: int):
    record = _record(4)
    struct.pack_into("<ii", record, 12, *score)
    struct.pack_into("<iii", record, 24, winner, points, 1)
    return bytes(record)


def match_footer(score: tuple[int, int]):
    record = _record(5)
    struct.pack_into("<ii", record, 12, *score)
    return bytes(record)


def xg_file(records: Sequence[bytes], *, picture: bytes = b"", archive: bool = False) -> bytes:
    """Header, picture and one stream of records; ``archive``: with an index before and a register after it."""
    header = bytearray(HEADER_BYTES)
    header[:4] = b"RGMH"
    struct.pack_into("<II", header, 4, 1, HEADER_BYTES)
    struct.pack_into("<I", header, 20, len(picture))
    stream = zlib.compress(b"".join(records))
    if archive:
        stream = (
            zlib.compress(records[0] + records[-1]) + stream + zlib.compress(b"temp.xg" * 76) + b"tail" * 9
        )
    return bytes(header) + picture + stream
