"""Every mechanism of the engine, taken away one at a time, in every kind of group."""

import numpy as np

from ludometrics.plotting import new_figure, run_figure

TABLES = ["board_night_calibration/mechanisms.csv"]
MARGIN = 0.002  # nats a play: as good as nothing
MECHANISMS = (
    "game weight W",
    "game weight W, its shape",
    "confidence C",
    "confidence C, its shape",
    "margin G",
    "margin G, its shape",
    "duration D",
    "duration D, its shape",
    "weight shared by opponents",
    "aging in absence",
    "floor of the deviation",
    "guests as unknowns",
    "losers tied behind a flag",
    "gate",
    "confidence of the least familiar",
    "confidence of each pair",
    "spread within plays",
    "margin corrected for the forecast",
    "margin of 0.6-1.4",
    "skill of the game",
)
WORLDS = (
    "plain",
    "wide",
    "weight",
    "confidence",
    "margin",
    "duration",
    "all",
    "all (bgelo)",
    "unrelated",
    "drifting",
)
LIMIT = 0.004  # nats a play: the ends of the colour scale


def draw(mechanisms):
    """Draw a heat map of the change of the loss in truth, at the largest number of plays."""
    last = mechanisms[mechanisms["plays"] == mechanisms["plays"].max()]
    known = {"mechanism": set(last["mechanism"]), "world": set(last["world"])}
    rows = [name for name in MECHANISMS if name in known["mechanism"]]
    columns = [name for name in WORLDS if name in known["world"]]
    table = last.pivot(index="mechanism", columns="world", values="truth").loc[rows, columns]
    verdicts = last.pivot(index="mechanism", columns="world", values="verdict").loc[rows, columns]
    figure, axes = new_figure("double", 40 + 5 * len(rows))
    image = axes.imshow(table.to_numpy(), cmap="RdBu_r", vmin=-LIMIT, vmax=LIMIT, aspect="auto")
    for y, x in np.ndindex(table.shape):
        value, verdict = 1000 * table.iloc[y, x], verdicts.iloc[y, x]
        weight = "bold" if verdict in ("helps", "hurts") else "normal"
        shade = "white" if abs(value) > 800 * LIMIT else "black"
        axes.text(x, y, f"{value:+.1f}", ha="center", va="center", fontsize=6, fontweight=weight, color=shade)
    axes.set_xticks(range(len(columns)), columns, fontsize=6)
    axes.set_yticks(range(len(rows)), rows)
    axes.grid(visible=False)
    axes.set_xlabel("kind of group")
    bar = figure.colorbar(image, ax=axes, shrink=0.8, extend="both")
    bar.set_label("change of log loss (nats a play)")
    caption = (
        f"Change of the log loss of forecasts in truth by each mechanism, in thousandths of a nat a play, in groups of "
        f"{last['plays'].iloc[0]:,} plays; below 0 (blue) it helps. Bold: the 95 % interval over n = {last['n'].min()} groups "
        f"lies on one side of 0 and not within {MARGIN:g} of it. Shape: against the factor's own mean. The last rows put "
        "another way of doing a part in its place, or deal the games' skill out anew."
    )
    return figure, caption


if __name__ == "__main__":
    run_figure(__file__, draw, TABLES)
