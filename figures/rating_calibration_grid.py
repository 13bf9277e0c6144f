"""Where the best settings of Elo and Glicko-1 lie, and how that moves as people play more."""

import numpy as np

from ludometrics.plotting import new_figure, run_figure

TABLES = ["rating_calibration/grid.csv"]
WORLDS = ("static", "drifting", "newcomers", "first_move")
LIMIT = 0.02  # nats a game: the ends of the colour scale


def draw(grid):
    """Draw heat maps of the paired difference from the default: Elo by K and games, Glicko-1 by prior and growth."""
    worlds = [world for world in WORLDS if world in set(grid["world"])] or list(dict.fromkeys(grid["world"]))
    figure, panels = new_figure("double", 112, nrows=2, ncols=len(worlds), sharey="row", squeeze=False)
    image = None
    for column, world in enumerate(worlds):
        own = grid[grid["world"] == world]
        elo = own[(own["family"] == "elo") & (own["first_k"] == 1)]
        glicko = own[(own["family"] == "glicko1") & (own["games"] == own["games"].max())]
        for axes, part, x, y in (
            (panels[0, column], elo, "games", "k"),
            (panels[1, column], glicko, "growth", "start_deviation"),
        ):
            image = _heat(axes, part, x, y)
        panels[0, column].set_title(world.replace("_", " "))
        panels[0, column].set_xlabel("games")
        panels[1, column].set_xlabel(r"growth (points a day$^{1/2}$)")
    panels[0, 0].set_ylabel("Elo: K")
    panels[1, 0].set_ylabel("Glicko-1: deviation of a newcomer")
    bar = figure.colorbar(image, ax=panels, shrink=0.8, extend="both")
    bar.set_label("log loss less the default's (nats a game)")
    n, games = grid["n"], grid["games"]
    caption = (
        f"Settings of Elo (above: K, the same in all games, against the number of games) and Glicko-1 (below: newcomers' deviation against growth in "
        f"absence, {games.max():,} games), n = {n.min()} worlds of each kind: log loss less that of the default (K = 32; 350 "
        "and 3), paired by world, blue is better. Star: best; dot: within one standard error of the best (paired). A cross "
        "marks a difference whose 95 % interval holds 0. Worlds of 100 days."
    )
    return figure, caption


def _heat(axes, part, x, y):
    table = part.pivot_table(index=y, columns=x, values="difference")
    image = axes.imshow(
        table.to_numpy(), cmap="RdBu_r", vmin=-LIMIT, vmax=LIMIT, aspect="auto", origin="lower"
    )
    axes.set_xticks(range(len(table.columns)), [f"{value:g}" for value in table.columns], fontsize=6)
    axes.set_yticks(range(len(table.index)), [f"{value:g}" for value in table.index], fontsize=6)
    best = part.loc[part.groupby(x)["excess"].idxmin()] if x == "games" else part[part["best"] == 1]
    for row in part.itertuples():
        place = list(table.columns).index(getattr(row, x)), list(table.index).index(getattr(row, y))
        unsure = row.difference_low <= 0 <= row.difference_high
        if row.Index in best.index:
            axes.plot(*place, marker="*", color="black", markersize=7, linestyle="none")
        elif row.near_best:
            axes.plot(*place, marker=".", color="black", markersize=4, linestyle="none")
        elif unsure and not np.isclose(row.difference, 0.0):
            axes.plot(*place, marker="x", color="0.4", markersize=3, linestyle="none")
    axes.grid(visible=False)
    return image


if __name__ == "__main__":
    run_figure(__file__, draw, TABLES)
