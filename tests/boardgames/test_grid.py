"""Grids: candidates on both sides of every constant, compared with the settings in use, and an honest choice."""

from dataclasses import fields, replace

import numpy as np
import pytest

from ludometrics.boardgames.grid import (
    GRIDS,
    IN_USE,
    KNOBS,
    Candidate,
    all_together,
    choose,
    distance,
    one_at_a_time,
    sweep,
)
from ludometrics.boardgames.loss_tables import Replays, loss_table
from ludometrics.boardgames.settings import PRESETS, EngineSettings
from ludometrics.boardgames.weights import game_weights
from ludometrics.evaluation import compare, split, tune
from ludometrics.simulation.boardgame_groups import simulate_group
from ludometrics.simulation.boardgame_worlds import GroupWorld
from small_logs import random_log

BASE = EngineSettings()


def seeded(seed=1):
    return np.random.default_rng(seed)


def random_replays(seed=3):
    log = random_log(seeded(seed), plays=60)
    return Replays(log, game_weights(log.games, BASE, skill={key: 0.1 for key in log.games}))


def candidate(name, **changes):
    return Candidate(name, name, "", "ours", replace(BASE, **changes))


FEW = [
    candidate("wide", deviation=300.0),
    candidate("narrow", deviation=60.0),
    candidate("fast", absence=8.0),
]


@pytest.mark.parametrize("knob", KNOBS, ids=lambda knob: knob.name)
def test_a_knob_is_tried_on_both_sides_of_its_constant(knob):
    default = tuple(getattr(BASE, field) for field in knob.fields)
    assert default in knob.values
    least = default[-1] == min(values[-1] for values in knob.values)
    assert (least and default[-1] == 0) or min(values[-1] for values in knob.values) < default[-1]
    assert max(values[-1] for values in knob.values) > default[-1] or knob.name == "weight_base"
    found = one_at_a_time(BASE, [knob])
    assert len(found) == len(knob.values) - 1
    for one in found:
        changed = {
            item.name for item in fields(BASE) if getattr(one.settings, item.name) != getattr(BASE, item.name)
        }
        assert changed <= set(knob.fields) and changed


def test_every_number_of_the_engine_has_a_knob():
    numbers = {item.name for item in fields(BASE) if isinstance(getattr(BASE, item.name), int | float)}
    switches = {item.name for item in fields(BASE) if isinstance(getattr(BASE, item.name), bool)}
    tried = {field for knob in KNOBS for field in knob.fields}
    assert numbers - switches - tried == {"start"}  # which shifts all ratings and no forecast


@pytest.mark.parametrize("name", list(PRESETS))
def test_candidates_fit_every_preset_and_have_names_of_their_own(name):
    base = PRESETS[name]
    for found in (one_at_a_time(base), *(all_together(base, *grid) for grid in GRIDS.items())):
        assert len({one.name for one in found}) == len(found) == len({one.settings for one in found})
        assert base not in [one.settings for one in found]


def test_a_floor_above_the_deviation_is_not_tried():
    found = one_at_a_time(replace(BASE, deviation=50.0, floor=40.0))
    assert "floor 60" not in [one.name for one in found] and "floor 45" in [one.name for one in found]
    found = one_at_a_time(replace(BASE, floor=70.0))
    assert "deviation 60" not in [one.name for one in found]


def test_a_sweep_compares_with_the_settings_in_use():
    replays = random_replays()
    table = sweep(replays, BASE, FEW, replicates=50, rng=seeded())
    assert table["setting"].tolist() == [IN_USE, "wide", "narrow", "fast"]
    assert table.loc[0, ["difference", "low", "high", "verdict"]].tolist() == [0, 0, 0, "neutral"]
    losses = loss_table(replays, {IN_USE: BASE, "narrow": FEW[1].settings}).columns("play")
    expected = compare(losses["narrow"], losses[IN_USE], units=None, replicates=50, rng=seeded())
    assert table.loc[2, ["difference", "low", "high", "n", "verdict"]].tolist() == pytest.approx(
        list(expected)
    )
    assert table["loss"].tolist()[::2] == pytest.approx([losses[IN_USE].mean(), losses["narrow"].mean()])
    assert (table["loss"] - table["loss"][0]).tolist() == pytest.approx(
        table["difference"].tolist(), abs=1e-12
    )
    assert table[["knob", "source"]].to_numpy().tolist()[1] == ["wide", "ours"]


def test_a_choice_is_made_on_the_first_plays_and_reported_on_the_last():
    replays = random_replays()
    found = choose(replays, BASE, FEW, replicates=50, rng=seeded())
    table = loss_table(replays, {IN_USE: BASE} | {one.name: one.settings for one in FEW})
    columns = table.columns("play")
    order = [IN_USE, "wide", "fast", "narrow"]  # by how far each is from the settings in use
    rng = seeded()
    expected = tune(columns, None, order_of_simplicity=order, replicates=50, rng=rng)
    assert found.tuning == expected and found.tuning.n_settings == 4
    report = split(table.n_plays).report
    assert found.plays == report.sum() == found.against.n
    assert found.pairs == np.isin(table.play, table.rows("play")[1][report]).sum()
    losses = columns[expected.chosen][report], columns[IN_USE][report]
    assert found.against == compare(*losses, units=None, replicates=50, rng=rng)


def test_nothing_that_happens_in_the_report_changes_the_choice():
    log = random_log(seeded(7), plays=90)
    shuffled = replace(log, plays=log.plays[:60] + random_log(seeded(8), plays=90).plays[60:])
    found = [
        choose(Replays(one, game_weights(log.games, BASE)), BASE, FEW, replicates=20, rng=seeded()).tuning
        for one in (log, shuffled)
    ]
    assert found[0].chosen == found[1].chosen and found[0].chosen_loss != found[1].chosen_loss


def test_what_is_not_told_apart_stays_as_it_is():
    """Settings that change nothing are within any error of the best: the settings in use are kept."""
    same = [candidate("owner", owner_experience=True)]
    found = choose(random_replays(), BASE, same, replicates=20, rng=seeded())
    assert found.tuning.chosen == IN_USE and found.settings == BASE
    assert found.against[:3] == (0, 0, 0) and found.against.verdict == "neutral"


def test_a_prior_far_too_wide_is_found_out():
    """Many people of few plays and nearly one strength."""
    group = simulate_group(GroupWorld(plays=800, spread=20.0, people=100), rng=seeded(2))
    replays = Replays(group.log, game_weights(group.log.games, BASE))
    base = replace(BASE, deviation=600.0)
    found = choose(replays, base, one_at_a_time(base, KNOBS[:1]), replicates=200, rng=seeded())
    assert found.settings.deviation < 150 and found.against.verdict == "helps"


def test_distance_counts_fields_before_sizes():
    near, far = replace(BASE, deviation=170.0), replace(BASE, deviation=60.0)
    both = replace(near, absence=3.1)
    assert distance(BASE, BASE) < distance(BASE, near) < distance(BASE, far) < distance(BASE, both)
    assert distance(BASE, near) == distance(near, BASE)


def test_equal_seeds_give_equal_tables():
    tables = [sweep(random_replays(), BASE, FEW, replicates=20, rng=seeded()) for _ in range(2)]
    assert tables[0].equals(tables[1])


@pytest.mark.parametrize("candidates", [[], [FEW[0], FEW[0]]], ids=["none", "one name twice"])
def test_candidates_need_names_that_differ(candidates):
    for call in (sweep, choose):
        with pytest.raises(ValueError, match="at least one is needed, and names that differ"):
            call(random_replays(), BASE, candidates, rng=seeded())
