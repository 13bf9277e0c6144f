"""English draughts: the rules, levels of computer players, and games between them.

>>> import numpy as np
>>> from ludometrics.draughts import LEVELS, play_game
>>> levels = LEVELS["inferred"]
>>> game = play_game(levels["easy"], levels["medium"], rng=np.random.default_rng(2026))
>>> game.winner in ("b", "w", "draw")
True
"""

from ludometrics.draughts.drawing import Drawing, draw_svg
from ludometrics.draughts.games import (
    Game,
    GameRecord,
    GameResults,
    choose_move,
    play_game,
    play_games,
    play_seeded_games,
    winner,
)
from ludometrics.draughts.levels import LEVELS, MEDIUM_B, OFFLINE_RATINGS, Level, parse_level
from ludometrics.draughts.pdn import PdnGame, format_pdn, parse_move, parse_pdn
from ludometrics.draughts.position import START, Position, flip_colours, format_fen, parse_fen
from ludometrics.draughts.rules import (
    REASON_TEXT,
    REASONS,
    Move,
    Result,
    Rules,
    apply_move,
    divide,
    legal_moves,
    perft,
    result,
)

__all__ = [
    "LEVELS",
    "MEDIUM_B",
    "OFFLINE_RATINGS",
    "REASONS",
    "REASON_TEXT",
    "START",
    "Drawing",
    "Game",
    "GameRecord",
    "GameResults",
    "Level",
    "Move",
    "PdnGame",
    "Position",
    "Result",
    "Rules",
    "apply_move",
    "choose_move",
    "divide",
    "draw_svg",
    "flip_colours",
    "format_fen",
    "format_pdn",
    "legal_moves",
    "parse_fen",
    "parse_level",
    "parse_move",
    "parse_pdn",
    "perft",
    "play_game",
    "play_games",
    "play_seeded_games",
    "result",
    "winner",
]
