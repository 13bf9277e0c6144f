"""What it does to ratings to keep guests at the table as unknowns, or to drop their seats."""

from ludometrics.plotting import marks, new_figure, run_figure

TABLES = ["board_night_calibration/guests.csv"]
WORLD = "plain"
PANELS = {
    "error": "error of ratings (points)",
    "bias": "bias of all ratings (points)",
    "excess": "loss above the truth (nats)",
}


def draw(guests):
    """Draw error, bias and excess by how much stronger guests are, for each share of guests, kept and dropped."""
    own = guests[guests["world"] == WORLD]
    figure, panels = new_figure("double", 75, ncols=len(PANELS))
    look = marks(["unknown", "drop"])
    shares = sorted(set(own["share"]))
    for axes, (measure, label) in zip(panels, PANELS.items(), strict=True):
        for share in shares:
            part = own[(own["measure"] == measure) & (own["share"] == share)].sort_values("stronger")
            for how, (color, marker, _) in look.items():
                width = 0.6 + 1.2 * shares.index(share) / max(len(shares) - 1, 1)
                label_of = f"{'kept' if how == 'unknown' else 'dropped'}, {share:.0%} of seats"
                axes.plot(part["stronger"], part[how], color=color, marker=marker, linewidth=width,
                          markersize=3 + width, linestyle="-" if how == "unknown" else "--", label=label_of)  # fmt: skip
        axes.set(xlabel="guests stronger by (points)", title=label)
    handles, labels = panels[0].get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside lower center", ncols=3)
    widest = own[own["measure"] == "error"]["high"] - own[own["measure"] == "error"]["low"]
    caption = (
        "Guests kept as fresh unknowns (rating 1000) or their seats dropped, by how strong guests truly are and how many seats "
        f"they hold (line width), groups of the kind '{WORLD}', n = {own['n'].min()} of each; players with at least ten rated "
        "plays. Left: root mean square error of ratings about their mean; middle: mean rating less mean strength; right: log "
        "loss of forecasts of pairs of known people above the truth's. Paired 95 % intervals of dropped less kept are in the "
        f"table; that of the error is {widest.max() / 2:.1f} points either way at most."
    )
    return figure, caption


if __name__ == "__main__":
    run_figure(__file__, draw, TABLES)
