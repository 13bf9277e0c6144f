"""Rules by which a player is offered a level: the course's, ours, and the steps between them."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from ludometrics.matching.course import TIE, Choice
from ludometrics.ratings import EloSettings, Glicko1Settings, PosteriorSettings, glicko1

#: Nodes and weights by which an expectation over a normal posterior is taken: exact to 1e-4 for abs(E - target).
_NODES, _WEIGHTS = np.polynomial.hermite_e.hermegauss(21)
_WEIGHTS = _WEIGHTS / _WEIGHTS.sum()
#: Standard deviation of the logistic curve of the Elo scale: the noise of one game.
_GAME_NOISE = np.pi / (np.sqrt(3.0) * glicko1.Q)

CHOICES = ("nearest", "expected", "quality", "thompson")
NEWCOMERS = ("fallback", "gentle", "matched")


@dataclass(frozen=True)
class MatchRule:
    """How a level is chosen; each field is a mechanism that can be switched off.

    Attributes
    ----------
    name : str
    ratings : EloSettings, Glicko1Settings or PosteriorSettings
        How players are rated; steps of K give Elo a fast start, the other two have one by nature.
    target : float
        Expected score wanted for the player, in (0, 1). One half is an even game. To hold it elsewhere without
        telling the player is manipulation.
    anchored : bool
        Levels keep the ratings that were measured offline, instead of being rated like players.
    provisional_games : int
        A rating on fewer games is provisional (where `provisional_deviation` is None).
    provisional_deviation : float or None
        A rating with a larger deviation is provisional, Elo points; not with Elo, which knows none.
    newcomer : {"fallback", "gentle", "matched"}
        While provisional: a fixed level; a gentle level first and doubling steps until results turn; or the same
        choice as for everybody.
    fallback : str
        The fixed level. With one that is absent the middle level stands in.
    gentle_share : float
        Expected score that the first level must leave a player of the rating `median`.
    median : float
        Rating of the median newcomer, Elo points.
    choice : {"nearest", "expected", "quality", "thompson"}
        Smallest abs(E - target) at the rating; smallest mean of it over the rating's uncertainty; best match
        quality; or smallest at a rating drawn from its uncertainty. All but the first need a
        deviation.
    hysteresis : float
        A settled player keeps the last level unless another is nearer to the target by more than this.
    streak : int
        After so many matched games in a row all won, or all lost, the level must have moved that way since the
        first of them, whatever the rating says of older games; 0 switches it off.
    """

    name: str
    ratings: EloSettings | Glicko1Settings | PosteriorSettings = field(default_factory=EloSettings)
    target: float = 0.5
    anchored: bool = False
    provisional_games: int = 5
    provisional_deviation: float | None = None
    newcomer: str = "fallback"
    fallback: str = "medium"
    gentle_share: float = 0.35
    median: float = 1200.0
    choice: str = "nearest"
    hysteresis: float = 0.0
    streak: int = 0

    def __post_init__(self) -> None:
        for name, value, allowed in (
            ("choice", self.choice, CHOICES),
            ("newcomer", self.newcomer, NEWCOMERS),
        ):
            if value not in allowed:
                raise ValueError(f"{name} is {value!r}: allowed are {', '.join(map(repr, allowed))}")
        for name in ("target", "gentle_share"):
            if not 0 < getattr(self, name) < 1:
                raise ValueError(f"{name} is {getattr(self, name)}: it must be above 0 and below 1")
        for name in ("provisional_games", "hysteresis", "streak"):
            if not getattr(self, name) >= 0:
                raise ValueError(f"{name} is {getattr(self, name)}: it must be at least 0")
        uncertain = self.choice != "nearest" or self.provisional_deviation is not None
        if uncertain and isinstance(self.ratings, EloSettings):
            raise ValueError(f"rule {self.name!r} asks for a deviation, which Elo has not")


@dataclass(frozen=True)
class Levels:
    """Levels on offer, weakest first.

    Attributes
    ----------
    names : tuple of str
    ratings : ndarray, shape (l,)
        Elo points; NaN where a level has played no game yet.
    deviations : ndarray, shape (l,)
        Elo points; 0 for a level whose rating counts as known.
    """

    names: tuple[str, ...]
    ratings: NDArray[np.float64]
    deviations: NDArray[np.float64]

    @classmethod
    def of(
        cls, names: Sequence[str], ratings: Sequence[float], deviations: Sequence[float] | float = 0.0
    ) -> "Levels":
        """Levels from any sequences; one deviation may stand for all."""
        ratings = np.asarray(ratings, dtype=np.float64)
        if not len(names) or ratings.shape != (len(names),):
            raise ValueError(
                f"{len(names)} levels but ratings of shape {ratings.shape}: one for each, at least one"
            )
        return cls(
            tuple(names), ratings, np.broadcast_to(np.asarray(deviations, dtype=np.float64), ratings.shape)
        )


@dataclass(frozen=True)
class Player:
    """What a rule knows of a player.

    Attributes
    ----------
    rating : float
        Elo points.
    deviation : float
        Elo points; 0 under Elo, which knows none.
    games : int
        Games played, against anybody.
    met : tuple of str
        Levels met in matched games, oldest first.
    scores : tuple of float
        The player's score in each of these: 0, 0.5 or 1.
    """

    rating: float
    deviation: float = 0.0
    games: int = 0
    met: tuple[str, ...] = ()
    scores: tuple[float, ...] = ()


def match(rule: MatchRule, player: Player, levels: Levels, *, rng: np.random.Generator) -> Choice:
    """Offer a player a level.

    Parameters
    ----------
    rule : MatchRule
    player : Player
    levels : Levels
    rng : numpy.random.Generator
        Drawn from only by a rule that samples.

    Returns
    -------
    Choice
        With the reason in words.

    Examples
    --------
    >>> levels = Levels.of(["easy", "medium", "hard"], [1000, 1300, 1500])
    >>> rng = np.random.default_rng(1)
    >>> match(RULES["course"], Player(1450, games=10), levels, rng=rng).level
    'hard'
    >>> match(RULES["default"], Player(1200, 450), levels, rng=rng)[::4]
    ('medium', 'first game: a level that leaves a newcomer a fair chance')
    """
    provisional = is_provisional(rule, player)
    expected = glicko1.expected_score(player.rating, levels.ratings, player.deviation, levels.deviations)
    rated = np.isfinite(levels.ratings)
    if not rated.any():
        at, reason = _fallback(rule, levels), "no level has a rating yet"
    elif provisional and rule.newcomer == "fallback":
        at, reason = _fallback(rule, levels), "the rating is still settling"
    elif provisional and rule.newcomer == "gentle" and (step := _gentle(rule, player, levels)):
        at, reason = step
    else:
        at, reason = _by_rating(rule, player, levels, expected, provisional, rng=rng)
        at, reason = _after_streak(rule, player, levels, at, reason)
    forecast = (
        expected[at] if rated[at] else glicko1.expected_score(player.rating, rule.median, player.deviation)
    )
    return Choice(levels.names[at], provisional, player.rating, float(forecast), reason)


def is_provisional(rule: MatchRule, player: Player) -> bool:
    """Tell whether a player's rating is still settling under a rule.

    Examples
    --------
    >>> is_provisional(RULES["course"], Player(1300, games=4)), is_provisional(RULES["course"], Player(1300, games=5))
    (True, False)
    """
    if rule.provisional_deviation is not None:
        return player.deviation > rule.provisional_deviation
    return player.games < rule.provisional_games


def _fallback(rule: MatchRule, levels: Levels) -> int:
    return (
        levels.names.index(rule.fallback) if rule.fallback in levels.names else (len(levels.names) - 1) // 2
    )


def _gentle(rule: MatchRule, player: Player, levels: Levels) -> tuple[int, str] | None:
    """First level and doubling steps; None once results have turned."""
    rated = np.flatnonzero(np.isfinite(levels.ratings))
    if not player.met:
        chance = glicko1.expected_score(rule.median, levels.ratings[rated])
        fair = rated[chance >= rule.gentle_share]
        chance = chance[chance >= rule.gentle_share]
        at = int(fair[np.argmin(np.abs(chance - rule.target))]) if len(fair) else int(rated[0])
        return at, "first game: a level that leaves a newcomer a fair chance"
    if len(set(player.scores)) != 1 or player.scores[0] == 0.5 or player.met[-1] not in levels.names:
        return None
    size = 2 ** (len(player.scores) - 1)
    way = 1 if player.scores[0] == 1 else -1
    place = int(np.searchsorted(rated, levels.names.index(player.met[-1]))) + way * size
    at = int(rated[min(max(place, 0), len(rated) - 1)])
    return at, f"all games so far {'won' if way > 0 else 'lost'}: a large step {'up' if way > 0 else 'down'}"


def _by_rating(
    rule: MatchRule,
    player: Player,
    levels: Levels,
    expected: NDArray[np.float64],
    provisional: bool,
    *,
    rng: np.random.Generator,
) -> tuple[int, str]:
    distance = np.where(
        np.isfinite(levels.ratings), _distance(rule, player, levels, expected, rng=rng), np.inf
    )
    best = int(np.argmax(distance <= distance.min() + TIE))  # the first of equals
    if rule.hysteresis and not provisional and player.met and player.met[-1] in levels.names:
        last = levels.names.index(player.met[-1])
        if last != best and distance[last] - distance[best] <= rule.hysteresis:
            return last, f"the same level again: {levels.names[best]} would be hardly nearer"
    aim = "an even game" if rule.target == 0.5 else f"the expected score {rule.target:g}"
    return best, f"nearest to {aim}"


def _after_streak(rule: MatchRule, player: Player, levels: Levels, at: int, reason: str) -> tuple[int, str]:
    """Move the level at least one step in the direction of a long streak, counted from where the streak began."""
    recent = player.scores[-rule.streak :] if 0 < rule.streak <= len(player.scores) else ()
    if set(recent) not in ({0.0}, {1.0}) or player.met[-rule.streak] not in levels.names:
        return at, reason
    way = 1 if recent[0] else -1
    step = min(max(levels.names.index(player.met[-rule.streak]) + way, 0), len(levels.names) - 1)
    if (at - step) * way >= 0 or not np.isfinite(levels.ratings[step]):
        return at, reason
    return (
        step,
        f"{rule.streak} games in a row {'won' if way > 0 else 'lost'}: a step {'up' if way > 0 else 'down'}",
    )


def _distance(
    rule: MatchRule,
    player: Player,
    levels: Levels,
    expected: NDArray[np.float64],
    *,
    rng: np.random.Generator,
) -> NDArray[np.float64]:
    """How far each level is from what is wanted, by the rule's own measure."""
    if rule.choice == "nearest":
        return np.abs(expected - rule.target)
    if rule.choice == "thompson":
        drawn = rng.normal(player.rating, player.deviation)
        return np.abs(glicko1.expected_score(drawn, levels.ratings) - rule.target)
    if rule.choice == "expected":
        strengths = player.rating + player.deviation * _NODES
        scores = glicko1.expected_score(strengths[:, None], levels.ratings, 0.0, levels.deviations)
        return _WEIGHTS @ np.abs(scores - rule.target)
    # Match quality of Herbrich, Minka and Graepel (2006) on the Elo scale, about the gap that the target asks for.
    spread = _GAME_NOISE**2 + player.deviation**2 + levels.deviations**2
    wanted = np.log(rule.target / (1.0 - rule.target)) / glicko1.Q
    gap = player.rating - levels.ratings - wanted
    return 1.0 - np.sqrt(_GAME_NOISE**2 / spread) * np.exp(-(gap**2) / (2.0 * spread))


def _presets() -> dict[str, MatchRule]:
    course = MatchRule("course")
    anchored = replace(course, name="anchored", anchored=True)
    matched = replace(anchored, name="matched", newcomer="matched")
    fast = replace(matched, name="fast", ratings=EloSettings(k=((10, 96), (20, 48), (None, 20))))
    glicko1 = Glicko1Settings(start=1200, start_deviation=450, growth=0, ceiling=450)
    posterior = PosteriorSettings(start=1200, start_deviation=450, low=0, high=2600)
    # A rating is called provisional until its deviation has come below 110, as on lichess.
    bayes = replace(fast, name="posterior", ratings=posterior, provisional_deviation=110)
    steady = replace(bayes, name="steady", hysteresis=0.05)
    default = replace(steady, name="default", newcomer="gentle", streak=10)
    rules = (
        course,
        anchored,
        matched,
        fast,
        replace(bayes, name="glicko1", ratings=glicko1),
        bayes,
        steady,
        default,
        replace(steady, name="expected", choice="expected"),
        replace(steady, name="quality", choice="quality"),
        replace(steady, name="thompson", choice="thompson"),
        replace(default, name="wandering", anchored=False),
    )
    return {rule.name: rule for rule in rules}


#: Rules by name. From "course" to "default" each adds one mechanism: levels keep their offline ratings
#: ("anchored"), newcomers are matched from their first game ("matched"), K falls from 96 to 20 ("fast"), ratings
#: have a deviation ("glicko1") or are a whole distribution ("posterior"), a level is kept unless another is
#: clearly nearer ("steady"), and the first level is gentle and ten
#: wins or losses in a row move the level whatever was before ("default"). "expected", "quality" and
#: "thompson" change the choice in "steady", "wandering" rates the levels along in "default".
RULES: dict[str, MatchRule] = _presets()
