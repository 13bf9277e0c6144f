"""Which level gives a player an even game, and how even the games were.

`choose_level` is the adaptive-draughts course's rule; `match` follows a `MatchRule`, whose fields are the
mechanisms by which the course's rule can be bettered, one by one. `evenness` measures what came of it.
"""

from ludometrics.matching.course import Choice, choose_level
from ludometrics.matching.evenness import (
    Evenness,
    bias_of_mean_distance,
    evenness,
    game_distance,
    games_until_within,
    longest_losing_run,
    mean_distance,
    share_even,
    squared_distance,
)
from ludometrics.matching.rules import RULES, Levels, MatchRule, Player, is_provisional, match

__all__ = [
    "RULES",
    "Choice",
    "Evenness",
    "Levels",
    "MatchRule",
    "Player",
    "bias_of_mean_distance",
    "choose_level",
    "evenness",
    "game_distance",
    "games_until_within",
    "is_provisional",
    "longest_losing_run",
    "match",
    "mean_distance",
    "share_even",
    "squared_distance",
]
