"""Six checks of whether a group's ratings do what they say, each with an effect, its interval and one of four verdicts.

Intervals are those of a bootstrap over whole plays, of 99 %. A check is refuted only where its whole interval lies on
the wrong side, so that sound ratings rarely are; a group's log is often too small to support anything, and says so.
Two exceptions: retrodiction, which is in-sample, is refuted by a negative tau; and a premise (confidence, weight) is
refuted only where a bootstrap over games and a fit that allows for the ratings' certainty agree, since few games make
most plays, and a table that knows its game is one whose ratings are certain.

1. calibration: of forecasts of 70 % seven in ten come true: the slope of outcomes on forecasts is about 1.
2. discrimination: favourites win more than half of their pairs, and more surely the larger the gap.
3. convergence: a rating moves less for the same evidence as plays add up.
4. confidence: forecasts hold better at tables that know the game.
5. weight: forecasts hold better in games of much weight.
6. retrodiction: the final ratings agree with the results they are made of.
"""

import math
from typing import NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from ludometrics.boardgames.engine import RatedLog
from ludometrics.boardgames.factors import confidence_factor, weight_factor
from ludometrics.boardgames.judging import earlier_plays
from ludometrics.boardgames.retrodiction import Agreement, agreement_of_scores, agreement_of_wins
from ludometrics.evaluation import fit_logits, forecast_logits
from ludometrics.evaluation.bootstrap import percentile_ends, resample_sums

SUPPORTED, REFUTED, UNDECIDED, TOO_LITTLE = "supported", "refuted", "undecided", "too little data"
VERDICTS = (SUPPORTED, REFUTED, UNDECIDED, TOO_LITTLE)
COLUMNS = ("check", "question", "effect", "low", "high", "n", "verdict", "note")
QUESTIONS: dict[str, str] = {
    "calibration": "Do forecasts of 70 % come true in 70 %?",
    "discrimination": "Do favourites win, and more surely the larger the gap?",
    "convergence": "Do ratings move less for the same evidence as plays add up?",
    "confidence": "Do forecasts hold better at tables that know the game?",
    "weight": "Do forecasts hold better in games of much weight?",
    "retrodiction": "Do the final ratings agree with the results they are made of?",
    "retrodiction by wins": "Does the final order agree with the shares of wins?",
}
LEVEL = 0.99
#: Slopes that count as calibrated.
SLOPES = (0.67, 1.5)
#: Decisive pairs and plays with one, for the slope; plays alone for the favourites.
LEAST_PAIRS, LEAST_PLAYS = 300, 60
#: A player's beginning, what comes after it, and plays and players that it takes.
EARLY_PLAYS, SETTLED_FROM, LONG_PLAYS, LEAST_PLAYERS = 5, 15, 20, 3
#: Plays for the two premises, spread that C or W must have, and games that a bootstrap over games needs.
PREMISE_PLAYS, LEAST_SPREAD, LEAST_GAMES = 150, 0.03, 5
#: Chance of so much agreement by luck that supports the retrodiction.
LUCK = 0.05


class Check(NamedTuple):
    """One row of `run_checks`: an effect, its interval and independent units, what it means, and a note."""

    check: str
    question: str
    effect: float
    low: float
    high: float
    n: int
    verdict: str
    note: str


class Decisive(NamedTuple):
    """Decisive pairs of known people of whom one is the favourite, from its side, shape (k,) each.

    `play` is the place among the rated plays, `logit` that of the favourite's chance, `gap` of the two ratings in
    points, `deviation` that of their difference, `won` 1 or 0. `n_pairs` counts the decisive pairs without a favourite
    as well, `n_plays` their plays.
    """

    play: NDArray[np.int64]
    logit: NDArray[np.float64]
    gap: NDArray[np.float64]
    deviation: NDArray[np.float64]
    won: NDArray[np.float64]
    n_pairs: int
    n_plays: int


def run_checks(rated: RatedLog, *, replicates: int = 2000, rng: np.random.Generator) -> pd.DataFrame:
    """Run the six checks on a rated log.

    Parameters
    ----------
    rated : RatedLog
    replicates : int
        Of each bootstrap, at least 1; of the 99 % interval one in two hundred lie beyond each end.
    rng : numpy.random.Generator

    Returns
    -------
    DataFrame
        One row a check, with the columns `COLUMNS`. `n` counts plays, for retrodiction people. Without the gate, as
        in the preset `bgelo`, a seventh row has the author's own retrodiction, by shares of wins. A check below its
        size has no effect.

    Raises
    ------
    ValueError
        No replicates.

    Source
    ------
    What is checked: the author of bgelo. Statistics, sizes and verdicts own.
    """
    pairs = decisive_pairs(rated)
    streams = iter(rng.spawn(len(QUESTIONS)))
    rows = [
        check_calibration(pairs, replicates=replicates, rng=next(streams)),
        check_discrimination(pairs, replicates=replicates, rng=next(streams)),
        check_convergence(rated, replicates=replicates, rng=next(streams)),
        check_premise("confidence", rated, pairs, replicates=replicates, rng=next(streams)),
        check_premise("weight", rated, pairs, replicates=replicates, rng=next(streams)),
        check_retrodiction("retrodiction", rated, replicates=replicates, rng=next(streams)),
    ]
    if not rated.settings.gate:
        rows.append(
            check_retrodiction("retrodiction by wins", rated, replicates=replicates, rng=next(streams))
        )
    return pd.DataFrame(rows, columns=list(COLUMNS))


def exit_status(checks: pd.DataFrame) -> int:
    """Exit status of a command that ran the checks: 1 where one is refuted, else 0.

    Examples
    --------
    >>> [exit_status(pd.DataFrame({"verdict": [x]})) for x in (SUPPORTED, UNDECIDED, TOO_LITTLE, REFUTED)]
    [0, 0, 0, 1]
    """
    return int((checks["verdict"] == REFUTED).any())


def decisive_pairs(rated: RatedLog) -> Decisive:
    """Gather the pairs that the checks of forecasts are made on."""
    ratings = rated.ratings
    decisive = ratings.scored & (ratings.outcome != 0.5)
    logit = forecast_logits(ratings.forecast)
    rows = np.flatnonzero(decisive & (logit != 0.0))
    side = np.sign(logit[rows])
    first, second = ratings.pair_seats[rows].T
    return Decisive(
        play=ratings.pair_play[rows],
        logit=np.abs(logit[rows]),
        gap=np.abs(ratings.before[first] - ratings.before[second]),
        deviation=np.hypot(ratings.deviation_before[first], ratings.deviation_before[second]),
        won=0.5 + side * (ratings.outcome[rows] - 0.5),
        n_pairs=int(decisive.sum()),
        n_plays=len(np.unique(ratings.pair_play[decisive])),
    )


def check_calibration(pairs: Decisive, *, replicates: int, rng: np.random.Generator) -> Check:
    """Supported where the interval of the slope lies in `SLOPES`, refuted where it lies wholly outside."""
    if pairs.n_pairs < LEAST_PAIRS or pairs.n_plays < LEAST_PLAYS or not len(pairs.won):
        return _too_little(
            "calibration", pairs.n_plays, f"{LEAST_PAIRS} decisive pairs in {LEAST_PLAYS} plays", pairs
        )
    options = {"units": pairs.play, "replicates": replicates, "level": LEVEL}
    (slope,) = fit_logits(pairs.logit[:, None], pairs.won, **options, rng=rng)
    verdict = UNDECIDED
    if slope.low >= SLOPES[0] and slope.high <= SLOPES[1]:
        verdict = SUPPORTED
    elif slope.high < SLOPES[0] or slope.low > SLOPES[1]:
        verdict = REFUTED
    note = f"slope, 1 is calibrated; {pairs.n_pairs} decisive pairs"
    return Check("calibration", QUESTIONS["calibration"], *slope, verdict, note)


def check_discrimination(pairs: Decisive, *, replicates: int, rng: np.random.Generator) -> Check:
    """Supported where favourites win more than half and those of the largest third of gaps more than of the smallest.

    Refuted where they win less than half.
    """
    if pairs.n_plays < LEAST_PLAYS or not len(pairs.won):
        return _too_little("discrimination", pairs.n_plays, f"decisive pairs in {LEAST_PLAYS} plays", pairs)
    ends = np.quantile(pairs.gap, [1 / 3, 2 / 3])
    thirds = (pairs.gap <= ends[0]), (pairs.gap >= ends[1])
    columns = [np.ones(len(pairs.won)), *thirds]
    won = [column * pairs.won for column in columns]
    plays = np.unique(pairs.play, return_inverse=True)[1]
    sums = np.column_stack([np.bincount(plays, column) for column in (*won, *columns)])
    drawn = np.vstack([sums.sum(axis=0), resample_sums(sums, replicates=replicates, rng=rng)])
    shares = np.full((len(drawn), 3), np.nan)
    np.divide(drawn[:, :3], drawn[:, 3:], out=shares, where=drawn[:, 3:] > 0.0)
    shares[:, 1] = shares[:, 2] - shares[:, 1]
    low, high = percentile_ends(shares[1:, :2], len(sums), level=LEVEL)
    verdict = UNDECIDED
    if low[0] > 0.5 and low[1] > 0.0:
        verdict = SUPPORTED
    elif high[0] < 0.5:
        verdict = REFUTED
    note = (
        f"share of pairs won by the favourite; largest third of gaps less smallest {shares[0, 1]:+.3f} "
        f"[{low[1]:+.3f}, {high[1]:+.3f}]"
    )
    effect = float(shares[0, 0]), float(low[0]), float(high[0])
    return Check("discrimination", QUESTIONS["discrimination"], *effect, len(sums), verdict, note)


def check_convergence(rated: RatedLog, *, replicates: int, rng: np.random.Generator) -> Check:
    """Supported where players of many plays moved more at first, for the same evidence, refuted where they moved less.

    The effect is the mean of abs(change)/evidence over a player's plays 1 to `EARLY_PLAYS`, over that from play
    `SETTLED_FROM` on.
    """
    ratings, schedule = rated.ratings, rated.schedule
    long = np.append(ratings.plays >= LONG_PLAYS, False)[schedule.person]  # -1, a guest, is the last
    players, wanted = (
        int((ratings.plays >= LONG_PLAYS).sum()),
        f"{LEAST_PLAYERS} players of {LONG_PLAYS} rated plays",
    )
    if players < LEAST_PLAYERS:
        return _too_little("convergence", 0, f"{wanted}: there are {players}", None)
    earlier = earlier_plays(schedule)
    move = np.zeros(len(long))
    np.divide(
        np.abs(ratings.after - ratings.before), ratings.evidence, out=move, where=ratings.evidence > 0.0
    )
    known = long & (ratings.evidence > 0.0)
    parts = known & (earlier < EARLY_PLAYS), known & (earlier >= SETTLED_FROM - 1)
    plays = np.unique(schedule.play_of_seat[parts[0] | parts[1]], return_inverse=True)[1]
    rows = np.flatnonzero(parts[0] | parts[1])
    sums = np.column_stack(
        [
            np.bincount(plays, part[rows] * value)
            for part in parts
            for value in (move[rows], np.ones(len(rows)))
        ]
    )
    drawn = np.vstack([sums.sum(axis=0), resample_sums(sums, replicates=replicates, rng=rng)])
    above, below = drawn[:, 0] * drawn[:, 3], drawn[:, 2] * drawn[:, 1]
    ratio = np.full(len(drawn), np.nan)
    np.divide(above, below, out=ratio, where=below > 0.0)
    (low,), (high,) = percentile_ends(ratio[1:, None], len(sums), level=LEVEL)
    verdict = SUPPORTED if low > 1.0 else REFUTED if high < 1.0 else UNDECIDED
    note = f"moves of plays 1-{EARLY_PLAYS} over those from {SETTLED_FROM} on; {players} players"
    effect = float(ratio[0]), float(low), float(high)
    return Check("convergence", QUESTIONS["convergence"], *effect, len(sums), verdict, note)


def check_premise(
    name: str, rated: RatedLog, pairs: Decisive, *, replicates: int, rng: np.random.Generator
) -> Check:
    """Fit logit(chance that the favourite wins) = (b0 + b1 z) logit(forecast), z the factor standardised over plays.

    Supported where b1 is above 0. Refuted where it is below 0 three times: also with games as what is resampled, for
    few of them make most plays; and also where the slope may change with how uncertain the two ratings were, for
    familiarity grows as a log does, and so does the certainty of its ratings. The factor is taken as it would be,
    where it is switched off.
    """
    schedule, settings = rated.schedule, rated.settings
    if name == "confidence":
        factor = confidence_factor(schedule.familiarity, schedule.starts, settings)
    else:
        factor = np.asarray(weight_factor(schedule.complexity, schedule.skill, settings))
    plays = np.unique(pairs.play)
    spread = float(factor[plays].std()) if len(plays) else 0.0
    if pairs.n_plays < PREMISE_PLAYS or not spread > LEAST_SPREAD:
        wanted = f"{PREMISE_PLAYS} plays with decisive pairs, and a factor of standard deviation above {LEAST_SPREAD}"
        return _too_little(name, pairs.n_plays, f"{wanted}: it is {spread:.3f}", pairs)
    z = (factor[pairs.play] - factor[plays].mean()) / spread
    columns = np.column_stack([pairs.logit, pairs.logit * z])
    options = {"replicates": replicates, "level": LEVEL, "rng": rng}
    slope, more = fit_logits(columns, pairs.won, units=pairs.play, **options)
    by_game = fit_logits(columns, pairs.won, units=schedule.game[pairs.play], **options)[1]
    wrong = more.high < 0.0 and by_game.high < 0.0 and by_game.n >= LEAST_GAMES
    if wrong and np.ptp(pairs.deviation) > 0.0:
        unsure = pairs.logit * (pairs.deviation - pairs.deviation.mean()) / pairs.deviation.std()
        held = fit_logits(np.column_stack([columns, unsure]), pairs.won, units=pairs.play, **options)[1]
        wrong = held.high < 0.0
    note = (
        f"change of a slope of {slope.value:.2f} by one standard deviation; "
        f"by {by_game.n} games [{by_game.low:.3f}, {by_game.high:.3f}]"
    )
    verdict = SUPPORTED if more.low > 0.0 else REFUTED if wrong else UNDECIDED
    return Check(name, QUESTIONS[name], *more, verdict, note)


def check_retrodiction(name: str, rated: RatedLog, *, replicates: int, rng: np.random.Generator) -> Check:
    """Supported where so much agreement is luck with a chance below `LUCK`, refuted where it is below 0."""
    agree = agreement_of_wins if name == "retrodiction by wins" else agreement_of_scores
    found: Agreement | None = agree(rated, replicates=replicates, level=LEVEL, rng=rng)
    if found is None:
        return _too_little(name, 0, "5 people of 10 rated plays who differ", None)
    verdict = REFUTED if found.tau < 0.0 else SUPPORTED if found.luck < LUCK else UNDECIDED
    note = f"Kendall's tau-b of {found.n} people; by luck with a chance of {found.luck:.3g}{found.note}"
    return Check(name, QUESTIONS[name], found.tau, found.low, found.high, found.n, verdict, note)


def _too_little(name: str, n: int, wanted: str, pairs: Decisive | None) -> Check:
    has = f"; has {pairs.n_pairs} decisive pairs in {pairs.n_plays} plays" if pairs is not None else ""
    return Check(name, QUESTIONS[name], math.nan, math.nan, math.nan, n, TOO_LITTLE, f"needs {wanted}{has}")
