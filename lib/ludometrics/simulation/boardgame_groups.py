"""Groups that meet for board games, of people whose strength is known: a play log, and the truth behind it.

A group differs from the next by its `boardgame_worlds.GroupWorld`; `GROUPS` there has those that are compared. Equal
seeds give groups of one size the same people, games, days, tables and luck, whichever beliefs are made true, so that
they can be compared in pairs.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.special import entr

from ludometrics.boardgames.records import PlayLog
from ludometrics.ratings.elo import expected_score
from ludometrics.simulation.boardgame_logs import compose_log, resolved_below
from ludometrics.simulation.boardgame_tables import draw, play_tables, stock_shelf, wander
from ludometrics.simulation.boardgame_worlds import SIZES, GroupWorld
from ludometrics.simulation.rating_worlds import OracleLoss


class PairTruth(NamedTuple):
    """Every pair of seats of the competitive plays, shape (k,) each.

    Attributes
    ----------
    play : ndarray of int64
        Place of the play in the log.
    first, second : ndarray of int64
        Seats, counted through the log.
    chance : ndarray
        True chance that the first finishes before the second.
    outcome : ndarray
        1 if it did, else 0.
    scored : ndarray of bool
        Both are known people, and the log tells which of the two was before the other.
    """

    play: NDArray[np.int64]
    first: NDArray[np.int64]
    second: NDArray[np.int64]
    chance: NDArray[np.float64]
    outcome: NDArray[np.float64]
    scored: NDArray[np.bool_]


@dataclass(frozen=True)
class SimulatedGroup:
    """A play log, and the truth behind it: m people, p plays, s seats, e days of play.

    Attributes
    ----------
    world : GroupWorld
    log : PlayLog
        Its plays are in the order of the arrays.
    people : tuple of str, length m
        Keys of the known people, in the order of the arrays.
    strengths : dict of str to float
        Strength at the end by key of the person, points.
    complexity : dict of int to float
        What is said of each game, 1 to 5, by its number at BoardGameGeek; as `game_weights` takes it.
    skill : dict of str to float
        What is said of each game, 0 to 1, by its key; as `game_weights` takes it.
    sensitivity : ndarray, shape (p,)
        a of each play: its mean square over the competitive plays is 1. NaN for cooperative plays.
    minutes : ndarray, shape (p,)
        How long each play took, logged or not.
    table_familiarity : ndarray, shape (p,)
        Mean of n/(n + 2) over the known people, n their earlier plays of the game.
    starts : ndarray of int64, shape (p + 1,)
        First seat of each play, then s.
    person : ndarray of int64, shape (s,)
        Index into `people`; -1: a guest.
    seat_strength : ndarray, shape (s,)
        Strength at the play, points.
    rank : ndarray of int64, shape (s,)
        True finishing order, 1 best; 0 in cooperative plays.
    whole_order : ndarray of bool, shape (p,)
        Whether the log tells the order behind the winner.
    meeting_days : ndarray of int64, shape (e,)
        Day of each meeting, from 0.
    paths : ndarray, shape (e, m)
        Strengths at each meeting, points.
    """

    world: GroupWorld
    log: PlayLog
    people: tuple[str, ...]
    strengths: Mapping[str, float]
    complexity: Mapping[int, float]
    skill: Mapping[str, float]
    sensitivity: NDArray[np.float64]
    minutes: NDArray[np.float64]
    table_familiarity: NDArray[np.float64]
    starts: NDArray[np.int64]
    person: NDArray[np.int64]
    seat_strength: NDArray[np.float64]
    rank: NDArray[np.int64]
    whole_order: NDArray[np.bool_]
    meeting_days: NDArray[np.int64]
    paths: NDArray[np.float64]

    @cached_property
    def pairs(self) -> PairTruth:
        """True chances and outcomes of all pairs of seats of competitive plays, by play."""
        sizes = np.diff(self.starts)
        competitive = ~np.isnan(self.sensitivity)
        parts = []
        for size in SIZES:
            plays = np.flatnonzero(competitive & (sizes == size))
            upper = np.column_stack(np.triu_indices(size, 1))
            seats = (self.starts[plays][:, None, None] + upper).reshape(-1, 2)
            parts.append(np.column_stack([np.repeat(plays, len(upper)), seats]))
        rows = np.concatenate(parts)
        play, first, second = rows[np.argsort(rows[:, 0], kind="stable")].T
        sensitivity = self.sensitivity[play]
        known = (self.person[first] >= 0) & (self.person[second] >= 0)
        told = self.whole_order[play] | (self.rank[first] == 1) | (self.rank[second] == 1)
        return PairTruth(
            play=play,
            first=first,
            second=second,
            chance=expected_score(
                sensitivity * self.seat_strength[first], sensitivity * self.seat_strength[second]
            ),
            outcome=(self.rank[first] < self.rank[second]).astype(float),
            scored=known & told,
        )

    def oracle_log_loss(self, *, weighting: Literal["play", "pair"] = "play") -> OracleLoss:
        """Mean log loss of one who knows the true chances: no forecast does better in the long run.

        Parameters
        ----------
        weighting : {"play", "pair"}
            Each play counts once, by the mean of its scored pairs, or each pair does.

        Returns
        -------
        OracleLoss
            In expectation and as it fell, nats.

        Raises
        ------
        ValueError
            Another weighting, or a group without a scored pair.
        """
        if weighting not in ("play", "pair"):
            raise ValueError(f"weighting is {weighting!r}: allowed are 'play', 'pair'")
        pairs, scored = self.pairs, self.pairs.scored
        if not scored.any():
            raise ValueError("no pair of known people is scored: nothing can be foretold")
        play, chance, won = pairs.play[scored], pairs.chance[scored], pairs.outcome[scored] == 1
        shares = 1.0 / np.bincount(play)[play] if weighting == "play" else np.ones(len(play))
        expected = np.average(entr(chance) + entr(1.0 - chance), weights=shares)
        realised = np.average(-np.log(np.where(won, chance, 1.0 - chance)), weights=shares)
        return OracleLoss(float(expected), float(realised))


def simulate_group(world: GroupWorld, *, rng: np.random.Generator) -> SimulatedGroup:
    """Let a group of known strengths meet and play.

    Parameters
    ----------
    world : GroupWorld
    rng : numpy.random.Generator

    Returns
    -------
    SimulatedGroup

    Source
    ------
    Own. Orders by performances with Gumbel noise are those of Plackett and Luce, of which every pair follows the
    logistic curve (Yellott, Journal of Mathematical Psychology 15, 1977).

    Examples
    --------
    >>> group = simulate_group(GroupWorld(plays=40), rng=np.random.default_rng(1))
    >>> len(group.log.plays), len(group.strengths), bool(group.pairs.scored.any())
    (40, 12, True)
    >>> round(float(np.mean(group.sensitivity**2)), 9)
    1.0
    """
    draws = draw(world, rng=rng)
    shelf, paths = stock_shelf(world, draws), wander(world, draws)
    tables = play_tables(world, shelf, paths, draws)
    log, people, games = compose_log(world, shelf, tables, draws)
    there = tables.there
    numbers = [log.games[key].bgg_id for key in games]
    return SimulatedGroup(
        world=world,
        log=log,
        people=tuple(people),
        strengths=dict(zip(people, paths[-1].tolist(), strict=True)),
        complexity=dict(zip(numbers, shelf.complexity.tolist(), strict=True)),
        skill=dict(zip(games, shelf.skill.tolist(), strict=True)),
        sensitivity=tables.sensitivity,
        minutes=tables.minutes,
        table_familiarity=tables.known,
        starts=np.concatenate([[0], np.cumsum(tables.size)]),
        person=tables.person[there],
        seat_strength=tables.strength[there],
        rank=tables.rank[there],
        whole_order=resolved_below(shelf, tables),
        meeting_days=draws.meetings,
        paths=paths,
    )
