"""Worlds of players of known strength: a dated log of games, and the truth behind it.

A world differs from the next by its `world_presets.WorldSettings`; `PRESETS` there has those that are compared. Equal
seeds give worlds of the same size the same strengths at the start and the same luck, whatever else is set, so that
presets can be compared in pairs.
"""

from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import entr, xlogy

from ludometrics.ratings.elo import RATE, SCALE, expected_score
from ludometrics.ratings.games import Games
from ludometrics.simulation.world_presets import WorldSettings

_TOLERANCE = 1e-9  # Elo points: the last Newton step
_MAX_STEPS = 100
_CLIP = 1e-12  # an expected score that was rounded to 0 or 1 costs what this one does, not infinity


class OracleLoss(NamedTuple):
    """Mean loss a game of one who knows the true expected scores: no forecast does better in the long run.

    `expected` is the mean over what could have happened, `realised` that of the outcomes drawn.
    """

    expected: float
    realised: float


@dataclass(frozen=True)
class World:
    """A log of games, and the truth behind it.

    Attributes
    ----------
    settings : WorldSettings
    games : Games
        Players are named p000, p001, ...; times in days, in [0, days], never falling.
    expected : ndarray, shape (n,)
        True expected score of the first player of each game.
    draw_probability : ndarray, shape (n,)
        True probability of a draw in each game.
    strengths_at_games : ndarray, shape (n, 2)
        Strengths of both at each game, Elo points, without the advantage.
    final_strengths : ndarray, shape (m,)
        Strengths on the last day, Elo points: the mean log-odds of winning against everybody (a player against
        itself at 0), plus the mean strength. Without intransitivity the strengths themselves; with it, a player's
        own mean of the extra terms is in it, here and in `strengths_at_games`.
    joined : ndarray of int64, shape (m,)
        Day (0 is the first) from whose start on a player plays.
    cliques : ndarray of int64, shape (m,)
        Circle of each player.
    activity : ndarray, shape (m,)
        Weight by which a player is drawn into games, 1 for the most active.
    angles : ndarray, shape (m,)
        Angle of each player, radians; all 0 without intransitivity.
    """

    settings: WorldSettings
    games: Games
    expected: NDArray[np.float64]
    draw_probability: NDArray[np.float64]
    strengths_at_games: NDArray[np.float64]
    final_strengths: NDArray[np.float64]
    joined: NDArray[np.int64]
    cliques: NDArray[np.int64]
    activity: NDArray[np.float64]
    angles: NDArray[np.float64]

    @property
    def games_played(self) -> NDArray[np.int64]:
        """Games of each player, shape (m,): those with none cannot be rated."""
        return np.bincount(self.games.pairs.ravel(), minlength=len(self.games.players))

    def oracle_log_loss(self, scored: slice | NDArray = slice(None)) -> OracleLoss:
        """Mean of -(S ln E + (1 - S) ln(1 - E)), S the outcome and E the true expected score, nats a game.

        Parameters
        ----------
        scored : slice or ndarray
            Games that are scored, for instance the second half; by default all.

        Returns
        -------
        OracleLoss
        """
        expected, outcomes = self.expected[scored], self.games.outcomes[scored]
        sure = np.clip(expected, _CLIP, 1.0 - _CLIP)
        realised = -(xlogy(outcomes, sure) + xlogy(1.0 - outcomes, 1.0 - sure))
        return OracleLoss(float(np.mean(entr(expected) + entr(1.0 - expected))), float(np.mean(realised)))

    def oracle_brier(self, scored: slice | NDArray = slice(None)) -> OracleLoss:
        """Mean of (S - E)^2, as `oracle_log_loss`; in expectation E - E^2 - (probability of a draw)/4."""
        expected, outcomes = self.expected[scored], self.games.outcomes[scored]
        variance = expected - expected**2 - self.draw_probability[scored] / 4.0
        return OracleLoss(float(np.mean(variance)), float(np.mean((outcomes - expected) ** 2)))

    def expected_scores(self) -> NDArray[np.float64]:
        """True expected score of each against each on the last day, shape (m, m), neither having the first move."""
        extra = _extra(self.settings.intransitivity, self.angles)
        base = self.final_strengths - extra.mean(axis=1)
        return davidson(base[:, None] - base[None, :] + extra, self.settings.draw_share)[0]

    def ideal_ratings(self) -> NDArray[np.float64]:
        """Ratings (m,) that an endless round robin on the last day would give, Elo points, mean as the strengths.

        Solves sum_j E_ij = sum_j 1/(1 + 10^((r_j - r_i)/400)) for all i: Bradley-Terry with draws as half. In a
        world without draws and intransitivity these are the strengths. Draws flatten the curve of expected scores:
        near equality the ratings stand (1 - draw_share) times as far apart as the strengths, and an estimate that
        counts a draw as half can only find the ratings. Errors and coverage are measured against these.

        Returns
        -------
        ndarray, shape (m,)

        Raises
        ------
        ValueError
            Strengths so far apart that expected scores are 0 and 1.

        Source
        ------
        Own; the equations are those of Bradley and Terry, Biometrika 39 (1952), for expected scores.
        """
        return self._ideal

    @cached_property
    def _ideal(self) -> NDArray[np.float64]:
        m = len(self.final_strengths)
        scores = self.expected_scores().sum(axis=1)
        ratings = self.final_strengths - self.final_strengths.mean()
        for _ in range(_MAX_STEPS):
            forecast = expected_score(ratings[:, None], ratings[None, :])
            weight = RATE * forecast * (1.0 - forecast)
            # Games tell only differences: the ones keep the mean where it is and the matrix from being singular.
            curvature = np.diag(weight.sum(axis=1)) - weight + RATE / m
            if np.linalg.matrix_rank(curvature, hermitian=True) < m:
                break
            step = np.linalg.solve(curvature, scores - forecast.sum(axis=1))
            step *= min(1.0, SCALE / np.max(np.abs(step), initial=1.0))
            ratings = ratings + step
            if np.max(np.abs(step)) < _TOLERANCE:
                return ratings + self.final_strengths.mean()
        raise ValueError(
            f"no ratings fit: strengths from {ratings.min():g} to {ratings.max():g} are too far apart"
        )


def davidson(gap: ArrayLike, draw_share: float) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Expected score and probability of a draw under Davidson's model of three outcomes.

    With odds o = 10^(gap/400) and nu = 2 d/(1 - d): win : draw : loss = sqrt(o) : nu : 1/sqrt(o).

    Parameters
    ----------
    gap : array_like
        How far the first player is above the second, any advantage included, Elo points: 400 are odds of ten to
        one of a win against a loss.
    draw_share : float
        Share of draws d between equals, in [0, 1); with 0 the expected score is Elo's.

    Returns
    -------
    expected, draw : ndarray
        In the shape of the gap.

    Source
    ------
    Davidson, On extending the Bradley-Terry model to accommodate ties, J. Am. Stat. Assoc. 65 (1970) 317-328.

    Examples
    --------
    >>> [round(float(value), 4) for value in davidson(0.0, 0.3)]
    [0.5, 0.3]
    >>> [round(float(value), 4) for value in davidson(400.0, 0.0)]
    [0.9091, 0.0]
    """
    gap = RATE * np.asarray(gap, dtype=np.float64)
    nu = 2.0 * draw_share / (1.0 - draw_share)
    # Divided by the weight of the stronger one's win, so that nothing can overflow.
    half = np.exp(-np.abs(gap) / 2.0)
    loss = np.exp(-np.abs(gap))
    total = 1.0 + loss + nu * half
    draw = nu * half / total
    return np.where(gap >= 0, 1.0, loss) / total + draw / 2.0, draw


def simulate_world(settings: WorldSettings, *, rng: np.random.Generator) -> World:
    """Let players of known strength play.

    Strengths wander from day to day and stay during a day, those of players who have not joined yet included, so
    that newcomers are like the others. Each game's pair, in its order, is drawn from the weights of all pairs.

    Parameters
    ----------
    settings : WorldSettings
    rng : numpy.random.Generator

    Returns
    -------
    World

    Source
    ------
    Own.

    Examples
    --------
    >>> world = simulate_world(WorldSettings(players=4, days=2, games=6), rng=np.random.default_rng(1))
    >>> world.games.players, world.games.times.astype(int).tolist()
    (('p000', 'p001', 'p002', 'p003'), [0, 0, 0, 1, 1, 1])
    >>> bool(world.expected.round(9).tolist() == davidson(
    ...     world.strengths_at_games[:, 0] - world.strengths_at_games[:, 1], 0.0)[0].round(9).tolist())
    True
    """
    m, n = settings.players, settings.games
    # What every world needs comes first and in fixed amounts: it is then the same in all of them.
    strengths = settings.strength_deviation * rng.standard_normal(m)
    moments, luck, choices = rng.random((3, n))
    activity = np.exp(settings.activity * rng.standard_normal(m))
    angles = rng.uniform(0.0, 2.0 * np.pi, m) if settings.intransitivity else np.zeros(m)
    members = np.arange(m) % settings.cliques
    means = settings.clique_deviation * rng.standard_normal(settings.cliques)
    joined = np.zeros(m, dtype=np.int64)
    joined[m - settings.n_newcomers :] = rng.integers(0, settings.days, settings.n_newcomers)
    start = strengths + means[members] if settings.strengths is None else np.array(settings.strengths, float)
    extra = _extra(settings.intransitivity, angles)
    # One row a day; a single one where nothing moves.
    paths = np.vstack([start, *_steps(settings, rng=rng)]).cumsum(axis=0) + extra.mean(axis=1)

    times = settings.days * ((np.arange(n) + moments) / n)
    day = np.minimum(times.astype(np.int64), settings.days - 1)
    activity = activity / activity.max()
    pairs = _draw_pairs(settings, day, choices, activity, joined, members, paths)
    row = np.minimum(day, len(paths) - 1)
    at_games = np.column_stack([paths[row, pairs[:, 0]], paths[row, pairs[:, 1]]])
    beyond = extra - extra.mean(axis=1)[:, None] + extra.mean(axis=1)
    gap = at_games[:, 0] - at_games[:, 1] + settings.advantage + beyond[pairs[:, 0], pairs[:, 1]]
    expected, draw = davidson(gap, settings.draw_share)
    win = expected - draw / 2.0
    outcomes = np.where(luck < win, 1.0, np.where(luck < win + draw, 0.5, 0.0))
    games = Games(tuple(f"p{number:03d}" for number in range(m)), pairs, outcomes, times)
    return World(
        settings, games, expected, draw, at_games, paths[-1].copy(), joined, members, activity, angles
    )


def _steps(settings: WorldSettings, *, rng: np.random.Generator) -> NDArray[np.float64]:
    """Changes of strength from each day to the next."""
    days = settings.days - 1 if settings.drift else 0
    return settings.drift * rng.standard_normal((days, settings.players))


def _extra(intransitivity: float, angles: NDArray) -> NDArray[np.float64]:
    """Elo points (m, m) of each against each beyond strength."""
    return intransitivity * np.sin(angles[:, None] - angles[None, :])


def _draw_pairs(
    settings: WorldSettings,
    day: NDArray,
    choices: NDArray,
    activity: NDArray,
    joined: NDArray,
    members: NDArray,
    paths: NDArray,
) -> NDArray[np.int64]:
    """Pairs (n, 2): the weights are made anew on the days on which they change."""
    wandering = settings.assortative is not None and len(paths) > 1
    changes = np.arange(settings.days) if wandering else np.unique(joined)
    bounds = np.append(np.searchsorted(day, changes), len(day))
    cells = np.empty(len(day), dtype=np.int64)
    apart = members[:, None] != members[None, :]
    for first, rows in zip(changes, map(slice, bounds[:-1], bounds[1:]), strict=True):
        there = np.where(joined <= first, activity, 0.0)
        weights = _pair_weights(settings, there, apart, paths[min(first, len(paths) - 1)]).ravel()
        totals = np.cumsum(weights)
        cells[rows] = np.searchsorted(totals, choices[rows] * totals[-1], side="right")
        # A product that rounds up to the total would name a cell beyond the last that can be drawn.
        np.minimum(cells[rows], np.flatnonzero(weights)[-1], out=cells[rows])
    return np.column_stack(np.divmod(cells, settings.players))


def _pair_weights(
    settings: WorldSettings, activity: NDArray, apart: NDArray, strengths: NDArray
) -> NDArray[np.float64]:
    """Probability (m, m) of each ordered pair, those within circles and those across having their shares."""
    weights = np.outer(activity, activity)
    np.fill_diagonal(weights, 0.0)
    blocks = [(None, 1.0)]
    if settings.cliques > 1:
        blocks = [(~apart, 1.0 - settings.cross_share), (apart, settings.cross_share)]
    chances = np.zeros_like(weights)
    for block, share in blocks:
        part = weights if block is None else weights * block
        if settings.assortative is not None:
            gap = (strengths[:, None] - strengths[None, :]) / settings.assortative
            exponent = -0.5 * gap**2
            # Relative to the nearest pair, so that something is left however narrow the choice is.
            nearest = np.max(exponent, where=part > 0, initial=-np.inf)
            part = part * np.exp(np.minimum(exponent - nearest, 0.0))
        chances += share * part / part.sum()
    return chances
