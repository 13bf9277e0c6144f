"""The engine survives: failing cells, deleted files, edits, kills. Each on a copy of the project, with a toy study."""

import os
import random
import shutil
import signal
import subprocess
import sys
import time
from types import SimpleNamespace

import psutil
import pytest

from toy import AFTER_CELLS, CELLS, Project, jobs

pytest.importorskip("snakemake")
pytest.importorskip("papermill")

RESULTS = "build/quick/results/toy"


def all_verified(project: Project) -> bool:
    """Whether the sidecar of every table and figure vouches for its bytes."""
    command = [
        sys.executable,
        "-m",
        "ludometrics.provenance",
        "verify",
        "build/quick/results",
        "build/quick/figures",
    ]
    return subprocess.run(command, cwd=project.folder, env=project.environment()).returncode == 0


@pytest.fixture(autouse=True)
def nothing_goes_on():
    """End what a test that failed halfway has left running."""
    yield
    Project.end_all()


@pytest.fixture(scope="module")
def story(tmp_path_factory):
    """A project whose grid had a bad cell at first and was then mended, with what was seen on the way."""
    project = Project(tmp_path_factory.mktemp("finished"))
    others = {"k": [1, 2, 4], "seed": 1}
    project.write_grid(others, {"k": 3, "seed": 1, "bad": 3})
    seen = SimpleNamespace(
        project=project, first=project.run(), begun=project.runs(), kept=project.finished()
    )
    seen.notebook = (project.folder / "build/quick/logs/toy/k03.ipynb").read_text()
    seen.tables = sorted(path.name for path in (project.folder / RESULTS).glob("*.csv"))
    project.write_grid(others, {"k": 3, "seed": 1})
    seen.second = project.run()
    seen.begun_again = project.runs()
    return seen


@pytest.fixture(scope="module")
def finished(story):
    """A project that ran through, on two workers; every test leaves it so."""
    status, output = story.second
    assert status == 0, output
    return story.project


def test_one_bad_cell_of_many(story):
    status, output = story.first
    assert status == 1 and story.begun == list(CELLS)
    assert story.kept == {"k01", "k02", "k04"}, "the others finish"
    failed = [line for line in output.splitlines() if line.startswith("FAILED")]
    error = "RuntimeError: cell k03 is a bad one (traceback in build/quick/logs/toy/k03.ipynb)"
    assert failed == [f"FAILED toy/k03: {error}"]
    assert "raise RuntimeError" in story.notebook and "Traceback" in story.notebook, "its notebook is kept"
    assert story.tables == ["cell__k01.csv", "cell__k02.csv", "cell__k04.csv"], "no summary"
    assert "papermill" not in output and len(output.splitlines()) < 20, "brief"


def test_after_mending_only_what_is_missing_runs(story):
    status, output = story.second
    assert status == 0 and story.begun_again == ["k03"], output
    assert jobs(output) == {"toy_cell": 1, **AFTER_CELLS}
    assert "5 of 5 steps (100%) done" in output and "figures 1 in build/quick/figures/" in output
    assert len(output.splitlines()) < 20, "brief"


def test_nothing_to_do_runs_no_job(finished):
    status, output = finished.run()
    assert status == 0 and "Nothing to be done" in output
    assert finished.runs() == []


def test_a_deleted_table_is_remade_alone(finished):
    """Its summary and figures follow, since the engine plans before it knows the new bytes."""
    before = finished.hashes()
    kept = finished.folder / RESULTS / "cell__k01.csv"
    written = kept.stat().st_mtime_ns
    (finished.folder / RESULTS / "cell__k02.csv").unlink()
    status, output = finished.run()
    assert status == 0 and finished.runs() == ["k02"], output
    assert jobs(output) == {"toy_cell": 1, **AFTER_CELLS}
    assert finished.hashes() == before and kept.stat().st_mtime_ns == written


def test_a_deleted_figure_is_remade_alone(finished):
    before = finished.hashes()
    (finished.folder / "build/quick/figures/toy.png").unlink()
    status, output = finished.run()
    assert status == 0 and finished.runs() == [] and jobs(output) == {"figure": 1, "all": 1}
    assert finished.hashes() == before


@pytest.mark.slow
@pytest.mark.parametrize(
    ("sidecar", "cells"),
    [("results/toy/cell__k04.json", ["k04"]), ("results/toy/summary.json", []), ("figures/toy.json", [])],
)
def test_a_deleted_sidecar_is_remade(finished, sidecar, cells):
    before = finished.hashes()
    (finished.folder / "build/quick" / sidecar).unlink()
    status, output = finished.run()
    assert status == 0 and finished.runs() == cells, output
    assert finished.hashes() == before and all_verified(finished)


@pytest.mark.slow
def test_a_failing_figure_is_named(finished):
    script = finished.folder / "figures/toy.py"
    text = script.read_text()
    script.write_text(text.replace("figure, axes = ", "raise KeyError('k')\n    figure, axes = "))
    status, output = finished.run()
    assert status == 1
    assert "FAILED figures/toy: KeyError: 'k' (traceback in build/quick/logs/figures/toy.log)" in output
    script.write_text(text)
    status, output = finished.run()
    assert status == 0 and jobs(output) == {"figure": 1, "all": 1}


@pytest.mark.slow
def test_a_killed_kernel_and_a_killed_papermill_are_named(tmp_path):
    project = Project(tmp_path)
    project.write_grid({"k": [1, 2], "seed": 1, "seconds": 120.0})
    process = project.start()
    project.wait_until(lambda: len((project.folder / "runs.txt").read_text().split()) == 2)
    papermills = [item for item in project.left_behind() if "papermill" in item.cmdline()[1]]
    first, second = sorted(papermills, key=lambda item: item.cmdline())
    second.children()[0].kill()
    first.kill()
    output, _ = process.communicate(timeout=100)
    assert process.returncode == 1
    assert "FAILED toy/k01: was killed (out of memory, or by hand) (traceback in " in output
    assert "FAILED toy/k02: nbclient.exceptions.DeadKernelError: Kernel died (traceback in " in output
    assert "papermill" not in output


@pytest.mark.slow
def test_serial_and_two_workers_give_the_same_bytes(finished, tmp_path):
    serial = Project(tmp_path)
    status, output = serial.run(cores=1)
    assert status == 0, output
    assert serial.hashes() == finished.hashes() and len(serial.hashes()) == 11
    assert all_verified(serial)


@pytest.mark.slow
def test_a_folder_with_a_space_in_its_name(finished, tmp_path):
    (tmp_path / "my project").mkdir()
    project = Project(tmp_path / "my project")
    status, output = project.run()
    assert status == 0, output
    assert project.hashes() == finished.hashes()


@pytest.mark.slow
def test_machines_without_a_scheduler_share_the_cells(finished, tmp_path):
    machines = []
    for number in (1, 2):
        (tmp_path / str(number)).mkdir()
        machines.append(Project(tmp_path / str(number)))
        status, output = machines[-1].run("--part", f"{number}/2")
        assert status == 0 and jobs(output) == {"toy_cell": 2}, output
    first, second = machines
    for path in first.folder.rglob("lib/**/*.py"):
        os.utime(path)  # as after a fresh clone: newer than the other machine's tables
    for part in ("build/quick/results", ".snakemake/metadata"):
        shutil.copytree(second.folder / part, first.folder / part, dirs_exist_ok=True)
    first.runs()
    status, output = first.run()
    assert status == 0 and first.runs() == [] and jobs(output) == AFTER_CELLS, output
    assert first.hashes() == finished.hashes()


def kill_engine_alone(project: Project, process: subprocess.Popen) -> None:
    """Kill run.py and the engine below it; the cells at work live on as orphans."""
    script = psutil.Process(process.pid)
    for victim in [script, *script.children()]:
        victim.send_signal(signal.SIGKILL)
    process.communicate()


@pytest.mark.slow
@pytest.mark.parametrize("moment", range(5))
def test_killed_twice_in_mid_grid_and_resumed(finished, tmp_path, moment):
    """Once with all that it started, once the engine alone: the finished cells stay, and the bytes are the same."""
    chooser = random.Random(f"moment {moment}")
    project = Project(tmp_path, seconds=1.0)
    # The last cell outlasts every kill: else cells that end together could finish the grid just before one.
    quick_cells = {"k": [1, 2, 3], "seed": 1, "seconds": 1.0}
    project.write_grid(quick_cells, {"k": 4, "seed": 1, "seconds": 300.0})
    kills = [lambda process: project.kill(process), lambda process: kill_engine_alone(project, process)]
    chooser.shuffle(kills)
    for kill in kills:
        before = project.finished()
        process = project.start()
        project.wait_until(lambda: (project.folder / "runs.txt").exists())
        # A random moment, before the last cell is through.
        end = time.monotonic() + chooser.uniform(0, 12)
        project.wait_until(lambda end=end: time.monotonic() > end or len(project.finished()) >= 3)
        kill(process)
        assert before.isdisjoint(project.runs()), "a finished cell was run again"
    kept = project.finished()
    assert kept != set(CELLS)
    project.write_grid(quick_cells, {"k": 4, "seed": 1, "seconds": 1.0})
    status, output = project.run()
    assert status == 0, output
    assert "removed the lock of a run that was killed" in output
    assert kept.isdisjoint(project.runs()), "a finished cell was run again"
    assert project.hashes() == finished.hashes() and all_verified(project)
    assert project.left_behind() == []


@pytest.mark.slow
def test_an_orphan_does_not_write_over_newer_tables(finished, tmp_path):
    """The engine is killed alone, the grid edited, the run resumed: the orphans of the old grid must not win."""
    project = Project(tmp_path, seconds=25.0)
    project.write_grid({"k": [1, 2, 3, 4], "seed": 7, "seconds": 25.0})
    process = project.start(cores=4)
    project.wait_until(lambda: len((project.folder / "runs.txt").read_text().split()) == 4)
    kill_engine_alone(project, process)
    assert len(project.left_behind()) >= 8
    project.write_grid(seconds=0.0)
    status, output = project.run()
    assert status == 0 and "ended the processes that it had left at work" in output
    time.sleep(25)
    assert project.hashes() == finished.hashes()


@pytest.mark.slow
@pytest.mark.parametrize(
    "how", ["signal to all, as Ctrl-C", "signal to run.py alone", "the engine killed below run.py"]
)
def test_stopped_in_good_order(finished, tmp_path, how):
    project = Project(tmp_path, seconds=4.0)
    process = project.start()
    project.wait_until(lambda: (project.folder / "runs.txt").exists())
    if "Ctrl-C" in how:
        os.killpg(process.pid, signal.SIGINT)
    elif "alone" in how:
        process.terminate()
    else:
        psutil.Process(process.pid).children()[0].kill()
    output, _ = process.communicate(timeout=300)
    assert process.returncode != 0
    assert "stopped; finished cells are kept" in output and "FAILED" not in output
    assert project.left_behind() == []
    kept = project.finished()
    project.runs()
    status, output = project.run()
    assert status == 0 and "removed the lock" not in output, output
    assert kept.isdisjoint(project.runs()) and project.hashes() == finished.hashes()


@pytest.mark.slow
@pytest.mark.parametrize("bare", [False, True], ids=["run.py", "bare snakemake"])
def test_the_lock_of_a_live_engine_is_respected(tmp_path, bare):
    project = Project(tmp_path, seconds=12.0)
    process = project.start(bare=bare)
    project.wait_until(lambda: (project.folder / "runs.txt").exists())
    status, output = project.run()
    assert status == 1 and output.startswith("Error: another run is at work in ") and output.count("\n") == 1
    assert list((project.folder / ".snakemake/locks").glob("*.lock")), "its lock was left alone"
    status, output = project.run("-n")
    assert status == 0 and "toy_cell k04: " in output, "looking is allowed"
    # Unlocked by hand, against better advice: a second engine still starts no job.
    assert project.run("--unlock", bare=True)[0] == 0
    status, output = project.run(bare=True)
    assert status == 1 and "another run is at work" in output
    first, _ = process.communicate(timeout=300)
    assert process.returncode == 0, first
    assert project.runs() == list(CELLS), "each cell ran once"


@pytest.mark.slow
def test_an_engine_lives_on_when_run_py_is_killed(finished, tmp_path):
    project = Project(tmp_path, seconds=4.0)
    process = project.start()
    project.wait_until(lambda: (project.folder / "runs.txt").exists())
    engine = psutil.Process(process.pid).children()[0]
    process.kill()
    process.communicate()
    status, output = project.run()
    assert status == 1 and "another run is at work" in output
    engine.wait(300)
    assert project.runs() == list(CELLS) and project.hashes() == finished.hashes()
    status, output = project.run()
    assert status == 0 and "Nothing to be done" in output


@pytest.mark.slow
def test_a_bare_engine_resumes_after_unlocking_by_hand(finished, tmp_path):
    project = Project(tmp_path, seconds=2.0)
    process = project.start(bare=True)
    project.wait_until(lambda: (project.folder / "runs.txt").exists())
    process.kill()
    process.communicate()
    assert project.run(bare=True)[0] == 1, "Snakemake's own lock"
    assert project.run("--unlock", bare=True)[0] == 0
    status, output = project.run(bare=True)
    assert status == 0, output
    assert project.hashes() == finished.hashes()
