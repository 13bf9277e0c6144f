"""How often the closed-form 95 % intervals hold the truth, by the number of matches or games behind them."""

from ludometrics.plotting import OKABE_ITO, marks, new_figure, run_figure

TABLES = ["backgammon_known_players/coverage.csv", "backgammon_known_players/games.csv"]
WANTED = (0.94, 0.96)


def draw(coverage, games):
    """Draw coverage by units, a thin line a player and a thick one for their mean."""
    rule = coverage["rule"].iloc[0]
    coverage, games = coverage[coverage["rule"] == rule], games[games["rule"] == rule]
    panels = {
        "PR, matches drawn": coverage[coverage["measure"] == "pr"],
        "PR, games drawn": games[games["measure"] == "pr"],
        "L7, matches drawn": coverage[coverage["measure"] == "l7"],
    }
    figure, axes = new_figure("double", 68, ncols=3, sharey=True)
    for axis, (title, part) in zip(axes, panels.items(), strict=True):
        axis.axhspan(*WANTED, color=OKABE_ITO["green"], alpha=0.25, label="94 to 96 %")
        for _, own in part[part["method"] == "published"].groupby("player"):
            own = own.sort_values("units")
            axis.plot(own["units"], own["coverage"], color="0.7", linewidth=0.5)
        for method, (color, marker, linestyle) in marks(list(part["method"].unique())).items():
            mean = part[part["method"] == method].groupby("units")["coverage"].mean()
            axis.plot(
                mean.index, mean, color=color, marker=marker, linestyle=linestyle, markersize=3, label=method
            )
        mean = part.groupby("units")["coverage"].mean()
        axis.set(title=title, xscale="log", xlabel="units in the interval")
        ticks = [tick for tick in sorted(part["units"].unique()) if tick in (3, 5, 10, 20, 40)] or list(
            mean.index
        )
        axis.set_xticks(ticks, [f"{tick:g}" for tick in ticks])
        axis.minorticks_off()
    axes[0].set_ylabel("intervals that hold the truth (share)")
    axes[0].legend(fontsize=6, loc="lower right")
    pools = coverage["pool"]
    caption = (
        f"Coverage of 95 % intervals of PR and L7, by the number of units in them: n = {int(coverage['n'].max())} intervals a point and player; means of the players "
        "for 1.96 standard errors (published; grey: each player), Student's quantile, and the same on the logarithm. Units are drawn with replacement from a player's "
        f"{pools.min()} to {pools.max()} matches to seven points (or their games); the rate over all of these is the truth."
    )
    return figure, caption


if __name__ == "__main__":
    run_figure(__file__, draw, TABLES)
