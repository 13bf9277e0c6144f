"""The trials of the board-game engine on groups of known strength: what they measure, at a small size."""

import dataclasses

import numpy as np
import pandas as pd
import pytest

from ludometrics.boardgames.engine import rate_log
from ludometrics.boardgames.judging import score_pairs
from ludometrics.boardgames.settings import PRESETS
from ludometrics.provenance import replication_streams
from ludometrics.ratings.elo import expected_score
from ludometrics.simulation import board_night_guests as guests
from ludometrics.simulation import board_night_top_two as top_two
from ludometrics.simulation.board_night_groups import weights_of
from ludometrics.simulation.board_night_truth import excess, true_chances
from ludometrics.simulation.boardgame_groups import simulate_group
from ludometrics.simulation.boardgame_worlds import GROUPS

SMALL = dataclasses.replace(GROUPS["plain"], plays=150, guests=0.2)


@pytest.fixture(scope="module")
def group():
    return simulate_group(SMALL, rng=np.random.default_rng(4))


def test_true_chances_are_those_of_the_forecast_pairs(group):
    rated = rate_log(group.log, PRESETS["tuned"])
    pairs, chance = true_chances(group, score_pairs(rated.schedule, rated.ratings))
    assert len(pairs) > 200 and np.all(pairs.outcome != 0.5)
    # A forecaster who knows the truth loses nothing; one who is turned round loses much.
    known = dataclasses.replace(pairs, forecast=chance)
    assert excess(known, chance) == pytest.approx(0.0, abs=1e-12)
    assert excess(dataclasses.replace(pairs, forecast=1.0 - chance), chance).mean() > 0.05
    # The favourite by the truth wins as often as the truth says, within four standard errors.
    likely = np.where(chance >= 0.5, pairs.outcome, 1.0 - pairs.outcome)
    says = np.maximum(chance, 1.0 - chance)
    error = np.sqrt(np.mean(says * (1.0 - says)) / len(says))
    assert abs(likely.mean() - says.mean()) < 4.0 * error


def test_a_true_chance_is_of_the_first_of_the_pair(group):
    """From the strengths of the two seats at the play, whichever of the two comes first in the log."""
    rated = rate_log(group.log, PRESETS["tuned"])
    schedule, ratings = rated.schedule, rated.ratings
    decisive = ratings.scored & (ratings.outcome != 0.5)
    play = schedule.play[ratings.pair_play[decisive]]
    seats = group.starts[play][:, None] + schedule.seat[ratings.pair_seats[decisive]]
    performance = group.sensitivity[play][:, None] * group.seat_strength[seats]
    pairs, chance = true_chances(group, score_pairs(schedule, ratings))
    assert chance == pytest.approx(expected_score(*performance.T), abs=1e-12)
    # Pairs of either kind: in the order of the log or not, won by the first or not.
    kinds = {*zip((seats[:, 0] < seats[:, 1]).tolist(), pairs.outcome.tolist(), strict=True)}
    assert len(kinds) == 4


def test_excess_is_a_mean_over_the_pairs_of_each_play(group):
    rated = rate_log(group.log, PRESETS["tuned"])
    pairs, chance = true_chances(group, score_pairs(rated.schedule, rated.ratings))
    by_hand = chance * np.log(chance / pairs.forecast) + (1 - chance) * np.log(
        (1 - chance) / (1 - pairs.forecast)
    )
    wanted = pd.Series(by_hand).groupby(pairs.play).mean().to_numpy()
    assert excess(pairs, chance) == pytest.approx(wanted, abs=1e-12)


def test_forecasts_of_another_group_are_refused(group):
    other = simulate_group(dataclasses.replace(SMALL, plays=160), rng=np.random.default_rng(5))
    rated = rate_log(other.log, PRESETS["tuned"])
    with pytest.raises(ValueError, match="not of this group"):
        true_chances(group, score_pairs(rated.schedule, rated.ratings))


def test_the_floor_keeps_the_two_best_apart_for_ever():
    trials = top_two.try_top_two(GROUPS["plain"], plays=(40, 640), seed=3, first=0, count=6, progress=False)
    assert len(trials) == 6 * 2 * len(top_two.ENGINES)
    late = trials[trials["plays"] == 640].set_index(["engine", "replication"])["deviation"].unstack(0)
    assert (late["tuned"] >= np.sqrt(2) * PRESETS["tuned"].floor - 1e-9).all()
    assert (late["still"] < late["tuned"]).all()
    gaps = trials.groupby("replication")["gap"].nunique()
    assert (gaps == 1).all() and (trials["gap"] > 0).all()


def test_those_looked_at_are_the_two_truly_best():
    block = {"seed": 3, "first": 0, "count": 3}
    trials = top_two.try_top_two(GROUPS["plain"], plays=(40,), progress=False, **block)
    years = 40 / top_two.PLAYS_A_YEAR
    six = dataclasses.replace(GROUPS["plain"], people=6, guests=0.0, plays=40, years=years)
    for number, rng in replication_streams(**block):
        group = simulate_group(six, rng=rng)
        second, best = sorted(group.strengths, key=group.strengths.get)[-2:]
        own = trials[trials["replication"] == number].set_index("engine")
        assert len(group.strengths) == 6
        assert (own["gap"] == group.strengths[best] - group.strengths[second]).all()
        for engine, settings in top_two.ENGINES.items():
            ratings = rate_log(group.log, settings, weights=weights_of(group, settings)).ratings
            rated = dict(zip(ratings.people, ratings.rating, strict=True))
            assert own.loc[engine, "rated_gap"] == pytest.approx(rated[best] - rated[second])
            assert own.loc[engine, "in_order"] == (rated[best] > rated[second])


def test_told_needs_the_interval_to_leave_out_0():
    assert [top_two._told(*row) for row in ((100.0, 50.0), (-100.0, 50.0), (97.0, 50.0))] == [
        "right",
        "wrong",
        "open",
    ]


def test_top_two_table_and_plays_needed():
    told = {10: ["open"] * 10, 100: ["right"] * 4 + ["open"] * 6, 1000: ["right"] * 9 + ["wrong"]}
    rows = [
        ("tuned", plays, 30.0 + 10 * place, verdict, 1)
        for plays, verdicts in told.items()
        for place, verdict in enumerate(verdicts)
    ]
    trials = pd.DataFrame(rows, columns=["engine", "plays", "gap", "told", "in_order"])
    table = top_two.top_two_table(trials)
    whole = table[table["gap"] == "all"].set_index("plays")
    assert whole["right"].tolist() == [0.0, 0.4, 0.9] and whole["wrong"].tolist() == [0.0, 0.0, 0.1]
    assert (whole["n"] == 10).all() and (whole["right_low"] <= whole["right"]).all()
    assert table.loc[table["gap"] == "below 50", "n"].unique().tolist() == [2]
    needed = top_two.needed_table(table.assign(world="plain"), shares=(0.4, 0.65, 0.95)).set_index("share")
    assert (
        needed["plays"].round(6).tolist()[:2] == pytest.approx([100.0, 10**2.5])
        and needed["n"].tolist() == [10] * 3
    )
    assert np.isnan(needed.loc[0.95, "plays"]) and (needed["most"] == 1000).all()
    assert needed.loc[0.4, "low"] < 100.0 < needed.loc[0.4, "high"]


def test_points_that_all_have_too_much_are_bias_and_no_error(group):
    rated = rate_log(group.log, PRESETS["tuned"])
    ratings, pairs = rated.ratings, score_pairs(rated.schedule, rated.ratings)
    raised = dataclasses.replace(rated, ratings=dataclasses.replace(ratings, rating=ratings.rating + 70.0))
    one, other = (
        dict(zip(guests.MEASURES, guests._measure(group, each, pairs), strict=True))
        for each in (rated, raised)
    )
    off = [
        rating - group.strengths[key]
        for key, rating, plays in zip(ratings.people, ratings.rating, ratings.plays, strict=True)
        if plays >= 10
    ]
    assert 1 < len(off) < len(ratings.people)
    assert one["error"] == pytest.approx(np.sqrt(np.mean(np.square(off)) - np.mean(off) ** 2))
    assert other == pytest.approx(one | {"bias": one["bias"] + 70.0})


def test_dropping_guests_compares_less_and_hides_how_strong_they_are():
    trials = guests.try_guests(
        GROUPS["plain"], PRESETS["tuned"], plays=150, shares=(0.4,), stronger=(-150.0, 150.0),
        seed=2, first=0, count=4, progress=False,
    )  # fmt: skip
    table = guests.guests_table(trials).set_index(["stronger", "measure"])
    assert (table["n"] == 4).all()
    for gap in (-150.0, 150.0):
        assert table.loc[(gap, "pairs"), "high"] < 0.0
    # Weak guests who count as average ones lift everybody, strong ones push everybody down.
    assert table.loc[(-150.0, "bias"), "unknown"] > 20.0
    assert table.loc[(150.0, "bias"), "unknown"] < -20.0


@pytest.mark.parametrize("trial", ["top_two", "guests"])
def test_a_block_of_replications_is_a_part_of_the_whole(trial):
    def run(first, count):
        block = {"seed": 7, "first": first, "count": count, "progress": False}
        if trial == "top_two":
            return top_two.try_top_two(GROUPS["plain"], plays=(20, 60), **block)
        return guests.try_guests(
            GROUPS["plain"], PRESETS["tuned"], plays=60, shares=(0.2,), stronger=(0.0,), **block
        )

    whole, part = run(0, 3), run(2, 1)
    pd.testing.assert_frame_equal(whole[whole["replication"] == 2].reset_index(drop=True), part)


def test_guests_are_met_in_games_that_weigh_what_is_said_of_them(monkeypatch):
    seen = []
    real = guests.rate_log

    def watched(log, settings, *, weights):
        seen.append({one.weight for one in weights.values()})
        return real(log, settings, weights=weights)

    monkeypatch.setattr(guests, "rate_log", watched)
    block = {"seed": 2, "first": 0, "count": 1, "progress": False}
    guests.try_guests(GROUPS["plain"], PRESETS["tuned"], plays=60, shares=(0.2,), stronger=(0.0,), **block)
    assert len(seen) == 2 and all(len(weights) > 5 for weights in seen)
