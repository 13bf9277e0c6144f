"""False alarms and coverage of each analysis by design, where two versions are the same."""

from ludometrics.plotting import marks, new_figure, run_figure

TABLES = ["ab_design_comparison/rates.csv"]
METHODS = {
    "naive": "games as if independent (the course)",
    "default": "ours",
    "cluster": "statsmodels, clustered by player",
    "tea_players": "tea-tasting, ratio of sums of players",
}
DESIGNS = {
    "hash_matching": "player by hash, matching",
    "names_matching": "the course's names, matching",
    "hash_fixed": "player by hash",
    "blocked_fixed": "players in pairs",
    "game_matching": "each game, matching",
    "game_fixed": "each game",
    "alternate_fixed": "alternating",
}


def draw(rates):
    """Draw the share of verdicts that are false alarms, and the share of ranges that hold the truth, by design."""
    none = rates[(rates["truth"] == "none") & (rates["verdicts"] > 0)]
    places = [
        (design, players)
        for design in DESIGNS
        for players in sorted(set(none.loc[none["design"] == design, "players"]))
    ]
    figure, panels = new_figure("double", 25 + 4.6 * len(places), ncols=2, sharey=True)
    look = marks(METHODS)
    for number, (method, label) in enumerate(METHODS.items()):
        own = none[none["method"] == method].set_index(["design", "players"])
        rows = [place for place in places if place in own.index]
        own = own.loc[rows]
        color, marker, _ = look[method]
        height = [places.index(place) + 0.16 * (number - 1.5) for place in rows]
        for axes, measure in zip(panels, ("difference", "coverage"), strict=True):
            error = [own[measure] - own[f"{measure}_low"], own[f"{measure}_high"] - own[measure]]
            axes.errorbar(own[measure], height, xerr=error, fmt=marker, color=color, markersize=3.2,
                          linewidth=0.9, label=label)  # fmt: skip
    for axes, band, line in zip(panels, ((0.035, 0.065), (0.935, 0.965)), (0.05, 0.95), strict=True):
        axes.axvspan(*band, color="0.9", zorder=0)
        axes.axvline(line, color="0.5", linewidth=0.7, zorder=1)
    panels[0].set(xlabel="false alarms (share of verdicts)", xlim=(-0.01, 0.68))
    panels[1].set(xlabel="95 % ranges that hold the truth", xlim=(0.3, 1.01))
    words = [f"{DESIGNS[design]}, {players} players" for design, players in places]
    panels[0].set_yticks(range(len(places)), words, fontsize=6)
    panels[0].invert_yaxis()
    handles, labels = panels[0].get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside lower center", ncols=2, fontsize=6.5)
    caption = (
        "Two equal versions of a level, tried on players who come back: how often each analysis speaks of a difference "
        "(left) and how often its 95 % range holds the true effect of zero (right). Grey: 3.5 to 6.5 %, and 93.5 to "
        f"96.5 %. n = {none.loc[none['method'] == 'default', 'trials'].min():,} tests of each kind, for the packages "
        f"{none.loc[none['method'] == 'cluster', 'trials'].min():,}; tests without a verdict do not count; bars: 95 % "
        "intervals over tests. With eight players and one version each ours gives no verdict: six are needed in each group."
    )
    return figure, caption


if __name__ == "__main__":
    run_figure(__file__, draw, TABLES)
