"""What L7 foretells against the engine beside what came out; L7 of one player over match lengths; luck."""

from ludometrics.plotting import OKABE_ITO, new_figure, run_figure

TABLES = [
    "backgammon_known_players/engine.csv",
    "backgammon_known_players/lengths.csv",
    "backgammon_known_players/luck.csv",
]

GAPS = ("below 0.05", "0.05 to 0.15", "from 0.15 on")


def draw(engine, lengths, luck):
    """Draw won against foretold shares, L7 by length, and the part of luck in results by the players' gap."""
    figure, (left, middle, right) = new_figure("double", 70, ncols=3)
    ends = [min(engine["foretold_low"].min(), engine["won_low"].min()) - 0.02, 0.56]
    left.plot(ends, ends, color="0.5", linewidth=0.6)
    xerr = [engine["foretold"] - engine["foretold_low"], engine["foretold_high"] - engine["foretold"]]
    yerr = [engine["won"] - engine["won_low"], engine["won_high"] - engine["won"]]
    left.errorbar(engine["foretold"], engine["won"], xerr=xerr, yerr=yerr, fmt="o", color=OKABE_ITO["blue"], markersize=3,
                  elinewidth=0.6)  # fmt: skip
    left.set(xlabel="foretold by L7 (share)", ylabel="matches won against the engine (share)")
    error = [lengths["l7"] - lengths["l7_low"], lengths["l7_high"] - lengths["l7"]]
    middle.errorbar(
        lengths["length"], lengths["l7"], yerr=error, fmt="o-", color=OKABE_ITO["vermilion"], markersize=3
    )
    middle.set(xlabel="length of the match (points)", ylabel="L7 of player t030", ylim=(0, None))
    gaps = [gap for gap in GAPS if gap in set(luck["gap"])]
    for quantity, color in (("variance of luck", OKABE_ITO["blue"]), ("won by dice", OKABE_ITO["orange"])):
        part = luck[luck["quantity"] == quantity].set_index("gap").loc[gaps]
        error = [part["value"] - part["low"], part["high"] - part["value"]]
        right.errorbar(
            range(len(part)), part["value"], yerr=error, fmt="o", color=color, markersize=3, label=quantity
        )
    right.set_xticks(
        range(len(gaps)), [gap.replace(" to ", "\nto ").replace(" on", "\non") for gap in gaps], fontsize=6
    )
    right.set(xlabel="gap of the players' L7", ylabel="share", ylim=(0, None), xlim=(-0.5, len(gaps) - 0.5))
    right.legend(fontsize=6)
    caption = (
        f"Left: share of matches to seven points won against the engine (0-ply, n = {engine['n'].min()} matches a player) against the share that the losses of other, "
        "analysed matches foretell, 0.5 less the gap of the two L7; bars 95 %. Middle: L7 of one player against himself by length "
        f"(n = {lengths['n'].min()} to {lengths['n'].max()} matches); level if losses grow as the square root. Right: variance of luck over that of results, "
        f"and matches won by the player whom the luck-adjusted result puts behind (n = {luck.loc[luck['gap'] != 'all', 'n'].min()} matches or more); bars: bootstrap over matches."
    )
    return figure, caption


if __name__ == "__main__":
    run_figure(__file__, draw, TABLES)
