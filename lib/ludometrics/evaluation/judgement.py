"""Judgement of a set of forecasts: every measure at once, each with its interval and its n."""

import math
from collections.abc import Hashable, Sequence
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray

from ludometrics.evaluation.bootstrap import cluster_intervals
from ludometrics.evaluation.calibration import calibration_slope, expected_calibration_error
from ludometrics.evaluation.clusters import Weighting, check_weights, number_units
from ludometrics.evaluation.intervals import Estimate
from ludometrics.evaluation.scores import brier, check_forecasts, correct, log_loss, skill

COLUMNS = ("games_of", "measure", "value", "low", "high", "n", "games")
MEASURES = ("log_loss", "brier", "accuracy", "skill", "slope", "ece", "draw_share")
#: What is known of no games.
NOTHING = Estimate(math.nan, math.nan, math.nan, 0)


def judge(
    forecasts: ArrayLike,
    outcomes: ArrayLike,
    *,
    units: Sequence[Hashable] | ArrayLike | None = None,
    scored: ArrayLike | None = None,
    bins: int = 10,
    weights: ArrayLike | None = None,
    weighting: Weighting = "game",
    replicates: int = 2000,
    level: float = 0.95,
    rng: np.random.Generator,
) -> pd.DataFrame:
    """Judge forecasts by every measure, on the decisive games and on all.

    The headline is that of the decisive games: a draw costs any forecast at least ln 2 (see `log_loss`).

    Parameters
    ----------
    forecasts : array_like, shape (n,)
        Expected score of the first player, in [0, 1], made before the game.
    outcomes : array_like, shape (n,)
        Score of the first player: 0, 0.5 or 1.
    units : sequence of hashables, length n, optional
        The unit that each game belongs to (a play, a day), resampled whole; None: each game is its own.
    scored : array_like of bool, shape (n,), optional
        Games to be judged, for instance those of players with enough games before; None: all.
    bins : int
        Bins at most for the calibration error.
    weights : array_like, shape (n,), optional
        Weight of each game; of the decisive games, and of all that are judged, one must be above 0.
    weighting : {"game", "unit"}
        Whether each game counts by its weight, or each unit once: by the weighted mean of its games.
    replicates, level, rng
        As in `cluster_interval`.

    Returns
    -------
    DataFrame
        One row a measure, with the columns `COLUMNS`: `games_of` ("decisive" or "all"), `measure`, `value`, `low`,
        `high`, `n` units and `games`. Measures: `log_loss` (nats), `brier`, `accuracy` (decisive only), `skill`
        against the coin, calibration `slope`, expected calibration error `ece`; and `draw_share` of all. The rows are
        always the same; a value is NaN where there is none (no decisive game; a slope without a favourite; too few
        games for one bin), an interval also where there is one unit.

    Raises
    ------
    ValueError
        No game to be judged, a mask that is not boolean or of another length, and as `log_loss` and `gather_games`.

    Source
    ------
    Own.

    Examples
    --------
    >>> table = judge([0.8, 0.3, 0.6, 0.5], [1, 0, 0, 0.5], rng=np.random.default_rng(1))
    >>> table[["games_of", "measure", "value", "games"]].round(3).head(3).to_numpy().tolist()
    [['decisive', 'log_loss', 0.499, 3], ['decisive', 'brier', 0.163, 3], ['decisive', 'accuracy', 0.667, 3]]
    """
    forecasts, outcomes = check_forecasts(forecasts, outcomes)
    index = number_units(units, len(forecasts))
    kept = np.ones(len(forecasts), dtype=bool) if scored is None else _check_mask(scored, len(forecasts))
    if not kept.any():
        raise ValueError(f"there is no game to judge: of {len(kept)}, none is scored")
    weight = check_weights(np.ones(len(kept)) if weights is None else weights, len(kept))[kept]
    forecasts, outcomes, index = forecasts[kept], outcomes[kept], index[kept]
    options = {"weighting": weighting, "replicates": replicates, "level": level, "rng": rng}
    rows = []
    for games_of, chosen in (("decisive", outcomes != 0.5), ("all", np.ones(len(outcomes), dtype=bool))):
        values = {"log_loss": log_loss(forecasts, outcomes), "brier": brier(forecasts, outcomes)}
        if games_of == "decisive":
            values["accuracy"] = correct(forecasts, outcomes)
        else:
            values["draw_share"] = np.where(outcomes == 0.5, 1.0, 0.0)
        options["weights"] = weight[chosen]
        estimates = _means({name: column[chosen] for name, column in values.items()}, index[chosen], options)
        loss = estimates["log_loss"]
        estimates["skill"] = Estimate(skill(loss.value), skill(loss.high), skill(loss.low), loss.n)
        games = (forecasts[chosen], outcomes[chosen])
        estimates |= _calibration(*games, index[chosen], bins, options)
        rows += [(games_of, name, *estimates[name], len(games[0])) for name in MEASURES if name in estimates]
    return pd.DataFrame(rows, columns=list(COLUMNS))


def _means(
    values: dict[str, NDArray[np.float64]], index: NDArray[np.int64], options: dict[str, Any]
) -> dict[str, Estimate]:
    if not len(index):
        return dict.fromkeys(values, NOTHING)
    estimates = cluster_intervals(np.column_stack(list(values.values())), index, **options)
    return dict(zip(values, estimates, strict=True))


def _calibration(
    forecasts: NDArray[np.float64],
    outcomes: NDArray[np.float64],
    index: NDArray[np.int64],
    bins: int,
    options: dict[str, Any],
) -> dict[str, Estimate]:
    if not len(index):
        return {"slope": NOTHING, "ece": NOTHING}
    return {
        "slope": calibration_slope(forecasts, outcomes, units=index, **options),
        "ece": expected_calibration_error(forecasts, outcomes, units=index, bins=bins, **options),
    }


def _check_mask(scored: ArrayLike, n_games: int) -> NDArray[np.bool_]:
    scored = np.asarray(scored)
    if scored.dtype != np.bool_ or scored.shape != (n_games,):
        raise ValueError(
            f"scored holds {scored.dtype} of shape {scored.shape}: it must hold ({n_games},) of bool"
        )
    return scored
