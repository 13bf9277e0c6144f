"""How strong each level of the draughts opponent is, and the ladder chosen from them."""

from ludometrics.plotting import OKABE_ITO, marks, new_figure, run_figure

TABLES = ["draughts_levels/levels.csv"]


def draw(levels):
    """Draw the rating of every candidate by its carelessness, a line a depth; ring the ladder."""
    figure, axes = new_figure("double", 85)
    look = marks(sorted(levels["depth"].unique()))
    for depth, group in levels.sort_values("chance").groupby("depth"):
        color, marker, linestyle = look[depth]
        error = [group["rating"] - group["rating_low"], group["rating_high"] - group["rating"]]
        axes.errorbar(
            group["chance"],
            group["rating"],
            error,
            color=color,
            marker=marker,
            linestyle=linestyle,
            label=f"depth {depth}",
        )
    chosen = levels[levels["level"] != "-"].sort_values("rating")
    axes.plot(
        chosen["chance"], chosen["rating"], "o", markersize=10, fillstyle="none", color=OKABE_ITO["black"]
    )
    for row in chosen.itertuples():
        axes.annotate(row.level, (row.chance, row.rating), (7, 5), textcoords="offset points", fontsize=7)
    axes.set(xlabel="chance of a careless move", ylabel="rating (Elo points; depth 4, chance 0.10 has 1500)")
    axes.legend(title="looks ahead", ncols=2)
    steps = chosen["rating"].diff().dropna()
    caption = (
        f"Ratings of {len(levels)} levels from games against each other (Bradley-Terry, draws counting half; "
        f"n = {levels['n'].min():,.0f} to {levels['n'].max():,.0f} games a level; bars: 95 % intervals of the "
        "distance to the reference, mostly smaller than the marks). "
        f"Ringed: the ladder of {len(chosen)} levels, with steps of {steps.min():.0f} to {steps.max():.0f} points. "
        "At depth 1 carelessness hardly matters."
    )
    return figure, caption


if __name__ == "__main__":
    run_figure(__file__, draw, TABLES)
