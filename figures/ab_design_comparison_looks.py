"""What looking every day does: share of tests in which an analysis has found a difference by then."""

from ludometrics.plotting import marks, new_figure, run_figure

TABLES = ["ab_design_comparison/looks.csv"]
PANELS = (
    ("hash_matching", 8, "by hash, 8 players"),
    ("names_matching", 8, "the course's names"),
    ("game_matching", 8, "each game, 8 players"),
    ("alternate_fixed", 24, "alternating, 24 players"),
)
METHODS = {"naive": "the course's", "default": "ours, for one look", "sequence": "confidence sequence"}


def draw(looks):
    """Draw the share of tests with a difference found at any look so far: two equal versions above, a change below."""
    figure, panels = new_figure("double", 95, nrows=2, ncols=len(PANELS), sharex=True, sharey="row")
    look = marks(METHODS)
    for row, truth in zip(panels, ("none", "course"), strict=True):
        for axes, (design, players, title) in zip(row, PANELS, strict=True):
            for method in METHODS:
                own = looks[(looks["design"] == design) & (looks["players"] == players)]
                own = own[(own["truth"] == truth) & (own["method"] == method)].sort_values("look")
                if not len(own):
                    continue
                color, marker, linestyle = look[method]
                axes.plot(own["look"], own["ever"], color=color, marker=marker, linestyle=linestyle,
                          markersize=2.2, linewidth=1, label=METHODS[method])  # fmt: skip
                axes.fill_between(
                    own["look"], own["ever_low"], own["ever_high"], color=color, alpha=0.2, linewidth=0
                )
            if truth == "none":
                axes.axhline(0.05, color="0.5", linewidth=0.7)
                axes.set_title(title, fontsize=7)
            else:
                axes.set_xlabel("look", fontsize=7)
    panels[0][0].set_ylabel("false alarms so far", fontsize=7)
    panels[1][0].set_ylabel("found so far", fontsize=7)
    handles, labels = panels[0][2].get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside lower center", ncols=3, fontsize=6.5)
    caption = (
        "Share of tests in which an analysis has spoken of a difference at this look or one before: twenty looks, one a "
        "day or after each twentieth of the games. Above two equal versions (the line: 5 %), below the course's change. "
        "Ours gives no verdict where eight players have one version each. "
        f"n = {looks['trials'].min():,} tests; bands: 95 % intervals over tests."
    )
    return figure, caption


if __name__ == "__main__":
    run_figure(__file__, draw, TABLES)
