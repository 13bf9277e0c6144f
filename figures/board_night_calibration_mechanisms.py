"""What W, C, G and D do to forecasts where they are true and where they are false, and who can see it."""

from ludometrics.plotting import marks, new_figure, run_figure

TABLES = ["board_night_calibration/mechanisms.csv"]
MARGIN = 0.002  # nats a play: as good as nothing
FOUR = {
    "game weight W": "weight",
    "confidence C": "confidence",
    "margin G": "margin",
    "duration D": "duration",
}


def draw(mechanisms):
    """Draw above the change of the loss in truth by plays, below the share of groups that see it help or hurt."""
    worlds, sizes = set(mechanisms["world"]), sorted(set(mechanisms["plays"]))
    figure, panels = new_figure("double", 120, nrows=2, ncols=4, sharex=True, sharey="row")
    look = marks(["false", "true", "all true"])
    for column, (mechanism, world) in enumerate(FOUR.items()):
        above, below = panels[:, column]
        above.axhspan(-MARGIN, MARGIN, color="0.92", linewidth=0)
        kinds = {"false": "plain", "true": world, "all true": "all"}
        for name, kind in kinds.items():
            if kind not in worlds:
                continue
            own = mechanisms[(mechanisms["world"] == kind) & (mechanisms["mechanism"] == mechanism)]
            color, marker, linestyle = look[name]
            style = {"color": color, "marker": marker, "linestyle": linestyle, "markersize": 4}
            error = [own["truth"] - own["low"], own["high"] - own["truth"]]
            above.errorbar(own["plays"], own["truth"], yerr=error, label=name, **style)
            below.plot(own["plays"], own["helps"], **style)
            below.plot(own["plays"], -own["hurts"], **style)
        above.set(title=mechanism, xscale="log")
        above.set_xticks(sizes, [f"{size:g}" for size in sizes], fontsize=6)
        above.minorticks_off()
        above.axhline(0.0, color="0.5", linewidth=0.6)
        below.axhline(0.0, color="0.5", linewidth=0.6)
        below.set(xlabel="plays of the group")
    panels[0, 0].set_ylabel("change of log loss in truth\n(nats a play)")
    panels[1, 0].set_ylabel("groups that see it\nhurt (below 0)   help (above 0)")
    panels[1, 0].yaxis.set_major_formatter(lambda value, _: f"{abs(value):.0%}")
    panels[1, 0].set_ylim(-0.55, 0.55)
    handles, labels = panels[0, 0].get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside lower center", ncols=3)
    caption = (
        "Above: log loss of walk-forward forecasts with a mechanism less that without it, measured by the true chances, by the "
        f"number of plays; below 0 it helps; grey: within {MARGIN:g}, as good as nothing. Below: share of groups whose own results "
        f"show it (95 % paired interval over plays). n = {mechanisms['n'].min()} simulated groups of each kind, 95 % intervals "
        "over groups: in which the belief behind the mechanism is false, true, and in which all four are true."
    )
    return figure, caption


if __name__ == "__main__":
    run_figure(__file__, draw, TABLES)
