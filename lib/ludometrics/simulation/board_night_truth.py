"""Forecasts for a simulated group beside the true chances: the loss above the truth's, without the luck of results."""

import numpy as np
from numpy.typing import NDArray
from scipy.special import rel_entr

from ludometrics.boardgames.judging import ScoredPairs, play_means
from ludometrics.boardgames.records import MOST_SEATS
from ludometrics.simulation.boardgame_groups import SimulatedGroup


def true_chances(group: SimulatedGroup, pairs: ScoredPairs) -> tuple[ScoredPairs, NDArray[np.float64]]:
    """True chance of what each decisive pair's forecast was about.

    Parameters
    ----------
    group : SimulatedGroup
    pairs : ScoredPairs
        Forecasts for that group's log.

    Returns
    -------
    pairs : ScoredPairs
        The decisive ones.
    chance : ndarray
        Of each, the true chance that the first of the pair finishes before the second.

    Raises
    ------
    ValueError
        A pair that is not of this group.
    """
    truth = group.pairs
    seats = np.column_stack([truth.first, truth.second]) - group.starts[truth.play][:, None]
    name = (truth.play * MOST_SEATS + seats.min(axis=1)) * MOST_SEATS + seats.max(axis=1)
    order = np.argsort(name)
    decisive = pairs.only(pairs.outcome != 0.5)
    place = order[np.minimum(np.searchsorted(name[order], decisive.pair), len(order) - 1)]
    if not np.array_equal(name[place], decisive.pair):
        raise ValueError("the forecasts are not of this group: a pair is unknown to it")
    # Both name the same two seats, in either order: the result, which is the same, tells which.
    chance = np.where(
        truth.outcome[place] == decisive.outcome, truth.chance[place], 1.0 - truth.chance[place]
    )
    return decisive, chance


def shared_pairs(first: ScoredPairs, second: ScoredPairs) -> tuple[ScoredPairs, ScoredPairs]:
    """Of two sets of forecasts for one log those of the pairs that both have."""
    if np.array_equal(first.pair, second.pair):
        return first, second
    shared = np.intersect1d(first.pair, second.pair)
    return first.only(np.isin(first.pair, shared)), second.only(np.isin(second.pair, shared))


def excess(pairs: ScoredPairs, chance: NDArray[np.float64]) -> NDArray[np.float64]:
    """Expected log loss above that of the truth, a play: the mean over its pairs.

    Parameters
    ----------
    pairs : ScoredPairs
    chance : ndarray, shape (k,)
        True chances, as `true_chances` gives them.

    Returns
    -------
    ndarray
        Nats, of each play with a decisive pair, in the order of the plays: Kullback-Leibler distances.
    """
    apart = rel_entr(chance, pairs.forecast) + rel_entr(1.0 - chance, 1.0 - pairs.forecast)
    return play_means(pairs.play, apart)
