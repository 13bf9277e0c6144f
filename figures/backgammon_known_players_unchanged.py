"""Verdicts on players in whom nothing changed: study that "helped", tournaments played "worse"."""

from ludometrics.plotting import OKABE_ITO, marks, new_figure, run_figure

TABLES = ["backgammon_known_players/study.csv", "backgammon_known_players/tournaments.csv"]
FEWEST = 400  # draws with a family in the plan; a share of fewer says little
COLORS = {"from the matches before": OKABE_ITO["vermilion"], "beforehand": OKABE_ITO["blue"]}


def draw(study, tournaments):
    """Draw the share of families that "improve" by matches, and of tournaments called worse."""
    rule = study["rule"].iloc[0]
    study, tournaments = study[study["rule"] == rule], tournaments[tournaments["rule"] == rule]
    study = study[study["n"] >= min(FEWEST, study["n"].max())]
    figure, (left, right) = new_figure("double", 72, ncols=2)
    for chosen, color in COLORS.items():
        part = study[study["chosen"] == chosen]
        for _, own in part.groupby("player"):
            left.plot(own["matches"], own["improved"], color=color, linewidth=0.4, alpha=0.5)
        mean = part.groupby("matches")["improved"].mean()
        left.plot(mean.index, mean, color=color, marker="o", markersize=3, label=f"family chosen {chosen}")
    left.axhline(0.025, color="0.4", linewidth=0.6)
    left.set(xlabel="matches before, and as many after", ylabel='called "improved" (share)', xscale="log")
    ticks = sorted(set(study["matches"]))
    left.set_xticks(ticks, [f"{tick:g}" for tick in ticks])
    left.minorticks_off()
    left.legend(fontsize=6)
    names = [f"{here} for {usual}" if here != usual else here for here, usual in
             zip(tournaments["here"], tournaments["usual"], strict=True)]  # fmt: skip
    tournaments = tournaments.assign(who=names)
    order = list(dict.fromkeys(names))
    for count, (color, marker, _) in marks(sorted(set(tournaments["matches"]))).items():
        part = tournaments[tournaments["matches"] == count].set_index("who").loc[order]
        error = [part["worse"] - part["low"], part["high"] - part["worse"]]
        right.errorbar(part["worse"], range(len(part)), xerr=error, fmt=marker, color=color, markersize=3,
                       label=f"{count} matches")  # fmt: skip
    right.set_yticks(range(len(order)), order)
    right.invert_yaxis()
    right.set(xlabel='tournaments called "worse than usual" (share)', xlim=(-0.03, 1.03))
    right.legend(fontsize=6)
    caption = (
        "Left: how often a family of errors is called improved after a day on which nothing changed, matches before and after drawn from the same pool (thin: a player; thick: "
        f"mean of players; n = {int(study['n'].min())} to {int(study['n'].max())} draws with a family in the plan): chosen by the study plan of the matches before it regresses to the mean. Grey: 2.5 %. "
        f"Right: tournaments held against the usual level (n = {int(tournaments['n'].max())} draws), played by the same player, or by a worse one in his place."
    )
    return figure, caption


if __name__ == "__main__":
    run_figure(__file__, draw, TABLES)
