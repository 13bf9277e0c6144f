"""Ratings of the sample group with their intervals, under both presets, beside the true strengths."""

from ludometrics.plotting import marks, new_figure, run_figure

TABLES = ["board_night_ratings/standings.csv"]
LEAST_PLAYS = 10
TITLES = {"tuned": "tuned", "bgelo": "bgelo (as published)"}


def draw(standings):
    """Draw each player's rating, 90 % interval and true strength, one panel a preset."""
    shown = standings[standings["plays"] >= LEAST_PLAYS]
    presets = [preset for preset in TITLES if preset in set(shown["preset"])]
    order = shown[shown["preset"] == presets[0]].sort_values("strength")["player"].tolist()
    height = 30 + 6.0 * len(order)
    figure, panels = new_figure("double", height, ncols=len(presets), sharey=True, sharex=True, squeeze=False)
    look = marks(presets)
    for axes, preset in zip(panels[0], presets, strict=True):
        own = shown[shown["preset"] == preset].set_index("player").loc[order]
        color, marker, _ = look[preset]
        error = [own["rating"] - own["low"], own["high"] - own["rating"]]
        axes.errorbar(
            own["rating"], range(len(own)), xerr=error, fmt=marker, color=color, label="rating, 90 % interval"
        )
        if own["strength"].notna().any():
            axes.plot(own["strength"], range(len(own)), "x", color="black", label="true strength")
        axes.set(xlabel="points", title=TITLES[preset])
    plays = shown[shown["preset"] == presets[0]].set_index("player").loc[order, "plays"]
    panels[0, 0].set_yticks(
        range(len(order)), [f"player {len(order) - n} ({plays.iloc[n]})" for n in range(len(order))]
    )
    handles, labels = panels[0, 0].get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside lower center", ncols=2)
    caption = (
        f"Ratings of the {len(order)} players of the sample group with at least {LEAST_PLAYS} rated plays (in brackets; n = {plays.min()} to {plays.max()}), "
        "with the 90 % interval that the engine states, under the tuned settings (left) and the published ones (right, which "
        "also rate cooperative and team plays). Crosses: true strengths of the simulated players, shifted to the mean of the "
        "ratings, since only differences can be known. Players are numbered by true strength."
    )
    return figure, caption


if __name__ == "__main__":
    run_figure(__file__, draw, TABLES)
