"""From a trial to a verdict: the estimate, the checks that can forbid one, and the rules."""

from numbers import Real
from typing import NamedTuple

import numpy as np

from ludometrics.abtest.estimation import Estimation, estimate
from ludometrics.abtest.quality import SampleRatio, check_split, two_versions
from ludometrics.abtest.randomisation import DRAWS
from ludometrics.abtest.trial import Trial
from ludometrics.abtest.verdicts import MARGIN, Facts, Verdict, give_verdict


class Decision(NamedTuple):
    """What a trial says.

    Attributes
    ----------
    estimation : Estimation
    split : SampleRatio
    verdict : Verdict
    """

    estimation: Estimation
    split: SampleRatio
    verdict: Verdict


def decide(
    trial: Trial,
    *,
    design: str | None = None,
    assignment: str | None = None,
    alpha: float = 0.05,
    margin: float = MARGIN,
    planned: int = 0,
    players_planned: int = 0,
    draws: int = DRAWS,
    rng: np.random.Generator,
) -> Decision:
    """Estimate the effect as the assignment asks and give the verdict; what `analyse` rests on.

    Parameters
    ----------
    trial : Trial
    design, assignment, draws, rng
        As in `estimation.estimate`.
    alpha : float
        Two-sided, 0 to 0.5; the range holds 1 - alpha.
    margin : float
        Difference of mean scores that is called small, above 0.
    planned : int
        Games that were planned, of all players together; 0 without a plan.
    players_planned : int
        Players that were planned, where versions are dealt to players; likewise.

    Returns
    -------
    Decision

    Raises
    ------
    ValueError
        As `estimation.estimate` and `verdicts.give_verdict`.

    Source
    ------
    Own.
    """
    if not isinstance(alpha, Real) or not 0.0 < alpha < 0.5:
        raise ValueError(f"alpha is {alpha!r}: it must lie between 0 and 0.5")
    result = estimate(trial, design=design, assignment=assignment, level=1.0 - alpha, draws=draws, rng=rng)
    split = check_split(trial, result)
    games = trial.games.sum(axis=0)
    facts = Facts(
        effect=result.effect,
        p=result.test.mid_p,
        players_a=result.players[0],
        players_b=result.players[1],
        games_a=int(games[0]),
        games_b=int(games[1]),
        alpha=alpha,
        margin=margin,
        split=split,
        two_versions=two_versions(trial, result),
        misdealt=trial.misdealt,
        done=int(games.sum()),
        planned=planned,
        players_done=int((trial.games.sum(axis=1) > 0).sum()),
        players_planned=players_planned,
        unit=result.unit,
    )
    return Decision(result, split, give_verdict(facts))
