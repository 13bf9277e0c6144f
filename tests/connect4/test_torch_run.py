"""Runs of trainer A: tables, evaluations, checkpoints, and going on after a kill to the same bytes."""

import os
import signal
import subprocess
import sys

import numpy as np
import pandas as pd
import pytest

torch = pytest.importorskip("torch")

from ludometrics.connect4.recipe import recipe  # noqa: E402
from ludometrics.connect4.torch_run import train  # noqa: E402
from ludometrics.connect4.training_log import METRIC_COLUMNS, split_time  # noqa: E402
from ludometrics.connect4.weights_file import load_network  # noqa: E402

SETTINGS = recipe(
    batch=30,
    steps=120,
    pattern_count=8,
    pattern_length=4,
    learning_rate=0.01,
    log_every=20,
    evaluate_every=30,
    checkpoint_every=25,
)
SAME = ("metrics.csv", "arena.csv", "network.npz")


def table_of(network, number):
    """A row that depends on every weight, as an evaluation does."""
    won = int(1e6 * float(np.abs(network.weights).sum(dtype=np.float64)))
    return pd.DataFrame({"opponent": ["random"], "error": [np.nan], "won": [won], "number": [number]})


class Killed(Exception):
    pass


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    """The folder of a run that nothing befell."""
    folder = tmp_path_factory.mktemp("whole")
    train(SETTINGS, seed=2, folder=folder, run=3, evaluate=table_of)
    return folder


def test_a_run_writes_its_tables_its_times_and_its_network(whole):
    metrics = pd.read_csv(whole / "metrics.csv")
    assert list(metrics) == list(METRIC_COLUMNS)
    assert metrics["step"].tolist() == [20, 30, 40, 60, 80, 90, 100, 120]
    assert metrics["moves"].tolist() == (30 * metrics["step"]).tolist() and metrics["loss"].notna().all()
    arena = pd.read_csv(whole / "arena.csv")
    assert arena[["run", "recipe", "step", "moves", "number"]].values.tolist() == [
        [3, "recipe", step, 30 * step, number] for number, step in enumerate((30, 60, 90, 120))
    ]
    times = split_time(pd.read_csv(whole / "clock.csv"))
    assert list(zip(times["step"], times["event"], strict=True))[:6] == [
        (20, "metrics"),
        (25, "checkpoint"),
        (30, "metrics"),
        (30, "arena"),
        (40, "metrics"),
        (50, "checkpoint"),
    ]
    kept = load_network(whole / "network.npz")
    assert kept.about["run"] == 3 and kept.about["step"] == 120
    assert table_of(kept, 3)["won"].item() == arena["won"].iloc[-1]


@pytest.mark.parametrize("fatal", [0, 2])
def test_a_run_that_broke_off_goes_on_to_the_same_bytes(tmp_path, whole, fatal):
    def breaking(network, number):
        if number == fatal:
            raise Killed
        return table_of(network, number)

    with pytest.raises(Killed):
        train(SETTINGS, seed=2, folder=tmp_path, run=3, evaluate=breaking)
    for _ in range(2):  # the second time there is nothing left to do
        network = train(SETTINGS, seed=2, folder=tmp_path, run=3, evaluate=table_of, resume=True)
        np.testing.assert_array_equal(network.weights, load_network(whole / "network.npz").weights)
        for name in SAME:
            assert (tmp_path / name).read_bytes() == (whole / name).read_bytes(), name


def test_a_run_killed_before_its_first_checkpoint_begins_again(tmp_path):
    settings = SETTINGS.with_changes(steps=40, checkpoint_every=1000)
    train(settings, seed=2, folder=tmp_path / "whole")

    def breaking(network, number):
        raise Killed

    with pytest.raises(Killed):
        train(settings, seed=2, folder=tmp_path / "cut", evaluate=breaking)
    assert not (tmp_path / "cut" / "checkpoint.npz").exists()
    train(settings, seed=2, folder=tmp_path / "cut", resume=True)
    for name in ("metrics.csv", "network.npz"):
        assert (tmp_path / "cut" / name).read_bytes() == (tmp_path / "whole" / name).read_bytes(), name


CHILD = """
import os, signal, sys, torch
sys.path.insert(0, sys.argv[2])
import test_torch_run as tests

def fatal(network, number):
    if number == 2:
        os.kill(os.getpid(), signal.SIGKILL)
    return tests.table_of(network, number)

tests.train(tests.SETTINGS, seed=2, folder=sys.argv[1], run=3, evaluate=fatal)
"""


def test_a_process_killed_outright_goes_on_to_the_same_bytes(tmp_path, whole):
    child = subprocess.run(
        [sys.executable, "-c", CHILD, str(tmp_path), os.path.dirname(__file__)],
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert child.returncode == -signal.SIGKILL, child.stderr
    with open(tmp_path / "metrics.csv", "a") as file:
        file.write("16")  # as if it had been cut off in the middle of a row
    train(SETTINGS, seed=2, folder=tmp_path, run=3, evaluate=table_of, resume=True)
    for name in SAME:
        assert (tmp_path / name).read_bytes() == (whole / name).read_bytes(), name


def test_a_finished_run_may_be_given_more_steps(tmp_path):
    short, longer = (SETTINGS.with_changes(steps=steps) for steps in (30, 60))
    train(longer, seed=2, folder=tmp_path / "long", evaluate=table_of)
    train(short, seed=2, folder=tmp_path / "more", evaluate=table_of)
    train(longer, seed=2, folder=tmp_path / "more", evaluate=table_of, resume=True)
    for name in SAME:
        assert (tmp_path / "more" / name).read_bytes() == (tmp_path / "long" / name).read_bytes(), name


def test_runs_that_are_there_and_checkpoints_of_others_are_left_alone(whole):
    before = {path.name: path.read_bytes() for path in whole.iterdir()}
    with pytest.raises(ValueError, match=r"metrics\.csv is there: a run is in this folder; resume it"):
        train(SETTINGS, seed=2, folder=whole)
    with pytest.raises(
        ValueError, match=r"another recipe: batch is 30 .*, asked for is 31; tau is 0.15 .* is 0.05"
    ):
        train(SETTINGS.with_changes(batch=31, tau=0.05), seed=2, folder=whole, resume=True)
    with pytest.raises(ValueError, match="its seed is 2, asked for is 3"):
        train(SETTINGS, seed=3, folder=whole, resume=True)
    assert {path.name: path.read_bytes() for path in whole.iterdir()} == before
