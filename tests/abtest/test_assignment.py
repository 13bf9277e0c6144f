"""Assignment: the course's groups, values by another tool, even splits, independence, and balance by design."""

import json
import math
from itertools import product
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ludometrics.abtest import assign_by_hash
from ludometrics.abtest.assignment import assign_alternating, assign_blocked, assign_per_game

PATH = Path(__file__).parents[1] / "data" / "abtest" / "assignment.json"
CASES = json.loads(PATH.read_text(encoding="utf-8"))
TEST = "medium-randomness"
# Chances of a fair coin to land farther out than this many standard errors: 6 in 100,000. The coins are fixed.
FAR_OUT = 4.0


def cases(*designs: str):
    chosen = [case for case in CASES if case.get("design", "hash") in designs]
    return pytest.mark.parametrize("case", chosen, ids=lambda case: case["desc"])


def coins(names: int, games: int, experiment: str = TEST) -> np.ndarray:
    """1 where the version is B, else -1: a row a player."""
    dealt = [
        [assign_per_game(experiment, f"P{name}", game) for game in range(games)] for name in range(names)
    ]
    return np.where(np.array(dealt) == "B", 1, -1)


def is_fair(signs: np.ndarray) -> bool:
    return abs(signs.sum()) / math.sqrt(signs.size) < FAR_OUT


@cases("hash")
def test_groups(case):
    groups = {
        name: assign_by_hash(case["experiment"], name) for names in case["groups"].values() for name in names
    }
    assert groups == {name: group for group, names in case["groups"].items() for name in names}


def test_spellings_agree():
    assert len({assign_by_hash("medium-randomness", name) for name in ("Ann", " ann ", "ANN", "ann\n")}) == 1


def test_a_thousand_names_split_evenly():
    count = sum(assign_by_hash("medium-randomness", f"Player {number}") == "A" for number in range(1000))
    assert 400 < count < 600


def test_another_experiment_deals_anew():
    names = [f"Player {number}" for number in range(100)]
    groups = [[assign_by_hash(experiment, name) for name in names] for experiment in ("one", "two")]
    assert groups[0] != groups[1]


def test_folds_agree_on_the_names_of_the_course():
    names = [name for case in CASES[:2] for group in case["groups"].values() for name in group]
    names += [f"Player {number}" for number in range(1000)]
    for name in names:
        assert assign_by_hash(TEST, name) == assign_by_hash(TEST, name, fold="course")


def test_folds_differ_where_lower_case_is_not_enough():
    experiments = [str(number) for number in range(50)]
    by_names, by_course = (
        [assign_by_hash(experiment, "Straße", fold=fold) for experiment in experiments]
        for fold in ("names", "course")
    )
    assert by_names == [assign_by_hash(experiment, "STRASSE") for experiment in experiments] != by_course


@cases("game", "random", "fixed")
def test_versions_game_by_game(case):
    def deal(game):
        if case["design"] == "game":
            return assign_per_game(case["experiment"], case["name"], game)
        return assign_alternating(case["experiment"], case["name"], game, order=case["design"])

    assert "".join(map(deal, range(len(case["variants"])))) == case["variants"]


def test_games_of_numpy_count_too():
    assert assign_per_game(TEST, "Ann", np.int64(3)) == assign_per_game(TEST, "Ann", 3)


@pytest.mark.parametrize("deal", [assign_per_game, assign_alternating])
def test_parts_do_not_run_into_each_other(deal):
    games = range(40)
    dealt = [
        [deal(experiment, name, game) for game in games]
        for experiment, name in [("a", "b:1"), ("a:b", "1"), ("a:b:1", "0"), ("a", "b:1,0")]
    ]
    assert all(
        dealt[first] != dealt[second] for first, second in product(range(4), repeat=2) if first < second
    )
    # A player called "1" in game 12 is not the player called "11" in game 2.
    assert [deal("a", "1", 10 + game) for game in games] != [deal("a", "11", game) for game in games]


def test_coins_are_fair_and_independent():
    signs = coins(1000, 12)
    assert is_fair(signs)
    assert all(is_fair(signs[:, game]) for game in range(12))
    for lag in (1, 2, 5):
        assert is_fair(signs[:, lag:] * signs[:, :-lag]), "games of a player agree too often or too seldom"
    assert is_fair(signs[1:] * signs[:-1]), "players with names alike"
    assert is_fair(signs * coins(1000, 12, "another")), "experiments"
    by_hash = np.array([assign_by_hash(TEST, f"P{name}") == "B" for name in range(1000)])
    assert is_fair(signs * np.where(by_hash, 1, -1)[:, None]), "the coin for the whole test"
    heads = (signs > 0).sum(axis=1)
    assert abs(heads.var(ddof=1) / 3.0 - 1.0) < FAR_OUT * math.sqrt(2.0 / 1000), (
        "variance of a binomial, 12 / 4"
    )


@pytest.mark.parametrize("order", ["random", "fixed"])
@given(name=st.text("abc :1", min_size=1).filter(str.strip), pair=st.integers(0, 10**9))
@settings(max_examples=60, deadline=None)
def test_each_pair_has_both_versions(order, name, pair):
    dealt = [assign_alternating(TEST, name, 2 * pair + second, order=order) for second in (0, 1)]
    assert sorted(dealt) == ["A", "B"]
    assert order == "random" or dealt[0] == "A"


def test_pairs_are_ordered_by_fair_coins():
    first = [
        [assign_alternating(TEST, f"P{name}", 2 * pair) == "B" for pair in range(6)] for name in range(1000)
    ]
    signs = np.where(first, 1, -1)
    assert is_fair(signs) and is_fair(signs[:, 1:] * signs[:, :-1])
    assert is_fair(signs * coins(1000, 6)), "the coins of single games"


@cases("blocked")
def test_blocks(case):
    table = assign_blocked(case["experiment"], case["ratings"], size=case["size"])
    blocks = {row.player: [row.block, row.variant] for row in table.itertuples()}
    assert list(blocks.items()) == list(case["blocks"].items())
    assert table["rating"].tolist() == [case["ratings"][player] for player in blocks]


@given(
    ratings=st.dictionaries(st.text("abcd", min_size=1, max_size=3), st.integers(-3, 3), min_size=1),
    size=st.sampled_from([2, 4, 6]),
    seed=st.randoms(use_true_random=False),
)
@settings(max_examples=100, deadline=None)
def test_blocks_are_balanced_neighbours_in_any_order_of_rows(ratings, size, seed):
    table = assign_blocked(TEST, ratings, size=size)
    assert sorted(table["player"]) == sorted(ratings) and table["rating"].is_monotonic_decreasing
    sizes = table.groupby("block").size()
    assert sizes.index.tolist() == list(range(len(sizes))) and (sizes.iloc[:-1] == size).all()
    surplus = table["variant"].map({"A": 1, "B": -1}).groupby(table["block"]).sum()
    assert (surplus.abs() == sizes % 2).all()
    rows = list(ratings.items())
    seed.shuffle(rows)
    assert assign_blocked(TEST, dict(rows), size=size).equals(table)


def test_a_single_player_left_over_is_dealt_by_hash():
    for number in range(20):
        table = assign_blocked(str(number), {"Ann": 3, "Bob": 2, "Cid": 1})
        assert table["variant"].iloc[2] == assign_by_hash(str(number), "Cid")


def test_every_split_of_a_block_is_as_likely():
    splits = [
        "".join(assign_blocked(str(number), {"a": 4, "b": 3, "c": 2, "d": 1}, size=4)["variant"])
        for number in range(1200)
    ]
    counts = np.unique(splits, return_counts=True)[1]
    # Chi-square of 6 splits, 200 each, 5 degrees of freedom: 99.99 % lie below 25.7.
    assert len(counts) == 6 and ((counts - 200) ** 2 / 200).sum() < 25.7


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"fold": "upper"}, "fold is 'upper'"),
        ({"name": "  "}, "neither may be empty"),
        ({"experiment": ""}, "neither may be empty"),
        ({"name": None}, "name is None: it must be text"),
        ({"name": "\ud800"}, "name is '.ud800': it must be text that UTF-8 can hold"),
        ({"experiment": 7}, "experiment is 7"),
    ],
)
@pytest.mark.parametrize(
    "deal",
    [
        assign_by_hash,
        lambda **who: assign_per_game(game=0, **who),
        lambda **who: assign_alternating(game=0, **who),
    ],
)
def test_bad_values_are_named(deal, arguments, message):
    with pytest.raises(ValueError, match=message):
        deal(**{"experiment": "medium-randomness", "name": "Ann", **arguments})


@pytest.mark.parametrize("game", [-1, 1.0, True, "1", None])
@pytest.mark.parametrize("deal", [assign_per_game, assign_alternating])
def test_bad_games_are_named(deal, game):
    with pytest.raises(ValueError, match=r"game is .*: it must be a whole number of at least 0"):
        deal(TEST, "Ann", game)


def test_bad_orders_are_named():
    with pytest.raises(ValueError, match="order is 'AB': allowed are random, fixed"):
        assign_alternating(TEST, "Ann", 0, order="AB")


@pytest.mark.parametrize(
    ("ratings", "more", "message"),
    [
        ({"Fela": 1.0, "fela": 2.0}, {}, "'Fela' and 'fela' are two spellings of one player"),
        ({"Ann": math.nan}, {}, "rating of 'Ann' is nan: it must be a finite number"),
        ({"Ann": math.inf}, {}, "rating of 'Ann' is inf"),
        ({"Ann": "1200"}, {}, "rating of 'Ann' is '1200'"),
        ({"Ann": None}, {}, "rating of 'Ann' is None"),
        ({"": 1.0}, {}, "neither may be empty"),
        ({}, {}, "at least one player"),
        ({"Ann": 1.0}, {"size": 3}, "size is 3: it must be an even whole number of at least 2"),
        ({"Ann": 1.0}, {"size": 0}, "size is 0"),
        ({"Ann": 1.0}, {"size": 2.0}, "size is 2.0"),
        ({"Ann": 1.0}, {"fold": "upper"}, "fold is 'upper'"),
    ],
)
def test_bad_blocks_are_named(ratings, more, message):
    with pytest.raises(ValueError, match=message):
        assign_blocked(TEST, ratings, **more)
