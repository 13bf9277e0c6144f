"""A play log as flat arrays, which the engine reads again with other numbers, without another look at the log.

What depends on the log alone (finishing orders, minutes, earlier plays) is settled once, by `build_schedule`; the
factors that depend on numbers are filled in by `fill_factors`, at the cost of a few array operations.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, replace
from datetime import datetime, time

import numpy as np
from numpy.typing import NDArray

from ludometrics.boardgames.context import duration, experience
from ludometrics.boardgames.factors import confidence_factor, duration_factor, familiarity, weight_factor
from ludometrics.boardgames.finishing import Order, Rejection
from ludometrics.boardgames.records import Play, PlayLog
from ludometrics.boardgames.settings import EngineSettings
from ludometrics.boardgames.weights import GameWeight

#: Fields of the settings that a schedule is built for; to change any other needs no new schedule.
STRUCTURAL = ("gate", "teams", "guests", "owner_experience", "new_player_resets")


@dataclass(frozen=True)
class Schedule:
    """The rated plays of a group in order, as arrays: p plays, s seats, m players.

    Attributes
    ----------
    people : tuple of str
        Keys of the players: known people with a rated play, sorted.
    games : tuple of str
        Keys of the games rated, sorted.
    structure : tuple
        Values of the `STRUCTURAL` settings that it was built for.
    play : ndarray of int64, shape (p,)
        Place of each play in the log.
    starts : ndarray of int64, shape (p + 1,)
        First seat of each play, then s.
    seat : ndarray of int64, shape (s,)
        Place of each seat in its play; a guest's seat is absent where guests are dropped. Within a play seats stand
        by person, whatever their order in the file.
    person : ndarray of int64, shape (s,)
        Index into `people`; -1: a guest.
    rank : ndarray of int64, shape (s,)
        Competition ranking, 1 best.
    score : ndarray, shape (s,)
        Higher is better; NaN where there is none.
    team : ndarray of int64, shape (s,)
        -1: none.
    experience : ndarray, shape (s,)
        Earlier plays of the game; NaN for guests.
    game : ndarray of int64, shape (p,)
        Index into `games`.
    direction : ndarray of int64, shape (p,)
        1: highest wins, -1: lowest wins (its scores are turned round), 0: scores mean nothing.
    day : ndarray, shape (p,)
        Days since the midnight before the first logged play, by local wall time.
    minutes : ndarray, shape (p,)
        Logged or stated; NaN where unknown.
    complexity, skill : ndarray, shape (p,)
        Of the game: community weight 1 to 5, curated skill 0 to 1; NaN where unknown.
    flag_only : ndarray of bool, shape (p,)
        The order is known from winner flags alone.
    weight, confidence, duration : ndarray, shape (p,)
        Factors W, C, D of each play under the settings last filled in; 1 where switched off.
    familiarity : ndarray, shape (s,)
        Of each seat with the game; NaN for guests.
    """

    people: tuple[str, ...]
    games: tuple[str, ...]
    structure: tuple[object, ...]
    play: NDArray[np.int64]
    starts: NDArray[np.int64]
    seat: NDArray[np.int64]
    person: NDArray[np.int64]
    rank: NDArray[np.int64]
    score: NDArray[np.float64]
    team: NDArray[np.int64]
    experience: NDArray[np.float64]
    game: NDArray[np.int64]
    direction: NDArray[np.int64]
    day: NDArray[np.float64]
    minutes: NDArray[np.float64]
    complexity: NDArray[np.float64]
    skill: NDArray[np.float64]
    flag_only: NDArray[np.bool_]
    weight: NDArray[np.float64]
    confidence: NDArray[np.float64]
    duration: NDArray[np.float64]
    familiarity: NDArray[np.float64]

    @property
    def play_of_seat(self) -> NDArray[np.int64]:
        """Place among the rated plays of each seat, shape (s,)."""
        return np.repeat(np.arange(len(self.play)), np.diff(self.starts))


def structure_of(settings: EngineSettings) -> tuple[object, ...]:
    """Values of the settings that need a schedule of their own."""
    return tuple(getattr(settings, name) for name in STRUCTURAL)


def build_schedule(
    log: PlayLog,
    outcomes: Sequence[Order | Rejection],
    weights: Mapping[str, GameWeight],
    settings: EngineSettings,
    *,
    editions: Mapping[str, str] | None = None,
) -> Schedule:
    """Lay out the rated plays of a log.

    Parameters
    ----------
    log : PlayLog
    outcomes : sequence of Order or Rejection
        Of each play of the log, as `finish_all` gives them for the same settings.
    weights : mapping of str to GameWeight
        Of each game of the log.
    settings : EngineSettings
    editions : mapping of str to str, optional
        Game to the game whose rules it shares; plays of either teach both.

    Returns
    -------
    Schedule
        With guests dropped, a play that they leave with fewer than two seats is absent.

    Raises
    ------
    ValueError
        Outcomes of another length than the plays.
    """
    if len(outcomes) != len(log.plays):
        raise ValueError(f"there are {len(outcomes)} outcomes of {len(log.plays)} plays: one each is needed")
    earlier = experience(log, settings, editions)
    plays, seats = [], []
    for index, (play, outcome) in enumerate(zip(log.plays, outcomes, strict=True)):
        if isinstance(outcome, Rejection):
            continue
        rows = _seats_of(log, play, outcome, earlier[index], settings)
        if len(rows) > 1:
            plays.append((index, len(rows)))
            seats += rows
    people = tuple(sorted({row[0] for row in seats} - {""}))
    number = {key: place for place, key in enumerate(people)} | {"": -1}
    chosen = [log.plays[index] for index, _ in plays]
    games = tuple(sorted({play.game for play in chosen}))
    place = {key: at for at, key in enumerate(games)}
    midnight = datetime.combine(log.plays[0].at.date(), time()) if log.plays else datetime.min
    lengths = [duration(play, log.games[play.game]).minutes for play in chosen]
    orders = [outcomes[index] for index, _ in plays]
    whole, real = np.int64, np.float64
    blank = np.ones(len(plays))
    schedule = Schedule(
        people=people,
        games=games,
        structure=structure_of(settings),
        play=np.array([index for index, _ in plays], dtype=whole),
        starts=np.cumsum([0] + [n for _, n in plays], dtype=whole),
        seat=np.array([row[1] for row in seats], dtype=whole),
        person=np.array([number[row[0]] for row in seats], dtype=whole),
        rank=np.array([row[2] for row in seats], dtype=whole),
        score=np.array([row[3] for row in seats], dtype=real),
        team=np.array([row[4] for row in seats], dtype=whole),
        experience=np.array([row[5] for row in seats], dtype=real),
        game=np.array([place[play.game] for play in chosen], dtype=whole),
        direction=np.array([order.direction for order in orders], dtype=whole),
        day=np.array([(play.at - midnight).total_seconds() / 86400.0 for play in chosen], dtype=real),
        minutes=np.array(lengths, dtype=real),
        complexity=np.array([weights[play.game].complexity for play in chosen], dtype=real),
        skill=np.array([weights[play.game].skill for play in chosen], dtype=real),
        flag_only=np.array([order.source == "flag" for order in orders], dtype=np.bool_),
        weight=blank,
        confidence=blank,
        duration=blank,
        familiarity=np.empty(0),
    )
    return fill_factors(schedule, settings)


def fill_factors(schedule: Schedule, settings: EngineSettings) -> Schedule:
    """The same schedule with the factors W, C and D under these settings; 1 where a factor is switched off.

    Raises
    ------
    ValueError
        Settings that need a schedule of their own.
    """
    for name, built, wanted in zip(STRUCTURAL, schedule.structure, structure_of(settings), strict=True):
        if built != wanted:
            raise ValueError(f"the schedule was built for {name} {built!r}, not {wanted!r}: build another")
    known = familiarity(schedule.experience, settings)
    off = np.ones(len(schedule.play))
    return replace(
        schedule,
        familiarity=known,
        weight=weight_factor(schedule.complexity, schedule.skill, settings) if settings.use_weight else off,
        confidence=confidence_factor(known, schedule.starts, settings) if settings.use_confidence else off,
        duration=duration_factor(schedule.minutes, settings) if settings.use_duration else off,
    )


def first_plays(schedule: Schedule, plays: int) -> Schedule:
    """The schedule of the first rated plays alone, with the people and games of the whole.

    Parameters
    ----------
    schedule : Schedule
    plays : int
        How many; more than there are gives the whole.

    Returns
    -------
    Schedule

    Raises
    ------
    ValueError
        Fewer than 0 plays.
    """
    if plays < 0:
        raise ValueError(f"plays is {plays}: it must be at least 0")
    plays = min(plays, len(schedule.play))
    seats = int(schedule.starts[plays])
    of_seats = ("seat", "person", "rank", "score", "team", "experience", "familiarity")
    arrays = [item.name for item in fields(schedule) if isinstance(getattr(schedule, item.name), np.ndarray)]
    length = {name: seats if name in of_seats else plays + (name == "starts") for name in arrays}
    return replace(schedule, **{name: getattr(schedule, name)[:n] for name, n in length.items()})


def _seats_of(
    log: PlayLog, play: Play, order: Order, earlier: Sequence[float], settings: EngineSettings
) -> list[tuple[str, int, int, float, int, float]]:
    """Person ("" for a guest), seat, rank, score, team and experience of each seat that is rated, by person."""
    rows = []
    for place, seat in enumerate(play.seats):
        guest = log.people[seat.person].is_guest
        if guest and settings.guests == "drop":
            continue
        key = "" if guest else seat.person
        rows.append((key, place, order.ranks[place], order.scores[place], order.teams[place], earlier[place]))
    if len(rows) < len(play.seats):
        ahead = [sum(other[2] < row[2] for other in rows) + 1 for row in rows]
        rows = [(*row[:2], rank, *row[3:]) for row, rank in zip(rows, ahead, strict=True)]
    # Guests of one rank and score are alike in all that is rated, so that their order among themselves cannot count.
    return sorted(rows, key=lambda row: (row[0], row[2], -math.inf if math.isnan(row[3]) else row[3], row[1]))
