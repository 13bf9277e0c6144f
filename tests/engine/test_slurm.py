"""The same grid on a real SLURM of one node. Opt-in, for it starts daemons: LUDOMETRICS_TEST_SLURM=1 pytest -m slurm"""

import os

import pytest

from slurm_node import SlurmNode, missing_programs
from toy import CELLS, Project

pytest.importorskip("snakemake_executor_plugin_slurm")
pytest.importorskip("papermill")

pytestmark = pytest.mark.slurm
# The plugin asks for a job's state after these seconds first, and then less and less often.
SETTINGS = ("--settings", "profiles/slurm", "--slurm-init-seconds-before-status-checks", "5")


@pytest.fixture(scope="module")
def node(tmp_path_factory):
    if os.environ.get("LUDOMETRICS_TEST_SLURM") != "1":
        pytest.skip("starts SLURM daemons: set LUDOMETRICS_TEST_SLURM=1")
    if missing := missing_programs():
        pytest.skip(f"needs SLURM and munge; missing: {', '.join(missing)} (apt-get install slurm-wlm munge)")
    with SlurmNode(tmp_path_factory.mktemp("slurm")) as node:
        yield node
    assert not node.alive(), "every daemon has ended"


@pytest.fixture(scope="module")
def serial(node, tmp_path_factory):
    """The bytes of a serial run without SLURM."""
    project = Project(tmp_path_factory.mktemp("serial"))
    status, output = project.run(cores=1)
    assert status == 0, output
    return project.hashes()


def test_serial_and_slurm_give_the_same_bytes(node, serial, tmp_path):
    project = Project(tmp_path)
    status, output = project.run(*SETTINGS, cores=None, **node.environment)
    assert status == 0, f"{output}\n{node.logs()}"
    assert "toy/k01 is SLURM job " in output and "8 of 8 steps" in output
    assert project.runs() == list(CELLS) and project.hashes() == serial and len(serial) == 11
    states = node.run("squeue", "--states=all", "--noheader", "--format=%T").split()
    assert states == ["COMPLETED"] * 5, "cells and summary were jobs of SLURM; the figure is drawn at once"
    status, output = project.run(*SETTINGS, cores=None, **node.environment)
    assert status == 0 and "Nothing to be done" in output


def test_a_bad_cell_on_slurm(node, tmp_path):
    project = Project(tmp_path)
    project.write_grid({"k": 1, "seed": 1}, {"k": 2, "seed": 1, "bad": 2})
    status, output = project.run(*SETTINGS, "--retries", "0", cores=None, **node.environment)
    assert status == 1
    failed = [line for line in output.splitlines() if line.startswith("FAILED")]
    error = "RuntimeError: cell k02 is a bad one (traceback in build/quick/logs/toy/k02.ipynb)"
    assert failed == [f"FAILED toy/k02: {error}"], output
    assert project.finished() == {"k01"}


def test_jobs_of_a_killed_engine_are_cancelled(node, serial, tmp_path):
    project = Project(tmp_path)
    project.write_grid({"k": [1, 2, 3, 4], "seed": 7, "seconds": 300.0})
    process = project.start(*SETTINGS, cores=None, **node.environment)
    project.wait_until(lambda: len((project.folder / "runs.txt").read_text().split()) == 2)
    project.kill(process)
    assert len(node.run("squeue", "--noheader").splitlines()) == 4, "the jobs do not die with the engine"
    project.runs()
    project.write_grid()
    status, output = project.run(*SETTINGS, cores=None, **node.environment)
    assert status == 0, f"{output}\n{node.logs()}"
    assert "cancelled the jobs that it had left in SLURM's queue" in output
    assert project.runs() == list(CELLS) and project.hashes() == serial
