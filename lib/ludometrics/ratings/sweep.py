"""One log under many settings: the losses of each, game by game, for grids and for tuning."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import product
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray

from ludometrics.evaluation import log_loss
from ludometrics.ratings.games import Games
from ludometrics.ratings.systems import rate


def settings_grid(base: Any, **axes: Sequence[Any]) -> tuple[pd.DataFrame, list[Any]]:
    """All combinations of values of some settings, the first axis changing slowest.

    Parameters
    ----------
    base : frozen settings of a system
        What the other fields are.
    **axes
        Field and its values.

    Returns
    -------
    table : DataFrame
        One row a combination, one column an axis.
    settings : list
        The settings of each row.

    Raises
    ------
    ValueError
        A combination that the settings refuse, or a field they have not.

    Examples
    --------
    >>> from ludometrics.ratings import EloSettings
    >>> table, settings = settings_grid(EloSettings(), k=[16.0, 32.0], advantage_k=[0.0, 1.0])
    >>> len(settings), table.iloc[2].to_dict()
    (4, {'k': 32.0, 'advantage_k': 0.0})
    """
    rows = list(_combinations(axes))
    try:
        return pd.DataFrame(rows), [replace(base, **row) for row in rows]
    except TypeError as error:
        raise ValueError(f"{type(base).__name__}: {error}") from error


def sweep(
    games: Games,
    system: str,
    settings: Sequence[Any],
    *,
    scored: slice | ArrayLike = slice(None),
    truth: ArrayLike | None = None,
) -> NDArray[np.float64]:
    """Rate a log under each of many settings; give the log loss of each forecast that is scored.

    Parameters
    ----------
    games : Games
        The whole log is learned from, in its order.
    system : str
        Key of `SYSTEMS`.
    settings : sequence, length k
        Settings of that system.
    scored : slice or array_like
        Rows whose forecasts are scored; by default all.
    truth : array_like, shape (n,), optional
        True expected scores: losses are then those to be expected, without the luck of the outcomes.

    Returns
    -------
    ndarray, shape (rows scored, k)
        In nats.

    Examples
    --------
    >>> from ludometrics.ratings import EloSettings, index_games
    >>> games = index_games(["Ann"] * 3, ["Bob"] * 3, [1, 1, 1])
    >>> losses = sweep(games, "elo", [EloSettings(k=k) for k in (10.0, 40.0)])
    >>> losses.round(3).tolist()
    [[0.693, 0.693], [0.665, 0.585], [0.638, 0.499]]
    """
    losses = []
    for one in settings:
        forecasts = rate(games, system, one).forecasts[scored]
        if truth is None:
            losses.append(log_loss(forecasts, games.outcomes[scored]))
        else:
            losses.append(expected_log_loss(forecasts, np.asarray(truth)[scored]))
    return np.column_stack(losses)


def expected_log_loss(forecasts: ArrayLike, truth: ArrayLike) -> NDArray[np.float64]:
    """Mean log loss of forecasts over what could have happened: cross-entropy of true and forecast expected scores.

    Parameters
    ----------
    forecasts, truth : array_like, shape (n,)
        Expected scores of the first player, in [0, 1].

    Returns
    -------
    ndarray, shape (n,)
        In nats; clipped as `log_loss` is.

    Examples
    --------
    >>> expected_log_loss([0.5, 0.8], [0.9, 0.8]).round(4).tolist()
    [0.6931, 0.5004]
    """
    truth = np.asarray(truth, dtype=np.float64)
    if not ((truth >= 0) & (truth <= 1)).all():
        raise ValueError("the true expected scores must lie in 0 to 1")
    won, lost = (log_loss(forecasts, np.full(truth.shape, outcome)) for outcome in (1.0, 0.0))
    return truth * won + (1.0 - truth) * lost


def _combinations(axes: dict[str, Sequence[Any]]) -> Iterator[dict[str, Any]]:
    for values in product(*axes.values()):
        yield dict(zip(axes, values, strict=True))
