"""Ratings after twenty days: our runs beside the author's one."""

import numpy as np

from ludometrics.plotting import OKABE_ITO, new_figure, run_figure

TABLES = ["draughts_simulation/ratings.csv", "draughts_simulation/replication.csv"]


def draw(ratings, claims):
    """Draw the interval of one run for each name, and what was published."""
    ratings = ratings.sort_values("mean", ignore_index=True)
    figure, axes = new_figure("double", 85)
    rows = np.arange(len(ratings))
    axes.hlines(
        rows,
        ratings["run_low"],
        ratings["run_high"],
        color=OKABE_ITO["sky"],
        linewidth=5,
        label="95 % of runs",
    )
    error = [ratings["mean"] - ratings["mean_low"], ratings["mean_high"] - ratings["mean"]]
    axes.errorbar(ratings["mean"], rows, xerr=error, fmt="|", color=OKABE_ITO["blue"], label="mean of runs")
    published = claims.set_index("claim")["published"]
    for row, name in zip(rows, ratings["name"], strict=True):
        key = f"rating of {name} after 20 days"
        if key in published:
            label = "author's run" if name == "Computer (High)" else None
            axes.plot(published[key], row, "D", color=OKABE_ITO["vermilion"], label=label)
    low, high = (published[f"{end} rating of Fin, Gus and Hal"] for end in ("lowest", "highest"))
    last = [
        row for row, name in zip(rows, ratings["name"], strict=True) if name[-3:] in ("Fin", "Gus", "Hal")
    ]
    axes.fill_betweenx(
        [min(last) - 0.4, max(last) + 0.4],
        low,
        high,
        color=OKABE_ITO["vermilion"],
        alpha=0.25,
        label="author's Fin, Gus, Hal",
    )
    axes.set_yticks(rows, ratings["name"])
    axes.set(xlabel="rating after twenty days (Elo points)")
    axes.legend(loc="lower right")
    caption = (
        f"Ratings after twenty days and 560 games, n = {ratings['n'].iloc[0]:,} runs: mean (tick), the interval that "
        "holds 95 % of single runs (bar), and the one run that the course published (diamond; shaded: the range given "
        "for three players). Fin, Gus and Hal are equal by construction, Cat and Dan nearly so. Draws by "
        "repetition, 40 quiet moves each and the 200-ply cap were in force."
    )
    return figure, caption


if __name__ == "__main__":
    run_figure(__file__, draw, TABLES)
