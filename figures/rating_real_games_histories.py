"""Rating histories of a few teams, with their deviations."""

import numpy as np

from ludometrics.plotting import marks, new_figure, run_figure

TABLES = ["rating_real_games/history__nfl.csv"]
COLUMNS = 3


def draw(history):
    """Draw one panel a team: its rating and the band of 95 %, the others in grey."""
    players = list(dict.fromkeys(history.sort_values("day")["player"]))
    rows = -(-len(players) // COLUMNS)
    figure, panels = new_figure("double", 20 + 38 * rows, nrows=rows, ncols=COLUMNS, sharex=True, sharey=True)
    look = marks(players)
    for axes, player in zip(np.ravel(panels), players, strict=False):
        for other in players:
            part = history[history["player"] == other]
            axes.plot(_years(part["day"]), part["rating"], color="0.85", linewidth=0.6, zorder=0)
        own = history[history["player"] == player]
        year, color = _years(own["day"]), look[player].color
        low, high = (own["rating"] + side * 1.96 * own["deviation"] for side in (-1, 1))
        axes.fill_between(year, low, high, color=color, alpha=0.2, linewidth=0)
        axes.plot(year, own["rating"], color=color)
        axes.set_title(player)
    for axes in np.ravel(panels)[len(players) :]:
        axes.set_axis_off()
    figure.supylabel("rating (Elo points)", fontsize=8)
    caption = (
        f"Ratings of the n = {len(players)} teams that stand highest at the end of the log, by Glicko-1 that learns the home "
        "advantage: rating and 95 % interval (1.96 deviations either way) as of each day, from the games up to it. Intervals "
        "widen in the months without games. Grey: the other teams shown."
    )
    return figure, caption


def _years(days):
    return 1970 + days / 365.2425


if __name__ == "__main__":
    run_figure(__file__, draw, TABLES)
