"""Runs of the compiled trainer: tables, evaluations, checkpoints, resuming after a kill, a learner that learns."""

import numpy as np
import pandas as pd
import pytest

from ludometrics.connect4.compiled_run import network_of, train_compiled
from ludometrics.connect4.compiled_settings import CompiledSettings
from ludometrics.connect4.compiled_trainer import CompiledTrainer
from ludometrics.connect4.training_log import METRIC_COLUMNS, split_time
from ludometrics.connect4.weights_file import load_network

SETTINGS = CompiledSettings(batch=40, pattern_count=10, pattern_length=4, horizon=3, learning_rate=0.003)


def table_of(network, number):
    return pd.DataFrame(
        {"opponent": ["random"], "won": [int(1000 * abs(network.weights).max())], "seed": [number]}
    )


class Killed(Exception):
    pass


def test_a_run_writes_its_tables_and_its_network(tmp_path):
    options = {"seed": 4, "moves": 9_990, "evaluations": [4_000, 9_990], "evaluate": table_of}
    network = train_compiled(SETTINGS, folder=tmp_path, run=3, recipe="small", **options)
    metrics = pd.read_csv(tmp_path / "metrics.csv")
    assert list(metrics) == list(METRIC_COLUMNS)
    assert metrics["step"].tolist() == [100, 200, 250] and metrics["moves"].iloc[-1] == 10_000
    for name in ("finished", "updated", "random"):
        assert metrics[name].between(0, 1).all() and metrics[name].iloc[-1] > 0
    assert (metrics["weight_change"] > 0).all() and (metrics["value_sd"] > 0).all()
    arena = pd.read_csv(tmp_path / "arena.csv")
    assert arena[["run", "recipe", "step", "moves", "seed"]].values.tolist() == [
        [3, "small", 100, 4000, 0],
        [3, "small", 250, 10_000, 1],
    ]
    times = split_time(pd.read_csv(tmp_path / "clock.csv"))
    assert times["event"].tolist() == ["metrics", "arena", "metrics", "metrics", "arena", "checkpoint"]
    kept = load_network(tmp_path / "network.npz")
    np.testing.assert_array_equal(kept.weights, network.weights)
    assert kept.about["moves"] == 10_000 and kept.about["settings"]["batch"] == 40
    with pytest.raises(ValueError, match=r"metrics\.csv is there"):
        train_compiled(SETTINGS, folder=tmp_path, **options)


def test_a_killed_run_goes_on_to_the_same_bytes(tmp_path):
    options = {"seed": 4, "moves": 12_000, "evaluations": [2_000, 8_000, 12_000], "checkpoint_every": 60}

    def killed_at_once(network, number):  # before the first checkpoint
        raise Killed

    train_compiled(SETTINGS, folder=tmp_path / "whole", evaluate=table_of, **options)

    with pytest.raises(Killed):
        train_compiled(SETTINGS, folder=tmp_path / "cut", evaluate=killed_at_once, **options)

    def killing(network, number):
        if number == 1:
            raise Killed
        return table_of(network, number)

    with pytest.raises(Killed):
        train_compiled(SETTINGS, folder=tmp_path / "cut", evaluate=killing, resume=True, **options)
    for _ in range(2):  # the second time there is nothing left to do
        train_compiled(SETTINGS, folder=tmp_path / "cut", evaluate=table_of, resume=True, **options)
        for name in ("metrics.csv", "arena.csv", "network.npz"):
            assert (tmp_path / "cut" / name).read_bytes() == (tmp_path / "whole" / name).read_bytes(), name
    with pytest.raises(ValueError, match="batch"):
        train_compiled(
            SETTINGS.with_changes(batch=41),
            folder=tmp_path / "cut",
            evaluate=table_of,
            resume=True,
            **options,
        )


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"moves": 0}, "moves is 0: a whole number of moves from 1"),
        ({"moves": 2.5}, "moves is 2.5"),
        (
            {"moves": 80, "evaluations": [200], "evaluate": table_of},
            "evaluations after 200 moves: allowed are 1 to 80",
        ),
        ({"moves": 80, "evaluations": [40]}, "evaluations after 40 moves"),
    ],
)
def test_budgets_outside_their_range_are_refused(tmp_path, options, message):
    with pytest.raises(ValueError, match=message):
        train_compiled(SETTINGS, seed=1, folder=tmp_path / "run", **options)
    assert not (tmp_path / "run").exists()


def test_the_network_of_a_run_is_the_averaged_one():
    trainer = CompiledTrainer(SETTINGS, seed=2)
    trainer.run(50)
    network = network_of(trainer, run=0, recipe="x")
    np.testing.assert_array_equal(network.weights.ravel(), trainer.weights.average)
    assert network.about["step"] == 50 and network.weights.base is None
