"""The judging of estimates: intervals over independent units."""

from ludometrics.evaluation.intervals import Estimate, mean_interval, prediction_interval, share_interval

__all__ = ["Estimate", "mean_interval", "prediction_interval", "share_interval"]
