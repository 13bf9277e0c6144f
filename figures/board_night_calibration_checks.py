"""How often the six checks support or refute, on sound groups and on groups broken on purpose."""

from ludometrics.plotting import OKABE_ITO, new_figure, run_figure

TABLES = ["board_night_calibration/checks.csv"]
SHADES = {
    "supported": (OKABE_ITO["blue"], ""),
    "undecided": ("0.85", ""),
    "too little data": ("white", "...."),
    "refuted": (OKABE_ITO["vermilion"], "////"),
}
WORLD = "all"
ORDER = {
    "variant": ("sound", "results shuffled", "weight shuffled", "weight reversed", "prior x4"),
    "plays": (80, 300, 1200),
    "check": ("calibration", "discrimination", "convergence", "confidence", "weight", "retrodiction"),
}


def draw(checks):
    """Draw stacked shares of verdicts, one panel a variant and number of plays."""
    world = WORLD if WORLD in set(checks["world"]) else checks["world"].iloc[0]
    own = checks[(checks["world"] == world) & (checks["check"] != "any")]
    variants, sizes, names = (
        [name for name in order if name in set(own[column])] for column, order in ORDER.items()
    )
    figure, panels = new_figure("double", 30 + 42 * len(sizes), nrows=len(sizes), ncols=len(variants), sharex=True,
                                sharey=True, squeeze=False)  # fmt: skip
    for row, plays in zip(panels, sizes, strict=True):
        row[0].set_ylabel(f"{plays} plays")
        for axes, variant in zip(row, variants, strict=True):
            part = own[(own["plays"] == plays) & (own["variant"] == variant)]
            table = part.pivot(index="check", columns="verdict", values="share").loc[names]
            left = 0.0 * table.iloc[:, 0]
            for verdict, (color, hatch) in SHADES.items():
                axes.barh(names, table[verdict], left=left, color=color, hatch=hatch, edgecolor="0.3", linewidth=0.3,
                          label=verdict)  # fmt: skip
                left = left + table[verdict]
            if plays == sizes[0]:
                axes.set_title(variant)
            axes.set_xlim(0, 1)
            axes.grid(visible=False)
    panels[0, 0].invert_yaxis()  # shared by all
    for axes in panels[-1]:
        axes.set_xlabel("share of groups")
    handles, labels = panels[0, 0].get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside lower center", ncols=4)
    caption = (
        f"Verdicts of the six checks (99 % intervals over plays) on n = {own['n'].min()} simulated groups of the kind '{world}', "
        "in which heavy games, familiar tables, long plays and wide margins do tell more: as they are (sound), and broken on "
        "purpose. A check that cannot be refuted by a broken group proves nothing; one that is refuted by a sound one is false."
    )
    return figure, caption


if __name__ == "__main__":
    run_figure(__file__, draw, TABLES)
