"""A short analysed match as a document of GammonView Analysis, for tests: its own, made up."""

import copy
from typing import Any

#: White opens 31 (8/5 6/5), Black answers 52, White doubles, Black passes.
_OPENING = "11ccccchhhjjjjj:66666888dddddoo"
_POINTED = "11ccccchhkkjjjj:66666888dddddoo"  # White made the 5-point: abs 20 = k
_ANSWERED = "11ccccchhkkjjjj:666668888ddddmo"  # 24/22 13/8


def _eval(win: float) -> dict[str, float]:
    return {
        "win": win,
        "gammon_win": 0.15,
        "bg_win": 0.01,
        "gammon_loss": 0.12,
        "bg_loss": 0.005,
        "equity": 9.0,
    }


def _ogid(
    places: str, cube: str, colour: str, state: str, *, dice: str = "", score: str = "1:0", length: str = "3"
) -> str:
    return f"{places}:{cube}:{dice}:{colour}:{state}:{score}:{length}:0"


def _alternative(
    hops: list[tuple[int, int]], equity: float, played: bool, level: str = "2ply"
) -> dict[str, Any]:
    return {
        "move": [{"from": start, "pips": pips} for start, pips in hops],
        "equity": equity,
        "is_played": played,
        "eval": _eval(0.5 + equity / 4),
        "eval_level": level,
    }


def _checker(colour, dice, hops, before, after, alternatives, luck, **cube):
    analysis = {"alternatives": alternatives, "luck": luck, "decision": True, "equity_loss": 0.0, **cube}
    return {
        "color": colour,
        "action_id": {(1, 3): 2, (2, 5): 9}[dice],
        "d1": dice[0],
        "d2": dice[1],
        "moves": [{"from": start, "pips": pips} for start, pips in hops],
        "analysis": analysis,
        "ogid_before": before,
        "ogid_after": after,
    }


_CUBE = {"no_double_equity": 0.41, "double_take_equity": 0.55, "double_pass_equity": 1.0}


def gva_match() -> dict[str, Any]:
    """The document, a fresh copy each time; White leads 1-0 in 3 points and wins 2-0 by a double and a pass."""
    first = [_alternative([(17, 3), (19, 1)], 0.16, True), _alternative([(12, 3), (19, 1)], -0.05, False)]
    second = [
        _alternative([(24, 2), (13, 5)], -0.12, True, "3ply"),
        _alternative([(13, 5), (13, 2)], -0.10, False, "3ply"),
        _alternative([(13, 5), (6, 2)], -0.30, False),
    ]
    held = {
        "cube_decision": {"no_double_equity": -0.2, "double_take_equity": -0.5, "double_pass_equity": 1.0}
    }
    plies = [
        _checker(
            1,
            (1, 3),
            [(17, 3), (19, 1)],
            _ogid(_OPENING, "N0N", "B", "IW"),
            _ogid(_POINTED, "N0N", "W", "C"),
            first,
            0.05,
        ),
        _checker(
            0,
            (2, 5),
            [(24, 2), (13, 5)],
            _ogid(_POINTED, "N0N", "W", "R"),
            _ogid(_ANSWERED, "N0N", "B", "C"),
            second,
            -0.02,
            **held,
        ),
        {
            "color": 1,
            "action_id": 21,
            "analysis": dict(_CUBE, eval_level="3ply"),
            "ogid_before": _ogid(_ANSWERED, "N0N", "B", "C"),
            "ogid_after": _ogid(_ANSWERED, "N0O", "W", "D"),
        },
        {
            "color": 0,
            "action_id": 23,
            "analysis": dict(_CUBE, eval_level="3ply"),
            "ogid_before": _ogid(_ANSWERED, "N0O", "W", "D"),
            "ogid_after": _ogid(_ANSWERED, "N0P", "B", "G"),
        },
        {
            "color": 1,
            "action_id": 26,
            "ogid_before": _ogid(_ANSWERED, "N0P", "B", "G"),
            "ogid_after": _ogid(_ANSWERED, "N0P", "W", "G"),
        },
    ]
    return copy.deepcopy(
        {
            "match_length": 3,
            "player_white": "Ann",
            "player_black": "Bo",
            "white_score": 2,
            "black_score": 0,
            "result": 0,
            "timestamp": 1_768_314_600,
            "event": "Club night",
            "site": None,
            "score_start": [1, 0],
            "analysis_info": {"model_id": "engine", "eval_level": "3ply", "met_id": "kazaross-xg2", "ply": 2},
            "games": [{"game_index": 0, "winner": 0, "points_won": 1, "is_crawford": False, "plies": plies}],
        }
    )
