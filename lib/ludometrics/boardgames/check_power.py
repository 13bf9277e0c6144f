"""How often the six checks say what on groups whose truth is known, and on the same groups broken on purpose.

A check that never fires proves nothing, and one that fires on sound ratings is worse than none: both shares are
measured on many simulated groups (`ludometrics.simulation.board_night_checks`).
"""

from collections.abc import Mapping
from dataclasses import replace

import numpy as np
import pandas as pd

from ludometrics.boardgames.checks import REFUTED, VERDICTS
from ludometrics.boardgames.engine import RatedLog, rate_log
from ludometrics.boardgames.factors import weight_factor
from ludometrics.boardgames.records import Play, PlayLog
from ludometrics.boardgames.settings import EngineSettings
from ludometrics.boardgames.weights import GameWeight
from ludometrics.evaluation import share_interval

#: What is done to a group: nothing; results dealt out anew within each table; what is said of the games' weight dealt
#: out anew among them; games weighed the wrong way round; newcomers taken for four times as uncertain as is said.
VARIANTS = ("sound", "results shuffled", "weight shuffled", "weight reversed", "prior x4")
#: Name of the row that says how often any check is refuted.
ANY = "any"


def break_group(
    log: PlayLog,
    weights: Mapping[str, GameWeight],
    settings: EngineSettings,
    variant: str,
    *,
    rng: np.random.Generator,
) -> RatedLog:
    """Rate a group as it is ("sound") or broken in one of the ways of `VARIANTS`.

    Raises
    ------
    ValueError
        Another variant.
    """
    if variant not in VARIANTS:
        raise ValueError(f"variant is {variant!r}: allowed are {', '.join(map(repr, VARIANTS))}")
    if variant == "results shuffled":
        log = shuffle_results(log, rng=rng)
    elif variant == "weight shuffled":
        keys = sorted(weights)
        dealt = rng.permutation(len(keys))
        weights = {key: weights[keys[place]] for key, place in zip(keys, dealt, strict=True)}
    elif variant == "weight reversed":
        weights = reverse_weights(weights, settings)
    elif variant == "prior x4":
        settings = replace(settings, deviation=4.0 * settings.deviation)
    return rate_log(log, settings, weights=weights)


def shuffle_results(log: PlayLog, *, rng: np.random.Generator) -> PlayLog:
    """Deal the results of each play (rank, score, winner mark) out anew among its seats, so that nobody is better.

    Examples
    --------
    >>> from datetime import datetime
    >>> from ludometrics.boardgames.records import Seat
    >>> seats = (Seat("a", "9", winner=True), Seat("b", "7"))
    >>> log = PlayLog({}, {}, (Play("1", "g", datetime(2026, 9, 1), datetime(2026, 9, 1), seats),))
    >>> dealt = shuffle_results(log, rng=np.random.default_rng(2)).plays[0].seats
    >>> [(seat.person, seat.score) for seat in dealt]
    [('a', '9'), ('b', '7')]
    """
    return replace(log, plays=tuple(_shuffle(play, rng) for play in log.plays))


def reverse_weights(weights: Mapping[str, GameWeight], settings: EngineSettings) -> dict[str, GameWeight]:
    """Weigh games the wrong way round: the heaviest as the lightest, the most skilful as the luckiest.

    Examples
    --------
    >>> heavy = GameWeight(1.5, 5.0, 1.0, "complexity and skill")
    >>> reverse_weights({"g": heavy}, EngineSettings())["g"].weight
    0.5
    """
    turned = {}
    for key, one in weights.items():
        complexity, skill = 6.0 - one.complexity, 1.0 - one.skill
        weight = float(weight_factor(complexity, skill, settings)) if settings.use_weight else one.weight
        turned[key] = one._replace(weight=weight, complexity=complexity, skill=skill)
    return turned


def verdict_shares(checks: pd.DataFrame, *, level: float = 0.95) -> pd.DataFrame:
    """Share of groups in which each check gave each verdict, with Wilson's intervals.

    Parameters
    ----------
    checks : DataFrame
        Columns group, variant, check and verdict: `run_checks` of many groups, and what was done to each.
    level : float

    Returns
    -------
    DataFrame
        One row a variant, check and verdict, in the order of appearance and of `checks.VERDICTS`: variant, check,
        verdict, count, n groups, share, low, high. The check `ANY` has the groups in which some check is refuted.
    """
    some = checks.assign(verdict=checks["verdict"] == REFUTED).groupby(["variant", "group"], sort=False)[
        "verdict"
    ]
    refuted = some.any().reset_index()
    rows = []
    for variant in checks["variant"].unique():
        own = checks[checks["variant"] == variant]
        for name in own["check"].unique():
            verdicts = own.loc[own["check"] == name, "verdict"]
            rows += [(variant, name, one, int((verdicts == one).sum()), len(verdicts)) for one in VERDICTS]
        flags = refuted.loc[refuted["variant"] == variant, "verdict"]
        rows.append((variant, ANY, REFUTED, int(flags.sum()), len(flags)))
    table = pd.DataFrame(rows, columns=["variant", "check", "verdict", "count", "n"])
    shares = [
        share_interval(count, n, level=level) for count, n in zip(table["count"], table["n"], strict=True)
    ]
    return table.assign(
        share=[one.value for one in shares],
        low=[one.low for one in shares],
        high=[one.high for one in shares],
    )


def _shuffle(play: Play, rng: np.random.Generator) -> Play:
    dealt = [play.seats[place] for place in rng.permutation(len(play.seats))]
    seats = tuple(
        replace(seat, rank=other.rank, score=other.score, winner=other.winner)
        for seat, other in zip(play.seats, dealt, strict=True)
    )
    return replace(play, seats=seats)
