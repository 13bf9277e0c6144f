"""A row of metrics from what trainer A adds up on its device."""

import math

__all__ = ["SUMS", "metrics_row"]

#: What is added up from one row of metrics to the next, over all boards and steps.
SUMS = (
    "played",
    "squared_error",
    "learned",
    "value",
    "value_squares",
    "finished",
    "wins",
    "random",
    "moves_left",
)


def metrics_row(
    step: int,
    moves: int,
    learning_rate: float,
    played: float,
    squared_error: float,
    learned: float,
    value: float,
    value_squares: float,
    finished: float,
    wins: float,
    random: float,
    moves_left: float,
    least: float,
    greatest: float,
    norm: float,
    change: float,
    nonzero: float,
) -> dict[str, float]:
    """Turn sums into shares and means.

    Parameters
    ----------
    step, moves : int
        Done so far.
    learning_rate : float
        Of the last step.
    played, ..., moves_left : float
        Sums as in `SUMS`; values are those of the positions learned.
    least, greatest : float
        Values.
    norm, change, nonzero : float
        Of the weights, of the last step, and how many gradients were not 0 in it.

    Returns
    -------
    dict
        A number for each of `METRIC_COLUMNS`; NaN where nothing was learned.

    Examples
    --------
    >>> row = metrics_row(2, 8, 0.1, 8.0, 1.0, 4.0, 2.0, 2.0, 2.0, 1.0, 1.0, 320.0, -0.5, 0.75, 5.0, 1.0, 7.0)
    >>> row["loss"], row["value_mean"], row["value_sd"], row["weight_change"], row["finished"]
    (0.25, 0.5, 0.5, 0.2, 0.25)
    """
    mean = value / learned if learned else math.nan
    return {
        "step": step,
        "moves": moves,
        "learning_rate": learning_rate,
        "loss": squared_error / learned if learned else math.nan,
        "weight_change": change / norm if norm else math.nan,
        "weight_norm": norm,
        "value_mean": mean,
        "value_sd": math.sqrt(max(0.0, value_squares / learned - mean**2)) if learned else math.nan,
        "value_min": least if learned else math.nan,
        "value_max": greatest if learned else math.nan,
        "finished": finished / played,
        "updated": learned / played,
        "random": random / played,
        "moves_left": moves_left / played,
        "wins": int(wins),
        "nonzero_gradients": int(nonzero),
    }
