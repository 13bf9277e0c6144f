"""What a test says, in one line: the rules in their order, and the words."""

import math
from dataclasses import dataclass
from typing import NamedTuple

from scipy import stats

from ludometrics.abtest.effects import Effect, student
from ludometrics.abtest.layout import counted
from ludometrics.abtest.quality import MISDEALT_SHARE, NO_SPLIT, SAMPLE_RATIO_ALPHA, SampleRatio

#: Players that each group needs before a verdict.
LEAST_PLAYERS = 6
#: Difference of mean scores that is called small unless a plan says otherwise.
MARGIN = 0.05
CODES = (
    "unsound",
    "few players",
    "planned",
    "no spread",
    "tougher",
    "easier",
    "borderline",
    "equivalent",
    "undecided",
)


@dataclass(frozen=True)
class Facts:
    """What a verdict is made of.

    Attributes
    ----------
    effect : Effect
        With its range at 1 - alpha.
    p : float
        By dealing the versions again.
    players_a, players_b : int
        Who count.
    games_a, games_b : int
    alpha : float
    margin : float
        Of equivalence, as a difference of mean scores, above 0.
    split : SampleRatio
        How evenly versions were dealt.
    two_versions : int
        Players with games of both versions in a design that gives each player one.
    misdealt : int or None
        Games whose version is not the recorded one.
    done, planned : int
        Games, against a plan; planned 0 without one.
    players_done, players_planned : int
        The same of players, where versions are dealt to players.
    unit : {"between", "within"}
    """

    effect: Effect
    p: float
    players_a: int
    players_b: int
    games_a: int
    games_b: int
    alpha: float = 0.05
    margin: float = MARGIN
    split: SampleRatio = NO_SPLIT
    two_versions: int = 0
    misdealt: int | None = None
    done: int = 0
    planned: int = 0
    players_done: int = 0
    players_planned: int = 0
    unit: str = "between"


class Verdict(NamedTuple):
    """A verdict.

    Attributes
    ----------
    code : str
        One of `CODES`.
    text : str
        One line with its numbers.
    """

    code: str
    text: str

    @property
    def decided(self) -> bool:
        """Whether something is said of the difference."""
        return self.code not in CODES[:4]


def give_verdict(facts: Facts) -> Verdict:
    """Say in one line what the data allow; the first rule that applies decides.

    1. The data are not sound. 2. A group has too few players. 3. Fewer games than planned. 4. The range lies off zero
    and p is below alpha: tougher or easier; where only one of the two holds: borderline. 5. The range at 1 - 2 alpha
    lies within the margin: any difference is small. 6. Undecided. Never "no difference".

    Parameters
    ----------
    facts : Facts

    Returns
    -------
    Verdict

    Raises
    ------
    ValueError
        A margin that is not above 0, or an alpha outside 0 to 0.5.

    Source
    ------
    Own. Equivalence by two one-sided tests: Schuirmann, Journal of Pharmacokinetics and Biopharmaceutics 15 (1987).

    Examples
    --------
    >>> effect = Effect(-0.09, 0.03, 30, -0.151, -0.029, 0.005)
    >>> print(give_verdict(Facts(effect, 0.004, 8, 8, 128, 128)).text)
    B looks tougher: players score 9.0 points less (95 % range -15.1 to -2.9 points; p = 0.004; n = 8 + 8 players).
    """
    if not 0.0 < facts.margin < math.inf:
        raise ValueError(f"margin is {facts.margin!r}: it must be above 0 and finite")
    if not 0.0 < facts.alpha < 0.5:
        raise ValueError(f"alpha is {facts.alpha!r}: it must lie between 0 and 0.5")
    fault = _fault(facts)
    if fault:
        return Verdict("unsound", f"No verdict: the data are not sound. {fault}")
    for name, count in (("A", facts.players_a), ("B", facts.players_b)):
        if count < LEAST_PLAYERS:
            return Verdict(
                "few players",
                f"No verdict: only {counted(count, 'player')} in group {name} ({LEAST_PLAYERS} needed).",
            )
    if facts.players_done < facts.players_planned:
        done = f"{facts.players_done} of {facts.players_planned} players planned"
        return Verdict("planned", f"No verdict yet: {done}.")
    if facts.done < facts.planned:
        return Verdict("planned", f"No verdict yet: {facts.done} of {facts.planned} games planned.")
    if math.isnan(facts.effect.low):
        what = "the scores that are compared do not vary within the groups"
        return Verdict("no spread", f"No verdict: {what}, and a range needs scores that vary.")
    return _on_difference(facts)


def verdict_at_any_time(effect: Effect, *, alpha: float, margin: float, n: int) -> Verdict:
    """Say in one line what a range allows that holds however often it is looked at.

    Parameters
    ----------
    effect : Effect
        With the range of a confidence sequence; nan while there is none.
    alpha, margin : float
    n : int
        Pairs of games or games behind it.

    Returns
    -------
    Verdict
        "planned" while there is no range; as there is no p-value, the range alone decides.

    Source
    ------
    Own.

    Examples
    --------
    >>> effect = Effect(-0.09, math.nan, math.inf, -0.17, -0.01, math.nan)
    >>> print(verdict_at_any_time(effect, alpha=0.05, margin=0.05, n=128).text)
    B looks tougher: players score 9.0 points less (95 % range -17.0 to -1.0 points at any look; n = 128).
    """
    if math.isnan(effect.low):
        return Verdict("planned", f"No verdict yet: {n} looked at, and a range needs more that vary.")
    low, high = in_points(effect.low), in_points(effect.high)
    numbers = f"{in_percent(1.0 - alpha)} range {low} to {high} points at any look; n = {n}"
    if effect.high < 0.0 or effect.low > 0.0:
        code, less = ("tougher", "less") if effect.high < 0.0 else ("easier", "more")
        amount = in_points(abs(effect.estimate))
        return Verdict(code, f"B looks {code}: players score {amount} points {less} ({numbers}).")
    if -margin < effect.low and effect.high < margin:
        return Verdict(
            "equivalent", f"Any difference is smaller than {in_points(margin)} points ({numbers})."
        )
    return Verdict(
        "undecided", f"Undecided so far: the data fit anything from {low} to {high} points ({numbers})."
    )


def equivalence(effect: Effect, margin: float) -> float:
    """p-value of two one-sided tests that the effect lies within a margin on either side of zero.

    Parameters
    ----------
    effect : Effect
    margin : float
        Difference of mean scores, above 0.

    Returns
    -------
    float
        nan where the effect has no range.

    Source
    ------
    Schuirmann (1987).

    Examples
    --------
    >>> round(equivalence(Effect(-1.58, 0.388961, 9, -2.46, -0.70, 0.0028), 3.0), 5)
    0.00266
    """
    if not (effect.error > 0.0 and effect.df >= 1.0):
        return math.nan
    return float(stats.t.sf((margin - abs(effect.estimate)) / effect.error, effect.df))


def in_points(score: float, digits: int = 1) -> str:
    """A difference of scores as points: hundredths of a score, never minus zero.

    Examples
    --------
    >>> in_points(-0.0898), in_points(-0.0001)
    ('-9.0', '0.0')
    """
    value = round(100.0 * score, digits)
    return f"{value + 0.0 if value else 0.0:.{digits}f}"


def in_words(p: float) -> str:
    """A p-value as it is printed.

    Examples
    --------
    >>> in_words(0.0123), in_words(0.00001)
    ('p = 0.012', 'p < 0.001')
    """
    return "p < 0.001" if p < 0.0005 else f"p = {p:.3f}"


def in_percent(level: float) -> str:
    """A level of confidence as it is printed.

    Examples
    --------
    >>> in_percent(0.95), in_percent(1 - 1e-9)
    ('95 %', '99.9999999 %')
    """
    return f"{100.0 * level:.12g} %"  # as many digits as 1e-9 needs: 99.99999 is not 100


def _fault(facts: Facts) -> str:
    split = facts.split
    if split.p < SAMPLE_RATIO_ALPHA:
        return f"{split.n_a} {split.what} in A and {split.n_b} in B are no even split ({in_words(split.p)})."
    if facts.two_versions:
        players = "1 player" if facts.two_versions == 1 else f"{facts.two_versions} players"
        return f"{players} met both versions where each should meet one."
    games = facts.games_a + facts.games_b
    if facts.misdealt is not None and facts.misdealt > MISDEALT_SHARE * games:
        return f"{facts.misdealt} of {games} games were played with another version than was recorded before."
    return ""


def _on_difference(facts: Facts) -> Verdict:
    effect = facts.effect
    in_a, in_b = facts.players_a, facts.players_b
    n = f"{in_a}" if facts.unit == "within" else f"{in_a} + {in_b}"
    behind = f"{in_words(facts.p)}; n = {n} players"
    numbers = f"{_range(effect, 1.0 - facts.alpha)}; {behind}"
    away = effect.high < 0.0 or effect.low > 0.0
    if away and facts.p < facts.alpha:
        code, less = ("tougher", "less") if effect.high < 0.0 else ("easier", "more")
        amount = in_points(abs(effect.estimate))
        return Verdict(code, f"B looks {code}: players score {amount} points {less} ({numbers}).")
    if away or facts.p < facts.alpha:
        said = "only the range leaves out zero" if away else f"only p is below {facts.alpha:g}"
        return Verdict("borderline", f"Borderline: {in_points(effect.estimate)} points ({numbers}); {said}.")
    p_larger = equivalence(effect, facts.margin)
    if p_larger < facts.alpha:
        # The range that decides: two one-sided tests at alpha.
        level = 1.0 - 2.0 * facts.alpha
        narrow = _range(student(effect.estimate, effect.error, effect.df, level=level), level)
        return Verdict(
            "equivalent",
            f"Any difference is smaller than {in_points(facts.margin)} points ({narrow}; {in_words(p_larger)} for a "
            f"larger one; n = {n} players).",
        )
    low, high = in_points(effect.low), in_points(effect.high)
    level = in_percent(1.0 - facts.alpha)
    return Verdict(
        "undecided",
        f"Undecided: the data fit anything from {low} to {high} points ({level} range; {behind}).",
    )


def _range(effect: Effect, level: float) -> str:
    # An end that rounds to zero though it is not would hide on which side of it the range lies.
    near = any(end != 0.0 and float(in_points(end)) == 0.0 for end in (effect.low, effect.high))
    low, high = (in_points(end, 3 if near else 1) for end in (effect.low, effect.high))
    return f"{in_percent(level)} range {low} to {high} points"
