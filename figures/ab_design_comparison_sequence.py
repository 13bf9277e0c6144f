"""A confidence sequence closing on the truth, beside ranges that hold at one look only."""

from ludometrics.plotting import OKABE_ITO, new_figure, run_figure

TABLES = ["ab_design_comparison/path.csv"]
PANELS = {"alternate_fixed": "versions alternate", "game_fixed": "version drawn for each game"}
METHODS = (("sequence", "sky", "confidence sequence"), ("default", "vermilion", "ours, for one look"))


def draw(path):
    """Draw one test in each of two designs: ranges as games come in."""
    figure, panels = new_figure("double", 72, ncols=len(PANELS), sharey=True)
    for axes, (design, title) in zip(panels, PANELS.items(), strict=True):
        rows = path[path["design"] == design]
        if not len(rows):  # a small run holds fewer designs
            continue
        for method, color, label in METHODS:
            own = rows[rows["method"] == method].dropna(subset=["low"])
            axes.fill_between(own["games"], 100 * own["low"], 100 * own["high"], color=OKABE_ITO[color],
                              alpha=0.35, linewidth=0, label=label)  # fmt: skip
            axes.plot(own["games"], 100 * own["estimate"], color=OKABE_ITO[color], linewidth=1)
        axes.axhline(0, color="0.6", linewidth=0.7)
        axes.axhline(
            100 * rows["true_effect"].iloc[-1], color="black", linewidth=0.9, linestyle="--", label="truth"
        )
        axes.set(xlabel="games", ylim=(-30, 20), title=title)
    panels[0].set_ylabel("points, B less A")
    panels[0].legend(loc="upper right", fontsize=6)
    shown = path[path["design"].isin(PANELS)]
    caption = (
        f"One test with {shown['players'].max()} players in each of two designs: the estimate and its 95 % ranges as games "
        "come in. The confidence sequence may be looked at after every game and stopped at will; the narrower range holds "
        "for one look that was fixed beforehand. n = 1 test a panel, an example; how often each is wrong over many tests "
        "is in the figure on looking every day."
    )
    return figure, caption


if __name__ == "__main__":
    run_figure(__file__, draw, TABLES)
