"""Whether the data can be believed: split, versions as dealt, exposure, colours, and who carries the games."""

import math
from typing import NamedTuple

import numpy as np
import pandas as pd
from scipy import stats

from ludometrics.abtest.estimation import Estimation, player_means
from ludometrics.abtest.layout import counted
from ludometrics.abtest.permutation import deal_players
from ludometrics.abtest.trial import Trial, find_unit

#: Below this many, an even split is judged by the binomial itself, not by chi-square.
EXACT_BELOW = 1_000
#: p below which a split is no accident.
SAMPLE_RATIO_ALPHA = 0.001
#: Share of games whose version may differ from the one recorded before play.
MISDEALT_SHARE = 0.01
#: p below which exposure or colours are called uneven.
WARN_ALPHA = 0.01
#: Effective number of players below which a group hangs on few.
FEW_EFFECTIVE = 10.0


class SampleRatio(NamedTuple):
    """How evenly versions were dealt.

    Attributes
    ----------
    n_a, n_b : int
    p : float
        Of a split at least as uneven, were it even; nan where the design leaves nothing to chance.
    statistic : float
        Chi-square with one degree of freedom.
    what : str
        What was dealt: "players" or "games".
    """

    n_a: int
    n_b: int
    p: float
    statistic: float
    what: str = "players"


NO_SPLIT = SampleRatio(0, 0, math.nan, math.nan)


def sample_ratio(n_a: int, n_b: int, *, share_b: float = 0.5, what: str = "players") -> SampleRatio:
    """Check that the groups have the sizes that were meant.

    Parameters
    ----------
    n_a, n_b : int
        What was dealt: players, never games of players who were dealt once.
    share_b : float
        Share meant for B, between 0 and 1.
    what : str

    Returns
    -------
    SampleRatio
        p by the binomial below 1,000 in all, else by chi-square.

    Raises
    ------
    ValueError
        Negative or no counts, a share outside 0 to 1.

    Source
    ------
    Fabijan et al., KDD 2019.

    Examples
    --------
    >>> split = sample_ratio(821_588, 815_482)
    >>> round(split.statistic, 3), f"{split.p:.4e}"
    (22.774, '1.8218e-06')
    >>> round(sample_ratio(3, 5).p, 4)
    0.7266
    """
    if min(n_a, n_b) < 0 or n_a + n_b == 0 or not 0.0 < share_b < 1.0:
        raise ValueError(f"a split of {n_a} and {n_b} at a share of {share_b}: counts, and a share in (0, 1)")
    n = n_a + n_b
    statistic, p = stats.chisquare([n_a, n_b], [n * (1.0 - share_b), n * share_b])
    if n < EXACT_BELOW:
        p = stats.binomtest(n_b, n, share_b).pvalue
    return SampleRatio(int(n_a), int(n_b), float(p), float(statistic), what)


def check_split(trial: Trial, result: Estimation) -> SampleRatio:
    """Check the split of whatever was dealt by chance: players between, games where each was drawn.

    Parameters
    ----------
    trial : Trial
    result : Estimation

    Returns
    -------
    SampleRatio
        `NO_SPLIT` for designs that balance by themselves (blocked, alternate).
    """
    if result.assignment == "hash":
        # All who began a game: those who left every game unfinished were dealt a version too.
        begun = trial.started[trial.started.sum(axis=1) > 0]
        in_b = int((begun[:, 1] > begun[:, 0]).sum())
        return sample_ratio(len(begun) - in_b, in_b)
    if result.assignment == "game":
        # Of players who met both: where some were dealt a version for good, their games are no coins.
        games = trial.games
        both = (games > 0).all(axis=1)
        begun = trial.started[both].sum(axis=0)
        return sample_ratio(int(begun[0]), int(begun[1]), what="games") if both.any() else NO_SPLIT
    return NO_SPLIT


def two_versions(trial: Trial, result: Estimation) -> int:
    """Players with games of both versions in a design that gives each player one."""
    return find_unit(trial).in_both if result.unit == "between" else 0


def effective_players(games: np.ndarray) -> float:
    """Number of players who, playing equally often, would carry as much: 1 / sum of squared shares.

    Examples
    --------
    >>> effective_players(np.array([10, 10, 0]))
    2.0
    """
    total = float(np.sum(games))
    return 1.0 / float(np.sum((games / total) ** 2)) if total > 0.0 else 0.0


def quality_table(trial: Trial, result: Estimation, *, rng: np.random.Generator) -> pd.DataFrame:
    """Gather all checks of the data.

    Parameters
    ----------
    trial : Trial
    result : Estimation
    rng : numpy.random.Generator
        For dealing players again in the check of exposure.

    Returns
    -------
    DataFrame
        One row a check: check, finding (in words), p (nan where there is none), status: "sound", "look" (a reader
        should know) or "unsound" (no verdict).
    """
    split = check_split(trial, result)
    rows = []
    if not math.isnan(split.p):
        status = "unsound" if split.p < SAMPLE_RATIO_ALPHA else "sound"
        rows.append(("split", f"{split.n_a} {split.what} in A, {split.n_b} in B", split.p, status))
    rows += [_versions(trial, result), _recorded(trial), _exposure(trial, result, rng), _finished(trial)]
    rows += [_colours(trial), *_carried(trial)]
    return pd.DataFrame([row for row in rows if row], columns=["check", "finding", "p", "status"])


def _versions(trial: Trial, result: Estimation) -> tuple | None:
    unit = find_unit(trial)
    both = f"{unit.in_both} of {unit.players} players met both versions"
    if result.unit == "between":
        return ("versions", both, math.nan, "unsound" if unit.in_both else "sound")
    if unit.mixed:
        both += "; only they count"
    return ("versions", both, math.nan, "look" if unit.mixed else "sound")


def _recorded(trial: Trial) -> tuple:
    n = len(trial.score)
    if trial.misdealt is None:
        return ("recorded", "versions were not recorded before play", math.nan, "look")
    status = "sound" if trial.misdealt == 0 else "unsound" if trial.misdealt > MISDEALT_SHARE * n else "look"
    return ("recorded", f"{trial.misdealt} of {n} games with another version than recorded", math.nan, status)


def _exposure(trial: Trial, result: Estimation, rng: np.random.Generator) -> tuple | None:
    """Between players: did those with B play as much as those with A? Matching may decide who plays on."""
    if result.unit != "between":
        return None
    rows = player_means(trial)
    games = [rows.games[rows.variant == version] for version in (0, 1)]
    if not min(map(len, games)):
        return ("exposure", "one group is empty", math.nan, "look")
    p = deal_players(rows.games, rows.variant, rng=rng).p
    words = f"{games[0].mean():.1f} games a player in A, {games[1].mean():.1f} in B"
    return ("exposure", words, p, "look" if p < WARN_ALPHA else "sound")


def _finished(trial: Trial) -> tuple:
    begun, done = trial.started.sum(axis=0), trial.games.sum(axis=0)
    left = begun - done
    if not left.sum():
        return ("unfinished", "no game was left unfinished", math.nan, "sound")
    words = f"{left[0]:.0f} of {begun[0]} in A, {left[1]:.0f} of {begun[1]} in B left unfinished"
    p = math.nan
    if begun.min() > 0:
        p = float(stats.fisher_exact([[left[0], done[0]], [left[1], done[1]]]).pvalue)
    return ("unfinished", words, p, "look" if p < WARN_ALPHA else "sound")


def _colours(trial: Trial) -> tuple:
    if trial.is_black is None:
        return ("colours", "colours are not known", math.nan, "look")
    table = np.zeros((2, 2), dtype=np.int64)
    np.add.at(table, (trial.variant, trial.is_black.astype(np.int64)), 1)
    if not table.sum(axis=1).all():
        return ("colours", "one group is empty", math.nan, "look")
    shares = 100.0 * table[:, 1] / table.sum(axis=1)
    p = float(stats.fisher_exact(table).pvalue)
    words = f"players had Black in {shares[0]:.0f} % of A's games, {shares[1]:.0f} % of B's"
    return ("colours", words, p, "look" if p < WARN_ALPHA else "sound")


def _carried(trial: Trial) -> list[tuple]:
    rows = []
    for version, name in enumerate("AB"):
        games = trial.games[:, version]
        if not games.sum():
            continue
        top = int(games.argmax())
        effective, players = effective_players(games), int((games > 0).sum())
        few = effective < FEW_EFFECTIVE or effective < players / 2.0
        words = (
            f"{counted(players, 'player')} weigh{'s' * (players == 1)} as {effective:.1f}; most games: "
            f"{trial.names[top]}, {100.0 * games[top] / games.sum():.0f} %"
        )
        rows.append((f"carried {name}", words, math.nan, "look" if few else "sound"))
    return rows
