"""Scores of forecasts: one loss a game, so that they can be averaged, resampled and compared game by game."""

import math

import numpy as np
from numpy.typing import ArrayLike, NDArray

#: Log loss of a coin, which forecasts 0.5 in every game: ln 2.
COIN = math.log(2.0)
#: What a forecast is raised to in a logarithm: the largest log loss of a game is -ln(1e-12) = 27.6.
CLIP = 1e-12
#: How far the three probabilities of a game may be from a sum of 1: what single precision loses.
SUM_TOLERANCE = 1e-6


def log_loss(forecasts: ArrayLike, outcomes: ArrayLike, *, clip: float = CLIP) -> NDArray[np.float64]:
    """Score each forecast by its log loss: -y ln max(p, clip) - (1 - y) ln max(1 - p, clip).

    A draw is scored by its cross-entropy with one half, which is never below ln 2 whatever the forecast: among
    many draws no forecast looks better than the coin, so that decisive games should be judged apart.

    Parameters
    ----------
    forecasts : array_like, shape (n,)
        Expected score of the first player, in [0, 1].
    outcomes : array_like, shape (n,)
        Score of the first player: 0, 0.5 or 1.
    clip : float
        Floor of the two probabilities within the logarithm, above 0 and below 0.5: a forecast of exactly 0 or 1
        that fails costs -ln(clip) and not infinity.

    Returns
    -------
    ndarray of float64, shape (n,)
        In nats, 0 to -ln(clip); the coin has `COIN` in every game.

    Raises
    ------
    ValueError
        Naming the first game at fault, its value and what is allowed; arrays of different length; another clip.

    Source
    ------
    Good, Rational decisions, Journal of the Royal Statistical Society B 14 (1952). The floor is own: it is the
    same for both players, so that swapping them changes nothing.

    Examples
    --------
    >>> log_loss([0.8, 0.5, 1.0], [1, 0.5, 0]).round(4).tolist()
    [0.2231, 0.6931, 27.631]
    """
    forecasts, outcomes = check_forecasts(forecasts, outcomes)
    _check_clip(clip)
    return 0.0 - (
        outcomes * np.log(np.maximum(forecasts, clip))
        + (1.0 - outcomes) * np.log(np.maximum(1.0 - forecasts, clip))
    )


def brier(forecasts: ArrayLike, outcomes: ArrayLike) -> NDArray[np.float64]:
    """Score each forecast by its squared error: (p - y)^2.

    Parameters
    ----------
    forecasts : array_like, shape (n,)
        Expected score of the first player, in [0, 1].
    outcomes : array_like, shape (n,)
        Score of the first player: 0, 0.5 or 1.

    Returns
    -------
    ndarray of float64, shape (n,)
        In [0, 1]; the coin has 0.25 in a decisive game and 0 in a draw.

    Raises
    ------
    ValueError
        As `log_loss`.

    Source
    ------
    Brier, Monthly Weather Review 78 (1950), halved: over one of the two outcomes.

    Examples
    --------
    >>> brier([0.8, 0.5, 1.0], [1, 0.5, 0]).round(4).tolist()
    [0.04, 0.0, 1.0]
    """
    forecasts, outcomes = check_forecasts(forecasts, outcomes)
    return np.square(forecasts - outcomes)


def correct(forecasts: ArrayLike, outcomes: ArrayLike) -> NDArray[np.float64]:
    """Tell in which decisive games the favourite won; the mean over them is the accuracy.

    Parameters
    ----------
    forecasts : array_like, shape (n,)
        Expected score of the first player, in [0, 1].
    outcomes : array_like, shape (n,)
        Score of the first player: 0, 0.5 or 1.

    Returns
    -------
    ndarray of float64, shape (n,)
        1 where the favourite won, 0 where it lost, 0.5 where a forecast of exactly 0.5 names none, and NaN in a
        draw, which is neither right nor wrong.

    Raises
    ------
    ValueError
        As `log_loss`.

    Source
    ------
    Own.

    Examples
    --------
    >>> correct([0.8, 0.8, 0.5, 0.8], [1, 0, 1, 0.5]).tolist()
    [1.0, 0.0, 0.5, nan]
    """
    forecasts, outcomes = check_forecasts(forecasts, outcomes)
    right = 0.5 + 0.5 * np.sign(forecasts - 0.5) * np.sign(outcomes - 0.5)
    return np.where(outcomes == 0.5, np.nan, right)


def skill(mean_log_loss: float) -> float:
    """Skill against the coin: 1 - (mean log loss) / ln 2.

    Parameters
    ----------
    mean_log_loss : float
        In nats.

    Returns
    -------
    float
        1 for one who knows every decisive game, 0 for the coin, below 0 for what is worse than the coin. Draws
        pull it to 0: over games of which a share d are drawn it is at most 1 - d.

    Source
    ------
    Own; a skill score with the coin as its reference.

    Examples
    --------
    >>> skill(COIN), round(skill(0.6), 4)
    (0.0, 0.1344)
    """
    return 1.0 - mean_log_loss / COIN


def log_loss_three(
    probabilities: ArrayLike, outcomes: ArrayLike, *, clip: float = CLIP
) -> NDArray[np.float64]:
    """Score each forecast of three outcomes by its log loss: -ln max(probability of what happened, clip).

    Parameters
    ----------
    probabilities : array_like, shape (n, 3)
        Probability that the first player loses, draws and wins, in the order of its score; rows sum to 1.
    outcomes : array_like, shape (n,)
        Score of the first player: 0, 0.5 or 1.
    clip : float
        Floor of a probability, above 0 and below 0.5.

    Returns
    -------
    ndarray of float64, shape (n,)
        In nats. Not to be compared with `log_loss`: a draw can be foreseen here.

    Raises
    ------
    ValueError
        A row that is not three probabilities with sum 1, an unknown outcome, naming the game and the value.

    Source
    ------
    Good, Rational decisions, Journal of the Royal Statistical Society B 14 (1952).

    Examples
    --------
    >>> log_loss_three([[0.2, 0.3, 0.5], [0.2, 0.3, 0.5]], [1, 0.5]).round(4).tolist()
    [0.6931, 1.204]
    """
    probabilities, outcomes = _check_probabilities(probabilities, outcomes)
    _check_clip(clip)
    happened = probabilities[np.arange(len(outcomes)), (2.0 * outcomes).astype(np.int64)]
    return 0.0 - np.log(np.maximum(happened, clip))


def ranked_probability_score(probabilities: ArrayLike, outcomes: ArrayLike) -> NDArray[np.float64]:
    """Score each forecast of three ordered outcomes: half the sum of squared errors of its cumulative sums.

    A forecast of a win costs less when a draw follows than when a loss does, unlike in `log_loss_three`.

    Parameters
    ----------
    probabilities : array_like, shape (n, 3)
        Probability that the first player loses, draws and wins, in the order of its score; rows sum to 1.
    outcomes : array_like, shape (n,)
        Score of the first player: 0, 0.5 or 1.

    Returns
    -------
    ndarray of float64, shape (n,)
        In [0, 1]. Without draws in forecast and outcome it is the Brier score.

    Raises
    ------
    ValueError
        As `log_loss_three`.

    Source
    ------
    Epstein, Journal of Applied Meteorology 8 (1969); divided by the number of outcomes less one.

    Examples
    --------
    >>> ranked_probability_score([[0, 0, 1], [0, 0, 1], [0.25, 0.25, 0.5]], [0.5, 0, 1]).tolist()
    [0.5, 1.0, 0.15625]
    """
    probabilities, outcomes = _check_probabilities(probabilities, outcomes)
    not_above = np.column_stack([outcomes <= 0.0, outcomes <= 0.5])
    return np.square(probabilities.cumsum(axis=1)[:, :2] - not_above).mean(axis=1)


def check_forecasts(
    forecasts: ArrayLike, outcomes: ArrayLike
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Check forecasts and outcomes, and give them as arrays.

    Parameters
    ----------
    forecasts : array_like, shape (n,)
        Expected score of the first player, in [0, 1].
    outcomes : array_like, shape (n,)
        Score of the first player: 0, 0.5 or 1.

    Returns
    -------
    forecasts, outcomes : ndarray of float64, shape (n,)

    Raises
    ------
    ValueError
        Naming the first game at fault, its value and what is allowed; or arrays of different length.

    Examples
    --------
    >>> check_forecasts([0.5, 1.2], [1, 0])
    Traceback (most recent call last):
    ...
    ValueError: forecast of game 1 is 1.2: it must be in [0, 1]
    """
    forecasts = np.asarray(forecasts, dtype=np.float64)
    if forecasts.ndim != 1:
        raise ValueError(f"forecasts has shape {forecasts.shape}: it must be (n,)")
    outcomes = _check_outcomes(outcomes, len(forecasts))
    wrong = ~((forecasts >= 0.0) & (forecasts <= 1.0))  # so written that NaN is wrong
    if wrong.any():
        game = int(np.argmax(wrong))
        raise ValueError(f"forecast of game {game} is {float(forecasts[game])}: it must be in [0, 1]")
    return forecasts, outcomes


def _check_probabilities(
    probabilities: ArrayLike, outcomes: ArrayLike
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    probabilities = np.asarray(probabilities, dtype=np.float64)
    if probabilities.ndim != 2 or probabilities.shape[1] != 3:
        raise ValueError(f"probabilities has shape {probabilities.shape}: it must be (n, 3)")
    outcomes = _check_outcomes(outcomes, len(probabilities))
    inside = ((probabilities >= 0.0) & (probabilities <= 1.0)).all(axis=1)
    wrong = ~(inside & (np.abs(probabilities.sum(axis=1) - 1.0) <= SUM_TOLERANCE))
    if wrong.any():
        game = int(np.argmax(wrong))
        raise ValueError(
            f"probabilities of game {game} are {probabilities[game].tolist()}: "
            "they must be in [0, 1] and sum to 1"
        )
    return probabilities, outcomes


def _check_outcomes(outcomes: ArrayLike, n_games: int) -> NDArray[np.float64]:
    outcomes = np.asarray(outcomes, dtype=np.float64)
    if outcomes.shape != (n_games,):
        raise ValueError(f"outcomes has shape {outcomes.shape}: it must be ({n_games},), one for each game")
    wrong = ~np.isin(outcomes, (0.0, 0.5, 1.0))
    if wrong.any():
        game = int(np.argmax(wrong))
        raise ValueError(f"outcome of game {game} is {float(outcomes[game])}: it must be 0, 0.5 or 1")
    return outcomes


def _check_clip(clip: float) -> None:
    if not 0.0 < clip < 0.5:
        raise ValueError(f"clip is {clip!r}: it must be above 0 and below 0.5")
