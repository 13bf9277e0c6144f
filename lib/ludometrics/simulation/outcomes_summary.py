"""The table of outcomes, joined over seeds, and what it says of the versions of the level under test."""

from typing import NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from ludometrics.evaluation import mean_interval
from ludometrics.evaluation.intervals import NORMAL_95
from ludometrics.simulation.outcome_tables import (
    COUNTS,
    COURSE_TYPES,
    LEVEL_VERSIONS,
    TYPES,
    VERSIONS,
    Outcomes,
    level_text,
    load_outcomes,
    true_scores,
    version_index,
)
from ludometrics.simulation.presets import COURSE_PLAYERS

#: Sets of players whose mean is given: the course's eight, and one of each type.
GROUPS: dict[str, tuple[int, ...]] = {"course": COURSE_TYPES, "types": tuple(range(len(TYPES)))}
NO_PLAYER = "-"


def join_outcomes(outcomes: pd.DataFrame) -> pd.DataFrame:
    """Add up the games of the seeds.

    Parameters
    ----------
    outcomes : DataFrame
        Tables of `measure_outcomes` under one another.

    Returns
    -------
    DataFrame
        black, white, wins, draws, losses, n.

    Examples
    --------
    >>> row = {"black": "1,0.5", "white": "2,0", "wins": 1, "draws": 0, "losses": 3, "n": 4}
    >>> join_outcomes(pd.DataFrame([row, row]))["n"].tolist()
    [8]

    Source
    ------
    Own.
    """
    return outcomes.groupby(["black", "white"], as_index=False)[COUNTS].sum()


def type_effects(outcomes: pd.DataFrame) -> pd.DataFrame:
    """True scores of each type against versions A and B, colours at equal weight, and their difference.

    Parameters
    ----------
    outcomes : DataFrame
        Of `join_outcomes`, with all pairs of `needed_pairs`.

    Returns
    -------
    DataFrame
        One row a type and truth: type (``depth,chance``), player (of the course; "-" for others), truth, score_a,
        score_b, effect (B less A), each in [0, 1] or [-1, 1] and with its 95 % interval in _low and _high, n (games
        behind the effect). Where B is the same as A the effect is 0.

    Raises
    ------
    ValueError
        As `load_outcomes`.

    Source
    ------
    Own. The variance of a score is that of win, draw and loss, each count raised by one half (Jeffreys), so that an
    interval has a width where all games ended alike.
    """
    means, errors, games = _measured(outcomes)
    a = version_index("none")
    players = {at: name for (name, _), at in zip(COURSE_PLAYERS, COURSE_TYPES, strict=True)}
    rows = []
    for at, level in enumerate(TYPES):
        for truth in VERSIONS:
            b = version_index(truth)
            error = float(np.hypot(errors[at, a], errors[at, b])) if b != a else 0.0
            n = int(games[at, a] + games[at, b]) if b != a else int(games[at, a])
            names = (level_text(level), players.get(at, NO_PLAYER), truth)
            numbers = (
                *_interval(means[at, a], errors[at, a], 0.0),
                *_interval(means[at, b], errors[at, b], 0.0),
                *_interval(means[at, b] - means[at, a], error, -1.0),
            )
            rows.append((*names, *numbers, n))
    measures = [f"{name}{end}" for name in ("score_a", "score_b", "effect") for end in ("", "_low", "_high")]
    return pd.DataFrame(rows, columns=["type", "player", "truth", *measures, "n"])


def group_effects(outcomes: pd.DataFrame) -> pd.DataFrame:
    """Mean scores, mean effect and intraclass correlation in each set of players, the seeds held apart.

    Parameters
    ----------
    outcomes : DataFrame
        Tables of `measure_outcomes` under one another, with a column seed.

    Returns
    -------
    DataFrame
        One row a set ("course": the eight; "types": the 24) and truth: players, truth, score_a, score_b, effect, icc
        (of the scores against version B, each player with as many games), draws (share of games against B), each with
        its 95 % interval (Student over the seeds; none for one seed), n (seeds).

    Raises
    ------
    ValueError
        As `load_outcomes`.

    Source
    ------
    Own; `scores_correlation`.
    """
    measured = []
    for seed, table in outcomes.groupby("seed"):
        _, errors, _ = _measured(table)
        loaded = load_outcomes(table)
        scores = true_scores(loaded).mean(axis=2)
        drawn = (loaded.against[..., 1] - loaded.against[..., 0]).mean(axis=2)
        for group, members in GROUPS.items():
            own, a = list(members), version_index("none")
            for truth in VERSIONS:
                b = version_index(truth)
                numbers = (
                    scores[own, a].mean(),
                    scores[own, b].mean(),
                    (scores[own, b] - scores[own, a]).mean(),
                )
                icc = scores_correlation(loaded, members, b, errors[own, b])
                measured.append((seed, group, truth, *map(float, numbers), icc, float(drawn[own, b].mean())))
    names = ["score_a", "score_b", "effect", "icc", "draws"]
    frame = pd.DataFrame(measured, columns=["seed", "players", "truth", *names])
    rows = []
    for key, values in frame.groupby(["players", "truth"], sort=False):
        row = dict(zip(("players", "truth"), key, strict=True))
        for name in names:
            row |= dict(zip((name, f"{name}_low", f"{name}_high"), _over_seeds(values[name]), strict=True))
        rows.append(row | {"n": len(values)})
    return pd.DataFrame(rows)


def scores_correlation(
    outcomes: Outcomes, members: tuple[int, ...], level: int, errors: NDArray[np.float64] | None = None
) -> float:
    """Intraclass correlation of the scores of some players against a level, all with as many games.

    The variance between players over the sum of it and the mean variance within one; colours are drawn at random.

    Parameters
    ----------
    outcomes : Outcomes
    members : tuple of int
        Indices into `TYPES`, at least two.
    level : int
        Index into `LEVEL_VERSIONS`.
    errors : ndarray, shape (len(members),), optional
        Standard errors of the scores, whose squares are taken off the variance between players.

    Returns
    -------
    float
        At most 1.

    Examples
    --------
    >>> against = np.zeros((24, 5, 2, 2))
    >>> against[12:] = 1.0  # half of the types always win, the others always lose
    >>> scores_correlation(Outcomes(against, np.zeros((24, 24, 2))), tuple(range(24)), 1)
    1.0

    Source
    ------
    Fisher, Statistical Methods for Research Workers (1925), by the one-way analysis of variance.
    """
    own = outcomes.against[list(members), level]
    score, variance = _moments(own)
    between = score.mean(axis=1).var(ddof=1) - (0.0 if errors is None else np.mean(errors**2))
    within = np.mean(variance.mean(axis=1) + (score[:, 1] - score[:, 0]) ** 2 / 4)
    return float(between / (between + within))


class _Measured(NamedTuple):
    """Scores of types against levels, colours at equal weight: (24, 5) means, standard errors and games."""

    means: NDArray[np.float64]
    errors: NDArray[np.float64]
    games: NDArray[np.int64]


def _measured(outcomes: pd.DataFrame) -> _Measured:
    loaded = load_outcomes(outcomes)
    counted = outcomes.set_index(["black", "white"])["n"].to_dict()
    types, levels = map(level_text, TYPES), list(map(level_text, LEVEL_VERSIONS.values()))
    games = np.array([[[counted[b, a], counted[a, b]] for b in levels] for a in types])
    # Half a game more of each result.
    won, held = (loaded.against[..., at] * games for at in (0, 1))
    raised = np.stack([won + 0.5, held + 1.0], axis=-1) / (games + 1.5)[..., None]
    errors = np.sqrt(np.sum(_moments(raised)[1] / games, axis=-1)) / 2
    return _Measured(true_scores(loaded).mean(axis=2), errors, games.sum(axis=-1))


def _moments(chances: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Mean and variance of a score from the chances of a win, and of a win or a draw."""
    mean = chances.mean(axis=-1)
    return mean, np.maximum(0.0, 0.75 * chances[..., 0] + 0.25 * chances[..., 1] - mean**2)


def _interval(value: float, error: float, low: float) -> tuple[float, float, float]:
    half = NORMAL_95 * error
    return float(value), max(low, float(value - half)), min(1.0, float(value + half))


def _over_seeds(values: pd.Series) -> tuple[float, float, float]:
    if len(values) < 2:
        return float(values.iloc[0]), np.nan, np.nan
    return mean_interval(values.to_numpy())[:3]
