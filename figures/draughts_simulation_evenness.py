"""How even games were before and after matching: the course's measure, and two without its faults."""

import numpy as np

from ludometrics.plotting import OKABE_ITO, marks, new_figure, run_figure

TABLES = ["draughts_simulation/evenness.csv", "draughts_simulation/replication.csv"]
MEASURES = {
    "mean_distance": "course's measure:\n|mean score - 0.5|",
    "rms": "without its bias:\nroot mean square",
    "game_distance": "of each game:\n|expected score - 0.5|",
}
SCENARIOS = {"course": "course, three levels", "default": "nine levels, our rule"}


def draw(evenness, claims):
    """Draw each measure on days 1-10 and 11-20, for the course's rule and ours."""
    figure, panels = new_figure("double", 72, ncols=len(MEASURES), sharey=True)
    look = marks(SCENARIOS)
    for axes, (measure, title) in zip(panels, MEASURES.items(), strict=True):
        for shift, (scenario, label) in zip((-0.06, 0.06), SCENARIOS.items(), strict=True):
            part = evenness[(evenness["scenario"] == scenario) & (evenness["measure"] == measure)]
            part = part.set_index("phase").loc[["1-10", "11-20"]]
            error = [part["value"] - part["low"], part["high"] - part["value"]]
            color, marker, linestyle = look[scenario]
            places = np.arange(2) + shift
            axes.errorbar(
                places, part["value"], error, color=color, marker=marker, linestyle=linestyle, label=label
            )
            if part["run_low"].notna().all():
                axes.vlines(places, part["run_low"], part["run_high"], color=color, alpha=0.25, linewidth=4)
        axes.set_xticks([0, 1], ["days 1-10", "days 11-20"])
        axes.set(title=title, xlim=(-0.4, 1.4))
    published = [
        claims.set_index("claim")["published"][f"evenness, days {phase}"] for phase in ("1-10", "11-20")
    ]
    panels[0].plot(
        [0, 1], published, "D", color=OKABE_ITO["vermilion"], fillstyle="none", label="author's run"
    )
    panels[0].set_ylabel("distance from an even game")
    panels[0].set_ylim(0, None)
    figure.legend(*panels[0].get_legend_handles_labels(), loc="outside lower center", ncols=3)
    n = evenness.groupby("scenario")["n"].first()
    caption = (
        "How far games were from even before and after matching, by three measures; 0 is even. "
        f"n = {n['course']:,} runs of the course's simulation, {n['default']:,} of ours; bars: 95 % intervals of the mean "
        "over runs, mostly smaller than the marks; pale: 95 % of single runs. Diamonds: the course's published run (the "
        "levels were chosen to hit these two). On days 1-10 the course draws levels at random, ours matches at once."
    )
    return figure, caption


if __name__ == "__main__":
    run_figure(__file__, draw, TABLES)
