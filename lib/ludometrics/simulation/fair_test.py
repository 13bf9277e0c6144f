"""The fair design of an A/B test: every player meets both versions of a level equally often."""

from dataclasses import dataclass, field
from datetime import date

import numpy as np
import pandas as pd

from ludometrics.draughts import REASONS, Level, Rules, play_games, winner
from ludometrics.gamelog import Game
from ludometrics.simulation.ladder import Ladder
from ludometrics.simulation.presets import COURSE_PLAYERS, LADDERS


@dataclass(frozen=True)
class FairSettings:
    """What is played; the defaults are those of the adaptive-draughts course.

    Attributes
    ----------
    players : tuple of (str, Level)
    ladder : Ladder
        With a level under test.
    games_each : int
        Games of each player against each version: even, half of them as Black.
    day : date
    rules : Rules
    """

    players: tuple[tuple[str, Level], ...] = COURSE_PLAYERS
    ladder: Ladder = LADDERS["course"]
    games_each: int = 16
    day: date = date(2026, 10, 1)
    rules: Rules = field(default_factory=Rules)

    def __post_init__(self) -> None:
        if self.games_each < 2 or self.games_each % 2:
            raise ValueError(f"games_each is {self.games_each}: it must be even and at least 2")
        if self.ladder.variant_key is None:
            raise ValueError(f"no level of the ladder {self.ladder.keys} is under test")


def simulate_fair_test(settings: FairSettings, *, rng: np.random.Generator) -> pd.DataFrame:
    """Play the test: versions alternate from game to game, colours after each pair of games.

    Parameters
    ----------
    settings : FairSettings
    rng : numpy.random.Generator

    Returns
    -------
    DataFrame
        One row a game: order, player, variant, colour ("b" or "w", of the player), score (of the player), black,
        white, winner, level, plies, reason.

    Examples
    --------
    >>> settings = FairSettings(players=(("Ann", Level(1, 0.5)),), games_each=2)
    >>> games = simulate_fair_test(settings, rng=np.random.default_rng(1))
    >>> (games["variant"] + games["colour"]).tolist()
    ['Ab', 'Bb', 'Aw', 'Bw']
    """
    ladder = settings.ladder
    at = ladder.keys.index(ladder.variant_key)
    number = np.arange(2 * settings.games_each)
    variants = np.tile(np.where(number % 2 == 0, "A", "B"), len(settings.players))
    is_black = np.tile(number // 2 % 2 == 0, len(settings.players))
    players = np.repeat(np.arange(len(settings.players)), len(number))
    own = np.array([(level.depth, level.chance) for _, level in settings.players])[players]
    tested = {"A": ladder.levels[at], "B": ladder.variant_b}
    other = np.array([(tested[variant].depth, tested[variant].chance) for variant in variants])
    black, white = np.where(is_black[:, None], own, other), np.where(is_black[:, None], other, own)
    results = play_games(
        black[:, 0].astype(int),
        black[:, 1],
        white[:, 0].astype(int),
        white[:, 1],
        rng=rng,
        rules=settings.rules,
    )
    names = np.array([name for name, _ in settings.players])[players]
    return pd.DataFrame(
        {
            "order": np.arange(1, len(players) + 1),
            "player": names,
            "variant": variants,
            "colour": np.where(is_black, "b", "w"),
            "score": np.where(is_black, results.outcomes, 1.0 - results.outcomes),
            "black": np.where(is_black, names, ladder.names[at]),
            "white": np.where(is_black, ladder.names[at], names),
            "winner": [winner(outcome) for outcome in results.outcomes],
            "level": ladder.variant_key,
            "plies": results.plies,
            "reason": [REASONS[reason] for reason in results.reasons],
        }
    )


def saved_fair_games(settings: FairSettings, games: pd.DataFrame) -> list[tuple[date, Game]]:
    """Games of the test as they are saved, all on one date.

    Examples
    --------
    >>> settings = FairSettings(players=(("Ann", Level(1, 0.5)),), games_each=2)
    >>> games = simulate_fair_test(settings, rng=np.random.default_rng(1))
    >>> saved_fair_games(settings, games)[0][1].variant
    'A'
    """
    return [
        (settings.day, Game(row.black, row.white, row.winner, row.level, row.variant))
        for row in games.itertuples(index=False)
    ]
