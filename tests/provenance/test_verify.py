"""`verify` finds every file that is not what its sidecar says; `recompute` every number that differs."""

import json

import pandas as pd
import pytest
from click.testing import CliRunner

from ludometrics.provenance import recompute, verify, write_table
from ludometrics.provenance.__main__ import main


@pytest.fixture
def results(tmp_path):
    folder = tmp_path / "results"
    write_table(pd.DataFrame({"k": [1, 2], "v": [0.5, 0.25]}), folder / "study" / "cell.csv", key=["k"])
    source = folder / "study" / "cell.csv"
    write_table(
        pd.DataFrame({"k": [1], "v": [0.5]}), folder / "study" / "summary.csv", key=["k"], inputs=[source]
    )
    return folder


def wrong(folder):
    return {finding.path.split("/")[-1]: finding.message for finding in verify([folder]) if not finding.ok}


def test_all_is_well(results):
    assert wrong(results) == {} and len(verify([results])) == 2


def test_a_changed_byte_is_found_and_what_was_made_from_it(results):
    path = results / "study" / "cell.csv"
    path.write_bytes(path.read_bytes().replace(b"0.5", b"0.6"))
    found = wrong(results)
    assert "its bytes are not" in found["cell.csv"] and "stale" in found["summary.csv"]


def test_missing_files_are_found(results):
    (results / "study" / "summary.csv").unlink()
    (results / "study" / "cell.json").unlink()
    assert wrong(results) == {
        "summary.csv": "named by summary.json and missing",
        "cell.csv": "no sidecar vouches for it",
    }


def test_a_broken_sidecar_is_found(results):
    (results / "study" / "cell.json").write_text("{")
    assert "not a JSON file" in wrong(results)["cell.json"]


def test_the_command_ends_with_a_status(results):
    run = CliRunner().invoke(main, ["verify", str(results)])
    assert run.exit_code == 0 and "2 of 2 files as recorded" in run.output
    (results / "study" / "cell.csv").write_text("k,v\n")
    run = CliRunner().invoke(main, ["verify", str(results)])
    assert run.exit_code == 1 and "WRONG" in run.output and "cell.csv" in run.output
    run = CliRunner().invoke(main, ["verify", str(results / "absent")])
    assert run.exit_code == 2 and "no such folder" in run.output


def twins(tmp_path, fresh, committed, key=("replication",)):
    for name, values in (("fresh", fresh), ("committed", committed)):
        frame = pd.DataFrame({"replication": range(len(values)), "v": values})
        write_table(frame, tmp_path / name / "s" / "cell.csv", key=list(key))
    return tmp_path / "fresh", tmp_path / "committed"


def move_to_another_cpu(folder):
    path = folder / "s" / "cell.json"
    sidecar = json.loads(path.read_text())
    sidecar["environment"]["cpu"] = "another"
    path.write_text(json.dumps(sidecar))


def test_the_first_replications_are_compared(tmp_path):
    (finding,) = recompute(*twins(tmp_path, [0.5, 0.25], [0.5, 0.25, 0.125]))
    assert finding.ok and finding.message == "2 rows, equal"


def test_a_number_that_differs_is_named(tmp_path):
    (finding,) = recompute(*twins(tmp_path, [0.5, 0.25], [0.5, 0.26]))
    assert not finding.ok
    assert "1 of 2 rows differ: v at replication=1: committed 0.26, fresh 0.25" in finding.message


def test_another_cpu_may_differ_in_the_last_digits_only(tmp_path):
    fresh, committed = twins(tmp_path, [0.5], [0.5 + 1e-8])
    assert not recompute(fresh, committed)[0].ok
    move_to_another_cpu(committed)
    assert recompute(fresh, committed)[0].ok
    fresh, committed = twins(tmp_path, [0.5], [0.5 + 1e-5])
    move_to_another_cpu(committed)
    assert not recompute(fresh, committed)[0].ok


def test_averages_have_no_twin(tmp_path):
    fresh, committed = twins(tmp_path, [0.5], [0.6], key=("replication",))
    for folder in (fresh, committed):
        write_table(pd.DataFrame({"k": [1], "v": [0.1]}), folder / "s" / "summary.csv", key=["k"])
    assert [finding.path.split("/")[-1] for finding in recompute(fresh, committed)] == ["cell.csv"]
    with pytest.raises(ValueError, match="no table there has a twin"):
        recompute(fresh, tmp_path / "nothing")


def test_a_missing_input_and_an_empty_folder_are_found(results, tmp_path):
    source = results / "study" / "cell.csv"
    content = source.read_bytes()
    source.unlink()
    assert wrong(results)["summary.csv"] == f"stale: its input {source.as_posix()} is missing"
    source.write_bytes(content)
    assert wrong(results) == {}
    (tmp_path / "empty").mkdir()
    assert wrong(tmp_path / "empty") == {"empty": "nothing there to check"}


@pytest.mark.parametrize("entry", ["inputs", "environment"])
def test_a_sidecar_edited_by_hand_is_no_traceback(results, entry):
    path = results / "study" / "cell.json"
    path.write_text(json.dumps({**json.loads(path.read_text()), entry: ["x"]}))
    assert f"{entry!r} is no object" in wrong(results)["cell.json"]


def test_files_without_a_hash_are_left_alone(results):
    (results / "study" / "COLUMNS.md").write_text("x")
    (results / "study" / ".cell.csv.0123abcd.tmp").write_text("half a tab")
    assert wrong(results) == {}
    (results / "study" / "note.txt").write_text("x")
    assert wrong(results) == {"note.txt": "no sidecar vouches for it"}


def test_the_command_says_what_is_wrong_and_only_that(results):
    (results / "study" / "summary.csv").write_text("k,v\n")
    run = CliRunner().invoke(main, ["verify", str(results)])
    lines = run.output.splitlines()
    assert lines[0].startswith("WRONG ") and lines[0].endswith(
        "its bytes are not those that its sidecar records"
    )
    assert lines[1:] == ["1 of 2 files as recorded"]


def test_the_commands_of_recompute_and_join(tmp_path):
    fresh, committed = twins(tmp_path, [0.5], [0.5, 1.0])
    run = CliRunner().invoke(main, ["recompute", str(fresh), str(committed)])
    assert run.exit_code == 0 and "1 of 1 files equal to the committed tables" in run.output
    twins(tmp_path, [0.5], [0.6])
    run = CliRunner().invoke(main, ["recompute", str(fresh), str(committed)])
    assert run.exit_code == 1 and "v at replication=0: committed 0.6, fresh 0.5" in run.output
    run = CliRunner().invoke(main, ["recompute", str(tmp_path / "absent"), str(committed)])
    assert run.exit_code == 2 and "make reproduce" in run.output
    run = CliRunner().invoke(main, ["join", str(tmp_path)])
    assert run.exit_code == 2 and "no study there" in run.output


def test_rows_without_a_twin_are_wrong(tmp_path):
    (finding,) = recompute(*twins(tmp_path, [0.5, 0.25], [0.5]))
    assert not finding.ok
    assert finding.message == "1 of 2 rows without a twin: only the fresh run has replication=1"
    fresh, committed = tmp_path / "fresh", tmp_path / "committed"
    for folder, players in ((fresh, ["a"]), (committed, ["a", "b"])):
        frame = pd.DataFrame({"replication": 0, "name": players, "v": 0.5})
        write_table(frame, folder / "s" / "cell.csv", key=["replication", "name"])
    (finding,) = recompute(fresh, committed)
    assert finding.message == "1 of 2 rows without a twin: only the committed table has replication=0, name=b"


def test_columns_and_texts_are_compared_as_well(tmp_path):
    fresh, committed = twins(tmp_path, ["x", ""], ["x", ""])
    assert recompute(fresh, committed)[0].ok
    fresh, committed = twins(tmp_path, ["x", "y"], ["x", "z"])
    move_to_another_cpu(committed)
    assert "v at replication=1: committed z, fresh y" in recompute(fresh, committed)[0].message
    frame = pd.DataFrame({"replication": [0], "w": [0.5]})
    write_table(frame, committed / "s" / "cell.csv", key=["replication"])
    assert (
        "columns ['replication', 'w'], fresh ['replication', 'v']" in recompute(fresh, committed)[0].message
    )


@pytest.mark.parametrize(
    ("ours", "theirs", "ok"),
    [
        (None, None, True),
        (None, 0.0, False),
        (float("inf"), float("inf"), True),
        (float("inf"), 1.0, False),
        (0.0, 1e-10, True),
    ],
    ids=str,
)
def test_special_values_on_another_cpu(tmp_path, ours, theirs, ok):
    fresh, committed = twins(tmp_path, [ours, 1.0], [theirs, 1.0])
    move_to_another_cpu(committed)
    assert recompute(fresh, committed)[0].ok == ok


def test_a_twin_without_a_sidecar_is_wrong_and_no_traceback(tmp_path):
    fresh, committed = twins(tmp_path, [0.5], [0.5])
    (committed / "s" / "cell.json").unlink()
    (finding,) = recompute(fresh, committed)
    assert not finding.ok and "no such sidecar" in finding.message
