"""How well the final ratings recover the true order, and whether their intervals hold what they promise."""

from ludometrics.plotting import marks, new_figure, run_figure

TABLES = ["rating_calibration/summary.csv"]
SHOWN = ("elo", "glicko1", "glicko2", "weng_lin", "bradley_terry", "whr")


def draw(summary):
    """Draw Kendall's tau and the coverage of the stated 95 % intervals, by world."""
    worlds = list(dict.fromkeys(summary["world"]))
    figure, panels = new_figure("double", 85, ncols=2, sharey=True)
    look = marks(SHOWN)
    for number, entrant in enumerate(SHOWN):
        own = summary[summary["entrant"] == entrant].set_index("world").loc[worlds]
        color, marker, _ = look[entrant]
        place = [row + 0.12 * (number - (len(SHOWN) - 1) / 2) for row in range(len(worlds))]
        for axes, measure in zip(panels, ("tau", "coverage"), strict=True):
            if own[measure].notna().any():
                error = [own[measure] - own[f"{measure}_low"], own[f"{measure}_high"] - own[measure]]
                axes.errorbar(own[measure], place, xerr=error, fmt=marker, color=color, markersize=3.5,
                              linewidth=1, label=own["title"].iloc[0])  # fmt: skip
    panels[1].axvline(0.95, color="0.5", linewidth=0.8)
    panels[0].set(xlabel="Kendall's tau of final ratings and true strengths")
    panels[1].set(xlabel="differences within their stated 95 % intervals")
    panels[0].set_yticks(range(len(worlds)), [world.replace("_", " ") for world in worlds])
    panels[0].invert_yaxis()
    handles, labels = panels[0].get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside lower center", ncols=3)
    caption = (
        "Left: agreement of the final ratings with the true order (Kendall's tau-b, players with at least five games). "
        "Right: share of differences between two players that lie within the interval the system states (Elo states none; "
        f"the line is what is promised). Means over n = {summary['n'].min()} worlds of each kind with 95 % intervals."
    )
    return figure, caption


if __name__ == "__main__":
    run_figure(__file__, draw, TABLES)
