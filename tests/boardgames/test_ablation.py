"""Ablation: what is taken away, on which pairs it is compared, and that a mechanism that is true is found to help."""

from dataclasses import fields, replace

import numpy as np
import pytest

from ludometrics.boardgames.ablation import COLUMNS, MECHANISMS, SKILL, Mechanism, ablate, with_and_without
from ludometrics.boardgames.loss_tables import Replays, loss_table
from ludometrics.boardgames.records import Game
from ludometrics.boardgames.settings import PRESETS, EngineSettings
from ludometrics.boardgames.weights import game_weights
from ludometrics.evaluation import MARGIN, compare, give_verdict
from ludometrics.simulation.boardgame_groups import simulate_group
from ludometrics.simulation.boardgame_worlds import GroupWorld
from small_logs import make_log, make_play, random_log

BASE = EngineSettings()
BY_NAME = {one.name: one for one in MECHANISMS}


def seeded(seed=1):
    return np.random.default_rng(seed)


def random_replays(seed=3, **options):
    log = random_log(seeded(seed), plays=60, **options)
    return Replays(log, game_weights(log.games, BASE, skill={k: n / 4 for n, k in enumerate(log.games)}))


def only(*names):
    return [BY_NAME[name] for name in names]


def row_of(table, name):
    return table.set_index("mechanism").loc[name]


@pytest.mark.parametrize("base", list(PRESETS.values()), ids=list(PRESETS))
@pytest.mark.parametrize("mechanism", MECHANISMS, ids=lambda one: one.name)
def test_with_and_without_differ_in_the_mechanism_alone(mechanism, base):
    with_it, without = with_and_without(base, mechanism)
    changed = {x.name for x in fields(base) if getattr(with_it, x.name) != getattr(without, x.name)}
    assert changed <= set(mechanism.off) and bool(changed) == (mechanism.kind in ("mechanism", "alternative"))
    others = {x.name for x in fields(base)} - set(mechanism.on)
    assert all(getattr(with_it, name) == getattr(base, name) for name in others)


def test_every_switch_of_the_engine_is_a_mechanism():
    switched = {field for one in MECHANISMS for field in one.on}
    switches = {x.name for x in fields(BASE) if isinstance(getattr(BASE, x.name), bool | str)}
    # Options of which no export says whether they hold, and what becomes of team plays.
    assert switches - switched == {"teams", "owner_experience", "new_player_resets"}
    assert len(BY_NAME) == len(MECHANISMS)


def test_a_number_that_is_in_use_is_kept():
    floor = BY_NAME["floor of the deviation"]
    assert [x.floor for x in with_and_without(replace(BASE, floor=60.0), floor)] == [60.0, 1.0]
    assert [x.floor for x in with_and_without(replace(BASE, floor=1.0), floor)] == [45.0, 1.0]
    margin = BY_NAME["margin of 0.6-1.4"]
    assert [x.margin_low for x in with_and_without(replace(BASE, margin_low=0.9), margin)] == [0.6, 0.8]


def test_a_row_is_the_paired_comparison():
    replays = random_replays()
    (mechanism,) = only("aging in absence")
    row = ablate(replays, BASE, mechanisms=[mechanism], replicates=50, rng=seeded()).iloc[0]
    assert tuple(row.index) == COLUMNS
    losses = loss_table(replays, {"with": BASE, "without": replace(BASE, absence=0.0)})
    columns = losses.columns("play")
    (own,) = seeded().spawn(1)
    expected = compare(columns["with"], columns["without"], units=None, replicates=50, rng=own)
    assert row[["difference", "low", "high", "n", "verdict"]].tolist() == list(expected)
    assert row["verdict"] == give_verdict(row["low"], row["high"], margin=MARGIN)
    assert row["loss_with"] - row["loss_without"] == pytest.approx(row["difference"])
    assert (row["plays"], row["pairs"]) == (losses.n_plays, losses.n_pairs)


def test_all_mechanisms_are_tried_and_a_part_gives_the_same():
    replays = random_replays(guests=0.2)
    table = ablate(replays, BASE, replicates=20, shuffles=2, rng=seeded())
    assert table["mechanism"].tolist() == list(BY_NAME)
    assert np.isfinite(table[["loss_with", "loss_without", "difference", "low", "high"]].to_numpy()).all()
    again = ablate(replays, BASE, mechanisms=MECHANISMS[:3], replicates=20, rng=seeded())
    assert again.equals(table.iloc[:3])


def test_what_has_nothing_to_work_on_changes_nothing():
    plays = [make_play(n, "go", [("a", 1 + n % 2), ("b", 2 - n % 2)], hours=24 * n) for n in range(12)]
    log = make_log(plays)
    replays = Replays(log, game_weights(log.games, BASE))
    names = ("game weight W", "margin G", "duration D", "guests as unknowns", "gate", SKILL)
    table = ablate(replays, BASE, mechanisms=only(*names), replicates=20, rng=seeded())
    assert (table["changed"] == 0).all() and (table["verdict"] == "neutral").all()
    assert np.abs(table[["difference", "low", "high"]].to_numpy(float)).max() < 1e-12
    aging = ablate(replays, BASE, mechanisms=only("aging in absence"), replicates=20, rng=seeded()).iloc[0]
    assert 0 < aging["changed"] < 1  # not of the first play


def test_pairs_that_one_side_lacks_are_counted():
    team = Game("coop", "Together", cooperative=True)
    plays = [
        make_play(n, "coop" if n % 4 == 3 else "go", [("a", 1), ("b", 2), ("c", 3)], hours=24 * n)
        for n in range(12)
    ]
    log = make_log(plays, games=[team])
    replays = Replays(log, game_weights(log.games, BASE))
    row = ablate(replays, BASE, mechanisms=only("gate"), replicates=20, rng=seeded()).iloc[0]
    assert (row["left_out_with"], row["left_out_without"]) == (0, 9)
    assert (row["plays"], row["pairs"]) == (9, 27)


def test_shuffled_skill_is_averaged_over_its_shuffles():
    replays = random_replays()
    few, many = (
        ablate(replays, BASE, mechanisms=only(SKILL), shuffles=n, replicates=20, rng=seeded()).iloc[0]
        for n in (1, 30)
    )
    assert few["loss_with"] == many["loss_with"] and few["loss_without"] != many["loss_without"]
    with pytest.raises(ValueError, match="shuffles is 0"):
        ablate(replays, BASE, shuffles=0, rng=seeded())


def test_order_of_the_file_and_equal_seeds():
    tables = [ablate(random_replays(), BASE, replicates=20, shuffles=2, rng=seeded()) for _ in range(2)]
    assert tables[0].equals(tables[1])


def test_what_is_known_to_help_or_hurt_is_found_out():
    """The pairs of a large table share their luck: each in full is too much. People here do not drift."""
    group = simulate_group(GroupWorld(plays=1500, table_sizes=(1, 1, 1, 1, 2)), rng=seeded(4))
    replays = Replays(group.log, game_weights(group.log.games, BASE))
    drift = Mechanism("drift of 25", "alternative", "none", {"drift": 25.0}, {"drift": 0.0})
    chosen = [*only("weight shared by opponents"), drift]
    table = ablate(replays, BASE, mechanisms=chosen, replicates=200, rng=seeded())
    assert row_of(table, "weight shared by opponents")["verdict"] == "helps"
    assert row_of(table, "drift of 25")["verdict"] == "hurts"
    by_days = ablate(
        replays, BASE, mechanisms=chosen, unit="day", weighting="pair", replicates=200, rng=seeded()
    )
    assert by_days["verdict"].tolist() == ["helps", "hurts"]
    assert (by_days["n"] < table["n"]).all() and (by_days["pairs"] == table["pairs"]).all()
