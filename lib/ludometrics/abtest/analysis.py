"""The analysis of an A/B test on games of people who come back."""

import math
from collections.abc import Hashable, Mapping
from dataclasses import dataclass

import numpy as np
import pandas as pd

from ludometrics.abtest.breakdown import group_table, method_table, player_table, sensitivity_table
from ludometrics.abtest.contrasts import paired_differences, weighted_contrasts
from ludometrics.abtest.decision import Decision, decide
from ludometrics.abtest.effects import NO_EFFECT, Effect
from ludometrics.abtest.estimation import Estimation
from ludometrics.abtest.planning import detectable_from_error
from ludometrics.abtest.plans import Plan
from ludometrics.abtest.player_correlation import PlayerCorrelation, intra_player_correlation
from ludometrics.abtest.quality import quality_table
from ludometrics.abtest.randomisation import DRAWS
from ludometrics.abtest.scores import WinOdds, win_odds
from ludometrics.abtest.sequences import confidence_sequence
from ludometrics.abtest.trial import Trial, find_unit, pair_orders, read_trial
from ludometrics.abtest.verdicts import MARGIN, Verdict, equivalence, verdict_at_any_time

#: Power of the smallest difference that is named, and of plans.
POWER = 0.8
#: Verdicts that come before the question whether a plan is fulfilled.
NOT_YET = ("unsound", "few players")
ESTIMANDS = {
    "between": "mean difference between players who met B and players who met A, each player counting by the "
    "information of their games",
    "within": "mean difference for these players, each player and colour counting by the information of their games",
    "blocked": "mean difference within blocks of players who met B and players who met A, each player counting once",
    "sequential": "mean difference for these players, each player counting by the number of their games so far",
}
TESTS = {
    "hash": "players dealt again into groups of the same sizes",
    "blocked": "players dealt again within their blocks",
    "game": "games of each player and colour dealt again, all ways",
    "alternate": "pairs of games turned round, all ways",
}


@dataclass(frozen=True)
class Analysis:
    """What a test says, and all that stands behind it.

    Attributes
    ----------
    verdict : Verdict
        One line; see `verdicts.give_verdict`.
    decision : Decision
        Unit, assignment, effect with its range, and the test by dealing again. The effect is nan while a plan is not
        fulfilled.
    estimand : str
        What is estimated, in words.
    alpha, margin : float
    groups, quality, players, sensitivity, methods : DataFrame
        See `breakdown.group_table`, `quality.quality_table`, `breakdown.player_table`, `breakdown.sensitivity_table`
        and `breakdown.method_table`. While a plan is not fulfilled only the first two hold something, and no scores.
    ordered : WinOdds or None
        Odds that a player does better rather than worse against B, win, draw and loss as ordered outcomes.
    equivalence_p : float
        Of two one-sided tests that the difference is smaller than the margin.
    detectable : float
        Difference that a test of this size finds with a power of 80 %.
    correlation : PlayerCorrelation or None
        How alike the games of one player are.
    sequence : DataFrame or None
        Confidence sequence of a plan that looks early.
    plan : Plan or None
    notes : tuple of str
        What a reader should know besides.
    """

    verdict: Verdict
    decision: Decision
    estimand: str
    alpha: float
    margin: float
    groups: pd.DataFrame
    quality: pd.DataFrame
    players: pd.DataFrame
    sensitivity: pd.DataFrame
    methods: pd.DataFrame
    ordered: WinOdds | None
    equivalence_p: float
    detectable: float
    correlation: PlayerCorrelation | None
    sequence: pd.DataFrame | None
    plan: Plan | None
    notes: tuple[str, ...]

    @property
    def effect(self) -> Effect:
        """Mean score against B minus that against A, with its range."""
        return self.decision.estimation.effect


def analyse(
    games: pd.DataFrame,
    *,
    ratings: Mapping[str, float] | pd.Series | None = None,
    blocks: Mapping[str, Hashable] | pd.Series | None = None,
    design: str | None = None,
    assignment: str | None = None,
    plan: Plan | None = None,
    alpha: float = 0.05,
    margin: float = MARGIN,
    draws: int = DRAWS,
    rng: np.random.Generator,
) -> Analysis:
    """Analyse an A/B test as its assignment asks, and say in one line what it allows.

    Parameters
    ----------
    games : DataFrame
        One row a game in the order of play: player, variant ("A" or "B"), score (1, 0.5, 0 of the player; missing for
        a game left unfinished); optional colour ("b", "w") and assigned (version recorded before play).
    ratings : mapping of name to rating, optional
        From before the experiment, Elo points: between players the range becomes narrower with them.
    blocks : mapping of name to block, optional
        Of players dealt within blocks.
    design : {"between", "within"}, optional
        Whether each player was to meet one version or both; without it, and without a plan, what the data show.
    assignment : {"hash", "blocked", "game", "alternate"}, optional
        How versions were dealt; likewise.
    plan : Plan, optional
        Decided before play. Before its number of games only the quality of the data is shown; games beyond it do not
        count; a sequential plan may be looked at any time. It brings design, assignment, alpha and margin.
    alpha : float
        0 to 0.5: the range holds 1 - alpha.
    margin : float
        Difference of mean scores that is called small.
    draws : int
        Splits of players sampled where they are too many to count out.
    rng : numpy.random.Generator
        For those samples; nothing else is drawn.

    Returns
    -------
    Analysis

    Raises
    ------
    ValueError
        Naming the row or setting, its value and what is allowed.

    Source
    ------
    Own: the choice of unit, the checks and the words. The parts name theirs.

    Examples
    --------
    >>> rng = np.random.default_rng(1)
    >>> games = pd.DataFrame({"player": np.repeat([f"Player {n}" for n in range(8)], 40)})
    >>> games["variant"] = rng.choice(["A", "B"], size=len(games))
    >>> games["score"] = 1.0 * (rng.random(len(games)) < np.where(games["variant"] == "B", 0.7, 0.4))
    >>> result = analyse(games, rng=rng)
    >>> result.decision.estimation.unit, result.verdict.code
    ('within', 'easier')
    """
    trial = read_trial(games, ratings=ratings, blocks=blocks)
    notes: list[str] = []
    planned = players_planned = 0
    if plan is not None:
        if not plan.sequential:
            planned = plan.planned_games
            players_planned = plan.players if plan.design == "between" else 0
        design, assignment, alpha, margin = plan.design, plan.assignment, plan.alpha, plan.margin
        trial = _as_planned(trial, plan, notes)
    decision = decide(
        trial,
        design=design,
        assignment=assignment,
        alpha=alpha,
        margin=margin,
        planned=planned,
        players_planned=players_planned,
        draws=draws,
        rng=rng,
    )
    result = decision.estimation
    sequence = None
    if plan is not None and plan.sequential:
        sequence = effect_sequence(trial, plan.assignment, n_opt=plan.planned_games, alpha=alpha)
        decision = _at_any_time(decision, sequence, alpha=alpha, margin=margin)
    elif design is None and assignment is None:
        decision = _with_hint(trial, decision)
    notes += _notes(trial, decision)
    quality = quality_table(trial, result, rng=rng)
    if plan is not None and _too_early(trial, decision, plan):
        return _only_quality(trial, decision, quality, plan, notes)
    level = 1.0 - alpha
    effect = decision.estimation.effect
    return Analysis(
        verdict=decision.verdict,
        decision=decision,
        estimand=_estimand(result, plan),
        alpha=alpha,
        margin=margin,
        groups=group_table(trial),
        quality=quality,
        players=player_table(trial, level=level),
        sensitivity=sensitivity_table(trial, result, level=level, rng=rng),
        methods=method_table(trial, result, level=level, rng=rng),
        ordered=_ordered(trial, result.unit, level),
        equivalence_p=equivalence(effect, margin),
        detectable=detectable_from_error(effect.error, effect.df, alpha=alpha, power=POWER)
        if effect.error > 0.0 and effect.df >= 1.0
        else math.nan,
        correlation=_correlation(trial, level),
        sequence=sequence,
        plan=plan,
        notes=tuple(notes),
    )


def effect_sequence(trial: Trial, assignment: str, *, n_opt: float, alpha: float) -> pd.DataFrame:
    """Confidence sequence of the effect: ranges that hold however often they are looked at.

    Parameters
    ----------
    trial : Trial
    assignment : {"game", "alternate"}
    n_opt : float
        Games at which the range is to be narrowest.
    alpha : float

    Returns
    -------
    DataFrame
        See `sequences.confidence_sequence`; a value is a pair of games where versions alternate, else a game.

    Raises
    ------
    ValueError
        A design between players: their games come in turn, so that no player's mean is ever ready first.
    """
    if assignment not in ("game", "alternate"):
        raise ValueError(f"assignment is {assignment!r}: looking early needs 'game' or 'alternate'")
    columns = (trial.player, trial.variant, trial.score)
    if assignment == "alternate":
        return confidence_sequence(
            paired_differences(*columns, trial.is_black), n_opt=max(2.0, n_opt / 2.0), alpha=alpha
        )
    return confidence_sequence(weighted_contrasts(*columns), n_opt=n_opt, alpha=alpha)


def _estimand(result: Estimation, plan: Plan | None) -> str:
    if plan is not None and plan.sequential:
        return ESTIMANDS["sequential"]
    return ESTIMANDS["blocked" if result.assignment == "blocked" and not result.adjusted else result.unit]


def _as_planned(trial: Trial, plan: Plan, notes: list[str]) -> Trial:
    """Games beyond the plan do not count: else one could stop where it looks best."""
    extra = len(trial.score) - plan.planned_games
    if extra <= 0 or plan.sequential:
        return trial
    notes.append(f"{extra} games after the {plan.planned_games} planned are left out.")
    return trial.first(plan.planned_games)


def _at_any_time(decision: Decision, sequence: pd.DataFrame, *, alpha: float, margin: float) -> Decision:
    """The same decision with the range of the last look at a confidence sequence."""
    last = sequence.iloc[-1] if len(sequence) else None
    effect = NO_EFFECT
    if last is not None and not math.isnan(last["low"]):
        effect = Effect(
            float(last["estimate"]), math.nan, math.inf, float(last["low"]), float(last["high"]), math.nan
        )
    verdict = decision.verdict
    if verdict.code not in NOT_YET:
        verdict = verdict_at_any_time(effect, alpha=alpha, margin=margin, n=len(sequence))
    return decision._replace(estimation=decision.estimation._replace(effect=effect), verdict=verdict)


def _with_hint(trial: Trial, decision: Decision) -> Decision:
    """Where the unit was guessed and few players count, say what else it may have been."""
    unit, verdict = find_unit(trial), decision.verdict
    if verdict.code != "few players" or not unit.mixed:
        return decision
    text = (
        f"{verdict.text} {unit.in_both} of {unit.players} players met both versions: if versions were dealt to "
        "players, say design between."
    )
    return decision._replace(verdict=verdict._replace(text=text))


def _too_early(trial: Trial, decision: Decision, plan: Plan) -> bool:
    """Whether results must stay hidden: whatever else forbids a verdict today may be mended by the planned end."""
    if plan.sequential:
        return decision.verdict.code == "planned"
    too_few = plan.design == "between" and int((trial.games.sum(axis=1) > 0).sum()) < plan.players
    return too_few or len(trial.score) < plan.planned_games


def _only_quality(
    trial: Trial, decision: Decision, quality: pd.DataFrame, plan: Plan, notes: list[str]
) -> Analysis:
    """Nothing that could tempt: the sizes of the groups and the checks, no score."""
    groups = group_table(trial)
    for column in ("wins", "draws", "losses", "mean_score", "player_mean", "sd"):
        groups[column] = math.nan
    hidden = decision.estimation._replace(
        effect=NO_EFFECT, test=decision.estimation.test._replace(p=math.nan, mid_p=math.nan)
    )
    nothing = pd.DataFrame()
    return Analysis(
        verdict=decision.verdict,
        decision=decision._replace(estimation=hidden),
        estimand=_estimand(hidden, plan),
        alpha=plan.alpha,
        margin=plan.margin,
        groups=groups,
        quality=quality,
        players=nothing,
        sensitivity=nothing,
        methods=nothing,
        ordered=None,
        equivalence_p=math.nan,
        detectable=math.nan,
        correlation=None,
        sequence=None,
        plan=plan,
        notes=(*notes, "Results are shown once the planned games are played."),
    )


def _notes(trial: Trial, decision: Decision) -> list[str]:
    result, notes = decision.estimation, []
    games = trial.games
    if result.unit == "between" and trial.ratings is not None and not result.adjusted:
        notes.append("Ratings are missing, too few or all alike: the means are not adjusted by them.")
    if result.unit == "between" and trial.ratings is None:
        notes.append(
            "No ratings from before the experiment are given: with them the range would be narrower."
        )
    met = games[games.sum(axis=1) > 0]
    if result.unit == "within" and not (met > 0).all():
        one = int((met == 0).any(axis=1).sum())
        notes.append(
            f"{one} of {len(met)} players met one version only and do not count; if versions were dealt to players, "
            "say so (design between)."
        )
    if result.assignment == "alternate":
        a_first, b_first = pair_orders(trial)
        if min(a_first, b_first) == 0:
            notes.append(
                f"{'A' if a_first else 'B'} came first in every pair of games: if players get better, or tired, in the "
                "course of the test, that is taken for the version. Let the order within a pair be drawn."
            )
    return notes


def _ordered(trial: Trial, unit: str, level: float) -> WinOdds | None:
    strata = trial.stratum if unit == "within" else None
    try:
        return win_odds(trial.score, trial.variant, trial.player, strata, level=level)
    except ValueError:  # one version only
        return None


def _correlation(trial: Trial, level: float) -> PlayerCorrelation | None:
    try:
        return intra_player_correlation(trial.score, trial.player, level=level)
    except ValueError:  # too few players or games
        return None
