"""How near each rating system's forecasts are to the truth, in each kind of world."""

import numpy as np
from matplotlib.ticker import MaxNLocator

from ludometrics.plotting import OKABE_ITO, new_figure, run_figure

TABLES = ["rating_calibration/summary.csv"]
COLUMNS = 3


def draw(summary):
    """Draw one panel a world: log loss above the oracle's, with its interval over worlds."""
    worlds = list(dict.fromkeys(summary["world"]))
    ranked = summary[summary["rank"].notna()]
    order = ranked.groupby("title")["rank"].mean().sort_values(ascending=False).index
    rows = -(-len(worlds) // COLUMNS)
    figure, panels = new_figure(
        "double", 22 + 52 * rows, nrows=rows, ncols=COLUMNS, sharey=True, squeeze=False
    )
    for axes, world in zip(panels.flat, worlds, strict=False):
        part = ranked[ranked["world"] == world].set_index("title").loc[order]
        place = np.arange(len(part))
        better, worse = part["verdict"] == "helps", part["verdict"] == "hurts"
        for chosen, color, marker, label in (
            (better, "blue", "o", "better than Elo"),
            (worse, "vermilion", "X", "worse"),
            (~(better | worse), "black", "s", "no difference shown"),
        ):
            own = part[chosen]
            error = [own["excess"] - own["excess_low"], own["excess_high"] - own["excess"]]
            axes.errorbar(own["excess"], place[chosen], xerr=error, fmt=marker, color=OKABE_ITO[color],
                          markersize=3.5, linewidth=1, label=label)  # fmt: skip
        axes.set(title=world.replace("_", " "))
        axes.set_xlim(left=0)
        axes.xaxis.set_major_locator(MaxNLocator(4))
        axes.set_yticks(place, order, fontsize=6)
        axes.tick_params(axis="x", labelsize=6)
    for axes in panels.flat[len(worlds) :]:
        axes.set_axis_off()
    figure.supxlabel("log loss above the oracle's (nats a game)", fontsize=8)
    handles, labels = panels.flat[0].get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside upper center", ncols=3)
    n = ranked["n"]
    caption = (
        f"How far the forecasts of each rating system are from the truth, n = {n.min()} worlds of each kind: mean log loss "
        "above that of an oracle who knows the true expected scores, in expectation over the outcomes of the second half "
        "of the games, with its 95 % interval over worlds. Colour and marker: verdict of the difference from "
        "Elo with K = 32, paired by world; within 0.002 nats it counts as none. Systems from best (top) to worst by "
        "their mean rank."
    )
    return figure, caption


if __name__ == "__main__":
    run_figure(__file__, draw, TABLES)
