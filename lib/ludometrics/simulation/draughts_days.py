"""Twenty days of draughts: players whose skill is known play each other and the levels of the computer."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import date, timedelta
from typing import NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from ludometrics.abtest import assign_by_hash
from ludometrics.draughts import REASONS, Level, Rules, play_games, winner
from ludometrics.gamelog.daily import SCORES
from ludometrics.matching import Choice, Levels, MatchRule, Player, match
from ludometrics.ratings import (
    EloRecord,
    EloSettings,
    Glicko1Record,
    Glicko1Settings,
    PosteriorRecord,
    elo,
    glicko1,
    posterior,
)
from ludometrics.simulation.ladder import Ladder
from ludometrics.simulation.presets import COURSE_PLAYERS, LADDERS

Ratings = EloRecord | Glicko1Record | PosteriorRecord
RERATE = ("day", "game")
GAME_COLUMNS = ("day", "order", "black", "white", "winner", "level", "variant", "plies", "reason", "expected")
DECISION_COLUMNS = ("day", "order", "player", "level", "expected", "rating", "provisional", "reason")


@dataclass(frozen=True)
class DaysSettings:
    """What is simulated; the defaults are the adaptive-draughts course's simulation.

    Attributes
    ----------
    players : tuple of (str, Level)
        Names, strongest first as intended, and how they play.
    ladder : Ladder
        Levels of the computer.
    rule : MatchRule
        How players are rated and matched.
    first_day : date
    days : int
        Days played, at least 1.
    random_days : int
        Days at the start on which levels are drawn at random, and each player challenges another one as well.
    games_a_day : int
        Games of each player against levels, at least 1.
    challenges : int
        Games on a random day against another player drawn at random.
    rerate : {"day", "game"}
        Whether matched levels follow the ratings of the morning, or those after the player's last game. The
        course plays a day's games side by side, and so can only know those of the days before.
    rules : Rules
        When a game is drawn.
    experiment : str
        Name of the A/B test whose hash gives each player a version of the level under test.
    """

    players: tuple[tuple[str, Level], ...] = COURSE_PLAYERS
    ladder: Ladder = LADDERS["course"]
    rule: MatchRule = field(default_factory=lambda: MatchRule("course"))
    first_day: date = date(2026, 9, 1)
    days: int = 20
    random_days: int = 10
    games_a_day: int = 3
    challenges: int = 1
    rerate: str = "day"
    rules: Rules = field(default_factory=Rules)
    experiment: str = "medium-randomness"

    def __post_init__(self) -> None:
        for name, least in (("days", 1), ("random_days", 0), ("games_a_day", 1), ("challenges", 0)):
            if getattr(self, name) < least:
                raise ValueError(f"{name} is {getattr(self, name)}: it must be at least {least}")
        if self.rerate not in RERATE:
            raise ValueError(f"rerate is {self.rerate!r}: allowed are {', '.join(map(repr, RERATE))}")
        names = [name for name, _ in self.players] + list(self.ladder.names)
        if len(set(names)) != len(names) or len(self.players) < 2:
            raise ValueError(f"names are {names}: at least two players, and none twice")
        if self.rule.anchored and self.ladder.ratings is None:
            raise ValueError(f"rule {self.rule.name!r} anchors the levels, but the ladder has no ratings")

    @property
    def names(self) -> tuple[str, ...]:
        """Players, then levels: the order of player indices."""
        return (*(name for name, _ in self.players), *self.ladder.names)


@dataclass(frozen=True)
class DaysRecord:
    """What came of a simulation.

    Attributes
    ----------
    settings : DaysSettings
    games : DataFrame
        One row a game in the order played: day (1 is the first), order (within the day, from 1), black, white,
        winner, level, variant (both "" where they do not apply), plies, reason (of the end), expected (score of
        Black by the ratings just before the game).
    ratings : DataFrame
        Rating after each day, Elo points: one row a day, one column a name.
    final : DataFrame
        Per name: rating, deviation (0 under Elo), games.
    decisions : DataFrame
        One row a matched game: day, order, player, level, expected, rating, provisional, reason.
    """

    settings: DaysSettings
    games: pd.DataFrame
    ratings: pd.DataFrame
    final: pd.DataFrame
    decisions: pd.DataFrame


class _Pairing(NamedTuple):
    player: int
    opponent: int  # index of another player or of a level
    is_black: bool
    choice: Choice | None


class _Cast(NamedTuple):
    """Who takes part, as arrays over players, levels and the level's version B."""

    depths: NDArray[np.int64]
    chances: NDArray[np.float64]
    groups: tuple[str, ...]
    n_players: int
    variant_at: int


def simulate_days(settings: DaysSettings, *, rng: np.random.Generator) -> DaysRecord:
    """Play all days once.

    On a random day every player plays `games_a_day` games at levels drawn at random, then challenges others drawn
    at random; on the days after, the same number at matched levels. Everybody plays a first game, then everybody
    a second, and so on; colours are drawn at random.

    Parameters
    ----------
    settings : DaysSettings
    rng : numpy.random.Generator

    Returns
    -------
    DaysRecord

    Examples
    --------
    >>> quick = tuple((f"Sim {number}", Level(1, 0.5)) for number in range(2))
    >>> settings = DaysSettings(players=quick, days=2, random_days=1)
    >>> record = simulate_days(settings, rng=np.random.default_rng(1))
    >>> len(record.games), record.games["order"].tolist()
    (14, [1, 2, 3, 4, 5, 6, 7, 8, 1, 2, 3, 4, 5, 6])
    """
    cast = _cast(settings)
    record = start_ratings(settings)
    met: list[list[tuple[str, float]]] = [[] for _ in settings.players]
    games, decisions, evenings = [], [], []
    for day in range(1, settings.days + 1):
        order = 0
        for rounds in _batches(settings, day):
            pairings = [pairing for kind in rounds for pairing in _pair(settings, kind, record, met, rng=rng)]
            black, white, results = _play(settings, cast, pairings, rng=rng)
            record = rate(settings, record, np.stack([black, white], axis=1), results.outcomes, day)
            for row, pairing in enumerate(pairings):
                order += 1
                games.append(
                    _game_row(settings, cast, pairing, day, order, results, row, record.forecasts[row])
                )
                if pairing.choice is not None:
                    decisions.append(_decision_row(settings, pairing, day, order))
                    score = results.outcomes[row] if pairing.is_black else 1.0 - results.outcomes[row]
                    met[pairing.player].append((pairing.choice.level, float(score)))
        evenings.append(record.ratings)
    return _collect(settings, record, games, evenings, decisions)


def start_ratings(settings: DaysSettings) -> Ratings:
    """Ratings before the first game: levels that are anchored have those measured offline."""
    n_players, names = len(settings.players), settings.names
    ratings = np.full(len(names), settings.rule.ratings.start)
    if settings.rule.anchored:
        ratings[n_players:] = settings.ladder.ratings
    options = {"settings": settings.rule.ratings, "n_players": len(names), "ratings": ratings}
    if isinstance(settings.rule.ratings, EloSettings):
        return elo.replay([], [], **options)
    anchors = np.arange(n_players, len(names)) if settings.rule.anchored else np.empty(0, dtype=np.int64)
    if isinstance(settings.rule.ratings, Glicko1Settings):
        deviations = np.full(len(names), settings.rule.ratings.start_deviation)
        deviations[anchors] = 0.0
        return glicko1.replay([], [], deviations=deviations, **options)
    return posterior.replay([], [], anchored=anchors, **options)


def rate(
    settings: DaysSettings,
    record: Ratings,
    pairs: NDArray[np.int64],
    outcomes: NDArray[np.float64],
    day: int,
) -> Ratings:
    """Ratings after some more games of a day, one after another."""
    anchored = np.arange(len(settings.players), len(settings.names)) if settings.rule.anchored else ()
    options = {"settings": settings.rule.ratings, "anchored": anchored, "state": record}
    if isinstance(record, EloRecord):
        return elo.replay(pairs, outcomes, **options)
    if isinstance(record, PosteriorRecord):
        return posterior.replay(pairs, outcomes, **options)
    return glicko1.replay(pairs, outcomes, times=np.full(len(outcomes), day), **options)


def _batches(settings: DaysSettings, day: int) -> Iterator[tuple[str, ...]]:
    """Rounds of a day, grouped by what is played before ratings are looked at again."""
    if day <= settings.random_days:
        rounds = ("random",) * settings.games_a_day + ("challenge",) * settings.challenges
        yield rounds
        return
    rounds = ("matched",) * settings.games_a_day
    if settings.rerate == "day":
        yield rounds
    else:
        yield from ((kind,) for kind in rounds)


def _pair(
    settings: DaysSettings,
    kind: str,
    record: Ratings,
    met: list[list[tuple[str, float]]],
    *,
    rng: np.random.Generator,
) -> Iterator[_Pairing]:
    """One game for each player."""
    n_players = len(settings.players)
    colours = rng.random(n_players) < 0.5
    if kind == "random":
        drawn = n_players + rng.integers(len(settings.ladder.keys), size=n_players)
    elif kind == "challenge":
        # One of the others: a draw among n - 1, moved past the player's own number.
        drawn = rng.integers(n_players - 1, size=n_players)
        drawn += drawn >= np.arange(n_players)
    else:
        levels = _levels(settings, record)
    for player in range(n_players):
        if kind != "matched":
            yield _Pairing(player, int(drawn[player]), bool(colours[player]), None)
            continue
        choice = match(settings.rule, _player(record, player, met[player]), levels, rng=rng)
        at = n_players + levels.names.index(choice.level)
        yield _Pairing(player, at, bool(colours[player]), choice)


def _levels(settings: DaysSettings, record: Ratings) -> Levels:
    part = slice(len(settings.players), None)
    played = record.games[part] > 0
    ratings = np.where(played | settings.rule.anchored, record.ratings[part], np.nan)
    deviations = 0.0 if isinstance(record, EloRecord) else record.deviations[part]
    return Levels.of(settings.ladder.keys, ratings, deviations)


def _player(record: Ratings, player: int, met: list[tuple[str, float]]) -> Player:
    deviation = 0.0 if isinstance(record, EloRecord) else float(record.deviations[player])
    keys, scores = zip(*met, strict=True) if met else ((), ())
    return Player(float(record.ratings[player]), deviation, int(record.games[player]), keys, scores)


def _cast(settings: DaysSettings) -> _Cast:
    ladder = settings.ladder
    levels = [level for _, level in settings.players] + list(ladder.levels)
    variant_at = -1
    groups = ("",) * len(settings.players)
    if ladder.variant_key is not None:
        levels.append(ladder.variant_b)
        variant_at = len(settings.players) + ladder.keys.index(ladder.variant_key)
        groups = tuple(assign_by_hash(settings.experiment, name) for name, _ in settings.players)
    depths = np.array([level.depth for level in levels], dtype=np.int64)
    chances = np.array([level.chance for level in levels], dtype=np.float64)
    return _Cast(depths, chances, groups, len(settings.players), variant_at)


def _play(settings: DaysSettings, cast: _Cast, pairings: list[_Pairing], *, rng: np.random.Generator):
    """Black and White as rated, and the results."""
    players = np.array([pairing.player for pairing in pairings])
    opponents = np.array([pairing.opponent for pairing in pairings])
    is_black = np.array([pairing.is_black for pairing in pairings])
    groups = np.array(cast.groups)[players]
    playing = np.where((opponents == cast.variant_at) & (groups == "B"), len(cast.depths) - 1, opponents)
    sides = [np.where(is_black, players, playing), np.where(is_black, playing, players)]
    settings_of = [part[side] for side in sides for part in (cast.depths, cast.chances)]
    results = play_games(*settings_of, rng=rng, rules=settings.rules)
    return np.where(is_black, players, opponents), np.where(is_black, opponents, players), results


def _game_row(settings, cast, pairing, day, order, results, row, forecast) -> tuple:
    names = settings.names
    player, opponent = names[pairing.player], names[pairing.opponent]
    level = pairing.opponent - cast.n_players
    key = settings.ladder.keys[level] if level >= 0 else ""
    variant = cast.groups[pairing.player] if pairing.opponent == cast.variant_at else ""
    black, white = (player, opponent) if pairing.is_black else (opponent, player)
    outcome, reason = float(results.outcomes[row]), REASONS[results.reasons[row]]
    return (
        day,
        order,
        black,
        white,
        winner(outcome),
        key,
        variant,
        int(results.plies[row]),
        reason,
        float(forecast),
    )


def _decision_row(settings: DaysSettings, pairing: _Pairing, day: int, order: int) -> tuple:
    choice = pairing.choice
    name = settings.names[pairing.player]
    return day, order, name, choice.level, choice.expected, choice.rating, choice.provisional, choice.reason


def _collect(settings, record, games, evenings, decisions) -> DaysRecord:
    names = list(settings.names)
    days = pd.RangeIndex(1, settings.days + 1, name="day")
    final = pd.DataFrame({"rating": record.ratings, "deviation": 0.0, "games": record.games}, index=names)
    if not isinstance(record, EloRecord):
        final["deviation"] = record.deviations
    return DaysRecord(
        settings=settings,
        games=pd.DataFrame(games, columns=GAME_COLUMNS),
        ratings=pd.DataFrame(np.array(evenings), index=days, columns=names),
        final=final.rename_axis("name"),
        decisions=pd.DataFrame(decisions, columns=DECISION_COLUMNS),
    )


def calendar_day(settings: DaysSettings, day: int) -> date:
    """Date of a day of the simulation.

    Examples
    --------
    >>> calendar_day(DaysSettings(), 20)
    datetime.date(2026, 9, 20)
    """
    return settings.first_day + timedelta(days=day - 1)


def level_games(record: DaysRecord) -> pd.DataFrame:
    """Games against levels from the player's side.

    Returns
    -------
    DataFrame
        day, order, player, level, variant, colour ("b" or "w", of the player), score (of the player), expected.

    Examples
    --------
    >>> quick = tuple((f"Sim {number}", Level(1, 0.5)) for number in range(2))
    >>> record = simulate_days(DaysSettings(players=quick, days=1), rng=np.random.default_rng(1))
    >>> sorted(set(level_games(record)["player"])), len(level_games(record))
    (['Sim 0', 'Sim 1'], 6)
    """
    games = record.games[record.games["level"] != ""]
    people = {name for name, _ in record.settings.players}
    is_black = games["black"].isin(people).to_numpy()
    black = games["winner"].map(SCORES).to_numpy()
    return pd.DataFrame(
        {
            "day": games["day"].to_numpy(),
            "order": games["order"].to_numpy(),
            "player": np.where(is_black, games["black"], games["white"]),
            "level": games["level"].to_numpy(),
            "variant": games["variant"].to_numpy(),
            "colour": np.where(is_black, "b", "w"),
            "score": np.where(is_black, black, 1.0 - black),
            "expected": np.where(is_black, games["expected"], 1.0 - games["expected"]),
        }
    )
