"""Ratings as of one moment, for many readers at once."""

import math
import threading
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field, replace
from datetime import date
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from ludometrics.gamelog.daily import SCORES, Game
from ludometrics.gamelog.day_files import LeftOut
from ludometrics.gamelog.history import LEVEL_KEYS, History
from ludometrics.gamelog.league import LeagueRow, league_table
from ludometrics.gamelog.names import LEVEL_NAMES, REMOVED, fold_name
from ludometrics.ratings.leaderboard import PROVISIONAL_BELOW
from ludometrics.ratings.state import find_carried

# Games of a system that is slow are rated so many at a time, so that others have their turn.
_AT_ONCE = {"posterior": 10_000}
_KEPT = 8
_WINNERS = {score: winner for winner, score in SCORES.items()}


@dataclass(frozen=True)
class Rater:
    """How games are rated.

    Attributes
    ----------
    system : str
        Key of `ludometrics.ratings.SYSTEMS`; one that can be carried on.
    settings : optional
        The system's settings; without them its defaults.
    anchors : mapping of str to float
        Ratings of levels that are known and never move, Elo points, by key of the level. The others are rated like
        players.

    Examples
    --------
    >>> Rater("posterior", anchors={"l10": 1500})
    Traceback (most recent call last):
    ...
    ValueError: anchor 'l10': allowed are 'easy', 'medium', 'hard', 'l1', ...
    """

    system: str
    settings: Any = None
    anchors: Mapping[str, float] = field(default_factory=dict)

    def __post_init__(self) -> None:
        chosen = find_carried(self.system)
        if self.settings is not None and not isinstance(self.settings, chosen.settings):
            raise ValueError(
                f"settings are {type(self.settings).__name__}: {self.system} has {chosen.settings.__name__}"
            )
        for level, rating in self.anchors.items():
            if level not in LEVEL_NAMES:
                raise ValueError(f"anchor {level!r}: allowed are {', '.join(map(repr, LEVEL_NAMES))}")
            if isinstance(rating, bool) or not isinstance(rating, int | float) or not math.isfinite(rating):
                raise ValueError(f"anchor {level!r} is {rating!r}: it must be a finite number of Elo points")
        if self.anchors and not {"ratings", "anchored"} <= chosen.takes:
            raise ValueError(f"anchors: {self.system} knows none")

    @property
    def anchored(self) -> NDArray[np.int64]:
        """Players that are anchored."""
        return np.array([list(LEVEL_NAMES).index(level) for level in self.anchors], dtype=np.int64)

    def rate(self, history: History, low: int, high: int, n_players: int, record: Any) -> Any:
        """Rate games `low` to `high` from where an earlier record stands; None before the first game."""
        chosen = find_carried(self.system)
        settings = self.settings or chosen.settings()
        options: dict[str, Any] = {"settings": settings, "n_players": n_players}
        if self.anchors:
            options["anchored"] = self.anchored
        if record is not None:
            options["state"] = record
        elif self.anchors:
            options["ratings"] = np.full(n_players, settings.start)
            options["ratings"][self.anchored] = list(self.anchors.values())
            if "deviations" in chosen.takes:
                options["deviations"] = np.full(n_players, settings.start_deviation)
                options["deviations"][self.anchored] = 0.0
        if "times" in chosen.takes:
            options["times"] = history.times[low:high]
        record = chosen.replay(history.pairs[low:high], history.outcomes[low:high], **options)
        return replace(record, forecasts=np.empty(0))

    def deviations(self, record: Any, day: date) -> NDArray[np.float64] | None:
        """Deviations (m,) as of a day, absence included, Elo points; None in a system without."""
        chosen = find_carried(self.system)
        if chosen.aged is not None:
            found = chosen.aged(record, float(day.toordinal()), settings=self.settings or chosen.settings())
        elif hasattr(record, "deviations"):
            found = np.array(record.deviations)
        else:
            return None
        found[self.anchored] = 0.0
        return found


class RatingStore:
    """Where each rater stands in one history of games: what has been rated is not rated again.

    Parameters
    ----------
    history : History
    raters : mapping of str to Rater
    """

    def __init__(self, history: History, raters: Mapping[str, Rater]) -> None:
        self.history, self.raters = history, raters
        self._locks = {name: threading.Lock() for name in raters}
        # Games rated and record, newest last: a reader may be a few games behind.
        self._done: dict[str, list[tuple[int, Any]]] = {name: [] for name in raters}

    def record(self, name: str, n_games: int, n_players: int) -> Any:
        """Give the record of a rater after so many games."""
        if name not in self.raters:
            raise ValueError(f"rater is {name!r}: allowed are {', '.join(map(repr, self.raters))}")
        rater = self.raters[name]
        with self._locks[name]:
            done = self._done[name]
            low, record = max(
                (one for one in done if one[0] <= n_games), key=lambda one: one[0], default=(0, None)
            )
            if record is not None and low == n_games:
                return record
            step = _AT_ONCE.get(rater.system, max(n_games, 1))
            for at in range(low, max(n_games, low + 1), step):
                record = rater.rate(self.history, at, min(at + step, n_games), n_players, record)
            done.append((n_games, record))
            del done[:-_KEPT]
        return record


class PlayerRating(NamedTuple):
    """How strong a player is.

    Attributes
    ----------
    rating : float
        Elo points.
    deviation : float or None
        Elo points, as of today; None in a system without.
    games : int
    provisional : bool
        On fewer than five games.
    """

    rating: float
    deviation: float | None
    games: int
    provisional: bool


@dataclass(frozen=True, eq=False)
class RatedGames:
    """Games and ratings as of one moment; they do not change.

    Attributes
    ----------
    n_games, n_players : int
        Levels of the computer are the first players, with or without a game.
    spellings : tuple of str
        Each player's name as it was last spelt.
    left_out : tuple of LeftOut
    names : tuple of str
        Files that the games come from, by day.
    hashes : mapping of str to str
        SHA-256 of these files, by name.
    """

    n_games: int
    n_players: int
    spellings: tuple[str, ...] = field(repr=False)  # a program's own log is no place for names
    left_out: tuple[LeftOut, ...] = field(repr=False)
    names: tuple[str, ...] = field(repr=False)
    hashes: Mapping[str, str] = field(repr=False)
    store: RatingStore = field(repr=False)
    today: Callable[[], date] = field(repr=False)
    _records: dict[str, Any] = field(default_factory=dict, repr=False)
    _tables: dict[tuple[str, date], pd.DataFrame] = field(default_factory=dict, repr=False)

    @property
    def files(self) -> tuple[tuple[str, str], ...]:
        """Name and SHA-256 of each file that the games come from, by day."""
        return tuple((name, self.hashes[name]) for name in self.names)

    @cached_property
    def keys(self) -> tuple[str, ...]:
        """Key of each player's name."""
        return tuple(self.store.history.keys[: self.n_players])

    @property
    def pairs(self) -> NDArray[np.int64]:
        """Players (n, 2) of each game, Black first."""
        return self.store.history.pairs[: self.n_games]

    @property
    def outcomes(self) -> NDArray[np.float64]:
        """Scores (n,) of Black."""
        return self.store.history.outcomes[: self.n_games]

    @property
    def times(self) -> NDArray[np.float64]:
        """Days (n,) of the games, as ordinals."""
        return self.store.history.times[: self.n_games]

    def record(self, rater: str) -> Any:
        """Give the record of a rater, such as `EloRecord`, without forecasts: its arrays go by player."""
        if rater not in self._records:
            self._records[rater] = self.store.record(rater, self.n_games, self.n_players)
        return self._records[rater]

    def standings(self, rater: str) -> pd.DataFrame:
        """Order the players by rating, as in the adaptive-draughts course's leaderboard.

        Parameters
        ----------
        rater : str

        Returns
        -------
        DataFrame
            key, name, level (None for people), rating, deviation (as of today, NaN in a system without), games,
            provisional (on fewer than five games); by rating, falling, then name. Players without a game are not shown,
            and those who were removed neither.

        Raises
        ------
        ValueError
            No such rater.
        """
        at = (rater, self.today())
        if at not in self._tables:
            self._tables[at] = self._standings(*at)
        return self._tables[at].copy()

    def player(self, rater: str, name: str) -> PlayerRating | None:
        """Give one player's rating; None for one without a game, or removed.

        Parameters
        ----------
        rater : str
        name : str
            In any spelling; of a level the name of its computer.
        """
        player = self._find(name)
        record = self.record(rater)
        if player is None or not record.games[player]:
            return None
        deviations = self.store.raters[rater].deviations(record, self.today())
        games = int(record.games[player])
        deviation = None if deviations is None else float(deviations[player])
        return PlayerRating(float(record.ratings[player]), deviation, games, games < PROVISIONAL_BELOW)

    def met(self, name: str, levels: Collection[str]) -> tuple[tuple[str, ...], tuple[float, ...]]:
        """List the levels that a player met, oldest first, and the player's score in each game.

        Parameters
        ----------
        name : str
            In any spelling.
        levels : collection of str
            Keys of the levels that count.

        Returns
        -------
        levels : tuple of str
        scores : tuple of float
            0, 0.5 or 1.

        Raises
        ------
        ValueError
            No such level.
        """
        for level in levels:
            if level not in LEVEL_NAMES:
                raise ValueError(f"level is {level!r}: allowed are {', '.join(map(repr, LEVEL_NAMES))}")
        player = self._find(name)
        if player is None:
            return (), ()
        players = self.pairs.reshape(-1)
        places = np.flatnonzero(players == player)
        others = players[places ^ 1]
        counted = np.array([level in levels for level in LEVEL_NAMES] + [False])
        keep = counted[np.minimum(others, len(LEVEL_KEYS))]
        places, others = places[keep], others[keep]
        scores = np.where(places & 1, 1.0 - self.outcomes[places >> 1], self.outcomes[places >> 1])
        keys = tuple(LEVEL_NAMES)
        return tuple(keys[other] for other in others.tolist()), tuple(scores.tolist())

    def day_table(self, day: date) -> list[LeagueRow]:
        """Give a day's league table, as `league_table` does, everybody's name as it was last spelt.

        Parameters
        ----------
        day : date
        """
        low, high = np.searchsorted(self.times, [day.toordinal(), day.toordinal() + 1])
        rows = zip(self.pairs[low:high].tolist(), self.outcomes[low:high].tolist(), strict=True)
        return league_table(
            Game(self.spellings[black], self.spellings[white], _WINNERS[score])
            for (black, white), score in rows
        )

    def _find(self, name: str) -> int | None:
        """Player of a name, in any spelling, unless removed."""
        key = fold_name(name)
        player = None if key.startswith(REMOVED) else self.store.history.index.get(key)
        return player if player is not None and player < self.n_players else None

    def _standings(self, rater: str, day: date) -> pd.DataFrame:
        record = self.record(rater)
        deviations = self.store.raters[rater].deviations(record, day)
        played = np.flatnonzero(record.games).tolist()
        shown = [player for player in played if not self.keys[player].startswith(REMOVED)]
        ratings, names, levels = record.ratings.tolist(), self.spellings, tuple(LEVEL_NAMES)
        shown.sort(key=lambda player: (-ratings[player], names[player].casefold(), names[player]))
        return pd.DataFrame(
            {
                "key": [self.keys[player] for player in shown],
                "name": [names[player] for player in shown],
                "level": pd.Series(
                    [levels[player] if player < len(levels) else None for player in shown], dtype=object
                ),
                "rating": record.ratings[shown],
                "deviation": np.full(len(shown), np.nan) if deviations is None else deviations[shown],
                "games": record.games[shown],
                "provisional": record.games[shown] < PROVISIONAL_BELOW,
            }
        )
