"""Calibration on real games: what was forecast for favourites, and what they scored."""

from ludometrics.plotting import OKABE_ITO, new_figure, run_figure

TABLES = ["rating_real_games/curves__nfl.csv", "rating_real_games/summary.csv"]
SHOWN = ("elo", "glicko1_still", "glicko1_first_move")


def draw(curves, summary):
    """Draw one panel a system, in bins of equal count."""
    figure, panels = new_figure("double", 66, ncols=len(SHOWN), sharex=True, sharey=True)
    own = summary[summary["log"] == "nfl"].set_index("entrant")
    for axes, entrant in zip(panels, SHOWN, strict=True):
        curve = curves[curves["entrant"] == entrant]
        error = [curve["outcome"] - curve["low"], curve["high"] - curve["outcome"]]
        axes.plot([0.5, 1], [0.5, 1], color="0.5", linewidth=0.8)
        axes.errorbar(
            curve["forecast"], curve["outcome"], yerr=error, fmt="o", color=OKABE_ITO["blue"], markersize=4
        )
        one = own.loc[entrant]
        slope = f"slope {one['slope']:.2f} [{one['slope_low']:.2f}, {one['slope_high']:.2f}]"
        axes.annotate(slope, (0.04, 0.92), xycoords="axes fraction", fontsize=7)
        axes.set(title=one["title"], xlabel="forecast for the favourite")
    panels[0].set_ylabel("mean score of the favourite")
    caption = (
        f"Calibration of forecasts of {int(own['games'].iloc[0]):,} NFL games, n = {int(own['n'].iloc[0])} weeks: favourites in bins of "
        "equal count, their mean forecast against their mean score with 95 % intervals of a bootstrap over whole weeks. The "
        "slope is that of the log-odds through the origin: 1 is calibrated, below 1 over-confident."
    )
    return figure, caption


if __name__ == "__main__":
    run_figure(__file__, draw, TABLES)
