"""The look that all figures share: size in millimetres, colours told apart by everyone, marks as well."""

from collections.abc import Hashable, Iterable
from importlib.resources import as_file, files
from typing import NamedTuple

import matplotlib.pyplot as plt
from matplotlib.axes import Axes
from matplotlib.figure import Figure

# Okabe and Ito's colours, in an order that keeps neighbours apart in lightness too; yellow is too pale for lines
# and black is kept for reference lines.
OKABE_ITO = {
    "blue": "#0072B2",
    "vermilion": "#D55E00",
    "green": "#009E73",
    "purple": "#CC79A7",
    "orange": "#E69F00",
    "sky": "#56B4E9",
    "yellow": "#F0E442",
    "black": "#000000",
}
MARKERS = ("o", "s", "^", "D", "v", "P", "X", "*")
LINE_STYLES = ("-", "--", "-.", ":")

# Widths of a printed page: one column, one and a half, two columns.
WIDTH_MM = {"single": 85.0, "medium": 120.0, "double": 175.0}
_MM_PER_INCH = 25.4


class Mark(NamedTuple):
    """How one series is drawn: colour, marker and line style, so that none depends on colour alone."""

    color: str
    marker: str
    linestyle: str


def use_style() -> None:
    """Switch Matplotlib to the project's style sheet.

    Source
    ------
    Own.
    """
    with as_file(files("ludometrics.plotting") / "ludometrics.mplstyle") as path:
        plt.style.use(["default", path])


def new_figure(width: str = "double", height_mm: float = 70.0, **subplots) -> tuple[Figure, Axes]:
    """Open a figure of a printed size in the project's style.

    Parameters
    ----------
    width : str
        ``single`` (85 mm), ``medium`` (120 mm) or ``double`` (175 mm).
    height_mm : float
        Height in millimetres.
    **subplots
        Passed to ``matplotlib.pyplot.subplots``.

    Returns
    -------
    (Figure, Axes or array of Axes)

    Raises
    ------
    ValueError
        A width that is none of the three.

    Source
    ------
    Own.
    """
    if width not in WIDTH_MM:
        raise ValueError(f"width is {width!r}: it must be one of {', '.join(WIDTH_MM)}")
    use_style()
    size = (WIDTH_MM[width] / _MM_PER_INCH, height_mm / _MM_PER_INCH)
    return plt.subplots(figsize=size, **subplots)


def marks(names: Iterable[Hashable]) -> dict[Hashable, Mark]:
    """Give each series a colour, a marker and a line style of its own.

    Parameters
    ----------
    names : iterable
        The series, at most six times four.

    Returns
    -------
    dict
        A `Mark` a series, the same for the same names in the same order.

    Raises
    ------
    ValueError
        More series than can be told apart.

    Examples
    --------
    >>> marks(["Elo", "Glicko"])["Glicko"].marker
    's'

    Source
    ------
    Okabe and Ito, Color Universal Design (2008).
    """
    names = list(dict.fromkeys(names))
    colors = [color for name, color in OKABE_ITO.items() if name not in ("yellow", "black")]
    if len(names) > len(colors) * len(LINE_STYLES):
        raise ValueError(
            f"{len(names)} series cannot be told apart; draw at most {len(colors) * len(LINE_STYLES)}"
        )
    return {
        name: Mark(
            colors[i % len(colors)],
            MARKERS[i % len(MARKERS)],
            LINE_STYLES[(i // len(colors)) % len(LINE_STYLES)],
        )
        for i, name in enumerate(names)
    }
