"""How each rating moves day by day."""

from ludometrics.plotting import marks, new_figure, run_figure

TABLES = ["draughts_simulation/days.csv"]
MATCHED_FROM = 10.5


def draw(days):
    """Draw players and levels side by side: mean over the runs, and the spread of single runs."""
    figure, panels = new_figure("double", 80, ncols=2, sharey=True)
    is_level = days["name"].str.startswith("Computer")
    for axes, part, title in zip(
        panels, (days[~is_level], days[is_level]), ("players", "levels"), strict=True
    ):
        look = marks(part["name"].unique())
        order = part[part["day"] == part["day"].max()].sort_values("mean", ascending=False)["name"]
        for name in order:
            group = part[part["name"] == name]
            color, marker, linestyle = look[name]
            axes.plot(
                group["day"],
                group["mean"],
                color=color,
                marker=marker,
                markersize=3,
                linestyle=linestyle,
                label=name,
            )
            low, high = (group["mean"] + side * 1.96 * group["sd"] for side in (-1, 1))
            axes.fill_between(group["day"], low, high, color=color, alpha=0.12, linewidth=0)
        axes.axvline(MATCHED_FROM, color="#888888", linewidth=0.7)
        axes.set(xlabel="day", title=title, xticks=range(0, 21, 5))
        axes.legend(ncols=2, fontsize=6, loc="lower left")
    panels[0].set_ylabel("rating (Elo points)")
    panels[0].annotate("matched from here", (MATCHED_FROM, 1), (3, -8), xycoords=("data", "axes fraction"),
                       textcoords="offset points", fontsize=6)  # fmt: skip
    caption = (
        f"Ratings day by day in the course's simulation, n = {days['n'].iloc[0]:,} runs: mean, and the band that holds "
        "95 % of single runs (1.96 standard deviations either way). Levels are drawn at random on days 1-10 and matched "
        "on days 11-20. The levels do not change, yet their ratings wander like those of the players."
    )
    return figure, caption


if __name__ == "__main__":
    run_figure(__file__, draw, TABLES)
