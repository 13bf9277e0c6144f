"""Files read through the package gammonview: what they say, in every frame, and whatever is wrong with them."""

import copy
import json
import os
import random
import struct
import sys
import zlib
from pathlib import Path

import numpy as np
import pytest

from gva_match import gva_match
from ludometrics.backgammon import xg_files
from ludometrics.backgammon.assessment import assess
from ludometrics.backgammon.gammonview_files import (
    MOST_BYTES,
    kind_of_content,
    read_gammonview,
    read_gammonview_bytes,
)
from ludometrics.backgammon.gva_positions import after_steps
from ludometrics.backgammon.moves import legal_boards_plain
from ludometrics.backgammon.notation import parse_play
from ludometrics.backgammon.records import DOUBLE, NO_DOUBLE, PASS, TAKE, UNKNOWN, Kind, Library, Opinion
from ludometrics.backgammon.settings import Settings
from xg_records import (
    NOT_ANALYSED,
    START_BOARD,
    cube,
    game_footer,
    game_header,
    match_footer,
    match_header,
    move,
    turned,
    xg_file,
)

gvformat = pytest.importorskip("gvformat")
TOTALS = json.loads(
    (Path(__file__).parents[1] / "data/backgammon/records_gammonview_totals.json").read_text(encoding="utf-8")
)


def read(document, name: str = "match.gva") -> Library:
    return read_gammonview_bytes(json.dumps(document).encode(), name)


def same(first: Library, second: Library) -> None:
    for name, value in vars(first.decisions).items():
        if name != "options":
            np.testing.assert_array_equal(value, getattr(second.decisions, name), err_msg=name)
    for name, value in vars(first.decisions.options).items():
        np.testing.assert_array_equal(value, getattr(second.decisions.options, name), err_msg=name)


# Documents


def test_document():
    library = read(gva_match())
    assert library.problems == ()
    (match,) = library.matches
    assert (match.players, match.length, match.date) == (("Ann", "Bo"), 3, "2026-01-13")
    assert (match.start_score, match.final_score, match.winner) == ((1, 0), (2, 0), None)
    assert (match.tournament, match.engine, match.met) == ("Club night", "engine 3ply", "kazaross-xg2")
    decisions = library.decisions
    kinds = [Kind(kind).name for kind in decisions.kind]
    assert kinds == ["CHECKER", "DOUBLE", "CHECKER", "DOUBLE", "RESPONSE"]
    assert decisions.seat.tolist() == [0, 1, 1, 0, 1]
    assert decisions.move.tolist() == [1, 2, 2, 3, 3]
    assert decisions.played.tolist() == [0, NO_DOUBLE, 0, DOUBLE, PASS]
    assert decisions.away.tolist() == [[2, 3], [3, 2], [3, 2], [2, 3], [3, 2]]
    assert decisions.dice.tolist() == [[3, 1], [0, 0], [5, 2], [0, 0], [0, 0]]
    assert decisions.equities[1].tolist() == [-0.2, -0.5, 1.0]
    assert decisions.equities[4].tolist() == [0.41, 0.55, 1.0]  # as the doubler sees them
    assert decisions.depth.tolist() == [2, 3, 3, 3, 3]
    assert decisions.luck[[0, 2]].tolist() == [0.05, -0.02]
    first = decisions.options.board[0]
    assert first.tolist() == parse_play("8/5 6/5", START_BOARD).tolist()
    assert decisions.options.equity.tolist() == [
        0.16,
        -0.05,
        -0.12,
        -0.10,
        -0.30,
    ]  # cubeful, not those of `eval`
    assert decisions.board[1].tolist() == [-count for count in first[::-1]]  # black sees it turned round
    counts = [len(legal_boards_plain(decisions.board[row], decisions.dice[row])) for row in (0, 2)]
    assert decisions.legal_plays.tolist() == [counts[0], UNKNOWN, counts[1], UNKNOWN, UNKNOWN]


def test_stored_forms_agree():
    document = gva_match()
    plain = read(document)
    packed = read_gammonview_bytes(gvformat.write_gvab(document), "match.gvab")
    assert packed.matches[0].key == plain.matches[0].key
    same(plain, packed)


def test_positions_not_stated():
    document = gva_match()
    for ply in document["games"][0]["plies"]:
        del ply["ogid_before"], ply["ogid_after"]
    same(read(gva_match()), read(document))


def test_money_lengths():
    for length in (0, 65, 99999):
        document = gva_match()
        document["match_length"] = length
        library = read(document)
        assert library.matches[0].length == 0
        assert not library.decisions.away.any()


def test_take_passes_the_cube():
    document = gva_match()
    game = document["games"][0]
    game["plies"][3]["action_id"] = 22
    before = game["plies"][1]["ogid_after"].replace("N0N", "B1N")
    game["plies"][4:] = [
        {
            "color": 1,
            "action_id": 0,
            "d1": 1,
            "d2": 1,
            "moves": [{"from": 1, "pips": 1}],
            "ogid_before": before,
        }
    ]
    game["winner"], game["points_won"] = None, 0
    library = read(document)
    assert library.problems == ()
    assert library.decisions.played[4] == TAKE
    assert library.decisions.cube.tolist() == [1, 1, 1, 1, 1, 2]
    assert library.decisions.cube_owner.tolist() == [0, 0, 0, 0, 0, -1]
    assert np.isnan(library.decisions.options.equity[-1])  # played, never analysed
    assert library.matches[0].final_score is None


def test_clock_gives_durations():
    document = gva_match()
    for ply, time in zip(document["games"][0]["plies"], (0, 4_000, 9_500, 9_900, 9_900), strict=True):
        ply["timestamp_ms"] = time
    assert read(document).decisions.duration_ms.tolist() == [UNKNOWN, UNKNOWN, 4_000, 5_500, 400]


@pytest.mark.parametrize(
    ("changed", "level", "opinion"),
    [
        (False, "4ply", Opinion.AGREES),
        (False, "rollout", Opinion.ROLLOUT_AGREES),
        (True, "4ply", Opinion.DIFFERS),
    ],
    ids=["agrees", "rollout", "differs"],
)
def test_second_analysis(changed, level, opinion):
    document = gva_match()
    for place in (0, 2, 3):
        ply = document["games"][0]["plies"][place]
        second = copy.deepcopy(ply["analysis"]) | {"analysis_index": 1}
        for row in [second, *second.get("alternatives", ())]:
            row["eval_level"] = level
        if changed and place == 0:
            second["alternatives"][1]["equity"] = 0.2
        elif changed:
            second |= {"no_double_equity": 1.1, "double_take_equity": 1.2}
        ply["analyses"] = [ply["analysis"] | {"analysis_index": 0}, second]
    opinions = read(document).decisions.opinion
    assert opinions.tolist() == [opinion, Opinion.NONE, Opinion.NONE, opinion, opinion]


def test_luck_of_nothing_is_unknown():
    document = gva_match()
    for ply in document["games"][0]["plies"][:2]:
        ply["analysis"]["luck"] = 0.0
    assert np.isnan(read(document).decisions.luck).all()


def test_illegal_play_is_left_unscored():
    document = gva_match()
    analysis = document["games"][0]["plies"][0]["analysis"]
    analysis["illegal_move"] = True
    library = read(document)
    assert [str(problem) for problem in library.problems] == [
        "match.gva, game 1 move 1: an illegal play, left unscored"
    ]
    assert library.decisions.played[0] == UNKNOWN
    assert library.decisions.options.equity[:1].tolist() == [-0.05]
    assert library.decisions.luck[0] == 0.05


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (
            lambda ply: ply["moves"][0].update({"from": 18}),
            "game 1 move 1: a hop from point 7, where its player",
        ),
        (
            lambda ply: ply["moves"].reverse() or ply["moves"].pop(),
            "its hops do not lead to the position after it",
        ),
        (lambda ply: ply.update(d1=7), "game 1 move 1: dice 7 and 3, allowed are 1 to 6"),
        (lambda ply: ply.update(action_id="x"), "action 'x', wanted is a whole number"),
        (lambda ply: ply.pop("d1"), "game 1 move 1: has no 'd1'"),
        (lambda ply: ply.update(ogid_before="1:2"), "OGID '1:2' has 2 parts"),
        (
            lambda ply: ply["analysis"]["alternatives"][0].update(move=[{"from": 12, "pips": 12}]),
            "the other side holds",
        ),
    ],
    ids=["no-checker", "other-place", "dice", "action", "missing", "ogid", "candidate"],
)
def test_bad_plies_are_reported(change, reason):
    document = gva_match()
    change(document["games"][0]["plies"][0])
    if reason.startswith("OGID"):
        document["games"][0]["plies"][0], document["games"][0]["plies"][1] = document["games"][0]["plies"][
            1::-1
        ]
    library = read(document)
    assert reason in " / ".join(map(str, library.problems))
    assert len(library.decisions) >= 3


def test_hops_in_any_order():
    after = after_steps(START_BOARD, [{"from": 21, "pips": 1}, {"from": 24, "pips": 3}], 1)
    assert after == tuple(parse_play("24/20", START_BOARD))


# eXtreme Gammon


def played(text: str, board) -> tuple[int, ...]:
    return tuple(int(count) for count in parse_play(text, board))


AFTER_63 = played("24/18 13/10", START_BOARD)
OTHER_63 = played("24/15", START_BOARD)
REPLY = turned(AFTER_63)  # as the first player sees it
AFTER_REPLY = played("13/7* 8/7", REPLY)
THIRD = turned(AFTER_REPLY)
DANCED = THIRD  # 66 from the bar against a made 6-point
CUBE = (0.3, 0.8, 1.0)


def xg_match(*, fixed: bool = False, length: int = 5, ends: bool = True) -> list[bytes]:
    """Second player opens 63, first answers 61 and hits, second dances with 66, first doubles, second takes; the
    first loses nothing else: he wins 2. ``fixed``: every board as the first player sees it."""

    def seen(player, *boards):
        return [turned(board) if fixed and player < 0 else board for board in boards]

    opening, after, other = seen(-1, START_BOARD, AFTER_63, OTHER_63)
    (third,) = seen(-1, THIRD)
    (doubled,) = seen(1, turned(DANCED))
    records = [
        match_header(length),
        game_header(1),
        cube(-1, opening, doubled=-2),
        move(-1, opening, after, (3, 6), [(after, 0.006, 998), (other, -0.011, 998)], luck=0.006),
        cube(1, REPLY, doubled=0, equities=(-0.1, -0.4, 1.0)),
        move(1, REPLY, AFTER_REPLY, (6, 1), [(AFTER_REPLY, 0.4, 3)], luck=0.2),
        cube(-1, third, doubled=-2),
        move(-1, third, third, (6, 6), [(third, -0.6, 3)], luck=-0.1),
        cube(1, doubled, doubled=1, take=1, equities=CUBE, level=1001),
        move(1, doubled, doubled, (5, 5), [], code=-1),
    ]
    if ends:
        records += [game_footer((2, 0), 1, 2), match_footer((2, 0))]
    return records


@pytest.mark.parametrize("fixed", [False, True], ids=["mover", "first-player"])
def test_xg_match_in_both_frames(fixed):
    library = read_gammonview_bytes(xg_file(xg_match(fixed=fixed)), "match.xg")
    assert library.problems == ()
    (match,) = library.matches
    assert (match.players, match.length, match.date) == (("Ann", "Bo"), 5, "2023-03-15")
    assert (match.tournament, match.round, match.final_score) == ("Open", "Final", (2, 0))
    assert "not tried on a genuine file" in match.engine
    decisions = library.decisions
    kinds = [Kind(kind).name for kind in decisions.kind]
    assert kinds == ["CHECKER", "DOUBLE", "CHECKER", "CHECKER", "DOUBLE", "RESPONSE", "CHECKER"]
    assert decisions.seat.tolist() == [1, 0, 0, 1, 0, 1, 0]
    assert decisions.move.tolist() == [1, 2, 2, 3, 4, 4, 4]
    assert decisions.played.tolist() == [0, NO_DOUBLE, 0, UNKNOWN, DOUBLE, TAKE, UNKNOWN]
    boards = [START_BOARD, REPLY, REPLY, THIRD, turned(THIRD), THIRD, turned(THIRD)]
    assert decisions.board.tolist() == [list(board) for board in boards]
    assert decisions.cube.tolist() == [1, 1, 1, 1, 1, 1, 2]
    assert decisions.cube_owner.tolist() == [0, 0, 0, 0, 0, 0, -1]
    assert decisions.options.board.tolist() == [list(board) for board in (AFTER_63, OTHER_63, AFTER_REPLY)]
    assert decisions.options.depth.tolist() == [UNKNOWN, UNKNOWN, 4]  # book; XG's level 3 is 4-ply
    assert decisions.depth[4] == 52  # Roller+
    np.testing.assert_allclose(decisions.equities[5], CUBE, atol=1e-6)
    np.testing.assert_allclose(decisions.luck[[0, 2, 3]], [0.006, 0.2, -0.1])
    assert decisions.dice[0].tolist() == [6, 3]
    assert decisions.options.shares[0].tolist() == pytest.approx([0.52, 0.12, 0.02, 0.1, 0.01])


@pytest.mark.parametrize("form", ["picture", "archive", "unpacked"])
def test_xg_containers(form):
    records = xg_match()
    content = xg_file(
        records, picture=b"\xff\xd8picture" * 3 if form == "picture" else b"", archive=form == "archive"
    )
    if form == "unpacked":
        content = xg_file([])[: xg_files._HEADER_BYTES] + b"".join(records)
    same(
        read_gammonview_bytes(content, "match.xg"),
        read_gammonview_bytes(xg_file(records), "match.xg"),
    )


def test_xg_game_that_ends_with_a_pass():
    records = [
        *xg_match()[:8],
        cube(1, turned(DANCED), doubled=1, take=0, equities=CUBE),
        game_footer((1, 0), 1, 1),
        game_header(2, (1, 0)),
        game_footer((1, 4), -1, 4),
        game_header(3, (1, 4), crawford=True),
        move(
            1,
            START_BOARD,
            played("13/8 13/11", START_BOARD),
            (5, 2),
            [(played("13/8 13/11", START_BOARD), 0.0, 2)],
        ),
        game_footer((1, 5), -1, 1),
    ]
    library = read_gammonview_bytes(xg_file(records), "match.xg")
    assert library.problems == ()
    assert library.decisions.played.tolist()[-3:] == [DOUBLE, PASS, 0]
    assert library.decisions.board[-2].tolist() == list(THIRD)
    assert library.decisions.crawford.tolist()[-2:] == [False, True]
    assert library.decisions.away[-1].tolist() == [4, 1]
    assert (library.matches[0].final_score, library.matches[0].winner) == ((1, 5), 1)


def test_xg_beaver():
    records = xg_match(length=99999)
    records[8] = cube(1, turned(DANCED), doubled=1, take=2, equities=CUBE)
    records[9] = move(1, turned(DANCED), turned(DANCED), (5, 5), [], code=-2)
    library = read_gammonview_bytes(xg_file(records), "match.xg")
    assert library.matches[0].length == 0
    assert library.decisions.played[5] == TAKE
    assert (library.decisions.cube[-1], library.decisions.cube_owner[-1]) == (4, -1)


def test_xg_without_the_last_footer_keeps_what_was_played():
    library = read_gammonview_bytes(xg_file(xg_match(ends=False)), "match.xg")
    assert [str(problem) for problem in library.problems] == ["match.xg, game 1: it has no end"]
    assert len(library.decisions) == 7
    assert library.matches[0].final_score is None


def test_xg_not_analysed_and_illegal():
    records = xg_match()
    records[4] = cube(1, REPLY, doubled=0, equities=(NOT_ANALYSED,) * 3)
    records[5] = move(
        1, REPLY, AFTER_REPLY, (6, 1), [(AFTER_REPLY, 0.4, 3), (played("8/2 6/5", REPLY), 0.1, 3)], invalid=2
    )
    library = read_gammonview_bytes(xg_file(records), "match.xg")
    decisions = library.decisions
    assert [Kind(kind).name for kind in decisions.kind[:3]] == ["CHECKER", "CHECKER", "CHECKER"]
    assert (decisions.played[1], np.diff(decisions.option_start)[1]) == (UNKNOWN, 1)
    assert np.isnan(decisions.luck[1])
    assert [problem.reason for problem in library.problems] == ["an illegal play, left unscored"]


def test_xgp_position_decides_nothing():
    position = [
        match_header(7),
        game_header(1, (2, 3)),
        cube(1, REPLY, doubled=-1, equities=(-0.1, -0.4, 1.0)),
        move(1, REPLY, (0,) * 26, (6, 1), [(AFTER_REPLY, 0.4, 3), (played("8/2 6/5", REPLY), 0.1, 3)]),
    ]
    library = read_gammonview_bytes(xg_file(position), "position.xgp")
    assert library.problems == ()
    assert library.decisions.played.tolist() == [UNKNOWN, UNKNOWN]
    assert np.diff(library.decisions.option_start).tolist() == [0, 2]
    assert library.decisions.away.tolist() == [[5, 4]] * 2


def test_xg_bad_records():
    records = xg_match()
    broken = bytearray(records[5])
    struct.pack_into("<i", broken, 64, 0)
    records[5] = bytes(broken)
    too_many = bytearray(records[3])
    struct.pack_into("<26b", too_many, 9, *[9] * 26)
    records[3] = bytes(too_many)
    library = read_gammonview_bytes(xg_file(records), "match.xg")
    reasons = [problem.reason for problem in library.problems]
    assert any("player 0, allowed are 1 and -1" in reason for reason in reasons)
    assert len(reasons) >= 2
    assert len(library.decisions) >= 3


def test_genuine_xg_records():
    """A play from the book by the second player, in the mover's frame, and a cube record without a decision."""
    records = [match_header(7), game_header(1), real_file("xg_binary", "2_Cube.bin").read_bytes()]
    records += [real_file("xg_binary", "3_Move.bin").read_bytes(), game_footer((0, 1), -1, 1)]
    library = read_gammonview_bytes(xg_file(records), "match.xg")
    assert library.problems == ()
    decisions = library.decisions
    assert decisions.seat.tolist() == [1]
    assert decisions.board[0].tolist() == list(START_BOARD)
    assert decisions.options.board[decisions.played[0]].tolist() == list(AFTER_63)
    assert np.diff(decisions.option_start).tolist() == [10]
    assert decisions.options.equity[:2].tolist() == pytest.approx([0.0061259, -0.0107647], abs=1e-6)
    assert decisions.luck[0] == pytest.approx(0.0061259, abs=1e-6)


# Other formats


def _smile(value) -> bytes:
    """``value`` in the binary JSON of BGBlitz, as far as needed."""
    if value is None or isinstance(value, bool):
        return {None: b"\x21", False: b"\x22", True: b"\x23"}[value]
    if isinstance(value, float):
        return b"\x28" + struct.pack(">f", value)
    if isinstance(value, int):
        folded = value * 2 if value >= 0 else -value * 2 - 1
        digits = [folded & 0x3F | 0x80]
        while folded := folded >> 6:
            digits.insert(0, folded & 0x3F)
        return b"\x24" + bytes(digits)
    if isinstance(value, str):
        return b"\xe0" + value.encode() + b"\xfc"
    if isinstance(value, list):
        return b"\xf8" + b"".join(map(_smile, value)) + b"\xf9"
    items = b"".join(
        bytes([0x80 + len(name) - 1]) + name.encode() + _smile(item) for name, item in value.items()
    )
    return b"\xfa" + items + b"\xfb"


def bgf_match() -> dict:
    """Green (Ann) opens 31 with 8/5 6/5 in a match to 3 points, then Red gives up."""
    points = [2, 0, 0, 0, 0, -5, 0, -3, 0, 0, 0, 5, -5, 0, 0, 0, 3, 0, 5, 0, 0, 0, 0, -2, 0, 0]
    equity = {
        "hasEMG": True,
        "emg": 0.15,
        "matchEquity": 0.5,
        "myWins": 0.55,
        "myGammon": 0.15,
        "myBackGammon": 0.01,
    }
    equity |= {"oppGammon": 0.12, "oppBackGammon": 0.01}
    choice = {"from": [8, 6, -1, -1], "to": [5, 5, -1, -1]}
    other = {"from": [24, 13, -1, -1], "to": [23, 10, -1, -1]}
    analysis = [
        {"eq": equity, "ply": 2, "played": True, "move": choice},
        {"eq": equity | {"emg": -0.02}, "ply": 2, "played": False, "move": other},
    ]
    move = choice | {"player": -1, "red": 3, "green": 1, "ply": 2, "equity": equity, "moveAnalysis": analysis}
    move |= {
        "pr": {"checkerError": 0.0, "cubeError": -99.0},
        "luck": {"mode": "Match", "luckPlain": 0.1, "luckWeighted": 0.04},
    }
    game = {"scoreGreen": 0, "scoreRed": 0, "isCrawford": False, "wonPoints": 1, "wasResignation": True}
    game |= {"initial": {"cube": 1, "cubeOwner": 0, "points": points}, "moves": [move]}
    match = {
        "nameGreen": "Ann",
        "nameRed": "Bo",
        "matchlen": 3,
        "finalGreen": 1,
        "finalRed": 0,
        "games": [game],
    }
    return match | {"date": "2025.03.04", "event": "Club"}


def bgf_file(match: dict) -> bytes:
    return b'{"format":"BGF"}\n' + zlib.compress(b":)\n\x00" + _smile(match))


def test_bgf():
    library = read_gammonview_bytes(bgf_file(bgf_match()), "match.bgf")
    assert library.problems == ()
    (match,), decisions = library.matches, library.decisions
    assert (match.players, match.date, match.tournament) == (("Ann", "Bo"), "2025-03-04", "Club")
    assert match.met == "bgblitz"
    assert decisions.board.tolist() == [list(START_BOARD)]
    assert decisions.options.board[0].tolist() == parse_play("8/5 6/5", START_BOARD).tolist()
    assert decisions.options.equity.tolist() == [0.15, -0.02]
    assert decisions.luck.tolist() == [0.04]
    assert decisions.played.tolist() == [0]


MAT = """; [EventDate "2025.11.08"]

 5 point match

 Game 1
 Bo : 0                    Ann : 0
  1) 31: 8/5 6/5            52: 24/22 13/8
  2)  Doubles => 2           Drops
      Wins 1 point

 Game 2
 Bo : 1                    Ann : 0
  1)                        62: 24/18 13/11
"""


def test_mat_has_plays_without_equities():
    library = read_gammonview_bytes(MAT.encode(), "match.mat")
    assert library.problems == ()
    (match,), decisions = library.matches, library.decisions
    assert (match.players, match.length, match.final_score) == (("Ann", "Bo"), 5, None)
    assert [Kind(kind).name for kind in decisions.kind] == [
        "CHECKER",
        "CHECKER",
        "DOUBLE",
        "RESPONSE",
        "CHECKER",
    ]
    assert decisions.seat.tolist() == [1, 0, 1, 0, 0]
    assert decisions.played.tolist() == [0, 0, DOUBLE, PASS, 0]
    assert np.isnan(decisions.options.equity).all()
    assert np.isnan(decisions.equities).all()
    assert decisions.options.board[0].tolist() == parse_play("8/5 6/5", START_BOARD).tolist()


# Files that are not sound


def nothing_of(content: bytes, name: str = "match.xg") -> str:
    library = read_gammonview_bytes(content, name)
    assert library.matches == () and len(library.decisions) == 0
    (problem,) = library.problems
    assert problem.source == name
    return problem.reason


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"", "it is empty"),
        (b"\0" * 4096, "it is empty"),
        (b"GIF89a" + b"\1" * 100, "it is none of .xg, .xgp, .bgf, .mat, .ogxm, .gva, .gvab"),
        (b"RGMH", "4 bytes are no eXtreme Gammon file"),
        (xg_file([])[:8232], "the file ends before its records"),
        (xg_file([]), "it holds no record of a match"),
        (xg_file([game_header(1)]), "it holds no record of a match"),
        (xg_file(xg_match())[:8232] + b"\x78\x9c\xff\xff\xff", "its records cannot be unpacked"),
        (b"OGXM\x02\x00", "it cannot be read"),
        (b'{"player_white": 1, "games": ' + b"[" * 200_000, "it is nested too deeply"),
        (b'{"player_white": "Ann", "games": []}', "it has no games"),
        (b'{"player_white": "Ann"}', "has no 'games'"),
        (b'{"player_white": "Ann", "games": [{"plies": 3}]}', "cannot be read"),
        (b'{"player_white": "Ann", "variant": 2, "games": [{}]}', "variant 2, read is only backgammon"),
        (b'["player_white"]', "it is none of"),
        (b"{}\n:)\n\x00\xfa", "Unexpected end of Smile stream"),
    ],
    ids=str,
)
def test_foreign_files(content, reason):
    assert reason in nothing_of(content)


def test_what_unpacks_to_too_much_is_refused(monkeypatch):
    monkeypatch.setattr(xg_files, "MOST_RECORD_BYTES", 1 << 20)
    monkeypatch.setattr("ludometrics.backgammon.gammonview_files.MOST_BYTES", 1 << 20)
    bomb = zlib.compress(bytes(3 << 20))
    assert "it unpacks to more than 1 MB" in nothing_of(xg_file([])[:8232] + bomb)
    assert "it unpacks to more than 1 MB" in nothing_of(b"{}\n" + bomb, "match.bgf")


def test_large_files_are_not_opened(tmp_path):
    path = tmp_path / "large.xg"
    with open(path, "wb") as file:
        file.truncate(MOST_BYTES + (1 << 20))  # sparse
    assert [problem.reason for problem in read_gammonview(path).problems] == ["65 MB, a match has at most 64"]


@pytest.mark.parametrize("name", ["match.xg", "match.gva", "match.gvab", "match.bgf"])
def test_cut_files_never_crash(name):
    document = gva_match()
    whole = {
        "match.xg": xg_file(xg_match()),
        "match.gva": json.dumps(document).encode(),
        "match.gvab": gvformat.write_gvab(document),
        "match.bgf": bgf_file(bgf_match()),
    }[name]
    first = 8200 if name == "match.xg" else 0
    for size in range(first, len(whole), max(1, (len(whole) - first) // 60)):
        library = read_gammonview_bytes(whole[:size], name)
        assert library.problems, size


def test_xg_cut_in_its_stream_keeps_the_beginning():
    records = xg_match()
    stream = zlib.compress(b"".join(records), 0)  # stored, so that a cut loses only the end
    content = xg_file([])[:8232] + stream[: len(stream) - 3 * 2560]
    library = read_gammonview_bytes(content, "match.xg")
    assert library.problems[0].reason.startswith("the file is cut short")
    assert len(library.decisions) >= 4


def test_changed_documents_never_crash():
    """Values of every kind in every place: what comes out is a library of possible decisions."""
    rng = random.Random(7)
    odd = [None, True, -1, 10**30, 1e308, float("nan"), "", "x" * 300, [], {}, [None], {"from": -3}]
    for _ in range(150):
        document = gva_match()
        for _ in range(rng.randint(1, 3)):
            parent, place = rng.choice(list(places(document)))
            parent[place] = rng.choice(odd)
        library = read(document)
        assert library.problems or library.matches
        boards = library.decisions.board
        assert (np.where(boards > 0, boards, 0).sum(axis=1) <= 15).all()


def places(value):
    """Every (container, key) of a document."""
    for key in (
        list(value) if isinstance(value, dict) else range(len(value)) if isinstance(value, list) else ()
    ):
        yield value, key
        yield from places(value[key])


def test_changed_bytes_never_crash():
    rng = random.Random(8)
    whole = b"".join(xg_match())
    for _ in range(60):
        content = bytearray(whole)
        for _ in range(20):
            content[rng.randrange(len(content))] = rng.randrange(256)
        read_gammonview_bytes(xg_file([bytes(content)]), "match.xg")


def test_kinds_are_told_by_content():
    assert kind_of_content(xg_file([])) == "xg"
    assert kind_of_content(gvformat.write_gvab(gva_match())) == "ogxm"
    assert kind_of_content(json.dumps(gva_match()).encode()) == "gva"
    assert kind_of_content(bgf_file(bgf_match())) == "bgf"
    assert kind_of_content(MAT.encode()) == "mat"
    assert kind_of_content(b"The score (after 0 games) is: A 0, B 0 (match to 3 points)") == ""


def test_without_the_package(monkeypatch):
    monkeypatch.setitem(sys.modules, "gvformat", None)
    with pytest.raises(ImportError, match=r'pip install "ludometrics\[backgammon\]"'):
        read_gammonview_bytes(b"RGMH", "match.xg")


# Totals of the package itself

#: It counts by its own rule and adds up errors as they are.
PACKAGE_RULE = Settings(rule="gammonview", rounded=False)


@pytest.mark.parametrize("case", TOTALS["matches"], ids=[case["file"][:4] for case in TOTALS["matches"]])
def test_totals_of_the_package(case):
    library = read_gammonview(real_file("gva_json", case["file"]))
    (match,), decisions = library.matches, library.decisions
    assert (match.length, list(match.final_score)) == (case["length"], case["final_score"])
    judged = assess(library, PACKAGE_RULE)
    counted, cost, slope = judged.counted, judged.error, judged.slope
    for seat, side in enumerate(case["sides"]):
        mine = counted & (decisions.seat == seat)
        assert mine.sum() == side["decisions"] - side["unseen"]
        assert (mine & (decisions.kind != Kind.CHECKER)).sum() == side["cube"]
        assert cost[mine].sum() == pytest.approx(side["error"], abs=5.1e-5 + side["rounding"])
        assert 500 * cost[mine].sum() / side["decisions"] == pytest.approx(
            side["pr"], abs=6e-4 + 500 * side["rounding"]
        )
        rolls = (decisions.kind == Kind.CHECKER) & (decisions.seat == seat)
        assert np.isfinite(decisions.luck[rolls]).sum() == rolls.sum() == side["rolls"]
        assert decisions.luck[rolls].sum() == pytest.approx(side["luck"], abs=6e-5)
        if side["error_mwc"] is None:
            assert np.isnan(slope).all()
        else:
            assert (cost * slope)[mine].sum() == pytest.approx(
                side["error_mwc"], abs=2e-6 + side["rounding"] / 2
            )
            assert (decisions.luck * slope)[rolls].sum() == pytest.approx(side["luck_mwc"], abs=2e-6)


def test_luck_adjusted_result():
    case = TOTALS["matches"][0]
    library = read_gammonview(real_file("gva_json", case["file"]))
    decisions, judged = library.decisions, assess(library, PACKAGE_RULE)
    counted, cost, slope = judged.counted, judged.error, judged.slope
    luck, losses = (
        [np.nansum((values * slope)[chosen & (decisions.seat == seat)]) for seat in (0, 1)]
        for values, chosen in ((decisions.luck, decisions.kind == Kind.CHECKER), (cost, counted))
    )
    wanted = case["luck_adjusted"]
    assert luck[0] - luck[1] == pytest.approx(wanted["net_luck"], abs=2e-6)
    assert wanted["result"] - (luck[0] - luck[1]) == pytest.approx(wanted["adjusted"], abs=2e-6)
    assert losses[1] - losses[0] == pytest.approx(
        wanted["error_balance"], abs=2e-6 + case["sides"][1]["rounding"] / 2
    )


def real_file(*parts: str) -> Path:
    folder = os.environ.get("LUDOMETRICS_EXTRA_DATA")
    path = Path(folder or "", "backgammon", *parts)
    if not folder or not path.exists():
        pytest.skip(
            f"LUDOMETRICS_EXTRA_DATA names no folder with backgammon/{'/'.join(parts)}: 1 file skipped"
        )
    return path
