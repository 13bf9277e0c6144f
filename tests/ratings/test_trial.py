"""Real logs under many systems: the shipped log, its bounds, settings chosen without knowing the rest."""

import numpy as np
import pandas as pd
import pytest

from ludometrics.provenance import resolve
from ludometrics.ratings import (
    ENTRANTS,
    Glicko1Settings,
    expected_log_loss,
    index_games,
    rate,
    read_games,
    settings_grid,
    standings,
    sweep,
    trial,
)
from ludometrics.ratings.real_claims import bounds_table, headline_table, nfl_claims
from ludometrics.ratings.real_grids import grids_table, tuned_table

FEW = {name: ENTRANTS[name] for name in ("elo", "glicko1", "glicko1_first_move")}
SEED = {"replicates": 200, "seed": 1}
FOUR_PLACES = 5e-5


@pytest.fixture(scope="module")
def nfl():
    """The log that comes with the repository, and which of its games are scored."""
    games = read_games(
        resolve("data/nfl_2009_2018.csv"),
        first="home",
        second="away",
        outcome=("home_score", "away_score"),
        time="date",
    )
    return games, trial.weeks(games.times), np.arange(len(games)) >= len(games) // 2


@pytest.fixture(scope="module")
def tables(nfl):
    games, units, scored = nfl
    forecasts = trial.forecast(games, FEW, progress=False)
    options = {"units": units, "scored": scored, **SEED}
    measures = trial.measures_table(forecasts, games.outcomes, **options).assign(log="nfl")
    differences = trial.differences_table(
        forecasts, games.outcomes, baselines=["coin", "elo"], **options
    ).assign(log="nfl")
    return headline_table(measures, differences), grids_table(games, units, scored, **SEED)


def test_the_log_is_what_its_notice_says(nfl):
    games, units, scored = nfl
    assert len(games) == 2559 and len(games.players) == 32 and scored.sum() == 1280
    assert (games.outcomes == 0.5).mean() == pytest.approx(0.003, abs=0.001)
    days = games.times.astype("datetime64[D]")
    assert str(days[0]) == "2009-09-10" and len(np.unique(units)) > 150


def test_losses_that_others_measured_come_out_again(tables):
    summary, (grid, _) = tables
    for row in nfl_claims(summary, grid.assign(log="nfl")):
        assert row["verdict"] == "reproduced", row


def test_defaults_beat_the_coin_and_the_best_beats_all_bounds(tables):
    summary, _ = tables
    own = summary.set_index("entrant")
    assert (own.loc[list(FEW), "from_coin_verdict"] == "helps").all()
    assert own.loc["glicko1_first_move", "from_elo_verdict"] == "helps"
    bounds = bounds_table(summary).set_index("reference")
    assert bounds.loc["best of these", "reached"] == 1


def test_a_setting_is_chosen_without_the_scored_games(nfl, tables):
    _, units, scored = nfl
    _, (_, losses) = tables
    one = tuned_table(losses, units, scored, **SEED).set_index("family")
    spoiled = {family: table.copy() for family, table in losses.items()}
    for table in spoiled.values():
        table.loc[scored, table.columns[0]] = (
            0.0  # a setting that would win if the scored games were looked at
        )
    other = tuned_table(spoiled, units, scored, **SEED).set_index("family")
    assert one["chosen"].tolist() == other["chosen"].tolist()
    assert other["hindsight"].tolist() == [table.columns[0] for table in losses.values()]


def test_history_is_the_rating_of_each_day_from_the_games_until_then(nfl):
    games, _, _ = nfl
    entrant = FEW["glicko1_first_move"]
    days = games.times[0] + np.array([0.0, 400.0, 3000.0])
    history = trial.rating_history(games, entrant, days)
    for day, group in history.groupby("day"):
        then = games.until(day)
        table = standings(
            then.players,
            rate(then, entrant.system, entrant.settings),
            settings=entrant.settings,
            as_of=day,
        )
        own = group.set_index("player")
        assert own["rating"].sort_index().tolist() == table["rating"].sort_index().tolist()
        assert own["deviation"].sort_index().tolist() == table["deviation"].sort_index().tolist()


def test_history_says_what_it_needs():
    games = index_games(["a"], ["b"], [1])
    with pytest.raises(ValueError, match="times are needed"):
        trial.rating_history(games, FEW["elo"], [1])
    dated = index_games(["a"], ["b"], [1], times=[0])
    with pytest.raises(ValueError, match="comes after a later one"):
        trial.rating_history(dated, FEW["elo"], [3, 1])
    with pytest.raises(ValueError, match="a state to carry on"):
        trial.rating_history(dated, ENTRANTS["whr"], [1])


def test_sweep_is_one_replay_a_setting(nfl):
    games, _, scored = nfl
    table, settings = settings_grid(Glicko1Settings(), growth=[0.0, 5.0], start_deviation=[100.0])
    losses = sweep(games, "glicko1", settings, scored=scored)
    assert losses.shape == (1280, 2) and table["growth"].tolist() == [0.0, 5.0]
    assert losses[:, 1].mean() == pytest.approx(0.6543, abs=FOUR_PLACES)


def test_expected_loss_is_least_at_the_truth():
    truth = np.linspace(0.05, 0.95, 7)
    at_truth = expected_log_loss(truth, truth)
    for shift in (-0.04, 0.04):
        assert (expected_log_loss(truth + shift, truth) > at_truth).all()


def test_an_unknown_axis_is_named():
    with pytest.raises(ValueError, match=r"Glicko1Settings: .*k"):
        settings_grid(Glicko1Settings(), k=[1.0])


def test_weeks_begin_on_tuesday():
    days = pd.Series(pd.to_datetime(["2018-09-09", "2018-09-10", "2018-09-11"]))  # Sunday, Monday, Tuesday
    numbers = trial.weeks((days - pd.Timestamp(0)).dt.days)
    assert numbers[0] == numbers[1] == numbers[2] - 1
