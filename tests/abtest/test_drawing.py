"""The forest: a row a player, all together below, and names that are not markup."""

import warnings
from datetime import date

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import pytest

from ludometrics.abtest.analysis import analyse
from ludometrics.abtest.drawing import MOST_DRAWN, draw_forest
from ludometrics.abtest.plans import Plan
from ludometrics.abtest.running import draw_bytes


def analysed(players=8, each=20, unit="within", names=None, **options):
    rng = np.random.default_rng(1)
    names = names or [f"Player {n}" for n in range(players)]
    games = pd.DataFrame({"player": np.repeat(names, each)})
    in_b = (
        np.repeat(np.arange(len(names)), each) % 2 == 1 if unit == "between" else rng.random(len(games)) < 0.5
    )
    games["variant"] = np.where(in_b, "B", "A")
    games["score"] = rng.choice([0.0, 0.5, 1.0], size=len(games))
    return analyse(games, **options, rng=rng)


def drawn(analysis):
    figure = draw_forest(analysis)
    plt.close(figure)
    return figure


def test_within_players_each_has_a_range_and_all_together_stand_below():
    analysis = analysed()
    (axes,) = drawn(analysis).axes
    labels = [label.get_text() for label in axes.get_yticklabels()]
    players = analysis.players
    assert labels[:-1] == [f"{row.player} ({row.games_a}+{row.games_b})" for row in players.itertuples()]
    assert labels[-1] == f"together ({players['games_a'].sum()}+{players['games_b'].sum()})"
    lines = {tuple(np.round(line.get_xdata(), 6)) for line in axes.lines}
    for row in players.itertuples():
        assert (round(100 * row.low, 6), round(100 * row.high, 6)) in lines
    assert (round(100 * analysis.effect.low, 6), round(100 * analysis.effect.high, 6)) in lines
    assert {(0.0, 0.0), (-5.0, -5.0), (5.0, 5.0)} <= lines
    last = axes.get_yticks()[-1]
    assert last == max(axes.get_yticks()) and axes.yaxis_inverted()


def test_between_players_means_stand_above_and_the_difference_below():
    analysis = analysed(unit="between", margin=0.1)
    top, below = drawn(analysis).axes
    labels = [label.get_text() for label in top.get_yticklabels()]
    assert len(labels) == 8 and all(label.endswith(" (20)") for label in labels)
    means = {round(100 * value, 6) for value in analysis.players[["mean_a", "mean_b"]].stack().dropna()}
    points = np.concatenate([line.get_xdata() for line in top.lines if line.get_linestyle() == "None"])
    assert {round(value, 6) for value in points[~np.isnan(points)]} == means
    lines = {tuple(np.round(line.get_xdata(), 6)) for line in below.lines}
    assert {(0.0, 0.0), (-10.0, -10.0), (10.0, 10.0)} <= lines
    assert (round(100 * analysis.effect.low, 6), round(100 * analysis.effect.high, 6)) in lines


@pytest.mark.parametrize("unit", ["within", "between"])
def test_of_many_players_the_busiest_are_drawn(unit):
    figure = drawn(analysed(players=MOST_DRAWN + 6, each=4, unit=unit))
    rows = MOST_DRAWN + (unit == "within")
    assert len(figure.axes[0].get_yticklabels()) == rows
    assert f"{MOST_DRAWN} of {MOST_DRAWN + 6} players" in figure.get_suptitle()


@pytest.mark.parametrize("unit", ["within", "between"])
@pytest.mark.parametrize("kind", ["png", "svg", "pdf"])
def test_odd_names_are_drawn_and_the_bytes_repeat(unit, kind):
    names = ["$\\frac{x}$", "a $ b", "<b>&", "李小龙", "new\nline", "A" * 200, "\\alpha_{", "x^2"]
    analysis = analysed(names=names, unit=unit)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        one, two = draw_bytes(analysis, kind), draw_bytes(analysis, kind)
    assert one == two and one[:4] == {"png": b"\x89PNG", "svg": b"<?xm", "pdf": b"%PDF"}[kind]


@pytest.mark.parametrize("unit", ["within", "between"])
def test_what_has_no_range_is_drawn_without_one(unit):
    analysis = analysed(players=1, each=3, unit=unit)
    figure = drawn(analysis)
    assert "(no range)\n1 player; dotted:" in figure.get_suptitle()


def test_a_plan_that_is_not_fulfilled_is_not_drawn():
    plan = Plan(
        experiment="x",
        design="within",
        assignment="game",
        players=8,
        games_each=30,
        effect=0.05,
        sd=0.3,
        icc=0.35,
        decided_on=date(2026, 10, 1),
    )
    with pytest.raises(ValueError, match="nothing to draw"):
        draw_forest(analysed(plan=plan))
