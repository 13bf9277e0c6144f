"""The engine: pairwise Glicko-1 over a group's plays in the order of time, each play counting by its factors.

A seat's move is that of one Glicko-1 period against the whole table, with weight W x C x D x G on each pair divided by
the number of opponents. No state survives outside the pass: a log and settings give the ratings.
"""

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ludometrics.boardgames.arrays import Schedule, build_schedule, fill_factors
from ludometrics.boardgames.engine_loops import Numbers, Passed, Plays, one_pass
from ludometrics.boardgames.finishing import Order, Rejection, finish_all
from ludometrics.boardgames.records import PlayLog
from ludometrics.boardgames.settings import EngineSettings
from ludometrics.boardgames.weights import GameWeight, game_weights


@dataclass(frozen=True)
class GroupRatings:
    """Ratings of a group after its last rated play, and what every play did: m players, p plays, s seats, k pairs.

    Attributes
    ----------
    people : tuple of str
        Keys of the players, sorted.
    rating, variance : ndarray, shape (m,)
        Points, and squared points as of the player's last rated play.
    plays : ndarray of int64, shape (m,)
        Rated plays.
    last_day : ndarray, shape (m,)
        Day of the last rated play, as in `Schedule.day`.
    before, after : ndarray, shape (s,)
        Rating of each seat before and after its play.
    deviation_before, deviation_after : ndarray, shape (s,)
        Before: grown by absence, as the forecast used it.
    evidence : ndarray, shape (s,)
        Sum of the weights of the seat's pairs: how many even duels the play counted as.
    pair_starts : ndarray of int64, shape (p + 1,)
        First pair of each play, then k.
    pair_seats : ndarray of int64, shape (k, 2)
        The two seats of each pair.
    forecast : ndarray, shape (k,)
        Chance that the first of the pair finishes before the second, made before the play, from both deviations.
    outcome : ndarray, shape (k,)
        1, 0.5 (tied, or not known) or 0.
    scored : ndarray of bool, shape (k,)
        Both are known people, no team mates, and the order of the two is resolved.
    margin : ndarray, shape (k,)
        Factor G.
    pair_weight : ndarray, shape (k,)
        Weight on the first of the pair; 0 where the pair was not compared.
    prior : float
        Variance of a newcomer.
    growth : float
        Variance a day of absence adds.
    """

    people: tuple[str, ...]
    rating: NDArray[np.float64]
    variance: NDArray[np.float64]
    plays: NDArray[np.int64]
    last_day: NDArray[np.float64]
    before: NDArray[np.float64]
    deviation_before: NDArray[np.float64]
    after: NDArray[np.float64]
    deviation_after: NDArray[np.float64]
    evidence: NDArray[np.float64]
    pair_starts: NDArray[np.int64]
    pair_seats: NDArray[np.int64]
    forecast: NDArray[np.float64]
    outcome: NDArray[np.float64]
    scored: NDArray[np.bool_]
    margin: NDArray[np.float64]
    pair_weight: NDArray[np.float64]
    prior: float
    growth: float

    @property
    def deviations(self) -> NDArray[np.float64]:
        """Deviations (m,), points, as of each player's last rated play."""
        return np.sqrt(self.variance)

    def aged_deviations(self, day: float) -> NDArray[np.float64]:
        """Deviations (m,), points, as of a day not before the last play; nothing is changed by asking."""
        away = np.maximum(day - self.last_day, 0.0)
        return np.sqrt(np.minimum(self.variance + self.growth * away, self.prior))

    @property
    def pair_play(self) -> NDArray[np.int64]:
        """Place among the rated plays of each pair, shape (k,)."""
        return np.repeat(np.arange(len(self.pair_starts) - 1), np.diff(self.pair_starts))


@dataclass(frozen=True)
class RatedLog:
    """A log with everything that was made of it.

    Attributes
    ----------
    log : PlayLog
    settings : EngineSettings
    outcomes : tuple of Order or Rejection
        Of each play of the log.
    weights : dict of str to GameWeight
        Of each game of the log.
    schedule : Schedule
    ratings : GroupRatings
    """

    log: PlayLog
    settings: EngineSettings
    outcomes: tuple[Order | Rejection, ...]
    weights: dict[str, GameWeight]
    schedule: Schedule
    ratings: GroupRatings


def rate(schedule: Schedule, settings: EngineSettings) -> GroupRatings:
    """Rate the plays of a schedule.

    Parameters
    ----------
    schedule : Schedule
        Its factors need not have been filled in for these settings.
    settings : EngineSettings

    Returns
    -------
    GroupRatings

    Raises
    ------
    ValueError
        Settings that need a schedule of their own (`arrays.STRUCTURAL`).

    Source
    ------
    Glickman, "The Glicko system"; weights and table of many: the author of bgelo.
    """
    schedule = fill_factors(schedule, settings)
    passed = run_pass(schedule, settings)
    sizes = np.diff(schedule.starts)
    return GroupRatings(
        people=schedule.people,
        rating=passed.rating,
        variance=passed.variance,
        plays=passed.plays,
        last_day=passed.last_day,
        before=passed.before,
        deviation_before=np.sqrt(passed.variance_before),
        after=passed.after,
        deviation_after=np.sqrt(passed.variance_after),
        evidence=passed.evidence,
        pair_starts=np.concatenate([[0], np.cumsum(sizes * (sizes - 1) // 2)]),
        pair_seats=pairs_of(schedule.starts),
        forecast=passed.forecast,
        outcome=passed.outcome,
        scored=passed.scored,
        margin=passed.margin,
        pair_weight=passed.pair_weight,
        prior=settings.deviation**2,
        growth=settings.absence**2,
    )


def rate_log(
    log: PlayLog,
    settings: EngineSettings,
    *,
    weights: Mapping[str, GameWeight] | None = None,
    editions: Mapping[str, str] | None = None,
) -> RatedLog:
    """Rate a log from its first play to its last.

    Parameters
    ----------
    log : PlayLog
    settings : EngineSettings
    weights : mapping of str to GameWeight, optional
        As `game_weights` gives them; none: every game weighs 1.
    editions : mapping of str to str, optional
        As in `build_schedule`.

    Returns
    -------
    RatedLog

    Raises
    ------
    ValueError
        A game without a weight, or plays out of order.
    """
    weights = dict(game_weights(log.games, settings) if weights is None else weights)
    lacking = sorted(set(log.games) - set(weights))
    if lacking:
        raise ValueError(f"weights hold nothing of game {lacking[0]!r}: every game of the log needs a weight")
    for earlier, later in itertools.pairwise(log.plays):
        if later.order < earlier.order:
            raise ValueError(
                f"play {later.key!r} stands after a later one, {earlier.key!r}: plays must be in order"
            )
    outcomes: Sequence[Order | Rejection] = finish_all(log, settings)
    schedule = build_schedule(log, outcomes, weights, settings, editions=editions)
    return RatedLog(log, settings, tuple(outcomes), weights, schedule, rate(schedule, settings))


def run_pass(schedule: Schedule, settings: EngineSettings) -> Passed:
    """The pass itself over a schedule whose factors are filled in, as `engine_loops` gives it."""
    return one_pass(*loop_input(schedule, settings))


def loop_input(schedule: Schedule, settings: EngineSettings) -> tuple[Plays, Numbers, int, int]:
    """What the pass is given: plays, numbers, how many people and games."""
    by_pair = settings.use_confidence and settings.confidence_by == "pair"
    factors = schedule.weight * schedule.duration
    plays = Plays(
        schedule.starts,
        schedule.person,
        schedule.rank,
        schedule.score,
        schedule.team,
        schedule.familiarity,
        schedule.game,
        schedule.direction,
        schedule.day,
        factors if by_pair else factors * schedule.confidence,
        schedule.flag_only,
    )
    numbers = Numbers(
        start=settings.start,
        prior=settings.deviation**2,
        floor=settings.floor**2,
        growth=settings.absence**2,
        drift=settings.drift**2,
        per_opponent=settings.per_opponent,
        skip_unresolved=settings.unresolved == "skip",
        pair_confidence=by_pair,
        confidence_low=settings.confidence_low,
        use_margin=settings.use_margin,
        margin_low=settings.margin_low,
        margin_high=settings.margin_high,
        margin_full=settings.margin_full,
        margin_scores=settings.margin_scores,
        margin_plays=settings.margin_plays,
        within=settings.margin_spread == "within",
        correction=settings.margin_correction,
    )
    return plays, numbers, len(schedule.people), len(schedule.games)


def pairs_of(starts: NDArray[np.int64]) -> NDArray[np.int64]:
    """All pairs of seats of each play, shape (k, 2), in the order in which the pass goes through them.

    Examples
    --------
    >>> pairs_of(np.array([0, 2, 5])).tolist()
    [[0, 1], [2, 3], [2, 4], [3, 4]]
    """
    sizes = np.diff(starts)
    blocks = {int(n): np.column_stack(np.triu_indices(int(n), 1)) for n in np.unique(sizes)}
    parts = [blocks[int(n)] + low for n, low in zip(sizes, starts[:-1], strict=True)]
    return np.concatenate(parts).astype(np.int64) if parts else np.empty((0, 2), dtype=np.int64)
