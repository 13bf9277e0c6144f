"""The expected-score curve of the Elo scale, and what simulated players truly score along it."""

from ludometrics.plotting import OKABE_ITO, marks, new_figure, run_figure

TABLES = ["draughts_simulation/expected_score.csv"]


def draw(scores):
    """Draw each player against each of the nine levels, over the curve."""
    figure, axes = new_figure("double", 80)
    line = scores.sort_values("difference")
    axes.plot(line["difference"], line["expected"], color=OKABE_ITO["black"], label="expected score")
    look = marks(scores["player"].unique())
    for player, group in scores.groupby("player"):
        error = [group["score"] - group["low"], group["high"] - group["score"]]
        color, marker, _ = look[player]
        axes.errorbar(group["difference"], group["score"], error, fmt=marker, color=color, label=player)
    axes.axhline(0.5, color="#AAAAAA", linewidth=0.7)
    axes.set(
        xlabel="player's rating above the level's (Elo points)",
        ylabel="score of the player (win 1, draw ½)",
        ylim=(-0.02, 1.02),
    )
    axes.legend(loc="center left", bbox_to_anchor=(1.0, 0.5))
    off = (scores["score"] - scores["expected"]).abs().max()
    caption = (
        "Expected score, 1 / (1 + 10^(-d/400)) for a difference of d points, and the measured score of eight simulated "
        f"players against nine levels (n = {scores['n'].min():,} games a point or more, half with each colour; bars: "
        "95 % intervals, mostly smaller than the marks). Ratings of players are those at which the curve gives their "
        f"mean score. Points lie off the curve by up to {off:.2f}, which is no noise: strength at this game is not "
        "quite one number a side."
    )
    return figure, caption


if __name__ == "__main__":
    run_figure(__file__, draw, TABLES)
