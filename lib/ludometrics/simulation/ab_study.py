"""A/B tests on players of known skill, again and again: how often each analysis is right."""

import math
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
import pandas as pd
from tqdm.auto import tqdm

from ludometrics.abtest.decision import Decision, decide
from ludometrics.abtest.effects import gather_strata
from ludometrics.abtest.estimation import foretell, information, player_means
from ludometrics.abtest.naive import naive_range
from ludometrics.abtest.trial import Trial
from ludometrics.provenance import replication_streams
from ludometrics.simulation.ab_games import ABGames, simulate_ab
from ludometrics.simulation.ab_settings import ABSettings
from ludometrics.simulation.outcome_tables import Outcomes

#: Splits of the players sampled in each trial.
DRAWS = 999
#: How a design of the simulation deals versions, in the words of the analysis.
DEALT = {"hash": "hash", "names": "hash", "game": "game", "alternate": "alternate", "blocked": "blocked"}
#: What is counted of each method. Sums, so that blocks of replications can be added up.
SUMS = (
    "verdicts",  # trials with a verdict
    "differences",  # verdicts of a difference
    "right",  # of these, in the true direction
    "ranges",  # trials with a range and a verdict
    "covered",  # ranges that hold the true effect
    "width",  # sum of their widths
    "estimate",  # sum of estimates, of trials with a verdict
    "estimate_squared",
    "true_effect",  # sum of true effects of the same trials
    "found",  # sum of estimates, of verdicts of a difference
    "found_true",  # sum of true effects of the same trials
    "by_range",  # verdicts whose range leaves out zero
    "by_p",  # verdicts whose p-value is below 0.05
)


class Answer(NamedTuple):
    """What one method says of one trial.

    Attributes
    ----------
    decided : bool
        Whether it gives a verdict.
    different : int
        -1 B tougher, 1 B easier, 0 neither.
    estimate, low, high : float
    p : float
        nan where the method has none.
    truth : float
        True value of what the method estimates.
    """

    decided: bool
    different: int
    estimate: float
    low: float
    high: float
    p: float
    truth: float


#: A method that has nothing to go by.
SILENT = Answer(False, 0, *[math.nan] * 5)


def trial_of(games: ABGames, *, rows: np.ndarray | None = None) -> Trial:
    """Games of a simulated test as the analysis takes them.

    Parameters
    ----------
    games : ABGames
    rows : ndarray of bool, shape (n,), optional
        Games that count; without it all.

    Returns
    -------
    Trial
        Versions are recorded as they were dealt, so that none is misdealt.
    """
    p = len(games.types)
    kept = slice(None) if rows is None else rows
    player, variant = games.player[kept], games.variant[kept]
    names = tuple(str(number) for number in range(p))
    columns = (player, variant, games.score[kept], games.is_black[kept])
    none, recorded = np.empty((0, 3), dtype=np.int64), np.zeros(len(player), dtype=bool)
    return Trial(names, *columns, games.ratings, games.blocks, recorded, none)


def answer_naive(games: ABGames, *, rows: np.ndarray | None = None) -> Answer:
    """The course's analysis of a simulated test.

    Its truth is the mean effect over the games played.
    """
    kept = slice(None) if rows is None else rows
    difference, low, high, verdict = naive_range(games.score[kept], games.variant[kept])
    truth = games.effects[games.player[kept], games.is_black[kept].astype(np.int64)].mean()
    return Answer(verdict > 0, {1: -1, 2: 1}.get(verdict, 0), difference, low, high, math.nan, float(truth))


def answer_ours(
    games: ABGames, assignment: str, *, rows: np.ndarray | None = None, rng: np.random.Generator
) -> Answer:
    """The default analysis of a simulated test.

    Its truth is the mean effect over the players, within players over player and colour, by the information they give.
    """
    trial = trial_of(games, rows=rows)
    decision = decide(trial, assignment=DEALT[assignment], draws=DRAWS, rng=rng)
    effect, verdict = decision.estimation.effect, decision.verdict
    different = {"tougher": -1, "easier": 1}.get(verdict.code, 0)
    truth = true_effect(games, trial, decision)
    return Answer(
        verdict.decided,
        different,
        effect.estimate,
        effect.low,
        effect.high,
        decision.estimation.test.mid_p,
        truth,
    )


def true_effect(games: ABGames, trial: Trial, decision: Decision) -> float:
    """True value of what the default analysis estimates from a trial."""
    if decision.estimation.unit == "within":
        strata = gather_strata(trial.variant, trial.stratum)
        own = np.zeros(len(strata.n), dtype=np.int64)
        own[strata.index] = trial.stratum[strata.kept]
        effects = games.effects.ravel()[own]  # stratum: twice the player, and 1 for Black
        return float(effects @ strata.weights / strata.weights.sum()) if len(own) else math.nan
    rows = player_means(trial)
    effects = games.effects.mean(axis=1)[rows.player]
    return float(np.average(effects, weights=information(trial, rows, foretell(trial, rows))))


def add_up(answers: Sequence[Answer]) -> dict[str, float]:
    """Add up what a method said of many trials, as `SUMS` lists it.

    Examples
    --------
    >>> sums = add_up([Answer(True, 1, 0.1, 0.02, 0.18, 0.01, 0.0), Answer(False, 0, 0.3, -1.0, 1.0, 0.5, 0.0)])
    >>> sums["verdicts"], sums["differences"], sums["covered"], round(sums["width"], 2)
    (1, 1, 0, 0.16)
    """
    given = [answer for answer in answers if answer.decided]
    found = [answer for answer in given if answer.different]
    ranged = [answer for answer in given if not math.isnan(answer.low)]
    return {
        "verdicts": len(given),
        "differences": len(found),
        "right": sum(answer.different * answer.truth > 0.0 for answer in found),
        "ranges": len(ranged),
        "covered": sum(answer.low <= answer.truth <= answer.high for answer in ranged),
        "width": math.fsum(answer.high - answer.low for answer in ranged),
        "estimate": math.fsum(answer.estimate for answer in given),
        "estimate_squared": math.fsum(answer.estimate**2 for answer in given),
        "true_effect": math.fsum(answer.truth for answer in given),
        "found": math.fsum(answer.estimate for answer in found),
        "found_true": math.fsum(answer.truth for answer in found),
        "by_range": sum(answer.low > 0.0 or answer.high < 0.0 for answer in ranged),
        "by_p": sum(answer.p < 0.05 for answer in given),
    }


def simulate_with_rng(
    settings: ABSettings, outcomes: Outcomes, *, seed: int, first: int, count: int, progress: bool = False
) -> Iterator[tuple[ABGames, np.random.Generator]]:
    """Run a test again and again; the generator that comes along is for the analysis.

    Parameters
    ----------
    settings : ABSettings
    outcomes : Outcomes
    seed, first, count
        As in `replication_streams`.
    progress : bool

    Yields
    ------
    (ABGames, numpy.random.Generator)
    """
    streams = replication_streams(seed, first, count)
    label = f"{settings.assignment} {settings.players} {settings.truth}"
    for _, rng in tqdm(streams, total=count, desc=label, disable=not progress):
        yield simulate_ab(settings, outcomes, rng=rng), rng


def rate_methods(
    settings: ABSettings, outcomes: Outcomes, *, seed: int, first: int, count: int, progress: bool = False
) -> pd.DataFrame:
    """Count how the course's analysis and ours do in one design with one truth.

    Parameters
    ----------
    settings, outcomes, seed, first, count, progress
        As in `simulate_with_rng`.

    Returns
    -------
    DataFrame
        One row a method ("naive", "default"): method, replication (the first), trials, games (sum), and `SUMS`.
    """
    said: dict[str, list[Answer]] = {"naive": [], "default": []}
    n_games = 0
    for games, rng in simulate_with_rng(
        settings, outcomes, seed=seed, first=first, count=count, progress=progress
    ):
        n_games += len(games.player)
        said["naive"].append(answer_naive(games))
        said["default"].append(answer_ours(games, settings.assignment, rng=rng))
    rows = [
        {"method": method, "replication": first, "trials": count, "games": n_games, **add_up(answers)}
        for method, answers in said.items()
    ]
    return pd.DataFrame(rows)
