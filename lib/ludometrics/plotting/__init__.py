"""Figures: one style for the whole set, files whose bytes repeat, a caption beside each."""

from ludometrics.plotting.output import run_figure, save_figure
from ludometrics.plotting.style import (
    LINE_STYLES,
    MARKERS,
    OKABE_ITO,
    WIDTH_MM,
    Mark,
    marks,
    new_figure,
    use_style,
)

__all__ = [
    "LINE_STYLES",
    "MARKERS",
    "OKABE_ITO",
    "WIDTH_MM",
    "Mark",
    "marks",
    "new_figure",
    "run_figure",
    "save_figure",
    "use_style",
]
