"""Who sits down to what, how much that tells, and how it ends: the arrays behind a simulated group.

Arrays of seats have the shape (p, 6): p plays, and as many columns as the largest table has seats.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtri

from ludometrics.boardgames.factors import duration_factor, familiarity, weight_factor
from ludometrics.boardgames.settings import EngineSettings
from ludometrics.ratings.elo import RATE
from ludometrics.simulation.boardgame_worlds import SIZES, SOURCES, GroupWorld

#: Mean of strengths, points: where the engine starts newcomers.
MEAN = 1000.0
#: Scale of the noise of one performance, points: a difference of two then follows the logistic curve of the scale.
NOISE = 1.0 / RATE

_NOISE_SD = NOISE * np.pi / np.sqrt(6.0)
_SEATS = max(SIZES)
_AUTHOR = EngineSettings()
_AWAY = -100.0  # comes only where a table cannot be filled without


class Draws(NamedTuple):
    """All luck of a group, drawn first and in amounts that depend on its size alone: e meetings, m people, n games."""

    strengths: NDArray  # (m,) normal
    attendance: NDArray  # (m,) normal
    away: NDArray  # (2, m) uniform: who stays away, from when
    games: NDArray  # (5, n) uniform: complexity, skill, way of writing down, mean score, spread of scores
    shelf: NDArray  # (3, n) normal: length, popularity, sensitivity
    meetings: NDArray  # (e,) days, rising
    meeting: NDArray  # (p,) which meeting each play belongs to
    by_date: NDArray  # (e,) uniform
    comes: NDArray  # (e, m) Gumbel: who comes to a meeting
    joins: NDArray  # (p, m) Gumbel: who joins a play
    plays: NDArray  # (5, p) uniform: size, game, duration logged, cooperative win, location
    lengths: NDArray  # (p,) normal
    seats: NDArray  # (3, p, 6) uniform: guest, automaton, place at the table
    guests: NDArray  # (p, 6) normal: strengths
    luck: NDArray  # (p, 6) Gumbel: of performances
    gaps: NDArray  # (p, 6) Gumbel: for gaps of scores that have nothing to do with performances
    steps: NDArray  # (e, m) normal: drift
    keys: bytes


class Shelf(NamedTuple):
    """The games, shape (n,) each."""

    complexity: NDArray[np.float64]
    skill: NDArray[np.float64]
    minutes: NDArray[np.float64]
    popularity: NDArray[np.float64]
    sensitivity: NDArray[np.float64]  # logarithm, of the part that nothing is said of
    cooperative: NDArray[np.bool_]
    lowest_wins: NDArray[np.bool_]
    source: NDArray[np.int64]  # index into SOURCES
    mean_score: NDArray[np.float64]
    score_spread: NDArray[np.float64]


class Tables(NamedTuple):
    """The plays, shape (p,), and their seats, shape (p, 6)."""

    game: NDArray[np.int64]
    size: NDArray[np.int64]
    minutes: NDArray[np.float64]
    person: NDArray[np.int64]  # -1: a guest, or no seat
    experience: NDArray[np.float64]  # earlier plays of the game; NaN: a guest, or no seat
    known: NDArray[np.float64]  # (p,) mean familiarity of the known people
    sensitivity: NDArray[np.float64]  # (p,) NaN: cooperative
    strength: NDArray[np.float64]
    rank: NDArray[np.int64]
    score: NDArray[np.int64]

    @property
    def there(self) -> NDArray[np.bool_]:
        """Which seats exist, shape (p, 6)."""
        return np.arange(_SEATS) < self.size[:, None]


def draw(world: GroupWorld, *, rng: np.random.Generator) -> Draws:
    """Draw all luck of a group."""
    m, n, p, e = world.people, world.games, world.plays, world.evenings
    return Draws(
        strengths=rng.standard_normal(m),
        attendance=rng.standard_normal(m),
        away=rng.random((2, m)),
        games=rng.random((5, n)),
        shelf=rng.standard_normal((3, n)),
        meetings=np.sort(rng.permutation(world.days)[:e]),
        # Every meeting has a play, the others fall anywhere.
        meeting=np.sort(np.concatenate([np.arange(e), rng.integers(0, e, p - e)])),
        by_date=rng.random(e),
        comes=rng.gumbel(size=(e, m)),
        joins=rng.gumbel(size=(p, m)),
        plays=rng.random((5, p)),
        lengths=rng.standard_normal(p),
        seats=rng.random((3, p, _SEATS)),
        guests=rng.standard_normal((p, _SEATS)),
        luck=rng.gumbel(size=(p, _SEATS)),
        gaps=rng.gumbel(size=(p, _SEATS)),
        steps=rng.standard_normal((e, m)),
        keys=rng.bytes(16 * (m + n + p + 2)),
    )


def stock_shelf(world: GroupWorld, draws: Draws) -> Shelf:
    """Give the group its games: the first are cooperative, the next won by the lowest score."""
    complexity, skill, way, mean, spread = draws.games
    length, popularity, sensitivity = draws.shelf
    number = np.arange(world.games)
    cooperative = number < world.cooperative_games
    lowest = ~cooperative & (number < world.cooperative_games + world.lowest_games)
    share = world.length_by_weight
    length = share * ndtri(np.clip(complexity, 1e-9, 1 - 1e-9)) + np.sqrt(1 - share**2) * length
    # In equal steps, so that a small shelf too has its share of each.
    free = np.argsort(np.argsort(np.where(cooperative | lowest, np.inf, way)))
    steps = (free + 0.5) / max(1, world.games - world.cooperative_games - world.lowest_games)
    source = choose(world.sources, np.minimum(steps, 1.0))
    mean = np.where(lowest, 80.0, 30.0 + 100.0 * mean).round()
    return Shelf(
        complexity=np.round(1.1 + 3.3 * complexity, 2),
        skill=np.round(0.05 + 0.9 * skill, 2),
        minutes=np.clip(5.0 * np.round(10.0 * np.exp(0.6 * length)), 10.0, 240.0),
        popularity=np.exp(world.popularity * popularity),
        sensitivity=sensitivity,
        cooperative=cooperative,
        lowest_wins=lowest,
        source=np.where(lowest, SOURCES.index("scores"), source),
        mean_score=mean,
        score_spread=mean * (0.1 + 0.15 * spread),
    )


def wander(world: GroupWorld, draws: Draws) -> NDArray[np.float64]:
    """Strengths at each meeting, shape (e, m), points."""
    start = MEAN + world.spread * draws.strengths
    days = np.diff(draws.meetings, prepend=draws.meetings[0])
    return start + np.cumsum(world.drift * np.sqrt(days)[:, None] * draws.steps, axis=0)


def play_tables(world: GroupWorld, shelf: Shelf, paths: NDArray[np.float64], draws: Draws) -> Tables:
    """Seat people and guests, and let them play: the order of performances is the finishing order."""
    size = np.array(SIZES)[choose(world.table_sizes, draws.plays[0])]
    game = choose(shelf.popularity, draws.plays[1])
    there = np.arange(_SEATS) < size[:, None]
    person = _seating(world, draws, there)
    # Rounded as a person would log it; the truth is what happened, so rounding comes first.
    minutes = np.clip(shelf.minutes[game] * np.exp(0.25 * draws.lengths), 5.0, 600.0).round()
    experience = _experience(person, game)
    known = np.nanmean(familiarity(experience, _AUTHOR), axis=1)
    sensitivity = _sensitivity(world, shelf, game, minutes, known)
    own = paths[draws.meeting[:, None], np.maximum(person, 0)]
    strength = np.where(person >= 0, own, MEAN + world.guest_gap + world.spread * draws.guests)
    luck = NOISE * (draws.luck - np.euler_gamma)
    performance = np.where(there, sensitivity[:, None] * (strength - MEAN) + luck, -np.inf)
    order = np.argsort(-performance, axis=1)
    rank = np.argsort(order, axis=1) + 1
    return Tables(
        game=game,
        size=size,
        minutes=minutes,
        person=person,
        experience=experience,
        known=known,
        sensitivity=np.where(shelf.cooperative[game], np.nan, sensitivity),
        strength=strength,
        rank=np.where(shelf.cooperative[game][:, None], 0, rank),
        score=_scores(world, shelf, game, performance, order, draws.gaps),
    )


def choose(chances: tuple[float, ...] | NDArray, luck: NDArray[np.float64]) -> NDArray[np.int64]:
    """Indices drawn by chances in any unit, from uniform numbers.

    Examples
    --------
    >>> choose((1.0, 0.0, 3.0), np.array([0.0, 0.2, 0.3, 0.999])).tolist()
    [0, 0, 2, 2]
    """
    totals = np.cumsum(chances)
    # A product that rounds up to the total would name what is beyond the last.
    last = np.flatnonzero(np.asarray(chances))[-1]
    return np.minimum(np.searchsorted(totals, luck * totals[-1], side="right"), last)


def _seating(world: GroupWorld, draws: Draws, there: NDArray[np.bool_]) -> NDArray[np.int64]:
    """Who sits where, -1 for a guest: those most eager that evening, in chance order at the table."""
    begin = draws.away[1] * (world.days + world.absence_days) - world.absence_days
    away = (draws.away[0] < world.absence) & (draws.meetings[:, None] >= begin)
    away &= draws.meetings[:, None] < begin + world.absence_days
    eager = world.attendance * draws.attendance + draws.comes + _AWAY * away
    # Half as much noise again from play to play: most of a table stays, one or two change.
    first = np.argsort(-(eager[draws.meeting] + 0.5 * draws.joins), axis=1)[:, :_SEATS]
    person = np.full(there.shape, -1)
    person[:, : first.shape[1]] = first
    guest = (draws.seats[0] < world.guests) & (np.arange(_SEATS) >= 2)
    person = np.where(there & ~guest, person, -1)
    place = np.argsort(np.where(there, draws.seats[2], np.inf), axis=1)
    return np.take_along_axis(person, place, axis=1)


def _experience(person: NDArray[np.int64], game: NDArray[np.int64]) -> NDArray[np.float64]:
    """How often each seat's person has played the game before, shape (p, 6)."""
    play, seat = np.nonzero(person >= 0)
    cell = person[play, seat] * (game.max() + 1) + game[play]
    order = np.argsort(cell, kind="stable")  # plays are in the order of time
    new = np.flatnonzero(np.diff(cell[order], prepend=-1))
    earlier = np.empty(len(cell))
    earlier[order] = np.arange(len(cell)) - np.repeat(new, np.diff(np.append(new, len(cell))))
    experience = np.full(person.shape, np.nan)
    experience[play, seat] = earlier
    return experience


def _sensitivity(
    world: GroupWorld, shelf: Shelf, game: NDArray, minutes: NDArray, known: NDArray
) -> NDArray[np.float64]:
    """Sensitivity a of each play, shape (p,): mean square 1 over the competitive ones."""
    counts = ~shelf.cooperative[game]
    exponent = world.games_differ * shelf.sensitivity[game]
    for strength, value in (
        (world.weight, weight_factor(shelf.complexity, shelf.skill, _AUTHOR)[game]),
        (world.confidence, known),
        (world.duration, duration_factor(minutes, _AUTHOR)),
    ):
        exponent = exponent + strength * _standardise(value, counts)
    # A cooperative game may lie any number of deviations from the others, whose spread can be tiny.
    sensitivity = np.exp(np.clip(exponent, -300, 300))
    return sensitivity / np.sqrt(np.mean(sensitivity[counts] ** 2)) if counts.any() else sensitivity


def _standardise(value: NDArray[np.float64], counts: NDArray[np.bool_]) -> NDArray[np.float64]:
    """Mean 0 and standard deviation 1 over the plays that count; 0 where nothing varies."""
    spread = value[counts].std() if counts.any() else 0.0
    return (value - value[counts].mean()) / spread if spread > 1e-9 else np.zeros_like(value)


def _scores(
    world: GroupWorld, shelf: Shelf, game: NDArray, performance: NDArray, order: NDArray, gaps: NDArray
) -> NDArray[np.int64]:
    """Whole scores without ties in the finishing order, shape (p, 6)."""
    by_place = np.take_along_axis(performance, order, axis=1)
    there = np.isfinite(by_place)
    # As wide as performances are, so that only the link between the two is missing.
    width = np.hypot(_NOISE_SD, world.spread) / _NOISE_SD
    free = np.where(np.isfinite(performance), NOISE * width * (gaps - np.euler_gamma), -np.inf)
    free = -np.sort(-free, axis=1)
    mixed = world.margin * np.where(there, by_place, 0.0) + (1.0 - world.margin) * np.where(there, free, 0.0)
    sign = np.where(shelf.lowest_wins, -1.0, 1.0)[game]
    spread = (shelf.score_spread[game] / _NOISE_SD)[:, None]
    points = np.round((sign * shelf.mean_score[game])[:, None] + spread * mixed)
    for place in range(1, points.shape[1]):
        points[:, place] = np.minimum(points[:, place], points[:, place - 1] - 1)
    score = np.zeros(points.shape, dtype=np.int64)
    np.put_along_axis(score, order, (sign[:, None] * points).astype(np.int64), axis=1)
    return score
