"""What each type of player scores against version A of the level under test, and how far versions B change it."""

from ludometrics.plotting import OKABE_ITO, marks, new_figure, run_figure

TABLES = ["draughts_outcomes/types.csv", "draughts_outcomes/groups.csv"]
NAMES = {"course": "B of the course (chance 0.05)", "large": "large difference (chance 0.25)"}


def draw(types, groups):
    """Draw the effect of each version B over the score against A; dashed: the mean of the 24 types."""
    figure, axes = new_figure("double", 80)
    look = marks(NAMES)
    axes.axhline(0.0, color=OKABE_ITO["black"], linewidth=0.8)
    for truth, name in NAMES.items():
        rows = types[types["truth"] == truth]
        color, marker, _ = look[truth]
        error = [100 * (rows["effect"] - rows["effect_low"]), 100 * (rows["effect_high"] - rows["effect"])]
        axes.errorbar(
            rows["score_a"], 100 * rows["effect"], error, color=color, marker=marker, linestyle="", label=name
        )
        mean = groups.loc[(groups["players"] == "types") & (groups["truth"] == truth), "effect"].item()
        axes.axhline(100 * mean, color=color, linestyle="--", linewidth=0.8)
    axes.set(xlabel="expected score against version A (depth 4, chance 0.10)", ylabel="B less A (points)")
    axes.legend(title="version B")
    games = types.loc[types["truth"] != "none", "n"]
    means = groups[(groups["players"] == "types") & (groups["truth"] != "none")].set_index("truth")["effect"]
    caption = (
        f"True effect of a version B of the level under test on each of {types['type'].nunique()} types of players, from "
        f"games really played (n = {games.min():,.0f} games a point, half of them against A; bars: 95 % intervals). "
        f"Dashed: mean of the types, {100 * means['course']:.1f} and {100 * means['large']:+.1f} points. Players who "
        "hardly ever score are hardly affected."
    )
    return figure, caption


if __name__ == "__main__":
    run_figure(__file__, draw, TABLES)
