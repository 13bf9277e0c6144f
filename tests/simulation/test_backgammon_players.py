"""Players of known skill: how they choose, and who meets whom."""

import math
import random
from collections import Counter
from dataclasses import asdict

import pytest

from ludometrics.simulation.backgammon_players import (
    PLAYERS,
    against_engine,
    lengths,
    round_robin,
    steady,
)
from ludometrics.simulation.gnubg_script import Player, blots_after, gumbel

START = [0, 0, 0, 0, 0, 5, 0, 3, 0, 0, 0, 0, 5, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2, 0]
# optimal, no double, double and take, double and pass: taking costs 0.1
PASS_BY_0_1 = (1.0, 0.8, 1.1, 1.0)


def player(policy, seed=1):
    return Player(asdict(policy), random.Random(seed))


def test_options_are_picked_as_often_as_the_temperature_says():
    own, counts = player(steady(0.05)), Counter()
    for _ in range(4000):
        counts[own.move([("a", 0.10), ("b", 0.05), ("c", -0.05)], START)[0]] += 1
    weights = [math.exp(-cost / 0.05) for cost in (0, 0.05, 0.15)]
    for move, weight in zip("abc", weights, strict=True):
        share = weight / sum(weights)
        assert counts[move] / 4000 == pytest.approx(share, abs=4 * math.sqrt(share * (1 - share) / 4000))


def test_no_temperature_takes_the_best():
    own = player(steady(0.0))
    assert {own.move([("a", 0.10), ("b", 0.0999)], START)[0] for _ in range(50)} == {"a"}
    assert gumbel(random.Random(1), 0) == 0
    assert own.double((0.6, 0.5, 0.6, 1.0))[0] and not own.double((0.7, 0.7, 0.6, 1.0))[0]
    assert own.takes((0.9, 0.7, 0.9, 1.0))[0] and not own.takes(PASS_BY_0_1)[0]


@pytest.mark.parametrize(
    ("leak", "evaluation", "action", "with_leak", "without"),
    [
        ({"takes_too_much": 0.25}, PASS_BY_0_1, "takes", True, False),
        ({"passes_too_much": 0.25}, (0.9, 0.7, 0.9, 1.0), "takes", False, True),
        ({"doubles_late": 0.2}, (0.8, 0.7, 0.8, 1.0), "double", False, True),
        ({"doubles_late": 0.2}, (1.0, 0.9, 1.1, 1.0), "double", True, True),
        ({"doubles_early": 0.15}, (0.5, 0.5, 0.4, 1.0), "double", True, False),
        ({"doubles_early": 0.15}, (1.1, 1.1, 1.5, 1.0), "double", False, False),
    ],
)
def test_cube_leaks(leak, evaluation, action, with_leak, without):
    assert getattr(player(steady(0.0, **leak)), action)(evaluation)[0] is with_leak
    assert getattr(player(steady(0.0)), action)(evaluation)[0] is without


def test_who_avoids_blots_takes_the_safest_of_near_plays():
    options = [("13/11 13/8", 0.02), ("24/22 24/19", 0.0), ("13/8 6/4", 0.01), ("8/3 6/3", -0.3)]
    assert player(steady(0.0)).move(options, START)[0] == "13/11 13/8"
    own = player(steady(0.0, avoids_blots=0.05))
    assert (
        own.move(options, START)[0] == min(options[:3], key=lambda option: blots_after(START, option[0]))[0]
    )


@pytest.mark.parametrize(
    ("move", "blots"),
    [
        ("13/11 6/5", 2),
        ("8/5 6/5", 0),
        ("24/18", 2),
        ("24/18*/13", 1),
        ("13/8", 0),
        ("6/4(2)", 0),
        ("6/off", 0),
        ("13/7(3)", 0),
    ],
)
def test_blots_after_a_move(move, blots):
    assert blots_after(START, move) == blots


def test_a_checker_from_the_bar_is_counted():
    board = [0] * 24 + [1]
    assert blots_after(board, "bar/20") == 1


def test_haste_is_drawn_for_each_decision():
    own = player(PLAYERS["hasty"])
    drawn = [own.pace() for _ in range(2000)]
    hurried = [spent for temperature, spent in drawn if temperature == 0.05]
    calm = [spent for temperature, spent in drawn if temperature == 0.005]
    assert len(hurried) + len(calm) == 2000 and 900 < len(hurried) < 1100
    assert sorted(hurried)[1000 - 100] < sorted(calm)[100]


def test_everybody_meets_everybody_once_a_round():
    tasks = round_robin(2, seed=3)
    assert len(tasks) == 2 * 66 and len({task.name for task in tasks}) == 132
    pairs = Counter(frozenset(task.players) for task in tasks)
    assert set(pairs.values()) == {2}
    assert Counter(task.players[0] for task in tasks) == Counter(task.players[1] for task in tasks)
    assert tasks == round_robin(2, seed=3) and tasks != round_robin(2, seed=4)
    assert round_robin(1, seed=3) == tasks[:66]
    assert len({(task.seed, task.dice_seed) for task in tasks}) == 132


def test_lengths_and_matches_against_the_engine():
    tasks = lengths({1: 3, 5: 2}, "t030", seed=1)
    assert Counter(task.length for task in tasks) == {1: 3, 5: 2}
    assert {task.players for task in tasks} == {("t030", "t030")}
    quick = against_engine(4, seed=1)
    assert len(quick) == 4 * (len(PLAYERS) - 1) and {task.plies for task in quick} == {None}
    assert all("engine" in task.players for task in quick)
    assert sum(task.players[0] == "engine" for task in quick) == len(quick) // 2
