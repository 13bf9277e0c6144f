"""Published numbers beside ours, for all studies: does the published value lie in our interval?"""

from textwrap import fill

import numpy as np
from matplotlib.ticker import MultipleLocator

from ludometrics.plotting import OKABE_ITO, new_figure, run_figure

TABLES = ["replication.csv"]

COLORS = {
    "reproduced": OKABE_ITO["blue"],
    "not reproduced": OKABE_ITO["vermilion"],
    "fitted": OKABE_ITO["purple"],
    "cannot tell": OKABE_ITO["black"],
}
MARKS = {"reproduced": "o", "not reproduced": "X", "fitted": "D", "cannot tell": "s"}
ROW_MM = 4.4
WRAP = 46  # letters of a line at the left
CUT = 4.0  # in half-widths of our interval; further values are drawn at the edge with their place in words


def draw(claims):
    """Draw one row a claim, on the scale of our own interval: 0 is our value, -1 and 1 its ends."""
    claims = claims[claims["ours"].notna()].reset_index(drop=True)
    half = (claims["ours_high"] - claims["ours_low"]) / 2
    middle = (claims["ours_high"] + claims["ours_low"]) / 2
    place = ((claims["published"] - middle) / half.where(half > 0)).fillna(0.0)
    # A line for each claim, and one above each study for its name.
    heads = claims["study"] != claims["study"].shift()
    rows = -(np.arange(len(claims)) + heads.cumsum().to_numpy()).astype(float)
    figure, axes = new_figure("double", 24 + ROW_MM * (len(claims) + heads.sum()))
    axes.axvspan(-1, 1, color="#E8EEF4", zorder=0)
    axes.axvline(0, color="#888888", linewidth=0.7)
    for verdict, group in claims.groupby("verdict"):
        axes.plot(
            place[group.index].clip(-CUT, CUT),
            rows[group.index],
            MARKS[verdict],
            color=COLORS[verdict],
            label=verdict,
        )
    axes.set_yticks(rows, [fill(claim, WRAP) for claim in claims["claim"]], fontsize=5.5, linespacing=0.9)
    for row, study in zip(rows[heads.to_numpy()], claims["study"][heads], strict=True):
        words = study.replace("_", " ")
        axes.annotate(words, (-0.02, row + 1), xycoords=("axes fraction", "data"), ha="right", va="center",
                      fontsize=6, fontweight="bold")  # fmt: skip
    for row, claim in zip(rows, claims.itertuples(), strict=True):
        text = f"{claim.published:.4g}  |  {claim.ours:.4g} [{claim.ours_low:.4g}, {claim.ours_high:.4g}]  n = {claim.n}"
        axes.annotate(text, (1.01, row), xycoords=("axes fraction", "data"), va="center", fontsize=6)
    axes.set_ylim(rows[-1] - 0.8, 0.6)
    axes.set(xlim=(-CUT - 0.3, CUT + 0.3), xlabel="published value, in half-widths of our 95 % interval")
    axes.annotate("published  |  ours [95 % interval]", (1.01, 1.0), xycoords="axes fraction", fontsize=6)
    axes.xaxis.set_major_locator(MultipleLocator(1))
    axes.grid(axis="y", visible=False)
    figure.legend(*axes.get_legend_handles_labels(), loc="outside lower center", ncols=4)
    counts = claims["verdict"].value_counts()
    tally = ", ".join(f"{counts[name]} {name}" for name in COLORS if name in counts)
    caption = (
        f"Published numbers beside ours, n = {len(claims)} claims: {tally}. The band is our 95 % interval: the "
        "prediction interval for one run where the published value is a single run, else the confidence interval "
        "of the mean. A setting was chosen to hit the fitted ones: they do not count. "
        f"Values further than {CUT:g} half-widths stand at the edge. At the right: published | ours [interval], n."
    )
    return figure, caption


if __name__ == "__main__":
    run_figure(__file__, draw, TABLES)
