"""Cost of a rating pass against the number of games."""

from ludometrics.plotting import marks, new_figure, run_figure

TABLES = ["bench/ratings_size.csv"]


def draw(sizes):
    """Draw seconds against games, with lines of equal cost a game."""
    figure, axes = new_figure("single", 70)
    for system, (color, marker, linestyle) in marks(dict.fromkeys(sizes["system"])).items():
        own = sizes[sizes["system"] == system]
        axes.plot(own["games"], own["seconds"], color=color, marker=marker, linestyle=linestyle, label=system)
    ends = [sizes["games"].min(), sizes["games"].max()]
    for nanoseconds in (10, 100):
        axes.plot(ends, [end * nanoseconds * 1e-9 for end in ends], color="0.7", linewidth=0.7, zorder=0)
        axes.annotate(f"{nanoseconds} ns a game", (ends[1], ends[1] * nanoseconds * 1e-9), fontsize=6,
                      ha="right", va="bottom")  # fmt: skip
    axes.set(xscale="log", yscale="log", xlabel="games", ylabel="CPU time (s)")
    axes.legend()
    caption = (
        f"CPU time of one pass with forecasts over n = {len(sizes) // sizes['system'].nunique()} logs of different length, a hundred "
        "games a player, after compilation; medians of five. Lines of equal cost a game rise with slope 1: cost is "
        "linear where a curve runs along them; it steps up where the ratings leave the processor's caches."
    )
    return figure, caption


if __name__ == "__main__":
    run_figure(__file__, draw, TABLES)
