"""The course's two experiments: the range they gave, an honest one, and what the difference is made of."""

from ludometrics.plotting import OKABE_ITO, new_figure, run_figure

TABLES = ["ab_design_comparison/experiments.csv", "ab_design_comparison/parts.csv"]
NAMES = {"first": "first: by hash of the name", "second": "second: everybody meets both"}
PARTS = (
    ("names_matching", "players", "who played"),
    ("names_matching", "version", "the version"),
    ("names_matching", "difference", "difference"),
    ("names_matching", "players_without", "who played, without Ada"),
    ("hash_matching", "players", "who played, names dealt anew"),
    ("alternate_fixed", "players", "who played, second experiment"),
)


def draw(experiments, parts):
    """Draw both ranges of each experiment, and the parts of the difference with the spread of a run."""
    figure, (left, right) = new_figure("double", 72, ncols=2, width_ratios=(1, 1))
    for place, row in enumerate(experiments.itertuples(index=False)):
        for low, high, shift, color, label in (
            (row.low, row.high, -0.13, "vermilion", "as published"),
            (row.honest_low, row.honest_high, 0.13, "blue", "that allows for who played"),
        ):
            error = [[100 * (row.estimate - low)], [100 * (high - row.estimate)]]
            left.errorbar(100 * row.estimate, place + shift, xerr=error, fmt="o", color=OKABE_ITO[color],
                          label=label if place == 0 else None)  # fmt: skip
        left.plot(100 * row.true_effect, place, "D", color="black", markersize=3.5,
                  label="true effect" if place == 0 else None)  # fmt: skip
    left.axvline(0, color="0.6", linewidth=0.7)
    left.set_yticks(range(len(experiments)), [NAMES[name] for name in experiments["experiment"]], fontsize=6)
    left.set(ylim=(len(experiments) - 0.4, -0.6), xlabel="points, B less A (95 % range)")
    figure.legend(*left.get_legend_handles_labels(), loc="outside lower left", ncols=3, fontsize=6.5)
    own = parts[parts["truth"] == "course"].set_index(["design", "quantity"])
    for place, (design, quantity, _) in enumerate(PARTS):
        row = own.loc[(design, quantity)]
        right.errorbar(100 * row["mean"], place, xerr=196 * row["sd"], fmt="o", color=OKABE_ITO["green"])
    right.axvline(0, color="0.6", linewidth=0.7)
    right.set_yticks(range(len(PARTS)), [words for _, _, words in PARTS], fontsize=6)
    right.set(ylim=(len(PARTS) - 0.5, -0.5), xlabel="points: mean, and 95 % of runs")
    caption = (
        "Left: the adaptive-draughts course's two A/B tests with the range that its analysis gives and the range that "
        "the same experiment shows when it is run again and again (in the first with players dealt anew); the "
        "diamond is the true effect. Right: what the difference between the groups is made of, with the spread of single runs. "
        f"n = {parts['n'].min():,} runs or more."
    )
    return figure, caption


if __name__ == "__main__":
    run_figure(__file__, draw, TABLES)
