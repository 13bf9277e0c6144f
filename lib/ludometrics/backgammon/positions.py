"""Boards and the texts that stand for them: one door to `boards`, `position_ids`, `xgid` and `drawing`."""

from ludometrics.backgammon.boards import (
    BAR,
    START,
    as_board,
    as_boards,
    boards_contact,
    boards_off,
    boards_pips,
    distinct_boards,
    flip,
    has_contact,
    off,
    pips,
)
from ludometrics.backgammon.drawing import draw
from ludometrics.backgammon.position_ids import (
    GameState,
    MatchState,
    board_from_position_id,
    match_id,
    match_state,
    position_id,
)
from ludometrics.backgammon.xgid import XGID, decision_xgid, from_xgid, xgid

__all__ = [
    "BAR",
    "START",
    "XGID",
    "GameState",
    "MatchState",
    "as_board",
    "as_boards",
    "board_from_position_id",
    "boards_contact",
    "boards_off",
    "boards_pips",
    "decision_xgid",
    "distinct_boards",
    "draw",
    "flip",
    "from_xgid",
    "has_contact",
    "match_id",
    "match_state",
    "off",
    "pips",
    "position_id",
    "xgid",
]
