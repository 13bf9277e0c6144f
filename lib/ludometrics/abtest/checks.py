"""Checks of the arrays that the methods take."""

import numpy as np
from numpy.typing import ArrayLike, NDArray


def check_columns(
    score: ArrayLike, variant: ArrayLike, stratum: ArrayLike | None, *, what: str = "score"
) -> tuple[NDArray[np.float64], NDArray[np.int8], NDArray[np.int64]]:
    """Check scores, versions and strata of the same rows.

    Parameters
    ----------
    score : array_like, shape (n,)
        Finite.
    variant : array_like, shape (n,)
        0 for A, 1 for B.
    stratum : array_like of int, shape (n,), or None
        At least 0; None: all rows in one.
    what : str
        What the values are called in a message.

    Returns
    -------
    tuple of ndarray
        float64, int8 and int64.

    Raises
    ------
    ValueError
        Naming the row, the value and what is allowed.

    Examples
    --------
    >>> check_columns([1.0, 0.0], [0, 2], None)
    Traceback (most recent call last):
    ...
    ValueError: variant of row 1 is 2: it must be 0 (A) or 1 (B)
    """
    score = np.asarray(score, dtype=np.float64)
    variant = np.asarray(variant)
    if score.ndim != 1 or variant.shape != score.shape:
        raise ValueError(
            f"{what} has shape {score.shape} and variant {variant.shape}: one value a row is needed"
        )
    if not np.isfinite(score).all():
        at = int(np.argmin(np.isfinite(score)))
        raise ValueError(f"{what} of row {at} is {score[at]}: it must be finite")
    known = (variant == 0) | (variant == 1)
    if not known.all():
        at = int(np.argmin(known))
        raise ValueError(f"variant of row {at} is {variant[at]}: it must be 0 (A) or 1 (B)")
    if stratum is None:
        stratum = np.zeros(len(score), dtype=np.int64)
    stratum = np.asarray(stratum, dtype=None if np.size(stratum) else np.int64)
    if stratum.shape != score.shape or not np.issubdtype(stratum.dtype, np.integer):
        raise ValueError(
            f"stratum has shape {stratum.shape} and type {stratum.dtype}: one whole number a row is needed"
        )
    if len(stratum) and stratum.min() < 0:
        raise ValueError(f"stratum of row {int(stratum.argmin())} is {stratum.min()}: it must be at least 0")
    return score, variant.astype(np.int8), stratum.astype(np.int64)


def check_weights(weight: ArrayLike | None, value: NDArray[np.float64]) -> NDArray[np.float64]:
    """Check weights of rows; without any, all rows count alike.

    Raises
    ------
    ValueError
        Another shape than the values', a weight that is not finite and above 0.

    Examples
    --------
    >>> check_weights(None, np.zeros(2)).tolist()
    [1.0, 1.0]
    """
    weight = np.ones(len(value)) if weight is None else np.asarray(weight, dtype=np.float64)
    if weight.shape != value.shape:
        raise ValueError(f"weight has shape {weight.shape}: it must be {value.shape}, one a row")
    wrong = ~((weight > 0.0) & np.isfinite(weight))
    if wrong.any():
        at = int(np.argmax(wrong))
        raise ValueError(f"weight of row {at} is {weight[at]}: it must be finite and above 0")
    return weight
