"""How many plays a group of six needs before its two best can be told apart."""

from ludometrics.plotting import marks, new_figure, run_figure

TABLES = ["board_night_calibration/top_two.csv"]
WORLDS = ("plain", "wide")
TITLES = {"tuned": "tuned", "bgelo": "as published", "still": "no floor, no ageing"}
GAPS = ("all", "below 50", "50 to 100", "100 and more")


def draw(top_two):
    """Draw the share of groups told apart, by plays: left by engine, right by the true gap without floor."""
    worlds = [world for world in WORLDS if world in set(top_two["world"])] or [top_two["world"].iloc[0]]
    figure, panels = new_figure("double", 60 + 45 * (len(worlds) - 1), nrows=len(worlds), ncols=2, sharex=True,
                                sharey=True, squeeze=False)  # fmt: skip
    for row, world in zip(panels, worlds, strict=True):
        own = top_two[top_two["world"] == world]
        whole = own[own["gap"] == "all"]
        for engine, look in marks(list(TITLES)).items():
            _line(row[0], whole[whole["engine"] == engine], look, TITLES[engine])
        still = own[own["engine"] == "still"]
        for gap, look in marks(GAPS).items():
            part = still[still["gap"] == gap]
            if gap != "all" and len(part):
                _line(row[1], part, look, f"{gap} points (n = {part['n'].min()})")
        row[0].set(ylabel=f"{world}: two best told apart", xscale="log", ylim=(-0.03, 1.03))
        row[0].legend(
            title=f"all gaps, n = {whole['n'].min()}", fontsize=6, title_fontsize=6, loc="upper left"
        )
        row[1].legend(title="no floor, true gap", fontsize=6, title_fontsize=6, loc="upper left")
    sizes = sorted(set(top_two["plays"]))
    for axes in panels[-1]:
        axes.set_xlabel("plays of the group of six")
        axes.set_xticks(sizes, [f"{size:g}" for size in sizes])
        axes.minorticks_off()
    caption = (
        f"Share of n = {top_two['n'].max()} simulated groups of six of each kind whose two truly best players are told apart in the right order, that is, whose 95 % "
        "interval of the difference of their ratings leaves out 0, by plays; bars: 95 % (Wilson). Left: by engine; the floor "
        "under the deviation keeps that interval wide for ever. Right: without floor and ageing, by the true gap of the two. "
        f"Groups: {', '.join(worlds)} (plain: people as far apart as those of real groups seem to be; wide: twice as far)."
    )
    return figure, caption


def _line(axes, part, look, label):
    color, marker, linestyle = look
    error = [part["right"] - part["right_low"], part["right_high"] - part["right"]]
    style = {"color": color, "marker": marker, "linestyle": linestyle, "markersize": 4, "label": label}
    axes.errorbar(part["plays"], part["right"], yerr=error, **style)


if __name__ == "__main__":
    run_figure(__file__, draw, TABLES)
