"""Weng and Lin's update of ratings by whole finishing orders: a table of many is rated as one event.

A play of n players of ratings mu and deviations sigma is a sequence of n - 1 choices of the next in order, each made
with probabilities in the ratio of exp(mu/c), c^2 = sum of (sigma^2 + beta^2): the model of Plackett and Luce. One step
of moment matching after the play gives the new mu and sigma in closed form.
"""

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import expit, ndtr

from ludometrics.ratings.checks import (
    carry_on,
    carry_on_games,
    check_blocks,
    check_fields,
    check_log,
    check_times,
)
from ludometrics.ratings.weng_lin_loops import (
    LACKS_PAIR,
    PAIR_TWICE,
    find_seats,
    find_seats_plain,
    plain,
    tables,
)

__all__ = ["WengLinRecord", "WengLinSettings", "expected_score", "replay", "update"]

MODELS = ("plackett-luce", "bradley-terry")
#: In the order of the numbers that the loops know them by.
FORECASTS = ("pair", "table", "normal")
CURVES = ("logistic", "normal")


@dataclass(frozen=True)
class WengLinSettings:
    """The prior, the noise of a play and the model of a finishing order.

    The defaults are those of openskill times 42: a start deviation of 350 in place of 25/3, beta half and tau a
    hundredth of it. Multiply start, start_deviation, beta and tau by one number, and all ratings are multiplied by it.

    Attributes
    ----------
    start : float
        Rating of a newcomer, points.
    start_deviation : float
        Deviation of a newcomer, points, above 0.
    beta : float
        Standard deviation of what one player shows in one play, points, above 0. The smaller, the more a play
        teaches. Points mean what they mean in Elo where beta is 400/(ln(10) sqrt(2)) = 122.8.
    tau : float
        Points, at least 0: tau^2 is added to the variance of each player before each of their plays.
    kappa : float
        Least share of a variance that is left after a play, in (0, 1].
    model : {"plackett-luce", "bradley-terry"}
        How a finishing order comes about: by choices of the next in order, or as a duel of each with every other
        (full pairing).
    forecast : {"pair", "table", "normal"}
        How pairs are forecast; ratings do not depend on it. "pair" is `expected_score`. "table" has the c of the whole
        play in it, as the update of Plackett-Luce has: the same in a duel, nearer to even at a larger table. "normal"
        is the normal curve of openskill's predict_win, too sure of itself for ratings that are learned on a logistic
        curve.
    """

    start: float = 1500.0
    start_deviation: float = 350.0
    beta: float = 175.0
    tau: float = 3.5
    kappa: float = 1e-4
    model: str = "plackett-luce"
    forecast: str = "pair"

    def __post_init__(self) -> None:
        check_fields(self, at_least_0=("tau",), above_0=("start_deviation", "beta", "kappa"))
        if self.kappa > 1:
            raise ValueError(f"kappa is {self.kappa:g}: it must be at most 1")
        for name, allowed in (("model", MODELS), ("forecast", FORECASTS)):
            if getattr(self, name) not in allowed:
                raise ValueError(f"{name} is {getattr(self, name)!r}: it must be one of {', '.join(allowed)}")


@dataclass(frozen=True)
class WengLinRecord:
    """Ratings and deviations after a replay.

    Attributes
    ----------
    ratings : ndarray, shape (m,)
        Points: mu of the source.
    variances : ndarray, shape (m,)
        Squares of the deviations, stored so that a replay that is carried on gives the bits of one that was not
        interrupted.
    games : ndarray of int64, shape (m,)
        Plays, those of an earlier record included; a play of many counts once.
    last_times : ndarray, shape (m,)
        Day of the last play, 0 without times; NaN before the first.
    forecasts : ndarray, shape (n,)
        Expected score of the first player of each pair before its play.
    """

    ratings: NDArray[np.float64]
    variances: NDArray[np.float64]
    games: NDArray[np.int64]
    last_times: NDArray[np.float64]
    forecasts: NDArray[np.float64]

    @property
    def deviations(self) -> NDArray[np.float64]:
        """Deviations (m,) in points as of the player's last play: sigma of the source."""
        return np.sqrt(self.variances)


def expected_score(
    rating: ArrayLike,
    opponent: ArrayLike,
    deviation: ArrayLike = 0.0,
    opponent_deviation: ArrayLike = 0.0,
    *,
    beta: float = 175.0,
    curve: str = "logistic",
) -> NDArray[np.float64] | float:
    """Mean score to be expected of two: exp(mu_i/c) / (exp(mu_i/c) + exp(mu_j/c)), c^2 = s_i^2 + s_j^2 + 2 beta^2.

    The normal curve is Phi((mu_i - mu_j)/c). Ties count half, so where there are any it is no probability of winning.

    Parameters
    ----------
    rating, opponent : float or array_like
        Points; arrays broadcast.
    deviation, opponent_deviation : float or array_like
        Points, at least 0.
    beta : float
        As in `WengLinSettings`.
    curve : {"logistic", "normal"}

    Returns
    -------
    float or ndarray
        In [0, 1].

    Source
    ------
    Weng and Lin, Journal of Machine Learning Research 12 (2011) 267-300, Algorithm 1: its p_iq.

    Examples
    --------
    >>> round(expected_score(1850, 1500, 50, 50), 4), round(expected_score(1850, 1500, 50, 50, curve="normal"), 4)
    (0.7957, 0.9131)
    """
    if curve not in CURVES:
        raise ValueError(f"curve is {curve!r}: it must be one of {', '.join(CURVES)}")
    spread = np.square(np.asarray(deviation, float)) + np.square(np.asarray(opponent_deviation, float))
    gap = np.asarray(rating, dtype=np.float64) - np.asarray(opponent, dtype=np.float64)
    x = gap / np.sqrt(spread + 2.0 * beta**2)
    score = np.asarray(expit(x) if curve == "logistic" else ndtr(x))
    return score if score.ndim else float(score)


def update(
    ratings: ArrayLike, deviations: ArrayLike, ranks: ArrayLike, *, settings: WengLinSettings | None = None
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Ratings and deviations of the players of one table after it.

    Plackett-Luce: with S_q the sum of exp(mu/c) over all placed as q or lower, A_q the number placed as q,
    p_iq = exp(mu_i/c)/S_q, and q running over all placed as i or higher:
    mu' = mu + s^2/c (1/A_i - sum of p_iq/A_q) and s'^2 = s^2 max(1 - (s/c)(s/c)^2 sum of p_iq (1 - p_iq)/A_q, kappa).
    The first s/c is gamma, which the paper leaves to be chosen; s is taken after tau^2 was added to its square.

    Parameters
    ----------
    ratings, deviations : array_like, shape (k,)
        Before the play, points; two players or more.
    ranks : array_like, shape (k,)
        Place in the finishing order; the lower the better, equal ones are a tie.
    settings : WengLinSettings, optional

    Returns
    -------
    ratings, deviations : ndarray, shape (k,)

    Raises
    ------
    ValueError
        Arrays of different length, fewer than two players, a rank that is not finite.

    Source
    ------
    Weng and Lin (2011), Algorithm 4; Algorithm 1 for "bradley-terry". gamma, tau and kappa as in openskill 6.2.0.

    Examples
    --------
    >>> ratings, deviations = update([1500, 1500, 1500], [350, 350, 350], [1, 2, 2])
    >>> ratings.round(2).tolist(), deviations.round(2).tolist()
    ([1620.5, 1439.75, 1439.75], [344.62, 338.45, 338.45])
    """
    ranks = np.atleast_1d(np.asarray(ranks, dtype=np.float64))
    if len(ranks) < 2 or not np.isfinite(ranks).all():
        raise ValueError(f"ranks are {ranks.tolist()}: they must be two or more finite numbers")
    first, second = np.triu_indices(len(ranks), 1)
    outcomes = 0.5 + 0.5 * np.sign(ranks[second] - ranks[first])
    record = replay(
        np.column_stack([first, second]),
        outcomes,
        plays=np.zeros(len(first), dtype=np.int64),
        settings=settings,
        ratings=ratings,
        deviations=deviations,
    )
    return record.ratings, record.deviations


def replay(
    pairs: ArrayLike,
    outcomes: ArrayLike,
    *,
    plays: ArrayLike | None = None,
    settings: WengLinSettings | None = None,
    n_players: int | None = None,
    times: ArrayLike | None = None,
    ratings: ArrayLike | None = None,
    deviations: ArrayLike | None = None,
    anchored: ArrayLike = (),
    state: WengLinRecord | None = None,
    compiled: bool = True,
) -> WengLinRecord:
    """Play a log of tables through, each rated as a whole by its finishing order.

    The order of a play is read from its pairs: a player's rank is the number of players who beat them. How the pairs
    and the seats are listed makes no difference, to the last bit; equal players who tie stay exactly equal.

    Parameters
    ----------
    pairs : array_like of int, shape (n, 2)
        Indices of the two players of each pair, as `index_tables` gives them.
    outcomes : array_like, shape (n,)
        Score of the first: 0, 0.5 or 1.
    plays : array_like, shape (n,), optional
        Label of the play of each pair; the pairs of a play stand together. Without it each pair is a duel.
    settings : WengLinSettings, optional
    n_players : int, optional
        Number of players m; without it as many as the pairs, and the state, name.
    times : array_like, shape (n,), optional
        Day of each pair, never falling; only remembered in `last_times`. A play is dated by its first row.
    ratings, deviations : float or array_like, shape (m,), optional
        Before the first play, points; without them those of a newcomer.
    anchored : array_like of int
        Players whose rating and deviation never move. Opponents learn as usual.
    state : WengLinRecord, optional
        Record of an earlier replay to carry on from; players it does not know start afresh.
    compiled : bool
        False runs the plain-Python twin, equal to 1e-9 of the start deviation and without compilation.

    Returns
    -------
    WengLinRecord
        `forecasts` are by the ratings before the play and the deviations that tau has grown for it.

    Raises
    ------
    ValueError
        A play that lacks a pair of its players (as plays of teams do), has one twice, or whose outcomes fit no
        finishing order, naming play and row; and whatever `check_log` refuses.

    Source
    ------
    As `update`.

    Examples
    --------
    >>> from ludometrics.ratings import index_tables
    >>> games = index_tables([1, 1, 1, 2, 2], ["Ann", "Bob", "Cid", "Cid", "Ann"], [1, 2, 2, 1, 2])
    >>> record = replay(games.pairs, games.outcomes, plays=games.plays)
    >>> record.ratings.round(1).tolist(), record.games.tolist()
    ([1493.0, 1439.7, 1562.7], [2, 1, 2])
    >>> replay([[0, 1], [1, 2]], [1, 1], plays=[7, 7])
    Traceback (most recent call last):
    ...
    ValueError: play 7 (rows 0 to 1) lacks the pair of players 0 and 2: every two players of a play must meet once
    """
    settings = settings or WengLinSettings()
    known = 0 if state is None else len(state.ratings)
    pairs, outcomes, fixed = check_log(pairs, outcomes, anchored=anchored, n_players=n_players, known=known)
    n_players = len(fixed)
    starts, _ = check_blocks(plays, None, len(outcomes))
    times = check_times(times, len(outcomes))
    start = carry_on(state, "ratings", settings.start, n_players, given=ratings)
    variances = carry_on(
        state, "variances", settings.start_deviation**2, n_players, given=_squares(deviations)
    )
    games = carry_on_games(state, n_players)
    last_times = carry_on(state, "last_times", math.nan, n_players)
    find, run = (find_seats, tables) if compiled else (find_seats_plain, plain)
    *table, fault, row = find(pairs, outcomes, starts, n_players)
    if fault:
        raise ValueError(_describe(fault, row, pairs, outcomes, starts, plays))
    forecasts = run(
        pairs,
        starts,
        *table,
        times,
        start,
        variances,
        games,
        last_times,
        fixed,
        settings.beta**2,
        settings.tau**2,
        settings.kappa,
        settings.model == "bradley-terry",
        FORECASTS.index(settings.forecast),
    )
    return WengLinRecord(start, variances, games, last_times, forecasts)


def _squares(deviations: ArrayLike | None) -> NDArray[np.float64] | None:
    if deviations is None:
        return None
    deviations = np.asarray(deviations, dtype=np.float64)
    if (deviations < 0).any():
        raise ValueError(f"deviation is {deviations[deviations < 0].flat[0]:g}: it must be at least 0")
    return np.square(deviations)


def _describe(
    fault: int, row: int, pairs: NDArray, outcomes: NDArray, starts: NDArray, plays: ArrayLike | None
) -> str:
    """Say what is wrong with the play that a row belongs to."""
    block = int(np.searchsorted(starts, row, side="right")) - 1
    low, high = int(starts[block]), int(starts[block + 1])
    label = row if plays is None else np.asarray(plays)[row]
    i, j = pairs[row].tolist()
    if fault == PAIR_TWICE:
        return f"row {row} of play {label} has players {i} and {j} again: every two players of a play must meet once"
    if fault == LACKS_PAIR:
        met = {frozenset(pair) for pair in pairs[low:high].tolist()}
        table = sorted(frozenset().union(*met))
        i, j = next((a, b) for a in table for b in table if a < b and frozenset((a, b)) not in met)
        return (
            f"play {label} (rows {low} to {high - 1}) lacks the pair of players {i} and {j}: "
            "every two players of a play must meet once"
        )
    return (
        f"outcome of row {row} is {outcomes[row]:g} for players {i} and {j}, but the other pairs of play {label} "
        "place them otherwise: a play must have one finishing order"
    )
