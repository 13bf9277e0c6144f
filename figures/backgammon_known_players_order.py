"""PR of players of known noise, and after how many matches each rate has them in order."""

from ludometrics.plotting import OKABE_ITO, marks, new_figure, run_figure

TABLES = ["backgammon_known_players/players.csv", "backgammon_known_players/ranking.csv"]
LABELS = {"blunderdb": "PR (blunderDB)", "xg": "PR (XG manual)", "gammonview": "PR (GammonView)", "gnubg": "GNU Backgammon",
          "snowie": "Snowie", "l7": "L7"}  # fmt: skip


def draw(players, ranking):
    """Draw every player's PR with the spread of single matches, and shares of pairs in order by matches."""
    figure, (left, right) = new_figure("double", 78, ncols=2)
    rule = players["rule"].iloc[0]
    own = players[players["measure"] == rule].sort_values("value").reset_index(drop=True)
    left.errorbar(own["value"], own.index, xerr=own["deviation"], fmt="none", ecolor="0.75", elinewidth=4,
                  label="one match: 1 standard deviation")  # fmt: skip
    error = [own["value"] - own["low"], own["high"] - own["value"]]
    left.errorbar(own["value"], own.index, xerr=error, fmt="o", color=OKABE_ITO["blue"], markersize=3,
                  label="whole pool, 95 %")  # fmt: skip
    left.set_yticks(own.index, [f"{row.player} ({row.n})" for row in own.itertuples()])
    left.set(xlabel="PR (500 x error per decision)", xlim=(0, None))
    left.legend(fontsize=6, loc="lower right")
    for measure, (color, marker, linestyle) in marks(list(LABELS)).items():
        part = ranking[ranking["measure"] == measure]
        error = [part["share"] - part["low"], part["high"] - part["share"]]
        right.errorbar(part["matches"], part["share"], yerr=error, color=color, marker=marker, linestyle=linestyle,
                       markersize=3, label=LABELS[measure])  # fmt: skip
    right.set(xscale="log", xlabel="matches of each player", ylabel="pairs of the ladder in order (share)")
    ticks = sorted(set(ranking["matches"]))
    right.set_xticks(ticks, [f"{tick:g}" for tick in ticks])
    right.minorticks_off()
    right.legend(fontsize=6, loc="lower right")
    caption = (
        f"Left: PR of twelve players of known noise or leak over matches to seven points (n in brackets, {own['n'].min()} to "
        f"{own['n'].max()} each), analysed by GNU Backgammon at 2-ply. t010 to t080: temperature 0.010 to 0.080; the others err at 0.020 "
        "and have one leak more; hasty errs at 0.050 in a hurry and 0.005 at leisure. Right: share of pairs of the six players of the "
        f"ladder whose better one has the lower rate, by matches of each drawn from the pool (n = {ranking['n'].min()} matches of a player or more); bars: 95 %, pools drawn again by whole matches."
    )
    return figure, caption


if __name__ == "__main__":
    run_figure(__file__, draw, TABLES)
