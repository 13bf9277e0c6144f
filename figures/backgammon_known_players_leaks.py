"""Whether biases and study plan find the planted leak, and how often biases accuse players without one."""

from ludometrics.plotting import marks, new_figure, run_figure

TABLES = ["backgammon_known_players/biases.csv", "backgammon_known_players/plans.csv"]
NAMES = {"takes": "takes and passes", "doubles": "doubles", "blots": "blots"}


def draw(biases, plans):
    """Draw shares by matches: planted leaks found, innocents accused, planted family first in the plan."""
    rule = biases["rule"].iloc[0]
    biases, plans = biases[biases["rule"] == rule], plans[plans["rule"] == rule]
    figure, axes = new_figure("double", 78, ncols=3, sharey=True)
    planted = biases[(biases["role"] == "planted") & (biases["least_mp"] == 0)]
    for player, look in marks(list(planted["player"].unique())).items():
        own = planted[planted["player"] == player]
        _line(axes[0], own["matches"], own["found"], look, f"{player} ({own['bias'].iloc[0]})")
    innocent = biases[biases["role"] == "innocent"].groupby(["bias", "least_mp", "matches"])["accused"].mean()
    for bias, look in marks(list(NAMES)).items():
        for least, part in innocent.loc[bias].groupby("least_mp"):
            color, marker, _ = look
            style = color, marker if least == 0 else "none", "-" if least == 0 else ":"
            label = NAMES[bias] if least == 0 else f"{NAMES[bias]}, errors only"
            _line(axes[1], part.index.get_level_values("matches"), part, style, label)
    axes[1].axhline(0.05, color="0.4", linewidth=0.6)
    leaky = plans[plans["planted"].fillna("") != ""]
    for player, look in marks(list(leaky["player"].unique())).items():
        own = leaky[leaky["player"] == player]
        _line(axes[2], own["matches"], own["first"], look, f"{player} ({own['planted'].iloc[0]})")
    titles = "biases: planted leak found", "biases: innocents accused", "plan: planted family first"
    for axis, title in zip(axes, titles, strict=True):
        ticks = sorted(set(biases["matches"]))
        axis.set(title=title, xscale="log", xlabel="matches of the player", ylim=(-0.03, 1.03))
        axis.set_xticks(ticks, [f"{tick:g}" for tick in ticks])
        axis.minorticks_off()
        axis.legend(fontsize=5.5)
    axes[0].set_ylabel("share of draws")
    caption = (
        f"Share of draws of so many matches (with replacement, n = {int(biases['n'].max())} draws from {biases['pool'].min()} to {biases['pool'].max()} matches of a player) in "
        "which, left, the signed bias gives the planted verdict; middle, any verdict against a player of the ladder, who has no leak but noise (mean of six; solid: as "
        "published, every wrong decision counts however small; dotted: only errors of 50 mp or more; grey line: 5 %); right, a family of the planted theme heads the study plan."
    )
    return figure, caption


def _line(axis, x, y, look, label):
    color, marker, linestyle = look
    axis.plot(x, y, color=color, marker=marker, linestyle=linestyle, markersize=3, label=label)


if __name__ == "__main__":
    run_figure(__file__, draw, TABLES)
