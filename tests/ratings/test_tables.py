"""Plays of many, teams, weights and rating periods: what a block of pairs does to ratings."""

import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ludometrics.ratings import (
    DavidsonSettings,
    EloSettings,
    Glicko1Settings,
    Glicko2Settings,
    davidson,
    elo,
    glicko1,
    glicko2,
    index_tables,
)
from random_logs import random_log, random_seats

CASES = json.loads((Path(__file__).parents[1] / "data" / "ratings" / "tables.json").read_text())
FOUR_PLACES, SIX_PLACES = 5e-5, 5e-7
TWIN = 1e-9
SMALL_PRIOR = Glicko1Settings(start=1000, start_deviation=180)
SYSTEMS = {
    "elo": (elo, EloSettings(k=((5, 60), (None, 24)), advantage=30, advantage_k=0.4)),
    "davidson": (davidson, DavidsonSettings(advantage_k=0.4)),
    "glicko1": (glicko1, Glicko1Settings(growth=9, floor=45, advantage=30, advantage_k=0.4)),
    "glicko2": (glicko2, Glicko2Settings(floor=30, advantage=-20, advantage_k=0.4)),
}


def replay(name, pairs, outcomes, days=None, **options):
    module, chosen = SYSTEMS[name]
    dated = {"times": days} if days is not None and name.startswith("glicko") else {}
    return module.replay(pairs, outcomes, settings=chosen, **dated, **options)


def play(ranks, **options):
    return index_tables([0] * len(ranks), range(len(ranks)), ranks, **options)


@pytest.mark.parametrize("case", CASES["elo"], ids=lambda case: case["desc"])
def test_elo_of_a_table(case):
    games = play(case["ranks"])
    record = elo.replay(
        games.pairs,
        games.outcomes,
        weights=games.weights,
        plays=games.plays,
        ratings=case["ratings"],
        settings=EloSettings(k=case["k"]),
    )
    assert record.ratings == pytest.approx(case["after"], abs=FOUR_PLACES)
    assert record.games.tolist() == [1] * len(case["ranks"])


@pytest.mark.parametrize("case", CASES["glicko1"], ids=lambda case: case["desc"])
def test_glicko1_of_a_table(case):
    games = play(case["ranks"], weights=[case["weight"]] * len(case["ranks"]))
    record = glicko1.replay(
        games.pairs, games.outcomes, weights=games.weights, plays=games.plays, settings=SMALL_PRIOR
    )
    assert record.ratings == pytest.approx(case["after"], abs=SIX_PLACES)
    assert record.deviations == pytest.approx([case["deviation"]] * len(case["ranks"]), abs=SIX_PLACES)


@pytest.mark.parametrize("name", SYSTEMS)
@pytest.mark.parametrize("dated", [False, True])
def test_compiled_blocks_equal_plain_python(name, dated):
    pairs, outcomes, days = random_log(4, n=400, m=7)
    rng = np.random.default_rng(5)
    options = {
        "weights": rng.choice([0, 0.3, 1, 2], (400, 2)),
        "plays": np.repeat(np.arange(100), 4),
        "periods": np.repeat(np.arange(20), 20),
    }
    fast, plain = (
        replay(name, pairs, outcomes, days if dated else None, compiled=flag, **options)
        for flag in (True, False)
    )
    for field in fast.__dataclass_fields__:
        assert getattr(fast, field) == pytest.approx(
            getattr(plain, field), abs=TWIN, rel=TWIN, nan_ok=True
        ), field


@pytest.mark.parametrize("name", SYSTEMS)
def test_blocks_of_one_game_are_the_duels(name):
    pairs, outcomes, days = random_log(6)
    one = replay(name, pairs, outcomes, days)
    other = replay(name, pairs, outcomes, days, weights=np.ones(300), plays=np.arange(300))
    for field in one.__dataclass_fields__:
        assert getattr(one, field) == pytest.approx(getattr(other, field), abs=TWIN, nan_ok=True), field


def test_a_period_of_glicko1_is_glickmans_step_two():
    record = glicko1.replay(
        [[0, 1], [0, 2], [0, 3]],
        [1, 0, 0],
        periods=[5, 5, 5],
        ratings=[1500, 1400, 1550, 1700],
        deviations=[200, 30, 100, 300],
    )
    assert (record.ratings[0], record.deviations[0]) == pytest.approx((1464.1065, 151.3989), abs=FOUR_PLACES)
    assert record.games.tolist() == [3, 1, 1, 1]


@pytest.mark.parametrize("name", SYSTEMS)
def test_a_weight_of_zero_changes_nothing(name):
    """sublee/trueskill issue 20 and others: some games are worth more; one of weight 0 is as if never played."""
    pairs, outcomes, days = random_log(7)
    weights = np.random.default_rng(7).choice([0.0, 1.0], 300)
    kept = weights > 0
    # Glicko-2 without dates counts blocks as its clock, so that a game of weight 0 still lets time pass.
    one = replay(name, pairs, outcomes, days, weights=weights)
    other = replay(name, pairs[kept], outcomes[kept], days[kept])
    for field in one.__dataclass_fields__:
        if field not in ("forecasts", "draws", "blocks"):
            assert getattr(one, field) == pytest.approx(getattr(other, field), abs=TWIN, nan_ok=True), field
    assert one.forecasts[kept] == pytest.approx(other.forecasts, abs=TWIN)


@pytest.mark.parametrize("name", SYSTEMS)
@given(weight=st.floats(0.01, 0.99), outcome=st.sampled_from([0.0, 1.0]), gap=st.floats(-300, 300))
@settings(max_examples=30, deadline=None)
def test_a_weight_scales_a_move_and_never_turns_it(name, weight, outcome, gap):
    module = SYSTEMS[name][0]
    start = np.array([1500 + gap, 1500.0])
    full, part = (
        module.replay([[0, 1]], [outcome], ratings=start, weights=[w]).ratings - start for w in (1.0, weight)
    )
    assert (np.sign(part) == np.sign(full)).all()
    assert (np.abs(part) < np.abs(full)).all()


@pytest.mark.parametrize("name", SYSTEMS)
def test_seats_can_be_permuted(name):
    """vivekjoshy/openskill.py issues 166 and 173: equal scores got other ratings in another order."""
    plays, players, ranks = random_seats(8)
    shuffled = np.random.default_rng(8).permuted(np.arange(len(plays)))
    order = sorted(shuffled, key=lambda row: plays[row])
    one = index_tables(plays, players, ranks)
    other = index_tables(plays, [players[row] for row in order], [ranks[row] for row in order])
    module = SYSTEMS[name][0]
    results = []
    for games in (one, other):
        record = module.replay(games.pairs, games.outcomes, weights=games.weights, plays=games.plays)
        results.append(dict(zip(games.players, record.ratings, strict=True)))
    assert results[0] == pytest.approx(results[1], abs=TWIN)


@pytest.mark.parametrize("name", SYSTEMS)
def test_ties_of_equals_are_exact(name):
    """sublee/trueskill issue 13: tied equals ended slightly apart; and ranks of zero were taken as not given."""
    module = SYSTEMS[name][0]
    for ranks in ([0, 0], [1, 1], [3, 3, 3, 3]):
        games = play(ranks)
        record = module.replay(games.pairs, games.outcomes, weights=games.weights, plays=games.plays)
        assert len(set(record.ratings.tolist())) == 1


@pytest.mark.parametrize("name", SYSTEMS)
def test_what_follows_a_tie_does_not_depend_on_how_it_is_numbered(name):
    """sublee/trueskill issue 40, djcunningham0/multielo issue 5: 1, 2, 2, 3 and 1, 2, 2, 4 are one order."""
    module = SYSTEMS[name][0]
    ratings = [
        module.replay(games.pairs, games.outcomes, weights=games.weights, plays=games.plays).ratings.tolist()
        for games in (play([1, 2, 2, 3]), play([1, 2, 2, 4]))
    ]
    assert ratings[0] == ratings[1]


def test_large_tables_move_everybody_and_nobody_far():
    """FigBug/Multiplayer-ELO issue 19: above 33 players nothing moved; sublee/trueskill issue 22: too far."""
    games = play(list(range(40)))
    moves = elo.replay(games.pairs, games.outcomes, weights=games.weights, plays=games.plays).ratings - 1200
    assert (moves != 0).all() and np.abs(moves).max() <= 16
    games = play(list(range(200)))
    record = glicko1.replay(
        games.pairs, games.outcomes, weights=games.weights, plays=games.plays, settings=SMALL_PRIOR
    )
    assert record.deviations == pytest.approx([164.154950] * 200, abs=SIX_PLACES)
    assert np.abs(record.ratings - 1000).max() <= glicko1.Q * 180**2 * glicko1.attenuation(180)


@pytest.mark.parametrize("name", SYSTEMS)
def test_mates_are_not_rated_against_each_other(name):
    """NemeStats issue 471: mates gained from each other."""
    games = play([1, 1, 2, 2], teams=["red", "red", "blue", "blue"])
    assert games.pairs.tolist() == [[0, 2], [0, 3], [1, 2], [1, 3]]
    assert games.weights.tolist() == [[0.5, 0.5]] * 4
    module = SYSTEMS[name][0]
    ratings = module.replay(
        games.pairs, games.outcomes, weights=games.weights, plays=games.plays
    ).ratings.tolist()
    assert ratings[0] == ratings[1] > ratings[2] == ratings[3]


def test_two_against_one_weighs_by_the_number_of_opponents():
    games = play([1, 1, 2], teams=["red", "red", "blue"])
    assert games.weights.tolist() == [[1.0, 0.5], [1.0, 0.5]]


@pytest.mark.parametrize(
    ("seats", "options", "message"),
    [
        (([1, 1, 2], "abc", [1, 2, 1]), {}, "row 2: player 'c' has no opponent in play 2"),
        (([1, 1], "aa", [1, 2]), {}, "row 1: player 'a' sits twice in play 1"),
        (([1, 2, 1], "abc", [1, 2, 3]), {}, "the rows of a play must stand together"),
        (([1, 1], "ab", [1, np.nan]), {}, "rank in row 1 is nan"),
        (([1, 1], ["a", None], [1, 2]), {}, "name of player 1 is missing"),
        (([1, 1], "ab", [1, 2]), {"teams": "xx"}, "row 0: player 'a' has no opponent"),
        (([1, 1], "ab", [1, 2]), {"times": [3, 4]}, "row 1: time 4 differs"),
        (([1, 1], "ab", [1, 2]), {"weights": [1, -1]}, "weight of game 1 is -1"),
    ],
)
def test_bad_tables_are_named(seats, options, message):
    with pytest.raises(ValueError, match=message):
        index_tables(*seats, **options)


def test_bad_blocks_are_named():
    pairs, outcomes = [[0, 1], [0, 2], [1, 2]], [1, 1, 1]
    with pytest.raises(ValueError, match="play 7 goes on in row 2"):
        elo.replay(pairs, outcomes, plays=[7, 8, 7])
    with pytest.raises(ValueError, match="a period ends in row 1, within a play"):
        elo.replay(pairs, outcomes, plays=[7, 7, 8], periods=[1, 2, 2])
    with pytest.raises(ValueError, match=r"weights has shape \(2,\)"):
        elo.replay(pairs, outcomes, weights=[1, 1])
    with pytest.raises(ValueError, match="weight of game 2 is nan"):
        elo.replay(pairs, outcomes, weights=[1, 1, np.nan])
