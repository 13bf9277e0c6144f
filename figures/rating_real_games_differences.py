"""Rating systems on real games: paired differences of log loss."""

import numpy as np

from ludometrics.plotting import OKABE_ITO, new_figure, run_figure

TABLES = ["rating_real_games/summary.csv"]


def draw(summary):
    """Draw a forest of differences, from the coin and from Elo."""
    log = summary["log"].iloc[0]
    part = summary[(summary["log"] == log) & (summary["entrant"] != "coin")]
    part = part.sort_values("log_loss", ascending=False)
    place = np.arange(len(part))
    figure, panels = new_figure("double", 78, ncols=2, sharey=True)
    for axes, baseline, words in (
        (panels[0], "coin", "log loss less the coin's"),
        (panels[1], "elo", "log loss less that of Elo, K = 32"),
    ):
        column = f"from_{baseline}"
        error = [part[column] - part[f"{column}_low"], part[f"{column}_high"] - part[column]]
        axes.errorbar(part[column], place, xerr=error, fmt="o", color=OKABE_ITO["blue"], markersize=4)
        axes.axvline(0, color="0.4", linewidth=0.8)
        axes.set(xlabel=f"{words} (nats a game)")
    panels[1].axvspan(-0.002, 0.002, color="0.9", zorder=0)
    panels[0].set_yticks(place, part["title"])
    caption = (
        f"Forecasts of {part['games'].iloc[0]:,} games of the National Football League (the second half of 2009-2018), "
        f"n = {part['n'].iloc[0]} weeks: mean log loss less that of a coin (left) and of Elo with K = 32 (right), paired game "
        "by game, with 95 % intervals of a bootstrap over whole weeks. Below 0 is better; the grey band is what counts as no "
        "difference. Best at the top."
    )
    return figure, caption


if __name__ == "__main__":
    run_figure(__file__, draw, TABLES)
