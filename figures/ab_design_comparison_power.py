"""Power against games: how many are needed to find that a level makes half as many random moves."""

from ludometrics.plotting import marks, new_figure, run_figure

TABLES = ["ab_design_comparison/power.csv"]
DESIGNS = {
    "hash_fixed": "player by hash",
    "blocked_fixed": "players in pairs",
    "game_fixed": "each game",
    "alternate_fixed": "alternating",
}
NUMBERS = (8, 24, 200)


def draw(power):
    """Draw the power of our analysis and of the course's by games of a test, a panel for each number of players."""
    figure, panels = new_figure("double", 78, ncols=len(NUMBERS), sharey=True)
    look = marks(DESIGNS)
    power = power[power["design"].isin(list(DESIGNS))]
    own = power[(power["method"] == "default") & (power["verdicts"] > 0)]
    fair = power[(power["method"] == "naive") & (power["design"] == "alternate_fixed")]
    for axes, players in zip(panels, NUMBERS, strict=True):
        naive = fair[fair["players"] == players].sort_values("games")
        axes.plot(naive["games"], naive["difference"], color="0.55", linestyle=":", marker=".", markersize=3,
                  label="alternating, games as if independent")  # fmt: skip
        for design, label in DESIGNS.items():
            rows = own[(own["design"] == design) & (own["players"] == players)].sort_values("games")
            color, marker, linestyle = look[design]
            error = [
                rows["difference"] - rows["difference_low"],
                rows["difference_high"] - rows["difference"],
            ]
            axes.errorbar(rows["games"], rows["difference"], yerr=error, color=color, marker=marker,
                          linestyle=linestyle, markersize=3.5, linewidth=1, label=label)  # fmt: skip
        axes.axhline(0.8, color="0.5", linewidth=0.7)
        ticks = sorted({players * games for games in own.loc[own["players"] == players, "games_each"]})
        axes.set(xlabel="games of the test", xscale="log", title=f"{players} players", ylim=(0, 1.02))
        axes.set_xticks(ticks, [f"{tick:,}" for tick in ticks], fontsize=6)
        axes.minorticks_off()
    panels[0].set_ylabel("power")
    handles, labels = panels[1].get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside lower center", ncols=3, fontsize=6.5)
    effect = 100.0 * own["true_effect"].mean()
    caption = (
        "Share of tests that find that version B makes 5 instead of 10 % random moves "
        f"(a true effect of about {effect:.0f} points), by all games of the test; ours in colour, the course's "
        "analysis of the alternating design dotted (elsewhere its verdicts are worth nothing). By hash and in pairs the "
        "ratings from as many games before the test are used; eight players with one version each give no verdict. "
        f"n = {power['trials'].min():,} tests a point; bars: 95 % intervals."
    )
    return figure, caption


if __name__ == "__main__":
    run_figure(__file__, draw, TABLES)
