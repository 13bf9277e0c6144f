"""What a group's log says of each of its games: how often, how long, at which tables, and who does well in it."""

import math
from collections import Counter, defaultdict
from collections.abc import Sequence
from statistics import median
from typing import NamedTuple

import numpy as np

from ludometrics.boardgames.engine import RatedLog
from ludometrics.boardgames.finishing import Order
from ludometrics.boardgames.stats import Appearance, play_durations, share_bounds, tally

#: Rated plays of a game from which somebody is listed for it, and how many are.
SPECIALIST_PLAYS = 3
SPECIALISTS = 10


class Specialist(NamedTuple):
    """How somebody does in one game.

    Attributes
    ----------
    person : str
    plays : int
        Rated plays of the game.
    pair_score : float
        Mean outcome of the resolved pairs, guests included.
    low, high : float
        Its 95 % interval, by plays: pairs of one play are not independent.
    """

    person: str
    plays: int
    pair_score: float
    low: float
    high: float


class GameProfile(NamedTuple):
    """One game of the group.

    Attributes
    ----------
    game : str
        Key.
    plays_logged, plays_rated : int
    hours : float
        Of all logged plays; unknown ones add 0.
    minutes : float or None
        Median of the logged durations, or of the stated ones where none was logged.
    tables : dict of int to int
        Logged plays by number of seats.
    sources : dict of str to int
        Rated plays by what the order was read from: "scores", "ranks", "flag".
    spread : float or None
        Standard deviation of the scores as the margin uses it after the last play; None while not trusted.
    best : tuple of Specialist
        Players with `SPECIALIST_PLAYS` rated plays or more, by the low end of their interval: luck in a few plays
        comes after skill in many.
    """

    game: str
    plays_logged: int
    plays_rated: int
    hours: float
    minutes: float | None
    tables: dict[int, int]
    sources: dict[str, int]
    spread: float | None
    best: tuple[Specialist, ...]


def game_profiles(
    rated: RatedLog, rows: Sequence[Appearance], order: Sequence[str]
) -> tuple[GameProfile, ...]:
    """Describe the games with a logged play.

    Parameters
    ----------
    rated : RatedLog
    rows : sequence of Appearance
        Of `stats.appearances`.
    order : sequence of str
        Keys of all players; equals in a game stand so.

    Returns
    -------
    tuple of GameProfile
        The most played first, then by name and by first play. Plays of unknown games are in none.

    Source
    ------
    Own.
    """
    log = rated.log
    plays: dict[str, list[int]] = defaultdict(list)
    for place, play in enumerate(log.plays):
        if play.game in log.games:
            plays[play.game].append(place)
    sat: dict[str, dict[str, list[Appearance]]] = defaultdict(lambda: defaultdict(list))
    for row in rows:
        sat[row.game][row.person].append(row)
    spreads, lengths = _spreads(rated), play_durations(log)
    found = []
    for key, places in plays.items():
        known = [lengths[place] for place in places if not math.isnan(lengths[place].minutes)]
        logged = [length.minutes for length in known if length.source == "logged"]
        sources = Counter(out.source for place in places if isinstance(out := rated.outcomes[place], Order))
        found.append(
            GameProfile(
                game=key,
                plays_logged=len(places),
                plays_rated=sum(sources.values()),
                hours=math.fsum(length.minutes for length in known) / 60.0,
                minutes=float(median(logged or [length.minutes for length in known])) if known else None,
                tables=dict(sorted(Counter(len(log.plays[place].seats) for place in places).items())),
                sources={source: sources.get(source, 0) for source in ("scores", "ranks", "flag")},
                spread=spreads.get(key),
                best=_specialists(sat[key], order, rated),
            )
        )
    return tuple(
        sorted(
            found, key=lambda row: (-row.plays_logged, log.games[row.game].name.casefold(), plays[row.game])
        )
    )


def _specialists(
    sat: dict[str, list[Appearance]], order: Sequence[str], rated: RatedLog
) -> tuple[Specialist, ...]:
    rows = []
    for person in order:
        if person not in sat:
            continue
        total = tally(sat[person], rated.log.plays)
        if total.plays_rated >= SPECIALIST_PLAYS and total.pairs:
            score = total.points / total.pairs
            bounds = share_bounds(score * total.plays_rated, total.plays_rated)
            rows.append(Specialist(person, total.plays_rated, score, *bounds))
    return tuple(sorted(rows, key=lambda row: -row.low)[:SPECIALISTS])


def _spreads(rated: RatedLog) -> dict[str, float]:
    """Trusted spread of each game's scores, over all of its completely scored rated plays."""
    schedule, settings = rated.schedule, rated.settings
    scores: dict[int, list[np.ndarray]] = defaultdict(list)
    for number, game in enumerate(schedule.game.tolist()):
        own = schedule.score[schedule.starts[number] : schedule.starts[number + 1]]
        if schedule.direction[number] != 0 and not np.isnan(own).any():
            scores[game].append(own * schedule.direction[number])
    spreads = {}
    for game, tables in scores.items():
        everything = np.concatenate(tables)
        if len(everything) < settings.margin_scores or len(tables) < settings.margin_plays:
            continue
        if settings.margin_spread == "within":
            freedom = len(everything) - len(tables)
            squares = sum(float(np.square(own - own.mean()).sum()) for own in tables)
            spreads[schedule.games[game]] = math.sqrt(squares / freedom)
        else:
            spreads[schedule.games[game]] = float(everything.std(ddof=1))
    return spreads
