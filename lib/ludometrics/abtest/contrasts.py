"""Values in order of arrival whose mean estimates the effect: differences of pairs, and contrasts of single games."""

from collections.abc import Hashable, Sequence

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray

from ludometrics.abtest.checks import check_columns
from ludometrics.evaluation.clusters import number_units

#: Games of everybody that a player's own games are set against in `weighted_contrasts`.
SHRINKAGE = 2.0


def paired_differences(
    player: Sequence[Hashable] | ArrayLike,
    variant: ArrayLike,
    score: ArrayLike,
    is_black: ArrayLike | None = None,
) -> NDArray[np.float64]:
    """Pair the k-th game of a player with A with the k-th with B, and give B - A as pairs are complete.

    For designs in which every player meets both versions equally often.

    Parameters
    ----------
    player : sequence of hashables, length n
        Player of each game, games in order of arrival.
    variant : array_like, shape (n,)
        0 for A, 1 for B.
    score : array_like, shape (n,)
        Of the player.
    is_black : array_like of bool, shape (n,), optional
        Whether the player had Black: games pair within a colour.

    Returns
    -------
    ndarray, shape (pairs,)
        In the order in which pairs are complete; games without a partner are left out. The mean estimates the
        effect, each player counted by pairs.

    Raises
    ------
    ValueError
        Columns of other lengths, or a value that is not allowed.

    Source
    ------
    Own.

    Examples
    --------
    >>> paired_differences(["Ann", "Bob", "Ann", "Ann", "Bob"], [0, 0, 1, 1, 1], [1, 0, 0.5, 1, 0]).tolist()
    [-0.5, 0.0]
    """
    score, variant, _ = check_columns(score, variant, None)
    key = number_units(player, len(score))
    if is_black is not None:
        colour = np.asarray(is_black)
        if colour.shape != score.shape or colour.dtype != np.bool_:
            raise ValueError(
                f"is_black holds {colour.dtype} of shape {colour.shape}: one bool a game is wanted"
            )
        key = 2 * key + colour
    games = pd.DataFrame({"key": key, "variant": variant, "score": score})
    games["rank"] = games.groupby(["key", "variant"]).cumcount()
    games["place"] = np.arange(len(games))
    of_a, of_b = (games[games["variant"] == version] for version in (0, 1))
    pairs = of_a.merge(of_b, on=["key", "rank"], suffixes=("_a", "_b"))
    complete = np.maximum(pairs["place_a"], pairs["place_b"]).to_numpy()
    return (pairs["score_b"] - pairs["score_a"]).to_numpy()[np.argsort(complete)]


def weighted_contrasts(
    player: Sequence[Hashable] | ArrayLike, variant: ArrayLike, score: ArrayLike, *, share_b: float = 0.5
) -> NDArray[np.float64]:
    """Give each game's own estimate of the effect where the version is drawn game by game.

    (Z - q)/(q (1 - q)) (y - m), with Z 1 for B, q the chance of B, y the score and m what was to be expected before
    the game: the mean of the player's earlier games, drawn towards that of everybody's as by two games, and that
    towards one half as by one. Whatever m, the mean over draws of the version is the effect of that game.

    Parameters
    ----------
    player : sequence of hashables, length n
        Player of each game, games in order of arrival; player and colour together where colours matter much.
    variant : array_like, shape (n,)
        0 for A, 1 for B, drawn anew for each game.
    score : array_like, shape (n,)
        Of the player.
    share_b : float
        Chance of B, between 0 and 1.

    Returns
    -------
    ndarray, shape (n,)
        Its mean estimates the effect, each player counted by games.

    Raises
    ------
    ValueError
        Columns of other lengths, or a value that is not allowed.

    Source
    ------
    Horvitz and Thompson, Journal of the American Statistical Association 47 (1952); m: own, so that players' levels
    add less to the spread.

    Examples
    --------
    >>> weighted_contrasts(["Ann", "Ann", "Ann"], [0, 1, 1], [1, 1, 0]).round(3).tolist()
    [-1.0, 0.333, -1.833]
    """
    score, variant, _ = check_columns(score, variant, None)
    if not 0 < share_b < 1:
        raise ValueError(f"share_b is {share_b!r}: it must lie between 0 and 1")
    grouped = pd.Series(score).groupby(number_units(player, len(score)))
    games, sums = grouped.cumcount().to_numpy(), grouped.cumsum().to_numpy() - score
    n = np.arange(len(score))
    everybody = (0.5 + np.cumsum(score) - score) / (1 + n)
    expected = (sums + SHRINKAGE * everybody) / (games + SHRINKAGE)
    return (variant - share_b) / (share_b * (1 - share_b)) * (score - expected)
