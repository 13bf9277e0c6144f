"""The engine survives: failing cells, deleted files, edits, kills. Each on a copy of the project, with a toy study."""

import os
import random
import re
import signal
import subprocess
import sys

import psutil
import pytest

from toy import CELLS, NOTEBOOK, SUMMARY, Project

pytest.importorskip("snakemake")
pytest.importorskip("papermill")


def jobs(output: str) -> dict[str, int]:
    """Rules and how many jobs of each the engine planned."""
    return {
        name: int(n)
        for name, n in re.findall(r"^([a-z_]+)\s+(\d+)$", output, re.MULTILINE)
        if name != "total"
    }


@pytest.fixture(scope="module")
def finished(tmp_path_factory):
    """A project that ran through once, on two workers."""
    project = Project(tmp_path_factory.mktemp("finished"))
    status, output = project.run()
    assert status == 0, output
    assert project.runs() == list(CELLS)
    assert "figures 1 in build/quick/figures/" in output and "8 of 8 steps" in output
    return project


def test_nothing_to_do_runs_no_job(finished):
    status, output = finished.run()
    assert status == 0 and "Nothing to be done" in output
    assert finished.runs() == []


def test_a_deleted_table_is_remade_alone(finished):
    before = finished.hashes()
    (finished.folder / "build/quick/results/toy/cell__k02.csv").unlink()
    status, output = finished.run()
    assert status == 0 and finished.runs() == ["k02"], output
    assert jobs(output)["toy_cell"] == 1
    assert finished.hashes() == before


def test_a_deleted_figure_is_remade_alone(finished):
    before = finished.hashes()
    (finished.folder / "build/quick/figures/toy.png").unlink()
    status, output = finished.run()
    assert status == 0 and finished.runs() == [] and jobs(output) == {"figure": 1, "all": 1}
    assert finished.hashes() == before


def test_one_bad_cell_of_many(tmp_path):
    project = Project(tmp_path, bad=3)
    status, output = project.run()
    assert status != 0
    assert project.finished() == {"k01", "k02", "k04"}, "the others finish"
    failed = [line for line in output.splitlines() if line.startswith("FAILED")]
    notebook = "build/quick/logs/toy/k03.ipynb"
    assert failed == [f"FAILED toy/k03: RuntimeError: cell k03 is a bad one (traceback in {notebook})"]
    assert "raise RuntimeError" in (project.folder / notebook).read_text(), "its notebook is kept"
    assert not (project.folder / "build/quick/results/toy/summary.csv").exists()
    project.runs()
    # The finished cells are kept once the grid asks no more for the bad one.
    project.write_grid(k=[1, 2, 4], seconds=0.0, bad=3)
    status, output = project.run()
    assert status == 0 and project.runs() == [], output


@pytest.mark.slow
def test_serial_and_two_workers_give_the_same_bytes(finished, tmp_path):
    serial = Project(tmp_path)
    status, output = serial.run(cores=1)
    assert status == 0, output
    assert serial.hashes() == finished.hashes() and len(serial.hashes()) == 11


@pytest.mark.slow
def test_a_folder_with_a_space_in_its_name(finished, tmp_path):
    (tmp_path / "my project").mkdir()
    project = Project(tmp_path / "my project")
    status, output = project.run()
    assert status == 0, output
    assert project.hashes() == finished.hashes()


@pytest.mark.slow
def test_edits_run_again_exactly_what_uses_them(tmp_path):
    project = Project(tmp_path)
    # A second study whose cells do not use ludometrics.evaluation.
    unwanted = "from ludometrics.evaluation import mean_interval\n"
    cells = [(tag, source.replace(unwanted, "")) for tag, source in NOTEBOOK]
    lines = [
        "values = named_stream(seed, cell).normal(size=20)",
        'frame = pd.DataFrame([{"k": k, "replication": 0, "value": values.mean(), "low": -9.0, "high": 9.0, "n": 20}])',
        'write_table(frame, f"{out}/cell__{cell}.csv", key=["k", "replication"], parameters=parameters)',
    ]
    cells[-1] = ("", "\n".join(lines))
    project.add_study("other", cells, SUMMARY)
    project.write_grid("other")
    status, output = project.run()
    assert status == 0, output
    assert project.runs() == sorted([*CELLS, *CELLS])

    module = project.folder / "lib/ludometrics/evaluation/intervals.py"
    os.utime(module)
    status, output = project.run()
    assert status == 0 and project.runs() == [], "a bare touch"

    module.write_text(module.read_text() + "\n# edited\n")
    status, output = project.run()
    planned = jobs(output)
    assert status == 0 and project.runs() == list(CELLS), "a module that one study uses"
    assert planned["toy_cell"] == 4 and "other_cell" not in planned

    script = project.folder / "figures/toy.py"
    script.write_text(script.read_text().replace("ylabel='mean'", "ylabel='x'") + "\n# edited\n")
    status, output = project.run()
    assert status == 0 and project.runs() == [] and jobs(output) == {"figure": 1, "all": 1}

    notebook = project.folder / "notebooks/other.ipynb"
    notebook.write_text(notebook.read_text().replace("-9.0", "-8.0"))
    status, output = project.run()
    assert status == 0 and project.runs() == list(CELLS) and "toy_cell" not in jobs(output)

    project.write_grid(k=[1, 2, 3, 4, 5], seconds=0.0, bad=0)
    status, output = project.run()
    assert status == 0 and project.runs() == ["k05"] and jobs(output)["toy_cell"] == 1


@pytest.mark.slow
@pytest.mark.parametrize("moment", range(5))
def test_killed_in_mid_grid_and_resumed(finished, tmp_path, moment):
    chooser = random.Random(f"moment {moment}")
    project = Project(tmp_path, seconds=1.0)
    reference = finished.hashes()
    process = project.start()
    # A random moment between the begin of the first cell and the end of the last but one.
    project.wait_until(lambda: (project.folder / "runs.txt").exists())
    target = chooser.randrange(4)
    project.wait_until(lambda: len(project.finished()) >= target)
    with_children = chooser.random() < 0.5
    if with_children:
        project.kill(process)
    else:
        # Only the engine itself dies; cells it started may go on for a while and must do no harm.
        engine = psutil.Process(process.pid)
        children = engine.children(recursive=True)
        for victim in [engine, *(child for child in children if "snakemake" in " ".join(child.cmdline()))]:
            victim.send_signal(signal.SIGKILL)
        process.wait()
    kept = project.finished()
    assert kept != set(CELLS) or not (project.folder / "build/quick/figures/toy.json").exists()
    project.runs()
    status, output = project.run()
    assert status == 0, output
    assert "removed the lock of a run that was killed" in output
    # Tables hold the parameters' effect, not the seconds slept: the bytes are those of the undisturbed run.
    assert project.hashes() == reference
    if with_children:
        done_again = kept & set(project.runs())
        assert len(done_again) <= 2, f"finished cells were run again: {done_again}"
        # At most the cells in flight count as half done; a cell whose engine lived to see its end is never rerun.


@pytest.mark.slow
@pytest.mark.parametrize("bare", [False, True], ids=["run.py", "bare snakemake"])
def test_the_lock_of_a_live_engine_is_respected(tmp_path, bare):
    project = Project(tmp_path, seconds=6.0)
    if bare:
        command = [sys.executable, "-m", "snakemake", "--workflow-profile", "profiles/local"]
        path = os.pathsep.join([os.path.dirname(sys.executable), os.environ["PATH"]])
        process = subprocess.Popen(
            command,
            cwd=project.folder,
            env={**project.environment(), "PATH": path},
            text=True,
            start_new_session=True,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
        )
    else:
        process = project.start()
    project.wait_until(lambda: (project.folder / "runs.txt").exists())
    status, output = project.run()
    assert status == 1 and "another run is at work" in output
    first, _ = process.communicate(timeout=300)
    assert process.returncode == 0, first
    assert project.runs() == list(CELLS), "each cell ran once"
