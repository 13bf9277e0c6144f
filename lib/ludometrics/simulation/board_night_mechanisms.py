"""When do a group's plays show that a mechanism of the engine helps? Tried on groups in which each is true or false.

Two things are told apart: what a mechanism does to the forecasts in truth, measured against the true chances of the
simulated plays, and what the group could see of it, by the log loss of its own results.
"""

from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from ludometrics.boardgames.ablation import MECHANISMS, Known, Mechanism, forecast_both
from ludometrics.boardgames.grid import IN_USE, KNOBS, Knob, one_at_a_time
from ludometrics.boardgames.judging import ScoredPairs, play_means
from ludometrics.boardgames.settings import EngineSettings
from ludometrics.evaluation import (
    Estimate,
    cluster_interval,
    cluster_intervals,
    give_verdict,
    log_loss,
    share_interval,
)
from ludometrics.simulation.board_night_groups import groups_of, replays_of
from ludometrics.simulation.board_night_truth import excess, shared_pairs, true_chances
from ludometrics.simulation.boardgame_groups import SimulatedGroup
from ludometrics.simulation.boardgame_worlds import GroupWorld

#: Plays after which a group looks at its own ablation.
SIZES = (150, 300, 600, 1200, 2400)
SEEN = ("helps", "neutral", "hurts", "undecided")


def try_mechanisms(
    world: GroupWorld,
    base: EngineSettings,
    *,
    sizes: Sequence[int] = SIZES,
    mechanisms: Sequence[Mechanism] = MECHANISMS,
    seed: int,
    first: int,
    count: int,
    replicates: int = 1000,
    progress: bool = True,
) -> pd.DataFrame:
    """Ablate every mechanism in groups whose truth is known, as the groups get older.

    Parameters
    ----------
    world : GroupWorld
        Its plays are the largest of the sizes.
    base : EngineSettings
    sizes : sequence of int
        Plays after which the group looks.
    mechanisms : sequence of Mechanism
    seed, first, count
        Replications `first` to `first + count - 1` of the study's seed.
    replicates : int
        Of the bootstrap over a group's plays.
    progress : bool

    Returns
    -------
    DataFrame
        One row a replication, mechanism and number of plays: `truth`, the mean excess of the forecasts over the truth
        with the mechanism less without it (nats a play, below 0: it helps); `seen`, the same of the log losses of the
        results, with its 95 % interval `seen_low`, `seen_high` and `verdict`; `n` plays compared.
    """
    rows = []
    for number, group, rng in groups_of(
        world, plays=max(sizes), seed=seed, first=first, count=count, progress=progress
    ):
        replays = replays_of(group, base)
        known: Known = {}
        for mechanism in mechanisms:
            both = forecast_both(replays, base, mechanism, known, shuffles=1, rng=rng)
            play, truth, seen = _differences(group, *both.values())
            for size in sizes:
                own = play < size
                looked = cluster_interval(seen[own], None, replicates=replicates, rng=rng)
                verdict = give_verdict(looked.low, looked.high)
                rows.append(
                    (number, mechanism.name, size, truth[own].mean(), *looked[:3], verdict, own.sum())
                )
    names = ["replication", "mechanism", "plays", "truth", "seen", "seen_low", "seen_high", "verdict", "n"]
    return pd.DataFrame(rows, columns=names)


def _differences(
    group: SimulatedGroup, with_it: ScoredPairs, without: ScoredPairs
) -> tuple[NDArray[np.int64], NDArray[np.float64], NDArray[np.float64]]:
    """Plays, and of each what a mechanism changes in truth and in the results, on the pairs that both forecast."""
    with_it, without = shared_pairs(with_it, without)
    kept, chance = true_chances(group, with_it)
    other = without.only(with_it.outcome != 0.5)
    truth = excess(kept, chance) - excess(other, chance)
    seen = log_loss(kept.forecast, kept.outcome) - log_loss(other.forecast, other.outcome)
    return np.unique(kept.play), truth, play_means(kept.play, seen)


def mechanisms_table(trials: pd.DataFrame, *, rng: np.random.Generator) -> pd.DataFrame:
    """What each mechanism does in truth, and how often a group of so many plays would see it.

    Parameters
    ----------
    trials : DataFrame
        As `try_mechanisms` gives it.
    rng : numpy.random.Generator
        Of the bootstrap over groups.

    Returns
    -------
    DataFrame
        One row a mechanism and number of plays: mean `truth` with `low`, `high` (95 %, over groups) and its `verdict`;
        shares of the groups that see it `helps`, `neutral`, `hurts`, `undecided`, the first and third with 95 %
        intervals (Wilson); the share in which forecasts with it lost more (`worse`); `n` groups.
    """
    rows = []
    for (mechanism, plays), part in trials.groupby(["mechanism", "plays"], sort=False):
        truth = cluster_interval(part["truth"].to_numpy(), None, rng=rng)
        row: dict[str, object] = {"mechanism": mechanism, "plays": plays}
        row |= {"truth": truth.value, "low": truth.low, "high": truth.high}
        row["verdict"] = give_verdict(truth.low, truth.high)
        for verdict in SEEN:
            share = share_interval(int((part["verdict"] == verdict).sum()), len(part))
            row[verdict] = share.value
            if verdict in ("helps", "hurts"):
                row |= {f"{verdict}_low": share.low, f"{verdict}_high": share.high}
        row["worse"] = float((part["seen"] > 0.0).mean())
        rows.append(row | {"n": len(part)})
    return pd.DataFrame(rows)


def try_numbers(
    world: GroupWorld,
    base: EngineSettings,
    *,
    plays: int,
    knobs: Sequence[Knob] = KNOBS,
    seed: int,
    first: int,
    count: int,
    progress: bool = True,
) -> pd.DataFrame:
    """Try every number of the engine in groups whose truth is known, one at a time.

    Parameters
    ----------
    world : GroupWorld
    base : EngineSettings
    plays : int
        Of each group.
    knobs : sequence of Knob
    seed, first, count, progress
        As in `try_mechanisms`.

    Returns
    -------
    DataFrame
        One row a setting: `knob`, `value`, `source` of the constant, mean `excess` over the truth (nats a play) and its
        paired `difference` from the base with `low`, `high` (95 %, over groups), `verdict`, `n` groups. The first row
        is the base (`grid.IN_USE`).
    """
    candidates = one_at_a_time(base, knobs)
    losses = []
    for _, group, _rng in groups_of(
        world, plays=plays, seed=seed, first=first, count=count, progress=progress
    ):
        replays = replays_of(group, base)
        pairs = [replays.pairs(one.settings) for one in candidates]
        losses.append([excess(*true_chances(group, one)).mean() for one in [replays.pairs(base), *pairs]])
    table = np.array(losses)
    rng = np.random.default_rng([seed, first])
    differences = cluster_intervals(table[:, 1:] - table[:, :1], None, rng=rng)
    rows = [_number(IN_USE, "all", "", table[:, 0].mean(), Estimate(0.0, 0.0, 0.0, len(table)))]
    for place, (one, difference) in enumerate(zip(candidates, differences, strict=True), start=1):
        rows.append(_number(one.knob, one.value, one.source, table[:, place].mean(), difference))
    return pd.DataFrame(rows)


def _number(knob: str, value: str, source: str, mean: float, difference: Estimate) -> Mapping[str, object]:
    row = {"knob": knob, "value": value, "source": source, "excess": mean, "difference": difference.value}
    verdict = give_verdict(difference.low, difference.high)
    return row | {"low": difference.low, "high": difference.high, "verdict": verdict, "n": difference.n}
