"""What a person sees of a run: progress, and each failed job in one line."""

import json
import os

import click
import pytest

import run
from report import DryRun, EngineOutput, failures, notebook_error

STARTED = """\
Using workflow specific profile profiles/local for setting default command line arguments.
Building DAG of jobs...
Provided cores: 2
Job stats:
job            count
-----------  -------
toy_cell           2

Select jobs to execute...
Execute 2 jobs...
[Mon Nov 30 05:58:23 2026]
rule toy_cell:
    input: notebooks/toy.ipynb
    output: build/quick/results/toy/cell__k1.5.csv
    log: build/quick/logs/toy/k1.5.ipynb, build/quick/logs/toy/k1.5.log
    jobid: 4
    wildcards: cell=k1.5
"""
DONE = """\
[Mon Nov 30 05:58:23 2026]
Finished jobid: 4 (Rule: toy_cell)
1 of 2 steps (50%) done
"""
FAILED_HERE = """\
RuleException:
CalledProcessError in file "/p/toy.smk", line 17:
Command 'papermill toy.ipynb build/quick/logs/toy/k1.5.ipynb > log 2>&1' returned non-zero exit status 1.
"""
FAILED_ON_CLUSTER = """\
Error in rule toy_cell:
    message: SLURM-job '7' failed, SLURM status is: 'OUT_OF_MEMORY'.
    jobid: 4
    log: build/quick/logs/toy/k1.5.ipynb, build/quick/logs/toy/k1.5.log, /p/7.log (check log file(s) for error details)
    shell:
        papermill notebooks/toy.ipynb
        (command exited with non-zero exit code)
    external_jobid: 7
"""
ENDED = """\
Exiting because a job execution failed. Look above for error messages
WorkflowError:
At least one job did not complete successfully.
"""


def shown(text, reader=EngineOutput):
    lines = []
    output = reader(lines.append)
    for line in text.splitlines():
        output.feed(line)
    output.close()
    return lines, output


def test_progress_names_the_cell():
    lines, output = shown(STARTED + DONE)
    assert lines[-1] == "1 of 2 steps (50%) done: toy/k1.5"
    assert lines[0] == "Job stats:" and len(lines) == 5
    assert output.failed == {}


@pytest.mark.parametrize("error", [FAILED_HERE, FAILED_ON_CLUSTER, FAILED_ON_CLUSTER + FAILED_HERE])
def test_a_failed_job_is_named_once_without_its_command(error):
    lines, output = shown(STARTED + error + ENDED)
    assert lines[4:] == ["toy/k1.5 failed; the others go on"]
    ((log, message),) = output.failed.items()
    assert log.as_posix() == "build/quick/logs/toy/k1.5.ipynb"
    assert ("OUT_OF_MEMORY" in message) == ("SLURM" in error)


def test_a_job_that_comes_through_at_its_second_try_has_not_failed():
    lines, output = shown(STARTED + FAILED_ON_CLUSTER + "Trying to restart job 4.\n" + DONE)
    assert lines[4:6] == ["toy/k1.5 failed; the others go on", "Trying to restart job 4."]
    assert output.failed == {}


def test_interrupted_jobs_do_not_fail():
    lines = []
    output = EngineOutput(lines.append)
    output.stopped = True
    for line in FAILED_HERE.splitlines():
        output.feed(line)
    assert lines == []


def test_what_is_not_known_is_shown():
    other = "RuleException:\nCalledProcessError in file x:\nCommand 'true' returned non-zero exit status 1."
    for text in ("MissingInputException in rule all:\n  y.csv", other, "RuleException:\nNameError: z"):
        assert shown(text)[0] == text.splitlines()


def test_submitted_jobs_are_named():
    lines, _ = shown(STARTED + "Job 4 has been submitted with SLURM jobid 12 (log: /p/12.log).")
    assert lines[-1] == "toy/k1.5 is SLURM job 12"


def test_a_dry_run_gives_a_line_a_job_with_its_reason():
    reason = "    reason: Missing output files: " + "x" * 200 + "\n"
    last = "rule all:\n    jobid: 0\n    reason: Input files\nJob stats:\njob  count\nThis was a dry-run (flag -n).\n"
    lines, _ = shown(STARTED + reason + last, DryRun)
    assert lines[4].startswith("toy_cell k1.5: Missing output files: xxx") and len(lines[4]) < 180
    assert lines[5:] == ["This was a dry-run (flag -n)."]


def executed(path, *, outputs=(), papermill=None):
    cells = [{"cell_type": "markdown"}, {"cell_type": "code", "outputs": list(outputs)}]
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps({"cells": cells, "metadata": {"papermill": papermill or {}}}))
    return path


ERROR = {"output_type": "error", "ename": "ValueError", "evalue": "two\nlines"}


def test_a_failed_notebook_is_named_in_one_line(tmp_path):
    executed(tmp_path / "s" / "good.ipynb")
    bad = executed(tmp_path / "s" / "bad1.5.ipynb", outputs=[{"output_type": "stream"}, ERROR])
    assert failures(tmp_path, 0.0) == [f"FAILED s/bad1.5: ValueError: two lines (traceback in {bad})"]
    assert failures(tmp_path, 4e9) == [], "an older failure"
    assert len(failures(tmp_path, 4e9, {bad: ""})) == 1, "unless the engine names it"


def test_a_failed_script_is_named_too(tmp_path):
    (tmp_path / "figures").mkdir()
    (tmp_path / "figures" / "good.log").write_text("a caption\n")
    bad = tmp_path / "figures" / "bad.log"
    bad.write_text("Traceback (most recent call last):\n  File x\nKeyError: 'k'\n\n")
    silent = tmp_path / "replication.log"
    silent.write_text("no table to join\n")
    (tmp_path / "engine.log").write_text("Traceback of a job\n")
    assert failures(tmp_path, 0.0, {silent: ""}) == [
        f"FAILED figures/bad: KeyError: 'k' (traceback in {bad})",
        f"FAILED {tmp_path.name}/replication: no table to join (traceback in {silent})",
    ]


def test_a_dead_kernel_leaves_its_traceback_in_the_log(tmp_path):
    notebook = executed(tmp_path / "s" / "k1.ipynb", papermill={"exception": None, "end_time": "now"})
    log = tmp_path / "s" / "k1.log"
    log.write_text("Traceback (most recent call last):\nnbclient.exceptions.DeadKernelError: Kernel died\n")
    line = f"FAILED s/k1: nbclient.exceptions.DeadKernelError: Kernel died (traceback in {log})"
    assert failures(tmp_path, 0.0) == failures(tmp_path, 0.0, {notebook: "job 7 failed"}) == [line]


def test_a_job_of_which_nothing_is_left_has_what_the_engine_said(tmp_path):
    lost = tmp_path / "s" / "k1.ipynb"
    assert failures(tmp_path, 0.0, {lost: "SLURM-job '7' failed"})[0].startswith(
        "FAILED s/k1: SLURM-job '7' failed"
    )


def test_a_papermill_that_never_began_is_not_hidden_by_an_older_notebook(tmp_path):
    old = executed(tmp_path / "s" / "k1.ipynb")
    (tmp_path / "s" / "k1.log").write_text("papermill: command not found\n")
    assert failures(tmp_path, 4e9) == []
    os.utime(old, (1, 1))
    (line,) = failures(tmp_path, 2.0, {old: ""})
    assert line.startswith("FAILED s/k1: papermill: command not found")


@pytest.mark.parametrize(
    ("papermill", "error"),
    [
        ({"exception": True, "end_time": "now"}, "ended without a traceback (kernel killed, or out of time)"),
        ({"exception": None, "end_time": None}, "was killed (out of memory, or by hand)"),
        ({"exception": None, "end_time": "now"}, None),
    ],
    ids=["kernel", "papermill", "well"],
)
def test_ends_without_a_traceback(tmp_path, papermill, error):
    assert notebook_error(executed(tmp_path / "k.ipynb", papermill=papermill)) == error


def test_a_notebook_that_was_never_written(tmp_path):
    (tmp_path / "e.ipynb").write_text("")
    assert notebook_error(tmp_path / "e.ipynb") == "ended without a word"
    (tmp_path / "e.log").write_text("Traceback\nNoSuchKernel: x\n\n")
    assert notebook_error(tmp_path / "e.ipynb") == "NoSuchKernel: x"


def test_parts_share_the_cells(tmp_path, monkeypatch):
    (tmp_path / "experiments").mkdir()
    for name, n in (("a", 5), ("b", 2)):
        text = f"{{cell: 'k{{k}}', tables: [t], profiles: {{quick: [{{k: {list(range(n))}}}]}}}}"
        (tmp_path / "experiments" / f"{name}.yaml").write_text(text)
    monkeypatch.chdir(tmp_path)
    parts = [run.cells_of_part(run.Layout("quick"), *run.read_part(f"{i}/3")) for i in (1, 2, 3)]
    assert [len(part) for part in parts] == [3, 3, 1]
    assert len({cell for part in parts for cell in part}) == 7
    for text in ("0/3", "4/3", "3", "a/b"):
        with pytest.raises(click.BadParameter, match="must be I/N"):
            run.read_part(text)
