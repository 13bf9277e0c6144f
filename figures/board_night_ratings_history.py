"""Ratings of the sample group over its playing time, with their deviations."""

from ludometrics.plotting import marks, new_figure, run_figure

TABLES = ["board_night_ratings/history__tuned.csv", "board_night_ratings/standings__tuned.csv"]
SHOWN = 6


def draw(history, standings):
    """Draw the lines of the players with most rated plays, each in a panel of its own before the others in grey."""
    most = standings.sort_values(["plays", "place"], ascending=[False, True]).head(SHOWN)
    order = most.sort_values("place")
    figure, panels = new_figure("double", 105, nrows=2, ncols=SHOWN // 2, sharex=True, sharey=True)
    look = marks(order["player"].tolist())
    for axes, row in zip(panels.flat, order.itertuples(), strict=False):
        for _, own in history.groupby("player"):
            axes.plot(own["hours"], own["rating"], color="0.85", linewidth=0.6)
        own = history[history["player"] == row.player]
        color, _, linestyle = look[row.player]
        axes.plot(own["hours"], own["rating"], color=color, linestyle=linestyle)
        ends = (own["rating"] + z * own["deviation"] for z in (-1, 1))
        axes.fill_between(own["hours"], *ends, color=color, alpha=0.2, linewidth=0)
        axes.axhline(row.strength, color="black", linewidth=0.8, linestyle=":")
        axes.set_title(f"place {row.place}, n = {row.plays} plays")
    for axes in panels[1]:
        axes.set_xlabel("playing time (hours)")
    for axes in panels[:, 0]:
        axes.set_ylabel("rating (points)")
    caption = (
        f"Ratings of the {len(order)} players of the sample group with most rated plays (n = {order['plays'].min()} to "
        f"{order['plays'].max()}, above each panel), tuned settings, "
        "over the group's cumulative playing time, with one deviation either way as each play left it; grey: everybody else. "
        "Dotted: the true strength of the simulated player, shifted to the mean of the ratings."
    )
    return figure, caption


if __name__ == "__main__":
    run_figure(__file__, draw, TABLES)
