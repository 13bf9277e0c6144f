"""Every number of the engine swept by itself: the loss above the truth's, in several kinds of group."""

import math

from ludometrics.plotting import marks, new_figure, run_figure

TABLES = ["board_night_calibration/numbers.csv"]
MARGIN = 0.002  # nats a play: as good as nothing
WORLDS = ("plain", "wide", "all", "drifting")


def draw(numbers):
    """Draw one panel a knob: change of the excess from the settings in use, by value, one line a kind of group."""
    worlds = [world for world in WORLDS if world in set(numbers["world"])]
    swept = numbers[(numbers["knob"] != "in use") & numbers["world"].isin(worlds)]
    knobs = list(dict.fromkeys(swept["knob"]))
    columns = 4
    rows = math.ceil(len(knobs) / columns)
    figure, panels = new_figure("double", 20 + 38 * rows, nrows=rows, ncols=columns, sharey=True)
    look = marks(worlds)
    for axes, knob in zip(panels.flat, knobs, strict=False):
        values = sorted(set(swept.loc[swept["knob"] == knob, "value"].astype(str)), key=_number)
        axes.axhspan(-MARGIN, MARGIN, color="0.92", linewidth=0)
        axes.axhline(0.0, color="0.5", linewidth=0.6)
        for world in worlds:
            own = swept[(swept["world"] == world) & (swept["knob"] == knob)]
            color, marker, linestyle = look[world]
            error = [own["difference"] - own["low"], own["high"] - own["difference"]]
            place = own["value"].astype(str).map(values.index).to_numpy()
            own, error = own.iloc[place.argsort()], [side.iloc[place.argsort()] for side in error]
            axes.errorbar(sorted(place), own["difference"], yerr=error, color=color, marker=marker, linestyle=linestyle,
                          markersize=3, linewidth=0.9, label=world)  # fmt: skip
        axes.set_xticks(range(len(values)), values, fontsize=5)
        axes.set_title(knob.replace("_", " "))
    for axes in list(panels.flat)[len(knobs) :]:
        axes.set_visible(False)
    for axes in panels[:, 0]:
        axes.set_ylabel("change of loss (nats)")
    handles, labels = panels.flat[0].get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside lower center", ncols=len(worlds))
    caption = (
        "Each number of the engine by itself: log loss above the truth's less that of the tuned settings (whose own value is not "
        f"among those drawn), paired by group, n = {swept['n'].min()} groups of each kind, 95 % intervals over groups; below 0 is "
        f"better; grey: within {MARGIN:g}, as good as nothing."
    )
    return figure, caption


def _number(value):
    """A knob's number; of two that go together ("0.8-1.2") the distance."""
    low, _, high = value.partition("-")
    return float(high) - float(low) if high else float(low)


if __name__ == "__main__":
    run_figure(__file__, draw, TABLES)
