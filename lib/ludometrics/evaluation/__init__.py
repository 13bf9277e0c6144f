"""The judging of estimates and of forecasts, with intervals over independent units.

A forecast is an expected score made before the game. `log_loss`, `brier` and `correct` score it game by game;
`judge` gives every measure of a set of forecasts at once, `calibration_curve` their calibration. Settings are compared
on the same games by `compare` and `compare_many`, which give a verdict, and chosen by `tune` on games that are not
reported on. What is resampled is the unit that games share: the play, the day, the player.

>>> import numpy as np
>>> from ludometrics.evaluation import compare, judge, log_loss
>>> bold, timid, outcomes = [0.9, 0.8, 0.7, 0.2], [0.6, 0.6, 0.5, 0.5], [1, 1, 0, 0]
>>> days = ["Mon", "Mon", "Tue", "Wed"]
>>> table = judge(bold, outcomes, units=days, rng=np.random.default_rng(1))
>>> table.loc[table["measure"] == "accuracy", ["value", "n", "games"]].to_numpy().tolist()
[[0.75, 3.0, 4.0]]
>>> losses = log_loss(bold, outcomes), log_loss(timid, outcomes)
>>> compare(*losses, units=days, rng=np.random.default_rng(1)).verdict
'undecided'
"""

from ludometrics.evaluation.bootstrap import (
    cluster_errors,
    cluster_interval,
    cluster_intervals,
    statistic_interval,
)
from ludometrics.evaluation.calibration import (
    calibration_curve,
    calibration_slope,
    expected_calibration_error,
)
from ludometrics.evaluation.comparison import MARGIN, Comparison, compare, compare_many, give_verdict
from ludometrics.evaluation.intervals import (
    NORMAL_95,
    Estimate,
    mean_interval,
    prediction_interval,
    share_interval,
)
from ludometrics.evaluation.judgement import judge
from ludometrics.evaluation.logits import fit_logits, forecast_logits
from ludometrics.evaluation.scores import (
    COIN,
    brier,
    check_forecasts,
    correct,
    log_loss,
    log_loss_three,
    ranked_probability_score,
    skill,
)
from ludometrics.evaluation.tuning import Split, Tuning, one_standard_error, split, tune

__all__ = [
    "COIN",
    "MARGIN",
    "NORMAL_95",
    "Comparison",
    "Estimate",
    "Split",
    "Tuning",
    "brier",
    "calibration_curve",
    "calibration_slope",
    "check_forecasts",
    "cluster_errors",
    "cluster_interval",
    "cluster_intervals",
    "compare",
    "compare_many",
    "correct",
    "expected_calibration_error",
    "fit_logits",
    "forecast_logits",
    "give_verdict",
    "judge",
    "log_loss",
    "log_loss_three",
    "mean_interval",
    "one_standard_error",
    "prediction_interval",
    "ranked_probability_score",
    "share_interval",
    "skill",
    "split",
    "statistic_interval",
    "tune",
]
